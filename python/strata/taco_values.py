"""Index variables and values in index notation, by the names that TACO has for them in Python."""

from __future__ import annotations

import itertools
from typing import Any, Callable, Optional

from . import dtypes
from .errors import ArgumentError
from .notation import Expression, IndexVar
from .notation import sum as _sum_of

_numbers = itertools.count()


def index_var(name: Optional[str] = None) -> IndexVar:
    """Makes an index variable, which is another than all before."""
    if name is not None and not name.isidentifier():
        raise ArgumentError(f"'{name}' is no name")
    return IndexVar(f"{name or 'i'}{next(_numbers)}")


def get_index_vars(how_many: int) -> list[IndexVar]:
    """Makes so many index variables."""
    return [index_var() for _ in range(how_many)]


get_index_var = get_index_vars
index_expression = Expression


def value_of(x: Any) -> Any:
    return x[None] if hasattr(x, "to_sp_csr") else x


def _function(name: str, doc: str, pattern: Optional[str] = None) -> Callable[..., Expression]:
    def compute(*operands: Any) -> Expression:
        given = [Expression.of(value_of(x)) for x in operands]
        return given[0].applied(name, *given[1:])

    compute.__name__ = compute.__qualname__ = pattern or name
    compute.__doc__ = doc
    return compute


abs = _function("abs", "The magnitude of a value in index notation.")
square = _function("square", "Its square.")
sqrt = _function("sqrt", "Its square root.")
cube_root = _function("cbrt", "Its cube root.", "cube_root")
exp = _function("exp", "e to its power.")
log = _function("log", "Its natural logarithm.")
log10 = _function("log10", "Its logarithm to the base 10.")
sin = _function("sin", "Its sine.")
cos = _function("cos", "Its cosine.")
tan = _function("tan", "Its tangent.")
asin = _function("asin", "Its inverse sine.")
acos = _function("acos", "Its inverse cosine.")
atan = _function("atan", "Its inverse tangent.")
sinh = _function("sinh", "Its hyperbolic sine.")
cosh = _function("cosh", "Its hyperbolic cosine.")
tanh = _function("tanh", "Its hyperbolic tangent.")
asinh = _function("asinh", "Its inverse hyperbolic sine.")
acosh = _function("acosh", "Its inverse hyperbolic cosine.")
atanh = _function("atanh", "Its inverse hyperbolic tangent.")
atan2 = _function("atan2", "The angle of two values in index notation.")
pow = _function("pow", "A power of two values in index notation.")
remainder = _function("mod", "The remainder of a division.", "remainder")
max = _function("max", "The larger of two values in index notation.")
min = _function("min", "The smaller of two values in index notation.")
heaviside = _function("heaviside", "0, 1, or the second value, by the sign of the first.")


def cube(e: Any) -> Expression:
    """The third power of a value in index notation."""
    value = Expression.of(value_of(e))
    return value * value * value


def _operation(name: str, compute: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def combine(e1: Any, e2: Any) -> Any:
        return compute(Expression.of(value_of(e1)), value_of(e2))

    combine.__name__ = combine.__qualname__ = name
    combine.__doc__ = f"The operator of that name ({name}) of two values in index notation."
    return combine


add = _operation("add", lambda a, b: a + b)
sub = _operation("sub", lambda a, b: a - b)
mul = _operation("mul", lambda a, b: a * b)
div = _operation("div", lambda a, b: a / b)
gt = _operation("gt", lambda a, b: a > b)
ge = _operation("ge", lambda a, b: a >= b)
lt = _operation("lt", lambda a, b: a < b)
le = _operation("le", lambda a, b: a <= b)
eq = _operation("eq", lambda a, b: a == b)
ne = _operation("ne", lambda a, b: a != b)


def logical_not(e: Any) -> Expression:
    """Whether a value in index notation is zero."""
    return Expression.of(value_of(e)) == 0


def cast(e: Any, dtype: Any) -> Expression:
    """A value in index notation as one of another element type."""
    return Expression.of(value_of(e)).applied(dtypes.NAMES[dtypes.code_of(dtype)])


def sum(v: IndexVar, e: Any) -> Expression:
    """The sum of a value over an index variable."""
    return _sum_of(v, value_of(e))
