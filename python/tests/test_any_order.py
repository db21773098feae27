"""Lists and rows whose entries come in any order, each of them once or several times."""

import itertools
import unittest

import numpy
import scipy.sparse

import strata as st
from drawing import TestCase

# Statements of a matrix A, and what NumPy makes of it.
STATEMENTS = {
    "y(i) = A(i,j) * x(j)": lambda A, x, X: A @ x,
    "y(j) = A(i,j) * x(i)": lambda A, x, X: A.T @ x,
    "y(i) = A(i,j)": lambda A, x, X: A.sum(axis=1),
    "y(j) = A(i,j)": lambda A, x, X: A.sum(axis=0),
    "s = A(i,j)": lambda A, x, X: A.sum(),
    "s = A(i,j) * A(i,j)": lambda A, x, X: (A * A).sum(),
    "y(i) = sin(A(i,j)) * x(j)": lambda A, x, X: numpy.sin(A) @ x,
    "y(i) = sum(j, abs(A(i,j)))": lambda A, x, X: abs(A).sum(axis=1),
    "y(i) = 2 * A(i,j) * x(j)": lambda A, x, X: 2 * A @ x,
    "y(i) = -A(i,j) * x(j)": lambda A, x, X: -A @ x,
    "y(i) = A(i,j) * x(j) + x(i)": lambda A, x, X: A @ x + x,
    "y(i) = (A(i,j) + 1) * x(j)": lambda A, x, X: (A + 1) @ x,
    "Y(i,k) = A(i,j) * X(j,k)": lambda A, x, X: A @ X,
    "Y(j,k) = A(i,j) * X(i,k)": lambda A, x, X: A.T @ X,
    "Y(i,j) = A(i,j)": lambda A, x, X: A,
    "Y(j,i) = A(i,j)": lambda A, x, X: A.T,
    "Y(i,j) = sin(A(i,j))": lambda A, x, X: numpy.sin(A),
    "Y(i,j) = 2 * A(i,j)": lambda A, x, X: 2 * A,
    "Y(i,j) = A(i,j) + A(j,i)": lambda A, x, X: A + A.T,
    "Y(i,j) = A(i,j) + X(i,j)": lambda A, x, X: A + X,
    "Y(i,j) = A(i,j) * X(i,j)": lambda A, x, X: A * X,
    "Y(i,j) = A(i,j) * X(i,k) * X(j,k)": lambda A, x, X: A * (X @ X.T),
    "Y(i,k) = A(i,j) * A(j,k)": lambda A, x, X: A @ A,
    "y(i) = A(i,i)": lambda A, x, X: numpy.diag(A),
    "y(i) = A(i,j) * x(j) * x(i)": lambda A, x, X: (A @ x) * x,
}
FORMATS = (None, "CSR", "COO", "CSC", "DCSR", "COO-Unordered")


class AnyOrderTest(TestCase):
    def matrices(self, size):
        """Lists and rows in an order that is drawn: of single entries, and of repeated ones."""
        generator = numpy.random.default_rng(3)
        for repeated, integers in itertools.product((False, True), repeat=2):
            entries = scipy.sparse.random(size, size, density=0.3, random_state=4).tocoo()
            rows, columns, values = entries.row, entries.col, entries.data
            if repeated:
                rows, columns = numpy.tile(rows, 3), numpy.tile(columns, 3)
                values = generator.uniform(-1, 1, len(rows))
            if integers:
                values = generator.integers(-5, 6, len(rows))
            order = generator.permutation(len(rows))
            rows, columns, values = rows[order], columns[order], values[order]
            dense = numpy.zeros((size, size), values.dtype)
            numpy.add.at(dense, (rows, columns), values)
            yield scipy.sparse.coo_matrix((values, (rows, columns)), shape=dense.shape), dense
            # Rows one after the other, each in no order.
            by_rows = numpy.argsort(rows, kind="stable")
            starts = numpy.searchsorted(rows[by_rows], numpy.arange(size + 1))
            yield scipy.sparse.csr_matrix(
                (values[by_rows], columns[by_rows], starts), shape=dense.shape
            ), dense

    def test_statements(self):
        size = 9
        for A, dense in self.matrices(size):
            x, X = (self.draw(shape).astype(dense.dtype) for shape in (size, (size, size)))
            for statement, expected in STATEMENTS.items():
                if "sin" in statement and dense.dtype == int:
                    continue
                wanted = expected(dense, x, X)
                named = {"A": A, "x": x, "X": X}
                operands = {name: value for name, value in named.items() if f"{name}(" in statement}
                for format in FORMATS if statement.startswith("Y") else (None,):
                    with self.subTest(statement, format=format, operand=st.asarray(A).format):
                        options = {"format": format} if format else {}
                        self.assert_same(st.evaluate(statement, **operands, **options), wanted)


if __name__ == "__main__":
    unittest.main()
