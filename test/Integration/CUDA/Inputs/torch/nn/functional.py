import math

import numpy as np

import torch


def layer_norm(x, shape, weight, bias, eps):
    v = x.values()
    centred = v - v.mean(-1, keepdims=True)
    normed = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + eps)
    return torch.make(normed * weight.values() + bias.values(), x.dtype)


def rms_norm(x, shape, weight, eps):
    v = x.values()
    return torch.make(v / np.sqrt((v**2).mean(-1, keepdims=True) + eps) * weight.values(), x.dtype)


def gelu(x):
    v = x.values()
    return torch.make(0.5 * v * (1 + torch.erf(v * math.sqrt(0.5))), x.dtype)


def linear(x, weight, bias):
    return torch.make(x.values() @ weight.values().T + bias.values(), x.dtype)


def silu(x):
    v = x.values()
    return torch.make(v / (1 + np.exp(-v)), x.dtype)


def relu(x):
    return torch.make(np.maximum(x.values(), 0), x.dtype)


def scaled_dot_product_attention(q, k, v, is_causal=False, enable_gqa=False):
    repeats = q.shape[1] // k.shape[1]
    assert repeats == 1 or enable_gqa
    keys, values = (np.repeat(x.values(), repeats, 1) for x in (k, v))
    scores = q.values() @ np.swapaxes(keys, -1, -2) * q.shape[-1] ** -0.5
    if is_causal:
        scores += np.triu(np.full(scores.shape[-2:], -np.inf), 1)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return torch.make(weights / weights.sum(-1, keepdims=True) @ values, q.dtype)


def conv2d(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    v, w = x.values(), weight.values()
    v = np.pad(v, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    filters, _, *window = w.shape
    size = [(v.shape[2 + i] - dilation * (window[i] - 1) - 1) // stride + 1 for i in range(2)]
    result = np.zeros((v.shape[0], filters, *size))
    per_filter, per_channel = filters // groups, v.shape[1] // groups
    for f in range(filters):
        channels = slice(f // per_filter * per_channel, (f // per_filter + 1) * per_channel)
        for r in range(window[0]):
            for s in range(window[1]):
                part = v[:, channels, r * dilation :: stride, s * dilation :: stride][:, :, : size[0], : size[1]]
                result[:, f] += np.einsum("nchw,c->nhw", part, w[f, :, r, s])
    if bias is not None:
        result += bias.values()[None, :, None, None]
    return torch.make(result, x.dtype)


def batch_norm(x, mean, variance, weight, bias, eps):
    def column(tensor):
        return tensor.values()[None, :, None, None]

    normed = (x.values() - column(mean)) / np.sqrt(column(variance) + eps)
    return torch.make(normed * column(weight) + column(bias), x.dtype)
