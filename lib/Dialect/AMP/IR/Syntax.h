//===- Syntax.h - syntax that ops of amp share -----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_SYNTAX_H
#define AMP_DIALECT_AMP_IR_SYNTAX_H

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

namespace mlir::amp {

/// Parses `keyword(choice)`, where it is there, into `choice`, which stays as
/// it is otherwise; `expected` lists all choices for the error.
template <typename Choice>
ParseResult parseOptionalChoice(OpAsmParser &parser, StringRef keyword,
                                StringRef expected,
                                std::optional<Choice> &choice) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  StringRef text;
  if (parser.parseLParen())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&text) || parser.parseRParen())
    return failure();
  choice = symbolizeEnum<Choice>(text);
  if (choice)
    return success();
  return parser.emitError(loc)
         << "expected " << expected << ", but found '" << text << "'";
}

/// Parses the visibility, where there is one, and the name of a symbol.
template <typename Properties>
ParseResult parseSymbol(OpAsmParser &parser, Properties &properties) {
  StringRef visibility;
  if (succeeded(parser.parseOptionalKeyword(&visibility,
                                            {"private", "nested", "public"})))
    properties.setSymVisibility(parser.getBuilder().getStringAttr(visibility));
  StringAttr name;
  if (parser.parseSymbolName(name))
    return failure();
  properties.setSymName(name);
  return success();
}

template <typename SymbolOp>
void printSymbol(OpAsmPrinter &printer, SymbolOp op) {
  printer << ' ';
  if (op.getSymVisibilityAttr())
    printer << op.getSymVisibilityAttr().getValue() << ' ';
  printer.printSymbolName(op.getSymName());
}

/// The attributes and the body of a symbol that holds ops, without a
/// terminator.
ParseResult parseSymbolBody(OpAsmParser &parser, OperationState &state);
void printSymbolBody(OpAsmPrinter &printer, Operation *op);

} // namespace mlir::amp

#endif // AMP_DIALECT_AMP_IR_SYNTAX_H
