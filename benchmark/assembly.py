"""Sparse results, assembled: products and sums of sparse matrices, and triangle counting by masked
products, against SciPy, Eigen, SuiteSparse:GraphBLAS and MKL.

Like for like: each contestant allocates its result, assembles it and gives it back; rows are sorted
on both sides, or on neither.
"""
import ctypes
import math
import pathlib
import random
import time

import numpy
import scipy.io
import scipy.sparse

import kernels
import mkl
import products
import quiet
from rivals import Rivals, Summary

PROGRAM = """def main() {
  IndexLabel [i, j, k] = [?];
  Tensor<double> A([i, j], {CSR, pos = 32, crd = 32});
  Tensor<double> B([j, k], {CSR, pos = 32, crd = 32});
  Tensor<double> T([k, j], {CSR, pos = 32, crd = 32});
  Tensor<double> sorted([i, k], {CSR, pos = 32, crd = 32});
  Tensor<double> loose([i, k], {(i, k) -> (i : dense, k : compressed(unordered)), pos = 32, crd = 32});
  Tensor<double> U([i, j], {CSR, pos = 32, crd = 32});
  Tensor<double> V([i, j], {CSR, pos = 32, crd = 32});
  Tensor<double> pair([i, j], {CSR, pos = 32, crd = 32});
  Tensor<double> triple([i, j], {CSR, pos = 32, crd = 32});
  Tensor<double> L([i, k], {CSR, pos = 32, crd = 32});
  Tensor<double> counts([i, k], {CSR, pos = 32, crd = 32});
  A[i, j] = read("A.mtx");
  B[j, k] = read("A.mtx");
  U[i, j] = read("A.mtx");
  V[i, j] = read("A.mtx");
  L[i, k] = read("A.mtx");
  sorted[i, k] = A[i, j] * B[j, k];
  loose[i, k] = A[i, j] * B[j, k];
  T[k, j] = B[j, k];
  pair[i, j] = A[i, j] + U[i, j];
  triple[i, j] = A[i, j] + U[i, j] + V[i, j];
  counts[i, k]<L, structural, replace> = A[i, j] @(+,pair) B[j, k];
}
"""
THREADS = (1, 2)
# Products of more terms than that take too long, again and again: of these matrices only the rest.
MOST_TERMS = 1e8


class Matrices:
    """A matrix with its companions, and Strata's kernels on them."""

    def __init__(self, library, matrix):
        self.library = library
        self.matrices = [canonical(matrix)]
        self.matrices += [canonical(other) for other in companions(self.matrices[0])]

    def storage(self, which=0):
        one = self.matrices[which]
        return kernels.storage(one.shape, [one.indptr, one.indices, one.data])

    def kernel(self, name, operands, order=3):
        size = self.matrices[0].shape[0]
        result = kernels.storage((size, size), [numpy.empty(0, numpy.int32),
                                                numpy.empty(0, numpy.int32), numpy.empty(0)])
        return self.library.call(name, result, operands, (size,) * order)


class Problem(Matrices):
    """The same with the rivals."""

    def __init__(self, library, rivals, intel, name, matrix):
        super().__init__(library, matrix)
        self.name, self.rivals, self.mkl = name, rivals, intel
        self.intel = [intel.matrix(one) for one in self.matrices] if intel else []
        self.theirs = [rivals.matrix(one) for one in self.matrices]

    def drop(self):
        for one in self.theirs:
            self.rivals.library.rivals_drop(one)


def canonical(matrix):
    matrix = scipy.sparse.csr_matrix(matrix, dtype=float)
    matrix.sum_duplicates()
    matrix.sort_indices()
    return matrix


def companions(matrix):
    """Two more matrices with about as many entries, of which some are at the same places."""
    yield scipy.sparse.csr_matrix(matrix.T)
    rolled = matrix.copy()
    rolled.indices = (rolled.indices + 1) % matrix.shape[1]
    rolled.has_sorted_indices = False
    yield rolled


def lower_triangle(matrix):
    """Of the graph with an edge wherever the matrix has an entry."""
    ones = numpy.ones(matrix.nnz)
    pattern = scipy.sparse.csr_matrix((ones, matrix.indices, matrix.indptr), matrix.shape)
    lower = canonical(scipy.sparse.tril(pattern + pattern.T, -1))
    lower.data[:] = 1
    return lower


def as_matrix(call, shape):
    """Strata's result for SciPy."""
    begins, at, values = (call.values(buffer) for buffer in range(3))
    return scipy.sparse.csr_matrix((values, at, begins), shape)


def check(problem, what, call, theirs, contestants):
    """Strata's result is SciPy's, and the rivals' have as many entries and the same sum."""
    call.run()
    ours = as_matrix(call, theirs.shape)
    scale = abs(theirs).max() if theirs.nnz else 1
    wrong = abs(ours - theirs).max() > 1e-9 * max(scale, 1)
    total = abs(theirs).sum()
    for name in ("Eigen", "GraphBLAS"):
        summary = Summary()
        contestants[name](summary)
        wrong |= abs(summary.sum - theirs.sum()) > 1e-9 * max(total, 1)
        wrong |= name == "GraphBLAS" and summary.entries != ours.nnz
    if "MKL" in contestants:
        def compare(entries, total_of_values):
            nonlocal wrong
            wrong |= entries != ours.nnz or abs(total_of_values - theirs.sum()) > 1e-9 * max(total, 1)
        contestants["MKL"](compare)
    if wrong:
        raise SystemExit(f"{problem.name}, {what}: the results differ")


def come_to_rest():
    """Waits until the threads of the contestant before have stopped: OpenMP's look for more work
    for tens of milliseconds, on the core that the next contestant needs."""
    busy = 1.0
    while busy > 0.1:
        worked, begin = time.process_time(), time.perf_counter()
        time.sleep(0.001)
        busy = (time.process_time() - worked) / (time.perf_counter() - begin)


def contest(contestants, effort, clock):
    """The least and the median time of each, in rounds in which all take turns: in an order drawn
    anew, for who comes after another finds the operands near the processor."""
    rounds, seconds = effort
    order, draw = list(contestants.items()), random.Random(1)
    turns, speed, begin = [], quiet.Clock(), time.perf_counter()
    for one in contestants.values():
        one()
    while len(turns) < rounds or (time.perf_counter() - begin < seconds and
                                  len(turns) < 25 * rounds):
        draw.shuffle(order)
        turns.append({})
        come_to_rest()
        speed.tick()
        for name, one in order:
            come_to_rest()
            start = clock()
            one()
            turns[-1][name] = clock() - start
    times = {name: sorted(turn[name] for turn in speed.kept(turns)) for name in contestants}
    return {name: (all[0], all[len(all) // 2]) for name, all in times.items()}


def measure(run, section, problem, what, contestants):
    """With each number of threads; SciPy and Eigen have one. Times on the processor for one
    thread, by the clock for two."""
    effort = (3, 0.05) if run.quick else (7, 0.6)
    for threads in THREADS:
        problem.rivals.library.rivals_threads(ctypes.c_int32(threads))
        if problem.mkl:
            problem.mkl.threads(threads)
        clock = time.thread_time if threads == 1 else time.perf_counter
        outcome = contest(contestants, effort, clock)
        ours = outcome["Strata"][0]
        ratios = {name: least / ours for name, (least, _) in outcome.items() if name != "Strata"}
        cells = "  ".join(f"{name} {ratio:5.2f}x" for name, ratio in ratios.items())
        print(f"  {what:16} {threads} thread{'s' if threads > 1 else ' '} {ours * 1e3:9.3f} ms   "
              f"{cells}", flush=True)
        run.add(section, matrix=problem.name, what=what, threads=threads, seconds=ours,
                median=outcome["Strata"][1],
                **{name + " seconds": least for name, (least, _) in outcome.items()
                   if name != "Strata"},
                **{name + " ratio": ratio for name, ratio in ratios.items()})


def products_of(run, problem):
    a, library = problem.matrices[0], problem.rivals
    theirs = problem.theirs[0]
    transposed = problem.kernel("T", [problem.storage()], order=2)

    def followed(call):
        def both():
            transposed.run()
            call.run()
        return both

    for flavour, kernel in (("sorted", "sorted"), ("unsorted", "loose")):
        sort = ctypes.c_int32(flavour == "sorted")
        for what, flip in (("A*A", 0), ("A*A^T", 1)):
            flip_arg = ctypes.c_int32(flip)
            contestants = {
                "Eigen": library.call("rivals_eigen_product", theirs, theirs, sort, flip_arg),
                "GraphBLAS": library.call("rivals_graph_product", theirs, theirs, sort, flip_arg)}
            if flip:
                transposed.run()
                call = problem.kernel(kernel, [problem.storage(), transposed.result])
                contestants["Strata"] = followed(call)
                other = a.T
            else:
                call = problem.kernel(kernel, [problem.storage(), problem.storage()])
                contestants["Strata"] = call.run
                if problem.mkl:
                    contestants["MKL"] = problem.mkl.assembled("product", *problem.intel[:1] * 2,
                                                               flavour == "sorted")
                other = a
            contestants["SciPy"] = ((lambda other=other: (a @ other).sort_indices())
                                    if flavour == "sorted" else (lambda other=other: a @ other))
            check(problem, what, call, a @ other, contestants)
            measure(run, "products", problem, f"{what} {flavour}", contestants)


def sums_of(run, problem):
    a, b, c = problem.matrices
    no = ctypes.c_void_p(None)
    pair = problem.kernel("pair", [problem.storage(0), problem.storage(1)], order=2)
    triple = problem.kernel("triple", [problem.storage(at) for at in range(3)], order=2)
    for what, call, third, theirs in (("A+B", pair, no, lambda: a + b),
                                      ("A+B+C", triple, problem.theirs[2], lambda: a + b + c)):
        contestants = {"Strata": call.run, "SciPy": theirs}
        for name, function in (("Eigen", "rivals_eigen_sum"), ("GraphBLAS", "rivals_graph_sum")):
            contestants[name] = problem.rivals.call(function, *problem.theirs[:2], third)
        if problem.mkl and what == "A+B":
            contestants["MKL"] = problem.mkl.assembled("sum", *problem.intel[:2])
        check(problem, what, call, theirs(), contestants)
        measure(run, "sums", problem, what, contestants)


def phases_of(run, problem):
    """Values alone, of a result with a pattern, against the whole."""
    one = problem.storage()
    for what, name, operands, order in (("A*A", "sorted", [one, one], 3),
                                        ("A+B", "pair", [one, problem.storage(1)], 2)):
        whole, assemble = (problem.kernel(name + end, operands, order)
                           for end in ("", "_assemble"))
        compute = problem.kernel(name + "_compute", operands, order)
        compute.storages[0] = assemble.storages[0]
        whole.run()
        assemble.run()
        compute.run()
        shape = problem.matrices[0].shape
        ours, theirs = as_matrix(assemble, shape), as_matrix(whole, shape)
        if ours.nnz != theirs.nnz or abs(ours - theirs).max() > 1e-12 * abs(theirs).max():
            raise SystemExit(f"{problem.name}, {what}: the values computed alone differ")
        measure(run, "phases", problem, f"{what} values",
                {"Strata": compute.run, "Strata whole": whole.run, "assembled": assemble.run})


def triangles_of(run, problem):
    """C<L> = L * L with the semiring (+, pair), and the sum of C; L is the lower triangle."""
    lower = lower_triangle(problem.matrices[0])
    size = (lower.shape[0],) * 2
    operands = [kernels.storage(size, [lower.indptr, lower.indices, lower.data]) for _ in range(3)]
    call = problem.kernel("counts", operands)
    theirs = problem.rivals.matrix(lower)
    function = problem.rivals.library.rivals_graph_triangles

    def count():
        call.run()
        values = call.result.buffers[2]
        data = (ctypes.c_double * values.count).from_address(values.data)
        return numpy.frombuffer(data).sum()

    by_rows, by_dots = (lambda way=way: function(theirs, ctypes.c_int32(way)) for way in (0, 1))
    if not count() == by_rows() == by_dots():
        raise SystemExit(f"{problem.name}: {count()}, {by_rows()} and {by_dots()} triangles")
    measure(run, "triangles", problem, "triangles",
            {"Strata": count, "GraphBLAS L*L": by_rows, "GraphBLAS L*L^T": by_dots})
    problem.rivals.library.rivals_drop(theirs)


def problems(run):
    if run.quick:
        made = [("stencil:12", products.stencil(12)), ("random:5000:8", products.random(5000, 8))]
    else:
        made = [("stencil:24", products.stencil(24)),
                ("random:100000:8", products.random(100000, 8)),
                ("random:500000:2", products.random(500000, 2))]
    yield from made
    names = ["graphs/wiki-Vote.mtx"] if run.quick else [
        "graphs/wiki-Vote.mtx", "graphs/fb100_Cornell5.mtx", "graphs/as-caida20071105.mtx", "graphs/p2p-Gnutella31.mtx",
        "graphs/email-enron.mtx", "graphs/fb100_Reed98.mtx", "graphs/cora.mtx",
        "matrices/bcsstk15.mtx"]
    for file in run.files(*names):
        yield pathlib.Path(file).name, scipy.io.mmread(file)


def terms(matrix):
    """How many terms the entries of A*A are the sums of."""
    return int(numpy.diff(matrix.indptr)[matrix.indices].sum())


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def goals(run):
    """The rivals' time by Strata's: at least so much."""
    def best(row, names):
        return min(row[name + " ratio"] for name in names if name + " ratio" in row)

    for section, name, names, wanted in (
            ("products", None, ("SciPy", "Eigen", "GraphBLAS", "MKL"), 1.3),
            ("sums", "A+B", ("SciPy", "MKL"), 1.5), ("sums", "A+B+C", ("SciPy",), 2.5),
            ("triangles", None, ("GraphBLAS L*L", "GraphBLAS L*L^T"), 1)):
        for threads in THREADS:
            rows = [row for row in run.rows if row["section"] == section and
                    row["threads"] == threads and name in (None, row["what"])]
            if not rows:
                continue
            least = min(rows, key=lambda row: best(row, names))
            average = mean([best(row, names) for row in rows])
            run.goals.append(
                f"{name or section}, {threads} thread{'s' if threads > 1 else ''}: time of the "
                f"best of {', '.join(names)} by Strata's: geometric mean {average:.2f} "
                f"(wanted {wanted:g}), least {best(least, names):.2f} "
                f"({least['matrix']}, {least['what']})")


def assembled(run):
    library = kernels.build(run, "assembly", PROGRAM, ["--phases"])
    path = mkl.find_library()
    rivals, intel = Rivals(run), mkl.Mkl(path) if path else None
    print("Strata's least time, and by how much the others' is longer")
    for name, matrix in problems(run):
        problem = Problem(library, rivals, intel, name, matrix)
        a = problem.matrices[0]
        print(f"\n{name}: {a.shape[0]} x {a.shape[1]}, {a.nnz} entries", flush=True)
        if terms(a) <= MOST_TERMS:
            products_of(run, problem)
            phases_of(run, problem)
        sums_of(run, problem)
        triangles_of(run, problem)
        problem.drop()
    goals(run)
