//===- AMPAttributes.td - attributes and types of the amp dialect -*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPATTRIBUTES_TD
#define AMP_DIALECT_AMP_IR_AMPATTRIBUTES_TD

include "amp/Dialect/AMP/IR/AMPDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

class AMP_I32Enum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::mlir::amp";
}

def AMP_OverflowMode : AMP_I32Enum<"OverflowMode",
    "what a cast does with a finite value beyond the result type's range", [
      I32EnumCase<"ieee", 0>, I32EnumCase<"saturate", 1>]>;

def AMP_CastOrigin : AMP_I32Enum<"CastOrigin", "who asked for a cast", [
      I32EnumCase<"user", 0>, I32EnumCase<"policy", 1>,
      I32EnumCase<"promotion", 2>, I32EnumCase<"boundary", 3>,
      I32EnumCase<"legalization", 4>]>;

def AMP_PromoteMode : AMP_I32Enum<"PromoteMode",
    "which operands take part in a promotion, and how", [
      I32EnumCase<"autocast", 0>, I32EnumCase<"elementwise", 1>]>;

def AMP_ResultsMode : AMP_I32Enum<"ResultsMode",
    "whether the results of a scope keep their types", [
      I32EnumCase<"preserve", 0>, I32EnumCase<"propagate", 1>]>;

def AMP_Policy : AMP_I32Enum<"Policy",
    "how autocast treats an op; the categories are those of torch.autocast", [
      I32EnumCase<"lower_precision_fp", 0>, I32EnumCase<"fp32", 1>,
      I32EnumCase<"fp32_set_opt_dtype", 2>,
      I32EnumCase<"fp32_append_dtype", 3>, I32EnumCase<"promote", 4>,
      I32EnumCase<"banned", 5>, I32EnumCase<"fallthrough", 6>,
      I32EnumCase<"follow", 7>, I32EnumCase<"keep", 8>]>;

def AMP_Reason : AMP_I32Enum<"Reason", "why an op got its decision", [
      I32EnumCase<"op_policy", 0>, I32EnumCase<"class_policy", 1>,
      I32EnumCase<"payload_policy", 2>, I32EnumCase<"unlisted", 3>,
      I32EnumCase<"no_eligible_operand", 4>,
      I32EnumCase<"f64_operand", 5>, I32EnumCase<"explicit_dtype", 6>,
      I32EnumCase<"scope_disabled", 7>, I32EnumCase<"outside_scope", 8>,
      I32EnumCase<"control_flow", 9>, I32EnumCase<"boundary", 10>,
      I32EnumCase<"unknown_op", 11>, I32EnumCase<"explicit_cast", 12>,
      I32EnumCase<"generator", 13>, I32EnumCase<"pinned", 14>,
      I32EnumCase<"op_attribute", 15>, I32EnumCase<"rule", 16>,
      // Of the classifier.
      I32EnumCase<"default_low", 32>, I32EnumCase<"included", 33>,
      I32EnumCase<"name_rule", 34>, I32EnumCase<"op_rule", 35>,
      I32EnumCase<"init_range", 36>, I32EnumCase<"data_range", 37>,
      I32EnumCase<"not_finite", 38>, I32EnumCase<"underflow", 39>,
      I32EnumCase<"reduction_depth", 40>,
      I32EnumCase<"epsilon_division", 41>,
      I32EnumCase<"exp_reduction", 42>, I32EnumCase<"variance", 43>,
      I32EnumCase<"mask_sentinel", 44>, I32EnumCase<"performance", 45>,
      I32EnumCase<"unsupported", 46>, I32EnumCase<"custom_rule", 47>]>;

def AMP_UnknownOp : AMP_I32Enum<"UnknownOp",
    "what happens to an op that nobody knows: no policy names it and it has no "
    "PrecisionOpInterface", [
      I32EnumCase<"keep", 0>, I32EnumCase<"error", 1>,
      I32EnumCase<"follow", 2>]>;

def AMP_RuleAction : AMP_I32Enum<"RuleAction",
    "whether a rule keeps the ops that it matches out of the lower-precision "
    "type, or lets them in", [
      I32EnumCase<"exclude", 0>, I32EnumCase<"include", 1>]>;

def AMP_EntryState : AMP_I32Enum<"EntryState",
    "what callers outside of the module have autocast at", [
      I32EnumCase<"off", 0>, I32EnumCase<"on", 1>,
      I32EnumCase<"unknown", 2>]>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class AMP_Attr<string name, string attrMnemonic>
    : AttrDef<AMP_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def AMP_DecisionAttr : AMP_Attr<"Decision", "decision"> {
  let summary = "the precision decided for one op";
  let description = [{
    What `amp-apply-precision` will do to the op that carries the attribute
    under the name `amp.decision`:

    - `policy` and `reason`: the policy that applied, and why.
    - `from`: for each operand the element type in which its value arrives;
      `none` for an operand that autocast does not touch.
    - `to`: for each operand the element type in which the op takes it.
    - `results`: for each result its final element type; `none` for a result
      that is not a floating-point scalar or tensor.
    - `compute`: the type in which the op computes or accumulates.
    - `by`: the policy set that holds the entry or the `amp.rule` which decided,
      if one did, and with `at` its location. Entries of built-in sets have
      none.

    A decision is valid for the operand types it names, and until
    `amp-apply-precision` has run: that pass compares `from` with what it finds
    and asks for a new decision where they differ.

    **Lifespan**: set by `amp-decide-precision`, gone after
    `amp-apply-precision`.

    Example:

    ```mlir
    func.func @decided(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = math.exp %a {amp.decision = #amp.decision<fp32, from (f32), to (f32), results (f32), compute(f32), op_policy>} : tensor<4x4xf32>
      return %0 : tensor<4x4xf32>
    }
    ```
  }];
  let parameters = (ins
    EnumParameter<AMP_Policy>:$policy,
    ArrayRefParameter<"::mlir::Type">:$from,
    ArrayRefParameter<"::mlir::Type">:$to,
    ArrayRefParameter<"::mlir::Type">:$results,
    "::mlir::Type":$compute,
    EnumParameter<AMP_Reason>:$reason,
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$set,
    OptionalParameter<"::mlir::LocationAttr">:$entry);
  let assemblyFormat = [{
    `<` $policy `,` `from` custom<ElementTypes>($from) `,`
    `to` custom<ElementTypes>($to) `,` `results` custom<ElementTypes>($results)
    `,` `compute` `(` $compute `)` `,` $reason
    (`by` custom<DecisionSource>($set, $entry)^)? `>`
  }];
  let genVerifyDecl = 1;
}

def AMP_PolicyAttr : EnumAttr<AMP_Dialect, AMP_Policy, "policy"> {
  let summary = "the policy of one op";
  let description = [{
    On an op, under the name `amp.policy`: the op gets this policy in every
    enabled scope, whatever the scope's policy set says of it. In a disabled
    scope, and outside of scopes, it says nothing. `amp-apply-precision` removes
    it together with the decision.

    Example:

    ```mlir
    func.func @own_policy(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
        %1 = "aten.mm"(%x, %x) {amp.policy = #amp.policy<fp32>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
        amp.yield %1 : tensor<4x4xf32>
      }
      return %0 : tensor<4x4xf32>
    }
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def AMP_UnknownOpAttr : EnumAttr<AMP_Dialect, AMP_UnknownOp, "unknown_op"> {
  let assemblyFormat = "`<` $value `>`";
}

def AMP_ScopeAttr : AMP_Attr<"Scope", "scope"> {
  let summary = "a scope written as an attribute of a function";
  let description = [{
    The decorator form of a scope: the function body runs as if it stood in an
    `amp.autocast` region with the same device, element type and state. A
    function that carries it also carries `no_inline`, because upstream's
    inliner would lose the scope.

    **Lifespan**: an import form. It must be turned into a region before any
    pass of amp decides: `amp-decide-precision` and every later pass reject it.

    Example:

    ```mlir
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32>
        attributes {amp.autocast = #amp.scope<device = "cuda", dtype = f16, enabled = true>, no_inline} {
      return %a : tensor<4xf32>
    }
    ```
  }];
  let parameters = (ins
    StringRefParameter<"device that the scope turns autocast on or off for">:$device,
    "::mlir::Type":$dtype,
    DefaultValuedParameter<"bool", "true">:$enabled);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def AMP_EntryAttr : AMP_Attr<"Entry", "entry"> {
  let summary = "the autocast state in which a function is entered";
  let description = [{
    Declares, under the name `amp.entry` of a public function, what callers
    outside of the module have autocast for `device` at: `off` (as without the
    attribute), `on` with `dtype`, or `unknown`. Under `unknown` the function
    gets one more argument, an `i1` that says whether autocast is on, or calls
    the function `query`, if that is given, which takes nothing and returns the
    `i1`. Several devices are an array of such attributes.

    It says nothing of calls inside the module: these give the callee the state
    of the caller.

    **Lifespan**: an import form. `amp-structurize-scopes` turns it into a
    region around the body.

    Example:

    ```mlir
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32>
        attributes {amp.entry = #amp.entry<device = "cuda", dtype = f16, state = unknown>} {
      return %a : tensor<4xf32>
    }
    ```
  }];
  let parameters = (ins
    StringRefParameter<"device whose autocast state is declared">:$device,
    "::mlir::Type":$dtype,
    EnumParameter<AMP_EntryState>:$state,
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$query);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

include "amp/Dialect/AMP/IR/ReportAttributes.td"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class AMP_Type<string name, string typeMnemonic>
    : TypeDef<AMP_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def AMP_ConfigType : AMP_Type<"Config", "config"> {
  let summary = "the state that an unstructured scope turns on";
}

def AMP_TokenType : AMP_Type<"Token", "token"> {
  let summary = "an open unstructured scope";
}

#endif // AMP_DIALECT_AMP_IR_AMPATTRIBUTES_TD
