"""Index notation in Python: C[i, k] = A[i, j] * B[j, k]."""

from __future__ import annotations

import numbers
import operator
from typing import TYPE_CHECKING, Any, Sequence, Union

from . import plans
from .errors import ExpressionError, ShapeError
from .subscripts import access

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
        return IndexExpression(f"({self.text}) floordiv {operator.index(other)}")

    def __mod__(self, other: int) -> "IndexExpression":
        return IndexExpression(f"({self.text}) mod {operator.index(other)}")

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
        bounds = map(operator.index, (begin, end) if step == 1 else (begin, end, step))
        return IndexExpression(f"{self.text}({','.join(map(str, bounds))})")


def _combine(left: Any, symbol: str, right: Any) -> Any:
    """A coordinate if both sides are; else a value."""
    texts = []
    for side in (left, right):
        if isinstance(side, IndexExpression):
            texts.append(side.text)
        elif isinstance(side, numbers.Integral):
            texts.append(str(int(side)))
        else:
            return Expression.of(left)._with(symbol, right)
    if symbol == "*":
        texts = [text if text.isalnum() else f"({text})" for text in texts]
    elif symbol == "-" and not texts[1].isalnum():
        texts[1] = f"({texts[1]})"
    return IndexExpression(f"{texts[0]} {symbol} {texts[1]}")


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
    """A value in index notation: operands, and a text with places for their names."""

    __slots__ = ("accesses", "operands", "pattern")
    __module__ = "strata"
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        pattern: Sequence[Union[str, int]],
        operands: Sequence[Any],
        accesses: Sequence[tuple[int, tuple[str, ...]]] = (),
    ) -> None:
        #: Texts, and between them numbers of operands.
        self.pattern = tuple(pattern)
        self.operands = tuple(operands)
        #: The number of the operand and the indices of each access.
        self.accesses = tuple(accesses)

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

    def joined(self, operator: str, other: Any) -> "Expression":
        """Returns both values with an operator's text between them, in parentheses."""
        right = Expression.of(other)
        shift = len(self.operands)
        moved = [part + shift if isinstance(part, int) else part for part in right.pattern]
        accesses = [(number + shift, indices) for number, indices in right.accesses]
        return Expression(
            ["(", *self.pattern, operator, *moved, ")"],
            [*self.operands, *right.operands],
            [*self.accesses, *accesses],
        )

    def _with(self, operator: str, other: Any) -> "Expression":
        return self.joined(f" {operator} ", other)

    def _around(self, before: str) -> "Expression":
        return Expression([before, *self.pattern, ")"], self.operands, self.accesses)

    def applied(self, function: str, *others: Any) -> "Expression":
        """Returns a function of the language of this value, and of others:
        ``A[i, j].applied("exp")``, ``a[i].applied("mod", b[i])``."""
        result = self
        for other in others:
            result = result.joined(", ", other)
            result = Expression(result.pattern[1:-1], result.operands, result.accesses)
        return result._around(f"{function}(")

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
        return self._around("(-")

    def __abs__(self) -> "Expression":
        return self.applied("abs")

    def __bool__(self) -> bool:
        raise TypeError("a value in index notation is neither true nor false")

    def distinct_operands(self) -> tuple[tuple[Any, ...], tuple[int, ...]]:
        """The operands, tensors that occur several times once, and the number of each operand among
        them."""
        distinct: list[Any] = []
        places: list[int] = []
        for operand in self.operands:
            is_tensor = hasattr(operand, "_deferred")
            for number, one in enumerate(distinct if is_tensor else ()):
                if one is operand:
                    places.append(number)
                    break
            else:
                places.append(len(distinct))
                distinct.append(operand)
        return tuple(distinct), tuple(places)

    def written(self, places: Sequence[int]) -> str:
        """The value as statements write it, with T0, T1, ... for the operands."""
        parts = [f"T{places[part]}" if isinstance(part, int) else part for part in self.pattern]
        return "".join(parts)

    def __repr__(self) -> str:
        return f"<strata.Expression {self.written(self.distinct_operands()[1])}>"


class Access(Expression):
    """The elements of a tensor at index variables."""

    __slots__ = ()
    __module__ = "strata"

    def __init__(self, x: "Tensor", indices: tuple[str, ...]) -> None:
        self.pattern = (0, access("", indices))
        self.operands = (x,)
        self.accesses = ((0, indices),)

    def _accumulated(self, operator: str, value: Any) -> "Accumulation":
        return Accumulation(self, operator, Expression.of(value))

    def __iadd__(self, value: Any) -> "Accumulation":  # type: ignore[misc, unused-ignore]
        return self._accumulated("+", value)

    def __isub__(self, value: Any) -> "Accumulation":  # type: ignore[misc, unused-ignore]
        return self._accumulated("-", value)

    def __imul__(self, value: Any) -> "Accumulation":  # type: ignore[misc, unused-ignore]
        return self._accumulated("*", value)


class Accumulation(Expression):
    """A value that is combined with the elements that it is assigned to: ``C[i, k] += ...``. Used
    as a value, it is what they would become."""

    __slots__ = ("operator", "target", "value")
    __module__ = "strata"

    def __init__(self, target: Access, operator: str, value: Expression) -> None:
        whole = target._with(operator, value)
        super().__init__(whole.pattern, whole.operands, whole.accesses)
        self.target = target
        self.operator = operator
        self.value = value

    def is_of(self, x: "Tensor", indices: tuple[str, ...]) -> bool:
        """Whether it is combined with these elements."""
        return self.target.operands[0] is x and self.target.accesses[0][1] == indices


def is_access(key: Any) -> bool:
    """Whether a key has an index variable in it."""
    if type(key) is tuple:
        for item in key:
            if isinstance(item, IndexExpression):
                return True
        return False
    return isinstance(key, IndexExpression)


#: The indices of keys that have been met; index variables are compared as objects.
_indices: dict[Any, tuple[str, ...]] = {}


def indices_of(x: "Tensor", key: Any) -> tuple[str, ...]:
    """The indices of a key, one for each dimension, as statements write them."""
    try:
        indices = _indices.get(key)
    except TypeError:  # What has no hash is no index, either.
        indices = _read_indices(key)
    if indices is None:
        indices = _read_indices(key)
        plans.remember(_indices, key, indices)
    if len(indices) != x.ndim:
        raise ShapeError(f"{len(indices)} indices for a tensor of {x.ndim} dimensions")
    return indices


def _read_indices(key: Any) -> tuple[str, ...]:
    items = key if isinstance(key, tuple) else (key,)
    return tuple(map(_written, items))


def _written(item: Any) -> str:
    """An index as statements write it: an index variable or what is computed of some, or an integer."""
    if isinstance(item, IndexExpression):
        return item.text
    if not isinstance(item, numbers.Integral) or isinstance(item, bool):
        raise ExpressionError(f"{item!r} is no index beside index variables")
    return str(int(item))


def make_access(x: "Tensor", key: Any) -> Access:
    """Returns the elements of a tensor at index variables, as a value in index notation."""
    return Access(x, indices_of(x, key))


def sum(*variables_and_value: Any) -> Expression:
    """Returns the sum over index variables in index notation: ``st.sum(j, A[i, j])``.

    Args:
        variables_and_value: The index variables, then the value.
    """
    *variables, value = variables_and_value
    for variable in variables:
        if not isinstance(variable, IndexVar):
            raise ExpressionError(
                f"a {type(variable).__name__} is no index variable, over which a value is summed",
                "dimensions of a tensor are named by axis=",
            )
    listed = "".join(f"{variable.text}, " for variable in variables)
    expression = Expression.of(value)
    return expression._around(f"sum({listed}")
