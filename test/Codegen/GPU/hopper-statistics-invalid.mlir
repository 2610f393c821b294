// RUN: amp-opt %s --split-input-file --verify-diagnostics --amp-gpu-codegen=target=sm_90a

// Statistics of rows that the kernel of a contraction does not have.

// Threads store odd rows, and have the registers of two blocks of sums.
#g = #gpu.address_space<global>
module @kernels {
  // expected-error@+1 {{asks for 'wgmma', which cannot take this kernel because statistics of rows, beside results whose elements threads store, need more registers than ping-pong leaves}}
  func.func @k(%a: tensor<131x72xf16>, %b: tensor<197x72xf16>, %d: tensor<131x197xf16> {amp.destination = 0 : i64}, %p0: tensor<131x4xf32> {amp.destination = 1 : i64}) -> (tensor<131x197xf16>, tensor<131x4xf32>) attributes {amp.kernel, amp.schedule = "wgmma:128x128-ping-pong-6"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<131x197xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<131x197xf32>) -> tensor<131x197xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<131x72xf16>, tensor<197x72xf16>) outs(%f : tensor<131x197xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<131x197xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<131x197xf32>) outs(%d : tensor<131x197xf16>) {
    ^bb0(%x: f32, %o: f16):
      %s = arith.truncf %x : f32 to f16
      linalg.yield %s : f16
    } -> tensor<131x197xf16>
    %n0 = arith.constant 0.0 : f32
    %q0 = tensor.pad %c low[0, 0] high[0, 59] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n0 : f32
    } : tensor<131x197xf32> to tensor<131x256xf32>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [131, 4, 64] : tensor<131x256xf32> into tensor<131x4x64xf32>
    %f0 = linalg.fill ins(%n0 : f32) outs(%p0 : tensor<131x4xf32>) -> tensor<131x4xf32>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<131x4x64xf32>) outs(%f0 : tensor<131x4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<131x4xf32>
    return %r, %s0 : tensor<131x197xf16>, tensor<131x4xf32>
  }
}
func.func @main(%a: memref<131x72xf16, #g>, %b: memref<197x72xf16, #g>, %d: memref<131x197xf16, #g>, %p0: memref<131x4xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<131x72xf16, #g>, memref<197x72xf16, #g>) outs(%d, %p0 : memref<131x197xf16, #g>, memref<131x4xf32, #g>)
  return
}

// -----

// Each part starts from what changes nothing.
#g = #gpu.address_space<global>
module @kernels {
  // expected-error@+1 {{because it has a second reduction after the contraction}}
  func.func @k(%a: tensor<136x72xf16>, %b: tensor<200x72xf16>, %p0: tensor<136x4xf32> {amp.destination = 0 : i64}) -> tensor<136x4xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<200x72xf16>) outs(%f : tensor<136x200xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %n0 = arith.constant 1.0 : f32
    %q0 = tensor.pad %c low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n0 : f32
    } : tensor<136x200xf32> to tensor<136x256xf32>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [136, 4, 64] : tensor<136x256xf32> into tensor<136x4x64xf32>
    %f0 = linalg.fill ins(%n0 : f32) outs(%p0 : tensor<136x4xf32>) -> tensor<136x4xf32>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<136x4x64xf32>) outs(%f0 : tensor<136x4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<136x4xf32>
    return %s0 : tensor<136x4xf32>
  }
}
func.func @main(%a: memref<136x72xf16, #g>, %b: memref<200x72xf16, #g>, %p0: memref<136x4xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<136x72xf16, #g>, memref<200x72xf16, #g>) outs(%p0 : memref<136x4xf32, #g>)
  return
}

// -----

// What is made of a statistic is the second kernel's work.
#g = #gpu.address_space<global>
module @kernels {
  // expected-error@+1 {{because it computes with what it has reduced}}
  func.func @k(%a: tensor<136x72xf16>, %b: tensor<200x72xf16>, %p0: tensor<136x4xf32> {amp.destination = 0 : i64}) -> tensor<136x4xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<200x72xf16>) outs(%f : tensor<136x200xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %n0 = arith.constant 0.0 : f32
    %q0 = tensor.pad %c low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n0 : f32
    } : tensor<136x200xf32> to tensor<136x256xf32>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [136, 4, 64] : tensor<136x256xf32> into tensor<136x4x64xf32>
    %f0 = linalg.fill ins(%n0 : f32) outs(%p0 : tensor<136x4xf32>) -> tensor<136x4xf32>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<136x4x64xf32>) outs(%f0 : tensor<136x4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<136x4xf32>
    %twice = linalg.generic {indexing_maps = [affine_map<(m, t) -> (m, t)>, affine_map<(m, t) -> (m, t)>], iterator_types = ["parallel", "parallel"]}
        ins(%s0 : tensor<136x4xf32>) outs(%p0 : tensor<136x4xf32>) {
    ^bb0(%x: f32, %o: f32):
      %s = arith.addf %x, %x : f32
      linalg.yield %s : f32
    } -> tensor<136x4xf32>
    return %twice : tensor<136x4xf32>
  }
}
func.func @main(%a: memref<136x72xf16, #g>, %b: memref<200x72xf16, #g>, %p0: memref<136x4xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<136x72xf16, #g>, memref<200x72xf16, #g>) outs(%p0 : memref<136x4xf32, #g>)
  return
}

// -----

// A padding that is an element is none.
#g = #gpu.address_space<global>
module @kernels {
  // expected-error@+1 {{because it has a second reduction after the contraction}}
  func.func @k(%a: tensor<136x72xf16>, %b: tensor<200x72xf16>, %p0: tensor<136x4xf32> {amp.destination = 0 : i64}) -> tensor<136x4xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4"} {
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<200x72xf16>) outs(%f : tensor<136x200xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %n0 = arith.constant 0.0 : f32
    %q0 = tensor.pad %c low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %one : f32
    } : tensor<136x200xf32> to tensor<136x256xf32>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [136, 4, 64] : tensor<136x256xf32> into tensor<136x4x64xf32>
    %f0 = linalg.fill ins(%n0 : f32) outs(%p0 : tensor<136x4xf32>) -> tensor<136x4xf32>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<136x4x64xf32>) outs(%f0 : tensor<136x4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<136x4xf32>
    return %s0 : tensor<136x4xf32>
  }
}
func.func @main(%a: memref<136x72xf16, #g>, %b: memref<200x72xf16, #g>, %p0: memref<136x4xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<136x72xf16, #g>, memref<200x72xf16, #g>) outs(%p0 : memref<136x4xf32, #g>)
  return
}

// -----

// Nothing else reads what is padded.
#g = #gpu.address_space<global>
module @kernels {
  // expected-error@+1 {{because 'linalg.generic' reads more than the result of the contraction}}
  func.func @k(%a: tensor<136x72xf16>, %b: tensor<200x72xf16>, %d: tensor<136x256xf32> {amp.destination = 0 : i64}, %p0: tensor<136x4xf32> {amp.destination = 1 : i64}) -> (tensor<136x256xf32>, tensor<136x4xf32>) attributes {amp.kernel, amp.schedule = "wgmma:128x256-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<200x72xf16>) outs(%f : tensor<136x200xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %n0 = arith.constant 0.0 : f32
    %q0 = tensor.pad %c low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n0 : f32
    } : tensor<136x200xf32> to tensor<136x256xf32>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [136, 4, 64] : tensor<136x256xf32> into tensor<136x4x64xf32>
    %f0 = linalg.fill ins(%n0 : f32) outs(%p0 : tensor<136x4xf32>) -> tensor<136x4xf32>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<136x4x64xf32>) outs(%f0 : tensor<136x4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<136x4xf32>
    %more = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%q0 : tensor<136x256xf32>) outs(%d : tensor<136x256xf32>) {
    ^bb0(%x: f32, %o: f32):
      linalg.yield %x : f32
    } -> tensor<136x256xf32>
    return %more, %s0 : tensor<136x256xf32>, tensor<136x4xf32>
  }
}
func.func @main(%a: memref<136x72xf16, #g>, %b: memref<200x72xf16, #g>, %d: memref<136x256xf32, #g>, %p0: memref<136x4xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<136x72xf16, #g>, memref<200x72xf16, #g>) outs(%d, %p0 : memref<136x256xf32, #g>, memref<136x4xf32, #g>)
  return
}

// -----

// Only warpgroups have statistics.
#g = #gpu.address_space<global>
module @kernels {
  // expected-error@+1 {{asks for 'mma-sync', which cannot take this kernel because it has two reductions}}
  func.func @k(%a: tensor<136x72xf16>, %b: tensor<200x72xf16>, %p0: tensor<136x4xf32> {amp.destination = 0 : i64}) -> tensor<136x4xf32> attributes {amp.kernel, amp.schedule = "mma-sync"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<200x72xf16>) outs(%f : tensor<136x200xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %n0 = arith.constant 0.0 : f32
    %q0 = tensor.pad %c low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n0 : f32
    } : tensor<136x200xf32> to tensor<136x256xf32>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [136, 4, 64] : tensor<136x256xf32> into tensor<136x4x64xf32>
    %f0 = linalg.fill ins(%n0 : f32) outs(%p0 : tensor<136x4xf32>) -> tensor<136x4xf32>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<136x4x64xf32>) outs(%f0 : tensor<136x4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<136x4xf32>
    return %s0 : tensor<136x4xf32>
  }
}
func.func @main(%a: memref<136x72xf16, #g>, %b: memref<200x72xf16, #g>, %p0: memref<136x4xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<136x72xf16, #g>, memref<200x72xf16, #g>) outs(%p0 : memref<136x4xf32, #g>)
  return
}

// -----

// Two exchanges would take four.
#g = #gpu.address_space<global>
module @kernels {
  // expected-error@+1 {{because it reduces rows of other types than f32, f16, bf16 and i32}}
  func.func @k(%a: tensor<136x72xf16>, %b: tensor<200x72xf16>, %p0: tensor<136x4xi64> {amp.destination = 0 : i64}) -> tensor<136x4xi64> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<200x72xf16>) outs(%f : tensor<136x200xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %we = tensor.empty() : tensor<136x200xi64>
    %w = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<136x200xf32>) outs(%we : tensor<136x200xi64>) {
    ^bb0(%x: f32, %o: i64):
      %s = arith.fptosi %x : f32 to i64
      linalg.yield %s : i64
    } -> tensor<136x200xi64>
    %n0 = arith.constant 0 : i64
    %q0 = tensor.pad %w low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n0 : i64
    } : tensor<136x200xi64> to tensor<136x256xi64>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [136, 4, 64] : tensor<136x256xi64> into tensor<136x4x64xi64>
    %f0 = linalg.fill ins(%n0 : i64) outs(%p0 : tensor<136x4xi64>) -> tensor<136x4xi64>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<136x4x64xi64>) outs(%f0 : tensor<136x4xi64>) {
    ^bb0(%x: i64, %acc: i64):
      %s = arith.addi %acc, %x : i64
      linalg.yield %s : i64
    } -> tensor<136x4xi64>
    return %s0 : tensor<136x4xi64>
  }
}
func.func @main(%a: memref<136x72xf16, #g>, %b: memref<200x72xf16, #g>, %p0: memref<136x4xi64, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<136x72xf16, #g>, memref<200x72xf16, #g>) outs(%p0 : memref<136x4xi64, #g>)
  return
}
