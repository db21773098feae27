"""Sparse tensors whose values are tensors of torch: made of torch's own, so that gradients reach these, and put
together again."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Optional, Sequence

import numpy
import torch

from . import _core, conversion, dtypes, export, handles
from .errors import DTypeError, FormatError, ShapeError, UnsupportedError
from .formats import resolve
from .torch_tensors import matrix_format

#: Torch's element types by Strata's numbers.
TYPES = {dtypes.code_of(str(dtype).rpartition(".")[2]): dtype for dtype in (
    torch.bool, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.float16,
    torch.float32, torch.float64, torch.complex64, torch.complex128)}
TYPES[dtypes.BFLOAT16] = torch.bfloat16
_CODES = {dtype: code for code, dtype in TYPES.items()}


# ---- Arrays ----


@lru_cache(maxsize=4096)
def format_of(text: str, order: int, code: int) -> "_core.Format":
    """Returns the handle of a format's text for an order and an element type."""
    return resolve(text, order, code)


def _numpy(x: torch.Tensor) -> Any:
    """The array of NumPy with the elements of a dense tensor; bfloat16 as integers."""
    x = x.detach()
    if x.is_conj() or x.is_neg():
        x = x.resolve_conj().resolve_neg()
    if not x.is_contiguous():
        x = x.contiguous()
    if x.dtype == torch.bfloat16:
        return x.view(torch.int16).numpy().view("uint16")
    return x.numpy()


def code_of(dtype: torch.dtype) -> int:
    """Returns the number of an element type of torch's.

    Raises:
        DTypeError: Strata has none.
    """
    code = _CODES.get(dtype)
    if code is None:
        raise DTypeError(f"Strata has no {dtype}")
    return code


def core_of(
    format: str, shape: Sequence[int], arrays: Sequence[torch.Tensor]
) -> "_core.Tensor":
    """Returns the tensor that uses arrays of torch in place."""
    *indices, values = arrays
    code = code_of(values.dtype)
    own = format_of(format, len(shape), code)
    buffers = (*map(_numpy, indices), _numpy(values).reshape(-1))
    return _core.from_buffers(own, tuple(shape), buffers, conversion.ADOPT, code)


def values_of(core: "_core.Tensor") -> torch.Tensor:
    """Returns the values of a tensor, which share its memory."""
    array: Any = core.writable_array(len(core.format.arrays) - 1)
    if array.type == dtypes.BFLOAT16:
        return torch.from_numpy(numpy.frombuffer(array, numpy.int16)).view(torch.bfloat16)
    return torch.from_numpy(numpy.frombuffer(array, dtypes.NAMES[array.type]))


# ---- Tensors ----


class Sparse:
    """A sparse tensor whose pattern is fixed and whose values are a tensor of torch.

    Any format can be the pattern's. Under `torch.compile`, which has no sparse tensors, it takes
    the place of torch's own.
    """

    __slots__ = ("format", "indices", "layout", "shape", "values")
    __module__ = "strata.torch"

    def __init__(
        self,
        format: str,
        shape: tuple[int, ...],
        indices: Sequence[torch.Tensor],
        values: torch.Tensor,
        layout: Optional[torch.layout] = None,
    ) -> None:
        self.format = format
        self.shape = shape
        self.indices = tuple(indices)
        self.values = values
        self.layout = layout

    def with_values(self, values: torch.Tensor) -> "Sparse":
        """Returns a tensor with the same pattern, and other values."""
        return Sparse(self.format, self.shape, self.indices, values, self.layout)

    def to_strata(self) -> "handles.Tensor":
        """Returns the tensor of Strata, which has no gradient."""
        core = core_of(self.format, self.shape, [*self.indices, self.values.detach()])
        return handles.wrap(core)

    def __repr__(self) -> str:
        size = "x".join(map(str, self.shape))
        return f"<strata.torch.Sparse {size} {self.values.dtype} {self.format}>"


def sparse(x: Any, values: Optional[torch.Tensor] = None) -> Sparse:
    """Makes a tensor whose values are a tensor of torch from one of Strata, SciPy or torch.

    >>> import strata as st
    >>> pattern = st.eye(3, format="CSR")
    >>> weights = torch.ones(3, dtype=torch.float64, requires_grad=True)
    >>> W = st.torch.sparse(pattern, weights)
    >>> st.torch.evaluate("s = W(i,j) * W(i,j)", W=W).backward()
    >>> weights.grad
    tensor([2., 2., 2.], dtype=torch.float64)

    Args:
        x: The tensor, whose pattern is taken.
        values: Its values, in the order in which the format stores them; None: its own.
    """
    if isinstance(x, torch.Tensor) and x.layout != torch.strided:
        made = taken_apart(x)
        return made if values is None else made.with_values(_like(made, values))
    tensor = conversion.asarray(x)
    if tensor.format.is_full:
        raise FormatError("a dense tensor has no pattern", "asformat('CSR') gives it one")
    core = tensor._core
    count = len(core.format.arrays) - 1
    indices = [torch.from_numpy(numpy.array(export.array_of(core, at))) for at in range(count)]
    own = values_of(core)
    text = str(tensor.format.without_widths())
    made = Sparse(text, tensor.shape, indices, own)
    return made if values is None else made.with_values(_like(made, values))


def _like(pattern: Sparse, values: torch.Tensor) -> torch.Tensor:
    if values.shape != pattern.values.shape:
        raise ShapeError(
            f"the pattern stores {tuple(pattern.values.shape)} values, not {tuple(values.shape)}"
        )
    return values


# ---- Tensors of torch, taken apart and put together ----


class _Values(torch.autograd.Function):
    """The values of a sparse tensor. What torch has for this has no second derivative."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.pattern = _indices_of(x), x.shape, x.layout
        values = x._values() if x.layout == torch.sparse_coo else x.values()
        return values.detach().clone()

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        indices, shape, layout = ctx.pattern
        return _Build.apply(gradients[0], indices, shape, layout)


class _Build(torch.autograd.Function):
    """A sparse tensor of values."""

    @staticmethod
    def forward(
        ctx: Any,
        values: torch.Tensor,
        indices: tuple[torch.Tensor, ...],
        shape: torch.Size,
        layout: torch.layout,
    ) -> torch.Tensor:
        ctx.pattern = indices, shape, layout
        return _built(values.detach(), indices, shape, layout)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        gradient = gradients[0]
        indices, shape, layout = ctx.pattern
        if gradient.layout == layout and _is_same(_indices_of(gradient), indices):
            return _Values.apply(gradient), None, None, None
        if layout == torch.sparse_coo:
            dense = gradient if gradient.layout == torch.strided else gradient.to_dense()
            return dense[tuple(indices[0])], None, None, None
        dense = gradient if gradient.layout == torch.strided else gradient.to_dense()
        where = _built(dense.new_ones(_count(indices)), indices, shape, layout).to_sparse_coo()
        return dense[tuple(where.coalesce().indices())], None, None, None


def _is_same(a: Sequence[torch.Tensor], b: Sequence[torch.Tensor]) -> bool:
    return all(x is y or torch.equal(x, y) for x, y in zip(a, b))


def _count(indices: Sequence[torch.Tensor]) -> int:
    return int(indices[-1].shape[-1])


def _indices_of(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    if x.layout == torch.sparse_coo:
        return (x._indices(),)
    if x.layout in (torch.sparse_csr, torch.sparse_bsr):
        return x.crow_indices(), x.col_indices()
    return x.ccol_indices(), x.row_indices()


def _built(
    values: torch.Tensor, indices: Sequence[torch.Tensor], shape: Any, layout: torch.layout
) -> torch.Tensor:
    if layout == torch.sparse_coo:
        made: torch.Tensor = torch.sparse_coo_tensor(
            indices[0], values, shape, is_coalesced=True, check_invariants=False
        )
        return made
    return torch.sparse_compressed_tensor(
        *indices, values, size=shape, layout=layout, check_invariants=False
    )


def taken_apart(x: torch.Tensor) -> Sparse:
    """Takes a sparse tensor of torch apart, so that gradients reach it."""
    if x.layout == torch.sparse_coo:
        x = x.coalesce()
        if x.dense_dim():
            raise UnsupportedError("a hybrid tensor of torch", "to_dense() is not hybrid")
        rows = x._indices()
        start = torch.tensor([0, rows.shape[1]])
        return Sparse("COO", tuple(x.shape), (start, *rows), _Values.apply(x), x.layout)
    if x.ndim != 2:
        raise UnsupportedError("a batch of sparse matrices, or a hybrid tensor of torch")
    values = _Values.apply(x)
    text = matrix_format(str(x.layout).rpartition(".")[2], tuple(values.shape[1:]) or (1, 1))
    return Sparse(text, tuple(x.shape), _indices_of(x), values, x.layout)


def put_together(x: Sparse, values: torch.Tensor) -> Any:
    """Returns values with the pattern of a tensor: of torch's kind where that was."""
    if x.layout is None:
        return x.with_values(values.reshape(x.values.shape))
    indices: tuple[torch.Tensor, ...] = x.indices
    if x.layout == torch.sparse_coo:
        indices = (torch.stack(x.indices[1:]),)
    return _Build.apply(values.reshape(x.values.shape), indices, torch.Size(x.shape), x.layout)
