// Functions that call themselves: they may, and where that has no end one error
// says so.
// UNSUPPORTED: sanitizer

// RUN: amp-run %s --device=cpu --entry=sum --input 0=100 --random | FileCheck %s
// CHECK: result result0: shape=4 type=f32
// RUN: %python %S/Inputs/fails.py 1 amp-run %s --device=cpu --entry=sum --input 0=-1 --random 2>&1 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: amp-run: error: the run was stopped by calls that are nested too deeply; check the values that end the recursion

func.func @sum(%n: i32, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.cmpi ne, %n, %c0 : i32
  %r = scf.if %c -> tensor<4xf32> {
    %m = arith.subi %n, %c1 : i32
    %0 = func.call @sum(%m, %x) : (i32, tensor<4xf32>) -> tensor<4xf32>
    %1 = arith.addf %0, %x : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
