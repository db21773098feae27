"""Drawn operations on drawn tensors, of all formats, element types and small sizes, 0 and 1 among
them, beside NumPy, SciPy and PyData sparse.

NumPy says what is right: elements, shape and element type. SciPy and PyData sparse compute the same
of their own matrices where they can, and the tensor must agree with them, too; and it computes with
their matrices as operands. The seed is fixed; STRATA_DRAWN is the number of cases (150).
"""

import os
import unittest
import warnings

import numpy
import scipy.sparse

import strata as st
from drawing import DTYPES, MATRIX_FORMATS, TestCase

try:
    import sparse
except ImportError:
    sparse = None

SIZES = (0, 1, 2, 3, 7)
SCIPY_FORMATS = ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")

#: Operations of two matrices of one shape, of a matrix and one that it can be multiplied with, and
#: of one. Each is written so that arrays of all libraries can do it.
SAME_SHAPE = {
    "x + y": lambda x, y: x + y,
    "x - y": lambda x, y: x - y,
    "x != y": lambda x, y: x != y,
    "x > y": lambda x, y: x > y,
}
COMPARISONS = ("x != y", "x > y")
PRODUCTS = {"x @ y": lambda x, y: x @ y}
ONE = {
    "-x": lambda x: -x,
    "abs(x)": abs,
    "x.T": lambda x: x.T,
    "x != 0": lambda x: x != 0,
    "x * 3": lambda x: x * 3,
    "x.astype(complex128)": lambda x: x.astype("complex128"),
    "x.sum()": lambda x: x.sum(),
    "x.sum(0)": lambda x: x.sum(axis=0),
    "x.sum(1)": lambda x: x.sum(axis=1),
    "x[:, ::2]": lambda x: x[:, ::2],
    "x[-1]": lambda x: x[-1],
}
#: SciPy's matrices and arrays mean different things by it: neither library is asked.
ELEMENTWISE = {"x * y": lambda x, y: x * y}


def has_meaning(name, types):
    kinds = {numpy.dtype(one).kind for one in types}
    if "b" in kinds and ("-" in name or "sum" in name or "* 3" in name):
        return False
    return not ("c" in kinds and ">" in name)


class DrawnTest(TestCase):
    def choice(self, options):
        return options[int(self.generator.integers(len(options)))]

    def matrix(self, shape, dtype):
        return self.draw(shape, dtype, float(self.choice((0.0, 0.2, 0.6, 1.0))))

    def drawn(self):
        """The name of an operation, the operation, and arrays for its operands."""
        kinds = {**SAME_SHAPE, **PRODUCTS, **ONE, **ELEMENTWISE}
        while True:
            name = self.choice(sorted(kinds))
            types = [self.choice(DTYPES) for _ in range(1 if name in ONE else 2)]
            if not has_meaning(name, types):
                continue
            rows, columns, inner = (self.choice(SIZES) for _ in range(3))
            if name == "x[-1]" and rows == 0:
                continue
            shapes = [(rows, columns)] * len(types)
            if name in PRODUCTS:
                shapes = [(rows, inner), (inner, columns)]
            return name, kinds[name], [self.matrix(*both) for both in zip(shapes, types)]

    def expected(self, operation, arrays):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of numbers too large for small integers
            return numpy.asarray(operation(*arrays))

    def compare(self, found, expected, message):
        """The elements are these. (Small types of rounding and of overflow may differ.)"""
        if scipy.sparse.issparse(found):
            found = found.toarray()
        elif hasattr(found, "todense"):
            found = found.todense()
        found = numpy.asarray(found)
        self.assertEqual(found.size, expected.size, message)
        numpy.testing.assert_allclose(
            found.reshape(expected.shape),
            expected,
            2e-2 if expected.dtype.itemsize == 2 else 1e-5,
            err_msg=message,
        )

    def beside(self, operation, name, arrays, expected, message):
        """The same in the other libraries, where they can do it with these operands."""
        if name in ELEMENTWISE or any(x.dtype.char in "e?" for x in arrays):
            return 0
        compared = 0
        form = self.choice(SCIPY_FORMATS)
        makers = [lambda x: scipy.sparse.coo_matrix(x).asformat(form)]
        makers += [sparse.COO.from_numpy] if sparse else []
        for make in makers:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    result = operation(*map(make, arrays))
            except (TypeError, ValueError, IndexError, NotImplementedError):
                continue  # that library lacks it, in that format, of that size
            self.compare(result, expected, f"{message}, in {make}")
            compared += 1
            if name in SAME_SHAPE or name in PRODUCTS:
                first, second = map(make, arrays)
                self.compare(operation(st.asarray(first), st.asarray(second)), expected, message)
                if name not in COMPARISONS:  # which SciPy answers itself before version 1.12
                    found = operation(first, st.asarray(second))
                    self.assertIsInstance(found, st.Tensor, message)
                    self.compare(found, expected, f"{message}, with {make} on the left")
        return compared

    def test_cases(self):
        compared = 0
        for case in range(int(os.environ.get("STRATA_DRAWN", 150))):
            name, operation, arrays = self.drawn()
            formats = [self.choice(MATRIX_FORMATS) for _ in arrays]
            message = f"case {case}: {name}, " + ", ".join(
                f"{x.dtype} {x.shape} in {format}" for x, format in zip(arrays, formats)
            )
            with self.subTest(message):
                tensors = [st.asarray(x, format=f) for x, f in zip(arrays, formats)]
                expected = self.expected(operation, arrays)
                found = operation(*tensors)
                self.assertEqual(found.shape, expected.shape, message)
                self.assertEqual(found.dtype, expected.dtype, message)
                self.compare(found, expected, message)
                compared += self.beside(operation, name, arrays, expected, message)
        self.assertGreater(compared, 0)


if __name__ == "__main__":
    unittest.main()
