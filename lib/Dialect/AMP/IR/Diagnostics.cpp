//===- Diagnostics.cpp - diagnostics with a stable id ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/AMP/IR/Diagnostics.h"

#include "mlir/IR/Location.h"

using namespace mlir;
using namespace mlir::amp;

StringRef mlir::amp::getDiagnosticCode(DiagnosticId id) {
  switch (id) {
#define AMP_DIAGNOSTIC(ID, TITLE)                                              \
  case DiagnosticId::ID:                                                       \
    return "AMP-" #ID;
#include "amp/Dialect/AMP/IR/Diagnostics.def"
  }
  llvm_unreachable("unknown diagnostic");
}

/// The Python line that `loc` names, the innermost of a chain of calls; null if
/// there is none.
static LocationAttr findPythonLine(Location loc) {
  if (auto range = dyn_cast<FileLineColRange>(loc))
    return range.getFilename().getValue().ends_with(".py") ? LocationAttr(loc)
                                                           : LocationAttr();
  if (auto name = dyn_cast<NameLoc>(loc))
    return findPythonLine(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    if (LocationAttr callee = findPythonLine(call.getCallee()))
      return callee;
    return findPythonLine(call.getCaller());
  }
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (LocationAttr line = findPythonLine(part))
        return line;
  if (auto opaque = dyn_cast<OpaqueLoc>(loc))
    return findPythonLine(opaque.getFallbackLocation());
  return {};
}

/// The outermost call site in `loc`; null if it is none.
static CallSiteLoc findCallSite(Location loc) {
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return call;
  if (auto name = dyn_cast<NameLoc>(loc))
    return findCallSite(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (CallSiteLoc call = findCallSite(part))
        return call;
  return {};
}

Location mlir::amp::getSourceLocation(Location loc) {
  LocationAttr line = findPythonLine(loc);
  return line ? Location(line) : loc;
}

std::string mlir::amp::getDiagnosticPrefix(DiagnosticId id) {
  return ("[" + getDiagnosticCode(id) + "] ").str();
}

static InFlightDiagnostic emit(Location loc, DiagnosticId id,
                               DiagnosticSeverity severity) {
  Location source = getSourceLocation(loc);
  InFlightDiagnostic diag = severity == DiagnosticSeverity::Error
                                ? mlir::emitError(source)
                                : mlir::emitWarning(source);
  diag << getDiagnosticPrefix(id);
  // A location that stays as it is shows its calls by itself.
  if (source == loc)
    return diag;
  for (CallSiteLoc call = findCallSite(loc); call;
       call = findCallSite(call.getCaller()))
    if (LocationAttr line = findPythonLine(call.getCaller()))
      if (line != LocationAttr(source))
        diag.attachNote(Location(line)) << "called from here";
  return diag;
}

InFlightDiagnostic mlir::amp::emitError(Location loc, DiagnosticId id) {
  return emit(loc, id, DiagnosticSeverity::Error);
}

InFlightDiagnostic mlir::amp::emitError(Operation *op, DiagnosticId id) {
  return emit(op->getLoc(), id, DiagnosticSeverity::Error);
}

InFlightDiagnostic mlir::amp::emitWarning(Operation *op, DiagnosticId id) {
  return emit(op->getLoc(), id, DiagnosticSeverity::Warning);
}

InFlightDiagnostic mlir::amp::emitWarning(Location loc, DiagnosticId id) {
  return emit(loc, id, DiagnosticSeverity::Warning);
}

Diagnostic &mlir::amp::attachNote(InFlightDiagnostic &diag, Operation *op) {
  return diag.attachNote(getSourceLocation(op->getLoc()));
}
