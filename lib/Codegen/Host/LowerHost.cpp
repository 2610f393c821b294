//===- LowerHost.cpp - host functions to calls of the CUDA runtime --------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceOps.h"

#include "amp/Codegen/Common/Signedness.h"
#include "amp/Codegen/Host/Passes.h"
#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCUDALOWERHOSTPASS
#include "amp/Codegen/Host/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::host;

/// Name of the argument attribute by which amp-split-init marks what `init`
/// prepares.
static constexpr StringLiteral kPreparedAttrName = "amp.prepared";

namespace {
/// The lowering of the host functions of one module.
class HostLowering {
public:
  explicit HostLowering(ModuleOp module) : module(module), lowering(module) {}

  LogicalResult run(StringRef name, StringRef target);
  const ModelDesc &getModel() const { return lowering.model; }
  void emit() { emitModelDescription(module, lowering.model); }
  void eraseTaken() { lowering.eraseTaken(); }

private:
  /// Notes the public functions, what prepares them, and how they look.
  LogicalResult findEntries();
  static FailureOr<EntryDesc> describe(func::FuncOp function);
  static FailureOr<ValueDesc> describe(func::FuncOp function, Type type,
                                       StringRef kind, unsigned index);
  LogicalResult lowerFunctions();
  /// Whether `function` and all that it calls can run as a graph.
  bool isCapturable(func::FuncOp function);
  static int64_t getWorkspace(const FunctionLowering &function);
  /// A function of the LLVM dialect that calls `function`: only the address of
  /// such can stand in a constant before func.func ops are lowered.
  std::string createAddressable(func::FuncOp function);

  ModuleOp module;
  ModuleLowering lowering;
  SmallVector<std::unique_ptr<FunctionLowering>> functions;
  DenseMap<Operation *, FunctionLowering *> byFunction;
  /// The entries, and the functions that prepare them.
  llvm::MapVector<Operation *, EntryDesc> entries;
  llvm::SetVector<Operation *> inits;
};

struct CudaLowerHost
    : public amp::impl::AmpCudaLowerHostPassBase<CudaLowerHost> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    HostLowering lowering(module);
    if (failed(lowering.run(!modelName.empty()
                                ? StringRef(modelName)
                                : module.getSymName().value_or("main"),
                            target)))
      return signalPassFailure();
    if (describeModel)
      lowering.emit();
    lowering.eraseTaken();
    numKernels += lowering.getModel().kernels.size();
    numEntries += lowering.getModel().entries.size();
  }
};
} // namespace

LogicalResult HostLowering::run(StringRef name, StringRef target) {
  lowering.model.name = name.str();
  if (failed(lowering.collectImages(target)) || failed(findEntries()))
    return failure();
  return lowerFunctions();
}

FailureOr<ValueDesc> HostLowering::describe(func::FuncOp function, Type type,
                                            StringRef kind, unsigned index) {
  ValueDesc value;
  auto memref = dyn_cast<MemRefType>(type);
  if (isa<TensorType>(type))
    return function.emitOpError("has ")
           << kind << " " << index << " of type " << type
           << "; expected a buffer: run amp-bufferize-host first";
  if (memref && !memref.getLayout().isIdentity())
    return function.emitOpError("has ")
           << kind << " " << index << " of type " << type
           << "; expected a row-major buffer without gaps";
  Type element = memref ? memref.getElementType() : type;
  auto isUnsigned = function->getAttrOfType<DenseI64ArrayAttr>(
      kind == "argument" ? kUnsignedArgumentsAttrName
                         : kUnsignedResultsAttrName);
  if (isUnsigned && llvm::is_contained(isUnsigned.asArrayRef(), index))
    element =
        IntegerType::get(element.getContext(), element.getIntOrFloatBitWidth(),
                         IntegerType::Unsigned);
  std::optional<int32_t> dtype = getDtype(element);
  if (!dtype)
    return function.emitOpError("has ")
           << kind << " " << index << " of type " << type
           << ", which callers cannot pass; expected a buffer or number of "
              "integers of 1, 8, 16, 32 or 64 bits, or floats";
  value.dtype = *dtype;
  value.name = ((kind == "argument" ? "arg" : kind) + Twine(index)).str();
  if (memref)
    value.shape.emplace(memref.getShape());
  return value;
}

FailureOr<EntryDesc> HostLowering::describe(func::FuncOp function) {
  EntryDesc entry;
  entry.name = entry.function = function.getName().str();
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    FailureOr<ValueDesc> value = describe(function, type, "argument", i);
    if (failed(value))
      return failure();
    bool isPrepared = function.getArgAttr(i, kPreparedAttrName) != nullptr;
    if (!isPrepared && !entry.prepared.empty())
      return function.emitOpError("expected arguments marked '")
             << kPreparedAttrName << "' behind all others";
    value->isWeight =
        function.getArgAttr(i, AMPDialect::kWeightAttrName) != nullptr;
    if (auto name =
            function.getArgAttrOfType<StringAttr>(i, AMPDialect::kNameAttrName))
      value->name = name.str();
    if (value->isWeight)
      entry.initArguments.push_back(static_cast<int32_t>(i));
    (isPrepared ? entry.prepared : entry.arguments).push_back(*value);
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    FailureOr<ValueDesc> value = describe(function, type, "result", i);
    if (failed(value))
      return failure();
    if (auto name = function.getResultAttrOfType<StringAttr>(
            i, AMPDialect::kNameAttrName))
      value->name = name.str();
    entry.results.push_back(*value);
  }
  return entry;
}

LogicalResult HostLowering::findEntries() {
  SymbolTableCollection tables;
  SymbolTable &symbols = tables.getSymbolTable(module);
  SymbolUserMap users(tables, module);
  SmallVector<func::FuncOp> publics;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal()) {
      if (!users.useEmpty(function))
        return function.emitOpError(
            "is a function without a body, which a compiled model cannot call");
      continue;
    }
    if (function.isPublic())
      publics.push_back(function);
  }
  for (func::FuncOp function : publics) {
    FailureOr<EntryDesc> entry = describe(function);
    if (failed(entry))
      return failure();
    if (entry->prepared.empty()) {
      entry->initArguments.clear();
    } else {
      entry->init = entry->name + "_init";
      auto init = symbols.lookup<func::FuncOp>(entry->init);
      if (!init || init.isExternal() ||
          init.getNumArguments() != entry->initArguments.size() ||
          init.getNumResults() != entry->prepared.size())
        return function.emitOpError("has ")
               << entry->prepared.size() << " prepared arguments and "
               << entry->initArguments.size()
               << " weights; expected a function '" << entry->init
               << "' that takes these and returns those";
      inits.insert(init);
    }
    entries.insert({function, std::move(*entry)});
  }
  entries.remove_if([&](auto &entry) { return inits.contains(entry.first); });
  // What the module itself calls stays a function: the entry is a copy, of
  // whose calls the same holds.
  SmallVector<std::pair<func::FuncOp, StringAttr>> copies;
  for (func::FuncOp function : publics) {
    if (users.useEmpty(function))
      continue;
    auto copy = cast<func::FuncOp>(function->clone());
    copy.setPrivate();
    copies.emplace_back(function, symbols.insert(copy));
  }
  if (copies.empty())
    return success();
  SymbolUserMap allUsers(tables, module);
  for (auto [function, name] : copies)
    allUsers.replaceAllUsesWith(function, name);
  return success();
}

bool HostLowering::isCapturable(func::FuncOp function) {
  SmallVector<func::FuncOp> worklist = {function};
  DenseSet<Operation *> seen = {function};
  while (!worklist.empty()) {
    func::FuncOp next = worklist.pop_back_val();
    if (byFunction.lookup(next)->needsHost())
      return false;
    next.walk([&](func::CallOp call) {
      auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
      if (seen.insert(callee).second)
        worklist.push_back(callee);
    });
  }
  return true;
}

int64_t HostLowering::getWorkspace(const FunctionLowering &function) {
  bool hasCalls = false;
  function.getFunction()->walk([&](func::CallOp) { hasCalls = true; });
  if (hasCalls)
    return -1;
  if (function.getNumAllocations() == 0)
    return 0;
  auto plan = function.getFunction()->getAttrOfType<DictionaryAttr>(
      AMPDialect::kMemoryPlanAttrName);
  if (!plan || function.getNumAllocations() != 1)
    return -1;
  auto slots = plan.getAs<IntegerAttr>("num_slots");
  auto bytes = plan.getAs<IntegerAttr>("peak_bytes");
  return slots && bytes && slots.getInt() == 0 ? bytes.getInt() : -1;
}

std::string HostLowering::createAddressable(func::FuncOp function) {
  std::string name = (function.getName() + ".entry").str();
  Location loc = function.getLoc();
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(module.getContext()), {lowering.pointer});
  auto entry =
      LLVM::LLVMFuncOp::create(b, loc, name, type, LLVM::Linkage::Internal);
  b.setInsertionPointToStart(entry.addEntryBlock(b));
  func::CallOp::create(b, loc, function, entry.getArgument(0));
  LLVM::ReturnOp::create(b, loc, ValueRange());
  return name;
}

LogicalResult HostLowering::lowerFunctions() {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    functions.push_back(std::make_unique<FunctionLowering>(lowering, function));
    byFunction[function] = functions.back().get();
    if (failed(functions.back()->collect()))
      return failure();
  }
  for (auto &[function, entry] : entries)
    entry.isCapturable = isCapturable(cast<func::FuncOp>(function));
  for (const std::unique_ptr<FunctionLowering> &function : functions) {
    function->stripMemorySpaces();
    function->addCall();
  }
  // Symbols of entries are not for the linker: "main" is somebody else's.
  for (auto &[function, entry] : entries)
    if (failed(byFunction.lookup(function)->makeEntry()))
      return failure();
  for (Operation *init : inits)
    if (failed(byFunction.lookup(init)->makeEntry()))
      return failure();
  for (auto &[function, entry] : entries)
    entry.workspaceBytes = getWorkspace(*byFunction.lookup(function));
  auto linkage =
      LLVM::LinkageAttr::get(module.getContext(), LLVM::Linkage::Internal);
  for (const std::unique_ptr<FunctionLowering> &function : functions) {
    if (failed(function->lower()))
      return failure();
    func::FuncOp op = function->getFunction();
    op->setAttr("llvm.linkage", linkage);
    op->removeAttr(AMPDialect::kMemoryPlanAttrName);
  }
  for (auto &[function, entry] : entries) {
    entry.function = createAddressable(cast<func::FuncOp>(function));
    if (!entry.init.empty())
      entry.init =
          createAddressable(module.lookupSymbol<func::FuncOp>(entry.init));
    lowering.model.entries.push_back(entry);
  }
  return success();
}
