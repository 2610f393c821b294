//===- RowFusion.cpp - one loop over rows for several ops -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A group starts at a reduction whose parallel loops come before its reduced
// ones: those are the rows. It grows along values that have all rows among
// their dimensions. The group becomes loops over the rows around the ops on
// slices of one row; each op is scheduled on its own afterwards. Upstream's
// tile-and-fuse is not used because it takes one consumer at a time: here two
// reductions of one row, and results that are also used elsewhere, are common.
//
//===----------------------------------------------------------------------===//

#include "RowFusion.h"

#include "ContractionPlan.h"
#include "Emit.h"
#include "Epilogue.h"
#include "Parallel.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <deque>

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

namespace {

/// What a loop or a dimension of a tensor is: the number of the rows' loop that
/// it runs along, or kColumn.
constexpr int kColumn = -1;
using Labels = SmallVector<int>;

/// A row below so many elements is not worth a loop of its own, one above so
/// many does not stay in the cache.
constexpr int64_t kShortest = 16, kLongest = 256 * 1024;

/// An op of a group: the labels of its loops (linalg) or of the dimensions of
/// its result (reshapes).
struct Member {
  Labels labels;
};

bool isReshape(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

class RowGroup {
public:
  RowGroup(linalg::GenericOp seed, const CPUTarget &target)
      : seed(seed), block(seed->getBlock()), target(target) {}

  /// Finds the ops of the group; false if no loop is to be made.
  bool grow();

  /// Makes the loops in place of the ops.
  void emit(IRRewriter &rewriter);

  ArrayRef<Operation *> getOps() const { return ops; }

private:
  bool start();
  bool hasAllRows(ArrayRef<int> labels) const {
    return llvm::all_of(llvm::seq<int>(numRows),
                        [&](int row) { return llvm::count(labels, row) == 1; });
  }
  std::optional<Labels> getLabels(AffineMap map, ArrayRef<int> loops) const;
  bool isLinked(Operation *op) const;
  bool tryAdd(Operation *op);
  bool labelGeneric(linalg::GenericOp op, Member &member,
                    SmallVectorImpl<std::pair<Value, Labels>> &found) const;
  bool labelReshape(Operation *op, Member &member,
                    SmallVectorImpl<std::pair<Value, Labels>> &found) const;
  bool isNeededBefore(Value value) const;
  bool staysConvex(Operation *added) const;
  bool isMember(Value value) const {
    return value.getDefiningOp() && members.contains(value.getDefiningOp());
  }
  /// Whether `user` stays outside the loops. Reshapes whose results are used
  /// there are made in both places.
  bool isOutside(Operation *user) const {
    Operation *op = block->findAncestorOpInBlock(*user);
    return !members.contains(op) ||
           (isReshape(op) && escapes(op->getResult(0)));
  }
  bool escapes(Value value) const {
    return llvm::any_of(value.getUsers(),
                        [&](Operation *user) { return isOutside(user); });
  }
  int64_t getWorkOfRow();

  Value slice(OpBuilder &b, Value value, ArrayRef<int> labels);
  Value makeInit(OpBuilder &b, OpOperand &init, Value result);
  void emitGeneric(OpBuilder &b, linalg::GenericOp op);
  void emitReshape(OpBuilder &b, Operation *op);
  struct Part {
    SmallVector<OpFoldResult> offsets, sizes, strides;
  };
  Part getPart(OpBuilder &b, Value value, ArrayRef<int> labels);

  linalg::GenericOp seed;
  Block *block;
  const CPUTarget &target;
  int numRows = 0;
  llvm::MapVector<Operation *, Member> members;
  /// The tensors that have all rows, and how.
  llvm::MapVector<Value, Labels> values;
  /// The members, in the order of the block.
  SmallVector<Operation *> ops;

  // While the loops are made:
  SmallVector<Value> rows;
  DenseMap<Value, Value> local;
  /// The results that are used outside, and where their rows go: of which
  /// tensor, and to which part of it.
  llvm::MapVector<Value, Value> outer;
  DenseMap<Value, Part> parts;
};

} // namespace

//===----------------------------------------------------------------------===//
// Finding the ops
//===----------------------------------------------------------------------===//

/// The labels of the dimensions of an operand with `map`; nothing if some
/// dimension mixes a row with something else.
std::optional<Labels> RowGroup::getLabels(AffineMap map,
                                          ArrayRef<int> loops) const {
  Labels labels;
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      labels.push_back(loops[dim.getPosition()]);
      continue;
    }
    for (auto [d, label] : llvm::enumerate(loops))
      if (label != kColumn && expr.isFunctionOfDim(d))
        return std::nullopt;
    labels.push_back(kColumn);
  }
  return labels;
}

/// Labels the loops of the seed; false if it does not reduce rows.
bool RowGroup::start() {
  Member member;
  for (OpOperand *in : seed.getDpsInputOperands()) {
    AffineMap map = seed.getMatchingIndexingMap(in);
    if (!map.isPermutation())
      continue;
    member.labels.assign(seed.getNumLoops(), kColumn);
    SmallVector<utils::IteratorType> kinds = seed.getIteratorTypesArray();
    for (AffineExpr expr : map.getResults()) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      if (kinds[dim] != utils::IteratorType::parallel)
        break;
      member.labels[dim] = numRows++;
    }
    break;
  }
  if (numRows == 0)
    return false;
  for (OpOperand &operand : seed->getOpOperands())
    if (std::optional<Labels> labels =
            getLabels(seed.getMatchingIndexingMap(&operand), member.labels);
        labels && hasAllRows(*labels))
      values.insert({operand.get(), *labels});
  // The filled initial value is no link: other reductions may share it.
  for (Value init : seed.getDpsInits())
    values.erase(init);
  return tryAdd(seed);
}

bool RowGroup::isLinked(Operation *op) const {
  bool reduces = false;
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    reduces = generic.getNumReductionLoops() > 0;
  return llvm::any_of(op->getOperands(),
                      [&](Value v) {
                        return values.contains(v) && (reduces || isMember(v));
                      }) ||
         llvm::any_of(op->getResults(),
                      [&](Value v) { return values.contains(v); });
}

bool RowGroup::labelGeneric(
    linalg::GenericOp op, Member &member,
    SmallVectorImpl<std::pair<Value, Labels>> &found) const {
  if (!op.hasPureTensorSemantics() || op.getNumResults() == 0 ||
      isPackableContraction(op, target))
    return false;
  // What the body reads of its surroundings must not be made in the loop.
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  if (llvm::any_of(captured, [&](Value v) { return isMember(v); }))
    return false;
  std::optional<int> none;
  SmallVector<std::optional<int>> loops(op.getNumLoops(), none);
  auto follow = [&](Value value, AffineMap map) {
    auto it = values.find(value);
    if (it == values.end())
      return true;
    for (auto [expr, label] : llvm::zip_equal(map.getResults(), it->second)) {
      if (label == kColumn)
        continue;
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        return false;
      std::optional<int> &loop = loops[dim.getPosition()];
      if (loop && *loop != label)
        return false;
      loop = label;
    }
    return true;
  };
  for (OpOperand &operand : op->getOpOperands())
    if (!follow(operand.get(), op.getMatchingIndexingMap(&operand)))
      return false;
  for (OpResult result : op->getResults())
    if (!follow(result, op.getIndexingMapMatchingResult(result)))
      return false;
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (auto [loop, kind] : llvm::zip_equal(loops, kinds)) {
    member.labels.push_back(loop.value_or(kColumn));
    if (loop && kind != utils::IteratorType::parallel)
      return false;
  }
  if (!hasAllRows(member.labels))
    return false;
  int64_t columns = 1;
  for (auto [label, size] :
       llvm::zip_equal(member.labels, op.getStaticLoopRanges()))
    if (label == kColumn && !ShapedType::isDynamic(size))
      columns *= size;
  if (columns > kLongest)
    return false;

  auto addValue = [&](Value value, AffineMap map, bool isOwn) {
    if (!isa<RankedTensorType>(value.getType()))
      return true;
    std::optional<Labels> labels = getLabels(map, member.labels);
    if (!labels)
      return false;
    bool isFull = hasAllRows(*labels);
    if (!isFull)
      return !isOwn && !isMember(value);
    // Columns must be what lies next to each other.
    if (llvm::is_contained(*labels, kColumn) && labels->back() != kColumn)
      return false;
    auto it = values.find(value);
    if (it != values.end())
      return it->second == *labels;
    found.push_back({value, *labels});
    return true;
  };
  for (OpOperand &operand : op->getOpOperands()) {
    if (op.isDpsInit(&operand)) {
      if (isMember(operand.get()))
        return false;
      continue;
    }
    if (!addValue(operand.get(), op.getMatchingIndexingMap(&operand), false))
      return false;
  }
  for (OpResult result : op->getResults())
    if (!addValue(result, op.getIndexingMapMatchingResult(result), true))
      return false;
  return true;
}

/// Reshapes that only add or drop dimensions of size 1.
bool RowGroup::labelReshape(
    Operation *op, Member &member,
    SmallVectorImpl<std::pair<Value, Labels>> &found) const {
  SmallVector<ReassociationIndices> groups;
  Value narrow, wide;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    groups = expand.getReassociationIndices();
    narrow = expand.getSrc();
    wide = expand.getResult();
  } else {
    auto collapse = cast<tensor::CollapseShapeOp>(op);
    groups = collapse.getReassociationIndices();
    narrow = collapse.getResult();
    wide = collapse.getSrc();
  }
  auto wideType = cast<RankedTensorType>(wide.getType());
  Labels ofNarrow(groups.size(), kColumn), ofWide(wideType.getRank(), kColumn);
  auto narrowIt = values.find(narrow), wideIt = values.find(wide);
  for (auto [d, group] : llvm::enumerate(groups)) {
    SmallVector<int64_t> real = llvm::filter_to_vector(
        group, [&](int64_t w) { return wideType.getDimSize(w) != 1; });
    if (real.size() > 1)
      return false;
    // Among dimensions of size 1, the first stands for the group's one.
    int64_t at = real.empty() ? group.front() : real.front();
    int label = kColumn;
    if (narrowIt != values.end())
      label = narrowIt->second[d];
    else if (wideIt != values.end())
      label = wideIt->second[at];
    ofNarrow[d] = ofWide[at] = label;
  }
  if (!hasAllRows(ofWide) ||
      (narrowIt != values.end() && narrowIt->second != ofNarrow) ||
      (wideIt != values.end() && wideIt->second != ofWide))
    return false;
  if (narrowIt == values.end())
    found.push_back({narrow, ofNarrow});
  if (wideIt == values.end())
    found.push_back({wide, ofWide});
  member.labels = op->getResult(0) == wide ? ofWide : ofNarrow;
  return true;
}

/// Whether a member starts from `value`, or reads other rows of it than that
/// which the loops are at (as its body may at any index), so that all of them
/// have to be made before the loops.
bool RowGroup::isNeededBefore(Value value) const {
  auto rowsOf = values.find(value);
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = block->findAncestorOpInBlock(*use.getOwner());
    auto reader = dyn_cast_or_null<linalg::GenericOp>(user);
    auto member = members.find(user);
    if (!reader || member == members.end())
      return false;
    if (user != use.getOwner() || reader.isDpsInit(&use))
      return true;
    std::optional<Labels> labels =
        getLabels(reader.getMatchingIndexingMap(&use), member->second.labels);
    return !labels || rowsOf == values.end() || *labels != rowsOf->second;
  });
}

/// Whether the group with `added` can be one op: nothing between its ops both
/// reads what it makes and makes what it reads.
bool RowGroup::staysConvex(Operation *added) const {
  SmallVector<Operation *> work;
  DenseSet<Operation *> seen;
  Operation *last = added;
  auto inside = [&](Operation *op) {
    return op == added || members.contains(op);
  };
  auto pushUsers = [&](Operation *op) {
    op->walk([&](Operation *nested) {
      for (Operation *user : nested->getUsers())
        if (Operation *top = block->findAncestorOpInBlock(*user);
            top && top != op && !inside(top) && seen.insert(top).second)
          work.push_back(top);
    });
  };
  for (auto &[op, member] : members)
    if (last->isBeforeInBlock(op))
      last = op;
  pushUsers(added);
  for (auto &[op, member] : members)
    pushUsers(op);
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (!op->isBeforeInBlock(last))
      continue;
    bool returns = false;
    op->walk([&](Operation *nested) {
      for (Operation *user : nested->getUsers())
        if (Operation *top = block->findAncestorOpInBlock(*user))
          returns |= inside(top);
    });
    if (returns)
      return false;
    pushUsers(op);
  }
  return true;
}

/// Whether `op` makes narrower elements of the result of a product, and joins
/// its epilogue: better done where that result is in registers, as less of it
/// goes through memory (scores of attention in bf16).
static bool narrowsProduct(linalg::GenericOp op, const CPUTarget &target) {
  if (op.getNumResults() != 1)
    return false;
  Type narrow = getElementTypeOrSelf(op.getResult(0));
  return llvm::any_of(op.getDpsInputs(), [&](Value in) {
    auto product = in.getDefiningOp<linalg::LinalgOp>();
    Type wide = getElementTypeOrSelf(in);
    if (!product || !in.hasOneUse() || !wide.isIntOrFloat() ||
        !narrow.isIntOrFloat() ||
        wide.getIntOrFloatBitWidth() <= narrow.getIntOrFloatBitWidth() ||
        !isPackableContraction(product, target))
      return false;
    std::optional<Roles> roles = matchRoles(product);
    return roles && llvm::is_contained(
                        Epilogue::collect(product, roles->n).getOps(), op);
  });
}

bool RowGroup::tryAdd(Operation *op) {
  Member member;
  SmallVector<std::pair<Value, Labels>> found;
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    if (narrowsProduct(generic, target) ||
        !labelGeneric(generic, member, found))
      return false;
  } else if (!isReshape(op) || !labelReshape(op, member, found)) {
    return false;
  }
  if (llvm::any_of(op->getResults(),
                   [&](Value v) { return isNeededBefore(v); }) ||
      !staysConvex(op))
    return false;
  members.insert({op, member});
  for (auto &entry : found)
    values.insert(entry);
  return true;
}

bool RowGroup::grow() {
  if (!start())
    return false;
  // Along each new value to its other users and to what makes it.
  std::deque<Operation *> work;
  DenseSet<Operation *> queued;
  unsigned done = 0;
  auto enqueue = [&] {
    for (; done < values.size(); ++done) {
      Value value = (values.begin() + done)->first;
      SmallVector<Operation *> near = llvm::to_vector(value.getUsers());
      std::reverse(near.begin(), near.end());
      if (Operation *maker = value.getDefiningOp())
        near.push_back(maker);
      for (Operation *op : near)
        if (op->getBlock() == block && !members.contains(op) &&
            queued.insert(op).second)
          work.push_back(op);
    }
  };
  enqueue();
  bool changed = true;
  while (changed) {
    changed = false;
    std::deque<Operation *> later;
    while (!work.empty()) {
      Operation *op = work.front();
      work.pop_front();
      if (isLinked(op) && tryAdd(op)) {
        changed = true;
        enqueue();
      } else {
        later.push_back(op);
      }
    }
    work = later;
  }
  // Reshapes at the ends only rename.
  changed = true;
  while (changed) {
    changed = false;
    for (auto &[op, member] : llvm::make_early_inc_range(members)) {
      if (!isReshape(op))
        continue;
      bool isFirst = !isMember(op->getOperand(0));
      bool isLast = llvm::none_of(op->getUsers(), [&](Operation *user) {
        return members.contains(user);
      });
      if (isFirst || isLast) {
        members.erase(op);
        changed = true;
        break;
      }
    }
  }
  for (auto &[op, member] : members)
    ops.push_back(op);
  llvm::sort(ops,
             [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  int64_t columns = 1;
  for (auto [label, size] :
       llvm::zip_equal(members[seed].labels, seed.getStaticLoopRanges()))
    if (label == kColumn)
      columns = ShapedType::isDynamic(size) ? kShortest : columns * size;
  return columns >= kShortest &&
         llvm::count_if(ops, [&](Operation *op) { return !isReshape(op); }) > 1;
}

//===----------------------------------------------------------------------===//
// Making the loops
//===----------------------------------------------------------------------===//

/// The row that the loops are at of a tensor with `labels` and the sizes of
/// `value`, which is made before the loops.
RowGroup::Part RowGroup::getPart(OpBuilder &b, Value value,
                                 ArrayRef<int> labels) {
  SmallVector<OpFoldResult> all =
      tensor::getMixedSizes(b, value.getLoc(), value);
  Part part;
  for (auto [d, label] : llvm::enumerate(labels)) {
    bool isRow = label != kColumn;
    part.offsets.push_back(isRow ? OpFoldResult(rows[label])
                                 : b.getIndexAttr(0));
    part.sizes.push_back(isRow ? OpFoldResult(b.getIndexAttr(1)) : all[d]);
    part.strides.push_back(b.getIndexAttr(1));
  }
  return part;
}

/// What stands for `value` in the loops where `labels` are those of its
/// dimensions: what is made outside may be read by rows, and as a whole too.
Value RowGroup::slice(OpBuilder &b, Value value, ArrayRef<int> labels) {
  auto rowsOf = values.find(value);
  bool isRow = rowsOf != values.end() && ArrayRef(rowsOf->second) == labels;
  if (Value mapped = local.lookup(value); mapped && isRow)
    return mapped;
  if (llvm::all_of(labels, [](int label) { return label == kColumn; }))
    return value;
  Part part = getPart(b, value, labels);
  Value row = tensor::ExtractSliceOp::create(
      b, value.getLoc(), value, part.offsets, part.sizes, part.strides);
  if (isRow)
    local[value] = row;
  return row;
}

/// Where the row of `result` goes: into its tensor, if that is used outside,
/// else a buffer of one row.
Value RowGroup::makeInit(OpBuilder &b, OpOperand &init, Value result) {
  Location loc = result.getLoc();
  FillInfo fill = matchFill(init.get());
  auto op = cast<linalg::GenericOp>(init.getOwner());
  bool reads = op.payloadUsesValueFromOperand(&init);
  Part part = getPart(b, init.get(), values[result]);
  auto slice = [&](Value of) {
    return tensor::ExtractSliceOp::create(b, loc, of, part.offsets, part.sizes,
                                          part.strides);
  };
  Value dest;
  if (auto it = outer.find(result); it != outer.end()) {
    dest = slice(it->second);
    // By equal values bufferization sees that the row is put back where it was.
    parts[result] = part;
  } else if (reads && !fill.scalar) {
    return slice(init.get());
  } else {
    dest =
        makeBuffer(b, loc, part.sizes,
                   cast<RankedTensorType>(result.getType()).getElementType());
  }
  if (reads && fill.scalar)
    dest = linalg::FillOp::create(b, loc, fill.scalar, dest).getResult(0);
  return dest;
}

void RowGroup::emitGeneric(OpBuilder &b, linalg::GenericOp op) {
  const Member &member = members[op];
  SmallVector<Value> operands;
  for (OpOperand *in : op.getDpsInputOperands()) {
    operands.push_back(
        slice(b, in->get(),
              *getLabels(op.getMatchingIndexingMap(in), member.labels)));
  }
  SmallVector<Type> types;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    operands.push_back(makeInit(b, *op.getDpsInitOperand(i), result));
    types.push_back(operands.back().getType());
  }
  auto copy = cast<linalg::GenericOp>(clone(b, op, types, operands));
  SmallVector<OpFoldResult> offsets;
  for (int label : member.labels)
    offsets.push_back(label == kColumn ? OpFoldResult(b.getIndexAttr(0))
                                       : OpFoldResult(rows[label]));
  linalg::offsetIndices(b, cast<linalg::LinalgOp>(copy.getOperation()),
                        offsets);
  for (auto [result, value] : llvm::zip(op->getResults(), copy.getResults()))
    local[result] = value;
}

void RowGroup::emitReshape(OpBuilder &b, Operation *op) {
  Value source = slice(b, op->getOperand(0), values[op->getOperand(0)]);
  Value result = op->getResult(0);
  auto element = cast<RankedTensorType>(result.getType()).getElementType();
  SmallVector<OpFoldResult> offsets, sizes, strides;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<OpFoldResult> all = expand.getMixedOutputShape();
    for (auto [size, label] : llvm::zip_equal(all, members[op].labels))
      sizes.push_back(label == kColumn ? size
                                       : OpFoldResult(b.getIndexAttr(1)));
    SmallVector<int64_t> shape;
    for (OpFoldResult size : sizes)
      shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    local[result] = tensor::ExpandShapeOp::create(
        b, op->getLoc(), RankedTensorType::get(shape, element), source,
        expand.getReassociationIndices(), sizes);
    return;
  }
  local[result] = tensor::CollapseShapeOp::create(
      b, op->getLoc(), source,
      cast<tensor::CollapseShapeOp>(op).getReassociationIndices());
}

/// Columns that a row has where their number is not known.
static constexpr int64_t kUsualColumns = 64;

/// Operations that a row costs.
int64_t RowGroup::getWorkOfRow() {
  int64_t total = 0;
  for (Operation *op : ops) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic)
      continue;
    int64_t work = 1;
    for (Operation &nested : generic.getBody()->without_terminator())
      work += isa<math::MathDialect>(nested.getDialect()) ? 16 : 1;
    for (auto [label, size] :
         llvm::zip_equal(members[op].labels, generic.getStaticLoopRanges()))
      if (label == kColumn)
        work *= ShapedType::isDynamic(size) ? kUsualColumns : size;
    total += work;
  }
  return std::max<int64_t>(total, 1);
}

void RowGroup::emit(IRRewriter &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = seed.getLoc();
  // The first op reads nothing that the group makes: its sizes are known.
  auto first = cast<linalg::GenericOp>(ops.front());
  rewriter.setInsertionPoint(ops.back());
  SmallVector<OpFoldResult> sizes(numRows);
  // How many columns there are, where that is not known, and how many a row's
  // work is for.
  Value columns;
  int64_t usualColumns = 1;
  for (auto [whole, label] :
       llvm::zip_equal(getLoopSizes(rewriter, first), members[first].labels)) {
    auto size = dyn_cast<Value>(whole);
    if (label != kColumn) {
      sizes[label] = whole;
    } else if (size) {
      usualColumns *= kUsualColumns;
      columns =
          columns ? arith::MulIOp::create(rewriter, loc, columns, size) : size;
    }
  }

  SmallVector<Value> results, carried;
  for (Operation *op : ops) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    for (OpResult result : op->getResults()) {
      if (!generic || !escapes(result))
        continue;
      OpOperand *init = generic.getDpsInitOperand(result.getResultNumber());
      FillInfo fill = matchFill(init->get());
      Value whole = fill.scalar ? fill.destination : init->get();
      bool reads = !fill.scalar && generic.payloadUsesValueFromOperand(init);
      if (!reads && !whole.getDefiningOp<tensor::EmptyOp>()) {
        auto type = cast<RankedTensorType>(result.getType());
        whole = tensor::EmptyOp::create(
            rewriter, loc, tensor::getMixedSizes(rewriter, loc, whole),
            type.getElementType(), type.getEncoding());
      }
      results.push_back(result);
      carried.push_back(whole);
    }
  }

  int64_t work = getWorkOfRow();
  int threads = -1;
  int64_t inner = work;
  SmallVector<int64_t> grains(numRows, 0);
  for (int row = numRows - 1; row >= 0; --row) {
    int64_t size = getConstantIntValue(sizes[row]).value_or(64);
    grains[row] = getGrain(inner);
    inner =
        std::min<int64_t>(inner * std::max<int64_t>(size, 1), int64_t(1) << 40);
  }
  for (int row = 0; row < numRows && threads < 0; ++row) {
    std::optional<int64_t> size = getConstantIntValue(sizes[row]);
    if (!size || (*size >= 2 && (columns || inner >= 2 * kWorkPerThread)))
      threads = row;
    else
      inner /= std::max<int64_t>(*size, 1);
  }

  std::function<SmallVector<Value>(OpBuilder &, int, ValueRange)> nest =
      [&](OpBuilder &b, int row, ValueRange args) -> SmallVector<Value> {
    auto loopOverRow = [&](OpBuilder &b, OpFoldResult lower, OpFoldResult upper,
                           ValueRange args, int64_t grain) {
      SmallVector<Value> made = buildLoop(
          b, loc, lower, upper, b.getIndexAttr(1), args,
          [&](OpBuilder &nested, Location, Value iv, ValueRange next) {
            rows.push_back(iv);
            return nest(nested, row + 1, next);
          },
          grain);
      // A loop of one iteration is none.
      auto loop = made.empty() ? scf::ForOp()
                               : made.front().getDefiningOp<scf::ForOp>();
      if (loop && row + 1 == numRows)
        loop->setAttr(kRowsAttrName, b.getUnitAttr());
      return made;
    };
    OpFoldResult zero = b.getIndexAttr(0);
    if (row < numRows && (row != threads || !columns))
      return loopOverRow(b, zero, sizes[row], args,
                         row == threads ? grains[row] : 0);
    if (row < numRows)
      return buildBlocks(b, loc, sizes[row], /*step=*/1,
                         grains[row] * usualColumns, columns, args,
                         [&](OpBuilder &nested, OpFoldResult lower,
                             OpFoldResult upper, ValueRange next) {
                           return loopOverRow(nested, lower, upper, next,
                                              /*grain=*/0);
                         });
    for (auto [result, arg] : llvm::zip_equal(results, args))
      outer[result] = arg;
    for (Operation *op : ops) {
      if (auto generic = dyn_cast<linalg::GenericOp>(op))
        emitGeneric(b, generic);
      else
        emitReshape(b, op);
    }
    SmallVector<Value> next;
    for (auto [result, arg] : llvm::zip_equal(results, args)) {
      const Part &part = parts[result];
      next.push_back(tensor::InsertSliceOp::create(b, loc, local.lookup(result),
                                                   arg, part.offsets,
                                                   part.sizes, part.strides));
    }
    return next;
  };
  SmallVector<Value> made = nest(rewriter, 0, carried);
  for (auto [result, value] : llvm::zip_equal(results, made))
    result.replaceUsesWithIf(
        value, [&](OpOperand &use) { return isOutside(use.getOwner()); });
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      rewriter.eraseOp(op);
  sortTopologically(block);
}

void cpu::fuseRows(FunctionOpInterface function, const CPUTarget &target) {
  SmallVector<linalg::GenericOp> seeds;
  function->walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics() && op.getNumReductionLoops() > 0 &&
        !isPackableContraction(op, target))
      seeds.push_back(op);
  });
  IRRewriter rewriter(function->getContext());
  DenseSet<Operation *> gone;
  for (linalg::GenericOp seed : seeds) {
    if (gone.contains(seed))
      continue;
    RowGroup group(seed, target);
    if (!group.grow())
      continue;
    Location loc = seed.getLoc();
    unsigned count = group.getOps().size();
    gone.insert(group.getOps().begin(), group.getOps().end());
    group.emit(rewriter);
    remark::passed(loc, remark::RemarkOpts::name("FusedRows")
                            .category("amp")
                            .function(function.getName()))
        << remark::metric("Ops", count);
  }
}
