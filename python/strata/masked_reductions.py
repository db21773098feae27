"""Reductions of the elements that a mask selects, and of what they begin with: NumPy's ``where=`` and
``initial=``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence

from . import conversion, dtypes, export, handles, hypersparse, machines, reductions
from .axes import Axis, axes_of
from .errors import ArgumentError, DensifyError, DTypeError, ShapeError, WidthError
from .listed import Groups, Listed, code_of, is_dense, is_real, numbers_of, refuse_larger
from .masks import Mask
from .operators import binary

if TYPE_CHECKING:
    from .tensors import Tensor

#: How a reduction by a function goes on with one more value.
_PATTERNS = {
    "sum": "{0} + {1}",
    "prod": "{0} * {1}",
    "max": "max({0}, {1})",
    "min": "min({0}, {1})",
}

#: The reductions of no elements.
_NEUTRAL = {"sum": 0, "prod": 1}


class Selection(NamedTuple):
    """The elements of a tensor that take part in a reduction: truth values with as many dimensions, of
    which those of size 1 are repeated."""

    #: The sizes of the tensor, and of the truth values.
    shape: tuple[int, ...]
    own: tuple[int, ...]
    #: The truth values: an array if all are stored, else a list of entries.
    array: Any
    listed: Optional[Listed]

    @classmethod
    def of(cls, where: Any, shape: tuple[int, ...]) -> "Selection":
        """Makes it of what a user gives: a tensor, an array, or a mask.

        Raises:
            ShapeError: It is not broadcast to the shape of the tensor.
        """
        mask = Mask.of(where)
        core = machines.whole_of(mask.core)
        leading = len(shape) - len(core.shape)
        own = (1,) * leading + tuple(core.shape)
        if leading < 0 or any(one not in (1, size) for one, size in zip(own, shape)):
            raise ShapeError(f"where= of the shape {core.shape} is not broadcast to {shape}")
        if core.format.is_full:
            stored = handles.wrap(core).to_numpy(allow_dense=True) != 0
            array = (stored | mask.is_structural) != mask.is_complement
            return cls(shape, own, array.reshape(own), None)
        coordinates, values = export.entries_of(core)
        first = (0 * coordinates[0],) * leading
        holds = ((values != 0) | mask.is_structural) != mask.is_complement
        return cls(shape, own, None, Listed((*first, *coordinates), holds, own, mask.is_complement))

    @property
    def stored(self) -> int:
        """How many truth values are stored."""
        return len(self.listed.values) if self.listed is not None else self.array.size

    def holds(self, coordinates: Sequence[Any]) -> Any:
        """Whether elements at some coordinates of the tensor take part."""
        import numpy

        places = tuple(at if one > 1 else 0 * at for at, one in zip(coordinates, self.own))
        if self.listed is None:
            return self.array[places]
        if not self.stored:
            return numpy.full(len(places[0]), bool(self.listed.fill))
        numbers, wanted = self.listed.numbers(), numbers_of(places, self.own)
        found = numpy.minimum(numpy.searchsorted(numbers, wanted), self.stored - 1)
        is_listed = numbers[found] == wanted
        return numpy.where(is_listed, self.listed.values[found], self.listed.fill)

    def counts(self, axes: Sequence[int]) -> Any:
        """How many elements take part along some dimensions, which remain with the size 1, as those
        do that are repeated.

        Raises:
            DensifyError: There would be many more numbers than truth values.
            ShapeError: A number may have more than 64 bits.
        """
        import numpy

        if math.prod(self.shape[at] for at in axes) >= 2**63:
            raise ShapeError("so many elements have no numbers of 64 bits")
        repeated = math.prod(self.shape[at] // self.own[at] for at in axes if self.own[at])
        if self.listed is None:
            return self.array.sum(tuple(axes), numpy.int64, keepdims=True) * repeated
        kept = [1 if at in axes else size for at, size in enumerate(self.own)]
        if math.prod(kept) > hypersparse.most_elements(self.stored):
            raise refuse_larger()
        fill = bool(self.listed.fill)
        extent = math.prod(self.own[at] for at in axes)
        counts = numpy.full(kept, extent if fill else 0, numpy.int64)
        places = tuple(
            0 * at if axis in axes else at for axis, at in enumerate(self.listed.coordinates)
        )
        numpy.add.at(counts, places, self.listed.values.astype(numpy.int64) - fill)
        return counts * repeated

    def as_array(self) -> Any:
        """The truth values as an array of their own shape."""
        import numpy

        if self.listed is None:
            return self.array
        array = numpy.full(self.own, bool(self.listed.fill))
        array[self.listed.coordinates] = self.listed.values
        return array

    def counts_of(self, groups: Groups, axes: Sequence[int], stored: int) -> Any:
        """How many elements take part along some dimensions: an array that is broadcast to the fibers, or
        one number if they are too many to be stored beside so many entries.

        Raises:
            DensifyError: They are, and each has a number of its own.
        """
        if self.are_few(groups, stored):
            return self.counts(axes).squeeze(axes)
        count = self.common_count(axes)
        if count is None:
            raise DensifyError(
                "the mask selects elements that are not stored, and how many is another number for "
                "each result",
                "asformat('Dense') makes the operand dense",
            )
        return count

    def are_few(self, groups: Groups, stored: int) -> bool:
        """Whether fibers are few enough to be stored beside so many entries."""
        return math.prod(groups.shape) <= hypersparse.most_elements(stored + self.stored)

    def common_count(self, axes: Sequence[int]) -> Optional[int]:
        """How many elements take part along some dimensions, if that is one number everywhere."""
        is_one = all(size == 1 for at, size in enumerate(self.own) if at not in axes)
        return int(self.counts(axes).item()) if is_one else None


def reduce(
    function: str,
    x: "Tensor",
    axis: Axis,
    keepdims: bool,
    code: Optional[int],
    initial: Any,
    where: Any,
) -> "Tensor":
    """Reduces the selected elements of a tensor along dimensions.

    Args:
        function: "sum", "prod", "max" or "min".
        axis, keepdims: As :meth:`Tensor.sum` takes them.
        code: The element type of the result, which holds all elements; None: that of the tensor.
        initial: A number that each result begins with; None: zero for sums, one for products.
        where: What is selected; None: everything.

    Raises:
        ArgumentError: An extreme begins with nothing.
        DTypeError: It is that of complex numbers.
    """
    axes = tuple(sorted(axes_of(axis, x.ndim)))
    is_sum = function in _NEUTRAL
    if initial is None and not is_sum:
        raise ArgumentError(
            f"the {function} of no elements has no value, and where= may select none",
            "initial= is a value to begin with",
        )
    if not is_sum and not is_real(x):
        raise DTypeError(f"complex numbers have no order, which '{function}' needs")
    code = code_of(x) if code is None else code
    start = number_of(_NEUTRAL[function] if initial is None else initial, code)
    is_empty = math.prod(x.shape[at] for at in axes) == 0
    if reductions.is_everything(where) and (is_sum or not is_empty):
        found = reductions.reduce(function, x, axis, keepdims, code)
        return binary(_PATTERNS[function], found, start)
    given = x.astype(dtypes.NAMES[code], copy=False)
    selection = Selection.of(True if where is None else where, given.shape)
    compute = _of_array if is_dense(given) else _of_entries
    return compute(function, given, axes, keepdims, start.to_numpy(), selection)


def number_of(value: Any, code: int) -> "Tensor":
    """Returns a scalar with the value of ``initial=`` as NumPy converts it: integers lose fractions.

    Raises:
        ShapeError: It is not one number.
        DTypeError: It is none of an element type, as a complex one is none of real ones.
        WidthError: It is too large.
    """
    import numpy

    array = value.to_numpy() if type(value) is handles.Tensor else numpy.asarray(value)
    if array.ndim:
        raise ShapeError(f"initial= is one number, not an array of the shape {array.shape}")
    dtype = dtypes.numpy_dtype(code)
    number = array.item()
    if array.dtype.kind not in "biufcO" or isinstance(number, complex) and dtype.kind != "c":
        raise DTypeError(f"initial={value!r} is no number of {dtype}")
    if dtypes.is_integer(code):
        if number != number or abs(number) == math.inf:
            raise WidthError(f"initial={value!r} is no number of {dtype}")
        number = int(number)
        dtypes.check_range(number, code)
    return conversion.asarray(numpy.asarray(number, dtype))


def _ufunc(function: str) -> Any:
    import numpy

    return getattr(numpy, reductions.COMBINE[function])


def _of_array(
    function: str,
    x: "Tensor",
    axes: tuple[int, ...],
    keepdims: bool,
    start: Any,
    selection: Selection,
) -> "Tensor":
    """Reduces a dense tensor."""
    import numpy

    array = x.to_numpy()
    with numpy.errstate(all="ignore"):
        found = _ufunc(function).reduce(
            array, axes, array.dtype, None, keepdims, start.item(), selection.as_array()
        )
    return conversion.asarray(numpy.asarray(found, array.dtype))


def _of_entries(
    function: str,
    x: "Tensor",
    axes: tuple[int, ...],
    keepdims: bool,
    start: Any,
    selection: Selection,
) -> "Tensor":
    """Reduces a sparse tensor. Selected elements that are not stored are counted, not visited."""
    import numpy

    entries = Listed.of(x)
    listed = len(entries.values)
    entries = entries.kept(selection.holds(entries.coordinates))
    groups = Groups.of(entries, axes)
    values = entries.values[groups.order]
    combine, dtype = _ufunc(function), values.dtype
    fill = dtype.type(entries.fill)

    def with_missing(found: Any, missing: Any) -> Any:
        """Goes on with as many elements that are not stored."""
        more = fill
        if function in _NEUTRAL:
            counts = numpy.maximum(missing, 0)
            more = fill * counts if function == "sum" else fill**counts
        return numpy.where(missing > 0, combine(found, more), found).astype(dtype)

    with numpy.errstate(all="ignore"):
        if len(values):
            values = combine(combine.reduceat(values, groups.starts, dtype=dtype), start)
        neutral = _NEUTRAL.get(function, start)
        matters = (fill if function in _NEUTRAL else combine(start, fill)) != neutral
        if selection.are_few(groups, listed):
            result, missing = numpy.full(groups.shape, start), numpy.zeros(groups.shape, numpy.int64)
            if matters:
                missing += selection.counts_of(groups, axes, listed)
            if len(values):  # (The only fiber has no coordinates.)
                at = groups.coordinates if groups.shape else ...
                result[at] = values if groups.shape else values[0]
                missing[at] -= groups.counts if groups.shape else groups.counts[0]
            shape = [1 if at in axes else size for at, size in enumerate(x.shape)]
            result = with_missing(result, missing)
            return conversion.asarray(result.reshape(shape if keepdims else groups.shape))
        count = selection.counts_of(groups, axes, listed) if matters else 0
        values = with_missing(values, count - groups.counts)
        empty = with_missing(start, numpy.asarray(count)).item()
    return groups.tensor(values, empty, axes, keepdims)


def mean(x: "Tensor", axis: Axis, keepdims: bool, dtype: Any, where: Any) -> "Tensor":
    """Returns the means of the selected elements along dimensions; NaN of none, with a warning.

    Args:
        x, axis, keepdims: As :meth:`Tensor.sum` has them.
        dtype: The element type of the sums, or None.
        where: What is selected.
    """
    import warnings

    axes = tuple(sorted(axes_of(axis, x.ndim)))
    counts = Selection.of(where, x.shape).counts(axes)
    total = x.sum(axes, dtype=dtype, keepdims=keepdims, where=where)
    if not counts.all():
        warnings.warn("Mean of empty slice", RuntimeWarning, stacklevel=3)
        if not is_dense(total) and total.size > hypersparse.most_elements(x.gather().nnz):
            raise refuse_larger()
        total = total.asformat("Dense")
    divisors = counts if keepdims else counts.squeeze(axes)
    quotient: "Tensor" = total / conversion.asarray(divisors).astype(total.dtype)
    return quotient
