//===- ScopeOps.cpp - scopes ----------------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Syntax.h"
#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::amp;

#define GET_OP_CLASSES
#include "amp/Dialect/AMP/IR/AMPOps.cpp.inc"

//===----------------------------------------------------------------------===//
// AutocastOp
//===----------------------------------------------------------------------===//

void AutocastOp::build(OpBuilder &builder, OperationState &state,
                       TypeRange resultTypes, StringRef device, Type dtype,
                       ValueRange captures) {
  state.addOperands(captures);
  state.addTypes(resultTypes);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.setDevice(builder.getStringAttr(device));
  properties.setDtype(TypeAttr::get(dtype));
  properties.operandSegmentSizes = {0, static_cast<int32_t>(captures.size())};
  Block &body = state.addRegion()->emplaceBlock();
  for (Value capture : captures)
    body.addArgument(capture.getType(), capture.getLoc());
}

YieldOp AutocastOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

OperandRange AutocastOp::getEntrySuccessorOperands(RegionSuccessor successor) {
  return getCaptures();
}

void AutocastOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent())
    successors.emplace_back(&getBody(), getBody().getArguments());
  else
    successors.emplace_back(getOperation(), getResults());
}

void AutocastOp::getRegionInvocationBounds(
    ArrayRef<Attribute> operands, SmallVectorImpl<InvocationBounds> &bounds) {
  bounds.emplace_back(1, 1);
}

/// `(` `%arg` `=` `%operand` `:` type, ... `)`: operands bound to the arguments
/// of an isolated region.
static ParseResult
parseCaptures(OpAsmParser &parser, OperationState &state,
              SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  auto parseCapture = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()) ||
                   parser.parseColonType(types.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseCapture) ||
      parser.resolveOperands(operands, types, loc, state.operands))
    return failure();
  for (auto [argument, type] : llvm::zip_equal(arguments, types))
    argument.type = type;
  return success();
}

static void printCaptures(OpAsmPrinter &printer, Block &body,
                          OperandRange captures) {
  printer << '(';
  llvm::interleaveComma(
      llvm::zip_equal(body.getArguments(), captures), printer, [&](auto pair) {
        auto [argument, capture] = pair;
        printer << argument << " = " << capture << " : " << capture.getType();
      });
  printer << ')';
}

/// A type; the error for anything else names what is expected.
static ParseResult parseDtype(OpAsmParser &parser, Type &dtype) {
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult parsed = parser.parseOptionalType(dtype);
  if (parsed.has_value())
    return *parsed;
  std::string text;
  if (failed(parser.parseOptionalKeywordOrString(&text)))
    text = "something else";
  return parser.emitError(loc)
         << "expected dtype f16 or bf16, but found '" << text << "'";
}

ParseResult AutocastOp::parse(OpAsmParser &parser, OperationState &state) {
  Properties &properties = state.getOrAddProperties<Properties>();
  std::string device;
  Type dtype;
  if (parser.parseKeyword("device") || parser.parseLParen() ||
      parser.parseString(&device) || parser.parseRParen() ||
      parser.parseKeyword("dtype") || parser.parseLParen() ||
      parseDtype(parser, dtype) || parser.parseRParen())
    return failure();
  properties.setDevice(parser.getBuilder().getStringAttr(device));
  properties.setDtype(TypeAttr::get(dtype));
  int32_t numFlags = 0;
  if (succeeded(parser.parseOptionalKeyword("disabled"))) {
    properties.setDisabled(true);
  } else if (succeeded(parser.parseOptionalKeyword("if"))) {
    OpAsmParser::UnresolvedOperand flag;
    if (parser.parseOperand(flag) ||
        parser.resolveOperand(flag, parser.getBuilder().getI1Type(),
                              state.operands))
      return failure();
    numFlags = 1;
  }
  std::optional<ResultsMode> mode;
  if (parseOptionalChoice(parser, "results",
                          "results(preserve) or results(propagate)", mode))
    return failure();
  if (mode)
    properties.setResultsMode(*mode);
  if (succeeded(parser.parseOptionalKeyword("policy"))) {
    SymbolRefAttr policy;
    if (parser.parseLParen() || parser.parseAttribute(policy) ||
        parser.parseRParen())
      return failure();
    properties.setPolicy(policy);
  }
  SmallVector<OpAsmParser::Argument> arguments;
  if (parseCaptures(parser, state, arguments) ||
      parser.parseOptionalArrowTypeList(state.types) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*state.addRegion(), arguments))
    return failure();
  properties.operandSegmentSizes = {numFlags,
                                    static_cast<int32_t>(arguments.size())};
  return success();
}

void AutocastOp::print(OpAsmPrinter &printer) {
  printer << " device(" << getDeviceAttr() << ") dtype(" << getDtype() << ") ";
  if (getDisabled())
    printer << "disabled ";
  if (getFlag())
    printer << "if " << getFlag() << ' ';
  if (getResultsMode() != ResultsMode::preserve)
    printer << "results(" << stringifyResultsMode(getResultsMode()) << ") ";
  if (getPolicyAttr())
    printer << "policy(" << getPolicyAttr() << ") ";
  printCaptures(printer, getBody().front(), getCaptures());
  printer.printOptionalArrowTypeList(getResultTypes());
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getDiscardableAttrDictionary().getValue());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// What holds for the state that a scope names, structured or not.
template <typename ScopeOp>
static LogicalResult verifyState(ScopeOp op) {
  if (op.getDevice().empty())
    return op.emitOpError() << "expected a device, such as \"cuda\" or \"cpu\"";
  if (!op.getDisabled() && !isa<Float16Type, BFloat16Type>(op.getDtype()))
    return op.emitOpError()
           << "autocast is to f16 or bf16, but 'dtype' is " << op.getDtype();
  if (op.getDisabled() && op.getFlag())
    return op.emitOpError() << "is both 'disabled' and under a run-time flag";
  return success();
}

LogicalResult AutocastOp::verify() { return verifyState(*this); }

LogicalResult AutocastOp::verifyRegions() {
  // RegionBranchOpInterface has compared the types along both edges.
  if (!isa<YieldOp>(getBody().front().getTerminator()))
    return emitOpError() << "expected the body to end in amp.yield";
  return success();
}

namespace {
/// Drops captures that the body does not use, and gives captures of one value
/// one argument.
struct SimplifyCaptures : public OpRewritePattern<AutocastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AutocastOp op,
                                PatternRewriter &rewriter) const final {
    Block &body = op.getBody().front();
    llvm::BitVector erased(body.getNumArguments());
    llvm::SmallMapVector<Value, unsigned, 4> first;
    SmallVector<std::pair<unsigned, unsigned>> merged;
    for (auto [index, capture] : llvm::enumerate(op.getCaptures())) {
      if (body.getArgument(index).use_empty()) {
        erased.set(index);
        continue;
      }
      auto [it, inserted] = first.insert({capture, index});
      if (!inserted) {
        merged.emplace_back(index, it->second);
        erased.set(index);
      }
    }
    if (erased.none())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      for (auto [from, to] : merged)
        rewriter.replaceAllUsesWith(body.getArgument(from),
                                    body.getArgument(to));
      body.eraseArguments(erased);
      for (int index = erased.find_last(); index >= 0;
           index = erased.find_prev(index))
        op.getCapturesMutable().erase(index);
    });
    return success();
  }
};

/// Drops results that nobody uses, and forwards captures that are yielded as
/// they are.
struct SimplifyResults : public OpRewritePattern<AutocastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AutocastOp op,
                                PatternRewriter &rewriter) const final {
    YieldOp yield = op.getYield();
    llvm::BitVector erased(op.getNumResults());
    for (auto [result, value] :
         llvm::zip_equal(op.getResults(), yield.getOperands())) {
      auto argument = dyn_cast<BlockArgument>(value);
      bool forwarded = argument && argument.getOwner() == &op.getBody().front();
      if (!result.use_empty() && !forwarded)
        continue;
      erased.set(result.getResultNumber());
    }
    if (erased.none())
      return failure();
    SmallVector<Value> kept;
    for (auto [index, value] : llvm::enumerate(yield.getOperands()))
      if (!erased.test(index))
        kept.push_back(value);
    rewriter.setInsertionPoint(op);
    OperationState state(op.getLoc(), op->getName(), op->getOperands(),
                         ValueRange(kept).getTypes(),
                         op->getDiscardableAttrDictionary().getValue());
    state.propertiesAttr = op->getPropertiesAsAttribute();
    state.addRegion();
    auto simplified = cast<AutocastOp>(rewriter.create(state));
    SmallVector<Value> replacements;
    unsigned next = 0;
    for (auto [index, value] : llvm::enumerate(yield.getOperands())) {
      if (!erased.test(index))
        replacements.push_back(simplified.getResult(next++));
      else if (auto argument = dyn_cast<BlockArgument>(value);
               argument && argument.getOwner() == &op.getBody().front())
        replacements.push_back(op.getCaptures()[argument.getArgNumber()]);
      else
        replacements.push_back(Value());
    }
    rewriter.modifyOpInPlace(yield,
                             [&] { yield.getOperandsMutable().assign(kept); });
    rewriter.inlineRegionBefore(op.getBody(), simplified.getBody(),
                                simplified.getBody().end());
    rewriter.replaceOp(op, replacements);
    return success();
  }
};

/// A flag that is a constant is no flag.
struct FoldConstantFlag : public OpRewritePattern<AutocastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AutocastOp op,
                                PatternRewriter &rewriter) const final {
    APInt value;
    if (!op.getFlag() || !matchPattern(op.getFlag(), m_ConstantInt(&value)))
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.getFlagMutable().clear();
      op.setDisabled(value.isZero());
    });
    return success();
  }
};
} // namespace

void AutocastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *context) {
  patterns.add<SimplifyCaptures, SimplifyResults, FoldConstantFlag>(context);
}

//===----------------------------------------------------------------------===//
// Unstructured scopes
//===----------------------------------------------------------------------===//

LogicalResult ConfigOp::verify() { return verifyState(*this); }

//===----------------------------------------------------------------------===//
// Text that OutDtypeOp shares
//===----------------------------------------------------------------------===//

ParseResult OutDtypeOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  Type type, gradient;
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.setTransparent(
      succeeded(parser.parseOptionalKeyword("transparent")));
  if (succeeded(parser.parseOptionalKeyword("gradient"))) {
    if (parser.parseLParen() || parser.parseType(gradient) ||
        parser.parseRParen())
      return failure();
    properties.setGradient(TypeAttr::get(gradient));
  }
  if (parseCaptures(parser, state, arguments) || parser.parseArrow() ||
      parser.parseType(type) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*state.addRegion(), arguments))
    return failure();
  state.addTypes(type);
  return success();
}

void OutDtypeOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  if (getTransparent())
    printer << "transparent ";
  if (std::optional<Type> gradient = getGradient())
    printer << "gradient(" << *gradient << ") ";
  printCaptures(printer, getBody().front(), getCaptures());
  printer << " -> " << getType();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getDiscardableAttrDictionary().getValue());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}
