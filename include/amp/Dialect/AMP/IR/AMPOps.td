//===- AMPOps.td - operations of the amp dialect -----------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPOPS_TD
#define AMP_DIALECT_AMP_IR_AMPOPS_TD

include "amp/Dialect/AMP/IR/AMPAttributes.td"
include "amp/Interfaces/PrecisionOpInterface.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CastInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

/// Element types that amp converts between. tf32, f80 and f128 are left out:
/// tf32 is no storage type, and no target of amp has the other two.
def AMP_Element : Type<CPred<"::mlir::amp::isAMPElementType($_self)">,
    "f64, f32, f16, bf16, an 8-bit float, or an integer of 1 to 64 bits">;

def AMP_Value : AnyTypeOf<[AMP_Element, VectorOfNonZeroRankOf<[AMP_Element]>,
                           RankedTensorOf<[AMP_Element]>],
    "a scalar, vector or ranked tensor of f64, f32, f16, bf16, an 8-bit float, "
    "or an integer of 1 to 64 bits">;

def AMP_Complex : Type<CPred<"::mlir::amp::isAMPComplexType($_self)">,
    "a complex number of f16, f32 or f64">;

def AMP_Number : AnyTypeOf<[AMP_Value, AMP_Complex, RankedTensorOf<[AMP_Complex]>],
    "a scalar, vector or ranked tensor of f64, f32, f16, bf16, an 8-bit float, "
    "or an integer of 1 to 64 bits, or one of complex numbers of f16, f32 or f64">;

class AMP_Op<string mnemonic, list<Trait> traits = []>
    : Op<AMP_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// CastOp
//===----------------------------------------------------------------------===//

// No Scalarizable, Vectorizable and Tensorizable: with all of these traits
// upstream's patterns rebuild an op from its attributes, and would lose the
// properties, such as the overflow mode.
def AMP_CastOp : AMP_Op<"cast", [
    Pure, SameOperandsAndResultShape, Elementwise,
    DeclareOpInterfaceMethods<CastOpInterface>,
    DeclareOpInterfaceMethods<PrecisionOpInterface, ["retype"]>]> {
  let summary = "convert a value to another element type";
  let description = [{
    The result has the shape of the operand and each element converted on its
    own. A cast to the operand's own element type is the operand. Otherwise:

    - float to float: the value rounded once to the result type, by `rounding`
      (to nearest, ties to even, when absent). f16 to bf16 and back round once,
      as if through f32. NaN gives NaN and keeps its sign where the type has
      one; -0 gives -0, or 0 in a type without -0. A value beyond the range
      becomes an infinity under `ieee`, or NaN in a type without infinities;
      under `saturate` it becomes the largest finite value of its sign, and so
      does an infinity. f8E8M0FNU has neither zero nor sign: 0 becomes its
      smallest value, 2^-127, and a negative value becomes NaN under `ieee` and
      2^-127 under `saturate`.
    - float to integer: rounded toward zero. Out of range, and NaN, it is
      undefined under `ieee` (as `arith.fptosi`); under `saturate` it clamps,
      and NaN gives 0.
    - integer to float: rounded as above. Signless integers are signed; `i1` is
      0 or 1.
    - integer to integer: sign- or zero-extended by the operand's signedness,
      or truncated (wraps); under `saturate` it clamps.
    - anything to `i1`: whether the value differs from 0 (NaN does).

    A cast is `must_round` unless it says `may_elide`: then a later stage may
    keep the wider value instead. Casts that a user wrote and casts at the
    border of a scope always round (a value that leaves has been rounded, even
    where the cast in front of the border may be elided); casts that a policy
    inserted may be elided.
    `origin` tells who asked for the cast.

    **Lifespan**: created by front ends, `amp-apply-precision` and
    `amp-resolve-promotions`; gone after `amp-to-linalg`. Unlike `arith.truncf`
    and `arith.extf` it needs no direction, converts between formats of equal
    width, and says what happens on overflow.

    | operand | result |
    |---|---|
    | f64, f32, f16, bf16, any f8 | f64, f32, f16, bf16, any f8, any integer |
    | integer of 1 to 64 bits | f64, f32, f16, bf16, any f8, any integer |
    | any of these | complex of f16, f32 or f64, with 0 as the imaginary part |
    | complex | complex, part by part; never a real number |

    Example:

    ```mlir
    func.func @cast(%x: tensor<4x?xf32>) -> tensor<4x?xf8E4M3FN> {
      %0 = amp.cast %x {overflow = saturate} : tensor<4x?xf32> to tensor<4x?xf8E4M3FN>
      return %0 : tensor<4x?xf8E4M3FN>
    }
    ```
  }];
  let arguments = (ins
    Arg<AMP_Number, "value to convert">:$input,
    OptionalAttr<Arith_RoundingModeAttr>:$rounding,
    DefaultValuedProp<EnumProp<AMP_OverflowMode>,
                      "::mlir::amp::OverflowMode::ieee">:$overflow,
    UnitProp:$may_elide,
    DefaultValuedProp<EnumProp<AMP_CastOrigin>,
                      "::mlir::amp::CastOrigin::user">:$origin);
  let results = (outs Res<AMP_Number, "converted value">:$result);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$input,
                   CArg<"::mlir::amp::CastOrigin",
                        "::mlir::amp::CastOrigin::user">:$origin,
                   CArg<"bool", "false">:$mayElide)>];
}

//===----------------------------------------------------------------------===//
// PromoteOp
//===----------------------------------------------------------------------===//

def AMP_PromoteOp : AMP_Op<"promote", [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>,
    DeclareOpInterfaceMethods<PrecisionOpInterface,
        ["acceptsMixedOperands"]>]> {
  let summary = "convert several values to the widest of their element types";
  let description = [{
    Result `i` is operand `i` converted to one common element type; shapes stay.
    The common type is the narrowest storage type that holds every value of the
    element types that take part (their *join*): f16 with bf16 gives f32,
    f8E4M3FN with f8E5M2 gives f16, f8 with bf16 gives bf16. The order of the
    operands does not matter.

    - `mode = autocast` (default): every float operand except f64 takes part,
      and `at_least` if given; f64 and integer operands pass through. This is
      the promotion of torch.autocast's `promote` policy, made independent of
      the order of operands. With `strict`, a reduced-precision operand type
      other than `at_least` is an error of the verifier, as in torch.
    - `mode = elementwise`: torch's implicit promotion. Tensors and vectors with
      at least one dimension decide; 0-d tensors, and after them scalars, take
      part only where their category (bool < integer < float) is higher. An
      integer joins a float as that float. All operands are converted.

    Every conversion is exact, except under `elementwise` that of an integer to
    a float too narrow for it, and of a 0-d tensor or scalar to the narrower
    float of the tensors: those round to nearest even.

    **Lifespan**: created by front ends and `amp-apply-precision`; stays while
    operand types may change, and is gone after `amp-resolve-promotions`, which
    turns it into one `amp.cast` per operand. It differs from `amp.cast` in that
    its result type follows from its operands.

    | operands | result (mode autocast) |
    |---|---|
    | f64, integers | unchanged |
    | f32, f16, bf16, f8 | join of these and `at_least` |

    Example:

    ```mlir
    func.func @promote(%x: tensor<4x4xf32>, %y: tensor<4xf16>) -> (tensor<4x4xf32>, tensor<4xf32>) {
      %0:2 = amp.promote %x, %y : tensor<4x4xf32>, tensor<4xf16>
      return %0#0, %0#1 : tensor<4x4xf32>, tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins
    Arg<Variadic<AMP_Number>, "values to convert">:$inputs,
    DefaultValuedProp<EnumProp<AMP_PromoteMode>,
                      "::mlir::amp::PromoteMode::autocast">:$mode,
    OptionalAttr<TypeAttr>:$at_least,
    UnitProp:$strict);
  let results = (outs Res<Variadic<AMP_Number>, "converted values">:$results);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::ValueRange":$inputs, "::mlir::amp::PromoteMode":$mode,
                   CArg<"::mlir::Type", "{}">:$atLeast)>];
  let extraClassDeclaration = [{
    /// The types that the results would have for operands of types `types`; null
    /// where there is no common type.
    ::llvm::SmallVector<::mlir::Type> inferResultTypes(::mlir::TypeRange types);
  }];
}

//===----------------------------------------------------------------------===//
// AutocastOp and YieldOp
//===----------------------------------------------------------------------===//

def AMP_AutocastOp : AMP_Op<"autocast", [
    AttrSizedOperandSegments, IsolatedFromAbove, SingleBlock, RecursiveMemoryEffects,
    RecursivelySpeculatable, AutomaticAllocationScope,
    DeclareOpInterfaceMethods<RegionBranchOpInterface,
        ["getEntrySuccessorOperands", "getRegionInvocationBounds"]>]> {
  let summary = "a region whose ops run under automatic mixed precision";
  let description = [{
    The body runs once, and yields the results. Inside, autocast is on for
    `device` with the lower-precision type `dtype`, or off where `disabled` is
    given, or on if `%flag` is true at run time. Scopes nest: the innermost one
    for an op's device decides, and a scope leaves other devices as they were.
    What an op does under autocast is not written here but decided by
    `amp-decide-precision` from the policy set `policy`, or from the built-in
    set of the device.

    Types inside the body are those that the program had without autocast. With
    `results(preserve)` (default) the results keep their types, and values that
    leave in another element type are cast, always rounded. With
    `results(propagate)` the results take the element types that their values
    have inside.

    The region is isolated from above: every value that it uses is an operand.
    Otherwise common subexpression elimination, hoisting and folding would move
    ops across the border and so change their precision.

    A value's device is the `amp.device` attribute of the function argument
    that it comes from; without one, it is the device of the innermost scope.

    **Lifespan**: created by front ends; dissolved by `amp-apply-precision`.

    | attribute | type |
    |---|---|
    | dtype | f16 or bf16 where the scope is not disabled |
    | flag | i1 |

    Example:

    ```mlir
    func.func @scope(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
      %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x8xf32>, %y = %b : tensor<8x4xf32>) -> tensor<4x4xf32> {
        %1 = "aten.mm"(%x, %y) : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
        amp.yield %1 : tensor<4x4xf32>
      }
      return %0 : tensor<4x4xf32>
    }
    ```
  }];
  let arguments = (ins
    Arg<Optional<I1>, "whether the scope is on, where only run time tells">:$flag,
    Arg<Variadic<AnyType>, "values that the body uses">:$captures,
    StrAttr:$device,
    TypeAttr:$dtype,
    UnitProp:$disabled,
    DefaultValuedProp<EnumProp<AMP_ResultsMode>,
                      "::mlir::amp::ResultsMode::preserve">:$results_mode,
    OptionalAttr<SymbolRefAttr>:$policy);
  let results = (outs Res<Variadic<AnyType>, "yielded values">:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$resultTypes, "::llvm::StringRef":$device,
                   "::mlir::Type":$dtype, "::mlir::ValueRange":$captures)>];
  let extraClassDeclaration = [{
    /// The terminator of the body.
    YieldOp getYield();
  }];
}

def AMP_YieldOp : AMP_Op<"yield", [
    Pure, Terminator, ReturnLike,
    ParentOneOf<["AutocastOp", "OutDtypeOp"]>]> {
  let summary = "end the body of a scope";
  let description = [{
    Ends the body of `amp.autocast` or `amp.out_dtype` and gives its results.

    **Lifespan**: that of its parent.

    Example:

    ```mlir
    func.func @yield(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = amp.autocast device("cpu") dtype(bf16) disabled (%x = %a : tensor<4xf32>) -> tensor<4xf32> {
        amp.yield %x : tensor<4xf32>
      }
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Arg<Variadic<AnyType>, "values to yield">:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

include "amp/Dialect/AMP/IR/AMPOutDtypeOps.td"

//===----------------------------------------------------------------------===//
// Unstructured scopes
//===----------------------------------------------------------------------===//

def AMP_ConfigOp : AMP_Op<"config", [Pure]> {
  let summary = "the state that a scope turns on";
  let description = [{
    Describes a scope without opening it. The value may be entered many times.

    **Lifespan**: an import form, emitted by front ends that trace `with`
    statements. `amp-decide-precision` and every later pass reject it.

    Example:

    ```mlir
    func.func @unstructured(%a: tensor<4xf32>) -> i1 {
      %cfg = amp.config device("cuda") dtype(f16)
      %t = amp.enter %cfg
      %on = amp.is_enabled device("cuda")
      amp.exit %t
      return %on : i1
    }
    ```
  }];
  let arguments = (ins
    Arg<Optional<I1>, "whether the scope is on, where only run time tells">:$flag,
    StrAttr:$device, TypeAttr:$dtype, UnitProp:$disabled);
  let results = (outs Res<AMP_ConfigType, "description of the scope">:$config);
  let assemblyFormat = [{
    `device` `(` $device `)` `dtype` `(` $dtype `)` (`disabled` $disabled^)?
    (`if` $flag^)? attr-dict
  }];
  let hasVerifier = 1;
}

def AMP_EnterOp : AMP_Op<"enter", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "open an unstructured scope";
  let description = [{
    Opens the scope that `config` describes, until the matching `amp.exit`.

    **Lifespan**: as `amp.config`, where the example is.
  }];
  let arguments = (ins Arg<AMP_ConfigType, "scope to open">:$config);
  let results = (outs Res<AMP_TokenType, "the open scope">:$token);
  let assemblyFormat = "$config attr-dict";
}

def AMP_ExitOp : AMP_Op<"exit", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "close an unstructured scope";
  let description = [{
    Closes the scope that `token` stands for.

    **Lifespan**: as `amp.config`, where the example is.
  }];
  let arguments = (ins Arg<AMP_TokenType, "scope to close">:$token);
  let assemblyFormat = "$token attr-dict";
}

def AMP_IsEnabledOp : AMP_Op<"is_enabled", [MemoryEffects<[MemRead]>]> {
  let summary = "whether autocast is on for a device";
  let description = [{
    True where the innermost scope for `device` is on. It reads the state that
    `amp.enter` and `amp.exit` write, so it does not move across them.

    **Lifespan**: as `amp.config`, where the example is.
  }];
  let arguments = (ins StrAttr:$device);
  let results = (outs Res<I1, "whether autocast is on">:$result);
  let assemblyFormat = "`device` `(` $device `)` attr-dict";
}

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

def AMP_LaunchOp : AMP_Op<"launch", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run a kernel function";
  let description = [{
    Runs the kernel function `kernel` once, on the inputs and destinations that
    are its arguments, in this order. On tensors there is one result for each
    destination, of its type: what the kernel returns. On buffers there is no
    result, and the kernel writes the destinations. Scalars are inputs only.

    A kernel function is a function with the attribute `amp.kernel`, in a module
    inside of the module of the launch. It takes its inputs, then one tensor for
    each result, marked with `amp.destination`. An operand may be of a more
    static or more dynamic shape than the argument. Sizes that are equal by the
    kernel's ops must be equal in the operands; otherwise the behaviour is
    undefined.

    **Lifespan**: created by `amp-form-kernels`; gone after `amp-gpu-codegen`
    or `amp-inline-kernels`.

    Example:

    ```mlir
    module {
      module @kernels {
        func.func @negate(%x: tensor<8xf32>, %d: tensor<8xf32> {amp.destination = 0 : i64}) -> tensor<8xf32> attributes {amp.kernel} {
          %0 = linalg.negf ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
      }
      func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
        %e = tensor.empty() : tensor<8xf32>
        %0 = amp.launch @kernels::@negate ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
        return %0 : tensor<8xf32>
      }
    }
    ```
  }];
  let arguments = (ins
    SymbolRefAttr:$kernel,
    Arg<Variadic<AnyType>, "tensors or buffers that are read, and scalars">:$inputs,
    Arg<Variadic<AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef]>>,
        "tensors or buffers that take the results">:$outputs);
  let results = (outs Res<Variadic<AnyRankedTensor>, "what the kernel returns">:$results);
  let assemblyFormat = [{
    $kernel (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`outs` `(` $outputs^ `:` type($outputs) `)`)? attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputsMutable(); }
  }];
}

#endif // AMP_DIALECT_AMP_IR_AMPOPS_TD
