//===- Normalize.cpp - one form for the CPU schedules ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"

#include "ContractionPlan.h"
#include "Epilogue.h"
#include "GroupDot.h"
#include "amp/Codegen/Common/Normalize.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

bool cpu::isCastOnly(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 1 &&
         llvm::all_of(
             op.getBody()->without_terminator(), [](Operation &nested) {
               return isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp,
                          arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp,
                          arith::UIToFPOp>(nested);
             });
}

/// Whether `op` only converts its one input, to fewer bits.
static bool isNarrowing(linalg::GenericOp op) {
  if (!cpu::isCastOnly(op) || op.getNumDpsInits() != 1)
    return false;
  Type from = getElementTypeOrSelf(op.getDpsInputs()[0]),
       to = getElementTypeOrSelf(op.getDpsInits()[0]);
  return from.isIntOrFloat() && to.isIntOrFloat() &&
         from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth();
}

/// Whether `user` runs several times for one run of `producer`.
static bool isRepeated(Operation *producer, Operation *user) {
  for (Operation *op = user; op && op->getBlock() != producer->getBlock();
       op = op->getParentOp())
    if (isa_and_nonnull<LoopLikeOpInterface>(op->getParentOp()))
      return true;
  return false;
}

/// Whether what computes `source`, of which the cast `op` is the only reader,
/// can convert its results as it stores them: then they take less memory, and
/// who packs them converts nothing.
static bool canStoreNarrow(Value source, Operation *op) {
  auto producer = source.getDefiningOp<linalg::LinalgOp>();
  return producer && source.hasOneUse() && !isRepeated(producer, op) &&
         !producer.getBlock()->without_terminator().empty();
}

/// Whether `op` reads elements that do not lie one behind the other.
static bool hasGaps(linalg::GenericOp op) {
  return llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return llvm::any_of(map.getResults(), [](AffineExpr expr) {
      return !isa<AffineDimExpr, AffineConstantExpr>(expr);
    });
  });
}

/// Whether computing the elements of `op` again takes less than storing them:
/// one operation, or two, of one tensor's element and of scalars or shorter
/// tensors, none of which rounds to less than 32 bits.
static bool isCheap(linalg::GenericOp op) {
  constexpr size_t kFewOps = 2;
  auto isOfAllLoops = [&](OpOperand *operand) {
    return op.getMatchingIndexingMap(operand).getNumResults() ==
           op.getNumLoops();
  };
  return op.getNumLoops() == op.getNumParallelLoops() &&
         llvm::count_if(op.getDpsInputOperands(), isOfAllLoops) == 1 &&
         llvm::range_size(op.getBody()->without_terminator()) <= kFewOps &&
         llvm::all_of(op.getBody()->without_terminator(), [](Operation &body) {
           return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp,
                      arith::NegFOp, arith::ExtFOp>(body);
         });
}

/// Whether all that reads `value` reads each of its elements once, and one of
/// these reduces rows of it: those are read several times, from a cache.
static bool isReadByRows(Value value) {
  bool reduces = false;
  for (OpOperand &use : value.getUses()) {
    auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!user || user->getBlock() != value.getParentBlock() ||
        !user.isDpsInput(&use) || cpu::matchContractionBody(user) ||
        !user.getMatchingIndexingMap(&use).isPermutation())
      return false;
    reduces |= user.getNumReductionLoops() > 0;
  }
  return reduces;
}

/// Fuses an elementwise producer into its consumer where that computes nothing
/// twice: the producer has one user, which uses each element once. Into
/// contractions, which read elements often but pack them once, only casts go.
static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer)
    return true;
  bool castOnly = cpu::isCastOnly(producer);
  // What reads through gaps does so once, and not where it is packed.
  if (hasGaps(producer) &&
      (consumer.getNumReductionLoops() > 0 || !operand->get().hasOneUse()))
    return false;
  if (cpu::matchContractionBody(consumer))
    return castOnly && !(isNarrowing(producer) &&
                         canStoreNarrow(producer.getDpsInputs()[0], producer));
  if (cpu::isChannel(operand))
    return operand->get().hasOneUse();
  // A product stores its results narrow rather than all that read them twice.
  if (isNarrowing(producer) && !operand->get().hasOneUse()) {
    Value source = producer.getDpsInputs()[0];
    auto product = source.getDefiningOp<linalg::GenericOp>();
    if (product && cpu::matchContractionBody(product) &&
        canStoreNarrow(source, producer))
      return false;
  }
  // Widening a value is cheaper than storing it wide.
  if (!castOnly &&
      (!operand->get().hasOneUse() || isRepeated(producer, consumer)) &&
      !(isCheap(producer) && isReadByRows(operand->get())))
    return false;
  if (consumer.getNumReductionLoops() == 0 && castOnly)
    return true;
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  return map.isPermutation();
}

/// The transpose or reshape that `value` comes from; null where there is none,
/// or something else reads its result too.
static Operation *getMove(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<linalg::TransposeOp, tensor::ExpandShapeOp,
                         tensor::CollapseShapeOp>(op) &&
                 value.hasOneUse()
             ? op
             : nullptr;
}

/// `move` of `narrowed`, a tensor of `sizes` which it brings up to date.
static Value moveNarrowed(RewriterBase &rewriter, Operation *move,
                          Value narrowed, SmallVector<OpFoldResult> &sizes) {
  Location loc = move->getLoc();
  Type element = getElementTypeOrSelf(narrowed);
  if (auto transpose = dyn_cast<linalg::TransposeOp>(move)) {
    applyPermutationToVector(sizes, transpose.getPermutation());
    Value init = tensor::EmptyOp::create(rewriter, loc, sizes, element);
    return linalg::TransposeOp::create(rewriter, loc, narrowed, init,
                                       transpose.getPermutation())
        ->getResult(0);
  }
  auto type = cast<RankedTensorType>(move->getResultTypes()[0]).clone(element);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(move)) {
    sizes = expand.getMixedOutputShape();
    return tensor::ExpandShapeOp::create(
        rewriter, loc, type, narrowed, expand.getReassociationIndices(), sizes);
  }
  Value collapsed = tensor::CollapseShapeOp::create(
      rewriter, loc, type, narrowed,
      cast<tensor::CollapseShapeOp>(move).getReassociationIndices());
  sizes = tensor::getMixedSizes(rewriter, loc, collapsed);
  return collapsed;
}

/// Moves the cast `op` behind `source`, in front of `moves`, the first of which
/// makes its operand and the last of which reads `source`.
static void moveInFront(RewriterBase &rewriter, linalg::GenericOp op,
                        Value source, ArrayRef<Operation *> moves) {
  rewriter.setInsertionPoint(op);
  // Of what `source` is computed from: a read of it would be another reader.
  ReifiedRankedShapedTypeDims shapes;
  auto result = cast<OpResult>(source);
  if (failed(reifyResultShapes(rewriter, result.getOwner(), shapes)))
    return;
  // Known where the type says so, even if more is known: types must agree.
  SmallVector<OpFoldResult> sizes = shapes[result.getResultNumber()];
  for (auto [size, known] : llvm::zip_equal(
           sizes, cast<RankedTensorType>(source.getType()).getShape()))
    if (ShapedType::isStatic(known))
      size = rewriter.getIndexAttr(known);
    else
      size = getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), size);
  Value init = tensor::EmptyOp::create(rewriter, op.getLoc(), sizes,
                                       getElementTypeOrSelf(op.getResult(0)));
  unsigned rank = sizes.size();
  auto narrowed = linalg::GenericOp::create(
      rewriter, op.getLoc(), init.getType(), source, init,
      SmallVector<AffineMap>(2, rewriter.getMultiDimIdentityMap(rank)),
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel));
  rewriter.inlineRegionBefore(op.getRegion(), narrowed.getRegion(),
                              narrowed.getRegion().begin());
  Value value = narrowed.getResult(0);
  for (Operation *move : llvm::reverse(moves))
    value = moveNarrowed(rewriter, move, value, sizes);
  rewriter.replaceOp(op, value);
  for (Operation *move : moves)
    rewriter.eraseOp(move);
}

/// Moves narrowing casts behind what computes their operand, in front of what
/// only moves it.
static void hoistNarrowingCasts(FunctionOpInterface function) {
  IRRewriter rewriter(function->getContext());
  SmallVector<linalg::GenericOp> casts;
  function->walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics() && isNarrowing(op) &&
        llvm::all_of(op.getIndexingMapsArray(),
                     [](AffineMap map) { return map.isIdentity(); }))
      casts.push_back(op);
  });
  for (linalg::GenericOp op : casts) {
    Value source = op.getDpsInputs()[0];
    SmallVector<Operation *> moves;
    while (Operation *move = getMove(source)) {
      moves.push_back(move);
      source = move->getOperand(0);
    }
    if (!moves.empty() && canStoreNarrow(source, op))
      moveInFront(rewriter, op, source, moves);
  }
}

/// Where the sums of an op start from what is computed of a smaller tensor and
/// repeated, such as a bias in another type: computes it first, for each of its
/// own elements, and then repeats it, so that `matchBroadcast` sees that.
static void computeBeforeRepeating(FunctionOpInterface function) {
  IRRewriter rewriter(function->getContext());
  SmallVector<linalg::GenericOp> ops;
  function->walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics() && !op.hasIndexSemantics() &&
        op.getNumDpsInputs() == 1 && op->getNumResults() == 1 &&
        op.getNumParallelLoops() == op.getNumLoops() && op->hasOneUse() &&
        !op.getBody()->without_terminator().empty() &&
        !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
      ops.push_back(op);
  });
  for (linalg::GenericOp op : ops) {
    OpOperand *input = op.getDpsInputOperand(0);
    AffineMap map = op.getMatchingIndexingMap(input);
    unsigned rank = map.getNumResults();
    auto user = dyn_cast<linalg::GenericOp>(*op->user_begin());
    if (!isa<RankedTensorType>(input->get().getType()) ||
        !map.isProjectedPermutation() || rank == op.getNumLoops() || !user ||
        !user.isDpsInit(&*op->use_begin()) || user.getNumReductionLoops() == 0)
      continue;
    Location loc = op.getLoc();
    rewriter.setInsertionPoint(op);
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, input->get()),
        getElementTypeOrSelf(op.getResult(0)));
    auto computed = linalg::GenericOp::create(
        rewriter, loc, empty.getType(), input->get(), empty,
        SmallVector<AffineMap>(2, rewriter.getMultiDimIdentityMap(rank)),
        SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel));
    rewriter.inlineRegionBefore(op.getRegion(), computed.getRegion(),
                                computed.getRegion().begin());
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, op->getResultTypes(), computed.getResults(), op.getDpsInits(),
        op.getIndexingMapsArray(), op.getIteratorTypesArray(),
        [](OpBuilder &b, Location at, ValueRange args) {
          linalg::YieldOp::create(b, at, args[0]);
        });
  }
}

//===----------------------------------------------------------------------===//
// Collapsing
//===----------------------------------------------------------------------===//

bool cpu::isInserted(linalg::GenericOp op) {
  return llvm::any_of(op->getResults(), [](Value result) {
    ArrayRef<int64_t> shape = cast<ShapedType>(result.getType()).getShape();
    return !shape.empty() && shape.back() >= cpu::kShortRow &&
           llvm::any_of(result.getUsers(), [&](Operation *user) {
             auto insert = dyn_cast<tensor::InsertSliceOp>(user);
             if (!insert || insert.getSource() != result)
               return isa<tensor::PadOp>(user);
             ArrayRef<int64_t> whole = insert.getDestType().getShape();
             auto rows =
                 shape.drop_while([](int64_t size) { return size == 1; });
             return rows.size() > 1 &&
                    rows.drop_front() != whole.take_back(rows.size() - 1);
           });
  });
}

SmallVector<ReassociationIndices> cpu::groupDims(int64_t rank, int64_t first,
                                                 int64_t count) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t d = 0; d < rank; ++d)
    if (d > first && d < first + count)
      groups.back().push_back(d);
    else
      groups.push_back({d});
  return groups;
}

void cpu::populateReshapePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
}

SmallVector<ReassociationIndices>
cpu::getCollapsibleLoops(linalg::GenericOp op) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  auto isSliced = [&](OpOperand &operand, unsigned dim) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    return type && !cpu::areOneInMemory(operand.get(), dim) &&
           (ShapedType::isDynamic(type.getShape().back()) ||
            type.getShape().back() >= cpu::kShortRow);
  };
  auto together = [&](unsigned d) {
    return kinds[d] == kinds[d + 1] &&
           llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
             AffineMap map = op.getMatchingIndexingMap(&operand);
             if (!map.isProjectedPermutation())
               return false;
             auto first =
                 map.getResultPosition(getAffineDimExpr(d, map.getContext()));
             auto second = map.getResultPosition(
                 getAffineDimExpr(d + 1, map.getContext()));
             if (!first || !second)
               return !first && !second;
             return *first + 1 == *second && !isSliced(operand, *first);
           });
  };
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto isOf = [&](const ReassociationIndices &group, int64_t size) {
    return llvm::any_of(group, [&](int64_t d) { return sizes[d] == size; });
  };
  auto mixes = [&](const ReassociationIndices &group, unsigned d) {
    return (sizes[d] == 0 && isOf(group, ShapedType::kDynamic)) ||
           (ShapedType::isDynamic(sizes[d]) && isOf(group, 0));
  };
  SmallVector<ReassociationIndices> groups;
  for (unsigned d = 0, e = op.getNumLoops(); d < e; ++d) {
    if (d > 0 && together(d - 1) && !mixes(groups.back(), d))
      groups.back().push_back(d);
    else
      groups.push_back({d});
  }
  return groups;
}

/// Leaves only those of `groups` together that are no rows.
static void splitRows(SmallVectorImpl<ReassociationIndices> &groups,
                      ArrayRef<unsigned> rows) {
  SmallVector<ReassociationIndices> next;
  for (ReassociationIndices &group : groups) {
    if (!llvm::is_contained(rows, unsigned(group.front()))) {
      next.push_back(group);
      continue;
    }
    for (int64_t dim : group)
      next.push_back({dim});
  }
  groups.assign(next);
}

void cpu::collapseLoops(FunctionOpInterface function, const CPUTarget &target) {
  IRRewriter rewriter(function->getContext());
  SmallVector<linalg::GenericOp> ops;
  function->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  DenseMap<Operation *, SmallVector<unsigned>> rowsOf;
  DenseSet<Operation *> onTiles;
  for (linalg::GenericOp op : ops) {
    if (!isPackableContraction(op, target))
      continue;
    std::optional<Roles> roles = matchRoles(op);
    Epilogue epilogue = Epilogue::collect(op, roles->n);
    if (epilogue.isEmpty())
      continue;
    rowsOf[op] = roles->rows;
    for (linalg::GenericOp inner : epilogue.getOps())
      onTiles.insert(inner);
  }
  auto getGroups = [&](linalg::GenericOp op) {
    SmallVector<ReassociationIndices> groups = getCollapsibleLoops(op);
    if (auto rows = rowsOf.find(op); rows != rowsOf.end())
      splitRows(groups, rows->second);
    return groups;
  };
  // A bias that sums start from is read where it is, and not for each element,
  // as long as the contraction sees that it is one.
  auto startsSums = [&](linalg::GenericOp op) {
    if (op->getNumResults() != 1 || !op->hasOneUse() ||
        !matchBroadcast(op.getResult(0)).first)
      return false;
    auto user = dyn_cast<linalg::GenericOp>(*op->user_begin());
    return user && user.isDpsInit(&*op->use_begin()) &&
           isPackableContraction(user, target) &&
           getGroups(user).size() == user.getNumLoops();
  };
  // What works on the sums of a window keeps its loops, like that.
  for (linalg::GenericOp op : ops)
    if (op.hasPureTensorSemantics() && op.getNumReductionLoops() > 0 &&
        !isPackableContraction(op, target) &&
        getGroups(op).size() == op.getNumLoops())
      for (linalg::GenericOp inner : getVectorEpilogue(op, target))
        onTiles.insert(inner);
  for (linalg::GenericOp op : ops) {
    if (!op.hasPureTensorSemantics() || op.hasIndexSemantics() ||
        onTiles.contains(op) || isInserted(op) || startsSums(op))
      continue;
    SmallVector<ReassociationIndices> groups = getGroups(op);
    if (groups.size() == op.getNumLoops())
      continue;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::CollapseResult> result =
        linalg::collapseOpIterationDims(op, groups, rewriter);
    if (succeeded(result))
      rewriter.replaceOp(op, result->results);
  }
  // A reshaped empty tensor is an empty tensor.
  RewritePatternSet patterns(function->getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  (void)applyPatternsGreedily(function, std::move(patterns));
}

//===----------------------------------------------------------------------===//
// Reductions of one tensor
//===----------------------------------------------------------------------===//

/// Whether both read some tensor the same way, element by element.
static bool sharesInput(linalg::GenericOp x, linalg::GenericOp y) {
  return llvm::any_of(x.getDpsInputOperands(), [&](OpOperand *of) {
    AffineMap map = x.getMatchingIndexingMap(of);
    return map.isPermutation() &&
           llvm::any_of(y.getDpsInputOperands(), [&](OpOperand *other) {
             return other->get() == of->get() &&
                    y.getMatchingIndexingMap(other) == map;
           });
  });
}

/// Whether `value` is, or can be, computed in front of `op`.
static bool canPrecede(Value value, Operation *op) {
  Operation *maker = value.getDefiningOp();
  if (!maker || maker->getBlock() != op->getBlock() ||
      maker->isBeforeInBlock(op))
    return true;
  return maker != op && isPure(maker) && maker->getNumRegions() == 0 &&
         llvm::all_of(maker->getOperands(),
                      [&](Value v) { return canPrecede(v, op); });
}

/// One op with the results of `first` and of `second`.
static linalg::GenericOp mergeReductions(IRRewriter &rewriter,
                                         linalg::GenericOp first,
                                         linalg::GenericOp second) {
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> inputMaps, initMaps;
  SmallVector<BlockArgument> inputArgs, initArgs;
  for (linalg::GenericOp op : {first, second}) {
    for (OpOperand *in : op.getDpsInputOperands()) {
      inputs.push_back(in->get());
      inputMaps.push_back(op.getMatchingIndexingMap(in));
      inputArgs.push_back(op.getMatchingBlockArgument(in));
    }
    for (OpOperand &init : op.getDpsInitsMutable()) {
      inits.push_back(init.get());
      initMaps.push_back(op.getMatchingIndexingMap(&init));
      initArgs.push_back(op.getMatchingBlockArgument(&init));
    }
  }
  llvm::append_range(inputMaps, initMaps);
  llvm::append_range(inputArgs, initArgs);
  rewriter.setInsertionPoint(first);
  auto merged = linalg::GenericOp::create(
      rewriter, rewriter.getFusedLoc({first.getLoc(), second.getLoc()}),
      ValueRange(inits).getTypes(), inputs, inits, inputMaps,
      first.getIteratorTypesArray(),
      [&](OpBuilder &b, Location loc, ValueRange args) {
        IRMapping mapping;
        for (auto [from, to] : llvm::zip_equal(inputArgs, args))
          mapping.map(from, to);
        SmallVector<Value> yielded;
        for (linalg::GenericOp op : {first, second}) {
          for (Operation &nested : op.getBody()->without_terminator())
            b.clone(nested, mapping);
          for (Value value : op.getBody()->getTerminator()->getOperands())
            yielded.push_back(mapping.lookupOrDefault(value));
        }
        linalg::YieldOp::create(b, loc, yielded);
      });
  rewriter.replaceOp(second,
                     merged->getResults().drop_front(first->getNumResults()));
  rewriter.replaceOp(first,
                     merged->getResults().take_front(first->getNumResults()));
  return merged;
}

/// Merges reductions of one tensor that do not depend on each other, such as
/// the sums of its elements and of their squares: they read it once.
static void mergeSiblingReductions(FunctionOpInterface function) {
  constexpr unsigned kMostResults = 4;
  IRRewriter rewriter(function->getContext());
  SmallVector<linalg::GenericOp> ops;
  function->walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics() && op.getNumReductionLoops() > 0 &&
        !cpu::matchContractionBody(op))
      ops.push_back(op);
  });
  for (auto it = ops.begin(); it != ops.end(); ++it)
    for (auto next = std::next(it); *it && next != ops.end(); ++next) {
      linalg::GenericOp first = *it, second = *next;
      if (!second || first->getBlock() != second->getBlock() ||
          first->getNumResults() + second->getNumResults() > kMostResults ||
          first.getIteratorTypesArray() != second.getIteratorTypesArray() ||
          !sharesInput(first, second) ||
          !llvm::all_of(second->getOperands(),
                        [&](Value v) {
                          auto fill = v.getDefiningOp<linalg::FillOp>();
                          return canPrecede(v, first) ||
                                 (fill && canPrecede(fill.output(), first) &&
                                  canPrecede(fill.value(), first));
                        }) ||
          failed(moveOperationDependencies(rewriter, second, first)))
        continue;
      *it = mergeReductions(rewriter, first, second);
      *next = nullptr;
    }
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

void cpu::expandIndices(FunctionOpInterface function) {
  SmallVector<affine::AffineApplyOp> all;
  function->walk([&](affine::AffineApplyOp op) {
    if (op->getParentOfType<linalg::LinalgOp>())
      all.push_back(op);
  });
  for (affine::AffineApplyOp op : all) {
    OpBuilder b(op);
    auto values = affine::expandAffineMap(b, op.getLoc(), op.getAffineMap(),
                                          op.getOperands());
    op.replaceAllUsesWith(values->front());
    op.erase();
  }
}

LogicalResult cpu::normalize(FunctionOpInterface function,
                             const CPUTarget &target) {
  MLIRContext *context = function->getContext();
  if (failed(lowerOtherDialects(function)))
    return failure();
  decomposeAggregates(function, /*allowReciprocals=*/true);
  {
    RewritePatternSet patterns(context);
    populateConcatPatterns(patterns);
    populateSimplerTensorOpPatterns(patterns);
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    // Tosa's have a dimension of one feature for each channel; without it, the
    // zeros that sums start from are still a fill.
    linalg::populateSimplifyDepthwiseConvPatterns(patterns);
    linalg::FillOp::getCanonicalizationPatterns(patterns, context);
    populateStaticShapePatterns(patterns);
    populateUnitStridePatterns(patterns);
    populateSimplerMathPatterns(patterns);
    // Who only asks for the sizes of a value is no reader of it.
    memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
    if (failed(applyUntilSettled(function, std::move(patterns),
                                 "brought into linalg form")))
      return failure();
  }
  hoistNarrowingCasts(function);
  generalizeNamedOps(function);
  widenExtrema(function);
  skipSpreadZeros(function);
  readStridedSlices(function);
  weaveInserts(function);
  turnFewColumns(function, target);
  {
    RewritePatternSet patterns(context);
    populateFreshInitPatterns(patterns);
    memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
    linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
    linalg::populateInlineConstantOperandsPatterns(patterns);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
    if (failed(applyUntilSettled(function, std::move(patterns),
                                 "its ops are fused")))
      return failure();
  }
  // What no fusion was to take: of a constant, another one.
  {
    RewritePatternSet patterns(context);
    linalg::populateConstantFoldLinalgOperations(
        patterns, [](OpOperand *operand) {
          return isa<linalg::TransposeOp>(operand->getOwner());
        });
    (void)applyPatternsGreedily(function, std::move(patterns));
  }
  generalizeNamedOps(function);
  computeBeforeRepeating(function);
  computeRepeatedOnce(function);
  mergeSiblingReductions(function);
  return success();
}
