"""Operators and reductions, against NumPy, for all element types and many formats."""

import itertools
import unittest
import warnings

import numpy
import scipy.sparse

import strata as st
from drawing import DTYPES, MATRIX_FORMATS, TestCase

BINARY = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
    "&": lambda x, y: x & y,
    "|": lambda x, y: x | y,
    "^": lambda x, y: x ^ y,
}

UNARY = {
    "-": lambda x: -x,
    "+": lambda x: +x,
    "~": lambda x: ~x,
    "abs": abs,
    "real": lambda x: x.real,
    "imag": lambda x: x.imag,
    "conj": lambda x: x.conj(),
    "** 2": lambda x: x**2,
    "> 0": lambda x: x > 0,
    "!= 0": lambda x: x != 0,
}

REDUCTIONS = ("sum", "prod", "min", "max", "any", "all")


def has_meaning(operation, dtype):
    """Whether an operation is for both libraries; complex numbers have no order in Strata, and a
    power of bool is an int8 in NumPy alone."""
    kind = numpy.dtype(dtype).kind
    if kind == "c":
        return operation not in ("<", "<=", ">", ">=", "> 0", "min", "max", "&", "|", "^", "~")
    if kind == "f":
        return operation not in ("&", "|", "^", "~")
    return not (kind == "b" and operation in ("-", "+", "** 2"))


class ElementwiseTest(TestCase):
    def test_binary_for_every_type(self):
        for dtype in DTYPES:
            x, y = self.draw((3, 4), dtype), self.draw((3, 4), dtype)
            for name, operation in BINARY.items():
                if not has_meaning(name, dtype) and not (dtype == "bool" and name == "+"):
                    continue
                self.assert_same(
                    operation(st.asarray(x), st.asarray(y)),
                    operation(x, y),
                    (name, dtype),
                    1e-2 if dtype == "float16" else 1e-6,
                )

    def test_types_are_promoted_as_numpy_does(self):
        for one, two in itertools.product(DTYPES, DTYPES):
            x, y = self.draw((2, 3), one), self.draw((2, 3), two)
            with self.subTest(one=one, two=two):
                self.assert_same(st.asarray(x) * st.asarray(y), x * y, tolerance=1e-2)

    def test_sparse_and_dense_formats_together(self):
        x, y = self.draw((5, 6)), self.draw((5, 6))
        for one, two in [
            ("CSR", "CSR"),
            ("CSR", "Dense"),
            ("CSC", "CSR"),
            ("COO", "DCSR"),
            ("BCSR:2x3", "CSR"),
            ("ELL", "Dense"),
            ("DIA", "DIA"),
            ("DOK", "CSR"),
        ]:
            for name in ("+", "-", "*"):
                found = BINARY[name](st.asarray(x, format=one), st.asarray(y, format=two))
                self.assert_same(found, BINARY[name](x, y), (one, two, name))

    def test_sizes_zero_and_one(self):
        for shape in [(0, 3), (3, 0), (0, 0), (1, 1), (1, 5), (0,), (1,), ()]:
            x, y = self.draw(shape), self.draw(shape)
            for format in ("Dense", "COO"):
                if not shape:
                    format = "Dense"
                one, two = st.asarray(x, format=format), st.asarray(y, format=format)
                self.assert_same(one + two, x + y, (shape, format))
                self.assert_same(one * two, x * y, (shape, format))
                self.assert_same(one.sum(), x.sum(), (shape, format))

    def test_formats_of_results_follow_from_the_statement(self):
        x, dense = self.draw((5, 6)), numpy.ones((6, 3))
        for format in ("CSC", "COO", "DIA"):
            A = st.asarray(x, format=format)
            for found in (A @ dense, dense.T @ A.T, A @ dense[:, 0], A.sum(0), A.sum(1)):
                self.assertEqual(found.format.name, "Dense", format)
            joined = st.evaluate("C(n,j) = concat(n, A, B)", A=A, B=A)
            self.assert_same(joined, numpy.concatenate((x, x)), format)
            for found in (A @ A.T, A + A, joined, A + 1, A > 0.5, A == A):
                self.assertFalse(found.format.is_full, format)
        A = st.asarray(x, format="DCSR")
        names = [found.format.name for found in (A @ dense, A @ dense[:, 0], A.sum(1), A.sum(0))]
        self.assertEqual(names, ["ModeGeneric", "SparseVector", "SparseVector", "Dense"])
        for format in ("HYB", "DIA + CSR", "BCSR:2x2 + COO"):  # each part may have any row
            A = st.asarray(x, format=format)
            for found in (A @ dense, A @ dense[:, 0], A.sum(0), A.sum(1)):
                self.assertEqual(found.format.name, "Dense", format)
            self.assertFalse((A @ A.T).format.is_full, format)

    def test_results_of_hypersparse_operands(self):
        size = 10**9
        places = self.generator.integers(0, size, 20), self.generator.integers(0, 30, 20)
        values = numpy.arange(1.0, 21.0)
        rows, inverse = numpy.unique(places[0], return_inverse=True)
        sums = numpy.bincount(inverse, values)
        for format in ("COO", "CSC"):
            A = st.from_coo(places, values, (size, 30), format)
            results = [
                A.sum(1),
                A @ numpy.ones(30),
                numpy.ones(30) @ A.T,
                st.einsum("ij->i", A),
                st.einsum("ij,j->i", A, numpy.ones(30)),
                A.sum(1, keepdims=True),
                A @ numpy.ones((30, 1)),
            ]
            for found in results:
                (at, *_), stored = st.export.entries_of(found._core)
                self.assertEqual(at.tolist(), rows.tolist(), format)
                self.assertEqual(stored.tolist(), sums.tolist(), format)
            for name in ("max", "prod", "all") if format == "COO" else ():
                found = getattr(A, name)(1)
                self.assertEqual((found.format.name, found.nnz), ("SparseVector", len(rows)), name)
                part = getattr(A[rows], name)(1).todense()
                self.assertEqual(found[rows].todense().tolist(), part.tolist(), name)
            self.assertEqual(A.sum(0).format.name, "Dense")
            self.assertEqual(A.sum().item(), values.sum())

    def test_broadcasting(self):
        shapes = [
            ((3, 4), (4,)),
            ((3, 4), ()),
            ((3, 1), (1, 4)),
            ((3, 4), (1, 1)),
            ((1,), (3, 4)),
            ((2, 3, 4), (3, 1)),
            ((1, 0), (3, 1)),
            ((3, 4), (3, 1)),
        ]
        for one, two in shapes:
            x, y = self.draw(one), self.draw(two)
            self.assert_same(st.asarray(x) + st.asarray(y), x + y, (one, two))
            self.assert_same(st.asarray(y) - st.asarray(x), y - x, (one, two))
            if len(one) == 2:
                self.assert_same(st.asarray(x, format="CSR") * y, x * y, (one, two))
        with self.assertRaises(st.ShapeError):
            st.asarray(numpy.ones((3, 4))) + numpy.ones(3)

    def test_numbers_are_weak(self):
        for dtype in DTYPES:
            x = self.draw((3, 4), dtype)
            for number in (2, 2.5, 1j):
                if dtype == "bool" and number == 2:
                    expected = (x.astype("int64") * number).dtype
                else:
                    scalar = numpy.asarray(number)
                    weak = {"i": "int8", "f": "float16", "c": "complex64"}[scalar.dtype.kind]
                    expected = numpy.result_type(dtype, weak)
                    if scalar.dtype.kind == "i" or x.dtype.kind == "f" == scalar.dtype.kind:
                        expected = x.dtype
                    elif scalar.dtype.kind == "f" and x.dtype.kind in "biu":
                        expected = numpy.dtype("float64")
                    elif scalar.dtype.kind == "c" and x.dtype.kind in "biu":
                        expected = numpy.dtype("complex128")
                found = st.asarray(x) * number
                self.assertEqual(found.dtype, expected, (dtype, number))
                self.assert_same(found, (x * number).astype(expected), (dtype, number), 1e-2)
                self.assert_same(number * st.asarray(x), (x * number).astype(expected), None, 1e-2)
        with self.assertRaises(OverflowError):
            st.asarray(numpy.ones(3, "int8")) + 300

    def test_products_with_numbers_stay_sparse(self):
        x = self.draw((5, 6))
        tensor = st.asarray(x, format="CSR")
        for found, expected in [
            (tensor * 2, x * 2),
            (2 * tensor, 2 * x),
            (tensor / 4, x / 4),
            (-tensor, -x),
            (tensor > 0, x > 0),
            (tensor**3, x**3),
            (abs(tensor), abs(x)),
            (tensor * tensor, x * x),
        ]:
            self.assertEqual(found.format.name, "CSR")
            self.assert_same(found, expected)
        self.assert_same(tensor + 1, x + 1)
        self.assert_same(1 - tensor, 1 - x)

    def test_kernels_serve_for_all_numbers(self):
        x = st.asarray(self.draw((5, 6)), format="CSR")
        x * 0.5
        from strata import _core

        before = _core.compiled()
        for number in numpy.random.default_rng(1).random(100):
            x * float(number)
        self.assertEqual(_core.compiled(), before)

    def test_division(self):
        for one, two in itertools.product(
            ["int8", "int64", "uint8", "float32", "complex128"], repeat=2
        ):
            x, y = self.draw((3, 4), one), self.draw((3, 4), two, density=1)
            expected = x / y
            if {x.dtype.kind, y.dtype.kind} <= set("iu"):
                expected = expected.astype("float64")  # NumPy divides small integers in float16.
            self.assert_same(st.asarray(x) / y, expected, (one, two), 1e-2)
        x = self.draw((3, 4), density=1)
        self.assert_same(1 / st.asarray(x), 1 / x)

    def test_powers(self):
        for dtype in ("int8", "int32", "uint16", "float32", "float64", "complex64"):
            x = self.draw((3, 4), dtype)
            for exponent in (0, 1, 2, 3, 5):
                self.assert_same(st.asarray(x) ** exponent, x**exponent, (dtype, exponent), 1e-4)
        x = self.draw((3, 4), density=1)
        self.assert_same(st.asarray(x) ** 0.5, x**0.5)
        self.assert_same(st.asarray(x) ** -1, x**-1)
        self.assert_same(st.asarray(x) ** st.asarray(x), x**x)
        self.assert_same(2 ** st.asarray(x), 2**x)
        with self.assertRaises(ValueError):
            st.asarray([1, 2]) ** -1
        whole = self.draw((3, 4), "int32")
        for format in ("Dense", "CSR"):
            tensor = st.asarray(whole, format=format)
            self.assert_same(tensor ** st.asarray(abs(whole)), whole ** abs(whole), format)
            self.assert_same(2**tensor, 2**whole, format)
        with self.assertRaises(ValueError):
            st.asarray([1, 2]) ** st.asarray([1, -2])

    def test_powers_of_what_is_not_finite(self):
        values = [0, numpy.nan, numpy.inf, -numpy.inf, 2, 0]
        for dtype in ("float16", "float32", "float64", "complex64", "complex128"):
            x = numpy.array(values, dtype)
            for format in ("Dense", "SparseVector"):
                A = st.asarray(x, format=format)
                for found in (A**0, A**0.0, numpy.power(A, 0)):
                    self.assert_same(found, numpy.ones_like(x), (dtype, format))
                self.assertEqual((A**0).format.is_full, format == "Dense")
        self.assert_same(st.asarray(2.5) ** 0, numpy.ones(()))

    def test_results_are_other_tensors(self):
        """What is done to a result in place does not change the operand."""
        calls = {
            "sum": lambda x: x.sum(axis=()),
            "sum in its type": lambda x: x.sum(axis=(), dtype=x.dtype),
            "max": lambda x: x.max(axis=()),
            "prod": lambda x: st.prod(x, axis=()),
            "to the power of 1": lambda x: x**1,
            "conj": numpy.conj,
            "real": lambda x: x.real,
            "part": lambda x: x[...],
            "slice": lambda x: x[:],
            "diff": lambda x: numpy.diff(x, n=0),
            "zeros": st.eliminate_zeros,
            "reshape": lambda x: x.reshape(x.shape),
            "positive": lambda x: +x,
            "clip": lambda x: st.clip(x),
        }
        for format in ("Dense", "CSR", "COO"):
            expected = self.draw((3, 3))
            for name, call in calls.items():
                x = st.asarray(expected, format=format)
                found = call(x)
                self.assertIsNot(found, x, (name, format))
                found *= 2
                self.assert_same(x, expected, (name, format))
                self.assert_same(found, 2 * expected, (name, format))
            x = st.asarray(expected, format=format)
            power = st.linalg.matrix_power(x, 1)
            power += x
            self.assert_same(x, expected, format)
        for call in (lambda x: x.sum(), lambda x: x.min(), st.conj, lambda x: x.prod(keepdims=True)):
            scalar = st.asarray(3.0)
            found = call(scalar)
            found += 1
            self.assertEqual((scalar.item(), found.item()), (3, 4))

    def test_unary_for_every_type(self):
        for dtype in DTYPES:
            x = self.draw((3, 4), dtype)
            for format in ("Dense", "CSR"):
                for name, operation in UNARY.items():
                    if has_meaning(name, dtype):
                        found = operation(st.asarray(x, format=format))
                        self.assert_same(found, operation(x), (name, dtype, format))

    def test_every_format(self):
        x = self.draw((4, 6))
        for format in MATRIX_FORMATS:
            tensor = st.asarray(x, format=format)
            self.assert_same(tensor * 2.0, x * 2, format)
            self.assert_same(tensor + tensor, x + x, format)
            self.assert_same(tensor.sum(0), x.sum(0), format)
            self.assert_same(tensor @ x.T, x @ x.T, format)
            self.assert_same(tensor.T, x.T, format)

    def test_other_libraries_leave_operators_to_strata(self):
        x = self.draw((4, 6))
        tensor = st.asarray(x, format="CSR")
        matrix = scipy.sparse.csr_matrix(x)
        for found in (x + tensor, tensor + x, tensor + matrix, matrix + tensor):
            self.assertIsInstance(found, st.Tensor)
            self.assert_same(found, x + x)
        self.assert_same(x @ tensor.T, x @ x.T)
        self.assert_same(numpy.float64(2) * tensor, 2 * x)
        with self.assertRaises(TypeError):
            tensor + "text"
        with self.assertRaises(TypeError):
            tensor + None

    def test_tensors_have_no_hash(self):
        with self.assertRaises(TypeError):
            hash(st.zeros(3))


class MatmulTest(TestCase):
    def test_shapes(self):
        for one, two in [
            ((3, 4), (4, 5)),
            ((3, 4), (4,)),
            ((4,), (4, 5)),
            ((4,), (4,)),
            ((2, 3, 4), (4, 5)),
            ((2, 3, 4), (2, 4, 5)),
            ((1, 3, 4), (2, 4, 5)),
            ((6, 1, 3, 4), (2, 4, 5)),
            ((0, 4), (4, 3)),
            ((3, 0), (0, 2)),
            ((2, 3, 4), (4,)),
            ((1, 1), (1, 1)),
        ]:
            x, y = self.draw(one), self.draw(two)
            self.assert_same(st.asarray(x) @ y, x @ y, (one, two))
            self.assert_same(st.matmul(x, y), x @ y, (one, two))
            if len(one) == 2:
                self.assert_same(st.asarray(x, format="CSR") @ y, x @ y, (one, two))
        for one, two in [
            ((3, 4), (3, 4)),
            ((3, 4), (1, 4)),
            ((3,), (4,)),
            ((3, 4), ()),
            ((2, 3, 4), (3, 4, 5)),
        ]:
            with self.assertRaises(st.ShapeError):
                st.matmul(numpy.ones(one), numpy.ones(two))

    def test_sparse_products(self):
        x, y = self.draw((5, 6), density=0.3), self.draw((6, 7), density=0.3)
        for one, two in itertools.product(
            ["CSR", "CSC", "COO", "DCSR", "BCSR:2x3", "Dense"], repeat=2
        ):
            found = st.asarray(x, format=one) @ st.asarray(y, format=two)
            self.assert_same(found, x @ y, (one, two))
        found = st.asarray(x, format="CSR") @ st.asarray(y, format="CSR")
        self.assertEqual(found.format.name, "CSR")
        found.validate()


class ReductionTest(TestCase):
    def test_small_numbers_are_not_lost_in_sums_of_32_bits(self):
        for dtype in ("float32", "complex64"):
            column = numpy.ones((101, 1), dtype)
            column[0] = 2.0**24  # adding 1 to this in 32 bits changes nothing
            for format in ("Dense", "CSR", "CSC", "COO"):
                matrix = st.asarray(column, format=format)
                for axis, total in ((0, matrix.sum(0)), (1, matrix.T.sum(1))):
                    self.assertEqual(total.dtype, dtype)
                    found = total.todense().reshape(-1)[0]
                    self.assertEqual(found, 2.0**24 + 100, f"{dtype} {format} {axis}")
            zeros = numpy.zeros(101, int)
            for format in ("COO", "CSR", "Dense"):
                summed = st.from_coo((zeros, zeros), column[:, 0], (1, 1), format)
                self.assertEqual(summed[0, 0].item(), 2.0**24 + 100, f"{dtype} {format}")

    def test_sums_that_are_one_number_are_added_up_in_64_bits(self):
        for dtype in ("float32", "complex64", "float16"):
            many = numpy.full(3001, 1, dtype)
            many[0] = 2.0**24 if dtype != "float16" else 2.0**11
            total = numpy.sum(many, dtype="complex128").astype(dtype)
            for shape, format in itertools.product(
                ((3001, 1), (1, 3001)), ("Dense", "CSR", "CSC", "COO", "COO-Unordered", "DOK")
            ):
                matrix = st.asarray(many.reshape(shape), format=format)
                row = numpy.ones(shape[0], dtype)
                message = f"{dtype} {shape} {format}"
                for found in (
                    matrix.sum(),
                    matrix.sum(keepdims=True),
                    matrix.sum((0, 1)),
                    st.einsum("ij->", matrix),
                    st.evaluate("s = A(i,j)", A=matrix),
                    st.evaluate("s = x(i) * A(i,j)", A=matrix, x=row),
                    st.evaluate("s = sum(i, j, A(i,j)) * 1", A=matrix),
                ):
                    self.assertEqual(found.dtype, dtype, message)
                    self.assertEqual(found.item(), total, message)
                mean = (total.astype("complex128") / 3001).astype(dtype)
                self.assertAlmostEqual(matrix.mean().item() / mean, 1, 2, message)

    def test_sums_in_threads_are_added_up_in_64_bits(self):
        size = 2**19
        many = numpy.ones(size, "float32")
        many[:: size // 8] = 2.0**24
        total = numpy.float32(many.sum(dtype="float64"))
        for format in ("Dense", "COO"):
            matrix = st.asarray(many.reshape(-1, 64), format=format)
            found = []
            for count in (1, 2):
                with st.threads(count):
                    found += [matrix.sum().item(), st.einsum("ij,ij->", matrix, matrix).item()]
            self.assertEqual(found[0], total, format)
            self.assertEqual(found[:2], found[2:], format)

    def test_every_type(self):
        for dtype, name in itertools.product(DTYPES, REDUCTIONS):
            if not has_meaning(name, dtype):
                continue
            x = self.draw((3, 4), dtype)
            for format in ("Dense", "CSR"):
                for axis in (None, 0, 1):
                    found = getattr(st.asarray(x, format=format), name)(axis)
                    expected = getattr(x, name)(axis)
                    self.assert_same(found, expected, (name, dtype, format, axis), 1e-2)

    def test_axes(self):
        x = self.draw((2, 3, 4), density=1)
        tensor = st.asarray(x)
        for axis in (None, 0, 1, 2, -1, (0, 1), (0, 2), (-1, 0), (0, 1, 2), ()):
            for keepdims in (False, True):
                self.assert_same(
                    tensor.sum(axis, keepdims=keepdims),
                    x.sum(axis, keepdims=keepdims),
                    (axis, keepdims),
                )
                self.assert_same(
                    tensor.max(axis, keepdims=keepdims),
                    x.max(axis, keepdims=keepdims),
                    (axis, keepdims),
                )
        for axis in (3, -4, (0, 0)):
            with self.assertRaises(st.ShapeError):
                tensor.sum(axis)

    def test_of_all_that_is_not_stored(self):
        huge = st.from_coo(([5], [7], [3]), [-2.0], (2**40,) * 3)
        for name, expected in (("max", 0.0), ("min", -2.0), ("sum", -2.0), ("any", True)):
            self.assertEqual(getattr(huge, name)().item(), expected, name)
        self.assertEqual(abs(huge.prod().item()), 0.0)
        self.assertFalse(huge.all().item())

    def test_mean_and_types(self):
        x = self.draw((3, 4), "int32")
        self.assert_same(st.asarray(x).mean(), x.mean())
        self.assert_same(st.asarray(x, format="CSR").mean(0), x.mean(0))
        self.assert_same(st.asarray(x).sum(dtype="float32"), x.sum(dtype="float32"))

    def test_integers_are_added_up_as_what_they_become(self):
        large = numpy.array([[2**62] * 4, [0, 2**62, 0, 2**61]])
        for dtype, values in (("int64", large), ("uint64", 2 * large.astype("uint64"))):
            x = values.astype(dtype)
            for format in ("Dense", "CSR"):
                A = st.asarray(x, format=format)
                for axis, keepdims in ((None, False), (0, False), (1, True)):
                    where = (dtype, format, axis)
                    options = {"axis": axis, "keepdims": keepdims}
                    self.assert_same(A.mean(**options), x.mean(**options), where)
                    for wanted in ("float64", "float32", "complex128", "complex64"):
                        found = A.sum(dtype=wanted, **options)
                        self.assert_same(found, x.sum(dtype=wanted, **options), (wanted, *where))
                self.assert_same(A.prod(dtype=float), x.prod(dtype=float))
                self.assert_same(A.prod(1, dtype=float), x.prod(1, dtype=float))
        self.assert_same(st.prod(st.arange(1, 25), dtype=float), numpy.arange(1, 25).prod(dtype=float))
        self.assert_same(numpy.add.reduce(st.asarray(large), dtype=float), large.sum(0, dtype=float))
        half = numpy.full(4, 200, "float16")
        self.assert_same(st.asarray(half).prod(dtype=float), half.prod(dtype=float))

    def test_numbers_of_16_bits(self):
        """Their sums, counts and squares lie beyond what 16 bits express."""
        for count, value in ((70_000, 1.5), (3_000, 300.0)):
            x = numpy.full((2, count), value, "float16")
            x[1, ::2] = 0
            y = x.astype("float32")
            for format in ("Dense", "CSR"):
                A = st.asarray(x, format=format)
                self.assert_same(A.mean(), x.mean(), format, 1e-3)
                self.assert_same(numpy.mean(A, axis=1), x.mean(1), format, 1e-3)
                self.assert_same(st.std(A, axis=1), y.std(1).astype("float16"), format, 1e-3)
                self.assert_same(A.var(), y.var().astype("float16"), format, 1e-3)
                with_nan = x.copy()
                with_nan[:, 0] = numpy.nan
                B = st.asarray(with_nan, format=format)
                expected = numpy.nanmean(with_nan.astype("float32"), 1).astype("float16")
                self.assert_same(st.nanmean(B, axis=1), expected, format, 1e-3)

    def test_no_elements(self):
        empty = st.zeros((0, 3))
        self.assert_same(empty.sum(0), numpy.zeros(3))
        with self.assertRaises(ValueError):
            empty.max(0)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    unittest.main()
