//===- PlanMemory.cpp - one arena for the buffers of a call ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Host/MemoryPlan.h"
#include "amp/Codegen/Host/Passes.h"
#include "amp/Codegen/Host/Utils.h"
#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include <map>

namespace mlir::amp {
#define GEN_PASS_DEF_AMPPLANMEMORYPASS
#include "amp/Codegen/Host/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// Alignment of buffers in an arena: that of the driver's own allocations.
static constexpr int64_t kAlignment = 256;

namespace {
/// A size in bytes: a constant times values that are known when the function
/// starts.
struct Size {
  int64_t factor = 1;
  SmallVector<Value> values;

  bool isStatic() const { return values.empty(); }
};

/// A buffer that goes into the arena.
struct Planned {
  memref::AllocOp alloc;
  unsigned first = 0, last = 0;
  Size size;
  SmallVector<memref::DeallocOp> deallocs;
};

/// Brings the computation of sizes to the start of a function.
class Hoister {
public:
  explicit Hoister(Block &entry)
      : entry(entry), builder(OpBuilder::atBlockBegin(&entry)) {}

  /// Whether `value` can be computed at the start from nothing but arguments.
  bool canHoist(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return value.getParentBlock() == &entry;
    auto [known, isNew] = answers.try_emplace(op, false);
    if (!isNew)
      return known->second;
    bool answer = op->getNumRegions() == 0 && isPure(op) &&
                  llvm::all_of(op->getOperands(), [&](Value operand) {
                    return canHoist(operand);
                  });
    return answers[op] = answer;
  }

  /// The value at the start. It can be hoisted.
  Value hoist(Value value) {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    Operation *op = value.getDefiningOp();
    if (!op)
      return value;
    for (Value operand : op->getOperands())
      mapping.map(operand, hoist(operand));
    builder.clone(*op, mapping);
    return mapping.lookup(value);
  }

  OpBuilder &getBuilder() { return builder; }

private:
  Block &entry;
  OpBuilder builder;
  IRMapping mapping;
  DenseMap<Operation *, bool> answers;
};

/// The plan of one function.
class Planner {
public:
  Planner(func::FuncOp function)
      : function(function), entry(function.getFunctionBody().front()),
        views(function), hoister(entry) {
    for (auto [index, op] : llvm::enumerate(entry))
      positions[&op] = index;
  }

  /// Finds the buffers; returns the number of those that must stay.
  unsigned collect();
  /// Places them. There is at least one.
  void place();

  bool isEmpty() const { return buffers.empty(); }
  size_t getNumBuffers() const { return buffers.size(); }
  const host::ArenaPlan &getArena() const { return arena; }

private:
  /// Notes `alloc` where it can be planned.
  bool take(memref::AllocOp alloc);
  /// Whether the buffer, seen as `aliases`, stays inside of one round of the
  /// loops around `alloc`.
  static bool staysInLoops(memref::AllocOp alloc, ArrayRef<Value> aliases);
  std::optional<Size> getSize(memref::AllocOp alloc);
  unsigned getPosition(Operation *op) {
    return positions.lookup(entry.findAncestorOpInBlock(*op));
  }
  /// `value` rounded up to the alignment, in bytes.
  Value emitBytes(const Size &size, Location loc);
  void replace(Planned &buffer, Value memory, Value offset);
  void report(ArrayRef<int64_t> offsets, ArrayRef<int64_t> slots,
              unsigned numSlots);

  func::FuncOp function;
  Block &entry;
  BufferViewFlowAnalysis views;
  Hoister hoister;
  DenseMap<Operation *, unsigned> positions;
  SmallVector<Planned> buffers;
  host::ArenaPlan arena;
};

struct PlanMemory : public amp::impl::AmpPlanMemoryPassBase<PlanMemory> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    // Order in a block is what says when buffers are live.
    if (function.isExternal() || !function.getFunctionBody().hasOneBlock())
      return;
    Planner planner(function);
    numLeft += planner.collect();
    numPlanned += planner.getNumBuffers();
    if (planner.isEmpty())
      return;
    planner.place();
    peakBytes += planner.getArena().peakBytes;
    totalBytes += planner.getArena().totalBytes;
  }
};
} // namespace

bool Planner::staysInLoops(memref::AllocOp alloc, ArrayRef<Value> aliases) {
  for (Region *region = alloc->getParentRegion();
       !isa<func::FuncOp>(region->getParentOp());
       region = region->getParentRegion()) {
    auto branch = dyn_cast<RegionBranchOpInterface>(region->getParentOp());
    if (!branch)
      return false;
    if (!branch.isRepetitiveRegion(region->getRegionNumber()))
      continue;
    for (Value alias : aliases) {
      if (!region->isAncestor(alias.getParentRegion()))
        return false;
      for (Operation *user : alias.getUsers())
        if (user->getParentRegion() == region &&
            user->hasTrait<OpTrait::IsTerminator>())
          return false;
    }
  }
  return true;
}

std::optional<Size> Planner::getSize(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  std::optional<int64_t> bytes = host::getElementBytes(type.getElementType());
  if (!bytes)
    return std::nullopt;
  Size size;
  size.factor = *bytes;
  auto times = [&](OpFoldResult part) {
    if (std::optional<int64_t> known = getConstantIntValue(part))
      size.factor *= *known;
    else
      size.values.push_back(cast<Value>(part));
  };
  if (type.getLayout().isIdentity()) {
    for (OpFoldResult part : alloc.getMixedSizes())
      times(part);
  } else if (auto layout = dyn_cast<StridedLayoutAttr>(type.getLayout());
             layout && type.getRank() > 0) {
    // Padded rows: the outermost stride is the distance of whole pieces.
    times(alloc.getMixedSizes().front());
    if (ShapedType::isDynamic(layout.getStrides().front()))
      times(alloc.getSymbolOperands().front());
    else
      times(OpBuilder(alloc).getIndexAttr(layout.getStrides().front()));
  } else {
    return std::nullopt;
  }
  for (Value value : size.values)
    if (!hoister.canHoist(value))
      return std::nullopt;
  return size;
}

bool Planner::take(memref::AllocOp alloc) {
  Planned buffer;
  buffer.alloc = alloc;
  buffer.first = buffer.last = getPosition(alloc);
  std::optional<Size> size = getSize(alloc);
  if (!size)
    return false;
  buffer.size = *size;
  SmallVector<Value> aliases;
  for (Value alias : views.resolve(alloc.getResult()))
    aliases.push_back(alias);
  for (Value alias : aliases) {
    for (Operation *user : alias.getUsers()) {
      if (auto dealloc = dyn_cast<memref::DeallocOp>(user)) {
        buffer.deallocs.push_back(dealloc);
        continue;
      }
      if (user->getParentOp() == function &&
          user->hasTrait<OpTrait::IsTerminator>())
        return false;
      buffer.last = std::max(buffer.last, getPosition(user));
    }
  }
  // A deallocation through a view may be for several buffers.
  for (memref::DeallocOp dealloc : buffer.deallocs)
    if (dealloc.getMemref() != alloc.getResult())
      return false;
  if (!staysInLoops(alloc, aliases))
    return false;
  buffers.push_back(std::move(buffer));
  return true;
}

unsigned Planner::collect() {
  unsigned numLeft = 0;
  function.walk([&](memref::AllocOp alloc) {
    if (host::isDeviceMemory(alloc.getType()) && !take(alloc))
      ++numLeft;
  });
  return numLeft;
}

Value Planner::emitBytes(const Size &size, Location loc) {
  OpBuilder &b = hoister.getBuilder();
  Value bytes = arith::ConstantIndexOp::create(b, loc, size.factor);
  for (Value value : size.values)
    bytes = arith::MulIOp::create(b, loc, bytes, hoister.hoist(value));
  return bytes;
}

void Planner::replace(Planned &buffer, Value memory, Value offset) {
  memref::AllocOp alloc = buffer.alloc;
  MemRefType type = alloc.getType();
  OpBuilder b(alloc);
  Location loc = alloc.getLoc();
  Value view;
  if (type.getLayout().isIdentity()) {
    view = memref::ViewOp::create(b, loc, type, memory, offset,
                                  alloc.getDynamicSizes());
  } else {
    OpFoldResult count = host::getAllocatedElements(b, alloc);
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamicCount;
    dispatchIndexOpFoldResults(count, dynamicCount, shape);
    Value flat = memref::ViewOp::create(
        b, loc,
        MemRefType::get(shape, type.getElementType(),
                        MemRefLayoutAttrInterface(), type.getMemorySpace()),
        memory, offset, dynamicCount);
    auto layout = cast<StridedLayoutAttr>(type.getLayout());
    SmallVector<OpFoldResult> strides =
        getMixedValues(layout.getStrides(), alloc.getSymbolOperands(), b);
    view = memref::ReinterpretCastOp::create(
        b, loc, type, flat, b.getIndexAttr(0), alloc.getMixedSizes(), strides);
  }
  for (memref::DeallocOp dealloc : buffer.deallocs)
    dealloc->erase();
  alloc->replaceAllUsesWith(ValueRange(view));
  alloc->erase();
}

void Planner::report(ArrayRef<int64_t> offsets, ArrayRef<int64_t> slots,
                     unsigned numSlots) {
  Builder b(function.getContext());
  NamedAttribute entries[] = {
      b.getNamedAttr("num_slots", b.getI64IntegerAttr(numSlots)),
      b.getNamedAttr("offsets", b.getDenseI64ArrayAttr(offsets)),
      b.getNamedAttr("peak_bytes", b.getI64IntegerAttr(arena.peakBytes)),
      b.getNamedAttr("slots", b.getDenseI64ArrayAttr(slots)),
      b.getNamedAttr("total_bytes", b.getI64IntegerAttr(arena.totalBytes))};
  function->setAttr(AMPDialect::kMemoryPlanAttrName,
                    b.getDictionaryAttr(entries));
  remark::analysis(function.getLoc(), remark::RemarkOpts::name("MemoryPlan")
                                          .category("amp")
                                          .function(function.getName()))
      << remark::metric("Buffers", static_cast<int64_t>(buffers.size()))
      << remark::metric("PeakBytes", arena.peakBytes)
      << remark::metric("TotalBytes", arena.totalBytes)
      << remark::metric("Slots", static_cast<int64_t>(numSlots));
}

void Planner::place() {
  OpBuilder &b = hoister.getBuilder();
  Location loc = function.getLoc();
  SmallVector<host::LiveBuffer> fixed;
  SmallVector<host::DynamicBuffer> dynamic;
  // Sizes of equal value share a class; keyed by the order in which the values
  // were met, so that nothing depends on addresses.
  DenseMap<Value, unsigned> valueNumbers;
  std::map<std::pair<int64_t, SmallVector<unsigned>>, unsigned> classes;
  SmallVector<const Size *> classSizes;
  for (const Planned &buffer : buffers) {
    if (buffer.size.isStatic()) {
      fixed.push_back({buffer.first, buffer.last, buffer.size.factor});
      continue;
    }
    SmallVector<unsigned> key;
    for (Value value : buffer.size.values)
      key.push_back(
          valueNumbers.try_emplace(value, valueNumbers.size()).first->second);
    llvm::sort(key);
    auto [known, isNew] =
        classes.try_emplace({buffer.size.factor, key}, classSizes.size());
    if (isNew)
      classSizes.push_back(&buffer.size);
    dynamic.push_back({buffer.first, buffer.last, known->second});
  }
  arena = host::planArena(fixed, kAlignment);
  host::SlotPlan slotPlan = host::planSlots(dynamic);

  // The size of each slot: the largest of its classes, rounded up.
  SmallVector<Value> classBytes;
  for (const Size *size : classSizes)
    classBytes.push_back(emitBytes(*size, loc));
  SmallVector<Value> slotBytes(slotPlan.numSlots);
  SmallVector<SmallVector<unsigned>> slotClasses(slotPlan.numSlots);
  for (auto [buffer, slot] : llvm::zip_equal(dynamic, slotPlan.slots)) {
    if (llvm::is_contained(slotClasses[slot], buffer.sizeClass))
      continue;
    slotClasses[slot].push_back(buffer.sizeClass);
    Value bytes = classBytes[buffer.sizeClass];
    slotBytes[slot] =
        slotBytes[slot]
            ? Value(arith::MaxUIOp::create(b, loc, slotBytes[slot], bytes))
            : bytes;
  }
  Value end = arith::ConstantIndexOp::create(b, loc, arena.peakBytes);
  SmallVector<Value> slotOffsets;
  if (slotPlan.numSlots) {
    Value unit = arith::ConstantIndexOp::create(b, loc, kAlignment);
    for (Value bytes : slotBytes) {
      slotOffsets.push_back(end);
      Value units = arith::CeilDivUIOp::create(b, loc, bytes, unit);
      Value rounded = arith::MulIOp::create(b, loc, units, unit);
      end = arith::AddIOp::create(b, loc, end, rounded);
    }
  }
  auto bytesType = MemRefType::get(
      {ShapedType::kDynamic}, b.getI8Type(), MemRefLayoutAttrInterface(),
      buffers.front().alloc.getType().getMemorySpace());
  Value memory = memref::AllocOp::create(b, loc, bytesType, ValueRange(end),
                                         b.getI64IntegerAttr(kAlignment));

  SmallVector<int64_t> offsets, slots;
  unsigned nextFixed = 0, nextDynamic = 0;
  for (Planned &buffer : buffers) {
    if (buffer.size.isStatic()) {
      offsets.push_back(arena.offsets[nextFixed++]);
      slots.push_back(-1);
      OpBuilder at(buffer.alloc);
      replace(buffer, memory,
              arith::ConstantIndexOp::create(at, buffer.alloc.getLoc(),
                                             offsets.back()));
    } else {
      offsets.push_back(-1);
      slots.push_back(slotPlan.slots[nextDynamic++]);
      replace(buffer, memory, slotOffsets[slots.back()]);
    }
  }
  report(offsets, slots, slotPlan.numSlots);
}
