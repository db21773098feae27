"""Element functions: within 1 ulp of the true value, and the same bits alone and in a vector."""

import unittest

import numpy

import strata as st
from drawing import TestCase

#: Functions and where they are tried; NumPy's of the same names are in extended precision here.
FUNCTIONS = {
    "exp": (numpy.exp, -700, 700), "log": (numpy.log, 1e-300, 1e300), "sin": (numpy.sin, -1e3, 1e3),
    "cos": (numpy.cos, -1e3, 1e3), "tan": (numpy.tan, -1e3, 1e3), "tanh": (numpy.tanh, -20, 20),
    "asin": (numpy.arcsin, -1, 1), "acos": (numpy.arccos, -1, 1), "atan": (numpy.arctan, -1e3, 1e3),
    "atanh": (numpy.arctanh, -0.999, 0.999), "log2": (numpy.log2, 1e-300, 1e300),
    "log10": (numpy.log10, 1e-300, 1e300), "log1p": (numpy.log1p, -0.999, 1e3),
    "expm1": (numpy.expm1, -30, 700), "cbrt": (numpy.cbrt, -1e300, 1e300)}


class ElementFunctionTest(TestCase):
    def evaluate(self, name, x):
        return st.evaluate(f"y(i) = {name}(x(i))", x=x).to_numpy()

    def test_within_one_ulp(self):
        for name, (function, least, most) in FUNCTIONS.items():
            for kind in (numpy.float64, numpy.float32):
                limit = 1e300 if kind is numpy.float64 else 80
                x = numpy.linspace(max(least, -limit), min(most, limit), 5001).astype(kind)
                if x[0] == 0:
                    x = x[1:]
                with self.subTest(name=name, kind=kind.__name__):
                    exact = function(x.astype(numpy.longdouble))
                    units = numpy.spacing(numpy.abs(exact).astype(kind)).astype(numpy.longdouble)
                    errors = numpy.abs(self.evaluate(name, x) - exact) / units
                    self.assertLessEqual(errors.max(), 1.01)

    def test_same_bits_alone_and_in_a_vector(self):
        for name, (_, least, most) in FUNCTIONS.items():
            for kind in (numpy.float64, numpy.float32):
                limit = 1e300 if kind is numpy.float64 else 80
                x = numpy.linspace(max(least, -limit), min(most, limit), 1003).astype(kind)
                together = self.evaluate(name, x)
                apart = numpy.concatenate(
                    [self.evaluate(name, x[k:k + 1]) for k in range(1, 1003, 77)])
                with self.subTest(name=name, kind=kind.__name__):
                    numpy.testing.assert_array_equal(apart, together[1:1003:77])

    def test_large_and_special_arguments(self):
        x = numpy.array([0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, 1e308, -1e308, 1e-308, 5e-324])
        for name, (function, _, _) in FUNCTIONS.items():
            with self.subTest(name=name), numpy.errstate(all="ignore"):
                numpy.testing.assert_allclose(self.evaluate(name, x), function(x), rtol=1e-15, atol=1e-323)
        with numpy.errstate(all="ignore"):
            numpy.testing.assert_allclose(st.evaluate("y(i) = sinh(x(i))", x=x).to_numpy(),
                                          numpy.sinh(x), rtol=1e-15, atol=1e-323)


if __name__ == "__main__":
    unittest.main()
