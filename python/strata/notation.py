"""Index notation in Python: C[i, k] = A[i, j] * B[j, k]."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, Sequence, Union

from . import statements
from .errors import ExpressionError, ShapeError
from .operators import access

if TYPE_CHECKING:
    from .tensors import Tensor


class IndexExpression:
    """A coordinate: an index variable, or sums and multiples of some. It is a value, too."""

    __slots__ = ("text",)
    __module__ = "strata"
    __array_ufunc__ = None

    def __init__(self, text: str) -> None:
        self.text = text

    def __add__(self, other: Any) -> Any:
        return _combine(self, "+", other)

    def __radd__(self, other: Any) -> Any:
        return _combine(other, "+", self)

    def __sub__(self, other: Any) -> Any:
        return _combine(self, "-", other)

    def __rsub__(self, other: Any) -> Any:
        return _combine(other, "-", self)

    def __mul__(self, other: Any) -> Any:
        return _combine(self, "*", other)

    def __rmul__(self, other: Any) -> Any:
        return _combine(other, "*", self)

    def __floordiv__(self, other: int) -> "IndexExpression":
        return IndexExpression(f"({self.text}) floordiv {int(other)}")

    def __mod__(self, other: int) -> "IndexExpression":
        return IndexExpression(f"({self.text}) mod {int(other)}")

    def __neg__(self) -> "IndexExpression":
        return IndexExpression(f"0 - ({self.text})")

    def __repr__(self) -> str:
        return self.text


class IndexVar(IndexExpression):
    """An index variable. Called with two or three integers it is a window: ``i(2, 5)`` selects the
    coordinates 2, 3 and 4."""

    __slots__ = ()
    __module__ = "strata"

    def __call__(self, begin: int, end: int, step: int = 1) -> IndexExpression:
        bounds = (begin, end) if step == 1 else (begin, end, step)
        return IndexExpression(f"{self.text}({','.join(str(int(bound)) for bound in bounds)})")


def _combine(left: Any, operator: str, right: Any) -> Any:
    """A coordinate if both sides are; else a value."""
    texts = []
    for side in (left, right):
        if isinstance(side, IndexExpression):
            texts.append(side.text)
        elif isinstance(side, int):
            texts.append(str(side))
        else:
            return Expression.of(left)._with(operator, right)
    if operator == "*":
        texts = [text if text.isalnum() else f"({text})" for text in texts]
    elif operator == "-" and not texts[1].isalnum():
        texts[1] = f"({texts[1]})"
    return IndexExpression(f"{texts[0]} {operator} {texts[1]}")


_ORDER = "ijklmnpqrstuvw"


def get_index_vars(count: int) -> tuple[IndexVar, ...]:
    """Returns index variables for statements in index notation.

    >>> import strata as st
    >>> A, B = st.eye(3), st.ones((3, 2))
    >>> C = st.tensor((3, 2))
    >>> i, j, k = st.get_index_vars(3)
    >>> C[i, k] = A[i, j] * B[j, k]
    >>> C.todense()
    array([[1., 1.],
           [1., 1.],
           [1., 1.]])

    Args:
        count: How many.
    """
    if count <= len(_ORDER):
        return tuple(IndexVar(name) for name in _ORDER[:count])
    return tuple(IndexVar(f"i{number}") for number in range(count))


class Expression:
    """A value in index notation: accesses, numbers, operators and functions of them."""

    __slots__ = ("operands", "pattern")
    __module__ = "strata"
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, pattern: Sequence[Union[str, int]], operands: Sequence[Any]) -> None:
        #: Texts, and between them numbers of operands.
        self.pattern = tuple(pattern)
        self.operands = tuple(operands)

    @classmethod
    def of(cls, value: Any) -> "Expression":
        """Makes an expression of a number, an index variable, a scalar, or takes one as it is."""
        if isinstance(value, Expression):
            return value
        if isinstance(value, IndexExpression):
            return cls([value.text], [])
        if isinstance(value, numbers.Number) or getattr(value, "shape", None) == ():
            return cls([0], [value])
        raise ExpressionError(
            f"a {type(value).__name__} is no value in index notation",
            "access its elements by index variables: A[i, j]",
        )

    def _with(self, operator: str, other: Any) -> "Expression":
        right = Expression.of(other)
        shift = len(self.operands)
        moved = [part + shift if isinstance(part, int) else part for part in right.pattern]
        pattern = ["(", *self.pattern, f" {operator} ", *moved, ")"]
        return Expression(pattern, [*self.operands, *right.operands])

    def applied(self, function: str) -> "Expression":
        """Returns a function of the language of this value: ``A[i, j].applied("exp")``."""
        return Expression([f"{function}(", *self.pattern, ")"], self.operands)

    def __add__(self, other: Any) -> "Expression":
        return self._with("+", other)

    def __radd__(self, other: Any) -> "Expression":
        return Expression.of(other)._with("+", self)

    def __sub__(self, other: Any) -> "Expression":
        return self._with("-", other)

    def __rsub__(self, other: Any) -> "Expression":
        return Expression.of(other)._with("-", self)

    def __mul__(self, other: Any) -> "Expression":
        return self._with("*", other)

    def __rmul__(self, other: Any) -> "Expression":
        return Expression.of(other)._with("*", self)

    def __truediv__(self, other: Any) -> "Expression":
        return self._with("/", other)

    def __rtruediv__(self, other: Any) -> "Expression":
        return Expression.of(other)._with("/", self)

    def __eq__(self, other: object) -> "Expression":  # type: ignore[override]
        return self._with("==", other)

    def __ne__(self, other: object) -> "Expression":  # type: ignore[override]
        return self._with("!=", other)

    def __lt__(self, other: Any) -> "Expression":
        return self._with("<", other)

    def __le__(self, other: Any) -> "Expression":
        return self._with("<=", other)

    def __gt__(self, other: Any) -> "Expression":
        return self._with(">", other)

    def __ge__(self, other: Any) -> "Expression":
        return self._with(">=", other)

    def __neg__(self) -> "Expression":
        return Expression(["(-", *self.pattern, ")"], self.operands)

    def __abs__(self) -> "Expression":
        return self.applied("abs")

    def __bool__(self) -> bool:
        raise TypeError("a value in index notation is neither true nor false")

    def text_and_operands(self) -> tuple[str, dict[str, Any]]:
        """The expression as statements write it, and the operands by name. A tensor that occurs
        several times has one name."""
        names: list[str] = []
        operands: dict[str, Any] = {}
        seen: dict[int, str] = {}
        for operand in self.operands:
            is_tensor = hasattr(operand, "_core")
            name = seen.get(id(operand)) if is_tensor else None
            if name is None:
                name = f"T{len(operands)}"
                operands[name] = operand
                seen[id(operand)] = name
            names.append(name)
        parts = [names[part] if isinstance(part, int) else part for part in self.pattern]
        return "".join(parts), operands

    def __repr__(self) -> str:
        return f"<strata.Expression {self.text_and_operands()[0]}>"


def is_access(key: Any) -> bool:
    """Whether a key has an index variable in it."""
    if isinstance(key, tuple):
        return any(isinstance(item, IndexExpression) for item in key)
    return isinstance(key, IndexExpression)


def _indices(x: "Tensor", key: Any) -> list[str]:
    items = key if isinstance(key, tuple) else (key,)
    if len(items) != x.ndim:
        raise ShapeError(f"{len(items)} indices for a tensor of {x.ndim} dimensions")
    for item in items:
        if not isinstance(item, (IndexExpression, int)):
            raise ExpressionError(f"{item!r} is no index beside index variables")
    return [item.text if isinstance(item, IndexExpression) else str(item) for item in items]


def make_access(x: "Tensor", key: Any) -> Expression:
    """Returns the elements of a tensor at index variables, as a value in index notation."""
    return Expression([0, access("", _indices(x, key))], [x])


def assign(x: "Tensor", key: Any, value: Any) -> None:
    """Computes a statement; `x` becomes its result, in the format and element type that it has."""
    if not is_access(key) and not (key == () and x.shape == ()):
        raise ExpressionError(
            "the elements of tensors are assigned by index variables only", "C[i, j] = A[i, j]"
        )
    indices = _indices(x, key)
    plain = len(set(indices)) == len(indices) and all(index.isalnum() for index in indices)
    if not plain or any(index.isdigit() for index in indices):
        raise ExpressionError("the left side takes a different index variable for each dimension")
    text, operands = Expression.of(value).text_and_operands()
    kept = x.format.without_widths()
    code = x._core.format.type
    cores = statements.cores_of(operands.values())
    written = f"{access('R', indices)} = {text}"
    result = statements.run(written, tuple(operands), cores, kept, code)
    if result.shape != x.shape:
        raise ShapeError(f"the value has the shape {result.shape}, the tensor {x.shape}")
    x._core = result


def sum(*variables_and_value: Any) -> Expression:
    """Returns the sum over index variables in index notation: ``st.sum(j, A[i, j])``.

    Args:
        variables_and_value: The index variables, then the value.
    """
    *variables, value = variables_and_value
    listed = "".join(f"{variable.text}, " for variable in variables)
    expression = Expression.of(value)
    return Expression([f"sum({listed}", *expression.pattern, ")"], expression.operands)
