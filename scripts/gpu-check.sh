#!/usr/bin/env bash
# Packs every example, integration program and GPU benchmark, compiled ahead of
# time, with a checker into one folder (under 32 MB) that runs on a machine with
# a CUDA driver and Python, without LLVM: copy the folder there, then
#   python3 FOLDER/run.py --output=results.json
# usage: scripts/gpu-check.sh [FOLDER] [--target=sm_90a] [options of gpu_check/pack.py]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

folder=$AMP_BUILD/gpu-check
if (($#)) && [[ $1 != -* ]]; then
  folder=$1
  shift
fi
prepare
python3 "$AMP_ROOT/scripts/gpu_check/pack.py" "$folder" --amp-compile="$AMP_BUILD/bin/amp-compile" "$@"
