"""Reductions that leave out what is not a number, by NumPy's names."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any, Optional, Union

from . import dtypes
from .axes import Axis, axes_of
from .conversion import asarray
from .elements import map_values
from .errors import ArgumentError, ShapeError
from .functions import isnan, sqrt
from .listed import check_dense, code_of
from .masked_reductions import number_of
from .reductions import is_everything
from .searching import argmax, argmin
from .searching import where as choose
from .variances import narrowed, variances

if TYPE_CHECKING:
    from .tensors import Tensor


def nansum(
    x: Any,
    /,
    *,
    axis: Axis = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> "Tensor":
    """Returns the sums along dimensions without the elements that are NaN. Arguments are those of
    :func:`sum`.

    >>> import strata as st
    >>> A = st.from_coo(([0, 1, 1], [1, 0, 2]), [2.0, st.nan, 4.0], (2, 3), "CSR")
    >>> st.nansum(A, axis=1).to_numpy()
    array([2., 4.])
    """
    return _with(x, 0).sum(axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where)


def nanprod(
    x: Any,
    /,
    *,
    axis: Axis = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> "Tensor":
    """Returns the products along dimensions without the elements that are NaN. Arguments are those
    of :func:`sum`."""
    return _with(x, 1).prod(axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where)


def nanmean(
    x: Any,
    /,
    *,
    axis: Axis = None,
    dtype: Any = None,
    keepdims: bool = False,
    where: Any = None,
) -> "Tensor":
    """Returns the means along dimensions of the elements that are not NaN; NaN where there are
    none, with a warning. Arguments are those of :func:`sum`."""
    given = asarray(x)
    if not _has_nan(given):
        return given.mean(axis, dtype=dtype, keepdims=keepdims, where=where)
    counts = _count(given, axis, keepdims, where)
    is_half = dtype is None and code_of(given) in dtypes.HALVES
    total = nansum(
        given, axis=axis, dtype="float32" if is_half else dtype, keepdims=keepdims, where=where
    )
    if bool((counts == 0).any()):
        warnings.warn("Mean of empty slice", RuntimeWarning, stacklevel=2)
        if not is_everything(where):  # (The quotient of two elements that are not stored is zero.)
            check_dense([given, total], total.size)
            total = total.asformat("Dense")
    mean = total / counts.astype(total.dtype)
    return mean.astype(given.dtype) if is_half else mean


def nanmax(
    x: Any,
    /,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> "Tensor":
    """Returns the greatest elements along dimensions that are not NaN; NaN where there are none,
    with a warning. Arguments are those of :func:`max`."""
    return _extreme(x, "max", -math.inf, axis, keepdims, initial, where)


def nanmin(
    x: Any,
    /,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> "Tensor":
    """Returns the least elements along dimensions that are not NaN; NaN where there are none, with
    a warning. Arguments are those of :func:`max`."""
    return _extreme(x, "min", math.inf, axis, keepdims, initial, where)


def nanvar(
    x: Any,
    /,
    *,
    axis: Axis = None,
    correction: Union[int, float] = 0.0,
    keepdims: bool = False,
    where: Any = None,
) -> "Tensor":
    """Returns the variances along dimensions of the elements that are not NaN; NaN where these are no more
    than the correction, with a warning. Arguments are those of :func:`var`.

    >>> import strata as st
    >>> A = st.from_coo(([0, 0, 1], [0, 1, 2]), [2.0, st.nan, 6.0], (2, 3), "CSR")
    >>> st.nanvar(A, axis=1).to_numpy()
    array([1., 8.])
    """
    given = asarray(x)
    return narrowed(_variances(given, axis, correction, keepdims, where), given)


def nanstd(
    x: Any,
    /,
    *,
    axis: Axis = None,
    correction: Union[int, float] = 0.0,
    keepdims: bool = False,
    where: Any = None,
) -> "Tensor":
    """Returns the standard deviations along dimensions of the elements that are not NaN. Arguments are
    those of :func:`nanvar`."""
    given = asarray(x)
    return narrowed(sqrt(_variances(given, axis, correction, keepdims, where)), given)


def _variances(
    x: "Tensor", axis: Axis, correction: Union[int, float], keepdims: bool, where: Any
) -> "Tensor":
    """The variances without NaN, which only floating-point numbers can be."""
    return variances(x, axis, correction, keepdims, where, skips_nan=_may_be_nan(x))


def nanargmax(x: Any, /, *, axis: Optional[int] = None, keepdims: bool = False) -> "Tensor":
    """Returns the coordinates of the greatest elements along a dimension that are not NaN. Arguments are
    those of :func:`argmax`.

    Raises:
        ArgumentError: All elements of a result are NaN.
    """
    return _arg(x, argmax, -math.inf, axis, keepdims)


def nanargmin(x: Any, /, *, axis: Optional[int] = None, keepdims: bool = False) -> "Tensor":
    """Returns the coordinates of the least elements along a dimension that are not NaN. Arguments are
    those of :func:`nanargmax`."""
    return _arg(x, argmin, math.inf, axis, keepdims)


def _may_be_nan(x: "Tensor") -> bool:
    """Whether a tensor's element type has NaN."""
    return dtypes.kind_of(code_of(x)) >= dtypes.kind_of(dtypes.FLOAT64)


def _has_nan(x: "Tensor") -> bool:
    """Whether an element is NaN, stored or not."""
    return _may_be_nan(x) and bool(isnan(x).any())


def _with(x: Any, number: float) -> "Tensor":
    """A tensor with a number in place of each element that is NaN."""
    import numpy

    given = asarray(x)
    if not _has_nan(given):
        return given

    def replace(values: Any) -> Any:
        return numpy.where(numpy.isnan(values), values.dtype.type(number), values)

    return map_values(replace, given)


def _count(x: "Tensor", axis: Axis, keepdims: bool, where: Any = None) -> "Tensor":
    """How many elements along dimensions are not NaN, of those that a mask selects."""
    if not is_everything(where):
        return (~isnan(x)).sum(axis, keepdims=keepdims, where=where)
    extent = math.prod(x.shape[one] for one in axes_of(axis, x.ndim))
    missing = isnan(x).sum(axis, keepdims=keepdims)
    return extent - missing if extent < 2**63 else float(extent) - missing.astype("float64")


def _extreme(
    x: Any, name: str, neutral: float, axis: Axis, keepdims: bool, initial: Any, where: Any
) -> "Tensor":
    given = asarray(x)
    begins = initial is not None
    if begins and _may_be_nan(given):
        # A result that begins with NaN begins with nothing.
        start = number_of(initial, code_of(given)).to_numpy()
        begins, initial = bool(start == start), start.item() if start == start else neutral
    elif not begins and is_everything(where):
        if not math.prod(given.shape[one] for one in axes_of(axis, given.ndim)):
            raise ShapeError(f"the {name} of no elements has no value", "initial= gives one")
    reduce = getattr(_with(given, neutral), name)
    found: "Tensor" = reduce(axis, keepdims=keepdims, initial=initial, where=where)
    if begins or initial is None and not _has_nan(given):
        return found
    is_empty = _count(given, axis, keepdims, where) == 0
    if not bool(is_empty.any()):
        return found
    warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=3)
    nan = asarray(math.nan, dtype=given.dtype)
    return choose(is_empty, nan, found)


def _arg(x: Any, find: Any, neutral: float, axis: Optional[int], keepdims: bool) -> "Tensor":
    given = asarray(x)
    found: "Tensor" = find(_with(given, neutral), axis=axis, keepdims=keepdims)
    if _has_nan(given) and bool((_count(given, axis, keepdims) == 0).any()):
        raise ArgumentError("All-NaN slice encountered")
    return found
