"""Files of text: SciPy and NumPy write, Strata reads; and the other way round.

One case writes a matrix with SciPy, has Strata read it into several formats and element types and
write each, and compares what SciPy reads back with the matrix, bit by bit.
"""
import functools
import gzip
import itertools
import os
import pathlib

import numpy
import scipy.io
import scipy.sparse

import harness

FIELDS = ("real", "integer", "complex", "pattern")
SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")
LAYOUTS = ("coordinate", "array")
SIZES = ((1, 1), (7, 7), (40, 40), (3, 5), (9, 2), (1, 6), (6, 1))
FORMATS = ("Dense", "CSR", "CSC", "DCSR", "COO")
# Which element types can hold the values of a field; the first is what their results are compared
# in.
TYPES = {"real": ("double", "complex"), "integer": ("int64", "int", "double", "complex"),
         "complex": ("complex",), "pattern": ("double", "int", "float")}
SPECIAL = (0.1, 1 / 3, -1e-308, 5e-324, 1.7976931348623157e308, 1e22, 123456789.125, -2.5e-7)


def values_of(field, shape):
    """A dense matrix with holes and with values that are hard to print."""
    random = numpy.random.default_rng(sum(shape))
    if field == "integer":
        dense = random.integers(-2**31 + 1, 2**31, shape)
    elif field == "pattern":
        dense = numpy.ones(shape, dtype=int)
    else:
        dense = random.uniform(-1, 1, shape)
        flat = dense.reshape(-1)
        flat[:len(SPECIAL)] = SPECIAL[:flat.size]
        if field == "complex":
            dense = dense + 1j * random.permutation(flat).reshape(shape)
    return numpy.where(random.uniform(size=shape) < 0.6, dense, 0)


def with_symmetry(dense, symmetry):
    """The lower triangle mirrored as the symmetry says."""
    if symmetry == "general":
        return dense
    lower = numpy.tril(dense, -1 if symmetry == "skew-symmetric" else 0)
    below = numpy.tril(dense, -1)
    if symmetry == "symmetric":
        return lower + below.T
    if symmetry == "skew-symmetric":
        return lower - below.T
    numpy.fill_diagonal(lower, lower.diagonal().real)
    return lower + below.T.conj()


def program(kinds):
    lines = ["IndexLabel [i, j] = [?];"]
    for kind, form in itertools.product(kinds, FORMATS):
        name = f"{form}_{kind}"
        lines += [f"Tensor<{kind}> {name}([i, j], {form});", f'{name}[i, j] = read("in.mtx");',
                  f'write({name}, "{name}.mtx");']
    return "def main() {\n  " + "\n  ".join(lines) + "\n}\n"


def dense_of(matrix):
    return matrix.toarray() if scipy.sparse.issparse(matrix) else matrix


def same(name, actual, expected):
    if actual.shape != expected.shape or not (actual == expected).all():
        raise harness.Failure(f"{name}: {actual.tolist()}, expected {expected.tolist()}"[:500])


def write_skew_array(path, dense):
    """As the format says: without the diagonal, which SciPy 1.10 writes if values are complex."""
    size = len(dense)
    below = [dense[i, j] for j in range(size) for i in range(j + 1, size)]
    path.write_text("%%MatrixMarket matrix array complex skew-symmetric\n" f"{size} {size}\n" +
                    "".join(f"{float(value.real)!r} {float(value.imag)!r}\n" for value in below))


def check_matrix(field, symmetry, layout, shape, folder):
    dense = with_symmetry(values_of(field, shape), symmetry)
    if (field, symmetry, layout) == ("complex", "skew-symmetric", "array"):
        write_skew_array(folder / "in.mtx", dense)
    else:
        matrix = dense if layout == "array" else scipy.sparse.coo_matrix(dense)
        scipy.io.mmwrite(str(folder / "in.mtx"), matrix, field=field, symmetry=symmetry,
                         precision=17)
    banner = (folder / "in.mtx").read_text().splitlines()[0].split()
    named = {field} if dense.any() else {field, "real"}  # SciPy 1.17 calls a list without entries real
    if banner[2] != layout or banner[3] not in named or banner[4:] != [symmetry]:
        raise harness.Failure(f"SciPy wrote {banner}")
    (folder / "read.ta").write_text(program(TYPES[field]))
    harness.run_tool("run", "read.ta", folder=folder)
    for kind, form in itertools.product(TYPES[field], FORMATS):
        result = scipy.io.mmread(folder / f"{form}_{kind}.mtx")
        if scipy.sparse.issparse(result) == (form == "Dense"):
            raise harness.Failure(f"{form} was written in the other layout")
        if not numpy.can_cast(result.dtype, complex if kind == "complex" else
                              numpy.int64 if kind.startswith("int") else float):
            raise harness.Failure(f"{kind} was written as {result.dtype}")
        same(f"{kind} in {form}", dense_of(result), dense)


def check_extremes(folder):
    """Integers of 64 bits keep all their digits."""
    column = numpy.array([[2**63 - 1], [-2**63], [2**53 + 1], [0], [-1]], dtype=numpy.int64)
    text = "%%MatrixMarket matrix array integer general\n5 1\n"
    (folder / "in.mtx").write_text(text + "".join(f"{value}\n" for value in column[:, 0]))
    (folder / "read.ta").write_text(program(["int64"]))
    harness.run_tool("run", "read.ta", folder=folder)
    for form in FORMATS:
        lines = (folder / f"{form}_int64.mtx").read_text().splitlines()
        words = [line.split() for line in lines if not line.startswith("%")][1:]
        found = ({i: int(word[0]) for i, word in enumerate(words)} if form == "Dense" else
                 {int(word[0]) - 1: int(word[2]) for word in words})
        expected = dict(enumerate(column[:, 0].tolist()))
        if {i: v for i, v in found.items() if v} != {i: v for i, v in expected.items() if v}:
            raise harness.Failure(f"{form}: {found}, expected {expected}")


def check_vector(layout, folder):
    """An n x 1 matrix serves as a vector, both ways."""
    x = values_of("real", (12, 1))
    matrix = x if layout == "array" else scipy.sparse.coo_matrix(x)
    scipy.io.mmwrite(str(folder / "x.mtx"), matrix, precision=17)
    (folder / "read.ta").write_text(
        "def main() {\n  IndexLabel [i] = [?];\n"
        "  Tensor<double> x([i], Dense);\n  Tensor<double> s([i], SparseVector);\n"
        '  x[i] = read("x.mtx");\n  s[i] = read("x.mtx");\n'
        '  write(x, "dense.mtx");\n  write(s, "sparse.mtx");\n}\n')
    harness.run_tool("run", "read.ta", folder=folder)
    for name in ("dense", "sparse"):
        same(name, dense_of(scipy.io.mmread(folder / f"{name}.mtx")), x)


def check_frostt(sizes, folder):
    """Coordinates and values of a tensor of any order come back, whatever the format."""
    random = numpy.random.default_rng(len(sizes))
    count = min(50, int(numpy.prod(sizes)))
    keys = numpy.sort(random.choice(int(numpy.prod(sizes)), count, replace=False))
    keys[-1] = numpy.prod(sizes) - 1  # so that the coordinates imply the sizes
    at = numpy.column_stack(numpy.unravel_index(keys, sizes)) + 1
    values = random.uniform(-1, 1, count)
    shuffled = random.permutation(count)
    form = " ".join(["%d"] * len(sizes)) + " %.17g"
    numpy.savetxt(folder / "in.tns", numpy.column_stack([at, values])[shuffled], fmt=form)
    labels = ", ".join(f"i{dim}" for dim in range(len(sizes)))
    lines = [f"IndexLabel [{labels}] = [?];"]
    formats = ("Dense", "CSF", "COO")
    for name in formats:
        lines += [f"Tensor<double> {name}([{labels}], {name});",
                  f'{name}[{labels}] = read("in.tns");', f'write({name}, "{name}.tns");']
    (folder / "read.ta").write_text("def main() {\n  " + "\n  ".join(lines) + "\n}\n")
    harness.run_tool("run", "read.ta", folder=folder)
    for name in formats:
        table = numpy.loadtxt(folder / f"{name}.tns", ndmin=2)
        table = table[table[:, -1] != 0]
        same(name, table[numpy.lexsort(table[:, -2::-1].T)], numpy.column_stack([at, values]))


def copy(source, target, folder, form="CSR", kind="double"):
    """Has Strata read one file and write another."""
    (folder / "copy.ta").write_text(
        f"def main() {{\n  IndexLabel [i, j] = [?];\n  Tensor<{kind}> A([i, j], {form});\n"
        f'  A[i, j] = read("{source}");\n  write(A, "{target}");\n}}\n')
    harness.run_tool("run", "copy.ta", folder=folder)


def check_boeing(shape, ending, folder):
    """Real matrices with SciPy's reader and writer of Harwell-Boeing files, both ways."""
    dense = values_of("real", shape)
    scipy.io.hb_write(str(folder / "in.rua"), scipy.sparse.csc_matrix(dense))
    copy("in.rua", "out.mtx", folder)
    same("what SciPy wrote", dense_of(scipy.io.mmread(folder / "out.mtx")), dense)
    if shape[0] != shape[1]:
        return  # SciPy does not read its type
    copy("in.rua", f"back.{ending}", folder, form="CSC")
    same("what Strata wrote", scipy.io.hb_read(str(folder / f"back.{ending}")).toarray(), dense)


def check_twin(boeing, market, folder):
    """A published matrix in two formats; the digits of one may be fewer."""
    kind = "complex" if "complex" in market.read_text().split("\n", 1)[0] else "double"
    copy(boeing, "out.mtx", folder, kind=kind)
    ours, theirs = (scipy.io.mmread(path).tocsr() for path in (folder / "out.mtx", market))
    if ours.shape != theirs.shape or abs(ours - theirs).max() > 1e-6 * abs(theirs).max():
        raise harness.Failure(f"{boeing.name} and {market.name} differ")


def check_compressed(folder):
    """What gzip and another gzip made of a file."""
    dense = values_of("real", (40, 40))
    scipy.io.mmwrite(str(folder / "in.mtx"), scipy.sparse.coo_matrix(dense), precision=17)
    text = (folder / "in.mtx").read_bytes()
    half = len(text) // 2
    (folder / "in.mtx.gz").write_bytes(gzip.compress(text[:half]) + gzip.compress(text[half:]))
    copy("in.mtx.gz", "out.mtx.gz", folder)
    same("gzip", dense_of(scipy.io.mmread(str(folder / "out.mtx.gz"))), dense)


def check_smtx(folder):
    """The arrays of a CSR matrix, both ways."""
    places = scipy.sparse.csr_matrix(values_of("pattern", (30, 50)).astype(float))
    lines = [f"30, 50, {places.nnz}"] + [" ".join(map(str, array))
                                         for array in (places.indptr, places.indices)]
    (folder / "in.smtx").write_text("\n".join(lines))
    copy("in.smtx", "out.mtx", folder)
    same("smtx", dense_of(scipy.io.mmread(folder / "out.mtx")), places.toarray())
    copy("in.smtx", "out.smtx", folder)
    found = (folder / "out.smtx").read_text().splitlines()
    if found != lines:
        raise harness.Failure(f"{found}, expected {lines}"[:500])


def check_integrals(folder):
    """All places of an FCIDUMP file that are equal by symmetry, against loops over them."""
    size = 5
    random = numpy.random.default_rng(size)
    two, one = numpy.zeros([size] * 4), numpy.zeros([size] * 2)
    lines = [f" &FCI NORB={size:4},NELEC=6,MS2=0,", "  ORBSYM=" + "1," * size, "  ISYM=1,", " &END"]
    pairs = [(i, j) for i in range(size) for j in range(i + 1)]
    for (i, j), (k, l) in itertools.combinations_with_replacement(pairs, 2):
        value = random.normal()
        lines.append(f" {float(value)!r} {k + 1} {l + 1} {i + 1} {j + 1}")
        for a, b, c, d in ((i, j, k, l), (k, l, i, j)):
            for place in ((a, b, c, d), (b, a, c, d), (a, b, d, c), (b, a, d, c)):
                two[place] = value
    for i, j in pairs:
        one[i, j] = one[j, i] = random.normal()
        lines.append(f" {float(one[i, j])!r} {i + 1} {j + 1} 0 0")
    (folder / "in.FCIDUMP").write_text("\n".join(lines + [" 0.5 0 0 0 0"]) + "\n")
    copy("in.FCIDUMP", "one.mtx", folder)
    same("one electron", dense_of(scipy.io.mmread(folder / "one.mtx")), one)
    (folder / "two.ta").write_text(
        "def main() {\n  IndexLabel [i, j, k, l] = [?];\n  Tensor<double> V([i, j, k, l], CSF);\n"
        '  V[i, j, k, l] = read("in.FCIDUMP");\n  write(V, "two.tns");\n}\n')
    harness.run_tool("run", "two.ta", folder=folder)
    table = numpy.loadtxt(folder / "two.tns")
    found = numpy.zeros([size] * 4)
    found[tuple(table[:, :4].astype(int).T - 1)] = table[:, 4]
    same("two electrons", found, two)


def twins():
    """The published Harwell-Boeing files whose matrix is there as Matrix Market, too."""
    folder = pathlib.Path(os.environ.get("STRATA_DATA", "/nowhere")) / "matrices"
    for boeing in sorted((folder / "hb").glob("*")):
        market = folder / (boeing.stem + ".mtx")
        if market.exists():
            yield boeing, market


def cases():
    for field, symmetry, layout, shape in itertools.product(FIELDS, SYMMETRIES, LAYOUTS, SIZES):
        if field == "pattern" and (layout == "array" or symmetry == "skew-symmetric"):
            continue
        if symmetry == "hermitian" and field != "complex":
            continue
        if symmetry != "general" and shape[0] != shape[1]:
            continue
        name = f"{layout} {field} {symmetry} {shape[0]} x {shape[1]}"
        yield name, functools.partial(check_matrix, field, symmetry, layout, shape)
    yield "integers of 64 bits", check_extremes
    for layout in LAYOUTS:
        yield f"vector {layout}", functools.partial(check_vector, layout)
    for sizes in ((8,), (5, 6), (4, 1, 5), (3, 4, 2, 5), (2, 3, 1, 2, 3, 2)):
        name = "FROSTT " + " x ".join(map(str, sizes))
        yield name, functools.partial(check_frostt, sizes)
    for shape, ending in itertools.product(((7, 7), (40, 40), (9, 5)), ("hb", "rua")):
        yield f"Harwell-Boeing {shape} {ending}", functools.partial(check_boeing, shape, ending)
    for boeing, market in twins():
        yield f"published {boeing.name}", functools.partial(check_twin, boeing, market)
    yield "gzip", check_compressed
    yield "smtx", check_smtx
    yield "integrals", check_integrals


if __name__ == "__main__":
    harness.main(cases())
