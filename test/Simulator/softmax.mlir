// UNSUPPORTED: sanitizer
// RUN: amp-opt %s --amp-lower-to-simulator | %simulate | FileCheck %s

// A row softmax: one block per row; each thread reduces a part of the row, the
// lanes of a warp combine with shuffles, the warps through shared memory. The
// oracle is that the sum of each row is 1, and that equal inputs give equal
// outputs; the second row has one large element, which takes all.
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @softmax(%x: memref<?x4096xf32, #gpu.address_space<global>>, %y: memref<?x4096xf32, #gpu.address_space<global>>)
      workgroup(%parts: memref<4xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c512 = arith.constant 512 : index
    %c4096 = arith.constant 4096 : index
    %w = arith.constant 32 : i32
    %row = gpu.block_id x
    %t = gpu.thread_id x
    %lane = gpu.lane_id
    %warp = gpu.subgroup_id : index
    %isFirst = arith.cmpi eq, %lane, %c0 : index
    %begin = arith.muli %t, %c4 : index
    %low = arith.constant 0xFF800000 : f32
    %lows = arith.constant dense<0xFF800000> : vector<4xf32>
    %zeros = arith.constant dense<0.0> : vector<4xf32>
    %zero = arith.constant 0.0 : f32

    %maxes = scf.for %i = %begin to %c4096 step %c512 iter_args(%m = %lows) -> vector<4xf32> {
      %v = vector.load %x[%row, %i] : memref<?x4096xf32, #gpu.address_space<global>>, vector<4xf32>
      %n = arith.maximumf %m, %v : vector<4xf32>
      scf.yield %n : vector<4xf32>
    }
    %max0 = vector.reduction <maximumf>, %maxes : vector<4xf32> into f32
    %max1 = gpu.subgroup_reduce maximumf %max0 : (f32) -> f32
    scf.if %isFirst {
      memref.store %max1, %parts[%warp] : memref<4xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %ms = vector.load %parts[%c0] : memref<4xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %max = vector.reduction <maximumf>, %ms : vector<4xf32> into f32
    %maxv = vector.broadcast %max : f32 to vector<4xf32>
    gpu.barrier

    %sums = scf.for %i = %begin to %c4096 step %c512 iter_args(%s = %zeros) -> vector<4xf32> {
      %v = vector.load %x[%row, %i] : memref<?x4096xf32, #gpu.address_space<global>>, vector<4xf32>
      %d = arith.subf %v, %maxv : vector<4xf32>
      %e = math.exp %d fastmath<afn> : vector<4xf32>
      %n = arith.addf %s, %e : vector<4xf32>
      scf.yield %n : vector<4xf32>
    }
    %sum0 = vector.reduction <add>, %sums : vector<4xf32> into f32
    %o1 = arith.constant 1 : i32
    %o2 = arith.constant 2 : i32
    %o4 = arith.constant 4 : i32
    %o8 = arith.constant 8 : i32
    %o16 = arith.constant 16 : i32
    %a1, %p1 = gpu.shuffle xor %sum0, %o1, %w : f32
    %sum1 = arith.addf %sum0, %a1 : f32
    %a2, %p2 = gpu.shuffle xor %sum1, %o2, %w : f32
    %sum2 = arith.addf %sum1, %a2 : f32
    %a3, %p3 = gpu.shuffle xor %sum2, %o4, %w : f32
    %sum3 = arith.addf %sum2, %a3 : f32
    %a4, %p4 = gpu.shuffle xor %sum3, %o8, %w : f32
    %sum4 = arith.addf %sum3, %a4 : f32
    %a5, %p5 = gpu.shuffle xor %sum4, %o16, %w : f32
    %sum5 = arith.addf %sum4, %a5 : f32
    scf.if %isFirst {
      memref.store %sum5, %parts[%warp] : memref<4xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %ss = vector.load %parts[%c0] : memref<4xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %sum = vector.reduction <add>, %ss : vector<4xf32> into f32
    %sumv = vector.broadcast %sum : f32 to vector<4xf32>
    scf.for %i = %begin to %c4096 step %c512 {
      %v = vector.load %x[%row, %i] : memref<?x4096xf32, #gpu.address_space<global>>, vector<4xf32>
      %d = arith.subf %v, %maxv : vector<4xf32>
      %e = math.exp %d : vector<4xf32>
      %q = arith.divf %e, %sumv : vector<4xf32>
      vector.store %q, %y[%row, %i] : memref<?x4096xf32, #gpu.address_space<global>>, vector<4xf32>
    }
    gpu.return
  }
}

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

// CHECK: sizes = [64]
// CHECK-NEXT: [1,  0.99997{{[0-9]*}},  1,
// CHECK: sizes = [2]
// CHECK-NEXT: [0.000244141,  0.99997{{[0-9]*}}]
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c4096 = arith.constant 4096 : index
  %one = arith.constant 1.0 : f32
  %big = arith.constant 20.0 : f32
  %x = memref.alloc() : memref<64x4096xf32>
  %y = memref.alloc() : memref<64x4096xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<64x4096xf32>)
  memref.store %big, %x[%c1, %c7] : memref<64x4096xf32>
  %xg = memref.memory_space_cast %x : memref<64x4096xf32> to memref<64x4096xf32, #gpu.address_space<global>>
  %yg = memref.memory_space_cast %y : memref<64x4096xf32> to memref<64x4096xf32, #gpu.address_space<global>>
  %xd = memref.cast %xg : memref<64x4096xf32, #gpu.address_space<global>> to memref<?x4096xf32, #gpu.address_space<global>>
  %yd = memref.cast %yg : memref<64x4096xf32, #gpu.address_space<global>> to memref<?x4096xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@softmax blocks in (%c64, %c1, %c1) threads in (%c128, %c1, %c1)
      args(%xd : memref<?x4096xf32, #gpu.address_space<global>>, %yd : memref<?x4096xf32, #gpu.address_space<global>>)

  %sums = memref.alloc() : memref<64xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sums : memref<64xf32>)
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c4096 step %c1 {
      %v = memref.load %y[%i, %j] : memref<64x4096xf32>
      %s = memref.load %sums[%i] : memref<64xf32>
      %n = arith.addf %s, %v : f32
      memref.store %n, %sums[%i] : memref<64xf32>
    }
  }
  %u = memref.cast %sums : memref<64xf32> to memref<*xf32>
  func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  %probe = memref.alloc() : memref<2xf32>
  %p0 = memref.load %y[%c0, %c0] : memref<64x4096xf32>
  %p1 = memref.load %y[%c1, %c7] : memref<64x4096xf32>
  memref.store %p0, %probe[%c0] : memref<2xf32>
  memref.store %p1, %probe[%c1] : memref<2xf32>
  %v = memref.cast %probe : memref<2xf32> to memref<*xf32>
  func.call @printMemrefF32(%v) : (memref<*xf32>) -> ()
  return
}
}
