//===- WidenExtrema.cpp - maxima of narrow floats in f32 ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The largest of many numbers of a narrow type is one of them, in f32 too.
// Processors compare in f32, and what a reduction has so far would be rounded
// to the narrow type, and widened again, at each step. Here it is kept in f32,
// and narrowed at the end, which is exact.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

static bool isNarrow(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
}

/// Which narrow floats of the body of `op` are chosen among what results start
/// from and other numbers: arguments, and what is chosen among them. None where
/// something else is computed of one.
static llvm::SetVector<Value> getChosen(linalg::GenericOp op) {
  llvm::SetVector<Value> chosen;
  for (BlockArgument argument : op.getRegionOutputArgs())
    if (isNarrow(argument.getType()) && !argument.use_empty())
      chosen.insert(argument);
  for (Operation &nested : op.getBody()->without_terminator()) {
    auto isChosen = [&](Value value) { return chosen.contains(value); };
    if (nested.getNumRegions() > 0)
      return {};
    if (llvm::none_of(nested.getOperands(), isChosen))
      continue;
    if (!isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::CmpFOp, arith::SelectOp>(nested))
      return {};
    if (isNarrow(nested.getResult(0).getType()))
      chosen.insert(nested.getResult(0));
  }
  for (auto [argument, value] :
       llvm::zip_equal(op.getRegionOutputArgs(),
                       op.getBody()->getTerminator()->getOperands()))
    if (chosen.contains(argument) != chosen.contains(value))
      return {};
  return chosen;
}

/// `value` with elements of another type; what it starts from is `init`.
static Value convert(OpBuilder &b, Location loc, Value value, Value init) {
  auto type = cast<RankedTensorType>(init.getType());
  unsigned rank = type.getRank();
  return linalg::GenericOp::create(
             b, loc, type, value, init,
             SmallVector<AffineMap>(2, b.getMultiDimIdentityMap(rank)),
             SmallVector<utils::IteratorType>(rank,
                                              utils::IteratorType::parallel),
             [&](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(
                   b, loc,
                   convertScalarToDtype(b, loc, args[0], type.getElementType(),
                                        /*isUnsignedCast=*/false));
             })
      .getResult(0);
}

/// `init`, which a reduction starts from, in f32.
static Value widenInit(OpBuilder &b, Location loc, Value init) {
  Type wide = b.getF32Type();
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, init), wide);
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (!fill)
    return convert(b, loc, init, empty);
  Value value = arith::ExtFOp::create(b, loc, wide, fill.value());
  return linalg::FillOp::create(b, loc, value, empty).result();
}

/// Makes a clone of `op` that keeps what is `chosen` in f32.
static void widen(RewriterBase &rewriter, linalg::GenericOp op,
                  const llvm::SetVector<Value> &chosen) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Type wide = rewriter.getF32Type();
  SmallVector<Value> inits(op.getDpsInits());
  for (auto [init, argument] : llvm::zip_equal(inits, op.getRegionOutputArgs()))
    if (chosen.contains(argument))
      init = widenInit(rewriter, loc, init);
  auto widened = linalg::GenericOp::create(
      rewriter, loc, ValueRange(inits).getTypes(), op.getInputs(), inits,
      op.getIndexingMapsArray(), op.getIteratorTypesArray(),
      [&](OpBuilder &b, Location, ValueRange args) {
        // What each value is, and what it is where one is chosen.
        IRMapping mapping, operands;
        mapping.map(op.getBody()->getArguments(), args);
        for (Operation &nested : *op.getBody()) {
          bool isChoice = !isa<linalg::YieldOp>(nested) &&
                          llvm::any_of(nested.getOperands(), [&](Value v) {
                            return chosen.contains(v);
                          });
          for (Value value : nested.getOperands()) {
            if (!isChoice || operands.contains(value))
              continue;
            Value same = mapping.lookupOrDefault(value);
            if (isNarrow(value.getType()) && !chosen.contains(value))
              same = arith::ExtFOp::create(b, nested.getLoc(), wide, same);
            operands.map(value, same);
          }
          Operation *copy = b.clone(nested, isChoice ? operands : mapping);
          for (auto [from, to] :
               llvm::zip_equal(nested.getResults(), copy->getResults())) {
            if (chosen.contains(from))
              to.setType(wide);
            mapping.map(from, to);
          }
        }
      });
  SmallVector<Value> results(widened->getResults());
  for (auto [result, init, argument] :
       llvm::zip_equal(results, op.getDpsInits(), op.getRegionOutputArgs())) {
    if (!chosen.contains(argument))
      continue;
    // A tensor of the program's is where the result belongs.
    Value place = init;
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      place = fill.output();
    result = convert(rewriter, loc, result, place);
  }
  rewriter.replaceOp(op, results);
}

void cpu::widenExtrema(FunctionOpInterface function) {
  SmallVector<linalg::GenericOp> ops;
  function->walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics() && op.getNumReductionLoops() > 0)
      ops.push_back(op);
  });
  IRRewriter rewriter(function->getContext());
  for (linalg::GenericOp op : ops)
    if (llvm::SetVector<Value> chosen = getChosen(op); !chosen.empty())
      widen(rewriter, op, chosen);
}
