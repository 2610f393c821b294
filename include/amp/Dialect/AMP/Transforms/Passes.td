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

def AmpStructurizeScopesPass
    : Pass<"amp-structurize-scopes", "::mlir::ModuleOp"> {
  let summary = "turn the import forms of scopes into amp.autocast regions";
  let description = [{
    **Input**: a module in which scopes may be pairs of `amp.enter` and
    `amp.exit`, or attributes of functions. Passes that move or merge ops, such
    as upstream's inliner and CSE, do not respect these forms: this pass comes
    before them.

    **What it does**:

    - A pair of `amp.enter` and `amp.exit` becomes a region. One `amp.config` may
      be entered many times, also inside its own scope; it may be chosen by
      `arith.select`, `scf.if` or `scf.index_switch`, which makes the choice a
      run-time flag. A scope may have several exits, one for each path; where it
      spans blocks, its body and the function are lifted to structured control
      flow first, by upstream's lifting. An `scf.if` or `scf.index_switch` whose
      branches all close the scope, or all open one and yield its token, is cut in
      two there.
    - The attribute `amp.autocast` of a function (the decorator) becomes a region
      around the body; `no_inline` goes with it.
    - The attribute `amp.entry` of a public function, which says in which state
      callers outside of the module are, becomes a region around the body too.
      Calls inside the module call a private copy without that region: they give
      the state of the caller. With the state `unknown` the function gets one
      more argument, an `i1`, or calls the query that the attribute names.
    - `amp.is_enabled` folds where a scope around it decides; where none does, it
      depends on the caller, and stays until `amp-specialize-scopes`.

    What the body of a region uses becomes an operand; constants are copied into
    it. Regions yield their values in the types that these have inside
    (`results=propagate`), as in torch, where nothing is cast at the end of a
    `with`.

    **Errors**: scopes that are not closed, closed twice, that cross, or that are
    open on some paths only; a config that is not known, or whose dtype or device
    is chosen at run time. Each names both ends and the path.

    **After it**: no `amp.config`, `amp.enter`, `amp.exit`, and no attribute
    `amp.autocast` or `amp.entry` is left.

    Example:

    ```mlir
    func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %config = amp.config device("cuda") dtype(f16)
      %token = amp.enter %config
      %0 = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.exit %token
      return %0 : tensor<4x4xf32>
    }
    ```
  }];
  let options = [
    Option<"results", "results", "std::string", /*default=*/"\"propagate\"",
           "Whether the regions 'propagate' the types that their values have "
           "inside, or 'preserve' those that the program says">
  ];
  let statistics = [
    Statistic<"numPairs", "num-pairs", "Number of pairs made into regions">,
    Statistic<"numFunctions", "num-functions",
              "Number of function attributes made into regions">,
    Statistic<"numEntries", "num-entries",
              "Number of functions with an entry state">
  ];
  let dependentDialects = [
    "::mlir::amp::AMPDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

def AmpVersionScopesPass : Pass<"amp-version-scopes", "::mlir::ModuleOp"> {
  let summary = "give each value of a scope's run-time flag its own version";
  let description = [{
    **Input**: a module after `amp-structurize-scopes`.

    **What it does**: an `amp.autocast` region under a run-time flag becomes an
    `scf.if` on the flag, with the region on in one branch and off in the other.
    What leaves it has the join of both versions' types, or the type that the
    region preserves. A region inside whose flag is the same value folds in each
    version. A constant region inside that says what the version says already
    dissolves. A region in which nothing depends on the flag is not versioned
    but merged, and `amp-apply-precision` merges versions that turn out equal
    once they are rewritten (they carry `amp.versions`). `amp.is_enabled` folds
    in each version.

    Flags inside of each other multiply the code, unless one is computed from
    others (by `arith.andi`, `arith.ori`, `arith.xori`) so that it is known in
    their versions. At most `limit` versions of one op are made. More are an
    error that names the flags. With `at-limit=split`, a scope for the same
    device as the one directly around it, whose flag therefore does not matter
    inside, leaves that one, which is cut in two: each op has the state that it
    had, the versions of the inner scope are shared by those of the outer one,
    and what crosses its border takes the join of all versions' types, as what
    leaves a scope does. Remarks (category `amp`) tell what was versioned, merged
    and split.

    **After it**: no scope is under a run-time flag.

    Example:

    ```mlir
    func.func @f(%a: tensor<4x4xf32>, %on: i1) -> tensor<4x4xf32> {
      %0 = amp.autocast device("cuda") dtype(f16) if %on (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
        %1 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
        amp.yield %1 : tensor<4x4xf32>
      }
      return %0 : tensor<4x4xf32>
    }
    ```
  }];
  let options = [
    Option<"limit", "limit", "unsigned", /*default=*/"16",
           "Largest number of versions of one op">,
    Option<"atLimit", "at-limit", "std::string", /*default=*/"\"error\"",
           "What becomes of a scope that would need more versions: 'error', or "
           "'split', which takes it out of the scope around it">
  ];
  let statistics = [
    Statistic<"numVersioned", "num-versioned", "Number of scopes versioned">,
    Statistic<"numMerged", "num-merged",
              "Number of scopes on whose flag nothing depends">,
    Statistic<"numSplit", "num-split",
              "Number of scopes taken out of the one around them">
  ];
  let dependentDialects = [
    "::mlir::amp::AMPDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"];
}

def AmpSpecializeScopesPass : Pass<"amp-specialize-scopes", "::mlir::ModuleOp"> {
  let summary = "give each autocast state of a function's callers its own function";
  let description = [{
    **Input**: a module after `amp-version-scopes`.

    **What it does**: a call in a scope gives its callee the state of the caller,
    exactly as inlining would. The state is, for each device, whether autocast is
    on, its dtype and its policy set, in the order of the scopes, and the devices
    of the arguments where they are known. Each state in which a function is
    called gets one function, whose body is a region with that state; all callers
    with that state share it, recursive ones too. It is called after the state:
    `@f_cuda_f16`. A private function whose callers all have the same state
    becomes that function itself. A function for which the state changes nothing,
    because its own regions decide, is called as it is: callee regions win.

    Functions that nobody in the module calls, public ones, and those whose
    address is taken are entered with autocast off.

    A declaration without a body keeps its signature: values are cast at the
    border, and a remark says so. An indirect call in an enabled scope is an
    error. With `indirect-calls=version` a callee that comes from constants,
    through `arith.select`, `scf.if`, `scf.index_switch` and scopes, becomes a
    branch with direct calls; function values cannot be compared, so one that
    comes from elsewhere (an argument, a loop, memory) stays an error. With
    `indirect-calls=keep` the callee runs in its own state, with a remark.

    `amp.is_enabled` folds everywhere.

    **After it**: what an op does depends on the regions around it in its own
    function only; no `amp.is_enabled` is left. Remarks (category `amp`) tell
    what was specialised.

    Example:

    ```mlir
    func.func private @callee(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      return %0 : tensor<4x4xf32>
    }
    func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
        %1 = func.call @callee(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
        amp.yield %1 : tensor<4x4xf32>
      }
      return %0 : tensor<4x4xf32>
    }
    ```
  }];
  let options = [
    Option<"indirectCalls", "indirect-calls", "std::string",
           /*default=*/"\"error\"",
           "What becomes of indirect calls in enabled scopes: 'error', "
           "'version' (branches with direct calls), or 'keep'">
  ];
  let statistics = [
    Statistic<"numSpecialized", "num-specialized",
              "Number of functions created for a state">,
    Statistic<"numInPlace", "num-in-place",
              "Number of functions rewritten for their only state">
  ];
  let dependentDialects = [
    "::mlir::amp::AMPDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect"];
}

def AmpDecidePrecisionPass
    : Pass<"amp-decide-precision", "::mlir::ModuleOp"> {
  let summary = "decide the element type of every value under autocast";
  let description = [{
    **Input**: a module on tensors in which scopes are `amp.autocast` regions,
    with element types as they are without autocast. Import forms of scopes,
    scopes under a run-time flag, and ops on buffers inside a scope are errors.

    **What it does**: finds the final element type of every value, over
    branches, loops and scopes, to a fixpoint, and gives every op in a scope
    that has floats the attribute `amp.decision`: the policy that applies, the
    types in which operands arrive and are taken, those of the results, and the
    reason. An op outside gets one only if an operand changes, because a scope
    with `results(propagate)` feeds it. Each decision is also a remark
    (category `amp`).

    Functions that are called in scopes are specialised first, where that has
    not been done (`amp-specialize-scopes`). Types flow through the calls of
    private functions as they would if these were inlined, into their arguments
    and results; where calls bring different types, the argument takes the
    join. All calls of a function change with it (`signatures`). Public
    functions keep their signature unless asked; so do functions whose address
    is taken, and declarations: their calls get casts at the border. The new
    signature stands in the attribute `amp.signature`.

    With `scope=function` every function with a body becomes one scope first;
    functions that are one already stay. With `classifier` these scopes have the
    policy set `@classifier`: every op runs in the lower-precision type, but for
    those that the rules keep in f32, by name, by op, by the ranges of their
    values and constants, by the depth of their reductions, and by their
    structure (`docs/classifier.md`). Scopes in the program win over the rules.

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
           "Device of the scopes that scope=function makes: cuda, cpu, xpu or mps">,
    Option<"dtype", "dtype", "std::string", /*default=*/"\"\"",
           "Lower-precision type of the scopes that scope=function makes: f16 "
           "or bf16; by default bf16 for cpu and f16 for the others">,
    Option<"results", "results", "std::string", /*default=*/"\"preserve\"",
           "Whether scopes that scope=function makes 'preserve' their result "
           "types or 'propagate' the new ones, into the signatures of public "
           "functions too">,
    Option<"signatures", "signatures", "std::string", /*default=*/"\"private\"",
           "Which functions may get other types: 'private' ones, 'all' (public "
           "ones get other results), or none ('fixed')">,
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
           "promotion">,
    Option<"classifier", "classifier", "bool", /*default=*/"false",
           "Let the rules of the classifier decide alone in the scopes that "
           "scope=function makes: what they do not keep out runs in the "
           "lower-precision type. Each of the options below turns it on">,
    Option<"lowPrecisionType", "low-precision-type", "std::string",
           /*default=*/"\"\"", "The same as dtype, by the peers' name">,
    ListOption<"nodesToExclude", "nodes-to-exclude", "std::string",
               "Regular expressions (POSIX extended, matched from the start) of "
               "the names of ops that stay in f32">,
    ListOption<"nodesToInclude", "nodes-to-include", "std::string",
               "The same for ops that run in the lower-precision type, whatever "
               "keeps them out">,
    ListOption<"targetsToExclude", "targets-to-exclude", "std::string",
               "Names of ops, such as aten.mm, that stay in f32">,
    ListOption<"targetsToInclude", "targets-to-include", "std::string",
               "Names of ops that run in the lower-precision type, whatever "
               "keeps them out">,
    Option<"dataMax", "data-max", "double", /*default=*/"-1",
           "Magnitude beyond which no value of an op may have been seen; by "
           "default (-1) that from which on neighbours in the lower-precision "
           "type are further apart than data-ulp; inf for no limit">,
    Option<"dataULP", "data-ulp", "double", /*default=*/"0.5",
           "Distance of neighbours in the lower-precision type at which data-max "
           "lies by default: 512 in f16, 64 in bf16">,
    Option<"initMax", "init-max", "double", /*default=*/"-1",
           "Magnitude beyond which no number of a constant may be; by default "
           "(-1) the largest of the lower-precision type; inf for no limit">,
    Option<"maxDepth", "max-depth-of-reduction", "int64_t", /*default=*/"-1",
           "Number of elements beyond which no reduction of an op may go; by "
           "default (-1) there is no limit">,
    Option<"maxUnderflow", "max-underflow", "double", /*default=*/"0.5",
           "Share (0 to 1) of the numbers of a value, zeros left out, that may "
           "have been seen below the normal numbers of the lower-precision "
           "type">,
    Option<"sensitivity", "sensitivity", "bool", /*default=*/"true",
           "Keep ops in f32 that are part of a pattern that loses precision">,
    Option<"performance", "performance", "bool", /*default=*/"true",
           "Keep ops in f32 that are slower in 16 bits">,
    Option<"weightOverflow", "weight-overflow", "std::string",
           /*default=*/"\"keep-f32\"",
           "What becomes of constants beyond the range of the lower-precision "
           "type: 'keep-f32' (the op stays in f32), 'error', or 'saturate' (a "
           "saturating cast)">,
    Option<"compat", "compat", "std::string", /*default=*/"\"none\"",
           "Whose answers to give: 'none' (amp's own), 'modelopt' or "
           "'torch-trt'">
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

    A cast of a value from outside of a loop stands in front of the loop.

    Functions get the signature that was decided for them. The two versions of
    a scope under a run-time flag become one where they are equal now.

    With `report` the module gets the attribute `amp.report`: for each op that
    had a decision what was done to it, which `amp-report` reads. It is off by
    default because it is about as large as the program; a module in which
    nothing is left to apply keeps the report that it has.

    **After it**: no `amp.autocast` and no decision is left; types are final
    except that `amp.promote` is not yet resolved.

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

def AmpMaterializePoliciesPass
    : Pass<"amp-materialize-policies", "::mlir::ModuleOp"> {
  let summary = "write built-in policy sets into the module";
  let description = [{
    **Input**: any module.

    **What it does**: puts an `amp.policy_set` with all entries of each built-in
    set that `sets` names at the start of the module, to be read, or to be copied
    and changed. A set whose name is for several devices gets one op for each,
    of name `@name_device` except for the first. Names that the module has
    already are left alone.

    **After it**: decisions are the same, but name lines of the module: a set of
    the module goes before the built-in one of its name.

    Example:

    ```mlir
    // RUN: amp-opt --amp-materialize-policies=sets=torch_mps_2_12
    module {
    }
    ```

    ```mlir
    // OUTPUT
    module {
      amp.policy_set @torch_mps_2_12 device("mps") extends @torch_mps {
        amp.policy "aten.conv3d" lower_precision_fp
        amp.policy "aten.conv_transpose3d.input" fp32
      }
    }
    ```
  }];
  let options = [
    ListOption<"sets", "sets", "std::string",
               "Names of built-in policy sets; by default torch_cuda">
  ];
  let dependentDialects = ["::mlir::amp::AMPDialect"];
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
    are used as they are. A cast of a value from outside of a loop stands in
    front of the loop.

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

def AmpLegalizeDtypesPass : Pass<"amp-legalize-dtypes"> {
  let summary = "bracket ops on types that the target lacks";
  let description = [{
    **Input**: a module without scopes. A scope, a decision or an import form
    that is left over is an error that says which pass to run first.

    **What it does**: an op on a float type that the target has no such op for
    gets casts around it (origin `legalization`, must round): into the narrowest
    legal type that holds every value and from which rounding back is innocuous,
    the op there, and back. Which types are legal for which class of ops is
    data: `lib/Dialect/AMP/Transforms/LegalTypes.def` for `target`, or the text
    of `legal`, such as `contraction:f16,bf16;elementwise:f32`. A class that is
    not listed takes every type.

    The payload of an elementwise `linalg.generic` is bracketed op by op, in
    registers; its operands keep their types in memory. What accumulates keeps
    accumulating in f32, and rounds once to its own type.

    Rounding stays as written: sums, differences, products, quotients and square
    roots round once, because the legal type has at least 2p + 2 bits for a type
    of p; where the target has no such type it is an error. Functions of the
    math dialect, which nobody rounds right, compute in f32 at least, as they do
    without the pass.

    **After it**: no op of a listed class computes on another type; the pass is
    idempotent. Each bracket is a remark (category `amp`, name `Bracket`).

    **Left alone**: casts, data movement, generators, `amp.out_dtype` (lower it
    first), integers, and ops that are known by name only.

    Example:

    ```mlir
    // RUN: amp-opt --amp-legalize-dtypes=target=sm_70
    func.func @add(%x: tensor<4xbf16>, %y: tensor<4xbf16>) -> tensor<4xbf16> {
      %0 = arith.addf %x, %y : tensor<4xbf16>
      return %0 : tensor<4xbf16>
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @add(%arg0: tensor<4xbf16>, %arg1: tensor<4xbf16>) -> tensor<4xbf16> {
      %0 = amp.cast %arg0 {origin = legalization} : tensor<4xbf16> to tensor<4xf32>
      %1 = amp.cast %arg1 {origin = legalization} : tensor<4xbf16> to tensor<4xf32>
      %2 = arith.addf %0, %1 : tensor<4xf32>
      %3 = amp.cast %2 {origin = legalization} : tensor<4xf32> to tensor<4xbf16>
      return %3 : tensor<4xbf16>
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "Target: cpu, sim, or a CUDA architecture such as sm_90a">,
    Option<"legal", "legal", "std::string", /*default=*/"\"\"",
           "Legal types per class of ops, instead of a target: "
           "contraction:f16,bf16;elementwise:f32">
  ];
  let statistics = [
    Statistic<"numBrackets", "num-brackets", "Number of ops bracketed">
  ];
  let dependentDialects = [
    "::mlir::amp::AMPDialect", "::mlir::tensor::TensorDialect"];
}

def AmpInstrumentRangesPass
    : Pass<"amp-instrument-ranges", "::mlir::ModuleOp"> {
  let summary = "observe which numbers the tensors of a program hold";
  let description = [{
    **Input**: a module on tensors, as it is before autocast.

    **What it does**: puts an `amp.observe` behind every tensor of floats that a
    profile has an entry of (`docs/profiles.md`): arguments of functions and of
    loops, and results of ops, inside of loops, branches and scopes too. Values
    that are computed alike share a slot; of pure ones in one block only the
    first is observed. Observations that an earlier run left are replaced, so
    the pass is idempotent.

    The observations are in copies of the functions, which the public ones call
    first, without use of the results. So code generation makes of the program
    itself what it makes without observations, and results are the same to the
    bit. With `in-place` they are in the functions themselves: half the work,
    but what is observed is not fused, and sums may round in another order.

    **After it**: the program computes what it did, and counts besides. Each
    observation is also a remark (category `amp`).

    **Left alone**: constants and fills of constants, which the program tells by
    itself; tensors that may hold what lay in memory (`tensor.empty`, and what
    is inserted into one slice by slice), because there is nothing to learn from
    that; unranked tensors, and those of more than 16 dimensions; payloads and
    `amp.out_dtype`, whose bodies compute no values of the program.

    Example:

    ```mlir
    // RUN: amp-opt --amp-instrument-ranges=in-place
    func.func @observed(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = math.exp %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @observed(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      amp.observe "observed:c8459d94c25b8a35" slot(0) %arg0 : tensor<4xf32>
      %0 = math.exp %arg0 : tensor<4xf32>
      amp.observe "observed:36f44c9d68c52882" slot(1) %0 : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"arguments", "arguments", "bool", /*default=*/"true",
           "Observe the arguments of functions and loops">,
    Option<"results", "results", "bool", /*default=*/"true",
           "Observe the results of ops">,
    Option<"inPlace", "in-place", "bool", /*default=*/"false",
           "Observe in the functions, not in copies that run first">,
    ListOption<"ops", "ops", "std::string",
               "If given, observe the results of ops with these names only">
  ];
  let statistics = [
    Statistic<"numSlots", "num-slots", "Number of records needed">,
    Statistic<"numObservations", "num-observations",
              "Number of amp.observe ops">
  ];
  let dependentDialects = [
    "::mlir::amp::AMPDialect", "::mlir::func::FuncDialect"];
}

#endif // AMP_DIALECT_AMP_TRANSFORMS_PASSES_TD
