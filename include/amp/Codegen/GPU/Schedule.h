//===- Schedule.h - how a kernel function becomes device code ----*- C++-*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_SCHEDULE_H
#define AMP_CODEGEN_GPU_SCHEDULE_H

#include "amp/Codegen/GPU/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <string>

namespace mlir::amp::gpu {

/// The most blocks that a grid can have along x: CUDA C++ Programming Guide,
/// table "Technical Specifications per Compute Capability".
inline constexpr int64_t kMaxGrid = 2147483647;

/// A kernel function, and what it is compiled for.
struct Kernel {
  /// On tensors: inputs, then one destination for each result.
  func::FuncOp function;
  /// The types of the operands of the launch: a memref, with its layout, for
  /// each tensor argument; the argument's own type for a scalar. A shape may be
  /// more static, or more dynamic, than that of the argument.
  SmallVector<Type> operandTypes;
  GPUTarget target;
  /// Whether contractions of f32 may round their operands to tf32.
  bool allowTF32 = false;
  /// Whether products of 8-bit floats may be added up by the tensor cores of
  /// sm_90a alone, with 13 bits behind the point of the largest.
  bool fastF8 = false;
  /// The most blocks of a `map` kernel; each takes several tiles where there
  /// are more. 0: as many as a grid can have.
  int64_t mapBlocks = 0;

  /// The buffer type that is passed for the tensor argument `index`.
  MemRefType getBufferType(unsigned index) const {
    return cast<MemRefType>(operandTypes[index]);
  }
  unsigned getNumInputs() const {
    func::FuncOp f = function;
    return f.getNumArguments() - f.getNumResults();
  }
};

/// One way to turn kernel functions into device code.
class Schedule {
public:
  virtual ~Schedule() = default;

  /// The value of `amp.schedule` that asks for it.
  virtual StringRef getName() const = 0;

  /// Whether `amp.schedule` may have something behind the name, after a colon,
  /// which `match` and the others then read from the kernel function.
  virtual bool takesOptions() const { return false; }

  /// Whether `target` has what this schedule is made of. Where it has not, the
  /// schedule is not a choice.
  virtual bool isFor(const GPUTarget &target) const { return true; }

  /// Whether this schedule can take `kernel`; else `reason` says why not, as a
  /// phrase that can follow "because". An empty one, for a kernel of another
  /// kind than the schedule is for, is left out where no schedule can take the
  /// kernel and all say why; a kernel whose `amp.schedule` asks for this one
  /// needs a reason.
  virtual LogicalResult match(const Kernel &kernel,
                              std::string &reason) const = 0;

  /// Creates the device functions of `kernel`, which this schedule matches, at
  /// the end of `module`: their names start with the name of the kernel
  /// function, and their arguments are the operands of the launch, in order,
  /// then what the schedule itself adds. Their known block size is set. Fails
  /// with an error on the kernel function.
  virtual FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>>
  emitDevice(const Kernel &kernel, ::mlir::gpu::GPUModuleOp module) const = 0;

  /// Creates the launches of `functions`, which emitDevice gave, at the
  /// insertion point of `b` in a host function. `operands` are those of the
  /// amp.launch. Sizes that only run time tells are computed here. A launch may
  /// have an empty grid: the runtime skips it.
  virtual LogicalResult emitHost(const Kernel &kernel,
                                 ArrayRef<::mlir::gpu::GPUFuncOp> functions,
                                 ValueRange operands, OpBuilder &b,
                                 Location loc) const = 0;
};

/// All schedules, the one to be preferred first.
ArrayRef<const Schedule *> getSchedules();

/// Registers the dialects of the instructions that schedules create, beside
/// those of the kernels: a pass that calls emitDevice depends on them.
void registerInstructionDialects(DialectRegistry &registry);

/// Lets gpu.launch_func say that it reads and writes its buffers, and frees
/// none: what follows amp-gpu-codegen inserts deallocations around launches.
void registerLaunchEffects(DialectRegistry &registry);

/// The accessors of the schedules, each in a file of its own.
const Schedule &getAttentionSchedule();
const Schedule &getWgmmaSchedule();
const Schedule &getMmaSyncSchedule();
const Schedule &getFmaSchedule();
const Schedule &getRowReductionSchedule();
const Schedule &getColumnReductionSchedule();
const Schedule &getTransposeSchedule();
const Schedule &getMapSchedule();
const Schedule &getSimtSchedule();

/// Creates a gpu.func called `name` at the end of `module`, with the attribute
/// `gpu.kernel`, arguments of `types`, blocks of `threads` threads in x, and an
/// entry block that holds a gpu.return. Insert code before the return.
::mlir::gpu::GPUFuncOp createDeviceFunction(::mlir::gpu::GPUModuleOp module,
                                            Location loc, StringRef name,
                                            TypeRange types, unsigned threads);

/// Creates the launch of `function` with blocks of its known block size and a
/// grid of `grid` (index values, up to three; the others are one).
/// `sharedBytes` is the size of dynamic shared memory, zero for none.
::mlir::gpu::LaunchFuncOp createLaunch(OpBuilder &b, Location loc,
                                       ::mlir::gpu::GPUFuncOp function,
                                       ValueRange grid, ValueRange operands,
                                       unsigned sharedBytes = 0);

} // namespace mlir::amp::gpu

#endif // AMP_CODEGEN_GPU_SCHEDULE_H
