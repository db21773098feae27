"""Statements from text: evaluate, compile, explain, schedules, index variables."""

import itertools
import os
import pickle
import unittest
import unittest.mock

import numpy

import strata as st
from drawing import TestCase
from strata.spelling import operand_names, result_name


class AbsentSumsTest(unittest.TestCase):
    def test_infinity_times_a_sum_without_terms(self):
        A, B, W = numpy.zeros((3, 0)), numpy.zeros((0, 3)), numpy.ones((3, 3))
        for text in ("C(i,k) = a * A(i,j) * B(j,k) + W(i,k)", "C(i,k) = W(i,k) - a * (A(i,j) * B(j,k))"):
            result = st.evaluate(text, A=A, B=B, W=W, a=numpy.inf)
            self.assertEqual(result.todense().tolist(), W.tolist(), text)


class LargerOperandsTest(unittest.TestCase):
    """Kernels with little to do are compiled quickly, and again for operands with more to do."""

    def kernels_of(self, text, sizes):
        """The number of kernels that are compiled for matrices of these sizes, one after the other."""
        from strata import _core

        counts = []
        for size in sizes:
            x = st.random((size, size), density=0.5, format="CSR", seed=1)
            before = _core.compiled()
            st.evaluate(text, X=x, format="CSR")
            counts.append(_core.compiled() - before)
        return counts

    def test_more_values(self):
        self.assertEqual(self.kernels_of("Y(i,j) = 7.25 * X(i,j)", (8, 9, 64)), [1, 0, 0])
        self.assertEqual(self.kernels_of("Y(i,j) = 8.25 * X(i,j)", (8, 2000, 9)), [1, 1, 0])

    def test_functions_take_longer(self):
        self.assertEqual(self.kernels_of("Y(i,j) = 9.25 * X(i,j)", (8, 500)), [1, 0])
        self.assertEqual(self.kernels_of("Y(i,j) = 9.5 * log1p(X(i,j))", (8, 500)), [1, 1])


class NamesTest(unittest.TestCase):
    def test_operands_in_their_order(self):
        for text, names in [
            ("y(i) = A(i,j) * x(j)", ["A", "x"]),
            ("y[i] = alpha * A[i, j] * x[j] + y0[i]", ["alpha", "A", "x", "y0"]),
            ("C(i,j) += B(i,j)", ["B", "C"]),
            ("C(i,k)<M> = A(i,j) * B(j,k)", ["A", "B", "M"]),
            ("C(i,k)<!M, structural> = A(i,k)", ["A", "M"]),
            ("y(i) = max(j, A(i,j))", ["A"]),
            ("B(i,j) = A(p(i),j)", ["A", "p"]),
            ("B(i,j) = A(i(2,5),j)", ["A"]),
            ("d(i) min= x(i)", ["x", "d"]),
            ("E(i,j) = where(A(i,j) >= 0.5, sqrt(A(i,j)), 0)", ["A"]),
            ("s = A(i,j) * B(i,j)", ["A", "B"]),
            ("c(i) = i * x(i)", ["x"]),
            ("y(i) = x(i floordiv 4) + 1e-3", ["x"]),
            ("D(i,j) = A(i,k) @(min,+) B(k,j)", ["A", "B"]),
            ("s += x(i)", ["x", "s"]),
            ("y_i = A_ij * x_j", ["A", "x"]),
            ("A_{i,j} = B_{i,j}", ["B"]),
            ("y_max = A(i,j)", ["A"]),
            ("E(i,j)<A>=exp(A(i,j))", ["A"]),
            ("C[i,k]<M[k,i]>+=A[i,k]", ["A", "M", "C"]),
        ]:
            self.assertEqual(operand_names(text), names, text)

    def test_name_of_the_result(self):
        for text, name in [
            ("y(i) = x(i)", "y"),
            ("s = x(i)", "s"),
            ("C_new[i, k] = A[i, k]", "C_new"),
            ("A_{i,j} = B_{i,j}", "A"),
            ("C(i,k)<M> += A(i,k)", "C"),
            ("d(i) min= x(i)", "d"),
            ("y_i = A_ij * x_j", "y"),
            ("y_max = A(i,j)", "y_max"),
        ]:
            self.assertEqual(result_name(text), name, text)


class EvaluateTest(TestCase):
    def setUp(self):
        super().setUp()
        self.x = self.draw((4, 5))
        self.v = self.draw(5)
        self.A = st.asarray(self.x, format="CSR")

    def test_by_name_and_by_position(self):
        expected = 2.5 * self.x @ self.v
        text = "y(i) = alpha * A(i,j) * v(j)"
        self.assert_same(st.evaluate(text, A=self.A, v=self.v, alpha=2.5), expected)
        self.assert_same(st.evaluate(text, 2.5, self.A, self.v), expected)
        self.assert_same(st.evaluate(text, 2.5, A=self.A, v=self.v), expected)

    def test_subscripts(self):
        for text in ["y_i = A_ij * v_j", "y_{i} = A_{i,j} * v_{j}", "y_i = A(i,j) * v(j)"]:
            self.assert_same(st.evaluate(text, A=self.A, v=self.v), self.x @ self.v)
            result = st.evaluate(text, A=self.A, v=self.v, format="SparseVector")
            self.assertEqual(str(result.format.without_widths()), "SparseVector")
            self.assert_same(result, self.x @ self.v)
        self.assert_same(st.evaluate("y_i = A_ij * v_j", self.A, self.v), self.x @ self.v)
        out = numpy.ones(4)
        st.evaluate("y_i += A_ij * v_j", A=self.A, v=self.v, out=out)
        numpy.testing.assert_allclose(out, 1 + self.x @ self.v)
        self.assertAlmostEqual(float(st.evaluate("y_sum = A(i,j)", A=self.A)), self.x.sum())

    def test_masks_with_a_format(self):
        text = "E(i,j)<A>=exp(A(i,j))"
        for format in ["CSR", "COO", "Dense"]:
            result = st.evaluate(text, A=self.A, format=format)
            self.assertEqual(str(result.format.without_widths()), format)
            self.assert_same(result, numpy.where(self.x != 0, numpy.exp(self.x), 0))

    def test_diagonals_on_the_left(self):
        expected = numpy.eye(3) * 1.5
        out = numpy.eye(3)
        st.evaluate("A(i,i) += lam", lam=0.5, out=out)
        numpy.testing.assert_allclose(out, expected)
        i, j = st.get_index_vars(2)
        for format in ["Dense", "CSR", "COO", "DIA"]:
            X = st.asarray(self.draw((3, 3)), format=format)
            dense = X.todense().copy()
            X[i, i] = 2.0
            numpy.fill_diagonal(dense, 2.0)
            self.assert_same(X, dense)
            self.assertEqual(str(X.format.without_widths()), format)
            X[i, i] += X[i, j]
            dense[range(3), range(3)] += dense.sum(1)
            self.assert_same(X, dense)
        with self.assertRaises(st.ShapeError):
            X = st.zeros((2, 3))
            X[i, i] = 1.0

    def test_sums_of_booleans_count(self):
        count = int((self.x != 0).sum())
        for text in ["s = sum(i,j, A(i,j) != 0)", "s = SUM(A(i,j) != 0)"]:
            result = st.evaluate(text, A=self.A)
            self.assertEqual((int(result), result.dtype), (count, "int64"))
        M = st.asarray(self.x != 0, format="CSR")
        self.assert_same(st.evaluate("c(i) = sum(j, M(i,j))", M=M), (self.x != 0).sum(1))
        self.assertEqual(st.evaluate("c(i) = M(i,j) * N(i,j)", M=M, N=M).dtype, "bool")

    def test_integers_in_indices(self):
        x = self.draw((3, 4))
        out = st.zeros(12)
        st.evaluate("c(N*i+j) = x(i,j)", x=x, N=4, out=out)
        self.assert_same(out, x.ravel())
        with self.assertRaises(st.Error) as caught:
            st.evaluate("c(N*i+j) = x(i,j)", x=x, N=4)
        self.assertIn("out=", caught.exception.suggestion)
        for one in (numpy.int64(1), numpy.uint8(1), numpy.array(1)):
            self.assert_same(st.evaluate("y(i) = A(i,k)", A=x, k=one), x[:, 1])
        self.assert_same(st.evaluate("y(i) = A(i,k) * k", A=x, k=numpy.int8(-1) * -2), 2 * x[:, 2])

    def test_codes_of_errors(self):
        A = st.asarray(self.x)
        for text, code in (("y(i) = root(A(i,j))", "SE0601"), ("y(i) = A(i,j) * ", "SE0104"), ("y(i) = A(i,j", "SE0106")):
            with self.assertRaises(st.Error) as caught:
                st.evaluate(text, A=A)
            self.assertEqual(caught.exception.code, code)
            self.assertEqual(pickle.loads(pickle.dumps(caught.exception)).code, code)
        self.assertEqual(st.Error("x").code, "")

    def test_language(self):
        x, A = self.x, self.A
        for text, expected, options in [
            ("y(i) = max(j, A(i,j))", x.max(1), {}),
            ("B(j,i) = A(i,j)", x.T, {}),
            (
                "B(i,j) = where(A(i,j) > 2, sqrt(A(i,j)), 0)",
                numpy.where(x > 2, numpy.sqrt(x), 0),
                {},
            ),
            ("B(i,j) = A(p(i),j)", x[[3, 0]], {"p": [3, 0]}),
            ("B(i,j) = A(i(1,3),j)", x[1:3], {}),
            (
                "B(i,j)<M> = A(i,j) * 2",
                numpy.where(x > 2, 2 * x, 0),
                {"M": st.asarray(x > 2, format="CSR")},
            ),
            ("s = A(i,j) * A(i,j)", (x * x).sum(), {}),
            ("C(i,j) += A(i,j)", 1 + x, {"C": numpy.ones((4, 5))}),
            (
                "d(i,k) = A(i,j) @(min,+) A(k,j)",
                numpy.array(
                    [
                        [
                            min([a + b for a, b in zip(r, s) if a and b], default=numpy.inf)
                            for s in x
                        ]
                        for r in x
                    ]
                ),
                {},
            ),
        ]:
            found = st.evaluate(text, A=A, **options)
            self.assertEqual(found.shape, numpy.shape(expected), text)
            if "@" in text:
                found = found.asformat("Dense")
                mask = numpy.isfinite(expected)
                numpy.testing.assert_allclose(found.todense()[mask], expected[mask])
            else:
                self.assert_same(found, expected, text)

    def test_format_and_type_of_the_result(self):
        found = st.evaluate(
            "C(i,k) = A(i,j) * B(k,j)", A=self.A, B=self.A, format="COO", dtype="float32"
        )
        self.assertEqual(found.format.name, "COO")
        self.assert_same(found, (self.x @ self.x.T).astype("float32"))
        found = st.evaluate("s = A(i,j)", A=self.A, dtype="float32")
        self.assert_same(found, numpy.float32(self.x.sum()))
        wide = st.evaluate("B(i,j) = A(i,j)", A=self.A, format=st.Format("CSR", pos=64))
        self.assertEqual(wide.levels[1].pos.dtype, "int64")

    def test_scalars_are_weak(self):
        A = self.A.astype("float32")
        self.assertEqual(st.evaluate("B(i,j) = a * A(i,j)", A=A, a=2.0).dtype, "float32")
        self.assertEqual(
            st.evaluate("B(i,j) = a * A(i,j)", A=A, a=numpy.float64(2)).dtype, "float64"
        )

    def test_mistakes(self):
        A = self.A
        for text, operands, error in [
            ("y(i) = A(i,j) *", {"A": A}, st.ExpressionError),
            ("y(i) = nothing(A(i,j))", {"A": A}, st.ExpressionError),
            ("C(i,k) = A(i,j) * B(j,k)", {"A": A, "B": A}, st.ShapeError),
            ("y(i) = A(i,j)", {"A": A, "B": A}, st.ArgumentError),
            ("y(i) = A(i,j,k)", {"A": A}, st.Error),
            ("y(i) = A(i,j)", {"A": object()}, st.DTypeError),
        ]:
            with self.assertRaises(error, msg=text):
                st.evaluate(text, **operands)
        with self.assertRaises(st.ArgumentError):
            st.evaluate("y(i) = A(i,j)", A, A)
        with self.assertRaises(st.FormatError):
            st.evaluate("y(i) = A(i,j)", A=A, format="CSR")
        with self.assertRaises(st.ShapeError):
            st.evaluate("B(j,i) = A(i,j)", A=A, out=A)
        with self.assertRaises(st.ExpressionError) as caught:
            st.evaluate("y(i) = A(i,j) + nothing(A(i,j))", A=A)
        error = caught.exception
        self.assertEqual((error.line, error.column), (1, 17))
        self.assertIn("\n" + " " * 18 + "^", str(error))
        self.assertIsInstance(error, ValueError)

    def test_errors_of_a_run_have_a_place(self):
        for text, operands, word in [
            ("c(i) = mod(a(i), b(i))", {"a": [1, 2], "b": [1, 0]}, "zero"),
            ("C(i,k) = A(i,j) * B(j,k)", {"A": self.A, "B": self.A}, "'j'"),
            ("B(i,j) = A(p(i),j)", {"A": self.A, "p": [9]}, "looked up"),
        ]:
            with self.assertRaisesRegex(st.Error, word) as caught:
                st.evaluate(text, **operands)
            error = caught.exception
            self.assertEqual((error.text, error.line), (text, 1))
            self.assertGreater(error.column, 0, text)
            self.assertIn("^", str(error))

    def test_hints_name_no_options_of_the_command_line(self):
        import re

        option = re.compile(r"(^|[ (])-{1,2}[a-zA-Z]")
        declared = "IndexLabel [i] = [{}]; Tensor<double> x([i], Dense); x[i] = {}; print(x);"
        for run, hint in [
            (lambda: st.evaluate("y(i) = 2"), "an operand that has this dimension says its size"),
            (
                lambda: st.run(f"def main() {{ {declared.format('n', 1)} }}"),
                "a parameter of that name",
            ),
            (
                lambda: st.run(f"def main() {{ {declared.format('?', 'read(z)')} }}"),
                "a parameter of that name, or write it in quotes",
            ),
        ]:
            with self.assertRaises(st.Error) as caught:
                run()
            self.assertIn(hint, caught.exception.suggestion)
            self.assertIsNone(option.search(caught.exception.suggestion), hint)
        st.config(max_memory=10**6)
        self.addCleanup(st.config, max_memory=None)
        with self.assertRaises(MemoryError) as caught:
            st.evaluate("C(i,j) = x(i) * x(j)", x=numpy.ones(3000))
        self.assertIn("the limit of memory", str(caught.exception))
        self.assertIsNone(option.search(str(caught.exception)))

    def test_division_by_zero(self):
        with self.assertRaises(ZeroDivisionError):
            st.evaluate("c(i) = mod(a(i), b(i))", a=[1, 2], b=[1, 0])


class KernelTest(TestCase):
    def test_is_called_for_any_sizes(self):
        spmv = st.compile("y(i) = A(i,j) * x(j)", A=st.spec(2, "CSR"), x=st.spec((5,)))
        self.assertEqual(spmv.operands, ("A", "x"))
        self.assertEqual(spmv.format.name, "Dense")
        for shape in [(4, 5), (1, 1), (0, 3), (3, 0)]:
            x, v = self.draw(shape), self.draw(shape[1])
            A = st.asarray(x, format="CSR")
            self.assert_same(spmv(A=A, x=v), x @ v)
            self.assert_same(spmv(A, v), x @ v)
            self.assert_same(spmv(A, x=v), x @ v)
        wide = A.asformat(st.Format("CSR", pos=64, crd=64))
        self.assert_same(spmv(wide, v), x @ v)
        with self.assertRaises(st.ShapeError):
            spmv(A, numpy.ones(99))
        with self.assertRaises(st.FormatError):
            spmv(A.asformat("CSC"), v)
        for arguments, options in [((A,), {}), ((A, v, v), {}), ((A, v), {"z": v})]:
            with self.assertRaises(st.ArgumentError):
                spmv(*arguments, **options)

    def test_specs_may_be_tensors(self):
        x = self.draw((3, 4))
        kernel = st.compile("s = a * B(i,j)", B=st.asarray(x, format="COO"), a=1.0, dtype="float64")
        self.assert_same(kernel(B=st.asarray(x, format="COO"), a=3.0), 3 * x.sum())
        self.assertEqual(repr(st.spec(2, "CSR", float)), "strata.spec(2, 'CSR', 'float64')")

    def test_results_in_another_type(self):
        A, x = st.from_coo(([0, 1], [1, 0]), [2.5, 3.0], (2, 2), "CSR"), [1.0, 2.0]
        multiply = st.compile("y(i) = A(i,j) * x(j)", A=A, x=st.spec(1))
        for target in (st.zeros(2, dtype="float32"), st.zeros(2, "SparseVector", dtype="float32")):
            form = target.format.without_widths()
            self.assertIs(multiply(A, x, out=target), target)
            self.assert_same(target, numpy.array([5.0, 3.0], "float32"))
            self.assertEqual(target.format.without_widths(), form)
        with self.assertRaisesRegex(st.DTypeError, "float64"):
            multiply(A, x, out=st.zeros(2, dtype="int64"))
        with self.assertRaisesRegex(st.ShapeError, "out="):
            multiply(A, x, out=st.zeros(3))

    def test_stages_and_plans(self):
        kernel = st.compile("y(i) = A(i,j) * x(j)", A=st.spec(2, "CSR"), x=st.spec(1))
        self.assertIn("for i", str(kernel.explain()))
        for stage, word in [
            ("c", "for (int64_t"),
            ("llvm", "define"),
            ("ta", "ta."),
            ("loops", "for i"),
        ]:
            self.assertIn(word, kernel.source(stage), stage)
        with self.assertRaises(st.ArgumentError):
            kernel.source("nothing")
        A = st.eye(3)
        self.assertIn("for i", str(st.explain("y(i) = A(i,j) * x(j)", A=A, x=numpy.ones(3))))
        self.assertIn("for i", str(st.explain("y(i) = A(i,j) * x(j)", A, numpy.ones(3))))
        sparse = str(st.explain("C(i,j) = A(i,j) * B(i,j)", A=A, B=A, format="DCSR", dtype="float32"))
        self.assertRegex(sparse, "result +C: float.*DCSR")

    def test_the_order_of_products_follows_from_the_sizes_of_operands(self):
        wide, high = numpy.ones((4, 4000)), numpy.ones((4000, 4))
        for operands, first in (
            ((wide, high, wide), "p0(i,k) = sum(j, A(i,j) * B(j,k))"),
            ((high, wide, high), "p0(j,l) = sum(k, B(j,k) * C(k,l))"),
        ):
            text = "R(i,l) = A(i,j) * B(j,k) * C(k,l)"
            self.assertIn(first, str(st.explain(text, *operands)))
            a, b, c = operands
            self.assert_same(st.evaluate(text, A=a, B=b, C=c), a @ (b @ c))

    def test_patterns_are_assembled_once(self):
        random = numpy.random.default_rng(7)
        a, b = (
            random.integers(-3, 4, shape) * (random.random(shape) < 0.4)
            for shape in ((5, 6), (6, 4))
        )
        for text, format in [
            ("C(i,k) = A(i,j) * B(j,k)", "CSR"),
            ("C(i,k) = A(i,j) * B(j,k)", "DCSR"),
            ("C(i,k) = A(i,j) * B(j,k)", "Dense"),
            ("C(k,i) = B(j,k) * A(i,j)", "CSC"),
        ]:
            given = [st.asarray(x.astype(float)).asformat("CSR") for x in (a, b)]
            product = st.compile(text, format=format, A=given[0], B=given[1])
            pattern = product.assemble(A=given[0], B=given[1])
            self.assertEqual(abs(pattern.todense()).max(), 0)
            for scale in (1.0, -2.0):
                operands = {"A": given[0] * scale, "B": given[1]}
                made, whole = product.compute(pattern, **operands), product(**operands)
                self.assertEqual(made.todense().tolist(), whole.todense().tolist(), text)
                self.assertEqual((made.nnz, made.format), (whole.nnz, whole.format))
                if format != "Dense":
                    self.assertTrue(made.shares_memory(pattern))
            self.assertEqual(abs(pattern.todense()).max(), 0)
        del pattern  # the result keeps what it refers to
        self.assertEqual(made.todense().tolist(), whole.todense().tolist())

    def test_patterns_that_cannot_be(self):
        A = st.eye(3)
        padded = st.compile("C(i,j) = 2 * A(i,j)", A=A, format="ELL")
        with self.assertRaisesRegex(st.UnsupportedError, "cannot be made apart"):
            padded.assemble(A)
        update = st.compile("y(i) += A(i,j) * x(j)", A=A, x=st.spec(1), y=st.spec(1))
        with self.assertRaisesRegex(st.UnsupportedError, "updates a tensor"):
            update.assemble(A, [1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
        scaled = st.compile("C(i,j) = A(i,j) * x(j)", A=A, x=st.spec(1))
        operands = (A, [1.0, 2.0, 3.0])
        with self.assertRaises(st.FormatError):
            scaled.compute(st.eye(3, format="CSC"), *operands)
        with self.assertRaises(st.ShapeError):
            scaled.compute(st.eye(4), *operands)
        with self.assertRaises(st.ArgumentError):
            scaled.compute(st.zeros((3, 3), "CSR"), *operands)

    def test_explanations(self):
        A = st.random((30, 30), 0.1, "COO", seed=1)
        for text in ("C(i,k) = A(i,j) * A(j,k)", "y(i) = A(i,j)", "C(i,j) = A(i,j) + A(j,i)"):
            kernel = st.compile(text, A=A)
            explained = kernel.explain()
            self.assertTrue(any(line.startswith("for ") for line in explained.loops), text)
            self.assertIn(explained.loops[-1].strip(), str(explained))
            self.assertIn("<pre>", explained._repr_html_())
            if not explained.conversions:
                again = st.compile(text, A=A, schedule=kernel.schedule)
                self.assertEqual(again.explain().loops, explained.loops)
        columns = st.explain("C(i,k) = A(i,j) * A(j,k)", A=A.asformat("CSC"))
        self.assertEqual(len(columns.data["statements"]), 1)
        kernel = st.compile("C(i,k) = A(i,j) * A(j,k)", A=A.asformat("CSC"), format="CSR")
        self.assertIn("converted to CSR", kernel.explain().conversions[0])

    def test_explanations_of_operands_say_how_much_is_done(self):
        A, B = st.random((40, 30), 0.1, "CSR", seed=1), st.random((30, 20), 0.1, "CSR", seed=2)
        explained = st.explain("y(i) = A(i,j) * x(j)", A=A, x=numpy.ones(30))
        self.assertEqual(explained.flops, 2 * A.nnz)
        self.assertEqual(explained.bytes, A.nnz * 12 + 41 * 4 + 30 * 8 + 40 * 8)
        self.assertIn("expected 240 operations", str(explained))
        # In the order of names or of the statement, in several kernels, or of a kernel.
        for text in (
            "y(j) = A(i,j) * x(i)",
            "C(i,k) = A(i,j) * B(j,k)",
            "D(i,j) = A(i,j) + B(j,i)",
        ):
            operands = {"x": numpy.ones(40), "B": B, "A": A}
            if "D" in text:
                operands["B"] = st.random((30, 40), 0.1, "CSR", seed=3)
            operands = {name: operands[name] for name in operands if f"{name}(" in text}
            explained = st.explain(text, **operands)
            self.assertGreater(explained.flops, 0, text)
            kernel = st.compile(text, **operands)
            self.assertEqual(kernel.explain(**operands).flops, explained.flops)
            self.assertIsNone(kernel.explain().flops)

    def test_times_are_predicted_for_every_format(self):
        folder = os.path.dirname(os.path.abspath(__file__))
        machine = os.path.join(folder, "../../test/tools/inputs/machine.json")
        formats = ("CSR", "CSC", "DCSR", "COO", "DIA", "ELL", "SELL", "JDS", "Bitmap", "DOK")
        entries = st.random((6, 6), 0.3, "COO", seed=1)
        with unittest.mock.patch.dict(os.environ, {"STRATA_MACHINE": machine}):
            for first, second in itertools.product(formats, formats):
                A, B = entries.asformat(first), entries.asformat(second)
                for text in ("C(i,j) = A(i,j) + B(i,j)", "s = A(i,j) * B(j,i)"):
                    explained = st.explain(text, A=A, B=B)
                    if explained.flops is not None:
                        self.assertLess(explained.seconds, 1e-3, (text, first, second))
                        self.assertGreater(explained.seconds, 0, (text, first, second))
            text = "C(i,k) = A(i,j) * B(j,k)"
            self.assertIsNotNone(st.explain(text, A=A, B=A).seconds)

    def test_schedules(self):
        schedule = st.Schedule("reorder(i,j,k)").parallelize("i", "CPUThread", "NoRaces")
        self.assertEqual(str(schedule), "reorder(i,j,k),parallelize(i,CPUThread,NoRaces)")
        self.assertEqual(schedule, st.Schedule(str(schedule)))
        x, y = self.draw((4, 5)), self.draw((5, 6))
        text = "C(i,k) = A(i,j) * B(j,k)"
        for one in (schedule, str(schedule), "split(i,i0,i1,2)"):
            self.assert_same(st.evaluate(text, A=x, B=y, schedule=one), x @ y)
        for bad in ("reorder(i,z)", "nothing(i)", "split(i"):
            with self.assertRaises(st.ScheduleError):
                st.evaluate(text, A=x, B=y, schedule=bad)


class NotationTest(TestCase):
    def test_statements(self):
        x, y = self.draw((4, 5)), self.draw((5, 6))
        A, B = st.asarray(x, format="CSR"), st.asarray(y)
        C = st.tensor((4, 6))
        i, j, k = st.get_index_vars(3)
        C[i, k] = A[i, j] * B[j, k]
        self.assert_same(C, x @ y)
        C[i, k] += A[i, j] * B[j, k]
        self.assert_same(C, 2 * x @ y)
        C[i, k] = 2 * C[i, k] - 1
        self.assert_same(C, 4 * x @ y - 1)
        D = st.tensor((4, 5), "CSR", dtype="float32")
        D[i, j] = A[i, j] * 2.5
        self.assertEqual((D.format.name, D.dtype), ("CSR", "float32"))
        self.assert_same(D, (2.5 * x).astype("float32"))
        v = st.tensor(4)
        v[i] = st.sum(j, abs(-A[i, j])) / 2 + 1
        self.assert_same(v, abs(x).sum(1) / 2 + 1)
        v[i] = A[i, 2].applied("max", A[i, 3] / 2).applied("exp")
        self.assert_same(v, numpy.exp(numpy.maximum(x[:, 2], x[:, 3] / 2)))
        v[i] = A[i, 2]
        self.assert_same(v, x[:, 2])
        w = st.tensor(5)
        w[i] = st.asarray(x[0])[i + 2] - st.asarray(x[0])[i]
        self.assert_same(w, numpy.append(x[0, 2:] - x[0, :-2], [0, 0]))
        E = st.tensor((2, 5))
        E[i, j] = A[i(1, 3), j]
        self.assert_same(E, x[1:3])
        s = st.tensor(())
        s[()] = A[i, j] * A[i, j]
        self.assert_same(s, (x * x).sum())

    def test_scalars_are_operands(self):
        from strata import _core

        A, C = st.asarray(self.draw((4, 5)), format="CSR"), st.tensor((4, 5), "CSR")
        i, j = st.get_index_vars(2)
        C[i, j] = A[i, j] * 0.5
        before = _core.compiled()
        for number in range(20):
            C[i, j] = A[i, j] * (number + 0.25)
        self.assertEqual(_core.compiled(), before)

    def test_mistakes(self):
        A, C = st.eye(4), st.tensor((4, 4))
        i, j = st.get_index_vars(2)
        with self.assertRaises(st.ShapeError):
            A[i]
        with self.assertRaises(st.ShapeError):
            st.tensor((3, 4))[i, j] = A[i, j]
        with self.assertRaises(st.ExpressionError):
            C[i, 0] = A[i, j]
        with self.assertRaises(st.ExpressionError):
            C[i, j] = A
        for index in ([0], numpy.array([0]), slice(1), 1.5, None, True):
            with self.assertRaises(st.ExpressionError, msg=index):
                A[i, index]
        with self.assertRaisesRegex(st.ExpressionError, "axis="):
            st.sum(A, 0)
        with self.assertRaises(TypeError):
            bool(A[i, j] == 1)
        for call in (lambda: i // 2.5, lambda: i % 2.5, lambda: i(0.5, 2)):
            with self.assertRaises(TypeError):
                call()

    def test_integers_of_numpy_are_coordinates(self):
        x = self.draw((4, 5))
        A, (i, j) = st.asarray(x), st.get_index_vars(2)
        y, two = st.tensor((4,)), numpy.int64(2)
        y[i] = A[i, two]
        self.assert_same(y, x[:, 2])
        z = st.tensor((3,))
        z[i] = A[1, i + two]
        self.assert_same(z, x[1, 2:])
        z = st.tensor((2,))
        z[i] = A[two * i + numpy.uint8(1), 3]
        self.assert_same(z, x[1::2, 3])


if __name__ == "__main__":
    unittest.main()
