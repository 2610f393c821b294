// The cases of torch's own autocast tests that need static regions only, over
// linalg, math, arith and scf. A comment gives the number of each case in
// docs/conformance.md and what torch's test expects.
//
// RUN: amp-opt %s --amp-autocast --split-input-file | FileCheck %s

// Cases 1 and 2: mm gives f16, the sum of it f32, without a cast in between.
// CHECK-LABEL: func.func @mm_then_sum
// CHECK-SAME:    (%[[A:[^:]*]]: tensor<2x2xf32>, %[[B:[^:]*]]: tensor<2x2xf32>)
func.func @mm_then_sum(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<f32>) {
  // CHECK-DAG: %[[LA:.*]] = amp.cast %[[A]] {may_elide, origin = policy} : tensor<2x2xf32> to tensor<2x2xf16>
  // CHECK-DAG: %[[LB:.*]] = amp.cast %[[B]] {may_elide, origin = policy} : tensor<2x2xf32> to tensor<2x2xf16>
  // CHECK: %[[ACC:.*]] = linalg.matmul ins(%[[LA]], %[[LB]] : tensor<2x2xf16>, tensor<2x2xf16>) outs(%{{.*}} : tensor<2x2xf32>)
  // CHECK: %[[MM:.*]] = amp.cast %[[ACC]] {may_elide, origin = policy} : tensor<2x2xf32> to tensor<2x2xf16>
  // CHECK: linalg.reduce ins(%[[MM]] : tensor<2x2xf16>) outs(%{{.*}} : tensor<f32>)
  // CHECK: %[[X:.*]] = amp.cast %[[MM]] {origin = boundary} : tensor<2x2xf16> to tensor<2x2xf32>
  // CHECK: return %[[X]]
  %0:2 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<2x2xf32>, %y = %b : tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<f32>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x2xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
    %mm = linalg.matmul ins(%x, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
    %es = tensor.empty() : tensor<f32>
    %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<f32>) -> tensor<f32>
    %sum = linalg.reduce ins(%mm : tensor<2x2xf32>) outs(%fs : tensor<f32>) dimensions = [0, 1]
      (%in: f32, %acc: f32) {
        %s = arith.addf %in, %acc : f32
        linalg.yield %s : f32
      }
    amp.yield %mm, %sum : tensor<2x2xf32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<f32>
}

// -----

// Case 3: a bf16 region gives bf16.
// CHECK-LABEL: func.func @bf16_region
func.func @bf16_region(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %init: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x2xbf16>, tensor<2x2xbf16>) outs(%{{.*}} : tensor<2x2xf32>)
  // CHECK: amp.cast %{{.*}} {may_elide, origin = policy} : tensor<2x2xf32> to tensor<2x2xbf16>
  %0 = amp.autocast device("cuda") dtype(bf16) (%x = %a : tensor<2x2xf32>, %y = %b : tensor<2x2xf32>, %i = %init : tensor<2x2xf32>) -> tensor<2x2xf32> {
    %mm = linalg.matmul ins(%x, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%i : tensor<2x2xf32>) -> tensor<2x2xf32>
    amp.yield %mm : tensor<2x2xf32>
  }
  return %0 : tensor<2x2xf32>
}

// -----

// Case 4: a region of another device does nothing.
// CHECK-LABEL: func.func @other_device
func.func @other_device(%a: tensor<2x2xf32> {amp.device = "cpu"}, %b: tensor<2x2xf32> {amp.device = "cpu"}, %init: tensor<2x2xf32> {amp.device = "cpu"}) -> tensor<2x2xf32> {
  // CHECK-NOT: amp.cast
  // CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x2xf32>, tensor<2x2xf32>)
  // CHECK-NOT: amp.cast
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<2x2xf32>, %y = %b : tensor<2x2xf32>, %i = %init : tensor<2x2xf32>) -> tensor<2x2xf32> {
    %mm = linalg.matmul ins(%x, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%i : tensor<2x2xf32>) -> tensor<2x2xf32>
    amp.yield %mm : tensor<2x2xf32>
  }
  return %0 : tensor<2x2xf32>
}

// -----

// Case 5: a disabled region does nothing.
// CHECK-LABEL: func.func @disabled
func.func @disabled(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %init: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // CHECK-NOT: amp.cast
  // CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x2xf32>, tensor<2x2xf32>)
  // CHECK-NOT: amp.cast
  %0 = amp.autocast device("cuda") dtype(f16) disabled (%x = %a : tensor<2x2xf32>, %y = %b : tensor<2x2xf32>, %i = %init : tensor<2x2xf32>) -> tensor<2x2xf32> {
    %mm = linalg.matmul ins(%x, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%i : tensor<2x2xf32>) -> tensor<2x2xf32>
    amp.yield %mm : tensor<2x2xf32>
  }
  return %0 : tensor<2x2xf32>
}

// -----

// Case 8: f64 operands are not narrowed, and explicit conversions hold.
// CHECK-LABEL: func.func @f64_operands
// CHECK-SAME:    (%[[A:[^:]*]]: tensor<2x2xf64>, %[[C:[^:]*]]: tensor<2x2xf32>
func.func @f64_operands(%a: tensor<2x2xf64>, %c: tensor<2x2xf32>, %i64: tensor<2x2xf64>, %i32: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf64>, tensor<2x2xf64>) {
  // CHECK: %[[E64:.*]] = linalg.matmul ins(%[[A]], %[[A]] : tensor<2x2xf64>, tensor<2x2xf64>) outs(%{{.*}} : tensor<2x2xf64>)
  // CHECK: %[[E:.*]] = arith.truncf %[[E64]] : tensor<2x2xf64> to tensor<2x2xf32>
  // CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x2xf16>, tensor<2x2xf16>) outs(%{{.*}} : tensor<2x2xf32>)
  // CHECK: %[[F16:.*]] = amp.cast %{{.*}} {may_elide, origin = policy} : tensor<2x2xf32> to tensor<2x2xf16>
  // CHECK: %[[F:.*]] = arith.extf %[[F16]] : tensor<2x2xf16> to tensor<2x2xf64>
  // CHECK: %[[G:.*]] = linalg.matmul ins(%{{.*}}, %[[F]] : tensor<2x2xf64>, tensor<2x2xf64>) outs(%{{.*}} : tensor<2x2xf64>)
  // CHECK: return %[[E]], %[[F]], %[[G]]
  %0:3 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<2x2xf64>, %y = %c : tensor<2x2xf32>, %j = %i64 : tensor<2x2xf64>, %k = %i32 : tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf64>, tensor<2x2xf64>) {
    %e64 = linalg.matmul ins(%x, %x : tensor<2x2xf64>, tensor<2x2xf64>) outs(%j : tensor<2x2xf64>) -> tensor<2x2xf64>
    %e = arith.truncf %e64 : tensor<2x2xf64> to tensor<2x2xf32>
    %f32 = linalg.matmul ins(%y, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%k : tensor<2x2xf32>) -> tensor<2x2xf32>
    %f = arith.extf %f32 : tensor<2x2xf32> to tensor<2x2xf64>
    %c64 = arith.extf %y : tensor<2x2xf32> to tensor<2x2xf64>
    %g = linalg.matmul ins(%c64, %f : tensor<2x2xf64>, tensor<2x2xf64>) outs(%j : tensor<2x2xf64>) -> tensor<2x2xf64>
    amp.yield %e, %f, %g : tensor<2x2xf32>, tensor<2x2xf64>, tensor<2x2xf64>
  }
  return %0#0, %0#1, %0#2 : tensor<2x2xf32>, tensor<2x2xf64>, tensor<2x2xf64>
}

// -----

// Case 9: an operand used twice is cast once, and an f16 result not again.
// CHECK-LABEL: func.func @duplicate_operand
// CHECK-SAME:    (%[[A:[^:]*]]: tensor<2x2xf32>
func.func @duplicate_operand(%a: tensor<2x2xf32>, %init: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // CHECK: %[[LA:.*]] = amp.cast %[[A]] {{.*}} to tensor<2x2xf16>
  // CHECK-NOT: amp.cast %[[A]]
  // CHECK: linalg.matmul ins(%[[LA]], %[[LA]] :
  // CHECK: %[[E:.*]] = amp.cast %{{.*}} : tensor<2x2xf32> to tensor<2x2xf16>
  // CHECK: linalg.matmul ins(%[[E]], %[[E]] :
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<2x2xf32>, %i = %init : tensor<2x2xf32>) -> tensor<2x2xf32> {
    %zero = arith.constant dense<0.0> : tensor<2x2xf32>
    %e = linalg.matmul ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
    %f = linalg.matmul ins(%e, %e : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
    amp.yield %f : tensor<2x2xf32>
  }
  return %0 : tensor<2x2xf32>
}

// -----

// Cases 10 and 11: log of f16 runs in f32, that of f64 stays f64.
// CHECK-LABEL: func.func @log
// CHECK-SAME:    (%[[A:[^:]*]]: tensor<2x2xf16>, %[[B:[^:]*]]: tensor<2x2xf64>)
func.func @log(%a: tensor<2x2xf16>, %b: tensor<2x2xf64>) -> (tensor<2x2xf16>, tensor<2x2xf64>) {
  // CHECK: %[[WA:.*]] = amp.cast %[[A]] {{.*}} : tensor<2x2xf16> to tensor<2x2xf32>
  // CHECK: %[[L:.*]] = math.log %[[WA]] : tensor<2x2xf32>
  // CHECK: math.log %[[B]] : tensor<2x2xf64>
  // CHECK: amp.cast %[[L]] {origin = boundary} : tensor<2x2xf32> to tensor<2x2xf16>
  %0:2 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<2x2xf16>, %y = %b : tensor<2x2xf64>) -> (tensor<2x2xf16>, tensor<2x2xf64>) {
    %l = math.log %x : tensor<2x2xf16>
    %m = math.log %y : tensor<2x2xf64>
    amp.yield %l, %m : tensor<2x2xf16>, tensor<2x2xf64>
  }
  return %0#0, %0#1 : tensor<2x2xf16>, tensor<2x2xf64>
}

// -----

// Cases 12 and 13, with atan2 for addcmul (addcmul itself is in
// named-ops.mlir): mixed operands run in the widest type, f64 stays out.
// CHECK-LABEL: func.func @promote
func.func @promote(%a: tensor<2x2xf32>, %d: tensor<2x2xf64>) -> (tensor<2x2xf32>, tensor<2x2xf64>) {
  // CHECK: %[[MM:.*]] = linalg.matmul
  // CHECK: %[[E:.*]] = amp.cast %[[MM]] {{.*}} : tensor<2x2xf32> to tensor<2x2xf16>
  // CHECK: %[[W:.*]] = amp.cast %[[E]] {may_elide, origin = promotion} : tensor<2x2xf16> to tensor<2x2xf32>
  // CHECK: math.atan2 %[[W]], %{{.*}} : tensor<2x2xf32>
  // CHECK: math.atan2 %[[D:.*]], %[[D]] : tensor<2x2xf64>
  %0:2 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<2x2xf32>, %y = %d : tensor<2x2xf64>) -> (tensor<2x2xf32>, tensor<2x2xf64>) {
    %zero = arith.constant dense<0.0> : tensor<2x2xf32>
    %e = linalg.matmul ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
    %f = math.atan2 %e, %x : tensor<2x2xf32>
    %g = math.atan2 %y, %y : tensor<2x2xf64>
    amp.yield %f, %g : tensor<2x2xf32>, tensor<2x2xf64>
  }
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<2x2xf64>
}

// -----

// Cases 14, 15 and 48: softmax of f16 runs in f32, that of f64 in f64.
// CHECK-LABEL: func.func @softmax_cuda
func.func @softmax_cuda(%a: tensor<2x2xf16>, %b: tensor<2x2xf64>) -> (tensor<2x2xf16>, tensor<2x2xf64>) {
  // CHECK: linalg.softmax dimension(0) ins(%{{.*}} : tensor<2x2xf32>) outs(%{{.*}} : tensor<2x2xf32>)
  // CHECK: linalg.softmax dimension(0) ins(%{{.*}} : tensor<2x2xf64>) outs(%{{.*}} : tensor<2x2xf64>)
  %0:2 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<2x2xf16>, %y = %b : tensor<2x2xf64>) -> (tensor<2x2xf16>, tensor<2x2xf64>) {
    %e = tensor.empty() : tensor<2x2xf16>
    %s = linalg.softmax dimension(0) ins(%x : tensor<2x2xf16>) outs(%e : tensor<2x2xf16>) -> tensor<2x2xf16>
    %ed = tensor.empty() : tensor<2x2xf64>
    %sd = linalg.softmax dimension(0) ins(%y : tensor<2x2xf64>) outs(%ed : tensor<2x2xf64>) -> tensor<2x2xf64>
    amp.yield %s, %sd : tensor<2x2xf16>, tensor<2x2xf64>
  }
  return %0#0, %0#1 : tensor<2x2xf16>, tensor<2x2xf64>
}

// -----

// Case 16: a value that both branches give in f16 is f16 after them.
// CHECK-LABEL: func.func @branches
func.func @branches(%a: tensor<2x2xf32>, %c: i1, %one: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // CHECK: %[[E:.*]] = scf.if %{{.*}} -> (tensor<2x2xf16>) {
  // CHECK:   linalg.matmul
  // CHECK:   scf.yield %{{.*}} : tensor<2x2xf16>
  // CHECK: } else {
  // CHECK:   linalg.matmul
  // CHECK:   scf.yield %{{.*}} : tensor<2x2xf16>
  // CHECK: }
  // CHECK: linalg.matmul ins(%{{.*}}, %[[E]] : tensor<2x2xf16>, tensor<2x2xf16>)
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<2x2xf32>, %flag = %c : i1) -> tensor<2x2xf32> {
    %zero = arith.constant dense<0.0> : tensor<2x2xf32>
    %e = scf.if %flag -> (tensor<2x2xf32>) {
      %t = linalg.matmul ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.yield %t : tensor<2x2xf32>
    } else {
      %f = linalg.matmul ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.yield %f : tensor<2x2xf32>
    }
    %g = linalg.matmul ins(%x, %e : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
    amp.yield %g : tensor<2x2xf32>
  }
  return %0 : tensor<2x2xf32>
}

// -----

// Case 17: branches whose types differ join, with a cast in the narrow one.
// CHECK-LABEL: func.func @diverging_branches
func.func @diverging_branches(%a: tensor<2x2xf32>, %c: i1) -> tensor<2x2xf32> {
  // CHECK: scf.if %{{.*}} -> (tensor<2x2xf32>) {
  // CHECK:   %[[MM:.*]] = linalg.matmul
  // CHECK:   %[[T:.*]] = amp.cast %[[MM]] {{.*}} : tensor<2x2xf32> to tensor<2x2xf16>
  // CHECK:   %[[W:.*]] = amp.cast %[[T]] {{.*}} : tensor<2x2xf16> to tensor<2x2xf32>
  // CHECK:   scf.yield %[[W]] : tensor<2x2xf32>
  // CHECK: } else {
  // CHECK:   math.exp
  // CHECK:   scf.yield %{{.*}} : tensor<2x2xf32>
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<2x2xf32>, %flag = %c : i1) -> tensor<2x2xf32> {
    %zero = arith.constant dense<0.0> : tensor<2x2xf32>
    %e = scf.if %flag -> (tensor<2x2xf32>) {
      %t = linalg.matmul ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.yield %t : tensor<2x2xf32>
    } else {
      %f = math.exp %x : tensor<2x2xf32>
      scf.yield %f : tensor<2x2xf32>
    }
    amp.yield %e : tensor<2x2xf32>
  }
  return %0 : tensor<2x2xf32>
}

// -----

// Case 18: regions in the branches, on in one and off in the other; outside,
// mm takes the type of what comes out.
// CHECK-LABEL: func.func @regions_in_branches
func.func @regions_in_branches(%a: tensor<2x2xf32>, %c: i1) -> tensor<2x2xf32> {
  // CHECK: %[[E:.*]] = scf.if %{{.*}} -> (tensor<2x2xf32>) {
  // CHECK:   linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x2xf16>, tensor<2x2xf16>)
  // CHECK: } else {
  // CHECK:   linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x2xf32>, tensor<2x2xf32>)
  // CHECK: }
  // CHECK: linalg.matmul ins(%[[E]], %[[E]] : tensor<2x2xf32>, tensor<2x2xf32>)
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %e = scf.if %c -> (tensor<2x2xf32>) {
    %t = amp.autocast device("cuda") dtype(f16) results(propagate) (%x = %a : tensor<2x2xf32>, %z = %zero : tensor<2x2xf32>) -> tensor<2x2xf32> {
      %mm = linalg.matmul ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
      amp.yield %mm : tensor<2x2xf32>
    }
    scf.yield %t : tensor<2x2xf32>
  } else {
    %f = amp.autocast device("cuda") dtype(f16) disabled results(propagate) (%x = %a : tensor<2x2xf32>, %z = %zero : tensor<2x2xf32>) -> tensor<2x2xf32> {
      %mm = linalg.matmul ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
      amp.yield %mm : tensor<2x2xf32>
    }
    scf.yield %f : tensor<2x2xf32>
  }
  %g = linalg.matmul ins(%e, %e : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %g : tensor<2x2xf32>
}

// -----

// Case 21: of two regions, the innermost decides.
// CHECK-LABEL: func.func @innermost
func.func @innermost(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x2xf16>, tensor<2x2xf16>)
  %0 = amp.autocast device("cuda") dtype(f16) disabled (%x = %a : tensor<2x2xf32>) -> tensor<2x2xf32> {
    %1 = amp.autocast device("cuda") dtype(f16) (%y = %x : tensor<2x2xf32>) -> tensor<2x2xf32> {
      %zero = arith.constant dense<0.0> : tensor<2x2xf32>
      %mm = linalg.matmul ins(%y, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
      amp.yield %mm : tensor<2x2xf32>
    }
    amp.yield %1 : tensor<2x2xf32>
  }
  return %0 : tensor<2x2xf32>
}

// -----

// Cases 22 and 24: nested regions with one state; after them mm of f16 values
// stays f16, though no region is open.
// CHECK-LABEL: func.func @nested
func.func @nested(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // CHECK-COUNT-4: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x2xf16>, tensor<2x2xf16>) outs(%{{.*}} : tensor<2x2xf32>)
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %0:2 = amp.autocast device("cuda") dtype(f16) results(propagate) (%x = %a : tensor<2x2xf32>, %z = %zero : tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
    %e = linalg.matmul ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
    %1 = amp.autocast device("cuda") dtype(f16) results(propagate) (%y = %x : tensor<2x2xf32>, %zz = %z : tensor<2x2xf32>) -> tensor<2x2xf32> {
      %d = linalg.matmul ins(%y, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zz : tensor<2x2xf32>) -> tensor<2x2xf32>
      %f = linalg.matmul ins(%y, %d : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zz : tensor<2x2xf32>) -> tensor<2x2xf32>
      amp.yield %f : tensor<2x2xf32>
    }
    amp.yield %e, %1 : tensor<2x2xf32>, tensor<2x2xf32>
  }
  %g = linalg.matmul ins(%0#0, %0#1 : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %g : tensor<2x2xf32>
}

// -----

// Case 27: a callee with a region of its own keeps it. Cases 29 and 33: one
// without runs as the caller does.
// CHECK-LABEL: func.func @calls
func.func @calls(%a: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  // CHECK: call @with_region(%{{.*}}) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK: call @without_region(%{{.*}}) : (tensor<2x2xf32>) -> tensor<2x2xf16>
  // CHECK: return
  %0:2 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
    %1 = func.call @with_region(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %2 = func.call @without_region(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    amp.yield %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>
  }
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<2x2xf32>
}
// CHECK-LABEL: func.func private @with_region
// CHECK-NOT:     amp.cast
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x2xf32>, tensor<2x2xf32>)
func.func private @with_region(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) disabled (%x = %a : tensor<2x2xf32>) -> tensor<2x2xf32> {
    %zero = arith.constant dense<0.0> : tensor<2x2xf32>
    %mm = linalg.matmul ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
    amp.yield %mm : tensor<2x2xf32>
  }
  return %0 : tensor<2x2xf32>
}
// CHECK-LABEL: func.func private @without_region
// CHECK-SAME:    -> tensor<2x2xf16>
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x2xf16>, tensor<2x2xf16>)
func.func private @without_region(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %mm = linalg.matmul ins(%a, %a : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %mm : tensor<2x2xf32>
}

// -----

// Cases 37 and 39: nested regions of two devices; each op follows the device of
// its operands.
// CHECK-LABEL: func.func @two_devices
func.func @two_devices(%a: tensor<2x2xf32> {amp.device = "cpu"}, %b: tensor<2x2xf32> {amp.device = "cuda"}) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  // CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x2xbf16>, tensor<2x2xbf16>)
  // CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x2xf16>, tensor<2x2xf16>)
  %0:2 = amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<2x2xf32>, %y = %b : tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
    %1:2 = amp.autocast device("cuda") dtype(f16) (%v = %x : tensor<2x2xf32>, %w = %y : tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
      %zero = arith.constant dense<0.0> : tensor<2x2xf32>
      %mm0 = linalg.matmul ins(%v, %v : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
      %mm1 = linalg.matmul ins(%w, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
      amp.yield %mm0, %mm1 : tensor<2x2xf32>, tensor<2x2xf32>
    }
    amp.yield %1#0, %1#1 : tensor<2x2xf32>, tensor<2x2xf32>
  }
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<2x2xf32>
}

// -----

// Case 47: on the CPU softmax is not listed: bf16 stays bf16.
// CHECK-LABEL: func.func @softmax_cpu
func.func @softmax_cpu(%a: tensor<2x2xbf16>) -> tensor<2x2xbf16> {
  // CHECK-NOT: amp.cast
  // CHECK: linalg.softmax dimension(0) ins(%{{.*}} : tensor<2x2xbf16>) outs(%{{.*}} : tensor<2x2xbf16>)
  %0 = amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<2x2xbf16>) -> tensor<2x2xbf16> {
    %e = tensor.empty() : tensor<2x2xbf16>
    %s = linalg.softmax dimension(0) ins(%x : tensor<2x2xbf16>) outs(%e : tensor<2x2xbf16>) -> tensor<2x2xbf16>
    amp.yield %s : tensor<2x2xbf16>
  }
  return %0 : tensor<2x2xbf16>
}
