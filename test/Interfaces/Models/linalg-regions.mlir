// Named ops whose payload the program writes: linalg.reduce and linalg.map.
//
// RUN: amp-opt %s --split-input-file -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=f16 | FileCheck %s --check-prefixes=CHECK,F16 -D$TYPE=f16
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=bf16 | FileCheck %s -D$TYPE=bf16

// A sum adds in f32 and gives it.
// MODEL: remark: linalg.reduce: reduction (input, accumulator) payload arith.addf mixed free depth 8 flops 32 bytes 80
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %{{[^:]*}}: tensor<4x8xf16>, %[[O:[^:]*]]: tensor<4xf16>
// CHECK: %[[ACC:.*]] = amp.cast %[[O]] : tensor<4xf16> to tensor<4xf32>
// CHECK: %[[R:.*]] = linalg.reduce ins(%{{.*}} : tensor<4x8x[[$TYPE]]>) outs(%[[ACC]] : tensor<4xf32>) dimensions = [1]
// CHECK: (%[[X:.*]]: [[$TYPE]], %[[S:.*]]: f32) {
// CHECK: %[[W:.*]] = arith.extf %[[X]] : [[$TYPE]] to f32
// CHECK: %[[N:.*]] = arith.addf %[[W]], %[[S]] : f32
// CHECK: linalg.yield %[[N]] : f32
// CHECK: amp.cast %[[R]] : tensor<4xf32> to tensor<4xf16>
func.func @sum(%a: tensor<4x8xf16>, %o: tensor<4xf16>) -> tensor<4xf16> {
  %0 = linalg.reduce ins(%a : tensor<4x8xf16>) outs(%o : tensor<4xf16>) dimensions = [1] {test.retype}
    (%x: f16, %s: f16) {
      %n = arith.addf %x, %s : f16
      linalg.yield %n : f16
    }
  return %0 : tensor<4xf16>
}

// -----

// A maximum is exact in every type: it stays in the one it is given.
// MODEL: remark: linalg.reduce: selection (input, accumulator) payload arith.maximumf mixed free depth 8 flops 32 bytes 80
// CHECK-LABEL: func.func @max(
// CHECK: linalg.reduce ins(%{{.*}} : tensor<4x8x[[$TYPE]]>) outs(%{{.*}} : tensor<4x[[$TYPE]]>) dimensions = [1]
// CHECK: (%[[X:.*]]: [[$TYPE]], %[[S:.*]]: [[$TYPE]]) {
// F16-NEXT: %[[N:.*]] = arith.maximumf %[[X]], %[[S]] : f16
// F16-NEXT: linalg.yield %[[N]] : f16
func.func @max(%a: tensor<4x8xf16>, %o: tensor<4xf16>) -> tensor<4xf16> {
  %0 = linalg.reduce ins(%a : tensor<4x8xf16>) outs(%o : tensor<4xf16>) dimensions = [1] {test.retype}
    (%x: f16, %s: f16) {
      %n = arith.maximumf %x, %s : f16
      linalg.yield %n : f16
    }
  return %0 : tensor<4xf16>
}

// -----

// The same, written in f32: the type of the storage and of the result follows.
// MODEL: remark: linalg.reduce: selection (input, accumulator) payload arith.maximumf mixed free depth 8 flops 32 bytes 160
// CHECK-LABEL: func.func @wide_max(
// CHECK: linalg.reduce ins(%{{.*}} : tensor<4x8x[[$TYPE]]>) outs(%{{.*}} : tensor<4x[[$TYPE]]>) dimensions = [1]
// CHECK: (%[[X:.*]]: [[$TYPE]], %[[S:.*]]: [[$TYPE]]) {
// CHECK-DAG: %[[WX:.*]] = arith.extf %[[X]] : [[$TYPE]] to f32
// CHECK-DAG: %[[WS:.*]] = arith.extf %[[S]] : [[$TYPE]] to f32
// CHECK: %[[N:.*]] = arith.maximumf %[[WX]], %[[WS]] : f32
// CHECK: %[[R:.*]] = arith.truncf %[[N]] : f32 to [[$TYPE]]
// CHECK: linalg.yield %[[R]] : [[$TYPE]]
func.func @wide_max(%a: tensor<4x8xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.reduce ins(%a : tensor<4x8xf32>) outs(%o : tensor<4xf32>) dimensions = [1] {test.retype}
    (%x: f32, %s: f32) {
      %n = arith.maximumf %x, %s : f32
      linalg.yield %n : f32
    }
  return %0 : tensor<4xf32>
}

// -----

// The sum and the count of one pass: only floats are retyped.
// MODEL: remark: linalg.reduce: reduction (input, ignored, accumulator, ignored) payload arith.addf, arith.addi mixed
// CHECK-LABEL: func.func @sum_and_count(
// CHECK: linalg.reduce ins(%{{.*}}, %{{.*}} : tensor<4x8x[[$TYPE]]>, tensor<4x8xi32>) outs(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xi32>) dimensions = [1]
// CHECK: (%[[X:.*]]: [[$TYPE]], %[[I:.*]]: i32, %[[S:.*]]: f32, %[[C:.*]]: i32) {
// CHECK: %[[W:.*]] = arith.extf %[[X]] : [[$TYPE]] to f32
// CHECK: %[[N:.*]] = arith.addf %[[W]], %[[S]] : f32
// CHECK: %[[M:.*]] = arith.addi %[[I]], %[[C]] : i32
// CHECK: linalg.yield %[[N]], %[[M]] : f32, i32
func.func @sum_and_count(%a: tensor<4x8xf32>, %b: tensor<4x8xi32>, %o: tensor<4xf32>, %p: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0:2 = linalg.reduce ins(%a, %b : tensor<4x8xf32>, tensor<4x8xi32>) outs(%o, %p : tensor<4xf32>, tensor<4xi32>) dimensions = [1] {test.retype}
    (%x: f32, %i: i32, %s: f32, %c: i32) {
      %n = arith.addf %x, %s : f32
      %m = arith.addi %i, %c : i32
      linalg.yield %n, %m : f32, i32
    }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}

// -----

// A map computes in the type that the payload was written for, and rounds once.
// MODEL: remark: linalg.map: elementwise (input, input, destination) payload arith.mulf, math.sin mixed flops 8 bytes 48
// CHECK-LABEL: func.func @map(
// CHECK: linalg.map ins(%{{.*}}, %{{.*}} : tensor<4x[[$TYPE]]>, tensor<4x[[$TYPE]]>) outs(%{{.*}} : tensor<4x[[$TYPE]]>)
// CHECK: (%[[X:.*]]: [[$TYPE]], %[[Y:.*]]: [[$TYPE]], %{{.*}}: [[$TYPE]]) {
// CHECK-DAG: %[[WX:.*]] = arith.extf %[[X]] : [[$TYPE]] to f32
// CHECK-DAG: %[[WY:.*]] = arith.extf %[[Y]] : [[$TYPE]] to f32
// CHECK: %[[M:.*]] = arith.mulf %[[WX]], %[[WY]] : f32
// CHECK: %[[S:.*]] = math.sin %[[M]] : f32
// CHECK: %[[R:.*]] = arith.truncf %[[S]] : f32 to [[$TYPE]]
// CHECK: linalg.yield %[[R]] : [[$TYPE]]
func.func @map(%a: tensor<4xf32>, %b: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.map ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) {test.retype}
    (%x: f32, %y: f32, %out: f32) {
      %m = arith.mulf %x, %y : f32
      %s = math.sin %m : f32
      linalg.yield %s : f32
    }
  return %0 : tensor<4xf32>
}

// -----

// A map of no inputs makes its elements.
// MODEL: remark: linalg.map: generator (destination)
// CHECK-LABEL: func.func @map_of_nothing(
// CHECK: linalg.map outs(%{{.*}} : tensor<4x[[$TYPE]]>)
// CHECK: %[[I:.*]] = linalg.index 0 : index
// CHECK: %[[C:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK: %[[F:.*]] = arith.sitofp %[[C]] : i32 to f32
// CHECK: %[[R:.*]] = arith.truncf %[[F]] : f32 to [[$TYPE]]
// CHECK: linalg.yield %[[R]] : [[$TYPE]]
func.func @map_of_nothing(%o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.map outs(%o : tensor<4xf32>) {test.retype}
    (%out: f32) {
      %i = linalg.index 0 : index
      %c = arith.index_cast %i : index to i32
      %f = arith.sitofp %c : i32 to f32
      linalg.yield %f : f32
    }
  return %0 : tensor<4xf32>
}
