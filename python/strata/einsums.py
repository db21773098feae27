"""Einstein sums: numpy.einsum for tensors in any format."""

from __future__ import annotations

import operator
import string
from typing import Any, NamedTuple, Optional, Sequence, Union

from . import dtypes, handles, statements
from .conversion import asarray
from .errors import ExpressionError, ShapeError, UnsupportedError
from .formats import Format
from .operators import access

_LETTERS = string.ascii_lowercase + string.ascii_uppercase

#: Plans by subscripts and the keys of operands, for calls without options.
_plans: dict[tuple[Any, ...], statements.Plan] = {}


class Subscripts(NamedTuple):
    """The labels of each operand's dimensions, and of the result's."""

    operands: tuple[tuple[str, ...], ...]
    result: tuple[str, ...]


def einsum(
    *operands: Any,
    format: Union[str, Format, None] = None,
    dtype: Any = None,
    out: Any = None,
    schedule: Any = None,
    optimize: Any = True,
) -> "handles.Tensor":
    """Computes an Einstein sum as one statement.

    >>> import strata as st
    >>> A = st.eye(3)
    >>> st.einsum("ij,j->i", A, [1.0, 2.0, 3.0]).todense()
    array([1., 2., 3.])
    >>> st.einsum("ii", A).item()
    3.0

    Args:
        operands: Subscripts and operands in any of numpy.einsum's forms: ``"ij,jk->ik", A, B``;
            without ``->``, with an ellipsis, or ``A, [0, 1], B, [1, 2], [0, 2]``. Operands are
            tensors, or whatever :func:`asarray` takes.
        format: The format of the result; None: dense if no operand is sparse, else compressed along
            each dimension along which elements that are not stored leave nothing.
        dtype: The element type of the result; None: NumPy's result_type of the operands.
        schedule: How the loops run; None: the compiler chooses.
        optimize: Accepted as NumPy does. All operands are multiplied in one statement.

    Raises:
        ExpressionError: The subscripts are wrong, or do not fit the operands.
        ShapeError: Dimensions with the same label have different sizes.
    """
    if format is None and dtype is None and out is None and schedule is None:
        subscripts = operands[0] if operands else None
        if type(subscripts) is str:
            cores = [(x if type(x) is handles.Tensor else asarray(x))._core for x in operands[1:]]
            plan = _plans.get((subscripts, *[core.key for core in cores]))
            if plan is not None:
                try:
                    return handles.wrap(plan(*cores))
                except ShapeError:
                    pass  # Sizes of 1 are broadcast below, and what is wrong is said there.
    if out is not None:
        raise UnsupportedError("results cannot be written to an existing tensor yet")
    text, tensors = _text_and_tensors(operands)
    code = None if dtype is None else dtypes.code_of(dtype)
    remembers = isinstance(operands[0], str) and format is None and code is None
    return _compute(text, tensors, format, code, schedule, remembers)


def _text_and_tensors(operands: Sequence[Any]) -> tuple[str, list["handles.Tensor"]]:
    if not operands:
        raise ExpressionError("einsum needs subscripts and operands")
    if isinstance(operands[0], str):
        return operands[0], [asarray(x) for x in operands[1:]]
    tensors = [asarray(x) for x in operands[: len(operands) // 2 * 2 : 2]]
    lists = [_text_of_list(x) for x in operands[1::2]]
    text = ",".join(lists)
    if len(operands) % 2:
        text += "->" + _text_of_list(operands[-1])
    return text, tensors


def _text_of_list(labels: Any) -> str:
    """The subscripts that a list of numbers stands for."""
    letters = []
    for label in labels:
        if label is not Ellipsis and not 0 <= operator.index(label) < len(_LETTERS):
            raise ExpressionError(f"labels are integers from 0 to 51, not {label}")
        letters.append("..." if label is Ellipsis else _LETTERS[label])
    return "".join(letters)


def _compute(
    text: str,
    tensors: list["handles.Tensor"],
    format: Union[str, Format, None],
    code: Optional[int],
    schedule: Any,
    remembers: bool,
) -> "handles.Tensor":
    shapes = [tensor.shape for tensor in tensors]
    subscripts = parse(text, [len(shape) for shape in shapes])
    ones = _broadcast(text, subscripts, shapes)
    statement, names = _statement(subscripts, ones)
    cores = [tensor._core for tensor in tensors]
    if not cores:
        raise ExpressionError("einsum needs at least one operand", text=text)
    plan = statements.plan_for(statement, names, cores, format, code, schedule)
    if remembers and not ones and schedule is None:
        statements.remember(_plans, (text, *[core.key for core in cores]), plan)
    return handles.wrap(plan(*cores))


def parse(text: str, orders: Sequence[int]) -> Subscripts:
    """Reads subscripts for operands with these numbers of dimensions.

    The dimensions that an ellipsis stands for have the labels "0", "1", ..., aligned at the last.
    """
    written = text.replace(" ", "")
    left, arrow, right = written.partition("->")
    terms = left.split(",")
    if len(terms) != len(orders):
        raise ExpressionError(
            f"the subscripts are for {len(terms)} operands, but there are {len(orders)}", text=text
        )
    hidden = [_hidden(term, order, text) for term, order in zip(terms, orders)]
    most = max(hidden, default=0)
    operands = tuple(_labels(term, count, most, text) for term, count in zip(terms, hidden))
    if not arrow:
        return Subscripts(operands, _implicit(operands, most))
    result = _labels(right, most, most, text)
    if "..." not in right and most > 0 and any("..." in term for term in terms):
        raise ExpressionError(
            "the dimensions of the ellipsis are not summed: '->' needs it, too", text=text
        )
    known = {label for labels in operands for label in labels}
    for label in result:
        if label not in known:
            raise ExpressionError(f"no operand has the label '{label}'", text=text)
        if result.count(label) > 1:
            raise ExpressionError(f"the result has the label '{label}' twice", text=text)
    return Subscripts(operands, result)


def _hidden(term: str, order: int, text: str) -> int:
    """How many dimensions the ellipsis of a term stands for."""
    letters = term.replace("...", "", 1)
    for letter in letters:
        if letter not in _LETTERS:
            raise ExpressionError(
                f"'{letter}' is no label: those are letters",
                text=text,
                column=text.find(letter) + 1,
            )
    if "..." not in term and len(letters) != order or len(letters) > order:
        raise ExpressionError(
            f"'{term}' has {len(letters)} labels for an operand of {order} dimensions", text=text
        )
    return order - len(letters)


def _labels(term: str, count: int, most: int, text: str) -> tuple[str, ...]:
    before, dots, after = term.partition("...")
    middle = [str(number) for number in range(most - count, most)] if dots else []
    for letter in before + after:
        if letter not in _LETTERS:
            raise ExpressionError(f"'{letter}' is no label: those are letters", text=text)
    return (*before, *middle, *after)


def _implicit(operands: tuple[tuple[str, ...], ...], most: int) -> tuple[str, ...]:
    """The result's labels where none are given: those of the ellipsis, then those used once."""
    used = [label for labels in operands for label in labels if not label.isdigit()]
    once = sorted(label for label in set(used) if used.count(label) == 1)
    return (*[str(number) for number in range(most)], *once)


def _broadcast(
    text: str, subscripts: Subscripts, shapes: Sequence[tuple[int, ...]]
) -> tuple[tuple[int, int], ...]:
    """The operands and dimensions of size 1 that are repeated, because others with that label are
    larger."""
    sizes: dict[str, int] = {}
    for labels, shape in zip(subscripts.operands, shapes):
        for label, size in zip(labels, shape):
            known = sizes.setdefault(label, size)
            if known == 1:
                sizes[label] = size
            elif size not in (1, known):
                name = "the ellipsis" if label.isdigit() else f"'{label}'"
                raise ShapeError(f"{name} has the sizes {known} and {size}", text=text)
    return tuple(
        (number, dimension)
        for number, (labels, shape) in enumerate(zip(subscripts.operands, shapes))
        for dimension, (label, size) in enumerate(zip(labels, shape))
        if size == 1 and sizes[label] != 1
    )


_statements: dict[tuple[Any, ...], tuple[str, tuple[str, ...]]] = {}


def _statement(
    subscripts: Subscripts, ones: tuple[tuple[int, int], ...]
) -> tuple[str, tuple[str, ...]]:
    """The statement for subscripts, and the names of its operands."""
    key = (subscripts, ones)
    found = _statements.get(key)
    if found is None:
        found = _statements[key] = _written(subscripts, ones)
    return found


def _written(
    subscripts: Subscripts, ones: tuple[tuple[int, int], ...]
) -> tuple[str, tuple[str, ...]]:
    used = {label for labels in subscripts.operands for label in labels}
    count = len(subscripts.operands)
    plain = count <= 8 and not any(label.isupper() for label in used)
    names = tuple("ABCDEFGH"[number] if plain else f"T{number}" for number in range(count))
    factors = []
    for number, labels in enumerate(subscripts.operands):
        indices = [
            "0" if (number, dimension) in ones else _index_name(label)
            for dimension, label in enumerate(labels)
        ]
        factors.append(access(names[number], indices))
    result = access("R", [_index_name(label) for label in subscripts.result])
    return f"{result} = {' * '.join(factors)}", names


def _index_name(label: str) -> str:
    return f"n{label}" if label.isdigit() else label
