// Section F of the conformance list: promotions, under R(cuda,f16).
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-decide-precision --amp-apply-precision | FileCheck %s
//
// The errors of 310-312 and 328 are those of 'strict': F-promotion-strict.mlir.

// 307: atan2(f16,f16) => f16
// CHECK-LABEL: func.func @case_307
func.func @case_307(%a0: tensor<4xf16>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>) {
    // CHECK: "aten.atan2"({{.*}}) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
    %r0 = "aten.atan2"(%xa0, %xa0) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 308: atan2(f16,f32) => f32
// CHECK-LABEL: func.func @case_308
func.func @case_308(%a0: tensor<4xf16>, %a1: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<4xf32>) {
    // CHECK: "aten.atan2"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %r0 = "aten.atan2"(%xa0, %xa1) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 309: atan2(f32,bf16) => f32
// CHECK-LABEL: func.func @case_309
func.func @case_309(%a0: tensor<4xf32>, %a1: tensor<4xbf16>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf32>, %xa1 = %a1 : tensor<4xbf16>) {
    // CHECK: "aten.atan2"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %r0 = "aten.atan2"(%xa0, %xa1) : (tensor<4xf32>, tensor<4xbf16>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 310: atan2(bf16,f32) => error; without strict the widest, in any order
// CHECK-LABEL: func.func @case_310
func.func @case_310(%a0: tensor<4xbf16>, %a1: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xbf16>, %xa1 = %a1 : tensor<4xf32>) {
    // CHECK: "aten.atan2"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %r0 = "aten.atan2"(%xa0, %xa1) : (tensor<4xbf16>, tensor<4xf32>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 311: atan2(f16,bf16), atan2(bf16,bf16), atan2(bf16,i32), atan2(bf16,f64) => error; without strict the widest with the scope's
// CHECK-LABEL: func.func @case_311
func.func @case_311(%a0: tensor<4xf16>, %a1: tensor<4xbf16>, %a2: tensor<4xi32>, %a3: tensor<4xf64>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<4xbf16>, %xa2 = %a2 : tensor<4xi32>, %xa3 = %a3 : tensor<4xf64>) {
    // CHECK: "aten.atan2"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %r0 = "aten.atan2"(%xa0, %xa1) : (tensor<4xf16>, tensor<4xbf16>) -> tensor<4xf32>
    // CHECK: "aten.atan2"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %r1 = "aten.atan2"(%xa1, %xa1) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xf32>
    // CHECK: "aten.atan2"({{.*}}) : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
    %r2 = "aten.atan2"(%xa1, %xa2) : (tensor<4xbf16>, tensor<4xi32>) -> tensor<4xf32>
    // CHECK: "aten.atan2"({{.*}}) : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf64>
    %r3 = "aten.atan2"(%xa1, %xa3) : (tensor<4xbf16>, tensor<4xf64>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 312: R(cuda,bf16): atan2(bf16,bf16) / (bf16,f32) => bf16 / f32
// CHECK-LABEL: func.func @case_312
func.func @case_312(%a0: tensor<4xbf16>, %a1: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(bf16) (%xa0 = %a0 : tensor<4xbf16>, %xa1 = %a1 : tensor<4xf32>) {
    // CHECK: "aten.atan2"({{.*}}) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
    %r0 = "aten.atan2"(%xa0, %xa0) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xf32>
    // CHECK: "aten.atan2"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %r1 = "aten.atan2"(%xa0, %xa1) : (tensor<4xbf16>, tensor<4xf32>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 316: addcmul(f16,f64,f32) => f64
// CHECK-LABEL: func.func @case_316
func.func @case_316(%a0: tensor<4xf16>, %a1: tensor<4xf64>, %a2: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<4xf64>, %xa2 = %a2 : tensor<4xf32>) {
    // CHECK: "aten.addcmul"({{.*}}) : (tensor<4xf32>, tensor<4xf64>, tensor<4xf32>) -> tensor<4xf64>
    %r0 = "aten.addcmul"(%xa0, %xa1, %xa2) : (tensor<4xf16>, tensor<4xf64>, tensor<4xf32>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 319: addcmul(f16,f16,f32[0-dim]) => f32 (ordinary promotion would give f16)
// CHECK-LABEL: func.func @case_319
func.func @case_319(%a0: tensor<4xf16>, %a1: tensor<f32>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<f32>) {
    // CHECK: "aten.addcmul"({{.*}}) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %r0 = "aten.addcmul"(%xa0, %xa0, %xa1) : (tensor<4xf16>, tensor<4xf16>, tensor<f32>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 321: bilinear(f16,f16,f16,bias f32) => f16 in torch; wanted, and here, f32
// CHECK-LABEL: func.func @case_321
func.func @case_321(%a0: tensor<4xf16>, %a1: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<4xf32>) {
    // CHECK: "aten.bilinear"({{.*}}) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %r0 = "aten.bilinear"(%xa0, %xa0, %xa0, %xa1) : (tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 322: bilinear(f16,f32,f16,bias f16) => f32
// CHECK-LABEL: func.func @case_322
func.func @case_322(%a0: tensor<4xf16>, %a1: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<4xf32>) {
    // CHECK: "aten.bilinear"({{.*}}) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %r0 = "aten.bilinear"(%xa0, %xa1, %xa0, %xa0) : (tensor<4xf16>, tensor<4xf32>, tensor<4xf16>, tensor<4xf16>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 323: index_put(f16,idx,f32) / (f32,idx,f16) => f32 / f32
// CHECK-LABEL: func.func @case_323
func.func @case_323(%a0: tensor<4xf16>, %a1: tensor<4xi64>, %a2: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<4xi64>, %xa2 = %a2 : tensor<4xf32>) {
    // CHECK: "aten.index_put"({{.*}}) {{.*}} : (tensor<4xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32>
    %r0 = "aten.index_put"(%xa0, %xa1, %xa2) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<4xf16>, tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32>
    // CHECK: "aten.index_put"({{.*}}) {{.*}} : (tensor<4xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32>
    %r1 = "aten.index_put"(%xa2, %xa1, %xa0) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<4xf32>, tensor<4xi64>, tensor<4xf16>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 324: scatter_add(f16,0,idx,f32), dot(f16,f32), tensordot(f32,f16) => f32
// CHECK-LABEL: func.func @case_324
func.func @case_324(%a0: tensor<4xf16>, %a1: tensor<4xi64>, %a2: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<4xi64>, %xa2 = %a2 : tensor<4xf32>) {
    // CHECK: "aten.scatter_add"({{.*}}) {{.*}} : (tensor<4xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32>
    %r0 = "aten.scatter_add"(%xa0, %xa1, %xa2) {dim = 0 : i64} : (tensor<4xf16>, tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32>
    // CHECK: "aten.dot"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %r1 = "aten.dot"(%xa0, %xa2) : (tensor<4xf16>, tensor<4xf32>) -> tensor<f32>
    // CHECK: "aten.tensordot"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %r2 = "aten.tensordot"(%xa2, %xa0) : (tensor<4xf32>, tensor<4xf16>) -> tensor<f32>
    amp.yield
  }
  return
}

// 325: addcmul_ on f16 self with f32 args => f16
// CHECK-LABEL: func.func @case_325
func.func @case_325(%a0: tensor<4xf16>, %a1: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<4xf32>) {
    // CHECK: "aten.addcmul_"({{.*}}) : (tensor<4xf16>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf16>
    %r0 = "aten.addcmul_"(%xa0, %xa1, %xa1) : (tensor<4xf16>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 326: cat([f16,f32]) / cat([f16,bf16]) / stack([f16,f32]) on cuda => f32 / f32 / f32 by built-in promotion
// CHECK-LABEL: func.func @case_326
func.func @case_326(%a0: tensor<4xf16>, %a1: tensor<4xf32>, %a2: tensor<4xbf16>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<4xf32>, %xa2 = %a2 : tensor<4xbf16>) {
    // CHECK: "aten.cat"({{.*}}) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    %r0 = "aten.cat"(%xa0, %xa1) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    // CHECK: "aten.cat"({{.*}}) : (tensor<4xf16>, tensor<4xbf16>) -> tensor<4xf32>
    %r1 = "aten.cat"(%xa0, %xa2) : (tensor<4xf16>, tensor<4xbf16>) -> tensor<4xf32>
    // CHECK: "aten.stack"({{.*}}) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    %r2 = "aten.stack"(%xa0, %xa1) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 327: where(b,f16,f32), maximum, hypot, kron, clamp (f16,f32) => f32
// CHECK-LABEL: func.func @case_327
func.func @case_327(%a0: tensor<4xi1>, %a1: tensor<4xf16>, %a2: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xi1>, %xa1 = %a1 : tensor<4xf16>, %xa2 = %a2 : tensor<4xf32>) {
    // CHECK: "aten.where.self"({{.*}}) : (tensor<4xi1>, tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    %r0 = "aten.where.self"(%xa0, %xa1, %xa2) : (tensor<4xi1>, tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    // CHECK: "aten.maximum"({{.*}}) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    %r1 = "aten.maximum"(%xa1, %xa2) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    // CHECK: "aten.hypot"({{.*}}) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    %r2 = "aten.hypot"(%xa1, %xa2) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    // CHECK: "aten.kron"({{.*}}) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    %r3 = "aten.kron"(%xa1, %xa2) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    // CHECK: "aten.clamp.Tensor"({{.*}}) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    %r4 = "aten.clamp.Tensor"(%xa1, %xa2) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 328: lerp(f16,f32,f16), scatter(f32,f16), masked_scatter(f32,f16) => dtype error; without strict promoted
// CHECK-LABEL: func.func @case_328
func.func @case_328(%a0: tensor<4xf16>, %a1: tensor<4xf32>, %a2: tensor<4xi64>, %a3: tensor<4xi1>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<4xf32>, %xa2 = %a2 : tensor<4xi64>, %xa3 = %a3 : tensor<4xi1>) {
    // CHECK: "aten.lerp.Tensor"({{.*}}) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %r0 = "aten.lerp.Tensor"(%xa0, %xa1, %xa0) : (tensor<4xf16>, tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
    // CHECK: "aten.scatter.src"({{.*}}) {{.*}} : (tensor<4xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32>
    %r1 = "aten.scatter.src"(%xa1, %xa2, %xa0) {dim = 0 : i64} : (tensor<4xf32>, tensor<4xi64>, tensor<4xf16>) -> tensor<4xf32>
    // CHECK: "aten.masked_scatter"({{.*}}) : (tensor<4xf32>, tensor<4xi1>, tensor<4xf32>) -> tensor<4xf32>
    %r2 = "aten.masked_scatter"(%xa1, %xa3, %xa0) : (tensor<4xf32>, tensor<4xi1>, tensor<4xf16>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 329: add(f16,f32[0-dim]) => f16
// CHECK-LABEL: func.func @case_329
func.func @case_329(%a0: tensor<4xf16>, %a1: tensor<f32>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<f32>) {
    // CHECK: "aten.add.Tensor"({{.*}}) : (tensor<4xf16>, tensor<f32>) -> tensor<4xf16>
    %r0 = "aten.add.Tensor"(%xa0, %xa1) : (tensor<4xf16>, tensor<f32>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// 330: add(f16,bf16) => f32
// CHECK-LABEL: func.func @case_330
func.func @case_330(%a0: tensor<4xf16>, %a1: tensor<4xbf16>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<4xbf16>) {
    // CHECK: "aten.add.Tensor"({{.*}}) : (tensor<4xf16>, tensor<4xbf16>) -> tensor<4xf32>
    %r0 = "aten.add.Tensor"(%xa0, %xa1) : (tensor<4xf16>, tensor<4xbf16>) -> tensor<4xf32>
    amp.yield
  }
  return
}
