//===- AtenTypesTest.cpp - rules of ATen ops ------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Types/AtenTypes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::amp;

namespace {

llvm::json::Object readInput(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile((AMP_TEST_INPUTS "/" + file).str());
  EXPECT_TRUE(buffer) << file.str();
  llvm::Expected<llvm::json::Value> parsed =
      llvm::json::parse((*buffer)->getBuffer());
  EXPECT_TRUE(static_cast<bool>(parsed)) << file.str();
  return std::move(*parsed->getAsObject());
}

class AtenTypesTest : public testing::Test {
protected:
  AtenTypesTest() { context.allowUnregisteredDialects(); }

  Type element(StringRef name) {
    return toElementType(*symbolizeDType(name), &context);
  }

  /// A tensor of one dimension.
  Type tensor(StringRef name) {
    return RankedTensorType::get({4}, element(name));
  }

  /// The types of an op with these operand types, `results` results, and the
  /// scalar attribute `other`, if there is one.
  AtenTypes infer(StringRef name, ArrayRef<Type> operands, unsigned results = 1,
                  Attribute other = {}, Type dtype = {},
                  ArrayRef<int32_t> segments = {}) {
    OpBuilder builder(&context);
    Location loc = builder.getUnknownLoc();
    OperationState source(loc, "test.source");
    source.addTypes(operands);
    Operation *producer = Operation::create(source);
    OperationState state(loc, name);
    state.addOperands(producer->getResults());
    for (unsigned i = 0; i != results; ++i)
      state.addTypes(tensor("f32"));
    if (other)
      state.addAttribute("other", other);
    if (!segments.empty())
      state.addAttribute("operandSegmentSizes",
                         builder.getDenseI32ArrayAttr(segments));
    Operation *op = Operation::create(state);
    const AtenTypeRule *rule = lookupAtenTypeRule(name);
    EXPECT_NE(rule, nullptr) << name.str();
    AtenTypes types;
    if (rule)
      types = inferAtenTypes(op, *rule, operands, dtype);
    op->destroy();
    producer->destroy();
    return types;
  }

  MLIRContext context;
};

TEST_F(AtenTypesTest, Names) {
  auto name = AtenName::parse("torch.aten.addmm_.default");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->base, "addmm");
  EXPECT_EQ(name->overload, "");
  EXPECT_TRUE(name->inPlace);
  EXPECT_FALSE(name->hasOut);
  name = AtenName::parse("aten.max.dim");
  EXPECT_EQ(name->base, "max");
  EXPECT_EQ(name->overload, "dim");
  name = AtenName::parse("aten.mm.out");
  EXPECT_EQ(name->base, "mm");
  EXPECT_TRUE(name->hasOut);
  name = AtenName::parse("aten.div.out_mode");
  EXPECT_FALSE(name->hasOut);
  name = AtenName::parse("aten.sum.IntList_out");
  EXPECT_EQ(name->overload, "IntList");
  EXPECT_TRUE(name->hasOut);
  name = AtenName::parse("aten.__and__.Tensor");
  EXPECT_EQ(name->base, "__and__");
  EXPECT_FALSE(name->inPlace);
  EXPECT_FALSE(AtenName::parse("math.exp"));
  EXPECT_FALSE(AtenName::parse("torch.prim.tolist"));
}

/// Every op of the table of elementwise ops, and in autocast's own lists, has a
/// rule, whatever its overload.
TEST_F(AtenTypesTest, EveryListedOpHasARule) {
  llvm::json::Object promotion = readInput("type_promotion.json");
  for (const auto &entry : *promotion.getObject("ops"))
    EXPECT_NE(lookupAtenTypeRule(("aten." + StringRef(entry.first)).str()),
              nullptr)
        << entry.first.str();
  llvm::json::Object programs = readInput("torch_programs.json");
  for (const llvm::json::Value &program : *programs.getArray("programs"))
    for (const llvm::json::Value &step :
         *program.getAsObject()->getArray("steps"))
      if (auto op = step.getAsObject()->getString("op"))
        EXPECT_NE(lookupAtenTypeRule(*op), nullptr) << op->str();
}

/// Every rule can be asked about: operands of every type give results, and
/// letters are known.
TEST_F(AtenTypesTest, EveryRuleAnswers) {
  for (const AtenTypeRule &rule : getAtenTypeRules())
    for (StringRef name : {"bool", "u8", "i32", "f16", "bf16", "f32", "f64",
                           "c64", "f8e5m2", "u16"}) {
      std::string op = ("aten." + rule.name).str();
      AtenTypes types =
          infer(op, {tensor(name), tensor(name), tensor(name)}, 4);
      ASSERT_EQ(types.results.size(), 4u) << op;
      for (Type type : types.results)
        EXPECT_TRUE(type || rule.results.contains('=')) << op;
      EXPECT_TRUE(types.error.empty()) << op << ": " << types.error;
    }
}

TEST_F(AtenTypesTest, Products) {
  EXPECT_EQ(infer("aten.mm", {tensor("f16"), tensor("f16")}).results[0],
            element("f16"));
  EXPECT_EQ(infer("aten.mm", {tensor("i32"), tensor("i32")}).results[0],
            element("i32"));
  AtenTypes mixed = infer("aten.mm", {tensor("f16"), tensor("f32")});
  EXPECT_EQ(mixed.mismatch,
            "takes operands of one element type, but found 'f16', 'f32'");
  EXPECT_TRUE(mixed.needsPromotion);
  EXPECT_EQ(mixed.common, element("f32"));
  EXPECT_EQ(mixed.results[0], element("f32"));
  // A mask has a type of its own.
  EXPECT_EQ(infer("aten.scaled_dot_product_attention",
                  {tensor("f16"), tensor("f16"), tensor("f16"), tensor("bool")})
                .mismatch,
            "");
}

TEST_F(AtenTypesTest, Elementwise) {
  Builder b(&context);
  EXPECT_EQ(
      infer("aten.add.Tensor", {tensor("f16"), tensor("bf16")}).results[0],
      element("f32"));
  EXPECT_EQ(infer("aten.add.Scalar", {tensor("i32")}, 1, b.getI64IntegerAttr(2))
                .results[0],
            element("i32"));
  EXPECT_EQ(infer("aten.mul.Scalar", {tensor("i32")}, 1, b.getF64FloatAttr(2))
                .results[0],
            element("f32"));
  EXPECT_EQ(infer("aten.cos", {tensor("i64")}).results[0], element("f32"));
  EXPECT_EQ(infer("aten.cos", {tensor("i64")}).compute, element("f32"));
  EXPECT_EQ(infer("aten.add.Tensor", {tensor("f16"), tensor("f16")}).compute,
            element("f32"));
  EXPECT_EQ(infer("aten.eq.Tensor", {tensor("f16"), tensor("f32")}).results[0],
            element("bool"));
  EXPECT_EQ(
      infer("aten.where.self", {tensor("bool"), tensor("f16"), tensor("f32")})
          .results[0],
      element("f32"));
  EXPECT_EQ(infer("aten.abs", {tensor("c64")}).results[0], element("f32"));
  EXPECT_EQ(infer("aten.pow.Tensor_Tensor", {tensor("bool"), tensor("bool")})
                .results[0],
            element("i64"));
  AtenTypes error = infer("aten.add.Tensor", {tensor("f8e5m2"), tensor("f32")});
  EXPECT_NE(error.error.find("8-bit float"), std::string::npos);
  EXPECT_NE(infer("aten.add.Tensor", {tensor("u32"), tensor("i8")}).error, "");
}

TEST_F(AtenTypesTest, Reductions) {
  for (StringRef op :
       {"aten.sum", "aten.prod", "aten.cumsum", "aten.cumprod"}) {
    for (StringRef name : {"bool", "i8", "i32"})
      EXPECT_EQ(infer(op, {tensor(name)}).results[0], element("i64"))
          << op.str();
    EXPECT_EQ(infer(op, {tensor("f16")}).results[0], element("f16"));
    EXPECT_EQ(infer(op, {tensor("i8")}, 1, {}, element("f16")).results[0],
              element("f16"));
  }
  EXPECT_EQ(infer("aten.all", {tensor("u8")}).results[0], element("u8"));
  EXPECT_EQ(infer("aten.any", {tensor("f32")}).results[0], element("bool"));
  EXPECT_EQ(infer("aten.max.dim", {tensor("f16")}, 2).results,
            SmallVector<Type>({element("f16"), element("i64")}));
  EXPECT_EQ(infer("aten.norm.Scalar", {tensor("c64")}).results[0],
            element("f32"));
  AtenTypes mean = infer("aten.mean", {tensor("i32")});
  EXPECT_EQ(mean.mismatch, "takes floats, but found 'i32'");
  EXPECT_FALSE(mean.needsPromotion);
  EXPECT_EQ(mean.results[0], element("f32"));
  EXPECT_EQ(infer("aten.mean", {tensor("i32")}, 1, {}, element("f64")).mismatch,
            "");
}

TEST_F(AtenTypesTest, ListsAndOptionals) {
  EXPECT_EQ(infer("aten.cat", {tensor("f16"), tensor("i32"), tensor("f64")})
                .results[0],
            element("f64"));
  // self, a list of two indices, values.
  AtenTypes put =
      infer("aten.index_put",
            {tensor("f16"), tensor("i64"), tensor("i64"), tensor("f16")}, 1, {},
            {}, {1, 2, 1});
  EXPECT_EQ(put.mismatch, "");
  EXPECT_EQ(put.participants, SmallVector<unsigned>({0, 3}));
  // An absent weight.
  EXPECT_EQ(infer("aten.nll_loss", {tensor("f16"), tensor("i64")}, 1, {}, {},
                  {1, 1, 0})
                .results[0],
            element("f16"));
  EXPECT_TRUE(infer("aten.nll_loss",
                    {tensor("f16"), tensor("i64"), tensor("f32")}, 1, {}, {},
                    {1, 1, 1})
                  .needsPromotion);
  EXPECT_EQ(infer("aten.binary_cross_entropy_with_logits",
                  {tensor("f32"), tensor("f16")})
                .results[0],
            element("f16"));
}

TEST_F(AtenTypesTest, InPlaceAndOut) {
  EXPECT_EQ(
      infer("aten.addcmul_", {tensor("f16"), tensor("f32"), tensor("f32")})
          .results[0],
      element("f16"));
  EXPECT_EQ(infer("aten.exp.out", {tensor("f16"), tensor("f32")}).results[0],
            element("f32"));
  EXPECT_NE(infer("aten.add_.Tensor", {tensor("i32"), tensor("f32")}).error,
            "");
  EXPECT_EQ(infer("aten.add_.Tensor", {tensor("f16"), tensor("f64")}).error,
            "");
  EXPECT_NE(infer("aten.mm.out", {tensor("f32"), tensor("f32"), tensor("bf16")})
                .error,
            "");
  EXPECT_EQ(
      infer("aten.mm.out", {tensor("f32"), tensor("f32"), tensor("f32")}).error,
      "");
}

} // namespace
