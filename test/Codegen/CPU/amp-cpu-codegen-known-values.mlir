// Exponentials of what is never positive, and roundings to bf16 of what has no NaN but those of bf16, need fewer instructions.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s
// Once.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3},amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s
#row = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (i)>

// The largest element of a row is subtracted.
// CHECK-LABEL: func.func @softmax
// CHECK: math.exp %{{.*}} {never_positive, softmax}
func.func @softmax(%x: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %e = tensor.empty() : tensor<64x1024xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<64x1024xf32>) outs(%e : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  return %r : tensor<64x1024xf32>
}

// Of the logarithm of a sum, no factor cancels.
// CHECK-LABEL: func.func @log_softmax
// CHECK: math.exp %{{.*}} {never_positive, softmax}
// CHECK-NOT: cancels
// CHECK: math.log
// CHECK: return
func.func @log_softmax(%x: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %v = tensor.empty() : tensor<64xf32>
  %e = tensor.empty() : tensor<64x1024xf32>
  %f = linalg.fill ins(%low : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.reduce ins(%x : tensor<64x1024xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
    (%a: f32, %o: f32) { %n = arith.maximumf %a, %o : f32 linalg.yield %n : f32 }
  %s = linalg.generic {indexing_maps = [#row, #column, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<64x1024xf32>, tensor<64xf32>) outs(%g : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %p = math.exp %d : f32
    %n = arith.addf %o, %p : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#row, #column, #column, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m, %s : tensor<64x1024xf32>, tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %l = math.log %c : f32
    %n = arith.subf %d, %l : f32
    linalg.yield %n : f32
  } -> tensor<64x1024xf32>
  return %r : tensor<64x1024xf32>
}

// It is of the same expression of the same numbers, wherever that is written.
// CHECK-LABEL: func.func @scaled
// CHECK: math.exp %{{.*}} {narrow_result = bf16, never_positive, softmax}
func.func @scaled(%x: tensor<64x1024xbf16>) -> tensor<64x1024xbf16> {
  %scale = arith.constant 1.250000e-01 : bf16
  %s = tensor.splat %scale : tensor<64x1024xbf16>
  %y = arith.mulf %x, %s : tensor<64x1024xbf16>
  %e = tensor.empty() : tensor<64x1024xbf16>
  %r = linalg.softmax dimension(1) ins(%y : tensor<64x1024xbf16>) outs(%e : tensor<64x1024xbf16>) -> tensor<64x1024xbf16>
  return %r : tensor<64x1024xbf16>
}

// The largest elements of another tensor, those of columns, and the smallest, say nothing.
// CHECK-LABEL: func.func @others
// CHECK-NOT: never_positive
func.func @others(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %v = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%low : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %of_y = linalg.reduce ins(%y : tensor<64x64xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
    (%a: f32, %o: f32) { %m = arith.maximumf %a, %o : f32 linalg.yield %m : f32 }
  %of_columns = linalg.reduce ins(%x : tensor<64x64xf32>) outs(%f : tensor<64xf32>) dimensions = [0]
    (%a: f32, %o: f32) { %m = arith.maximumf %a, %o : f32 linalg.yield %m : f32 }
  %least = linalg.reduce ins(%x : tensor<64x64xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
    (%a: f32, %o: f32) { %m = arith.minimumf %a, %o : f32 linalg.yield %m : f32 }
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [#row, #column, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %of_y : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %z = math.exp %d : f32
    linalg.yield %z : f32
  } -> tensor<64x64xf32>
  %1 = linalg.generic {indexing_maps = [#row, #column, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %of_columns : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %z = math.exp %d : f32
    linalg.yield %z : f32
  } -> tensor<64x64xf32>
  %2 = linalg.generic {indexing_maps = [#row, #column, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %least : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %z = math.exp %d : f32
    linalg.yield %z : f32
  } -> tensor<64x64xf32>
  return %0, %1, %2 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// The other op has more steps than the reduction has seen.
// CHECK-LABEL: func.func @steps
// CHECK-NOT: never_positive
func.func @steps(%x: tensor<64x32xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %low = arith.constant 0xFF800000 : f32
  %v = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%low : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.generic {indexing_maps = [#row, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x32xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %z = arith.sitofp %n : i32 to f32
    %w = arith.maximumf %o, %z : f32
    linalg.yield %w : f32
  } -> tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#row, #column, #row], iterator_types = ["parallel", "parallel"]}
      ins(%y, %m : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %l: f32, %o: f32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %z = arith.sitofp %n : i32 to f32
    %d = arith.subf %z, %l : f32
    %w = math.exp %d : f32
    %q = arith.addf %w, %a : f32
    linalg.yield %q : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// Signs that are known, also of another loop's results.
// CHECK-LABEL: func.func @signs
// CHECK: %[[MAGNITUDE:.*]] = math.absf
// CHECK: %[[NEGATIVE:.*]] = arith.negf %[[MAGNITUDE]]
// CHECK: math.exp %[[NEGATIVE]] {never_positive}
// CHECK: math.exp %{{.*}} {never_positive}
// CHECK: math.exp %{{[a-z0-9]+}} : vector
func.func @signs(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %half = arith.constant dense<-5.000000e-01> : tensor<64xf32>
  %0 = math.absf %x : tensor<64xf32>
  %1 = arith.negf %0 : tensor<64xf32>
  %2 = math.exp %1 : tensor<64xf32>
  %3 = arith.mulf %x, %x : tensor<64xf32>
  %4 = arith.mulf %3, %half : tensor<64xf32>
  %5 = math.exp %4 : tensor<64xf32>
  %6 = math.exp %3 : tensor<64xf32>
  return %2, %5, %6 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// Numbers of bf16, a sum of them, and what operations make of both.
// CHECK-LABEL: func.func @centred
// CHECK: arith.truncf %{{.*}} {has_bf16_nans} : vector<{{.*}}xf32> to vector<{{.*}}xbf16>
func.func @centred(%x: tensor<64x128xbf16>) -> tensor<64x128xbf16> {
  %zero = arith.constant 0.0 : f32
  %v = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#row, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x128xbf16>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %w = arith.extf %a : bf16 to f32
    %1 = arith.addf %o, %w : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %e = tensor.empty() : tensor<64x128xbf16>
  %r = linalg.generic {indexing_maps = [#row, #column, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<64x128xbf16>, tensor<64xf32>) outs(%e : tensor<64x128xbf16>) {
  ^bb0(%a: bf16, %m: f32, %o: bf16):
    %w = arith.extf %a : bf16 to f32
    %1 = arith.subf %w, %m : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<64x128xbf16>
  return %r : tensor<64x128xbf16>
}

// NaN of f32 may lose what makes it NaN, and so may one of f16, which has more bits than bf16; and one of bf16 that no operation was made with is as quiet as
// it was. A sum may begin with the former.
// CHECK-LABEL: func.func @any
// CHECK-NOT: has_bf16_nans
func.func @any(%x: tensor<64xf32>, %h: tensor<64xf16>, %b: tensor<64xbf16>, %m: tensor<64x32xbf16>)
    -> (tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>) {
  %0 = arith.addf %x, %x : tensor<64xf32>
  %1 = arith.truncf %0 : tensor<64xf32> to tensor<64xbf16>
  %2 = arith.extf %h : tensor<64xf16> to tensor<64xf32>
  %3 = arith.addf %2, %2 : tensor<64xf32>
  %4 = arith.truncf %3 : tensor<64xf32> to tensor<64xbf16>
  %5 = arith.extf %b : tensor<64xbf16> to tensor<64xf32>
  %6 = math.absf %5 : tensor<64xf32>
  %7 = arith.truncf %6 : tensor<64xf32> to tensor<64xbf16>
  %s = linalg.generic {indexing_maps = [#row, #column], iterator_types = ["parallel", "reduction"]}
      ins(%m : tensor<64x32xbf16>) outs(%x : tensor<64xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %w = arith.extf %a : bf16 to f32
    %z = arith.addf %o, %w : f32
    linalg.yield %z : f32
  } -> tensor<64xf32>
  %8 = arith.truncf %s : tensor<64xf32> to tensor<64xbf16>
  return %1, %4, %7, %8 : tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>
}
