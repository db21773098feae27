"""Gradients of statements in index notation: statements again, which are run like any other."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Union, cast

from . import _core, conversion, dtypes, handles, spelling, statements
from .errors import ArgumentError, DTypeError, ShapeError
from .formats import Format
from .plans import remember

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Element types that have gradients.
_REAL = frozenset(
    dtypes.code_of(name) for name in ("float16", "float32", "float64", "complex64", "complex128")
) | {dtypes.BFLOAT16}
_COMPLEX = frozenset(dtypes.code_of(name) for name in ("complex64", "complex128"))


class Step(NamedTuple):
    """One statement of a gradient: its text, the tensor that it makes, and those that it reads."""

    text: str
    result: str
    operands: tuple[str, ...]
    format: Optional["_core.Format"]

    @property
    def pattern(self) -> Optional[str]:
        """The operand whose pattern the result has; None: it is dense."""
        if self.format is None or Format._of_core(self.format).is_full:
            return None
        return structural_mask(self.text)


class Adjoint:
    """The statements that compute the gradient of a statement by some of its operands."""

    __slots__ = ("by", "cotangent", "names", "steps", "text")
    __module__ = "strata"

    def __init__(
        self, text: str, operands: tuple[str, ...], formats: tuple["_core.Format", ...],
        by: tuple[str, ...],
    ) -> None:
        self.text = text
        self.by = by
        cotangent, names, steps = _core.gradient(text, operands, formats, by)
        self.cotangent = cotangent
        self.names = names
        self.steps = tuple(Step(*step) for step in steps)

    @property
    def statements(self) -> tuple[str, ...]:
        """The statements, in the order in which they are computed."""
        return tuple(step.text for step in self.steps)

    def run(
        self, cores: "Mapping[str, _core.Tensor]", cotangent: "_core.Tensor"
    ) -> list[Optional["_core.Tensor"]]:
        """Computes the gradients by the operands of :attr:`by`; None: it is zero."""
        known = {**cores, self.cotangent: cotangent}
        for step in self.steps:
            known[step.result] = run_step(step, known)
        found = [known[name] if name else None for name in self.names]
        return [
            core if core is None else with_pattern(core, cores[name])
            for name, core in zip(self.by, found)
        ]

    def __repr__(self) -> str:
        return "\n".join(self.statements)


def run_step(step: Step, known: "Mapping[str, _core.Tensor]") -> "_core.Tensor":
    """Computes a statement of a gradient from tensors by their names."""
    operands = [known[name] for name in step.operands]
    if step.format is None:
        return statements.run(step.text, step.operands, operands)
    format = Format._of_core(step.format).without_widths()
    return statements.run(step.text, step.operands, operands, format, step.format.type)


# ---- What shows without running a statement ----

_MASK = re.compile(r"\s*\w+\s*(?:\([^=]*?\))?\s*<\s*(\w+)\s*(?:\([^>]*\))?\s*,\s*structural\s*>")
_ANY_MASK = re.compile(r"<\s*!?\s*(\w+)\s*(?:\([^>]*\))?\s*(?:,[^>]*)?>")


def structural_mask(text: str) -> Optional[str]:
    """The tensor at whose entries alone a statement computes: that of ``<M, structural>``."""
    found = _MASK.match(text)
    return found[1] if found else None


def with_mask(text: str, name: str) -> str:
    """The statement with another tensor in the place of its structural mask."""
    found = _MASK.match(text)
    assert found is not None
    return text[: found.start(1)] + name + text[found.end(1) :]


def result_shape(
    text: str, names: tuple[str, ...], shapes: Sequence[Sequence[int]]
) -> list[int]:
    """The shape of a statement's result, from those of its operands.

    Raises:
        ShapeError: It depends on expressions of labels.
    """
    own = spelling.result_name(text, names)
    if own in names:
        return list(shapes[names.index(own)])
    return [shapes[number][dimension] for number, dimension in _places_of(text, names)]


@lru_cache(maxsize=4096)
def _places_of(text: str, names: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """For each label of the left side, an operand and a dimension that have its size."""
    written = spelling.spelled(text, names).translate(str.maketrans("[]", "()"))
    left, right, _ = spelling.split(written)
    inside = left.partition("<")[0].partition("(")[2].rpartition(")")[0]
    labels = [label.strip() for label in inside.split(",")] if inside else []
    places: dict[str, tuple[int, int]] = {}
    for number, name in enumerate(names):
        for found in re.finditer(rf"\b{re.escape(name)}\s*\(([^()]*)\)", right):
            for dimension, label in enumerate(found[1].split(",")):
                places.setdefault(label.strip(), (number, dimension))
    mask = _ANY_MASK.search(left)
    if mask and mask[1] in names:
        for dimension, label in enumerate(labels):
            places.setdefault(label, (names.index(mask[1]), dimension))
    for label in labels:
        if label not in places:
            raise ShapeError(
                f"the size of '{label}' does not show without running the statement", text=text
            )
    return tuple(places[label] for label in labels)


_adjoints: dict[tuple[Any, ...], Adjoint] = {}


def adjoint_for(
    text: str, names: tuple[str, ...], cores: Sequence["_core.Tensor"], by: tuple[str, ...]
) -> Adjoint:
    """Returns the adjoint of a statement for operands of the same formats as these."""
    key = (text, names, by, *[core.key for core in cores])
    found = _adjoints.get(key)
    if found is None:
        found = Adjoint(text, names, tuple(core.format for core in cores), by)
        remember(_adjoints, key, found)
    return found


def with_pattern(core: "_core.Tensor", like: "_core.Tensor") -> "_core.Tensor":
    """A gradient with all entries of the operand: one to which nothing contributes is zero."""
    if core.stored == like.stored or core.shape != like.shape:
        return core
    labels = ",".join(f"i{dimension}" for dimension in range(len(like.shape)))
    text = f"Z({labels})<A, structural> = G({labels}) + 0.0 * bool(A({labels}))"
    return run_step(Step(text, "Z", ("A", "G"), core.format), {"A": like, "G": core})


def zero_like(core: "_core.Tensor") -> "_core.Tensor":
    """A tensor that stores zeros where another stores elements."""
    labels = ",".join(f"i{dimension}" for dimension in range(len(core.shape)))
    left = f"Z({labels})<A, structural>" if labels else "Z"
    right = f"A({labels})" if labels else "A"
    step = Step(f"{left} = 0.0 * bool({right})", "Z", ("A",), core.format)
    return run_step(step, {"A": core})


def _operands(
    text: str, tensors: dict[str, Any]
) -> tuple[str, tuple[str, ...], list["_core.Tensor"]]:
    text, tensors = statements._with_coordinates(text, tensors)
    names = tuple(tensors)
    return text, names, statements.cores_of(tensors.values())


def _chosen(
    by: Union[None, str, Sequence[str]], names: tuple[str, ...], cores: Sequence["_core.Tensor"]
) -> tuple[str, ...]:
    if by is None:
        real = [name for name, core in zip(names, cores) if core.format.type in _REAL]
        return tuple(real)
    chosen = (by,) if isinstance(by, str) else tuple(by)
    for name in chosen:
        if name not in names:
            raise ArgumentError(
                f"there is no operand '{name}'", f"the operands are {', '.join(names)}"
            )
    return chosen


def _cotangent(given: Any, result: "_core.Format", text: str) -> "_core.Tensor":
    """Returns the cotangent of a result with this format."""
    core = statements.cores_of([given])[0]
    if core.format.order != result.order:
        raise ShapeError(
            f"the cotangent has the shape {core.shape}, the result has "
            f"{result.order} dimension{'' if result.order == 1 else 's'}",
            text=text,
        )
    if core.format.type in _COMPLEX and result.type not in _COMPLEX:
        raise DTypeError("the cotangent is complex, the result is real")
    return core


def adjoint(text: str, by: Union[None, str, Sequence[str]] = None, /, **tensors: Any) -> Adjoint:
    """Returns the statements that compute the gradient of a statement by some of its operands.

    >>> import strata as st
    >>> A = st.eye(3, format="CSR")
    >>> print(st.adjoint("y(i) = A(i,j) * x(j)", A=A, x=[1.0, 2.0, 3.0]))
    dA(i,j)<A, structural> = dy(i) * x(j)
    dx(j) = sum(i, dy(i) * A(i,j))

    Args:
        text: The statement.
        by: The name of an operand, or several; None: all that hold real or complex numbers.
        tensors: The operands by name, as :func:`evaluate` takes them.
    """
    text, names, cores = _operands(text, tensors)
    return adjoint_for(text, names, cores, _chosen(by, names, cores))


def grad(
    text: str,
    by: Union[None, str, Sequence[str]] = None,
    /,
    *,
    cotangent: Any = None,
    **tensors: Any,
) -> Any:
    """Computes the gradient of a statement by some of its operands.

    It is the derivative of a number by them, whose derivative by the elements of the statement's
    result is the cotangent (a vector-Jacobian product). The gradient by a sparse operand is
    computed where that stores elements, and has its format.

    >>> import strata as st
    >>> A = st.from_coo(([0, 1, 1], [1, 0, 2]), [2.0, 3.0, 4.0], (2, 3), "CSR")
    >>> x = [1.0, 2.0, 3.0]
    >>> st.grad("s = A(i,j) * A(i,j) * x(j)", "A", A=A, x=x).todense()
    array([[ 0.,  8.,  0.],
           [ 6.,  0., 24.]])
    >>> st.grad("y(i) = A(i,j) * x(j)", "x", A=A, x=x, cotangent=[1.0, 10.0]).to_numpy()
    array([30.,  2., 40.])

    Args:
        text: The statement, as :func:`evaluate` takes it.
        by: The name of an operand; or several, or None for all that hold real or complex numbers:
            then the gradients are returned by name.
        cotangent: A tensor of the result's shape; None: 1, where the result is a number.
        tensors: The operands by name.

    Raises:
        ExpressionError: The statement, or a part of it, has no gradient.
        ArgumentError: The cotangent is missing, or an operand.
        ShapeError: The cotangent has another shape than the result.
        DTypeError: The cotangent is complex, and the result is not.
    """
    text, names, cores = _operands(text, tensors)
    chosen = _chosen(by, names, cores)
    found = adjoint_for(text, names, cores, chosen)
    result = statements.default_result(text, names, tuple(core.format for core in cores))
    if cotangent is None:
        if result.order != 0:
            raise ArgumentError(
                f"the result has dimensions ({result.order}): its cotangent is missing",
                "cotangent= is a tensor of the result's shape",
            )
        code = result.type if result.type in _REAL else dtypes.FLOAT64
        given = conversion.number_core(1.0, code)
    else:
        given = _cotangent(cotangent, result, text)
    gradients = found.run(dict(zip(names, cores)), given)
    made = {}
    for name, gradient in zip(chosen, gradients):
        core = cores[names.index(name)]
        if gradient is not None and gradient.shape != core.shape:
            raise ShapeError(
                f"the operands and the cotangent do not fit: of shape {given.shape} this makes the "
                f"gradient by '{name}' {gradient.shape}, but '{name}' is {core.shape}",
                text=text,
            )
        made[name] = handles.wrap(zero_like(core) if gradient is None else gradient)
    return made[cast(str, by)] if isinstance(by, str) else made
