"""Cells compute statements that read neighbours and reach a part of their result, and fetch what these neighbours have,
and nothing else: rows of vectors and matrices, in loops, with offsets in two labels, of tensors that are elsewhere or
whole, with results that keep what they were or are added to; on fewer cells than rows, as many, and more. Where labels
are no coordinates plus a number (strides, reversal, periodic ones), and results are sparse, every cell gets all, and
the values are the same. In one process; with MPI HEADER in 2 and 3 ranks."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from launch import Launcher, require

strata = os.environ["STRATA"]
work = pathlib.Path(tempfile.mkdtemp())
N, K, ROUNDS = 23, 5, 3
# Everything twice: in pieces (p), and whole (w).
DECLARED = """
Tensor<double> A{s}([n, k], CSR{on});  A{s}[n, k] = where((2 * n + 3 * k) / 4 == 2, n + k, 0);
Tensor<double> x{s}([n], Dense{on});  x{s}[n] = n * n + 1;
Tensor<double> b{s}([n], Dense{on});  b{s}[n] = 3 - n;
Tensor<double> e{s}([n], Dense{other});  e{s}[n] = 2 * n;
Tensor<double> v{s}([n], Dense);  v{s}[n] = n + 5;
Tensor<double> X{s}([n, k], Dense{on});  X{s}[n, k] = n * k - n;
Tensor<double> C{s}([n, k], {columns}{on});  C{s}[n, k] = n + k;
Tensor<double> y{s}([n], Dense{on});
Tensor<double> z{s}([n], Dense{on});  z{s}[n] = 7 * n;
Tensor<double> a{s}([n], Dense{on});
Tensor<double> u{s}([n], Dense{other});
Tensor<double> d{s}([n], Dense{on});  d{s}[n] = 1;
Tensor<double> r{s}([n], Dense{on});
Tensor<double> m{s}([n], Dense{on});
Tensor<double> h{s}([n], Dense{on});
Tensor<double> q{s}([n], SparseVector{on});
Tensor<double> Y{s}([n, k], Dense{on});  Y{s}[n, k] = n - k;
Tensor<double> D{s}([n, k], {columns}{on});
Tensor<double> B{s}([n, k], Dense{on});
"""
# Those of which cells fetch what they need.
STENCILS = """
y{s}[i] = x{s}[i - 1] - 2 * x{s}[i] + x{s}[i + 1];
z{s}[i] = x{s}[i - 2] + b{s}[i] * x{s}[i + 3];
a{s}[i] = x{s}[i + 4] - b{s}[i];
u{s}[i + 1] = e{s}[i] + v{s}[i + 2];
d{s}[i] += x{s}[i + 1] * z{s}[i - 1];
Y{s}[i, j] = X{s}[i - 1, j] + X{s}[i + 1, j] + X{s}[i, j - 1] + X{s}[i, j + 1] - 4 * X{s}[i, j];
D{s}[i, j] = C{s}[i + 2, j] + X{s}[i - 1, j + 1];
B{s}[i, k] = A{s}[i - 1, k] + A{s}[i, k] * x{s}[i + 1];
"""
# Those for which each has all.
OTHERS = """
r{s}[i] = x{s}[2 * i] + x{s}[i + 1];
m{s}[i] = x{s}[i mod 7] + x{s}[i + 1];
q{s}[i] = x{s}[i + 1];
h{s}[i] = x{s}[i + l] * w[l];
"""
AFTER = """
x{s}[n] = y{s}[n] + z{s}[n] / 2;
X{s}[n, k] = Y{s}[n, k] + D{s}[n, k] / 2;
"""
RESULTS = {**dict.fromkeys("yzaudrmhq", "n"), **dict.fromkeys("YDB", "n, k")}


def lines(text, indent):
    ways = ({"s": "p", "on": " on M(n)", "other": " on L(n)"}, {"s": "w", "on": "", "other": ""})
    return [" " * indent + line.format(columns="{(n, k) -> (k : dense, n : dense)}", **way)
            for way in ways for line in text.split("\n") if line]


def program():
    steps = [*lines(DECLARED, 2), "  Tensor<double> w([l], Dense);  w[l] = l + 1;", f"  for r in range(0, {ROUNDS}) {{",
             *lines(STENCILS + OTHERS + AFTER, 4), "  }"]
    for name, at in RESULTS.items():
        difference = f"({name}p[{at}] - {name}w[{at}])"
        steps += [f"  var d{name} = SUM({difference} * {difference});",
                  f'  if (d{name} != 0) {{ print("{name} differs\\n"); }}',
                  f"  var s{name} = SUM({name}w[{at}] * {name}w[{at}]);",
                  f'  if (s{name} == 0) {{ print("{name} is nothing, which differs\\n"); }}']
    return "\n".join(["Machine M(3);", "Machine L(2);", "def main() {", "  IndexLabel [i, j] = [?];",
                      f"  IndexLabel [n] = [{N}];", f"  IndexLabel [k] = [{K}];", "  IndexLabel [l] = [3];", *steps,
                      "  print(xp);", "}", ""])


# What goes between ranks, of tensors whose sizes only the run knows.
COUNTED = f"""Machine M(3);
def main() {{
  IndexLabel [i, j, n, k] = [?];
  Tensor<double> X([n, k], Dense on M(n));  X[n, k] = read("x.mtx");
  Tensor<double> Y([n, k], Dense on M(n));  Y[n, k] = X[n, k];
  for r in range(0, {ROUNDS}) {{
    Y[i, j] = X[i - 2, j] + X[i + 1, j] + X[i, j + 1];
    X[n, k] = Y[n, k];
  }}
  write(X, FILE);
}}
"""


def alone(*command):
    return subprocess.run([strata, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def check(cells, run, what):
    done = run("run", "p.ta", "-D", f"M={cells}", "--quiet")
    require(done.returncode == 0 and "differs" not in done.stdout and "xp =" in done.stdout, f"{cells} cells, {what}", done)


def needed(cells, owner):
    """Rows that cells need of others' ranks: for their own rows of Y that are computed those from 2 before to 1 behind."""
    share = -(-N // cells)
    rows = set()
    for cell in range(cells):
        own = [row for row in range(min(cell * share, N), min((cell + 1) * share, N)) if 2 <= row < N - 1]
        if own:
            rows |= {(owner(cell), row) for row in range(own[0] - 2, own[-1] + 2) if owner(row // share) != owner(cell)}
    return len(rows)


def steps(done):
    require(done.returncode == 0, "a run", done)
    return json.loads(done.stdout[done.stdout.index("{"):])


def of_fetch(report, done):
    """All rounds' bytes, and how many plans were made: one, since sizes do not change."""
    found = [step for step in report["steps"] if step["what"] == "fetch what cells need of X"]
    require(len(found) == 1 and not any(step["what"].startswith("move X") for step in report["steps"][2:-1]),
            "X is fetched, and does not move in the loop", done)
    return found[0]


def counted(cells, run, ranks):
    file = work / "y.npy"
    file.unlink(missing_ok=True)
    done = run("run", "c.ta", "-D", f"M={cells}", "-D", f"FILE={file}", "--quiet", "--json")
    fetch = of_fetch(steps(done), done)
    require(fetch["plans_made"] == 1, f"one plan on {cells} cells", done)
    if ranks > 1:
        bytes = ROUNDS * 8 * K * needed(cells, lambda cell: cell * ranks // cells)
        require(fetch["bytes_moved"] == bytes, f"{bytes} bytes of {cells} cells in {ranks} ranks", done)
    return file.read_bytes()


def simulated():
    done = alone("explain", "--simulate=2,3,4", "c.ta", "-D", f"FILE={work / 'y.npy'}", "--json", "--quiet")
    require(done.returncode == 0, "a simulation", done)
    for report in json.loads(done.stdout):
        ranks = report["ranks"]
        bytes = ROUNDS * 8 * K * needed(ranks, lambda cell: cell)
        require(of_fetch(report, done)["bytes_moved"] == bytes, f"{bytes} bytes of {ranks} simulated ranks", done)


def told():
    """Who computes is told: what cells fetch, and of what every cell gets all."""
    done = alone("emit", "--stage=ta", "p.ta")
    require(done.returncode == 0 and done.stdout.count("ta.scatter") == 8, "cells compute what has neighbours", done)
    wholes = [line for line in done.stdout.split("\n") if "every cell needs all of it" in line and "note" in line]
    require({line.split("'")[1] for line in wholes} == {"xp"}, "others need all", done)


os.chdir(work)
(work / "x.mtx").write_text("\n".join(["%%MatrixMarket matrix array real general", f"{N} {K}",
                                       *(str(1 + row * row % 7) for row in range(N * K)), ""]))
(work / "p.ta").write_text(program())
(work / "c.ta").write_text(COUNTED)
if len(sys.argv) == 1:
    told()
    for cells in 1, 2, 3, N, N + 4:
        check(cells, alone, "one process")
        counted(cells, alone, 1)
    simulated()
else:
    launcher = Launcher(*sys.argv[1:])
    for ranks in 2, 3:
        def together(*command):
            return launcher.run(ranks, strata, *command, "--deadline=120")[0]

        for cells in ranks, 6, N + 4:
            check(cells, together, f"{ranks} ranks")
            require(counted(cells, together, ranks) == counted(cells, alone, 1), f"bits of {cells} cells in {ranks} ranks",
                    together("ranks"))
os.chdir("/")
shutil.rmtree(work)
