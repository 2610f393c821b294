#!/bin/sh
# Stands for a ptxas that spills a register, so that more blocks run at once, in
# the first kernel of the PTX unless it is told that one block is enough. Its
# arguments are those of amp-gpu-to-binary: PTX before "-o", the cubin after it.
while [ $# -gt 0 ]; do
  case "$1" in
  *.ptx) ptx="$1" ;;
  -o) shift; printf 'frugal' > "$1" ;;
  esac
  shift
done
kernel=$(sed -n 's/^.visible .entry \([a-z_]*\)(.*/\1/p' "$ptx" | head -n 1)
echo "ptxas info    : Compiling entry function '$kernel' for 'sm_80'"
echo "ptxas info    : Function properties for $kernel"
if grep -q '^.minnctapersm 1$' "$ptx"; then
  echo "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
  echo "ptxas info    : Used 47 registers, used 0 barriers"
else
  echo "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads"
  echo "ptxas info    : Used 32 registers, used 0 barriers"
fi
