// What asks for the schedule `attention` and is none: an error on the op, which says what is missing.

// RUN: amp-opt %s --split-input-file --amp-form-kernels='fuse-attention=true separate-casts=true' --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --amp-gpu-codegen=target=sm_90a -verify-diagnostics

// A contraction alone.
func.func @alone(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-error @+1 {{'amp.schedule' asks for 'attention', which cannot take this kernel because it has no softmax between two contractions; remove the attribute to have a schedule chosen}}
  %s = linalg.matmul {amp.schedule = "attention"} ins(%a, %b : tensor<64x32xf16>, tensor<32x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

// -----

// Tensor cores multiply no f32.
func.func @wide(%q: tensor<64x32xf32>, %k: tensor<64x32xf32>, %v: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %re = tensor.empty() : tensor<64xf32>
  %rn = linalg.fill ins(%n : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%z : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (j, d)>, affine_map<(i, j, d) -> (i, j)>]
      ins(%q, %k : tensor<64x32xf32>, tensor<64x32xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<64x64xf32>) outs(%rn : tensor<64xf32>) dimensions = [1]
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
  // expected-error @+1 {{'amp.schedule' asks for 'attention', which cannot take this because the product of queries and keys cannot be fused: it multiplies elements that are not both f16 or both bf16; remove the attribute to have a schedule chosen}}
  %y = linalg.matmul {amp.schedule = "attention"} ins(%p, %v : tensor<64x64xf32>, tensor<64x32xf32>) outs(%of : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

// -----

// Heads that are no multiple of 16 bytes.
func.func @odd_heads(%q: tensor<64x20xf16>, %k: tensor<64x20xf16>, %v: tensor<64x20xf16>) -> tensor<64x20xf32> {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %re = tensor.empty() : tensor<64xf32>
  %rn = linalg.fill ins(%n : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%z : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (j, d)>, affine_map<(i, j, d) -> (i, j)>]
      ins(%q, %k : tensor<64x20xf16>, tensor<64x20xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<64x64xf32>) outs(%rn : tensor<64xf32>) dimensions = [1]
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
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<64x64xf16>
  %oe = tensor.empty() : tensor<64x20xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<64x20xf32>) -> tensor<64x20xf32>
  // expected-error @+1 {{'amp.schedule' asks for 'attention', which cannot take this because heads of 20 elements are no multiple of 8 from 16 to 256; remove the attribute to have a schedule chosen}}
  %y = linalg.matmul {amp.schedule = "attention"} ins(%p, %v : tensor<64x64xf16>, tensor<64x20xf16>) outs(%of : tensor<64x20xf32>) -> tensor<64x20xf32>
  return %y : tensor<64x20xf32>
}

// -----

// Weights that are not divided by their sum.
func.func @no_softmax(%q: tensor<64x32xf16>, %k: tensor<64x32xf16>, %v: tensor<64x32xf16>) -> tensor<64x32xf32> {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %re = tensor.empty() : tensor<64xf32>
  %rn = linalg.fill ins(%n : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%z : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (j, d)>, affine_map<(i, j, d) -> (i, j)>]
      ins(%q, %k : tensor<64x32xf16>, tensor<64x32xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<64x64xf32>) outs(%rn : tensor<64xf32>) dimensions = [1]
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
    %y = arith.truncf %a : f32 to f16
    linalg.yield %y : f16
  } -> tensor<64x64xf16>
  %oe = tensor.empty() : tensor<64x32xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  // expected-error @+1 {{'amp.schedule' asks for 'attention', which cannot take this because what is multiplied with the values is no softmax; remove the attribute to have a schedule chosen}}
  %y = linalg.matmul {amp.schedule = "attention"} ins(%p, %v : tensor<64x64xf16>, tensor<64x32xf16>) outs(%of : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}
