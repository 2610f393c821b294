// RUN: amp-opt %s --split-input-file --verify-diagnostics --amp-gpu-simulate

// A call hides what it does to memory.
module {
  gpu.module @m {
    // expected-error @below {{the simulator runs kernels only: inline the function 'helper' into its callers}}
    gpu.func @helper(%x: memref<4xf32>) {
      gpu.return
    }
  }
}

// -----

// An op of nvvm that is not simulated.
module {
  gpu.module @m {
    gpu.func @k(%p: i1) kernel {
      %all = arith.constant -1 : i32
      // expected-error @below {{the simulator does not know 'nvvm.vote.sync'; docs/simulator.md lists the ops that device code may have}}
      %0 = nvvm.vote.sync ballot %all, %p -> i32
      gpu.return
    }
  }
}

// -----

// An op of gpu that is not simulated.
module {
  gpu.module @m {
    gpu.func @k(%p: f32) kernel {
      // expected-error @below {{the simulator does not know 'gpu.printf'}}
      gpu.printf "%f", %p : f32
      gpu.return
    }
  }
}

// -----

// A store by address alone.
module {
  gpu.module @m {
    gpu.func @k(%x: i64) kernel {
      %p = llvm.inttoptr %x : i64 to !llvm.ptr<1>
      // expected-error @below {{the simulator cannot check what 'llvm.atomicrmw' does to memory}}
      %0 = llvm.atomicrmw add %p, %x monotonic : !llvm.ptr<1>, i64
      gpu.return
    }
  }
}

// -----

// Elements that are no whole bytes.
module {
  gpu.module @m {
    // expected-error @below {{the simulator cannot pass an argument of type 'memref<4xi4>': expected a strided memref of elements of whole bytes}}
    gpu.func @k(%x: memref<4xi4>) kernel {
      gpu.return
    }
  }
}

// -----

// Shared memory of a size that is not known.
module {
  gpu.module @m {
    // expected-error @below {{the simulator cannot place a workgroup attribution of type 'memref<?xf32>': expected a static shape, the identity layout, and elements of whole bytes}}
    gpu.func @k() workgroup(%x: memref<?xf32, #gpu.address_space<workgroup>>) kernel {
      gpu.return
    }
  }
}

// -----

// A vector is no parameter.
module {
  gpu.module @m {
    // expected-error @below {{the simulator cannot pass an argument of type 'vector<4xf32>': expected a memref, an integer, a float or an index}}
    gpu.func @k(%v: vector<4xf32>) kernel {
      gpu.return
    }
  }
}

// -----

// More bits than a mask of the runtime has.
module {
  gpu.module @m {
    gpu.func @k(%x: memref<128xf32>, %n: index) kernel {
      %c0 = arith.constant 0 : index
      %mask = vector.create_mask %n : vector<128xi1>
      %v = arith.constant dense<0.0> : vector<128xf32>
      // expected-error @below {{the simulator checks masks of at most 64 elements, but this one has 128}}
      vector.maskedstore %x[%c0], %mask, %v : memref<128xf32>, vector<128xi1>, vector<128xf32>
      gpu.return
    }
  }
}

// -----

// A shape of mma.sync that is not simulated.
module {
  gpu.module @m {
    gpu.func @k(%a: i32) kernel {
      // expected-error @below {{the simulator has no mma.sync of these element types or layouts}}
      %0 = nvvm.mma.sync A[%a] B[%a] C[%a, %a] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s4>, multiplicandBPtxType = #nvvm.mma_type<s4>, intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>, shape = #nvvm.shape<m = 8, n = 8, k = 32>} : (i32, i32, i32) -> !llvm.struct<(i32, i32)>
      gpu.return
    }
  }
}

// -----

// Only the rounding to tf32 that sm_80 has.
module {
  gpu.module @m {
    gpu.func @k(%a: f32) kernel {
      // expected-error @below {{the simulator converts to tf32 with the rounding mode rna only, without saturation and relu}}
      %0 = nvvm.convert.float.to.tf32 %a {rnd = #nvvm.fp_rnd_mode<rn>}
      gpu.return
    }
  }
}

// -----

// A name that is taken.
module {
  // expected-error @below {{the simulator needs the name 'm.k', which is taken; rename this symbol}}
  func.func private @m.k()
  gpu.module @m {
    gpu.func @k() kernel {
      gpu.return
    }
  }
}

// -----

// Sums that are still being formed.
!acc = !llvm.struct<(f32, f32, f32, f32)>
module {
  gpu.module @m {
    gpu.func @early(%a: i64, %p: memref<2xf32, #gpu.address_space<global>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = llvm.mlir.zero : !acc
      nvvm.wgmma.fence.aligned
      %d = nvvm.wgmma.mma_async %a, %a, %zero, <m = 64, n = 8, k = 16>, D[<f32>, <zero>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !acc -> !acc
      %e = nvvm.wgmma.mma_async %a, %a, %d, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !acc -> !acc
      nvvm.wgmma.commit.group.sync.aligned
      nvvm.wgmma.wait.group.sync.aligned 1
      %x = llvm.extractvalue %e[0] : !acc
      // expected-error @below {{uses the accumulators of a wgmma that has not been waited for}}
      memref.store %x, %p[%c0] : memref<2xf32, #gpu.address_space<global>>
      nvvm.wgmma.wait.group.sync.aligned 0
      memref.store %x, %p[%c1] : memref<2xf32, #gpu.address_space<global>>
      gpu.return
    }
  }
}

// -----

module {
  gpu.module @m {
    gpu.func @text(%a: i32) kernel {
      // expected-error @below {{the simulator does not know the PTX 'vote.sync.all.pred p, $0, -1'; docs/simulator.md lists what device code may have}}
      llvm.inline_asm has_side_effects "vote.sync.all.pred p, $0, -1;", "r" %a : (i32) -> ()
      gpu.return
    }
  }
}

// -----

module {
  gpu.module @m {
    gpu.func @output(%a: f32) kernel {
      // expected-error @below {{(an operand without a value)}}
      %0 = llvm.inline_asm has_side_effects "ex2.approx.f32 $0, x;", "=f,f" %a : (f32) -> f32
      gpu.return
    }
  }
}
