"""The examples of docs/Python.md and of the package's own descriptions."""

import doctest
import importlib
import inspect
import pathlib
import pkgutil
import unittest

import strata

SOURCE = pathlib.Path(__file__).resolve().parents[2]
#: With at least so many examples.
PAGES = {
    "README.md": 4,
    "docs/ArrayApi.md": 16,
    "docs/Papers.md": 18,
    "docs/Python.md": 90,
    "docs/from/TACO.md": 10,
}
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


class DocumentationTest(unittest.TestCase):
    def test_pages(self):
        for name, least in PAGES.items():
            text = (SOURCE / name).read_text(encoding="utf-8")
            # A fence ends an example, and no line of it is expected output.
            text = "\n".join("" if line.startswith("```") else line for line in text.split("\n"))
            example = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
            self.assertGreaterEqual(len(example.examples), least)
            result = doctest.DocTestRunner(optionflags=OPTIONS).run(example)
            self.assertEqual(result.failed, 0, name)

    def test_descriptions(self):
        count = 0
        for module in pkgutil.iter_modules(strata.__path__):
            if module.name == "_core":
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
