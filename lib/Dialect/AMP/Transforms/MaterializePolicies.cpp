//===- MaterializePolicies.cpp - built-in policy sets as IR ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Policy/PolicySet.h"

#include "mlir/IR/Builders.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPMATERIALIZEPOLICIESPASS
#include "amp/Dialect/AMP/Transforms/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

namespace {
struct AmpMaterializePoliciesPass
    : public amp::impl::AmpMaterializePoliciesPassBase<
          AmpMaterializePoliciesPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<StringRef> wanted(sets.begin(), sets.end());
    if (wanted.empty())
      wanted.push_back("torch_cuda");
    OpBuilder builder(&getContext());
    builder.setInsertionPointToStart(module.getBody());
    for (StringRef name : wanted) {
      name.consume_front("@");
      bool isFirst = true;
      for (auto [known, device] : PolicySet::getBuiltinSets()) {
        if (known != name)
          continue;
        std::string symbol = isFirst ? name.str() : (name + "_" + device).str();
        isFirst = false;
        if (!module.lookupSymbol(symbol))
          PolicySet::getBuiltin(name, device)
              ->materialize(builder, symbol, module.getLoc());
      }
      if (!isFirst)
        continue;
      InFlightDiagnostic diag = emitError(module.getLoc())
                                << "amp-materialize-policies: there is no "
                                   "built-in policy set '"
                                << name << "'; the sets are ";
      llvm::interleaveComma(PolicySet::getBuiltinNames(), diag);
      return signalPassFailure();
    }
  }
};
} // namespace
