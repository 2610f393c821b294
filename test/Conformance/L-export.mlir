// Section L: the region form that torch.export makes of enter and exit. A comment
// quotes the number of each case.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-structurize-scopes | FileCheck %s --check-prefix=REGIONS
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast | FileCheck %s

// Case 432: x->mm; R(cpu,bf16){z=mm; R(off){q=mm(x,w)}; r=z+q}; exp(z) => an outer
// region (bf16, on) whose body contains an inner one (off); two values leave.
// Case 433: inside the regions the types are those of before: f32.
// REGIONS-LABEL: func.func @case_432
// REGIONS:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// REGIONS:         %[[O:.*]]:2 = amp.autocast device("cpu") dtype(bf16) results(propagate) {{.*}} -> (tensor<2x2xf32>, tensor<2x2xf32>) {
// REGIONS:           "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// REGIONS:           amp.autocast device("cpu") dtype(bf16) disabled results(propagate) {{.*}} -> tensor<2x2xf32> {
// REGIONS:             "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// REGIONS:             amp.yield
// REGIONS:           }
// REGIONS:           "aten.add.Tensor"
// REGIONS:           amp.yield
// REGIONS:         }
// REGIONS:         "aten.exp"(%[[O]]#
//
// Case 434: after decomposition => mm operands bf16, q f32, add f32, exp(bf16)
// outside of the policy: bf16.
// CHECK-LABEL: func.func @case_432
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK:         %[[Z:.*]] = "aten.mm"({{.*}}) : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
// CHECK:         %[[Q:.*]] = "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK:         "aten.add.Tensor"(%{{.*}}, %[[Q]]) : (tensor<2x2x{{bf16|f32}}>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK:         "aten.exp"(%[[Z]]) : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
func.func @case_432(%a: tensor<2x2xf32>, %w: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %on = amp.config device("cpu") dtype(bf16)
  %off = amp.config device("cpu") dtype(bf16) disabled
  %x = "aten.mm"(%a, %w) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %t = amp.enter %on
  %z = "aten.mm"(%x, %w) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %u = amp.enter %off
  %q = "aten.mm"(%x, %w) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %u
  %r = "aten.add.Tensor"(%z, %q) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  %e = "aten.exp"(%z) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r, %e : tensor<2x2xf32>, tensor<2x2xf32>
}
