"""Values with error bounds: the f64 oracle of the integration tests.

A `Num` is an f64 value and, element by element, a bound of the error that a
right implementation may make in it. The model of a right implementation:

 * every tensor, input or result, may be stored in the storage type of the run
   (f32, f16 or bf16, unit roundoff u = 2^-24, 2^-11, 2^-8), rounded once;
 * every operation inside an elementwise payload may be rounded so, too;
 * elementwise operations compute in f32; a library function (exp, erf, tanh)
   is right to 4 units of roundoff of f32;
 * contractions and reductions multiply stored values and accumulate in f32, in
   any order.

A sum of K terms with errors e_i gets the bound min(sum e_i, 6 sqrt(sum e_i^2)).
The first is the worst case. The second is Hoeffding's inequality: errors that
are independent, of mean zero and at most e_i add up to more than t sqrt(sum
e_i^2) with a probability of at most 2 exp(-t^2 / 2), 3e-8 for t = 6. So the bound of a
matmul grows as u sqrt(K), and an accumulator that is narrower than f32 leaves
it: that error grows as u K.
"""
import math

import numpy as np

U32 = 2.0**-24
#: Unit roundoff, smallest subnormal and largest finite value of a storage type.
FORMATS = {
    "f32": (U32, 2.0**-149, float(np.finfo(np.float32).max)),
    "f16": (2.0**-11, 2.0**-24, 65504.0),
    "bf16": (2.0**-8, 2.0**-133, (2.0 - 2.0**-7) * 2.0**127),
}
LIBRARY = 4 * U32
SIGMAS = 6.0


def quantize(x, fmt):
    """`x` (f32) rounded to nearest, ties to even, in `fmt`; returned as f64."""
    x = np.asarray(x, np.float32)
    if fmt == "f32":
        return x.astype(np.float64)
    if fmt == "f16":
        with np.errstate(over="ignore"):
            return x.astype(np.float16).astype(np.float64)
    bits = x.view(np.uint32).astype(np.uint64)
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    out = bits.astype(np.uint32).view(np.float32).astype(np.float64)
    return np.where(np.isnan(x), np.nan, out)


def _total(errors, squares):
    return np.minimum(errors, SIGMAS * np.sqrt(squares))


class Num:
    """An f64 array `v` with an error bound `e` of the same shape, in a storage format."""

    def __init__(self, v, e, fmt):
        self.v = np.asarray(v, np.float64)
        self.e = np.broadcast_to(np.asarray(e, np.float64), self.v.shape)
        self.fmt = fmt

    @staticmethod
    def stored(v, e, fmt):
        """A value of error `e` after one more rounding to the storage format."""
        u, tiny, _ = FORMATS[fmt]
        v = np.asarray(v, np.float64)
        return Num(v, e + u * (np.abs(v) + e) + tiny / 2, fmt)

    def _new(self, v, e):
        return Num.stored(v, e, self.fmt)

    def _wrap(self, other):
        """A scalar constant of the payload: it is rounded to the storage format as well."""
        return other if isinstance(other, Num) else Num.stored(other, 0.0, self.fmt)

    def __add__(self, other):
        other = self._wrap(other)
        return self._new(self.v + other.v, self.e + other.e)

    def __sub__(self, other):
        other = self._wrap(other)
        return self._new(self.v - other.v, self.e + other.e)

    def __mul__(self, other):
        other = self._wrap(other)
        e = np.abs(self.v) * other.e + self.e * np.abs(other.v) + self.e * other.e
        return self._new(self.v * other.v, e)

    def __truediv__(self, other):
        other = self._wrap(other)
        low = np.abs(other.v) - other.e
        assert (low > 0).all(), "a division whose divisor may be zero has no bound"
        return self._new(self.v / other.v, (self.e + np.abs(self.v / other.v) * other.e) / low)

    __radd__, __rmul__ = __add__, __mul__

    def maximum(self, bound):
        """Elementwise maximum with a scalar; it makes no error of its own."""
        return Num(np.maximum(self.v, bound), self.e, self.fmt)

    def minimum(self, bound):
        return Num(np.minimum(self.v, bound), self.e, self.fmt)

    def exp(self):
        v = np.exp(self.v)
        return self._new(v, v * (np.expm1(self.e) + LIBRARY))

    def tanh(self):
        v = np.tanh(self.v)
        return self._new(v, self.e + LIBRARY * np.abs(v))  # the slope is at most 1

    def erf(self):
        v = np.vectorize(math.erf)(self.v)
        return self._new(v, self.e * (2 / math.sqrt(math.pi)) + LIBRARY * np.abs(v))

    def rsqrt(self):
        low = self.v - self.e
        assert (low > 0).all(), "a reciprocal root whose operand may be zero has no bound"
        v = 1 / np.sqrt(self.v)
        return self._new(v, self.e * 0.5 * low**-1.5 + LIBRARY * v)

    def max(self, axis):
        return Num(self.v.max(axis, keepdims=True), self.e.max(axis, keepdims=True), self.fmt)

    def sum(self, axis):
        """Sum over `axis`, which stays with size one; accumulates in f32."""
        count = np.prod([self.v.shape[a] for a in np.atleast_1d(axis)])
        e = _total(self.e.sum(axis, keepdims=True), (self.e**2).sum(axis, keepdims=True))
        adds = min(count, SIGMAS * math.sqrt(count)) * U32 * (np.abs(self.v) + self.e).sum(axis, keepdims=True)
        return self._new(self.v.sum(axis, keepdims=True), e + adds)

    def move(self, function):
        """Data movement: `function` is applied to the values and to the bounds."""
        return Num(function(self.v), function(self.e), self.fmt)


def contract(subscripts, a, b, init=None):
    """np.einsum of two operands with f32 accumulation, from `init` if given."""

    def product(x, y):
        return np.einsum(subscripts, x, y, optimize=True)

    v, size = product(a.v, b.v), product(np.abs(a.v) + a.e, np.abs(b.v) + b.e)
    count = product(np.ones(a.v.shape), np.ones(b.v.shape))
    worst = product(np.abs(a.v), b.e) + product(a.e, np.abs(b.v))
    squares = product(a.v**2, b.e**2) + product(a.e**2, b.v**2)
    e = _total(worst, squares) + product(a.e, b.e)
    if init is not None:
        v, e, size = v + init.v, e + init.e, size + np.abs(init.v)
    e = e + np.minimum(count + 1, SIGMAS * np.sqrt(count + 1)) * U32 * size
    return Num.stored(v, e, a.fmt)


def windows(x, size, strides, axes):
    """[..] to [.., *size]: the windows of a convolution or pooling, as a view."""
    view = np.lib.stride_tricks.sliding_window_view(x, size, axis=axes)
    index = [slice(None)] * view.ndim
    for axis, stride in zip(axes, strides):
        index[axis] = slice(None, None, stride)
    return view[tuple(index)]


def compare(got, want):
    """Compares an array with a Num of finite bounds.

    NaN must meet NaN, an infinity the same infinity. Returns (ratio, index):
    the largest error over its bound, and where; a ratio of inf for a mismatch.
    A result that may round beyond the largest finite value may be infinite.
    """
    got = np.asarray(got, np.float64)
    limit = FORMATS[want.fmt][2]
    finite = np.isfinite(want.v)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where(finite, np.abs(got - want.v) / want.e, np.inf)
    ratio = np.where((got == want.v) | (np.isnan(want.v) & np.isnan(got)), 0.0, ratio)
    over = finite & np.isinf(got) & (np.abs(want.v) + want.e > limit) & (np.sign(got) == np.sign(want.v))
    ratio = np.where(over, 0.0, np.where(np.isnan(ratio), np.inf, ratio))
    if ratio.size == 0:
        return 0.0, ()
    index = np.unravel_index(int(np.argmax(ratio)), ratio.shape)
    return float(ratio[index]), tuple(int(i) for i in index)
