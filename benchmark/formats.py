"""Formats made for a shape of matrix against CSR: diagonals on a band, blocks on a blocked matrix."""
import json
import statistics
import subprocess

import numpy
import scipy.io
import scipy.sparse

import quiet

GOAL = 1.0


def band(rows):
    """Seven diagonals, two of them far out."""
    generator = numpy.random.default_rng(1)
    offsets = [-700, -2, -1, 0, 1, 2, 700]
    values = generator.uniform(0.5, 1, (len(offsets), rows))
    return scipy.sparse.dia_matrix((values, offsets), (rows, rows))


def blocked(rows, size=4, per_row=6):
    """Dense blocks of size x size, six in each row of blocks."""
    generator = numpy.random.default_rng(1)
    blocks = rows // size
    columns = numpy.concatenate([generator.choice(blocks, per_row, replace=False)
                                 for _ in range(blocks)])
    where = scipy.sparse.coo_matrix(
        (numpy.ones(columns.size), (numpy.repeat(numpy.arange(blocks), per_row), columns)),
        (blocks, blocks))
    values = scipy.sparse.kron(where, numpy.ones((size, size))).tocoo()
    values.data = generator.uniform(0.5, 1, values.data.size)
    return values


def spmv(run, matrix, name, repeat):
    """The least time of a call."""
    process = subprocess.run(
        [run.program("strata"), "y(i) = A(i,j) * x(j)", f"-f=A:{name}", f"-i=A:{matrix}", "-g=x:d",
         f"-time={repeat}", "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(process.stdout)["steps"][-1]["seconds"]["run"]


def against_csr(run):
    rows = 20000 if run.quick else 200000
    rounds, repeat = (3, 20) if run.quick else (9, 50)
    worst = {}
    print(f"SpMV in a format by the time in CSR, median of {rounds} rounds in turns; below 1 it is ahead")
    for shape, make, names in (("band", band, ["DIA", "ELL"]), ("blocked", blocked, ["BCSR:4x4"])):
        file = run.folder / f"{shape}.mtx"
        scipy.io.mmwrite(file, make(rows))
        turns, clock = [], quiet.Clock()
        for _ in range(rounds):
            clock.tick()
            csr = spmv(run, file, "CSR", repeat)
            turns.append([spmv(run, file, name, repeat) / csr for name in names])
        ratios = dict(zip(names, zip(*clock.kept(turns))))
        for name in names:
            ratio = statistics.median(ratios[name])
            print(f"  {shape:8} {name:9} {ratio:.2f} ({min(ratios[name]):.2f} to {max(ratios[name]):.2f})")
            run.add("formats", shape=shape, format=name, ratio=ratio, rounds=rounds)
        worst[shape] = (statistics.median(ratios[names[0]]), names[0])
    run.goal("SpMV of a banded matrix by diagonals, ratio to CSR's time", worst["band"], GOAL)
    run.goal("SpMV of a blocked matrix in blocks, ratio to CSR's time", worst["blocked"], GOAL)
