"""Inputs and f64 references of the integration tests, by the name of the case.

`CASES[name]` is (inputs, reference): `inputs(rng)` yields one dictionary of f32
arrays per run, by argument name; `reference(n)` takes the same as Nums and
returns the results as Nums, by result name.
"""
import numpy as np

from numerics import Num, contract, quantize, windows


def normal(rng, *shape, scale=1.0):
    return (scale * rng.standard_normal(shape)).astype(np.float32)


def weight(rng, *shape, fan_in):
    return normal(rng, *shape, scale=fan_in**-0.5)


def mlp_inputs(rng):
    yield {
        "x": normal(rng, 19, 65),
        "w1": weight(rng, 130, 65, fan_in=65),
        "b1": normal(rng, 130),
        "w2": weight(rng, 33, 130, fan_in=130),
        "b2": normal(rng, 33),
    }


def mlp(n):
    hidden = (contract("mk,nk->mn", n["x"], n["w1"]) + n["b1"]).maximum(0)
    return {"y": (contract("mk,nk->mn", hidden, n["w2"]) + n["b2"]).maximum(0)}


def batch_matmul_inputs(rng):
    yield {"x": normal(rng, 3, 17, 40), "y": normal(rng, 3, 29, 40)}


def batch_matmul(n):
    product = contract("bmk,bnk->bmn", n["x"], n["y"])
    return {"moved": product, "mapped": product, "generic": product}


def softmax_inputs(rng):
    yield {"q": normal(rng, 2, 23, 32, scale=0.5), "k": normal(rng, 2, 32, 41)}


def softmax(n):
    scores = contract("bmk,bkn->bmn", n["q"], n["k"]) * 32**-0.5
    shares = (scores - scores.max(-1)).exp()
    return {"p": shares / shares.sum(-1)}


def layer_norm_inputs(rng):
    yield {
        "x": normal(rng, 21, 96) + np.float32(0.5),
        "gamma": normal(rng, 96),
        "beta": normal(rng, 96),
        "w": weight(rng, 96, 48, fan_in=96),
    }


def layer_norm(n):
    centred = n["x"] - n["x"].sum(-1) / 96.0
    variance = (centred * centred).sum(-1) / 96.0
    norm = centred * (variance + 1e-5).rsqrt() * n["gamma"] + n["beta"]
    return {"norm": norm, "y": contract("mk,kn->mn", norm, n["w"])}


def pad(x, *widths):
    return x.move(lambda a: np.pad(a, widths))


def conv_nchw_inputs(rng):
    yield {"x": normal(rng, 2, 5, 13, 11), "k": weight(rng, 18, 5, 3, 3, fan_in=45), "b": normal(rng, 18)}


def conv_nchw(n):
    view = pad(n["x"], (0, 0), (0, 0), (1, 1), (1, 1)).move(lambda a: windows(a, (3, 3), (1, 1), (2, 3)))
    bias = n["b"].move(lambda a: np.broadcast_to(a[None, :, None, None], (2, 18, 13, 11)))
    return {"y": contract("nchwij,fcij->nfhw", view, n["k"], bias)}


def conv_nhwc_inputs(rng):
    yield {"x": normal(rng, 2, 14, 12, 6), "k": weight(rng, 3, 3, 6, 20, fan_in=54), "b": normal(rng, 20)}


def conv_nhwc(n):
    view = pad(n["x"], (0, 0), (0, 1), (0, 1), (0, 0)).move(lambda a: windows(a, (3, 3), (2, 2), (1, 2)))
    return {"y": (contract("nhwcij,ijcf->nhwf", view, n["k"]) + n["b"]).minimum(6).maximum(0)}


def conv_block_inputs(rng):
    yield {
        "x": normal(rng, 2, 40, 9, 7),
        "k1": weight(rng, 48, 40, 3, 3, fan_in=360),
        "b1": normal(rng, 48),
        "k2": weight(rng, 40, 48, 3, 3, fan_in=432),
        "scale": normal(rng, 40),
        "shift": normal(rng, 40),
    }


def conv_block(n):
    def convolve(x, k):
        view = pad(x, (0, 0), (0, 0), (1, 1), (1, 1)).move(lambda a: windows(a, (3, 3), (1, 1), (2, 3)))
        return contract("nchwij,fcij->nfhw", view, k)

    def along(name):
        return n[name].move(lambda a: a[None, :, None, None])

    hidden = (convolve(n["x"], n["k1"]) + along("b1")).maximum(0)
    return {"y": (convolve(hidden, n["k2"]) * along("scale") + along("shift") + n["x"]).maximum(0)}


def conv_tosa_inputs(rng):
    yield {"x": normal(rng, 2, 10, 10, 3), "w": weight(rng, 8, 3, 3, 3, fan_in=27), "b": normal(rng, 8)}


def conv_tosa(n):
    view = pad(n["x"], (0, 0), (1, 1), (1, 1), (0, 0)).move(lambda a: windows(a, (3, 3), (1, 1), (1, 2)))
    image = (contract("nhwcij,fijc->nhwf", view, n["w"]) + n["b"]).minimum(6).maximum(0)
    mean = image.move(lambda a: windows(a, (2, 2), (2, 2), (1, 2))).sum((-2, -1)) / 4.0
    return {"pooled": mean.move(lambda a: a[..., 0, 0])}


def depthwise_inputs(rng):
    yield {
        "x": normal(rng, 1, 9, 10, 24),
        "k": weight(rng, 3, 3, 24, fan_in=9),
        "p": weight(rng, 1, 1, 24, 32, fan_in=24),
        "u": normal(rng, 1, 24, 9, 10),
        "l": weight(rng, 24, 3, 3, fan_in=9),
    }


def depthwise(n):
    last = n["x"].move(lambda a: windows(a, (3, 3), (1, 1), (1, 2)))
    first = n["u"].move(lambda a: windows(a, (3, 3), (1, 1), (2, 3)))
    mixed = contract("nhwcij,ijc->nhwc", last, n["k"])
    return {
        "nhwc": contract("nhwc,ijcf->nhwf", mixed, n["p"]),
        "nchw": contract("nchwij,cij->nchw", first, n["l"]),
    }


def pooling_inputs(rng):
    yield {"x": normal(rng, 2, 3, 14, 10), "k": weight(rng, 8, 3, 3, 3, fan_in=27)}


def pooling(n):
    view = n["x"].move(lambda a: windows(a, (3, 3), (1, 1), (2, 3)))
    image = contract("nchwij,fcij->nfhw", view, n["k"])
    small = image.move(lambda a: windows(a, (2, 2), (2, 2), (2, 3)))
    large = image.move(lambda a: windows(a, (4, 4), (2, 2), (2, 3)))
    mean = large.sum((-2, -1)) / 16.0
    return {
        "max": small.max((-2, -1)).move(lambda a: a[..., 0, 0]),
        "mean": mean.move(lambda a: a[..., 0, 0]),
    }


def broadcast_inputs(rng):
    yield {
        "x": normal(rng, 27, 35),
        "row": normal(rng, 35),
        "column": normal(rng, 27, 1),
        "one": normal(rng),
        "w": weight(rng, 35, 35, fan_in=35),
    }


def broadcast(n):
    total = n["x"] + n["row"] + n["column"] + n["one"]
    return {"y": contract("mk,kn->mn", total, n["w"]) + n["row"]}


def gelu_inputs(rng):
    yield {"x": normal(rng, 18, 50), "w": weight(rng, 50, 37, fan_in=50)}


def gelu(n):
    x = contract("mk,kn->mn", n["x"], n["w"])
    return {
        "erf": x * ((x * 2**-0.5).erf() + 1.0) * 0.5,
        "tanh": x * (((x + x * x * x * 0.044715) * (2 / np.pi) ** 0.5).tanh() + 1.0) * 0.5,
    }


def dynamic_inputs(rng):
    for m, k, n in ((13, 31, 17), (64, 48, 80), (1, 1, 1), (0, 5, 4)):
        yield {"x": normal(rng, m, k), "w": weight(rng, k, n, fan_in=k), "b": np.abs(normal(rng, n))}


def dynamic(n):
    y = (contract("mk,kn->mn", n["x"], n["w"]) + n["b"]).maximum(0)
    return {"y": y, "sums": y.sum(-1).move(lambda a: a[:, 0])}


def wide_inputs(rng):
    yield {
        "x": rng.uniform(0.5, 1.0, (5, 1000)).astype(np.float32),
        "w": rng.uniform(0.5, 1.0, (1000, 7)).astype(np.float32),
    }


def wide(n):
    return {"y": contract("mk,kn->mn", n["x"], n["w"])}


def rounding_inputs(rng):
    special = [np.nan, np.inf, -np.inf, 0.0, -0.0, 65504, 65519.99, 65520, -65536, 1e6, 3.3e38, -3.4028235e38]
    special += [2.0**-24, 2.0**-25, 2.0**-25 * 1.001, 3 * 2.0**-25, 6e-8, -1e-5, 1e-40, 2.0**-126, 2.0**-133]
    special += [1 + 2.0**-8, 1 + 3 * 2.0**-8, 1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-8 + 2.0**-20]
    random = normal(rng, 230) * np.exp2(rng.integers(-20, 14, 230)).astype(np.float32)
    x = np.concatenate([np.array(special, np.float32), random]).astype(np.float32)
    yield {"x": x[:, None], "w": np.ones((1, 1), np.float32)}


def rounding(n):
    """Exact, but for one thing: vdpbf16ps of AVX512-BF16 takes subnormals as zero."""
    fmt = n["x"].fmt
    v = quantize(n["x"].v, fmt)
    flushed = (fmt == "bf16") & (np.abs(v) < 2.0**-126)
    return {"y": Num(v, np.where(flushed, np.abs(v), 0.0), fmt)}


def non_finite_inputs(rng):
    rows = [[1, 2, 0, 4], [np.nan, 1, 1, 1], [np.inf, 1, 1, 1], [np.inf, -np.inf, 0, 0]]
    rows += [[0, 0, 256, 0], [0, 0, 0, 70000]]
    columns = [[1, 0, -1], [1, 2, 3], [256, -256, 1], [0.5, 0.25, 0.125]]
    yield {"x": np.array(rows, np.float32), "w": np.array(columns, np.float32)}


def non_finite(n):
    """Exact in f16 and in bf16, but for 70000, and for products of 65536.

    Those are beyond f16. The cast of a product is one of the policy, `may_elide`,
    so a result may be infinite or keep the value of the f32 accumulator.
    """
    fmt = n["x"].fmt
    x, w = quantize(n["x"].v, fmt), quantize(n["w"].v, fmt)
    with np.errstate(invalid="ignore"):
        product = (x[:, :, None] * w[None]).sum(1)
        relu = np.maximum(product, 0)
    return {"product": Num(product, 0.0, fmt), "relu": Num(relu, 0.0, fmt)}


def attention_inputs(rng):
    """For examples/attention, whose weights have variance one."""
    arrays = {"x": normal(rng, 2, 128, 256)}
    for name in "qkvo":
        arrays["w" + name] = normal(rng, 256, 256)
        arrays["b" + name] = normal(rng, 256)
    yield arrays


def attention(n):
    def project(x, name):
        return contract("btc,cd->btd", x, n["w" + name]) * 2.0**-4 + n["b" + name]

    def heads(x):
        return x.move(lambda a: a.reshape(2, 128, 8, 32).transpose(0, 2, 1, 3))

    q, k, v = (heads(project(n["x"], name)) for name in "qkv")
    scores = contract("bhmd,bhnd->bhmn", q, k) * 32**-0.5
    shares = (scores - scores.max(-1)).exp()
    y = contract("bhmn,bhnd->bhmd", shares / shares.sum(-1), v)
    return {"out": project(y.move(lambda a: a.transpose(0, 2, 1, 3).reshape(2, 128, 256)), "o")}


CASES = {
    "attention": (attention_inputs, attention),
    "mlp-generics": (mlp_inputs, mlp),
    "batch-matmul-transposed": (batch_matmul_inputs, batch_matmul),
    "softmax-decomposed": (softmax_inputs, softmax),
    "layer-norm-decomposed": (layer_norm_inputs, layer_norm),
    "conv-block": (conv_block_inputs, conv_block),
    "conv-nchw": (conv_nchw_inputs, conv_nchw),
    "conv-nhwc": (conv_nhwc_inputs, conv_nhwc),
    "conv-tosa": (conv_tosa_inputs, conv_tosa),
    "depthwise-conv": (depthwise_inputs, depthwise),
    "pooling": (pooling_inputs, pooling),
    "broadcast-add": (broadcast_inputs, broadcast),
    "gelu": (gelu_inputs, gelu),
    "dynamic-shapes": (dynamic_inputs, dynamic),
    "wide-accumulation": (wide_inputs, wide),
    "storage-rounding": (rounding_inputs, rounding),
    "non-finite": (non_finite_inputs, non_finite),
}
