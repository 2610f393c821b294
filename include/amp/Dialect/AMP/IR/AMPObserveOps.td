//===- AMPObserveOps.td - ops that look at values ----------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPOBSERVEOPS_TD
#define AMP_DIALECT_AMP_IR_AMPOBSERVEOPS_TD

include "amp/Dialect/AMP/IR/AMPDialect.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def AMP_RangeRecords : Resource<"::mlir::amp::RangeRecordResource">;

def AMP_ObserveOp : Op<AMP_Dialect, "observe", [
    MemoryEffects<[MemWrite<AMP_RangeRecords>]>]> {
  let summary = "count the numbers of a tensor";
  let description = [{
    Adds the elements of `value` to the statistics of a range record: how many
    there are, how many are NaN, infinite, zero or below 2^-126, the least and
    the greatest finite one, the least magnitude, and a histogram by powers of
    two, all exact (`docs/profiles.md`). The record is number `slot` of those
    that the process has set (`amp_set_range_records` of
    amp/Runtime/Ranges.h); where it has set none, nothing happens. Nothing that
    the program computes changes.

    `key` is what a profile calls the value. Several ops may share a slot: the
    record then counts what all of them see, as it does where one op runs
    several times in a loop.

    The op writes, so that nothing removes, merges or hoists it, but to records
    only, so that it keeps no other op from moving.

    **Lifespan**: created by `amp-instrument-ranges`, which replaces those that
    are there; becomes a call of the runtime in `amp-cpu-lower-observations`.
    Programs for devices cannot have it. Values change their element type under
    autocast, but not here: a value is observed as the program has it.

    | value |
    |---|
    | f64, f32, f16, bf16, an 8-bit float |

    Example:

    ```mlir
    func.func @observe(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
      amp.observe "observe:5e2bde8e8cbcf1b1" slot(0) %x : tensor<4x?xf32>
      return %x : tensor<4x?xf32>
    }
    ```
  }];
  let arguments = (ins
    StrAttr:$key,
    I64Attr:$slot,
    Arg<RankedTensorOf<[AnyFloat]>, "the numbers to count">:$value);
  let assemblyFormat = [{
    $key `slot` `(` custom<Slot>($slot) `)` $value attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
}

#endif // AMP_DIALECT_AMP_IR_AMPOBSERVEOPS_TD
