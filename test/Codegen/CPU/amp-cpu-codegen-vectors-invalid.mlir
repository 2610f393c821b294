// Vectors of a size that x86 does not have are an error there; AArch64 may have them.
// RUN: amp-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3}))'
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{triple=aarch64-linux-gnu cpu=generic}))' -o /dev/null

func.func @constant(%x: vector<4xf32>) -> vector<4xf32> {
  // expected-error @+1 {{'arith.constant' op is of scalable vectors, which x86 does not have; expected vectors of a fixed size}}
  %0 = arith.constant dense<0.0> : vector<[4]xf32>
  %1 = vector.scalable.insert %x, %0[0] : vector<4xf32> into vector<[4]xf32>
  %2 = vector.scalable.extract %1[0] : vector<4xf32> from vector<[4]xf32>
  return %2 : vector<4xf32>
}

// -----

func.func @scale() -> index {
  // expected-error @+1 {{'vector.vscale' op is of scalable vectors}}
  %0 = vector.vscale
  return %0 : index
}
