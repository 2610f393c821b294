//===- CheckRegisters.cpp - registers that warpgroups ask for -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckRegisters.h"

#include "amp/Codegen/GPU/Hopper/Pipeline.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

LogicalResult amp::checkRegisters(::mlir::gpu::GPUFuncOp function) {
  SmallVector<NVVM::SetMaxRegisterOp> ops;
  function.walk([&](NVVM::SetMaxRegisterOp op) { ops.push_back(op); });
  std::optional<ArrayRef<int32_t>> block = function.getKnownBlockSize();
  if (ops.size() != 2 || !block)
    return success();
  // In the order of the branches of one scf.if.
  auto roles = dyn_cast<scf::IfOp>(ops[0]->getParentOp());
  if (!roles || ops[1]->getParentOp() != roles ||
      ops[0]->getBlock() != roles.thenBlock() ||
      ops[1]->getBlock() != roles.elseBlock() ||
      ops[0].getAction() != NVVM::SetMaxRegisterAction::decrease ||
      ops[1].getAction() != NVVM::SetMaxRegisterAction::increase)
    return success();
  auto is = roles.getCondition().getDefiningOp<arith::CmpIOp>();
  int64_t threads = int64_t((*block)[0]) * (*block)[1] * (*block)[2];
  if (!is || is.getPredicate() != arith::CmpIPredicate::eq || threads < 256 ||
      threads % 128)
    return success();
  auto blocks = function->getAttrOfType<IntegerAttr>("nvvm.minctasm");
  mlir::amp::gpu::hopper::RegisterSplit split{
      ops[0].getRegCount(), ops[1].getRegCount(), threads / 128 - 1};
  std::string wrong = split.check(blocks ? blocks.getInt() : 1);
  if (wrong.empty())
    return success();
  return ops[1].emitOpError()
         << "of a kernel with " << threads << " threads: " << wrong;
}
