"""What cells need of neighbours is written around the pieces that they have, and these are not copied: in loops in
which operands change, have several readers with different needs, and are updated, in every order of dimensions and in
small elements. Values and bits are those of pieces that are copied; in one process, and, with MPI HEADER, in 2 and 3
ranks."""
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
ROWS, ROUNDS = 61, 4
# Everything twice: in pieces (p), and whole (w).
DECLARED = """
Tensor<double> A{s}([i, j], CSR{on});  A{s}[i, j] = read("near.mtx");
Tensor<double> B{s}([i, j], CSR{on});  B{s}[i, j] = read("far.mtx");
Tensor<double> x{s}([i], Dense{on});  x{s}[i] = i + 1;
Tensor<double> v{s}([i], Dense{on});
Tensor<double> y{s}([i], Dense{on});
Tensor<double> z{s}([i], Dense{on});
Tensor<float> f{s}([i], Dense{on});  f{s}[i] = i - 7;
Tensor<float> g{s}([i], Dense{on});
Tensor<double> X{s}([i, k], Dense{on});  X{s}[i, k] = i + 2 * k;
Tensor<double> Y{s}([i, k], Dense{on});
Tensor<double> U{s}([i, k], {columns}{on});  U{s}[i, k] = i - k;
Tensor<double> V{s}([i, k], {columns}{on});
"""
STATEMENTS = """
v{s}[i] = x{s}[i];
y{s}[i] = A{s}[i, j] * x{s}[j];
z{s}[i] = B{s}[i, j] * x{s}[j] + y{s}[i];
x{s}[i] = y{s}[i] / 8 - z{s}[i] / 4;
x{s}[i] += z{s}[i] / 16;
v{s}[i] = A{s}[i, j] * x{s}[j] - B{s}[i, l] * x{s}[l];
x{s}[i] = v{s}[i] / 16;
v{s}[i] = x{s}[i] + i;
y{s}[i] = A{s}[i, j] * v{s}[j] + B{s}[i, j] * x{s}[j];
x{s}[i] = y{s}[i] / 4;
g{s}[i] = A{s}[i, j] * f{s}[j];
f{s}[i] = g{s}[i] / 4;
Y{s}[i, k] = A{s}[i, j] * X{s}[j, k];
X{s}[i, k] = Y{s}[i, k] / 4 + B{s}[i, j] * Y{s}[j, k];
V{s}[i, k] = B{s}[i, j] * U{s}[j, k];
U{s}[i, k] = V{s}[i, k] / 4;
"""
COLUMNS = "{(i, k) -> (k : dense, i : dense)}"
NAMES = {"x": "i", "v": "i", "y": "i", "z": "i", "f": "i", "X": "i, k", "U": "i, k"}


def lines(text, indent):
    forms = dict(columns=COLUMNS), ("p", " on M(i)"), ("w", "")
    return [" " * indent + line.format(s=s, on=on, **forms[0]) for s, on in forms[1:] for line in text.split("\n") if line]


def program():
    """Values are exact: integers, divided by powers of 2."""
    steps = lines(DECLARED, 2) + [f"  for r in range(0, {ROUNDS}) {{", *lines(STATEMENTS, 4), "  }"]
    for name, at in NAMES.items():
        difference = f"({name}p[{at}] - {name}w[{at}])"
        steps += [f"  var d{name} = SUM({difference} * {difference});",
                  f'  if (d{name} != 0) {{ print("{name} differs\\n"); }}']
    return "\n".join(["Machine M(3);", "def main() {", f"  IndexLabel [i, j, l] = [{ROWS}];", "  IndexLabel [k] = [3];",
                      *steps, "  print(xp);", "  print(Xp);", "}", ""])


# Sums of these are rounded: their bits tell in which order terms were added.
ROUNDED = f"""Machine M(3);
def main() {{
  IndexLabel [i, j] = [{ROWS}];
  Tensor<double> A([i, j], CSR on M(i));  A[i, j] = read("near.mtx");
  Tensor<double> x([i], Dense on M(i));  x[i] = 1 / (i + 3);
  Tensor<double> y([i], Dense on M(i));
  for r in range(0, 9) {{
    y[i] = A[i, j] * x[j] / 7;
    x[i] = y[i] / 3;
  }}
  write(x, FILE);
  print(x);
}}
"""


# Vectors that were copied have room, too: by cells, from where they are whole, and from other cells, whose halves the
# fetch is from. What is moved has it one round later, as one move may be the only one.
COPIED = {"on M(i)": (None, 2), "": (None, 3), "on N(i)": (2, 2)}


def copying(home):
    return ROUNDED.replace("def main", "Machine N(2);\ndef main").replace(
        "Tensor<double> y([i], Dense on M(i));", f"Tensor<double> y([i], Dense {home});").replace(
        "x[j] / 7", "x[j] / 21").replace("y[i] / 3", "y[i]")


def band(name, offsets, needed=lambda column: True):
    """A band, of which rows need some columns besides their own."""
    entries = [(i, i + offset) for i in range(ROWS) for offset in offsets
               if 0 <= i + offset < ROWS and (offset == 0 or needed(i + offset))]
    text = [f"{i + 1} {j + 1} {1 + (3 * i + 5 * j) % 7}" for i, j in entries]
    head = ["%%MatrixMarket matrix coordinate real general", f"{ROWS} {ROWS} {len(text)}"]
    (work / name).write_text("\n".join([*head, *text, ""]))


def alone(*command):
    return subprocess.run([strata, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def check(cells, run, what):
    done = run("run", "p.ta", "-D", f"M={cells}", "--quiet")
    require(done.returncode == 0 and "differs" not in done.stdout and "xp =" in done.stdout, f"{cells} cells, {what}", done)


def bits(cells, run):
    file = work / "x.npy"
    file.unlink(missing_ok=True)
    done = run("run", "r.ta", "-D", f"M={cells}", "-D", f"FILE={file}", "--quiet")
    require(done.returncode == 0, f"{cells} cells", done)
    return file.read_bytes(), done


def share(cell, cells):
    size = -(-ROWS // cells)
    return min(cell * size, ROWS), min((cell + 1) * size, ROWS)


def steps(run, program, cells):
    done = run("run", program, "-D", f"M={cells}", "-D", f"FILE={work / 'x.npy'}", "--quiet", "--json")
    return json.loads(done.stdout[done.stdout.index("{"):])["steps"], done


def copied(run, cells, own, program="r.ta", first=2):
    """Rows that the cells of rank 0 get, in a round: all of what they need in the first ones, where a piece has no
    room, then those of others. A piece has room from the third round on: the first is of what was there, the second
    asks for it."""
    found, done = steps(run, program, cells)
    step = [step for step in found if "bytes_copied" in step]
    needed = others = 0
    for cell in own:
        lo, hi = share(cell, cells)
        here = min(hi + 2, ROWS) - max(lo - 2, 0)
        if here > hi - lo:  # else it has no neighbours
            needed, others = needed + here, others + here - (hi - lo)
    require(len(step) == 1 and step[0]["bytes_copied"] == 8 * (first * needed + (9 - first) * others),
            f"{program}: bytes copied on {cells} cells", done)


def held(cells):
    """A piece and what is around it are what its kernel holds: a mark, and both sides, in lines of 64 bytes."""
    found, done = steps(alone, "r.ta", cells)
    step = [step for step in found if step["what"] == "x[i] = y[i] / 3"]
    lo, hi = share(1, cells)
    require(len(step) == 1 and hi - lo == share(0, cells)[1] and step[0]["bytes_held"] == 8 * (hi - lo) + 3 * 64,
            f"bytes held on {cells} cells", done)
    require(step[0]["bytes_estimated"] == step[0]["bytes_held"], f"bytes estimated on {cells} cells", done)


os.chdir(work)
band("near.mtx", range(-2, 3))
band("far.mtx", (-9, -4, 0, 1, 6), lambda column: column % 3 != 1)
(work / "p.ta").write_text(program())
(work / "r.ta").write_text(ROUNDED)
if len(sys.argv) == 1:
    for cells in 1, 2, 3, 5, ROWS, ROWS + 3:
        check(cells, alone, "one process")
    for cells in 1, 2, 4:
        copied(alone, cells, range(cells))
        for home, (others, first) in COPIED.items():
            (work / "c.ta").write_text(copying(home))
            copied(alone, others or cells, range(others or cells), "c.ta", first)
    held(4)
else:
    launcher = Launcher(*sys.argv[1:])
    for ranks in 2, 3:
        def together(*command):
            return launcher.run(ranks, strata, *command, "--deadline=120")[0]

        for cells in 3, 6:
            check(cells, together, f"{ranks} ranks")
            (found, done), (expected, _) = bits(cells, together), bits(cells, alone)
            require(found == expected, f"bits of {cells} cells in {ranks} ranks", done)
        copied(together, 6, range(6 // ranks))
os.chdir("/")
shutil.rmtree(work)
