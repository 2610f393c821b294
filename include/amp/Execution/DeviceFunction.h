//===- DeviceFunction.h - a function on a CUDA device -----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_EXECUTION_DEVICEFUNCTION_H
#define AMP_EXECUTION_DEVICEFUNCTION_H

#include "amp/Execution/CompiledFunction.h"
#include "amp/Execution/Roofline.h"
#include <memory>
#include <string>

struct ampModel;

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace mlir::amp {

/// A CUDA device of this machine, or the simulator in its place.
struct Device {
  int ordinal = 0;
  std::string name;
  /// The target that code for it is compiled for, such as "sm_90a" or "sim".
  std::string target;
  /// Whether the driver is the simulator's, which runs code for it alone.
  bool isSimulated = false;
  /// What it computes at most, by its description.
  PeakRates peaks;
};

/// Device number `ordinal`, for the simulator's driver too, whose functions
/// code that is compiled later then finds. The error is one line that says what
/// is missing: the driver, the device, or code for one of its compute
/// capability.
llvm::Expected<Device> findDevice(int ordinal);

/// The simulator, for code of the target `sim`: makes it the driver of this
/// process. Must come before any other use of the driver. The error is one line
/// where the environment variable AMP_CUDA_DRIVER names another driver.
llvm::Expected<Device> openSimulator();

/// What the launches of a kernel took, one after the other.
struct KernelTime {
  std::string kernel;
  /// The place in the program that the kernel comes from.
  std::string location;
  unsigned numLaunches = 0;
  /// Seconds of all launches.
  double seconds = 0;
};

/// A function whose kernels run on a device, and the rest of it here.
class DeviceFunction : public CompiledFunction {
public:
  /// Compiles the host code of the module that compileToLLVM has made of the
  /// entry `name` for `device`, and loads its kernels.
  static llvm::Expected<std::unique_ptr<DeviceFunction>>
  create(ModuleOp module, StringRef name, Signature signature,
         const Device &device);
  ~DeviceFunction() override;

  llvm::Expected<std::vector<NumpyArray>>
  run(ArrayRef<const NumpyArray *> inputs) override;
  /// Measured by events on the device; inputs and results stay there.
  llvm::Expected<std::vector<double>> time(ArrayRef<const NumpyArray *> inputs,
                                           unsigned numWarmUps,
                                           unsigned numRuns) override;

  /// Runs the function kernel by kernel; in the order of the first launches.
  llvm::Expected<std::vector<KernelTime>>
  profile(ArrayRef<const NumpyArray *> inputs);

  /// Bytes per second that the device reads and writes when it copies its
  /// memory.
  llvm::Expected<double> measureCopyRate();

private:
  using CompiledFunction::CompiledFunction;

  std::unique_ptr<ExecutionEngine> engine;
  ampModel *model = nullptr;
  int function = 0;
};

} // namespace mlir::amp

#endif // AMP_EXECUTION_DEVICEFUNCTION_H
