"""Parts of tensors: integers, slices, Ellipsis, None and arrays of integers in brackets.

Tensors in a dense format leave it to NumPy. Of others, a part is gathered by a statement whose
coordinates are looked up in vectors, so that one kernel serves for all numbers and all slices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from . import dtypes, export, handles, statements
from .assignments import PLAIN, assign
from .conversion import adopt, asarray
from .formats import resolve
from .layouts import layout_of
from .notation import is_access, make_access
from .parts import replace_part
from .selections import (
    LISTS,
    All,
    At,
    Listed,
    New,
    Part,
    Range,
    Selection,
    coordinates_of,
    numpy_key,
    select,
)
from .subscripts import access, index_names

if TYPE_CHECKING:
    from .tensors import Tensor


class Indexing:
    """Parts of tensors, and their elements by index variables."""

    __slots__ = ()
    __module__ = "strata"

    def __getitem__(self: Any, key: Any) -> Any:
        """Returns a part of the tensor, as NumPy does, or an access for index variables."""
        if is_access(key):
            return make_access(self, key)
        if self._core.format.is_full:
            return asarray(self.to_numpy()[numpy_key(key)])
        selection = select(key, self.shape)
        if selection.is_all():
            return self
        rows = _rows(self, selection.parts)
        return _gather(self, selection) if rows is None else rows

    def __setitem__(self: Any, key: Any, value: Any) -> None:
        """Computes a statement for index variables: ``C[i, k] = A[i, j] * B[j, k]``; gives a part
        of the tensor other elements for what selects a part: ``C[1, :2] = 0``. Other tensors and
        arrays that share memory with it keep theirs."""
        if is_access(key) or key == () and self.shape == ():
            assign(self, key, value, PLAIN)
        else:
            replace_part(self, key, value)

    def __iter__(self: Any) -> Any:
        if not self.shape:
            raise TypeError("a scalar has no elements to iterate over")
        return (self[number] for number in range(self.shape[0]))


def _rows(x: "Tensor", parts: list[Part]) -> Optional["Tensor"]:
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
    if not isinstance(part, (At, Range)) or not isinstance(parts[1 - outer], All):
        return None
    first, last = (part.coordinate, part.coordinate + 1) if isinstance(part, At) else part
    pos, crd, values = (export.array_of(core, index) for index in range(3))
    begin, end = int(pos[first]), int(pos[last])
    arrays = (pos[first : last + 1] - pos[first], crd[begin:end], values[begin:end])
    if isinstance(part, At):
        fill = f", fill = {layout.fill}" if layout.fill else ""
        text = f"{{(i) -> (i : {layout.levels[1].format}){fill}}}"
        return adopt(resolve(text, 1, format.type), (x.shape[1 - outer],), arrays, None, False)
    shape = list(x.shape)
    shape[outer] = last - first
    return adopt(format, tuple(shape), arrays, None, False)


def _gather(x: "Tensor", selection: Selection) -> "Tensor":
    """Computes `R(i, k) = sum(s, A(a(s), b(i), k))`: s runs over a single place."""
    import numpy

    names = index_names(len(selection.parts) + len(selection.lists_shape))
    listed = names[len(selection.parts) :]
    indices: list[str] = []
    operands: dict[str, Any] = {"A": x._core}
    factors = ""
    chosen = False
    for number, (part, name) in enumerate(zip(selection.parts, names)):
        table = f"t{number}"
        if isinstance(part, At):
            operands[table] = asarray(numpy.array([part.coordinate], numpy.int64))._core
            indices.append(f"{table}(s)")
            chosen = True
        elif isinstance(part, New):
            unit = numpy.ones(1, dtypes.numpy_dtype(x._core.format.type))
            operands[table] = asarray(unit)._core
            factors += f" * {table}({name})"
        elif isinstance(part, All):
            indices.append(name)
        else:
            operands[table] = asarray(numpy.ascontiguousarray(coordinates_of(part)))._core
            indices.append(access(table, listed if isinstance(part, Listed) else [name]))
    left: list[str] = []
    for axis in selection.axes():
        left += listed if axis == LISTS else [names[axis]]
    value = access("A", indices) + factors
    text = f"{access('R', left)} = {f'sum(s, {value})' if chosen else value}"
    keeps_order = len(left) == len(indices) and not chosen and not factors
    result = statements.run(
        text,
        tuple(operands),
        tuple(operands.values()),
        _kept_format(x) if keeps_order and len(selection.lists_shape) < 2 else None,
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
