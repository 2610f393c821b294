// RUN: amp-opt %s --amp-gpu-codegen=target=sim --amp-lower-to-simulator | %simulate | FileCheck %s
// RUN: amp-opt %s --amp-gpu-codegen=target=sim | FileCheck %s --check-prefix=TILE

// Large transposes of 16-bit elements move 16 bytes on both sides, in tiles of
// 128 x 128; every element gets where it belongs.

// TILE: gpu.func @turn({{.*}}workgroup(%{{.*}} : memref<16384xi16
// TILE: vector.load {{.*}} vector<8xi16>

// CHECK: wrong 0

#g = #gpu.address_space<global>

module @kernels {
  func.func @turn(%x: tensor<2048x1024xi16>, %d: tensor<1024x2048xi16> {amp.destination = 0 : i64}) -> tensor<1024x2048xi16>
      attributes {amp.kernel} {
    %0 = linalg.generic {indexing_maps = [affine_map<(r, c) -> (c, r)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<2048x1024xi16>) outs(%d : tensor<1024x2048xi16>) {
    ^bb0(%in: i16, %out: i16):
      linalg.yield %in : i16
    } -> tensor<1024x2048xi16>
    return %0 : tensor<1024x2048xi16>
  }
}

// Neighbours differ, and so do rows and columns.
func.func @number(%r: index, %c: index) -> i16 {
  %c1021 = arith.constant 1021 : index
  %0 = arith.muli %r, %c1021 : index
  %1 = arith.addi %0, %c : index
  %2 = arith.index_cast %1 : index to i16
  return %2 : i16
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 2048 : index
  %columns = arith.constant 1024 : index
  %x = memref.alloc() {alignment = 64} : memref<2048x1024xi16>
  %y = memref.alloc() {alignment = 64} : memref<1024x2048xi16>
  scf.for %r = %c0 to %rows step %c1 {
    scf.for %c = %c0 to %columns step %c1 {
      %0 = func.call @number(%r, %c) : (index, index) -> i16
      memref.store %0, %x[%r, %c] : memref<2048x1024xi16>
    }
  }
  %xg = memref.memory_space_cast %x : memref<2048x1024xi16> to memref<2048x1024xi16, #g>
  %yg = memref.memory_space_cast %y : memref<1024x2048xi16> to memref<1024x2048xi16, #g>
  amp.launch @kernels::@turn ins(%xg : memref<2048x1024xi16, #g>) outs(%yg : memref<1024x2048xi16, #g>)
  %wrong = scf.for %r = %c0 to %rows step %c1 iter_args(%all = %c0) -> (index) {
    %sum = scf.for %c = %c0 to %columns step %c1 iter_args(%count = %all) -> (index) {
      %0 = func.call @number(%r, %c) : (index, index) -> i16
      %1 = memref.load %y[%c, %r] : memref<1024x2048xi16>
      %2 = arith.cmpi ne, %0, %1 : i16
      %3 = arith.select %2, %c1, %c0 : index
      %4 = arith.addi %count, %3 : index
      scf.yield %4 : index
    }
    scf.yield %sum : index
  }
  vector.print str "wrong "
  vector.print %wrong : index
  return
}
