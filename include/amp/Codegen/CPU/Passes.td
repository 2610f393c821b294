//===- Passes.td - CPU code generation passes --------------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_CPU_PASSES_TD
#define AMP_CODEGEN_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

// Of all passes that depend on the processor.
defvar tripleOption =
    Option<"triple", "triple", "std::string", /*default=*/"\"\"",
           "The system to compile for, of x86-64 or AArch64; empty: this one">;
defvar featuresOption =
    Option<"features", "features", "std::string", /*default=*/"\"\"",
           "LLVM features to add or remove, such as `+avx2,-fma`">;
defvar vectorBitsOption =
    Option<"vectorBits", "vector-bits", "unsigned", /*default=*/"0",
           "Vector width in bits, a power of two from 64 to 2048; 0: as wide as the processor has">;

def AmpCPUCodegenPass
    : InterfacePass<"amp-cpu-codegen", "::mlir::FunctionOpInterface"> {
  let summary = "schedule linalg on tensors for a CPU: pack, tile, vectorise";
  let description = [{
    Input: functions on tensors of linalg (any named op, or `linalg.generic`), tensor, arith, math and scf, of static or dynamic
    shape. Linalg on buffers is an error: this pass runs before bufferization.

    First the function is brought into one form: aggregated ops (`linalg.softmax`, `tensor.gather`, `tensor.pad`, `tensor.concat`,
    pack and unpack) are decomposed, arith and math on tensors become linalg, named ops become `linalg.generic`, elementwise chains
    are fused, casts are fused into the contractions that read them, and adjacent loops that no operand tells apart are collapsed.
    Ops on the same rows of at least 16 elements (a reduction, what computes the rows, and what reads them and their sums: softmax, the norms,
    their gradients) move into one loop over rows, each still an op on slices of one row, with what lies between them in a buffer of one row; the remark `FusedRows` names it.
    Then every linalg op becomes loops and vectors:

    - A contraction (its payload is `acc + cast(a) * cast(b)` and its maps are projected permutations: every matmul and batched or transposed
      variant, `linalg.contract`, and generics like them) with an accumulator of at least 32 bits becomes a cache-blocked nest that packs
      blocks of A and B, widened to the accumulator's type, and multiplies register tiles of them with accumulators in registers. Operands of
      any layout are read as they lie. Where the processor has an instruction for groups (AVX512-BF16 for pairs of bf16 into f32, x86's multiply-add of pairs of i16
      for i8 and i16 into i32, AVX512-VNNI or AVX-VNNI for four i8 into i32) and that is faster, operands are packed in such groups in their own type instead; of two signed i8 operands one is
      packed with 128 added, which is exact: what it adds to the sums is subtracted from them. Where it has tile registers (AMX) for bf16 or i8, a step of the innermost loop
      multiplies tiles of up to 16 rows, written as `vector.contract` for `amp-cpu-select-tiles`. Contractions of a few rows, or of little work, skip packing and go the next way.
      Where the number of rows is not known, the code has blocks for one row, for a few and for many, and chooses when it runs; it computes then how long those are that threads divide.
      Elementwise ops that follow (bias, activation, residual, casts, quantisation, any number of results) join the nest, as long as they are over all of the result and read
      their other operands along its innermost loop: they work on tiles in the cache, and the contraction's result is only made where something else uses it. A broadcast
      that the sums start from is read where it is.
      A convolution with channels last is such a contraction too: A's indices may move with several loops, further reductions are segments of k, zeros that pad the image are
      written while packing, and where channels are few they and the window's columns become one reduction. Up to a tile of rows reads B where it is, unpacked. With channels first, filters times windows, that are gathered while packing, are one as well, where that is faster (docs/cpu.md).
    - Any other op whose outputs are indexed by its parallel loops becomes a nest with one vectorised loop (the one with most
      contiguous accesses) and, where a load can serve several rows, one unrolled loop: elementwise maps, reductions (lane-wise
      accumulators, combined once), pooling, other convolutions, matrix-vector products. Vectors of i1, read from and written to tensors of it, are for `amp-cpu-select-instructions`: upstream lowers them as bits.
    - What neither can take stays linalg, for `convert-linalg-to-loops`; the remark `ScalarFallback` (category `amp`) names the op and why.

    Two more remarks name work that goes element by element: `ScalarAccess`, where the lanes of a vector loop are read or written one at a
    time (gathers but of whole rows, operands that no choice of loops makes contiguous, and slices that are inserted with a stride), and `ScalarLoop`, where an innermost loop of the program itself takes
    elements out of tensors. With `no-scalar-fallback` each of the three is an error at the op. An op without loops, on tensors of rank 0, is none of them.
    The remark `NarrowSums` names sums that the program itself rounds to a type of fewer than 32 bits at each step, and `NarrowResult` an exponential of which only products and sums, rounded to f16 or less, are seen: it gets the attribute `narrow_result`, the type that is seen. An exponential of what is never positive gets `never_positive`, and those of a softmax, where no instruction scales by powers of two, a factor of 2^24 that cancels, and says so (`cancels`); the maximum that a softmax subtracts ignores NaN (`arith.maxnumf`) where only that sees it, since the row's sum is NaN then, and its exponentials, and those of a log-softmax, get `softmax`; a rounding to bf16 of what has no NaN but those of bf16 gets `has_bf16_nans`.

    Loops over blocks, rows or elements with enough work for several threads carry the attribute `parallel_grain` (how many iterations are worth
    a thread), for `amp-cpu-outline-parallel`. Their iterations do not depend on each other, and do not depend on the number of threads. What computes
    the whole of a product carries `outline`, for `amp-cpu-outline-products`, and the loop over rows of ops that moved into one carries `independent_rows`, for `amp-cpu-overlap-rows`.

    Reductions of one tensor that do not depend on each other, such as the sums of its elements and of their squares, become one op.

    Guaranteed after: no aggregated, elementwise-on-tensor or named linalg op is left; `linalg.generic` and `linalg.fill` are left
    only with that remark. Numerics: floating-point reductions are reassociated into lanes, contractions
    and other sums of products into f32 and f64 fuse multiply and add where the target can, and AVX512-BF16 and AMX take subnormal bf16 operands and f32 sums as zero (`features=-avx512bf16,-amx-bf16`
    avoids it), `linalg.softmax` multiplies by the reciprocal of its sums (1.5 ulp), an exponential with `softmax` is 2 ulp and 2^-28 of its argument off, or with AVX-512 2^-23.7 of the difference that it is of, an exponential with `narrow_result` is 2^-17 off (with AVX-512 and bf16 2^-13); nothing else changes. Every op of a narrow type still rounds its own result.

    Example, with `vector-bits=128`:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(func.func(amp-cpu-codegen{cpu=generic vector-bits=128}))"
    func.func @add(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
      %0 = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%c : tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @add(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %c0 = arith.constant 0 : index
      %0 = tensor.empty() : tensor<8xf32>
      %1 = vector.transfer_read %arg0[%c0], %cst {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
      %2 = vector.transfer_read %arg1[%c0], %cst {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
      %3 = arith.addf %1, %2 : vector<8xf32>
      %4 = vector.transfer_write %3, %0[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
      return %4 : tensor<8xf32>
    }
    ```
  }];
  let options = [
    tripleOption,
    Option<"processor", "cpu", "std::string", /*default=*/"\"host\"",
           "Processor to schedule for: `host`, `generic`, or an LLVM name">,
    featuresOption,
    vectorBitsOption,
    Option<"noScalarFallback", "no-scalar-fallback", "bool", /*default=*/"false",
           "Whether a loop that goes element by element is an error">
  ];
  let statistics = [
    Statistic<"numPacked", "num-packed", "Contractions packed and tiled">,
    Statistic<"numFused", "num-fused", "Elementwise ops on tiles of contractions">,
    Statistic<"numVectorized", "num-vectorized", "Ops turned into vector loops">,
    Statistic<"numScalar", "num-scalar", "Ops left for scalar loops">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect", "::mlir::x86vector::X86VectorDialect"
  ];
}

def AmpCPUStreamStoresPass
    : InterfacePass<"amp-cpu-stream-stores", "::mlir::FunctionOpInterface"> {
  let summary = "let large results bypass the caches";
  let description = [{
    Input: functions on buffers, before parallel loops are outlined. A store that goes through a cache reads the line first; of a result that does not stay there
    that is half of the traffic. Every `vector.transfer_write` to a buffer of at least `min-bytes`, four times that where the function reads it again (of dynamic shape: in a copy of the loop, which runs if it is), allocated by the function itself,
    or among the last arguments that the attribute `result_buffers` of a function (from `amp-cpu-outline-products`) counts, becomes `vector.store` with `nontemporal` in aligned pieces of half a line or a line (32 or 64 bytes), as long as

    - it writes one piece behind the other: its innermost index is that of the innermost loop, or constant;
    - all pieces are whole and aligned: rows of the buffer are a multiple of 32 bytes long, where that is asked as the program runs of 64;
    - the loop around everything reads nothing of the buffer, and writes at most four such streams.

    What is not proved to be so is left alone, as is everything for processors other than x86. `amp-cpu-fence-streams` orders these stores. On Zen 5, a loop with
    such stores that reads one large buffer asks for what it will read later (`memref.prefetch`, a third of the first cache ahead). So does
    one that reads or writes less than 32 bits an element on processors of AMD before AVX-512, an eighth of the first cache ahead.

    Guaranteed after: the same values in memory; no function has that attribute.

    Example, with `min-bytes=1024`:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(func.func(amp-cpu-stream-stores{cpu=x86-64-v4 min-bytes=1024}))"
    func.func @fill(%v: vector<16xf32>) -> memref<1024xf32> {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c1024 = arith.constant 1024 : index
      %m = memref.alloc() {alignment = 64 : i64} : memref<1024xf32>
      scf.for %i = %c0 to %c1024 step %c16 {
        vector.transfer_write %v, %m[%i] {in_bounds = [true]} : vector<16xf32>, memref<1024xf32>
      }
      return %m : memref<1024xf32>
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @fill(%arg0: vector<16xf32>) -> memref<1024xf32> {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c1024 = arith.constant 1024 : index
      %alloc = memref.alloc() {alignment = 64 : i64} : memref<1024xf32>
      scf.for %arg1 = %c0 to %c1024 step %c16 {
        vector.store %arg0, %alloc[%arg1] {alignment = 64 : i64, nontemporal = true} : memref<1024xf32>, vector<16xf32>
      }
      return %alloc : memref<1024xf32>
    }
    ```
  }];
  let options = [
    Option<"minBytes", "min-bytes", "uint64_t", /*default=*/"8388608",
           "Size in bytes of the smallest buffers whose stores bypass the caches">,
    tripleOption,
    Option<"processor", "cpu", "std::string", /*default=*/"\"host\"",
           "Processor to compile for: `host`, `generic`, or an LLVM name">,
    featuresOption,
    vectorBitsOption
  ];
  let statistics = [
    Statistic<"numStreamed", "num-streamed", "Writes that bypass the caches">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"
  ];
}

def AmpCPUFenceStreamsPass
    : InterfacePass<"amp-cpu-fence-streams", "::mlir::FunctionOpInterface"> {
  let summary = "order stores that bypass the caches before what follows";
  let description = [{
    Input: functions in the LLVM dialect. On x86 stores with `nontemporal` may become visible to other threads after later ones that go through the cache. In a function that has some,
    `sfence` goes in front of each return and of each call with pointers (but that of freeing): by these another thread can come to see the memory. Other functions are left alone.

    Guaranteed after: a thread that sees that a function has returned, or runs what it calls, sees all that the function had stored.

    On AArch64 such stores are ordered as all others are, and nothing is done.

    Example:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(llvm.func(amp-cpu-fence-streams))"
    llvm.func @store(%v: vector<16xf32>, %p: !llvm.ptr) {
      llvm.store %v, %p {alignment = 64 : i64, nontemporal} : vector<16xf32>, !llvm.ptr
      llvm.return
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    llvm.func @store(%arg0: vector<16xf32>, %arg1: !llvm.ptr) {
      llvm.store %arg0, %arg1 {alignment = 64 : i64, nontemporal} : vector<16xf32>, !llvm.ptr
      llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()
      llvm.return
    }
    ```
  }];
  let options = [
    tripleOption
  ];
  let statistics = [
    Statistic<"numFences", "num-fences", "Fences">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def AmpCPUOutlineProductsPass
    : Pass<"amp-cpu-outline-products", "::mlir::ModuleOp"> {
  let summary = "move products into functions before bufferization";
  let description = [{
    Input: a module on tensors, with the attribute `outline` (from `amp-cpu-codegen`) on the loops of products: on an `scf.for` whose results
    start from `tensor.empty`, and on an `scf.if` without results (the ways to compute a product whose rows are counted when the program runs).
    Each becomes a private function of what it reads (tensors as buffers; constants and what widens elements are copied into it), and of the buffers of its results, and a call. Those that are alike
    share one function: of equal layers of a model one is bufferized and compiled, which takes twelve layers of an encoder less than half of the time.

    A tensor whose buffer may have gaps (a `tensor.extract_slice`) is no argument of a function, and what is computed in place of a part of
    a tensor, or starts from what is there, has no buffer of its own: such a loop stays where it is.

    Guaranteed after: no op has the attribute, and the module computes what it did.

    Example:

    ```mlir
    // RUN: amp-opt --amp-cpu-outline-products
    func.func @copy(%x: tensor<?xf32>, %y: memref<?xf32>, %isFew: i1) {
      scf.if %isFew {
        bufferization.materialize_in_destination %x in restrict writable %y : (tensor<?xf32>, memref<?xf32>) -> ()
      } {outline}
      return
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @copy(%arg0: tensor<?xf32>, %arg1: memref<?xf32>, %arg2: i1) {
      %0 = bufferization.to_buffer %arg0 read_only : tensor<?xf32> to memref<?xf32>
      call @copy_product_0(%arg2, %0, %arg1) : (i1, memref<?xf32>, memref<?xf32>) -> ()
      return
    }
    func.func private @copy_product_0(%arg0: i1, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
      %0 = bufferization.to_tensor %arg1 restrict : memref<?xf32> to tensor<?xf32>
      scf.if %arg0 {
        bufferization.materialize_in_destination %0 in restrict writable %arg2 : (tensor<?xf32>, memref<?xf32>) -> ()
      }
      return
    }
    ```
  }];
  let statistics = [
    Statistic<"numOutlined", "num-outlined", "Functions made of products">
  ];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def AmpCPULowerObservationsPass
    : Pass<"amp-cpu-lower-observations", "::mlir::ModuleOp"> {
  let summary = "turn amp.observe into calls of the runtime";
  let description = [{
    Input: a module on tensors.

    Every `amp.observe` becomes a call of `amp_observe_f64`, `_f32`, `_f16` or `_bf16` (amp/Runtime/Ranges.h), declared as functions that
    only read their tensor, with the number of the slot and the value as an unranked tensor: no copy of it is made when it
    becomes a buffer. 8-bit floats are widened to f32 first, which is exact.

    Guaranteed after: no `amp.observe` is left. A function of the program with the name of one of the runtime's is an error.

    Example:

    ```mlir
    // RUN: amp-opt --amp-cpu-lower-observations
    func.func @observe(%x: tensor<4xf32>) {
      amp.observe "observe:0" slot(3) %x : tensor<4xf32>
      return
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func private @amp_observe_f32(i64, tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
    func.func @observe(%arg0: tensor<4xf32>) {
      %c3_i64 = arith.constant 3 : i64
      %cast = tensor.cast %arg0 : tensor<4xf32> to tensor<*xf32>
      call @amp_observe_f32(%c3_i64, %cast) : (i64, tensor<*xf32>) -> ()
      return
    }
    ```
  }];
  let statistics = [
    Statistic<"numLowered", "num-lowered", "Observations lowered">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def AmpCPUSeparateBuffersPass
    : Pass<"amp-cpu-separate-buffers", "::mlir::func::FuncOp"> {
  let summary = "give each buffer that leaves a function memory of its own";
  let description = [{
    Input: a function after bufferization, before buffers are freed.

    Bufferization computes a tensor inside a larger one where it can (what is padded, or inserted, in the result of that). Where such a view
    is returned, or passed to a call, under a type without strides, which a cast of dynamic strides allows, it is copied to a buffer without gaps,
    since that is what its reader takes it for. Of results that are views of one buffer all but the first are copied, so that each can be freed on
    its own.

    Left alone: views of arguments and of constants, which are copied where buffers are freed.

    Example:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(func.func(amp-cpu-separate-buffers))"
    func.func @inner(%m: index, %n: index) -> memref<?x?xf32> {
      %0 = memref.alloc(%m) : memref<?x64xf32>
      %1 = memref.subview %0[0, 0] [%m, %n] [1, 1] : memref<?x64xf32> to memref<?x?xf32, strided<[64, 1]>>
      %2 = memref.cast %1 : memref<?x?xf32, strided<[64, 1]>> to memref<?x?xf32, strided<[?, 1]>>
      %3 = memref.cast %2 : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32>
      return %3 : memref<?x?xf32>
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @inner(%m: index, %n: index) -> memref<?x?xf32> {
      %0 = memref.alloc(%m) : memref<?x64xf32>
      %1 = memref.subview %0[0, 0] [%m, %n] [1, 1] : memref<?x64xf32> to memref<?x?xf32, strided<[64, 1]>>
      %2 = memref.cast %1 : memref<?x?xf32, strided<[64, 1]>> to memref<?x?xf32, strided<[?, 1]>>
      %3 = memref.cast %2 : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32>
      %c0 = arith.constant 0 : index
      %4 = memref.dim %2, %c0 : memref<?x?xf32, strided<[?, 1]>>
      %c1 = arith.constant 1 : index
      %5 = memref.dim %2, %c1 : memref<?x?xf32, strided<[?, 1]>>
      %6 = memref.alloc(%4, %5) {alignment = 64 : i64} : memref<?x?xf32>
      memref.copy %2, %6 : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32>
      return %6 : memref<?x?xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numCopies", "num-copies", "Buffers that are copied">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"
  ];
}

def AmpCPUDropBufferNotesPass
    : Pass<"amp-cpu-drop-buffer-notes", "::mlir::ModuleOp"> {
  let summary = "remove attributes that only bufferization reads";
  let description = [{
    Input: a module after bufferization. Removes `bufferization.access` from the arguments of declared functions, of which the translation
    to LLVM would warn. Everything else stays.

    Example:

    ```mlir
    // RUN: amp-opt --amp-cpu-drop-buffer-notes
    func.func private @read(memref<4xf32> {bufferization.access = "read"})
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func private @read(memref<4xf32>)
    ```
  }];
}

def AmpCPULegalizeFloatsPass
    : InterfacePass<"amp-cpu-legalize-floats", "::mlir::FunctionOpInterface"> {
  let summary = "rewrite narrow-float and transcendental arithmetic into what a CPU does";
  let description = [{
    Input: arith and math on scalars and vectors (tensors of them are left alone).

    - math and arith on f16, bf16 and the 8-bit floats computes in f32 and rounds its result once, with `arith.truncf`. No pair
      of `truncf` and `extf` may be elided afterwards: the rewrite carries no fast-math flags of its own, whatever upstream's patterns set.
    - functions on f32 become polynomials, which stay in vector registers, with the bounds of docs/cpu.md: exp, exp2, expm1, log, log2, log10, log1p, tanh, erf,
      erfc, sin, cos, tan, atan, atan2, asin, acos, sinh, cosh, asinh, acosh, atanh, cbrt, powf (in f64). Functions of f64 are left for the C library.
    - `arith.remf` of vectors of f32 and f64 becomes a division and a fused multiply-add, which is exact, where the processor has that instruction. Lanes whose quotient has more bits than
      the type take a branch, all of the vector together: 53 bits at a time in f64, or, of f64, lane by lane through the C library.
    - `maximumf` and `minimumf` of vectors become comparisons, of which only one waits for what a loop carries; of equal zeros either may be the result, as in upstream's expansion.
    - conversions between f32 and bf16 become integer arithmetic: exact on every processor, subnormal numbers included, and no library helper. Whole registers go
      through `vcvtne2ps2bf16` where the processor has it (AVX512-BF16); that takes subnormal numbers for zero, so where one of up to 128 is, behind a branch, these are given an exponent first, which is then taken off. Vectors that are widened from bf16, computed lane by lane and rounded to bf16 again have their even lanes in front of the odd ones meanwhile, in buffers of f32 and in what loops carry, too.
    - reductions of a vector to its largest or smallest element halve it.
    - `maxnumf` and `minnumf` of vectors, of which one is a number (a constant, what a loop carries that starts from one and takes such maxima or minima only, or lanes of such), are one comparison: `vmaxps`.
    - with AVX-512, whole registers: extrema are one `vmaxps` or `vminps`, with a test for NaN where there may be one, and erf is a polynomial for each quarter, whose coefficients `vpermps` takes from registers, as exp does a power of two (`vpermi2ps` of twice as many with `softmax`, in which loops over a row, of three iterations or more, have the difference to its largest number in the first multiply-add, but for numbers from 4096 on, of bf16 512 and of f16 64); with AVX2 for each half, and only exp with `never_positive` has that table. `math.exp` with `narrow_result` has fewer terms everywhere. Without `vscalefps`, with `never_positive` it does not look for what is beyond f32, and a product with `cancels` is one instruction less; a rounding with `has_bf16_nans`, which this pass gives those of ops on bf16, does not look for NaN.
    - conversions between f32 and the 8-bit floats (f8E5M2, f8E4M3FN, f8E4M3, f8E3M4, f8E4M3FNUZ, f8E5M2FNUZ, f8E4M3B11FNUZ) become integer arithmetic, rounding to nearest even;
      overflow gives infinity where the format has it, else NaN, as `arith.truncf` does when it folds. They widen through f16 (all but f8E5M2FNUZ) where an instruction widens that.
    - conversions between f64 and a type narrower than f32 are split: f64 values are first rounded to f32 to odd, so that the second rounding gives the result of one; from vectors of f32 to i8 and i16 they go through i32, as LLVM would take f16 to these lane by lane.

    Guaranteed after: no arith or math op on f16, bf16 or f8 but casts of f16, and bitcasts, selects and constants of each.

    Example:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(func.func(amp-cpu-legalize-floats))"
    func.func @add(%x: f16, %y: f16) -> f16 {
      %0 = arith.addf %x, %y : f16
      return %0 : f16
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @add(%arg0: f16, %arg1: f16) -> f16 {
      %0 = arith.extf %arg1 : f16 to f32
      %1 = arith.extf %arg0 : f16 to f32
      %2 = arith.addf %1, %0 : f32
      %3 = arith.truncf %2 : f32 to f16
      return %3 : f16
    }
    ```
  }];
  let options = [
    Option<"approximate", "approximate", "bool", /*default=*/"true",
           "Use polynomials for f32 transcendental functions">,
    tripleOption,
    Option<"processor", "cpu", "std::string", /*default=*/"\"generic\"",
           "Processor whose instructions are used: `host`, `generic`, or an LLVM name">,
    featuresOption,
    vectorBitsOption
  ];
  let statistics = [
    Statistic<"numEmulated", "num-emulated", "Narrow ops computed in f32">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def AmpCPUSelectInstructionsPass
    : InterfacePass<"amp-cpu-select-instructions", "::mlir::FunctionOpInterface"> {
  let summary = "select instructions that LLVM does not find on its own";
  let description = [{
    Input: functions on vectors and buffers, after bufferization: the ops that this makes say nothing of their effects.

    - The sum of four products of unsigned and signed i8 into each i32 lane, which `amp-cpu-codegen` writes as a `vector.multi_reduction`, becomes `vpdpbusd` (AVX512-VNNI, AVX-VNNI) where the vectors are as wide as a register. So
      does the sum of two products of signed i16 (or of i8, widened) become `pmaddwd` and an addition, which LLVM merges into `vpdpwssd` where there is that.

    - Vectors of i1 are read and written as i8: in memory an element is a byte, where LLVM would take a vector for as many bits.
    - Vectors of elements of 8 and 16 bits that may reach past the end of a row are moved in masked words, the last bytes alone, where only words can be masked (AVX2): LLVM would ask for each element.
    - Where `amp-cpu-legalize-floats` multiplies a polynomial by 2^n, in two steps as 2^n may be beyond f32, that is one `vscalefps` for each register (AVX-512).

    Guaranteed after: the same values, bit by bit. What the target has no instruction for is left alone, and lowers as upstream lowers it; other `vector.multi_reduction`, and `vector.scan`, do so here.

    Example:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(func.func(amp-cpu-select-instructions{cpu=znver4}))"
    func.func @dot(%a: vector<64xi8>, %b: vector<64xi8>, %c: vector<16xi32>) -> vector<16xi32> {
      %0 = arith.extui %a : vector<64xi8> to vector<64xi32>
      %1 = arith.extsi %b : vector<64xi8> to vector<64xi32>
      %2 = arith.muli %0, %1 : vector<64xi32>
      %3 = vector.shape_cast %2 : vector<64xi32> to vector<16x4xi32>
      %4 = vector.multi_reduction <add>, %3, %c [1] : vector<16x4xi32> to vector<16xi32>
      return %4 : vector<16xi32>
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @dot(%arg0: vector<64xi8>, %arg1: vector<64xi8>, %arg2: vector<16xi32>) -> vector<16xi32> {
      %0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%arg2, %arg0, %arg1) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
      return %0 : vector<16xi32>
    }
    ```
  }];
  let options = [
    tripleOption,
    Option<"processor", "cpu", "std::string", /*default=*/"\"host\"",
           "Processor to select for: `host`, `generic`, or an LLVM name">,
    featuresOption,
    vectorBitsOption
  ];
  let statistics = [
    Statistic<"numDots", "num-dots", "Dot products of i8 selected">,
    Statistic<"numScales", "num-scales", "Multiplications by powers of two selected">,
    Statistic<"numBytes", "num-bytes", "Transfers of i1 made bytes">, Statistic<"numParts", "num-parts", "Transfers in masked words">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def AmpCPUSelectTilesPass : Pass<"amp-cpu-select-tiles", "::mlir::ModuleOp"> {
  let summary = "keep sums of tiles in tile registers";
  let description = [{
    Input: a module on vectors and buffers, after bufferization. Where the processor has tile registers (AMX), what `amp-cpu-codegen` writes for them as
    `vector.contract` of vectors of up to 16 rows becomes ops of the `amx` dialect: products of bf16 into f32 (`tdpbf16ps`) and of i8, signed or not, into i32
    (`tdpbssd`, `tdpbsud`, `tdpbusd`, `tdpbuud`).

    A sum is selected as a whole: from the zeros or the read of 16 whole rows that it starts from, through products and loops (`scf.for`) that
    carry it, to the writes of whole rows that it ends in. So no tile is ever moved between registers and vectors, or carried by anything that LLVM
    would put into memory, and the accesses stay where they were, in the same order. A sum that anything else uses is left alone, and lowers as upstream lowers
    it, with the remark `Tiles` (missed), and is an error with `no-scalar-fallback`; the other remark `Tiles` gives the number of products in a function.

    A function with tiles begins with a call of `amp_enable_tiles` (amp/Runtime/Runtime.h), which asks the system for the registers.

    Guaranteed after: integers are the same. Sums in f32 take subnormal operands and results as zero, and are rounded in the order of the instruction: the
    products of the even and those of the odd elements of 32 are each summed, then both are added, then that is to the sum.

    Example:

    ```mlir
    // RUN: amp-opt --amp-cpu-select-tiles="cpu=sapphirerapids"
    func.func @product(%a: memref<16x64xi8>, %b: memref<16x64xi8>, %c: memref<16x16xi32>) {
      %c0 = arith.constant 0 : index
      %z8 = arith.constant 0 : i8
      %zero = arith.constant dense<0> : vector<16x16xi32>
      %0 = vector.transfer_read %a[%c0, %c0], %z8 {in_bounds = [true, true]} : memref<16x64xi8>, vector<16x64xi8>
      %1 = vector.shape_cast %0 : vector<16x64xi8> to vector<16x16x4xi8>
      %2 = arith.extui %1 : vector<16x16x4xi8> to vector<16x16x4xi32>
      %3 = vector.transfer_read %b[%c0, %c0], %z8 {in_bounds = [true, true]} : memref<16x64xi8>, vector<16x64xi8>
      %4 = vector.shape_cast %3 : vector<16x64xi8> to vector<16x16x4xi8>
      %5 = arith.extsi %4 : vector<16x16x4xi8> to vector<16x16x4xi32>
      %6 = vector.contract {
        indexing_maps = [affine_map<(m, n, k, g) -> (m, k, g)>, affine_map<(m, n, k, g) -> (k, n, g)>, affine_map<(m, n, k, g) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>}
        %2, %5, %zero : vector<16x16x4xi32>, vector<16x16x4xi32> into vector<16x16xi32>
      vector.transfer_write %6, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xi32>, memref<16x16xi32>
      return
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func private @amp_enable_tiles()
    func.func @product(%arg0: memref<16x64xi8>, %arg1: memref<16x64xi8>, %arg2: memref<16x16xi32>) {
      call @amp_enable_tiles() : () -> ()
      %c0 = arith.constant 0 : index
      %c0_i8 = arith.constant 0 : i8
      %cst = arith.constant dense<0> : vector<16x16xi32>
      %0 = amx.tile_load %arg0[%c0, %c0] : memref<16x64xi8> into !amx.tile<16x64xi8>
      %1 = amx.tile_load %arg1[%c0, %c0] : memref<16x64xi8> into !amx.tile<16x64xi8>
      %2 = amx.tile_zero : !amx.tile<16x16xi32>
      %3 = amx.tile_muli %0 zext, %1, %2 : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
      amx.tile_store %arg2[%c0, %c0], %3 : memref<16x16xi32>, !amx.tile<16x16xi32>
      return
    }
    ```
  }];
  let options = [
    tripleOption,
    Option<"processor", "cpu", "std::string", /*default=*/"\"host\"",
           "Processor to select for: `host`, `generic`, or an LLVM name">,
    featuresOption,
    Option<"vectorBits", "vector-bits", "unsigned", /*default=*/"0",
           "Vector width in bits; 0 or 512 where tiles are wanted">,
    Option<"noScalarFallback", "no-scalar-fallback", "bool", /*default=*/"false",
           "Whether a sum of tiles that stays in vectors is an error">
  ];
  let statistics = [
    Statistic<"numProducts", "num-products", "Products of tiles selected">
  ];
  let dependentDialects = [
    "::mlir::amx::AMXDialect", "::mlir::func::FuncDialect"
  ];
}

def AmpCPUPrepareABIPass : Pass<"amp-cpu-prepare-abi", "::mlir::ModuleOp"> {
  let summary = "fix who owns what at the boundary of functions on tensors";
  let description = [{
    Input: a module of functions on tensors, before bufferization.

    Marks every tensor argument of a function with a body as not writable (`bufferization.writable = false`), so
    that no kernel writes what its caller passed in. Makes the tensors that a public function returns distinct: a value that is
    returned twice, or that shares its buffer with another result (through a cast, a reshape or a slice), is copied, so that each result can be
    freed on its own. Adds `llvm.emit_c_interface` to public functions with a body.
    Signed and unsigned integer types become signless, in signatures, values and constants, and the casts between them vanish; memory
    holds the same bits, and callers keep the sign in mind.
    Arguments that `amp-split-init` added (`amp.prepared`) and those marked `amp.weight` lose these marks, which LLVM does not know. A function
    that has prepared ones gets `amp_init_weights`, the numbers of the arguments that its init function takes, and `amp_init_results`, the types of
    the tensors that this one gives, in which integers keep their sign.
    A vector that is written at the origin of a static tensor of higher rank gets an index that is not a constant: bufferization
    (MLIR 22.1) would take it for all of the tensor, and not copy the rest of one that may not change.

    Left alone: functions without a body.

    Example:

    ```mlir
    // RUN: amp-opt --amp-cpu-prepare-abi
    func.func @twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = arith.negf %x : tensor<4xf32>
      return %0, %0 : tensor<4xf32>, tensor<4xf32>
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @twice(%arg0: tensor<4xf32> {bufferization.writable = false}) -> (tensor<4xf32>, tensor<4xf32>) attributes {llvm.emit_c_interface} {
      %0 = arith.negf %arg0 : tensor<4xf32>
      %1 = bufferization.alloc_tensor() copy(%0) : tensor<4xf32>
      return %0, %1 : tensor<4xf32>, tensor<4xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numCopies", "num-copies", "Results that are copied">
  ];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def AmpCPULowerReshapesPass
    : InterfacePass<"amp-cpu-lower-reshapes", "::mlir::FunctionOpInterface"> {
  let summary = "lower memref.expand_shape by the sizes that it gives";
  let description = [{
    Input: functions on buffers. Rewrites every `memref.expand_shape` into a `memref.reinterpret_cast` with the op's own output sizes, and strides
    that follow from them. Needed because upstream's `expand-strided-metadata` infers the sizes anew, which fails where a
    group has more than one dynamic size. Guaranteed after: no `memref.expand_shape` is left. Everything else is left alone.

    Example:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(func.func(amp-cpu-lower-reshapes))"
    func.func @expand(%x: memref<6xf32>) -> memref<2x3xf32> {
      %0 = memref.expand_shape %x [[0, 1]] output_shape [2, 3] : memref<6xf32> into memref<2x3xf32>
      return %0 : memref<2x3xf32>
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @expand(%arg0: memref<6xf32>) -> memref<2x3xf32> {
      %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<6xf32> -> memref<f32>, index, index, index
      %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [2, 3], strides: [3, 1] : memref<f32> to memref<2x3xf32>
      return %reinterpret_cast : memref<2x3xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numExpanded", "num-expanded", "expand_shape ops lowered">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def AmpCPURetypeVectorsPass
    : InterfacePass<"amp-cpu-retype-vectors", "::mlir::FunctionOpInterface"> {
  let summary = "rewrite bf16, stores of lanes and shuffles that LLVM gets wrong";
  let description = [{
    Input: functions in the LLVM dialect. Loads and stores of bf16 and vectors of it, also masked ones, shuffles, selections, insertions and extractions of elements, and
    what blocks take from others, become those of i16, with bitcasts that cancel where one follows another: the same bits. Needed because LLVM 22.1 takes vectors of bf16
    apart into general registers where a processor has no instructions for them, which is slow, and loses zeros in words that it puts together there (llvm-project pull request
    205600), splits a masked store whose mask is constant into parts, and carries bf16 from block to block as f32, and rounds it again: AVX512-BF16 makes zero of subnormal
    numbers then. On processors with that it ends at the store of a single bf16 (`Cannot select: store<(s16)>`). Stores of f16 around the caches become those of i16, too.
    A store of integers or floats of 8 or 16 bits whose mask is constant with one lane set becomes a store of that lane: where the integers are truncated from 32 bits, LLVM 22.1 stores all 32 for AVX-512 (llvm-project issue 179489), and two lanes for SSE2. A shuffle to 64 bytes some of which are repeated has an
    `llvm.arithmetic.fence`, of floats, on both sides: for AVX-512 LLVM 22.1 does not end where it moves an op ahead of such a shuffle, or the shuffle ahead of the op. Everything else is left alone.

    Example:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(llvm.func(amp-cpu-retype-vectors))"
    llvm.func @store(%v: vector<4xbf16>, %p: !llvm.ptr, %m: vector<4xi1>) {
      llvm.intr.masked.store %v, %p, %m {alignment = 2 : i32} : vector<4xbf16>, vector<4xi1> into !llvm.ptr
      llvm.return
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    llvm.func @store(%arg0: vector<4xbf16>, %arg1: !llvm.ptr, %arg2: vector<4xi1>) {
      %0 = llvm.bitcast %arg0 : vector<4xbf16> to vector<4xi16>
      llvm.intr.masked.store %0, %arg1, %arg2 {alignment = 2 : i32} : vector<4xi16>, vector<4xi1> into !llvm.ptr
      llvm.return
    }
    ```
  }];
  let statistics = [Statistic<"numRetyped", "num-retyped", "Ops and arguments of bf16 or f16 that are of i16">,
                    Statistic<"numScalar", "num-scalar", "Masked stores of one lane">,
                    Statistic<"numFenced", "num-fenced", "Shuffles that repeat bytes, apart from other ops">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

include "amp/Codegen/CPU/LoopPasses.td"

#endif // AMP_CODEGEN_CPU_PASSES_TD
