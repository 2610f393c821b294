// A function may be called as one of the C library is that its code calls: on the simulator, LLVM makes a call of powf of math.powf.
// RUN: env -u AMP_CUDA_DRIVER amp-run %s --random --device=sim | FileCheck %s
// RUN: amp-run %s --random --device=cpu | FileCheck %s
// UNSUPPORTED: sanitizer
// CHECK: result0: shape=64 type=f32 min=1024 max=1024 mean=1024 nan=0 inf=0
func.func @powf(%a: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %ten = arith.constant 10.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %none = arith.mulf %x, %zero : f32
    %base = arith.addf %none, %two : f32
    %exponent = arith.addf %none, %ten : f32
    %power = math.powf %base, %exponent : f32
    linalg.yield %power : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
