# RUN: %python %s %t %amp_obj/bin/amp-run
"""2,000 samples take no more memory than 20: in an archive, stored or deflated,
and as files of a directory.

Measured: the peak of the resident set of amp-run. A sample has 64 KiB and its
intermediate values as much again, so that keeping either would take 128 MB.
"""
import os
import resource
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
import numpy as np
import profiles

folder, amp_run = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
model = os.path.join(folder, "model.mlir")
with open(model, "w") as file:
    file.write("""
func.func @main(%x: tensor<?x16384xf32> {amp.name = "x"}) -> tensor<?x16384xf32> {
  %0 = arith.mulf %x, %x : tensor<?x16384xf32>
  return %0 : tensor<?x16384xf32>
}
""")
out = os.path.join(folder, "out.json")


def peak(source, samples):
    """Kilobytes. Each measurement in a process of its own: the peak of the
    children of a process never falls."""
    script = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n")
    text = profiles.run_ok(sys.executable, "-c", script, amp_run, model, "--calibrate=" + source, "--profile=" + out)
    profile = profiles.load(out)
    assert profile["samples"] == samples, profile["samples"]
    assert profiles.find(profile, "x")["count"] == samples * 16384
    return int(text)


rng = np.random.default_rng(0)
row = rng.standard_normal(16384).astype(np.float32)
peaks = {}
for samples in (20, 2000):
    data = np.empty((samples, 16384), np.float32)
    for i in range(samples):
        data[i] = np.roll(row, i)
    for kind, save in (("stored", np.savez), ("deflated", np.savez_compressed)):
        # Deflating 128 MB takes long; a tenth shows as much.
        count = samples if kind == "stored" else max(20, samples // 10)
        archive = os.path.join(folder, "data.npz")
        save(archive, x=data[:count])
        peaks[kind, samples] = peak(archive, count)
        os.remove(archive)
    files = os.path.join(folder, f"files{samples}")
    os.makedirs(files, exist_ok=True)
    for i in range(samples):
        np.savez(os.path.join(files, f"{i:05}.npz"), x=data[i : i + 1])
    peaks["files", samples] = peak(files, samples)
    subprocess.run(["rm", "-r", files], check=True)
print(peaks)
for kind in ("stored", "deflated", "files"):
    few, many = peaks[kind, 20], peaks[kind, 2000]
    # A page cache, an allocator's slack: a few per cent. Keeping a byte of each
    # sample's 64 Ki is not in there.
    if many > few * 1.05 + 4096:
        sys.exit(f"{kind}: 20 samples take {few} KB, and 2000 take {many} KB")
