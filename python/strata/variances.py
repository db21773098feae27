"""Variances and standard deviations along dimensions: of all elements, of those that a mask selects, or of
those that are not NaN."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any, Optional, Union

from . import dtypes
from .axes import Axis, axes_of
from .conversion import asarray
from .functions import abs, sqrt, square
from .listed import Groups, Listed, code_of, is_dense
from .masked_reductions import Selection
from .reductions import is_everything

if TYPE_CHECKING:
    from .tensors import Tensor

Number = Union[int, float]


def var(
    x: Any,
    /,
    *,
    axis: Axis = None,
    correction: Number = 0.0,
    keepdims: bool = False,
    where: Any = None,
) -> "Tensor":
    """Returns the variances along dimensions; of integers in float64.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        axis: A dimension, several, or None for all.
        correction: By how much the divisor is less than the number of elements.
        keepdims: Whether the dimensions remain, with the size 1.
        where: Which elements take part, as :func:`sum` has it. If they are no more than the correction, that is
            a warning.
    """
    given = asarray(x)
    return narrowed(variances(given, axis, correction, keepdims, where), given)


def std(
    x: Any,
    /,
    *,
    axis: Axis = None,
    correction: Number = 0.0,
    keepdims: bool = False,
    where: Any = None,
) -> "Tensor":
    """Returns the standard deviations along dimensions. Arguments are those of :func:`var`."""
    given = asarray(x)
    return narrowed(sqrt(variances(given, axis, correction, keepdims, where)), given)


def narrowed(found: "Tensor", x: "Tensor") -> "Tensor":
    """Returns variances or deviations of a tensor in its element type, if that has 16 bits."""
    code = code_of(x)
    return found.astype(dtypes.NAMES[code]) if code in dtypes.HALVES else found


def variances(
    x: "Tensor",
    axis: Axis,
    correction: Number,
    keepdims: bool,
    where: Any = None,
    skips_nan: bool = False,
) -> "Tensor":
    """Returns the variances along dimensions; of numbers of 16 bits in 32, which hold their squares.

    Args:
        x, axis, correction, keepdims, where: As :func:`var` has them.
        skips_nan: Whether elements that are NaN are left out; what is left of too few is NaN then.
    """
    given = x
    if dtypes.kind_of(code_of(x)) < dtypes.kind_of(dtypes.FLOAT64):
        given = x.astype("float64")
    elif code_of(x) in dtypes.HALVES:
        given = x.astype("float32")
    axes = tuple(sorted(axes_of(axis, given.ndim)))
    selection = None if is_everything(where) else Selection.of(where, given.shape)
    if not is_dense(given):
        return _of_entries(given, axes, correction, keepdims, selection, skips_nan)
    if selection is not None or skips_nan:
        return _of_array(given, axes, correction, keepdims, selection, skips_nan)
    if not axes:
        squares = square(abs(given - given))
    else:
        squares = square(abs(given - given.mean(axes, keepdims=True)))
    divisor = math.prod(given.shape[one] for one in axes) - correction
    total = squares.sum(axes, keepdims=keepdims) if axes else squares
    # (What a divisor that is not positive gives is infinite or NaN.)
    return total / asarray(float(divisor) if divisor > 0 else 0.0, dtype=total.dtype)


def _divided(total: Any, divisors: Any, skips_nan: bool) -> Any:
    """Sums of squares by what is left of the numbers of elements. What is not positive counts as zero."""
    import numpy

    quotients = total / numpy.float64(numpy.maximum(divisors, 0))
    return numpy.where(divisors > 0, quotients, numpy.nan) if skips_nan else quotients


def _warn() -> None:
    """Warns, as NumPy does, that no more elements take part than the correction."""
    warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=5)


def _of_array(
    x: "Tensor",
    axes: tuple[int, ...],
    correction: Number,
    keepdims: bool,
    selection: Optional[Selection],
    skips_nan: bool,
) -> "Tensor":
    """The variances of some elements of a dense tensor."""
    import numpy

    array = x.to_numpy()
    selected: Any = numpy.ones(array.shape, bool)
    if selection is not None:
        selected = numpy.broadcast_to(selection.as_array(), array.shape)
    if skips_nan:
        selected = selected & (array == array)
    wide = array.astype(numpy.result_type(array.dtype, numpy.float64))

    def total(values: Any, keepdims: bool) -> Any:
        return numpy.sum(values, axis=axes, keepdims=keepdims, where=selected)

    with numpy.errstate(all="ignore"):
        means = total(wide, True) / selected.sum(axes, keepdims=True)
        divisors = selected.sum(axes, keepdims=keepdims) - correction
        squares = total(numpy.abs(wide - means) ** 2, keepdims)
        found = _divided(squares, divisors, skips_nan)
    if (divisors <= 0).any():
        _warn()
    return asarray(numpy.asarray(found, array.real.dtype))


def _of_entries(
    x: "Tensor",
    axes: tuple[int, ...],
    correction: Number,
    keepdims: bool,
    selection: Optional[Selection],
    skips_nan: bool,
) -> "Tensor":
    """The variances of a sparse tensor. Elements that are not stored are counted, not visited."""
    import numpy

    entries = Listed.of(x)
    if selection is not None:
        entries = entries.kept(selection.holds(entries.coordinates))
    groups = Groups.of(entries, axes)
    counts: Any = numpy.float64(groups.extent)
    if selection is not None:
        counts = numpy.float64(selection.counts_of(groups, axes, x.nnz))
    of_each = numpy.broadcast_to(counts, groups.shape)[groups.coordinates] if counts.ndim else counts
    values = entries.values[groups.order]
    is_left_out = (values != values) & skips_nan
    wide = values.astype(numpy.result_type(values.dtype, numpy.float64))
    wide = numpy.where(is_left_out, 0, wide)
    missing = of_each - groups.counts

    def with_missing(of_entries: Any, of_fill: Any) -> Any:
        return groups.sums(of_entries) + numpy.where(missing > 0, missing * of_fill, 0)

    with numpy.errstate(all="ignore"):
        divisors = of_each - groups.sums(is_left_out.astype(numpy.float64))
        means = with_missing(wide, entries.fill) / divisors
        squares = numpy.where(is_left_out, 0, numpy.abs(wide - groups.spread(means)) ** 2)
        squares = with_missing(squares, numpy.abs(entries.fill - means) ** 2)
        found = _divided(squares, divisors - correction, skips_nan).astype(values.real.dtype)
        empty = _divided(numpy.float64(0), counts - correction, skips_nan)
    is_some = selection is not None or skips_nan
    has_few = (divisors <= correction).any() or (counts <= correction).any()
    if is_some and has_few and math.prod(groups.shape):
        _warn()
    if keepdims and empty.ndim:
        empty = numpy.expand_dims(empty, axes)
    return groups.tensor(found, empty if empty.ndim else empty.item(), axes, keepdims)
