//===- AnnotateKernels.cpp - what ptxas has to know of kernels ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/NVVM/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPGPUANNOTATEKERNELSPASS
#include "amp/Codegen/NVVM/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;

// NVVMDialect.h, which has these names, is too big for so little.
static constexpr StringLiteral kKernel = "nvvm.kernel";
static constexpr StringLiteral kMaxThreads = "nvvm.maxntid";
static constexpr StringLiteral kThreads = "nvvm.reqntid";
static constexpr StringLiteral kGridConstant = "nvvm.grid_constant";

/// A tensor map, by value: what amp-gpu-prepare-kernels leaves of one. Buffers
/// are pointers to global memory.
static bool isTensorMap(LLVM::LLVMFuncOp function, unsigned argument) {
  auto type =
      dyn_cast<LLVM::LLVMPointerType>(function.getArgument(argument).getType());
  auto alignment = function.getArgAttrOfType<IntegerAttr>(
      argument, LLVM::LLVMDialect::getAlignAttrName());
  return type && type.getAddressSpace() == 0 && alignment &&
         alignment.getInt() == 64;
}

namespace {
struct AnnotateKernels
    : public amp::impl::AmpGPUAnnotateKernelsPassBase<AnnotateKernels> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (!function->hasAttr(kKernel))
        continue;
      // A known block size is exact, and PTX allows only one of the two.
      if (Attribute size = function->removeAttr(kMaxThreads)) {
        if (!function->hasAttr(kThreads))
          function->setAttr(kThreads, size);
        ++numSized;
      }
      Builder b(&getContext());
      for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
        if (!isTensorMap(function, i))
          continue;
        auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), 128);
        function.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(),
                            TypeAttr::get(bytes));
        function.setArgAttr(i, kGridConstant, b.getUnitAttr());
      }
    }
  }
};
} // namespace
