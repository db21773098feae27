"""Tests of other packages, written for pytest: what they use of it is here, if it is missing."""

import importlib
import inspect
import itertools
import sys
import types
import unittest


class Mark:
    """pytest.mark: what stands above a test is noted at it."""

    def __init__(self, name, args=()):
        self.name, self.args = name, args

    def __getattr__(self, name):
        return Mark(name)

    def __call__(self, *args, **options):
        if len(args) == 1 and inspect.isfunction(args[0]):
            args[0].pytestmark = [*getattr(args[0], "pytestmark", []), self]
            return args[0]
        return Mark(self.name, args)


class Raised:
    """pytest.raises: the exception that a block must raise is its value."""

    def __init__(self, expected, match=None):
        self.expected, self.match, self.value = expected, match, None

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        unittest.TestCase().assertIsNotNone(kind, f"{self.expected} is not raised")
        self.value = value
        return issubclass(kind, self.expected)


def pytest():
    """What the tests use of pytest."""
    made = types.ModuleType("pytest")
    made.mark = Mark("mark")
    made.raises = Raised
    made.importorskip = importlib.import_module
    return made


def install_pytest():
    """Makes sure that there is a pytest to import."""
    try:
        importlib.import_module("pytest")
    except ModuleNotFoundError:
        sys.modules["pytest"] = pytest()


def parameters(test):
    """The arguments with which pytest would call a test."""
    marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    choices = []
    for mark in marks:
        names = mark.args[0]
        names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
        choices.append(
            [dict(zip(names, value if len(names) > 1 else [value])) for value in mark.args[1]]
        )
    for chosen in itertools.product(*choices):
        yield {name: value for one in chosen for name, value in one.items()}
