//===- MemoryOps.cpp - checks of loads and stores -------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "amp/Simulator/Runtime.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp::sim;

namespace {
/// An access, in the terms of ampSimAccess.
struct AccessInfo {
  Operation *op;
  ampSimAccessKind kind;
  Value memref;
  SmallVector<Value> indices;
  /// For each dimension, how many elements; negative where those outside are
  /// left out.
  SmallVector<int64_t> extents;
  /// Bytes; 0: each element is aligned to its own size.
  int64_t alignment = 0;
  /// A vector of i1, or null.
  Value mask;
};
} // namespace

/// The bytes of a memref's element; 0 where it is not a number of bytes.
static int64_t getElementBytes(Type type) {
  int64_t count = 1;
  if (auto vector = dyn_cast<VectorType>(type)) {
    count = vector.getNumElements();
    type = vector.getElementType();
    if (type.isInteger(1))
      return 0;
  }
  if (type.isIndex())
    return 8 * count;
  if (!type.isIntOrFloat())
    return 0;
  // A lone i1 takes a byte.
  unsigned bits = type.getIntOrFloatBitWidth();
  return bits == 1 ? 1 : bits % 8 ? 0 : bits / 8 * count;
}

/// What one instruction for so many bytes needs: PTX has accesses of 1, 2, 4, 8
/// and 16 bytes, each aligned to its size.
static int64_t getNaturalAlignment(int64_t bytes) {
  return llvm::isPowerOf2_64(bytes) ? std::min<int64_t>(bytes, 16) : 0;
}

/// One element, or one vector element, at the indices.
static AccessInfo describeScalar(Operation *op, ampSimAccessKind kind,
                                 Value memref, ValueRange indices,
                                 std::optional<uint64_t> alignment = {}) {
  AccessInfo access{op, kind, memref, llvm::to_vector(indices), {}, 0, {}};
  access.extents.assign(indices.size(), 1);
  int64_t bytes =
      getElementBytes(cast<MemRefType>(memref.getType()).getElementType());
  access.alignment =
      alignment ? int64_t(*alignment) : getNaturalAlignment(bytes);
  return access;
}

/// Whether neighbours along the last dimension are neighbours in memory.
static bool isLastContiguous(MemRefType type) {
  return type.getRank() == 0 || type.isLastDimUnitStride();
}

/// A vector along the last dimensions.
static AccessInfo describeVector(Operation *op, ampSimAccessKind kind,
                                 Value memref, ValueRange indices,
                                 VectorType vector, Value mask,
                                 std::optional<uint64_t> alignment = {}) {
  AccessInfo access = describeScalar(op, kind, memref, indices);
  auto type = cast<MemRefType>(memref.getType());
  access.alignment = 0;
  // A memref of vectors is accessed as a scalar is.
  if (!isa<VectorType>(type.getElementType())) {
    int64_t first = type.getRank() - vector.getRank();
    for (int64_t d = 0; d < vector.getRank(); ++d)
      access.extents[first + d] = vector.getDimSize(d);
  }
  // Masked accesses go element by element.
  access.mask = mask;
  if (!mask && isLastContiguous(type) && vector.getRank() > 0)
    access.alignment =
        alignment
            ? int64_t(*alignment)
            : getNaturalAlignment(vector.getShape().back() *
                                  getElementBytes(vector.getElementType()));
  return access;
}

/// A transfer: each dimension of the vector runs along one of the memref, or is
/// a broadcast.
static FailureOr<AccessInfo> describeTransfer(VectorTransferOpInterface op,
                                              ampSimAccessKind kind) {
  auto type = dyn_cast<MemRefType>(op.getShapedType());
  if (!type) {
    op.emitError() << "the simulator cannot check a transfer on tensors";
    return failure();
  }
  AccessInfo access = describeScalar(op, kind, op.getBase(), op.getIndices());
  AffineMap map = op.getPermutationMap();
  VectorType vector = op.getVectorType();
  bool clips = false;
  if (!isa<VectorType>(type.getElementType())) {
    for (auto [d, result] : llvm::enumerate(map.getResults())) {
      auto dimension = dyn_cast<AffineDimExpr>(result);
      if (!dimension)
        continue;
      bool inside = op.isDimInBounds(d);
      clips |= !inside;
      access.extents[dimension.getPosition()] =
          inside ? vector.getDimSize(d) : -vector.getDimSize(d);
    }
  }
  access.mask = op.getMask();
  if (access.mask && !map.isMinorIdentity()) {
    op.emitError() << "the simulator cannot check a masked transfer whose "
                      "permutation map is not a minor identity";
    return failure();
  }
  access.alignment = 0;
  if (!access.mask && !clips && map.isMinorIdentity() &&
      isLastContiguous(type) && vector.getRank() > 0)
    access.alignment = getNaturalAlignment(
        vector.getShape().back() * getElementBytes(vector.getElementType()));
  return access;
}

/// Describes an access to a memref. Nothing: the op is none.
static std::optional<FailureOr<AccessInfo>> describeAccess(Operation *op) {
  using Result = std::optional<FailureOr<AccessInfo>>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<memref::LoadOp>([](memref::LoadOp load) -> Result {
        return describeScalar(load, AMP_SIM_LOAD, load.getMemRef(),
                              load.getIndices(), load.getAlignment());
      })
      .Case<memref::StoreOp>([](memref::StoreOp store) -> Result {
        return describeScalar(store, AMP_SIM_STORE, store.getMemRef(),
                              store.getIndices(), store.getAlignment());
      })
      .Case<memref::AtomicRMWOp>([](memref::AtomicRMWOp update) -> Result {
        return describeScalar(update, AMP_SIM_ATOMIC, update.getMemref(),
                              update.getIndices());
      })
      .Case<vector::LoadOp>([](vector::LoadOp load) -> Result {
        return describeVector(load, AMP_SIM_LOAD, load.getBase(),
                              load.getIndices(), load.getVectorType(), Value(),
                              load.getAlignment());
      })
      .Case<vector::StoreOp>([](vector::StoreOp store) -> Result {
        return describeVector(store, AMP_SIM_STORE, store.getBase(),
                              store.getIndices(), store.getVectorType(),
                              Value(), store.getAlignment());
      })
      .Case<vector::MaskedLoadOp>([](vector::MaskedLoadOp load) -> Result {
        return describeVector(load, AMP_SIM_LOAD, load.getBase(),
                              load.getIndices(), load.getVectorType(),
                              load.getMask());
      })
      .Case<vector::MaskedStoreOp>([](vector::MaskedStoreOp store) -> Result {
        return describeVector(store, AMP_SIM_STORE, store.getBase(),
                              store.getIndices(), store.getVectorType(),
                              store.getMask());
      })
      .Case<vector::TransferReadOp>([](vector::TransferReadOp read) -> Result {
        return describeTransfer(
            cast<VectorTransferOpInterface>(read.getOperation()), AMP_SIM_LOAD);
      })
      .Case<vector::TransferWriteOp>(
          [](vector::TransferWriteOp write) -> Result {
            return describeTransfer(
                cast<VectorTransferOpInterface>(write.getOperation()),
                AMP_SIM_STORE);
          })
      .Default([](Operation *) { return std::nullopt; });
}

Rewritten mlir::amp::sim::checkMemoryOp(Emitter &emitter, Kernel &kernel,
                                        Operation *op) {
  std::optional<FailureOr<AccessInfo>> found = describeAccess(op);
  if (!found)
    return Rewritten::Unknown;
  if (failed(*found))
    return Rewritten::Failed;
  AccessInfo &access = **found;
  auto type = cast<MemRefType>(access.memref.getType());
  int64_t elementBytes = getElementBytes(type.getElementType());
  bool isVectorOfBits =
      llvm::any_of(access.extents,
                   [](int64_t extent) { return extent != 1; }) &&
      type.getElementType().isInteger(1);
  if (!elementBytes || isVectorOfBits || !type.isStrided()) {
    op->emitError() << "the simulator cannot check an access to " << type
                    << ": expected a strided memref of elements of whole bytes";
    return Rewritten::Failed;
  }
  int64_t count = 1;
  for (int64_t extent : access.extents)
    count *= std::abs(extent);
  if (access.mask && count > 64) {
    op->emitError() << "the simulator checks masks of at most 64 elements, but "
                       "this one has "
                    << count;
    return Rewritten::Failed;
  }

  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type wide = builder.getI64Type();
  MemRefDescriptor descriptor(
      emitter.toDescriptor(builder, loc, access.memref));
  Value mask = emitter.integer(builder, loc, -1, 64);
  if (access.mask) {
    // A mask of all ones is no different from none but for 64 elements, where
    // it is the same.
    Value flat = access.mask;
    if (cast<VectorType>(flat.getType()).getRank() != 1)
      flat = vector::ShapeCastOp::create(
          builder, loc, VectorType::get({count}, builder.getI1Type()), flat);
    Type bits = builder.getIntegerType(unsigned(count));
    Value packed = vector::BitCastOp::create(builder, loc,
                                             VectorType::get({1}, bits), flat);
    mask = vector::ExtractOp::create(builder, loc, packed, 0);
    if (count < 64)
      mask = arith::ExtUIOp::create(builder, loc, wide, mask);
  }
  SmallVector<Value> dimensions;
  for (auto [d, index] : llvm::enumerate(access.indices)) {
    dimensions.push_back(emitter.toInteger(builder, loc, index));
    dimensions.push_back(descriptor.size(builder, loc, d));
    dimensions.push_back(descriptor.stride(builder, loc, d));
    dimensions.push_back(emitter.integer(builder, loc, access.extents[d], 64));
  }
  emitter.call(builder, loc, "ampSimAccess", Type(),
               {kernel.thread, emitter.site(builder, op),
                emitter.integer(builder, loc, access.kind),
                emitter.integer(builder, loc, elementBytes),
                emitter.integer(builder, loc, access.alignment), mask,
                descriptor.alignedPtr(builder, loc),
                descriptor.offset(builder, loc),
                emitter.integer(builder, loc, type.getRank())},
               ValueRange(dimensions));
  ++kernel.numChecked;
  return Rewritten::Done;
}
