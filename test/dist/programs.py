"""Programs that every rank runs: they print and write once, and fail together. MPI HEADER."""
import json
import os
import pathlib
import re
import shutil
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


def together(*arguments, ranks=RANKS, **options):
    """Each rank in a folder of its own."""
    place = f'cd {work}/rank${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} && exec "$@"'
    return launcher.run(ranks, "sh", "-c", place, "sh", *arguments, **options)[0]


def said(done):
    """Without what the launcher itself adds after a failure, between lines or behind one; it may be before
    what a process has said last."""
    return re.sub(r"^-{5,}\n(.*?^-{5,}\n|.*)", "", done.stdout, flags=re.MULTILINE | re.DOTALL)


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

# The examples with machines print what one process prints.
data = source / "examples/data"
for example, *given in (("spmv-ranks.ta", f"file={data}/matrix.mtx"),
                        ("spmv-entries.ta", f"file={data}/matrix.mtx"),
                        ("spmm-ranks.ta", f"file={data}/matrix.mtx"),
                        ("pagerank-ranks.ta", f"graph={data}/graph.mtx"),
                        ("cp-als-ranks.ta", f"file={data}/tensor.tns", "rank=4", "rounds=3"),
                        ("summa-ranks.ta", "n=37"), ("summa-ranks.ta", "n=70", "N=3x2"),
                        ("spmm-rounds.ta", f"file={data}/matrix.mtx"), ("matmul-ranks.ta", "n=37"),
                        ("matmul-ranks.ta", "n=10", "N=3x2")):
    command = [strata, "run", source / "examples" / example, "--quiet"]
    for parameter in given:
        command += ["-D", parameter]
    expected = alone(*command)
    done = together(*command)
    require(done.returncode == 0 and done.stdout == expected and expected.count(" = ") > 0,
            f"{example}; expected:\n{expected}", done)

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

# A report tells of a failure on another rank.
done = together(*run, "--json", errors=subprocess.DEVNULL)
start = done.stdout.index("{")
report = json.JSONDecoder().raw_decode(done.stdout, start)[0]
require(done.returncode == 1 and not report["ok"] and "holds other tensors" in json.dumps(report),
        "--json after a failure", done)
last.write_bytes(graph.read_bytes())

# Rank 0 fails alone where it writes.
check_failure("a file that cannot be written", together(*run, "-o", "x=none/x.mtx"), 1,
              "none/x.mtx")

# Files of a statement are written once, too.
statement = [strata, "y(i) = A(i,j) * x(j)", "-i=A:graph.mtx", "-f=A:CSR", "-g=x:d"]
done = together(*statement, "-o=y:y.mtx", "-write-time=times.csv", "-write-source=k.c")
require(done.returncode == 0 and [
    sorted(file.name for file in folder.iterdir()) for folder in folders] == [
        ["graph.mtx", "k.c", "times.csv", "y.mtx"]] + [["graph.mtx"]] * (RANKS - 1),
        "files of a statement", done)

# What all find wrong is said once.
check_failure("no program", together(strata, "run", "none.ta"), 1, "cannot read 'none.ta'")
for folder in folders:
    (folder / "program.ta").write_text(f'def main() {{ print("{folder.name == "rank0"}"); }}\n')
check_failure("another program", together(strata, "run", "program.ta"), 1,
              f"rank 1 of {RANKS} differs from rank 0 in the text of the program")
check_failure("the work of one process", together(strata, "convert", "graph.mtx", "x.mtx"), 2,
              "strata convert is the work of one process")

check_failure("an unknown option", together(strata, "run", "--nonsense"), 2,
              "unknown option '--nonsense'")
check_failure("a program from standard input", together(strata, "run", "-"), 1,
              "standard input comes to one rank alone")
done = together(strata, "run", "--help")
require(done.returncode == 0 and done.stdout.count("-D NAME=VALUE") == 1, "--help", done)
rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
done = launcher.run(2, "sh", "-c", f'SPARSE_FILE_NAME=f{rank} exec "$@"', "sh", executable,
                    "-D", f"graph={graph}")[0]
check_failure("another environment", done, 1,
              "rank 1 of 2 differs from rank 0 in the environment (SPARSE_FILE_NAME)")

# A rank that stops ends the others, one of which says so.
endless = work / "endless.ta"
endless.write_text(timed.read_text().replace("> 0.1", "> 60"))
for stopped in 0, 1:
    stop = f'if [ {rank} = {stopped} ]; then (sleep 1.5; kill -STOP $$) & fi; exec "$@"'
    done = launcher.run(2, "sh", "-c", stop, "sh", strata, "run", endless, "--deadline=2",
                        seconds=60)[0]
    text = said(done)
    require(launcher.ended_with(done, 85) and text.count("error: ") == 1
            and f"has waited for rank {stopped} for" in text, f"rank {stopped} stops", done)

# A process that a launcher has started alone needs no MPI.
done = subprocess.run([strata, "run", timed], env={**os.environ, "PMI_SIZE": "1", "PMI_RANK": "0"},
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
require(done.returncode == 0, "one process of a launcher", done)

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
for wrong, environment in ("--ranks=0", {}), ("--ranks=2", {"STRATA_MPI": "self"}):
    done = subprocess.run([strata, "run", timed, wrong], env={**os.environ, **environment},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    require(done.returncode == 2 and done.stdout.count("error: ") == 1, wrong, done)
check_failure("--ranks under a launcher", together(strata, "run", timed, "--ranks=2"), 2,
              "has started some already")
shutil.rmtree(work)
