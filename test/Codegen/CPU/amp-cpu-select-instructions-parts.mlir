// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-select-instructions{triple=x86_64-linux-gnu cpu=haswell}),canonicalize)' | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-select-instructions{triple=x86_64-linux-gnu cpu=znver4}))' | FileCheck %s --check-prefix=NONE --implicit-check-not=llvm.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-select-instructions{triple=x86_64-linux-gnu cpu=generic}))' | FileCheck %s --check-prefix=NONE --implicit-check-not=llvm.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-select-instructions{triple=aarch64-linux-gnu cpu=generic}))' | FileCheck %s --check-prefix=NONE --implicit-check-not=llvm.
// AVX2 masks words, and no smaller elements.
// NONE-COUNT-8: vector.transfer_

// An odd element behind the words is read alone.
// CHECK-LABEL: func.func @read(
// CHECK-SAME: %[[BUFFER:.*]]: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %[[I:.*]]: index, %[[J:.*]]: index
// CHECK: %[[SIZE:.*]] = memref.dim %[[BUFFER]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[SIZE]], %[[J]]
// CHECK: %[[THERE:.*]] = arith.maxsi
// CHECK: %[[COUNT:.*]] = arith.minsi %[[THERE]], %c16
// CHECK: %[[WORDS:.*]] = arith.shrui %[[COUNT]], %c1
// CHECK: %[[REST:.*]] = arith.andi %[[COUNT]], %c1
// CHECK: %[[MASK:.*]] = vector.create_mask {{.*}} : vector<8xi1>
// CHECK: %[[START:.*]] = llvm.getelementptr {{.*}} -> !llvm.ptr, i16
// CHECK: %[[WHOLE:.*]] = llvm.intr.masked.load %[[START]], %[[MASK]], {{.*}} {alignment = 2 : i32} : {{.*}} -> vector<8xi32>
// CHECK: scf.if
// CHECK: llvm.load {{.*}} {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK: arith.select {{.*}}, %[[WHOLE]] : vector<8xi1>, vector<8xi32>
// CHECK: vector.bitcast {{.*}} to vector<16xbf16>
func.func @read(%m: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %i: index, %j: index) -> vector<16xbf16> {
  %p = arith.constant 0.0 : bf16
  %0 = vector.transfer_read %m[%i, %j], %p : memref<?x?xbf16, strided<[?, 1], offset: ?>>, vector<16xbf16>
  return %0 : vector<16xbf16>
}

// Of bytes, two and one; what is padded with is not zero.
// CHECK-LABEL: func.func @bytes(
// CHECK: llvm.intr.masked.load {{.*}} {alignment = 1 : i32} : {{.*}} -> vector<8xi32>
// CHECK: llvm.load {{.*}} -> i16
// CHECK: llvm.load {{.*}} -> i8
// CHECK: vector.create_mask {{.*}} : vector<32xi1>
// CHECK: arith.select {{.*}} : vector<32xi1>, vector<32xi8>
func.func @bytes(%m: memref<?xi8>, %i: index) -> vector<32xi8> {
  %p = arith.constant 7 : i8
  %0 = vector.transfer_read %m[%i], %p : memref<?xi8>, vector<32xi8>
  return %0 : vector<32xi8>
}

// A number that is known: no mask.
// CHECK-LABEL: func.func @known(
// CHECK: %[[START:.*]] = arith.constant dense<0.0{{.*}}> : vector<16xf16>
// CHECK: %[[A:.*]] = vector.transfer_read %{{.*}}[%{{.*}}, %c16{{.*}}], %{{.*}} {in_bounds = [true]} : memref<5x29xf16>, vector<8xf16>
// CHECK: %[[B:.*]] = vector.insert_strided_slice %[[A]], %[[START]] {offsets = [0]
// CHECK: %[[C:.*]] = vector.transfer_read %{{.*}}[%{{.*}}, %c24{{.*}}], %{{.*}} {in_bounds = [true]} : memref<5x29xf16>, vector<4xf16>
// CHECK: %[[D:.*]] = vector.insert_strided_slice %[[C]], %[[B]] {offsets = [8]
// CHECK: vector.transfer_read %{{.*}}[%{{.*}}, %c28{{.*}}], %{{.*}} {in_bounds = [true]} : memref<5x29xf16>, vector<1xf16>
// CHECK: return
func.func @known(%m: memref<5x29xf16>, %i: index) -> vector<16xf16> {
  %p = arith.constant 0.0 : f16
  %c = arith.constant 16 : index
  %0 = vector.transfer_read %m[%i, %c], %p : memref<5x29xf16>, vector<16xf16>
  return %0 : vector<16xf16>
}

// CHECK-LABEL: func.func @write_known(
// CHECK-SAME: %[[V:[^,]*]]: vector<64xbf16>
// CHECK: %[[A:.*]] = vector.extract_strided_slice %[[V]] {offsets = [0], sizes = [32]
// CHECK: vector.transfer_write %[[A]], {{.*}} {in_bounds = [true]}
// CHECK: sizes = [16]
// CHECK: vector.transfer_write {{.*}} {in_bounds = [true]}
// CHECK: sizes = [8]
// CHECK: vector.transfer_write {{.*}} {in_bounds = [true]}
// CHECK-NEXT: return
func.func @write_known(%m: memref<5x57xbf16>, %i: index, %v: vector<64xbf16>) {
  %c = arith.constant 1 : index
  vector.transfer_write %v, %m[%i, %c] : vector<64xbf16>, memref<5x57xbf16>
  return
}

// CHECK-LABEL: func.func @write(
// CHECK: llvm.intr.masked.store {{.*}} {alignment = 2 : i32} : vector<8xi32>
// CHECK: scf.if
// CHECK: vector.extract
// CHECK: llvm.store {{.*}} {alignment = 2 : i64} : i16
func.func @write(%m: memref<5x?xbf16>, %i: index, %v: vector<16xbf16>) {
  vector.transfer_write %v, %m[%i, %i] : vector<16xbf16>, memref<5x?xbf16>
  return
}

// CHECK-LABEL: func.func @write_bytes(
// CHECK: llvm.intr.masked.store {{.*}} {alignment = 1 : i32} : vector<4xi32>
// CHECK: llvm.store {{.*}} {alignment = 1 : i64} : i16
// CHECK: llvm.store {{.*}} : i8
func.func @write_bytes(%m: memref<?xi8>, %i: index, %v: vector<16xi8>) {
  vector.transfer_write %v, %m[%i] : vector<16xi8>, memref<?xi8>
  return
}

// Neither what is there in whole, nor words themselves, nor columns.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-2: vector.transfer_read
// CHECK-NOT: llvm.
func.func @others(%m: memref<16x16xbf16>, %f: memref<?xf32>, %i: index) -> (vector<16xbf16>, vector<8xf32>) {
  %p = arith.constant 0.0 : bf16
  %q = arith.constant 0.0 : f32
  %0 = vector.transfer_read %m[%i, %i], %p {in_bounds = [true]} : memref<16x16xbf16>, vector<16xbf16>
  %1 = vector.transfer_read %f[%i], %q : memref<?xf32>, vector<8xf32>
  return %0, %1 : vector<16xbf16>, vector<8xf32>
}
