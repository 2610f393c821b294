//===- LoopPasses.td - passes over a CPU's loops -----------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of Passes.td, which includes it, that is about threads and rows.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_CPU_LOOPPASSES_TD
#define AMP_CODEGEN_CPU_LOOPPASSES_TD

def AmpCPUOutlineParallelPass
    : Pass<"amp-cpu-outline-parallel", "::mlir::ModuleOp"> {
  let summary = "move parallel loops into functions of a range of iterations";
  let description = [{
    Input: a module on buffers. Copies that write short rows of one buffer side by side become a loop over the rows. Every `scf.for` with the attribute `parallel_grain` that carries no values becomes a private function of what the
    loop captures and of the first and the last of the iterations to run, with that attribute, and a call of it for all iterations. Constants, and
    what widens elements, are copied rather than captured. Loops that are alike but for what they capture share one function, so that equal layers of a model are compiled once. Runs before buffers are moved out of loops, so that each thread has its own. Where such a loop has the attribute `joined`, an inner one runs from its induction variable to that plus its step (`arith.addi`): the inner loop of the function runs from the first to the end of the last iteration, as one. Of a negative `parallel_grain` each thread is to have one range.

    A loop that still carries values, because bufferization had to copy a tensor in it, or whose iterations write the same part of a buffer from
    outside of it, loses the attribute, with the remark `SerialLoop`.

    A loop with the attribute `separate` becomes such a function, too, which LLVM does not inline: what the loop keeps in registers leaves them to those around it.

    Guaranteed after: no `scf.for` has any of these attributes, and the module computes what it did, also without `amp-cpu-lower-parallel`.

    Example:

    ```mlir
    // RUN: amp-opt --amp-cpu-outline-parallel
    func.func @negate(%x: memref<64xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      scf.for %i = %c0 to %c64 step %c1 {
        %0 = memref.load %x[%i] : memref<64xf32>
        %1 = arith.negf %0 : f32
        memref.store %1, %x[%i] : memref<64xf32>
      } {parallel_grain = 8 : i64}
      return
    }
    ```
  }];
  let statistics = [
    Statistic<"numOutlined", "num-outlined", "Functions made of loops">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect"
  ];
}

def AmpCPULowerParallelPass
    : Pass<"amp-cpu-lower-parallel", "::mlir::ModuleOp"> {
  let summary = "call the functions of parallel loops through the runtime";
  let description = [{
    Input: a module in the LLVM dialect. A call of a function with the attribute `parallel_grain` (from `amp-cpu-outline-parallel`) becomes
    a call of `amp_parallel_for` (amp/Runtime/Parallel.h), which divides the iterations among threads: what the function captures goes through a
    structure on the caller's stack. Guaranteed after: no function has the attribute. Everything else is left alone.

    Example:

    ```mlir
    // RUN: amp-opt --amp-cpu-lower-parallel
    llvm.func @loop(%p: !llvm.ptr, %begin: i64, %end: i64) attributes {parallel_grain = 8 : i64, sym_visibility = "private"} {
      llvm.return
    }
    llvm.func @caller(%p: !llvm.ptr, %n: i64) {
      %0 = llvm.mlir.constant(0 : i64) : i64
      llvm.call @loop(%p, %0, %n) : (!llvm.ptr, i64, i64) -> ()
      llvm.return
    }
    ```
  }];
  let statistics = [
    Statistic<"numLowered", "num-lowered", "Calls that go through the runtime">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def AmpCPUOverlapRowsPass
    : InterfacePass<"amp-cpu-overlap-rows", "::mlir::FunctionOpInterface"> {
  let summary = "reduce the next row while one is finished";
  let description = [{
    Input: functions on vectors and buffers, after bufferization, whose loops over rows (`scf.for` without results) have `independent_rows`: what an iteration reads, no other one writes, but for buffers that each
    of them fills before it reads them. A row of a norm or a softmax begins with reductions: `scf.for` with results, which only read what rows do not write. What is made of them (lanes that are added up, a mean,
    the reciprocal of a root), each op waiting for the last, takes as long as some hundred elements of the row. So the reductions of the next row, and what is made of them, move in front of the loops that a row ends with, which write alone and then
    has nothing to wait for; a row that is the first one computes its own. What these loops ask for ahead (`memref.prefetch`) is then of the row behind the next one.

    That is so where rows take longer than memory does for them: where they have functions of math on vectors, or what is reduced is of less than 32 bits. Of rows beyond a quarter of the first cache the reductions
    stay where they are; where it is not known how long rows are, that is decided when they are computed. Scalars alone are carried from row to row.

    With AVX-512, the first reduction goes into the first loop with functions in front of those, if that has the same iterations: the one waits for memory, the
    other for units that compute. That may be another reduction, whose result is this row's then, also where a row ends without loops. What is made of the first one comes behind that loop. The row behind the last one is the last one again. Where the processor gains by it, the loop asks for the row behind the next one, and rows may be an eighth of the second cache long.

    Two more go into that loop, where each of their iterations reads of what it writes no more than the same iteration wrote: a sum of that, which reads no buffer then; and the loop that the row before ended with, in front of the rest of the iteration, as the first row has none in a copy. Behind the last row the end stands alone. What rows end with
    besides, behind whole vectors, comes first in the next row.

    Guaranteed after: no loop has `independent_rows`; results are the same, bit by bit.

    Example:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(func.func(amp-cpu-overlap-rows))"
    func.func @normalize(%x: memref<?x256xbf16>, %y: memref<?x256xbf16>, %first: index, %end: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c256 = arith.constant 256 : index
      %none = arith.constant 0.0 : bf16
      %zero = arith.constant dense<0.0> : vector<32xf32>
      %one = arith.constant 1.0 : f32
      scf.for %i = %first to %end step %c1 {
        %s = scf.for %j = %c0 to %c256 step %c32 iter_args(%sum = %zero) -> (vector<32xf32>) {
          %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x256xbf16>, vector<32xbf16>
          %w = arith.extf %v : vector<32xbf16> to vector<32xf32>
          %next = arith.addf %sum, %w : vector<32xf32>
          scf.yield %next : vector<32xf32>
        }
        %r = vector.reduction <add>, %s : vector<32xf32> into f32
        %q = arith.divf %one, %r : f32
        %b = vector.broadcast %q : f32 to vector<32xf32>
        scf.for %j = %c0 to %c256 step %c32 {
          %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x256xbf16>, vector<32xbf16>
          %w = arith.extf %v : vector<32xbf16> to vector<32xf32>
          %p = arith.mulf %w, %b : vector<32xf32>
          %t = arith.truncf %p : vector<32xf32> to vector<32xbf16>
          vector.transfer_write %t, %y[%i, %j] {in_bounds = [true]} : vector<32xbf16>, memref<?x256xbf16>
        }
      } {independent_rows}
      return
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @normalize(%arg0: memref<?x256xbf16>, %arg1: memref<?x256xbf16>, %arg2: index, %arg3: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c256 = arith.constant 256 : index
      %cst = arith.constant 0.000000e+00 : bf16
      %cst_0 = arith.constant dense<0.000000e+00> : vector<32xf32>
      %cst_1 = arith.constant 1.000000e+00 : f32
      %cst_2 = arith.constant 0.000000e+00 : f32
      %0 = scf.for %arg4 = %arg2 to %arg3 step %c1 iter_args(%arg5 = %cst_2) -> (f32) {
        %1 = arith.cmpi eq, %arg4, %arg2 : index
        %2 = scf.if %1 -> (f32) {
          %7 = scf.for %arg6 = %c0 to %c256 step %c32 iter_args(%arg7 = %cst_0) -> (vector<32xf32>) {
            %10 = vector.transfer_read %arg0[%arg4, %arg6], %cst {in_bounds = [true]} : memref<?x256xbf16>, vector<32xbf16>
            %11 = arith.extf %10 : vector<32xbf16> to vector<32xf32>
            %12 = arith.addf %arg7, %11 : vector<32xf32>
            scf.yield %12 : vector<32xf32>
          }
          %8 = vector.reduction <add>, %7 : vector<32xf32> into f32
          %9 = arith.divf %cst_1, %8 : f32
          scf.yield %9 : f32
        } else {
          scf.yield %arg5 : f32
        }
        %3 = vector.broadcast %2 : f32 to vector<32xf32>
        %4 = arith.addi %arg4, %c1 : index
        %5 = arith.cmpi slt, %4, %arg3 : index
        %6 = scf.if %5 -> (f32) {
          %7 = scf.for %arg6 = %c0 to %c256 step %c32 iter_args(%arg7 = %cst_0) -> (vector<32xf32>) {
            %10 = vector.transfer_read %arg0[%4, %arg6], %cst {in_bounds = [true]} : memref<?x256xbf16>, vector<32xbf16>
            %11 = arith.extf %10 : vector<32xbf16> to vector<32xf32>
            %12 = arith.addf %arg7, %11 : vector<32xf32>
            scf.yield %12 : vector<32xf32>
          }
          %8 = vector.reduction <add>, %7 : vector<32xf32> into f32
          %9 = arith.divf %cst_1, %8 : f32
          scf.yield %9 : f32
        } else {
          scf.yield %2 : f32
        }
        scf.for %arg6 = %c0 to %c256 step %c32 {
          %7 = vector.transfer_read %arg0[%arg4, %arg6], %cst {in_bounds = [true]} : memref<?x256xbf16>, vector<32xbf16>
          %8 = arith.extf %7 : vector<32xbf16> to vector<32xf32>
          %9 = arith.mulf %8, %3 : vector<32xf32>
          %10 = arith.truncf %9 : vector<32xf32> to vector<32xbf16>
          vector.transfer_write %10, %arg1[%arg4, %arg6] {in_bounds = [true]} : vector<32xbf16>, memref<?x256xbf16>
        }
        scf.yield %6 : f32
      }
      return
    }
    ```
  }];
  let options = [
    tripleOption,
    Option<"processor", "cpu", "std::string", /*default=*/"\"host\"",
           "Processor whose caches count: `host`, `generic`, or an LLVM name">,
    featuresOption,
    vectorBitsOption
  ];
  let statistics = [Statistic<"numOverlapped", "num-overlapped", "Loops over rows whose reductions are one row ahead">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

#endif // AMP_CODEGEN_CPU_LOOPPASSES_TD
