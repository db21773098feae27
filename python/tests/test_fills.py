"""Tensors that are NaN, or a complex number, where they store nothing, against NumPy."""

import itertools
import math
import os
import pickle
import tempfile
import unittest

import numpy

import strata as st
from drawing import TestCase

try:
    import sparse
except ImportError:
    sparse = None

NAN = math.nan
FORMATS = ("CSR", "CSC", "COO", "DCSR", "BCSR:2x2", "ELL", "DIA", "DOK", "ELL:1 + COO")
COMPLEX = (1 + 2j, -2j, complex(NAN, 1), complex(1, NAN), complex(NAN, NAN), complex(-math.inf, 2))


def same(one, two):
    """Whether two numbers are the same, NaN included."""
    return bool(numpy.array_equal(numpy.asarray(one), numpy.asarray(two), equal_nan=True))


class FillsCase(TestCase):
    def array(self, fill, shape=(4, 6), dtype=None):
        """An array of which about half is the fill value."""
        x = self.draw(shape, "complex128" if isinstance(fill, complex) else "float64", 1)
        x[self.generator.random(shape) < 0.5] = fill
        return x if dtype is None else x.astype(dtype)

    def stored(self, x, fill, format="CSR"):
        return st.asarray(x, format=st.Format(format, x.ndim, fill=fill))


class FormatsTest(FillsCase):
    def test_texts(self):
        for fill in (NAN, -NAN, *COMPLEX, complex(0.1, -1e-300), numpy.complex64(1 - 2j), numpy.float32(NAN)):
            format = st.Format("CSR", fill=fill)
            x = st.tensor((2, 3), format, dtype="complex128")
            self.assertTrue(same(x.fill, fill), fill)
            for text in (str(format), str(x.format), x.format.map):
                again = st.tensor((2, 3), text, dtype="complex128")
                self.assertTrue(same(again.fill, fill), text)
                self.assertEqual(again.format.without_widths(), format, text)
            self.assertEqual(hash(st.Format(str(format))), hash(format))
            self.assertEqual(st.Format("CSR").with_(fill=fill), format)
            self.assertNotEqual(st.Format("CSR"), format)
        self.assertEqual(st.Format("CSR", fill=NAN), st.Format("{CSR, fill = nan}"))
        self.assertEqual(st.Format("COO", fill=complex(1, -math.inf)), st.Format("{COO, fill = 1-infi}"))

    def test_elements_that_cannot_be_so(self):
        for fill, dtype in ((NAN, "int32"), (NAN, "bool"), (1j, "float64"), (1 + 0.5j, "int64")):
            with self.assertRaisesRegex(st.FormatError, "of which .* is none"):
                st.tensor((2, 2), st.Format("CSR", fill=fill), dtype=dtype)
        self.assertEqual(st.tensor((2, 2), "{CSR, fill = 2 + 0i}", dtype="float32").fill, 2)
        for dtype in ("float16", "bfloat16", "float32"):
            self.assertTrue(math.isnan(st.tensor((2, 2), "CSR", dtype=dtype, fill=NAN).fill))


class StoredTest(FillsCase):
    def test_what_equals_the_fill_is_no_entry(self):
        for fill, format in itertools.product((NAN, *COMPLEX), FORMATS):
            x = self.array(fill)
            A = self.stored(x, fill, format)
            A.validate()
            self.assertTrue(same(A.fill, fill))
            self.assert_same(A, x, (fill, format))
            is_fill = numpy.array([same(one, fill) for one in x.flat])
            if format in ("CSR", "CSC", "COO", "DCSR", "DOK"):
                self.assertEqual(A.nnz, (~is_fill).sum(), (fill, format))

    def test_every_nan_is_the_same(self):
        x = numpy.array([[NAN, -NAN], [1.0, NAN]])
        x.view("uint64")[1, 1] |= numpy.uint64(5)  # other bits
        self.assertEqual(self.stored(x, NAN).nnz, 1)

    def test_conversions(self):
        for fill in (NAN, 1 + 2j):
            x = self.array(fill)
            for one, other in itertools.permutations(FORMATS, 2):
                A = self.stored(x, fill, one).asformat(st.Format(other, 2, fill=fill))
                self.assert_same(A, x, (one, other))
            A = self.stored(x, fill)
            self.assert_same(A.asformat("CSR"), x)  # every element
            self.assertEqual(A.asformat("CSR").nnz, x.size)
            self.assert_same(pickle.loads(pickle.dumps(A)), x)
            self.assert_same(A.copy(), x)
            self.assert_same(A.T, x.T)
        A = self.stored(self.array(NAN), NAN)
        for dtype in ("float32", "complex64", "complex128"):
            found = A.astype(dtype)
            self.assertTrue(numpy.isnan(found.fill))
            self.assert_same(found, A.todense().astype(dtype))

    def test_parts_and_assignments(self):
        for fill in (NAN, complex(NAN, 1)):
            x = self.array(fill)
            A = self.stored(x, fill)
            self.assert_same(A[1:3, ::2], x[1:3, ::2])
            self.assert_same(A[2], x[2])
            A[0, :3] = fill
            x[0, :3] = fill
            A[1, 1:3] = 7
            x[1, 1:3] = 7
            self.assert_same(A, x)
            self.assertTrue(not numpy.isnan(A.values).any())

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for fill in (NAN, 1 + 2j, complex(0.5, NAN)):
                x = self.array(fill)
                file = os.path.join(folder, "a.bsp.h5")
                self.stored(x, fill).write(file)
                read = st.read(file)
                self.assertTrue(same(read.fill, fill))
                self.assert_same(read, x)
                self.assert_same(st.read(file, st.Format("CSC", fill=fill)), x)
                self.assert_same(st.read(file, st.Format("CSC", fill=3)), x)  # every element
                with self.assertRaisesRegex(st.FileError, "nan|2i"):
                    self.stored(x, fill).write(os.path.join(folder, "a.mtx"))

    @unittest.skipUnless(sparse, "needs PyData sparse")
    def test_arrays_of_pydata(self):
        for fill in (NAN, 1 + 2j):
            x = self.array(fill)
            given = sparse.COO.from_numpy(x, fill_value=fill)
            A = st.asarray(given)
            self.assertEqual(A.nnz, given.nnz)
            self.assert_same(A, x)
            back = A.to_sparse()
            self.assertTrue(same(back.fill_value, fill))
            numpy.testing.assert_array_equal(back.todense(), x)


class ElementsTest(FillsCase):
    def test_functions(self):
        names = "sqrt exp log sin negative abs square isnan isfinite isinf floor sign".split()
        for name, format in itertools.product(names, ("CSR", "COO", "BCSR:2x2")):
            x = self.array(NAN)
            theirs = getattr(numpy, name)(x)
            found = getattr(st, name)(self.stored(x, NAN, format))
            self.assertFalse(found.format.is_full, name)
            self.assert_same(found, theirs, (name, format))
        for name in "exp conj real imag abs negative square sqrt isnan".split():
            x = self.array(1 + 2j)
            found = getattr(st, name)(self.stored(x, 1 + 2j))
            self.assertFalse(found.format.is_full, name)
            self.assert_same(found, getattr(numpy, name)(x), name)

    def test_functions_that_become_nan(self):
        x = self.draw((4, 6))
        A = st.asarray(x, format="CSR")
        with numpy.errstate(all="ignore"):
            for ours, theirs in (
                (st.sqrt(A - 10), numpy.sqrt(x - 10)),
                (st.acos(A + 2), numpy.arccos(x + 2)),
                (st.where(A > 1, A, NAN), numpy.where(x > 1, x, NAN)),
                (st.hypot(A, NAN), numpy.hypot(x, NAN)),
            ):
                self.assertTrue(math.isnan(ours.fill))
                self.assertLessEqual(ours.nnz, A.nnz)
                self.assert_same(ours, theirs)
        self.assert_same(A + 2j, x + 2j)
        self.assertEqual(((A + 2j).fill, (A + 2j).nnz), (2j, A.nnz))

    def test_numbers(self):
        for fill in (NAN, 1 + 2j):
            x = self.array(fill)
            A = self.stored(x, fill)
            for compute in (
                lambda y: y + 1,
                lambda y: 2 - y,
                lambda y: y * 3,
                lambda y: y / 4,
                lambda y: y == y,
                lambda y: y != y,
                lambda y: y == 1 + 2j,
            ):
                found = compute(A)
                self.assertEqual(found.nnz, A.nnz)
                self.assertFalse(found.format.is_full)
                self.assert_same(found, compute(x))
        x = self.array(NAN)
        A = self.stored(x, NAN)
        self.assert_same(A > 1, x > 1)
        self.assert_same(A <= 1, x <= 1)

    def test_two_operands(self):
        functions = "add subtract maximum minimum equal not_equal less".split()
        for name, fills in itertools.product(functions, itertools.product((NAN, 0.0, 2.0), repeat=2)):
            x, y = (self.array(fill) for fill in fills)
            theirs = getattr(numpy, name)(x, y)
            for one, other in itertools.product(("CSR", "COO", "BCSR:2x2"), repeat=2):
                A, B = self.stored(x, fills[0], one), self.stored(y, fills[1], other)
                self.assert_same(getattr(st, name)(A, B), theirs, (name, fills, one, other))
        for fills in ((1 + 2j, 1 + 2j), (1 + 2j, 0j), (complex(NAN, 1), 2j)):
            x, y = (self.array(fill) for fill in fills)
            A, B = self.stored(x, fills[0]), self.stored(y, fills[1], "COO")
            self.assert_same(A + B, x + y)
            self.assert_same(A - B, x - y)
            self.assert_same(A == B, x == y)

    def test_what_is_absent_and_zero_annihilates_nan(self):
        x, y = self.array(NAN), self.draw((4, 6))
        for one, other in itertools.product(("CSR", "COO"), repeat=2):
            A, B = self.stored(x, NAN, one), st.asarray(y, format=other)
            expected = numpy.where(y == 0, 0, x * y)
            self.assert_same(A * B, expected)
            self.assert_same(B * A, expected)
            self.assert_same(B / A, expected * 0 + numpy.where(y == 0, 0, y / x))

    def test_dense_operands(self):
        x, y = self.array(NAN), self.draw((4, 6))
        A = self.stored(x, NAN)
        for compute in (lambda a, b: a + b, lambda a, b: b - a, numpy.maximum, lambda a, b: a / (b + 1)):
            self.assert_same(compute(A, st.asarray(y)), compute(x, y))
            self.assert_same(compute(A, st.asarray(y[0])), compute(x, y[0]))

    def test_statements(self):
        x, y = self.array(NAN), self.draw((4, 6))
        A, B = self.stored(x, NAN), st.asarray(y, format="CSR")
        found = st.einsum("ij->ji", A, fill=NAN, format="COO")
        self.assert_same(found, x.T)
        found = st.evaluate("C(i,j) = A(i,j) + B(i,j)", A=A, B=B, format=st.Format("CSR", fill=NAN))
        self.assert_same(found, x + y)
        self.assertLessEqual(found.nnz, A.nnz)  # an absent NaN leaves nothing else of a sum


class ReductionsTest(FillsCase):
    def test_reductions(self):
        for format, axis in itertools.product(FORMATS, (None, 0, 1)):
            for fill in (NAN, 1 + 2j):
                x = self.array(fill)
                x[1] = 3  # a row without the fill
                A = self.stored(x, fill, format)
                for name in "sum prod mean".split() + ["max", "min"] * (fill is NAN):
                    self.assert_same(
                        getattr(A, name)(axis), getattr(x, name)(axis), (name, format, fill, axis)
                    )
            x = self.array(NAN)
            x[1] = 3
            A = self.stored(x, NAN, format)
            for name in "nansum nanmax nanmin nanmean argmax argmin".split():
                self.assert_same(getattr(st, name)(A, axis=axis), getattr(numpy, name)(x, axis), name)
            self.assert_same(st.isnan(A).any(axis), numpy.isnan(x).any(axis))
            self.assert_same(A.all(axis), x.all(axis))

    def test_few_of_many(self):
        n = 10**9
        A = st.from_coo(([3, 3], [5, 6]), [1.0, 2.0], (n, n), st.Format("COO", fill=NAN))
        rows = A.sum(1)
        self.assertEqual(rows.nnz, 1)
        self.assertTrue(math.isnan(rows.fill) and math.isnan(rows[3].item()))
        self.assertEqual(st.nansum(A).item(), 3)
        self.assertEqual((A + A).nnz, 2)
        self.assertEqual((A == A).nnz, 2)


class ManipulationTest(FillsCase):
    def test_sorted(self):
        x = self.array(NAN)
        x[2, 3] = NAN
        A = st.from_coo(numpy.indices((4, 6)).reshape(2, -1)[:, ::2], x.reshape(-1)[::2], (4, 6), st.Format("COO", fill=NAN))
        y = A.todense()
        self.assert_same(st.sort(A, axis=1), numpy.sort(y, 1))
        descending = -numpy.sort(-y, 1)
        self.assert_same(st.sort(A, axis=1, descending=True), descending)

    def test_joined_and_cut(self):
        for fill in (NAN, complex(NAN, 1)):
            x, y = self.array(fill), self.array(fill)
            A, B = self.stored(x, fill), self.stored(y, fill, "COO")
            self.assert_same(st.concat([A, B]), numpy.concatenate([x, y]))
            self.assert_same(st.reshape(A, (6, 4)), x.reshape(6, 4))
            self.assert_same(st.pad(A, 1, constant_values=fill), numpy.pad(x, 1, constant_values=fill))
            with self.assertRaises(st.DensifyError):
                st.concat([A, st.asarray(y, format="COO")])
        self.assertEqual(st.eliminate_zeros(st.from_coo(([0, 1], [0, 1]), [NAN, 1.0], (2, 2), st.Format("CSR", fill=NAN))).nnz, 1)

    def test_distinct(self):
        x = numpy.array([[NAN, 1.0, NAN], [2.0, 1.0, NAN]])
        A = self.stored(x, NAN)
        values, counts = numpy.unique(x, return_counts=True)
        found = numpy.unique(A, return_counts=True)
        self.assert_same(found[0], values)
        self.assert_same(found[1], counts)
        with self.assertRaisesRegex(st.DensifyError, "NaN"):
            st.unique_values(A)


if __name__ == "__main__":
    unittest.main()
