#!/usr/bin/env python3
"""Regenerates the expected code of the golden kernels.

    test/golden/update.py [--strata-opt PATH] [NAME ...]

Runs the commands of each NAME.mlir that end in `diff` and stores what they print: NAME.cin, the loops
over index variables; NAME.lvl, the walks over levels; NAME.scf, the code (all names if none is given).
Read the difference before committing it: that is what golden kernels are for.
"""
import argparse
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
RUN = re.compile(r"^// RUN: strata-opt %s (?P<options>.*) \| diff %S/(?P<expected>\S+) -$", re.MULTILINE)


def generate(strata_opt, source):
    """The expected files of `source`, each with its new text."""
    runs = list(RUN.finditer(source.read_text()))
    if not runs:
        sys.exit(f"{source}: no command of the form 'strata-opt %s ... | diff %S/NAME -'")
    for run in runs:
        options = [option.replace('"', "") for option in run["options"].split()]
        result = subprocess.run([strata_opt, source, *options], capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{source}: strata-opt failed\n{result.stderr}")
        yield source.with_name(run["expected"]), result.stdout


def main():
    parser = argparse.ArgumentParser(description="Regenerates the expected code of the golden kernels.")
    parser.add_argument("--strata-opt", default="strata-opt", help="the program (default: on the PATH)")
    parser.add_argument("names", nargs="*", help="kernels, without .mlir (default: all)")
    arguments = parser.parse_args()
    sources = [FOLDER / f"{name}.mlir" for name in arguments.names] or sorted(FOLDER.glob("*.mlir"))
    for source in sources:
        for expected, text in generate(arguments.strata_opt, source):
            if not expected.exists() or expected.read_text() != text:
                expected.write_text(text)
                print(f"changed: {expected.name}")


if __name__ == "__main__":
    main()
