// RUN: amp-opt %s --amp-lower-to-simulator | %simulate | FileCheck %s

// cvt.rna.tf32: ten bits of mantissa, ties away from zero, what is too large is infinite, NaN is one number. The bits that come out,
// for 1 + 2^-11, the number before it, -(1 + 3 2^-11), 1 + 2^-10, the largest f32, -infinity, a NaN, 2^-149, 2^-137 (half of the last bit that stays), -0.
// 1.0009766 is 0x3f802000; each result is shown as its difference from what the PTX ISA says.

// CHECK: sizes = [10]
// CHECK-NEXT: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

#g = #gpu.address_space<global>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @round(%x: memref<10xi32, #g>, %y: memref<10xi32, #g>) kernel {
      %t = gpu.thread_id x
      %0 = memref.load %x[%t] : memref<10xi32, #g>
      %1 = arith.bitcast %0 : i32 to f32
      %2 = nvvm.convert.float.to.tf32 %1 {rnd = #nvvm.fp_rnd_mode<rna>}
      %3 = memref.load %y[%t] : memref<10xi32, #g>
      %4 = arith.subi %2, %3 : i32
      memref.store %4, %y[%t] : memref<10xi32, #g>
      gpu.return
    }
  }

  memref.global constant @bits : memref<10xi32> = dense<[0x3f801000, 0x3f800fff, 0xbf803000, 0x3f802000, 0x7f7fffff, 0xff800000, 0x7f800001, 0x00000001, 0x00001000, 0x80000000]>
  memref.global constant @want : memref<10xi32> = dense<[0x3f802000, 0x3f800000, 0xbf804000, 0x3f802000, 0x7f800000, 0xff800000, 0x7fffffff, 0x00000000, 0x00002000, 0x80000000]>
  func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

  func.func @main() {
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %bits = memref.get_global @bits : memref<10xi32>
    %want = memref.get_global @want : memref<10xi32>
    %x = memref.alloc() : memref<10xi32>
    %y = memref.alloc() : memref<10xi32>
    memref.copy %bits, %x : memref<10xi32> to memref<10xi32>
    memref.copy %want, %y : memref<10xi32> to memref<10xi32>
    %xg = memref.memory_space_cast %x : memref<10xi32> to memref<10xi32, #g>
    %yg = memref.memory_space_cast %y : memref<10xi32> to memref<10xi32, #g>
    gpu.launch_func @kernels::@round blocks in (%c1, %c1, %c1) threads in (%c10, %c1, %c1) args(%xg : memref<10xi32, #g>, %yg : memref<10xi32, #g>)
    %all = memref.cast %y : memref<10xi32> to memref<*xi32>
    call @printMemrefI32(%all) : (memref<*xi32>) -> ()
    return
  }
}
