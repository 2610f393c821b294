//===- AttentionInstructions.cpp - operands in registers ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionInstructions.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

static Value emitAsm(const IndexBuilder &at, Type result, StringRef text,
                     StringRef constraints, ValueRange operands,
                     bool hasSideEffects) {
  return LLVM::InlineAsmOp::create(
             at.b, at.loc, result, operands, text, constraints, hasSideEffects,
             /*is_align_stack=*/false, LLVM::TailCallKind::None,
             LLVM::AsmDialectAttr::get(at.b.getContext(),
                                       LLVM::AsmDialect::AD_ATT),
             /*operand_attrs=*/ArrayAttr())
      ->getResult(0);
}

static Type getStructure(const IndexBuilder &at, Type element, int64_t count) {
  return LLVM::LLVMStructType::getLiteral(at.b.getContext(),
                                          SmallVector<Type>(count, element));
}

static SmallVector<Value> unpack(const IndexBuilder &at, Value structure) {
  auto type = cast<LLVM::LLVMStructType>(structure.getType());
  SmallVector<Value> values;
  for (int64_t i = 0, e = type.getBody().size(); i < e; ++i)
    values.push_back(LLVM::ExtractValueOp::create(at.b, at.loc, structure, i));
  return values;
}

/// Outputs, each in the register of an input.
static std::string getTied(StringRef output, int64_t count) {
  SmallVector<std::string> constraints(count, output.str());
  for (int64_t i = 0; i < count; ++i)
    constraints.push_back(std::to_string(i));
  return llvm::join(constraints, ",");
}

Value hopper::emitWgmmaRegisters(const IndexBuilder &at, WgmmaElement element,
                                 int64_t n, Value d, ValueRange registers,
                                 Value descriptorB, bool isTransposedB) {
  int64_t count = n / 2, next = 2 * count;
  SmallVector<std::string> sums;
  for (int64_t i = 0; i < count; ++i)
    sums.push_back("$" + std::to_string(i));
  auto operand = [&](int64_t i) { return "$" + std::to_string(next + i); };
  StringRef type = element == WgmmaElement::F16 ? "f16" : "bf16";
  std::string text = "{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n" +
                     std::to_string(n) + "k16.f32." + type.str() + "." +
                     type.str() + " {" + llvm::join(sums, ", ") + "}, {" +
                     operand(0) + ", " + operand(1) + ", " + operand(2) + ", " +
                     operand(3) + "}, " + operand(4) + ", p, 1, 1, " +
                     (isTransposedB ? "1" : "0") + ";\n}";
  SmallVector<Value> operands = unpack(at, d);
  llvm::append_range(operands, registers);
  operands.push_back(descriptorB);
  return emitAsm(at, d.getType(), text, getTied("=f", count) + ",r,r,r,r,l",
                 operands, /*hasSideEffects=*/true);
}

Value hopper::emitStructure(const IndexBuilder &at, ValueRange values) {
  Value result = LLVM::UndefOp::create(
      at.b, at.loc, getStructure(at, values.front().getType(), values.size()));
  for (auto [i, value] : llvm::enumerate(values))
    result = LLVM::InsertValueOp::create(at.b, at.loc, result, value,
                                         static_cast<int64_t>(i));
  return result;
}

SmallVector<Value> hopper::emitPinnedRegisters(const IndexBuilder &at,
                                               ValueRange registers) {
  int64_t count = registers.size();
  return unpack(at, emitAsm(at, getStructure(at, at.b.getI32Type(), count),
                            "// registers ready", getTied("=r", count),
                            registers, /*hasSideEffects=*/true));
}

Value hopper::emitExp2(const IndexBuilder &at, Value x) {
  return emitAsm(at, at.b.getF32Type(), "ex2.approx.ftz.f32 $0, $1;", "=f,f", x,
                 /*hasSideEffects=*/false);
}

Value hopper::emitShuffleXor(const IndexBuilder &at, Value x, int64_t mask) {
  return ::mlir::gpu::ShuffleOp::create(at.b, at.loc, x,
                                        static_cast<int32_t>(mask), 32,
                                        ::mlir::gpu::ShuffleMode::XOR)
      .getShuffleResult();
}
