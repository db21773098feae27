"""opt_einsum's own tests, with Strata's einsum in the place of NumPy's, on dense and sparse operands;
and opt_einsum with tensors, for which it takes Strata's einsum by itself.

They come with opt_einsum, and are written for pytest.
"""

import importlib
import inspect
import unittest
from unittest import mock

import numpy

import borrowed
import strata as st
from drawing import TestCase

#: Orders of products: one of each kind that opt_einsum has would only compile more kernels.
ORDERS = (False, "greedy")

#: What is no matter of einsum, and why.
LEFT_OUT = {
    "test_printing": "what opt_einsum prints has changed between its versions",
    "test_compare_blas": "the contractions are those of test_compare, by NumPy's tensordot",
    "test_rand_equation": "the contractions are drawn, each for a kernel of its own",
    "test_some_non_alphabet_maintains_order": "a subscript may be any letter in opt_einsum only",
}


def module(name):
    borrowed.install_pytest()
    try:
        return importlib.import_module(f"opt_einsum.tests.{name}")
    except ModuleNotFoundError as error:
        raise unittest.SkipTest(f"opt_einsum's tests are not there: {error}") from None


class Einsum:
    """numpy.einsum by Strata; of the operands of each call some are sparse."""

    def __init__(self, formats):
        self.formats = formats
        self.calls = 0

    def __call__(self, *operands, out=None, optimize=False, **options):
        if options:
            raise TypeError(f"got an unexpected keyword {options}")
        self.calls += 1
        operands = [self.converted(x, at) for at, x in enumerate(operands)]
        if out is not None:
            st.einsum(*operands, out=out)
            return out
        return st.einsum(*operands, optimize=optimize).todense()[()]

    def converted(self, x, at):
        format = self.formats[at % len(self.formats)]
        is_array = isinstance(x, numpy.ndarray) and x.ndim > 0
        return st.asarray(x, format=format) if is_array and format else x


class OptEinsumTest(unittest.TestCase):
    def run_theirs(self, name, formats, least):
        theirs = module(name)
        from opt_einsum.backends import dispatch

        einsum = Einsum(formats)
        functions = {("einsum", "numpy"): einsum}
        with mock.patch.object(numpy, "einsum", einsum), mock.patch.dict(
            dispatch._cached_funcs, functions
        ):
            for one, test in inspect.getmembers(theirs, inspect.isfunction):
                if one.startswith("test_") and one not in LEFT_OUT and "greek" not in one:
                    self.run_one(one, test)
        self.assertGreater(einsum.calls, least)

    def run_one(self, name, test):
        for arguments in borrowed.parameters(test):
            if arguments.get("optimize", "greedy") in ORDERS:
                with self.subTest(name=name, **arguments):
                    numpy.random.seed(1)
                    test(**arguments)

    def test_contractions(self):
        self.run_theirs("test_contract", [None], 500)

    def test_contractions_of_sparse_operands(self):
        self.run_theirs("test_contract", ["COO", None, "CSF"], 500)

    def test_edge_cases(self):
        for formats in ([None], ["COO"]):
            self.run_theirs("test_edge_cases", formats, 10)


class TensorTest(TestCase):
    def test_tensors_are_contracted_by_strata(self):
        opt_einsum = module("test_contract") and importlib.import_module("opt_einsum")
        x, y, z = self.draw((4, 5)), self.draw((5, 6)), self.draw((6, 3))
        expected = x @ y @ z
        for formats in (("CSR", "CSC", "COO"), ("Dense", "CSR", "Dense")):
            tensors = [st.asarray(one, format=name) for one, name in zip((x, y, z), formats)]
            for order in ("greedy", "optimal", [(0, 1), (0, 1)]):
                found = opt_einsum.contract("ij,jk,kl->il", *tensors, optimize=order)
                self.assertIsInstance(found, st.Tensor)
                self.assert_same(found, expected)
        found = opt_einsum.contract("ij,jk->ik", tensors[0], y)
        self.assert_same(found, x @ y)
        expression = opt_einsum.contract_expression("ij,jk->ik", (4, 5), (5, 6))
        self.assert_same(expression(tensors[0], st.asarray(y)), x @ y)


if __name__ == "__main__":
    unittest.main()
