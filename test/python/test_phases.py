"""Results assembled once and computed many times, as values change and patterns stay: by the two
entry points that `strata emit --phases` gives each statement, against SciPy. The values are those
of the whole, bit for bit."""
import ctypes
import os
import pathlib
import sys
import tempfile
import types

import numpy
import scipy.sparse

import harness

sys.path.append(os.path.join(os.environ["STRATA_SOURCE"], "benchmark"))
import kernels  # noqa: E402

SIZE, WIDTH, ROUNDS = 300, 8, 3


def random(seed, density=0.03):
    """Some rows are empty, some long."""
    draw = numpy.random.default_rng(seed)
    count = int(SIZE * SIZE * density)
    rows = (SIZE * draw.uniform(0, 1, count)**2).astype(int)
    columns = draw.integers(0, SIZE, count)
    values = draw.uniform(-1, 1, count)
    matrix = scipy.sparse.coo_matrix((values, (rows, columns)), (SIZE, SIZE)).tocsr()
    matrix.sum_duplicates()
    return matrix


A, B, M = random(1), random(2), random(3)
P, Q = (harness.numbers(shape, seed=4) for shape in ((SIZE, WIDTH), (WIDTH, SIZE)))
SPARSE, DENSE = {"A": A, "B": B, "M": M}, {"P": P, "Q": Q}
# What makes another pattern of A: more entries, or fewer.
OTHER, KEPT = random(5, 0.02), random(6, 0.5) != 0


def semiring_least(v):
    """The least sum of two entries on the way from i to k."""
    a, b = (scipy.sparse.csr_matrix(v[name]) for name in "AB")
    least = {}
    for i in range(SIZE):
        for at in range(a.indptr[i], a.indptr[i + 1]):
            j = a.indices[at]
            for to in range(b.indptr[j], b.indptr[j + 1]):
                value = a.data[at] + b.data[to]
                least[i, b.indices[to]] = min(value, least.get((i, b.indices[to]), numpy.inf))
    places = numpy.array(list(least)).T
    return scipy.sparse.coo_matrix((list(least.values()), places), (SIZE, SIZE))


# Name: the statement, its operands, and what it is for their values.
STATEMENTS = {
    "product": ("R[i, k] = A[i, j] * B[j, k]", "AB", lambda v: v["A"] @ v["B"]),
    "sum": ("R[i, k] = A[i, k] + B[i, k]", "AB", lambda v: v["A"] + v["B"]),
    "sampled": ("R[i, k] = A[i, k] * P[i, h] * Q[h, k]", "APQ",
                lambda v: v["A"].multiply(v["P"] @ v["Q"])),
    "masked": ("R[i, k]<M, structural, replace> = A[i, j] * B[j, k]", "ABM",
               lambda v: (v["A"] @ v["B"]).multiply(v["M"] != 0)),
    "least": ("R[i, k] = A[i, j] @(min,+) B[j, k]", "AB", semiring_least),
    "masked least": ("R[i, k]<M, structural, replace> = A[i, j] @(min,+) B[j, k]", "ABM",
                     lambda v: semiring_least(v).tocsr().multiply(v["M"] != 0)),
    "scaled": ("R[i, k] = 2 * A[i, k]", "A", lambda v: 2 * v["A"]),
}
# Of sparse operands and of the result, what its buffers hold (i: int32, l: int64, b: bytes,
# d: values), and the statements that are tried.
FORMATS = {
    "CSR": ("CSR", "CSR", "iid", ("product", "sum", "sampled", "masked", "least", "masked least",
                            "scaled")),
    "CSC": ("CSC", "CSC", "iid", ("product", "sum", "sampled")),
    "DCSR": ("DCSR", "DCSR", "iiiid", ("product", "sum", "sampled")),
    "COO": ("CSR", "COO", "iiid", ("sum", "sampled", "scaled")),
    "unordered": ("CSR", "(i, k) -> (i : dense, k : compressed(unordered))", "iid",
                  ("product", "sum", "masked")),
    "blocks": ("CSR", "(i, k) -> (i : dense, k floordiv 4 : compressed, k mod 4 : dense)", "iid",
               ("product", "sum")),
    "hashed": ("CSR", "(i, k) -> (i : dense, k : hashed)", "liliiid", ("product", "sum")),
    "bitmap": ("CSR", "(i, k) -> (i : dense, k : bitmap)", "bd", ("product", "sum")),
    "dense": ("CSR", "Dense", "d", ("product", "sum")),
    "CSR to CSC": ("CSR", "CSC", "iid", ("scaled", "sum")),
}
ELEMENTS = {"i": numpy.int32, "l": numpy.int64, "b": numpy.int8, "d": numpy.float64}
CASES = [(form, statement) for form, (*_, names) in FORMATS.items() for statement in names]


def declared(name, place, form):
    return (f"Tensor<double> {name}([{place}], Dense);" if form == "Dense" else
            f"Tensor<double> {name}([{place}], {{{form}, pos = 32, crd = 32}});")


def program():
    """All cases, the n-th with operands and a result of its own: An, Bn, Rn."""
    lines = ["IndexLabel [i, j, k, h] = [?];"]
    for number, (form, name) in enumerate(CASES):
        operands, result, *_ = FORMATS[form]
        statement, used, _ = STATEMENTS[name]
        for one in used:
            place = "i, k" if one == "M" else statement.split(one + "[")[1].split("]")[0]
            lines += [declared(f"{one}{number}", place, "Dense" if one in DENSE else operands),
                      f'{one}{number}[{place}] = read("{one}.mtx");']
            statement = statement.replace(one + "[", f"{one}{number}[")
        statement = statement.replace("R[", f"R{number}[").replace("<M,", f"<M{number},")
        lines += [declared(f"R{number}", "i, k", result), statement + ";"]
    return "def main() {\n  " + "\n  ".join(lines) + "\n}\n"


def extents_of(name):
    """Of the result's indices, then of the sum's."""
    return (SIZE, SIZE) + {"sampled": (WIDTH,), "sum": (), "scaled": ()}.get(name, (SIZE,))


def buffers_of(matrix, form):
    """The buffers of an operand."""
    if form == "Dense":
        return [numpy.ascontiguousarray(matrix)]
    matrix = scipy.sparse.csc_matrix(matrix) if form == "CSC" else scipy.sparse.csr_matrix(matrix)
    matrix.sort_indices()
    arrays = [matrix.indptr.astype(numpy.int32), matrix.indices.astype(numpy.int32), matrix.data]
    if form == "DCSR":
        rows = numpy.flatnonzero(numpy.diff(matrix.indptr)).astype(numpy.int32)
        begins = numpy.append(matrix.indptr[rows], matrix.nnz).astype(numpy.int32)
        arrays = [numpy.array([0, len(rows)], numpy.int32), rows, begins, *arrays[1:]]
    return arrays


def storage_of(matrix, form):
    return kernels.storage(matrix.shape, buffers_of(matrix, form))


def held(storage, kinds):
    """Copies of what a result holds."""
    arrays = []
    for buffer, kind in zip(storage.buffers, kinds):
        element = numpy.dtype(ELEMENTS[kind])
        text = ctypes.string_at(buffer.data, buffer.count * element.itemsize) if buffer.count else b""
        arrays.append(numpy.frombuffer(text, element))
    return arrays


def decoded(form, arrays):
    """A result for SciPy."""
    shape, values = (SIZE, SIZE), arrays[-1]
    if form in ("CSR", "unordered"):
        return scipy.sparse.csr_matrix((values, arrays[1], arrays[0]), shape)
    if form in ("CSC", "CSR to CSC"):
        return scipy.sparse.csc_matrix((values, arrays[1], arrays[0]), shape)
    if form == "DCSR":
        rows = numpy.repeat(arrays[1], numpy.diff(arrays[2]))
        return scipy.sparse.coo_matrix((values, (rows, arrays[3])), shape)
    if form == "COO":
        return scipy.sparse.coo_matrix((values, (arrays[1], arrays[2])), shape)
    if form == "blocks":
        return scipy.sparse.bsr_matrix((values.reshape(-1, 1, 4), arrays[1], arrays[0]), shape)
    if form == "hashed":
        return scipy.sparse.coo_matrix((values, (arrays[5], arrays[1])), shape)
    return scipy.sparse.csr_matrix(values.reshape(shape))


def values_of(name, seed):
    """Operands with the patterns that they always have."""
    draw = numpy.random.default_rng(seed)
    found = {one: matrix.copy() for one, matrix in {**SPARSE, **DENSE}.items()}
    for one, matrix in found.items():
        data = matrix if one in DENSE else matrix.data
        data[...] = draw.uniform(-1, 1, data.shape)
        if one == "A": # a stored zero is an entry
            data[::7] = 0
    return {one: found[one] for one in STATEMENTS[name][1]}


def calls_of(library, number, matrices):
    """The whole, and the two phases of another result."""
    form, name = CASES[number]
    operands, _, kinds, _ = FORMATS[form]
    storages = [storage_of(matrix, "Dense" if one in DENSE else operands)
                for one, matrix in matrices.items()]
    def result():
        return kernels.storage((SIZE, SIZE), [numpy.empty(0, ELEMENTS[kind]) for kind in kinds])
    whole, phased, extents = result(), result(), extents_of(name)
    return storages, [library.call(f"R{number}{end}", to, storages, extents) for end, to in
                      (("", whole), ("_assemble", phased), ("_compute", phased))]


def refresh(storages, matrices):
    """Other values for operands whose patterns stay."""
    for storage, matrix in zip(storages, matrices.values()):
        form = "Dense" if isinstance(matrix, numpy.ndarray) else storage.form
        storage.kept[-1][...] = buffers_of(matrix, form)[-1]


def computed_often(library, number):
    form, name = CASES[number]
    kinds = FORMATS[form][2]
    storages, (whole, assemble, compute) = calls_of(library, number, values_of(name, 0))
    for storage in storages:
        storage.form = FORMATS[form][0]
    assemble.run()
    pattern = held(assemble.result, kinds)
    if pattern[-1].any():
        raise harness.Failure("what is assembled has values")
    for seed in range(ROUNDS):
        matrices = values_of(name, seed)
        refresh(storages, matrices)
        whole.run()
        compute.run()
        ours, theirs = held(compute.result, kinds), held(whole.result, kinds)
        for one, other, kind in zip(ours, theirs, kinds):
            if kind != "d" and not numpy.array_equal(one, other):
                raise harness.Failure("the pattern is not the whole's")
            if not numpy.allclose(one, other, rtol=1e-13, atol=1e-13):
                raise harness.Failure("the values are not the whole's")
        wrong = abs(decoded(form, ours) - scipy.sparse.csr_matrix(STATEMENTS[name][2](matrices)))
        if wrong.max() > 1e-12:
            raise harness.Failure(f"round {seed}: SciPy's result differs by {wrong.max():g}")


def message_of(call):
    try:
        call.run()
    except RuntimeError as error:
        return str(error)
    return "nothing"


def refused(library, number):
    """Without a pattern, and with an operand that has an entry more."""
    form, name = CASES[number]
    matrices = values_of(name, 1)
    storages, (_, assemble, compute) = calls_of(library, number, matrices)
    if form not in ("dense", "bitmap") and "must be assembled" not in message_of(compute):
        raise harness.Failure(f"computed without a pattern: {message_of(compute)}")
    assemble.run()
    before = held(compute.result, FORMATS[form][2])
    other = {**matrices, "A": scipy.sparse.csr_matrix(matrices["A"] + OTHER)}
    _, (_, _, again) = calls_of(library, number, other)
    again.result, again.storages[0] = compute.result, compute.storages[0]
    expected = "lacks an entry" if form != "dense" else "nothing"
    if expected not in message_of(again):
        raise harness.Failure(f"with another pattern: {message_of(again)}")
    for one, kept in zip(held(compute.result, FORMATS[form][2])[:-1], before):
        if not numpy.array_equal(one, kept):
            raise harness.Failure("the pattern has changed")
    compute.run()


def less(library, number):
    """A pattern with more than is computed: what nothing comes to is the fill."""
    form, name = CASES[number]
    matrices = values_of(name, 2)
    _, (_, assemble, _) = calls_of(library, number, matrices)
    assemble.run()
    fewer = {**matrices, "A": scipy.sparse.csr_matrix(matrices["A"].multiply(KEPT))}
    _, (_, _, compute) = calls_of(library, number, fewer)
    compute.result, compute.storages[0] = assemble.result, assemble.storages[0]
    compute.run()
    ours = decoded(form, held(compute.result, FORMATS[form][2]))
    wrong = abs(ours - scipy.sparse.csr_matrix(STATEMENTS[name][2](fewer)))
    if wrong.max() > 1e-12:
        raise harness.Failure(f"SciPy's result differs by {wrong.max():g}")


def build(folder):
    run = types.SimpleNamespace(folder=folder, build=pathlib.Path(harness.TOOL).parents[1],
                                program=lambda name: harness.TOOL)
    kernels.build(run, "phases", program(), ["--phases"])
    return folder / "phases.so"


def in_pieces(library, number):
    """However small the matrices are, loops are cut for several threads."""
    library.library.strata_cut_loops_from(ctypes.c_int64(1))
    computed_often(library, number)


def cases(library):
    for what, test in (("often", computed_often), ("another pattern", refused),
                       ("a larger pattern", less), ("in pieces", in_pieces)):
        for number, (form, name) in enumerate(CASES):
            yield (f"{form}: {name}, {what}",
                   lambda _, test=test, number=number: test(kernels.Library(library), number))


if __name__ == "__main__":
    if harness.is_instrumented():
        print("skipped: the runtime is instrumented, and cannot be loaded into Python")
        sys.exit(harness.SKIPPED)
    with tempfile.TemporaryDirectory(prefix="strata-") as scratch:
        harness.main(cases(build(pathlib.Path(scratch))))
