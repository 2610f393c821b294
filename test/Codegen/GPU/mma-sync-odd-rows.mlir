// Rows of a result that have an odd length are stored element by element, and cost the operands nothing: they still come as asynchronous copies of 16
// bytes. The simulator counts the accesses to memory, the same in each run: those of 127 columns are 1.21 times those of 128.
// UNSUPPORTED: sanitizer

// DEFINE: %{run} = env -u AMP_CUDA_DRIVER AMP_SIM_CLOCK=steps amp-run %s --quiet --device=sim --random --profile-kernels --shape a=128x512
// RUN: %{run} --shape b=128x512 --shape bias=128 | grep "^profile: kernels" > %t.even
// RUN: %{run} --shape b=127x512 --shape bias=127 | grep "^profile: kernels" > %t.odd
// RUN: %python -c "import re; even, odd = (float(re.search(r'kernels=1 us=([\d.]+)', open(f).read())[1]) for f in (r'%t.even', r'%t.odd')); \
// RUN:   assert even < odd < 1.25 * even, (even, odd)"

// Both ways of storing are behind the copies.
// RUN: amp-run %s --device=cuda --target=sm_80 --dump-stage=gpu | FileCheck %s
// CHECK: gpu.func
// CHECK-COUNT-2: nvvm.cp.async.shared.global
// CHECK: vector.store {{.*}} vector<8xf16>
// CHECK: memref.store {{.*}}xf16

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
func.func @nt(%a: tensor<?x512xf16> {amp.name="a"}, %b: tensor<?x512xf16> {amp.name="b"}, %bias: tensor<?xf16> {amp.name="bias"}) -> tensor<?x?xf16> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x512xf16>
  %n = tensor.dim %b, %c0 : tensor<?x512xf16>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x512xf16>, tensor<?x512xf16>) outs(%f : tensor<?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %x1 = arith.extf %x : f16 to f32
    %y1 = arith.extf %y : f16 to f32
    %p = arith.mulf %x1, %y1 : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %o = tensor.empty(%m, %n) : tensor<?x?xf16>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %bias : tensor<?x?xf32>, tensor<?xf16>) outs(%o : tensor<?x?xf16>) {
  ^bb0(%x: f32, %y: f16, %q: f16):
    %y1 = arith.extf %y : f16 to f32
    %s = arith.addf %x, %y1 : f32
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  } -> tensor<?x?xf16>
  return %r : tensor<?x?xf16>
}
