"""Sparse arrays of JAX as tensors, and back: BCOO and BCSR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

from . import conversion, export
from .errors import CopyError, DTypeError, FormatError

if TYPE_CHECKING:
    from . import _core
    from .tensors import Tensor


def adopt_jax(x: Any, copy: Optional[bool], validate: Union[bool, str]) -> "Tensor":
    """Makes a tensor of a BCOO or BCSR. Its coordinates lie beside each other in BCOO, and are copied;
    entries behind the last row or column, which fill an array up, are left out."""
    import numpy

    is_list = hasattr(x, "n_sparse") and not hasattr(x, "indptr")
    if x.n_batch or x.n_dense:
        conversion.refuse_copy(copy, f"a {type(x).__name__} with dimensions that are not sparse")
        x = _without_dense(x, is_list)
    shape = tuple(int(size) for size in x.shape)
    values, code = conversion.native(numpy.asarray(x.data), copy)
    indices = numpy.asarray(x.indices)
    if not is_list:
        return _of_rows(x, shape, values, indices, code, copy, validate)
    conversion.refuse_copy(copy, "an array with gaps between its coordinates")
    inside = (indices < numpy.array(shape, indices.dtype)).all(axis=1)
    if not inside.all():
        indices, values = indices[inside], values[inside]
    crds = tuple(numpy.ascontiguousarray(column) for column in indices.T)
    if not crds:
        return conversion.asarray(values.sum())
    text = conversion.list_format(crds)
    return conversion.adopt_list(text, shape, crds, values, code, copy, validate)


def _without_dense(x: Any, is_list: bool) -> Any:
    if not is_list:
        x = x.to_bcoo()
    return x.update_layout(n_batch=0, n_dense=0)


def _of_rows(
    x: Any,
    shape: tuple[int, ...],
    values: Any,
    indices: Any,
    code: int,
    copy: Optional[bool],
    validate: Union[bool, str],
) -> "Tensor":
    """Adopts what SciPy calls CSR; the rows end where `indptr` says, also before the arrays do."""
    import numpy
    from scipy.sparse import csr_array

    rows = numpy.asarray(x.indptr)
    stored = int(rows[-1])
    matrix = csr_array((values[:stored], indices[:stored], rows), shape=shape)
    if validate == "auto":
        validate = True
    return conversion.asarray(matrix, copy=copy, validate=validate)


def to_jax(core: "_core.Tensor", layout: Optional[str], copy: Optional[bool]) -> Any:
    """See Tensor.to_jax."""
    import numpy

    if copy is False:
        raise CopyError("arrays of JAX are its own, and take a copy")
    if layout not in (None, "bcoo", "bcsr"):
        raise FormatError(f"JAX has no layout {layout!r}", "'bcoo' or 'bcsr'")
    if core.format.has_fill:
        raise FormatError("JAX's arrays are zero where they store nothing: this tensor is not")
    from jax.experimental import sparse

    if layout == "bcsr":
        matrix = export.to_scipy(core, "csr", None)
        arrays = tuple(map(_array, (matrix.data, matrix.indices, matrix.indptr)))
        return sparse.BCSR(
            arrays, shape=matrix.shape, indices_sorted=True, unique_indices=True
        )
    crds, values = export.entries_of(core)
    width = numpy.int32 if max(core.shape, default=0) <= 2**31 else numpy.int64
    columns = [numpy.asarray(crd, width) for crd in crds]
    empty = numpy.empty((len(values), 0), width)
    indices = numpy.stack(columns, axis=1) if columns else empty
    return sparse.BCOO(
        (_array(values), _array(indices)),
        shape=core.shape,
        indices_sorted=True,
        unique_indices=True,
    )


def _array(x: Any) -> Any:
    """An array of JAX with the same elements, of the same type."""
    import jax.numpy

    made = jax.numpy.array(x)
    if made.dtype != x.dtype:
        raise DTypeError(
            f"JAX makes {made.dtype} of {x.dtype}",
            "jax.config.update('jax_enable_x64', True), or, of values, astype() before",
        )
    return made
