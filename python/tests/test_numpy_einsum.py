"""NumPy's own tests of einsum, with Strata's in its place, on dense and on sparse operands.

They come with NumPy, and are written for pytest.
"""

import importlib
import inspect
import unittest
from unittest import mock

import numpy

import borrowed
import strata as st

ORIGINAL = numpy.einsum

#: What only NumPy's own function is meant to do, and why.
LEFT_OUT = {
    "test_einsum_views": "results are no views of operands",
    "test_output_order": "the order of dimensions in memory is a format",
    "test_einsum_chunking_precision": "sums are accurate as loops are",
    "test_path_type_input_invalid": "the order of products is not chosen",
    "test_einsum_object_errors": "no tensor has Python objects for elements",
    "test_einsum_sums_object": "no tensor has Python objects for elements",
    "test_einsum_sums_clongdouble": "Strata has no long doubles",
    "test_einsum_sums_longdouble": "Strata has no long doubles",
    "test_subscript_range": "networks of tensors have more than 52 labels",
}


def module():
    borrowed.install_pytest()
    for name in ("numpy._core.tests.test_einsum", "numpy.core.tests.test_einsum"):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            missing = error
    raise unittest.SkipTest(f"NumPy's tests are not there: {missing}")


class Einsum:
    """numpy.einsum by Strata, except for options that are NumPy's own. Counts both. Arrays become
    tensors in these formats in turns, where that is not None: of those all of whose dimensions are
    compressed, the name has the letter s for each."""

    def __init__(self, formats):
        self.formats = formats
        self.by_strata = self.by_numpy = 0

    def __call__(self, *operands, out=None, dtype=None, order="K", casting="safe", optimize=False):
        named = bool(operands) and isinstance(operands[0], str)
        tensors = operands[1:] if named else operands[: len(operands) // 2 * 2 : 2]
        is_object = any(isinstance(x, numpy.ndarray) and x.dtype.kind == "O" for x in tensors)
        is_numpys = order != "K" or casting in ("blah", "same_value")
        # NumPy computes in the type of out, and converts operands as casting allows.
        if isinstance(out, numpy.ndarray):
            is_numpys |= (
                dtype is not None or numpy.result_type(*map(numpy.asarray, tensors)) != out.dtype
            )
        if is_numpys or is_object or dtype is object:
            self.by_numpy += 1
            options = {"order": order, "casting": casting, "optimize": optimize, "out": out}
            if dtype is not None:
                options["dtype"] = dtype
            return ORIGINAL(*operands, **options)
        if dtype is not None and casting == "unsafe":
            operands = self.converted(operands, dtype)
        self.by_strata += 1
        operands = self.stored(operands)
        if out is not None:  # a text, in one test, is refused by both
            st.einsum(*operands, out=out, optimize=optimize)
            return out
        return st.einsum(*operands, dtype=dtype, optimize=optimize).todense()[()]

    def stored(self, operands):
        """The operands, some of which are sparse."""
        if not operands:
            return operands
        first = 1 if isinstance(operands[0], str) else 0
        step = 1 if first else 2
        found = list(operands)
        for at in range(first, len(found) - (len(found) % 2 if step == 2 else 0), step):
            format = self.formats[at % len(self.formats)]
            array = numpy.asarray(found[at])
            if format and array.ndim > 0:
                found[at] = st.asarray(array, format=format * array.ndim)
        return found

    @staticmethod
    def converted(operands, dtype):
        """The operands in the type in which NumPy would compute."""
        first = 1 if isinstance(operands[0], str) else 0
        step = 1 if first else 2
        found = list(operands)
        for at in range(first, len(found) - (len(found) % 2 if step == 2 else 0), step):
            found[at] = numpy.asarray(found[at]).astype(dtype)
        return found


class NumPyEinsumTest(unittest.TestCase):
    def test_dense(self):
        self.run_all([None])

    def test_sparse(self):
        self.run_all(["s", None, "s"])

    def run_all(self, formats):
        theirs = module()
        einsum = Einsum(formats)
        with mock.patch.object(numpy, "einsum", einsum):
            for cls_name in ("TestEinsum", "TestEinsumPath"):
                instance = getattr(theirs, cls_name)()
                for name, test in inspect.getmembers(instance, inspect.ismethod):
                    if name.startswith("test_") and name not in LEFT_OUT:
                        self.run_theirs(instance, name, test, einsum)
        self.assertGreater(einsum.by_strata, 5 * einsum.by_numpy)

    def run_theirs(self, instance, name, test, einsum):
        for arguments in borrowed.parameters(test):
            if arguments.get("einsum_fn") is ORIGINAL:
                arguments["einsum_fn"] = einsum
            elif "einsum_fn" in arguments:
                continue  # of numpy.einsum_path
            dtype = arguments.get("dtype")
            if dtype is not None and numpy.dtype(dtype).char in "gG":
                continue
            with self.subTest(name=name, **arguments):
                if hasattr(instance, "setup_method"):
                    instance.setup_method()
                test(**arguments)


if __name__ == "__main__":
    unittest.main()
