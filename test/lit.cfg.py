# Configuration of amp's lit tests.
import os
import platform
import re
import shutil
import subprocess
import tempfile

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "AMP"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".py", ".test"]
config.excludes = ["CMakeLists.txt", "lit.cfg.py", "lit.site.cfg.py", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.amp_obj_root, "test")
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"

config.substitutions.append(("%PATH%", config.environment["PATH"]))
config.substitutions.append(("%shlibext", config.llvm_shlib_ext))
config.substitutions.append(("%amp_src", config.amp_src_root))
config.substitutions.append(("%amp_obj", config.amp_obj_root))
config.substitutions.append(("%amp_lib", os.path.join(config.amp_obj_root, "lib")))
config.substitutions.append(("%mlir_lib", config.mlir_lib_dir))
config.substitutions.append(("%mlir_cmake", config.mlir_cmake_dir))
config.substitutions.append(("%cmake", config.cmake_executable))
config.substitutions.append(("%cxx", config.cxx))
config.substitutions.append(("%cc", config.cc))
config.substitutions.append(("%python", config.python_executable))

# Runs a function (-e NAME; %simulate: @main) of what amp-lower-to-simulator
# has lowered.
simulator_libs = ",".join(
    os.path.join(folder, "lib" + name + config.llvm_shlib_ext)
    for folder, name in [
        (os.path.join(config.amp_obj_root, "lib"), "amp_cuda_simulator"),
        (os.path.join(config.amp_obj_root, "lib"), "amp_runtime"),
        (config.mlir_lib_dir, "mlir_runner_utils"),
        (config.mlir_lib_dir, "mlir_c_runner_utils"),
    ]
)
simulator = f"mlir-runner -O2 --entry-point-result=void --shared-libs={simulator_libs}"
config.substitutions.append(("%simulator", simulator))
config.substitutions.append(("%simulate", simulator + " -e main"))

# Programs run on the CPU, also where there is a device; a test that uses one, or
# the simulator, says so (test/Integration/CUDA/lit.local.cfg).
config.environment["AMP_CUDA_DRIVER"] = "no-device-in-tests"

llvm_config.with_system_environment(["HOME", "TMP", "TEMP"])
llvm_config.use_default_substitutions()
tool_dirs = [os.path.join(config.amp_obj_root, "bin"), config.llvm_tools_dir]
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
tools = ["amp-opt", ToolSubst("amp-compile", unresolved="ignore"), ToolSubst("amp-report", unresolved="ignore"), ToolSubst("amp-run", unresolved="ignore"), ToolSubst("amp-tune", unresolved="ignore"), "mlir-opt", "mlir-runner"]
llvm_config.add_tool_substitutions(tools, tool_dirs)

# Programs of others (mlir-opt, a consumer) cannot load sanitized libraries, and
# libMLIR is not instrumented: containers that cross the border would be
# reported as overflowing.
if config.amp_sanitizer:
    config.available_features.add("sanitizer")
    config.environment["ASAN_OPTIONS"] = "detect_container_overflow=0:detect_leaks=0"


if platform.machine() == "x86_64":
    config.available_features.add("x86-host")
    # What tests for a wider processor emulate is not all of it.
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            flags = set(re.search(r"^flags\s*:(.*)$", file.read(), re.M)[1].split())
        if {"avx512f", "avx512bw", "avx512dq", "avx512vl"} <= flags:
            config.available_features.add("avx512")
        if {"amx_tile", "amx_bf16", "amx_int8"} <= flags:
            config.available_features.add("amx")
        # Where x86-64-v3 is another target than this processor.
        if {"avx512f", "avx_vnni"} & flags or "avx2" not in flags:
            config.available_features.add("beyond-avx2")


def cuda_capability():
    """The compute capability of this machine's first CUDA device, times ten; 0 without one."""
    if not shutil.which("nvidia-smi") or not os.path.exists("/dev/nvidia0"):
        return 0
    query = ["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"]
    found = re.match(r"(\d+)\.(\d+)", subprocess.run(query, capture_output=True, text=True).stdout)
    return int(found[1]) * 10 + int(found[2]) if found else 0


# Tests of minutes, whose shorter sisters run always.
if os.environ.get("AMP_SLOW_TESTS") == "1":
    config.available_features.add("slow")


# A CUDA device is never needed: tests that use one are unsupported without it.
capability = cuda_capability()
if capability >= 80:
    config.available_features.add("cuda")
    for known in (80, 90):
        if capability >= known:
            config.available_features.add(f"cuda-sm{known}")
config.substitutions.append(("%cuda_target", f"sm_{capability}" + ("a" if capability >= 90 else "")))

# Reports are opened in a browser where there is one.
browser = shutil.which("chromium") or shutil.which("google-chrome")
if browser:
    config.available_features.add("chromium")
config.substitutions.append(("%chromium", browser or "chromium"))


def find_ptxas():
    """The folder of a CUDA toolkit and its ptxas, of 12.8 or newer, or None."""
    roots = [os.environ.get(name, "") for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT")]
    found = [(root, os.path.join(root, "bin", "ptxas")) for root in roots if root]
    found.append(("", shutil.which("ptxas") or ""))
    # What scripts/setup.sh installs.
    root = os.path.join(config.amp_src_root, ".cuda", "nvidia", "cuda_nvcc")
    found.append((root, os.path.join(root, "bin", "ptxas")))
    for root, ptxas in found:
        if not os.access(ptxas, os.X_OK):
            continue
        text = subprocess.run([ptxas, "--version"], capture_output=True, text=True).stdout
        version = re.search(r"release (\d+)\.(\d+)", text)
        if version and tuple(map(int, version.groups())) >= (12, 8):
            return root
    return None


toolkit = find_ptxas()
if toolkit is not None:
    config.available_features.add("ptxas")
    if toolkit:
        config.environment["CUDA_HOME"] = toolkit
config.substitutions.append(("%ptxas_check", f'"{config.python_executable}" "{config.amp_src_root}/scripts/ptxas_check.py"'))


def find_python_with(module):
    """How tests call a Python that has a module, or None."""
    # What scripts/test.sh --with-torch installs, or what python3 has.
    for path in (os.path.join(config.amp_src_root, ".torch"), ""):
        # As tests see it: without what lit does not pass on, such as PYTHONPATH.
        environment = dict(config.environment, **({"PYTHONPATH": path} if path else {}))
        check = f"import importlib.util, sys; sys.exit(importlib.util.find_spec('{module}') is None)"
        if subprocess.run([config.python_executable, "-c", check], env=environment).returncode == 0:
            return f'env PYTHONPATH="{path}" "{config.python_executable}"' if path else f'"{config.python_executable}"'
    return None


for module, installer in (("torch", "scripts/test.sh --with-torch"), ("ml_dtypes", "scripts/test.sh --with-torch"), ("jax", "scripts/test.sh --with-torch"), ("matplotlib", "scripts/setup.sh --dev")):
    found = find_python_with(module)
    if found:
        config.available_features.add(module)
    else:
        lit_config.note(f"{module} is not installed: tests that need it are skipped ({installer} installs it)")
    config.substitutions.append((f"%{module}_python", found or "python3"))


def find_compiler(compilers, flags, source="int main(void) { return 0; }", language="c"):
    """The first of `compilers`, with `flags`, whose programs can be built and run; None without one."""
    with tempfile.TemporaryDirectory() as folder:
        for compiler in compilers:
            program = os.path.join(folder, "probe")
            command = [compiler, "-x", language, "-", *flags, "-o", program]
            try:
                built = subprocess.run(command, input=source, text=True, capture_output=True)
                if built.returncode == 0 and subprocess.run([program], capture_output=True).returncode == 0:
                    return " ".join([compiler, *(flag for flag in flags if not flag.startswith("-l"))])
            except OSError:
                pass
    return None


# What the threads of the runtime are tested with beside themselves.
for feature, substitution, compilers, flags, source, language in (
    ("thread-sanitizer", "%tsan_cc", ("gcc",), ["-fsanitize=thread", "-pthread"], "int main(void) { return 0; }", "c"),
    ("address-sanitizer", "%asan_cc", ("gcc",), ["-fsanitize=address"], "int main(void) { return 0; }", "c"),
    ("openmp", "%openmp_cc", (config.cc, "gcc"), ["-fopenmp"], "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }", "c"),
    ("tbb", "%tbb_cxx", (config.cxx,), ["-ltbb"], "#include <tbb/parallel_for.h>\nint main() { return 0; }", "c++"),
):
    found = find_compiler(compilers, flags, source, language)
    if found:
        config.available_features.add(feature)
    config.substitutions.append((substitution, found or feature))

# Programs that are not built with a sanitizer, such as Python, preload its library; a script that starts Python may not.
interpreter = subprocess.run([config.python_executable, "-c", "import sys; print(sys.executable)"], capture_output=True, text=True, check=True).stdout.strip()
config.substitutions.append(("%interpreter", interpreter))
for feature, name in (("address-sanitizer", "asan"), ("thread-sanitizer", "tsan")):
    if feature in config.available_features:
        library = subprocess.run(["gcc", f"-print-file-name=lib{name}.so"], capture_output=True, text=True, check=True).stdout.strip()
        config.substitutions.append((f"%{name}_library", library))
