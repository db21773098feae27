"""The list of the tests of other libraries that ask for something else, and how its lines are compared with
what fails."""

import pathlib
import sys
import types
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "suites"))

import outcomes

LIST = """
[a reason]
test_a.py::test_one       Failed: DID NOT RAISE ValueError
test_a.py::test_two[0-*]  assert * == 'coo' *
"""


def report(message, name="test_a.py::test_one", lines=()):
    """What pytest reports of a test that failed."""
    crash = types.SimpleNamespace(message=message)
    entry = types.SimpleNamespace(lines=list(lines))
    traceback = types.SimpleNamespace(reprentries=[entry])
    failure = types.SimpleNamespace(reprcrash=crash, reprtraceback=traceback)
    return types.SimpleNamespace(
        nodeid=f"folder/{name}", outcome="failed", when="call", longrepr=failure
    )


class DifferenceTest(unittest.TestCase):
    def test_list(self):
        listed = outcomes.read_differences(outcomes.DIFFERENCES.read_text())
        self.assertGreater(len(listed), 70)
        for one in listed:
            self.assertTrue(one.reason, one)
            # (A line that other failures fit says nothing.)
            for failure in ("values differ", "assert False", "KeyError: 'x'"):
                self.assertIsNone(one.failure.fullmatch(failure), one)
        with self.assertRaisesRegex(ValueError, "test_one ends with is missing"):
            outcomes.read_differences("[a reason]\ntest_a.py::test_one\n")

    def test_lines(self):
        one, two = outcomes.read_differences(LIST)
        raised = "Failed: DID NOT RAISE ValueError"
        self.assertTrue(one.explains("test_a.py::test_one", raised))
        self.assertTrue(one.explains("test_a.py::test_one[3]", raised))
        for name, failure in (
            ("test_a.py::test_one", "Failed: DID NOT RAISE TypeError"),
            ("test_a.py::test_one", "values differ"),
            ("test_a.py::test_one_more", raised),
            ("test_b.py::test_one", raised),
        ):
            self.assertFalse(one.explains(name, failure), name)
        self.assertTrue(two.explains("test_a.py::test_two[0-1]", "assert 'csr' == 'coo' where"))
        self.assertFalse(two.explains("test_a.py::test_two[1-1]", "assert 'csr' == 'coo' where"))

    def test_failures(self):
        for message, lines, expected in (
            ("strata.ShapeError: two\n  sizes", (), "strata.ShapeError: two sizes"),
            ("AssertionError: assert 1 == 0\n + where", (), "assert 1 == 0 + where"),
            ("assert 1 == 0", (), "assert 1 == 0"),
            (
                "AssertionError",
                ("    x = f(1)", "    assert  repr(x) == 1", "       ^^^^", "E   AssertionError"),
                "assert repr(x) == 1",
            ),
        ):
            self.assertEqual(outcomes.failure_of(report(message, lines=lines)), expected)

    def test_outcomes(self):
        counter = outcomes.Counter()
        counter.differences = outcomes.read_differences(LIST)
        name = "test_a.py::test_two[0-1]"
        for message, of_test, expected in (
            ("Failed: DID NOT RAISE ValueError", "test_a.py::test_one", "differs"),
            ("values differ", "test_a.py::test_one", "failed"),
            ("strata.DensifyError: dense\nnote: other", "test_a.py::test_one", "refused"),
            ("AssertionError: assert 'csr' == 'coo'\n  where", name, "differs"),
            ("AssertionError: assert 'csr' == 'dok'\n  where", name, "failed"),
        ):
            counter.tests.clear()
            counter.pytest_runtest_logreport(report(message, of_test))
            self.assertEqual(list(counter.tests.values()), [expected], message)
        self.assertIn(("refused", "strata.DensifyError: dense"), counter.reasons)

    def test_values(self):
        x = numpy.array([1.0, numpy.nan, numpy.inf, 0.0])
        for y, expected in (
            ([1.0, 0.0, 2.0, 0.0], "values differ where one of them is not finite"),
            ([1.5, 0.0, 2.0, 0.0], "values differ"),
        ):
            are_close = numpy.isclose(x, y, equal_nan=True)
            self.assertEqual(outcomes.what_differs(x, numpy.array(y), are_close), expected)


if __name__ == "__main__":
    unittest.main()
