//===- AMPDialect.td - the amp dialect ---------------------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPDIALECT_TD
#define AMP_DIALECT_AMP_IR_AMPDIALECT_TD

include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// Dialect
//===----------------------------------------------------------------------===//

def AMP_Dialect : Dialect {
  let name = "amp";
  let cppNamespace = "::mlir::amp";
  let summary = "automatic mixed precision";
  let description = [{
    The `amp` dialect says where a program may run in a lower floating-point
    precision, and carries the decision of every op from the moment it is taken
    until the program holds only explicit conversions.

    A scope is an `amp.autocast` region. `amp-decide-precision` gives every op
    inside a decision attribute, `amp-apply-precision` rewrites the ops and
    dissolves the regions, leaving `amp.cast` and `amp.promote`;
    `amp-resolve-promotions` turns promotions into casts, and `amp-to-linalg`
    turns what is left into upstream dialects.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let usePropertiesForAttributes = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let extraClassDeclaration = [{
    /// Name of the discardable attribute that holds an op's DecisionAttr
    /// between amp-decide-precision and amp-apply-precision.
    static constexpr ::llvm::StringLiteral kDecisionAttrName = "amp.decision";
    /// Name of the module attribute (an array of OpReportAttr) in which
    /// amp-apply-precision tells what it did.
    static constexpr ::llvm::StringLiteral kReportAttrName = "amp.report";
    /// Name of the attribute (a PolicyAttr) that gives one op its own policy.
    static constexpr ::llvm::StringLiteral kPolicyAttrName = "amp.policy";
    /// Name of the function argument attribute (a string) that says on which
    /// device an argument lives.
    static constexpr ::llvm::StringLiteral kDeviceAttrName = "amp.device";
    /// Name of the attribute (a string) by which tools bind a function argument
    /// to data, and by which policies know an op.
    static constexpr ::llvm::StringLiteral kNameAttrName = "amp.name";
    /// Name of the function attribute (a ScopeAttr) that makes the whole
    /// function a scope.
    static constexpr ::llvm::StringLiteral kScopeAttrName = "amp.autocast";
    /// Name of the function attribute (an EntryAttr, or an array of them) that
    /// says in which state callers outside of the module call a function.
    static constexpr ::llvm::StringLiteral kEntryAttrName = "amp.entry";
    /// Name of the function attribute (a function type) that holds the decided
    /// signature between amp-decide-precision and amp-apply-precision.
    static constexpr ::llvm::StringLiteral kSignatureAttrName = "amp.signature";
    /// Name of the attribute (a unit) of the branch between the two versions of
    /// a scope; amp-apply-precision merges versions that turn out equal.
    static constexpr ::llvm::StringLiteral kVersionsAttrName = "amp.versions";
    /// Name of the function attribute (a unit) that makes a function a kernel
    /// function.
    static constexpr ::llvm::StringLiteral kKernelAttrName = "amp.kernel";
    /// Name of the attribute (a string) of a kernel function that forces the
    /// schedule of its code.
    static constexpr ::llvm::StringLiteral kScheduleAttrName = "amp.schedule";
    /// Name of the argument attribute (an integer) of a kernel function that
    /// says into which result's destination the argument is.
    static constexpr ::llvm::StringLiteral kDestinationAttrName =
        "amp.destination";
    /// Name of the argument attribute (a unit) that says that an argument
    /// rarely changes: work that needs nothing else is done ahead of time.
    static constexpr ::llvm::StringLiteral kWeightAttrName = "amp.weight";
    /// Name of the function attribute (a dictionary) in which amp-plan-memory
    /// reports where buffers lie.
    static constexpr ::llvm::StringLiteral kMemoryPlanAttrName =
        "amp.memory_plan";
    /// Name of the argument attribute (an integer) that says which result of
    /// the init function `@<function>_init` the caller passes.
    static constexpr ::llvm::StringLiteral kPreparedAttrName = "amp.prepared";

  private:
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // AMP_DIALECT_AMP_IR_AMPDIALECT_TD
