//===- InlineAssembly.cpp - inline PTX in the simulator -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions that NVVM has no ops for, or whose ops say too little. The
// text is straight-line code, but for one form: the loop around
// mbarrier.try_wait.
//
//===----------------------------------------------------------------------===//

#include "InlineAssembly.h"

#include "amp/Simulator/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::amp::sim;

namespace {
/// `@p op.mods a, {b, c}, [d]`
struct Instruction {
  StringRef text;
  StringRef name;
  SmallVector<StringRef> operands;
};

class Assembly {
public:
  Assembly(CallBuilder &call, LLVM::InlineAsmOp op);

  Rewritten rewrite();

private:
  LogicalResult fail(StringRef instruction, const Twine &why);
  /// The value of an operand: `$1`, a number, or a register.
  FailureOr<Value> read(const Instruction &i, StringRef operand);
  /// The same as an i32.
  FailureOr<Value> readWord(const Instruction &i, unsigned operand);
  /// Sets an operand: `$0`, or a register.
  LogicalResult write(const Instruction &i, StringRef operand, Value value);
  LogicalResult rewrite(const Instruction &i);
  LogicalResult rewriteShuffle(const Instruction &i);
  LogicalResult rewriteWgmma(const Instruction &i);
  LogicalResult rewriteUnary(const Instruction &i);
  LogicalResult rewritePack(const Instruction &i, Type element);
  LogicalResult rewriteBarrier(const Instruction &i);

  CallBuilder &call;
  LLVM::InlineAsmOp op;
  SmallVector<Type> outputTypes;
  /// Those of the op, then its inputs.
  SmallVector<Value> numbered;
  /// For each output, the input that is tied to it, or -1.
  SmallVector<int> tied;
  llvm::StringMap<Value> registers;
};
} // namespace

Assembly::Assembly(CallBuilder &call, LLVM::InlineAsmOp op)
    : call(call), op(op) {
  if (op->getNumResults()) {
    Type type = op->getResult(0).getType();
    if (auto fields = dyn_cast<LLVM::LLVMStructType>(type))
      llvm::append_range(outputTypes, fields.getBody());
    else
      outputTypes.push_back(type);
  }
  numbered.assign(outputTypes.size(), Value());
  llvm::append_range(numbered, op.getOperands());
  tied.assign(outputTypes.size(), -1);
  SmallVector<StringRef> constraints;
  op.getConstraints().split(constraints, ',', -1, /*KeepEmpty=*/false);
  int input = 0;
  for (StringRef constraint : constraints) {
    if (constraint.starts_with("=") || constraint.starts_with("~"))
      continue;
    unsigned output;
    if (!constraint.getAsInteger(10, output) && output < tied.size())
      tied[output] = input;
    ++input;
  }
}

LogicalResult Assembly::fail(StringRef instruction, const Twine &why) {
  return op.emitError() << "the simulator does not know the PTX '"
                        << instruction << "'" << why
                        << "; docs/simulator.md lists what device code may "
                           "have";
}

/// Splits at commas that are in no braces or brackets.
static SmallVector<StringRef> splitOperands(StringRef text) {
  SmallVector<StringRef> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      StringRef part = text.slice(begin, i).trim();
      if (!part.empty())
        parts.push_back(part);
      begin = i + 1;
    } else if (text[i] == '{' || text[i] == '[') {
      ++depth;
    } else if (text[i] == '}' || text[i] == ']') {
      --depth;
    }
  }
  return parts;
}

FailureOr<Value> Assembly::read(const Instruction &i, StringRef operand) {
  if (operand.consume_front("[") && !operand.consume_back("]"))
    return fail(i.text, " (an address with an offset)");
  operand = operand.trim();
  unsigned number;
  int64_t literal;
  if (operand.consume_front("$")) {
    if (!operand.getAsInteger(10, number) && number < numbered.size() &&
        numbered[number])
      return numbered[number];
  } else if (!operand.getAsInteger(0, literal)) {
    return call.integer(literal);
  } else if (Value value = registers.lookup(operand)) {
    return value;
  }
  return fail(i.text, " (an operand without a value)");
}

FailureOr<Value> Assembly::readWord(const Instruction &i, unsigned operand) {
  if (operand >= i.operands.size())
    return fail(i.text, " (too few operands)");
  FailureOr<Value> value = read(i, i.operands[operand]);
  if (failed(value))
    return failure();
  Type word = call.builder.getI32Type();
  if ((*value).getType() == word)
    return value;
  return Value(LLVM::BitcastOp::create(call.builder, call.loc, word, *value));
}

LogicalResult Assembly::write(const Instruction &i, StringRef operand,
                              Value value) {
  unsigned number;
  if (!operand.consume_front("$")) {
    registers[operand] = value;
    return success();
  }
  if (operand.getAsInteger(10, number) || number >= outputTypes.size())
    return fail(i.text, " (it writes to what is no output)");
  if (value.getType() != outputTypes[number])
    value = LLVM::BitcastOp::create(call.builder, call.loc, outputTypes[number],
                                    value);
  numbered[number] = value;
  return success();
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

LogicalResult Assembly::rewriteShuffle(const Instruction &i) {
  StringRef mode = i.name;
  mode.consume_front("shfl.sync.");
  int32_t kind = mode == "idx.b32"    ? AMP_SIM_SHUFFLE_IDX
                 : mode == "bfly.b32" ? AMP_SIM_SHUFFLE_XOR
                 : mode == "up.b32"   ? AMP_SIM_SHUFFLE_UP
                 : mode == "down.b32" ? AMP_SIM_SHUFFLE_DOWN
                                      : -1;
  if (kind < 0 || i.operands.size() != 5)
    return fail(i.text, "");
  FailureOr<Value> value = readWord(i, 1), offset = readWord(i, 2),
                   clamp = readWord(i, 3), mask = readWord(i, 4);
  if (failed(value) || failed(offset) || failed(clamp) || failed(mask))
    return failure();
  OpBuilder &builder = call.builder;
  Type wide = builder.getI64Type();
  Value valid = call.emitter.slot(builder, call.loc, builder.getI8Type(), 1);
  Value result =
      call.call("ampSimShuffle",
                {LLVM::ZExtOp::create(builder, call.loc, wide, *value), *mask,
                 *offset, *clamp, call.integer(kind), valid},
                wide);
  call.kernel.isCollective = true;
  return write(
      i, i.operands[0],
      LLVM::TruncOp::create(builder, call.loc, builder.getI32Type(), result));
}

LogicalResult Assembly::rewriteBarrier(const Instruction &i) {
  bool waits = i.name.ends_with(".sync");
  FailureOr<Value> id = readWord(i, 0);
  FailureOr<Value> count = i.operands.size() > 1
                               ? readWord(i, 1)
                               : FailureOr<Value>(call.integer(0));
  if (failed(id) || failed(count))
    return failure();
  call.call(waits ? "ampSimBarrier" : "ampSimBarrierArrive", {*id, *count});
  call.kernel.isCollective = true;
  return success();
}

/// Two floats as one register, the first operand in the high half.
LogicalResult Assembly::rewritePack(const Instruction &i, Type element) {
  if (i.operands.size() != 3)
    return fail(i.text, "");
  FailureOr<Value> high = read(i, i.operands[1]), low = read(i, i.operands[2]);
  if (failed(high) || failed(low))
    return failure();
  OpBuilder &builder = call.builder;
  Value pair =
      LLVM::PoisonOp::create(builder, call.loc, VectorType::get({2}, element));
  for (auto [at, value] : llvm::enumerate(ValueRange{*low, *high}))
    pair = LLVM::InsertElementOp::create(
        builder, call.loc, pair,
        arith::TruncFOp::create(builder, call.loc, element, value),
        call.integer(int64_t(at)));
  return write(
      i, i.operands[0],
      LLVM::BitcastOp::create(builder, call.loc, builder.getI32Type(), pair));
}

/// The approximate functions, as the C library has them.
LogicalResult Assembly::rewriteUnary(const Instruction &i) {
  if (i.operands.size() != 2)
    return fail(i.text, "");
  FailureOr<Value> x = read(i, i.operands[1]);
  if (failed(x))
    return failure();
  OpBuilder &builder = call.builder;
  Location loc = call.loc;
  Type f32 = builder.getF32Type();
  auto reciprocal = [&](Value value) -> Value {
    Value one = LLVM::ConstantOp::create(builder, loc, f32,
                                         builder.getF32FloatAttr(1.0f));
    return LLVM::FDivOp::create(builder, loc, one, value);
  };
  StringRef function = i.name.split('.').first;
  Value result;
  if (function == "ex2")
    result = LLVM::Exp2Op::create(builder, loc, f32, *x);
  else if (function == "lg2")
    result = LLVM::Log2Op::create(builder, loc, f32, *x);
  else if (function == "tanh")
    result = math::TanhOp::create(builder, loc, f32, *x);
  else if (function == "rcp")
    result = reciprocal(*x);
  else if (function == "rsqrt")
    result = reciprocal(LLVM::SqrtOp::create(builder, loc, f32, *x));
  else
    result = LLVM::SqrtOp::create(builder, loc, f32, *x);
  return write(i, i.operands[0], result);
}

static std::optional<int32_t> getElement(StringRef type) {
  return llvm::StringSwitch<std::optional<int32_t>>(type)
      .Case("f16", AMP_SIM_F16)
      .Case("bf16", AMP_SIM_BF16)
      .Case("tf32", AMP_SIM_TF32)
      .Case("f32", AMP_SIM_F32)
      .Case("e4m3", AMP_SIM_E4M3)
      .Case("e5m2", AMP_SIM_E5M2)
      .Case("s8", AMP_SIM_S8)
      .Case("u8", AMP_SIM_U8)
      .Case("s32", AMP_SIM_S32)
      .Default(std::nullopt);
}

/// wgmma.mma_async with A in registers:
/// `{d..}, {a, a, a, a}, b-desc, p, scale-a, scale-b[, trans-b]`.
LogicalResult Assembly::rewriteWgmma(const Instruction &i) {
  if (failed(checkAccumulators(op)))
    return failure();
  StringRef name = i.name;
  name.consume_front("wgmma.mma_async.sync.aligned.m64n");
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  WgmmaKind kind = {};
  auto [n, k] = parts.front().split('k');
  if (parts.size() != 4 || n.getAsInteger(10, kind.n) ||
      k.getAsInteger(10, kind.k) || i.operands.size() < 4)
    return fail(i.text, "");
  auto typeD = getElement(parts[1]), typeA = getElement(parts[2]),
       typeB = getElement(parts[3]);
  auto list = [](StringRef operand) {
    operand.consume_front("{");
    operand.consume_back("}");
    return splitOperands(operand);
  };
  SmallVector<StringRef> d = list(i.operands[0]), a = list(i.operands[1]);
  if (!typeD || !typeA || !typeB || a.size() != 4 ||
      int32_t(d.size()) != kind.n / 2)
    return fail(i.text, " (expected N / 2 accumulators and four registers of "
                        "A)");
  kind.typeA = *typeA;
  kind.typeB = *typeB;
  kind.typeD = *typeD;
  auto literal = [&](size_t operand, int32_t &value) {
    return operand < i.operands.size() &&
           !i.operands[operand].getAsInteger(10, value);
  };
  kind.signA = kind.signB = 1;
  if (i.operands.size() > 4 &&
      (!literal(4, kind.signA) || !literal(5, kind.signB)))
    return fail(i.text, "");
  int32_t transposes = 0;
  if (i.operands.size() > 6 && !literal(6, transposes))
    return fail(i.text, "");
  kind.isTransposedB = transposes != 0;
  FailureOr<Value> scale = read(i, i.operands[3]),
                   descriptor = read(i, i.operands[2]);
  if (failed(scale) || failed(descriptor))
    return failure();
  APInt accumulates;
  if (!matchPattern(*scale, m_ConstantInt(&accumulates)))
    return fail(i.text, " (a scale that is no constant)");
  kind.accumulates = !accumulates.isZero();
  SmallVector<Value> sums, inRegisters;
  for (StringRef operand : d) {
    unsigned number;
    if (!operand.consume_front("$") || operand.getAsInteger(10, number) ||
        number >= tied.size() || (tied[number] < 0 && kind.accumulates))
      return fail(i.text, " (accumulators that are not tied to inputs)");
    sums.push_back(tied[number] < 0
                       ? Value(LLVM::PoisonOp::create(call.builder, call.loc,
                                                      outputTypes[number]))
                       : op.getOperand(unsigned(tied[number])));
  }
  for (StringRef operand : a) {
    FailureOr<Value> value = read(i, operand);
    if (failed(value))
      return failure();
    inRegisters.push_back(*value);
  }
  SmallVector<Value> results =
      buildWgmma(call, kind, Value(), inRegisters, *descriptor, sums);
  for (auto [operand, result] : llvm::zip_equal(d, results))
    if (failed(write(i, operand, result)))
      return failure();
  return success();
}

LogicalResult Assembly::rewrite(const Instruction &i) {
  OpBuilder &builder = call.builder;
  StringRef name = i.name;
  if (name == ".reg" || name == "prefetch.tensormap")
    return success();
  if (name.starts_with("fence.proxy.async") ||
      name.starts_with("fence.mbarrier_init")) {
    call.call("ampSimFenceProxy", {});
    return success();
  }
  if (name == "cp.async.bulk.commit_group") {
    call.call("ampSimBulkCommit", {});
    return success();
  }
  if (name == "cp.async.bulk.wait_group" ||
      name == "cp.async.bulk.wait_group.read") {
    FailureOr<Value> pending = readWord(i, 0);
    if (failed(pending))
      return failure();
    call.call("ampSimBulkWait", {*pending});
    return success();
  }
  if (name == "bar.sync" || name == "bar.arrive" || name == "barrier.sync" ||
      name == "barrier.arrive")
    return rewriteBarrier(i);
  if (name.starts_with("shfl.sync."))
    return rewriteShuffle(i);
  if (name == "cvt.rn.f16x2.f32")
    return rewritePack(i, builder.getF16Type());
  if (name == "cvt.rn.bf16x2.f32")
    return rewritePack(i, builder.getBF16Type());
  for (StringRef function : {"ex2", "lg2", "rcp", "rsqrt", "sqrt", "tanh"})
    if (name == (function + ".approx.f32").str() ||
        name == (function + ".approx.ftz.f32").str())
      return rewriteUnary(i);
  if (name.starts_with("wgmma.mma_async.sync.aligned.m64n"))
    return rewriteWgmma(i);
  if (name == "mapa.shared::cluster.u32" && i.operands.size() == 3) {
    FailureOr<Value> address = read(i, i.operands[1]), block = readWord(i, 2);
    if (failed(address) || failed(block))
      return failure();
    return write(i, i.operands[0],
                 call.call("ampSimMapShared", {call.pointer(*address), *block},
                           call.emitter.getPointer()));
  }
  if (name == "mbarrier.arrive.shared::cluster.b64" && i.operands.size() == 2 &&
      i.operands[0] == "_") {
    FailureOr<Value> barrier = read(i, i.operands[1]);
    if (failed(barrier))
      return failure();
    call.call("ampSimMbarrierArrive",
              {call.pointer(*barrier), call.integer(1), call.integer(0)});
    return success();
  }
  if (name == "mov.b32" && i.operands.size() == 2) {
    FailureOr<Value> value = read(i, i.operands[1]);
    return failed(value) ? failure() : write(i, i.operands[0], *value);
  }
  if (name == "setp.ne.b32" && i.operands.size() == 3) {
    FailureOr<Value> left = readWord(i, 1), right = readWord(i, 2);
    if (failed(left) || failed(right))
      return failure();
    APInt l, r;
    if (matchPattern(*left, m_ConstantInt(&l)) &&
        matchPattern(*right, m_ConstantInt(&r)))
      return write(i, i.operands[0], call.integer(l != r, 1));
    return write(i, i.operands[0],
                 LLVM::ICmpOp::create(builder, call.loc,
                                      LLVM::ICmpPredicate::ne, *left, *right));
  }
  return fail(i.text, "");
}

Rewritten Assembly::rewrite() {
  std::string text;
  SmallVector<StringRef> lines;
  op.getAsmString().split(lines, '\n');
  for (StringRef line : lines)
    text += line.split("//").first.str() + " ";
  StringRef all(text);
  // A loop until the phase is complete.
  if (all.contains("mbarrier.try_wait.parity") && all.contains("bra") &&
      op.getNumOperands() == 2) {
    call.call("ampSimMbarrierWait",
              {call.pointer(op.getOperand(0)), op.getOperand(1)});
    call.kernel.isCollective = true;
    op.erase();
    return Rewritten::Done;
  }
  SmallVector<StringRef> statements;
  all.split(statements, ';', -1, /*KeepEmpty=*/false);
  bool isEmpty = true;
  for (StringRef statement : statements) {
    statement = statement.trim();
    // The braces of a scope; those of a vector are inside of a statement.
    while (statement.consume_front("{") || statement.consume_front("}"))
      statement = statement.ltrim();
    if (statement.empty())
      continue;
    isEmpty = false;
    auto [name, operands] = statement.split(' ');
    Instruction instruction{statement, name, splitOperands(operands)};
    if (failed(rewrite(instruction)))
      return Rewritten::Failed;
  }
  // Nothing but ties: the outputs are the inputs.
  for (auto [i, type] : llvm::enumerate(outputTypes)) {
    if (isEmpty && tied[i] >= 0)
      numbered[i] = op.getOperand(unsigned(tied[i]));
    if (!numbered[i]) {
      (void)fail(statements.empty() ? "" : statements.back().trim(),
                 " (it leaves output " + Twine(i) + " without a value)");
      return Rewritten::Failed;
    }
  }
  if (op->getNumResults()) {
    Value result = numbered.front();
    if (auto type =
            dyn_cast<LLVM::LLVMStructType>(op->getResult(0).getType())) {
      result = LLVM::PoisonOp::create(call.builder, call.loc, type);
      for (size_t i = 0; i < outputTypes.size(); ++i)
        result = LLVM::InsertValueOp::create(call.builder, call.loc, result,
                                             numbered[i], int64_t(i));
    }
    op->getResult(0).replaceAllUsesWith(result);
  }
  op.erase();
  return Rewritten::Done;
}

Rewritten mlir::amp::sim::rewriteInlineAsm(CallBuilder &call,
                                           LLVM::InlineAsmOp op) {
  return Assembly(call, op).rewrite();
}
