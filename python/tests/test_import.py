"""What `import strata` costs and loads."""

import subprocess
import sys
import unittest

import strata as st


def run(program):
    """What a program prints in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout.strip()


class ImportTest(unittest.TestCase):
    def test_loads_no_other_library(self):
        loaded = run("import strata, sys; print(*sys.modules)").split()
        for other in ("numpy", "scipy", "torch", "strata._core"):
            self.assertNotIn(other, loaded)

    def test_loads_little_of_python(self):
        program = "import sys; before = {*sys.modules}; import strata; print(*{*sys.modules} - before)"
        loaded = run(program).split()
        self.assertIn("strata", loaded)
        for other in ("typing", "re", "enum", "functools", "collections.abc"):
            self.assertNotIn(other, loaded)

    def test_formats_need_no_numpy(self):
        program = "import strata, sys; print(strata.Format('CSR').levels, 'numpy' in sys.modules)"
        self.assertEqual(run(program), "('dense', 'compressed') False")

    def test_every_public_name_exists(self):
        for name in st.__all__:
            self.assertTrue(hasattr(st, name), name)
        self.assertEqual(dir(st), sorted(st.__all__))

    def test_every_name_has_a_module(self):
        self.assertEqual(sorted([*st._HOMES, *st._PUBLIC_MODULES, "__version__"]), st.__all__)

    def test_unknown_names_are_refused(self):
        with self.assertRaisesRegex(AttributeError, "no attribute 'nothing'"):
            st.nothing

    def test_classes_say_where_they_are(self):
        for one in (st.Tensor, st.Format, st.Kernel, st.Spec, st.Error, st.ShapeError):
            self.assertEqual(one.__module__, "strata")


if __name__ == "__main__":
    unittest.main()
