// Scopes in loops and in the conditions of loops.
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
