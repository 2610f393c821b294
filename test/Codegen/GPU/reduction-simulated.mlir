// RUN: amp-opt %s --amp-gpu-codegen=target=sim --amp-lower-to-simulator | env AMP_SIM_WRITES=all %simulate | FileCheck %s

// The device code of reductions, run by the simulator, which checks every
// access and that every element of a result is written once. The oracle is the
// same computation by the host in f64. Each line says whether all results are
// within the bound: 4e-6 relative for softmax (a few ulps of exp, of the sum and
// of the division), 1e-5 of the sum of absolute values for sums in f32, and the
// very index, the first of equal ones, for argmax.
//
// Sizes: one element, less than a warp, tails, a warp for each row (up to 1024),
// a block for each row, a loop over the row, and blocks that share a row. Bases
// that are not aligned: the second call of each.

// CHECK-COUNT-12: ( 1 )
// CHECK-NOT: ( 0 )
// CHECK: argmax
// CHECK-COUNT-6: ( 1 )
// CHECK-NOT: ( 0 )
// CHECK: columns
// CHECK-COUNT-6: ( 1 )
// CHECK-NOT: ( 0 )
// CHECK: done
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
!in = memref<?x?xf32, strided<[?, 1], offset: ?>, #gpu.address_space<global>>
!out1 = memref<?xf32, #gpu.address_space<global>>
!index1 = memref<?xi64, #gpu.address_space<global>>
module attributes {gpu.container_module} {
  module @functions {
    func.func @softmax(%x: tensor<?x?xf32>,
        %d: tensor<?x?xf32> {amp.destination = 0 : i64})
        -> tensor<?x?xf32> attributes {amp.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %low = arith.constant 0xFF800000 : f32
      %zero = arith.constant 0.0 : f32
      %n = tensor.dim %x, %c0 : tensor<?x?xf32>
      %c = tensor.dim %x, %c1 : tensor<?x?xf32>
      %e = tensor.empty(%n) : tensor<?xf32>
      %f = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      %m = linalg.generic {indexing_maps = [#id, #row],
          iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<?x?xf32>) outs(%f : tensor<?xf32>) {
      ^bb0(%a: f32, %b: f32):
        %r = arith.maximumf %a, %b : f32
        linalg.yield %r : f32
      } -> tensor<?xf32>
      %e2 = tensor.empty(%n, %c) : tensor<?x?xf32>
      %p = linalg.generic {indexing_maps = [#id, #row, #id],
          iterator_types = ["parallel", "parallel"]}
          ins(%x, %m : tensor<?x?xf32>, tensor<?xf32>)
          outs(%e2 : tensor<?x?xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %s = arith.subf %a, %b : f32
        %r = math.exp %s : f32
        linalg.yield %r : f32
      } -> tensor<?x?xf32>
      %g = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      %t = linalg.generic {indexing_maps = [#id, #row],
          iterator_types = ["parallel", "reduction"]}
          ins(%p : tensor<?x?xf32>) outs(%g : tensor<?xf32>) {
      ^bb0(%a: f32, %b: f32):
        %r = arith.addf %a, %b : f32
        linalg.yield %r : f32
      } -> tensor<?xf32>
      %y = linalg.generic {indexing_maps = [#id, #row, #id],
          iterator_types = ["parallel", "parallel"]}
          ins(%p, %t : tensor<?x?xf32>, tensor<?xf32>)
          outs(%d : tensor<?x?xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %r = arith.divf %a, %b : f32
        linalg.yield %r : f32
      } -> tensor<?x?xf32>
      return %y : tensor<?x?xf32>
    }

    func.func @argmax(%x: tensor<?x?xf32>,
        %d0: tensor<?xf32> {amp.destination = 0 : i64},
        %d1: tensor<?xi64> {amp.destination = 1 : i64})
        -> (tensor<?xf32>, tensor<?xi64>) attributes {amp.kernel} {
      %c0 = arith.constant 0 : index
      %low = arith.constant 0xFF800000 : f32
      %zero = arith.constant 0 : i64
      %n = tensor.dim %x, %c0 : tensor<?x?xf32>
      %e = tensor.empty(%n) : tensor<?xf32>
      %f = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      %e1 = tensor.empty(%n) : tensor<?xi64>
      %g = linalg.fill ins(%zero : i64) outs(%e1 : tensor<?xi64>) -> tensor<?xi64>
      %m:2 = linalg.generic {indexing_maps = [#id, #row, #row],
          iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<?x?xf32>) outs(%f, %g : tensor<?xf32>, tensor<?xi64>) {
      ^bb0(%a: f32, %b: f32, %i: i64):
        %j = linalg.index 1 : index
        %k = arith.index_cast %j : index to i64
        %c = arith.cmpf ogt, %a, %b : f32
        %r = arith.select %c, %a, %b : f32
        %s = arith.select %c, %k, %i : i64
        linalg.yield %r, %s : f32, i64
      } -> (tensor<?xf32>, tensor<?xi64>)
      return %m#0, %m#1 : tensor<?xf32>, tensor<?xi64>
    }

    func.func @columns(%x: tensor<?x?xf32>,
        %d: tensor<?xf32> {amp.destination = 0 : i64})
        -> tensor<?xf32> attributes {amp.kernel} {
      %c1 = arith.constant 1 : index
      %start = arith.constant 3.0 : f32
      %n = tensor.dim %x, %c1 : tensor<?x?xf32>
      %e = tensor.empty(%n) : tensor<?xf32>
      %f = linalg.fill ins(%start : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      %m = linalg.generic {indexing_maps = [#id, #column],
          iterator_types = ["reduction", "parallel"]}
          ins(%x : tensor<?x?xf32>) outs(%f : tensor<?xf32>) {
      ^bb0(%a: f32, %b: f32):
        %r = arith.addf %a, %b : f32
        linalg.yield %r : f32
      } -> tensor<?xf32>
      return %m : tensor<?xf32>
    }
  }

  // A matrix whose base lies `shift` elements after an aligned address. Values
  // repeat (for ties), row 0 is large and negative, and every third element of
  // the other rows from the fourth column on is -infinity.
  func.func private @create(%rows: index, %columns: index, %shift: index,
                            %masks: i1) -> memref<?x?xf32, strided<[?, 1], offset: ?>> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c37 = arith.constant 37 : index
    %c17 = arith.constant 17 : index
    %low = arith.constant 0xFF800000 : f32
    %eighth = arith.constant 0.125 : f32
    %large = arith.constant -300.0 : f32
    %zero = arith.constant 0.0 : f32
    %size = arith.muli %rows, %columns : index
    %all = arith.addi %size, %c4 : index
    %buffer = memref.alloc(%all) {alignment = 64 : i64} : memref<?xf32>
    %x = memref.reinterpret_cast %buffer to offset: [%shift], sizes: [%rows, %columns], strides: [%columns, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    scf.for %i = %c0 to %rows step %c1 {
      scf.for %j = %c0 to %columns step %c1 {
        %a = arith.muli %i, %c17 : index
        %b = arith.muli %j, %j : index
        %c = arith.addi %a, %b : index
        %d = arith.remui %c, %c37 : index
        %e = arith.index_cast %d : index to i64
        %f = arith.sitofp %e : i64 to f32
        %g = arith.mulf %f, %eighth : f32
        %first = arith.cmpi eq, %i, %c0 : index
        %offset = arith.select %first, %large, %zero : f32
        %h = arith.addf %g, %offset : f32
        %k = arith.remui %j, %c3 : index
        %l = arith.cmpi eq, %k, %c0 : index
        %m = arith.cmpi uge, %j, %c4 : index
        %n = arith.andi %l, %m : i1
        %o = arith.andi %n, %masks : i1
        %p = arith.select %o, %low, %h : f32
        memref.store %p, %x[%i, %j] : memref<?x?xf32, strided<[?, 1], offset: ?>>
      }
    }
    return %x : memref<?x?xf32, strided<[?, 1], offset: ?>>
  }

  func.func private @test_softmax(%rows: index, %columns: index, %shift: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %true = arith.constant true
    %zero = arith.constant 0.0 : f64
    %low = arith.constant 0xFFF0000000000000 : f64
    %relative = arith.constant 4.0e-6 : f64
    %absolute = arith.constant 1.0e-30 : f64
    %x = func.call @create(%rows, %columns, %shift, %true)
        : (index, index, index, i1) -> memref<?x?xf32, strided<[?, 1], offset: ?>>
    %y = memref.alloc(%rows, %columns) {alignment = 64 : i64} : memref<?x?xf32>
    %xd = memref.memory_space_cast %x : memref<?x?xf32, strided<[?, 1], offset: ?>> to !in
    %yd = memref.memory_space_cast %y : memref<?x?xf32> to memref<?x?xf32, #gpu.address_space<global>>
    amp.launch @functions::@softmax ins(%xd : !in)
        outs(%yd : memref<?x?xf32, #gpu.address_space<global>>)
    %good = scf.for %i = %c0 to %rows step %c1 iter_args(%ok = %true) -> i1 {
      %max = scf.for %j = %c0 to %columns step %c1 iter_args(%m = %low) -> f64 {
        %a = memref.load %x[%i, %j] : memref<?x?xf32, strided<[?, 1], offset: ?>>
        %b = arith.extf %a : f32 to f64
        %c = arith.maximumf %m, %b : f64
        scf.yield %c : f64
      }
      %sum = scf.for %j = %c0 to %columns step %c1 iter_args(%s = %zero) -> f64 {
        %a = memref.load %x[%i, %j] : memref<?x?xf32, strided<[?, 1], offset: ?>>
        %b = arith.extf %a : f32 to f64
        %c = arith.subf %b, %max : f64
        %d = math.exp %c : f64
        %e = arith.addf %s, %d : f64
        scf.yield %e : f64
      }
      %row = scf.for %j = %c0 to %columns step %c1 iter_args(%o = %ok) -> i1 {
        %a = memref.load %x[%i, %j] : memref<?x?xf32, strided<[?, 1], offset: ?>>
        %b = arith.extf %a : f32 to f64
        %c = arith.subf %b, %max : f64
        %d = math.exp %c : f64
        %e = arith.divf %d, %sum : f64
        %f = memref.load %y[%i, %j] : memref<?x?xf32>
        %g = arith.extf %f : f32 to f64
        %h = arith.subf %g, %e : f64
        %k = math.absf %h : f64
        %l = arith.mulf %e, %relative : f64
        %m = arith.addf %l, %absolute : f64
        %n = arith.cmpf ole, %k, %m : f64
        %p = arith.andi %o, %n : i1
        scf.yield %p : i1
      }
      scf.yield %row : i1
    }
    func.call @report(%good) : (i1) -> ()
    return
  }

  func.func private @test_argmax(%rows: index, %columns: index, %shift: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %true = arith.constant true
    %low = arith.constant 0xFF800000 : f32
    %x = func.call @create(%rows, %columns, %shift, %true)
        : (index, index, index, i1) -> memref<?x?xf32, strided<[?, 1], offset: ?>>
    %y = memref.alloc(%rows) {alignment = 64 : i64} : memref<?xf32>
    %z = memref.alloc(%rows) {alignment = 64 : i64} : memref<?xi64>
    %xd = memref.memory_space_cast %x : memref<?x?xf32, strided<[?, 1], offset: ?>> to !in
    %yd = memref.memory_space_cast %y : memref<?xf32> to !out1
    %zd = memref.memory_space_cast %z : memref<?xi64> to !index1
    amp.launch @functions::@argmax ins(%xd : !in) outs(%yd, %zd : !out1, !index1)
    %good = scf.for %i = %c0 to %rows step %c1 iter_args(%ok = %true) -> i1 {
      %max:2 = scf.for %j = %c0 to %columns step %c1 iter_args(%m = %low, %n = %c0) -> (f32, index) {
        %a = memref.load %x[%i, %j] : memref<?x?xf32, strided<[?, 1], offset: ?>>
        %b = arith.cmpf ogt, %a, %m : f32
        %c = arith.select %b, %a, %m : f32
        %d = arith.select %b, %j, %n : index
        scf.yield %c, %d : f32, index
      }
      %a = memref.load %y[%i] : memref<?xf32>
      %b = memref.load %z[%i] : memref<?xi64>
      %c = arith.index_cast %b : i64 to index
      %d = arith.cmpf oeq, %a, %max#0 : f32
      %e = arith.cmpi eq, %c, %max#1 : index
      %f = arith.andi %d, %e : i1
      %g = arith.andi %f, %ok : i1
      scf.yield %g : i1
    }
    func.call @report(%good) : (i1) -> ()
    return
  }

  func.func private @test_columns(%rows: index, %columns: index, %shift: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %start = arith.constant 3.0 : f64
    %relative = arith.constant 1.0e-5 : f64
    %x = func.call @create(%rows, %columns, %shift, %false)
        : (index, index, index, i1) -> memref<?x?xf32, strided<[?, 1], offset: ?>>
    %y = memref.alloc(%columns) {alignment = 64 : i64} : memref<?xf32>
    %xd = memref.memory_space_cast %x : memref<?x?xf32, strided<[?, 1], offset: ?>> to !in
    %yd = memref.memory_space_cast %y : memref<?xf32> to !out1
    amp.launch @functions::@columns ins(%xd : !in) outs(%yd : !out1)
    %good = scf.for %j = %c0 to %columns step %c1 iter_args(%ok = %true) -> i1 {
      %sum:2 = scf.for %i = %c0 to %rows step %c1 iter_args(%s = %start, %t = %start) -> (f64, f64) {
        %a = memref.load %x[%i, %j] : memref<?x?xf32, strided<[?, 1], offset: ?>>
        %b = arith.extf %a : f32 to f64
        %c = arith.addf %s, %b : f64
        %d = math.absf %b : f64
        %e = arith.addf %t, %d : f64
        scf.yield %c, %e : f64, f64
      }
      %a = memref.load %y[%j] : memref<?xf32>
      %b = arith.extf %a : f32 to f64
      %c = arith.subf %b, %sum#0 : f64
      %d = math.absf %c : f64
      %e = arith.mulf %sum#1, %relative : f64
      %f = arith.cmpf ole, %d, %e : f64
      %g = arith.andi %f, %ok : i1
      scf.yield %g : i1
    }
    func.call @report(%good) : (i1) -> ()
    return
  }

  func.func private @report(%good: i1) {
    %v = vector.broadcast %good : i1 to vector<1xi1>
    vector.print %v : vector<1xi1>
    return
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %c10 = arith.constant 10 : index
    %c36 = arith.constant 36 : index
    %c300 = arith.constant 300 : index
    %c1000 = arith.constant 1000 : index
    %c1024 = arith.constant 1024 : index
    %c4095 = arith.constant 4095 : index
    %c4096 = arith.constant 4096 : index
    %c6000 = arith.constant 6000 : index
    %c20000 = arith.constant 20000 : index
    scf.for %shift = %c0 to %c2 step %c1 {
      func.call @test_softmax(%c3, %c1, %shift) : (index, index, index) -> ()
      func.call @test_softmax(%c5, %c10, %shift) : (index, index, index) -> ()
      func.call @test_softmax(%c5, %c1000, %shift) : (index, index, index) -> ()
      func.call @test_softmax(%c2, %c4095, %shift) : (index, index, index) -> ()
      func.call @test_softmax(%c2, %c6000, %shift) : (index, index, index) -> ()
      func.call @test_softmax(%c2, %c20000, %shift) : (index, index, index) -> ()
    }
    vector.print str "argmax\n"
    scf.for %shift = %c0 to %c2 step %c1 {
      func.call @test_argmax(%c7, %c36, %shift) : (index, index, index) -> ()
      func.call @test_argmax(%c3, %c4096, %shift) : (index, index, index) -> ()
      func.call @test_argmax(%c2, %c20000, %shift) : (index, index, index) -> ()
    }
    vector.print str "columns\n"
    scf.for %shift = %c0 to %c2 step %c1 {
      func.call @test_columns(%c0, %c7, %shift) : (index, index, index) -> ()
      func.call @test_columns(%c300, %c36, %shift) : (index, index, index) -> ()
      func.call @test_columns(%c5, %c1024, %shift) : (index, index, index) -> ()
    }
    vector.print str "done\n"
    return
  }
}
