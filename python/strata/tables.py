"""Tables of entries: a column for the coordinates of each dimension, and one of values.

Any library's table that speaks Arrow's C interface is read (pyarrow, polars, pandas, DuckDB, ...),
without pyarrow. Files of Arrow and Parquet are read and written by pyarrow.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
from typing import TYPE_CHECKING, Any, Iterator, Optional, Sequence, Union

import numpy

from . import creation, export
from .errors import ArgumentError, DTypeError, FileError, UnsupportedError
from .formats import Format

if TYPE_CHECKING:
    from .tensors import Tensor

#: Arrow's names of the types that columns may have.
_TYPES = {
    "c": "int8",
    "C": "uint8",
    "s": "int16",
    "S": "uint16",
    "i": "int32",
    "I": "uint32",
    "l": "int64",
    "L": "uint64",
    "e": "float16",
    "f": "float32",
    "g": "float64",
}
_SHAPE = b"strata.shape"


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    (
        "get_schema",
        ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema)),
    ),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))),
    ("private_data", ctypes.c_void_p),
]


def _pointer(capsule: Any, name: bytes, kind: Any) -> Any:
    """What a capsule holds, which stays the capsule's."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.cast(get(capsule, name), ctypes.POINTER(kind))


def _metadata(schema: Any) -> dict[bytes, bytes]:
    """The pairs of a schema's metadata."""
    found: dict[bytes, bytes] = {}
    at = schema.metadata
    if not at:
        return found

    def number() -> int:
        nonlocal at
        value: int = ctypes.cast(at, ctypes.POINTER(ctypes.c_int32))[0]
        at += 4
        return value

    def text() -> bytes:
        nonlocal at
        length = number()
        value = ctypes.string_at(at, length)
        at += length
        return value

    for _ in range(number()):
        key = text()
        found[key] = text()
    return found


class _Columns:
    """The columns of a table, copied batch by batch."""

    def __init__(self, schema: Any) -> None:
        if schema.format != b"+s":
            raise ArgumentError("this is no table", "an object with named columns")
        children = [schema.children[at].contents for at in range(schema.n_children)]
        self.names = [(child.name or b"").decode() for child in children]
        self.types = [
            "dictionary" if child.dictionary else (child.format or b"").decode()
            for child in children
        ]
        self.batches: list[list[Any]] = [[] for _ in children]
        self.metadata = _metadata(schema)
        self.chosen: list[int] = list(range(len(children)))

    def add(self, batch: Any) -> None:
        if batch.null_count != 0 and batch.n_buffers and batch.buffers[0]:
            if not self._bits(batch.buffers[0], batch.offset, batch.length).all():
                raise ArgumentError("a row of the table is null", "a value in every row")
        for at in self.chosen:
            self.batches[at].append(self._copied(batch, at))

    def _copied(self, batch: Any, at: int) -> Any:
        column = batch.children[at].contents
        name, kind = self.names[at], self.types[at]
        validity = column.buffers[0] if column.n_buffers else None
        first, count = column.offset + batch.offset, batch.length
        if column.null_count != 0 and validity:
            present = self._bits(validity, first, count)
            if not present.all():
                raise ArgumentError(f"the column '{name}' has nulls", "a value in every row")
        if kind not in _TYPES and kind != "b":
            raise DTypeError(
                f"the column '{name}' is of Arrow's type '{kind}'",
                "integers of 8 to 64 bits, float16, float32, float64 or bool",
            )
        if count == 0:
            return numpy.empty(0, "bool" if kind == "b" else _TYPES[kind])
        if kind == "b":
            return self._bits(column.buffers[1], first, count)
        dtype = numpy.dtype(_TYPES[kind])
        start = column.buffers[1] + first * dtype.itemsize
        memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(start)
        return numpy.frombuffer(memory, dtype).copy()

    @staticmethod
    def _bits(start: int, first: int, count: int) -> Any:
        bytes_ = (ctypes.c_uint8 * ((first + count + 7) // 8)).from_address(start)
        bits = numpy.unpackbits(numpy.frombuffer(memoryview(bytes_), "uint8"), bitorder="little")
        return bits[first : first + count].astype(bool)

    def column(self, at: int) -> Any:
        return numpy.concatenate([numpy.empty(0, self._dtype(at)), *self.batches[at]])

    def _dtype(self, at: int) -> str:
        return _TYPES.get(self.types[at], "bool")


def _of_stream(capsule: Any, choose: Any) -> _Columns:
    stream = _pointer(capsule, b"arrow_array_stream", _Stream)
    schema = _Schema()

    def check(code: int) -> None:
        if code:
            text = stream.contents.get_last_error(stream) or b"no reason is given"
            raise ArgumentError(f"the table cannot be read: {text.decode(errors='replace')}")

    check(stream.contents.get_schema(stream, ctypes.byref(schema)))
    try:
        columns = _Columns(schema)
        choose(columns)
    finally:
        schema.release(ctypes.byref(schema))
    while True:
        batch = _Array()
        check(stream.contents.get_next(stream, ctypes.byref(batch)))
        if not batch.release:
            return columns
        try:
            columns.add(batch)
        finally:
            batch.release(ctypes.byref(batch))


def _of_array(capsules: Any, choose: Any) -> _Columns:
    columns = _Columns(_pointer(capsules[0], b"arrow_schema", _Schema).contents)
    choose(columns)
    columns.add(_pointer(capsules[1], b"arrow_array", _Array).contents)
    return columns


def _shape_said(columns: _Columns) -> Optional[tuple[int, ...]]:
    text = columns.metadata.get(_SHAPE)
    if text is None:
        return None
    try:
        return tuple(int(size) for size in text.decode().split(","))
    except ValueError:
        raise ArgumentError(f"the table's metadata 'strata.shape' is {text!r}", "sizes") from None


def from_arrow(
    table: Any,
    format: Union[str, Format, None] = None,
    *,
    coordinates: Optional[Sequence[str]] = None,
    values: Optional[str] = None,
    shape: Optional[Sequence[int]] = None,
    dtype: Any = None,
    duplicates: str = "sum",
) -> "Tensor":
    """Returns the tensor of a table of entries: of pyarrow, polars, pandas, DuckDB or any other
    library whose tables have ``__arrow_c_stream__`` or ``__arrow_c_array__``.

    Args:
        table: A row for each entry.
        format: The format of the result; None: COO.
        coordinates: The names of the columns of coordinates, counted from 0; None: all columns of
            the table but that of the values.
        values: The name of the column of values; None: the last one.
        shape: The sizes; None: what the table's metadata says, or else just as large as the
            coordinates need.
        dtype: The element type; None: that of the column of values.
        duplicates: As in :func:`from_coo`.

    Raises:
        ArgumentError: There are nulls, or no such columns.
        DTypeError: A column has a type that is not known here.
    """

    def choose(columns: _Columns) -> None:
        names = columns.names
        if not names:
            raise ArgumentError("the table has no columns", "coordinates and values")
        last = names[-1] if values is None else values
        if coordinates is None and names == [last]:
            raise ArgumentError(
                f"the table has no column but '{last}'", "columns of coordinates and one of values"
            )
        chosen = [name for name in names if name != last] if coordinates is None else coordinates
        for name in [*chosen, last]:
            if names.count(name) != 1:
                raise ArgumentError(
                    f"the table has {names.count(name)} columns '{name}'",
                    "one of " + ", ".join(names),
                )
        columns.chosen = [names.index(name) for name in [*chosen, last]]

    if hasattr(table, "__arrow_c_stream__"):
        read = _of_stream(table.__arrow_c_stream__(), choose)
    elif hasattr(table, "__arrow_c_array__"):
        read = _of_array(table.__arrow_c_array__(), choose)
    else:
        raise ArgumentError(
            f"a {type(table).__name__} is no table of Arrow", "an object with __arrow_c_stream__"
        )
    *places, last = [read.column(at) for at in read.chosen]
    for at, place in zip(read.chosen, places):
        if place.dtype.kind not in "iu":
            raise DTypeError(f"the column '{read.names[at]}' has no integers", "coordinates")
    sizes = _shape_said(read) if shape is None else tuple(shape)
    return creation.from_coo(places, last, sizes, format, dtype=dtype, duplicates=duplicates)


def _pyarrow(path: str, part: str) -> Any:
    """A module of pyarrow."""
    try:
        return importlib.import_module(f"pyarrow.{part}")
    except ImportError:
        raise UnsupportedError(
            f"'{path}': files of Arrow and Parquet need the package pyarrow", "pip install pyarrow"
        ) from None


#: The endings of files of tables.
ENDINGS = (".parquet", ".arrow", ".feather")


def is_table(path: str) -> bool:
    """Tells whether a file is a table by its ending."""
    return path.lower().endswith(ENDINGS)


def _part_for(path: str) -> Any:
    """The module of pyarrow for such files."""
    return _pyarrow(path, "parquet" if path.lower().endswith(".parquet") else "feather")


@contextlib.contextmanager
def _errors_of(path: str) -> Iterator[None]:
    """Turns the errors of pyarrow and of the system into those of files."""
    arrow = importlib.import_module("pyarrow")
    try:
        yield
    except (arrow.ArrowException, OSError) as error:
        raise FileError(f"'{path}': {error}") from None


def read_table(path: str, **options: Any) -> "Tensor":
    """Returns the tensor of a file of a table."""
    part = _part_for(path)
    with _errors_of(path):
        table = part.read_table(path)
    return from_arrow(table, **options)


def write_table(path: str, x: "Tensor") -> None:
    """Writes a row for each entry: columns `row`, `column` and `value` of a matrix, and `index_0`,
    `index_1`, ..., `value` of any other tensor. The shape is part of the table's metadata.

    Raises:
        FileError: The file cannot be written; the tensor has no dimensions, or a fill other than zero.
        DTypeError: Tables have no such elements.
    """
    part = _part_for(path)
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
    with _errors_of(path):
        if hasattr(part, "write_feather"):
            part.write_feather(table, path, compression="uncompressed")
        else:
            part.write_table(table, path)
