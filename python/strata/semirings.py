"""Semirings: what adds and what multiplies in place of + and *."""

from __future__ import annotations

from typing import Any, Union

from .errors import ExpressionError

#: Monoids, which add, by their names in GraphBLAS.
_ADDITIONS = "plus times min max any lor land lxor".split()

#: Operators, which multiply.
_MULTIPLICATIONS = (
    "plus minus times div min max first second pair pow eq ne lt le gt ge lor land lxor any".split()
)

_SYNONYMS = {"or": "lor", "and": "land", "xor": "lxor", "oneb": "pair", "truediv": "div"}


class Semiring:
    """A semiring by its name in GraphBLAS, the addition and the multiplication: ``min_plus``.

    It combines entries, not values: what a sparse operand does not store is no operand. An element
    without any term is not stored in a sparse result, and holds the identity of the addition in a
    dense one. Called with two values of index notation, it multiplies them; the indices that the
    left side lacks are reduced by the addition.

    >>> import strata as st
    >>> A = st.from_coo(([0, 1], [1, 2]), [2.0, 3.0], (3, 3), "CSR")
    >>> shortest = st.Semiring("min_plus")
    >>> D = st.tensor((3, 3), "CSR")
    >>> i, j, k = st.get_index_vars(3)
    >>> D[i, k] = shortest(A[i, j], A[j, k])
    >>> D.todense()
    array([[0., 0., 5.],
           [0., 0., 0.],
           [0., 0., 0.]])

    Args:
        name: One of plus, times, min, max, any, lor, land and lxor; ``_``; and one of those, minus,
            div, first, second, pair (1 where both have an entry), pow, eq, ne, lt, le, gt and ge.

    Raises:
        ExpressionError: There is no such semiring.
    """

    __slots__ = ("add", "multiply")
    __module__ = "strata"

    def __init__(self, name: str) -> None:
        add, _, multiply = name.partition("_")
        #: The name of the addition.
        self.add = _SYNONYMS.get(add, add)
        #: The name of the multiplication.
        self.multiply = _SYNONYMS.get(multiply, multiply)
        if self.add not in _ADDITIONS or self.multiply not in _MULTIPLICATIONS:
            raise ExpressionError(
                f"'{name}' is no semiring",
                f"one of {', '.join(_ADDITIONS)} adds, one of "
                f"{', '.join(_MULTIPLICATIONS)} multiplies: min_plus",
            )

    @classmethod
    def of(cls, value: Union[str, "Semiring"]) -> "Semiring":
        """Returns the semiring that a user gives, by its name or as it is."""
        return value if isinstance(value, Semiring) else cls(value)

    @property
    def name(self) -> str:
        """The names of the addition and the multiplication, between them an underscore."""
        return f"{self.add}_{self.multiply}"

    def product(self, factors: list[str]) -> str:
        """The product of values as statements write it. A single one is only added up."""
        if len(factors) == 1:
            return f"{factors[0]} @({self.add},first) 1"
        return f" @({self.add},{self.multiply}) ".join(factors)

    def __call__(self, left: Any, right: Any) -> Any:
        """Returns the product of two values in index notation."""
        from .notation import Expression

        return Expression.of(left).joined(f" @({self.add},{self.multiply}) ", right)

    def __eq__(self, other: object) -> bool:
        return self.name == other.name if isinstance(other, Semiring) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"strata.Semiring({self.name!r})"
