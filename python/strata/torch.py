"""Statements and Einstein sums of torch's tensors, which torch differentiates.

>>> import torch
>>> import strata as st
>>> A = torch.eye(3, dtype=torch.float64).to_sparse_csr().requires_grad_()
>>> x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
>>> y = st.torch.einsum("ij,j->i", A, x)
>>> y.square().sum().backward()
>>> x.grad
tensor([2., 4., 6.], dtype=torch.float64)
>>> A.grad.values()
tensor([ 2.,  8., 18.], dtype=torch.float64)
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy
import torch

from . import _core, conversion, dtypes, einsums, gradients, handles, spelling, statements
from .errors import ArgumentError, DTypeError, FormatError, ShapeError, UnsupportedError
from .formats import Format
from .torch_sparse import TYPES, code_of, core_of, format_of, put_together, taken_apart, values_of
from .torch_sparse import Sparse as Sparse
from .torch_sparse import sparse as sparse

__all__ = ["Sparse", "einsum", "evaluate", "sparse"]

# ---- The operation ----


class _Operand(NamedTuple):
    """What is known of an operand beside its arrays: its format, how many arrays it has, and its
    shape."""

    name: str
    format: str
    count: int
    shape: tuple[int, ...]


@lru_cache(maxsize=4096)
def _described(operands: str) -> tuple[tuple[str, str, int, int], ...]:
    found = []
    for one in operands.split("\n"):
        name, format, count, order = one.split("\t")
        found.append((name, format, int(count), int(order)))
    return tuple(found)


def _operands_of(operands: str, sizes: Sequence[int]) -> list[_Operand]:
    made, at = [], 0
    for name, format, count, order in _described(operands):
        made.append(_Operand(name, format, count, tuple(sizes[at : at + order])))
        at += order
    return made


def _like_of(result: str, known: Sequence[_Operand]) -> Optional[_Operand]:
    """The operand whose pattern the result has."""
    return next((one for one in known if one.name == result), None)


@torch.library.custom_op("strata::statement", mutates_args=())
def _statement(
    arrays: list[torch.Tensor],
    text: str,
    operands: str,
    sizes: Sequence[int],
    result: str,
    code: int,
) -> torch.Tensor:
    """Computes a statement. `sizes` are those of all operands, and one more, which says nothing.
    `result` names the operand whose pattern the result has, of which the values are returned; if it
    is empty the result is dense. `code` is its element type; -1: what follows from the operands."""
    known = _operands_of(operands, sizes)
    cores, at = [], 0
    for one in known:
        cores.append(core_of(one.format, one.shape, arrays[at : at + one.count]))
        at += one.count
    like = _like_of(result, known)
    names = tuple(one.name for one in known)
    own = None if code < 0 else code
    if like is None:
        made = statements.run(text, names, cores, "Dense", own)
        return _owned(values_of(made).reshape(made.shape))
    pattern = cores[names.index(result)]
    if "floordiv" in pattern.format.text:
        # A zero in a block is an entry here.
        pattern = _ones(like, arrays[sum(one.count for one in known[: known.index(like)]) :])
        text = gradients.with_mask(text, f"{result}E")
        if not re.search(rf"\b{re.escape(result)}\b", text):
            at = names.index(result)
            names, cores = names[:at] + names[at + 1 :], cores[:at] + cores[at + 1 :]
        names, cores = (*names, f"{result}E"), [*cores, pattern]
    made = statements.run(text, names, cores, like.format, own)
    return _owned(values_of(gradients.with_pattern(made, pattern)))


def _owned(values: torch.Tensor) -> torch.Tensor:
    """What the operation may return: no tensor without memory."""
    return values.clone() if values.numel() == 0 else values


def _ones(like: _Operand, arrays: Sequence[torch.Tensor]) -> "_core.Tensor":
    """An operand's pattern, with ones for its values."""
    *indices, values = arrays[: like.count]
    return core_of(like.format, like.shape, [*indices, torch.ones_like(values)])


@lru_cache(maxsize=4096)
def _result_type(text: str, names: tuple[str, ...], formats: tuple[tuple[str, int, int], ...]) -> int:
    described = tuple(format_of(*one) for one in formats)
    return statements.default_result(text, names, described).type


@_statement.register_fake
def _fake_statement(
    arrays: list[torch.Tensor],
    text: str,
    operands: str,
    sizes: Sequence[int],
    result: str,
    code: int,
) -> torch.Tensor:
    known = _operands_of(operands, sizes)
    at, values = 0, []
    for one in known:
        at += one.count
        values.append(arrays[at - 1])
    if code < 0:
        formats = tuple(
            (one.format, len(one.shape), code_of(x.dtype)) for one, x in zip(known, values)
        )
        code = _result_type(text, tuple(one.name for one in known), formats)
    dtype = TYPES[code]
    like = _like_of(result, known)
    if like is not None:
        return arrays[0].new_empty((values[known.index(like)].numel(),), dtype=dtype)
    names = tuple(one.name for one in known)
    shape = gradients.result_shape(text, names, [one.shape for one in known])
    return arrays[0].new_empty(shape, dtype=dtype)


# ---- Its derivative ----


def _remember(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
    arrays, text, operands, sizes, result, code = inputs
    ctx.save_for_backward(*arrays)
    ctx.statement = text, operands, tuple(sizes), result


@lru_cache(maxsize=4096)
def _adjoint(
    text: str,
    names: tuple[str, ...],
    formats: tuple[tuple[str, int, int], ...],
    by: tuple[str, ...],
) -> gradients.Adjoint:
    return gradients.Adjoint(text, names, tuple(format_of(*one) for one in formats), by)


class _Known(NamedTuple):
    """A tensor of a gradient: its format, its shape and its arrays."""

    format: str
    shape: tuple[int, ...]
    arrays: list[torch.Tensor]


def _backward(ctx: Any, gradient: torch.Tensor) -> Any:
    text, operands, sizes, result = ctx.statement
    known = _operands_of(operands, sizes)
    tensors: dict[str, _Known] = {}
    at = 0
    wanted = []
    places = {}
    for one in known:
        arrays = list(ctx.saved_tensors[at : at + one.count])
        at += one.count
        places[one.name] = at - 1
        tensors[one.name] = _Known(one.format, one.shape, arrays)
        if ctx.needs_input_grad[0][at - 1]:
            wanted.append(one.name)
    formats = tuple(
        (one.format, len(one.shape), code_of(tensors[one.name].arrays[-1].dtype)) for one in known
    )
    adjoint = _adjoint(text, tuple(one.name for one in known), formats, tuple(wanted))
    like = _like_of(result, known)
    if like is None:
        tensors[adjoint.cotangent] = _Known("Dense", tuple(gradient.shape), [gradient])
    else:
        indices = tensors[like.name].arrays[:-1]
        tensors[adjoint.cotangent] = _Known(like.format, like.shape, [*indices, gradient])
    for step in adjoint.steps:
        tensors[step.result] = _computed(step, tensors)
    found: list[Optional[torch.Tensor]] = [None] * len(ctx.saved_tensors)
    for name, made in zip(wanted, adjoint.names):
        if made:
            own = ctx.saved_tensors[places[name]]
            found[places[name]] = tensors[made].arrays[-1].reshape(own.shape)
    return found, None, None, None, None, None


def _computed(step: gradients.Step, tensors: dict[str, _Known]) -> _Known:
    """Computes a statement of a gradient, in a way that torch differentiates again."""
    given = [(name, tensors[name]) for name in step.operands]
    like = step.pattern
    code = -1 if step.format is None else step.format.type
    made = _call(step.text, given, like or "", code)
    if like is None:
        return _Known("Dense", tuple(made.shape), [made])
    pattern = tensors[like]
    return _Known(pattern.format, pattern.shape, [*pattern.arrays[:-1], made])


_statement.register_autograd(_backward, setup_context=_remember)


def _call(
    text: str, given: Sequence[tuple[str, _Known]], result: str, code: int
) -> torch.Tensor:
    arrays: list[torch.Tensor] = []
    words, sizes = [], []
    for name, tensor in given:
        arrays.extend(tensor.arrays)
        sizes.extend(tensor.shape)
        words.append(f"{name}\t{tensor.format}\t{len(tensor.arrays)}\t{len(tensor.shape)}")
    sizes.append(0)  # torch takes an empty list for one of tensors
    return _statement(arrays, text, "\n".join(words), sizes, result, code)


# ---- For users ----


def _operand_of(x: Any) -> Any:
    """An operand as a dense tensor of torch on the processor, as a sparse one taken apart, or as a number
    of Python's."""
    if isinstance(x, torch.Tensor) and x.layout == torch.strided:
        if x.device.type != "cpu":
            raise UnsupportedError(f"a tensor of torch on {x.device} is not on the processor", "x.cpu()")
        return x
    if isinstance(x, torch.Tensor):
        return taken_apart(x)
    if isinstance(x, Sparse) or type(x) in statements.NUMBERS:
        return x
    tensor = conversion.asarray(x)
    return tensor.to_torch(copy=True) if tensor.format.is_full else sparse(tensor)


def _known_of(x: Any, dtype: Optional[torch.dtype]) -> _Known:
    """What is known of an operand; numbers have a type."""
    if isinstance(x, Sparse):
        return _Known(x.format, x.shape, [*x.indices, x.values])
    if isinstance(x, torch.Tensor):
        return _Known("Dense", tuple(x.shape), [x])
    code = dtypes.code_of(type(x)) if dtype is None else dtypes.scalar_code(x, code_of(dtype))
    return _Known("Dense", (), [torch.tensor(x, dtype=TYPES[code])])


def _type_of_tensors(operands: Sequence[Any]) -> Optional[torch.dtype]:
    """The type in which the tensors among operands meet, by torch's rules: that of numbers beside
    them follows from it."""
    found: Optional[torch.dtype] = None
    for x in operands:
        if isinstance(x, (torch.Tensor, Sparse)):
            own = x.dtype if isinstance(x, torch.Tensor) else x.values.dtype
            found = own if found is None else torch.promote_types(found, own)
    return found


def evaluate(
    text: str,
    /,
    *by_position: Any,
    format: Union[str, Format, None] = None,
    out: Optional[torch.Tensor] = None,
    **tensors: Any,
) -> Any:
    """Computes a statement of torch's tensors, which torch differentiates, twice if asked to.

    Gradients by sparse tensors are sparse, with the same pattern.

    >>> import strata as st
    >>> Q, K = torch.rand(3, 2), torch.rand(4, 2)
    >>> M = torch.tensor([[1.0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 1]]).to_sparse_csr()
    >>> S = st.torch.evaluate("S(i,j)<M, structural> = Q(i,k) * K(j,k)", Q=Q, K=K, M=M)
    >>> S.layout, S.values().shape
    (torch.sparse_csr, torch.Size([5]))

    Args:
        text: The statement, as :func:`strata.evaluate` takes it.
        by_position: The operands in the order in which their names occur on the right side.
        format: The format of the result; None: that of a mask ``<M, structural>``; else what
            follows from the operands.
        out: A dense tensor of torch that gets the result, where nothing requires a gradient.
        tensors: The operands by name: tensors of torch, :class:`Sparse` ones, numbers, and whatever
            :func:`strata.asarray` takes, which has no gradient.

    Returns:
        A tensor of torch; a :class:`Sparse` one where its pattern is that of such an operand, or
        torch has no such layout.
    """
    if by_position:
        tensors = {**statements._named(text, by_position, tensors), **tensors}
    if any(type(x) is int or isinstance(x, numpy.integer) for x in tensors.values()):
        text, tensors = statements._with_coordinates(text, tensors)
    operands = {name: _operand_of(x) for name, x in tensors.items()}
    dtype = _type_of_tensors(list(operands.values()))
    given = [(name, _known_of(x, dtype)) for name, x in operands.items()]
    whole = {name: x for name, x in operands.items() if isinstance(x, Sparse)}
    made = _result(text, given, whole, format)
    if out is None:
        return made
    if torch.is_grad_enabled() and (out.requires_grad or made.requires_grad):
        raise ArgumentError(
            "out= has no gradient, and an operand requires one", "leave out= away, or use no_grad()"
        )
    if isinstance(made, Sparse) or made.layout != torch.strided or out.layout != torch.strided:
        raise ArgumentError("out= takes a dense result")
    if out.shape != made.shape:
        raise ShapeError(
            f"the result has the shape {tuple(made.shape)}, out= {tuple(out.shape)}", text=text
        )
    if not torch.can_cast(made.dtype, out.dtype):
        raise DTypeError(f"a result of {made.dtype} is not stored in a tensor of {out.dtype}")
    return out.copy_(made)


def _result(
    text: str,
    given: list[tuple[str, _Known]],
    whole: dict[str, Sparse],
    format: Union[str, Format, None],
) -> Any:
    mask = gradients.structural_mask(text)
    if mask in whole and (format is None or str(format) == whole[mask].format):
        return put_together(whole[mask], _call(text, given, mask, -1))
    if not whole and format is None or _is_full(text, given, format):
        return _call(text, given, "", -1)
    return _assembled(text, given, format)


def _is_full(
    text: str, given: list[tuple[str, _Known]], format: Union[str, Format, None]
) -> bool:
    if format is not None:
        return _is_full_format(str(format))
    formats = tuple((x.format, len(x.shape), code_of(x.arrays[-1].dtype)) for _, x in given)
    return _default_is_full(text, tuple(name for name, _ in given), formats)


@torch.compiler.assume_constant_result  # type: ignore[misc]
def _is_full_format(text: str) -> bool:
    return Format(text).is_full


@torch.compiler.assume_constant_result  # type: ignore[misc]
def _default_is_full(
    text: str, names: tuple[str, ...], formats: tuple[tuple[str, int, int], ...]
) -> bool:
    return _has_full_result(text, names, formats)


@lru_cache(maxsize=4096)
def _has_full_result(
    text: str, names: tuple[str, ...], formats: tuple[tuple[str, int, int], ...]
) -> bool:
    described = tuple(format_of(*one) for one in formats)
    return Format._of_core(statements.default_result(text, names, described)).is_full


def _assembled(
    text: str, given: list[tuple[str, _Known]], format: Union[str, Format, None]
) -> Any:
    """A sparse result with a pattern of its own, which has no gradient: it is found first."""
    cores = [core_of(x.format, x.shape, x.arrays) for _, x in given]
    names = tuple(name for name, _ in given)
    tensor = handles.wrap(statements.run(text, names, cores, format))
    requires = torch.is_grad_enabled() and any(x.arrays[-1].requires_grad for _, x in given)
    if not requires:
        try:
            return tensor.to_torch()
        except FormatError:
            return sparse(tensor)
    left, right, updates = spelling.split(text)
    if updates:
        raise UnsupportedError("a sparse tensor that is updated has no gradient in torch")
    pattern = sparse(tensor)
    name = next(one for one in (f"P{number}" for number in range(1000)) if one not in names)
    masked = f"{left.partition('<')[0]}<{name}, structural> = {right}"
    known = _Known(pattern.format, pattern.shape, [*pattern.indices, pattern.values])
    values = _call(masked, [*given, (name, known)], name, -1)
    pattern.layout = _layout_of(tensor)
    return put_together(pattern, values)


def _layout_of(tensor: "handles.Tensor") -> Optional[torch.layout]:
    names = {"CSR": torch.sparse_csr, "CSC": torch.sparse_csc, "COO": torch.sparse_coo}
    return names.get(tensor.format.name)


def einsum(subscripts: str, /, *operands: Any, format: Union[str, Format, None] = None,
           out: Optional[torch.Tensor] = None) -> Any:
    """Computes an Einstein sum of torch's tensors, which torch differentiates.

    Args:
        subscripts: As :func:`strata.einsum` takes them: ``"ij,jk->ik"``.
        operands, format, out: As :func:`evaluate` takes them.
    """
    shapes = tuple(tuple(x.shape) if hasattr(x, "shape") else numpy.shape(x) for x in operands)
    text, names = _einsum_text(subscripts, shapes)
    return evaluate(text, format=format, out=out, **dict(zip(names, operands)))


@torch.compiler.assume_constant_result  # type: ignore[misc]
def _einsum_text(
    subscripts: str, shapes: tuple[tuple[int, ...], ...]
) -> tuple[str, tuple[str, ...]]:
    return einsums.statement_of(subscripts, shapes)
