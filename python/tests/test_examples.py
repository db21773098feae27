"""The examples in Python compute what the same programs in the language do."""

import contextlib
import importlib.util
import io
import pathlib
import subprocess
import sys
import unittest

import numpy

import strata as st

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
DATA = EXAMPLES / "data"


def load(name):
    """An example as a module; its name has a hyphen, so that it cannot be imported."""
    spec = importlib.util.spec_from_file_location("example", EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(name, *arguments):
    """What an example returns and what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        result = load(name).main(*map(str, arguments))
    return result, printed.getvalue()


class ExampleTest(unittest.TestCase):
    def assert_lines(self, found, expected, tolerance):
        """The same names with the same numbers, line by line."""
        self.assertEqual(found.count("\n"), expected.count("\n"))
        for one, other in zip(found.splitlines(), expected.splitlines()):
            name, number = one.split(" = ")
            self.assertEqual(name, other.split(" = ")[0])
            numpy.testing.assert_allclose(float(number), float(other.split(" = ")[1]), tolerance)

    def test_conjugate_gradients(self):
        matrix = DATA / "matrix.mtx"
        x, printed = run("conjugate-gradients", matrix)
        program = st.run(EXAMPLES / "conjugate-gradients.ta", matrix=str(matrix))
        self.assert_lines(printed, program.printed, 1e-3)
        self.assertEqual(printed.splitlines()[0], program.printed.splitlines()[0])
        numpy.testing.assert_allclose(x.todense(), program["x"].todense(), 1e-9)
        numpy.testing.assert_allclose(x.todense(), numpy.ones(480), 1e-6)

    def test_graph_network(self):
        (losses, right), printed = run("graph-network-training", DATA / "graph.mtx", 60)
        self.assertEqual(len(printed.splitlines()), 3)
        self.assertLess(losses[-1], 0.1 * losses[0])
        self.assertGreater(right, 0.5)

    def test_graph_network_in_torch(self):
        if importlib.util.find_spec("torch") is None:
            self.skipTest("torch is not installed")
        losses, _ = run("graph-network-torch", DATA / "graph.mtx", 60)
        self.assertLess(losses[-1], 0.5 * losses[0])

    def test_conjugate_gradients_on_a_machine(self):
        matrix = DATA / "matrix.mtx"
        x, printed = run("conjugate-gradients-ranks", matrix)
        self.assertEqual(len(x.pieces), 4)
        numpy.testing.assert_allclose(x.todense(), numpy.arange(480), 1e-6, 1e-6)
        program = st.run(EXAMPLES / "cg-ranks.ta", file=str(matrix))
        numpy.testing.assert_allclose(x.todense(), program["x"].todense(), 1e-9, 1e-9)
        self.assertLess(int(printed.splitlines()[0].split(" = ")[1]), 100)

    def test_pagerank(self):
        graph = DATA / "graph.mtx"
        x, printed = run("pagerank", graph)
        program = st.run(EXAMPLES / "pagerank.ta", graph=str(graph))
        self.assert_lines(printed, program.printed, 1e-2)
        self.assertEqual(printed.splitlines()[0], program.printed.splitlines()[0])
        numpy.testing.assert_allclose(x.todense(), program["x"].todense(), 1e-9)
        self.assertAlmostEqual(float(x.sum()), 1)

    def test_cp_als(self):
        file = DATA / "tensor.tns"
        factors, printed = run("cp-als", file, 4, 8)
        program = st.run(EXAMPLES / "cp-als.ta", file=str(file), rank=4, rounds=8)
        self.assert_lines(printed, program.printed, 1e-9)
        for name, factor in zip("ABC", factors):
            numpy.testing.assert_allclose(
                factor.todense(), program[name].todense(), 1e-6, 1e-9, err_msg=name
            )

    def test_from_the_command_line(self):
        found = subprocess.run(
            [sys.executable, EXAMPLES / "pagerank.py", DATA / "graph.mtx"],
            capture_output=True,
            text=True,
            check=True,
        )
        self.assertIn("rounds = ", found.stdout)


if __name__ == "__main__":
    unittest.main()
