"""Tables of entries: through Arrow's C interface, made here by hand, and by pyarrow and polars
where they are installed."""

import ctypes
import importlib.util
import os
import tempfile
import unittest
import warnings

import numpy

import strata as st
from drawing import TestCase
from strata import arrow_columns, table_entries, table_files

HAS_PYARROW = importlib.util.find_spec("pyarrow") is not None
CODES = {dtype: code for code, dtype in arrow_columns._TYPES.items()}


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

        nothing = arrow_columns._Schema._fields_[7][1](lambda _: None)
        nothing_more = arrow_columns._Array._fields_[8][1](lambda _: None)
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
                new(arrow_columns._Schema, format=code.encode(), name=name.encode(), release=nothing)
            )
            buffers = pointers(
                ctypes.c_void_p, [None if valid is None else valid.ctypes.data, data.ctypes.data]
            )
            arrays.append(
                new(
                    arrow_columns._Array,
                    length=len(x),
                    null_count=0 if valid is None else -1,
                    n_buffers=2,
                    buffers=ctypes.cast(buffers, ctypes.POINTER(ctypes.c_void_p)),
                    release=nothing_more,
                )
            )
        length = len(next(iter(self.columns.values()))) - self.offset
        schema = new(
            arrow_columns._Schema,
            format=b"+s",
            n_children=len(schemas),
            children=ctypes.cast(
                pointers(ctypes.POINTER(arrow_columns._Schema), [ctypes.pointer(s) for s in schemas]),
                ctypes.POINTER(ctypes.POINTER(arrow_columns._Schema)),
            ),
            release=nothing,
        )
        array = new(
            arrow_columns._Array,
            length=length,
            offset=self.offset,
            n_buffers=1,
            n_children=len(arrays),
            children=ctypes.cast(
                pointers(ctypes.POINTER(arrow_columns._Array), [ctypes.pointer(a) for a in arrays]),
                ctypes.POINTER(ctypes.POINTER(arrow_columns._Array)),
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
        with self.assertRaisesRegex(st.DTypeError, "'v' has texts"):
            st.from_arrow(pyarrow.table({"i": [0], "v": ["a"]}))
        with self.assertRaisesRegex(st.DTypeError, "Arrow's type 'tdD'"):
            st.from_arrow(pyarrow.table({"i": pyarrow.array([3], "date32"), "v": [1.0]}))
        self.assertEqual(
            st.from_arrow(
                pyarrow.table({"i": pyarrow.array([], "int64"), "v": pyarrow.array([], "float32")})
            ).shape,
            (0,),
        )

    def test_columns_that_are_refused(self):
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
            {"i": pyarrow.array([3, 4]).dictionary_encode(), "v": [1.0, 2.0]},
            {"i": [0, 1], "v": pyarrow.array([5.0, 5.0]).dictionary_encode()},
        ):
            with self.assertRaisesRegex(st.DTypeError, "dictionary"):
                st.from_arrow(pyarrow.table(table))
        with self.assertRaisesRegex(st.DTypeError, "'v' has texts"):
            st.from_arrow(
                pyarrow.table({"i": [0, 1], "v": pyarrow.array(["a", "b"]).dictionary_encode()})
            )
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
        for options in ({"rows": slice(0, 1)}, {"group": "x"}, {"header": True}):
            with self.assertRaisesRegex(st.ArgumentError, "no part"):
                st.read(path, **options)
        with self.assertRaisesRegex(st.ArgumentError, "columns of tables have names"):
            st.read(path, weight=3)
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


@unittest.skipUnless(HAS_PYARROW, "no pyarrow")
class IdsTest(TestCase):
    """Ids that are no indices, against dictionaries of Python."""

    def table(self, **columns):
        import pyarrow

        return pyarrow.table(columns)

    def test_kinds_of_texts(self):
        import pyarrow

        texts = ["berta", "a text of more than twelve bytes", "", "berta", "größe"]
        expected = ["berta", "a text of more than twelve bytes", "", "größe"]
        whole = pyarrow.array(texts)
        codes = pyarrow.array([4, 1, 3, 4, 2], "int8")
        listed = pyarrow.array(["unused", texts[1], texts[4], "", "berta"], "large_string")
        kinds = [
            whole,
            whole.cast("large_string"),
            whole.cast(pyarrow.string_view()),
            whole.dictionary_encode(),
            pyarrow.DictionaryArray.from_arrays(codes, listed),
            pyarrow.array(["before", *texts]).slice(1),
            pyarrow.chunked_array([texts[:2], texts[2:]]),
        ]
        for column in kinds:
            with self.subTest(str(column.type)):
                table = self.table(id=column, v=[1.0, 2.0, 3.0, 4.0, 5.0])
                x, names = st.from_arrow(table, names=True)
                self.assertEqual(names, [expected])
                self.assert_same(x, numpy.array([5.0, 2.0, 3.0, 5.0]))
        nulls = pyarrow.array(["a", None, "b"])
        for column in (nulls, nulls.dictionary_encode()):
            with self.assertRaisesRegex(st.ArgumentError, "nulls"):
                st.from_arrow(self.table(id=column, v=[1.0, 2.0, 3.0]))
        empty = self.table(id=pyarrow.array([], "string"), v=pyarrow.array([], "float32"))
        x, names = st.from_arrow(empty, names=True)
        self.assertEqual((x.shape, names, x.dtype), ((0,), [[]], "float32"))

    def test_drawn(self):
        for _ in range(10):
            count = int(self.generator.integers(1, 300))
            users = [f"u{n}" for n in self.generator.integers(0, 40, count)]
            items = self.generator.integers(-(10**12), 10**12, 30)[
                self.generator.integers(0, 30, count)
            ]
            values = self.draw(count)
            table = self.table(user=users, item=items, v=values)
            for word in ("appearance", "sorted"):
                x, names = st.from_arrow(table, ids=word, names=True)
                orders = [
                    list(dict.fromkeys(users)),
                    list(dict.fromkeys(items.tolist())),
                ]
                if word == "sorted":
                    orders = [sorted(order) for order in orders]
                self.assertEqual(names, [orders[0], [str(item) for item in orders[1]]])
                expected = numpy.zeros((len(orders[0]), len(orders[1])))
                for user, item, value in zip(users, items.tolist(), values):
                    expected[orders[0].index(user), orders[1].index(item)] += value
                self.assert_same(x, expected)

    def test_words(self):
        table = self.table(user=["b", "a"], day=[3, 1], v=[1.0, 2.0])
        x, names = st.from_arrow(table, names=True)
        self.assertEqual((x.shape, names), ((2, 4), [["b", "a"], None]))
        x, names = st.from_arrow(table, ids={"user": "sorted"}, names=True)
        self.assertEqual(names, [["a", "b"], None])
        self.assert_same(x, numpy.array([[0, 2.0, 0, 0], [0, 0, 0, 1.0]]))
        x, names = st.from_arrow(table, ids={"day": "sorted"}, names=True)
        self.assertEqual(names, [["b", "a"], ["1", "3"]])
        # In ascending order as numbers, not as texts.
        numbers = self.table(i=["10", "9", "100"], v=[1, 2, 3])
        self.assertEqual(st.from_arrow(numbers, ids="sorted", names=True)[1], [["9", "10", "100"]])
        with self.assertRaisesRegex(st.DTypeError, "no indices"):
            st.from_arrow(table, ids="index")
        for wrong in ("index or sorted", {"user": "order"}, {"v": "sorted"}):
            with self.assertRaisesRegex(st.ArgumentError, "ids="):
                st.from_arrow(table, ids=wrong)
        with self.assertRaisesRegex(st.ShapeError, "outside|coordinate"):
            st.from_arrow(table, shape=(1, 4))

    def test_edges(self):
        table = self.table(a=["x", "y", "x", "z"], b=["y", "x", "x", "y"], w=[1.0, 2.0, 4.0, 8.0])
        x, names = st.from_arrow(table, edges="directed", names=True)
        self.assertEqual(names, [["x", "y", "z"]] * 2)
        expected = numpy.array([[4.0, 1, 0], [2, 0, 0], [0, 8, 0]])
        self.assert_same(x, expected)
        both = expected + expected.T - numpy.diag(numpy.diag(expected))
        self.assert_same(st.from_arrow(table, edges="undirected"), both)
        x, names = st.from_arrow(table, edges="bipartite", names=True)
        self.assertEqual(names, [["x", "y", "z"], ["y", "x"]])
        self.assert_same(x, expected[:, [1, 0]])
        # Without weights.
        pairs = table.select(["a", "b"])
        self.assert_same(st.from_arrow(pairs, edges="directed"), expected != 0)
        counts = st.from_arrow(table, coordinates=["a"], values=1)
        self.assert_same(counts, numpy.array([2, 1, 1]))
        for options in (
            {"edges": "both"},
            {"edges": "directed", "coordinates": ["a"]},
            {"edges": "directed", "ids": {"a": "sorted"}},
        ):
            with self.assertRaises(st.ArgumentError):
                st.from_arrow(table, **options)

    def test_polars(self):
        if not importlib.util.find_spec("polars"):
            self.skipTest("no polars")
        import polars

        table = polars.DataFrame({"user": ["b", "a", "b"], "n": [0, 2, 0], "v": [1.0, 2.0, 4.0]})
        x, names = st.from_arrow(table, names=True)
        self.assertEqual(names, [["b", "a"], None])
        self.assert_same(x, numpy.array([[5.0, 0, 0], [0, 0, 2.0]]))


@unittest.skipUnless(HAS_PYARROW, "no pyarrow")
class PartsTest(TestCase):
    """Files that are read part by part."""

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, row_group_size=None, **columns):
        import pyarrow
        import pyarrow.parquet

        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        table = pyarrow.table(columns)
        pyarrow.parquet.write_table(table, path, row_group_size=row_group_size)
        return path

    def replace(self, module, **values):
        for name, value in values.items():
            self.addCleanup(setattr, module, name, getattr(module, name))
            setattr(module, name, value)

    def test_columns(self):
        path = self.write("a.parquet", time=["t1", "t2"], user=["b", "a"], item=[2, 0], stars=[5, 3])
        x, names = st.read_table(
            path, "CSR", coordinates=["item", "user"], values="stars", ids={"user": "sorted"}, names=True
        )
        self.assertEqual((x.format.name, names), ("CSR", [None, ["a", "b"]]))
        self.assert_same(x, numpy.array([[3, 0], [0, 0], [0, 5]]))
        self.assertEqual(st.read(path, order=3, weight="item").shape, (2, 2, 6))
        self.assertEqual(st.read(path, names=True)[1], [["t1", "t2"], ["b", "a"], None])
        with self.assertRaisesRegex(st.ArgumentError, "0 columns 'rating'"):
            st.read_table(path, values="rating")

    def test_groups_of_rows(self):
        self.replace(table_files, ROWS_AT_ONCE=64)
        self.replace(table_entries, ROWS_BEFORE_SUMS=200)
        most = 0
        summed = table_entries.Entries._sum

        def counted(entries):
            nonlocal most
            most = max(most, entries.count)
            summed(entries)

        self.replace(table_entries.Entries, _sum=counted)
        rows, columns = self.generator.integers(0, 8, 5000), self.generator.integers(0, 9, 5000)
        values = self.draw(5000)
        expected = numpy.zeros((8, 9))
        numpy.add.at(expected, (rows, columns), values)
        path = self.write("a.parquet", row_group_size=100, i=rows.astype("uint64"), j=columns, v=values)
        self.assert_same(st.read(path), expected)
        # As many rows as there are sums and a batch, not all rows.
        self.assertGreater(most, 200)
        self.assertLess(most, 200 + 72 + 64 + 1)
        # The sums are those of all rows at once, bit by bit.
        self.replace(table_entries, ROWS_BEFORE_SUMS=10**9)
        whole = st.read(path)
        self.replace(table_entries, ROWS_BEFORE_SUMS=200)
        self.assertEqual(st.read(path).values.tobytes(), whole.values.tobytes())
        counts = numpy.zeros((8, 9), "int64")
        numpy.add.at(counts, (rows, columns), 1)
        x = st.read_table(path, coordinates=["i", "j"], values=True, dtype="int64")
        self.assert_same(x, counts)
        kept = st.read_table(path, duplicates="keep")
        self.assertEqual(kept.nnz, 5000)
        with self.assertRaisesRegex(st.ArgumentError, "same coordinates"):
            st.read_table(path, duplicates="error")
        if importlib.util.find_spec("ml_dtypes"):
            half = st.read_table(path, dtype="bfloat16", coordinates=["i"], values=1)
            self.assertEqual(str(half.dtype), "bfloat16")

    def test_folders(self):
        rows = self.generator.integers(0, 20, 300)
        values = self.draw(300)
        expected = numpy.zeros(20)
        numpy.add.at(expected, rows, values)
        for at in range(3):
            part = slice(100 * at, 100 * at + 100)
            self.write(f"all.parquet/part-{at}.parquet", i=rows[part], v=values[part])
            self.write(f"plain/deep/part-{at}.parquet", i=rows[part], v=values[part])
        # What writers put beside parts is none.
        for name in ("all.parquet/_SUCCESS", "all.parquet/.part-0.parquet", "plain/_a.parquet"):
            with open(os.path.join(self.folder, name), "wb"):
                pass
        for name in ("all.parquet", "all.parquet/", "plain", "plain/*/part-*.parquet"):
            path = os.path.join(self.folder, name)
            self.assert_same(st.read_table(path, shape=(20,)), expected)
            self.assertEqual(st.read(path).ndim, 1)
        for name in ("none/*.parquet", "none.parquet", "empty.parquet"):
            os.makedirs(os.path.join(self.folder, "empty.parquet"), exist_ok=True)
            with self.assertRaises(st.MissingFileError):
                st.read(os.path.join(self.folder, name))

    def test_columns_that_folders_name(self):
        self.write("a/day=2/x.parquet", user=["u"], v=[1.0])
        self.write("a/day=10/x.parquet", user=["w"], v=[2.0])
        self.write("a/day=10/y.parquet", user=["u"], v=[4.0])
        path = os.path.join(self.folder, "a")
        x, names = st.read(path, names=True)
        self.assertEqual(names, [None, ["w", "u"]])
        self.assertEqual((x.shape, x[10, 0], x[10, 1], x[2, 1]), ((11, 2), 2.0, 4.0, 1.0))
        x, names = st.read_table(path, coordinates=["day"], values=1, ids="sorted", names=True)
        self.assertEqual(names, [["2", "10"]])
        self.assert_same(x, numpy.array([1, 2]))
        x = st.read_table(path + "/day=10/*.parquet")
        self.assert_same(x, numpy.array([2.0, 4.0]))
        self.assert_same(st.read_table(path + "/day=1?/x.parquet").sum(), 2.0)
        self.write("b/city=Den%20Haag/x.parquet", v=[1.0])
        self.write("b/city=Delft/x.parquet", v=[2.0])
        x, names = st.read(os.path.join(self.folder, "b"), names=True)
        self.assertEqual(names, [["Delft", "Den Haag"]])
        self.write("b/x.parquet", v=[2.0])
        with self.assertRaisesRegex(st.FileError, "folders name the columns"):
            st.read(os.path.join(self.folder, "b"))
        self.write("c/city=__HIVE_DEFAULT_PARTITION__/x.parquet", v=[1.0])
        with self.assertRaisesRegex(st.FileError, "null"):
            st.read(os.path.join(self.folder, "c"))

    def test_parts_that_differ(self):
        self.write("a/1.parquet", i=numpy.array([1], "int32"), v=numpy.array([1], "int8"))
        self.write("a/2.parquet", v=[0.5], i=numpy.array([0], "uint64"))
        self.write("a/3.parquet", i=numpy.empty(0, "int64"), v=numpy.empty(0), other=numpy.empty(0))
        path = os.path.join(self.folder, "a")
        self.assert_same(st.read(path), numpy.array([0.5, 1.0]))
        self.write("a/4.parquet", i=["text"], v=[0.5])
        with self.assertRaisesRegex(st.DTypeError, "texts in some parts"):
            st.read(path)
        self.write("a/4.parquet", i=[0])
        with self.assertRaisesRegex(st.FileError, "4.parquet.*no column 'v'"):
            st.read(path)
        with open(os.path.join(path, "4.parquet"), "wb") as file:
            file.write(b"PAR1 and nothing else")
        with self.assertRaisesRegex(st.FileError, "4.parquet"):
            st.read(path)
        # Damage behind the schema shows when the rows are read.
        whole = self.write("d.parquet", i=numpy.arange(10000), v=self.draw(10000))
        with open(whole, "r+b") as file:
            file.seek(4)
            file.write(bytes(5000))
        with self.assertRaisesRegex(st.FileError, "d.parquet"):
            st.read(whole)

    def test_sizes_that_parts_say(self):
        x = numpy.zeros((4, 5))
        x[1, 2] = 3
        for name in ("s/1.arrow", "s/2.parquet"):
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            st.write(path, st.asarray(x, format="COO"))
        self.assert_same(st.read(os.path.join(self.folder, "s")), 2 * x)
        st.write(os.path.join(self.folder, "s/3.parquet"), st.asarray(x[:3], format="COO"))
        self.assertEqual(st.read(os.path.join(self.folder, "s")).shape, (2, 3))

    def test_kinds_of_arrow_files(self):
        import pyarrow
        import pyarrow.feather

        table = pyarrow.table({"i": ["b", "a", "b"], "v": [1.0, 2.0, 4.0]})
        for name, write in {
            "a.feather": lambda path: self.write_first_version(path, table),
            "b.feather": lambda path: pyarrow.feather.write_feather(table, path, chunksize=2),
            "c.arrow": lambda path: self.write_stream(path, table),
        }.items():
            with self.subTest(name):
                path = os.path.join(self.folder, name)
                with warnings.catch_warnings(category=DeprecationWarning, action="ignore"):
                    write(path)
                    x, names = st.read(path, names=True)
                self.assertEqual(names, [["b", "a"]])
                self.assert_same(x, numpy.array([5.0, 2.0]))

    @staticmethod
    def write_first_version(path, table):
        """Which pyarrow will not write for ever."""
        import pyarrow.feather

        try:
            pyarrow.feather.write_feather(table, path, version=1)
        except ValueError:
            pyarrow.feather.write_feather(table, path)

    @staticmethod
    def write_stream(path, table):
        import pyarrow

        with pyarrow.OSFile(path, "wb") as file:
            with pyarrow.ipc.new_stream(file, table.schema) as writer:
                writer.write_table(table, max_chunksize=2)


if __name__ == "__main__":
    unittest.main()
