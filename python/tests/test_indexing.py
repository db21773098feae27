"""Parts of tensors, against NumPy."""

import unittest
from unittest import mock

import numpy

import strata as st
from drawing import MATRIX_FORMATS, TestCase

MATRIX_KEYS = [
    1,
    -1,
    (1, 2),
    (-1, -2),
    (),
    Ellipsis,
    slice(None),
    slice(1, 3),
    slice(3, 1),
    slice(None, None, -1),
    slice(10),
    (slice(None), 2),
    (slice(1, 4), slice(0, 6, 2)),
    (Ellipsis, 0),
    (0, Ellipsis),
    (slice(None, None, 2), slice(None, None, -2)),
    (None, 1),
    (slice(None), None, 2),
    (None, None),
    (Ellipsis, None),
    numpy.array([3, 0, 0]),
    (slice(None), numpy.array([1, -1])),
    [2, 1],
    (numpy.array([True, False, True, True]), slice(None)),
    numpy.int64(2),
    (slice(2, 2), 1),
]


class IndexingTest(TestCase):
    def test_matrices(self):
        x = self.draw((4, 6))
        for format in ("Dense", "CSR", "CSC", "COO"):
            tensor = st.asarray(x, format=format)
            for key in MATRIX_KEYS:
                self.assert_same(tensor[key], x[key], (format, key))

    def test_every_format(self):
        x = self.draw((4, 6))
        for format in MATRIX_FORMATS:
            tensor = st.asarray(x, format=format)
            for key in (1, (2, 3), slice(1, 3), (slice(None), slice(0, 6, 2))):
                self.assert_same(tensor[key], x[key], (format, key))

    def test_higher_orders(self):
        x = self.draw((3, 4, 5))
        for format in ("Dense", "CSF", "COO"):
            tensor = st.asarray(x, format=format)
            for key in [
                0,
                (0, 1),
                (0, 1, 2),
                (Ellipsis, 1),
                (slice(None), 1),
                (slice(1, 3), None, 2),
                (slice(None), slice(None), slice(1, 5, 3)),
            ]:
                self.assert_same(tensor[key], x[key], (format, key))

    def test_sizes_zero_and_one(self):
        for shape in [(0, 3), (1, 1), (3, 0)]:
            x = self.draw(shape)
            for format in ("Dense", "CSR"):
                self.assert_same(st.asarray(x, format=format)[:, :1], x[:, :1])
                self.assert_same(st.asarray(x, format=format)[::-1], x[::-1])

    def test_slices_keep_the_format(self):
        x = self.draw((4, 6))
        for format in ("CSR", "CSC", "COO", "DCSR"):
            self.assertEqual(st.asarray(x, format=format)[1:3, ::2].format.name, format)
        tensor = st.asarray(x, format="CSR")
        self.assertTrue(tensor[:].shares_memory(tensor))

    def test_rows_and_columns_share_their_arrays(self):
        x = self.draw((4, 6))
        for format, keys in [
            ("CSR", [1, -1, slice(1, 3), slice(2, 2), slice(0, 0), slice(3, 99)]),
            ("CSC", [(slice(None), 2), (slice(None), slice(1, 4)), (Ellipsis, slice(5, 5))]),
        ]:
            tensor = st.asarray(x, format=format)
            for key in keys:
                found = tensor[key]
                found.validate()
                self.assert_same(found, x[key], (format, key))
                self.assertTrue(found.nnz == 0 or found.shares_memory(tensor))
        filled = st.tensor((3, 4), "CSR", fill=2.5)
        self.assert_same(filled[1], numpy.full(4, 2.5))
        self.assert_same(filled[1:], numpy.full((2, 4), 2.5))
        repeated = st.from_buffers(
            "(i, j) -> (i : dense, j : compressed(nonunique))",
            (2, 3),
            ([0, 2, 3], [1, 1, 0], [1.0, 2.0, 4.0]),
        )
        self.assert_same(repeated[0], [0.0, 3.0, 0.0])

    def test_dense_parts_are_views(self):
        x = self.draw((4, 6))
        self.assertTrue(st.asarray(x)[1].shares_memory(x))

    def test_one_kernel_serves_for_all_numbers(self):
        from strata import _core

        tensor = st.asarray(self.draw((30, 40)), format="CSR")
        tensor[0], tensor[0:5], tensor[0, 0]
        before = _core.compiled()
        for number in range(1, 20):
            tensor[number], tensor[number : number + 5], tensor[number, number]
        self.assertEqual(_core.compiled(), before)

    def test_iteration(self):
        x = self.draw((3, 4))
        for format in ("Dense", "CSR"):
            rows = list(st.asarray(x, format=format))
            self.assertEqual(len(rows), 3)
            self.assert_same(rows[1], x[1])

    def test_rows_and_columns_are_found_at_once(self):
        x = self.draw((6, 5))
        for format in ("CSR", "CSC", "ELL", "DIA", "BCSR:2x3"):
            A = st.asarray(x, format=format) + 1
            with mock.patch("strata.indexing.entries_in", side_effect=AssertionError):
                rows, columns = list(A), st.unstack(A, axis=1)
            for found, expected in zip((*rows, *columns), (*(x + 1), *(x + 1).T)):
                self.assert_same(found, expected, format)
                self.assertEqual((found.format.name, found.fill), ("SparseVector", 1))

    def test_mistakes(self):
        for format in ("Dense", "CSR"):
            tensor = st.asarray(self.draw((4, 6)), format=format)
            for key in (4, -5, (0, 6), (0, 0, 0), (Ellipsis, Ellipsis), [4]):
                with self.assertRaises(IndexError, msg=(format, key)):
                    tensor[key]
        sparse = st.asarray(self.draw((4, 6)), format="CSR")
        with self.assertRaises(IndexError):
            sparse[[0, 1], [0, 1, 2]]
        for tensor in (sparse, sparse.asformat("Dense")):
            for truth in (numpy.ones((4, 5), bool), st.ones((4, 5), "CSR", dtype="bool")):
                with self.assertRaises(IndexError):
                    tensor[truth]
        for key in (1.5, "a", [0.5]):
            with self.assertRaises(st.BoundsError, msg=key):
                sparse[key]
        with self.assertRaises(st.UnsupportedError):
            sparse[True]

    def test_arrays_of_indices(self):
        x = self.draw((4, 6))
        rows, columns = numpy.array([0, 3, 3]), numpy.array([5, -1, 0])
        keys = [(rows, columns), (rows.reshape(3, 1), columns), x > 0, [[0, 1], [2, 3]]]
        for format in ("Dense", "CSR", "CSC", "COO"):
            tensor = st.asarray(x, format=format)
            for key in keys:
                self.assert_same(tensor[key], x[key], (format, key))
            for truth in (tensor > 0, (tensor > 0).asformat("CSC"), (tensor > 0).to_scipy()):
                self.assert_same(tensor[truth], x[x > 0], format)
            self.assert_same(tensor[st.asarray(rows)], x[rows], format)
        cube = self.draw((3, 4, 5))
        tensor = st.asarray(cube, format="CSF")
        for key in [(0, slice(None), [1, 2]), ([0, 2], slice(None), [1, 2]), (slice(None), 0, [1])]:
            self.assert_same(tensor[key], cube[key], key)


if __name__ == "__main__":
    unittest.main()
