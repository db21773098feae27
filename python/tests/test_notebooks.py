"""The notebooks of examples/notebooks run from the first cell to the last; their cells assert what they
compute. They are stored without outputs."""

import contextlib
import io
import json
import pathlib
import unittest

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "notebooks"


class NotebookTest(unittest.TestCase):
    def run_notebook(self, path):
        """Runs the cells as a kernel of Jupyter would. Returns how many assertions they have."""
        content = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual((content["nbformat"], content["nbformat_minor"]), (4, 5))
        names = {"__name__": "__main__"}
        assertions = 0
        for number, cell in enumerate(content["cells"]):
            if cell["cell_type"] != "code":
                continue
            self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None), "has outputs")
            source = "".join(cell["source"])
            assertions += source.count("assert ")
            code = compile(source, f"{path.name}, cell {number}", "exec")
            with contextlib.redirect_stdout(io.StringIO()):
                exec(code, names)
        return assertions

    def test_all(self):
        paths = sorted(NOTEBOOKS.glob("*.ipynb"))
        self.assertGreaterEqual(len(paths), 4)
        for path in paths:
            with self.subTest(path.name):
                self.assertGreaterEqual(self.run_notebook(path), 4)


if __name__ == "__main__":
    unittest.main()
