"""Integrals packed with 4- and 8-fold symmetry, against the formula by which PySCF unpacks them."""

import os
import tempfile
import unittest

import numpy

import strata as st
from drawing import TestCase


def pair(i, j):
    i, j = max(i, j), min(i, j)
    return i * (i + 1) // 2 + j


def integrals(n, dtype="float64"):
    """All integrals of n orbitals, with all symmetries of real ones."""
    pairs = n * (n + 1) // 2
    triangle = numpy.random.default_rng(n).random(pairs * (pairs + 1) // 2).astype(dtype)
    x = numpy.empty((n, n, n, n), dtype)
    for i in range(n):
        for j in range(n):
            for k in range(n):
                for l in range(n):
                    x[i, j, k, l] = triangle[pair(pair(i, j), pair(k, l))]
    return x


def packed(x, symmetry):
    """As PySCF's ao2mo.restore packs them."""
    n = x.shape[0]
    rows, columns = numpy.tril_indices(n)
    matrix = x[rows, columns][:, rows, columns]
    return matrix if symmetry == 4 else matrix[numpy.tril_indices(len(rows))]


class PackedIntegralsTest(TestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_arrays(self):
        for n in (0, 1, 2, 5, 7):
            x = integrals(n)
            for symmetry in (4, 8):
                numpy.save(self.path("a.npy"), packed(x, symmetry))
                read = st.read(self.path("a.npy"), symmetry=symmetry)
                self.assert_same(read, x, (n, symmetry))
                read = st.read(self.path("a.npy") + f"::symmetry={symmetry}", "COO")
                self.assert_same(read, x, (n, symmetry))

    def test_types_and_orders(self):
        x = integrals(4, "float32")
        numpy.save(self.path("a.npy"), numpy.asfortranarray(packed(x, 4)))
        self.assert_same(st.read(self.path("a.npy"), symmetry=4), x)
        numpy.save(self.path("b.npy"), packed(x, 8)[None, :])
        self.assert_same(st.read(self.path("b.npy"), symmetry=8), x)
        self.assert_same(st.read(self.path("b.npy"), symmetry=8, dtype="float64"), x.astype(float))
        # Without symmetry, only the two pairs can be exchanged or not: 4-fold keeps both.
        y = (
            integrals(3)
            + numpy.arange(6.0)[[[pair(i, j) for j in range(3)] for i in range(3)]][
                :, :, None, None
            ]
        )
        numpy.save(self.path("c.npy"), packed(y, 4))
        self.assert_same(st.read(self.path("c.npy"), symmetry=4), y)

    def test_hdf5(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("no h5py")
        x = integrals(5)
        with h5py.File(self.path("a.h5"), "w") as file:
            file["eri_mo"] = packed(x, 4)
        self.assert_same(st.read(self.path("a.h5"), symmetry=4), x)

    def test_mistakes(self):
        numpy.save(self.path("a.npy"), numpy.zeros(7))
        for symmetry in (4, 8):
            with self.assertRaisesRegex(st.FileError, f"{symmetry}-fold"):
                st.read(self.path("a.npy"), symmetry=symmetry)
        numpy.save(self.path("b.npy"), numpy.zeros((5, 5)))
        with self.assertRaisesRegex(st.FileError, "5 x 5"):
            st.read(self.path("b.npy"), symmetry=4)
        with open(self.path("c.mtx"), "w", encoding="utf-8") as file:
            file.write("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n")
        with self.assertRaisesRegex(st.FileError, "array of all elements"):
            st.read(self.path("c.mtx"), symmetry=8)
        with self.assertRaises(st.ArgumentError):
            st.read(self.path("a.npy"), symmetry=3)
        # Rows of the packed array are none of the tensor.
        numpy.save(self.path("d.npy"), packed(integrals(3), 8))
        with self.assertRaisesRegex(st.FileError, "packed integrals, ranges"):
            st.read(self.path("d.npy"), symmetry=8, rows=slice(0, 6))


if __name__ == "__main__":
    unittest.main()
