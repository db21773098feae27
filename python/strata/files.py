"""Tensors from files, and into files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _core, dtypes, handles
from .conversion import asarray
from .errors import MissingFileError
from .formats import Format, to_core

if TYPE_CHECKING:
    from .machines import Machine
    from .tensors import Tensor


def read(
    path: Union[str, "os.PathLike[str]"],
    format: Union[str, Format, None] = None,
    *,
    order: Optional[int] = None,
    dtype: Any = None,
    machine: Optional["Machine"] = None,
) -> "Tensor":
    """Returns the tensor of a file: Matrix Market, FROSTT, NumPy, SciPy's and PyData's archives,
    binsparse, ...

    Args:
        path: The file.
        format: The format of the result; None: Dense if the file lists every element, else CSR for
            matrices and COO for other tensors.
        order: The number of dimensions, where a file holds several tensors or an n x 1 matrix is a
            vector; None: that of the file.
        dtype: The element type; None: that of the file. A value that it cannot express is an error;
            rounding to a floating-point type is none.
        machine: The machine that the format names. Then each rank reads the file, and keeps its
            pieces; that is collective.

    Raises:
        MissingFileError: There is no such file.
        FileError: The file cannot be read, or holds something else.
    """
    if machine is None:
        return _read(path, format, order, dtype)
    whole = machine.together(lambda: _read(path, _without_places(format), order, dtype))
    return whole if format is None else whole.asformat(format, machine=machine)


def _without_places(format: Union[str, Format, None]) -> Union[str, Format, None]:
    return None if format is None else Format(format).without_places()


def _read(
    path: Union[str, "os.PathLike[str]"],
    format: Union[str, Format, None],
    order: Optional[int],
    dtype: Any,
) -> "Tensor":
    name = os.fspath(path)
    if not os.path.exists(name):
        raise MissingFileError(f"no such file: '{name}'")
    if order is None and isinstance(format, Format):
        order = format.order
    code = None if dtype is None else dtypes.code_of(dtype)
    if format is not None and order and code is not None:
        return handles.wrap(_core.read(name, to_core(format, order, code)))
    found = handles.wrap(_core.read(name, order, code))
    if found.ndim == 0:
        return found
    if format is None:
        sparse = "CSR" if found.ndim == 2 else "COO"
        return found.asformat("Dense" if found._core.format.is_full else sparse)
    if found._core.format.is_full:
        # A list of every element is Dense, which has lost which zeros the file lists.
        return handles.wrap(_core.read(name, to_core(format, found.ndim, found._core.format.type)))
    return found.asformat(format)


def write(path: Union[str, "os.PathLike[str]"], x: Any) -> None:
    """Writes a tensor, or what :func:`asarray` makes one of, to a file.

    Args:
        path: Its ending says the kind of file: .mtx, .tns, .npy, .npz, .bsp.h5 (binsparse), ...
        x: The tensor.

    Raises:
        FileError: The file cannot be written, or such files cannot hold the tensor.
    """
    asarray(x).write(path)
