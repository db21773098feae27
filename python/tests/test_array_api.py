"""Functions of the array API standard, against NumPy: dense, and in sparse formats with two fills."""

import itertools
import unittest

import numpy

import strata as st
from drawing import TestCase
from strata.elements import map_values

FORMATS = {
    1: ("Dense", "SparseVector", "COO"),
    2: ("Dense", "CSR", "COO", "DCSR", "CSC", "BCSR:2x2"),
    3: ("Dense", "CSF", "COO"),
}
SHAPES = ((), (1,), (5,), (3, 4), (1, 4), (2, 3, 2))
EMPTY = ((0,), (0, 3), (3, 0), (2, 0, 3))


def stored(x, format, fill):
    """A tensor that stores what differs from the fill value."""
    if format == "Dense" or not x.ndim:
        return st.asarray(x)
    entries = numpy.nonzero(x != fill)
    chosen = st.Format(format, x.ndim)
    chosen = chosen.with_(fill=fill) if fill else chosen
    return st.from_coo(entries, x[entries], x.shape, chosen)


class NamespaceCase(TestCase):
    def arrays(self, dtype="float64", shapes=SHAPES, fills=(0, 2)):
        """Arrays, and tensors with the same elements."""
        for shape, fill in itertools.product(shapes, fills):
            x = self.draw(shape, dtype)
            x = numpy.where(x == 0, numpy.asarray(fill).astype(dtype), x)
            for format in FORMATS.get(len(shape), ("Dense",)):
                yield x, stored(x, format, fill), (shape, format, fill)

    def compare(self, ours, theirs, dtype="float64", tolerance=1e-6, **options):
        for x, tensor, message in self.arrays(dtype, **options):
            with self.subTest(message=message), numpy.errstate(all="ignore"):
                self.assert_same(ours(tensor), theirs(x), message, tolerance)


UNARY = {
    "acos": "arccos",
    "asin": "arcsin",
    "atan": "arctan",
    "acosh": "arccosh",
    "asinh": "arcsinh",
    "atanh": "arctanh",
    "abs": "abs",
    "bitwise_invert": "invert",
    **{name: name for name in "cos cosh sin sinh tan tanh exp expm1 sqrt square sign".split()},
    **{name: name for name in "log log1p log2 log10 ceil floor trunc round negative".split()},
    **{name: name for name in "positive reciprocal isnan isinf isfinite signbit".split()},
    **{name: name for name in "conj real imag logical_not".split()},
}


class ElementwiseTest(NamespaceCase):
    def test_unary(self):
        for ours, theirs in UNARY.items():
            dtype = "int32" if ours == "bitwise_invert" else "float64"
            scale = 8 if ours in ("acos", "asin", "atanh") else 1
            fills = (2,) if ours in ("acosh",) else (0, 2)
            shapes = ((), (3, 4), (0, 3))
            with self.subTest(function=ours):
                self.compare(
                    lambda x: getattr(st, ours)(x / scale if scale > 1 else x),
                    lambda x: getattr(numpy, theirs)(x / scale if scale > 1 else x),
                    dtype,
                    shapes=shapes,
                    fills=fills,
                )

    def test_unary_of_complex_numbers(self):
        for name in "exp expm1 log sqrt sin cosh tanh abs square isfinite round".split():
            for x in (self.draw((3, 4), "complex128", 1) / 4, self.draw((2,), "complex64", 1)):
                found = getattr(st, name)(st.asarray(x))
                self.assert_same(found, getattr(numpy, name)(x), name, 1e-5)

    def test_what_keeps_the_pattern_is_sparse(self):
        x = self.draw((4, 5))
        for name in "sin sqrt trunc round isnan sign expm1 signbit cos exp".split():
            found = getattr(st, name)(st.asarray(x, format="CSR"))
            self.assertEqual(found.format.name, "CSR", name)
            self.assertEqual(found.nnz, numpy.count_nonzero(x), name)

    BINARY = (
        "add subtract multiply divide remainder pow equal not_equal less less_equal greater "
        "greater_equal maximum minimum copysign atan2 hypot logaddexp nextafter floor_divide "
        "logical_and logical_or logical_xor"
    ).split()
    THEIRS = {"pow": "power", "atan2": "arctan2"}

    def test_binary(self):
        for name in self.BINARY:
            theirs = getattr(numpy, self.THEIRS.get(name, name))
            for fill in (1, 2):
                x = numpy.where(self.draw((3, 4)) > 0, self.draw((3, 4), density=1), fill)
                y = numpy.where(self.draw((3, 4)) > 0, self.draw((3, 4), density=1), fill)
                for one, two in (("Dense", "Dense"), ("CSR", "CSR"), ("COO", "CSR"), ("CSR", "Dense")):
                    left, right = stored(x, one, fill), stored(y, two, fill)
                    message = (name, fill, one, two)
                    self.assert_same(getattr(st, name)(left, right), theirs(x, y), message)
                    self.assert_same(getattr(st, name)(left, 2.0), theirs(x, 2.0), message)
                    self.assert_same(getattr(st, name)(3.0, left), theirs(3.0, x), message)
                    self.assert_same(getattr(st, name)(left, y[0]), theirs(x, y[0]), message)

    def test_unions_are_sparse(self):
        x, y = self.draw((6, 5)), self.draw((6, 5))
        for name in ("hypot", "add", "maximum"):
            found = getattr(st, name)(st.asarray(x, format="CSR"), st.asarray(y, format="COO"))
            self.assertFalse(found.format.is_full, name)
        row = st.asarray(self.draw((1, 5)), format="CSR")
        found = st.hypot(st.asarray(x, format="CSR"), row)
        self.assertFalse(found.format.is_full)
        self.assert_same(found, numpy.hypot(x, row.todense()))

    def test_scalars_promote_as_tensors(self):
        for format in ("Dense", "COO"):
            x = st.asarray(self.draw((3,), "float32"), format=format)
            for scalar in (st.asarray(2.0), numpy.float64(2)):
                self.assertEqual(st.hypot(x, scalar).dtype, numpy.float64)
                self.assertEqual(st.hypot(st.stack([x, x]), scalar).dtype, numpy.float64)
            self.assertEqual(st.hypot(x, 2.0).dtype, numpy.float32)
            self.assertEqual(st.hypot(x, x).dtype, numpy.float32)
        whole = st.asarray([5, 7], dtype="int8")
        self.assert_same(whole // st.asarray(2), numpy.array([2, 3]))
        self.assert_same(whole**2, numpy.array([25, 49], "int8"))

    def test_integers(self):
        x, y = self.draw((3, 4), "int32", 1), self.draw((3, 4), "int32", 1)
        for name in "bitwise_and bitwise_or bitwise_xor floor_divide remainder pow".split():
            theirs = getattr(numpy, self.THEIRS.get(name, name))
            self.assert_same(getattr(st, name)(st.asarray(x), st.asarray(y)), theirs(x, y), name)
        self.assert_same(st.bitwise_left_shift(st.asarray(x), 1), x << 1)
        self.assert_same(st.bitwise_right_shift(st.asarray(x), st.asarray(y)), x >> y)
        with self.assertRaises(st.DivisionError):
            st.asarray([1, 2]) // st.asarray([1, 0])

    def test_clip(self):
        for low, high in ((1, None), (None, 3), (2, 3.5)):
            self.compare(lambda x: st.clip(x, low, high), lambda x: numpy.clip(x, low, high))

    def test_results_without_a_fill_value(self):
        A = st.tensor((3, 4), "CSR", dtype="int64")
        with self.assertRaisesRegex(st.DensifyError, "asformat"):
            map_values(lambda values: values - 2**60, A)


class OperatorsTest(NamespaceCase):
    def test_in_place(self):
        for format in ("Dense", "CSR"):
            x, y = self.draw((3, 4), density=1), self.draw((3, 4), density=1)
            tensor = alias = st.asarray(x.copy(), format=format)
            tensor += st.asarray(y)
            tensor -= 1
            tensor *= st.asarray(y)
            tensor /= 2
            tensor //= 1
            tensor **= 2
            tensor %= 7
            self.assertIs(tensor, alias)
            self.assert_same(alias, (((x + y - 1) * y / 2) // 1) ** 2 % 7, format)
        with self.assertRaises(st.DTypeError):
            whole = st.asarray([1, 2])
            whole /= 2
        with self.assertRaises(st.ShapeError):
            vector = st.asarray([1, 2])
            vector += st.asarray([[1, 2], [3, 4]])

    def test_positive_is_another_tensor(self):
        x = st.asarray([1.0, 2.0])
        y = +x
        y += 1
        self.assert_same(x, [1.0, 2.0])

    def test_numbers_take_the_type_of_what_they_are_assigned_to(self):
        for dtype in ("uint8", "int16", "float32"):
            scalar, vector = st.asarray(1, dtype=dtype), st.zeros(3, dtype=dtype)
            (i,) = st.get_index_vars(1)
            scalar[()] = 5
            vector[i] = 7
            self.assertEqual((scalar.item(), scalar.dtype), (5, numpy.dtype(dtype)))
            self.assert_same(vector, numpy.full(3, 7, dtype))


class ManipulationTest(NamespaceCase):
    def test_shapes(self):
        for x, tensor, message in self.arrays(shapes=(*SHAPES, *EMPTY)):
            self.assert_same(st.reshape(tensor, (x.size,)), x.reshape(-1), message)
            self.assert_same(st.ravel(tensor), x.ravel(), message)
            self.assert_same(st.expand_dims(tensor, 0), x[None], message)
            self.assert_same(st.squeeze(st.expand_dims(tensor, -1), -1), x, message)
            self.assert_same(st.flip(tensor), numpy.flip(x), message)
            self.assert_same(st.broadcast_to(tensor, (2, *x.shape)), numpy.broadcast_to(x, (2, *x.shape)), message)
            self.assert_same(st.repeat(tensor, 2), numpy.repeat(x, 2), message)
            self.assert_same(st.tile(tensor, (2, 1)), numpy.tile(x, (2, 1)), message)
            self.assert_same(st.roll(tensor, 2), numpy.roll(x, 2), message)
            if x.ndim:
                axes = tuple(range(1, x.ndim)) + (0,)
                self.assert_same(st.permute_dims(tensor, axes), x.transpose(axes), message)
                self.assert_same(st.moveaxis(tensor, 0, -1), numpy.moveaxis(x, 0, -1), message)
                self.assert_same(st.roll(tensor, 1, axis=-1), numpy.roll(x, 1, -1), message)
                self.assert_same(st.flip(tensor, axis=0), numpy.flip(x, 0), message)
                self.assert_same(st.repeat(tensor, 3, axis=-1), numpy.repeat(x, 3, -1), message)
                counts = numpy.arange(x.shape[0])
                self.assert_same(st.repeat(tensor, counts, axis=0), numpy.repeat(x, counts, 0), message)
                self.assert_same(st.concat([tensor, tensor]), numpy.concatenate([x, x]), message)
                for found, expected in zip(st.unstack(tensor), x):
                    self.assert_same(found, expected, message)
            self.assert_same(st.stack([tensor, tensor], axis=-1), numpy.stack([x, x], -1), message)
            self.assert_same(st.concat([tensor, tensor], axis=None), numpy.concatenate([x, x], None), message)

    def test_formats_of_results(self):
        tensor = st.asarray(self.draw((4, 6)), format="CSR")
        for found in (
            st.concat([tensor, tensor], axis=1),
            st.roll(tensor, 1, axis=0),
            st.reshape(tensor, (6, 4)),
            st.tile(tensor, (2, 2)),
            st.kron(tensor, tensor),
            st.eliminate_zeros(tensor),
        ):
            self.assertEqual(found.format.name, "CSR")
        self.assertTrue(st.concat([tensor, tensor.asformat("Dense")]).format.is_full)
        self.assertFalse(st.stack([tensor, tensor]).format.is_full)

    def test_fill_values_of_other_types(self):
        x = numpy.where(self.draw((3, 4)) > 0, 2, 1)
        for dtype in ("complex128", "complex64", "bool", "int8"):
            for format in ("CSR", "COO"):
                tensor = stored(x.astype(dtype), format, 1)
                self.assert_same(tensor, x.astype(dtype))
                self.assert_same(tensor.T, x.T.astype(dtype))
                self.assert_same(tensor[0], x[0].astype(dtype))
                self.assert_same(st.tile(tensor, (2, 1)), numpy.tile(x, (2, 1)).astype(dtype))
                self.assert_same(st.zeros_like(tensor), numpy.zeros((3, 4), dtype))
                for other in ("bool", "float32", "complex128"):
                    if not dtype.startswith("complex") or other == "complex128":
                        self.assert_same(tensor.astype(other), x.astype(dtype).astype(other))

    def test_mistakes(self):
        tensor = st.asarray(self.draw((3, 4)), format="CSR")
        for error, call in (
            (st.ShapeError, lambda: st.reshape(tensor, (5, -1))),
            (st.CopyError, lambda: st.reshape(tensor, (12,), copy=False)),
            (st.ShapeError, lambda: st.squeeze(tensor, 0)),
            (st.BoundsError, lambda: st.expand_dims(tensor, 5)),
            (st.ShapeError, lambda: st.concat([tensor, tensor.T])),
            (st.DensifyError, lambda: st.concat([tensor, tensor + 1])),
            (st.ShapeError, lambda: st.broadcast_to(tensor, (3, 5))),
            (st.ShapeError, lambda: st.stack([tensor, tensor.T])),
        ):
            with self.assertRaises(error):
                call()

    def test_grids(self):
        x, y = numpy.arange(3), numpy.arange(4.0)
        for indexing in ("xy", "ij"):
            found = st.meshgrid(st.asarray(x), st.asarray(y), indexing=indexing)
            for one, expected in zip(found, numpy.meshgrid(x, y, indexing=indexing)):
                self.assert_same(one, expected)
        self.assertEqual(st.broadcast_shapes((3, 1), (4,), ()), (3, 4))

    def test_kron_and_diagonals(self):
        for x, tensor, message in self.arrays(shapes=((3, 4), (2, 3, 3), (0, 3))):
            with self.subTest(message=message):
                for offset in (-1, 0, 2):
                    expected = numpy.diagonal(x, offset, -2, -1)
                    self.assert_same(st.diagonal(tensor, offset=offset), expected, message)
                    self.assert_same(st.trace(tensor, offset=offset), expected.sum(-1), message)
                if x.ndim == 2:
                    self.assert_same(st.kron(tensor, tensor), numpy.kron(x, x), message)

    def test_zeros_are_eliminated(self):
        for format in ("CSR", "COO", "DCSR"):
            tensor = st.from_coo(([0, 1, 2], [1, 0, 2]), [0.0, 2.0, 0.0], (3, 3), format)
            found = st.eliminate_zeros(tensor)
            self.assertEqual((found.nnz, found.format.name), (1, format))
            self.assert_same(found, tensor.todense())


class StatisticsTest(NamespaceCase):
    def test_reductions(self):
        for name in "sum prod max min any all mean std var count_nonzero".split():
            for x, tensor, message in self.arrays(shapes=((), (5,), (1, 4), (3, 4), (2, 3, 2))):
                for axis, keepdims in itertools.product((None, -1, (0,)), (False, True)):
                    if not x.ndim and axis is not None:
                        continue
                    found = getattr(st, name)(tensor, axis=axis, keepdims=keepdims)
                    theirs = getattr(numpy, name)
                    expected = theirs(x, axis=axis, keepdims=keepdims)
                    self.assert_same(found, expected, (name, axis, keepdims, message))

    def test_corrections(self):
        for x, tensor, message in self.arrays(shapes=((3, 4),)):
            found = st.var(tensor, axis=1, correction=1)
            self.assert_same(found, numpy.var(x, axis=1, ddof=1), message)
        self.assert_same(st.std(st.asarray(self.draw((4,), "complex64", 0))), numpy.float32(0))
        with numpy.errstate(all="ignore"):
            self.assertTrue(numpy.isnan(st.var(st.zeros((0,))).item()))

    def test_cumulative(self):
        for x, tensor, message in self.arrays(shapes=((5,), (3, 4), (0, 3))):
            if not tensor.format.is_full:
                with self.assertRaisesRegex(st.DensifyError, "asformat"):
                    st.cumulative_sum(tensor, axis=0)
                continue
            self.assert_same(st.cumulative_sum(tensor, axis=-1), numpy.cumsum(x, -1), message)
            self.assert_same(st.cumulative_prod(tensor, axis=0), numpy.cumprod(x, 0), message)
        found = st.cumulative_sum(st.asarray([1, 2], dtype="int8"), include_initial=True)
        self.assert_same(found, numpy.array([0, 1, 3]))

    def test_differences(self):
        for x, tensor, message in self.arrays(shapes=((5,), (3, 4))):
            for n in (0, 1, 2):
                self.assert_same(st.diff(tensor, n=n), numpy.diff(x, n), message)
        x = self.draw((3, 4))
        found = st.diff(st.asarray(x), axis=0, prepend=st.zeros((1, 4)))
        self.assert_same(found, numpy.diff(x, axis=0, prepend=numpy.zeros((1, 4))))


class SearchingTest(NamespaceCase):
    def test_greatest_and_least(self):
        for name in ("argmax", "argmin"):
            for sign in (1, -1):
                for x, tensor, message in self.arrays(shapes=SHAPES):
                    for axis, keepdims in itertools.product((None, 0, -1), (False, True)):
                        if not x.ndim and axis is not None:
                            continue
                        found = getattr(st, name)(sign * tensor, axis=axis, keepdims=keepdims)
                        expected = getattr(numpy, name)(sign * x, axis=axis, keepdims=keepdims)
                        self.assert_same(found, expected, (name, sign, axis, message))
        with self.assertRaises(st.ShapeError):
            st.argmax(st.zeros((0, 3)), axis=0)

    def test_first_nan_is_the_greatest(self):
        x = numpy.array([[0.0, numpy.nan, 9.0], [0.0, -1.0, 0.0]])
        for format in ("Dense", "CSR"):
            self.assert_same(st.argmax(st.asarray(x, format=format), axis=1), numpy.argmax(x, 1))

    def test_nonzero(self):
        for x, tensor, message in self.arrays(shapes=((5,), (3, 4), (0, 3)), fills=(0,)):
            for found, expected in zip(st.nonzero(tensor), numpy.nonzero(x)):
                self.assert_same(found, expected, message)
        with self.assertRaises(st.DensifyError):
            st.nonzero(st.tensor((3, 3), "CSR", fill=1))

    def test_where(self):
        for x, tensor, message in self.arrays(shapes=((), (5,), (3, 4), (0, 3))):
            condition = tensor > 2
            self.assert_same(st.where(condition, tensor, -tensor), numpy.where(x > 2, x, -x), message)
            self.assert_same(st.where(condition, 1.0, tensor), numpy.where(x > 2, 1.0, x), message)
        x = st.asarray(self.draw((3, 4)), format="CSR")
        self.assertFalse(st.where(x > 2, x, 0.0).format.is_full)

    def test_searchsorted(self):
        vector = numpy.array([-1.0, 0.0, 0.0, 2.0, 2.0, 4.0])
        for x, tensor, message in self.arrays(shapes=((), (5,), (3, 4))):
            for side in ("left", "right"):
                found = st.searchsorted(st.asarray(vector), tensor, side=side)
                self.assert_same(found, numpy.searchsorted(vector, x, side), message)
                for fill in (0, 2):
                    found = st.searchsorted(stored(vector, "COO", fill), tensor, side=side)
                    self.assert_same(found, numpy.searchsorted(vector, x, side), message)

    def test_sort(self):
        for sign, descending in itertools.product((1, -1), (False, True)):
            for x, tensor, message in self.arrays(shapes=((5,), (3, 4), (2, 3, 2), (0, 3))):
                for axis in (0, -1):
                    expected = numpy.sort(sign * x, axis)
                    expected = numpy.flip(expected, axis) if descending else expected
                    found = st.sort(sign * tensor, axis=axis, descending=descending)
                    self.assert_same(found, expected, (axis, descending, message))
                    self.assertEqual(found.format, (sign * tensor).format)
                    if not tensor.format.is_full:
                        with self.assertRaises(st.DensifyError):
                            st.argsort(tensor)
                        continue
                    order = st.argsort(tensor, axis=axis, descending=descending).todense()
                    ascending = numpy.sort(x, axis)
                    ascending = numpy.flip(ascending, axis) if descending else ascending
                    numpy.testing.assert_array_equal(numpy.take_along_axis(x, order, axis), ascending)

    def test_nan_is_sorted_last(self):
        x = self.draw((4, 6))
        x[self.generator.random((4, 6)) < 0.4] = numpy.nan
        for dtype, format, axis in itertools.product(
            ("float16", "float64"), ("Dense", "CSR", "COO"), (0, 1)
        ):
            given = x.astype(dtype)
            A = st.asarray(given, format=format)
            expected = -numpy.sort(-given, axis)  # the greatest first
            self.assert_same(st.sort(A, axis=axis, descending=True), expected, format)
            self.assert_same(st.sort(A, axis=axis), numpy.sort(given, axis), format)
            order = st.argsort(st.asarray(given), axis=axis, descending=True).todense()
            numpy.testing.assert_array_equal(numpy.take_along_axis(given, order, axis), expected)
        order = st.argsort([numpy.nan, 1.0, 2.0, numpy.nan, 1.0], descending=True)
        self.assertEqual(order.todense().tolist(), [2, 1, 4, 0, 3])

    def test_sets(self):
        for x, tensor, message in self.arrays(shapes=((), (5,), (3, 4), (2, 3, 2), (0, 3))):
            values, indices, inverse, counts = numpy.unique(
                x, return_index=True, return_inverse=True, return_counts=True
            )
            found = st.unique_all(tensor)
            self.assert_same(found.values, values, message)
            self.assert_same(found.indices, indices, message)
            self.assert_same(found.inverse_indices, inverse.reshape(x.shape), message)
            self.assert_same(found.counts, counts, message)
            self.assert_same(st.unique_values(tensor), values, message)
            self.assert_same(st.isin(tensor, [2.0, 3.5]), numpy.isin(x, [2.0, 3.5]), message)
            self.assertEqual(found.inverse_indices.format.is_full, tensor.format.is_full)

    def test_take(self):
        indices = numpy.array([2, 0, -1, 2])
        for x, tensor, message in self.arrays(shapes=((5,), (3, 4), (3, 3, 3))):
            for axis in (0, -1):
                found = st.take(tensor, st.asarray(indices), axis=axis)
                self.assert_same(found, numpy.take(x, indices, axis), message)
            order = numpy.argsort(-x, -1)
            found = st.take_along_axis(tensor, st.asarray(order))
            self.assert_same(found, numpy.take_along_axis(x, order, -1), message)
        with self.assertRaises(st.BoundsError):
            st.take(st.arange(3), st.asarray([3]), axis=0)


class LinearAlgebraTest(NamespaceCase):
    def test_products(self):
        for format in ("Dense", "CSR", "COO"):
            x, y = self.draw((4, 3)), self.draw((4, 3))
            left, right = st.asarray(x, format=format), st.asarray(y, format=format)
            self.assert_same(st.vecdot(left, right), (x * y).sum(-1), format)
            self.assert_same(st.vecdot(left, right, axis=-2), (x * y).sum(0), format)
            self.assert_same(st.linalg.cross(left, right), numpy.cross(x, y), format)
            self.assert_same(st.linalg.outer(left[0], right[1]), numpy.outer(x[0], y[1]), format)
            square = left @ right.T
            for n in (0, 1, 3):
                expected = numpy.linalg.matrix_power(x @ y.T, n)
                self.assert_same(st.linalg.matrix_power(square, n), expected, (format, n))

    def test_norms(self):
        x = self.draw((4, 3))
        for format in ("Dense", "CSR", "COO"):
            tensor = st.asarray(x, format=format)
            for order in (1, 2, 3, numpy.inf, -numpy.inf, 0):
                expected = numpy.linalg.norm(x, order, axis=1)
                self.assert_same(st.linalg.vector_norm(tensor, axis=1, ord=order), expected, order)
            for order in ("fro", 1, numpy.inf):
                expected = numpy.linalg.norm(x, order)
                self.assert_same(st.linalg.matrix_norm(tensor, ord=order), expected, order)
        for order in ("nuc", 2):
            expected = numpy.linalg.norm(x, order)
            self.assert_same(st.linalg.matrix_norm(st.asarray(x), ord=order), expected, order)

    def test_factorizations(self):
        x = self.draw((4, 4), density=1) + 4 * numpy.eye(4)
        tensor, linalg = st.asarray(x), st.linalg
        self.assert_same(linalg.inv(tensor), numpy.linalg.inv(x))
        self.assert_same(tensor @ linalg.solve(tensor, st.ones(4)), numpy.ones(4))
        many, sides = numpy.stack([x, 2 * x, x.T]), self.draw((3, 4, 2))
        self.assert_same(linalg.solve(many, sides), numpy.linalg.solve(many, sides))
        self.assert_same(linalg.det(tensor), numpy.linalg.det(x))
        parts = linalg.svd(tensor)
        self.assert_same(parts.U @ st.diag(parts.S) @ parts.Vh, x)
        self.assert_same(linalg.qr(tensor).Q @ linalg.qr(tensor).R, x)
        lower = linalg.cholesky(st.asarray(x @ x.T))
        self.assert_same(lower @ lower.T, x @ x.T)
        self.assertEqual(linalg.eig(tensor).eigenvalues.dtype, numpy.complex128)
        self.assertEqual(linalg.matrix_rank(tensor).item(), 4)
        with self.assertRaises(st.ArgumentError):
            linalg.inv(st.zeros((2, 2)))

    def test_what_sparse_matrices_are_refused(self):
        tensor = st.eye(3, format="CSR")
        for name in "inv det cholesky eig eigh eigvals eigvalsh qr svd svdvals pinv slogdet".split():
            with self.assertRaisesRegex(st.DensifyError, r"asformat\('Dense'\)", msg=name):
                getattr(st.linalg, name)(tensor)
        with self.assertRaisesRegex(st.DensifyError, "spsolve"):
            st.linalg.solve(tensor, st.ones(3))
        with self.assertRaises(st.DensifyError):
            st.fft.fft(tensor)

    def test_transforms(self):
        x = self.draw((4, 6), density=1)
        for name in "fft ifft rfft irfft hfft ihfft fftn ifftn rfftn irfftn fftshift".split():
            if name in ("hfft", "irfft", "irfftn", "ifftn"):
                self.assert_same(
                    getattr(st.fft, name)(st.asarray(x + 0j)), getattr(numpy.fft, name)(x + 0j), name
                )
            else:
                self.assert_same(
                    getattr(st.fft, name)(st.asarray(x)), getattr(numpy.fft, name)(x), name
                )
        self.assert_same(st.fft.fftfreq(5), numpy.fft.fftfreq(5))


class DataTypesTest(NamespaceCase):
    def test_limits_and_kinds(self):
        self.assertEqual(st.iinfo("int8").max, 127)
        self.assertEqual(st.finfo(st.float32).eps, float(numpy.finfo("float32").eps))
        self.assertTrue(st.isdtype(st.uint8, ("bool", "integral")))
        self.assertFalse(st.isdtype(st.float32, "complex floating"))
        self.assertEqual(st.result_type(st.asarray([1], dtype="int8"), 2, st.float32), st.float32)
        self.assertTrue(st.can_cast(st.int8, st.int16))
        self.assertFalse(st.can_cast(st.float64, st.float32))
        with self.assertRaises(st.ArgumentError):
            st.isdtype(st.int8, "whole")

    def test_namespace(self):
        x = st.asarray([1.0])
        self.assertIs(x.__array_namespace__(api_version="2025.12"), st)
        self.assertIs(x.to_device("cpu"), x)
        with self.assertRaises(st.UnsupportedError):
            x.__array_namespace__(api_version="1999.1")
        with self.assertRaises(st.UnsupportedError):
            st.zeros(3, device="gpu")
        info = st.__array_namespace_info__()
        self.assertEqual(info.default_device(), "cpu")
        self.assertEqual(set(info.dtypes(kind="complex floating")), {"complex64", "complex128"})

    def test_sum_is_index_notation_too(self):
        A = st.asarray(self.draw((3, 4)), format="CSR")
        i, j = st.get_index_vars(2)
        y = st.tensor(3)
        y[i] = st.sum(j, A[i, j])
        self.assert_same(y, st.sum(A, axis=1).todense())


if __name__ == "__main__":
    unittest.main()
