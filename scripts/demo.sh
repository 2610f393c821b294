#!/usr/bin/env bash
# Set-up, build, and the main job: the digits classifiers under f32, f16 and
# bf16 on the test split, as one table. Arguments go to examples/digits/run.py.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

prepare
say "running examples/digits"
exec python3 "$AMP_ROOT/examples/digits/run.py" --amp-run "$AMP_BUILD/bin/amp-run" "$@"
