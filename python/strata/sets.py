"""Distinct elements, by the names of the array API standard. Of sparse tensors, the fill value is
one of the elements if any is not stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from . import handles, statements
from .conversion import asarray
from .elements import map_values
from .listed import Listed, is_dense, refuse_dense
from .manipulation import reshape

if TYPE_CHECKING:
    from .tensors import Tensor


class UniqueAll(NamedTuple):
    """What :func:`unique_all` returns."""

    values: "Tensor"
    indices: "Tensor"
    inverse_indices: "Tensor"
    counts: "Tensor"


class UniqueCounts(NamedTuple):
    """What :func:`unique_counts` returns."""

    values: "Tensor"
    counts: "Tensor"


class UniqueInverse(NamedTuple):
    """What :func:`unique_inverse` returns."""

    values: "Tensor"
    inverse_indices: "Tensor"


class _Distinct(NamedTuple):
    """The distinct elements in order: of each its value, the number of the first element that has
    it, and how many have it; and for each element of a tensor which of them it is."""

    values: Any
    indices: Any
    inverse: Any
    counts: Any


def _distinct(x: "Tensor", equal_nan: bool = False) -> _Distinct:
    import numpy

    if is_dense(x):
        array = x.to_numpy()
        found = _unique(array.reshape(-1), equal_nan)
        return found._replace(inverse=asarray(found.inverse.reshape(array.shape)))
    entries = Listed.of(x)
    count = len(entries.values)
    missing = entries.size - count
    if not missing:
        found = _unique(entries.values, equal_nan)
        inverse = entries._replace(values=found.inverse, fill=0).tensor(x)
        return found._replace(indices=entries.numbers()[found.indices], inverse=inverse)
    if missing > 1 and entries.fill != entries.fill and not equal_nan:
        raise refuse_dense("unique", "each NaN is an element of its own", "x.asformat('Dense')")
    # The fill value stands for the elements that are not stored, the first of them.
    numbers = entries.numbers()
    gaps = numpy.flatnonzero(numbers != numpy.arange(count))
    gap = int(gaps[0]) if len(gaps) else count
    values = numpy.insert(entries.values, gap, entries.fill)
    numbers = numpy.insert(numbers, gap, gap)
    found = _unique(values, equal_nan)
    number_of_fill = int(found.inverse[gap])
    found.counts[number_of_fill] += missing - 1
    rest = entries._replace(values=numpy.delete(found.inverse, gap), fill=number_of_fill)
    return found._replace(indices=numbers[found.indices], inverse=rest.tensor(x))


def _unique(values: Any, equal_nan: bool) -> _Distinct:
    import numpy

    found = numpy.unique(
        values, return_index=True, return_inverse=True, return_counts=True, equal_nan=equal_nan
    )
    distinct, *rest = found
    indices, inverse, counts = (one.astype(numpy.int64) for one in rest)
    return _Distinct(distinct, indices, inverse.reshape(-1), counts)


def unique_all(x: Any, /) -> UniqueAll:
    """Returns the distinct elements in order; the numbers of the first elements that have them,
    counted row by row; for each element which of them it is; and how many elements have each.
    Elements that are NaN are all distinct.

    Args:
        x: A tensor, or what :func:`asarray` takes.
    """
    return unique_with(x, False)


def unique_with(x: Any, equal_nan: bool) -> UniqueAll:
    """Returns the same; ``equal_nan`` says whether elements that are NaN are one."""
    found = _distinct(asarray(x), equal_nan)
    return UniqueAll(
        asarray(found.values), asarray(found.indices), found.inverse, asarray(found.counts)
    )


def unique_counts(x: Any, /) -> UniqueCounts:
    """Returns the distinct elements in order, and how many elements have each."""
    found = _distinct(asarray(x))
    return UniqueCounts(asarray(found.values), asarray(found.counts))


def unique_inverse(x: Any, /) -> UniqueInverse:
    """Returns the distinct elements in order, and for each element which of them it is. The latter
    is sparse if the tensor is: where that stores nothing, it has the number of the fill value."""
    found = _distinct(asarray(x))
    return UniqueInverse(asarray(found.values), found.inverse)


def unique_values(x: Any, /) -> "Tensor":
    """Returns the distinct elements in order."""
    return asarray(_distinct(asarray(x)).values)


def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> "Tensor":
    """Returns whether each element of a tensor is among those of another.

    Args:
        x1: The elements that are looked up: a tensor, a number, or what :func:`asarray` takes.
        x2: Those among which they are.
        invert: Whether the answers are negated.
    """
    import numpy

    first, second = map(handles.wrap, statements.cores_of((x1, x2)))
    among = second.to_numpy() if is_dense(second) else _distinct(second).values
    return map_values(lambda values: numpy.isin(values, among, invert=invert), first)
