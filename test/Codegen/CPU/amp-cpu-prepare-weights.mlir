// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}),amp-split-init)' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}),amp-split-init,amp-split-init)' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}),amp-split-init,amp-cpu-prepare-abi)' | FileCheck %s --check-prefix=ABI

// B is a weight: its panels of a register tile's columns are packed by the init function, and the step reads them, not B.
// CHECK-LABEL: func.func @weight
// CHECK-SAME: tensor<64x96xf32> {amp.weight}, %[[PANELS:[a-z0-9]+]]: tensor<{{[0-9]+}}x64x{{[0-9]+}}xf32> {amp.prepared = 0 : i64}
// CHECK-NOT: tensor<64x96xf32>
// CHECK: vector.transfer_read %[[PANELS]]
// CHECK-NOT: tensor<64x96xf32>
// CHECK: return
// CHECK-LABEL: func.func @weight_init
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<64x96xf32> {amp.weight}
// CHECK: vector.transfer_read %[[B]]
// CHECK: return %{{.*}} : tensor<{{[0-9]+}}x64x{{[0-9]+}}xf32>

// The runtime is told what the init function takes and gives.
// ABI-LABEL: func.func @weight
// ABI-SAME: attributes {amp_init_results = [tensor<{{[0-9]+}}x64x{{[0-9]+}}xf32>], amp_init_weights = array<i64: 1>
func.func @weight(%a: tensor<512x64xf32>, %b: tensor<64x96xf32> {amp.weight}) -> tensor<512x96xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x96xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<512x96xf32>) -> tensor<512x96xf32>
  %r = linalg.matmul ins(%a, %b : tensor<512x64xf32>, tensor<64x96xf32>) outs(%f : tensor<512x96xf32>) -> tensor<512x96xf32>
  return %r : tensor<512x96xf32>
}

// -----

// Without the mark each call packs what it needs.
// CHECK-LABEL: func.func @argument
// CHECK-NOT: amp.prepared
// CHECK-NOT: func.func
// ABI-LABEL: func.func @argument
// ABI-NOT: amp_init
// ABI-LABEL: func.func @mixed
func.func @argument(%a: tensor<512x64xf32>, %b: tensor<64x96xf32>) -> tensor<512x96xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x96xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<512x96xf32>) -> tensor<512x96xf32>
  %r = linalg.matmul ins(%a, %b : tensor<512x64xf32>, tensor<64x96xf32>) outs(%f : tensor<512x96xf32>) -> tensor<512x96xf32>
  return %r : tensor<512x96xf32>
}

// -----

// What depends on the input too stays in the step.
// CHECK-LABEL: func.func @mixed
// CHECK-NOT: amp.prepared
// CHECK-NOT: func.func
func.func @mixed(%a: tensor<512x64xf32>, %b: tensor<64x96xf32> {amp.weight}, %c: tensor<64x96xf32>) -> tensor<512x96xf32> {
  %z = arith.constant 0.0 : f32
  %s = arith.addf %b, %c : tensor<64x96xf32>
  %e = tensor.empty() : tensor<512x96xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<512x96xf32>) -> tensor<512x96xf32>
  %r = linalg.matmul ins(%a, %s : tensor<512x64xf32>, tensor<64x96xf32>) outs(%f : tensor<512x96xf32>) -> tensor<512x96xf32>
  return %r : tensor<512x96xf32>
}

// -----

// So does what its panels would be more than four times as large as: few columns, in panels of a tile's.
// CHECK-LABEL: func.func @narrow
// CHECK-NOT: amp.prepared
// CHECK-NOT: func.func
func.func @narrow(%a: tensor<512x24xf32>, %b: tensor<24x2xf32> {amp.weight}) -> tensor<512x2xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<512x2xf32>) -> tensor<512x2xf32>
  %r = linalg.matmul ins(%a, %b : tensor<512x24xf32>, tensor<24x2xf32>) outs(%f : tensor<512x2xf32>) -> tensor<512x2xf32>
  return %r : tensor<512x2xf32>
}

// -----

// A few columns along a longer k are the rows of the transposed product: the transposed weight is kept.
// CHECK-LABEL: func.func @few(
// CHECK-SAME: tensor<64x2xf32> {amp.weight}, %{{.*}}: tensor<2x64xf32> {amp.prepared = 0 : i64}
// CHECK-LABEL: func.func @few_init(
func.func @few(%a: tensor<512x64xf32>, %b: tensor<64x2xf32> {amp.weight}) -> tensor<512x2xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<512x2xf32>) -> tensor<512x2xf32>
  %r = linalg.matmul ins(%a, %b : tensor<512x64xf32>, tensor<64x2xf32>) outs(%f : tensor<512x2xf32>) -> tensor<512x2xf32>
  return %r : tensor<512x2xf32>
}

// -----

// And what would be wider than twice the weight.
// CHECK-LABEL: func.func @wider
// CHECK-NOT: amp.prepared
// CHECK-NOT: func.func
func.func @wider(%a: tensor<512x64xf32>, %b: tensor<64x96xf8E5M2> {amp.weight}) -> tensor<512x96xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x96xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<512x96xf32>) -> tensor<512x96xf32>
  %w = arith.extf %b : tensor<64x96xf8E5M2> to tensor<64x96xf32>
  %r = linalg.matmul ins(%a, %w : tensor<512x64xf32>, tensor<64x96xf32>) outs(%f : tensor<512x96xf32>) -> tensor<512x96xf32>
  return %r : tensor<512x96xf32>
}

// -----

// Unknown sizes of the weight: it is packed in each call, in blocks.
// CHECK-LABEL: func.func @dynamic
// CHECK-NOT: amp.prepared
// CHECK-NOT: func.func
func.func @dynamic(%a: tensor<512x64xf32>, %b: tensor<64x?xf32> {amp.weight}, %c: tensor<512x?xf32>) -> tensor<512x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<512x64xf32>, tensor<64x?xf32>) outs(%c : tensor<512x?xf32>) -> tensor<512x?xf32>
  return %r : tensor<512x?xf32>
}

// -----

// Sums of a filter's columns stand for what is added to the other operand of signed bytes; they are weights' work, too.
// CHECK-LABEL: func.func @filter(
// CHECK-SAME: {amp.prepared = 0 : i64}
// CHECK-LABEL: func.func @filter_init(
// CHECK-SAME: tensor<3x3x20x36xi8> {amp.weight}
func.func @filter(%x: tensor<2x9x11x20xi8>, %w: tensor<3x3x20x36xi8> {amp.weight}) -> tensor<2x7x9x36xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x7x9x36xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<2x7x9x36xi32>) -> tensor<2x7x9x36xi32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x9x11x20xi8>, tensor<3x3x20x36xi8>) outs(%f : tensor<2x7x9x36xi32>) -> tensor<2x7x9x36xi32>
  return %r : tensor<2x7x9x36xi32>
}

// -----

// Complex numbers are not described to the runtime: computed in each call.
// CHECK-LABEL: func.func @complex
// CHECK-NOT: amp.prepared
// CHECK-NOT: func.func
func.func @complex(%x: tensor<8xf32>, %w: tensor<8xf32> {amp.weight}) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xcomplex<f32>>
  %c = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%w : tensor<8xf32>) outs(%e : tensor<8xcomplex<f32>>) {
  ^bb0(%a: f32, %o: complex<f32>):
    %v = complex.create %a, %a : complex<f32>
    linalg.yield %v : complex<f32>
  } -> tensor<8xcomplex<f32>>
  %d = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (7 - i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%c, %x : tensor<8xcomplex<f32>>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%a: complex<f32>, %b: f32, %o: f32):
    %v = complex.abs %a : complex<f32>
    %s = arith.addf %v, %b : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
