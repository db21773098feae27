"""The columns of tables, batch by batch, through Arrow's C interface, which any library's tables
speak (pyarrow, polars, pandas, DuckDB, ...); pyarrow need not be installed."""

from __future__ import annotations

import contextlib
import ctypes
from typing import Any, Iterator, NamedTuple, Union

import numpy

from .errors import ArgumentError, DTypeError

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
#: Arrow's names of texts: with offsets of 32 bits, of 64 bits, and views.
_TEXTS = ("u", "U", "vu")


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
    ("dictionary", ctypes.POINTER(_Schema)),
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
    ("dictionary", ctypes.POINTER(_Array)),
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


class Texts(NamedTuple):
    """A column of texts: the different ones, in the order in which they appear, and the number of
    that of each row."""

    values: list[str]
    rows: Any


#: A column of a batch: an array of numbers or truth values, or texts.
Column = Union[Any, Texts]


def texts_of(all_values: list[str], codes: Any) -> Texts:
    """Texts given by their numbers in a list, some of which no row may have."""
    used, first, rows = numpy.unique(codes, return_index=True, return_inverse=True)
    order = numpy.argsort(first, kind="stable")
    rank = numpy.empty(len(order), numpy.int64)
    rank[order] = numpy.arange(len(order))
    # Different numbers may stand for one text.
    numbers: dict[str, int] = {}
    merged = [numbers.setdefault(all_values[at], len(numbers)) for at in used[order]]
    return Texts(list(numbers), numpy.asarray(merged, numpy.int64)[rank[rows.ravel()]])


class Columns:
    """The names and types of a table's columns, and what batches have of the chosen ones."""

    def __init__(self, schema: Any) -> None:
        if schema.format != b"+s":
            raise ArgumentError("this is no table", "an object with named columns")
        children = [schema.children[at].contents for at in range(schema.n_children)]
        self.names = [(child.name or b"").decode() for child in children]
        self.types = [_type_of(child) for child in children]
        self.texts = [
            _type_of(child.dictionary.contents) if child.dictionary else None for child in children
        ]
        self.metadata = _metadata(schema)
        self.chosen: list[int] = list(range(len(children)))

    def is_text(self, at: int) -> bool:
        """Tells whether a column has texts."""
        return (self.texts[at] or self.types[at]) in _TEXTS

    def of(self, batch: Any) -> list[Column]:
        """Returns the chosen columns of a batch, copied."""
        if batch.null_count != 0 and batch.n_buffers and batch.buffers[0]:
            if not _bits(batch.buffers[0], batch.offset, batch.length).all():
                raise ArgumentError("a row of the table is null", "a value in every row")
        return [self._column(batch, at) for at in self.chosen]

    def empty(self) -> list[Column]:
        """Returns the chosen columns of a table without rows."""
        return [
            Texts([], numpy.empty(0, numpy.int64))
            if self.is_text(at)
            else numpy.empty(0, self._dtype(at))
            for at in self.chosen
        ]

    def _dtype(self, at: int) -> str:
        kind = self.types[at]
        if self.texts[at] is None and kind == "b":
            return "bool"
        if self.texts[at] is None and kind in _TYPES:
            return _TYPES[kind]
        said = f"dictionary of '{self.texts[at]}'" if self.texts[at] else f"type '{kind}'"
        raise DTypeError(
            f"the column '{self.names[at]}' is of Arrow's {said}",
            "integers of 8 to 64 bits, float16, float32, float64, bool, or texts as coordinates",
        )

    def _column(self, batch: Any, at: int) -> Column:
        column = batch.children[at].contents
        first, count = column.offset + batch.offset, batch.length
        validity = column.buffers[0] if column.n_buffers else None
        if column.null_count != 0 and validity and not _bits(validity, first, count).all():
            raise ArgumentError(f"the column '{self.names[at]}' has nulls", "a value in every row")
        if not self.is_text(at):
            return _numbers(column, self._dtype(at), first, count)
        if self.texts[at] is None:
            texts = _decoded(column, self.types[at], first, count)
            numbers: dict[str, int] = {}
            rows = [numbers.setdefault(text, len(numbers)) for text in texts]
            return Texts(list(numbers), numpy.asarray(rows, numpy.int64))
        listed = column.dictionary.contents
        texts = _decoded(listed, self.texts[at] or "", listed.offset, listed.length)
        codes = _numbers(column, _TYPES[self.types[at]], first, count)
        if listed.null_count != 0 and listed.buffers[0]:
            if not _bits(listed.buffers[0], listed.offset, listed.length)[codes].all():
                raise ArgumentError(f"the column '{self.names[at]}' has nulls", "a value in every row")
        return texts_of(texts, codes)


def _type_of(schema: Any) -> str:
    return str((schema.format or b"").decode())


def _memory(start: int, bytes_: int) -> Any:
    """A view of memory that a table has; empty where there is none."""
    if not bytes_:
        return numpy.empty(0, "uint8")
    return numpy.frombuffer(memoryview((ctypes.c_uint8 * bytes_).from_address(start)), "uint8")


def _bits(start: int, first: int, count: int) -> Any:
    bits = numpy.unpackbits(_memory(start, (first + count + 7) // 8), bitorder="little")
    return bits[first : first + count].astype(bool)


def _numbers(column: Any, dtype: str, first: int, count: int) -> Any:
    if count == 0:
        return numpy.empty(0, dtype)
    if dtype == "bool":
        return _bits(column.buffers[1], first, count)
    size = numpy.dtype(dtype).itemsize
    return _memory(column.buffers[1] + first * size, count * size).view(dtype).copy()


def _decoded(column: Any, kind: str, first: int, count: int) -> list[str]:
    """The texts of some rows."""
    if count == 0:
        return []
    if kind == "vu":
        return _viewed(column, first, count)
    width = "int32" if kind == "u" else "int64"
    ends = _numbers(column, width, first, count + 1).tolist()
    begin = ends[0]
    all_bytes = _memory(column.buffers[2] + begin if begin < ends[-1] else 0, ends[-1] - begin).tobytes()
    return [all_bytes[a - begin : b - begin].decode(errors="surrogateescape") for a, b in zip(ends, ends[1:])]


def _viewed(column: Any, first: int, count: int) -> list[str]:
    """The same of a column of views: a length and, of short texts, their bytes; of others, a
    prefix, the number of a buffer and a place in it."""
    views = _memory(column.buffers[1] + first * 16, count * 16)
    words = views.view("int32").reshape(count, 4).tolist()
    whole = views.tobytes()
    texts = []
    for row, (length, _, buffer, place) in enumerate(words):
        if length <= 12:
            text = whole[row * 16 + 4 : row * 16 + 4 + length]
        else:
            text = ctypes.string_at(column.buffers[2 + buffer] + place, length)
        texts.append(text.decode(errors="surrogateescape"))
    return texts


@contextlib.contextmanager
def _stream_of(table: Any) -> Iterator[tuple[Columns, Iterator[Any]]]:
    capsule = table.__arrow_c_stream__()
    stream = _pointer(capsule, b"arrow_array_stream", _Stream)
    schema = _Schema()

    def check(code: int) -> None:
        if code:
            text = stream.contents.get_last_error(stream) or b"no reason is given"
            raise ArgumentError(f"the table cannot be read: {text.decode(errors='replace')}")

    def batches() -> Iterator[Any]:
        while True:
            batch = _Array()
            check(stream.contents.get_next(stream, ctypes.byref(batch)))
            if not batch.release:
                return
            try:
                yield batch
            finally:
                batch.release(ctypes.byref(batch))

    check(stream.contents.get_schema(stream, ctypes.byref(schema)))
    try:
        columns = Columns(schema)
    finally:
        schema.release(ctypes.byref(schema))
    yield columns, batches()


@contextlib.contextmanager
def _array_of(table: Any) -> Iterator[tuple[Columns, Iterator[Any]]]:
    schema, array = table.__arrow_c_array__()
    columns = Columns(_pointer(schema, b"arrow_schema", _Schema).contents)
    yield columns, iter([_pointer(array, b"arrow_array", _Array).contents])


def opened(table: Any) -> Any:
    """A context of the columns of a table and of its batches, each of which is valid until the
    next one is taken.

    Raises:
        ArgumentError: It is no table.
    """
    if hasattr(table, "__arrow_c_stream__"):
        return _stream_of(table)
    if hasattr(table, "__arrow_c_array__"):
        return _array_of(table)
    raise ArgumentError(
        f"a {type(table).__name__} is no table of Arrow", "an object with __arrow_c_stream__"
    )
