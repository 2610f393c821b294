//===- AMPOverloadOps.td - abstract ops and their overloads -*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPOVERLOADOPS_TD
#define AMP_DIALECT_AMP_IR_AMPOVERLOADOPS_TD

include "amp/Dialect/AMP/IR/AMPDialect.td"
include "amp/Dialect/AMP/IR/AMPOverloadEnums.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

//===----------------------------------------------------------------------===//
// OverloadSetOp
//===----------------------------------------------------------------------===//

def AMP_OverloadSetOp : Op<AMP_Dialect, "overload_set", [
    Symbol, IsolatedFromAbove, SingleBlock, NoTerminator, NoRegionArguments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "one abstract op and its implementations";
  let description = [{
    A symbol that lists the overloads (`amp.overload`) of one abstract op, as
    an ONNX registry lists the functions that implement an ATen op.
    `amp.dispatch` names the set; `amp-dispatch-overloads` picks an overload by
    the types of the operands.

    With `keeps_type` the abstract op gives the type that its result rule makes
    of the operands' own types, whatever type the implementation runs in: where
    the operands were widened, the result is cast back. Without it an
    implementation that runs in another type gives another type.

    `ties` says what happens if several overloads match equally well and have
    the same priority: `error` (default), or the `first` or `last` of the set
    is taken, as torch's newer and older ONNX dispatchers do.

    All overloads have the same number of results. An implementation that is a
    function takes the operands in the order of the formals, then the numbers
    among the parameters, and each constraint allows just the type that the
    function takes.

    **Lifespan**: created by front ends; gone after `amp-dispatch-overloads`.

    Example:

    ```mlir
    amp.overload_set @add keeps_type {
      amp.overload "integers" calls @add_i64(self : T, other : T) -> T where T in [i64]
      amp.overload "floats" calls @add_f32(self : T, other : T) -> T where T in [f32]
    }
    func.func private @add_i64(tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
    func.func private @add_f32(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    OptionalAttr<StrAttr>:$sym_visibility,
    UnitProp:$keeps_type,
    DefaultValuedProp<EnumProp<AMP_OverloadTies>,
                      "::mlir::amp::OverloadTies::error">:$ties);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The overloads, in their order.
    ::llvm::SmallVector<::mlir::amp::OverloadOp> getOverloads();
  }];
}

//===----------------------------------------------------------------------===//
// OverloadOp
//===----------------------------------------------------------------------===//

def AMP_OverloadOp : Op<AMP_Dialect, "overload", [HasParent<"OverloadSetOp">]> {
  let summary = "one implementation and the types that it takes";
  let description = [{
    `amp.overload "name" calls @function(...) -> ...` is implemented by a
    function, `amp.overload "name" emits "dialect.op"(...) -> ...` by an op in
    generic form.

    In parentheses stand the formals, each with the element types that it takes:
    a type variable (`T`), whose types `where T in [f16, f32]` lists; one type
    (`i1`); or a list of types of its own (`[i32, i64]`). Formals with the same
    variable get operands of the same type. `?` marks a formal whose operand may
    be absent; only ops have those, and tell the absent ones by
    `operandSegmentSizes`. A tensor, a scalar or an attribute of the dispatch
    (a Python number) may be the operand of any formal. A result is a variable
    or a type.

    `with (...)` lists parameters, attributes of the dispatch:

    | parameter | meaning |
    |---|---|
    | `alpha : f32` | a number, given to the implementation in this type; an integer goes where a float is expected |
    | `mode : string` | a string; likewise `type` and `array` (for ops) |
    | `alpha : f32 = 1.0` | absent, it has this value |
    | `scale : f32?` | it may be absent or None (for ops) |
    | `mode : string == "tanh"` | selects: the overload matches only if it has this value; functions do not get it |

    `priority` (default 0) decides between overloads that match equally well:
    the larger one is taken. One that is registered to replace a default gets a
    larger priority than that.

    **Lifespan**: that of its set.

    Example:

    ```mlir
    amp.overload_set @gelu {
      amp.overload "tanh" emits "math.tanh"(self : T) with (approximate : string == "tanh") -> T where T in [f16, f32]
      amp.overload "erf" emits "math.erf"(self : T) with (approximate : string == "none") -> T where T in [f32] priority 1
    }
    ```
  }];
  let arguments = (ins
    StrAttr:$overload_name,
    OptionalAttr<FlatSymbolRefAttr>:$callee,
    OptionalAttr<StrAttr>:$emitted_op,
    DefaultValuedAttr<ArrayAttr, "{}">:$formals,
    DefaultValuedAttr<ArrayAttr, "{}">:$parameters,
    DefaultValuedAttr<ArrayAttr, "{}">:$result_rules,
    OptionalAttr<DictionaryAttr>:$variables,
    DefaultValuedAttr<I64Attr, "0">:$priority);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The signature in a form for programs. The op is verified.
    ::mlir::amp::OverloadSignature getSignature();
  }];
}

//===----------------------------------------------------------------------===//
// DispatchOp
//===----------------------------------------------------------------------===//

def AMP_DispatchOp : Op<AMP_Dialect, "dispatch", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "an abstract op, whose implementation the types choose";
  let description = [{
    Runs the overload of the set that matches the types of the operands and the
    parameters (the attributes without a dot in their names), as
    `amp-dispatch-overloads` says. `none` stands for an operand that is absent;
    those at the end may be left out. A parameter with the name of a formal
    gives a number as the operand; the type `none` as the value of a parameter
    is Python's None.

    The declared types of the results are those of the abstract op.

    **Lifespan**: created by front ends; gone after `amp-dispatch-overloads`.

    | operands | results |
    |---|---|
    | scalars and ranked tensors of floats, integers and complex numbers | the same |

    Example:

    ```mlir
    amp.overload_set @add keeps_type {
      amp.overload "floats" calls @add_f32(self : T, other : T) with (alpha : f32 = 1.0) -> T where T in [f32]
    }
    func.func private @add_f32(tensor<?xf32>, tensor<?xf32>, f32) -> tensor<?xf32>
    func.func @f(%a: tensor<4xbf16>, %b: tensor<4xbf16>) -> tensor<4xbf16> {
      %0 = amp.dispatch @add(%a, %b) {alpha = 2.0 : f32} : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
      return %0 : tensor<4xbf16>
    }
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$set,
    Arg<Variadic<AnyType>, "operands that are there">:$inputs,
    OptionalAttr<DenseBoolArrayAttr>:$absent,
    OptionalAttr<DictionaryAttr>:$parameters);
  let results = (outs Res<Variadic<AnyType>, "results of the abstract op">:$outputs);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The operands by position; null for one that is absent.
    ::llvm::SmallVector<::mlir::Value> getPositions();

    /// The parameter `name`; null if there is none.
    ::mlir::Attribute getParameter(::llvm::StringRef name);
  }];
}

#endif // AMP_DIALECT_AMP_IR_AMPOVERLOADOPS_TD
