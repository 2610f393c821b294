#!/usr/bin/env python3
"""Trains the two digit classifiers and writes their data and weights.

Needs NumPy, and scikit-learn for the data only (the 8x8 handwritten digits of
the UCI repository). Writes into its own folder:

  digits.npz   x_train [1347,8,8] u1, y_train [1347] u1, x_test [450,8,8] u1, y_test [450] u1
  mlp.npz      w1 [64,128], b1 [128], w2 [128,64], b2 [64], w3 [64,10], b3 [10], all f4
  cnn.npz      k1 [3,3,1,16], c1 [16], k2 [3,3,16,32], c2 [32], w [512,10], b [10], all f4

Pixels are whole numbers from 0 to 16; both models divide them by 16. The seed
fixes the split, the initial weights and the order of the batches, so a second
run on the same machine writes the same files.
"""
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
SEED = 7
TEST_SIZE = 450


def load_split(rng):
    """Returns the digits as (x_train, y_train, x_test, y_test), all uint8."""
    from sklearn.datasets import load_digits

    data = load_digits()
    images = data.images.astype(np.uint8)
    labels = data.target.astype(np.uint8)
    order = rng.permutation(len(images))
    test, train = order[:TEST_SIZE], order[TEST_SIZE:]
    return images[train], labels[train], images[test], labels[test]


def he_init(rng, shape):
    """Normal weights with variance 2 / fan-in; all but the last dimension are fan-in."""
    fan_in = int(np.prod(shape[:-1]))
    return rng.normal(0.0, np.sqrt(2.0 / fan_in), shape).astype(np.float32)


def windows3x3(x):
    """[n,h,w,c] with zero padding of one to [n,h,w,3,3,c]."""
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    view = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
    return view.transpose(0, 1, 2, 4, 5, 3)


def windows3x3_grad(grad):
    """The transpose of windows3x3: adds [n,h,w,3,3,c] back to [n,h,w,c]."""
    n, h, w, _, _, c = grad.shape
    padded = np.zeros((n, h + 2, w + 2, c), grad.dtype)
    for i in range(3):
        for j in range(3):
            padded[:, i : i + h, j : j + w] += grad[:, :, :, i, j]
    return padded[:, 1:-1, 1:-1]


def mlp_forward(p, x):
    """Logits of [n,8,8] uint8 images, with what the backward pass needs."""
    h0 = x.reshape(len(x), 64).astype(np.float32) / 16
    h1 = np.maximum(h0 @ p["w1"] + p["b1"], 0)
    h2 = np.maximum(h1 @ p["w2"] + p["b2"], 0)
    return h2 @ p["w3"] + p["b3"], (h0, h1, h2)


def mlp_backward(p, saved, g):
    """Gradients of all parameters from `g`, the gradient of the logits."""
    h0, h1, h2 = saved
    grads = {"w3": h2.T @ g, "b3": g.sum(0)}
    g = (g @ p["w3"].T) * (h2 > 0)
    grads.update(w2=h1.T @ g, b2=g.sum(0))
    g = (g @ p["w2"].T) * (h1 > 0)
    grads.update(w1=h0.T @ g, b1=g.sum(0))
    return grads


def cnn_forward(p, x):
    """Logits of [n,8,8] uint8 images, with what the backward pass needs."""
    n = len(x)
    win1 = windows3x3(x.astype(np.float32)[..., None] / 16).reshape(n, 8, 8, 9)
    a1 = np.maximum(win1 @ p["k1"].reshape(9, 16) + p["c1"], 0)
    blocks = a1.reshape(n, 4, 2, 4, 2, 16).transpose(0, 1, 3, 5, 2, 4).reshape(n, 4, 4, 16, 4)
    win2 = windows3x3(blocks.max(-1)).reshape(n, 4, 4, 144)
    a2 = np.maximum(win2 @ p["k2"].reshape(144, 32) + p["c2"], 0)
    flat = a2.reshape(n, 512)
    return flat @ p["w"] + p["b"], (win1, a1, blocks, win2, a2, flat)


def cnn_backward(p, saved, g):
    """Gradients of all parameters from `g`, the gradient of the logits."""
    win1, a1, blocks, win2, a2, flat = saved
    n = len(g)
    grads = {"w": flat.T @ g, "b": g.sum(0)}
    g = (g @ p["w"].T).reshape(a2.shape) * (a2 > 0)
    grads["k2"] = (win2.reshape(-1, 144).T @ g.reshape(-1, 32)).reshape(3, 3, 16, 32)
    grads["c2"] = g.sum((0, 1, 2))
    g = windows3x3_grad((g @ p["k2"].reshape(144, 32).T).reshape(n, 4, 4, 3, 3, 16))
    first = blocks.argmax(-1)[..., None] == np.arange(4)
    g = (g[..., None] * first).reshape(n, 4, 4, 16, 2, 2).transpose(0, 1, 4, 2, 5, 3)
    g = g.reshape(n, 8, 8, 16) * (a1 > 0)
    grads["k1"] = (win1.reshape(-1, 9).T @ g.reshape(-1, 16)).reshape(3, 3, 1, 16)
    grads["c1"] = g.sum((0, 1, 2))
    return grads


def train(params, forward, backward, x, y, rng, epochs, batch=64, rate=2e-3):
    """Adam on the softmax cross entropy, with weight decay and a cosine rate."""
    first = {k: np.zeros_like(v) for k, v in params.items()}
    second = {k: np.zeros_like(v) for k, v in params.items()}
    per_epoch = -(-len(x) // batch)
    step = 0
    for _ in range(epochs):
        order = rng.permutation(len(x))
        for start in range(0, len(x), batch):
            pick = order[start : start + batch]
            logits, saved = forward(params, x[pick])
            prob = np.exp(logits - logits.max(1, keepdims=True))
            prob /= prob.sum(1, keepdims=True)
            prob[np.arange(len(pick)), y[pick]] -= 1
            grads = backward(params, saved, prob / len(pick))
            step += 1
            now = rate * 0.5 * (1 + np.cos(np.pi * step / (epochs * per_epoch)))
            for key, grad in grads.items():
                first[key] += 0.1 * (grad - first[key])
                second[key] += 0.001 * (grad * grad - second[key])
                update = (first[key] / (1 - 0.9**step)) / (np.sqrt(second[key] / (1 - 0.999**step)) + 1e-8)
                decay = 0.01 * params[key] if params[key].ndim > 1 else 0
                params[key] -= (now * (update + decay)).astype(np.float32)


def accuracy(forward, params, x, y):
    return float((forward(params, x)[0].argmax(1) == y).mean())


def main():
    x_train, y_train, x_test, y_test = load_split(np.random.default_rng(SEED))
    np.savez(
        os.path.join(HERE, "digits.npz"), x_train=x_train, y_train=y_train, x_test=x_test, y_test=y_test
    )

    def zeros(size):
        return np.zeros(size, np.float32)

    rng = np.random.default_rng(SEED + 1)
    mlp = {"w1": he_init(rng, (64, 128)), "b1": zeros(128), "w2": he_init(rng, (128, 64)), "b2": zeros(64)}
    mlp.update(w3=he_init(rng, (64, 10)), b3=zeros(10))
    cnn = {"k1": he_init(rng, (3, 3, 1, 16)), "c1": zeros(16), "k2": he_init(rng, (3, 3, 16, 32)), "c2": zeros(32)}
    cnn.update(w=he_init(rng, (512, 10)), b=zeros(10))
    for name, params, forward, backward in (
        ("mlp", mlp, mlp_forward, mlp_backward),
        ("cnn", cnn, cnn_forward, cnn_backward),
    ):
        train(params, forward, backward, x_train, y_train, rng, epochs=40)
        np.savez(os.path.join(HERE, name + ".npz"), **params)
        print(
            f"{name}: {sum(v.size for v in params.values())} weights, "
            f"accuracy {accuracy(forward, params, x_train, y_train):.4f} on the training split, "
            f"{accuracy(forward, params, x_test, y_test):.4f} on the test split"
        )


if __name__ == "__main__":
    main()
