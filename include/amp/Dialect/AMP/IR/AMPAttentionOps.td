//===- AMPAttentionOps.td - attention as one op ------------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPATTENTIONOPS_TD
#define AMP_DIALECT_AMP_IR_AMPATTENTIONOPS_TD

include "amp/Dialect/AMP/IR/AMPDialect.td"
include "amp/Interfaces/PrecisionOpInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def AMP_AttentionFloat : AnyTypeOf<[F16, BF16, F32, F64]>;

def AMP_AttentionOp : Op<AMP_Dialect, "attention", [
    Pure, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<PrecisionOpInterface,
        ["getOperandRole", "getRetypedResult", "retype",
         "getReductionDepth", "getNumFlops"]>]> {
  let summary = "scaled dot-product attention";
  let description = [{
    For each head and row `i`, with the keys `j` that the row sees,

        score[i, j] = scale * sum_d query[i, d] * key[j, d] (+ mask[i, j])
        result[i]   = sum_j exp(score[i, j] - lse[i]) * value[j]
        lse[i]      = log(sum_j exp(score[i, j]))

    Shapes are query `[.., H, rows, depth]`, key `[.., G, keys, depth]`, value
    `[.., G, keys, columns]`, result `[.., H, rows, columns]` and log-sum-exp
    `[.., H, rows]`, of any number of dimensions before the last two, which
    agree but for the heads: `H` is a multiple of `G`, and head `h` of queries
    uses head `h / (H / G)` of keys and values (GQA, MQA). Heads whose number is
    not known are as many for all.

    - `scale` is the factor of products; depth^-0.5 when absent.
    - `mask` has the shape `[.., rows, keys]` of scores, from the right; its
      dimensions of size 1, and those that it lacks, are repeated. Floats are
      added to the scores; of `i1`, true says that the row sees the key.
    - `causal`: a row sees no key behind its own place. `window [b, a]`: a row
      sees `b` keys before its place to `a` behind it; -1 is no limit. The place
      of row `i` is key `i`; with `align_last` it is key `i + keys - rows`, so
      that the last row sits at the last key.
    - `offsets` pack sequences of different lengths: rows `query_offsets[s]` to
      `query_offsets[s + 1]` (without it) see keys `key_offsets[s]` to
      `key_offsets[s + 1]` and no others, in every head. Places, and the numbers
      of rows and keys, then count inside the sequence. Offsets must not
      decrease; what they give where they do is unspecified. Rows of no sequence
      see no key.

    A row that sees no key, or whose scores are all -inf, gives 0, and -inf as
    log-sum-exp. Products, scores and sums are f32, or f64 for f64. Weights are
    rounded to the element type of `value` before they are multiplied with it;
    a result is rounded once to its type. NaN among the scores of a row makes
    the row NaN, and so does +inf.

    Under autocast it is a contraction: query, key and value are cast, `mask`
    and log-sum-exp keep their types.

    **Lifespan**: created by front ends; gone after `amp-to-linalg`, which gives
    two contractions with a softmax between them (`docs/attention.md`).

    | query, key, value | mask | result | log-sum-exp |
    |---|---|---|---|
    | all f16, bf16 or f32 | i1, f16, bf16, f32 | f16, bf16, f32, f64 | f32 |
    | all f64 | i1, f16, bf16, f32, f64 | f16, bf16, f32, f64 | f64 |

    Example:

    ```mlir
    func.func @attention(%q: tensor<2x8x?x64xf16>, %k: tensor<2x4x?x64xf16>, %v: tensor<2x4x?x64xf16>) -> tensor<2x8x?x64xf16> {
      %0 = amp.attention %q, %k, %v causal : tensor<2x8x?x64xf16>, tensor<2x4x?x64xf16>, tensor<2x4x?x64xf16> -> tensor<2x8x?x64xf16>
      return %0 : tensor<2x8x?x64xf16>
    }
    ```
  }];
  let arguments = (ins
    Arg<RankedTensorOf<[AMP_AttentionFloat]>, "queries">:$query,
    Arg<RankedTensorOf<[AMP_AttentionFloat]>, "keys">:$key,
    Arg<RankedTensorOf<[AMP_AttentionFloat]>, "values">:$value,
    Arg<Optional<RankedTensorOf<[AMP_AttentionFloat, I1]>>,
        "what is added to the scores, or which keys a row sees">:$mask,
    Arg<Optional<1DTensorOf<[I32]>>,
        "the first row of each sequence, and the end of the last">:$query_offsets,
    Arg<Optional<1DTensorOf<[I32]>>,
        "the first key of each sequence, and the end of the last">:$key_offsets,
    OptionalAttr<F64Attr>:$scale,
    UnitProp:$causal,
    OptionalAttr<DenseI64ArrayAttr>:$window,
    UnitProp:$align_last);
  let results = (outs
    Res<RankedTensorOf<[AMP_AttentionFloat]>, "one row for each query">:$result,
    Res<Optional<RankedTensorOf<[F32, F64]>>,
        "log-sum-exp of the scores of each row">:$lse);
  let assemblyFormat = [{
    $query `,` $key `,` $value
    (`mask` `(` $mask^ `:` type($mask) `)`)?
    (`offsets` `(` $query_offsets^ `,` $key_offsets `:` type($query_offsets) `,`
     type($key_offsets) `)`)?
    (`scale` $scale^)? (`causal` $causal^)? (`window` $window^)?
    (`align_last` $align_last^)?
    attr-dict `:` type($query) `,` type($key) `,` type($value)
    `->` type($result) (`,` type($lse)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// How many heads of queries share a head of keys and values.
    int64_t getGroupSize();
    /// How many keys a row sees before and behind its place, at most; nothing
    /// where there is no limit. `causal` counts.
    std::pair<std::optional<int64_t>, std::optional<int64_t>> getLimits();
    /// The factor of the products, given or not.
    double getFactor();
  }];
}

#endif // AMP_DIALECT_AMP_IR_AMPATTENTIONOPS_TD
