"""Entries of a tensor from the rows of a table, taken batch by batch: ids that become indices, and
sums of what several rows say of one place before there are too many rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

import numpy

from . import creation, dtypes, export
from .arrow_columns import Column, Texts
from .errors import ArgumentError, DTypeError, ShapeError
from .formats import Format

if TYPE_CHECKING:
    from .tensors import Tensor

#: What ids may be: one word for all columns of coordinates, or one for each of some of them.
Ids = Union[str, Mapping[str, str], None]
_IDS = ("index", "appearance", "sorted")
_EDGES = ("directed", "undirected", "bipartite")

#: So many rows are taken before those of one place are summed; later, as many as there are sums.
ROWS_BEFORE_SUMS = 1 << 22


class _Numbering:
    """Numbers ids in the order in which they appear, and at the end in another one."""

    def __init__(self, is_sorted: bool) -> None:
        self.is_sorted = is_sorted
        self.numbers: dict[Any, int] = {}

    def __len__(self) -> int:
        return len(self.numbers)

    def add(self, columns: list[Column]) -> list[Any]:
        """Returns the numbers of the ids in columns, of which those of a row come one after the
        other."""
        parts = [_ids_of(column) for column in columns]
        if any(isinstance(column, Texts) for column in columns):
            parts = [(list(map(str, values)), rows) for values, rows in parts]
        firsts = numpy.concatenate(
            [
                numpy.unique(rows, return_index=True)[1] * len(parts) + at
                for at, (_, rows) in enumerate(parts)
            ]
        )
        every = [value for values, _ in parts for value in values]
        for at in numpy.argsort(firsts, kind="stable").tolist():
            self.numbers.setdefault(every[at], len(self.numbers))
        return [
            numpy.asarray([self.numbers[value] for value in values], numpy.int64)[rows]
            for values, rows in parts
        ]

    def names(self) -> tuple[list[str], Optional[Any]]:
        """Returns the ids as texts, in order of their numbers, and the new number of each if they
        are sorted."""
        found = list(self.numbers)
        if not self.is_sorted:
            return [str(value) for value in found], None
        try:  # as numbers, if all of them are
            keys: list[Any] = [int(value) for value in found]
        except ValueError:
            keys = [str(value) for value in found]
        order = sorted(range(len(found)), key=keys.__getitem__)
        numbers = numpy.empty(len(order), numpy.int64)
        numbers[order] = numpy.arange(len(order))
        return [str(found[at]) for at in order], numbers


def _ids_of(column: Column) -> tuple[list[Any], Any]:
    """The different ids of a column, in the order in which they appear, and the number of that of
    each row."""
    if isinstance(column, Texts):
        return column.values, column.rows
    used, first, rows = numpy.unique(column, return_index=True, return_inverse=True)
    order = numpy.argsort(first, kind="stable")
    rank = numpy.empty(len(order), numpy.int64)
    rank[order] = numpy.arange(len(order))
    return used[order].tolist(), rank[rows.ravel()]


def _indices(column: Any) -> Any:
    """Coordinates in integers with a sign."""
    if column.dtype != numpy.uint64:
        return column
    if column.size and column.max() >= 2**63 - 1:
        raise ShapeError(f"the coordinate {column.max()} lies beyond 2^63 - 2, the largest")
    return column.astype(numpy.int64)


class Entries:
    """The entries of a tensor, of which batches of rows have been taken so far."""

    def __init__(
        self,
        names: list[str],
        are_texts: list[bool],
        dtype: Any,
        duplicates: str,
        edges: Optional[str],
        ids: Ids,
    ) -> None:
        self.names, self.dtype, self.duplicates, self.edges = names, dtype, duplicates, edges
        # Sums of bfloat16 come back as other numbers.
        is_bfloat = dtype is not None and dtypes.code_of(dtype) == dtypes.BFLOAT16
        self.sums_early = duplicates == "sum" and not is_bfloat
        if edges is not None and edges not in _EDGES:
            raise ArgumentError(f"edges={edges!r} is not known", " or ".join(map(repr, _EDGES)))
        if edges is not None and len(names) != 2:
            raise ArgumentError(
                f"an edge has two ends, not {len(names)}", "coordinates=, the names of two columns"
            )
        self.numberings = self._numberings(self._words(are_texts, ids))
        self.parts: list[list[Any]] = []
        self.count = self.summed = 0

    def _words(self, are_texts: list[bool], ids: Ids) -> list[str]:
        """What the ids of each column are."""
        given = dict(ids) if isinstance(ids, Mapping) else {name: ids for name in self.names if ids}
        for name, word in given.items():
            if name not in self.names:
                raise ArgumentError(
                    f"ids= names '{name}', which has no coordinates",
                    "one of " + ", ".join(self.names),
                )
            if word not in _IDS:
                raise ArgumentError(f"ids={word!r} is not known", " or ".join(map(repr, _IDS)))
        words = []
        for name, is_text in zip(self.names, are_texts):
            word = given.get(name, "appearance" if is_text else "index")
            if is_text and word == "index":
                raise DTypeError(
                    f"the column '{name}' has texts, which are no indices",
                    'ids="appearance" or ids="sorted"',
                )
            words.append(word)
        return words

    def _numberings(self, words: list[str]) -> list[Optional[_Numbering]]:
        if self._shares_ids:
            if words[0] != words[1]:
                raise ArgumentError(
                    f"the ids of '{self.names[0]}' and '{self.names[1]}' are those of one set, "
                    f"and are {words[0]} and {words[1]}",
                    'the same of both, or edges="bipartite"',
                )
            shared = None if words[0] == "index" else _Numbering(words[0] == "sorted")
            return [shared, shared]
        return [None if word == "index" else _Numbering(word == "sorted") for word in words]

    @property
    def _shares_ids(self) -> bool:
        return self.edges in ("directed", "undirected")

    def add(self, columns: list[Column], values: Any) -> None:
        """Takes a batch: the columns of coordinates, and the values."""
        for name, column, numbering in zip(self.names, columns, self.numberings):
            if isinstance(column, Texts):
                if numbering is None:
                    raise DTypeError(f"the column '{name}' has texts in some parts", "integers in all")
            elif column.dtype.kind not in "iu":
                raise DTypeError(f"the column '{name}' has no integers", "coordinates")
        places = self._places(columns)
        self.parts.append([*places, values])
        self.count += len(values)
        if self.sums_early and self.count > max(ROWS_BEFORE_SUMS, 2 * self.summed):
            self._sum()

    def _places(self, columns: list[Column]) -> list[Any]:
        if self._shares_ids and self.numberings[0] is not None:
            return self.numberings[0].add(columns)
        return [
            numbering.add([column])[0] if numbering is not None else _indices(column)
            for numbering, column in zip(self.numberings, columns)
        ]

    def _joined(self) -> list[Any]:
        """The columns of all parts, which are let go of."""
        parts, self.parts = self.parts, []
        columns = []
        for at in range(len(self.names) + 1):
            columns.append(numpy.concatenate([part[at] for part in parts]))
            for part in parts:
                part[at] = None
        return columns

    def _sum(self) -> None:
        """Sums the values of rows with the same coordinates, in the order of the rows."""
        *places, values = self._joined()
        listed = creation.from_coo(places, values, None, "COO", dtype=self.dtype)
        sums = export.entries_of(listed._core)
        self.parts = [[*map(numpy.array, sums[0]), numpy.array(sums[1])]]
        self.count = self.summed = len(sums[1])

    def tensor(
        self, shape: Optional[tuple[int, ...]], format: Union[str, Format, None]
    ) -> tuple["Tensor", list[Optional[list[str]]]]:
        """Returns the tensor, and the ids of the indices of each dimension, where they have any."""
        *places, values = self._joined()
        names: list[Optional[list[str]]] = []
        sizes = []
        for at, numbering in enumerate(self.numberings):
            ids, numbers = numbering.names() if numbering is not None else (None, None)
            names.append(ids)
            if numbers is not None:
                places[at] = numbers[places[at]]
            top = int(places[at].max()) + 1 if places[at].size else 0
            sizes.append(top if ids is None else len(ids))
        if self._shares_ids:
            sizes = [max(sizes)] * 2
        if self.edges == "undirected":
            places, values = _both_ways(places, values)
        made = creation.from_coo(
            places,
            values,
            tuple(sizes) if shape is None else shape,
            format,
            dtype=self.dtype,
            duplicates=self.duplicates,
        )
        return made, names


def _both_ways(places: list[Any], values: Any) -> tuple[list[Any], Any]:
    """Edges in both directions, those from a vertex to itself once."""
    rows, columns = places
    others = rows != columns
    return (
        [
            numpy.concatenate([rows, columns[others]]),
            numpy.concatenate([columns, rows[others]]),
        ],
        numpy.concatenate([values, values[others]]),
    )
