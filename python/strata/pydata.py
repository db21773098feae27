"""Arrays of PyData sparse as tensors, and back, without copying them where both store the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

from . import conversion, export
from .errors import CopyError
from .formats import fill_text, resolve
from .layouts import layout_of
from .torch_tensors import joined, stacked

if TYPE_CHECKING:
    from . import _core
    from .tensors import Tensor


def adopt_pydata(x: Any, copy: Optional[bool], validate: Union[bool, str]) -> "Tensor":
    """COO has its coordinates in order and unique, and so have the rows or columns of GCXS, which
    is CSR or CSC if it is a matrix; other arrays are made COO."""
    if not hasattr(x, "coords") and not (hasattr(x, "indptr") and x.ndim == 2):
        conversion.refuse_copy(copy, f"a {type(x).__name__}")
        x = x.asformat("coo")
    values, code = conversion.native(x.data, copy)
    fill = x.fill_value.item()
    options = "" if fill == 0 else f", fill = {fill_text(fill)}"
    shape = tuple(x.shape)
    if not hasattr(x, "coords"):
        name = "CSR" if tuple(x.compressed_axes) == (0,) else "CSC"
        arrays = (*_signed((x.indptr, x.indices), copy), values)
        format = resolve(f"{{{name}{options}}}", 2, code)
        return conversion.adopt(format, shape, arrays, copy, validate)
    crds = _signed(tuple(x.coords), copy)
    return conversion.adopt_list(f"{{COO{options}}}", shape, crds, values, code, copy, validate)


def _signed(arrays: tuple[Any, ...], copy: Optional[bool]) -> tuple[Any, ...]:
    """Arrays of coordinates, of signed integers."""
    if all(array.dtype.kind == "i" for array in arrays):
        return arrays
    conversion.refuse_copy(copy, "an array of unsigned coordinates")
    return tuple(array.astype("int64") for array in arrays)


def to_sparse(core: "_core.Tensor", copy: Optional[bool]) -> Any:
    """See Tensor.to_sparse."""
    import numpy
    import sparse

    kind = _kind_of(core)
    if kind is None:
        if copy is False:
            raise CopyError(f"a tensor in {core.format.name} becomes PyData's COO by a copy only")
        core = core.convert(export.list_format_for(core.format))
        kind, copy = "COO", None
    elif copy:
        core = core.copy()
    values = export.array_of(core, len(core.format.arrays) - 1)
    fill = numpy.array(export.number_of(core.format.fill, core.format.type), values.dtype)[()]
    if kind != "COO":
        pos, crd = export.array_of(core, 0), export.array_of(core, 1)
        axis = 0 if kind == "CSR" else 1
        options = {"compressed_axes": (axis,), "fill_value": fill}
        return sparse.GCXS((values, crd, pos), shape=core.shape, **options)
    arrays = [export.array_of(core, 1 + level) for level in range(len(core.shape))]
    crds = joined(arrays)
    if crds is None:
        if copy is False:
            raise CopyError("PyData's coordinates are one array of 64 bits")
        crds = stacked(arrays, "int64")
    options = {"has_duplicates": False, "sorted": True, "fill_value": fill}
    return sparse.COO(crds, values, shape=core.shape, **options)


def _kind_of(core: "_core.Tensor") -> Optional[str]:
    """COO, CSR or CSC, if the tensor has one of these formats, apart from its fill."""
    layout = layout_of(core.format.text)
    for name in ("COO", "CSR", "CSC"):
        if name == "COO" or core.format.order == 2:
            own = layout_of(resolve(name, core.format.order, core.format.type).text)
            assert own is not None
            if layout is not None and _shape_of(layout) == _shape_of(own):
                return name if core.format.order else None
    return None


def _shape_of(layout: Any) -> list[tuple[int, str]]:
    """The levels of a layout with their dimensions; -1 stands for a computed coordinate."""
    numbers = {name: number for number, name in enumerate(layout.dimensions)}
    return [(numbers.get(level.coordinate, -1), level.format) for level in layout.levels]
