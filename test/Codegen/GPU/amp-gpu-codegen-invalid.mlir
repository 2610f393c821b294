// RUN: amp-opt %s --amp-gpu-codegen --split-input-file --verify-diagnostics
// RUN: not amp-opt %s --amp-gpu-codegen=target=sm_70 --split-input-file 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not amp-opt %s --amp-gpu-codegen=map-blocks=-1 --split-input-file 2>&1 | FileCheck %s --check-prefix=BLOCKS

// BLOCKS: error: amp-gpu-codegen: expected 'map-blocks' to be 0 to 2147483647, but found -1
// TARGET: expected a target of sm_80, {{.*}}, sim, or sim:<one of them>, but found 'sm_70'

#g = #gpu.address_space<global>

// A forced schedule that cannot take the kernel.
module {
  module @kernels {
    // expected-error @below {{'amp.schedule' asks for 'map', which cannot take this kernel because 'linalg.reduce' is a reduction; remove the attribute to have a schedule chosen}}
    func.func @sum(%x: tensor<8x4xf32>, %d: tensor<8xf32> {amp.destination = 0 : i64}) -> tensor<8xf32> attributes {amp.kernel, amp.schedule = "map"} {
      %0 = linalg.reduce {arith.addf} ins(%x : tensor<8x4xf32>) outs(%d : tensor<8xf32>) dimensions = [1]
      return %0 : tensor<8xf32>
    }
  }
  func.func @main(%x: memref<8x4xf32, #g>, %d: memref<8xf32, #g>) {
    amp.launch @kernels::@sum ins(%x : memref<8x4xf32, #g>) outs(%d : memref<8xf32, #g>)
    return
  }
}

// -----

#g = #gpu.address_space<global>

// No schedule of this name.
module {
  module @kernels {
    // expected-error @below {{expected 'amp.schedule' to be one of }}
    func.func @negate(%x: tensor<8xf32>, %d: tensor<8xf32> {amp.destination = 0 : i64}) -> tensor<8xf32> attributes {amp.kernel, amp.schedule = "fast"} {
      %0 = linalg.negf ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
  }
  func.func @main(%x: memref<8xf32, #g>, %d: memref<8xf32, #g>) {
    amp.launch @kernels::@negate ins(%x : memref<8xf32, #g>) outs(%d : memref<8xf32, #g>)
    return
  }
}

// -----

// Before bufferization.
module {
  module @kernels {
    func.func @negate(%x: tensor<8xf32>, %d: tensor<8xf32> {amp.destination = 0 : i64}) -> tensor<8xf32> attributes {amp.kernel} {
      %0 = linalg.negf ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
  }
  func.func @main(%x: tensor<8xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @below {{is on tensors, but 'amp-gpu-codegen' needs buffers: bufferize the host first}}
    %0 = amp.launch @kernels::@negate ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

#g = #gpu.address_space<global>

// No schedule takes complex elements.
module {
  module @kernels {
    // expected-error @below {{no schedule can take this kernel}}
    func.func @copy(%x: tensor<8xcomplex<f32>>, %d: tensor<8xcomplex<f32>> {amp.destination = 0 : i64}) -> tensor<8xcomplex<f32>> attributes {amp.kernel} {
      %0 = linalg.copy ins(%x : tensor<8xcomplex<f32>>) outs(%d : tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
      return %0 : tensor<8xcomplex<f32>>
    }
  }
  func.func @main(%x: memref<8xcomplex<f32>, #g>, %d: memref<8xcomplex<f32>, #g>) {
    amp.launch @kernels::@copy ins(%x : memref<8xcomplex<f32>, #g>) outs(%d : memref<8xcomplex<f32>, #g>)
    return
  }
}

// -----

#g = #gpu.address_space<global>

// An op on buffers that reads what it writes.
func.func @main(%d: memref<8xf32, #g>) {
  // expected-error @below {{on device buffers reads operand 0, which it writes; expected another buffer for the result}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%d : memref<8xf32, #g>) {
  ^bb0(%a: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return
}
