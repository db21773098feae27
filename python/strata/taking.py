"""Elements at coordinates, and diagonals, by the names of the array API standard and of NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from . import handles
from .axes import axis_of
from .conversion import asarray
from .errors import DTypeError, ShapeError
from .fills import differing
from .listed import Listed, is_dense
from .manipulation import broadcast_shapes, broadcast_to, ravel
from .selections import listed_coordinates

if TYPE_CHECKING:
    from .tensors import Tensor


def take(x: Any, indices: Any, /, *, axis: Optional[int] = None) -> "Tensor":
    """Returns the parts of a tensor at some coordinates of a dimension.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        indices: The coordinates, in any order and repeated at will; negative ones are counted from
            the end.
        axis: The dimension; None: the elements are counted row by row.

    Raises:
        BoundsError: A coordinate is outside.
    """
    given = asarray(x)
    chosen = _integers(indices)
    if axis is None and given.ndim != 1:
        given = ravel(given)
    at = axis_of(0 if axis is None else axis, given.ndim)
    found: "Tensor" = given[(*(slice(None),) * at, chosen)]
    return found


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> "Tensor":
    """Returns elements at coordinates of a dimension that differ along the others.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        indices: The coordinates. Their shape is that of the tensor but for this dimension, or is
            broadcast to it.
        axis: The dimension.

    Raises:
        BoundsError: A coordinate is outside.
        ShapeError: The shapes do not fit each other.
    """
    import numpy

    given = asarray(x)
    chosen = _integers(indices)
    if chosen.ndim != given.ndim:
        raise ShapeError(f"{chosen.ndim} dimensions of coordinates for {given.ndim}")
    at = axis_of(axis, given.ndim)
    rests = [shape[:at] + (1,) + shape[at + 1 :] for shape in (given.shape, chosen.shape)]
    rest = broadcast_shapes(*rests)
    given = broadcast_to(given, (*rest[:at], given.shape[at], *rest[at + 1 :]))
    shape = (*rest[:at], chosen.shape[at], *rest[at + 1 :])
    grid = list(numpy.ogrid[tuple(map(slice, shape))])
    grid[at] = numpy.broadcast_to(chosen, shape)
    found: "Tensor" = given[tuple(grid)]
    return found


def _integers(indices: Any) -> Any:
    """Coordinates as an array of NumPy."""
    given = asarray(indices)
    if given.dtype.kind not in "iu" and given.size:
        raise DTypeError(f"coordinates are integers, not {given.dtype}")
    return listed_coordinates(given)


def diagonal(x: Any, /, *, offset: int = 0) -> "Tensor":
    """Returns the diagonals of a matrix, or of a stack of them; sparse ones of a sparse tensor.

    Args:
        x: A tensor, or what :func:`asarray` takes, of at least two dimensions. The matrices lie
            along the last two.
        offset: Which diagonal; positive ones lie above the main diagonal.
    """
    import numpy

    given = asarray(x)
    if given.ndim < 2:
        raise ShapeError(f"a tensor of {given.ndim} dimensions has no diagonal")
    if is_dense(given):
        return asarray(numpy.diagonal(given.to_numpy(), offset, -2, -1))
    entries = Listed.of(given)
    *rest, i, j = entries.coordinates
    rows, columns = given.shape[-2:]
    first = max(0, -offset)
    size = max(0, min(rows - first, columns - max(0, offset)))
    is_on = j - i.astype(numpy.int64) == offset
    coordinates = (*(column[is_on] for column in rest), i[is_on] - first)
    shape = (*given.shape[:-2], size)
    return Listed(coordinates, entries.values[is_on], shape, entries.fill).tensor(given)


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> "Tensor":
    """Returns the sums of diagonals of a matrix, or of a stack of them.

    Args:
        x, offset: As :func:`diagonal` takes them.
        dtype: The element type; None: 64 bits for integers, else that of the tensor.
    """
    return diagonal(x, offset=offset).sum(-1, dtype=dtype)


def eliminate_zeros(x: Any, /) -> "Tensor":
    """Returns a tensor that stores no element which has the fill value, in the same format.

    >>> import strata as st
    >>> A = st.from_coo(([0, 1], [0, 1]), [0.0, 2.0], (2, 2), "CSR")
    >>> A.nnz, st.eliminate_zeros(A).nnz
    (2, 1)

    Args:
        x: A tensor, or what :func:`asarray` takes. A dense one stays as it is.
    """
    given = asarray(x)
    if is_dense(given):
        return handles.wrap(given._core)
    entries = Listed.of(given)
    kept = differing(entries.values, entries.fill)
    if given.machine is None and kept.all() and given.nnz == len(kept):
        return handles.wrap(given._core)
    coordinates = tuple(column[kept] for column in entries.coordinates)
    return entries._replace(coordinates=coordinates, values=entries.values[kept]).tensor(given)
