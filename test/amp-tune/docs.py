# The examples of docs/tuning.md, on the simulator, which stands in for the device: its name is put into the commands and the files.
# UNSUPPORTED: sanitizer
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: env -u AMP_CUDA_DRIVER PATH=%amp_obj/bin:%PATH% %python %s %amp_src/docs/tuning.md
import re
import shlex
import subprocess
import sys

MODEL = """func.func @main(%x: tensor<1x6x6x16xf16>, %w: tensor<40x3x3x16xf16>) -> tensor<1x4x4x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x40xf32>) -> tensor<1x4x4x40xf32>
  %c = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x6x6x16xf16>, tensor<40x3x3x16xf16>) outs(%f : tensor<1x4x4x40xf32>) -> tensor<1x4x4x40xf32>
  return %c : tensor<1x4x4x40xf32>
}
"""
SIMULATED = {"amp-tune": ["--device=sim"], "amp-run": ["--device=sim", "--target=sim:sm_90a"]}


def run(command):
    words = shlex.split(command, comments=True)
    isMerge = "--merge" in words
    if not isMerge and "--device=sim" not in words:
        words += SIMULATED.get(words[0], [])
    result = subprocess.run(words, capture_output=True, text=True)
    print(shlex.join(words), result.returncode, result.stderr)
    assert result.returncode == 0, "the command fails"
    assert "warning" not in result.stderr
    # Entries for the simulator, as if they were for the device that other commands compile for.
    if words[0] == "amp-tune" and "h200.yaml" in words and not isMerge:
        with open("h200.yaml") as file:
            head, entries = file.read().removesuffix("...\n").split("entries:\n")
        with open("h200.yaml", "w") as file:
            file.write(head + "entries:\n" + entries + entries.replace("sim:sm_90a", "sm_90a"))
    return result.stdout


with open(sys.argv[1]) as file:
    page = file.read()
with open("model.mlir", "w") as file:
    file.write(MODEL)
with open("other.yaml", "w") as file:
    file.write("amp-tuning: 1\nentries: []\n")

blocks = re.findall(r"^```(\w+)\n(.*?)^```", page, flags=re.M | re.S)
assert [kind for kind, _ in blocks] == ["sh", "sh", "text", "yaml"], blocks
output = ""
for kind, text in blocks:
    if kind == "sh":
        for line in text.splitlines():
            output = run(line)
    elif kind == "text":
        # What the last command prints, among other lines, with "..." for anything.
        for line in text.splitlines():
            pattern = ".*".join(map(re.escape, line.split("...")))
            assert re.search(f"^{pattern}$", output, flags=re.M), (line, output)
    else:
        # A file of the format, which is its own merger.
        with open("page.yaml", "w") as file:
            file.write(text)
        run("amp-tune --merge page.yaml -o merged.yaml")
        with open("merged.yaml") as file:
            merged = file.read()

        def fields(text):
            lines = (line.strip(" -").split(": ", 1) for line in text.splitlines())
            return [[part.strip(" '") for part in line] for line in lines if line not in ([""], ["..."])]

        assert fields(merged) == fields(text), (fields(merged), fields(text))
