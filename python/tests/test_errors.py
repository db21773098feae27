"""Exceptions: each is one of Strata's and one of Python's own, and none names an option of the
command line."""

import os
import pathlib
import pickle
import tempfile
import unittest

import numpy

import strata as st
from drawing import TestCase

#: Mistakes, with the exceptions that they raise.
A = st.eye(3, format="CSR")
MISTAKES = [
    (st.ShapeError, ValueError, lambda: st.from_coo(([0, 1], [0]), [1.0, 2.0], (2, 2))),
    (st.ShapeError, ValueError, lambda: st.from_coo(([0, 1], [0, 1]), [1.0, 2.0, 3.0], (2, 2))),
    (st.ShapeError, ValueError, lambda: st.from_coo([[0, 1], [0]], [1.0, 2.0])),
    (st.DTypeError, TypeError, lambda: st.from_coo(([0, 2**64], [0, 1]), [1.0, 2.0], (2, 2))),
    (st.WidthError, OverflowError, lambda: st.asarray(2**64)),
    (st.WidthError, OverflowError, lambda: st.asarray(numpy.ones(2)) * 2**2000),
    (st.WidthError, OverflowError, lambda: st.asarray([1, 2]) * 2**64),
    (st.WidthError, OverflowError, lambda: st.full(2, 2**64)),
    (st.WidthError, OverflowError, lambda: st.eye(300).asformat(st.Format("CSR", pos=16, crd=8))),
    (st.WidthError, OverflowError, lambda: st.eye(300, format=st.Format("CSR", pos=8, crd=16))),
    (st.DTypeError, TypeError, lambda: st.asarray([2**64])),
    (st.ArgumentError, ValueError, lambda: st.asarray([[1, 2], [3]])),
    (st.ShapeError, ValueError, lambda: st.zeros(-1)),
    (st.ShapeError, ValueError, lambda: st.zeros(2**64)),
    (st.ShapeError, ValueError, lambda: st.zeros((2.5,))),
    (st.ShapeError, ValueError, lambda: st.eye(-1)),
    (st.ShapeError, ValueError, lambda: st.linspace(0, 1, -1)),
    (st.ArgumentError, ValueError, lambda: st.arange(0, 1, 0)),
    (st.ArgumentError, ValueError, lambda: st.random(3, 0.5, seed=-1)),
    (st.ShapeError, ValueError, lambda: A.item()),
    (st.ShapeError, ValueError, lambda: A.transpose(0, 0)),
    (st.ShapeError, ValueError, lambda: st.zeros(3).mT),
    (st.BoundsError, IndexError, lambda: A[5]),
    (st.BoundsError, IndexError, lambda: A[0, 0, 0]),
    (st.BoundsError, IndexError, lambda: st.zeros(3)[[4]]),
    (st.BoundsError, IndexError, lambda: st.zeros(3)[0, 0]),
    (st.BoundsError, IndexError, lambda: st.zeros(3).__setitem__(5, 1)),
    (st.BoundsError, IndexError, lambda: A.copy().__setitem__((0, 5), 1)),
    (st.BoundsError, IndexError, lambda: st.evaluate("y(i) = A(i,7)", A=A)),
    (st.BoundsError, IndexError, lambda: st.evaluate("y(i) = A(k,i)", A=A, k=7)),
    (st.BoundsError, IndexError, lambda: st.evaluate("y(i) = A(-1,i)", A=A)),
    (st.BoundsError, IndexError, lambda: st.evaluate("y(i) = A(i,7)", A=A.asformat("Dense"))),
    (st.BoundsError, IndexError, lambda: st.evaluate("y(i) = A(p(i),0)", A=A, p=[0, 9])),
    (st.ArgumentError, ValueError, lambda: st.asarray([1, 2]) ** -1),
    (st.ArgumentError, ValueError, lambda: st.set_num_threads(-1)),
    (st.ArgumentError, ValueError, lambda: st.config(max_memory=-1)),
    (st.MissingFileError, FileNotFoundError, lambda: st.read("/nowhere/a.mtx")),
    (st.FileError, OSError, lambda: st.read("/nowhere/a.mtx")),
    (st.MissingFileError, FileNotFoundError, lambda: st.run("/nowhere/a.ta")),
    (st.FileError, OSError, lambda: st.run(pathlib.Path("/"))),
    (st.FileError, OSError, lambda: A.write("/nowhere/a.mtx")),
    (st.OutOfMemory, MemoryError, lambda: st.zeros((2**40, 2**40))),
    (st.ArgumentError, ValueError, lambda: st.from_buffers("CSR", (2, 2), ([0, 1], [0], [1.0]))),
    (st.DTypeError, TypeError, lambda: st.from_buffers("CSR", (1, 1), ([0, 2**65], [0], [1.0]))),
]


class ErrorsTest(TestCase):
    def test_each_is_one_of_both(self):
        for number, (ours, pythons, mistake) in enumerate(MISTAKES):
            with self.subTest(number):
                with self.assertRaises(ours) as caught:
                    mistake()
                self.assertIsInstance(caught.exception, pythons)
                self.assertIsInstance(caught.exception, st.Error)
                self.assertNotRegex(str(caught.exception), r"(^|[\s'(])--?[a-zA-Z]")
                again = pickle.loads(pickle.dumps(caught.exception))
                self.assertIs(type(again), type(caught.exception))
                self.assertEqual(str(again), str(caught.exception))

    def test_codes_of_failures(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "a.tns"
            file.write_text("1 one 0.5\n")
            for code, mistake in [
                ("SE1304", lambda: st.read(file)),
                ("SE1301", lambda: A.write(pathlib.Path(folder) / "none" / "a.mtx")),
                ("SE1302", lambda: A.write(pathlib.Path(folder) / "a.matrix")),
                ("SE1402", lambda: st.eye(300).asformat(st.Format("CSR", pos=16, crd=8))),
                ("SE1404", lambda: st.from_buffers("CSR", (2, 2), ([0, 1, 3], [0, 1], [1.0, 1.0]))),
            ]:
                with self.subTest(code):
                    with self.assertRaises(st.Error) as caught:
                        mistake()
                    self.assertEqual(caught.exception.code, code)
                    self.assertNotIn("[SE", str(caught.exception))

    def test_codes_of_refusals(self):
        """What the library refuses itself, and what MLIR says of a module."""
        M = st.Machine(2)
        P = A.asformat("CSR on M(i)", machine=M)
        for code, mistake in [
            ("SE0303", lambda: st.from_coo(([0, 5], [0, 0]), [1.0, 2.0], (2, 2))),
            ("SE0705", lambda: st.from_coo(([1, 1], [0, 0]), [1.0, 2.0], duplicates="error")),
            ("SE0901", lambda: st.Machine(-1)),
            ("SE1701", lambda: st.from_buffers("CSR", (3, 3), ([0, 1],))),
            ("SE1704", lambda: P.draw_storage()),
            ("SE1707", lambda: A.spy(size=-5)),
            ("SE1707", lambda: st.from_mlir("func.func @f() { return }", "g")),
            ("SE1708", lambda: st.from_mlir("func.func @f() -> f64 { return }")),
        ]:
            with self.subTest(code):
                with self.assertRaises(st.Error) as caught:
                    mistake()
                self.assertEqual(caught.exception.code, code)

    def test_limit_of_memory(self):
        st.config(max_memory=1000)
        try:
            for call in (
                lambda: st.evaluate("C(i,j) = x(i) * x(j)", x=numpy.ones(1000)),
                lambda: st.from_coo(([0, 999],), [1.0, 2.0], (1000,)).asformat("Dense"),
            ):
                with self.assertRaisesRegex(st.OutOfMemory, "limit of memory"):
                    call()
        finally:
            st.config(max_memory=None)

    def test_hints(self):
        M = numpy.eye(3)
        for hint, mistake in [
            (r"out=", lambda: st.evaluate("M(N*i+j) = x(i)*y(j)", N=4, x=[1.0], y=[2.0])),
            (r"out=", lambda: st.evaluate("y(p(i)) = x(i)", p=[0, 1], x=[1.0, 2.0])),
            (r"x\[i\] = solve\(A, b\)", lambda: st.evaluate("x = solve(N, b)", N=M, b=[1.0])),
            (r"singular_values", lambda: st.evaluate("w(i) = eigenvalues(F)", F=M)),
        ]:
            with self.assertRaisesRegex(st.ExpressionError, hint):
                mistake()

    def test_files_that_count_from_0(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.tns")
            with open(path, "w", encoding="utf-8") as file:
                file.write("0 0 1.5\n")
            with self.assertRaises(st.FileError) as caught:
                st.read(path)
            self.assertNotIn("--base", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
