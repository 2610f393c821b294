//===- KernelFusionModel.cpp - what becomes one kernel --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Kernels/KernelFusionModel.h"

#include "KernelOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::kernels;

StringRef mlir::amp::stringifyKernelKind(KernelKind kind) {
  switch (kind) {
  case KernelKind::Map:
    return "map";
  case KernelKind::RowReduction:
    return "row-reduction";
  case KernelKind::ColumnReduction:
    return "column-reduction";
  case KernelKind::Contraction:
    return "contraction";
  case KernelKind::Attention:
    return "attention";
  }
  llvm_unreachable("unknown kind of kernel");
}

namespace {

/// A group while it grows.
struct Node {
  KernelKind kind = KernelKind::Map;
  unsigned root = 0;
  /// Numbers of ops, in the order of the block.
  SmallVector<unsigned> ops;
  SmallVector<unsigned> copies;
  /// The iteration space: that of the root.
  SmallVector<int64_t> extents;
  SmallVector<bool> isReduced;
  /// For each tensor that the group reads or writes regularly, the dimension of
  /// the iteration space that indexes each of its dimensions, or kUnit.
  llvm::MapVector<Value, SmallVector<int>> dims;
  /// Tensors that the group reads in more than one way.
  llvm::SmallDenseSet<Value> irregular;

  void add(const Access &access) {
    if (!access.isRegular) {
      irregular.insert(access.value);
      return;
    }
    auto [it, isNew] = dims.insert({access.value, access.dims});
    if (!isNew && it->second != access.dims)
      irregular.insert(access.value);
  }
};

/// Where the dimensions of one iteration space are in another.
struct DimMap {
  static constexpr int kNone = -2;
  SmallVector<int> to;
  /// Which dimensions of the other space are hit.
  llvm::SmallBitVector hit;

  bool isTotal() const { return !llvm::is_contained(to, kNone); }
};

/// Forms the groups of one block.
class Grouper {
public:
  Grouper(Block &block, bool separatesCasts);

  void run();
  void shareCheapOps();
  void materializeFreeOps();

  Block &block;
  bool separatesCasts;
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> numbers;
  std::vector<std::optional<OpInfo>> infos;
  std::vector<std::optional<Node>> nodes;
  /// The node of each op; -1 for those that are in none.
  SmallVector<int> nodeOf;
  SmallVector<MissedFusion> missed;

private:
  /// The op of `block` that is, or holds, `op`.
  std::optional<unsigned> getNumber(Operation *op) const;
  SmallVector<unsigned> getUsers(unsigned op) const;
  bool escapes(unsigned from, unsigned to) const;
  bool reaches(unsigned from, unsigned to) const;
  bool isCheapNode(const Node &node) const;
  bool mustSeparate(ArrayRef<unsigned> list, const Node &reader) const;

  DimMap mapDims(unsigned from, unsigned to) const;
  bool linksIrregularly(unsigned producer, unsigned consumer) const;
  LogicalResult canMerge(unsigned producer, unsigned consumer, bool &intoFirst,
                         std::string &reason) const;
  LogicalResult canMergeMaps(unsigned producer, unsigned consumer,
                             bool &intoFirst, std::string &reason) const;
  LogicalResult canMergeRows(unsigned producer, unsigned consumer,
                             bool &intoFirst, std::string &reason) const;
  LogicalResult canMergeEpilogue(unsigned root, unsigned map,
                                 std::string &reason) const;
  LogicalResult canMergeProducer(unsigned map, unsigned root,
                                 std::string &reason) const;
  LogicalResult canMergePrologue(unsigned map, unsigned root,
                                 std::string &reason) const;
  bool tryMerge(unsigned producer, unsigned consumer, bool report);
  void merge(unsigned from, unsigned into, bool keepsDims);
  void mergeSiblings();
};

} // namespace

//===----------------------------------------------------------------------===//
// Uses and paths
//===----------------------------------------------------------------------===//

Grouper::Grouper(Block &block, bool separatesCasts)
    : block(block), separatesCasts(separatesCasts) {
  for (Operation &op : block) {
    numbers[&op] = ops.size();
    ops.push_back(&op);
  }
  infos.resize(ops.size());
  nodes.resize(ops.size());
  nodeOf.assign(ops.size(), -1);
  for (unsigned number = 0; number < ops.size(); ++number) {
    Operation *op = ops[number];
    if (KernelFusionModel::getRole(op) != KernelRole::Work)
      continue;
    infos[number] = describe(op);
    const OpInfo &info = *infos[number];
    Node node;
    node.kind = info.kind;
    node.root = number;
    node.ops.push_back(number);
    node.extents = info.extents;
    node.isReduced = info.isReduced;
    for (const Access &access : info.reads)
      node.add(access);
    for (const Access &access : info.writes)
      node.add(access);
    nodes[number] = std::move(node);
    nodeOf[number] = number;
  }
}

std::optional<unsigned> Grouper::getNumber(Operation *op) const {
  Operation *ancestor = block.findAncestorOpInBlock(*op);
  if (!ancestor)
    return std::nullopt;
  return numbers.lookup(ancestor);
}

SmallVector<unsigned> Grouper::getUsers(unsigned op) const {
  llvm::SmallSetVector<unsigned, 4> users;
  for (Operation *user : ops[op]->getUsers())
    if (std::optional<unsigned> number = getNumber(user))
      users.insert(*number);
  SmallVector<unsigned> sorted(users.begin(), users.end());
  llvm::sort(sorted);
  return sorted;
}

/// Whether anything but the nodes `from` and `to` uses what `from` computes.
bool Grouper::escapes(unsigned from, unsigned to) const {
  for (unsigned op : nodes[from]->ops)
    for (unsigned user : getUsers(op))
      if (nodeOf[user] != static_cast<int>(from) &&
          nodeOf[user] != static_cast<int>(to))
        return true;
  return false;
}

/// Whether a path leads from the node `from` through other ops to `to`.
bool Grouper::reaches(unsigned from, unsigned to) const {
  llvm::SmallBitVector seen(ops.size());
  SmallVector<unsigned> work;
  auto visitUsers = [&](unsigned op, bool isFirst) {
    for (unsigned user : getUsers(op)) {
      int node = nodeOf[user];
      if (node == static_cast<int>(from) ||
          (isFirst && node == static_cast<int>(to)))
        continue;
      if (!seen.test(user)) {
        seen.set(user);
        work.push_back(user);
      }
    }
  };
  for (unsigned op : nodes[from]->ops)
    visitUsers(op, /*isFirst=*/true);
  while (!work.empty()) {
    unsigned op = work.pop_back_val();
    int node = nodeOf[op];
    if (node == static_cast<int>(to))
      return true;
    if (node < 0) {
      visitUsers(op, /*isFirst=*/false);
      continue;
    }
    // A kernel runs as a whole.
    for (unsigned other : nodes[node]->ops) {
      seen.set(other);
      visitUsers(other, /*isFirst=*/false);
    }
  }
  return false;
}

bool Grouper::isCheapNode(const Node &node) const {
  return llvm::all_of(node.ops,
                      [&](unsigned op) { return infos[op]->isCheap; });
}

//===----------------------------------------------------------------------===//
// Iteration spaces
//===----------------------------------------------------------------------===//

/// Where the dimensions of the node `from` are in that of `to`: by the tensors
/// that both know, those first that one gives the other; what is left by equal
/// static extents.
DimMap Grouper::mapDims(unsigned from, unsigned to) const {
  const Node &source = *nodes[from], &target = *nodes[to];
  DimMap map;
  map.to.assign(source.extents.size(), DimMap::kNone);
  map.hit.resize(target.extents.size());
  auto link = [&](Value value, ArrayRef<int> dims) {
    auto it = target.dims.find(value);
    if (it == target.dims.end() || source.irregular.contains(value) ||
        target.irregular.contains(value))
      return;
    for (auto [first, second] : llvm::zip_equal(dims, it->second)) {
      if (first == kUnit || second == kUnit || map.to[first] != DimMap::kNone ||
          map.hit.test(second))
        continue;
      map.to[first] = second;
      map.hit.set(second);
    }
  };
  for (bool isInner : {true, false})
    for (const auto &[value, dims] : source.dims) {
      Operation *def = value.getDefiningOp();
      auto number = def ? numbers.find(def) : numbers.end();
      int node = number == numbers.end() ? -1 : nodeOf[number->second];
      bool isGiven =
          node == static_cast<int>(from) || node == static_cast<int>(to);
      if (isGiven == isInner)
        link(value, dims);
    }
  for (auto [dim, extent] : llvm::enumerate(source.extents)) {
    if (map.to[dim] != DimMap::kNone)
      continue;
    if (extent == 1) {
      map.to[dim] = kUnit;
      continue;
    }
    if (ShapedType::isDynamic(extent))
      continue;
    for (auto [other, otherExtent] : llvm::enumerate(target.extents)) {
      if (otherExtent != extent || map.hit.test(other))
        continue;
      map.to[dim] = other;
      map.hit.set(other);
      break;
    }
  }
  return map;
}

/// Whether `consumer` reads what `producer` computes other than by its loops,
/// or in more than one way.
bool Grouper::linksIrregularly(unsigned producer, unsigned consumer) const {
  for (unsigned op : nodes[producer]->ops)
    for (Value result : ops[op]->getResults())
      if (nodes[consumer]->irregular.contains(result) ||
          (nodes[consumer]->dims.count(result) &&
           nodes[producer]->irregular.contains(result)))
        return true;
  return false;
}

/// Whether `map` hits each dimension of `node` for which `isWanted` holds and
/// whose extent is not one, and no other.
static bool hitsExactly(const DimMap &map, const Node &node,
                        llvm::function_ref<bool(unsigned)> isWanted) {
  for (auto [dim, extent] : llvm::enumerate(node.extents))
    if (extent != 1 && map.hit.test(dim) != isWanted(dim))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

LogicalResult Grouper::canMergeMaps(unsigned producer, unsigned consumer,
                                    bool &intoFirst,
                                    std::string &reason) const {
  intoFirst = false;
  const Node &first = *nodes[producer], &second = *nodes[consumer];
  if (linksIrregularly(producer, consumer)) {
    if (escapes(producer, consumer)) {
      reason = "the value is read at other positions than it is written, and "
               "by other kernels too";
      return failure();
    }
    bool isMoved = llvm::all_of(second.ops, [&](unsigned op) {
      return llvm::all_of(infos[op]->reads, [&](const Access &read) {
        Operation *def = read.value.getDefiningOp();
        auto number = def ? numbers.find(def) : numbers.end();
        return read.isRegular || number == numbers.end() ||
               nodeOf[number->second] != static_cast<int>(producer) ||
               isa<tensor::PadOp, tensor::ConcatOp, tensor::InsertSliceOp,
                   tensor::ExtractSliceOp>(ops[op]);
      });
    });
    if (!isMoved)
      reason = "the value is read at positions that are computed";
    return success(isMoved);
  }
  DimMap map = mapDims(producer, consumer);
  if (map.isTotal()) {
    if (hitsExactly(map, second, [](unsigned) { return true; }))
      return success();
    bool isExpensive = llvm::any_of(
        first.ops, [&](unsigned op) { return infos[op]->isExpensive; });
    if (isExpensive || escapes(producer, consumer)) {
      reason = "it would be computed again for each element of a larger tensor";
      return failure();
    }
    return success();
  }
  reason = "the iteration spaces differ";
  return failure();
}

LogicalResult Grouper::canMergeRows(unsigned producer, unsigned consumer,
                                    bool &intoFirst,
                                    std::string &reason) const {
  bool isFirstRow = nodes[producer]->kind == KernelKind::RowReduction;
  bool isSecondRow = nodes[consumer]->kind == KernelKind::RowReduction;
  unsigned row = isFirstRow ? producer : consumer;
  unsigned other = isFirstRow ? consumer : producer;
  intoFirst = isFirstRow;
  const Node &rows = *nodes[row], &map = *nodes[other];
  if (linksIrregularly(producer, consumer)) {
    reason = "the value is read at other positions than it is written";
    return failure();
  }
  DimMap dims = mapDims(other, row);
  if (!dims.isTotal()) {
    reason = "the rows differ";
    return failure();
  }
  auto isAll = [](unsigned) { return true; };
  auto isParallel = [&](unsigned dim) { return !rows.isReduced[dim]; };
  bool isFull = hitsExactly(dims, rows, isAll);
  if (isFirstRow && isSecondRow) {
    bool isSame = isFull;
    for (auto [dim, target] : llvm::enumerate(dims.to))
      if (target >= 0)
        isSame &= map.isReduced[dim] == rows.isReduced[target];
    if (!isSame)
      reason = "they reduce other dimensions";
    return success(isSame);
  }
  if (!isFull && !hitsExactly(dims, rows, isParallel)) {
    bool isExpensive = llvm::any_of(
        map.ops, [&](unsigned op) { return infos[op]->isExpensive; });
    if (isFirstRow || isExpensive || escapes(producer, consumer)) {
      reason = "it would be computed again for each row";
      return failure();
    }
    return success();
  }
  // Rows are read and written in order, or the accesses are not contiguous.
  for (unsigned op : map.ops)
    for (const Access &access :
         llvm::concat<const Access>(infos[op]->reads, infos[op]->writes)) {
      auto it = map.dims.find(access.value);
      if (!access.isRegular || it == map.dims.end()) {
        reason = "it reads or writes other elements than those of its row";
        return failure();
      }
      SmallVector<int> used;
      for (int dim : it->second)
        if (dim != kUnit && dims.to[dim] != kUnit)
          used.push_back(dims.to[dim]);
      if (!llvm::is_sorted(used)) {
        reason = "rows would be read or written transposed";
        return failure();
      }
    }
  return success();
}

/// Whether the map may follow the contraction or column reduction `root`.
LogicalResult Grouper::canMergeEpilogue(unsigned root, unsigned map,
                                        std::string &reason) const {
  const Node &node = *nodes[root];
  if (linksIrregularly(root, map)) {
    reason = "the value is read at other positions than it is written";
    return failure();
  }
  for (unsigned op : nodes[map]->ops)
    for (const Access &read : infos[op]->reads)
      if (!read.isRegular) {
        reason = "it reads a tensor at positions that are computed";
        return failure();
      }
  DimMap dims = mapDims(map, root);
  if (dims.isTotal() && hitsExactly(dims, node, [&](unsigned dim) {
        return !node.isReduced[dim];
      }))
    return success();
  reason = "the iteration spaces differ";
  return failure();
}

/// Whether the map may feed the epilogue of a contraction, or a column
/// reduction, in the same places as it is written.
LogicalResult Grouper::canMergeProducer(unsigned map, unsigned root,
                                        std::string &reason) const {
  const Node &node = *nodes[root];
  if (linksIrregularly(map, root)) {
    reason = "the value is read at other positions than it is written";
    return failure();
  }
  if (escapes(map, root)) {
    reason = "other kernels read it too";
    return failure();
  }
  DimMap dims = mapDims(map, root);
  bool isColumn = node.kind == KernelKind::ColumnReduction;
  bool isInside = dims.isTotal() && llvm::all_of(dims.to, [&](int dim) {
                    return dim == kUnit || isColumn || !node.isReduced[dim];
                  });
  bool isWhole = hitsExactly(dims, node, [&](unsigned dim) {
    return isColumn || !node.isReduced[dim];
  });
  bool isExpensive = llvm::any_of(
      nodes[map]->ops, [&](unsigned op) { return infos[op]->isExpensive; });
  if (isInside && (isWhole || !isExpensive))
    return success();
  reason = isInside ? "it would be computed again for each element of a larger "
                      "tensor"
                    : "the iteration spaces differ";
  return failure();
}

/// Whether the ops `list` must not be computed as the contraction `reader`
/// reads its inputs: tensor cores read narrow operands, and zeros around them,
/// as they are in memory. Few rows or columns are multiplied
/// otherwise.
bool Grouper::mustSeparate(ArrayRef<unsigned> list, const Node &reader) const {
  auto root = dyn_cast<linalg::LinalgOp>(ops[reader.root]);
  if (!separatesCasts || reader.kind != KernelKind::Contraction || !root)
    return false;
  auto shape = cast<RankedTensorType>(root->getResult(0).getType()).getShape();
  auto isSmall = [](ArrayRef<int64_t> sizes) {
    return !llvm::is_contained(sizes, ShapedType::kDynamic) &&
           ShapedType::getNumElements(sizes) <= 32;
  };
  if (shape.size() < 2 || isSmall(shape.take_back()) ||
      isSmall(shape.drop_back()) ||
      llvm::all_of(list, [&](unsigned op) { return isReadAs(ops[op], root); }))
    return false;
  return llvm::any_of(root.getDpsInputs(), [&](Value input) {
    if (auto pad = input.getDefiningOp<tensor::PadOp>())
      input = pad.getSource();
    auto number = numbers.find(input.getDefiningOp());
    Type element = getElementTypeOrSelf(input.getType());
    return number != numbers.end() &&
           llvm::is_contained(list, number->second) && isReadNarrow(element);
  });
}

/// Whether the map may be computed as a contraction reads its inputs.
LogicalResult Grouper::canMergePrologue(unsigned map, unsigned root,
                                        std::string &reason) const {
  if (escapes(map, root)) {
    reason = "other kernels read it too";
    return failure();
  }
  if (mustSeparate(nodes[map]->ops, *nodes[root])) {
    reason = "the contraction reads its operands as they are in memory";
    return failure();
  }
  unsigned numLarge = 0;
  int64_t size = 0;
  for (unsigned op : nodes[map]->ops)
    for (const Access &write : infos[op]->writes)
      size = std::max(size, estimateBytes(write.value.getType()));
  for (unsigned op : nodes[map]->ops) {
    if (infos[op]->isExpensive) {
      reason = "it would be computed again for each tile";
      return failure();
    }
    for (const Access &read : infos[op]->reads) {
      Operation *def = read.value.getDefiningOp();
      auto number = def ? numbers.find(def) : numbers.end();
      bool isInner = number != numbers.end() &&
                     nodeOf[number->second] == static_cast<int>(map);
      if (!isInner && estimateBytes(read.value.getType()) * 8 > size)
        ++numLarge;
    }
  }
  if (numLarge > 1) {
    reason = "it reads more than it gives";
    return failure();
  }
  return success();
}

LogicalResult Grouper::canMerge(unsigned producer, unsigned consumer,
                                bool &intoFirst, std::string &reason) const {
  KernelKind first = nodes[producer]->kind, second = nodes[consumer]->kind;
  auto isRootKind = [](KernelKind kind) {
    return kind == KernelKind::Contraction ||
           kind == KernelKind::ColumnReduction;
  };
  if (first == KernelKind::Map && second == KernelKind::Map)
    return canMergeMaps(producer, consumer, intoFirst, reason);
  if (first != KernelKind::Map && second != KernelKind::Map &&
      (isRootKind(first) || isRootKind(second))) {
    reason = "a kernel has one root";
    return failure();
  }
  if (isRootKind(first)) {
    intoFirst = true;
    return canMergeEpilogue(producer, consumer, reason);
  }
  if (!isRootKind(second))
    return canMergeRows(producer, consumer, intoFirst, reason);
  intoFirst = false;
  // What the root itself reads is a prologue; the rest meets the epilogue.
  bool feedsRoot = false, feedsOthers = false;
  for (unsigned op : nodes[producer]->ops)
    for (unsigned user : getUsers(op))
      if (nodeOf[user] == static_cast<int>(consumer))
        (user == nodes[consumer]->root ? feedsRoot : feedsOthers) = true;
  if (feedsRoot && feedsOthers) {
    reason = "it is read in more than one way";
    return failure();
  }
  if (feedsRoot && second == KernelKind::Contraction)
    return canMergePrologue(producer, consumer, reason);
  return canMergeProducer(producer, consumer, reason);
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

/// Adds the node `from` to `into`, whose iteration space stays.
void Grouper::merge(unsigned from, unsigned into, bool keepsDims) {
  Node &source = *nodes[from], &target = *nodes[into];
  if (keepsDims) {
    DimMap map = mapDims(from, into);
    for (const auto &[value, dims] : source.dims) {
      Access access{value, {}, true};
      for (int dim : dims) {
        int to = dim == kUnit ? kUnit : map.to[dim];
        if (to == DimMap::kNone)
          access.isRegular = false;
        access.dims.push_back(to);
      }
      // A prologue may hold what the root does not index.
      if (access.isRegular)
        target.add(access);
    }
    for (Value value : source.irregular)
      target.irregular.insert(value);
  }
  llvm::append_range(target.ops, source.ops);
  llvm::sort(target.ops);
  for (unsigned op : source.ops)
    nodeOf[op] = into;
  nodes[from].reset();
}

bool Grouper::tryMerge(unsigned producer, unsigned consumer, bool report) {
  bool intoFirst = false;
  std::string reason;
  LogicalResult can = canMerge(producer, consumer, intoFirst, reason);
  if (succeeded(can) &&
      (reaches(producer, consumer) || reaches(consumer, producer))) {
    can = failure();
    reason = "another kernel must run between them";
  }
  if (failed(can)) {
    if (report)
      missed.push_back({ops[nodes[producer]->ops.back()],
                        ops[nodes[consumer]->ops.front()], reason});
    return false;
  }
  if (intoFirst)
    merge(consumer, producer, /*keepsDims=*/true);
  else
    merge(producer, consumer, !linksIrregularly(producer, consumer));
  return true;
}

/// Merges maps and row reductions that read the same tensor in the same way.
void Grouper::mergeSiblings() {
  llvm::MapVector<Value, SmallVector<unsigned>> readers;
  for (auto [number, info] : llvm::enumerate(infos))
    if (info)
      for (const Access &read : info->reads)
        if (read.isRegular && !read.dims.empty())
          readers[read.value].push_back(number);
  for (auto &entry : readers) {
    Value value = entry.first;
    ArrayRef<unsigned> list = entry.second;
    for (unsigned i = 1; i < list.size(); ++i) {
      int first = nodeOf[list[i - 1]], second = nodeOf[list[i]];
      if (first == second)
        continue;
      auto isSibling = [&](int node) {
        KernelKind kind = nodes[node]->kind;
        auto it = nodes[node]->dims.find(value);
        return (kind == KernelKind::Map || kind == KernelKind::RowReduction) &&
               !isCheapNode(*nodes[node]) && it != nodes[node]->dims.end() &&
               !nodes[node]->irregular.contains(value) &&
               it->second.size() == nodes[node]->extents.size();
      };
      if (isSibling(first) && isSibling(second))
        (void)tryMerge(first, second, /*report=*/false);
    }
  }
}

void Grouper::run() {
  for (unsigned number = 0; number < ops.size(); ++number) {
    if (!infos[number])
      continue;
    // Producers: what is large first, for it saves most; then what is late.
    SmallVector<std::pair<int64_t, unsigned>> producers;
    for (const Access &read : infos[number]->reads) {
      Operation *def = read.value.getDefiningOp();
      auto it = def ? numbers.find(def) : numbers.end();
      if (it != numbers.end() && infos[it->second])
        producers.push_back({estimateBytes(read.value.getType()), it->second});
    }
    llvm::sort(producers, [&](auto &a, auto &b) {
      auto rank = [&](unsigned op) {
        return nodes[nodeOf[op]]->kind == KernelKind::Map ? 0 : 1;
      };
      return std::make_tuple(rank(a.second), a.first, a.second) >
             std::make_tuple(rank(b.second), b.first, b.second);
    });
    for (auto [bytes, producer] : producers) {
      unsigned first = nodeOf[producer], second = nodeOf[number];
      if (first == second)
        continue;
      // Each reader computes it again, see below.
      if (isCheapNode(*nodes[first]) && escapes(first, second))
        continue;
      (void)tryMerge(first, second, /*report=*/true);
    }
  }
  mergeSiblings();
  llvm::erase_if(missed, [&](const MissedFusion &miss) {
    return nodeOf[numbers.lookup(miss.producer)] ==
           nodeOf[numbers.lookup(miss.consumer)];
  });
}

/// A cheap op goes to each kernel that reads it, where that saves traffic: its
/// result is larger than its operand, or nothing else computes it.
void Grouper::shareCheapOps() {
  for (unsigned next = ops.size(); next > 0; --next) {
    unsigned number = next - 1;
    if (!infos[number] || !infos[number]->isCheap)
      continue;
    int home = nodeOf[number];
    bool isAlone = isCheapNode(*nodes[home]);
    int64_t read = 0;
    for (const Access &access : infos[number]->reads)
      read += estimateBytes(access.value.getType());
    bool isWider =
        read < estimateBytes(infos[number]->writes.front().value.getType());
    if (!isAlone && !isWider)
      continue;
    llvm::SmallSetVector<unsigned, 4> readers;
    bool isNeededAtHome = false;
    Value result = ops[number]->getResult(0);
    for (unsigned other = 0; other < nodes.size(); ++other) {
      if (!nodes[other])
        continue;
      bool reads = llvm::any_of(nodes[other]->ops, [&](unsigned op) {
        return llvm::is_contained(ops[op]->getOperands(), result);
      });
      if (!reads)
        continue;
      if (static_cast<int>(other) == home ||
          mustSeparate(number, *nodes[other]))
        isNeededAtHome = true;
      else
        readers.insert(other);
    }
    for (unsigned user : getUsers(number))
      if (nodeOf[user] < 0)
        isNeededAtHome = true;
    for (unsigned reader : readers) {
      nodes[reader]->ops.push_back(number);
      nodes[reader]->copies.push_back(number);
      llvm::sort(nodes[reader]->ops);
    }
    if (!isNeededAtHome && !readers.empty()) {
      llvm::erase(nodes[home]->ops, number);
      if (nodes[home]->ops.empty())
        nodes[home].reset();
      else if (nodes[home]->root == number)
        nodes[home]->root = nodes[home]->ops.front();
      nodeOf[number] = *readers.begin();
    }
  }
}

/// A free op whose result the host itself uses gets a kernel.
void Grouper::materializeFreeOps() {
  for (unsigned number = 0; number < ops.size(); ++number) {
    Operation *op = ops[number];
    if (!KernelFusionModel::isFree(op) || op->getNumResults() != 1 ||
        !isa<RankedTensorType>(op->getResult(0).getType()) ||
        op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op))
      continue;
    bool isUsedByHost = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return KernelFusionModel::getRole(user) == KernelRole::Host &&
             !isa<tensor::DimOp, tensor::ExtractOp>(user);
    });
    if (!isUsedByHost)
      continue;
    Node node;
    node.root = number;
    node.ops.push_back(number);
    nodes[number] = std::move(node);
  }
}

//===----------------------------------------------------------------------===//
// KernelFusionModel
//===----------------------------------------------------------------------===//

KernelFusionModel::KernelFusionModel(Block &block, bool separatesCasts) {
  Grouper grouper(block, separatesCasts);
  grouper.run();
  grouper.shareCheapOps();
  grouper.materializeFreeOps();
  missed = std::move(grouper.missed);
  for (const std::optional<Node> &node : grouper.nodes) {
    if (!node)
      continue;
    KernelGroup group;
    group.kind = node->kind;
    group.root = grouper.ops[node->root];
    for (unsigned op : node->ops)
      group.ops.push_back(grouper.ops[op]);
    for (unsigned op : node->copies)
      group.copies.push_back(grouper.ops[op]);
    groups.push_back(std::move(group));
  }
  auto getPosition = [&](const KernelGroup &group) {
    return std::make_pair(grouper.numbers.lookup(group.ops.back()),
                          grouper.numbers.lookup(group.root));
  };
  llvm::sort(groups, [&](const KernelGroup &a, const KernelGroup &b) {
    return getPosition(a) < getPosition(b);
  });
  for (auto [index, group] : llvm::enumerate(groups))
    for (Operation *op : group.ops)
      groupsOf[op].push_back(index);
}

bool KernelFusionModel::areFused(Operation *first, Operation *second) const {
  auto a = groupsOf.find(first), b = groupsOf.find(second);
  if (a == groupsOf.end() || b == groupsOf.end())
    return false;
  return llvm::any_of(a->second, [&](unsigned group) {
    return llvm::is_contained(b->second, group);
  });
}
