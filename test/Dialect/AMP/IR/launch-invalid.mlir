// RUN: amp-opt %s --split-input-file --verify-diagnostics -o /dev/null

// amp.launch: nothing of this name.
func.func @missing(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'amp.launch' op expected a kernel function, but '@kernels::@none' is none}}
  %0 = amp.launch @kernels::@none outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// amp.launch: a function that is no kernel.
module @kernels {
  // expected-note @+1 {{the function is here}}
  func.func @plain(%d: tensor<8xf32>) -> tensor<8xf32> {
    return %d : tensor<8xf32>
  }
}
func.func @no_kernel(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected a kernel function, but '@kernels::@plain' has no attribute 'amp.kernel'}}
  %0 = amp.launch @kernels::@plain outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// amp.launch: operands that the kernel does not take.
module @kernels {
  func.func @zero(%d: tensor<4xf32> {amp.destination = 0 : i64}) -> tensor<4xf32> attributes {amp.kernel} {
    %z = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%z : f32) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
func.func @count(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has 2 operands, but '@kernels::@zero' takes 1}}
  %0 = amp.launch @kernels::@zero ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

module @kernels {
  func.func @zero(%d: tensor<4xf32> {amp.destination = 0 : i64}) -> tensor<4xf32> attributes {amp.kernel} {
    %z = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%z : f32) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
func.func @type(%x: tensor<5xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{operand 0 of type 'tensor<5xf32>' does not fit the argument of type 'tensor<4xf32>'}}
  %0 = amp.launch @kernels::@zero outs(%x : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

module @kernels {
  func.func @zero(%d: tensor<4xf32> {amp.destination = 0 : i64}) -> tensor<4xf32> attributes {amp.kernel} {
    %z = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%z : f32) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
func.func @destinations(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 0 destinations, but '@kernels::@zero' gives 1 results}}
  amp.launch @kernels::@zero ins(%x : tensor<4xf32>)
  return
}

// -----

module @kernels {
  func.func @zero(%d: tensor<4xf32> {amp.destination = 0 : i64}) -> tensor<4xf32> attributes {amp.kernel} {
    %z = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%z : f32) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
func.func @results(%x: tensor<4xf32>) {
  // expected-error @+1 {{must give one result of the type of each tensor in 'outs', but gives}}
  amp.launch @kernels::@zero outs(%x : tensor<4xf32>)
  return
}

// -----

func.func @buffer_results(%x: memref<4xf32>) {
  // expected-error @+1 {{on buffers has no results, but found 1}}
  %0 = amp.launch @kernels::@zero outs(%x : memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @mixed(%x: memref<4xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{mixes tensors and buffers; expected one kind}}
  %0 = amp.launch @kernels::@zero ins(%x : memref<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// amp.kernel: not on a function, no body, two blocks.
// expected-error @+1 {{attribute 'amp.kernel' is a unit attribute for functions only}}
module attributes {amp.kernel} {
}

// -----

// expected-error @+1 {{is a kernel function and needs a body}}
func.func private @no_body(tensor<4xf32> {amp.destination = 0 : i64}) -> tensor<4xf32> attributes {amp.kernel}

// -----

// expected-error @+1 {{is a kernel function and must have one block, but has 2}}
func.func @blocks(%d: tensor<4xf32> {amp.destination = 0 : i64}) -> tensor<4xf32> attributes {amp.kernel} {
  cf.br ^bb1
^bb1:
  return %d : tensor<4xf32>
}

// -----

// Destinations: too few, not marked, in another order, on an input, of another type.
// expected-error @+1 {{is a kernel function of 1 results and needs a destination for each, but has only 0 arguments}}
func.func @no_destination() -> tensor<4xf32> attributes {amp.kernel} {
  %0 = tensor.empty() : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 must be the destination of result 0: expected 'amp.destination = 0 : i64', but found none}}
func.func @not_marked(%d: tensor<4xf32>) -> tensor<4xf32> attributes {amp.kernel} {
  return %d : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 must be the destination of result 0: expected 'amp.destination = 0 : i64', but found another number}}
func.func @order(%d: tensor<4xf32> {amp.destination = 1 : i64}, %e: tensor<4xf32> {amp.destination = 0 : i64}) -> (tensor<4xf32>, tensor<4xf32>) attributes {amp.kernel} {
  return %d, %e : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 is an input, but has 'amp.destination'}}
func.func @input(%d: tensor<4xf32> {amp.destination = 0 : i64}, %e: tensor<4xf32>) -> tensor<4xf32> attributes {amp.kernel} {
  return %e : tensor<4xf32>
}

// -----

// expected-error @+1 {{result 0 of a kernel function must be a ranked tensor of its destination's type 'tensor<4xf16>', but is 'tensor<4xf32>'}}
func.func @type(%x: tensor<4xf32>, %d: tensor<4xf16> {amp.destination = 0 : i64}) -> tensor<4xf32> attributes {amp.kernel} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 of a kernel function must be a ranked tensor or a scalar, but is 'tensor<*xf32>'}}
func.func @unranked(%x: tensor<*xf32>, %d: tensor<4xf32> {amp.destination = 0 : i64}) -> tensor<4xf32> attributes {amp.kernel} {
  return %d : tensor<4xf32>
}

// -----

// expected-error @+1 {{attribute 'amp.destination' of argument 0 must be the number of a result, but found 3 : i64}}
func.func @no_result(%d: tensor<4xf32> {amp.destination = 3 : i64}) -> tensor<4xf32> {
  return %d : tensor<4xf32>
}

// -----

// The body: memory, calls, control flow, at any depth.
// expected-note @+1 {{the kernel function is here}}
func.func @alloc(%x: tensor<4xf32>, %d: tensor<4xf32> {amp.destination = 0 : i64}) -> tensor<4xf32> attributes {amp.kernel} {
  // expected-error @+1 {{'bufferization.alloc_tensor' op allocates, reads or writes memory, which a kernel function must not}}
  %0 = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-note @+1 {{the kernel function is here}}
func.func @call(%x: tensor<4xf32>, %d: tensor<4xf32> {amp.destination = 0 : i64}) -> tensor<4xf32> attributes {amp.kernel} {
  // expected-error @+1 {{'func.call' op calls another function, which a kernel function must not}}
  %0 = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(tensor<4xf32>) -> tensor<4xf32>

// -----

// expected-note @+1 {{the kernel function is here}}
func.func @flow(%x: tensor<4xf32>, %c: i1, %d: tensor<4xf32> {amp.destination = 0 : i64}) -> tensor<4xf32> attributes {amp.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    // expected-error @+1 {{'scf.if' op is control flow, which a kernel function must not}}
    %1 = scf.if %c -> f32 {
      %2 = math.exp %in : f32
      scf.yield %2 : f32
    } else {
      scf.yield %in : f32
    }
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// amp.schedule: no string, a function that is no kernel.
// expected-error @+1 {{attribute 'amp.schedule' must be a string, but found 1 : i64}}
func.func @schedule(%d: tensor<4xf32> {amp.destination = 0 : i64}) -> tensor<4xf32> attributes {amp.kernel, amp.schedule = 1} {
  return %d : tensor<4xf32>
}

// -----

// expected-error @+1 {{attribute 'amp.schedule' needs 'amp.kernel' beside it}}
func.func @schedule(%d: tensor<4xf32>) -> tensor<4xf32> attributes {amp.schedule = "map"} {
  return %d : tensor<4xf32>
}

// -----

// amp.weight and amp.prepared.
// expected-error @+1 {{attribute 'amp.weight' of argument 0 must be a unit attribute, but found 1 : i64}}
func.func @weight(%w: tensor<4xf32> {amp.weight = 1}) {
  return
}

// -----

// expected-error @+1 {{attribute 'amp.prepared' of argument 0 must be the number of a result of the init function, but found "w"}}
func.func @prepared(%w: tensor<4xf32> {amp.prepared = "w"}) {
  return
}
