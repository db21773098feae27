"""Arguments that name dimensions."""

from __future__ import annotations

import operator
from typing import Any, Iterable, Sequence, Union

from .errors import ShapeError

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
    given = tuple(axis) if isinstance(axis, Iterable) else (axis,)
    chosen = tuple(operator.index(one) for one in given)
    chosen = tuple(one + order if one < 0 else one for one in chosen)
    if any(not 0 <= one < order for one in chosen) or len(set(chosen)) < len(chosen):
        raise ShapeError(f"{axis} does not name different ones of {order} dimensions")
    return chosen


def axis_of(axis: Any, order: int) -> int:
    """Returns the dimension that an axis means, counted from 0.

    Raises:
        ShapeError: It is none of so many dimensions.
    """
    number = operator.index(axis)
    if not -order <= number < order:
        raise ShapeError(f"{axis} is none of {order} dimensions")
    return number % order
