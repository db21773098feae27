"""Reductions, cumulative sums and differences, by the names of the array API standard."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Optional, Union

from . import dtypes, handles, notation, reductions
from .axes import Axis, axes_of, axis_of
from .conversion import asarray
from .creation import tensor
from .errors import ShapeError
from .fills import are_same
from .functions import abs, sqrt, square
from .listed import Groups, Listed, code_of, is_dense, refuse_dense
from .manipulation import broadcast_to

if TYPE_CHECKING:
    from .tensors import Tensor


def sum(
    x: Any,
    /,
    *others: Any,
    axis: Axis = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> Any:
    """Returns the sums along dimensions: see :meth:`Tensor.sum`. In index notation, the sum over
    index variables, the last argument being its value: ``st.sum(j, A[i, j])``.

    Args:
        x: A tensor, or what :func:`asarray` takes; an index variable.
        others: Other index variables, and the value.
        axis: A dimension, several, or None for all.
        dtype: The element type; None: 64 bits for integers, else that of the tensor.
        keepdims: Whether the dimensions remain, with the size 1.
        initial: What each result begins with, a number; None: the value of no elements.
        where: Which elements take part: truth values that are broadcast, or a :class:`Mask`; None: all.

    >>> import strata as st
    >>> A = st.asarray([[0.0, 2.0, 5.0], [3.0, 0.0, 4.0]], format="CSR")
    >>> st.sum(A, axis=1, initial=10, where=A < 5).to_numpy()
    array([12., 17.])
    """
    if others or isinstance(x, notation.Expression):
        return notation.sum(x, *others)
    return asarray(x).sum(axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where)


def prod(
    x: Any,
    /,
    *,
    axis: Axis = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> "Tensor":
    """Returns the products along dimensions. Arguments are those of :func:`sum`."""
    return asarray(x).prod(axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where)


def max(
    x: Any,
    /,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> "Tensor":
    """Returns the greatest elements along dimensions. Arguments are those of :func:`sum`; of elements
    that ``where`` selects, ``initial`` is needed."""
    return asarray(x).max(axis, keepdims=keepdims, initial=initial, where=where)


def min(
    x: Any,
    /,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> "Tensor":
    """Returns the least elements along dimensions. Arguments are those of :func:`sum`; of elements
    that ``where`` selects, ``initial`` is needed."""
    return asarray(x).min(axis, keepdims=keepdims, initial=initial, where=where)


def any(
    x: Any, /, *, axis: Axis = None, keepdims: bool = False, where: Any = None
) -> "Tensor":
    """Returns whether any element is not zero. Arguments are those of :func:`sum`."""
    return asarray(x).any(axis, keepdims=keepdims, where=where)


def all(
    x: Any, /, *, axis: Axis = None, keepdims: bool = False, where: Any = None
) -> "Tensor":
    """Returns whether all elements are not zero. Arguments are those of :func:`sum`."""
    return asarray(x).all(axis, keepdims=keepdims, where=where)


def mean(
    x: Any, /, *, axis: Axis = None, keepdims: bool = False, where: Any = None
) -> "Tensor":
    """Returns the means along dimensions. Arguments are those of :func:`sum`."""
    return asarray(x).mean(axis, keepdims=keepdims, where=where)


def count_nonzero(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> "Tensor":
    """Returns how many elements are not zero. Arguments are those of :func:`sum`."""
    return (asarray(x) != 0).sum(axis, keepdims=keepdims)


# ---- Along one dimension, element by element ----


def cumulative_sum(
    x: Any,
    /,
    *,
    axis: Optional[int] = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> "Tensor":
    """Returns the sums of the elements up to each one along a dimension.

    Args:
        x: A dense tensor, or what :func:`asarray` takes.
        axis: The dimension; None: the only one.
        dtype: The element type; None: 64 bits for integers, else that of the tensor.
        include_initial: Whether the sum of no elements stands before all.

    Raises:
        DensifyError: The tensor is sparse: the sums behind an entry are not zero.
    """
    return _cumulative("sum", x, axis, dtype, include_initial)


def cumulative_prod(
    x: Any,
    /,
    *,
    axis: Optional[int] = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> "Tensor":
    """Returns the products of the elements up to each one along a dimension. Arguments are those of
    :func:`cumulative_sum`."""
    return _cumulative("prod", x, axis, dtype, include_initial)


def _cumulative(
    name: str, x: Any, axis: Optional[int], dtype: Any, include_initial: bool
) -> "Tensor":
    import numpy

    given = asarray(x)
    if axis is None and given.ndim != 1:
        raise ShapeError(f"axis= is needed for a tensor of {given.ndim} dimensions")
    at = axis_of(0 if axis is None else axis, given.ndim)
    if not is_dense(given):
        raise refuse_dense(f"cumulative_{name}", "what follows an entry is not zero")
    code = reductions.accumulator(code_of(given), dtype)
    chosen = given.dtype if code is None else dtypes.numpy_dtype(code)
    accumulate: Any = {"sum": numpy.cumsum, "prod": numpy.cumprod}[name]
    found = accumulate(given.to_numpy(), at, chosen)
    if include_initial:
        shape = (*given.shape[:at], 1, *given.shape[at + 1 :])
        initial = numpy.full(shape, 0 if name == "sum" else 1, chosen)
        found = numpy.concatenate([initial, found], at)
    return asarray(found)


def diff(
    x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None
) -> "Tensor":
    """Returns the differences of neighbours along a dimension, or differences of those.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        axis: The dimension.
        n: How often differences are taken.
        prepend, append: What stands before the first elements, and behind the last; a number stands
            before, or behind, all.
    """
    from .elementwise import not_equal, subtract
    from .joining import concat

    given = asarray(x)
    at = axis_of(axis, given.ndim)
    if n < 0:
        raise ShapeError(f"differences are taken at least 0 times, not {n}")
    if n and (prepend is not None or append is not None):
        parts = [one for one in (prepend, given, append) if one is not None]
        given = concat([_slice_of(one, given, at) for one in parts], axis=at)
    compute = not_equal if code_of(given) == dtypes.BOOL else subtract
    before = (slice(None),) * at
    for _ in range(n):
        given = compute(given[(*before, slice(1, None))], given[(*before, slice(None, -1))])
    return handles.wrap(given._core)


def _slice_of(x: Any, like: "Tensor", axis: int) -> "Tensor":
    """A tensor as it is, or a number in every element of a slice of another tensor. The slice is sparse
    if that tensor is, and does not store the number."""
    part = asarray(x)
    if part.ndim:
        return part
    shape = (*like.shape[:axis], 1, *like.shape[axis + 1 :])
    if is_dense(like) or not are_same(part.item(), like.fill):
        return broadcast_to(part, shape)
    return tensor(shape, like.format.without_places().without_widths(), dtype=part.dtype)
