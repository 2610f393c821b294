#!/usr/bin/env bash
# Set-up, build, and all tests: lit (check-amp) and GoogleTest (ctest). Runs both
# even if the first fails, prints their totals, and fails if a test failed or
# none ran. With --with-torch, PyTorch and JAX are installed first (in .torch,
# several gigabytes), for the tests that compare with them. Other arguments go to lit.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [[ ${1:-} == --with-torch ]]; then
  shift
  install_torch
fi
prepare
rm -f "$AMP_BUILD/lit.json" "$AMP_BUILD/ctest.xml"
status=0

say "lit"
LIT_OPTS="${LIT_OPTS:-} $* --output $AMP_BUILD/lit.json" ninja -C "$AMP_BUILD" check-amp || status=1
say "ctest"
ctest --test-dir "$AMP_BUILD" -j "$(nproc)" --output-on-failure \
  --output-junit "$AMP_BUILD/ctest.xml" >"$AMP_BUILD/ctest.log" 2>&1 || status=1
if ((status)); then cat "$AMP_BUILD/ctest.log"; fi

python3 "$AMP_ROOT/scripts/test_totals.py" "$AMP_BUILD/lit.json" "$AMP_BUILD/ctest.xml" || status=1
exit $status
