"""Writes the weights of prepare.mlir, or checks its library under each level that this processor has: what is prepared when, and that what fails leaves all as it was."""
import gc
import os
import resource
import subprocess
import sys
import threading

import numpy as np

RANDOM = np.random.default_rng(11)


def normal(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def close(y, x, w):
    """The result of a product, to the errors of its sums: at most 64 terms, each rounded to 2^-24 of what is added up."""
    exact, terms = x.astype(np.float64) @ w, abs(x.astype(np.float64)) @ abs(w)
    return bool(np.all(abs(y - exact) <= 64 * 2.0**-24 * terms))


def fails(kind, text, call):
    try:
        call()
    except kind as error:
        assert text in str(error), (text, str(error))
        return
    raise AssertionError(f"no error: {text}")


def counts(model):
    stats = model.stats()
    return stats["preparations"], stats["prepared_bytes"]


def write(path):
    np.savez(path, w=normal(64, 48))


def bad(path):
    import amp_runtime

    model = amp_runtime.load(path)
    x, a, b = normal(5), normal(7), normal(7)
    # Sizes of weights that do not agree: told before anything is read, or kept.
    for wrong in (normal(6), normal(8), normal(0)):
        fails(amp_runtime.CheckError, "prepare.mlir", lambda: model.sum(x, a, wrong))
        assert counts(model) == (0, 0)
    y, total = model.sum(x, a, b)
    assert (total == a + b).all() and (y == x * (a + b)[:5]).all()
    found = counts(model)
    assert found[0] == 1 and found[1] == 7 * 4, found
    # A failure leaves what is there, and a failure of the call itself what was prepared for it.
    fails(amp_runtime.CheckError, "prepare.mlir", lambda: model.sum(x, a, normal(6)))
    assert counts(model) == found
    assert (model.sum(x, a, b)[1] == total).all() and counts(model) == found
    fails(amp_runtime.CheckError, "", lambda: model.sum(normal(9), a, b))
    assert counts(model) == found
    # Arguments that do not fit prepare nothing.
    fails(amp_runtime.ArgumentError, "expected f32 [64, 48], found f32 [48, 64]", lambda: model.dense(normal(24, 64), normal(48, 64)))
    fails(amp_runtime.ArgumentError, "arguments are missing: w", lambda: model.dense(normal(24, 64)))
    fails(amp_runtime.ArgumentError, "'y'", lambda: model.dense(normal(24, 64), normal(64, 48), out=np.zeros((24, 47), np.float32)))
    assert counts(model) == found
    # After a failure, with other ones that are right.
    other = normal(7)
    assert (model.sum(x, a, other)[1] == a + other).all() and counts(model)[0] == 2


def memory(path):
    import amp_runtime

    model = amp_runtime.load(path)
    x, small = normal(5), normal(7)
    assert (model.sum(x, small, small)[1] == 2 * small).all()
    found = counts(model)
    # Zeros that take no memory yet; their sum does not fit below the limit.
    large = np.zeros(64 << 20, np.float32)
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + (100 << 20), limits[1]))
    try:
        fails(amp_runtime.OutOfMemoryError, "'sum_init'", lambda: model.sum(x, large, large))
        assert counts(model) == found
        assert (model.sum(x, small, small)[1] == 2 * small).all() and counts(model) == found
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)
    total = model.sum(x, large, large)[1]
    assert total.shape == large.shape and not total[::4096].any()
    assert counts(model) == (found[0] + 1, 4 * large.size)
    # What is left of them with weights of before, and without any.
    model.sum(x, small, small)
    assert counts(model) == (found[0] + 2, found[1])
    model.reload_weights()
    assert counts(model) == (found[0] + 2, 0)


def good(path):
    import amp_runtime

    model = amp_runtime.load(path)
    assert [value.is_weight for value in model.dense.arguments] == [False, True]
    assert [value.is_weight for value in model.other.arguments] == [True, False]
    assert [value.is_weight for value in model.dynamic.arguments] == [False, True, True]
    assert counts(model) == (0, 0)
    x, w, x2, w2 = normal(24, 64), normal(64, 48), normal(24, 48), normal(48, 64)
    # Once for each function, whatever the input.
    for _ in range(3):
        x[...] = normal(24, 64)
        assert close(model.dense(x, w), x, w)
    assert counts(model)[0] == 1 and counts(model)[1] >= w.nbytes
    for _ in range(3):
        assert close(model.other(w2, x2), x2, w2)
        assert close(model.dense(x, w), x, w)
    assert counts(model)[0] == 2 and counts(model)[1] >= w.nbytes + w2.nbytes
    assert (model.plain(x[0]) == 2 * x[0]).all() and counts(model)[0] == 2

    # Written in place: seen when it is told, of all functions.
    old = w.copy()
    w[...] = normal(64, 48)
    assert close(model.dense(x, w), x, old)
    model.reload_weights()
    assert counts(model) == (2, 0)
    assert close(model.dense(x, w), x, w) and close(model.other(w2, x2), x2, w2) and counts(model)[0] == 4
    # Of one function.
    w[...] = normal(64, 48)
    w2[...] = normal(48, 64)
    model.dense.reload_weights()
    assert close(model.dense(x, w), x, w) and counts(model)[0] == 5
    assert not close(model.other(w2, x2), x2, w2) and counts(model)[0] == 5
    model.other.reload_weights()
    assert close(model.other(w2, x2), x2, w2) and counts(model)[0] == 6

    # Another address, and the same elements with gaps or in another order.
    third = normal(64, 48)
    assert close(model.dense(x, third), x, third) and counts(model)[0] == 7
    wide = normal(64, 96)
    assert close(model.dense(x, wide[:, ::2]), x, wide[:, ::2]) and counts(model)[0] == 8
    assert close(model.dense(x, wide[:, ::2]), x, wide[:, ::2]) and counts(model)[0] == 8
    assert close(model.dense(x, wide[:, :48]), x, wide[:, :48]) and counts(model)[0] == 9
    # Arrays that nobody else has: their memory is not used again for other ones.
    for _ in range(20):
        fresh = normal(64, 48)
        assert close(model.dense(x, fresh.copy()), x, fresh)
    # Ones of before may be gone.
    del third, wide, fresh
    gc.collect()
    assert close(model.dense(x, w), x, w)

    # Dynamic sizes, and numbers: other values are seen.
    before = counts(model)[0]
    for rows, k, n, by in ((3, 17, 33, 0.25), (3, 17, 33, -0.5), (40, 70, 50, 0.5), (40, 64, 50, 0.5), (1, 1, 1, 0.125), (2, 0, 3, 1.0)):
        x, w = normal(rows, k), normal(k, n)
        for _ in range(2):
            # The exponential has 2 ulp, which 64 roundings cover.
            scaled = np.exp(w.astype(np.float64) * np.float32(by))
            assert close(model.dynamic(x, w, by), x, scaled), (rows, k, n, by)
    assert counts(model)[0] == before + 6, counts(model)[0] - before

    # Results live longer than the model.
    kept = model.sum(normal(2), np.ones(3, np.float32), np.ones(3, np.float32))[1]
    del model
    gc.collect()
    assert (kept == 2).all()


def threads(path):
    import amp_runtime

    model, failures = amp_runtime.load(path), []
    shared = normal(64, 48)

    def work(number):
        random = np.random.default_rng(number)
        try:
            for step in range(40):
                x = random.standard_normal((24, 64)).astype(np.float32)
                own = number % 2 and step % 3 == 0
                w = random.standard_normal((64, 48)).astype(np.float32) if own else shared
                y = model.dense(x, w)
                assert close(y, x, w), (number, step)
                if step % 10 == number:
                    model.reload_weights()
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures, failures

    # Those that come together wait for one preparation.
    model.reload_weights()
    before, barrier, x = counts(model)[0], threading.Barrier(4), normal(24, 64)

    def together():
        barrier.wait()
        if not close(model.dense(x, shared), x, shared):
            failures.append("together")

    workers = [threading.Thread(target=together) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures and counts(model)[0] == before + 1, (failures, counts(model)[0] - before)


def under_levels(mode, path):
    with open("/proc/cpuinfo") as file:
        has_avx2 = " avx2 " in file.read()
    for level in ["x86-64"] + ["x86-64-v3"] * has_avx2:
        subprocess.run([sys.executable, __file__, "run_" + mode, path], env={**os.environ, "AMP_CPU_LEVEL": level}, check=True)


MODES = {"bad": bad, "memory": memory, "good": good, "threads": threads}
mode, *rest = sys.argv[1:]
if mode == "write":
    write(*rest)
elif mode in MODES:
    under_levels(mode, *rest)
else:
    MODES[mode[len("run_") :]](*rest)
