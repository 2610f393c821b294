"""Convolutions of the GPU benchmarks, images as [N, H, W, C], filters as [F, R, S, C].

A name is `conv-<N>x<H>x<W>x<C>-<F>x<R>x<S>[-s<stride>][-d<dilation>][-depthwise]-<type>[-<epilogue>]`.
Rims are padded by zeros, so that stride 1 keeps the size of images.
"""
from dataclasses import dataclass

from builder import Builder, Operand, Value, narrowed, tensor, widened


def conv2d(b, x, filters, window, stride, dilation, axes, element="f32"):
    """The convolution of x[n, h, w, c] with filters[f, r, s, c], or [r, s, c] for depthwise ones, with padded rims; sums
    in `element`. `axes` are those of the result."""
    rims = [dilation * (size - 1) // 2 for size in window]
    source = x
    if any(rims):
        n, h, w, c = b.shape(x.axes)
        padded = (n, h + 2 * rims[0], w + 2 * rims[1], c)
        zero, name = b.constant("0.0", x.element), b.fresh()
        b.emit(f"{name} = tensor.pad {x.name} low[0, {rims[0]}, {rims[1]}, 0] high[0, {rims[0]}, {rims[1]}, 0] {{")
        b.emit("^bb0(%i0: index, %i1: index, %i2: index, %i3: index):")
        b.emit(f"  tensor.yield {zero} : {x.element}")
        b.emit(f"}} : {b.type(x)} to {tensor(padded, x.element)}")
        source, kind = Value(name, x.axes, x.element), tensor(padded, x.element)
    else:
        kind = b.type(x)
    op = "depthwise_conv_2d_nhwc_hwc" if len(filters.axes) == 3 else "conv_2d_nhwc_fhwc"
    start, result = b.filled(axes, element, "0.0"), Value(b.fresh(), axes, element)
    steps = f"{{dilations = dense<{dilation}> : tensor<2xi64>, strides = dense<{stride}> : tensor<2xi64>}}"
    b.emit(f"{result.name} = linalg.{op} {steps}")
    b.emit(f"    ins({source.name}, {filters.name} : {kind}, {b.type(filters)}) outs({start.name} : {b.type(start)}) -> {b.type(result)}")
    return result


@dataclass(frozen=True)
class Convolution:
    batch: int
    height: int
    width: int
    channels: int
    filters: int
    window: int = 3
    stride: int = 1
    dilation: int = 1
    epilogue: str = ""
    is_depthwise: bool = False
    element: str = "f16"

    suite = "conv"
    options = ()
    against_copy = False
    peer_elements = {}
    goals = {}

    @property
    def name(self):
        steps = f"-s{self.stride}" * (self.stride > 1) + f"-d{self.dilation}" * (self.dilation > 1) + "-depthwise" * self.is_depthwise
        return (f"conv-{self.batch}x{self.height}x{self.width}x{self.channels}-{self.filters}x{self.window}x{self.window}{steps}-{self.element}"
                + f"-{self.epilogue}" * bool(self.epilogue))

    @property
    def image(self):
        """Height and width of results."""
        return tuple((size - 1) // self.stride + 1 for size in (self.height, self.width))

    @property
    def operands(self):
        fan_in = self.window**2 * (1 if self.is_depthwise else self.channels)
        window = (self.window, self.window, self.channels)
        result = [Operand("x", (self.batch, self.height, self.width, self.channels), self.element),
                  Operand("w", window if self.is_depthwise else (self.filters, *window), self.element, fan_in**-0.5)]
        if self.epilogue:
            result.append(Operand("bias", (self.filters,), self.element))
        if self.epilogue == "bias_relu_residual":
            result.append(Operand("residual", self.result.shape, self.element))
        return result

    @property
    def result(self):
        return Operand("y", (self.batch, *self.image, self.filters), self.element)

    @property
    def flops(self):
        return 2 * self.batch * self.image[0] * self.image[1] * self.filters * self.window**2 * (1 if self.is_depthwise else self.channels)

    @property
    def bytes(self):
        return sum(operand.bytes for operand in (*self.operands, self.result))

    @property
    def bound(self):
        """Of |result - exact| over the largest |exact|."""
        return 4 * {"f16": 2**-11, "bf16": 2**-8}[self.element]

    @property
    def mlir(self):
        b = Builder(self.operands, n=self.batch, h=self.height, w=self.width, c=self.channels, f=self.filters, r=self.window, s=self.window,
                    p=self.image[0], q=self.image[1])
        channels = "c" if self.is_depthwise else "f"
        w = b.operand("w", "rsc" if self.is_depthwise else "frsc")
        y = conv2d(b, b.operand("x", "nhwc"), w, (self.window, self.window), self.stride, self.dilation, "npq" + channels)
        if not self.epilogue:
            return b.function(b.cast(y, self.element))
        zero, inputs = b.constant("0.0"), [y, b.operand("bias", channels)]
        total, lines = "{v}s", ["{v}s = arith.addf {0}, {v}x1 : f32"]
        if self.epilogue == "bias_relu_residual":
            inputs.append(b.operand("residual", "npq" + channels))
            lines, total = lines + ["{v}t = arith.addf {v}s, {v}x2 : f32"], "{v}t"
        return b.function(b.map(inputs, [*widened(inputs), *lines, f"{{v}}y = arith.maximumf {total}, {zero} : f32",
                                         *narrowed("{v}y", self.element)], self.element))

    @property
    def exact(self):
        """torch's images and filters have channels in the second place; in memory they are where ours are."""
        w = "w.permute(2, 0, 1).unsqueeze(1)" if self.is_depthwise else "w.permute(0, 3, 1, 2)"
        rim = self.dilation * (self.window - 1) // 2
        groups = self.channels if self.is_depthwise else 1
        bias = "bias" if self.epilogue else "None"
        text = (f"F.conv2d(x.permute(0, 3, 1, 2), {w}, {bias}, stride={self.stride}, padding={rim}, dilation={self.dilation}, "
                f"groups={groups}).permute(0, 2, 3, 1)")
        return {"": text, "bias_relu": f"F.relu({text})", "bias_relu_residual": f"F.relu({text} + residual)"}[self.epilogue]

    @property
    def contestants(self):
        result = {"cuDNN": self.exact}
        if self.epilogue:
            result["compiled"] = self.exact
        return result


def programs():
    shapes = [(32, 56, 56, 64, 128), (32, 56, 56, 128, 128), (32, 28, 28, 256, 256, 3, 2), (5, 17, 23, 64, 128), (32, 56, 56, 64, 256, 1),
              (32, 56, 56, 256, 64, 1), (32, 28, 28, 512, 512, 1), (32, 28, 28, 96, 128), (8, 30, 33, 64, 128, 5, 1, 2), (32, 14, 14, 512, 512)]
    result = [Convolution(*shape, epilogue=e) for shape in shapes for e in ("", "bias_relu")]
    result += [Convolution(32, 56, 56, 128, 128, epilogue="bias_relu_residual"), Convolution(32, 224, 224, 3, 64, 7, 2)]
    return result + [Convolution(32, 56, 56, 128, 128, is_depthwise=True), Convolution(32, 56, 56, 128, 128, epilogue="bias_relu", element="bf16")]


def tiny():
    return [Convolution(2, 6, 5, 8, 16), Convolution(1, 7, 7, 8, 8, 3, 2, epilogue="bias_relu_residual"), Convolution(1, 5, 6, 8, 8, is_depthwise=True)]
