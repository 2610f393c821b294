// Indices of tensor.extract and tensor.insert that are out of bounds: the run
// ends with the place, and nothing is read or written. No gather becomes
// slower by more than what reads the indices (no loop goes element by element).

// RUN: rm -rf %t && mkdir -p %t && %python %S/Inputs/indices.py %t
// DEFINE: %{good} = amp-run %s --device=cpu --random
// DEFINE: %{bad} = %python %S/Inputs/fails.py 1 amp-run %s --device=cpu --random

// Rows of a table, with one check of each index.
// RUN: %{good} --entry=rows --shape t=50x12 --input i=%t/rows.npy --amp-no-scalar-fallback | FileCheck %s --check-prefix=ROWS
// ROWS: result result0: shape=70x12 type=f32
// RUN: %{bad} --entry=rows --shape t=50x12 --input i=%t/rows-high.npy 2>&1 | FileCheck %s --check-prefix=ROWS-BAD
// RUN: %{bad} --entry=rows --shape t=50x12 --input i=%t/rows-low.npy 2>&1 | FileCheck %s --check-prefix=ROWS-BAD
// RUN: %{bad} --entry=rows --shape t=49x12 --input i=%t/rows.npy 2>&1 | FileCheck %s --check-prefix=ROWS-BAD
// ROWS-BAD-DAG: indices.mlir:[[#@LINE+119]]:10: error: an index of 'tensor.extract' is out of the bounds of tensor<?x12xf32>; check the values that the index is computed from
// ROWS-BAD-DAG: amp-run: error: the run of {{.*}}indices.mlir was stopped by a check that failed
// RUN: %{good} --entry=tosa --input i=%t/rows.npy --amp-no-scalar-fallback | FileCheck %s --check-prefix=TOSA
// TOSA: result result0: shape=1x70x12 type=f32
// RUN: %{bad} --entry=tosa --input i=%t/rows-low.npy 2>&1 | FileCheck %s --check-prefix=TOSA-BAD
// TOSA-BAD: indices.mlir:{{[0-9]+}}:8: error: an index of 'tensor.extract' is out of the bounds of tensor<1x50x12xf32>

// Ops of tensor that become reads, and slices that are inserted.
// RUN: %{good} --entry=gather --input i=%t/rows.npy --amp-no-scalar-fallback | FileCheck %s --check-prefix=GATHER
// GATHER: result result0: shape=70x12 type=f32
// RUN: %{bad} --entry=gather --input i=%t/rows-low.npy 2>&1 | FileCheck %s --check-prefix=GATHER-BAD
// RUN: %{bad} --entry=gather --input i=%t/rows-high.npy 2>&1 | FileCheck %s --check-prefix=GATHER-BAD
// GATHER-BAD: error: an index of 'tensor.extract' is out of the bounds of tensor<50x12xf32>
// RUN: %{good} --entry=scatter --input i=%t/rows.npy | FileCheck %s --check-prefix=SCATTER
// SCATTER: result result0: shape=50x12 type=f32
// RUN: %{bad} --entry=scatter --input i=%t/rows-low.npy 2>&1 | FileCheck %s --check-prefix=SCATTER-BAD
// RUN: %{bad} --entry=scatter --input i=%t/rows-high.npy 2>&1 | FileCheck %s --check-prefix=SCATTER-BAD
// SCATTER-BAD: error: {{.*}}'tensor.insert_slice'

// Of all loops, and of a loop itself: the table has as many rows. Where there
// are no columns nothing is read.
// RUN: %{good} --entry=elements --shape t=2x3 --input i=%t/elements.npy | FileCheck %s --check-prefix=ELEMENTS
// ELEMENTS: result result0: shape=2x3 type=f32
// RUN: %{bad} --entry=elements --shape t=2x3 --input i=%t/elements-high.npy 2>&1 | FileCheck %s --check-prefix=ELEMENTS-BAD
// RUN: %{bad} --entry=elements --shape t=2x3 --input i=%t/elements-low.npy 2>&1 | FileCheck %s --check-prefix=ELEMENTS-BAD
// RUN: %{bad} --entry=elements --shape t=2x3 --input i=%t/elements-more.npy 2>&1 | FileCheck %s --check-prefix=ELEMENTS-BAD
// ELEMENTS-BAD: error: an index of 'tensor.extract' is out of the bounds of tensor<?x?xf32>
// RUN: %{good} --entry=elements --shape t=1x3 --input i=%t/elements-none.npy | FileCheck %s --check-prefix=NONE
// NONE: result result0: shape=2x0 type=f32

// In rows that threads share, and in rows that are too short for it.
// RUN: %{good} --entry=long --input i=%t/long.npy | FileCheck %s --check-prefix=LONG
// LONG: result result0: shape=3x70 type=f32
// RUN: %{bad} --entry=long --input i=%t/long-low.npy 2>&1 | FileCheck %s --check-prefix=LONG-BAD
// RUN: %{bad} --entry=long --input i=%t/long-high.npy 2>&1 | FileCheck %s --check-prefix=LONG-BAD
// LONG-BAD: error: an index of 'tensor.extract' is out of the bounds of tensor<3x70xf32>
// RUN: %{good} --entry=short --input i=%t/short.npy | FileCheck %s --check-prefix=SHORT
// SHORT: result result0: shape=70x3 type=f32
// RUN: %{bad} --entry=short --input i=%t/short-high.npy 2>&1 | FileCheck %s --check-prefix=SHORT-BAD
// SHORT-BAD: error: an index of 'tensor.extract' is out of the bounds of tensor<70x3xf32>

// Bytes with and without a sign.
// RUN: %{good} --entry=bytes --input i=%t/bytes.npy | FileCheck %s --check-prefix=FIVE
// RUN: %{bad} --entry=bytes --input i=%t/bytes-high.npy 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: %{good} --entry=signed --input i=%t/second.npy | FileCheck %s --check-prefix=FOUR
// RUN: %{bad} --entry=signed --input i=%t/second-low.npy 2>&1 | FileCheck %s --check-prefix=BYTES
// BYTES: error: an index of 'tensor.extract' is out of the bounds of tensor<200xf32>

// In loops that threads run.
// RUN: %{good} --entry=threads --shape t=8 --input i=%t/threads.npy | FileCheck %s --check-prefix=THREADS
// THREADS: result result0: shape=100000 type=f32
// RUN: env AMP_NUM_THREADS=4 %{bad} --entry=threads --shape t=7 --input i=%t/threads.npy 2>&1 | FileCheck %s --check-prefix=DYNAMIC

// An index that only some runs of the payload have.
// RUN: %{good} --entry=guarded --input i=%t/guarded.npy | FileCheck %s --check-prefix=FIVE
// RUN: %{bad} --entry=guarded --input i=%t/guarded-high.npy 2>&1 | FileCheck %s --check-prefix=GUARDED
// GUARDED: error: an index of 'tensor.extract' is out of the bounds of tensor<8xf32>

// Indices that are read at indices.
// RUN: %{good} --entry=twice --input s=%t/second.npy --input i=%t/first.npy | FileCheck %s --check-prefix=FIVE
// FIVE: result result0: shape=5 type=f32
// RUN: %{bad} --entry=twice --input s=%t/second.npy --input i=%t/first-high.npy 2>&1 | FileCheck %s --check-prefix=FIRST
// FIRST: error: an index of 'tensor.extract' is out of the bounds of tensor<4xi8>
// RUN: %{bad} --entry=twice --input s=%t/second-low.npy --input i=%t/first.npy 2>&1 | FileCheck %s --check-prefix=SECOND
// SECOND: error: an index of 'tensor.extract' is out of the bounds of tensor<8xf32>

// Of a sum, while it is made; and of what the result starts from.
// RUN: %{good} --entry=carried --input t=%t/eight.npy --input s=%t/starts.npy --input x=%t/ones.npy | FileCheck %s --check-prefix=CARRIED
// CARRIED: result result0: shape=5 type=i32 min=3 max=8
// RUN: %{bad} --entry=carried --input t=%t/eight.npy --input s=%t/ends.npy --input x=%t/ones.npy 2>&1 | FileCheck %s --check-prefix=CARRIED-BAD
// RUN: %{bad} --entry=inits --input t=%t/eight.npy --input s=%t/starts-high.npy 2>&1 | FileCheck %s --check-prefix=CARRIED-BAD
// CARRIED-BAD: error: an index of 'tensor.extract' is out of the bounds of tensor<8xi32>
// RUN: %{good} --entry=inits --input t=%t/eight.npy --input s=%t/ends.npy | FileCheck %s --check-prefix=INITS
// INITS: result result0: shape=5 type=i32 min=0 max=7

// Of loops and numbers alone; of numbers alone; of a window.
// RUN: %{good} --entry=reverse --shape t=5 --input n=0 | FileCheck %s --check-prefix=ZERO
// ZERO: result result0: shape=0
// RUN: %{good} --entry=reverse --shape t=5 --input n=5 | FileCheck %s --check-prefix=FIVE
// RUN: %{bad} --entry=reverse --shape t=5 --input n=6 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: %{good} --entry=uniform --shape t=5 --input n=4 | FileCheck %s --check-prefix=SEVEN
// SEVEN: result result0: shape=7
// RUN: %{bad} --entry=uniform --shape t=5 --input n=5 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: %{bad} --entry=uniform --shape t=5 --input n=-1 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: error: an index of 'tensor.extract' is out of the bounds of tensor<?xf32>
// RUN: %{good} --entry=window --shape x=3x3 --input i=%t/ends.npy | FileCheck %s --check-prefix=THREE
// THREE: result result0: shape=3
// RUN: %{bad} --entry=window --shape x=3x3 --input i=%t/starts-high.npy 2>&1 | FileCheck %s --check-prefix=GUARDED

// Of the program itself, and of what makes the elements of tensors.
// RUN: %{good} --entry=program --shape t=5 --input n=4 | FileCheck %s --check-prefix=FOUR
// FOUR: result result0: shape=4
// RUN: %{bad} --entry=program --shape t=3 --input n=4 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: %{bad} --entry=program --shape t=5 --input n=5 2>&1 | FileCheck %s --check-prefix=INSERT
// INSERT: error: an index of 'tensor.insert' is out of the bounds of tensor<4xf32>
// RUN: %{good} --entry=generate --shape t=5 --input n=5 | FileCheck %s --check-prefix=FIVE
// RUN: %{bad} --entry=generate --shape t=5 --input n=6 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: %{good} --entry=pad --input n=0 | FileCheck %s --check-prefix=NINE
// NINE: result result0: shape=9
// RUN: %{bad} --entry=pad --input n=1 2>&1 | FileCheck %s --check-prefix=PAD
// PAD: error: an index of 'tensor.extract' is out of the bounds of tensor<4xf32>

// A gather whose indices are known to be good is not checked: of constants, of
// loops, of types, and of what is cut off.
// RUN: amp-run %s --device=cpu --entry=constant --dump-stage=cpu | FileCheck %s --check-prefix=KNOWN
// RUN: amp-run %s --device=cpu --entry=table --dump-stage=cpu | FileCheck %s --check-prefix=KNOWN
// RUN: amp-run %s --device=cpu --entry=resize --dump-stage=cpu | FileCheck %s --check-prefix=KNOWN
// RUN: amp-run %s --device=cpu --entry=backwards --dump-stage=cpu | FileCheck %s --check-prefix=KNOWN
// RUN: amp-run %s --device=cpu --entry=counted --dump-stage=cpu | FileCheck %s --check-prefix=KNOWN
// KNOWN-NOT: cf.assert
// KNOWN: return
// KNOWN-NOT: cf.assert

func.func @rows(%t: tensor<?x12xf32> {amp.name = "t"}, %i: tensor<70xi32> {amp.name = "i"}) -> tensor<70x12xf32> {
  %e = tensor.empty() : tensor<70x12xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<70xi32>) outs(%e : tensor<70x12xf32>) {
  ^bb0(%a: i32, %o: f32):
    %k = arith.index_cast %a : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%k, %j] : tensor<?x12xf32>
    linalg.yield %v : f32 } -> tensor<70x12xf32>
  return %r : tensor<70x12xf32>
}
func.func @tosa(%t: tensor<1x50x12xf32> {amp.name = "t"}, %i: tensor<70xi32> {amp.name = "i"}) -> tensor<1x70x12xf32> {
  %j = tensor.expand_shape %i [[0, 1]] output_shape [1, 70] : tensor<70xi32> into tensor<1x70xi32>
  %r = tosa.gather %t, %j : (tensor<1x50x12xf32>, tensor<1x70xi32>) -> tensor<1x70x12xf32>
  return %r : tensor<1x70x12xf32>
}
func.func @elements(%t: tensor<?x?xf32> {amp.name = "t"}, %i: tensor<?x?xi64> {amp.name = "i"}) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %i, %c0 : tensor<?x?xi64>
  %n = tensor.dim %i, %c1 : tensor<?x?xi64>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<?x?xi64>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: i64, %o: f32):
    %k = arith.index_cast %a : i64 to index
    %j = linalg.index 0 : index
    %v = tensor.extract %t[%j, %k] : tensor<?x?xf32>
    linalg.yield %v : f32 } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @long(%t: tensor<3x70xf32> {amp.name = "t"}, %i: tensor<3x70xi32> {amp.name = "i"}) -> tensor<3x70xf32> {
  %e = tensor.empty() : tensor<3x70xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<3x70xi32>) outs(%e : tensor<3x70xf32>) {
  ^bb0(%a: i32, %o: f32):
    %k = arith.index_cast %a : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%k, %j] : tensor<3x70xf32>
    linalg.yield %v : f32 } -> tensor<3x70xf32>
  return %r : tensor<3x70xf32>
}
func.func @short(%t: tensor<70x3xf32> {amp.name = "t"}, %i: tensor<70x3xi64> {amp.name = "i"}) -> tensor<70x3xf32> {
  %e = tensor.empty() : tensor<70x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<70x3xi64>) outs(%e : tensor<70x3xf32>) {
  ^bb0(%a: i64, %o: f32):
    %k = arith.index_cast %a : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%k, %j] : tensor<70x3xf32>
    linalg.yield %v : f32 } -> tensor<70x3xf32>
  return %r : tensor<70x3xf32>
}
func.func @bytes(%t: tensor<200xf32> {amp.name = "t"}, %i: tensor<5xi8> {amp.name = "i"}) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%i : tensor<5xi8>) outs(%e : tensor<5xf32>) {
  ^bb0(%a: i8, %o: f32):
    %k = arith.index_castui %a : i8 to index
    %v = tensor.extract %t[%k] : tensor<200xf32>
    linalg.yield %v : f32 } -> tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @signed(%t: tensor<200xf32> {amp.name = "t"}, %i: tensor<4xi8> {amp.name = "i"}) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%i : tensor<4xi8>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: i8, %o: f32):
    %k = arith.index_cast %a : i8 to index
    %v = tensor.extract %t[%k] : tensor<200xf32>
    linalg.yield %v : f32 } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @threads(%t: tensor<?xf32> {amp.name = "t"}, %i: tensor<100000xi64> {amp.name = "i"}) -> tensor<100000xf32> {
  %e = tensor.empty() : tensor<100000xf32>
  %r = scf.forall (%x) in (100000) shared_outs(%o = %e) -> tensor<100000xf32> {
    %a = tensor.extract %i[%x] : tensor<100000xi64>
    %k = arith.index_cast %a : i64 to index
    %v = tensor.extract %t[%k] : tensor<?xf32>
    %w = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%x] [1] [1] : tensor<1xf32> into tensor<100000xf32>
    }
  }
  return %r : tensor<100000xf32>
}
func.func @guarded(%t: tensor<8xf32> {amp.name = "t"}, %i: tensor<5xi32> {amp.name = "i"}) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %z = arith.constant 0.0 : f32
  %b = arith.constant 100 : i32
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%i : tensor<5xi32>) outs(%e : tensor<5xf32>) {
  ^bb0(%a: i32, %o: f32):
    %c = arith.cmpi slt, %a, %b : i32
    %v = scf.if %c -> f32 {
      %k = arith.index_cast %a : i32 to index
      %w = tensor.extract %t[%k] : tensor<8xf32>
      scf.yield %w : f32
    } else {
      scf.yield %z : f32
    }
    linalg.yield %v : f32 } -> tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @twice(%t: tensor<8xf32> {amp.name = "t"}, %s: tensor<4xi8> {amp.name = "s"}, %i: tensor<5xi32> {amp.name = "i"}) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%i : tensor<5xi32>) outs(%e : tensor<5xf32>) {
  ^bb0(%a: i32, %o: f32):
    %k = arith.index_cast %a : i32 to index
    %w = tensor.extract %s[%k] : tensor<4xi8>
    %l = arith.index_cast %w : i8 to index
    %v = tensor.extract %t[%l] : tensor<8xf32>
    linalg.yield %v : f32 } -> tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @carried(%t: tensor<8xi32> {amp.name = "t"}, %x: tensor<5x3xi32> {amp.name = "x"}, %s: tensor<5xi32> {amp.name = "s"}) -> tensor<5xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x3xi32>) outs(%s : tensor<5xi32>) {
  ^bb0(%a: i32, %o: i32):
    %k = arith.index_cast %o : i32 to index
    %w = tensor.extract %t[%k] : tensor<8xi32>
    %v = arith.addi %w, %a : i32
    linalg.yield %v : i32 } -> tensor<5xi32>
  return %r : tensor<5xi32>
}
func.func @inits(%t: tensor<8xi32> {amp.name = "t"}, %s: tensor<5xi32> {amp.name = "s"}) -> tensor<5xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%s : tensor<5xi32>) {
  ^bb0(%o: i32):
    %k = arith.index_cast %o : i32 to index
    %w = tensor.extract %t[%k] : tensor<8xi32>
    linalg.yield %w : i32 } -> tensor<5xi32>
  return %r : tensor<5xi32>
}
func.func @reverse(%t: tensor<?xf32> {amp.name = "t"}, %n: index {amp.name = "n"}) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %j = linalg.index 0 : index
    %m = arith.subi %n, %j : index
    %k = arith.subi %m, %c1 : index
    %w = tensor.extract %t[%k] : tensor<?xf32>
    linalg.yield %w : f32 } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @uniform(%t: tensor<?xf32> {amp.name = "t"}, %n: index {amp.name = "n"}, %x: tensor<7xf32> {amp.name = "x"}) -> tensor<7xf32> {
  %e = tensor.empty() : tensor<7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<7xf32>) outs(%e : tensor<7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %w = tensor.extract %t[%n] : tensor<?xf32>
    %y = arith.addf %a, %w : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  return %r : tensor<7xf32>
}
func.func @window(%t: tensor<8xf32> {amp.name = "t"}, %i: tensor<?xi32> {amp.name = "i"}, %x: tensor<?x3xf32> {amp.name = "x"}) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%i, %x : tensor<?xi32>, tensor<?x3xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%a: i32, %b: f32, %o: f32):
    %k = arith.index_cast %a : i32 to index
    %w = tensor.extract %t[%k] : tensor<8xf32>
    %p = arith.mulf %w, %b : f32
    %v = arith.addf %o, %p : f32
    linalg.yield %v : f32 } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @program(%t: tensor<?xf32> {amp.name = "t"}, %n: index {amp.name = "n"}) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> tensor<4xf32> {
    %v = tensor.extract %t[%i] : tensor<?xf32>
    %b = tensor.insert %v into %a[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func @generate(%t: tensor<?xf32> {amp.name = "t"}, %n: index {amp.name = "n"}) -> tensor<?xf32> {
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %v = tensor.extract %t[%i] : tensor<?xf32>
    tensor.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @pad(%t: tensor<4xf32> {amp.name = "t"}, %n: index {amp.name = "n"}) -> tensor<9xf32> {
  %r = tensor.pad %t low[2] high[3] {
  ^bb0(%i: index):
    %k = arith.muli %i, %n : index
    %v = tensor.extract %t[%k] : tensor<4xf32>
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<9xf32>
  return %r : tensor<9xf32>
}
func.func @resize(%x: tensor<1x56x56x8xf32>) -> tensor<1x112x112x8xf32> {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.resize %x, %s, %o, %b {mode = BILINEAR} : (tensor<1x56x56x8xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x112x112x8xf32>
  return %r : tensor<1x112x112x8xf32>
}
func.func @backwards(%x: tensor<24x24xf32>) -> tensor<24x24xf32> {
  %r = tosa.reverse %x {axis = 1 : i32} : (tensor<24x24xf32>) -> tensor<24x24xf32>
  return %r : tensor<24x24xf32>
}
func.func @table(%x: tensor<1024xi8>, %t: tensor<256xi8>) -> tensor<1024xi8> {
  %r = tosa.table %x, %t : (tensor<1024xi8>, tensor<256xi8>) -> tensor<1024xi8>
  return %r : tensor<1024xi8>
}
func.func @constant(%t: tensor<9x16xf32>) -> tensor<4x16xf32> {
  %i = arith.constant dense<[0,8,3,1]> : tensor<4xi32>
  %e = tensor.empty() : tensor<4x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<4xi32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%a: i32, %o: f32):
    %k = arith.index_cast %a : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%k, %j] : tensor<9x16xf32>
    linalg.yield %v : f32 } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}
func.func @counted(%t: tensor<6xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %e) -> tensor<4xf32> {
    %k = arith.addi %i, %c2 : index
    %v = tensor.extract %t[%k] : tensor<6xf32>
    %b = tensor.insert %v into %a[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

func.func @gather(%t: tensor<50x12xf32>, %i: tensor<70xi32> {amp.name = "i"}) -> tensor<70x12xf32> {
  %0 = tensor.expand_shape %i [[0, 1]] output_shape [70, 1] : tensor<70xi32> into tensor<70x1xi32>
  %1 = tensor.gather %t[%0] gather_dims([0]) : (tensor<50x12xf32>, tensor<70x1xi32>) -> tensor<70x12xf32>
  return %1 : tensor<70x12xf32>
}

func.func @scatter(%x: tensor<70x12xf32>, %t: tensor<50x12xf32>, %i: tensor<70xi32> {amp.name = "i"}) -> tensor<50x12xf32> {
  %0 = tensor.expand_shape %i [[0, 1]] output_shape [70, 1] : tensor<70xi32> into tensor<70x1xi32>
  %1 = tensor.scatter %x into %t[%0] scatter_dims([0]) unique : (tensor<70x12xf32>, tensor<50x12xf32>, tensor<70x1xi32>) -> tensor<50x12xf32>
  return %1 : tensor<50x12xf32>
}
