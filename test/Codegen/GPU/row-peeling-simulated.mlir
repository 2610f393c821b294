// RUN: amp-opt %s --amp-gpu-codegen=target=sim --amp-lower-to-simulator | env AMP_SIM_WRITES=all %simulate | FileCheck %s

// Rows of 203 elements in buffers whose rows begin at other multiples of 16
// bytes than those of the results do, so that inputs are read as the aligned
// vectors that cover theirs: x is contiguous and the result padded, and the
// other way round; a second input has the result's rows, and the scale is in
// one row that every result shares. Bases lie 0 to 2 elements behind an aligned
// address. The simulator checks that nothing outside is read and that every
// element is written once. Everything is a small integer: results are exact.

// CHECK-COUNT-6: ( 1 )
// CHECK-NOT: ( 0 )
// CHECK: done
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
!tight = memref<7x203xf16, strided<[203, 1], offset: ?>, #gpu.address_space<global>>
!padded = memref<7x203xf16, strided<[256, 1], offset: ?>, #gpu.address_space<global>>
!scale = memref<203xf32, strided<[1], offset: ?>, #gpu.address_space<global>>
!any = memref<7x203xf16, strided<[?, 1], offset: ?>>
module attributes {gpu.container_module} {
  module @functions {
    func.func @tight(%x: tensor<7x203xf16>, %z: tensor<7x203xf16>, %g: tensor<203xf32>,
        %d: tensor<7x203xf16> {amp.destination = 0 : i64}) -> tensor<7x203xf16> attributes {amp.kernel} {
      %low = arith.constant 0xFC00 : f16
      %e = tensor.empty() : tensor<7xf16>
      %f = linalg.fill ins(%low : f16) outs(%e : tensor<7xf16>) -> tensor<7xf16>
      %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<7x203xf16>) outs(%f : tensor<7xf16>) {
      ^bb0(%a: f16, %b: f16):
        %r = arith.maximumf %a, %b : f16
        linalg.yield %r : f16
      } -> tensor<7xf16>
      %y = linalg.generic {indexing_maps = [#id, #id, #column, #row, #id], iterator_types = ["parallel", "parallel"]}
          ins(%x, %z, %g, %m : tensor<7x203xf16>, tensor<7x203xf16>, tensor<203xf32>, tensor<7xf16>)
          outs(%d : tensor<7x203xf16>) {
      ^bb0(%a: f16, %b: f16, %s: f32, %t: f16, %o: f16):
        %p = arith.subf %a, %t : f16
        %q = arith.truncf %s : f32 to f16
        %u = arith.mulf %p, %q : f16
        %r = arith.addf %u, %b : f16
        linalg.yield %r : f16
      } -> tensor<7x203xf16>
      return %y : tensor<7x203xf16>
    }
    func.func @padded(%x: tensor<7x203xf16>, %z: tensor<7x203xf16>, %g: tensor<203xf32>,
        %d: tensor<7x203xf16> {amp.destination = 0 : i64}) -> tensor<7x203xf16> attributes {amp.kernel} {
      %low = arith.constant 0xFC00 : f16
      %e = tensor.empty() : tensor<7xf16>
      %f = linalg.fill ins(%low : f16) outs(%e : tensor<7xf16>) -> tensor<7xf16>
      %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<7x203xf16>) outs(%f : tensor<7xf16>) {
      ^bb0(%a: f16, %b: f16):
        %r = arith.maximumf %a, %b : f16
        linalg.yield %r : f16
      } -> tensor<7xf16>
      %y = linalg.generic {indexing_maps = [#id, #id, #column, #row, #id], iterator_types = ["parallel", "parallel"]}
          ins(%x, %z, %g, %m : tensor<7x203xf16>, tensor<7x203xf16>, tensor<203xf32>, tensor<7xf16>)
          outs(%d : tensor<7x203xf16>) {
      ^bb0(%a: f16, %b: f16, %s: f32, %t: f16, %o: f16):
        %p = arith.subf %a, %t : f16
        %q = arith.truncf %s : f32 to f16
        %u = arith.mulf %p, %q : f16
        %r = arith.addf %u, %b : f16
        linalg.yield %r : f16
      } -> tensor<7x203xf16>
      return %y : tensor<7x203xf16>
    }
  }

  func.func private @create(%stride: index, %shift: index, %factor: index) -> !any {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c11 = arith.constant 11 : index
    %c203 = arith.constant 203 : index
    %size = arith.muli %c7, %stride : index
    %all = arith.addi %size, %shift : index
    %buffer = memref.alloc(%all) {alignment = 64 : i64} : memref<?xf16>
    %x = memref.reinterpret_cast %buffer to offset: [%shift], sizes: [7, 203], strides: [%stride, 1] : memref<?xf16> to !any
    scf.for %i = %c0 to %c7 step %c1 {
      scf.for %j = %c0 to %c203 step %c1 {
        %a = arith.addi %i, %j : index
        %b = arith.muli %a, %factor : index
        %c = arith.remui %b, %c11 : index
        %d = arith.index_cast %c : index to i16
        %e = arith.sitofp %d : i16 to f16
        memref.store %e, %x[%i, %j] : !any
      }
    }
    return %x : !any
  }
  func.func private @createScale(%shift: index) -> memref<203xf32, strided<[1], offset: ?>> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c203 = arith.constant 203 : index
    %all = arith.addi %c203, %shift : index
    %buffer = memref.alloc(%all) {alignment = 64 : i64} : memref<?xf32>
    %x = memref.reinterpret_cast %buffer to offset: [%shift], sizes: [203], strides: [1]
        : memref<?xf32> to memref<203xf32, strided<[1], offset: ?>>
    scf.for %j = %c0 to %c203 step %c1 {
      %a = arith.remui %j, %c5 : index
      %b = arith.index_cast %a : index to i32
      %c = arith.sitofp %b : i32 to f32
      memref.store %c, %x[%j] : memref<203xf32, strided<[1], offset: ?>>
    }
    return %x : memref<203xf32, strided<[1], offset: ?>>
  }

  func.func private @check(%x: !any, %z: !any, %g: memref<203xf32, strided<[1], offset: ?>>, %y: !any) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c203 = arith.constant 203 : index
    %true = arith.constant true
    %low = arith.constant 0xFC00 : f16
    %good = scf.for %i = %c0 to %c7 step %c1 iter_args(%ok = %true) -> i1 {
      %max = scf.for %j = %c0 to %c203 step %c1 iter_args(%m = %low) -> f16 {
        %a = memref.load %x[%i, %j] : !any
        %b = arith.maximumf %m, %a : f16
        scf.yield %b : f16
      }
      %all = scf.for %j = %c0 to %c203 step %c1 iter_args(%o = %ok) -> i1 {
        %a = memref.load %x[%i, %j] : !any
        %b = memref.load %z[%i, %j] : !any
        %s = memref.load %g[%j] : memref<203xf32, strided<[1], offset: ?>>
        %c = memref.load %y[%i, %j] : !any
        %p = arith.subf %a, %max : f16
        %q = arith.truncf %s : f32 to f16
        %u = arith.mulf %p, %q : f16
        %r = arith.addf %u, %b : f16
        %e = arith.cmpf oeq, %r, %c : f16
        %n = arith.andi %o, %e : i1
        scf.yield %n : i1
      }
      scf.yield %all : i1
    }
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
    %c203 = arith.constant 203 : index
    %c256 = arith.constant 256 : index
    scf.for %shift = %c0 to %c3 step %c1 {
      %g = func.call @createScale(%shift) : (index) -> memref<203xf32, strided<[1], offset: ?>>
      %gd = memref.memory_space_cast %g : memref<203xf32, strided<[1], offset: ?>> to !scale
      // Contiguous results.
      %x = func.call @create(%c256, %c0, %c5) : (index, index, index) -> !any
      %z = func.call @create(%c203, %shift, %c3) : (index, index, index) -> !any
      %y = func.call @create(%c203, %shift, %c0) : (index, index, index) -> !any
      %xs = memref.memory_space_cast %x : !any to memref<7x203xf16, strided<[?, 1], offset: ?>, #gpu.address_space<global>>
      %zs = memref.memory_space_cast %z : !any to memref<7x203xf16, strided<[?, 1], offset: ?>, #gpu.address_space<global>>
      %ys = memref.memory_space_cast %y : !any to memref<7x203xf16, strided<[?, 1], offset: ?>, #gpu.address_space<global>>
      %xd = memref.cast %xs : memref<7x203xf16, strided<[?, 1], offset: ?>, #gpu.address_space<global>> to !padded
      %zd = memref.cast %zs : memref<7x203xf16, strided<[?, 1], offset: ?>, #gpu.address_space<global>> to !tight
      %yd = memref.cast %ys : memref<7x203xf16, strided<[?, 1], offset: ?>, #gpu.address_space<global>> to !tight
      amp.launch @functions::@tight ins(%xd, %zd, %gd : !padded, !tight, !scale) outs(%yd : !tight)
      func.call @check(%x, %z, %g, %y) : (!any, !any, memref<203xf32, strided<[1], offset: ?>>, !any) -> ()
      // Padded results.
      %u = func.call @create(%c203, %shift, %c5) : (index, index, index) -> !any
      %v = func.call @create(%c256, %c2, %c3) : (index, index, index) -> !any
      %w = func.call @create(%c256, %c2, %c0) : (index, index, index) -> !any
      %us = memref.memory_space_cast %u : !any to memref<7x203xf16, strided<[?, 1], offset: ?>, #gpu.address_space<global>>
      %vs = memref.memory_space_cast %v : !any to memref<7x203xf16, strided<[?, 1], offset: ?>, #gpu.address_space<global>>
      %ws = memref.memory_space_cast %w : !any to memref<7x203xf16, strided<[?, 1], offset: ?>, #gpu.address_space<global>>
      %ud = memref.cast %us : memref<7x203xf16, strided<[?, 1], offset: ?>, #gpu.address_space<global>> to !tight
      %vd = memref.cast %vs : memref<7x203xf16, strided<[?, 1], offset: ?>, #gpu.address_space<global>> to !padded
      %wd = memref.cast %ws : memref<7x203xf16, strided<[?, 1], offset: ?>, #gpu.address_space<global>> to !padded
      amp.launch @functions::@padded ins(%ud, %vd, %gd : !tight, !padded, !scale) outs(%wd : !padded)
      func.call @check(%u, %v, %g, %w) : (!any, !any, memref<203xf32, strided<[1], offset: ?>>, !any) -> ()
    }
    vector.print str "done\n"
    return
  }
}
