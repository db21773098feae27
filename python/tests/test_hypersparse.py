"""Functions of the array API standard of tensors with far more elements than entries."""

import itertools
import tracemalloc
import unittest

import numpy

import strata as st


class HypersparseTest(unittest.TestCase):
    """A matrix with 10^12 elements, of which three are stored."""

    SIZE = 10**6

    def test_time_and_memory_are_those_of_what_is_stored(self):
        n = self.SIZE
        A = st.from_coo(([3, 3, n - 1], [7, n - 1, 0]), [5.0, -2.0, 4.0], (n, n), "COO")
        calls = {
            "sin": lambda: st.sin(A),
            "round": lambda: st.round(A),
            "hypot": lambda: st.hypot(A, A),
            "where": lambda: st.where(A > 0, A, 0.0),
            "reshape": lambda: st.reshape(A, (n // 10, n * 10)),
            "ravel": lambda: st.ravel(A),
            "concat": lambda: st.concat([A, A]),
            "stack": lambda: st.stack([A, A]),
            "roll": lambda: st.roll(A, 5, axis=1),
            "flip": lambda: st.flip(A),
            "tile": lambda: st.tile(A, (2, 2)),
            "repeat": lambda: st.repeat(A, 3, axis=0),
            "diagonal": lambda: st.diagonal(A),
            "sort": lambda: st.sort(A, axis=1),
            "unique": lambda: st.unique_all(A).values,
            "isin": lambda: st.isin(A, st.asarray([5.0])),
            "argmax": lambda: st.argmax(A),
            "count": lambda: st.count_nonzero(A),
            "var": lambda: st.var(A),
            "norm": lambda: st.linalg.matrix_norm(A),
            "take": lambda: st.take(A, st.asarray([3, 5]), axis=0),
            "nonzero": lambda: st.nonzero(A)[0],
            "expand_dims": lambda: st.expand_dims(A, 0),
        }
        for name, call in calls.items():
            with self.subTest(function=name):
                call()
                tracemalloc.start()
                try:
                    found = call()
                    most = tracemalloc.get_traced_memory()[1]
                finally:
                    tracemalloc.stop()
                self.assertLess(most, 200_000)
                self.assertLess(found.nbytes, 10_000)
        self.assertEqual(st.argmax(A).item(), 3 * n + 7)
        self.assertEqual(st.argmin(A).item(), 3 * n + n - 1)
        self.assertEqual(st.unique_counts(A).counts.todense().tolist(), [1, n * n - 3, 1, 1])

    def test_reductions_of_what_has_few_entries(self):
        A = st.from_coo(([3, 3], [7, 7], [0, 2]), [5.0, 3.0], (self.SIZE, self.SIZE, 10), "COO")
        x = numpy.zeros((2, 10))
        x[0, [0, 2]] = 5, 3
        for fill, keepdims in itertools.product((0, 2), (False, True)):
            for name in "sum prod min max any all mean std var argmax argmin".split():
                found = getattr(st, name)(A + fill, axis=2, keepdims=keepdims)
                expected = getattr(numpy, name)(x + fill, axis=1)
                part = found[3:4, 7:9].todense().reshape(-1)
                numpy.testing.assert_allclose(part, expected, err_msg=name)
                self.assertLess(found.nbytes, 1000, name)

    def test_reductions_of_more_elements_than_numbers(self):
        n = 10**10
        for dtype, fill in itertools.product(("int64", "float64"), (0, 1)):
            A = st.from_coo(([5, 5], [6, 6], [7, 8]), [2, 4], (n, n, n), "COO").astype(dtype)
            A = A + fill
            for name in "max min prod any all var argmax".split():
                axis = 0 if name == "argmax" else (1, 2)
                found = getattr(st, name)(A, axis=axis)
                self.assertLess(found.nbytes, 1000, name)
                values = {"max": 4 + fill, "min": fill, "prod": 15 * fill, "any": 1, "all": fill}
                expected = values.get(name, 5 if name == "argmax" else 20 / n**2)
                part = found[6, 8] if name == "argmax" else found[5]
                self.assertAlmostEqual(part.item(), expected, msg=name)
            self.assertEqual(st.sum(A, axis=0)[6, 7].item(), 2 + n * fill)
            self.assertAlmostEqual(st.nanmean(A.astype("float64"), axis=(1, 2))[5].item(), fill)
        ones = st.tensor((n, n, n), "COO", dtype="float64", fill=1)
        self.assertEqual(st.sum(ones, axis=(1, 2)).fill, 1e20)
        with self.assertRaisesRegex(st.ShapeError, "64 bits"):
            st.sum(A, axis=(1, 2), where=st.from_coo(([5], [6], [7]), [True], (n, n, n)))

    def test_levels_with_a_place_for_every_coordinate(self):
        n = 10**6
        for form in ("dense", "batch"):
            A = st.from_coo(
                ([1], [2], [3]),
                [5.0],
                (2, 3, 4),
                f"(b, i, j) -> (b : {form}, i : dense, j : compressed)",
            )
            found = st.pad(A, ((0, n), (n, 0), (0, 0)))
            self.assertEqual((found.format.name, found[1, n + 2, 3].item()), ("COO", 5))

    def test_rolled_far(self):
        most = 2**63 - 1
        x = st.from_coo(([most - 3],), [1.0], (most,), "SparseVector")
        self.assertEqual(st.roll(x, 5, axis=0)[2].item(), 1)
        self.assertEqual(st.roll(x, -(2**62) - 2**61, axis=0)[2**61 - 4].item(), 1)

    def test_what_would_be_dense_is_refused(self):
        n = self.SIZE
        A = st.from_coo(([3], [7]), [5.0], (n, n), "COO")
        for call in (
            lambda: st.cumulative_sum(A, axis=0),
            lambda: st.argsort(A),
            lambda: st.hypot(A, st.arange(n)),
            lambda: st.linalg.inv(A),
        ):
            with self.assertRaises(st.DensifyError):
                call()


if __name__ == "__main__":
    unittest.main()
