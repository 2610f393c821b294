// Every named elementwise op, and copy: no op of these converts, so that
// destinations have the type of the inputs.
//
// RUN: amp-opt %s -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s -test-amp-precision-retype=to=f16 | FileCheck %s -D$TYPE=f16 -D$ACC=f16
// RUN: amp-opt %s -test-amp-precision-retype=to=bf16 | FileCheck %s -D$TYPE=bf16 -D$ACC=bf16
// RUN: amp-opt %s -test-amp-precision-retype=to=f32 | FileCheck %s -D$TYPE=f32 -D$ACC=f32
// RUN: amp-opt %s -test-amp-precision-retype=to=f64 | FileCheck %s -D$TYPE=f64 -D$ACC=f64

// CHECK-LABEL: func.func @exp(
// CHECK: linalg.exp {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.exp: elementwise (input, destination)
func.func @exp(%a0: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.exp {test.retype} ins(%a0 : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @log(
// CHECK: linalg.log {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.log: elementwise (input, destination)
func.func @log(%a0: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.log {test.retype} ins(%a0 : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @abs(
// CHECK: linalg.abs {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.abs: elementwise (input, destination)
func.func @abs(%a0: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.abs {test.retype} ins(%a0 : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @ceil(
// CHECK: linalg.ceil {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.ceil: elementwise (input, destination)
func.func @ceil(%a0: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.ceil {test.retype} ins(%a0 : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @floor(
// CHECK: linalg.floor {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.floor: elementwise (input, destination)
func.func @floor(%a0: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.floor {test.retype} ins(%a0 : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @negf(
// CHECK: linalg.negf {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.negf: elementwise (input, destination)
func.func @negf(%a0: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.negf {test.retype} ins(%a0 : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @reciprocal(
// CHECK: linalg.reciprocal {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.reciprocal: elementwise (input, destination)
func.func @reciprocal(%a0: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.reciprocal {test.retype} ins(%a0 : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @round(
// CHECK: linalg.round {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.round: elementwise (input, destination)
func.func @round(%a0: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.round {test.retype} ins(%a0 : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @sqrt(
// CHECK: linalg.sqrt {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.sqrt: elementwise (input, destination)
func.func @sqrt(%a0: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.sqrt {test.retype} ins(%a0 : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @rsqrt(
// CHECK: linalg.rsqrt {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.rsqrt: elementwise (input, destination)
func.func @rsqrt(%a0: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.rsqrt {test.retype} ins(%a0 : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @square(
// CHECK: linalg.square {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.square: elementwise (input, destination)
func.func @square(%a0: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.square {test.retype} ins(%a0 : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @tanh(
// CHECK: linalg.tanh {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.tanh: elementwise (input, destination)
func.func @tanh(%a0: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.tanh {test.retype} ins(%a0 : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @erf(
// CHECK: linalg.erf {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.erf: elementwise (input, destination)
func.func @erf(%a0: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.erf {test.retype} ins(%a0 : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @add(
// CHECK: linalg.add {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>, tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.add: elementwise (input, input, destination)
func.func @add(%a0: tensor<2x4xf32>, %a1: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.add {test.retype} ins(%a0, %a1 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @sub(
// CHECK: linalg.sub {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>, tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.sub: elementwise (input, input, destination)
func.func @sub(%a0: tensor<2x4xf32>, %a1: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.sub {test.retype} ins(%a0, %a1 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @mul(
// CHECK: linalg.mul {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>, tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.mul: elementwise (input, input, destination)
func.func @mul(%a0: tensor<2x4xf32>, %a1: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.mul {test.retype} ins(%a0, %a1 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @div(
// CHECK: linalg.div {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>, tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.div: elementwise (input, input, destination)
func.func @div(%a0: tensor<2x4xf32>, %a1: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.div {test.retype} ins(%a0, %a1 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @max(
// CHECK: linalg.max {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>, tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.max: elementwise (input, input, destination)
func.func @max(%a0: tensor<2x4xf32>, %a1: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.max {test.retype} ins(%a0, %a1 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @min(
// CHECK: linalg.min {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>, tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.min: elementwise (input, input, destination)
func.func @min(%a0: tensor<2x4xf32>, %a1: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.min {test.retype} ins(%a0, %a1 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @powf(
// CHECK: linalg.powf {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>, tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.powf: elementwise (input, input, destination)
func.func @powf(%a0: tensor<2x4xf32>, %a1: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.powf {test.retype} ins(%a0, %a1 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @copy(
// CHECK: linalg.copy {{.*}}ins({{.*}} : tensor<2x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.copy: data_movement (input, destination)
func.func @copy(%a0: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.copy {test.retype} ins(%a0 : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

