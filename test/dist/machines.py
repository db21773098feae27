"""Tensors in pieces in Python by several ranks: the same bits as in one process, and errors on all of
them; how often ranks meet; and an example in C++. MPI HEADER PACKAGE EXAMPLE COUNTER."""
import os
import pathlib
import subprocess
import sys
import tempfile

from launch import SKIPPED, Launcher, require, skip

mpi, header, package, example, counter = sys.argv[1:]
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


def meetings(calls):
    counted = {"LD_PRELOAD": counter, "STRATA_COUNT": str(work / f"meetings-{calls}")}
    done, _ = launcher.run(2, sys.executable, "-B", script.with_name("machines_calls.py"), calls, **counted)
    require(done.returncode == 0, f"{calls} calls", done)
    return sum(int(one.read_text().split()[2]) for one in work.glob(f"meetings-{calls}.*")) // 2


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
# A call meets where it begins and where it ends, and not before it sends what it sent in the calls before.
more = meetings(40) - meetings(20)
if more != 2 * 20:
    sys.exit(f"20 calls more take {more} meetings more")
