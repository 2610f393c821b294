// With fuse-attention, a softmax between two contractions is one kernel. What
// looks like one and is not stays several, and the remark says why.

// RUN: amp-opt %s --split-input-file --amp-form-kernels=fuse-attention=true | FileCheck %s
// RUN: amp-opt %s --split-input-file --amp-form-kernels=fuse-attention=true --remarks-filter=amp --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: amp-opt %s --split-input-file --amp-form-kernels | FileCheck %s --check-prefix=APART
// RUN: amp-opt %s --split-input-file --amp-form-kernels=fuse-attention=true --amp-inline-kernels | FileCheck %s --check-prefix=INLINE

// A scale, a causal mask that is computed once for all heads, and the casts of
// autocast; the transpose of the keys goes along.
// REMARK: KernelFormed | Category:amp | Function=causal | Bytes={{[0-9]+}}, Kernel=causal_attention_0, Kind=attention
// CHECK-LABEL: func.func @causal_attention_0(
// CHECK-SAME: tensor<2x64x32xf16>
// CHECK: linalg.index
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK-LABEL: func.func @causal(
// CHECK-COUNT-1: amp.launch @kernels::@causal_attention_0
// CHECK-NOT: amp.launch
// APART-LABEL: func.func @causal(
// APART-COUNT-3: amp.launch
// INLINE-LABEL: func.func @causal(
// INLINE-NOT: amp.launch
// INLINE: math.exp
func.func @causal(%q: tensor<2x64x32xf16>, %k: tensor<2x64x32xf16>, %v: tensor<2x64x32xf16>) -> tensor<2x64x32xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %kt = tensor.empty() : tensor<2x32x64xf16>
  %t = linalg.transpose ins(%k : tensor<2x64x32xf16>) outs(%kt : tensor<2x32x64xf16>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %t : tensor<2x64x32xf16>, tensor<2x32x64xf16>) outs(%f : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %s16 = arith.truncf %s : tensor<2x64x64xf32> to tensor<2x64x64xf16>
  %s32 = arith.extf %s16 : tensor<2x64x64xf16> to tensor<2x64x64xf32>
  %me = tensor.empty() : tensor<64x64xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%me : tensor<64x64xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sle, %j, %i : index
    %inf = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %r = arith.select %c, %zero, %inf : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s32, %mask : tensor<2x64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.constant 5.65685 : f32
    %y = arith.divf %a, %d : f32
    %r = arith.addf %y, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x64x64xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<2x64x64xf32>) outs(%e : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %ph = arith.truncf %p : tensor<2x64x64xf32> to tensor<2x64x64xf16>
  %oe = tensor.empty() : tensor<2x64x32xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
  %o = linalg.batch_matmul ins(%ph, %v : tensor<2x64x64xf16>, tensor<2x64x32xf16>) outs(%of : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
  %oh = arith.truncf %o : tensor<2x64x32xf32> to tensor<2x64x32xf16>
  return %oh : tensor<2x64x32xf16>
}

// -----

// Tensor cores multiply no f32.
// REMARK: FusionMissed | Category:amp | Function=wide | Op=linalg.generic, Producer=linalg.generic, Reason="no attention: the product of queries and keys cannot be fused: it multiplies elements that are not both f16 or both bf16"
// CHECK-LABEL: func.func @wide(
// CHECK-COUNT-3: amp.launch
func.func @wide(%q: tensor<64x32xf32>, %k: tensor<32x64xf32>, %v: tensor<64x32xf32>) -> (tensor<64x32xf32>) {
  %z = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x32xf32>, tensor<32x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %re = tensor.empty() : tensor<64xf32>
  %rm = linalg.fill ins(%inf : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%z : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<64x64xf32>) outs(%rm : tensor<64xf32>) dimensions = [1]
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %l = linalg.reduce { arith.addf } ins(%w : tensor<64x64xf32>) outs(%rz : tensor<64xf32>) dimensions = [1]
  %pe = tensor.empty() : tensor<64x64xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %l : tensor<64x64xf32>, tensor<64xf32>) outs(%pe : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.divf %a, %b : f32
    linalg.yield %x : f32
  } -> tensor<64x64xf32>
  %oe = tensor.empty() : tensor<64x32xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%p, %v : tensor<64x64xf32>, tensor<64x32xf32>) outs(%of : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

// -----

// Rows of a head are no multiple of 16 bytes.
// REMARK: FusionMissed | Category:amp | Function=odd_heads | Op=linalg.generic, Producer=linalg.generic, Reason="no attention: heads of 20 elements are no multiple of 8 from 16 to 256"
// CHECK-LABEL: func.func @odd_heads(
// CHECK-COUNT-3: amp.launch
func.func @odd_heads(%q: tensor<64x20xf16>, %k: tensor<20x64xf16>, %v: tensor<64x20xf16>) -> (tensor<64x20xf32>) {
  %z = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x20xf16>, tensor<20x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %re = tensor.empty() : tensor<64xf32>
  %rm = linalg.fill ins(%inf : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%z : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<64x64xf32>) outs(%rm : tensor<64xf32>) dimensions = [1]
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %l = linalg.reduce { arith.addf } ins(%w : tensor<64x64xf32>) outs(%rz : tensor<64xf32>) dimensions = [1]
  %pe = tensor.empty() : tensor<64x64xf16>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %l : tensor<64x64xf32>, tensor<64xf32>) outs(%pe : tensor<64x64xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %x = arith.divf %a, %b : f32
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<64x64xf16>
  %oe = tensor.empty() : tensor<64x20xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<64x20xf32>) -> tensor<64x20xf32>
  %y = linalg.matmul ins(%p, %v : tensor<64x64xf16>, tensor<64x20xf16>) outs(%of : tensor<64x20xf32>) -> tensor<64x20xf32>
  return %y : tensor<64x20xf32>
}

// -----

// The maximum is that of a column.
// REMARK: FusionMissed | Category:amp | Function=maximum_of_columns | Op=linalg.generic, Producer=linalg.generic, Reason="no attention: scores are read at two places for one element"
// CHECK-LABEL: func.func @maximum_of_columns(
// CHECK-COUNT-3: amp.launch
func.func @maximum_of_columns(%q: tensor<64x32xf16>, %k: tensor<32x64xf16>, %v: tensor<64x32xf16>) -> (tensor<64x32xf32>) {
  %z = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x32xf16>, tensor<32x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %re = tensor.empty() : tensor<64xf32>
  %rm = linalg.fill ins(%inf : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%z : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<64x64xf32>) outs(%rm : tensor<64xf32>) dimensions = [0]
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %l = linalg.reduce { arith.addf } ins(%w : tensor<64x64xf32>) outs(%rz : tensor<64xf32>) dimensions = [1]
  %pe = tensor.empty() : tensor<64x64xf16>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %l : tensor<64x64xf32>, tensor<64xf32>) outs(%pe : tensor<64x64xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %x = arith.divf %a, %b : f32
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<64x64xf16>
  %oe = tensor.empty() : tensor<64x32xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%p, %v : tensor<64x64xf16>, tensor<64x32xf16>) outs(%of : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

// -----

// A maximum that starts with 1.
// REMARK: FusionMissed | Category:amp | Function=maximum_starts_late | Op=linalg.generic, Producer=linalg.generic, Reason="no attention: a reduction of scores is no maximum of scores, nor a sum of exponentials"
// CHECK-LABEL: func.func @maximum_starts_late(
// CHECK-COUNT-3: amp.launch
func.func @maximum_starts_late(%q: tensor<64x32xf16>, %k: tensor<32x64xf16>, %v: tensor<64x32xf16>) -> (tensor<64x32xf32>) {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x32xf16>, tensor<32x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %re = tensor.empty() : tensor<64xf32>
  %rm = linalg.fill ins(%one : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%z : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<64x64xf32>) outs(%rm : tensor<64xf32>) dimensions = [1]
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %l = linalg.reduce { arith.addf } ins(%w : tensor<64x64xf32>) outs(%rz : tensor<64xf32>) dimensions = [1]
  %pe = tensor.empty() : tensor<64x64xf16>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %l : tensor<64x64xf32>, tensor<64xf32>) outs(%pe : tensor<64x64xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %x = arith.divf %a, %b : f32
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<64x64xf16>
  %oe = tensor.empty() : tensor<64x32xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%p, %v : tensor<64x64xf16>, tensor<64x32xf16>) outs(%of : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

// -----

// A sum that starts with 1.
// REMARK: FusionMissed | Category:amp | Function=sum_starts_late | Op=linalg.generic, Producer=linalg.generic, Reason="no attention: a reduction of scores is no maximum of scores, nor a sum of exponentials"
// CHECK-LABEL: func.func @sum_starts_late(
// CHECK-COUNT-3: amp.launch
func.func @sum_starts_late(%q: tensor<64x32xf16>, %k: tensor<32x64xf16>, %v: tensor<64x32xf16>) -> (tensor<64x32xf32>) {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x32xf16>, tensor<32x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %re = tensor.empty() : tensor<64xf32>
  %rm = linalg.fill ins(%inf : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%one : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<64x64xf32>) outs(%rm : tensor<64xf32>) dimensions = [1]
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %l = linalg.reduce { arith.addf } ins(%w : tensor<64x64xf32>) outs(%rz : tensor<64xf32>) dimensions = [1]
  %pe = tensor.empty() : tensor<64x64xf16>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %l : tensor<64x64xf32>, tensor<64xf32>) outs(%pe : tensor<64x64xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %x = arith.divf %a, %b : f32
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<64x64xf16>
  %oe = tensor.empty() : tensor<64x32xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%p, %v : tensor<64x64xf16>, tensor<64x32xf16>) outs(%of : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

// -----

// exp(maximum - score).
// REMARK: FusionMissed | Category:amp | Function=reversed | Op=linalg.generic, Producer=linalg.generic, Reason="no attention: 'arith.subf' is no part of a softmax there"
// CHECK-LABEL: func.func @reversed(
// CHECK-COUNT-3: amp.launch
func.func @reversed(%q: tensor<64x32xf16>, %k: tensor<32x64xf16>, %v: tensor<64x32xf16>) -> (tensor<64x32xf32>) {
  %z = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x32xf16>, tensor<32x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %re = tensor.empty() : tensor<64xf32>
  %rm = linalg.fill ins(%inf : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%z : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<64x64xf32>) outs(%rm : tensor<64xf32>) dimensions = [1]
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %b, %a : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %l = linalg.reduce { arith.addf } ins(%w : tensor<64x64xf32>) outs(%rz : tensor<64xf32>) dimensions = [1]
  %pe = tensor.empty() : tensor<64x64xf16>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %l : tensor<64x64xf32>, tensor<64xf32>) outs(%pe : tensor<64x64xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %x = arith.divf %a, %b : f32
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<64x64xf16>
  %oe = tensor.empty() : tensor<64x32xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%p, %v : tensor<64x64xf16>, tensor<64x32xf16>) outs(%of : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

// -----

// The sum divided by the weights.
// REMARK: FusionMissed | Category:amp | Function=not_divided | Op=linalg.generic, Producer=linalg.generic, Reason="no attention: 'arith.divf' is no part of a softmax there"
// CHECK-LABEL: func.func @not_divided(
// CHECK-COUNT-3: amp.launch
func.func @not_divided(%q: tensor<64x32xf16>, %k: tensor<32x64xf16>, %v: tensor<64x32xf16>) -> (tensor<64x32xf32>) {
  %z = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x32xf16>, tensor<32x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %re = tensor.empty() : tensor<64xf32>
  %rm = linalg.fill ins(%inf : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%z : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<64x64xf32>) outs(%rm : tensor<64xf32>) dimensions = [1]
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %l = linalg.reduce { arith.addf } ins(%w : tensor<64x64xf32>) outs(%rz : tensor<64xf32>) dimensions = [1]
  %pe = tensor.empty() : tensor<64x64xf16>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %l : tensor<64x64xf32>, tensor<64xf32>) outs(%pe : tensor<64x64xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %x = arith.divf %b, %a : f32
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<64x64xf16>
  %oe = tensor.empty() : tensor<64x32xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%p, %v : tensor<64x64xf16>, tensor<64x32xf16>) outs(%of : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

// -----

// The weights are a result too.
// REMARK: FusionMissed | Category:amp | Function=weights_escape | Op=linalg.generic, Producer=linalg.generic, Reason="no attention: scores or weights are read by other ops too"
// CHECK-LABEL: func.func @weights_escape(
// CHECK-COUNT-3: amp.launch
func.func @weights_escape(%q: tensor<64x32xf16>, %k: tensor<32x64xf16>, %v: tensor<64x32xf16>) -> (tensor<64x32xf32>, tensor<64x64xf32>) {
  %z = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x32xf16>, tensor<32x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %re = tensor.empty() : tensor<64xf32>
  %rm = linalg.fill ins(%inf : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%z : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<64x64xf32>) outs(%rm : tensor<64xf32>) dimensions = [1]
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %l = linalg.reduce { arith.addf } ins(%w : tensor<64x64xf32>) outs(%rz : tensor<64xf32>) dimensions = [1]
  %pe = tensor.empty() : tensor<64x64xf16>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %l : tensor<64x64xf32>, tensor<64xf32>) outs(%pe : tensor<64x64xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %x = arith.divf %a, %b : f32
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<64x64xf16>
  %oe = tensor.empty() : tensor<64x32xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%p, %v : tensor<64x64xf16>, tensor<64x32xf16>) outs(%of : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y, %w : tensor<64x32xf32>, tensor<64x64xf32>
}

// -----

// Keys and values that are repeated for the heads of queries that share them:
// the loop over heads becomes two, and nothing is repeated.
// CHECK-LABEL: func.func @repeated_attention_0(
// CHECK-SAME: tensor<2x4x64x32xf16>, %{{.*}}: tensor<2x64x32xf16>, %{{.*}}: tensor<2x64x32xf16>
// The number of the head, of two.
// CHECK: %[[A:.*]] = linalg.index 0
// CHECK: %[[B:.*]] = linalg.index 1
// CHECK: arith.muli %[[A]]
// CHECK: arith.addi %{{.*}}, %[[B]]
// CHECK-LABEL: func.func @repeated(
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2], [3]] output_shape [2, 4, 64, 32]
// CHECK: amp.launch @kernels::@repeated_attention_0
// CHECK-NOT: amp.launch
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2], [3]]
func.func @repeated(%q: tensor<8x64x32xf16>, %ks: tensor<2x64x32xf16>, %vs: tensor<2x64x32xf16>) -> tensor<8x64x32xf16> {
  %be = tensor.empty() : tensor<2x4x64x32xf16>
  %kb = linalg.broadcast ins(%ks : tensor<2x64x32xf16>) outs(%be : tensor<2x4x64x32xf16>) dimensions = [1]
  %k = tensor.collapse_shape %kb [[0, 1], [2], [3]] : tensor<2x4x64x32xf16> into tensor<8x64x32xf16>
  %vb = linalg.broadcast ins(%vs : tensor<2x64x32xf16>) outs(%be : tensor<2x4x64x32xf16>) dimensions = [1]
  %v = tensor.collapse_shape %vb [[0, 1], [2], [3]] : tensor<2x4x64x32xf16> into tensor<8x64x32xf16>
  %kt = tensor.empty() : tensor<8x32x64xf16>
  %t = linalg.transpose ins(%k : tensor<8x64x32xf16>) outs(%kt : tensor<8x32x64xf16>) permutation = [0, 2, 1]
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  %s = linalg.batch_matmul ins(%q, %t : tensor<8x64x32xf16>, tensor<8x32x64xf16>) outs(%f : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<8x64x64xf32>) outs(%e : tensor<8x64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    // A slope by the head, as in ALiBi.
    %h = linalg.index 0 : index
    %hi = arith.index_cast %h : index to i32
    %hf = arith.sitofp %hi : i32 to f32
    %r = arith.subf %a, %hf : f32
    linalg.yield %r : f32
  } -> tensor<8x64x64xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<8x64x64xf32>) outs(%e : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  %ph = arith.truncf %p : tensor<8x64x64xf32> to tensor<8x64x64xf16>
  %oe = tensor.empty() : tensor<8x64x32xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<8x64x32xf32>) -> tensor<8x64x32xf32>
  %o = linalg.batch_matmul ins(%ph, %v : tensor<8x64x64xf16>, tensor<8x64x32xf16>) outs(%of : tensor<8x64x32xf32>) -> tensor<8x64x32xf32>
  %oh = arith.truncf %o : tensor<8x64x32xf32> to tensor<8x64x32xf16>
  return %oh : tensor<8x64x32xf16>
}

// -----

// One head of keys for all: the broadcast alone goes.
// CHECK-LABEL: func.func @single_attention_0(
// CHECK-SAME: tensor<8x64x32xf16>, %{{.*}}: tensor<64x32xf16>, %{{.*}}: tensor<64x32xf16>
// CHECK-LABEL: func.func @single(
// CHECK-COUNT-1: amp.launch
// CHECK-NOT: amp.launch
func.func @single(%q: tensor<8x64x32xf16>, %ks: tensor<64x32xf16>, %vs: tensor<64x32xf16>) -> tensor<8x64x32xf32> {
  %be = tensor.empty() : tensor<8x64x32xf16>
  %k = linalg.broadcast ins(%ks : tensor<64x32xf16>) outs(%be : tensor<8x64x32xf16>) dimensions = [0]
  %v = linalg.broadcast ins(%vs : tensor<64x32xf16>) outs(%be : tensor<8x64x32xf16>) dimensions = [0]
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>]
      ins(%q, %k : tensor<8x64x32xf16>, tensor<8x64x32xf16>) outs(%f : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<8x64x64xf32>) outs(%e : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  %ph = arith.truncf %p : tensor<8x64x64xf32> to tensor<8x64x64xf16>
  %oe = tensor.empty() : tensor<8x64x32xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<8x64x32xf32>) -> tensor<8x64x32xf32>
  %o = linalg.batch_matmul ins(%ph, %v : tensor<8x64x64xf16>, tensor<8x64x32xf16>) outs(%of : tensor<8x64x32xf32>) -> tensor<8x64x32xf32>
  return %o : tensor<8x64x32xf32>
}

// -----

// Keys in parts: a transpose and a mask of indices stay in the kernel, scores of
// 16 bits are widened there, and the schedule that is asked for is that of the parts.
// REMARK: KeysSplit | Category:amp | Function=moved | KeysOfPart=512, Parts=2
// CHECK-LABEL: func.func @moved_attention_0(
// CHECK-SAME: tensor<2x2x512x32xf16>, %{{.*}}: tensor<2x4x32xf16>, %{{.*}}: tensor<2x2x512x32xf16>
// CHECK-SAME: amp.schedule = "attention"
// CHECK-COUNT-3: linalg.index
// CHECK-LABEL: func.func @moved(
// CHECK-NOT: linalg.generic
// CHECK-COUNT-3: amp.launch
// CHECK-NOT: amp.launch
func.func @moved(%q: tensor<2x4x32xf16>, %k: tensor<2x1024x32xf16>, %v: tensor<2x1024x32xf16>) -> tensor<2x4x32xf16> {
  %z = arith.constant 0.0 : f32
  %zh = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<2x4x1024xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x4x1024xf32>) -> tensor<2x4x1024xf32>
  %kt = tensor.empty() : tensor<2x32x1024xf16>
  %t = linalg.transpose ins(%k : tensor<2x1024x32xf16>) outs(%kt : tensor<2x32x1024xf16>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %t : tensor<2x4x32xf16>, tensor<2x32x1024xf16>) outs(%f : tensor<2x4x1024xf32>) -> tensor<2x4x1024xf32>
  %me = tensor.empty() : tensor<4x1024xf16>
  %mask = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%me : tensor<4x1024xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %n = arith.constant 1020 : index
    %l = arith.addi %i, %n : index
    %c = arith.cmpi sle, %j, %l : index
    %inf = arith.constant 0xFC00 : f16
    %r = arith.select %c, %zh, %inf : f16
    linalg.yield %r : f16
  } -> tensor<4x1024xf16>
  %xe = tensor.empty() : tensor<2x4x1024xf16>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x4x1024xf32>, tensor<4x1024xf16>) outs(%xe : tensor<2x4x1024xf16>) {
  ^bb0(%a: f32, %m: f16, %o: f16):
    %h = arith.truncf %a : f32 to f16
    %r = arith.addf %h, %m : f16
    linalg.yield %r : f16
  } -> tensor<2x4x1024xf16>
  %w = arith.extf %x : tensor<2x4x1024xf16> to tensor<2x4x1024xf32>
  %p = linalg.softmax dimension(2) ins(%w : tensor<2x4x1024xf32>) outs(%e : tensor<2x4x1024xf32>) -> tensor<2x4x1024xf32>
  %ph = arith.truncf %p : tensor<2x4x1024xf32> to tensor<2x4x1024xf16>
  %oe = tensor.empty() : tensor<2x4x32xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<2x4x32xf32>) -> tensor<2x4x32xf32>
  %o = linalg.batch_matmul {amp.schedule = "attention"} ins(%ph, %v : tensor<2x4x1024xf16>, tensor<2x1024x32xf16>) outs(%of : tensor<2x4x32xf32>) -> tensor<2x4x32xf32>
  %oh = arith.truncf %o : tensor<2x4x32xf32> to tensor<2x4x32xf16>
  return %oh : tensor<2x4x32xf16>
}
