# RUN: %python %s %t %amp_obj/bin/amp-run
"""A bar where standard error is a terminal; nothing elsewhere, or with --quiet."""
import os
import pty
import re
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
func.func @main(%x: tensor<4xf32> {amp.name = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
""")
archive = os.path.join(folder, "x.npz")
np.savez(archive, x=np.ones((50, 4), np.float32))
command = [amp_run, model, "--calibrate=" + archive, "--profile=" + os.path.join(folder, "out.json")]


def on_terminal(*more):
    """What the command writes to standard error, a terminal."""
    leader, follower = pty.openpty()
    process = subprocess.Popen([*command, *more], stdout=subprocess.DEVNULL, stderr=follower)
    os.close(follower)
    text = b""
    while True:
        try:
            piece = os.read(leader, 4096)
        except OSError:
            break
        if not piece:
            break
        text += piece
    assert process.wait() == 0, text
    return text.decode()


text = on_terminal()
assert re.search(r"\r\033\[Kamp-run: calibrating \[#{30}\] 50/50 samples", text), text
# The line is cleared at the end.
assert text.endswith("\r\033[K"), text
assert on_terminal("--quiet") == ""
# Phases of more than a second are announced, but there is no bar.
assert "calibrating" not in profiles.run(*command).stderr
assert profiles.run(*command, "--quiet").stderr == ""
