// Section G: what eager torch was seen to do in regions for the CPU.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-decide-precision --amp-apply-precision | FileCheck %s

// 331. mm of any two of {f16,bf16,f32} => bf16
// CHECK-LABEL: func.func @case_331(
func.func @case_331(%a0: tensor<4x4xf16>, %a1: tensor<4x4xf16>, %a2: tensor<4x4xf16>, %a3: tensor<4x4xbf16>, %a4: tensor<4x4xf16>, %a5: tensor<4x4xf32>, %a6: tensor<4x4xbf16>, %a7: tensor<4x4xf16>, %a8: tensor<4x4xbf16>, %a9: tensor<4x4xbf16>, %a10: tensor<4x4xbf16>, %a11: tensor<4x4xf32>, %a12: tensor<4x4xf32>, %a13: tensor<4x4xf16>, %a14: tensor<4x4xf32>, %a15: tensor<4x4xbf16>, %a16: tensor<4x4xf32>, %a17: tensor<4x4xf32>) {
  amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<4x4xf16>, %x1 = %a1 : tensor<4x4xf16>, %x2 = %a2 : tensor<4x4xf16>, %x3 = %a3 : tensor<4x4xbf16>, %x4 = %a4 : tensor<4x4xf16>, %x5 = %a5 : tensor<4x4xf32>, %x6 = %a6 : tensor<4x4xbf16>, %x7 = %a7 : tensor<4x4xf16>, %x8 = %a8 : tensor<4x4xbf16>, %x9 = %a9 : tensor<4x4xbf16>, %x10 = %a10 : tensor<4x4xbf16>, %x11 = %a11 : tensor<4x4xf32>, %x12 = %a12 : tensor<4x4xf32>, %x13 = %a13 : tensor<4x4xf16>, %x14 = %a14 : tensor<4x4xf32>, %x15 = %a15 : tensor<4x4xbf16>, %x16 = %a16 : tensor<4x4xf32>, %x17 = %a17 : tensor<4x4xf32>) {
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
    %r0 = "aten.mm"(%x0, %x1) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf32>
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
    %r1 = "aten.mm"(%x2, %x3) : (tensor<4x4xf16>, tensor<4x4xbf16>) -> tensor<4x4xf32>
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
    %r2 = "aten.mm"(%x4, %x5) : (tensor<4x4xf16>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
    %r3 = "aten.mm"(%x6, %x7) : (tensor<4x4xbf16>, tensor<4x4xf16>) -> tensor<4x4xf32>
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
    %r4 = "aten.mm"(%x8, %x9) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xf32>
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
    %r5 = "aten.mm"(%x10, %x11) : (tensor<4x4xbf16>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
    %r6 = "aten.mm"(%x12, %x13) : (tensor<4x4xf32>, tensor<4x4xf16>) -> tensor<4x4xf32>
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
    %r7 = "aten.mm"(%x14, %x15) : (tensor<4x4xf32>, tensor<4x4xbf16>) -> tensor<4x4xf32>
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
    %r8 = "aten.mm"(%x16, %x17) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield
  }
  return
}

// -----

// 333. mm(f64,f64) => f64
// CHECK-LABEL: func.func @case_333(
func.func @case_333(%a0: tensor<4x4xf64>, %a1: tensor<4x4xf64>) {
  amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<4x4xf64>, %x1 = %a1 : tensor<4x4xf64>) {
    // CHECK: "aten.mm"({{.*}}){{.*}} : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
    %r0 = "aten.mm"(%x0, %x1) : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
    amp.yield
  }
  return
}

// -----

// 334. cat(bf16,f32) / (f64,bf16) / (i32,bf16) / (i32,i64) => f32 / f64 / bf16 / i64
// CHECK-LABEL: func.func @case_334(
func.func @case_334(%a0: tensor<8xbf16>, %a1: tensor<8xf32>, %a2: tensor<8xf64>, %a3: tensor<8xbf16>, %a4: tensor<8xi32>, %a5: tensor<8xbf16>, %a6: tensor<8xi32>, %a7: tensor<8xi64>) {
  amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xbf16>, %x1 = %a1 : tensor<8xf32>, %x2 = %a2 : tensor<8xf64>, %x3 = %a3 : tensor<8xbf16>, %x4 = %a4 : tensor<8xi32>, %x5 = %a5 : tensor<8xbf16>, %x6 = %a6 : tensor<8xi32>, %x7 = %a7 : tensor<8xi64>) {
    // CHECK: "aten.cat"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
    %r0 = "aten.cat"(%x0, %x1) {operandSegmentSizes = array<i32: 2>} : (tensor<8xbf16>, tensor<8xf32>) -> tensor<16xf32>
    // CHECK: "aten.cat"({{.*}}){{.*}} : (tensor<8xf64>, tensor<8xbf16>) -> tensor<16xf64>
    %r1 = "aten.cat"(%x2, %x3) {operandSegmentSizes = array<i32: 2>} : (tensor<8xf64>, tensor<8xbf16>) -> tensor<16xf64>
    // CHECK: "aten.cat"({{.*}}){{.*}} : (tensor<8xi32>, tensor<8xbf16>) -> tensor<16xbf16>
    %r2 = "aten.cat"(%x4, %x5) {operandSegmentSizes = array<i32: 2>} : (tensor<8xi32>, tensor<8xbf16>) -> tensor<16xbf16>
    // CHECK: "aten.cat"({{.*}}){{.*}} : (tensor<8xi32>, tensor<8xi64>) -> tensor<16xi64>
    %r3 = "aten.cat"(%x6, %x7) {operandSegmentSizes = array<i32: 2>} : (tensor<8xi32>, tensor<8xi64>) -> tensor<16xi64>
    amp.yield
  }
  return
}

// -----

// 335. cat(f16,f32), cat(f16,f16), cat(f16,bf16), cat(f8,f32) => prioritize error (G-cpu-strict.mlir); by default the widest type
// CHECK-LABEL: func.func @case_335(
func.func @case_335(%a0: tensor<8xf16>, %a1: tensor<8xf32>, %a2: tensor<8xf16>, %a3: tensor<8xf16>, %a4: tensor<8xf16>, %a5: tensor<8xbf16>, %a6: tensor<8xf8E4M3FN>, %a7: tensor<8xf32>) {
  amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf32>, %x2 = %a2 : tensor<8xf16>, %x3 = %a3 : tensor<8xf16>, %x4 = %a4 : tensor<8xf16>, %x5 = %a5 : tensor<8xbf16>, %x6 = %a6 : tensor<8xf8E4M3FN>, %x7 = %a7 : tensor<8xf32>) {
    // CHECK: "aten.cat"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
    %r0 = "aten.cat"(%x0, %x1) {operandSegmentSizes = array<i32: 2>} : (tensor<8xf16>, tensor<8xf32>) -> tensor<16xf32>
    // CHECK: "aten.cat"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
    %r1 = "aten.cat"(%x2, %x3) {operandSegmentSizes = array<i32: 2>} : (tensor<8xf16>, tensor<8xf16>) -> tensor<16xf16>
    // CHECK: "aten.cat"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
    %r2 = "aten.cat"(%x4, %x5) {operandSegmentSizes = array<i32: 2>} : (tensor<8xf16>, tensor<8xbf16>) -> tensor<16xf32>
    // CHECK: "aten.cat"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
    %r3 = "aten.cat"(%x6, %x7) {operandSegmentSizes = array<i32: 2>} : (tensor<8xf8E4M3FN>, tensor<8xf32>) -> tensor<16xf32>
    amp.yield
  }
  return
}

// -----

// 336. R(cpu,f16): cat(f16,f32) / cat(bf16,f32) => f32 / error (G-cpu-strict.mlir); by default f32
// CHECK-LABEL: func.func @case_336(
func.func @case_336(%a0: tensor<8xf16>, %a1: tensor<8xf32>, %a2: tensor<8xbf16>, %a3: tensor<8xf32>) {
  amp.autocast device("cpu") dtype(f16) (%x0 = %a0 : tensor<8xf16>, %x1 = %a1 : tensor<8xf32>, %x2 = %a2 : tensor<8xbf16>, %x3 = %a3 : tensor<8xf32>) {
    // CHECK: "aten.cat"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
    %r0 = "aten.cat"(%x0, %x1) {operandSegmentSizes = array<i32: 2>} : (tensor<8xf16>, tensor<8xf32>) -> tensor<16xf32>
    // CHECK: "aten.cat"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
    %r1 = "aten.cat"(%x2, %x3) {operandSegmentSizes = array<i32: 2>} : (tensor<8xbf16>, tensor<8xf32>) -> tensor<16xf32>
    amp.yield
  }
  return
}

// -----

// 338. prod(bf16), mse_loss(bf16), bce(bf16) => f32
// CHECK-LABEL: func.func @case_338(
func.func @case_338(%a0: tensor<8xbf16>, %a1: tensor<8xbf16>, %a2: tensor<8xbf16>, %a3: tensor<8xbf16>, %a4: tensor<8xbf16>) {
  amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xbf16>, %x1 = %a1 : tensor<8xbf16>, %x2 = %a2 : tensor<8xbf16>, %x3 = %a3 : tensor<8xbf16>, %x4 = %a4 : tensor<8xbf16>) {
    // CHECK: "aten.prod"({{.*}}){{.*}} : (tensor<8xf32>) -> tensor<f32>
    %r0 = "aten.prod"(%x0) : (tensor<8xbf16>) -> tensor<bf16>
    // CHECK: "aten.mse_loss"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %r1 = "aten.mse_loss"(%x1, %x2) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<bf16>
    // CHECK: "aten.binary_cross_entropy"({{.*}}){{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %r2 = "aten.binary_cross_entropy"(%x3, %x4) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<bf16>
    amp.yield
  }
  return
}

// -----

// 339. prod(i32) => i64
// CHECK-LABEL: func.func @case_339(
func.func @case_339(%a0: tensor<8xi32>) {
  amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xi32>) {
    // CHECK: "aten.prod"({{.*}}){{.*}} : (tensor<8xi32>) -> tensor<i64>
    %r0 = "aten.prod"(%x0) : (tensor<8xi32>) -> tensor<i64>
    amp.yield
  }
  return
}

// -----

// 340. index_copy(f32,idx,bf16) => f32
// CHECK-LABEL: func.func @case_340(
func.func @case_340(%a0: tensor<8xf32>, %a1: tensor<2xi64>, %a2: tensor<2xbf16>) {
  amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<2xi64>, %x2 = %a2 : tensor<2xbf16>) {
    // CHECK: "aten.index_copy"({{.*}}){{.*}} : (tensor<8xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<8xf32>
    %r0 = "aten.index_copy"(%x0, %x1, %x2) {dim = 0 : i64} : (tensor<8xf32>, tensor<2xi64>, tensor<2xbf16>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 341. index_add(f32,idx,bf16) => error, same scalar type required (G-cpu-strict.mlir); by default it promotes
// CHECK-LABEL: func.func @case_341(
func.func @case_341(%a0: tensor<8xf32>, %a1: tensor<2xi64>, %a2: tensor<2xbf16>) {
  amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<8xf32>, %x1 = %a1 : tensor<2xi64>, %x2 = %a2 : tensor<2xbf16>) {
    // CHECK: "aten.index_add"({{.*}}){{.*}} : (tensor<8xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<8xf32>
    %r0 = "aten.index_add"(%x0, %x1, %x2) {dim = 0 : i64} : (tensor<8xf32>, tensor<2xi64>, tensor<2xbf16>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 342. addmm(f32..,out=f32) => f32
// CHECK-LABEL: func.func @case_342(
func.func @case_342(%a0: tensor<4x4xf32>, %a1: tensor<4x4xf32>, %a2: tensor<4x4xf32>, %a3: tensor<4x4xf32>) {
  amp.autocast device("cpu") dtype(bf16) (%x0 = %a0 : tensor<4x4xf32>, %x1 = %a1 : tensor<4x4xf32>, %x2 = %a2 : tensor<4x4xf32>, %x3 = %a3 : tensor<4x4xf32>) {
    // CHECK: "aten.addmm.out"({{.*}}){{.*}} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %r0 = "aten.addmm.out"(%x0, %x1, %x2, %x3) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield
  }
  return
}
