// What amp-apply-precision leaves about each op, in text and in bytecode; and
// nothing where it is not asked to.
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast=report=true --mlir-print-local-scope | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast=report=true --emit-bytecode \
// RUN:   | amp-opt --allow-unregistered-dialect --mlir-print-local-scope | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast | FileCheck %s --check-prefix=NONE
// NONE-NOT: amp.report

// Applying to what has nothing left keeps the report.
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast=report=true > %t.once
// RUN: amp-opt %t.once --allow-unregistered-dialect --amp-autocast=report=true > %t.twice
// RUN: diff %t.once %t.twice

// In order of the program. The second product uses the casts of the first.
// CHECK: module attributes {amp.report = [
// CHECK-SAME: #amp.op_report<"amp.autocast" in "products" at loc("{{[^#]*}}report.mlir":[[#@LINE+12]]:8), types (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>, decision <keep, {{[^#]*}} boundary>, casts ((tensor<4x4xf16>) -> tensor<4x4xf32>)>,
// CHECK-SAME: #amp.op_report<"aten.mm" in "products" named "first" at loc("first"("model.mlir":3:5)), types (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>, decision <lower_precision_fp, from (f32, f32), to (f16, f16), results (f16), compute(none), op_policy{{[^#]*}}>, casts ((tensor<4x4xf32>) -> tensor<4x4xf16>, (tensor<4x4xf32>) -> tensor<4x4xf16>)>,
// CHECK-SAME: #amp.op_report<"aten.mm" in "products" at loc({{[^#]*}}), types (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>, decision <lower_precision_fp, {{[^#]*}}>, casts ()>,
// A promotion: the operands that change their type count.
// CHECK-SAME: #amp.op_report<"aten.addcmul" in "products" at loc({{[^#]*}}), types (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>, decision <promote, {{[^#]*}}>, casts ((tensor<4x4xf16>) -> tensor<4x4xf32>, (tensor<4x4xf16>) -> tensor<4x4xf32>)>,
// CHECK-SAME: #amp.op_report<"aten.mm" in "products" at loc({{[^#]*}}), {{[^#]*}}, casts ((tensor<4x4xf32>) -> tensor<4x4xf16>)>
// A scope in which nothing changes, and a name that must be escaped.
// CHECK-SAME: #amp.op_report<"amp.autocast" in "nothing" {{[^#]*}}, casts ()>,
// CHECK-SAME: #amp.op_report<"math.exp" in "nothing" named "a \22quoted\22 <b>" at
// CHECK-SAME: decision <fallthrough, from (f32), to (f32), results (f32), compute({{[^#]*}}), scope_disabled{{[^#]*}}>, casts ()>]}

func.func @products(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %y = %b : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = "aten.mm"(%x, %y) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("first"("model.mlir":3:5))
    %2 = "aten.mm"(%x, %y) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = "aten.addcmul"(%1, %2, %x) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = "aten.mm"(%3, %y) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %4 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

func.func @nothing(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) disabled (%x = %a : tensor<4xf32>) -> tensor<4xf32> {
    %1 = math.exp %x : tensor<4xf32> loc("a \22quoted\22 <b>")
    amp.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
