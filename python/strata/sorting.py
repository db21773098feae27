"""Sorted elements, by the names of the array API standard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .axes import axis_of
from .conversion import asarray
from .errors import DTypeError
from .listed import Groups, Listed, is_dense, is_real, refuse_dense

if TYPE_CHECKING:
    from .tensors import Tensor


def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> "Tensor":
    """Returns the elements in order along a dimension. Of a sparse tensor the entries are sorted:
    those on one side of the fill value stand first, the others last. Elements that are NaN stand behind all
    others in either order.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        axis: The dimension.
        descending: Whether the greatest stands first.
        stable: Whether equal elements keep their order; they do in any case.
    """
    import numpy

    given, at = _sortable(x, axis)
    if not is_dense(given):
        return _sparse_sort(given, at, descending)
    array = given.to_numpy()
    if not descending:
        return asarray(numpy.sort(array, at, kind="stable"))
    return asarray(numpy.take_along_axis(array, _descending(array, at), at))


def argsort(
    x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> "Tensor":
    """Returns the coordinates of the elements in their order along a dimension. Arguments are those
    of :func:`sort`.

    Raises:
        DensifyError: The tensor is sparse: each of its elements has a coordinate.
    """
    import numpy

    given, at = _sortable(x, axis)
    if not is_dense(given):
        raise refuse_dense("argsort", "each element has a coordinate")
    array = given.to_numpy()
    if not descending:
        return asarray(numpy.argsort(array, at, kind="stable").astype(numpy.int64))
    return asarray(_descending(array, at))


def _descending(array: Any, at: int) -> Any:
    """The coordinates of an array's elements along a dimension, the greatest first, and NaN last."""
    import numpy

    flipped = numpy.flip(numpy.argsort(numpy.flip(array, at), at, kind="stable"), at)
    found = (array.shape[at] - 1 - flipped).astype(numpy.int64)
    is_nan = array != array
    if not is_nan.any():
        return found
    behind = numpy.argsort(numpy.take_along_axis(is_nan, found, at), at, kind="stable")
    return numpy.take_along_axis(found, behind, at)


def _sortable(x: Any, axis: int) -> tuple["Tensor", int]:
    given = asarray(x)
    if not is_real(given):
        raise DTypeError("complex numbers have no order")
    return given, axis_of(axis, given.ndim)


def _sparse_sort(x: "Tensor", at: int, descending: bool) -> "Tensor":
    import numpy

    entries = Listed.of(x)
    groups = Groups.of(entries, (at,))
    values = entries.values[groups.order]
    group = groups.spread(numpy.arange(len(groups.starts)))
    order = numpy.lexsort((values, group))
    if descending:
        backwards = numpy.arange(len(group))[::-1]
        is_nan = (values != values)[order]
        order = order[numpy.lexsort((backwards, is_nan, group[order]))]
    values = values[order]
    ranks = groups.ranks()
    is_first = values > entries.fill if descending else values < entries.fill
    if entries.fill != entries.fill:  # NaN stands last
        is_first = values == values
    counts = groups.spread(groups.counts)
    places = numpy.where(is_first, ranks, x.shape[at] - counts + ranks)
    coordinates = [groups.spread(column) for column in groups.coordinates]
    coordinates.insert(at, places)
    return Listed(tuple(coordinates), values, x.shape, entries.fill).tensor(x)
