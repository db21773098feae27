"""Starts a program several times by the launcher of an MPI: openmpi, mpich, or mpi-abi. Where that or
its plugin is not installed, the test is skipped, and the reason printed."""
import os
import pathlib
import shutil
import subprocess
import sys
import time

SKIPPED = 77
# What the version of a launcher says, and the options for more processes than cores.
MARKS = {
    "openmpi": ("Open MPI", "OpenRTE"),
    "mpich": ("HYDRA",),
    "mpi-abi": ("HYDRA",),
}
OPTIONS = {"openmpi": ["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]}


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


class Launcher:
    """`header` is the folder of the mpi.h with which the plugin was built; empty: there is no plugin."""

    def __init__(self, mpi, header):
        if not header or header.endswith("NOTFOUND"):
            skip(f"Strata was built without the plugin for {mpi}: its header was not found")
        beside = pathlib.Path(header).parent / "bin" / "mpirun"
        names = [str(beside)] if mpi == "mpi-abi" else [f"mpirun.{mpi}", "mpirun"]
        self.mpi = mpi
        self.command = next(([path, *OPTIONS.get(mpi, [])] for path in map(shutil.which, names)
                             if path and self.belongs(path)), None)
        if not self.command:
            skip(f"{' and '.join(names)}: no launcher of {mpi} is installed")
        self.environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", UCX_ERROR_SIGNALS="",
                                STRATA_NUM_THREADS="1")

    def belongs(self, path):
        version = subprocess.run([path, "--version"], capture_output=True, text=True)
        return any(mark in version.stdout + version.stderr for mark in MARKS[self.mpi])

    def ended_with(self, done, code):
        """Whether the launcher ended with the exit code of its processes. MPICH's gives that of whichever
        process it sees end first: of the one that failed, or the number of the signal that ended another,
        which is SIGHUP for a stopped process whose parent has gone, SIGTERM or SIGKILL."""
        signals = (1, 9, 15) if self.mpi != "openmpi" else ()
        return done.returncode in (code, *signals)

    def run(self, ranks, program, *arguments, seconds=120, errors=subprocess.STDOUT, **environment):
        """The finished process, with its output and its errors as one text unless `errors` takes the
        latter, and the seconds that it took."""
        begin = time.monotonic()
        command = [*self.command, "-n", str(ranks), str(program), *map(str, arguments)]
        done = subprocess.run(command, env={**self.environment, **environment}, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=errors, timeout=seconds)
        return done, time.monotonic() - begin


def require(condition, what, done):
    if not condition:
        print(f"{what}; it ended with {done.returncode} and said:\n{done.stdout}")
        sys.exit(1)
