//===- ReportRecorder.h - notes what is done to each op ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_TRANSFORMS_REPORTRECORDER_H
#define AMP_LIB_DIALECT_AMP_TRANSFORMS_REPORTRECORDER_H

#include "amp/Dialect/AMP/IR/AMP.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::amp {

/// Collects an OpReportAttr, and the range if one is known, for each op while
/// ops are rewritten. Ops are opened in program order; what stands in the
/// regions of an op is opened and closed before it is closed.
class ReportRecorder {
public:
  /// The type that a value had in the program.
  using DeclaredTypeFn = llvm::function_ref<Type(Value)>;

  /// Without `isEnabled` nothing is noted, and nothing costs time.
  explicit ReportRecorder(bool isEnabled) : isEnabled(isEnabled) {}

  /// Casts belong to `op` until close, which must follow. `decision` may be
  /// null: then nothing is noted about the op, unless it is a scope. The op may
  /// be gone when it is closed.
  void open(Operation *op, DecisionAttr decision, DeclaredTypeFn declared);
  void close();

  /// Notes that a value of type `from` is converted to `to` for the open op.
  void addCast(Type from, Type to);

  /// Leaves what was noted as the attribute `amp.report` of `module`, and
  /// `amp.report_ranges` if there is any range; nothing happens where there is
  /// nothing to report.
  void attach(ModuleOp module) const;

private:
  struct Entry {
    StringAttr op;
    StringAttr function;
    StringAttr name;
    LocationAttr location;
    FunctionType types;
    DecisionAttr decision;
    SmallVector<Type, 2> casts;
    /// Null where no range is known.
    DictionaryAttr range;
  };

  bool isEnabled;
  std::vector<Entry> entries;
  /// Positions in `entries` of the open ops, outermost first; nothing for an op
  /// that is not noted.
  SmallVector<std::optional<size_t>> openEntries;
};

} // namespace mlir::amp

#endif // AMP_LIB_DIALECT_AMP_TRANSFORMS_REPORTRECORDER_H
