//===- AMPDialect.cpp - the amp dialect -----------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Dialect/AMP/IR/AMPAttentionOps.h"
#include "amp/Dialect/AMP/IR/AMPObserveOps.h"
#include "amp/Dialect/AMP/IR/AMPOverloadOps.h"
#include "amp/Dialect/AMP/IR/AMPPolicyOps.h"
#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Dialect/AMP/IR/HostAttributes.h"
#include "amp/Dialect/AMP/IR/RangeAttribute.h"
#include "amp/Dialect/AMP/IR/TensorMaps.h"

#include "KernelFunction.h"
#include "ReportAttributes.h"
#include "amp/Formats/Formats.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::amp;

/// `(` type, ... `)`: the element types of an op's operands or results.
static ParseResult parseElementTypes(AsmParser &parser,
                                     SmallVector<Type> &types) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
    return parser.parseType(types.emplace_back());
  });
}

static void printElementTypes(AsmPrinter &printer, ArrayRef<Type> types) {
  printer << '(';
  llvm::interleaveComma(types, printer);
  printer << ')';
}

/// `@set` (`at` `loc(...)`)?
static ParseResult parseDecisionSource(AsmParser &parser,
                                       FlatSymbolRefAttr &set,
                                       LocationAttr &entry) {
  if (parser.parseAttribute(set))
    return failure();
  if (failed(parser.parseOptionalKeyword("at")))
    return success();
  return parser.parseAttribute(entry);
}

static void printDecisionSource(AsmPrinter &printer, FlatSymbolRefAttr set,
                                LocationAttr entry) {
  printer << set;
  if (entry)
    printer << " at " << entry;
}

#include "amp/Dialect/AMP/IR/AMPDialect.cpp.inc"
#include "amp/Dialect/AMP/IR/AMPEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "amp/Dialect/AMP/IR/AMPAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "amp/Dialect/AMP/IR/AMPTypes.cpp.inc"

//===----------------------------------------------------------------------===//
// Inliner
//===----------------------------------------------------------------------===//

namespace {
struct AMPInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  // The form that takes a call is asked of the dialect of the call, so it says
  // nothing here: `no_inline` keeps a function with a scope attribute whole.
  using DialectInlinerInterface::isLegalToInline;

  /// A call in a scope gives the callee the state of the caller, exactly as
  /// inlining does.
  bool isLegalToInline(Region *dest, Region *src, bool wouldBeCloned,
                       IRMapping &valueMapping) const final {
    return !isa_and_present<OutDtypeOp>(dest->getParentOp());
  }

  /// An open scope would end elsewhere.
  bool isLegalToInline(Operation *op, Region *dest, bool wouldBeCloned,
                       IRMapping &valueMapping) const final {
    return !isa<EnterOp, ExitOp, IsEnabledOp>(op);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// AMPDialect
//===----------------------------------------------------------------------===//

void AMPDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "amp/Dialect/AMP/IR/AMPOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "amp/Dialect/AMP/IR/AMPPolicyOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "amp/Dialect/AMP/IR/AMPAttentionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "amp/Dialect/AMP/IR/AMPObserveOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "amp/Dialect/AMP/IR/AMPOverloadOps.cpp.inc"
      >();
  registerAttributes();
  registerTypes();
  addInterfaces<AMPInlinerInterface>();
}

void AMPDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "amp/Dialect/AMP/IR/AMPAttributes.cpp.inc"
      >();
}

void AMPDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "amp/Dialect/AMP/IR/AMPTypes.cpp.inc"
      >();
}

Operation *AMPDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

LogicalResult AMPDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  StringRef name = attribute.getName().strref();
  if (name == kDecisionAttrName) {
    auto decision = dyn_cast<DecisionAttr>(attribute.getValue());
    if (!decision)
      return op->emitOpError()
             << "attribute '" << name << "' must be a #amp.decision, but found "
             << attribute.getValue();
    if (decision.getFrom().size() != op->getNumOperands())
      return op->emitOpError() << "decision names " << decision.getFrom().size()
                               << " operand types, but the op has "
                               << op->getNumOperands() << " operands";
    if (decision.getResults().size() != op->getNumResults())
      return op->emitOpError()
             << "decision names " << decision.getResults().size()
             << " result types, but the op has " << op->getNumResults()
             << " results";
    return success();
  }
  if (name == kPolicyAttrName) {
    if (isa<PolicyAttr>(attribute.getValue()))
      return success();
    return op->emitOpError()
           << "attribute '" << name
           << "' must be a policy, such as #amp.policy<fp32>, "
              "but found "
           << attribute.getValue();
  }
  if (name == kNameAttrName) {
    auto value = dyn_cast<StringAttr>(attribute.getValue());
    if (value && !value.empty())
      return success();
    return op->emitOpError() << "attribute '" << name
                             << "' must be a non-empty string, but found "
                             << attribute.getValue();
  }
  if (name == kScopeAttrName) {
    if (!isa<ScopeAttr>(attribute.getValue()))
      return op->emitOpError()
             << "attribute '" << name << "' must be a #amp.scope, but found "
             << attribute.getValue();
    if (!isa<FunctionOpInterface>(op))
      return op->emitOpError()
             << "attribute '" << name << "' is for functions only";
    if (!op->hasAttr("no_inline"))
      return op->emitOpError()
             << "attribute '" << name
             << "' needs 'no_inline' beside it, or inlining loses the scope";
    return success();
  }
  if (name == kEntryAttrName) {
    SmallVector<Attribute> entries{attribute.getValue()};
    if (auto array = dyn_cast<ArrayAttr>(attribute.getValue()))
      entries.assign(array.begin(), array.end());
    llvm::SmallDenseSet<StringRef, 2> devices;
    for (Attribute value : entries) {
      auto entry = dyn_cast<EntryAttr>(value);
      if (!entry)
        return op->emitOpError()
               << "attribute '" << name
               << "' must be a #amp.entry, or an array of them, but found "
               << value;
      if (!devices.insert(entry.getDevice()).second)
        return op->emitOpError()
               << "attribute '" << name << "' has two entry states for device "
               << '"' << entry.getDevice() << '"';
    }
    if (!isa<FunctionOpInterface>(op))
      return op->emitOpError()
             << "attribute '" << name << "' is for functions only";
    return success();
  }
  if (name == kSignatureAttrName) {
    auto signature = dyn_cast<TypeAttr>(attribute.getValue());
    if (!isa<FunctionOpInterface>(op) || !signature ||
        !isa<FunctionType>(signature.getValue()))
      return op->emitOpError() << "attribute '" << name
                               << "' is a function type for functions only";
    return success();
  }
  if (name == kVersionsAttrName) {
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError() << "attribute '" << name
                               << "' must be a unit attribute, but found "
                               << attribute.getValue();
    return success();
  }
  if (name == kKernelAttrName) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function || !isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError() << "attribute '" << name
                               << "' is a unit attribute for functions only";
    return verifyKernelFunction(function);
  }
  if (name == kScheduleAttrName) {
    if (!isa<StringAttr>(attribute.getValue()))
      return op->emitOpError()
             << "attribute '" << name << "' must be a string, but found "
             << attribute.getValue();
    // On an op it is for the kernel that will hold the op.
    if (isa<FunctionOpInterface>(op) && !op->hasAttr(kKernelAttrName))
      return op->emitOpError() << "attribute '" << name << "' needs '"
                               << kKernelAttrName << "' beside it";
    return success();
  }
  if (name == kDependentAttrName) {
    if (!isa<UnitAttr>(attribute.getValue()) ||
        op->getName().getStringRef() != "gpu.launch_func")
      return op->emitOpError()
             << "attribute '" << name
             << "' is a unit attribute for 'gpu.launch_func' only";
    return success();
  }
  if (name == kPersistentAttrName) {
    auto blocks = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!blocks || !blocks.getType().isInteger(64) || blocks.getInt() < 1 ||
        blocks.getInt() > 255 ||
        op->getName().getStringRef() != "gpu.launch_func")
      return op->emitOpError()
             << "attribute '" << name
             << "' is an i64 from 1 to 255 for 'gpu.launch_func' only";
    return success();
  }
  if (name == kTensorMapsAttrName) {
    auto maps = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!maps || op->getName().getStringRef() != "gpu.launch_func")
      return op->emitOpError()
             << "attribute '" << name
             << "' is an array of dictionaries for 'gpu.launch_func' only";
    llvm::SmallDenseSet<int64_t> operands;
    for (Attribute map : maps) {
      FailureOr<TensorMapSpec> spec = TensorMapSpec::get(map, [&] {
        return op->emitOpError() << "attribute '" << name << "' ";
      });
      if (failed(spec))
        return failure();
      if (!operands.insert(spec->operand).second)
        return op->emitOpError()
               << "attribute '" << name << "' describes operand "
               << spec->operand << " twice";
    }
    return success();
  }
  // Of copies of functions: what they are copies of, and of which kind.
  if (name == "amp.profiled_as" || name == "amp.ranges_copy") {
    if (!isa<FunctionOpInterface>(op) || !isa<StringAttr>(attribute.getValue()))
      return op->emitOpError()
             << "attribute '" << name << "' is a string for functions only";
    return success();
  }
  if (name == kMemoryPlanAttrName) {
    if (!isa<FunctionOpInterface>(op) ||
        !isa<DictionaryAttr>(attribute.getValue()))
      return op->emitOpError()
             << "attribute '" << name << "' is a dictionary for functions only";
    return success();
  }
  if (name == kReportAttrName)
    return verifyReport(op, attribute.getValue());
  if (name == kRangeAttrName)
    return verifyRange(op, attribute.getValue());
  if (name == kReportRangesAttrName)
    return verifyReportRanges(op, attribute.getValue());
  return op->emitOpError() << "has no attribute '" << name
                           << "' in dialect 'amp'; expected '"
                           << kDecisionAttrName << "', '" << kPolicyAttrName
                           << "', '" << kNameAttrName << "', '"
                           << kScopeAttrName << "', '" << kKernelAttrName
                           << "' or '" << kScheduleAttrName << "'";
}

LogicalResult AMPDialect::verifyRegionArgAttribute(Operation *op,
                                                   unsigned regionIndex,
                                                   unsigned argIndex,
                                                   NamedAttribute attribute) {
  StringRef name = attribute.getName().strref();
  if (name == kWeightAttrName) {
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError()
             << "attribute '" << name << "' of argument " << argIndex
             << " must be a unit attribute, but found " << attribute.getValue();
    return success();
  }
  if (name == kPreparedAttrName) {
    auto result = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!result || result.getValue().isNegative())
      return op->emitOpError()
             << "attribute '" << name << "' of argument " << argIndex
             << " must be the number of a result of the init function, but "
                "found "
             << attribute.getValue();
    return success();
  }
  if (name == kDestinationAttrName) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    auto result = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!function || !result || result.getValue().isNegative() ||
        result.getInt() >= static_cast<int64_t>(function.getNumResults()))
      return op->emitOpError()
             << "attribute '" << name << "' of argument " << argIndex
             << " must be the number of a result, but found "
             << attribute.getValue();
    return success();
  }
  if (name == kTensorMapAttrName) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function || op->getName().getStringRef() != "gpu.func" ||
        !isa<UnitAttr>(attribute.getValue()) ||
        !isa<MemRefType>(function.getArgumentTypes()[argIndex]))
      return op->emitOpError()
             << "attribute '" << name << "' of argument " << argIndex
             << " is a unit attribute for memrefs of a 'gpu.func'";
    return success();
  }
  if (name != kDeviceAttrName && name != kNameAttrName)
    return op->emitOpError()
           << "argument " << argIndex << " has attribute '" << name
           << "', but dialect 'amp' knows only '" << kDeviceAttrName << "', '"
           << kNameAttrName << "', '" << kWeightAttrName << "', '"
           << kPreparedAttrName << "' and '" << kDestinationAttrName << "'";
  auto value = dyn_cast<StringAttr>(attribute.getValue());
  if (!value || value.empty())
    return op->emitOpError()
           << "attribute '" << name << "' of argument " << argIndex
           << " must be a non-empty string, but found " << attribute.getValue();
  return success();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

LogicalResult DecisionAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Policy policy, ArrayRef<Type> from,
                                   ArrayRef<Type> to, ArrayRef<Type> results,
                                   Type compute, Reason reason,
                                   FlatSymbolRefAttr set, LocationAttr entry) {
  if (entry && !set)
    return emitError() << "an entry without the policy set that holds it";
  if (from.size() != to.size())
    return emitError() << "'from' and 'to' must name the same number of "
                          "operands, but found "
                       << from.size() << " and " << to.size();
  for (Type type : llvm::concat<const Type>(from, to, results))
    if (!isa<FloatType, NoneType>(type))
      return emitError() << "expected float element types or none, but found "
                         << type;
  for (auto [source, target] : llvm::zip_equal(from, to))
    if (isa<NoneType>(source) != isa<NoneType>(target))
      return emitError() << "an operand with 'from' " << source
                         << " cannot have 'to' " << target;
  return success();
}

LogicalResult ScopeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                StringRef device, Type dtype, bool enabled) {
  if (device.empty())
    return emitError() << "expected a device, such as \"cuda\"";
  if (enabled && !isa<Float16Type, BFloat16Type>(dtype))
    return emitError() << "expected dtype f16 or bf16, but found " << dtype;
  return success();
}

LogicalResult EntryAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                StringRef device, Type dtype, EntryState state,
                                FlatSymbolRefAttr query) {
  if (device.empty())
    return emitError() << "expected a device, such as \"cuda\"";
  if (state != EntryState::off && !isa<Float16Type, BFloat16Type>(dtype))
    return emitError() << "expected dtype f16 or bf16, but found " << dtype;
  if (query && state != EntryState::unknown)
    return emitError() << "'query' is for the state unknown, but the state is "
                       << stringifyEntryState(state);
  return success();
}

bool mlir::amp::isAMPElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() >= 1 && integer.getWidth() <= 64;
  return isStorageFloat(type);
}

bool mlir::amp::isAMPComplexType(Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return complex &&
         isa<Float16Type, Float32Type, Float64Type>(complex.getElementType());
}

LogicalResult mlir::amp::rejectUnappliedScopes(Operation *root,
                                               StringRef pass) {
  auto refuse = [&](Operation *op, StringRef what) {
    emitError(op, DiagnosticId::S011)
        << "'" << op->getName() << "' op " << what << pass
        << " does not lower: turn it into an amp.autocast "
           "region, and run amp-decide-precision and "
           "amp-apply-precision first";
    return WalkResult::interrupt();
  };
  WalkResult result = root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->hasAttr(AMPDialect::kScopeAttrName))
      return refuse(op, "carries 'amp.autocast', an import form that ");
    if (op->hasAttr(AMPDialect::kEntryAttrName))
      return refuse(op, "carries 'amp.entry', an import form that ");
    if (isa<ConfigOp, EnterOp, ExitOp, IsEnabledOp>(op))
      return refuse(op, "is an import form, which ");
    if (isa<AutocastOp>(op)) {
      emitError(op, DiagnosticId::S012)
          << "'" << op->getName() << "' op is a scope, which " << pass
          << " does not lower: run amp-decide-precision and "
             "amp-apply-precision first";
      return WalkResult::interrupt();
    }
    if (op->hasAttr(AMPDialect::kDecisionAttrName)) {
      emitError(op, DiagnosticId::S012)
          << "'" << op->getName()
          << "' op carries a decision that was not applied: run "
             "amp-apply-precision before "
          << pass;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
