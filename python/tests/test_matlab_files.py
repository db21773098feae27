"""MATLAB's files of version 7.3, written by h5py as MATLAB writes them: dimensions backwards, sparse
matrices as `ir`, `jc` and `data`, complex numbers in pairs."""

import os
import sys
import tempfile
import unittest

import numpy
import scipy.sparse

import strata as st
from drawing import TestCase

try:
    import h5py
except ImportError:
    sys.exit(77)

CLASSES = {
    "float64": "double",
    "float32": "single",
    "bool": "logical",
    "complex128": "double",
    "complex64": "single",
}


def stored(x):
    """The elements as MATLAB stores them."""
    if x.dtype == bool:
        return x.astype("uint8")
    if x.dtype.kind == "c":
        part = x.real.dtype
        return x.view([("real", part), ("imag", part)])
    return x


def write(path, **variables):
    with h5py.File(path, "w", userblock_size=512) as file:
        for name, x in variables.items():
            kind = numpy.bytes_(CLASSES.get(x.dtype.name, x.dtype.name))
            if scipy.sparse.issparse(x):
                x = scipy.sparse.csc_matrix(x)
                group = file.create_group(name)
                group.attrs["MATLAB_sparse"] = numpy.uint64(x.shape[0])
                group.attrs["MATLAB_class"] = kind
                group["jc"] = x.indptr.astype("uint64")
                if x.nnz:
                    group["ir"] = x.indices.astype("uint64")
                    group["data"] = stored(x.data)
                continue
            data = stored(numpy.ascontiguousarray(x.T))
            file[name] = data if x.size else numpy.array(x.shape, "uint64")
            file[name].attrs["MATLAB_class"] = kind
            if not x.size:
                file[name].attrs["MATLAB_empty"] = numpy.uint8(1)
        if "text" not in variables:
            file["text"] = numpy.array([[104, 105]], "uint16")
            file["text"].attrs["MATLAB_class"] = numpy.bytes_("char")
        file.create_group("#refs#")
    with open(path, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\x00\x02IM")


class MatlabTest(TestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "a.mat")

    def test_arrays(self):
        variables = {
            dtype: self.draw((3, 4), dtype) for dtype in [*CLASSES, "int8", "uint64", "int32"]
        }
        variables["t"] = self.draw((2, 3, 4))
        variables["v"] = self.draw((1, 5))
        variables["e"] = numpy.zeros((0, 3))
        write(self.path, **variables)
        for name, x in variables.items():
            self.assert_same(st.read(self.path, group=name), x, name)
        self.assert_same(st.read(f"{self.path}::t[1:,0:2]"), variables["t"][1:, :2])
        self.assertEqual(st.list_tensors(self.path), sorted(variables))

    def test_sparse(self):
        variables = {
            dtype: scipy.sparse.csc_matrix(self.draw((5, 4), dtype))
            for dtype in ("float64", "bool", "complex128")
        }
        variables["e"] = scipy.sparse.csc_matrix((3, 2))
        variables["none"] = scipy.sparse.csc_matrix((3, 0))
        write(self.path, **variables)
        for name, x in variables.items():
            self.assert_same(st.read(self.path, group=name), x.toarray(), name)
            self.assert_same(st.read(self.path, "CSC", group=name), x.toarray(), name)
        x = variables["float64"].toarray()
        self.assert_same(st.read(self.path, group="float64", columns=slice(1, 3)), x[:, 1:3])
        self.assert_same(st.read(self.path, group="float64", rows=slice(1, 3)), x[1:3])

    def test_the_only_variable(self):
        x = scipy.sparse.csc_matrix(self.draw((5, 4)))
        write(self.path, A=x)
        self.assert_same(st.read(self.path), x.toarray())

    def test_mistakes(self):
        write(self.path, A=numpy.eye(3), B=numpy.eye(2), C=scipy.sparse.csc_matrix(numpy.eye(3)))
        with self.assertRaisesRegex(
            st.FileError, "several tensors; expected FILE::NAME with one of 'A', 'B', 'C'"
        ):
            st.read(self.path)
        with self.assertRaisesRegex(st.FileError, "class 'char'"):
            st.read(self.path, group="text")
        with h5py.File(self.path, "r+") as file:
            file["C/ir"][1] = 9
        with self.assertRaisesRegex(st.FileError, "element 1 of 'ir' is 9"):
            st.read(self.path, group="C")
        with open(self.path, "wb") as file:
            file.write(b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + bytes(100))
        with self.assertRaisesRegex(st.FileError, "-v7.3"):
            st.read(self.path)


if __name__ == "__main__":
    unittest.main()
