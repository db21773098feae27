"""How kernels would scale to many ranks, by `strata explain --simulate`: one problem on more and more of them, each
kernel by rows and, where that can be, by entries; and how far off that is on two ranks of this machine."""

import json
import os
import shutil
import subprocess

ROUNDS = 5
LIMIT_OFF = 0.25  # of the time that two ranks take
RMAT = (0.57, 0.19, 0.19, 0.05)


# ---- Problems ----


def rmat(path, scale, degree):
    """A graph of Graph500's kind, its nodes in random order."""
    import numpy

    random = numpy.random.default_rng(5)
    n, edges = 1 << scale, degree << scale
    i, j = numpy.zeros(edges, "int64"), numpy.zeros(edges, "int64")
    a, b, c, _ = RMAT
    for _ in range(scale):
        u = random.random(edges)
        i = 2 * i + (u >= a + b)
        j = 2 * j + (((u >= a) & (u < a + b)) | (u >= a + b + c))
    order = random.permutation(n)
    write(path, numpy.unique(order[i] * n + order[j]), (n, n))


def band(path, rows, half):
    import numpy

    i = numpy.repeat(numpy.arange(rows), 2 * half + 1)
    j = i + numpy.tile(numpy.arange(-half, half + 1), rows)
    inside = (j >= 0) & (j < rows)
    write(path, i[inside] * rows + j[inside], (rows, rows))


def skewed_tensor(path, sizes, entries):
    """Few slices have most of the entries."""
    import numpy

    random = numpy.random.default_rng(7)
    places = numpy.zeros(entries, "int64")
    for size in sizes:
        places = places * size + (size * random.random(entries) ** 3).astype("int64")
    write(path, numpy.unique(places), sizes)


def write(path, places, sizes):
    import numpy

    columns = []
    for size in reversed(sizes):
        columns.insert(0, places % size + 1)
        places = places // size
    columns.append(numpy.ones(len(places), "int64"))
    with open(path, "wb") as file:
        if len(sizes) == 2:
            file.write(b"%%MatrixMarket matrix coordinate real general\n")
            file.write(f"{sizes[0]} {sizes[1]} {len(places)}\n".encode())
        numpy.savetxt(file, numpy.stack(columns, 1), fmt="%d")


# ---- Kernels ----

ROWS, MATRIX = "M(i)", "  Tensor<double> A([i, j], CSR on {});\n  A[i, j] = read(matrix);\n"
TENSOR = "  Tensor<double> T([i, j, k], CSF on {});\n  T[i, j, k] = read(tensor);\n"
KERNELS = {
    "SpMV": (MATRIX, "M(~(i, j))", "  Tensor<double> x([j], Dense on M(j));\n  x[j] = j;\n"
             "  Tensor<double> y([i], Dense on M(i));\n", "x[j] += 1; y[i] = A[i, j] * x[j]"),
    "SpMM": (MATRIX, "M(~(i, j))", "  Tensor<double> X([j, l], Dense on M(j));\n  X[j, l] = j + l;\n"
             "  Tensor<double> Y([i, l], Dense on M(i));\n", "X[j, l] += 1; Y[i, l] = A[i, j] * X[j, l]"),
    "SpAdd3": (MATRIX, None, "  Tensor<double> B([i, j], CSR on M(i));\n  B[i, j] = 2 * A[i, j];\n"
               "  Tensor<double> C([i, j], CSR on M(i));\n", "C[i, j] = A[i, j] + B[i, j] + A[i, j]"),
    "SDDMM": (MATRIX, "M(~(i, j))", "  Tensor<double> U([i, l], Dense on M(i));\n  U[i, l] = i + l;\n"
              "  Tensor<double> V([j, l], Dense on M(j));\n  V[j, l] = j - l;\n"
              "  Tensor<double> C([i, j], CSR on {});\n", "V[j, l] += 1; C[i, j] = A[i, j] * U[i, l] * V[j, l]"),
    "SpTTV": (TENSOR, "M(~(i, j, k))", "  Tensor<double> x([k], Dense on M(k));\n  x[k] = k;\n"
              "  Tensor<double> C([i, j], DCSR on M(i));\n", "x[k] += 1; C[i, j] = T[i, j, k] * x[k]"),
    "SpMTTKRP": (TENSOR, "M(~(i, j, k))", "  Tensor<double> U([j, l], Dense on M(j));\n  U[j, l] = j + l;\n"
                 "  Tensor<double> V([k, l], Dense on M(k));\n  V[k, l] = k - l;\n"
                 "  Tensor<double> Y([i, l], Dense on M(i));\n", "U[j, l] += 1; V[k, l] += 1; Y[i, l] = T[i, j, k] * U[j, l] * V[k, l]"),
}


PARTS = ("accuracy", *KERNELS)


def program(operand, placement, others, statement):
    labels = "  IndexLabel [i, j, k] = [?];\n  IndexLabel [l] = [16];\n"
    return ("Machine M(?);\ndef main() {\n" + labels + operand.format(placement) + others.replace("{}", placement) +
            f"  for r in range(0, {ROUNDS}) {{\n    {statement};\n  }}\n}}\n")  # whose operands change


def each_round(simulation):
    """Seconds of computing and of messages, and bytes, of the steps that every round has."""
    steps = [step for step in simulation["steps"] if step["rounds"] == ROUNDS]
    return [sum(step[name] for step in steps) / ROUNDS
            for name in ("compute_seconds", "network_seconds", "bytes_moved")]


def measured_round(report):
    """Seconds of the same steps in a run, as rank 0 sees them."""
    seconds = 0
    for step in report["steps"]:
        if len(step.get("runs", [])) == ROUNDS or step.get("moves") == ROUNDS:
            seconds += sum(step["seconds"][part] for part in ("read", "sort", "pack", "run"))
    return seconds / ROUNDS


# ---- Sections ----


def problems(run):
    """Files, and the programs of each kernel with the way in which it is cut."""
    scale, rows = (10, 4000) if run.quick else (17, 400000)
    files = {name: str(run.folder / name) for name in ("graph.mtx", "band.mtx", "tensor.tns")}
    rmat(files["graph.mtx"], scale, 16)
    band(files["band.mtx"], rows, 5)
    skewed_tensor(files["tensor.tns"], [1 << (scale - 2), 1 << (scale - 3), 1 << (scale - 1)], 4 << scale)
    for name, (operand, by_entries, others, statement) in KERNELS.items():
        if run.part in KERNELS and run.part != name:
            continue
        for problem in ["tensor.tns"] if operand is TENSOR else ["band.mtx", "graph.mtx"]:
            for cut, placement in (("rows", ROWS), ("entries", by_entries)):
                if placement:
                    yield name, files[problem], cut, program(operand, placement, others, statement)


def measured(run):
    if run.part in (None, "", "accuracy"):
        accuracy(run)
    if run.part == "accuracy":
        return
    ranks = "1,4,16" if run.quick else "1,4,16,64,256,1024"
    print(f"{'problem':8} {'kernel':9} {'cut by':8} {'ranks':>6} {'compute ms':>11} {'network ms':>11} {'bytes':>12} {'speed-up':>9}")
    for name, file, cut, text in problems(run):
        scale_kernel(run, name, file, cut, ranks, text)


def simulate(run, ranks, file, text, *options):
    (run.folder / "scale.ta").write_text(text)
    given = ["-D", f"{'tensor' if file.endswith('tns') else 'matrix'}={file}", "--json", "--quiet"]
    command = [run.program("strata"), "explain", f"--simulate={ranks}", str(run.folder / "scale.ta"), *given, *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}\n{text}")
    return json.loads(done.stdout)


def accuracy(run):
    """Two ranks of this machine against their simulation."""
    launcher = shutil.which("mpirun.mpich")
    if not launcher:
        print("skipped: no launcher of MPICH")
        return
    environment = dict(os.environ, STRATA_NUM_THREADS="1")
    network = str(run.folder / "network.json")

    def launch(*command):
        return subprocess.run([launcher, "-n", "2", run.program("strata"), *command], env=environment, check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    launch("ranks", f"--measure={network}")
    print(f"{'problem':8} {'kernel':9} {'cut by':8} {'two ranks ms':>13} {'simulated':>10} {'ratio':>6}")
    worst = None
    for name, file, cut, text in problems(run):
        compute, messages, _ = each_round(simulate(run, 2, file, text, f"--network={network}")[0])
        given = ["-D", f"{'tensor' if file.endswith('tns') else 'matrix'}={file}", "--json", "--quiet"]
        least = min(measured_round(json.loads(launch("run", str(run.folder / "scale.ta"), *given))) for _ in range(3))
        ratio, problem = (compute + messages) / least, os.path.basename(file).split(".")[0]
        print(f"{problem:8} {name:9} {cut:8} {1e3 * least:13.3f} {1e3 * (compute + messages):10.3f} {ratio:6.2f}", flush=True)
        run.add("scale", problem=problem, kernel=name, cut=cut, measured=least, simulated=compute + messages, ratio=ratio)
        off = max(ratio, 1 / ratio) - 1
        worst = max(worst or (0, ""), (off, f"{name} by {cut}, {problem}"))
    run.goal("simulated time of two ranks, off by", worst, LIMIT_OFF)


def scale_kernel(run, name, file, cut, ranks, text):
    first, problem = None, os.path.basename(file).split(".")[0]
    for simulation in simulate(run, ranks, file, text):
        compute, network, bytes_moved = each_round(simulation)
        first = first or compute + network
        faster = first / (compute + network)
        print(f"{problem:8} {name:9} {cut:8} {simulation['ranks']:6} {1e3 * compute:11.3f} {1e3 * network:11.3f} "
              f"{bytes_moved:12.0f} {faster:9.1f}", flush=True)
        run.add("scale", problem=problem, kernel=name, cut=cut, ranks=simulation["ranks"], compute=compute,
                network=network, bytes=bytes_moved, speedup=faster)
