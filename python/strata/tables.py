"""Tables of entries: columns for the coordinates of each dimension, and one of values.

Any library's table that speaks Arrow's C interface is read (pyarrow, polars, pandas, DuckDB, ...),
without pyarrow. Files of Arrow and Parquet are read and written by pyarrow.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any, Literal, Optional, Sequence, Union, overload

import numpy

from . import arrow_columns, export, table_files
from .arrow_columns import Columns, Texts
from .errors import ArgumentError, DTypeError, FileError
from .formats import Format
from .table_entries import Entries, Ids

if TYPE_CHECKING:
    from .tensors import Tensor

_SHAPE = b"strata.shape"

#: A column of values by its name, or one value for all rows.
Values = Union[str, bool, int, float, None]


def _shape_said(metadata: dict[bytes, bytes]) -> Optional[tuple[int, ...]]:
    text = metadata.get(_SHAPE)
    if text is None:
        return None
    try:
        return tuple(int(size) for size in text.decode().split(","))
    except ValueError:
        raise ArgumentError(f"the table's metadata 'strata.shape' is {text!r}", "sizes") from None


def choose_columns(
    names: list[str], coordinates: Optional[Sequence[str]], values: Values, edges: Optional[str]
) -> tuple[list[str], Optional[str]]:
    """Returns the names of the columns of coordinates, and that of the values, unless one value
    stands for all."""
    if not names:
        raise ArgumentError("the table has no columns", "coordinates and values")
    if values is None and edges is not None:
        values = True if len(names) == 2 or coordinates == names else None
    last = names[-1] if values is None else values if isinstance(values, str) else None
    if coordinates is None and names == [last]:
        raise ArgumentError(
            f"the table has no column but '{last}'", "columns of coordinates and one of values"
        )
    chosen = [name for name in names if name != last] if coordinates is None else list(coordinates)
    for name in chosen if last is None else [*chosen, last]:
        if names.count(name) != 1:
            raise ArgumentError(
                f"the table has {names.count(name)} columns '{name}'",
                "one of " + ", ".join(names),
            )
    return chosen, last


class _Reading:
    """A table that is being read: which columns are meant, and the entries so far."""

    def __init__(
        self,
        coordinates: Optional[Sequence[str]],
        values: Values,
        dtype: Any,
        duplicates: str,
        edges: Optional[str],
        ids: Ids,
    ) -> None:
        self.coordinates, self.values = coordinates, values
        self.options = (dtype, duplicates, edges, ids)
        self.edges = edges
        self.entries: Optional[Entries] = None

    def take(self, table: Any) -> dict[bytes, bytes]:
        """Takes all rows of a table, and returns its metadata."""
        with arrow_columns.opened(table) as (columns, batches):
            places, last = choose_columns(columns.names, self.coordinates, self.values, self.edges)
            columns.chosen = [columns.names.index(name) for name in places]
            if last is not None:
                columns.chosen.append(columns.names.index(last))
            if self.entries is None:
                are_texts = [columns.is_text(at) for at in columns.chosen[: len(places)]]
                self.entries = Entries(places, are_texts, *self.options)
                self._add(columns.empty(), last, 0)
            for batch in batches:
                self._add(columns.of(batch), last, batch.length)
            metadata: dict[bytes, bytes] = columns.metadata
            return metadata

    def _add(self, columns: list[Any], last: Optional[str], count: int) -> None:
        assert self.entries is not None
        places = columns if last is None else columns[:-1]
        values = columns[-1] if last is not None else numpy.full(count, self._value())
        if isinstance(values, Texts):
            raise DTypeError(f"the column '{last}' has texts, not values", "numbers")
        self.entries.add(places, values)

    def _value(self) -> Any:
        return True if self.values is None else self.values


@overload
def from_arrow(
    table: Any,
    format: Union[str, Format, None] = ...,
    *,
    coordinates: Optional[Sequence[str]] = ...,
    values: Values = ...,
    shape: Optional[Sequence[int]] = ...,
    dtype: Any = ...,
    duplicates: str = ...,
    edges: Optional[str] = ...,
    ids: Ids = ...,
    names: Literal[False] = ...,
) -> "Tensor": ...


@overload
def from_arrow(
    table: Any,
    format: Union[str, Format, None] = ...,
    *,
    coordinates: Optional[Sequence[str]] = ...,
    values: Values = ...,
    shape: Optional[Sequence[int]] = ...,
    dtype: Any = ...,
    duplicates: str = ...,
    edges: Optional[str] = ...,
    ids: Ids = ...,
    names: Literal[True],
) -> tuple["Tensor", list[Optional[list[str]]]]: ...


def from_arrow(
    table: Any,
    format: Union[str, Format, None] = None,
    *,
    coordinates: Optional[Sequence[str]] = None,
    values: Values = None,
    shape: Optional[Sequence[int]] = None,
    dtype: Any = None,
    duplicates: str = "sum",
    edges: Optional[str] = None,
    ids: Ids = None,
    names: bool = False,
) -> Any:
    """Returns the tensor of a table of entries: of pyarrow, polars, pandas, DuckDB or any other
    library whose tables have ``__arrow_c_stream__`` or ``__arrow_c_array__``. Batches are taken one
    after the other; where many rows have the same coordinates, memory goes with their sums.

    Args:
        table: A row for each entry.
        format: The format of the result; None: COO.
        coordinates: The names of the columns of coordinates; None: all columns of the table but
            that of the values.
        values: The name of the column of values; None: the last one. A number is the value of each
            row.
        shape: The sizes; None: what the table's metadata says, or else just as large as the
            coordinates need.
        dtype: The element type; None: that of the values.
        duplicates: As in :func:`from_coo`.
        edges: The rows are edges, "directed", "undirected" or "bipartite", from the first column of
            coordinates to the second one; both have the same ids, unless they are "bipartite". A
            table of two columns then has no values.
        ids: "index" if coordinates are indices, counted from 0; "appearance" or "sorted" to number
            integers and texts in the order in which they appear, or in ascending order; a
            dictionary says so for some columns. None: integers are indices, and texts are numbered
            as they appear.
        names: Returns a pair: the tensor, and for each dimension a list of the ids of its indices,
            or None.

    Raises:
        ArgumentError: There are nulls, or no such columns.
        DTypeError: A column has a type that is not known here.
    """
    reading = _Reading(coordinates, values, dtype, duplicates, edges, ids)
    said = reading.take(table)
    return _finish(reading, _shape_said(said) if shape is None else tuple(shape), format, names)


def _finish(
    reading: _Reading,
    shape: Optional[tuple[int, ...]],
    format: Union[str, Format, None],
    names: bool,
) -> Any:
    assert reading.entries is not None
    found, ids = reading.entries.tensor(shape, format)
    return (found, ids) if names else found


@overload
def read_table(
    path: Union[str, "os.PathLike[str]"],
    format: Union[str, Format, None] = ...,
    *,
    coordinates: Optional[Sequence[str]] = ...,
    values: Values = ...,
    shape: Optional[Sequence[int]] = ...,
    dtype: Any = ...,
    duplicates: str = ...,
    edges: Optional[str] = ...,
    ids: Ids = ...,
    names: Literal[False] = ...,
) -> "Tensor": ...


@overload
def read_table(
    path: Union[str, "os.PathLike[str]"],
    format: Union[str, Format, None] = ...,
    *,
    coordinates: Optional[Sequence[str]] = ...,
    values: Values = ...,
    shape: Optional[Sequence[int]] = ...,
    dtype: Any = ...,
    duplicates: str = ...,
    edges: Optional[str] = ...,
    ids: Ids = ...,
    names: Literal[True],
) -> tuple["Tensor", list[Optional[list[str]]]]: ...


def read_table(
    path: Union[str, "os.PathLike[str]"],
    format: Union[str, Format, None] = None,
    *,
    coordinates: Optional[Sequence[str]] = None,
    values: Values = None,
    shape: Optional[Sequence[int]] = None,
    dtype: Any = None,
    duplicates: str = "sum",
    edges: Optional[str] = None,
    ids: Ids = None,
    names: bool = False,
) -> Any:
    """Returns the tensor of a table of entries in files of Parquet or Arrow: a file, a folder of
    part files, or a pattern such as ``"ratings/2025-*.parquet"``. Only the columns that are meant
    are read, and of these a group of rows at a time.

    Parts are taken in the order of their names. Folders called ``day=3`` are a column `day`, which
    comes before the columns of the files.

    Args:
        path: The file, the folder or the pattern.
        format, coordinates, values, shape, dtype, duplicates, edges, ids, names: As in
            :func:`from_arrow`.

    Raises:
        MissingFileError: There is no such file, and no part in the folder.
        FileError: A file cannot be read, or a part has other columns than the first one.
        UnsupportedError: pyarrow is not installed.
    """
    reading = _Reading(coordinates, values, dtype, duplicates, edges, ids)
    parts = table_files.parts_of(os.fspath(path))
    said: list[Optional[tuple[int, ...]]] = []

    def chosen(all_names: list[str]) -> list[str]:
        places, last = choose_columns(all_names, coordinates, values, edges)
        return places if last is None else [*places, last]

    for batch in table_files.batches_of(parts, chosen):
        said.append(_shape_said(reading.take(batch)))
    if shape is None:
        sizes = said[0] if all(one == said[0] for one in said) else None
    else:
        sizes = tuple(shape)
    return _finish(reading, sizes, format, names)


def write_table(path: str, x: "Tensor") -> None:
    """Writes a row for each entry: columns `row`, `column` and `value` of a matrix, and `index_0`,
    `index_1`, ..., `value` of any other tensor. The shape is part of the table's metadata.

    Raises:
        FileError: The file cannot be written; the tensor has no dimensions, or a fill other than zero.
        DTypeError: Tables have no such elements.
    """
    part = table_files.module_for(path)
    if not x.ndim:
        raise FileError(f"'{path}': tables have coordinates, which a tensor without dimensions lacks")
    if x._core.format.has_fill:
        raise FileError(
            f"'{path}': elements that such files do not list are zero, but this tensor has the fill "
            f"value {x.fill} where it stores nothing",
            "binsparse (.bsp.h5), or a Dense tensor",
        )
    if x.dtype.kind == "c":
        raise DTypeError(f"'{path}': tables have no complex numbers", "real numbers")
    arrow = importlib.import_module("pyarrow")
    places, values = export.entries_of(x._core)
    names = ["row", "column"] if x.ndim == 2 else [f"index_{d}" for d in range(x.ndim)]
    table = arrow.table({**dict(zip(names, places)), "value": values})
    sizes = ",".join(str(size) for size in x.shape)
    table = table.replace_schema_metadata({_SHAPE: sizes.encode()})
    with table_files.errors_of(path):
        if hasattr(part, "write_feather"):
            part.write_feather(table, path, compression="uncompressed")
        else:
            part.write_table(table, path)
