"""Einstein sums, against numpy.einsum."""

import itertools
import unittest

import numpy

import strata as st
from drawing import DTYPES, TestCase

#: Subscripts with the shapes of their operands.
CASES = [
    ("i->", (4,)),
    ("i->i", (4,)),
    ("ij->ji", (3, 4)),
    ("ij->j", (3, 4)),
    ("ij", (3, 4)),
    ("ji", (3, 4)),
    ("ii", (4, 4)),
    ("ii->i", (4, 4)),
    ("iij->j", (3, 3, 4)),
    ("ij,jk", (3, 4), (4, 5)),
    ("ij,jk->ik", (3, 4), (4, 5)),
    ("ij,jk->", (3, 4), (4, 5)),
    ("ij,kj->ki", (3, 4), (5, 4)),
    ("i,j->ij", (3,), (4,)),
    ("i,i", (4,), (4,)),
    ("i,i->i", (4,), (4,)),
    (",i->i", (), (4,)),
    (",", (), ()),
    ("->", ()),
    ("ij,ij,ij->i", (3, 4), (3, 4), (3, 4)),
    ("ij,jk,kl->il", (2, 3), (3, 4), (4, 2)),
    ("ijk,kl->ijl", (2, 3, 4), (4, 5)),
    ("ijk,ilk->jl", (2, 3, 4), (2, 5, 4)),
    ("ab,bc", (2, 3), (3, 2)),
    ("...->...", (2, 3)),
    ("i...->...", (2, 3)),
    ("...i->...", (2, 3)),
    ("...ij,...jk->...ik", (2, 3, 4), (2, 4, 5)),
    ("...ij,jk", (2, 3, 4), (4, 5)),
    ("...,...", (2, 3), (2, 3)),
    ("i...,...i->...", (3, 2), (2, 3)),
    ("...ij,...jk->...ik", (2, 1, 3, 4), (5, 4, 2)),
    ("ij...,j...->i...", (2, 3, 4), (3, 4)),
    ("Ab,bC->AC", (2, 3), (3, 4)),
    ("ij , jk -> ik", (3, 4), (4, 5)),
    ("kij,kij->", (2, 3, 4), (2, 3, 4)),
    ("i,ij,j", (3,), (3, 4), (4,)),
    ("ij,k->", (2, 3), (4,)),
    ("ba,cb->ac", (3, 2), (4, 3)),
    ("ij,jk->ik", (0, 4), (4, 5)),
    ("ij,jk->ik", (3, 0), (0, 5)),
    ("ij->i", (3, 0)),
    ("ii->i", (0, 0)),
    ("ij,jk->ik", (1, 1), (1, 1)),
    ("ij,ij->ij", (3, 1), (1, 4)),
    ("i,i->", (1,), (4,)),
    ("ij,j->i", (3, 4), (1,)),
]


class EinsumTest(TestCase):
    def formats(self, shape):
        if not shape:
            return ["Dense"]
        return ["Dense", "SparseVector"] if len(shape) == 1 else ["Dense", "COO", "CSF"]

    def test_cases_in_dense_and_sparse_formats(self):
        for subscripts, *shapes in CASES:
            arrays = [self.draw(shape) for shape in shapes]
            expected = numpy.einsum(subscripts, *arrays)
            for formats in zip(*map(self.formats, shapes)):
                with self.subTest(subscripts=subscripts, formats=formats):
                    tensors = [st.asarray(x, format=format) for x, format in zip(arrays, formats)]
                    for _ in range(2):
                        self.assert_same(st.einsum(subscripts, *tensors), expected)

    def test_formats_of_vectors(self):
        matrix, x = self.draw((6, 6)), self.draw((6,))
        for format in ("CSR", "CSC", "COO", "DIA", "ELL", "BCSR:2x2", "DCSC"):
            tensor = st.asarray(matrix, format=format)
            for subscripts in ("ij,j->i", "ij,i->j"):
                result = st.einsum(subscripts, tensor, x)
                dense = format != "DCSC" or subscripts == "ij,j->i"
                self.assertEqual(result.format.name, "Dense" if dense else "SparseVector")
                self.assert_same(result, numpy.einsum(subscripts, matrix, x))

    def test_lists_of_labels(self):
        x, y = self.draw((3, 4)), self.draw((4, 5))
        for arguments in [
            (x, [0, 1]),
            (x, [1, 0]),
            (x, [0, 1], [1]),
            (x, [0, 1], y, [1, 2], [0, 2]),
            (x, [0, 1], y, [1, 2]),
            (x, [27, 3], y, [3, 51], [51, 27]),
            (x, [Ellipsis, 1], y, [1, 2], [2, Ellipsis]),
            (x, [0, 1], []),
        ]:
            self.assert_same(st.einsum(*arguments), numpy.einsum(*arguments), arguments)

    def test_every_type(self):
        for one, two in itertools.product(DTYPES, ("bool", "int8", "float32", "complex64")):
            x, y = self.draw((3, 4), one), self.draw((4, 2), two)
            expected = numpy.einsum("ij,jk->ik", x, y)
            self.assert_same(st.einsum("ij,jk->ik", x, y), expected, (one, two), 1e-2)
            tensor = st.asarray(x, format="CSR")
            self.assert_same(st.einsum("ij,jk->ik", tensor, y), expected, (one, two), 1e-2)

    def test_random_subscripts(self):
        generator = numpy.random.default_rng(7)
        sizes = dict(zip("abcd", (2, 3, 1, 4)))
        for _ in range(40):
            terms = [
                "".join(generator.choice(list("abcd"), generator.integers(1, 4)))
                for _ in range(generator.integers(1, 4))
            ]
            used = sorted(set("".join(terms)))
            result = "".join(generator.permutation(used)[: generator.integers(0, len(used) + 1)])
            subscripts = ",".join(terms) + "->" + result
            arrays = [self.draw([sizes[label] for label in term]) for term in terms]
            expected = numpy.einsum(subscripts, *arrays)
            with self.subTest(subscripts=subscripts):
                tensors = [
                    st.asarray(x, format=str(generator.choice(["Dense", "COO", "CSF"])))
                    for x in arrays
                ]
                self.assert_same(st.einsum(subscripts, *tensors), expected)

    def test_options(self):
        x, y = st.asarray(self.draw((3, 4)), format="CSR"), st.asarray(
            self.draw((4, 5)), format="CSR"
        )
        expected = x.todense() @ y.todense()
        self.assertEqual(st.einsum("ij,jk->ik", x, y).format.name, "CSR")
        found = st.einsum("ij,jk->ik", x, y, format="CSC", dtype="float32")
        self.assertEqual(found.format.name, "CSC")
        self.assert_same(found, expected.astype("float32"))
        self.assert_same(st.einsum("ij,jk->ik", x, y, optimize="greedy"), expected)
        self.assert_same(
            st.einsum("ij,jk->ik", x, y, schedule="reorder(i,j,k)", format="Dense"), expected
        )
        with self.assertRaises(st.ScheduleError):
            st.einsum("ij,jk->ik", x, y, schedule="reorder(i,nothing)")

    def test_tensordot_and_transpose(self):
        x, y = self.draw((3, 4, 2)), self.draw((4, 3, 5))
        for axes in [0, 1, ([0, 1], [1, 0]), (1, 0), ([-2], [0]), ([], [])]:
            if axes == 1:
                one, two = x, self.draw((2, 5))
            else:
                one, two = x, y
            expected = numpy.tensordot(one, two, axes)
            for format in ("Dense", "COO"):
                self.assert_same(st.tensordot(st.asarray(one, format=format), two, axes), expected)
        self.assert_same(st.transpose(x), x.T)
        self.assert_same(st.transpose(st.asarray(x, format="COO"), (1, 2, 0)), x.transpose(1, 2, 0))
        for axes in (3, 4, -1, ([0], [0]), ([5], [0])):
            with self.assertRaises(st.ShapeError, msg=axes):
                st.tensordot(x, y, axes)

    def test_results_share_no_memory(self):
        x = st.asarray(self.draw((3, 4)), format="CSR")
        one, two = st.einsum("ij->ij", x), st.einsum("ij->ij", x)
        self.assertFalse(one.shares_memory(two))

    def test_repeated_calls_compile_nothing(self):
        from strata import _core

        for size in (3, 4, 50):
            x = st.random((size, size), 0.3, "CSR", seed=size)
            st.einsum("ij,jk->ki", x, x)
            if size == 3:
                before = _core.compiled()
        self.assertEqual(_core.compiled(), before)

    def test_networks(self):
        # A tree of tensors has more labels than there are letters; its leaves are taken one by one.
        random = numpy.random.default_rng(5)
        labels: list[list[int]] = [[]]
        for number in range(1, 90):
            labels[int(random.integers(number))].append(number)
            labels.append([number])
        tensors = [random.standard_normal((2,) * len(own)) for own in labels]
        arguments = [one for pair in zip(tensors, labels) for one in pair]
        expected = list(tensors)
        for number in range(89, 0, -1):
            parent = next(at for at in range(number) if number in labels[at])
            at = labels[parent].index(number)
            leaf = expected[number]
            while leaf.ndim > 1:  # labels of children, which have been multiplied
                leaf = leaf.sum(axis=-1)
            expected[parent] = numpy.moveaxis(
                numpy.moveaxis(expected[parent], at, -1) * leaf, -1, at
            )
        total = expected[0].sum()
        self.assertAlmostEqual(st.einsum(*arguments, []).item() / total, 1, places=9)
        symbols = ["".join(chr(140 + 52 + number) for number in own) for own in labels]
        self.assertAlmostEqual(st.einsum(",".join(symbols) + "->", *tensors).item() / total, 1)
        with self.assertRaisesRegex(st.UnsupportedError, "at most 64 different labels"):
            names = [f"i{number}" for number in range(65)]
            st.evaluate(
                f"y = A({','.join(names[:32])}) * abs(B({','.join(names[32:64])}) + C({names[64]}))",
                A=st.tensor((1,) * 32),
                B=st.tensor((1,) * 32),
                C=st.tensor((1,)),
            )

    def test_the_order_of_products_follows_from_the_sizes_of_a_call(self):
        text = "D(i,l) = A(i,j) * B(j,k) * C(k,l)"
        for shapes, order in (
            (((4, 3000), (3000, 4), (4, 3000)), r"\(A \* B\) \* C takes"),
            (((3000, 4), (4, 3000), (3000, 4)), r"A \* \(B \* C\) takes"),
        ):
            A, B, C = (self.draw(shape) for shape in shapes)
            self.assertRegex(str(st.explain(text, A=A, B=B, C=C)), order)
            found = st.einsum("ij,jk,kl->il", A, B, C)
            numpy.testing.assert_allclose(found.to_numpy(), A @ B @ C, rtol=1e-12, atol=1e-9)

    def test_mistakes(self):
        x, y = numpy.ones((2, 3)), numpy.ones(4)
        for arguments in [
            ("ij", y),
            ("i", x),
            ("ij,", x),
            ("ij->ik", x),
            ("ij->ii", x),
            ("i%", x),
            ("ij->i.", x),
            ("i..", x),
            ("...i...", x),
            ("i...->i", x),
            ("ijk...", x),
            (),
            ("",),
            ("ij->i->j", x),
            (x, [0, -1]),
            (x, [0, 2_000_000]),
        ]:
            with self.assertRaises(st.ExpressionError, msg=arguments):
                st.einsum(*arguments)
        for arguments in [("ij,j", x, y), ("ii", x), ("ij,ji", x, x), ("...,...", x, y)]:
            with self.assertRaises(st.ShapeError, msg=arguments):
                st.einsum(*arguments)
        with self.assertRaisesRegex(st.ShapeError, "'j' has the sizes 3 and 4"):
            st.einsum("ij,j", x, y)
        for arguments in [(0, 0), ("i", None)]:
            with self.assertRaises(TypeError, msg=arguments):
                st.einsum(*arguments)


class ListsTest(TestCase):
    def test_lists_that_are_walked_in_another_order(self):
        for subscripts, shapes in (
            ("ab,ab,c->c", ((3, 4), (3, 4), (5,))),
            ("ab,ab,cd,cd->cd", ((3, 4), (3, 4), (2, 3), (2, 3))),
            ("bd,db,eac->ace", ((3, 4), (4, 3), (2, 3, 2))),
        ):
            arrays = [self.draw(shape) for shape in shapes]
            tensors = [st.asarray(array, format="COO") for array in arrays]
            for _ in range(2):  # the second finds the plan of the first
                found = st.einsum(subscripts, *tensors)
                self.assert_same(found, numpy.einsum(subscripts, *arrays), subscripts)


if __name__ == "__main__":
    unittest.main()
