"""Tensors as arrays of NumPy and SciPy, and as bytes."""

from __future__ import annotations

import re
from typing import Any, Callable, NamedTuple, Optional, Union

from . import _core, dtypes, handles
from .errors import (
    ArgumentError,
    CopyError,
    DensifyError,
    DTypeError,
    FormatError,
    ShapeError,
    UnsupportedError,
)
from .formats import Format, fill_text, resolve, to_core
from .layouts import Layout, block_size, blocked_text, dense_text, layout_of

#: SciPy's diagonals: each has an element for every column.
DIAGONALS_BY_COLUMN = "(i, j) -> (j - i : compressed, j : range, i : offset)"


def array_of(core: "_core.Tensor", index: int, writable: bool = False) -> Any:
    """Returns an array of a storage as a NumPy array of one dimension that shares its memory."""
    import numpy

    array: Any = core.writable_array(index) if writable else core.array(index)
    code = array.type
    if code == dtypes.BFLOAT16:
        return numpy.frombuffer(array, numpy.uint16).view(dtypes.numpy_dtype(code))
    return numpy.frombuffer(array, dtypes.NAMES[code])


def _values_of(core: "_core.Tensor", writable: bool = False) -> Any:
    return array_of(core, len(core.format.arrays) - 1, writable)


# ---- NumPy ----


def to_numpy(core: "_core.Tensor", allow_dense: bool, copy: Optional[bool]) -> Any:
    """See Tensor.to_numpy."""
    format = core.format
    order = _dense_order(format)
    if order is not None:
        shared = _dense_array(core, order, False)
        return shared.copy(order="K") if copy else shared
    if not format.is_full and not allow_dense:
        raise DensifyError(
            "a sparse tensor becomes a dense array only if it is asked to",
            "give allow_dense=True, or call todense()",
        )
    if copy is False:
        raise CopyError(f"all elements of a tensor in {format.name} take a copy")
    return to_own_numpy(core)


def to_own_numpy(core: "_core.Tensor") -> Any:
    """Returns the elements of a tensor that nobody else holds as an array to be written to."""
    format = core.format
    order = _dense_order(format)
    if order is None:
        order = tuple(range(format.order))
        core = core.convert(resolve("Dense", format.order, format.type))
    return _dense_array(core, order, True)


def _dense_order(format: "_core.Format") -> Optional[tuple[int, ...]]:
    """The dimension of each level of a format with all elements; None of other formats."""
    layout = layout_of(format.text) if format.is_full else None
    return layout.dense_order if layout else None


def _dense_array(core: "_core.Tensor", order: tuple[int, ...], writable: bool) -> Any:
    shape = core.shape
    stored = _values_of(core, writable).reshape([shape[dimension] for dimension in order])
    return stored.transpose([order.index(dimension) for dimension in range(len(order))])


#: Flags of DLPack 1.
_READ_ONLY, _COPIED = 1, 2


def to_dlpack(
    core: "_core.Tensor",
    stream: Any,
    max_version: Optional[tuple[int, int]],
    device: Optional[tuple[int, int]],
    copy: Optional[bool],
) -> Any:
    """The capsule of a tensor in a dense format, which shares its memory, read-only, unless a copy is
    asked for. Arguments are those of ``__dlpack__``."""
    order = _dense_order(core.format)
    if order is None:
        raise BufferError("DLPack has no sparse tensors: call todense() or to_scipy()")
    if device is not None and tuple(device) != (1, 0):
        raise BufferError(f"a tensor on the processor does not come onto the device {device}")
    if stream is not None:
        raise BufferError("the processor has no streams")
    core = core.copy() if copy else core
    shape = core.shape
    strides = [0] * len(shape)
    step = 1
    for dimension in reversed(order):
        strides[dimension] = step
        step *= shape[dimension]
    # Until version 1, DLPack knows no memory that cannot be written to.
    is_old = max_version is None or max_version[0] < 1
    flags = None if is_old else _COPIED if copy else _READ_ONLY
    return _core.export_dlpack(core.array(0), shape, strides, flags)


def exported(core: "_core.Tensor") -> Any:
    """What exports the memory of a tensor in a dense format by the buffer protocol."""
    order = _dense_order(core.format)
    if order is None:
        raise BufferError(
            "a sparse tensor is no buffer: its values and levels have arrays, "
            "and todense() makes a dense array"
        )
    return _dense_array(core, order, False)


def number_of(value: complex, code: int) -> Union[bool, int, float, complex]:
    """A fill value as a number of Python's, of the kind that the element type has."""
    kind = dtypes.kind_of(code)
    if kind == dtypes.kind_of(dtypes.COMPLEX128):
        return value
    if kind == dtypes.kind_of(dtypes.FLOAT64):
        return value.real
    return bool(value.real) if kind == dtypes.kind_of(dtypes.BOOL) else int(value.real)


# ---- SciPy ----


class _Export(NamedTuple):
    """What a tensor's format means for SciPy; found once for each format and element type."""

    kind: Optional[str]
    arrays: int
    is_sorted: bool
    is_unique: bool
    name: str


_exports: dict[int, _Export] = {}


def _export_of(core: "_core.Tensor") -> _Export:
    """Finds out what a tensor's format means for SciPy, or says why SciPy cannot have it."""
    format = core.format
    layout = layout_of(format.text)
    if format.has_fill:
        raise FormatError("SciPy's arrays are zero where they store nothing: this tensor is not")
    if dtypes.NAMES[format.type] in ("float16", "bfloat16"):
        raise DTypeError("SciPy has no sparse arrays of 16-bit floats", "use astype('float32')")
    text = format.text
    is_sorted = "unordered" not in text
    made = _Export(
        _kind_of(layout) if layout else None,
        len(format.arrays),
        is_sorted,
        is_sorted and "compressed(nonunique" not in text,
        format.name,
    )
    _exports[core.key] = made
    return made


def to_scipy(
    core: "_core.Tensor",
    kind: Optional[str],
    copy: Optional[bool],
    blocksize: Optional[tuple[int, int]] = None,
) -> Any:
    """See Tensor.to_scipy."""
    export = _exports.get(core.key) or _export_of(core)
    own = export.kind
    if own == "bsr" and not _has_whole_blocks(core, blocksize):
        own = None
    if blocksize is not None:
        kind = kind or "bsr"
        _check_blocks(core, kind, blocksize)
    if kind is None:
        kind = own or ("csr" if len(core.shape) == 2 else "coo")
    if kind not in _BUILDERS:
        raise UnsupportedError(f"'{kind}' is not one of {', '.join(_BUILDERS)}")
    if own != kind:
        if copy is False:
            raise CopyError(f"a tensor in {export.name} becomes SciPy's {kind} by a copy only")
        format = core.format
        core = core.convert(resolve(_target(kind, format.order, blocksize), format.order, format.type))
        export = _exports.get(core.key) or _export_of(core)
    elif copy:
        core = core.copy()
    made = _BUILDERS[kind](core, export, own != kind or bool(copy))
    if copy is False and not _same_addresses(core, made):
        raise CopyError("SciPy's indices are all of 32 bits or all of 64")
    return made


def entries_of(core: "_core.Tensor") -> tuple[tuple[Any, ...], Any]:
    """Returns what a tensor stores: for each dimension the coordinates of all entries, in order and
    each place once, and the values."""
    _, *coordinates, values = _arrays(core.convert(list_format_for(core.format)), False)
    return tuple(coordinates), values


def list_format_for(format: "_core.Format") -> "_core.Format":
    """Returns COO with the fill value, the order and the element type of another format."""
    listed = Format("COO")
    if format.has_fill:
        listed = listed.with_(fill=number_of(format.fill, format.type))
    return to_core(listed, format.order, format.type)


def _has_whole_blocks(core: "_core.Tensor", blocksize: Optional[tuple[int, int]]) -> bool:
    """Whether a tensor of blocks has only whole ones, and of a size that is asked for."""
    layout = layout_of(core.format.text)
    block = block_size(layout) if layout else None
    if not block or blocksize is not None and tuple(blocksize) != tuple(block):
        return False
    return all(size % own == 0 for size, own in zip(core.shape, block))


def _check_blocks(core: "_core.Tensor", kind: str, blocksize: tuple[int, int]) -> None:
    if kind != "bsr":
        raise ArgumentError(f"blocksize= is for bsr, not for {kind}")
    if len(blocksize) != 2 or any(size < 1 for size in blocksize):
        raise ShapeError(f"blocks have some rows and some columns, not {blocksize}")
    if any(size % block for size, block in zip(core.shape, blocksize)):
        raise ShapeError(
            f"SciPy's matrices of blocks consist of whole ones: {blocksize} does not divide "
            f"{core.shape}"
        )


def _target(kind: str, order: int, blocksize: Optional[tuple[int, int]]) -> str:
    """The format whose arrays are those of one of SciPy's kinds."""
    if kind != "coo" and order != 2:
        raise UnsupportedError(f"SciPy's {kind} is for matrices, not for {order} dimensions")
    if kind == "bsr":
        if blocksize is None:
            raise FormatError(
                "the size of the blocks is missing", "to_scipy('bsr', blocksize=(2, 2))"
            )
        return blocked_text(*blocksize)
    return {"csr": "CSR", "csc": "CSC", "coo": "COO", "dia": DIAGONALS_BY_COLUMN}[kind]


def _kind_of(layout: Layout) -> Optional[str]:
    """Which of SciPy's kinds has a layout's arrays as they are; None if none has."""
    coordinates = tuple(level.coordinate for level in layout.levels)
    formats = tuple(level.format for level in layout.levels)
    kinds = [format.partition("(")[0] for format in formats]
    if kinds[:1] == ["compressed"] and set(kinds[1:]) <= {"singleton"}:
        listed = sorted(coordinates) == sorted(layout.dimensions) and "aos" not in formats[0]
        return "coo" if listed and (len(kinds) == 1 or "nonunique" in formats[0]) else None
    if len(layout.dimensions) != 2:
        return None
    i, j = layout.dimensions
    if kinds == ["dense", "compressed"] and set(coordinates) == {i, j}:
        return "csr" if coordinates == (i, j) else "csc"
    if coordinates == (f"{j} - {i}", j, i) and kinds == ["compressed", "range", "offset"]:
        return "dia"
    return "bsr" if block_size(layout) else None


def _arrays(core: "_core.Tensor", fresh: bool) -> list[Any]:
    return [array_of(core, index, fresh) for index in range(len(core.format.arrays))]


def _compressed(kind: str) -> Callable[..., Any]:
    def build(core: "_core.Tensor", export: _Export, fresh: bool) -> Any:
        import scipy.sparse

        pos, crd = array_of(core, 0, fresh), array_of(core, 1, fresh)
        values = array_of(core, 2, fresh)
        made = getattr(scipy.sparse, f"{kind}_array")((values, crd, pos), shape=core.shape)
        if export.is_sorted:
            made.has_sorted_indices = True
        if export.is_unique:
            made.has_canonical_format = True
        return made

    return build


def _coordinates(core: "_core.Tensor", export: _Export, fresh: bool) -> Any:
    import scipy.sparse

    layout = layout_of(core.format.text)
    assert layout is not None
    _, *crds, values = _arrays(core, fresh)
    by_dimension: dict[str, Any] = {
        level.coordinate: crd for level, crd in zip(layout.levels, crds)
    }
    ordered = tuple(by_dimension[name] for name in layout.dimensions)
    try:
        made = scipy.sparse.coo_array((values, ordered), shape=core.shape)
    except (TypeError, ValueError) as error:
        raise UnsupportedError(f"this SciPy has no array of {len(ordered)} dimensions") from error
    in_order = tuple(level.coordinate for level in layout.levels) == layout.dimensions
    repeats = "nonunique" in layout.levels[-1].format
    made.has_canonical_format = export.is_sorted and in_order and not repeats
    return made


def _blocks(core: "_core.Tensor", export: _Export, fresh: bool) -> Any:
    import scipy.sparse

    layout = layout_of(core.format.text)
    block = block_size(layout) if layout else None
    assert block is not None
    pos, crd, values = _arrays(core, fresh)
    return scipy.sparse.bsr_array(
        (values.reshape(-1, *block), crd, pos), shape=core.shape, blocksize=block
    )


def _diagonals(core: "_core.Tensor", export: _Export, fresh: bool) -> Any:
    import scipy.sparse

    _, offsets, values = _arrays(core, fresh)
    return scipy.sparse.dia_array(
        (values.reshape(len(offsets), core.shape[1]), offsets), shape=core.shape
    )


_BUILDERS: dict[str, Callable[..., Any]] = {
    "csr": _compressed("csr"),
    "csc": _compressed("csc"),
    "coo": _coordinates,
    "bsr": _blocks,
    "dia": _diagonals,
}


def _same_addresses(core: "_core.Tensor", made: Any) -> bool:
    """Whether the arrays of an array of SciPy are those of a tensor, but for pos of a list."""
    ours = {core.array(index).address for index in range(len(core.format.arrays))}
    return all(not array.size or array.ctypes.data in ours for array in arrays_in(made))


def arrays_in(other: Any) -> list[Any]:
    """The NumPy arrays in an array of SciPy, or that array of NumPy itself."""
    names = ("data", "indices", "indptr", "row", "col", "offsets")
    if hasattr(other, "__array_interface__"):
        return [other]
    found = [getattr(other, name) for name in names if hasattr(other, name)]
    return found + list(getattr(other, "coords", ()))


# ---- Others ----


def with_type(core: "_core.Tensor", code: int) -> "_core.Tensor":
    """Returns a tensor with values of another type, which shares the pattern."""
    format = core.format
    text = format.text
    if format.has_fill:
        import numpy

        is_complex = dtypes.kind_of(code) == dtypes.kind_of(dtypes.COMPLEX128)
        fill = numpy.array(format.fill if is_complex else format.fill.real)
        written = f"fill = {fill_text(fill.astype(dtypes.numpy_dtype(code)).item())}"
        text = re.sub(r"fill = [^,}]+", written, text)
    if layout_of(format.text) is None:
        # (A conversion changes the type or the fill, not both.)
        listed = with_type(core.convert(list_format_for(format)), code) if format.has_fill else core
        return listed.convert(resolve(text, format.order, code))
    arrays: list[Any] = [core.array(index) for index in range(len(format.arrays) - 1)]
    values = _values_of(core).astype(dtypes.numpy_dtype(code))
    arrays.append(values.view("uint16") if code == dtypes.BFLOAT16 else values)
    target = resolve(text, format.order, code)
    return _core.from_buffers(target, core.shape, arrays, _core.STRATA_ADOPT, code)


def shares_memory(core: "_core.Tensor", other: Any) -> bool:
    """See Tensor.shares_memory."""
    import numpy

    handle = getattr(other, "_core", None)
    theirs = _arrays(handle, False) if handle is not None else arrays_in(other)
    ours = _arrays(core, False)
    return any(numpy.may_share_memory(one, two) for one in ours for two in theirs)


def reduce(core: "_core.Tensor", protocol: Any) -> Any:
    """What pickle keeps of a tensor: its format, and its arrays, which protocol 5 need not copy."""
    format = core.format
    if layout_of(format.text) is None:
        listed = core.convert(list_format_for(format))
        return rebuild, (*reduce(listed, protocol)[1], format.text)
    import numpy

    arrays = []
    for index in range(len(format.arrays)):
        array: Any = core.array(index)
        arrays.append(numpy.asarray(memoryview(array)) if len(array) else array_of(core, index))
    return rebuild, (format.text, core.shape, format.type, arrays)


def rebuild(
    text: str, shape: tuple[int, ...], code: int, arrays: list[Any], target: Optional[str] = None
) -> Any:
    """Makes the tensor of what :func:`reduce` kept."""
    format = resolve(text, len(shape), code)
    core = _core.from_buffers(format, shape, arrays, _core.STRATA_ADOPT, code)
    return handles.wrap(core.convert(resolve(target, len(shape), code)) if target else core)


def dense_format(order: tuple[int, ...], code: int) -> "_core.Format":
    """The handle of the format with all elements, level by level the dimensions in this order."""
    return resolve(dense_text(order), len(order), code)
