//===- CallBuilder.h - calls in place of ops --------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_SIMULATOR_TRANSFORMS_CALLBUILDER_H
#define AMP_LIB_SIMULATOR_TRANSFORMS_CALLBUILDER_H

#include "Kernel.h"

namespace mlir::amp::sim {

/// Writes calls of the runtime in front of an op of a kernel.
class CallBuilder {
public:
  CallBuilder(Emitter &emitter, Kernel &kernel, Operation *op)
      : emitter(emitter), kernel(kernel), op(op), builder(op),
        loc(op->getLoc()) {}

  Value integer(int64_t value, unsigned bits = 32) {
    return emitter.integer(builder, loc, value, bits);
  }
  /// The address that `value` is: a pointer, or the address of shared memory as
  /// an integer of 32 bits.
  Value pointer(Value value) {
    if (!value.getType().isInteger())
      return value;
    if (!value.getType().isInteger(64))
      value = LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), value);
    return LLVM::IntToPtrOp::create(builder, loc, emitter.getPointer(), value);
  }

  /// Calls `name` with the thread, the site and `arguments`.
  Value call(StringRef name, ValueRange arguments, Type result = Type(),
             std::optional<ValueRange> variadic = std::nullopt) {
    SmallVector<Value> all = {kernel.thread, emitter.site(builder, op)};
    llvm::append_range(all, arguments);
    return emitter.call(builder, loc, name, result, all, variadic);
  }
  /// The same in place of the op, which has no result; `waits`: for other
  /// threads.
  Rewritten replace(StringRef name, ValueRange arguments, bool waits,
                    std::optional<ValueRange> variadic = std::nullopt) {
    call(name, arguments, Type(), variadic);
    op->erase();
    kernel.isCollective |= waits;
    return Rewritten::Done;
  }
  Rewritten replaceWith(Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
    return Rewritten::Done;
  }
  Rewritten fail(const Twine &message) {
    op->emitError() << message;
    return Rewritten::Failed;
  }

  /// The values in memory, one behind the other, of 4 bytes each.
  Value spill(ValueRange values);
  /// `count` values of `type` from there.
  SmallVector<Value> reload(Value address, Type type, int64_t count);

  Emitter &emitter;
  Kernel &kernel;
  Operation *op;
  OpBuilder builder;
  Location loc;
};

/// A kind of wgmma.mma_async, in numbers of ampSimElement.
struct WgmmaKind {
  int32_t n, k, typeA, typeB, typeD;
  bool isTransposedA, isTransposedB, accumulates;
  int32_t signA = 1, signB = 1;
  bool saturates = false;
};

/// Writes a wgmma. `registersA`, four registers, or else `descriptorA`. The new
/// accumulators.
SmallVector<Value> buildWgmma(CallBuilder &call, const WgmmaKind &kind,
                              Value descriptorA, ValueRange registersA,
                              Value descriptorB, ValueRange accumulators);

/// Whether nothing in the block of `wgmma` uses its accumulators before a wait
/// for its group, but for other wgmmas; fails, with an error, where something
/// does. (Their values are there at once here, but not on a device.)
LogicalResult checkAccumulators(Operation *wgmma);

} // namespace mlir::amp::sim

#endif // AMP_LIB_SIMULATOR_TRANSFORMS_CALLBUILDER_H
