"""Tensors of other shapes with the same elements, by the names of the array API standard.

Those of dense tensors share their memory where NumPy's do. Those of sparse ones are made of their
entries.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

from . import handles, settings
from .axes import Axis, axes_of, axis_of, integers_of
from .conversion import asarray, refuse_copy
from .creation import to_shape
from .errors import ArgumentError, BoundsError, ShapeError
from .listed import Listed, coordinates_of, is_dense

if TYPE_CHECKING:
    from .tensors import Tensor


# ---- The same elements in the same order ----


def reshape(
    x: Any, /, shape: Union[int, Sequence[int]], *, copy: Optional[bool] = None
) -> "Tensor":
    """Returns the same elements, row by row, in another shape.

    >>> import strata as st
    >>> st.reshape(st.arange(6), (2, -1)).todense()
    array([[0, 1, 2],
           [3, 4, 5]])

    Args:
        x: A tensor, or what :func:`asarray` takes.
        shape: The sizes; one may be -1, and follows from the others.
        copy: True: always copy; False: never, as only dense tensors allow; None: if needed.

    Raises:
        ShapeError: The shape has another number of elements.
        CopyError: A copy is needed, and ``copy`` is False.
    """
    given = asarray(x)
    sizes = _reshaped(shape, given.size)
    if is_dense(given):
        array = given.to_numpy().reshape(sizes)
        if copy is False and array.size and not given.shares_memory(array):
            refuse_copy(copy, "elements that are not stored row by row")
        return asarray(array, copy=True if copy else None)
    if sizes == given.shape:
        return given.copy() if copy else handles.wrap(given._core)
    refuse_copy(copy, "another shape of a sparse tensor")
    entries = Listed.of(given)
    coordinates = coordinates_of(entries.numbers(), sizes)
    return entries._replace(coordinates=coordinates, shape=sizes).tensor(given)


def _reshaped(shape: Union[int, Sequence[int]], size: int) -> tuple[int, ...]:
    """The sizes of a shape of which one may be -1, for so many elements."""
    given = list(integers_of(shape))
    if given.count(-1) == 1:
        rest = math.prod(one for one in given if one != -1)
        if rest and size % rest == 0:
            given[given.index(-1)] = size // rest
    sizes = to_shape([one for one in given if one >= 0])
    if len(sizes) < len(given) or math.prod(sizes) != size:
        raise ShapeError(f"{size} elements do not have the shape {tuple(given)}")
    return sizes


def ravel(x: Any, /) -> "Tensor":
    """Returns all elements, row by row, as a vector."""
    return reshape(x, -1) if asarray(x).size else reshape(x, 0)


def squeeze(x: Any, /, axis: Axis) -> "Tensor":
    """Returns a tensor without dimensions of size 1.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        axis: The dimension, or several.

    Raises:
        ShapeError: One of them has another size.
    """
    given = asarray(x)
    axes = axes_of(axis, given.ndim)
    if any(given.shape[one] != 1 for one in axes):
        raise ShapeError(f"the sizes {given.shape} are not all 1 along the dimensions {axis}")
    return reshape(given, [size for at, size in enumerate(given.shape) if at not in axes])


def expand_dims(x: Any, /, axis: Union[int, Sequence[int]]) -> "Tensor":
    """Returns a tensor with new dimensions of size 1.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        axis: Where the new dimension is in the result, or where several are.

    Raises:
        BoundsError: The result has no such dimension.
    """
    given = asarray(x)
    order = given.ndim + len(integers_of(axis))
    try:
        axes = axes_of(axis, order)
    except ShapeError as error:
        raise BoundsError(str(error)) from None
    sizes = iter(given.shape)
    return reshape(given, [1 if at in axes else next(sizes) for at in range(order)])


# ---- Other orders ----


def permute_dims(x: Any, /, axes: Sequence[int]) -> "Tensor":
    """Returns a tensor with permuted dimensions: see :meth:`Tensor.transpose`."""
    given = asarray(x)
    return handles.wrap(given._core) if not given.ndim and not axes else given.transpose(axes)


def matrix_transpose(x: Any, /) -> "Tensor":
    """Returns a matrix, or a stack of them, with the last two dimensions exchanged."""
    return asarray(x).mT


def moveaxis(x: Any, source: Axis, destination: Axis, /) -> "Tensor":
    """Returns a tensor of which some dimensions stand elsewhere; the others stay in their order.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        source: The dimension, or several.
        destination: Where they are in the result.
    """
    given = asarray(x)
    order = given.ndim
    old, new = axes_of(source, order), axes_of(destination, order)
    if len(old) != len(new):
        raise ShapeError(f"{len(old)} dimensions do not become {len(new)}")
    moved = dict(zip(new, old))
    rest = iter([at for at in range(order) if at not in old])
    return permute_dims(given, [moved[at] if at in moved else next(rest) for at in range(order)])


def swapped(x: Any, axis1: int, axis2: int) -> "Tensor":
    """Returns a tensor with two dimensions exchanged."""
    given = asarray(x)
    axes = list(range(given.ndim))
    one, two = axis_of(axis1, given.ndim), axis_of(axis2, given.ndim)
    axes[one], axes[two] = two, one
    return given.transpose(axes)


def flip(x: Any, /, *, axis: Axis = None) -> "Tensor":
    """Returns a tensor with the elements in the other order along a dimension, several, or all."""
    given = asarray(x)
    axes = axes_of(axis, given.ndim)
    key = tuple(slice(None, None, -1 if at in axes else None) for at in range(given.ndim))
    return handles.wrap(given[key]._core)


def roll(x: Any, /, shift: Union[int, Sequence[int]], *, axis: Axis = None) -> "Tensor":
    """Returns a tensor whose elements have moved along dimensions; what leaves the end comes in at
    the beginning.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        shift: How far; one number for each dimension, or one for all.
        axis: The dimension, or several; None: the elements move row by row.
    """
    given = asarray(x)
    if axis is None:
        return reshape(roll(ravel(given), shift, axis=0), given.shape)
    axes, shifts = integers_of(axis), integers_of(shift)
    if len(shifts) == 1:
        shifts *= len(axes)
    if len(shifts) != len(axes):
        raise ArgumentError(f"{len(shifts)} shifts for {len(axes)} dimensions")
    if is_dense(given):
        import numpy

        chosen = [axis_of(one, given.ndim) for one in axes]
        return asarray(numpy.roll(given.to_numpy(), shifts, chosen))
    entries = Listed.of(given)
    coordinates = list(entries.coordinates)
    for one, by in zip(axes, shifts):
        at = axis_of(one, given.ndim)
        size = given.shape[at]
        if size:
            moved = coordinates[at].astype("int64") - (size - by % size)
            coordinates[at] = moved + size * (moved < 0)
    return entries._replace(coordinates=tuple(coordinates)).tensor(given)


# ---- Repeated elements ----


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """Returns the shape to which tensors of some shapes are broadcast.

    Raises:
        ShapeError: They do not fit each other.
    """
    found: list[int] = []
    for shape in shapes:
        sizes = list(to_shape(shape))
        longest = max(len(sizes), len(found))
        found = [1] * (longest - len(found)) + found
        for at, size in enumerate(sizes, longest - len(sizes)):
            if size != found[at] and 1 not in (size, found[at]):
                raise ShapeError(f"the shapes {', '.join(map(str, shapes))} do not fit each other")
            found[at] = size if found[at] == 1 else found[at]
    return tuple(found)


def broadcast_to(x: Any, /, shape: Sequence[int]) -> "Tensor":
    """Returns a tensor whose dimensions of size 1, and new ones before all, are repeated.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        shape: The sizes of the result.

    Raises:
        ShapeError: The tensor cannot be broadcast to them.
    """
    given = asarray(x)
    sizes = to_shape(shape)
    if broadcast_shapes(given.shape, sizes) != sizes:
        raise ShapeError(f"the shape {given.shape} is not broadcast to {sizes}")
    if sizes == given.shape:
        return handles.wrap(given._core)
    if is_dense(given):
        import numpy

        return asarray(numpy.broadcast_to(given.to_numpy(), sizes))
    widened = reshape(given, (1,) * (len(sizes) - given.ndim) + given.shape)
    copies = [new if old == 1 else 1 for old, new in zip(widened.shape, sizes)]
    return _tiled(widened, copies)


def broadcast_arrays(*arrays: Any) -> tuple["Tensor", ...]:
    """Returns tensors that are broadcast to one shape."""
    given = [asarray(one) for one in arrays]
    shape = broadcast_shapes(*(one.shape for one in given))
    return tuple(broadcast_to(one, shape) for one in given)


def meshgrid(*arrays: Any, indexing: str = "xy") -> tuple["Tensor", ...]:
    """Returns the coordinates of the points of a grid, one tensor for each dimension.

    Args:
        arrays: The coordinates along each dimension, vectors.
        indexing: "ij": the dimensions are those of the result; "xy": the first two are exchanged.
    """
    if indexing not in ("xy", "ij"):
        raise ArgumentError(f'indexing is "xy" or "ij", not {indexing!r}')
    given = [asarray(one) for one in arrays]
    order = len(given)
    axes = list(range(order))
    if indexing == "xy" and order > 1:
        axes[:2] = 1, 0
    shaped = [
        reshape(one, [one.size if at == axis else 1 for at in range(order)])
        for one, axis in zip(given, axes)
    ]
    return broadcast_arrays(*shaped)


def tile(x: Any, repetitions: Sequence[int], /) -> "Tensor":
    """Returns a tensor that is repeated as a whole, so many times along each dimension."""
    given = asarray(x)
    copies = to_shape(repetitions)
    if is_dense(given):
        import numpy

        return asarray(numpy.tile(given.to_numpy(), copies))
    order = max(given.ndim, len(copies))
    widened = reshape(given, (1,) * (order - given.ndim) + given.shape)
    return _tiled(widened, (1,) * (order - len(copies)) + copies)


def _tiled(x: "Tensor", copies: Sequence[int]) -> "Tensor":
    """Repeats the entries of a sparse tensor, so many times along each dimension."""
    import numpy

    entries = Listed.of(x)
    shape = tuple(size * copy for size, copy in zip(x.shape, copies))
    count = len(entries.values)
    if not count:
        return entries._replace(shape=shape).tensor(x)
    total = math.prod(copies)
    _check_repeated(entries, total * count)
    offsets = numpy.indices(tuple(copies)).reshape(len(copies), total)
    coordinates = tuple(
        (column.astype(numpy.int64) + size * offset[:, None]).reshape(total * count)
        for column, size, offset in zip(entries.coordinates, x.shape, offsets)
    )
    values = numpy.tile(entries.values, total)
    return Listed(coordinates, values, shape, entries.fill).tensor(x)


def _check_repeated(entries: Listed, count: int) -> None:
    """Raises OutOfMemory if there is none for so many entries of such a list."""
    each = 8 * len(entries.shape) + int(entries.values.itemsize)
    settings.check_memory(count * each, f"storing {count} elements")


def repeat(x: Any, repeats: Any, /, *, axis: Optional[int] = None) -> "Tensor":
    """Returns a tensor in which each element is repeated.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        repeats: How many times; one number, or one for each coordinate of the dimension.
        axis: The dimension; None: the elements row by row, as a vector.

    Raises:
        ShapeError: There are as many numbers as neither one nor the coordinates.
    """
    import numpy

    given = asarray(x)
    if axis is None:
        return repeat(ravel(given), repeats, axis=0)
    at = axis_of(axis, given.ndim)
    times = asarray(repeats).todense()
    if times.ndim > 1 or times.size not in (1, given.shape[at]):
        raise ShapeError(f"{times.size} numbers of repetitions for {given.shape[at]} coordinates")
    if not times.size:
        times = times.astype(numpy.int64)
    if times.dtype.kind not in "iub" or (times < 0).any():
        raise ArgumentError("numbers of repetitions are integers that are not negative")
    if is_dense(given):
        return asarray(numpy.repeat(given.to_numpy(), times, at))
    entries = Listed.of(given)
    column = entries.coordinates[at].astype(numpy.int64)
    if times.size == 1:
        counts = numpy.full(len(column), times.item())
        first, size = column * times.item(), given.shape[at] * times.item()
    else:
        ends = numpy.cumsum(times)
        counts, first, size = times[column], (ends - times)[column], int(times.sum())
    _check_repeated(entries, int(counts.sum(dtype=float)))
    chosen = numpy.repeat(numpy.arange(len(column)), counts)
    within = numpy.arange(len(chosen)) - numpy.repeat(numpy.cumsum(counts) - counts, counts)
    coordinates = [one[chosen] for one in entries.coordinates]
    coordinates[at] = first[chosen] + within
    shape = (*given.shape[:at], size, *given.shape[at + 1 :])
    return Listed(tuple(coordinates), entries.values[chosen], shape, entries.fill).tensor(given)
