"""The program ``strata`` of the command line, which a wheel contains."""

from __future__ import annotations

import os
import pathlib
import sys


def main() -> int:
    """Becomes the program."""
    from . import _core

    # The extension lies elsewhere than the modules where these are installed to be edited.
    program = pathlib.Path(_core.__file__).with_name("bin") / "strata"
    if not program.exists():
        print("strata: this package was not installed from a wheel", file=sys.stderr)
        return 1
    os.execv(program, ["strata", *sys.argv[1:]])
