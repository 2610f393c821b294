// What callers may pass to a model for a device, and get from it: for the tests
// of the runtime.

#row = affine_map<(i) -> (i)>

// The signs of the elements decide the numbers.
func.func @signs(%x: tensor<4xsi8>, %y: tensor<4xui8>, %n: ui16)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xui8>, tensor<2xui32>, ui16) {
  %a = tensor.bitcast %x : tensor<4xsi8> to tensor<4xi8>
  %b = tensor.bitcast %y : tensor<4xui8> to tensor<4xi8>
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%a : tensor<4xi8>) outs(%e : tensor<4xf32>) {
  ^bb0(%v: i8, %o: f32):
    %f = arith.sitofp %v : i8 to f32
    linalg.yield %f : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%b : tensor<4xi8>) outs(%e : tensor<4xf32>) {
  ^bb0(%v: i8, %o: f32):
    %f = arith.uitofp %v : i8 to f32
    linalg.yield %f : f32
  } -> tensor<4xf32>
  %e8 = tensor.empty() : tensor<4xi8>
  %2 = linalg.add ins(%a, %b : tensor<4xi8>, tensor<4xi8>) outs(%e8 : tensor<4xi8>) -> tensor<4xi8>
  %3 = tensor.bitcast %2 : tensor<4xi8> to tensor<4xui8>
  %4 = arith.constant dense<[1, 4000000000]> : tensor<2xui32>
  return %0, %1, %3, %4, %n : tensor<4xf32>, tensor<4xf32>, tensor<4xui8>, tensor<2xui32>, ui16
}

// Types that NumPy has no name for.
func.func @narrow(%x: tensor<?xbf16>, %y: tensor<?xf8E4M3FN>) -> (tensor<?xbf16>, tensor<?xf8E4M3FN>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xbf16>
  %e = tensor.empty(%n) : tensor<?xbf16>
  %0 = linalg.add ins(%x, %x : tensor<?xbf16>, tensor<?xbf16>) outs(%e : tensor<?xbf16>) -> tensor<?xbf16>
  %m = tensor.dim %y, %c0 : tensor<?xf8E4M3FN>
  %e8 = tensor.empty(%m) : tensor<?xf8E4M3FN>
  %e32 = tensor.empty(%m) : tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%y : tensor<?xf8E4M3FN>) outs(%e8 : tensor<?xf8E4M3FN>) {
  ^bb0(%v: f8E4M3FN, %o: f8E4M3FN):
    %f = arith.extf %v : f8E4M3FN to f32
    %g = arith.addf %f, %f : f32
    %h = arith.truncf %g : f32 to f8E4M3FN
    linalg.yield %h : f8E4M3FN
  } -> tensor<?xf8E4M3FN>
  %2 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%1 : tensor<?xf8E4M3FN>) outs(%e32 : tensor<?xf32>) {
  ^bb0(%v: f8E4M3FN, %o: f32):
    %f = arith.extf %v : f8E4M3FN to f32
    linalg.yield %f : f32
  } -> tensor<?xf32>
  return %0, %1, %2 : tensor<?xbf16>, tensor<?xf8E4M3FN>, tensor<?xf32>
}

func.func @bits(%x: tensor<?xf32>, %m: tensor<?xi1>) -> (tensor<?xi1>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?xi1>
  %ef = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%x, %m : tensor<?xf32>, tensor<?xi1>) outs(%e : tensor<?xi1>) {
  ^bb0(%v: f32, %b: i1, %o: i1):
    %c = arith.cmpf ogt, %v, %zero : f32
    %d = arith.xori %c, %b : i1
    linalg.yield %d : i1
  } -> tensor<?xi1>
  %1 = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%0, %x : tensor<?xi1>, tensor<?xf32>) outs(%ef : tensor<?xf32>) {
  ^bb0(%b: i1, %v: f32, %o: f32):
    %s = arith.select %b, %v, %zero : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0, %1 : tensor<?xi1>, tensor<?xf32>
}

func.func @indices(%n: index, %t: tensor<3xindex>) -> (tensor<?xindex>, index) {
  %e = tensor.empty(%n) : tensor<?xindex>
  %c1 = arith.constant 1 : index
  %k = tensor.extract %t[%c1] : tensor<3xindex>
  %0 = linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]}
      outs(%e : tensor<?xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    %j = arith.addi %i, %k : index
    linalg.yield %j : index
  } -> tensor<?xindex>
  %m = arith.muli %n, %k : index
  return %0, %m : tensor<?xindex>, index
}

func.func @rank0(%x: tensor<f32>, %y: tensor<?xf32>) -> (tensor<f32>, f32, tensor<f32>) {
  %e = tensor.empty() : tensor<f32>
  %0 = linalg.add ins(%x, %x : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce ins(%y : tensor<?xf32>) outs(%i : tensor<f32>) dimensions = [0] (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  }
  %v = tensor.extract %s[] : tensor<f32>
  return %0, %v, %s : tensor<f32>, f32, tensor<f32>
}

// Names that mean something elsewhere: to a model with init functions, to
// linkers, to PTX.
func.func @init(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @init(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = arith.addf %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

func.func @"strange name-1.2$/é"(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.mulf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Without results, arguments, kernels.
func.func @nothing() { return }

func.func @source() -> tensor<2x3xf32> {
  %0 = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

func.func @sink(%x: tensor<?xf32>) { return }

func.func @printf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.subf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @free(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = arith.addi %x, %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}
