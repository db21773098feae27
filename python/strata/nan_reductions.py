"""Reductions that leave out what is not a number, by NumPy's names."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

from . import dtypes
from .axes import Axis, axes_of
from .conversion import asarray
from .elements import map_values
from .errors import ShapeError
from .functions import isnan
from .listed import code_of
from .searching import where

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


def nanmean(x: Any, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> "Tensor":
    """Returns the means along dimensions of the elements that are not NaN; NaN where there are
    none, with a warning. Arguments are those of :func:`sum`."""
    given = asarray(x)
    if not _has_nan(given):
        return given.mean(axis, dtype=dtype, keepdims=keepdims)
    counts = _count(given, axis, keepdims)
    if bool((counts == 0).any()):
        warnings.warn("Mean of empty slice", RuntimeWarning, stacklevel=2)
    is_half = dtype is None and code_of(given) in dtypes.HALVES
    total = nansum(given, axis=axis, dtype="float32" if is_half else dtype, keepdims=keepdims)
    mean = total / counts.astype(total.dtype)
    return mean.astype(given.dtype) if is_half else mean


def nanmax(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> "Tensor":
    """Returns the greatest elements along dimensions that are not NaN; NaN where there are none,
    with a warning. Arguments are those of :func:`sum`."""
    return _extreme(x, "max", -math.inf, axis, keepdims)


def nanmin(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> "Tensor":
    """Returns the least elements along dimensions that are not NaN; NaN where there are none, with
    a warning. Arguments are those of :func:`sum`."""
    return _extreme(x, "min", math.inf, axis, keepdims)


def _has_nan(x: "Tensor") -> bool:
    """Whether an element is NaN. Those that are not stored never are."""
    return dtypes.kind_of(code_of(x)) >= dtypes.kind_of(dtypes.FLOAT64) and bool(isnan(x).any())


def _with(x: Any, number: float) -> "Tensor":
    """A tensor with a number in place of each element that is NaN."""
    import numpy

    given = asarray(x)
    if not _has_nan(given):
        return given

    def replace(values: Any) -> Any:
        return numpy.where(numpy.isnan(values), values.dtype.type(number), values)

    return map_values(replace, given)


def _count(x: "Tensor", axis: Axis, keepdims: bool) -> "Tensor":
    """How many elements along dimensions are not NaN."""
    extent = math.prod(x.shape[one] for one in axes_of(axis, x.ndim))
    return extent - isnan(x).sum(axis, keepdims=keepdims)


def _extreme(x: Any, name: str, neutral: float, axis: Axis, keepdims: bool) -> "Tensor":
    given = asarray(x)
    if not math.prod(given.shape[one] for one in axes_of(axis, given.ndim)):
        raise ShapeError(f"the {name} of no elements has no value")
    if not _has_nan(given):
        found: "Tensor" = getattr(given, name)(axis, keepdims=keepdims)
        return found
    replaced = getattr(_with(given, neutral), name)(axis, keepdims=keepdims)
    is_empty = _count(given, axis, keepdims) == 0
    if not bool(is_empty.any()):
        found = replaced
        return found
    warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=3)
    nan = asarray(math.nan, dtype=given.dtype)
    return where(is_empty, nan, replaced)
