"""Parts of tensors: integers, slices, Ellipsis, None and arrays of integers in brackets.

Tensors in a dense format leave it to NumPy. Of others, a part is gathered by a statement whose
coordinates are looked up in vectors, so that one kernel serves for all numbers and all slices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import dtypes, export, handles, statements
from .assignments import PLAIN, assign
from .conversion import adopt, asarray
from .errors import UnsupportedError
from .formats import resolve
from .layouts import layout_of
from .notation import is_access, make_access
from .subscripts import access, index_names

if TYPE_CHECKING:
    from .tensors import Tensor


class _All(NamedTuple):
    """All of a dimension."""


class _At(NamedTuple):
    """One coordinate of a dimension, which the result lacks."""

    coordinate: int


class _Range(NamedTuple):
    """Neighbouring coordinates of a dimension."""

    start: int
    stop: int


class _Some(NamedTuple):
    """Some coordinates of a dimension, in any order."""

    coordinates: Any


class _New(NamedTuple):
    """A new dimension of size 1."""


_Part = Union[_All, _At, _Range, _Some, _New]


def _integer(x: Any) -> Optional[int]:
    """The value of an integer of Python's, NumPy's or Strata's; None if it is something else."""
    if isinstance(x, bool) or hasattr(x, "shape") and x.shape != ():
        return None
    try:
        return int(x.__index__())
    except (AttributeError, TypeError):
        return None


def _parts(key: Any, shape: tuple[int, ...]) -> list[_Part]:
    """What a key selects, dimension by dimension."""
    items = list(key) if isinstance(key, tuple) else [key]
    dots = [at for at, item in enumerate(items) if item is Ellipsis]
    if len(dots) > 1:
        raise IndexError("an index has at most one ellipsis")
    used = sum(item is not None and item is not Ellipsis for item in items)
    if used > len(shape):
        raise IndexError(f"{used} indices for a tensor of {len(shape)} dimensions")
    at = dots[0] if dots else len(items)
    items[at : at + 1] = [slice(None)] * (len(shape) - used)
    parts: list[_Part] = []
    dimension = 0
    for item in items:
        if item is None:
            parts.append(_New())
            continue
        parts.append(_part(item, dimension, shape[dimension]))
        dimension += 1
    if sum(isinstance(part, _Some) and part.coordinates.ndim == 1 for part in parts) > 1:
        lists = [item for item in items if not isinstance(item, slice) and _integer(item) is None]
        if sum(item is not None for item in lists) > 1:
            raise UnsupportedError("a sparse tensor takes one array of indices at a time")
    return parts


def _part(item: Any, dimension: int, size: int) -> _Part:
    import numpy

    if isinstance(item, slice):
        start, stop, step = item.indices(size)
        if (start, stop, step) == (0, size, 1):
            return _All()
        if step == 1:
            return _Range(start, max(start, stop))
        return _Some(numpy.arange(start, stop, step, dtype=numpy.int64))
    number = _integer(item)
    if number is not None:
        if not -size <= number < size:
            raise IndexError(f"{number} is outside of dimension {dimension}, whose size is {size}")
        return _At(number + size if number < 0 else number)
    array = numpy.asarray(item)
    if array.dtype == bool and array.shape == (size,):
        array = numpy.flatnonzero(array)
    if array.ndim != 1 or array.dtype.kind not in "iu" and array.size:
        raise UnsupportedError(
            "a sparse tensor takes integers, slices, None, Ellipsis and vectors of integers"
        )
    array = array.astype(numpy.int64)
    if ((array < -size) | (array >= size)).any():
        raise IndexError(f"an index is outside of dimension {dimension}, whose size is {size}")
    return _Some(numpy.where(array < 0, array + size, array))


class Indexing:
    """Parts of tensors, and their elements by index variables."""

    __slots__ = ()
    __module__ = "strata"

    def __getitem__(self: Any, key: Any) -> Any:
        """Returns a part of the tensor, as NumPy does, or an access for index variables."""
        if is_access(key):
            return make_access(self, key)
        if self._core.format.is_full:
            return asarray(self.to_numpy()[key])
        parts = _parts(key, self.shape)
        if all(isinstance(part, _All) for part in parts):
            return self
        rows = _rows(self, parts)
        return _gather(self, parts) if rows is None else rows

    def __setitem__(self: Any, key: Any, value: Any) -> None:
        """Computes a statement for index variables: ``C[i, k] = A[i, j] * B[j, k]``."""
        assign(self, key, value, PLAIN)

    def __iter__(self: Any) -> Any:
        if not self.shape:
            raise TypeError("a scalar has no elements to iterate over")
        return (self[number] for number in range(self.shape[0]))


def _rows(x: "Tensor", parts: list[_Part]) -> Optional["Tensor"]:
    """A row of a matrix whose rows are compressed, or neighbouring ones, or such columns; None of
    anything else. They share the arrays of coordinates and values."""
    core = x._core
    format = core.format
    layout = layout_of(format.text)
    if len(parts) != 2 or layout is None or format.type == dtypes.BFLOAT16:
        return None
    kinds = [level.format.partition("(")[0] for level in layout.levels]
    names = [level.coordinate for level in layout.levels]
    if kinds != ["dense", "compressed"] or set(names) != set(layout.dimensions):
        return None
    outer = layout.dimensions.index(names[0])
    part = parts[outer]
    if not isinstance(part, (_At, _Range)) or not isinstance(parts[1 - outer], _All):
        return None
    first, last = (part.coordinate, part.coordinate + 1) if isinstance(part, _At) else part
    pos, crd, values = (export.array_of(core, index) for index in range(3))
    begin, end = int(pos[first]), int(pos[last])
    arrays = (pos[first : last + 1] - pos[first], crd[begin:end], values[begin:end])
    if isinstance(part, _At):
        fill = f", fill = {layout.fill}" if layout.fill else ""
        text = f"{{(i) -> (i : {layout.levels[1].format}){fill}}}"
        return adopt(resolve(text, 1, format.type), (x.shape[1 - outer],), arrays, None, False)
    shape = list(x.shape)
    shape[outer] = last - first
    return adopt(format, tuple(shape), arrays, None, False)


def _gather(x: "Tensor", parts: list[_Part]) -> "Tensor":
    """Computes `R(i, k) = sum(s, A(a(s), b(i), k))`: s runs over a single place."""
    import numpy

    left: list[str] = []
    indices: list[str] = []
    operands: dict[str, Any] = {"A": x._core}
    factors = ""
    chosen = False
    for number, (part, name) in enumerate(zip(parts, index_names(len(parts)))):
        table = f"t{number}"
        if isinstance(part, _At):
            operands[table] = asarray(numpy.array([part.coordinate], numpy.int64))._core
            indices.append(f"{table}(s)")
            chosen = True
            continue
        left.append(name)
        if isinstance(part, _New):
            unit = numpy.ones(1, dtypes.numpy_dtype(x._core.format.type))
            operands[table] = asarray(unit)._core
            factors += f" * {table}({name})"
            continue
        if isinstance(part, _Range):
            part = _Some(numpy.arange(part.start, part.stop, dtype=numpy.int64))
        if isinstance(part, _Some):
            operands[table] = asarray(part.coordinates)._core
            name = f"{table}({name})"
        indices.append(name)
    value = access("A", indices) + factors
    text = f"{access('R', left)} = {f'sum(s, {value})' if chosen else value}"
    same = not chosen and not factors
    result = statements.run(
        text,
        tuple(operands),
        tuple(operands.values()),
        _kept_format(x) if same else None,
        x._core.format.type,
    )
    return handles.wrap(result)


def _kept_format(x: "Tensor") -> Optional[str]:
    """The format of a tensor, without widths, if any part of it can have that format."""
    layout = layout_of(x._core.format.text)
    if layout is None or layout.fill:
        return None
    plain = {"dense", "compressed", "compressed(nonunique)", "singleton", "singleton(nonunique)"}
    if {level.format for level in layout.levels} - plain:
        return None
    if {level.coordinate for level in layout.levels} != set(layout.dimensions):
        return None
    levels = ", ".join(f"{level.coordinate} : {level.format}" for level in layout.levels)
    return f"({', '.join(layout.dimensions)}) -> ({levels})"
