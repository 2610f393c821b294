// RUN: amp-opt %s --amp-split-init --verify-diagnostics -o /dev/null

// The name of the init function is taken.
// expected-error @+1 {{'func.func' op has work on weights, but a function for it cannot be created: the name 'main_init' is taken; rename that symbol}}
func.func @main(%w: tensor<4xf32> {amp.weight}, %x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = arith.truncf %w : tensor<4xf32> to tensor<4xf16>
  %1 = arith.addf %0, %x : tensor<4xf16>
  return %1 : tensor<4xf16>
}
// expected-note @+1 {{the symbol is here}}
func.func @main_init() {
  return
}
