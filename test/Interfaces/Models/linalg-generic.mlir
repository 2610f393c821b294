// linalg.generic answers from its payload.
//
// RUN: amp-opt %s --split-input-file -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=f16 | FileCheck %s -D$TYPE=f16
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=bf16 | FileCheck %s -D$TYPE=bf16

// MODEL: remark: linalg.generic: contraction (input, input, accumulator) payload arith.mulf, arith.addf free depth 3 flops 48 bytes 136
// CHECK-LABEL: func.func @contraction(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x3x[[$TYPE]]>, tensor<4x3x[[$TYPE]]>) outs(%{{.*}} : tensor<2x4xf32>)
// CHECK: ^bb0(%[[X:.*]]: [[$TYPE]], %[[Y:.*]]: [[$TYPE]], %[[S:.*]]: f32):
// CHECK-DAG: %[[WX:.*]] = arith.extf %[[X]] : [[$TYPE]] to f32
// CHECK-DAG: %[[WY:.*]] = arith.extf %[[Y]] : [[$TYPE]] to f32
// CHECK: %[[P:.*]] = arith.mulf %[[WX]], %[[WY]] : f32
// CHECK: %[[N:.*]] = arith.addf %[[S]], %[[P]] : f32
// CHECK: linalg.yield %[[N]] : f32
func.func @contraction(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<2x3xf32>, tensor<4x3xf32>) outs(%o : tensor<2x4xf32>) attrs = {test.retype} {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %n = arith.addf %s, %p : f32
    linalg.yield %n : f32
  } -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// A convolution of one dimension: sums of products over a window.
// MODEL: remark: linalg.generic: convolution (input, input, accumulator) payload arith.mulf, arith.addf free depth 3 flops 36 bytes 92
// CHECK-LABEL: func.func @convolution(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x[[$TYPE]]>, tensor<3x[[$TYPE]]>) outs(%{{.*}} : tensor<6xf32>)
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
func.func @convolution(%a: tensor<8xf32>, %k: tensor<3xf32>, %o: tensor<6xf32>) -> tensor<6xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, w) -> (i + w)>, affine_map<(i, w) -> (w)>, affine_map<(i, w) -> (i)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%a, %k : tensor<8xf32>, tensor<3xf32>) outs(%o : tensor<6xf32>) attrs = {test.retype} {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %n = arith.addf %s, %p : f32
    linalg.yield %n : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// MODEL: remark: linalg.generic: elementwise (input, destination) payload math.exp, math.log1p mixed flops 8 bytes 32
// CHECK-LABEL: func.func @transcendental(
// CHECK: ^bb0(%[[X:.*]]: [[$TYPE]], %{{.*}}: [[$TYPE]]):
// CHECK: %[[W:.*]] = arith.extf %[[X]] : [[$TYPE]] to f32
// CHECK: %[[E:.*]] = math.exp %[[W]] : f32
// CHECK: %[[L:.*]] = math.log1p %[[E]] : f32
// CHECK: %[[R:.*]] = arith.truncf %[[L]] : f32 to [[$TYPE]]
// CHECK: linalg.yield %[[R]] : [[$TYPE]]
func.func @transcendental(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) attrs = {test.retype} {
  ^bb0(%x: f32, %out: f32):
    %e = math.exp %x : f32
    %l = math.log1p %e : f32
    linalg.yield %l : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A sum of squares: a reduction, since it has one operand only.
// MODEL: remark: linalg.generic: reduction (input, accumulator) payload arith.mulf, arith.addf mixed free depth 8 flops 64 bytes 160
// CHECK-LABEL: func.func @reduction(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x8x[[$TYPE]]>) outs(%{{.*}} : tensor<4xf32>)
// CHECK: ^bb0(%[[X:.*]]: [[$TYPE]], %[[S:.*]]: f32):
// CHECK: %[[W:.*]] = arith.extf %[[X]] : [[$TYPE]] to f32
// CHECK: %[[P:.*]] = arith.mulf %[[W]], %[[W]] : f32
// CHECK: %[[N:.*]] = arith.addf %[[S]], %[[P]] : f32
// CHECK: linalg.yield %[[N]] : f32
func.func @reduction(%a: tensor<4x8xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<4x8xf32>) outs(%o : tensor<4xf32>) attrs = {test.retype} {
  ^bb0(%x: f32, %s: f32):
    %p = arith.mulf %x, %x : f32
    %n = arith.addf %s, %p : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The largest element and where it is: exact, so all floats have one type.
// MODEL: remark: linalg.generic: selection (input, accumulator, ignored) payload linalg.index, arith.index_cast, arith.cmpf, arith.select, arith.select mixed
// CHECK-LABEL: func.func @argmax(
// CHECK: %[[R:.*]]:2 = linalg.generic {{.*}} ins(%{{.*}} : tensor<4x8x[[$TYPE]]>) outs(%{{.*}}, %{{.*}} : tensor<4x[[$TYPE]]>, tensor<4xi32>)
// CHECK: ^bb0(%{{.*}}: [[$TYPE]], %{{.*}}: [[$TYPE]], %{{.*}}: i32):
// CHECK: arith.cmpf ogt, %{{.*}}, %{{.*}} : f32
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
// CHECK: linalg.yield %{{.*}}, %{{.*}} : [[$TYPE]], i32
// CHECK: } -> (tensor<4x[[$TYPE]]>, tensor<4xi32>)
// CHECK: %[[BACK:.*]] = amp.cast %[[R]]#0 : tensor<4x[[$TYPE]]> to tensor<4xf32>
// CHECK: return %[[BACK]], %[[R]]#1 : tensor<4xf32>, tensor<4xi32>
func.func @argmax(%a: tensor<4x8xf32>, %o: tensor<4xf32>, %q: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<4x8xf32>) outs(%o, %q : tensor<4xf32>, tensor<4xi32>) attrs = {test.retype} {
  ^bb0(%x: f32, %best: f32, %at: i32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %j : index to i32
    %c = arith.cmpf ogt, %x, %best : f32
    %v = arith.select %c, %x, %best : f32
    %p = arith.select %c, %i, %at : i32
    linalg.yield %v, %p : f32, i32
  } -> (tensor<4xf32>, tensor<4xi32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}

// -----

// What moves elements moves them in any type, and converts nothing.
// MODEL: remark: linalg.generic: data_movement (input, destination) mixed flops 0 bytes 64
// CHECK-LABEL: func.func @movement(
// CHECK: ^bb0(%[[X:.*]]: [[$TYPE]], %{{.*}}: [[$TYPE]]):
// CHECK-NEXT: linalg.yield %[[X]] : [[$TYPE]]
func.func @movement(%a: tensor<2x4xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<2x4xf32>) outs(%o : tensor<4x2xf32>) attrs = {test.retype} {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// The position of an element, as a float: computed in f32, rounded once.
// MODEL: remark: linalg.generic: generator (destination) payload linalg.index, arith.index_cast, arith.sitofp
// CHECK-LABEL: func.func @index(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4x[[$TYPE]]>)
// CHECK: %[[F:.*]] = arith.sitofp %{{.*}} : i32 to f32
// CHECK: %[[R:.*]] = arith.truncf %[[F]] : f32 to [[$TYPE]]
// CHECK: linalg.yield %[[R]] : [[$TYPE]]
func.func @index(%o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    outs(%o : tensor<4xf32>) attrs = {test.retype} {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i32
    %f = arith.sitofp %c : i32 to f32
    linalg.yield %f : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Scalars of the surroundings arrive as they are: f32 with nothing to do, f16
// to widen.
// MODEL: remark: linalg.generic: elementwise (input, destination) payload arith.extf, arith.mulf, arith.addf mixed
// CHECK-LABEL: func.func @captured(
// CHECK-SAME: %{{[^:]*}}: tensor<4xf32>, %{{[^:]*}}: tensor<4xf32>, %[[P:[^:]*]]: f32, %[[Q:[^:]*]]: f16)
// CHECK: ^bb0(%[[X:.*]]: [[$TYPE]], %{{.*}}: [[$TYPE]]):
// CHECK-DAG: %[[WX:.*]] = arith.extf %[[X]] : [[$TYPE]] to f32
// CHECK-DAG: %[[WQ:.*]] = arith.extf %[[Q]] : f16 to f32
// CHECK: %[[M:.*]] = arith.mulf %[[WX]], %[[P]] : f32
// CHECK: %[[N:.*]] = arith.addf %[[M]], %[[WQ]] : f32
// CHECK: %[[R:.*]] = arith.truncf %[[N]] : f32 to [[$TYPE]]
// CHECK: linalg.yield %[[R]] : [[$TYPE]]
func.func @captured(%a: tensor<4xf32>, %o: tensor<4xf32>, %p: f32, %q: f16) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) attrs = {test.retype} {
  ^bb0(%x: f32, %out: f32):
    %w = arith.extf %q : f16 to f32
    %m = arith.mulf %x, %p : f32
    %n = arith.addf %m, %w : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A payload in f16 widens what it captures in f16.
// CHECK-LABEL: func.func @captured_f16(
// CHECK-SAME: %[[Q:[^:]*]]: f16)
// CHECK: ^bb0(%[[X:.*]]: [[$TYPE]], %{{.*}}: [[$TYPE]]):
// CHECK-DAG: %[[WX:.*]] = arith.extf %[[X]] : [[$TYPE]] to f32
// CHECK-DAG: %[[WQ:.*]] = arith.extf %[[Q]] : f16 to f32
// CHECK: %[[M:.*]] = arith.mulf %[[WX]], %[[WQ]] : f32
// CHECK: %[[R:.*]] = arith.truncf %[[M]] : f32 to [[$TYPE]]
// CHECK: linalg.yield %[[R]] : [[$TYPE]]
func.func @captured_f16(%a: tensor<4xf16>, %o: tensor<4xf16>, %q: f16) -> tensor<4xf16> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf16>) outs(%o : tensor<4xf16>) attrs = {test.retype} {
  ^bb0(%x: f16, %out: f16):
    %m = arith.mulf %x, %q : f16
    linalg.yield %m : f16
  } -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

// Integers keep their types; in a payload of f16 they become f32 at once, so
// that 65535 is no infinity.
// MODEL: remark: linalg.generic: elementwise (ignored, ignored, input, destination) payload arith.sitofp, arith.uitofp, arith.addf, arith.addf mixed
// CHECK-LABEL: func.func @integers(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi8>, tensor<4xi16>, tensor<4x[[$TYPE]]>) outs(%{{.*}} : tensor<4x[[$TYPE]]>)
// CHECK: ^bb0(%[[I:.*]]: i8, %[[J:.*]]: i16, %[[X:.*]]: [[$TYPE]], %{{.*}}: [[$TYPE]]):
// CHECK-DAG: %[[W:.*]] = arith.extf %[[X]] : [[$TYPE]] to f32
// CHECK-DAG: %[[S:.*]] = arith.sitofp %[[I]] : i8 to f32
// CHECK-DAG: %[[U:.*]] = arith.uitofp %[[J]] : i16 to f32
// CHECK: %[[N:.*]] = arith.addf %[[S]], %[[U]] : f32
// CHECK: %[[M:.*]] = arith.addf %[[N]], %[[W]] : f32
// CHECK: %[[R:.*]] = arith.truncf %[[M]] : f32 to [[$TYPE]]
// CHECK: linalg.yield %[[R]] : [[$TYPE]]
func.func @integers(%a: tensor<4xi8>, %b: tensor<4xi16>, %c: tensor<4xf16>, %o: tensor<4xf16>) -> tensor<4xf16> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a, %b, %c : tensor<4xi8>, tensor<4xi16>, tensor<4xf16>) outs(%o : tensor<4xf16>) attrs = {test.retype} {
  ^bb0(%i: i8, %j: i16, %x: f16, %out: f16):
    %s = arith.sitofp %i : i8 to f16
    %u = arith.uitofp %j : i16 to f16
    %n = arith.addf %s, %u : f16
    %m = arith.addf %n, %x : f16
    linalg.yield %m : f16
  } -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

// A rounding that the program asks for stays; conversions that the lift makes
// useless go.
// CHECK-LABEL: func.func @conversions(
// CHECK: ^bb0(%[[X:.*]]: [[$TYPE]], %{{.*}}: [[$TYPE]]):
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[X]] : [[$TYPE]] to f32
// CHECK-NEXT: %[[S:.*]] = math.sin %[[W]] : f32
// CHECK-NEXT: %[[T:.*]] = arith.truncf %[[S]] : f32 to f16
// CHECK-NEXT: %[[B:.*]] = arith.extf %[[T]] : f16 to f32
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[B]], %[[W]] : f32
// CHECK-NEXT: %[[R:.*]] = arith.truncf %[[M]] : f32 to [[$TYPE]]
// CHECK-NEXT: linalg.yield %[[R]] : [[$TYPE]]
func.func @conversions(%a: tensor<4xf16>, %o: tensor<4xf16>) -> tensor<4xf16> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf16>) outs(%o : tensor<4xf16>) attrs = {test.retype} {
  ^bb0(%x: f16, %out: f16):
    %w = arith.extf %x : f16 to f32
    %s = math.sin %w : f32
    %t = arith.truncf %s : f32 to f16
    %m = arith.mulf %t, %x : f16
    linalg.yield %m : f16
  } -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

// Two outputs, of which the payload reads one: that one accumulates in f32, and
// the other is made anew in the type of the inputs.
// MODEL: remark: linalg.generic: elementwise (input, accumulator, destination) payload arith.addf, arith.mulf mixed
// CHECK-LABEL: func.func @two_outputs(
// CHECK-SAME: %{{[^:]*}}: tensor<4xf32>, %[[O:[^:]*]]: tensor<4xf32>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x[[$TYPE]]>
// CHECK: %[[R:.*]]:2 = linalg.generic {{.*}} outs(%[[O]], %[[E]] : tensor<4xf32>, tensor<4x[[$TYPE]]>)
// CHECK: ^bb0(%[[X:.*]]: [[$TYPE]], %[[S:.*]]: f32, %{{.*}}: [[$TYPE]]):
// CHECK: %[[W:.*]] = arith.extf %[[X]] : [[$TYPE]] to f32
// CHECK: %[[N:.*]] = arith.addf %[[W]], %[[S]] : f32
// CHECK: %[[P:.*]] = arith.mulf %[[W]], %[[W]] : f32
// CHECK: %[[Q:.*]] = arith.truncf %[[P]] : f32 to [[$TYPE]]
// CHECK: linalg.yield %[[N]], %[[Q]] : f32, [[$TYPE]]
// CHECK: %[[BACK:.*]] = amp.cast %[[R]]#1 : tensor<4x[[$TYPE]]> to tensor<4xf32>
// CHECK: return %[[R]]#0, %[[BACK]]
func.func @two_outputs(%a: tensor<4xf32>, %o: tensor<4xf32>, %d: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf32>) outs(%o, %d : tensor<4xf32>, tensor<4xf32>) attrs = {test.retype} {
  ^bb0(%x: f32, %s: f32, %out: f32):
    %n = arith.addf %x, %s : f32
    %p = arith.mulf %x, %x : f32
    linalg.yield %n, %p : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
