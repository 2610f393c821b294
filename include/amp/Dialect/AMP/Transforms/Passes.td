//===- Passes.td - passes of the amp dialect ---------------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_TRANSFORMS_PASSES_TD
#define AMP_DIALECT_AMP_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AmpDecidePrecisionPass
    : Pass<"amp-decide-precision", "::mlir::ModuleOp"> {
  let summary = "decide the element type of every value under autocast";
  let description = [{
    **Input**: a module on tensors in which scopes are `amp.autocast` regions,
    with element types as they are without autocast. Unstructured scopes
    (`amp.enter`, `amp.exit`, the function attribute `amp.autocast`), scopes
    under a run-time flag, and ops on buffers inside a scope are errors.

    **What it does**: finds the final element type of every value, over
    branches, loops and scopes, to a fixpoint, and gives every op in a scope
    that has floats the attribute `amp.decision`: the policy that applies, the
    types in which operands arrive and are taken, those of the results, and the
    reason. An op outside gets one only if an operand changes, because a scope
    with `results(propagate)` feeds it. Each decision is also a remark
    (category `amp`).

    A call inside an enabled scope gives its callee the caller's state, exactly
    as inlining would; so such calls of functions with a body are inlined first,
    except where the callee's body is a scope for the same device, whose state
    is its own. Recursion, and callees with several blocks, are errors. Calls
    that stay keep their signature, with casts at the border.

    With `scope=function` every function with a body becomes one scope first;
    functions that are one already stay.

    `profile` names a file of measured ranges (see `docs/profiles.md`), looked
    up in the program as it comes in. Entries without a value, or values without
    an entry, are an error at the op that changed.

    **After it**: types have not changed; the IR shows what will happen.
    Decisions that an earlier run left are replaced, so the pass is idempotent.

    **Left alone**: ops without float operands and results.

    Example:

    ```mlir
    func.func @decide(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x8xf32>, %y = %b : tensor<8x4xf32>, %z = %c : tensor<4x4xf32>) -> tensor<4x4xf32> {
        %1 = "aten.mm"(%x, %y) : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
        %2 = "aten.addcmul"(%1, %z, %z) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
        amp.yield %2 : tensor<4x4xf32>
      }
      return %0 : tensor<4x4xf32>
    }
    ```
  }];
  let options = [
    Option<"scope", "scope", "std::string", /*default=*/"\"region\"",
           "What autocast applies to: 'region' (amp.autocast regions) or "
           "'function' (every function body becomes a scope first)">,
    Option<"device", "device", "std::string", /*default=*/"\"cuda\"",
           "Device of the scopes that scope=function makes: cuda or cpu">,
    Option<"dtype", "dtype", "std::string", /*default=*/"\"\"",
           "Lower-precision type of the scopes that scope=function makes: f16 "
           "or bf16; by default f16 for cuda and bf16 for cpu">,
    Option<"results", "results", "std::string", /*default=*/"\"preserve\"",
           "Whether scopes that scope=function makes 'preserve' their result "
           "types or 'propagate' the new ones, into the signature of a "
           "function that nobody in the module calls">,
    Option<"profile", "profile", "std::string", /*default=*/"\"\"",
           "File with the ranges of the program's values, as amp-run "
           "--calibrate writes it">,
    Option<"staleProfile", "stale-profile", "std::string",
           /*default=*/"\"error\"",
           "What becomes of a profile that is not of this program: 'error', or "
           "'warn' (what fits is used)">,
    Option<"policyFile", "policy-file", "std::string", /*default=*/"\"\"",
           "File of amp.policy_set ops, beside those of the module">,
    ListOption<"policy", "policy", "std::string",
           "Names of the policy sets, one for each device, of scopes that name "
           "none; by default those of the policy file that no other set there "
           "extends, or else the built-in ones">,
    Option<"unknownOp", "unknown-op", "std::string", /*default=*/"\"\"",
           "What happens to an op that nobody knows: 'keep' (its types), 'error' "
           "or 'follow' (the types of its operands); by default what the policy "
           "set says">,
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Whether what torch has an error for is one, where a promotion could "
           "mend it: mixed types in an op that takes one, integers in an op that "
           "takes floats, and a reduced float that is not the scope's in a "
           "promotion">
  ];
  let statistics = [
    Statistic<"numLowered", "num-lowered", "Number of ops that will run in the "
              "lower-precision type">,
    Statistic<"numDecided", "num-decided", "Number of ops decided">
  ];
  let dependentDialects = ["::mlir::amp::AMPDialect"];
}

def AmpApplyPrecisionPass
    : Pass<"amp-apply-precision", "::mlir::ModuleOp"> {
  let summary = "rewrite every op to its decided precision";
  let description = [{
    **Input**: a module after `amp-decide-precision`. An op in a scope without a
    decision, or one whose operands arrive in other types than it was decided
    for, is an error that asks to decide again.

    **What it does**: gives every op its decided types. Operands are cast by
    `amp.cast` (origin `policy`, may be elided), or by one `amp.promote` where
    the policy is a promotion. Contractions keep an accumulator of at least f32,
    and their result is cast to the storage type. A destination that is only
    written becomes a `tensor.empty` of the new type. Block arguments and
    results of loops and branches follow. Scopes dissolve; what leaves a scope
    that preserves types is cast back (origin `boundary`, always rounded).

    A value is cast to a type once in a block and the blocks inside
    (`share-casts`); without sharing, as for training graphs, where the sum of
    the gradients depends on it, once per op.

    With `report` the module gets the attribute `amp.report`: for each op that
    had a decision what was done to it, which `amp-report` reads. It is off by
    default because it is about as large as the program; a module in which
    nothing is left to apply keeps the report that it has.

    **After it**: no `amp.autocast` and no decision is left; types are final
    except that `amp.promote` is not yet resolved. Functions whose scope
    propagates have a new signature.

    Example:

    ```mlir
    func.func @apply(%a: tensor<4xf16>) -> tensor<4xf32> {
      %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4xf16>) -> tensor<4xf32> {
        %1 = arith.extf %x : tensor<4xf16> to tensor<4xf32>
        amp.yield %1 : tensor<4xf32>
      }
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"shareCasts", "share-casts", "bool", /*default=*/"true",
           "Cast a value to a type once, and let all ops use that cast">,
    Option<"rounding", "rounding", "std::string", /*default=*/"\"elidable\"",
           "Whether casts of policies are 'elidable' (later stages may keep the "
           "wider value) or 'exact' (they round always)">,
    Option<"report", "report", "bool", /*default=*/"false",
           "Leave the attribute 'amp.report' on the module, which tells what was "
           "done to each op">
  ];
  let statistics = [
    Statistic<"numCasts", "num-casts", "Number of amp.cast ops created">,
    Statistic<"numPromotions", "num-promotions",
              "Number of amp.promote ops created">,
    Statistic<"numScopes", "num-scopes", "Number of scopes dissolved">
  ];
  let dependentDialects = [
    "::mlir::amp::AMPDialect", "::mlir::tensor::TensorDialect"];
}

def AmpPromoteTypesPass : Pass<"amp-promote-types"> {
  let summary = "make torch's implicit promotions explicit";
  let description = [{
    **Input**: any op under which operand types are final. A scope, a decision
    or an import form that is left over is an error that says which pass to run
    first.

    **What it does**: gives ATen ops that promote their operands, and
    `amp.promote` in mode `elementwise`, operands of one type. Which ops these
    are, which operands take part, and what an op makes of the promoted type is
    data, recorded from torch (see docs/types.md):

    - An operand of another type is cast (`amp.cast`, origin `promotion`; it may
      be elided where it is exact). `aten.add` of f32 and i64 casts the i64; of
      f16 and f16 nothing: ops of low precision compute in f32 on their own, and
      return f16. `aten.cos` of integers takes and returns f32. A sum of
      integers takes and returns i64. A comparison of f16 with f32 compares f32.
    - A Python scalar of another category becomes a 0-d tensor, and the op the
      overload that takes tensors: `aten.add.Scalar` of f32 and 2 is
      `aten.add.Tensor` of f32 and a constant 2.0. A number that the type does
      not hold exactly stays a scalar.
    - Types that torch does not promote (8-bit floats with others, unsigned
      integers of more than 8 bits with signed ones) are an error.

    With `opmath=true` the type that an op computes in is explicit, too: an
    elementwise op on f16 or bf16 takes f32, and its result is cast back.

    **After it**: no op promotes on its own, but those left alone.

    **Left alone**: ops without a rule, with a remark; in-place and out=
    variants, which convert to what they write to; `amp.promote` in mode
    `autocast`.

    Example:

    ```mlir
    func.func @promote_types(%x: tensor<4xf32>, %n: tensor<4xi64>) -> tensor<4xf32> {
      %0 = "aten.add.Tensor"(%x, %n) : (tensor<4xf32>, tensor<4xi64>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"opmath", "opmath", "bool", /*default=*/"false",
           "Whether elementwise ops take f16 and bf16 as f32, and round their "
           "result back">
  ];
  let statistics = [
    Statistic<"numCasts", "num-casts", "Number of amp.cast ops created">,
    Statistic<"numScalars", "num-scalars",
              "Number of Python scalars turned into tensors">
  ];
  let dependentDialects = [
    "::mlir::amp::AMPDialect", "::mlir::arith::ArithDialect"];
}

def AmpResolvePromotionsPass : Pass<"amp-resolve-promotions"> {
  let summary = "turn promotions into casts";
  let description = [{
    **Input**: any op under which operand types are final. A scope, a decision
    or an import form that is left over is an error that says which pass to run
    first.

    **What it does**: replaces `amp.promote` by one `amp.cast` per operand that
    changes its type (origin `promotion`; it may be elided where it is exact,
    and must round where it is not). Operands that have the common type already
    are used as they are.

    **After it**: no `amp.promote` is left.

    Example:

    ```mlir
    func.func @resolve(%x: tensor<4xf32>, %y: tensor<4xf16>) -> tensor<4xf32> {
      %0:2 = amp.promote %x, %y : tensor<4xf32>, tensor<4xf16>
      %1 = arith.addf %0#0, %0#1 : tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numResolved", "num-resolved", "Number of promotions resolved">
  ];
  let dependentDialects = ["::mlir::amp::AMPDialect"];
}

#endif // AMP_DIALECT_AMP_TRANSFORMS_PASSES_TD
