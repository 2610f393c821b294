//===- Diagnostics.h - diagnostics with a stable id -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_DIAGNOSTICS_H
#define AMP_DIALECT_AMP_IR_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace mlir::amp {

/// The ids of amp's errors and warnings: S001 prints as [AMP-S001].
enum class DiagnosticId {
#define AMP_DIAGNOSTIC(ID, TITLE) ID,
#include "amp/Dialect/AMP/IR/Diagnostics.def"
};

/// The code that a diagnostic prints, such as "AMP-S001".
StringRef getDiagnosticCode(DiagnosticId id);

/// Where a diagnostic about `loc` points: the innermost line of a Python file
/// that `loc` names, through names, call sites and fused locations; `loc`
/// itself if there is none.
Location getSourceLocation(Location loc);

/// Emits an error that starts with the code of `id`, at the source location of
/// `op`, with a note for each Python line that the op was inlined through.
/// Causes go to more notes; the last one says how to mend it.
InFlightDiagnostic emitError(Operation *op, DiagnosticId id);
InFlightDiagnostic emitError(Location loc, DiagnosticId id);

/// The same as a warning.
InFlightDiagnostic emitWarning(Operation *op, DiagnosticId id);
InFlightDiagnostic emitWarning(Location loc, DiagnosticId id);

/// What a diagnostic begins with that does not come from these, such as one of
/// a parser: "[AMP-P001] ".
std::string getDiagnosticPrefix(DiagnosticId id);

/// Adds a note at the source location of `op`.
Diagnostic &attachNote(InFlightDiagnostic &diag, Operation *op);

} // namespace mlir::amp

#endif // AMP_DIALECT_AMP_IR_DIAGNOSTICS_H
