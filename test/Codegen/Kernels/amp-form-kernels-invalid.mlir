// RUN: amp-opt %s --amp-form-kernels --split-input-file --verify-diagnostics -o /dev/null

func.func @buffers(%m: memref<4xf32>, %x: f32) {
  // expected-error @+1 {{'linalg.fill' op works on buffers, but 'amp-form-kernels' forms kernels of ops on tensors: run it before bufferization}}
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  return
}
