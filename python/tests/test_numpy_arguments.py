"""Arguments as NumPy takes them, and functions that NumPy writes in terms of others: integers of NumPy's
own types, several dimensions, numbers that are not finite. NumPy computes the same of arrays."""

import itertools
import operator
import unittest

import numpy

import strata as st
from drawing import TestCase

FORMATS = ("Dense", "CSR", "CSC", "COO", "DCSR")

#: An integer as NumPy has it, also in an array without dimensions.
ONE, LAST, FIRST = numpy.int64(1), numpy.int32(-1), numpy.array(0)

#: What is asked of an array, or of a tensor, of the shape (3, 4).
INTEGERS = {
    "reduce": lambda x: numpy.sum(x, axis=ONE),
    "reduce several": lambda x: numpy.max(x, axis=(FIRST, LAST)),
    "reduce along an array": lambda x: numpy.prod(x, FIRST),
    "norm": lambda x: numpy.linalg.norm(x, axis=LAST),
    "norm of order 1": lambda x: numpy.linalg.norm(x, 1, axis=ONE),
    "expand": lambda x: numpy.expand_dims(x, ONE),
    "expand several": lambda x: numpy.expand_dims(x, (FIRST, LAST)),
    "squeeze": lambda x: numpy.squeeze(x[None], FIRST),
    "stack": lambda x: numpy.stack([x, x], ONE),
    "concatenate": lambda x: numpy.concatenate([x, x], LAST),
    "flip": lambda x: numpy.flip(x, FIRST),
    "reshape": lambda x: numpy.reshape(x, LAST),
    "reshape to an array": lambda x: numpy.reshape(x, numpy.array([2, -1])),
    "reshape by columns": lambda x: x.reshape(LAST, order="F"),
    "roll": lambda x: numpy.roll(x, ONE),
    "roll along": lambda x: numpy.roll(x, ONE, FIRST),
    "roll along several": lambda x: numpy.roll(x, numpy.array([1, 2]), (0, LAST)),
    "roll twice": lambda x: numpy.roll(x, 1, (0, 0)),
    "tile": lambda x: numpy.tile(x, numpy.int8(2)),
    "tile several": lambda x: numpy.tile(x, numpy.array([2, 1])),
    "tensordot": lambda x: numpy.tensordot(x, x, (ONE, ONE)),
    "tensordot of a number": lambda x: numpy.tensordot(x, x.T, ONE),
    "transpose": lambda x: numpy.transpose(x, numpy.array([1, 0])),
    "fftshift": lambda x: numpy.fft.fftshift(x, axes=ONE),
    "diff": lambda x: numpy.diff(x, n=ONE, axis=FIRST),
    "take": lambda x: numpy.take(x, ONE, axis=LAST),
}

#: Functions that NumPy writes in terms of others.
COMPOSED = {
    "vstack": lambda x: numpy.vstack([x, x]),
    "vstack of vectors": lambda x: numpy.vstack([x[0], x[1]]),
    "hstack": lambda x: numpy.hstack([x, x]),
    "hstack of vectors": lambda x: numpy.hstack([x[0], x[1]]),
    "dstack": lambda x: numpy.dstack([x, x]),
    "dstack of vectors": lambda x: numpy.dstack([x[0], x[1]]),
    "column_stack": lambda x: numpy.column_stack([x, x[:, 0]]),
    "append": lambda x: numpy.append(x, x),
    "append along": lambda x: numpy.append(x, x, axis=1),
    "concatenate": lambda x: numpy.concatenate([x, x], dtype="float32", casting="same_kind")
    if type(x) is numpy.ndarray
    else numpy.concatenate([x, x], dtype="float32"),
    "fliplr": lambda x: numpy.fliplr(x),
    "flipud": lambda x: numpy.flipud(x),
    "rot90": lambda x: numpy.rot90(x),
    "rot90 twice": lambda x: numpy.rot90(x, 2),
    "rot90 back": lambda x: numpy.rot90(x, -1),
    "rot90 not at all": lambda x: numpy.rot90(x, 4),
    "rot90 of others": lambda x: numpy.rot90(x[None], 1, (2, 0)),
    "average": lambda x: numpy.average(x),
    "average along": lambda x: numpy.average(x, axis=0, weights=[1, 2, 3]),
    "average of all": lambda x: numpy.average(x, weights=numpy.arange(1, 13).reshape(3, 4)),
    "delete": lambda x: numpy.delete(x, [0, -1], axis=1),
    "delete of all": lambda x: numpy.delete(x, slice(2, 5)),
    "compress": lambda x: numpy.compress([True, False, True], x, axis=0),
    "cross": lambda x: numpy.cross(x[:, :3], x[:, 1:]),
    "angle": lambda x: numpy.angle(x),
    "sinc": lambda x: numpy.sinc(x),
    "nan_to_num": lambda x: numpy.nan_to_num(numpy.log(x + 1), neginf=-7),
    "rint": lambda x: numpy.rint(x * 0.7),
    "diff from": lambda x: numpy.diff(x, prepend=0, axis=0),
    "diff to": lambda x: numpy.diff(x, append=2.5),
}

#: Methods and operators of arrays.
METHODS = {
    "tolist": lambda x: x.tolist(),
    "item": lambda x: x.item(5),
    "item at": lambda x: x.item(2, -1),
    "item at a tuple": lambda x: x.item((1, 2)),
    "contains": lambda x: (4.5 in x, -100 in x, 0 in x),
    "itemsize": lambda x: x.itemsize,
    "conjugate": lambda x: x.conjugate(),
    "var": lambda x: x.var(0, ddof=1),
    "std": lambda x: x.std(ddof=1, keepdims=True),
}

#: Of dense tensors alone.
DENSE_METHODS = {
    "argsort": lambda x: numpy.argsort(x[:, ::-1], kind="stable"),
    "argsort of all": lambda x: numpy.arange(24).reshape(4, 6)[::-1].argsort(None),
    "cumsum": lambda x: x.cumsum(),
    "cumsum along": lambda x: x.cumsum(1, dtype="float32"),
    "cumprod": lambda x: x.cumprod(0),
    "power of infinity": lambda x: x ** float("inf"),
}


def parts_of(result):
    """The results of a function that has several, as arrays."""
    listed = result if isinstance(result, (tuple, list)) else [result]
    return [one.todense() if isinstance(one, st.Tensor) else numpy.asarray(one) for one in listed]


class ArgumentTest(TestCase):
    def compare(self, calls, formats=FORMATS, dtypes=("float64", "int32")):
        for dtype in dtypes:
            x = self.draw((3, 4), dtype)
            for format in formats:
                A = st.asarray(x, format=format)
                for name, call in calls.items():
                    with self.subTest(name, format=format, dtype=dtype):
                        found, expected = call(A), call(x)
                        if isinstance(found, st.Tensor):
                            found.validate()
                        for one, other in zip(parts_of(found), parts_of(expected), strict=True):
                            self.assertEqual((one.shape, one.dtype), (other.shape, other.dtype))
                            numpy.testing.assert_allclose(one, other, 1e-6)

    def test_integers(self):
        self.compare(INTEGERS)

    def test_composed_functions(self):
        self.compare(COMPOSED)

    def test_methods(self):
        self.compare(METHODS, dtypes=("float64", "complex128"))
        self.compare(DENSE_METHODS, ("Dense",))

    def test_sparse_results(self):
        A = st.asarray(self.draw((3, 4)), format="COO")
        for name in ("vstack", "hstack", "append", "rot90", "fliplr", "delete", "diff from"):
            self.assertFalse(COMPOSED[name](A).format.is_full, name)

    def test_scalars_and_nothing(self):
        for x in (numpy.float64(2.5), numpy.zeros((0, 3)), numpy.zeros(2)):
            A = st.asarray(x)
            for call in (lambda y: numpy.append(y, y), lambda y: numpy.vstack([y, y])):
                self.assert_same(call(A), call(x))
            self.assertEqual((A.tolist(), 2.5 in A), (x.tolist(), bool((x == 2.5).any())))

    def test_products_of_vectors(self):
        x, y = self.draw((3, 4), "complex128"), self.draw((4, 3), "complex128")
        products = {
            "vecdot": lambda one, other: numpy.vecdot(one, other.T),
            "matvec": lambda one, other: numpy.matvec(one, other[:, 0]),
            "vecmat": lambda one, other: numpy.vecmat(one[0], other),
        }
        for name, call in products.items():
            if hasattr(numpy, name):
                for format in FORMATS:
                    A, B = st.asarray(x, format=format), st.asarray(y, format=format)
                    self.assert_same(call(A, B), call(x, y))

    def test_norms(self):
        for shape in ((0, 4), (3, 0), (0, 0)):
            x = numpy.zeros(shape)
            for format in FORMATS:
                A = st.asarray(x, format=format)
                for order, axis in ((1, None), (numpy.inf, None), (numpy.inf, 0), (numpy.inf, 1)):
                    self.assert_same(numpy.linalg.norm(A, order, axis), x.sum(axis))
                self.assertEqual(st.linalg.vector_norm(A, ord=numpy.inf).item(), 0)
        x = self.draw((2, 3, 4))
        for format, order, axis in itertools.product(
            ("Dense", "COO"), ("fro", 1, -numpy.inf), ((0, 2), (2, 0), (-1, 1))
        ):
            A = st.asarray(x, format=format)
            for keepdims in (False, True):
                options = {"ord": order, "axis": axis, "keepdims": keepdims}
                self.assert_same(numpy.linalg.norm(A, **options), numpy.linalg.norm(x, **options))

    def test_results_in_arrays(self):
        x = self.draw((3, 4)) + 0.25
        calls = {
            "clip": lambda y, **out: numpy.clip(y, 1, 2.5, **out),
            "round": lambda y, **out: numpy.round(y, 1, **out),
            "concatenate": lambda y, **out: numpy.concatenate([y, y], **out),
            "stack": lambda y, **out: numpy.stack([y, y], axis=1, **out),
            "dot": lambda y, **out: numpy.dot(y, x.T, **out),
            "argmax": lambda y, **out: numpy.argmax(y, axis=1, **out),
            "var": lambda y, **out: numpy.var(y, axis=0, **out),
            "nansum": lambda y, **out: numpy.nansum(y, axis=0, **out),
            "take": lambda y, **out: numpy.take(y, [0, 1], axis=1, **out),
            "trace": lambda y, **out: numpy.trace(y, **out),
        }
        for format in FORMATS:
            A = st.asarray(x, format=format)
            for name, call in calls.items():
                with self.subTest(name, format=format):
                    expected = call(x)
                    out = numpy.zeros(expected.shape, expected.dtype)
                    found = call(A, out=out)
                    numpy.testing.assert_allclose(out, expected)
                    self.assertTrue(found.shares_memory(out))
            with self.assertRaises(st.ShapeError):
                numpy.clip(A, 1, 2, out=numpy.zeros(5))
            self.assert_same(numpy.var(A, dtype="float32"), numpy.var(x, dtype="float32"))
            self.assert_same(numpy.var(A, where=x > 1), numpy.var(x, where=x > 1))

    def test_what_is_no_integer(self):
        for format in FORMATS:
            A = st.asarray(self.draw((3, 4)), format=format)
            for call in (
                lambda: st.roll(A, 1.5),
                lambda: st.roll(A, [[1]], axis=0),
                lambda: st.roll(A, 1, axis=[[0, 1]]),
                lambda: st.reshape(A, 2.5),
                lambda: st.reshape(A, "all"),
                lambda: st.expand_dims(A, 0.5),
            ):
                with self.assertRaisesRegex(st.ArgumentError, "an integer is needed"):
                    call()
            with self.assertRaises(st.ShapeError):
                st.roll(A, 1, axis=2)
        with self.assertRaises(st.DivisionError):
            numpy.average(A, axis=0, weights=[1, -1, 0])
        with self.assertRaises(st.ShapeError):
            numpy.average(A, axis=1, weights=[1, 2, 3])

    def test_bounds_with_fractions(self):
        x = numpy.array([[0, 5, -3], [2, 0, 1]])
        for format in FORMATS:
            A = st.asarray(x, format=format)
            for bounds in ((0, 2.5), (0.5, None), (None, numpy.float32(1.5)), (-300, 300), (1, 3)):
                self.assert_same(st.clip(A, *bounds), numpy.clip(x, *bounds))
            small = A.astype("int8")
            low, high = numpy.int16(-300), numpy.int16(300)
            self.assert_same(numpy.clip(small, low, high), numpy.clip(x.astype("int8"), low, high))

    def test_powers(self):
        x = numpy.array([[0.5, 2.0], [1.0, 3.0]])
        for exponent in (numpy.inf, -numpy.inf, numpy.nan):
            for format in FORMATS:
                A = st.asarray(x, format=format)
                self.assert_same(A**exponent, x**exponent)
                whole = st.asarray(x.astype("int64"), format=format)
                self.assert_same(whole**exponent, x.astype("int64") ** exponent)

    def test_powers_of_zero(self):
        z = numpy.array([[0, 1 + 2j, 0], [2 - 1j, 0, 1j]])
        other = numpy.array([[0, 2, 3], [0, 0, -1.0]])
        for format in FORMATS:
            A = st.asarray(z, format=format)
            self.assert_same(A**A, z**z)
            self.assert_same(A ** st.asarray(other, format=format), z**other)
            self.assert_same(0 ** (A * 0 + 2), 0 ** (z * 0 + 2))
            truth = st.asarray(z != 0, format=format)
            self.assert_same(truth**3, (z != 0) ** 3)

    def test_angles_of_zeros(self):
        y = numpy.array([[0, -2, 0, -0.0], [3, 0, -0.0, 0]])
        x = numpy.array([[0, 0, -0.0, 0], [2, 5, -0.0, -3]])
        for one, other in ((FORMATS, FORMATS), (FORMATS, ("Dense",)), (("Dense",), FORMATS)):
            for formats in itertools.product(one, other):
                Y, X = (st.asarray(a, format=of) for a, of in zip((y, x), formats))
                found = numpy.arctan2(Y, X)
                self.assert_same(found, numpy.arctan2(Y.todense(), X.todense()), formats)
                self.assertEqual(found.format.is_full, "Dense" in formats, formats)

    def test_rests_of_division_by_what_is_not_stored(self):
        x, y = numpy.array([[0, -2], [3, 0]]), numpy.array([[0, 0], [2, 5]])
        for format in FORMATS:
            A, B = st.asarray(x, format=format), st.asarray(y, format=format)
            for call in (lambda: A % B, lambda: A // B, lambda: divmod(A, B), lambda: 7 % B):
                with self.assertRaises(st.DivisionError):
                    call()
            self.assert_same(A % (B - 7), x % (y - 7))

    def test_closeness(self):
        x = numpy.array([[0, 1.0, numpy.nan, numpy.inf], [-numpy.inf, 2, 0, 1]])
        y = numpy.array([[0, numpy.inf, 1, numpy.inf], [numpy.inf, 2 + 1e-9, numpy.nan, 1.1]])
        whole = numpy.array([[1, 2, 0, 255]], "uint8")
        for format in FORMATS:
            A, B = st.asarray(x, format=format), st.asarray(y, format=format)
            self.assert_same(numpy.isclose(A, B), numpy.isclose(x, y))
            self.assert_same(numpy.isclose(A, A, equal_nan=True), numpy.isclose(x, x, equal_nan=True))
            self.assertFalse(numpy.allclose(A, B))
            U = st.asarray(whole, format=format)
            self.assertTrue(numpy.allclose(U, U) and numpy.allclose(U != 0, U != 0))
            self.assert_same(numpy.isclose(U, whole[:, ::-1]), numpy.isclose(whole, whole[:, ::-1]))

    def test_numbers_that_no_element_is(self):
        x = numpy.array([[0, 5], [200, 0]], "uint8")
        for format, number in itertools.product(FORMATS, (-1, 300, 2**70)):
            A = st.asarray(x, format=format)
            for compare in "eq ne lt le gt ge".split():
                call = getattr(operator, compare)
                self.assert_same(call(A, number), call(x.astype(object), number).astype(bool))
                self.assert_same(call(number, A), call(number, x.astype(object)).astype(bool))

    def test_texts_of_scalars(self):
        total = st.asarray([1.25, 2.0], format="COO").sum()
        self.assertEqual((f"{total:.3f}", f"{st.asarray(7):04d}"), ("3.250", "0007"))
        self.assertEqual(f"{total}", str(total))
        with self.assertRaises(TypeError):
            format(st.eye(2), ".3f")

    def test_nothing_has_any_fill(self):
        for shape in ((0, 4), (3, 0), (0,)):
            x = numpy.zeros(shape)
            A = st.asarray(x, format="COO")
            self.assert_same(A // 0, x)
            self.assert_same(st.where(A > 1, A, numpy.nan), x)
            self.assert_same(st.hypot(A, numpy.nan), x)
        self.assert_same(numpy.repeat(st.zeros((0, 2)), [], axis=0), numpy.zeros((0, 2)))

    def test_rounding_of_tens(self):
        for dtype in ("complex64", "float32"):
            x = self.draw((3, 4), dtype) * 10
            self.assert_same(st.asarray(x).round(numpy.int64(-1)), x.round(-1))

    def test_diagonals_of_long_vectors(self):
        n = 10**9
        x = st.from_coo(([3, n - 1],), [2.0, 5.0], n, "SparseVector")
        A = st.diag(x, 1)
        self.assertEqual((A.shape, A.nnz), ((n + 1, n + 1), 2))
        self.assertEqual([A[3, 4].item(), A[n - 1, n].item(), A[4, 4].item()], [2, 5, 0])
        self.assert_same(st.diag(st.asarray([0.0, 3.0], format="SparseVector")), numpy.diag([0, 3.0]))
        shifted = st.asarray([0.0, 3.0], format="SparseVector") + 1
        self.assert_same(st.diag(shifted, -1), numpy.diag([1.0, 4.0], -1))

    def test_divisors_that_are_all_stored(self):
        x, y = numpy.array([[0, -7, 5], [3, 0, -4]]), numpy.array([[2, -3, 1], [4, 5, -6]])
        pairs = ("CSR", "CSR"), ("COO", "CSC"), ("CSR", "ELL"), ("DCSR", "Dense"), ("Dense", "COO")
        calls = operator.floordiv, operator.mod, divmod
        for formats, dtype in itertools.product(pairs, ("int64", "float64", "bool")):
            A, B = (st.asarray(a.astype(dtype), format=of) for a, of in zip((x, y), formats))
            for call in calls:
                expected = call(x.astype(dtype), y.astype(dtype))
                self.assert_parts(call(A, B), expected, formats)
                self.assert_parts(call(A, B.todense().tolist()), expected, formats)
                self.assert_parts(call(7, B), call(7, y.astype(dtype)), formats)
                self.assert_parts(call(A, B[1]), call(x.astype(dtype), y.astype(dtype)[1]), formats)
        C = st.asarray(x, format="CSR")
        C //= st.asarray(y, format="COO")
        self.assert_same(C, x // y)

    def assert_parts(self, found, expected, message):
        """One result, or several, have the elements of arrays."""
        listed = zip(*(one if isinstance(one, tuple) else (one,) for one in (found, expected)))
        for one, other in listed:
            one.validate()
            self.assert_same(one, other, message)

    def test_divisors_that_are_not_all_stored(self):
        x, y = numpy.array([[6, -7, 5], [3, 0, -4]]), numpy.array([[2, -3, 1], [4, 0, -6]])
        for format, kept in itertools.product(("CSR", "COO", "ELL"), (False, True)):
            # (A zero that is stored divides as one that is not.)
            where = numpy.nonzero(numpy.ones_like(y) if kept else y)
            B = st.from_coo(where, y[where], y.shape, format)
            A = st.asarray(x, format=format)
            for call in (operator.floordiv, operator.mod, divmod):
                for left in (A, 7):
                    with self.assertRaises(st.DivisionError):
                        call(left, B)
                nothing = st.asarray(x[:0], format=format)
                self.assert_parts(call(nothing, B[:0]), call(x[:0], y[:0]), format)
                self.assert_parts(call(nothing, 0), call(x[:0], 1), format)
            if not kept:
                for call in (operator.floordiv, divmod):
                    with numpy.errstate(all="ignore"):
                        expected = call(x.astype(float), y.astype(float))
                    self.assert_parts(call(A.astype(float), B.astype(float)), expected, format)
        padded = st.asarray([[1, 2], [0, 3]], format="ELL")  # as many values as elements
        with self.assertRaises(st.DivisionError):
            5 // padded

    def test_quotients_store_what_the_dividend_does(self):
        n = 10**6
        A = st.from_coo(([3, n - 1], [7, 0]), [5, -2], (n, n), "COO")
        column = numpy.arange(1, n + 1)[:, None]
        for divisors in (column, st.asarray(column, format="COO"), -column):
            quotient, rest = divmod(A, divisors)
            sign = numpy.sign(divisors[0, 0].item())
            self.assertEqual((quotient.nnz, rest.nnz, quotient.fill), (2, 2, 0))
            self.assertEqual(quotient[3, 7].item(), (5 * sign) // 4)
            self.assertEqual(rest[n - 1, 0].item(), -2 % (n * sign))
            self.assertEqual((A // divisors)[3, 7].item(), (5 * sign) // 4)
        self.assertEqual(st.hypot(A, numpy.ones(n)).fill, 1)
        undefined = numpy.where(column == 5, numpy.nan, column)
        for call in (lambda: A // undefined, lambda: st.hypot(A, column)):
            with self.assertRaises(st.DensifyError):
                call()
        with self.assertRaises(st.DivisionError):
            A // (column - 1)
        with self.assertRaises(st.DensifyError):  # n times as many entries as there are
            st.hypot(A[:1], st.asarray(column, format="COO"))

    def test_rows_that_are_stored_twice(self):
        arrays = numpy.array([0, 2]), numpy.array([0, 0]), numpy.arange(1.0, 7.0)
        format = "(i, j) -> (i : compressed(nonunique), j : dense)"
        A = st.from_buffers(format, (2, 3), arrays, validate=False)
        self.assertEqual(A.nnz, A.size)  # and yet the second row is not stored
        with numpy.errstate(invalid="ignore"):
            self.assert_same(0.0 // A, 0.0 // A.todense())

    def test_averages_of_small_integers(self):
        for dtype in ("int8", "int64"):
            x = numpy.array([100, 100], dtype)
            weights = numpy.array([2, 2], dtype)
            for format in ("Dense", "COO"):
                found = numpy.average(st.asarray(x, format=format), weights=weights)
                self.assert_same(found, numpy.average(x, weights=weights))

    def test_what_is_no_number_is_contained_nowhere(self):
        A = st.asarray([1.0, 2.0])
        self.assertFalse(None in A or "a" in A)
        self.assertTrue(2.0 in A)

    def test_deviations_with_arguments_by_place(self):
        x = self.draw((3, 4), "float64")
        out = numpy.zeros(4)
        for name in ("var", "std"):
            function = getattr(numpy, name)
            for format in ("Dense", "CSR"):
                A = st.asarray(x, format=format)
                self.assert_same(function(A, 0, "float64"), function(x, 0, "float64"))
                function(A, 0, out=out)
                self.assert_same(st.asarray(out), function(x, 0))

    def test_nothing_is_written_if_one_result_has_no_place(self):
        A = st.asarray([1.5, 2.5])
        first = numpy.zeros(2)
        for second, error in ((numpy.zeros(3), st.ShapeError), (numpy.zeros(2, "int64"), TypeError)):
            with self.assertRaises(error):
                numpy.modf(A, out=(first, second))
            self.assertEqual(first.tolist(), [0, 0])

    def test_results_of_a_type(self):
        x, y = numpy.array([[200, 0, 100]], "uint8"), numpy.array([[200, 0, 56]], "uint8")
        z = numpy.array([[0, 1 + 2j, 3]])
        for format in FORMATS:
            A, B, Z = (st.asarray(one, format=format) for one in (x, y, z))
            for function, dtype in (
                (numpy.add, "int64"), (numpy.multiply, "float32"), (numpy.maximum, "int16"),
                (numpy.hypot, "float64"), (numpy.power, "int64"), (numpy.subtract, "int8"),
            ):
                expected = function(x, y, dtype=dtype)
                self.assert_same(function(A, B, dtype=dtype), expected, (function, format))
                self.assert_same(function(A, y, dtype=dtype), expected, (function, format))
            self.assert_same(numpy.add(A, 1000, dtype="int32"), x.astype("int32") + 1000)
            self.assert_same(numpy.sqrt(A, dtype="float32"), numpy.sqrt(x, dtype="float32"))
            self.assert_same(numpy.absolute(Z, dtype=float), numpy.absolute(z))
            self.assert_same(numpy.less(A, B, dtype=bool), numpy.less(x, y))
            self.assert_same(numpy.ldexp(A, 3, dtype="float64"), numpy.ldexp(x, 3, dtype="float64"))
            for call in (
                lambda: numpy.sqrt(A, dtype=int),
                lambda: numpy.add(A, 1.5, dtype=int),
                lambda: numpy.add(Z, A, dtype=float),
                lambda: numpy.true_divide(A, A, dtype=int),
                lambda: numpy.hypot(A, A, dtype=int),
                lambda: numpy.concatenate([A, A * 1.5], dtype=int),
                lambda: numpy.vstack([A, Z], dtype=float),
                lambda: numpy.concatenate([A, A], dtype="float64", casting="no"),
            ):
                with self.assertRaises(TypeError):
                    call()
            with self.assertRaises(OverflowError):
                numpy.add(A, 1000, dtype="uint8")
        product = numpy.matmul(A, y.T, dtype="int64")
        self.assert_same(product, numpy.matmul(x, y.T, dtype="int64"))

    def test_joined_as_a_type(self):
        x, y = numpy.array([[2**63 + 1, 0]], "uint64"), numpy.array([[-1, 0]])
        for format in FORMATS:
            A, B = st.asarray(x, format=format), st.asarray(y, format=format)
            found = numpy.concatenate([A, B], dtype="int64")
            self.assertEqual(found.todense().tolist(), [[1 - 2**63, 0], [-1, 0]])
            joined = numpy.hstack([B, B * 1.5], dtype=int, casting="unsafe")
            self.assert_same(joined, numpy.array([[-1, 0, -1, 0]]))

    def test_tensors_as_arguments(self):
        x = self.draw((4, 5))
        for format in FORMATS:
            A = st.asarray(x, format=format)
            for chosen in ([0, 2], [True, False, False, True]):
                key = st.asarray(chosen)
                self.assert_same(numpy.delete(A, key, axis=0), numpy.delete(x, chosen, axis=0))
            self.assert_same(numpy.delete(A, st.asarray(3)), numpy.delete(x, 3))
            sparse = st.asarray([False, True, True, False], format="COO")
            self.assert_same(numpy.delete(A, sparse, axis=0), x[[0, 3]])
            self.assert_same(numpy.compress(sparse, A, axis=0), x[1:3])
            wide = numpy.array([1e-5, 1, 1e-5, 1e-5, 10])
            near = numpy.isclose(x, x + 1, wide, 0.01)
            for tolerance in (st.asarray(wide), wide):
                self.assert_same(numpy.isclose(A, x + 1, tolerance, 0.01), near)
            B = st.asarray(x + 1, format=format)
            self.assert_same(numpy.isclose(A, B, st.asarray(wide), st.asarray(0.01)), near)

    def test_distinct_elements_that_are_no_numbers(self):
        x = numpy.array([[numpy.nan, 0, 1], [numpy.nan, 0, numpy.nan]])
        for format in FORMATS:
            A = st.asarray(x, format=format)
            self.assert_same(numpy.unique(A), numpy.unique(x))
            self.assert_same(numpy.unique(A, equal_nan=False), numpy.unique(x, equal_nan=False))
            found = numpy.unique(A, return_inverse=True, return_counts=True)
            self.assertEqual(found[1].todense().reshape(-1).tolist(), [2, 0, 1, 2, 0, 2])
            self.assertEqual(found[2].todense().tolist(), [2, 1, 3])
            self.assertEqual(st.unique_values(A).size, 5)

    def test_norms_that_there_are_not(self):
        for x in (self.draw((2, 3, 4)), numpy.ones(())):
            A = st.asarray(x)
            self.assert_same(numpy.linalg.norm(A), numpy.linalg.norm(x))
            for order in (1, 2, numpy.inf, "fro"):
                with self.assertRaises(st.ShapeError):
                    numpy.linalg.norm(A, order)
        x = self.draw((2, 3, 4))
        self.assert_same(
            numpy.linalg.norm(st.asarray(x), 1, axis=(1,)), numpy.linalg.norm(x, 1, axis=(1,))
        )
        with self.assertRaises(st.ShapeError):
            numpy.linalg.norm(st.asarray(x), 1, axis=(0, 1, 2))
        with self.assertRaises(st.ArgumentError):
            numpy.linalg.norm(st.asarray([1.0, 2.0]), "fro")

    def test_matrices_that_do_not_fit(self):
        A = st.asarray([[2.0, 0], [0, 4]])
        for right in (numpy.ones(3), numpy.ones((3, 2)), numpy.ones((2, 3, 2)), numpy.ones(())):
            with self.assertRaises(st.ShapeError):
                st.linalg.solve(A, right)
        stacks = st.asarray(numpy.ones((2, 3, 3)) + numpy.eye(3))
        with self.assertRaises(st.ShapeError):
            st.linalg.solve(stacks, numpy.ones((4, 3, 1)))
        with self.assertRaises(st.ShapeError):
            st.linalg.pinv(stacks, rtol=numpy.ones(5))
        with self.assertRaises(st.ShapeError):
            st.linalg.matrix_rank(stacks, rtol=numpy.ones(5))
        with self.assertRaises(st.DTypeError):
            st.linalg.solve(A, numpy.ones(2, "float16"))
        self.assert_same(st.linalg.solve(A, [2.0, 4.0]), numpy.ones(2))
        for power in (2.5, 2.0, "2"):
            with self.assertRaises(st.ArgumentError):
                st.linalg.matrix_power(A, power)
        self.assert_same(st.linalg.matrix_power(A, numpy.int8(2)), numpy.diag([4.0, 16.0]))
        for decimals in (1.5, "1"):
            with self.assertRaises(TypeError):
                A.round(decimals)

    def test_memory_goes_with_entries(self):
        A = st.from_coo(([3, 10**5 - 1], [7, 0]), [5.0, -2.0], (10**5, 10**5), "CSR")
        found = st.reshape(A, (-1, 1))
        self.assertEqual((found.shape, found.nnz), ((10**10, 1), 2))
        self.assertLess(found.nbytes, 1000)
        self.assertEqual(found[3 * 10**5 + 7, 0].item(), 5)
        self.assertLess(st.reshape(A.asformat("CSC"), (1, -1)).nbytes, 1000)
        self.assertLess(st.pad(A, ((0, 10**10), (0, 0))).nbytes, 1000)
        self.assertLess(st.repeat(A, 10**5, axis=0)[:10].nbytes, 1000)
        self.assertEqual(st.reshape(st.eye(30), (90, 10)).format.name, "CSR")
        self.assertEqual(st.concat([A] * 40).format.name, "CSR")
        self.assertEqual(st.roll(A, 1, axis=0).format.name, "CSR")
        T = st.from_coo(([5, 10**11], [0, 1], [0, 1]), [1.0, 2.0], (10**12, 5, 5))
        for tensor, fill in ((T, 0), (T + 1, 1)):
            found = tensor[:, [0, 1], [0, 1]]
            self.assertEqual((found.shape, found.nnz, found.fill), ((10**12, 2), 2, fill))
            self.assertEqual(found[10**11].todense().tolist(), [fill, 2 + fill])
        self.assertEqual(A[numpy.zeros(2 * 10**6, int)].format.name, "CSR")
        nothing = st.zeros((1, 3), "COO")
        tiled = st.broadcast_to(nothing, (10**12, 3))
        self.assertEqual((tiled.shape, tiled.nnz), ((10**12, 3), 0))
        self.assertEqual(st.tile(nothing, (10**9, 10**6)).shape, (10**9, 3 * 10**6))
        one = st.from_coo(([0], [1]), [2.0], (1, 3), "COO")
        self.assert_same(st.broadcast_to(one, (2, 3)), [[0.0, 2, 0]] * 2)
        for call in (
            lambda: st.broadcast_to(one, (10**13, 3)),
            lambda: st.tile(one, (10**13, 1)),
            lambda: st.repeat(one, 10**13, axis=0),
        ):
            with self.assertRaises(st.OutOfMemory):
                call()

    def test_dense_results_as_large_as_shapes_are_refused(self):
        A = st.from_coo(([0], [0]), [1.0], (10**6, 10**6), "COO")
        for call in (
            lambda: numpy.append(A, 5.0),
            lambda: numpy.diff(A, prepend=1),
            lambda: numpy.delete(A, 0),
        ):
            with self.assertRaises(st.DensifyError):
                call()


if __name__ == "__main__":
    unittest.main()
