// Sizes that a program computes from its arguments, and that no tensor has:
// the run ends with the place, and nothing is read or written.

// DEFINE: %{run} = %python %S/Inputs/fails.py 1 amp-run %s --device=cpu --random

// RUN: %{run} --entry=empty --input n=-1 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: %{run} --entry=empty --input n=4611686018427387904 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: %{run} --entry=empty --input n=1537228672809129302 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY-DAG: sizes.mlir:[[#@LINE+83]]:{{[0-9]+}}: error: 'tensor.empty' makes a tensor with a size below 0, or of more than 2^62 bytes; check the values that its sizes are computed from
// EMPTY-DAG: amp-run: error: the run of {{.*}}sizes.mlir was stopped by a check that failed

// The sizes together are too many.
// RUN: %{run} --entry=generate --input m=2147483648 --input n=2147483648 2>&1 | FileCheck %s --check-prefix=GENERATE
// RUN: %{run} --entry=generate --input m=2 --input n=-2 2>&1 | FileCheck %s --check-prefix=GENERATE
// GENERATE: sizes.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'tensor.generate' makes a tensor with a size below 0

// RUN: %{run} --entry=splat --input n=-7 2>&1 | FileCheck %s --check-prefix=SPLAT
// SPLAT: sizes.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'tensor.splat' makes a tensor with a size below 0

// RUN: %{run} --entry=pad --input n=-5 2>&1 | FileCheck %s --check-prefix=PAD
// PAD: sizes.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'tensor.pad' makes a tensor with a size below 0

// RUN: %{run} --entry=expand --shape x=5 2>&1 | FileCheck %s --check-prefix=EXPAND
// EXPAND: sizes.mlir:{{[0-9]+}}:{{[0-9]+}}: error: the sizes in 'tensor.expand_shape' do not agree: those of a group do not multiply to the size of the dimension that they split

// RUN: %{run} --entry=reshape --shape x=6 --input m=2 --input n=5 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RUN: %{run} --entry=reshape --shape x=6 --input m=-2 --input n=-3 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RESHAPE: sizes.mlir:{{[0-9]+}}:{{[0-9]+}}: error: the sizes in 'tensor.reshape' do not agree: those of its shape do not multiply to the number of elements

// Sizes that a tensor has; none, and a few.
// RUN: amp-run %s --device=cpu --entry=empty --input n=0 | FileCheck %s --check-prefix=NONE
// NONE: result result0: shape=0x3 type=f32
// RUN: amp-run %s --device=cpu --entry=generate --input m=0 --input n=3 | FileCheck %s --check-prefix=NOROWS
// NOROWS: result result0: shape=0x3 type=f32
// RUN: amp-run %s --device=cpu --entry=splat --input n=2 --input v=1.5 | FileCheck %s --check-prefix=TWO
// TWO: result result0: shape=2 type=f32 min=1.5 max=1.5
// RUN: amp-run %s --device=cpu --entry=pad --random --input n=-4 | FileCheck %s --check-prefix=GONE
// GONE: result result0: shape=0 type=f32
// RUN: amp-run %s --device=cpu --entry=expand --random --shape x=6 | FileCheck %s --check-prefix=SPLIT
// SPLIT: result result0: shape=3x2 type=f32
// RUN: amp-run %s --device=cpu --entry=reshape --random --shape x=6 --input m=2 --input n=3 | FileCheck %s --check-prefix=SAME
// SAME: result result0: shape=2x3 type=f32

// One of two tensors of different sizes.
// RUN: amp-run %s --device=cpu --entry=select --random --shape x=2 --shape y=3 --input c=1 | FileCheck %s --check-prefix=FIRST
// FIRST: result result0: shape=2 type=f32
// RUN: amp-run %s --device=cpu --entry=select --random --shape x=2 --shape y=3 --input c=0 | FileCheck %s --check-prefix=SECOND
// RUN: %if !sanitizer %{ env -u AMP_CUDA_DRIVER amp-run %s --device=sim --entry=select --random --shape x=2 --shape y=3 --input c=0 | FileCheck %s --check-prefix=SECOND %}
// SECOND: result result0: shape=3 type=f32

// Ops of several tensors whose sizes go together.
// RUN: amp-run %s --device=cpu --entry=concat --random --shape 0=4x3 --shape 1=4x3 | FileCheck %s --check-prefix=JOINED
// JOINED: result result0: shape=4x6
// RUN: %{run} --entry=concat --shape 0=4x3 --shape 1=90x3 2>&1 | FileCheck %s --check-prefix=CONCAT
// RUN: %{run} --entry=concat --shape 0=90x3 --shape 1=4x3 2>&1 | FileCheck %s --check-prefix=CONCAT
// CONCAT: sizes.mlir:{{[0-9]+}}:{{[0-9]+}}: error: the sizes in 'tensor.concat' do not agree: what is concatenated differs in another dimension
// RUN: %{run} --entry=softmax --shape 0=4x3 --shape 1=2x3 2>&1 | FileCheck %s --check-prefix=SOFTMAX
// SOFTMAX: sizes.mlir:{{[0-9]+}}:{{[0-9]+}}: error: the sizes in 'linalg.softmax' do not agree: the result has others than the operand
// RUN: amp-run %s --device=cpu --entry=pack --random --shape 0=16x8 --shape 1=2x2x8x4 | FileCheck %s --check-prefix=PACKED
// PACKED: result result0: shape=2x2x8x4
// RUN: %{run} --entry=pack --shape 0=15x8 --shape 1=2x2x8x4 2>&1 | FileCheck %s --check-prefix=PACK
// RUN: %{run} --entry=pack --shape 0=16x8 --shape 1=1x2x8x4 2>&1 | FileCheck %s --check-prefix=PACK
// PACK: sizes.mlir:{{[0-9]+}}:{{[0-9]+}}: error: the sizes in 'linalg.pack' do not agree: the packed tensor has other tiles than those of the elements
// RUN: amp-run %s --device=cpu --entry=unpack --random --shape 0=2x3x8x4 --shape 1=11x15 | FileCheck %s --check-prefix=PLAIN
// PLAIN: result result0: shape=11x15
// RUN: %{run} --entry=unpack --shape 0=2x3x8x4 --shape 1=17x12 2>&1 | FileCheck %s --check-prefix=UNPACK
// RUN: %{run} --entry=unpack --shape 0=2x3x8x4 --shape 1=15x11 2>&1 | FileCheck %s --check-prefix=UNPACK
// UNPACK: sizes.mlir:{{[0-9]+}}:{{[0-9]+}}: error: the sizes in 'linalg.unpack' do not agree: the packed tensor has other tiles than those of the elements
// RUN: %{run} --entry=dim --shape 0=4x3 --input 1=2 2>&1 | FileCheck %s --check-prefix=DIM
// RUN: %{run} --entry=dim --shape 0=4x3 --input 1=-1 2>&1 | FileCheck %s --check-prefix=DIM
// DIM: sizes.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'tensor.dim' asks for a dimension that its tensor lacks

// Slices that are written: at their place, with their sizes, with steps, and one beside the other.
// RUN: amp-run %s --device=cpu --entry=insert --random --shape 0=1 --shape 1=4 --input 2=3 --input 3=1 | FileCheck %s --check-prefix=INSERTED
// RUN: amp-run %s --device=cpu --entry=insert --random --shape 0=0 --shape 1=4 --input 2=4 --input 3=0 | FileCheck %s --check-prefix=INSERTED
// RUN: amp-run %s --device=cpu --entry=insert --random --shape 0=0 --shape 1=4 --input 2=9 --input 3=0 | FileCheck %s --check-prefix=INSERTED
// INSERTED: result result0: shape=4
// RUN: %{run} --entry=insert --shape 0=1 --shape 1=4 --input 2=4 --input 3=1 2>&1 | FileCheck %s --check-prefix=INSERT
// RUN: %{run} --entry=insert --shape 0=1 --shape 1=4 --input 2=-1 --input 3=1 2>&1 | FileCheck %s --check-prefix=INSERT
// RUN: %{run} --entry=insert --shape 0=1 --shape 1=4 --input 2=0 --input 3=2 2>&1 | FileCheck %s --check-prefix=INSERT
// RUN: %{run} --entry=insert --shape 0=3 --shape 1=4 --input 2=2 --input 3=3 2>&1 | FileCheck %s --check-prefix=INSERT
// INSERT: sizes.mlir:{{[0-9]+}}:{{[0-9]+}}: error: the sizes in 'tensor.insert_slice' do not agree: the slice is out of the bounds of the tensor, or has other sizes than what is inserted
// RUN: amp-run %s --device=cpu --entry=every_second --random --shape 0=7 | FileCheck %s --check-prefix=SEVEN
// SEVEN: result result0: shape=7
// RUN: %{run} --entry=every_second --shape 0=6 2>&1 | FileCheck %s --check-prefix=INSERT
// RUN: amp-run %s --device=cpu --entry=parallel --random --shape 0=4 | FileCheck %s --check-prefix=INSERTED
// RUN: %{run} --entry=parallel --shape 0=3 2>&1 | FileCheck %s --check-prefix=PARALLEL
// PARALLEL: error: the sizes in 'tensor.parallel_insert_slice' do not agree

func.func @empty(%n: index {amp.name = "n"}) -> tensor<?x3xf32> {
  %z = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
func.func @generate(%m: index {amp.name = "m"}, %n: index {amp.name = "n"}) -> tensor<?x?xf32> {
  %0 = tensor.generate %m, %n {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %j : index to i32
    %v = arith.sitofp %k : i32 to f32
    tensor.yield %v : f32
  } : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @splat(%n: index {amp.name = "n"}, %v: f32 {amp.name = "v"}) -> tensor<?xf32> {
  %0 = tensor.splat %v[%n] : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @pad(%x: tensor<4xf32>, %n: index {amp.name = "n"}) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[%n] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @expand(%x: tensor<?xf32> {amp.name = "x"}) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %h = arith.divui %d, %c2 : index
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [%h, 2] : tensor<?xf32> into tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
func.func @reshape(%x: tensor<?xf32> {amp.name = "x"}, %m: index {amp.name = "m"}, %n: index {amp.name = "n"}) -> tensor<?x?xf32> {
  %s = tensor.from_elements %m, %n : tensor<2xindex>
  %0 = tensor.reshape %x(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @select(%c: i1 {amp.name = "c"}, %x: tensor<?xf32> {amp.name = "x"}, %y: tensor<?xf32> {amp.name = "y"}) -> tensor<?xf32> {
  %0 = arith.select %c, %x, %y : tensor<?xf32>
  %1 = math.exp %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func @insert(%x: tensor<?xf32>, %y: tensor<?xf32>, %i: index, %n: index) -> tensor<?xf32> {
  %0 = tensor.insert_slice %x into %y[%i] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @every_second(%y: tensor<?xf32>, %x: tensor<4xf32>) -> tensor<?xf32> {
  %0 = tensor.insert_slice %x into %y[0] [4] [2] : tensor<4xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @parallel(%y: tensor<?xf32>, %x: tensor<4xf32>) -> tensor<?xf32> {
  %0 = scf.forall (%i) in (2) shared_outs(%o = %y) -> tensor<?xf32> {
    %j = affine.apply affine_map<(i) -> (i * 2)>(%i)
    %s = tensor.extract_slice %x[%j] [2] [1] : tensor<4xf32> to tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%j] [2] [1] : tensor<2xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>
}

func.func @concat(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x6xf32> {
  %0 = tensor.concat dim(1) %x, %y : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}

func.func @softmax(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<?x3xf32>) outs(%y : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

func.func @pack(%x: tensor<?x?xf32>, %y: tensor<?x?x8x4xf32>) -> tensor<?x?x8x4xf32> {
  %0 = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %y : tensor<?x?xf32> -> tensor<?x?x8x4xf32>
  return %0 : tensor<?x?x8x4xf32>
}

func.func @unpack(%x: tensor<?x?x8x4xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.unpack %x outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %y : tensor<?x?x8x4xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @dim(%x: tensor<?x3xf32>, %i: index) -> index {
  %0 = tensor.dim %x, %i : tensor<?x3xf32>
  return %0 : index
}
