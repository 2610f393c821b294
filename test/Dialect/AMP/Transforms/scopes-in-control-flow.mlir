// Scopes in loops, in the conditions of loops, and in payloads.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast | FileCheck %s

// The before region of a while loop: what it hands on has one type each, the
// join of what arrives there; the cast of %b stands in front of the loop.
// CHECK-LABEL: func.func @while
// CHECK-SAME:    (%[[A:[^:]*]]: tensor<8x8xf32>, %[[B:[^:]*]]: tensor<8x8xf32>)
// CHECK:         %[[LB:.*]] = amp.cast %[[B]] {{.*}} : tensor<8x8xf32> to tensor<8x8xf16>
// CHECK:         scf.while (%[[X:.*]] = %[[A]]) : (tensor<8x8xf32>) -> tensor<8x8xf16> {
// CHECK:           %[[M:.*]] = "aten.mm"(%{{.*}}, %[[LB]]) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
// CHECK:           scf.condition({{.*}}) %[[M]] : tensor<8x8xf16>
// CHECK:         } do {
// CHECK:           "aten.mm"(%{{.*}}, %[[LB]]) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
// CHECK:           scf.yield %{{.*}} : tensor<8x8xf32>
func.func @while(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  %r = scf.while (%x = %a) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
    %m = "aten.mm"(%x, %b) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %c = "cond"() : () -> i1
    scf.condition(%c) %m : tensor<8x8xf32>
  } do {
  ^bb0(%m: tensor<8x8xf32>):
    %n = "aten.mm"(%m, %b) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %n : tensor<8x8xf32>
  }
  amp.exit %t
  return %r : tensor<8x8xf32>
}

// A scope in the payload of linalg, as inlining leaves it there, decides for the
// ops inside, and keeps the types of the payload.
// CHECK-LABEL: func.func @payload
// CHECK:         linalg.generic
// CHECK:           %[[W:.*]] = amp.cast %{{.*}} : f16 to f32
// CHECK:           %[[E:.*]] = math.exp %[[W]] : f32
// CHECK:           %[[N:.*]] = amp.cast %[[E]] {{.*}} : f32 to f16
// CHECK:           linalg.yield %[[N]] : f16
func.func @payload(%a: tensor<8xf16>, %e: tensor<8xf16>) -> tensor<8xf16> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<8xf16>) outs(%e : tensor<8xf16>) {
  ^bb0(%in: f16, %out: f16):
    %0 = amp.autocast device("cuda") dtype(f16) results(propagate) (%x = %in : f16) -> f16 {
      %1 = math.exp %x : f16
      amp.yield %1 : f16
    }
    linalg.yield %0 : f16
  } -> tensor<8xf16>
  return %r : tensor<8xf16>
}
