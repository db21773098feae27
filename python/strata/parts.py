"""Parts of tensors that get other elements: A[1, :2] = 0."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from . import conversion, dtypes, export, fills, handles, machines, masks, settings, statements
from .complements import Rest, rest_of
from .creation import from_coo
from .errors import BoundsError, ShapeError
from .formats import Format
from .lookups import Lookup
from .selections import (
    LISTS,
    All,
    At,
    Listed,
    New,
    Range,
    Selection,
    Steps,
    Table,
    coordinates_of,
    numpy_key,
    select,
)

if TYPE_CHECKING:
    from .tensors import Tensor


def replace_part(x: "Tensor", key: Any, value: Any) -> None:
    """Gives the part of a tensor that a key selects other elements. Everything that the tensor
    stores is copied, so that many elements are better replaced at once than one by one.

    Of a sparse tensor, elements that become the fill value are not stored. One in pieces is brought
    together, and taken apart again, which is collective.

    Raises:
        BoundsError: The key selects what is not there.
        ShapeError: The value has another shape than the part.
        DTypeError: The value's type does not become that of the elements by itself.
    """
    whole, on = x.gather(), x.machine
    format = whole.format.without_widths()
    if x._core.format.is_full:
        array = whole.to_numpy(allow_dense=True, copy=True)
        sparse, stored = _values(value, x)
        try:
            array[numpy_key(key)] = stored if sparse is None else sparse.todense()
        except IndexError as error:
            raise BoundsError(str(error)) from None
        except ValueError as error:
            raise ShapeError(str(error)) from None
        made = conversion.asarray(array).asformat(format)
    else:
        rest = rest_of(key, x.shape)
        before, values = export.entries_of(whole._core)
        if rest is None:
            selection = select(key, x.shape)
            new, stored = _new_entries(x, selection, value)
            inside = _is_selected(selection, before, x.shape)
        else:
            new, stored = _new_in_rest(x, rest, value)
            inside = rest.contains(rest.numbers_of(before))
        made = _merged(before, values, ~inside, new, stored, x.shape, format)
    if on is not None:
        made = made.asformat(x.format.without_widths(), machine=on)
    masks.result_of(x, made._core)


def _values(value: Any, x: "Tensor") -> tuple[Any, Any]:
    """A value as a tensor, if it is a sparse one with the fill value of `x`, and None, or None and
    an array; both with the element type of `x`."""
    import numpy

    code = x._core.format.type
    if type(value) in statements.NUMBERS:
        own = dtypes.scalar_code(value, code)
    else:
        value = conversion.asarray(value)
        own = value._core.format.type
    dtypes.check_cast(own, code)
    if not isinstance(value, handles.Tensor):
        return None, numpy.asarray(value, dtypes.numpy_dtype(code))
    value = value.astype(x.dtype, copy=False)
    if value._core.format.is_full or not fills.are_same(value.fill, x.fill):
        return None, value.to_numpy(allow_dense=True)
    return value, None


# ---- What the part gets ----


def _new_entries(x: "Tensor", selection: Selection, value: Any) -> tuple[list[Any], Any]:
    """The coordinates in `x` and the values of the elements that a part gets and stores."""
    places, stored = _entries_of_value(x, value, selection.shape_of(x.shape))
    return _coordinates_in(selection, places, stored)


def _new_in_rest(x: "Tensor", rest: Rest, value: Any) -> tuple[list[Any], Any]:
    """The same of a part that is all but some elements."""
    places, stored = _entries_of_value(x, value, (rest.size,))
    return rest.coordinates_of(places[0]), stored


def _entries_of_value(x: "Tensor", value: Any, shape: tuple[int, ...]) -> tuple[list[Any], Any]:
    """The places in a part of some shape, and the values, of what a value stores there."""
    sparse, array = _values(value, x)
    if sparse is None:
        places, stored = _stored_in(array, x.fill)
        own = array.shape
    else:
        listed, stored = export.entries_of(machines.whole_of(sparse._core))
        places, own = list(listed), sparse.shape
    return _broadcast(places, stored, own, shape)


def _stored_in(array: Any, fill: Any) -> tuple[list[Any], Any]:
    """The places and values of the elements of an array that are not the fill value."""
    import numpy

    is_stored = fills.differing(array, fill)
    stored = array[is_stored]
    return list(numpy.nonzero(is_stored)) if array.ndim else [], stored.reshape(-1)


def _broadcast(
    places: list[Any], stored: Any, own: tuple[int, ...], shape: tuple[int, ...]
) -> tuple[list[Any], Any]:
    """Repeats the entries of a value in the shape of a part, as NumPy's assignments do."""
    import numpy

    extra = len(own) - len(shape)
    kept = own[max(extra, 0) :]
    aligned = (1,) * -min(extra, 0) + kept
    if set(own[: max(extra, 0)]) - {1} or any(
        one not in (1, wanted) for one, wanted in zip(aligned, shape)
    ):
        raise ShapeError(f"a value of the shape {own} for a part of {shape}")
    count = len(stored)
    zero = numpy.zeros(count, numpy.int64)
    columns = [zero] * -min(extra, 0) + places[max(extra, 0) :]
    repeated = [axis for axis, size in enumerate(aligned) if size == 1 != shape[axis]]
    times = math.prod(shape[axis] for axis in repeated)
    if times == 1 or not count:
        return columns, stored
    row = 8 * len(shape) + stored.itemsize
    settings.check_memory(times * count * row, f"storing {times * count} elements")
    inner = numpy.unravel_index(numpy.arange(times), [shape[axis] for axis in repeated])
    columns = [numpy.repeat(column, times) for column in columns]
    for axis, column in zip(repeated, inner):
        columns[axis] = numpy.tile(column, count)
    return columns, numpy.repeat(stored, times)


def _coordinates_in(selection: Selection, places: list[Any], stored: Any) -> tuple[list[Any], Any]:
    """Where in the tensor entries at some places in a part lie, and their values. Of several for
    one element the last counts, also if it is the fill value, which is no entry."""
    import numpy

    columns: dict[int, Any] = {}
    lists: list[Any] = []
    at = 0
    for axis in selection.axes():
        if axis == LISTS:
            lists = places[at : at + len(selection.lists_shape)]
            at += len(lists)
        else:
            columns[axis] = places[at]
            at += 1
    kept: Any = slice(None)
    listed: dict[int, Any] = {}
    tables = [(table, _rows_of(table, lists, len(stored))) for table in selection.tables()]
    for table, rows in tables:
        last = _is_last(table)
        if last is not None:
            chosen = last[rows]
            kept = chosen if isinstance(kept, slice) else kept & chosen
    for table, rows in tables:
        for dimension, column in zip(table.dimensions, table.columns):
            listed[dimension] = column[rows[kept]]
    stored = stored[kept]
    coordinates: list[Any] = []
    for number, part in enumerate(selection.parts):
        if isinstance(part, New):
            continue
        if isinstance(part, At):
            coordinates.append(numpy.full(len(stored), part.coordinate))
        elif isinstance(part, Listed):
            coordinates.append(listed[len(coordinates)])
        elif isinstance(part, All):
            coordinates.append(columns[number][kept])
        else:
            coordinates.append(coordinates_of(part, columns[number][kept]))
    return coordinates, stored


def _rows_of(table: Table, lists: list[Any], count: int) -> Any:
    """The rows of a table that places along the dimensions of arrays stand for."""
    import numpy

    if not table.axes:
        return numpy.zeros(count, numpy.int64)
    return numpy.ravel_multi_index([lists[axis] for axis in table.axes], table.shape)


def _is_last(table: Table) -> Any:
    """Whether a row of a table has no equal one behind it; None if that is so for all."""
    import numpy

    lookup = Lookup(table.columns)
    if lookup.is_unique:
        return None
    is_last = numpy.zeros(len(table.columns[0]), bool)
    is_last[lookup.last_places()] = True
    return is_last


# ---- The tensor with the part ----


def _merged(
    before: Any,
    values: Any,
    kept: Any,
    new: list[Any],
    stored: Any,
    shape: tuple[int, ...],
    format: Format,
) -> "Tensor":
    """Those entries of a tensor that are kept, and new ones."""
    import numpy

    columns = [column[kept] for column in before]
    values = values[kept]
    if len(stored):
        columns = [numpy.concatenate(both) for both in zip(columns, new)]
        values = numpy.concatenate((values, stored))
    return from_coo(columns, values, shape, format)


def _is_selected(selection: Selection, coordinates: Any, sizes: tuple[int, ...]) -> Any:
    """Which of the elements at some coordinates lie in a part."""
    import numpy

    inside = numpy.ones(len(coordinates[0]), bool)
    for part, column in zip(selection.of_dimensions(), coordinates):
        if isinstance(part, At):
            inside &= column == part.coordinate
        elif isinstance(part, Range):
            inside &= (column >= part.start) & (column < part.stop)
        elif isinstance(part, Steps):
            distance = column.astype(numpy.int64) - part.start
            place = distance // part.step
            inside &= (place * part.step == distance) & (place >= 0) & (place < part.size)
    for table in selection.tables():
        own = [coordinates[dimension] for dimension in table.dimensions]
        extents = [sizes[dimension] for dimension in table.dimensions]
        inside &= Lookup(table.columns).contains(own, extents)
    return inside
