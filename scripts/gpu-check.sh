#!/usr/bin/env bash
# Packs every example, integration program and GPU benchmark, compiled ahead of
# time, with a checker into one folder (under 32 MB) that runs on a machine with
# a CUDA driver and Python, without LLVM: copy the folder there, then
#   python3 FOLDER/run.py --output=results.json
# usage: scripts/gpu-check.sh [FOLDER] [--target=sm_90a] [options of gpu_check/pack.py]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

pack=$AMP_ROOT/scripts/gpu_check/pack.py
folder=$AMP_BUILD/gpu-check
for argument in "$@"; do
  # Before anything is built.
  if [[ $argument == -h || $argument == --help ]]; then
    sed -n '2,/^set/{s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
    echo
    exec python3 "$pack" --help
  fi
done
if (($#)) && [[ $1 != -* ]]; then
  folder=$1
  shift
fi
command=(python3 "$pack" "$folder" --amp-compile="$AMP_BUILD/bin/amp-compile" "$@")
# What is wrong with the options is said before minutes of building.
"${command[@]}" --check
prepare
"${command[@]}"
