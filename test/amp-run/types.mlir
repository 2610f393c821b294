// Types that no code can be made for: one error with the place. Tensors with
// encodings, sparse ones above all, are not taken for dense ones.

// DEFINE: %{fails} = %python %S/Inputs/fails.py 1
// DEFINE: %{one} = --implicit-check-not=error:
// RUN: %{fails} amp-run %s --entry=sparse --device=cpu --random 2>&1 | FileCheck %s %{one} --check-prefix=SPARSE
// RUN: %{fails} amp-compile %s --entry=sparse --target=sim -o %t.so 2>&1 | FileCheck %s %{one} --check-prefix=SPARSE
// RUN: %{fails} amp-compile %s --entry=sparse -o %t.so 2>&1 | FileCheck %s %{one} --check-prefix=SPARSE
// RUN: %{fails} amp-opt %s --amp-lower-to-cpu -o %t.mlir 2>&1 | FileCheck %s --check-prefix=SPARSE
// RUN: %{fails} amp-opt %s --amp-form-kernels -o %t.mlir 2>&1 | FileCheck %s %{one} --check-prefix=SPARSE
// SPARSE: types.mlir:[[#@LINE+25]]:1: error: cannot be compiled: the type 'tensor<4xf32, #sparse_tensor.encoding<{{.*}}>>' has an encoding; expected tensors without one, which are dense
// RUN: %{fails} amp-run %s --entry=cast --random --device=cpu 2>&1 | FileCheck %s %{one} --check-prefix=CAST
// CAST: types.mlir:[[#@LINE+28]]:8: error: cannot be compiled: the type 'tensor<4xf32, "rows">' has an encoding
// RUN: %{fails} amp-run %s --entry=tosa --random --device=cpu 2>&1 | FileCheck %s %{one} --check-prefix=TOSA
// TOSA: types.mlir:[[#@LINE+32]]:8: error: cannot be compiled: the type 'tensor<1x4xf32, "rows">' has an encoding
// RUN: %{fails} amp-run %s --entry=convert --random --device=cpu 2>&1 | FileCheck %s %{one} --check-prefix=CONVERT
// CONVERT: types.mlir:[[#@LINE+35]]:8: error: cannot be compiled: the type 'tensor<4xf32, #sparse_tensor.encoding<{{.*}}>>' has an encoding
// RUN: %{fails} amp-run %s --entry=unranked --random --device=cpu 2>&1 | FileCheck %s %{one} --check-prefix=UNRANKED
// UNRANKED: types.mlir:[[#@LINE+39]]:8: error: cannot be compiled: the type 'tensor<*xf32>' has no rank; expected ranked tensors, whose sizes may be dynamic
// RUN: %{fails} amp-run %s --entry=narrow --random --device=cpu 2>&1 | FileCheck %s %{one} --check-prefix=NARROW
// RUN: %{fails} amp-compile %s --entry=narrow --target=sim -o %t.so 2>&1 | FileCheck %s %{one} --check-prefix=NARROW
// NARROW: types.mlir:[[#@LINE+41]]:8: error: cannot be compiled: the type 'tensor<4xf4E2M1FN>' has elements that no code can be made for; expected floats of 8, 16, 32 or 64 bits
// RUN: %{fails} amp-run %s --entry=tf32 --random --device=cpu 2>&1 | FileCheck %s %{one} --check-prefix=TF32
// TF32: types.mlir:[[#@LINE+44]]:8: error: cannot be compiled: the type 'tensor<4xtf32>' has elements that no code can be made for
// RUN: %{fails} amp-run %s --entry=wide --random --device=cpu 2>&1 | FileCheck %s %{one} --check-prefix=WIDE
// WIDE: types.mlir:[[#@LINE+48]]:8: error: cannot be compiled: 'math.exp' of 'tensor<4xf80>'; expected floats of at most 64 bits

// What needs no function is computed.
// RUN: amp-run %s --entry=sum --random --device=cpu | FileCheck %s --check-prefix=SUM
// SUM: result result0: shape=4 type=f32

// It can be looked at, up to the types that autocast gives it.
// RUN: amp-run %s --entry=sparse --autocast=f16 --dump-stage=resolve | FileCheck %s --check-prefix=LOOK
// LOOK: math.exp %{{.*}} : tensor<4xf32, #sparse_tensor.encoding<{{.*}}>>
#sparse = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
func.func @sparse(%x: tensor<4xf32, #sparse>) -> tensor<4xf32, #sparse> {
  %0 = math.exp %x : tensor<4xf32, #sparse>
  return %0 : tensor<4xf32, #sparse>
}
func.func @cast(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %x : tensor<4xf32> to tensor<4xf32, "rows">
  %1 = math.exp %0 : tensor<4xf32, "rows">
  %2 = tensor.cast %1 : tensor<4xf32, "rows"> to tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func @tosa(%x: tensor<4x1xf32>) -> tensor<1x4xf32> {
  %0 = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<4x1xf32>) -> tensor<1x4xf32, "rows">
  %1 = tensor.cast %0 : tensor<1x4xf32, "rows"> to tensor<1x4xf32>
  return %1 : tensor<1x4xf32>
}
func.func @convert(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sparse_tensor.convert %x : tensor<4xf32> to tensor<4xf32, #sparse>
  %1 = sparse_tensor.convert %0 : tensor<4xf32, #sparse> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @unranked(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  %1 = math.exp %0 : tensor<*xf32>
  %2 = tensor.cast %1 : tensor<*xf32> to tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func @narrow(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.truncf %x : tensor<4xf32> to tensor<4xf4E2M1FN>
  %1 = arith.extf %0 : tensor<4xf4E2M1FN> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @tf32(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.truncf %x : tensor<4xf32> to tensor<4xtf32>
  %1 = arith.extf %0 : tensor<4xtf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @wide(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.extf %x : tensor<4xf32> to tensor<4xf80>
  %1 = math.exp %0 : tensor<4xf80>
  %2 = arith.truncf %1 : tensor<4xf80> to tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func @sum(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.extf %x : tensor<4xf32> to tensor<4xf80>
  %1 = math.fma %0, %0, %0 : tensor<4xf80>
  %2 = arith.truncf %1 : tensor<4xf80> to tensor<4xf32>
  return %2 : tensor<4xf32>
}
