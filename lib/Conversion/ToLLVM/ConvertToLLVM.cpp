//===- ConvertToLLVM.cpp - everything to the LLVM dialect at once ---------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Conversion/Passes.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Analysis/DataLayoutAnalysis.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/PrintCallHelper.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/AMX/Transforms.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/RegionUtils.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCONVERTTOLLVMPASS
#include "amp/Conversion/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

namespace {
/// As upstream's, but that each message has a name of its own from the start:
/// upstream's tries one after the other, and looks through the module for each,
/// which takes a minute for 5000 checks.
struct LowerAssert : public ConvertOpToLLVMPattern<cf::AssertOp> {
  LowerAssert(const LLVMTypeConverter &converter,
              SymbolTableCollection &symbols)
      : ConvertOpToLLVMPattern(converter, /*benefit=*/2), symbols(symbols) {}

  LogicalResult
  matchAndRewrite(cf::AssertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto module = op->getParentOfType<ModuleOp>();
    Block *block = rewriter.getInsertionBlock();
    Block *rest = rewriter.splitBlock(block, rewriter.getInsertionPoint());
    Block *stop = rewriter.createBlock(block->getParent());
    std::string name = ("assert_msg_" + Twine(numMessages++)).str();
    if (failed(LLVM::createPrintStrCall(
            rewriter, loc, module, name, op.getMsg(), *getTypeConverter(),
            /*addNewline=*/false, /*runtimeFunctionName=*/"puts", &symbols)))
      return failure();
    FailureOr<LLVM::LLVMFuncOp> abort = LLVM::lookupOrCreateFn(
        rewriter, module, "abort", {},
        LLVM::LLVMVoidType::get(rewriter.getContext()), /*isVarArg=*/false,
        /*isReserved=*/false, &symbols);
    if (failed(abort))
      return failure();
    LLVM::CallOp::create(rewriter, loc, *abort, ValueRange());
    LLVM::UnreachableOp::create(rewriter, loc);
    rewriter.setInsertionPointToEnd(block);
    rewriter.replaceOpWithNewOp<LLVM::CondBrOp>(op, adaptor.getArg(), rest,
                                                stop);
    return success();
  }

private:
  SymbolTableCollection &symbols;
  mutable unsigned numMessages = 0;
};

class ConvertToLLVMPass
    : public amp::impl::AmpConvertToLLVMPassBase<ConvertToLLVMPass> {
public:
  using AmpConvertToLLVMPassBase::AmpConvertToLLVMPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // Not in the conversion, which prefers the op that it needs fewest steps
    // for: a maximum would become LLVM's, which is slower where there is no
    // instruction for it.
    RewritePatternSet expansions(&getContext());
    arith::populateArithExpandOpsPatterns(expansions);
    walkAndApplyPatterns(module, std::move(expansions));
    if (genericFunctions)
      module.walk([](FunctionOpInterface function) {
        if (!function.isExternal())
          callForCopies(function);
      });
    // What loops carry and nothing reads.
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, module->getRegions());

    const auto &layouts = getAnalysis<DataLayoutAnalysis>();
    LLVMTypeConverter converter(&getContext(), getOptions(layouts), &layouts);
    RewritePatternSet patterns(&getContext());
    SymbolTableCollection symbols;
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateComplexToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    patterns.add<LowerAssert>(converter, symbols);
    populateFuncToLLVMConversionPatterns(converter, patterns, &symbols);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    // The C library's functions are for what LLVM has none for.
    populateMathToLLVMConversionPatterns(converter, patterns,
                                         /*approximateLog1p=*/true,
                                         /*benefit=*/2);
    populateMathToLibmConversionPatterns(patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns,
                                                   &symbols);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    LLVMConversionTarget target(getContext());
    // Branches carry tiles, and have to be converted with them.
    populateAMXLegalizeForLLVMExportPatterns(converter, patterns);
    configureAMXLegalizeForExportTarget(target);
    // With rollback, as is the default: constants have to stay arith's until
    // the end. A `memref.dim` of one that it does not see goes through the
    // stack, which grows with every iteration of a loop.
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return signalPassFailure();

    SmallVector<UnrealizedConversionCastOp> casts;
    module.walk(
        [&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    reconcileUnrealizedCasts(casts);
  }

private:
  /// Whether the elements of `value`, a buffer, lie one behind the other.
  static bool isContiguous(Value value) {
    auto type = dyn_cast<MemRefType>(value.getType());
    return type && (type.getLayout().isIdentity() ||
                    memref::isStaticShapeAndContiguousRowMajor(type));
  }

  /// The `size` elements of `buffer`, which are contiguous, with a stride that
  /// no type tells of.
  static Value hideStride(OpBuilder &b, Location loc, Value buffer,
                          Value size) {
    auto type = cast<MemRefType>(buffer.getType());
    constexpr int64_t any = ShapedType::kDynamic;
    int64_t known = type.getStridesAndOffset().second;
    Value offset =
        ShapedType::isDynamic(known)
            ? memref::ExtractStridedMetadataOp::create(b, loc, buffer)
                  .getOffset()
            : arith::ConstantIndexOp::create(b, loc, known).getResult();
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    auto result =
        MemRefType::get(any, type.getElementType(),
                        StridedLayoutAttr::get(b.getContext(), any, any),
                        type.getMemorySpace());
    return memref::ReinterpretCastOp::create(b, loc, result, buffer, offset,
                                             size, one);
  }

  /// Makes copies of what is contiguous, of as much as threads are worth while
  /// for, or may be, copies of any stride: their lowering calls `memrefCopy`
  /// then, which has threads, where it would be a memcpy of LLVM's.
  static void callForCopies(FunctionOpInterface function) {
    constexpr int64_t kLeastBytes = 128 << 10;
    SmallVector<memref::CopyOp> copies;
    function.walk([&](memref::CopyOp op) {
      if (isContiguous(op.getSource()) && isContiguous(op.getTarget()) &&
          getElementTypeOrSelf(op.getSource()).isIntOrFloat())
        copies.push_back(op);
    });
    if (copies.empty())
      return;
    DominanceInfo dominance(function);
    std::optional<CFGLoopInfo> loops;
    if (Region &body = function.getFunctionBody(); !body.hasOneBlock())
      loops.emplace(dominance.getDomTree(&body));
    for (memref::CopyOp op : copies) {
      auto type = cast<MemRefType>(op.getSource().getType());
      // In a loop, most of what is of unknown size is small.
      if (type.hasStaticShape()
              ? type.getNumElements() * type.getElementTypeBitWidth() / 8 <
                    kLeastBytes
              : loops && loops->getLoopFor(op->getBlock()))
        continue;
      OpBuilder b(op);
      Location loc = op.getLoc();
      int64_t known = 1;
      SmallVector<Value> sizes;
      for (auto [d, each] : llvm::enumerate(type.getShape()))
        if (ShapedType::isDynamic(each))
          sizes.push_back(memref::DimOp::create(b, loc, op.getSource(), d));
        else
          known *= each;
      Value size = arith::ConstantIndexOp::create(b, loc, known);
      for (Value each : sizes)
        size = arith::MulIOp::create(b, loc, size, each);
      for (OpOperand &operand : op->getOpOperands())
        operand.set(hideStride(b, loc, operand.get(), size));
    }
  }

  LowerToLLVMOptions getOptions(const DataLayoutAnalysis &layouts) {
    ModuleOp module = getOperation();
    LowerToLLVMOptions options(&getContext(), layouts.getAtOrAbove(module));
    if (genericFunctions) {
      options.allocLowering = LowerToLLVMOptions::AllocLowering::AlignedAlloc;
      options.useGenericFunctions = true;
    }
    if (auto layout = module->getAttrOfType<StringAttr>(
            LLVM::LLVMDialect::getDataLayoutAttrName()))
      options.dataLayout = llvm::DataLayout(layout.getValue());
    return options;
  }
};
} // namespace
