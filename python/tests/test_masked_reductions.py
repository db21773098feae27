"""Reductions of selected elements, and what they begin with. NumPy computes the same of arrays."""

import itertools
import math
import unittest
import warnings

import numpy

import strata as st
from drawing import TestCase

FORMATS = ("Dense", "CSR", "CSC", "COO", "ELL")

#: Reductions, and what of the options they need.
REDUCTIONS = {
    "sum": {},
    "prod": {},
    "max": {"initial": -1},
    "min": {"initial": 2},
    "any": {},
    "all": {},
    "mean": {},
    "var": {},
    "std": {},
}

AXES = (None, 0, 1, (0, 1), ())


def reduced(library, name, x, axis, **options):
    """A reduction of NumPy or of tensors, without a warning about means of nothing."""
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return getattr(library, name)(x, axis=axis, **REDUCTIONS[name], **options)


class SelectionTest(TestCase):
    def masks(self):
        """Truth values for the shape (3, 4), as arrays and as what ``where=`` takes."""
        m = self.generator.random((3, 4)) < 0.5
        yield m, m
        yield m[0], m[0].tolist()
        yield m[:, :1], st.asarray(m[:, :1], format="CSR")
        yield m[1], st.asarray(m[1], format="COO")
        yield m, st.asarray(m, format="CSR")
        yield ~m, ~st.asarray(m, format="COO")
        yield numpy.array(False), False
        yield numpy.zeros((3, 4), bool), st.asarray(numpy.zeros((3, 4), bool), format="COO")

    def test_reductions(self):
        x = self.draw((3, 4))
        for (m, where), format in itertools.product(self.masks(), FORMATS):
            A = st.asarray(x, format=format)
            for (name, axis), keepdims in zip(
                itertools.product(REDUCTIONS, AXES), itertools.cycle((False, True))
            ):
                with self.subTest(name, format=format, axis=axis, where=where):
                    expected = reduced(numpy, name, x, axis, where=m, keepdims=keepdims)
                    found = reduced(numpy, name, A, axis, where=where, keepdims=keepdims)
                    self.assert_same(found, expected)
            expected = reduced(numpy, "sum", x, 1, where=m)
            self.assert_same(reduced(st, "sum", A, 1, where=where), expected)
            self.assert_same(A.sum(1, where=where), expected)

    def test_types(self):
        m = self.generator.random((3, 4)) < 0.5
        for dtype in ("bool", "int8", "int32", "float32", "complex64"):
            x = self.draw((3, 4), dtype)
            names = ("sum", "prod", "mean", "var", "std") if dtype == "complex64" else REDUCTIONS
            for name, format in itertools.product(names, ("Dense", "CSR")):
                A = st.asarray(x, format=format)
                with self.subTest(name, dtype=dtype, format=format):
                    expected = reduced(numpy, name, x, 0, where=m)
                    self.assert_same(reduced(st, name, A, 0, where=m), expected)
            for name in ("sum", "prod", "mean"):
                options = {"dtype": "complex64" if dtype == "complex64" else "float64", "where": m}
                self.assert_same(
                    reduced(numpy, name, A, 1, **options), reduced(numpy, name, x, 1, **options)
                )
            if dtype == "complex64":
                with self.assertRaisesRegex(st.DTypeError, "no order"):
                    A.max(0, where=m, initial=0)

    def test_fills(self):
        x, m = self.draw((3, 4)), self.generator.random((3, 4)) < 0.6
        for fill, format in itertools.product((3, -2, 1), ("CSR", "COO")):
            A = st.asarray(x, format=format) + fill
            for name, axis in itertools.product(REDUCTIONS, AXES):
                with self.subTest(name, fill=fill, axis=axis):
                    expected = reduced(numpy, name, x + fill, axis, where=m)
                    self.assert_same(reduced(st, name, A, axis, where=m), expected)
                    sparse = st.asarray(m, format="CSC")
                    self.assert_same(reduced(st, name, A, axis, where=sparse), expected)

    def test_what_is_not_selected_does_not_matter(self):
        x = numpy.array([[numpy.nan, 2.0, 0.0], [numpy.inf, 0.0, 3.0]])
        for format in FORMATS:
            A = st.asarray(x, format=format)
            for name, axis in itertools.product(REDUCTIONS, (None, 1)):
                where = numpy.isfinite(x)
                expected = reduced(numpy, name, x, axis, where=where)
                self.assert_same(reduced(st, name, A, axis, where=where), expected)

    def test_reductions_without_nan(self):
        x = numpy.array([[numpy.nan, 2.0, 0.0], [7.0, numpy.nan, 3.0]])
        where = x != 7
        for format, name in itertools.product(FORMATS, ("nansum", "nanprod")):
            A = st.asarray(x, format=format)
            for axis in (None, 0, 1):
                options = {"axis": axis, "where": where, "initial": 2}
                expected = getattr(numpy, name)(x, **options)
                self.assert_same(getattr(numpy, name)(A, **options), expected)
                self.assert_same(getattr(st, name)(A, **options), expected)

    def test_masks_by_pattern(self):
        x = self.draw((3, 4))
        for format in ("CSR", "COO", "Dense"):
            M = st.from_coo(([0, 1, 1], [0, 1, 3]), [0.0, 1.0, 2.0], (3, 4), "CSR")
            m = numpy.zeros((3, 4), bool)
            m[[0, 1, 1], [0, 1, 3]] = True
            A = st.asarray(x, format=format)
            self.assert_same(A.sum(1, where=M.structural), x.sum(1, where=m))
            self.assert_same(A.sum(1, where=~M.structural), x.sum(1, where=~m))
            m[0, 0] = False  # stored, and zero
            self.assert_same(A.sum(1, where=M), x.sum(1, where=m))

    def test_three_dimensions_and_none(self):
        x, m = self.draw((2, 3, 4)), self.generator.random((3, 1)) < 0.5
        for format in ("Dense", "COO", "CSF"):
            A = st.asarray(x, format=format)
            for axis in (1, (0, 2), (1, 2), None):
                for where in (m, st.asarray(m, format="COO")):
                    self.assert_same(
                        A.prod(axis, where=where, keepdims=True),
                        x.prod(axis, where=m, keepdims=True),
                    )
        for x in (numpy.float64(3), numpy.zeros((0, 3)), numpy.zeros((3, 0))):
            A = st.asarray(x, format="COO" if x.ndim else "Dense")
            for where in (False, numpy.array(True)):
                self.assert_same(A.sum(where=where), numpy.sum(x, where=where))
                self.assert_same(A.max(initial=7, where=where), numpy.max(x, initial=7, where=where))

    def test_means_of_nothing(self):
        x = self.draw((2, 3))
        where = numpy.array([[True], [False]])
        for format in ("Dense", "CSR"):
            with self.assertWarns(RuntimeWarning):
                found = st.asarray(x, format=format).mean(1, where=where)
            self.assert_same(found, [x[0].mean(), numpy.nan])

    def test_variances(self):
        x, m = self.draw((4, 5)), self.generator.random((4, 5)) < 0.5
        m[0] = False
        m[1] = [True, False, False, False, False]
        for dtype, format, ddof in itertools.product(
            ("float16", "float64", "complex64"), FORMATS, (0, 1, 0.5)
        ):
            given = x.astype(dtype)
            A = st.asarray(given, format=format)
            with numpy.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = given.var(1, ddof=ddof, where=m)
            with self.assertWarnsRegex(RuntimeWarning, "Degrees of freedom"):
                found = A.var(1, ddof=ddof, where=m)
            self.assert_same(found, expected, format, 1e-3)
            target = st.zeros(4, dtype=expected.dtype)
            some = [True, True, False, True, True]
            self.assertIs(A.std(1, ddof=ddof, where=some, out=target), target)
            self.assert_same(target, given.std(1, ddof=ddof, where=some), format, 1e-3)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                A.var(0, where=True)

    def test_variances_beside_an_infinite_fill(self):
        A = st.from_coo(([0, 0, 1], [0, 1, 1]), [1.0, 3.0, 2.0], (2, 2), st.Format("CSR", fill=math.inf))
        found = st.var(A, axis=1).todense()
        self.assertEqual(found[0], 1)
        self.assertTrue(math.isnan(found[1]))

    def test_large(self):
        n = 10**9
        A = st.from_coo(([3, 3, n - 1], [5, 6, 0]), [numpy.nan, 2.0, 4.0], (n, n), "COO")
        M = st.from_coo(([3, n - 1, 8], [6, 0, 1]), [True, True, True], (n, n), "COO")
        rows = A.sum(1, where=M)
        self.assertEqual((rows.nnz, rows[3].item(), rows[n - 1].item()), (2, 2, 4))
        self.assertEqual(A.sum(where=M, initial=10).item(), 16)
        self.assertEqual(A.max(where=M, initial=-7).item(), 4)
        self.assertEqual(A.min(where=M, initial=7).item(), 0)  # the element (8, 1)
        columns = st.from_coo(([6, 7],), [True, True], n, "SparseVector")
        found = A.max(1, where=columns, initial=-3)
        self.assertEqual((found.fill, found.nnz, found[3].item()), (0, 1, 2))
        self.assertEqual(A.max(1, where=M, initial=1)[n - 1].item(), 4)
        self.assertEqual(A.mean(1, where=columns)[3].item(), 1)
        spread = A.var(1, where=columns)
        self.assertEqual((spread.nnz, spread.fill, spread[3].item()), (1, 0, 1))
        for call in (
            lambda: A.var(1, where=M),
            lambda: A.max(1, where=M, initial=-3),
            lambda: A.mean(1, where=M),
        ):
            with self.assertRaises(st.DensifyError):
                call()


class InitialTest(TestCase):
    def test_begins_once(self):
        for dtype in ("bool", "int16", "float32", "float64"):
            x = self.draw((3, 4), dtype)
            for format, initial in itertools.product(("Dense", "CSR", "COO"), (0, 3, -2.75)):
                if dtype == "bool" and initial < 0:
                    continue
                A = st.asarray(x, format=format)
                for name, axis in itertools.product(("sum", "prod", "max", "min"), (None, 0, 1, ())):
                    with self.subTest(name, dtype=dtype, format=format, axis=axis):
                        expected = getattr(numpy, name)(x, axis=axis, initial=initial)
                        found = getattr(st, name)(A, axis=axis, initial=initial)
                        self.assert_same(found, expected)
                        found = getattr(numpy, name)(A, axis=axis, initial=initial, keepdims=True)
                        self.assertEqual(found.ndim, 2)

    def test_extremes_of_nothing(self):
        for shape, format in itertools.product(((0, 3), (3, 0), (0, 0)), ("Dense", "CSR", "COO")):
            x = numpy.zeros(shape)
            A = st.asarray(x, format=format)
            for axis, keepdims in itertools.product((0, 1, None), (False, True)):
                options = {"axis": axis, "keepdims": keepdims, "initial": 3}
                self.assert_same(numpy.max(A, **options), numpy.max(x, **options))
            with self.assertRaisesRegex(st.ShapeError, "initial= gives one"):
                A.max()

    def test_values(self):
        x = self.draw((3,))
        A = st.asarray(x, format="COO")
        self.assert_same(A.sum(initial=st.asarray(2)), x.sum() + 2)
        self.assert_same(A.sum(initial=numpy.float32(2)), x.sum() + 2)
        self.assert_same(A.max(initial=math.inf), numpy.array(math.inf))
        self.assert_same(A.max(initial=math.nan), numpy.array(math.nan))
        whole = A.astype("int8")
        for initial, error in (
            ([1, 2], st.ShapeError),
            ("a", st.DTypeError),
            (1j, st.DTypeError),
        ):
            with self.assertRaises(error):
                A.sum(initial=initial)
        for initial in (300, math.inf, math.nan, -129):
            with self.assertRaises(st.WidthError):
                whole.max(initial=initial)

    def test_large(self):
        n = 10**9
        A = st.from_coo(([3, 3, n - 1], [5, 6, 0]), [1.0, 2.0, 4.0], (n, n), "COO")
        rows = A.sum(1, initial=5)
        self.assertEqual((rows.nnz, rows.fill, rows[3].item(), rows[0].item()), (2, 5, 8, 5))
        columns = A.max(0, initial=1.5)
        self.assertEqual((columns.fill, columns[5].item(), columns[6].item()), (1.5, 1.5, 2))
        nothing = st.tensor((n, 0), "COO").max(1, initial=7)
        self.assertEqual((nothing.nnz, nothing[4].item()), (0, 7))


class RefusalTest(TestCase):
    def test_masks(self):
        for format in ("Dense", "CSR"):
            A = st.asarray(self.draw((3, 4)), format=format)
            for where in ([True] * 3, numpy.ones((1, 3, 4), bool), numpy.ones((3, 2), bool)):
                with self.assertRaisesRegex(st.ShapeError, "not broadcast"):
                    A.sum(where=where)
            for name in ("max", "min"):
                with self.assertRaisesRegex(st.ArgumentError, "initial="):
                    getattr(A, name)(0, where=[True, False, True, True])
            with self.assertRaises(st.ShapeError):
                A.sum(2, where=False)
            with self.assertRaises(TypeError):
                A.any(initial=True)


if __name__ == "__main__":
    unittest.main()
