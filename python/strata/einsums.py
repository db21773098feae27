"""Einstein sums: numpy.einsum for tensors in any format."""

from __future__ import annotations

import operator
import string
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Union

from . import dtypes, handles, hypersparse, masks, plans, statements
from .axes import integers_of
from .conversion import asarray
from .errors import ArgumentError, ExpressionError, ShapeError, UnsupportedError
from .export import number_of
from .formats import Format, to_core
from .masks import Update
from .semirings import Semiring
from .subscripts import access

if TYPE_CHECKING:
    from . import _core

_LETTERS = string.ascii_lowercase + string.ascii_uppercase

#: Labels behind the 52 letters, for lists of numbers: what opt_einsum.get_symbol calls them.
_FIRST_SYMBOL, _SURROGATES, _SURROGATE_COUNT = 140, 0xD800, 0x800

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
    fill: Optional[Union[bool, int, float, complex]] = None,
    semiring: Union[str, Semiring] = "plus_times",
    mask: Any = None,
    accum: Optional[str] = None,
    replace: bool = False,
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
    >>> st.einsum("ij,kj->ik", A, [[1.0, 2.0, 3.0]] * 3, mask=A).todense()
    array([[1., 0., 0.],
           [0., 2., 0.],
           [0., 0., 3.]])

    Args:
        operands: Subscripts and operands in any of numpy.einsum's forms: ``"ij,jk->ik", A, B``;
            without ``->``, with an ellipsis, or ``A, [0, 1], B, [1, 2], [0, 2]``. Operands are
            tensors, or whatever :func:`asarray` takes.
        format: The format of the result; None: dense if no operand is sparse, else compressed along
            each dimension along which elements that are not stored leave nothing.
        dtype: The element type of the result; None: NumPy's result_type of the operands.
        out: A tensor that becomes the result, in the format and element type that it has, and is
            returned; or an array of NumPy, into which the result is copied.
        fill: The value of the elements that the result does not store; None: zero.
        semiring: What adds and multiplies, by its name: see :class:`Semiring`.
        mask: Which elements are computed: those where a tensor is not zero, or stores something
            (``M.structural``); ``~`` turns it round. The others stay as ``out`` has them, or empty.
        accum: How a new value is combined with that of ``out``: "plus", "minus", "times", "min",
            "max", "any", "lor" or "land".
        replace: Whether elements of ``out`` that the mask excludes are emptied.
        schedule: How the loops run; None: the compiler chooses.
        optimize: Accepted as NumPy does. Operands are multiplied in the order that costs least,
            whatever this says.

    Raises:
        ExpressionError: The subscripts are wrong, or do not fit the operands.
        ShapeError: Dimensions with the same label have different sizes.
        ArgumentError: ``accum`` or ``replace`` without ``out``, or that with a format.
    """
    plain = format is None and dtype is None and out is None and schedule is None
    if plain and semiring == "plus_times" and mask is None and fill is None and accum is None:
        subscripts = operands[0] if operands else None
        if type(subscripts) is str:
            cores = [(x if type(x) is handles.Tensor else asarray(x))._core for x in operands[1:]]
            plan = _plans.get((subscripts, *[core.key for core in cores]))
            if plan is not None and not any(map(hypersparse.may_be, cores)):
                try:
                    return handles.wrap(plan(*cores))
                except ShapeError:
                    pass  # Sizes of 1 are broadcast below, and what is wrong is said there.
    ring = Semiring.of(semiring)
    code = None if dtype is None else dtypes.code_of(dtype)
    options = _Options(format, code, fill, ring if ring.name != "plus_times" else None, schedule)
    return _into(out, operands, options, Update.of(mask, accum, replace))


class _Options(NamedTuple):
    """What a user says of an Einstein sum's result, and of how it is computed."""

    format: Union[str, Format, None]
    code: Optional[int]
    fill: Optional[Union[bool, int, float, complex]]
    semiring: Optional[Semiring]
    schedule: Any


def _into(out: Any, operands: Sequence[Any], options: _Options, update: Update) -> "handles.Tensor":
    text, tensors = _text_and_tensors(operands)
    if out is None:
        if update.operator or update.replace:
            raise ArgumentError("accum= and replace= change a tensor: out= is missing")
        return handles.wrap(_compute(text, tensors, options, update, None))
    if (options.format, options.code, options.fill) != (None, None, None):
        raise ArgumentError("the result has the format, element type and fill of out=")
    target = masks.target_of(out)
    return masks.result_of(out, _compute(text, tensors, options, update, target))


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
        letters.append("..." if label is Ellipsis else _symbol(operator.index(label)))
    return "".join(letters)


def _symbol(label: int) -> str:
    """The letter, or another character, that a number stands for."""
    if 0 <= label < len(_LETTERS):
        return _LETTERS[label]
    code = label + _FIRST_SYMBOL
    if code >= _SURROGATES:
        code += _SURROGATE_COUNT
    if not 0 <= label or code > sys.maxunicode:
        raise ExpressionError(f"labels are integers from 0 on, not {label}")
    return chr(code)


def _is_label(character: str) -> bool:
    return character in _LETTERS or not character.isascii()


def _compute(
    text: str,
    tensors: list["handles.Tensor"],
    options: _Options,
    update: Update,
    target: Optional["handles.Tensor"],
) -> "_core.Tensor":
    cores = [tensor._core for tensor in tensors]
    if not cores:
        raise ExpressionError("einsum needs at least one operand", text=text)
    if options.format is None and target is None and any(map(hypersparse.may_be, cores)):
        subscripts = parse(text, [len(core.shape) for core in cores])
        chosen = hypersparse.format_of(cores, subscripts.operands, subscripts.result)
        options = options._replace(format=chosen)
    held = list(cores)
    names: tuple[str, ...] = ()
    if update.mask is not None:
        held, names = [*held, update.mask.core], ("M",)
    if target is not None and update.reads_target:
        held, names = [*held, target._core], (*names, "R")
    own = None if target is None else target._core.key
    key = (text, options, update.key, own, *[core.key for core in held])
    if options.schedule is None and (plan := _optioned_plans.get(key)):
        try:
            result = plan(*held)
            return _checked(result, target, update)
        except ShapeError:
            pass
    subscripts = parse(text, [len(core.shape) for core in cores])
    ones = _broadcast(text, subscripts, [core.shape for core in cores])
    shape = _shape(subscripts, cores)
    if target is not None and target.shape != shape:
        raise ShapeError(f"the result has the shape {shape}, out= {target.shape}", text=text)
    update.check(shape)
    right, operands = _statement(subscripts, ones, options.semiring)
    indices = [_index_name(label) for label in subscripts.result]
    statement = f"{update.left_side('R', indices)} {right}"
    plan = _plan(statement, (*operands, *names), held, options, target)
    try:
        result = plan(*held)
    except UnsupportedError:
        others = _without_lists(held)
        if others is None:
            raise
        given = _converted(held, others)
        plan = _converting(_plan(statement, (*operands, *names), given, options, target), others)
        result = plan(*held)
    if not ones and options.schedule is None:
        plans.remember(_optioned_plans, key, plan)
        if options == _NO_OPTIONS and update == _NO_UPDATE and target is None:
            plans.remember(_plans, (text, *[core.key for core in cores]), plan)
    return result


def _without_lists(cores: Sequence["_core.Tensor"]) -> Optional[list[Optional[Format]]]:
    """The formats of operands, with trees of compressed levels for lists of entries, which are
    walked in their own order only; None for what stays, and None if all do."""
    formats: list[Optional[Format]] = []
    for core in cores:
        order = core.format.order
        is_list = order > 1 and core.machine is None and "singleton" in core.format.levels
        made = None
        if is_list:
            names = [f"d{at}" for at in range(order)]
            levels = ", ".join(f"{name} : compressed" for name in names)
            made = Format(f"({', '.join(names)}) -> ({levels})")
            if core.format.has_fill:
                made = made.with_(fill=number_of(core.format.fill, core.format.type))
        formats.append(made)
    return formats if any(formats) else None


def _converted(
    cores: Sequence["_core.Tensor"], formats: Sequence[Optional[Format]]
) -> list["_core.Tensor"]:
    return [
        core if format is None else core.convert(to_core(format, len(core.shape), core.format.type))
        for core, format in zip(cores, formats)
    ]


def _converting(plan: statements.Plan, formats: Sequence[Optional[Format]]) -> statements.Plan:
    """Returns a plan that converts operands first."""
    return lambda *cores: plan(*_converted(cores, formats))


#: Plans of calls with options.
_optioned_plans: dict[tuple[Any, ...], statements.Plan] = {}

_NO_OPTIONS, _NO_UPDATE = _Options(None, None, None, None, None), Update()


def _checked(
    core: "_core.Tensor", target: Optional["handles.Tensor"], update: Update
) -> "_core.Tensor":
    """A result of a known plan, which must have the shape of what it becomes."""
    if target is not None and core.shape != target.shape:
        raise ShapeError("out= has another shape")
    update.check(core.shape)
    return core


def _plan(
    statement: str,
    names: tuple[str, ...],
    cores: Sequence["_core.Tensor"],
    options: _Options,
    target: Optional["handles.Tensor"],
) -> statements.Plan:
    """What computes the statement into a result as `out=`, `format=` and `fill=` say."""
    if target is not None:
        format: Any = target.format.without_widths()
        code: Optional[int] = target._core.format.type
        return statements.plan_for(statement, names, cores, format, code, options.schedule)
    format = options.format
    if options.fill is not None:
        if format is None:
            plain = tuple(core.format for core in cores)
            machines = statements.machines_of(cores)
            chosen = statements.default_result(statement, names, plain, machines)
            format = Format._of_core(chosen).without_widths()
        format = Format(format).with_(fill=options.fill)
    return statements.plan_for(statement, names, cores, format, options.code, options.schedule)


def _shape(subscripts: Subscripts, cores: Sequence["_core.Tensor"]) -> tuple[int, ...]:
    sizes: dict[str, int] = {}
    for labels, core in zip(subscripts.operands, cores):
        for label, size in zip(labels, core.shape):
            sizes[label] = size if sizes.get(label, 1) == 1 else sizes[label]
    return tuple(sizes[label] for label in subscripts.result)


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
        if not _is_label(letter):
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
        if not _is_label(letter):
            raise ExpressionError(f"'{letter}' is no label: those are letters", text=text)
    return (*before, *middle, *after)


def _implicit(operands: tuple[tuple[str, ...], ...], most: int) -> tuple[str, ...]:
    """The result's labels where none are given: those of the ellipsis, then those used once."""
    used = [label for labels in operands for label in labels if not _is_hidden(label)]
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
                name = "the ellipsis" if _is_hidden(label) else f"'{label}'"
                raise ShapeError(f"{name} has the sizes {known} and {size}", text=text)
    return tuple(
        (number, dimension)
        for number, (labels, shape) in enumerate(zip(subscripts.operands, shapes))
        for dimension, (label, size) in enumerate(zip(labels, shape))
        if size == 1 and sizes[label] != 1
    )


_statements: dict[tuple[Any, ...], tuple[str, tuple[str, ...]]] = {}


def _statement(
    subscripts: Subscripts, ones: tuple[tuple[int, int], ...], semiring: Optional[Semiring]
) -> tuple[str, tuple[str, ...]]:
    """The right side of the statement for subscripts, and the names of its operands."""
    key = (subscripts, ones, semiring)
    found = _statements.get(key)
    if found is None:
        found = _statements[key] = _written(subscripts, ones, semiring)
    return found


def _written(
    subscripts: Subscripts, ones: tuple[tuple[int, int], ...], semiring: Optional[Semiring]
) -> tuple[str, tuple[str, ...]]:
    used = {label for labels in subscripts.operands for label in labels}
    count = len(subscripts.operands)
    plain = count <= 8 and not any(label in string.ascii_uppercase for label in used)
    names = tuple("ABCDEFGH"[number] if plain else f"T{number}" for number in range(count))
    factors = []
    for number, labels in enumerate(subscripts.operands):
        indices = [
            "0" if (number, dimension) in ones else _index_name(label)
            for dimension, label in enumerate(labels)
        ]
        factors.append(access(names[number], indices))
    return semiring.product(factors) if semiring else " * ".join(factors), names


@lru_cache(maxsize=4096)
def statement_of(
    subscripts: str, shapes: tuple[tuple[int, ...], ...]
) -> tuple[str, tuple[str, ...]]:
    """The statement for subscripts and operands of such shapes, and the names of the operands."""
    parsed = parse(subscripts, [len(shape) for shape in shapes])
    ones = _broadcast(subscripts, parsed, shapes)
    right, names = _statement(parsed, ones, None)
    left = access("R", [_index_name(label) for label in parsed.result])
    return f"{left} = {right}", names


def _is_hidden(label: str) -> bool:
    """Tells whether a label stands for a dimension of the ellipsis."""
    return label.isascii() and label.isdigit()


def _index_name(label: str) -> str:
    """The name of a label in a statement, whose result is called R, and its mask M."""
    if _is_hidden(label):
        return f"n{label}"
    if not label.isascii():
        return f"i{ord(label)}"
    return f"i{label}" if label in "RM" else label


def tensordot(a: Any, b: Any, axes: Any = 2) -> "handles.Tensor":
    """Returns the sum of products over dimensions of two tensors, as numpy.tensordot does.

    >>> import strata as st
    >>> A = st.eye(3)
    >>> st.tensordot(A, A, 2).item()
    3.0

    Args:
        a, b: Tensors, or whatever :func:`asarray` takes.
        axes: The number of dimensions: the last of ``a`` and the first of ``b``; or those of ``a``
            and those of ``b``.

    Raises:
        ShapeError: The dimensions do not fit each other.
    """
    left, right = asarray(a), asarray(b)
    if hasattr(axes, "__index__") and not getattr(axes, "shape", ()):
        axes = operator.index(axes)
        if not 0 <= axes <= min(left.ndim, right.ndim):
            raise ShapeError(f"{axes} dimensions are not those of both operands")
        axes = range(left.ndim - axes, left.ndim), range(axes)
    own, others = (_dimensions(one, x.ndim) for one, x in zip(axes, (left, right)))
    sizes = [[x.shape[one] for one in chosen] for x, chosen in ((left, own), (right, others))]
    if sizes[0] != sizes[1]:
        raise ShapeError(f"dimensions of the sizes {sizes[0]} and {sizes[1]} do not fit each other")
    first = list(range(left.ndim))
    second = [left.ndim + dimension for dimension in range(right.ndim)]
    for mine, other in zip(own, others):
        second[other] = first[mine]
    result = [label for label in first + second if (label in first) != (label in second)]
    return einsum(left, first, right, second, result)


def _dimensions(axes: Any, order: int) -> list[int]:
    chosen = integers_of(axes)
    if any(not -order <= one < order for one in chosen):
        raise ShapeError(f"{axes} does not name dimensions of {order}")
    return [one % order for one in chosen]


def transpose(x: Any, axes: Optional[Sequence[int]] = None) -> "handles.Tensor":
    """Returns a tensor with permuted dimensions: see :meth:`Tensor.transpose`."""
    tensor = asarray(x)
    return tensor.transpose() if axes is None else tensor.transpose(*axes)
