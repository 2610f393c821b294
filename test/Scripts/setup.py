# What scripts/setup.sh does with pip, in a sandbox: a PATH of stubs for Python, pip and dpkg, and links to the few tools of the system that it
# needs. No machine is looked at, nothing is downloaded.
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %amp_src %t
import os
import shutil
import subprocess
import sys

SOURCE, ROOT = sys.argv[1:]
TOOLS = "bash env sed sort head awk grep dirname mkdir chmod cat id touch".split()

PYTHON = """#!/bin/bash
# Python with pip. FAKE_PIP says what comes of an installation; $FAKE_STATE/numpy is there when NumPy is.
case "$*" in
"-c import sys; print(sys.executable)") echo "$FAKE_PYTHON" ;;
"-c import numpy") [[ -e $FAKE_STATE/numpy ]] ;;
"-m pip install -q numpy")
  echo "$*" >>"$FAKE_STATE/pip.log"
  [[ $FAKE_PIP != fails ]] && touch "$FAKE_STATE/numpy"
  ;;
"-m pip install -q --target "*)
  echo "$*" >>"$FAKE_STATE/pip.log"
  [[ $FAKE_PIP == fails ]] && exit 1
  mkdir -p "$6/nvidia/cuda_nvcc/bin"
  cat >"$6/nvidia/cuda_nvcc/bin/ptxas" <<END
#!/bin/bash
echo "Cuda compilation tools, release $FAKE_PIP, V$FAKE_PIP.1"
END
  chmod +x "$6/nvidia/cuda_nvcc/bin/ptxas"
  ;;
*) echo "unexpected: python3 $*" >&2; exit 9 ;;
esac
"""
DPKG = """#!/bin/bash
[[ $3 == "$FAKE_MISSING" ]] || echo -n installed
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o755)


def ptxas(folder, release):
    write(os.path.join(folder, "bin", "ptxas"), f'#!/bin/bash\necho "Cuda compilation tools, release {release}, V{release}.9"\n')
    return folder


class Machine:
    """A copy of the scripts, and a PATH for them."""

    def __init__(self, name, has_numpy=True):
        self.folder = os.path.join(ROOT, name)
        for script in ("setup.sh", "common.sh"):
            os.makedirs(os.path.join(self.folder, "scripts"), exist_ok=True)
            shutil.copy(os.path.join(SOURCE, "scripts", script), os.path.join(self.folder, "scripts", script))
        self.path = os.path.join(self.folder, "bin")
        write(os.path.join(self.path, "python3"), PYTHON)
        write(os.path.join(self.path, "dpkg-query"), DPKG)
        for tool in TOOLS:
            os.symlink(shutil.which(tool), os.path.join(self.path, tool))
        if has_numpy:
            write(os.path.join(self.folder, "numpy"), "")

    def run(self, code=0, pip="12.9", **environment):
        """Messages of one run, and the calls of pip in it."""
        log = os.path.join(self.folder, "pip.log")
        if os.path.exists(log):
            os.remove(log)
        environment = {"PATH": self.path, "FAKE_STATE": self.folder, "FAKE_PYTHON": os.path.join(self.path, "python3"), "FAKE_PIP": pip,
                       **environment}
        command = [os.path.join(self.path, "bash"), os.path.join(self.folder, "scripts", "setup.sh")]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        print(f"-- {os.path.basename(self.folder)} {environment}\n{done.stdout}{done.stderr}")
        assert done.returncode == code, f"expected exit code {code}, found {done.returncode}"
        calls = open(log).read() if os.path.exists(log) else ""
        return done.stdout + done.stderr, calls


# Without CUDA: pip installs an assembler beside the sources, once.
machine = Machine("fresh")
cuda = os.path.join(machine.folder, ".cuda")
text, calls = machine.run()
assert f"== installing CUDA's ptxas in {cuda} with pip\n" in text and text.endswith("== set-up done\n")
assert calls == f"-m pip install -q --target {cuda} --no-deps nvidia-cuda-nvcc-cu12>=12.8,<13\n", calls
text, calls = machine.run()
assert text == "== set-up: nothing is missing\n" and not calls

# No network, or a package that is too old: the rest works, and the tests that need it are named.
for pip in ("fails", "12.4"):
    text, calls = Machine("no-" + pip).run(pip=pip)
    assert calls and "== there is no ptxas of CUDA 12.8 or newer: tests that need one will not run\n" in text
    assert text.endswith("== set-up: nothing is missing\n")

# A toolkit of the machine, named or on PATH, if it is new enough; 12.10 is newer than 12.8.
for release, is_taken in (("13.0", True), ("12.10", True), ("12.8", True), ("12.7", False), ("11.8", False)):
    machine = Machine("toolkit-" + release)
    for variable in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"):
        calls = machine.run(pip="fails", **{variable: ptxas(os.path.join(ROOT, "cuda-" + release), release)})[1]
        assert bool(calls) != is_taken, (release, variable)
    machine = Machine("path-" + release)
    ptxas(machine.folder, release)
    assert bool(machine.run(pip="fails")[1]) != is_taken, release

# NumPy for a Python that is not the system's.
text, calls = Machine("no-numpy", has_numpy=False).run()
assert "== installing NumPy for " in text and calls.startswith("-m pip install -q numpy\n") and text.endswith("== set-up done\n")
text, _ = Machine("no-pip", has_numpy=False).run(code=1, pip="fails")
assert "error: pip could not install NumPy for " in text and "put the system's python3 first on PATH" in text

# A package is missing, and this is no Debian.
text, _ = Machine("no-apt").run(code=1, FAKE_MISSING="libmlir-22-dev")
assert "error: this system has no apt-get; amp's set-up knows Debian 12 and Ubuntu. Missing: libmlir-22-dev\n" in text
