"""Parts of tensors that get other elements: A[1, :2] = 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import conversion, dtypes, export, handles, masks
from .creation import from_coo
from .errors import DTypeError, ShapeError
from .formats import Format
from .selections import (
    LISTS,
    All,
    At,
    Listed,
    New,
    Range,
    Selection,
    Steps,
    coordinates_of,
    numpy_key,
    select,
)

if TYPE_CHECKING:
    from .tensors import Tensor


def replace_part(x: "Tensor", key: Any, value: Any) -> None:
    """Gives the part of a tensor that a key selects other elements. Everything that the tensor
    stores is copied, so that many elements are better replaced at once than one by one.

    Of a sparse tensor, elements that become the fill value are not stored.

    Raises:
        IndexError: The key selects what is not there.
        ShapeError: The value has another shape than the part.
        DTypeError: The value's type does not become that of the elements by itself.
    """
    format = x.format.without_widths()
    if x._core.format.is_full:
        array = x.to_numpy(allow_dense=True, copy=True)
        sparse, stored = _values(value, x)
        try:
            array[numpy_key(key)] = stored if sparse is None else sparse.todense()
        except ValueError as error:
            raise ShapeError(str(error)) from None
        made = conversion.asarray(array).asformat(format)
    else:
        selection = select(key, x.shape)
        coordinates, stored = _new_entries(x, selection, value)
        made = _merged(x, selection, coordinates, stored, format)
    masks.result_of(x, made._core)


def _values(value: Any, x: "Tensor") -> tuple[Any, Any]:
    """A value as a tensor, if it is a sparse one with the fill value of `x`, and None, or None and
    an array; both with the element type of `x`."""
    import numpy

    code = x._core.format.type
    if isinstance(value, (bool, int, float, complex)):
        own = dtypes.scalar_code(value, code)
    else:
        value = conversion.asarray(value)
        own = value._core.format.type
    if own != code and not numpy.can_cast(
        dtypes.numpy_dtype(own), dtypes.numpy_dtype(code), "same_kind"
    ):
        raise DTypeError(
            f"{dtypes.NAMES[own]} does not become {dtypes.NAMES[code]} by itself",
            "call astype()",
        )
    if not isinstance(value, handles.Tensor):
        return None, numpy.asarray(value, dtypes.numpy_dtype(code))
    value = value.astype(x.dtype, copy=False)
    if value._core.format.is_full or value.fill != x.fill:
        return None, value.to_numpy(allow_dense=True)
    return value, None


def _new_entries(x: "Tensor", selection: Selection, value: Any) -> tuple[list[Any], Any]:
    """The coordinates in `x` and the values of the elements that a part gets and stores."""
    import numpy

    shape = _shape_of(x, selection)
    repeats = _repeats(selection)
    sparse, array = _values(value, x)
    if sparse is not None and sparse.shape == shape and not repeats:
        places, stored = export.entries_of(sparse._core)
        return _coordinates_in(selection, places, len(stored)), stored
    array = _broadcast(sparse.todense() if array is None else array, shape)
    is_stored = numpy.asarray(array != x.fill)
    if not repeats:
        places = numpy.nonzero(is_stored) if shape else ()
        stored = array[is_stored]
        return _coordinates_in(selection, places, stored.size), stored
    places = tuple(axis.reshape(-1) for axis in numpy.indices(shape))
    coordinates = _coordinates_in(selection, places, array.size)
    # The last value that is given for an element counts.
    _, last = numpy.unique(_row_numbers(coordinates)[::-1], return_index=True)
    kept = array.size - 1 - last
    kept = kept[is_stored.reshape(-1)[kept]]
    return [column[kept] for column in coordinates], array.reshape(-1)[kept]


def _broadcast(array: Any, shape: tuple[int, ...]) -> Any:
    """An array in the shape of a part, as NumPy's assignments broadcast it."""
    import numpy

    extra = array.ndim - len(shape)
    if extra > 0 and set(array.shape[:extra]) == {1}:
        array = array.reshape(array.shape[extra:])
    try:
        return numpy.broadcast_to(array, shape)
    except ValueError:
        raise ShapeError(f"a value of the shape {array.shape} for a part of {shape}") from None


def _repeats(selection: Selection) -> bool:
    """Whether arrays of coordinates name an element more than once."""
    import numpy

    lists = _lists_of(selection)
    return bool(lists) and len(numpy.unique(_row_numbers(lists))) < len(lists[0])


def _lists_of(selection: Selection) -> list[Any]:
    return [part.coordinates.reshape(-1) for part in selection.parts if isinstance(part, Listed)]


def _row_numbers(columns: Any) -> Any:
    """Numbers for the rows of a table of so many columns: equal ones for equal rows."""
    import numpy

    numbers = numpy.zeros(len(columns[0]), numpy.int64)
    for column in columns:
        distinct, ranks = numpy.unique(column, return_inverse=True)
        _, numbers = numpy.unique(numbers * len(distinct) + ranks, return_inverse=True)
    return numbers


def _shape_of(x: "Tensor", selection: Selection) -> tuple[int, ...]:
    """The shape of a part."""
    sizes = iter(x.shape)
    by_part = [1 if isinstance(part, New) else next(sizes) for part in selection.parts]
    shape: list[int] = []
    for axis in selection.axes():
        part = selection.parts[axis]
        if axis == LISTS:
            shape.extend(selection.lists_shape)
        elif isinstance(part, (Range, Steps)):
            shape.append(len(coordinates_of(part)))
        else:
            shape.append(by_part[axis])
    return tuple(shape)


def _coordinates_in(selection: Selection, places: Any, count: int) -> list[Any]:
    """Where in the tensor so many places in a part lie."""
    import numpy

    axis_of: dict[int, Any] = {}
    lists: tuple[Any, ...] = ()
    at = 0
    for axis in selection.axes():
        if axis == LISTS:
            lists = tuple(places[at : at + len(selection.lists_shape)])
            at += len(lists)
        else:
            axis_of[axis] = places[at]
            at += 1
    coordinates: list[Any] = []
    for number, part in enumerate(selection.parts):
        if isinstance(part, At):
            coordinates.append(numpy.full(count, part.coordinate))
        elif isinstance(part, Listed):
            coordinates.append(numpy.broadcast_to(part.coordinates[lists], (count,)))
        elif isinstance(part, All):
            coordinates.append(axis_of[number])
        elif isinstance(part, (Range, Steps)):
            coordinates.append(coordinates_of(part)[axis_of[number]])
    return coordinates


def _merged(
    x: "Tensor", selection: Selection, coordinates: list[Any], stored: Any, format: Format
) -> "Tensor":
    """The entries of a tensor outside of a part, and new ones inside."""
    import numpy

    before, values = export.entries_of(x._core)
    kept = ~_is_selected(selection, before)
    columns = [numpy.concatenate((old[kept], new)) for old, new in zip(before, coordinates)]
    return from_coo(columns, numpy.concatenate((values[kept], stored)), x.shape, format)


def _is_selected(selection: Selection, coordinates: Any) -> Any:
    """Which of the elements at some coordinates lie in a part."""
    import numpy

    inside = numpy.ones(len(coordinates[0]), bool)
    own: list[Any] = []
    dimensions = [part for part in selection.parts if not isinstance(part, New)]
    for part, column in zip(dimensions, coordinates):
        if isinstance(part, At):
            inside &= column == part.coordinate
        elif isinstance(part, Range):
            inside &= (column >= part.start) & (column < part.stop)
        elif isinstance(part, Steps):
            inside &= numpy.isin(column, part.coordinates)
        elif isinstance(part, Listed):
            own.append(column)
    if own:
        wanted = _lists_of(selection)
        rows = _row_numbers([numpy.concatenate(both) for both in zip(wanted, own)])
        count = len(wanted[0])
        inside &= numpy.isin(rows[count:], rows[:count])
    return inside
