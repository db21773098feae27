"""NumPy's and SciPy's binary files: they write, Strata reads; and the other way round, bit by bit."""
import functools
import io
import itertools
import json
import zipfile

import numpy
import scipy.sparse

import harness

KINDS = {"?": "double", "i1": "int", "i2": "int", "i4": "int", "i8": "int64", "u1": "int",
         "u2": "int", "u4": "int64", "u8": "int64", "f2": "float", "f4": "float", "f8": "double",
         "c8": "complex", "c16": "complex"}
SHAPES = ((7,), (1,), (3, 5), (4, 1), (2, 3, 4), (2, 1, 3, 2))
SPARSE = ("csr", "csc", "coo", "bsr", "dia")


def values_of(shape, kind):
    """Random values that the type holds, some of them zero."""
    random = numpy.random.default_rng(len(shape) + ord(kind[0]))
    if kind[0] == "c":
        values = random.uniform(-1, 1, shape) + 1j * random.uniform(-1, 1, shape)
    elif kind[0] == "f":
        values = random.uniform(-1, 1, shape)
    elif kind == "?":
        values = random.uniform(size=shape) < 0.5
    else:
        info = numpy.iinfo(kind)
        values = random.integers(info.min, info.max, shape, dtype=kind, endpoint=True)
        if kind == "u8":
            values = values >> 1
    return numpy.where(random.uniform(size=shape) < 0.6, values, 0).astype(kind)


def program(shape, kind, source, results):
    """Reads a file into each of some formats, and writes each to a file of its own."""
    labels = ", ".join("ijkl"[:len(shape)])
    lines = [f"IndexLabel [{labels}] = [?];"]
    for number, (form, ending) in enumerate(results):
        lines += [f"Tensor<{kind}> T{number}([{labels}], {form});",
                  f'T{number}[{labels}] = read("{source}");',
                  f'write(T{number}, "{number}{ending}");']
    return "def main() {\n  " + "\n  ".join(lines) + "\n}\n"


def same(name, actual, expected):
    if actual.shape != expected.shape or not (actual == expected).all():
        raise harness.Failure(f"{name}: {actual.tolist()}, expected {expected.tolist()}"[:600])


def check_array(kind, shape, order, endian, version, folder):
    values = values_of(shape, kind).astype(endian + kind)
    with open(folder / "in.npy", "wb") as file:
        numpy.lib.format.write_array(file, numpy.asarray(values, order=order), version=version)
    sparse = {1: "SparseVector", 2: "CSR"}.get(len(shape), "CSF")
    (folder / "read.ta").write_text(program(shape, KINDS[kind], "in.npy",
                                            [("Dense", ".npy"), (sparse, ".npz")]))
    harness.run_tool("run", "read.ta", folder=folder)
    same("dense", numpy.load(folder / "0.npy"), values)
    if len(shape) == 2:
        same("sparse", scipy.sparse.load_npz(folder / "1.npz").toarray(), values)
    else:
        with numpy.load(folder / "1.npz") as arrays:
            found = numpy.zeros(tuple(arrays["shape"]), arrays["data"].dtype)
            found[tuple(arrays["coords"])] = arrays["data"]
        same("sparse", found, values)


def check_sparse(form, kind, compressed, folder):
    values = values_of((12, 8), kind)
    matrix = scipy.sparse.csr_matrix(values).asformat(form)
    if form == "bsr":
        matrix = scipy.sparse.csr_matrix(values).tobsr(blocksize=(3, 2))
    scipy.sparse.save_npz(folder / "in.npz", matrix, compressed=compressed)
    results = [("CSR", ".npz"), ("CSC", ".npz"), ("COO", ".npz"), ("Dense", ".npy")]
    (folder / "read.ta").write_text(program((12, 8), KINDS[kind], "in.npz", results))
    harness.run_tool("run", "read.ta", folder=folder)
    for number, name in enumerate(("csr", "csc", "coo")):
        result = scipy.sparse.load_npz(folder / f"{number}.npz")
        if result.format != name:
            raise harness.Failure(f"{name} was written as {result.format}")
        same(name, result.toarray(), values)
    same("dense", numpy.load(folder / "3.npy"), values)


def save_pydata(path, dense, compressed_axes=None, named=False):
    """What sparse.save_npz writes: COO, or GCXS with these rows; newer versions name the format."""
    at = numpy.nonzero(dense)
    arrays = dict(data=dense[at], shape=numpy.array(dense.shape),
                  fill_value=numpy.zeros((), dense.dtype))
    if named:
        arrays["format"] = numpy.array("coo" if compressed_axes is None else "gcxs")
    if compressed_axes is None:
        arrays["coords"] = numpy.array(at)
    else:
        axes = list(compressed_axes) + [d for d in range(dense.ndim) if d not in compressed_axes]
        rows = int(numpy.prod([dense.shape[d] for d in compressed_axes]))
        matrix = scipy.sparse.csr_matrix(dense.transpose(axes).reshape(rows, -1))
        arrays.update(data=matrix.data, indices=matrix.indices, indptr=matrix.indptr,
                      compressed_axes=numpy.array(compressed_axes, numpy.int64))
    numpy.savez_compressed(path, **arrays)


def check_pydata(shape, axes, named, folder):
    values = values_of(shape, "f8")
    save_pydata(folder / "in.npz", values, axes, named)
    (folder / "read.ta").write_text(program(shape, "double", "in.npz", [("Dense", ".npy")]))
    harness.run_tool("run", "read.ta", folder=folder)
    same("dense", numpy.load(folder / "0.npy"), values)


def check_pydata_fill(folder):
    """A format's name does not hide what the rest is worth."""
    numpy.savez(folder / "in.npz", data=[1.0, 3.0], coords=numpy.array([[0, 1], [1, 0]]),
                shape=numpy.array((2, 2)), fill_value=numpy.array(2.5), format=numpy.array("coo"))
    harness.run_tool("convert", "in.npz", "out.npy", "--format=Dense", folder=folder)
    same("fill", numpy.load(folder / "out.npy"), numpy.array([[2.5, 1.0], [3.0, 2.5]]))


def check_scipy_orders(folder):
    """Vectors of csr and coo, tensors of coo, as newer versions of SciPy write them."""
    vector, tensor = values_of((9,), "f8"), values_of((2, 3, 4), "i4")
    at, = numpy.nonzero(vector)
    name = numpy.array(b"csr")
    numpy.savez(folder / "csr.npz", format=name, _is_array=True, shape=numpy.array([9]),
                indptr=numpy.array([0, at.size]), indices=at, data=vector[at])
    numpy.savez(folder / "coo.npz", format=numpy.array(b"coo"), _is_array=True,
                shape=numpy.array([9]), coords=at[numpy.newaxis], data=vector[at])
    places = numpy.nonzero(tensor)
    numpy.savez(folder / "tensor.npz", format=numpy.array(b"coo"), _is_array=True,
                shape=numpy.array(tensor.shape), coords=numpy.array(places), data=tensor[places])
    for source, expected in (("csr", vector), ("coo", vector), ("tensor", tensor)):
        harness.run_tool("check", f"{source}.npz", folder=folder)
        harness.run_tool("convert", f"{source}.npz", "out.npy", "--format=Dense", folder=folder)
        found = numpy.load(folder / "out.npy")
        same(source, found, expected)
        if found.dtype != expected.dtype:
            raise harness.Failure(f"{source}: {found.dtype}, expected {expected.dtype}")


FILLED = """def main() {{
  IndexLabel [i, j] = [?];
  Tensor<{type}> A([i, j], {{{form}, fill = {fill}}});
  Tensor<{type}> D([i, j], Dense);
  Tensor<{type}> S([i, j], CSC);
  A[i, j] = read("in.npz");
  D[i, j] = read("in.npz");
  S[i, j] = A[i, j] * 3;
  write(D, "read.npy");
  write(S, "made.bsp.h5");
}}
"""


def check_fill(kind, word, fill, form, folder):
    """A file that is worth something where it stores nothing, and one that is written so."""
    dense = numpy.full((5, 7), fill, kind)
    dense[[0, 2, 2, 4], [1, 0, 6, 3]] = [5, 7, 0, 9]
    at = numpy.nonzero(dense != fill)
    numpy.savez(folder / "in.npz", data=dense[at], coords=numpy.array(at),
                shape=numpy.array(dense.shape), fill_value=numpy.array(fill, kind))
    (folder / "fill.ta").write_text(FILLED.format(type=word, form=form, fill=fill))
    harness.run_tool("run", "fill.ta", folder=folder)
    harness.run_tool("run", "--check", "fill.ta", folder=folder)
    same("dense", numpy.load(folder / "read.npy"), dense)
    info = json.loads(harness.run_tool("info", "--json", "made.bsp.h5", folder=folder))
    if info["fill"] != [3 * fill, 0] or info["stored"] != at[0].size:
        raise harness.Failure(f"made.bsp.h5: {info}")
    for name in ("BCSR:2x2", "COO"):
        harness.run_tool("convert", "made.bsp.h5", "again.bsp.h5", f"--format={name}", folder=folder)
        harness.run_tool("convert", "again.bsp.h5", "again.npy", "--format=Dense", folder=folder)
        same(name, numpy.load(folder / "again.npy"), 3 * dense)


def check_other_fill(folder):
    """What neither the tensor nor the file can say is refused."""
    numpy.savez(folder / "in.npz", data=[1.0], coords=numpy.array([[0], [1]]),
                shape=numpy.array((2, 2)), fill_value=numpy.array(2.5))
    for word, fill, what in (("double", 0, "expected 'fill = 2.5' in its format, or Dense"),
                             ("int", 1, "has elements of type i32")):
        (folder / "other.ta").write_text(FILLED.format(type=word, form="CSR", fill=fill))
        outcome = harness.result_of("run", "other.ta", folder=folder)
        if outcome.returncode != 1 or what not in outcome.stderr:
            raise harness.Failure(f"'{what}' is not in: {outcome.stderr}")
    for arguments, what in ((("in.npz", "out.mtx"), "binsparse (.bsp.h5), or a Dense tensor"),
                            (("in.npz", "out.bsp.h5", "--format=CSR, fill = 1"),
                             "which is not that of the format")):
        outcome = harness.result_of("convert", *arguments, folder=folder)
        if outcome.returncode == 0 or what not in outcome.stderr:
            raise harness.Failure(f"'{what}' is not in: {outcome.stderr}")


def check_zip64(folder):
    """An archive whose directory has 64-bit sizes, as for members of more than 4 GB."""
    values = values_of((4, 6), "f8")
    matrix = scipy.sparse.csr_matrix(values)
    limit, zipfile.ZIP64_LIMIT = zipfile.ZIP64_LIMIT, 10
    try:
        scipy.sparse.save_npz(folder / "in.npz", matrix)
    finally:
        zipfile.ZIP64_LIMIT = limit
    (folder / "read.ta").write_text(program((4, 6), "double", "in.npz", [("Dense", ".npy")]))
    harness.run_tool("run", "read.ta", folder=folder)
    same("dense", numpy.load(folder / "0.npy"), values)


def damaged(data, random):
    """The file cut at every byte if it is short, and with some bytes changed."""
    for length in range(len(data)) if len(data) < 1500 else random.integers(0, len(data), 100):
        yield data[:length]
    for _ in range(300):
        changed = bytearray(data)
        for at in random.integers(0, len(data), random.integers(1, 4)):
            changed[at] = random.choice([0, 1, 0x7f, 0xff, random.integers(256)])
        yield bytes(changed)


def check_refusals(folder):
    """What cannot be read is refused with a reason."""
    matrix = scipy.sparse.csr_matrix(values_of((4, 6), "f8"))

    def arrays(**changes):
        content = dict(format=b"csr", shape=numpy.array(matrix.shape), data=matrix.data,
                       indices=matrix.indices, indptr=matrix.indptr)
        content.update(changes)
        buffer = io.BytesIO()
        numpy.savez(buffer, **{k: v for k, v in content.items() if v is not None})
        return buffer.getvalue()

    def with_element(array, at, value):
        copy = array.astype(numpy.int64)
        copy[at] = value
        return copy

    def array(values):
        buffer = io.BytesIO()
        numpy.save(buffer, values, allow_pickle=True)
        return buffer.getvalue()

    mistakes = [
        (arrays(indices=with_element(matrix.indices, 2, 6)), "element 2 of 'indices' is 6; "
         "expected from 0 to 5"),
        (arrays(indices=with_element(matrix.indices, 0, -1)), "element 0 of 'indices' is -1"),
        (arrays(indptr=with_element(matrix.indptr, 0, 1)), "element 0 of 'indptr' is 1; expected 0"),
        (arrays(indptr=with_element(matrix.indptr, 2, 0)), "element 2 of 'indptr' is 0; expected at "
         "least"),
        (arrays(indptr=with_element(matrix.indptr, -1, 10**12)), "the end of the indices"),
        (arrays(indptr=matrix.indptr[:-1]), "'indptr' has 4 elements; expected 5"),
        (arrays(shape=numpy.array([2**40, 6])), f"'indptr' has 5 elements; expected {2**40 + 1}"),
        (arrays(shape=numpy.array([-4, 6])), "element 0 of 'shape' is -4"),
        (arrays(shape=numpy.array([4, 6, 1])), "'shape' has 3 elements"),
        (arrays(data=matrix.data[1:]), "'data' has"),
        (arrays(data=None), "has no array 'data'"),
        (arrays(format=b"lil"), "format is 'lil'"),
        (arrays(format=None), "holds no sparse tensor"),
        (array(numpy.zeros(3, dtype=[("a", "f8"), ("b", "i4")])), "structured type"),
        (array(numpy.array([None, 1], dtype=object)), "Python objects"),
        (array(numpy.zeros(2, dtype="M8[s]")), "type '<M8[s]'"),
        (array(numpy.zeros(2, dtype=numpy.longdouble)), "type '<f16'"),
        (array(numpy.array(["a", "b"])), "are texts"),
        (array(numpy.zeros(8))[:-1], "has 63 bytes of elements; expected 8 elements of 8 bytes"),
        (b"\x93NUMPY\x04\x00" + array(numpy.zeros(2))[8:], "version 4"),
    ]
    for number, (data, text) in enumerate(mistakes):
        (folder / "bad").write_bytes(data)
        outcome = harness.result_of("info", "bad", folder=folder)
        if outcome.returncode != 1 or text not in outcome.stderr:
            raise harness.Failure(f"mistake {number}: '{text}' is not in: {outcome.stderr}")


def check_damage(name, folder):
    random = numpy.random.default_rng(3)
    values = values_of((4, 6), "f8")
    if name == "npy":
        numpy.save(folder / "in.npy", values)
    else:
        scipy.sparse.save_npz(folder / "in.npz", scipy.sparse.csr_matrix(values),
                              compressed=name == "npz deflated")
    data = (folder / ("in.npy" if name == "npy" else "in.npz")).read_bytes()
    return harness.survives(damaged(data, random), folder)


def cases():
    for kind, shape in itertools.product(KINDS, SHAPES):
        name = f"npy {kind} {'x'.join(map(str, shape))}"
        yield name, functools.partial(check_array, kind, shape, "C", "<", None)
    for order, endian, version in itertools.product("CF", "<>", ((1, 0), (2, 0), (3, 0))):
        for kind, shape in itertools.product(("f8", "c16", "i4"), ((3, 5), (2, 3, 4))):
            name = f"npy {kind} {len(shape)}-d {order} {endian} version {version[0]}"
            yield name, functools.partial(check_array, kind, shape, order, endian, version)
    for form, kind, compressed in itertools.product(SPARSE, ("f8", "f4", "i8", "c16"),
                                                    (False, True)):
        name = f"npz {form} {kind} {'deflated' if compressed else 'plain'}"
        yield name, functools.partial(check_sparse, form, kind, compressed)
    shapes = (((9,), None), ((9,), ()), ((3, 4), None), ((3, 4), (1,)), ((2, 3, 4), None),
              ((2, 3, 4), (0,)), ((2, 3, 4), (1, 2)), ((2, 3, 4), (2, 0)), ((2, 3, 2, 3), (3, 1)))
    for (shape, axes), named in itertools.product(shapes, (False, True)):
        name = f"PyData {'COO' if axes is None else f'GCXS {axes}'} {len(shape)}-d"
        yield f"{name}{' named' if named else ''}", functools.partial(check_pydata, shape, axes, named)
    yield "PyData fill", check_pydata_fill
    yield "SciPy of other orders", check_scipy_orders
    for kind, word, fill in (("f8", "double", 2.5), ("i4", "int", -3), ("f4", "float", 1)):
        for form in ("CSR", "DCSR", "BCSR:2x2", "HYB:1"):
            yield f"fill {kind} {form}", functools.partial(check_fill, kind, word, fill, form)
    yield "other fill", check_other_fill
    yield "zip64", check_zip64
    yield "refusals", check_refusals
    for name in ("npy", "npz plain", "npz deflated"):
        yield f"damaged {name}", functools.partial(check_damage, name)


if __name__ == "__main__":
    harness.main(cases())
