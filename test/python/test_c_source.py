"""C source of kernels: compiled as C99 without a warning, and compared with the machine code of the
same statements, buffer by buffer, on the same operands."""
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy
import scipy.sparse

import harness

sys.path.append(os.path.join(os.environ["STRATA_SOURCE"], "benchmark"))
import kernels  # noqa: E402

BUILD = pathlib.Path(harness.TOOL).parents[1]
COMPILERS = [name for name in ("cc", "gcc", "clang", "clang-22") if shutil.which(name)]
SIZES = {"i": 37, "j": 41, "k": 29, "l": 8, "expf": 5}


def random(rows, columns, seed, kind):
    """Some rows are empty, some long; no entry is zero."""
    draw = numpy.random.default_rng(seed)
    count = rows * columns // 12
    places = (rows * draw.uniform(0, 1, count)**2).astype(int), draw.integers(0, columns, count)
    matrix = scipy.sparse.coo_matrix((numpy.ones(count), places), (rows, columns)).tocsr()
    matrix.sum_duplicates()
    return scipy.sparse.csr_matrix((values(matrix.nnz, seed, kind), matrix.indices, matrix.indptr),
                                   matrix.shape)


def values(shape, seed, kind):
    draw = numpy.random.default_rng(seed)
    if numpy.dtype(kind).kind == "u":
        return draw.integers(1, numpy.iinfo(kind).max, shape, kind)
    if numpy.dtype(kind).kind == "i":
        return draw.integers(1, 100, shape).astype(kind)
    if kind is numpy.bool_:
        return draw.integers(0, 2, shape).astype(kind)
    numbers = draw.uniform(-1, 1, shape)
    return (numbers + 1j * draw.uniform(-1, 1, shape) if kind is complex else numbers).astype(kind)


def stored(form, matrix):
    """The arrays of a format's levels, then the values."""
    words = [matrix.indptr.astype(numpy.int32), matrix.indices.astype(numpy.int32)]
    if form == "CSR":
        return [*words, matrix.data]
    if form == "COO":
        rows = numpy.repeat(numpy.arange(matrix.shape[0], dtype=numpy.int32), numpy.diff(words[0]))
        return [numpy.array([0, matrix.nnz], numpy.int32), rows, words[1], matrix.data]
    if form == "DCSR":
        rows = numpy.flatnonzero(numpy.diff(words[0])).astype(numpy.int32)
        return [numpy.array([0, rows.size], numpy.int32), rows,
                numpy.append(words[0][rows], words[0][-1]), words[1], matrix.data]
    padded = scipy.sparse.csr_matrix(matrix)
    padded.resize([-(-size // 4) * 4 for size in matrix.shape])
    blocks = padded.tobsr((4, 4))
    blocks.sort_indices()
    return [blocks.indptr.astype(numpy.int32), blocks.indices.astype(numpy.int32),
            numpy.ascontiguousarray(blocks.data).reshape(-1)]


# Name: the statement, the formats of what is sparse, the type of values, further options.
CASES = {
    "CSR": ("y(i) = A(i,j) * x(j)", {"A": "CSR"}, float),
    "COO": ("y(i) = A(i,j) * x(j)", {"A": "COO"}, float),
    "DCSR": ("y(i) = A(i,j) * x(j)", {"A": "DCSR"}, float),
    "BCSR": ("y(i) = A(i,j) * x(j)", {"A": "BCSR"}, float),
    "BCSR times dense": ("Y(i,l) = A(i,j) * X(j,l)", {"A": "BCSR"}, float),
    "float": ("y(i) = A(i,j) * x(j)", {"A": "CSR"}, numpy.float32),
    "complex": ("y(i) = A(i,j) * x(j)", {"A": "CSR"}, complex),
    "complex sum": ("R(i,j) = A(i,j) + B(i,j)", {"A": "CSR", "B": "CSR", "R": "CSR"}, complex),
    "bool": ("R(i,j) = A(i,j) + B(i,j)", {"A": "CSR", "B": "CSR", "R": "CSR"}, numpy.bool_),
    "int8": ("y(i) = A(i,j) * x(j)", {"A": "CSR"}, numpy.int8),
    "int32": ("y(i) = A(i,j) * x(j)", {"A": "CSR"}, numpy.int32),
    "int64": ("y(i) = A(i,j) * x(j) - 3", {"A": "COO"}, numpy.int64),
    "sum": ("R(i,j) = A(i,j) + B(i,j)", {"A": "CSR", "B": "CSR", "R": "CSR"}, float),
    "sum of two formats": ("R(i,j) = A(i,j) - B(i,j)", {"A": "CSR", "B": "COO", "R": "DCSR"}, float),
    "sum of three": ("R(i,j) = A(i,j) + B(i,j) + C(i,j)",
                     {"A": "CSR", "B": "DCSR", "C": "COO", "R": "COO"}, float),
    "product of entries": ("R(i,j) = A(i,j) * B(i,j)", {"A": "CSR", "B": "CSR", "R": "CSR"}, float),
    "product": ("R(i,k) = A(i,j) * D(j,k)", {"A": "CSR", "D": "CSR", "R": "CSR"}, float),
    "product to lists": ("R(i,k) = A(i,j) * D(j,k)", {"A": "DCSR", "D": "CSR", "R": "DCSR"}, float),
    "sampled": ("R(i,j) = A(i,j) * P(i,l) * Q(l,j)", {"A": "CSR", "R": "CSR"}, float),
    "phases": ("R(i,k) = A(i,j) * D(j,k)", {"A": "CSR", "D": "CSR", "R": "CSR"}, float, "--phases"),
    "functions": ("y(i) = sqrt(abs(x(i))) + exp(x(i)) - pow(2, x(i)) * min(x(i), 0.5)", {}, float),
    "hashed": ("R(i,j) = A(i,j) * 2", {"A": "CSR", "R": "DOK"}, float),
    "runs": ("R(i,j) = A(i,j) / A(i,j)", {"A": "CSR", "R": "RLE"}, float),
    "runs of floats": ("R(i,j) = A(i,j) / A(i,j)", {"A": "CSR", "R": "RLE"}, numpy.float32),
    "names of C": ("y(expf) = exp(x(expf))", {}, numpy.float32),
    # Constants that have a sign in as many bits.
    **{f"{word}, {name}": ("y(i) = " + text.format(f"{word}({numpy.iinfo(kind).max // 5 * 4})",
                                                   f"{word}(3)"), {}, kind)
       for word, kind in (("uint8", numpy.uint8), ("uint16", numpy.uint16),
                          ("uint32", numpy.uint32), ("uint64", numpy.uint64))
       for name, text in (("greatest", "max(x(i), {0})"), ("least", "min(x(i), {0})"),
                          ("compared", "where(x(i) <= {0}, {0}, x(i))"),
                          ("chosen", "max(where(x(i) < A(i), {0}, {1}), x(i))"),
                          ("scaled", "x(i) - {0} * A(i)"))},
}
WORDS = {float: "double", numpy.float32: "float", complex: "complex", numpy.bool_: "bool",
         numpy.int8: "int8", numpy.int32: "int32", numpy.int64: "int64", numpy.uint8: "uint8",
         numpy.uint16: "uint16", numpy.uint32: "uint32", numpy.uint64: "uint64"}
# What the buffers of a result hold before the values.
LEVELS = {"Dense": [], "CSR": [numpy.int32] * 2, "DCSR": [numpy.int32] * 4,
          "COO": [numpy.int32] * 3, "RLE": [numpy.int32] * 3,
          "DOK": [numpy.int64, numpy.int32, numpy.int64, *[numpy.int32] * 3] * 2}


def accesses(statement):
    """Tensors and their indices, the result's first."""
    found = dict(re.findall(r"\b([A-Zxy])\(([a-z,]+)\)", statement))
    return {name: indices.split(",") for name, indices in found.items()}


def options(statement, formats, kind, *further):
    tensors = accesses(statement)
    return [statement, *(f"-f={name}:{form}" for name, form in formats.items()),
            *(f"-t={name}:{WORDS[kind]}" for name in tensors), "--widths=32", *further]


def storages(tensors, formats, kind):
    """Of the operands."""
    result = []
    for number, (name, indices) in enumerate(list(tensors.items())[1:]):
        shape = [SIZES[index] for index in indices]
        arrays = (stored(formats[name], random(*shape, number, kind)) if name in formats
                  else [values(shape, number, kind).reshape(-1)])
        result.append(kernels.storage(shape, [kernels.aligned(array) for array in arrays]))
    return result


def buffers(call):
    """What the result holds."""
    kinds = {code: kind for kind, code in kernels.ELEMENT_TYPES.items()}
    for buffer in call.result.buffers[:call.result.buffer_count]:
        kind = kinds[buffer.type]
        yield numpy.frombuffer(ctypes.string_at(buffer.data, buffer.count * kind.itemsize), kind)


def compare(name, written, compiled):
    for number, (ours, theirs) in enumerate(zip(buffers(written), buffers(compiled))):
        exact = ours.dtype.kind not in "fc"
        if ours.shape != theirs.shape or not (numpy.array_equal(ours, theirs) if exact else
                                              numpy.allclose(ours, theirs, 1e-5, 1e-6)):
            raise harness.Failure(f"{name}: buffer {number} holds {ours}, machine code {theirs}")
    return sum(array.size for array in buffers(written))


def build(folder, arguments, names):
    """The C source and the machine code in one library; the source's kernels are called c_…"""
    if harness.is_instrumented():
        raise harness.Skip("the runtime is instrumented, and cannot be loaded into Python")
    for stage, file in (("c", "k.c"), ("obj", "k.o")):
        harness.run_tool("emit", f"--stage={stage}", "-o", file, *arguments, folder=folder)
    compiled = subprocess.run(
        [COMPILERS[0], "-std=c99", "-pedantic", "-Wall", "-Werror", "-O1", "-fPIC", "-c",
         f"-I{os.environ['STRATA_SOURCE']}", *(f"-D{name}=c_{name}" for name in names), "k.c", "-o",
         "c.o"], cwd=folder, capture_output=True, text=True)
    if compiled.returncode != 0:
        raise harness.Failure(f"{COMPILERS[0]}: {compiled.stderr[:1500]}")
    cache = (BUILD / "CMakeCache.txt").read_text()
    linker = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.MULTILINE).group(1)
    subprocess.run([linker, "-shared", "-fuse-ld=lld", "-o", "k.so", "c.o", "k.o",
                    "-Wl,-u,strata_context_initialize", BUILD / "lib" / "libstrata_runtime.a",
                    "-ltbb", "-lsleef", "-lm"], cwd=folder, check=True)
    return kernels.Library(folder / "k.so")


def agrees(folder, statement, formats, kind, *further):
    if not COMPILERS:
        raise harness.Skip("there is no C compiler")
    tensors = accesses(statement)
    result = next(iter(tensors))
    arguments = options(statement, formats, kind, *further)
    header = harness.run_tool("emit", "--stage=header", *arguments, folder=folder)
    extents = [SIZES[name] for name in re.search(r"Extents: of (.*)", header)[1].split(", ")]
    names = re.findall(r"int32_t (kernel_\w+)\(", header)
    library = build(folder, arguments, names)
    operands = storages(tensors, formats, kind)
    shape = [SIZES[index] for index in tensors[result]]
    form = formats.get(result, "Dense")
    calls = []
    for prefix in ("c_", ""):
        held = kernels.storage(shape, [numpy.empty(0, dtype) for dtype in [*LEVELS[form], kind]])
        calls.append(None)
        for name in [names[0], *names[1:]]:  # all in one, or first the pattern, then the values
            calls[-1] = kernels.Call(getattr(library.library, prefix + name), library.context, held,
                                     operands, extents)
            calls[-1].run()
    return f"{compare(statement, *calls)} numbers"


def overflowing(folder):
    """Sizes whose product 63 bits do not count, of a result and of an operand."""
    if not COMPILERS:
        raise harness.Skip("there is no C compiler")
    size = 2**32
    words = [numpy.array(array) for array in ([0, 1], [size - 1], [0, 1], [size - 1])]
    for statement, shapes in (("Y(i,j) = A(i,j)", (2, 2)), ("y(i) = A(i,j) * B(i,j)", (1, 2, 2))):
        own = folder / str(len(shapes))
        own.mkdir()
        options = [statement, "-f=A:DCSR", "--widths=64"]
        names = re.findall(r"int32_t (kernel_\w+)\(",
                           harness.run_tool("emit", "--stage=header", *options, folder=own))
        library = build(own, options, names)
        result, first, *others = ([size] * order for order in shapes)
        values = [kernels.aligned(numpy.ones(1))]
        operands = [kernels.storage(first, [*map(kernels.aligned, words), *values]),
                    *(kernels.storage(other, values) for other in others)]
        for prefix in ("c_", ""):
            call = kernels.Call(getattr(library.library, prefix + names[0]), library.context,
                                kernels.storage(result, [numpy.empty(0)]), operands, [size, size])
            try:
                call.run()
            except RuntimeError as error:
                if "has more places than 63 bits count" in str(error):
                    continue
                raise
            raise harness.Failure(f"{statement}: {size} x {size} places are made")
    return "refused"


def refused(folder, kind):
    process = harness.result_of("emit", "--stage=c", "y(i) = A(i,j) * x(j)", "-f=A:CSR",
                                *(f"-t={name}:{kind}" for name in "yAx"), folder=folder)
    if process.returncode != 1 or "the kernel cannot be written in C99" not in process.stderr:
        raise harness.Failure(f"{process.returncode}: {process.stderr}")


def cases():
    for name, case in CASES.items():
        yield name, lambda folder, case=case: agrees(folder, *case)
    yield "overflowing sizes", overflowing
    for kind in ("float16", "bfloat16"):
        yield f"{kind} refused", lambda folder, kind=kind: refused(folder, kind)


if __name__ == "__main__":
    harness.main(cases())
