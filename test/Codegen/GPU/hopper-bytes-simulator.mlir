// UNSUPPORTED: sanitizer

// Operands of 8 bits that are not contiguous along K, on the simulator: they are
// transposed in front of `wgmma` (weights in init), and give what the CPU does:
// the same integers, and sums of floats within 0.001 of the largest.

// RUN: env -u AMP_CUDA_DRIVER amp-run %s --entry=integers --device=sim --target=sim:sm_90a --random --remarks --output=%t-sim.npy 2>&1 | FileCheck %s --check-prefix=INTEGERS
// RUN: amp-run %s --entry=integers --device=cpu --random --output=%t-cpu.npy
// RUN: cmp %t-sim.npy %t-cpu.npy
// INTEGERS-DAG: remark: [Passed] ContractionArranged | Category:amp | Function=integers | Op=linalg.matmul, Operands=right
// INTEGERS-DAG: remark: [Passed] Tiles | Category:amp | Function=integers_matmul_{{[0-9]+}} | {{.*}}MajorA=K, MajorB=K

// RUN: env -u AMP_CUDA_DRIVER amp-run %s --entry=floats --device=sim --target=sim:sm_90a --random --remarks --output=%t-floats.npy 2>&1 | FileCheck %s --check-prefix=FLOATS
// RUN: amp-run %s --entry=floats --device=cpu --random --output=%t-expected.npy
// RUN: %python -c "import numpy as np; x, y = np.load(r'%t-floats.npy'), np.load(r'%t-expected.npy'); print(np.abs(x - y).max() / np.abs(y).max() < 1e-3)" | FileCheck %s --check-prefix=NEAR
// FLOATS-DAG: remark: [Passed] ContractionArranged | Category:amp | Function=floats | Op=linalg.matmul, Operands=right
// FLOATS-DAG: remark: [Passed] Tiles | Category:amp | Function=floats_matmul_{{[0-9]+}} | {{.*}}MajorA=K, MajorB=K
// NEAR: True

func.func @integers(%x: tensor<40x528xi8>, %w: tensor<528x144xi8> {amp.weight}) -> tensor<40x144xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<40x144xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<40x144xi32>) -> tensor<40x144xi32>
  %r = linalg.matmul ins(%x, %w : tensor<40x528xi8>, tensor<528x144xi8>) outs(%f : tensor<40x144xi32>) -> tensor<40x144xi32>
  return %r : tensor<40x144xi32>
}

// The weight is cast and transposed in init, the other operand is cast by a
// kernel in front.
func.func @floats(%x: tensor<72x528xf32>, %w: tensor<528x144xf32> {amp.weight}) -> tensor<72x144xf32> {
  %z = arith.constant 0.0 : f32
  %x8 = arith.truncf %x : tensor<72x528xf32> to tensor<72x528xf8E4M3FN>
  %w8 = arith.truncf %w : tensor<528x144xf32> to tensor<528x144xf8E4M3FN>
  %e = tensor.empty() : tensor<72x144xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<72x144xf32>) -> tensor<72x144xf32>
  %r = linalg.matmul ins(%x8, %w8 : tensor<72x528xf8E4M3FN>, tensor<528x144xf8E4M3FN>) outs(%f : tensor<72x144xf32>) -> tensor<72x144xf32>
  return %r : tensor<72x144xf32>
}
