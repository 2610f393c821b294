// Linalg ops under the policies of a scope: payloads that are lifted, and f64,
// which no policy narrows.
//
// RUN: amp-opt %s --amp-autocast --split-input-file --allow-unregistered-dialect | FileCheck %s

// A policy for math.exp is a policy for the generic: what was written in f16
// reads and gives f32, and computes in it throughout.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @exp_of_f16(
// CHECK: %[[X:.*]] = amp.cast %{{.*}} {may_elide, origin = policy} : tensor<4xf16> to tensor<4xf32>
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4xf32>) outs(%{{.*}} : tensor<4xf32>) {
// CHECK-NEXT: ^bb0(%[[P:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[C:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[P]], %[[C]] : f32
// CHECK-NEXT: %[[E:.*]] = math.exp %[[S]] : f32
// CHECK-NEXT: linalg.yield %[[E]] : f32
// CHECK: amp.cast %[[R]] {origin = boundary} : tensor<4xf32> to tensor<4xf16>
func.func @exp_of_f16(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4xf16>) -> tensor<4xf16> {
    %e = tensor.empty() : tensor<4xf16>
    %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf16>) outs(%e : tensor<4xf16>) {
    ^bb0(%p: f16, %out: f16):
      %c = arith.constant 0.5 : f16
      %s = arith.addf %p, %c : f16
      %r = math.exp %s : f16
      linalg.yield %r : f16
    } -> tensor<4xf16>
    amp.yield %g : tensor<4xf16>
  }
  return %0 : tensor<4xf16>
}

// -----

// The linalg op of the same function has no payload in its text, and the same
// policy.
// CHECK-LABEL: func.func @named_exp_of_f16(
// CHECK: linalg.exp ins(%{{.*}} : tensor<4xf32>) outs(%{{.*}} : tensor<4xf32>)
func.func @named_exp_of_f16(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4xf16>) -> tensor<4xf16> {
    %e = tensor.empty() : tensor<4xf16>
    %g = linalg.exp ins(%x : tensor<4xf16>) outs(%e : tensor<4xf16>) -> tensor<4xf16>
    amp.yield %g : tensor<4xf16>
  }
  return %0 : tensor<4xf16>
}

// -----

// An f32 operand that arrives in f16 is widened to the f64 of its neighbour.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @mixed_f64(
// CHECK-SAME: %[[B:[^:]*]]: tensor<4xf64>)
// CHECK: %[[M:.*]] = "aten.mv"(%{{.*}}, %{{.*}}) : (tensor<4x4xf16>, tensor<4xf16>) -> tensor<4xf16>
// CHECK: linalg.generic {{.*}} ins(%[[M]], %[[B]] : tensor<4xf16>, tensor<4xf64>) outs(%{{.*}} : tensor<4xf64>) {
// CHECK-NEXT: ^bb0(%[[P:.*]]: f16, %[[Q:.*]]: f64, %{{.*}}: f64):
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[P]] : f16 to f64
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[W]], %[[Q]] : f64
// CHECK-NEXT: linalg.yield %[[S]] : f64
func.func @mixed_f64(%a: tensor<4x4xf32>, %v: tensor<4xf32>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %u = %v : tensor<4xf32>, %y = %b : tensor<4xf64>) -> tensor<4xf64> {
    %m = "aten.mv"(%x, %u) : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %e = tensor.empty() : tensor<4xf64>
    %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%m, %y : tensor<4xf32>, tensor<4xf64>) outs(%e : tensor<4xf64>) {
    ^bb0(%p: f32, %q: f64, %out: f64):
      %w = arith.extf %p : f32 to f64
      %s = arith.addf %w, %q : f64
      linalg.yield %s : f64
    } -> tensor<4xf64>
    amp.yield %g : tensor<4xf64>
  }
  return %0 : tensor<4xf64>
}

// -----

// The same with a result of f32: the rounding of the f64 operand stays.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @mixed_f64_to_f32(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4xf16>, tensor<4xf64>) outs(%{{.*}} : tensor<4xf32>) {
// CHECK-NEXT: ^bb0(%{{.*}}: f16, %[[Q:.*]]: f64, %{{.*}}: f32):
// CHECK: arith.truncf %[[Q]] : f64 to f32
func.func @mixed_f64_to_f32(%a: tensor<4x4xf32>, %v: tensor<4xf32>, %b: tensor<4xf64>) -> tensor<4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %u = %v : tensor<4xf32>, %y = %b : tensor<4xf64>) -> tensor<4xf32> {
    %m = "aten.mv"(%x, %u) : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%m, %y : tensor<4xf32>, tensor<4xf64>) outs(%e : tensor<4xf32>) {
    ^bb0(%p: f32, %q: f64, %out: f32):
      %w = arith.truncf %q : f64 to f32
      %s = arith.addf %p, %w : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    amp.yield %g : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// A matmul of f64 is f64 throughout.
// CHECK-LABEL: func.func @matmul_f64(
// CHECK-SAME: %[[A:[^:]*]]: tensor<4x4xf64>, %[[I:[^:]*]]: tensor<4x4xf64>)
// CHECK-NEXT: linalg.matmul ins(%[[A]], %[[A]] : tensor<4x4xf64>, tensor<4x4xf64>) outs(%[[I]] : tensor<4x4xf64>)
// CHECK-NEXT: return
func.func @matmul_f64(%a: tensor<4x4xf64>, %i: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf64>, %o = %i : tensor<4x4xf64>) -> tensor<4x4xf64> {
    %m = linalg.matmul ins(%x, %x : tensor<4x4xf64>, tensor<4x4xf64>) outs(%o : tensor<4x4xf64>) -> tensor<4x4xf64>
    amp.yield %m : tensor<4x4xf64>
  }
  return %0 : tensor<4x4xf64>
}

// -----

// An f64 accumulator that the program chose for f32 operands stays.
// CHECK-LABEL: func.func @f64_accumulator(
// CHECK-SAME: %[[A:[^:]*]]: tensor<4x4xf32>, %[[I:[^:]*]]: tensor<4x4xf64>)
// CHECK-NEXT: %[[X:.*]] = amp.cast %[[A]] {may_elide, origin = policy} : tensor<4x4xf32> to tensor<4x4xf16>
// CHECK-NEXT: linalg.matmul ins(%[[X]], %[[X]] : tensor<4x4xf16>, tensor<4x4xf16>) outs(%[[I]] : tensor<4x4xf64>)
// CHECK-NEXT: return
func.func @f64_accumulator(%a: tensor<4x4xf32>, %i: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %o = %i : tensor<4x4xf64>) -> tensor<4x4xf64> {
    %m = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf64>) -> tensor<4x4xf64>
    amp.yield %m : tensor<4x4xf64>
  }
  return %0 : tensor<4x4xf64>
}

// -----

// An f32 operand with an f64 one arrives in f16, and is promoted to f64.
// CHECK-LABEL: func.func @matmul_mixed(
// CHECK-SAME: %[[A:[^:]*]]: tensor<4x4xf32>, %[[B:[^:]*]]: tensor<4x4xf64>, %[[I:[^:]*]]: tensor<4x4xf64>)
// CHECK: %[[M:.*]] = "aten.mm"(%{{.*}}, %{{.*}}) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x4xf64>, tensor<4x4xf64>) outs(%[[I]] : tensor<4x4xf64>)
func.func @matmul_mixed(%a: tensor<4x4xf32>, %b: tensor<4x4xf64>, %i: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %y = %b : tensor<4x4xf64>, %o = %i : tensor<4x4xf64>) -> tensor<4x4xf64> {
    %n = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %m = linalg.matmul ins(%n, %y : tensor<4x4xf32>, tensor<4x4xf64>) outs(%o : tensor<4x4xf64>) -> tensor<4x4xf64>
    amp.yield %m : tensor<4x4xf64>
  }
  return %0 : tensor<4x4xf64>
}

// -----

// A matmul with a bf16 destination accumulates in f32, and rounds once.
// CHECK-LABEL: func.func @bf16_destination(
// CHECK-SAME: %[[A:[^:]*]]: tensor<4x4xbf16>)
// CHECK: %[[M:.*]] = linalg.matmul ins(%[[A]], %[[A]] : tensor<4x4xbf16>, tensor<4x4xbf16>) outs(%{{.*}} : tensor<4x4xf32>)
// CHECK-NEXT: %[[R:.*]] = amp.cast %[[M]] {{.*}} : tensor<4x4xf32> to tensor<4x4xbf16>
// CHECK-NEXT: return %[[R]]
func.func @bf16_destination(%a: tensor<4x4xbf16>) -> tensor<4x4xbf16> {
  %0 = amp.autocast device("cuda") dtype(bf16) (%x = %a : tensor<4x4xbf16>) -> tensor<4x4xbf16> {
    %z = arith.constant dense<0.0> : tensor<4x4xbf16>
    %m = linalg.matmul ins(%x, %x : tensor<4x4xbf16>, tensor<4x4xbf16>) outs(%z : tensor<4x4xbf16>) -> tensor<4x4xbf16>
    amp.yield %m : tensor<4x4xbf16>
  }
  return %0 : tensor<4x4xbf16>
}

// -----

// What comes in f16 is moved in f16: the payload converts nothing.
#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @movement(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x4xf16>) outs(%{{.*}} : tensor<4x4xf16>) {
// CHECK-NEXT: ^bb0(%[[P:.*]]: f16, %{{.*}}: f16):
// CHECK-NEXT: linalg.yield %[[P]] : f16
func.func @movement(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %n = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %e = tensor.empty() : tensor<4x4xf32>
    %g = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]} ins(%n : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
    ^bb0(%p: f32, %out: f32):
      linalg.yield %p : f32
    } -> tensor<4x4xf32>
    amp.yield %g : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// The padding value follows what is padded; a scalar promotes no tensor.
// CHECK-LABEL: func.func @pack(
// CHECK-SAME: %[[P:[^:]*]]: f32
// CHECK: %[[S:.*]] = amp.cast %[[P]] {origin = promotion} : f32 to f16
// CHECK: linalg.pack %{{.*}} padding_value(%[[S]] : f16) {{.*}} : tensor<5x3xf16> -> tensor<3x1x2x4xf16>
func.func @pack(%a: tensor<5x3xf32>, %b: tensor<3x3xf32>, %o: tensor<3x1x2x4xf32>, %p: f32) -> tensor<3x1x2x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<5x3xf32>, %y = %b : tensor<3x3xf32>, %d = %o : tensor<3x1x2x4xf32>, %s = %p : f32) -> tensor<3x1x2x4xf32> {
    %m = "aten.mm"(%x, %y) : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
    %1 = linalg.pack %m padding_value(%s : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %d : tensor<5x3xf32> -> tensor<3x1x2x4xf32>
    amp.yield %1 : tensor<3x1x2x4xf32>
  }
  return %0 : tensor<3x1x2x4xf32>
}

// -----

// linalg.elementwise needs operands of one type: f16 is promoted to f32, and
// its exponential is computed there.
// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME: %[[B:[^:]*]]: tensor<4xf32>)
// CHECK: %[[M:.*]] = "aten.mm"
// CHECK: %[[W:.*]] = amp.cast %[[M]] {may_elide, origin = promotion} : tensor<4x4xf16> to tensor<4x4xf32>
// CHECK: %[[S:.*]] = linalg.elementwise kind=#linalg.elementwise_kind<add> {{.*}} ins(%[[W]], %[[B]] : tensor<4x4xf32>, tensor<4xf32>) outs(%{{.*}} : tensor<4x4xf32>)
// CHECK: linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%[[S]] : tensor<4x4xf32>) outs(%{{.*}} : tensor<4x4xf32>)
func.func @elementwise(%a: tensor<4x4xf32>, %b: tensor<4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %y = %b : tensor<4xf32>) -> tensor<4x4xf32> {
    %m = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %e = tensor.empty() : tensor<4x4xf32>
    %1 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>]
      ins(%m, %y : tensor<4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%1 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// A sum of f16 reads f16, and adds and gives f32; a maximum is left alone.
// CHECK-LABEL: func.func @reductions(
// CHECK-SAME: %[[A:[^:]*]]: tensor<4x4xf16>, %[[O:[^:]*]]: tensor<4xf16>)
// CHECK: %[[I:.*]] = amp.cast %[[O]] {may_elide, origin = policy} : tensor<4xf16> to tensor<4xf32>
// CHECK: %[[S:.*]] = linalg.reduce ins(%[[A]] : tensor<4x4xf16>) outs(%[[I]] : tensor<4xf32>) dimensions = [1]
// CHECK: %[[W:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK: arith.addf %{{.*}}, %[[W]] : f32
// CHECK: %[[M:.*]] = linalg.reduce { arith.maximumf } ins(%[[A]] : tensor<4x4xf16>) outs(%[[O]] : tensor<4xf16>) dimensions = [1]
// CHECK: %[[R:.*]] = amp.cast %[[S]] {origin = boundary} : tensor<4xf32> to tensor<4xf16>
// CHECK: return %[[R]], %[[M]]
func.func @reductions(%a: tensor<4x4xf16>, %o: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>) {
  %0:2 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf16>, %d = %o : tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>) {
    %1 = linalg.reduce { arith.addf } ins(%x : tensor<4x4xf16>) outs(%d : tensor<4xf16>) dimensions = [1]
    %2 = linalg.reduce { arith.maximumf } ins(%x : tensor<4x4xf16>) outs(%d : tensor<4xf16>) dimensions = [1]
    amp.yield %1, %2 : tensor<4xf16>, tensor<4xf16>
  }
  return %0#0, %0#1 : tensor<4xf16>, tensor<4xf16>
}

// -----

// A contraction that widens in its payload reads the type of the scope; its
// conversions go with the new type, and its f32 accumulator stays.
// CHECK-LABEL: func.func @widening_contraction(
// CHECK-SAME: %[[O:[^:]*]]: tensor<2x4xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x3xbf16>, tensor<3x4xbf16>) outs(%[[O]] : tensor<2x4xf32>) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: bf16, %[[Y:.*]]: bf16, %[[S:.*]]: f32):
// CHECK-NEXT: %[[WX:.*]] = arith.extf %[[X]] : bf16 to f32
// CHECK-NEXT: %[[WY:.*]] = arith.extf %[[Y]] : bf16 to f32
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[WX]], %[[WY]] : f32
// CHECK-NEXT: %[[N:.*]] = arith.addf %[[S]], %[[P]] : f32
// CHECK-NEXT: linalg.yield %[[N]] : f32
func.func @widening_contraction(%a: tensor<2x3xf16>, %b: tensor<3x4xf16>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = amp.autocast device("cuda") dtype(bf16) (%u = %a : tensor<2x3xf16>, %v = %b : tensor<3x4xf16>, %d = %o : tensor<2x4xf32>) -> tensor<2x4xf32> {
    %1 = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%u, %v : tensor<2x3xf16>, tensor<3x4xf16>) outs(%d : tensor<2x4xf32>) {
    ^bb0(%x: f16, %y: f16, %s: f32):
      %wx = arith.extf %x : f16 to f32
      %wy = arith.extf %y : f16 to f32
      %p = arith.mulf %wx, %wy : f32
      %n = arith.addf %s, %p : f32
      linalg.yield %n : f32
    } -> tensor<2x4xf32>
    amp.yield %1 : tensor<2x4xf32>
  }
  return %0 : tensor<2x4xf32>
}
