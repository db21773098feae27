"""What is adopted, what is copied, and what is refused."""

import gc
import unittest
import weakref

import numpy
import scipy.sparse

import strata as st
from drawing import DTYPES, TestCase, address


class NumPyTest(TestCase):
    def test_every_type_is_adopted_where_it_lies(self):
        for dtype in DTYPES:
            for shape in [(), (0,), (1,), (3, 4), (0, 4), (1, 1), (2, 3, 4)]:
                x = self.draw(shape, dtype)
                tensor = st.asarray(x, copy=False)
                self.assert_same(tensor, x, (dtype, shape))
                self.assertEqual(tensor.dtype, x.dtype)
                if x.size:
                    self.assertEqual(address(tensor.values), address(x))
                    self.assertEqual(address(tensor.to_numpy(copy=False)), address(x))

    def test_any_order_of_dimensions_is_adopted(self):
        x = self.draw((2, 3, 4))
        for axes in [(0, 1, 2), (2, 1, 0), (1, 0, 2), (0, 2, 1), (1, 2, 0)]:
            view = x.transpose(axes)
            tensor = st.asarray(view, copy=False)
            self.assert_same(tensor, view, axes)
            self.assertEqual(address(tensor.to_numpy()), address(x))
            self.assertEqual(tensor.to_numpy().strides, view.strides)

    def test_gaps_take_a_copy(self):
        x = self.draw((4, 6))
        for part in [x[::2], x[:, ::2], x[::-1], x[:, 1:3], numpy.broadcast_to(x[0], (4, 6))]:
            self.assert_same(st.asarray(part), part)
            self.assertFalse(st.asarray(part).shares_memory(x))
            with self.assertRaises(st.CopyError):
                st.asarray(part, copy=False)

    def test_bytes_in_the_other_order_take_a_copy(self):
        x = self.draw((3, 4))
        swapped = x.astype(x.dtype.newbyteorder())
        self.assert_same(st.asarray(swapped), x)
        with self.assertRaises(st.CopyError):
            st.asarray(swapped, copy=False)

    def test_unaligned_arrays_take_a_copy(self):
        raw = numpy.zeros(33, "uint8")
        x = raw[1:].view("float64")
        x[:] = [1, 2, 3, 4]
        self.assert_same(st.asarray(x), [1.0, 2, 3, 4])

    def test_copy(self):
        x = self.draw((3, 4))
        tensor = st.asarray(x, copy=True)
        self.assertFalse(tensor.shares_memory(x))
        self.assertTrue(st.asarray(x).shares_memory(x))
        x[0, 0] += 1
        self.assertNotEqual(tensor.todense()[0, 0], x[0, 0])
        self.assertIs(st.asarray(tensor), tensor)
        self.assertFalse(st.asarray(tensor, copy=True).shares_memory(tensor))

    def test_changes_outside_are_seen(self):
        x = numpy.ones(3)
        tensor = st.asarray(x)
        x[1] = 5
        self.assert_same(tensor.sum(), 7.0)

    def test_the_source_lives_as_long_as_the_tensor(self):
        class Array(numpy.ndarray):
            pass

        x = numpy.ones(3).view(Array)
        tensor = st.asarray(x)
        gone = weakref.ref(x)
        values = tensor.values
        del x
        gc.collect()
        self.assert_same(tensor, [1.0, 1, 1])
        del tensor
        gc.collect()
        self.assertEqual(values.tolist(), [1, 1, 1])
        del values
        gc.collect()
        self.assertIsNone(gone())

    def test_read_only_arrays_are_adopted(self):
        x = numpy.ones(3)
        x.flags.writeable = False
        self.assertTrue(st.asarray(x).shares_memory(x))
        with self.assertRaises(ValueError):
            st.asarray(x).to_numpy()[0] = 1

    def test_numbers_and_lists(self):
        self.assert_same(st.asarray(2.5), 2.5)
        self.assert_same(st.asarray(True), True)
        self.assert_same(st.asarray(3), numpy.int64(3))
        self.assert_same(st.asarray(1 + 2j), 1 + 2j)
        self.assert_same(st.asarray(numpy.float32(1.5)), numpy.float32(1.5))
        self.assert_same(st.asarray([[1, 2], [3, 4]]), [[1, 2], [3, 4]])
        for x in (2.5, [1, 2]):
            with self.assertRaises(st.CopyError):
                st.asarray(x, copy=False)

    def test_graphs_of_networkx(self):
        try:
            import networkx
        except ImportError:
            self.skipTest("NetworkX is not installed")
        graph = networkx.DiGraph([(5, 3, {"weight": 2.5}), (3, 7), (7, 7)])
        expected = networkx.to_scipy_sparse_array(graph).todense()
        self.assert_same(st.asarray(graph), expected)
        self.assert_same(st.asarray(networkx.path_graph(4), format="COO").sum(0), [1, 2, 2, 1])
        with self.assertRaises(st.CopyError):
            st.asarray(graph, copy=False)

    def test_format_and_type(self):
        x = self.draw((3, 4))
        self.assertEqual(st.asarray(x, format="CSR").format.name, "CSR")
        self.assert_same(st.asarray(x, format="CSR", dtype="float32"), x.astype("float32"))
        for options in ({"format": "CSR"}, {"dtype": "int8"}):
            with self.assertRaises(st.CopyError):
                st.asarray(x, copy=False, **options)

    def test_what_is_no_array_is_refused(self):
        for x in (
            None,
            "text",
            object(),
            numpy.array([{}]),
            numpy.array(["a"]),
            numpy.zeros(2, "datetime64[s]"),
            numpy.ma.masked_array([1, 2], [0, 1]),
        ):
            with self.assertRaises(st.DTypeError):
                st.asarray(x)


class SciPyTest(TestCase):
    def sources(self, x):
        """A matrix in each of SciPy's formats, as matrix and, where there are such, as array."""
        for kind in ("csr", "csc", "coo", "bsr", "dia"):
            for cls in (f"{kind}_matrix", f"{kind}_array"):
                if hasattr(scipy.sparse, cls):
                    source = getattr(scipy.sparse, "coo_matrix")(x).asformat(kind)
                    yield kind, getattr(scipy.sparse, cls)(source)

    def test_every_format_and_type(self):
        for dtype in DTYPES:
            if dtype == "float16":
                continue
            for shape in [(4, 6), (1, 1), (0, 3), (3, 0), (5, 1)]:
                x = self.draw(shape, dtype)
                for kind, source in self.sources(x):
                    tensor = st.asarray(source)
                    tensor.validate()
                    self.assert_same(tensor, x, (kind, dtype, shape))
                    self.assertEqual(tensor.to_scipy().toarray().tolist(), x.tolist())

    def test_arrays_are_adopted_where_they_lie(self):
        x = self.draw((4, 6))
        for kind, source in self.sources(x):
            tensor = st.asarray(source, copy=False)
            self.assertEqual(address(tensor.values), address(source.data), kind)
            back = tensor.to_scipy(kind if tensor.format.name != "CSR" else "csr", copy=False)
            self.assertEqual(address(back.data), address(source.data), kind)
            if kind in ("csr", "csc", "bsr"):
                self.assertEqual(address(back.indices), address(source.indices))
                self.assertEqual(address(back.indptr), address(source.indptr))
            if kind == "dia":
                self.assertEqual(address(back.offsets), address(source.offsets))
            self.assertTrue(tensor.shares_memory(source))
            copied = st.asarray(source, copy=True)
            self.assertFalse(copied.shares_memory(source))
            self.assert_same(copied, x)

    def test_both_widths_are_adopted(self):
        x = self.draw((4, 6))
        for width in ("int32", "int64"):
            source = scipy.sparse.csr_matrix(x)
            source.indices = source.indices.astype(width)
            source.indptr = source.indptr.astype(width)
            tensor = st.asarray(source, copy=False)
            self.assertEqual(tensor.levels[1].crd.dtype, width)
            self.assertEqual(address(tensor.levels[1].pos), address(source.indptr))
            self.assert_same(tensor @ tensor.T, x @ x.T)

    def test_unsorted_rows(self):
        one, two = scipy.sparse.random(20, 20, 0.3, "csr", random_state=1), None
        two = one @ one
        self.assertFalse(two.has_sorted_indices)
        tensor = st.asarray(two, copy=False)
        self.assertIn("compressed(unordered)", tensor.format.map)
        self.assertEqual(address(tensor.levels[1].crd), address(two.indices))
        self.assert_same(tensor, two.toarray())
        self.assert_same(tensor @ tensor.T, (two @ two.T).toarray())
        self.assertFalse(tensor.to_scipy().has_sorted_indices)

    def test_repeated_entries(self):
        for columns in ([1, 1, 0], [2, 1, 2]):
            source = scipy.sparse.csr_matrix(([1.0, 2.0, 3.0], columns, [0, 3, 3]), shape=(2, 4))
            expected = source.toarray()
            tensor = st.asarray(source, copy=False)
            self.assertIn("nonunique", tensor.format.map)
            self.assert_same(tensor, expected)
            self.assert_same(tensor.sum(1), expected.sum(1))
            self.assert_same(tensor * tensor, expected * expected)

    def test_vectors(self):
        if scipy.sparse.csr_array(numpy.ones(3)).ndim != 1:
            self.skipTest("this SciPy has no sparse vectors")
        for dtype in ("float64", "int16", "complex64", "bool"):
            for size in (7, 1, 0):
                x = self.draw(size, dtype)
                for kind in ("csr", "coo", "dok"):
                    source = scipy.sparse.coo_array(x).asformat(kind)
                    tensor = st.asarray(source)
                    tensor.validate()
                    self.assert_same(tensor, x, (dtype, size, kind))
        x = self.draw((4, 6))
        row = scipy.sparse.csr_array(x[1])
        tensor = st.asarray(row, copy=False)
        self.assertEqual(tensor.format.name, "SparseVector")
        self.assertEqual(address(tensor.values), address(row.data))
        self.assertEqual(address(tensor.levels[0].crd), address(row.indices))
        self.assert_same(st.asarray(x, format="CSR") @ row, x @ x[1])
        self.assert_same(st.asarray(scipy.sparse.csr_array(x)), x)  # (of the same types)
        for places in ([1, 1, 4], [4, 1, 2], [4, 1, 4]):
            values = numpy.array([1.0, 2.0, 3.0])
            source = scipy.sparse.csr_array((values, places, [0, 3]), shape=(5,))
            expected = numpy.zeros(5)
            numpy.add.at(expected, places, values)
            tensor = st.asarray(source, copy=False)
            tensor.validate()
            self.assert_same(tensor, expected, places)
            self.assert_same(tensor * tensor, expected**2, places)

    def test_lists_in_any_order(self):
        i, j, values = [2, 0, 2, 1], [1, 3, 1, 0], [1.0, 2.0, 3.0, 4.0]
        source = scipy.sparse.coo_matrix((values, (i, j)), shape=(3, 4))
        tensor = st.asarray(source, copy=False)
        self.assertIn("unordered", tensor.format.map)
        self.assert_same(tensor, source.toarray())
        self.assert_same(tensor + tensor, 2 * source.toarray())
        ordered = scipy.sparse.coo_matrix(([2.0, 4.0, 1.0], ([0, 1, 2], [3, 0, 1])), shape=(3, 4))
        self.assertEqual(st.asarray(ordered, copy=False).format.name, "COO")

    def test_more_memory_than_entries(self):
        source = scipy.sparse.csr_matrix(self.draw((3, 4)))
        source.data = numpy.append(source.data, [7, 7])
        source.indices = numpy.append(source.indices, [0, 0]).astype(source.indices.dtype)
        tensor = st.asarray(source, copy=False)
        tensor.validate()
        self.assertEqual(tensor.nnz, source.nnz)

    def test_diagonals(self):
        for shape in [(4, 6), (6, 4), (5, 5)]:
            x = numpy.triu(numpy.tril(self.draw(shape, density=1), 1), -2)
            source = scipy.sparse.dia_matrix(x)
            self.assert_same(st.asarray(source), x)
            self.assertEqual(st.asarray(source).to_scipy().format, "dia")
            self.assert_same(st.asarray(source) @ st.asarray(x.T.copy()), x @ x.T)
        short = scipy.sparse.dia_matrix((numpy.ones((2, 2)), [0, -1]), shape=(3, 5))
        self.assert_same(st.asarray(short), short.toarray())
        with self.assertRaises(st.CopyError):
            st.asarray(short, copy=False)
        with self.assertRaises(st.CopyError):
            outside = scipy.sparse.dia_matrix((numpy.ones((1, 5)), [1]), shape=(5, 5))
            st.asarray(outside, copy=False)
        unsorted = scipy.sparse.dia_matrix((numpy.ones((2, 5)), [1, -1]), shape=(3, 5))
        self.assert_same(st.asarray(unsorted), unsorted.toarray())

    def test_values_outside_of_diagonals_are_no_elements(self):
        for shape, offsets in [((4, 4), [1]), ((4, 4), [-1, 2]), ((3, 5), [-2, 1, 4])]:
            data = numpy.ones((len(offsets), shape[1]))
            rows = numpy.arange(shape[1]) - numpy.array(offsets)[:, None]
            outside = (rows < 0) | (rows >= shape[0])
            data[outside] = 0
            source = scipy.sparse.dia_matrix((data, offsets), shape=shape)
            tensor = st.asarray(source, copy=False)
            source.data[outside] = 7  # SciPy ignores them, too.
            expected = source.toarray()
            for format in ("CSR", "CSC", "COO", "Dense", "DIA", "ELL", "BCSR:2x2"):
                self.assert_same(tensor.asformat(format), expected, (shape, offsets, format))
            self.assert_same(tensor, expected)
            self.assert_same(tensor + tensor, 2 * expected)
            self.assert_same(st.einsum("ij->i", tensor).asformat("Dense"), expected.sum(1))

    def test_blocks(self):
        x = numpy.kron(self.draw((3, 4)), numpy.ones((2, 3)))
        for size in [(1, 1), (2, 3), (1, 3), (2, 1), (6, 12)]:
            source = scipy.sparse.bsr_matrix(x, blocksize=size)
            tensor = st.asarray(source, copy=False)
            self.assert_same(tensor, x, size)
            self.assertEqual(address(tensor.values), address(source.data))
            self.assertEqual(address(tensor.to_scipy(copy=False).data), address(source.data))

    def test_what_has_no_arrays_is_copied(self):
        x = self.draw((3, 4))
        for kind in ("lil", "dok"):
            source = scipy.sparse.coo_matrix(x).asformat(kind)
            self.assert_same(st.asarray(source), x)
            with self.assertRaises(st.CopyError):
                st.asarray(source, copy=False)

    def test_validation(self):
        source = scipy.sparse.csr_matrix(self.draw((3, 4), density=1))
        source.indices[1] = 9
        with self.assertRaises(st.ArgumentError):
            st.asarray(source, validate=True)


class PyDataTest(TestCase):
    def setUp(self):
        super().setUp()
        try:
            import sparse
        except ImportError:
            self.skipTest("PyData sparse is not installed")
        self.sparse = sparse

    def test_arrays_are_adopted_where_they_lie(self):
        for shape in [(4, 6), (2, 3, 4), (5,)]:
            x = self.draw(shape)
            source = self.sparse.COO(x)
            tensor = st.asarray(source, copy=False)
            tensor.validate()
            self.assert_same(tensor, x)
            self.assertEqual(address(tensor.values), address(source.data))
            self.assertEqual(address(tensor.levels[0].crd), address(source.coords[0]))
        for axes, name in [((0,), "CSR"), ((1,), "CSC")]:
            x = self.draw((4, 6))
            source = self.sparse.GCXS(x, compressed_axes=axes)
            tensor = st.asarray(source)
            tensor.validate()
            self.assertEqual(tensor.format.name, name)
            self.assertEqual(address(tensor.values), address(source.data))
            self.assert_same(tensor, x)

    def test_others_are_copied(self):
        x = self.draw((2, 3, 4))
        for source in (self.sparse.GCXS(x), self.sparse.DOK(x)):
            self.assert_same(st.asarray(source), x)
            with self.assertRaises(st.CopyError):
                st.asarray(source, copy=False)

    def test_fills(self):
        x = self.draw((4, 6))
        tensor = st.asarray(self.sparse.COO(x) + 2)
        self.assertEqual(tensor.fill, 2)
        self.assert_same(tensor * tensor, (x + 2) ** 2)
        for y in (x == 0, (x == 0).astype("int8"), x.astype("complex64") + 1, x - 0.1, x > 9):
            for kind in ("coo", "gcxs"):
                source = self.sparse.COO.from_numpy(y, y[0, 0] * 0 + y.max()).asformat(kind)
                tensor = st.asarray(source)
                tensor.validate()
                self.assert_same(tensor, y, kind)
                self.assertEqual(tensor.fill, source.fill_value)
        for fill in (numpy.nan, 1j):
            source = self.sparse.COO.from_numpy(x * (1 + fill), fill)
            self.assert_same(st.asarray(source), source.todense(), fill)


class ExportTest(TestCase):
    def test_to_scipy_from_every_format(self):
        from drawing import MATRIX_FORMATS

        x = self.draw((4, 6))
        for format in MATRIX_FORMATS:
            tensor = st.asarray(x, format=format)
            for kind in (None, "csr", "csc", "coo", "dia"):
                found = tensor.to_scipy(kind)
                numpy.testing.assert_array_equal(found.toarray(), x)
                if kind:
                    self.assertEqual(found.format, kind)

    def test_a_shared_array_is_read_only_and_a_copy_is_not(self):
        tensor = st.asarray(self.draw((4, 6)), format="CSR")
        with self.assertRaises(ValueError):
            tensor.to_scipy().data[0] = 1
        copied = tensor.to_scipy(copy=True)
        copied.data[0] = 77
        self.assertNotIn(77, tensor.values)
        with self.assertRaises(st.CopyError):
            tensor.to_scipy("csc", copy=False)
        dense = st.asarray(numpy.ones(3))
        with self.assertRaises(ValueError):
            dense.to_numpy()[0] = 1
        dense.to_numpy(copy=True)[0] = 1
        tensor.todense()[0, 0] = 1

    def test_sparse_tensors_do_not_become_dense_unasked(self):
        tensor = st.asarray(self.draw((4, 6)), format="CSR")
        for convert in (numpy.asarray, lambda x: x.to_numpy(), numpy.median):
            with self.assertRaises(TypeError):
                convert(tensor)
        with self.assertRaisesRegex(st.DensifyError, "todense"):
            numpy.asarray(tensor)
        self.assertEqual(tensor.to_numpy(allow_dense=True).shape, (4, 6))

    def test_what_scipy_lacks(self):
        with self.assertRaises(st.FormatError):
            st.tensor((2, 2), "CSR", fill=1).to_scipy()
        with self.assertRaises(st.DTypeError):
            st.zeros((2, 2), "CSR", dtype="float16").to_scipy()
        with self.assertRaises(st.UnsupportedError):
            st.zeros((2, 2), "CSR").to_scipy("nothing")


if __name__ == "__main__":
    unittest.main()
