//===- SelectTiles.cpp - sums of tiles in tile registers ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "GroupDot.h"
#include "amp/Codegen/CPU/Target.h"

#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPUSELECTTILESPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

static constexpr llvm::StringLiteral kEnableName = "amp_enable_tiles";
static constexpr int64_t kRowBytes = 64;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {

/// One product of tiles, and the reads of memory that are its operands.
struct TileProduct {
  vector::TransferReadOp lhs, rhs;
  bool isLhsUnsigned = false, isRhsUnsigned = false;
};

/// Sums of products that one register holds, one after the other.
struct TileChain {
  /// Values of vector type that become tiles.
  llvm::SetVector<Value> values;
  /// Where a vector of zeros is such a value.
  SmallVector<OpOperand *> zeros;
};

} // namespace

/// Whether an access to a buffer is one of whole rows, one behind the other.
template <typename Transfer>
static bool isOfRows(Transfer op) {
  auto type = dyn_cast<MemRefType>(op.getBase().getType());
  return type && type.getRank() >= 2 && type.isLastDimUnitStride() &&
         !op.getMask() && op.getPermutationMap().isMinorIdentity() &&
         !op.hasOutOfBoundsDim() && op.getVectorType().getRank() == 2 &&
         op.getVectorType().getElementType() == type.getElementType();
}

static bool isTileOfSums(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && !vector.isScalable() && vector.getRank() == 2 &&
         vector.getDimSize(0) <= kTileRows &&
         vector.getDimSize(1) == kTileRows &&
         (vector.getElementType().isF32() ||
          vector.getElementType().isInteger(32));
}

/// The read of up to 16 rows of 64 bytes that `operand` is the groups of.
static vector::TransferReadOp matchOperand(Value operand, bool &isUnsigned) {
  if (Operation *cast = operand.getDefiningOp();
      isa_and_present<arith::ExtUIOp, arith::ExtSIOp>(cast)) {
    isUnsigned = isa<arith::ExtUIOp>(cast);
    operand = cast->getOperand(0);
  }
  auto groups = operand.getDefiningOp<vector::ShapeCastOp>();
  if (!groups)
    return {};
  auto read = groups.getSource().getDefiningOp<vector::TransferReadOp>();
  VectorType type = groups.getSourceVectorType();
  Type element = type.getElementType();
  if (!read || !isOfRows(read) || type.getShape().front() > kTileRows ||
      !(element.isBF16() || element.isInteger(8)) ||
      type.getShape().back() * (element.getIntOrFloatBitWidth() / 8) !=
          kRowBytes)
    return {};
  return read;
}

static std::optional<TileProduct> matchProduct(vector::ContractionOp op,
                                               const CPUTarget &target) {
  AffineExpr m, n, k, inGroup;
  bindDims(op.getContext(), m, n, k, inGroup);
  using Exprs = ArrayRef<ArrayRef<AffineExpr>>;
  if (op.getKind() != vector::CombiningKind::ADD ||
      !isTileOfSums(op.getResultType()) ||
      op.getIndexingMapsArray() !=
          AffineMap::inferFromExprList(
              Exprs{{m, k, inGroup}, {k, n, inGroup}, {m, n}}, op.getContext()))
    return std::nullopt;
  TileProduct product;
  product.lhs = matchOperand(op.getLhs(), product.isLhsUnsigned);
  product.rhs = matchOperand(op.getRhs(), product.isRhsUnsigned);
  if (!product.lhs || !product.rhs ||
      product.lhs.getVectorType().getElementType() !=
          product.rhs.getVectorType().getElementType() ||
      product.rhs.getVectorType().getDimSize(0) != kTileRows)
    return std::nullopt;
  auto result = cast<VectorType>(op.getResultType());
  bool isFloat = product.lhs.getVectorType().getElementType().isBF16();
  bool has = isFloat ? target.hasBF16Tiles : target.hasI8Tiles;
  return has && isFloat == result.getElementType().isF32()
             ? std::optional(product)
             : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

using Products = llvm::MapVector<Operation *, TileProduct>;

/// Adds the four values that number `index` of what `loop` carries is.
static void addCarried(TileChain &chain, scf::ForOp loop, unsigned index) {
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  OpOperand *operands[] = {&loop.getInitArgsMutable()[index],
                           &yield->getOpOperand(index)};
  for (OpOperand *operand : operands) {
    if (!matchPattern(operand->get(), m_Constant()))
      chain.values.insert(operand->get());
    else if (!llvm::is_contained(chain.zeros, operand))
      chain.zeros.push_back(operand);
  }
  chain.values.insert(loop.getRegionIterArg(index));
  chain.values.insert(loop.getResult(index));
}

/// Adds what `value` comes from; false if that cannot be a tile.
static bool addSource(TileChain &chain, Value value, const Products &products) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument == loop.getInductionVar())
      return false;
    addCarried(chain, loop, loop.getTiedLoopResult(argument).getResultNumber());
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return isOfRows(read);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    addCarried(chain, loop, cast<OpResult>(value).getResultNumber());
    return true;
  }
  if (!products.contains(op))
    return false;
  OpOperand &start = cast<vector::ContractionOp>(op).getAccMutable();
  if (matchPattern(start.get(), m_Constant()))
    chain.zeros.push_back(&start);
  else
    chain.values.insert(start.get());
  return true;
}

/// Adds what `use` makes of a tile; false if it needs a vector.
static bool addUse(TileChain &chain, OpOperand &use, const Products &products) {
  Operation *op = use.getOwner();
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return isOfRows(write);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (OpResult result = loop.getTiedLoopResult(&use))
      addCarried(chain, loop, result.getResultNumber());
    return true;
  }
  if (auto yield = dyn_cast<scf::YieldOp>(op)) {
    auto loop = dyn_cast<scf::ForOp>(yield->getParentOp());
    if (loop)
      addCarried(chain, loop, use.getOperandNumber());
    return bool(loop);
  }
  if (!products.contains(op) ||
      &use != &cast<vector::ContractionOp>(op).getAccMutable())
    return false;
  chain.values.insert(op->getResult(0));
  return true;
}

/// All that must be tiles where the result of `op` is one; nothing if some of
/// it cannot be.
static std::optional<TileChain> collectChain(Operation *op,
                                             const Products &products) {
  TileChain chain;
  chain.values.insert(op->getResult(0));
  for (size_t next = 0; next < chain.values.size(); ++next) {
    Value value = chain.values[next];
    if (!addSource(chain, value, products))
      return std::nullopt;
    for (OpOperand &use : value.getUses())
      if (!addUse(chain, use, products))
        return std::nullopt;
  }
  for (OpOperand *zero : chain.zeros)
    if (!matchPattern(zero->get(), m_AnyZeroFloat()) &&
        !matchPattern(zero->get(), m_Zero()))
      return std::nullopt;
  return chain;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static amx::TileType getTileType(VectorType type) {
  return amx::TileType::get(type.getShape(), type.getElementType());
}

static Value loadTile(OpBuilder &b, vector::TransferReadOp read) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(read);
  return amx::TileLoadOp::create(b, read.getLoc(),
                                 getTileType(read.getVectorType()),
                                 read.getBase(), read.getIndices());
}

namespace {
struct SelectTiles : public amp::impl::AmpCPUSelectTilesPassBase<SelectTiles> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<CPUTarget> target =
        CPUTarget::get(getOperation(), triple, processor, features, vectorBits);
    if (failed(target))
      return signalPassFailure();
    if (!target->hasBF16Tiles && !target->hasI8Tiles)
      return;
    SmallVector<func::FuncOp> users;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (select(function, *target))
        users.push_back(function);
    if (isTooSlow || (!users.empty() && failed(enable(users))))
      signalPassFailure();
  }

private:
  bool isTooSlow = false;

  /// Whether any tile was selected.
  bool select(func::FuncOp function, const CPUTarget &target) {
    Products products;
    function->walk([&](vector::ContractionOp op) {
      if (std::optional<TileProduct> product = matchProduct(op, target))
        products[op] = *product;
    });
    IRRewriter rewriter(&getContext());
    DenseMap<Operation *, Value> operands;
    SmallVector<Operation *> replaced;
    DenseSet<Operation *> done;
    for (auto &[op, product] : products) {
      if (!done.insert(op).second)
        continue;
      std::optional<TileChain> chain = collectChain(op, products);
      if (!chain) {
        remark::missed(
            op->getLoc(),
            remark::RemarkOpts::name("Tiles").category("amp").function(
                function.getName()))
            << remark::reason("a sum of tiles is used as a vector");
        if (noScalarFallback) {
          op->emitOpError("is a sum of tiles that is used as a vector, which "
                          "'no-scalar-fallback' forbids");
          isTooSlow = true;
        }
        continue;
      }
      for (Value value : chain->values)
        if (Operation *owner = value.getDefiningOp())
          done.insert(owner);
      rewrite(rewriter, *chain, products, operands, replaced);
    }
    if (replaced.empty())
      return false;
    remark::passed(function->getLoc(),
                   remark::RemarkOpts::name("Tiles").category("amp").function(
                       function.getName()))
        << remark::metric("Products", unsigned(replaced.size()));
    numProducts += replaced.size();
    for (Operation *op : replaced)
      eraseWithOperands(rewriter, op);
    return true;
  }

  void rewrite(IRRewriter &rewriter, const TileChain &chain,
               const Products &products, DenseMap<Operation *, Value> &operands,
               SmallVector<Operation *> &replaced) {
    auto type = getTileType(cast<VectorType>(chain.values.front().getType()));
    // One for each: they are registers of their own.
    for (OpOperand *zero : chain.zeros) {
      rewriter.setInsertionPoint(zero->getOwner());
      zero->set(
          amx::TileZeroOp::create(rewriter, zero->getOwner()->getLoc(), type));
    }
    SmallVector<vector::TransferWriteOp> writes;
    for (Value value : chain.values) {
      for (Operation *user : value.getUsers())
        if (auto write = dyn_cast<vector::TransferWriteOp>(user))
          writes.push_back(write);
      Operation *op = value.getDefiningOp();
      if (!op || isa<scf::ForOp>(op)) {
        value.setType(type);
      } else if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
        rewriter.replaceOp(read, loadTile(rewriter, read));
      } else {
        value.replaceAllUsesWith(multiply(rewriter,
                                          cast<vector::ContractionOp>(op),
                                          products.lookup(op), type, operands));
        replaced.push_back(op);
      }
    }
    for (vector::TransferWriteOp write : writes) {
      rewriter.setInsertionPoint(write);
      rewriter.replaceOpWithNewOp<amx::TileStoreOp>(
          write, write.getBase(), write.getIndices(), write.getVector());
    }
  }

  /// The product as an op on tiles; what it adds to may still be a vector.
  Value multiply(IRRewriter &rewriter, vector::ContractionOp op,
                 const TileProduct &product, amx::TileType type,
                 DenseMap<Operation *, Value> &operands) {
    for (vector::TransferReadOp read : {product.lhs, product.rhs})
      if (Value &tile = operands[read]; !tile)
        tile = loadTile(rewriter, read);
    rewriter.setInsertionPoint(op);
    Value lhs = operands[product.lhs], rhs = operands[product.rhs];
    if (type.getElementType().isF32())
      return amx::TileMulFOp::create(rewriter, op.getLoc(), type, lhs, rhs,
                                     op.getAcc());
    return amx::TileMulIOp::create(rewriter, op.getLoc(), type, lhs, rhs,
                                   op.getAcc(), product.isLhsUnsigned,
                                   product.isRhsUnsigned);
  }

  static void eraseWithOperands(IRRewriter &rewriter, Operation *op) {
    SmallVector<Operation *> sources;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp();
          isa_and_present<arith::ExtUIOp, arith::ExtSIOp, vector::ShapeCastOp,
                          vector::TransferReadOp>(source))
        if (!llvm::is_contained(sources, source))
          sources.push_back(source);
    rewriter.eraseOp(op);
    for (Operation *source : sources)
      if (source->use_empty())
        eraseWithOperands(rewriter, source);
  }

  /// Asks the system for the registers where `users` begin.
  LogicalResult enable(ArrayRef<func::FuncOp> users) {
    ModuleOp module = getOperation();
    OpBuilder b(module.getBodyRegion());
    auto type = b.getFunctionType({}, {});
    Operation *symbol = module.lookupSymbol(kEnableName);
    auto callee = dyn_cast_or_null<func::FuncOp>(symbol);
    if (symbol &&
        (!callee || !callee.isExternal() || callee.getFunctionType() != type))
      return symbol->emitError("'")
             << kEnableName << "' is a function of the runtime: expected the "
             << "program to have none of that name";
    if (!callee) {
      callee = func::FuncOp::create(b, module.getLoc(), kEnableName, type);
      callee.setPrivate();
    }
    for (func::FuncOp user : users) {
      b.setInsertionPointToStart(&user.getBody().front());
      func::CallOp::create(b, user.getLoc(), callee);
    }
    return success();
  }
};
} // namespace
