// The seed's example and other cases over ops that are known by name only.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-decide-precision --amp-apply-precision | FileCheck %s

// Case 12: mm in f16, then a promotion of addcmul's three operands, f32 out.
// CHECK-LABEL: func.func @mm_then_addcmul
// CHECK-SAME:    (%[[A:[^:]*]]: tensor<4x4xf32>, %[[B:[^:]*]]: tensor<4x4xf32>, %[[C:[^:]*]]: tensor<4x4xf32>, %[[D:[^:]*]]: tensor<4x4xf32>)
func.func @mm_then_addcmul(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>, %d: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK-DAG: %[[LA:.*]] = amp.cast %[[A]] {may_elide, origin = policy} : tensor<4x4xf32> to tensor<4x4xf16>
  // CHECK-DAG: %[[LB:.*]] = amp.cast %[[B]] {may_elide, origin = policy} : tensor<4x4xf32> to tensor<4x4xf16>
  // CHECK: %[[E:.*]] = "aten.mm"(%[[LA]], %[[LB]]) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  // CHECK: %[[P:.*]]:3 = amp.promote %[[E]], %[[C]], %[[D]] : tensor<4x4xf16>, tensor<4x4xf32>, tensor<4x4xf32>
  // CHECK: %[[F:.*]] = "aten.addcmul"(%[[P]]#0, %[[P]]#1, %[[P]]#2) {value = 1.000000e-01 : f64} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: %[[X:.*]] = amp.cast %[[E]] {origin = boundary} : tensor<4x4xf16> to tensor<4x4xf32>
  // CHECK: return %[[X]], %[[F]]
  %0:2 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %y = %b : tensor<4x4xf32>, %z = %c : tensor<4x4xf32>, %w = %d : tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %e = "aten.mm"(%x, %y) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %f = "aten.addcmul"(%e, %z, %w) {value = 0.1 : f64} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %e, %f : tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %0#0, %0#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// The same disabled is the program as it was.
// CHECK-LABEL: func.func @disabled
// CHECK-SAME:    (%[[A:[^:]*]]: tensor<4x4xf32>, %[[B:[^:]*]]: tensor<4x4xf32>, %[[C:[^:]*]]: tensor<4x4xf32>, %[[D:[^:]*]]: tensor<4x4xf32>)
// CHECK-NEXT:    %[[E:.*]] = "aten.mm"(%[[A]], %[[B]]) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %[[F:.*]] = "aten.addcmul"(%[[E]], %[[C]], %[[D]]) {value = 1.000000e-01 : f64} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    return %[[E]], %[[F]]
func.func @disabled(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>, %d: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0:2 = amp.autocast device("cuda") dtype(f16) disabled (%x = %a : tensor<4x4xf32>, %y = %b : tensor<4x4xf32>, %z = %c : tensor<4x4xf32>, %w = %d : tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %e = "aten.mm"(%x, %y) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %f = "aten.addcmul"(%e, %z, %w) {value = 0.1 : f64} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %e, %f : tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %0#0, %0#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Case 13: addcmul of f64 stays f64. Case 66: in a loop, casts are inside the
// body, and what is carried around joins the initial value's type.
// CHECK-LABEL: func.func @f64_and_loop
func.func @f64_and_loop(%a: tensor<4x4xf64>, %b: tensor<4x4xf32>, %n: index, %zero: index, %one: index) -> (tensor<4x4xf64>, tensor<4x4xf32>) {
  // CHECK-NOT: amp.promote
  // CHECK: "aten.addcmul"(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  // CHECK: scf.for {{.*}} iter_args(%[[IT:.*]] = %{{.*}}) -> (tensor<4x4xf32>) {
  // CHECK:   %[[L:.*]] = amp.cast %[[IT]] {{.*}} : tensor<4x4xf32> to tensor<4x4xf16>
  // CHECK:   "aten.mm"(%[[L]], %[[L]])
  // CHECK:   amp.cast %{{.*}} : tensor<4x4xf16> to tensor<4x4xf32>
  // CHECK:   scf.yield %{{.*}} : tensor<4x4xf32>
  %0:2 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf64>, %y = %b : tensor<4x4xf32>, %l = %zero : index, %m = %n : index, %o = %one : index) -> (tensor<4x4xf64>, tensor<4x4xf32>) {
    %f = "aten.addcmul"(%x, %x, %x) : (tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
    %r = scf.for %i = %l to %m step %o iter_args(%it = %y) -> tensor<4x4xf32> {
      %e = "aten.mm"(%it, %it) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %e : tensor<4x4xf32>
    }
    amp.yield %f, %r : tensor<4x4xf64>, tensor<4x4xf32>
  }
  return %0#0, %0#1 : tensor<4x4xf64>, tensor<4x4xf32>
}

// -----

// Case 14: softmax is told f32, and an explicit dtype wins.
// CHECK-LABEL: func.func @softmax
func.func @softmax(%a: tensor<4x4xf16>) -> (tensor<4x4xf32>, tensor<4x4xf64>) {
  // CHECK: "aten.softmax.int"(%{{.*}}) {dim = 0 : i64, dtype = f32} : (tensor<4x4xf16>) -> tensor<4x4xf32>
  // CHECK: "aten.softmax.int"(%{{.*}}) {dim = 0 : i64, dtype = f64} : (tensor<4x4xf16>) -> tensor<4x4xf64>
  %0:2 = amp.autocast device("cuda") dtype(f16) results(propagate) (%x = %a : tensor<4x4xf16>) -> (tensor<4x4xf32>, tensor<4x4xf64>) {
    %e = "aten.softmax.int"(%x) {dim = 0 : i64} : (tensor<4x4xf16>) -> tensor<4x4xf32>
    %f = "aten.softmax.int"(%x) {dim = 0 : i64, dtype = f64} : (tensor<4x4xf16>) -> tensor<4x4xf64>
    amp.yield %e, %f : tensor<4x4xf32>, tensor<4x4xf64>
  }
  return %0#0, %0#1 : tensor<4x4xf32>, tensor<4x4xf64>
}

// -----

// Case 36: out= and in-place variants are other ops, which nobody lists.
// CHECK-LABEL: func.func @variants
func.func @variants(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: "aten.addmm"(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  // CHECK: "aten.addmm.out"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: "aten.addmm_"(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %e = "aten.addmm"(%x, %x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %f = "aten.addmm.out"(%x, %x, %x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %g = "aten.addmm_"(%x, %x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %g : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
