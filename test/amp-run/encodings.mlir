// Tensors with encodings, sparse ones above all, were taken for dense ones:
// one error with the place, from every way to code.

// DEFINE: %{fails} = %python %S/Inputs/fails.py 1
// DEFINE: %{one} = --implicit-check-not=error:
// RUN: %{fails} amp-run %s --entry=sparse --device=cpu --random 2>&1 | FileCheck %s %{one} --check-prefix=SPARSE
// RUN: %{fails} amp-compile %s --entry=sparse --target=sim -o %t.so 2>&1 | FileCheck %s %{one} --check-prefix=SPARSE
// RUN: %{fails} amp-compile %s --entry=sparse -o %t.so 2>&1 | FileCheck %s %{one} --check-prefix=SPARSE
// RUN: %{fails} amp-opt %s --amp-lower-to-cpu -o %t.mlir 2>&1 | FileCheck %s --check-prefix=SPARSE
// RUN: %{fails} amp-opt %s --amp-form-kernels -o %t.mlir 2>&1 | FileCheck %s %{one} --check-prefix=SPARSE
// SPARSE: encodings.mlir:[[#@LINE+12]]:1: error: cannot be compiled: the type 'tensor<4xf32, #sparse_tensor.encoding<{{.*}}>>' has an encoding; expected tensors without one, which are dense
// RUN: %{fails} amp-run %s --entry=cast --random --device=cpu 2>&1 | FileCheck %s %{one} --check-prefix=CAST
// CAST: encodings.mlir:[[#@LINE+15]]:8: error: cannot be compiled: the type 'tensor<4xf32, "rows">' has an encoding
// RUN: %{fails} amp-run %s --entry=tosa --random --device=cpu 2>&1 | FileCheck %s %{one} --check-prefix=TOSA
// TOSA: encodings.mlir:[[#@LINE+19]]:8: error: cannot be compiled: the type 'tensor<1x4xf32, "rows">' has an encoding
// RUN: %{fails} amp-run %s --entry=convert --random --device=cpu 2>&1 | FileCheck %s %{one} --check-prefix=CONVERT
// CONVERT: encodings.mlir:[[#@LINE+22]]:8: error: cannot be compiled: the type 'tensor<4xf32, #sparse_tensor.encoding<{{.*}}>>' has an encoding

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
