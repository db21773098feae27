"""Parts of tensors that are read and replaced, by drawn keys, against NumPy."""

import unittest

import numpy

import strata as st
from drawing import TestCase

FORMATS = {
    1: ["Dense", "SparseVector", "COO"],
    2: ["Dense", "CSR", "CSC", "COO", "DCSR", "BCSR:2x2", "ELL"],
    3: ["Dense", "CSF", "COO"],
}


class PartsTest(TestCase):
    def draw_key(self, random, shape):
        """Draws a key in the size of a shape, and sometimes one that does not fit."""
        key, dimension, lists = [], 0, None
        while dimension < len(shape):
            size = shape[dimension]
            kind = random.integers(9)
            if kind == 0:
                key.append(None)
                continue
            if kind == 1:
                key.append(int(random.integers(-size, size)))
            elif kind == 2:
                key.append(slice(None))
            elif kind == 3:
                key.append(slice(*map(int, random.integers(-size - 1, size + 2, 2))))
            elif kind == 4:
                key.append(slice(None, None, int(random.choice([-2, -1, 2, 3]))))
            elif kind in (5, 6):
                if lists is None or random.random() < 0.2:
                    lists = tuple(random.integers(1, 4, random.integers(1, 3)))
                key.append(random.integers(-size, size, lists))
            elif kind == 7:
                key.append(Ellipsis)
                break
            else:
                key.append(random.random(size) < 0.5)
            dimension += 1
        return tuple(key)

    def draw_value(self, random, shape):
        kind = random.integers(4)
        if kind < 2:
            return float(3 * kind)
        array = numpy.asarray(random.integers(0, 3, shape) * 1.0)
        return st.asarray(array, format="COO") if kind == 3 and array.ndim else array

    def test_drawn_keys(self):
        random = numpy.random.default_rng(7)
        for number in range(300):
            shape = tuple(random.integers(1, 5, random.integers(1, 4)))
            x = random.integers(1, 9, shape) * (random.random(shape) < 0.5) * 1.0
            key = self.draw_key(random, shape)
            format = str(random.choice(FORMATS[len(shape)]))
            tensor = st.asarray(x, format=format)
            where = (number, format, shape, key)
            try:
                expected = x[key]
            except IndexError:
                with self.assertRaises(IndexError, msg=where):
                    tensor[key]
                continue
            self.assert_same(tensor[key], expected, where)
            value = self.draw_value(random, expected.shape)
            x[key] = value.todense() if isinstance(value, st.Tensor) else value
            before = tensor.format.without_widths()
            tensor[key] = value
            tensor.validate()
            self.assert_same(tensor, x, where)
            self.assertEqual(tensor.format.without_widths(), before, where)

    def test_what_is_shared_keeps_its_elements(self):
        x = self.draw((4, 6))
        for format in ("Dense", "CSR"):
            tensor = st.asarray(x, format=format)
            other, before = tensor.T, tensor.todense()
            tensor[1] = 7
            tensor[:, 2] += 1
            self.assert_same(other.T, before)
            expected = before.copy()
            expected[1] = 7
            expected[:, 2] += 1
            self.assert_same(tensor, expected)

    def test_statements_hold_what_was_there(self):
        i, j = st.get_index_vars(2)
        x = st.asarray(self.draw((4, 6)), format="CSR")
        before, y = x.todense(), st.tensor((4, 6), "CSR")
        y[i, j] = 2 * x[i, j]
        x[0, 0] = 99.0
        self.assert_same(y, 2 * before)
        y[i, j] = x[i, j]
        y[1] = 0
        self.assertEqual(y[0, 0].item(), 99)
        self.assertEqual(y[1].nnz, 0)

    def test_fill_values(self):
        x = st.tensor((3, 4), "CSR", fill=2.5)
        x[1, :2] = [2.5, 1.0]
        self.assertEqual((x.nnz, x.fill), (1, 2.5))
        x[2] = st.zeros(4, "COO")
        self.assert_same(x, [[2.5] * 4, [2.5, 1, 2.5, 2.5], [0] * 4])
        x[1, 1] = 2.5
        self.assertEqual(x.nnz, 4)

    def test_arrays_and_truth_values_as_the_only_key(self):
        for format in ("Dense", "CSR", "COO", "BCSR:2x2"):
            for make in (numpy.asarray, lambda one: st.asarray(one, format="COO")):
                x = self.draw((4, 6))
                tensor = st.asarray(x, format=format)
                for key in (numpy.array([0, 1]), numpy.array([2]), x > 2, x[:, 0] > 0):
                    truth = make(key) if key.dtype == bool else key
                    x[key], tensor[truth] = 5, 5.0
                    self.assert_same(tensor, x, (format, key))
                x[x > 4], tensor[tensor > 4] = 0, 0
                self.assert_same(tensor, x, format)

    def test_assigning_the_fill_value_deletes(self):
        x = st.asarray(self.draw((4, 6), density=1.0), format="CSR")
        x[:, 1:3] = 0
        self.assertEqual(x.nnz, 16)
        x[x <= 100] = 0
        self.assertEqual(x.nnz, 0)

    def test_nothing_takes_time_by_sizes(self):
        size, random = 2**40, self.generator
        places = random.integers(0, size, (2, 50))
        values = numpy.arange(1.0, 51.0)
        x = st.from_coo(places, values, (size, size), "COO")
        rows, columns = places[0][:10], places[1][5:25]
        for tensor in (x, x.asformat("DCSR")):
            found = tensor[numpy.ix_(rows, columns)]
            self.assertEqual((found.shape, found.nnz), ((10, 20), 5))
            self.assertEqual(tensor[: size // 2, ::-1].nnz, (places[0] < size // 2).sum())
            self.assertEqual(tensor[places[0], places[1]].todense().tolist(), values.tolist())
            self.assertEqual(tensor[tensor > 45].todense().sum(), 46 + 47 + 48 + 49 + 50)
            tensor = tensor.copy()
            tensor[:, size // 2 :] = 0
            self.assertEqual(tensor.nnz, (places[1] < size // 2).sum())
            with self.assertRaises(st.OutOfMemory):
                tensor[: size // 2, 1:] = 5
            tensor[rows] *= -1
            self.assertEqual((tensor.values < 0).sum(), (places[1][:10] < size // 2).sum())

    def test_element_types(self):
        x = st.zeros((2, 3), "CSR", dtype="int32")
        x[0, 0] = 5
        x[1] = numpy.array([1, 2, 3], numpy.int64)
        self.assertEqual(x.dtype, numpy.int32)
        for value in (1.5, numpy.ones(3), 1j):
            with self.assertRaises(st.DTypeError):
                x[0] = value
        with self.assertRaises(OverflowError):
            x[0] = 2**40
        self.assert_same(x, numpy.array([[5, 0, 0], [1, 2, 3]], numpy.int32))

    def test_scalars_of_numpy(self):
        for format in ("Dense", "CSR", "COO"):
            for dtype, value in (
                ("float64", numpy.float64(1.5)),
                ("float32", numpy.float64(1.5)),
                ("float64", numpy.float32(2.5)),
                ("float64", numpy.int8(3)),
                ("complex64", numpy.complex128(1 + 2j)),
                ("complex128", numpy.complex128(2j)),
                ("int32", numpy.int64(7)),
                ("int8", numpy.bool_(True)),
                ("bool", numpy.bool_(True)),
                ("float32", st.asarray(numpy.float64(4.5))),
            ):
                x = numpy.zeros((2, 3), dtype)
                A = st.asarray(x, format=format, copy=True)
                A[0, 0], x[0, 0] = value, value
                A[1, 1:], x[1, 1:] = value, value
                self.assert_same(A, x, (format, dtype, value))
            A = st.zeros((2, 3), format, dtype="int32")
            for value in (numpy.float64(1), numpy.complex128(1), numpy.float32(1.5)):
                with self.assertRaises(st.DTypeError):
                    A[0, 0] = value

    def test_mistakes_change_nothing(self):
        for format in ("Dense", "CSR"):
            x = st.asarray(self.draw((4, 6)), format=format)
            before = x.todense()
            for key, value, error in [
                ((0, 9), 1.0, IndexError),
                ((0,), numpy.ones(5), st.ShapeError),
                ((slice(None), [0, 1]), numpy.ones((4, 3)), st.ShapeError),
                (([0, 1], [0, 1, 2]), 1.0, IndexError),
            ]:
                with self.assertRaises(error, msg=(format, key)):
                    x[key] = value
            self.assert_same(x, before)


if __name__ == "__main__":
    unittest.main()
