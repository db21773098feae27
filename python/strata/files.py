"""Tensors from files, and into files."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Literal, Optional, Union, overload

from . import _core, dtypes, handles, table_files, tables
from .conversion import asarray
from .errors import ArgumentError, FileError, MissingFileError
from .file_names import file_of, selected
from .fills import plain_format
from .formats import Format, to_core

if TYPE_CHECKING:
    from .machines import Machine
    from .tensors import Tensor


@overload
def read(
    path: Union[str, "os.PathLike[str]"],
    format: Union[str, Format, None] = ...,
    *,
    order: Optional[int] = ...,
    dtype: Any = ...,
    machine: Optional["Machine"] = ...,
    group: Optional[str] = ...,
    rows: Optional[slice] = ...,
    columns: Optional[slice] = ...,
    symmetry: Optional[int] = ...,
    edges: Optional[str] = ...,
    ids: Optional[str] = ...,
    header: Optional[bool] = ...,
    weight: Union[str, int, None] = ...,
    names: Literal[False] = ...,
) -> "Tensor": ...


@overload
def read(
    path: Union[str, "os.PathLike[str]"],
    format: Union[str, Format, None] = ...,
    *,
    order: Optional[int] = ...,
    dtype: Any = ...,
    machine: Optional["Machine"] = ...,
    group: Optional[str] = ...,
    rows: Optional[slice] = ...,
    columns: Optional[slice] = ...,
    symmetry: Optional[int] = ...,
    edges: Optional[str] = ...,
    ids: Optional[str] = ...,
    header: Optional[bool] = ...,
    weight: Union[str, int, None] = ...,
    names: Literal[True],
) -> tuple["Tensor", list[Optional[list[str]]]]: ...


def read(
    path: Union[str, "os.PathLike[str]"],
    format: Union[str, Format, None] = None,
    *,
    order: Optional[int] = None,
    dtype: Any = None,
    machine: Optional["Machine"] = None,
    group: Optional[str] = None,
    rows: Optional[slice] = None,
    columns: Optional[slice] = None,
    symmetry: Optional[int] = None,
    edges: Optional[str] = None,
    ids: Optional[str] = None,
    header: Optional[bool] = None,
    weight: Union[str, int, None] = None,
    names: bool = False,
) -> Any:
    """Returns the tensor of a file: Matrix Market, FROSTT, NumPy, SciPy's and PyData's archives,
    binsparse, AnnData, MATLAB's, safetensors, edge lists, Parquet, ... :func:`read_table` reads
    tables in more ways.

    Args:
        path: The file; of tables also a folder of parts. What follows ``::`` says what of it is meant, as the arguments from `group`
            on do: ``"a.h5ad::layers/counts[0:100]"``.
        format: The format of the result; None: Dense if the file lists every element, else CSR for
            matrices and COO for other tensors, with the fill value that the file says.
        order: The number of dimensions, where a file holds several tensors or an n x 1 matrix is a
            vector; None: that of the file.
        dtype: The element type; None: that of the file. A value that it cannot express is an error;
            rounding to a floating-point type is none.
        machine: The machine that the format names. Then each rank reads the file, and keeps its
            pieces; that is collective.
        group: The name of a tensor in a file that may have several: a group or an array of HDF5 and
            Zarr, a variable of MATLAB, a tensor of safetensors. :func:`list_tensors` lists them.
        rows, columns: Slices of the indices to read. Of matrices by rows only these rows are read,
            of those by columns only these columns; of dense arrays only these rows.
        symmetry: 8 or 4: the file is an array of two-electron integrals packed with that symmetry,
            which is expanded.
        edges: The file is an edge list, "directed", "undirected" or "bipartite".
        ids: Of an edge list or a table: "index" if its ids are indices, "appearance" or "sorted" to
            number them in the order in which they appear, or in ascending order.
        header: Of an edge list: whether its first line names the columns.
        weight: Of an edge list: the column of weights, by its name or its number from 1 on, or
            "none". Of a table: the column of values, by its name, or "none".
        names: Returns a pair: the tensor, and for each dimension a list of the names of its indices
            or None. AnnData, 10x Genomics, edge lists and tables with ids have names.

    Raises:
        MissingFileError: There is no such file.
        FileError: The file cannot be read, or holds something else.
        UnsupportedError: A package that reads such files is not installed.
    """
    if table_files.is_table(file_of(os.fspath(path))):
        parts = (group, rows, columns, symmetry, header)
        name = os.fspath(path)
        if any(part is not None for part in parts) or name != file_of(name):
            raise ArgumentError(f"of the table '{file_of(name)}' no part is read", "all of it")
        if isinstance(weight, int):
            raise ArgumentError("columns of tables have names, and no numbers", "weight=, a name")
        values = True if weight == "none" else weight
        return _of_table(
            name, format, order, machine, names, dtype=dtype, edges=edges, ids=ids, values=values
        )
    path = selected(
        path,
        group,
        rows,
        columns,
        symmetry=symmetry,
        edges=edges,
        ids=ids,
        header=header,
        weight=weight,
    )
    if machine is None:
        return _read(path, format, order, dtype, names)
    whole = machine.together(lambda: _read(path, _without_places(format), order, dtype, names))
    found = [] if not names else [whole[1]]
    if names:
        whole = whole[0]
    placed = whole if format is None else whole.asformat(format, machine=machine)
    return (placed, *found) if names else placed


def list_tensors(path: Union[str, "os.PathLike[str]"]) -> list[str]:
    """Returns the names of the tensors of a file that may have several (HDF5, Zarr, safetensors):
    what may be the `group` of :func:`read`. The list is empty for any other file.

    Raises:
        FileError: The file cannot be read.
    """
    found: list[str] = json.loads(_core.file_tensors(_existing(path)))
    return found


def _existing(path: Union[str, "os.PathLike[str]"]) -> str:
    name = os.fspath(path)
    if not os.path.exists(file_of(name)):
        raise MissingFileError(f"no such file: '{file_of(name)}'")
    return name


def _of_table(
    name: str,
    format: Union[str, Format, None],
    order: Optional[int],
    machine: Optional["Machine"],
    names: bool,
    **options: Any,
) -> Any:
    if machine is None:
        found, ids = tables.read_table(name, format, names=True, **options)
    else:
        whole = _without_places(format)
        found, ids = machine.together(
            lambda: tables.read_table(name, whole, names=True, **options)
        )
        if format is not None:
            found = found.asformat(format, machine=machine)
    if order is not None and order != found.ndim:
        raise FileError(f"{name}: the file holds a tensor of order {found.ndim}", f"order {order}")
    return (found, ids) if names else found


def _without_places(format: Union[str, Format, None]) -> Union[str, Format, None]:
    return None if format is None else Format(format).without_places()


def _read(
    path: Union[str, "os.PathLike[str]"],
    format: Union[str, Format, None],
    order: Optional[int],
    dtype: Any,
    names: bool,
) -> Any:
    name = _existing(path)
    if order is None and isinstance(format, Format):
        order = format.order
    code = None if dtype is None else dtypes.code_of(dtype)
    if names:
        core, text = _core.read_with_names(name, order, code)
        found = handles.wrap(core)
        return _in_format(name, found, format), json.loads(text)
    if format is not None and order and code is not None:
        return handles.wrap(_core.read(name, to_core(format, order, code)))
    return _in_format(name, handles.wrap(_core.read(name, order, code)), format)


def _in_format(name: str, found: "Tensor", format: Union[str, Format, None]) -> "Tensor":
    """The tensor that was read as the file says, in the format that is wanted."""
    if found.ndim == 0:
        return found
    if format is None:
        return found.asformat(
            "Dense" if found._core.format.is_full else plain_format(found._core.format)
        )
    if found._core.format.is_full:
        # A list of every element is Dense, which has lost which zeros the file lists.
        return handles.wrap(_core.read(name, to_core(format, found.ndim, found._core.format.type)))
    return found.asformat(format)


def write(path: Union[str, "os.PathLike[str]"], x: Any) -> None:
    """Writes a tensor, or what :func:`asarray` makes one of, to a file.

    Args:
        path: Its ending says the kind of file: .mtx, .tns, .npy, .npz, .bsp.h5 (binsparse),
            .safetensors, .parquet, ... Of safetensors, the name of the tensor may follow ``::``.
        x: The tensor.

    Raises:
        FileError: The file cannot be written, or such files cannot hold the tensor.
    """
    asarray(x).write(path)
