// RUN: amp-opt %s --amp-form-kernels --split-input-file | FileCheck %s
// RUN: amp-opt %s --amp-form-kernels --amp-form-kernels --split-input-file | FileCheck %s

// A chain with a result in its midst is one op of two results.

// CHECK-LABEL: func.func @multi_map_0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x9xf32>, %[[Y:[a-z0-9]+]]: tensor<8x9xf32>, %[[D:[a-z0-9]+]]: tensor<8x9xf32> {amp.destination = 0 : i64}, %[[E:[a-z0-9]+]]: tensor<8x9xf16> {amp.destination = 1 : i64})
// CHECK-NEXT: %[[R:.*]]:2 = linalg.generic {{.*}} ins(%[[X]], %[[Y]] : {{.*}}) outs(%[[D]], %[[E]]
// CHECK: %[[S:.*]] = arith.addf
// CHECK-NEXT: %[[T:.*]] = math.exp %[[S]]
// CHECK-NEXT: %[[U:.*]] = arith.truncf %[[T]]
// CHECK-NEXT: linalg.yield %[[S]], %[[U]] : f32, f16
// CHECK: return %[[R]]#0, %[[R]]#1
// CHECK-LABEL: func.func @multi(
// CHECK-COUNT-1: amp.launch
// CHECK-NOT: amp.launch
func.func @multi(%x: tensor<8x9xf32>, %y: tensor<8x9xf32>) -> (tensor<8x9xf32>, tensor<8x9xf16>) {
  %0 = arith.addf %x, %y : tensor<8x9xf32>
  %1 = math.exp %0 : tensor<8x9xf32>
  %2 = arith.truncf %1 : tensor<8x9xf32> to tensor<8x9xf16>
  return %0, %2 : tensor<8x9xf32>, tensor<8x9xf16>
}

// -----

// Maps that read the same tensor in the same way run together.

// CHECK-LABEL: func.func @siblings_map_0(
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK-NEXT: math.sin
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @siblings(
// CHECK: %[[E:.*]] = tensor.empty
// CHECK: %[[F:.*]] = tensor.empty
// CHECK: amp.launch @kernels::@siblings_map_0 ins(%{{.*}}) outs(%[[F]], %[[E]] :
func.func @siblings(%x: tensor<8x9xf32>) -> (tensor<8x9xf32>, tensor<8x9xf32>) {
  %0 = math.exp %x : tensor<8x9xf32>
  %1 = math.sin %x : tensor<8x9xf32>
  return %0, %1 : tensor<8x9xf32>, tensor<8x9xf32>
}

// -----

// A transpose is the map of an operand, and a reshape between ops vanishes.

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$T:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @transpose_map_0(
// CHECK-NEXT: linalg.generic {indexing_maps = [#[[$T]], #[[$ID]], #[[$ID]]]
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @reshape_map_0(
// CHECK-NEXT: linalg.generic
// CHECK: math.exp
// CHECK-NEXT: math.sin
// CHECK-LABEL: func.func @reshape(
// CHECK: amp.launch
// CHECK-NOT: amp.launch
func.func @transpose(%x: tensor<9x8xf32>, %y: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %e = tensor.empty() : tensor<8x9xf32>
  %t = linalg.transpose ins(%x : tensor<9x8xf32>) outs(%e : tensor<8x9xf32>) permutation = [1, 0]
  %0 = arith.addf %t, %y : tensor<8x9xf32>
  %1 = math.exp %0 : tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}
func.func @reshape(%x: tensor<4x6xf32>) -> tensor<24xf32> {
  %0 = math.exp %x : tensor<4x6xf32>
  %c = tensor.collapse_shape %0 [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %1 = math.sin %c : tensor<24xf32>
  return %1 : tensor<24xf32>
}

// -----

// Slices with contiguous rows are views of the host, once their source is
// computed; a slice with a stride is work; a pad takes its producer along.

// CHECK-LABEL: func.func @slices_extract_slice_{{[0-9]}}(
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [8, 6] [1, 2]
// CHECK-LABEL: func.func @slices_map_{{[0-9]}}(
// CHECK: math.sin
// CHECK: %[[P:.*]] = tensor.pad
// CHECK: return %[[P]]
// CHECK-LABEL: func.func @slices(
// CHECK: %[[Y:.*]] = amp.launch @kernels::@slices_exp_0
// CHECK: %[[A:.*]] = tensor.extract_slice %[[Y]][0, 0] [8, 6] [1, 1]
// CHECK: %[[B:.*]] = tensor.extract_slice %[[Y]][0, 6] [8, 6] [1, 1]
// CHECK: amp.launch @kernels::@slices_mul_1 ins(%[[A]], %[[B]]
// CHECK: amp.launch @kernels::@slices_extract_slice_
// CHECK: amp.launch @kernels::@slices_map_
// CHECK-NOT: amp.launch
func.func @slices(%x: tensor<8x12xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>, tensor<10x14xf32>) {
  %z = arith.constant 0.0 : f32
  %0 = math.exp %x : tensor<8x12xf32>
  %a = tensor.extract_slice %0[0, 0] [8, 6] [1, 1] : tensor<8x12xf32> to tensor<8x6xf32>
  %b = tensor.extract_slice %0[0, 6] [8, 6] [1, 1] : tensor<8x12xf32> to tensor<8x6xf32>
  %c = arith.mulf %a, %b : tensor<8x6xf32>
  %d = tensor.extract_slice %x[0, 0] [8, 6] [1, 2] : tensor<8x12xf32> to tensor<8x6xf32>
  %y = math.sin %x : tensor<8x12xf32>
  %p = tensor.pad %y low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<8x12xf32> to tensor<10x14xf32>
  return %c, %d, %p : tensor<8x6xf32>, tensor<8x6xf32>, tensor<10x14xf32>
}

// -----

// concat, insert_slice, generate, gather are in kernels.

// CHECK-LABEL: func.func @concat_map_0(
// CHECK: math.exp
// CHECK: tensor.concat
// CHECK: math.sin
// CHECK-LABEL: func.func @insert_map_0(
// CHECK: math.exp
// CHECK: tensor.insert_slice
// CHECK-LABEL: func.func @generate_generate_0(
// CHECK: tensor.generate
// CHECK-LABEL: func.func @gather_gather_0(
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<3xindex>)
// CHECK: ^bb0(%[[R:.*]]: index
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: tensor.extract %{{.*}}[%[[R]], %[[J]]] : tensor<10x4xf32>
func.func @concat(%x: tensor<3x4xf32>, %y: tensor<3x5xf32>) -> tensor<3x9xf32> {
  %0 = math.exp %x : tensor<3x4xf32>
  %c = tensor.concat dim(1) %0, %y : (tensor<3x4xf32>, tensor<3x5xf32>) -> tensor<3x9xf32>
  %1 = math.sin %c : tensor<3x9xf32>
  return %1 : tensor<3x9xf32>
}
func.func @insert(%x: tensor<8x4xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
  %0 = math.exp %y : tensor<2x4xf32>
  %1 = tensor.insert_slice %0 into %x[3, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
func.func @generate(%n: index, %t: tensor<8xf32>) -> tensor<?xf32> {
  %g = tensor.generate %n {
  ^bb0(%i: index):
    %c8 = arith.constant 8 : index
    %j = arith.remui %i, %c8 : index
    %v = tensor.extract %t[%j] : tensor<8xf32>
    tensor.yield %v : f32
  } : tensor<?xf32>
  return %g : tensor<?xf32>
}
func.func @gather(%x: tensor<10x4xf32>, %i: tensor<3x1xindex>) -> tensor<3x4xf32> {
  %g = tensor.gather %x[%i] gather_dims([0]) : (tensor<10x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  return %g : tensor<3x4xf32>
}

// -----

// A scalar that comes from a tensor is read in the kernel; one that the host
// has is passed.

// CHECK-LABEL: func.func @scalar_mul_0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x9xf32>, %[[S:[a-z0-9]+]]: tensor<f32>, %[[T:[a-z0-9]+]]: f32, %{{.*}}: tensor<8x9xf32> {amp.destination = 0 : i64})
// CHECK: %[[V:.*]] = tensor.extract %[[S]][]
// CHECK: %[[W:.*]] = arith.mulf %[[V]]
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<8x9xf32>)
// CHECK: arith.mulf %{{.*}}, %[[W]]
// CHECK-NEXT: arith.mulf %{{.*}}, %[[T]]
// CHECK-LABEL: func.func @scalar(
// CHECK-NOT: tensor.extract
func.func @scalar(%x: tensor<8x9xf32>, %s: tensor<f32>, %t: f32) -> tensor<8x9xf32> {
  %e = tensor.extract %s[] : tensor<f32>
  %c2 = arith.constant 2.0 : f32
  %e2 = arith.mulf %e, %c2 : f32
  %k = tensor.splat %e2 : tensor<8x9xf32>
  %k2 = tensor.splat %t : tensor<8x9xf32>
  %0 = arith.mulf %x, %k : tensor<8x9xf32>
  %1 = arith.mulf %0, %k2 : tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}

// -----

// Sizes of run time: those of the result come from the operands, and inputs
// that only gave sizes are gone.

// CHECK-LABEL: func.func @dynamic_map_0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf32>, %[[K:[a-z0-9]+]]: index, %{{.*}}: tensor<?x?xf32> {amp.destination = 0 : i64})
// CHECK: tensor.pad %{{.*}} low[%[[K]], 1] high[1, %[[K]]]
// CHECK-LABEL: func.func @broadcast_add_0(
// CHECK-SAME: %{{.*}}: tensor<?xf32>, %{{.*}}: tensor<?x?xf32>, %{{.*}}: tensor<?x?xf32> {amp.destination = 0 : i64})
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf32>, %[[K:[a-z0-9]+]]: index)
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %c1
// CHECK: %[[A:.*]] = affine.apply #{{.*}}()[%[[M]], %[[K]]]
// CHECK: %[[B:.*]] = affine.apply #{{.*}}()[%[[N]], %[[K]]]
// CHECK: %[[E:.*]] = tensor.empty(%[[A]], %[[B]])
// CHECK: amp.launch @kernels::@dynamic_map_0 ins(%[[X]], %[[K]] : tensor<?x?xf32>, index) outs(%[[E]]
func.func @dynamic(%x: tensor<?x?xf32>, %k: index) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %y = math.sin %x : tensor<?x?xf32>
  %p = tensor.pad %y low[%k, 1] high[1, %k] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
func.func @broadcast(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %bb = linalg.broadcast ins(%b : tensor<?xf32>) outs(%e : tensor<?x?xf32>) dimensions = [0]
  %0 = linalg.add ins(%x, %bb : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// What the host itself uses: constants stay, a fill is a kernel. An op without
// uses is gone.

// CHECK-LABEL: func.func @constants_fill_0(
// CHECK-SAME: %[[D:[a-z0-9]+]]: tensor<4xf32>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[D]] : tensor<4xf32>)
// CHECK-LABEL: func.func @constants(
// CHECK-DAG: arith.constant dense<1.000000e+00>
// CHECK-DAG: arith.constant dense<[0, 1, 2, 3]>
// CHECK: amp.launch @kernels::@constants_fill_0
// CHECK-NOT: amp.launch
func.func @constants(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi32>) {
  %dead = math.exp %x : tensor<4xf32>
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  %1 = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %f, %1 : tensor<4xf32>, tensor<4xf32>, tensor<4xi32>
}

// -----

// One row of windows reaches 2 of the image's 4 rows: the kernel gets no more.
// CHECK-LABEL: func.func @one_row_conv_0(
// CHECK-SAME: tensor<4x16x2x8xf32>
// CHECK-LABEL: func.func @one_row(
// CHECK: %[[X:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0, 0] [4, 16, 2, 8] [1, 1, 1, 1] : tensor<4x16x4x8xf32> to tensor<4x16x2x8xf32>
// CHECK: amp.launch @{{.*}}one_row_conv_0 ins(%[[X]],
func.func @one_row(%x: tensor<4x16x4x8xf32>, %w: tensor<24x16x2x1xf32>) -> tensor<4x24x1x2xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x24x1x2xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4x24x1x2xf32>) -> tensor<4x24x1x2xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<5> : tensor<2xi64>} ins(%x, %w : tensor<4x16x4x8xf32>, tensor<24x16x2x1xf32>) outs(%i : tensor<4x24x1x2xf32>) -> tensor<4x24x1x2xf32>
  return %r : tensor<4x24x1x2xf32>
}

// -----

// A size that the operand knows, and the program's types do not, is known to all ops: they become one.
// CHECK-LABEL: func.func @known_exp_0(
// CHECK-SAME: tensor<5x96xf32>, %{{.*}}: tensor<5x96xbf16> {amp.destination = 0 : i64}
// CHECK-LABEL: func.func @known(
// CHECK-COUNT-1: amp.launch
// CHECK-NOT: amp.launch
// CHECK: %[[R:.*]] = tensor.cast %{{.*}} : tensor<5x96xbf16> to tensor<?x96xbf16>
// CHECK: return %[[R]]
func.func @known(%a: tensor<5x96xf32>) -> tensor<?x96xbf16> {
  %m = arith.constant 5 : index
  %e = tensor.empty(%m) : tensor<?x96xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x96xf32>) outs(%e : tensor<?x96xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<?x96xf32>
  %1 = arith.truncf %0 : tensor<?x96xf32> to tensor<?x96xbf16>
  return %1 : tensor<?x96xbf16>
}

// -----

// So it is where a cast of sums that others have begun stands in front: the launch takes what was cast, once.
// CHECK-LABEL: func.func @begun(
// CHECK: amp.launch @{{.*}}begun_pool_{{[0-9]}} ins(%arg0 : tensor<127x8x24xbf16>) outs(
func.func @begun(%x: tensor<127x8x24xbf16>) -> tensor<24x127x2xbf16> {
  %w = tensor.empty() : tensor<7xbf16>
  %z = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<24x127x2xbf16>
  %f = linalg.fill ins(%z : bf16) outs(%e : tensor<24x127x2xbf16>) -> tensor<24x127x2xbf16>
  %c = tensor.cast %f : tensor<24x127x2xbf16> to tensor<?x127x?xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d0, d1)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<127x8x24xbf16>, tensor<7xbf16>) outs(%c : tensor<?x127x?xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %s = arith.addf %o, %a : bf16
    linalg.yield %s : bf16
  } -> tensor<?x127x?xbf16>
  %t = tensor.cast %r : tensor<?x127x?xbf16> to tensor<24x127x2xbf16>
  return %t : tensor<24x127x2xbf16>
}
