"""TACO's interface for Python, as TACO documents it and as papers print it."""

import os
import tempfile
import unittest

import numpy
import scipy.sparse

import strata as st
import strata.pytaco as pt
from drawing import TestCase


class PrintedTest(TestCase):
    def test_the_program_of_a_paper(self):
        """Bik et al., Compiler Support for Sparse Tensor Computations in MLIR, section 5.1."""
        names = {}
        exec("from strata.pytaco import *", names)
        exec(
            "A = tensor([1024, 1024], [compressed, dense])\n"
            "B = tensor([1024, 1024], [compressed, dense])\n"
            "C = tensor([1024, 1024], [compressed, dense])\n"
            "i, j = get_index_var(2)\n"
            "A.insert([3, 4], 1.5)\n"
            "B.insert([3, 4], 2)\n"
            "B.insert([7, 0], 4)\n"
            "C[i,j] = A[i,j] + B[i,j]\n"
            "k, = get_index_var(1)\n"
            "D = tensor([1024], [dense])\n"
            "c = tensor([1024], [compressed])\n"
            "c.insert([7], 1)\n"
            "D[i] = A[i,j] + B[i,j] + c[i]\n"
            "E = tensor([1024, 1024], [dense, dense])\n"
            "E[i,j] = A[i,j] + D[i]\n"
            "P = tensor([1024, 1024], [compressed, dense])\n"
            "P[i,j] = B[i,k] * E[k,j]\n",
            names,
        )
        self.assertEqual(list(names["C"]), [([3, 4], 3.5), ([7, 0], 4.0)])
        self.assertEqual(list(names["D"]), [([3], 3.5), ([7], 5.0)])
        A, B = names["A"].to_array(), names["B"].to_array()
        D = A.sum(1) + B.sum(1) + names["c"].to_array()
        E = A + D[:, None]
        numpy.testing.assert_allclose(names["E"].to_array(), E)
        numpy.testing.assert_allclose(names["P"].to_array(), B @ E)
        self.assertEqual(names["P"].dtype, numpy.float32)


class FormatsTest(unittest.TestCase):
    def test_formats(self):
        self.assertEqual(pt.csr, pt.format([pt.dense, pt.compressed]))
        self.assertEqual(pt.csc, pt.format([pt.dense, pt.compressed], [1, 0]))
        self.assertNotEqual(pt.csr, pt.csc)
        self.assertEqual(len({pt.csr, pt.CSR, pt.csc}), 2)
        self.assertTrue(pt.is_dense(pt.dense))
        self.assertFalse(pt.is_dense(pt.csr))
        self.assertEqual(pt.dense.name, "dense")
        self.assertEqual(repr(pt.compressed), "mode_format(compressed)")
        for given, name in (
            (pt.csr, "CSR"),
            (pt.csc, "CSC"),
            ([pt.compressed, pt.compressed], "DCSR"),
            (pt.compressed, "DCSR"),
            (pt.dense, "Dense"),
            ([pt.compressed, pt.dense], "ModeGeneric"),
        ):
            made = pt.tensor([3, 4], given)
            self.assertEqual(pt.as_strata(made).format.name, name)
            self.assertEqual((made.shape, made.order), ([3, 4], 2))
        for wrong in (
            lambda: pt.tensor([3], pt.csr),
            lambda: pt.format([pt.dense], [1]),
            lambda: pt.format(["dense"]),
            lambda: pt.tensor("3"),
        ):
            with self.assertRaises(st.ArgumentError):
                wrong()


class TensorTest(TestCase):
    def test_inserts_and_elements(self):
        t = pt.tensor([2, 2])
        t.insert([0, 0], 10)
        self.assertEqual(t[0, 0], 10.0)
        t.insert([0, 0], 100)
        self.assertEqual((t[0, 0], t[1, 0]), (110.0, 0.0))
        self.assertEqual(list(t), [([0, 0], 110.0)])
        self.assertEqual(pt.tensor(42)[0], 42.0)
        with self.assertRaises(st.ShapeError):
            t.insert([0, 2], 1)
        with self.assertRaises(st.ShapeError):
            t.insert([0], 1)
        with self.assertRaises(st.ShapeError):
            t[0]
        with self.assertRaises(st.ArgumentError):
            t[0, 0] = 1

    def test_inserts_of_another_type(self):
        t = pt.tensor([2, 2], pt.csr, dtype=pt.int32)
        t.insert([0, 1], 3)
        for wrong in (2.5, 1j, numpy.float64(2)):
            with self.assertRaises(st.DTypeError):
                t.insert([0, 0], wrong)
        t.insert([1, 1], numpy.int32(4))
        self.assertEqual(t.to_array().tolist(), [[0, 3], [0, 4]])
        for number in (numpy.int64(3), numpy.float32(3), 3):
            self.assertEqual(pt.tensor(number)[0], 3)

    def test_statements(self):
        a, b = self.draw((4, 5)), self.draw((5, 3))
        A, B = pt.as_tensor(scipy.sparse.csr_array(a)), pt.as_tensor(b)
        i, j, k = pt.get_index_vars(3)
        C = pt.tensor([4, 3], pt.csr, pt.float64)
        C[i, j] = A[i, k] * B[k, j]
        C.evaluate()
        numpy.testing.assert_allclose(C.to_array(), a @ b)
        s = pt.tensor(0, dtype=pt.float64)
        s[None] = A[i, j]
        self.assertAlmostEqual(s[0], a.sum())
        y = pt.tensor([4], pt.dense, pt.float64)
        y[i] = pt.sum(j, pt.exp(A[i, j])) + s[None]
        numpy.testing.assert_allclose(y.to_array(), numpy.exp(a).sum(1) + a.sum())
        y[i] = pt.max(A[i, 0], pt.add(A[i, 1], 0.25)) - pt.cube(A[i, 2])
        numpy.testing.assert_allclose(
            y.to_array(), numpy.maximum(a[:, 0], a[:, 1] + 0.25) - a[:, 2] ** 3
        )
        y[i] = pt.cast(pt.gt(A[i, 0], 1), pt.float64)
        numpy.testing.assert_allclose(y.to_array(), a[:, 0] > 1)

    def test_functions_of_tensors(self):
        a, b = self.draw((3, 4)), self.draw((3, 4))
        A, B = pt.as_tensor(scipy.sparse.csr_array(a)), pt.as_tensor(b)
        for found, expected in (
            (A + B, a + b),
            (2 * A - B, 2 * a - b),
            (A * B, a * b),
            (A / 2, a / 2),
            (-A, -a),
            (abs(-A), a),
            (A > B, a > b),
            (A**2, a**2),
            (A.T, a.T),
            (A @ B.T, a @ b.T),
            (pt.tensor_sqrt(A, out_format=pt.csr), numpy.sqrt(a)),
            (pt.tensor_add(A, B, pt.dense), a + b),
            (pt.tensor_max(A, B), numpy.maximum(a, b)),
            (pt.tensor_logical_not(A), a == 0),
            (pt.tensor_sum(A, axis=1), a.sum(1)),
            (pt.matmul(A, B.T, pt.csr), a @ b.T),
            (pt.inner(A, B), numpy.inner(a, b)),
            (pt.dot(A, B.T), a @ b.T),
            (pt.outer(A, B), numpy.outer(a, b)),
            (pt.tensordot(A, B, ([0, 1], [0, 1])), numpy.tensordot(a, b, ([0, 1], [0, 1]))),
            (pt.einsum("ij,kj->ik", A, B), a @ b.T),
            (pt.as_type(A, pt.float32), a.astype("float32")),
            (A.copy(), a),
            (A.to_dense(), a),
            (A.transpose([1, 0], pt.csr), a.T),
        ):
            numpy.testing.assert_allclose(found.to_array(), expected)
        self.assertEqual(pt.tensor_add(A, B, pt.dense).format, pt.format([pt.dense] * 2))
        self.assertEqual((A + B).format, pt.format([pt.compressed] * 2))
        self.assertEqual(A.to_sp_csr().format, "csr")
        self.assertEqual(A.to_sp_csc().format, "csc")
        numpy.testing.assert_allclose(numpy.asarray(A), a)

    def test_evaluate(self):
        a, x = self.draw((4, 5)), self.draw(5)
        A = pt.as_tensor(scipy.sparse.csr_array(a))
        numpy.testing.assert_allclose(pt.evaluate("T(j) = A(i, j)", A).to_array(), a.sum(0))
        numpy.testing.assert_allclose(pt.evaluate("y(i) = M(i,j) * v(j)", A, x).to_array(), a @ x)
        out = pt.tensor([4], pt.dense, pt.float64)
        self.assertIs(pt.evaluate("y(i) = M(i,j) * v(j)", out, A, x), out)
        numpy.testing.assert_allclose(out.to_array(), a @ x)
        self.assertAlmostEqual(pt.evaluate("S = C(i, j)", A)[0], a.sum())
        added = pt.evaluate("T(i, j) = A(i, j) + B(j)", A, x, out_format=pt.csr)
        self.assertEqual(added.format, pt.csr)
        numpy.testing.assert_allclose(added.to_array(), a + x)

    def test_files(self):
        A = pt.as_tensor(scipy.sparse.csr_array(self.draw((4, 5))))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.mtx")
            pt.write(path, A)
            found = pt.read(path, pt.csc)
            self.assertEqual(found.format, pt.csc)
            numpy.testing.assert_allclose(found.to_array(), A.to_array())

    def test_stored_zeros(self):
        matrix = scipy.sparse.csr_array(([0.0, 2.0], [0, 1], [0, 1, 2]), shape=(2, 2))
        A = pt.as_tensor(matrix)
        self.assertEqual(pt.as_strata(A).nnz, 2)
        self.assertEqual(pt.as_strata(pt.remove_explicit_zeros(A)).nnz, 1)
        self.assertEqual(list(A), [([1, 1], 2.0)])

    def test_what_there_is_not(self):
        for refused in (
            lambda: pt.set_parallel_schedule("dynamic", 8),
            lambda: pt.apply("f", []),
            lambda: pt.set_udf_dir("."),
        ):
            with self.assertRaises(NotImplementedError):
                refused()
        self.assertIs(st.pytaco, pt)


if __name__ == "__main__":
    unittest.main()
