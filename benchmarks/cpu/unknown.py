"""Functions of static shapes with sizes that are known when they run."""
import re


def with_unknown(source, is_unknown):
    """`source`, a function of static shapes, with `?` for each dimension `i` of a shape that `is_unknown(shape, i)` holds for.

    Equal numbers are one size, which is asked of the first argument that has it; what none has, as the pixels of a convolution's result, is as
    much less than the largest one as it is here.
    """
    head, body = source.split("{\n", 1)
    asked, lines = {}, []

    def split(text):
        *shape, element = text.split("x")
        return [(size, is_unknown(shape, i)) for i, size in enumerate(shape)], element

    def sizes(text):
        return ", ".join(value_of(size) for size, unknown in split(text)[0] if unknown)

    def value_of(size):
        if size not in asked:
            most = max(asked, key=int)
            lines.extend([f"%less{size} = arith.constant {int(most) - int(size)} : index", f"%size{size} = arith.subi {asked[most]}, %less{size} : index"])
            asked[size] = f"%size{size}"
        return asked[size]

    for name, text in re.findall(r"%(\w+): tensor<([^<>]*)>", head):
        for i, (size, unknown) in enumerate(split(text)[0]):
            if unknown and size not in asked:
                asked[size] = f"%size{size}"
                lines += [f"%at{size} = arith.constant {i} : index", f"%size{size} = tensor.dim %{name}, %at{size} : tensor<{text}>"]
    body = re.sub(r"tensor\.empty\(\) : tensor<([^<>]*)>", lambda m: f"tensor.empty({sizes(m[1])}) : tensor<{m[1]}>", body)
    body = re.sub(r"(%\w+) = arith\.constant dense<([^<>]*)> : tensor<([^<>]*)>",
                  lambda m: f"{m[1]}_one = arith.constant {m[2]} : {split(m[3])[1]}\n{m[1]} = tensor.splat {m[1]}_one[{sizes(m[3])}] : tensor<{m[3]}>", body)

    def retype(match):
        shape, element = split(match[1])
        return "tensor<" + "".join(f"{'?' if unknown else size}x" for size, unknown in shape) + f"{element}>"
    return re.sub(r"tensor<([^<>]*)>", retype, head + "{\n" + "\n".join(lines) + "\n" + body)


def of(*numbers):
    return lambda shape, i: shape[i] in map(str, numbers)


def first(shape, i):
    """The batch of images; a filter of one pixel has none."""
    return i == 0 and len(shape) == 4 and shape[:2].count("1") == 1 and shape[0] == "1"
