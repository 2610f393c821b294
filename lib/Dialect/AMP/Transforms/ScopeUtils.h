//===- ScopeUtils.h - building and asking scopes ----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_DIALECT_AMP_TRANSFORMS_SCOPEUTILS_H
#define LIB_DIALECT_AMP_TRANSFORMS_SCOPEUTILS_H

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::amp {

/// What a scope turns autocast to, for one device.
struct ScopeSpec {
  StringRef device;
  Type dtype;
  bool disabled = false;
  /// An i1 that says at run time whether the scope is on; may be null.
  Value flag;
  SymbolRefAttr policy;
  ResultsMode results = ResultsMode::propagate;
};

/// A scope with an empty body and results of `types`, at the builder's
/// insertion point. The body has no arguments yet: see isolate.
AutocastOp createScope(OpBuilder &builder, Location loc, TypeRange types,
                       const ScopeSpec &spec);

/// Makes captures of the values from outside that the body of `scope` uses;
/// constants are copied into it.
void isolate(AutocastOp scope);

/// Puts the body of `function`, one block, into a scope, and returns it; only
/// what comes after the op `after`, if that is given.
AutocastOp wrapBody(FunctionOpInterface function, const ScopeSpec &spec,
                    Operation *after = nullptr);

/// Turns the branches between the blocks of `region` into structured control
/// flow, by upstream's lifting, so that one block is left. Emits an error at
/// `owner` if that is impossible.
LogicalResult liftToOneBlock(Region &region, Operation *owner);

/// The value outside of all scopes that `value` is a capture of, or `value`.
Value seeThroughCaptures(Value value);

/// The innermost scope around `op` for `device`; null if there is none.
AutocastOp getScopeOfDevice(Operation *op, StringRef device);

/// Replaces amp.is_enabled under `root` by a constant where a scope around it
/// decides. With `entryIsOff` also where none does: as false.
void foldQueries(Operation *root, bool entryIsOff);

/// What became of the functions that calls in scopes lead to.
struct SpecializedFunctions {
  int64_t numCreated = 0;
  int64_t numInPlace = 0;
};

/// Does what amp-specialize-scopes does; `indirectCalls` is its option. Nothing
/// changes where it has run already.
FailureOr<SpecializedFunctions> specializeScopes(ModuleOp module,
                                                 StringRef indirectCalls);

} // namespace mlir::amp

#endif // LIB_DIALECT_AMP_TRANSFORMS_SCOPEUTILS_H
