"""Files of Parquet and Arrow, and folders of them, which pyarrow reads batch by batch."""

from __future__ import annotations

import contextlib
import glob
import importlib
import os
import urllib.parse
from typing import Any, Callable, Iterator, NamedTuple

from .errors import Error, FileError, MissingFileError, UnsupportedError

#: The endings of files of tables.
ENDINGS = (".parquet", ".arrow", ".feather")

#: So many rows are taken at a time, if a group of rows has more.
ROWS_AT_ONCE = 1 << 18

_NULL_FOLDER = "__HIVE_DEFAULT_PARTITION__"


class Part(NamedTuple):
    """A file, and what the folders that it is in say: the names and the values of columns."""

    path: str
    said: dict[str, str]


def has_ending(path: str) -> bool:
    """Tells whether a file is a table by its ending."""
    return path.lower().endswith(ENDINGS)


def _is_hidden(name: str) -> bool:
    """Tells whether a name is one of those by which writers of parts call other things."""
    return name.startswith(("_", "."))


def _files_in(folder: str) -> Iterator[str]:
    """The files of tables in a folder and below it, in the order of their paths."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if _is_hidden(entry.name):
            continue
        if entry.is_dir():
            yield from _files_in(entry.path)
        elif has_ending(entry.name):
            yield entry.path


def is_table(path: str) -> bool:
    """Tells whether a path names tables: a file or a pattern by its ending, a folder by what is in
    it."""
    if has_ending(path.rstrip("/")):
        return True
    return os.path.isdir(path) and not _is_zarr(path) and next(_files_in(path), None) is not None


def _is_zarr(folder: str) -> bool:
    marks = ("zarr.json", ".zgroup", ".zarray")
    return any(os.path.exists(os.path.join(folder, mark)) for mark in marks)


def parts_of(path: str) -> list[Part]:
    """The files that a path means: itself, those in the folder, or those that fit the pattern.

    Raises:
        MissingFileError: There are none.
        FileError: The folders of some of them name other columns than those of others.
    """
    if os.path.isdir(path):
        files = list(_files_in(path))
    elif os.path.exists(path):
        return [Part(path, {})]
    else:
        files = sorted(glob.glob(path, recursive=True)) if glob.has_magic(path) else []
        files = [found for one in files for found in (_files_in(one) if os.path.isdir(one) else [one])]
    if not files:
        what = "no files of tables in the folder" if os.path.isdir(path) else "no such file:"
        raise MissingFileError(f"{what} '{path}'")
    root = path if os.path.isdir(path) else _before_pattern(path)
    parts = [Part(file, _said_by_folders(os.path.relpath(file, root))) for file in files]
    for part in parts:
        if list(part.said) != list(parts[0].said):
            raise FileError(
                f"'{part.path}': its folders name the columns {', '.join(part.said) or 'none'}, those of "
                f"'{parts[0].path}' {', '.join(parts[0].said) or 'none'}"
            )
    return parts


def _before_pattern(path: str) -> str:
    """The folder of which all that fits a pattern is a part.

    >>> _before_pattern("ratings/day=*/part-?.parquet")
    'ratings'
    """
    parts = path.split(os.sep)
    whole = next(at for at, part in enumerate(parts) if glob.has_magic(part))
    return os.sep.join(parts[:whole]) or (os.sep if path.startswith(os.sep) else os.curdir)


def _said_by_folders(path: str) -> dict[str, str]:
    """The columns that folders such as `day=3` are.

    >>> _said_by_folders("year=2025/city=Den%20Haag/part-0.parquet")
    {'year': '2025', 'city': 'Den Haag'}
    """
    said = {}
    for folder in path.split(os.sep)[:-1]:
        name, is_column, value = folder.partition("=")
        if is_column:
            if value == _NULL_FOLDER:
                raise FileError(f"'{path}': the column '{name}' is null there", "a value in every row")
            said[name] = urllib.parse.unquote(value)
    return said


def _pyarrow(path: str, part: str) -> Any:
    """A module of pyarrow."""
    try:
        return importlib.import_module(f"pyarrow.{part}")
    except ImportError:
        raise UnsupportedError(
            f"'{path}': files of Arrow and Parquet need the package pyarrow", "pip install pyarrow"
        ) from None


def module_for(path: str) -> Any:
    """The module of pyarrow for such files."""
    return _pyarrow(path, "parquet" if path.lower().endswith(".parquet") else "feather")


@contextlib.contextmanager
def errors_of(path: str) -> Iterator[None]:
    """Turns the errors of pyarrow and of the system into those of files."""
    arrow = importlib.import_module("pyarrow")
    try:
        yield
    except Error:
        raise
    except (arrow.ArrowException, OSError) as error:
        raise FileError(f"'{path}': {error}") from None


class _Opened(NamedTuple):
    """A file that is open: its schema, and its batches of some columns."""

    schema: Any
    batches: Callable[[list[str]], Iterator[Any]]


def _opened(path: str) -> _Opened:
    if path.lower().endswith(".parquet"):
        file = _pyarrow(path, "parquet").ParquetFile(path, pre_buffer=False)
        return _Opened(
            file.schema_arrow,
            lambda names: file.iter_batches(batch_size=ROWS_AT_ONCE, columns=names),
        )
    arrow, feather = importlib.import_module("pyarrow"), module_for(path)
    with open(path, "rb") as begun:
        magic = begun.read(6)
    if magic[:4] == b"FEA1":  # which is read whole
        table = feather.read_table(path)
        return _Opened(table.schema, lambda names: iter(table.select(names).to_batches(ROWS_AT_ONCE)))
    source = arrow.memory_map(path)
    if magic == b"ARROW1":
        listed = arrow.ipc.open_file(source)
        batches: Callable[[], Iterator[Any]] = lambda: (
            listed.get_batch(at) for at in range(listed.num_record_batches)
        )
        return _Opened(listed.schema, lambda names: (batch.select(names) for batch in batches()))
    stream = arrow.ipc.open_stream(source)
    return _Opened(stream.schema, lambda names: (batch.select(names) for batch in stream))


def batches_of(
    parts: list[Part], choose: Callable[[list[str]], list[str]]
) -> Iterator[Any]:
    """The batches of files, each with the columns that are chosen among all of the first one's. Of
    each file the first one has no rows.

    Raises:
        FileError: A file cannot be read, or lacks a column.
    """
    are_integers = {
        name: all(_is_integer(part.said[name]) for part in parts) for name in parts[0].said
    }
    chosen: list[str] = []
    for number, part in enumerate(parts):
        module_for(part.path)
        with errors_of(part.path):
            opened = _opened(part.path)
            said = [name for name in part.said if name not in opened.schema.names]
            names = [*said, *opened.schema.names]
            if number == 0:
                chosen = choose(names)
            for name in chosen:
                if name not in names:
                    raise FileError(
                        f"'{part.path}': it has no column '{name}', which '{parts[0].path}' has"
                    )
            yield from _batches_of(part, opened, chosen, are_integers)


def _is_integer(text: str) -> bool:
    return text.isascii() and text.lstrip("-").isdigit()


def _batches_of(
    part: Part, opened: _Opened, chosen: list[str], are_integers: dict[str, bool]
) -> Iterator[Any]:
    """The chosen columns of a file, of which folders say some."""
    arrow = importlib.import_module("pyarrow")
    own = [name for name in chosen if name in opened.schema.names]
    coded = arrow.dictionary(arrow.int32(), arrow.string())

    def type_of(name: str) -> Any:
        if name not in own:
            return arrow.int64() if are_integers[name] else coded
        kind = opened.schema.field(name).type
        return coded if _is_text(arrow, kind) else kind

    def column(batch: Any, name: str) -> Any:
        if name in own:
            found = batch.column(own.index(name))
            is_text = _is_text(arrow, found.type)
            return found.cast(arrow.string()).dictionary_encode() if is_text else found
        text = part.said[name]
        if are_integers[name]:
            return arrow.repeat(arrow.scalar(int(text), arrow.int64()), batch.num_rows)
        return arrow.DictionaryArray.from_arrays(
            arrow.repeat(arrow.scalar(0, arrow.int32()), batch.num_rows), arrow.array([text])
        )

    schema = arrow.schema([(name, type_of(name)) for name in chosen], opened.schema.metadata)
    nothing = [arrow.array([], type_of(name)) for name in chosen]
    yield arrow.RecordBatch.from_arrays(nothing, schema=schema)
    for batch in opened.batches(own or opened.schema.names[:1]):
        arrays = [column(batch, name) for name in chosen]
        yield arrow.RecordBatch.from_arrays(arrays, schema=schema)


def _is_text(arrow: Any, kind: Any) -> bool:
    types = arrow.types
    is_view = getattr(types, "is_string_view", lambda _: False)
    return bool(types.is_string(kind) or types.is_large_string(kind) or is_view(kind))
