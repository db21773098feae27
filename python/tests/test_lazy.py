"""Lazy tensors: the same elements, formats and types as statements that are computed one by one."""

import pickle
import threading
import unittest

import numpy

import strata as st
from drawing import TestCase


def is_lazy(x):
    return "not computed yet" in repr(x)


#: Functions of a square matrix, another one in another format, and a vector.
FUNCTIONS = {
    "sum and product": lambda A, B, x: A * B + A,
    "products": lambda A, B, x: (A @ B) @ x,
    "sampled": lambda A, B, x: A * (B @ B),
    "transposed": lambda A, B, x: A.T @ B + B.T.T,
    "transposed result": lambda A, B, x: (A @ B).T,
    "normalized": lambda A, B, x: A / (A.sum(1, keepdims=True) + 1),
    "reductions": lambda A, B, x: (A + B).max(0) + x.sum() - B.min(),
    "mean": lambda A, B, x: (A * 3).mean(1),
    "numbers": lambda A, B, x: 2 * x + 1 - x / 4,
    "functions": lambda A, B, x: st.sqrt(A) + abs(B) - st.sin(A),
    "fills": lambda A, B, x: (A + 1) * B + st.cos(A),
    "comparisons": lambda A, B, x: (A > B) & (B != 0),
    "einsum": lambda A, B, x: st.einsum("ij,jk,k->i", A, B, x) + st.einsum("ii->i", A),
    "evaluate": lambda A, B, x: st.evaluate("y(i) = sqrt(A(i,j)) * x(j) + 1", A=A, x=x),
    "semiring": lambda A, B, x: st.einsum("ij,jk->ik", A, B, semiring="max_plus"),
    "parts": lambda A, B, x: (A @ B)[1] + A[:, 2],
    "in place": lambda A, B, x: in_place(A, B),
    "joined": lambda A, B, x: st.concat([A @ B, A]),
    "types": lambda A, B, x: (A.astype("float32") @ B.astype("float32")).sum(),
    "powers": lambda A, B, x: A**2 + x**3,
}


def in_place(A, B):
    made = A + B
    made *= A
    return made


class LazyTest(TestCase):
    def operands(self, format, other, dtype="float64", size=6):
        return (
            st.asarray(self.draw((size, size), dtype), format=format),
            st.asarray(self.draw((size, size), dtype), format=other),
            st.asarray(self.draw(size, dtype, 1.0)),
        )

    def test_everything_is_as_when_it_is_computed_at_once(self):
        for format, other in (("CSR", "CSR"), ("CSC", "Dense"), ("COO", "DCSR"), ("Dense", "Dense")):
            for name, function in FUNCTIONS.items():
                given = self.operands(format, other)
                expected = function(*given)
                lazy = st.compute(function(*map(st.lazy, given)))
                jitted = st.jit(function)
                for found in (lazy, jitted(*given), jitted(*given)):
                    with self.subTest(name, format=format, other=other):
                        self.assert_same(found, expected.todense())
                        self.assertEqual(found.format, expected.format)
                        self.assertEqual(found.fill, expected.fill)

    def test_element_types(self):
        for dtype in ("int8", "int64", "uint16", "bool", "float16", "float32", "complex64"):
            given = self.operands("CSR", "CSR", dtype)
            for function in (lambda A, B, x: A * B + A, lambda A, B, x: (A @ B) @ x):
                expected = function(*given)
                self.assert_same(st.jit(function)(*given), expected.todense(), dtype)

    def test_sizes_of_nothing_and_one(self):
        for rows, columns in ((0, 3), (1, 1), (3, 0)):
            A = st.asarray(self.draw((rows, columns)), format="CSR")
            function = st.jit(lambda A: ((A @ A.T) * 2).sum(0) + 1)
            self.assert_same(function(A), ((A @ A.T) * 2).sum(0).todense() + 1)

    def test_nothing_is_computed_before_somebody_asks(self):
        A, B, x = map(st.lazy, self.operands("CSR", "CSR"))
        for made in (A @ B, A * 2, (A @ B).T, A.sum(0), st.einsum("ij,j->i", A, x)):
            self.assertTrue(is_lazy(made), repr(made))
            self.assertEqual(made.ndim, len(made.shape))
            self.assertEqual(made.dtype, numpy.float64)
        self.assertEqual((A @ B).format.name, "CSR")
        self.assertEqual((A @ B).T.format.name, "CSC")
        self.assertTrue(is_lazy(A @ B))

    def test_what_is_asked_for_is_computed_once(self):
        A, B, x = self.operands("CSR", "CSR")
        made = st.lazy(A) @ B
        values = made.todense()
        self.assertFalse(is_lazy(made.compute()))
        numpy.testing.assert_array_equal(made.todense(), values)
        self.assertTrue(made.nnz > 0)
        self.assert_same(pickle.loads(pickle.dumps(made)), values)
        self.assertEqual(made.to_scipy().nnz, made.nnz)

    def test_several_are_computed_together(self):
        A, B, x = self.operands("CSR", "CSR")
        a, b = st.lazy(A), st.lazy(B)
        product = a @ b
        one, two, three, four = st.compute(product @ x, product.sum(0), A, product)
        self.assert_same(one, (A @ B @ x).todense())
        self.assert_same(two, (A @ B).sum(0).todense())
        self.assertIs(three, A)
        self.assert_same(four, (A @ B).todense())
        self.assert_same(st.compute(product, product.T)[1], (A @ B).todense().T)

    def test_a_sampled_product_is_one_kernel(self):
        A = st.random((40, 40), 0.1, "CSR", seed=1)
        D, E = st.ones((40, 5)), st.ones((5, 40))
        sampled = st.jit(lambda A, D, E: A * (D @ E))
        self.assert_same(sampled(A, D, E), A.todense() * 5)
        self.assertIn("fused", str(sampled.explain(A, D, E)))

    def test_what_is_written_twice_is_computed_once(self):
        A = st.random((40, 40), 0.1, "CSR", seed=1)
        x, y = st.ones(40), st.ones(40)
        twice = st.jit(lambda A, x, y: ((A @ A) @ x, (A @ A) @ y))
        once = st.jit(lambda A, x, y: (A @ A, A @ x))
        products = str(twice.explain(A, x, y)).count("assemble(")
        self.assertEqual(products, str(once.explain(A, x, y)).count("assemble("))

    def test_broadcasts_and_wrong_sizes(self):
        A = st.lazy(self.draw((3, 4)))
        row, column = st.asarray(self.draw((1, 4))), st.asarray(self.draw((3, 1)))
        self.assert_same(st.compute(A + row * column), A.todense() + row.todense() * column.todense())
        with self.assertRaises(st.ShapeError):
            A + st.ones((4, 3))
        with self.assertRaises(st.ShapeError):
            A @ st.ones((3, 4))

    def test_index_notation(self):
        A, B, x = self.operands("CSR", "CSR")
        i, j, k = st.get_index_vars(3)
        C = st.tensor((6, 6), "CSR")
        C[i, k] = st.lazy(A)[i, j] * B[j, k]
        self.assert_same(C, (A @ B).todense())

    def test_long_programs(self):
        x = st.lazy(st.ones(4))
        for step in range(200):
            x = x * 0.5 + step
        expected = 1.0
        for step in range(200):
            expected = expected * 0.5 + step
        self.assert_same(st.compute(x), numpy.full(4, expected))

    def test_adopted_arrays_and_settings(self):
        A, B, x = self.operands("CSR", "CSR")
        expected = (A @ B * A).todense()
        function = st.jit(lambda A, B: A @ B * A)
        self.addCleanup(st.config, deterministic=False)
        self.addCleanup(st.set_num_threads, None)
        for number in range(4):
            st.config(deterministic=number % 2 == 1)
            st.set_num_threads(1 + number % 2)
            self.assert_same(function(A, B), expected)
            self.assert_same(st.compute(st.lazy(A) @ B * A), expected)

    def test_threads(self):
        A, B, x = self.operands("CSR", "CSR")
        function = st.jit(lambda A, B, x: (A @ B) @ x)
        results = []

        def compute():
            for _ in range(50):
                results.append(function(A, B, x).todense())

        threads = [threading.Thread(target=compute) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 200)
        for result in results:
            numpy.testing.assert_allclose(result, (A @ B @ x).todense())


class JitTest(TestCase):
    def test_it_is_traced_once_for_formats_types_and_shapes(self):
        calls = []

        @st.jit
        def double(x, factor=2):
            "Doubles."
            calls.append(x.shape)
            return x * factor

        A = self.draw((3, 4))
        for given in (A, A, st.asarray(A, format="CSR"), st.asarray(A, format="CSR"), A[:2], A):
            expected = given.todense() if isinstance(given, st.Tensor) else given
            self.assert_same(double(given), expected * 2)
        self.assertEqual(len(calls), 3)
        self.assert_same(double(A, 3), A * 3)
        self.assert_same(double(A, factor=3), A * 3)
        self.assert_same(double(A.astype("float32")), A.astype("float32") * 2)
        self.assertEqual((double.__name__, double.__doc__), ("double", "Doubles."))

    def test_numbers_that_are_told_apart_by_their_texts(self):
        calls = []

        @st.jit
        def signed(x, number):
            calls.append(number)
            return st.copysign(x, number)

        x = numpy.array([1.0, 2.0])
        for number in (0.0, -0.0, 0.0, -0.0):
            self.assert_same(signed(x, number), numpy.copysign(x, number), number)
        self.assertEqual(len(calls), 2)
        for number in (float("nan"), float("nan"), numpy.nan):
            self.assertTrue(numpy.isnan(st.jit(lambda x, y: x * y)(x, number).todense()).all())
            signed(x, number)
        self.assertEqual(len(calls), 3)
        reflected = st.jit(lambda x, number: (x * number).imag)
        for number in (complex(0.0, 1.0), complex(-0.0, 1.0)):
            self.assert_same(reflected(x, number), (x * number).imag)

    def test_values_of_each_call_are_used(self):
        function = st.jit(lambda x, y: (x @ y, x + y))
        for _ in range(3):
            x, y = self.draw(5), self.draw(5)
            found = function(x, y)
            self.assertAlmostEqual(float(found[0]), x @ y)
            self.assert_same(found[1], x + y)

    def test_arguments_and_results_in_containers(self):
        @st.jit
        def function(pair, named, unused, flag):
            return {"sum": pair[0] + named["x"], "rest": [pair[1], flag, None], "pair": pair}

        x, y, z = st.ones(3), st.ones(3) * 2, st.ones(3) * 3
        found = function((x, y), {"x": z}, st.eye(3), True)
        self.assert_same(found["sum"], numpy.full(3, 4.0))
        self.assert_same(found["rest"][0], numpy.full(3, 2.0))
        self.assertEqual(found["rest"][1:], [True, None])
        self.assertIsInstance(found["pair"], tuple)

    def test_a_function_that_asks_for_values_is_called_each_time(self):
        calls = []

        @st.jit
        def function(A, x):
            calls.append(1)
            y = A @ x
            return y * 2 if float(y.sum()) > 0 else y

        A = st.eye(3)
        for _ in range(2):
            self.assert_same(function(A, st.ones(3)), numpy.full(3, 2.0))
            self.assert_same(function(A, -st.ones(3)), numpy.full(3, -1.0))
        self.assertEqual(len(calls), 5)  # of which one was the attempt to trace it
        with self.assertRaises(st.UnsupportedError):
            function.explain(A, st.ones(3))

    def test_functions_call_each_other_and_are_methods(self):
        inner = st.jit(lambda x: x * 2)

        class Model:
            weight = st.ones(3)

            @st.jit
            def predict(self, x):
                return inner(x) + self.weight

        self.assert_same(Model().predict(st.ones(3)), numpy.full(3, 3.0))

    def test_errors_are_raised_as_they_are(self):
        @st.jit
        def wrong(x):
            return x @ st.ones(7)

        with self.assertRaises(st.ShapeError):
            wrong(st.ones(3))

        @st.jit
        def fails(x):
            raise RuntimeError("mine")

        with self.assertRaisesRegex(RuntimeError, "mine"):
            fails(st.ones(3))

        @st.jit
        def changes(x):
            x += 1
            return x

        with self.assertRaisesRegex(st.UnsupportedError, "changes a tensor"):
            changes(st.ones(3))
        with self.assertRaises(st.ArgumentError):
            st.compute()
        with self.assertRaises(st.ArgumentError):
            st.compute(3)


if __name__ == "__main__":
    unittest.main()
