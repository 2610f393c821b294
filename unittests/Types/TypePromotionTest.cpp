//===- TypePromotionTest.cpp - the promotion tables against torch ---------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle is test/Inputs/type_promotion.json, what torch answered: read here
// as it is, not through the table that the library was compiled with.
//
//===----------------------------------------------------------------------===//

#include "amp/Types/TypePromotion.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::amp;

namespace {

class TypePromotion : public testing::Test {
protected:
  void SetUp() override {
    auto buffer =
        llvm::MemoryBuffer::getFile(AMP_TEST_INPUTS "/type_promotion.json");
    ASSERT_TRUE(buffer) << AMP_TEST_INPUTS "/type_promotion.json";
    llvm::Expected<llvm::json::Value> parsed =
        llvm::json::parse((*buffer)->getBuffer());
    ASSERT_TRUE(static_cast<bool>(parsed));
    data = std::move(*parsed->getAsObject());
    for (const llvm::json::Value &name : *data.getArray("dtypes"))
      names.push_back(name.getAsString()->str());
  }

  /// The MLIR type of one of torch's names; null for "error".
  Type type(StringRef name) {
    Builder b(&context);
    auto isUnsigned = [&](unsigned width) {
      return Type(IntegerType::get(&context, width, IntegerType::Unsigned));
    };
    auto complexOf = [](Type part) { return Type(ComplexType::get(part)); };
    const std::pair<StringRef, Type> known[] = {
        {"bool", b.getI1Type()},
        {"u8", isUnsigned(8)},
        {"i8", b.getI8Type()},
        {"i16", b.getI16Type()},
        {"i32", b.getI32Type()},
        {"i64", b.getI64Type()},
        {"u16", isUnsigned(16)},
        {"u32", isUnsigned(32)},
        {"u64", isUnsigned(64)},
        {"f8e4m3fn", Float8E4M3FNType::get(&context)},
        {"f8e5m2", Float8E5M2Type::get(&context)},
        {"f8e4m3fnuz", Float8E4M3FNUZType::get(&context)},
        {"f8e5m2fnuz", Float8E5M2FNUZType::get(&context)},
        {"f16", b.getF16Type()},
        {"bf16", b.getBF16Type()},
        {"f32", b.getF32Type()},
        {"f64", b.getF64Type()},
        {"c32", complexOf(b.getF16Type())},
        {"c64", complexOf(b.getF32Type())},
        {"c128", complexOf(b.getF64Type())}};
    for (auto [spelling, type] : known)
      if (spelling == name)
        return type;
    EXPECT_TRUE(name.starts_with("error")) << name.str();
    return {};
  }

  MLIRContext context;
  llvm::json::Object data;
  SmallVector<std::string> names;
};

TEST_F(TypePromotion, DTypes) {
  EXPECT_EQ(names.size(), 20u);
  for (const std::string &name : names) {
    std::optional<DType> dtype = symbolizeDType(name);
    ASSERT_TRUE(dtype) << name;
    EXPECT_EQ(toElementType(*dtype, &context), type(name)) << name;
    EXPECT_EQ(getDType(type(name)), dtype) << name;
  }
  EXPECT_FALSE(symbolizeDType("f128"));
  EXPECT_FALSE(getDType(FloatTF32Type::get(&context)));
  EXPECT_FALSE(getDType(Float8E3M4Type::get(&context)));
  EXPECT_FALSE(getDType(IntegerType::get(&context, 4)));
  EXPECT_EQ(getDType(IntegerType::get(&context, 8, IntegerType::Signed)),
            DType::I8);
}

// Case 384: all 400 pairs, of which 200 are errors.
TEST_F(TypePromotion, AllPairs) {
  unsigned pairs = 0, errors = 0;
  for (const std::string &a : names)
    for (const std::string &b : names) {
      StringRef expected =
          *data.getObject("promote_types")->getObject(a)->getString(b);
      EXPECT_EQ(promoteTypes(type(a), type(b)), type(expected))
          << a << " with " << b;
      ++pairs;
      errors += expected == "error";
    }
  EXPECT_EQ(pairs, 400u);
  EXPECT_EQ(errors, 200u);
}

TEST_F(TypePromotion, CanCast) {
  for (const std::string &from : names)
    for (const std::string &to : names) {
      bool expected = llvm::any_of(
          *data.getObject("can_cast_to")->getArray(from),
          [&](const llvm::json::Value &v) { return *v.getAsString() == to; });
      EXPECT_EQ(canCastResult(type(from), type(to)), expected)
          << from << " to " << to;
    }
}

// Case 406: every kind on every type.
TEST_F(TypePromotion, Kinds) {
  const std::pair<StringRef, PromotionKind> kinds[] = {
      {"DEFAULT", PromotionKind::DEFAULT},
      {"NO_OPMATH", PromotionKind::NO_OPMATH},
      {"INT_TO_FLOAT", PromotionKind::INT_TO_FLOAT},
      {"ALWAYS_BOOL", PromotionKind::ALWAYS_BOOL},
      {"COMPLEX_TO_FLOAT", PromotionKind::COMPLEX_TO_FLOAT},
      {"BOOL_TO_LONG", PromotionKind::BOOL_TO_LONG}};
  const llvm::json::Object &table = *data.getObject("promotion_kinds_unary");
  EXPECT_EQ(table.size(), std::size(kinds));
  unsigned checked = 0;
  for (auto [name, kind] : kinds)
    for (const auto &entry : *table.getObject(name)) {
      ComputeAndResult found = applyPromotionKind(kind, type(entry.first));
      const llvm::json::Object &expected = *entry.second.getAsObject();
      EXPECT_EQ(found.compute, type(*expected.getString("compute")))
          << name.str() << " of " << entry.first.str();
      EXPECT_EQ(found.result, type(*expected.getString("result")))
          << name.str() << " of " << entry.first.str();
      ++checked;
    }
  EXPECT_EQ(checked, 6u * 13u);
}

/// Types that the recorded table leaves out, and kinds of amp's own.
TEST_F(TypePromotion, OtherKinds) {
  auto result = [&](PromotionKind kind, StringRef name) {
    return applyPromotionKind(kind, type(name)).result;
  };
  EXPECT_EQ(result(PromotionKind::INT_TO_FLOAT, "u32"), type("f32"));
  EXPECT_EQ(result(PromotionKind::ALWAYS_BOOL, "f8e5m2"), type("bool"));
  EXPECT_EQ(result(PromotionKind::DEFAULT, "u64"), type("u64"));
  EXPECT_EQ(result(PromotionKind::INT_TO_LONG, "bool"), type("i64"));
  EXPECT_EQ(result(PromotionKind::INT_TO_LONG, "i8"), type("i64"));
  EXPECT_EQ(result(PromotionKind::INT_TO_LONG, "bf16"), type("bf16"));
  EXPECT_EQ(result(PromotionKind::BOOL_OR_BYTE, "u8"), type("u8"));
  EXPECT_EQ(result(PromotionKind::BOOL_OR_BYTE, "f16"), type("bool"));
  EXPECT_EQ(result(PromotionKind::TO_COMPLEX, "f64"), type("c128"));
  EXPECT_EQ(result(PromotionKind::TO_COMPLEX, "i32"), type("c64"));
}

TEST_F(TypePromotion, OpMathAndParts) {
  for (const std::string &name : names) {
    StringRef opmath = data.getObject("opmath")->getString(name).value_or(name);
    EXPECT_EQ(getOpMathType(type(name)), type(opmath)) << name;
    StringRef real =
        data.getObject("corresponding_real")->getString(name).value_or(name);
    EXPECT_EQ(getRealType(type(name)), type(real)) << name;
  }
}

// Cases 386-405: every recorded example of tiers.
TEST_F(TypePromotion, ResultTypeExamples) {
  auto parse = [&](StringRef text) -> Type {
    if (text.consume_front("py ")) {
      const std::pair<StringRef, StringRef> scalars[] = {{"bool", "bool"},
                                                         {"int", "i64"},
                                                         {"float", "f64"},
                                                         {"complex", "c128"}};
      for (auto [python, name] : scalars)
        if (python == text)
          return type(name);
      ADD_FAILURE() << text.str();
      return {};
    }
    auto [name, tier] = text.split('[');
    SmallVector<int64_t> shape;
    if (tier == "nd]")
      shape.push_back(4);
    return RankedTensorType::get(shape, type(name));
  };
  unsigned checked = 0, scalarPairs = 0;
  for (const auto &entry : *data.getObject("result_type_examples")) {
    StringRef key = entry.first;
    auto [a, b] = key.split(',');
    // Of scalars alone the own types promote (see Tiers), not Python's
    // defaults.
    if (a.starts_with("py") && b.starts_with("py")) {
      ++scalarPairs;
      continue;
    }
    Type expected = type(*entry.second.getAsString());
    EXPECT_EQ(getResultType({parse(a), parse(b)}), expected) << key.str();
    EXPECT_EQ(getResultType({parse(b), parse(a)}), expected) << key.str();
    ++checked;
  }
  EXPECT_EQ(checked + scalarPairs, 412u);
  EXPECT_EQ(scalarPairs, 16u);
}

// Cases 401 and 405, and what the examples leave out.
TEST_F(TypePromotion, Tiers) {
  auto dims = [&](StringRef name) {
    return Type(RankedTensorType::get({4}, type(name)));
  };
  auto zero = [&](StringRef name) {
    return Type(RankedTensorType::get({}, type(name)));
  };
  EXPECT_EQ(getResultType({zero("c64"), dims("f64")}), type("c128"));
  EXPECT_EQ(getResultType({zero("c64"), dims("f16")}), type("c32"));
  EXPECT_EQ(getResultType({dims("bf16"), type("c128")}), type("c64"));
  EXPECT_EQ(getResultType({dims("u16"), type("i64")}), type("u16"));
  EXPECT_EQ(getResultType({dims("u16"), type("f64")}), type("f32"));
  EXPECT_EQ(getResultType({dims("f8e4m3fn"), type("f64")}), type("f8e4m3fn"));
  EXPECT_EQ(getResultType({dims("i8"), zero("f16"), type("f64")}), type("f16"));
  EXPECT_EQ(getResultType({dims("i32"), type("f64")}), type("f32"));
  // Where all are scalars, their own types count.
  EXPECT_EQ(getResultType({type("f64"), type("i32")}), type("f64"));
  EXPECT_EQ(getResultType({type("f16"), type("f32")}), type("f32"));
  EXPECT_FALSE(getResultType({}));
  PromotionConflict conflict;
  EXPECT_FALSE(getResultType({dims("u16"), dims("i32")}, &conflict));
  EXPECT_EQ(conflict.a, type("u16"));
  EXPECT_EQ(conflict.b, type("i32"));
  EXPECT_FALSE(getResultType({dims("bool"), zero("u16")}));
  EXPECT_FALSE(getResultType({zero("f8e5m2"), dims("i32")}, &conflict));
  EXPECT_NE(conflict.describe().find("8-bit float"), std::string::npos);
}

/// Integers that torch does not have.
TEST_F(TypePromotion, OddIntegers) {
  auto integer = [&](unsigned width, IntegerType::SignednessSemantics sign =
                                         IntegerType::Signless) {
    return Type(IntegerType::get(&context, width, sign));
  };
  EXPECT_EQ(promoteTypes(integer(4), integer(8)), integer(8));
  EXPECT_EQ(promoteTypes(integer(4), integer(1)), integer(4));
  EXPECT_EQ(promoteTypes(integer(4), type("u8")), type("i16"));
  EXPECT_EQ(promoteTypes(integer(4), type("u16")), Type());
  EXPECT_EQ(promoteTypes(integer(4), type("f16")), type("f16"));
  EXPECT_EQ(promoteTypes(integer(4), type("c64")), type("c64"));
  EXPECT_EQ(promoteTypes(integer(4), type("f8e5m2")), Type());
  EXPECT_EQ(promoteTypes(integer(8, IntegerType::Signed), integer(8)),
            integer(8));
}

// Case 407: the table of ops.
TEST_F(TypePromotion, ElementwiseTable) {
  const llvm::json::Object &ops = *data.getObject("ops");
  EXPECT_EQ(ops.size(), 227u);
  EXPECT_EQ(getElementwiseRules().size(), ops.size());
  const std::pair<StringRef, PromotionKind> kinds[] = {
      {"DEFAULT", PromotionKind::DEFAULT},
      {"NO_OPMATH", PromotionKind::NO_OPMATH},
      {"INT_TO_FLOAT", PromotionKind::INT_TO_FLOAT},
      {"ALWAYS_BOOL", PromotionKind::ALWAYS_BOOL},
      {"COMPLEX_TO_FLOAT", PromotionKind::COMPLEX_TO_FLOAT},
      {"BOOL_TO_LONG", PromotionKind::BOOL_TO_LONG},
      {"SAME", PromotionKind::SAME}};
  for (const ElementwiseRule &rule : getElementwiseRules()) {
    const llvm::json::Object *op = ops.getObject(rule.name);
    ASSERT_NE(op, nullptr) << rule.name.str();
    std::string operands;
    for (const llvm::json::Value &v : *op->getArray("promoting_args"))
      operands +=
          (operands.empty() ? "" : ",") + std::to_string(*v.getAsInteger());
    EXPECT_EQ(rule.operands, operands) << rule.name.str();
    for (auto [name, kind] : kinds)
      EXPECT_EQ(rule.kind == kind, *op->getString("kind") == name)
          << rule.name.str();
  }
}

} // namespace
