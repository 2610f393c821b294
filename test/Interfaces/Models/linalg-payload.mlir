// Payloads written in f16: they compute in f32, on storage of f32 and of f16.
//
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=f32 | FileCheck %s --check-prefixes=CHECK,F32
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=f16 | FileCheck %s --check-prefixes=CHECK,F16

// An op that reinterprets bits sees the type that it was written for.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @bitcast
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: %[[ROUNDED:.*]] = arith.truncf %[[SUM]] : f32 to f16
// CHECK: %[[BITS:.*]] = arith.bitcast %[[ROUNDED]] : f16 to i16
// CHECK: %[[BACK:.*]] = arith.bitcast %[[BITS]] : i16 to f16
// CHECK: %[[WIDE:.*]] = arith.extf %[[BACK]] : f16 to f32
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[WIDE]], %{{.*}} : f32
// F32: linalg.yield %[[PRODUCT]] : f32
// F16: %[[RESULT:.*]] = arith.truncf %[[PRODUCT]] : f32 to f16
// F16: linalg.yield %[[RESULT]] : f16
func.func @bitcast(%a: tensor<4xf16>, %e: tensor<4xf16>) -> tensor<4xf16> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf16>) outs(%e : tensor<4xf16>) attrs = {test.retype} {
  ^bb0(%x: f16, %o: f16):
    %y = arith.addf %x, %x : f16
    %b = arith.bitcast %y : f16 to i16
    %c = arith.bitcast %b : i16 to f16
    %d = arith.mulf %c, %x : f16
    linalg.yield %d : f16
  } -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

// The body of an scf.if is lifted with the rest; a tensor that is read keeps
// its type, and what is read of it is widened.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @nested
// CHECK-SAME: %[[T:[^:]*]]: tensor<4xf16>)
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[READ:.*]] = tensor.extract %[[T]][%{{.*}}] : tensor<4xf16>
// CHECK: %[[WIDE:.*]] = arith.extf %[[READ]] : f16 to f32
// CHECK: arith.cmpf ogt, %[[X:.*]], %[[ZERO]] : f32
// CHECK: %[[IF:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK:   %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[WIDE]] : f32
// CHECK:   scf.yield %[[PRODUCT]] : f32
// CHECK: } else {
// CHECK:   scf.yield %[[ZERO]] : f32
// CHECK: }
// F32: linalg.yield %[[IF]] : f32
// F16: %[[RESULT:.*]] = arith.truncf %[[IF]] : f32 to f16
// F16: linalg.yield %[[RESULT]] : f16
func.func @nested(%a: tensor<4xf16>, %e: tensor<4xf16>, %t: tensor<4xf16>) -> tensor<4xf16> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf16>) outs(%e : tensor<4xf16>) attrs = {test.retype} {
  ^bb0(%x: f16, %o: f16):
    %z = arith.constant 0.0 : f16
    %i = linalg.index 0 : index
    %ld = tensor.extract %t[%i] : tensor<4xf16>
    %c = arith.cmpf ogt, %x, %z : f16
    %d = scf.if %c -> (f16) {
      %k = arith.mulf %x, %ld : f16
      scf.yield %k : f16
    } else {
      scf.yield %z : f16
    }
    linalg.yield %d : f16
  } -> tensor<4xf16>
  return %0 : tensor<4xf16>
}
