// REQUIRES: ptxas

// Convolutions of each channel by itself, channels last: a thread has eight channels of a pixel, reads 16 bytes of the image for each tap, and
// keeps the sums in registers, with what follows: bias, a folded norm, ReLU, the cast. Padding is a test, and not a copy.

// The same as with f64 sums, or the neighbour in f16 (2^-10 of it at most), where the f32 sum is rounded to the other side. Aligned or not;
// dilated, in steps, and with a tail of channels.
// RUN: %python %S/Inputs/add-main.py --bound=1e-3 < %s > %t.mlir
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim --amp-lower-to-simulator \
// RUN:   | env AMP_SIM_WRITES=all %simulate | FileCheck %s
// CHECK: sizes = [4]
// CHECK-NEXT: [0,  0,  0,  0]

// RUN: %python %S/Inputs/add-main.py --aligned < %s | amp-opt --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sm_80 -o %t.code.mlir
// RUN: FileCheck %s --check-prefix=CODE --input-file=%t.code.mlir
// CODE-LABEL: gpu.func @large(
// CODE-SAME: schedule = "simt"
// CODE: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<8xf32>)
// CODE: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<8xf32>)
// CODE: vector.load %arg0{{.*}} {alignment = 16 : i64} : {{.*}}, vector<8xf16>
// CODE: vector.load %arg1{{.*}} {alignment = 16 : i64} : {{.*}}, vector<8xf16>
// CODE: vector.store %{{.*}}, %arg5{{.*}} {alignment = 16 : i64} : {{.*}}, vector<8xf16>

// Loads and stores of 128 bits, and nothing is spilled.
// RUN: amp-opt %t.code.mlir --amp-lower-gpu-to-nvvm='target=sm_80 format=ptx' | FileCheck %s --check-prefix=PTX
// PTX: .entry large(
// PTX: ld.global{{(.nc)?}}.v4.b32
// PTX: ld.global{{(.nc)?}}.v4.b32
// PTX: st.global.v4.b32
// RUN: amp-opt %t.code.mlir --amp-lower-gpu-to-nvvm='target=sm_80 strict=true' -o %t.binary.mlir
// RUN: amp-opt %t.code.mlir --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o %t.binary.mlir

module @kernels {
  func.func @large(%x: tensor<8x28x28x64xf16>, %w: tensor<3x3x64xf16>, %b: tensor<64xf32>, %s: tensor<64xf32>, %t: tensor<64xf32>, %d: tensor<8x28x28x64xf16> {amp.destination = 0 : i64}) -> tensor<8x28x28x64xf16> attributes {amp.kernel} {
    %nothing = arith.constant 0.0 : f16
    %zero = arith.constant 0.0 : f32
    %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %nothing : f16
    } : tensor<8x28x28x64xf16> to tensor<8x30x30x64xf16>
    %e = tensor.empty() : tensor<8x28x28x64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x28x28x64xf32>) -> tensor<8x28x28x64xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, c, r, s) -> (n, h * 1 + r * 1, w * 1 + s * 1, c)>, affine_map<(n, h, w, c, r, s) -> (r, s, c)>, affine_map<(n, h, w, c, r, s) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
        ins(%p, %w : tensor<8x30x30x64xf16>, tensor<3x3x64xf16>) outs(%f : tensor<8x28x28x64xf32>) {
    ^bb0(%y: f16, %v: f16, %acc: f32):
      %0 = arith.extf %y : f16 to f32
      %1 = arith.extf %v : f16 to f32
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.addf %acc, %2 : f32
      linalg.yield %3 : f32
    } -> tensor<8x28x28x64xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%c, %b, %s, %t : tensor<8x28x28x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) outs(%d : tensor<8x28x28x64xf16>) {
    ^bb0(%y: f32, %bias: f32, %scale: f32, %shift: f32, %out: f16):
      %0 = arith.addf %y, %bias : f32
      %1 = arith.mulf %0, %scale : f32
      %2 = arith.addf %1, %shift : f32
      %3 = arith.maximumf %2, %zero : f32
      %4 = arith.truncf %3 : f32 to f16
      linalg.yield %4 : f16
    } -> tensor<8x28x28x64xf16>
    return %r : tensor<8x28x28x64xf16>
  }
  func.func @steps(%x: tensor<2x33x31x128xf16>, %w: tensor<3x3x128xf16>, %b: tensor<128xf32>, %s: tensor<128xf32>, %t: tensor<128xf32>, %d: tensor<2x17x16x128xf16> {amp.destination = 0 : i64}) -> tensor<2x17x16x128xf16> attributes {amp.kernel} {
    %nothing = arith.constant 0.0 : f16
    %zero = arith.constant 0.0 : f32
    %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %nothing : f16
    } : tensor<2x33x31x128xf16> to tensor<2x35x33x128xf16>
    %e = tensor.empty() : tensor<2x17x16x128xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x17x16x128xf32>) -> tensor<2x17x16x128xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, c, r, s) -> (n, h * 2 + r * 1, w * 2 + s * 1, c)>, affine_map<(n, h, w, c, r, s) -> (r, s, c)>, affine_map<(n, h, w, c, r, s) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
        ins(%p, %w : tensor<2x35x33x128xf16>, tensor<3x3x128xf16>) outs(%f : tensor<2x17x16x128xf32>) {
    ^bb0(%y: f16, %v: f16, %acc: f32):
      %0 = arith.extf %y : f16 to f32
      %1 = arith.extf %v : f16 to f32
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.addf %acc, %2 : f32
      linalg.yield %3 : f32
    } -> tensor<2x17x16x128xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%c, %b, %s, %t : tensor<2x17x16x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) outs(%d : tensor<2x17x16x128xf16>) {
    ^bb0(%y: f32, %bias: f32, %scale: f32, %shift: f32, %out: f16):
      %0 = arith.addf %y, %bias : f32
      %1 = arith.mulf %0, %scale : f32
      %2 = arith.addf %1, %shift : f32
      %3 = arith.maximumf %2, %zero : f32
      %4 = arith.truncf %3 : f32 to f16
      linalg.yield %4 : f16
    } -> tensor<2x17x16x128xf16>
    return %r : tensor<2x17x16x128xf16>
  }
  func.func @dilated(%x: tensor<2x20x19x32xf16>, %w: tensor<5x5x32xf16>, %b: tensor<32xf32>, %s: tensor<32xf32>, %t: tensor<32xf32>, %d: tensor<2x20x19x32xf16> {amp.destination = 0 : i64}) -> tensor<2x20x19x32xf16> attributes {amp.kernel} {
    %nothing = arith.constant 0.0 : f16
    %zero = arith.constant 0.0 : f32
    %p = tensor.pad %x low[0, 4, 4, 0] high[0, 4, 4, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %nothing : f16
    } : tensor<2x20x19x32xf16> to tensor<2x28x27x32xf16>
    %e = tensor.empty() : tensor<2x20x19x32xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x20x19x32xf32>) -> tensor<2x20x19x32xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, c, r, s) -> (n, h * 1 + r * 2, w * 1 + s * 2, c)>, affine_map<(n, h, w, c, r, s) -> (r, s, c)>, affine_map<(n, h, w, c, r, s) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
        ins(%p, %w : tensor<2x28x27x32xf16>, tensor<5x5x32xf16>) outs(%f : tensor<2x20x19x32xf32>) {
    ^bb0(%y: f16, %v: f16, %acc: f32):
      %0 = arith.extf %y : f16 to f32
      %1 = arith.extf %v : f16 to f32
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.addf %acc, %2 : f32
      linalg.yield %3 : f32
    } -> tensor<2x20x19x32xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%c, %b, %s, %t : tensor<2x20x19x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) outs(%d : tensor<2x20x19x32xf16>) {
    ^bb0(%y: f32, %bias: f32, %scale: f32, %shift: f32, %out: f16):
      %0 = arith.addf %y, %bias : f32
      %1 = arith.mulf %0, %scale : f32
      %2 = arith.addf %1, %shift : f32
      %3 = arith.maximumf %2, %zero : f32
      %4 = arith.truncf %3 : f32 to f16
      linalg.yield %4 : f16
    } -> tensor<2x20x19x32xf16>
    return %r : tensor<2x20x19x32xf16>
  }
  func.func @tail(%x: tensor<3x9x10x20xf16>, %w: tensor<3x3x20xf16>, %b: tensor<20xf32>, %s: tensor<20xf32>, %t: tensor<20xf32>, %d: tensor<3x9x10x20xf16> {amp.destination = 0 : i64}) -> tensor<3x9x10x20xf16> attributes {amp.kernel} {
    %nothing = arith.constant 0.0 : f16
    %zero = arith.constant 0.0 : f32
    %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %nothing : f16
    } : tensor<3x9x10x20xf16> to tensor<3x11x12x20xf16>
    %e = tensor.empty() : tensor<3x9x10x20xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x9x10x20xf32>) -> tensor<3x9x10x20xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, c, r, s) -> (n, h * 1 + r * 1, w * 1 + s * 1, c)>, affine_map<(n, h, w, c, r, s) -> (r, s, c)>, affine_map<(n, h, w, c, r, s) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
        ins(%p, %w : tensor<3x11x12x20xf16>, tensor<3x3x20xf16>) outs(%f : tensor<3x9x10x20xf32>) {
    ^bb0(%y: f16, %v: f16, %acc: f32):
      %0 = arith.extf %y : f16 to f32
      %1 = arith.extf %v : f16 to f32
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.addf %acc, %2 : f32
      linalg.yield %3 : f32
    } -> tensor<3x9x10x20xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%c, %b, %s, %t : tensor<3x9x10x20xf32>, tensor<20xf32>, tensor<20xf32>, tensor<20xf32>) outs(%d : tensor<3x9x10x20xf16>) {
    ^bb0(%y: f32, %bias: f32, %scale: f32, %shift: f32, %out: f16):
      %0 = arith.addf %y, %bias : f32
      %1 = arith.mulf %0, %scale : f32
      %2 = arith.addf %1, %shift : f32
      %3 = arith.maximumf %2, %zero : f32
      %4 = arith.truncf %3 : f32 to f16
      linalg.yield %4 : f16
    } -> tensor<3x9x10x20xf16>
    return %r : tensor<3x9x10x20xf16>
  }
}
