// RUN: amp-opt %s --amp-cpu-lower-observations | FileCheck %s

// One declaration for each type, which only reads; 8-bit floats are widened.
// CHECK-DAG: func.func private @amp_observe_f64(i64, tensor<*xf64> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
// CHECK-DAG: func.func private @amp_observe_f32(i64, tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
// CHECK-DAG: func.func private @amp_observe_f16(i64, tensor<*xf16> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
// CHECK-DAG: func.func private @amp_observe_bf16(i64, tensor<*xbf16> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

// CHECK-LABEL: func.func @types
// CHECK: %[[SLOT:.*]] = arith.constant 5 : i64
// CHECK: %[[CAST:.*]] = tensor.cast %{{.*}} : tensor<?xf64> to tensor<*xf64>
// CHECK: call @amp_observe_f64(%[[SLOT]], %[[CAST]])
// CHECK: call @amp_observe_f32
// CHECK: call @amp_observe_f16
// CHECK: call @amp_observe_bf16
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : tensor<4xf8E4M3FN> to tensor<4xf32>
// CHECK: tensor.cast %[[WIDE]]
// CHECK: call @amp_observe_f32
// CHECK-NOT: amp.observe
func.func @types(%a: tensor<?xf64>, %b: tensor<f32>, %c: tensor<4xf16>, %d: tensor<4xbf16>, %e: tensor<4xf8E4M3FN>) {
  amp.observe "types:0" slot(5) %a : tensor<?xf64>
  amp.observe "types:1" slot(1) %b : tensor<f32>
  amp.observe "types:2" slot(2) %c : tensor<4xf16>
  amp.observe "types:3" slot(3) %d : tensor<4xbf16>
  amp.observe "types:4" slot(4) %e : tensor<4xf8E4M3FN>
  return
}
