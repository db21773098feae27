"""Matrices with few diagonals against the same in CSR and against SciPy by diagonals: products with vectors and with dense matrices."""
import numpy
import scipy.sparse

import mkl

GOAL_OF_SCIPY, GOAL_OF_CSR = 1.0, 1 / 1.2


def offsets(rows):
    """By name: the diagonals of bands, and of stencils on square and cubic grids of about so many points."""
    side, edge = round(rows ** 0.5), round(rows ** (1 / 3))
    near = (-1, 0, 1)
    return {
        "tridiagonal": near,
        "pentadiagonal": (-2, *near, 2),
        "5 points": (-side, *near, side),
        "7 points": (-edge * edge, -edge, *near, edge, edge * edge),
        "27 points": [a * edge * edge + b * edge + c for a in near for b in near for c in near],
    }


def diagonals(rows, at, dtype):
    values = numpy.random.default_rng(1).uniform(0.5, 1, (len(at), rows)).astype(dtype)
    return scipy.sparse.dia_matrix((values, at), (rows, rows))


def against_libraries(run):
    strata = run.python_package()
    if not strata:
        return
    rows, rounds = (100000, 5) if run.quick else (1000000, 15)
    print("ratio: a rival's time by that of DIA (above 1: DIA is faster)")
    print(f"  {'matrix':14} {'type':8} {'what':5} {'threads':7} {'ms':>9} {'CSR':>6} {'SciPy':>6}")
    worst = {}
    for dtype in (numpy.float64, numpy.float32):
        for name, at in offsets(rows).items():
            theirs = diagonals(rows, at, dtype)
            plain = strata.asarray(theirs)  # its diagonals have a place for each column
            own, csr = plain.asformat("DIA"), strata.asarray(theirs.tocsr())
            x = numpy.random.default_rng(2).uniform(0.5, 1, rows).astype(dtype)
            measure(run, strata, name, "SpMV", "y(i) = A(i,j) * x(j)", (own, csr, theirs), x, rounds, worst)
            if name == "5 points" and dtype == numpy.float64:
                for width in (4, 16, 128):
                    dense = numpy.random.default_rng(3).uniform(0.5, 1, (rows // 10, width))
                    few = diagonals(rows // 10, offsets(rows // 10)[name], dtype)
                    both = strata.asarray(few)
                    measure(run, strata, f"{name}, {width}", "SpMM", "y(i,k) = A(i,j) * x(j,k)",
                            (both.asformat("DIA"), strata.asarray(few.tocsr()), few), dense, rounds, {})
    run.goal("SpMV of bands by diagonals, inverse of SciPy's time by ours", worst["SciPy"], GOAL_OF_SCIPY)
    run.goal("SpMV of bands by diagonals, inverse of CSR's time by ours", worst["CSR"], GOAL_OF_CSR)


def measure(run, strata, name, what, statement, matrices, x, rounds, worst):
    own, csr, theirs = matrices
    order = x.ndim
    def compiled(matrix):
        call = strata.compile(statement, A=strata.spec(2, matrix.format, dtype=x.dtype),
                              x=strata.spec(order, "Dense", dtype=x.dtype))
        return lambda: call(A=matrix, x=x)

    contestants = [compiled(own), compiled(csr), lambda: theirs @ x]
    found = numpy.asarray(contestants[0]().to_numpy())
    if not numpy.allclose(found, theirs @ x, rtol=1e-4 if x.dtype == numpy.float32 else 1e-12):
        raise SystemExit(f"bands, {name}: the result differs from SciPy's")
    for threads in (1, 2):
        strata.set_num_threads(threads)
        times, ratios = mkl.contest(contestants, rounds)
        print(f"  {name:14} {x.dtype.name:8} {what:5} {threads:7} {times[0] * 1e3:9.3f} {ratios[0]:6.2f} {ratios[1]:6.2f}",
              flush=True)
        run.add("bands", matrix=name, dtype=x.dtype.name, what=what, threads=threads, seconds=times[0],
                csr_ratio=ratios[0], scipy_ratio=ratios[1])
        for rival, ratio in zip(("CSR", "SciPy"), ratios):
            if rival not in worst or 1 / ratio > worst[rival][0]:
                worst[rival] = (1 / ratio, f"{name}, {x.dtype.name}, threads: {threads}")
