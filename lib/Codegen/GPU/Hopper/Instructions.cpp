//===- Instructions.cpp - what sm_90a has beyond sm_80 --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

/// Inline PTX with side effects. With `touchesMemory`, no access to memory
/// moves across.
static Value emitAsm(const IndexBuilder &at, Type result, StringRef text,
                     StringRef constraints, ValueRange operands,
                     bool touchesMemory = true) {
  std::string all = constraints.str();
  if (touchesMemory)
    all += all.empty() ? "~{memory}" : ",~{memory}";
  auto op = LLVM::InlineAsmOp::create(
      at.b, at.loc, result ? TypeRange(result) : TypeRange(), operands, text,
      all, /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr::get(at.b.getContext(), LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
  return result ? op->getResult(0) : Value();
}

static Value emitWord(const IndexBuilder &at, int64_t value) {
  return WordValue(value).get(at);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

Type hopper::getMapPointerType(MLIRContext *context) {
  return LLVM::LLVMPointerType::get(context);
}

Value hopper::emitOffset(const IndexBuilder &at, Value pointer,
                         const WordValue &bytes) {
  if (bytes.isConstant(0))
    return pointer;
  LLVM::GEPArg offset =
      bytes.getConstant()
          ? LLVM::GEPArg(static_cast<int32_t>(*bytes.getConstant()))
          : LLVM::GEPArg(bytes.get(at));
  return LLVM::GEPOp::create(at.b, at.loc, pointer.getType(), at.b.getI8Type(),
                             pointer, ArrayRef<LLVM::GEPArg>{offset});
}

WordValue hopper::emitSharedAddress(const IndexBuilder &at, Value pointer) {
  return {at, LLVM::PtrToIntOp::create(at.b, at.loc, at.b.getI32Type(), pointer)
                  .getResult()};
}

Value hopper::emitAligned(const IndexBuilder &at, Value pointer,
                          int64_t alignment, WordValue &skipped) {
  // -address mod alignment.
  skipped = (WordValue(0) - emitSharedAddress(at, pointer)) & (alignment - 1);
  return emitOffset(at, pointer, skipped);
}

//===----------------------------------------------------------------------===//
// mbarriers and fences
//===----------------------------------------------------------------------===//

void hopper::emitBarrierInit(const IndexBuilder &at, Value barrier,
                             int64_t count) {
  NVVM::MBarrierInitOp::create(at.b, at.loc, barrier, emitWord(at, count),
                               /*predicate=*/Value());
}

void hopper::emitBarrierInitFence(const IndexBuilder &at) {
  NVVM::FenceMbarrierInitOp::create(at.b, at.loc);
  emitAsm(at, Type(), "fence.proxy.async;", "", {});
}

void hopper::emitArriveExpect(const IndexBuilder &at, Value barrier,
                              int64_t bytes) {
  NVVM::MBarrierArriveExpectTxOp::create(
      at.b, at.loc, Type(), barrier, emitWord(at, bytes),
      NVVM::MemScopeKind::CTA, /*relaxed=*/false, /*predicate=*/Value());
}

void hopper::emitArrive(const IndexBuilder &at, Value barrier) {
  NVVM::MBarrierArriveOp::create(at.b, at.loc, Type(), barrier,
                                 /*count=*/Value());
}

void hopper::emitArriveInCluster(const IndexBuilder &at, Value barrier,
                                 const WordValue &block) {
  // NVVM's op releases to the whole cluster, which waits for all stores of the
  // thread; nothing that the peer reads was stored by it.
  emitAsm(at, Type(),
          "{\n.reg .b32 ra;\nmapa.shared::cluster.u32 ra, $0, $1;\n"
          "mbarrier.arrive.shared::cluster.b64 _, [ra];\n}",
          "r,r", {emitSharedAddress(at, barrier).get(at), block.get(at)});
}

void hopper::emitClusterBarrier(const IndexBuilder &at) {
  NVVM::ClusterArriveOp::create(at.b, at.loc, /*aligned=*/UnitAttr());
  NVVM::ClusterWaitOp::create(at.b, at.loc, /*aligned=*/UnitAttr());
}

void hopper::emitWaitParity(const IndexBuilder &at, Value barrier,
                            const WordValue &parity) {
  // NVVM's op becomes the same loop, without the clobber of memory.
  emitAsm(at, Type(),
          "{\n.reg .pred P1;\nLAB_WAIT:\n"
          "mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1, 0x989680;\n"
          "@P1 bra.uni DONE;\nbra.uni LAB_WAIT;\nDONE:\n}",
          "r,r", {barrier, parity.get(at)});
}

void hopper::emitSharedStoreFence(const IndexBuilder &at) {
  emitAsm(at, Type(), "fence.proxy.async.shared::cta;", "", {});
}

void hopper::emitNamedSync(const IndexBuilder &at, const WordValue &id,
                           int64_t threads) {
  emitAsm(at, Type(), "bar.sync $0, " + std::to_string(threads) + ";", "r",
          id.get(at));
}

void hopper::emitNamedArrive(const IndexBuilder &at, const WordValue &id,
                             int64_t threads) {
  emitAsm(at, Type(), "bar.arrive $0, " + std::to_string(threads) + ";", "r",
          id.get(at));
}

//===----------------------------------------------------------------------===//
// TMA
//===----------------------------------------------------------------------===//

static SmallVector<Value> getAll(const IndexBuilder &at,
                                 ArrayRef<WordValue> numbers) {
  return llvm::map_to_vector(
      numbers, [&](const WordValue &number) { return number.get(at); });
}

void hopper::emitMapPrefetch(const IndexBuilder &at, Value map) {
  emitAsm(at, Type(), "prefetch.tensormap [$0];", "l", map);
}

/// A load in mode `mode`, to the first `blocks` blocks of the cluster, or to
/// this one.
static void emitLoad(const IndexBuilder &at, Value destination, Value map,
                     Value barrier, ArrayRef<WordValue> coordinates,
                     ValueRange offsets, NVVM::TMALoadMode mode,
                     int64_t blocks) {
  Value mask;
  if (blocks > 1) {
    destination = LLVM::AddrSpaceCastOp::create(
        at.b, at.loc,
        LLVM::LLVMPointerType::get(at.b.getContext(), /*shared::cluster=*/7),
        destination);
    mask = arith::ConstantIntOp::create(at.b, at.loc, at.b.getI16Type(),
                                        (int64_t(1) << blocks) - 1);
  }
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      at.b, at.loc, destination, map, getAll(at, coordinates), barrier, offsets,
      mask, /*l2CacheHint=*/Value(), mode, /*isCTAOnly=*/blocks == 1,
      /*group=*/NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
}

void hopper::emitTmaLoad(const IndexBuilder &at, Value destination, Value map,
                         Value barrier, ArrayRef<WordValue> coordinates,
                         int64_t blocks) {
  emitLoad(at, destination, map, barrier, coordinates, /*offsets=*/{},
           NVVM::TMALoadMode::TILE, blocks);
}

void hopper::emitTmaLoadIm2col(const IndexBuilder &at, Value destination,
                               Value map, Value barrier,
                               ArrayRef<WordValue> coordinates,
                               ArrayRef<WordValue> offsets, int64_t blocks) {
  SmallVector<Value> narrow;
  for (const WordValue &offset : offsets)
    narrow.push_back(arith::TruncIOp::create(at.b, at.loc, at.b.getI16Type(),
                                             offset.get(at)));
  emitLoad(at, destination, map, barrier, coordinates, narrow,
           NVVM::TMALoadMode::IM2COL, blocks);
}

void hopper::emitTmaStore(const IndexBuilder &at, Value map, Value source,
                          ArrayRef<WordValue> coordinates, bool isStreamed) {
  // CUTLASS, "CacheHintSm90::EVICT_FIRST".
  constexpr int64_t kEvictFirst = 0x12F0000000000000;
  Value hint = isStreamed ? LLVM::ConstantOp::create(
                                at.b, at.loc, at.b.getI64Type(), kEvictFirst)
                                .getResult()
                          : Value();
  NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
      at.b, at.loc, map, source, getAll(at, coordinates), hint,
      NVVM::TMAStoreMode::TILE, /*predicate=*/Value());
}

void hopper::emitTmaStoreCommit(const IndexBuilder &at) {
  NVVM::CpAsyncBulkCommitGroupOp::create(at.b, at.loc);
}

void hopper::emitTmaStoreWaitRead(const IndexBuilder &at, int64_t pending) {
  emitAsm(at, Type(),
          "cp.async.bulk.wait_group.read " + std::to_string(pending) + ";", "",
          {});
}

void hopper::emitTmaStoreWait(const IndexBuilder &at) {
  emitAsm(at, Type(), "cp.async.bulk.wait_group 0;", "", {});
}

//===----------------------------------------------------------------------===//
// Warpgroups
//===----------------------------------------------------------------------===//

WordValue hopper::emitUniformWarp(const IndexBuilder &at,
                                  const WordValue &thread) {
  return {at,
          emitAsm(at, at.b.getI32Type(), "shfl.sync.idx.b32 $0, $1, 0, 31, -1;",
                  "=r,r", (thread >> 5).get(at), /*touchesMemory=*/false)};
}

void hopper::emitSetRegisters(const IndexBuilder &at, int64_t registers,
                              bool isIncrease) {
  NVVM::SetMaxRegisterOp::create(at.b, at.loc, registers,
                                 isIncrease
                                     ? NVVM::SetMaxRegisterAction::increase
                                     : NVVM::SetMaxRegisterAction::decrease);
}

void hopper::emitWgmmaFence(const IndexBuilder &at) {
  NVVM::WgmmaFenceAlignedOp::create(at.b, at.loc);
}

void hopper::emitWgmmaCommit(const IndexBuilder &at) {
  NVVM::WgmmaGroupSyncAlignedOp::create(at.b, at.loc);
}

void hopper::emitWgmmaWait(const IndexBuilder &at, int64_t pending) {
  NVVM::WgmmaWaitGroupSyncOp::create(at.b, at.loc,
                                     static_cast<uint64_t>(pending));
}

Value hopper::emitNoAccumulators(const IndexBuilder &at, WgmmaKind kind,
                                 int64_t n) {
  Type element = kind.isInteger() ? Type(at.b.getI32Type()) : at.b.getF32Type();
  return LLVM::UndefOp::create(
      at.b, at.loc,
      LLVM::LLVMStructType::getLiteral(at.b.getContext(),
                                       SmallVector<Type>(n / 2, element)));
}

static NVVM::WGMMATypes getWgmmaType(WgmmaElement element) {
  switch (element) {
  case WgmmaElement::F16:
    return NVVM::WGMMATypes::f16;
  case WgmmaElement::BF16:
    return NVVM::WGMMATypes::bf16;
  case WgmmaElement::TF32:
    return NVVM::WGMMATypes::tf32;
  case WgmmaElement::E4M3:
    return NVVM::WGMMATypes::e4m3;
  case WgmmaElement::E5M2:
    return NVVM::WGMMATypes::e5m2;
  case WgmmaElement::S8:
    return NVVM::WGMMATypes::s8;
  case WgmmaElement::U8:
    return NVVM::WGMMATypes::u8;
  }
  llvm_unreachable("unknown element of wgmma");
}

Value hopper::emitWgmma(const IndexBuilder &at, WgmmaKind kind, int64_t n,
                        Value d, Value descriptorA, Value descriptorB,
                        bool isTransposedA, bool isTransposedB, bool isFirst) {
  int64_t k = 256 / kind.getBits();
  return NVVM::WgmmaMmaAsyncOp::create(
      at.b, at.loc, d.getType(), d, descriptorA, descriptorB,
      NVVM::MMAShapeAttr::get(at.b.getContext(), 64, n, k),
      getWgmmaType(kind.a), getWgmmaType(kind.b),
      kind.isInteger() ? NVVM::WGMMATypes::s32 : NVVM::WGMMATypes::f32,
      isFirst ? NVVM::WGMMAScaleOut::zero : NVVM::WGMMAScaleOut::one,
      NVVM::WGMMAScaleIn::one, NVVM::WGMMAScaleIn::one,
      isTransposedA ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      isTransposedB ? NVVM::MMALayout::row : NVVM::MMALayout::col,
      /*satfinite=*/NVVM::MMAIntOverflowAttr());
}

SmallVector<Value> hopper::emitPinned(const IndexBuilder &at,
                                      Value accumulators) {
  auto type = cast<LLVM::LLVMStructType>(accumulators.getType());
  int64_t count = type.getBody().size();
  StringRef out = type.getBody().front().isInteger() ? "=r" : "=f";
  SmallVector<Value> values;
  SmallVector<std::string> constraints(count, out.str());
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(
        LLVM::ExtractValueOp::create(at.b, at.loc, accumulators, i));
    constraints.push_back(std::to_string(i));
  }
  Value pinned =
      emitAsm(at, type, "// acc ready", llvm::join(constraints, ","), values);
  for (auto [i, value] : llvm::enumerate(values))
    value = LLVM::ExtractValueOp::create(at.b, at.loc, pinned,
                                         static_cast<int64_t>(i));
  return values;
}

Value hopper::emitDescriptor(const IndexBuilder &at, uint64_t fixed,
                             const WordValue &address) {
  Type i64 = at.b.getI64Type();
  Value field = ((address & 0x3FFFF) >> 4).get(at);
  field = arith::ExtUIOp::create(at.b, at.loc, i64, field);
  Value rest = arith::ConstantIntOp::create(at.b, at.loc, i64,
                                            static_cast<int64_t>(fixed));
  return arith::OrIOp::create(at.b, at.loc, field, rest);
}

Value hopper::emitDescriptorAdd(const IndexBuilder &at, Value descriptor,
                                int64_t bytes) {
  if (bytes == 0)
    return descriptor;
  Value step =
      arith::ConstantIntOp::create(at.b, at.loc, at.b.getI64Type(), bytes >> 4);
  return arith::AddIOp::create(at.b, at.loc, descriptor, step);
}

Value hopper::emitRegister(const IndexBuilder &at, Value pair) {
  return LLVM::BitcastOp::create(at.b, at.loc, at.b.getI32Type(), pair);
}

void hopper::emitStoreMatrix(const IndexBuilder &at, Value pointer,
                             ValueRange registers, bool isTransposed) {
  NVVM::StMatrixOp::create(
      at.b, at.loc, pointer, registers,
      isTransposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(at.b.getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
}
