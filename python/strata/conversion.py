"""Objects of other libraries as tensors: asarray.

What a library stores in a way that Strata knows is adopted: the tensor uses the arrays where they
lie, and keeps them alive. A table of functions, one for each type that has been met, does it.
"""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Optional, Union

from . import _core, dtypes, handles
from .errors import ArgumentError, CopyError, DTypeError, UnsupportedError, WidthError
from .export import DIAGONALS_BY_COLUMN, dense_format
from .formats import Format, resolve
from .layouts import blocked_text

#: Copies, adopts; and checks every promise of the format.
COPY, ADOPT, VALIDATE = _core.STRATA_COPY, _core.STRATA_ADOPT, _core.STRATA_VALIDATE

_Adopter = Callable[[Any, Optional[bool], Union[bool, str]], "handles.Tensor"]

_adopters: dict[type, _Adopter] = {}


def asarray(
    x: Any,
    /,
    *,
    format: Union[str, Format, None] = None,
    dtype: Any = None,
    device: Any = None,
    copy: Optional[bool] = None,
    validate: Union[bool, str] = "auto",
) -> "handles.Tensor":
    """Returns a tensor with the elements of an array, a sparse array, a number or a list.

    Arrays of NumPy (in any order of dimensions, without gaps) and SciPy's csr, csc, coo, bsr and
    dia arrays and matrices are adopted, not copied: the tensor keeps them alive, and sees values
    that are changed in them later. Their patterns must not change. What else is there is copied.

    >>> import numpy, strata as st
    >>> x = numpy.arange(6.0).reshape(2, 3)
    >>> st.asarray(x)
    <strata.Tensor 2x3 float64 Dense, 6 stored, 48 bytes>
    >>> st.asarray(x).shares_memory(x)
    True

    Args:
        x: A tensor, an array of NumPy, SciPy or PyData sparse, a BCOO or BCSR of JAX, a tensor of
            torch on the processor, an array of a library that exports DLPack; a number or nested lists of numbers.
        format: The format of the result; None: that of the array.
        dtype: The element type of the result; None: that of the array.
        device: "cpu" or None.
        copy: False: never copy; True: always copy; None: only if needed.
        validate: True: check every promise of the format, for example that indices lie inside;
            False: check nothing; "auto": trust what SciPy says of its arrays.

    Raises:
        CopyError: A copy is needed, and ``copy`` is False.
        DTypeError: Strata has no such element type.
        ArgumentError: The arrays break a promise of the format.
    """
    if device is not None:
        check_device(device)
    code = None if dtype is None else dtypes.code_of(dtype)
    if code == dtypes.UINT64 and type(x) in (int, list, tuple):
        x = _as_uint64(x, copy)
    adopter = _adopters.get(type(x)) or _adopter_of(x)
    tensor = adopter(x, copy, validate)
    if code is not None:
        if code != tensor._core.format.type:
            if copy is False:
                raise CopyError("another element type takes a copy")
            tensor = tensor.astype(dtype)
    return tensor if format is None else tensor.asformat(format, False if copy is False else None)


def _as_uint64(x: Any, copy: Optional[bool]) -> Any:
    """An array of integers, which may not fit the type that they have by themselves."""
    import numpy

    refuse_copy(copy, f"a {type(x).__name__}")
    try:
        array = numpy.asarray(x)
        return numpy.asarray(x, numpy.uint64) if array.dtype.kind in "fO" else array
    except (OverflowError, TypeError, ValueError):
        return x


def check_device(device: Any) -> None:
    """Raises UnsupportedError if a device is none of those that tensors are on."""
    if device is not None and device != "cpu":
        raise UnsupportedError(f"tensors are on the device 'cpu', not on {device!r}")


def _adopter_of(x: Any) -> _Adopter:
    """The function that makes tensors of objects of that type; it is remembered."""
    kind = type(x)
    found: _Adopter = _adopt_other
    if kind in (bool, int, float, complex):
        found = _copy_number
    for base in kind.__mro__:
        module = base.__module__
        if base is handles.Tensor:
            found = _keep
        elif module.startswith("numpy") and base.__name__ == "ndarray":
            found = _adopt_numpy
        elif module.startswith("scipy.sparse") and getattr(x, "format", None) in _SCIPY:
            found = _SCIPY[x.format]
        elif module.startswith("sparse.") and hasattr(x, "fill_value"):
            from .pydata import adopt_pydata

            found = adopt_pydata
        elif module.startswith("torch") and base.__name__ == "Tensor":
            from .torch_tensors import adopt_torch

            found = adopt_torch
        elif module.startswith("jax.experimental.sparse") and base.__name__ in ("BCOO", "BCSR"):
            from .jax_arrays import adopt_jax

            found = adopt_jax
        elif module.startswith("networkx") and base.__name__ == "Graph":
            found = _adopt_graph
        else:
            continue
        break
    _adopters[kind] = found
    return found


def _keep(
    x: "handles.Tensor", copy: Optional[bool], validate: Union[bool, str]
) -> "handles.Tensor":
    if validate is True:
        x.validate()
    return x.copy() if copy else x


def adopt(
    format: "_core.Format",
    shape: tuple[int, ...],
    arrays: tuple[Any, ...],
    copy: Optional[bool],
    validate: Union[bool, str],
) -> "handles.Tensor":
    """Makes a tensor of arrays, copying them only if that is asked for."""
    if copy or validate is True:
        flags = (COPY if copy else ADOPT) | (VALIDATE if validate is True else 0)
        return handles.wrap(_core.from_buffers(format, shape, arrays, flags, format.type))
    return handles.wrap(_core.from_buffers(format, shape, arrays, ADOPT, format.type))


def refuse_copy(copy: Optional[bool], why: str) -> None:
    """Raises CopyError if a copy, which is needed, is forbidden."""
    if copy is False:
        raise CopyError(f"{why} takes a copy")


def refuse_gradient(x: Any) -> None:
    """Raises UnsupportedError if a tensor of torch is part of what torch differentiates."""
    if getattr(x, "requires_grad", False):
        raise UnsupportedError(
            "a tensor of torch that requires a gradient: what Strata computes with it has none",
            "strata.torch.evaluate and strata.torch.einsum have gradients; x.detach() is the same "
            "tensor without one",
        )


# ---- Numbers, lists, NumPy ----


def _copy_number(x: Any, copy: Optional[bool], validate: Union[bool, str]) -> "handles.Tensor":
    refuse_copy(copy, "a number")
    return number(x, dtypes.code_of(type(x)))


#: Formats of numbers, by their element types.
_of_numbers: dict[int, "_core.Format"] = {}


def number(value: Any, code: int) -> "handles.Tensor":
    """Returns a tensor without dimensions that holds a number."""
    return handles.wrap(number_core(value, code))


def number_core(value: Any, code: int) -> "_core.Tensor":
    """The handle of a tensor without dimensions that holds a number."""
    format = _of_numbers.get(code)
    if format is None:
        format = _of_numbers[code] = dense_format((), code)
    if code not in dtypes.HALVES:
        try:
            return _core.scalar(format, value)
        except OverflowError:
            kind = f"the number {value}" if abs(value) < 2**128 else "so large an integer"
            raise WidthError(f"{kind} is outside of {dtypes.NAMES[code]}") from None
    import numpy

    array = numpy.array(value, dtypes.numpy_dtype(code))
    if code == dtypes.BFLOAT16:
        array = array.view(numpy.uint16)
    return _core.from_buffers(format, (), (array,), COPY, code)


#: Formats of arrays whose dimensions are in their order, by the number of them and the dtype.
_row_major: dict[tuple[Any, ...], "_core.Format"] = {}


def _adopt_numpy(x: Any, copy: Optional[bool], validate: Union[bool, str]) -> "handles.Tensor":
    flags = x.flags
    if flags.c_contiguous and flags.aligned:
        format = _row_major.get((x.ndim, x.dtype))
        if format is not None and not hasattr(x, "mask"):
            return adopt(format, x.shape, (x,), copy, validate)
    return _adopt_any_numpy(x, copy, validate)


def _adopt_any_numpy(x: Any, copy: Optional[bool], validate: Union[bool, str]) -> "handles.Tensor":
    import numpy

    if isinstance(x, numpy.ma.MaskedArray):
        raise DTypeError("a masked array has elements without a value", "call filled() on it")
    x, code = native(x, copy)
    x = x.view(numpy.ndarray)
    order = _stored_order(x)
    if order is None or not x.flags.aligned:
        refuse_copy(copy, "an array with gaps between its elements")
        x, order, copy = x.copy(order="C"), _ascending[x.ndim], None
    format = dense_format(order, code)
    stored = x.transpose(order)
    if code == dtypes.BFLOAT16:
        return adopt(format, x.shape, (stored.view(numpy.uint16),), copy, validate)
    if x.flags.c_contiguous:
        _row_major[x.ndim, x.dtype] = format
    return adopt(format, x.shape, (stored,), copy, validate)


_ascending: tuple[tuple[int, ...], ...] = tuple(tuple(range(order)) for order in range(33))


def _stored_order(x: Any) -> Optional[tuple[int, ...]]:
    """The dimensions of an array from the slowest to the quickest; None if there are gaps."""
    if x.flags.c_contiguous:
        if x.ndim >= len(_ascending):
            raise ArgumentError(f"a tensor has at most 32 dimensions, not {x.ndim}")
        return _ascending[x.ndim]
    if x.flags.f_contiguous:
        return _ascending[x.ndim][::-1]
    order = sorted(range(x.ndim), key=lambda dimension: -x.strides[dimension])
    return tuple(order) if x.transpose(order).flags.c_contiguous else None


def _adopt_other(x: Any, copy: Optional[bool], validate: Union[bool, str]) -> "handles.Tensor":
    """Whatever NumPy makes an array of: its scalars, lists, what exports DLPack or arrays."""
    import numpy

    if hasattr(x, "__dlpack__") and not hasattr(x, "__array_interface__"):
        return _adopt_numpy(numpy.from_dlpack(x), copy, validate)
    try:
        array = numpy.asarray(x)
    except ValueError as error:
        raise ArgumentError(f"no tensor can be made of a {type(x).__name__}: {error}") from None
    if array.dtype == object:
        raise DTypeError(
            f"no tensor can be made of a {type(x).__name__}",
            "its elements are no numbers, or integers of more than 64 bits",
        )
    if copy is False and not hasattr(x, "__array__"):
        raise CopyError(f"a {type(x).__name__} takes a copy")
    return _adopt_numpy(array, copy, validate)


# ---- SciPy ----


def native(x: Any, copy: Optional[bool]) -> tuple[Any, int]:
    """Values in the machine's order of bytes, and their element type."""
    try:
        return x, dtypes.code_of(x.dtype)
    except DTypeError:
        if x.dtype.isnative:
            raise
    refuse_copy(copy, "the other order of bytes")
    x = x.astype(x.dtype.newbyteorder("="))
    return x, dtypes.code_of(x.dtype)


#: The format of SciPy's csr of one dimension, and its map with a place for properties.
_VECTOR = "SparseVector", "(i) -> (i : compressed({}))"


def _adopt_rows(canonical: str, level: str) -> _Adopter:
    """Makes tensors of csr or csc: `level` is its map, with a place for properties."""

    formats: dict[Any, "_core.Format"] = {}
    texts = {1: _VECTOR, 2: (canonical, level)}

    def adopt_it(x: Any, copy: Optional[bool], validate: Union[bool, str]) -> "handles.Tensor":
        pos, crd, values = x.indptr, x.indices, x.data
        order = len(x.shape)
        known = formats.get((order, pos.dtype, crd.dtype, values.dtype))
        if known and x.has_canonical_format and len(crd) == len(values) == pos[-1]:
            return adopt(known, x.shape, (pos, crd, values), copy, validate)
        values, code = native(values, copy)
        count = int(pos[-1])
        if len(crd) != count or len(values) != count:
            crd, values = crd[:count], values[:count]
        name, map_ = texts[order]
        arrays = (pos, crd, values)
        if x.has_canonical_format:
            tensor = adopt(resolve(name, order, code), x.shape, arrays, copy, validate)
            formats[order, pos.dtype, crd.dtype, values.dtype] = tensor._core.format
            return tensor
        if x.has_sorted_indices:
            format = resolve(map_.format("nonunique"), order, code)
            return adopt(format, x.shape, arrays, copy, validate)
        return _adopt_unordered(x.shape, map_, arrays, code, copy, validate)

    return adopt_it


def _adopt_unordered(
    shape: tuple[int, ...],
    level: str,
    arrays: tuple[Any, ...],
    code: int,
    copy: Optional[bool],
    validate: Union[bool, str],
) -> "handles.Tensor":
    """Rows in no order: whether they repeat coordinates is found out by a check of the format."""
    order = len(shape)
    try:
        return adopt(resolve(level.format("unordered"), order, code), shape, arrays, copy, True)
    except ArgumentError:
        format = resolve(level.format("nonunique, unordered"), order, code)
        return adopt(format, shape, arrays, copy, validate)


def _adopt_coo(x: Any, copy: Optional[bool], validate: Union[bool, str]) -> "handles.Tensor":
    crds = tuple(x.coords) if hasattr(x, "coords") else (x.row, x.col)
    values, code = native(x.data, copy)
    text = "COO" if x.has_canonical_format else list_format(crds)
    return adopt_list(text, x.shape, crds, values, code, copy, validate)


def list_format(crds: tuple[Any, ...]) -> str:
    """The format of a list of coordinates: sorted or not, with repeated ones or without."""
    import numpy

    order = len(crds)
    equal = numpy.ones(max(len(crds[0]) - 1, 0), bool)
    ascending = numpy.zeros_like(equal)
    for crd in crds:
        ascending |= equal & (crd[1:] > crd[:-1])
        equal &= crd[1:] == crd[:-1]
    if ascending.all():
        return "COO"
    if (ascending | equal).all():
        return "COO-Duplicates" if order > 1 else "(i) -> (i : compressed(nonunique))"
    names = [f"d{dimension}" for dimension in range(order)]
    rest = "".join(f", {name} : singleton(nonunique, unordered)" for name in names[1:])
    return f"({', '.join(names)}) -> ({names[0]} : compressed(nonunique, unordered){rest})"


def adopt_list(
    text: str,
    shape: tuple[int, ...],
    crds: tuple[Any, ...],
    values: Any,
    code: int,
    copy: Optional[bool],
    validate: Union[bool, str],
) -> "handles.Tensor":
    """Makes a tensor of a list of coordinates, one array for each dimension."""
    import numpy

    pos = numpy.array([0, len(values)], crds[0].dtype)
    if any(not crd.flags.c_contiguous for crd in crds):
        refuse_copy(copy, "an array with gaps between its coordinates")
        crds = tuple(numpy.ascontiguousarray(crd) for crd in crds)
    if not values.flags.c_contiguous:
        refuse_copy(copy, "an array with gaps between its values")
        values = numpy.ascontiguousarray(values)
    format = resolve(text, len(shape), code)
    return adopt(format, tuple(shape), (pos, *crds, values), copy, validate)


def _adopt_bsr(x: Any, copy: Optional[bool], validate: Union[bool, str]) -> "handles.Tensor":
    values, code = native(x.data, copy)
    rows, columns = x.blocksize
    count = int(x.indptr[-1])
    if not values.flags.c_contiguous:
        refuse_copy(copy, "blocks that are not stored row by row")
        values = values.copy(order="C")
    arrays = (x.indptr, x.indices[:count], values[:count])
    if x.has_canonical_format:
        format = resolve(blocked_text(rows, columns), 2, code)
        return adopt(format, x.shape, arrays, copy, validate)
    if not x.has_sorted_indices:
        format = resolve(blocked_text(rows, columns, "unordered"), 2, code)
        with contextlib.suppress(ArgumentError):  # whether blocks are repeated is found by a check
            return adopt(format, x.shape, arrays, copy, True)
    # (No format adds up blocks, as COO-Duplicates does elements.)
    refuse_copy(copy, "a matrix of SciPy that repeats blocks")
    summed = x.copy()
    summed.sum_duplicates()
    return _adopt_bsr(summed, None, validate)


def _adopt_dia(x: Any, copy: Optional[bool], validate: Union[bool, str]) -> "handles.Tensor":
    import numpy

    values, code = native(x.data, copy)
    offsets, columns = x.offsets, x.shape[1]
    if (offsets[1:] <= offsets[:-1]).any():
        refuse_copy(copy, "diagonals that are not in order")
        order = numpy.argsort(offsets, kind="stable")
        offsets, values = offsets[order], values[order]
    inside = (offsets > -x.shape[0]) & (offsets < columns)
    if not inside.all():
        refuse_copy(copy, "diagonals outside of the matrix")
        offsets, values = offsets[inside], values[inside]
    if values.shape[1] != columns:
        refuse_copy(copy, "diagonals that are not as long as the matrix is wide")
        padded = numpy.zeros((len(offsets), columns), values.dtype)
        shared = min(columns, values.shape[1])
        padded[:, :shared] = values[:, :shared]
        values = padded
    outside = _outside_of_diagonals(x.shape, offsets)
    if values[outside].any():
        refuse_copy(copy, "a diagonal with values outside of the matrix")
        values = numpy.where(outside, values.dtype.type(0), values)
    pos = numpy.array([0, len(offsets)], offsets.dtype)
    format = resolve(DIAGONALS_BY_COLUMN, 2, code)
    stored = numpy.ascontiguousarray(values)
    return adopt(format, x.shape, (pos, offsets, stored), copy, validate)


def _outside_of_diagonals(shape: tuple[int, ...], offsets: Any) -> Any:
    """Which elements of diagonals, as long as the matrix is wide, lie outside of the matrix."""
    import numpy

    rows = numpy.arange(shape[1]) - offsets.astype(numpy.int64)[:, None]
    return (rows < 0) | (rows >= shape[0])


def _convert_scipy(x: Any, copy: Optional[bool], validate: Union[bool, str]) -> "handles.Tensor":
    refuse_copy(copy, f"SciPy's {x.format}")
    return asarray(x.tocsr() if x.format == "lil" else x.tocoo(), validate=validate)


def _adopt_graph(x: Any, copy: Optional[bool], validate: Union[bool, str]) -> "handles.Tensor":
    """A graph of NetworkX as its adjacency matrix, in the order of its nodes."""
    import networkx

    refuse_copy(copy, "a graph of NetworkX")
    return asarray(networkx.to_scipy_sparse_array(x, format="csr"), validate=validate)


_SCIPY: dict[str, _Adopter] = {
    "csr": _adopt_rows("CSR", "(i, j) -> (i : dense, j : compressed({}))"),
    "csc": _adopt_rows("CSC", "(i, j) -> (j : dense, i : compressed({}))"),
    "coo": _adopt_coo,
    "bsr": _adopt_bsr,
    "dia": _adopt_dia,
    "lil": _convert_scipy,
    "dok": _convert_scipy,
}
