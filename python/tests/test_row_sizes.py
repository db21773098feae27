"""Sparse operands times rows of few elements, of which the first sizes are constants of kernels."""

import unittest

import numpy
import scipy.sparse

import strata as st
from drawing import TestCase
from strata import _core


class RowSizeTest(TestCase):
    def test_more_sizes_than_there_are_kernels_for(self):
        A = scipy.sparse.random(3000, 2000, density=0.02, format="csr", random_state=1)
        a = st.asarray(A)
        before = _core.compiled()
        for _ in range(2):
            for size in (1, 8, 9, 12, 16, 31, 33, 40, 64, 127, 128, 129):
                b = self.draw((2000, size))
                found = st.evaluate("C(i,k) = A(i,j) * B(j,k)", A=a, B=b)
                self.assert_same(found, A @ b)
        # One for little work, four for one size each, and one for all others.
        self.assertLessEqual(_core.compiled() - before, 6)


if __name__ == "__main__":
    unittest.main()
