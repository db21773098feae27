"""The cell magic of notebooks, and what they show of explanations."""

import contextlib
import io
import re
import unittest

import numpy

import strata as st
from drawing import TestCase
from strata import jupyter


class Shell:
    """As much of IPython's shell as the extension asks for."""

    def __init__(self, **variables):
        self.user_ns = variables
        self.magics = {}

    def register_magic_function(self, function, magic_kind, magic_name):
        self.magics[magic_kind, magic_name] = function

    def run(self, line, cell):
        return self.magics["cell", "strata"](line, cell)


def shell(**variables):
    one = Shell(**variables)
    st.load_ipython_extension(one)
    return one


A = st.from_coo(([0, 1], [1, 0]), [2.0, 3.0], (2, 2), "CSR")


class Magic(TestCase):
    def test_statements_share_variables(self):
        notebook = shell(A=A, x=numpy.array([1.0, 2.0]), s=2.0)
        shown = notebook.run("-f C=CSR", "C(i,j) = A(i,k) * A(k,j)\n\n y(i) = s * C(i,j) * x(j) # sums\n")
        self.assertEqual(notebook.user_ns["C"].format.name, "CSR")
        self.assertEqual(notebook.user_ns["C"].todense().tolist(), [[6, 0], [0, 6]])
        self.assertEqual(shown.todense().tolist(), [12, 24])
        self.assertIs(shown, notebook.user_ns["y"])

    def test_labels_are_no_variables(self):
        notebook = shell(A=A, x=numpy.ones(2), i=7, j=3, max=max)
        shown = notebook.run("", "y(i) = max(A(i,j), 0) * x(j)")
        self.assertEqual(shown.todense().tolist(), [2, 3])

    def test_updates(self):
        notebook = shell(A=A, y=st.asarray(numpy.array([1.0, 1.0])))
        notebook.run("", "y(i) += A(i,j)")
        self.assertEqual(notebook.user_ns["y"].todense().tolist(), [3, 4])

    def test_schedule_and_explain(self):
        notebook = shell(A=A, B=numpy.ones((2, 3)))
        plan = notebook.run('--explain -s "reorder(i,k,j)"', "C(i,k) = A(i,j) * B(j,k)")
        self.assertIsInstance(plan, st.Explanation)
        self.assertIn("reorder(i,k,j)", str(plan.schedule))
        self.assertNotIn("C", notebook.user_ns)

    def test_programs(self):
        notebook = shell()
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            notebook.run("", "def main() {\n  var s = 2 + 3;\n  print(s);\n}")
        self.assertIn("5", printed.getvalue())
        self.assertEqual(notebook.user_ns["s"].item(), 5)

    def test_mistakes(self):
        notebook = shell(A=A)
        for line, cell, message in [
            ("--none", "y(i) = A(i,j)", "unrecognized arguments"),
            ("-f CSR", "C(i,j) = A(i,j)", "NAME=FORMAT"),
            ("-f D=CSR", "C(i,j) = A(i,j)", "no statement computes D"),
            ("-s 'reorder(i)", "C(i,j) = A(i,j)", "quotation"),
            ("-s reorder(j,i)", "C(i,j) = A(i,j)\nD(i,j) = A(i,j)", "several"),
            ("", "# nothing", "no statement"),
            ("", "print the sum", "no statement"),
        ]:
            with self.assertRaisesRegex(st.ArgumentError, message):
                notebook.run(line, cell)
        with self.assertRaises(st.ExpressionError):
            notebook.run("", "y(i) = A(i,j) *")


class Shown(TestCase):
    def test_explanation_as_html(self):
        html = st.explain("y(i) = A(i,j) * x(j)", A=A, x=[1.0, 2.0])._repr_html_()
        for what in ("<svg", "Merge lattices", "Iteration graph"):
            self.assertIn(what, html)
        self.assertIn("for (int64_t i = 0; i &lt; n; i++)", re.sub("<[^>]*>", "", html))
        for what in ("<script", "<link", "src=", "http-equiv"):
            self.assertNotIn(what, html)

    def test_names_are_escaped(self):
        html = st.explain("y(i) = A(i,j) * x(j) # </style><script>", A=A, x=[1.0, 2.0])._repr_html_()
        self.assertNotIn("<script", html)


if __name__ == "__main__":
    unittest.main()
