//===- PrepackConstants.cpp - constant operands packed ahead of time ------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Where B of a packed contraction is a constant, such as a weight that a
// library holds, the constant is packed as it is compiled: converted, padded,
// and in the order of PackOperands.cpp. Calls then read it where it is.
//
// Where it is computed from arguments marked `amp.weight`, all of it is packed
// outside of all loops, where `amp-split-init` finds it.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"
#include "Parallel.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Formats/Formats.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <vector>

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

/// The elements of a constant, as they are in memory; empty where they are not.
static ArrayRef<char> getBytes(ElementsAttr elements) {
  if (auto dense = dyn_cast<DenseElementsAttr>(elements);
      dense && !dense.isSplat())
    return dense.getRawData();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      return blob->getData();
  return {};
}

/// Whether `convert` does what all of `casts` do.
static bool canConvert(ArrayRef<Operation *> casts) {
  return llvm::all_of(casts, [](Operation *cast) {
    Type from = cast->getOperand(0).getType();
    Type to = cast->getResult(0).getType();
    if (isa<arith::ExtFOp>(cast))
      return true;
    // Types without infinities have rules of their own.
    if (auto trunc = dyn_cast<arith::TruncFOp>(cast))
      return !trunc.getRoundingmode() &&
             (to.isF32() || to.isF16() || to.isBF16());
    return isa<arith::ExtSIOp, arith::ExtUIOp>(cast) && from.isInteger();
  });
}

/// Makes elements of type `to` of those of `bytes`.
static void convert(std::vector<char> &bytes, Type from, bool isUnsigned,
                    Type to) {
  if (isUnsigned)
    from = IntegerType::get(from.getContext(), from.getIntOrFloatBitWidth(),
                            IntegerType::Unsigned);
  bytes =
      *convertElements(bytes, from, to, llvm::RoundingMode::NearestTiesToEven,
                       /*saturate=*/false);
}

/// Blocks of `nc` columns from `jc` of a tensor whose first index is panels of
/// `nr` columns.
Value PackedNest::slicePanels(Value panels, Value jc, OpFoldResult nc) {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(panels.getType()).getShape();
  SmallVector<OpFoldResult> offsets(shape.size(), b.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(b.getContext(), shape),
      strides(shape.size(), b.getIndexAttr(1));
  offsets[0] = apply(s0.floorDiv(blk.nr()), {jc});
  sizes[0] = apply(s0.ceilDiv(blk.nr()), {nc});
  return tensor::ExtractSliceOp::create(b, loc, panels, offsets, sizes,
                                        strides);
}

/// Whether B has other panels for each step of the loops outside of rows.
static bool dependsOnOthers(const Roles &roles) {
  return llvm::any_of(
      roles.others, [&](unsigned d) { return roles.bMap.isFunctionOfDim(d); });
}

/// The panels of B, packed as it is compiled, where B is a constant; else null.
Attribute PackedNest::packConstant() {
  ElementsAttr elements;
  if (r.windows || !matchPattern(r.b->get(), m_Constant(&elements)))
    return {};
  ArrayRef<char> bytes = getBytes(elements);
  ArrayRef<Operation *> casts = dot ? dot->rhsCasts : r.body.rhsCasts;
  std::optional<int64_t> n = constant(bounds[r.n]), k = constant(bounds[r.k]),
                         segments = constant(segmentCount);
  if (bytes.empty() || dependsOnOthers(r) || !n || !k || !segments ||
      !canConvert(casts))
    return {};
  auto type = cast<RankedTensorType>(elements.getType());
  unsigned from = type.getElementTypeBitWidth();
  unsigned to = packed.getIntOrFloatBitWidth();
  // f16 widened to f32 pays for up to 128 rows, and costs nothing with more;
  // four times the memory would be too much.
  if (to > 2 * from)
    return {};
  std::vector<char> converted;
  if (!casts.empty() || from != to) {
    converted.assign(bytes.begin(), bytes.end());
    Type element = type.getElementType();
    for (Operation *cast : casts) {
      Type result = cast->getResult(0).getType();
      convert(converted, element, isa<arith::ExtUIOp>(cast), result);
      element = result;
    }
    if (dot && dot->rhsSigned && element != packed)
      convert(converted, element, !*dot->rhsSigned, packed);
    bytes = converted;
  }

  // How far an element is from the first one, by its loops.
  SmallVector<int64_t> strides(op.getNumLoops(), 0);
  int64_t stride = 1;
  for (auto [expr, size] :
       llvm::reverse(llvm::zip(r.bMap.getResults(), type.getShape()))) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      strides[dim.getPosition()] = stride;
    stride *= size;
  }
  int64_t nr = blk.nr(), width = nr * step, groups = *constant(depth) / step;
  int64_t panels = llvm::divideCeil(*n, nr), steps = *segments * groups;
  size_t size = to / 8;
  std::vector<char> out(size_t(panels) * steps * width * size, 0);
  std::vector<int32_t> sums(dot && dot->biasesLhs ? panels * nr : 0, 0);
  for (int64_t segment = 0; segment < *segments; ++segment) {
    int64_t start = 0, rest = segment;
    for (unsigned d : llvm::reverse(r.segments)) {
      start += rest % r.sizes[d] * strides[d];
      rest /= r.sizes[d];
    }
    // In the order of the result, which is that of rows of B where those are
    // contiguous.
    for (int64_t first = 0; first < *n; first += nr)
      for (int64_t kk = 0; kk < *k; ++kk) {
        int64_t row = first / nr * steps + segment * groups + kk / step;
        char *dest = out.data() + size * (row * width + kk % step);
        int64_t end = std::min(first + nr, *n);
        for (int64_t column = first; column < end; ++column) {
          const char *source =
              bytes.data() +
              size * (start + column * strides[r.n] + kk * strides[r.k]);
          std::memcpy(dest + size * step * (column - first), source, size);
          // What 128 in place of A's elements gives.
          if (!sums.empty())
            sums[column] -= 128 * static_cast<signed char>(*source);
        }
      }
  }
  if (!sums.empty())
    aheadSums = DenseElementsAttr::get(RankedTensorType::get({panels, nr}, acc),
                                       ArrayRef(sums));
  remark::passed(
      loc, remark::RemarkOpts::name("PrepackedWeights")
               .category("amp")
               .function(op->getParentOfType<FunctionOpInterface>().getName()))
      << remark::metric("Bytes", static_cast<int64_t>(out.size()));
  return DenseElementsAttr::getFromRawBuffer(
      RankedTensorType::get({panels, steps, width}, packed), out);
}

bool cpu::dependsOnWeightsOnly(Value tensor) {
  Block *block = tensor.getParentBlock();
  auto function = dyn_cast<FunctionOpInterface>(block->getParentOp());
  if (!function || !function.isPublic() || !block->isEntryBlock())
    return false;
  bool readsWeights = false;
  SmallVector<Value> pending = {tensor};
  DenseSet<Value> seen;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    // What an op's region defines is that op's own.
    if (!seen.insert(value).second || value.getParentBlock() != block)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (!function.getArgAttr(argument.getArgNumber(),
                               AMPDialect::kWeightAttrName))
        return false;
      readsWeights = true;
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!isMemoryEffectFree(op))
      return false;
    op->walk([&](Operation *nested) {
      llvm::append_range(pending, nested->getOperands());
    });
  }
  return readsWeights;
}

bool cpu::mayKeepPacked(RankedTensorType type, int64_t elements, int64_t bits) {
  // As of constants, no more than twice the bits of each element; and
  // amp-split-init, which sees whole panels, keeps no more than four times the
  // memory.
  int64_t from = type.getElementTypeBitWidth();
  return bits <= 2 * from &&
         elements * bits <= 4 * type.getNumElements() * from;
}

bool cpu::isPackedAhead(const Roles &roles, int64_t elements, int64_t bits) {
  Value b = roles.b->get();
  auto type = cast<RankedTensorType>(b.getType());
  if (roles.windows || dependsOnOthers(roles))
    return false;
  ElementsAttr constant;
  if (matchPattern(b, m_Constant(&constant)))
    return !getBytes(constant).empty() && canConvert(roles.body.rhsCasts) &&
           bits <= 2 * type.getElementTypeBitWidth();
  return dependsOnWeightsOnly(b) && mayKeepPacked(type, elements, bits);
}

bool cpu::hasPackedB(const Roles &roles, const CPUTarget &target,
                     int64_t group) {
  int64_t n = roles.sizes[roles.n], k = roles.sizes[roles.k];
  if (ShapedType::isDynamic(n) || ShapedType::isDynamic(k) ||
      llvm::any_of(roles.segments, [&](unsigned d) {
        return ShapedType::isDynamic(roles.sizes[d]);
      }))
    return false;
  // With what panels are padded by at most.
  constexpr int64_t kMostVectors = 4;
  int64_t bits = roles.body.accType.getIntOrFloatBitWidth();
  int64_t lanes = target.lanes(bits);
  int64_t steps = llvm::alignTo(k, group) * roles.getSize(roles.segments, 1) +
                  (roles.bRowsAreContiguous() ? 0 : lanes - 1);
  return isPackedAhead(roles, llvm::alignTo(n, kMostVectors * lanes) * steps,
                       bits / group);
}

bool cpu::readsPackedB(const Roles &roles, const CPUTarget &target,
                       int64_t group) {
  int64_t bits = getElementTypeOrSelf(roles.b->get()).getIntOrFloatBitWidth();
  return roles.body.accType.getIntOrFloatBitWidth() / group <= bits &&
         hasPackedB(roles, target, group);
}

/// The panels of B, packed outside of all loops, where B depends on weights
/// only; else null.
Value PackedNest::packWeight() {
  Value source = r.b->get();
  auto type = cast<RankedTensorType>(source.getType());
  std::optional<int64_t> n = constant(bounds[r.n]), k = constant(bounds[r.k]),
                         segments = constant(segmentCount);
  if (r.windows || dependsOnOthers(r) || !n || !k || !segments ||
      !type.hasStaticShape() || !dependsOnWeightsOnly(source))
    return {};
  int64_t nr = blk.nr(), panels = llvm::divideCeil(*n, nr);
  int64_t steps = *segments * (*constant(depth) / step) + getSpareSteps();
  auto result = RankedTensorType::get({panels, steps, nr * step}, packed);
  if (!mayKeepPacked(type, result.getNumElements(),
                     packed.getIntOrFloatBitWidth()))
    return {};
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfterValue(source);
  Value zero = indexConstant(b, loc, 0);
  OpFoldResult columns = b.getIndexAttr(*n);
  Value all = tensor::EmptyOp::create(b, loc, result.getShape(), packed);
  all = packPanels(all, zero, columns, getGrain(steps * nr * step));
  if (dot && dot->biasesLhs) {
    Value sums =
        tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{panels, nr}, acc);
    aheadSums = sumPanels(sums, all, columns);
  }
  return all;
}

void PackedNest::packAhead() {
  if (Attribute panels = packConstant())
    ahead = panels;
  else if (Value panels = packWeight())
    ahead = panels;
}

Value PackedNest::usePackedB(Value jc, OpFoldResult nc) {
  auto use = [&](OpFoldResult panels) -> Value {
    if (panels.isNull())
      return {};
    auto constant = dyn_cast<Attribute>(panels);
    return slicePanels(constant ? arith::ConstantOp::create(
                                      b, loc, cast<DenseElementsAttr>(constant))
                                : cast<Value>(panels),
                       jc, nc);
  };
  constantSums = use(aheadSums);
  return use(ahead);
}
