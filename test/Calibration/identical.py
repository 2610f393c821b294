# RUN: %python %s %t %amp_obj/bin %amp_src
"""A program that is observed gives the results that it gives without, to the
bit: networks, attention, and reductions of values that fuse into them, which
round in another order when they do not."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
import profiles

folder, tools, source = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
amp_run, amp_opt = os.path.join(tools, "amp-run"), os.path.join(tools, "amp-opt")
REDUCTIONS = """
#m = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
#r = affine_map<(i, j) -> (i)>
#s = affine_map<(i, j) -> ()>
func.func @main(%x: tensor<63x77xf32>, %y: tensor<77x63xf32>) -> (tensor<63xf32>, tensor<63xf32>, tensor<f32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<63x77xf32>
  %er = tensor.empty() : tensor<63xf32>
  %es = tensor.empty() : tensor<f32>
  %fr = linalg.fill ins(%z : f32) outs(%er : tensor<63xf32>) -> tensor<63xf32>
  %fs = linalg.fill ins(%z : f32) outs(%es : tensor<f32>) -> tensor<f32>
  %p = linalg.generic {indexing_maps = [#m, #t, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<63x77xf32>, tensor<77x63xf32>) outs(%e : tensor<63x77xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %0 = math.exp %a : f32
    %1 = arith.mulf %0, %k : f32
    linalg.yield %1 : f32
  } -> tensor<63x77xf32>
  %s0 = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<63x77xf32>) outs(%fr : tensor<63xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<63xf32>
  %q = linalg.generic {indexing_maps = [#t, #t, #m], iterator_types = ["parallel", "parallel"]} ins(%y, %y : tensor<77x63xf32>, tensor<77x63xf32>) outs(%e : tensor<63x77xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %1 = arith.mulf %a, %k : f32
    linalg.yield %1 : f32
  } -> tensor<63x77xf32>
  %s1 = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%q : tensor<63x77xf32>) outs(%fr : tensor<63xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<63xf32>
  %w = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<63x77xf32>) outs(%e : tensor<63x77xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.tanh %a : f32
    linalg.yield %1 : f32
  } -> tensor<63x77xf32>
  %s2 = linalg.generic {indexing_maps = [#m, #s], iterator_types = ["reduction", "reduction"]} ins(%w : tensor<63x77xf32>) outs(%fs : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %s0, %s1, %s2 : tensor<63xf32>, tensor<63xf32>, tensor<f32>
}
"""
reductions = os.path.join(folder, "reductions.mlir")
with open(reductions, "w") as file:
    file.write(REDUCTIONS)


def results(model, *options):
    out = os.path.join(folder, "out.npz")
    profiles.run_ok(amp_run, model, "--device=cpu", "--random=3", "--output=" + out, *options)
    with open(out, "rb") as file:
        return file.read()


for model, *options in (
    (reductions,),
    (os.path.join(source, "examples/digits/cnn.mlir"), "--shape=images=33x8x8"),
    (os.path.join(source, "examples/digits/mlp_tosa.mlir"),),
    (os.path.join(source, "examples/attention/attention.mlir"),),
    (os.path.join(source, "examples/attention/attention.mlir"), "--autocast=bf16"),
):
    observed = os.path.join(folder, "observed.mlir")
    profiles.run_ok(amp_opt, model, "--amp-instrument-ranges", "-o", observed)
    with open(observed) as file:
        assert file.read().count("amp.observe ") > 5
    assert results(model, *options) == results(observed, *options), (model, options)
