// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-decide-precision --amp-apply-precision | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-decide-precision --amp-apply-precision=share-casts=false | FileCheck %s --check-prefix=UNSHARED
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-decide-precision --amp-apply-precision=rounding=exact | FileCheck %s --check-prefix=EXACT
//
// Applying again changes nothing: no scope and no decision is left.
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-decide-precision --amp-apply-precision > %t.once
// RUN: amp-opt %t.once --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-decide-precision --amp-apply-precision > %t.twice
// RUN: diff %t.once %t.twice

// CHECK-NOT: amp.autocast
// CHECK-NOT: amp.decision

// A value is cast once for all its users, in nested blocks too; without
// sharing, once for each user.
// CHECK-LABEL: func.func @sharing
// CHECK-SAME:    (%[[A:[^:]*]]: tensor<4x4xf32>
// CHECK:         %[[L:.*]] = amp.cast %[[A]] {may_elide, origin = policy} : tensor<4x4xf32> to tensor<4x4xf16>
// CHECK-NOT:     amp.cast %[[A]]
// CHECK:         "aten.mm"(%[[L]], %[[L]])
// CHECK:         scf.if
// CHECK:           "aten.mm"(%[[L]],
// UNSHARED-LABEL: func.func @sharing
// UNSHARED-SAME:    (%[[A:[^:]*]]: tensor<4x4xf32>
// UNSHARED-COUNT-4: amp.cast %[[A]] {may_elide, origin = policy} : tensor<4x4xf32> to tensor<4x4xf16>
// EXACT-LABEL: func.func @sharing
// EXACT-SAME:    (%[[A:[^:]*]]: tensor<4x4xf32>
// EXACT:         amp.cast %[[A]] {origin = policy} : tensor<4x4xf32> to tensor<4x4xf16>
func.func @sharing(%a: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %flag = %c : i1) -> tensor<4x4xf32> {
    %mm = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %r = scf.if %flag -> tensor<4x4xf32> {
      %m2 = "aten.mm"(%x, %mm) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %m2 : tensor<4x4xf32>
    } else {
      %m3 = "aten.mm"(%mm, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %m3 : tensor<4x4xf32>
    }
    amp.yield %r : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// A contraction accumulates in f32; an init that is not zero is rounded as an
// operand first, one that is zero is not.
// CHECK-LABEL: func.func @accumulators
// CHECK-SAME:    (%[[A:[^:]*]]: tensor<4x4xf32>, %[[I:[^:]*]]: tensor<4x4xf32>)
func.func @accumulators(%a: tensor<4x4xf32>, %init: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: %[[Z:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4x4xf32>)
  // CHECK: %[[M:.*]] = linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x4xf16>, tensor<4x4xf16>) outs(%[[Z]] : tensor<4x4xf32>)
  // CHECK: amp.cast %[[M]] {may_elide, origin = policy} : tensor<4x4xf32> to tensor<4x4xf16>
  // CHECK: %[[LI:.*]] = amp.cast %[[I]] {may_elide, origin = policy} : tensor<4x4xf32> to tensor<4x4xf16>
  // CHECK: %[[WI:.*]] = amp.cast %[[LI]] {may_elide, origin = policy} : tensor<4x4xf16> to tensor<4x4xf32>
  // CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x4xf16>, tensor<4x4xf16>) outs(%[[WI]] : tensor<4x4xf32>)
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0:2 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %i = %init : tensor<4x4xf32>, %f = %z : tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %m = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    %n = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %m, %n : tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %0#0, %0#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// A narrow destination never makes a contraction accumulate narrow.
// CHECK-LABEL: func.func @narrow_destination
func.func @narrow_destination(%a: tensor<4x4xbf16>, %init: tensor<4x4xbf16>) -> tensor<4x4xbf16> {
  // CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x4xbf16>, tensor<4x4xbf16>) outs(%{{.*}} : tensor<4x4xf32>)
  %0 = amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<4x4xbf16>, %i = %init : tensor<4x4xbf16>) -> tensor<4x4xbf16> {
    %m = linalg.matmul ins(%x, %x : tensor<4x4xbf16>, tensor<4x4xbf16>) outs(%i : tensor<4x4xbf16>) -> tensor<4x4xbf16>
    amp.yield %m : tensor<4x4xbf16>
  }
  return %0 : tensor<4x4xbf16>
}

// -----

// Elementwise payloads take f16 as it comes, compute in f32 and round once; a
// destination of dynamic shape is made anew.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%a: tensor<?x?xf32>, %v: tensor<?xf32>, %dest: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: %[[MV:.*]] = linalg.matvec
  // CHECK: %[[L:.*]] = amp.cast %[[MV]]
  // CHECK: %[[D:.*]] = tensor.dim %{{.*}}, %{{.*}} : tensor<?xf32>
  // CHECK: %[[E:.*]] = tensor.empty(%[[D]]) : tensor<?xf16>
  // CHECK: linalg.generic {{.*}} ins(%[[L]], %[[L]] : tensor<?xf16>, tensor<?xf16>) outs(%[[E]] : tensor<?xf16>) {
  // CHECK: ^bb0(%[[P:.*]]: f16, %[[Q:.*]]: f16, %{{.*}}: f16):
  // CHECK-DAG: %[[WP:.*]] = arith.extf %[[P]] : f16 to f32
  // CHECK-DAG: %[[WQ:.*]] = arith.extf %[[Q]] : f16 to f32
  // CHECK: %[[M:.*]] = arith.mulf %[[WP]], %[[WQ]] : f32
  // CHECK: %[[S:.*]] = arith.addf %[[M]], %[[WP]] : f32
  // CHECK: %[[R:.*]] = arith.truncf %[[S]] : f32 to f16
  // CHECK: linalg.yield %[[R]] : f16
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<?x?xf32>, %y = %v : tensor<?xf32>, %d = %dest : tensor<?xf32>) -> tensor<?xf32> {
    %mv = linalg.matvec ins(%x, %y : tensor<?x?xf32>, tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
    %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%mv, %mv : tensor<?xf32>, tensor<?xf32>) outs(%d : tensor<?xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %m = arith.mulf %p, %q : f32
      %s = arith.addf %m, %p : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    amp.yield %g : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// A payload that uses a value of its surroundings sees it in the type it was
// written for; so does the region of an op that nobody knows.
// CHECK-LABEL: func.func @captured
func.func @captured(%a: tensor<4x4xf32>, %i: index) -> tensor<4xf32> {
  // CHECK: %[[X:.*]] = tensor.extract %{{.*}} : tensor<4x4xf16>
  // CHECK: %[[W:.*]] = amp.cast %[[X]] {{.*}} : f16 to f32
  // CHECK: linalg.map
  // CHECK: arith.mulf %{{.*}}, %[[W]] : f32
  // CHECK: "my.region"() ({
  // CHECK:   "my.use"(%{{.*}}) : (f32) -> ()
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %j = %i : index) -> tensor<4xf32> {
    %mm = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %s = tensor.extract %mm[%j, %j] : tensor<4x4xf32>
    %c = arith.constant dense<2.0> : tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %m = linalg.map ins(%c : tensor<4xf32>) outs(%e : tensor<4xf32>) (%in: f32, %out: f32) {
      %t = arith.mulf %in, %s : f32
      linalg.yield %t : f32
    }
    "my.region"() ({
      "my.use"(%s) : (f32) -> ()
    }) : () -> ()
    amp.yield %m : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Data movement follows; what joins two types is promoted.
// CHECK-LABEL: func.func @movement
func.func @movement(%a: tensor<4x4xf32>) -> tensor<8x4xf32> {
  // CHECK: tensor.extract_slice %{{.*}} : tensor<4x4xf16> to tensor<2x4xf16>
  // CHECK: linalg.transpose ins(%{{.*}} : tensor<4x4xf16>) outs(%{{.*}} : tensor<4x4xf16>)
  // CHECK: tensor.pad
  // CHECK: amp.cast %{{.*}} : f32 to f16
  // CHECK: } : tensor<2x4xf16> to tensor<4x4xf16>
  // CHECK: %[[P:.*]]:2 = amp.promote %{{.*}}, %{{.*}} {mode = elementwise} : tensor<4x4xf16>, tensor<4x4xf32>
  // CHECK: tensor.concat dim(0) %[[P]]#0, %[[P]]#1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) -> tensor<8x4xf32> {
    %mm = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %s = tensor.extract_slice %mm[0, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
    %e = tensor.empty() : tensor<4x4xf32>
    %t = linalg.transpose ins(%mm : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
    %z = arith.constant 1.5 : f32
    %p = tensor.pad %s low[0, 0] high[2, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %z : f32
    } : tensor<2x4xf32> to tensor<4x4xf32>
    %c = tensor.concat dim(0) %p, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    amp.yield %c : tensor<8x4xf32>
  }
  return %0 : tensor<8x4xf32>
}

// -----

// scf.forall keeps its types; the cast stands in front of its terminator.
// CHECK-LABEL: func.func @forall
func.func @forall(%a: tensor<4x4xf32>, %dest: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: scf.forall {{.*}} -> (tensor<4x4xf32>) {
  // CHECK:   %[[MM:.*]] = "aten.mm"
  // CHECK:   %[[W:.*]] = amp.cast %[[MM]] {{.*}} : tensor<4x4xf16> to tensor<4x4xf32>
  // CHECK:   scf.forall.in_parallel {
  // CHECK:     tensor.parallel_insert_slice %[[W]] into
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %d = %dest : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> tensor<4x4xf32> {
      %mm = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %mm into %o[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x4xf32>
      }
    }
    amp.yield %r : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// Calls of declarations keep their signature.
// CHECK-LABEL: func.func @external
func.func private @library(tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @external(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: %[[MM:.*]] = "aten.mm"
  // CHECK: %[[W:.*]] = amp.cast %[[MM]] {origin = boundary} : tensor<4x4xf16> to tensor<4x4xf32>
  // CHECK: call @library(%[[W]]) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %mm = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %r = func.call @library(%mm) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %r : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// Control flow between blocks outside of scopes takes what a scope propagates.
// CHECK-LABEL: func.func @blocks
func.func @blocks(%a: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  // CHECK: cf.cond_br %{{.*}}, ^bb1(%{{.*}} : tensor<4x4xf32>), ^bb1(%{{.*}} : tensor<4x4xf32>)
  // CHECK: ^bb1(%{{.*}}: tensor<4x4xf32>):
  %0 = amp.autocast device("cuda") dtype(f16) results(propagate) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %mm = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %mm : tensor<4x4xf32>
  }
  cf.cond_br %c, ^bb1(%0 : tensor<4x4xf32>), ^bb1(%a : tensor<4x4xf32>)
^bb1(%1: tensor<4x4xf32>):
  return %1 : tensor<4x4xf32>
}

// -----

// An amp.out_dtype keeps the types that it pins.
// CHECK-LABEL: func.func @out_dtype
func.func @out_dtype(%a: tensor<4x4xf32>) -> tensor<4x4xf64> {
  // CHECK: %[[W:.*]] = amp.cast %{{.*}} {origin = boundary} : tensor<4x4xf16> to tensor<4x4xf32>
  // CHECK: amp.out_dtype (%{{.*}} = %[[W]] : tensor<4x4xf32>
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf64> {
    %mm = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %r = amp.out_dtype (%p = %mm : tensor<4x4xf32>, %q = %x : tensor<4x4xf32>) -> tensor<4x4xf64> {
      %1 = linalg.matmul ins(%p, %p : tensor<4x4xf32>, tensor<4x4xf32>) outs(%q : tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.yield %1 : tensor<4x4xf32>
    }
    amp.yield %r : tensor<4x4xf64>
  }
  return %0 : tensor<4x4xf64>
}

// -----

// A promotion and a cast that the program wrote: the one follows what arrives,
// the other holds.
// CHECK-LABEL: func.func @written
func.func @written(%a: tensor<4x4xf32>) -> tensor<4x4xbf16> {
  // CHECK: %[[MM:.*]] = "aten.mm"
  // CHECK: %[[P:.*]]:2 = amp.promote %[[MM]], %[[MM]] : tensor<4x4xf16>, tensor<4x4xf16>
  // CHECK: "aten.relu"(%[[P]]#0) : (tensor<4x4xf16>) -> tensor<4x4xf16>
  // CHECK: amp.cast %{{.*}} : tensor<4x4xf16> to tensor<4x4xbf16>
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xbf16> {
    %mm = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %p:2 = amp.promote %mm, %mm : tensor<4x4xf32>, tensor<4x4xf32>
    %r = "aten.relu"(%p#0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %c = amp.cast %r : tensor<4x4xf32> to tensor<4x4xbf16>
    amp.yield %c : tensor<4x4xbf16>
  }
  return %0 : tensor<4x4xbf16>
}
