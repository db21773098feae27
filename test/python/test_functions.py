"""Functions of the language against NumPy: real, integer and complex, dense and sparse, with NaN,
infinities and zeros of both signs. Of sparse operands also what is stored.
"""
import math
import warnings

import h5py
import numpy
import scipy.io
import scipy.sparse

import harness
from harness import Failure

SPECIAL = numpy.array([numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0, 1, -1, 0.25, -0.5, 2.5, -3.75,
                       1e-18, -1e-18, 1e300])
COMPLEX = numpy.array([0, 1, -1, 1j, complex(0, -1), 0.5 + 0.25j, -2.5 + 1j, 3 - 4j, -0.125 - 0.75j])
INTEGERS = numpy.array([0, 1, -1, 2, -3, 7, -8, 100, -1000, 2**30, -2**30], numpy.int32)

OF_ANY = {"abs": numpy.abs, "sqrt": numpy.sqrt, "exp": numpy.exp, "log": numpy.log,
          "sin": numpy.sin, "cos": numpy.cos, "tan": numpy.tan, "tanh": numpy.tanh,
          "square": numpy.square, "re": numpy.real, "im": numpy.imag, "conj": numpy.conj}
OF_REAL = {"asin": numpy.arcsin, "acos": numpy.arccos, "atan": numpy.arctan, "sinh": numpy.sinh,
           "cosh": numpy.cosh, "asinh": numpy.arcsinh, "acosh": numpy.arccosh,
           "atanh": numpy.arctanh, "log2": numpy.log2, "log10": numpy.log10, "log1p": numpy.log1p,
           "expm1": numpy.expm1, "cbrt": numpy.cbrt, "erf": numpy.vectorize(math.erf, [float]),
           "erfc": numpy.vectorize(math.erfc, [float]), "sign": numpy.sign, "floor": numpy.floor,
           "ceil": numpy.ceil}
OF_TWO = {"atan2": numpy.arctan2, "copysign": numpy.copysign, "mod": numpy.mod,
          "heaviside": numpy.heaviside, "pow": numpy.power, "min": numpy.minimum,
          "max": numpy.maximum}
OF_BITS = {"x[i] & y[i]": numpy.bitwise_and, "x[i] | y[i]": numpy.bitwise_or,
           "x[i] ^ y[i]": numpy.bitwise_xor, "~x[i]": lambda x, y: numpy.invert(x)}
# Zeros whose sign is not promised.
UNSIGNED_ZERO = {"sign", "min", "max", "mod"}


def sign_of_complex(values):
    """The number divided by its magnitude."""
    magnitude = numpy.abs(values)
    return numpy.divide(values, magnitude, out=numpy.zeros_like(values), where=magnitude != 0)


def close(what, actual, expected, inputs):
    """Fails unless both have the same NaNs, infinities and signs of zeros, and close numbers."""
    if actual.shape != expected.shape:
        raise Failure(f"{what}: shape {actual.shape}, expected {expected.shape}")
    for part in ("real", "imag") if numpy.iscomplexobj(expected) else ("real",):
        a, e = getattr(actual, part), getattr(expected, part)
        same = (a == e) | (numpy.isnan(a) & numpy.isnan(e))
        if not numpy.iscomplexobj(expected) and what.split("(")[0] not in UNSIGNED_ZERO:
            same &= (a != 0) | (numpy.signbit(a) == numpy.signbit(e))
        finite = numpy.isfinite(a) & numpy.isfinite(e)
        scale = numpy.maximum(numpy.abs(expected), 1e-300)
        with numpy.errstate(all="ignore"):
            near = finite & (numpy.abs(a - e) <= 4e-15 * scale)
        same |= near & ((e != 0) | numpy.iscomplexobj(expected))
        if not same.all():
            at = int(numpy.nonzero(~same)[0][0])
            raise Failure(f"{what}: {(~same).sum()} of {same.size} differ, first of "
                          f"{[values[at] for values in inputs]}: {actual[at]}, expected "
                          f"{expected[at]}")


def run(folder, size, declarations, statements):
    """Runs statements `TYPE NAME = VALUE` on vectors and gives the dense results by name."""
    lines = [f"IndexLabel [i] = [{size}];", *declarations]
    for word, name, value in statements:
        lines += [f"Tensor<{word}> {name}[i];", f"{name}[i] = {value};",
                  f'write({name}, "{name}.npy");']
    (folder / "p.ta").write_text("\n  ".join(["def main() {", *lines]) + "\n}\n")
    harness.run_tool("run", "p.ta", folder=folder)
    return {name: numpy.load(folder / f"{name}.npy") for _, name, _ in statements}


def given(folder, word, **vectors):
    """Declarations of vectors that are read from files. Zeros lose their sign there, so that signs
    of real numbers come apart."""
    lines = []
    for name, values in vectors.items():
        signed = values.dtype == float
        numpy.save(folder / f"{name}.npy", numpy.abs(values) if signed else values)
        lines += [f"Tensor<{word}> {name}[i];", f'{name}[i] = read("{name}.npy");']
        if signed:
            numpy.save(folder / f"{name}_sign.npy", numpy.copysign(1.0, values))
            lines += [f"Tensor<{word}> {name}_sign[i];",
                      f'{name}_sign[i] = read("{name}_sign.npy");',
                      f"{name}[i] = {name}[i] * {name}_sign[i];"]
    return lines


def expect(functions, *values):
    with numpy.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: function(*values) for name, function in functions.items()}


def real_case(folder):
    functions = {**OF_ANY, **OF_REAL}
    results = run(folder, SPECIAL.size, given(folder, "double", x=SPECIAL),
                  [("double", f"r_{name}", f"{name}(x[i])") for name in functions])
    for name, expected in expect(functions, SPECIAL).items():
        close(f"{name}(x)", results[f"r_{name}"], expected, [SPECIAL])
    return f"{len(functions)} functions"


def two_case(folder):
    x, y = (part.ravel() for part in numpy.meshgrid(SPECIAL, SPECIAL))
    results = run(folder, x.size, given(folder, "double", x=x, y=y),
                  [("double", f"r_{name}", f"{name}(x[i], y[i])") for name in OF_TWO])
    for name, expected in expect(OF_TWO, x, y).items():
        close(f"{name}(x, y)", results[f"r_{name}"], expected, [x, y])
    return f"{len(OF_TWO)} functions"


def complex_case(folder):
    functions = {**OF_ANY, "sign": sign_of_complex}
    without = {"log"}  # of zero
    real = {"abs", "re", "im"}
    values = COMPLEX[1:]
    results = run(folder, values.size, given(folder, "complex", x=values),
                  [("double" if name in real else "complex", f"r_{name}", f"{name}(x[i])")
                   for name in functions] + [("complex", "r_pow", "pow(x[i], x[i])")])
    for name, expected in expect({**functions, "pow": lambda x: x ** x}, values).items():
        close(f"{name}(x)", results[f"r_{name}"], expected, [values])
    results = run(folder, 1, given(folder, "complex", x=COMPLEX[:1]),
                  [("double" if name in real else "complex", f"r_{name}", f"{name}(x[i])")
                   for name in functions if name not in without])
    for name, expected in expect(functions, COMPLEX[:1]).items():
        if name not in without:
            close(f"{name}(0)", results[f"r_{name}"], expected, [COMPLEX[:1]])
    return f"{len(functions) + 1} functions"


def integer_case(folder):
    x, y = (part.ravel() for part in numpy.meshgrid(INTEGERS, INTEGERS))
    nonzero = numpy.where(y == 0, 5, y).astype(numpy.int32)
    whole = {"min(x[i], y[i])": numpy.minimum, "max(x[i], y[i])": numpy.maximum,
             "mod(x[i], z[i])": lambda x, y: numpy.mod(x, nonzero),
             "abs(x[i])": lambda x, y: numpy.abs(x), "sign(x[i])": lambda x, y: numpy.sign(x),
             "re(x[i])": lambda x, y: x, "im(x[i])": lambda x, y: 0 * x,
             "conj(x[i])": lambda x, y: x, "x[i] << 1": lambda x, y: x << 1,
             "x[i] >> 3": lambda x, y: x >> 3, "x[i] >> 40": lambda x, y: x >> 31, **OF_BITS}
    reals = {f"{name}(x[i])": function for name, function in {**OF_ANY, **OF_REAL}.items()
             if name not in {"abs", "square", "re", "im", "conj", "sign", "floor", "ceil"}}
    wide = {"square(x[i])": lambda x, y: numpy.square(x.astype(numpy.int64))}
    statements = [(word, f"{word}{number}", text)
                  for word, table in (("int", whole), ("double", reals), ("int64", wide))
                  for number, text in enumerate(table)]
    results = run(folder, x.size, given(folder, "int", x=x, y=y, z=nonzero), statements)
    for word, table in (("int", whole), ("int64", wide)):
        for number, (text, expected) in enumerate(expect(table, x, y).items()):
            actual = results[f"{word}{number}"]
            if not numpy.array_equal(actual, expected):
                at = int(numpy.nonzero(actual != expected)[0][0])
                raise Failure(f"{text} of {x[at]}, {y[at]}: {actual[at]}, expected {expected[at]}")
    for number, (text, expected) in enumerate(expect(reals, x.astype(float)).items()):
        close(text, results[f"double{number}"], expected, [x])
    return f"{len(statements)} functions"


def bits_case(word, kind):
    def case(folder):
        values = numpy.array([0, 1] if word == "bool" else [0, 1, 2, 77, 128, 255], kind)
        x, y = (part.ravel() for part in numpy.meshgrid(values, values))
        names = {f"r{number}": text for number, text in enumerate(OF_BITS)}
        results = run(folder, x.size, given(folder, word, x=x, y=y),
                      [(word, name, text) for name, text in names.items()])
        for name, text in names.items():
            expected = OF_BITS[text](x, y)
            if not numpy.array_equal(results[name], expected):
                raise Failure(f"{text} of {word}: {results[name]}, expected {expected}")
        return f"{len(OF_BITS)} operators"
    return case


def sparse_case(kind):
    """Functions of a sparse vector: values everywhere, and entries where there were some, also of
    functions that are not zero at zero."""
    def case(folder):
        functions = {name: function for name, function in
                     ({**OF_ANY, **OF_REAL} if kind == "double" else
                      {**OF_ANY, "sign": sign_of_complex}).items()}
        entries = (numpy.array([0.0, -0.5, 0.25, 1, numpy.nan, numpy.inf]) if kind == "double"
                   else numpy.array([0, 0.5 + 1j, -0.25, 2j]))
        size, places = 17, 2 + 2 * numpy.arange(entries.size)
        vector = scipy.sparse.coo_matrix((entries, (places, 0 * places)), shape=(size, 1))
        dense = vector.toarray()[:, 0]
        with numpy.errstate(all="ignore"):
            functions = {name: function for name, function in functions.items()
                         if numpy.isfinite(function(numpy.zeros(1, dense.dtype)))[0]}
        scipy.io.mmwrite(folder / "x.mtx", vector, precision=17)
        lines = [f"IndexLabel [i] = [{size}];", f"Tensor<{kind}> x([i], {{CU}});",
                 'x[i] = read("x.mtx");']
        for name in functions:
            word = "double" if name in {"abs", "re", "im"} else kind
            lines += [f"Tensor<{word}> r_{name}([i], {{CU}});", f"r_{name}[i] = {name}(x[i]);",
                      f"Tensor<{word}> d_{name}[i];", f"d_{name}[i] = r_{name}[i];",
                      f'write(d_{name}, "{name}.npy");', f'write(r_{name}, "{name}.bsp.h5");']
        (folder / "p.ta").write_text("\n  ".join(["def main() {", *lines]) + "\n}\n")
        harness.run_tool("run", "p.ta", folder=folder)
        for name, expected in expect(functions, dense).items():
            values = numpy.load(folder / f"{name}.npy")
            close(f"{name}(x), sparse", values + 0, expected + 0, [dense])
            with h5py.File(folder / f"{name}.bsp.h5") as file:
                stored = file["indices_0"][:]
            if kind == "double" and name == "im":
                continue  # 0 of any number
            if not numpy.array_equal(stored, places):
                raise Failure(f"{name}(x) stores {list(stored)}, expected {list(places)}")
        return f"{len(functions)} functions"
    return case


harness.main([
    ("real", real_case), ("of two", two_case), ("complex", complex_case),
    ("integer", integer_case), ("bits of bool", bits_case("bool", bool)),
    ("bits of uint8", bits_case("uint8", numpy.uint8)),
    ("sparse double", sparse_case("double")), ("sparse complex", sparse_case("complex"))])
