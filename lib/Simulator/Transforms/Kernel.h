//===- Kernel.h - a kernel on its way to the simulator ----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_SIMULATOR_TRANSFORMS_KERNEL_H
#define AMP_LIB_SIMULATOR_TRANSFORMS_KERNEL_H

#include "Emitter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::amp::sim {

/// A kernel, and what the image has to say about it.
struct Kernel {
  std::string name;
  /// The name of the function, which lowering keeps.
  std::string symbol;
  /// Runs one thread; its arguments are the thread and the parameters. Gone
  /// after lowering.
  func::FuncOp function;
  Value thread;
  /// The ops of the source, which are to be rewritten.
  SmallVector<Operation *> ops;
  SmallVector<uint32_t> paramBytes;
  uint32_t staticSharedBytes = 0;
  uint32_t maxThreads = 0;
  /// How many blocks share a multiprocessor, as far as the kernel says.
  uint32_t minBlocks = 1;
  /// Whether threads wait for each other.
  bool isCollective = false;
  unsigned numChecked = 0;
};

/// Takes the memory spaces from all types under `root`: host memory has one.
void dropMemorySpaces(Operation *root);

/// Moves the body of `source` into a new function of the emitter's module that
/// loads its arguments from the parameters of the launch. No memory spaces are
/// left, but the ops are those of the source.
FailureOr<Kernel> createKernel(Emitter &emitter, gpu::GPUFuncOp source);

/// What a rewrite says of an op.
enum class Rewritten { Unknown, Done, Failed };

/// Rewrites an op of the gpu dialect. Unknown: it is not of that dialect.
Rewritten rewriteGPUOp(Emitter &emitter, Kernel &kernel, Operation *op);
/// Rewrites an op of the nvvm dialect.
Rewritten rewriteNVVMOp(Emitter &emitter, Kernel &kernel, Operation *op);
/// Rewrites an op of the nvvm dialect that only sm_90 has. Unknown: it is none.
Rewritten rewriteHopperOp(Emitter &emitter, Kernel &kernel, Operation *op);
/// Rewrites what the llvm dialect does to memory, and inline assembly.
Rewritten rewriteLLVMOp(Emitter &emitter, Kernel &kernel, Operation *op);
/// Puts a check in front of an access to a memref. Unknown: the op is none.
Rewritten checkMemoryOp(Emitter &emitter, Kernel &kernel, Operation *op);

/// Writes the image of the kernels; its name.
std::string createImage(Emitter &emitter, StringRef prefix, Location loc,
                        MutableArrayRef<Kernel> kernels);

/// Replaces a launch by a call of the simulator.
LogicalResult lowerLaunch(Emitter &emitter, gpu::LaunchFuncOp launch,
                          Value kernelEntry);

} // namespace mlir::amp::sim

#endif // AMP_LIB_SIMULATOR_TRANSFORMS_KERNEL_H
