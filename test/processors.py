"""Runs the programs of the lit suite with code for another processor: CPU LIT FOLDER.

Skipped, with the reason, where this machine's processor cannot run that.
"""
import os
import subprocess
import sys

SKIPPED = 77

cpu, lit, folder = sys.argv[1:]
os.environ["STRATA_CPU"] = cpu
tried = subprocess.run([os.environ["STRATA"], "a(i) = b(i)", "-g=b:o", "-d=i:2", "-print"],
                       text=True, capture_output=True)
if "cannot run here" in tried.stderr:
    print(f"skipped: {tried.stderr.splitlines()[0]}")
    sys.exit(SKIPPED)
os.execv(lit, [lit, "-sv", "--filter=programs/|tools/convert", f"--param=output={cpu}", folder])
