//===- LLVMOps.cpp - the llvm dialect in the simulator --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallBuilder.h"
#include "InlineAssembly.h"

#include "amp/Simulator/Runtime.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::amp::sim;

/// Puts a check in front of an access to an address.
static Rewritten check(CallBuilder &call, ampSimAccessKind kind, Value address,
                       Type type, std::optional<uint64_t> alignment) {
  DataLayout layout = DataLayout::closest(call.op);
  int64_t bytes = int64_t(layout.getTypeSize(type).getFixedValue());
  call.call(
      "ampSimRawAccess",
      {call.integer(kind), address, call.integer(bytes, 64),
       call.integer(
           int64_t(alignment.value_or(layout.getTypeABIAlignment(type))), 64)});
  ++call.kernel.numChecked;
  return Rewritten::Done;
}

Rewritten mlir::amp::sim::rewriteLLVMOp(Emitter &emitter, Kernel &kernel,
                                        Operation *op) {
  if (!isa<LLVM::LLVMDialect>(op->getDialect()))
    return Rewritten::Unknown;
  CallBuilder call(emitter, kernel, op);
  return llvm::TypeSwitch<Operation *, Rewritten>(op)
      .Case<LLVM::InlineAsmOp>(
          [&](LLVM::InlineAsmOp text) { return rewriteInlineAsm(call, text); })
      .Case<LLVM::LoadOp>([&](LLVM::LoadOp load) {
        return check(call, AMP_SIM_LOAD, load.getAddr(), load.getType(),
                     load.getAlignment());
      })
      .Case<LLVM::StoreOp>([&](LLVM::StoreOp store) {
        return check(call, AMP_SIM_STORE, store.getAddr(),
                     store.getValue().getType(), store.getAlignment());
      })
      .Default([](Operation *) { return Rewritten::Unknown; });
}
