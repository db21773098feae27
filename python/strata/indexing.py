"""Parts of tensors: integers, slices, Ellipsis, None and arrays in brackets.

Tensors in a dense format leave it to NumPy. Of others, the entries of a part are gathered from the
arrays of the storage, without a kernel for each kind of part.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Optional

from . import dtypes, export, handles
from .assignments import PLAIN, assign
from .complements import part_of, rest_of
from .conversion import adopt, asarray
from .errors import BoundsError
from .fills import plain_format
from .formats import Format, resolve
from .gathers import entries_in, is_walked
from .hypersparse import MOST_ELEMENTS, has_too_many_positions
from .layouts import layout_of
from .notation import is_access, make_access
from .packing import format_of_part, pack
from .parts import replace_part
from .selections import All, At, Part, Range, Selection, numpy_key, select

if TYPE_CHECKING:
    from . import _core
    from .tensors import Tensor


class Indexing:
    """Parts of tensors, and their elements by index variables."""

    __slots__ = ()
    __module__ = "strata"

    def __getitem__(self: Any, key: Any) -> Any:
        """Returns a part of the tensor, as NumPy does, or an access for index variables."""
        if is_access(key):
            return make_access(self, key)
        if self._core.machine is not None:
            return self.gather()[key]
        if self._core.format.is_full:
            try:
                return asarray(self.to_numpy()[numpy_key(key)])
            except IndexError as error:
                raise BoundsError(str(error)) from None
        rest = rest_of(key, self.shape)
        if rest is not None:
            return part_of(self, rest)
        selection = select(key, self.shape)
        if selection.is_all():
            return handles.wrap(self._core)
        rows = _rows(self, selection.parts)
        return _part(self, selection) if rows is None else rows

    def __setitem__(self: Any, key: Any, value: Any) -> None:
        """Computes a statement for index variables: ``C[i, k] = A[i, j] * B[j, k]``; gives a part
        of the tensor other elements for what selects a part: ``C[1, :2] = 0``. Other tensors and
        arrays that share memory with it keep theirs."""
        if is_access(key) or isinstance(key, tuple) and not key and not self.shape:
            assign(self, key, value, PLAIN)
        else:
            replace_part(self, key, value)

    def __iter__(self: Any) -> Any:
        if not self.shape:
            raise TypeError("a scalar has no elements to iterate over")
        rows = _by_rows(self)
        return (rows[number] for number in range(self.shape[0]))


def _by_rows(x: "Tensor") -> "Tensor":
    """The tensor, whole; a sparse matrix in which a row is not found at once, as CSR."""
    whole: "Tensor" = x.gather()
    core = whole._core
    if core.format.is_full or whole.ndim != 2:
        return whole
    layout = layout_of(core.format.text)
    is_by_rows = layout is not None and layout.levels[0].coordinate == layout.dimensions[0]
    if is_by_rows and layout is not None and is_walked(layout):
        return whole
    return whole.asformat(plain_format(core.format))


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


def _is_affordable(
    format: Format, core: "_core.Tensor", selection: Selection, shape: tuple[int, ...]
) -> bool:
    """Whether a part takes no far more memory in a format than the tensor and the lists of a selection."""
    listed = sum(len(table.columns[0]) for table in selection.tables())
    return not has_too_many_positions(layout_of(format.map), shape, max(core.bytes // 8, listed))


def _part(x: "Tensor", selection: Selection) -> "Tensor":
    """Any part of a sparse tensor: a number is dense, everything else sparse."""
    import numpy

    core = x._core
    shape = selection.shape_of(x.shape)
    entries = entries_in(core, selection)
    if selection.axes():
        format = format_of_part(core.format, selection)
        if math.prod(shape) > MOST_ELEMENTS and not _is_affordable(format, core, selection, shape):
            format = Format("COO").with_(fill=x.fill) if core.format.has_fill else Format("COO")
        return pack(format, shape, core.format.type, entries)
    element = numpy.full(1, x.fill, entries.values.dtype)
    element[: len(entries.values)] = entries.values
    return asarray(element.reshape(()))
