"""Prints a module `@kernels` of convolutions, one for each line of the input.

A line is a name, then words:
  NxHxWxC        the input (NHWC; CxHxW behind `nchw`), `?` before a size that
                 the types do not say;
  RxSxF          taps and features of the filter;
  f16|bf16|i8    its elements, and those of the result (i8: i32; f8E4M3FN and
                 f8E5M2, which may be: f32);
  hwcf|fhwc      the layout of the filter (default fhwc);
  pad=T,B,L,R stride=H,W dilation=H,W
  groups=G       of C channels and F features each: NHWGC, GFHWC;
  nchw           images of the result are CxHxW (the input stays NHWC);
  bias relu residual scale (by feature)
  schedule=NAME  the attribute amp.schedule.
"""
import sys

ELEMENTS = {"f16": "f32", "bf16": "f32", "i8": "i32", "f8E4M3FN": "f32", "f8E5M2": "f32"}


def pair(words, key, default):
    value = words.get(key)
    return [int(v) for v in value.split(",")] if value else default


def tensor(sizes, element):
    return f"tensor<{''.join(f'{s}x' for s in sizes)}{element}>"


def function(name, rest):
    flags = [w for w in rest if "=" not in w]
    words = dict(w.split("=", 1) for w in rest if "=" in w)
    shapes = [w for w in flags if w[0].isdigit() or w[0] == "?"]
    image, filters = shapes[0].split("x"), [int(v) for v in shapes[1].split("x")]
    dynamic = [v.startswith("?") for v in image]
    n, h, w, c = (int(v.strip("?")) for v in image)
    r, s, f = filters
    element = next((e for e in ELEMENTS if e in flags), "f16")
    acc = ELEMENTS[element]
    result = acc if acc == "i32" or element.startswith("f8") else element
    top, bottom, left, right = pair(words, "pad", [0] * 4)
    sh, sw = pair(words, "stride", [1, 1])
    dh, dw = pair(words, "dilation", [1, 1])
    groups = int(words.get("groups", 0))
    oh = (h + top + bottom - (r - 1) * dh - 1) // sh + 1
    ow = (w + left + right - (s - 1) * dw - 1) // sw + 1
    hide = lambda sizes: ["?" if d else v for d, v in zip(dynamic, sizes)] + list(sizes[4:])
    g = [groups] if groups else []
    x = [n, h, w] + g + [c]
    padded = [n, h + top + bottom, w + left + right] + g + [c]
    out = [n, oh, ow] + g + [f]
    if groups:
        kernel = [groups, f, r, s, c]
        xmap, wmap, omap = f"n, h*{sh} + r*{dh}, w*{sw} + s*{dw}, g, c", "g, f, r, s, c", "n, h, w, g, f"
        loops, parallel = "n, h, w, g, f, r, s, c", 5
    else:
        kernel = [r, s, c, f] if "hwcf" in flags else [f, r, s, c]
        xmap, wmap, omap = f"n, h*{sh} + r*{dh}, w*{sw} + s*{dw}, c", "r, s, c, f" if "hwcf" in flags else "f, r, s, c", "n, h, w, f"
        loops, parallel = "n, h, w, f, r, s, c", 4
        if "nchw" in flags:
            out, omap, loops = [n, f, oh, ow], "n, f, h, w", "n, f, h, w, r, s, c"
    real = not acc.startswith("i")
    zero, add, mul = ("0.0", "arith.addf", "arith.mulf") if real else ("0", "arith.addi", "arith.muli")
    extend, most = ("arith.extf", "arith.maximumf") if real else ("arith.extsi", "arith.maxsi")
    ox = hide(out)
    if any(dynamic):
        sizes = ["x".join(str(v) for v in shape) for shape in (x, kernel)]
    extras = []  # (name, type)
    if "bias" in flags:
        extras.append(("bias", [f], "f"))
    if "scale" in flags:
        extras.append(("scale", [f], "f"))
    if "residual" in flags:
        extras.append(("residual", ox, omap))
    lines = []
    if any(dynamic):
        sizes = [x, kernel] + [out if e[0] == "residual" else e[1] for e in extras] + [out]
        lines.append("  // SIZES: " + " ".join("x".join(map(str, v)) for v in sizes))
    arguments = [f"%x: {tensor(hide(x), element)}", f"%w: {tensor(kernel, element)}"]
    arguments += [f"%{e[0]}: {tensor(e[1], acc)}" for e in extras]
    arguments.append(f"%d: {tensor(ox, result)} {{amp.destination = 0 : i64}}")
    schedule = f', amp.schedule = "{words["schedule"]}"' if "schedule" in words else ""
    lines.append(f"  func.func @{name}({', '.join(arguments)}) -> {tensor(ox, result)} attributes {{amp.kernel{schedule}}} {{")
    put = lambda text: lines.append("    " + text)
    put(f"%zero = arith.constant {zero} : {acc}")
    put(f"%nothing = arith.constant {zero} : {element}")
    source, shape = "%x", hide(x)
    if top or bottom or left or right:
        low, high = [0, top, left] + [0] * (len(g) + 1), [0, bottom, right] + [0] * (len(g) + 1)
        shape = ["?" if v == "?" else p for v, p in zip(hide(x), padded)]
        names = ", ".join(f"%i{i}: index" for i in range(len(x)))
        put(f"%p = tensor.pad %x low{low} high{high} {{")
        put(f"^bb0({names}):")
        put(f"  tensor.yield %nothing : {element}")
        put(f"}} : {tensor(hide(x), element)} to {tensor(shape, element)}")
        source = "%p"
    dims = []
    for i, size in enumerate(ox):
        if size == "?":
            put(f"%at{i} = arith.constant {i} : index")
            put(f"%d{i} = tensor.dim %d, %at{i} : {tensor(ox, result)}")
            dims.append(f"%d{i}")
    put(f"%e = tensor.empty({', '.join(dims)}) : {tensor(ox, acc)}")
    put(f"%f = linalg.fill ins(%zero : {acc}) outs(%e : {tensor(ox, acc)}) -> {tensor(ox, acc)}")
    kinds = ", ".join(['"parallel"'] * parallel + ['"reduction"'] * 3)
    maps = ", ".join(f"affine_map<({loops}) -> ({m})>" for m in (xmap, wmap, omap))
    put(f"%c = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins({source}, %w : {tensor(shape, element)}, {tensor(kernel, element)}) outs(%f : {tensor(ox, acc)}) {{")
    put(f"^bb0(%a: {element}, %b: {element}, %acc: {acc}):")
    put(f"  %a1 = {extend} %a : {element} to {acc}")
    put(f"  %b1 = {extend} %b : {element} to {acc}")
    put(f"  %m = {mul} %a1, %b1 : {acc}")
    put(f"  %s = {add} %acc, %m : {acc}")
    put(f"  linalg.yield %s : {acc}")
    put(f"}} -> {tensor(ox, acc)}")
    order = "n, h, w, g, f" if groups else omap
    maps = [order] + [e[2] if e[2] != omap else order for e in extras] + [order]
    maps = ", ".join(f"affine_map<({order}) -> ({m})>" for m in maps)
    values = "".join(f", %{e[0]}" for e in extras)
    types = "".join(f", {tensor(e[1], acc)}" for e in extras)
    names = "".join(f", %v{i}: {acc}" for i in range(len(extras)))
    kinds = ", ".join(['"parallel"'] * len(out))
    put(f"%o = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins(%c{values} : {tensor(ox, acc)}{types}) outs(%d : {tensor(ox, result)}) {{")
    put(f"^bb0(%y: {acc}{names}, %out: {result}):")
    last = "%y"
    for i, extra in enumerate(extras):
        op = mul if extra[0] == "scale" else add
        put(f"  %t{i} = {op} {last}, %v{i} : {acc}")
        last = f"%t{i}"
    if "relu" in flags:
        put(f"  %relu = {most} {last}, %zero : {acc}")
        last = "%relu"
    if result != acc:
        put(f"  %narrow = arith.truncf {last} : {acc} to {result}")
        last = "%narrow"
    put(f"  linalg.yield {last} : {result}")
    put(f"}} -> {tensor(ox, result)}")
    put(f"return %o : {tensor(ox, result)}")
    lines.append("  }")
    return lines


def main():
    print("#g = #gpu.address_space<global>\nmodule @kernels {")
    for line in sys.stdin:
        words = line.split()
        if words and words[0] not in ("//", "#"):
            print("\n".join(function(words[0], words[1:])))
    print("}")


if __name__ == "__main__":
    main()
