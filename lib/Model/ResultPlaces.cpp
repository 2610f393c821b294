//===- ResultPlaces.cpp - results in memory of the caller -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResultPlaces.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace mlir::amp;

using Functions = llvm::DenseSet<const llvm::Function *>;

/// Bytes of a line of a cache, at whose beginning the runtime's blocks are.
static constexpr uint64_t kLine = 64;

/// The functions from which a check that fails ends the call.
static Functions getFailing(const llvm::Module &module) {
  Functions failing;
  llvm::SmallPtrSet<const llvm::Value *, 8> seen;
  SmallVector<const llvm::Value *> work;
  if (const llvm::Function *end = module.getFunction("ampCpuCheckFailed")) {
    failing.insert(end);
    work.push_back(end);
  }
  // A function whose address is taken may be called from there.
  while (!work.empty())
    for (const llvm::User *user : work.pop_back_val()->users()) {
      const llvm::Value *next = user;
      if (auto *instruction = dyn_cast<llvm::Instruction>(user)) {
        failing.insert(instruction->getFunction());
        next = instruction->getFunction();
      }
      if (seen.insert(next).second)
        work.push_back(next);
    }
  return failing;
}

/// Whether stores of the module need more than the alignment of their elements.
static bool hasStreamingStores(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (instruction.hasMetadata(llvm::LLVMContext::MD_nontemporal))
        return true;
  return false;
}

/// What the function returns: of several memrefs and scalars, a structure. Null
/// where it has several places to return from.
static llvm::Value *getReturned(llvm::Function &function) {
  llvm::Value *returned = nullptr;
  for (llvm::BasicBlock &block : function)
    if (auto *end = dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
      if (returned)
        return nullptr;
      returned = end->getReturnValue();
    }
  return returned;
}

static bool isCallOf(const llvm::Value *value, StringRef name) {
  auto *call = dyn_cast<llvm::CallInst>(value);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == name;
}

/// What may write to `block` or let others write to it: the users of it, of
/// addresses in it and of descriptors of it that do more than compute these,
/// read or return. Nothing where one frees it.
static std::optional<SmallVector<llvm::Instruction *>>
getWriters(llvm::CallInst *block) {
  SmallVector<llvm::Instruction *> writers;
  llvm::SmallPtrSet<llvm::User *, 16> seen;
  SmallVector<llvm::Instruction *> work = {block};
  while (!work.empty())
    for (llvm::User *user : work.pop_back_val()->users()) {
      if (!seen.insert(user).second)
        continue;
      auto *instruction = cast<llvm::Instruction>(user);
      if (isCallOf(user, "_mlir_memref_to_llvm_free"))
        return std::nullopt;
      if (isa<llvm::InsertValueInst, llvm::ExtractValueInst,
              llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst>(user))
        work.push_back(instruction);
      else if (!isa<llvm::LoadInst, llvm::ReturnInst>(user))
        writers.push_back(instruction);
    }
  return writers;
}

/// Whether `matches` an instruction that may run from one of `starts` on.
static bool
mayFollow(ArrayRef<llvm::Instruction *> starts,
          llvm::function_ref<bool(const llvm::Instruction &)> matches) {
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> seen;
  SmallVector<llvm::BasicBlock *> work;
  auto goOn = [&](llvm::BasicBlock *block) {
    for (llvm::BasicBlock *next : llvm::successors(block))
      if (seen.insert(next).second)
        work.push_back(next);
  };
  for (llvm::Instruction *start : starts) {
    llvm::BasicBlock *block = start->getParent();
    if (std::any_of(start->getIterator(), block->end(), matches))
      return true;
    goOn(block);
  }
  while (!work.empty()) {
    llvm::BasicBlock *block = work.pop_back_val();
    if (llvm::any_of(*block, matches))
      return true;
    goOn(block);
  }
  return false;
}

namespace {
class Placer {
public:
  Placer(llvm::Module &module)
      : module(module), failing(getFailing(module)),
        hasStreams(hasStreamingStores(module)) {}

  void place(const ModelFunction &info) {
    llvm::Function *function = module.getFunction(info.name);
    // A C interface calls it, and nothing else.
    if (!function || function->isDeclaration() || !function->hasOneUse() ||
        !isCallOf(function->use_begin()->getUser(), info.name))
      return;
    auto *wrapper =
        cast<llvm::CallInst>(function->use_begin()->getUser())->getFunction();
    if (wrapper->getName() != "_mlir_ciface_" + info.name ||
        !wrapper->use_empty())
      return;
    llvm::Value *returned = getReturned(*function);
    llvm::DominatorTree dominance(*function);
    for (auto [i, port] : llvm::enumerate(info.results))
      if (returned && isa<RankedTensorType>(port.type))
        place(returned, info.results.size() > 1, i, port, dominance);
  }

private:
  void place(llvm::Value *returned, bool isOneOfMany, unsigned number,
             const Port &port, llvm::DominatorTree &dominance) {
    auto find = [&](ArrayRef<unsigned> path) {
      SmallVector<unsigned> indices(path);
      if (isOneOfMany)
        indices.insert(indices.begin(), number);
      llvm::Value *value = llvm::FindInsertedValue(returned, indices);
      // A descriptor that is made of parts of another one.
      while (auto *part = dyn_cast_or_null<llvm::ExtractValueInst>(value)) {
        llvm::Value *whole = llvm::FindInsertedValue(
            part->getAggregateOperand(), part->getIndices());
        if (!whole || whole == part)
          break;
        value = whole;
      }
      return value;
    };
    auto *call = dyn_cast_or_null<llvm::CallInst>(find({0}));
    auto *offset = dyn_cast_or_null<llvm::ConstantInt>(find({2}));
    if (!call || !isCallOf(call, "_mlir_memref_to_llvm_aligned_alloc") ||
        find({1}) != call || !offset || !offset->isZero())
      return;
    SmallVector<llvm::Value *> sizes;
    for (unsigned d = 0, rank = port.getShape().size(); d < rank; ++d) {
      llvm::Value *size = find({3, d});
      if (!size || !dominance.dominates(size, call))
        return;
      sizes.push_back(size);
    }
    auto isSame = [&](const llvm::Instruction &instruction) {
      return &instruction == call;
    };
    auto mayFail = [&](const llvm::Instruction &instruction) {
      return llvm::any_of(instruction.operands(), [&](const llvm::Use &use) {
        auto *function = dyn_cast<llvm::Function>(use.get());
        return function && failing.contains(function);
      });
    };
    std::optional<SmallVector<llvm::Instruction *>> writers = getWriters(call);
    if (!writers || mayFollow(call->getNextNode(), isSame) ||
        mayFollow(*writers, mayFail))
      return;
    replace(call, number, port, sizes);
  }

  void replace(llvm::CallInst *call, unsigned number, const Port &port,
               ArrayRef<llvm::Value *> sizes) {
    llvm::IRBuilder<> b(module.getContext());
    b.SetInsertPointPastAllocas(call->getFunction());
    llvm::Value *shape =
        b.CreateAlloca(b.getInt64Ty(), b.getInt64(sizes.size()), "amp.sizes");
    b.SetInsertPoint(call);
    for (auto [d, size] : llvm::enumerate(sizes))
      b.CreateStore(size,
                    b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), shape, d));
    uint64_t bits = port.getElementType().isIntOrFloat()
                        ? port.getElementType().getIntOrFloatBitWidth()
                        : 128;
    uint64_t alignment = hasStreams ? kLine : llvm::divideCeil(bits, 8);
    llvm::FunctionCallee callee = module.getOrInsertFunction(
        "ampCpuAllocateResult", b.getPtrTy(), b.getInt64Ty(), b.getInt64Ty(),
        b.getInt64Ty(), b.getPtrTy());
    llvm::CallInst *placed =
        b.CreateCall(callee, {b.getInt64(alignment), call->getArgOperand(1),
                              b.getInt64(number), shape});
    placed->addRetAttr(llvm::Attribute::NoAlias);
    call->replaceAllUsesWith(placed);
    call->eraseFromParent();
  }

  llvm::Module &module;
  const Functions failing;
  const bool hasStreams;
};
} // namespace

void mlir::amp::placeResults(llvm::Module &module,
                             ArrayRef<ModelFunction> functions) {
  Placer placer(module);
  for (const ModelFunction &function : functions)
    placer.place(function);
}
