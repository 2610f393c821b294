// How files, numbers and random inputs reach the arguments of a function.

// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/Inputs/arrays.py %t

// By name, by position, and in order.
// RUN: amp-run %s --entry named --input x=%t/x.npy --input b=%t/b.npy \
// RUN:   --output %t/out.npy | FileCheck %s --check-prefix=NAMED
// RUN: amp-run %s --entry named --input 1=%t/b.npy --input arg0=%t/x.npy | FileCheck %s --check-prefix=NAMED
// RUN: amp-run %s --entry named --input %t/x.npy --input %t/b.npy | FileCheck %s --check-prefix=NAMED
// NAMED: result y: shape=2x3 type=f32 min=-1 max=24 mean=11.8333 nan=0 inf=0

// From archives: members by name, by numpy.savez's own names, and one member.
// RUN: amp-run %s --entry named --weights %t/named.npz | FileCheck %s --check-prefix=NAMED
// RUN: amp-run %s --entry named --input %t/numbered.npz | FileCheck %s --check-prefix=NAMED
// RUN: amp-run %s --entry named --weights %t/deflated.npz --input x=%t/other.npz:images 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: warning: '{{.*}}deflated.npz': no argument takes the member 'left'
// OTHER: result y: shape=2x3 type=f32 min=-1 max=24

// The written file holds what the program computed.
// RUN: %python -c "import numpy as n; a = n.load(r'%t/out.npy'); assert a.dtype == n.float32 and (a == n.load(r'%t/x.npy') + n.load(r'%t/b.npy')).all()"

// Fortran order and element types other than f32.
// RUN: amp-run %s --entry named --input x=%t/fortran.npy --input b=%t/b.npy | FileCheck %s --check-prefix=NAMED
// RUN: amp-run %s --entry named --input x=%t/bytes.npy --input b=%t/b.npy --convert-inputs | FileCheck %s --check-prefix=NAMED

// Scalars; an argument named by its location.
// RUN: amp-run %s --entry scalars --input n=3 --input s=-2.5 --output %t/scalars.npz | FileCheck %s --check-prefix=SCALARS
// SCALARS: result result0: shape=scalar type=index min=4
// SCALARS: result result1: shape=scalar type=f32 min=-5
// SCALARS: result result2: shape=scalar type=i1 min=1
// RUN: %python -c "import numpy as n; a = n.load(r'%t/scalars.npz'); assert a['result0'] == 4 and a['result0'].dtype == n.int64 and a['result1'] == -5 and a['result2'].dtype == bool"
// RUN: amp-run %s --entry scalar --input 0=41 | FileCheck %s --check-prefix=SCALAR
// SCALAR: result result0: shape=scalar type=i32 min=42

// Random inputs depend on the seed alone; a dynamic shape must be given.
// RUN: amp-run %s --entry named --random --shape x=500x3 > %t/random0
// RUN: amp-run %s --entry named --random=0 --shape x=500x3 > %t/random0again
// RUN: amp-run %s --entry named --random=1 --shape x=500x3 > %t/random1
// RUN: diff %t/random0 %t/random0again
// RUN: not diff %t/random0 %t/random1
// RUN: FileCheck %s --check-prefix=RANDOM < %t/random0
// RANDOM: result y: shape=500x3 type=f32 min=-{{[3-9]}}.{{.*}} max={{[3-9]}}.

// Tensors without elements.
// RUN: amp-run %s --entry named --random --shape x=0x3 --output %t/empty.npy | FileCheck %s --check-prefix=EMPTY
// EMPTY: result y: shape=0x3 type=f32 min={{-?}}nan max={{-?}}nan mean={{-?}}nan nan=0 inf=0
// RUN: %python -c "import numpy as n; assert n.load(r'%t/empty.npy').shape == (0, 3)"

// A NaN runs, and is counted.
// RUN: amp-run %s --entry named --input x=%t/nan.npy --input b=%t/b.npy 2>&1 | FileCheck %s --check-prefix=NAN
// NAN: warning: argument 'x': 2 of 6 elements are NaN in '{{.*}}nan.npy'
// NAN: result y: shape=2x3 type=f32 min=-1 {{.*}} nan=2 inf=1

// An input is not written to, though the program writes to its argument.
// RUN: amp-run %s --entry overwrite --input %t/b.npy --time=2 --compare=f32 | FileCheck %s --check-prefix=OVERWRITE
// OVERWRITE: result result0: shape=3 type=f32 min=1 max=1
// OVERWRITE: result result1: shape=3 type=f32 min=-1 max=19
// OVERWRITE: compare result1: max_abs=0 {{.*}} cosine=1.0

#row = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>

func.func @named(%x: tensor<?x3xf32> {amp.name = "x"}, %b: tensor<3xf32> loc("b"))
    -> (tensor<?x3xf32> {amp.name = "y"}) {
  %sum = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<3xf32>) outs(%x : tensor<?x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<?x3xf32>
  return %sum : tensor<?x3xf32>
}

func.func @scalars(%n: index {amp.name = "n"}, %s: f32 {amp.name = "s"}) -> (index, f32, i1) {
  %one = arith.constant 1 : index
  %m = arith.addi %n, %one : index
  %t = arith.addf %s, %s : f32
  %c = arith.cmpf olt, %t, %s : f32
  return %m, %t, %c : index, f32, i1
}

func.func @scalar(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %m = arith.addi %n, %one : i32
  return %m : i32
}

func.func @overwrite(%b: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %one = arith.constant 1.0 : f32
  %ones = linalg.fill ins(%one : f32) outs(%b : tensor<3xf32>) -> tensor<3xf32>
  return %ones, %b : tensor<3xf32>, tensor<3xf32>
}
