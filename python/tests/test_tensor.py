"""What tensors are: attributes, other formats and types, transposes, bytes, scalars."""

import copy
import itertools
import pickle
import unittest
import warnings

import numpy
import scipy.sparse

import strata as st
from drawing import DTYPES, MATRIX_FORMATS, TestCase, address


class AttributeTest(TestCase):
    def test_of_a_sparse_matrix(self):
        tensor = st.from_coo(([0, 2, 2], [1, 0, 3]), [1.0, 3.0, 4.0], (3, 4), "CSR")
        self.assertEqual((tensor.shape, tensor.ndim, tensor.size, tensor.nnz), ((3, 4), 2, 12, 3))
        self.assertEqual(
            (tensor.dtype, tensor.fill, tensor.device), (numpy.dtype("f8"), 0.0, "cpu")
        )
        self.assertEqual(tensor.nbytes, 4 * 4 + 3 * 4 + 3 * 8)
        self.assertEqual(tensor.format, st.Format("CSR", pos=32, crd=32))
        self.assertEqual([level.name for level in tensor.levels], ["dense", "compressed"])
        self.assertEqual(tensor.levels[1].pos.tolist(), [0, 1, 1, 3])
        self.assertEqual(tensor.levels[1].crd.tolist(), [1, 0, 3])
        self.assertEqual(tensor.values.tolist(), [1, 3, 4])
        self.assertEqual(len(tensor), 3)
        with self.assertRaises(AttributeError):
            tensor.levels[0].pos
        with self.assertRaises(ValueError):
            tensor.values[0] = 1

    def test_repr(self):
        tensor = st.from_coo(([0, 2, 2], [1, 0, 3]), [1.0, 3.0, 4.0], (3, 4), "CSR")
        self.assertEqual(
            repr(tensor),
            "<strata.Tensor 3x4 float64 CSR(pos=32, crd=32), 3 stored, 52 bytes, fill 0>",
        )
        self.assertEqual(
            repr(st.zeros((2, 2))), "<strata.Tensor 2x2 float64 Dense, 4 stored, 32 bytes>"
        )
        self.assertEqual(
            repr(st.asarray(2.5)), "<strata.Tensor scalar float64 Dense, 1 stored, 8 bytes>"
        )
        filled = st.tensor((2, 3), "CSR", fill=1.5)
        self.assertIn("fill 1.5", repr(filled))
        self.assertIn("<table>", tensor._repr_html_())
        self.assertIn("3 of 12", tensor._repr_html_())

    def test_is_not_made_directly(self):
        with self.assertRaisesRegex(TypeError, "asarray"):
            st.Tensor([1, 2])


class ConversionTest(TestCase):
    def test_between_all_formats(self):
        x = self.draw((4, 6))
        for one, two in itertools.product(
            MATRIX_FORMATS, ["CSR", "CSC", "COO", "BCSR:2x3", "ELL", "Dense"]
        ):
            found = st.asarray(x, format=one).asformat(two)
            self.assertEqual(found.format.name, st.Format(two).name)
            self.assert_same(found, x, (one, two))

    def test_copy(self):
        tensor = st.asarray(self.draw((4, 6)), format="CSR")
        self.assertIs(tensor.asformat("CSR"), tensor)
        self.assertIs(tensor.asformat(tensor.format, copy=False), tensor)
        self.assertFalse(tensor.asformat("CSR", copy=True).shares_memory(tensor))
        with self.assertRaises(st.CopyError):
            tensor.asformat("CSC", copy=False)
        with self.assertRaises(st.CopyError):
            tensor.asformat(st.Format("CSR", pos=64), copy=False)
        self.assertEqual(
            tensor.asformat(st.Format("CSR", pos=64, crd=16)).levels[1].crd.dtype, "int16"
        )
        for other in (tensor.copy(), copy.deepcopy(tensor)):
            self.assertFalse(other.shares_memory(tensor))
            self.assert_same(other, tensor.todense())
        # What is assigned to one is not assigned to the other.
        shallow = copy.copy(tensor)
        self.assertTrue(shallow.shares_memory(tensor))
        i, j = st.get_index_vars(2)
        before = tensor.todense()
        shallow[i, j] = 2 * shallow[i, j]
        self.assert_same(tensor, before)
        self.assert_same(shallow, 2 * before)

    def test_formats_that_do_not_fit(self):
        tensor = st.zeros((2, 3, 4))
        with self.assertRaises(st.FormatError):
            tensor.asformat("CSR")
        with self.assertRaises(st.FormatError):
            tensor.asformat(st.Format("CSR"))

    def test_hybrid_formats(self):
        x = self.draw((6, 8))
        tensor = st.asarray(x, format="HYB:2")
        self.assert_same(tensor, x)
        self.assert_same(tensor.T, x.T)
        self.assert_same(tensor.astype("float32"), x.astype("float32"))
        self.assert_same(pickle.loads(pickle.dumps(tensor)), x)
        filled = st.asarray(x + 2, format="{HYB:2, fill = 2}")
        self.assert_same(pickle.loads(pickle.dumps(filled)), x + 2)
        self.assert_same(filled.astype("int16"), (x + 2).astype("int16"))
        self.assertEqual(filled.astype("int16").format.name, "HYB:2")

    def test_astype_for_every_pair(self):
        warnings.simplefilter("ignore")
        for one, two in itertools.product(DTYPES, DTYPES):
            x = self.draw((3, 4), one)
            for format in ("Dense", "CSR"):
                tensor = st.asarray(x, format=format)
                self.assert_same(tensor.astype(two), x.astype(two), (one, two, format))

    def test_astype_shares_the_pattern(self):
        tensor = st.asarray(self.draw((4, 6)), format="CSR")
        other = tensor.astype("complex64")
        self.assertEqual(address(other.levels[1].crd), address(tensor.levels[1].crd))
        self.assertIs(tensor.astype("float64", copy=False), tensor)
        self.assertIsNot(tensor.astype("float64"), tensor)
        self.assertEqual(st.tensor(3, "SparseVector", fill=2.5).astype(int).fill, 2)
        with self.assertRaises(st.DTypeError):
            tensor.astype("float128")
        with self.assertRaises(TypeError):
            tensor.astype("nothing")

    def test_transposes_share_everything(self):
        x = self.draw((2, 3, 4))
        for format in ("Dense", "COO", "CSF", "{D, CU, CU}"):
            tensor = st.asarray(x, format=format)
            for axes in itertools.permutations(range(3)):
                found = tensor.transpose(*axes)
                self.assert_same(found, x.transpose(axes), (format, axes))
                self.assertEqual(address(found.values), address(tensor.values))
            self.assert_same(tensor.T, x.T)
            self.assert_same(tensor.mT, x.swapaxes(1, 2))
            self.assert_same(tensor.transpose((-1, 0, 1)), x.transpose(-1, 0, 1))
        self.assertEqual(st.asarray(self.draw((3, 4)), format="CSR").T.format.name, "CSC")
        for axes in [(0, 1), (0, 0, 1), (0, 1, 3)]:
            with self.assertRaises(ValueError):
                st.zeros((2, 3, 4)).transpose(*axes)
        with self.assertRaises(ValueError):
            st.zeros(3).mT

    def test_validate(self):
        good = st.from_buffers("CSR", (2, 3), ([0, 1, 2], [2, 0], [1.0, 2.0]), validate=False)
        good.validate()
        bad = st.from_buffers("CSR", (2, 3), ([0, 2, 2], [2, 0], [1.0, 2.0]), validate=False)
        with self.assertRaises(st.ArgumentError):
            bad.validate()


class BytesTest(TestCase):
    def test_pickles_of_every_format_and_protocol(self):
        x = self.draw((4, 6))
        for format in MATRIX_FORMATS:
            tensor = st.asarray(x, format=format)
            for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
                found = pickle.loads(pickle.dumps(tensor, protocol))
                self.assertEqual(found.format, tensor.format)
                self.assert_same(found, x, format)
                found.validate()

    def test_bytes_out_of_band_are_not_copied(self):
        tensor = st.asarray(numpy.ones(1000))
        buffers = []
        data = pickle.dumps(tensor, 5, buffer_callback=buffers.append)
        self.assertLess(len(data), 1000)
        found = pickle.loads(data, buffers=buffers)
        self.assertEqual(address(found.values), address(tensor.values))

    def test_every_type(self):
        for dtype in DTYPES:
            x = self.draw((3, 4), dtype)
            self.assert_same(pickle.loads(pickle.dumps(st.asarray(x, format="CSR"))), x)


class ScalarTest(TestCase):
    def test_numbers_of_python(self):
        self.assertEqual(float(st.asarray(2.5)), 2.5)
        self.assertEqual(int(st.asarray(7)), 7)
        self.assertEqual(complex(st.asarray(1j)), 1j)
        self.assertTrue(bool(st.asarray(3)))
        self.assertFalse(st.asarray([1.0, 2.0]).sum() == 4.0)
        self.assertEqual([10, 20, 30][st.asarray(1)], 20)
        self.assertEqual(st.asarray([[4]]).item(), 4)
        self.assertIs(type(st.asarray(True).item()), bool)
        for tensor in (st.zeros(1), st.zeros((1, 1), "CSR")):
            for convert in (float, int, complex, bool):
                with self.assertRaises(TypeError):
                    convert(tensor)
        with self.assertRaises(TypeError):
            st.asarray(2.5).__index__()
        with self.assertRaises(ValueError):
            st.zeros(2).item()
        with self.assertRaises(TypeError):
            len(st.asarray(1))


class SolverTest(TestCase):
    """T as the operator of scipy.sparse.linalg's iterative solvers."""

    def system(self, dtype):
        x = scipy.sparse.random(40, 40, 0.1, random_state=3).toarray().astype(dtype)
        if numpy.dtype(dtype).kind == "c":
            x = x + 1j * x.T
        matrix = x @ x.conj().T + 10 * numpy.eye(40)
        return matrix, st.asarray(matrix, format="CSR")

    def test_solvers(self):
        import scipy.sparse.linalg as linalg

        for dtype in ("float64", "complex128"):
            matrix, tensor = self.system(dtype)
            b = numpy.arange(40.0).astype(dtype)
            for solve in (
                linalg.cg,
                linalg.gmres,
                linalg.bicgstab,
                linalg.bicg,
                linalg.minres,
                linalg.qmr,
            ):
                if solve is linalg.minres and dtype == "complex128":
                    continue
                x, info = solve(tensor, b)
                self.assertEqual(info, 0, solve.__name__)
                numpy.testing.assert_allclose(matrix @ x, b, rtol=1e-3, atol=1e-2)

    def test_operator(self):
        from scipy.sparse.linalg import aslinearoperator

        matrix, tensor = self.system("complex128")
        operator = aslinearoperator(tensor)
        v, m = self.draw(40, "complex128"), self.draw((40, 3), "complex128")
        for found, expected in [
            (operator @ v, matrix @ v),
            (operator @ m, matrix @ m),
            (operator.H @ v, matrix.conj().T @ v),
            (operator.rmatmat(m), matrix.conj().T @ m),
        ]:
            numpy.testing.assert_allclose(found, expected)


if __name__ == "__main__":
    unittest.main()
