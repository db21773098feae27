"""SpMV and SpMM: Strata's kernels against Eigen's (in strata-bench) and SciPy's (here)."""
import json
import pathlib
import statistics
import subprocess
import time

import numpy
import scipy.io
import scipy.sparse

import kernels
import quiet
from rivals import Rivals

WIDTH = 32
GOAL = 1.1


def worst(rows):
    """The slowest of all CSR SpMV, by the median of its ratios."""
    ours = [row for row in rows if row["product"] == "SpMV" and row["format"] == "CSR"]
    row = max(ours, key=lambda row: row["ratio"], default=None)
    return row and (row["ratio"], row["matrix"])


def against_eigen(run):
    made = ["stencil:20", "random:500000:5"] if run.quick else ["stencil:34", "stencil:64", "random:200000:10",
                                              "random:1000000:5"]
    names = ["matrices/bcsstk15.mtx"] if run.quick else [
        "matrices/bcsstk15.mtx", "matrices/lap2D_5pt_n100.mtx", "matrices/mip_fast0507.mtx",
        "graphs/fb100_Cornell5.mtx", "graphs/wiki-Vote.mtx", "graphs/as-caida20071105.mtx",
        "graphs/p2p-Gnutella31.mtx"]
    file = run.folder / "eigen.json"
    effort = ["--rounds=9", "--seconds=0.1"] if run.quick else ["--rounds=21", "--seconds=1"]
    print("time on the processor per call; ratio: Strata's time by Eigen's, median over rounds",
          flush=True)
    subprocess.run([run.program("strata-bench"), "products", "--threads=1", f"--json={file}", *effort, *made,
                    *run.files(*names)], check=True)
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    for row in rows:
        row.pop("kind")
        run.add("eigen", **row)
    run.goal("CSR SpMV, ratio to Eigen's time", worst(rows), GOAL)


def stencil(points):
    """The same matrix as Strata's `stencil`."""
    line = scipy.sparse.diags([1, 1, 1], [-1, 0, 1], shape=(points, points))
    ones = scipy.sparse.kron(scipy.sparse.kron(line, line), line)
    size = points**3
    return (27 * scipy.sparse.identity(size) - ones).tocsr()


def random(rows, per_row):
    generator = numpy.random.default_rng(1)
    count = rows * per_row
    at = generator.integers(0, rows, (2, count))
    return scipy.sparse.coo_matrix((generator.uniform(-1, 1, count), at), (rows, rows)).tocsr()


def problems(run):
    if run.quick:
        yield "stencil:20", stencil(20)
    else:
        yield "stencil:34", stencil(34)
        yield "stencil:64", stencil(64)
        yield "random:200000:10", random(200000, 10)
    names = ["matrices/bcsstk15.mtx"] if run.quick else [
        "matrices/bcsstk15.mtx", "graphs/fb100_Cornell5.mtx", "graphs/wiki-Vote.mtx",
        "graphs/as-caida20071105.mtx"]
    for file in run.files(*names):
        yield pathlib.Path(file).name, scipy.sparse.csr_matrix(scipy.io.mmread(file), dtype=float)


def per_call(function, calls, clock=time.thread_time):
    begin = clock()
    for _ in range(calls):
        function()
    return (clock() - begin) / calls


def contest(ours, theirs, rounds, seconds):
    """Medians of both times, and median, least and greatest ratio over rounds A B A B."""
    calls = 1
    while per_call(ours, calls) * calls < 2e-3:
        calls *= 2
    times, clock, begin = [], quiet.Clock(), time.thread_time()
    while len(times) < rounds or time.thread_time() - begin < seconds:
        clock.tick()
        times.append((per_call(ours, calls), per_call(theirs, calls)))
    times = clock.kept(times)
    ratios = [a / b for a, b in times]
    a, b = (statistics.median(column) for column in zip(*times))
    return {"seconds": a, "their_seconds": b, "ratio": statistics.median(ratios),
            "lowest": min(ratios), "highest": max(ratios), "rounds": len(times)}


def against_scipy(run):
    library = kernels.build(run)
    Rivals(run).library.rivals_threads(1)  # SciPy has one
    effort = (9, 0.1) if run.quick else (21, 1)
    print("Strata's kernels as an object file, on SciPy's own arrays; ratio: to SciPy's time")
    rows = []
    for name, matrix in problems(run):
        matrix.sum_duplicates()
        print(f"\n{name}: {matrix.shape[0]} x {matrix.shape[1]}, {matrix.nnz} entries")
        print(f"  {'product':9} {'format':6} {'us':>10} {'theirs us':>10} {'ratio':>7}  "
              f"lowest-highest")
        for form, width in ((form, width) for form in kernels.FORMATS for width in (1, WIDTH)):
            theirs = matrix.asformat(form.lower())  # COO in the order of rows
            x = kernels.aligned(numpy.random.default_rng(2).uniform(
                -1, 1, matrix.shape[1] if width == 1 else (matrix.shape[1], width)))
            call = library.product(form, theirs, x)
            bound = 1e-12 * (abs(matrix) @ abs(x))
            call.run()
            if not (abs(call.values(0).reshape(bound.shape) - theirs @ x) <= bound).all():
                raise SystemExit(f"{name} in {form}: the result differs from SciPy's")
            row = {"matrix": name, "product": "SpMV" if width == 1 else f"SpMM {width}",
                   "format": form, "against": f"SciPy {form}",
                   **contest(call.run, lambda: theirs @ x, *effort)}
            print(f"  {row['product']:9} {form:6} {row['seconds'] * 1e6:10.1f} "
                  f"{row['their_seconds'] * 1e6:10.1f} {row['ratio']:7.3f} "
                  f"{row['lowest']:7.3f}-{row['highest']:.3f}", flush=True)
            rows.append(row)
            run.add("scipy", **row)
    run.goal("CSR SpMV, ratio to SciPy's time", worst(rows), GOAL)
