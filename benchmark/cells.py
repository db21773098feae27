"""The first steps of the analysis of single cells on a file of AnnData: Strata from Python against
anndata, scanpy, fast-array-utils and SciPy, in turns."""

import importlib
import resource
import statistics
import time
import warnings

import numpy
import scipy.sparse
import scipy.sparse.linalg

import quiet

PACKAGES = ("anndata", "scanpy", "fast_array_utils.stats")
DENSITY = 0.05
COMPONENTS = 50


def packages():
    """The other side's packages; None, and a line that says so, if one is not there."""
    try:
        return [importlib.import_module(name) for name in PACKAGES]
    except ImportError as missing:
        print(f"skipped: {missing}")
        return None


def made(run, anndata, cells, genes, **options):
    """A file of counts as float32, with indices of 32 bits."""
    path = run.folder / f"cells-{cells}{''.join(options.values())}.h5ad"
    if path.exists():
        return path
    random = numpy.random.default_rng(1)
    lengths = random.binomial(genes, DENSITY, cells)
    pointers = numpy.concatenate(([0], numpy.cumsum(lengths))).astype("int32")
    indices = numpy.empty(pointers[-1], "int32")
    for cell, length in enumerate(lengths):
        chosen = random.choice(genes, length, replace=False, shuffle=False)
        indices[pointers[cell] : pointers[cell + 1]] = numpy.sort(chosen)
    counts = (1 + random.poisson(1.5, indices.size)).astype("float32")
    matrix = scipy.sparse.csr_matrix((counts, indices, pointers), (cells, genes))
    anndata.AnnData(matrix).write_h5ad(path, **options)
    return path


def processor_seconds():
    """Of all threads of this process, and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class Contest:
    """The times of steps that both sides do one after the other."""

    def __init__(self):
        self.clock = quiet.Clock()
        self.turns = []  # of each the elapsed and the processor's seconds of every step and side

    def turn(self):
        self.clock.tick()
        self.turns.append({})

    def both(self, step, ours, theirs):
        """Returns the results of both, whose order changes from turn to turn."""
        found = {}
        sides = [("ours", ours), ("theirs", theirs)]
        for side, call in sides if len(self.turns) % 2 else reversed(sides):
            elapsed, processor = time.perf_counter(), processor_seconds()
            found[side] = call()
            self.turns[-1][step, side] = (
                time.perf_counter() - elapsed,
                processor_seconds() - processor,
            )
        return found["ours"], found["theirs"]

    def report(self, run):
        turns, worst = self.clock.kept(self.turns[1:]), None
        for step, side in self.turns[0]:
            if side == "theirs":
                continue
            pairs = [(turn[step, "ours"], turn[step, "theirs"]) for turn in turns]
            ratios = [statistics.median(ours[at] / theirs[at] for ours, theirs in pairs) for at in (0, 1)]
            seconds = [statistics.median(pair[who][0] for pair in pairs) for who in (0, 1)]
            print(f"  {step:36} {seconds[0]:9.4f} {seconds[1]:9.4f} {ratios[0]:6.2f} {ratios[1]:10.2f}")
            run.add("cells", step=step, seconds=seconds[0], their_seconds=seconds[1],
                    ratio=ratios[0], processor_ratio=ratios[1])
            worst = max(filter(None, (worst, (ratios[0], step))))
        return worst


def normalized(strata, x):
    scale = (1e4 / strata.sum(x, axis=1)).astype("float32")
    return strata.evaluate("Y(i,j) = log1p(X(i,j) * s(i))", X=x, s=scale, format="CSR")


def normalized_by_scanpy(scanpy, cells):
    scanpy.pp.normalize_total(cells, target_sum=1e4)
    scanpy.pp.log1p(cells)
    return cells.X


def moments(strata, y, axis):
    """Means and variances of the columns (0) or of the rows (1), added up in double."""
    size, kept = y.shape[axis], "ji"[axis]
    means = strata.sum(y, axis=axis, dtype="float64").to_numpy() / size
    squares = strata.evaluate(f"q({kept}) = Y(i,j) * Y(i,j)", Y=y, dtype="float64").to_numpy() / size
    return means, (squares - means**2) * (size / (size - 1))


def components(shape, product, transposed, means):
    """The largest singular values of the matrix with the means taken off, which stays sparse."""
    means = means.astype("float32")
    centered = scipy.sparse.linalg.LinearOperator(
        shape, dtype="float32", matvec=lambda v: product(v.ravel()) - means @ v.ravel(),
        rmatvec=lambda u: transposed(u.ravel()) - means * u.sum())
    start = numpy.random.default_rng(0).uniform(-1, 1, min(shape)).astype("float32")
    return scipy.sparse.linalg.svds(centered, k=COMPONENTS, v0=start, return_singular_vectors=True)[1]


def agree(step, ours, theirs, bound):
    error = numpy.max(numpy.abs(numpy.asarray(ours) - theirs)) / numpy.max(numpy.abs(theirs))
    if not error <= bound:
        raise SystemExit(f"{step}: the results differ by {error:.1e} of the largest")


def first_steps(run, strata, theirs, path, contest):
    """One turn: from the file to products with the normalized matrix."""
    anndata, scanpy, stats = theirs
    x, cells = contest.both("read", lambda: strata.read(path), lambda: anndata.read_h5ad(path))
    y, z = contest.both("normalize, log1p", lambda: normalized(strata, x),
                        lambda: normalized_by_scanpy(scanpy, cells))
    del x, cells
    agree("log1p", y.values, z.data, 1e-6)
    for axis, of in enumerate(("columns", "rows")):
        found = contest.both(f"mean and variance of the {of}", lambda: moments(strata, y, axis),
                             lambda: stats.mean_var(z, axis=axis, correction=1))
        for one, other in zip(*found):
            agree("moments", one, other, 1e-5)
    v, u, transposed = numpy.ones(z.shape[1], "float32"), numpy.ones(z.shape[0], "float32"), z.T
    agree("product", *contest.both("product with a vector", lambda: y.matvec(v), lambda: z @ v), 1e-5)
    agree("product", *contest.both("product of the transpose", lambda: y.rmatvec(u),
                                   lambda: transposed @ u), 1e-5)


def principal_components(run, strata, theirs, path, rows, contest):
    scanpy = theirs[1]
    y = normalized(strata, strata.read(path, rows=slice(0, rows)))
    z = scipy.sparse.csr_matrix(y.to_scipy())
    means, _ = moments(strata, y, 0)
    cells = theirs[0].AnnData(z)

    def by_scanpy():
        scanpy.pp.pca(cells, n_comps=COMPONENTS, svd_solver="arpack")
        return cells.uns["pca"]["variance"]

    found, variances = contest.both(
        f"{COMPONENTS} components of {rows} cells",
        lambda: components(y.shape, y.matvec, y.rmatvec, means), by_scanpy)
    agree("components", numpy.sort(found)[::-1] ** 2 / (rows - 1), variances, 1e-4)


def against_scanpy(run):
    strata, theirs = run.python_package(), packages()
    if not strata or not theirs:
        return
    warnings.simplefilter("ignore")
    cells, genes = (2000, 2000) if run.quick else (100000, 20000)
    rows, rounds = (1000, 3) if run.quick else (5000, 5)
    path = made(run, theirs[0], cells, genes)
    packed = made(run, theirs[0], cells // 10, genes, compression="gzip")
    print(f"{cells} cells x {genes} genes, {100 * DENSITY:g} %; two threads on either side where it has "
          "them;\nseconds, and Strata's time by the other's (below 1: Strata is faster)\n"
          f"  {'':36} {'Strata':>9} {'other':>9} {'ratio':>6} {'processor':>10}")
    contest = Contest()
    for _ in range(rounds + 1):
        contest.turn()
        first_steps(run, strata, theirs, path, contest)
        contest.both("read a tenth, compressed by gzip", lambda: strata.read(packed),
                     lambda: theirs[0].read_h5ad(packed))
        principal_components(run, strata, theirs, path, rows, contest)
    run.goal("a step of the analysis of cells, by the time of scanpy", contest.report(run), 1.0)
