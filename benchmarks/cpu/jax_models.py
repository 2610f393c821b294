#!/usr/bin/env python3
"""Times models of JAX, f32 and under bf16 autocast, against what jax.jit makes of them.

    jax_models.py --build build [--before BUILD] [--threads 1] [--only decoder] [--rounds 7] [--seconds 0.2] [--results NAME]

Each is lowered to linalg (examples/jax/to_linalg.py) and compiled with its weights as arguments, as jax.jit has them: they are packed in each call.
The contenders take turns in one process, which runs on as many processors as --threads (one number) says; a time is the median over rounds of the median of calls,
with the ratio of JAX's time to it: above 1, amp is faster. With --before, the folder of an older build, so is the ratio of that build's time in f32.
Results are compared with JAX's before they are timed.
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "python"), os.path.join(ROOT, "examples", "jax")]

import dynamic  # noqa: E402
import kernels  # noqa: E402

NHWC = ("NHWC", "HWIO", "NHWC")


def make_models(jax, np):
    """(name, function, arguments)"""
    jnp, lax = jax.numpy, jax.lax
    rng = np.random.default_rng(0)

    def weight(*shape):
        return (rng.standard_normal(shape) * np.prod(shape[:-1]) ** -0.5).astype(np.float32)

    def data(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    def norm(x):
        return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)

    def decoder(layers, x):
        """Layers of a language model over all of its tokens, as lax.scan over their stacked weights."""
        mask = jnp.tril(jnp.ones((x.shape[0], x.shape[0]), bool))

        def layer(x, w):
            q, k, v = (t.reshape(x.shape[0], 8, -1) for t in jnp.split(norm(x) @ w["qkv"], 3, -1))
            scores = jnp.where(mask, jnp.einsum("qhd,khd->hqk", q, k) * q.shape[-1] ** -0.5, -jnp.inf)
            x = x + jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores), v).reshape(x.shape) @ w["out"]
            h = norm(x)
            return x + (jax.nn.silu(h @ w["gate"]) * (h @ w["up"])) @ w["down"], None
        return lax.scan(layer, x, layers)[0]

    def lstm(w, x):
        def step(state, row):
            h, c = state
            i, f, g, o = jnp.split(row @ w["in"] + h @ w["again"] + w["bias"], 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h
        zeros = jnp.zeros((x.shape[1], w["again"].shape[0]))
        return lax.scan(step, (zeros, zeros), x)[1]

    def state_space(w, x):
        """A selective scan, as in Mamba."""
        a, u = -jnp.exp(w["a"]), x @ w["in"]

        def step(h, row):
            u, d, b, c = row
            h = jnp.exp(d[:, None] * a) * h + (d * u)[:, None] * b[None]
            return h, h @ c
        return lax.scan(step, jnp.zeros_like(a), (u, jax.nn.softplus(u @ w["step"]), u @ w["b"], u @ w["c"]))[1] @ w["out"]

    def conv(x, w, stride=1):
        return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=NHWC)

    def unet(w, x):
        a = jax.nn.relu(conv(x, w["a"]))
        b = jax.nn.relu(conv(a, w["b"], 2))
        c = jax.nn.relu(conv(b, w["c"], 2))
        y = jax.nn.relu(lax.conv_transpose(c, w["d"], (2, 2), "SAME", dimension_numbers=NHWC))
        y = jax.nn.relu(lax.conv_transpose(jnp.concatenate([y, b], -1), w["e"], (2, 2), "SAME", dimension_numbers=NHWC))
        return conv(jnp.concatenate([y, a], -1), w["f"])

    def training(w, x, labels):
        """A step of gradient descent for a network of convolutions with strides."""
        def loss(w):
            y = x
            for name in "abc":
                y = jax.nn.relu(conv(y, w[name], 2))
            return -jnp.mean(jnp.sum(jax.nn.log_softmax(y.mean((1, 2)) @ w["out"]) * labels, 1))
        value, gradient = jax.value_and_grad(loss)(w)
        return value, jax.tree.map(lambda v, g: v - 0.1 * g, w, gradient)

    layers = {"qkv": (256, 768), "out": (256, 256), "gate": (256, 688), "up": (256, 688), "down": (688, 256)}
    yield "decoder of 4 layers, 128 tokens", decoder, ({k: np.stack([weight(*s) for _ in range(4)]) for k, s in layers.items()}, data(128, 256))
    yield "lstm of 256, 64 steps of 4", lstm, ({"in": weight(128, 1024), "again": weight(256, 1024), "bias": data(1024)}, data(64, 4, 128))
    yield "state space of 256 x 16, 100 steps", state_space, ({"a": data(256, 16) / 2, "in": weight(128, 256), "step": weight(256, 256), "b": weight(256, 16),
                                                               "c": weight(256, 16), "out": weight(256, 128)}, data(100, 128))
    yield "u-net of 64 x 64 pixels", unet, ({"a": weight(3, 3, 3, 32), "b": weight(3, 3, 32, 64), "c": weight(3, 3, 64, 128), "d": weight(2, 2, 128, 64),
                                             "e": weight(4, 4, 128, 32), "f": weight(3, 3, 64, 3)}, data(1, 64, 64, 3))
    yield "training of 3 convolutions / 2", training, ({"a": weight(3, 3, 3, 16), "b": weight(3, 3, 16, 32), "c": weight(3, 3, 32, 64), "out": weight(64, 10)},
                                                       data(8, 64, 64, 3), np.eye(10, dtype=np.float32)[:8])


def main():
    parser = dynamic.make_parser(__doc__, rounds=7, seconds=0.2)
    parser.add_argument("--before", metavar="BUILD", help="folder of an older build")
    args = parser.parse_args()
    threads = args.threads[0]
    # What JAX takes for the number of processors; its products are to have no more threads either.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    os.environ["AMP_NUM_THREADS"] = str(threads)
    if threads == 1:
        os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false"
    import jax
    import numpy as np

    import amp_runtime
    from to_linalg import to_linalg
    names = ["f32", "bf16"] + (["before"] if args.before else [])
    lines = [f"Machine: {kernels.cpu_name()[0]}, {threads} of {os.cpu_count()} processors, JAX {jax.__version__}  ", f"Rounds: {args.rounds} of {args.seconds} s for each contender", "",
             "| model | JAX, ms | amp f32, ms | " + " | ".join(f"{name} / amp f32" for name in ["JAX", *names[2:]]) + " | JAX / amp bf16 |", "|---" * (len(names) + 3) + "|"]
    print("\n".join(lines))
    with tempfile.TemporaryDirectory() as folder:
        for number, (label, function, arguments) in enumerate(make_models(jax, np)):
            if not args.only.search(label):
                continue
            path = os.path.join(folder, f"m{number}")
            with open(path + ".mlir", "w", encoding="utf-8") as file:
                file.write(to_linalg(function, *arguments))
            jitted, flat, placed = jax.jit(function), jax.tree.leaves(arguments), jax.tree.map(jax.numpy.asarray, arguments)
            want = [np.asarray(x) for x in jax.tree.leaves(jitted(*placed))]
            calls = {"JAX": (lambda: jax.block_until_ready(jitted(*placed)), lambda copy: None)}
            for name in names:
                build = args.before if name == "before" else args.build
                subprocess.run([os.path.join(build, "bin", "amp-compile"), path + ".mlir", "-o", f"{path}_{name}.so", f"--autocast={'bf16' if name == 'bf16' else 'off'}"],
                               check=True, stderr=subprocess.DEVNULL)
                call = amp_runtime.load(f"{path}_{name}.so").main
                got = call(*flat)
                for x, y in zip(got if isinstance(got, (tuple, list)) else [got], want):
                    error = np.max(np.abs(np.asarray(x) - y)) / np.max(np.abs(y))
                    if not error < (5e-2 if name == "bf16" else 1e-4):
                        sys.exit(f"jax_models.py: error: {label}, {name}: differs from JAX by {error:.1e} of the largest element")
                calls[name] = (lambda call=call: call(*flat), lambda copy: None)
            times = dynamic.measure(calls, args.rounds, args.seconds)
            ratios = [times[name] / times["f32"] for name in ["JAX", *names[2:]]] + [times["JAX"] / times["bf16"]]
            lines.append(f"| {label} | {times['JAX'] * 1e3:.2f} | {times['f32'] * 1e3:.2f} | " + " | ".join(f"{ratio:.2f}" for ratio in ratios) + " |")
            print(lines[-1], flush=True)
    if args.results:
        kernels.write_results(args.results, "jax_models.py", lines)


if __name__ == "__main__":
    main()
