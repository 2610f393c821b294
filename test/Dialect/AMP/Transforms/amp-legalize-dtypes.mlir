// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-legalize-dtypes=target=sm_70 | FileCheck %s --check-prefixes=CHECK,SM70
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-legalize-dtypes=target=sm_86 | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-legalize-dtypes=target=sm_90a | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-legalize-dtypes=target=sim:sm_90a | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-legalize-dtypes=target=cpu | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-legalize-dtypes="legal=contraction:f16,f32;elementwise:f32" | FileCheck %s --check-prefixes=CHECK,LIST
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-legalize-dtypes=target=sm_70 > %t.once
// RUN: amp-opt %t.once --allow-unregistered-dialect --split-input-file --amp-legalize-dtypes=target=sm_70 | diff %t.once -
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-legalize-dtypes=target=sm_70 --remarks-filter-passed=amp --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Passed] Bracket | Category:amp | Function=bf16 | From=bf16, Op=arith.addf, Reason="the target has no such op on this type", To=f32

// bf16 where it is missing: into f32, the op, and back.
// CHECK-LABEL: func.func @bf16
// CHECK-SAME: (%[[X:.*]]: tensor<4xbf16>, %[[Y:.*]]: tensor<4xbf16>)
// SM70: %[[A:.*]] = amp.cast %[[X]] {origin = legalization} : tensor<4xbf16> to tensor<4xf32>
// SM70: %[[B:.*]] = amp.cast %[[Y]] {origin = legalization} : tensor<4xbf16> to tensor<4xf32>
// SM70: %[[S:.*]] = arith.addf %[[A]], %[[B]] : tensor<4xf32>
// SM70: %[[R:.*]] = amp.cast %[[S]] {origin = legalization} : tensor<4xf32> to tensor<4xbf16>
// SM70: return %[[R]]
// SM80: arith.addf %[[X]], %[[Y]] : tensor<4xbf16>
// SM90: arith.addf %[[X]], %[[Y]] : tensor<4xbf16>
// CPU: arith.addf %{{.*}} : tensor<4xf32>
// LIST: arith.addf %{{.*}} : tensor<4xf32>
func.func @bf16(%x: tensor<4xbf16>, %y: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = arith.addf %x, %y : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

// 8-bit floats of three and two mantissa bits fit into f16 with rounding back innocuous; those of four do not.
// CHECK-LABEL: func.func @f8
// SM80: arith.mulf %{{.*}} : tensor<4xf16>
// SM80: arith.mulf %{{.*}} : tensor<4xf16>
// SM80: arith.mulf %{{.*}} : tensor<4xf32>
// SM90: arith.mulf %{{.*}} : tensor<4xf16>
// CPU: arith.mulf %{{.*}} : tensor<4xf32>
func.func @f8(%x: tensor<4xf8E4M3FN>, %y: tensor<4xf8E5M2>, %z: tensor<4xf8E3M4>) -> (tensor<4xf8E4M3FN>, tensor<4xf8E5M2>, tensor<4xf8E3M4>) {
  %0 = arith.mulf %x, %x : tensor<4xf8E4M3FN>
  %1 = arith.mulf %y, %y : tensor<4xf8E5M2>
  %2 = arith.mulf %z, %z : tensor<4xf8E3M4>
  return %0, %1, %2 : tensor<4xf8E4M3FN>, tensor<4xf8E5M2>, tensor<4xf8E3M4>
}

// -----

// A contraction keeps its accumulator; only operands that are missing are cast.
// CHECK-LABEL: func.func @matmul
// SM70: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf16>, tensor<8x4xf16>) outs(%{{.*}} : tensor<4x4xf32>)
// SM80: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf16>, tensor<8x4xf16>) outs(%{{.*}} : tensor<4x4xf32>)
// SM90-NOT: amp.cast
// SM90: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf8E4M3FN>, tensor<8x4xf8E4M3FN>) outs(%{{.*}} : tensor<4x4xf32>)
// CPU-NOT: amp.cast
// CPU: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf8E4M3FN>
// LIST: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf16>, tensor<8x4xf16>) outs(%{{.*}} : tensor<4x4xf32>)
func.func @matmul(%a: tensor<4x8xf8E4M3FN>, %b: tensor<8x4xf8E4M3FN>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf8E4M3FN>, tensor<8x4xf8E4M3FN>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// A payload is bracketed op by op, in registers: two sums round twice, as written.
// CHECK-LABEL: func.func @payload
// SM70: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4xbf16>, tensor<4xbf16>) outs(%{{.*}} : tensor<4xbf16>)
// SM70: %[[S:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// SM70: %[[R:.*]] = amp.cast %[[S]] {origin = legalization} : f32 to bf16
// SM70: %[[W:.*]] = amp.cast %[[R]] {origin = legalization} : bf16 to f32
// SM70: %[[E:.*]] = math.exp %[[W]] : f32
// SM70: %[[F:.*]] = amp.cast %[[E]] {origin = legalization} : f32 to bf16
// SM70: linalg.yield %[[F]]
// SM80: arith.addf %{{.*}}, %{{.*}} : bf16
// SM80: math.exp %{{.*}} : bf16
func.func @payload(%x: tensor<4xbf16>, %y: tensor<4xbf16>) -> tensor<4xbf16> {
  %e = tensor.empty() : tensor<4xbf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xbf16>, tensor<4xbf16>) outs(%e : tensor<4xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %1 = arith.addf %a, %b : bf16
    %2 = math.exp %1 : bf16
    linalg.yield %2 : bf16
  } -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

// Data movement, casts, integers and ops by name have every type.
// CHECK-LABEL: func.func @others
// CHECK-NOT: legalization
func.func @others(%x: tensor<4x4xbf16>, %i: tensor<4x4xi8>) -> (tensor<4x4xbf16>, tensor<4x4xi8>, tensor<4x4xbf16>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xbf16>
  %0 = linalg.transpose ins(%x : tensor<4x4xbf16>) outs(%e : tensor<4x4xbf16>) permutation = [1, 0]
  %1 = arith.addi %i, %i : tensor<4x4xi8>
  %2 = "aten.relu"(%x) : (tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %3 = arith.extf %x : tensor<4x4xbf16> to tensor<4x4xf32>
  return %0, %1, %2, %3 : tensor<4x4xbf16>, tensor<4x4xi8>, tensor<4x4xbf16>, tensor<4x4xf32>
}

// -----

// Of subnormal numbers most are normal in a wider type.
// CHECK-LABEL: func.func @normal
// CHECK: math.isnormal {{.*}} : tensor<4xf8E5M2>
// CHECK: math.isnormal {{.*}} : f8E5M2
func.func @normal(%x: tensor<4xf8E5M2>, %y: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>) {
  %0 = math.isnormal %x : tensor<4xf8E5M2>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf8E5M2>) outs(%y : tensor<4xi1>) {
  ^bb0(%in: f8E5M2, %out: i1):
    %2 = math.isnormal %in : f8E5M2
    linalg.yield %2 : i1
  } -> tensor<4xi1>
  return %0, %1 : tensor<4xi1>, tensor<4xi1>
}
