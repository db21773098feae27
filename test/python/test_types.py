"""Element types: NumPy's types and values for all pairs of them, casts, and every type through files,
formats and products.

NumPy has no bfloat16; here it is the numbers of float32 that have seven bits of fraction.
"""
import itertools

import numpy
import scipy.sparse

import harness
from harness import Failure

TYPES = {"bool": numpy.bool_, "uint8": numpy.uint8, "uint16": numpy.uint16,
         "uint32": numpy.uint32, "uint64": numpy.uint64, "int8": numpy.int8,
         "int16": numpy.int16, "int": numpy.int32, "int64": numpy.int64,
         "float16": numpy.float16, "float": numpy.float32, "double": numpy.float64,
         "complex64": numpy.complex64, "complex": numpy.complex128}
WORDS = {numpy.dtype(kind): word for word, kind in TYPES.items()}
ALL = [*TYPES, "bfloat16"]
ORDERED = [word for word in TYPES if not word.startswith("complex")]


def to_bfloat16(values):
    """The nearest numbers of bfloat16, to even where two are."""
    values = numpy.asarray(values, numpy.float32)
    bits = values.view(numpy.uint32).astype(numpy.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    result = rounded.astype(numpy.uint32).view(numpy.float32)
    return numpy.where(numpy.isfinite(values), result, values)


def stored(word, values):
    """Values as a type holds them."""
    return to_bfloat16(values) if word == "bfloat16" else numpy.asarray(values).astype(TYPES[word])


def sample(word, seed):
    """Values of a type: its ends, and some between."""
    random = numpy.random.default_rng(seed)
    if word == "bool":
        return random.integers(0, 2, 8).astype(bool)
    kind = numpy.dtype(TYPES.get(word, numpy.float32))
    if kind.kind in "iu":
        ends = numpy.iinfo(kind)
        between = random.integers(-7 if kind.kind == "i" else 1, 9, 6)
        return numpy.array([ends.max, ends.min, *between], kind)
    values = random.integers(-20, 20, 8) / 4
    return stored(word, values + 1j * values[::-1] if kind.kind == "c" else values)


class Program:
    """Statements on vectors of eight elements; runs them all and gives the results."""

    def __init__(self, folder):
        self.folder, self.inputs, self.results, self.lines = folder, {}, [], []

    def operand(self, word, seed):
        name = f"{word}_{seed}"
        if name not in self.inputs:
            self.inputs[name] = sample(word, seed)
            numpy.save(self.folder / f"{name}.npy", self.inputs[name])
            self.lines += [f"Tensor<{word}> {name}[i];", f'{name}[i] = read("{name}.npy");']
        return f"{name}[i]", self.inputs[name]

    def statement(self, what, word, value, expected):
        name = f"r{len(self.results)}"
        self.results.append((what, name, expected))
        self.lines += [f"Tensor<{word}> {name}[i];", f"{name}[i] = {value};",
                       f'write({name}, "{name}.npy");']

    def check(self):
        text = "\n  ".join(["def main() {", "IndexLabel [i] = [8];", *self.lines])
        (self.folder / "p.ta").write_text(text + "\n}\n")
        harness.run_tool("run", "p.ta", folder=self.folder)
        for what, name, expected in self.results:
            actual = numpy.load(self.folder / f"{name}.npy")
            if actual.dtype != expected.dtype:
                raise Failure(f"{what}: {actual.dtype}, expected {expected.dtype}")
            same = (actual == expected) | ((actual != actual) & (expected != expected))
            if expected.dtype.kind == "c":
                same |= numpy.abs(actual - expected) <= 1e-6 * numpy.abs(expected)
            if not same.all():
                raise Failure(f"{what}: {actual}, expected {expected}")
        return f"{len(self.results)} statements"


def pairs_with(word):
    """+ * / of a type and those that are not before it, in NumPy's type."""
    def run(folder):
        program = Program(folder)
        words = list(TYPES)
        for other in words[words.index(word):]:
            (a, x), (b, y) = program.operand(word, 1), program.operand(other, 2)
            for sign, function in (("+", numpy.add), ("*", numpy.multiply),
                                   ("/", numpy.true_divide)):
                with numpy.errstate(all="ignore"):
                    expected = function(x, y)
                program.statement(f"{word} {sign} {other}", WORDS[expected.dtype],
                                  f"{a} {sign} {b}", expected)
        return program.check()
    return f"pairs/{word}", run


def result_types(folder):
    """What diagnostics call the type of a sum is NumPy's result_type, for all pairs."""
    pairs = list(itertools.product(TYPES, TYPES))
    for first in range(0, len(pairs), 16):
        some = pairs[first:first + 16]
        words = sorted({word for pair in some for word in pair})
        lines = [f"Tensor<{word}> {word}_[i]; {word}_[i] = 1;" for word in words]
        # A boolean takes nothing but a boolean: each statement is an error that names its type.
        lines += [f"b[i] = {a}_[i] + {b}_[i];" for a, b in some]
        text = "\n".join(["def main() {", "IndexLabel [i] = [8]; Tensor<bool> b[i];", *lines, "}"])
        (folder / "p.ta").write_text(text)
        process = harness.result_of("run", "p.ta", folder=folder)
        found = {}
        for line in process.stderr.splitlines():
            if "the value is " in line:
                number = int(line.split(":")[1])
                found[number] = line.split("the value is ")[1].split(",")[0]
        start = 3 + len(words)
        for number, (a, b) in enumerate(some, start):
            expected = WORDS[numpy.result_type(TYPES[a], TYPES[b])]
            actual = found.get(number, "bool")
            if actual != expected:
                raise Failure(f"{a} + {b} is {actual}, expected {expected}")
    return f"{len(pairs)} pairs"


def orders_with(word):
    """Comparisons, minima, maxima and conditions, also of types without a sign."""
    def run(folder):
        program = Program(folder)
        for other in ORDERED[ORDERED.index(word):]:
            (a, x), (b, y) = program.operand(word, 3), program.operand(other, 4)
            common = numpy.result_type(x, y)
            p, q = x.astype(common), y.astype(common)
            program.statement(f"{word} < {other}", "bool", f"{a} < {b}", p < q)
            program.statement(f"{word} >= {other}", "bool", f"{a} >= {b}", p >= q)
            program.statement(f"min({word}, {other})", WORDS[common], f"min({a}, {b})",
                              numpy.minimum(p, q))
            program.statement(f"where({word}, {other})", WORDS[common],
                              f"where({a}, max({a}, {b}), {b})",
                              numpy.where(x, numpy.maximum(p, q), q))
        return program.check()
    return f"orders/{word}", run


def expected_cast(values, word):
    """Towards zero, and to the nearest there is; integers wrap around."""
    if numpy.iscomplexobj(values) and not word.startswith("complex") and word != "bool":
        values = values.real
    kind = numpy.dtype(TYPES.get(word, numpy.float32))
    if kind.kind in "iu" and values.dtype.kind == "f":
        whole, ends = numpy.trunc(values.astype(float)), numpy.iinfo(kind)
        inside = (whole >= ends.min) & (whole < float(ends.max) + (kind.itemsize == 8))
        cut = numpy.where(inside, whole, 0).astype(kind)
        return numpy.where(inside, cut, numpy.where(whole > 0, ends.max, ends.min)).astype(kind)
    with numpy.errstate(over="ignore"):
        return stored(word, values)


def casts_from(word):
    def run(folder):
        program = Program(folder)
        a, x = program.operand(word, 5)
        for other in ALL:
            program.statement(f"{other}({word})", other, f"{other}({a})", expected_cast(x, other))
        return program.check()
    return f"casts/{word}", run


def special_casts(folder):
    """Numbers beyond the integers, and those that are none."""
    program = Program(folder)
    values = numpy.array([numpy.inf, -numpy.inf, numpy.nan, 1e300, -1e300, 300.7, -300.7, 255.99])
    numpy.save(folder / "x.npy", values)
    program.lines += ["Tensor<double> x[i];", 'x[i] = read("x.npy");']
    for word, kind in TYPES.items():
        if numpy.dtype(kind).kind not in "iu":
            continue
        ends = numpy.iinfo(kind)
        expected = [0 if v != v else min(max(int(v) if abs(v) < 1e299 else
                                             int(numpy.sign(v)) * 2**70, ends.min), ends.max)
                    for v in values]
        program.statement(f"{word}(double)", word, f"{word}(x[i])", numpy.array(expected, kind))
    return program.check()


def round_trip(word):
    """Files of all kinds, CSR, CSC, blocks and diagonals, and a product with a vector."""
    def run(folder):
        random = numpy.random.default_rng(7)
        dense = random.integers(1, 4, (9, 7)) * (random.random((9, 7)) < 0.4)
        is_complex = word.startswith("complex")
        dense = stored(word, dense * (1 + 2j) if is_complex else dense)
        vector = stored(word, random.integers(0, 3, 7))
        numpy.save(folder / "a.npy", dense)
        numpy.save(folder / "x.npy", vector)
        endings = (".npz", ".bsp.h5", ".mtx") + (() if is_complex else (".tns",))
        lines = ["IndexLabel [i] = [9]; IndexLabel [j] = [7];",
                 f"Tensor<{word}> D[i, j]; Tensor<{word}> x[j]; Tensor<{word}> y[i];",
                 'D[i, j] = read("a.npy"); x[j] = read("x.npy");']
        before = "D"
        for name in ("CSR", "CSC", "COO", "BCSR", "DIA", "DCSR", "ELL"):
            lines += [f"Tensor<{word}> {name}_([i, j], {name});", f"{name}_[i, j] = {before}[i, j];",
                      f'y[i] = {name}_[i, j] * x[j]; write(y, "y-{name}.npy");']
            before = f"{name}_"
        for number, ending in enumerate(endings):
            lines += [f'write(CSC_, "f{ending}");', f"Tensor<{word}> F{number}([i, j], CSR);",
                      f'F{number}[i, j] = read("f{ending}");',
                      f"Tensor<{word}> G{number}[i, j]; G{number}[i, j] = F{number}[i, j];",
                      f'write(G{number}, "g{number}.npy");']
        (folder / "p.ta").write_text("\n".join(["def main() {", *lines, "}"]))
        harness.run_tool("run", "p.ta", "--check", folder=folder)
        wide = dense.astype(complex if is_complex else float)
        product = wide @ vector.astype(wide.dtype)
        product = product > 0 if word == "bool" else stored(word, product)
        for name in ("CSR", "CSC", "COO", "BCSR", "DIA", "DCSR", "ELL"):
            actual = numpy.load(folder / f"y-{name}.npy")
            if actual.dtype != product.dtype or not (actual == product).all():
                raise Failure(f"{name}: {actual}, expected {product}")
        for number, ending in enumerate(endings):
            actual = numpy.load(folder / f"g{number}.npy")
            if actual.dtype != dense.dtype or not (actual == dense).all():
                raise Failure(f"{ending}: {actual.dtype} {actual}, expected {dense}")
        read = scipy.sparse.load_npz(folder / "f.npz").tocoo()
        array = numpy.zeros(read.shape, read.dtype)
        array[read.row, read.col] = read.data
        if array.dtype != dense.dtype or not (array == dense).all():
            raise Failure(f"SciPy reads {array.dtype} {array}")
        return "7 formats"
    return f"files/{word}", run


def sums(folder):
    """Sums in a type that does not lose: of 16 bits in float, of 8 bits in 64."""
    count = 4096
    numpy.save(folder / "h.npy", numpy.full((2, count), 0.5, numpy.float16))
    numpy.save(folder / "u.npy", numpy.full((2, count), 255, numpy.uint8))
    text = """def main() {
  IndexLabel [i] = [2]; IndexLabel [j] = [4096];
  Tensor<float16> h[i, j]; Tensor<uint8> u[i, j]; Tensor<bool> b[i, j];
  h[i, j] = read("h.npy"); u[i, j] = read("u.npy"); b[i, j] = u[i, j] > 3;
  Tensor<float16> y[i]; Tensor<float16> z[j]; Tensor<double> s[i]; Tensor<uint64> n[i];
  Tensor<bool> any_[i]; Tensor<int> count[i];
  y[i] = h[i, j]; s[i] = u[i, j] - 256; n[i] = u[i, j]; any_[i] = b[i, j]; count[i] = b[i, j];
  z[j] = 1000.0;
  z[j] += h[i, j];
  write(y, "y.npy"); write(s, "s.npy"); write(n, "n.npy"); write(any_, "any.npy");
  write(count, "count.npy"); write(z, "z.npy");
  var m = SUM(u[i, j]); print(m);
  var k = SUM(b[i, j]); print(k);
}
"""
    (folder / "p.ta").write_text(text)
    printed = harness.run_tool("run", "p.ta", folder=folder)
    expected = {"y": count / 2, "s": 255 * count - 256, "n": 255 * count, "any": True, "count": count, "z": 1001.0}
    for name, value in expected.items():
        actual = numpy.load(folder / f"{name}.npy")
        if not (actual == value).all():
            raise Failure(f"{name}: {actual}, expected {value}")
    for line in ("m = 2088960", "k = 8192"):
        if line not in printed:
            raise Failure(f"'{line}' was expected: {printed}")


harness.main([("result types", result_types), ("special casts", special_casts), ("sums", sums)] +
             [pairs_with(word) for word in TYPES] + [orders_with(word) for word in ORDERED] +
             [casts_from(word) for word in ALL] + [round_trip(word) for word in ALL])
