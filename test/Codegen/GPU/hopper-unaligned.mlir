// RUN: amp-opt %s --amp-gpu-codegen=target=sm_90a | FileCheck %s

// Offsets and strides that types do not tell are asked for at each launch, those of the bias included: pairs of its elements are read at
// once. What TMA cannot take goes to mma-sync.

// CHECK-LABEL: gpu.func @linear(
// CHECK-SAME: schedule = "wgmma"
// CHECK-LABEL: gpu.func @linear_unaligned(
// CHECK-SAME: schedule = "mma-sync"
// CHECK-LABEL: func.func @main(
// CHECK: %{{.*}}, %[[A_OFFSET:.*]], %{{.*}}:2, %[[A_STRIDES:.*]]:2 = memref.extract_strided_metadata %arg0
// CHECK-DAG: %[[A_START:.*]] = arith.muli %[[A_OFFSET]], %c2
// CHECK-DAG: arith.andi %[[A_START]], %c15
// CHECK-DAG: %[[A_ROW:.*]] = arith.muli %[[A_STRIDES]]#0, %c2
// CHECK-DAG: arith.andi %[[A_ROW]], %c15
// CHECK: %{{.*}}, %[[BIAS_OFFSET:.*]], %{{.*}}, %{{.*}} = memref.extract_strided_metadata %arg2
// CHECK: %[[BIAS_START:.*]] = arith.muli %[[BIAS_OFFSET]], %c2
// CHECK: %[[BITS:.*]] = arith.andi %[[BIAS_START]], %c15
// CHECK: arith.cmpi eq, %[[BITS]], %c0
// No address is.
// CHECK-NOT: extract_aligned_pointer
// CHECK: scf.if
// CHECK-NEXT: gpu.launch_func{{ *}}@kernels::@linear blocks
// CHECK: else
// CHECK-NEXT: gpu.launch_func{{ *}}@kernels::@linear_unaligned

#g = #gpu.address_space<global>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
module @kernels {
  func.func @linear(%a: tensor<4096x1024xf16>, %b: tensor<1024x4096xf16>, %bias: tensor<4096xf16>,
                    %d: tensor<4096x4096xf16> {amp.destination = 0 : i64}) -> tensor<4096x4096xf16> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4096x4096xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    %c = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<4096x1024xf16>, tensor<1024x4096xf16>) outs(%f : tensor<4096x4096xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<4096x4096xf32>
    %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<4096x4096xf32>, tensor<4096xf16>) outs(%d : tensor<4096x4096xf16>) {
    ^bb0(%x: f32, %y: f16, %o: f16):
      %t = arith.truncf %x : f32 to f16
      %s = arith.addf %t, %y : f16
      linalg.yield %s : f16
    } -> tensor<4096x4096xf16>
    return %r : tensor<4096x4096xf16>
  }
}
func.func @main(%a: memref<4096x1024xf16, strided<[?, 1], offset: ?>, #g>, %b: memref<1024x4096xf16, #g>,
                %bias: memref<4096xf16, strided<[1], offset: ?>, #g>, %d: memref<4096x4096xf16, #g>) {
  amp.launch @kernels::@linear
      ins(%a, %b, %bias : memref<4096x1024xf16, strided<[?, 1], offset: ?>, #g>, memref<1024x4096xf16, #g>, memref<4096xf16, strided<[1], offset: ?>, #g>)
      outs(%d : memref<4096x4096xf16, #g>)
  return
}
