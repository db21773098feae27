"""The types that the package declares, checked by mypy and by its stubtest, where mypy is there."""

import os
import pathlib
import subprocess
import sys
import unittest

import strata as st

PACKAGE = pathlib.Path(st.__file__).parent
SETTINGS = pathlib.Path(__file__).parent.parent / "mypy.ini"


def has_mypy():
    """Whether there is a mypy that knows the types that the package uses."""
    try:
        from mypy.version import __version__
    except ImportError:
        return False
    return tuple(map(int, __version__.split(".")[:2])) >= (1, 8)


@unittest.skipUnless(has_mypy(), "no mypy from 1.8 on")
class TypingTest(unittest.TestCase):
    def run_tool(self, *arguments):
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
        run = subprocess.run(
            [sys.executable, "-m", *arguments],
            capture_output=True,
            text=True,
            cwd=PACKAGE.parent,
            env=environment,
        )
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_strictly(self):
        self.run_tool("mypy", "--config-file", str(SETTINGS), "-p", "strata")

    def test_stubs(self):
        self.run_tool("mypy.stubtest", "--mypy-config-file", str(SETTINGS), "strata")


if __name__ == "__main__":
    unittest.main()
