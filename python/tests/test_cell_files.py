"""AnnData's files and stores, and those of 10x Genomics: as h5py writes what the packages write,
and by the package anndata where it is installed."""

import importlib.util
import json
import os
import sys
import tempfile
import unittest
import warnings

import numpy
import scipy.sparse

import strata as st
from drawing import TestCase

try:
    import h5py
except ImportError:
    sys.exit(77)

HAS_ANNDATA = importlib.util.find_spec("anndata") is not None


def put_matrix(group, x, **options):
    """AnnData's matrix in a group."""
    kind = type(x).__name__.replace("_array", "_matrix")
    group.attrs["encoding-type"] = kind
    group.attrs["encoding-version"] = "0.1.0"
    group.attrs["shape"] = numpy.array(x.shape)
    for name in ("data", "indices", "indptr"):
        array = getattr(x, name)
        if "chunks" in options:
            options = {**options, "chunks": tuple(min(size, array.size) for size in options["chunks"])}
        group.create_dataset(name, data=array, **options)


def put_frame(group, names):
    group.attrs["encoding-type"] = "dataframe"
    group.attrs["_index"] = "index"
    group["index"] = numpy.array(names, dtype=h5py.string_dtype())


class CellTest(TestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.cells = [f"cell {i}" for i in range(9)]
        self.genes = [f"gén {i}" for i in range(6)]
        self.x = self.draw((9, 6), "float32")
        self.counts = self.draw((9, 6), "int32")

    def path(self, name="a.h5ad"):
        return os.path.join(self.folder, name)

    def write(self, **options):
        with h5py.File(self.path(), "w") as file:
            file.attrs["encoding-type"] = "anndata"
            put_matrix(file.create_group("X"), scipy.sparse.csr_matrix(self.x), **options)
            put_frame(file.create_group("obs"), self.cells)
            put_frame(file.create_group("var"), self.genes)
            put_matrix(
                file.create_group("layers/counts"), scipy.sparse.csc_matrix(self.counts), **options
            )
            file["layers/dense"] = self.x.astype("float16")
            put_matrix(file.create_group("obsp/near"), scipy.sparse.csr_matrix(numpy.eye(9) > 0))
            put_matrix(file.create_group("raw/X"), scipy.sparse.csr_matrix(self.x[:, :4]))
            put_frame(file.create_group("raw/var"), self.genes[:4])

    def test_tensors(self):
        for options in ({}, {"compression": "gzip", "chunks": (5,)}):
            self.write(**options)
            self.assert_same(st.read(self.path()), self.x)
            self.assert_same(st.read(self.path(), "CSC", dtype="float64"), self.x.astype(float))
            counts = st.read(self.path(), group="layers/counts")
            self.assert_same(counts, self.counts)
            self.assert_same(st.read(self.path() + "::layers/dense"), self.x.astype("float16"))
            self.assert_same(st.read(self.path(), group="obsp/near"), numpy.eye(9) > 0)
            self.assert_same(st.read(self.path(), group="/raw/X/"), self.x[:, :4])
        found = ["X", "layers/counts", "layers/dense", "obsp/near", "raw/X"]
        self.assertEqual(st.list_tensors(self.path()), found)

    def test_names(self):
        self.write()
        x, names = st.read(self.path(), names=True)
        self.assert_same(x, self.x)
        self.assertEqual(names, [self.cells, self.genes])
        _, names = st.read(self.path(), group="obsp/near", names=True)
        self.assertEqual(names, [self.cells, self.cells])
        _, names = st.read(self.path(), group="raw/X", names=True, rows=slice(2, 4))
        self.assertEqual(names, [self.cells[2:4], self.genes[:4]])
        _, names = st.read(self.path(), names=True, rows=slice(2, 2))
        self.assertEqual(names, [[], self.genes])
        with h5py.File(self.path(), "r+") as file:
            del file["obs/index"]
            file["obs/index"] = numpy.array(self.cells[:4], dtype=h5py.string_dtype())
        with self.assertRaisesRegex(st.FileError, "no places from 0 to 9: its sizes are 4"):
            st.read(self.path(), names=True)

    def test_parts(self):
        self.write(chunks=(4,))
        for group, whole in (
            ("X", self.x),
            ("layers/counts", self.counts),
            ("layers/dense", self.x.astype("float16")),
        ):
            for rows in (
                None,
                slice(0, 3),
                slice(3, None),
                slice(4, 4),
                slice(7, 99),
                slice(99, 100),
            ):
                for columns in (None, slice(2, 5), slice(6, None)):
                    read = st.read(self.path(), group=group, rows=rows, columns=columns)
                    part = whole[rows or slice(None), columns or slice(None)]
                    self.assert_same(read, part, (group, rows, columns))
        for rows in (3, slice(0, 4, 2), slice(-2, None), slice(0.5, 2)):
            with self.assertRaises(st.ArgumentError):
                st.read(self.path(), rows=rows)

    def test_only_what_is_asked_for(self):
        # Of a file that is damaged further on, the rows before that are read.
        self.write()
        with h5py.File(self.path(), "r+") as file:
            file["X/indices"][-1] = 77
        self.assert_same(st.read(self.path(), rows=slice(0, 5)), self.x[:5])
        with self.assertRaisesRegex(st.FileError, "of 'indices' is 77; expected from 0 to 5"):
            st.read(self.path())

    def test_chunks(self):
        # Pieces of the file, in the order of the chunks, whatever finds these: a list, a tree, ...
        x = scipy.sparse.csr_matrix(self.draw((300, 200), "float32"))
        for version in ("earliest", ("v110", "v110")):
            for options in (
                {"chunks": (2048,)},
                {"chunks": (2048,), "maxshape": (None,)},
                {"chunks": (100000,)},
                {"chunks": (7,)},
                {"chunks": (2048,), "fletcher32": True},
                {"chunks": (2048,), "compression": "gzip", "shuffle": True},
                {"chunks": (2048,), "compression": "gzip", "shuffle": True, "fletcher32": True},
                {"chunks": (999,), "compression": "gzip"},
            ):
                with h5py.File(self.path(), "w", libver=version, userblock_size=512) as file:
                    put_matrix(file.create_group("X"), x, **options)
                read = st.read(self.path())
                for name in ("data", "indices", "indptr"):
                    found = {
                        "data": read.values,
                        "indices": read.levels[1].crd,
                        "indptr": read.levels[1].pos,
                    }[name]
                    self.assertEqual(found.tolist(), getattr(x, name).tolist(), (version, options))
                part = st.read(self.path(), rows=slice(20, 170))
                self.assert_same(part, x[20:170].toarray(), (version, options))
                self.assert_same(st.read(self.path(), "CSC"), x.toarray(), (version, options))

    def test_compressed_chunks(self):
        # Numbers that compress well, and those that hardly do.
        for x in (numpy.arange(40000) // 1000, self.draw((40000,)), numpy.zeros(40000, "u1")):
            for options in ({}, {"shuffle": True}):
                with h5py.File(self.path("a.h5"), "w") as file:
                    file.create_dataset("x", data=x, chunks=(3000,), compression="gzip", **options)
                read = st.read(self.path("a.h5"))
                self.assertEqual(read.todense().tolist(), x.tolist())
                read = st.read(self.path("a.h5"), rows=slice(2999, 12001))
                self.assertEqual(read.todense().tolist(), x[2999:12001].tolist())

    def test_damaged_compression(self):
        x = numpy.arange(40000) // 7
        with h5py.File(self.path("a.h5"), "w") as file:
            file.create_dataset("x", data=x, chunks=(3000,), compression="gzip")
            place = file["x"].id.get_chunk_info(5)
        with open(self.path("a.h5"), "r+b") as file:
            file.seek(place.byte_offset)
            file.write(b"\xff" * place.size)
        with self.assertRaisesRegex(st.FileError, "a compressed chunk of 'x' is damaged"):
            st.read(self.path("a.h5"))
        self.assertEqual(st.read(self.path("a.h5"), rows=slice(0, 15000)).nnz, 15000)

    def test_chunks_of_other_types(self):
        x = scipy.sparse.csr_matrix(self.draw((300, 200), "float32"))
        for values, indices in ((">f4", ">i4"), ("f8", "i8"), ("i2", "u2"), ("u1", "i8"), ("f2", "u8")):
            with h5py.File(self.path(), "w") as file:
                group = file.create_group("X")
                group.attrs.update({"encoding-type": "csr_matrix", "shape": x.shape})
                group.create_dataset("data", data=x.data.astype(values), chunks=(999,))
                group.create_dataset("indices", data=x.indices.astype(indices), chunks=(1000,))
                group.create_dataset("indptr", data=x.indptr.astype(indices), chunks=(17,))
            read = st.read(self.path())
            self.assertEqual(read.values.tolist(), x.data.astype(values).tolist())
            self.assertEqual(read.dtype, numpy.dtype(values).newbyteorder("="))
            self.assertEqual(read.levels[1].crd.tolist(), x.indices.tolist())

    def test_chunks_that_are_not_there(self):
        # Those of values have the fill value; those of coordinates 0, which is in no order.
        with h5py.File(self.path(), "w") as file:
            group = file.create_group("X")
            group.attrs.update({"encoding-type": "csr_matrix", "shape": (3, 9000)})
            group["indptr"] = numpy.array([0, 0, 9000, 9000])
            group.create_dataset("data", (9000,), "f4", chunks=(3000,), fillvalue=2.5)[3000:6000] = 1
            indices = group.create_dataset("indices", (9000,), "i4", chunks=(3000,))
            indices[:] = numpy.arange(9000)
        expected = numpy.zeros((3, 9000), "float32")
        expected[1] = 2.5
        expected[1, 3000:6000] = 1
        self.assert_same(st.read(self.path()), expected)

    def test_damaged_chunks(self):
        x = scipy.sparse.csr_matrix(self.draw((300, 200), "float32"))
        for place, number, words in (
            (5000, 200, "element 5000 of 'indices' is 200; expected from 0 to 199"),
            (4100, -1, "element 4100 of 'indices' is -1; expected from 0 to 199"),
        ):
            with h5py.File(self.path(), "w") as file:
                put_matrix(file.create_group("X"), x, chunks=(2048,))
                file["X/indices"][place] = number
            with self.assertRaisesRegex(st.FileError, words):
                st.read(self.path())
        # Entries that are in no order, or repeat, are sorted and added up.
        with h5py.File(self.path(), "w") as file:
            put_matrix(file.create_group("X"), x, chunks=(2048,))
            begin, end = x.indptr[100], x.indptr[101]
            file["X/indices"][begin:end] = x.indices[begin:end][::-1]
            file["X/data"][begin:end] = x.data[begin:end][::-1]
        self.assert_same(st.read(self.path()), x.toarray())

    def test_widths(self):
        # What is read has the widths of a format of Python, so that nothing is converted.
        from strata import _core, handles

        self.write(chunks=(5,))
        read = handles.wrap(_core.read(self.path(), None, None))
        self.assertEqual(str(read.levels[1].crd.dtype), "int32")
        self.assertTrue(read.asformat("CSR").shares_memory(read))

    def test_old_attributes(self):
        with h5py.File(self.path(), "w") as file:
            x = scipy.sparse.csr_matrix(self.x)
            group = file.create_group("X")
            group.attrs["h5sparse_format"] = "csr"
            group.attrs["h5sparse_shape"] = numpy.array(x.shape)
            for name in ("data", "indices", "indptr"):
                group[name] = getattr(x, name)
        self.assert_same(st.read(self.path()), self.x)

    def test_ten_x(self):
        matrix = scipy.sparse.csc_matrix(self.counts.T)
        for genome, features in (("matrix", "features/id"), ("hg19", "genes")):
            with h5py.File(self.path("a.h5"), "w") as file:
                group = file.create_group(genome)
                for name in ("data", "indices", "indptr", "shape"):
                    group[name] = numpy.array(getattr(matrix, name))
                group["barcodes"] = numpy.array([name.encode() for name in self.cells])
                group[features] = numpy.array([b"G%d" % i for i in range(6)])
            x, names = st.read(self.path("a.h5"), names=True)
            self.assert_same(x, self.counts.T)
            self.assertEqual(names, [[f"G{i}" for i in range(6)], self.cells])
            x = st.read(self.path("a.h5"), "CSC", columns=slice(3, 5))
            self.assert_same(x, self.counts.T[:, 3:5])

    def test_arrays(self):
        x = self.draw((3, 4, 5))
        with h5py.File(self.path("a.h5"), "w") as file:
            file["x"] = x
            file.create_group("nothing")
        self.assert_same(st.read(self.path("a.h5")), x)
        self.assert_same(
            st.read(self.path("a.h5"), rows=slice(1, 3), columns=slice(0, 2)), x[1:3, :2]
        )
        with h5py.File(self.path("a.h5"), "r+") as file:
            file["s"] = 2.5
            file["deep/y"] = x[0].astype("complex64")
        with self.assertRaisesRegex(
            st.FileError, "several tensors; expected FILE::NAME with one of 's', 'x'"
        ):
            st.read(self.path("a.h5"))
        self.assertEqual(float(st.read(self.path("a.h5"), group="s").item()), 2.5)
        self.assert_same(st.read(self.path("a.h5"), group="deep/y"), x[0].astype("complex64"))

    def test_other_files(self):
        # What a file only points to is not read: other files, by links or as storage.
        secret = self.path("secret.bin")
        numpy.arange(8.0).tofile(secret)
        with h5py.File(self.path("b.h5"), "w") as file:
            file["x"] = numpy.arange(8.0)
        with h5py.File(self.path("a.h5"), "w") as file:
            file["own"] = numpy.zeros(1000)
            file["linked"] = h5py.ExternalLink(self.path("b.h5"), "/x")
            file["soft"] = h5py.SoftLink("/linked")
            file.create_dataset("stored", shape=(8,), dtype="f8", external=[(secret, 0, 64)])
            layout = h5py.VirtualLayout((8,), "f8")
            layout[:] = h5py.VirtualSource(self.path("b.h5"), "x", (8,))
            file.create_virtual_dataset("virtual", layout)
        for group, words in (
            ("linked", "no group or array"),
            ("soft", "no group or array"),
            ("stored", "lie elsewhere"),
            ("virtual", "lie elsewhere"),
        ):
            with self.assertRaisesRegex(st.FileError, words):
                st.read(self.path("a.h5"), group=group)

    def test_nothing_stored(self):
        with h5py.File(self.path("a.h5"), "w") as file:
            file.create_dataset("none", (4, 5), "f8", fillvalue=2.5)
            some = file.create_dataset("some", (100, 90), "i4", chunks=(10, 10), fillvalue=7)
            some[31, 42] = 1
        self.assert_same(st.read(self.path("a.h5"), group="none"), numpy.full((4, 5), 2.5))
        with h5py.File(self.path("b.h5"), "w") as file:
            rows = self.draw((300, 700))
            file.create_dataset("rows", data=rows, chunks=(7, 700))
            file.create_dataset("blocks", data=rows, chunks=(7, 13))
            file.create_dataset("columns", data=rows, chunks=(300, 11))
        for name in ("rows", "blocks", "columns"):
            self.assert_same(st.read(self.path("b.h5"), group=name), rows)
            self.assert_same(st.read(self.path("b.h5"), group=name, rows=slice(5, 99)), rows[5:99])
        expected = numpy.full((100, 90), 7, "int32")
        expected[31, 42] = 1
        self.assert_same(st.read(self.path("a.h5"), group="some"), expected)
        self.assert_same(
            st.read(self.path("a.h5"), group="some", rows=slice(30, 32)), expected[30:32]
        )

    def test_enumerations(self):
        with h5py.File(self.path("a.h5"), "w") as file:
            file["flags"] = numpy.array([True, False])
            kind = h5py.enum_dtype({"red": 0, "green": 7}, basetype="i1")
            file.create_dataset("colours", data=numpy.array([0, 7], "i1"), dtype=kind)
        self.assert_same(st.read(self.path("a.h5"), group="flags"), numpy.array([True, False]))
        with self.assertRaisesRegex(st.FileError, "no numbers of a known type"):
            st.read(self.path("a.h5"), group="colours")

    def test_groups_in_circles(self):
        with h5py.File(self.path("a.h5"), "w") as file:
            file["a/x"] = self.x
            file["a,b/x"] = self.x
            file["a/again"] = file["a"]
            file["a/root"] = file["/"]
        self.assertEqual(st.list_tensors(self.path("a.h5")), ["a/x", "a,b/x"])
        self.assert_same(st.read(self.path("a.h5"), group="a,b/x"), self.x)
        self.assert_same(st.read(self.path("a.h5"), group="a/root/a/x"), self.x)

    def test_stores_that_are_refused(self):
        folder = self.path("a.zarr")
        os.makedirs(os.path.join(folder, "x"))
        with open(os.path.join(folder, "zarr.json"), "w", encoding="utf-8") as file:
            json.dump({"zarr_format": 3, "node_type": "group"}, file)
        described = {
            "zarr_format": 3,
            "node_type": "array",
            "shape": [2],
            "data_type": "float64",
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
            "codecs": [{"name": "sharding_indexed"}],
        }
        with open(os.path.join(folder, "x", "zarr.json"), "w", encoding="utf-8") as file:
            json.dump(described, file)
        with self.assertRaisesRegex(st.FileError, "'x' cannot be read: .*sharding_indexed"):
            st.read(folder, group="x")
        # A pipe in the place of a chunk, from which nothing comes.
        described["codecs"] = [{"name": "bytes", "configuration": {"endian": "little"}}]
        with open(os.path.join(folder, "x", "zarr.json"), "w", encoding="utf-8") as file:
            json.dump(described, file)
        os.mkdir(os.path.join(folder, "x", "c"))
        os.mkfifo(os.path.join(folder, "x", "c", "0"))
        with self.assertRaisesRegex(st.FileError, "the chunk is no file"):
            st.read(folder, group="x")

    def put_zarr(self, arrays, attributes=None):
        """Writes a store of version 3: each array's metadata, and its one chunk of bytes if it has one."""
        folder = self.path("b.zarr")
        for name, (described, content) in {"": ({"node_type": "group"}, None), **arrays}.items():
            os.makedirs(os.path.join(folder, name), exist_ok=True)
            node = {"zarr_format": 3, "node_type": "array", "attributes": attributes if not name else {},
                    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}], **described}
            if "shape" in described:
                grid = {"chunk_shape": node.pop("chunks", described["shape"])}
                node["chunk_grid"] = {"name": "regular", "configuration": grid}
            with open(os.path.join(folder, name, "zarr.json"), "w", encoding="utf-8") as file:
                json.dump(node, file)
            if content is not None:
                os.makedirs(os.path.join(folder, name, "c"), exist_ok=True)
                with open(os.path.join(folder, name, "c", "0"), "wb") as file:
                    file.write(content.tobytes())
        return folder

    def test_stores_that_lie(self):
        # Fewer pointers than rows.
        whole = {"data": numpy.ones(2), "indices": numpy.array([1, 2]), "indptr": numpy.array([0, 1, 2])}
        arrays = {name: ({"shape": [len(x)], "data_type": x.dtype.name, "fill_value": 0}, x)
                  for name, x in whole.items()}
        folder = self.put_zarr({"X/" + name: array for name, array in arrays.items()} | {
            "X": ({"node_type": "group", "attributes": {"encoding-type": "csr_matrix", "shape": [10, 5]}}, None)})
        with self.assertRaisesRegex(st.FileError, "'X/indptr' has 0 elements in the rows .*; expected 4"):
            st.read(folder, group="X", rows=slice(5, 8))
        # Elements that no file holds have the fill value, which is not known of bfloat16 unless it is 0.
        many = 2**62 + 1
        missing = {"shape": [2**63 - 1], "chunks": [many], "data_type": "int8", "fill_value": 3}
        folder = self.put_zarr({"far": (missing, None)})
        read = st.read(folder, group="far", rows=slice(many, many + 10))
        self.assertEqual(read.todense().tolist(), [3] * 10)
        half = {"shape": [4], "data_type": "bfloat16", "fill_value": 1.0}
        folder = self.put_zarr({"half": (half, None)})
        with self.assertRaisesRegex(st.FileError, "the fill value is none that can be read"):
            st.read(folder, group="half")
        folder = self.put_zarr({"half": (half | {"fill_value": 0.0}, None)})
        self.assertEqual(st.read(folder, group="half", dtype="float32").todense().tolist(), [0] * 4)

    def test_mistakes(self):
        def refuse(words, group, **options):
            with self.assertRaisesRegex(st.FileError, words):
                st.read(self.path(), group=group, **options)

        self.write()
        refuse("no group or array 'Y'; expected one of 'X', 'layers'", "Y")
        refuse("of the kind 'dataframe', no tensor", "obs")
        refuse("'obs/index' are no numbers|neither numbers|texts", "obs/index")
        with h5py.File(self.path(), "r+") as file:
            del file["X/indices"]
            file["layers/counts"].attrs["shape"] = numpy.array([9])
            del file["obsp/near/indptr"]
            file["obsp/near/indptr"] = numpy.array([0, 3, 1, 2, 3, 4, 5, 6, 7, 9])
            file["raw/X"].attrs["shape"] = numpy.array([1 << 60, 4])
        refuse("no array 'indices'", "X")
        refuse("does not say the shape", "layers/counts")
        refuse("expected at least 3, the pointer before it", "obsp/near")
        refuse("goes from 3 to 1", "obsp/near", rows=slice(1, 2))
        refuse("'indptr' has 10 elements", "raw/X")
        with h5py.File(self.path(), "w") as file:
            file.create_dataset("x", (1 << 40,), "float64", chunks=(1 << 20,))
        refuse("too few bytes in the file", "x")

    @unittest.skipUnless(HAS_ANNDATA, "no anndata")
    def test_anndata(self):
        import anndata
        import pandas

        warnings.simplefilter("ignore")
        made = anndata.AnnData(
            scipy.sparse.csr_matrix(self.x),
            obs=pandas.DataFrame(index=self.cells),
            var=pandas.DataFrame(index=self.genes),
        )
        made.layers["counts"] = scipy.sparse.csc_matrix(self.counts)
        made.obsm["pca"] = self.draw((9, 3))
        made.raw = made.copy()
        made.write_h5ad(self.path())
        paths = [self.path()]
        for version in (2, 3):
            anndata.settings.zarr_write_format = version
            paths.append(self.path(f"a{version}.zarr"))
            made.write_zarr(paths[-1])
        paths.append(self.path("chunks.zarr"))
        made.write_zarr(paths[-1], chunks=(4, 2))
        for path in paths:
            x, names = st.read(path, names=True)
            self.assert_same(x, self.x, path)
            self.assertEqual(names, [self.cells, self.genes], path)
            self.assert_same(st.read(path, group="layers/counts"), self.counts, path)
            self.assert_same(st.read(path, group="raw/X", rows=slice(2, 7)), self.x[2:7], path)
            self.assert_same(st.read(path, group="obsm/pca"), made.obsm["pca"], path)
            self.assertIn("layers/counts", st.list_tensors(path))
            part, names = st.read(path, rows=slice(3, 8), columns=slice(1, 4), names=True)
            self.assert_same(part, self.x[3:8, 1:4], path)
            self.assertEqual(names, [self.cells[3:8], self.genes[1:4]], path)


if __name__ == "__main__":
    unittest.main()
