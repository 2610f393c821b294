// Functions with arguments and results of many types, for the tests of the
// runtime.

#row = affine_map<(i) -> (i)>

func.func @add(%x: tensor<?x?xf32> {amp.name = "x"}, %y: tensor<?x?xf32> {amp.name = "y"})
    -> (tensor<?x?xf32> {amp.name = "sum"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = linalg.add ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Tensors and numbers side by side, among the arguments and the results.
func.func @mixed(%n: i8, %x: tensor<3xf64>, %f: f16, %i: index, %b: i1)
    -> (i1, tensor<3xf64>, f16, index, tensor<i8>, i8) {
  %s = arith.extf %f : f16 to f64
  %e = tensor.empty() : tensor<3xf64>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf64>) outs(%e : tensor<3xf64>) {
  ^bb0(%a: f64, %o: f64):
    %p = arith.mulf %a, %s : f64
    linalg.yield %p : f64
  } -> tensor<3xf64>
  %t = tensor.from_elements %n : tensor<i8>
  return %b, %0, %f, %i, %t, %n : i1, tensor<3xf64>, f16, index, tensor<i8>, i8
}

func.func @number(%x: bf16) -> bf16 {
  return %x : bf16
}

func.func @nothing() {
  return
}

func.func @bf16(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  return %x : tensor<?xbf16>
}

func.func @f8(%x: tensor<?xf8E4M3FN>) -> tensor<?xf8E4M3FN> {
  return %x : tensor<?xf8E4M3FN>
}

func.func @bool(%x: tensor<?xi1>) -> tensor<?xi1> {
  return %x : tensor<?xi1>
}

func.func @unsigned(%x: tensor<?xui16>) -> tensor<?xui16> {
  return %x : tensor<?xui16>
}

// The sizes are checked as the program runs.
func.func @checked(%x: tensor<?xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// More memory than any machine has, where n is large.
func.func @large(%n: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
