"""Functions of two operands, element by element, by the names of the array API standard. The
operands are tensors, numbers, or what :func:`asarray` takes, and are broadcast."""

from __future__ import annotations

import builtins
import operator
from typing import TYPE_CHECKING, Any, Callable, Optional

from . import dtypes, handles, statements
from .conversion import asarray
from .elements import combine
from .operators import binary

if TYPE_CHECKING:
    from .tensors import Tensor

Function = Callable[[Any, Any], "Tensor"]


def _named(function: Function, name: str, doc: str) -> Function:
    function.__name__ = function.__qualname__ = name
    function.__module__ = "strata"
    function.__doc__ = doc
    return function


def _tensors(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Two operands of which one at least is a tensor; numbers stay weak beside it."""
    one = x1 if type(x1) in statements.NUMBERS else asarray(x1)
    two = x2 if type(x2) in statements.NUMBERS else asarray(x2)
    if type(one) in statements.NUMBERS and type(two) in statements.NUMBERS:
        one = asarray(one)
    return one, two


def _by_operator(name: str, apply: Callable[[Any, Any], Any], doc: str) -> Function:
    """Makes the function that an operator of tensors computes."""

    def compute(x1: Any, x2: Any, /) -> "Tensor":
        result: "Tensor" = apply(*_tensors(x1, x2))
        return result

    return _named(compute, name, doc)


def _by_statement(name: str, pattern: str, doc: str, code: Optional[int] = None) -> Function:
    """Makes the function that an expression of the language computes."""

    def compute(x1: Any, x2: Any, /) -> "Tensor":
        return binary(pattern, *_tensors(x1, x2), code)

    return _named(compute, name, doc)


def _by_numpy(name: str, doc: str) -> Function:
    """Makes the function that NumPy computes of what operands store."""

    def compute(x1: Any, x2: Any, /) -> "Tensor":
        import numpy

        return combine(getattr(numpy, name), x1, x2)

    return _named(compute, name, doc)


add = _by_operator("add", operator.add, "Returns the sum of elements.")
subtract = _by_operator("subtract", operator.sub, "Returns the difference of elements.")
multiply = _by_operator("multiply", operator.mul, "Returns the product of elements.")
divide = _by_operator("divide", operator.truediv, "Returns the quotient of elements.")
floor_divide = _by_operator(
    "floor_divide", operator.floordiv, "Returns the quotient of elements, rounded down."
)
remainder = _by_operator(
    "remainder", operator.mod, "Returns the remainder, with the sign of the divisor."
)
divmod = _by_operator(
    "divmod", builtins.divmod, "Returns the quotient, rounded down, and the remainder."
)
pow = _by_operator("pow", operator.pow, "Returns the first operand to the power of the second.")

bitwise_and = _by_operator("bitwise_and", operator.and_, "Returns the bits that both have.")
bitwise_or = _by_operator("bitwise_or", operator.or_, "Returns the bits that one or both have.")
bitwise_xor = _by_operator("bitwise_xor", operator.xor, "Returns the bits that one alone has.")
bitwise_left_shift = _by_operator(
    "bitwise_left_shift", operator.lshift, "Returns the bits of the first operand moved up."
)
bitwise_right_shift = _by_operator(
    "bitwise_right_shift", operator.rshift, "Returns the bits of the first operand moved down."
)

equal = _by_operator("equal", operator.eq, "Returns whether elements are equal.")
not_equal = _by_operator("not_equal", operator.ne, "Returns whether elements differ.")
less = _by_operator("less", operator.lt, "Returns whether the first is less than the second.")
less_equal = _by_operator(
    "less_equal", operator.le, "Returns whether the first is at most the second."
)
greater = _by_operator(
    "greater", operator.gt, "Returns whether the first is greater than the second."
)
greater_equal = _by_operator(
    "greater_equal", operator.ge, "Returns whether the first is at least the second."
)

maximum = _by_statement(
    "maximum", "max({0}, {1})", "Returns the greater of two elements; NaN if one is NaN."
)
minimum = _by_statement(
    "minimum", "min({0}, {1})", "Returns the less of two elements; NaN if one is NaN."
)
copysign = _by_statement(
    "copysign", "copysign({0}, {1})", "Returns the magnitude of the first with the second's sign."
)
atan2 = _by_statement(
    "atan2", "atan2({0}, {1})", "Returns the angle in radians of the point (x2, x1)."
)
logical_and = _by_statement(
    "logical_and", "bool({0}) & bool({1})", "Returns whether both are not zero.", dtypes.BOOL
)
logical_or = _by_statement(
    "logical_or", "bool({0}) | bool({1})", "Returns whether one or both are not zero.", dtypes.BOOL
)
logical_xor = _by_statement(
    "logical_xor", "bool({0}) ^ bool({1})", "Returns whether one alone is not zero.", dtypes.BOOL
)

hypot = _by_numpy("hypot", "Returns the square root of the sum of squares.")
logaddexp = _by_numpy("logaddexp", "Returns the logarithm of the sum of exponentials.")
nextafter = _by_numpy("nextafter", "Returns the next number from the first towards the second.")


def clip(x: Any, /, min: Any = None, max: Any = None) -> "Tensor":
    """Returns each element, or the bound that it lies beyond, in the element type that both have in
    common: of integers and a bound that is a fraction, float64.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        min, max: The bounds: numbers, tensors that are broadcast, or None for no bound.
    """
    given = asarray(x)
    result = given if min is None else maximum(given, min)
    result = result if max is None else minimum(result, max)
    return handles.wrap(given._core) if result is given else result
