"""Several tensors as one, and one as several, by the names of the array API standard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence

from .axes import axis_of
from .conversion import asarray
from .data_types import result_type
from .errors import ArgumentError, DensifyError, ShapeError
from .fills import are_same
from .listed import Listed, check_dense, is_dense
from .manipulation import expand_dims, ravel, reshape

if TYPE_CHECKING:
    from .tensors import Tensor


def concat(arrays: Sequence[Any], /, *, axis: Optional[int] = 0) -> "Tensor":
    """Returns tensors that follow each other along a dimension.

    The result is sparse, in the format of the first one, if all are sparse; else it is dense.

    >>> import strata as st
    >>> st.concat([st.eye(2), st.eye(2)], axis=1).todense()
    array([[1., 0., 1., 0.],
           [0., 1., 0., 1.]])

    Args:
        arrays: Tensors, or what :func:`asarray` takes.
        axis: The dimension; None: the elements of all, row by row, as a vector.

    Raises:
        ShapeError: Their other dimensions differ in size.
        DensifyError: Sparse ones have different values where they store nothing, or are joined
            with dense ones to a result far larger than they are.
    """
    import numpy

    given = [asarray(one).gather() for one in arrays]
    if not given:
        raise ArgumentError("at least one tensor is needed")
    if axis is None:
        return concat([ravel(one) for one in given], axis=0)
    at = axis_of(axis, given[0].ndim)
    rests = [one.shape[:at] + one.shape[at + 1 :] for one in given]
    if any(rest != rests[0] or one.ndim != given[0].ndim for one, rest in zip(given, rests)):
        shapes = ", ".join(str(one.shape) for one in given)
        raise ShapeError(f"the shapes {shapes} do not fit along the dimension {axis}")
    dtype = result_type(*given)
    given = [one.astype(dtype, copy=False) for one in given]
    if any(map(is_dense, given)):
        check_dense(given, sum(one.size for one in given))
        arrays = [one.to_numpy(allow_dense=True) for one in given]
        return asarray(numpy.concatenate(arrays, at))
    lists = [Listed.of(one) for one in given]
    if not all(are_same(one.fill, lists[0].fill) for one in lists):
        raise DensifyError(
            "sparse tensors have different values where they store nothing",
            "asformat('Dense') makes one of them, and the result, dense",
        )
    starts = numpy.cumsum([0, *(one.shape[at] for one in given)])
    coordinates = [
        numpy.concatenate([one.coordinates[dimension] for one in lists])
        for dimension in range(given[0].ndim)
    ]
    coordinates[at] = numpy.concatenate(
        [one.coordinates[at].astype(numpy.int64) + start for one, start in zip(lists, starts)]
    )
    values = numpy.concatenate([one.values for one in lists])
    shape = (*given[0].shape[:at], int(starts[-1]), *given[0].shape[at + 1 :])
    return Listed(tuple(coordinates), values, shape, lists[0].fill).tensor(*given)


def stack(arrays: Sequence[Any], /, *, axis: int = 0) -> "Tensor":
    """Returns tensors of one shape that follow each other along a new dimension.

    Args:
        arrays: Tensors, or what :func:`asarray` takes.
        axis: Where the new dimension is in the result.
    """
    given = [asarray(one) for one in arrays]
    if any(one.shape != given[0].shape for one in given):
        raise ShapeError(f"the shapes {', '.join(str(one.shape) for one in given)} differ")
    return concat([expand_dims(one, axis) for one in given], axis=axis)


def unstack(x: Any, /, *, axis: int = 0) -> tuple["Tensor", ...]:
    """Returns the parts of a tensor at each coordinate of a dimension, which they lack."""
    given = asarray(x)
    at = axis_of(axis, given.ndim)
    if given.ndim == 2:
        return tuple(given if at == 0 else given.T)
    before = (slice(None),) * at
    return tuple(given[(*before, number)] for number in range(given.shape[at]))


def kron(x1: Any, x2: Any, /) -> "Tensor":
    """Returns the Kronecker product: blocks of the second tensor, each multiplied by an element of
    the first. It is sparse if one of them is zero where it stores nothing.

    Args:
        x1, x2: Tensors, or what :func:`asarray` takes; one with fewer dimensions gets new ones
            before all.
    """
    from .einsums import einsum
    left, right = asarray(x1), asarray(x2)
    order = max(left.ndim, right.ndim)
    if not order:
        return left * right
    left = reshape(left, (1,) * (order - left.ndim) + left.shape)
    right = reshape(right, (1,) * (order - right.ndim) + right.shape)
    first = [2 * at for at in range(order)]
    second = [2 * at + 1 for at in range(order)]
    product = einsum(left, first, right, second, list(range(2 * order)))
    shape = [one * two for one, two in zip(left.shape, right.shape)]
    found = reshape(product, shape)
    return found if order != 2 or is_dense(found) else _formatted_like(found, left, right)


def _formatted_like(x: "Tensor", *others: "Tensor") -> "Tensor":
    """A sparse tensor in the format of the first other that is sparse."""
    for other in others:
        if not is_dense(other):
            return x.asformat(other.format.without_places().without_widths())
    return x
