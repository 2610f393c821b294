// RUN: not amp-opt %s --amp-legalize-dtypes=target=sm_60 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not amp-opt %s --amp-legalize-dtypes=target=tpu 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not amp-opt %s --amp-legalize-dtypes 2>&1 | FileCheck %s --check-prefix=NEITHER
// RUN: not amp-opt %s --amp-legalize-dtypes="target=cpu legal=elementwise:f32" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not amp-opt %s --amp-legalize-dtypes=legal=elementwise 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not amp-opt %s --amp-legalize-dtypes=legal=elementwise:f32,i8 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not amp-opt %s --amp-legalize-dtypes=legal=elementwise:float 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not amp-opt %s --amp-legalize-dtypes=legal=maps:f32 2>&1 | FileCheck %s --check-prefix=CLASS
// RUN: not amp-opt %s --amp-legalize-dtypes="legal=elementwise:f32;elementwise:f16" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not amp-opt %s --amp-legalize-dtypes=legal=elementwise:f16,bf16 2>&1 | FileCheck %s --check-prefix=HOLDER

// OLD: error: amp-legalize-dtypes: unknown target 'sm_60': expected 'cpu', 'sim' or a CUDA architecture from 'sm_70' on, such as 'sm_90a'
// TARGET: error: amp-legalize-dtypes: unknown target 'tpu': expected 'cpu', 'sim' or a CUDA architecture
// NEITHER: error: amp-legalize-dtypes: expected either 'target' or 'legal', but neither is given
// BOTH: error: amp-legalize-dtypes: expected either 'target' or 'legal', but both are given
// LIST: error: amp-legalize-dtypes: option 'legal': expected '<class>:<type>,...', such as 'contraction:f16,bf16', but found 'elementwise'
// TYPE: error: amp-legalize-dtypes: option 'legal': expected float types such as 'f32', 'f16', 'bf16' or 'f8E4M3FN', separated by commas, but found 'i8'
// NAME: error: amp-legalize-dtypes: option 'legal': expected float types such as {{.*}}, but found 'float'
// CLASS: error: amp-legalize-dtypes: option 'legal': there is no class of ops 'maps': expected contraction, convolution, pooling, elementwise, reduction, selection, normalization
// TWICE: error: amp-legalize-dtypes: option 'legal': the class 'elementwise' is listed twice
// HOLDER: amp-legalize-dtypes-invalid.mlir:[[#@LINE+2]]:8: error: 'arith.addf' works on 'f32', which the target has not for ops of class 'elementwise', and none of its types holds the values and roundings of it: expected one of 'f16', 'bf16'; cast the operands first
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
