// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 no-scalar-fallback}))' | FileCheck %s

// Three channels, last, become planes: three whole vectors are read, and dealt out by two shuffles for each channel. Only the rest is masked.
// CHECK-LABEL: func.func @planes
// CHECK-SAME: (%[[X:.*]]: tensor<2x40x3xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0], [1, 2]] : tensor<2x40x3xf32> into tensor<2x120xf32>
// CHECK: scf.for
// CHECK-COUNT-3: vector.transfer_read %[[FLAT]]{{.*}} {in_bounds = [true]} : tensor<2x120xf32>, vector<16xf32>
// CHECK-COUNT-6: vector.shuffle
// CHECK-COUNT-3: vector.transfer_write {{.*}} {in_bounds = [true]} : vector<16xf32>
// CHECK-COUNT-3: vector.transfer_read %[[FLAT]]{{\[}}{{[^]]*}}], %{{.*}} : tensor<2x120xf32>, vector<16xf32>
// CHECK-COUNT-3: vector.transfer_write {{.*}} : vector<16xf32>
// CHECK-NOT: vector.transfer
func.func @planes(%x: tensor<2x40x3xf32>, %o: tensor<2x3x40xf32>) -> tensor<2x3x40xf32> {
  %r = linalg.transpose ins(%x : tensor<2x40x3xf32>) outs(%o : tensor<2x3x40xf32>) permutation = [0, 2, 1]
  return %r : tensor<2x3x40xf32>
}

// -----

// Bytes go through the same shuffles, before they are converted; what a channel has of its own is read once for it.
// CHECK-LABEL: func.func @normalise
// CHECK-SAME: (%[[X:.*]]: tensor<?x3xi8>, %[[M:.*]]: tensor<3xf32>
// CHECK-COUNT-3: vector.transfer_read {{.*}} {in_bounds = [true]} : tensor<?xi8>, vector<16xi8>
// CHECK-COUNT-6: vector.shuffle {{.*}} : vector<16xi8>, vector<16xi8>
// CHECK: arith.uitofp {{.*}} : vector<16xi8> to vector<16xf32>
// CHECK: arith.subf {{.*}} : vector<16xf32>
func.func @normalise(%x: tensor<?x3xi8>, %mean: tensor<3xf32>, %o: tensor<3x?xf32>) -> tensor<3x?xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(c, w) -> (w, c)>, affine_map<(c, w) -> (c)>, affine_map<(c, w) -> (c, w)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean : tensor<?x3xi8>, tensor<3xf32>) outs(%o : tensor<3x?xf32>) {
  ^bb0(%a: i8, %m: f32, %old: f32):
    %0 = arith.uitofp %a : i8 to f32
    %1 = arith.subf %0, %m : f32
    linalg.yield %1 : f32
  } -> tensor<3x?xf32>
  return %r : tensor<3x?xf32>
}

// -----

// A sum of rows of four: its steps follow one another in registers, in the order of the program.
// CHECK-LABEL: func.func @sums
// CHECK-COUNT-4: vector.transfer_read {{.*}} {in_bounds = [true]} : tensor<256xf32>, vector<16xf32>
// CHECK: %[[S0:.*]] = arith.addf %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK: %[[S1:.*]] = arith.addf %[[S0]], %{{.*}} : vector<16xf32>
// CHECK: %[[S2:.*]] = arith.addf %[[S1]], %{{.*}} : vector<16xf32>
// CHECK: arith.addf %[[S2]], %{{.*}} : vector<16xf32>
// CHECK-NOT: arith.addf
func.func @sums(%x: tensor<64x4xf32>, %o: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.reduce ins(%x : tensor<64x4xf32>) outs(%o : tensor<64xf32>) dimensions = [1] (%a: f32, %s: f32) {
    %v = arith.addf %s, %a : f32
    linalg.yield %v : f32
  }
  return %r : tensor<64xf32>
}

// -----

// Only one operand knows how many channels there are: it tells the others.
// CHECK-LABEL: func.func @untold
// CHECK: scf.for
// CHECK-COUNT-3: vector.transfer_read {{.*}} {in_bounds = [true]} : tensor<?xf32>, vector<16xf32>
// CHECK: vector.shuffle {{.*}} : vector<16xf32>
// CHECK-COUNT-3: vector.transfer_write {{.*}} {in_bounds = [true]} : vector<16xf32>, tensor<3x?xf32>
func.func @untold(%m: tensor<?xf32>, %x: tensor<?x3xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(c, w) -> (c)>, affine_map<(c, w) -> (w, c)>, affine_map<(c, w) -> (c, w)>], iterator_types = ["parallel", "parallel"]}
      ins(%m, %x : tensor<?xf32>, tensor<?x3xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// The result lies as the image does: what a channel has of its own, and a pixel, is repeated in the vectors.
// CHECK-LABEL: func.func @keep
// CHECK-SAME: (%[[X:.*]]: tensor<40x3xf32>, %[[C:.*]]: tensor<3xf32>, %[[P:.*]]: tensor<40xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[X]]
// CHECK: %[[V:.*]] = vector.transfer_read %[[C]]{{.*}} vector<3xf32>
// CHECK: vector.shuffle %[[V]], %[[V]] {{\[}}0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0]
// CHECK: vector.shuffle %[[V]], %[[V]] {{\[}}1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1]
// CHECK: vector.shuffle %[[V]], %[[V]] {{\[}}2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]
// CHECK: scf.for
// CHECK-COUNT-3: vector.transfer_read %[[FLAT]]{{.*}} {in_bounds = [true]} : tensor<120xf32>, vector<16xf32>
// CHECK: %[[W:.*]] = vector.transfer_read %[[P]]{{.*}} {in_bounds = [true]} : tensor<40xf32>, vector<16xf32>
// CHECK: vector.shuffle %[[W]], %[[W]] {{\[}}0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5]
// CHECK-COUNT-3: vector.transfer_write {{.*}} {in_bounds = [true]} : vector<16xf32>, tensor<120xf32>
// CHECK: scf.yield
// CHECK: tensor.expand_shape {{.*}} : tensor<120xf32> into tensor<40x3xf32>
func.func @keep(%x: tensor<40x3xf32>, %c: tensor<3xf32>, %p: tensor<40xf32>, %o: tensor<40x3xf32>) -> tensor<40x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(w, c) -> (w, c)>, affine_map<(w, c) -> (c)>, affine_map<(w, c) -> (w)>, affine_map<(w, c) -> (w, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %c, %p : tensor<40x3xf32>, tensor<3xf32>, tensor<40xf32>) outs(%o : tensor<40x3xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %old: f32):
    %0 = arith.subf %a, %b : f32
    %1 = arith.mulf %0, %d : f32
    linalg.yield %1 : f32
  } -> tensor<40x3xf32>
  return %r : tensor<40x3xf32>
}

// -----

// Rows of half a line of the cache, which are written past it, stay vectors of a row, but where functions are computed.
// CHECK-LABEL: func.func @half_lines
// CHECK: vector.transfer_write {{.*}} : vector<8xf32>, tensor<40x8xf32>
func.func @half_lines(%x: tensor<40x8xf32>, %c: tensor<8xf32>, %o: tensor<40x8xf32>) -> tensor<40x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(w, c) -> (w, c)>, affine_map<(w, c) -> (c)>, affine_map<(w, c) -> (w, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %c : tensor<40x8xf32>, tensor<8xf32>) outs(%o : tensor<40x8xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<40x8xf32>
  return %r : tensor<40x8xf32>
}

// -----

// CHECK-LABEL: func.func @half_lines_of_functions
// CHECK: math.exp {{.*}} : vector<16xf32>
// CHECK: vector.transfer_write {{.*}} : vector<16xf32>, tensor<320xf32>
func.func @half_lines_of_functions(%x: tensor<40x8xf32>, %c: tensor<8xf32>, %o: tensor<40x8xf32>) -> tensor<40x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(w, c) -> (w, c)>, affine_map<(w, c) -> (c)>, affine_map<(w, c) -> (w, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %c : tensor<40x8xf32>, tensor<8xf32>) outs(%o : tensor<40x8xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %0 = math.exp %a : f32
    %1 = arith.mulf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<40x8xf32>
  return %r : tensor<40x8xf32>
}
