"""Tensors of torch as tensors of Strata, and back, without a copy where both store the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Union

from . import conversion, dtypes, export
from .errors import CopyError, DTypeError, FormatError, UnsupportedError
from .formats import resolve
from .layouts import Layout, blocked_levels, layout_of

if TYPE_CHECKING:
    from . import _core
    from .tensors import Tensor

#: The levels of torch's layouts, with places for the coordinates, and for blocks.
_COMPRESSED = {"sparse_csr": "ij", "sparse_csc": "ji", "sparse_bsr": "ij", "sparse_bsc": "ji"}


# ---- From torch ----


def adopt_torch(x: Any, copy: Optional[bool], validate: Union[bool, str]) -> "Tensor":
    """Makes a tensor of one of torch's on the processor, which does not require a gradient."""
    if x.device.type != "cpu":
        raise UnsupportedError(
            f"a tensor of torch on {x.device} is not on the processor", "x.cpu()"
        )
    conversion.refuse_gradient(x)
    layout = str(x.layout).rpartition(".")[2]
    if layout == "strided":
        return _adopt_strided(x, copy, validate)
    if layout == "sparse_coo":
        return _adopt_coo(x, copy, validate)
    if layout in _COMPRESSED:
        return _adopt_compressed(x, layout, copy, validate)
    raise UnsupportedError(f"a tensor of torch in the layout {layout}")


def _array(x: Any) -> tuple[Any, int]:
    """The NumPy array of a strided tensor, and the element type; bfloat16 is seen as integers."""
    import torch

    if x.dtype == torch.bfloat16:
        return x.view(torch.int16).numpy().view("uint16"), dtypes.BFLOAT16
    array = x.numpy()
    return array, dtypes.code_of(array.dtype)


def _resolved(x: Any, copy: Optional[bool]) -> Any:
    """The tensor with its elements as they lie in memory: torch conjugates and negates lazily."""
    if x.is_conj() or x.is_neg():
        conversion.refuse_copy(copy, "a tensor of torch that is conjugated or negated lazily")
        return x.resolve_conj().resolve_neg()
    return x


def _adopt_strided(x: Any, copy: Optional[bool], validate: Union[bool, str]) -> "Tensor":
    array, code = _array(_resolved(x, copy))
    if code != dtypes.BFLOAT16:
        return conversion.asarray(array, copy=copy, validate=validate)
    if not array.flags.c_contiguous:
        conversion.refuse_copy(copy, "a tensor of bfloat16 whose dimensions are not in order")
        array = array.copy()
    format = export.dense_format(tuple(range(array.ndim)), code)
    return conversion.adopt(format, array.shape, (array,), copy, validate)


def _values(x: Any, copy: Optional[bool]) -> tuple[Any, int]:
    values, code = _array(_resolved(x, copy))
    if not values.flags.c_contiguous:
        conversion.refuse_copy(copy, "a tensor of torch with gaps between its values")
        values = values.copy()
    return values, code


def _dense_levels(first: int, order: int) -> tuple[list[str], list[str]]:
    """The names and levels of the dimensions whose elements torch stores all, behind the others."""
    names = [f"d{dimension}" for dimension in range(first, order)]
    return names, [f"{name} : dense" for name in names]


def _adopt_coo(x: Any, copy: Optional[bool], validate: Union[bool, str]) -> "Tensor":
    crds = x._indices().numpy()
    values, code = _values(x._values(), copy)
    if not crds.flags.c_contiguous:
        conversion.refuse_copy(copy, "a tensor of torch with gaps between its coordinates")
        crds = crds.copy()
    shape, sparse = tuple(x.shape), x.sparse_dim()
    if sparse == 0:
        raise UnsupportedError("a tensor of torch without coordinates", "x.to_dense()")
    text = "COO" if x.is_coalesced() else conversion.list_format(tuple(crds))
    if sparse < len(shape) and text != "COO":  # (No format adds up what lies at one place.)
        conversion.refuse_copy(copy, "a hybrid tensor of torch that is not coalesced")
        return _adopt_coo(x.coalesce(), None, validate)
    if sparse == len(shape):
        return conversion.adopt_list(text, shape, tuple(crds), values, code, copy, validate)
    import numpy

    listed = layout_of(resolve(text, sparse, code).text)
    assert listed is not None
    names, dense = _dense_levels(sparse, len(shape))
    levels = [f"{level.coordinate} : {level.format}" for level in listed.levels]
    format = f"({', '.join([*listed.dimensions, *names])}) -> ({', '.join([*levels, *dense])})"
    arrays = (numpy.array([0, crds.shape[1]]), *crds, values)
    return conversion.adopt(resolve(format, len(shape), code), shape, arrays, copy, validate)


def _indices_of(x: Any, layout: str) -> tuple[Any, Any]:
    if layout in ("sparse_csr", "sparse_bsr"):
        return x.crow_indices().numpy(), x.col_indices().numpy()
    return x.ccol_indices().numpy(), x.row_indices().numpy()


def _adopt_compressed(
    x: Any, layout: str, copy: Optional[bool], validate: Union[bool, str]
) -> "Tensor":
    pos, crd = _indices_of(x, layout)
    shape, order = tuple(x.shape), len(x.shape)
    if pos.ndim > 1:
        conversion.refuse_copy(copy, "a batch of matrices of torch")
        return conversion.asarray(x.to_dense(), validate=validate).asformat("CSF")
    values, code = _values(x.values(), copy)
    blocks = values.shape[1:3] if layout in ("sparse_bsr", "sparse_bsc") else (1, 1)
    names, dense = _dense_levels(2, order)
    levels = _matrix_levels(layout, int(blocks[0]), int(blocks[1]))
    text = f"({', '.join(['i', 'j', *names])}) -> ({', '.join([*levels, *dense])})"
    if layout in ("sparse_csr", "sparse_csc") and order == 2:
        text = "CSR" if layout == "sparse_csr" else "CSC"
    return conversion.adopt(resolve(text, order, code), shape, (pos, crd, values), copy, validate)


def matrix_format(layout: str, blocks: tuple[int, ...] = (1, 1)) -> str:
    """The format of matrices in one of torch's compressed layouts, with blocks of a size."""
    if layout in ("sparse_csr", "sparse_csc"):
        return "CSR" if layout == "sparse_csr" else "CSC"
    return f"(i, j) -> ({', '.join(_matrix_levels(layout, blocks[0], blocks[1]))})"


def _matrix_levels(layout: str, rows: int, columns: int) -> list[str]:
    """The levels of one of torch's compressed layouts with blocks of a size, as text."""
    coordinates = [coordinate for _, coordinate in blocked_levels("i", "j", rows, columns)]
    if _COMPRESSED[layout] == "ji":
        coordinates[:2] = coordinates[1::-1]
    inner = [f"{coordinate} : dense" for coordinate in coordinates[2:]]
    return [f"{coordinates[0]} : dense", f"{coordinates[1]} : compressed", *inner]


# ---- To torch ----


class _Kind(NamedTuple):
    """Which of torch's layouts has a format's arrays, with how many dense dimensions behind, and
    blocks of which size."""

    layout: str
    dense: int = 0
    blocks: tuple[int, int] = (1, 1)


def _kind_of(layout: Optional[Layout]) -> Optional[_Kind]:
    if layout is None:
        return None
    if layout.dense_order is not None:
        return _Kind("strided")
    formats = [level.format.partition("(")[0] for level in layout.levels]
    coordinates = [level.coordinate for level in layout.levels]
    dense = 0
    while formats and formats[-1] == "dense" and coordinates[-1] == layout.dimensions[-1 - dense]:
        formats.pop()
        coordinates.pop()
        dense += 1
    if formats[:1] == ["compressed"] and set(formats[1:]) <= {"singleton"}:
        listed = coordinates == list(layout.dimensions[: len(coordinates)])
        return (
            _Kind("sparse_coo", dense) if listed and "aos" not in layout.levels[0].format else None
        )
    return _matrix_kind(layout)


def _matrix_kind(layout: Layout) -> Optional[_Kind]:
    """CSR, CSC, BSR or BSC; torch's are sorted and unique."""
    words = [f"{level.coordinate} : {level.format}" for level in layout.levels]
    names = dict(zip(layout.dimensions, ("i", "j")))
    written = [_renamed(word, names) for word in words]
    sizes = [_last_number(level.coordinate) for level in layout.levels[:2]]
    for name in _COMPRESSED:
        blocked = name in ("sparse_bsr", "sparse_bsc")
        rows, columns = sizes if _COMPRESSED[name] == "ij" else sizes[::-1]
        if blocked == ((rows, columns) == (1, 1)):
            continue
        levels = _matrix_levels(name, rows, columns)
        dense = len(layout.dimensions) - 2
        behind = [f"{dimension} : dense" for dimension in layout.dimensions[2:]]
        if written == [*levels, *behind]:
            return _Kind(name, dense, (rows, columns))
    return None


def _renamed(word: str, names: dict[str, str]) -> str:
    first, *rest = word.split(" ")
    return " ".join([names.get(first, first), *rest])


def _last_number(coordinate: str) -> int:
    last = coordinate.rpartition(" ")[2]
    return int(last) if last.isdigit() and "floordiv" in coordinate else 1


def to_torch(core: "_core.Tensor", layout: Any, copy: Optional[bool]) -> Any:
    """See Tensor.to_torch."""
    format = core.format
    if format.has_fill:
        raise FormatError("torch's tensors are zero where they store nothing: this tensor is not")
    kind = _kind_of(layout_of(format.text))
    wanted = str(layout).rpartition(".")[2] if layout is not None else None
    if wanted is None and kind is None:
        wanted = "sparse_coo"
    if wanted is not None and (kind is None or kind.layout != wanted):
        if copy is False:
            raise CopyError(f"a tensor in {format.name} becomes torch's {wanted} by a copy only")
        core = core.convert(resolve(_target(wanted), format.order, format.type))
        kind, copy = _kind_of(layout_of(core.format.text)), None
    elif copy:
        core = core.copy()
    assert kind is not None
    return _BUILDERS[kind.layout](core, kind, copy)


def _target(layout: str) -> str:
    targets = {"strided": "Dense", "sparse_coo": "COO", "sparse_csr": "CSR", "sparse_csc": "CSC"}
    if layout in ("sparse_bsr", "sparse_bsc"):
        raise FormatError("the size of the blocks is missing", "use asformat('BCSR:4x4') before")
    if layout not in targets:
        raise UnsupportedError(f"torch's layout {layout}", f"one of {', '.join(_BUILDERS)}")
    return targets[layout]


def _of_array(core: "_core.Tensor", index: int) -> Any:
    """One of a tensor's arrays as a tensor of torch, which shares it. Torch knows no arrays that
    cannot be written to."""
    import numpy
    import torch

    array: Any = core.writable_array(index)
    if array.type == dtypes.BFLOAT16:
        return torch.from_numpy(numpy.frombuffer(array, numpy.int16)).view(torch.bfloat16)
    try:
        return torch.from_numpy(numpy.frombuffer(array, dtypes.NAMES[array.type]))
    except TypeError as error:
        raise DTypeError(f"torch has no {dtypes.NAMES[array.type]}") from error


def _values_of(core: "_core.Tensor", *shape: int) -> Any:
    return _of_array(core, len(core.format.arrays) - 1).reshape(shape)


def _strided(core: "_core.Tensor", kind: _Kind, copy: Optional[bool]) -> Any:
    layout = layout_of(core.format.text)
    order = layout.dense_order if layout else None
    assert order is not None
    stored = _values_of(core, *(core.shape[dimension] for dimension in order))
    return stored.permute([order.index(dimension) for dimension in range(len(order))])


def _coordinates(core: "_core.Tensor", kind: _Kind, copy: Optional[bool]) -> Any:
    import torch

    shape = core.shape
    sparse = len(shape) - kind.dense
    arrays = [export.array_of(core, 1 + level, True) for level in range(sparse)]
    count = len(arrays[0])
    crds = joined(arrays)
    if crds is None:
        if copy is False:
            raise CopyError("torch's coordinates are one array of 64 bits")
        crds = stacked(arrays, "int64")
    text = core.format.text
    values = _values_of(core, count, *shape[sparse:])
    made = torch.sparse_coo_tensor(torch.from_numpy(crds), values, shape)
    is_sorted = "unordered" not in text
    layout = layout_of(text)
    unique = layout is not None and "nonunique" not in layout.levels[sparse - 1].format
    return made._coalesced_(is_sorted and unique)


def joined(arrays: list[Any]) -> Optional[Any]:
    """Arrays of coordinates of 64 bits as one matrix, if they lie one behind the other."""
    import numpy

    first, size = arrays[0], arrays[0].nbytes
    begin = first.__array_interface__["data"][0]
    places = [array.__array_interface__["data"][0] - begin for array in arrays]
    if first.dtype != numpy.int64 or not size or places != [size * at for at in range(len(arrays))]:
        return None
    shape = len(arrays), len(first)
    return numpy.lib.stride_tricks.as_strided(first, shape, (size, first.itemsize))


def stacked(arrays: list[Any], dtype: str) -> Any:
    """Arrays of coordinates as the rows of a new matrix."""
    import numpy

    return numpy.stack(arrays).astype(dtype, copy=False)


def _compressed(core: "_core.Tensor", kind: _Kind, copy: Optional[bool]) -> Any:
    import torch

    pos, crd = _of_array(core, 0), _of_array(core, 1)
    if pos.dtype != crd.dtype or pos.dtype not in (torch.int32, torch.int64):
        if copy is False:
            raise CopyError("torch's positions and coordinates are all of 32 bits or all of 64")
        pos, crd = pos.to(torch.int64), crd.to(torch.int64)
    blocks = () if kind.blocks == (1, 1) else kind.blocks
    if any(size % own for size, own in zip(core.shape, blocks)):
        raise FormatError("torch's blocks divide the sizes of the matrix")
    values = _values_of(core, len(crd), *blocks, *core.shape[2:])
    layout = getattr(torch, kind.layout)
    make: Callable[..., Any] = torch.sparse_compressed_tensor
    return make(pos, crd, values, size=core.shape, layout=layout)


_BUILDERS: dict[str, Callable[..., Any]] = {
    "strided": _strided,
    "sparse_coo": _coordinates,
    "sparse_csr": _compressed,
    "sparse_csc": _compressed,
    "sparse_bsr": _compressed,
    "sparse_bsc": _compressed,
}
