// Section F: what eager torch was seen to do in regions for CUDA.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-decide-precision --amp-apply-precision | FileCheck %s

// 277. mm(bf16,bf16) => f16
// CHECK-LABEL: func.func @case_277(
func.func @case_277(%a0: tensor<4x4xbf16>, %a1: tensor<4x4xbf16>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<4x4xbf16>, %x1 = %a1 : tensor<4x4xbf16>) {
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    %r0 = "aten.mm"(%x0, %x1) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
    amp.yield
  }
  return
}

// -----

// 278. mm(f8,f8) => f16 (f8 is eligible)
// CHECK-LABEL: func.func @case_278(
func.func @case_278(%a0: tensor<4x4xf8E4M3FN>, %a1: tensor<4x4xf8E4M3FN>, %a2: tensor<4x4xf8E5M2>, %a3: tensor<4x4xf8E5M2>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<4x4xf8E4M3FN>, %x1 = %a1 : tensor<4x4xf8E4M3FN>, %x2 = %a2 : tensor<4x4xf8E5M2>, %x3 = %a3 : tensor<4x4xf8E5M2>) {
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    %r0 = "aten.mm"(%x0, %x1) : (tensor<4x4xf8E4M3FN>, tensor<4x4xf8E4M3FN>) -> tensor<4x4xf8E4M3FN>
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    %r1 = "aten.mm"(%x2, %x3) : (tensor<4x4xf8E5M2>, tensor<4x4xf8E5M2>) -> tensor<4x4xf8E5M2>
    amp.yield
  }
  return
}

// -----

// 279. mm(c64,c64) => c64
// CHECK-LABEL: func.func @case_279(
func.func @case_279(%a0: tensor<4x4xcomplex<f32>>, %a1: tensor<4x4xcomplex<f32>>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<4x4xcomplex<f32>>, %x1 = %a1 : tensor<4x4xcomplex<f32>>) {
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %r0 = "aten.mm"(%x0, %x1) : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    amp.yield
  }
  return
}

// -----

// 280. mm(i32,i32) => i32
// CHECK-LABEL: func.func @case_280(
func.func @case_280(%a0: tensor<4x4xi32>, %a1: tensor<4x4xi32>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<4x4xi32>, %x1 = %a1 : tensor<4x4xi32>) {
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
    %r0 = "aten.mm"(%x0, %x1) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
    amp.yield
  }
  return
}

// -----

// 282. mm(f32 cpu,f32 cpu) in cuda region => f32
// CHECK-LABEL: func.func @case_282(
func.func @case_282(%a0: tensor<4x4xf32> {amp.device = "cpu"}, %a1: tensor<4x4xf32> {amp.device = "cpu"}) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<4x4xf32>, %x1 = %a1 : tensor<4x4xf32>) {
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %r0 = "aten.mm"(%x0, %x1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield
  }
  return
}

// -----

// 286. sdpa(q f32,k f16,v f32) => f16
// CHECK-LABEL: func.func @case_286(
func.func @case_286(%a0: tensor<2x8x4xf32>, %a1: tensor<2x8x4xf16>, %a2: tensor<2x8x4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<2x8x4xf32>, %x1 = %a1 : tensor<2x8x4xf16>, %x2 = %a2 : tensor<2x8x4xf32>) {
    // CHECK: "aten.scaled_dot_product_attention"({{.*}}){{.*}} : (tensor<2x8x4xf16>, tensor<2x8x4xf16>, tensor<2x8x4xf16>) -> tensor<2x8x4xf16>
    %r0 = "aten.scaled_dot_product_attention"(%x0, %x1, %x2) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<2x8x4xf32>, tensor<2x8x4xf16>, tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    amp.yield
  }
  return
}

// -----

// 288. log(i32) / exp(bool) => f32
// CHECK-LABEL: func.func @case_288(
func.func @case_288(%a0: tensor<8xi32>, %a1: tensor<8xi1>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xi32>, %x1 = %a1 : tensor<8xi1>) {
    // CHECK: "aten.log"({{.*}}){{.*}} : (tensor<8xi32>) -> tensor<8xf32>
    %r0 = "aten.log"(%x0) : (tensor<8xi32>) -> tensor<8xf32>
    // CHECK: "aten.exp"({{.*}}){{.*}} : (tensor<8xi1>) -> tensor<8xf32>
    %r1 = "aten.exp"(%x1) : (tensor<8xi1>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 289. pow(i32,2) / pow(bool,2) / pow(2.5,i64) => i32 / i64 / f32
// CHECK-LABEL: func.func @case_289(
func.func @case_289(%a0: tensor<8xi32>, %a1: tensor<8xi1>, %a2: tensor<8xi64>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xi32>, %x1 = %a1 : tensor<8xi1>, %x2 = %a2 : tensor<8xi64>) {
    // CHECK: "aten.pow.Tensor_Scalar"({{.*}}){{.*}} : (tensor<8xi32>) -> tensor<8xi32>
    %r0 = "aten.pow.Tensor_Scalar"(%x0) {exponent = 2 : i64} : (tensor<8xi32>) -> tensor<8xi32>
    // CHECK: "aten.pow.Tensor_Scalar"({{.*}}){{.*}} : (tensor<8xi1>) -> tensor<8xi64>
    %r1 = "aten.pow.Tensor_Scalar"(%x1) {exponent = 2 : i64} : (tensor<8xi1>) -> tensor<8xi64>
    // CHECK: "aten.pow.Scalar"({{.*}}){{.*}} : (tensor<8xi64>) -> tensor<8xf32>
    %r2 = "aten.pow.Scalar"(%x2) {self = 2.5 : f64} : (tensor<8xi64>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 290. mse_loss(f16,f64) => f64
// CHECK-LABEL: func.func @case_290(
func.func @case_290(%a0: tensor<8xf16>, %a1: tensor<8xf64>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf64>) {
    // CHECK: "aten.mse_loss"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf64>) -> tensor<f64>
    %r0 = "aten.mse_loss"(%x0, %x1) : (tensor<8xf16>, tensor<8xf64>) -> tensor<f64>
    amp.yield
  }
  return
}

// -----

// 291. layer_norm(f16,w f32) => f32
// CHECK-LABEL: func.func @case_291(
func.func @case_291(%a0: tensor<8xf16>, %a1: tensor<8xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf32>) {
    // CHECK: "aten.layer_norm"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r0 = "aten.layer_norm"(%x0, %x1) {normalized_shape = [8], operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<8xf16>, tensor<8xf32>) -> tensor<8xf16>
    amp.yield
  }
  return
}

// -----

// 292. layer_norm(f64,w f32) => f64
// CHECK-LABEL: func.func @case_292(
func.func @case_292(%a0: tensor<8xf64>, %a1: tensor<8xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf64>, %x1 = %a1 : tensor<8xf32>) {
    // CHECK: "aten.layer_norm"({{.*}}){{.*}} : (tensor<8xf64>, tensor<8xf32>) -> tensor<8xf64>
    %r0 = "aten.layer_norm"(%x0, %x1) {normalized_shape = [8], operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<8xf64>, tensor<8xf32>) -> tensor<8xf64>
    amp.yield
  }
  return
}

// -----

// 293. cross_entropy(f16,i64) => f32
// Composite: torch takes it apart into log_softmax and nll_loss, both in f32.
// CHECK-LABEL: func.func @case_293(
func.func @case_293(%a0: tensor<8x10xf16>, %a1: tensor<8xi64>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8x10xf16>, %x1 = %a1 : tensor<8xi64>) {
    // CHECK: "aten.cross_entropy_loss"({{.*}}){{.*}} : (tensor<8x10xf32>, tensor<8xi64>) -> tensor<f32>
    %r0 = "aten.cross_entropy_loss"(%x0, %x1) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<8x10xf16>, tensor<8xi64>) -> tensor<f16>
    amp.yield
  }
  return
}

// -----

// 294. exp_(f16) => f16
// CHECK-LABEL: func.func @case_294(
func.func @case_294(%a0: tensor<8xf16>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>) {
    // CHECK: "aten.exp_"({{.*}}){{.*}} : (tensor<8xf16>) -> tensor<8xf16>
    %r0 = "aten.exp_"(%x0) : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield
  }
  return
}

// -----

// 295. exp(f16,out=f32) => f32 by out
// CHECK-LABEL: func.func @case_295(
func.func @case_295(%a0: tensor<8xf16>, %a1: tensor<8xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf32>) {
    // CHECK: "aten.exp.out"({{.*}}){{.*}} : (tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
    %r0 = "aten.exp.out"(%x0, %x1) : (tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 298. sum(f16) / sum(f16,dtype=f16) / sum(f32,dtype=f16) / sum(i32) / sum(c64) => f32 / f16 / f16 / i64 / c64
// The last one says None.
// CHECK-LABEL: func.func @case_298(
func.func @case_298(%a0: tensor<8xf16>, %a1: tensor<8xf16>, %a2: tensor<8xf32>, %a3: tensor<8xi32>, %a4: tensor<8xcomplex<f32>>, %a5: tensor<8xf16>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf16>, %x2 = %a2 : tensor<8xf32>, %x3 = %a3 : tensor<8xi32>, %x4 = %a4 : tensor<8xcomplex<f32>>, %x5 = %a5 : tensor<8xf16>) {
    // CHECK: "aten.sum"({{.*}}) {dtype = f32} : (tensor<8xf16>) -> tensor<f32>
    %r0 = "aten.sum"(%x0) : (tensor<8xf16>) -> tensor<f16>
    // CHECK: "aten.sum"({{.*}}) {dtype = f16} : (tensor<8xf16>) -> tensor<f16>
    %r1 = "aten.sum"(%x1) {dtype = f16} : (tensor<8xf16>) -> tensor<f16>
    // CHECK: "aten.sum"({{.*}}) {dtype = f16} : (tensor<8xf32>) -> tensor<f16>
    %r2 = "aten.sum"(%x2) {dtype = f16} : (tensor<8xf32>) -> tensor<f16>
    // CHECK: "aten.sum"({{.*}}){{.*}} : (tensor<8xi32>) -> tensor<i64>
    %r3 = "aten.sum"(%x3) : (tensor<8xi32>) -> tensor<i64>
    // CHECK: "aten.sum"({{.*}}){{.*}} : (tensor<8xcomplex<f32>>) -> tensor<complex<f32>>
    %r4 = "aten.sum"(%x4) : (tensor<8xcomplex<f32>>) -> tensor<complex<f32>>
    // CHECK: "aten.sum"({{.*}}) {dtype = f32} : (tensor<8xf16>) -> tensor<f32>
    %r5 = "aten.sum"(%x5) {dtype = none} : (tensor<8xf16>) -> tensor<f16>
    amp.yield
  }
  return
}

// -----

// 300. norm.Scalar(f16) / (f64) / (c64) => f32 / f64 / f32
// Torch passes f64 and c64 their own type: the overload without dtype gives the same.
// CHECK-LABEL: func.func @case_300(
func.func @case_300(%a0: tensor<8xf16>, %a1: tensor<8xf64>, %a2: tensor<8xcomplex<f32>>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf64>, %x2 = %a2 : tensor<8xcomplex<f32>>) {
    // CHECK: "aten.norm.ScalarOpt_dtype"({{.*}}) {dtype = f32} : (tensor<8xf16>) -> tensor<f32>
    %r0 = "aten.norm.Scalar"(%x0) : (tensor<8xf16>) -> tensor<f16>
    // CHECK: "aten.norm.Scalar"({{.*}}){{.*}} : (tensor<8xf64>) -> tensor<f64>
    %r1 = "aten.norm.Scalar"(%x1) : (tensor<8xf64>) -> tensor<f64>
    // CHECK: "aten.norm.Scalar"({{.*}}){{.*}} : (tensor<8xcomplex<f32>>) -> tensor<f32>
    %r2 = "aten.norm.Scalar"(%x2) : (tensor<8xcomplex<f32>>) -> tensor<f32>
    amp.yield
  }
  return
}

// -----

// 302. mean(f16), var(f16), sigmoid, tanh, erf, gelu, sqrt, sin (f16) => f16 (unlisted)
// CHECK-LABEL: func.func @case_302(
func.func @case_302(%a0: tensor<8xf16>, %a1: tensor<8xf16>, %a2: tensor<8xf16>, %a3: tensor<8xf16>, %a4: tensor<8xf16>, %a5: tensor<8xf16>, %a6: tensor<8xf16>, %a7: tensor<8xf16>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf16>, %x2 = %a2 : tensor<8xf16>, %x3 = %a3 : tensor<8xf16>, %x4 = %a4 : tensor<8xf16>, %x5 = %a5 : tensor<8xf16>, %x6 = %a6 : tensor<8xf16>, %x7 = %a7 : tensor<8xf16>) {
    // CHECK: "aten.mean"({{.*}}){{.*}} : (tensor<8xf16>) -> tensor<f16>
    %r0 = "aten.mean"(%x0) : (tensor<8xf16>) -> tensor<f16>
    // CHECK: "aten.var"({{.*}}){{.*}} : (tensor<8xf16>) -> tensor<f16>
    %r1 = "aten.var"(%x1) : (tensor<8xf16>) -> tensor<f16>
    // CHECK: "aten.sigmoid"({{.*}}){{.*}} : (tensor<8xf16>) -> tensor<8xf16>
    %r2 = "aten.sigmoid"(%x2) : (tensor<8xf16>) -> tensor<8xf16>
    // CHECK: "aten.tanh"({{.*}}){{.*}} : (tensor<8xf16>) -> tensor<8xf16>
    %r3 = "aten.tanh"(%x3) : (tensor<8xf16>) -> tensor<8xf16>
    // CHECK: "aten.erf"({{.*}}){{.*}} : (tensor<8xf16>) -> tensor<8xf16>
    %r4 = "aten.erf"(%x4) : (tensor<8xf16>) -> tensor<8xf16>
    // CHECK: "aten.gelu"({{.*}}){{.*}} : (tensor<8xf16>) -> tensor<8xf16>
    %r5 = "aten.gelu"(%x5) : (tensor<8xf16>) -> tensor<8xf16>
    // CHECK: "aten.sqrt"({{.*}}){{.*}} : (tensor<8xf16>) -> tensor<8xf16>
    %r6 = "aten.sqrt"(%x6) : (tensor<8xf16>) -> tensor<8xf16>
    // CHECK: "aten.sin"({{.*}}){{.*}} : (tensor<8xf16>) -> tensor<8xf16>
    %r7 = "aten.sin"(%x7) : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield
  }
  return
}

// -----

// 303. 1/x:f16, x**2, normalize, softmin => f32 (through reciprocal, pow, norm, softmax)
// These are Python functions: as front ends hand them over, with the ops that they call.
// CHECK-LABEL: func.func @case_303(
func.func @case_303(%a0: tensor<8xf16>, %a1: tensor<8xf16>, %a2: tensor<8x8xf16>, %a3: tensor<8x8xf16>, %a4: tensor<8x8xf32>, %a5: tensor<8xf16>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf16>, %x2 = %a2 : tensor<8x8xf16>, %x3 = %a3 : tensor<8x8xf16>, %x4 = %a4 : tensor<8x8xf32>, %x5 = %a5 : tensor<8xf16>) {
    // CHECK: "aten.reciprocal"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
    %r0 = "aten.reciprocal"(%x0) : (tensor<8xf16>) -> tensor<8xf16>
    // CHECK: "aten.pow.Tensor_Scalar"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<8xf32>
    %r1 = "aten.pow.Tensor_Scalar"(%x1) {exponent = 2 : i64} : (tensor<8xf16>) -> tensor<8xf16>
    // CHECK: "aten.linalg_vector_norm"({{.*}}){{.*}}dtype = f32{{.*}} : (tensor<8x8xf16>) -> tensor<8x1xf32>
    %r2 = "aten.linalg_vector_norm"(%x2) {dim = [1]} : (tensor<8x8xf16>) -> tensor<8x1xf16>
    // CHECK: "aten.div.Tensor"({{.*}}){{.*}} : (tensor<8x8xf16>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %r3 = "aten.div.Tensor"(%x3, %x4) : (tensor<8x8xf16>, tensor<8x8xf32>) -> tensor<8x8xf32>
    // CHECK: "aten.softmax.int"({{.*}}){{.*}}dtype = f32{{.*}} : (tensor<8xf16>) -> tensor<8xf32>
    %r4 = "aten.softmax.int"(%x5) {dim = 0 : i64} : (tensor<8xf16>) -> tensor<8xf16>
    amp.yield
  }
  return
}

// -----

// 304. matrix_power(f32,2) => f16 (through matmul)
// CHECK-LABEL: func.func @case_304(
func.func @case_304(%a0: tensor<4x4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<4x4xf32>) {
    // CHECK: "aten.matrix_power"({{.*}}){{.*}} : (tensor<4x4xf16>) -> tensor<4x4xf16>
    %r0 = "aten.matrix_power"(%x0) {n = 2 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield
  }
  return
}

// -----

// 305. interpolate nearest (f16) => f32
// CHECK-LABEL: func.func @case_305(
func.func @case_305(%a0: tensor<1x1x4x4xf16>, %a1: tensor<1x1x4x4xf16>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<1x1x4x4xf16>, %x1 = %a1 : tensor<1x1x4x4xf16>) {
    // CHECK: "aten.upsample_nearest2d"({{.*}}){{.*}} : (tensor<1x1x4x4xf32>) -> tensor<1x1x8x8xf32>
    %r0 = "aten.upsample_nearest2d"(%x0) : (tensor<1x1x4x4xf16>) -> tensor<1x1x8x8xf16>
    // CHECK: "aten.upsample_nearest2d.vec"({{.*}}){{.*}} : (tensor<1x1x4x4xf32>) -> tensor<1x1x8x8xf32>
    %r1 = "aten.upsample_nearest2d.vec"(%x1) : (tensor<1x1x4x4xf16>) -> tensor<1x1x8x8xf16>
    amp.yield
  }
  return
}

// -----

// 306. outer(f16,f32) => f32 (through mul)
// CHECK-LABEL: func.func @case_306(
func.func @case_306(%a0: tensor<8xf16>, %a1: tensor<8xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf32>) {
    // CHECK: "aten.outer"({{.*}}){{.*}} : (tensor<8xf16>, tensor<8xf32>) -> tensor<8x8xf32>
    %r0 = "aten.outer"(%x0, %x1) : (tensor<8xf16>, tensor<8xf32>) -> tensor<8x8xf32>
    amp.yield
  }
  return
}

// -----

// 307. atan2(f16,f16) => f16
// CHECK-LABEL: func.func @case_307(
func.func @case_307(%a0: tensor<8xf16>, %a1: tensor<8xf16>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf16>) {
    // CHECK: "aten.atan2"({{.*}}){{.*}} : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
    %r0 = "aten.atan2"(%x0, %x1) : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
    amp.yield
  }
  return
}

// -----

// 308. atan2(f16,f32) => f32
// CHECK-LABEL: func.func @case_308(
func.func @case_308(%a0: tensor<8xf16>, %a1: tensor<8xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf32>) {
    // CHECK: "aten.atan2"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r0 = "aten.atan2"(%x0, %x1) : (tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 309. atan2(f32,bf16) => f32
// CHECK-LABEL: func.func @case_309(
func.func @case_309(%a0: tensor<8xf32>, %a1: tensor<8xbf16>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<8xbf16>) {
    // CHECK: "aten.atan2"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r0 = "aten.atan2"(%x0, %x1) : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 310, 311. atan2(bf16,f32), atan2(f16,bf16), (bf16,bf16), (bf16,i32), (bf16,f64): errors of the eager order (F-eager-strict.mlir); by default the widest type
// CHECK-LABEL: func.func @case_311(
func.func @case_311(%a0: tensor<8xbf16>, %a1: tensor<8xf32>, %a2: tensor<8xf16>, %a3: tensor<8xbf16>, %a4: tensor<8xbf16>, %a5: tensor<8xbf16>, %a6: tensor<8xbf16>, %a7: tensor<8xi32>, %a8: tensor<8xbf16>, %a9: tensor<8xf64>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xbf16>, %x1 = %a1 : tensor<8xf32>, %x2 = %a2 : tensor<8xf16>, %x3 = %a3 : tensor<8xbf16>, %x4 = %a4 : tensor<8xbf16>, %x5 = %a5 : tensor<8xbf16>, %x6 = %a6 : tensor<8xbf16>, %x7 = %a7 : tensor<8xi32>, %x8 = %a8 : tensor<8xbf16>, %x9 = %a9 : tensor<8xf64>) {
    // CHECK: "aten.atan2"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r0 = "aten.atan2"(%x0, %x1) : (tensor<8xbf16>, tensor<8xf32>) -> tensor<8xf32>
    // CHECK: "aten.atan2"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r1 = "aten.atan2"(%x2, %x3) : (tensor<8xf16>, tensor<8xbf16>) -> tensor<8xf32>
    // CHECK: "aten.atan2"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r2 = "aten.atan2"(%x4, %x5) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    // CHECK: "aten.atan2"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xi32>) -> tensor<8xf32>
    %r3 = "aten.atan2"(%x6, %x7) : (tensor<8xbf16>, tensor<8xi32>) -> tensor<8xbf16>
    // CHECK: "aten.atan2"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf64>) -> tensor<8xf64>
    %r4 = "aten.atan2"(%x8, %x9) : (tensor<8xbf16>, tensor<8xf64>) -> tensor<8xf64>
    amp.yield
  }
  return
}

// -----

// 312. R(cuda,bf16): atan2(bf16,bf16) / (bf16,f32) / (f16,f32) => bf16 / f32 / error (F-eager-strict.mlir); by default f32
// CHECK-LABEL: func.func @case_312(
func.func @case_312(%a0: tensor<8xbf16>, %a1: tensor<8xbf16>, %a2: tensor<8xbf16>, %a3: tensor<8xf32>, %a4: tensor<8xf16>, %a5: tensor<8xf32>) {
  amp.autocast device("cuda") dtype(bf16) (%x0 = %a0 : tensor<8xbf16>, %x1 = %a1 : tensor<8xbf16>, %x2 = %a2 : tensor<8xbf16>, %x3 = %a3 : tensor<8xf32>, %x4 = %a4 : tensor<8xf16>, %x5 = %a5 : tensor<8xf32>) {
    // CHECK: "aten.atan2"({{.*}}){{.*}} : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %r0 = "aten.atan2"(%x0, %x1) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    // CHECK: "aten.atan2"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r1 = "aten.atan2"(%x2, %x3) : (tensor<8xbf16>, tensor<8xf32>) -> tensor<8xf32>
    // CHECK: "aten.atan2"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r2 = "aten.atan2"(%x4, %x5) : (tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 316. addcmul(f16,f64,f32) => f64
// CHECK-LABEL: func.func @case_316(
func.func @case_316(%a0: tensor<8xf16>, %a1: tensor<8xf64>, %a2: tensor<8xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf64>, %x2 = %a2 : tensor<8xf32>) {
    // CHECK: "aten.addcmul"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf64>, tensor<8xf32>) -> tensor<8xf64>
    %r0 = "aten.addcmul"(%x0, %x1, %x2) : (tensor<8xf16>, tensor<8xf64>, tensor<8xf32>) -> tensor<8xf64>
    amp.yield
  }
  return
}

// -----

// 319. addcmul(f16,f16,f32[0-dim]) => f32 (ordinary promotion would give f16)
// CHECK-LABEL: func.func @case_319(
func.func @case_319(%a0: tensor<8xf16>, %a1: tensor<8xf16>, %a2: tensor<f32>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf16>, %x2 = %a2 : tensor<f32>) {
    // CHECK: "aten.addcmul"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    %r0 = "aten.addcmul"(%x0, %x1, %x2) : (tensor<8xf16>, tensor<8xf16>, tensor<f32>) -> tensor<8xf16>
    amp.yield
  }
  return
}

// -----

// 321. bilinear(f16,f16,f16,bias f32) => f16: bias narrowed (optional ignored in decision); wanted f32
// CHECK-LABEL: func.func @case_321(
func.func @case_321(%a0: tensor<1x2xf16>, %a1: tensor<1x2xf16>, %a2: tensor<1x2x2xf16>, %a3: tensor<1xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<1x2xf16>, %x1 = %a1 : tensor<1x2xf16>, %x2 = %a2 : tensor<1x2x2xf16>, %x3 = %a3 : tensor<1xf32>) {
    // CHECK: "aten.bilinear"({{.*}}){{.*}} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2x2xf32>, tensor<1xf32>) -> tensor<1x1xf32>
    %r0 = "aten.bilinear"(%x0, %x1, %x2, %x3) : (tensor<1x2xf16>, tensor<1x2xf16>, tensor<1x2x2xf16>, tensor<1xf32>) -> tensor<1x1xf32>
    amp.yield
  }
  return
}

// -----

// 322. bilinear(f16,f32,f16,bias f16) => f32
// CHECK-LABEL: func.func @case_322(
func.func @case_322(%a0: tensor<1x2xf16>, %a1: tensor<1x2xf32>, %a2: tensor<1x2x2xf16>, %a3: tensor<1xf16>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<1x2xf16>, %x1 = %a1 : tensor<1x2xf32>, %x2 = %a2 : tensor<1x2x2xf16>, %x3 = %a3 : tensor<1xf16>) {
    // CHECK: "aten.bilinear"({{.*}}){{.*}} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2x2xf32>, tensor<1xf32>) -> tensor<1x1xf32>
    %r0 = "aten.bilinear"(%x0, %x1, %x2, %x3) : (tensor<1x2xf16>, tensor<1x2xf32>, tensor<1x2x2xf16>, tensor<1xf16>) -> tensor<1x1xf32>
    amp.yield
  }
  return
}

// -----

// 323. index_put(f16,idx,f32) / (f32,idx,f16) => f32 / f32
// CHECK-LABEL: func.func @case_323(
func.func @case_323(%a0: tensor<8xf16>, %a1: tensor<1xi64>, %a2: tensor<1xf32>, %a3: tensor<8xf32>, %a4: tensor<1xi64>, %a5: tensor<1xf16>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<1xi64>, %x2 = %a2 : tensor<1xf32>, %x3 = %a3 : tensor<8xf32>, %x4 = %a4 : tensor<1xi64>, %x5 = %a5 : tensor<1xf16>) {
    // CHECK: "aten.index_put"({{.*}}){{.*}} : (tensor<8xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<8xf32>
    %r0 = "aten.index_put"(%x0, %x1, %x2) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<8xf16>, tensor<1xi64>, tensor<1xf32>) -> tensor<8xf16>
    // CHECK: "aten.index_put"({{.*}}){{.*}} : (tensor<8xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<8xf32>
    %r1 = "aten.index_put"(%x3, %x4, %x5) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<8xf32>, tensor<1xi64>, tensor<1xf16>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 324. scatter_add(f16,0,idx,f32), dot(f16,f32), tensordot(f32,f16) => f32
// CHECK-LABEL: func.func @case_324(
func.func @case_324(%a0: tensor<8xf16>, %a1: tensor<8xi64>, %a2: tensor<8xf32>, %a3: tensor<8xf16>, %a4: tensor<8xf32>, %a5: tensor<4x4xf32>, %a6: tensor<4x4xf16>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xi64>, %x2 = %a2 : tensor<8xf32>, %x3 = %a3 : tensor<8xf16>, %x4 = %a4 : tensor<8xf32>, %x5 = %a5 : tensor<4x4xf32>, %x6 = %a6 : tensor<4x4xf16>) {
    // CHECK: "aten.scatter_add"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xi64>, tensor<8xf32>) -> tensor<8xf32>
    %r0 = "aten.scatter_add"(%x0, %x1, %x2) {dim = 0 : i64} : (tensor<8xf16>, tensor<8xi64>, tensor<8xf32>) -> tensor<8xf16>
    // CHECK: "aten.dot"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %r1 = "aten.dot"(%x3, %x4) : (tensor<8xf16>, tensor<8xf32>) -> tensor<f32>
    // CHECK: "aten.tensordot"({{.*}}){{.*}} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %r2 = "aten.tensordot"(%x5, %x6) : (tensor<4x4xf32>, tensor<4x4xf16>) -> tensor<4x4xf32>
    amp.yield
  }
  return
}

// -----

// 325. addcmul_ on f16 self with f32 args => f16
// CHECK-LABEL: func.func @case_325(
func.func @case_325(%a0: tensor<8xf16>, %a1: tensor<8xf32>, %a2: tensor<8xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf32>, %x2 = %a2 : tensor<8xf32>) {
    // CHECK: "aten.addcmul_"({{.*}}){{.*}} : (tensor<8xf16>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf16>
    %r0 = "aten.addcmul_"(%x0, %x1, %x2) : (tensor<8xf16>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf16>
    amp.yield
  }
  return
}

// -----

// 326. cat([f16,f32]) / cat([f16,bf16]) / stack([f16,f32]) on cuda => f32 / f32 / f32 by built-in promotion
// CHECK-LABEL: func.func @case_326(
func.func @case_326(%a0: tensor<8xf16>, %a1: tensor<8xf32>, %a2: tensor<8xf16>, %a3: tensor<8xbf16>, %a4: tensor<8xf16>, %a5: tensor<8xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf32>, %x2 = %a2 : tensor<8xf16>, %x3 = %a3 : tensor<8xbf16>, %x4 = %a4 : tensor<8xf16>, %x5 = %a5 : tensor<8xf32>) {
    // CHECK: "aten.cat"({{.*}}){{.*}} : (tensor<8xf16>, tensor<8xf32>) -> tensor<16xf32>
    %r0 = "aten.cat"(%x0, %x1) {operandSegmentSizes = array<i32: 2>} : (tensor<8xf16>, tensor<8xf32>) -> tensor<16xf32>
    // CHECK: "aten.cat"({{.*}}){{.*}} : (tensor<8xf16>, tensor<8xbf16>) -> tensor<16xf32>
    %r1 = "aten.cat"(%x2, %x3) {operandSegmentSizes = array<i32: 2>} : (tensor<8xf16>, tensor<8xbf16>) -> tensor<16xf32>
    // CHECK: "aten.stack"({{.*}}){{.*}} : (tensor<8xf16>, tensor<8xf32>) -> tensor<2x8xf32>
    %r2 = "aten.stack"(%x4, %x5) {operandSegmentSizes = array<i32: 2>} : (tensor<8xf16>, tensor<8xf32>) -> tensor<2x8xf32>
    amp.yield
  }
  return
}

// -----

// 327. where(b,f16,f32), maximum, hypot, kron, clamp (f16,f32) => f32
// CHECK-LABEL: func.func @case_327(
func.func @case_327(%a0: tensor<8xi1>, %a1: tensor<8xf16>, %a2: tensor<8xf32>, %a3: tensor<8xf16>, %a4: tensor<8xf32>, %a5: tensor<8xf16>, %a6: tensor<8xf32>, %a7: tensor<8xf16>, %a8: tensor<8xf32>, %a9: tensor<8xf16>, %a10: tensor<8xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xi1>, %x1 = %a1 : tensor<8xf16>, %x2 = %a2 : tensor<8xf32>, %x3 = %a3 : tensor<8xf16>, %x4 = %a4 : tensor<8xf32>, %x5 = %a5 : tensor<8xf16>, %x6 = %a6 : tensor<8xf32>, %x7 = %a7 : tensor<8xf16>, %x8 = %a8 : tensor<8xf32>, %x9 = %a9 : tensor<8xf16>, %x10 = %a10 : tensor<8xf32>) {
    // CHECK: "aten.where.self"({{.*}}){{.*}} : (tensor<8xi1>, tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
    %r0 = "aten.where.self"(%x0, %x1, %x2) : (tensor<8xi1>, tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
    // CHECK: "aten.maximum"({{.*}}){{.*}} : (tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
    %r1 = "aten.maximum"(%x3, %x4) : (tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
    // CHECK: "aten.hypot"({{.*}}){{.*}} : (tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
    %r2 = "aten.hypot"(%x5, %x6) : (tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
    // CHECK: "aten.kron"({{.*}}){{.*}} : (tensor<8xf16>, tensor<8xf32>) -> tensor<64xf32>
    %r3 = "aten.kron"(%x7, %x8) : (tensor<8xf16>, tensor<8xf32>) -> tensor<64xf32>
    // CHECK: "aten.clamp.Tensor"({{.*}}){{.*}} : (tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
    %r4 = "aten.clamp.Tensor"(%x9, %x10) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 328. lerp(f16,f32,f16), scatter(f32,f16), masked_scatter(f32,f16) => dtype error (F-eager-strict.mlir); by default they promote
// CHECK-LABEL: func.func @case_328(
func.func @case_328(%a0: tensor<8xf16>, %a1: tensor<8xf32>, %a2: tensor<8xf16>, %a3: tensor<8xf32>, %a4: tensor<8xi64>, %a5: tensor<8xf16>, %a6: tensor<8xf32>, %a7: tensor<8xi1>, %a8: tensor<8xf16>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf32>, %x2 = %a2 : tensor<8xf16>, %x3 = %a3 : tensor<8xf32>, %x4 = %a4 : tensor<8xi64>, %x5 = %a5 : tensor<8xf16>, %x6 = %a6 : tensor<8xf32>, %x7 = %a7 : tensor<8xi1>, %x8 = %a8 : tensor<8xf16>) {
    // CHECK: "aten.lerp.Tensor"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r0 = "aten.lerp.Tensor"(%x0, %x1, %x2) : (tensor<8xf16>, tensor<8xf32>, tensor<8xf16>) -> tensor<8xf32>
    // CHECK: "aten.scatter.src"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xi64>, tensor<8xf32>) -> tensor<8xf32>
    %r1 = "aten.scatter.src"(%x3, %x4, %x5) {dim = 0 : i64} : (tensor<8xf32>, tensor<8xi64>, tensor<8xf16>) -> tensor<8xf32>
    // CHECK: "aten.masked_scatter"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xi1>, tensor<8xf32>) -> tensor<8xf32>
    %r2 = "aten.masked_scatter"(%x6, %x7, %x8) : (tensor<8xf32>, tensor<8xi1>, tensor<8xf16>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 329. add(f16,f32[0-dim]) => f16
// CHECK-LABEL: func.func @case_329(
func.func @case_329(%a0: tensor<8xf16>, %a1: tensor<f32>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<f32>) {
    // CHECK: "aten.add.Tensor"({{.*}}){{.*}} : (tensor<8xf16>, tensor<f32>) -> tensor<8xf16>
    %r0 = "aten.add.Tensor"(%x0, %x1) : (tensor<8xf16>, tensor<f32>) -> tensor<8xf16>
    amp.yield
  }
  return
}

// -----

// 330. add(f16,bf16) => f32
// CHECK-LABEL: func.func @case_330(
func.func @case_330(%a0: tensor<8xf16>, %a1: tensor<8xbf16>) {
  amp.autocast device("cuda") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xbf16>) {
    // CHECK: "aten.add.Tensor"({{.*}}){{.*}} : (tensor<8xf16>, tensor<8xbf16>) -> tensor<8xf32>
    %r0 = "aten.add.Tensor"(%x0, %x1) : (tensor<8xf16>, tensor<8xbf16>) -> tensor<8xf32>
    amp.yield
  }
  return
}
