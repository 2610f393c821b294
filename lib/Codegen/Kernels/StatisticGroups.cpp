//===- StatisticGroups.cpp - contractions with row statistics -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel of a contraction has its results in registers. Where all that is
// left to do with the rows is to reduce them, it can do that for the columns of
// its tiles, and another kernel puts the parts together: the matrix is not read
// again, and not written if nothing else asks for it.
//
//===----------------------------------------------------------------------===//

#include "StatisticGroups.h"

#include "KernelOps.h"
#include "amp/Codegen/Common/NeutralElement.h"
#include "amp/Codegen/Common/RowStatistics.h"
#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::kernels;

namespace {

/// The reductions of one group that reads the results of a contraction's group.
class StatisticSplitter {
public:
  StatisticSplitter(const KernelGroup &contraction, const KernelGroup &rows);

  /// Whether any reduction is of the contraction's results at all.
  bool isCandidate() const { return !reductions.empty(); }
  /// Why the reductions stay as they are; empty: they can be split.
  std::string check();
  /// Splits them, and adds to `group` what the contraction's kernel gets.
  void split(KernelGroup &group);

  SmallVector<linalg::GenericOp> reductions;
  /// Bytes that the kernels move less, as if dynamic sizes were large, and
  /// whether the matrix is in memory all the same.
  int64_t savedBytes = 0;
  bool isWritten = false;

private:
  using Loops = SmallVector<int>;
  /// The loop of the contraction along each dimension of `value`; nothing if
  /// it is not computed of the contraction's result alone and of broadcasts.
  std::optional<Loops> getLoops(Value value);
  bool isGiven(Value value) {
    return value.getDefiningOp() && members.contains(value.getDefiningOp());
  }
  void findFeeders();
  std::string checkRoot();
  std::string checkReduction(linalg::GenericOp op);
  bool dependsOnContraction(Value value);
  SmallVector<OpFoldResult> getRowSizes(OpBuilder &b);
  Value createElements(OpBuilder &b, linalg::GenericOp op, unsigned result);

  const KernelGroup &contraction, &rows;
  linalg::GenericOp root;
  /// The ops of the contraction's group, and those of `rows` that are computed
  /// of its results before they are reduced.
  llvm::SetVector<Operation *> members, feeders;
  llvm::DenseMap<Value, std::optional<Loops>> loops;
  llvm::DenseSet<Operation *> visited;
};

} // namespace

static bool isMap(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.getNumReductionLoops() == 0;
}

StatisticSplitter::StatisticSplitter(const KernelGroup &contraction,
                                     const KernelGroup &rows)
    : contraction(contraction), rows(rows),
      root(dyn_cast<linalg::GenericOp>(contraction.root)) {
  members.insert_range(contraction.ops);
  if (!root)
    return;
  findFeeders();
  for (Operation *op : rows.ops)
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      if (generic.getNumReductionLoops() > 0 &&
          llvm::any_of(generic.getInputs(),
                       [&](Value input) { return isGiven(input); }))
        reductions.push_back(generic);
}

void StatisticSplitter::findFeeders() {
  // In the order of the block.
  for (Operation *op : rows.ops)
    if (isMap(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
          return isGiven(operand);
        })) {
      members.insert(op);
      if (!llvm::is_contained(contraction.ops, op))
        feeders.insert(op);
    }
}

std::optional<StatisticSplitter::Loops>
StatisticSplitter::getLoops(Value value) {
  if (auto it = loops.find(value); it != loops.end())
    return it->second;
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || !members.contains(op) || (op != root && !isMap(op)))
    return std::nullopt;
  Loops iteration(op.getNumLoops(), -1);
  for (unsigned loop = 0; op == root && loop < iteration.size(); ++loop)
    iteration[loop] = loop;
  bool isKnown = true;
  for (OpOperand *input : op.getDpsInputOperands()) {
    std::optional<Loops> own =
        op == root ? std::nullopt : getLoops(input->get());
    if (!own)
      continue;
    AffineMap map = op.getMatchingIndexingMap(input);
    for (auto [expr, loop] : llvm::zip_equal(map.getResults(), *own)) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      isKnown &= dim && (iteration[dim.getPosition()] < 0 ||
                         iteration[dim.getPosition()] == loop);
      if (dim)
        iteration[dim.getPosition()] = loop;
    }
  }
  AffineMap map =
      op.getMatchingIndexingMap(op.getTiedOpOperand(cast<OpResult>(value)));
  Loops result;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    result.push_back(dim ? iteration[dim.getPosition()] : -1);
  }
  isKnown &= !llvm::is_contained(result, -1);
  std::optional<Loops> known = isKnown ? std::optional(result) : std::nullopt;
  loops[value] = known;
  return known;
}

/// Whether `value` is computed from results of the contraction's group, other
/// than by its members.
bool StatisticSplitter::dependsOnContraction(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != root->getBlock() || !visited.insert(op).second)
    return false;
  if (members.contains(op))
    return true;
  SetVector<Value> operands(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), operands);
  return llvm::any_of(
      operands, [&](Value operand) { return dependsOnContraction(operand); });
}

std::string StatisticSplitter::checkRoot() {
  if (auto schedule =
          root->getAttrOfType<StringAttr>(AMPDialect::kScheduleAttrName))
    if (!schedule.getValue().starts_with("wgmma") ||
        schedule.getValue().contains("skinny"))
      return "the contraction asks for another schedule";
  if (!linalg::isaContractionOpInterface(root) || root.getNumDpsInputs() != 2)
    return "it is no product of two matrices";
  AffineMap out = root.getMatchingIndexingMap(root.getDpsInitOperand(0));
  Type sum = getElementTypeOrSelf(root->getResult(0).getType());
  if (!out.isProjectedPermutation() || out.getNumResults() < 2 ||
      (!sum.isF32() && !sum.isInteger(32)))
    return "it is no product of two matrices with sums of f32 or i32";
  // As the schedule calls them: B has the columns.
  unsigned column = cast<AffineDimExpr>(out.getResults().back()).getPosition();
  OpOperand *a = root.getDpsInputOperand(0), *b = root.getDpsInputOperand(1);
  if (root.getMatchingIndexingMap(a).isFunctionOfDim(column))
    std::swap(a, b);
  AffineMap mapA = root.getMatchingIndexingMap(a),
            mapB = root.getMatchingIndexingMap(b);
  SmallVector<int64_t> sizes = root.getStaticLoopRanges();
  int64_t numRows = 1;
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    bool inA = mapA.isFunctionOfDim(loop), inB = mapB.isFunctionOfDim(loop);
    if (!out.isFunctionOfDim(loop) || (inA && inB))
      continue;
    if (inB && loop != column)
      return "its columns are several loops";
    if (inA)
      numRows = numRows < 0 || ShapedType::isDynamic(sizes[loop])
                    ? -1
                    : numRows * sizes[loop];
  }
  if (ShapedType::isDynamic(sizes[column]))
    return "how many columns there are is not known";
  if (sizes[column] <= kStatisticColumns ||
      (numRows >= 0 && numRows <= kStatisticColumns))
    return "tiles of few rows or columns have no statistics";
  for (OpOperand *operand : {a, b}) {
    Value value = operand->get();
    auto type = cast<RankedTensorType>(value.getType());
    AffineMap map = root.getMatchingIndexingMap(operand);
    if (!isReadNarrow(type.getElementType()) ||
        members.contains(value.getDefiningOp()) ||
        value.getDefiningOp<tensor::ExtractSliceOp>() ||
        !map.isProjectedPermutation() || type.getRank() < 2 ||
        type.isDynamicDim(type.getRank() - 1) ||
        type.getShape().back() * type.getElementTypeBitWidth() % 128 != 0 ||
        (type.getElementTypeBitWidth() == 8 &&
         out.isFunctionOfDim(
             cast<AffineDimExpr>(map.getResults().back()).getPosition())))
      return "an operand is not known to be one that TMA reads as it is";
  }
  return "";
}

std::string StatisticSplitter::checkReduction(linalg::GenericOp op) {
  AffineMap out = root.getMatchingIndexingMap(root.getDpsInitOperand(0));
  Loops ofRoot;
  for (AffineExpr expr : out.getResults())
    ofRoot.push_back(cast<AffineDimExpr>(expr).getPosition());
  if (op.getNumReductionLoops() != 1)
    return "it reduces more than the columns";
  AffineMap read;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isGiven(input->get()))
      continue;
    std::optional<Loops> own = getLoops(input->get());
    AffineMap map = op.getMatchingIndexingMap(input);
    // A value of fewer dimensions is computed of another reduction.
    if (!own || *own != ofRoot || !map.isPermutation() || (read && map != read))
      return "it reads the rows in another order";
    read = map;
  }
  unsigned column = read.getDimPosition(read.getNumResults() - 1);
  if (op.getIteratorTypesArray()[column] != utils::IteratorType::reduction)
    return "it reduces other dimensions than the columns";
  Block *body = op.getBody();
  if (!llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
        return op.getMatchingIndexingMap(&operand).isProjectedPermutation();
      }))
    return "it reads a tensor at positions that are computed";
  for (Operation &nested : *body)
    if (isa<tensor::ExtractOp>(nested) || nested.getNumRegions() > 0)
      return "it reads a tensor at positions that are computed";
  for (auto [number, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    BlockArgument sum = op.getMatchingBlockArgument(&init);
    Operation *combiner =
        body->getTerminator()->getOperand(number).getDefiningOp();
    Type type = sum.getType();
    if (!combiner || combiner->getBlock() != body || !sum.hasOneUse() ||
        *sum.user_begin() != combiner || !combiner->getResult(0).hasOneUse() ||
        combiner->getNumOperands() != 2 || !getNeutralElement(combiner))
      return "its payload is not one associative operation for each result";
    if (!type.isInteger(32) &&
        !isa<Float32Type, Float16Type, BFloat16Type>(type))
      return "it reduces other types than f32, f16, bf16 and i32";
    if (op.getMatchingIndexingMap(&init) !=
        read.dropResult(read.getNumResults() - 1))
      return "its result is not one element for each row";
  }
  return "";
}

std::string StatisticSplitter::check() {
  // All else in the group must be about rows as a whole.
  for (Operation *op : rows.ops) {
    if (feeders.contains(op) || llvm::is_contained(contraction.ops, op) ||
        llvm::is_contained(reductions, op))
      continue;
    if (llvm::any_of(op->getOperands(), [&](Value x) { return isGiven(x); }))
      return "a value of each element is read behind it, by the same kernel: "
             "as "
             "many bytes would be moved";
  }
  // A softmax, a norm, a quantisation: one kernel reads the row once, keeps it
  // in registers, and needs the statistics of the whole row before.
  const char *again = "the rows are read again behind it, by the same kernel: "
                      "as many bytes would be moved";
  SmallVector<Operation *> readers(feeders.begin(), feeders.end());
  llvm::append_range(readers, reductions);
  for (Operation *op : readers)
    for (Value operand : op->getOperands())
      if (!isGiven(operand) && dependsOnContraction(operand))
        return again;
  if (std::string reason = checkRoot(); !reason.empty())
    return reason;
  for (linalg::GenericOp op : reductions)
    if (std::string reason = checkReduction(op); !reason.empty())
      return reason;
  for (Operation *op : feeders)
    for (Operation *user : op->getUsers())
      if (!feeders.contains(user) && !llvm::is_contained(reductions, user) &&
          !llvm::is_contained(rows.copies, op))
        return again;

  // What was read, and what was written for it alone.
  llvm::SetVector<Value> read;
  for (Operation *op : readers)
    for (Value operand : op->getOperands())
      if (llvm::is_contained(contraction.ops, operand.getDefiningOp()))
        read.insert(operand);
  for (Value value : read) {
    bool isElsewhere = llvm::any_of(value.getUsers(), [&](Operation *user) {
      Operation *here = root->getBlock()->findAncestorOpInBlock(*user);
      return !members.contains(here) && !llvm::is_contained(reductions, here);
    });
    isWritten |= isElsewhere;
    savedBytes += estimateBytes(value.getType()) * (isElsewhere ? 1 : 2);
  }
  int64_t columns =
      cast<RankedTensorType>(root->getResult(0).getType()).getShape().back();
  for (linalg::GenericOp op : reductions)
    for (Type type : op->getResultTypes())
      savedBytes -= 2 * estimateBytes(type) *
                    llvm::divideCeil(columns, kStatisticColumns);
  return savedBytes > 0 ? "" : "as many bytes would be moved";
}

SmallVector<OpFoldResult> StatisticSplitter::getRowSizes(OpBuilder &b) {
  AffineMap out = root.getMatchingIndexingMap(root.getDpsInitOperand(0));
  SmallVector<int64_t> known = root.getStaticLoopRanges();
  SmallVector<OpFoldResult> sizes;
  for (AffineExpr expr : out.getResults().drop_back()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    if (!ShapedType::isDynamic(known[loop])) {
      sizes.push_back(b.getIndexAttr(known[loop]));
      continue;
    }
    for (OpOperand *input : root.getDpsInputOperands()) {
      AffineMap map = root.getMatchingIndexingMap(input);
      if (std::optional<unsigned> dim = map.getResultPosition(expr)) {
        sizes.push_back(
            tensor::DimOp::create(b, root.getLoc(), input->get(), *dim)
                .getResult());
        break;
      }
    }
  }
  return sizes;
}

/// What result `result` of `op` is a reduction of, with the columns last.
Value StatisticSplitter::createElements(OpBuilder &b, linalg::GenericOp op,
                                        unsigned result) {
  Block *body = op.getBody();
  Operation *combiner =
      body->getTerminator()->getOperand(result).getDefiningOp();
  BlockArgument sum = op.getMatchingBlockArgument(op.getDpsInitOperand(result));
  Value element = combiner->getOperand(combiner->getOperand(0) == sum ? 1 : 0);
  AffineMap read;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isGiven(input->get()))
      continue;
    read = op.getMatchingIndexingMap(input);
    if (element == op.getMatchingBlockArgument(input))
      return input->get();
  }
  SmallVector<OpFoldResult> sizes = getRowSizes(b);
  sizes.push_back(b.getIndexAttr(
      op.getStaticLoopRanges()[read.getDimPosition(read.getNumResults() - 1)]));
  Value empty =
      tensor::EmptyOp::create(b, op.getLoc(), sizes, element.getType());
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands())
    maps.push_back(op.getMatchingIndexingMap(input));
  maps.push_back(read);
  SmallVector<utils::IteratorType> iterators(op.getNumLoops(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, op.getLoc(), empty.getType(), op.getInputs(), empty, maps,
             iterators,
             [&](OpBuilder &in, Location loc, ValueRange arguments) {
               IRMapping mapping;
               for (auto [from, to] :
                    llvm::zip(body->getArguments(),
                              arguments.take_front(op.getNumDpsInputs())))
                 mapping.map(from, to);
               SetVector<Operation *> needed;
               SmallVector<Value> work = {element};
               while (!work.empty()) {
                 Operation *def = work.pop_back_val().getDefiningOp();
                 if (def && def->getBlock() == body && needed.insert(def))
                   llvm::append_range(work, def->getOperands());
               }
               for (Operation &nested : body->without_terminator())
                 if (needed.contains(&nested))
                   in.clone(nested, mapping);
               linalg::YieldOp::create(in, loc,
                                       mapping.lookupOrDefault(element));
             })
      .getResult(0);
}

/// For each of `inputs`, of one shape, what its combiner makes of its last
/// dimension, starting from its init.
static ResultRange createReductions(OpBuilder &b, Location loc,
                                    ArrayRef<Operation *> combiners,
                                    ValueRange inputs, ValueRange inits) {
  unsigned rank = cast<RankedTensorType>(inputs.front().getType()).getRank();
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps(inputs.size(), identity);
  maps.append(inits.size(), identity.dropResult(rank - 1));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             b, loc, inits.getTypes(), inputs, inits, maps, iterators,
             [&](OpBuilder &in, Location, ValueRange arguments) {
               SmallVector<Value> results;
               for (auto [number, combiner] : llvm::enumerate(combiners)) {
                 Operation *copy = in.clone(*combiner);
                 copy->setOperands(
                     {arguments[combiners.size() + number], arguments[number]});
                 results.push_back(copy->getResult(0));
               }
               linalg::YieldOp::create(in, loc, results);
             })
      ->getResults();
}

void StatisticSplitter::split(KernelGroup &group) {
  llvm::SetVector<Operation *> ops(group.ops.begin(), group.ops.end());
  for (Operation *op : feeders) {
    bool isShared = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return !members.contains(user) && !llvm::is_contained(reductions, user);
    });
    if (ops.insert(op) && isShared)
      group.copies.push_back(op);
  }
  // One kernel puts all parts together, where the last reduction was.
  SmallVector<Operation *> combiners;
  SmallVector<Value> partials, inits, results;
  for (linalg::GenericOp op : reductions) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    llvm::append_range(results, op->getResults());
    llvm::append_range(inits, op.getDpsInits());
    for (unsigned number = 0; number < op->getNumResults(); ++number) {
      Operation *combiner =
          op.getBody()->getTerminator()->getOperand(number).getDefiningOp();
      Value elements = createElements(b, op, number);
      auto type = cast<RankedTensorType>(elements.getType());
      ops.insert(elements.getDefiningOp());
      Value neutral =
          arith::ConstantOp::create(b, loc, *getNeutralElement(combiner));
      int64_t last = type.getRank() - 1, columns = type.getDimSize(last);
      int64_t parts = llvm::divideCeil(columns, kStatisticColumns);
      SmallVector<int64_t> shape(type.getShape());
      shape.back() = parts * kStatisticColumns;
      if (shape.back() != columns) {
        SmallVector<OpFoldResult> low(type.getRank(), b.getIndexAttr(0)),
            high(low);
        high.back() = b.getIndexAttr(shape.back() - columns);
        elements = tensor::PadOp::create(
            b, loc, RankedTensorType::get(shape, type.getElementType()),
            elements, low, high, neutral);
        ops.insert(elements.getDefiningOp());
      }
      SmallVector<OpFoldResult> sizes = getRowSizes(b);
      sizes.push_back(b.getIndexAttr(parts));
      Value empty =
          tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
      sizes.push_back(b.getIndexAttr(kStatisticColumns));
      shape.back() = parts;
      shape.push_back(kStatisticColumns);
      SmallVector<ReassociationIndices> dims;
      for (int64_t dim = 0; dim < last; ++dim)
        dims.push_back({dim});
      dims.push_back({last, last + 1});
      elements = tensor::ExpandShapeOp::create(
          b, loc, RankedTensorType::get(shape, type.getElementType()), elements,
          dims, sizes);
      ops.insert(elements.getDefiningOp());
      Value init = linalg::FillOp::create(b, loc, neutral, empty).getResult(0);
      Value partial =
          createReductions(b, loc, combiner, elements, init).front();
      ops.insert(partial.getDefiningOp());
      partials.push_back(partial);
      combiners.push_back(combiner);
    }
  }
  OpBuilder b(reductions.back());
  ResultRange combined = createReductions(b, reductions.back().getLoc(),
                                          combiners, partials, inits);
  for (auto [result, value] : llvm::zip_equal(results, combined))
    result.replaceAllUsesWith(value);
  for (linalg::GenericOp op : reductions)
    op->erase();
  group.ops.assign(ops.begin(), ops.end());
  llvm::sort(group.ops,
             [](Operation *l, Operation *r) { return l->isBeforeInBlock(r); });
}

std::vector<KernelGroup> kernels::splitRowStatistics(func::FuncOp function,
                                                     Block &block,
                                                     bool separatesCasts) {
  KernelFusionModel model(block, separatesCasts);
  std::vector<KernelGroup> groups;
  llvm::SmallDenseSet<const KernelGroup *> done;
  for (const KernelGroup &contraction : model.getGroups()) {
    if (contraction.kind != KernelKind::Contraction)
      continue;
    KernelGroup group = contraction;
    bool isChanged = false;
    for (const KernelGroup &rows : model.getGroups()) {
      if (rows.kind != KernelKind::RowReduction || done.contains(&rows))
        continue;
      StatisticSplitter splitter(contraction, rows);
      if (!splitter.isCandidate())
        continue;
      Location loc = splitter.reductions.front().getLoc();
      auto opts = remark::RemarkOpts::name("RowStatistics")
                      .category("amp")
                      .function(function.getName());
      if (std::string reason = splitter.check(); !reason.empty()) {
        remark::missed(loc, opts) << remark::reason("{0}", reason);
        continue;
      }
      remark::passed(loc, opts)
          << remark::metric("Reductions", splitter.reductions.size())
          << remark::metric("SavedBytes", splitter.savedBytes)
          << remark::metric("Matrix",
                            splitter.isWritten ? "written" : "in no memory");
      splitter.split(group);
      done.insert(&rows);
      isChanged = true;
    }
    if (isChanged)
      groups.push_back(std::move(group));
  }
  return groups;
}
