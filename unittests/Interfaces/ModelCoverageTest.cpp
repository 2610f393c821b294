//===- ModelCoverageTest.cpp - which ops have precision models ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op without a model keeps its types silently. Hence every op of these
// dialects has one, or is listed here with those that need none: an op that
// upstream adds fails the test.
//
//===----------------------------------------------------------------------===//

#include "amp/Interfaces/Models.h"
#include "amp/Interfaces/PrecisionOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::amp;

/// Loads `Dialect`, and expects that of its ops exactly those in `without` have
/// no model.
template <typename Dialect>
static void expectModels(std::initializer_list<StringRef> without) {
  DialectRegistry registry;
  registry.insert<Dialect>();
  registerArithModels(registry);
  registerFuncModels(registry);
  registerMathModels(registry);
  registerSCFModels(registry);
  registerTensorModels(registry);
  registerTosaModels(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<Dialect>();
  llvm::StringSet<> names;
  names.insert(without.begin(), without.end());
  for (RegisteredOperationName op :
       context.getRegisteredOperationsByDialect(Dialect::getDialectNamespace()))
    EXPECT_EQ(op.hasInterface<PrecisionOpInterface>(),
              !names.contains(op.stripDialect()))
        << op.getStringRef().str();
}

TEST(ModelCoverage, Arith) {
  // Integers only.
  expectModels<arith::ArithDialect>(
      {"addi",         "addui_extended", "andi",           "ceildivsi",
       "ceildivui",    "cmpi",           "divsi",          "divui",
       "extsi",        "extui",          "floordivsi",     "index_cast",
       "index_castui", "maxsi",          "maxui",          "minsi",
       "minui",        "muli",           "mulsi_extended", "mului_extended",
       "ori",          "remsi",          "remui",          "shli",
       "shrsi",        "shrui",          "subi",           "trunci",
       "xori"});
}

TEST(ModelCoverage, Math) {
  // Integers only.
  expectModels<math::MathDialect>({"absi", "ctlz", "ctpop", "cttz", "ipowi"});
}

TEST(ModelCoverage, Tensor) {
  // The terminator of pad and generate, whose models see to it.
  expectModels<tensor::TensorDialect>({"yield"});
}

TEST(ModelCoverage, SCF) {
  // RegionBranchOpInterface says where their values go.
  expectModels<scf::SCFDialect>({"condition", "execute_region",
                                 "forall.in_parallel", "for", "if",
                                 "index_switch", "while", "yield"});
}

TEST(ModelCoverage, Func) {
  expectModels<func::FuncDialect>({"constant", "func"});
}

TEST(ModelCoverage, Tosa) {
  // Integers, booleans and shapes only, and the declaration of a variable.
  expectModels<tosa::TosaDialect>({"add_shape",
                                   "apply_scale",
                                   "arithmetic_right_shift",
                                   "bitwise_and",
                                   "bitwise_not",
                                   "bitwise_or",
                                   "bitwise_xor",
                                   "clz",
                                   "concat_shape",
                                   "const_shape",
                                   "div_ceil_shape",
                                   "div_floor_shape",
                                   "exp2_shape",
                                   "intdiv",
                                   "log2_ceil_shape",
                                   "log2_floor_shape",
                                   "logical_and",
                                   "logical_left_shift",
                                   "logical_not",
                                   "logical_or",
                                   "logical_right_shift",
                                   "logical_xor",
                                   "max_shape",
                                   "min_shape",
                                   "mod_shape",
                                   "mul_shape",
                                   "reduce_all",
                                   "reduce_any",
                                   "slice_shape",
                                   "sub_shape",
                                   "variable"});
}
