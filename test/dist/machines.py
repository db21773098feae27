"""Tensors in pieces in Python by several ranks: the same bits as in one process, and errors on all of
them; and an example in C++. MPI HEADER PACKAGE EXAMPLE."""
import os
import pathlib
import subprocess
import sys
import tempfile

from launch import SKIPPED, Launcher, require, skip

mpi, header, package, example = sys.argv[1:]
launcher = Launcher(mpi, header)
work = pathlib.Path(tempfile.mkdtemp())
os.environ["STRATA_CACHE_DIR"] = launcher.environment["STRATA_CACHE_DIR"] = str(work / "kernels")
os.environ["PYTHONPATH"] = launcher.environment["PYTHONPATH"] = package
script = pathlib.Path(__file__).with_name("machines_ranks.py")


def run_alone(folder):
    return subprocess.run([sys.executable, "-B", script, folder], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


def run_together(ranks, folder):
    return launcher.run(ranks, sys.executable, "-B", script, folder)[0]


(work / "alone").mkdir()
alone = run_alone(work / "alone")
if alone.returncode == SKIPPED:
    skip(alone.stdout.strip())
require(alone.returncode == 0, "one process", alone)
results = {file.name: file.read_bytes() for file in (work / "alone").iterdir()}
require(len(results) > 30, f"{len(results)} results", alone)
for ranks in (2, 3):
    folder = work / str(ranks)
    folder.mkdir()
    done = run_together(ranks, folder)
    require(done.returncode == 0, f"{ranks} ranks", done)
    for name, expected in results.items():
        require((folder / name).read_bytes() == expected, f"{ranks} ranks, {name}", done)
    done, _ = launcher.run(ranks, example)
    require(done.returncode == 0 and done.stdout.split() == "7 12 19 18 29 12".split(),
            f"{ranks} ranks, in C++", done)
