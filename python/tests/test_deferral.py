"""Statements that are assigned to tensors are computed when their result is read."""

import copy
import gc
import pickle
import threading
import unittest
import weakref

import numpy

import strata as st
from drawing import TestCase

i, j, k = st.get_index_vars(3)


class DeferralTest(TestCase):
    def setUp(self):
        super().setUp()
        self.x, self.y = self.draw((4, 5)), self.draw((5, 6))
        self.A, self.B = st.asarray(self.x, format="CSR"), st.asarray(self.y, format="CSR")

    def product(self):
        C = st.tensor((4, 6), "CSR")
        C[i, k] = self.A[i, j] * self.B[j, k]
        return C

    def assert_deferred(self, tensor, expected=True):
        self.assertEqual("not computed yet" in repr(tensor), expected, repr(tensor))

    def test_what_does_not_compute(self):
        C = self.product()
        self.assertEqual((C.shape, C.ndim, C.size, C.dtype), ((4, 6), 2, 24, "float64"))
        self.assertEqual(len(C), 4)
        self.assertEqual(C.device, "cpu")
        C._repr_html_()
        self.assert_deferred(C)

    def test_every_read_computes(self):
        expected = self.x @ self.y
        for read in [
            lambda C: C.compute(),
            lambda C: C.nnz,
            lambda C: C.format,
            lambda C: C.values,
            lambda C: C.levels,
            lambda C: C.todense(),
            lambda C: C.to_scipy(),
            lambda C: C + C,
            lambda C: C[0],
            lambda C: C.T,
            lambda C: C.copy(),
            lambda C: copy.copy(C),
            lambda C: pickle.dumps(C),
            lambda C: C.sum(),
            lambda C: C @ numpy.ones(6),
            lambda C: numpy.ones(4) @ C,
            lambda C: st.einsum("ij->i", C),
            lambda C: st.evaluate("y(i) = A(i,j)", A=C),
            lambda C: st.asarray(C, dtype="float32"),
            lambda C: C.shares_memory(C),
            lambda C: C.structural,
        ]:
            C = self.product()
            self.assert_deferred(C)
            read(C)
            self.assert_deferred(C, False)
            self.assert_same(C, expected)
        self.assertIs(C.compute(), C)

    def test_operands_are_held_as_they_were(self):
        C = self.product()
        self.A[i, j] = 2 * self.A[i, j]
        self.B[i, j] = st.asarray(0 * self.y)[i, j]
        self.assert_same(C, self.x @ self.y)
        C = self.product()
        D = st.tensor((4, 6))
        D[i, k] = C[i, k] + 1
        C[i, k] = 3 * C[i, k]
        self.assert_same(D, numpy.ones((4, 6)))
        self.assert_same(C, 0 * D.todense())

    def test_chains_and_what_nobody_reads(self):
        C = st.ones((4, 4))
        for _ in range(5):
            C[i, k] = C[i, k] + C[i, k]
        self.assert_same(C, numpy.full((4, 4), 32.0))
        C[i, k] += C[i, k]
        C[i, k] -= st.eye(4)[i, k]
        C[i, k] *= 0.5
        self.assert_same(C, (64 - numpy.eye(4)) / 2)
        C = self.product()
        C[i, k] = st.ones((4, 6))[i, k]  # The product is never computed.
        self.assert_same(C, numpy.ones((4, 6)))

    def test_sizes_that_only_the_left_side_has(self):
        for format in ("Dense", "CSR"):
            C = st.tensor((3, 4), format)
            C[i, k] = 2.5
            self.assert_same(C, numpy.full((3, 4), 2.5))
            C[i, k] = st.asarray([1.0, 2.0, 3.0])[i]
            self.assert_same(C, numpy.repeat([[1.0], [2.0], [3.0]], 4, 1))
            C[i, k] = 10 * i + k
            self.assert_same(C, 10.0 * numpy.arange(3)[:, None] + numpy.arange(4))
            C[i, k] = st.asarray(self.x)[i + 1, k + 1]
            self.assert_same(C, self.x[1:, 1:])

    def test_operands_are_let_go(self):
        C, D = st.tensor((4, 6)), st.asarray(self.x)
        array = numpy.ones((5, 6))
        gone = weakref.ref(array)
        C[i, k] = D[i, j] * st.asarray(array)[j, k]
        del array
        gc.collect()
        self.assertIsNotNone(gone())
        C.compute()
        gc.collect()
        self.assertIsNone(gone())

    def test_wrong_sizes_are_found_at_once(self):
        C = st.ones((4, 4))
        with self.assertRaisesRegex(st.ShapeError, "'i' has two sizes: 4 and 3"):
            C[i, k] = st.eye(3)[i, k]
        with self.assertRaisesRegex(st.ShapeError, "'i' has two sizes: 4 and 5"):
            C[i, k] = self.A[i, j] * self.A[k, j] + self.B[i, j]
        with self.assertRaises(st.ExpressionError):
            C[i, k] = self.A[i, j].applied("nothing") * self.A[k, j]
        self.assert_same(C, numpy.ones((4, 4)))

    def test_errors_of_the_computation_come_again(self):
        c = st.zeros(2, dtype="int64")
        a, b = st.asarray([1, 2]), st.asarray([1, 0])
        c[i] = a[i].applied("mod", b[i])
        for _ in range(2):
            with self.assertRaises(ZeroDivisionError):
                c.todense()
        self.assertEqual(c.shape, (2,))
        c[i] = a[i]
        self.assert_same(c, [1, 2])

    def test_many_threads_read_one_result(self):
        for _ in range(20):
            C, found = self.product(), []
            threads = [threading.Thread(target=lambda: found.append(C.todense())) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len(found), 4)
            for one in found:
                numpy.testing.assert_allclose(one, self.x @ self.y)

    def test_an_accumulation_is_a_value_too(self):
        value = self.A[i, j]
        value += self.A[i, j]
        D = st.tensor((4, 5), "CSR")
        D[i, j] = value
        self.assert_same(D, 2 * self.x)
        D[i, j] = D[i, j] - value / 2
        self.assert_same(D, self.x)

    def test_attributes_that_tensors_lack(self):
        C = self.product()
        with self.assertRaisesRegex(AttributeError, "nothing"):
            C.nothing
        self.assertFalse(hasattr(C, "mask"))
        self.assert_deferred(C)


if __name__ == "__main__":
    unittest.main()
