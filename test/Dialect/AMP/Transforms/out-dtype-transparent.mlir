// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --pass-pipeline="builtin.module(amp-decide-precision,amp-apply-precision)" | FileCheck %s

// As torch: the op inside is autocast, only the result keeps its type.
// CHECK-LABEL: func.func @mm
func.func @mm(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: %[[C:.*]] = amp.cast %{{.*}} {may_elide, origin = policy} : tensor<4x4xf32> to tensor<4x4xbf16>
  // CHECK: %[[R:.*]] = amp.out_dtype transparent (%[[X:.*]] = %[[C]] : tensor<4x4xbf16>, %[[Y:.*]] = %[[C]] : tensor<4x4xbf16>) -> tensor<4x4xf32> {
  // CHECK:   "aten.mm"(%[[X]], %[[Y]]) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
  // CHECK: return %[[R]]
  %0 = amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = amp.out_dtype transparent (%p = %x : tensor<4x4xf32>, %q = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
      %2 = "aten.mm"(%p, %q) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.yield %2 : tensor<4x4xf32>
    }
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// A linalg op: its destination is an accumulator, and stays.
// CHECK-LABEL: func.func @linalg
func.func @linalg(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf64> {
  // CHECK: amp.out_dtype transparent (%[[X:.*]] = %{{.*}} : tensor<4x4xf16>, %[[Z:.*]] = %{{.*}} : tensor<4x4xf32>) -> tensor<4x4xf64> {
  // CHECK:   linalg.matmul ins(%[[X]], %[[X]] : tensor<4x4xf16>, tensor<4x4xf16>) outs(%[[Z]] : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %z = %c : tensor<4x4xf32>) -> tensor<4x4xf64> {
    %1 = amp.out_dtype transparent (%p = %x : tensor<4x4xf32>, %q = %z : tensor<4x4xf32>) -> tensor<4x4xf64> {
      %2 = linalg.matmul ins(%p, %p : tensor<4x4xf32>, tensor<4x4xf32>) outs(%q : tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.yield %2 : tensor<4x4xf32>
    }
    amp.yield %1 : tensor<4x4xf64>
  }
  return %0 : tensor<4x4xf64>
}

// -----

// Outside of scopes, and in one that is off, nothing happens; without the
// option, nothing in one that is on.
// CHECK-LABEL: func.func @off
func.func @off(%a: tensor<4x4xf32>) -> (tensor<4x4xf64>, tensor<4x4xf64>) {
  // CHECK-COUNT-2: "aten.mm"(%{{.*}}, %{{.*}}) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = amp.autocast device("cuda") dtype(f16) disabled (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf64> {
    %1 = amp.out_dtype transparent (%p = %x : tensor<4x4xf32>) -> tensor<4x4xf64> {
      %2 = "aten.mm"(%p, %p) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.yield %2 : tensor<4x4xf32>
    }
    amp.yield %1 : tensor<4x4xf64>
  }
  %3 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf64> {
    %1 = amp.out_dtype (%p = %x : tensor<4x4xf32>) -> tensor<4x4xf64> {
      %2 = "aten.mm"(%p, %p) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.yield %2 : tensor<4x4xf32>
    }
    amp.yield %1 : tensor<4x4xf64>
  }
  return %0, %3 : tensor<4x4xf64>, tensor<4x4xf64>
}
