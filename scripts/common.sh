# Shared by the scripts of this folder; source it, do not run it.
# Sets AMP_ROOT and AMP_BUILD.

AMP_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
AMP_BUILD=${AMP_BUILD_DIR:-$AMP_ROOT/build}

say() { printf '== %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# The interpreter behind the python3 of PATH, past shims of version managers.
python_path() { python3 -c 'import sys; print(sys.executable)'; }

# One job per core, but no more than memory allows: a source that includes much
# of MLIR takes up to 1.5 GB.
build_jobs() {
  local cores kib jobs
  cores=$(nproc)
  kib=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo)
  jobs=$((kib / 1572864))
  ((jobs > cores)) && jobs=$cores
  ((jobs < 1)) && jobs=1
  echo "${AMP_JOBS:-$jobs}"
}

# Configures AMP_BUILD: clang-22, lld-22 and ccache where they are, else what
# CMake finds. A tree that exists keeps its choices. CI=true: warnings are errors.
configure() {
  local args=(-S "$AMP_ROOT" -B "$AMP_BUILD")
  if [[ ! -f $AMP_BUILD/build.ninja ]]; then
    args+=(-G Ninja -DCMAKE_BUILD_TYPE=Release "-DPython3_EXECUTABLE=$(python_path)")
    if [[ -z ${CXX:-} ]] && command -v clang++-22 >/dev/null; then
      args+=(-DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 -DAMP_PRECOMPILE_HEADERS=ON)
      command -v ld.lld-22 >/dev/null && args+=(-DLLVM_USE_LINKER=lld)
    fi
    if command -v ccache >/dev/null; then
      # What ccache asks of those who precompile headers.
      local ccache="env;CCACHE_SLOPPINESS=pch_defines,time_macros;ccache"
      args+=("-DCMAKE_C_COMPILER_LAUNCHER=$ccache" "-DCMAKE_CXX_COMPILER_LAUNCHER=$ccache")
    fi
    if [[ -z ${MLIR_DIR:-} && -d /usr/lib/llvm-22/lib/cmake/mlir ]]; then
      args+=(-DMLIR_DIR=/usr/lib/llvm-22/lib/cmake/mlir)
    fi
  fi
  [[ ${CI:-} == true ]] && args+=(-DAMP_ENABLE_WERROR=ON)
  say "configuring $AMP_BUILD"
  mkdir -p "$AMP_BUILD"
  if ! cmake "${args[@]}" >"$AMP_BUILD/configure.log" 2>&1; then
    tail -n 30 "$AMP_BUILD/configure.log" >&2
    die "CMake could not configure; the whole log is $AMP_BUILD/configure.log (if the tree was moved or made by hand: remove it and run again)"
  fi
}

# Builds the given ninja targets, or everything.
build() {
  local jobs
  jobs=$(build_jobs)
  say "building with $jobs jobs"
  ninja -C "$AMP_BUILD" -j "$jobs" "$@" >&2 || die "the build failed; the messages above say where"
}

# Set-up, configuration and build.
prepare() {
  "$AMP_ROOT/scripts/setup.sh"
  configure
  build
}

# Where setup.sh puts CUDA's assembler if the machine has none.
AMP_CUDA=$AMP_ROOT/.cuda

# The path of a ptxas of CUDA 12.8 or newer: in the folders that $CUDA_HOME,
# $CUDA_PATH and $CUDA_ROOT name, on PATH, or in AMP_CUDA. Fails if there is none.
find_ptxas() {
  local candidate version
  for candidate in "${CUDA_HOME:-}/bin/ptxas" "${CUDA_PATH:-}/bin/ptxas" "${CUDA_ROOT:-}/bin/ptxas" \
    "$(command -v ptxas || true)" "$AMP_CUDA/nvidia/cuda_nvcc/bin/ptxas"; do
    [[ -x $candidate ]] || continue
    version=$("$candidate" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
    if [[ $(printf '%s\n' 12.8 "$version" | sort -V | head -n 1) == 12.8 ]]; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

# Where --with-torch puts PyTorch and JAX, which some tests compare with.
AMP_TORCH=$AMP_ROOT/.torch

# Installs PyTorch, ml_dtypes (narrow floats for NumPy) and JAX in AMP_TORCH, unless
# they are there or python3 has them. The package index of pip decides which build of
# torch; AMP_TORCH_INDEX names another index, such as PyTorch's own of CPU builds,
# which are smaller.
install_torch() {
  local python index=()
  python=$(python_path)
  if PYTHONPATH=$AMP_TORCH "$python" -c 'import torch, ml_dtypes, jax' 2>/dev/null; then return; fi
  [[ -n ${AMP_TORCH_INDEX:-} ]] && index=(--index-url "$AMP_TORCH_INDEX")
  say "installing PyTorch in $AMP_TORCH with pip"
  "$python" -m pip install -q --target "$AMP_TORCH" "${index[@]}" torch numpy >&2 ||
    die "pip could not install torch for $python; install it there, or name an index that has it in AMP_TORCH_INDEX"
  # The other index has torch only.
  "$python" -m pip install -q --target "$AMP_TORCH" --no-deps ml_dtypes >&2 || die "pip could not install ml_dtypes for $python"
  "$python" -m pip install -q --target "$AMP_TORCH" jax >&2 || die "pip could not install jax for $python"
  PYTHONPATH=$AMP_TORCH "$python" -c 'import torch, ml_dtypes, jax' || die "PyTorch and JAX are in $AMP_TORCH, but $python cannot import them"
}
