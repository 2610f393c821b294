"""Runs the command argv[2:]; succeeds if it exits with the code argv[1]."""
import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
if code != int(sys.argv[1]):
    sys.exit(f"expected exit code {sys.argv[1]}, found {code}")
