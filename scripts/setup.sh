#!/usr/bin/env bash
# Installs what amp needs and this machine lacks, from the packages of Debian 12
# or Ubuntu, and CUDA's assembler with pip. Running it again does nothing. --dev
# adds clang-tidy, the sanitizers' runtime, oneTBB, oneDNN, which benchmarks compare
# with, matplotlib, which draws benchmarks, and Chromium, which opens reports in the
# tests, where the system has them.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

packages=(llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools clang-22 lld-22
  clang-format-22 g++ cmake ninja-build ccache libgtest-dev zlib1g-dev libxml2-dev python3 git)
is_dev=0
case ${1:-} in
'') ;;
--dev)
  is_dev=1
  packages+=(clang-tidy-22 libclang-rt-22-dev libtbb-dev libdnnl-dev)
  ;;
*) die "usage: scripts/setup.sh [--dev]" ;;
esac

# Tools that are as good from elsewhere as from a package.
declare -A command_of=([cmake]=cmake [ninja-build]=ninja [ccache]=ccache [python3]=python3 [g++]=g++ [git]=git)

is_present() {
  local command=${command_of[$1]:-}
  [[ -n $command ]] && command -v "$command" >/dev/null && return
  command -v dpkg-query >/dev/null &&
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

has_numpy() { python3 -c 'import numpy' 2>/dev/null; }
is_system_python() { [[ $(python_path) == /usr/bin/python3* ]]; }

missing=()
for package in "${packages[@]}"; do
  is_present "$package" || missing+=("$package")
done
# NumPy must be there for the python3 that PATH names, which is not always the system's.
if ! command -v python3 >/dev/null || { ! has_numpy && is_system_python; }; then
  missing+=(python3-numpy)
fi

run_apt() {
  local as_root=()
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null ||
      die "installing packages needs root, and there is no sudo; as root, run: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 "$@" >&2
}

if ((${#missing[@]})); then
  command -v apt-get >/dev/null ||
    die "this system has no apt-get; amp's set-up knows Debian 12 and Ubuntu. Missing: ${missing[*]}"
  say "installing: ${missing[*]}"
  run_apt update || die "apt-get update failed; its own messages above say why (no network?)"
  release=$(. /etc/os-release && echo "${PRETTY_NAME:-this release}")
  for package in "${missing[@]}"; do
    candidate=$(LC_ALL=C apt-cache policy "$package" | awk '/Candidate:/ {print $2}')
    [[ -n $candidate && $candidate != "(none)" ]] ||
      die "$release has no package $package in its package lists: use Debian 12 with its security updates, or add a package source that carries LLVM 22"
  done
  run_apt install -y --no-install-recommends "${missing[@]}" ||
    die "apt-get could not install ${missing[*]}; its own messages above say why (no network?)"
fi

if ! has_numpy; then
  python=$(python_path)
  say "installing NumPy for $python with pip"
  "$python" -m pip install -q numpy >&2 ||
    die "pip could not install NumPy for $python; install it there, or put the system's python3 first on PATH"
  missing+=(numpy)
fi

# Tests that assemble device code need CUDA's assembler; everything else does not.
if ! find_ptxas >/dev/null; then
  say "installing CUDA's ptxas in $AMP_CUDA with pip"
  if "$(python_path)" -m pip install -q --target "$AMP_CUDA" --no-deps 'nvidia-cuda-nvcc-cu12>=12.8,<13' >&2 &&
    find_ptxas >/dev/null; then
    missing+=(ptxas)
  else
    say "there is no ptxas of CUDA 12.8 or newer: tests that need one will not run"
  fi
fi

# Drawing the ratios of GPU benchmarks needs matplotlib; everything else does not.
if ((is_dev)) && ! python3 -c 'import matplotlib' 2>/dev/null; then
  say "installing matplotlib"
  if is_system_python; then
    run_apt update && run_apt install -y --no-install-recommends python3-matplotlib || true
  else
    "$(python_path)" -m pip install -q matplotlib >&2 || true
  fi
  if python3 -c 'import matplotlib' 2>/dev/null; then
    missing+=(matplotlib)
  else
    say "there is no package of matplotlib: the test that needs it will not run"
  fi
fi

# The test that opens a report in a browser needs one; everything else does not.
if ((is_dev)) && ! command -v chromium >/dev/null; then
  say "installing chromium"
  if run_apt update && run_apt install -y --no-install-recommends chromium &&
    command -v chromium >/dev/null; then
    missing+=(chromium)
  else
    say "there is no package of chromium: the test that needs one will not run"
  fi
fi

has_numpy || die "python3 ($(python_path)) still cannot import numpy"
((${#missing[@]})) && say "set-up done" || say "set-up: nothing is missing"
