"""Functions of one operand, element by element, by the names of the array API standard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional

from . import dtypes, handles
from .conversion import asarray
from .elements import map_values
from .errors import DTypeError
from .operators import binary, unary

if TYPE_CHECKING:
    from .tensors import Tensor

Function = Callable[[Any], "Tensor"]

_BOOL, _INTEGER, _REAL, _COMPLEX = map(
    dtypes.kind_of, (dtypes.BOOL, dtypes.INT64, dtypes.FLOAT64, dtypes.COMPLEX128)
)


def _named(function: Function, name: str, doc: str) -> Function:
    function.__name__ = function.__qualname__ = name
    function.__module__ = "strata"
    function.__doc__ = doc
    return function


def _kind(x: "Tensor") -> int:
    return dtypes.kind_of(x._core.format.type)


# ---- Functions of real and complex numbers ----

#: Functions of complex numbers that the language computes as the standard says for all of them. (Its
#: exp, log and tanh differ at some infinite ones.)
_OF_COMPLEX = frozenset("sqrt sin cos tan".split())


def _analytic(name: str, doc: str) -> Function:
    """Makes a function of real or complex numbers; integers are converted to float64."""
    theirs = f"arc{name[1:]}" if name.startswith("a") else name

    def compute(x: Any, /) -> "Tensor":
        given = asarray(x)
        kind = _kind(given)
        if kind == _COMPLEX and name not in _OF_COMPLEX:
            import numpy

            return map_values(_EXACT.get(name) or getattr(numpy, theirs), given)
        is_whole = kind < _REAL
        operand = "double({0})" if is_whole else "{0}"
        return unary(f"{name}({operand})", given, dtypes.FLOAT64 if is_whole else None)

    return _named(compute, name, doc)


def _complex_expm1(z: Any) -> Any:
    """Computes exp(z) - 1 as C does; NumPy's answers differ at zero and at infinite numbers."""
    import numpy

    return numpy.where(numpy.isfinite(z) & (z != 0), numpy.expm1(z), numpy.exp(z) - 1)


def _complex_tanh(z: Any) -> Any:
    """Computes the hyperbolic tangent; the imaginary part of a limit has the sign of the operand's."""
    import numpy

    limit = numpy.empty_like(z)
    limit.real, limit.imag = numpy.copysign(1, z.real), numpy.copysign(0, z.imag)
    return numpy.where(numpy.isinf(z.real) & numpy.isfinite(z.imag), limit, numpy.tanh(z))


#: Functions of complex numbers where NumPy's answers differ from the standard's.
_EXACT = {"expm1": _complex_expm1, "tanh": _complex_tanh}


acos = _analytic("acos", "Returns the angle in radians of each cosine.")
acosh = _analytic("acosh", "Returns the inverse hyperbolic cosine of each element.")
asin = _analytic("asin", "Returns the angle in radians of each sine.")
asinh = _analytic("asinh", "Returns the inverse hyperbolic sine of each element.")
atan = _analytic("atan", "Returns the angle in radians of each tangent.")
atanh = _analytic("atanh", "Returns the inverse hyperbolic tangent of each element.")
cbrt = _analytic("cbrt", "Returns the cube root of each element.")
cos = _analytic("cos", "Returns the cosine of each angle in radians.")
cosh = _analytic("cosh", "Returns the hyperbolic cosine of each element.")
exp = _analytic("exp", "Returns e to the power of each element.")
expm1 = _analytic("expm1", "Returns exp(x) - 1, exactly for small elements, too.")
log = _analytic("log", "Returns the natural logarithm of each element.")
log10 = _analytic("log10", "Returns the logarithm to the base 10 of each element.")
log1p = _analytic("log1p", "Returns log(1 + x), exactly for small elements, too.")
log2 = _analytic("log2", "Returns the logarithm to the base 2 of each element.")
sin = _analytic("sin", "Returns the sine of each angle in radians.")
sinh = _analytic("sinh", "Returns the hyperbolic sine of each element.")
sqrt = _analytic("sqrt", "Returns the square root of each element.")
tan = _analytic("tan", "Returns the tangent of each angle in radians.")
tanh = _analytic("tanh", "Returns the hyperbolic tangent of each element.")


# ---- Signs, parts of complex numbers, powers ----


def abs(x: Any, /) -> "Tensor":
    """Returns the magnitude of each element."""
    return asarray(x).__abs__()


def negative(x: Any, /) -> "Tensor":
    """Returns each element with the other sign."""
    return -asarray(x)


def positive(x: Any, /) -> "Tensor":
    """Returns each element as it is."""
    return +asarray(x)


def sign(x: Any, /) -> "Tensor":
    """Returns -1, 0 or 1 for each element; of a complex number, the number divided by its
    magnitude."""
    # (The language's sign of -0.0 is -0.0.)
    return unary("where({0} != 0, sign({0}), 0)", asarray(x))


def signbit(x: Any, /) -> "Tensor":
    """Returns whether the sign of each element is negative, that of -0.0, too."""
    import numpy

    return map_values(numpy.signbit, asarray(x))


def conj(x: Any, /) -> "Tensor":
    """Returns the complex conjugate of each element."""
    return asarray(x).conj()


def real(x: Any, /) -> "Tensor":
    """Returns the real part of each element."""
    return asarray(x).real


def imag(x: Any, /) -> "Tensor":
    """Returns the imaginary part of each element."""
    return asarray(x).imag


def square(x: Any, /) -> "Tensor":
    """Returns the square of each element."""
    return unary("square({0})", asarray(x))


def reciprocal(x: Any, /) -> "Tensor":
    """Returns one divided by each element."""
    return 1 / asarray(x)


def bitwise_invert(x: Any, /) -> "Tensor":
    """Returns each element with all bits inverted; of truth values, the negation."""
    return ~asarray(x)


def logical_not(x: Any, /) -> "Tensor":
    """Returns whether each element is zero."""
    given = asarray(x)
    return ~(given if _kind(given) == _BOOL else given != 0)


# ---- Rounding ----


def _rounding(name: str, pattern: Optional[str], doc: str) -> Function:
    """Makes a function that leaves integers as they are."""

    def compute(x: Any, /) -> "Tensor":
        given = asarray(x)
        kind = _kind(given)
        if kind < _REAL:
            return handles.wrap(given._core)
        if pattern is not None and kind == _REAL:
            return unary(pattern, given)
        import numpy

        if kind == _COMPLEX and pattern is not None:
            raise DTypeError(f"{name} takes no complex numbers")
        return map_values(numpy.round, given)

    return _named(compute, name, doc)


ceil = _rounding("ceil", "ceil({0})", "Returns the least integer not below each element.")
floor = _rounding("floor", "floor({0})", "Returns the greatest integer not above each element.")
round = _rounding(
    "round", None, "Returns the nearest integer to each element; of two, the even one."
)
trunc = _rounding(
    "trunc",
    "where({0} < 0, ceil({0}), floor({0}))",
    "Returns the integer part of each element.",
)


# ---- Infinities and NaN ----


def isnan(x: Any, /) -> "Tensor":
    """Returns whether each element is NaN."""
    return unary("{0} != {0}", asarray(x), dtypes.BOOL)


def isinf(x: Any, /) -> "Tensor":
    """Returns whether each element, or a part of a complex one, is infinite."""
    given = asarray(x)
    if _kind(given) == _COMPLEX:
        return isinf(given.real) | isinf(given.imag)
    if _kind(given) < _REAL:  # a comparison that holds for no integer
        return unary("{0} != {0}", given, dtypes.BOOL)
    return binary("abs({0}) == {1}", given, float("inf"), dtypes.BOOL)


def isfinite(x: Any, /) -> "Tensor":
    """Returns whether each element is neither infinite nor NaN."""
    given = asarray(x)
    if _kind(given) == _COMPLEX:
        return isfinite(given.real) & isfinite(given.imag)
    if _kind(given) < _REAL:
        return unary("{0} == {0}", given, dtypes.BOOL)
    return binary("abs({0}) < {1}", given, float("inf"), dtypes.BOOL)
