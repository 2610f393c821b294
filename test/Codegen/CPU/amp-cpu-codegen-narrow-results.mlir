// Exponentials of which no one sees more than f16 or bf16 has, behind products and sums of nothing negative, need fewer terms.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s
// Once.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4},amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s
// The choice is told.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' --remarks-filter=amp --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
#row = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @softmax
// CHECK: math.exp %{{.*}} {narrow_result = bf16, never_positive, softmax} : vector<64xf32>
func.func @softmax(%x: tensor<64x1024xbf16>) -> tensor<64x1024xbf16> {
  %e = tensor.empty() : tensor<64x1024xbf16>
  %r = linalg.softmax dimension(1) ins(%x : tensor<64x1024xbf16>) outs(%e : tensor<64x1024xbf16>) -> tensor<64x1024xbf16>
  return %r : tensor<64x1024xbf16>
}

// What reads it rounds it on its own.
// CHECK-LABEL: func.func @product
// CHECK: math.exp %{{.*}} {narrow_result = f16, never_positive, softmax}
func.func @product(%x: tensor<64x128xf32>, %v: tensor<128x64xf16>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %s = linalg.softmax dimension(1) ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %p = arith.truncf %s : tensor<64x128xf32> to tensor<64x128xf16>
  %o = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%p, %v : tensor<64x128xf16>, tensor<128x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// CHECK-LABEL: func.func @silu
// CHECK: math.exp %{{.*}} {narrow_result = bf16}
func.func @silu(%x: tensor<64x1024xbf16>) -> tensor<64x1024xbf16> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64x1024xbf16>
  %r = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x1024xbf16>) outs(%e : tensor<64x1024xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %w = arith.extf %a : bf16 to f32
    %0 = arith.negf %w : f32
    // REMARK: narrow-results.mlir:[[#@LINE+1]]:10: remark: [Passed] NarrowResult | Category:amp | Function=silu | Op=math.exp
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %w, %2 : f32
    %4 = arith.truncf %3 : f32 to bf16
    linalg.yield %4 : bf16
  } -> tensor<64x1024xbf16>
  return %r : tensor<64x1024xbf16>
}

// Rounded itself, it is half an ulp off, as before.
// CHECK-LABEL: func.func @itself
// CHECK: math.exp %{{[a-z0-9]+}} : vector
func.func @itself(%x: tensor<64x1024xbf16>) -> tensor<64x1024xbf16> {
  %w = arith.extf %x : tensor<64x1024xbf16> to tensor<64x1024xf32>
  %y = math.exp %w : tensor<64x1024xf32>
  %r = arith.truncf %y : tensor<64x1024xf32> to tensor<64x1024xbf16>
  return %r : tensor<64x1024xbf16>
}

// The result is f32.
// CHECK-LABEL: func.func @wide
// CHECK: math.exp %{{[a-z0-9]+}} {never_positive, softmax} : vector
func.func @wide(%x: tensor<64x1024xbf16>) -> tensor<64x1024xf32> {
  %w = arith.extf %x : tensor<64x1024xbf16> to tensor<64x1024xf32>
  %e = tensor.empty() : tensor<64x1024xf32>
  %r = linalg.softmax dimension(1) ins(%w : tensor<64x1024xf32>) outs(%e : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  return %r : tensor<64x1024xf32>
}

// One of its readers takes it as it is.
// CHECK-LABEL: func.func @both
// CHECK: math.exp %{{[a-z0-9]+}} {never_positive, softmax} : vector
func.func @both(%x: tensor<64x1024xf32>) -> (tensor<64x1024xf32>, tensor<64x1024xbf16>) {
  %e = tensor.empty() : tensor<64x1024xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<64x1024xf32>) outs(%e : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %n = arith.truncf %r : tensor<64x1024xf32> to tensor<64x1024xbf16>
  return %r, %n : tensor<64x1024xf32>, tensor<64x1024xbf16>
}

// The logarithm of the sum is compared with other numbers: a difference has any relative error.
// CHECK-LABEL: func.func @log_softmax
// CHECK: math.exp %{{[a-z0-9]+}} : vector
func.func @log_softmax(%x: tensor<64x1024xf32>) -> tensor<64x1024xbf16> {
  %z = arith.constant 0.0 : f32
  %v = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%z : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#row, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1024xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %e = tensor.empty() : tensor<64x1024xbf16>
  %r = linalg.generic {indexing_maps = [#row, #column, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<64x1024xf32>, tensor<64xf32>) outs(%e : tensor<64x1024xbf16>) {
  ^bb0(%a: f32, %t: f32, %o: bf16):
    %0 = math.log %t : f32
    %1 = arith.subf %a, %0 : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<64x1024xbf16>
  return %r : tensor<64x1024xbf16>
}

// A sum that starts from what may be negative may be near zero.
// CHECK-LABEL: func.func @started
// CHECK: math.exp %{{[a-z0-9]+}} : vector
func.func @started(%x: tensor<64x1024xf32>, %start: tensor<64xf32>) -> tensor<64xbf16> {
  %s = linalg.generic {indexing_maps = [#row, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1024xf32>) outs(%start : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %n = arith.truncf %s : tensor<64xf32> to tensor<64xbf16>
  return %n : tensor<64xbf16>
}

// CHECK-LABEL: func.func @less_one
// CHECK: math.exp %{{[a-z0-9]+}} : vector
func.func @less_one(%x: tensor<64x1024xf32>) -> tensor<64x1024xbf16> {
  %one = arith.constant -1.0 : f32
  %e = tensor.empty() : tensor<64x1024xbf16>
  %r = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x1024xf32>) outs(%e : tensor<64x1024xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %1 = math.exp %a : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16
  } -> tensor<64x1024xbf16>
  return %r : tensor<64x1024xbf16>
}

// Products of it are not summed: they may be negative.
// CHECK-LABEL: func.func @sum_of_products
// CHECK: math.exp %{{[a-z0-9]+}} : vector
func.func @sum_of_products(%x: tensor<64x1024xf32>) -> tensor<64x1024xbf16> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64x1024xbf16>
  %r = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x1024xf32>) outs(%e : tensor<64x1024xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %1 = math.exp %a : f32
    %2 = arith.mulf %1, %a : f32
    %3 = arith.addf %2, %one : f32
    %4 = arith.truncf %3 : f32 to bf16
    linalg.yield %4 : bf16
  } -> tensor<64x1024xbf16>
  return %r : tensor<64x1024xbf16>
}

// Each square doubles the error.
// CHECK-LABEL: func.func @eighth_power
// CHECK: math.exp %{{[a-z0-9]+}} : vector
func.func @eighth_power(%x: tensor<64x1024xf32>) -> tensor<64x1024xbf16> {
  %e = tensor.empty() : tensor<64x1024xbf16>
  %r = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x1024xf32>) outs(%e : tensor<64x1024xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %1 = math.exp %a : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.mulf %2, %2 : f32
    %4 = arith.mulf %3, %3 : f32
    %5 = arith.truncf %4 : f32 to bf16
    linalg.yield %5 : bf16
  } -> tensor<64x1024xbf16>
  return %r : tensor<64x1024xbf16>
}
