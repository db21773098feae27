"""The entries of a part of a sparse tensor: its levels are walked from the root, and what a key
does not select is left out level by level."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Union

from . import _core, export
from .layouts import Layout, layout_of
from .lookups import Column, Lookup
from .selections import LISTS, All, At, Listed, New, Part, Range, Selection, Steps, Table

#: A level is searched for coordinates if that takes so many times fewer steps than it has entries.
_SEARCH_FACTOR = 32

#: The columns that are carried along while levels are walked: the number of a dimension stands for
#: places in the part along it, that of a table, with this added, for places in the table.
_TABLES = 1000


class Entries(NamedTuple):
    """Entries of a part: a column of coordinates for each of its dimensions, and the values."""

    #: None stands for the column that the offsets tell.
    columns: list[Any]
    values: Any
    #: The dimensions of the part by which the entries are sorted, the first one most; each place is
    #: there once.
    order: list[int]
    #: Whether those are all dimensions but the constant ones.
    is_sorted: bool
    #: The dimensions of size 1 that the tensor lacks; they are not among those of the order.
    constant: frozenset[int]
    #: Where the entries of each place along the first dimension of the order begin, if it is known.
    offsets: Any = None

    def column(self, axis: int) -> Any:
        """The coordinates along a dimension of the part."""
        import numpy

        found = self.columns[axis]
        if found is None:
            return numpy.repeat(numpy.arange(len(self.offsets) - 1), numpy.diff(self.offsets))
        return found


def entries_in(core: "_core.Tensor", selection: Selection) -> Entries:
    """Returns the entries of a part of a tensor, in time proportional to what is read of it."""
    layout = _walked_layout(core.format)
    if layout is None:
        core = core.convert(export.list_format_for(core.format))
        layout = layout_of(core.format.text)
        assert layout is not None
    walk = _Walk(core, layout, selection)
    for number in range(len(layout.levels)):
        walk.descend(number)
    return walk.entries()


_walked: dict[str, Optional[Layout]] = {}


def _walked_layout(format: "_core.Format") -> Optional[Layout]:
    """The layout of a format whose levels can be walked: each stores a dimension as it is, in
    order. None of other formats."""
    text = format.text
    try:
        return _walked[text]
    except KeyError:
        layout = layout_of(text)
        found = layout is not None and is_walked(layout)
        return _walked.setdefault(text, layout if found else None)


def is_walked(layout: Layout) -> bool:
    """Whether the levels of a layout can be walked."""
    kinds = [level.format for level in layout.levels]
    if sorted(level.coordinate for level in layout.levels) != sorted(layout.dimensions):
        return False
    if is_list(layout):
        return True
    return bool(kinds) and set(kinds) <= {"dense", "compressed"} and "compressed" in kinds


def is_list(layout: Layout) -> bool:
    """Whether a layout is that of a list of entries, in order and each place once."""
    kinds = [level.format for level in layout.levels]
    return (
        len(kinds) > 1
        and kinds[0] == "compressed(nonunique)"
        and set(kinds[1:-1]) <= {"singleton(nonunique)"}
        and kinds[-1] == "singleton"
    )


class _Walk:
    """What has been selected of a storage, down to some level."""

    def __init__(self, core: "_core.Tensor", layout: Layout, selection: Selection) -> None:
        self._core = core
        self._sizes = core.shape
        self._layout = layout
        self._selection = selection
        self._parts = selection.of_dimensions()
        self._is_list = is_list(layout)
        self._tables = selection.tables()
        self._table_of = {
            dimension: number
            for number, table in enumerate(self._tables)
            for dimension in table.dimensions
        }
        #: The positions at this level, and what is known of each.
        self._positions: Union[slice, Any] = slice(0, 1)
        self._columns: dict[int, Any] = {}
        #: What is known of the positions above, and where those below each begin.
        self._above: dict[int, Any] = {}
        self._offsets: Any = None
        #: The tables in which coordinates have been looked up, by dimensions.
        self._looked_up: dict[int, Column] = {}
        #: The columns by which the positions are sorted, and whether those are all so far.
        self._order: list[int] = []
        self._is_sorted = True
        #: Whether the positions have the same coordinates so far.
        self._is_tied = True

    def descend(self, number: int) -> None:
        """Selects positions of a level among those below what has been selected above."""
        level = self._layout.levels[number]
        dimension = self._layout.dimensions.index(level.coordinate)
        part = self._parts[dimension]
        self._settle()
        if level.format == "dense":
            self._descend_dense(dimension, part, number)
        else:
            self._descend_stored(dimension, part, number)
        self._is_tied = self._is_tied and isinstance(part, At)

    # ---- Dense levels ----

    def _descend_dense(self, dimension: int, part: Part, number: int) -> None:
        import numpy

        size = self._sizes[dimension]
        if isinstance(part, Listed):
            self._descend_listed(number, dimension)
            return
        first, step, count = _window_of(part, size)
        places = numpy.arange(count)
        self._multiply(size, places if (first, step) == (0, 1) else first + step * places)
        if not isinstance(part, At):
            self._add_repeated(dimension, places)

    def _descend_listed(self, number: int, dimension: int) -> None:
        """Goes down a dense level, to the coordinates in a table."""
        import numpy

        size, index = self._sizes[dimension], self._table_of[dimension]
        table = self._tables[index]
        column = table.column_of(dimension)
        key = _TABLES + index
        if key in self._columns:
            self._positions = self._position_array() * size + column[self._columns[key]]
        elif self._follows_rows(number, table):
            self._multiply(size, column)
            self._add_repeated(key, numpy.arange(len(column)))
        else:
            distinct = numpy.unique(column)
            parents = self._count()
            self._multiply(size, distinct)
            self._join(dimension, numpy.tile(distinct, parents))

    def _follows_rows(self, number: int, table: Table) -> bool:
        """Whether rows of a table, whose first dimension a level stores, are followed from there,
        because the levels below it store the others."""
        left = len(table.dimensions)
        return not any(one in self._columns for one in table.dimensions) and all(
            self._layout.dimensions.index(level.coordinate) in table.dimensions
            for level in self._layout.levels[number : number + left]
        )

    def _multiply(self, size: int, chosen: Any) -> None:
        """Goes to the chosen children of each position."""
        import numpy

        count = len(chosen)
        is_run = count and chosen[-1] - chosen[0] == count - 1 and (numpy.diff(chosen) == 1).all()
        positions = self._positions
        self._repeat(count)
        if isinstance(positions, slice) and is_run:
            begin, end = positions.start, positions.stop
            if end - begin == 1 or count == size:
                first = begin * size + int(chosen[0])
                self._positions = slice(first, first + count * (end - begin))
                return
        self._positions = (self._position_array()[:, None] * size + chosen).reshape(-1)

    def _add_repeated(self, key: int, own: Any) -> None:
        """Adds a column with the same for all parents."""
        import numpy

        parents = self._count() // max(len(own), 1)
        self._columns[key] = own if parents == 1 else numpy.tile(own, parents)
        self._sort_by(key, True)

    # ---- Levels that store coordinates ----

    def _descend_stored(self, dimension: int, part: Part, number: int) -> None:
        crd = self._array("crd", number)
        is_singleton = self._layout.levels[number].format.startswith("singleton")
        bounds = _bounds_of(part)
        if isinstance(part, Listed) and _TABLES + self._table_of[dimension] in self._columns:
            self._find_rows(number, dimension, crd)
        elif bounds and self._is_tied and isinstance(self._positions, slice):
            begin, end = self._positions.start, self._positions.stop
            if not is_singleton:
                pos = self._array("pos", number)
                begin, end = int(pos[begin]), int(pos[end])
            self._positions = _within(crd, begin, end, *bounds)
            self._select_own(dimension, part, crd)
        elif is_singleton:
            self._select_own(dimension, part, crd)
        else:
            self._select_below(dimension, part, crd, *self._children(number, crd, bounds))

    def _children(self, number: int, crd: Any, bounds: Optional[tuple[int, int]]) -> Any:
        """Where the children of each position begin and end, or those within bounds."""
        import numpy

        pos = self._array("pos", number)
        positions = self._positions
        if isinstance(positions, slice):
            own = pos[positions.start : positions.stop + 1].astype(numpy.int64)
            begins, ends = own[:-1], own[1:]
        else:
            begins = pos[positions].astype(numpy.int64)
            ends = pos[positions + 1].astype(numpy.int64)
        if bounds is not None:
            stored = int(numpy.sum(ends - begins))
            if len(begins) * _SEARCH_FACTOR < stored:
                begins = _lower_bounds(crd, begins, ends, numpy.full(len(begins), bounds[0]))
                ends = _lower_bounds(crd, begins, ends, numpy.full(len(begins), bounds[1]))
        return begins, ends

    def _select_below(self, dimension: int, part: Part, crd: Any, begins: Any, ends: Any) -> None:
        """Goes to the children between begins and ends that the part of a dimension selects."""
        import numpy

        self._above, self._columns = self._columns, {}
        if isinstance(part, All) and isinstance(self._positions, slice):
            self._offsets = numpy.zeros(len(begins) + 1, numpy.int64)
            numpy.cumsum(ends - begins, out=self._offsets[1:])
            first = int(begins[0]) if len(begins) else 0
            self._positions = slice(first, first + int(self._offsets[-1]))
            self._columns[dimension] = crd[self._positions]
            self._sort_by(dimension, True)
            return
        self._offsets, self._positions, places = self._selected(dimension, part, crd, begins, ends)
        self._add_selected(dimension, part, crd, places)

    def _select_own(self, dimension: int, part: Part, crd: Any) -> None:
        """Selects among the positions themselves, which have coordinates in this level."""
        import numpy

        own = crd[self._positions]
        if isinstance(part, All):
            self._columns[dimension] = own
            self._sort_by(dimension, True)
            return
        begins, ends = numpy.zeros(1, numpy.int64), numpy.full(1, len(own), numpy.int64)
        _, kept, places = self._selected(dimension, part, own, begins, ends)
        self._take(kept)
        self._add_selected(dimension, part, crd, places)

    def _selected(self, dimension: int, part: Part, crd: Any, begins: Any, ends: Any) -> Any:
        """What a part selects among coordinates between begins and ends: where it begins below
        each, its positions, and its places in the part."""
        import numpy

        offsets = numpy.empty(len(begins) + 1, numpy.int64)
        inputs = (begins, ends, _wide(crd))
        most = int(numpy.sum(ends - begins))
        if isinstance(part, Listed):
            column = self._column_for(dimension, most)
            listed = (*inputs, column.numbers, column.starts, column.order)
            if not column.is_unique:
                most = _core.select_listed(listed, column.is_direct, (offsets,))
            positions, places = numpy.empty((2, most), numpy.int64)
            outputs = (offsets, positions, places)
            total = _core.select_listed(listed, column.is_direct, outputs)
        else:
            positions, places = numpy.empty((2, most), numpy.int64)
            window = _window_of(part, self._sizes[dimension])
            total = _core.select_window(inputs, *window, (offsets, positions, places))
        return offsets, positions[:total], places[:total]

    def _add_selected(self, dimension: int, part: Part, crd: Any, places: Any) -> None:
        if isinstance(part, Listed):
            table = self._tables[self._table_of[dimension]]
            if len(table.dimensions) > 1:
                self._settle()
                self._join(dimension, crd[self._positions])
                return
            key = _TABLES + self._table_of[dimension]
            self._columns[key] = places
            column = self._looked_up[dimension]
            self._sort_by(key, column.ascends and (column.is_unique or not self._is_list))
        elif not isinstance(part, At):
            self._columns[dimension] = places
            self._sort_by(dimension, not isinstance(part, Steps) or part.step > 0)

    # ---- Tables ----

    def _column_for(self, dimension: int, count: int) -> Column:
        """What so many coordinates along a dimension are looked up in: its table, or of a table
        with several the distinct coordinates."""
        import numpy

        table = self._tables[self._table_of[dimension]]
        column = table.column_of(dimension)
        if len(table.dimensions) > 1:
            column = numpy.unique(column)
        self._looked_up[dimension] = Column.of(column, self._sizes[dimension], count)
        return self._looked_up[dimension]

    def _find_rows(self, number: int, dimension: int, crd: Any) -> None:
        """Searches the children of each position for the coordinate in its row of a table."""
        import numpy

        index = self._table_of[dimension]
        column = self._tables[index].column_of(dimension)
        wanted = column[self._columns[_TABLES + index]]
        pos = self._array("pos", number)
        parents = self._position_array()
        begins, ends = pos[parents].astype(numpy.int64), pos[parents + 1].astype(numpy.int64)
        places = _lower_bounds(crd, begins, ends, wanted)
        found = places < ends
        if len(crd):
            found &= crd[numpy.minimum(places, len(crd) - 1)] == wanted
        self._positions = places
        self._take(numpy.flatnonzero(found))

    def _join(self, dimension: int, own: Any) -> None:
        """Notes the coordinates along a dimension of a table with several; at the last of them,
        looks up all together."""
        index = self._table_of[dimension]
        table = self._tables[index]
        self._columns[dimension] = own
        self._is_sorted = False
        if not all(one in self._columns for one in table.dimensions):
            return
        columns = [self._columns.pop(one) for one in table.dimensions]
        extents = [self._sizes[one] for one in table.dimensions]
        kept, rows = Lookup(table.columns).find(columns, extents)
        self._take(kept)
        self._columns[_TABLES + index] = rows

    # ---- What is known of the positions ----

    def _settle(self) -> None:
        """Repeats what is known of the positions above for those below them."""
        import numpy

        if self._offsets is not None:
            counts = numpy.diff(self._offsets)
            for key, column in self._above.items():
                self._columns[key] = numpy.repeat(column, counts)
            self._above, self._offsets = {}, None

    def _sort_by(self, key: int, keeps_order: bool) -> None:
        """Notes that positions are sorted by another column, too, or by no more from now on."""
        self._is_sorted = self._is_sorted and keeps_order
        if self._is_sorted:
            self._order.append(key)

    def _count(self) -> int:
        positions = self._positions
        if isinstance(positions, slice):
            return int(positions.stop - positions.start)
        return len(positions)

    def _position_array(self) -> Any:
        import numpy

        positions = self._positions
        if isinstance(positions, slice):
            return numpy.arange(positions.start, positions.stop)
        return positions

    def _take(self, kept: Any) -> None:
        positions = self._positions
        if isinstance(positions, slice):
            self._positions = positions.start + kept
        else:
            self._positions = positions[kept]
        for key, column in self._columns.items():
            self._columns[key] = column[kept]

    def _repeat(self, counts: int) -> None:
        import numpy

        for key, column in self._columns.items():
            self._columns[key] = numpy.repeat(column, counts)

    def _array(self, name: str, number: int) -> Any:
        for index, (own, level, _) in enumerate(self._core.format.arrays):
            if own == name and level == number:
                return export.array_of(self._core, index)
        raise AssertionError(f"level {number} has no {name}")

    # ---- The result ----

    def entries(self) -> Entries:
        """What has been selected, by the dimensions of the part."""
        import numpy

        values = export.array_of(self._core, len(self._core.format.arrays) - 1)
        offsets = self._row_offsets()
        if offsets is None:
            self._settle()
        else:
            self._columns[next(iter(self._above))] = None
        columns: list[Any] = []
        axes: dict[int, list[int]] = {}
        count = self._count()
        dimensions = iter(range(len(self._parts)))
        dimension_of = [
            None if isinstance(part, New) else next(dimensions) for part in self._selection.parts
        ]
        for axis in self._selection.axes():
            if axis == LISTS:
                columns.extend(self._listed_columns(count, len(columns), axes))
                continue
            dimension = dimension_of[axis]
            if dimension is None:
                columns.append(numpy.zeros(count, numpy.int64))
            else:
                axes[dimension] = [len(columns)]
                columns.append(self._columns[dimension])
        order = [axis for key in self._order for axis in axes[key]]
        known = {axis for own in axes.values() for axis in own}
        constant = frozenset(range(len(columns))) - known
        return Entries(
            columns, values[self._positions], order, self._is_sorted, constant, offsets
        )

    def _row_offsets(self) -> Any:
        """Where the entries below each position above begin, if those are all places of the only
        other dimension in order; else None."""
        import numpy

        if self._offsets is None or len(self._above) != 1:
            return None
        (column,) = self._above.values()
        (key,) = self._above
        has_axis = key < _TABLES or len(self._tables[key - _TABLES].axes) == 1
        is_all = has_axis and self._order[:1] == [key]
        is_all = is_all and bool((column == numpy.arange(len(column))).all())
        return self._offsets if is_all else None

    def _listed_columns(self, count: int, first: int, axes: dict[int, list[int]]) -> list[Any]:
        """The columns of the dimensions of the arrays, of which the first has some number; notes
        the dimensions of each table."""
        import numpy

        zeros = numpy.zeros(count, numpy.int64)
        columns: list[Any] = [zeros] * len(self._selection.lists_shape)
        for index, table in enumerate(self._tables):
            rows = self._columns[_TABLES + index]
            axes[_TABLES + index] = [first + axis for axis in table.axes]
            if not table.axes:
                continue
            unraveled = [rows] if len(table.axes) == 1 else numpy.unravel_index(rows, table.shape)
            for axis, column in zip(table.axes, unraveled):
                columns[axis] = column
        return columns


def _window_of(part: Part, size: int) -> tuple[int, int, int]:
    """The first coordinate that a part takes of a dimension, the distance of the next, and how many
    they are."""
    if isinstance(part, At):
        return part.coordinate, 1, 1
    if isinstance(part, Range):
        return part.start, 1, part.stop - part.start
    return part if isinstance(part, Steps) else (0, 1, size)


def _bounds_of(part: Part) -> Optional[tuple[int, int]]:
    """The first coordinate of a part and the one behind its last; None of all, and of lists."""
    if isinstance(part, At):
        return part.coordinate, part.coordinate + 1
    if isinstance(part, Range):
        return part.start, part.stop
    if isinstance(part, Steps) and part.size:
        ends = part.start, part.start + (part.size - 1) * part.step
        return min(ends), max(ends) + 1
    return None


def _within(crd: Any, begin: int, end: int, low: int, high: int) -> slice:
    """The places between two others where coordinates, which ascend, are within bounds."""
    import numpy

    own = crd[begin:end]
    most = numpy.iinfo(own.dtype).max
    first, last = (
        len(own) if bound > most else int(numpy.searchsorted(own, own.dtype.type(bound)))
        for bound in (low, high)
    )
    return slice(begin + first, begin + last)


def _wide(crd: Any) -> Any:
    """Coordinates of 32 or 64 bits."""
    import numpy

    return crd if crd.dtype in (numpy.int32, numpy.int64) else crd.astype(numpy.int64)


def _lower_bounds(crd: Any, begins: Any, ends: Any, wanted: Any) -> Any:
    """For each range of places, in which coordinates ascend, the first whose coordinate is not less
    than the wanted one; the range's end if there is none."""
    import numpy

    found = numpy.empty(len(begins), numpy.int64)
    wide = numpy.ascontiguousarray(wanted, numpy.int64)
    begins, ends = numpy.ascontiguousarray(begins), numpy.ascontiguousarray(ends)
    _core.lower_bounds((begins, ends, _wide(crd), wide), (found,))
    return found
