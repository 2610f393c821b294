// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{cpu=x86-64-v4 no-scalar-fallback})' | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v4 \
// RUN:   | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v4 -o - | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{cpu=sapphirerapids no-scalar-fallback})' | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=sapphirerapids \
// RUN:   | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=sapphirerapids -o - | FileCheck %s

// Bytes that are computed, and each stored three times: LLVM 22.1 does not end on the shuffle of what is computed.
// CHECK-LABEL: repeated:
// CHECK: vpaddb
// CHECK: ARITH_FENCE
// CHECK: vp{{erm|shuf}}b
func.func @repeated(%a: tensor<33x257xi8>, %b: tensor<33xi8>) -> tensor<33x257x3xi8> {
  %e = tensor.empty() : tensor<33x257x3xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b : tensor<33x257xi8>, tensor<33xi8>) outs(%e : tensor<33x257x3xi8>) {
  ^bb0(%x: i8, %y: i8, %o: i8):
    %twice = arith.addi %x, %x : i8
    %most = arith.maxsi %twice, %y : i8
    linalg.yield %most : i8
  } -> tensor<33x257x3xi8>
  return %r : tensor<33x257x3xi8>
}
