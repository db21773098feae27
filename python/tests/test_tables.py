"""Tables of entries: through Arrow's C interface, made here by hand, and by pyarrow and polars
where they are installed."""

import ctypes
import importlib.util
import os
import tempfile
import unittest

import numpy

import strata as st
from drawing import TestCase
from strata import tables

HAS_PYARROW = importlib.util.find_spec("pyarrow") is not None
CODES = {dtype: code for code, dtype in tables._TYPES.items()}


class HandMadeTable:
    """A record batch with the columns of numbers or booleans, behind some rows to skip."""

    def __init__(self, columns, offset=0, nulls=None):
        self.columns, self.offset, self.nulls = columns, offset, nulls

    def __arrow_c_array__(self, requested_schema=None):
        self.kept = []

        def new(structure, **fields):
            made = structure(**fields)
            self.kept.append(made)
            return made

        def pointers(kind, items):
            array = (kind * max(len(items), 1))(*items)
            self.kept.append(array)
            return array

        nothing = tables._Schema._fields_[7][1](lambda _: None)
        nothing_more = tables._Array._fields_[8][1](lambda _: None)
        self.kept += [nothing, nothing_more]
        schemas, arrays = [], []
        for name, x in self.columns.items():
            code = "b" if x.dtype == bool else CODES[x.dtype.name]
            data = numpy.packbits(x, bitorder="little") if x.dtype == bool else x.copy()
            self.kept.append(data)
            valid = (
                numpy.packbits(self.nulls, bitorder="little") if self.nulls is not None else None
            )
            self.kept.append(valid)
            schemas.append(
                new(tables._Schema, format=code.encode(), name=name.encode(), release=nothing)
            )
            buffers = pointers(
                ctypes.c_void_p, [None if valid is None else valid.ctypes.data, data.ctypes.data]
            )
            arrays.append(
                new(
                    tables._Array,
                    length=len(x),
                    null_count=0 if valid is None else -1,
                    n_buffers=2,
                    buffers=ctypes.cast(buffers, ctypes.POINTER(ctypes.c_void_p)),
                    release=nothing_more,
                )
            )
        length = len(next(iter(self.columns.values()))) - self.offset
        schema = new(
            tables._Schema,
            format=b"+s",
            n_children=len(schemas),
            children=ctypes.cast(
                pointers(ctypes.POINTER(tables._Schema), [ctypes.pointer(s) for s in schemas]),
                ctypes.POINTER(ctypes.POINTER(tables._Schema)),
            ),
            release=nothing,
        )
        array = new(
            tables._Array,
            length=length,
            offset=self.offset,
            n_buffers=1,
            n_children=len(arrays),
            children=ctypes.cast(
                pointers(ctypes.POINTER(tables._Array), [ctypes.pointer(a) for a in arrays]),
                ctypes.POINTER(ctypes.POINTER(tables._Array)),
            ),
            release=nothing_more,
        )
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_void_p,
        ]
        return (
            make(ctypes.addressof(schema), b"arrow_schema", None),
            make(ctypes.addressof(array), b"arrow_array", None),
        )


class TableTest(TestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_by_hand(self):
        i, j = numpy.array([0, 2, 2, 1], "int32"), numpy.array([1, 0, 3, 1], "uint16")
        for dtype in [*CODES, "bool"]:
            values = numpy.array([1, 0, 3, 1]).astype(dtype)
            expected = numpy.zeros((3, 4), dtype)
            expected[i, j] = values
            table = HandMadeTable({"i": i, "j": j, "v": values})
            x = st.from_arrow(table, "CSR")
            self.assert_same(x, expected)
            self.assertEqual(x.nnz, 4)
            # Rows before the first one are not part of the batch.
            expected[0, 1] = 0
            table = HandMadeTable({"i": i, "j": j, "v": values}, offset=1)
            self.assert_same(st.from_arrow(table, shape=(3, 4)), expected)

    def test_columns(self):
        columns = {
            "w": numpy.array([1.5, 2.5]),
            "i": numpy.array([0, 1]),
            "k": numpy.array([7, 7]),
            "j": numpy.array([2, 2]),
        }
        table = HandMadeTable(columns)
        x = st.from_arrow(table, coordinates=["j", "i"], values="w", shape=(4, 2))
        self.assert_same(x, numpy.array([[0, 0], [0, 0], [1.5, 2.5], [0, 0]]))
        self.assertEqual(st.from_arrow(table, values="w").shape, (2, 8, 3))
        self.assertEqual(st.from_arrow(table, values="w", dtype="float32").dtype, "float32")
        with self.assertRaisesRegex(st.ArgumentError, "0 columns 'x'"):
            st.from_arrow(table, coordinates=["x"])
        with self.assertRaises(st.DTypeError):
            st.from_arrow(table, values="k")
        with self.assertRaisesRegex(st.ArgumentError, "nulls"):
            st.from_arrow(
                HandMadeTable({"i": columns["i"], "v": columns["k"]}, nulls=[True, False])
            )
        with self.assertRaisesRegex(st.ArgumentError, "no table of Arrow"):
            st.from_arrow([1, 2])

    def test_files_need_pyarrow(self):
        if HAS_PYARROW:
            self.skipTest("pyarrow is installed")
        for name in ("a.parquet", "a.arrow"):
            with open(self.path(name), "wb"):
                pass
            with self.assertRaisesRegex(st.UnsupportedError, "pip install pyarrow"):
                st.read(self.path(name))
            with self.assertRaisesRegex(st.UnsupportedError, "pip install pyarrow"):
                st.write(self.path(name), self.draw((3, 4)))

    @unittest.skipUnless(HAS_PYARROW, "no pyarrow")
    def test_files(self):
        for ending in (".parquet", ".arrow", ".feather"):
            path = self.path("a" + ending)
            for shape in ((5,), (4, 6), (2, 3, 4)):
                for dtype in ("float64", "float32", "int16", "uint64", "bool"):
                    x = self.draw(shape, dtype)
                    x[-1] = 0  # the sizes are part of the file
                    st.write(path, st.asarray(x, format="COO"))
                    self.assert_same(st.read(path), x)
                    self.assert_same(st.read(path, "Dense"), x)
        with self.assertRaises(st.MissingFileError):
            st.read(self.path("b.parquet"))

    @unittest.skipUnless(HAS_PYARROW, "no pyarrow")
    def test_what_has_no_rows_for_its_elements(self):
        A = st.asarray(self.draw((3, 4)), format="CSR")
        for ending in (".parquet", ".arrow", ".feather"):
            path = self.path("f" + ending)
            for tensor in (A + 1, A == 0, A.astype("float32") - 2):
                with self.assertRaisesRegex(st.FileError, "the fill value (1.0|True|-2.0) where"):
                    st.write(path, tensor)
                self.assertFalse(os.path.exists(path))
                st.write(path, tensor.asformat("Dense"))
                self.assert_same(st.read(path), tensor.todense())
                os.remove(path)
            with self.assertRaisesRegex(st.FileError, "without dimensions"):
                st.write(path, st.asarray(3.0))

    @unittest.skipUnless(HAS_PYARROW, "no pyarrow")
    def test_streams(self):
        import pyarrow

        i, j, v = (
            self.generator.integers(0, 50, 1000),
            self.generator.integers(0, 40, 1000),
            self.draw(1000),
        )
        expected = numpy.zeros((50, 40))
        numpy.add.at(expected, (i, j), v)
        table = pyarrow.table({"i": i, "j": j, "v": v})
        table = pyarrow.concat_tables([table.slice(0, 333), table.slice(333)])
        self.assert_same(st.from_arrow(table, shape=(50, 40)), expected)
        self.assert_same(
            st.from_arrow(table.combine_chunks().to_batches()[0], shape=(50, 40)), expected
        )
        with self.assertRaisesRegex(st.ArgumentError, "nulls"):
            st.from_arrow(pyarrow.table({"i": [1, None], "v": [1.0, 2.0]}))
        with self.assertRaisesRegex(st.DTypeError, "type 'u'"):
            st.from_arrow(pyarrow.table({"i": ["a"], "v": [1.0]}))
        self.assertEqual(
            st.from_arrow(
                pyarrow.table({"i": pyarrow.array([], "int64"), "v": pyarrow.array([], "float32")})
            ).shape,
            (0,),
        )

    def test_columns(self):
        with self.assertRaisesRegex(st.ArgumentError, "no column but 'v'"):
            st.from_arrow(HandMadeTable({"v": numpy.array([1.0, 2.0])}))
        with self.assertRaisesRegex(st.ShapeError, "the coordinate 18446744073709551615"):
            i = numpy.array([2**64 - 1], "uint64")
            st.from_arrow(HandMadeTable({"i": i, "v": numpy.array([1.0])}))

    @unittest.skipUnless(HAS_PYARROW, "no pyarrow")
    def test_what_is_no_number(self):
        import pyarrow

        # The codes of a dictionary are neither coordinates nor values.
        for table in (
            {"i": pyarrow.array(["a", "b"]).dictionary_encode(), "v": [1.0, 2.0]},
            {"i": [0, 1], "v": pyarrow.array([5.0, 5.0]).dictionary_encode()},
        ):
            with self.assertRaisesRegex(st.DTypeError, "dictionary"):
                st.from_arrow(pyarrow.table(table))
        rows = pyarrow.StructArray.from_arrays(
            [pyarrow.array([0, 1]), pyarrow.array([1.0, 2.0])],
            ["i", "v"],
            mask=pyarrow.array([False, True]),
        )
        with self.assertRaisesRegex(st.ArgumentError, "null"):
            st.from_arrow(rows)

    @unittest.skipUnless(HAS_PYARROW, "no pyarrow")
    def test_files_that_are_refused(self):
        x = st.asarray(self.draw((3, 4)))
        path = self.path("A.PARQUET")
        x.write(path)
        self.assert_same(st.read(path), numpy.asarray(x))
        self.assertEqual(st.read(path, names=True)[1], [None, None])
        for options in ({"rows": slice(0, 1)}, {"group": "x"}, {"edges": "directed"}):
            with self.assertRaisesRegex(st.ArgumentError, "no part"):
                st.read(path, **options)
        with self.assertRaisesRegex(st.FileError, "order 2"):
            st.read(path, order=3)
        for ending in (".parquet", ".arrow"):
            with open(self.path("b" + ending), "wb") as file:
                file.write(b"PAR1 and nothing else")
            with self.assertRaises(st.FileError):
                st.read(self.path("b" + ending))
            with self.assertRaises(st.FileError):
                st.write(self.path("none/b" + ending), x)
            with self.assertRaisesRegex(st.DTypeError, "complex"):
                st.write(self.path("c" + ending), numpy.array([1j]))


if __name__ == "__main__":
    unittest.main()
