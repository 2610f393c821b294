//===- TestPrecisionOpInterface.cpp - passes that test interface models ---===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Formats/Formats.h"
#include "amp/Interfaces/PrecisionOpInterface.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::amp;

static StringRef stringifyRole(OperandRole role) {
  switch (role) {
  case OperandRole::Input:
    return "input";
  case OperandRole::Accumulator:
    return "accumulator";
  case OperandRole::Destination:
    return "destination";
  case OperandRole::Pinned:
    return "pinned";
  case OperandRole::Ignored:
    return "ignored";
  }
  llvm_unreachable("unknown operand role");
}

namespace {

/// A remark for each op that has a model, with all that the model says.
struct TestPrecisionInterfacePass
    : PassWrapper<TestPrecisionInterfacePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPrecisionInterfacePass)

  StringRef getArgument() const final { return "test-amp-precision-interface"; }
  StringRef getDescription() const final {
    return "print what PrecisionOpInterface says of each op";
  }
  void runOnOperation() override {
    getOperation()->walk<WalkOrder::PreOrder>(
        [](PrecisionOpInterface op) { report(op); });
  }

private:
  static void report(PrecisionOpInterface op) {
    InFlightDiagnostic remark = op->emitRemark();
    remark << op->getName().getStringRef() << ": "
           << stringifyPrecisionClass(op.getPrecisionClass()) << " (";
    llvm::interleaveComma(llvm::seq(op->getNumOperands()), remark,
                          [&](unsigned operand) {
                            remark << stringifyRole(op.getOperandRole(operand));
                          });
    remark << ")";
    SmallVector<Operation *> payload;
    op.getPayloadOperations(payload);
    if (!payload.empty()) {
      remark << " payload ";
      llvm::interleaveComma(payload, remark, [&](Operation *inner) {
        remark << inner->getName().getStringRef();
      });
    }
    if (op.acceptsMixedOperands())
      remark << " mixed";
    if (op.hasFreeResultType())
      remark << " free";
    auto number = [&](StringRef name, std::optional<int64_t> value) {
      if (value)
        remark << " " << name << " " << *value;
    };
    number("depth", op.getReductionDepth());
    number("flops", op.getNumFlops());
    number("bytes", op.getNumBytes());
  }
};

/// Retypes single ops, as amp-apply-precision does, without any policy.
struct TestPrecisionRetypePass
    : PassWrapper<TestPrecisionRetypePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPrecisionRetypePass)

  TestPrecisionRetypePass() = default;
  TestPrecisionRetypePass(const TestPrecisionRetypePass &other)
      : PassWrapper(other) {}

  StringRef getArgument() const final { return "test-amp-precision-retype"; }
  StringRef getDescription() const final {
    return "retype the ops that carry the attribute test.retype";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<AMPDialect, tensor::TensorDialect>();
  }
  void runOnOperation() override {
    Type type = parseType(to, &getContext());
    if (!isa_and_present<FloatType>(type)) {
      getOperation()->emitError("expected 'to' to be a float type, but found '")
          << to << "'";
      return signalPassFailure();
    }
    SmallVector<PrecisionOpInterface> worklist;
    getOperation()->walk([&](PrecisionOpInterface op) {
      if (op->removeDiscardableAttr("test.retype"))
        worklist.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (PrecisionOpInterface op : worklist)
      if (failed(retype(rewriter, op, type)))
        return signalPassFailure();
  }

  Option<std::string> to{*this, "to", llvm::cl::init("f16"),
                         llvm::cl::desc("storage type of the retyped ops")};

private:
  /// The types of `op` on storage type `to`: explicit casts and pinned ops keep
  /// those of their results.
  static PrecisionTypes getTypes(PrecisionOpInterface op, Type to) {
    PrecisionTypes types;
    PrecisionClass precisionClass = op.getPrecisionClass();
    bool keepsResults = precisionClass == PrecisionClass::Cast ||
                        precisionClass == PrecisionClass::Pinned;
    types.compute = op.getComputeType(to);
    for (Type type : op->getResultTypes()) {
      Type elementType = getFloatElementType(type);
      types.results.push_back(elementType && !keepsResults ? to : elementType);
    }
    for (OpOperand &operand : op->getOpOperands()) {
      Type elementType = getFloatElementType(operand.get().getType());
      switch (op.getOperandRole(operand.getOperandNumber())) {
      case OperandRole::Input:
        types.operands.push_back(to);
        break;
      case OperandRole::Accumulator:
        types.operands.push_back(types.compute);
        break;
      case OperandRole::Destination:
        types.operands.push_back(
            types.results[cast<DestinationStyleOpInterface>(op.getOperation())
                              .getTiedOpResult(&operand)
                              .getResultNumber()]);
        break;
      case OperandRole::Pinned:
        types.operands.push_back(elementType);
        break;
      case OperandRole::Ignored:
        types.operands.push_back({});
        break;
      }
    }
    return types;
  }

  static LogicalResult retype(RewriterBase &rewriter, PrecisionOpInterface op,
                              Type to) {
    PrecisionTypes types = getTypes(op, to);
    Location loc = op->getLoc();
    rewriter.setInsertionPoint(op);
    for (OpOperand &operand : op->getOpOperands()) {
      Type type = types.operands[operand.getOperandNumber()];
      Value value = operand.get();
      if (!type || getElementTypeOrSelf(value.getType()) == type)
        continue;
      if (op.getOperandRole(operand.getOperandNumber()) ==
          OperandRole::Destination)
        value = tensor::EmptyOp::create(
            rewriter, loc, tensor::getMixedSizes(rewriter, loc, value), type);
      else
        value = CastOp::create(rewriter, loc,
                               withElementType(value.getType(), type), value);
      rewriter.modifyOpInPlace(op, [&] { operand.set(value); });
    }
    SmallVector<Type> oldTypes(op->getResultTypes());
    SmallVector<Type> newTypes;
    for (auto [index, type] : llvm::enumerate(types.results))
      newTypes.push_back(type ? op.getRetypedResult(types, index) : Type());
    bool staysValid = op.getPrecisionClass() != PrecisionClass::Cast;
    if (failed(op.retype(rewriter, types)))
      return failure();
    if (!staysValid)
      return success();
    rewriter.setInsertionPointAfter(op);
    for (auto [index, result] : llvm::enumerate(op->getResults())) {
      if (newTypes[index] &&
          getElementTypeOrSelf(result.getType()) != newTypes[index])
        return op->emitError("expected result #")
               << index << " to have element type " << newTypes[index]
               << " after retyping, but found " << result.getType();
      if (result.getType() == oldTypes[index])
        continue;
      auto back = CastOp::create(rewriter, loc, oldTypes[index], result);
      rewriter.replaceAllUsesExcept(result, back, back);
    }
    return success();
  }
};

} // namespace

namespace mlir::amp::test {
void registerTestPasses() {
  PassRegistration<TestPrecisionInterfacePass>();
  PassRegistration<TestPrecisionRetypePass>();
}
} // namespace mlir::amp::test
