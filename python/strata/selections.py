"""What the keys in brackets select: integers, slices, None, Ellipsis, arrays of integers or bool."""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple, Optional, Union

from . import conversion, export, handles, hypersparse, machines
from .errors import BoundsError, DensifyError, UnsupportedError


class All(NamedTuple):
    """All of a dimension."""


class At(NamedTuple):
    """One coordinate of a dimension, which the result lacks."""

    coordinate: int


class Range(NamedTuple):
    """Neighbouring coordinates of a dimension."""

    start: int
    stop: int


class Steps(NamedTuple):
    """So many coordinates of a dimension at equal distances, which may be negative."""

    start: int
    step: int
    size: int


class Listed(NamedTuple):
    """The coordinates of a dimension in an array. The shapes of all arrays of a selection are
    broadcast to one, whose dimensions are the result's."""

    coordinates: Any


class New(NamedTuple):
    """A new dimension of size 1."""


Part = Union[All, At, Range, Steps, Listed, New]


class Table(NamedTuple):
    """Arrays of coordinates that vary along dimensions of the arrays that they share. Those of
    ``A[rows, columns]`` are one table, and those of ``A[numpy.ix_(rows, columns)]`` two, which
    are never multiplied out."""

    #: The dimensions of the tensor.
    dimensions: tuple[int, ...]
    #: The coordinates along each of them, row by row.
    columns: tuple[Any, ...]
    #: The dimensions of the arrays along which the table runs, and their sizes.
    axes: tuple[int, ...]
    shape: tuple[int, ...]

    def column_of(self, dimension: int) -> Any:
        """The coordinates along a dimension."""
        return self.columns[self.dimensions.index(dimension)]


#: Stands for a place before all parts.
BEFORE_ALL = -1
#: Stands for the dimensions of arrays.
LISTS = -1


class Selection(NamedTuple):
    """A part of a tensor: what is taken of each dimension, and of new ones between them."""

    parts: list[Part]
    #: The part in whose place the result has the dimensions of the arrays. It begins with those
    #: where arrays, and integers beside them, are not neighbours. None without arrays.
    lists_at: Optional[int]
    #: The shape to which those of the arrays are broadcast.
    lists_shape: tuple[int, ...]

    def is_all(self) -> bool:
        """Whether the key selects the tensor as it is."""
        return all(isinstance(part, All) for part in self.parts)

    def axes(self) -> list[int]:
        """The dimensions of the result, each as the number of its part; :data:`LISTS` stands for
        those of the arrays."""
        axes: list[int] = [LISTS] if self.lists_at == BEFORE_ALL else []
        for number, part in enumerate(self.parts):
            if number == self.lists_at:
                axes.append(LISTS)
            if not isinstance(part, (At, Listed)):
                axes.append(number)
        return axes


    def of_dimensions(self) -> list[Part]:
        """The parts without new dimensions: one for each dimension of the tensor."""
        return [part for part in self.parts if not isinstance(part, New)]

    def shape_of(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of the part of a tensor of some shape."""
        sizes = iter(shape)
        by_part = [size_of(part, sizes) for part in self.parts]
        found: list[int] = []
        for axis in self.axes():
            found.extend(self.lists_shape if axis == LISTS else (by_part[axis],))
        return tuple(found)

    def tables(self) -> list[Table]:
        """The arrays, apart as far as they vary along different dimensions."""
        import numpy

        arrays: dict[int, Any] = {}
        for dimension, part in enumerate(self.of_dimensions()):
            if isinstance(part, Listed):
                own = part.coordinates
                arrays[dimension] = own.reshape(
                    (1,) * (len(self.lists_shape) - own.ndim) + own.shape
                )
        tables: list[Table] = []
        for axes, dimensions in _which_share_axes(arrays):
            shape = tuple(self.lists_shape[axis] for axis in axes)
            along = [1] * len(self.lists_shape)
            for axis, size in zip(axes, shape):
                along[axis] = size
            columns = [
                numpy.broadcast_to(arrays[dimension], along).reshape(-1).astype(numpy.int64)
                for dimension in dimensions
            ]
            tables.append(Table(dimensions, tuple(columns), axes, shape))
        return tables


def size_of(part: Part, sizes: Iterator[int]) -> int:
    """How many coordinates a part takes of its dimension, the next one of some sizes; of arrays it
    is the size of the dimension."""
    if isinstance(part, New):
        return 1
    size = next(sizes)
    if isinstance(part, Range):
        return part.stop - part.start
    return part.size if isinstance(part, Steps) else size


def _which_share_axes(arrays: dict[int, Any]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The dimensions of tensors whose arrays vary along common axes, and those axes."""
    groups: list[tuple[set[int], list[int]]] = []
    for dimension, array in arrays.items():
        axes = {axis for axis, size in enumerate(array.shape) if size != 1}
        dimensions = [dimension]
        apart = []
        for group in groups:
            if group[0] & axes:
                axes |= group[0]
                dimensions = group[1] + dimensions
            else:
                apart.append(group)
        groups = [*apart, (axes, dimensions)]
    return [(tuple(sorted(axes)), tuple(sorted(own))) for axes, own in groups]


class _Truth(NamedTuple):
    """An array of truth values: its shape, and the coordinates at which it is true."""

    shape: tuple[int, ...]
    coordinates: tuple[Any, ...]


def select(key: Any, shape: tuple[int, ...]) -> Selection:
    """Finds what a key selects of a tensor of some shape, as NumPy does.

    Raises:
        BoundsError: A coordinate lies outside, there are too many, or an index is of another type.
    """
    items = [_truth_or_itself(item) for item in (key if isinstance(key, tuple) else (key,))]
    dots = [at for at, item in enumerate(items) if item is Ellipsis]
    if len(dots) > 1:
        raise BoundsError("an index has at most one ellipsis")
    used = sum(map(_dimensions_of, items))
    if used > len(shape):
        raise BoundsError(f"{used} indices for a tensor of {len(shape)} dimensions")
    at = dots[0] if dots else len(items)
    items[at : at + 1] = [slice(None)] * (len(shape) - used)
    parts: list[Part] = []
    dimension = 0
    for item in items:
        sizes = shape[dimension : dimension + _dimensions_of(item)]
        if isinstance(item, _Truth):
            if item.shape != sizes:
                raise BoundsError(
                    f"truth values of the shape {item.shape} for dimensions of the sizes {sizes}"
                )
            parts.extend(map(Listed, item.coordinates))
        else:
            parts.append(New() if item is None else _part(item, dimension, *sizes))
        dimension += len(sizes)
    # (An ellipsis keeps arrays apart even where it stands for no dimension.)
    apart = at if dots and used == len(shape) else None
    return _selection_of(parts, None if apart is None else sum(map(_parts_of, items[:apart])))


def _parts_of(item: Any) -> int:
    """How many parts an index makes."""
    return len(item.coordinates) if isinstance(item, _Truth) else 1


def _dimensions_of(item: Any) -> int:
    """How many dimensions an index is for."""
    if item is None or item is Ellipsis:
        return 0
    return len(item.shape) if isinstance(item, _Truth) else 1


def _truth_or_itself(item: Any) -> Any:
    import numpy

    if item is None or item is Ellipsis or isinstance(item, slice) or integer(item) is not None:
        return item
    tensor = conversion.asarray(item) if hasattr(item, "tocoo") else item
    if type(tensor) is handles.Tensor:
        if tensor.ndim and tensor.dtype == bool:
            return _Truth(tensor.shape, _true_coordinates(tensor))
        return listed_coordinates(tensor)
    array = numpy.asarray(item)
    if array.dtype != bool:
        return array
    if not array.ndim:
        raise UnsupportedError("a single truth value is no index")
    return _Truth(array.shape, numpy.nonzero(array))


def listed_coordinates(x: Any) -> Any:
    """Returns the elements of a tensor of coordinates as an array of NumPy.

    Raises:
        DensifyError: It is sparse, and has very many elements.
    """
    if x.size > hypersparse.MOST_ELEMENTS and not x._core.format.is_full:
        raise DensifyError(
            f"{x.size} coordinates would be listed, of which few are stored",
            "asformat('Dense') lists them",
        )
    return x.to_numpy(allow_dense=True)


def _true_coordinates(x: Any) -> tuple[Any, ...]:
    """The coordinates of the elements of a tensor of truth values that are true, in order."""
    import numpy

    if x._core.format.is_full or x.fill:
        return numpy.nonzero(x.todense())
    coordinates, values = export.entries_of(machines.whole_of(x._core))
    return tuple(column[values] for column in coordinates)


def numpy_key(key: Any) -> Any:
    """A key as NumPy takes it: tensors and sparse arrays in it become arrays."""
    return tuple(map(_numpy_item, key)) if isinstance(key, tuple) else _numpy_item(key)


def _numpy_item(item: Any) -> Any:
    tensor = conversion.asarray(item) if hasattr(item, "tocoo") else item
    return tensor.todense() if type(tensor) is handles.Tensor else item


def coordinates_of(part: Union[Range, Steps], places: Any) -> Any:
    """Where in the tensor some places in a part lie, along its dimension."""
    return part.start + places * (part.step if isinstance(part, Steps) else 1)


def integer(x: Any) -> Optional[int]:
    """The value of an integer of Python's, NumPy's or Strata's; None if it is something else."""
    if isinstance(x, bool) or hasattr(x, "shape") and x.shape != ():
        return None
    try:
        return int(x.__index__())
    except (AttributeError, TypeError):
        return None


def _part(item: Any, dimension: int, size: int) -> Part:
    import numpy

    if isinstance(item, slice):
        start, stop, step = item.indices(size)
        if (start, stop, step) == (0, size, 1):
            return All()
        if step == 1:
            return Range(start, max(start, stop))
        count = len(range(start, stop, step))
        if count <= 1:  # (The step may be larger than any array's.)
            return Range(start, start + 1) if count else Range(0, 0)
        return Steps(start, step, count)
    number = integer(item)
    if number is not None:
        if not -size <= number < size:
            raise BoundsError(f"{number} is outside of dimension {dimension}, whose size is {size}")
        return At(number + size if number < 0 else number)
    array = numpy.asarray(item)
    if array.dtype.kind not in "iu" and array.size:
        raise BoundsError(
            "brackets take integers, slices, None, Ellipsis, and arrays of integers or truth values"
        )
    array = array.astype(numpy.int64)
    if ((array < -size) | (array >= size)).any():
        raise BoundsError(f"an index is outside of dimension {dimension}, whose size is {size}")
    return Listed(numpy.where(array < 0, array + size, array))


def _selection_of(parts: list[Part], apart: Optional[int]) -> Selection:
    """Finds out whether arrays fit each other, and where their dimensions belong. Parts before and
    from the number `apart` on are no neighbours."""
    import numpy

    lists = [part.coordinates for part in parts if isinstance(part, Listed)]
    if not lists:
        return Selection(parts, None, ())
    try:
        shape = numpy.broadcast_shapes(*(array.shape for array in lists))
    except ValueError:
        shapes = " and ".join(str(array.shape) for array in lists)
        raise BoundsError(f"arrays of indices have shapes that do not fit: {shapes}") from None
    listed = [number for number, part in enumerate(parts) if isinstance(part, (Listed, At))]
    are_neighbours = listed[-1] - listed[0] + 1 == len(listed)
    if apart is not None and listed[0] < apart <= listed[-1]:
        are_neighbours = False
    return Selection(parts, listed[0] if are_neighbours else BEFORE_ALL, shape)
