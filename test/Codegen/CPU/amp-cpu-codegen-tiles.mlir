// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=sapphirerapids}))' | FileCheck %s

// Sums of whole tiles that are the results are stored where those go.
// CHECK-LABEL: func.func @results
// CHECK: %[[SUMS:.*]]:4 = scf.for
// CHECK-COUNT-4: vector.contract
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK-NOT: vector.transfer_read
// CHECK-COUNT-4: vector.transfer_write %[[SUMS]]#{{[0-3]}}, {{.*}} : vector<16x16xf32>, tensor<320x320xf32>
// CHECK-NOT: tensor<1x32x32xf32>
// CHECK: return
func.func @results(%a: tensor<320x310xbf16>, %b: tensor<310x320xbf16>) -> tensor<320x320xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<320x320xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<320x320xf32>) -> tensor<320x320xf32>
  %c = linalg.matmul ins(%a, %b : tensor<320x310xbf16>, tensor<310x320xbf16>) outs(%i : tensor<320x320xf32>) -> tensor<320x320xf32>
  return %c : tensor<320x320xf32>
}

// Others go through a tile's room: past the last row, where a sum starts from something, or something follows.
// CHECK-LABEL: func.func @rows_past_the_end
// CHECK: scf.if %{{.*}} -> (tensor<300x320xi32>, tensor<1x32x32xi32>)
// CHECK: vector.transfer_write {{.*}} : vector<16x16xi32>, tensor<300x320xi32>
// CHECK: } else {
// CHECK: vector.transfer_write {{.*}} : vector<16x16xi32>, tensor<1x32x32xi32>
// CHECK: return
func.func @rows_past_the_end(%a: tensor<300x320xi8>, %b: tensor<320x320xi8>) -> tensor<300x320xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<300x320xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<300x320xi32>) -> tensor<300x320xi32>
  %c = linalg.matmul ins(%a, %b : tensor<300x320xi8>, tensor<320x320xi8>) outs(%i : tensor<300x320xi32>) -> tensor<300x320xi32>
  return %c : tensor<300x320xi32>
}

// CHECK-LABEL: func.func @starts
// CHECK-NOT: vector<16x16xf32>, tensor<320x320xf32>
// CHECK: return
func.func @starts(%a: tensor<320x320xbf16>, %b: tensor<320x320xbf16>, %i: tensor<320x320xf32>) -> tensor<320x320xf32> {
  %c = linalg.matmul ins(%a, %b : tensor<320x320xbf16>, tensor<320x320xbf16>) outs(%i : tensor<320x320xf32>) -> tensor<320x320xf32>
  return %c : tensor<320x320xf32>
}

// Rows that are no multiple of half a line would be stored in two lines each, and large results are to go around the caches.
// CHECK-LABEL: func.func @short_rows
// CHECK-NOT: vector<16x16xf32>, tensor<320x332xf32>
// CHECK: return
func.func @short_rows(%a: tensor<320x320xbf16>, %b: tensor<320x332xbf16>) -> tensor<320x332xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<320x332xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<320x332xf32>) -> tensor<320x332xf32>
  %c = linalg.matmul ins(%a, %b : tensor<320x320xbf16>, tensor<320x332xbf16>) outs(%i : tensor<320x332xf32>) -> tensor<320x332xf32>
  return %c : tensor<320x332xf32>
}

// CHECK-LABEL: func.func @large
// CHECK-NOT: vector<16x16xf32>, tensor<2048x1024xf32>
// CHECK: return
func.func @large(%a: tensor<2048x320xbf16>, %b: tensor<320x1024xbf16>) -> tensor<2048x1024xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x1024xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
  %c = linalg.matmul ins(%a, %b : tensor<2048x320xbf16>, tensor<320x1024xbf16>) outs(%i : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
  return %c : tensor<2048x1024xf32>
}
