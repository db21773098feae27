"""The program ``strata`` of the command line, which a wheel contains."""

from __future__ import annotations

import os
import pathlib
import sys


def main() -> int:
    """Becomes the program."""
    from importlib.util import find_spec

    # The extension lies elsewhere than the modules where these are installed to be edited. It is
    # not loaded: the program reads its settings itself.
    extension = find_spec("strata._core")
    if extension is None or extension.origin is None:
        print("strata: the extension module of this package is missing", file=sys.stderr)
        return 1
    program = pathlib.Path(extension.origin).with_name("bin") / "strata"
    if not program.exists():
        print("strata: this package was not installed from a wheel", file=sys.stderr)
        return 1
    os.execv(program, ["strata", *sys.argv[1:]])
