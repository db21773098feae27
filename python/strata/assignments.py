"""Statements that are assigned to tensors: C[i, k] = A[i, j] * B[j, k]."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Sequence

from . import conversion, deferral, dtypes, statements
from .errors import ExpressionError, ShapeError
from .formats import Format
from .masks import Update
from .notation import Access, Accumulation, Expression, indices_of, is_access, make_access
from .plans import remember

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
        assign(self._tensor, key, value, self._update)


#: The update that leaves nothing of what was there.
PLAIN = Update()


def assign(x: "Tensor", key: Any, value: Any, update: Update) -> None:
    """Makes a tensor the result of a statement, in the format and element type that it has, as soon
    as it is read; at once, if several processes compute it.

    Raises:
        ExpressionError: The left side, or the value, is not one of index notation.
        ShapeError: An index variable has two sizes.
    """
    indices = _left_indices(x, key)
    if type(value) in statements.NUMBERS:
        code = (x._core if x._deferred is None else x._deferred).format.type
        value = conversion.number(value, dtypes.scalar_code(value, code))
    expression = Expression.of(value)
    if isinstance(value, Accumulation) and value.is_of(x, indices):
        if update.operator:
            raise ExpressionError("a statement accumulates in one way", "C.update(...)[i] = x")
        if update is not PLAIN:
            update, expression = update._replace(operator=value.operator), value.value
    _put_off(x, indices, expression, update)


def _left_indices(x: "Tensor", key: Any) -> tuple[str, ...]:
    if not is_access(key) and not (key == () and x.shape == ()):
        raise ExpressionError(
            "the elements of tensors are assigned by index variables only", "C[i, j] = A[i, j]"
        )
    indices = indices_of(x, key)
    known = _is_left_side.get(indices)
    if known is None:
        plain = all(map(str.isalnum, indices))
        known = _is_left_side[indices] = plain and not any(map(str.isdigit, indices))
    if not known:
        raise ExpressionError("the left side takes an index variable for each dimension")
    return indices


_is_left_side: dict[tuple[str, ...], bool] = {}


class _Known(NamedTuple):
    """A statement that has been checked for some shapes, and what computes it."""

    text: str
    plan: statements.Plan
    #: Whether several processes compute it, which therefore is done at once.
    is_collective: bool


#: By all that a statement and its plan depend on, and the shapes for which its sizes are right.
_known: dict[tuple[Any, ...], _Known] = {}


def _put_off(x: "Tensor", indices: tuple[str, ...], expression: Expression, update: Update) -> None:
    """Compares the sizes of plain indices at once; the rest is done when the result is read."""
    operands, places = expression.distinct_operands()
    cores = statements.cores_of(operands)
    if update.mask is not None:
        cores.append(update.mask.core)
    reads_target = update is not PLAIN and update.reads_target
    reads_target = reads_target or not _has_sizes(indices, expression)
    reads_target = reads_target or len(set(indices)) < len(indices)  # a diagonal; the rest stays
    if reads_target:
        cores.append(x._core)
    deferred = x._deferred
    shape, before = x.shape, x._core if deferred is None else deferred
    key = before.key
    full_key = (
        expression.pattern,
        places,
        indices,
        None if update is PLAIN else update.key,
        key,
        shape,
        *[core.key for core in cores],
        *[core.shape for core in cores],
    )
    known = _known.get(full_key)
    if known is None:
        _check_sizes(x, indices, expression)
        update.check(shape)
        names = tuple(f"T{number}" for number in range(len(operands)))
        text = f"{update.left_side('R', indices)} {expression.written(places)}"
        names += ("M",) * (update.mask is not None) + ("R",) * reads_target
        format, on = before.format, x.machine
        plan = statements.plan_for(text, names, cores, _kept(format), format.type, machine=on)
        known = _Known(text, plan, bool(on or statements.machines_of(cores)))
        remember(_known, full_key, known)
    deferral.Deferred(known.text, known.plan, cores, shape, before.format, key).put_off(x)
    if known.is_collective:
        x.compute()


#: Whether accesses say the sizes of all indices on the left, by those and the value's text.
_sized: dict[tuple[Any, ...], bool] = {}


def _has_sizes(indices: tuple[str, ...], expression: Expression) -> bool:
    key = (indices, expression.pattern)
    known = _sized.get(key)
    if known is None:
        used = {index for _, own in expression.accesses for index in own}
        known = used.issuperset(indices)
        remember(_sized, key, known)
    return known


def _kept(format: "_core.Format") -> Format:
    """A tensor's format, whose widths a new value may change."""
    return Format._of_core(format).without_widths()


def _check_sizes(x: "Tensor", indices: Sequence[str], expression: Expression) -> None:
    """Compares the sizes of all dimensions with one index variable."""
    sizes: dict[str, int] = {}
    for index, size in zip(indices, x.shape):
        if sizes.setdefault(index, size) != size:
            raise ShapeError(f"'{index}' has two sizes: {sizes[index]} and {size}")
    for number, used in expression.accesses:
        for index, size in zip(used, expression.operands[number].shape):
            if index.isidentifier() and sizes.setdefault(index, size) != size:
                raise ShapeError(f"'{index}' has two sizes: {sizes[index]} and {size}")
