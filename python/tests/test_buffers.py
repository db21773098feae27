"""What other libraries take of tensors: buffers, DLPack of both generations, and arrays of JAX."""

import ctypes
import gc
import unittest

import numpy

import strata as st
from drawing import DTYPES, TestCase


class VersionedHead(ctypes.Structure):
    """The beginning of what a capsule of DLPack 1 refers to."""

    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    ]


def head_of(capsule):
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return VersionedHead.from_address(pointer(capsule, b"dltensor_versioned"))


class BufferTest(TestCase):
    def test_dense_tensors_are_buffers(self):
        for dtype in DTYPES:
            for order in "CF":
                array = numpy.asarray(self.draw((3, 4), dtype), order=order)
                tensor = st.asarray(array)
                view = memoryview(tensor)
                self.assertEqual((view.shape, view.readonly), ((3, 4), True))
                found = numpy.asarray(view)
                numpy.testing.assert_array_equal(found, array)
                self.assertEqual(found.dtype, array.dtype)
                self.assertTrue(tensor.shares_memory(found))
        self.assertEqual(memoryview(st.asarray([1.0, 2.0])).tolist(), [1.0, 2.0])
        self.assertEqual(memoryview(st.asarray(3.0)).tolist(), 3.0)
        self.assertEqual(memoryview(st.zeros((0, 3))).shape, (0, 3))
        self.assertEqual(bytes(st.asarray(numpy.array([1, 2], "int8"))), b"\x01\x02")

    def test_the_memory_outlives_the_tensor(self):
        view = memoryview(st.asarray(self.draw(5)) * 2)
        gc.collect()
        self.assertEqual(len(view.tolist()), 5)

    def test_who_would_write_is_refused(self):
        class Writer(ctypes.Structure):
            _fields_ = [("x", ctypes.c_double * 3)]

        with self.assertRaises((TypeError, BufferError)):
            Writer.from_buffer(st.ones(3))

    def test_sparse_tensors_are_none(self):
        for make in (memoryview, numpy.frombuffer, bytes):
            with self.assertRaisesRegex(BufferError, "todense"):
                make(st.eye(3))
        with self.assertRaises(st.DensifyError):
            numpy.asarray(st.eye(3))

    def test_arrays_of_numpy_are_as_before(self):
        tensor = st.asarray(self.draw((3, 4)))
        array = numpy.asarray(tensor)
        self.assertFalse(array.flags.writeable)
        self.assertTrue(tensor.shares_memory(array))
        self.assertTrue(numpy.array(tensor).flags.writeable)
        self.assertEqual(numpy.asarray(tensor, dtype="float32").dtype, numpy.float32)

    def test_scipy_leaves_operators_to_tensors(self):
        import scipy.sparse

        matrix = scipy.sparse.csr_array(self.draw((4, 4)))
        dense = st.asarray(self.draw((4, 4)))
        self.assertIsInstance(matrix @ dense, st.Tensor)


class DLPackTest(TestCase):
    def test_flags_strides_and_types(self):
        array = self.draw((3, 4))
        codes = {"b": 6, "i": 0, "u": 1, "f": 2, "c": 5}
        for order, strides in (("C", [4, 1]), ("F", [1, 3])):
            tensor = st.asarray(numpy.asarray(array, order=order))
            capsule = tensor.__dlpack__(max_version=(1, 0))
            head = head_of(capsule)
            self.assertEqual((head.major, head.flags, head.ndim), (1, 1, 2))  # read-only
            self.assertEqual(head.shape[:2], [3, 4])
            self.assertEqual(head.strides[:2], strides)
            self.assertEqual(list(head.device), [1, 0])
        capsule = tensor.__dlpack__(max_version=(1, 3), copy=True)
        self.assertEqual(head_of(capsule).flags, 2)  # copied, to be written to
        self.assertNotEqual(head_of(capsule).data, tensor.values.__array_interface__["data"][0])
        for dtype in DTYPES:
            held = st.asarray(self.draw(3, dtype))
            capsule = held.__dlpack__(max_version=(1, 0))
            head, expected = head_of(capsule), numpy.dtype(dtype)
            self.assertEqual((head.code, head.bits), (codes[expected.kind], 8 * expected.itemsize))
        capsule = st.asarray(2.0).__dlpack__(max_version=(1, 0))
        self.assertEqual(head_of(capsule).ndim, 0)

    def test_capsules_of_before_version_1(self):
        tensor = st.asarray(self.draw((2, 3)))
        for given in ({}, {"max_version": None}, {"max_version": (0, 8)}):
            self.assertIn('"dltensor"', repr(tensor.__dlpack__(**given)))
        with self.assertRaises(BufferError):
            tensor.__dlpack__(stream=1)
        with self.assertRaises(BufferError):
            tensor.__dlpack__(dl_device=(2, 0))

    def test_capsules_that_nobody_takes_hold_no_memory(self):
        import os

        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

        def export(count):
            for _ in range(count):
                st.zeros(100_000).__dlpack__(max_version=(1, 0))
                st.zeros(100_000).__dlpack__()

        export(20)
        before = resident()
        export(100)
        self.assertLess(resident() - before, 20_000_000)

    def test_numpy_sees_that_it_must_not_write(self):
        if numpy.lib.NumpyVersion(numpy.__version__) < "2.1.0":
            self.skipTest("NumPy before 2.1 knows no read-only memory of DLPack")
        tensor = st.ones((2, 3))
        self.assertFalse(numpy.from_dlpack(tensor).flags.writeable)
        self.assertTrue(numpy.from_dlpack(tensor, copy=True).flags.writeable)


class JaxTest(TestCase):
    def setUp(self):
        super().setUp()
        try:
            import jax
            from jax.experimental import sparse
        except ImportError:
            self.skipTest("JAX is not installed")
        self.jax, self.sparse = jax, sparse

    def test_both_ways(self):
        for dtype in ("float32", "int32", "complex64"):
            for shape in ((4, 5), (3, 4, 2), (6,)):
                array = self.draw(shape, dtype)
                source = self.sparse.BCOO.fromdense(self.jax.numpy.asarray(array))
                tensor = st.asarray(source)
                self.assert_same(tensor, array)
                self.assertFalse(tensor.format.is_full)
                back = tensor.to_jax()
                numpy.testing.assert_array_equal(back.todense(), array)
                self.assertEqual(back.dtype, array.dtype)
        rows = self.sparse.BCSR.from_bcoo(
            self.sparse.BCOO.fromdense(self.jax.numpy.asarray(self.draw((4, 5), "float32")))
        )
        tensor = st.asarray(rows)
        self.assertEqual(tensor.format.name, "CSR")
        numpy.testing.assert_array_equal(tensor.todense(), rows.todense())
        numpy.testing.assert_array_equal(tensor.to_jax("bcsr").todense(), rows.todense())

    def test_padding_repetition_and_dense_dimensions(self):
        data = self.jax.numpy.asarray([1.0, 2.0, 4.0, 8.0])
        indices = self.jax.numpy.asarray([[1, 0], [0, 1], [1, 0], [2, 2]])  # the last is padding
        padded = self.sparse.BCOO((data, indices), shape=(2, 2))
        self.assert_same(st.asarray(padded), numpy.asarray(padded.todense()))
        array = self.draw((3, 4, 2), "float32")
        for given in ({"n_dense": 1}, {"n_batch": 1}):
            source = self.sparse.BCOO.fromdense(self.jax.numpy.asarray(array), **given)
            self.assert_same(st.asarray(source), array)

    def test_what_is_refused(self):
        with self.assertRaises(st.DTypeError):
            st.eye(3).to_jax()  # float64
        small = st.eye(3).astype("float32")
        with self.assertRaises(st.FormatError):
            small.to_jax("coo")
        with self.assertRaises(st.CopyError):
            small.to_jax(copy=False)
        with self.assertRaises(st.CopyError):
            st.asarray(small.to_jax(), copy=False)
        with self.assertRaises(st.FormatError):
            (small + 1).to_jax()


if __name__ == "__main__":
    unittest.main()
