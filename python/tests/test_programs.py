"""Whole programs from Python."""

import os
import pathlib
import tempfile
import unittest

import numpy

import strata as st
from drawing import TestCase

PROGRAM = """
def main() {
  IndexLabel [i, j] = [?];
  Tensor<double> A([i, j], CSR);
  Tensor<double> y([i], Dense);
  A[i, j] = read(matrix);
  y[i] = factor * A[i, j];
  var total = SUM(y[i]);
  print("total", total);
}
"""


class ProgramTest(TestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.x = self.draw((3, 4))
        self.matrix = os.path.join(folder.name, "a.mtx")
        st.write(self.matrix, st.asarray(self.x, format="CSR"))
        self.file = os.path.join(folder.name, "program.ta")
        with open(self.file, "w") as file:
            file.write(PROGRAM)

    def test_numbers_of_numpy_are_parameters(self):
        for factor in (numpy.float64(2.5), numpy.float32(2.5), numpy.int64(2), numpy.bool_(True), True):
            outcome = st.run(PROGRAM, matrix=self.matrix, factor=factor)
            self.assert_same(outcome["y"], float(factor) * self.x.sum(1))

    def test_text_and_file(self):
        for program in (PROGRAM, self.file, pathlib.Path(self.file)):
            outcome = st.run(program, matrix=self.matrix, factor=2.5)
            self.assertEqual(sorted(outcome), ["A", "total", "y"])
            self.assert_same(outcome["y"], 2.5 * self.x.sum(1))
            self.assertEqual(outcome["A"].format.name, "CSR")
            self.assertEqual(outcome.printed.split()[0], "total")
            self.assertAlmostEqual(float(outcome.printed.split()[1]), 2.5 * self.x.sum())

    def test_results_are_chosen(self):
        outcome = st.run(PROGRAM, matrix=self.matrix, factor=1, results=["y"])
        self.assertEqual(list(outcome), ["y"])
        with self.assertRaises(st.ArgumentError):
            st.run(PROGRAM, matrix=self.matrix, factor=1, results=["nothing"])

    def test_results_outlive_the_outcome(self):
        tensor = st.run(PROGRAM, matrix=self.matrix, factor=1)["A"]
        self.assert_same(tensor @ numpy.ones(4), self.x.sum(1))

    def test_mistakes(self):
        with self.assertRaises(st.ExpressionError) as caught:
            st.run(PROGRAM.replace("SUM", "SUMM"), matrix=self.matrix, factor=1)
        self.assertEqual(caught.exception.line, 8)
        with self.assertRaises(FileNotFoundError):
            st.run("nothing.ta")
        with self.assertRaises(st.Error):
            st.run(PROGRAM, matrix="nothing.mtx", factor=1)


if __name__ == "__main__":
    unittest.main()
