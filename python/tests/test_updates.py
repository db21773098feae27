"""Masks, semirings, accumulation and out=, against NumPy element by element."""

import itertools
import unittest

import numpy

import strata as st
from drawing import TestCase

#: The semirings that are compared, with what adds (and its identity), and what multiplies.
SEMIRINGS = {
    "plus_times": (numpy.add, 0, numpy.multiply),
    "min_plus": (numpy.minimum, numpy.inf, numpy.add),
    "max_plus": (numpy.maximum, -numpy.inf, numpy.add),
    "max_times": (numpy.maximum, -numpy.inf, numpy.multiply),
    "min_first": (numpy.minimum, numpy.inf, lambda x, y: x),
    "max_second": (numpy.maximum, -numpy.inf, lambda x, y: y),
    "plus_pair": (numpy.add, 0, lambda x, y: 1.0),
    "times_max": (numpy.multiply, 1, numpy.maximum),
}


def multiply(ring, x, y):
    """The product of two matrices over entries that are not zero, and where it has a term."""
    add, identity, product = SEMIRINGS[ring]
    shape = len(x), y.shape[1]
    values, present = numpy.full(shape, float(identity)), numpy.zeros(shape, bool)
    for i, j, k in itertools.product(range(len(x)), range(x.shape[1]), range(y.shape[1])):
        if x[i, j] and y[j, k]:
            values[i, k] = add(values[i, k], product(x[i, j], y[j, k]))
            present[i, k] = True
    return values, present


class SemiringTest(TestCase):
    def test_products(self):
        x, y = self.draw((4, 5)), self.draw((5, 3))
        for ring, formats in itertools.product(SEMIRINGS, (("CSR", "CSR"), ("COO", "CSC"))):
            values, present = multiply(ring, x, y)
            A, B = (st.asarray(one, format=name) for one, name in zip((x, y), formats))
            found = st.einsum("ij,jk->ik", A, B, semiring=ring, format="CSR", fill=99)
            expected = values if ring == "plus_times" else numpy.where(present, values, 99)
            self.assertEqual(found.fill, 99)
            numpy.testing.assert_allclose(found.todense()[present], expected[present], err_msg=ring)
            if ring != "plus_times":
                self.assertEqual(found.nnz, present.sum(), ring)
                self.assert_same(found, expected, ring)

    def test_reductions_and_chains(self):
        x = self.draw((4, 4))
        A = st.asarray(x, format="CSR")
        rows = numpy.where(x == 0, numpy.inf, x).min(1)
        found = st.einsum("ij->i", A, semiring="min_plus")
        self.assert_same(found, rows)
        values, present = multiply("max_plus", x, x)
        twice = numpy.where(present, values, 0)
        values, present = multiply("max_plus", twice, x)
        found = st.einsum("ij,jk,kl->il", A, A, A, semiring="max_plus", fill=-1)
        self.assert_same(found, numpy.where(present, values, -1))

    def test_names(self):
        self.assertEqual(st.Semiring("or_and"), st.Semiring("lor_land"))
        self.assertEqual(str(st.Semiring("any_oneb")), "any_pair")
        self.assertEqual(len({st.Semiring("min_plus"), st.Semiring("min_plus")}), 1)
        self.assertEqual(repr(st.Semiring("min_plus")), "strata.Semiring('min_plus')")
        for name in ("min", "plus", "", "minus_plus", "min_nothing", "min_plus_times", "_"):
            with self.assertRaises(st.ExpressionError, msg=name):
                st.Semiring(name)
        with self.assertRaises(st.ExpressionError):
            st.einsum("ij->i", st.eye(3), semiring="nothing")

    def test_of_truth(self):
        x = self.draw((5, 5)) > 0
        A = st.asarray(x, format="CSR")
        found = st.einsum("ij,jk->ik", A, A, semiring="lor_land")
        self.assert_same(found, x @ x)


class MaskTest(TestCase):
    def setUp(self):
        super().setUp()
        self.x, self.y = self.draw((4, 5)), self.draw((5, 6))
        self.product = self.x @ self.y
        self.old = self.draw((4, 6))
        m = self.draw((4, 6))
        crds = numpy.nonzero(numpy.ones((4, 6)))
        # Zeros that are stored tell values from structure.
        kept = numpy.random.default_rng(3).random(24) < 0.6
        self.stored = kept.reshape(4, 6)
        self.m = numpy.where(self.stored, m, 0)
        entries = [crd[kept] for crd in crds], self.m[self.stored]
        self.M = st.from_coo(*entries, (4, 6), "CSR")
        self.assertEqual(self.M.nnz, kept.sum())

    def masks(self):
        truth = self.M != 0
        return [
            (None, numpy.ones((4, 6), bool)),
            (self.M, self.m != 0),
            (self.M.asformat("COO"), self.m != 0),
            (self.M.asformat("Dense"), self.m != 0),
            (self.m, self.m != 0),
            (truth, self.m != 0),
            (~truth, self.m == 0),
            (~(~truth), self.m != 0),
            (self.M.structural, self.stored),
            (~self.M.structural, ~self.stored),
            (~~self.M.structural, self.stored),
        ]

    def test_without_a_result_before(self):
        for left, right in itertools.product(("Dense", "CSR"), ("Dense", "CSC")):
            A, B = st.asarray(self.x, format=left), st.asarray(self.y, format=right)
            for mask, allowed in self.masks():
                for _ in range(2):
                    found = st.einsum("ij,jk->ik", A, B, mask=mask)
                    self.assert_same(found, numpy.where(allowed, self.product, 0), repr(mask))

    def test_into_a_result(self):
        A, B = st.asarray(self.x, format="CSR"), st.asarray(self.y, format="CSR")
        for (mask, allowed), replace, accum, format in itertools.product(
            self.masks(), (False, True), (None, "plus", "times"), ("Dense", "CSR")
        ):
            new = self.product
            if accum:
                new = self.old + new if accum == "plus" else self.old * new
            expected = numpy.where(allowed, new, 0 if replace else self.old)
            for _ in range(2):
                out = st.asarray(self.old, format=format)
                before = out.asformat(format, copy=True)
                options = {"mask": mask, "accum": accum, "replace": replace}
                found = st.einsum("ij,jk->ik", A, B, out=out, **options)
                self.assertIs(found, out)
                self.assertEqual(out.format.name, format)
                self.assert_same(out, expected, (format, options))
                self.assert_same(before, self.old)

    def test_notation_does_the_same(self):
        A, B = st.asarray(self.x, format="CSR"), st.asarray(self.y, format="CSR")
        i, j, k = st.get_index_vars(3)
        for (mask, allowed), replace in itertools.product(self.masks(), (False, True)):
            C = st.asarray(self.old, format="CSR")
            C.update(mask=mask, replace=replace)[i, k] = A[i, j] * B[j, k]
            expected = numpy.where(allowed, self.product, 0 if replace else self.old)
            self.assert_same(C, expected, repr(mask))
            C.update(mask=mask)[i, k] += 2 * A[i, j] * B[j, k]
            expected = numpy.where(allowed, expected + 2 * self.product, expected)
            self.assert_same(C, expected, repr(mask))
        C.update(accum="min")[i, k] = A[i, j] * B[j, k]
        both = (expected != 0) & (self.product != 0)
        smaller = numpy.minimum(expected, self.product)
        self.assert_same(C, numpy.where(both, smaller, expected + self.product))
        C[i, k] = st.Semiring("max_plus")(A[i, j], B[j, k])
        values, present = multiply("max_plus", self.x, self.y)
        self.assert_same(C, numpy.where(present, values, 0))

    def test_a_mask_is_not_computed(self):
        truth = st.random((10**6, 10**6), 1e-12, "COO", seed=1) != 0
        empty = ~truth
        self.assertEqual((empty.shape, empty.dtype), ((10**6, 10**6), bool))
        A = st.asarray(truth).astype("float64")
        self.assertEqual(st.einsum("ij->ij", A, mask=empty).nnz, 0)
        self.assertEqual(st.einsum("ij->ij", A, mask=truth).nnz, truth.nnz)
        self.assertIn("not computed yet", repr(empty))
        self.assertIn("not computed yet", empty._repr_html_())
        self.assertEqual(repr(~self.M.structural), "<strata.Mask ~M.structural>")

    def test_shapes(self):
        A = st.eye(3)
        for options in ({"mask": st.ones(4)}, {"mask": A}, {"mask": st.ones(4), "out": st.ones(3)}):
            for _ in range(2):
                with self.assertRaises(st.ShapeError):
                    st.einsum("ij->i", A, **options)
        st.einsum("ij->i", A, mask=st.ones(3))
        with self.assertRaises(st.ShapeError):  # of a plan that is known
            st.einsum("ij->i", A, mask=st.ones(4))
        i, j = st.get_index_vars(2)
        with self.assertRaises(st.ShapeError):
            st.zeros(3).update(mask=st.ones(4))[i] = A[i, j]


class OutTest(TestCase):
    def test_arrays_of_numpy(self):
        x, y = self.draw((4, 5)), self.draw((5, 6))
        A = st.asarray(x, format="CSR")
        for order in "CF":
            out = numpy.zeros((4, 6), order=order)
            found = st.einsum("ij,jk->ik", A, y, out=out)
            self.assertTrue(found.shares_memory(out))
            numpy.testing.assert_allclose(out, x @ y)
            st.einsum("ij,jk->ik", A, y, out=out, accum="minus")
            numpy.testing.assert_allclose(out, 0, atol=1e-12)
        part = numpy.zeros((8, 6))[::2]
        st.einsum("ij,jk->ik", A, y, out=part)
        numpy.testing.assert_allclose(part, x @ y)
        out = numpy.zeros(4, "float32")
        st.einsum("ij->i", A, out=out)
        numpy.testing.assert_allclose(out, x.sum(1))

    def test_format_and_type_are_those_of_the_tensor(self):
        x = self.draw((4, 5))
        A = st.asarray(x, format="CSR")
        for format, dtype in [("COO", "float32"), ("CSC", "float64"), ("Dense", "complex128")]:
            out = st.tensor((5, 4), format, dtype=dtype)
            self.assertIs(st.einsum("ij->ji", A, out=out), out)
            self.assertEqual((out.format.name, out.dtype), (format, dtype))
            self.assert_same(out, x.T.astype(dtype))
        wide = st.tensor((4, 5), "CSR", fill=7)
        self.assert_same(st.einsum("ij->ij", A, out=wide), x)
        self.assertEqual(wide.fill, 7)

    def test_statements_and_kernels(self):
        x, v = self.draw((4, 5)), self.draw(5)
        A, out = st.asarray(x, format="CSR"), st.ones(4)
        self.assertIs(st.evaluate("y(i) += A(i,j) * v(j)", A=A, v=v, out=out), out)
        self.assert_same(out, 1 + x @ v)
        self.assert_same(st.evaluate("y(i) = A(i,j) * v(j)", A=A, v=v, out=out), x @ v)
        h = st.zeros(3)
        st.evaluate("h(p(i)) += w(i)", p=[2, 0, 2], w=[1.0, 2.0, 3.0], out=h)
        self.assert_same(h, [2.0, 0.0, 4.0])
        spmv = st.compile("y(i) = A(i,j) * v(j)", A=A, v=v)
        array = numpy.zeros(4)
        spmv(A, v, out=array)
        numpy.testing.assert_allclose(array, x @ v)
        sparse = st.tensor(4, "SparseVector")
        self.assert_same(spmv(A, v, out=sparse), x @ v)
        self.assertEqual(sparse.format.name, "SparseVector")
        axpy = st.compile("y(i) += a * A(i,j) * v(j)", A=A, v=v, a=1.0, y=st.spec(1))
        out = st.ones(4)
        for _ in range(3):
            self.assertIs(axpy(A=A, v=v, a=2.0, out=out), out)
        self.assert_same(out, 1 + 6 * x @ v)

    def test_others_keep_what_they_have(self):
        x = self.draw((4, 4))
        A, out = st.asarray(x, format="CSR"), st.zeros((4, 4))
        turned, array = out.T, out.to_numpy()
        st.einsum("ij,jk->ik", A, A, out=out)
        self.assert_same(turned, numpy.zeros((4, 4)))
        self.assertFalse(array.any())
        # A result may be one of the operands.
        st.einsum("ij,jk->ik", out, A, out=out)
        self.assert_same(out, x @ x @ x)

    def test_mistakes(self):
        A = st.eye(3)
        for error, options in [
            (st.ShapeError, {"out": st.zeros(4)}),
            (st.ShapeError, {"out": st.zeros((3, 1))}),
            (st.ShapeError, {"out": numpy.zeros(4)}),
            (st.ArgumentError, {"accum": "plus"}),
            (st.ArgumentError, {"replace": True}),
            (st.ArgumentError, {"accum": "nothing", "out": st.zeros(3)}),
            (st.ArgumentError, {"out": st.zeros(3), "format": "Dense"}),
            (st.ArgumentError, {"out": st.zeros(3), "dtype": "float32"}),
            (st.ArgumentError, {"out": st.zeros(3), "fill": 1}),
            (TypeError, {"out": [0.0, 0.0, 0.0]}),
            (st.Error, {"out": st.zeros(3, dtype="int64")}),
        ]:
            with self.assertRaises(error, msg=options):
                st.einsum("ij->i", A, **options)
        array = numpy.zeros(3)
        array.flags.writeable = False
        with self.assertRaises(ValueError):
            st.einsum("ij->i", A, out=array)
        with self.assertRaises(st.ArgumentError):
            st.evaluate("y(i) = A(i,j)", A=A, out=st.zeros(3), dtype="float32")
        with self.assertRaises(st.ShapeError):
            st.compile("y(i) = A(i,j)", A=A)(A, out=st.zeros(4))


if __name__ == "__main__":
    unittest.main()
