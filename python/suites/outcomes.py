"""Counts the tests of another library that tensors pass, fail at, or are refused by.

A test is *refused* if it ends with an error of Strata that says so: an element type, a format, a
function or an operation that does not exist, or a dense result that nobody asked for. Anything else that is
wrong, such as a value, an element type, a shape or an error that is missing, is a *difference* if the list
``differences.txt`` gives the reason for it; without one the test *fails*.
"""

import collections
import pathlib
import re
import sys

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
#: ``file::test``, or ``file::test[parameters]`` where * stands for any text.
DIFFERENCES = pathlib.Path(__file__).with_name("differences.txt")


def read_differences():
    """The reason for each pattern of tests in the list."""
    reasons = {}
    for line in DIFFERENCES.read_text().splitlines():
        if line.startswith("["):
            reason = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            reasons[pattern_of(line.strip())] = reason
    return reasons


def name_of(test):
    """The name of a test as the list has it, without the folder."""
    path, _, name = test.partition("::")
    return f"{pathlib.PurePath(path).name}::{name}"


def pattern_of(text):
    """The expression of a line of the list; one without parameters stands for those with any."""
    written = re.escape(text).replace(r"\*", ".*")
    return re.compile(written if "[" in text else written + r"(\[.*)?")


class Counter:
    """A plugin of pytest: counts outcomes by file, and why tests were refused or failed."""

    def __init__(self):
        self.counts = collections.defaultdict(collections.Counter)
        self.reasons = collections.Counter()
        self.tests = {}
        self.differences = read_differences()

    def pytest_runtest_logreport(self, report):
        name = report.nodeid
        if report.when == "call" or report.outcome != "passed":
            self.tests.setdefault(name, self._outcome(report))

    def _outcome(self, report):
        if report.outcome != "failed":
            return report.outcome
        name = name_of(report.nodeid)
        entry = getattr(report.longrepr, "reprcrash", None)
        message = entry.message if entry else str(report.longrepr)
        kind = message.partition(":")[0].rpartition(".")[2]
        is_refused = kind in {error.__name__ for error in REFUSALS}
        if is_refused:
            outcome, reason = "refused", message.splitlines()[0][:150]
        else:
            found = [why for pattern, why in self.differences.items() if pattern.fullmatch(name)]
            outcome = "differs" if found else "failed"
            reason = found[0] if found else f"{name}: {message.splitlines()[0][:150]}"
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
        for pattern in self.differences:
            found = [self.tests[test] for test in self.tests if pattern.fullmatch(name_of(test))]
            if found and set(found) == {"passed"}:
                print(f"listed as a difference, but passed: {pattern.pattern}", file=file)


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
