//===- Outline.h - functions made of a part of a program ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_OUTLINE_H
#define AMP_LIB_CODEGEN_CPU_OUTLINE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"

namespace mlir::amp::cpu {

/// On the outermost op of a product on tensors, an `scf.for`, or an `scf.if`
/// without results: it becomes a function before bufferization
/// (`amp-cpu-outline-products`).
inline constexpr llvm::StringLiteral kOutlineAttrName = "outline";

/// On the function that it becomes, for `amp-cpu-stream-stores`: how many of
/// its last arguments (i64) are buffers of results, which begin with a line of
/// the cache and hold nothing yet.
inline constexpr llvm::StringLiteral kResultBuffersAttrName = "result_buffers";

/// Whether what is outlined gets a copy of `op`, of which it uses the result:
/// constants, one element everywhere in a vector, which is less to pass, and
/// what widens elements, since instructions that take the narrow ones are
/// chosen later, function by function.
inline bool isOutlinedToo(Operation *op) {
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
    return !isa<VectorType>(broadcast.getSourceType());
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(op);
}

/// Makes one loop over rows, parallel where it is in no other, of copies that
/// are one behind the other and write short rows of one buffer.
void mergeCopies(FunctionOpInterface function);

/// The functions so far that parts of a module were moved to, by a hash of type
/// and body. Layers of a model that are alike give parts that are alike: their
/// function is compiled once.
class OutlinedFunctions {
public:
  explicit OutlinedFunctions(ModuleOp module) : symbols(module) {}

  /// A private one without a body behind the function that has `part`, with its
  /// name, `kind` and `number`.
  func::FuncOp create(OpBuilder &b, Operation *part, StringRef kind,
                      unsigned number, TypeRange arguments) {
    auto parent = part->getParentOfType<func::FuncOp>();
    auto function = func::FuncOp::create(
        b, part->getLoc(),
        (parent.getName() + "_" + kind + "_" + Twine(number)).str(),
        b.getFunctionType(arguments, {}));
    function->remove();
    function.setPrivate();
    symbols.insert(function, std::next(Block::iterator(parent)));
    return function;
  }

  /// Replaces `function`, which `call` calls, by one that computes the same,
  /// and returns false, if there is one.
  bool keep(func::FuncOp function, func::CallOp call) {
    func::FuncOp other = findOrAdd(function);
    if (!other)
      return true;
    call.setCallee(other.getName());
    symbols.erase(function);
    return false;
  }

private:
  /// One that computes what `function` does, or null; then it is remembered.
  func::FuncOp findOrAdd(func::FuncOp function) {
    SmallVector<func::FuncOp> &same = functions[hash(function)];
    for (func::FuncOp other : same)
      if (other.getFunctionType() == function.getFunctionType() &&
          other->getDiscardableAttrDictionary() ==
              function->getDiscardableAttrDictionary() &&
          OperationEquivalence::isRegionEquivalentTo(
              &other.getBody(), &function.getBody(),
              OperationEquivalence::IgnoreLocations))
        return other;
    same.push_back(function);
    return {};
  }

  static llvm::hash_code hash(func::FuncOp function) {
    llvm::hash_code code = hash_value(Type(function.getFunctionType()));
    function.getBody().walk([&](Operation *op) {
      code = llvm::hash_combine(code, op->getName(), op->getNumOperands());
    });
    return code;
  }

  SymbolTable symbols;
  llvm::DenseMap<size_t, SmallVector<func::FuncOp>> functions;
};

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_OUTLINE_H
