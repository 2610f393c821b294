"""A loop that is said to be parallel, and whose iterations write the same two elements."""
import numpy as np
from harness import Module

module = Module("""func.func @race(%x: tensor<64xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %e = tensor.empty() : tensor<2xf32>
  %0 = scf.for %i = %c0 to %c64 step %c1 iter_args(%o = %e) -> tensor<2xf32> {
    %j = arith.remui %i, %c2 : index
    %a = tensor.extract %x[%i] : tensor<64xf32>
    %1 = tensor.insert %a into %o[%j] : tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  } {parallel_grain = 8 : i64}
  return %0 : tensor<2xf32>
}""")
print("compiled", flush=True)
module("race", [np.zeros(64, np.float32)], [("f32", 1)])
