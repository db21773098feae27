"""Checks that what a wheel carries beside its library runs on the oldest Linux that the wheel names:
portable.py READELF FILE..."""

import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
readelf, *files = sys.argv[1:]

wheel = (SOURCE / "python/wheel.py").read_text()
oldest = tuple(map(int, re.search(r'PLATFORM = "manylinux_(\d+)_(\d+)_', wheel).groups()))
failed = False
for file in files:
    text = subprocess.run(
        [readelf, "--dyn-syms", "-W", file], check=True, capture_output=True, text=True
    ).stdout
    asked = re.findall(r"(\S+)@GLIBC_(\d+)\.(\d+)", text)
    newer = {name for name, *version in asked if tuple(map(int, version)) > oldest}
    if not asked or newer:
        print(f"{file} takes of a newer C library: {', '.join(sorted(newer)) or 'nothing at all?'}")
        failed = True
sys.exit(failed)
