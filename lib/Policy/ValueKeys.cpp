//===- ValueKeys.cpp - what a profile calls a value -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/ValueKeys.h"

#include "amp/Dialect/AMP/IR/AMPObserveOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Hashing
//===----------------------------------------------------------------------===//

namespace {
/// The hash of a sequence of texts and numbers: xxh3, whose values are fixed
/// by its specification, unlike those of llvm::hash_value.
class Hasher {
public:
  explicit Hasher(StringRef kind) { add(kind); }

  Hasher &add(StringRef text) {
    add(static_cast<uint64_t>(text.size()));
    bytes += text;
    return *this;
  }
  Hasher &add(uint64_t number) {
    for (unsigned i = 0; i < sizeof(number); ++i)
      bytes += static_cast<char>(number >> (8 * i) & 0xFF);
    return *this;
  }
  Hasher &add(Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return add(text);
  }
  Hasher &add(TypeRange types) {
    add(static_cast<uint64_t>(types.size()));
    for (Type type : types)
      add(type);
    return *this;
  }
  Hasher &add(Attribute attribute);

  uint64_t finish() const { return llvm::xxh3_64bits(bytes); }

private:
  std::string bytes;
};
} // namespace

/// Printing stands for what has no contents that are long: it leaves out those
/// of large constants if the command line says so.
Hasher &Hasher::add(Attribute attribute) {
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    add("array").add(static_cast<uint64_t>(array.size()));
    for (Attribute element : array)
      add(element);
    return *this;
  }
  if (auto dictionary = dyn_cast<DictionaryAttr>(attribute)) {
    add("dictionary").add(static_cast<uint64_t>(dictionary.size()));
    for (NamedAttribute entry : dictionary)
      add(entry.getName().strref()).add(entry.getValue());
    return *this;
  }
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(attribute)) {
    add("dense").add(Type(dense.getType())).add(dense.isSplat());
    return add(StringRef(dense.getRawData().data(), dense.getRawData().size()));
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute)) {
    add("resource").add(Type(resource.getType()));
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      return add(StringRef(blob->getData().data(), blob->getData().size()));
    return add(resource.getRawHandle().getKey());
  }
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return add("attribute").add(text);
}

//===----------------------------------------------------------------------===//
// Digests of values
//===----------------------------------------------------------------------===//

namespace {
using Digests = DenseMap<Value, uint64_t>;

/// Computes the digests of all values in functions. Values are visited in the
/// order of the text, so operands come before users.
class DigestBuilder {
public:
  explicit DigestBuilder(Digests &digests) : digests(digests) {}

  void visitFunction(FunctionOpInterface function);

private:
  /// The digest of the values of `op` without the position among the results.
  /// `local` has the digests of values inside of the region that is looked at
  /// on its own, and null stands for none.
  uint64_t getDigest(Operation *op, Digests *local, unsigned depth);

  /// The digest of a region as a closed term: its arguments count by position
  /// and depth, what it uses from outside by its digest.
  uint64_t getDigest(Region &region, Digests *local, unsigned depth);

  /// Gives digests to the results of `op` and to all values inside of it.
  void visit(Operation *op);

  /// Adds the ops of a block inside of a region that is looked at on its own.
  void addOps(Block &block, Digests &own, unsigned depth, Hasher &hasher);

  /// Arguments and results of a scope are those of what goes in and out.
  void bindArguments(AutocastOp scope, Digests *local, Digests &into);
  void bindResults(AutocastOp scope, Digests *local, Digests &into);

  uint64_t lookup(Value value, Digests *local) const {
    if (local)
      if (auto it = local->find(value); it != local->end())
        return it->second;
    // In a loop of blocks a value may be used before it is seen.
    auto it = digests.find(value);
    return it != digests.end() ? it->second
                               : Hasher("later").add(value.getType()).finish();
  }

  /// What a callee computes of its arguments.
  uint64_t getCalleeDigest(Operation *callee);

  /// Where all regions of a branch end with the same value, a result is that
  /// value: run-time scopes become branches of two equal sides.
  void setEqualBranches(Operation *op, Digests *local, Digests &into);

  void setResults(Operation *op, uint64_t digest, Digests &into) {
    for (OpResult result : op->getResults())
      into[result] = Hasher("result")
                         .add(digest)
                         .add(static_cast<uint64_t>(result.getResultNumber()))
                         .finish();
  }

  Digests &digests;
  SymbolTableCollection symbols;
  DenseMap<Operation *, uint64_t> callees;
};
} // namespace

uint64_t DigestBuilder::getCalleeDigest(Operation *callee) {
  auto [it, isNew] = callees.try_emplace(callee, 0);
  if (!isNew)
    return it->second;
  // Until it is known, one that calls itself counts by its name.
  it->second = Hasher("recursive")
                   .add(SymbolTable::getSymbolName(callee).getValue())
                   .finish();
  auto function = dyn_cast<CallableOpInterface>(callee);
  Region *body = function ? function.getCallableRegion() : nullptr;
  Hasher hasher("callee");
  if (body)
    hasher.add(getDigest(*body, nullptr, 0));
  else
    hasher.add(SymbolTable::getSymbolName(callee).getValue());
  return callees[callee] = hasher.finish();
}

uint64_t DigestBuilder::getDigest(Operation *op, Digests *local,
                                  unsigned depth) {
  if (isa<tensor::EmptyOp, tensor::DimOp>(op))
    return Hasher("size").add(op->getResultTypes()).finish();

  Operation *callee = nullptr;
  auto call = dyn_cast<CallOpInterface>(op);
  if (call)
    callee = call.resolveCallableInTable(&symbols);
  Hasher hasher("op");
  hasher.add(op->getName().getStringRef()).add(op->getResultTypes());
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    StringRef name = attribute.getName().strref();
    // Notes of ours, and of linalg for itself.
    if (name.starts_with("amp.") || name == "linalg.memoized_indexing_maps")
      continue;
    if (callee && isa<SymbolRefAttr>(attribute.getValue()))
      continue;
    hasher.add(name).add(attribute.getValue());
  }
  if (callee)
    hasher.add(getCalleeDigest(callee));

  SmallVector<uint64_t> operands;
  for (Value operand : op->getOperands())
    operands.push_back(lookup(operand, local));
  if (op->hasTrait<OpTrait::IsCommutative>())
    llvm::sort(operands);
  hasher.add(static_cast<uint64_t>(operands.size()));
  for (uint64_t operand : operands)
    hasher.add(operand);
  hasher.add(static_cast<uint64_t>(op->getNumRegions()));
  for (Region &region : op->getRegions())
    hasher.add(getDigest(region, local, depth));
  for (Block *successor : op->getSuccessors())
    hasher.add(static_cast<uint64_t>(std::distance(
        successor->getParent()->begin(), successor->getIterator())));
  return hasher.finish();
}

uint64_t DigestBuilder::getDigest(Region &region, Digests *outer,
                                  unsigned depth) {
  Digests fresh;
  Digests &own = outer ? *outer : fresh;
  Hasher hasher("region");
  for (auto [number, block] : llvm::enumerate(region))
    for (BlockArgument argument : block.getArguments())
      own[argument] = Hasher("local")
                          .add(static_cast<uint64_t>(depth))
                          .add(static_cast<uint64_t>(number))
                          .add(static_cast<uint64_t>(argument.getArgNumber()))
                          .add(argument.getType())
                          .finish();
  // Only what binds arguments counts as a level: what stands in a branch that a
  // flag of autocast makes is what it was outside.
  bool binds = llvm::any_of(
      region, [](Block &block) { return block.getNumArguments() != 0; });
  for (Block &block : region) {
    hasher.add("block").add(block.getArgumentTypes());
    addOps(block, own, depth + binds, hasher);
  }
  return hasher.finish();
}

void DigestBuilder::addOps(Block &block, Digests &own, unsigned depth,
                           Hasher &hasher) {
  for (Operation &op : block) {
    if (auto scope = dyn_cast<AutocastOp>(op)) {
      bindArguments(scope, &own, own);
      addOps(scope.getBody().front(), own, depth, hasher);
      bindResults(scope, &own, own);
      continue;
    }
    if (isa<ObserveOp>(op) ||
        (isa<YieldOp>(op) && isa<AutocastOp>(op.getParentOp())))
      continue;
    uint64_t digest = getDigest(&op, &own, depth);
    setResults(&op, digest, own);
    setEqualBranches(&op, &own, own);
    // What nothing uses and nobody notices does not count.
    if (!isMemoryEffectFree(&op) || op.hasTrait<OpTrait::IsTerminator>())
      hasher.add(digest);
  }
}

void DigestBuilder::bindArguments(AutocastOp scope, Digests *local,
                                  Digests &into) {
  for (auto [argument, capture] : llvm::zip_equal(
           scope.getBody().front().getArguments(), scope.getCaptures())) {
    uint64_t digest = lookup(capture, local);
    into[argument] = digest;
  }
}

void DigestBuilder::bindResults(AutocastOp scope, Digests *local,
                                Digests &into) {
  for (auto [result, value] :
       llvm::zip_equal(scope.getResults(), scope.getYield().getOperands())) {
    uint64_t digest = lookup(value, local);
    into[result] = digest;
  }
}

void DigestBuilder::setEqualBranches(Operation *op, Digests *local,
                                     Digests &into) {
  if (!isa<RegionBranchOpInterface>(op) || isa<LoopLikeOpInterface>(op) ||
      op->getNumRegions() < 2 || op->getNumResults() == 0)
    return;
  SmallVector<Operation *> ends;
  for (Region &region : op->getRegions()) {
    if (!region.hasOneBlock() || region.getNumArguments() != 0 ||
        region.front().empty())
      return;
    Operation *end = &region.front().back();
    if (end->getNumOperands() != op->getNumResults())
      return;
    ends.push_back(end);
  }
  for (OpResult result : op->getResults()) {
    SmallVector<uint64_t> found;
    for (Operation *end : ends)
      found.push_back(lookup(end->getOperand(result.getResultNumber()), local));
    if (llvm::all_equal(found))
      into[result] = found.front();
  }
}

void DigestBuilder::visit(Operation *op) {
  if (auto scope = dyn_cast<AutocastOp>(op)) {
    bindArguments(scope, nullptr, digests);
    for (Operation &inner : scope.getBody().front())
      visit(&inner);
    return bindResults(scope, nullptr, digests);
  }
  uint64_t digest = getDigest(op, nullptr, 0);
  setResults(op, digest, digests);
  // Of payloads no value is asked for.
  if (!isa<RegionBranchOpInterface>(op))
    return;
  for (Region &region : op->getRegions()) {
    for (auto [number, block] : llvm::enumerate(region))
      for (BlockArgument argument : block.getArguments())
        digests[argument] =
            Hasher("region argument")
                .add(digest)
                .add(static_cast<uint64_t>(region.getRegionNumber()))
                .add(static_cast<uint64_t>(number))
                .add(static_cast<uint64_t>(argument.getArgNumber()))
                .finish();
    for (Block &block : region)
      for (Operation &inner : block)
        visit(&inner);
  }
  setEqualBranches(op, nullptr, digests);
}

void DigestBuilder::visitFunction(FunctionOpInterface function) {
  Region &body = function.getFunctionBody();
  for (BlockArgument argument : function.getArguments()) {
    Hasher hasher("argument");
    if (auto name = function.getArgAttrOfType<StringAttr>(
            argument.getArgNumber(), AMPDialect::kNameAttrName))
      hasher.add(name.getValue());
    else
      hasher.add(static_cast<uint64_t>(argument.getArgNumber()));
    digests[argument] = hasher.add(argument.getType()).finish();
  }
  // The arguments of the other blocks depend on all blocks.
  uint64_t whole = body.hasOneBlock() ? 0 : getDigest(body, nullptr, 0);
  for (auto [number, block] : llvm::enumerate(body)) {
    for (BlockArgument argument : block.getArguments())
      if (!block.isEntryBlock())
        digests[argument] =
            Hasher("block argument")
                .add(whole)
                .add(static_cast<uint64_t>(number))
                .add(static_cast<uint64_t>(argument.getArgNumber()))
                .finish();
  }
  for (Block &block : body)
    for (Operation &op : block)
      visit(&op);
}

//===----------------------------------------------------------------------===//
// ValueKeys
//===----------------------------------------------------------------------===//

/// The symbol of `function`, with those of the modules around it below `root`.
static std::string getPath(FunctionOpInterface function, Operation *root) {
  std::string path = function.getName().str();
  if (auto name = function->getAttrOfType<StringAttr>(kProfiledAsAttrName))
    path = name.str();
  for (Operation *parent = function->getParentOp(); parent && parent != root;
       parent = parent->getParentOp())
    if (auto name =
            parent->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      path = name.getValue().str() + "::" + path;
  return path;
}

ValueKeys::ValueKeys(Operation *root) {
  DigestBuilder builder(digests);
  root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    functions[function] = getPath(function, root);
    if (!function.isExternal())
      builder.visitFunction(function);
    return WalkResult::skip();
  });
}

ValueKeys::~ValueKeys() = default;

std::string ValueKeys::getKey(Value value) const {
  auto it = digests.find(value);
  if (it == digests.end())
    return "";
  Operation *owner = value.getParentRegion()->getParentOp();
  auto function = dyn_cast<FunctionOpInterface>(owner);
  if (!function)
    function = owner->getParentOfType<FunctionOpInterface>();
  // A function in a function has keys of the outermost one.
  while (function && !functions.contains(function))
    function = function->getParentOfType<FunctionOpInterface>();
  if (!function)
    return "";
  return functions.lookup(function) + ":" +
         llvm::utohexstr(it->second, /*LowerCase=*/true, /*Width=*/16);
}

//===----------------------------------------------------------------------===//
// Which values are profiled
//===----------------------------------------------------------------------===//

Value mlir::amp::getProfiledValue(Value value) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto scope = dyn_cast<AutocastOp>(argument.getOwner()->getParentOp());
      if (!scope)
        return value;
      value = scope.getCaptures()[argument.getArgNumber()];
      continue;
    }
    auto scope = value.getDefiningOp<AutocastOp>();
    if (!scope)
      return value;
    value =
        scope.getYield().getOperand(cast<OpResult>(value).getResultNumber());
  }
}

static bool isTensorOfFloats(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() <= kMaxObservedRank &&
         isAMPElementType(tensor.getElementType()) &&
         isa<FloatType>(tensor.getElementType());
}

/// Whether the elements of `value` may be what lay in memory.
static bool mayBeUndefined(Value value) {
  value = getProfiledValue(value);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // What a loop starts from, and what it hands on, which depends on that.
    auto loop =
        dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
    OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
    return init && mayBeUndefined(init->get());
  }
  Operation *op = value.getDefiningOp();
  if (isa<tensor::EmptyOp>(op))
    return true;
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    BlockArgument tied = loop.getTiedLoopRegionIterArg(cast<OpResult>(value));
    return tied && mayBeUndefined(tied);
  }
  // One of the branches.
  if (isa<RegionBranchOpInterface>(op))
    return llvm::any_of(op->getRegions(), [&](Region &region) {
      Operation *end =
          region.empty() ? nullptr : region.front().getTerminator();
      return end && end->getNumOperands() == op->getNumResults() &&
             mayBeUndefined(
                 end->getOperand(cast<OpResult>(value).getResultNumber()));
    });
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return insert.getSourceType().getShape() != insert.getType().getShape() &&
           mayBeUndefined(insert.getDest());
  // Views; and ops that fill the whole of a destination are not asked.
  if (isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ReshapeOp, tensor::ExtractSliceOp>(op))
    return mayBeUndefined(op->getOperand(0));
  return false;
}

/// Whether `op` gives the same numbers in each run.
static bool isConstant(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  // A fill.
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  return destination && isMemoryEffectFree(op) &&
         destination.getNumDpsInputs() > 0 &&
         llvm::all_of(destination.getDpsInputs(),
                      [](Value input) {
                        return input.getType().isIntOrIndexOrFloat() &&
                               matchPattern(input, m_Constant());
                      }) &&
         llvm::all_of(destination.getDpsInits(), [](Value init) {
           return init.getDefiningOp<tensor::EmptyOp>();
         });
}

namespace {
/// Collects in the order of the text.
class Collector {
public:
  Collector(const ValueKeys &keys, const ProfileSelection &selection)
      : keys(keys), selection(selection) {}

  SmallVector<Value> values;

  void visit(Region &region, bool areArgumentsProfiled) {
    for (Block &block : region) {
      llvm::StringSet<> seen;
      if (areArgumentsProfiled && selection.arguments)
        for (BlockArgument argument : block.getArguments())
          addArgument(argument);
      for (Operation &op : block)
        visit(&op, seen);
    }
  }

private:
  void addArgument(BlockArgument argument) {
    if (isTensorOfFloats(argument.getType()) && !mayBeUndefined(argument))
      values.push_back(argument);
  }

  /// Whether all sides of a branch give the same value, which is observed
  /// there.
  bool isValueOfBranches(OpResult result) const {
    Operation *op = result.getOwner();
    if (!isa<RegionBranchOpInterface>(op) || op->getRegion(0).empty())
      return false;
    Operation *end = op->getRegion(0).front().getTerminator();
    unsigned number = result.getResultNumber();
    return end->getNumOperands() == op->getNumResults() &&
           keys.getKey(end->getOperand(number)) == keys.getKey(result);
  }

  void visit(Operation *op, llvm::StringSet<> &seen) {
    if (isa<AutocastOp>(op))
      return visit(op->getRegion(0), /*areArgumentsProfiled=*/false);
    // Regions that compute tensors; payloads and the like do not.
    if (isa<RegionBranchOpInterface>(op))
      for (Region &region : op->getRegions())
        visit(region, region.empty() || isa<RegionBranchTerminatorOpInterface>(
                                            region.front().getTerminator()));
    bool isSelected =
        selection.results &&
        (selection.ops.empty() ||
         llvm::is_contained(selection.ops, op->getName().getStringRef().str()));
    if (!isSelected || isConstant(op))
      return;
    for (OpResult result : op->getResults()) {
      if (!isTensorOfFloats(result.getType()) || mayBeUndefined(result) ||
          isValueOfBranches(result))
        continue;
      if (isMemoryEffectFree(op) && !seen.insert(keys.getKey(result)).second)
        continue;
      values.push_back(result);
    }
  }

  const ValueKeys &keys;
  const ProfileSelection &selection;
};
} // namespace

SmallVector<Value>
mlir::amp::getProfiledValues(Operation *root, const ValueKeys &keys,
                             const ProfileSelection &selection) {
  Collector collector(keys, selection);
  root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    collector.visit(function.getFunctionBody(), /*areArgumentsProfiled=*/true);
    return WalkResult::skip();
  });
  return std::move(collector.values);
}

/// The name in `location`, or nothing.
static StringRef getName(Location location) {
  if (auto name = location->findInstanceOf<NameLoc>())
    return name.getName().getValue();
  return "";
}

ProfileEntry mlir::amp::makeProfileEntry(Value value, const ValueKeys &keys) {
  ProfileEntry entry;
  entry.key = keys.getKey(value);
  auto type = cast<RankedTensorType>(value.getType());
  llvm::raw_string_ostream(entry.type) << type;
  llvm::raw_string_ostream(entry.element) << type.getElementType();
  if (auto file = value.getLoc()->findInstanceOf<FileLineColLoc>())
    entry.location = (file.getFilename().getValue() + ":" +
                      Twine(file.getLine()) + ":" + Twine(file.getColumn()))
                         .str();
  else
    llvm::raw_string_ostream(entry.location) << value.getLoc();

  StringRef name;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    entry.op = "argument";
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    if (function && argument.getOwner()->isEntryBlock())
      if (auto attribute = function.getArgAttrOfType<StringAttr>(
              argument.getArgNumber(), AMPDialect::kNameAttrName))
        name = attribute.getValue();
    if (name.empty())
      name = getName(value.getLoc());
    entry.name = name.empty() ? "arg" + std::to_string(argument.getArgNumber())
                              : name.str();
    return entry;
  }
  Operation *op = value.getDefiningOp();
  entry.op = op->getName().getStringRef().str();
  if (auto attribute = op->getAttrOfType<StringAttr>(AMPDialect::kNameAttrName))
    name = attribute.getValue();
  if (name.empty())
    name = getName(value.getLoc());
  entry.name = name.empty() ? entry.op : name.str();
  if (op->getNumResults() > 1)
    entry.name += "#" + std::to_string(cast<OpResult>(value).getResultNumber());
  return entry;
}
