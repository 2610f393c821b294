// RUN: amp-opt --split-input-file --verify-diagnostics --amp-cuda-lower-host %s

// expected-error @+1 {{'gpu.module' op is not compiled; expected a gpu.binary: run amp-lower-gpu-to-nvvm or amp-gpu-simulate first}}
gpu.module @kernels {
}

// -----

// expected-error @+1 {{'func.func' op has argument 0 of type 'tensor<4xf32>'; expected a buffer: run amp-bufferize-host first}}
func.func @tensor(%x: tensor<4xf32>) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has argument 0 of type 'memref<4xi4>', which callers cannot pass}}
func.func @type(%x: memref<4xi4>) {
  return
}

// -----

// expected-error @+1 {{expected a row-major buffer without gaps}}
func.func @layout(%x: memref<4xf32, strided<[2]>>) {
  return
}

// -----

#g = #gpu.address_space<global>
func.func @work(%x: memref<4xf32, #g>) {
  // expected-error @+1 {{'linalg.negf' op works on device memory, which the host cannot do; expected a kernel: run amp-form-kernels first}}
  linalg.negf ins(%x : memref<4xf32, #g>) outs(%x : memref<4xf32, #g>)
  return
}

// -----

// expected-error @+1 {{is a function without a body, which a compiled model cannot call}}
func.func private @outside()
func.func @call() {
  func.call @outside() : () -> ()
  return
}

// -----

// expected-error @+1 {{has 1 prepared arguments and 1 weights; expected a function 'f_init' that takes these and returns those}}
func.func @f(%w: memref<4xf32> {amp.weight}, %p: memref<4xf16> {amp.prepared = 0 : i64}) {
  return
}
