"""What the benchmarks are timed against, and compared with in f64: torch's own code for each of them."""
import torch
import torch.nn.functional as F

import cublaslt

lt_matmul = cublaslt.matmul


def with_tf32(call):
    before = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = True
    try:
        return call()
    finally:
        torch.backends.cuda.matmul.allow_tf32 = before


def scaled_mm(a, b):
    """a[M, K] b[N, K]^T of 8-bit floats, with fast accumulation, in bf16."""
    one = torch.ones((), device="cuda")
    return torch._scaled_mm(a, b.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16, use_fast_accum=True)


def attention(q, k, v, is_causal, backend):
    """By one of torch's backends; "math" is exact, head by head, so that scores of long sequences find room."""
    if backend == "math":
        return exact_attention(q, k, v, is_causal)
    from torch.nn.attention import SDPBackend, sdpa_kernel

    with sdpa_kernel({"cudnn": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION}[backend]):
        return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal, enable_gqa=q.shape[1] != k.shape[1])


def exact_attention(q, k, v, is_causal):
    result = torch.empty(q.shape, device="cuda", dtype=q.dtype)
    repeats = q.shape[1] // k.shape[1]
    for n in range(q.shape[0]):
        for h in range(q.shape[1]):
            scores = torch.matmul(q[n, h], k[n, h // repeats].transpose(-1, -2)) * q.shape[-1] ** -0.5
            if is_causal:
                scores = scores + torch.full(scores.shape, float("-inf"), device="cuda", dtype=q.dtype).triu(1)
            result[n, h] = torch.matmul(torch.softmax(scores, -1), v[n, h // repeats])
    return result


def autocast(call):
    with torch.autocast("cuda", torch.float16):
        return call()


def feed_forward(x, h, w1, b1, w2, b2):
    return x + F.linear(F.gelu(F.linear(h, w1.t(), b1)), w2.t(), b2)


def mlp(x, gamma, beta, w1, b1, w2, b2):
    return feed_forward(x, F.layer_norm(x, x.shape[-1:], gamma, beta, 1e-5), w1, b1, w2, b2)


def transformer(heads, x, gamma1, beta1, wqkv, bqkv, wo, bo, gamma, beta, w1, b1, w2, b2):
    batch, length, width = x.shape
    qkv = F.linear(F.layer_norm(x, x.shape[-1:], gamma1, beta1, 1e-5), wqkv.t(), bqkv)
    q, k, v = qkv.view(batch, length, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
    mixed = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, length, width)
    x = x + F.linear(mixed, wo.t(), bo)
    return mlp(x, gamma, beta, w1, b1, w2, b2)


def conv_block(x, w1, b1, w2, b2, mean, variance, gamma, beta):
    """Images and filters have channels in the second place for torch; in memory they come last."""
    w1, w2 = w1.permute(0, 3, 1, 2), w2.permute(0, 3, 1, 2)
    y = F.relu(F.conv2d(x.permute(0, 3, 1, 2), w1, b1, padding=1))
    y = F.batch_norm(F.conv2d(y, w2, b2, padding=1), mean, variance, gamma, beta, eps=1e-5)
    return F.relu(y).permute(0, 2, 3, 1)
