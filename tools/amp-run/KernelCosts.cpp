//===- KernelCosts.cpp - what kernels must do at least --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCosts.h"

#include "ShapeEvaluator.h"
#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Interfaces/PrecisionOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;

/// Bytes of a tensor, or of nothing for a number.
static std::optional<double> getNumBytes(Value value,
                                         ShapeEvaluator &evaluator) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return 0;
  std::optional<SmallVector<int64_t>> shape = evaluator.getShape(value);
  if (!shape || !type.getElementType().isIntOrFloat())
    return std::nullopt;
  double numBytes =
      llvm::divideCeil(type.getElementTypeBitWidth(), /*bits of a byte*/ 8u);
  for (int64_t size : *shape)
    numBytes *= static_cast<double>(size);
  return numBytes;
}

/// What computes the operations of `op`.
static MathUnit getUnit(PrecisionOpInterface op, bool allowTF32) {
  PrecisionClass kind = op.getPrecisionClass();
  bool isContraction = kind == PrecisionClass::Contraction ||
                       kind == PrecisionClass::Convolution;
  if (op->getNumOperands() == 0)
    return MathUnit::F32;
  Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  if (element.isF64() ||
      (op->getNumResults() && getElementTypeOrSelf(op->getResult(0)).isF64()))
    return MathUnit::F64;
  if (!isContraction || !isa<FloatType>(element))
    return MathUnit::F32;
  switch (element.getIntOrFloatBitWidth()) {
  case 8:
    return MathUnit::F8;
  case 16:
    return MathUnit::F16;
  default:
    return allowTF32 ? MathUnit::TF32 : MathUnit::F32;
  }
}

/// `type`, of the sizes that `value` has; null where they are not known.
static Type getStaticType(Value value, ShapeEvaluator &evaluator) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.hasStaticShape())
    return value.getType();
  std::optional<SmallVector<int64_t>> shape = evaluator.getShape(value);
  return shape ? type.clone(*shape) : Type();
}

/// The operations of `op`, which does not have a number of them where a size is
/// dynamic: those of a copy of it of static sizes. Nothing where sizes are not
/// known; zero of ops that have no such number.
static std::optional<int64_t> getNumFlops(PrecisionOpInterface op,
                                          ShapeEvaluator &evaluator) {
  if (std::optional<int64_t> numFlops = op.getNumFlops())
    return numFlops;
  Block operands;
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Type type = getStaticType(operand, evaluator);
    if (!type)
      return std::nullopt;
    mapping.map(operand, operands.addArgument(type, op.getLoc()));
  }
  SmallVector<Type> results;
  for (Value result : op->getResults()) {
    Type type = getStaticType(result, evaluator);
    if (!type)
      return std::nullopt;
    results.push_back(type);
  }
  OwningOpRef<Operation *> copy(op->clone(mapping));
  for (auto [result, type] : llvm::zip_equal((*copy)->getResults(), results))
    result.setType(type);
  std::optional<int64_t> numFlops =
      cast<PrecisionOpInterface>(*copy).getNumFlops();
  return numFlops.value_or(0);
}

/// What the kernel must do, whose arguments `evaluator` knows.
static Work getWork(func::FuncOp kernel, ShapeEvaluator &evaluator,
                    bool allowTF32) {
  Work work{0, PerMathUnit<double>()};
  // Results are what the destinations, which are arguments, become.
  for (Value argument : kernel.getArguments()) {
    std::optional<double> numBytes = getNumBytes(argument, evaluator);
    if (!numBytes)
      work.numBytes.reset();
    else if (work.numBytes)
      *work.numBytes += *numBytes;
  }
  for (Operation &op : kernel.getBody().front()) {
    auto precision = dyn_cast<PrecisionOpInterface>(op);
    if (!precision || !work.numFlops)
      continue;
    if (std::optional<int64_t> numFlops = getNumFlops(precision, evaluator))
      (*work.numFlops)[getUnit(precision, allowTF32)] +=
          static_cast<double>(*numFlops);
    else
      work.numFlops.reset();
  }
  return work;
}

static bool isSame(const Work &a, const Work &b) {
  if (a.numBytes != b.numBytes ||
      a.numFlops.has_value() != b.numFlops.has_value())
    return false;
  return !a.numFlops || llvm::all_of(kMathUnits, [&](MathUnit unit) {
    return (*a.numFlops)[unit] == (*b.numFlops)[unit];
  });
}

/// An integer of an array of one.
static std::optional<int64_t> getInteger(const NumpyArray &array, Type type) {
  if (!type.isIntOrIndex() || array.getNumElements() != 1 ||
      array.getNumBytes() > sizeof(int64_t))
    return std::nullopt;
  uint64_t bits = 0;
  std::memcpy(&bits, array.getData().data(), array.getNumBytes());
  return llvm::SignExtend64(bits, 8 * array.getNumBytes());
}

KernelCosts mlir::amp::getKernelCosts(ModuleOp module, StringRef name,
                                      ArrayRef<const NumpyArray *> inputs,
                                      bool allowTF32) {
  KernelCosts costs;
  // Sizes are computed by ops that are added.
  OwningOpRef<ModuleOp> copy = module.clone();
  auto entry = copy->lookupSymbol<func::FuncOp>(name);
  if (!entry || entry.isExternal())
    return costs;
  ShapeEvaluator host;
  // What the init has prepared follows the inputs.
  for (auto [argument, input] : llvm::zip(entry.getArguments(), inputs)) {
    if (isa<RankedTensorType>(argument.getType()))
      host.setShape(argument, input->getShape());
    else if (auto number = getInteger(*input, argument.getType()))
      host.setNumber(argument, *number);
  }
  SymbolTableCollection symbols;
  SmallVector<LaunchOp> launches;
  entry.walk([&](LaunchOp launch) { launches.push_back(launch); });
  for (LaunchOp launch : launches) {
    auto kernel = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        launch, launch.getKernel());
    if (!kernel || kernel.isExternal())
      continue;
    ShapeEvaluator inside;
    for (auto [argument, operand] :
         llvm::zip_equal(kernel.getArguments(), launch->getOperands())) {
      if (isa<RankedTensorType>(operand.getType())) {
        if (std::optional<SmallVector<int64_t>> shape = host.getShape(operand))
          inside.setShape(argument, *shape);
      } else if (std::optional<int64_t> number = host.getNumber(operand)) {
        inside.setNumber(argument, *number);
      }
    }
    Work work = getWork(kernel, inside, allowTF32);
    auto [known, isNew] = costs.try_emplace(kernel.getName().str(), work);
    // The times are not told apart either.
    if (!isNew && !isSame(known->second, work))
      known->second = Work();
  }
  return costs;
}

const Work *mlir::amp::findKernelCost(const KernelCosts &costs,
                                      StringRef name) {
  const Work *best = nullptr;
  // Sorted: of two prefixes the longer one comes later.
  for (const auto &[function, cost] : costs)
    if (name.starts_with(function))
      best = &cost;
  return best;
}
