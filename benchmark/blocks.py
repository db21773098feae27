"""Products and sums of matrices in dense blocks: Strata from Python against SciPy in the same format."""

import numpy
import scipy.sparse

import mkl

STATEMENTS = {
    "A*B": ("C(i,k) = A(i,j) * B(j,k)", lambda a, b: a @ b),
    "A+B": ("C(i,j) = A(i,j) + B(i,j)", lambda a, b: a + b),
    "A.*B": ("C(i,j) = A(i,j) * B(i,j)", lambda a, b: a.multiply(b)),
}


def blocked(rows, size, per_row, seed):
    """Random blocks, so many in a block row."""
    generator = numpy.random.default_rng(seed)
    count = rows // size
    columns = numpy.sort([generator.choice(count, per_row, replace=False) for _ in range(count)])
    values = generator.uniform(-1, 1, (count * per_row, size, size))
    return scipy.sparse.bsr_matrix(
        (values, columns.ravel(), numpy.arange(count + 1) * per_row), shape=(rows, rows)
    )


def against_scipy(run):
    strata = run.python_package()
    if not strata:
        return
    print("ratio: SciPy's time by Strata's (above 1: Strata is faster), all results in blocks")
    print(f"  {'blocks':8} {'what':6} {'threads':7} {'ms':>9} {'ratio':>7}")
    worst = None
    rows = 2048 if run.quick else 8192
    for size in (4, 8, 16):
        form = f"BCSR:{size}x{size}"
        a, b = (blocked(rows, size, 8, seed) for seed in (1, 2))
        own = {name: strata.asarray(m).asformat(form) for name, m in (("A", a), ("B", b))}
        spec = strata.spec(2, form)
        for what, (statement, theirs) in STATEMENTS.items():
            compiled = strata.compile(statement, A=spec, B=spec, format=form)
            for threads in (1, 2):
                strata.set_num_threads(threads)
                found, expected = compiled(**own).to_scipy().tocsr(), theirs(a, b).tocsr()
                if abs(found - expected).max() > 1e-12:
                    raise SystemExit(f"{form}, {what}: the results differ")
                contestants = [lambda: compiled(**own), lambda: theirs(a, b)]
                times, ratios = mkl.contest(contestants, 7 if run.quick else 15)
                print(
                    f"  {size}x{size:<6} {what:6} {threads:7} {times[0] * 1e3:9.3f} {ratios[0]:7.2f}",
                    flush=True,
                )
                run.add(
                    "blocks",
                    blocks=size,
                    what=what,
                    threads=threads,
                    seconds=times[0],
                    scipy_ratio=ratios[0],
                )
                if worst is None or ratios[0] < worst[0]:
                    worst = (ratios[0], f"{what}, {form}, threads: {threads}")
    run.goal("matrices in blocks, SciPy's time by ours, inverse", (1 / worst[0], worst[1]), 1.03)
