"""Ranks that die, stop, come late, or run something else: MPI HEADER PROGRAM."""
import os
import pathlib
import sys

from launch import Launcher, require

mpi, header, program = sys.argv[1:]
launcher = Launcher(mpi, header)
LOST = 85
DEADLINE = 2


def left_running(mark):
    """Processes of this test that are still there."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes() and int(folder.name) != os.getpid():
                yield folder.name
        except OSError:
            pass


def check(fault, deadline, isRight):
    mark = f"STRATA_TEST_FAULT={fault}-{os.getpid()}"
    done, seconds = launcher.run(3, program, "fault", fault, deadline, seconds=60,
                                 STRATA_TEST_FAULT=mark.partition("=")[2])
    require(isRight(done), fault, done)
    require(seconds < 10 + DEADLINE, f"{fault} took {seconds:.1f} s", done)
    left = list(left_running(mark))
    require(not left, f"{fault} leaves processes {left}", done)
    print(f"{fault}: {seconds:.1f} s, exit code {done.returncode}")


def names_the_stopped(operation):
    def isRight(done):
        said = [line for line in done.stdout.splitlines() if " has waited for " in line]
        return (launcher.ended_with(done, LOST) and len(said) == 1 and "error: rank" in said[0]
                and "has waited for rank 1 for" in said[0] and operation in said[0]
                and f"the deadline is {DEADLINE}.0 s" in said[0])
    return isRight


check("killed", 0, lambda done: done.returncode != 0)
check("stopped", DEADLINE, names_the_stopped("in the agreement on the program"))
# Whoever has all its messages waits for it in the next operation.
check("silent", DEADLINE, names_the_stopped("in the "))
check("late", 0, lambda done: done.returncode == 0 and "all well" in done.stdout
      and "note: rank 0 of 3 has waited for rank 1 for 0.4 s, in the agreement on the program"
      in done.stdout)
check("other", 0, lambda done: done.returncode == 1 and done.stdout.count(
    "error: rank 1 of 3 differs from rank 0 in the program") == 1)
