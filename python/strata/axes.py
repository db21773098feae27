"""Arguments that name dimensions."""

from __future__ import annotations

import operator
from typing import Any, Iterable, Sequence, Union

from .errors import ArgumentError, ShapeError

Axis = Union[None, int, Sequence[int]]


def axes_of(axis: Axis, order: int) -> tuple[int, ...]:
    """Returns the dimensions that an axis means, counted from 0, as they are given.

    Args:
        axis: A dimension, several, or None for all; negative ones are counted from the last.
        order: The number of dimensions.

    Raises:
        ShapeError: They are not different ones of so many dimensions.
    """
    if axis is None:
        return tuple(range(order))
    given: Any = axis if _is_several(axis) else (axis,)
    chosen = tuple(operator.index(one) for one in given)
    chosen = tuple(one + order if one < 0 else one for one in chosen)
    if any(not 0 <= one < order for one in chosen) or len(set(chosen)) < len(chosen):
        raise ShapeError(f"{axis} does not name different ones of {order} dimensions")
    return chosen


def integers_of(given: Any) -> tuple[int, ...]:
    """Returns the integers of an argument that is one, of Python or of NumPy, or several.

    Raises:
        ArgumentError: It is something else.
    """
    try:
        return tuple(map(operator.index, given if _is_several(given) else (given,)))
    except TypeError:
        raise ArgumentError(f"an integer is needed, or several, not {given!r}") from None


def _is_several(given: Any) -> bool:
    """Whether an argument is a sequence. (Arrays without dimensions only look like one.)"""
    return isinstance(given, Iterable) and getattr(given, "shape", None) != ()


def axis_of(axis: Any, order: int) -> int:
    """Returns the dimension that an axis means, counted from 0.

    Raises:
        ShapeError: It is none of so many dimensions.
    """
    number = operator.index(axis)
    if not -order <= number < order:
        raise ShapeError(f"{axis} is none of {order} dimensions")
    return number % order
