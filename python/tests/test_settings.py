"""Settings of strata.toml and of the environment, in processes of their own."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import strata

ROOT = str(pathlib.Path(strata.__file__).resolve().parents[1])


class SettingsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        (self.path / "below").mkdir()

    def tearDown(self):
        self.folder.cleanup()

    def run_there(self, program, file="", **variables):
        (self.path / "strata.toml").write_text(file)
        environment = {name: text for name, text in os.environ.items() if name != "STRATA_CONFIG"}
        environment |= {"PYTHONPATH": ROOT, "XDG_CONFIG_HOME": self.folder.name, **variables}
        return subprocess.run(
            [sys.executable, "-c", "import strata as st\n" + program],
            cwd=self.path / "below",
            env=environment,
            text=True,
            capture_output=True,
        )

    def printed(self, program, file="", **variables):
        result = self.run_there(program, file, **variables)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.strip()

    def test_threads(self):
        count = "print(st.get_num_threads())"
        self.assertEqual(self.printed(count, "threads = 1"), "1")
        self.assertEqual(self.printed(count, "threads = 2", STRATA_NUM_THREADS="1"), "1")
        self.assertEqual(self.printed("with st.threads(1):\n  " + count, "threads = 2"), "1")

    def test_memory(self):
        program = (
            "import numpy as np\na = st.asarray(np.ones((300, 300)))\n"
            "try:\n  a + a\nexcept st.OutOfMemory:\n  print('refused')"
        )
        self.assertEqual(self.printed(program, 'max-memory = "64K"'), "refused")
        self.assertEqual(self.printed(program, 'max-memory = "64M"'), "")
        self.assertEqual(self.printed(program, "", STRATA_MAX_MEMORY="64K"), "refused")
        self.assertEqual(
            self.printed("st.config(max_memory=None)\n" + program, 'max-memory = "64K"'), ""
        )

    def test_deterministic(self):
        program = "from strata import settings\nprint(settings.is_deterministic())"
        self.assertEqual(self.printed(program), "False")
        self.assertEqual(self.printed(program, "deterministic = true"), "True")
        self.assertEqual(
            self.printed(program, "deterministic = true", STRATA_DETERMINISTIC="0"), "False"
        )

    def test_cache(self):
        program = "st.einsum('ij,j->i', st.ones((3, 4)), st.ones(4))"
        self.printed(program, 'cache-dir = "kernels"', STRATA_NUM_THREADS="1")
        given = os.environ.get("STRATA_CACHE_DIR")
        self.assertEqual((self.path / "kernels").exists(), given is None)

    def test_mistakes(self):
        result = self.run_there("st.get_num_threads()", "\nthread = 1")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("strata.toml:2: 'thread' is no setting: did you mean 'threads'?", result.stderr)
        result = self.run_there("st.get_num_threads()", STRATA_NUM_THREADS="many")
        self.assertIn("STRATA_NUM_THREADS: 'many' is no value of threads", result.stderr)


if __name__ == "__main__":
    unittest.main()
