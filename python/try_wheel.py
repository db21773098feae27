"""Tries a wheel as a newcomer has it: python3 try_wheel.py WHEEL.

It is installed with NumPy into a new environment, in a folder without the sources. There the commands of
docs/Cookbook.md, the examples in Python of the pages below, and the notebooks run. NumPy comes from PyPI.
"""

import doctest
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[1]
PAGES = ("Cookbook.md", "Einsum.md")
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def run_pages(folder):
    """Runs the examples of pages with the interpreter that this runs in."""
    for name in PAGES:
        text = pathlib.Path(folder, name).read_text(encoding="utf-8")
        text = "\n".join("" if line.startswith("```") else line for line in text.split("\n"))
        example = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
        result = doctest.DocTestRunner(optionflags=OPTIONS).run(example)
        print(f"{name}: {result.attempted} examples, {result.failed} failed")
        if result.failed or not result.attempted:
            sys.exit(1)


def main():
    wheel = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        interpreter = folder / "env/bin/python"
        subprocess.run([sys.executable, "-m", "venv", folder / "env"], check=True)
        subprocess.run(
            [interpreter, "-m", "pip", "install", "--quiet", wheel, "numpy"], check=True
        )
        for name in PAGES:
            shutil.copy(SOURCE / "docs" / name, folder)
        for name in ("python/try_wheel.py", "test/tools/inputs/run_document.py"):
            shutil.copy(SOURCE / name, folder)
        shutil.copytree(SOURCE / "examples/notebooks", folder / "examples/notebooks")
        (folder / "python/tests").mkdir(parents=True)
        shutil.copy(SOURCE / "python/tests/test_notebooks.py", folder / "python/tests")
        environment = {
            "PATH": f"{folder}/env/bin:{os.defpath}",
            "HOME": temporary,
            "STRATA_CONFIG": "",
        }
        for arguments in (
            ["run_document.py", "Cookbook.md"],
            ["try_wheel.py", "--pages", "."],
            ["python/tests/test_notebooks.py"],
        ):
            subprocess.run([interpreter, *arguments], cwd=folder, env=environment, check=True)


if __name__ == "__main__":
    run_pages(sys.argv[2]) if sys.argv[1] == "--pages" else main()
