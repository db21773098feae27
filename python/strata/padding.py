"""Tensors with a frame around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .conversion import asarray
from .errors import ArgumentError, DensifyError, ShapeError, UnsupportedError
from .fills import differing
from .listed import Listed, is_dense

if TYPE_CHECKING:
    from .tensors import Tensor


def pad(x: Any, pad_width: Any, mode: str = "constant", *, constant_values: Any = None) -> "Tensor":
    """Returns a tensor with more elements before and after all others along each dimension.

    >>> import strata as st
    >>> A = st.from_coo(([0], [1]), [2.0], (1, 2), "CSR")
    >>> st.pad(A, ((1, 0), (0, 1))).todense()
    array([[0., 0., 0.],
           [0., 2., 0.]])

    Args:
        x: A tensor, or what :func:`asarray` takes.
        pad_width: How many before and after, for each dimension; a pair for all; a number for both.
        mode: "constant".
        constant_values: The value of the new elements; None: that of a sparse tensor where it
            stores nothing, zero of a dense one.

    Raises:
        ShapeError: The widths do not fit the dimensions.
        DensifyError: The tensor is sparse, and the value is not the one that it does not store.
    """
    import numpy

    given = asarray(x)
    widths = _widths(pad_width, given.ndim)
    if mode != "constant":
        raise UnsupportedError(f"mode={mode!r} of pad", "tensors are padded with a constant")
    if not given.ndim:
        return given.copy()
    if is_dense(given):
        value = 0 if constant_values is None else constant_values
        return asarray(numpy.pad(given.to_numpy(), widths, constant_values=value))
    if constant_values is not None and differing(numpy.asarray(constant_values), given.fill).any():
        raise DensifyError(
            f"pad of a sparse tensor would be dense: {constant_values} is stored, not {given.fill}",
            "write st.pad(x.asformat('Dense'), ...)",
        )
    entries = Listed.of(given)
    coordinates = tuple(
        column.astype(numpy.int64) + before
        for column, (before, _) in zip(entries.coordinates, widths)
    )
    shape = tuple(before + size + after for size, (before, after) in zip(given.shape, widths))
    return entries._replace(coordinates=coordinates, shape=shape).tensor(given)


def _widths(pad_width: Any, order: int) -> list[tuple[int, int]]:
    """How many elements come before and after those of each dimension."""
    import numpy

    given = numpy.asarray(pad_width)
    if given.dtype.kind not in "iu":
        raise ArgumentError("widths are integers")
    try:
        spread = numpy.broadcast_to(given, (order, 2))
    except ValueError:
        raise ShapeError(
            f"widths of the shape {given.shape} for a tensor of {order} dimensions",
            "a pair for each dimension is needed, one for all, or a number",
        ) from None
    if (spread < 0).any():
        raise ArgumentError("widths are not negative")
    return [(int(before), int(after)) for before, after in spread]
