"""What brackets and operators take, drawn by hypothesis: slices, arrays of indices, truth values,
assignments, and operators with NumPy's and SciPy's arrays on either side.

NumPy says what is right, or SciPy where the sizes are large. The long run (STRATA_LONG) draws more,
and large parts, for which the work and the memory of SciPy are the measure.
"""

import os
import sys
import time
import tracemalloc
import unittest

import numpy
import scipy.sparse

import strata as st
from drawing import TestCase

try:
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as draws
except ImportError:
    sys.exit(77)

IS_LONG = bool(os.environ.get("STRATA_LONG"))

FORMATS = {
    1: ["Dense", "SparseVector", "COO"],
    2: ["Dense", "CSR", "CSC", "COO", "DCSR", "BCSR:2x2", "ELL", "COO-Unordered", "COO-Duplicates"],
    3: ["Dense", "CSF", "COO", "(i, j, k) -> (k : dense, i : dense, j : compressed)"],
}
DTYPES = ["float64", "int32", "bool", "complex128", "float32"]
OPERATORS = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    ">=": lambda x, y: x >= y,
}


def thorough(examples):
    """How often something is drawn, always the same in the short run."""
    return settings(
        max_examples=20 * examples if IS_LONG else examples,
        deadline=None,
        database=None,
        derandomize=not IS_LONG,
        suppress_health_check=list(HealthCheck),
    )


@draws.composite
def arrays(draw, shape, dtype="float64", values=(0, 0, 0, 1, 2, 3)):
    """An array with small numbers, many of them zero."""
    count = int(numpy.prod(shape))
    flat = draw(draws.lists(draws.sampled_from(values), min_size=count, max_size=count))
    return numpy.array(flat, dtype).reshape(shape)


shapes = draws.lists(draws.integers(0, 5), min_size=1, max_size=3).map(tuple)


@draws.composite
def indices(draw, size, shape):
    """An array of integers that are indices of a dimension, in some shape."""
    if size == 0:
        return numpy.zeros([0 if at == 0 else n for at, n in enumerate(shape)], int)
    found = draw(arrays(shape, int, tuple(range(-size, size))))
    return numpy.sort(found, axis=None).reshape(shape) if draw(draws.booleans()) else found


@draws.composite
def keys(draw, shape):
    """A key for a tensor of some shape; NumPy may say that it fits none."""
    key, dimension = [], 0
    lists = draw(draws.lists(draws.integers(1, 3), min_size=1, max_size=3))
    kinds = ["none", "integer", "all", "slice", "step", "list", "list", "list", "dots", "truth"]
    if draw(draws.integers(0, 9)) == 0:
        return draw(arrays(shape, bool))
    while dimension < len(shape):
        size = shape[dimension]
        kind = draw(draws.sampled_from(kinds))
        if kind == "none":
            key.append(None)
            continue
        if kind == "integer" and size:
            key.append(draw(draws.integers(-size, size - 1)))
        elif kind == "slice":
            key.append(slice(*(draw(draws.integers(-size - 1, size + 1)) for _ in range(2))))
        elif kind == "step":
            key.append(slice(None, None, draw(draws.sampled_from([-3, -2, -1, 2, 3]))))
        elif kind == "list":
            own = [size_ if draw(draws.booleans()) else 1 for size_ in lists]
            key.append(draw(indices(size, tuple(own))))
        elif kind == "dots":
            key.append(Ellipsis)
            break
        elif kind == "truth":
            order = draw(draws.integers(1, len(shape) - dimension))
            key.append(draw(arrays(shape[dimension : dimension + order], bool)))
            dimension += order - 1
        else:
            key.append(slice(None))
        dimension += 1
    return tuple(key)


@draws.composite
def tensors(draw, shape, dtype="float64"):
    """A tensor, and the array with the same elements."""
    array = draw(arrays(shape, dtype))
    format = draw(draws.sampled_from(FORMATS[len(shape)]))
    return st.asarray(array, format=format), array


@draws.composite
def values_for(draw, shape, dtype):
    """What can be assigned to a part of some shape: a tensor or an array, and an array."""
    kind = draw(draws.sampled_from(["number", "zero", "array", "sparse", "scipy", "broadcast"]))
    if kind == "number":
        return 3, 3
    if kind == "zero":
        return 0, 0
    if kind == "broadcast":
        kept = shape[draw(draws.integers(0, len(shape))) :]
        shape = tuple(size if draw(draws.booleans()) else 1 for size in kept)
    array = draw(arrays(shape, dtype))
    if kind == "scipy" and array.ndim == 2:
        return scipy.sparse.csr_array(array), array
    if kind in ("sparse", "broadcast") and array.ndim and draw(draws.booleans()):
        return st.asarray(array, format="COO"), array
    return array, array


class SurfaceTest(TestCase):
    @thorough(100)
    @given(draws.data())
    def test_parts(self, data):
        shape = data.draw(shapes)
        tensor, x = data.draw(tensors(shape, data.draw(draws.sampled_from(DTYPES))))
        key = data.draw(keys(shape))
        try:
            expected = x[key]
        except IndexError:
            with self.assertRaises(IndexError):
                tensor[key]
            return
        found = tensor[key]
        found.validate()
        self.assert_same(found, expected)
        is_sparse = not tensor.format.is_full and bool(expected.ndim)
        self.assertEqual(not found.format.is_full, is_sparse)

    @thorough(100)
    @given(draws.data())
    def test_assignments(self, data):
        shape, dtype = data.draw(shapes), data.draw(draws.sampled_from(["float64", "int32"]))
        tensor, x = data.draw(tensors(shape, dtype))
        key = data.draw(keys(shape))
        try:
            part = x[key]
        except IndexError:
            with self.assertRaises(IndexError):
                tensor[key] = 1
            return
        value, array = data.draw(values_for(part.shape, dtype))
        before = tensor.format.without_widths()
        x[key] = array
        tensor[key] = value
        tensor.validate()
        self.assert_same(tensor, x)
        self.assertEqual(tensor.format.without_widths(), before)

    @thorough(40)
    @given(draws.data())
    def test_masks_of_tensors(self, data):
        shape = data.draw(shapes)
        tensor, x = data.draw(tensors(shape))
        number = data.draw(draws.sampled_from([-1.0, 0.0, 0.5, 2.0]))
        compare = data.draw(draws.sampled_from(["<", ">=", "==", "!="]))
        truth, expected = OPERATORS[compare](tensor, number), OPERATORS[compare](x, number)
        if data.draw(draws.booleans()):
            truth, expected = ~truth, ~expected
        self.assert_same(truth, expected)
        self.assert_same(tensor[truth], x[expected])
        tensor[truth], x[expected] = 7.0, 7.0
        self.assert_same(tensor, x)

    @thorough(60)
    @given(draws.data())
    def test_operators(self, data):
        shape = data.draw(draws.tuples(draws.integers(0, 4), draws.integers(1, 4)))
        name = data.draw(draws.sampled_from(sorted(OPERATORS)))
        tensor, x = data.draw(tensors(shape))
        other = data.draw(draws.sampled_from(["number", "numpy", "row", "scipy", "tensor"]))
        if other == "number":
            y = operand = data.draw(draws.sampled_from([0, 1, 2, 0.5, -1.0]))
        elif other == "row":
            y = operand = data.draw(arrays(shape[1:]))
        else:
            y = operand = data.draw(arrays(shape))
            if other == "scipy":
                operand = scipy.sparse.csr_array(y)
            elif other == "tensor":
                operand = st.asarray(y, format=data.draw(draws.sampled_from(["CSR", "COO", "Dense"])))
        operation = OPERATORS[name]
        if data.draw(draws.booleans()) and other != "scipy":
            found, expected = operation(operand, tensor), operation(y, x)
        else:
            found, expected = operation(tensor, operand), operation(x, y)
        found.validate()
        self.assert_same(found, expected)
        are_sparse = not tensor.format.is_full and other not in ("numpy", "row")
        if other == "tensor":
            are_sparse = are_sparse and not operand.format.is_full
        if are_sparse:
            self.assertFalse(found.format.is_full)


# ---- At size ----


def time_of(action):
    """The least processor time of three runs."""
    best = float("inf")
    for _ in range(3):
        before = time.process_time()
        action()
        best = min(best, time.process_time() - before)
    return best


def bytes_of(action):
    """How many bytes are allocated at most at once, as far as NumPy and Python allocate them."""
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@unittest.skipUnless(IS_LONG, "of the long run")
class WorkTest(TestCase):
    """Parts of matrices with many entries take at most so many times SciPy's time, its indices
    sorted, as ours are, and so many times its memory, or that of the matrix. Short times are not
    compared."""

    TIMES = 5
    BYTES = 4
    LEAST_TIME = 0.02
    SIZE = 100_000

    def drawn_matrix(self):
        random, entries = self.generator, 1_000_000
        places = random.integers(0, self.SIZE, (2, entries))
        if random.random() < 0.3:  # Most entries lie in one row.
            places[0, random.random(entries) < 0.9] = 7
        values = random.random(entries)
        return scipy.sparse.coo_array((values, tuple(places)), shape=(self.SIZE,) * 2).tocsr()

    def drawn_part(self):
        random, size = self.generator, self.SIZE
        kind = random.integers(5)
        if kind == 0:
            return slice(None)
        if kind == 1:
            return slice(*sorted(map(int, random.integers(0, size, 2))))
        if kind == 2:
            return slice(None, None, int(random.choice([-1, 2, 3])))
        return random.integers(0, size, int(random.integers(1, size)))

    def drawn_key(self):
        """A key that SciPy does not take for single elements, as it does steps beside an array."""
        while True:
            key = self.drawn_part(), self.drawn_part()
            are_lists = [isinstance(part, numpy.ndarray) for part in key]
            have_steps = [isinstance(part, slice) and part.step is not None for part in key]
            if not (any(are_lists) and any(have_steps)):
                return numpy.ix_(*key) if all(are_lists) else key

    def test_parts(self):
        for number in range(60):
            if number % 10 == 0:
                matrix = self.drawn_matrix()
                tensor = st.asarray(matrix)
            key = self.drawn_key()

            def sorted_part(matrix=matrix, key=key):
                part = matrix[key]
                part.sort_indices()
                return part

            def part(tensor=tensor, key=key):
                return tensor[key]

            with self.subTest(number=number):
                expected = sorted_part()
                difference = abs(part().to_scipy("csr") - expected)
                self.assertEqual(difference.max() if difference.nnz else 0, 0)
                ours = time_of(part)
                if ours > self.LEAST_TIME:
                    self.assertLess(ours, self.TIMES * time_of(sorted_part))
                most = max(bytes_of(sorted_part), tensor.nbytes)
                self.assertLess(bytes_of(part), self.BYTES * most)


if __name__ == "__main__":
    unittest.main()
