// Ops of no loops in the body of another one, which functions that are called for each element become, are what they do to their scalars.
// RUN: amp-opt %s --amp-form-kernels | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen))' | FileCheck %s --check-prefix=CPU
// RUN: amp-opt %s --amp-lower-to-simulator -o /dev/null

#in = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>
#none = affine_map<() -> ()>

// CHECK-LABEL: func.func @largest_{{.*}}amp.kernel
// CHECK: linalg.generic
// CHECK: %[[IS:.*]] = arith.cmpf ogt
// CHECK-NEXT: %[[V:.*]] = arith.select %[[IS]], %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: %[[I:.*]] = arith.select %[[IS]], %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: linalg.yield %[[V]], %[[I]]
// CPU-LABEL: func.func @largest
// CPU-NOT: tensor.from_elements
// CPU: arith.select
func.func @largest(%x: tensor<11x40xf32>, %i: tensor<11x40xi32>) -> (tensor<11xf32>, tensor<11xi32>) {
  %low = arith.constant 0xFF800000 : f32
  %no = arith.constant -1 : i32
  %ev = tensor.empty() : tensor<11xf32>
  %ei = tensor.empty() : tensor<11xi32>
  %fv = linalg.fill ins(%low : f32) outs(%ev : tensor<11xf32>) -> tensor<11xf32>
  %fi = linalg.fill ins(%no : i32) outs(%ei : tensor<11xi32>) -> tensor<11xi32>
  %r:2 = linalg.generic {indexing_maps = [#in, #in, #out, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x, %i : tensor<11x40xf32>, tensor<11x40xi32>) outs(%fv, %fi : tensor<11xf32>, tensor<11xi32>) {
  ^bb0(%a: f32, %b: i32, %o: f32, %p: i32):
    %is = arith.cmpf ogt, %a, %o : f32
    %ti = tensor.from_elements %is : tensor<i1>
    %ta = tensor.from_elements %a : tensor<f32>
    %to = tensor.from_elements %o : tensor<f32>
    %tb = tensor.from_elements %b : tensor<i32>
    %tp = tensor.from_elements %p : tensor<i32>
    %e0 = tensor.empty() : tensor<f32>
    %v = linalg.generic {indexing_maps = [#none, #none, #none, #none], iterator_types = []} ins(%ti, %ta, %to : tensor<i1>, tensor<f32>, tensor<f32>) outs(%e0 : tensor<f32>) {
    ^bb0(%c: i1, %s: f32, %t: f32, %u: f32):
      %0 = arith.select %c, %s, %t : f32
      linalg.yield %0 : f32
    } -> tensor<f32>
    %e1 = tensor.empty() : tensor<i32>
    %w = linalg.generic {indexing_maps = [#none, #none, #none, #none], iterator_types = []} ins(%ti, %tb, %tp : tensor<i1>, tensor<i32>, tensor<i32>) outs(%e1 : tensor<i32>) {
    ^bb0(%c: i1, %s: i32, %t: i32, %u: i32):
      %0 = arith.select %c, %s, %t : i32
      linalg.yield %0 : i32
    } -> tensor<i32>
    %y = tensor.extract %v[] : tensor<f32>
    %z = tensor.extract %w[] : tensor<i32>
    linalg.yield %y, %z : f32, i32
  } -> (tensor<11xf32>, tensor<11xi32>)
  return %r#0, %r#1 : tensor<11xf32>, tensor<11xi32>
}
