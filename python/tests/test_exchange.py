"""What is adopted from other libraries, what is copied and why, in both directions: a table.

Each row is made for a small matrix, or a tensor of order 3. Adopted means that every array of the
tensor (apart from the two positions of a list, which no other library has) lies where the source
has it, and that the way back gives the same addresses. A package that is not installed skips its
rows by name.
"""

import importlib
import pathlib
import unittest
import warnings

import numpy
import scipy.sparse

import strata as st
from drawing import TestCase

DENSE = numpy.array([[0.0, 2, 0, 1], [3, 0, 4, 0], [0, 0, 0, 0], [0, 0, 1, 7]])
CUBE = numpy.stack([DENSE, 2 * DENSE], 2)


def torch_sum(torch):
    """A COO tensor that has one place twice."""
    return torch.sparse_coo_tensor([[0, 0, 1], [1, 1, 0]], [1.0, 2.0, 3.0], (2, 2))


def torch_sum_of_rows(torch):
    """A hybrid COO tensor of which two rows lie at one place."""
    rows = torch.arange(1.0, 10.0).reshape(3, 3)
    return torch.sparse_coo_tensor([[1, 0, 0], [0, 1, 1]], rows, (2, 2, 3))


def blocks_at(*columns):
    """What makes BSR with blocks of one row of blocks at some columns."""
    values = numpy.arange(1.0, 4 * len(columns) + 1).reshape(-1, 2, 2)
    return lambda sp: sp.bsr_array((values, columns, [0, len(columns)]), shape=(2, 6))


def shuffled(scipy_sparse):
    """CSR whose rows are in no order, as products of SciPy are."""
    return scipy_sparse.csr_array(([1.0, 2.0, 3.0], [3, 0, 1], [0, 2, 3, 3, 3]), shape=(4, 4))


def filled(sparse):
    """COO whose elements are 2 where it stores nothing."""
    return sparse.COO(numpy.array([[0, 1], [1, 0]]), [1.0, 3.0], (2, 2), fill_value=2.0)


BLOCKS = (
    "(i, j) -> (j floordiv 2 : dense, i floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)"
)
DIAGONALS = "(i, j) -> (j - i : compressed, j : range, i : offset)"

#: Package, what it is, how it is made, the format, and why it is copied (None: it is adopted).
TABLE = [
    ("numpy", "array, row by row", lambda np: DENSE.copy(), "Dense", None),
    ("numpy", "array, column by column", lambda np: np.asfortranarray(DENSE), None, None),
    ("numpy", "array of bool", lambda np: DENSE > 0, "Dense", None),
    ("numpy", "array with gaps", lambda np: np.repeat(DENSE, 2, 0)[::2], "Dense", "gaps"),
    ("numpy", "array of swapped bytes", lambda np: DENSE.astype(">f8"), "Dense", "order of bytes"),
    (
        "numpy",
        "array that nobody may write",
        lambda np: np.frombuffer(DENSE.tobytes()),
        "Dense",
        None,
    ),
    ("scipy.sparse", "csr", lambda sp: sp.csr_array(DENSE), "CSR", None),
    ("scipy.sparse", "csr in no order", shuffled, None, None),
    ("scipy.sparse", "csc", lambda sp: sp.csc_array(DENSE), "CSC", None),
    ("scipy.sparse", "coo", lambda sp: sp.coo_array(DENSE), "COO", None),
    ("scipy.sparse", "bsr", lambda sp: sp.bsr_array(DENSE, blocksize=(2, 2)), "BCSR:2x2", None),
    ("scipy.sparse", "bsr in no order", blocks_at(2, 0, 1), None, None),
    ("scipy.sparse", "bsr, repeated", blocks_at(0, 0, 1), "BCSR:2x2", "repeats blocks"),
    ("scipy.sparse", "bsr, repeated in no order", blocks_at(1, 0, 1), "BCSR:2x2", "repeats blocks"),
    ("scipy.sparse", "dia", lambda sp: sp.dia_array(numpy.eye(4)), DIAGONALS, None),
    ("scipy.sparse", "lil", lambda sp: sp.lil_array(DENSE), "CSR", "SciPy's lil"),
    ("scipy.sparse", "dok", lambda sp: sp.dok_array(DENSE), "COO", "SciPy's dok"),
    ("torch", "strided", lambda t: t.tensor(DENSE), "Dense", None),
    ("torch", "strided, transposed", lambda t: t.tensor(DENSE).T, None, None),
    ("torch", "strided bfloat16", lambda t: t.tensor(DENSE, dtype=t.bfloat16), "Dense", None),
    ("torch", "strided with gaps", lambda t: t.tensor(DENSE)[:, ::2], "Dense", "gaps"),
    ("torch", "conjugate", lambda t: t.tensor(DENSE + 1j * DENSE).conj(), "Dense", "conjugated"),
    ("torch", "sparse_coo", lambda t: t.tensor(DENSE).to_sparse(), "COO", None),
    ("torch", "sparse_coo, uncoalesced", torch_sum, "COO-Duplicates", None),
    ("torch", "sparse_coo, hybrid", lambda t: t.tensor(CUBE).to_sparse(2), None, None),
    ("torch", "sparse_coo, hybrid, uncoalesced", torch_sum_of_rows, None, "not coalesced"),
    ("torch", "sparse_csr", lambda t: t.tensor(DENSE).to_sparse_csr(), "CSR", None),
    ("torch", "sparse_csc", lambda t: t.tensor(DENSE).to_sparse_csc(), "CSC", None),
    ("torch", "sparse_bsr", lambda t: t.tensor(DENSE).to_sparse_bsr((2, 2)), "BCSR:2x2", None),
    ("torch", "sparse_bsc", lambda t: t.tensor(DENSE).to_sparse_bsc((2, 2)), BLOCKS, None),
    ("sparse", "COO", lambda s: s.COO(DENSE), "COO", None),
    ("sparse", "COO of order 3", lambda s: s.COO(CUBE), "COO", None),
    ("sparse", "COO with a fill value", filled, None, None),
    ("sparse", "COO with gaps", lambda s: s.COO(DENSE) + 2, None, "gaps between its coordinates"),
    ("sparse", "GCXS by rows", lambda s: s.GCXS(DENSE, compressed_axes=(0,)), "CSR", None),
    ("sparse", "GCXS by columns", lambda s: s.GCXS(DENSE, compressed_axes=(1,)), "CSC", None),
    ("sparse", "GCXS of order 3", lambda s: s.GCXS(CUBE), "COO", "a GCXS"),
    ("sparse", "DOK", lambda s: s.DOK(DENSE), "COO", "a DOK"),
]


NAMES_IN_TORCH = {
    "torch.sparse_coo": ("_indices", "_values"),
    "torch.sparse_csr": ("crow_indices", "col_indices", "values"),
    "torch.sparse_bsr": ("crow_indices", "col_indices", "values"),
    "torch.sparse_csc": ("ccol_indices", "row_indices", "values"),
    "torch.sparse_bsc": ("ccol_indices", "row_indices", "values"),
}


def addresses(source):
    """Where the arrays of an object begin; those without elements lie nowhere."""
    if type(source).__module__.startswith("torch"):
        names = NAMES_IN_TORCH.get(str(source.layout), ())
        parts = [getattr(source.detach(), name)() for name in names] or [source]
        if names[:1] == ("_indices",):
            parts[:1] = parts[0]  # a row for each dimension
        return {part.data_ptr() for part in parts if part.numel()}
    if isinstance(source, numpy.ndarray):
        arrays = [source]
    else:
        names = ("row", "col", "indptr", "indices", "offsets", "data")
        arrays = [getattr(source, name) for name in names if hasattr(source, name)]
        arrays += list(getattr(source, "coords", ()))
    arrays = [array for array in arrays if isinstance(array, numpy.ndarray) and array.size]
    return {array.__array_interface__["data"][0] for array in arrays}


def dense_of(source):
    """All elements of an object of another library."""
    if type(source).__module__.startswith("torch"):
        dense = source.detach().to_dense().resolve_conj()
        return (dense.float() if "bfloat16" in str(dense.dtype) else dense).numpy()
    return source if isinstance(source, numpy.ndarray) else source.todense()


class TableTest(TestCase):
    def check_package(self, wanted):
        try:
            module = importlib.import_module(wanted)
        except ImportError:
            self.skipTest(f"{wanted} is not installed")
        for package, name, make, format, reason in TABLE:
            if package == wanted:
                with self.subTest(name=name), warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # torch calls its own layouts a beta
                    self.check(package, make(module), format, reason)

    def check(self, package, source, format, reason):
        """The source is adopted, or copied for that reason."""
        tensor = st.asarray(source)
        has_numpys_type = "bfloat16" not in repr(tensor)
        if format is not None:
            self.assertEqual(tensor.format.name, format)
        if has_numpys_type:
            numpy.testing.assert_array_equal(tensor.todense(), dense_of(source))
        if reason is not None:
            with self.assertRaisesRegex(st.CopyError, reason):
                st.asarray(source, copy=False)
            # What needs no copy, such as the values beside coordinates, may be shared still.
            given = addresses(source)
            self.assertTrue(given - self.own_addresses(tensor) or not given)
            return
        tensor = st.asarray(source, copy=False)
        own = self.own_addresses(tensor)
        self.assertTrue(addresses(source))
        self.assertLessEqual(addresses(source), own)
        self.assertFalse(own & self.own_addresses(st.asarray(source, copy=True)))
        back = self.back(package, tensor, copy=False)
        self.assertEqual(type(back).__name__, type(source).__name__)
        self.assertTrue(addresses(back))
        self.assertLessEqual(addresses(back), own)
        again = self.back(package, tensor, copy=True)
        self.assertFalse(addresses(again) & own)
        if has_numpys_type:
            numpy.testing.assert_array_equal(dense_of(again), dense_of(source))

    @staticmethod
    def own_addresses(tensor):
        core = tensor._core
        arrays = [core.array(index) for index in range(len(core.format.arrays))]
        return {array.address for array in arrays if len(array)}

    @staticmethod
    def back(package, tensor, copy):
        ways = {
            "numpy": tensor.to_numpy,
            "scipy.sparse": tensor.to_scipy,
            "torch": tensor.to_torch,
            "sparse": tensor.to_sparse,
        }
        return ways[package](copy=copy)

    def test_numpy(self):
        self.check_package("numpy")

    def test_scipy(self):
        self.check_package("scipy.sparse")

    def test_torch(self):
        self.check_package("torch")

    def test_pydata_sparse(self):
        self.check_package("sparse")

    def test_the_documentation_names_every_row(self):
        page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "Python.md"
        text = page.read_text(encoding="utf-8")
        section = text.partition("## What is adopted, and")[2].partition("\n## ")[0]
        for _, name, *_ in TABLE:
            self.assertIn(name.split(",")[0].split(" ")[0], section)


class DLPackTest(TestCase):
    def test_both_ways(self):
        for format in ("Dense", "(i, j) -> (j : dense, i : dense)"):
            tensor = st.asarray(DENSE, format=format)
            array = numpy.from_dlpack(tensor)
            numpy.testing.assert_array_equal(array, DENSE)
            self.assertTrue(tensor.shares_memory(array))
            back = st.from_dlpack(tensor)
            self.assertTrue(back.shares_memory(tensor))
            self.assert_same(back, DENSE)
        self.assertEqual(tensor.__dlpack_device__(), (1, 0))
        self.assertTrue(st.from_dlpack(DENSE, copy=False).shares_memory(DENSE))
        self.assertFalse(st.from_dlpack(DENSE, copy=True).shares_memory(DENSE))

    def test_the_memory_outlives_the_tensor(self):
        import gc

        array = numpy.from_dlpack(st.asarray(DENSE.copy()) * 2)
        gc.collect()
        numpy.testing.assert_array_equal(array, 2 * DENSE)

    def test_sparse_tensors_have_none(self):
        with self.assertRaises(BufferError):
            numpy.from_dlpack(st.eye(3))


class TorchTest(TestCase):
    def setUp(self):
        super().setUp()
        try:
            import torch
        except ImportError:
            self.skipTest("torch is not installed")
        self.torch = torch
        warnings.simplefilter("ignore")

    def test_every_layout_of_every_tensor(self):
        for format in ("Dense", "CSR", "CSC", "COO", "DCSR", "ELL", "BCSR:2x2"):
            tensor = st.asarray(DENSE, format=format)
            for layout in ("strided", "sparse_coo", "sparse_csr", "sparse_csc"):
                for given in (layout, getattr(self.torch, layout)):
                    found = tensor.to_torch(given)
                    self.assertEqual(found.layout, getattr(self.torch, layout))
                    numpy.testing.assert_array_equal(found.to_dense().numpy(), DENSE)
        with self.assertRaises(st.FormatError):
            tensor.asformat("CSR").to_torch("sparse_bsr")
        with self.assertRaises(st.UnsupportedError):
            tensor.to_torch("nothing")
        with self.assertRaises(st.CopyError):
            tensor.to_torch("sparse_csr", copy=False)
        with self.assertRaisesRegex(st.CopyError, "64 bits"):
            tensor.asformat("COO").to_torch(copy=False)

    def test_orders_and_sizes(self):
        for shape in ((), (3,), (0,), (2, 0), (1, 1), (2, 3, 4)):
            x = self.draw(shape)
            numpy.testing.assert_array_equal(st.asarray(x).to_torch().numpy(), x)
            source = self.torch.tensor(x)
            self.assert_same(st.asarray(source), x)
            if shape:
                self.assert_same(st.asarray(source.to_sparse()), x)
                found = st.asarray(x, format="COO").to_torch()
                numpy.testing.assert_array_equal(found.to_dense().numpy(), x)

    def test_types(self):
        for name in "bool int8 uint8 int16 int32 int64 float16 float32 float64 complex64".split():
            x = self.draw((3, 4), name)
            self.assert_same(st.asarray(self.torch.tensor(x)), x)
            numpy.testing.assert_array_equal(st.asarray(x).to_torch().numpy(), x)
        half = self.torch.tensor(DENSE, dtype=self.torch.bfloat16)
        self.assertEqual(st.asarray(half)._core.format.type, st.asarray(half.T)._core.format.type)
        self.assertTrue((st.asarray(half).to_torch() == half).all())

    def test_fills_and_devices(self):
        with self.assertRaises(st.FormatError):
            st.tensor((2, 2), "COO", fill=1).to_torch()
        with self.assertRaisesRegex(st.UnsupportedError, "meta"):
            st.asarray(self.torch.empty(3, device="meta"))

    def test_gradients_are_refused(self):
        x = self.torch.tensor(DENSE, requires_grad=True)
        weights = self.torch.nn.Parameter(self.torch.tensor(DENSE))
        for given in (x, weights, x * 2, x.T, self.torch.tensor(DENSE).to_sparse().requires_grad_()):
            for make in (st.asarray, st.from_dlpack, lambda t: st.einsum("ij->i", t)):
                with self.assertRaisesRegex(st.UnsupportedError, r"detach\(\)"):
                    make(given)
        self.assert_same(st.asarray(x.detach()), DENSE)
        self.assert_same(st.asarray((x * 2).detach().to_sparse()), DENSE * 2)

    def test_results_in_tensors_of_torch(self):
        y = self.torch.zeros(len(DENSE), dtype=self.torch.float64)
        found = st.einsum("ij->i", st.asarray(DENSE, format="CSR"), out=y)
        numpy.testing.assert_array_equal(y.numpy(), DENSE.sum(1))
        self.assertTrue(found.shares_memory(y.numpy()))
        st.evaluate("y(i) += A(i,j)", A=DENSE, out=y)
        numpy.testing.assert_array_equal(y.numpy(), 2 * DENSE.sum(1))
        st.compile("y(i) = A(i,j)", A=st.spec(2))(A=DENSE, out=y)
        numpy.testing.assert_array_equal(y.numpy(), DENSE.sum(1))
        st.asarray(DENSE).max(1, out=y)
        numpy.testing.assert_array_equal(y.numpy(), DENSE.max(1))
        for out in (y.clone().requires_grad_(), y.to_sparse(), self.torch.zeros(3).bfloat16()):
            with self.assertRaises(st.ArgumentError):
                st.einsum("ij->i", DENSE, out=out)

    def test_computes_with_tensors_of_torch(self):
        x = self.draw((4, 4))
        source = self.torch.tensor(x).to_sparse_csr()
        self.assert_same(st.einsum("ij,jk->ik", source, self.torch.tensor(x)), x @ x)
        self.assert_same(st.asarray(source) @ self.torch.tensor(x), x @ x)
        self.assertTrue(st.asarray(source).shares_memory(st.asarray(source)))


class ScipyBlocksTest(TestCase):
    def test_sizes_of_blocks(self):
        x = self.draw((4, 6))
        for format in ("CSR", "BCSR:2x2", "BCSR:2x3", "Dense", "COO"):
            tensor = st.asarray(x, format=format)
            for block in ((2, 3), (2, 2), (1, 6), (4, 1)):
                found = tensor.to_scipy("bsr", blocksize=block)
                self.assertEqual((found.format, found.blocksize), ("bsr", block), format)
                numpy.testing.assert_array_equal(found.toarray(), x)
        self.assertEqual(tensor.to_scipy(blocksize=(2, 2)).format, "bsr")
        blocks = st.asarray(x, format="BCSR:2x3")
        self.assertTrue(blocks.shares_memory(blocks.to_scipy("bsr", blocksize=(2, 3), copy=False)))
        with self.assertRaises(st.CopyError):
            blocks.to_scipy("bsr", blocksize=(2, 2), copy=False)
        with self.assertRaisesRegex(st.FormatError, "blocksize="):
            tensor.to_scipy("bsr")
        for block in ((3, 2), (0, 1), (2,)):
            with self.assertRaises(st.ShapeError):
                tensor.to_scipy("bsr", blocksize=block)
        with self.assertRaises(st.ArgumentError):
            tensor.to_scipy("csr", blocksize=(2, 2))


class PyDataTest(TestCase):
    def setUp(self):
        super().setUp()
        try:
            import sparse
        except ImportError:
            self.skipTest("PyData sparse is not installed")
        self.sparse = sparse

    def test_every_format(self):
        for format, kind in [
            ("Dense", "COO"),
            ("COO", "COO"),
            ("CSR", "GCXS"),
            ("CSC", "GCXS"),
            ("ELL", "COO"),
            ("BCSR:2x2", "COO"),
            ("COO-Unordered", "COO"),
        ]:
            found = st.asarray(DENSE, format=format).to_sparse()
            self.assertEqual(type(found).__name__, kind, format)
            numpy.testing.assert_array_equal(found.todense(), DENSE, format)
        with self.assertRaises(st.CopyError):
            st.asarray(DENSE, format="ELL").to_sparse(copy=False)
        with self.assertRaisesRegex(st.CopyError, "64 bits"):
            st.asarray(DENSE, format="COO").to_sparse(copy=False)

    def test_fill_values(self):
        tensor = st.evaluate(
            "B(i,j) = A(i,j) @(min,first) 1",
            A=st.asarray(DENSE, format="CSR"),
            format="{CSR, fill = inf}",
        )
        for found in (tensor.to_sparse(), tensor.asformat("{COO, fill = inf}").to_sparse()):
            self.assertEqual(found.fill_value, numpy.inf)
            numpy.testing.assert_array_equal(found.todense(), tensor.todense())


if __name__ == "__main__":
    unittest.main()
