"""Gradients in JAX: check_grads in reverse, twice; under jit and vmap; complex numbers; patterns.

Without JAX all of it is skipped.
"""

import unittest

import numpy

import strata as st
from drawing import TestCase

try:
    import jax
    import jax.numpy as jnp
    from jax.test_util import check_grads
except ImportError:
    jax = None


def drawn(*shape, seed=0):
    return jnp.asarray(numpy.random.default_rng(seed).uniform(0.5, 1.5, shape))


@unittest.skipIf(jax is None, "JAX is not installed")
class JaxTest(TestCase):
    def setUp(self):
        jax.config.update("jax_enable_x64", True)
        self.A = st.random((4, 5), 0.5, "CSR", seed=1)
        self.pattern = st.jax.sparse(self.A)

    def tearDown(self):
        jax.config.update("jax_enable_x64", False)

    def twice(self, function, *arguments):
        check_grads(function, arguments, order=2, modes=["rev"])

    def test_products(self):
        def function(values, x):
            return st.jax.einsum("ij,jk->ik", self.pattern.with_values(values), x)

        self.twice(function, self.pattern.values, drawn(5, 3))

    def test_sampled_products(self):
        def function(values, x, y):
            A = self.pattern.with_values(values)
            text = "S(i,j)<A, structural> = tanh(A(i,j) * X(i,k) * Y(j,k))"
            return jnp.sum(st.jax.evaluate(text, A=A, X=x, Y=y).values ** 2)

        self.twice(function, self.pattern.values, drawn(4, 3), drawn(5, 3, seed=1))

    def test_reductions_and_functions(self):
        def function(x, y):
            return st.jax.evaluate("z(i) = max(j, exp(x(i,j)) * y(j)) / (1 + abs(y(k)))", x=x, y=y)

        self.twice(function, drawn(4, 5), drawn(5, seed=1))

    def test_compiled_and_mapped(self):
        x, dense = drawn(5, 3), self.A.todense()
        loss = jax.jit(lambda x: jnp.sum(st.jax.einsum("ij,jk->ik", self.A, x) ** 2))
        expected = jax.grad(lambda x: jnp.sum((dense @ x) ** 2))(x)
        numpy.testing.assert_allclose(jax.grad(loss)(x), expected)
        mapped = jax.vmap(lambda column: st.jax.einsum("ij,j->i", self.A, column))(x.T)
        numpy.testing.assert_allclose(mapped, (dense @ x).T)

    def test_complex(self):
        z, dense = drawn(5) + 1j * drawn(5, seed=1), self.A.todense()

        def loss(z):
            return jnp.sum(jnp.abs(st.jax.evaluate("y(i) = A(i,j) * z(j) * z(j)", A=self.A, z=z)) ** 2)

        expected = jax.grad(lambda z: jnp.sum(jnp.abs(dense @ (z * z)) ** 2))(z)
        numpy.testing.assert_allclose(jax.grad(loss)(z), expected)

    def test_integers(self):
        x, p = drawn(5), jnp.array([4, 0, 4])
        found = jax.grad(lambda x: jnp.sum(st.jax.evaluate("y(i) = x(p(i)) * x(p(i))", x=x, p=p)))(x)
        expected = numpy.zeros(5)
        numpy.add.at(expected, [4, 0, 4], 2 * numpy.asarray(x)[[4, 0, 4]])
        numpy.testing.assert_allclose(found, expected)

    def test_numbers_are_weak(self):
        for is_wide in (True, False):
            jax.config.update("jax_enable_x64", is_wide)
            for dtype in ("float16", "float32", "int32", "complex64"):
                x = jnp.ones(2, dtype)
                for number in (2, 0.5, True, 1j):
                    if dtype == "int32" and is_wide and type(number) in (float, complex):
                        continue  # JAX takes 32 bits, Strata 64
                    with self.subTest(dtype=dtype, number=number, is_wide=is_wide):

                        def scaled(x):
                            return st.jax.evaluate("y(i) = s * x(i)", s=number, x=x)

                        for found in (scaled(x), jax.jit(scaled)(x)):
                            self.assertEqual(found.dtype, (number * x).dtype)
                            numpy.testing.assert_allclose(found, number * x)
        y = st.jax.evaluate("y(i) = A(i,k)", A=self.A, k=numpy.int64(1))
        numpy.testing.assert_allclose(y, self.A.todense()[:, 1], 1e-6)

    def test_large_coordinates(self):
        n = 2**33
        A = st.from_coo(([0, n - 1], [1, 2]), [1.0, 2.0], (n, 4), dtype="float32")
        self.assertEqual(A.to_jax().indices.tolist(), [[0, 1], [n - 1, 2]])
        jax.config.update("jax_enable_x64", False)
        with self.assertRaisesRegex(st.DTypeError, "int32 of int64"):
            A.to_jax()

    def test_what_is_refused(self):
        x = drawn(5)
        with self.assertRaisesRegex(st.UnsupportedError, "no arrays in the format CSR"):
            st.jax.evaluate("B(i,j) = 2 * A(i,j)", A=self.A, format="CSR")
        with self.assertRaisesRegex(st.ExpressionError, "have no gradient"):
            jax.grad(lambda x: jnp.sum(st.jax.evaluate("y(i) = A(i,j) @(min,+) x(j)", A=self.A, x=x)))(x)
        with self.assertRaisesRegex(st.ShapeError, "stores"):
            st.jax.sparse(self.A, x[:1])


if __name__ == "__main__":
    unittest.main()
