//===- FenceStreams.cpp - order stores that bypass the caches -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "amp/Codegen/CPU/Target.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPUFENCESTREAMSPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// Whether another thread may get to see memory through `op`: by a return, or
/// by a call with pointers. Blocks that are freed are nobody's yet.
static bool mayHandOver(Operation *op) {
  if (isa<LLVM::ReturnOp>(op))
    return true;
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call || call.getCallee() == "_mlir_memref_to_llvm_free")
    return false;
  return llvm::any_of(call.getArgOperands().getTypes(), [](Type type) {
    return isa<LLVM::LLVMPointerType>(type);
  });
}

namespace {
struct FenceStreams
    : public amp::impl::AmpCPUFenceStreamsPassBase<FenceStreams> {
  using Base::Base;

  void runOnOperation() override {
    if (!cpu::CPUTarget::getTriple(triple).isX86())
      return;
    bool streams = false;
    SmallVector<Operation *> ends;
    getOperation()->walk([&](Operation *op) {
      if (auto store = dyn_cast<LLVM::StoreOp>(op))
        streams |= store.getNontemporal();
      if (mayHandOver(op))
        ends.push_back(op);
    });
    if (!streams)
      return;
    for (Operation *end : ends) {
      OpBuilder b(end);
      LLVM::CallIntrinsicOp::create(b, end->getLoc(),
                                    b.getStringAttr("llvm.x86.sse.sfence"),
                                    ValueRange());
      ++numFences;
    }
  }
};
} // namespace
