"""Reductions along dimensions: sum, prod, min, max, any, all, mean."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Optional, cast

from . import dtypes, handles, hypersparse, masks, plans, recording, statements
from .axes import Axis, axes_of
from .conversion import asarray
from .errors import ShapeError
from .listed import Groups, Listed
from .operators import unary
from .subscripts import access, index_names

if TYPE_CHECKING:
    from . import _core
    from .tensors import Tensor

_texts: dict[tuple[Any, ...], str] = {}


def _axes(axis: Axis, order: int) -> tuple[int, ...]:
    """The dimensions that an axis means, in order."""
    return tuple(sorted(axes_of(axis, order)))


def _text(function: str, order: int, axes: tuple[int, ...], keepdims: bool, cast_to: str) -> str:
    """`R(i) = sum(j, A(i,j))`; dimensions that are kept come from vectors of a single one."""
    key = (function, order, axes, keepdims, cast_to)
    found = _texts.get(key)
    if found is None:
        names = index_names(order)
        reduced = [names[axis] for axis in axes]
        operand = access("A", names)
        operand = f"{cast_to}({operand})" if cast_to else operand
        value = f"{function}({', '.join([*reduced, operand])})"
        if keepdims:
            kept = [f"s{at}" if at in axes else name for at, name in enumerate(names)]
            factors = "".join(f" * u(s{axis})" for axis in axes)
            found = f"{access('R', kept)} = {value}{factors}"
        else:
            left = [name for at, name in enumerate(names) if at not in axes]
            found = f"{access('R', left)} = {value}"
        _texts[key] = found
    return found


#: What sums of numbers of 32 bits are added up in: many terms that meet in one place of an array lose
#: what is small against their sum.
_WIDER = {dtypes.FLOAT32: dtypes.FLOAT64, dtypes.COMPLEX64: dtypes.COMPLEX128}

_REAL = dtypes.kind_of(dtypes.FLOAT64)

#: Plans by what is reduced how, and the keys of operands.
_plans: dict[tuple[Any, ...], statements.Plan] = {}


def reduce(
    function: str, x: "Tensor", axis: Axis, keepdims: bool, code: Optional[int] = None
) -> "Tensor":
    """Reduces dimensions of a tensor by a function of the language."""
    core = x._core
    is_sparse = not core.format.is_full and core.machine is None and not recording.is_pending(core)
    if is_sparse and (function != "sum" or core.format.fill):
        axes = _axes(axis, core.format.order)
        if axes and _is_much_larger(core, axes):
            return _of_entries(function, x, axes, keepdims, code)
    format = _format_of_reduced(core, axis) if hypersparse.may_be(core) else None
    if format is not None and keepdims:
        reduced = reduce(function, x, axis, False, code)
        axes = _axes(axis, core.format.order)
        selected = tuple(None if at in axes else slice(None) for at in range(core.format.order))
        part: "Tensor" = reduced[selected]
        return part
    is_plain = not keepdims and (axis is None or type(axis) is int)
    key = (function, axis, code, format, core.key)
    plan = _plans.get(key) if is_plain else None
    if plan is not None:
        return handles.wrap(plan(core))
    axes = _axes(axis, core.format.order)
    if not axes:
        same = x if code is None else x.astype(dtypes.NAMES[code], copy=False)
        return handles.wrap(same._core)
    text = _text(function, core.format.order, axes, keepdims, _cast_to(core.format.type, code))
    names: tuple[str, ...] = ("A",)
    cores = [core]
    if keepdims:
        import numpy

        unit = numpy.ones(1, dtypes.numpy_dtype(core.format.type))
        names, cores = ("A", "u"), [core, asarray(unit)._core]
    plan = statements.plan_for(text, names, cores, format, code)
    if is_plain:
        plans.remember(_plans, key, plan)
    return handles.wrap(plan(*cores))


def _cast_to(own: int, code: Optional[int]) -> str:
    """What elements are cast to before they are combined to a number of another type, rather than after:
    floats and integers to doubles, which hold more."""
    kind = dtypes.kind_of(own if code is None else code)
    if code in (None, own) or kind < _REAL or own in (dtypes.FLOAT64, dtypes.COMPLEX128):
        return ""
    if dtypes.kind_of(own) >= _REAL and dtypes.promote(own, code) != code:
        return ""
    return "double" if kind == _REAL else "complex"


def _is_much_larger(core: "_core.Tensor", axes: tuple[int, ...]) -> bool:
    """Whether what is left of a sparse tensor has many more elements than that stores."""
    size = math.prod(size for at, size in enumerate(core.shape) if at not in axes)
    return size > hypersparse.most_elements(core.stored)


def _of_entries(
    function: str, x: "Tensor", axes: tuple[int, ...], keepdims: bool, code: Optional[int]
) -> "Tensor":
    """Reduces dimensions of a tensor of which few fibers have entries. All others have one value, that
    of elements which are not stored; a statement would store it for each."""
    import numpy

    entries = Listed.of(x if code is None else x.astype(dtypes.NAMES[code], copy=False))
    groups = Groups.of(entries, axes)
    values = entries.values[groups.order]
    combine = COMBINE[function]

    def of_fills(counts: Any) -> Any:
        return _of_fills(function, entries.fill, counts, values.dtype)

    with numpy.errstate(all="ignore"):
        empty = of_fills(groups.extent).item()
        if len(values):
            found = getattr(numpy, combine).reduceat(values, groups.starts)
            with_fill = getattr(numpy, combine)(found, of_fills(groups.missing()))
            values = numpy.where(groups.is_missing(), with_fill, found)
    return groups.tensor(values, empty, axes, keepdims)


def _of_fills(function: str, fill: Any, counts: Any, dtype: Any) -> Any:
    """What so many elements that are the fill are reduced to. Integers have the bits of their type, as
    sums and products of them have that are too large."""
    import numpy

    many = numpy.asarray(counts)
    if function in ("max", "min"):
        return numpy.full(many.shape, fill, dtype)
    if many.dtype != numpy.int64 and dtype.kind in "iu":
        of_many = (lambda n: int(fill) * n) if function == "sum" else (lambda n: pow(int(fill), n, 2**64))
        found = [of_many(int(n)) % 2**64 for n in many.reshape(-1)]
        return numpy.array(found, numpy.uint64).reshape(many.shape).astype(dtype)
    if many.dtype != numpy.int64:
        many = many.astype(numpy.float64)
    number = dtype.type(fill)
    return numpy.asarray(number * many if function == "sum" else number**many).astype(dtype)


#: NumPy's names of what combines two elements.
COMBINE = {"sum": "add", "prod": "multiply", "max": "maximum", "min": "minimum"}


def _format_of_reduced(core: "_core.Tensor", axis: Axis) -> Optional[str]:
    """The format of a result that would be dense, and much larger than the operand."""
    names = index_names(core.format.order)
    axes = _axes(axis, core.format.order)
    kept = [name for at, name in enumerate(names) if at not in axes]
    return hypersparse.format_of([core], [names], kept)


def accumulator(code: int, dtype: Any) -> Optional[int]:
    """The element type of a sum: that of 64 bits for narrower integers, as in NumPy."""
    if dtype is not None:
        return dtypes.code_of(dtype)
    if code == dtypes.BOOL or dtypes.is_integer(code):
        return dtypes.UINT64 if dtypes.NAMES[code].startswith("u") else dtypes.INT64
    return None


def _fitting(x: "Tensor", code: Optional[int]) -> "Tensor":
    """The tensor converted to an element type, if that does not hold all of its values, and a statement
    does not convert them."""
    own = x._core.format.type
    if code is None or _cast_to(own, code) or dtypes.promote(own, code) == code:
        return x
    return x.astype(dtypes.NAMES[code])


def is_everything(where: Any) -> bool:
    """Whether ``where=`` selects all elements, as it does by default."""
    return where is None or where is True


def _selected(
    function: str,
    x: "Tensor",
    axis: Axis,
    keepdims: bool,
    code: Optional[int] = None,
    initial: Any = None,
    where: Any = None,
) -> "Tensor":
    """Reduces what a mask selects of a tensor along dimensions, beginning with a value."""
    if initial is not None or not is_everything(where):
        from . import masked_reductions

        return masked_reductions.reduce(function, x, axis, keepdims, code, initial, where)
    if function in ("max", "min") and not math.prod(x.shape[one] for one in _axes(axis, x.ndim)):
        raise ShapeError(f"the {function} of no elements has no value", "initial= gives one")
    return reduce(function, x, axis, keepdims, code)


class Reductions:
    """The reductions of tensors. Elements that are not stored count with their value, the fill."""

    __slots__ = ()
    __module__ = "strata"

    def sum(
        self: Any,
        axis: Axis = None,
        *,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = None,
    ) -> "Tensor":
        """Returns the sums along dimensions.

        Args:
            axis: A dimension, several, or None for all.
            dtype: The element type; None: 64 bits for integers, else that of the tensor. (Numbers of
                32 bits are added up in 64, and rounded once.)
            out: A tensor that receives the result, in the format and element type that it has, or an
                array into which it is copied; None: a new tensor.
            keepdims: Whether the dimensions remain, with the size 1.
            initial: What each result begins with, a number in the element type of the result, for
                which integers lose fractions; None: the value of no elements.
            where: Which elements take part: a tensor or an array of truth values that is broadcast,
                or a :class:`Mask`; None: all. Of a sparse tensor, those that are not stored are
                counted, not visited.
        """
        code = self._core.format.type
        # A statement of all elements whose result is one number does so by itself.
        is_one = axis is None and not keepdims and initial is None and is_everything(where)
        if dtype is None and code in _WIDER and not is_one:
            total = _selected("sum", self, axis, keepdims, _WIDER[code], initial, where)
            return masks.into(out, total.astype(dtypes.NAMES[code], copy=False))
        chosen = accumulator(code, dtype)
        given = _fitting(self, chosen)
        return masks.into(out, _selected("sum", given, axis, keepdims, chosen, initial, where))

    def prod(
        self: Any,
        axis: Axis = None,
        *,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = None,
    ) -> "Tensor":
        """Returns the products along dimensions. Arguments are those of :meth:`sum`."""
        code = accumulator(self._core.format.type, dtype)
        given = _fitting(self, code)
        return masks.into(out, _selected("prod", given, axis, keepdims, code, initial, where))

    def min(
        self: Any,
        axis: Axis = None,
        *,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = None,
    ) -> "Tensor":
        """Returns the least elements along dimensions. Arguments are those of :meth:`sum`; of
        elements that ``where`` selects, ``initial`` is needed."""
        return masks.into(out, _selected("min", self, axis, keepdims, None, initial, where))

    def max(
        self: Any,
        axis: Axis = None,
        *,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = None,
    ) -> "Tensor":
        """Returns the greatest elements along dimensions. Arguments are those of :meth:`min`."""
        return masks.into(out, _selected("max", self, axis, keepdims, None, initial, where))

    def any(
        self: Any, axis: Axis = None, *, out: Any = None, keepdims: bool = False, where: Any = None
    ) -> "Tensor":
        """Returns whether any element is not zero. Arguments are those of :meth:`sum`."""
        return masks.into(out, _truth("max", self, axis, keepdims, False, where))

    def all(
        self: Any, axis: Axis = None, *, out: Any = None, keepdims: bool = False, where: Any = None
    ) -> "Tensor":
        """Returns whether all elements are not zero. Arguments are those of :meth:`sum`."""
        return masks.into(out, _truth("min", self, axis, keepdims, True, where))

    def mean(
        self: Any,
        axis: Axis = None,
        *,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        where: Any = None,
    ) -> "Tensor":
        """Returns the means along dimensions; of integers in float64. (Numbers of 16 bits are added up in
        32.) Arguments are those of :meth:`sum`."""
        code = self._core.format.type
        added_in = dtype
        if dtype is None and dtypes.kind_of(code) < _REAL:
            dtype = added_in = float
        elif dtype is None and code in dtypes.HALVES:
            dtype, added_in = dtypes.NAMES[code], "float32"
        if not is_everything(where):
            from . import masked_reductions

            mean = masked_reductions.mean(self, axis, keepdims, added_in, where)
        else:
            count = math.prod(self.shape[one] for one in _axes(axis, self.ndim))
            total = self.sum(axis, dtype=added_in, keepdims=keepdims)
            if not count:  # (Of no elements it is NaN; what is absent and zero would stay zero.)
                total = total.asformat("Dense")
            mean = cast("Tensor", total / count)
        return masks.into(out, mean if dtype is None else mean.astype(dtype, copy=False))


def _truth(
    function: str, x: "Tensor", axis: Axis, keepdims: bool, of_nothing: bool, where: Any
) -> "Tensor":
    """Reduces the truth values of elements."""
    truth = unary("bool({0})", x, dtypes.BOOL)
    if is_everything(where):
        return reduce(function, truth, axis, keepdims, dtypes.BOOL)
    return _selected(function, truth, axis, keepdims, dtypes.BOOL, of_nothing, where)
