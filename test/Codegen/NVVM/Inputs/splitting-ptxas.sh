#!/bin/sh
# Stands for a ptxas of CUDA 12.1 or later, or, where AMP_TEST_OLD_PTXAS is set, for one before, which refuses --split-compile. Says in a note
# which options it got before the PTX; the cubin is what it was given.
[ "$1" = --help ] && { [ -n "$AMP_TEST_OLD_PTXAS" ] || echo "--split-compile <N>"; exit 0; }
options=
while [ $# -gt 0 ]; do
  case "$1" in
  --split-compile)
    [ -n "$AMP_TEST_OLD_PTXAS" ] && { echo "ptxas fatal   : Unknown option '-split-compile'"; exit 255; }
    shift; options="$options --split-compile $1" ;;
  *.ptx) ptx="$1" ;;
  -o) shift; printf 'split' > "$1" ;;
  *) options="$options $1" ;;
  esac
  shift
done
echo "ptxas info    : (C7999)$options"
