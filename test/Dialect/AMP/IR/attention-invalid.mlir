// Each error of the verifier of amp.attention.

// RUN: amp-opt %s --split-input-file -verify-diagnostics

// No rows.
func.func @rank(%q: tensor<16xf16>, %k: tensor<16xf16>, %v: tensor<16xf16>) {
  // expected-error @+1 {{expected query to have at least two dimensions, rows and depth, but found 'tensor<16xf16>'}}
  %0 = amp.attention %q, %k, %v : tensor<16xf16>, tensor<16xf16>, tensor<16xf16> -> tensor<16xf16>
  return
}

// -----

// Keys without batches.
func.func @key_rank(%q: tensor<2x4x8x16xf16>, %k: tensor<2x6x16xf16>, %v: tensor<2x2x6x16xf16>) {
  // expected-error @+1 {{expected key to have the 4 dimensions of query, but found 'tensor<2x6x16xf16>'}}
  %0 = amp.attention %q, %k, %v : tensor<2x4x8x16xf16>, tensor<2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// Keys of another type.
func.func @element(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xbf16>, %v: tensor<2x2x6x16xf16>) {
  // expected-error @+1 {{expected key to have elements of type 'f16', as query has, but found 'tensor<2x2x6x16xbf16>'}}
  %0 = amp.attention %q, %k, %v : tensor<2x4x8x16xf16>, tensor<2x2x6x16xbf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// Queries that are integers.
func.func @integers(%q: tensor<2x4x8x16xi32>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of}}
  %0 = amp.attention %q, %k, %v : tensor<2x4x8x16xi32>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// Other batches.
func.func @batch(%q: tensor<2x4x8x16xf16>, %k: tensor<3x2x6x16xf16>, %v: tensor<3x2x6x16xf16>) {
  // expected-error @+1 {{expected the size that query has as dimension 0 of key, 2, but found 'tensor<3x2x6x16xf16>'}}
  %0 = amp.attention %q, %k, %v : tensor<2x4x8x16xf16>, tensor<3x2x6x16xf16>, tensor<3x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// Heads that cannot share.
func.func @heads(%q: tensor<2x4x8x16xf16>, %k: tensor<2x3x6x16xf16>, %v: tensor<2x3x6x16xf16>) {
  // expected-error @+1 {{expected the heads of query, dimension 1, to be a multiple of the 3 of key, but found 4}}
  %0 = amp.attention %q, %k, %v : tensor<2x4x8x16xf16>, tensor<2x3x6x16xf16>, tensor<2x3x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// Values of other heads than keys.
func.func @value_heads(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x4x6x16xf16>) {
  // expected-error @+1 {{expected the size that key has as dimension 1 of value, 2, but found 'tensor<2x4x6x16xf16>'}}
  %0 = amp.attention %q, %k, %v : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x4x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// Queries without elements.
func.func @no_depth(%q: tensor<2x4x8x0xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>) {
  // expected-error @+1 {{expected query to have a depth of at least 1, but found 'tensor<2x4x8x0xf16>'}}
  %0 = amp.attention %q, %k, %v : tensor<2x4x8x0xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// Keys of another depth.
func.func @depth(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x8xf16>, %v: tensor<2x2x6x16xf16>) {
  // expected-error @+1 {{expected the depth of query as dimension 3 of key, 16, but found 'tensor<2x2x6x8xf16>'}}
  %0 = amp.attention %q, %k, %v : tensor<2x4x8x16xf16>, tensor<2x2x6x8xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// The default scale needs the depth.
func.func @dynamic_depth(%q: tensor<2x4x8x?xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>) {
  // expected-error @+1 {{needs a 'scale' where the depth of query is not known}}
  %0 = amp.attention %q, %k, %v : tensor<2x4x8x?xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// Fewer values than keys.
func.func @keys(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x5x16xf16>) {
  // expected-error @+1 {{expected the number of keys as dimension 2 of value, 6, but found 'tensor<2x2x5x16xf16>'}}
  %0 = amp.attention %q, %k, %v : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x5x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// Fewer results than rows.
func.func @rows(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>) {
  // expected-error @+1 {{expected the number of rows of query as dimension 2 of result, 8, but found 'tensor<2x4x7x16xf16>'}}
  %0 = amp.attention %q, %k, %v : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x7x16xf16>
  return
}

// -----

// Results of another size than values.
func.func @columns(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>) {
  // expected-error @+1 {{expected the columns of value as dimension 3 of result, 16, but found 'tensor<2x4x8x8xf16>'}}
  %0 = amp.attention %q, %k, %v : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x8xf16>
  return
}

// -----

// Log-sum-exp is not rounded.
func.func @lse_type(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>) {
  // expected-error @+1 {{expected log-sum-exp to have 3 dimensions and elements of type 'f32', but found 'tensor<2x4x8xf64>'}}
  %0:2 = amp.attention %q, %k, %v : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>, tensor<2x4x8xf64>
  return
}

// -----

// Log-sum-exp of other rows.
func.func @lse_shape(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>) {
  // expected-error @+1 {{expected the size that query has as dimension 2 of log-sum-exp, 8, but found 'tensor<2x4x6xf32>'}}
  %0:2 = amp.attention %q, %k, %v : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>, tensor<2x4x6xf32>
  return
}

// -----

// A mask of too many dimensions.
func.func @mask_rank(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>, %m: tensor<1x2x4x8x6xi1>) {
  // expected-error @+1 {{expected mask to have at most 4 dimensions, but found 'tensor<1x2x4x8x6xi1>'}}
  %0 = amp.attention %q, %k, %v mask(%m : tensor<1x2x4x8x6xi1>) : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// A mask for other keys.
func.func @mask_shape(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>, %m: tensor<8x8xi1>) {
  // expected-error @+1 {{expected 1 or 6 as dimension 1 of mask, but found 'tensor<8x8xi1>'}}
  %0 = amp.attention %q, %k, %v mask(%m : tensor<8x8xi1>) : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// A mask for each head of keys.
func.func @mask_heads(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>, %m: tensor<2x8x6xf32>) {
  // expected-error @+1 {{expected 1 or 4 as dimension 0 of mask, but found 'tensor<2x8x6xf32>'}}
  %0 = amp.attention %q, %k, %v mask(%m : tensor<2x8x6xf32>) : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// A mask that is wider than the scores.
func.func @mask_type(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>, %m: tensor<8x6xf64>) {
  // expected-error @+1 {{expected mask to have elements of i1, f16, bf16 or f32, but found 'tensor<8x6xf64>'}}
  %0 = amp.attention %q, %k, %v mask(%m : tensor<8x6xf64>) : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// A mask of bytes.
func.func @mask_integers(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>, %m: tensor<8x6xi8>) {
  // expected-error @+1 {{operand #3 must be ranked tensor of}}
  %0 = amp.attention %q, %k, %v mask(%m : tensor<8x6xi8>) : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// Other numbers of sequences.
func.func @offsets(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>, %qo: tensor<3xi32>, %ko: tensor<4xi32>) {
  // expected-error @+1 {{expected as many offsets of key as of query, 3, but found 4}}
  %0 = amp.attention %q, %k, %v offsets(%qo, %ko : tensor<3xi32>, tensor<4xi32>) : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// Not even the end.
func.func @offsets_empty(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>, %qo: tensor<0xi32>, %ko: tensor<?xi32>) {
  // expected-error @+1 {{expected at least one offset, the end of the last sequence}}
  %0 = amp.attention %q, %k, %v offsets(%qo, %ko : tensor<0xi32>, tensor<?xi32>) : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// Offsets of another type.
func.func @offsets_type(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>, %qo: tensor<3xi64>, %ko: tensor<3xi64>) {
  // expected-error @+1 {{must be 1D tensor of 32-bit signless integer values}}
  %0 = amp.attention %q, %k, %v offsets(%qo, %ko : tensor<3xi64>, tensor<3xi64>) : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// A scale that makes everything NaN.
func.func @scale(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>) {
  // expected-error @+1 {{expected 'scale' to be finite}}
  %0 = amp.attention %q, %k, %v scale 0x7FF0000000000000 : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// Half a window.
func.func @window_size(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>) {
  // expected-error @+1 {{expected 'window' to be two numbers, of keys before and behind, but found 1}}
  %0 = amp.attention %q, %k, %v window [4] : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// A window of less than nothing.
func.func @window_value(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>) {
  // expected-error @+1 {{expected 'window' to have numbers of at least 0, or -1 for no limit, but found -2}}
  %0 = amp.attention %q, %k, %v window [-2, 3] : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// Nothing to align.
func.func @align(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<2x2x6x16xf16>) {
  // expected-error @+1 {{has 'align_last' but neither 'causal' nor 'window'}}
  %0 = amp.attention %q, %k, %v align_last : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x16xf16> -> tensor<2x4x8x16xf16>
  return
}

// -----

// Offsets of one side only.
func.func @one_offset(%q: tensor<4x8xf16>, %k: tensor<6x8xf16>, %o: tensor<3xi32>) {
  // expected-error @+1 {{expected offsets of both query and key, or of none}}
  %0 = "amp.attention"(%q, %k, %k, %o) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>}> : (tensor<4x8xf16>, tensor<6x8xf16>, tensor<6x8xf16>, tensor<3xi32>) -> tensor<4x8xf16>
  return
}
