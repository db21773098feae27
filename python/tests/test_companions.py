"""Other libraries in the process: torch, numba, h5py and TBB, loaded before and after, and the
kernels of the command line, which are found whatever else is loaded.

Each order runs in a process of its own. A library that is not installed skips its orders by name.
"""

import importlib.util
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy
import scipy.io
import scipy.sparse

import strata as st
from drawing import TestCase

PACKAGE = pathlib.Path(st.__file__).parent
COMPANIONS = ("torch", "numba", "h5py", "tbb", "scipy.sparse.linalg")

#: Each library does something with its own threads or files, so that it is not only loaded.
USES = {
    "torch": "import torch; assert float(torch.ones(300, 300).matmul(torch.ones(300, 300)).sum()) == 27e6",
    "numba": "import numba; assert numba.njit(lambda x: x + 1)(1) == 2",
    "h5py": "import h5py; h5py.File('x', 'w', driver='core', backing_store=False)['x'] = [1, 2]",
    "tbb": "import tbb; tbb.Pool(2).map(abs, [-1, 2])",
    "scipy.sparse.linalg": "import numpy, scipy.sparse.linalg; numpy.linalg.inv(numpy.eye(200))",
}

STRATA = """
import numpy, strata as st
x = st.random((300, 300), 0.1, "CSR", seed=1)
assert st.einsum("ij,jk->ik", x, x).shape == (300, 300)
assert abs(float(st.einsum("ij->", x @ x)) - (x.todense() @ x.todense()).sum()) < 1e-6
"""


def is_there(library):
    try:
        return importlib.util.find_spec(library) is not None
    except ModuleNotFoundError:
        return False


def run(program, **environment):
    """What a program prints, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        timeout=300,
    )
    if done.returncode != 0:
        raise AssertionError(f"{program}\nends with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def orders(libraries):
    """The orders in which Strata and others can be loaded.

    The package in a build folder takes the system's TBB. If that is older than Python's module tbb
    wants, the module cannot follow any program with it; a wheel has a TBB under a name of its own.
    """
    has_own = (PACKAGE.parent / "strata.libs").exists()
    for order in itertools.permutations(["strata", *libraries]):
        if has_own or "tbb" not in order or order.index("tbb") < order.index("strata"):
            yield order


class ImportOrderTest(unittest.TestCase):
    def load(self, libraries):
        for order in orders(libraries):
            with self.subTest(order):
                run("\n".join(STRATA if one == "strata" else USES[one] for one in order) + STRATA)

    def test_with_each(self):
        for library in COMPANIONS:
            with self.subTest(library):
                if not is_there(library):
                    self.skipTest(f"no {library}")
                self.load([library])

    def test_with_several(self):
        present = [library for library in COMPANIONS if is_there(library)]
        self.load(present[:2])


class KeptKernelsTest(TestCase):
    def setUp(self):
        super().setUp()
        programs = (PACKAGE / "bin/strata", PACKAGE.parent.parent / "bin/strata")
        self.program = next((one for one in programs if one.exists()), None)
        if self.program is None:
            self.skipTest("no command line beside the package")

    def test_those_of_the_command_line_are_found(self):
        python = """
import sys, strata as st
A = st.read(sys.argv[1], "CSR")  # 32 bits, as the command line is told
print(float(st.evaluate("y(i) = A(i,j) * x(j)", A=A, x=st.ones(A.shape[1])).sum()))
"""
        with tempfile.TemporaryDirectory() as folder:
            file, kernels = os.path.join(folder, "a.mtx"), os.path.join(folder, "kernels")
            os.mkdir(kernels, 0o700)
            matrix = scipy.sparse.coo_matrix(self.draw((30, 20)))
            scipy.io.mmwrite(file, matrix)

            def products():
                """The kernels that are kept of the statement."""
                listed = subprocess.run(
                    [self.program, "cache", "list"],
                    env={**os.environ, "STRATA_CACHE_DIR": kernels},
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout
                return listed.count(" = sum(j, A(i,j) * x(j)); A: CSR, x: Dense, result: Dense")

            subprocess.run(
                [
                    self.program,
                    "y(i) = A(i,j) * x(j)",
                    "-f=A:(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32",
                    f"-i=A:{file}",
                    "-g=x:o",
                    f"-o=y:{folder}/y.mtx",
                ],
                env={**os.environ, "STRATA_CACHE_DIR": kernels},
                check=True,
                capture_output=True,
            )
            self.assertEqual(products(), 1)
            for language in ("c", "cpp"):  # examples/library.c and .cpp compute the same
                example = self.program.with_name(f"strata-library-example-{language}")
                if example.exists():
                    environment = {**os.environ, "STRATA_CACHE_DIR": kernels}
                    subprocess.run([example], env=environment, check=True, capture_output=True)
                    self.assertEqual(products(), 1, language)
            for library in ("", "torch", "numba"):
                if library and not is_there(library):
                    continue
                load = USES[library] + "\n" if library else ""
                program = load + python.replace("sys.argv[1]", repr(file))
                printed = run(program, STRATA_CACHE_DIR=kernels)
                numpy.testing.assert_allclose(float(printed), matrix.sum())
                self.assertEqual(products(), 1, library)


if __name__ == "__main__":
    unittest.main()
