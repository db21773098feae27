"""Gradients of statements, beside central differences of the statements and formulas in NumPy.

Statements and the formats of their operands are drawn. A derivative by central differences in
float64 shares nothing with the front end's rules but the statement. STRATA_LONG draws 200.
"""

import os
import unittest

import numpy

import strata as st
from strata import gradients
from drawing import TestCase
from drawn_statements import Drawing

DRAWN = 200 if os.environ.get("STRATA_LONG") else 6
def with_dense(tensor, dense):
    """The same pattern with the values of an array, none of which is zero."""
    if tensor.format.is_full:
        return st.asarray(dense, format=tensor.format.without_widths())
    where = numpy.nonzero(tensor.todense())
    return st.from_coo(where, dense[where], tensor.shape, tensor.format.without_widths())


def central_differences(text, name, tensors, weights, step=1e-6, **options):
    """The derivative of sum(weights * result) by the entries of an operand."""
    tensor = tensors[name]
    dense = numpy.array(tensor.todense())
    result = numpy.zeros_like(dense)
    places = numpy.argwhere(dense != 0) if not tensor.format.is_full else numpy.ndindex(dense.shape)
    parts = (1, 1j) if dense.dtype.kind == "c" else (1,)
    for place in map(tuple, places):
        for part in parts:
            sides = []
            for sign in (1, -1):
                moved = dense.copy()
                moved[place] += sign * step * part
                given = {**tensors, name: with_dense(tensor, moved)}
                found = st.evaluate(text, **options, **given).todense()
                sides.append(numpy.sum(numpy.conj(weights) * found).real)
            # Torch's convention: the derivative by the real part, and i times that by the other.
            result[place] += part * (sides[0] - sides[1]) / (2 * step)
    return result


class GradientCase(TestCase):
    def check(self, text, by=None, dtype=float, tolerance=1e-5, **tensors):
        """Compares all gradients with differences; sparse ones keep the pattern of the operand."""
        tensors = {name: st.asarray(x) for name, x in tensors.items()}
        result = st.evaluate(text, **tensors).todense()
        rng = numpy.random.default_rng(3)
        weights = rng.uniform(0.5, 1.5, result.shape)
        if result.dtype.kind == "c":
            weights = weights + 1j * rng.uniform(0.5, 1.5, result.shape)
        names = [name for name, x in tensors.items() if x.dtype.kind in "fc"] if by is None else by
        gradients = st.grad(text, names, cotangent=weights, **tensors)
        for name in names:
            expected = central_differences(text, name, tensors, weights)
            found, own = gradients[name], tensors[name]
            with self.subTest(text=text, name=name, format=str(own.format)):
                self.assertEqual(found.shape, own.shape)
                self.assertEqual(found.dtype, own.dtype)
                self.assertEqual(found.format.without_widths(), own.format.without_widths())
                scale = max(1.0, numpy.abs(expected).max(initial=0))
                numpy.testing.assert_allclose(found.todense(), expected, atol=tolerance * scale)
                levels = own.format.levels or ("",)
                if not own.format.is_full and levels[-1] in ("compressed", "singleton"):
                    self.assertEqual(found.nnz, own.nnz)
        return gradients


class DrawnTest(GradientCase):
    def test_statements(self):
        refused = 0
        for seed in range(DRAWN):
            drawn = Drawing(seed)
            tensors = {name: x for name, (_, x) in drawn.tensors.items()}
            with self.subTest(seed=seed):
                try:
                    self.check(drawn.text, **tensors)
                except st.UnsupportedError as error:  # an adjoint reads what all its factors read
                    self.assertRegex(str(error), "cannot merge [0-9]+ sparse operands at once")
                    refused += 1
        self.assertLessEqual(refused, DRAWN // 50)


def positive(*shape, seed=0, density=1.0, format="Dense", dtype=float):
    numbers = numpy.random.default_rng(seed)
    dense = numbers.uniform(0.4, 1.6, shape) * (numbers.random(shape) < density)
    if dtype is complex:
        dense = dense * (1 + 0.5j) + 0.25j * (dense != 0)
    return st.asarray(dense, format=format)


class StatementTest(GradientCase):
    def test_formats(self):
        x, y = positive(6, seed=1), positive(5, seed=2)
        for format in ("CSR", "CSC", "COO", "DCSR", "ELL", "DIA", "BCSR:2x2", "JDS", "HYB"):
            A = positive(5, 6, seed=3, density=0.5, format=format)
            self.check("s = y(i) * A(i,j) * A(i,j) * x(j)", A=A, x=x, y=y)

    def test_functions(self):
        names = "abs sqrt exp log sin cos tan tanh square asin acos atan sinh cosh asinh atanh"
        names += " log2 log10 log1p expm1 cbrt erf erfc floor ceil sign"
        x = st.asarray([0.31, 0.55, 0.83])
        for name in names.split():
            self.check(f"y(i) = {name}(x(i))", x=x)
        self.check("y(i) = acosh(x(i) + 1)", x=x)
        z = st.asarray([0.72, -0.64, 0.91])
        for name in ("pow", "atan2", "mod", "copysign", "min", "max"):
            self.check(f"y(i) = {name}(x(i) + 0.1, 2 * z(i) + 3)", x=x, z=z)
        self.check("y(i) = pow(x(i), 3) + pow(x(i), 2) + pow(z(i) + 2, x(i))", x=x, z=z)
        self.check("y(i) = heaviside(z(i), x(i)) * x(i) + max(x(i), z(i), 0.5)", x=x, z=z)

    def test_accesses(self):
        A = positive(5, 4, seed=1, density=0.6, format="CSR")
        S = positive(4, 4, seed=2, density=0.7, format="CSR")
        D, x, G = positive(5, 4, seed=3), positive(4, seed=4), positive(3, 4, seed=5)
        p, q = numpy.array([3, 0, 3]), numpy.array([1, 0, 2, 1])
        self.check("y(i,j) = A(k,i) * A(k,j)", A=A)
        self.check("y(i) = S(i,i) * x(i) + S(i,j) * x(j)", S=S, x=x)
        self.check("y(i,j) = A(p(i),j) * G(i,j)", A=A, G=G, p=p)
        self.check("y(i,j) = sin(D(p(i),j)) * G(i,j)", D=D, G=G, p=p)
        self.check("y(i) = x(p(r(i))) * x(i)", x=x, p=p, r=numpy.array([2, 0, 2, 1]))
        self.check("y(j) = D(0,j) * A(2,j) + D(1,j)", A=A, D=D)
        self.check("y(i) = x(~(i - 1)) * x(i) - 2 * x(~(i + 1))", x=x)
        self.check("y(i,j) = A(i(1,4),j) * D(i(0,3),j)", A=A, D=D)
        self.check("y(j) = A(i(1,4),j)", A=A)
        self.check("y(i,j) = x(q(j)) * D(i,q(j))", x=x, D=D, q=q)
        self.check("y(i) = sum(j, x(j) + D(i,j))", x=x, D=D)
        self.check("y(i) = a * A(i,j) * x(j) + b", A=A, x=x, a=st.asarray(2.5), b=st.asarray(0.5))

    def test_reductions(self):
        A = positive(5, 4, seed=1, density=0.6, format="CSR")
        D, x = positive(5, 4, seed=2), positive(4, seed=3)
        for name in ("sum", "max", "min", "prod"):
            self.check(f"y(i) = {name}(j, D(i,j) * x(j))", D=D, x=x)
            self.check(f"y(i) = square({name}(j, D(i,j))) * {name}(k, x(k))", D=D, x=x)
        self.check("y(i) = max(j, A(i,j) * x(j))", A=A, x=x)
        zeros = numpy.array([[0.0, 2.0, 3.0], [0.0, 0.0, 3.0], [4.0, 2.0, 3.0]])
        found = st.grad("y(i) = prod(j, D(i,j))", "D", D=zeros, cotangent=numpy.ones(3)).todense()
        numpy.testing.assert_array_equal(found, [[6, 0, 0], [0, 0, 0], [6, 12, 8]])

    def test_extremes_of_products_share_all(self):
        """What is the greatest is found again among the terms, however these are rounded."""
        rng = numpy.random.default_rng(7)
        weights = rng.uniform(0.5, 1.5, 300)
        A, B, C = (rng.uniform(-1, 1, (300, 40)) for _ in range(3))
        for how in ("max", "min"):
            for dtype in (numpy.float64, numpy.float32):
                given = {name: x.astype(dtype) for name, x in (("A", A), ("B", B), ("C", C))}
                text = f"y(i) = {how}(k, A(i,k) * B(i,k) + C(i,k) * 0.7)"
                found = st.grad(text, "C", cotangent=weights.astype(dtype), **given).todense()
                numpy.testing.assert_allclose(found.sum(axis=1), 0.7 * weights, rtol=1e-5)

    def test_ties(self):
        x = numpy.array([2.0, 2.0, 1.0])
        found = st.grad("s = max(i, x(i))", "x", x=x).todense()
        numpy.testing.assert_array_equal(found, [0.5, 0.5, 0])
        relu = st.grad("y(i) = max(x(i), 0)", "x", x=[0.0, -1.0, 1.0], cotangent=[1.0, 1.0, 1.0])
        numpy.testing.assert_array_equal(relu.todense(), [0, 0, 1])
        where = "y(i) = where(x(i) > 0, sqrt(x(i)), 0)"
        found = st.grad(where, "x", x=[0.0, 4.0], cotangent=[1.0, 1.0])
        numpy.testing.assert_array_equal(found.todense(), [0, 0.25])

    def test_masks(self):
        M = positive(5, 6, seed=1, density=0.4, format="CSR")
        P, Q = positive(5, 3, seed=2), positive(6, 3, seed=3)
        self.check("S(i,j)<M, structural> = exp(P(i,k) * Q(j,k))", M=M, P=P, Q=Q)
        self.check("S(i,j)<!M> = P(i,k) * Q(j,k)", by=["P", "Q"], M=M, P=P, Q=Q)
        y = positive(5, 6, seed=4)
        weights = numpy.random.default_rng(1).random((5, 6))
        mask = M.todense() != 0
        for sign, kept in (("=", ~mask), ("+=", mask | True)):
            text = f"y(i,j)<M> {sign} P(i,k) * Q(j,k)"
            found = st.grad(text, ["y", "P"], cotangent=weights, y=y, M=M, P=P, Q=Q)
            numpy.testing.assert_allclose(found["y"].todense(), weights * kept)
            numpy.testing.assert_allclose(found["P"].todense(), (weights * mask) @ Q.todense())

    def test_updates(self):
        y, x, D = positive(4, seed=1), positive(3, seed=2), positive(3, 2, seed=3)
        p = numpy.array([3, 1, 3])
        weights = numpy.array([1.0, 2.0, 3.0, 4.0])
        for sign, operator in ((1, "+="), (-1, "-=")):
            text = f"y(p(i)) {operator} x(i) * D(i,j)"
            found = st.grad(text, ["y", "x", "D"], cotangent=weights, y=y, x=x, D=D, p=p)
            numpy.testing.assert_allclose(found["y"].todense(), weights)
            expected = sign * weights[p] * D.todense().sum(1)
            numpy.testing.assert_allclose(found["x"].todense(), expected)
            expected = sign * numpy.outer(weights[p] * x.todense(), [1, 1])
            numpy.testing.assert_allclose(found["D"].todense(), expected)

    def test_stencils(self):
        x, weights = positive(6, seed=1).to_numpy(), numpy.arange(1.0, 7.0)
        text = "y(i) += x(i - 1) - x(i + 1) * x(i + 1)"
        found = st.grad(text, "x", cotangent=weights, x=x, y=numpy.zeros(6))
        expected = numpy.zeros(6)
        expected[0:4] += weights[1:5]
        expected[2:6] -= 2 * x[2:6] * weights[1:5]
        numpy.testing.assert_allclose(found.todense(), expected)

    def test_complex(self):
        A = positive(4, 3, seed=1, density=0.7, format="CSR", dtype=complex)
        x, r = positive(3, seed=2, dtype=complex), positive(4, seed=3)
        self.check("y(i) = A(i,j) * conj(x(j)) * r(i)", A=A, x=x, r=r)
        self.check("y(i) = abs(A(i,j) * x(j)) + re(A(i,j) * x(j)) * r(i)", A=A, x=x, r=r)
        self.check("y(i) = exp(x(i)) / (im(x(i)) + 2 * x(i) + 3)", x=x)

    def test_softmax_of_entries(self):
        S = positive(4, 6, seed=1, density=0.5, format="CSR")
        V, weights = positive(6, 2, seed=2).to_numpy(), positive(4, 2, seed=3).to_numpy()
        text = "O(i,d) = sum(j, S(i,j) * V(j,d)) / sum(j, S(i,j))"
        self.check(text, S=S, V=V)
        dense, stored = S.todense(), S.todense() != 0
        total = dense.sum(1, keepdims=True)
        expected = (weights @ V.T - ((dense @ V / total) * weights).sum(1, keepdims=True)) / total
        found = st.grad(text, "S", cotangent=weights, S=S, V=V)
        numpy.testing.assert_allclose(found.todense(), expected * stored, atol=1e-12)

    def test_products_around_sums_that_vanish(self):
        """The gradient of a gradient, in which a product that is split uses up another one."""
        x, y = positive(4, 5, seed=1), positive(5, seed=2)
        m, u, v = positive(4, seed=3), positive(5, seed=4), positive(4, seed=5)
        text = (
            "d(i) = sum(j, u(j) * where(x(i,j) == m(i), 1, 0) * exp(x(i,j))) / (1 + abs(sum(k, y(k))))"
            " / sum(l, where(x(i,l) == m(i), 1, 0) + 1) - sum(o, u(o)) * sign(sum(p, y(p))) * m(i)"
            " / ((1 + abs(sum(q, y(q)))) * (1 + abs(sum(r, y(r)))))"
        )
        found = st.evaluate(text, x=x, y=y, m=m, u=u).todense()
        total, sums = 1 + y.todense().sum(), u.todense().sum()
        numpy.testing.assert_allclose(found, -sums * m.todense() / total**2)
        base = st.adjoint("z(i) = max(j, exp(x(i,j)) * y(j)) / (1 + abs(y(k)))", "y", x=x, y=y)
        known = {"x": x, "y": y, "dz": v}
        for step in base.steps:
            known[step.result] = st.evaluate(step.text, **{n: known[n] for n in step.operands})
        last = base.steps[-1]
        operands = {name: known[name] for name in last.operands}
        self.check(last.text, by=["dz"], **operands)

    def test_hypersparse(self):
        n = 10**9
        A = st.from_coo(([5, 7, n - 1], [1, n - 2, 5]), [1.0, 2.0, 3.0], (n, n), "COO")
        found = st.grad("s = A(i,j) * A(i,j)", "A", A=A)
        numpy.testing.assert_array_equal(found.values, [2, 4, 6])

    def test_empty(self):
        for shape in ((0, 3), (3, 0), (1, 1)):
            A = st.asarray(numpy.ones(shape), format="CSR")
            found = st.grad("s = A(i,j) * x(j)", A=A, x=numpy.ones(shape[1]))
            numpy.testing.assert_array_equal(found["A"].todense(), numpy.ones(shape))
            numpy.testing.assert_array_equal(found["x"].todense(), [shape[0]] * shape[1])

    def test_large(self):
        n = 10**5
        A = st.random((n, n), 1e-4, "CSR", seed=1)  # 10^6 entries
        x, weights = positive(n, seed=2), positive(n, seed=3).to_numpy()
        found = st.grad("y(i) = A(i,j) * x(j)", A=A, x=x, cotangent=weights)
        matrix = A.to_scipy()
        numpy.testing.assert_allclose(found["x"].to_numpy(), matrix.T @ weights)
        rows = numpy.repeat(numpy.arange(n), numpy.diff(matrix.indptr))
        expected = weights[rows] * x.to_numpy()[matrix.indices]
        numpy.testing.assert_allclose(found["A"].values, expected)

    def test_same_entries(self):
        """Entries to which nothing contributes stay entries."""
        A = st.from_coo(([0, 1], [0, 1]), [1.0, 2.0], (2, 2), "CSR")
        B = st.from_coo(([0], [0]), [3.0], (2, 2), "CSR")
        found = st.grad("s = A(i,j) * B(i,j)", "A", A=A, B=B)
        numpy.testing.assert_array_equal(found.values, [3, 0])
        found = st.grad("y(i) = floor(A(i,j))", "A", A=A, cotangent=[1.0, 1.0])
        numpy.testing.assert_array_equal(found.values, [0, 0])


class ShapeTest(TestCase):
    def test_results_without_running(self):
        """What torch.compile asks: the shape of a result, from those of the operands."""
        shape = gradients.result_shape
        self.assertEqual(shape("y[i] = A[i,j] * x[j]", ("A", "x"), [(2, 3), (3,)]), [2])
        self.assertEqual(shape("y(j,i) += A(i,j)", ("A", "y"), [(2, 3), (3, 2)]), [3, 2])
        self.assertEqual(shape("S(i,j)<M> = x(i) * z", ("x", "z", "M"), [(2,), (), (2, 5)]), [2, 5])
        self.assertEqual(shape("s = x(i)", ("x",), [(2,)]), [])
        with self.assertRaisesRegex(st.ShapeError, "the size of 'i' does not show"):
            shape("y(i) = x(i + 1)", ("x",), [(4,)])


class RefusalTest(TestCase):
    def refused(self, text, message, by=None, error=None, **tensors):
        with self.assertRaisesRegex(error or st.ExpressionError, message):
            st.adjoint(text, by, **tensors)

    def test_what_has_no_gradient(self):
        A, x, p = numpy.ones((3, 3)), numpy.ones(3), numpy.array([0, 1, 2])
        self.refused("y(i) = A(i,j) @(min,+) x(j)", "'@', have no gradient", A=A, x=x)
        self.refused("y(i) = any(j, A(i,j))", "reduction by 'any' has no gradient", A=A)
        self.refused("y(i) *= x(i)", "has no gradient", x=x, y=x)
        self.refused("y(p(i)) = x(i)", "keeps any one of the values", x=x, y=x, p=p)
        self.refused("y(o) = x(o + r) * w(r)", "look them", x=x, w=x[:2])
        self.refused("y(i) = x(i + 1) - x(i)", "the result is shorter than 'x'", x=x)
        self.refused("y(i) = x(p(i))", "holds int64", "p", x=x, p=p)
        self.refused("y(i) = x(i)", "no operand 'z'", "z", st.ArgumentError, x=x)
        filled = st.asarray(A, format="CSR") + 1
        self.refused("y(i) = A(i,j)", "another value than zero", A=filled)
        self.refused("x(i) = solve(A, b)", "no gradient", A=A, b=x)

    def test_cotangents(self):
        with self.assertRaisesRegex(st.ArgumentError, "cotangent is missing"):
            st.grad("y(i) = x(i)", "x", x=[1.0, 2.0])
        with self.assertRaises(st.ShapeError):
            st.grad("y(i) = x(i)", "x", x=[1.0, 2.0], cotangent=[1.0, 2.0, 3.0])
        for wrong in (2.0, [[1.0, 2.0]]):
            with self.assertRaisesRegex(st.ShapeError, "the cotangent has the shape .* 1 dimension"):
                st.grad("y(i) = x(i)", "x", x=[1.0, 2.0], cotangent=wrong)
        with self.assertRaisesRegex(st.ShapeError, r"gradient by 'x' \(3,\), but 'x' is \(4,\)"):
            st.grad("y(i) = A(i,j) * x(j)", "x", A=numpy.ones((2, 3)), x=[1.0] * 4, cotangent=[1, 2])
        with self.assertRaisesRegex(st.DTypeError, "the cotangent is complex"):
            st.grad("y(i) = x(i)", "x", x=[1.0, 2.0], cotangent=[1j, 2.0])

    def test_statements(self):
        A = st.eye(3, format="CSR")
        found = st.adjoint("y(i) = A(i,j) * x(j)", A=A, x=[1.0, 2.0, 3.0])
        self.assertEqual(
            found.statements,
            ("dA(i,j)<A, structural> = dy(i) * x(j)", "dx(j) = sum(i, dy(i) * A(i,j))"),
        )


if __name__ == "__main__":
    unittest.main()
