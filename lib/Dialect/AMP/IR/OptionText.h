//===- OptionText.h - text of an op's options -------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of an op's options: `{` (name (`=` value)? (`,` ...)*)? `}`, the
// op's own by their bare names, discardable attributes by theirs.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_IR_OPTIONTEXT_H
#define AMP_LIB_DIALECT_AMP_IR_OPTIONTEXT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

namespace mlir::amp {

/// Parses `= case`, the value of the option `name`, as one of the cases of an
/// enum, which `cases` lists for the error.
template <typename Enum>
ParseResult parseEnumOption(OpAsmParser &parser, StringRef name,
                            std::optional<Enum> (*symbolize)(StringRef),
                            StringRef cases, Enum &value) {
  StringRef text;
  if (parser.parseEqual())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&text))
    return failure();
  std::optional<Enum> symbol = symbolize(text);
  if (!symbol)
    return parser.emitError(loc) << "expected '" << name << "' to be one of "
                                 << cases << ", but found '" << text << "'";
  value = *symbol;
  return success();
}

/// Parses the options of an op, if there are any. `parseOwn` parses the value
/// of an option of the op's own, or returns nothing for a name that is none;
/// `ownNames` lists those for the error. Attributes go into `state`.
inline ParseResult
parseOptions(OpAsmParser &parser, OperationState &state, StringRef ownNames,
             function_ref<OptionalParseResult(StringRef)> parseOwn) {
  auto parseOption = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    std::string name;
    if (parser.parseKeywordOrString(&name))
      return failure();
    if (OptionalParseResult own = parseOwn(name); own.has_value())
      return *own;
    if (!StringRef(name).contains('.'))
      return parser.emitError(loc)
             << "expected one of " << ownNames
             << " or an attribute of a dialect, but found '" << name << "'";
    Attribute value = parser.getBuilder().getUnitAttr();
    if (succeeded(parser.parseOptionalEqual()) && parser.parseAttribute(value))
      return failure();
    state.addAttribute(name, value);
    return success();
  };
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::OptionalBraces,
                                        parseOption);
}

/// Prints what parseOptions parses.
class OptionPrinter {
public:
  explicit OptionPrinter(OpAsmPrinter &printer) : printer(printer) {}

  void print(StringRef name) {
    printer << (isOpen ? ", " : " {");
    isOpen = true;
    printer.printKeywordOrString(name);
  }
  template <typename Value>
  void print(StringRef name, Value value) {
    print(name);
    printer << " = " << value;
  }
  /// Prints the discardable attributes of `op`, and the end.
  void finish(Operation *op) {
    for (NamedAttribute attribute : op->getDiscardableAttrs()) {
      if (isa<UnitAttr>(attribute.getValue()))
        print(attribute.getName());
      else
        print(attribute.getName(), attribute.getValue());
    }
    if (isOpen)
      printer << '}';
  }

private:
  OpAsmPrinter &printer;
  bool isOpen = false;
};

} // namespace mlir::amp

#endif // AMP_LIB_DIALECT_AMP_IR_OPTIONTEXT_H
