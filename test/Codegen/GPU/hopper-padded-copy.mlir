// RUN: %python %S/Inputs/add-main.py < %s \
// RUN:   | amp-opt --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim:sm_90a --amp-lower-to-simulator \
// RUN:   | env AMP_SIM_WRITES=all %simulate | FileCheck %s
// RUN: %python %S/Inputs/add-main.py < %s \
// RUN:   | amp-opt --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim:sm_90a | FileCheck %s --check-prefix=CODE
// RUN: sed -e 's/131/4095/g; s/77/4099/g; s/x67x/x4097x/g; s/<67x/<4097x/g; s/, amp.schedule = "[^"]*"//' %s > %t.large.mlir
// RUN: %python %S/Inputs/add-main.py < %t.large.mlir \
// RUN:   | amp-opt --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sm_90a --remarks-filter=amp --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Large products are worth the copies, small ones are not.
// REMARK: Tiles | Category:amp | Function=both | {{.*}}PaddedCopies=2
// REMARK: Function=square | Reason="wgmma: its left operand cannot be read by TMA: it has a stride of 138 bytes, no multiple of 16; copies with padded rows would take {{[0-9.]+}} microseconds", Schedule=mma-sync

// Operands whose rows TMA cannot read are copied to rows that it can, on the
// simulator, and the same functions on the host. What is printed is the number of
// elements that differ, for each kernel.

// CHECK: sizes = [4]
// CHECK-NEXT: [0,  0,  0,  0]

// CODE-LABEL: gpu.func @both(
// CODE-SAME: memref<131x77xf16, strided<[128, 1]>, #gpu.address_space<global>>, %{{[a-z0-9]+}}: memref<77x67xf16, strided<[128, 1]>,
// CODE: gpu.func @both_pad0(
// CODE-SAME: memref<131x77xf16, #gpu.address_space<global>>, %{{[a-z0-9]+}}: memref<131x128xf16, #gpu.address_space<global>>)
// CODE: gpu.func @both_pad1(
// CODE-LABEL: func.func @main(
// CODE: %[[COPY:.*]] = memref.alloc() {alignment = 256 : i64} : memref<131x128xf16,
// CODE-NEXT: gpu.launch_func{{ *}}@kernels::@both_pad0
// CODE: memref.subview %[[COPY]][0, 0] [131, 77] [1, 1]
// CODE: gpu.launch_func{{ *}}@kernels::@both_pad1

#g = #gpu.address_space<global>
module @kernels {
  // Both operands have odd rows, and are copied; so has the result.
  func.func @both(%a: tensor<131x77xf16>, %b: tensor<77x67xf16>, %bias: tensor<67xf32>, %d: tensor<131x67xf16> {amp.destination = 0 : i64}) -> tensor<131x67xf16> attributes {amp.kernel, amp.schedule = "wgmma:64x64-4-2-blocks"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<131x67xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<131x67xf32>) -> tensor<131x67xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<131x77xf16>, tensor<77x67xf16>) outs(%f : tensor<131x67xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<131x67xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<131x67xf32>, tensor<67xf32>) outs(%d : tensor<131x67xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16):
      %t = arith.addf %x, %v : f32
      %u = arith.truncf %t : f32 to f16
      linalg.yield %u : f16
    } -> tensor<131x67xf16>
    return %r : tensor<131x67xf16>
  }
  // One is copied; bytes; rows of a batch of unknown size.
  // SIZES: 2x70x45 64x45 2x70x64
  func.func @bytes(%a: tensor<?x?x45xi8>, %b: tensor<64x45xi8>, %d: tensor<?x?x64xi32> {amp.destination = 0 : i64}) -> tensor<?x?x64xi32> attributes {amp.kernel, amp.schedule = "wgmma:64x64-4-2-blocks"} {
    %zero = arith.constant 0 : i32
    %f = linalg.fill ins(%zero : i32) outs(%d : tensor<?x?x64xi32>) -> tensor<?x?x64xi32>
    %c = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<?x?x45xi8>, tensor<64x45xi8>) outs(%f : tensor<?x?x64xi32>) {
    ^bb0(%x: i8, %y: i8, %acc: i32):
      %x1 = arith.extsi %x : i8 to i32
      %y1 = arith.extsi %y : i8 to i32
      %p = arith.muli %x1, %y1 : i32
      %s = arith.addi %acc, %p : i32
      linalg.yield %s : i32
    } -> tensor<?x?x64xi32>
    return %c : tensor<?x?x64xi32>
  }
  // Seven channels of a convolution become eight in memory; one tensor is both
  // operands.
  func.func @conv(%a: tensor<2x7x9x7xbf16>, %b: tensor<64x3x3x7xbf16>, %d: tensor<2x5x7x64xf32> {amp.destination = 0 : i64}) -> tensor<2x5x7x64xf32> attributes {amp.kernel, amp.schedule = "wgmma:64x64-4-2-blocks"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x5x7x64xf32>) -> tensor<2x5x7x64xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, r, s, c) -> (n, h + r, w + s, c)>, affine_map<(n, h, w, f, r, s, c) -> (f, r, s, c)>, affine_map<(n, h, w, f, r, s, c) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
        ins(%a, %b : tensor<2x7x9x7xbf16>, tensor<64x3x3x7xbf16>) outs(%f : tensor<2x5x7x64xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<2x5x7x64xf32>
    return %c : tensor<2x5x7x64xf32>
  }
  func.func @square(%a: tensor<69x69xf16>, %d: tensor<69x69xf32> {amp.destination = 0 : i64}) -> tensor<69x69xf32> attributes {amp.kernel, amp.schedule = "wgmma:64x64-4-2-blocks"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<69x69xf32>) -> tensor<69x69xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %a : tensor<69x69xf16>, tensor<69x69xf16>) outs(%f : tensor<69x69xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<69x69xf32>
    return %c : tensor<69x69xf32>
  }
}
