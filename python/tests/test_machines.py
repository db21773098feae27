"""Tensors in pieces, on machines of one process. test/dist/machines.py has several."""

import os
import tempfile
import unittest

import numpy

import strata as st
from drawing import TestCase

SPMV = "y(i) = A(i,j) * x(j)"
PROGRAM = """
Machine M(2);
def main() {
  IndexLabel [i] = [5];
  Tensor<double> x([i], Dense on M(i));
  x[i] = value;
  var s = SUM(x[i] * x[i]);
  print("sum", s);
}
"""


class MachineTest(TestCase):
    def setUp(self):
        super().setUp()
        self.M = st.Machine(3)
        self.matrix = self.draw((7, 5))
        self.vector = self.draw(5)
        self.A = st.asarray(self.matrix).asformat("CSR on M(i)", machine=self.M)

    def assert_close(self, found, expected):
        if isinstance(found, st.Tensor):
            found = found.todense()
        numpy.testing.assert_allclose(found, expected, 1e-12)

    def test_machines(self):
        self.assertEqual(self.M.cells, (3,))
        self.assertEqual((self.M.name, self.M.rank, self.M.size), ("M", 0, 1))
        self.assertEqual((self.M.library, self.M.sent_bytes), ("none", 0))
        self.assertEqual(st.Machine().cells, (1,))
        self.assertEqual(st.Machine((2, 3), name="N").cells, (2, 3))
        self.assertEqual(st.Machine(3), self.M)
        self.assertEqual(st.Machine(numpy.int64(3)), self.M)
        whole = st.from_piece(self.matrix, "CSR on M(i)", self.M, (7, 5), first=numpy.int64(0))
        self.assert_close(whole, self.matrix)
        self.assertNotEqual(st.Machine(4), self.M)
        self.assertEqual(repr(self.M), "<strata.Machine M: 3 cells>")
        self.assertEqual(self.M.together(lambda: 42), 42)
        for cells, name in ((-1, "M"), ((), "M"), (2**30, "M"), (2, "a b"), (2, "")):
            with self.assertRaises(st.ArgumentError):
                st.Machine(cells, name=name)
        with self.assertRaises(st.ArgumentError):
            st.Machine(2, comm=1)

    def test_formats(self):
        format = self.A.format
        self.assertEqual((format.name, format.places, format.machine), ("CSR", "M(i)", "M"))
        self.assertEqual(format.without_places(), st.Format("CSR"))
        self.assertEqual(str(st.Format("CSR on M(~(i,j))", pos=64)), "{CSR, pos = 64} on M(~(i,j))")
        self.assertIsNone(st.Format("CSR").places)
        dense = "{(i, j) -> (i : dense, j : dense)} on N(i, *)"
        self.assertEqual(st.Format("Dense on N(i, *)", 2).map, dense)
        for wrong in ("CSR on M(k)", "CSR on M()", "CSR on M(i, i)", "CSR on M", "HYB:2 on M(~i)"):
            with self.assertRaises(st.FormatError, msg=wrong):
                st.Format(wrong, 2)

    def test_pieces(self):
        self.assertEqual(self.A.machine, self.M)
        self.assertEqual([piece.cell for piece in self.A.pieces], [0, 1, 2])
        rows = [piece.ranges[0] for piece in self.A.pieces]
        self.assertEqual(rows, [range(0, 3), range(3, 6), range(6, 7)])
        for piece in self.A.pieces:
            self.assertEqual(piece.tensor.format.name, "CSR")
            self.assert_same(piece.tensor, self.matrix[piece.ranges[0]])
        whole = self.A.gather()
        self.assertIsNone(whole.machine)
        self.assertEqual(whole.pieces, ())
        self.assertIs(whole.gather(), whole)
        self.assert_same(whole, self.matrix)
        self.assert_same(self.A.to_scipy(), self.matrix)
        self.assertEqual(self.A.nnz, whole.nnz)
        self.assertIn("CSR on M(i), ", repr(self.A))
        self.assertIn("stored here", repr(self.A))

    def test_every_kind_of_format(self):
        for format in "CSR CSC COO DCSR BCSR:2x2 ELL DIA DOK Dense HYB:2".split():
            for places in ("i", "j", "(i, j)", "~(i, j)", "~i", "*", "1"):
                if format == "HYB:2" and "~" in places:
                    continue
                with self.subTest(format=format, places=places):
                    placed = self.A.asformat(f"{format} on M({places})")
                    self.assert_same(placed, self.matrix)

    def test_statements(self):
        y = st.evaluate(SPMV, A=self.A, x=self.vector, format="Dense on M(i)")
        self.assertEqual(y.format.places, "M(i)")
        self.assert_close(y, self.matrix @ self.vector)
        kernel = st.compile(SPMV, A=self.A, x=st.spec(1))
        self.assert_close(kernel(self.A, self.vector), self.matrix @ self.vector)
        self.assert_close(self.A @ self.vector, self.matrix @ self.vector)
        self.assert_close(self.A + self.A, 2 * self.matrix)
        self.assert_close(self.A.sum(axis=0), self.matrix.sum(axis=0))
        self.assert_close(numpy.exp(self.A), numpy.exp(self.matrix))
        self.assert_close(st.einsum("ij,ij->", self.A, self.A), (self.matrix**2).sum())
        schedule = "divide(i, io, ii, M.x), distribute(io), communicate({A, x, y}, io)"
        plain = st.asarray(self.matrix, format="CSR")
        y = st.evaluate(SPMV, A=plain, x=self.vector, schedule=schedule, machine=self.M)
        self.assert_close(y, self.matrix @ self.vector)
        self.assertIn("each cell of machine 'M'", str(st.explain(SPMV, A=self.A, x=self.vector)))

    def test_cells_decide(self):
        """Machines of one name are told apart by their cells."""
        for cells in (1, 2, 4, 9):
            M = st.Machine(cells)
            A = self.A.gather().asformat("CSR on M(i)", machine=M)
            y = st.evaluate(SPMV, A=A, x=self.vector, format="Dense on M(i)")
            self.assertEqual(y.machine.cells, (cells,))
            self.assertEqual(len(y.pieces), cells)
            self.assert_close(y, self.matrix @ self.vector)

    def test_from_piece(self):
        coo = st.asarray(self.matrix, format="COO")
        for piece in (self.matrix, coo, coo.to_scipy(), coo.asformat("HYB:2")):
            B = st.from_piece(piece, "CSC on M(j)", self.M, shape=(9, 6), first=(2, 1))
            expected = numpy.zeros((9, 6))
            expected[2:, 1:] = self.matrix
            self.assert_same(B, expected)
        for first in ((3, 0), (0, 2), (-1, 0)):
            with self.assertRaises(st.ShapeError):
                st.from_piece(self.matrix, "CSR on M(i)", self.M, shape=(9, 6), first=first)
        with self.assertRaises(st.ArgumentError):
            st.from_piece(self.matrix, "CSR on N(i)", self.M, shape=(7, 5), first=0)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "a.mtx")
            self.A.write(file)
            self.assert_same(st.read(file), self.matrix)
            B = st.read(file, "CSC on M(~(i, j))", machine=self.M)
            self.assertEqual(B.format.places, "M(~(i, j))")
            self.assert_same(B, self.matrix)
            with self.assertRaises(st.MissingFileError):
                st.read(file + "x", "CSR on M(i)", machine=self.M)

    def test_programs(self):
        outcome = st.run(PROGRAM, machine=self.M, value=2)
        self.assertEqual(outcome.printed, "sum 20\n")
        self.assertEqual(outcome["x"].machine, self.M)
        self.assertEqual(len(outcome["x"].pieces), 3)
        self.assertEqual(len(st.run(PROGRAM, value=2)["x"].pieces), 2)
        self.assertEqual(len(st.run(PROGRAM, machine=self.M, value=2, M=5)["x"].pieces), 5)

    def test_results_are_placed_as_operands_are(self):
        by_entries = self.A.asformat("CSR on M(~(i, j))")
        x = st.asarray(self.vector).asformat("Dense on M(i)", machine=self.M)
        for expression, places in (
            (lambda: self.A @ self.vector, "M(i)"),
            (lambda: self.A @ x, "M(i)"),
            (lambda: self.A @ self.A.T, "M(i)"),
            (lambda: self.A.T @ self.A, None),
            (lambda: x + 1, "M(i)"),
            (lambda: by_entries @ self.vector, "M(i)"),
            (lambda: 2 * by_entries, "M(~(i, j))"),
            (lambda: by_entries + self.A, "M(~(i, j))"),
            (lambda: self.A.sum(axis=0), None),
            (lambda: self.A.sum(), None),
            (lambda: self.A.copy(), "M(i)"),
            (lambda: st.zeros_like(x), "M(i)"),
            (lambda: st.ones_like(self.A), "M(i)"),
        ):
            self.assertEqual(expression().format.places, places)

    def test_what_is_no_statement_is_of_the_whole(self):
        for format in ("CSR on M(i)", "COO on M(~(i, j))", "Dense on M(j)"):
            A = self.A.asformat(format)
            for k in (0, 1, -2):
                self.assert_same(st.tril(A, k), numpy.tril(self.matrix, k))
                self.assert_same(st.triu(A, k), numpy.triu(self.matrix, k))
            for found in (st.tril(A), A[0], A[1:], A[::2, ::-1]):
                self.assertIsNone(found.machine, format)
            self.assert_same(A[0], self.matrix[0])
            self.assert_same(A[..., None, 1], self.matrix[..., None, 1])
            self.assert_same(A[A > 2], self.matrix[self.matrix > 2])
            self.assert_same(A.gather()[A > 2], self.matrix[self.matrix > 2])
            self.assert_same(A[(A > 2) == False], self.matrix[self.matrix <= 2])  # noqa: E712
            self.assertEqual(A.item(2, 3), self.matrix[2, 3])
            self.assertEqual([row.todense().tolist() for row in A], self.matrix.tolist())
            self.assert_same(st.eliminate_zeros(A), self.matrix)
        one = st.asarray([[2.5]]).asformat("Dense on M(i)", machine=self.M)
        self.assertEqual(one.item(), 2.5)
        dense = self.A.asformat("Dense on M(i)")
        self.assert_close(numpy.from_dlpack(dense), self.matrix)
        with self.assertRaises(BufferError):
            numpy.from_dlpack(self.A)

    def test_parts_are_replaced_in_pieces(self):
        for format in ("CSR on M(i)", "COO on M(~(i, j))", "DCSR on M(j)", "Dense on M(i)"):
            A, expected = self.A.asformat(format), self.matrix.copy()
            before, values = A.format, self.draw(5)
            row = st.asarray(values, format="SparseVector")
            for key, value in (
                ((0, 0), 7),
                (2, row.asformat("SparseVector on M(i)", machine=self.M)),
                ((slice(None), 1), 0),
            ):
                A[key] = value
                expected[key] = value.todense() if isinstance(value, st.Tensor) else value
                self.assert_same(A, expected, (format, key))
            A[A > 3] = 0
            expected[expected > 3] = 0
            self.assert_same(A, expected, format)
            self.assertEqual(A.machine, self.M)
            self.assertEqual(A.format.without_widths(), before.without_widths())
            self.assert_close(A @ self.vector, expected @ self.vector)

    def test_transposed_and_of_another_type(self):
        for format in ("CSR on M(i)", "CSC on M(~(i, j))", "BCSR:2x3 on M(j)", "HYB:2 on M(i)"):
            A = self.A.asformat(format)
            self.assert_same(A.T, self.matrix.T)
            self.assertEqual(A.T.machine, self.M)
            self.assert_same(A.astype("float32"), self.matrix.astype("float32"))
            self.assert_same(A.T @ A, self.matrix.T @ self.matrix)
        self.assertEqual(self.A.T.format.places, "M(j)")
        self.assertEqual(self.A.T.format.name, "CSC")

    def test_assignments_are_done_at_once(self):
        i, j = st.get_index_vars(2)
        x = st.asarray(self.vector).asformat("Dense on M(i)", machine=self.M)
        y = st.evaluate(SPMV, A=self.A, x=x)
        before = y.copy()
        y[i] = self.A[i, j] * x[j]
        y[i] += 2 * y[i]
        self.assertNotIn("not computed yet", repr(y))
        self.assertEqual(y.format.places, "M(i)")
        self.assert_close(y, 3 * self.matrix @ self.vector)
        self.assert_close(before, self.matrix @ self.vector)
        self.assertEqual(y.machine, self.M)
        y.validate()

    def test_sizes(self):
        """None, one, and more cells than there is to have."""
        for shape in ((0, 0), (0, 3), (1, 1), (2, 0), (1, 7)):
            x = self.draw(shape)
            for places in ("i", "j", "~(i, j)"):
                A = st.asarray(x, format="CSR").asformat(f"CSR on M({places})", machine=self.M)
                self.assert_same(A, x)
                self.assert_close(A @ numpy.ones(shape[1]), x.sum(axis=1))

    def test_mistakes(self):
        with self.assertRaisesRegex(st.UnsupportedError, "in pieces on machine 'M'"):
            self.A.draw_storage()
        with self.assertRaisesRegex(st.UnsupportedError, "in pieces on machine 'M'"):
            _ = self.A.values
        with self.assertRaisesRegex(st.ArgumentError, "on the machine 'N', which is none"):
            st.evaluate(SPMV, A=self.A, x=self.vector, format="Dense on N(i)")
        with self.assertRaisesRegex(st.ArgumentError, "no machine 'M' is given"):
            self.A.gather().asformat("CSR on M(i)")
        with self.assertRaisesRegex(st.ArgumentError, "two machines are called 'M'"):
            other = self.A.gather().asformat("CSR on M(i)", machine=st.Machine(2))
            st.evaluate("C(i,j) = A(i,j) + B(i,j)", A=self.A, B=other)
        with self.assertRaises(st.CopyError):
            self.A.asformat("CSR", copy=False)
        with self.assertRaises(st.ShapeError):
            st.evaluate(SPMV, A=self.A, x=self.vector[1:])
        with self.assertRaises(st.FormatError):
            st.from_coo(([0], [0]), [1.0], (2, 2), "CSR on M(i)")


if __name__ == "__main__":
    unittest.main()
