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
