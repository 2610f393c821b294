//===- ReportAttributes.td - what autocast did to a module -*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_REPORTATTRIBUTES_TD
#define AMP_DIALECT_AMP_IR_REPORTATTRIBUTES_TD

def AMP_OpReportAttr : AMP_Attr<"OpReport", "op_report"> {
  let summary = "what autocast did to one op";
  let description = [{
    One element of the attribute `amp.report` of a module, an array in program
    order:

    - `op`, `function`, `name`: the op's name, the symbol of the function around
      it, and, where the program gives the op a name (`amp.name`, or a location
      `loc("x")`), that one.
    - `location`: the op's location.
    - `types`: the types of its operands and results before autocast, so that
      shapes, and with them bytes, are known.
    - `decision`: the decision that was applied.
    - `casts`: for each conversion that was put in for this op (`amp.cast`, or an
      operand of an `amp.promote` that changes) the types before and after. A
      conversion that several ops share is listed with the first of them.

    An `amp.autocast` region is listed too, with the casts at its border and
    the policy `keep` because of `boundary`.

    **Lifespan**: set by `amp-apply-precision` and by `amp-report`; nothing
    reads it but `amp-report`, and amp's compilers drop it. It does not change
    what the program means.

    Example:

    ```mlir
    module attributes {amp.report = [
      #amp.op_report<"math.exp" in "main" named "gate" at loc("model.mlir":3:8),
                     types (tensor<4xf16>) -> tensor<4xf16>,
                     decision <fp32, from (f16), to (f32), results (f32), compute(f32), op_policy>,
                     casts ((tensor<4xf16>) -> tensor<4xf32>)>
    ]} {
    }
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name of the op">:$op,
    StringRefParameter<"symbol of the function">:$function,
    OptionalParameter<"::mlir::StringAttr">:$name,
    "::mlir::LocationAttr":$location,
    "::mlir::FunctionType":$types,
    "::mlir::amp::DecisionAttr":$decision,
    ArrayRefParameter<"::mlir::Type">:$casts);
  let assemblyFormat = [{
    `<` $op `in` $function (`named` $name^)? `at` $location `,` `types` $types
    `,` `decision` $decision `,` `casts` custom<ElementTypes>($casts) `>`
  }];
  let genVerifyDecl = 1;
}

#endif // AMP_DIALECT_AMP_IR_REPORTATTRIBUTES_TD
