"""The iterative methods of scipy.sparse.linalg with tensors as operators."""

import unittest
import warnings

import numpy
import scipy.sparse
import scipy.sparse.linalg as linalg

import strata as st
from drawing import TestCase

SIZE = 30


def laplacian(dtype):
    """A symmetric, positive definite matrix; Hermitian, if it is complex."""
    off = numpy.ones(SIZE - 1) * (-1 + 0.5j if dtype == "complex128" else -1)
    diagonal = numpy.linspace(3, 4, SIZE)
    return scipy.sparse.diags([off.conj(), diagonal, off], [-1, 0, 1], dtype=dtype).tocsr()


def convection(dtype):
    """A matrix that is not symmetric, with a dominant diagonal."""
    off = numpy.ones(SIZE - 1) * (0.5 + 0.25j if dtype == "complex128" else 0.5)
    return (laplacian(dtype) + scipy.sparse.diags([off], [1], dtype=dtype)).tocsr()


class SolverTest(TestCase):
    def setUp(self):
        super().setUp()
        caught = warnings.catch_warnings()
        caught.__enter__()
        self.addCleanup(caught.__exit__, None, None, None)
        warnings.simplefilter("ignore", DeprecationWarning)  # of SciPy's defaults

    def operators(self, matrix):
        """The matrix as tensors in several formats."""
        tensor = st.asarray(matrix)
        for format in ("CSR", "CSC", "COO", "DIA", "ELL", "BCSR:2x3", "Dense"):
            yield format, tensor.asformat(format)

    def check(self, method, make, dtypes=("float32", "float64", "complex128")):
        for dtype in dtypes:
            matrix = make(dtype)
            solution = self.draw(SIZE, dtype, 1)
            right = matrix @ solution
            theirs, _ = getattr(linalg, method)(matrix, right)
            for format, tensor in self.operators(matrix):
                with self.subTest(dtype=dtype, format=format):
                    found, info = getattr(linalg, method)(tensor, right)
                    self.assertEqual(info, 0)
                    self.assertEqual(found.dtype, theirs.dtype)
                    tolerance = 1e-3 if dtype == "float32" else 1e-9
                    difference = numpy.linalg.norm(found - theirs)
                    self.assertLess(difference, tolerance * numpy.linalg.norm(theirs))

    def test_methods_for_positive_definite_matrices(self):
        self.check("cg", laplacian)
        self.check("minres", laplacian, ("float32", "float64"))

    def test_methods_for_any_matrix(self):
        for method in ("bicg", "bicgstab", "cgs", "gmres", "lgmres", "gcrotmk", "tfqmr"):
            self.check(method, convection)

    def test_qmr(self):
        # SciPy asks qmr's operators for their adjoints by rmatvec.
        self.check("qmr", convection, ("float64",))

    def test_preconditioners(self):
        matrix = laplacian("float64")
        right = numpy.ones(SIZE)
        jacobi = st.asarray(scipy.sparse.diags(1 / matrix.diagonal()).tocsr())
        calls = []
        plain, info = linalg.cg(st.asarray(matrix), right, callback=calls.append)
        self.assertEqual(info, 0)
        found, info = linalg.cg(st.asarray(matrix), right, M=jacobi, x0=plain)
        self.assertEqual(info, 0)
        numpy.testing.assert_allclose(matrix @ found, right, 1e-4)
        self.assertGreater(len(calls), 3)

    def test_least_squares(self):
        x = self.draw((12, 5), density=1) + numpy.eye(12, 5)
        right = self.draw(12, density=1)
        expected = numpy.linalg.lstsq(x, right, rcond=None)[0]
        for format in ("CSR", "CSC", "Dense"):
            tensor = st.asarray(x, format=format)
            for method in ("lsqr", "lsmr"):
                found = getattr(linalg, method)(tensor, right, atol=1e-12, btol=1e-12)[0]
                numpy.testing.assert_allclose(found, expected, 1e-5, 1e-8)

    def test_eigenvalues_and_singular_values(self):
        for dtype in ("float64", "complex128"):
            matrix = laplacian(dtype)
            values = numpy.linalg.eigvalsh(matrix.toarray())
            start = numpy.ones(SIZE, dtype)
            for _, tensor in self.operators(matrix):
                found = linalg.eigsh(tensor, 3, v0=start, return_eigenvectors=False)
                numpy.testing.assert_allclose(numpy.sort(found), values[-3:], 1e-7)
                found = linalg.eigs(tensor, 3, v0=start, return_eigenvectors=False)
                numpy.testing.assert_allclose(numpy.sort(found.real), values[-3:], 1e-7)
                found = linalg.svds(tensor, 2, v0=start.real, return_singular_vectors=False)
                numpy.testing.assert_allclose(numpy.sort(found), values[-2:], 1e-7)
        block = numpy.linalg.qr(self.generator.random((SIZE, 3)))[0]
        matrix = laplacian("float64")
        # lobpcg takes arrays, SciPy's operators and functions only.
        operator = linalg.aslinearoperator(st.asarray(matrix))
        found, _ = linalg.lobpcg(operator, block, tol=1e-9, maxiter=200)
        values = numpy.linalg.eigvalsh(matrix.toarray())
        numpy.testing.assert_allclose(numpy.sort(found), values[-3:], 1e-5)

    def test_linear_operators(self):
        for dtype in ("float64", "complex128"):
            x = self.draw((4, 6), dtype)
            for format in ("CSR", "CSC", "COO", "Dense"):
                operator = linalg.aslinearoperator(st.asarray(x, format=format))
                self.assertEqual((operator.shape, operator.dtype), (x.shape, x.dtype))
                right, left = self.draw(6, dtype, 1), self.draw(4, dtype, 1)
                numpy.testing.assert_allclose(operator @ right, x @ right)
                numpy.testing.assert_allclose(operator.H @ left, x.conj().T @ left)
                numpy.testing.assert_allclose(operator.T @ left, x.T @ left)
                many = self.draw((6, 3), dtype, 1)
                numpy.testing.assert_allclose(operator @ many, x @ many)
                numpy.testing.assert_allclose((2 * operator) @ right, 2 * (x @ right))
                column = right[:, None]
                numpy.testing.assert_allclose(operator @ column, x @ column)
        with self.assertRaises(st.ShapeError):
            st.eye(3).matvec(numpy.ones(4))


if __name__ == "__main__":
    unittest.main()
