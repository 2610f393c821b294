# The ATen ops of UnsupportedOps.def, called in torch on the CPU: they raise in f16
# and in bf16, and work in f32.
#
# REQUIRES: torch
# RUN: %torch_python %s %amp_src
import re
import sys
import warnings

import torch

warnings.simplefilter("ignore")
with open(sys.argv[1] + "/lib/Policy/UnsupportedOps.def", encoding="utf-8") as file:
    names = re.findall(r'^AMP_(?:DECOMPOSITION|FOURIER)\("(\w+)"\)$', file.read(), re.MULTILINE)


def call(name, dtype):
    """Calls the op on operands of `dtype`; complex ones have parts of it."""
    torch.manual_seed(0)
    square = torch.rand(4, 4)
    definite = (square @ square.T + 4 * torch.eye(4)).to(dtype)
    matrix, right = (square + 4 * torch.eye(4)).to(dtype), torch.rand(4, 4).to(dtype)
    pivots = torch.tensor([1, 2, 3, 4], dtype=torch.int32)
    # There is no complex number of bf16.
    parts = torch.complex32 if dtype == torch.float16 else torch.complex64
    spectrum = torch.complex(torch.rand(3, 4), torch.rand(3, 4))
    spectrum = spectrum.to(parts) if dtype != torch.bfloat16 else torch.rand(3, 4).to(dtype)
    arguments = {
        "cholesky_solve": (right, definite),
        "linalg_ldl_solve": (matrix, pivots, right),
        "linalg_lstsq": (matrix, right),
        "linalg_lu_solve": (matrix, pivots, right),
        "linalg_solve": (matrix, right),
        "linalg_solve_triangular": (matrix, right),
        "ormqr": (matrix, right[0], right),
        "triangular_solve": (right, matrix),
        "_fft_r2c": (matrix, [1], 0, True),
        "_fft_c2r": (spectrum, [1], 0, 4),
        "stft": (torch.rand(16).to(dtype), 4),
        "istft": (spectrum, 4),
    }.get(name, (definite,))
    keywords = {
        "linalg_solve_triangular": {"upper": True},
        "stft": {"return_complex": True},
        "istft": {"window": torch.ones(4), "center": True},
    }.get(name, {})
    getattr(torch.ops.aten, name)(*arguments, **keywords)


wrong = []
for name in names:
    call(name, torch.float32)
    for dtype in (torch.float16, torch.bfloat16):
        try:
            call(name, dtype)
        except (RuntimeError, NotImplementedError):
            continue
        wrong.append(f"{name} takes {dtype}")
print("\n".join(wrong) or f"{len(names)} ops agree")
sys.exit(1 if wrong or not names else 0)
