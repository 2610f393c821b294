// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=znver4}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s --check-prefix=AVX2

// Rows of A that end within a group of 16 or 32 lanes are packed in whole vectors of 64, none of which begins before the end and reaches behind the buffer.
// CHECK-LABEL: func.func @i8
// CHECK-NOT: vector<16xi8>, tensor<3x6x64xi8>
// CHECK: vector.transfer_write {{.*}} : vector<64xi8>, tensor<3x6x64xi8>
// CHECK-NOT: vector<16xi8>, tensor<3x6x64xi8>
func.func @i8(%a: tensor<18x50xi8>, %b: tensor<50x256xi8>, %i: tensor<18x256xi32>) -> tensor<18x256xi32> {
  %c = linalg.matmul ins(%a, %b : tensor<18x50xi8>, tensor<50x256xi8>) outs(%i : tensor<18x256xi32>) -> tensor<18x256xi32>
  return %c : tensor<18x256xi32>
}

// -----

// CHECK-LABEL: func.func @bf16
// CHECK-NOT: vector<16xbf16>, tensor<3x6x64xbf16>
// CHECK: vector.transfer_write {{.*}} : vector<32xbf16>, tensor<3x6x64xbf16>
// CHECK-NOT: vector<16xbf16>, tensor<3x6x64xbf16>
func.func @bf16(%a: tensor<18x50xbf16>, %b: tensor<50x256xbf16>, %i: tensor<18x256xf32>) -> tensor<18x256xf32> {
  %c = linalg.matmul ins(%a, %b : tensor<18x50xbf16>, tensor<50x256xbf16>) outs(%i : tensor<18x256xf32>) -> tensor<18x256xf32>
  return %c : tensor<18x256xf32>
}

// -----

// Without masks in hardware, only tiles at the edge store parts of vectors.
// CHECK-LABEL: func.func @edge
// CHECK: vector.transfer_write {{.*}} : vector<16xf32>, tensor<127x333xf32>
// CHECK-NOT: {in_bounds = [true]} : vector<16xf32>, tensor<127x333xf32>
// AVX2-LABEL: func.func @edge
// AVX2: %[[IN:.*]] = arith.cmpi sle
// AVX2: scf.if %[[IN]]
// AVX2: vector.transfer_write {{.*}} {in_bounds = [true]} : vector<8xf32>, tensor<127x333xf32>
// AVX2: } else {
// AVX2: vector.transfer_write {{.*}}] : vector<8xf32>, tensor<127x333xf32>
func.func @edge(%a: tensor<127x65xf32>, %b: tensor<65x333xf32>, %i: tensor<127x333xf32>) -> tensor<127x333xf32> {
  %c = linalg.matmul ins(%a, %b : tensor<127x65xf32>, tensor<65x333xf32>) outs(%i : tensor<127x333xf32>) -> tensor<127x333xf32>
  return %c : tensor<127x333xf32>
}

// -----

// As many rows as one register tile may have are read beside a narrow B where it is: 14 sums, a vector of B and an element of A.
// AVX2-LABEL: func.func @rows
// AVX2: :14 = scf.for
func.func @rows(%a: tensor<14x777xf32>, %b: tensor<777x24xf32>, %i: tensor<14x24xf32>) -> tensor<14x24xf32> {
  %c = linalg.matmul ins(%a, %b : tensor<14x777xf32>, tensor<777x24xf32>) outs(%i : tensor<14x24xf32>) -> tensor<14x24xf32>
  return %c : tensor<14x24xf32>
}

// -----

// Columns of an unknown number of i8: only those behind the last whole tile are read with care, element by element where there are no masks.
// AVX2-LABEL: func.func @columns_unknown
// AVX2: scf.for {{.*}} step %c8
// AVX2: %[[WHOLE:.*]] = scf.for {{.*}} = %c0 to %[[LAST:.*]] step %c1
// AVX2-COUNT-8: vector.transfer_read %arg1{{.*}} {in_bounds = [true]} : tensor<?x?xi8>, vector<16xi8>
// AVX2: scf.for {{.*}} = %[[LAST]] to {{.*}} iter_args(%{{.*}} = %[[WHOLE]])
// AVX2-COUNT-8: vector.transfer_read %arg1[%{{.*}}], %c0_i8 : tensor<?x?xi8>, vector<16xi8>
func.func @columns_unknown(%arg0: tensor<1x?xi8>, %arg1: tensor<?x?xi8>, %i: tensor<1x?xi32>) -> tensor<1x?xi32> {
  %c = linalg.matmul ins(%arg0, %arg1 : tensor<1x?xi8>, tensor<?x?xi8>) outs(%i : tensor<1x?xi32>) -> tensor<1x?xi32>
  return %c : tensor<1x?xi32>
}

// -----

// The same in strips, for more rows than a tile has.
// AVX2-LABEL: func.func @columns_odd
// AVX2: bufferization.alloc_tensor() : tensor<16x16x32xi16>
// AVX2: %[[WHOLE:.*]] = scf.for {{.*}} = %c0 to %[[LAST:.*]] step %c1 {{.*}} -> (tensor<16x16x32xi16>) {
// AVX2-COUNT-2: vector.transfer_read %arg1{{.*}} {in_bounds = [true]} : tensor<1000x1001xi8>, vector<16xi8>
// AVX2: scf.for {{.*}} = %[[LAST]] to {{.*}} iter_args(%{{.*}} = %[[WHOLE]])
// AVX2-COUNT-2: vector.transfer_read %arg1[%{{.*}}], %c0_i8 : tensor<1000x1001xi8>, vector<16xi8>
func.func @columns_odd(%arg0: tensor<8x1000xi8>, %arg1: tensor<1000x1001xi8>, %i: tensor<8x1001xi32>) -> tensor<8x1001xi32> {
  %c = linalg.matmul ins(%arg0, %arg1 : tensor<8x1000xi8>, tensor<1000x1001xi8>) outs(%i : tensor<8x1001xi32>) -> tensor<8x1001xi32>
  return %c : tensor<8x1001xi32>
}
