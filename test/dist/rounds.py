"""Cells add up sums round by round, with operands and results in every format, wherever the operands are, and
get what one process gets: on 1 to 6 cells of one process, and, with MPI HEADER, in 2 and 4 ranks."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from launch import Launcher, require
from matrices import COLUMNS, SEVERAL, SINGLE, matrix

strata = os.environ["STRATA"]
work = pathlib.Path(tempfile.mkdtemp())
ROUNDS = ["split(k, ko, ki, 1)", "split(k, ko, ki, 4)", "split(k, ko, ki, 100)", "divide(k, ko, ki, 3)"]
TILES = "divide(i, io, ii, N.x); divide(j, jo, ji, N.y); "
ROWS_ONLY = "divide(i, io, ii, M.x); "
# How cells and rounds are made, and what comes in each round; {} is of ROUNDS.
SCHEDULES = {
    "SUMMA": TILES + "{}; distribute({{io, jo}}); communicate(R, jo); communicate({{A, X}}, ko);",
    "SUMMA, reordered": TILES + "{}; reorder(io, jo, ko, ii, ji, ki); distribute({{io, jo}}); "
                                "communicate(R, jo); communicate({{A, X}}, ko);",
    "one operand": TILES + "{}; distribute({{io, jo}}); communicate({{A, R}}, jo); communicate(X, ko);",
    "Cannon": TILES + "divide(k, ko, ki, N.x); reorder(io, jo, ko, ii, ji, ki); "
                      "rotate(ko, {{io, jo}}, kos); distribute({{io, jo}}); communicate(R, jo); "
                      "communicate({{A, X}}, kos);",
    "rows": ROWS_ONLY + "{}; distribute(io); communicate({{A, R}}, io); communicate(X, ko);",
    "rows, rotated": ROWS_ONLY + "divide(k, ko, ki, M.x); rotate(ko, io, kos); distribute(io); "
                                 "communicate({{A, X}}, kos);",
}
# The statement, the result that one process gets, how the result is stored and placed, where X is.
STATEMENTS = [
    ("A[i, k] * X[k, j]", "C", "Dense on N(i, j)", "X"),
    ("A[i, k] * S[k, j]", "C", "CSR on M(i)", "S"),
    ("2 * A[i, k] * X[k, j] + w[i]", "D", "Dense on N(j, i)", "X"),
    ("A[i, k] * A[i, k] * X[k, j]", "E", "Dense on M(*)", "X"),
]
PLACES = ["M(i)", "N(i, k)", "N(k, *)", "M(*)", "M(0)", "M((i, k))", ""]


def program(formats):
    declared = ["  IndexLabel [i, j, k] = [?];", "  Tensor<double> T([i, k], CSR);",
                "  Tensor<double> S([k, j], DCSR on N(j, k));", "  Tensor<double> X([k, j], Dense on N(k, j));",
                "  Tensor<double> V([k, j], Dense);", "  Tensor<double> w([i], Dense on M(i));"]
    declared += [f"  Tensor<double> {name}([i, j], Dense);" for name in "CDE"]
    steps = ['  T[i, k] = read("m.mtx");', '  V[k, j] = read("s.mtx");', "  X[k, j] = V[k, j];",
             "  S[k, j] = V[k, j];", "  w[i] = 2 * i - 3;"]
    steps += [f"  {name}[i, j] = {right.replace('A[', 'T[')};".replace("S[", "X[")
              for right, name, _, _ in STATEMENTS if name != "C" or "S[" in right]
    number = 0
    for format in formats:
        place = PLACES[number % len(PLACES)]
        operand = f"A{len(declared)}"
        named = place.replace("k", "j") if format.startswith("{(i, j)") else place  # as a map names them
        placed = f"{format} on {named}" if place else format
        declared.append(f"  Tensor<double> {operand}([i, k], {placed});")
        steps.append(f"  {operand}[i, k] = T[i, k];")
        for schedule in SCHEDULES.values():
            for right, wanted, result, other in STATEMENTS:
                number += 1
                if other == "S" and "N.y" in schedule:
                    result = "CSR on N(i, j)"
                name = f"R{len(declared)}"
                declared.append(f"  Tensor<double> {name}([i, j], {result});")
                text = schedule.format(ROUNDS[number % len(ROUNDS)])
                if other == "S" or format != "Dense":
                    text = text.replace("reorder(io, jo, ko, ii, ji, ki); ", "")  # which not all formats allow
                for short, long in (("A", operand), ("X", other), ("R", name)):
                    text = text.replace(f"{{{short},", f"{{{long},").replace(f"{short}}}", f"{long}}}")
                    text = text.replace(f"({short},", f"({long},")
                steps += [f"  {name}[i, j] = {right.replace('A[', operand + '[')} schedule {{ {text} }};",
                          f"  var d{name} = SUM(({wanted}[i, j] - {name}[i, j]) * ({wanted}[i, j] - {name}[i, j]));",
                          f'  if (d{name} != 0) {{ print("{name} of {placed} differs\\n"); }}']
    return "\n".join(["Machine M(3);", "Machine N(?, ?);", "def main() {", *declared, *steps, "  print(C);",
                      "}", ""])


def run(name, cells, launch=None):
    command = [strata, "run", name, "-D", f"M={cells}", "--quiet"]
    if launch:
        done, _ = launch(*command, "--deadline=120", seconds=300)
    else:
        command += ["-D", f"N={cells}x2"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    require(done.returncode == 0 and "differs" not in done.stdout
            and done.stdout.startswith("C =\n"), f"{name}: {cells} cells", done)


os.chdir(work)
(work / "m.mtx").write_text(matrix())
(work / "s.mtx").write_text(matrix(COLUMNS, 7))
(work / "all.ta").write_text(program(SINGLE + SEVERAL))
(work / "few.ta").write_text(program(["Dense", "CSR", "CSC", "COO", "BCSR:2x3", "DIA", "HYB"]))
if len(sys.argv) == 1:
    run("all.ta", 3)
    for cells in 1, 2, 6:
        run("few.ta", cells)
    (work / "two.ta").write_text(program(["CSR", "COO"]))
    done = subprocess.run([strata, "compile", "two.ta", "-o", "two"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    require(done.returncode == 0, "strata compile", done)
    done = subprocess.run([work / "two", "-D", "M=3", "-D", "N=3x2"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    require(done.returncode == 0 and done.stdout.startswith("C =\n") and "differs" not in done.stdout,
            "an executable", done)
else:
    launcher = Launcher(*sys.argv[1:])
    # Messages come while cells compute, or before.
    for ranks, overlap in (2, "1"), (4, "1"), (2, "0"):
        run("few.ta", 3, lambda *command, **options: launcher.run(ranks, *command, STRATA_OVERLAP=overlap, **options))
shutil.rmtree(work)
