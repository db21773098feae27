"""Counts the tests of another library that tensors pass, fail at, or are refused by.

A test is *refused* if it ends with an error of Strata that says so: an element type, a format, a
function or an operation that does not exist, or a dense result that nobody asked for. Anything else that is
wrong, such as a value, an element type, a shape or an error that is missing, is a *difference* if the list
``differences.txt`` gives the reason for it, and tells how the test fails. Otherwise the test *fails*.
"""

import collections
import pathlib
import re
import sys
from typing import NamedTuple

import numpy

import strata as st

#: The errors by which Strata refuses something.
REFUSALS = (
    st.UnsupportedError,
    st.DensifyError,
    st.DTypeError,
    st.FormatError,
    st.ExpressionError,
    st.DivisionError,
)

#: In the order of the columns of the table.
OUTCOMES = ("passed", "refused", "differs", "failed", "skipped")

#: The list of differences: lines with a reason in brackets, and below each the tests that it explains, as
#: ``file::test``, or ``file::test[parameters]``, and after two blanks what they end with, as
#: :func:`failure_of` has it. In both * stands for any text.
DIFFERENCES = pathlib.Path(__file__).with_name("differences.txt")


class Difference(NamedTuple):
    """A line of the list."""

    test: re.Pattern
    failure: re.Pattern
    reason: str

    def explains(self, name, failure):
        """Whether a test is one of these, and ends as they do."""
        return bool(self.test.fullmatch(name) and self.failure.fullmatch(failure))


def read_differences(text):
    """The lines of a list of differences.

    Raises:
        ValueError: A line does not say what a test ends with.
    """
    found, reason = [], ""
    for line in text.splitlines():
        if line.startswith("["):
            reason = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            test, _, failure = line.strip().partition("  ")
            if not failure.strip():
                raise ValueError(f"what {test} ends with is missing")
            of_any = "" if "[" in test else r"(\[.*)?"  # without parameters those with any
            pattern = re.compile(pattern_of(test) + of_any)
            found.append(Difference(pattern, re.compile(pattern_of(failure.strip())), reason))
    return found


def pattern_of(text):
    """The expression of a text in which * stands for any."""
    return re.escape(text).replace(r"\*", ".*")


def name_of(test):
    """The name of a test as the list has it, without the folder."""
    path, _, name = test.partition("::")
    return f"{pathlib.PurePath(path).name}::{name}"


def failure_of(report):
    """What a test ended with, in one line: the exception and its words. Of an assertion that has none it is
    the line that asserts."""
    entry = getattr(report.longrepr, "reprcrash", None)
    words = " ".join((entry.message if entry else str(report.longrepr)).split())
    words = words.removeprefix("AssertionError:").strip()
    if words not in ("", "AssertionError"):
        return words
    lines = report.longrepr.reprtraceback.reprentries[-1].lines
    return [" ".join(line.split()) for line in lines if re.match(r"[ >].*\w", line)][-1]


def what_differs(x, y, are_close):
    """What is said of two arrays with some elements that are not close to each other."""
    are_finite = numpy.isfinite(x) & numpy.isfinite(y)
    is_finite = bool((are_finite & ~are_close).any())
    return "values differ" if is_finite else "values differ where one of them is not finite"


class Counter:
    """A plugin of pytest: counts outcomes by file, and why tests were refused or failed."""

    def __init__(self):
        self.counts = collections.defaultdict(collections.Counter)
        self.reasons = collections.Counter()
        self.tests = {}
        self.differences = read_differences(DIFFERENCES.read_text())

    def pytest_runtest_logreport(self, report):
        name = report.nodeid
        if report.when == "call" or report.outcome != "passed":
            self.tests.setdefault(name, self._outcome(report))

    def _outcome(self, report):
        if report.outcome != "failed":
            return report.outcome
        name, failure = name_of(report.nodeid), failure_of(report)
        kind = failure.partition(":")[0].rpartition(".")[2]
        if kind in {error.__name__ for error in REFUSALS}:
            outcome, reason = "refused", failure.partition(" note: ")[0][:150]
        else:
            found = [one.reason for one in self.differences if one.explains(name, failure)]
            outcome = "differs" if found else "failed"
            reason = found[0] if found else f"{name}  {failure[:150]}"
        self.reasons[outcome, reason] += 1
        return outcome

    def pytest_sessionfinish(self):
        for name, outcome in self.tests.items():
            self.counts[pathlib.PurePath(name.partition("::")[0]).name][outcome] += 1

    def print(self, file=sys.stdout):
        """Writes a table of the counts, and the reasons, the most frequent ones first."""
        print("| |", " | ".join(OUTCOMES), "|", file=file)
        total = collections.Counter()
        for name, counts in sorted(self.counts.items()):
            total.update(counts)
            print(f"| `{name}` |", " | ".join(str(counts[one]) for one in OUTCOMES), "|", file=file)
        print("| all |", " | ".join(str(total[one]) for one in OUTCOMES), "|", file=file)
        for (outcome, reason), count in self.reasons.most_common():
            print(f"{count:6} {outcome}: {reason}", file=file)
        for one in self.differences:
            found = {self.tests[test] for test in self.tests if one.test.fullmatch(name_of(test))}
            if found == {"passed"}:
                print(f"listed as a difference, but passed: {one.test.pattern}", file=file)


def ignore_words():
    """Leaves out the comparison of the words of errors, which libraries choose for themselves: a test
    asks for an error of a kind then. To be called before tests are imported."""
    import pytest

    own = pytest.raises

    def raises(expected, *arguments, match=None, **options):
        return own(expected, *arguments, **options)

    pytest.raises = raises
    pytest.ExceptionInfo.match = lambda self, pattern: True


def run(arguments, *plugins):
    """Runs pytest with some plugins, and prints the counts."""
    import pytest

    counter = Counter()
    options = ["-q", "--tb=short", "-p", "no:cacheprovider", "--no-header", "-W", "ignore"]
    status = pytest.main([*options, *arguments], plugins=[counter, *plugins])
    counter.print()
    return status
