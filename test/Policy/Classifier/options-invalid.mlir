// Values of the classifier's options that mean nothing (P22 is that of the
// type), malformed patterns, and rules that match nothing (N21 and N22).
//
// RUN: not amp-opt %s --amp-decide-precision="scope=function low-precision-type=int8" 2>&1 | FileCheck %s --check-prefix=INT8
// RUN: not amp-opt %s --amp-decide-precision="scope=function low-precision-type=fp8" 2>&1 | FileCheck %s --check-prefix=FP8
// RUN: not amp-opt %s --amp-decide-precision="scope=function low-precision-type=fp32" 2>&1 | FileCheck %s --check-prefix=FP32
// RUN: not amp-opt %s --amp-decide-precision="scope=function low-precision-type=bf16 dtype=f16" 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not amp-opt %s --amp-decide-precision="scope=function nodes-to-exclude=conv,mul(" 2>&1 | FileCheck %s --check-prefix=REGEX
// RUN: not amp-opt %s --amp-decide-precision="scope=function nodes-to-include=layer\d" 2>&1 | FileCheck %s --check-prefix=DIGIT
// RUN: not amp-opt %s --amp-decide-precision="scope=function data-max=-5" 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: not amp-opt %s --amp-decide-precision="scope=function init-max=nan" 2>&1 | FileCheck %s --check-prefix=INIT
// RUN: not amp-opt %s --amp-decide-precision="scope=function data-ulp=0" 2>&1 | FileCheck %s --check-prefix=ULP
// RUN: not amp-opt %s --amp-decide-precision="scope=function max-depth-of-reduction=-7" 2>&1 | FileCheck %s --check-prefix=DEPTH
// RUN: not amp-opt %s --amp-decide-precision="scope=function max-underflow=2" 2>&1 | FileCheck %s --check-prefix=UNDERFLOW
// RUN: not amp-opt %s --amp-decide-precision="scope=function weight-overflow=clamp" 2>&1 | FileCheck %s --check-prefix=WEIGHT
// RUN: not amp-opt %s --amp-decide-precision="scope=function compat=tensorrt" 2>&1 | FileCheck %s --check-prefix=COMPAT
// RUN: not amp-opt %s --amp-decide-precision="scope=function compat=modelopt data-max=inf max-depth-of-reduction=8" 2>&1 | FileCheck %s --check-prefix=MODELOPT
// RUN: not amp-opt %s --amp-decide-precision="nodes-to-exclude=mul" 2>&1 | FileCheck %s --check-prefix=REGION
// RUN: not amp-opt %s --amp-decide-precision="scope=function targets-to-exclude=arith.mulf,Add" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not amp-opt %s --amp-decide-precision="scope=function targets-to-include=linalg.*" 2>&1 | FileCheck %s --check-prefix=STAR
// RUN: not amp-opt %s --amp-decide-precision="scope=function classifier policy=@torch_cuda" 2>&1 | FileCheck %s --check-prefix=TORCH
// RUN: amp-opt %s --amp-decide-precision="scope=function data-max=100" 2>&1 | FileCheck %s --check-prefix=UNSEEN
// RUN: amp-opt %s --amp-decide-precision="scope=function data-max=inf max-underflow=1" 2>&1 | FileCheck %s --check-prefix=NOLIMIT
// RUN: amp-opt %s --amp-decide-precision="scope=function nodes-to-exclude=mull targets-to-exclude=arith.mulff,aten.nothing" 2>&1 >/dev/null | FileCheck %s --check-prefix=NOTHING

// INT8: error: [AMP-O001] amp-decide-precision: option 'low-precision-type' is 'int8', but expected 'f16' or 'bf16'
// FP8: option 'low-precision-type' is 'fp8', but expected 'f16' or 'bf16'
// FP32: option 'low-precision-type' is 'fp32', but expected 'f16' or 'bf16'
// TWO: option 'low-precision-type' is 'bf16', but expected 'f16', which is the option 'dtype'
// REGEX: error: [AMP-R001] amp-decide-precision: option 'nodes-to-exclude' has 'mul(', but expected a POSIX extended regular expression: parentheses not balanced
// DIGIT: option 'nodes-to-include' has 'layer\d', but expected a POSIX extended regular expression: '\d' has no meaning in POSIX extended regular expressions: write a bracket expression, such as [0-9]
// DATA: option 'data-max' is '-5{{[.0]*}}', but expected a magnitude, or -1
// INIT: option 'init-max' is '{{.*}}', but expected a magnitude, or -1
// ULP: option 'data-ulp' is '{{[0.]+}}', but expected a distance above 0
// DEPTH: option 'max-depth-of-reduction' is '-7{{[.0]*}}', but expected a number of elements, or -1
// UNDERFLOW: option 'max-underflow' is '2{{[.0]*}}', but expected a share of 0 to 1
// WEIGHT: option 'weight-overflow' is 'clamp', but expected 'keep-f32', 'error' or 'saturate'
// COMPAT: option 'compat' is 'tensorrt', but expected 'none', 'modelopt' or 'torch-trt'
// MODELOPT: with compat=modelopt a data-max of inf turns off the run that max-depth-of-reduction needs the shapes of, and ModelOpt fails; leave out compat
// REGION: error: [AMP-R006] amp-decide-precision: option 'nodes-to-exclude' is for scopes that the rules decide, but there is none: add scope=function, or give a scope policy(@classifier)
// TARGET: error: [AMP-P003] amp-decide-precision: option 'targets-to-exclude' has 'Add', which is no op name; expected the dialect and the op, such as "aten.mm" or "linalg.matmul"
// STAR: error: [AMP-P003] amp-decide-precision: option 'targets-to-include' has 'linalg.*', which is no op name
// TORCH: error: [AMP-O002] amp-decide-precision: option 'classifier' lets rules decide alone, but policy set @torch_cuda, which functions would use, does not extend @classifier: let it, or leave out one of the two
// UNSEEN: warning: [AMP-R011] amp-decide-precision: option 'data-max' is about values that were seen, and has no effect without 'profile'
// NOLIMIT-NOT: warning
// NOLIMIT: func.func @f
// NOTHING: warning: [AMP-R005] option 'nodes-to-exclude' matches nothing: no op that the rules judge has a name like 'mull', but one 'mul'
// NOTHING: warning: [AMP-R005] option 'targets-to-exclude' matches nothing: no op that the rules judge is called 'arith.mulff', but one 'arith.mulf'
// NOTHING: warning: [AMP-R005] option 'targets-to-exclude' matches nothing: no op that the rules judge is called 'aten.nothing'

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.mulf %a, %a : tensor<4xf32> loc("mul")
  return %0 : tensor<4xf32>
}
