// Section D: the op lists of torch's CPU autocast tests, under bf16.
// Written by scripts/generate-conformance.py from Inputs/op-lists.txt: do not edit.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-decide-precision --amp-apply-precision | FileCheck %s

// 194. [torch_expect_builtin_promote] eq(f32[8], LP[8]) => op's own promotion; out bool
// CHECK-LABEL: func.func @case_194_eq_Tensor(
// CHECK: "aten.eq.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xi1>
func.func @case_194_eq_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xbf16>) -> (tensor<8xi1>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xbf16>) -> (tensor<8xi1>) {
    %r = "aten.eq.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xi1>
    amp.yield %r : tensor<8xi1>
  }
  return %s : tensor<8xi1>
}

// -----

// 195. [torch_expect_builtin_promote] ge(f32[8], LP[8]) => op's own promotion; out bool
// CHECK-LABEL: func.func @case_195_ge_Tensor(
// CHECK: "aten.ge.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xi1>
func.func @case_195_ge_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xbf16>) -> (tensor<8xi1>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xbf16>) -> (tensor<8xi1>) {
    %r = "aten.ge.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xi1>
    amp.yield %r : tensor<8xi1>
  }
  return %s : tensor<8xi1>
}

// -----

// 197. [torch_expect_builtin_promote] le(f32[8], LP[8]) => op's own promotion; out bool
// CHECK-LABEL: func.func @case_197_le_Tensor(
// CHECK: "aten.le.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xi1>
func.func @case_197_le_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xbf16>) -> (tensor<8xi1>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xbf16>) -> (tensor<8xi1>) {
    %r = "aten.le.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xi1>
    amp.yield %r : tensor<8xi1>
  }
  return %s : tensor<8xi1>
}

// -----

// 198. [torch_expect_builtin_promote] lt(f32[8], LP[8]) => op's own promotion; out bool
// CHECK-LABEL: func.func @case_198_lt_Tensor(
// CHECK: "aten.lt.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xi1>
func.func @case_198_lt_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xbf16>) -> (tensor<8xi1>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xbf16>) -> (tensor<8xi1>) {
    %r = "aten.lt.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xi1>
    amp.yield %r : tensor<8xi1>
  }
  return %s : tensor<8xi1>
}

// -----

// 200. [torch_expect_builtin_promote] add(f32[8], LP[8]) => op's own promotion; out f32
// CHECK-LABEL: func.func @case_200_add_Tensor(
// CHECK: "aten.add.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xf32>
func.func @case_200_add_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xbf16>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xbf16>) -> (tensor<8xf32>) {
    %r = "aten.add.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 202. [torch_expect_builtin_promote] mul(f32[8], LP[8]) => op's own promotion; out f32
// CHECK-LABEL: func.func @case_202_mul_Tensor(
// CHECK: "aten.mul.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xf32>
func.func @case_202_mul_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xbf16>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xbf16>) -> (tensor<8xf32>) {
    %r = "aten.mul.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 203. [methods_expect_builtin_promote] __eq__(f32[8], LP[8]) => op's own promotion; out bool
// CHECK-LABEL: func.func @case_203_eq_Tensor(
// CHECK: "torch.aten.eq.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xi1>
func.func @case_203_eq_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xbf16>) -> (tensor<8xi1>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xbf16>) -> (tensor<8xi1>) {
    %r = "torch.aten.eq.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xi1>
    amp.yield %r : tensor<8xi1>
  }
  return %s : tensor<8xi1>
}

// -----

// 204. [methods_expect_builtin_promote] __ge__(f32[8], LP[8]) => op's own promotion; out bool
// CHECK-LABEL: func.func @case_204_ge_Tensor(
// CHECK: "torch.aten.ge.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xi1>
func.func @case_204_ge_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xbf16>) -> (tensor<8xi1>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xbf16>) -> (tensor<8xi1>) {
    %r = "torch.aten.ge.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xi1>
    amp.yield %r : tensor<8xi1>
  }
  return %s : tensor<8xi1>
}

// -----

// 209. [methods_expect_builtin_promote] __add__(f32[8], LP[8]) => op's own promotion; out f32
// CHECK-LABEL: func.func @case_209_add_Tensor(
// CHECK: "torch.aten.add.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xf32>
func.func @case_209_add_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xbf16>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xbf16>) -> (tensor<8xf32>) {
    %r = "torch.aten.add.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 210. [methods_expect_builtin_promote] __div__(f32[8], LP[8]) => op's own promotion; out f32
// CHECK-LABEL: func.func @case_210_div_Tensor(
// CHECK: "torch.aten.div.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xf32>
func.func @case_210_div_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xbf16>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xbf16>) -> (tensor<8xf32>) {
    %r = "torch.aten.div.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 213. [torch_16] conv2d(f32[8x8x8x8], f32[8x8x8x8]) => LP
// CHECK-LABEL: func.func @case_213_conv2d(
// CHECK: "aten.conv2d"({{.*}}){{.*}} : (tensor<8x8x8x8xbf16>, tensor<8x8x8x8xbf16>) -> tensor<8x8x1x1xbf16>
func.func @case_213_conv2d(%a0: tensor<8x8x8x8xf32>, %a1: tensor<8x8x8x8xf32>) -> (tensor<8x8x1x1xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8x8x8xf32>, %x1 = %a1 : tensor<8x8x8x8xf32>) -> (tensor<8x8x1x1xf32>) {
    %r = "aten.conv2d"(%x0, %x1) : (tensor<8x8x8x8xf32>, tensor<8x8x8x8xf32>) -> tensor<8x8x1x1xf32>
    amp.yield %r : tensor<8x8x1x1xf32>
  }
  return %s : tensor<8x8x1x1xf32>
}

// -----

// 214. [torch_16] conv3d(f32[8x8x8x8x8], f32[8x8x8x8x8]) => LP
// CHECK-LABEL: func.func @case_214_conv3d(
// CHECK: "aten.conv3d"({{.*}}){{.*}} : (tensor<8x8x8x8x8xbf16>, tensor<8x8x8x8x8xbf16>) -> tensor<8x8x1x1x1xbf16>
func.func @case_214_conv3d(%a0: tensor<8x8x8x8x8xf32>, %a1: tensor<8x8x8x8x8xf32>) -> (tensor<8x8x1x1x1xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8x8x8x8xf32>, %x1 = %a1 : tensor<8x8x8x8x8xf32>) -> (tensor<8x8x1x1x1xf32>) {
    %r = "aten.conv3d"(%x0, %x1) : (tensor<8x8x8x8x8xf32>, tensor<8x8x8x8x8xf32>) -> tensor<8x8x1x1x1xf32>
    amp.yield %r : tensor<8x8x1x1x1xf32>
  }
  return %s : tensor<8x8x1x1x1xf32>
}

// -----

// 217. [torch_16] matmul(f32[8x8], f32[8x8]) => LP
// CHECK-LABEL: func.func @case_217_matmul(
// CHECK: "aten.matmul"({{.*}}){{.*}} : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
func.func @case_217_matmul(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8xf32>) -> (tensor<8x8xf32>) {
    %r = "aten.matmul"(%x0, %x1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}

// -----

// 218. [torch_16] baddbmm(f32[8x8x8], f32[8x8x8], f32[8x8x8]) => LP
// CHECK-LABEL: func.func @case_218_baddbmm(
// CHECK: "aten.baddbmm"({{.*}}){{.*}} : (tensor<8x8x8xbf16>, tensor<8x8x8xbf16>, tensor<8x8x8xbf16>) -> tensor<8x8x8xbf16>
func.func @case_218_baddbmm(%a0: tensor<8x8x8xf32>, %a1: tensor<8x8x8xf32>, %a2: tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8x8xf32>, %x1 = %a1 : tensor<8x8x8xf32>, %x2 = %a2 : tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>) {
    %r = "aten.baddbmm"(%x0, %x1, %x2) : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    amp.yield %r : tensor<8x8x8xf32>
  }
  return %s : tensor<8x8x8xf32>
}

// -----

// 219. [torch_16] addmm(f32[8x8], f32[8x8], f32[8x8]) => LP
// CHECK-LABEL: func.func @case_219_addmm(
// CHECK: "aten.addmm"({{.*}}){{.*}} : (tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
func.func @case_219_addmm(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8xf32>, %x2 = %a2 : tensor<8x8xf32>) -> (tensor<8x8xf32>) {
    %r = "aten.addmm"(%x0, %x1, %x2) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}

// -----

// 220. [torch_16] _addmm_activation(f32[8x8], f32[8x8], f32[8x8]) kwargs={'beta': 1, 'alpha': 1, 'use_gelu': True} => LP
// CHECK-LABEL: func.func @case_220__addmm_activation(
// CHECK: "aten._addmm_activation"({{.*}}){{.*}} : (tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
func.func @case_220__addmm_activation(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8xf32>, %x2 = %a2 : tensor<8x8xf32>) -> (tensor<8x8xf32>) {
    %r = "aten._addmm_activation"(%x0, %x1, %x2) {use_gelu = true} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}

// -----

// 221. [torch_16] addbmm(f32[8x8], f32[8x8x8], f32[8x8x8]) => LP
// CHECK-LABEL: func.func @case_221_addbmm(
// CHECK: "aten.addbmm"({{.*}}){{.*}} : (tensor<8x8xbf16>, tensor<8x8x8xbf16>, tensor<8x8x8xbf16>) -> tensor<8x8xbf16>
func.func @case_221_addbmm(%a0: tensor<8x8xf32>, %a1: tensor<8x8x8xf32>, %a2: tensor<8x8x8xf32>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8x8xf32>, %x2 = %a2 : tensor<8x8x8xf32>) -> (tensor<8x8xf32>) {
    %r = "aten.addbmm"(%x0, %x1, %x2) : (tensor<8x8xf32>, tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}

// -----

// 222. [torch_16] conv_tbc(f32[10x7x3], f32[5x3x5], f32[5], 0) => LP
// CHECK-LABEL: func.func @case_222_conv_tbc(
// CHECK: "aten.conv_tbc"({{.*}}){{.*}} : (tensor<10x7x3xbf16>, tensor<5x3x5xbf16>, tensor<5xbf16>) -> tensor<6x7x5xbf16>
func.func @case_222_conv_tbc(%a0: tensor<10x7x3xf32>, %a1: tensor<5x3x5xf32>, %a2: tensor<5xf32>) -> (tensor<6x7x5xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<10x7x3xf32>, %x1 = %a1 : tensor<5x3x5xf32>, %x2 = %a2 : tensor<5xf32>) -> (tensor<6x7x5xf32>) {
    %r = "aten.conv_tbc"(%x0, %x1, %x2) {pad = 0 : i64} : (tensor<10x7x3xf32>, tensor<5x3x5xf32>, tensor<5xf32>) -> tensor<6x7x5xf32>
    amp.yield %r : tensor<6x7x5xf32>
  }
  return %s : tensor<6x7x5xf32>
}

// -----

// 223. [torch_16] conv_transpose1d(f32[8x8x8], f32[8x8x8]) => LP
// CHECK-LABEL: func.func @case_223_conv_transpose1d(
// CHECK: "aten.conv_transpose1d"({{.*}}){{.*}} : (tensor<8x8x8xbf16>, tensor<8x8x8xbf16>) -> tensor<8x8x15xbf16>
func.func @case_223_conv_transpose1d(%a0: tensor<8x8x8xf32>, %a1: tensor<8x8x8xf32>) -> (tensor<8x8x15xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8x8xf32>, %x1 = %a1 : tensor<8x8x8xf32>) -> (tensor<8x8x15xf32>) {
    %r = "aten.conv_transpose1d"(%x0, %x1) : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x15xf32>
    amp.yield %r : tensor<8x8x15xf32>
  }
  return %s : tensor<8x8x15xf32>
}

// -----

// 226. [torch_16] prelu(f32[8], f32[1]) => LP
// CHECK-LABEL: func.func @case_226_prelu(
// CHECK: "aten.prelu"({{.*}}){{.*}} : (tensor<8xbf16>, tensor<1xbf16>) -> tensor<8xbf16>
func.func @case_226_prelu(%a0: tensor<8xf32>, %a1: tensor<1xf32>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<1xf32>) -> (tensor<8xf32>) {
    %r = "aten.prelu"(%x0, %x1) : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 227. [torch_16] _native_multi_head_attention(f32[8x8x8], f32[8x8x8], f32[8x8x8], 8, 4, f32[24x8], f32[24], f32[8x8], f32[8]) => LP
// CHECK-LABEL: func.func @case_227__native_multi_head_attention(
// CHECK: "aten._native_multi_head_attention"({{.*}}){{.*}} : (tensor<8x8x8xbf16>, tensor<8x8x8xbf16>, tensor<8x8x8xbf16>, tensor<24x8xbf16>, tensor<24xbf16>, tensor<8x8xbf16>, tensor<8xbf16>) -> (tensor<8x8x8xbf16>, tensor<8x8x8xbf16>)
func.func @case_227__native_multi_head_attention(%a0: tensor<8x8x8xf32>, %a1: tensor<8x8x8xf32>, %a2: tensor<8x8x8xf32>, %a3: tensor<24x8xf32>, %a4: tensor<24xf32>, %a5: tensor<8x8xf32>, %a6: tensor<8xf32>) -> (tensor<8x8x8xf32>, tensor<8x8x8xf32>) {
  %s:2 = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8x8xf32>, %x1 = %a1 : tensor<8x8x8xf32>, %x2 = %a2 : tensor<8x8x8xf32>, %x3 = %a3 : tensor<24x8xf32>, %x4 = %a4 : tensor<24xf32>, %x5 = %a5 : tensor<8x8xf32>, %x6 = %a6 : tensor<8xf32>) -> (tensor<8x8x8xf32>, tensor<8x8x8xf32>) {
    %r:2 = "aten._native_multi_head_attention"(%x0, %x1, %x2, %x3, %x4, %x5, %x6) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0>} : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<24x8xf32>, tensor<24xf32>, tensor<8x8xf32>, tensor<8xf32>) -> (tensor<8x8x8xf32>, tensor<8x8x8xf32>)
    amp.yield %r#0, %r#1 : tensor<8x8x8xf32>, tensor<8x8x8xf32>
  }
  return %s#0, %s#1 : tensor<8x8x8xf32>, tensor<8x8x8xf32>
}

// -----

// 228. [nn_16] linear(f32[8x8], f32[8x8]) => LP
// CHECK-LABEL: func.func @case_228_linear(
// CHECK: "aten.linear"({{.*}}){{.*}} : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
func.func @case_228_linear(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8xf32>) -> (tensor<8x8xf32>) {
    %r = "aten.linear"(%x0, %x1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}

// -----

// 229. [torch_fp32] poisson_nll_loss(LP[8x8], LP[8x8], True, False, 1e-08, 1) => runs in f32; out f32
// CHECK-LABEL: func.func @case_229_poisson_nll_loss(
// CHECK: "aten.poisson_nll_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
func.func @case_229_poisson_nll_loss(%a0: tensor<8x8xbf16>, %a1: tensor<8x8xbf16>) -> (tensor<bf16>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8xbf16>, %x1 = %a1 : tensor<8x8xbf16>) -> (tensor<bf16>) {
    %r = "aten.poisson_nll_loss"(%x0, %x1) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<bf16>
    amp.yield %r : tensor<bf16>
  }
  return %s : tensor<bf16>
}

// -----

// 230. [torch_fp32] cosine_embedding_loss(LP[1x3], LP[1x3], i32[1]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_230_cosine_embedding_loss(
// CHECK: "aten.cosine_embedding_loss"({{.*}}){{.*}} : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1xi32>) -> tensor<f32>
func.func @case_230_cosine_embedding_loss(%a0: tensor<1x3xbf16>, %a1: tensor<1x3xbf16>, %a2: tensor<1xi32>) -> (tensor<bf16>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<1x3xbf16>, %x1 = %a1 : tensor<1x3xbf16>, %x2 = %a2 : tensor<1xi32>) -> (tensor<bf16>) {
    %r = "aten.cosine_embedding_loss"(%x0, %x1, %x2) : (tensor<1x3xbf16>, tensor<1x3xbf16>, tensor<1xi32>) -> tensor<bf16>
    amp.yield %r : tensor<bf16>
  }
  return %s : tensor<bf16>
}

// -----

// 231. [torch_fp32] hinge_embedding_loss(LP[8x8], i32[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_231_hinge_embedding_loss(
// CHECK: "aten.hinge_embedding_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8xi32>) -> tensor<f32>
func.func @case_231_hinge_embedding_loss(%a0: tensor<8x8xbf16>, %a1: tensor<8xi32>) -> (tensor<bf16>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8xbf16>, %x1 = %a1 : tensor<8xi32>) -> (tensor<bf16>) {
    %r = "aten.hinge_embedding_loss"(%x0, %x1) : (tensor<8x8xbf16>, tensor<8xi32>) -> tensor<bf16>
    amp.yield %r : tensor<bf16>
  }
  return %s : tensor<bf16>
}

// -----

// 233. [torch_fp32] triplet_margin_loss(LP[8x8], LP[8x8], LP[8x8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_233_triplet_margin_loss(
// CHECK: "aten.triplet_margin_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
func.func @case_233_triplet_margin_loss(%a0: tensor<8x8xbf16>, %a1: tensor<8x8xbf16>, %a2: tensor<8x8xbf16>) -> (tensor<bf16>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8xbf16>, %x1 = %a1 : tensor<8x8xbf16>, %x2 = %a2 : tensor<8x8xbf16>) -> (tensor<bf16>) {
    %r = "aten.triplet_margin_loss"(%x0, %x1, %x2) : (tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<bf16>
    amp.yield %r : tensor<bf16>
  }
  return %s : tensor<bf16>
}

// -----

// 235. [nn_fp32] avg_pool3d(LP[8x8x8x8]) kwargs={'kernel_size': (3, 3, 3), 'stride': (1, 1, 1)} => runs in f32; out f32
// CHECK-LABEL: func.func @case_235_avg_pool3d(
// CHECK: "aten.avg_pool3d"({{.*}}){{.*}} : (tensor<8x8x8x8xf32>) -> tensor<8x6x6x6xf32>
func.func @case_235_avg_pool3d(%a0: tensor<8x8x8x8xbf16>) -> (tensor<8x6x6x6xbf16>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8x8x8xbf16>) -> (tensor<8x6x6x6xbf16>) {
    %r = "aten.avg_pool3d"(%x0) {kernel_size = [3, 3, 3]} : (tensor<8x8x8x8xbf16>) -> tensor<8x6x6x6xbf16>
    amp.yield %r : tensor<8x6x6x6xbf16>
  }
  return %s : tensor<8x6x6x6xbf16>
}

// -----

// 237. [nn_fp32] reflection_pad1d(LP[8x8x8]) kwargs={'padding': (3, 3)} => runs in f32; out f32
// CHECK-LABEL: func.func @case_237_reflection_pad1d(
// CHECK: "aten.reflection_pad1d"({{.*}}){{.*}} : (tensor<8x8x8xf32>) -> tensor<8x8x14xf32>
func.func @case_237_reflection_pad1d(%a0: tensor<8x8x8xbf16>) -> (tensor<8x8x14xbf16>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8x8xbf16>) -> (tensor<8x8x14xbf16>) {
    %r = "aten.reflection_pad1d"(%x0) {padding = [3, 3]} : (tensor<8x8x8xbf16>) -> tensor<8x8x14xbf16>
    amp.yield %r : tensor<8x8x14xbf16>
  }
  return %s : tensor<8x8x14xbf16>
}

// -----

// 239. [nn_fp32] nll_loss2d(LP[8x8x8x8], i64[8x8x8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_239_nll_loss2d(
// CHECK: "aten.nll_loss2d"({{.*}}){{.*}} : (tensor<8x8x8x8xf32>, tensor<8x8x8xi64>) -> tensor<f32>
func.func @case_239_nll_loss2d(%a0: tensor<8x8x8x8xbf16>, %a1: tensor<8x8x8xi64>) -> (tensor<bf16>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8x8x8xbf16>, %x1 = %a1 : tensor<8x8x8xi64>) -> (tensor<bf16>) {
    %r = "aten.nll_loss2d"(%x0, %x1) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<8x8x8x8xbf16>, tensor<8x8x8xi64>) -> tensor<bf16>
    amp.yield %r : tensor<bf16>
  }
  return %s : tensor<bf16>
}

// -----

// 241. [nn_fp32] smooth_l1_loss(LP[8x8], LP[8x8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_241_smooth_l1_loss(
// CHECK: "aten.smooth_l1_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
func.func @case_241_smooth_l1_loss(%a0: tensor<8x8xbf16>, %a1: tensor<8x8xbf16>) -> (tensor<bf16>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8xbf16>, %x1 = %a1 : tensor<8x8xbf16>) -> (tensor<bf16>) {
    %r = "aten.smooth_l1_loss"(%x0, %x1) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<bf16>
    amp.yield %r : tensor<bf16>
  }
  return %s : tensor<bf16>
}

// -----

// 242. [nn_fp32] mse_loss(LP[8x8], LP[8x8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_242_mse_loss(
// CHECK: "aten.mse_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
func.func @case_242_mse_loss(%a0: tensor<8x8xbf16>, %a1: tensor<8x8xbf16>) -> (tensor<bf16>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8xbf16>, %x1 = %a1 : tensor<8x8xbf16>) -> (tensor<bf16>) {
    %r = "aten.mse_loss"(%x0, %x1) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<bf16>
    amp.yield %r : tensor<bf16>
  }
  return %s : tensor<bf16>
}

// -----

// 243. [nn_fp32] multilabel_margin_loss(LP[8x8], i64[8x8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_243_multilabel_margin_loss(
// CHECK: "aten.multilabel_margin_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8x8xi64>) -> tensor<f32>
func.func @case_243_multilabel_margin_loss(%a0: tensor<8x8xbf16>, %a1: tensor<8x8xi64>) -> (tensor<bf16>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8xbf16>, %x1 = %a1 : tensor<8x8xi64>) -> (tensor<bf16>) {
    %r = "aten.multilabel_margin_loss"(%x0, %x1) : (tensor<8x8xbf16>, tensor<8x8xi64>) -> tensor<bf16>
    amp.yield %r : tensor<bf16>
  }
  return %s : tensor<bf16>
}

// -----

// 244. [nn_fp32] soft_margin_loss(LP[8x8], i64[8x8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_244_soft_margin_loss(
// CHECK: "aten.soft_margin_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8x8xi64>) -> tensor<f32>
func.func @case_244_soft_margin_loss(%a0: tensor<8x8xbf16>, %a1: tensor<8x8xi64>) -> (tensor<bf16>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8xbf16>, %x1 = %a1 : tensor<8x8xi64>) -> (tensor<bf16>) {
    %r = "aten.soft_margin_loss"(%x0, %x1) : (tensor<8x8xbf16>, tensor<8x8xi64>) -> tensor<bf16>
    amp.yield %r : tensor<bf16>
  }
  return %s : tensor<bf16>
}

// -----

// 245. [nn_fp32] multi_margin_loss(LP[8x8], i64[8]) => runs in f32; out f32
// CHECK-LABEL: func.func @case_245_multi_margin_loss(
// CHECK: "aten.multi_margin_loss"({{.*}}){{.*}} : (tensor<8x8xf32>, tensor<8xi64>) -> tensor<f32>
func.func @case_245_multi_margin_loss(%a0: tensor<8x8xbf16>, %a1: tensor<8xi64>) -> (tensor<bf16>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8x8xbf16>, %x1 = %a1 : tensor<8xi64>) -> (tensor<bf16>) {
    %r = "aten.multi_margin_loss"(%x0, %x1) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<8x8xbf16>, tensor<8xi64>) -> tensor<bf16>
    amp.yield %r : tensor<bf16>
  }
  return %s : tensor<bf16>
}

// -----

// 247. [torch_need_autocast_promote] cat((LP[8], f32[8])) => promote; out f32
// CHECK-LABEL: func.func @case_247_cat(
// CHECK: "aten.cat"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
func.func @case_247_cat(%a0: tensor<8xbf16>, %a1: tensor<8xf32>) -> (tensor<16xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xbf16>, %x1 = %a1 : tensor<8xf32>) -> (tensor<16xf32>) {
    %r = "aten.cat"(%x0, %x1) {operandSegmentSizes = array<i32: 2>} : (tensor<8xbf16>, tensor<8xf32>) -> tensor<16xf32>
    amp.yield %r : tensor<16xf32>
  }
  return %s : tensor<16xf32>
}

// -----

// 248. [torch_need_autocast_promote] stack((LP[8], f32[8])) => promote; out f32
// CHECK-LABEL: func.func @case_248_stack(
// CHECK: "aten.stack"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
func.func @case_248_stack(%a0: tensor<8xbf16>, %a1: tensor<8xf32>) -> (tensor<2x8xf32>) {
  %s = amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xbf16>, %x1 = %a1 : tensor<8xf32>) -> (tensor<2x8xf32>) {
    %r = "aten.stack"(%x0, %x1) {operandSegmentSizes = array<i32: 2>} : (tensor<8xbf16>, tensor<8xf32>) -> tensor<2x8xf32>
    amp.yield %r : tensor<2x8xf32>
  }
  return %s : tensor<2x8xf32>
}
