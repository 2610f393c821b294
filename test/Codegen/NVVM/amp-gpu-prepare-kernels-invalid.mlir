// RUN: amp-opt %s --pass-pipeline="builtin.module(gpu.module(amp-gpu-prepare-kernels))" --split-input-file --verify-diagnostics -o /dev/null

gpu.module @kernels {
  gpu.func @forever(%warpgroup: i32) kernel attributes {known_block_size = array<i32: 384, 1, 1>, nvvm.minctasm = 1 : i32} {
    %c0 = arith.constant 0 : i32
    %first = arith.cmpi eq, %warpgroup, %c0 : i32
    scf.if %first {
      nvvm.setmaxregister decrease 48
    } else {
      // expected-error @+1 {{'nvvm.setmaxregister' op of a kernel with 384 threads: the warpgroups ask for 65536 registers, but the block has 64512: setmaxnreg would wait forever}}
      nvvm.setmaxregister increase 232
    }
    gpu.return
  }
}

// -----

// Two blocks on a multiprocessor have half of its registers each.
gpu.module @kernels {
  gpu.func @two(%warpgroup: i32) kernel attributes {known_block_size = array<i32: 256, 1, 1>, nvvm.minctasm = 2 : i32} {
    %c0 = arith.constant 0 : i32
    %first = arith.cmpi eq, %warpgroup, %c0 : i32
    scf.if %first {
      nvvm.setmaxregister decrease 40
    } else {
      // expected-error @+1 {{'nvvm.setmaxregister' op of a kernel with 256 threads: the warpgroups ask for 34816 registers, but the block has 32768: setmaxnreg would wait forever}}
      nvvm.setmaxregister increase 232
    }
    gpu.return
  }
}

// -----

// What is there is not too much.
gpu.module @kernels {
  gpu.func @enough(%warpgroup: i32) kernel attributes {known_block_size = array<i32: 384, 1, 1>, nvvm.minctasm = 1 : i32} {
    %c0 = arith.constant 0 : i32
    %first = arith.cmpi eq, %warpgroup, %c0 : i32
    scf.if %first {
      nvvm.setmaxregister decrease 40
    } else {
      nvvm.setmaxregister increase 232
    }
    gpu.return
  }
}
