// Section C: the op lists of torch's CUDA autocast tests, promotion and lower precision.
// Written by scripts/generate-conformance.py from Inputs/op-lists.txt: do not edit.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-decide-precision --amp-apply-precision | FileCheck %s

// 74. [torch_expect_builtin_promote] eq(f32[8], f16[8]) => op runs in f32 by its own promotion; out bool
// CHECK-LABEL: func.func @case_74_eq_Tensor(
// CHECK: "aten.eq.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
func.func @case_74_eq_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xf16>) -> (tensor<8xi1>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>) -> (tensor<8xi1>) {
    %r = "aten.eq.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
    amp.yield %r : tensor<8xi1>
  }
  return %s : tensor<8xi1>
}

// -----

// 75. [torch_expect_builtin_promote] ge(f32[8], f16[8]) => op runs in f32 by its own promotion; out bool
// CHECK-LABEL: func.func @case_75_ge_Tensor(
// CHECK: "aten.ge.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
func.func @case_75_ge_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xf16>) -> (tensor<8xi1>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>) -> (tensor<8xi1>) {
    %r = "aten.ge.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
    amp.yield %r : tensor<8xi1>
  }
  return %s : tensor<8xi1>
}

// -----

// 76. [torch_expect_builtin_promote] gt(f32[8], f16[8]) => op runs in f32 by its own promotion; out bool
// CHECK-LABEL: func.func @case_76_gt_Tensor(
// CHECK: "aten.gt.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
func.func @case_76_gt_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xf16>) -> (tensor<8xi1>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>) -> (tensor<8xi1>) {
    %r = "aten.gt.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
    amp.yield %r : tensor<8xi1>
  }
  return %s : tensor<8xi1>
}

// -----

// 77. [torch_expect_builtin_promote] le(f32[8], f16[8]) => op runs in f32 by its own promotion; out bool
// CHECK-LABEL: func.func @case_77_le_Tensor(
// CHECK: "aten.le.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
func.func @case_77_le_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xf16>) -> (tensor<8xi1>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>) -> (tensor<8xi1>) {
    %r = "aten.le.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
    amp.yield %r : tensor<8xi1>
  }
  return %s : tensor<8xi1>
}

// -----

// 79. [torch_expect_builtin_promote] ne(f32[8], f16[8]) => op runs in f32 by its own promotion; out bool
// CHECK-LABEL: func.func @case_79_ne_Tensor(
// CHECK: "aten.ne.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
func.func @case_79_ne_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xf16>) -> (tensor<8xi1>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>) -> (tensor<8xi1>) {
    %r = "aten.ne.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
    amp.yield %r : tensor<8xi1>
  }
  return %s : tensor<8xi1>
}

// -----

// 81. [torch_expect_builtin_promote] div(f32[8], f16[8]) => op runs in f32 by its own promotion; out f32
// CHECK-LABEL: func.func @case_81_div_Tensor(
// CHECK: "aten.div.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xf32>
func.func @case_81_div_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xf16>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>) -> (tensor<8xf32>) {
    %r = "aten.div.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 82. [torch_expect_builtin_promote] mul(f32[8], f16[8]) => op runs in f32 by its own promotion; out f32
// CHECK-LABEL: func.func @case_82_mul_Tensor(
// CHECK: "aten.mul.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xf32>
func.func @case_82_mul_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xf16>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>) -> (tensor<8xf32>) {
    %r = "aten.mul.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 84. [torch_expect_builtin_promote] equal(f32[8], f16[8]) => Python bool (compared in f32)
// CHECK-LABEL: func.func @case_84_equal(
// CHECK: "aten.equal"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf16>) -> i1
func.func @case_84_equal(%a0: tensor<8xf32>, %a1: tensor<8xf16>) -> (i1) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>) -> (i1) {
    %r = "aten.equal"(%x0, %x1) : (tensor<8xf32>, tensor<8xf16>) -> i1
    amp.yield %r : i1
  }
  return %s : i1
}

// -----

// 86. [methods_expect_builtin_promote] __eq__(f32[8], f16[8]) => op runs in f32 by its own promotion; out bool
// CHECK-LABEL: func.func @case_86_eq_Tensor(
// CHECK: "torch.aten.eq.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
func.func @case_86_eq_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xf16>) -> (tensor<8xi1>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>) -> (tensor<8xi1>) {
    %r = "torch.aten.eq.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
    amp.yield %r : tensor<8xi1>
  }
  return %s : tensor<8xi1>
}

// -----

// 89. [methods_expect_builtin_promote] __le__(f32[8], f16[8]) => op runs in f32 by its own promotion; out bool
// CHECK-LABEL: func.func @case_89_le_Tensor(
// CHECK: "torch.aten.le.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
func.func @case_89_le_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xf16>) -> (tensor<8xi1>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>) -> (tensor<8xi1>) {
    %r = "torch.aten.le.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
    amp.yield %r : tensor<8xi1>
  }
  return %s : tensor<8xi1>
}

// -----

// 91. [methods_expect_builtin_promote] __ne__(f32[8], f16[8]) => op runs in f32 by its own promotion; out bool
// CHECK-LABEL: func.func @case_91_ne_Tensor(
// CHECK: "torch.aten.ne.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
func.func @case_91_ne_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xf16>) -> (tensor<8xi1>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>) -> (tensor<8xi1>) {
    %r = "torch.aten.ne.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xi1>
    amp.yield %r : tensor<8xi1>
  }
  return %s : tensor<8xi1>
}

// -----

// 92. [methods_expect_builtin_promote] __add__(f32[8], f16[8]) => op runs in f32 by its own promotion; out f32
// CHECK-LABEL: func.func @case_92_add_Tensor(
// CHECK: "aten.add.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xf32>
func.func @case_92_add_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xf16>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>) -> (tensor<8xf32>) {
    %r = "aten.add.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 93. [methods_expect_builtin_promote] __div__(f32[8], f16[8]) => op runs in f32 by its own promotion; out f32
// CHECK-LABEL: func.func @case_93_div_Tensor(
// CHECK: "torch.aten.div.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xf32>
func.func @case_93_div_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xf16>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>) -> (tensor<8xf32>) {
    %r = "torch.aten.div.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 94. [methods_expect_builtin_promote] __mul__(f32[8], f16[8]) => op runs in f32 by its own promotion; out f32
// CHECK-LABEL: func.func @case_94_mul_Tensor(
// CHECK: "torch.aten.mul.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xf32>
func.func @case_94_mul_Tensor(%a0: tensor<8xf32>, %a1: tensor<8xf16>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xf16>) -> (tensor<8xf32>) {
    %r = "torch.aten.mul.Tensor"(%x0, %x1) : (tensor<8xf32>, tensor<8xf16>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 95. [torch_fp16] _convolution(f32[8x8x8x8], f32[8x8x8x8], f32[8], ..., 12 arguments) => LP
// CHECK-LABEL: func.func @case_95__convolution_deprecated(
// CHECK: "aten._convolution.deprecated"({{.*}}){{.*}} : (tensor<8x8x8x8xf16>, tensor<8x8x8x8xf16>, tensor<8xf16>) -> tensor<8x8x1x1xf16>
func.func @case_95__convolution_deprecated(%a0: tensor<8x8x8x8xf32>, %a1: tensor<8x8x8x8xf32>, %a2: tensor<8xf32>) -> (tensor<8x8x1x1xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8x8x8xf32>, %x1 = %a1 : tensor<8x8x8x8xf32>, %x2 = %a2 : tensor<8xf32>) -> (tensor<8x8x1x1xf32>) {
    %r = "aten._convolution.deprecated"(%x0, %x1, %x2) {groups = 1 : i64} : (tensor<8x8x8x8xf32>, tensor<8x8x8x8xf32>, tensor<8xf32>) -> tensor<8x8x1x1xf32>
    amp.yield %r : tensor<8x8x1x1xf32>
  }
  return %s : tensor<8x8x1x1xf32>
}

// -----

// 96. [torch_fp16] _convolution(f32[8x8x8x8], f32[8x8x8x8], f32[8], ..., 13 arguments) => LP
// CHECK-LABEL: func.func @case_96__convolution(
// CHECK: "aten._convolution"({{.*}}){{.*}} : (tensor<8x8x8x8xf16>, tensor<8x8x8x8xf16>, tensor<8xf16>) -> tensor<8x8x1x1xf16>
func.func @case_96__convolution(%a0: tensor<8x8x8x8xf32>, %a1: tensor<8x8x8x8xf32>, %a2: tensor<8xf32>) -> (tensor<8x8x1x1xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8x8x8xf32>, %x1 = %a1 : tensor<8x8x8x8xf32>, %x2 = %a2 : tensor<8xf32>) -> (tensor<8x8x1x1xf32>) {
    %r = "aten._convolution"(%x0, %x1, %x2) {groups = 1 : i64} : (tensor<8x8x8x8xf32>, tensor<8x8x8x8xf32>, tensor<8xf32>) -> tensor<8x8x1x1xf32>
    amp.yield %r : tensor<8x8x1x1xf32>
  }
  return %s : tensor<8x8x1x1xf32>
}

// -----

// 97. [torch_fp16] conv1d(f32[8x8x8], f32[8x8x8]) => LP
// CHECK-LABEL: func.func @case_97_conv1d(
// CHECK: "aten.conv1d"({{.*}}){{.*}} : (tensor<8x8x8xf16>, tensor<8x8x8xf16>) -> tensor<8x8x1xf16>
func.func @case_97_conv1d(%a0: tensor<8x8x8xf32>, %a1: tensor<8x8x8xf32>) -> (tensor<8x8x1xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8x8xf32>, %x1 = %a1 : tensor<8x8x8xf32>) -> (tensor<8x8x1xf32>) {
    %r = "aten.conv1d"(%x0, %x1) : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x1xf32>
    amp.yield %r : tensor<8x8x1xf32>
  }
  return %s : tensor<8x8x1xf32>
}

// -----

// 100. [torch_fp16] conv_tbc(f32[8x8x8], f32[8x8x8], f32[8]) => LP
// CHECK-LABEL: func.func @case_100_conv_tbc(
// CHECK: "aten.conv_tbc"({{.*}}){{.*}} : (tensor<8x8x8xf16>, tensor<8x8x8xf16>, tensor<8xf16>) -> tensor<1x8x8xf16>
func.func @case_100_conv_tbc(%a0: tensor<8x8x8xf32>, %a1: tensor<8x8x8xf32>, %a2: tensor<8xf32>) -> (tensor<1x8x8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8x8xf32>, %x1 = %a1 : tensor<8x8x8xf32>, %x2 = %a2 : tensor<8xf32>) -> (tensor<1x8x8xf32>) {
    %r = "aten.conv_tbc"(%x0, %x1, %x2) : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<8xf32>) -> tensor<1x8x8xf32>
    amp.yield %r : tensor<1x8x8xf32>
  }
  return %s : tensor<1x8x8xf32>
}

// -----

// 101. [torch_fp16] conv_transpose1d(f32[8x8x8], f32[8x8x8]) => LP
// CHECK-LABEL: func.func @case_101_conv_transpose1d(
// CHECK: "aten.conv_transpose1d"({{.*}}){{.*}} : (tensor<8x8x8xf16>, tensor<8x8x8xf16>) -> tensor<8x8x15xf16>
func.func @case_101_conv_transpose1d(%a0: tensor<8x8x8xf32>, %a1: tensor<8x8x8xf32>) -> (tensor<8x8x15xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8x8xf32>, %x1 = %a1 : tensor<8x8x8xf32>) -> (tensor<8x8x15xf32>) {
    %r = "aten.conv_transpose1d"(%x0, %x1) : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x15xf32>
    amp.yield %r : tensor<8x8x15xf32>
  }
  return %s : tensor<8x8x15xf32>
}

// -----

// 102. [torch_fp16] conv_transpose2d(f32[8x8x8x8], f32[8x8x8x8]) => LP
// CHECK-LABEL: func.func @case_102_conv_transpose2d_input(
// CHECK: "aten.conv_transpose2d.input"({{.*}}){{.*}} : (tensor<8x8x8x8xf16>, tensor<8x8x8x8xf16>) -> tensor<8x8x15x15xf16>
func.func @case_102_conv_transpose2d_input(%a0: tensor<8x8x8x8xf32>, %a1: tensor<8x8x8x8xf32>) -> (tensor<8x8x15x15xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8x8x8xf32>, %x1 = %a1 : tensor<8x8x8x8xf32>) -> (tensor<8x8x15x15xf32>) {
    %r = "aten.conv_transpose2d.input"(%x0, %x1) : (tensor<8x8x8x8xf32>, tensor<8x8x8x8xf32>) -> tensor<8x8x15x15xf32>
    amp.yield %r : tensor<8x8x15x15xf32>
  }
  return %s : tensor<8x8x15x15xf32>
}

// -----

// 103. [torch_fp16] conv_transpose3d(f32[8x8x8x8x8], f32[8x8x8x8x8]) => LP
// CHECK-LABEL: func.func @case_103_conv_transpose3d_input(
// CHECK: "aten.conv_transpose3d.input"({{.*}}){{.*}} : (tensor<8x8x8x8x8xf16>, tensor<8x8x8x8x8xf16>) -> tensor<8x8x15x15x15xf16>
func.func @case_103_conv_transpose3d_input(%a0: tensor<8x8x8x8x8xf32>, %a1: tensor<8x8x8x8x8xf32>) -> (tensor<8x8x15x15x15xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8x8x8x8xf32>, %x1 = %a1 : tensor<8x8x8x8x8xf32>) -> (tensor<8x8x15x15x15xf32>) {
    %r = "aten.conv_transpose3d.input"(%x0, %x1) : (tensor<8x8x8x8x8xf32>, tensor<8x8x8x8x8xf32>) -> tensor<8x8x15x15x15xf32>
    amp.yield %r : tensor<8x8x15x15x15xf32>
  }
  return %s : tensor<8x8x15x15x15xf32>
}

// -----

// 105. [torch_fp16] cudnn_convolution(f32[8x8x8x8], f32[8x8x8x8], (0, 0), (1, 1), (1, 1), 1, False, True, True) => LP
// CHECK-LABEL: func.func @case_105_cudnn_convolution(
// CHECK: "aten.cudnn_convolution"({{.*}}){{.*}} : (tensor<8x8x8x8xf16>, tensor<8x8x8x8xf16>) -> tensor<8x8x1x1xf16>
func.func @case_105_cudnn_convolution(%a0: tensor<8x8x8x8xf32>, %a1: tensor<8x8x8x8xf32>) -> (tensor<8x8x1x1xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8x8x8xf32>, %x1 = %a1 : tensor<8x8x8x8xf32>) -> (tensor<8x8x1x1xf32>) {
    %r = "aten.cudnn_convolution"(%x0, %x1) {groups = 1 : i64} : (tensor<8x8x8x8xf32>, tensor<8x8x8x8xf32>) -> tensor<8x8x1x1xf32>
    amp.yield %r : tensor<8x8x1x1xf32>
  }
  return %s : tensor<8x8x1x1xf32>
}

// -----

// 107. [torch_fp16] prelu(f32[8], f32[1]) => LP
// CHECK-LABEL: func.func @case_107_prelu(
// CHECK: "aten.prelu"({{.*}}){{.*}} : (tensor<8xf16>, tensor<1xf16>) -> tensor<8xf16>
func.func @case_107_prelu(%a0: tensor<8xf32>, %a1: tensor<1xf32>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<1xf32>) -> (tensor<8xf32>) {
    %r = "aten.prelu"(%x0, %x1) : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 109. [torch_fp16] addmv(f32[8], f32[8x8], f32[8]) => LP
// CHECK-LABEL: func.func @case_109_addmv(
// CHECK: "aten.addmv"({{.*}}){{.*}} : (tensor<8xf16>, tensor<8x8xf16>, tensor<8xf16>) -> tensor<8xf16>
func.func @case_109_addmv(%a0: tensor<8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<8xf32>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8x8xf32>, %x2 = %a2 : tensor<8xf32>) -> (tensor<8xf32>) {
    %r = "aten.addmv"(%x0, %x1, %x2) : (tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 110. [torch_fp16] addr(f32[8x8], f32[8], f32[8]) => LP
// CHECK-LABEL: func.func @case_110_addr(
// CHECK: "aten.addr"({{.*}}){{.*}} : (tensor<8x8xf16>, tensor<8xf16>, tensor<8xf16>) -> tensor<8x8xf16>
func.func @case_110_addr(%a0: tensor<8x8xf32>, %a1: tensor<8xf32>, %a2: tensor<8xf32>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8xf32>, %x2 = %a2 : tensor<8xf32>) -> (tensor<8x8xf32>) {
    %r = "aten.addr"(%x0, %x1, %x2) : (tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}

// -----

// 111. [torch_fp16] matmul(f32[8x8], f32[8x8]) => LP
// CHECK-LABEL: func.func @case_111_matmul(
// CHECK: "aten.matmul"({{.*}}){{.*}} : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
func.func @case_111_matmul(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8xf32>) -> (tensor<8x8xf32>) {
    %r = "aten.matmul"(%x0, %x1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}

// -----

// 112. [torch_fp16] einsum: an own case, einsum('ij,jk->ik',f32,f16) => LP
// CHECK-LABEL: func.func @case_112_einsum(
// CHECK: "aten.einsum"({{.*}}){{.*}} : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
func.func @case_112_einsum(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf16>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8xf16>) -> (tensor<8x8xf32>) {
    %r = "aten.einsum"(%x0, %x1) {equation = "ij,jk->ik", operandSegmentSizes = array<i32: 2>} : (tensor<8x8xf32>, tensor<8x8xf16>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}

// -----

// 113. [torch_fp16] mm(f32[8x8], f32[8x8]) => LP
// CHECK-LABEL: func.func @case_113_mm(
// CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
func.func @case_113_mm(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8xf32>) -> (tensor<8x8xf32>) {
    %r = "aten.mm"(%x0, %x1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}

// -----

// 114. [torch_fp16] mv(f32[8x8], f32[8]) => LP
// CHECK-LABEL: func.func @case_114_mv(
// CHECK: "aten.mv"({{.*}}){{.*}} : (tensor<8x8xf16>, tensor<8xf16>) -> tensor<8xf16>
func.func @case_114_mv(%a0: tensor<8x8xf32>, %a1: tensor<8xf32>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8xf32>) -> (tensor<8xf32>) {
    %r = "aten.mv"(%x0, %x1) : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 115. [torch_fp16] chain_matmul(f32[8x8], f32[8x8], f32[8x8]) => LP
// CHECK-LABEL: func.func @case_115_chain_matmul(
// CHECK: "aten.chain_matmul"({{.*}}){{.*}} : (tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
func.func @case_115_chain_matmul(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8xf32>, %x2 = %a2 : tensor<8x8xf32>) -> (tensor<8x8xf32>) {
    %r = "aten.chain_matmul"(%x0, %x1, %x2) {operandSegmentSizes = array<i32: 3>} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}

// -----

// 116. [torch_fp16] addbmm(f32[8x8], f32[8x8x8], f32[8x8x8]) => LP
// CHECK-LABEL: func.func @case_116_addbmm(
// CHECK: "aten.addbmm"({{.*}}){{.*}} : (tensor<8x8xf16>, tensor<8x8x8xf16>, tensor<8x8x8xf16>) -> tensor<8x8xf16>
func.func @case_116_addbmm(%a0: tensor<8x8xf32>, %a1: tensor<8x8x8xf32>, %a2: tensor<8x8x8xf32>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8x8xf32>, %x2 = %a2 : tensor<8x8x8xf32>) -> (tensor<8x8xf32>) {
    %r = "aten.addbmm"(%x0, %x1, %x2) : (tensor<8x8xf32>, tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}

// -----

// 117. [torch_fp16] baddbmm(f32[8x8x8], f32[8x8x8], f32[8x8x8]) => LP
// CHECK-LABEL: func.func @case_117_baddbmm(
// CHECK: "aten.baddbmm"({{.*}}){{.*}} : (tensor<8x8x8xf16>, tensor<8x8x8xf16>, tensor<8x8x8xf16>) -> tensor<8x8x8xf16>
func.func @case_117_baddbmm(%a0: tensor<8x8x8xf32>, %a1: tensor<8x8x8xf32>, %a2: tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8x8xf32>, %x1 = %a1 : tensor<8x8x8xf32>, %x2 = %a2 : tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>) {
    %r = "aten.baddbmm"(%x0, %x1, %x2) : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    amp.yield %r : tensor<8x8x8xf32>
  }
  return %s : tensor<8x8x8xf32>
}

// -----

// 118. [torch_fp16] bmm(f32[8x8x8], f32[8x8x8]) => LP
// CHECK-LABEL: func.func @case_118_bmm(
// CHECK: "aten.bmm"({{.*}}){{.*}} : (tensor<8x8x8xf16>, tensor<8x8x8xf16>) -> tensor<8x8x8xf16>
func.func @case_118_bmm(%a0: tensor<8x8x8xf32>, %a1: tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8x8xf32>, %x1 = %a1 : tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>) {
    %r = "aten.bmm"(%x0, %x1) : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    amp.yield %r : tensor<8x8x8xf32>
  }
  return %s : tensor<8x8x8xf32>
}

// -----

// 119. [torch_fp16] lstm_cell(f32[8x8], (f32[8x8], f32[8x8]), f32[32x8], f32[32x8], f32[32], f32[32]) => LP
// CHECK-LABEL: func.func @case_119_lstm_cell(
// CHECK: "aten.lstm_cell"({{.*}}){{.*}} : (tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>, tensor<32x8xf16>, tensor<32x8xf16>, tensor<32xf16>, tensor<32xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>)
func.func @case_119_lstm_cell(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<8x8xf32>, %a3: tensor<32x8xf32>, %a4: tensor<32x8xf32>, %a5: tensor<32xf32>, %a6: tensor<32xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %s:2 = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8xf32>, %x2 = %a2 : tensor<8x8xf32>, %x3 = %a3 : tensor<32x8xf32>, %x4 = %a4 : tensor<32x8xf32>, %x5 = %a5 : tensor<32xf32>, %x6 = %a6 : tensor<32xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %r:2 = "aten.lstm_cell"(%x0, %x1, %x2, %x3, %x4, %x5, %x6) {operandSegmentSizes = array<i32: 1, 2, 1, 1, 1, 1>} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
    amp.yield %r#0, %r#1 : tensor<8x8xf32>, tensor<8x8xf32>
  }
  return %s#0, %s#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// 120. [torch_fp16] gru_cell(f32[8x8], f32[8x8], f32[24x8], f32[24x8], f32[24], f32[24]) => LP
// CHECK-LABEL: func.func @case_120_gru_cell(
// CHECK: "aten.gru_cell"({{.*}}){{.*}} : (tensor<8x8xf16>, tensor<8x8xf16>, tensor<24x8xf16>, tensor<24x8xf16>, tensor<24xf16>, tensor<24xf16>) -> tensor<8x8xf16>
func.func @case_120_gru_cell(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<24x8xf32>, %a3: tensor<24x8xf32>, %a4: tensor<24xf32>, %a5: tensor<24xf32>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8xf32>, %x2 = %a2 : tensor<24x8xf32>, %x3 = %a3 : tensor<24x8xf32>, %x4 = %a4 : tensor<24xf32>, %x5 = %a5 : tensor<24xf32>) -> (tensor<8x8xf32>) {
    %r = "aten.gru_cell"(%x0, %x1, %x2, %x3, %x4, %x5) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<24x8xf32>, tensor<24x8xf32>, tensor<24xf32>, tensor<24xf32>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}

// -----

// 121. [torch_fp16] rnn_tanh_cell(f32[8x8], f32[8x8], f32[8x8], f32[8x8], f32[8], f32[8]) => LP
// CHECK-LABEL: func.func @case_121_rnn_tanh_cell(
// CHECK: "aten.rnn_tanh_cell"({{.*}}){{.*}} : (tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>, tensor<8xf16>, tensor<8xf16>) -> tensor<8x8xf16>
func.func @case_121_rnn_tanh_cell(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<8x8xf32>, %a3: tensor<8x8xf32>, %a4: tensor<8xf32>, %a5: tensor<8xf32>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8xf32>, %x2 = %a2 : tensor<8x8xf32>, %x3 = %a3 : tensor<8x8xf32>, %x4 = %a4 : tensor<8xf32>, %x5 = %a5 : tensor<8xf32>) -> (tensor<8x8xf32>) {
    %r = "aten.rnn_tanh_cell"(%x0, %x1, %x2, %x3, %x4, %x5) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}

// -----

// 122. [torch_fp16] rnn_relu_cell(f32[8x8], f32[8x8], f32[8x8], f32[8x8], f32[8], f32[8]) => LP
// CHECK-LABEL: func.func @case_122_rnn_relu_cell(
// CHECK: "aten.rnn_relu_cell"({{.*}}){{.*}} : (tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>, tensor<8xf16>, tensor<8xf16>) -> tensor<8x8xf16>
func.func @case_122_rnn_relu_cell(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<8x8xf32>, %a3: tensor<8x8xf32>, %a4: tensor<8xf32>, %a5: tensor<8xf32>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8xf32>, %x2 = %a2 : tensor<8x8xf32>, %x3 = %a3 : tensor<8x8xf32>, %x4 = %a4 : tensor<8xf32>, %x5 = %a5 : tensor<8xf32>) -> (tensor<8x8xf32>) {
    %r = "aten.rnn_relu_cell"(%x0, %x1, %x2, %x3, %x4, %x5) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}

// -----

// 124. [linalg_fp16] linalg_vecdot(f32[8x8], f32[8x8]) => LP
// CHECK-LABEL: func.func @case_124_linalg_vecdot(
// CHECK: "aten.linalg_vecdot"({{.*}}){{.*}} : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8xf16>
func.func @case_124_linalg_vecdot(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> (tensor<8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8xf32>) -> (tensor<8xf32>) {
    %r = "aten.linalg_vecdot"(%x0, %x1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    amp.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// 125. [linalg_fp16] linalg_multi_dot((f32[8x8], f32[8x8], f32[8x8])) => LP
// CHECK-LABEL: func.func @case_125_linalg_multi_dot(
// CHECK: "aten.linalg_multi_dot"({{.*}}){{.*}} : (tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
func.func @case_125_linalg_multi_dot(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8xf32>, %x2 = %a2 : tensor<8x8xf32>) -> (tensor<8x8xf32>) {
    %r = "aten.linalg_multi_dot"(%x0, %x1, %x2) {operandSegmentSizes = array<i32: 3>} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}

// -----

// 126. [methods_fp16] __matmul__(f32[8x8], f32[8x8]) => LP
// CHECK-LABEL: func.func @case_126_matmul(
// CHECK: "torch.aten.matmul"({{.*}}){{.*}} : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
func.func @case_126_matmul(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %s = amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x8xf32>, %x1 = %a1 : tensor<8x8xf32>) -> (tensor<8x8xf32>) {
    %r = "torch.aten.matmul"(%x0, %x1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    amp.yield %r : tensor<8x8xf32>
  }
  return %s : tensor<8x8xf32>
}
