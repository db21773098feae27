"""Programs that every rank runs: they print and write once, and fail together. MPI HEADER."""
import os
import pathlib
import subprocess
import sys
import tempfile

from launch import Launcher, require

mpi, header = sys.argv[1:]
launcher = Launcher(mpi, header)
strata = os.environ["STRATA"]
source = pathlib.Path(os.environ["STRATA_SOURCE"])
graph = source / "examples/data/graph.mtx"
pagerank = source / "examples/pagerank.ta"
work = pathlib.Path(tempfile.mkdtemp())
os.environ["STRATA_CACHE_DIR"] = launcher.environment["STRATA_CACHE_DIR"] = str(work / "kernels")
RANKS = 3
folders = [work / f"rank{rank}" for rank in range(RANKS)]
for folder in folders:
    folder.mkdir()
    (folder / "graph.mtx").write_bytes(graph.read_bytes())


def alone(*arguments):
    done = subprocess.run([*map(str, arguments)], cwd=folders[0], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    require(done.returncode == 0, "one process", done)
    return done.stdout


def together(*arguments, ranks=RANKS):
    """Each rank in a folder of its own."""
    place = f'cd {work}/rank${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} && exec "$@"'
    return launcher.run(ranks, "sh", "-c", place, "sh", *arguments)[0]


def said(done):
    """Without what the launcher itself adds after a failure."""
    return done.stdout.partition("-----")[0]


def check_same_output(name, *command):
    """The same text, and one file, which has the same bytes."""
    expected = alone(*command)
    file = folders[0] / "x.mtx"
    values = file.read_bytes()
    file.unlink()
    done = together(*command)
    require(done.returncode == 0 and done.stdout == expected, f"{name}; expected:\n{expected}", done)
    require(file.read_bytes() == values, f"{name}: x.mtx", done)
    require(not any((folder / "x.mtx").exists() for folder in folders[1:]), f"{name}: one file", done)
    file.unlink()


def check_failure(name, done, code, *texts):
    text = said(done)
    require(done.returncode == code and text.count("error: ") == 1
            and all(part in text for part in texts), f"{name}; expected {texts}", done)


run = [strata, "run", pagerank, "-D", "graph=graph.mtx", "--deadline=30"]
check_same_output("strata run", *run, "-o", "x=x.mtx")
program = work / "program.ta"
program.write_text(pagerank.read_text().replace("print(rounds);", 'write(x, "x.mtx"); print(rounds);'))
executable = work / "pagerank"
alone(strata, "compile", program, "-o", executable)
check_same_output("an executable", executable, "-D", "graph=graph.mtx")

# Each rank takes the time of the first, so that all end their loops in the same round.
timed = work / "timed.ta"
timed.write_text("""def main() {
  var start = getTime();
  var rounds = 0;
  repeat limit 100000000 {
    rounds = rounds + 1;
  } until (getTime() - start > 0.1);
  print(rounds);
}
""")
done = together(strata, "run", timed, "--deadline=30")
require(done.returncode == 0 and done.stdout.startswith("rounds = "), "the time", done)

# A file that one rank lacks, and one that is another there.
last = folders[-1] / "graph.mtx"
last.unlink()
for name, command in ("strata run", run), ("an executable", [executable, "-D", "graph=graph.mtx"]):
    check_failure(f"{name} without a file", together(*command), 1, "graph.mtx: cannot open",
                  f"note: on rank {RANKS - 1} of {RANKS}")
last.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1\n")
check_failure("another file", together(*run), 1,
              f"graph.mtx holds other tensors on ranks 0 and {RANKS - 1}")

# What all find wrong is said once.
check_failure("no program", together(strata, "run", "none.ta"), 1, "cannot read 'none.ta'")
for folder in folders:
    (folder / "program.ta").write_text(f'def main() {{ print("{folder.name == "rank0"}"); }}\n')
check_failure("another program", together(strata, "run", "program.ta"), 1,
              f"rank 1 of {RANKS} differs from rank 0 in the text of the program")
check_failure("the work of one process", together(strata, "convert", "graph.mtx", "x.mtx"), 2,
              "strata convert is the work of one process")

# A command that starts itself several times.
programs = work / "bin"
programs.mkdir()
(programs / "mpiexec").write_text(f'#!/bin/sh\nexec {launcher.command[0]} "$@"\n')
(programs / "mpiexec").chmod(0o755)
environment = {**launcher.environment, "PATH": f"{programs}:{os.environ['PATH']}"}
done = subprocess.run([strata, "ranks", "--ranks=2"], env=environment, stdout=subprocess.PIPE,
                      stderr=subprocess.STDOUT, text=True, timeout=60)
require(done.returncode == 0 and "ranks       2\n" in done.stdout
        and f"interface   {mpi}\n" in done.stdout, "--ranks=2", done)
