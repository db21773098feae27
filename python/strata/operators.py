"""Operators on tensors: each is a statement that is written once for each number of dimensions."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, cast

from . import conversion, dtypes, export, fills, handles, hypersparse, machines, plans, statements
from .deferral import Deferred
from .errors import ArgumentError, DivisionError, DTypeError, ShapeError, WidthError
from .subscripts import access, index_names

if TYPE_CHECKING:
    from . import _core
    from .tensors import Tensor

# ---- Element by element ----

_texts: dict[tuple[Any, ...], str] = {}


def _binary_text(
    pattern: str, left: int, right: int, ones: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
) -> str:
    """`R(i,j) = A(i,j) + B(j)`: the dimensions of the operands are aligned at their ends. Those of
    size 1 that are repeated, in `ones`, are accessed at 0."""
    key = (pattern, left, right, ones)
    found = _texts.get(key)
    if found is None:
        names = index_names(max(left, right))
        operands = []
        for name, order, repeated in (("A", left, ones[0]), ("B", right, ones[1])):
            own = names[len(names) - order :]
            indices = ["0" if at in repeated else own[at] for at in range(order)]
            operands.append(access(name, indices))
        value = pattern.format(*operands)
        found = _texts[key] = f"{access('R', names)} = {value}"
    return found


def _ones(shape: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The dimensions of size 1 that are repeated along those of another shape."""
    offset = len(other) - len(shape)
    return tuple(
        at
        for at, size in enumerate(shape)
        if size == 1 and at + offset >= 0 and other[at + offset] != 1
    )


def _check_broadcast(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    for one, two in zip(left[::-1], right[::-1]):
        if one != two and 1 not in (one, two):
            raise ShapeError(f"operands with the shapes {left} and {right} cannot be broadcast")


#: What element types of real numbers are at least: see :func:`dtypes.kind_of`.
_REAL = dtypes.kind_of(dtypes.FLOAT64)

#: Plans by the pattern and the keys of the operands.
_plans: dict[tuple[Any, ...], statements.Plan] = {}


def _cores(left: Any, right: Any) -> Sequence["_core.Tensor"]:
    """The handles of two operands, of which one is a tensor."""
    if type(left) is handles.Tensor:
        if type(right) is handles.Tensor:
            return left._core, right._core
        if type(right) not in statements.NUMBERS:
            return left._core, conversion.asarray(right)._core
    return statements.cores_of((left, right))


def binary(pattern: str, left: Any, right: Any, code: Optional[int] = None) -> "Tensor":
    """Computes an operation element by element, with NumPy's broadcasting.

    Args:
        pattern: The value, with {0} and {1} for the operands: ``"{0} + {1}"``.
        left, right: Tensors, or what :func:`asarray` takes.
        code: The result's element type; None: NumPy's result_type. It follows from the pattern and
            the element types of the operands.
    """
    one, two = _cores(left, right)
    key = (pattern, one.key, two.key)
    plan = _plans.get(key)
    if plan is None:
        text = _binary_text(pattern, one.format.order, two.format.order)
        plan = fills.plan_for(text, ("A", "B"), (one, two), code, _elementwise(pattern, code))
        plans.remember(_plans, key, plan)
    try:
        return handles.wrap(plan(one, two))
    except ShapeError:
        return _broadcast(pattern, one, two, code)


def _elementwise(pattern: str, code: Optional[int]) -> fills.Elementwise:
    """Computes an operation of dense vectors and numbers."""

    def run(*operands: "_core.Tensor") -> "_core.Tensor":
        if len(operands) == 1:
            return statements.run(_unary_text(pattern, 1), ("A",), operands, None, code)
        one, two = (core.format.order for core in operands)
        return statements.run(_binary_text(pattern, one, two), ("A", "B"), operands, None, code)

    return run


def _broadcast(
    pattern: str, one: "_core.Tensor", two: "_core.Tensor", code: Optional[int]
) -> "Tensor":
    """Computes the same where dimensions of size 1 are repeated; where none is, they do not fit."""
    shapes = one.shape, two.shape
    _check_broadcast(*shapes)
    ones = _ones(*shapes), _ones(shapes[1], shapes[0])
    text = _binary_text(pattern, len(shapes[0]), len(shapes[1]), ones)
    plan = fills.plan_for(text, ("A", "B"), (one, two), code, _elementwise(pattern, code))
    return handles.wrap(plan(one, two))


def unary(pattern: str, operand: "Tensor", code: Optional[int] = None) -> "Tensor":
    """Computes an operation of one operand element by element. Arguments are those of
    :func:`binary`."""
    core = operand._core
    return handles.wrap(_unary_plan(pattern, core, code)(core))


def _unary_plan(pattern: str, core: "_core.Tensor", code: Optional[int]) -> statements.Plan:
    key = (pattern, core.key)
    plan = _plans.get(key)
    if plan is None:
        text = _unary_text(pattern, core.format.order)
        plan = fills.plan_for(text, ("A",), (core,), code, _elementwise(pattern, code))
        plans.remember(_plans, key, plan)
    return plan


def _unary_text(pattern: str, order: int) -> str:
    names = index_names(order)
    return f"{access('R', names)} = {pattern.format(access('A', names))}"


def _complement(operand: "Tensor") -> "Tensor":
    """Negates truth. Of a sparse tensor that is computed only if it is read: a mask need not be."""
    core = operand._core
    if core.format.is_full:
        return unary("!{0}", operand)
    plan, text = _unary_plan("!{0}", core, None), _unary_text("!{0}", core.format.order)
    format = fills.complement_format(core.format)
    made = handles.wrap(core)
    Deferred(text, plan, (core,), core.shape, format, -1, complement_of=core).put_off(made)
    return made


def _is_operand(x: Any) -> bool:
    """Whether an operator can take it: not a text, nor what has its own idea of the operator, which
    is any object that is no number and no array. (A dok of SciPy's is a dictionary.)"""
    if type(x) is handles.Tensor or type(x) in statements.NUMBERS:
        return True
    if x is None or isinstance(x, (str, bytes, dict, set)):
        return hasattr(x, "tocoo")
    return any(hasattr(type(x), name) for name in _OF_OPERANDS)


#: The objects of a class that has one of these are numbers, arrays, sparse arrays or lists.
_OF_OPERANDS = (
    "__array__",
    "__float__",
    "__complex__",
    "__len__",
    "__dlpack__",
    "__array_interface__",
    "tocoo",
    "todense",
)


def _power(base: Any, exponent: Any) -> "Tensor":
    whole = dtypes.kind_of(base._core.format.type) < _REAL
    if type(exponent) is int and not exponent and not whole:
        # NaN and infinity to the power of zero are one, too.
        return unary("where({0} == {0}, 1, 1)", base, base._core.format.type)
    if type(exponent) is int and 0 <= exponent and (whole or exponent <= 2):
        return _whole_power(base, exponent)
    if whole and type(exponent) is int:
        raise ArgumentError(
            "integers are not raised to negative powers", "use astype(float)"
        )
    if type(exponent) in (int, float) and math.isfinite(exponent):
        return unary(
            f"pow({{0}}, {exponent!r})" if not whole else f"pow(double({{0}}), {exponent!r})",
            base,
            dtypes.FLOAT64 if whole else None,
        )
    return _power_of_any(base, exponent)


def _power_of_any(base: Any, exponent: Any) -> "Tensor":
    """A power of which both sides vary, or the exponent alone."""
    types = [core.format.type for core in statements.cores_of((base, exponent))]
    kind = max(map(dtypes.kind_of, types))
    if kind == _REAL:
        return binary("pow({0}, {1})", base, exponent)
    import numpy

    from .elements import combine

    # (Of integers and of complex numbers zero to the power of zero is one.)
    try:
        return combine(numpy.power, base, exponent)
    except ValueError:
        raise ArgumentError(
            "integers are not raised to negative powers", "use astype(float)"
        ) from None


def _floor_quotient(left: Any, right: Any) -> "Tensor":
    """The quotient, rounded down, which the language does not have for all numbers exactly."""
    from .elements import combine

    _check_divisors(left, right)
    return combine(_floor_divide, left, right)


def _floor_divide(left: Any, right: Any) -> Any:
    import numpy

    whole = numpy.floor_divide(left, right)
    if whole.dtype.kind != "f":
        return whole
    # Of infinite numbers the quotient is rounded, as the array API standard has it.
    is_finite = numpy.isfinite(left) & numpy.isfinite(right)
    return numpy.where(is_finite, whole, numpy.floor(numpy.true_divide(left, right)))


def _check_divisors(left: Any, right: Any) -> None:
    """Raises DivisionError if one of two operands is divided by zero and both are of integers: by an
    element that is stored, or by the fill of the divisor where it stores nothing."""
    one, two = _cores(left, right)
    if max(dtypes.kind_of(core.format.type) for core in (one, two)) >= _REAL:
        return
    if math.prod(one.shape) and math.prod(two.shape) and _has_zero(two):
        raise DivisionError("an integer is divided by zero")


def _has_zero(core: "_core.Tensor") -> bool:
    """Whether an element is zero, stored or not."""
    whole = machines.whole_of(core)
    if whole.format.is_full:
        return not bool(handles.wrap(whole).to_numpy(allow_dense=True).all())
    _, values = export.entries_of(whole)
    is_missing = len(values) < math.prod(whole.shape)
    return is_missing and not whole.format.fill or not bool(values.all())


def _quotient_and_remainder(left: Any, right: Any) -> Any:
    """The quotient, rounded down, and what it leaves over, with the sign of the divisor."""
    import numpy

    from .elements import combine_to_several

    def compute(*sides: Any) -> Any:
        return _floor_divide(*sides), numpy.remainder(*sides)

    _check_divisors(left, right)
    return combine_to_several(compute, left, right)


def _remainder(left: Any, right: Any) -> "Tensor":
    """The remainder with the sign of the divisor, also where it is zero."""
    cores = _cores(left, right)
    kinds = [dtypes.kind_of(core.format.type) for core in cores]
    if max(kinds) == dtypes.kind_of(dtypes.BOOL):  # truth values are integers in it
        left, right = (conversion.asarray(one).astype("int8") for one in (left, right))
    if max(kinds) < _REAL and not cores[1].format.is_full:
        _check_divisors(left, right)
        if cores[1].format.fill:
            import numpy

            from .elements import combine

            return combine(numpy.remainder, left, right)
        right = conversion.asarray(right).asformat("Dense")  # nothing is absent
    if min(kinds) < _REAL or sum(not core.format.is_full for core in cores) == 2:
        return binary("mod({0}, {1})", left, right)
    return binary("copysign(mod({0}, {1}), {1})", left, right)


def _whole_power(base: Any, exponent: int) -> "Tensor":
    """A power by products, which is exact for integers. Truth values are integers in it."""
    if base._core.format.type == dtypes.BOOL:
        base = base.astype("int64")
    if exponent == 0:
        return unary("{0} * 0 + 1", base)
    result: Any = None
    while True:
        if exponent % 2:
            result = base if result is None else result * base
        exponent //= 2
        if exponent == 0:
            return handles.wrap(result._core)
        base = unary("square({0})", base)


# ---- Products of matrices ----


def _matmul_text(
    left: int, right: int, ones: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
) -> str:
    key = ("@", left, right, ones)
    found = _texts.get(key)
    if found is None:
        batches = max(left, right) - 2
        names = [f"n{dimension}" for dimension in range(max(batches, 0))]
        row = [] if left == 1 else ["i"]
        column = [] if right == 1 else ["j"]
        operands = []
        for name, order, inner, repeated in (
            ("A", left, [*row, "k"], ones[0]),
            ("B", right, ["k", *column], ones[1]),
        ):
            count = max(order - 2, 0)
            own = names[len(names) - count :]
            batch = ["0" if at in repeated else own[at] for at in range(count)]
            operands.append(access(name, [*batch, *inner]))
        result = access("R", [*names, *row, *column])
        found = _texts[key] = f"{result} = {operands[0]} * {operands[1]}"
    return found


def matmul(left: Any, right: Any) -> "Tensor":
    """Returns the product of two matrices, of a matrix and a vector, or of stacks of them.

    Args:
        left, right: Tensors, or what :func:`asarray` takes, of at least one dimension.

    Raises:
        ShapeError: The sizes do not fit each other.
    """
    one, two = _cores(left, right)
    format = _format_of_product(one, two)
    key = ("@", one.key, two.key, format)
    plan = _plans.get(key)
    if plan is None:
        orders = one.format.order, two.format.order
        if 0 in orders:
            raise ShapeError("a scalar is no operand of @", "use *")
        plan = statements.plan_for(_matmul_text(*orders), ("A", "B"), (one, two), format)
        plans.remember(_plans, key, plan)
    try:
        return handles.wrap(plan(one, two))
    except ShapeError:
        return _stacked_matmul(one, two)


def _format_of_product(one: "_core.Tensor", two: "_core.Tensor") -> Optional[str]:
    """The format of a product that would be dense, and much larger than a sparse operand."""
    if not (hypersparse.may_be(one) or hypersparse.may_be(two)):
        return None
    row, column = "i" * (len(one.shape) - 1), "j" * (len(two.shape) - 1)
    if len(row) > 1 or len(column) > 1:
        return None
    return hypersparse.format_of((one, two), (f"{row}k", f"k{column}"), row + column)


def _stacked_matmul(one: "_core.Tensor", two: "_core.Tensor") -> "Tensor":
    """Multiplies stacks of which some are repeated; where none is, the matrices do not fit."""
    left, right = one.shape, two.shape
    columns, rows = left[-1], right[-2 if len(right) > 1 else 0]
    if columns != rows:
        raise ShapeError(f"shapes {left} and {right} do not fit: {columns} columns, {rows} rows")
    stacks = left[:-2], right[:-2]
    _check_broadcast(*stacks)
    ones = _ones(*stacks), _ones(stacks[1], stacks[0])
    text = _matmul_text(len(left), len(right), ones)
    return handles.wrap(statements.run(text, ("A", "B"), (one, two)))


_REAL_PARTS = {dtypes.COMPLEX64: dtypes.FLOAT32, dtypes.COMPLEX128: dtypes.FLOAT64}


def _operator(pattern: str) -> Callable[[Any, Any], Tensor]:
    def forward(self: "Tensor", other: Any) -> "Tensor":
        return binary(pattern, self, other) if _is_operand(other) else NotImplemented

    return forward


def _is_beyond(number: int, code: int) -> bool:
    """Whether a number is one that no element of a type has, which is one of integers."""
    try:
        if dtypes.is_integer(code):
            dtypes.check_range(number, code)
    except WidthError:
        return True
    return False


def _comparison(symbol: str) -> Callable[[Any, Any], Tensor]:
    def compare(self: "Tensor", other: Any) -> "Tensor":
        if type(other) in (int, float) and other == 0:
            # What is not stored is compared when the statement is compiled, and may stay so.
            return unary(f"{{0}} {symbol} 0", self, dtypes.BOOL)
        if type(other) is int and _is_beyond(other, self._core.format.type):
            holds = symbol in (("!=", "<", "<=") if other > 0 else ("!=", ">", ">="))
            return unary("{0} == {0}" if holds else "{0} != {0}", self, dtypes.BOOL)
        pattern = f"{{0}} {symbol} {{1}}"
        return binary(pattern, self, other, dtypes.BOOL) if _is_operand(other) else NotImplemented

    return compare


def _reflected(pattern: str) -> Callable[[Any, Any], Tensor]:
    def reflected(self: "Tensor", other: Any) -> "Tensor":
        return binary(pattern, other, self) if _is_operand(other) else NotImplemented

    return reflected


def _in_place(name: str) -> Callable[[Any, Any], Tensor]:
    """Makes an operator that gives a tensor other elements, of the same shape and element type."""
    compute = getattr(operator, name)

    def update(self: Any, other: Any) -> "Tensor":
        return _update(self, compute(self, other)) if _is_operand(other) else NotImplemented

    return update


def _update(x: Any, result: "Tensor") -> "Tensor":
    """Makes a tensor hold a result, in the format of that result."""
    import numpy

    if result.shape != x.shape:
        raise ShapeError(f"a tensor of the shape {x.shape} cannot become one of {result.shape}")
    if result.dtype != x.dtype:
        if not numpy.can_cast(result.dtype, x.dtype, "same_kind"):
            raise DTypeError(
                f"a tensor of {x.dtype} cannot hold a result of {result.dtype}",
                f"astype('{result.dtype}') makes one that can",
            )
        result = result.astype(x.dtype)
    x._core = result._core
    x._deferred = None
    return cast("Tensor", x)


class Operators:
    """The operators of tensors. Operands are broadcast as in NumPy; numbers of Python's take the
    element type of the tensor where it can hold them."""

    __slots__ = ()
    __module__ = "strata"

    __add__ = _operator("{0} + {1}")
    __radd__ = _reflected("{0} + {1}")
    __sub__ = _operator("{0} - {1}")
    __rsub__ = _reflected("{0} - {1}")
    __mul__ = _operator("{0} * {1}")
    __rmul__ = _reflected("{0} * {1}")
    __truediv__ = _operator("{0} / {1}")
    __rtruediv__ = _reflected("{0} / {1}")
    __iadd__ = _in_place("add")
    __isub__ = _in_place("sub")
    __imul__ = _in_place("mul")
    __itruediv__ = _in_place("truediv")
    __ifloordiv__ = _in_place("floordiv")
    __imod__ = _in_place("mod")
    __ipow__ = _in_place("pow")
    __imatmul__ = _in_place("matmul")
    __iand__ = _in_place("and_")
    __ior__ = _in_place("or_")
    __ixor__ = _in_place("xor")
    __ilshift__ = _in_place("lshift")
    __irshift__ = _in_place("rshift")
    __and__ = _operator("{0} & {1}")
    __rand__ = _reflected("{0} & {1}")
    __or__ = _operator("{0} | {1}")
    __ror__ = _reflected("{0} | {1}")
    __xor__ = _operator("{0} ^ {1}")
    __rxor__ = _reflected("{0} ^ {1}")
    __lshift__ = _operator("{0} << {1}")
    __rlshift__ = _reflected("{0} << {1}")
    __rshift__ = _operator("{0} >> {1}")
    __rrshift__ = _reflected("{0} >> {1}")
    __eq__ = _comparison("==")  # type: ignore[assignment]
    __ne__ = _comparison("!=")  # type: ignore[assignment]
    __lt__ = _comparison("<")
    __le__ = _comparison("<=")
    __gt__ = _comparison(">")
    __ge__ = _comparison(">=")

    def __pow__(self, exponent: Any) -> "Tensor":
        return _power(self, exponent) if _is_operand(exponent) else NotImplemented

    def __rpow__(self, base: Any) -> "Tensor":
        return _power_of_any(base, self) if _is_operand(base) else NotImplemented

    def __floordiv__(self, other: Any) -> "Tensor":
        return _floor_quotient(self, other) if _is_operand(other) else NotImplemented

    def __rfloordiv__(self, other: Any) -> "Tensor":
        return _floor_quotient(other, self) if _is_operand(other) else NotImplemented

    def __mod__(self, other: Any) -> "Tensor":
        return _remainder(self, other) if _is_operand(other) else NotImplemented

    def __rmod__(self, other: Any) -> "Tensor":
        return _remainder(other, self) if _is_operand(other) else NotImplemented

    def __divmod__(self, other: Any) -> Any:
        return _quotient_and_remainder(self, other) if _is_operand(other) else NotImplemented

    def __rdivmod__(self, other: Any) -> Any:
        return _quotient_and_remainder(other, self) if _is_operand(other) else NotImplemented

    def __matmul__(self, other: Any) -> "Tensor":
        return matmul(self, other) if _is_operand(other) else NotImplemented

    def __rmatmul__(self, other: Any) -> "Tensor":
        return matmul(other, self) if _is_operand(other) else NotImplemented

    def __pos__(self: Any) -> "Tensor":
        return handles.wrap(self._core)

    def __neg__(self: Any) -> "Tensor":
        return unary("-{0}", self)

    def __invert__(self: Any) -> "Tensor":
        if self._core.format.type == dtypes.BOOL:
            return _complement(self)
        return unary("~{0}", self)

    def __abs__(self: Any) -> "Tensor":
        return unary("abs({0})", self, _REAL_PARTS.get(self._core.format.type))

    @property
    def real(self: Any) -> "Tensor":
        """The real part of each element."""
        code = _REAL_PARTS.get(self._core.format.type)
        return handles.wrap(self._core) if code is None else unary("re({0})", self, code)

    @property
    def imag(self: Any) -> "Tensor":
        """The imaginary part of each element."""
        return unary("im({0})", self, _REAL_PARTS.get(self._core.format.type))

    def conj(self: Any) -> "Tensor":
        """Returns the complex conjugate of each element."""
        code = _REAL_PARTS.get(self._core.format.type)
        return handles.wrap(self._core) if code is None else unary("conj({0})", self)

    conjugate = conj
