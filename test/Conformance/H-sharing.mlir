// The cases of torch's cast cache: there is none here. A cast is a value, so what
// eager gets wrong with a stale one cannot happen; equal casts are shared.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast=share-casts=false | FileCheck %s --check-prefix=APART

// 351: a region in a region, and a disabled one between: W is cast once.
// 349: with share-casts=false it is cast for each use, as without the cache.
// CHECK-LABEL: func.func @case_351
// CHECK-SAME: %[[X:.*]]: tensor<2x2xf32>, %[[W:.*]]: tensor<2x2xf32>
// CHECK: %[[C:.*]] = amp.cast %[[W]] {{.*}} : tensor<2x2xf32> to tensor<2x2xf16>
// CHECK-NOT: amp.cast %[[W]]
// CHECK: "aten.mm"(%{{.*}}, %[[C]]) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK: "aten.mm"(%[[X]], %[[W]]) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK: "aten.mm"(%{{.*}}, %[[C]]) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// APART-LABEL: func.func @case_351
// APART-SAME: %{{.*}}: tensor<2x2xf32>, %[[W:.*]]: tensor<2x2xf32>
// APART: amp.cast %[[W]]
// APART: "aten.mm"
// APART: amp.cast %[[W]]
// APART: return
func.func @case_351(%x: tensor<2x2xf32>, %w: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %0:3 = amp.autocast device("cuda") dtype(f16) (%a = %x : tensor<2x2xf32>, %b = %w : tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
    %1 = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %2:2 = amp.autocast device("cuda") dtype(f16) disabled (%c = %a : tensor<2x2xf32>, %d = %b : tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
      %3 = "aten.mm"(%c, %d) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      %4 = amp.autocast device("cuda") dtype(f16) (%e = %c : tensor<2x2xf32>, %f = %d : tensor<2x2xf32>) -> tensor<2x2xf32> {
        %5 = "aten.mm"(%e, %f) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
        amp.yield %5 : tensor<2x2xf32>
      }
      amp.yield %3, %4 : tensor<2x2xf32>, tensor<2x2xf32>
    }
    amp.yield %1, %2#0, %2#1 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// 352: a nested region of another dtype casts W again, from f32.
// CHECK-LABEL: func.func @case_352
// CHECK-SAME: %{{.*}}: tensor<2x2xf32>, %[[W:.*]]: tensor<2x2xf32>
// CHECK: %[[B:.*]] = amp.cast %[[W]] {{.*}} : tensor<2x2xf32> to tensor<2x2xbf16>
// CHECK: "aten.mm"(%{{.*}}, %[[B]]) : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
// CHECK: %[[H:.*]] = amp.cast %[[W]] {{.*}} : tensor<2x2xf32> to tensor<2x2xf16>
// CHECK: "aten.mm"(%{{.*}}, %[[H]]) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
func.func @case_352(%x: tensor<2x2xf32>, %w: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %0:2 = amp.autocast device("cuda") dtype(bf16) (%a = %x : tensor<2x2xf32>, %b = %w : tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
    %1 = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %2 = amp.autocast device("cuda") dtype(f16) (%c = %a : tensor<2x2xf32>, %d = %b : tensor<2x2xf32>) -> tensor<2x2xf32> {
      %3 = "aten.mm"(%c, %d) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      amp.yield %3 : tensor<2x2xf32>
    }
    amp.yield %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>
  }
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<2x2xf32>
}
