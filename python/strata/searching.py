"""Where elements are, and choices among elements, by the names of the array API standard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from . import dtypes, handles, statements
from .axes import axis_of
from .conversion import asarray
from .elements import combine, map_values
from .errors import ArgumentError, DTypeError, DensifyError, ShapeError
from .fills import differing
from .listed import Groups, Listed, is_dense, is_real
from .subscripts import access, index_names

if TYPE_CHECKING:
    from .tensors import Tensor


def argmax(x: Any, /, *, axis: Optional[int] = None, keepdims: bool = False) -> "Tensor":
    """Returns the coordinates of the greatest elements along a dimension, of the first among equals.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        axis: The dimension; None: all, the elements being counted row by row.
        keepdims: Whether the dimensions remain, with the size 1.

    Raises:
        ShapeError: There are no elements.
    """
    return _arg("max", asarray(x), axis, keepdims)


def argmin(x: Any, /, *, axis: Optional[int] = None, keepdims: bool = False) -> "Tensor":
    """Returns the coordinates of the least elements along a dimension. Arguments are those of
    :func:`argmax`."""
    return _arg("min", asarray(x), axis, keepdims)


def _arg(name: str, x: "Tensor", axis: Optional[int], keepdims: bool) -> "Tensor":
    import numpy

    if not is_real(x):
        raise DTypeError(f"complex numbers have no order, so no arg{name}")
    axes = tuple(range(x.ndim)) if axis is None else (axis_of(axis, x.ndim),)
    if any(not x.shape[at] for at in axes):
        raise ShapeError(f"the arg{name} of no elements has no value")
    if not is_dense(x):
        return _sparse_arg(name, x, axes, keepdims)
    function = {"max": numpy.argmax, "min": numpy.argmin}[name]
    found = numpy.asarray(function(x.to_numpy(), None if axis is None else axes[0]))
    if keepdims:
        found = found.reshape([1 if at in axes else size for at, size in enumerate(x.shape)])
    return asarray(found.astype(numpy.int64))


def _sparse_arg(name: str, x: "Tensor", axes: tuple[int, ...], keepdims: bool) -> "Tensor":
    """Compares the best entry of each fiber with the fill value of its first missing element."""
    import numpy

    entries = Listed.of(x)
    groups = Groups.of(entries, axes)
    positions = entries.numbers() if len(axes) == x.ndim else entries.coordinates[axes[0]]
    positions = positions[groups.order].astype(numpy.int64)
    values = entries.values[groups.order]
    if not len(values):
        return groups.tensor(positions, 0, axes, keepdims)
    best_of = {"max": numpy.maximum, "min": numpy.minimum}[name]
    best = best_of.reduceat(values, groups.starts)
    is_best = (values == groups.spread(best)) | (values != values)
    far = numpy.iinfo(numpy.int64).max
    found = numpy.minimum.reduceat(numpy.where(is_best, positions, far), groups.starts)
    gaps = numpy.where(positions != groups.ranks(), groups.ranks(), far)
    gap = numpy.minimum(numpy.minimum.reduceat(gaps, groups.starts), groups.counts)
    fill = values.dtype.type(entries.fill)
    is_nan = best != best  # the first NaN is the best element
    beats = ~is_nan & (best_of(best, fill) != best)
    equals = ~differing(best, fill) & (gap < found)
    found = numpy.where(groups.is_missing() & (beats | equals), gap, found)
    return groups.tensor(found, 0, axes, keepdims)


def nonzero(x: Any, /) -> tuple["Tensor", ...]:
    """Returns the coordinates of the elements that are not zero, along each dimension a vector.

    Args:
        x: A tensor, or what :func:`asarray` takes, of at least one dimension.

    Raises:
        DensifyError: It is sparse, and not zero where it stores nothing.
    """
    import numpy

    given = asarray(x)
    if not given.ndim:
        raise ShapeError("a scalar has no coordinates")
    if is_dense(given):
        return tuple(asarray(column) for column in numpy.nonzero(given.to_numpy()))
    if given.fill:
        raise DensifyError(
            f"the tensor is {given.fill} where it stores nothing: few elements are zero",
            "write st.nonzero(x.asformat('Dense'))",
        )
    entries = Listed.of(given)
    kept = entries.values != 0
    return tuple(asarray(column[kept].astype(numpy.int64)) for column in entries.coordinates)


def searchsorted(
    x1: Any, x2: Any, /, *, side: str = "left", sorter: Any = None
) -> "Tensor":
    """Returns where values would have to be inserted into a vector that is sorted.

    Args:
        x1: The vector.
        x2: The values. Of a sparse tensor, its fill value is looked up once.
        side: "left": before elements that are equal; "right": behind them.
        sorter: What :func:`argsort` returns of the vector, if it is not sorted.
    """
    import numpy

    if side not in ("left", "right"):
        raise ArgumentError(f'side is "left" or "right", not {side!r}')
    vector, values = asarray(x1), asarray(x2)
    if vector.ndim != 1:
        raise ShapeError(f"a vector is searched, not a tensor of {vector.ndim} dimensions")
    order: Any = None if sorter is None else asarray(sorter).to_numpy(allow_dense=True)
    entries = None if is_dense(vector) else Listed.of(vector)
    array = vector.to_numpy() if entries is None else numpy.sort(entries.values)
    order = order if entries is None else None
    search: Any = numpy.searchsorted

    def find(given: Any) -> Any:
        places = numpy.asarray(search(array, given, side, order), numpy.int64)
        if entries is not None:  # The elements that are not stored stand together.
            missing = entries.size - len(array)
            places = places + missing * search(array.dtype.type([entries.fill]), given, side)
        return places

    return map_values(find, values)


def where(condition: Any, x1: Any, x2: Any, /) -> "Tensor":
    """Returns the elements of one tensor where a condition holds, else those of another.

    Args:
        condition: A tensor of truth values.
        x1, x2: Tensors, numbers, or what :func:`asarray` takes. All three are broadcast.
    """
    import numpy

    chosen = asarray(condition)
    cores = statements.cores_of((x1, x2))
    given = [chosen, *map(handles.wrap, cores)]
    if any(not is_dense(one) for one in given):
        code = dtypes.promote(cores[0].format.type, cores[1].format.type)
        first, second = (one.astype(dtypes.NAMES[code], copy=False) for one in given[1:])
        return combine(numpy.where, chosen != 0, first, second)
    from .manipulation import broadcast_arrays

    given = list(broadcast_arrays(*given))
    names = index_names(given[0].ndim)
    accesses = [access(name, names) for name in "CAB"]
    text = f"{access('R', names)} = where({', '.join(accesses)})"
    return handles.wrap(statements.run(text, ("C", "A", "B"), [one._core for one in given]))
