"""safetensors, against files that are put together here byte by byte, and against the package of
this name where it is installed."""

import json
import os
import struct
import tempfile
import unittest

import numpy

import strata as st
from drawing import TestCase

NAMES = {
    "bool": "BOOL",
    "int8": "I8",
    "uint8": "U8",
    "int16": "I16",
    "uint16": "U16",
    "int32": "I32",
    "uint32": "U32",
    "int64": "I64",
    "uint64": "U64",
    "float16": "F16",
    "float32": "F32",
    "float64": "F64",
    "complex64": "C64",
}


def file_of(tensors, **more):
    """The bytes of a file of tensors."""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, x in tensors.items():
        bytes_ = numpy.ascontiguousarray(x).tobytes()
        header[name] = {
            "dtype": NAMES[x.dtype.name],
            "shape": list(x.shape),
            "data_offsets": [len(data), len(data) + len(bytes_)],
        }
        header[name].update(more)
        data += bytes_
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


class SafetensorsTest(TestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "a.safetensors")

    def write(self, bytes_):
        with open(self.path, "wb") as file:
            file.write(bytes_)

    def test_types(self):
        tensors = {dtype: self.draw((3, 4), dtype) for dtype in NAMES}
        self.write(file_of(tensors))
        self.assertEqual(st.list_tensors(self.path), list(NAMES))
        for dtype, x in tensors.items():
            self.assert_same(st.read(self.path, group=dtype), x)
            self.assert_same(st.read(f"{self.path}::{dtype}", "CSR"), x)
        with self.assertRaisesRegex(st.FileError, "13 tensors; expected FILE::NAME"):
            st.read(self.path)

    def test_bfloat16(self):
        bits = numpy.array([0x3F80, 0xC040, 0x0000, 0x7F80], "uint16")
        bytes_ = file_of({"w": bits}).replace(b'"U16"', b'"BF16"').replace(b"{", b"{ ", 1)
        self.write(struct.pack("<Q", len(bytes_) - 8 - 8) + bytes_[8:])
        expected = numpy.array([1, -3, 0, numpy.inf], "float32")
        self.assert_same(st.read(self.path, dtype="float32"), expected)
        st.write(self.path, st.read(self.path))
        with open(self.path, "rb") as file:
            self.assertTrue(file.read().endswith(bits.tobytes()))

    def test_orders_and_sizes(self):
        tensors = {"s": numpy.array(2.5), "v": numpy.arange(3.0), "e": numpy.zeros((0, 3))}
        tensors["t"] = self.draw((2, 3, 4))
        self.write(file_of(tensors))
        for name, x in tensors.items():
            self.assertEqual(st.read(self.path, group=name).shape, x.shape)
        self.assert_same(st.read(self.path, group="t"), tensors["t"])
        self.assert_same(st.read(self.path, group="v", rows=slice(1, 3)), numpy.array([1.0, 2.0]))
        part = st.read(self.path, group="t", rows=slice(1, None), columns=slice(0, 2))
        self.assert_same(part, tensors["t"][1:, :2])

    def test_written(self):
        for dtype in NAMES:
            x = self.draw((3, 5), dtype)
            st.write(self.path + "::weights", st.asarray(x))
            self.assertEqual(st.list_tensors(self.path), ["weights"])
            self.assert_same(st.read(self.path), x)
        st.write(self.path, st.asarray(numpy.asfortranarray(self.draw((3, 5)))))
        self.assertEqual(st.list_tensors(self.path), ["tensor"])
        with self.assertRaisesRegex(st.FileError, "the ending names no format"):
            st.write(self.path[: -len(".safetensors")] + ".npy::x", st.asarray(self.draw((3, 5))))
        with self.assertRaisesRegex(st.FileError, "dense tensor"):
            st.write(self.path, st.asarray(self.draw((3, 5)), format="CSR"))
        with self.assertRaisesRegex(st.FileError, "no type for complex128"):
            st.write(self.path, st.asarray(self.draw((3, 5), "complex128")))
        for part in ("w[0:1]", "edges=directed", "w,symmetry=8"):
            with self.assertRaisesRegex(st.FileError, "more than the name of a tensor"):
                st.write(self.path + "::" + part, st.asarray(self.draw((3, 5))))

    def test_any_name(self):
        names = [
            "a,b",
            "t[0]",
            "a=b",
            '"',
            'x"y"',
            "/x/",
            " x ",
            "a::b",
            "layer/weight",
            '"a",[1:2]',
        ]
        tensors = {name: self.draw((3, 2)) for name in names}
        self.write(file_of(tensors))
        self.assertEqual(sorted(st.list_tensors(self.path)), sorted(names))
        for name, x in tensors.items():
            self.assert_same(st.read(self.path, group=name), x)
            self.assert_same(st.read(self.path, group=name, rows=slice(1, 3)), x[1:3])
        self.assert_same(st.read(self.path + '::"a,b"[1:]'), tensors["a,b"][1:])
        with self.assertRaisesRegex(st.FileError, "text follows the name"):
            st.read(self.path + '::"a,b"c')

    def test_part_of_a_part(self):
        x = self.draw((4, 5))
        self.write(file_of({"a": x, "b": -x}))
        named = self.path + "::a"
        self.assert_same(st.read(named, rows=slice(1, 3)), x[1:3])
        self.assert_same(st.read(named, columns=slice(1, 3)), x[:, 1:3])
        for path, options in (
            (named, {"group": "a"}),
            (named + "[0:2]", {"rows": slice(0, 1)}),
            (named + "[0:2]", {"group": "a"}),
        ):
            with self.assertRaisesRegex(st.ArgumentError, "group=3 is no name"):
                st.read(self.path, group=3)
            with self.assertRaisesRegex(st.ArgumentError, "says itself which part"):
                st.read(path, **options)
        # Names of folders may have '::', too.
        folder = os.path.join(os.path.dirname(self.path), "x::y")
        os.mkdir(folder)
        path = os.path.join(folder, "a.safetensors")
        os.rename(self.path, path)
        self.assert_same(st.read(path, group="b"), -x)
        self.assertEqual(st.list_tensors(path), ["a", "b"])

    def test_package(self):
        try:
            import safetensors.numpy
        except ImportError:
            self.skipTest("no safetensors")
        tensors = {"a": self.draw((3, 4), "float32"), "b": self.draw((5,), "int16")}
        safetensors.numpy.save_file(tensors, self.path)
        for name, x in tensors.items():
            self.assert_same(st.read(self.path, group=name), x)
        st.write(self.path + "::w", tensors["a"])
        numpy.testing.assert_array_equal(safetensors.numpy.load_file(self.path)["w"], tensors["a"])

    def test_mistakes(self):
        x = numpy.zeros((2, 3))
        good = file_of({"a": x})
        for bytes_, words in (
            (good[:-1], "lies from byte 0 to 48"),
            (struct.pack("<Q", 1 << 26) + good[8:], "the header has 67108864 bytes"),
            (struct.pack("<Q", 5) + b"{1234" + good[8:], "no object of JSON"),
            (file_of({"a": x}, dtype="F8_E4M3"), "F8_E4M3"),
            (file_of({"a": x}, shape=[1 << 62, 1 << 62]), "lies from byte"),
            (file_of({"a": x}, shape=[-1]), "does not describe"),
            (file_of({"a": x}, data_offsets=[48, 0]), "lies from byte 48 to 0"),
            (file_of({}), "0 tensors"),
        ):
            with self.subTest(words):
                self.write(bytes_)
                with self.assertRaisesRegex(st.FileError, words):
                    st.read(self.path)
        self.write(good)
        with self.assertRaisesRegex(st.FileError, "no tensor 'b'; expected one of 'a'"):
            st.read(self.path, group="b")


if __name__ == "__main__":
    unittest.main()
