"""Statements that are assigned to tensors: C[i, k] = A[i, j] * B[j, k]."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

from . import deferral, statements
from .errors import ExpressionError, ShapeError
from .masks import Update
from .notation import Access, Accumulation, Expression, indices_of, is_access, make_access

if TYPE_CHECKING:
    from . import _core
    from .tensors import Tensor


class Target:
    """A tensor as the left side of statements, with what :meth:`Tensor.update` says of them."""

    __slots__ = ("_tensor", "_update")
    __module__ = "strata"

    def __init__(self, tensor: "Tensor", update: Update) -> None:
        self._tensor = tensor
        self._update = update

    def __getitem__(self, key: Any) -> Access:
        return make_access(self._tensor, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        indices = _left_indices(self._tensor, key)
        expression = Expression.of(value)
        update = self._update
        if isinstance(value, Accumulation) and value.is_of(self._tensor, indices):
            if update.operator:
                raise ExpressionError("a statement accumulates in one way", "C.update(...)[i] = x")
            update, expression = update._replace(operator=value.operator), value.value
        _assign(self._tensor, indices, expression, update)


def _left_indices(x: "Tensor", key: Any) -> list[str]:
    if not is_access(key) and not (key == () and x.shape == ()):
        raise ExpressionError(
            "the elements of tensors are assigned by index variables only", "C[i, j] = A[i, j]"
        )
    indices = indices_of(x, key)
    plain = len(set(indices)) == len(indices) and all(index.isalnum() for index in indices)
    if not plain or any(index.isdigit() for index in indices):
        raise ExpressionError("the left side takes a different index variable for each dimension")
    return indices


#: Plans by the text of the statement and the keys of the left side and the operands.
_plans: dict[tuple[Any, ...], statements.Plan] = {}


def _assign(x: "Tensor", indices: list[str], expression: Expression, update: Update) -> None:
    """Makes a tensor the result of a statement, in the format and element type that it has. Sizes
    of plain indices are compared at once, the rest when the statement is computed."""
    text, operands = expression.text_and_operands()
    written = f"{update.left_side('R', indices)} {text}"
    _check_sizes(written, x, indices, expression)
    update.check(x.shape)
    cores: list["_core.Tensor"] = statements.cores_of(operands.values())
    names = list(operands)
    if update.mask is not None:
        names.append("M")
        cores.append(update.mask.core)
    if update.reads_target:
        names.append("R")
        cores.append(x._core)
    before = x._core if x._deferred is None else x._deferred
    format, key = before.format, before.key
    full_key = (written, key, *[core.key for core in cores])
    plan = _plans.get(full_key)
    if plan is None:
        kept = _kept(format)
        plan = statements.plan_for(written, tuple(names), cores, kept, format.type)
        statements.remember(_plans, full_key, plan)
    deferral.Deferred(written, plan, cores, x.shape, format, key).put_off(x)


def _kept(format: "_core.Format") -> Any:
    """A tensor's format, whose widths a new value may change."""
    from .formats import Format

    return Format._of_core(format).without_widths()


def _check_sizes(text: str, x: "Tensor", indices: Sequence[str], expression: Expression) -> None:
    """Compares the sizes of all dimensions with one index variable."""
    sizes = dict(zip(indices, x.shape))
    for number, used in expression.accesses:
        for index, size in zip(used, expression.operands[number].shape):
            if index.isidentifier() and sizes.setdefault(index, size) != size:
                raise ShapeError(f"'{index}' has two sizes: {sizes[index]} and {size}", text=text)
