"""Random arrays for the tests, and the comparison of results with them."""

import unittest

import numpy

#: Element types of NumPy that tensors have.
DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
    "float16 float32 float64 complex64 complex128"
).split()

#: Formats of matrices, one of each kind.
MATRIX_FORMATS = (
    "Dense CSR CSC DCSR COO COO-AoS COO-Duplicates COO-Unordered BCSR:2x3 BCOO BELL CSB DIA ELL "
    "SELL JDS Bitmap Skyline VBL RLE DOK"
).split()


def draw(generator, shape, dtype="float64", density=0.5):
    """An array with small numbers at random places."""
    kind = numpy.dtype(dtype).kind
    values = generator.integers(1, 5, shape)
    if kind == "c":
        values = values + 1j * generator.integers(1, 5, shape)
    elif kind == "f":
        values = values + 0.5
    return numpy.asarray(values * (generator.random(shape) < density)).astype(dtype)


class TestCase(unittest.TestCase):
    """A test that compares tensors with arrays."""

    def setUp(self):
        self.generator = numpy.random.default_rng(1)

    def draw(self, shape, dtype="float64", density=0.5):
        return draw(self.generator, shape, dtype, density)

    def assert_same(self, tensor, expected, message=None, tolerance=1e-6):
        """The tensor has these elements, this shape and this element type."""
        found = tensor.todense()
        expected = numpy.asarray(expected)
        self.assertEqual(tensor.shape, expected.shape, message)
        self.assertEqual(found.dtype, expected.dtype, message)
        numpy.testing.assert_allclose(found, expected, tolerance, err_msg=str(message))


def address(array):
    """Where the elements of an array lie."""
    return array.__array_interface__["data"][0]
