// What the models say of each op of arith, and each op retyped on its own.
//
// RUN: amp-opt %s -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s -test-amp-precision-retype=to=f16 | FileCheck %s
// RUN: amp-opt %s -test-amp-precision-retype=to=f8E5M2 | FileCheck %s --check-prefix=F8

// The operands are cast down, the op runs in f16, and its result is cast back.
// CHECK-LABEL: func.func @binary
// CHECK-SAME: %[[X:.*]]: tensor<4x?xf32>, %[[Y:.*]]: tensor<4x?xf32>
// CHECK-DAG: %[[XH:.*]] = amp.cast %[[X]] : tensor<4x?xf32> to tensor<4x?xf16>
// CHECK-DAG: %[[YH:.*]] = amp.cast %[[Y]] : tensor<4x?xf32> to tensor<4x?xf16>
// CHECK: %[[SUM:.*]] = arith.addf %[[XH]], %[[YH]] : tensor<4x?xf16>
// CHECK: %[[BACK:.*]] = amp.cast %[[SUM]] : tensor<4x?xf16> to tensor<4x?xf32>
// CHECK: return %[[BACK]]
// F8-LABEL: func.func @binary
// F8: arith.addf {{.*}} : tensor<4x?xf8E5M2>
func.func @binary(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>) -> tensor<4x?xf32> {
  // Dynamic extents: no flops, no bytes.
  // MODEL: remark: arith.addf: elementwise (input, input){{$}}
  %0 = arith.addf %x, %y {test.retype} : tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @arithmetic
// CHECK: arith.addf {{.*}} : vector<4xf16>
// CHECK: arith.divf {{.*}} : vector<4xf16>
// CHECK: arith.maximumf {{.*}} : vector<4xf16>
// CHECK: arith.maxnumf {{.*}} : vector<4xf16>
// CHECK: arith.minimumf {{.*}} : vector<4xf16>
// CHECK: arith.minnumf {{.*}} : vector<4xf16>
// CHECK: arith.mulf {{.*}} : vector<4xf16>
// CHECK: arith.remf {{.*}} : vector<4xf16>
// CHECK: arith.subf {{.*}} : vector<4xf16>
// CHECK: arith.negf {{.*}} : vector<4xf16>
func.func @arithmetic(%x: vector<4xf32>, %y: vector<4xf32>) {
  // MODEL: remark: arith.addf: elementwise (input, input) flops 4 bytes 48
  %0 = arith.addf %x, %y {test.retype} : vector<4xf32>
  // MODEL: remark: arith.divf: elementwise (input, input) flops 4 bytes 48
  %1 = arith.divf %x, %y {test.retype} : vector<4xf32>
  // MODEL: remark: arith.maximumf: elementwise (input, input) flops 4 bytes 48
  %2 = arith.maximumf %x, %y {test.retype} : vector<4xf32>
  // MODEL: remark: arith.maxnumf: elementwise (input, input) flops 4 bytes 48
  %3 = arith.maxnumf %x, %y {test.retype} : vector<4xf32>
  // MODEL: remark: arith.minimumf: elementwise (input, input) flops 4 bytes 48
  %4 = arith.minimumf %x, %y {test.retype} : vector<4xf32>
  // MODEL: remark: arith.minnumf: elementwise (input, input) flops 4 bytes 48
  %5 = arith.minnumf %x, %y {test.retype} : vector<4xf32>
  // MODEL: remark: arith.mulf: elementwise (input, input) flops 4 bytes 48
  %6 = arith.mulf %x, %y {test.retype} : vector<4xf32>
  // MODEL: remark: arith.remf: elementwise (input, input) flops 4 bytes 48
  %7 = arith.remf %x, %y {test.retype} : vector<4xf32>
  // MODEL: remark: arith.subf: elementwise (input, input) flops 4 bytes 48
  %8 = arith.subf %x, %y {test.retype} : vector<4xf32>
  // MODEL: remark: arith.negf: elementwise (input) flops 4 bytes 32
  %9 = arith.negf %x {test.retype} : vector<4xf32>
  return
}

// A scalar is in a register: it moves no bytes. Fast-math flags stay.
// CHECK-LABEL: func.func @scalar
// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<nnan> : f16
func.func @scalar(%x: f32, %y: f32) {
  // MODEL: remark: arith.mulf: elementwise (input, input) flops 1 bytes 0
  %0 = arith.mulf %x, %y fastmath<nnan> {test.retype} : f32
  return
}

// The results of a comparison and the condition of a select are no floats.
// CHECK-LABEL: func.func @compare
// CHECK: %[[LESS:.*]] = arith.cmpf olt, %{{.*}}, %{{.*}} : tensor<4xf16>
// CHECK-NOT: amp.cast %[[LESS]]
// CHECK: arith.select %[[LESS]], %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xf16>
func.func @compare(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // MODEL: remark: arith.cmpf: elementwise (input, input) bytes 33
  %0 = arith.cmpf olt, %x, %y {test.retype} : tensor<4xf32>
  // MODEL: remark: arith.select: elementwise (ignored, input, input) bytes 49
  %1 = arith.select %0, %x, %y {test.retype} : tensor<4xi1>, tensor<4xf32>
  return %1 : tensor<4xf32>
}

// A select of integers has nothing to retype.
// CHECK-LABEL: func.func @select_int
// CHECK-NEXT: arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
func.func @select_int(%c: i1, %x: i32, %y: i32) -> i32 {
  // MODEL: remark: arith.select: elementwise (ignored, ignored, ignored) bytes 0
  %0 = arith.select %c, %x, %y {test.retype} : i32
  return %0 : i32
}

// The program names the result's type of a cast. Where the operand comes in a
// type that the op cannot take, an amp.cast takes its place.
// CHECK-LABEL: func.func @casts
// CHECK: %[[SAME:.*]] = amp.cast %{{.*}} {rounding = toward_zero} : tensor<4xf16> to tensor<4xf16>
// CHECK: %[[ACROSS:.*]] = amp.cast %{{.*}} : tensor<4xf16> to tensor<4xbf16>
// CHECK: %[[NARROW:.*]] = arith.truncf %{{.*}} : tensor<4xf16> to tensor<4xf8E4M3FN>
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : tensor<4xf16> to tensor<4xf64>
// CHECK: return %[[SAME]], %[[ACROSS]], %[[NARROW]], %[[WIDE]]
// F8-LABEL: func.func @casts
// F8: amp.cast %{{.*}} {rounding = toward_zero} : tensor<4xf8E5M2> to tensor<4xf16>
// F8: amp.cast %{{.*}} : tensor<4xf8E5M2> to tensor<4xbf16>
// F8: amp.cast %{{.*}} : tensor<4xf8E5M2> to tensor<4xf8E4M3FN>
// F8: arith.extf %{{.*}} : tensor<4xf8E5M2> to tensor<4xf64>
func.func @casts(%x: tensor<4xf32>)
    -> (tensor<4xf16>, tensor<4xbf16>, tensor<4xf8E4M3FN>, tensor<4xf64>) {
  // MODEL: remark: arith.truncf: cast (input) bytes 24
  %0 = arith.truncf %x toward_zero {test.retype} : tensor<4xf32> to tensor<4xf16>
  %1 = arith.truncf %x {test.retype} : tensor<4xf32> to tensor<4xbf16>
  %2 = arith.truncf %x {test.retype} : tensor<4xf32> to tensor<4xf8E4M3FN>
  // MODEL: remark: arith.extf: cast (input) bytes 48
  %3 = arith.extf %x {test.retype} : tensor<4xf32> to tensor<4xf64>
  return %0, %1, %2, %3 : tensor<4xf16>, tensor<4xbf16>, tensor<4xf8E4M3FN>, tensor<4xf64>
}

// An extf whose operand comes in a wider type than the result.
// CHECK-LABEL: func.func @ext_of_wider
// CHECK: amp.cast %{{.*}} : f16 to f16
func.func @ext_of_wider(%x: f8E5M2) -> f16 {
  // MODEL: remark: arith.extf: cast (input)
  %0 = arith.extf %x {test.retype} : f8E5M2 to f16
  return %0 : f16
}

// CHECK-LABEL: func.func @int_casts
// CHECK: arith.fptosi %{{.*}} : f16 to i32
// CHECK: arith.fptoui %{{.*}} : f16 to i32
// CHECK: arith.sitofp %{{.*}} : i32 to f32
// CHECK: arith.uitofp %{{.*}} : i32 to f32
func.func @int_casts(%x: f32, %i: i32) -> (i32, i32, f32, f32) {
  // MODEL: remark: arith.fptosi: cast (input)
  %0 = arith.fptosi %x {test.retype} : f32 to i32
  // MODEL: remark: arith.fptoui: cast (input)
  %1 = arith.fptoui %x {test.retype} : f32 to i32
  // MODEL: remark: arith.sitofp: cast (ignored)
  %2 = arith.sitofp %i {test.retype} : i32 to f32
  // MODEL: remark: arith.uitofp: cast (ignored)
  %3 = arith.uitofp %i {test.retype} : i32 to f32
  return %0, %1, %2, %3 : i32, i32, f32, f32
}

// A constant is rounded, to nearest even: 1 + 2^-11 is a tie. 1e6 is beyond the
// range of f16. A resource is not in the IR, so it stays.
// CHECK-LABEL: func.func @constants
// CHECK: %[[SCALAR:.*]] = arith.constant 1.000000e+00 : f16
// CHECK: amp.cast %[[SCALAR]] : f16 to f32
// CHECK: arith.constant dense<[1.000000e+00, 0x7C00, -0.000000e+00]> : tensor<3xf16>
// CHECK: arith.constant dense<9.997550e-02> : vector<2xf16>
// CHECK: arith.constant dense_resource<weights> : tensor<1xf32>
// CHECK: arith.constant 3 : i32
func.func @constants() {
  // MODEL: remark: arith.constant: generator () bytes 0
  %0 = arith.constant {test.retype} 1.00048828125 : f32
  // MODEL: remark: arith.constant: generator () bytes 12
  %1 = arith.constant {test.retype} dense<[1.0, 1.0e6, -0.0]> : tensor<3xf32>
  %2 = arith.constant {test.retype} dense<0.1> : vector<2xf32>
  %3 = arith.constant {test.retype} dense_resource<weights> : tensor<1xf32>
  %4 = arith.constant {test.retype} 3 : i32
  return
}

// CHECK-LABEL: func.func @pinned
// CHECK-NOT: amp.cast
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: arith.scaling_extf %{{.*}}, %{{.*}} : f4E2M1FN, f8E8M0FNU to f32
// CHECK: arith.scaling_truncf %{{.*}}, %{{.*}} : f32, f8E8M0FNU to f4E2M1FN
func.func @pinned(%x: f32, %n: f4E2M1FN, %s: f8E8M0FNU) -> (i32, f32, f4E2M1FN) {
  // MODEL: remark: arith.bitcast: pinned (pinned)
  %0 = arith.bitcast %x {test.retype} : f32 to i32
  // MODEL: remark: arith.scaling_extf: pinned (ignored, pinned)
  %1 = arith.scaling_extf %n, %s {test.retype} : f4E2M1FN, f8E8M0FNU to f32
  // MODEL: remark: arith.scaling_truncf: pinned (pinned, pinned)
  %2 = arith.scaling_truncf %x, %s {test.retype} : f32, f8E8M0FNU to f4E2M1FN
  return %0, %1, %2 : i32, f32, f4E2M1FN
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F"
    }
  }
#-}
