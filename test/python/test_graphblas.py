"""Masked statements against SuiteSparse:GraphBLAS itself: 400 drawn ones whose meaning is the same in
both, matrix products, unions, intersections and functions, with the accumulators that GraphBLAS has."""
import ctypes
import ctypes.util
import itertools
import random
import sys

import numpy
import scipy.io
import scipy.sparse

import harness

SIZE = 7
STATEMENTS, TOGETHER = 400, 20  # in all, and in one program
MASKS = ("CSR", "CSC", "DCSR", "COO", "DOK", "Dense", "dense, hashed", "BCSR:2x3", "CSB:4", "DIA")
FORMATS = MASKS + ("HYB",)
PADDED = ("BCSR:2x3", "DIA", "HYB")  # where zeros are not there

# Right sides: in the language, and as a call.
KINDS = {
    "product": ("A[i, k] * B[k, j]", ("mxm", "GrB_PLUS_TIMES_SEMIRING_FP64")),
    "semiring": ("A[i, k] @(+,*) B[k, j]", ("mxm", "GrB_PLUS_TIMES_SEMIRING_FP64")),
    "paths": ("A[i, k] @(min,+) B[k, j]", ("mxm", "GrB_MIN_PLUS_SEMIRING_FP64")),
    "pairs": ("A[i, k] @(+,pair) B[k, j]", ("mxm", "GxB_PLUS_PAIR_FP64")),
    "union": ("A[i, j] @(+) B[i, j]", ("add", "GrB_PLUS_FP64")),
    "least": ("A[i, j] @(min) B[i, j]", ("add", "GrB_MIN_FP64")),
    "both": ("A[i, j] @(any,*) B[i, j]", ("mult", "GrB_TIMES_FP64")),
    "negated": ("-A[i, j]", ("apply", "GrB_AINV_FP64")),
    "copied": ("A[i, j]", ("apply", "GrB_IDENTITY_FP64")),
}
# `-=` and `*=` combine with the fill where nothing is stored, which GraphBLAS does not.
ACCUMULATORS = {"=": None, "+=": "GrB_PLUS_FP64", "min=": "GrB_MIN_FP64", "max=": "GrB_MAX_FP64"}


class GraphBLAS:
    """The functions of the library that are needed here, for matrices of doubles."""

    def __init__(self, name):
        self.library = ctypes.CDLL(name)
        self.call("GrB_init", 1)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            raise harness.Failure(f"{name} gives {status}")

    def named(self, name):
        return ctypes.c_void_p.in_dll(self.library, name) if name else None

    def matrix(self, entries):
        """A matrix of these entries, {(i, j): value}."""
        made = ctypes.c_void_p()
        self.call("GrB_Matrix_new", ctypes.byref(made), self.named("GrB_FP64"),
                  ctypes.c_uint64(SIZE), ctypes.c_uint64(SIZE))
        count = len(entries)
        rows = (ctypes.c_uint64 * count)(*(at[0] for at in entries))
        columns = (ctypes.c_uint64 * count)(*(at[1] for at in entries))
        values = (ctypes.c_double * count)(*entries.values())
        self.call("GrB_Matrix_build_FP64", made, rows, columns, values, ctypes.c_uint64(count),
                  self.named("GrB_PLUS_FP64"))
        return made

    def entries(self, matrix):
        count = ctypes.c_uint64()
        self.call("GrB_Matrix_nvals", ctypes.byref(count), matrix)
        rows, columns = (ctypes.c_uint64 * count.value)(), (ctypes.c_uint64 * count.value)()
        values = (ctypes.c_double * count.value)()
        self.call("GrB_Matrix_extractTuples_FP64", rows, columns, values, ctypes.byref(count),
                  matrix)
        return {(int(i), int(j)): x for i, j, x in zip(rows, columns, values)}

    def run(self, statement, a, b, mask, c):
        """What the statement makes of c."""
        kind, operator = KINDS[statement.kind][1]
        a, b, mask, c = map(self.matrix, (a, b, mask, c))
        accumulate = self.named(ACCUMULATORS[statement.assign])
        letters = "R" * statement.replace + "S" * statement.structural + "C" * statement.complement
        descriptor = self.named(f"GrB_DESC_{letters}" if letters else None)
        operator = self.named(operator)
        if kind == "apply":
            self.call("GrB_Matrix_apply", c, mask, accumulate, operator, a, descriptor)
        else:
            name = {"mxm": "GrB_mxm", "add": "GrB_Matrix_eWiseAdd_BinaryOp",
                    "mult": "GrB_Matrix_eWiseMult_BinaryOp"}[kind]
            self.call(name, c, mask, accumulate, operator, a, b, descriptor)
        result = self.entries(c)
        for matrix in (a, b, mask, c):
            self.call("GrB_Matrix_free", ctypes.byref(matrix))
        return result


class Statement:
    def __init__(self, draw):
        self.kind = draw.choice(list(KINDS))
        self.assign = draw.choice(["=", "="] + list(ACCUMULATORS))
        self.complement, self.structural, self.replace = (draw.random() < 0.5 for _ in range(3))
        self.way = draw.choice(["", ", push", ", pull"])
        self.result, self.mask = draw.choice(FORMATS), draw.choice(MASKS)
        self.c, self.m = draw.randrange(3), draw.randrange(3)

    def text(self):
        words = ", structural" * self.structural + ", replace" * self.replace + self.way
        return (f"C[i, j]<{'!' * self.complement}M{words}> {self.assign} "
                f"{KINDS[self.kind][0]}")

    def lines(self, number):
        """The statement's part of a program; names end in its number."""
        return (f"  Tensor<double> C{number}([i, j], {{{self.result}}});\n"
                f"  Tensor<double> M{number}([i, j], {{{self.mask}}});\n"
                f"  C{number}[i, j] = read(\"C{self.c}.mtx\");\n"
                f"  M{number}[i, j] = read(\"M{self.m}.mtx\");\n"
                f"  {self.text().replace('C[', f'C{number}[').replace('M', f'M{number}')};\n"
                f"  write(C{number}, \"out{number}.mtx\");\n")

    def expected(self, graph, matrices):
        def stored(name, form):
            entries = dict(matrices[name])
            if form in PADDED:
                return {at: value for at, value in entries.items() if value != 0}
            if form == "Dense":
                return {at: entries.get(at, 0.0) for at in ALL}
            return entries
        result = graph.run(self, matrices["A"], matrices["B"], stored(f"M{self.m}", self.mask),
                           stored(f"C{self.c}", self.result))
        if self.result == "Dense":
            empty = numpy.inf if self.kind == "paths" else 0.0
            return {at: result.get(at, empty) for at in ALL}
        return without_zeros(result) if self.result in PADDED else result


ALL = list(itertools.product(range(SIZE), range(SIZE)))


def without_zeros(entries):
    return {at: value for at, value in entries.items() if value != 0}


def made(draw):
    """Few, some and many entries; some of them zeros."""
    densities = {"A": 0.3, "B": 0.3, "C0": 0.3, "C1": 0.6, "C2": 0.1, "M0": 0.2, "M1": 0.5, "M2": 0.8}
    matrices = {}
    for name, density in densities.items():
        zeros = 0.3 if name[0] == "M" else 0.0
        matrices[name] = {at: 0.0 if draw.random() < zeros else float(draw.randint(1, 9))
                          for at in ALL if draw.random() < density}
    return matrices


def write(folder, name, entries):
    with open(folder / f"{name}.mtx", "w") as file:
        file.write(f"%%MatrixMarket matrix coordinate real general\n{SIZE} {SIZE} {len(entries)}\n")
        for (i, j), value in entries.items():
            file.write(f"{i + 1} {j + 1} {value}\n")


def found(path):
    matrix = scipy.io.mmread(path)
    if scipy.sparse.issparse(matrix):
        matrix = matrix.tocoo()
        return {(int(i), int(j)): x for i, j, x in zip(matrix.row, matrix.col, matrix.data)}
    return {at: matrix[at] for at in ALL}


def compared(graph, first):
    def run(folder):
        draw = random.Random(first)
        matrices = made(draw)
        for name, entries in matrices.items():
            write(folder, name, entries)
        statements = [Statement(draw) for _ in range(TOGETHER)]
        program = ("def main() {\n  IndexLabel [i, j, k] = [7];\n"
                   "  Tensor<double> A([i, k], CSR);\n  Tensor<double> B([k, j], CSR);\n"
                   '  A[i, k] = read("A.mtx");\n  B[k, j] = read("B.mtx");\n')
        program += "".join(one.lines(number) for number, one in enumerate(statements)) + "}\n"
        (folder / "program.ta").write_text(program)
        harness.run_tool("run", "--force", "program.ta", folder=folder)
        for number, one in enumerate(statements):
            wanted, result = one.expected(graph, matrices), found(folder / f"out{number}.mtx")
            if one.result in PADDED:
                result = without_zeros(result)
            if result != wanted:
                at = sorted(set(result.items()) ^ set(wanted.items()))[:4]
                raise harness.Failure(
                    f"statement {number}, {one.text()}, C {one.c} in {one.result}, M {one.m} in "
                    f"{one.mask}: strata {[(p, result.get(p)) for p, _ in at]}, GraphBLAS "
                    f"{[(p, wanted.get(p)) for p, _ in at]}")
        return f"{len(statements)} statements agree"
    return f"statements {first} to {first + TOGETHER - 1}", run


if __name__ == "__main__":
    found_library = ctypes.util.find_library("graphblas")
    if not found_library:
        print("skipped: no libgraphblas\n0 passed, 0 failed, 1 skipped")
        sys.exit(harness.SKIPPED)
    graphblas = GraphBLAS(found_library)
    harness.main([compared(graphblas, first) for first in range(0, STATEMENTS, TOGETHER)])
