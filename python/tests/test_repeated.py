"""Statements that run again for operands like those before, which take a shorter way."""

import itertools
import unittest

import numpy

import strata as st
from drawing import TestCase
from strata import _core, dtypes
from strata.conversion import number


class RepeatedRunTest(TestCase):
    def test_updates(self):
        expected = numpy.arange(4.0)
        y = st.asarray(expected.copy())
        for _ in range(4):
            x, v = self.draw((4, 5)), self.draw(5)
            before = y.todense()
            new = st.evaluate("y(i) += A(i,j) * v(j)", A=st.asarray(x, format="CSR"), v=v, y=y)
            expected = expected + x @ v
            self.assert_same(new, expected)
            self.assert_same(y, before)  # The operand stays as it is.
            self.assertFalse(new.shares_memory(y))
            y = new

    def test_kernels_that_run_often_are_compiled_again(self):
        x, v = numpy.rint(self.draw((300, 300)) * 4), numpy.rint(self.draw(300) * 4)
        A = st.asarray(x, format="CSR")
        whole = []
        for factor in (3, 5):
            expected, statement = factor * x @ v, f"y(i) = {factor} * A(i,j) * v(j)"
            runs = [_core.repeated()]
            for _ in range(6000):
                y = st.evaluate(statement, A=A, v=v)
                numpy.testing.assert_array_equal(y.to_numpy(), expected)
                runs.append(_core.repeated())
            # The runs of the whole program: the first, and the one that compiled the kernel again.
            whole.append([number for number in range(6000) if runs[number] == runs[number + 1]])
            self.assertEqual(len(whole[-1]), 2)
        # No clock has a say in which one that is.
        self.assertEqual(*whole)

    def test_products_that_are_computed_in_one_of_two_ways(self):
        a, b = self.draw((64, 64)), self.draw((64, 64))
        few, many = numpy.zeros((64, 64)), self.draw((64, 64))
        few[3, 5:25] = 2.5
        many[:3] = 0
        infinite = a.copy()
        infinite[0] = numpy.inf  # in a row of X without entries
        out = numpy.empty((64, 64))
        text = "Y(a,b) = X(i,j) * A(i,a) * B(j,b)"
        # All at once, which is one kernel that is called again; through a dense temporary; and all at
        # once where that would hold zeros that meet infinity.
        for x, left, repeats in ((few, a, 1), (many, a, 0), (many, infinite, 0)):
            X, expected = st.asarray(x, format="CSR"), a.T @ x @ b
            for run in range(3):
                before = _core.repeated()
                found = st.evaluate(text, X=X, A=left, B=b)
                self.assertEqual(_core.repeated() - before, repeats if run > 0 else 0)
                numpy.testing.assert_allclose(found.to_numpy(), expected, atol=1e-9)
                st.evaluate(text, X=X, A=left, B=b, out=out)
                numpy.testing.assert_allclose(out, expected, atol=1e-9)

    def test_sums_without_terms_beside_factors(self):
        x, v = abs(self.draw((30, 40))), abs(self.draw(30))
        x[:, 7] = 0
        A, finite = st.asarray(x, format="CSR"), abs(self.draw(40))
        infinite, zeros = finite.copy(), finite.copy()
        infinite[6:9], zeros[7] = (numpy.inf, numpy.inf, numpy.nan), 0
        out, terms = numpy.empty(40), v @ x
        # A dense temporary, by kernels that are called again, while factors are finite, and divisors not
        # zero; where there are no terms what they are has no effect.
        for text, other, make in (
            ("y(i) = b(i) * sum(j, A(j,i) * v(j))", infinite, lambda b: b * terms),
            ("y(i) = sum(j, A(j,i) * v(j)) / b(i)", zeros, lambda b: terms / b),
        ):
            for b in (finite, finite, other, finite, other):
                with numpy.errstate(all="ignore"):
                    expected = make(b)
                expected[7] = 0
                for run in range(3):
                    before = _core.repeated()
                    found = st.evaluate(text, A=A, v=v, b=b)
                    if run > 0 and b is finite:
                        self.assertEqual(_core.repeated() - before, 1)
                    numpy.testing.assert_allclose(found.to_numpy(), expected, atol=1e-9)
                    st.evaluate(text, A=A, v=v, b=b, out=out)
                    numpy.testing.assert_allclose(out, expected, atol=1e-9)

    def test_an_updated_operand_that_is_read_too(self):
        y = self.draw(4)
        for _ in range(3):
            found = st.evaluate("y(i) += y(3 - i)", y=y)
            self.assert_same(found, y + y[::-1])

    def test_look_ups(self):
        x = self.draw((6, 5))
        for format, dtype in itertools.product(("CSR", "CSC", "Dense"), ("int32", "int64")):
            A = st.asarray(x, format=format)
            for places in ([3, 1], [5, 5], [0, 2], [2, 0]):
                p = numpy.array(places, dtype)
                self.assert_same(st.evaluate("B(i,j) = A(p(i),j)", A=A, p=p), x[places])
                self.assert_same(
                    st.evaluate("b(i) = A(p(i),q(i))", A=A, p=p, q=p[::-1] % 5),
                    x[places, p[::-1] % 5],
                )
        A = st.asarray(x, format="CSR")
        sparse = st.asarray(numpy.array([0, 3, 0]), format="SparseVector")
        for _ in range(3):
            self.assert_same(st.evaluate("B(i,j) = A(p(i),j)", A=A, p=sparse), x[[0, 3, 0]])

    def test_look_ups_outside(self):
        A = st.asarray(self.draw((6, 5)), format="CSR")
        for good, bad in (([0, 5], [0, 6]), ([1, 1], [-1, 1])):
            for _ in range(2):
                st.evaluate("B(i,j) = A(p(i),j)", A=A, p=good)
                with self.assertRaisesRegex(st.Error, "is looked up"):
                    st.evaluate("B(i,j) = A(p(i),j)", A=A, p=bad)

    def test_sums_into_looked_up_places(self):
        for places in ([2, 0, 2], [1, 1, 1], [0, 1, 2]):
            w = self.draw(3)
            expected = numpy.ones(3)
            numpy.add.at(expected, places, w)
            found = st.evaluate("h(p(i)) += w(i)", p=places, w=w, h=numpy.ones(3))
            self.assert_same(found, expected)

    def test_places_looked_up_in_two_steps(self):
        q, p = numpy.array([2, 2, 0, 1]), numpy.array([2, 0, 1])
        for op, ufunc in (("+=", numpy.add), ("*=", numpy.multiply), ("min=", numpy.minimum)):
            for r in ([1, 1, 3, 0], [2]):
                w, h = self.draw(len(r)), self.draw(4)
                expected = h.copy()
                ufunc.at(expected, p[q[r]], w)
                found = st.evaluate(f"h(p(q(r(i)))) {op} w(i)", h=h, p=p, q=q, r=r, w=w)
                self.assert_same(found, expected)

    def test_several_steps(self):
        for _ in range(4):
            x, y, m, c = (self.draw((4, 4)) for _ in range(4))
            A, B, M, C = (st.asarray(one, format="CSR") for one in (x, y, m, c))
            found = st.evaluate("C(i,k)<M> = A(i,j) * B(j,k)", A=A, B=B, M=M, C=C)
            self.assert_same(found, numpy.where(m != 0, x @ y, c))
            self.assert_same(C, c)

    def test_sizes_and_numbers_of_entries_that_change(self):
        spmv = st.compile("y(i) = A(i,j) * x(j)", A=st.spec(2, "CSR"), x=st.spec(1))
        product = st.compile("C(i,k) = A(i,j) * B(j,k)", A=st.spec(2, "CSR"), B=st.spec(2, "CSR"))
        for _ in range(2):
            for rows, columns, density in itertools.product((1, 3, 30), (2, 40), (0.0, 0.1, 1.0)):
                x, v = self.draw((rows, columns), density=density), self.draw(columns)
                A = st.asarray(x, format="CSR")
                self.assert_same(spmv(A, v), x @ v)
                self.assert_same(product(A, A.T.asformat("CSR")), x @ x.T)


class NumberTest(unittest.TestCase):
    def test_every_type(self):
        for dtype, value in [
            ("bool", True),
            ("int8", -128),
            ("int16", 2**15 - 1),
            ("int32", -(2**31)),
            ("int64", 2**63 - 1),
            ("uint8", 255),
            ("uint16", 2**16 - 1),
            ("uint32", 2**32 - 1),
            ("uint64", 2**64 - 1),
            ("float16", 0.5),
            ("float32", 0.1),
            ("float64", 0.1),
            ("complex64", 1.5 - 2j),
            ("complex128", 0.1 + 0.2j),
        ]:
            tensor = number(value, dtypes.CODES[dtype])
            self.assertEqual((tensor.shape, tensor.dtype), ((), dtype))
            self.assertEqual(tensor.item(), numpy.array(value, dtype).item(), dtype)
            self.assertIs(type(tensor.item()), type(numpy.array(value, dtype).item()), dtype)

    def test_integers_that_do_not_fit(self):
        for dtype, value in [
            ("int8", 128),
            ("int8", -129),
            ("uint8", 256),
            ("uint8", -1),
            ("int64", 2**63),
            ("uint64", 2**64),
            ("uint64", -1),
        ]:
            with self.assertRaises(OverflowError, msg=(dtype, value)):
                number(value, dtypes.CODES[dtype])
        with self.assertRaises(TypeError):
            number(2.5, dtypes.CODES["int32"])
        with self.assertRaises(TypeError):
            number("2", dtypes.CODES["float64"])
        with self.assertRaises(TypeError):
            _core.scalar(1, 2)


if __name__ == "__main__":
    unittest.main()
