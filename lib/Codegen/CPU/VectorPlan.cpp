//===- VectorPlan.cpp - which loops become vectors and rows ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorNest.h"

#include "Normalize.h"

#include "Parallel.h"

#include "amp/Codegen/Common/NeutralElement.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

/// Whether `value` is the same in all runs of the payload `block`.
static bool isOutside(Value value, Block *block) {
  Operation *maker = value.getDefiningOp();
  return value.getParentBlock() != block ||
         (maker && maker->hasTrait<OpTrait::ConstantLike>());
}

bool VectorNest::checkPayload(std::string &reason) {
  Block *block = op.getBlock();
  for (Type type : block->getArgumentTypes())
    if (!isa<IntegerType, IndexType, FloatType>(type)) {
      reason = "an element type is neither integer nor floating point";
      return false;
    }
  for (Operation &nested : block->without_terminator()) {
    if (isa<linalg::IndexOp>(nested) ||
        nested.hasTrait<OpTrait::ConstantLike>())
      continue;
    // A gather reads one element per lane, none past the end; what lies at one
    // place for all lanes is read once.
    if (auto extract = dyn_cast<tensor::ExtractOp>(nested);
        extract && extract.getTensor().getParentBlock() != block &&
        isa<IntegerType, IndexType, FloatType>(extract.getType())) {
      if (!llvm::all_of(extract.getIndices(),
                        [&](Value at) { return isOutside(at, block); }))
        exactTail = gathers = true;
      continue;
    }
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
            arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(
            nested))
      exactTail = true;
    if (nested.getNumResults() != 1 || nested.getNumRegions() != 0 ||
        !OpTrait::hasElementwiseMappableTraits(&nested)) {
      reason = ("'" + nested.getName().getStringRef() +
                "' in the body has no vector form")
                   .str();
      return false;
    }
    for (Value value :
         llvm::concat<Value>(SmallVector<Value>(nested.getOperands()),
                             SmallVector<Value>(nested.getResults())))
      if (!isa<IntegerType, IndexType, FloatType>(value.getType())) {
        reason = "a value in the body is neither integer nor floating point";
        return false;
      }
  }
  return true;
}

Stride VectorNest::classify(OpOperand &operand, unsigned dim) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!type || !map.isFunctionOfDim(dim))
    return Stride::None;
  if (!isLane(type.getElementType()) ||
      (op.isDpsInit(&operand) && isFlattened(operand, dim)))
    return Stride::Other;
  int64_t step = strideOf(operand, dim);
  return step == 1                  ? Stride::One
         : step > 1 && step <= kFew ? Stride::Few
                                    : Stride::Other;
}

/// How many elements apart `operand` is read where `dim` moves by one, if that
/// is a constant and one index moves, with a few elements in each of its steps;
/// else 0.
int64_t VectorNest::strideOf(OpOperand &operand, unsigned dim) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  ArrayRef<AffineExpr> results = map.getResults();
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(operand.get().getType()).getShape();
  // The border of a padded image is little work.
  bool isFill = op.isDpsInit(&operand) &&
                llvm::none_of(op.getDpsInputs(), [](Value input) {
                  return isa<TensorType>(input.getType());
                });
  if (getStepOfRows(operand.get()) != 1 && !isFill)
    return 0;
  int64_t inner = 1;
  while (!results.back().isFunctionOfDim(dim)) {
    if (ShapedType::isDynamic(shape.back()) || inner * shape.back() > kFew)
      return 0;
    inner *= shape.back();
    results = results.drop_back();
    shape = shape.drop_back();
  }
  AffineExpr expr = results.back();
  if (llvm::any_of(results.drop_back(), [&](AffineExpr other) {
        return other.isFunctionOfDim(dim);
      }))
    return 0;
  AffineExpr d = getAffineDimExpr(dim, op.getContext());
  AffineExpr step =
      simplifyAffineExpr(expr.replace(d, d + 1) - expr, numLoops, 0);
  auto value = dyn_cast<AffineConstantExpr>(step);
  return value ? value.getValue() * inner : 0;
}

double VectorNest::score(unsigned dim) {
  double total = isReductionDim(dim) ? -2 : 0;
  // Results of a reduction are written once for many elements. Others are worth
  // turning several operands in registers, which only what is read can be.
  bool reduces = op.getNumReductionLoops() > 0;
  double inits = reduces ? op.getNumDpsInits() : 1;
  double across = reduces ? 6 / inits : 24;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isInit = op.isDpsInit(&operand);
    switch (classify(operand, dim)) {
    case Stride::None:
      break;
    case Stride::One:
      total += isInit ? 4 / inits : 2;
      break;
    case Stride::Few:
      total += isInit ? -across : 0.5;
      break;
    case Stride::Interleaved:
    case Stride::Transposed:
    case Stride::Other:
      if (llvm::any_of(llvm::seq(numLoops), [&](unsigned inner) {
            return isInterleaved(operand, dim, inner);
          })) {
        total += 0.5;
        break;
      }
      total -= isInit ? across : 5;
      break;
    }
  }
  int64_t size = sizes[dim];
  if (ShapedType::isDynamic(size))
    size = 64;
  if (size < 4)
    total -= 4;
  // No vector at all: only where there is no other loop.
  if (size == 1)
    total -= 100;
  return total + std::log2(std::clamp<int64_t>(size, 1, 64)) / 8;
}

/// Finds the combiner of every output; the lane-wise accumulators start at its
/// neutral element.
bool VectorNest::planReduction() {
  combiners.clear();
  if (op.getNumReductionLoops() == 1)
    choices = matchChoices(op);
  DenseSet<unsigned> chosen;
  for (const Choice &choice : choices) {
    chosen.insert_range(choice.outputs);
    deferredOutputs.insert_range(choice.derived);
  }
  for (unsigned i = 0, e = op.getNumDpsInits(); i < e; ++i) {
    if (chosen.contains(i)) {
      combiners.push_back(nullptr);
      continue;
    }
    SmallVector<Operation *, 4> chain;
    if (!matchReduction(op.getRegionOutputArgs(), i, chain) ||
        chain.size() != 1 || chain[0]->getNumOperands() != 2 ||
        !linalg::getCombinerOpKind(chain[0]) || !getNeutralElement(chain[0]))
      return false;
    combiners.push_back(chain[0]);
  }
  if (deferredOutputs.empty())
    return true;
  // All that the other outputs, and the conditions, do not need.
  DenseSet<Operation *> needed;
  SmallVector<Value> worklist;
  for (const Choice &choice : choices)
    worklist.push_back(choice.condition);
  for (auto [i, yielded] :
       llvm::enumerate(op.getBlock()->getTerminator()->getOperands()))
    if (!deferredOutputs.contains(i))
      worklist.push_back(yielded);
  while (!worklist.empty()) {
    Operation *maker = worklist.pop_back_val().getDefiningOp();
    if (maker && maker->getBlock() == op.getBlock() &&
        needed.insert(maker).second)
      llvm::append_range(worklist, maker->getOperands());
  }
  for (Operation &nested : op.getBlock()->without_terminator())
    if (!needed.contains(&nested))
      deferredOps.insert(&nested);
  return true;
}

unsigned cpu::getCost(Operation &op) {
  bool isFunction = isa<math::MathDialect>(op.getDialect()) &&
                    !isa<math::AbsFOp, math::AbsIOp, math::CeilOp,
                         math::CopySignOp, math::FloorOp, math::FmaOp,
                         math::RoundEvenOp, math::SqrtOp, math::TruncOp>(op);
  return isFunction ? 8 : 1;
}

/// The most values of `block` that are alive at once, constants aside.
static int64_t getMostAlive(Block &block) {
  llvm::SmallPtrSet<Value, 16> alive;
  size_t most = 0;
  for (Operation &op : llvm::reverse(block)) {
    for (Value result : op.getResults())
      alive.erase(result);
    for (Value operand : op.getOperands())
      if (operand.getParentBlock() == &block &&
          !matchPattern(operand, m_Constant()))
        alive.insert(operand);
    most = std::max<size_t>(most, alive.size());
  }
  return most;
}

void VectorNest::planSizes() {
  unsigned bits = 8;
  // Of a step, and of what is computed for each lane.
  unsigned cost = 0, laneCost = 0;
  // Indices that only say where neighbours lie have no lanes.
  bool indexLanes = llvm::any_of(*op.getBlock(), [&](Operation &nested) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(nested))
      return !direction(extract) &&
             !llvm::all_of(extract.getIndices(),
                           [&](Value at) { return isUniform(at); });
    auto isIndex = [](Type type) { return type.isIndex(); };
    return llvm::any_of(nested.getOperandTypes(), isIndex) &&
           !llvm::any_of(nested.getResultTypes(), isIndex) &&
           !llvm::all_of(nested.getOperands(),
                         [&](Value in) { return isUniform(in); });
  });
  DenseSet<Value> perLane;
  for (BlockArgument argument : op.getBlock()->getArguments())
    if (stride(*op.getMatchingOpOperand(argument)) != Stride::None)
      perLane.insert(argument);
  auto isPerLane = [&](Value value) { return perLane.contains(value); };
  for (Operation &nested : op.getBlock()->without_terminator()) {
    if (deferredOps.contains(&nested))
      continue;
    cost += getCost(nested);
    if (auto index = dyn_cast<linalg::IndexOp>(nested);
        llvm::any_of(nested.getOperands(), isPerLane) ||
        (index && static_cast<int>(index.getDim()) == vecDim)) {
      laneCost += getCost(nested);
      perLane.insert_range(nested.getResults());
    }
    for (Type type : nested.getResultTypes())
      if (indexLanes || !type.isIndex())
        bits = std::max(bits, getElementBits(type));
  }
  for (BlockArgument argument : op.getBlock()->getArguments()) {
    Type type = argument.getType();
    unsigned number = argument.getArgNumber();
    if (number < op.getNumDpsInputs() ||
        !deferredOutputs.contains(number - op.getNumDpsInputs()))
      bits = std::max(bits, getElementBits(type));
  }
  // Beside each element goes the number of its vector.
  if (!choices.empty())
    bits = std::max(bits, 32u);
  int64_t native = target.lanes(bits);
  tailLanes = native;
  rowDim = -1;
  rows = 1;
  if (strided && !exactTail && planTranspose(native, cost))
    return;
  bool reduces = op.getNumReductionLoops() > 0;
  int64_t size = sizes[vecDim];
  bool known = !ShapedType::isDynamic(size);
  if (shortDim >= 0) {
    // One register of each: what is wider is shuffled in pieces anyway.
    lanes = native;
    if (known && size < native)
      lanes = std::max<int64_t>(2, llvm::PowerOf2Ceil(size));
    if (!isReductionDim(shortDim)) {
      rowDim = shortDim;
      rows = sizes[shortDim];
    }
    return;
  }
  if (strided) {
    lanes = std::min<int64_t>(native, 16);
    while (known && lanes > 1 && lanes > size)
      lanes /= 2;
    return;
  }

  // Unrolled rows: a parallel loop that some vector-read operand does not
  // depend on, so that one load serves all rows. The longest; of a batch of
  // unknown size there may be one.
  constexpr int64_t kUnknown = 6720, kBatch = 8;
  int64_t rowSize = 1;
  for (unsigned d = 0; reduces && cost <= 8 && d < numLoops; ++d) {
    if (static_cast<int>(d) == vecDim || isReductionDim(d))
      continue;
    bool shares = llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *in) {
      AffineMap map = op.getMatchingIndexingMap(in);
      return isa<RankedTensorType>(in->get().getType()) &&
             map.isFunctionOfDim(vecDim) && !map.isFunctionOfDim(d);
    });
    int64_t s = ShapedType::isDynamic(sizes[d]) ? kBatch : sizes[d];
    if (shares && s >= rowSize && s > 1) {
      rowSize = s;
      rowDim = d;
    }
  }

  if (rowDim >= 0 && ShapedType::isDynamic(sizes[rowDim]))
    rowSize = reduces ? kUsualPixels : kUnknown;

  // Registers of a row and rows: the fewest estimated cycles, with tails. Two
  // operations and two loads go per cycle; a chain of 4 cycles on two units
  // wants 8 accumulators.
  // With what they keep of a window, rows of one register fill all there are.
  if (keepsColumns())
    acrossDim = findWindow()->across;
  int64_t budget = target.vectorRegisters * 3 / 4;
  int64_t most = acrossDim >= 0               ? 1
                 : rowDim >= 0                ? 4
                 : reduces && !vecIsReduction ? 8
                                              : 4;
  // Polynomials are long chains: several at a time hide each other's latency
  // even where some of their registers are on the stack, unless the values
  // between them are, too. With AVX-512, two operands that come from memory
  // take longer that way (1.2 times on Zen 5), and in a cache hardly less; so
  // do norms, whose functions are of a row.
  auto isWhole = [&](OpOperand *in) {
    AffineMap map = op.getMatchingIndexingMap(in);
    return map.getNumResults() == numLoops && map.isFunctionOfDim(vecDim);
  };
  bool hidesLatency =
      cost > 8 && 4 * getMostAlive(*op.getBlock()) <= target.vectorRegisters &&
      (target.vectorRegisters == 16 ||
       (laneCost > 8 &&
        llvm::count_if(op.getDpsInputOperands(), isWhole) <= 1));
  if (cost > 8 && !hidesLatency)
    most = 2;
  int64_t mostRows = vecIsReduction ? 4 : 14;
  planLines(cost, rowSize, most, mostRows);
  double best = std::numeric_limits<double>::max();
  for (int64_t regs = 1; regs <= most; regs *= 2) {
    int64_t width = regs * native;
    if (known && size < native)
      width = std::max<int64_t>(2, llvm::PowerOf2Ceil(size));
    double columns = double(llvm::divideCeil(known ? size : kUnknown, width));
    int64_t cap = std::clamp<int64_t>(budget / regs, 1, mostRows);
    // Of windows more are slower: 12 pixels by 2 registers take 1.3 to 1.7
    // times as long as 8, of f32 on Zen 5.
    if (regs > 1 && target.vectorRegisters > 16 && findWindow())
      cap = std::min<int64_t>(cap, target.vectorRegisters / 2 / regs);
    for (int64_t r = 1; r <= std::min(cap, rowSize); ++r) {
      auto cycles = [&](int64_t n) {
        double latency = reduces ? 4 : 1;
        return std::max({double(n * regs) / 2, double(n + regs) / 2, latency}) +
               0.5;
      };
      int64_t rest = rowSize % r, fours = r > kFewRows ? rest / kFewRows : 0;
      double total = columns * (double(rowSize / r) * cycles(r) +
                                double(fours) * cycles(kFewRows) +
                                double(rest - fours * kFewRows) * cycles(1));
      if (total < best * 0.999) {
        best = total;
        rows = r;
        lanes = width;
      }
    }
  }
  if (rows == 1)
    rowDim = acrossDim = -1;
}

/// Plans a square tile for an elementwise op that reads some operand across
/// the vector loop: rows of that operand, transposed in registers. Short loops
/// fill a part of the square.
bool VectorNest::planTranspose(int64_t native, unsigned cost) {
  int64_t most = std::min<int64_t>(native, 16);
  auto size = [&](unsigned d) {
    return ShapedType::isDynamic(sizes[d]) ? most : std::min(sizes[d], most);
  };
  if (op.getNumReductionLoops() > 0 || cost > kSquareCost ||
      !llvm::isPowerOf2_64(most) || size(vecDim) < 2)
    return false;
  for (unsigned d = 0; d < numLoops; ++d) {
    if (static_cast<int>(d) == vecDim || size(d) < 2)
      continue;
    rowDim = d;
    transposes = true;
    bool all = llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      return stride(operand) != Stride::Other &&
             (!type || stride(operand) != Stride::Transposed ||
              isLane(type.getElementType()));
    });
    if (all) {
      // The longer loop is cut at the square's side, but for a short one.
      auto [low, high] = std::minmax(size(vecDim), size(d));
      int64_t side = llvm::PowerOf2Ceil(high < most ? high : low);
      lanes = std::min(size(vecDim), side);
      rows = std::min(size(d), side);
      return true;
    }
  }
  rowDim = -1;
  transposes = false;
  return false;
}

/// Chooses the outermost loop with enough iterations for several threads, or
/// else that with most, all of it with enough work for more than one; where it
/// is a batch of unknown size, of which there may be one, the next such loop as
/// well, but the innermost.
void VectorNest::planThreads(ArrayRef<int> order) {
  // Threads divide the loop around it, if one is divided.
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (parent->hasAttr(kParallelAttrName))
      return;
  constexpr int64_t kEnough = 8;
  int64_t work = 0;
  for (Operation &nested : op.getBlock()->without_terminator())
    work += isa<math::MathDialect>(nested.getDialect()) ? 16 : 1;
  work = std::max<int64_t>(work, 1);
  constexpr int64_t kUnknown = 64, kMostWork = int64_t(1) << 40;
  auto isKnown = [&](unsigned d) { return !ShapedType::isDynamic(sizes[d]); };
  auto count = [&](unsigned d) { return isKnown(d) ? sizes[d] : kUnknown; };
  for (unsigned d = 0; d < numLoops; ++d)
    work = std::min(work * std::max<int64_t>(count(d), 1), kMostWork);
  int fallback = -1;
  int64_t mostSteps = 1;
  Share fallbackShare;
  for (size_t number = 0; number < order.size(); ++number) {
    int d = order[number];
    int64_t size = d == kBlocks ? sizes[vecDim]
                   : d == vecDim && blockSize > 0
                       ? std::min(sizes[d], blockSize)
                       : count(d);
    if (size == 0)
      return;
    Share share;
    share.elements = getGrain(work / size);
    auto isInside = [&](int other) {
      return isReductionDim(other) ||
             llvm::is_contained(order.drop_front(number + 1), other);
    };
    for (unsigned other = 0; other < numLoops; ++other)
      if (!isKnown(other) && isInside(other)) {
        share.unknown.push_back(other);
        share.elements = std::min(share.elements * kUnknown, kMostWork);
      }
    int64_t step = getStep(d);
    bool isWorth = !share.unknown.empty() || work >= 2 * kWorkPerThread;
    bool isUnknown = d != kBlocks && !isKnown(d);
    if (isUnknown || (size >= kEnough * step && isWorth)) {
      bool isBatch = isUnknown && shares.empty();
      shares[d] = share;
      if (!isBatch || number + 2 >= order.size())
        return;
    }
    int64_t steps = llvm::divideCeil(size, step);
    if (isWorth && steps > mostSteps) {
      mostSteps = steps;
      fallback = d;
      fallbackShare = share;
    }
    // What an iteration around it has, of as many elements as that takes.
    work /= steps;
  }
  if (shares.empty() && fallback >= 0)
    shares[fallback] = fallbackShare;
}

/// Whether `value`, in the body, is the same for all lanes.
bool VectorNest::isUniform(Value value) {
  SmallVector<Value> open{value};
  DenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second || next.getParentBlock() != op.getBlock())
      continue;
    Operation *maker = next.getDefiningOp();
    if (!maker) {
      OpOperand &operand = *op.getMatchingOpOperand(cast<BlockArgument>(next));
      if (stride(operand) != Stride::None)
        return false;
    } else if (auto index = dyn_cast<linalg::IndexOp>(maker)) {
      if (static_cast<int>(index.getDim()) == vecDim)
        return false;
    } else {
      llvm::append_range(open, maker->getOperands());
    }
  }
  return true;
}

/// How much `value`, an index of the body, grows from lane to lane, if that is
/// a constant.
std::optional<int64_t> VectorNest::laneStep(Value value) {
  if (isUniform(value))
    return 0;
  Operation *maker = value.getDefiningOp();
  // Of what the vector loop moves, only its own index is known.
  if (isa_and_nonnull<linalg::IndexOp>(maker))
    return 1;
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(maker) ||
      !value.getType().isIndex())
    return std::nullopt;
  std::optional<int64_t> lhs = laneStep(maker->getOperand(0)),
                         rhs = laneStep(maker->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  return isa<arith::AddIOp>(maker) ? *lhs + *rhs : *lhs - *rhs;
}

/// Whether the lanes read neighbours, in order (1) or the last one first (-1):
/// rows of a table at computed places, parts of them, reversed ones. Else 0.
int64_t VectorNest::direction(tensor::ExtractOp extract) {
  if (extract.getIndices().empty() || !isVectorElement(extract.getType()) ||
      !llvm::all_of(extract.getIndices().drop_back(),
                    [&](Value v) { return isUniform(v); }))
    return 0;
  int64_t step = laneStep(extract.getIndices().back()).value_or(0);
  return step == 1 || step == -1 ? step : 0;
}

std::string VectorNest::describeScalarAccess() {
  if (sizes[vecDim] == 1)
    return "the only loop of it that can be vectorised has one iteration";
  if (gathers && llvm::any_of(op.getBlock()->getOps<tensor::ExtractOp>(),
                              [&](tensor::ExtractOp extract) {
                                return !direction(extract) &&
                                       !llvm::all_of(extract.getIndices(),
                                                     [&](Value at) {
                                                       return isUniform(at);
                                                     });
                              }))
    return "its indices are computed, so that each lane is read alone";
  for (OpOperand &operand : op->getOpOperands()) {
    bool isUsed = op.isDpsInit(&operand) ||
                  !op.getMatchingBlockArgument(&operand).use_empty();
    if (isUsed && stride(operand) == Stride::Other)
      return ("no choice of loops makes operand number " +
              Twine(operand.getOperandNumber()) +
              " contiguous, so that each lane of it is accessed alone")
          .str();
  }
  return "";
}

LogicalResult VectorNest::plan(std::string &reason) {
  if (!op.hasPureTensorSemantics()) {
    reason = "it works on buffers";
    return failure();
  }
  if (llvm::all_of(sizes, [](int64_t size) { return size == 1; })) {
    reason = "it is a scalar computation";
    return failure();
  }
  if (!checkPayload(reason))
    return failure();
  unsigned numParallel = op.getNumParallelLoops();
  if (numParallel + op.getNumReductionLoops() != numLoops) {
    reason = "it has a window loop";
    return failure();
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    // A kept dimension of size 1 is indexed by 0.
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true) ||
        llvm::any_of(llvm::seq(numLoops), [&](unsigned d) {
          return map.isFunctionOfDim(d) == isReductionDim(d);
        })) {
      reason = "an output is not indexed by exactly the parallel loops";
      return failure();
    }
  }
  contraction = matchContractionBody(op);

  // The best loop to vectorise, if it can be.
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(numLoops));
  SmallVector<double> scores =
      llvm::map_to_vector(order, [&](unsigned d) { return score(d); });
  // Of a reduction, nothing is turned in registers: loops along which elements
  // lie apart come after all others.
  auto goesApart = [&](unsigned d) {
    return op.getNumReductionLoops() > 0 &&
           ((sizes[d] >= 0 && sizes[d] < 4) ||
            llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
              return classify(operand, d) == Stride::Other &&
                     llvm::none_of(llvm::seq(numLoops), [&](unsigned inner) {
                       return isInterleaved(operand, d, inner);
                     });
            }));
  };
  SmallVector<bool> apart = llvm::map_to_vector(order, goesApart);
  llvm::sort(order, [&](unsigned x, unsigned y) {
    return std::tuple(!apart[x], scores[x], x) >
           std::tuple(!apart[y], scores[y], y);
  });
  // Where that is a short loop, it and the one around it are gone through as
  // one, if they can be.
  int shortest = order.front(), around = -1;
  for (unsigned d = 0; d < numLoops; ++d)
    if (repeatsAlong(d, shortest))
      around = d;
  repeats = around >= 0;
  // Else its steps are computed side by side, and written so.
  for (unsigned d = 0; around < 0 && d < numLoops; ++d)
    for (unsigned inner = 0; inner < numLoops; ++inner)
      if (weavesAlong(d, inner)) {
        around = d;
        shortest = inner;
        weaves = true;
      }
  if (around >= 0)
    order.insert(order.begin(), around);
  for (unsigned dim : order) {
    vecDim = dim;
    vecIsReduction = isReductionDim(dim);
    rowDim = -1;
    transposes = false;
    choices.clear();
    deferredOps.clear();
    deferredOutputs.clear();
    if (repeats || weaves)
      shortDim = shortest;
    else
      planInterleaved();
    strided =
        exactTail || llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
          return stride(operand) == Stride::Other;
        });
    if (vecIsReduction && (strided || !planReduction()))
      continue;
    planSizes();
    if (!ShapedType::isDynamic(sizes[vecDim]) || strided || !choices.empty())
      tailLanes = lanes;
    return success();
  }
  reason = "no loop of it can be vectorised";
  return failure();
}
