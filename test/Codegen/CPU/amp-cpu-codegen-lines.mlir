// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{triple=x86_64-linux-gnu cpu=haswell no-scalar-fallback}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{triple=x86_64-linux-gnu cpu=x86-64-v4 no-scalar-fallback}))' | FileCheck %s --check-prefix=WIDE

// Windows along lines of pixels. With 16 registers, two lines that windows share go together, of two registers each. Every other pixel is picked of two vectors,
// the second of which ends with the last such pixel: whole tiles need no masks. With 32 registers a line of pixels goes alone.
// CHECK-LABEL: func.func @pool
// CHECK: scf.for {{.*}} to %c56 step %c2
// CHECK: scf.for {{.*}} to %c48 step %c16
// CHECK: scf.for {{.*}} to %c3 step %c1
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>)
// CHECK: vector.transfer_read %arg0{{.*}} {in_bounds = [true]} : tensor<8x64x113x113xf32>, vector<16xf32>
// CHECK: vector.transfer_read %arg0{{.*}} {in_bounds = [true]} : tensor<8x64x113x113xf32>, vector<16xf32>
// CHECK: vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31] : vector<16xf32>, vector<16xf32>
// CHECK-COUNT-2: arith.maximumf {{.*}} : vector<16xf32>
// WIDE-LABEL: func.func @pool
// WIDE: arith.maximumf {{.*}} : vector<64xf32>
func.func @pool(%x: tensor<8x64x113x113xf32>, %o: tensor<8x64x56x56xf32>) -> tensor<8x64x56x56xf32> {
  %w = tensor.empty() : tensor<3x3xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<8x64x113x113xf32>, tensor<3x3xf32>) outs(%o : tensor<8x64x56x56xf32>) -> tensor<8x64x56x56xf32>
  return %r : tensor<8x64x56x56xf32>
}

// CHECK-LABEL: func.func @unknown
// CHECK: scf.for {{.*}} step %c16
// CHECK: vector.transfer_read %arg0{{.*}} {in_bounds = [true]} : tensor<?x?x?x?xf32>, vector<16xf32>
// CHECK: vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31] : vector<16xf32>, vector<16xf32>
// WIDE-LABEL: func.func @unknown
// WIDE: vector.transfer_read %arg0{{.*}} {in_bounds = [true]} : tensor<?x?x?x?xf32>, vector<16xf32>
func.func @unknown(%x: tensor<?x?x?x?xf32>, %o: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %w = tensor.empty() : tensor<3x3xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<?x?x?x?xf32>, tensor<3x3xf32>) outs(%o : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}

// Every third and every fourth pixel.
// CHECK-LABEL: func.func @third
// CHECK: vector.shuffle {{.*}} [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, -1, -1, -1, -1, -1, -1] : vector<16xf32>, vector<16xf32>
// CHECK: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31] : vector<16xf32>, vector<16xf32>
func.func @third(%x: tensor<8x64x168x168xf32>, %o: tensor<8x64x54x54xf32>) -> tensor<8x64x54x54xf32> {
  %w = tensor.empty() : tensor<5x5xf32>
  %r = linalg.pooling_nchw_max {strides = dense<3> : tensor<2xi64>} ins(%x, %w : tensor<8x64x168x168xf32>, tensor<5x5xf32>) outs(%o : tensor<8x64x54x54xf32>) -> tensor<8x64x54x54xf32>
  return %r : tensor<8x64x54x54xf32>
}

// CHECK-LABEL: func.func @fourth
// CHECK: vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14] : vector<8xf32>, vector<8xf32>
// CHECK: vector.shuffle {{.*}} [0, 2, 4, 6, 11, 13, 15, -1] : vector<8xf32>, vector<8xf32>
// CHECK: vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14] : vector<8xf32>, vector<8xf32>
func.func @fourth(%x: tensor<8x64x221x221xf32>, %o: tensor<8x64x54x54xf32>) -> tensor<8x64x54x54xf32> {
  %w = tensor.empty() : tensor<9x9xf32>
  %r = linalg.pooling_nchw_max {strides = dense<4> : tensor<2xi64>} ins(%x, %w : tensor<8x64x221x221xf32>, tensor<9x9xf32>) outs(%o : tensor<8x64x54x54xf32>) -> tensor<8x64x54x54xf32>
  return %r : tensor<8x64x54x54xf32>
}

// Of wide windows eight lines, of one register each, and all columns of the filter one behind the other. The loop over channels is where they lie in memory.
// CHECK-LABEL: func.func @depthwise
// CHECK: scf.for {{.*}} to %c64 step %c1
// CHECK: scf.for {{.*}} to %c56 step %c8
// CHECK: scf.for {{.*}} to %c56 step %c8
// CHECK: scf.for {{.*}} to %c5 step %c1
// CHECK-NOT: scf.for
// CHECK-COUNT-40: vector.fma {{.*}} : vector<8xf32>
// CHECK-NOT: vector.fma
// WIDE-LABEL: func.func @depthwise
// WIDE: scf.for {{.*}} to %c64 step %c1
// WIDE: scf.for {{.*}} to %c56 step %c1
func.func @depthwise(%x: tensor<4x64x60x60xf32>, %w: tensor<64x5x5xf32>, %o: tensor<4x64x56x56xf32>) -> tensor<4x64x56x56xf32> {
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<4x64x60x60xf32>, tensor<64x5x5xf32>) outs(%o : tensor<4x64x56x56xf32>) -> tensor<4x64x56x56xf32>
  return %r : tensor<4x64x56x56xf32>
}

// Where pixels are picked, two lines.
// CHECK-LABEL: func.func @picked
// CHECK: scf.for {{.*}} to %c56 step %c2
// CHECK: scf.for {{.*}} to %c48 step %c16
// CHECK: scf.for {{.*}} to %c5 step %c1
// CHECK-NOT: scf.for
// CHECK-COUNT-10: vector.fma {{.*}} : vector<16xf32>
func.func @picked(%x: tensor<4x64x115x115xf32>, %w: tensor<64x5x5xf32>, %o: tensor<4x64x56x56xf32>) -> tensor<4x64x56x56xf32> {
  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<4x64x115x115xf32>, tensor<64x5x5xf32>) outs(%o : tensor<4x64x56x56xf32>) -> tensor<4x64x56x56xf32>
  return %r : tensor<4x64x56x56xf32>
}

// CHECK-LABEL: func.func @narrow
// CHECK: vector.shuffle {{.*}} : vector<16xbf16>, vector<16xbf16>
// CHECK-COUNT-2: arith.maximumf {{.*}} : vector<16xf32>
func.func @narrow(%x: tensor<8x64x113x113xbf16>, %o: tensor<8x64x56x56xbf16>) -> tensor<8x64x56x56xbf16> {
  %w = tensor.empty() : tensor<3x3xbf16>
  %r = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<8x64x113x113xbf16>, tensor<3x3xbf16>) outs(%o : tensor<8x64x56x56xbf16>) -> tensor<8x64x56x56xbf16>
  return %r : tensor<8x64x56x56xbf16>
}

// Windows that share no lines go by one of them, in as many registers as leave a row of the window short enough for LLVM to unroll it.
// CHECK-LABEL: func.func @apart
// CHECK: scf.for {{.*}} to %c56 step %c1 iter_args
// CHECK: arith.maximumf {{.*}} : vector<64xf32>
func.func @apart(%x: tensor<8x64x112x112xf32>, %o: tensor<8x64x56x56xf32>) -> tensor<8x64x56x56xf32> {
  %w = tensor.empty() : tensor<2x2xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<8x64x112x112xf32>, tensor<2x2xf32>) outs(%o : tensor<8x64x56x56xf32>) -> tensor<8x64x56x56xf32>
  return %r : tensor<8x64x56x56xf32>
}
