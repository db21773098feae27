"""The examples of docs/Python.md and of the package's own descriptions."""

import doctest
import importlib
import importlib.util
import inspect
import os
import pathlib
import pkgutil
import re
import tempfile
import unittest

import strata

SOURCE = pathlib.Path(__file__).resolve().parents[2]
#: With at least so many examples.
PAGES = {
    "README.md": 4,
    "docs/ArrayApi.md": 16,
    "docs/Cookbook.md": 36,
    "docs/Einsum.md": 45,
    "docs/Gradients.md": 8,
    "docs/Papers.md": 18,
    "docs/Python.md": 90,
    "docs/from/TACO.md": 10,
}
#: Pages with sections that need a package: its name occurs in their headings.
OPTIONAL = {"docs/Gradients.md": ("torch", "JAX")}
#: Pages whose examples need a package.
NEEDED = {"docs/Cookbook.md": "h5py"}
#: Modules that need a package of the same name.
COMPANIONS = ("torch", "jax")
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def is_there(package):
    return importlib.util.find_spec(package) is not None


def without_absent(text, packages):
    """The page without sections that need a package which is not installed."""
    absent = [package for package in packages if not is_there(package.lower())]
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    return "".join(
        part for part in parts if not any(name in part.partition("\n")[0] for name in absent)
    )


class DocumentationTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()  # where examples may leave files
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def test_pages(self):
        for name, least in PAGES.items():
            if not is_there(NEEDED.get(name, "numpy")):
                print(f"{name}: skipped, no {NEEDED[name]}")
                continue
            text = (SOURCE / name).read_text(encoding="utf-8")
            text = without_absent(text, OPTIONAL.get(name, ()))
            # A fence ends an example, and no line of it is expected output.
            text = "\n".join("" if line.startswith("```") else line for line in text.split("\n"))
            example = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
            self.assertGreaterEqual(len(example.examples), least)
            result = doctest.DocTestRunner(optionflags=OPTIONS).run(example)
            self.assertEqual(result.failed, 0, name)

    def test_descriptions(self):
        count = 0
        for module in pkgutil.iter_modules(strata.__path__):
            package = {"torch_sparse": "torch"}.get(module.name, module.name)
            if module.name == "_core" or package in COMPANIONS and not is_there(package):
                continue
            found = importlib.import_module(f"strata.{module.name}")
            result = doctest.testmod(found, optionflags=OPTIONS)
            self.assertEqual(result.failed, 0, module.name)
            count += result.attempted
        self.assertGreater(count, 20)

    def test_every_public_name_is_described(self):
        for name in strata.__all__:
            member = getattr(strata, name)
            is_value = isinstance(member, (str, float, type(None)))
            self.assertTrue(is_value or member.__doc__, name)
        for cls in (strata.Tensor, strata.Format, strata.Kernel, strata.Level, strata.Semiring):
            for name, member in inspect.getmembers(cls):
                if not name.startswith("_") and not inspect.ismemberdescriptor(member):
                    self.assertTrue(member.__doc__, f"{cls.__name__}.{name}")


if __name__ == "__main__":
    unittest.main()
