// A quantised linear layer: i8 activations, i8 weights with one scale per output channel,
// sums in i32, and i8 out.
//
//   acc[m, n] = bias[n] + sum over k of x[m, k] * w[n, k]                        exact, i32
//   r[m, n]   = (acc * multiplier[n] + 2^(shift[n] - 1)) >> shift[n]             exact, i64
//   y[m, n]   = clamp(r + zero_point, -128, 127)                                 i8
//
// The rescale is fixed-point: scale_x * scale_w[n] / scale_y is about multiplier[n] / 2^shift[n]
// with 0 <= multiplier < 2^31 and 1 <= shift <= 62. Halves round up (toward +infinity). Every step
// is integer arithmetic, so every machine gives the same bytes.
#nk = affine_map<(m, n) -> (n)>
#mn = affine_map<(m, n) -> (m, n)>

func.func @main(%x: tensor<?x64xi8> {amp.name = "x"}, %w: tensor<32x64xi8> {amp.name = "w"},
                %bias: tensor<32xi32> {amp.name = "bias"}, %multiplier: tensor<32xi32> {amp.name = "multiplier"},
                %shift: tensor<32xi32> {amp.name = "shift"}) -> (tensor<?x32xi8> {amp.name = "y"}) {
  %zero_point = arith.constant -3 : i64
  %low = arith.constant -128 : i64
  %high = arith.constant 127 : i64
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %acc = amp.out_dtype (%p = %x : tensor<?x64xi8>, %q = %w : tensor<32x64xi8>, %r = %bias : tensor<32xi32>) -> tensor<?x32xi32> {
    %0 = "aten.linear"(%p, %q, %r) : (tensor<?x64xi8>, tensor<32x64xi8>, tensor<32xi32>) -> tensor<?x32xi32>
    amp.yield %0 : tensor<?x32xi32>
  }
  %rows = tensor.dim %x, %c0 : tensor<?x64xi8>
  %empty = tensor.empty(%rows) : tensor<?x32xi8>
  %y = linalg.generic {indexing_maps = [#mn, #nk, #nk, #mn], iterator_types = ["parallel", "parallel"]}
      ins(%acc, %multiplier, %shift : tensor<?x32xi32>, tensor<32xi32>, tensor<32xi32>) outs(%empty : tensor<?x32xi8>) {
  ^bb0(%a: i32, %m: i32, %s: i32, %out: i8):
    %a64 = arith.extsi %a : i32 to i64
    %m64 = arith.extsi %m : i32 to i64
    %s64 = arith.extsi %s : i32 to i64
    %product = arith.muli %a64, %m64 : i64
    %s1 = arith.subi %s64, %one : i64
    %half = arith.shli %one, %s1 : i64
    %biased = arith.addi %product, %half : i64
    %scaled = arith.shrsi %biased, %s64 : i64
    %moved = arith.addi %scaled, %zero_point : i64
    %0 = arith.maxsi %moved, %low : i64
    %1 = arith.minsi %0, %high : i64
    %2 = arith.trunci %1 : i64 to i8
    linalg.yield %2 : i8
  } -> tensor<?x32xi8>
  return %y : tensor<?x32xi8>
}
