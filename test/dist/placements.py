"""Tensors in every format go from placement to placement and come back whole: in one process on 1 to 5
cells, and, with MPI HEADER, the same bits in 2 and 4 ranks."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from launch import Launcher, require
from matrices import SEVERAL, SINGLE, matrix

strata = os.environ["STRATA"]
work = pathlib.Path(tempfile.mkdtemp())
PLACES = ["M(i)", "M(j)", "M((i, j))", "M(*)", "M(0)"]
BY_ENTRIES = ["M(~i)", "M(~j)", "M(~(i, j))", "M(~(j, i))"]


def program():
    """Each tensor is a copy of the one before, in another format and elsewhere."""
    declared = ["  IndexLabel [i, j] = [?];", "  Tensor<double> T([i, j], CSR);",
                "  Tensor<double> B([i, j], CSR);"]
    steps = ['  T[i, j] = read("m.mtx");']
    before = "T"
    for format in SINGLE + SEVERAL:
        for place in PLACES + (BY_ENTRIES if format in SINGLE else []):
            name = f"A{len(declared)}"
            declared.append(f"  Tensor<double> {name}([i, j], {format} on {place});")
            steps += [f"  {name}[i, j] = {before}[i, j];", f"  B[i, j] = {name}[i, j];",
                      f"  var d{name} = SUM((T[i, j] - B[i, j]) * (T[i, j] - B[i, j]));",
                      f'  if (d{name} != 0) {{ print("{format} on {place} differs\\n"); }}']
            before = name
    # What each process has whole becomes pieces of the same format.
    for format in SINGLE:
        for place in ["M(i)", "M(j)"]:
            name = f"A{len(declared)}"
            declared += [f"  Tensor<double> W{name}([i, j], {format});",
                         f"  Tensor<double> {name}([i, j], {format} on {place});"]
            steps += [f"  W{name}[i, j] = T[i, j];", f"  {name}[i, j] = W{name}[i, j];",
                      f"  B[i, j] = {name}[i, j];",
                      f"  var d{name} = SUM((T[i, j] - B[i, j]) * (T[i, j] - B[i, j]));",
                      f'  if (d{name} != 0) {{ print("{format} whole, then on {place}, differs\\n"); }}']
    return "\n".join(["Machine M(3);", "def main() {", *declared, *steps, "  print(B);", "}", ""])


(work / "m.mtx").write_text(matrix())
(work / "p.ta").write_text(program())


def run(cells, launch=None):
    command = [strata, "run", "p.ta", "-D", f"M={cells}", "--quiet"]
    if launch:
        done, _ = launch(*command, "--deadline=60")
    else:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    require(done.returncode == 0 and "differs" not in done.stdout
            and done.stdout.startswith("B =\n"), f"{cells} cells", done)
    return done.stdout


os.chdir(work)
expected = run(1)
if len(sys.argv) == 1:
    for cells in range(2, 6):
        require(run(cells) == expected, f"{cells} cells", subprocess.CompletedProcess([], 0, expected))
else:
    launcher = Launcher(*sys.argv[1:])
    for ranks in 2, 4:
        text = run(5, lambda *command: launcher.run(ranks, *command))
        require(text == expected, f"{ranks} ranks", subprocess.CompletedProcess([], 0, text))
os.chdir("/")
shutil.rmtree(work)
