// Section C: the op lists of torch's CUDA autocast tests, f32 and autocast's promotion.
// Written by scripts/generate-conformance.py from Inputs/op-lists.txt: do not edit.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-decide-precision --amp-apply-precision | FileCheck %s

// 127. [torch_fp32] acos(f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_127_acos(
// CHECK: "aten.acos"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
func.func @case_127_acos(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.acos"(%x0) : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 129. [torch_fp32] cosh(f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_129_cosh(
// CHECK: "aten.cosh"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
func.func @case_129_cosh(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.cosh"(%x0) : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 131. [torch_fp32] exp(f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_131_exp(
// CHECK: "aten.exp"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
func.func @case_131_exp(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.exp"(%x0) : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 132. [torch_fp32] expm1(f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_132_expm1(
// CHECK: "aten.expm1"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
func.func @case_132_expm1(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.expm1"(%x0) : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 133. [torch_fp32] log(f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_133_log(
// CHECK: "aten.log"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
func.func @case_133_log(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.log"(%x0) : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 134. [torch_fp32] log10(f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_134_log10(
// CHECK: "aten.log10"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
func.func @case_134_log10(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.log10"(%x0) : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 135. [torch_fp32] log2(f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_135_log2(
// CHECK: "aten.log2"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
func.func @case_135_log2(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.log2"(%x0) : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 137. [torch_fp32] reciprocal(f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_137_reciprocal(
// CHECK: "aten.reciprocal"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
func.func @case_137_reciprocal(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.reciprocal"(%x0) : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 138. [torch_fp32] rsqrt(f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_138_rsqrt(
// CHECK: "aten.rsqrt"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
func.func @case_138_rsqrt(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.rsqrt"(%x0) : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 139. [torch_fp32] sinh(f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_139_sinh(
// CHECK: "aten.sinh"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
func.func @case_139_sinh(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.sinh"(%x0) : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 140. [torch_fp32] tan(f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_140_tan(
// CHECK: "aten.tan"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
func.func @case_140_tan(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.tan"(%x0) : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 141. [torch_fp32] pow(f16[8], f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_141_pow_Tensor_Tensor(
// CHECK: "aten.pow.Tensor_Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
func.func @case_141_pow_Tensor_Tensor(%a0: tensor<8xf16>, %a1: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.pow.Tensor_Tensor"(%x0, %x1) : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 143. [torch_fp32] softmax(f16[8], 0) => runs in f32; out f32
// CHECK-LABEL: func.func @case_143_softmax_int(
// CHECK: "aten.softmax.int"({{.*}}){{.*}}dtype = f32{{.*}} : (tensor<8xf16>) -> tensor<8xf32>
func.func @case_143_softmax_int(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.softmax.int"(%x0) {dim = 0 : i64} : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 144. [torch_fp32] log_softmax(f16[8], 0) => runs in f32; out f32
// CHECK-LABEL: func.func @case_144_log_softmax_int(
// CHECK: "aten.log_softmax.int"({{.*}}){{.*}}dtype = f32{{.*}} : (tensor<8xf16>) -> tensor<8xf32>
func.func @case_144_log_softmax_int(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.log_softmax.int"(%x0) {dim = 0 : i64} : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 145. [torch_fp32] layer_norm(f16[8], (8)) => runs in f32; out f32
// CHECK-LABEL: func.func @case_145_layer_norm(
// CHECK: "aten.layer_norm"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
func.func @case_145_layer_norm(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.layer_norm"(%x0) {normalized_shape = [8]} : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 146. [torch_fp32] group_norm(f16[8x8], 1) => runs in f32; out f32
// CHECK-LABEL: func.func @case_146_group_norm(
// CHECK: "aten.group_norm"({{.*}}){{.*}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @case_146_group_norm(%a0: tensor<8x8xf16>) -> (tensor<8x8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf16>) -> (tensor<8x8xf16>) {
    %r = "aten.group_norm"(%x0) {num_groups = 1 : i64} : (tensor<8x8xf16>) -> tensor<8x8xf16>
    amp.yield %r : tensor<8x8xf16>
  }
  return %s : tensor<8x8xf16>
}

// -----

// 147. [torch_fp32] norm(f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_147_norm_Scalar(
// CHECK: "aten.norm.ScalarOpt_dtype"({{.*}}){{.*}}dtype = f32{{.*}} : (tensor<8xf16>) -> tensor<f32>
func.func @case_147_norm_Scalar(%a0: tensor<8xf16>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<f16>) {
    %r = "aten.norm.Scalar"(%x0) : (tensor<8xf16>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 148. [torch_fp32] norm(f16[8]) kwargs={'dim': 0} => runs in f32; out f32
// CHECK-LABEL: func.func @case_148_norm_ScalarOpt_dim(
// CHECK: "aten.norm.ScalarOpt_dim_dtype"({{.*}}){{.*}}dtype = f32{{.*}} : (tensor<8xf16>) -> tensor<f32>
func.func @case_148_norm_ScalarOpt_dim(%a0: tensor<8xf16>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<f16>) {
    %r = "aten.norm.ScalarOpt_dim"(%x0) {dim = [0]} : (tensor<8xf16>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 149. [torch_fp32] norm(f16[8]) kwargs={'p': 1} => runs in f32; out f32
// CHECK-LABEL: func.func @case_149_norm_Scalar(
// CHECK: "torch.aten.norm.ScalarOpt_dtype"({{.*}}){{.*}}dtype = f32{{.*}} : (tensor<8xf16>) -> tensor<f32>
func.func @case_149_norm_Scalar(%a0: tensor<8xf16>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<f16>) {
    %r = "torch.aten.norm.Scalar"(%x0) {p = 1 : i64} : (tensor<8xf16>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 150. [torch_fp32] norm(f16[8]) kwargs={'p': 1, 'dim': 0} => runs in f32; out f32
// CHECK-LABEL: func.func @case_150_linalg_vector_norm(
// CHECK: "aten.linalg_vector_norm"({{.*}}){{.*}}dtype = f32{{.*}} : (tensor<8xf16>) -> tensor<f32>
func.func @case_150_linalg_vector_norm(%a0: tensor<8xf16>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<f16>) {
    %r = "aten.linalg_vector_norm"(%x0) {dim = [0], ord = 1 : i64} : (tensor<8xf16>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 152. [torch_fp32] poisson_nll_loss(f16[8x8], f16[8x8], True, False, 1e-08, 1) => runs in f32; out f32
// CHECK-LABEL: func.func @case_152_poisson_nll_loss(
// CHECK: "aten.poisson_nll_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
func.func @case_152_poisson_nll_loss(%a0: tensor<8x8xf16>, %a1: tensor<8x8xf16>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf16>, %x1 = %a1 : tensor<8x8xf16>) -> (tensor<f16>) {
    %r = "aten.poisson_nll_loss"(%x0, %x1) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 153. [torch_fp32] cosine_embedding_loss(f16[1x3], f16[1x3], i32[1]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_153_cosine_embedding_loss(
// CHECK: "aten.cosine_embedding_loss"({{.*}}){{.*}} : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1xi32>) -> tensor<f32>
func.func @case_153_cosine_embedding_loss(%a0: tensor<1x3xf16>, %a1: tensor<1x3xf16>, %a2: tensor<1xi32>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<1x3xf16>, %x1 = %a1 : tensor<1x3xf16>, %x2 = %a2 : tensor<1xi32>) -> (tensor<f16>) {
    %r = "aten.cosine_embedding_loss"(%x0, %x1, %x2) : (tensor<1x3xf16>, tensor<1x3xf16>, tensor<1xi32>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 154. [torch_fp32] hinge_embedding_loss(f16[8x8], i32[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_154_hinge_embedding_loss(
// CHECK: "aten.hinge_embedding_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8xi32>) -> tensor<f32>
func.func @case_154_hinge_embedding_loss(%a0: tensor<8x8xf16>, %a1: tensor<8xi32>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf16>, %x1 = %a1 : tensor<8xi32>) -> (tensor<f16>) {
    %r = "aten.hinge_embedding_loss"(%x0, %x1) : (tensor<8x8xf16>, tensor<8xi32>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 155. [torch_fp32] kl_div(f16[8x8], f16[8x8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_155_kl_div(
// CHECK: "aten.kl_div"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
func.func @case_155_kl_div(%a0: tensor<8x8xf16>, %a1: tensor<8x8xf16>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf16>, %x1 = %a1 : tensor<8x8xf16>) -> (tensor<f16>) {
    %r = "aten.kl_div"(%x0, %x1) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 156. [torch_fp32] margin_ranking_loss(f16[8x8], f16[8x8], f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_156_margin_ranking_loss(
// CHECK: "aten.margin_ranking_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<f32>
func.func @case_156_margin_ranking_loss(%a0: tensor<8x8xf16>, %a1: tensor<8x8xf16>, %a2: tensor<8xf16>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf16>, %x1 = %a1 : tensor<8x8xf16>, %x2 = %a2 : tensor<8xf16>) -> (tensor<f16>) {
    %r = "aten.margin_ranking_loss"(%x0, %x1, %x2) : (tensor<8x8xf16>, tensor<8x8xf16>, tensor<8xf16>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 157. [torch_fp32] triplet_margin_loss(f16[8x8], f16[8x8], f16[8x8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_157_triplet_margin_loss(
// CHECK: "aten.triplet_margin_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
func.func @case_157_triplet_margin_loss(%a0: tensor<8x8xf16>, %a1: tensor<8x8xf16>, %a2: tensor<8x8xf16>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf16>, %x1 = %a1 : tensor<8x8xf16>, %x2 = %a2 : tensor<8x8xf16>) -> (tensor<f16>) {
    %r = "aten.triplet_margin_loss"(%x0, %x1, %x2) : (tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 161. [torch_fp32] dist(f16[8], f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_161_dist(
// CHECK: "aten.dist"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
func.func @case_161_dist(%a0: tensor<8xf16>, %a1: tensor<8xf16>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf16>) -> (tensor<f16>) {
    %r = "aten.dist"(%x0, %x1) : (tensor<8xf16>, tensor<8xf16>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 162. [torch_fp32] pdist(f16[8x8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_162_pdist(
// CHECK: "aten.pdist"({{.*}}){{.*}} : (tensor<8x8xf32>) -> tensor<28xf32>
func.func @case_162_pdist(%a0: tensor<8x8xf16>) -> (tensor<28xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf16>) -> (tensor<28xf16>) {
    %r = "aten.pdist"(%x0) : (tensor<8x8xf16>) -> tensor<28xf16>
    amp.yield %r : tensor<28xf16>
  }
  return %s : tensor<28xf16>
}

// -----

// 164. [torch_fp32] prod(f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_164_prod(
// CHECK: "aten.prod"({{.*}}){{.*}}dtype = f32{{.*}} : (tensor<8xf16>) -> tensor<f32>
func.func @case_164_prod(%a0: tensor<8xf16>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<f16>) {
    %r = "aten.prod"(%x0) : (tensor<8xf16>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 165. [torch_fp32] prod(f16[8], 0) => runs in f32; out f32
// CHECK-LABEL: func.func @case_165_prod_dim_int(
// CHECK: "aten.prod.dim_int"({{.*}}){{.*}}dtype = f32{{.*}} : (tensor<8xf16>) -> tensor<f32>
func.func @case_165_prod_dim_int(%a0: tensor<8xf16>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<f16>) {
    %r = "aten.prod.dim_int"(%x0) {dim = 0 : i64} : (tensor<8xf16>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 166. [torch_fp32] renorm(f16[8x8], 2, 0, 1.0) => runs in f32; out f32
// CHECK-LABEL: func.func @case_166_renorm(
// CHECK: "aten.renorm"({{.*}}){{.*}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @case_166_renorm(%a0: tensor<8x8xf16>) -> (tensor<8x8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf16>) -> (tensor<8x8xf16>) {
    %r = "aten.renorm"(%x0) {dim = 0 : i64} : (tensor<8x8xf16>) -> tensor<8x8xf16>
    amp.yield %r : tensor<8x8xf16>
  }
  return %s : tensor<8x8xf16>
}

// -----

// 167. [torch_fp32] sum(f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_167_sum(
// CHECK: "aten.sum"({{.*}}){{.*}}dtype = f32{{.*}} : (tensor<8xf16>) -> tensor<f32>
func.func @case_167_sum(%a0: tensor<8xf16>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<f16>) {
    %r = "aten.sum"(%x0) : (tensor<8xf16>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 168. [torch_fp32] sum(f16[8x8], 1) => runs in f32; out f32
// CHECK-LABEL: func.func @case_168_sum_dim_IntList(
// CHECK: "aten.sum.dim_IntList"({{.*}}){{.*}}dtype = f32{{.*}} : (tensor<8x8xf16>) -> tensor<8xf32>
func.func @case_168_sum_dim_IntList(%a0: tensor<8x8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf16>) -> (tensor<8xf16>) {
    %r = "aten.sum.dim_IntList"(%x0) {dim = [1]} : (tensor<8x8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 170. [nn_fp32] softplus(f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_170_softplus(
// CHECK: "aten.softplus"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
func.func @case_170_softplus(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.softplus"(%x0) : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 171. [nn_fp32] nll_loss(f32[8x8], i64[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_171_nll_loss(
// CHECK: "aten.nll_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8xi64>) -> tensor<f32>
func.func @case_171_nll_loss(%a0: tensor<8x8xf32>, %a1: tensor<8xi64>) -> (tensor<f32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8xi64>) -> (tensor<f32>) {
    %r = "aten.nll_loss"(%x0, %x1) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<8x8xf32>, tensor<8xi64>) -> tensor<f32>
    amp.yield %r : tensor<f32>
  }
  return %s : tensor<f32>
}

// -----

// 173. [nn_fp32] l1_loss(f16[8x8], f16[8x8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_173_l1_loss(
// CHECK: "aten.l1_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
func.func @case_173_l1_loss(%a0: tensor<8x8xf16>, %a1: tensor<8x8xf16>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf16>, %x1 = %a1 : tensor<8x8xf16>) -> (tensor<f16>) {
    %r = "aten.l1_loss"(%x0, %x1) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 174. [nn_fp32] smooth_l1_loss(f16[8x8], f16[8x8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_174_smooth_l1_loss(
// CHECK: "aten.smooth_l1_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
func.func @case_174_smooth_l1_loss(%a0: tensor<8x8xf16>, %a1: tensor<8x8xf16>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf16>, %x1 = %a1 : tensor<8x8xf16>) -> (tensor<f16>) {
    %r = "aten.smooth_l1_loss"(%x0, %x1) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 175. [nn_fp32] mse_loss(f16[8x8], f16[8x8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_175_mse_loss(
// CHECK: "aten.mse_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
func.func @case_175_mse_loss(%a0: tensor<8x8xf16>, %a1: tensor<8x8xf16>) -> (tensor<f16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf16>, %x1 = %a1 : tensor<8x8xf16>) -> (tensor<f16>) {
    %r = "aten.mse_loss"(%x0, %x1) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<f16>
    amp.yield %r : tensor<f16>
  }
  return %s : tensor<f16>
}

// -----

// 179. [methods_fp32] __pow__(f16[8], 1.5) => runs in f32; out f32
// CHECK-LABEL: func.func @case_179_pow_Tensor_Scalar(
// CHECK: "aten.pow.Tensor_Scalar"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
func.func @case_179_pow_Tensor_Scalar(%a0: tensor<8xf16>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) -> (tensor<8xf16>) {
    %r = "aten.pow.Tensor_Scalar"(%x0) {exponent = 1.500000e+00 : f64} : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 181. [torch_need_autocast_promote] addcmul(f32[8], f16[8], f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_181_addcmul(
// CHECK: "aten.addcmul"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
func.func @case_181_addcmul(%a0: tensor<8xf32>, %a1: tensor<8xf16>, %a2: tensor<8xf16>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>, %x2 = %a2 : tensor<8xf16>) -> (tensor<8xf32>) {
    %r = "aten.addcmul"(%x0, %x1, %x2) : (tensor<8xf32>, tensor<8xf16>, tensor<8xf16>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 182. [torch_need_autocast_promote] atan2(f32[8], f16[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_182_atan2(
// CHECK: "aten.atan2"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
func.func @case_182_atan2(%a0: tensor<8xf32>, %a1: tensor<8xf16>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>) -> (tensor<8xf32>) {
    %r = "aten.atan2"(%x0, %x1) : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 183. [torch_need_autocast_promote] bilinear(f16[1x2], f32[1x2], f16[1x2x2], f32[1]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_183_bilinear(
// CHECK: "aten.bilinear"({{.*}}){{.*}} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2x2xf32>, tensor<1xf32>) -> tensor<1x1xf32>
func.func @case_183_bilinear(%a0: tensor<1x2xf16>, %a1: tensor<1x2xf32>, %a2: tensor<1x2x2xf16>, %a3: tensor<1xf32>) -> (tensor<1x1xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<1x2xf16>, %x1 = %a1 : tensor<1x2xf32>, %x2 = %a2 : tensor<1x2x2xf16>, %x3 = %a3 : tensor<1xf32>) -> (tensor<1x1xf32>) {
    %r = "aten.bilinear"(%x0, %x1, %x2, %x3) : (tensor<1x2xf16>, tensor<1x2xf32>, tensor<1x2x2xf16>, tensor<1xf32>) -> tensor<1x1xf32>
    amp.yield %r : tensor<1x1xf32>
  }
  return %s : tensor<1x1xf32>
}

// -----

// 184. [torch_need_autocast_promote] cross(f32[3], f16[3]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_184_cross(
// CHECK: "aten.cross"({{.*}}){{.*}} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
func.func @case_184_cross(%a0: tensor<3xf32>, %a1: tensor<3xf16>) -> (tensor<3xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<3xf32>, %x1 = %a1 : tensor<3xf16>) -> (tensor<3xf32>) {
    %r = "aten.cross"(%x0, %x1) : (tensor<3xf32>, tensor<3xf16>) -> tensor<3xf32>
    amp.yield %r : tensor<3xf32>
  }
  return %s : tensor<3xf32>
}

// -----

// 185. [torch_need_autocast_promote] dot(f16[8], f32[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_185_dot(
// CHECK: "aten.dot"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
func.func @case_185_dot(%a0: tensor<8xf16>, %a1: tensor<8xf32>) -> (tensor<f32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf32>) -> (tensor<f32>) {
    %r = "aten.dot"(%x0, %x1) : (tensor<8xf16>, tensor<8xf32>) -> tensor<f32>
    amp.yield %r : tensor<f32>
  }
  return %s : tensor<f32>
}

// -----

// 186. [torch_need_autocast_promote] vdot(f16[8], f32[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_186_vdot(
// CHECK: "aten.vdot"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
func.func @case_186_vdot(%a0: tensor<8xf16>, %a1: tensor<8xf32>) -> (tensor<f32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf32>) -> (tensor<f32>) {
    %r = "aten.vdot"(%x0, %x1) : (tensor<8xf16>, tensor<8xf32>) -> tensor<f32>
    amp.yield %r : tensor<f32>
  }
  return %s : tensor<f32>
}

// -----

// 189. [torch_need_autocast_promote] index_put(f16[8], (i64[1]), f32[1]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_189_index_put(
// CHECK: "aten.index_put"({{.*}}){{.*}} : (tensor<8xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<8xf32>
func.func @case_189_index_put(%a0: tensor<8xf16>, %a1: tensor<1xi64>, %a2: tensor<1xf32>) -> (tensor<8xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<1xi64>, %x2 = %a2 : tensor<1xf32>) -> (tensor<8xf16>) {
    %r = "aten.index_put"(%x0, %x1, %x2) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<8xf16>, tensor<1xi64>, tensor<1xf32>) -> tensor<8xf16>
    amp.yield %r : tensor<8xf16>
  }
  return %s : tensor<8xf16>
}

// -----

// 190. [torch_need_autocast_promote] tensordot(f32[2x2x2], f16[2x2x2]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_190_tensordot(
// CHECK: "aten.tensordot"({{.*}}){{.*}} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2xf32>
func.func @case_190_tensordot(%a0: tensor<2x2x2xf32>, %a1: tensor<2x2x2xf16>) -> (tensor<2x2xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<2x2x2xf32>, %x1 = %a1 : tensor<2x2x2xf16>) -> (tensor<2x2xf32>) {
    %r = "aten.tensordot"(%x0, %x1) : (tensor<2x2x2xf32>, tensor<2x2x2xf16>) -> tensor<2x2xf32>
    amp.yield %r : tensor<2x2xf32>
  }
  return %s : tensor<2x2xf32>
}

// -----

// 192. [torch_need_autocast_promote] scatter_add(f16[2x2x2], 0, i64[2x2x2], f32[2x2x2]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_192_scatter_add(
// CHECK: "aten.scatter_add"({{.*}}){{.*}} : (tensor<2x2x2xf32>, tensor<2x2x2xi64>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
func.func @case_192_scatter_add(%a0: tensor<2x2x2xf16>, %a1: tensor<2x2x2xi64>, %a2: tensor<2x2x2xf32>) -> (tensor<2x2x2xf16>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<2x2x2xf16>, %x1 = %a1 : tensor<2x2x2xi64>, %x2 = %a2 : tensor<2x2x2xf32>) -> (tensor<2x2x2xf16>) {
    %r = "aten.scatter_add"(%x0, %x1, %x2) {dim = 0 : i64} : (tensor<2x2x2xf16>, tensor<2x2x2xi64>, tensor<2x2x2xf32>) -> tensor<2x2x2xf16>
    amp.yield %r : tensor<2x2x2xf16>
  }
  return %s : tensor<2x2x2xf16>
}
