//===- ReductionDepth.cpp - how much goes into one result -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/ReductionDepth.h"

#include "amp/Interfaces/PrecisionOpInterface.h"
#include "amp/Policy/OpFunctions.h"
#include "amp/Policy/OpNames.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

namespace {
enum class DepthKind {
  None,
  LastDim,
  Dims,
  Dim,
  FromDim,
  Product,
  Conv,
  ConvTranspose,
  Convolution,
  Gemm,
  Attention,
  Einsum,
  TensorDot,
  Bilinear,
  BatchSum,
  Groups,
  Space,
  Batch,
  Adaptive,
  NumOperands
};

/// A row of the table.
struct DepthFact {
  DepthKind kind;
  unsigned operand;
  StringRef parameter;
};
} // namespace

static const DepthFact *lookupFact(StringRef name) {
  static const llvm::StringMap<DepthFact> table = [] {
    llvm::StringMap<DepthFact> facts;
#define AMP_DEPTH(NAME, KIND, OPERAND, PARAMETER)                              \
  facts.try_emplace(NAME, DepthFact{DepthKind::KIND, OPERAND, PARAMETER});
#include "ReductionDepths.def"
    return facts;
  }();
  auto it = table.find(getFactName(name));
  return it == table.end() ? nullptr : &it->second;
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

using Shape = SmallVector<int64_t>;

std::optional<Shape> mlir::amp::getStaticShape(Value value) {
  if (auto type = dyn_cast<ShapedType>(value.getType()))
    return type.hasRank() ? std::optional(Shape(type.getShape()))
                          : std::nullopt;
  return Shape();
}

/// The product of `extents`; nothing if one is dynamic. Saturates.
static std::optional<int64_t> multiply(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents) {
    if (ShapedType::isDynamic(extent))
      return std::nullopt;
    if (llvm::MulOverflow(product, extent, product))
      return std::numeric_limits<int64_t>::max();
  }
  return product;
}

namespace {
/// The depth of one op by its row of the table. Nothing where it is unknown;
/// malformed ops, which nobody verifies, give nothing too.
class DepthReader {
public:
  DepthReader(Operation *op, const DepthFact &fact, ShapeLookup getShape)
      : op(op), fact(fact), getShape(getShape) {}

  std::optional<int64_t> read() const;
  /// The dimensions that a reduction names; all if it names none.
  std::optional<Shape> getDims() const;
  std::optional<Shape> getOperandShape(unsigned operand) const {
    return operand < op->getNumOperands() ? getShape(op->getOperand(operand))
                                          : std::nullopt;
  }

private:
  std::optional<int64_t> getExtent(unsigned operand, int64_t dim) const;
  std::optional<int64_t> getTail(unsigned operand, int64_t first) const;
  std::optional<int64_t> getProductOfDims() const;
  std::optional<int64_t> getTransposedWindow() const;
  std::optional<int64_t> getEinsum() const;
  bool isSet(StringRef parameter) const {
    return getNumberParameter(op, parameter).value_or(0.0) != 0.0;
  }

  Operation *op;
  const DepthFact &fact;
  ShapeLookup getShape;
};
} // namespace

/// The extent of dimension `dim` (from the end if negative).
std::optional<int64_t> DepthReader::getExtent(unsigned operand,
                                              int64_t dim) const {
  std::optional<Shape> shape = getOperandShape(operand);
  if (!shape)
    return std::nullopt;
  int64_t rank = shape->size();
  if (rank == 0)
    return 1;
  dim = dim < 0 ? dim + rank : dim;
  if (dim < 0 || dim >= rank)
    return std::nullopt;
  return multiply((*shape)[dim]);
}

/// The product of the extents from dimension `first` on.
std::optional<int64_t> DepthReader::getTail(unsigned operand,
                                            int64_t first) const {
  std::optional<Shape> shape = getOperandShape(operand);
  if (!shape)
    return std::nullopt;
  int64_t rank = shape->size();
  first = first < 0 ? first + rank : first;
  if (first < 0 || first > rank)
    return std::nullopt;
  return multiply(ArrayRef(*shape).drop_front(first));
}

std::optional<Shape> DepthReader::getDims() const {
  std::optional<Shape> shape = getOperandShape(fact.operand);
  if (!shape)
    return std::nullopt;
  std::optional<Shape> dims;
  if (!fact.parameter.empty())
    dims = getIntegersParameter(op, fact.parameter);
  // ONNX has them as an operand.
  DenseIntElementsAttr constant;
  if (!dims && fact.operand + 1 < op->getNumOperands() &&
      getElementTypeOrSelf(op->getOperand(fact.operand + 1).getType())
          .isInteger()) {
    Operation *producer =
        traceValue(op->getOperand(fact.operand + 1)).getDefiningOp();
    if (!producer ||
        (!matchPattern(producer, m_Constant(&constant)) &&
         !(constant = producer->getAttrOfType<DenseIntElementsAttr>("value"))))
      return std::nullopt;
    dims.emplace();
    for (const APInt &value : constant.getValues<APInt>())
      dims->push_back(value.getSExtValue());
  }
  int64_t rank = shape->size();
  if (!dims || dims->empty())
    return llvm::to_vector(llvm::seq<int64_t>(rank));
  for (int64_t &dim : *dims) {
    dim = dim < 0 ? dim + rank : dim;
    if (dim < 0 || dim >= rank)
      return std::nullopt;
  }
  return dims;
}

std::optional<int64_t> DepthReader::getProductOfDims() const {
  std::optional<Shape> dims = getDims();
  std::optional<Shape> shape = getOperandShape(fact.operand);
  if (!dims || !shape)
    return std::nullopt;
  return multiply(
      llvm::map_to_vector(*dims, [&](int64_t dim) { return (*shape)[dim]; }));
}

/// Weights are C_in, C_out / groups, window. Of the window only every stride-th
/// element meets an element of the input.
std::optional<int64_t> DepthReader::getTransposedWindow() const {
  std::optional<Shape> shape = getOperandShape(fact.operand);
  if (!shape || shape->size() < 3 ||
      llvm::any_of(*shape, ShapedType::isDynamic))
    return std::nullopt;
  int64_t groups = static_cast<int64_t>(
      getNumberParameter(op, op->hasAttr("group") ? "group" : "groups")
          .value_or(1.0));
  std::optional<Shape> strides =
      getIntegersParameter(op, op->hasAttr("strides") ? "strides" : "stride");
  Shape factors = {shape->front() / std::max<int64_t>(groups, 1)};
  for (auto [index, extent] : llvm::enumerate(ArrayRef(*shape).drop_front(2))) {
    int64_t stride = 1;
    if (strides && !strides->empty())
      stride = index < strides->size() ? (*strides)[index] : strides->back();
    factors.push_back(llvm::divideCeil(extent, std::max<int64_t>(stride, 1)));
  }
  return multiply(factors);
}

/// "ij,jk->ik": the extent of j. Labels of an ellipsis are never summed where
/// the result is written out, and all of those that appear twice are where it
/// is not.
std::optional<int64_t> DepthReader::getEinsum() const {
  auto equation = op->getAttrOfType<StringAttr>(fact.parameter);
  if (!equation)
    return std::nullopt;
  std::string text;
  for (char c : equation.getValue())
    if (c != ' ')
      text += c;
  auto [inputs, output] = StringRef(text).split("->");
  bool isExplicit = StringRef(text).contains("->");
  SmallVector<StringRef> terms;
  inputs.split(terms, ',');
  if (terms.size() > op->getNumOperands())
    return std::nullopt;
  llvm::MapVector<char, int64_t> extents;
  llvm::SmallDenseMap<char, unsigned> counts;
  for (auto [index, term] : llvm::enumerate(terms)) {
    std::optional<Shape> shape = getOperandShape(index);
    if (!shape)
      return std::nullopt;
    auto [before, after] = term.split("...");
    if (before.size() + after.size() > shape->size())
      return std::nullopt;
    auto add = [&](char label, int64_t extent) {
      auto [it, inserted] = extents.insert({label, extent});
      // An extent of 1 broadcasts.
      if (!inserted && (it->second == 1 || ShapedType::isDynamic(it->second)))
        it->second = extent;
      ++counts[label];
    };
    for (auto [dim, label] : llvm::enumerate(before))
      add(label, (*shape)[dim]);
    for (auto [dim, label] : llvm::enumerate(after))
      add(label, (*shape)[shape->size() - after.size() + dim]);
  }
  Shape summed;
  for (auto [label, extent] : extents)
    if (isExplicit ? !output.contains(label) : counts.lookup(label) > 1)
      summed.push_back(extent);
  return multiply(summed);
}

std::optional<int64_t> DepthReader::read() const {
  auto firstParameter = [&](int64_t absent) {
    std::optional<Shape> values = getIntegersParameter(op, fact.parameter);
    return values && !values->empty() ? values->front() : absent;
  };
  std::optional<Shape> shape = getOperandShape(fact.operand);
  switch (fact.kind) {
  case DepthKind::None:
    return 0;
  case DepthKind::LastDim:
    return getExtent(fact.operand, -1);
  case DepthKind::Dims:
    return getProductOfDims();
  case DepthKind::Dim:
    return getExtent(fact.operand, firstParameter(-1));
  case DepthKind::FromDim:
    return getTail(fact.operand, firstParameter(-1));
  case DepthKind::Product:
    if (std::optional<Shape> factors =
            getIntegersParameter(op, fact.parameter)) {
      // One number for a square window.
      if (factors->size() == 1 && shape && fact.parameter == "kernel_size")
        factors->assign(std::max<int64_t>(int64_t(shape->size()) - 2, 1),
                        factors->front());
      return multiply(*factors);
    }
    return std::nullopt;
  case DepthKind::Conv:
    return getTail(fact.operand, 1);
  case DepthKind::ConvTranspose:
    return getTransposedWindow();
  case DepthKind::Convolution:
    return isSet(fact.parameter) ? getTransposedWindow()
                                 : getTail(fact.operand, 1);
  case DepthKind::Gemm:
    return getExtent(fact.operand, isSet(fact.parameter) ? 0 : -1);
  case DepthKind::Attention: {
    std::optional<int64_t> head = getExtent(fact.operand, -1);
    std::optional<int64_t> length = getExtent(fact.operand + 1, -2);
    return head && length ? std::optional(std::max(*head, *length))
                          : std::nullopt;
  }
  case DepthKind::Einsum:
    return getEinsum();
  case DepthKind::TensorDot:
    return getProductOfDims();
  case DepthKind::Bilinear: {
    std::optional<int64_t> left = getExtent(fact.operand, -1);
    std::optional<int64_t> right = getExtent(fact.operand + 1, -1);
    return left && right ? multiply({*left, *right}) : std::nullopt;
  }
  case DepthKind::BatchSum: {
    std::optional<int64_t> batch = getExtent(fact.operand, 0);
    std::optional<int64_t> columns = getExtent(fact.operand, -1);
    return batch && columns ? multiply({*batch, *columns}) : std::nullopt;
  }
  case DepthKind::Groups: {
    std::optional<int64_t> inner = getTail(fact.operand, 1);
    int64_t groups = firstParameter(0);
    return inner && groups > 0 ? std::optional(*inner / groups) : std::nullopt;
  }
  case DepthKind::Space:
    return getTail(fact.operand, 2);
  case DepthKind::Batch: {
    if (op->hasAttr(fact.parameter) && !isSet(fact.parameter))
      return 0;
    std::optional<int64_t> batch = getExtent(fact.operand, 0);
    std::optional<int64_t> space = getTail(fact.operand, 2);
    return batch && space ? multiply({*batch, *space}) : std::nullopt;
  }
  case DepthKind::Adaptive: {
    std::optional<Shape> sizes = getIntegersParameter(op, fact.parameter);
    if (!shape || !sizes || sizes->empty() || sizes->size() > shape->size())
      return std::nullopt;
    Shape window;
    for (auto [extent, size] :
         llvm::zip_equal(ArrayRef(*shape).take_back(sizes->size()), *sizes)) {
      if (ShapedType::isDynamic(extent) || size <= 0)
        return std::nullopt;
      window.push_back(llvm::divideCeil(extent, size));
    }
    return multiply(window);
  }
  case DepthKind::NumOperands:
    return op->getNumOperands();
  }
  llvm_unreachable("all kinds are handled");
}

//===----------------------------------------------------------------------===//
// Ops with an interface
//===----------------------------------------------------------------------===//

/// The extents of the loops of `op` that reduce, by the shapes of its operands.
static std::optional<Shape> getReducedExtents(linalg::LinalgOp op,
                                              ShapeLookup getShape) {
  Shape loops(op.getNumLoops(), ShapedType::kDynamic);
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    std::optional<Shape> shape = getShape(operand.get());
    if (!shape || shape->size() != map.getNumResults())
      continue;
    for (auto [extent, result] : llvm::zip_equal(*shape, map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(result))
        if (!ShapedType::isDynamic(extent))
          loops[dim.getPosition()] = extent;
  }
  Shape reduced;
  for (auto [extent, iterator] :
       llvm::zip_equal(loops, op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction)
      reduced.push_back(extent);
  return reduced;
}

static ReductionDepth getInterfaceDepth(Operation *op, ShapeLookup getShape) {
  auto interface = dyn_cast<PrecisionOpInterface>(op);
  if (!interface)
    return {};
  switch (interface.getPrecisionClass()) {
  case PrecisionClass::Contraction:
  case PrecisionClass::Convolution:
  case PrecisionClass::Pooling:
  case PrecisionClass::Reduction:
  case PrecisionClass::Normalization:
    break;
  default:
    return {};
  }
  std::optional<int64_t> depth = interface.getReductionDepth();
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!depth && structured)
    if (std::optional<Shape> extents = getReducedExtents(structured, getShape))
      depth = multiply(*extents);
  return ReductionDepth::get(depth);
}

//===----------------------------------------------------------------------===//
// Peers
//===----------------------------------------------------------------------===//

/// Torch-TensorRT knows products of matrices, by the last extent of the first
/// operand, and attention. It looks for the weight of a convolution where it
/// never is.
static ReductionDepth getTorchTRTDepth(Operation *op, const DepthFact &fact,
                                       const DepthReader &reader) {
  static constexpr StringLiteral matmuls[] = {"aten.matmul", "aten.dot",
                                              "aten.mm", "aten.mv", "aten.bmm"};
  std::optional<Shape> shape = reader.getOperandShape(0);
  if (!shape)
    return {};
  if (fact.kind == DepthKind::Attention) {
    if (shape->size() == 3)
      return ReductionDepth::get(multiply((*shape)[2]));
    if (shape->size() == 4)
      return ReductionDepth::get(multiply({(*shape)[1], (*shape)[3]}));
    return {};
  }
  if (shape->empty() ||
      !llvm::is_contained(matmuls, getFactName(op->getName().getStringRef())))
    return {};
  return ReductionDepth::get(multiply(shape->back()));
}

/// ModelOpt compares each reduced dimension alone, and takes the rank of an
/// operand of Mean for their number.
static ReductionDepth getModelOptDepth(Operation *op, const DepthFact &fact,
                                       const DepthReader &reader) {
  std::optional<Shape> shape = reader.getOperandShape(0);
  if (!shape)
    return {};
  switch (fact.kind) {
  case DepthKind::Attention:
    if (shape->size() == 3)
      return ReductionDepth::get(multiply((*shape)[2]));
    if (shape->size() == 4)
      return ReductionDepth::get(multiply({(*shape)[1], (*shape)[3]}));
    return {};
  case DepthKind::LastDim:
    shape = reader.getOperandShape(fact.operand);
    return shape && shape->size() < 2 ? ReductionDepth{ReductionDepth::Known, 0}
                                      : ReductionDepth::get(reader.read());
  case DepthKind::Conv:
  case DepthKind::Gemm:
    return ReductionDepth::get(reader.read());
  case DepthKind::NumOperands:
    return {ReductionDepth::Known, static_cast<int64_t>(shape->size())};
  case DepthKind::Dims: {
    std::optional<Shape> dims = reader.getDims();
    if (!dims)
      return {};
    int64_t largest = 0;
    for (int64_t dim : *dims)
      if (!ShapedType::isDynamic((*shape)[dim]))
        largest = std::max(largest, (*shape)[dim]);
    return {ReductionDepth::Known, largest};
  }
  default:
    return {};
  }
}

ReductionDepth mlir::amp::getReductionDepth(Operation *op, ShapeLookup getShape,
                                            Peer peer) {
  const DepthFact *fact = lookupFact(op->getName().getStringRef());
  if (!fact)
    // The peers know no structured ops. What they know of products is as ours.
    return getInterfaceDepth(op, getShape);
  DepthReader reader(op, *fact, getShape);
  if (peer == Peer::torch_trt)
    return getTorchTRTDepth(op, *fact, reader);
  if (peer == Peer::modelopt)
    return getModelOptDepth(op, *fact, reader);
  std::optional<int64_t> depth = reader.read();
  if (depth == 0 &&
      (fact->kind == DepthKind::None || fact->kind == DepthKind::Batch))
    return {};
  return ReductionDepth::get(depth);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::optional<Peer> mlir::amp::symbolizePeer(StringRef name) {
  if (name == "none")
    return Peer::none;
  if (name == "modelopt")
    return Peer::modelopt;
  return name == "torch-trt" ? std::optional(Peer::torch_trt) : std::nullopt;
}

StringRef mlir::amp::stringifyPeer(Peer peer) {
  switch (peer) {
  case Peer::none:
    return "none";
  case Peer::modelopt:
    return "modelopt";
  case Peer::torch_trt:
    return "torch-trt";
  }
  llvm_unreachable("all peers are handled");
}
