// RUN: %python %S/Inputs/add-main.py --aligned --bound=6e-4 < %s \
// RUN:   | amp-opt --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim:sm_90a --amp-lower-to-simulator \
// RUN:   | env AMP_SIM_WRITES=all %simulate | FileCheck %s

// A product that is gated by another (SiLU), on random numbers, against f64: off
// by the rounding of the result to f16, 2^-11, and by what f32 loses.

// CHECK: sizes = [2]
// CHECK-NEXT: [0,  0]

#g = #gpu.address_space<global>

module @kernels {
  // The second of two products whose first is a gate (SiLU).
  func.func @gated(%a: tensor<136x72xf16>, %b: tensor<72x264xf16>, %gate: tensor<136x264xf16>, %d: tensor<136x264xf16> {amp.destination = 0 : i64}) -> tensor<136x264xf16> attributes {amp.kernel, amp.schedule = "wgmma:128x128-6"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x264xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x264xf32>) -> tensor<136x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<72x264xf16>) outs(%f : tensor<136x264xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x264xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %gate : tensor<136x264xf32>, tensor<136x264xf16>) outs(%d : tensor<136x264xf16>) {
    ^bb0(%x: f32, %v0: f16, %o: f16):
      %g = arith.extf %v0 : f16 to f32
      %one = arith.constant 1.0 : f32
      %ng = arith.negf %g : f32
      %ex = math.exp %ng : f32
      %den = arith.addf %one, %ex : f32
      %sg = arith.divf %g, %den : f32
      %pr = arith.mulf %sg, %x : f32
      %u = arith.truncf %pr : f32 to f16
      linalg.yield %u : f16
    } -> tensor<136x264xf16>
    return %r : tensor<136x264xf16>
  }
  func.func @gated_turns(%a: tensor<136x72xf16>, %b: tensor<264x72xf16>, %gate: tensor<136x264xf16>, %d: tensor<136x264xf16> {amp.destination = 0 : i64}) -> tensor<136x264xf16> attributes {amp.kernel, amp.schedule = "wgmma:128x128-ping-pong-6"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x264xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x264xf32>) -> tensor<136x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<264x72xf16>) outs(%f : tensor<136x264xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x264xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %gate : tensor<136x264xf32>, tensor<136x264xf16>) outs(%d : tensor<136x264xf16>) {
    ^bb0(%x: f32, %v0: f16, %o: f16):
      %g = arith.extf %v0 : f16 to f32
      %one = arith.constant 1.0 : f32
      %ng = arith.negf %g : f32
      %ex = math.exp %ng : f32
      %den = arith.addf %one, %ex : f32
      %sg = arith.divf %g, %den : f32
      %pr = arith.mulf %sg, %x : f32
      %u = arith.truncf %pr : f32 to f16
      linalg.yield %u : f16
    } -> tensor<136x264xf16>
    return %r : tensor<136x264xf16>
  }
}
