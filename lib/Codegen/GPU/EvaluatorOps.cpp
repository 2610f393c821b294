//===- EvaluatorOps.cpp - the elements of tensor ops and scalars ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Evaluator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::amp::gpu;

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

static bool isElement(Type type) { return type.isIntOrIndexOrFloat(); }

/// Whether the iteration that gives an element of a result of `op` is known.
static LogicalResult checkLinalg(linalg::LinalgOp op, std::string &reason) {
  auto refuse = [&](const Twine &why) {
    reason = ("'" + op->getName().getStringRef() + "' " + why).str();
    return failure();
  };
  for (Operation &nested : op.getBlock()->without_terminator())
    if (nested.getNumRegions() != 0)
      return refuse("has nested regions");
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (OpOperand &init : op.getDpsInitsMutable()) {
    llvm::SmallBitVector covered(op.getNumLoops());
    for (AffineExpr expr : op.getMatchingIndexingMap(&init).getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        covered.set(dim.getPosition());
      else if (!isa<AffineConstantExpr>(expr))
        return refuse("has a result that is not indexed by its loops");
    }
    for (auto [loop, kind] : llvm::enumerate(kinds)) {
      bool isReduction = kind == utils::IteratorType::reduction;
      if (isReduction == covered.test(loop) &&
          (isReduction || sizes[loop] != 1))
        return refuse(isReduction
                          ? "has a result that is indexed by a reduction"
                          : "has a result that a parallel loop does not index");
    }
  }
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    AffineExpr dim = getAffineDimExpr(loop, op.getContext());
    bool isKnown = !ShapedType::isDynamic(size) ||
                   llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
                     return llvm::is_contained(map.getResults(), dim);
                   });
    if (!isKnown)
      return refuse("has a loop whose size no operand gives");
  }
  return success();
}

LogicalResult Evaluator::check(const Kernel &kernel, std::string &reason) {
  func::FuncOp function = kernel.function;
  for (Operation &op : function.getBody().front().without_terminator()) {
    for (Type type : op.getResultTypes())
      if (!isElement(getElementTypeOrSelf(type))) {
        reason = ("'" + op.getName().getStringRef() +
                  "' has an element type that is neither integer nor floating "
                  "point")
                     .str();
        return failure();
      }
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      if (failed(checkLinalg(linalgOp, reason)))
        return failure();
      continue;
    }
    bool isKnown =
        isa<tensor::EmptyOp, tensor::CastOp, tensor::SplatOp,
            tensor::FromElementsOp, tensor::GenerateOp, tensor::ExpandShapeOp,
            tensor::CollapseShapeOp, tensor::ExtractSliceOp,
            tensor::InsertSliceOp, tensor::PadOp, tensor::ConcatOp,
            arith::ConstantOp>(op) ||
        (op.getNumRegions() == 0 &&
         llvm::none_of(op.getResultTypes(), llvm::IsaPred<ShapedType>));
    if (!isKnown) {
      reason = ("'" + op.getName().getStringRef() +
                "' is not an op whose elements are known one by one")
                   .str();
      return failure();
    }
  }
  return success();
}

bool Evaluator::hasVectorForm(const Kernel &kernel) {
  func::FuncOp function = kernel.function;
  WalkResult result = function.getBody().walk([](Operation *op) {
    for (Type type :
         llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                  SmallVector<Type>(op->getResultTypes())))
      if (!VectorType::isValidElementType(getElementTypeOrSelf(type)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Scalars and sizes
//===----------------------------------------------------------------------===//

Value Evaluator::emitScalar(OpBuilder &b, Location loc, Value scalar) {
  if (auto argument = dyn_cast<BlockArgument>(scalar);
      argument && argument.getOwner()->getParentOp() == kernel.function)
    return arguments[argument.getArgNumber()];
  Operation *op = scalar.getDefiningOp();
  // A value that is on the device already, such as a loop's index.
  if (!op || op->getParentOp() != kernel.function)
    return scalar;
  Key key = {scalar.getAsOpaquePointer()};
  if (auto values = lookup(b, emitted, key))
    return values->front();
  auto operand = [&](Value v) { return emitScalar(b, loc, v); };
  Value value =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](tensor::DimOp dim) {
            return emitDim(b, loc, dim.getSource(), *dim.getConstantIndex());
          })
          .Case([&](tensor::ExtractOp extract) {
            return emit(b, loc, extract.getTensor(),
                        llvm::map_to_vector(extract.getIndices(), operand));
          })
          .Case([&](affine::AffineApplyOp apply) {
            return affine::expandAffineMap(
                       b, loc, apply.getAffineMap(),
                       llvm::map_to_vector(apply.getMapOperands(), operand))
                ->front();
          })
          .Default([&](Operation *) {
            IRMapping mapping;
            for (Value v : op->getOperands())
              mapping.map(v, operand(v));
            return b.clone(*op, mapping)
                ->getResult(cast<OpResult>(scalar).getResultNumber());
          });
  emitted[key].push_back({value});
  return value;
}

Value Evaluator::emitDim(OpBuilder &b, Location loc, Value tensor,
                         int64_t dim) {
  return getValueOrCreateConstantIndexOp(b, loc, getDim(b, loc, tensor, dim));
}

OpFoldResult Evaluator::getDim(OpBuilder &b, Location loc, Value tensor,
                               int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return b.getIndexAttr(type.getDimSize(dim));
  auto sum = [&](ArrayRef<OpFoldResult> values) {
    AffineExpr expr = b.getAffineConstantExpr(0);
    for (size_t i = 0; i < values.size(); ++i)
      expr = expr + b.getAffineSymbolExpr(i);
    return apply(b, loc, expr, {}, toDevice(b, loc, values));
  };
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    Value buffer = arguments[argument.getArgNumber()];
    auto bufferType = cast<MemRefType>(buffer.getType());
    if (!bufferType.isDynamicDim(dim))
      return b.getIndexAttr(bufferType.getDimSize(dim));
    Key key = {buffer.getAsOpaquePointer(), reinterpret_cast<void *>(dim),
               nullptr};
    if (auto values = lookup(b, indices, key))
      return values->front();
    Value size = memref::DimOp::create(b, loc, buffer, dim);
    indices[key].push_back({size});
    return size;
  }
  auto result = cast<OpResult>(tensor);
  return llvm::TypeSwitch<Operation *, OpFoldResult>(result.getOwner())
      .Case([&](DestinationStyleOpInterface op) {
        return getDim(b, loc, op.getTiedOpOperand(result)->get(), dim);
      })
      .Case([&](tensor::CastOp op) {
        return getDim(b, loc, op.getSource(), dim);
      })
      .Case([&](tensor::EmptyOp op) {
        return toDevice(b, loc, op.getMixedSizes()[dim]);
      })
      .Case([&](tensor::ExpandShapeOp op) {
        return toDevice(b, loc, op.getMixedOutputShape()[dim]);
      })
      .Case([&](tensor::CollapseShapeOp op) {
        OpFoldResult size = b.getIndexAttr(1);
        for (int64_t source : op.getReassociationIndices()[dim])
          size =
              apply(b, loc, b.getAffineSymbolExpr(0) * b.getAffineSymbolExpr(1),
                    {}, {size, getDim(b, loc, op.getSrc(), source)});
        return size;
      })
      .Case([&](tensor::ExtractSliceOp op) {
        SmallVector<OpFoldResult> sizes;
        llvm::SmallBitVector dropped = op.getDroppedDims();
        for (auto [index, size] : llvm::enumerate(op.getMixedSizes()))
          if (!dropped.test(index))
            sizes.push_back(size);
        return toDevice(b, loc, sizes[dim]);
      })
      .Case([&](tensor::PadOp op) {
        return sum({op.getMixedLowPad()[dim], op.getMixedHighPad()[dim],
                    getDim(b, loc, op.getSource(), dim)});
      })
      .Case([&](tensor::ConcatOp op) {
        if (static_cast<uint64_t>(dim) != op.getDim())
          return getDim(b, loc, op.getInputs().front(), dim);
        SmallVector<OpFoldResult> sizes;
        for (Value input : op.getInputs())
          sizes.push_back(getDim(b, loc, input, dim));
        return sum(sizes);
      })
      .Default([&](Operation *op) {
        // Ops whose operands are the dynamic sizes, or end with them.
        unsigned after = 0;
        for (int64_t d = dim; d < type.getRank(); ++d)
          after += type.isDynamicDim(d);
        return toDevice(
            b, loc, OpFoldResult(op->getOperand(op->getNumOperands() - after)));
      });
}

//===----------------------------------------------------------------------===//
// Tensor ops
//===----------------------------------------------------------------------===//

/// The strides, in elements, of `sizes` in row-major order.
static SmallVector<AffineExpr> suffixProducts(ArrayRef<AffineExpr> sizes) {
  SmallVector<AffineExpr> strides(sizes.size());
  AffineExpr stride;
  for (int64_t i = sizes.size() - 1; i >= 0; --i) {
    strides[i] =
        stride ? stride : getAffineConstantExpr(1, sizes[i].getContext());
    stride = stride ? stride * sizes[i] : sizes[i];
  }
  return strides;
}

Value Evaluator::inBox(OpBuilder &b, Location loc, const Box &box,
                       const Position &p, Type type, Emit inside,
                       Emit outside) {
  auto index = [&](OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  };
  Value condition;
  auto require = [&](arith::CmpIPredicate predicate, OpFoldResult lhs,
                     OpFoldResult rhs) {
    std::optional<int64_t> left = getConstantIntValue(lhs);
    std::optional<int64_t> right = getConstantIntValue(rhs);
    if (left && right &&
        arith::applyCmpPredicate(predicate, APInt(64, *left),
                                 APInt(64, *right)))
      return;
    Value next =
        arith::CmpIOp::create(b, loc, predicate, index(lhs), index(rhs));
    condition =
        condition ? arith::AndIOp::create(b, loc, condition, next) : next;
  };
  // Whether all lanes are on one side of a bound.
  auto isAligned = [&](OpFoldResult bound) {
    std::optional<int64_t> value =
        bound ? getConstantIntValue(bound) : std::optional<int64_t>(0);
    return value && *value % p.width == 0 && p.multiple % p.width == 0;
  };
  bool isWhole = true;
  AffineExpr d0 = b.getAffineDimExpr(0), s0 = b.getAffineSymbolExpr(0),
             s1 = b.getAffineSymbolExpr(1);
  for (auto [dim, i] : llvm::enumerate(p.indices)) {
    OpFoldResult low = box.low[dim], high = box.high[dim];
    bool isStrided = !isConstantIntValue(box.stride[dim], 1);
    bool isLanes = p.width > 1 && static_cast<int64_t>(dim) == p.dim;
    if (isLanes && isStrided)
      return lanes(b, loc, p, [&](const Position &q) {
        return inBox(b, loc, box, q, type, inside, outside);
      });
    bool straddles = isLanes && !(isAligned(low) && isAligned(high));
    if (!isConstantIntValue(low, 0))
      require(arith::CmpIPredicate::sge, i, low);
    if (high)
      require(arith::CmpIPredicate::sle,
              apply(b, loc, d0 + (straddles ? p.width : 1), {i}), high);
    if (isStrided)
      require(arith::CmpIPredicate::eq,
              apply(b, loc, (d0 - s0) % s1, {i}, {low, box.stride[dim]}),
              b.getIndexAttr(0));
    isWhole &= !straddles;
  }
  if (!condition)
    return inside(p);
  Type result = p.width == 1 ? type : VectorType::get({p.width}, type);
  auto branch = scf::IfOp::create(b, loc, TypeRange{result}, condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Value value = toVector(b, loc, inside(p), p.width);
  scf::YieldOp::create(b, loc, value);
  b.setInsertionPointToStart(branch.elseBlock());
  value = isWhole ? outside(p) : lanes(b, loc, p, [&](const Position &q) {
    return inBox(b, loc, box, q, type, inside, outside);
  });
  scf::YieldOp::create(b, loc, toVector(b, loc, value, p.width));
  return branch.getResult(0);
}

Value Evaluator::constantAt(OpBuilder &b, Location loc, DenseElementsAttr value,
                            const Position &p) {
  auto type = cast<RankedTensorType>(value.getType());
  if (value.isSplat())
    return arith::ConstantOp::create(b, loc, value.getSplatValue<TypedAttr>());
  SmallVector<AffineExpr> sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(b.getAffineConstantExpr(size));
  SmallVector<AffineExpr> strides = suffixProducts(sizes);
  AffineExpr linear = b.getAffineConstantExpr(0);
  for (auto [dim, stride] : llvm::enumerate(strides))
    linear = linear + b.getAffineDimExpr(dim) * stride;
  return lanes(b, loc, p, [&](const Position &q) -> Value {
    OpFoldResult at = apply(b, loc, linear, q.indices);
    if (std::optional<int64_t> number = getConstantIntValue(at))
      return arith::ConstantOp::create(b, loc,
                                       value.getValues<TypedAttr>()[*number]);
    Value all = arith::ConstantOp::create(
        b, loc,
        value.reshape(
            VectorType::get({type.getNumElements()}, type.getElementType())));
    return vector::ExtractOp::create(b, loc, all, cast<Value>(at));
  });
}

Value Evaluator::selectElement(OpBuilder &b, Location loc, ValueRange elements,
                               const Position &p, RankedTensorType type) {
  SmallVector<AffineExpr> sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(b.getAffineConstantExpr(size));
  SmallVector<AffineExpr> strides = suffixProducts(sizes);
  AffineExpr linear = b.getAffineConstantExpr(0);
  for (auto [dim, stride] : llvm::enumerate(strides))
    linear = linear + b.getAffineDimExpr(dim) * stride;
  return lanes(b, loc, p, [&](const Position &q) -> Value {
    OpFoldResult at = apply(b, loc, linear, q.indices);
    if (std::optional<int64_t> number = getConstantIntValue(at))
      return emitScalar(b, loc, elements[*number]);
    Value value = emitScalar(b, loc, elements.front());
    for (auto [number, element] : llvm::enumerate(elements.drop_front())) {
      Value here = arith::CmpIOp::create(
          b, loc, arith::CmpIPredicate::eq, cast<Value>(at),
          arith::ConstantIndexOp::create(b, loc, number + 1));
      value = arith::SelectOp::create(b, loc, here, emitScalar(b, loc, element),
                                      value);
    }
    return value;
  });
}

Value Evaluator::tensorOpAt(OpBuilder &b, Operation *op, const Position &p) {
  Location loc = op->getLoc();
  MLIRContext *context = op->getContext();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Type element = type.getElementType();
  unsigned rank = type.getRank();
  auto dim = [&](unsigned i) { return getAffineDimExpr(i, context); };
  auto symbol = [&](unsigned i) { return getAffineSymbolExpr(i, context); };
  auto through = [&](Value source, ArrayRef<AffineExpr> exprs,
                     ArrayRef<OpFoldResult> symbols, const Position &q) {
    auto map = AffineMap::get(rank, symbols.size(), exprs, context);
    return throughMap(b, loc, source, map, symbols, q);
  };
  // The source of a reshape, and the sizes of its side with more dimensions.
  auto reshape = [&](Value source, Value wide,
                     ArrayRef<ReassociationIndices> groups, bool expands) {
    unsigned wideRank = cast<RankedTensorType>(wide.getType()).getRank();
    SmallVector<OpFoldResult> sizes;
    for (unsigned i = 0; i < wideRank; ++i)
      sizes.push_back(getDim(b, loc, wide, i));
    SmallVector<AffineExpr> exprs(expands ? groups.size() : wideRank,
                                  getAffineConstantExpr(0, context));
    // Products of dynamic sizes are symbols of their own.
    SmallVector<OpFoldResult> symbols = sizes;
    for (auto [narrow, group] : llvm::enumerate(groups)) {
      OpFoldResult stride = b.getIndexAttr(1);
      for (int64_t i : llvm::reverse(group)) {
        AffineExpr by = symbol(symbols.size());
        symbols.push_back(stride);
        if (expands)
          exprs[narrow] = exprs[narrow] + dim(i) * by;
        else if (i == group.front())
          exprs[i] = dim(narrow).floorDiv(by);
        else
          exprs[i] = dim(narrow).floorDiv(by) % symbol(i);
        stride = apply(b, loc, symbol(0) * symbol(1), {}, {stride, sizes[i]});
      }
    }
    return through(source, exprs, symbols, p);
  };
  auto splat = [&](Value scalar) {
    return [this, &b, loc, scalar](const Position &) {
      return emitScalar(b, loc, scalar);
    };
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](tensor::EmptyOp) -> Value {
        // Nobody may depend on it.
        return arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
      })
      .Case([&](arith::ConstantOp constant) {
        return constantAt(b, loc, cast<DenseElementsAttr>(constant.getValue()),
                          p);
      })
      .Case([&](tensor::CastOp castOp) {
        return at(b, loc, castOp.getSource(), p);
      })
      .Case(
          [&](tensor::SplatOp splatOp) { return splat(splatOp.getInput())(p); })
      .Case([&](tensor::FromElementsOp elements) {
        return selectElement(b, loc, elements.getElements(), p, type);
      })
      .Case([&](tensor::GenerateOp generate) {
        return lanes(b, loc, p, [&](const Position &q) {
          return cloneBlock(b, &generate.getBody().front(),
                            getValueOrCreateConstantIndexOp(b, loc, q.indices),
                            1, [](Operation *) { return Value(); })
              .front();
        });
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return reshape(expand.getSrc(), expand.getResult(),
                       expand.getReassociationIndices(), /*expands=*/true);
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        return reshape(collapse.getSrc(), collapse.getSrc(),
                       collapse.getReassociationIndices(), /*expands=*/false);
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        SmallVector<OpFoldResult> symbols =
            toDevice(b, loc, slice.getMixedOffsets());
        unsigned sourceRank = symbols.size();
        llvm::append_range(symbols, toDevice(b, loc, slice.getMixedStrides()));
        SmallVector<AffineExpr> exprs;
        llvm::SmallBitVector dropped = slice.getDroppedDims();
        unsigned next = 0;
        for (unsigned i = 0; i < sourceRank; ++i)
          exprs.push_back(dropped.test(i)
                              ? symbol(i)
                              : symbol(i) +
                                    dim(next++) * symbol(sourceRank + i));
        return through(slice.getSource(), exprs, symbols, p);
      })
      .Case([&](tensor::InsertSliceOp slice) {
        Box box;
        box.low = toDevice(b, loc, slice.getMixedOffsets());
        box.stride = toDevice(b, loc, slice.getMixedStrides());
        SmallVector<OpFoldResult> sizes =
            toDevice(b, loc, slice.getMixedSizes());
        llvm::SmallBitVector dropped = slice.getDroppedDims();
        SmallVector<OpFoldResult> symbols = box.low;
        llvm::append_range(symbols, box.stride);
        SmallVector<AffineExpr> exprs;
        for (unsigned i = 0; i < rank; ++i) {
          // One past the last index that is taken.
          box.high.push_back(apply(b, loc,
                                   symbol(0) + (symbol(1) - 1) * symbol(2) + 1,
                                   {}, {box.low[i], sizes[i], box.stride[i]}));
          if (!dropped.test(i))
            exprs.push_back((dim(i) - symbol(i)).floorDiv(symbol(rank + i)));
        }
        return inBox(
            b, loc, box, p, element,
            [&](const Position &q) {
              return through(slice.getSource(), exprs, symbols, q);
            },
            [&](const Position &q) { return at(b, loc, slice.getDest(), q); });
      })
      .Case([&](tensor::PadOp pad) {
        Box box;
        box.low = toDevice(b, loc, pad.getMixedLowPad());
        SmallVector<OpFoldResult> high =
            toDevice(b, loc, pad.getMixedHighPad());
        box.stride.assign(rank, b.getIndexAttr(1));
        SmallVector<AffineExpr> exprs;
        for (unsigned i = 0; i < rank; ++i) {
          box.high.push_back(
              isConstantIntValue(high[i], 0)
                  ? OpFoldResult()
                  : apply(b, loc, symbol(0) + symbol(1), {},
                          {box.low[i], getDim(b, loc, pad.getSource(), i)}));
          exprs.push_back(dim(i) - symbol(i));
        }
        auto outside = [&](const Position &q) {
          if (Value constant = pad.getConstantPaddingValue())
            return constant.getParentRegion() == &pad.getRegion()
                       ? b.clone(*constant.getDefiningOp())->getResult(0)
                       : emitScalar(b, loc, constant);
          return lanes(b, loc, q, [&](const Position &lane) {
            return cloneBlock(
                       b, pad.getBody(),
                       getValueOrCreateConstantIndexOp(b, loc, lane.indices), 1,
                       [](Operation *) { return Value(); })
                .front();
          });
        };
        return inBox(
            b, loc, box, p, element,
            [&](const Position &q) {
              return through(pad.getSource(), exprs, box.low, q);
            },
            outside);
      })
      .Case([&](tensor::ConcatOp concat) {
        uint64_t along = concat.getDim();
        SmallVector<OpFoldResult> starts = {b.getIndexAttr(0)};
        for (Value input : concat.getInputs())
          starts.push_back(
              apply(b, loc, symbol(0) + symbol(1), {},
                    {starts.back(), getDim(b, loc, input, along)}));
        // From the first input on: outside of one, the next.
        std::function<Value(unsigned, const Position &)> from =
            [&](unsigned number, const Position &q) -> Value {
          SmallVector<AffineExpr> exprs;
          for (unsigned i = 0; i < rank; ++i)
            exprs.push_back(i == along ? dim(i) - symbol(0) : dim(i));
          auto inside = [&](const Position &r) {
            return through(concat.getInputs()[number], exprs, starts[number],
                           r);
          };
          if (number + 1 == concat.getInputs().size())
            return inside(q);
          Box box;
          box.low.assign(rank, b.getIndexAttr(0));
          box.stride.assign(rank, b.getIndexAttr(1));
          box.high.assign(rank, OpFoldResult());
          box.high[along] = starts[number + 1];
          return inBox(b, loc, box, q, element, inside,
                       [&](const Position &r) { return from(number + 1, r); });
        };
        return from(0, p);
      })
      .Default([](Operation *) -> Value {
        llvm_unreachable("refused by Evaluator::check");
      });
}

//===----------------------------------------------------------------------===//
// Alignment
//===----------------------------------------------------------------------===//

Value amp::gpu::emitAlignmentCheck(OpBuilder &b, Location loc, Region &region) {
  llvm::MapVector<Value, int64_t> needed;
  auto add = [&](Value buffer, std::optional<uint64_t> alignment) {
    if (buffer.getParentRegion()->isProperAncestor(&region) && alignment)
      needed[buffer] = std::max<int64_t>(needed[buffer], *alignment);
  };
  region.walk([&](Operation *op) {
    if (auto load = dyn_cast<vector::LoadOp>(op))
      add(load.getBase(), load.getAlignment());
    else if (auto store = dyn_cast<vector::StoreOp>(op))
      add(store.getBase(), store.getAlignment());
  });
  // All bits below the alignment must be zero: they are collected by "or".
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value failed;
  auto collect = [&](Value value, int64_t alignment) {
    Value low = arith::AndIOp::create(b, loc, value, constant(alignment - 1));
    failed = failed ? arith::OrIOp::create(b, loc, failed, low) : low;
  };
  for (auto [key, value] : needed) {
    Value buffer = key;
    int64_t alignment = value;
    auto type = cast<MemRefType>(buffer.getType());
    Type element = type.getElementType();
    int64_t bytes = element.isIndex()
                        ? 8
                        : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
    if (bytes >= alignment)
      continue;
    auto [strides, offset] = type.getStridesAndOffset();
    collect(memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer),
            alignment);
    auto isDynamic = [](int64_t v) { return ShapedType::isDynamic(v); };
    memref::ExtractStridedMetadataOp metadata;
    if (isDynamic(offset) || llvm::any_of(strides, isDynamic))
      metadata = memref::ExtractStridedMetadataOp::create(b, loc, buffer);
    auto collectElements = [&](int64_t known, auto dynamic) {
      if (!isDynamic(known)) {
        if (known * bytes % alignment != 0)
          collect(constant(known * bytes), alignment);
        return;
      }
      collect(arith::MulIOp::create(b, loc, dynamic(), constant(bytes)),
              alignment);
    };
    collectElements(offset, [&] { return Value(metadata.getOffset()); });
    for (auto [dim, stride] : llvm::enumerate(strides)) {
      // The vectors lie along this one.
      if (dim + 1 == strides.size() || type.getDimSize(dim) == 1)
        continue;
      unsigned index = dim;
      collectElements(stride,
                      [&] { return Value(metadata.getStrides()[index]); });
    }
  }
  if (!failed)
    return {};
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, failed,
                               constant(0));
}
