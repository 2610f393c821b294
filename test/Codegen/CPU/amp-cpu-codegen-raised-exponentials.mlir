// The exponentials of a softmax get a factor that cancels, and that takes their last instruction away, where no instruction scales by powers of two.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3},amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s --check-prefixes=SCALES,NUMBER
// The instructions: the factor and the last multiplication are no more.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3},amp-cpu-legalize-floats{cpu=x86-64-v3}))' | FileCheck %s --check-prefixes=CODE,TABLE
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64},amp-cpu-legalize-floats{cpu=x86-64}))' | FileCheck %s --check-prefix=CODE
// Where one does, they are marked alone.
// SCALES-NOT: 0x4B800000
// SCALES: math.exp %{{.*}} {never_positive, softmax}
// SCALES-NOT: 0x4B800000
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#kept = affine_map<(i, j) -> (i, 0)>

// 0x4B800000 is 2^24, 0x33800000 2^-24.
// CHECK-LABEL: func.func @softmax
// CHECK: %[[RAISE:.*]] = arith.constant dense<0x4B800000>
// CHECK: %[[EXP:.*]] = math.exp %{{.*}} {never_positive, softmax}
// CHECK: arith.mulf %[[EXP]], %[[RAISE]] {cancels}
// CODE-LABEL: func.func @softmax
// CODE-NOT: 0x4B800000
// CODE-NOT: 5.96046448E-8
// TABLE: "llvm.x86.avx2.permps"
// CODE-NOT: math.exp
// CODE-LABEL: func.func @torch
func.func @softmax(%x: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %e = tensor.empty() : tensor<64x1024xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<64x1024xf32>) outs(%e : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  return %r : tensor<64x1024xf32>
}

// As programs of torch have it: with dimensions of one element, and a quotient.
// NaN is in the sums: the largest number ignores it, which takes one instruction.
// CHECK-LABEL: func.func @torch
// CHECK: arith.constant dense<0x4B800000>
// CHECK: arith.maxnumf
// NUMBER-LABEL: func.func @torch
// NUMBER-NOT: arith.maximumf
// NUMBER: arith.maxnumf
// NUMBER-NOT: arith.maximumf
// NUMBER: return
func.func @torch(%x: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %v = tensor.empty() : tensor<64x1xf32>
  %e = tensor.empty() : tensor<64x1024xf32>
  %lowest = linalg.fill ins(%low : f32) outs(%v : tensor<64x1xf32>) -> tensor<64x1xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%v : tensor<64x1xf32>) -> tensor<64x1xf32>
  %m = linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1024xf32>) outs(%lowest : tensor<64x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<64x1xf32>
  %p = linalg.generic {indexing_maps = [#all, #kept, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<64x1024xf32>, tensor<64x1xf32>) outs(%e : tensor<64x1024xf32>) {
  ^bb0(%a: f32, %l: f32, %o: f32):
    %0 = arith.subf %a, %l : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x1024xf32>
  %s = linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<64x1024xf32>) outs(%zeros : tensor<64x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<64x1xf32>
  %r = linalg.generic {indexing_maps = [#all, #kept, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s : tensor<64x1024xf32>, tensor<64x1xf32>) outs(%e : tensor<64x1024xf32>) {
  ^bb0(%a: f32, %l: f32, %o: f32):
    %0 = arith.divf %a, %l : f32
    linalg.yield %0 : f32
  } -> tensor<64x1024xf32>
  return %r : tensor<64x1024xf32>
}

// A maximum that does not start below all may leave a row without an exponential of zero, whose sum is zero then.
// CHECK-LABEL: func.func @finite
// CHECK-NOT: 0x4B800000
// NUMBER-LABEL: func.func @finite
// NUMBER: vector.reduction <maximumf>
func.func @finite(%x: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %low = arith.constant 0xFF7FFFFF : f32
  %zero = arith.constant 0.0 : f32
  %v = tensor.empty() : tensor<64xf32>
  %e = tensor.empty() : tensor<64x1024xf32>
  %lowest = linalg.fill ins(%low : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.reduce ins(%x : tensor<64x1024xf32>) outs(%lowest : tensor<64xf32>) dimensions = [1]
    (%a: f32, %o: f32) { %0 = arith.maximumf %a, %o : f32 linalg.yield %0 : f32 }
  %p = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<64x1024xf32>, tensor<64xf32>) outs(%e : tensor<64x1024xf32>) {
  ^bb0(%a: f32, %l: f32, %o: f32):
    %0 = arith.subf %a, %l : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x1024xf32>
  %s = linalg.reduce ins(%p : tensor<64x1024xf32>) outs(%zeros : tensor<64xf32>) dimensions = [1]
    (%a: f32, %o: f32) { %0 = arith.addf %a, %o : f32 linalg.yield %0 : f32 }
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s : tensor<64x1024xf32>, tensor<64xf32>) outs(%e : tensor<64x1024xf32>) {
  ^bb0(%a: f32, %l: f32, %o: f32):
    %0 = arith.divf %a, %l : f32
    linalg.yield %0 : f32
  } -> tensor<64x1024xf32>
  return %r : tensor<64x1024xf32>
}

// Sums of columns are not of those that the maximum is of; sums and exponentials that are seen keep no factor; nor do such that start from something.
// CHECK-LABEL: func.func @columns
// CHECK-NOT: 0x4B800000
// NUMBER-LABEL: func.func @columns
// NUMBER: vector.reduction <maximumf>
func.func @columns(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %v = tensor.empty() : tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %p = call @exponentials(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %low = arith.constant 0xFF800000 : f32
  %lowest = linalg.fill ins(%low : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.reduce ins(%x : tensor<64x64xf32>) outs(%lowest : tensor<64xf32>) dimensions = [1]
    (%a: f32, %o: f32) { %0 = arith.maximumf %a, %o : f32 linalg.yield %0 : f32 }
  %q = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %l: f32, %o: f32):
    %0 = arith.subf %a, %l : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  %s = linalg.reduce ins(%q : tensor<64x64xf32>) outs(%zeros : tensor<64xf32>) dimensions = [0]
    (%a: f32, %o: f32) { %0 = arith.addf %a, %o : f32 linalg.yield %0 : f32 }
  %r = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<64x64xf32>, tensor<64xf32>) outs(%p : tensor<64x64xf32>) {
  ^bb0(%a: f32, %l: f32, %o: f32):
    %0 = arith.divf %a, %l : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
// CHECK-LABEL: func.func @exponentials
// CHECK-NOT: 0x4B800000
// NUMBER-LABEL: func.func @exponentials
// NUMBER: vector.reduction <maximumf>
func.func @exponentials(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %v = tensor.empty() : tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %low = arith.constant 0xFF800000 : f32
  %lowest = linalg.fill ins(%low : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.reduce ins(%x : tensor<64x64xf32>) outs(%lowest : tensor<64xf32>) dimensions = [1]
    (%a: f32, %o: f32) { %0 = arith.maximumf %a, %o : f32 linalg.yield %0 : f32 }
  %p = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %l: f32, %o: f32):
    %0 = arith.subf %a, %l : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  return %p : tensor<64x64xf32>
}
// CHECK-LABEL: func.func @started
// CHECK-NOT: 0x4B800000
// NUMBER-LABEL: func.func @started
// NUMBER: vector.reduction <maximumf>
func.func @started(%x: tensor<64x64xf32>, %start: tensor<64xf32>) -> tensor<64x64xf32> {
  %v = tensor.empty() : tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %low = arith.constant 0xFF800000 : f32
  %lowest = linalg.fill ins(%low : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.reduce ins(%x : tensor<64x64xf32>) outs(%lowest : tensor<64xf32>) dimensions = [1]
    (%a: f32, %o: f32) { %0 = arith.maximumf %a, %o : f32 linalg.yield %0 : f32 }
  %q = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %l: f32, %o: f32):
    %0 = arith.subf %a, %l : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  %s = linalg.reduce ins(%q : tensor<64x64xf32>) outs(%start : tensor<64xf32>) dimensions = [1]
    (%a: f32, %o: f32) { %0 = arith.addf %a, %o : f32 linalg.yield %0 : f32 }
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %l: f32, %o: f32):
    %0 = arith.divf %a, %l : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// A largest number that is seen is NaN where a number is.
// CHECK-LABEL: func.func @seen
// CHECK: 0x4B800000
// NUMBER-LABEL: func.func @seen
// NUMBER: vector.reduction <maximumf>
func.func @seen(%x: tensor<64x1024xf32>) -> (tensor<64x1024xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %v = tensor.empty() : tensor<64xf32>
  %e = tensor.empty() : tensor<64x1024xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %low = arith.constant 0xFF800000 : f32
  %lowest = linalg.fill ins(%low : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.reduce ins(%x : tensor<64x1024xf32>) outs(%lowest : tensor<64xf32>) dimensions = [1]
    (%a: f32, %o: f32) { %0 = arith.maximumf %a, %o : f32 linalg.yield %0 : f32 }
  %q = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<64x1024xf32>, tensor<64xf32>) outs(%e : tensor<64x1024xf32>) {
  ^bb0(%a: f32, %l: f32, %o: f32):
    %0 = arith.subf %a, %l : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x1024xf32>
  %s = linalg.reduce ins(%q : tensor<64x1024xf32>) outs(%zeros : tensor<64xf32>) dimensions = [1]
    (%a: f32, %o: f32) { %0 = arith.addf %a, %o : f32 linalg.yield %0 : f32 }
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<64x1024xf32>, tensor<64xf32>) outs(%e : tensor<64x1024xf32>) {
  ^bb0(%a: f32, %l: f32, %o: f32):
    %0 = arith.divf %a, %l : f32
    linalg.yield %0 : f32
  } -> tensor<64x1024xf32>
  return %r, %m : tensor<64x1024xf32>, tensor<64xf32>
}
