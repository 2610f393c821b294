// RUN: %python %S/Inputs/add-main.py --aligned --bound=6e-4 < %s > %t.mlir
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim:sm_90a --amp-lower-to-simulator > %t.sim.mlir
// RUN: env AMP_SIM_WRITES=once %simulate < %t.sim.mlir | FileCheck %s
// RUN: env AMP_SIM_WRITES=once AMP_SIM_MULTIPROCESSORS=3 %simulate < %t.sim.mlir | FileCheck %s

// Blocks that share tiles along K (`wgmma` with stream-K), on random numbers,
// against f64, with the bounds of hopper-skinny-simulator.mlir. Each element of a
// result and of the workspace is written once. A device of three multiprocessors
// runs fewer blocks, of more tiles each.

// CHECK: sizes = [8]
// CHECK-NEXT: [0,  0,  0,  0,  0,  0,  0,  0]

#g = #gpu.address_space<global>

module @kernels {
  // Six tiles of 33 stages.
  func.func @few(%a: tensor<136x2056xf16>, %b: tensor<136x2056xf16>, %bias: tensor<136xf32>, %d: tensor<136x136xf16> {amp.destination = 0 : i64}) -> tensor<136x136xf16> attributes {amp.kernel, amp.schedule = "wgmma:64x128-8-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x136xf32>) -> tensor<136x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x2056xf16>, tensor<136x2056xf16>) outs(%f : tensor<136x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x136xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<136x136xf32>, tensor<136xf32>) outs(%d : tensor<136x136xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16):
      %t = arith.addf %x, %v : f32
      %u = arith.truncf %t : f32 to f16
      linalg.yield %u : f16
    } -> tensor<136x136xf16>
    return %r : tensor<136x136xf16>
  }
  func.func @large(%a: tensor<1032x136xbf16>, %b: tensor<1032x264xbf16>, %bias: tensor<136xf32>, %d: tensor<136x264xf32> {amp.destination = 0 : i64}) -> tensor<136x264xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x264xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x264xf32>) -> tensor<136x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<1032x136xbf16>, tensor<1032x264xbf16>) outs(%f : tensor<136x264xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x264xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<136x264xf32>, tensor<136xf32>) outs(%d : tensor<136x264xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f32):
      %t = arith.addf %x, %v : f32
      linalg.yield %t : f32
    } -> tensor<136x264xf32>
    return %r : tensor<136x264xf32>
  }
  func.func @tall(%a: tensor<328x264xf16>, %b: tensor<136x328xf16>, %d: tensor<264x136xf32> {amp.destination = 0 : i64}) -> tensor<264x136xf32> attributes {amp.kernel, amp.schedule = "wgmma:256x128-4-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<264x136xf32>) -> tensor<264x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<328x264xf16>, tensor<136x328xf16>) outs(%f : tensor<264x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<264x136xf32>
    return %c : tensor<264x136xf32>
  }
  func.func @wide(%a: tensor<136x1032xf16>, %b: tensor<200x1032xf16>, %bias: tensor<136x200xf32>, %d: tensor<136x200xf16> {amp.destination = 0 : i64}) -> tensor<136x200xf16> attributes {amp.kernel, amp.schedule = "wgmma:128x192-4-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x1032xf16>, tensor<200x1032xf16>) outs(%f : tensor<136x200xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<136x200xf32>, tensor<136x200xf32>) outs(%d : tensor<136x200xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16):
      %t = arith.addf %x, %v : f32
      %u = arith.truncf %t : f32 to f16
      linalg.yield %u : f16
    } -> tensor<136x200xf16>
    return %r : tensor<136x200xf16>
  }
  // Blocks have whole tiles, too.
  func.func @many(%a: tensor<1032x200xf16>, %b: tensor<1160x200xf16>, %d: tensor<1032x1160xf32> {amp.destination = 0 : i64}) -> tensor<1032x1160xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x128-6-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<1032x1160xf32>) -> tensor<1032x1160xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<1032x200xf16>, tensor<1160x200xf16>) outs(%f : tensor<1032x1160xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<1032x1160xf32>
    return %c : tensor<1032x1160xf32>
  }
  func.func @batch(%a: tensor<3x72x520xf16>, %b: tensor<3x520x72xf16>, %d: tensor<3x72x72xf16> {amp.destination = 0 : i64}) -> tensor<3x72x72xf16> attributes {amp.kernel, amp.schedule = "wgmma:64x64-4-2-blocks-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3x72x72xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x72x72xf32>) -> tensor<3x72x72xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<3x72x520xf16>, tensor<3x520x72xf16>) outs(%f : tensor<3x72x72xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<3x72x72xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%c : tensor<3x72x72xf32>) outs(%d : tensor<3x72x72xf16>) {
    ^bb0(%x: f32, %o: f16):
      %u = arith.truncf %x : f32 to f16
      linalg.yield %u : f16
    } -> tensor<3x72x72xf16>
    return %r : tensor<3x72x72xf16>
  }
  func.func @f8(%a: tensor<136x1040xf8E4M3FN>, %b: tensor<144x1040xf8E4M3FN>, %d: tensor<136x144xf32> {amp.destination = 0 : i64}) -> tensor<136x144xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x128-6-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<136x144xf32>) -> tensor<136x144xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x1040xf8E4M3FN>, tensor<144x1040xf8E4M3FN>) outs(%f : tensor<136x144xf32>) {
    ^bb0(%x: f8E4M3FN, %y: f8E4M3FN, %acc: f32):
      %x1 = arith.extf %x : f8E4M3FN to f32
      %y1 = arith.extf %y : f8E4M3FN to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x144xf32>
    return %c : tensor<136x144xf32>
  }
  func.func @integers(%a: tensor<72x1040xi8>, %b: tensor<144x1040xi8>, %d: tensor<72x144xi32> {amp.destination = 0 : i64}) -> tensor<72x144xi32> attributes {amp.kernel, amp.schedule = "wgmma:64x128-8-stream-k"} {
    %zero = arith.constant 0 : i32
    %f = linalg.fill ins(%zero : i32) outs(%d : tensor<72x144xi32>) -> tensor<72x144xi32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<72x1040xi8>, tensor<144x1040xi8>) outs(%f : tensor<72x144xi32>) {
    ^bb0(%x: i8, %y: i8, %acc: i32):
      %x1 = arith.extsi %x : i8 to i32
      %y1 = arith.extsi %y : i8 to i32
      %p = arith.muli %x1, %y1 : i32
      %s = arith.addi %acc, %p : i32
      linalg.yield %s : i32
    } -> tensor<72x144xi32>
    return %c : tensor<72x144xi32>
  }
}
