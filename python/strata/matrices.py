"""Diagonals and triangles of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

from . import dtypes, hypersparse
from .conversion import asarray, check_device
from .creation import from_coo
from .errors import ShapeError
from .formats import Format
from .listed import Listed, check_dense, is_dense
from .taking import diagonal

if TYPE_CHECKING:
    from .tensors import Tensor


def eye(
    rows: int,
    columns: Optional[int] = None,
    k: int = 0,
    format: Union[str, Format] = "CSR",
    *,
    dtype: Any = None,
    device: Any = None,
) -> "Tensor":
    """Returns a matrix with ones on a diagonal.

    Args:
        rows, columns: The sizes; a square matrix if ``columns`` is left out.
        k: Which diagonal; positive ones lie above the main diagonal.
        format: The format.
        dtype: The element type; None: float64.
        device: "cpu" or None.
    """
    import numpy

    check_device(device)
    width = rows if columns is None else columns
    first = max(0, -k)
    count = max(0, min(rows - first, width - max(0, k)))
    i = numpy.arange(first, first + count) if count else numpy.empty(0, numpy.int64)
    values = numpy.ones(count, dtypes.numpy_dtype(dtypes.code_of(float if dtype is None else dtype)))
    j = i + k if count else i
    return from_coo((i, j), values, (rows, width), format)


def diag(x: Any, k: int = 0, format: Union[str, Format, None] = None) -> "Tensor":
    """Returns a matrix with a vector on a diagonal, or the vector on a diagonal of a matrix.

    >>> import strata as st
    >>> st.diag([1.0, 2.0]).todense()
    array([[1., 0.],
           [0., 2.]])
    >>> st.diag(st.diag([1.0, 2.0], 1), 1).todense()
    array([1., 2.])

    Args:
        x: A vector or a matrix: a tensor, or what :func:`asarray` makes one of.
        k: Which diagonal; positive ones lie above the main diagonal.
        format: The format of the result; None: CSR for a matrix, or COO if it has many more rows than
            entries; a vector is sparse if ``x`` is.

    Raises:
        ShapeError: ``x`` is neither a vector nor a matrix.
    """
    given = asarray(x)
    if given.ndim == 1:
        size = given.shape[0] + abs(k)
        at, values = _elements(given)
        coordinates = (at + max(0, -k), at + max(0, k))
        few = size > hypersparse.MOST_PER_ENTRY * max(len(values), 1)
        return from_coo(coordinates, values, (size, size), format or ("COO" if few else "CSR"))
    if given.ndim != 2:
        raise ShapeError(f"a tensor of {given.ndim} dimensions has no diagonal")
    found = diagonal(given, offset=k)
    return found if format is None else found.asformat(format)


def _elements(vector: "Tensor") -> tuple[Any, Any]:
    """The coordinates and values of a vector's elements; of one that is sparse, of what it stores."""
    import numpy

    if is_dense(vector) or vector.fill:
        values = vector.todense()
        return numpy.arange(len(values)), values
    entries = Listed.of(vector)
    return entries.coordinates[0].astype(numpy.int64), entries.values


def tril(x: Any, /, k: int = 0) -> "Tensor":
    """Returns the lower triangle: the elements on a diagonal and below it, in the same format.

    Args:
        x: A matrix, or a stack of them: a tensor, or what :func:`asarray` makes one of.
        k: The diagonal; positive ones lie above the main diagonal.

    Raises:
        ShapeError: It has less than two dimensions.
        DensifyError: It is sparse and large, and not zero where it stores nothing.
    """
    return _triangle(x, k, -1)


def triu(x: Any, /, k: int = 0) -> "Tensor":
    """Returns the upper triangle: the elements on a diagonal and above it, in the same format.

    Args:
        x: A matrix, or a stack of them: a tensor, or what :func:`asarray` makes one of.
        k: The diagonal; positive ones lie above the main diagonal.

    Raises:
        ShapeError: It has less than two dimensions.
        DensifyError: It is sparse and large, and not zero where it stores nothing.
    """
    return _triangle(x, k, 1)


def _triangle(x: Any, k: int, side: int) -> "Tensor":
    import numpy

    given = asarray(x).gather()
    if given.ndim < 2:
        raise ShapeError(f"a tensor of {given.ndim} dimensions has no triangle")
    format = given.format.without_places().without_widths()
    if is_dense(given) or given.fill:
        check_dense([given], given.size)
        cut = numpy.tril if side < 0 else numpy.triu
        return asarray(cut(given.todense(), k)).asformat(format)
    entries = Listed.of(given)
    distance = entries.coordinates[-1] - entries.coordinates[-2]
    inside = distance <= k if side < 0 else distance >= k
    kept = tuple(column[inside] for column in entries.coordinates)
    return from_coo(kept, entries.values[inside], given.shape, format)
