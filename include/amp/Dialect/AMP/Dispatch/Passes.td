//===- Passes.td - passes that choose overloads ------------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_DISPATCH_PASSES_TD
#define AMP_DIALECT_AMP_DISPATCH_PASSES_TD

include "mlir/Pass/PassBase.td"

def AmpDispatchOverloadsPass
    : Pass<"amp-dispatch-overloads", "::mlir::ModuleOp"> {
  let summary = "choose the overload of every amp.dispatch by its types";
  let description = [{
    Input: a module whose autocast scopes are applied. Each `amp.dispatch`
    becomes a call of a function, or an op, with `amp.cast`s around it.

    An overload matches, in this order, and one that matches earlier is taken
    over all that match later:

    1. exactly: each operand has a type that its formal takes, and operands with
       one type variable have one type;
    2. after promotion: operands with one type variable are promoted as torch
       promotes the operands of an elementwise op (`amp.promote` in mode
       `elementwise`), and the type is allowed;
    3. as the nearest one: the promoted type is converted to an allowed one that
       holds all of its values; the least wide one is taken, and one of the same
       category before others. The result is cast back if the set `keeps_type`;
    4. with `allow-lossy` only: as 3, but the conversion may round or narrow the
       range. A float never becomes an integer, nor a number a boolean.

    Complex operands go only to complex formals, and others never do: amp has no
    conversion between them. Among the overloads that match at the same step,
    one is nearer than another if its conversions are at most as wide for every
    operand, and narrower for one. Of those that none is nearer than, the one
    with the largest `priority` is taken; then, if they differ only in what they
    say of operands that are absent, the first one; then the set's `ties`
    decides. A tie that is left, and a dispatch that nothing matches, are errors
    with a note at each overload that says why it was not taken.

    After it no `amp.dispatch` and no `amp.overload_set` is left. Functions that
    were not chosen stay; `symbol-dce` removes the private ones.

    Matches that are not exact, and ties that were decided by order, are remarks
    of the category `amp`.

    Example:

    ```mlir
    // RUN: amp-opt --amp-dispatch-overloads
    amp.overload_set @neg keeps_type {
      amp.overload "integers" calls @neg_i64(self : T) -> T where T in [i64]
      amp.overload "floats" calls @neg_f32(self : T) -> T where T in [f32]
    }
    func.func private @neg_i64(tensor<?xi64>) -> tensor<?xi64>
    func.func private @neg_f32(tensor<?xf32>) -> tensor<?xf32>
    func.func @nearest(%a: tensor<?xbf16>) -> tensor<?xbf16> {
      %0 = amp.dispatch @neg(%a) : (tensor<?xbf16>) -> tensor<?xbf16>
      return %0 : tensor<?xbf16>
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func private @neg_i64(tensor<?xi64>) -> tensor<?xi64>
    func.func private @neg_f32(tensor<?xf32>) -> tensor<?xf32>
    func.func @nearest(%a: tensor<?xbf16>) -> tensor<?xbf16> {
      %0 = amp.cast %a {may_elide, origin = legalization} : tensor<?xbf16> to tensor<?xf32>
      %1 = call @neg_f32(%0) : (tensor<?xf32>) -> tensor<?xf32>
      %2 = amp.cast %1 {origin = legalization} : tensor<?xf32> to tensor<?xbf16>
      return %2 : tensor<?xbf16>
    }
    ```
  }];
  let options = [
    Option<"match", "match", "::mlir::amp::OverloadDistance",
           /*default=*/"::mlir::amp::OverloadDistance::Nearest",
           "How far the operands may be from what an overload takes: 'exact', "
           "'promoted', or 'nearest' (default)",
           [{::llvm::cl::values(
             clEnumValN(::mlir::amp::OverloadDistance::Exact, "exact",
                        "Operands have the types that the overload takes"),
             clEnumValN(::mlir::amp::OverloadDistance::Promoted, "promoted",
                        "They have after torch's promotion"),
             clEnumValN(::mlir::amp::OverloadDistance::Nearest, "nearest",
                        "They have after conversions that keep every value")
           )}]>,
    Option<"allowLossy", "allow-lossy", "bool", /*default=*/"false",
           "Where nothing else matches, also convert operands and results to "
           "types that do not hold all of their values">
  ];
  let dependentDialects = [
    "::mlir::amp::AMPDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numExact", "num-exact", "Number of exact matches">,
    Statistic<"numPromoted", "num-promoted",
              "Number of matches after promotion">,
    Statistic<"numNearest", "num-nearest",
              "Number of matches after conversions">];
}

#endif // AMP_DIALECT_AMP_DISPATCH_PASSES_TD
