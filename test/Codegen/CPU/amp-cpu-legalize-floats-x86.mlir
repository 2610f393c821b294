// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=znver4}))' | FileCheck %s --check-prefix=BF16
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=x86-64-v4}))' | FileCheck %s --check-prefix=V4
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=x86-64-v3}))' | FileCheck %s --check-prefixes=NONE,SHORT --implicit-check-not=avx512
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=znver4 vector-bits=256}))' | FileCheck %s --check-prefixes=NONE,SHORT --implicit-check-not=avx512
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=x86-64-v2}))' | FileCheck %s --check-prefixes=NONE,PLAIN --implicit-check-not=llvm.
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{triple=aarch64-linux-gnu}))' | FileCheck %s --check-prefixes=NONE,PLAIN --implicit-check-not=llvm.
// RUN: not amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=pentium9}))' 2>&1 | FileCheck %s --check-prefix=CPU

// CPU: error: unknown CPU 'pentium9'

// Two registers in one instruction, and again where a number is subnormal: it gets the exponent of 1, and loses it again.
// BF16-LABEL: func.func @bf16
// BF16: %[[LOW:.*]] = llvm.call_intrinsic "llvm.x86.avx512.fpclass.ps.512"
// BF16: %[[HIGH:.*]] = llvm.call_intrinsic "llvm.x86.avx512.fpclass.ps.512"
// BF16: %[[ANY:.*]] = arith.ori %[[LOW]], %[[HIGH]]
// BF16: %[[NORMAL:.*]] = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"
// BF16: %[[BITS:.*]] = llvm.bitcast %[[ANY]] : vector<16xi1> to i16
// BF16: %[[ARE:.*]] = arith.cmpi ne, %[[BITS]]
// BF16: %[[RARELY:.*]] = llvm.intr.expect %[[ARE]], %false
// BF16: scf.if %[[RARELY]] -> (vector<32xbf16>) {
// BF16-DAG: %[[A:.*]] = arith.select %[[LOW]]
// BF16-DAG: %[[B:.*]] = arith.select %[[HIGH]]
// BF16: llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(%[[B]], %[[A]])
// BF16: arith.subi {{.*}} : vector<32xi16>
// BF16: arith.select {{.*}} : vector<32xi1>, vector<32xi16>
// BF16: } else {
// BF16: scf.yield %[[NORMAL]]
// V4-LABEL: func.func @bf16
// V4-NOT: llvm.
// NONE-LABEL: func.func @bf16
// NONE: arith.trunci
func.func @bf16(%x: vector<32xf32>) -> vector<32xbf16> {
  %0 = arith.truncf %x : vector<32xf32> to vector<32xbf16>
  return %0 : vector<32xbf16>
}

// -----

// One branch for each row, of one register; parts of a register go another way.
// BF16-LABEL: func.func @rows
// BF16-COUNT-2: scf.if {{.*}} -> (vector<16xbf16>)
// BF16: arith.trunci {{.*}} : vector<8xi32> to vector<8xi16>
// BF16-NOT: llvm.
// BF16: return
// V4-LABEL: func.func @rows
// V4-NOT: llvm.
// V4: return
// NONE-LABEL: func.func @rows
// NONE: return
func.func @rows(%x: vector<2x16xf32>, %y: vector<8xf32>) -> (vector<2x16xbf16>, vector<8xbf16>) {
  %0 = arith.truncf %x : vector<2x16xf32> to vector<2x16xbf16>
  %1 = arith.truncf %y : vector<8xf32> to vector<8xbf16>
  return %0, %1 : vector<2x16xbf16>, vector<8xbf16>
}

// -----

// A branch for 128 lanes: more would not fit the registers.
// BF16-LABEL: func.func @long
// BF16-COUNT-8: fpclass
// BF16: scf.if {{.*}} -> (vector<128xbf16>)
// BF16-COUNT-2: fpclass
// BF16: scf.if {{.*}} -> (vector<32xbf16>)
// BF16-NOT: scf.if
// BF16: return
// V4-LABEL: func.func @long
// NONE-LABEL: func.func @long
func.func @long(%x: vector<160xf32>) -> vector<160xbf16> {
  %0 = arith.truncf %x : vector<160xf32> to vector<160xbf16>
  return %0 : vector<160xbf16>
}

// -----

// The other number where one is NaN, signalling or not: the instruction gives its second operand, which is tested. Of a vector, by halves.
// BF16-LABEL: func.func @extrema
// BF16-SAME: (%[[X:[a-z0-9]+]]: vector<32xf32>, %[[Y:[a-z0-9]+]]: vector<32xf32>
// BF16: %[[X0:.*]] = vector.extract_strided_slice %[[X]]
// BF16: %[[Y0:.*]] = vector.extract_strided_slice %[[Y]]
// BF16: %[[BEST:.*]] = llvm.call_intrinsic "llvm.x86.avx512.max.ps.512"(%[[Y0]], %[[X0]], %{{.*}})
// BF16: llvm.call_intrinsic "llvm.x86.avx512.max.ps.512"
// BF16: %[[NAN:.*]] = arith.cmpf uno, %[[X0]], %[[X0]]
// BF16: arith.select %[[NAN]], %[[Y0]], %[[BEST]]
// BF16: llvm.call_intrinsic "llvm.x86.avx512.min.ps.512"
// BF16: llvm.call_intrinsic "llvm.x86.avx.min.ps.256"
// BF16-COUNT-3: llvm.call_intrinsic "llvm.x86.sse.min.ps"
// BF16: vector.extract {{.*}}[0]
// V4-LABEL: func.func @extrema
// V4-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.max.ps.512"
// V4: llvm.call_intrinsic "llvm.x86.avx512.min.ps.512"
// SHORT-LABEL: func.func @extrema
// SHORT-COUNT-4: llvm.call_intrinsic "llvm.x86.avx.max.ps.256"
// SHORT-COUNT-3: llvm.call_intrinsic "llvm.x86.avx.min.ps.256"
// SHORT: llvm.call_intrinsic "llvm.x86.sse.min.ps"
// PLAIN-LABEL: func.func @extrema
// PLAIN: arith.maxnumf
// PLAIN: arith.minnumf {{.*}} : vector<8xf32>
// PLAIN: arith.minnumf {{.*}} : vector<4xf32>
// NONE: vector.extract {{.*}}[0]
func.func @extrema(%x: vector<32xf32>, %y: vector<32xf32>, %z: vector<32xf32>) -> (vector<32xf32>, f32) {
  %0 = arith.maxnumf %x, %y : vector<32xf32>
  %1 = vector.reduction <minnumf>, %z : vector<32xf32> into f32
  return %0, %1 : vector<32xf32>, f32
}

// -----

// NaN wins, on every processor; a value that goes in besides comes last.
// BF16-LABEL: func.func @maximum
// BF16-NOT: vector.reduction
// BF16: return
// V4-LABEL: func.func @maximum
// V4-NOT: vector.reduction
// V4: return
// NONE-LABEL: func.func @maximum
// NONE-NOT: vector.reduction
// NONE: %[[LANE:.*]] = vector.extract {{.*}}[0]
// NONE: arith.maximumf %[[LANE]], %{{.*}} : f32
func.func @maximum(%x: vector<16xf32>, %acc: f32) -> f32 {
  %0 = vector.reduction <maximumf>, %x, %acc : vector<16xf32> into f32
  return %0 : f32
}

// -----

// A table of 16 intervals for each coefficient; of 8 for each register of AVX2.
// BF16-LABEL: func.func @erf
// BF16: llvm.call_intrinsic "llvm.x86.avx512.mask.reduce.ps.512"
// BF16-COUNT-6: llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"
// BF16-NOT: llvm.
// V4-LABEL: func.func @erf
// V4-COUNT-6: llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"
// NONE-LABEL: func.func @erf
// SHORT-COUNT-16: llvm.call_intrinsic "llvm.x86.avx2.permps"
// SHORT-NOT: llvm.
// NONE: return
func.func @erf(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.erf %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// -----

// A power of two from a table, by the low bits of the sum; one clamp, of what is left of the argument; three multiply-adds after it.
// BF16-LABEL: func.func @exp(
// BF16: %[[SUM:.*]] = math.fma
// BF16: %[[INDEX:.*]] = arith.bitcast %[[SUM]]
// BF16: %[[POWER:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%{{.*}}, %[[INDEX]])
// BF16-COUNT-2: math.fma
// BF16: llvm.call_intrinsic "llvm.x86.avx512.mask.range.ps.512"
// BF16-COUNT-2: math.fma
// BF16: math.fma %{{.*}}, %[[POWER]], %[[POWER]]
// BF16-NOT: math.fma
// BF16: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
// V4-LABEL: func.func @exp
// V4: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
// NONE-LABEL: func.func @exp
// NONE: math.fma
func.func @exp(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// -----

// Of several registers, each operation one after the other, so that no chain waits for the one before it.
// BF16-LABEL: func.func @exp_registers
// BF16-COUNT-2: math.fma
// BF16-NOT: math.fma
// BF16-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"
// BF16-COUNT-4: math.fma
// BF16-NOT: math.fma
// BF16: llvm.call_intrinsic "llvm.x86.avx512.mask.range.ps.512"
// BF16: llvm.call_intrinsic "llvm.x86.avx512.mask.range.ps.512"
// BF16-COUNT-6: math.fma
// BF16-NOT: math.fma
// BF16: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
// BF16: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
func.func @exp_registers(%x: vector<32xf32>) -> vector<32xf32> {
  %0 = math.exp %x : vector<32xf32>
  return %0 : vector<32xf32>
}

// -----

// Of what is never positive, with AVX2: 2^24 times a power of two from a table, in one register with its exponent; six multiply-adds; one multiplication, which a product with
// 2^24 that cancels takes away, and no other.
// SHORT-LABEL: func.func @exp_below
// SHORT: %[[SUM:.*]] = math.fma
// SHORT: %[[BITS:.*]] = arith.bitcast %[[SUM]]
// SHORT: %[[ENTRY:.*]] = llvm.call_intrinsic "llvm.x86.avx2.permps"(%{{.*}}, %[[BITS]])
// SHORT: arith.addi
// SHORT-COUNT-6: math.fma
// SHORT-NOT: math.fma
// SHORT: %[[RESULT:.*]] = arith.mulf %[[RAISED:.*]], %{{.*}} : vector<8xf32>
// SHORT: %[[PRODUCT:.*]] = arith.mulf %[[RESULT]]
// SHORT: return %[[RESULT]], %[[RAISED]], %[[PRODUCT]]
// PLAIN-LABEL: func.func @exp_below
// PLAIN-COUNT-9: math.fma
// PLAIN-NOT: math.fma
// PLAIN: %[[RAISED:.*]] = arith.mulf
// PLAIN: %[[RESULT:.*]] = arith.mulf %[[RAISED]]
// PLAIN: %[[PRODUCT:.*]] = arith.mulf %[[RESULT]]
// PLAIN: return %[[RESULT]], %[[RAISED]], %[[PRODUCT]]
func.func @exp_below(%x: vector<8xf32>) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>) {
  %raise = arith.constant dense<0x4B800000> : vector<8xf32>
  %0 = math.exp %x {never_positive} : vector<8xf32>
  %1 = arith.mulf %0, %raise {cancels} : vector<8xf32>
  %2 = arith.mulf %0, %raise : vector<8xf32>
  return %0, %1, %2 : vector<8xf32>, vector<8xf32>, vector<8xf32>
}

// -----

// What is rounded to f16 behind this: one product, and four multiply-adds; to bf16: three.
// BF16-LABEL: func.func @exp_narrow
// BF16: %[[Y:.*]] = arith.mulf
// BF16: %[[REST:.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.reduce.ps.512"(%[[Y]],
// BF16-COUNT-4: math.fma
// BF16-NOT: math.fma
// BF16: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%{{.*}}, %[[Y]],
// BF16-NOT: llvm.
// V4-LABEL: func.func @exp_narrow
// V4: llvm.call_intrinsic "llvm.x86.avx512.mask.reduce.ps.512"
// NONE-LABEL: func.func @exp_narrow
// NONE-COUNT-6: math.fma
// NONE-NOT: math.fma
// NONE: return
func.func @exp_narrow(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x {narrow_result = f16} : vector<16xf32>
  return %0 : vector<16xf32>
}
// BF16-LABEL: func.func @exp_narrower
// BF16: arith.mulf
// BF16-COUNT-3: math.fma
// BF16-NOT: math.fma
// BF16: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
func.func @exp_narrower(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x {narrow_result = bf16} : vector<16xf32>
  return %0 : vector<16xf32>
}

// -----

// In a softmax, log2(e) times the difference is one multiply-add. What log2(e) times the largest number loses is known, and is in the polynomial. Rows of
// large numbers have another loop.
// BF16-LABEL: func.func @exp_of_softmax
// BF16-SAME: %[[MOST:[a-z0-9]*]]: f32
// BF16-DAG: %[[LOG:.*]] = arith.constant 1.44269502 : f32
// BF16-DAG: %[[LESS:.*]] = arith.constant -1.44269502 : f32
// BF16-DAG: %[[LIMIT:.*]] = arith.constant 4.096000e+03 : f32
// BF16-DAG: %[[LOGS:.*]] = arith.constant dense<1.44269502> : vector<16xf32>
// BF16-DAG: %[[MAGIC:.*]] = arith.constant dense<3.932160e+05> : vector<16xf32>
// BF16: %[[SIZE:.*]] = math.absf %[[MOST]]
// BF16: %[[LARGE:.*]] = arith.cmpf uge, %[[SIZE]], %[[LIMIT]] : f32
// BF16: %[[RARELY:.*]] = llvm.intr.expect %[[LARGE]]
// BF16: scf.if %[[RARELY]] {
// BF16: scf.for
// BF16: arith.subf
// BF16: } else {
// BF16: %[[BELOW:.*]] = arith.mulf %[[MOST]], %[[LESS]]
// BF16: %[[REST:.*]] = math.fma %[[MOST]], %[[LOG]], %[[BELOW]]
// BF16: %[[CONSTANT:.*]] = arith.mulf %[[REST]], %{{.*}}
// BF16: %[[CONSTANTS:.*]] = vector.broadcast %[[CONSTANT]] : f32 to vector<16xf32>
// BF16: %[[ADDED:.*]] = vector.broadcast %[[BELOW]] : f32 to vector<16xf32>
// BF16: scf.for
// BF16: %[[X:.*]] = vector.transfer_read
// BF16-NOT: arith.subf
// BF16: %[[Y:.*]] = math.fma %[[X]], %[[LOGS]], %[[ADDED]]
// BF16: %[[FRACTION:.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.reduce.ps.512"(%[[Y]],
// BF16: llvm.call_intrinsic "llvm.x86.avx512.add.ps.512"(%[[Y]], %[[MAGIC]], %c9_i32)
// BF16: llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.ps.512"
// BF16: %[[TERMS:.*]] = math.fma %{{.*}}, %[[FRACTION]], %{{.*}}
// BF16: %[[ABOVE:.*]] = math.fma %[[TERMS]], %[[FRACTION]], %[[CONSTANTS]]
// BF16: math.fma %[[ABOVE]],
// BF16-NOT: math.fma
// BF16: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%{{.*}}, %[[Y]],
// BF16-NOT: llvm.
// BF16: return
// V4-LABEL: func.func @exp_of_softmax
// V4: scf.if
// NONE-LABEL: func.func @exp_of_softmax
// NONE-NOT: scf.if
// NONE: arith.subf
func.func @exp_of_softmax(%most: f32, %x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0.0 : f32
  %m = vector.broadcast %most : f32 to vector<16xf32>
  scf.for %i = %c0 to %c64 step %c16 {
    %v = vector.transfer_read %x[%i], %none {in_bounds = [true]} : memref<64xf32>, vector<16xf32>
    %d = arith.subf %v, %m : vector<16xf32>
    %e = math.exp %d {never_positive, softmax} : vector<16xf32>
    vector.transfer_write %e, %y[%i] {in_bounds = [true]} : vector<16xf32>, memref<64xf32>
  }
  return
}
// Of what bf16 sees, numbers up to 512 lose nothing that is seen.
// BF16-LABEL: func.func @exp_of_narrow_softmax
// BF16: arith.cmpf uge, %{{.*}}, %cst{{.*}} : f32
// BF16: scf.if
// BF16: arith.subf
// BF16: } else {
// BF16-NOT: arith.subf
// BF16-COUNT-4: math.fma {{.*}} : vector<16xf32>
// BF16-NOT: math.fma
// BF16: return
func.func @exp_of_narrow_softmax(%most: f32, %x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0.0 : f32
  %m = vector.broadcast %most : f32 to vector<16xf32>
  scf.for %i = %c0 to %c64 step %c16 {
    %v = vector.transfer_read %x[%i], %none {in_bounds = [true]} : memref<64xf32>, vector<16xf32>
    %d = arith.subf %v, %m : vector<16xf32>
    %e = math.exp %d {narrow_result = bf16, never_positive, softmax} : vector<16xf32>
    vector.transfer_write %e, %y[%i] {in_bounds = [true]} : vector<16xf32>, memref<64xf32>
  }
  return
}
// What sees the difference besides keeps it, and so does a largest number of the loop itself.
// BF16-LABEL: func.func @exp_and_difference
// BF16-NOT: scf.if
// BF16: return
func.func @exp_and_difference(%most: memref<64xf32>, %x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0.0 : f32
  %one = memref.load %most[%c0] : memref<64xf32>
  %m = vector.broadcast %one : f32 to vector<16xf32>
  scf.for %i = %c0 to %c64 step %c16 {
    %v = vector.transfer_read %x[%i], %none {in_bounds = [true]} : memref<64xf32>, vector<16xf32>
    %d = arith.subf %v, %m : vector<16xf32>
    %e = math.exp %d {never_positive, softmax} : vector<16xf32>
    %s = arith.addf %d, %e : vector<16xf32>
    vector.transfer_write %s, %y[%i] {in_bounds = [true]} : vector<16xf32>, memref<64xf32>
    %mine = memref.load %most[%i] : memref<64xf32>
    %n = vector.broadcast %mine : f32 to vector<16xf32>
    %f = arith.subf %v, %n : vector<16xf32>
    %g = math.exp %f {never_positive, softmax} : vector<16xf32>
    vector.transfer_write %g, %x[%i] {in_bounds = [true]} : vector<16xf32>, memref<64xf32>
  }
  return
}

// -----

// One test for NaN, of what a loop does not carry: the instruction gives its second operand where one is NaN.
// BF16-LABEL: func.func @carried
// BF16: scf.for {{.*}} iter_args(%[[BEST:.*]] = %{{.*}})
// BF16: %[[MAX:.*]] = llvm.call_intrinsic "llvm.x86.avx512.max.ps.512"(%[[X:.*]], %[[BEST]], %{{.*}})
// BF16: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]]
// BF16: arith.select %[[NAN]], %[[X]], %[[MAX]]
// BF16-NOT: arith.cmpf
// BF16: return
// V4-LABEL: func.func @carried
// V4: llvm.call_intrinsic "llvm.x86.avx512.max.ps.512"
// SHORT-LABEL: func.func @carried
// SHORT: scf.for {{.*}} iter_args(%[[BEST:.*]] = %{{.*}})
// SHORT: %[[HALF:.*]] = vector.extract_strided_slice %[[BEST]]
// SHORT: llvm.call_intrinsic "llvm.x86.avx.max.ps.256"(%{{.*}}, %[[HALF]])
// SHORT-NOT: arith.cmpf o
// SHORT: return
// PLAIN-LABEL: func.func @carried
// PLAIN: arith.cmpf ogt
func.func @carried(%x: vector<16xf32>, %n: index) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%best = %x) -> (vector<16xf32>) {
    %y = arith.addf %x, %x : vector<16xf32>
    %1 = arith.maximumf %best, %y : vector<16xf32>
    scf.yield %1 : vector<16xf32>
  }
  return %0 : vector<16xf32>
}

// -----

// The largest number of a loop that starts from a number is one comparison; from NaN, or beside another loop's value that may be NaN, it is not. What follows in one step is a number, too.
// BF16-LABEL: func.func @numbers
// BF16: arith.cmpf ogt
// BF16: llvm.call_intrinsic "llvm.x86.avx512.max.ps.512"
// BF16-COUNT-2: arith.cmpf olt
// NONE-LABEL: func.func @numbers
// NONE: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}})
// NONE: %[[X:.*]] = vector.load
// NONE: %[[L:.*]] = arith.cmpf ogt, %[[X]], %[[A]]
// NONE: arith.select %[[L]], %[[X]], %[[A]]
// PLAIN: arith.maxnumf %[[X]], %[[B]]
// SHORT-COUNT-2: llvm.call_intrinsic "llvm.x86.avx.max.ps.256"
// SHORT-COUNT-2: arith.cmpf uno
// NONE: %[[S:.*]] = arith.cmpf olt, %[[X]], %[[C]]
// NONE-NEXT: %[[D:.*]] = arith.select %[[S]], %[[X]], %[[C]]
// NONE: %[[T:.*]] = arith.cmpf olt, {{.*}}, %[[D]]
// NONE-NEXT: arith.select %[[T]], {{.*}}, %[[D]]
func.func @numbers(%m: memref<?xf32>, %n: index) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %low = arith.constant dense<0xFF800000> : vector<16xf32>
  %nan = arith.constant dense<0x7FC00000> : vector<16xf32>
  %one = arith.constant dense<2.0> : vector<16xf32>
  %r:3 = scf.for %i = %c0 to %n step %c16 iter_args(%a = %low, %b = %nan, %c = %low) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>) {
    %x = vector.load %m[%i] : memref<?xf32>, vector<16xf32>
    %0 = arith.maxnumf %x, %a : vector<16xf32>
    %1 = arith.maxnumf %x, %b : vector<16xf32>
    %2 = arith.minnumf %c, %x : vector<16xf32>
    %y = arith.mulf %x, %one : vector<16xf32>
    %3 = arith.minnumf %y, %2 : vector<16xf32>
    scf.yield %0, %1, %3 : vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  return %r#0, %r#1, %r#2 : vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// -----

// What was assumed of a value that may be NaN after all shows nothing of others: %c may be NaN as %a is.
// PLAIN-LABEL: func.func @assumed
// PLAIN-COUNT-3: arith.maxnumf
// PLAIN-NOT: arith.cmpf
// PLAIN: return
// SHORT-LABEL: func.func @assumed
// SHORT-COUNT-6: llvm.call_intrinsic "llvm.x86.avx.max.ps.256"
// SHORT-NOT: arith.cmpf ogt
// SHORT: return
func.func @assumed(%m: memref<?xf32>, %n: index) -> (vector<16xf32>, vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %low = arith.constant dense<0xFF800000> : vector<16xf32>
  %nan = arith.constant dense<0x7FC00000> : vector<16xf32>
  %r:2 = scf.for %i = %c0 to %n step %c16 iter_args(%a = %nan, %c = %low) -> (vector<16xf32>, vector<16xf32>) {
    %x = vector.load %m[%i] : memref<?xf32>, vector<16xf32>
    %0 = arith.maxnumf %x, %a : vector<16xf32>
    %1 = arith.maxnumf %a, %0 : vector<16xf32>
    %2 = arith.maxnumf %x, %c : vector<16xf32>
    vector.store %2, %m[%i] : memref<?xf32>, vector<16xf32>
    scf.yield %0, %1 : vector<16xf32>, vector<16xf32>
  }
  return %r#0, %r#1 : vector<16xf32>, vector<16xf32>
}

// -----

// So are the largest number that a loop has found, and the halves of its lanes; of what may be NaN each half is tested.
// BF16-LABEL: func.func @largest
// BF16: %[[LANES:.*]] = scf.for
// BF16: vector.extract_strided_slice %[[LANES]]
// BF16-NOT: cmpf uno
// BF16-COUNT-4: arith.cmpf ogt
// BF16-NOT: cmpf
// BF16: return
// V4-LABEL: func.func @largest
// NONE-LABEL: func.func @largest
func.func @largest(%m: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %none = arith.constant 0.0 : f32
  %low = arith.constant dense<0xFF800000> : vector<16xf32>
  %0 = scf.for %i = %c0 to %n step %c16 iter_args(%a = %low) -> (vector<16xf32>) {
    %x = vector.transfer_read %m[%i], %none {in_bounds = [true]} : memref<?xf32>, vector<16xf32>
    %1 = arith.maxnumf %x, %a : vector<16xf32>
    scf.yield %1 : vector<16xf32>
  }
  %1 = vector.reduction <maxnumf>, %0 : vector<16xf32> into f32
  return %1 : f32
}

// -----

// BF16-LABEL: func.func @largest_of_any
// BF16-COUNT-4: arith.cmpf uno
// V4-LABEL: func.func @largest_of_any
// NONE-LABEL: func.func @largest_of_any
func.func @largest_of_any(%x: vector<16xf32>) -> f32 {
  %0 = vector.reduction <maxnumf>, %x : vector<16xf32> into f32
  return %0 : f32
}
