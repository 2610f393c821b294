//===- Target.h - what a GPU has --------------------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_TARGET_H
#define AMP_CODEGEN_GPU_TARGET_H

#include "mlir/Support/LLVM.h"

#include <string>

namespace mlir::amp::gpu {

/// A CUDA device as the compiler sees it: by the name of its architecture.
struct GPUTarget {
  /// The LLVM processor, such as "sm_90a". For the simulator, that of the
  /// device whose code it runs.
  std::string chip;
  /// The compute capability times ten: 80 for sm_80, 90 for sm_90 and sm_90a.
  unsigned capability = 0;
  /// Whether the code may use what only this architecture has ("sm_90a").
  bool isArchSpecific = false;
  /// Whether the code is run by the simulator on the host.
  bool isSimulated = false;

  /// The target called `name`: sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a,
  /// sm_100, sm_100a, sm_103, sm_103a, sm_120, sm_120a, or `sim` (the
  /// simulator, which runs code for sm_80) and `sim:<chip>`. Fails with
  /// `error` for any other.
  static FailureOr<GPUTarget> get(StringRef name, std::string &error);

  /// Bytes of shared memory that one block can have, static and dynamic: CUDA
  /// C++ Programming Guide, table "Technical Specifications per Compute
  /// Capability".
  unsigned getMaxSharedBytesPerBlock() const;
  /// Whether `cvt` between f32 or f16 and f8E4M3FN or f8E5M2 exists.
  bool hasF8Conversions() const { return capability >= 89; }
  /// Kernels that may start before the one in front has ended, and wait for it
  /// (griddepcontrol). The simulator takes any device's code.
  bool hasDependentLaunches() const { return capability >= 90 || isSimulated; }
  /// Whether warp-group matrix multiplication and bulk tensor copies exist.
  bool hasHopperTensorCores() const {
    return capability == 90 && isArchSpecific;
  }
};

} // namespace mlir::amp::gpu

#endif // AMP_CODEGEN_GPU_TARGET_H
