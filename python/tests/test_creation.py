"""Tensors from coordinates, arrays, files, and from nothing."""

import importlib
import os
import tempfile
import threading
import unittest

import numpy
import scipy.io
import scipy.sparse

import strata as st
from drawing import DTYPES, MATRIX_FORMATS, TestCase, address


class CoordinatesTest(TestCase):
    def test_every_format(self):
        i, j, values = [3, 0, 2, 0], [1, 5, 2, 0], [1.0, 2.0, 3.0, 4.0]
        expected = scipy.sparse.coo_matrix((values, (i, j)), shape=(4, 6)).toarray()
        for format in MATRIX_FORMATS:
            tensor = st.from_coo((i, j), values, (4, 6), format)
            tensor.validate()
            self.assert_same(tensor, expected, format)

    def test_every_type(self):
        for dtype in DTYPES:
            values = numpy.array([1, 0, 1]).astype(dtype)
            tensor = st.from_coo(([0, 1, 2],), values, 3, "SparseVector")
            self.assert_same(tensor, values)
            self.assertEqual(tensor.nnz, 3)

    def test_duplicates(self):
        coords, values = ([1, 1, 0], [2, 2, 0]), [1.0, 2.0, 4.0]
        self.assert_same(st.from_coo(coords, values, (2, 3), "CSR"), [[4.0, 0, 0], [0, 0, 3.0]])
        with self.assertRaises(st.ArgumentError):
            st.from_coo(coords, values, (2, 3), "CSR", duplicates="error")
        with self.assertRaises(st.ArgumentError):
            st.from_coo(coords, values, (2, 3), duplicates="nothing")

    def test_shapes(self):
        self.assertEqual(st.from_coo(([0, 4], [7, 1]), 1.0).shape, (5, 8))
        self.assertEqual(st.from_coo(([], []), []).shape, (0, 0))
        self.assertEqual(st.from_coo(([], []), [], (3, 4)).nnz, 0)
        self.assertEqual(st.from_coo(numpy.array([[0, 1], [1, 0]]), [1, 2], (2, 2)).dtype, "int64")
        self.assert_same(st.from_coo(([2],), 5, 4, dtype="int8"), numpy.array([0, 0, 5, 0], "int8"))
        long = st.from_coo(numpy.array([[5], [2]], "int32"), [1.5], (2**40, 3))
        self.assertEqual((long.shape, long[5, 2].item()), ((2**40, 3), 1.5))
        tensor = st.from_coo(([0, 1], [1, 0], [2, 2]), [1.0, 2.0], (2, 2, 3), "CSF")
        self.assertEqual(tensor.todense()[1, 0, 2], 2.0)

    def test_values_of_another_type(self):
        for values, dtype in (
            ([1.5], int), ([1.0], "bool"), (numpy.float64(2), "uint8"), (2.5, "int64"),
            ([1j], float), (numpy.array([1j]), "int8"),
        ):
            for duplicates in ("sum", "keep"):
                with self.assertRaises(st.DTypeError):
                    st.from_coo(([0],), values, (2,), dtype=dtype, duplicates=duplicates)
        for values, dtype in (
            ([1], "uint8"), ([3], "bool"), ([1], "complex64"), (numpy.float64(0.1), "float32"),
            (numpy.array([1 + 2j]), "complex64"), ([True], "int8"),
        ):
            expected = numpy.zeros(2, dtype)
            expected[0] = numpy.asarray(values).reshape(-1)[0]
            self.assert_same(st.from_coo(([0],), values, (2,), dtype=dtype), expected)
        self.assertEqual(st.from_coo(([],), [], (2,), dtype=int).dtype, int)

    def test_mistakes(self):
        with self.assertRaises(st.ShapeError):
            st.from_coo(([0, 5], [0, 0]), [1.0, 2.0], (2, 3))
        with self.assertRaises(st.ShapeError):
            st.from_coo(([0], [0]), [1.0], (2, 3, 4))
        with self.assertRaises(TypeError):
            st.from_coo(([0.5],), [1.0], 3)
        with self.assertRaises(ValueError):
            st.from_coo(([0, 1],), [1.0, 2.0, 3.0], 3)
        with self.assertRaises(ValueError):
            st.from_coo(([0, 1], [0]), [1.0, 2.0], (3, 3))


class BuffersTest(TestCase):
    def test_arrays_are_used_where_they_lie(self):
        pos, crd, values = numpy.array([0, 1, 2]), numpy.array([2, 0]), numpy.array([1.0, 2.0])
        tensor = st.from_buffers("CSR", (2, 3), (pos, crd, values))
        self.assertEqual(address(tensor.levels[1].pos), address(pos))
        self.assertEqual(address(tensor.levels[1].crd), address(crd))
        self.assertEqual(address(tensor.values), address(values))
        self.assertFalse(
            st.from_buffers("CSR", (2, 3), (pos, crd, values), copy=True).shares_memory(pos)
        )
        with self.assertRaises(st.CopyError):
            st.from_buffers("CSR", (2, 3), (pos, crd, numpy.zeros(4)[::2]), copy=False)

    def test_arrays_of_every_format(self):
        x = self.draw((4, 6))
        for format in MATRIX_FORMATS:
            tensor = st.asarray(x, format=format)
            core = tensor._core
            arrays = [
                numpy.asarray(memoryview(core.array(at))) for at in range(len(core.format.arrays))
            ]
            self.assert_same(st.from_buffers(tensor.format, (4, 6), arrays), x, format)

    def test_promises_are_checked(self):
        for pos, crd in [
            ([0, 1, 3], [2, 0]),
            ([0, 2, 1], [2, 0]),
            ([1, 1, 2], [2, 0]),
            ([0, 1, 2], [2, 3]),
            ([0, 1, 2], [2, -1]),
            ([0, 2, 2], [2, 0]),
            ([0, 2, 2], [1, 1]),
            ([0, 1], [2, 0]),
        ]:
            with self.assertRaises(st.ArgumentError, msg=(pos, crd)):
                st.from_buffers("CSR", (2, 3), (pos, crd, [1.0, 2.0]))
        with self.assertRaises(st.ArgumentError):
            st.from_buffers("CSR", (2, 3), ([0, 1, 2], [1.0, 2.0]))
        with self.assertRaises(st.ArgumentError):
            st.from_buffers("Dense", (2, 3), ())
        with self.assertRaises(st.DTypeError):
            st.from_buffers("CSR", (2, 3), ([0.0, 1.0, 2.0], [2, 0], [1.0, 2.0]))

    def test_entries_below_rows_that_repeat_are_unique(self):
        rows = "(i, j) -> (i : compressed(nonunique), j : {})"
        for below, arrays in [
            ("dense", ()),
            ("compressed", ([0, 1, 2, 3], [1, 1, 1])),
            ("compressed(unordered)", ([0, 1, 3, 4], [2, 1, 2, 0])),
            ("singleton", ([1, 1, 1],)),
            ("singleton(unordered)", ([1, 1, 1],)),
            ("bitmap", (numpy.array([1, 0, 0, 0, 1, 1, 1, 1, 1], numpy.int8),)),
        ]:
            format = st.Format(rows.format(below))
            count = 9 if below in ("dense", "bitmap") else len(arrays[-1])
            values = numpy.arange(1.0, count + 1)
            with self.assertRaisesRegex(st.ArgumentError, "not there already", msg=below):
                st.from_buffers(format, (3, 3), ([0, 3], [0, 0, 2], *arrays, values))
        apart = ([0, 3], [0, 0, 2], [0, 2, 3, 4], [2, 0, 1, 2], [1.0, 2.0, 4.0, 8.0])
        tensor = st.from_buffers(rows.format("compressed(unordered)"), (3, 3), apart)
        self.assert_same(tensor, [[2.0, 4.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 8.0]])


class NothingTest(TestCase):
    def test_constants(self):
        for format in ("Dense", "CSR", "COO"):
            self.assert_same(st.zeros((2, 3), format), numpy.zeros((2, 3)))
            self.assert_same(st.ones((2, 3), format), numpy.ones((2, 3)))
            self.assert_same(st.full((2, 3), 7, format), numpy.full((2, 3), 7))
            self.assert_same(st.tensor((2, 3), format, fill=2.5), numpy.full((2, 3), 2.5))
        self.assertEqual(st.zeros((2, 3), "CSR").nnz, 0)
        self.assertEqual(st.ones((2, 3), "CSR").nnz, 6)
        self.assert_same(st.ones(3, dtype="int8"), numpy.ones(3, "int8"))
        self.assert_same(st.zeros(()), 0.0)
        for arguments in [(3,), (3, 4), (4, 3), (3, 3, 1), (3, 3, -2), (2, 5, 7), (0,)]:
            self.assert_same(st.eye(*arguments), numpy.eye(*arguments), arguments)

    def test_imaginary_parts_are_not_dropped(self):
        for call in (lambda: st.full(2, 1j, dtype=float), lambda: st.full_like(st.ones(2), 1j)):
            with self.assertRaises(st.DTypeError):
                call()
        self.assert_same(st.full(2, 1j), numpy.full(2, 1j))

    def test_fill_is_a_value(self):
        tensor = st.tensor((2, 3), "CSR", fill=2.5)
        self.assertEqual((tensor.fill, tensor.nnz), (2.5, 0))
        self.assert_same(tensor.sum(), 15.0)
        self.assert_same(tensor + tensor, numpy.full((2, 3), 5.0))

    def test_random(self):
        one, two = (st.random((30, 40), 0.1, "CSR", seed=5) for _ in range(2))
        self.assertEqual((one.nnz, one.format.name), (120, "CSR"))
        self.assert_same(one, two.todense())
        self.assertNotEqual(
            st.random((30, 40), 0.1, seed=6).todense().tolist(), one.todense().tolist()
        )
        for dtype in DTYPES:
            tensor = st.random((5, 6), 0.5, seed=1, dtype=dtype)
            self.assertEqual((tensor.nnz, tensor.dtype), (15, dtype))
            self.assertTrue((tensor.values != 0).all())
        for shape in [(), 5, (0, 3), (2, 3, 4, 5)]:
            self.assertEqual(
                st.random(shape, 1.0, "Dense" if shape == () else "COO").nnz, numpy.prod(shape)
            )
        self.assertEqual(st.random((10**6, 10**6), 1e-9, seed=1).nnz, 1000)
        with self.assertRaises(st.ArgumentError):
            st.random((2, 2), 1.5)


class FilesTest(TestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = lambda name: os.path.join(folder.name, name)

    def test_round_trips(self):
        x = self.draw((4, 6))
        for ending in (".mtx", ".tns", ".npz", ".bsp.h5"):
            path = self.path("a" + ending)
            st.write(path, st.asarray(x, format="CSR"))
            shape = st.read(path).shape
            self.assert_same(st.read(path), x[: shape[0], : shape[1]], ending)
            self.assertEqual(st.read(path).format.name, "CSR")
            self.assertEqual(st.read(path, "CSC").format.name, "CSC")
        st.write(self.path("a.npy"), x)
        self.assert_same(st.read(self.path("a.npy")), x)
        self.assertEqual(st.read(self.path("a.npy")).format.name, "Dense")

    def test_files_of_other_libraries(self):
        x = self.draw((4, 6))
        scipy.io.mmwrite(self.path("a.mtx"), scipy.sparse.coo_matrix(x))
        self.assert_same(st.read(self.path("a.mtx")), x)
        for kind in ("csr", "csc", "coo", "bsr", "dia"):
            scipy.sparse.save_npz(self.path("a.npz"), scipy.sparse.coo_matrix(x).asformat(kind))
            self.assert_same(st.read(self.path("a.npz")), x, kind)
        numpy.save(self.path("t.npy"), self.draw((2, 3, 4)))
        self.assertEqual(st.read(self.path("t.npy")).shape, (2, 3, 4))
        st.asarray(x, format="CSR").write(self.path("b.npz"))
        numpy.testing.assert_array_equal(scipy.sparse.load_npz(self.path("b.npz")).toarray(), x)
        st.asarray(x, format="CSC").write(self.path("b.mtx"))
        numpy.testing.assert_array_equal(scipy.io.mmread(self.path("b.mtx")).toarray(), x)

    def test_hdf5(self):
        h5py = importlib.import_module("h5py")  # whose HDF5 is another than that of strata-hdf5
        x = self.draw((4, 6))
        before = threading.active_count()
        st.asarray(x, format="CSR").write(self.path("a.bsp.h5"))
        with h5py.File(self.path("a.bsp.h5")) as file:
            self.assertEqual(
                list(file["pointers_to_1"][:]), [*st.asarray(x, format="CSR").levels[1].pos]
            )
            numpy.testing.assert_array_equal(file["values"][:], x[x != 0])
        with open(self.path("a.bsp.h5"), "rb") as file:
            whole = file.read()
        for length in (0, 8, 100, len(whole) // 2):
            with open(self.path("cut.bsp.h5"), "wb") as file:
                file.write(whole[:length])
            with self.assertRaises(st.FileError):
                st.read(self.path("cut.bsp.h5"))
        self.assertEqual(threading.active_count(), before)

    def test_orders_and_types(self):
        x = self.draw((2, 3, 4))
        st.asarray(x, format="COO").write(self.path("t.tns"))
        self.assert_same(st.read(self.path("t.tns"), "CSF"), x)
        z = self.draw((3, 4), "complex128")
        st.asarray(z, format="CSR").write(self.path("z.mtx"))
        self.assertEqual(st.read(self.path("z.mtx")).dtype, "complex128")
        st.asarray(self.draw((3, 4)), format="CSR").write(self.path("a.mtx"))
        self.assertEqual(st.read(self.path("a.mtx"), dtype="float32").dtype, "float32")

    def test_stored_types_are_kept(self):
        kept = {".npz": DTYPES, ".bsp.h5": DTYPES, ".bsp.npz": DTYPES}
        wide = {"bool": "bool", "uint32": "uint64", "uint64": "uint64"}
        for dtype in DTYPES:
            x = numpy.array([[0, 1, 1], [1, 0, 0]]).astype(dtype)
            for ending in (".npz", ".bsp.h5", ".bsp.npz", ".mtx", ".rb"):
                path = self.path("a" + ending)
                st.asarray(x, format="CSR").write(path)
                found = st.read(path)
                kind = numpy.dtype(dtype).kind
                if ending in kept:
                    expected = "float32" if dtype == "float16" and "bsp" in ending else dtype
                elif kind in "fc":
                    expected = {"f": "float64", "c": "complex128"}[kind]
                else:
                    expected = wide.get(dtype, "int64") if ending == ".mtx" else "int64"
                self.assertEqual(found.dtype, expected, path)
                self.assert_same(found, x.astype(expected), path)
            numpy.save(self.path("a.npy"), x)
            self.assertEqual(st.read(self.path("a.npy")).dtype, dtype)

    def test_integers_keep_their_bits(self):
        for dtype, values in (
            ("int64", [2**53 + 1, 2**63 - 1, -(2**63), 5]),
            ("uint64", [2**53 + 1, 2**64 - 1, 2**63, 5]),
        ):
            x = numpy.array(values, dtype).reshape(2, 2)
            for ending in (".mtx", ".ttx", ".rb", ".tns", ".etns", ".npz", ".bsp.h5"):
                path = self.path("a" + ending)
                st.asarray(x, format="CSR").write(path)
                found = st.read(path, "Dense")
                self.assertEqual(found.dtype, dtype, path)
                self.assert_same(found, x, path)

    def test_types_that_do_not_fit(self):
        with open(self.path("a.mtx"), "w") as file:
            file.write("%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 5\n2 1 300\n")
        with self.assertRaises(st.FileError) as caught:
            st.read(self.path("a.mtx"), dtype="int8")
        self.assertIn("a.mtx:4", str(caught.exception))
        self.assertEqual(st.read(self.path("a.mtx"), dtype="float32").dtype, "float32")

    def test_orders(self):
        with open(self.path("FCIDUMP"), "w") as file:
            file.write("&FCI NORB=2,NELEC=2,\n&END\n0.5 1 1 1 1\n-1.5 2 1 0 0\n0.25 0 0 0 0\n")
        read = lambda order, **rest: st.read(self.path("FCIDUMP"), order=order, **rest)
        self.assertEqual(st.read(self.path("FCIDUMP")).shape, (2, 2, 2, 2))
        self.assertEqual(read(4).shape, (2, 2, 2, 2))
        self.assert_same(read(2), numpy.array([[0, -1.5], [-1.5, 0]]))
        self.assertEqual(read(2, dtype="float32").dtype, "float32")
        self.assertEqual(read(2, format="CSC").format.name, "CSC")
        self.assertEqual(read(0).item(), 0.25)
        self.assertEqual(read(0, dtype="float32").dtype, "float32")
        numpy.save(self.path("column.npy"), numpy.array([[1.0], [2.0]]))
        self.assert_same(st.read(self.path("column.npy"), order=1), numpy.array([1.0, 2.0]))
        with self.assertRaises(st.FileError) as caught:
            st.read(self.path("column.npy"), order=3)
        self.assertIn("order 2", str(caught.exception))
        # Whether the file lists every element does not depend on the other arguments.
        for rest in ({}, {"order": 2}, {"dtype": "float32"}, {"order": 2, "dtype": "float32"}):
            found = st.read(self.path("column.npy"), **rest)
            self.assertEqual(found.format.name, "Dense")

    def test_mistakes(self):
        with self.assertRaises(FileNotFoundError):
            st.read(self.path("none.mtx"))
        with open(self.path("bad.mtx"), "w") as file:
            file.write("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1.0\n")
        with self.assertRaises(st.FileError) as caught:
            st.read(self.path("bad.mtx"))
        self.assertIn("bad.mtx", str(caught.exception))
        self.assertIsInstance(caught.exception, OSError)
        with self.assertRaises(st.FileError):
            st.write(self.path("no/folder/a.mtx"), numpy.ones((2, 2)))
        with self.assertRaises(st.FileError):
            st.write(self.path("a.mtx"), st.tensor((2, 2), "CSR", fill=1.0))


class FillsTest(TestCase):
    """What comes from an array is an entry unless it equals the fill."""

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = lambda name: os.path.join(folder.name, name)

    def test_of_arrays(self):
        array = numpy.array([[0.0, -0.0, 1.0], [0.0, 2.0, -0.0]])
        for dtype in ("float64", "float32", "float16", "complex128", "complex64"):
            dense = st.asarray(array.astype(dtype))
            for format in ("CSR", "CSC", "COO", "DCSR", "BCSR:1x1", "ELL", "DOK", "Bitmap"):
                sparse = dense.asformat(format)
                self.assertEqual(int((sparse.values != 0).sum()), 2, f"{dtype} {format}")
                if format in ("CSR", "CSC", "COO", "DCSR", "DOK"):
                    self.assertEqual(sparse.nnz, 2, f"{dtype} {format}")
                self.assert_same(sparse, array.astype(dtype))
        mask = numpy.arange(12).reshape(3, 4) % 5 == 0
        self.assertEqual(st.asarray((mask - 0.5) * mask * -1, format="CSR").nnz, 3)

    def test_of_nan_and_other_fills(self):
        array = numpy.array([[numpy.nan, 1.0], [-numpy.nan, 0.0]])
        self.assertEqual(st.asarray(array).asformat("CSR").nnz, 3)
        self.assertEqual(st.asarray(array).asformat(st.Format("CSR", fill=1.0)).nnz, 3)

    def test_of_files(self):
        zeros = numpy.array([[0.0, 5.0, -0.0], [0.0, 0.0, 6.0], [7.0, 0.0, 0.0]])
        numpy.save(self.path("a.npy"), zeros)
        rows = "".join(f"{value}\n" for value in zeros.T.reshape(-1))
        with open(self.path("a.mtx"), "w") as file:
            file.write("%%MatrixMarket matrix array real general\n3 3\n" + rows)
        entries = "".join(f"{i + 1} {j + 1} {zeros[i, j]}\n" for i in range(3) for j in range(3))
        with open(self.path("c.mtx"), "w") as file:
            file.write("%%MatrixMarket matrix coordinate real general\n3 3 9\n" + entries)
        with open(self.path("c.tns"), "w") as file:
            file.write(entries)
        for format in ("CSR", "COO", "DCSR", "DOK"):
            for name, count in (("a.npy", 3), ("a.mtx", 3), ("c.mtx", 9), ("c.tns", 9)):
                self.assertEqual(st.read(self.path(name), format).nnz, count, f"{name} {format}")
        for name in ("a.npy", "a.mtx", "c.mtx", "c.tns"):
            self.assertEqual(st.read(self.path(name)).format.name, "Dense")


class DuplicatesTest(TestCase):
    def test_they_are_kept(self):
        i, j, values = [2, 0, 2, 2], [1, 3, 1, 0], [1.0, 2.0, 3.0, 4.0]
        kept = st.from_coo((i, j), values, (3, 4), duplicates="keep")
        kept.validate()
        expected = [[0, 0, 0, 2.0], [0] * 4, [4, 4, 0, 0]]
        self.assertEqual((kept.nnz, kept.format.name), (4, "COO-Duplicates"))
        self.assert_same(kept, expected)
        self.assert_same(st.from_coo((i, j), values, (3, 4), "CSR", duplicates="keep"), expected)
        for format in ("COO-Duplicates", "coo_duplicates", st.Format("COO-Duplicates", 2, crd=16)):
            same = st.from_coo((i, j), values, (3, 4), format, duplicates="keep")
            same.validate()
            self.assertEqual((same.nnz, same.format.name), (4, "COO-Duplicates"))
            self.assert_same(same, expected)
        twice = st.from_coo(([0, 0], [0, 0]), [1.0, 2.0], (1, 1), "COO-Duplicates", duplicates="keep")
        self.assertEqual((twice.nnz, twice[0, 0].item()), (2, 3))
        with self.assertRaises(st.WidthError):
            wide = st.Format("COO-Duplicates", 2, crd=8)
            st.from_coo((i, j), values, (3, 400), wide, duplicates="keep")
        with self.assertRaises(st.ShapeError):
            st.from_coo((i, j), values, (2, 4), duplicates="keep")
        with self.assertRaises(st.ArgumentError):
            st.from_coo((i, j), values, (3, 4), duplicates="last")

    def test_they_are_kept_beside_a_fill(self):
        expected = [[1, 2], [1, 7]]
        for format, options in (("COO-Duplicates", {}), ("COO-Duplicates", {"crd": 16}), ("CSR", {})):
            made = st.from_coo(
                ([0, 1, 1], [1, 1, 1]),
                [2.0, 3.0, 4.0],
                (2, 2),
                st.Format(format, fill=1, **options),
                duplicates="keep",
            )
            self.assert_same(made, numpy.array(expected, float), format)
            self.assertEqual((made.fill, made.format.name), (1, format))


class LikeOthersTest(TestCase):
    def test_ranges(self):
        self.assert_same(st.arange(5), numpy.arange(5))
        self.assert_same(st.arange(1, 2, 0.25), numpy.arange(1, 2, 0.25))
        self.assert_same(st.arange(3, dtype="float32"), numpy.arange(3, dtype="float32"))
        self.assert_same(st.linspace(0, 1, 5), numpy.linspace(0, 1, 5))
        self.assert_same(st.linspace(0, 1, 4, endpoint=False), [0, 0.25, 0.5, 0.75])
        for first, last in ((numpy.complex64(1 + 2j), 3), (0, numpy.complex128(1j)), (1j, 2)):
            self.assert_same(st.linspace(first, last, 4), numpy.linspace(first, last, 4).astype(complex))
            for dtype in (float, "int64"):
                with self.assertRaises(st.DTypeError):
                    st.linspace(first, last, 4, dtype=dtype)
        self.assert_same(st.linspace(numpy.float32(0), 1, 3), numpy.linspace(0, 1, 3))

    def test_shape_format_and_type_of_another(self):
        x = st.asarray(self.draw((3, 4), "float32"), format="CSC")
        for made, value in [
            (st.zeros_like(x), 0),
            (st.empty_like(x), 0),
            (st.ones_like(x), 1),
            (st.full_like(x, 2.5), 2.5),
        ]:
            self.assert_same(made, numpy.full((3, 4), value, "float32"))
            self.assertEqual(made.format.name, "CSC")
        self.assertEqual(st.zeros_like(x).nnz, 0)
        self.assertEqual(st.ones_like(x, "Dense", dtype="int64").dtype, "int64")
        self.assert_same(st.zeros_like(numpy.ones((2, 2))), numpy.zeros((2, 2)))
        self.assertEqual(st.zeros_like(st.tensor(3, "COO", fill=1.0)).fill, 0)
        self.assertEqual(st.empty_like(st.tensor(3, "COO", fill=1.0)).fill, 1)

    def test_elements_without_an_entry_have_the_fill_value(self):
        for format in ("COO", "CSR", "CSC", "BCSR:2x2"):
            filled = st.Format(format).with_(fill=2.5)
            x = st.from_coo(([1, 0], [1, 2]), [1.0, 4.0], (2, 4), filled)
            x.validate()
            self.assert_same(x, [[2.5, 2.5, 4, 2.5], [2.5, 1, 2.5, 2.5]], format)
        self.assertEqual(st.from_coo(([1],), [1.0], (3,), "{COO, fill = 2.5}").nnz, 1)


class MatricesTest(TestCase):
    def test_diagonals(self):
        v = self.draw(4, density=1)
        x = self.draw((4, 6))
        for k in (-5, -3, -1, 0, 1, 4, 6):
            self.assert_same(st.diag(v, k), numpy.diag(v, k), k)
            for format in ("Dense", "CSR", "CSC", "BCSR:2x3"):
                self.assert_same(st.diag(st.asarray(x, format=format), k), numpy.diag(x, k), k)
        self.assertEqual(st.diag(v, format="DIA").format.name, "DIA")
        self.assertEqual(st.diag(st.asarray(x, format="CSR"), format="Dense").format.name, "Dense")
        filled = st.tensor((3, 3), "CSR", fill=2.0)
        self.assert_same(st.diag(filled), [2.0, 2.0, 2.0])

    def test_triangles(self):
        for shape in [(4, 6), (2, 3, 4)]:
            x = self.draw(shape)
            for format in ("Dense", "COO", "CSR" if len(shape) == 2 else "CSF"):
                tensor = st.asarray(x, format=format)
                for k in (-2, 0, 1):
                    self.assert_same(st.tril(tensor, k), numpy.tril(x, k), (format, k))
                    self.assert_same(st.triu(tensor, k), numpy.triu(x, k), (format, k))
                self.assertEqual(st.tril(tensor).format.name, format)
        filled = st.tensor((3, 3), "CSR", fill=2.0)
        self.assert_same(st.triu(filled), numpy.triu(numpy.full((3, 3), 2.0)))

    def test_mistakes(self):
        with self.assertRaises(st.ShapeError):
            st.diag(numpy.ones((2, 2, 2)))
        with self.assertRaises(st.ShapeError):
            st.tril(numpy.ones(3))


if __name__ == "__main__":
    unittest.main()
