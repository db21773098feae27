"""The program ``strata`` of the command line, which a wheel contains."""

from __future__ import annotations

import os
import pathlib
import sys


def main() -> int:
    """Becomes the program."""
    program = pathlib.Path(__file__).with_name("bin") / "strata"
    if not program.exists():
        print("strata: this package was not installed from a wheel", file=sys.stderr)
        return 1
    os.execv(program, ["strata", *sys.argv[1:]])
