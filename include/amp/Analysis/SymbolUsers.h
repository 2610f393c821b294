//===- SymbolUsers.h - the ops that use a symbol ----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ANALYSIS_SYMBOLUSERS_H
#define AMP_ANALYSIS_SYMBOLUSERS_H

#include "mlir/IR/SymbolTable.h"

namespace mlir::amp {

/// The ops under `root` that name a symbol in any attribute, in the order of a
/// walk. Upstream's SymbolUserMap does the same, but needs every op with a
/// region to be registered, which those that front ends bring are not.
class SymbolUsers {
public:
  /// Calls `visit`, if it is given, for each op on the way.
  SymbolUsers(SymbolTableCollection &symbols, Operation *root,
              function_ref<void(Operation *)> visit = {});

  ArrayRef<Operation *> getUsers(Operation *symbol) const;

private:
  DenseMap<Operation *, SmallVector<Operation *>> users;
};

} // namespace mlir::amp

#endif // AMP_ANALYSIS_SYMBOLUSERS_H
