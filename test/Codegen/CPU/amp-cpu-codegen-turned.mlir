// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 no-scalar-fallback}))' | FileCheck %s

// A product of few elements whose operands are both transposed: a copy of B lies along the rows of the result, turned in registers.
// CHECK-LABEL: func.func @turned
// CHECK-SAME: (%[[A:.*]]: tensor<16x6xf32>, %[[B:.*]]: tensor<16x16xf32>
// CHECK-COUNT-16: vector.transfer_read %[[B]]{{.*}} vector<16xf32>
// CHECK-NOT: tensor.extract %[[B]]
// CHECK: vector.fma
func.func @turned(%a: tensor<16x6xf32>, %b: tensor<16x16xf32>, %c: tensor<6x16xf32>) -> tensor<6x16xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<16x6xf32>, tensor<16x16xf32>) outs(%c : tensor<6x16xf32>) -> tensor<6x16xf32>
  return %r : tensor<6x16xf32>
}

// -----

// A sum over two tensors that lie across each other, of unknown sizes.
// CHECK-LABEL: func.func @across
// CHECK-SAME: (%[[A:.*]]: tensor<?x?xf32>, %[[B:.*]]: tensor<?x?xf32>
// CHECK: vector.transfer_read %[[B]]{{.*}} vector<16xf32>
// CHECK: vector.fma
func.func @across(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<f32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// Up to four elements lie between those of a vector: they are read with it.
// CHECK-LABEL: func.func @every_third
// CHECK-SAME: (%[[X:.*]]: tensor<190xf32>
// CHECK-COUNT-3: vector.transfer_read %[[X]]{{.*}} vector<64xf32>
// CHECK: %[[TWO:.*]] = vector.shuffle %{{.*}} [0, 3, 6, 9, 12, 15, 18, 21, 24,
// CHECK: vector.shuffle %[[TWO]], %{{.*}}
func.func @every_third(%x: tensor<190xf32>, %o: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (3 * i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<190xf32>) outs(%o : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %v = arith.maximumf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

// Eleven rows become columns in squares of sixteen, of which eleven are used.
// CHECK-LABEL: func.func @short_transpose
// CHECK-COUNT-11: vector.transfer_read {{.*}} vector<16xf32>
// CHECK-COUNT-16: vector.transfer_write {{.*}} vector<11xf32>
func.func @short_transpose(%x: tensor<11x40xf32>, %o: tensor<40x11xf32>) -> tensor<40x11xf32> {
  %r = linalg.transpose ins(%x : tensor<11x40xf32>) outs(%o : tensor<40x11xf32>) permutation = [1, 0]
  return %r : tensor<40x11xf32>
}

// -----

// Rows of up to 8 elements are written as whole vectors, which several rows make.
// CHECK-LABEL: func.func @woven_transpose
// CHECK-COUNT-3: vector.transfer_read {{.*}} vector<16xf32>
// CHECK-COUNT-6: vector.shuffle
// CHECK-COUNT-3: vector.transfer_write {{.*}} vector<16xf32>
func.func @woven_transpose(%x: tensor<3x40xf32>, %o: tensor<40x3xf32>) -> tensor<40x3xf32> {
  %r = linalg.transpose ins(%x : tensor<3x40xf32>) outs(%o : tensor<40x3xf32>) permutation = [1, 0]
  return %r : tensor<40x3xf32>
}

// -----

// Rows less a column each, summed: along the rows, which alone are as long as
// they lie, whatever else goes along the others. Sums start from -0.
// CHECK-LABEL: func.func @apart
// CHECK-DAG: %[[START:.*]] = arith.constant dense<-0.000000e+00> : vector<64xf32>
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %[[START]]
// CHECK: vector.transfer_read %arg0[{{.*}} vector<64xf32>
// CHECK: %[[OLD:.*]] = tensor.extract %{{.*}} : tensor<64x48xf32>
// CHECK: vector.reduction <add>, %{{.*}}, %[[OLD]] : vector<64xf32> into f32
func.func @apart(%x: tensor<64x48x256xf32>, %mean: tensor<48xf32>, %sums: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %mean : tensor<64x48x256xf32>, tensor<48xf32>) outs(%sums : tensor<64x48xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}
