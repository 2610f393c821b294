//===- DropBufferNotes.cpp - what only bufferization reads ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPUDROPBUFFERNOTESPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;

namespace {
struct DropBufferNotes
    : public amp::impl::AmpCPUDropBufferNotesPassBase<DropBufferNotes> {
  using Base::Base;

  void runOnOperation() override {
    auto name = StringAttr::get(
        &getContext(),
        bufferization::BufferizationDialect::kBufferAccessAttrName);
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (function.isExternal())
        for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
          function.removeArgAttr(i, name);
  }
};
} // namespace
