// Values of options that mean nothing.
//
// RUN: not amp-opt %s --amp-decide-precision=scope=module 2>&1 | FileCheck %s --check-prefix=SCOPE
// RUN: not amp-opt %s --amp-decide-precision='scope=function device=tpu' 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not amp-opt %s --amp-decide-precision='scope=function dtype=f64' 2>&1 | FileCheck %s --check-prefix=DTYPE
// RUN: not amp-opt %s --amp-autocast='scope=function results=keep' 2>&1 | FileCheck %s --check-prefix=RESULTS
// RUN: not amp-opt %s --amp-decide-precision='signatures=some' 2>&1 | FileCheck %s --check-prefix=SIGNATURES
// RUN: not amp-opt %s --amp-structurize-scopes='results=keep' 2>&1 | FileCheck %s --check-prefix=STRUCTURIZE
// RUN: not amp-opt %s --amp-autocast='rounding=never' 2>&1 | FileCheck %s --check-prefix=ROUNDING

// SCOPE: amp-decide-precision: option 'scope' is 'module', but expected 'region' or 'function'
// DEVICE: amp-decide-precision: option 'device' is 'tpu', but expected 'cuda', 'cpu', 'xpu' or 'mps'
// DTYPE: amp-decide-precision: option 'dtype' is 'f64', but expected 'f16' or 'bf16'
// RESULTS: amp-decide-precision: option 'results' is 'keep', but expected 'preserve' or 'propagate'
// SIGNATURES: amp-decide-precision: option 'signatures' is 'some', but expected 'private', 'all' or 'fixed'
// STRUCTURIZE: amp-structurize-scopes: option 'results' is 'keep', but expected 'preserve' or 'propagate'
// ROUNDING: amp-apply-precision: option 'rounding' is 'never', but expected 'elidable' or 'exact'

// The error is one line: it does not print the module.
// RUN: not amp-opt %s --amp-decide-precision=scope=module 2>&1 | FileCheck %s --check-prefix=BRIEF
// RUN: not amp-opt %s --amp-autocast='rounding=never' 2>&1 | FileCheck %s --check-prefix=BRIEF
// BRIEF: error:
// BRIEF-NOT: see current operation

func.func @blocks(%a: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  return %a : tensor<4xf32>
}
