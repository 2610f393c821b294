// Under autocast amp.attention casts queries, keys and values; its mask and log-sum-exp
// stay as they are.

// RUN: amp-opt %s --amp-autocast | FileCheck %s

// CHECK-LABEL: func.func @scope(
// CHECK-COUNT-3: amp.cast %{{.*}} to tensor<{{.*}}xf16>
// CHECK: %[[R:.*]], %[[LSE:.*]] = amp.attention %{{.*}}, %{{.*}}, %{{.*}} mask(%{{.*}} : tensor<64x48xf32>) causal : tensor<2x8x64x32xf16>, tensor<2x4x48x32xf16>, tensor<2x4x48x32xf16> -> tensor<2x8x64x32xf16>, tensor<2x8x64xf32>
// CHECK: %[[WIDE:.*]] = amp.cast %[[R]] {origin = boundary}
// CHECK: return %[[WIDE]], %[[LSE]]
func.func @scope(%q: tensor<2x8x64x32xf32>, %k: tensor<2x4x48x32xf32>, %v: tensor<2x4x48x32xf32>, %m: tensor<64x48xf32>) -> (tensor<2x8x64x32xf32>, tensor<2x8x64xf32>) {
  %0:2 = amp.autocast device("cuda") dtype(f16) (%a = %q : tensor<2x8x64x32xf32>, %b = %k : tensor<2x4x48x32xf32>, %c = %v : tensor<2x4x48x32xf32>, %d = %m : tensor<64x48xf32>) -> (tensor<2x8x64x32xf32>, tensor<2x8x64xf32>) {
    %1:2 = amp.attention %a, %b, %c mask(%d : tensor<64x48xf32>) causal : tensor<2x8x64x32xf32>, tensor<2x4x48x32xf32>, tensor<2x4x48x32xf32> -> tensor<2x8x64x32xf32>, tensor<2x8x64xf32>
    amp.yield %1#0, %1#1 : tensor<2x8x64x32xf32>, tensor<2x8x64xf32>
  }
  return %0#0, %0#1 : tensor<2x8x64x32xf32>, tensor<2x8x64xf32>
}

// Operands of different types are all cast.
// CHECK-LABEL: func.func @mixed(
// CHECK: amp.attention %{{.*}} : tensor<64x32xbf16>, tensor<48x32xbf16>, tensor<48x32xbf16> -> tensor<64x32xbf16>
func.func @mixed(%q: tensor<64x32xf16>, %k: tensor<48x32xf32>, %v: tensor<48x32xf32>) -> tensor<64x32xf32> {
  %0 = amp.autocast device("cuda") dtype(bf16) (%a = %q : tensor<64x32xf16>, %b = %k : tensor<48x32xf32>, %c = %v : tensor<48x32xf32>) -> tensor<64x32xf32> {
    %w = amp.cast %a : tensor<64x32xf16> to tensor<64x32xf32>
    %1 = amp.attention %w, %b, %c : tensor<64x32xf32>, tensor<48x32xf32>, tensor<48x32xf32> -> tensor<64x32xf32>
    amp.yield %1 : tensor<64x32xf32>
  }
  return %0 : tensor<64x32xf32>
}
