"""Functions and methods that NumPy has and the array API standard has not: reductions without NaN,
frames, orders of elements, methods of universal functions. NumPy computes the same of arrays."""

import itertools
import unittest
import warnings

import numpy

import strata as st
from drawing import TestCase
from strata import elements

FORMATS = ("Dense", "CSR", "CSC", "COO", "DCSR", "ELL")


class Other:
    """An object with operators of its own."""

    def __radd__(self, other):
        return "added"

    def __rmatmul__(self, other):
        return "multiplied"

    def __eq__(self, other):
        return "equal"


class NanTest(TestCase):
    def drawn(self, shape, dtype="float64"):
        x = self.draw(shape, dtype)
        x[self.generator.random(shape) < 0.3] = numpy.nan
        x[0] = numpy.nan
        return x

    def test_reductions(self):
        for shape, dtype in itertools.product(((4, 5), (3, 2, 4), (6,)), ("float32", "float64")):
            x = self.drawn(shape, dtype)
            for format in FORMATS if len(shape) == 2 else ("Dense", "COO"):
                A = st.asarray(x, format=format)
                for axis, keepdims in itertools.product((None, *range(len(shape))), (False, True)):
                    for name in "nansum nanprod nanmean nanmax nanmin nanvar nanstd".split():
                        with (
                            self.subTest(name, format=format, axis=axis),
                            warnings.catch_warnings(),
                        ):
                            warnings.simplefilter("ignore")
                            expected = getattr(numpy, name)(x, axis=axis, keepdims=keepdims)
                            found = getattr(numpy, name)(A, axis=axis, keepdims=keepdims)
                            self.assert_same(found, expected)
                            own = getattr(st, name)(A, axis=axis, keepdims=keepdims)
                            self.assert_same(own, expected)

    def test_types(self):
        z = numpy.array([[1 + 2j, complex(numpy.nan, 1)], [0, 3j]])
        self.assert_same(st.nansum(st.asarray(z, format="CSR"), axis=0), numpy.nansum(z, axis=0))
        whole = numpy.array([[0, 3], [2, 0]])
        self.assert_same(st.nanmax(st.asarray(whole, format="CSR"), axis=1), whole.max(1))
        x = numpy.array([1.0, numpy.nan, 2.0], "float32")
        self.assert_same(st.nansum(x, dtype="float64"), numpy.nansum(x, dtype="float64"))

    def test_nothing_but_nan(self):
        A = st.from_coo(([0, 0, 1], [0, 1, 0]), [numpy.nan, numpy.nan, 3.0], (2, 2), "CSR")
        for name in ("nanmax", "nanmin", "nanmean", "nanvar", "nanstd"):
            with self.assertWarns(RuntimeWarning):
                found = getattr(st, name)(A, axis=1).todense()
            self.assertTrue(numpy.isnan(found[0]) and not numpy.isnan(found[1]))
        with self.assertRaises(st.ShapeError):
            st.nanmax(st.zeros((0, 2)))
        self.assert_same(st.nansum(st.zeros((0, 2)), axis=0), numpy.zeros(2))

    def test_selected(self):
        x, m = self.drawn((4, 5)), self.generator.random((4, 5)) < 0.6
        for format, where, axis in itertools.product(
            FORMATS, (m, m[1], st.asarray(m, format="COO")), (None, 0, 1)
        ):
            A = st.asarray(x, format=format)
            mask = where if isinstance(where, numpy.ndarray) else m
            for name, options in (
                ("nansum", {"initial": 2}),
                ("nanmax", {"initial": 2}),
                ("nanmin", {"initial": numpy.nan}),
                ("nanmean", {}),
                ("nanvar", {}),
                ("nanstd", {"ddof": 1}),
            ):
                with self.subTest(name, format=format, axis=axis), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    expected = getattr(numpy, name)(x, axis=axis, where=mask, **options)
                    found = getattr(numpy, name)(A, axis=axis, where=where, **options)
                    self.assert_same(found, expected)
        with self.assertRaisesRegex(st.ArgumentError, "initial="):
            st.nanmax(A, axis=1, where=m)
        self.assert_same(st.nanmax(st.zeros((0, 2)), axis=0, initial=1), numpy.ones(2))

    def test_coordinates(self):
        for shape in ((6,), (4, 5), (3, 2, 4)):
            x = self.drawn(shape)
            x[numpy.isnan(x) & (numpy.indices(shape).sum(0) % 2 == 0)] = 1  # some of each fiber
            for format in FORMATS if len(shape) == 2 else ("Dense", "COO"):
                A = st.asarray(x, format=format)
                for name in ("nanargmax", "nanargmin"):
                    for axis in (None, *range(len(shape))):
                        expected = getattr(numpy, name)(x, axis)
                        self.assert_same(getattr(numpy, name)(A, axis), expected)
                        found = getattr(st, name)(A, axis=axis, keepdims=True)
                        self.assert_same(found, getattr(numpy, name)(x, axis, keepdims=True))
                    nothing = st.asarray(numpy.full(shape, numpy.nan), format=format)
                    with self.assertRaisesRegex(st.ArgumentError, "All-NaN"):
                        getattr(st, name)(nothing, axis=-1)

    def test_large(self):
        n = 10**9
        A = st.from_coo(([3, 3, n - 1], [5, 6, 0]), [numpy.nan, 2.0, 4.0], (n, n), "COO")
        self.assertEqual(st.nansum(A).item(), 6)
        self.assertEqual(st.nanmax(A).item(), 4)
        rows = st.nansum(A, axis=1)
        self.assertEqual((rows.nnz, rows[3].item(), rows[n - 1].item()), (2, 2, 4))
        self.assertEqual(st.nanargmax(A).item(), (n - 1) * n)
        spread = st.nanvar(A, axis=1)
        self.assertEqual((spread.nnz, spread.fill), (2, 0))
        self.assertAlmostEqual(spread[n - 1].item(), 16 / n)
        self.assertAlmostEqual(st.nanstd(A).item(), 20**0.5 / n)


class PadTest(TestCase):
    def test_widths(self):
        x = self.draw((3, 4))
        for format in FORMATS:
            A = st.asarray(x, format=format)
            for widths in (1, (2, 0), ((1, 2), (0, 3)), 0):
                with self.subTest(format=format, widths=widths):
                    found = numpy.pad(A, widths)
                    self.assert_same(found, numpy.pad(x, widths))
                    self.assertEqual(found.format.without_widths(), A.format.without_widths())
                    found.validate()
        self.assert_same(
            st.pad([1.0, 2.0], 1, constant_values=7), numpy.pad([1.0, 2.0], 1, constant_values=7)
        )
        self.assert_same(
            st.pad(st.asarray(x, format="CSR") + 1, 2), numpy.pad(x + 1, 2, constant_values=1)
        )

    def test_refusals(self):
        A = st.eye(3)
        with self.assertRaisesRegex(st.DensifyError, "asformat"):
            st.pad(A, 1, constant_values=2)
        with self.assertRaises(st.UnsupportedError):
            st.pad(A, 1, "reflect")
        for wrong in ((1, 2, 3), ((1, 2), (3, 4), (5, 6))):
            with self.assertRaises(st.ShapeError):
                st.pad(A, wrong)
        for wrong in (-1, 0.5):
            with self.assertRaises(st.ArgumentError):
                st.pad(A, wrong)


class UniversalFunctionTest(TestCase):
    def test_reduce(self):
        x = self.draw((3, 4))
        names = "add multiply maximum minimum logical_and logical_or".split()
        for format, name in itertools.product(FORMATS, names):
            A, function = st.asarray(x, format=format), getattr(numpy, name)
            for axis, keepdims in itertools.product((0, 1, None, (0, 1)), (False, True)):
                with self.subTest(format=format, name=name, axis=axis):
                    found = function.reduce(A, axis=axis, keepdims=keepdims)
                    self.assert_same(found, function.reduce(x, axis=axis, keepdims=keepdims))
            self.assert_same(function.reduce(A), function.reduce(x))
            for dtype in ("float32", bool) if name.startswith("logical") else ("float32",):
                if name.startswith("logical") and dtype != bool:
                    with self.assertRaises(st.UnsupportedError):
                        function.reduce(A, dtype=dtype)
                else:
                    self.assert_same(function.reduce(A, dtype=dtype), function.reduce(x, dtype=dtype))
        out = numpy.zeros(4)
        self.assertIs(numpy.add.reduce(st.asarray(x, format="CSR"), out=out), out)
        numpy.testing.assert_allclose(out, x.sum(0))
        for call in (
            lambda: numpy.subtract.reduce(st.eye(2)),
            lambda: numpy.add.reduceat(st.eye(2), [0, 1]),
            lambda: numpy.add.at(st.eye(2), 0, 1),
        ):
            with self.assertRaises(st.UnsupportedError):
                call()

    def test_reduce_what_is_selected(self):
        x = self.draw((3, 4))
        names = "add multiply maximum minimum logical_and logical_or".split()
        where = numpy.array([True, False, True, True])
        for format, name in itertools.product(("Dense", "CSR", "COO"), names):
            A, function = st.asarray(x, format=format), getattr(numpy, name)
            for initial in (0, 2.0):
                options = {"axis": 1, "initial": initial, "where": where}
                with self.subTest(name, format=format, initial=initial):
                    expected = function.reduce(x, **options)
                    self.assert_same(function.reduce(A, **options), expected)
                    self.assert_same(
                        function.reduce(A, initial=initial), function.reduce(x, initial=initial)
                    )
                    out = numpy.zeros(3, expected.dtype)
                    self.assertIs(function.reduce(A, out=out, **options), out)
                    numpy.testing.assert_allclose(out, expected)
            self.assert_same(function.reduce(A, initial=None), function.reduce(x))
            with self.assertRaises(ValueError):  # as in NumPy: no element is the first one
                function.reduce(A[:0], initial=None)

    def test_accumulate(self):
        x = self.draw((3, 4), "int8")
        for function in (numpy.add, numpy.multiply, numpy.maximum):
            for axis in (0, 1, -1):
                found = function.accumulate(st.asarray(x), axis)
                self.assert_same(found, function.accumulate(x, axis))
            self.assert_same(
                function.accumulate(st.asarray(x), dtype="float32"),
                function.accumulate(x, dtype="float32"),
            )
            with self.assertRaisesRegex(st.DensifyError, "accumulate of a sparse tensor"):
                function.accumulate(st.asarray(x, format="CSR"))
        with self.assertRaises(st.ShapeError):
            numpy.add.accumulate(st.asarray(x), 2)
        if hasattr(numpy, "cumulative_sum"):
            for name in ("cumulative_sum", "cumulative_prod"):
                call = getattr(numpy, name)
                for options in ({"axis": 1}, {"axis": 0, "include_initial": True}):
                    self.assert_same(call(st.asarray(x), **options), call(x, **options))
                with self.assertRaises(st.DensifyError):
                    call(st.asarray(x, format="CSR"), axis=0)

    def test_outer(self):
        x, y = self.draw((3, 4)), self.draw((2,))
        for format in FORMATS:
            A = st.asarray(x, format=format)
            for function in (numpy.multiply, numpy.maximum):
                self.assert_same(function.outer(A, y), function.outer(x, y))
                self.assert_same(function.outer(y, A), function.outer(y, x))

    def test_several_results(self):
        x = self.draw((3, 4)) * 1.3
        for format in FORMATS:
            A = st.asarray(x, format=format)
            for found, expected in (
                (numpy.modf(A), numpy.modf(x)),
                (numpy.frexp(A), numpy.frexp(x)),
                (numpy.divmod(A, 2.0), numpy.divmod(x, 2.0)),
                (divmod(A, 2.0), divmod(x, 2.0)),
                (divmod(7.0, A + 1), divmod(7.0, x + 1)),
            ):
                self.assertIsInstance(found, tuple)
                for one, other in zip(found, expected):
                    self.assert_same(one, other)
        outs = numpy.zeros((3, 4)), numpy.zeros((3, 4))
        found = numpy.modf(st.asarray(x, format="CSR"), out=outs)
        numpy.testing.assert_allclose(outs, numpy.modf(x))
        self.assertTrue(found[0] is outs[0] and found[1] is outs[1])
        part, whole = numpy.modf(st.asarray(x, format="CSR"), out=(None, outs[1]))
        self.assertIs(whole, outs[1])
        self.assert_same(part, numpy.modf(x)[0])

    def test_several_results_are_computed_at_once(self):
        x, y = self.draw((3, 4)) * 1.3, self.draw((3, 4)) + 0.5
        for format in FORMATS:
            A, B = st.asarray(x, format=format), st.asarray(y, format=format)
            for operands in ((A,), (A, 2.0), (A, B), (A, B[:1])):
                calls = []

                def halves(*arrays):
                    calls.append(len(arrays))
                    return sum(arrays) / 2, sum(arrays) > 0

                found = elements.combine_to_several(halves, *operands)
                self.assertEqual(calls, [len(operands)])
                dense = [one if isinstance(one, float) else one.todense() for one in operands]
                for one, other in zip(found, halves(*dense)):
                    self.assert_same(one, other)

    def test_divisors(self):
        x = numpy.array([[0, -7, 5], [3, 0, -4]])
        for format, dtype in itertools.product(FORMATS, ("int64", "float64")):
            A = st.asarray(x.astype(dtype), format=format)
            for divisor in (2, -3):
                for one, other in zip(divmod(A, divisor), (A // divisor, A % divisor)):
                    self.assert_same(one, other.todense())
            for one, other in zip(divmod(11, A + 20), (11 // (A + 20), 11 % (A + 20))):
                self.assert_same(one, other.todense())
        with self.assertRaises(st.DivisionError):
            numpy.divmod(st.asarray(x, format="CSR"), 0)

    def test_objects_with_operators(self):
        A = st.eye(2)
        self.assertEqual((A + Other(), A @ Other(), A == Other()), ("added", "multiplied", "equal"))
        for call in (lambda: A + object(), lambda: A * Other(), lambda: A < object()):
            with self.assertRaises(TypeError):
                call()


class MethodTest(TestCase):
    def test_orders(self):
        x = self.draw((3, 4))
        for format, order in itertools.product(FORMATS, ("C", "F")):
            A = st.asarray(x, format=format)
            self.assert_same(A.flatten(order), x.flatten(order))
            self.assert_same(A.ravel(order), x.ravel(order))
            for shape in ((4, 3), (2, -1), (12,), (2, 3, 2)):
                self.assert_same(A.reshape(shape, order=order), x.reshape(shape, order=order))
                self.assert_same(numpy.reshape(A, shape, order), numpy.reshape(x, shape, order))
        with self.assertRaises(st.UnsupportedError):
            A.flatten("K")

    def test_swapaxes(self):
        x = self.draw((2, 3, 4))
        A = st.asarray(x, format="COO")
        for one, two in itertools.product(range(-3, 3), repeat=2):
            self.assert_same(A.swapaxes(one, two), x.swapaxes(one, two))
            self.assert_same(numpy.swapaxes(A, one, two), x.swapaxes(one, two))
        with self.assertRaises(st.ShapeError):
            A.swapaxes(0, 3)
        for wrong in ((0.5,), (((0, 1, 2),),)):
            with self.assertRaises(st.ShapeError):
                A.transpose(*wrong)

    def test_dot(self):
        x, y = self.draw((3, 4)), self.draw((4, 2))
        for format in FORMATS:
            A = st.asarray(x, format=format)
            self.assert_same(A.dot(y), x.dot(y))
            self.assert_same(A.dot(y[:, 0]), x.dot(y[:, 0]))
            self.assert_same(A.dot(3), x.dot(3))

    def test_out(self):
        x = self.draw((3, 4)) * 1.7
        for format in FORMATS:
            A, out = st.asarray(x, format=format), numpy.zeros((3, 4))
            A.round(out=out)
            numpy.testing.assert_array_equal(out, x.round())
            A.clip(1, 3, out=out)
            numpy.testing.assert_array_equal(out, x.clip(1, 3))

    def test_mean_has_the_type_asked_for(self):
        x = numpy.array([[1, 2, 4], [0, 3, 9]])
        for dtype in ("uint8", "int32", "float32", "float64", "complex64"):
            for axis in (None, 0, 1):
                found = st.asarray(x, format="CSR").mean(axis, dtype=dtype)
                self.assert_same(found, x.mean(axis, dtype=dtype))

    def test_mean_of_no_elements(self):
        x = numpy.zeros((3, 0))
        for format in FORMATS:
            A = st.asarray(x, format=format)
            for mean in (A.mean, lambda axis: st.nanmean(A, axis=axis)):
                self.assert_same(mean(1), numpy.full(3, numpy.nan))
                self.assert_same(mean(0), numpy.zeros(0))
                self.assert_same(mean(None), numpy.nan)

    def test_round_keeps_integers(self):
        for dtype, decimals in itertools.product(("int32", "uint8"), (-1, 0, 2)):
            x = numpy.array([[15, 0, 25], [0, 104, 96]], dtype)
            for format in FORMATS:
                self.assert_same(st.asarray(x, format=format).round(decimals), x.round(decimals))

    def test_scalars(self):
        for x in (numpy.float64(2.5), numpy.int64(0)):
            a = st.asarray(x)
            for found, expected in (
                (a.transpose(), x.transpose()),
                (a.flatten("F"), x.flatten("F")),
                (a.reshape((1, 1), order="F"), x.reshape((1, 1), order="F")),
                (numpy.add.reduce(a), numpy.add.reduce(x)),
                (numpy.maximum.reduce(a, axis=-1), numpy.maximum.reduce(x, axis=-1)),
                (numpy.argwhere(a), numpy.argwhere(x)),
                (st.pad(a, 1), numpy.pad(x, 1)),
            ):
                self.assert_same(found, expected)

    def test_like(self):
        x = self.draw((3, 4), "float32")
        for format in FORMATS:
            A = st.asarray(x, format=format)
            for name, more in (("zeros_like", ()), ("ones_like", ()), ("full_like", (2.5,))):
                call = getattr(numpy, name)
                self.assert_same(call(A, *more), call(x, *more))
                self.assert_same(call(A, *more, order="C"), call(x, *more))
                self.assertEqual(call(A, *more).format.name, A.format.name)
                for shape in ((), (2, 5)):
                    self.assert_same(call(A, *more, shape=shape), call(x, *more, shape=shape))

        self.assertEqual(numpy.zeros_like(st.eye(3)).nnz, 0)

    def test_coordinates_and_interpolation(self):
        x = self.draw((3, 4))
        for format in FORMATS:
            A = st.asarray(x, format=format)
            self.assert_same(numpy.argwhere(A), numpy.argwhere(x))
            points, values = [0, 2, 5], [1.0, 3.0, -1.0]
            self.assert_same(numpy.interp(A, points, values), numpy.interp(x, points, values))


class BracketTest(TestCase):
    def test_an_ellipsis_keeps_arrays_apart(self):
        x = self.draw((2, 3, 4))
        A = st.asarray(x, format="COO")
        for key in (
            (slice(None), 1, ..., [0, 2]),
            ([0, 1], ..., 0, [1, 2]),
            (..., 1, [0, 2]),
            ([0, 1], [1, 2], ..., [0, 2]),
            ([True, False], ..., 1, [0, 3]),
            (slice(None), 1, [0, 2], ...),
            (numpy.ones((2, 3), bool), ..., [0] * 6),
            (1, ..., None, [0, 1, 1], [0, 2, 2]),
        ):
            self.assert_same(A[key], x[key], key)

    def test_large_steps(self):
        x = self.draw((5, 4))
        A = st.asarray(x, format="CSR")
        for key in (slice(None, None, 2**63), slice(4, 0, -(2**64)), slice(2, 2, 10**30)):
            self.assert_same(A[key], x[key])
            self.assert_same(A[:, key], x[:, key])

    def test_other_types(self):
        for x in (st.eye(3), st.ones((3, 3))):
            for key in ("a", 0.5, [0.5], {"a": 1}):
                with self.assertRaises(IndexError):
                    x[key]


if __name__ == "__main__":
    unittest.main()
