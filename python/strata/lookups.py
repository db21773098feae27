"""Tables of coordinates, and where rows of coordinates stand in them."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence


class Lookup:
    """Finds rows of coordinates in a table. It takes time in proportion to the rows that are looked
    up and, but for a logarithm, those of the table; sizes of dimensions take none."""

    __slots__ = ("_distinct", "_order", "_pairs", "_starts", "ascends", "is_unique")

    def __init__(self, columns: Sequence[Any]) -> None:
        import numpy

        #: The distinct coordinates of each column; and for each but the first the distinct pairs of
        #: a number for the columns before and one for its own.
        self._distinct: list[Any] = []
        self._pairs: list[Any] = []
        numbers: Any = None
        order: Any = None
        for column in columns:
            distinct, own, own_order = _numbered(column)
            self._distinct.append(distinct)
            if numbers is None:
                numbers, order = own, own_order
            else:
                pairs, numbers, order = _numbered(numbers * len(distinct) + own)
                self._pairs.append(pairs)
        count = len((self._pairs or self._distinct)[-1])
        #: Whether no row is there twice, and whether the rows are in order.
        self.is_unique = count == len(numbers)
        self.ascends = order is None
        self._order: Any = order
        self._starts: Any = None
        if not self.is_unique:
            self._starts = numpy.zeros(count + 1, numpy.int64)
            numpy.cumsum(numpy.bincount(numbers, minlength=count), out=self._starts[1:])

    def find(self, columns: Sequence[Any], extents: Sequence[int]) -> tuple[Any, Any]:
        """Looks rows up, of whose coordinates in each column there are so many at most.

        Returns:
            The rows that are in the table, in order, and the place in the table of each; a row that
            the table has more than once comes as often, in the table's order.
        """
        import numpy

        rows, numbers = self._numbers(columns, extents)
        if self.is_unique:
            return rows, numbers if self._order is None else self._order[numbers]
        starts = self._starts
        counts = starts[numbers + 1] - starts[numbers]
        ends = numpy.cumsum(counts)
        first = numpy.repeat(starts[numbers] - (ends - counts), counts)
        places = numpy.arange(len(first)) + first
        if self._order is not None:
            places = self._order[places]
        return numpy.repeat(rows, counts), places

    def contains(self, columns: Sequence[Any], extents: Sequence[int]) -> Any:
        """Returns whether each row is in the table. Arguments are those of :meth:`find`."""
        import numpy

        found = numpy.zeros(len(columns[0]), bool)
        found[self._numbers(columns, extents)[0]] = True
        return found

    def last_places(self) -> Any:
        """The last place of each distinct row, in the order of the rows."""
        import numpy

        if self.is_unique:
            count = len((self._pairs or self._distinct)[-1])
            return numpy.arange(count) if self._order is None else self._order
        last = self._starts[1:] - 1
        return last if self._order is None else self._order[last]

    def _numbers(self, columns: Sequence[Any], extents: Sequence[int]) -> tuple[Any, Any]:
        """The rows that are in the table, and their numbers among the distinct ones there."""
        rows, numbers = _found(columns[0], self._distinct[0], extents[0])
        for at, column in enumerate(columns[1:]):
            distinct, pairs = self._distinct[at + 1], self._pairs[at]
            kept, own = _found(column[rows], distinct, extents[at + 1])
            among, numbers = _found(numbers[kept] * len(distinct) + own, pairs, None)
            rows = rows[kept[among]]
        return rows, numbers


def _numbered(column: Any) -> tuple[Any, Any, Any]:
    """The distinct numbers of a column in order, which of them stands in each place, and the places
    in order of their numbers; None if they are in that order."""
    import numpy

    if (column[1:] > column[:-1]).all():
        return column, numpy.arange(len(column)), None
    order = None
    ascending = column
    if not (column[1:] >= column[:-1]).all():
        order = numpy.argsort(column, kind="stable")
        ascending = column[order]
    is_first = numpy.concatenate(([True], ascending[1:] > ascending[:-1]))
    numbers = numpy.cumsum(is_first) - 1
    if order is not None:
        scattered = numpy.empty_like(numbers)
        scattered[order] = numbers
        numbers = scattered
    return ascending[is_first], numbers, order


def _found(column: Any, distinct: Any, extent: Optional[int]) -> tuple[Any, Any]:
    """Which numbers of a column are among distinct ones in order, and where there."""
    import numpy

    if not len(distinct):
        return numpy.empty(0, numpy.int64), numpy.empty(0, numpy.int64)
    numbers = None if extent is None else _direct_numbers(distinct, extent, len(column))
    if numbers is not None:
        at = numbers[column]
        rows = numpy.flatnonzero(at >= 0)
    else:
        at = numpy.searchsorted(distinct, column)
        numpy.minimum(at, len(distinct) - 1, out=at)
        rows = numpy.flatnonzero(distinct[at] == column)
    return rows, at[rows]


class Column(NamedTuple):
    """A table of one column, as loops over coordinates look it up: numbers of the distinct ones,
    where the places of each begin, and the places. Empty arrays stand for one place each, and for
    places that are the numbers."""

    numbers: Any
    starts: Any
    order: Any
    #: Whether there is a number for each coordinate, -1 where there is none, instead of those of the
    #: distinct coordinates in order.
    is_direct: bool
    #: Whether the coordinates are in order.
    ascends: bool

    @property
    def is_unique(self) -> bool:
        """Whether no coordinate is there twice."""
        return not len(self.starts)

    @classmethod
    def of(cls, column: Any, extent: int, count: int) -> "Column":
        """Makes it of coordinates, for so many look-ups of coordinates below an extent."""
        import numpy

        none = numpy.empty(0, numpy.int64)
        ascends = bool((column[1:] >= column[:-1]).all())
        places = numpy.arange(len(column))
        if extent <= 2 * (count + len(column)):
            numbers = numpy.full(extent, -1, numpy.int64)
            numbers[column] = places
            if (numbers[column] == places).all():
                return cls(numbers, none, none, True, ascends)
        distinct, own, order = _numbered(column)
        starts = none
        if len(distinct) < len(column):
            starts = numpy.zeros(len(distinct) + 1, numpy.int64)
            numpy.cumsum(numpy.bincount(own, minlength=len(distinct)), out=starts[1:])
        order = none if order is None else order
        direct = _direct_numbers(distinct, extent, count)
        numbers = distinct if direct is None else direct
        return cls(numbers, starts, order, direct is not None, ascends)


def _direct_numbers(distinct: Any, extent: int, count: int) -> Any:
    """A number for each coordinate, -1 for those that are not there, if that takes no more memory
    than what is looked up; else None."""
    import numpy

    if extent > 2 * (count + len(distinct)):
        return None
    numbers = numpy.full(extent, -1, numpy.int64)
    numbers[distinct] = numpy.arange(len(distinct))
    return numbers
