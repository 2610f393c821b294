// RUN: amp-opt %s --allow-unregistered-dialect --verify-roundtrip | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --mlir-print-op-generic | amp-opt --allow-unregistered-dialect | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --emit-bytecode | amp-opt --allow-unregistered-dialect | FileCheck %s

// Scalars of every float type.
// CHECK-LABEL: func.func @cast_scalars
func.func @cast_scalars(%x: f64) -> f64 {
  // CHECK: amp.cast %{{.*}} : f64 to f32
  %0 = amp.cast %x : f64 to f32
  // CHECK: amp.cast %{{.*}} : f32 to f16
  %1 = amp.cast %0 : f32 to f16
  // CHECK: amp.cast %{{.*}} : f16 to bf16
  %2 = amp.cast %1 : f16 to bf16
  // CHECK: amp.cast %{{.*}} : bf16 to f8E4M3FN
  %3 = amp.cast %2 : bf16 to f8E4M3FN
  // CHECK: amp.cast %{{.*}} : f8E4M3FN to f8E5M2
  %4 = amp.cast %3 : f8E4M3FN to f8E5M2
  // CHECK: amp.cast %{{.*}} : f8E5M2 to f8E4M3FNUZ
  %5 = amp.cast %4 : f8E5M2 to f8E4M3FNUZ
  // CHECK: amp.cast %{{.*}} : f8E4M3FNUZ to f8E5M2FNUZ
  %6 = amp.cast %5 : f8E4M3FNUZ to f8E5M2FNUZ
  // CHECK: amp.cast %{{.*}} : f8E5M2FNUZ to f8E4M3B11FNUZ
  %7 = amp.cast %6 : f8E5M2FNUZ to f8E4M3B11FNUZ
  // CHECK: amp.cast %{{.*}} : f8E4M3B11FNUZ to f8E3M4
  %8 = amp.cast %7 : f8E4M3B11FNUZ to f8E3M4
  // CHECK: amp.cast %{{.*}} : f8E3M4 to f8E4M3
  %9 = amp.cast %8 : f8E3M4 to f8E4M3
  // CHECK: amp.cast %{{.*}} : f8E4M3 to f8E8M0FNU
  %10 = amp.cast %9 : f8E4M3 to f8E8M0FNU
  // CHECK: amp.cast %{{.*}} : f8E8M0FNU to f64
  %11 = amp.cast %10 : f8E8M0FNU to f64
  return %11 : f64
}

// Integers, of any signedness.
// CHECK-LABEL: func.func @cast_integers
func.func @cast_integers(%x: i1) -> i1 {
  // CHECK: amp.cast %{{.*}} : i1 to i8
  %0 = amp.cast %x : i1 to i8
  // CHECK: amp.cast %{{.*}} : i8 to ui8
  %1 = amp.cast %0 : i8 to ui8
  // CHECK: amp.cast %{{.*}} {overflow = saturate} : ui8 to si8
  %2 = amp.cast %1 {overflow = saturate} : ui8 to si8
  // CHECK: amp.cast %{{.*}} : si8 to i64
  %3 = amp.cast %2 : si8 to i64
  // CHECK: amp.cast %{{.*}} : i64 to bf16
  %4 = amp.cast %3 : i64 to bf16
  // CHECK: amp.cast %{{.*}} : bf16 to i1
  %5 = amp.cast %4 : bf16 to i1
  return %5 : i1
}

// Vectors and tensors; 0-d, dynamic, with an encoding.
// CHECK-LABEL: func.func @cast_shaped
func.func @cast_shaped(%v: vector<4xf32>, %s: vector<[4]x2xf32>, %t: tensor<f32>,
                       %d: tensor<?x4xf32>, %e: tensor<4xf32, "encoding">) {
  // CHECK: amp.cast %{{.*}} : vector<4xf32> to vector<4xf16>
  %0 = amp.cast %v : vector<4xf32> to vector<4xf16>
  // CHECK: amp.cast %{{.*}} : vector<[4]x2xf32> to vector<[4]x2xbf16>
  %1 = amp.cast %s : vector<[4]x2xf32> to vector<[4]x2xbf16>
  // CHECK: amp.cast %{{.*}} : tensor<f32> to tensor<f16>
  %2 = amp.cast %t : tensor<f32> to tensor<f16>
  // CHECK: amp.cast %{{.*}} : tensor<?x4xf32> to tensor<?x4xf8E5M2>
  %3 = amp.cast %d : tensor<?x4xf32> to tensor<?x4xf8E5M2>
  // CHECK: amp.cast %{{.*}} : tensor<4xf32, "encoding"> to tensor<4xf16, "encoding">
  %4 = amp.cast %e : tensor<4xf32, "encoding"> to tensor<4xf16, "encoding">
  return
}

// Every option; must_round and the defaults are not printed.
// CHECK-LABEL: func.func @cast_options
func.func @cast_options(%x: tensor<4xf32>) {
  // CHECK: amp.cast %{{.*}} {rounding = to_nearest_even} : tensor
  %0 = amp.cast %x {rounding = to_nearest_even} : tensor<4xf32> to tensor<4xf16>
  // CHECK: amp.cast %{{.*}} {rounding = downward} : tensor
  %1 = amp.cast %x {rounding = downward} : tensor<4xf32> to tensor<4xf16>
  // CHECK: amp.cast %{{.*}} {rounding = upward} : tensor
  %2 = amp.cast %x {rounding = upward} : tensor<4xf32> to tensor<4xf16>
  // CHECK: amp.cast %{{.*}} {rounding = toward_zero} : tensor
  %3 = amp.cast %x {rounding = toward_zero} : tensor<4xf32> to tensor<4xf16>
  // CHECK: amp.cast %{{.*}} {rounding = to_nearest_away} : tensor
  %4 = amp.cast %x {rounding = to_nearest_away} : tensor<4xf32> to tensor<4xf16>
  // CHECK: amp.cast %{{.*}} : tensor
  %5 = amp.cast %x {overflow = ieee, must_round, origin = user} : tensor<4xf32> to tensor<4xf16>
  // CHECK: amp.cast %{{.*}} {rounding = upward, overflow = saturate, may_elide, origin = policy} : tensor
  %6 = amp.cast %x {origin = policy, may_elide, overflow = saturate, rounding = upward} : tensor<4xf32> to tensor<4xf16>
  // CHECK: amp.cast %{{.*}} {origin = promotion} : tensor
  %7 = amp.cast %x {origin = promotion} : tensor<4xf32> to tensor<4xf16>
  // CHECK: amp.cast %{{.*}} {origin = boundary} : tensor
  %8 = amp.cast %x {origin = boundary} : tensor<4xf32> to tensor<4xf16>
  // CHECK: amp.cast %{{.*}} {origin = legalization} : tensor
  %9 = amp.cast %x {origin = legalization} : tensor<4xf32> to tensor<4xf16>
  // CHECK: amp.cast %{{.*}} {may_elide, test.flag, test.value = 3 : i32} : tensor
  %10 = amp.cast %x {may_elide, test.flag, test.value = 3 : i32} : tensor<4xf32> to tensor<4xf16>
  // CHECK: amp.cast %{{.*}} {amp.decision = #amp.decision<keep, from (f32), to (f32), results (f16), compute(f32), explicit_cast>} : tensor
  %11 = amp.cast %x {amp.decision = #amp.decision<keep, from(f32), to(f32), results(f16), compute(f32), explicit_cast>} : tensor<4xf32> to tensor<4xf16>
  // CHECK: amp.cast %{{.*}} {"test.not an-id" = 1 : i32} : tensor
  %12 = amp.cast %x {"test.not an-id" = 1 : i32} : tensor<4xf32> to tensor<4xf16>
  return
}

// CHECK-LABEL: func.func @promote
func.func @promote(%a: tensor<4x4xf32>, %b: tensor<4xf32>, %c: tensor<4x4xf16>,
                   %i: tensor<2xi8>, %d: f64, %v: vector<2xbf16>) -> tensor<4x4xf32> {
  // CHECK: %{{.*}}:3 = amp.promote %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf16>
  %0:3 = amp.promote %a, %b, %c : tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf16>
  // Integers and f64 pass through.
  // CHECK: %[[P:.*]]:4 = amp.promote {{.*}} : tensor<4x4xf16>, tensor<2xi8>, f64, vector<2xbf16>
  %1:4 = amp.promote %c, %i, %d, %v : tensor<4x4xf16>, tensor<2xi8>, f64, vector<2xbf16>
  // CHECK: "test.use"(%[[P]]#0, %[[P]]#1, %[[P]]#2, %[[P]]#3) : (tensor<4x4xf32>, tensor<2xi8>, f64, vector<2xf32>)
  "test.use"(%1#0, %1#1, %1#2, %1#3) : (tensor<4x4xf32>, tensor<2xi8>, f64, vector<2xf32>) -> ()
  // CHECK: %[[E:.*]]:2 = amp.promote %{{.*}}, %{{.*}} {mode = elementwise} : tensor<4x4xf16>, tensor<2xi8>
  %2:2 = amp.promote %c, %i {mode = elementwise} : tensor<4x4xf16>, tensor<2xi8>
  // CHECK: "test.use"(%[[E]]#1) : (tensor<2xf16>)
  "test.use"(%2#1) : (tensor<2xf16>) -> ()
  // CHECK: amp.promote %{{.*}} {at_least = f32} : tensor<4x4xf16>
  %3 = amp.promote %c {at_least = f32} : tensor<4x4xf16>
  // CHECK: amp.promote %{{.*}}, %{{.*}} {at_least = f16, strict} : tensor<4x4xf32>, tensor<4x4xf16>
  %4:2 = amp.promote %a, %c {strict, at_least = f16, mode = autocast} : tensor<4x4xf32>, tensor<4x4xf16>
  // CHECK: amp.promote %{{.*}} {at_least = bf16, test.flag} : tensor<4x4xf16>
  %5 = amp.promote %c {test.flag, at_least = bf16} : tensor<4x4xf16>
  // Without operands there is nothing to promote.
  // CHECK: amp.promote{{$}}
  amp.promote
  return %5 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @autocast
func.func @autocast(%a: tensor<4x4xf32>, %flag: i1, %i: index) -> (tensor<4x4xf32>, index) {
  // CHECK: %[[R:.*]]:2 = amp.autocast device("cuda") dtype(f16) (%[[X:.*]] = %{{.*}} : tensor<4x4xf32>, %[[I:.*]] = %{{.*}} : index) -> (tensor<4x4xf32>, index) {
  // CHECK-NEXT: %[[E:.*]] = math.exp %[[X]]
  // CHECK-NEXT: amp.yield %[[E]], %[[I]] : tensor<4x4xf32>, index
  %0:2 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %j = %i : index) -> (tensor<4x4xf32>, index) {
    %1 = math.exp %x : tensor<4x4xf32>
    amp.yield %1, %j : tensor<4x4xf32>, index
  }
  // CHECK: amp.autocast device("cpu") dtype(bf16) disabled () {
  // CHECK-NEXT: amp.yield
  amp.autocast device("cpu") dtype(bf16) disabled () {
    amp.yield
  }
  // CHECK: amp.autocast device("cpu") dtype(bf16) if %{{.*}} () {
  amp.autocast device("cpu") dtype(bf16) if %flag () {
    amp.yield
  }
  // preserve is the default, and not printed.
  // CHECK: amp.autocast device("cpu") dtype(bf16) () {
  amp.autocast device("cpu") dtype(bf16) results(preserve) () {
    amp.yield
  }
  // CHECK: amp.autocast device("cpu") dtype(f16) if %{{.*}} results(propagate) policy(@mine) (%{{.*}} = %[[R]]#0 : tensor<4x4xf32>) -> tensor<4x4xf32> attributes {test.flag} {
  %2 = amp.autocast device("cpu") dtype(f16) if %flag results(propagate) policy(@mine) (%x = %0#0 : tensor<4x4xf32>) -> tensor<4x4xf32> attributes {test.flag} {
    // A scope in a scope.
    // CHECK: amp.autocast device("cpu") dtype(f64) disabled
    %3 = amp.autocast device("cpu") dtype(f64) disabled (%y = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
      amp.yield %y : tensor<4x4xf32>
    }
    amp.yield %3 : tensor<4x4xf32>
  }
  return %2, %0#1 : tensor<4x4xf32>, index
}

// CHECK-LABEL: func.func @out_dtype_options
func.func @out_dtype_options(%a: tensor<4x4xi8>) -> tensor<4x4xi32> {
  // CHECK: amp.out_dtype transparent gradient(f32) (%{{.*}} = %{{.*}} : tensor<4x4xi8>) -> tensor<4x4xi32> {
  %0 = amp.out_dtype transparent gradient(f32) (%x = %a : tensor<4x4xi8>) -> tensor<4x4xi32> {
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xi8>, tensor<4x4xi8>) -> tensor<4x4xi8>
    amp.yield %1 : tensor<4x4xi8>
  }
  // CHECK: amp.out_dtype gradient(bf16) (
  %2 = amp.out_dtype gradient(bf16) (%x = %0 : tensor<4x4xi32>) -> tensor<4x4xi32> {
    %3 = arith.muli %x, %x : tensor<4x4xi32>
    amp.yield %3 : tensor<4x4xi32>
  }
  return %2 : tensor<4x4xi32>
}

// CHECK-LABEL: func.func @out_dtype
func.func @out_dtype(%a: tensor<?x8xi8>, %b: tensor<8x4xi8>) -> tensor<?x4xi32> {
  // CHECK: amp.out_dtype (%[[X:.*]] = %{{.*}} : tensor<?x8xi8>, %[[Y:.*]] = %{{.*}} : tensor<8x4xi8>) -> tensor<?x4xi32> {
  // CHECK-NEXT: %[[M:.*]] = "aten.mm"(%[[X]], %[[Y]])
  // CHECK-NEXT: amp.yield %[[M]] : tensor<?x4xi8>
  %0 = amp.out_dtype (%x = %a : tensor<?x8xi8>, %y = %b : tensor<8x4xi8>) -> tensor<?x4xi32> {
    %1 = "aten.mm"(%x, %y) : (tensor<?x8xi8>, tensor<8x4xi8>) -> tensor<?x4xi8>
    amp.yield %1 : tensor<?x4xi8>
  }
  // CHECK: amp.out_dtype ({{.*}}) -> tensor<?x4xf16> attributes {test.flag} {
  %2 = amp.out_dtype (%x = %0 : tensor<?x4xi32>) -> tensor<?x4xf16> attributes {test.flag} {
    %3 = "torch.aten.mul.Scalar"(%x) {other = 2 : i64} : (tensor<?x4xi32>) -> tensor<?x4xi32>
    amp.yield %3 : tensor<?x4xi32>
  }
  return %0 : tensor<?x4xi32>
}

// CHECK-LABEL: func.func @unstructured
func.func @unstructured(%flag: i1) -> i1 {
  // CHECK: %[[C:.*]] = amp.config device("cuda") dtype(f16)
  %0 = amp.config device("cuda") dtype(f16)
  // CHECK: amp.config device("cuda") dtype(f32) disabled
  %1 = amp.config device("cuda") dtype(f32) disabled
  // CHECK: amp.config device("cpu") dtype(bf16) if %{{.*}} {test.flag}
  %2 = amp.config device("cpu") dtype(bf16) if %flag {test.flag}
  // CHECK: %[[T:.*]] = amp.enter %[[C]]
  %3 = amp.enter %0
  // CHECK: amp.is_enabled device("cuda")
  %4 = amp.is_enabled device("cuda")
  // CHECK: amp.exit %[[T]]
  amp.exit %3
  return %4 : i1
}

// The types of the import forms go through signatures.
// CHECK-LABEL: func.func private @types(!amp.config, !amp.token)
func.func private @types(!amp.config, !amp.token)

// Attributes that belong to other ops.
// CHECK: func.func @scope(%{{.*}}: tensor<4xf32> {amp.device = "cuda", amp.name = "x"})
// CHECK-SAME: attributes {amp.autocast = #amp.scope<device = "cuda", dtype = f16>, no_inline}
func.func @scope(%a: tensor<4xf32> {amp.device = "cuda", amp.name = "x"})
    attributes {amp.autocast = #amp.scope<device = "cuda", dtype = f16, enabled = true>, no_inline} {
  // CHECK: "test.op"(%{{.*}}) {amp.decision = #amp.decision<fp32, from (f16), to (f32), results (f32, none), compute(f32), op_policy>}
  %0:2 = "test.op"(%a) {amp.decision = #amp.decision<fp32, from(f16), to(f32), results(f32, none), compute(f32), op_policy>} : (tensor<4xf32>) -> (tensor<4xf32>, i32)
  return
}
// CHECK: attributes {amp.autocast = #amp.scope<device = "cpu", dtype = f32, enabled = false>, no_inline}
func.func @scope_off()
    attributes {amp.autocast = #amp.scope<device = "cpu", dtype = f32, enabled = false>, no_inline} {
  return
}
