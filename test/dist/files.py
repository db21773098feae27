"""Files of entries that ranks read and write together, MPI HEADER: each reads its part and writes its part,
and what they compute, write and say of what is wrong is what one process computes, writes and says."""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from launch import Launcher, require

launcher = Launcher(*sys.argv[1:])
strata = os.environ["STRATA"]
work = pathlib.Path(tempfile.mkdtemp())
os.chdir(work)
ROWS, ENTRIES = 400, 9000  # beyond what each rank reads for itself


def entries(drawn, order):
    return [tuple(drawn.randrange(1, ROWS + 1) for _ in range(order)) for _ in range(ENTRIES)]


def write_files():
    """Places repeat; a sum of three depends on their order."""
    drawn = random.Random(7)
    value = lambda: f"{drawn.random() * 10 ** drawn.randrange(-8, 8):.6g}"
    general = [f"{i} {j} {value()}" for i, j in entries(drawn, 2)]
    general += [f"3 {j} {value()}" for j in (7, 9, 7, 9, 7, 9)] * 20
    lower = [f"{max(place)} {min(place)} {value()}" for place in entries(drawn, 2)]
    lower += [f"9 2 {value()}" for _ in range(50)]
    both = [f"{i} {j} {value()}" for i, j in entries(drawn, 2)] + ["9 2 1e9", "2 9 3e-9", "2 9 1"] * 20
    third = [f"{i} {j} {k} {value()}" for i, j, k in entries(drawn, 3)]
    for name, kind, lines in (("general", "general", general), ("lower", "symmetric", lower),
                              ("both", "symmetric", both)):
        pathlib.Path(f"{name}.mtx").write_text("\n".join(
            [f"%%MatrixMarket matrix coordinate real {kind}", "% a comment",
             f"{ROWS} {ROWS} {len(lines)}", *lines, ""]))
    pathlib.Path("third.tns").write_text("\n".join([*third[:500], "# a comment", "", *third[500:], ""]))
    pathlib.Path("comet.tns").write_text("\n".join(
        [f"{ROWS + 1} {ROWS} {ROWS} {len(third)}", *third, ""]))


def program(rank):
    """Reads each file into each placement, and writes that in files of each kind."""
    reads = [(f"{name}.mtx", "i, j", f"{format} on M({place})")
             for name in ("general", "lower", "both")
             for format, place in (("CSR", "i"), ("CSC", "i"), ("DCSR", "~(i, j)"), ("COO", "j"),
                                   ("CSR", "*"), ("Dense", "i"), ("HYB", "i"), ("CSR", "0"))]
    reads += [(f"{name}.tns", "i, j, k", f"{format} on M({place})") for name in ("third", "comet")
              for format, place in (("CSF", "i"), ("COO", "~(i, j, k)"), ("CSF", "k"), ("CSF", "(i, j)"))]
    lines = ["Machine M(3);", "def main() {", "  IndexLabel [i, j, k] = [?];"]
    for number, (file, labels, format) in enumerate(reads):
        lines += [f"  Tensor<double> A{number}([{labels}], {format});",
                  f'  A{number}[{labels}] = read("{file}");']
        endings = ["mtx", "tns"] if labels == "i, j" else ["tns", "ttx"]
        if number % 4 == 0:
            endings += ["tns.gz"] + (["npz"] if format.startswith("CSR") else [])
        lines += [f'  write(A{number}, "{rank}/a{number}.{ending}");' for ending in endings]
    return "\n".join([*lines, "}", ""])


def run(ranks, *command):
    if ranks == 1:
        return subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True)
    return launcher.run(ranks, *command, "--deadline=60")[0]


def check_compiled(expected):
    """An executable reads and writes as a run does."""
    folder = pathlib.Path("compiled")
    folder.mkdir()
    lines = program(folder).splitlines()
    few = [line for line in lines if not re.search(r"A(\d+)", line)
           or int(re.search(r"A(\d+)", line)[1]) % 3 == 0]
    pathlib.Path("c.ta").write_text("\n".join(few))
    done = run(1, strata, "compile", "c.ta", "-o", "c")
    require(done.returncode == 0, "strata compile", done)
    done = run(2, work / "c", "-D", "M=4")
    require(done.returncode == 0, "an executable", done)
    for file in folder.iterdir():
        require(file.suffix == ".npz" or file.read_bytes() == expected[file.name],
                f"an executable: {file.name}", done)


def check_files():
    results = {}
    for ranks in 1, 2, 4:
        folder = pathlib.Path(f"by{ranks}")
        folder.mkdir()
        pathlib.Path("p.ta").write_text(program(folder))
        done = run(ranks, strata, "run", "p.ta", "-D", "M=4", "--quiet")
        require(done.returncode == 0, f"{ranks} ranks", done)
        results[ranks] = {file.name: file.read_bytes() for file in folder.iterdir()}
        if ranks == 2:
            check_compiled(results[1])
        require(set(results[ranks]) == set(results[1]), f"{ranks} ranks: {sorted(results[ranks])}", done)
        for name, data in results[ranks].items():
            require(name.endswith(".npz") or data == results[1][name], f"{ranks} ranks: {name}", done)
    require(len(results[1]) > 60, f"{len(results[1])} files", done)


def check_errors():
    """The same error, at the same line."""
    lines = pathlib.Path("general.mtx").read_text().split("\n")
    damaged = {
        "truncated": lines[:7000] + [lines[7000][:3]],
        "short": lines[:-40],
        "long": [*lines[:-1], "1 1 1", "1 1 2", ""],
        "outside": [*lines[:5000], "1 401 1", *lines[5001:]],
        "first": [*lines[:5], "x", *lines[6:8000], "y", *lines[8001:]],
    }
    pathlib.Path("e.ta").write_text("""Machine M(4);
def main() {
  IndexLabel [i, j] = [?];
  Tensor<double> A([ i, j ], CSR on M(i));
  A[i, j] = read(file);
  print(A);
}
""")
    for name, text in damaged.items():
        pathlib.Path(f"{name}.mtx").write_text("\n".join(text))
        said = set()
        for ranks in 1, 2, 4:
            done = run(ranks, strata, "run", "e.ta", "-D", f"file={name}.mtx")
            found = re.findall(r"error: (.*)", done.stdout)
            require(done.returncode == 1 and len(found) == 1 and f"{name}.mtx:" in found[0],
                    f"{name} on {ranks} ranks", done)
            said |= set(found)
        require(len(said) == 1, f"{name}: {said}", done)
#A rank whose file is shorter; each has its own folder.
    for rank in range(3):
        folder = pathlib.Path(f"rank{rank}")
        folder.mkdir()
        shutil.copy("e.ta", folder)
        text = "\n".join(lines if rank < 2 else lines[:4000])
        (folder / "own.mtx").write_text(text)
    place = f'cd {work}/rank${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} && exec "$@"'
    done = run(3, "sh", "-c", place, "sh", strata, "run", "e.ta", "-D", "file=own.mtx")
    require(done.returncode == 1 and done.stdout.count("error: ") == 1
            and re.search(r"own.mtx: the file has \d+ bytes on rank 0, and \d+ bytes on rank 2", done.stdout),
            "a shorter file on one rank", done)


def check_failed_writing():
    """Nothing is left of a file that cannot be written, and the old one stays."""
    target = pathlib.Path("old")
    target.mkdir()
    (target / "a.mtx").write_text("old")
    pathlib.Path("w.ta").write_text("""Machine M(2);
def main() {
  IndexLabel [i, j] = [?];
  Tensor<double> A([ i, j ], CSR on M(i));
  A[i, j] = read("general.mtx");
  write(A, file);
}
""")
    limited = 'export UCX_TLS=self,tcp; ulimit -f 100; trap "" XFSZ; exec "$@"' # MPICH's own files are small then
    done = run(2, "sh", "-c", limited, "sh", strata, "run", "w.ta", "-D", "file=old/a.mtx")
    require(done.returncode == 1 and done.stdout.count("error: ") == 1 and "old/a.mtx" in done.stdout
            and [file.name for file in target.iterdir()] == ["a.mtx"]
            and (target / "a.mtx").read_text() == "old", "a file that grows too large", done)
    done = run(2, strata, "run", "w.ta", "-D", "file=none/a.mtx")
    require(done.returncode == 1 and "the folder 'none' does not exist" in done.stdout, "no folder", done)


write_files()
check_files()
check_errors()
check_failed_writing()
shutil.rmtree(work)
