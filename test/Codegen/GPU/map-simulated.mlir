// RUN: amp-opt %s --amp-gpu-codegen=target=sim --amp-lower-to-simulator | env AMP_SIM_WRITES=all %simulate | FileCheck %s
// The same with at most three blocks, which go on to further tiles; every element is still written once.
// RUN: amp-opt %s --amp-gpu-codegen='target=sim map-blocks=3' --amp-lower-to-simulator | env AMP_SIM_WRITES=all %simulate | FileCheck %s
// RUN: amp-opt %s --amp-gpu-codegen='target=sm_80 map-blocks=3' | FileCheck %s --check-prefix=STRIDE

// The schedule `map` over odd, tail, misaligned and empty shapes, on every
// element: the oracle is the same arithmetic, exact in f32, in loops on the
// host. What is printed is the number of elements that differ, for each kernel.

// CHECK: sizes = [3]
// CHECK-NEXT: [0, 0, 0]

// STRIDE-LABEL: gpu.func @bias
// STRIDE: %[[FIRST:.*]] = gpu.block_id  x
// STRIDE: %[[STRIDE:.*]] = gpu.grid_dim  x
// STRIDE: scf.for %{{.*}} = %[[FIRST]] to %{{.*}} step %[[STRIDE]] {
// STRIDE: vector.store
// STRIDE-LABEL: func.func @bias
// STRIDE: %[[GRID:.*]] = arith.minui %{{.*}}, %c3{{.*}} : index
// STRIDE: gpu.launch_func{{ *}}@kernels::@bias blocks in (%[[GRID]], %c1, %c1)

#g = #gpu.address_space<global>
#rows = strided<[?, 1], offset: ?>
#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

module {
module @kernels {
  // Rows with a column vector, f32 to f16, and a second result.
  func.func @bias(%x: tensor<?x?xf32>, %b: tensor<?xf32>, %d: tensor<?x?xf16> {amp.destination = 0 : i64}, %e: tensor<?x?xf32> {amp.destination = 1 : i64})
      -> (tensor<?x?xf16>, tensor<?x?xf32>) attributes {amp.kernel, amp.schedule = "map"} {
    %0:2 = linalg.generic {indexing_maps = [#id, #column, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%d, %e : tensor<?x?xf16>, tensor<?x?xf32>) {
    ^bb0(%a: f32, %c: f32, %u: f16, %v: f32):
      %i = linalg.index 1 : index
      %j = arith.index_cast %i : index to i32
      %f = arith.sitofp %j : i32 to f32
      %1 = arith.addf %a, %c : f32
      %2 = arith.truncf %1 : f32 to f16
      %3 = arith.subf %a, %f : f32
      linalg.yield %2, %3 : f16, f32
    } -> (tensor<?x?xf16>, tensor<?x?xf32>)
    return %0#0, %0#1 : tensor<?x?xf16>, tensor<?x?xf32>
  }
  // One row in the end.
  func.func @double(%x: tensor<?x3x?xf32>, %d: tensor<?x3x?xf32> {amp.destination = 0 : i64}) -> tensor<?x3x?xf32> attributes {amp.kernel, amp.schedule = "map"} {
    %0 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%x : tensor<?x3x?xf32>) outs(%d : tensor<?x3x?xf32>) {
    ^bb0(%a: f32, %u: f32):
      %1 = arith.addf %a, %a : f32
      linalg.yield %1 : f32
    } -> tensor<?x3x?xf32>
    return %0 : tensor<?x3x?xf32>
  }
  // Read across, and a pad on all sides.
  func.func @pad(%x: tensor<?x?xf32>, %d: tensor<?x?xf32> {amp.destination = 0 : i64}) -> tensor<?x?xf32> attributes {amp.kernel, amp.schedule = "map"} {
    %z = arith.constant -1.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %x, %c0 : tensor<?x?xf32>
    %n = tensor.dim %x, %c1 : tensor<?x?xf32>
    %e = tensor.empty(%n, %m) : tensor<?x?xf32>
    %t = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
    %p = tensor.pad %t low[1, 3] high[2, 1] {
    ^bb0(%i: index, %j: index):
      tensor.yield %z : f32
    } : tensor<?x?xf32> to tensor<?x?xf32>
    return %p : tensor<?x?xf32>
  }
}

func.func private @printMemrefI64(memref<*xi64>) attributes {llvm.emit_c_interface}

// A buffer of `m` rows of `n`, `stride` apart, from element `offset` on.
func.func @rows(%m: index, %n: index, %stride: index, %offset: index) -> memref<?x?xf32, #rows, #g> {
  %0 = arith.muli %m, %stride : index
  %size = arith.addi %0, %offset : index
  %b = memref.alloc(%size) {alignment = 256} : memref<?xf32>
  %g = memref.memory_space_cast %b : memref<?xf32> to memref<?xf32, #g>
  %r = memref.reinterpret_cast %g to offset: [%offset], sizes: [%m, %n], strides: [%stride, 1] : memref<?xf32, #g> to memref<?x?xf32, #rows, #g>
  return %r : memref<?x?xf32, #rows, #g>
}

func.func @value(%i: index, %j: index) -> f32 {
  %c37 = arith.constant 37 : index
  %c101 = arith.constant 101 : index
  %0 = arith.muli %i, %c37 : index
  %1 = arith.addi %0, %j : index
  %2 = arith.remui %1, %c101 : index
  %3 = arith.index_cast %2 : index to i32
  %4 = arith.sitofp %3 : i32 to f32
  return %4 : f32
}

func.func @fill(%x: memref<?x?xf32, #rows, #g>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32, #rows, #g>
  %n = memref.dim %x, %c1 : memref<?x?xf32, #rows, #g>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %v = func.call @value(%i, %j) : (index, index) -> f32
      memref.store %v, %x[%i, %j] : memref<?x?xf32, #rows, #g>
    }
  }
  return
}

func.func @count(%errors: memref<3xi64>, %kernel: index, %found: f32, %expected: f32) {
  %differs = arith.cmpf une, %found, %expected : f32
  %one = arith.extui %differs : i1 to i64
  %0 = memref.load %errors[%kernel] : memref<3xi64>
  %1 = arith.addi %0, %one : i64
  memref.store %1, %errors[%kernel] : memref<3xi64>
  return
}

func.func @bias(%errors: memref<3xi64>, %m: index, %n: index, %extra: index, %offset: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %stride = arith.addi %n, %extra : index
  %x = func.call @rows(%m, %n, %stride, %offset) : (index, index, index, index) -> memref<?x?xf32, #rows, #g>
  %e = func.call @rows(%m, %n, %stride, %offset) : (index, index, index, index) -> memref<?x?xf32, #rows, #g>
  func.call @fill(%x) : (memref<?x?xf32, #rows, #g>) -> ()
  %bh = memref.alloc(%n) {alignment = 256} : memref<?xf32>
  scf.for %j = %c0 to %n step %c1 {
    %v = func.call @value(%j, %j) : (index, index) -> f32
    memref.store %v, %bh[%j] : memref<?xf32>
  }
  %b = memref.memory_space_cast %bh : memref<?xf32> to memref<?xf32, #g>
  %dh = memref.alloc(%m, %n) {alignment = 256} : memref<?x?xf16>
  %d = memref.memory_space_cast %dh : memref<?x?xf16> to memref<?x?xf16, #g>
  amp.launch @kernels::@bias ins(%x, %b : memref<?x?xf32, #rows, #g>, memref<?xf32, #g>) outs(%d, %e : memref<?x?xf16, #g>, memref<?x?xf32, #rows, #g>)
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %v = func.call @value(%i, %j) : (index, index) -> f32
      %w = func.call @value(%j, %j) : (index, index) -> f32
      %sum = arith.addf %v, %w : f32
      %half = memref.load %dh[%i, %j] : memref<?x?xf16>
      %found = arith.extf %half : f16 to f32
      func.call @count(%errors, %c0, %found, %sum) : (memref<3xi64>, index, f32, f32) -> ()
      %k = arith.index_cast %j : index to i32
      %f = arith.sitofp %k : i32 to f32
      %difference = arith.subf %v, %f : f32
      %second = memref.load %e[%i, %j] : memref<?x?xf32, #rows, #g>
      func.call @count(%errors, %c0, %second, %difference) : (memref<3xi64>, index, f32, f32) -> ()
    }
  }
  return
}

func.func @double(%errors: memref<3xi64>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %xh = memref.alloc(%m, %n) {alignment = 256} : memref<?x3x?xf32>
  %dh = memref.alloc(%m, %n) {alignment = 256} : memref<?x3x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %l = %c0 to %c3 step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %v = func.call @value(%i, %j) : (index, index) -> f32
        memref.store %v, %xh[%i, %l, %j] : memref<?x3x?xf32>
      }
    }
  }
  %x = memref.memory_space_cast %xh : memref<?x3x?xf32> to memref<?x3x?xf32, #g>
  %d = memref.memory_space_cast %dh : memref<?x3x?xf32> to memref<?x3x?xf32, #g>
  amp.launch @kernels::@double ins(%x : memref<?x3x?xf32, #g>) outs(%d : memref<?x3x?xf32, #g>)
  scf.for %i = %c0 to %m step %c1 {
    scf.for %l = %c0 to %c3 step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %v = func.call @value(%i, %j) : (index, index) -> f32
        %twice = arith.addf %v, %v : f32
        %found = memref.load %dh[%i, %l, %j] : memref<?x3x?xf32>
        func.call @count(%errors, %c1, %found, %twice) : (memref<3xi64>, index, f32, f32) -> ()
      }
    }
  }
  return
}

func.func @pad(%errors: memref<3xi64>, %m: index, %n: index, %extra: index, %offset: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %minus = arith.constant -1.0 : f32
  %stride = arith.addi %n, %extra : index
  %x = func.call @rows(%m, %n, %stride, %offset) : (index, index, index, index) -> memref<?x?xf32, #rows, #g>
  func.call @fill(%x) : (memref<?x?xf32, #rows, #g>) -> ()
  %rows = arith.addi %n, %c3 : index
  %columns = arith.addi %m, %c4 : index
  %dstride = arith.addi %columns, %extra : index
  %d = func.call @rows(%rows, %columns, %dstride, %offset) : (index, index, index, index) -> memref<?x?xf32, #rows, #g>
  amp.launch @kernels::@pad ins(%x : memref<?x?xf32, #rows, #g>) outs(%d : memref<?x?xf32, #rows, #g>)
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %columns step %c1 {
      %r = arith.subi %i, %c1 : index
      %c = arith.subi %j, %c3 : index
      %inRow = arith.cmpi ult, %r, %n : index
      %inColumn = arith.cmpi ult, %c, %m : index
      %in = arith.andi %inRow, %inColumn : i1
      %v = func.call @value(%c, %r) : (index, index) -> f32
      %expected = arith.select %in, %v, %minus : f32
      %found = memref.load %d[%i, %j] : memref<?x?xf32, #rows, #g>
      func.call @count(%errors, %c2, %found, %expected) : (memref<3xi64>, index, f32, f32) -> ()
    }
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i64
  %errors = memref.alloc() : memref<3xi64>
  linalg.fill ins(%zero : i64) outs(%errors : memref<3xi64>)
  %ms = memref.get_global @ms : memref<5xindex>
  %ns = memref.get_global @ns : memref<8xindex>
  scf.for %a = %c0 to %c5 step %c1 {
    %m = memref.load %ms[%a] : memref<5xindex>
    scf.for %b = %c0 to %c8 step %c1 {
      %n = memref.load %ns[%b] : memref<8xindex>
      scf.for %extra = %c0 to %c2 step %c1 {
        func.call @bias(%errors, %m, %n, %extra, %extra) : (memref<3xi64>, index, index, index, index) -> ()
        func.call @pad(%errors, %m, %n, %extra, %extra) : (memref<3xi64>, index, index, index, index) -> ()
      }
      func.call @double(%errors, %m, %n) : (memref<3xi64>, index, index) -> ()
    }
  }
  %u = memref.cast %errors : memref<3xi64> to memref<*xi64>
  func.call @printMemrefI64(%u) : (memref<*xi64>) -> ()
  return
}
memref.global "private" constant @ms : memref<5xindex> = dense<[0, 1, 3, 7, 66]>
memref.global "private" constant @ns : memref<8xindex> = dense<[0, 1, 3, 4, 12, 65, 1024, 1031]>
}
