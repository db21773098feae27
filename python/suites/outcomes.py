"""Counts the tests of another library that tensors pass, fail at, or are refused by.

A test is *refused* if it ends with an error of Strata that says so: an element type, a format, a
function or an operation that does not exist, or a dense result that nobody asked for. It *fails* if anything else
is wrong: a value, an element type, a shape, an error that is missing.
"""

import collections
import pathlib
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
OUTCOMES = ("passed", "refused", "failed", "skipped")


class Counter:
    """A plugin of pytest: counts outcomes by file, and why tests were refused or failed."""

    def __init__(self):
        self.counts = collections.defaultdict(collections.Counter)
        self.reasons = collections.Counter()
        self.tests = {}

    def pytest_runtest_logreport(self, report):
        name = report.nodeid
        if report.when == "call" or report.outcome != "passed":
            self.tests.setdefault(name, self._outcome(report))

    def _outcome(self, report):
        if report.outcome != "failed":
            return report.outcome
        entry = getattr(report.longrepr, "reprcrash", None)
        message = entry.message if entry else str(report.longrepr)
        kind = message.partition(":")[0].rpartition(".")[2]
        is_refused = kind in {error.__name__ for error in REFUSALS}
        outcome = "refused" if is_refused else "failed"
        self.reasons[outcome, message.splitlines()[0][:150]] += 1
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


def run(arguments, *plugins):
    """Runs pytest with some plugins, and prints the counts."""
    import pytest

    counter = Counter()
    options = ["-q", "--tb=short", "-p", "no:cacheprovider", "--no-header", "-W", "ignore"]
    status = pytest.main([*options, *arguments], plugins=[counter, *plugins])
    counter.print()
    return status
