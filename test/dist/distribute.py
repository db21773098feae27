"""Cells compute parts of statements with operands and results in every format, and get what one
process gets: on 1 to 5 cells of one process, and, with MPI HEADER, in 2 and 4 ranks, which send each
other what they need, and nothing else."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from launch import Launcher, require
from matrices import COLUMNS, ROWS, SEVERAL, SINGLE, matrix

strata = os.environ["STRATA"]
work = pathlib.Path(tempfile.mkdtemp())
BY_ROWS = "schedule { divide(i, io, ii, M.x); distribute(io); }"
BY_COLUMNS = "schedule { divide(j, jo, ji, M.x); distribute(jo); }"
BY_ENTRIES = "schedule { fuse(i, j, f); pos(f, p, OPERAND); divide(p, po, pi, M.x); distribute(po); }"
TILES = "schedule { divide(i, io, ii, N.x); divide(j, jo, ji, N.y); distribute({io, jo}); }"
# Which of these are about operands that store everything, or whose entries cannot be counted off.
FULL = ["Dense"]
# The result that is expected, the declaration of another, and how cells compute that. The values
# are small integers, whose sums are the same in any order.
STATEMENTS = [
    ("y[i]", "R([i], Dense on M(i))", "A[i, j] * x[j]", BY_ROWS),
    ("z[j]", "R([j], Dense)", "A[i, j] * w[i]", BY_COLUMNS),
    ("B[i, j]", "R([i, j], FORMAT on M(j))", "2 * A[i, j]", BY_ROWS),
    ("C[i, j]", "R([i, j], FORMAT on M((i, j)))", "A[i, j] + T[i, j] * x[j]", BY_COLUMNS),
    ("D[i, j]", "R([i, j], Dense on N(i, j))", "w[i] * A[i, j] + 3 * x[j]", TILES),
    # What cells need of X, of S, which is sparse, and of v, which is in one place.
    ("E[i, k]", "R([i, k], Dense on M(i))", "A[i, j] * X[j, k] * v[j]", BY_ROWS),
    ("F[i, k]", "R([i, k], CSR on M(i))", "A[i, j] * S[j, k]", BY_ROWS),
    # The result has the entries of A, which stay where they are.
    ("H[i, j]", "R([i, j], FORMAT on M(i))", "A[i, j] * w[i] * x[j]", BY_ROWS),
    ("H[i, j]", "R([i, j], CSR on M(j))", "A[i, j] * w[i] * x[j]", BY_COLUMNS),
    # Parts of sums, which are added up: of a sum that is all there is, of one in a product; of tiles.
    ("y[i]", "R([i], Dense on M(i))", "A[i, j] * x[j]", BY_COLUMNS),
    ("g[i]", "R([i], Dense on M(i))", "w[i] + 2 * A[i, j] * x[j]", BY_COLUMNS),
    ("y[i]", "R([i], Dense)", "A[i, j] * x[j]", TILES),
    # Parts of the entries: of the whole sum, of sums in each direction, of what is not summed.
    ("y[i]", "R([i], Dense on M(i))", "A[i, j] * x[j]", BY_ENTRIES),
    ("z[j]", "R([j], Dense)", "A[i, j] * w[i]", BY_ENTRIES),
    ("g[i]", "R([i], Dense on M(i))", "w[i] + 2 * A[i, j] * x[j]", BY_ENTRIES),
    ("H[i, j]", "R([i, j], FORMAT on M(~(i, j)))", "A[i, j] * w[i] * x[j]", BY_ENTRIES),
    ("F[i, k]", "R([i, k], CSR on M(i))", "A[i, j] * S[j, k]", BY_ENTRIES),
    # Neighbours, of entries and of places.
    ("G[i, j]", "R([i, j], FORMAT on M(i))", "A[~(i - 1), j] + 2 * A[i, j]", ""),
    ("h[i]", "R([i], Dense on M(i))", "w[~(i + 2)] + A[i, j] * x[j] - w[~(i - 3)]", BY_ROWS),
    # As the result is placed, or the operand.
    ("y[i]", "R([i], Dense on M(i))", "A[i, j] * x[j]", ""),
    ("y[i]", "R([i], Dense on M(*))", "A[i, j] * x[j]", ""),
    ("z[j]", "R([j], Dense on M(j))", "A[i, j] * w[i]", ""),
]
# As A is placed by its entries.
FOLLOWING = [
    ("y[i]", "R([i], Dense on M(*))", "A[i, j] * x[j]", ""),
    ("E[i, k]", "R([i, k], Dense)", "A[i, j] * X[j, k] * v[j]", ""),
    ("H[i, j]", "R([i, j], FORMAT on M(~(i, j)))", "A[i, j] * w[i] * x[j]", ""),
]


def check(declared, steps, format, placed, statements):
    """Compares statements of an operand in this format, placed so, with what they give without."""
    operand = f"A{len(declared)}"
    declared.append(f"  Tensor<double> {operand}([i, j], {placed});")
    steps.append(f"  {operand}[i, j] = T[i, j];")
    for left, result, right, schedule in statements:
        if "FORMAT" in result and format == "NM:4x4":
            continue  # which not all results fit
        name = f"R{len(declared)}"
        result = result.replace("R(", name + "(")
        # Of what is stored in several parts, entries cannot be counted off.
        stored = "COO" if format in SEVERAL and "~" in result else format
        declared.append(f"  Tensor<double> {result.replace('FORMAT', stored)};")
        place, schedule = left[1:], schedule.replace("OPERAND", operand)
        steps += [f"  {name}{place} = {right.replace('A[', operand + '[')} {schedule};",
                  f"  var d{name} = SUM(({left} - {name}{place}) * ({left} - {name}{place}));",
                  f'  if (d{name} != 0) {{ print("{name} in {format} differs\\n"); }}']
    steps += [f"  var s{operand} = SUM({operand}[i, j] * {operand}[i, j]);",
              f'  if (s{operand} != squares) {{ print("a sum in {placed} differs\\n"); }}']


def program():
    declared = ["  IndexLabel [i, j, k] = [?];", "  Tensor<double> T([i, j], CSR);",
                "  Tensor<double> S([j, k], CSR on M(j));", "  Tensor<double> X([j, k], Dense on N(*, j));",
                "  Tensor<double> v([j], Dense on M(0));",
                "  Tensor<double> x([j], Dense on M(j));", "  Tensor<double> w([i], Dense on N(*, i));",
                "  Tensor<double> z([j], Dense);", "  Tensor<double> y([i], Dense);"]
    declared += [f"  Tensor<double> {name}([i, j], CSR);" for name in "BCGH"]
    declared += ["  Tensor<double> g([i], Dense);", "  Tensor<double> h([i], Dense);", "  Tensor<double> D([i, j], Dense);", "  Tensor<double> E([i, k], Dense);",
                 "  Tensor<double> F([i, k], CSR);"]
    steps = ['  T[i, j] = read("m.mtx");', '  S[j, k] = read("s.mtx");', "  x[j] = j + 1;",
             "  w[i] = 2 * i - 3;", "  v[j] = 3 - j;", "  X[j, k] = S[j, k] + j - k;"]
    steps += [f"  {left} = {right.replace('A[', 'T[')};" for left, _, right, _ in STATEMENTS]
    steps.append("  var squares = SUM(T[i, j] * T[i, j]);")
    for format in SINGLE + SEVERAL:
        rows, entries = f"{format} on M(i)", f"{format} on M(~(i, j))"
        check(declared, steps, format, rows,
              [one for one in STATEMENTS if one[3] != BY_ENTRIES or format not in FULL])
        if format not in FULL + SEVERAL:
            check(declared, steps, format, entries, FOLLOWING)
    return "\n".join(["Machine M(3);", "Machine N(?, ?);", "def main() {", *declared, *steps, "  print(B);",
                      "}", ""])


(work / "m.mtx").write_text(matrix())
(work / "s.mtx").write_text(matrix(COLUMNS, 7))
(work / "p.ta").write_text(program())


def run(cells, launch=None):
    command = [strata, "run", "p.ta", "-D", f"M={cells}", "--quiet"]
    if launch:
        done, _ = launch(*command, "--deadline=120")
    else:
        command += ["-D", f"N={cells}x2"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    require(done.returncode == 0 and "differs" not in done.stdout
            and done.stdout.startswith("B =\n"), f"{cells} cells", done)


def rows_elsewhere(ranks):
    """Of parts of equally many entries of m.mtx, how many rows lie with another rank, of ranks that have a
    cell each; and how many pairs of ranks that are."""
    entries = sorted(int(line.split()[0]) - 1 for line in matrix().splitlines()[2:])
    share = -(-ROWS // ranks)
    rows = {(row, ((number + 1) * ranks - 1) // len(entries)) for number, row in enumerate(entries)}
    elsewhere = [(row // share, rank) for row, rank in rows if row // share != rank]
    return len(elsewhere), len(set(elsewhere))


def check_rounds(launcher, ranks):
    """Each round, rows of a product go to the cells that have them, 8 bytes each; in the first one their
    coordinates, and a number for each pair of cells that has some."""
    (work / "r.ta").write_text(f"""Machine M(?);
def main() {{
  IndexLabel [i] = [{ROWS}];
  IndexLabel [j] = [{COLUMNS}];
  Tensor<double> A([i, j], CSR on M(~(i, j)));  A[i, j] = read("m.mtx");
  Tensor<double> x([j], Dense);  x[j] = 1.0;
  Tensor<double> y([i], Dense on M(i));
  Tensor<double> z([i], Dense on M(i));  z[i] = 0.0;
  for r in range(0, 5) {{
    y[i] = A[i, j] * x[j];
    z[i] += y[i];
  }}
  print(z);
}}
""")
    done, _ = launcher.run(ranks, strata, "run", "r.ta", "--time", "--quiet")
    rows, pairs = rows_elsewhere(ranks)
    found = re.search(r"bring y_parts to its coordinates: (\d+) bytes between ranks.*\n"
                      r"bring y_parts to its coordinates: 1 plan, kept in 4 more rounds", done.stdout)
    require(found and int(found[1]) == 8 * (5 * rows + rows + pairs),
            f"the bytes of {rows} rows in {ranks} ranks", done)


def check_many_cells():
    """What cells add up has no place for each pair of cells, of which there are 16 million."""
    (work / "c.ta").write_text(f"""Machine M(4000);
def main() {{
  IndexLabel [i] = [{ROWS}];
  IndexLabel [j] = [{COLUMNS}];
  Tensor<double> A([i, j], CSR on M(~(i, j)));  A[i, j] = read("m.mtx");
  Tensor<double> W([i, j], CSR);  W[i, j] = read("m.mtx");
  Tensor<double> x([j], Dense);  x[j] = j + 1;
  Tensor<double> y([i], Dense on M(i));  y[i] = A[i, j] * x[j];
  Tensor<double> z([i], Dense);  z[i] = W[i, j] * x[j];
  var d = SUM((y[i] - z[i]) * (y[i] - z[i]));
  print(d);
}}
""")
    done = subprocess.run([strata, "run", "c.ta", "--max-memory=32M", "--quiet"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    require(done.returncode == 0 and re.search(r"d = 0$", done.stdout, re.M), "4000 cells", done)


def check_sampled(launcher, ranks):
    """A result that has the entries of an operand has each of them where that is: nothing is sent."""
    (work / "s.ta").write_text("""Machine M(5);
def main() {
  IndexLabel [i, j] = [?];
  IndexLabel [k] = [3];
  Tensor<double> B([i, j], CSR on M(~(i, j)));  B[i, j] = read("m.mtx");
  Tensor<double> C([i, k], Dense);  C[i, k] = i + k;
  Tensor<double> D([j, k], Dense);  D[j, k] = j - k;
  Tensor<double> A([i, j], CSR on M(~(i, j)));
  A[i, j] = B[i, j] * C[i, k] * D[j, k];
  var s = SUM(A[i, j] * A[i, j]);
  print(s);
}
""")
    done, _ = launcher.run(ranks, strata, "run", "s.ta", "--time", "--quiet")
    sent = [line for line in done.stdout.splitlines() if "bytes between ranks" in line]
    require(done.returncode == 0 and len(sent) == 1 and sent[0].startswith("s: move s_parts"),
            f"what {ranks} ranks send", done)


os.chdir(work)
if len(sys.argv) == 1:
    for cells in range(1, 6):
        run(cells)
    check_many_cells()
else:
    launcher = Launcher(*sys.argv[1:])
    for ranks in 2, 4:
        run(5, lambda *command: launcher.run(ranks, *command))
    # A matrix of a mesh with 24 nodes in a row: a round sends a row to each neighbour, of 8 bytes a node.
    examples = pathlib.Path(os.environ["STRATA_SOURCE"]) / "examples"
    for ranks in 2, 4:
        done, _ = launcher.run(ranks, strata, "run", examples / "cg-ranks.ta", "-D",
                               f"file={examples}/data/matrix.mtx", "--time", "--quiet")
        found = re.search(r"fetch what cells need of p: (\d+) bytes between ranks.*\n"
                          r"fetch what cells need of p: 1 plan, kept in (\d+) more rounds", done.stdout)
        require(found and int(found[1]) == (int(found[2]) + 1) * (ranks - 1) * 2 * 24 * 8,
                f"the bytes of {ranks} ranks", done)
        check_rounds(launcher, ranks)
        check_sampled(launcher, ranks)
os.chdir("/")
shutil.rmtree(work)
