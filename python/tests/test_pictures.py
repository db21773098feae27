"""Patterns and storages as pictures."""

import os
import struct
import tempfile
import unittest
import zlib

import numpy

import strata as st
from drawing import MATRIX_FORMATS, TestCase


def pixels_of(png):
    """The pixels of a PNG picture in shades of grey whose lines are stored as they are."""
    width, height = struct.unpack(">II", png[16:24])
    data, at = b"", 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        data += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    lines = numpy.frombuffer(zlib.decompress(data), numpy.uint8).reshape(height, width + 1)
    assert not lines[:, 0].any()
    return lines[:, 1:]


class PicturesTest(TestCase):
    def test_patterns(self):
        x = self.draw((9, 12))
        for format in MATRIX_FORMATS:
            tensor = st.asarray(x, format=format)
            pixels = pixels_of(tensor.spy(size=12).png)[1:-1, 1:-1]
            self.assertEqual(pixels.shape, (9, 12))
            if format not in ("Dense", "Bitmap"):
                numpy.testing.assert_array_equal(pixels < 255, x != 0, format)
        self.assertIn("14x11", repr(st.asarray(x, format="CSR").spy(size=12)))

    def test_dimensions(self):
        x = self.draw((3, 8, 9), density=0.2)
        tensor = st.asarray(x, format="COO")
        for dims in [(0, 1), (2, 1), (-1, 0)]:
            expected = (x != 0).any(3 - dims[0] % 3 - dims[1] % 3)
            if dims[0] % 3 > dims[1] % 3:
                expected = expected.T
            pixels = pixels_of(tensor.spy(dims=dims, size=9).png)[1:-1, 1:-1]
            self.assertEqual((pixels < 255).sum(), expected.sum() * pixels.size // expected.size)

    def test_files(self):
        tensor = st.random((50, 50), 0.1, "CSR", seed=1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.png")
            self.assertIsNone(tensor.spy(path))
            with open(path, "rb") as file:
                self.assertEqual(file.read(), tensor.spy().png)
            with self.assertRaises(st.FileError):
                tensor.spy(os.path.join(folder, "none", "a.png"))

    def test_axes(self):
        try:
            from matplotlib.figure import Figure
        except ImportError:
            self.skipTest("no Matplotlib")
        axes = Figure().subplots()
        st.eye(5).spy(axes)
        self.assertEqual(tuple(axes.get_images()[0].get_extent()), (-0.5, 4.5, 4.5, -0.5))

    def test_storages(self):
        drawn = st.from_coo(([0, 2, 2], [1, 0, 3]), [1.0, 3.0, 4.0], (3, 4), "CSR").draw_storage()
        for part in ("compressed", "pos   i32  0 1 1 3", "crd   i32  1 0 3", "values  f64  1 3 4"):
            self.assertIn(part, drawn)

    def test_hybrid_storages(self):
        drawn = st.from_coo(([0, 0, 2], [1, 2, 3]), [1.0, 3.0, 4.0], (3, 4), "HYB:1").draw_storage()
        for part in ("part 1 of 2", "ELL", "part 2 of 2", "COO", "values  f64  3"):
            self.assertIn(part, drawn)

    def test_mistakes(self):
        with self.assertRaises(st.ShapeError):
            st.zeros(3, "COO").spy()
        for arguments in ({"dims": (0, 2)}, {"size": 3}, {"size": 10000}):
            with self.assertRaises(st.ArgumentError, msg=arguments):
                st.eye(3).spy(**arguments)


if __name__ == "__main__":
    unittest.main()
