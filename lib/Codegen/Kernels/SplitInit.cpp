//===- SplitInit.cpp - work on weights becomes a function of its own ------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Kernels/Passes.h"

#include "KernelOps.h"
#include "amp/Codegen/Kernels/KernelFusionModel.h"
#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPSPLITINITPASS
#include "amp/Codegen/Kernels/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::kernels;

namespace {

/// What one function computes from weights and constants only.
class WeightCone {
public:
  explicit WeightCone(func::FuncOp function) : function(function) {
    for (BlockArgument argument : function.getArguments())
      if (function.getArgAttr(argument.getArgNumber(),
                              AMPDialect::kWeightAttrName))
        fixed.insert(argument);
    for (Operation &op : function.front().without_terminator())
      if (isMemoryEffectFree(&op) &&
          llvm::all_of(getReads(&op),
                       [&](Value value) { return fixed.contains(value); }))
        fixed.insert_range(op.getResults());
    // What the rest of the function reads, in the order of its ops.
    for (Operation &op : function.front()) {
      if (op.getNumResults() > 0 && fixed.contains(op.getResult(0)))
        continue;
      for (Value value : getReads(&op))
        if (fixed.contains(value))
          addPrepared(value);
      if (isCheck(&op) && llvm::all_of(getReads(&op), [&](Value value) {
            return fixed.contains(value);
          }))
        checks.push_back(&op);
    }
  }

  /// The tensors to compute ahead of time.
  ArrayRef<Value> getPrepared() const { return prepared.getArrayRef(); }

  /// The checks of what depends on weights and constants only.
  ArrayRef<Operation *> getChecks() const { return checks; }

private:
  static SmallVector<Value> getReads(Operation *op) {
    llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), values);
    return values.takeVector();
  }

  /// Whether `op` has no effect but that of checks in it.
  static bool isCheck(Operation *op) {
    bool checks = false;
    WalkResult result = op->walk([&](Operation *nested) {
      bool isAssert = isa<cf::AssertOp>(nested);
      checks |= isAssert;
      return isAssert || isMemoryEffectFree(nested) ||
                     nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>()
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    });
    return checks && !result.wasInterrupted() && op->getNumResults() == 0;
  }

  /// Whether `op` is a loop on vectors, which schedules for the CPU make of
  /// what computes or moves elements.
  static bool isVectorLoop(Operation *op) {
    return isa<LoopLikeOpInterface>(op) &&
           op->walk([](Operation *nested) {
               return nested->getName().getDialectNamespace() == "vector"
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             }).wasInterrupted();
  }

  /// Whether `op` computes or moves elements.
  static bool isWork(Operation *op) {
    return KernelFusionModel::getRole(op) == KernelRole::Work ||
           op->hasTrait<OpTrait::Elementwise>() || isVectorLoop(op);
  }

  /// Whether models can describe tensors of such elements (ampDtype): not of
  /// complex numbers, and not of parts of bytes.
  static bool isDescribed(Type element) {
    if (element.isIndex() || element.isInteger(1))
      return true;
    return element.isIntOrFloat() &&
           llvm::is_contained({8, 16, 32, 64}, element.getIntOrFloatBitWidth());
  }

  /// Whether keeping the result of `op` takes more memory than what it is
  /// computed from. Padding does, a little, and is worth it. Packing for the
  /// CPU may widen to twice the bits, and fills up whole panels.
  static bool grows(Operation *op, Value result) {
    int64_t bytes = 0;
    for (Value value : getReads(op)) {
      // A destination is not read, and a constant of one value is no memory.
      Operation *def = value.getDefiningOp();
      if (!def || !KernelFusionModel::isFree(def))
        bytes += estimateBytes(value.getType());
    }
    int64_t factor = isVectorLoop(op) ? 4 : isa<tensor::PadOp>(op) ? 2 : 1;
    return estimateBytes(result.getType()) > factor * bytes;
  }

  /// Adds `value`, or what it is a view or an enlargement of.
  void addPrepared(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !isa<RankedTensorType>(value.getType()) ||
        op->hasTrait<OpTrait::ConstantLike>() || !seen.insert(value).second)
      return;
    if (isDescribed(getElementTypeOrSelf(value.getType())) && isWork(op) &&
        !grows(op, value)) {
      prepared.insert(value);
      return;
    }
    for (Value operand : getReads(op))
      addPrepared(operand);
  }

  func::FuncOp function;
  llvm::DenseSet<Value> fixed, seen;
  llvm::SetVector<Value> prepared;
  SmallVector<Operation *> checks;
};

struct SplitInit : public amp::impl::AmpSplitInitPassBase<SplitInit> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    // All of an init function is work on weights.
    llvm::StringSet<> inits;
    for (auto function : module.getOps<func::FuncOp>())
      for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
        if (function.getArgAttr(i, AMPDialect::kPreparedAttrName))
          inits.insert((function.getName() + "_init").str());
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal() &&
          !inits.contains(function.getName()) &&
          function.getFunctionBody().hasOneBlock() &&
          SymbolTable::symbolKnownUseEmpty(function, module))
        functions.push_back(function);
    for (func::FuncOp function : functions)
      if (failed(split(function, symbols)))
        return signalPassFailure();
  }

private:
  LogicalResult split(func::FuncOp function, SymbolTable &symbols) {
    WeightCone cone(function);
    ArrayRef<Value> prepared = cone.getPrepared();
    if (prepared.empty())
      return success();
    std::string name = (function.getName() + "_init").str();
    if (Operation *other = symbols.lookup(name)) {
      auto error = function.emitOpError("has work on weights, but a function "
                                        "for it cannot be created: the name '")
                   << name << "' is taken; rename that symbol";
      error.attachNote(other->getLoc()) << "the symbol is here";
      return failure();
    }
    createInit(function, name, cone, symbols);
    usePrepared(function, prepared);
    remark::passed(function.getLoc(), remark::RemarkOpts::name("InitSplit")
                                          .category("amp")
                                          .function(function.getName()))
        << remark::metric("Init", name)
        << remark::metric("Prepared", static_cast<int64_t>(prepared.size()));
    numPrepared += prepared.size();
    return success();
  }

  /// Creates the function that computes what is prepared from the weights.
  void createInit(func::FuncOp function, StringRef name, const WeightCone &cone,
                  SymbolTable &symbols) {
    ArrayRef<Value> prepared = cone.getPrepared();
    OpBuilder b(function);
    b.setInsertionPointAfter(function);
    SmallVector<BlockArgument> weights = llvm::filter_to_vector(
        function.getArguments(), [&](BlockArgument argument) {
          return function.getArgAttr(argument.getArgNumber(),
                                     AMPDialect::kWeightAttrName) != nullptr;
        });
    SmallVector<Type> inputs = llvm::map_to_vector(
        weights, [](BlockArgument argument) { return argument.getType(); });
    auto init = func::FuncOp::create(
        b, function.getLoc(), name,
        b.getFunctionType(inputs, ValueRange(prepared).getTypes()));
    symbols.insert(init);
    Block *body = init.addEntryBlock();
    IRMapping mapping;
    for (auto [index, weight] : llvm::enumerate(weights)) {
      mapping.map(weight, body->getArgument(index));
      init.setArgAttrs(index, function.getArgAttrDict(weight.getArgNumber()));
    }
    b.setInsertionPointToEnd(body);
    llvm::SetVector<Operation *> needed;
    for (Value value : prepared)
      collect(value.getDefiningOp(), needed);
    // It runs before the function, whose checks would come too late.
    for (Operation *check : cone.getChecks())
      collect(check, needed);
    SmallVector<Operation *> ops(needed.begin(), needed.end());
    llvm::sort(ops, [](Operation *first, Operation *second) {
      return first->isBeforeInBlock(second);
    });
    for (Operation *op : ops)
      b.clone(*op, mapping);
    SmallVector<Value> results = llvm::map_to_vector(
        prepared, [&](Value value) { return mapping.lookup(value); });
    func::ReturnOp::create(b, function.getLoc(), results);
  }

  /// Adds `op` and what it is computed from.
  static void collect(Operation *op, llvm::SetVector<Operation *> &needed) {
    if (!op || !needed.insert(op))
      return;
    llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), values);
    for (Value operand : values)
      collect(operand.getDefiningOp(), needed);
  }

  /// Lets `function` take `prepared` as arguments.
  void usePrepared(func::FuncOp function, ArrayRef<Value> prepared) {
    Builder b(function.getContext());
    for (auto [index, value] : llvm::enumerate(prepared)) {
      unsigned number = function.getNumArguments();
      (void)function.insertArgument(
          number, value.getType(),
          b.getDictionaryAttr(b.getNamedAttr(AMPDialect::kPreparedAttrName,
                                             b.getI64IntegerAttr(index))),
          value.getLoc());
      Value(value).replaceAllUsesWith(function.getArgument(number));
    }
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(function.front())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }
};
} // namespace
