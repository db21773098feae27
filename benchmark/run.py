"""Measures Strata against Eigen and SciPy, and the time and memory that it takes itself.

    ./dev bench [--quick] [--only SECTION,...] [--against BUILD] [--json FILE] [--csv FILE]

docs/Benchmarks.md says what the sections measure and shows figures. Contestants take turns within
one run, so that ratios hold even where other programs use the machine.
"""
import argparse
import csv
import importlib
import json
import os
import pathlib
import shlex
import sys
import tempfile

# Workers of NumPy's OpenBLAS must not spin while others are measured; it looks at this when loaded.
if "numpy" in sys.modules and "OPENBLAS_THREAD_TIMEOUT" not in os.environ:
    raise SystemExit("set OPENBLAS_THREAD_TIMEOUT=4: NumPy is loaded already, and its workers spin")
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")

import assembly
import bands
import builds
import blocks
import cells
import contractions
import conversions
import dense
import files
import formats
import machine
import mkl
import neighbours
import products
import programs
import quiet
import ranks
import scale
import schedules
import skew
import statements
import storage
import taco
import threads
import upstream

SOURCE = pathlib.Path(__file__).resolve().parents[1]
SECTIONS = {"eigen": products.against_eigen, "scipy": products.against_scipy, "mkl": mkl.against_mkl, "taco": taco.against_taco,
            "upstream": upstream.against_sparsifier, "threads": threads.measured,
            "schedules": schedules.against_random, "neighbours": neighbours.measured, "skew": skew.against_even, "contractions": contractions.against_libraries,
            "dense": dense.against_libraries, "latency": statements.latency, "memory": files.memory, "reading": files.reading,
            "formats": formats.against_csr, "storage": storage.against_libraries, "blocks": blocks.against_scipy, "bands": bands.against_libraries,
            "ranks": ranks.against_libraries, "scale": scale.measured,
            "conversions": conversions.measured, "assembly": assembly.assembled,
            "programs": programs.against_programs, "cells": cells.against_scanpy, "builds": builds.against}
# Of sections that can be measured in parts.
PARTS = {"dense": dense.PARTS, "neighbours": neighbours.PARTS, "scale": scale.PARTS, "schedules": schedules.PARTS, "threads": threads.PARTS}


class NotBuilt(Exception):
    """A program that a section needs is not there."""


class Run:
    """Where things are, how thorough to be, and what was measured."""

    def __init__(self, options, folder):
        self.quick = options.quick
        self.other = options.against
        self.build = pathlib.Path(options.build).resolve()
        self.folder = pathlib.Path(folder)
        data = os.environ.get("STRATA_DATA") or SOURCE.parent / "shared/data"
        self.data = pathlib.Path(data) if pathlib.Path(data).is_dir() else None
        self.rows = []
        self.goals = []
        self.noise = {}  # by section: what the machine did beside it
        self.megabytes = options.megabytes
        self.part = None  # of a section, where one alone is wanted

    def has_program(self, name):
        return (self.build / "bin" / name).exists()

    def program(self, name):
        if not self.has_program(name):
            raise NotBuilt(f"{self.build / 'bin' / name} is not built: "
                           f"cmake -DSTRATA_BENCHMARKS=ON {self.build} && ninja -C {self.build} {name}")
        return str(self.build / "bin" / name)

    def python_package(self):
        """This build's; None, and a line that says so, if there is none."""
        sys.path.insert(0, str(self.build / "python"))
        try:
            return importlib.import_module("strata")
        except ImportError:
            print("skipped: the Python package is not built (ninja strata_python strata_python_modules)")
            return None

    def files(self, *names):
        """Those of the published matrices that are there."""
        found = [self.data / name for name in names] if self.data else []
        return [str(file) for file in found if file.exists()]

    def add(self, section, **row):
        self.rows.append({"section": section, **row})

    def goal(self, text, worst, limit):
        """A number that should not exceed a limit: `worst` is the number and what it belongs to."""
        if worst is not None:
            met = "met" if worst[0] <= limit else "MISSED"
            self.goals.append(f"{text}: at most {limit:g}; {worst[0]:.3g} ({worst[1]}): {met}")

    def goal_from(self, text, worst, limit):
        """A number that should not be below a limit."""
        if worst is not None:
            met = "met" if worst[0] >= limit else "MISSED"
            self.goals.append(f"{text}: at least {limit:g}; {worst[0]:.3g} ({worst[1]}): {met}")

    def measure(self, name):
        """A section, or a part of one. Its figures are void where others took the processors."""
        section, _, self.part = name.partition(":")
        rows, goals = len(self.rows), len(self.goals)
        quiet.RECORD.begin()
        try:
            SECTIONS[section](self)
        except NotBuilt as missing:
            print(f"skipped: {missing}")
        self.noise[name], text = quiet.RECORD.summary()
        print(text, flush=True)
        if self.noise[name]["void"]:
            for row in self.rows[rows:]:
                row["void"] = True
            self.goals[goals:] = [f"{goal} (void)" for goal in self.goals[goals:]]


def parse():
    parser = argparse.ArgumentParser(prog="dev bench", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="less of everything: under a minute")
    parser.add_argument("--only", metavar="SECTION,...", help=", ".join(SECTIONS) +
                        "; SECTION:PART measures one part, " + "; ".join(
                            f"of {name}: {', '.join(parts)}" for name, parts in PARTS.items()))
    parser.add_argument("--against", metavar="BUILD", help="only: this build's kernels against "
                        "those of another build folder")
    parser.add_argument("--megabytes", metavar="MB", type=float, default=64, help="the largest tensor "
                        "of a contraction in 'contractions': 64")
    parser.add_argument("--json", metavar="FILE", help="write all figures as JSON")
    parser.add_argument("--csv", metavar="FILE", help="write all figures as rows of a table")
    parser.add_argument("--build", metavar="FOLDER", help="the build folder",
                        default=SOURCE / "build")
    options = parser.parse_args()
    options.sections = (["builds"] if options.against else options.only.split(",")
                        if options.only else [name for name in SECTIONS if name != "builds"])
    for name in options.sections:
        section, _, part = name.partition(":")
        if section not in SECTIONS:
            parser.error(f"no section '{section}'; there are {', '.join(SECTIONS)}")
        if part and part not in PARTS.get(section, ()):
            parser.error(f"no part '{part}' of {section}; there are "
                         f"{', '.join(PARTS.get(section, ())) or 'none'}")
    if "builds" in options.sections and not options.against:
        parser.error("the section 'builds' needs the other build: --against FOLDER")
    return options


def write_csv(path, rows):
    columns = list(dict.fromkeys(key for row in rows for key in row))
    with open(path, "w", newline="") as file:
        table = csv.DictWriter(file, columns)
        table.writeheader()
        table.writerows(rows)


def main():
    options = parse()
    facts = machine.facts(options.build)
    print("command: benchmark/run.py", shlex.join(sys.argv[1:]))
    for name, value in facts.items():
        print(f"{name}: {value}")
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder:
        run = Run(options, folder)
        if not run.data:
            print("published matrices: none (STRATA_DATA is not set)")
        for name in options.sections:
            print(f"\n==== {name} ====", flush=True)
            run.measure(name)
    if run.goals:
        print("\n==== goals ====")
        print("\n".join(run.goals))
    if options.json:
        pathlib.Path(options.json).write_text(
            json.dumps({"machine": facts, "command": sys.argv, "rows": run.rows,
                        "goals": run.goals, "noise": run.noise}, indent=1) + "\n")
    if options.csv:
        write_csv(options.csv, run.rows)


if __name__ == "__main__":
    main()
