//===- InstrumentRanges.cpp - observe the values of a program -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/AMP/Transforms/InstrumentRanges.h"

#include "amp/Dialect/AMP/IR/AMPObserveOps.h"
#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Policy/ValueKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPINSTRUMENTRANGESPASS
#include "amp/Dialect/AMP/Transforms/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// Where the value exists: behind its op, or at the start of its block.
static OpBuilder getBuilderBehind(Value value) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  // Arguments are observed in their order.
  if (isa<BlockArgument>(value))
    while (builder.getInsertionPoint() != builder.getBlock()->end() &&
           isa<ObserveOp>(*builder.getInsertionPoint()))
      builder.setInsertionPointAfter(&*builder.getInsertionPoint());
  return builder;
}

//===----------------------------------------------------------------------===//
// Copies that observe
//===----------------------------------------------------------------------===//

/// The attribute of functions that this file makes: "observing", or "plain".
static constexpr StringLiteral copyAttrName = "amp.ranges_copy";

/// Takes back what an earlier run did.
static void removeObservations(ModuleOp module) {
  SmallVector<Operation *> old;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto kind = function->getAttrOfType<StringAttr>(copyAttrName);
    if (!kind)
      continue;
    old.push_back(function);
    if (kind.getValue() == "plain") {
      auto original = function->getAttrOfType<StringAttr>(kProfiledAsAttrName);
      (void)SymbolTable::replaceAllSymbolUses(function, original, module);
      continue;
    }
    // Called for what it observes only, or by others of its kind.
    if (auto uses = SymbolTable::getSymbolUses(function, module))
      for (SymbolTable::SymbolUse use : *uses)
        if (use.getUser()->use_empty() &&
            !use.getUser()->getParentOfType<func::FuncOp>()->hasAttr(
                copyAttrName))
          old.push_back(use.getUser());
  }
  for (Operation *op : llvm::reverse(old))
    op->erase();
  module.walk([&](ObserveOp op) { op.erase(); });
}

namespace {
/// Moves the observations of a module into copies of its functions.
class ObservationMover {
public:
  explicit ObservationMover(ModuleOp module) : module(module), table(module) {}

  void run() {
    findObserving();
    for (auto &[original, copy] : copies) {
      copy = makeCopy(original, "observing", "_observed");
      // What is observed is never a part of what is not.
      copy.setNoInline(true);
    }
    for (auto &[original, copy] : copies) {
      redirectCalls(copy, copies);
      original.walk([](ObserveOp op) { op.erase(); });
    }
    makePlainCopies();
    for (auto &[original, copy] : copies)
      if (!original.isPrivate())
        callFirst(original, copy);
  }

private:
  using Copies = llvm::MapVector<func::FuncOp, func::FuncOp>;

  func::FuncOp getCallee(func::CallOp call) {
    return table.lookup<func::FuncOp>(call.getCallee());
  }

  /// The functions that observe, or call one that does.
  void findObserving() {
    SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
    bool isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (func::FuncOp function : functions) {
        if (copies.contains(function))
          continue;
        WalkResult result = function.walk([&](Operation *op) {
          auto call = dyn_cast<func::CallOp>(op);
          return WalkResult(failure(
              isa<ObserveOp>(op) ||
              (call && getCallee(call) && copies.contains(getCallee(call)))));
        });
        if (!result.wasInterrupted())
          continue;
        copies[function] = nullptr;
        isChanged = true;
      }
    }
  }

  func::FuncOp makeCopy(func::FuncOp original, StringRef kind,
                        StringRef suffix) {
    func::FuncOp copy = original.clone();
    copy.setName((original.getName() + suffix).str());
    copy.setPrivate();
    OpBuilder builder(copy.getContext());
    copy->setAttr(copyAttrName, builder.getStringAttr(kind));
    copy->setAttr(kProfiledAsAttrName, original.getNameAttr());
    // Renames it if the name is taken.
    table.insert(copy, std::next(original->getIterator()));
    return copy;
  }

  void redirectCalls(func::FuncOp function, const Copies &to) {
    function.walk([&](func::CallOp call) {
      if (func::FuncOp copy = to.lookup(getCallee(call)))
        call.setCallee(copy.getName());
    });
  }

  /// A function that observes when it is called from outside must not do so
  /// when the program calls it: the copy of the caller has done it.
  void makePlainCopies() {
    Copies plain;
    for (func::FuncOp function : module.getOps<func::FuncOp>())
      function.walk([&](func::CallOp call) {
        func::FuncOp callee = getCallee(call);
        if (callee && !callee.isPrivate() && copies.contains(callee))
          plain[callee] = nullptr;
      });
    for (auto &[original, copy] : plain)
      copy = makeCopy(original, "plain", "_plain");
    for (func::FuncOp function : module.getOps<func::FuncOp>())
      redirectCalls(function, plain);
  }

  void callFirst(func::FuncOp original, func::FuncOp copy) {
    OpBuilder builder = OpBuilder::atBlockBegin(&original.front());
    func::CallOp::create(builder, original.getLoc(), copy,
                         original.getArguments());
  }

  ModuleOp module;
  SymbolTable table;
  Copies copies;
};
} // namespace

std::vector<ProfileEntry>
mlir::amp::instrumentRanges(ModuleOp module, const ProfileSelection &selection,
                            ObservedIn where) {
  removeObservations(module);
  ValueKeys keys(module);
  std::vector<ProfileEntry> entries;
  llvm::StringMap<int64_t> slots;
  for (Value value : getProfiledValues(module, keys, selection)) {
    ProfileEntry entry = makeProfileEntry(value, keys);
    auto [slot, isNew] =
        slots.try_emplace(entry.key, static_cast<int64_t>(entries.size()));
    OpBuilder builder = getBuilderBehind(value);
    ObserveOp::create(builder, value.getLoc(), entry.key, slot->second, value);
    if (isNew)
      entries.push_back(std::move(entry));
  }
  if (where == ObservedIn::Copies)
    ObservationMover(module).run();
  return entries;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct AmpInstrumentRangesPass
    : public amp::impl::AmpInstrumentRangesPassBase<AmpInstrumentRangesPass> {
  using Base::Base;

  void runOnOperation() override {
    ProfileSelection selection;
    selection.arguments = arguments;
    selection.results = results;
    selection.ops.assign(ops.begin(), ops.end());
    llvm::sort(selection.ops);
    numSlots +=
        instrumentRanges(getOperation(), selection,
                         inPlace ? ObservedIn::Place : ObservedIn::Copies)
            .size();
    getOperation().walk([&](ObserveOp op) {
      ++numObservations;
      remark::passed(op.getLoc(), remark::RemarkOpts::name("Observed")
                                      .category("amp")
                                      .subCategory("ranges"))
          << remark::metric("Key", op.getKey())
          << remark::metric("Slot", op.getSlot());
    });
  }
};
} // namespace
