// A generic that reads from one tensor up to some step of a loop, and from others behind it, as the lowering of stablehlo writes a concatenation, is one: whole rows move. (Numbers: test/Integration/CPU/tensor-ops.py.)
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s

// CHECK-LABEL: func.func @three
// CHECK-NOT: linalg.generic
// CHECK-NOT: tensor.extract %
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[0, 0, 0] [1, 6, 8] [1, 1, 1]
// CHECK: tensor.insert_slice %arg1 into %{{.*}}[0, 0, 8] [1, 6, 16] [1, 1, 1]
// CHECK: tensor.insert_slice %arg2 into %{{.*}}[0, 0, 24] [1, 6, 1] [1, 1, 1]
// CHECK-NOT: tensor.extract %
func.func @three(%x: tensor<1x6x8xf32>, %y: tensor<1x6x16xf32>, %z: tensor<1x6x1xf32>) -> tensor<1x6x25xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %e = tensor.empty() : tensor<1x6x25xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<1x6x25xf32>) {
  ^bb0(%out: f32):
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %first = arith.cmpi ult, %k, %c8 : index
    %v = scf.if %first -> (f32) {
      %a = tensor.extract %x[%c0, %j, %k] : tensor<1x6x8xf32>
      scf.yield %a : f32
    } else {
      %k1 = arith.subi %k, %c8 : index
      %second = arith.cmpi ult, %k1, %c16 : index
      %w = scf.if %second -> (f32) {
        %b = tensor.extract %y[%c0, %j, %k1] : tensor<1x6x16xf32>
        scf.yield %b : f32
      } else {
        %k2 = arith.subi %k1, %c16 : index
        %c = tensor.extract %z[%c0, %j, %k2] : tensor<1x6x1xf32>
        scf.yield %c : f32
      }
      scf.yield %w : f32
    }
    linalg.yield %v : f32
  } -> tensor<1x6x25xf32>
  return %r : tensor<1x6x25xf32>
}

// What is read in another order is none.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: tensor.extract %
func.func @others(%x: tensor<6x8xf32>, %y: tensor<6x8xf32>) -> tensor<6x16xf32> {
  %c8 = arith.constant 8 : index
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<6x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<6x16xf32>) {
  ^bb0(%out: f32):
    %j = linalg.index 0 : index
    %k = linalg.index 1 : index
    %first = arith.cmpi ult, %k, %c8 : index
    %v = scf.if %first -> (f32) {
      %at = arith.subi %c7, %k : index
      %a = tensor.extract %x[%j, %at] : tensor<6x8xf32>
      scf.yield %a : f32
    } else {
      %k1 = arith.subi %k, %c8 : index
      %b = tensor.extract %y[%j, %k1] : tensor<6x8xf32>
      scf.yield %b : f32
    }
    linalg.yield %v : f32
  } -> tensor<6x16xf32>
  return %r : tensor<6x16xf32>
}

// Of parts of tensors.
// CHECK-LABEL: func.func @part
// CHECK-NOT: tensor.extract %
// CHECK: %[[PART:.*]] = tensor.extract_slice %arg0[0, 1] [6, 8] [1, 1]
// CHECK: tensor.insert_slice %[[PART]] into
// CHECK: tensor.insert_slice %arg1 into
func.func @part(%x: tensor<6x9xf32>, %y: tensor<6x8xf32>) -> tensor<6x16xf32> {
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<6x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<6x16xf32>) {
  ^bb0(%out: f32):
    %j = linalg.index 0 : index
    %k = linalg.index 1 : index
    %first = arith.cmpi ult, %k, %c8 : index
    %v = scf.if %first -> (f32) {
      %c1 = arith.constant 1 : index
      %at = arith.addi %k, %c1 : index
      %a = tensor.extract %x[%j, %at] : tensor<6x9xf32>
      scf.yield %a : f32
    } else {
      %k1 = arith.subi %k, %c8 : index
      %b = tensor.extract %y[%j, %k1] : tensor<6x8xf32>
      scf.yield %b : f32
    }
    linalg.yield %v : f32
  } -> tensor<6x16xf32>
  return %r : tensor<6x16xf32>
}

// All of one tensor, and none of another one.
// CHECK-LABEL: func.func @none
// CHECK-NEXT: return %arg0
func.func @none(%x: tensor<6x16xf32>, %y: tensor<6x0xf32>) -> tensor<6x16xf32> {
  %c16 = arith.constant 16 : index
  %e = tensor.empty() : tensor<6x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<6x16xf32>) {
  ^bb0(%out: f32):
    %j = linalg.index 0 : index
    %k = linalg.index 1 : index
    %first = arith.cmpi ult, %k, %c16 : index
    %v = scf.if %first -> (f32) {
      %a = tensor.extract %x[%j, %k] : tensor<6x16xf32>
      scf.yield %a : f32
    } else {
      %k1 = arith.subi %k, %c16 : index
      %b = tensor.extract %y[%j, %k1] : tensor<6x0xf32>
      scf.yield %b : f32
    }
    linalg.yield %v : f32
  } -> tensor<6x16xf32>
  return %r : tensor<6x16xf32>
}
