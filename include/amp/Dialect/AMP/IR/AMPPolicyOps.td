//===- AMPPolicyOps.td - policies as operations ------------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPPOLICYOPS_TD
#define AMP_DIALECT_AMP_IR_AMPPOLICYOPS_TD

include "amp/Dialect/AMP/IR/AMPAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class AMP_PolicySetMember<string mnemonic, list<Trait> traits = []>
    : Op<AMP_Dialect, mnemonic, !listconcat([HasParent<"PolicySetOp">], traits)>;

//===----------------------------------------------------------------------===//
// PolicySetOp
//===----------------------------------------------------------------------===//

def AMP_PolicySetOp : Op<AMP_Dialect, "policy_set", [
    Symbol, IsolatedFromAbove, SingleBlock, NoTerminator, NoRegionArguments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "what is wanted of each op, for one device";
  let description = [{
    A symbol that lists op names with their policy (`amp.policy`), and rules
    (`amp.rule`). A scope uses it with `policy(@name)`; the option `policy=@name`
    of `amp-decide-precision` makes it the set of all scopes for its device that
    name none. Sets stand in the module, or in a file of their own, which
    `policy-file=` loads. In such a file there is nothing else.

    `extends` names another set for the same device: an entry of this set
    replaces that of the extended one for the same op. The built-in sets
    `@torch_cuda`, `@torch_cpu`, `@torch_xpu`, `@torch_mps` and `@torchscript`
    need no op in the module. A set that extends none has no entries but its
    own, and ops without an entry fall through: they run in the types of their
    operands.

    `unknown_op` says what happens to an op of a dialect that amp does not know,
    if no entry names it: `keep` (default: it keeps its declared types), `error`,
    or `follow` (it runs in the types of its operands). ATen ops without an entry
    are not unknown: as in torch, they fall through.

    Two entries for one op are an error, whether they agree or not.

    **Lifespan**: written by hand, by `amp-materialize-policies` or by tools;
    gone after `amp-apply-precision`.

    Example:

    ```mlir
    amp.policy_set @mine device("cuda") extends @torch_cuda unknown_op(error) {
      amp.policy "aten.softmax.int" lower_precision_fp
      amp.policy "math.exp" fallthrough
      amp.policy class("reduction") fp32
      amp.rule exclude name("^conv2d$")
    }
    func.func @own_set(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = amp.autocast device("cuda") dtype(f16) policy(@mine) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
        %1 = "aten.softmax.int"(%x) {dim = 0 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
        amp.yield %1 : tensor<4x4xf32>
      }
      return %0 : tensor<4x4xf32>
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    OptionalAttr<StrAttr>:$sym_visibility,
    StrAttr:$device,
    OptionalAttr<FlatSymbolRefAttr>:$extends,
    OptionalAttr<AMP_UnknownOpAttr>:$unknown_op);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::llvm::StringRef":$device)>];
}

//===----------------------------------------------------------------------===//
// PolicyOp
//===----------------------------------------------------------------------===//

def AMP_PolicyOp : AMP_PolicySetMember<"policy"> {
  let summary = "the policy of one op name, or of one class of ops";
  let description = [{
    `amp.policy "op.name" <policy>` is for the ops of exactly this name.
    "torch.aten.mm", "aten.mm.default" and "aten.mm" are one name. In ATen names
    the overload counts: "aten.softmax.int" says nothing of "aten.softmax".
    "aten.softmax.*" is for every overload of the name, except those that write
    to an operand (in-place and `out=`); an entry for one overload goes before
    it.

    `amp.policy class("name") <policy>` is for the ops of a class of
    PrecisionOpInterface that no entry names: contraction, convolution, pooling,
    elementwise, reduction, selection, normalization, data_movement.

    | policy | what the op does in an enabled scope |
    |---|---|
    | lower_precision_fp | eligible operands are cast to the scope's type |
    | fp32 | eligible operands are cast to f32 |
    | fp32_set_opt_dtype | a `dtype` parameter that is absent becomes f32 if the first operand is eligible |
    | fp32_append_dtype | the overload with a `dtype` parameter is used, with f32 |
    | promote | eligible operands are cast to the widest of their types and the scope's |
    | banned | an error |
    | fallthrough | it runs in the types of its operands |
    | follow | pure data movement: it takes the type of its producer |
    | keep | it keeps its declared types |

    **Lifespan**: that of its set.

    Example:

    ```mlir
    amp.policy_set @entries device("cpu") {
      amp.policy "aten.mm" lower_precision_fp
      amp.policy "aten.pow.*" fp32
      amp.policy class("normalization") fp32
    }
    ```
  }];
  let arguments = (ins
    OptionalAttr<StrAttr>:$op_name,
    OptionalAttr<StrAttr>:$op_class,
    EnumProp<AMP_Policy>:$policy);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// RuleOp
//===----------------------------------------------------------------------===//

/// A number, or nothing for that of the scope's type.
def AMP_RuleLimit : AnyAttrOf<[F64Attr, UnitAttr]>;

def AMP_RuleOp : AMP_PolicySetMember<"rule"> {
  let summary = "keep the ops that match out of the lower-precision type";
  let description = [{
    A rule matches an op if all of its matchers do:

    - `name("regex")`: the op's name (its attribute `amp.name`, or else its
      NameLoc) matches the POSIX extended regular expression from the start, as
      with Python's `re.match`.
    - `op("name")`: the op has this name, spelled as in `amp.policy`.
    - `location("model.mlir:42:10")`: the op stands at this line and column of the
      file, which may be written without its folders.
    - `data_max(512.0)`: a float that the op takes or gives was seen beyond the
      magnitude, or as NaN or an infinity. Without a number: beyond that at
      which neighbours in the scope's type are further apart than `data-ulp`.
    - `init_max(65504.0)`: a constant operand holds a number beyond it, or NaN.
      Without a number: one that becomes infinite in the scope's type.
    - `underflow(0.5)`: more than this share of the numbers that a float was
      seen as, zeros left out, are below the normal numbers of the scope's type.
    - `depth(4096)`: the op reduces more elements than this.
    - `sensitive("exp_reduction")`: the op is part of a pattern that loses
      precision: "epsilon_division", "exp_reduction", "variance" or
      "mask_sentinel"; without a kind, any of the first three.
    - `performance`: the op is known to be slower in 16 bits on the set's
      device.

    `exclude` keeps the op in f32, `include` runs it in the scope's type. Rules
    go before the policies of the set, and `include` before `exclude`; of those
    that match the first in the text is the reason. Values are seen where
    `amp-decide-precision` has a `profile`. docs/classifier.md has it all.

    **Lifespan**: that of its set.

    Example:

    ```mlir
    amp.policy_set @rules device("cuda") extends @torch_cuda {
      amp.rule exclude name("^head") op("aten.linear")
      amp.rule exclude op("aten.linear") depth(4096)
      amp.rule exclude data_max(1.0e+03)
      amp.rule exclude sensitive("variance")
      amp.rule include name("^head.proj$")
    }
    ```
  }];
  let arguments = (ins
    EnumProp<AMP_RuleAction>:$action,
    OptionalAttr<StrAttr>:$name_regex,
    OptionalAttr<StrAttr>:$op_name,
    OptionalAttr<StrAttr>:$location,
    OptionalAttr<AMP_RuleLimit>:$data_max,
    OptionalAttr<AMP_RuleLimit>:$init_max,
    OptionalAttr<AMP_RuleLimit>:$underflow,
    OptionalAttr<I64Attr>:$depth,
    OptionalAttr<AnyAttrOf<[StrAttr, UnitAttr]>>:$sensitive,
    UnitAttr:$performance);
  let assemblyFormat = [{
    $action custom<RuleMatchers>($name_regex, $op_name, $location, $data_max,
                                 $init_max, $underflow, $depth, $sensitive,
                                 $performance)
    attr-dict
  }];
  let hasVerifier = 1;
}

#endif // AMP_DIALECT_AMP_IR_AMPPOLICYOPS_TD
