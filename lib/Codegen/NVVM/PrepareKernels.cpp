//===- PrepareKernels.cpp - device code in the form that NVVM takes -------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/NVVM/Passes.h"

#include "CheckRegisters.h"

#include "amp/Dialect/AMP/IR/TensorMaps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPGPUPREPAREKERNELSPASS
#include "amp/Codegen/NVVM/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;

/// Width of a warp, which every NVIDIA GPU has.
static constexpr unsigned warpSize = 32;

/// Alignment of shared memory that nobody asked more of: one vector access.
static constexpr int64_t sharedAlignment = 16;

static unsigned bitWidthOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth();
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

namespace {
/// Shuffles of anything but 32 bits become shuffles of i32: the hardware moves
/// 32-bit words only.
struct ShuffleWords : public OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getValue().getType();
    if (type.isInteger(32) || type.isF32())
      return failure();
    auto vector = dyn_cast<VectorType>(type);
    unsigned bits = bitWidthOf(type);
    if (bits == 0 || (vector && (vector.getRank() != 1 || vector.isScalable())))
      return rewriter.notifyMatchFailure(op, "not a scalar or 1-D vector");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    // As an integer, or a vector of whole bytes, of the same bits.
    unsigned words = llvm::divideCeil(bits, 32u);
    auto wordsType = VectorType::get(words, b.getI32Type());
    Value asWords;
    if (bits % 32 == 0) {
      Value flat = op.getValue();
      if (!vector)
        flat = vector::BroadcastOp::create(b, VectorType::get(1, type), flat);
      asWords = vector::BitCastOp::create(b, wordsType, flat);
    } else {
      Type narrow = b.getIntegerType(bits);
      Value value = op.getValue();
      if (vector) {
        value = vector::BitCastOp::create(b, VectorType::get(1, narrow), value);
        value = vector::ExtractOp::create(b, value, 0);
      } else if (type != narrow) {
        value = arith::BitcastOp::create(b, narrow, value);
      }
      Type wide = b.getIntegerType(words * 32);
      value = arith::ExtUIOp::create(b, wide, value);
      value = vector::BroadcastOp::create(b, VectorType::get(1, wide), value);
      asWords = vector::BitCastOp::create(b, wordsType, value);
    }
    SmallVector<Value> moved;
    Value valid;
    for (unsigned i = 0; i < words; ++i) {
      Value word = vector::ExtractOp::create(b, asWords, i);
      auto shuffle = gpu::ShuffleOp::create(b, word, op.getOffset(),
                                            op.getWidth(), op.getMode());
      moved.push_back(shuffle.getShuffleResult());
      valid = shuffle.getValid();
    }
    Value result = vector::FromElementsOp::create(b, wordsType, moved);
    if (bits % 32 == 0) {
      result = vector::BitCastOp::create(
          b, vector ? vector : VectorType::get(1, type), result);
      if (!vector)
        result = vector::ExtractOp::create(b, result, 0);
    } else {
      Type narrow = b.getIntegerType(bits);
      Type wide = b.getIntegerType(words * 32);
      result = vector::BitCastOp::create(b, VectorType::get(1, wide), result);
      result = vector::ExtractOp::create(b, result, 0);
      result = arith::TruncIOp::create(b, narrow, result);
      if (vector) {
        result =
            vector::BroadcastOp::create(b, VectorType::get(1, narrow), result);
        result = vector::BitCastOp::create(b, vector, result);
      } else if (type != narrow) {
        result = arith::BitcastOp::create(b, type, result);
      }
    }
    rewriter.replaceOp(op, {result, valid});
    return success();
  }
};

struct PrepareKernels
    : public amp::impl::AmpGPUPrepareKernelsPassBase<PrepareKernels> {
  using Base::Base;

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    for (auto function : module.getOps<gpu::GPUFuncOp>()) {
      alignShared(function);
      if (failed(amp::checkRegisters(function)) ||
          failed(passTensorMaps(function)))
        return signalPassFailure();
    }

    MLIRContext *context = &getContext();
    RewritePatternSet reductions(context);
    populateGpuBreakDownSubgroupReducePatterns(reductions);
    // Words where they do, and pairs of them for 64 bits.
    for (unsigned bits : {32, 64}) {
      PatternBenefit benefit = 64 / bits;
      populateGpuLowerSubgroupReduceToShufflePatterns(reductions, warpSize,
                                                      bits, benefit);
      populateGpuLowerClusteredSubgroupReduceToShufflePatterns(
          reductions, warpSize, bits, benefit);
    }
    reductions.add<ShuffleWords>(context);
    (void)applyPatternsGreedily(module, std::move(reductions));

    // What VectorToLLVM expects to be gone. (The pass convert-vector-to-llvm
    // does the same, but cannot convert the memory spaces of a GPU.)
    RewritePatternSet patterns(context);
    vector::populateVectorToVectorCanonicalizationPatterns(patterns);
    vector::populateVectorBitCastLoweringPatterns(patterns);
    vector::populateVectorBroadcastLoweringPatterns(patterns);
    vector::populateVectorContractLoweringPatterns(
        patterns, vector::VectorContractLowering::OuterProduct);
    vector::populateVectorMaskOpLoweringPatterns(patterns);
    vector::populateVectorShapeCastLoweringPatterns(patterns);
    vector::populateVectorInterleaveLoweringPatterns(patterns);
    vector::populateVectorTransposeLoweringPatterns(
        patterns, vector::VectorTransposeLowering::EltWise);
    vector::populateVectorTransferLoweringPatterns(patterns,
                                                   /*maxTransferRank=*/1);
    vector::populateVectorMaskMaterializationPatterns(
        patterns, /*force32BitVectorIndices=*/true);
    vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
    vector::populateVectorStepLoweringPatterns(patterns);
    vector::populateVectorRankReducingFMAPattern(patterns);
    vector::populateVectorGatherLoweringPatterns(patterns);
    vector::populateVectorFromElementsUnrollPatterns(patterns);
    vector::populateVectorToElementsUnrollPatterns(patterns);
    vector::populateVectorMultiReductionLoweringPatterns(
        patterns, vector::VectorMultiReductionLowering::InnerReduction);
    (void)applyPatternsGreedily(module, std::move(patterns));
  }

private:
  /// Tensor maps come by value, which is for LLVM a pointer to a parameter.
  LogicalResult passTensorMaps(gpu::GPUFuncOp function) {
    MLIRContext *context = &getContext();
    auto pointer = LLVM::LLVMPointerType::get(context);
    SmallVector<Type> inputs(function.getArgumentTypes());
    for (unsigned i = 0, e = inputs.size(); i < e; ++i) {
      if (!function.removeArgAttr(i, amp::kTensorMapAttrName))
        continue;
      BlockArgument argument = function.getArgument(i);
      inputs[i] = pointer;
      for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
        auto cast = dyn_cast<UnrealizedConversionCastOp>(user);
        if (!cast || cast->getNumResults() != 1 ||
            cast.getType(0) != Type(pointer))
          return user->emitOpError("uses the tensor map that argument ")
                 << i << " is; expected only casts to " << pointer;
        cast.getResult(0).replaceAllUsesWith(argument);
        cast.erase();
      }
      argument.setType(pointer);
      // amp-gpu-annotate-kernels knows them by their alignment.
      function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                          Builder(context).getI64IntegerAttr(64));
      ++numTensorMaps;
    }
    function.setFunctionType(FunctionType::get(
        context, inputs, function.getFunctionType().getResults()));
    return success();
  }

  void alignShared(gpu::GPUFuncOp function) {
    StringRef name = LLVM::LLVMDialect::getAlignAttrName();
    Builder b(&getContext());
    for (unsigned i = 0, e = function.getNumWorkgroupAttributions(); i < e;
         ++i) {
      if (function.getWorkgroupAttributionAttr(i, name))
        continue;
      function.setWorkgroupAttributionAttr(
          i, name, b.getI64IntegerAttr(sharedAlignment));
      ++numAligned;
    }
  }
};
} // namespace
