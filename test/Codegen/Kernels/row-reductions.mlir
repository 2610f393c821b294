// RUN: amp-opt %s --amp-form-kernels --split-input-file | FileCheck %s

// Softmax and the cast of its result are one kernel that reads its input once.

// CHECK-LABEL: func.func @main_softmax_0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4096xf32>, %[[D:[a-z0-9]+]]: tensor<?x4096xf16> {amp.destination = 0 : i64}) -> tensor<?x4096xf16> attributes {amp.kernel}
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[X]]
// CHECK: arith.maxnumf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[X]]
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} outs(%[[D]] : tensor<?x4096xf16>)
// CHECK: arith.divf
// CHECK-NEXT: arith.truncf
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4096xf32>)
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x4096xf16>
// CHECK: %[[R:.*]] = amp.launch @kernels::@main_softmax_0 ins(%[[X]] : tensor<?x4096xf32>) outs(%[[E]] : tensor<?x4096xf16>)
// CHECK: return %[[R]]
func.func @main(%x: tensor<?x4096xf32>) -> tensor<?x4096xf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4096xf32>
  %e = tensor.empty(%n) : tensor<?x4096xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<?x4096xf32>) outs(%e : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  %1 = arith.truncf %0 : tensor<?x4096xf32> to tensor<?x4096xf16>
  return %1 : tensor<?x4096xf16>
}

// -----

// Layer norm: two reductions, what is computed once for a row apart, and the
// rest one op. Leading dimensions are one.

// CHECK-LABEL: func.func @layer_norm_norm_0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<6x8xf32>, %[[G:[a-z0-9]+]]: tensor<8xf32>, %[[D:[a-z0-9]+]]: tensor<6x8xf16> {amp.destination = 0 : i64})
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[X]]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]}
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[X]]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]}
// CHECK: math.rsqrt
// CHECK: linalg.generic {{.*}} outs(%[[D]] : tensor<6x8xf16>)
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @layer_norm(
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
// CHECK-COUNT-1: amp.launch
// CHECK-NOT: amp.launch
// CHECK: tensor.expand_shape
#cube = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#col = affine_map<(b, i, j) -> (j)>
func.func @layer_norm(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>) -> tensor<2x3x8xf16> {
  %z = arith.constant 0.0 : f32
  %n = arith.constant dense<8.0> : tensor<2x3xf32>
  %eps = arith.constant dense<1.0e-5> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x3xf32>
  %ec = tensor.empty() : tensor<2x3x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<2x3x8xf32>) outs(%f : tensor<2x3xf32>) dimensions = [2]
  %mean = arith.divf %s, %n : tensor<2x3xf32>
  %mb = linalg.broadcast ins(%mean : tensor<2x3xf32>) outs(%ec : tensor<2x3x8xf32>) dimensions = [2]
  %d = arith.subf %x, %mb : tensor<2x3x8xf32>
  %dd = arith.mulf %d, %d : tensor<2x3x8xf32>
  %v = linalg.reduce { arith.addf } ins(%dd : tensor<2x3x8xf32>) outs(%f : tensor<2x3xf32>) dimensions = [2]
  %var = arith.divf %v, %n : tensor<2x3xf32>
  %ve = arith.addf %var, %eps : tensor<2x3xf32>
  %r = math.rsqrt %ve : tensor<2x3xf32>
  %y = linalg.generic {indexing_maps = [#cube, #row, #col, #cube], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%d, %r, %g : tensor<2x3x8xf32>, tensor<2x3xf32>, tensor<8xf32>) outs(%ec : tensor<2x3x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x8xf32>
  %h = arith.truncf %y : tensor<2x3x8xf32> to tensor<2x3x8xf16>
  return %h : tensor<2x3x8xf16>
}

// -----

// Residual and RMS norm: the sum is a second result, since others need it.

// CHECK-LABEL: func.func @rms_norm_0(
// CHECK-SAME: %{{.*}}: tensor<?x64xf32> {amp.destination = 0 : i64}, %{{.*}}: tensor<?x64xf32> {amp.destination = 1 : i64})
// CHECK: arith.addf
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK: math.rsqrt
// CHECK-LABEL: func.func @rms(
// CHECK: %[[R:.*]]:2 = amp.launch
// CHECK-NOT: amp.launch
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @rms(%x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> (tensor<?x64xf32>, tensor<?x64xf32>) {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x64xf32>
  %h = arith.addf %x, %y : tensor<?x64xf32>
  %q = arith.mulf %h, %h : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.reduce { arith.addf } ins(%q : tensor<?x64xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
  %r = math.rsqrt %s : tensor<?xf32>
  %ec = tensor.empty(%m) : tensor<?x64xf32>
  %b = linalg.broadcast ins(%r : tensor<?xf32>) outs(%ec : tensor<?x64xf32>) dimensions = [1]
  %n = arith.mulf %h, %b : tensor<?x64xf32>
  return %h, %n : tensor<?x64xf32>, tensor<?x64xf32>
}

// -----

// argmax has two results, and starts from fills of both destinations.

// CHECK-LABEL: func.func @argmax_arg_reduction_0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<16x100xf32>, %[[D:[a-z0-9]+]]: tensor<16xf32> {amp.destination = 0 : i64}, %[[E:[a-z0-9]+]]: tensor<16xi32> {amp.destination = 1 : i64})
// CHECK-DAG: %[[F:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[D]]
// CHECK-DAG: %[[G:.*]] = linalg.fill ins(%{{.*}} : i32) outs(%[[E]]
// CHECK: linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[F]], %[[G]]
func.func @argmax(%x: tensor<16x100xf32>) -> (tensor<16xf32>, tensor<16xi32>) {
  %ninf = arith.constant 0xFF800000 : f32
  %z = arith.constant 0 : i32
  %e0 = tensor.empty() : tensor<16xf32>
  %e1 = tensor.empty() : tensor<16xi32>
  %f0 = linalg.fill ins(%ninf : f32) outs(%e0 : tensor<16xf32>) -> tensor<16xf32>
  %f1 = linalg.fill ins(%z : i32) outs(%e1 : tensor<16xi32>) -> tensor<16xi32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x100xf32>) outs(%f0, %f1 : tensor<16xf32>, tensor<16xi32>) {
  ^bb0(%in: f32, %m: f32, %i: i32):
    %n = linalg.index 1 : index
    %k = arith.index_cast %n : index to i32
    %c = arith.cmpf ogt, %in, %m : f32
    %a = arith.select %c, %in, %m : f32
    %b = arith.select %c, %k, %i : i32
    linalg.yield %a, %b : f32, i32
  } -> (tensor<16xf32>, tensor<16xi32>)
  return %r#0, %r#1 : tensor<16xf32>, tensor<16xi32>
}

// -----

// Reductions over other dimensions take an epilogue and a producer.

// CHECK-LABEL: func.func @others_column_reduction_0(
// CHECK: iterator_types = ["reduction", "parallel"]
// CHECK: arith.divf
// CHECK-LABEL: func.func @others_full_reduction_1(
// CHECK: math.sin
// CHECK: iterator_types = ["reduction", "reduction"]
func.func @others(%x: tensor<64x32xf32>) -> (tensor<32xf32>, tensor<f32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<64x32xf32>) outs(%f : tensor<32xf32>) dimensions = [0]
  %k = arith.constant dense<64.0> : tensor<32xf32>
  %q = arith.divf %r, %k : tensor<32xf32>
  %e0 = tensor.empty() : tensor<f32>
  %f0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %y = math.sin %x : tensor<64x32xf32>
  %t = linalg.reduce { arith.addf } ins(%y : tensor<64x32xf32>) outs(%f0 : tensor<f32>) dimensions = [0, 1]
  return %q, %t : tensor<32xf32>, tensor<f32>
}
