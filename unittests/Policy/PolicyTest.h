//===- PolicyTest.h - programs for tests of policies ------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_UNITTESTS_POLICY_POLICYTEST_H
#define AMP_UNITTESTS_POLICY_POLICYTEST_H

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Dialect/AMP/IR/AMPPolicyOps.h"
#include "amp/Interfaces/Models.h"
#include "amp/Policy/OpNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

namespace mlir::amp {

/// Parses programs, and finds their ops by name.
class PolicyTest : public testing::Test {
protected:
  PolicyTest() {
    DialectRegistry registry;
    registry.insert<AMPDialect, arith::ArithDialect, func::FuncDialect,
                    linalg::LinalgDialect, math::MathDialect,
                    tensor::TensorDialect, tosa::TosaDialect>();
    registerAllModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.allowUnregisteredDialects();
  }

  /// Parses a program that lives as long as the test.
  ModuleOp parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text.str();
    return *module;
  }

  /// The first op that is named `name` (see getInstanceName), or, where none
  /// is, that is such an op.
  Operation *find(StringRef name) {
    Operation *found = nullptr;
    module->walk([&](Operation *op) {
      if (!found && getInstanceName(op) == name)
        found = op;
    });
    if (!found)
      module->walk([&](Operation *op) {
        if (!found && op->getName().getStringRef() == name)
          found = op;
      });
    EXPECT_NE(found, nullptr) << name.str();
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::amp

#endif // AMP_UNITTESTS_POLICY_POLICYTEST_H
