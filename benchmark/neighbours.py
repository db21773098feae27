"""Statements one step beside a fast one: what an epilogue, a factor, a mask, another type, format
or order costs beside the bare kernel and beside what the extra term reads."""
import re
import time

import numpy
import scipy.sparse

LIMIT = 1.2

# By family: the bare kernel, and its neighbours: a name, the statement, and what else there is to
# say (the dtype of all operands, formats of operands, of the result, statements it is the sum of).
FAMILIES = {
    "spmv": ("y(i) = A(i,j) * x(j)", [
        ("bias", "y(i) = b(i) + A(i,j) * x(j)"),
        ("difference", "y(i) = b(i) - A(i,j) * x(j)"),
        ("axpby", "y(i) = alpha * A(i,j) * x(j) + beta * b(i)"),
        ("relu", "y(i) = max(0, A(i,j) * x(j))"),
        ("exp", "y(i) = exp(A(i,j) * x(j))"),
        ("row factor", "y(i) = A(i,j) * x(j) * b(i)"),
        ("column factor", "y(i) = A(i,j) * x(j) * w(j)"),
        ("by row's sum", "y(i) = A(i,j) * x(j) / sum(j, A(i,j))"),
        ("abs of matrix", "y(i) = abs(A(i,j)) * x(j)"),
        ("sqrt of matrix", "y(i) = sqrt(abs(A(i,j))) * x(j)"),
        ("square of matrix", "y(i) = pow(A(i,j), 2) * x(j)"),
        ("sum of vectors", "y(i) = A(i,j) * (x(j) + w(j))"),
        ("two matrices", "y(i) = (A(i,j) + A(i,j)) * x(j)"),
        ("scaled sum", "y(i) = 2 * sum(j, A(i,j) * x(j)) + 1"),
        ("mask", "y(i)<m(i)> = A(i,j) * x(j)"),
        ("greatest", "y(i) = max(j, A(i,j) * x(j))"),
        ("least sum", "y(i) = min(j, A(i,j) + x(j))"),
        ("transposed", "y(j) = A(i,j) * x(i)"),
        ("quadratic form", "y = A(i,j) * x(i) * x(j)"),
        ("both triangles", "y(i) = A(i,j) * x(j) + A(j,i) * x(j)"),
        *((dtype, "y(i) = A(i,j) * x(j)", {"dtype": dtype})
          for dtype in ("float32", "float16", "int8", "int32", "int64", "complex64",
                        "complex128")),
        *((f"{form}", "y(i) = A(i,j) * x(j)", {"formats": {"A": form}})
          for form in ("CSC", "COO", "DCSR", "BCSR:4x4", "SELL:8:32", "ELL", "DOK")),
    ]),
    "spmm": ("C(i,k) = A(i,j) * B(j,k)", [
        ("bias", "C(i,k) = D(i,k) + A(i,j) * B(j,k)"),
        ("bias of columns", "C(i,k) = c(k) + A(i,j) * B(j,k)"),
        ("axpby", "C(i,k) = alpha * A(i,j) * B(j,k) + beta * D(i,k)"),
        ("relu", "C(i,k) = max(0, A(i,j) * B(j,k))"),
        ("relu of bias", "C(i,k) = max(0, A(i,j) * B(j,k) + c(k))"),
        ("exp", "C(i,k) = exp(A(i,j) * B(j,k))"),
        ("row factor", "C(i,k) = A(i,j) * B(j,k) * b(i)"),
        ("inner factor", "C(i,k) = A(i,j) * B(j,k) * w(j)"),
        ("column factor", "C(i,k) = A(i,j) * B(j,k) * c(k)"),
        ("three factors", "C(i,k) = b(i) * A(i,j) * w(j) * B(j,k) * c(k)"),
        ("by row's sum", "C(i,k) = A(i,j) * B(j,k) / sum(j, A(i,j))"),
        ("Hadamard", "C(i,k) = A(i,j) * B(j,k) * D(i,k)"),
        ("abs of matrix", "C(i,k) = abs(A(i,j)) * B(j,k)"),
        ("plus identity", "C(i,k) = B(i,k) + A(i,j) * B(j,k)"),
        ("relu inside", "C(i,k) = A(i,j) * max(0, B(j,k))"),
        ("sum inside", "C(i,k) = A(i,j) * (B(j,k) + E(j,k))"),
        ("difference of rows", "C(i,k) = A(i,j) * (B(j,k) - D(i,k))"),
        ("mask", "C(i,k)<M(i,k)> = A(i,j) * B(j,k)"),
        ("greatest", "C(i,k) = max(j, A(i,j) * B(j,k))"),
        ("least sum", "C(i,k) = min(j, A(i,j) + B(j,k))"),
        ("transposed matrix", "C(j,k) = A(i,j) * B(i,k)"),
        ("transposed operand", "C(i,k) = A(i,j) * F(k,j)"),
        ("transposed result", "C(k,i) = A(i,j) * B(j,k)"),
        *((dtype, "C(i,k) = A(i,j) * B(j,k)", {"dtype": dtype})
          for dtype in ("float32", "float16", "int8", "int32", "int64", "complex64",
                        "complex128")),
        *((form, "C(i,k) = A(i,j) * B(j,k)", {"formats": {"A": form}})
          for form in ("CSC", "COO", "DCSR", "BCSR:4x4", "ELL", "DOK")),
    ]),
    "sddmm": ("S(i,j) = A(i,j) * B(i,k) * E(j,k)", [
        ("scaled", "S(i,j) = 2 * A(i,j) * B(i,k) * E(j,k)"),
        ("row factor", "S(i,j) = b(i) * A(i,j) * B(i,k) * E(j,k)"),
        ("inner factor", "S(i,j) = A(i,j) * B(i,k) * E(j,k) * c(k)"),
        ("exp", "S(i,j) = A(i,j) * exp(sum(k, B(i,k) * E(j,k)))"),
        ("sigmoid", "S(i,j) = A(i,j) / (1 + exp(-sum(k, B(i,k) * E(j,k))))"),
        ("plus matrix", "S(i,j) = A(i,j) + A(i,j) * B(i,k) * E(j,k)"),
        ("residual", "S(i,j) = A(i,j) * (A(i,j) - sum(k, B(i,k) * E(j,k)))"),
        ("squared distance", "S(i,j) = A(i,j) * sum(k, pow(B(i,k) - E(j,k), 2))"),
        ("mask", "S(i,j)<A(i,j), structural> = B(i,k) * E(j,k)", {"format": "CSR"}),
        ("greatest", "S(i,j) = A(i,j) * max(k, B(i,k) * E(j,k))"),
        ("other layout", "S(i,j) = A(i,j) * B(i,k) * F(k,j)"),
        ("loss", "s = A(i,j) * B(i,k) * E(j,k)"),
        ("rows of result", "s(i) = A(i,j) * B(i,k) * E(j,k)"),
        ("attention", "Y(i,l) = A(i,j) * B(i,k) * E(j,k) * D(j,l)", {"bare": [
            "S(i,j) = A(i,j) * B(i,k) * E(j,k)", "Y(i,l) = A(i,j) * D(j,l)"]}),
        *((dtype, "S(i,j) = A(i,j) * B(i,k) * E(j,k)", {"dtype": dtype})
          for dtype in ("float32", "float16", "int32", "complex128")),
        *((form, "S(i,j) = A(i,j) * B(i,k) * E(j,k)", {"formats": {"A": form}})
          for form in ("CSC", "COO", "DCSR")),
    ]),
    "spgemm": ("C(i,k) = G(i,j) * H(j,k)", [
        ("scaled", "C(i,k) = 2 * G(i,j) * H(j,k)"),
        ("row factor", "C(i,k) = b(i) * G(i,j) * H(j,k)"),
        ("inner factor", "C(i,k) = G(i,j) * H(j,k) * w(j)"),
        ("column factor", "C(i,k) = G(i,j) * H(j,k) * x(k)"),
        ("plus matrix", "C(i,k) = G(i,k) + G(i,j) * H(j,k)"),
        ("by row's sum", "C(i,k) = G(i,j) * H(j,k) / sum(j, G(i,j))"),
        ("abs", "C(i,k) = abs(G(i,j)) * H(j,k)"),
        ("relu", "C(i,k) = max(0, G(i,j) * H(j,k))"),
        ("mask", "C(i,k)<G(i,k), structural> = G(i,j) * H(j,k)", {"format": "CSR"}),
        ("transposed right", "C(i,k) = G(i,j) * H(k,j)"),
        ("transposed left", "C(i,k) = G(j,i) * H(j,k)"),
        ("greatest", "C(i,k) = max(j, G(i,j) * H(j,k))"),
        ("sum of all", "s = G(i,j) * H(j,k)"),
        ("triangles", "s = G(i,j) * G(j,k) * G(i,k)"),
        *((dtype, "C(i,k) = G(i,j) * H(j,k)", {"dtype": dtype})
          for dtype in ("float32", "float16", "int32", "complex128")),
        *((form, "C(i,k) = G(i,j) * H(j,k)", {"formats": {"G": form, "H": form}})
          for form in ("CSC", "COO", "DCSR")),
    ]),
    "sum": ("C(i,j) = A(i,j) + Z(i,j)", [
        ("scaled", "C(i,j) = 2 * A(i,j) - 3 * Z(i,j)"),
        ("three", "C(i,j) = A(i,j) + Z(i,j) + A(i,j)"),
        ("greatest", "C(i,j) = max(A(i,j), Z(i,j))"),
        ("abs", "C(i,j) = abs(A(i,j) + Z(i,j))"),
        ("product", "C(i,j) = A(i,j) * Z(i,j)"),
        ("row factor", "C(i,j) = A(i,j) + b(i) * Z(i,j)"),
        ("column factor", "C(i,j) = A(i,j) + Z(i,j) * x(j)"),
        ("transposed", "C(i,j) = A(i,j) + Z(j,i)"),
        ("mask", "C(i,j)<A(i,j), structural> = A(i,j) + Z(i,j)", {"format": "CSR"}),
        *((dtype, "C(i,j) = A(i,j) + Z(i,j)", {"dtype": dtype})
          for dtype in ("float32", "float16", "int32", "complex128")),
        *((form, "C(i,j) = A(i,j) + Z(i,j)", {"formats": {"A": form, "Z": form}})
          for form in ("CSC", "COO", "DCSR", "DOK")),
        ("CSR + COO", "C(i,j) = A(i,j) + Z(i,j)", {"formats": {"Z": "COO"}}),
    ]),
    "mttkrp": ("R(i,r) = X(i,j,k) * P(j,r) * Q(k,r)", [
        ("second mode", "R(j,r) = X(i,j,k) * P(i,r) * Q(k,r)"),
        ("third mode", "R(k,r) = X(i,j,k) * P(i,r) * Q(j,r)"),
        ("row factor", "R(i,r) = p(i) * X(i,j,k) * P(j,r) * Q(k,r)"),
        ("column factor", "R(i,r) = X(i,j,k) * P(j,r) * Q(k,r) * c(r)"),
        ("bias", "R(i,r) = O(i,r) + X(i,j,k) * P(j,r) * Q(k,r)"),
        ("relu", "R(i,r) = max(0, X(i,j,k) * P(j,r) * Q(k,r))"),
        ("TTTP", "T(i,j,k) = X(i,j,k) * P(i,r) * P(j,r) * Q(k,r)"),
        ("loss", "s = X(i,j,k) * P(i,r) * P(j,r) * Q(k,r)"),
        ("TTMc", "R(i,r,t) = X(i,j,k) * P(j,r) * L(k,t)"),
        *((dtype, "R(i,r) = X(i,j,k) * P(j,r) * Q(k,r)", {"dtype": dtype})
          for dtype in ("float32", "float16", "int32", "complex128")),
        ("COO", "R(i,r) = X(i,j,k) * P(j,r) * Q(k,r)", {"formats": {"X": "COO"}}),
    ]),
    "ttm": ("Y(i,j,r) = X(i,j,k) * Q(k,r)", [
        ("row factor", "Y(i,j,r) = p(i) * X(i,j,k) * Q(k,r)"),
        ("column factor", "Y(i,j,r) = X(i,j,k) * Q(k,r) * c(r)"),
        ("relu", "Y(i,j,r) = max(0, X(i,j,k) * Q(k,r))"),
        ("second mode", "Y(i,k,r) = X(i,j,k) * P(j,r)"),
        ("TTV", "Y(i,j) = X(i,j,k) * z(k)"),
        ("summed", "Y(i,r) = X(i,j,k) * Q(k,r)"),
        *((dtype, "Y(i,j,r) = X(i,j,k) * Q(k,r)", {"dtype": dtype})
          for dtype in ("float32", "int32", "complex128")),
        ("COO", "Y(i,j,r) = X(i,j,k) * Q(k,r)", {"formats": {"X": "COO"}}),
    ]),
    "dense": ("C(i,k) = U(i,j) * V(j,k)", [
        ("relu", "C(i,k) = max(0, U(i,j) * V(j,k))"),
        ("exp", "C(i,k) = exp(U(i,j) * V(j,k))"),
        ("bias", "C(i,k) = U(i,k) + U(i,j) * V(j,k)"),
        ("bias of columns", "C(i,k) = u(k) + U(i,j) * V(j,k)"),
        ("row factor", "C(i,k) = u(i) * U(i,j) * V(j,k)"),
        ("inner factor", "C(i,k) = U(i,j) * u(j) * V(j,k)"),
        ("column factor", "C(i,k) = U(i,j) * V(j,k) * u(k)"),
        ("sum inside", "C(i,k) = (U(i,j) + W(i,j)) * V(j,k)"),
        ("relu inside", "C(i,k) = max(0, U(i,j)) * V(j,k)"),
        ("Hadamard", "C(i,k) = W(i,k) * U(i,j) * V(j,k)"),
        ("axpby", "C(i,k) = alpha * U(i,j) * V(j,k) + beta * W(i,k)"),
        ("by row's sum", "C(i,k) = U(i,j) * V(j,k) / sum(j, U(i,j))"),
        ("transposed left", "C(i,k) = U(j,i) * V(j,k)"),
        ("transposed right", "C(i,k) = U(i,j) * V(k,j)"),
        ("transposed result", "C(k,i) = U(i,j) * V(j,k)"),
        ("covariance", "C(i,k) = U(j,i) * U(j,k) / 512 - u(i) * u(k)"),
        ("chain", "C(i,l) = U(i,j) * V(j,k) * W(k,l)", {"bare": ["C(i,k) = U(i,j) * V(j,k)"] * 2}),
        ("two products", "C(i,k) = U(i,j) * V(j,k) + W(i,j) * V(k,j)",
         {"bare": ["C(i,k) = U(i,j) * V(j,k)"] * 2}),
        ("trace", "s = U(i,j) * V(j,i)"),
        *((dtype, "C(i,k) = U(i,j) * V(j,k)", {"dtype": dtype})
          for dtype in ("float32", "complex128")),
    ]),
}
PARTS = list(FAMILIES)


def operands(quick):
    """All operands by name: SciPy's matrices, lists of coordinates, arrays, numbers."""
    draw = numpy.random.default_rng(67)
    scale = 10 if quick else 1
    rows, columns, rank, order = 20000 // scale, 32, 32, 512 // (4 if quick else 1)

    def matrix(per_row):
        coordinates = draw.integers(0, rows, (2, rows * per_row))
        coordinates[0] = numpy.repeat(numpy.arange(rows), per_row)
        return scipy.sparse.csr_matrix((draw.uniform(1, 4, rows * per_row), coordinates), (rows, rows))

    def array(*shape):
        return draw.uniform(1, 4, shape)

    modes = 2000 // scale
    cells = draw.integers(0, modes ** 3, 500000 // scale)
    return {"A": matrix(40), "Z": matrix(40), "G": matrix(8), "H": matrix(8),
             "X": (numpy.unravel_index(numpy.unique(cells), (modes,) * 3), (modes,) * 3),
             "x": array(rows), "w": array(rows), "b": array(rows), "m": array(rows) > 2.5,
             "B": array(rows, columns), "D": array(rows, columns), "E": array(rows, columns),
             "F": array(columns, rows), "M": array(rows, columns) > 2.5, "c": array(columns),
             "P": array(modes, rank), "Q": array(modes, rank), "O": array(modes, rank),
             "L": array(modes, 8), "p": array(modes), "z": array(modes), "U": array(order, order),
             "V": array(order, order), "W": array(order, order), "u": array(order),
             "alpha": 2.5, "beta": 0.5}


def tensor(strata, value, dtype, form):
    """An operand as a tensor of Strata, in its own format if `form` is None."""
    if isinstance(value, float):
        return value
    if isinstance(value, tuple):
        coordinates, shape = value
        values = numpy.linspace(1, 4, len(coordinates[0]))
        made = strata.from_coo(coordinates, values, shape, "CSF")
    else:
        made = strata.asarray(value)
    if made.dtype != strata.bool:
        made = made.astype(dtype)
    return made.asformat(form) if form else made


class Call:
    """A statement that is compiled for its operands."""

    def __init__(self, strata, text, values, dtype="float64", formats=(), format=None):
        right = text.split("=", 1)[1] + text.split("=", 1)[0]
        self.operands = {name: tensor(strata, value, dtype, dict(formats).get(name))
                         for name, value in values.items() if re.search(rf"\b{name}\b[(<]?", right)
                         and not re.match(rf"{name}\(|{name} =", text)}
        self.kernel = strata.compile(text, format=format, **self.operands)
        self.result = self.kernel(**self.operands)

    def seconds(self):
        """Of a call, on processors: the least of as many as take 30 ms."""
        least, begin = float("inf"), time.perf_counter()
        while True:
            start = time.process_time()
            self.result = self.kernel(**self.operands)
            least = min(least, time.process_time() - start)
            if time.perf_counter() - begin > 0.03:
                return least

    def bytes(self):
        tensors = [self.result, *self.operands.values()]
        return sum(getattr(each, "nbytes", 8) for each in tensors)


def memory_speed():
    """Bytes a second that one core copies between arrays larger than its caches."""
    source, target, least = numpy.ones(1 << 23), numpy.zeros(1 << 23), float("inf")
    for _ in range(5):
        start = time.process_time()
        target[:] = source
        least = min(least, time.process_time() - start)
    return 2 * source.nbytes / least


def measured(run):
    strata = run.python_package()
    if not strata:
        return
    strata.set_num_threads(1)
    values, worst = operands(run.quick), None
    bandwidth = memory_speed()
    print(f"one thread; allowed are {LIMIT} times the bare kernel and extra bytes at "
          f"{bandwidth / 1e9:.1f} GB/s")
    for family in [run.part] if run.part else PARTS:
        bare_text, neighbours = FAMILIES[family]
        bare = Call(strata, bare_text, values)
        print(f"{family}: {bare_text}: {bare.seconds() * 1e3:.3f} ms")
        for name, text, *more in neighbours:
            options = dict(more[0]) if more else {}
            parts = options.pop("bare", [bare_text])
            try:
                call = Call(strata, text, values, **options)
            except strata.Error as refused:
                print(f"  {name:20} refused: {str(refused).splitlines()[0][:90]}")
                continue
            parts = [bare] if parts == [bare_text] else [Call(strata, part, values) for part in parts]
            rounds = [(call.seconds(), sum(part.seconds() for part in parts)) for _ in range(5)]
            took, least = (min(column) for column in zip(*rounds))
            extra = max(0, call.bytes() - sum(part.bytes() for part in parts)) / bandwidth
            ratio = took / (least + extra)
            mark = "" if ratio <= LIMIT else " *" if ratio <= 2 else " **"
            print(f"  {name:20} {took * 1e3:9.3f} ms {ratio:7.2f}{mark}", flush=True)
            run.add("neighbours", family=family, name=name, seconds=took, bare=least, extra=extra,
                    ratio=ratio)
