// RUN: %python %S/Inputs/add-main.py < %s \
// RUN:   | amp-opt --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim --amp-lower-to-simulator \
// RUN:   | env AMP_SIM_WRITES=all %simulate | FileCheck %s

// The schedule `simt` on the device, and the same ops on the host, on small
// integers, so that both are exact. What is printed is the number of elements
// that differ, for each kernel.

// CHECK: sizes = [8]
// CHECK-NEXT: [0, 0, 0, 0, 0, 0, 0, 0]

#g = #gpu.address_space<global>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#none = affine_map<(d0, d1) -> ()>

module @kernels {
  // A contraction with an epilogue that has a bias; any size.
  // SIZES: 3x5 5x7 7 3x7
  // SIZES: 33x10 10x72 72 33x72
  // SIZES: 64x3 3x64 64 64x64
  // SIZES: 0x3 3x9 9 0x9
  // SIZES: 5x0 0x9 9 5x9
  func.func @matmul(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %b: tensor<?xf32>, %d: tensor<?x?xf32> {amp.destination = 0 : i64}) -> tensor<?x?xf32> attributes {amp.kernel, amp.schedule = "simt"} {
    %z = arith.constant 0.0 : f32
    %f = linalg.fill ins(%z : f32) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
    %0 = linalg.matmul ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
    %1 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%d : tensor<?x?xf32>) {
    ^bb0(%a: f32, %c: f32, %u: f32):
      %2 = arith.addf %a, %c : f32
      linalg.yield %2 : f32
    } -> tensor<?x?xf32>
    return %1 : tensor<?x?xf32>
  }
  // The left operand is read through a pad and a cast; f64.
  func.func @matmul64(%x: tensor<7x5xf32>, %y: tensor<8x6xf64>, %d: tensor<9x6xf64> {amp.destination = 0 : i64}) -> tensor<9x6xf64> attributes {amp.kernel, amp.schedule = "simt"} {
    %z = arith.constant 0.0 : f64
    %one = arith.constant 1.0 : f32
    %p = tensor.pad %x low[2, 0] high[0, 3] {
    ^bb0(%i: index, %j: index):
      tensor.yield %one : f32
    } : tensor<7x5xf32> to tensor<9x8xf32>
    %e = tensor.empty() : tensor<9x8xf64>
    %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<9x8xf32>) outs(%e : tensor<9x8xf64>) {
    ^bb0(%a: f32, %u: f64):
      %2 = arith.extf %a : f32 to f64
      linalg.yield %2 : f64
    } -> tensor<9x8xf64>
    %f = linalg.fill ins(%z : f64) outs(%d : tensor<9x6xf64>) -> tensor<9x6xf64>
    %0 = linalg.matmul ins(%c, %y : tensor<9x8xf64>, tensor<8x6xf64>) outs(%f : tensor<9x6xf64>) -> tensor<9x6xf64>
    return %0 : tensor<9x6xf64>
  }
  func.func @conv(%x: tensor<2x9x8x3xf32>, %w: tensor<3x2x3x12xf32>, %d: tensor<2x4x7x12xf32> {amp.destination = 0 : i64}) -> tensor<2x4x7x12xf32> attributes {amp.kernel, amp.schedule = "simt"} {
    %z = arith.constant 0.0 : f32
    %f = linalg.fill ins(%z : f32) outs(%d : tensor<2x4x7x12xf32>) -> tensor<2x4x7x12xf32>
    %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x9x8x3xf32>, tensor<3x2x3x12xf32>) outs(%f : tensor<2x4x7x12xf32>) -> tensor<2x4x7x12xf32>
    return %0 : tensor<2x4x7x12xf32>
  }
  func.func @pool(%x: tensor<2x9x8x5xf32>, %d: tensor<2x4x4x5xf32> {amp.destination = 0 : i64}) -> tensor<2x4x4x5xf32> attributes {amp.kernel, amp.schedule = "simt"} {
    %z = arith.constant -1.0 : f32
    %f = linalg.fill ins(%z : f32) outs(%d : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
    %k = tensor.empty() : tensor<3x2xf32>
    %0 = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<2x9x8x5xf32>, tensor<3x2xf32>) outs(%f : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
    return %0 : tensor<2x4x4x5xf32>
  }
  // Two reductions of rows that are read more than once: several functions.
  // SIZES: 3x5 3x5 3
  // SIZES: 65x130 65x130 65
  // SIZES: 0x4 0x4 0
  func.func @center(%x: tensor<?x?xf32>, %d: tensor<?x?xf32> {amp.destination = 0 : i64}, %e: tensor<?xf32> {amp.destination = 1 : i64}) -> (tensor<?x?xf32>, tensor<?xf32>) attributes {amp.kernel, amp.schedule = "simt"} {
    %z = arith.constant 0.0 : f32
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %0 = linalg.reduce {arith.maximumf} ins(%x : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
    %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %0 : tensor<?x?xf32>, tensor<?xf32>) outs(%d : tensor<?x?xf32>) {
    ^bb0(%a: f32, %c: f32, %u: f32):
      %2 = arith.subf %a, %c : f32
      linalg.yield %2 : f32
    } -> tensor<?x?xf32>
    %3 = linalg.reduce {arith.addf} ins(%1 : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
    return %1, %3 : tensor<?x?xf32>, tensor<?xf32>
  }
  // The largest element of each row, and where it is.
  func.func @argmax(%x: tensor<13x20xf32>, %d: tensor<13xf32> {amp.destination = 0 : i64}, %e: tensor<13xf32> {amp.destination = 1 : i64}) -> (tensor<13xf32>, tensor<13xf32>) attributes {amp.kernel, amp.schedule = "simt"} {
    %z = arith.constant -1.0 : f32
    %f = linalg.fill ins(%z : f32) outs(%d : tensor<13xf32>) -> tensor<13xf32>
    %h = linalg.fill ins(%z : f32) outs(%e : tensor<13xf32>) -> tensor<13xf32>
    %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<13x20xf32>) outs(%f, %h : tensor<13xf32>, tensor<13xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %i = linalg.index 1 : index
      %j = arith.index_cast %i : index to i32
      %k = arith.sitofp %j : i32 to f32
      %1 = arith.cmpf ogt, %a, %b : f32
      %2 = arith.select %1, %a, %b : f32
      %3 = arith.select %1, %k, %c : f32
      linalg.yield %2, %3 : f32, f32
    } -> (tensor<13xf32>, tensor<13xf32>)
    return %0#0, %0#1 : tensor<13xf32>, tensor<13xf32>
  }
  // Everything into one element.
  func.func @total(%x: tensor<13x20xf32>, %d: tensor<f32> {amp.destination = 0 : i64}) -> tensor<f32> attributes {amp.kernel, amp.schedule = "simt"} {
    %z = arith.constant 0.0 : f32
    %f = linalg.fill ins(%z : f32) outs(%d : tensor<f32>) -> tensor<f32>
    %0 = linalg.reduce {arith.addf} ins(%x : tensor<13x20xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
    return %0 : tensor<f32>
  }
  // Slices, pads and a concatenation of elements that are gathered, on the
  // vectors and on single elements.
  func.func @pieces(%x: tensor<64x60xf32>, %y: tensor<64x60xf32>, %d: tensor<520x128xf32> {amp.destination = 0 : i64}) -> tensor<520x128xf32> attributes {amp.kernel, amp.schedule = "simt"} {
    %one = arith.constant 1.0 : f32
    %p = tensor.pad %x low[1, 4] high[3, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %one : f32
    } : tensor<64x60xf32> to tensor<68x66xf32>
    %q = tensor.insert_slice %y into %p[2, 5] [64, 60] [1, 1] : tensor<64x60xf32> into tensor<68x66xf32>
    %s = tensor.extract_slice %q[1, 1] [65, 62] [1, 1] : tensor<68x66xf32> to tensor<65x62xf32>
    %t = tensor.extract_slice %q[2, 0] [65, 66] [1, 1] : tensor<68x66xf32> to tensor<65x66xf32>
    %c = tensor.concat dim(1) %s, %t : (tensor<65x62xf32>, tensor<65x66xf32>) -> tensor<65x128xf32>
    %k = tensor.collapse_shape %c [[0, 1]] : tensor<65x128xf32> into tensor<8320xf32>
    %e = tensor.empty() : tensor<8320x8xf32>
    %b = linalg.broadcast ins(%k : tensor<8320xf32>) outs(%e : tensor<8320x8xf32>) dimensions = [1]
    %l = tensor.collapse_shape %b [[0, 1]] : tensor<8320x8xf32> into tensor<66560xf32>
    %r = tensor.expand_shape %l [[0, 1]] output_shape [520, 128] : tensor<66560xf32> into tensor<520x128xf32>
    return %r : tensor<520x128xf32>
  }
}
