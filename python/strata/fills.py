"""Operations that change what a sparse tensor holds where it stores nothing: A + 1, A == B.

The result stores the entries that the operands have, and has another fill value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence

from . import _core, dtypes, export, recording, statements
from .errors import Error
from .formats import Format, to_core
from .layouts import Layout, layout_of
from .subscripts import access, index_names

if TYPE_CHECKING:
    from .statements import Plan

#: Computes an operation of dense operands element by element.
Elementwise = Callable[..., "_core.Tensor"]


def plan_for(
    text: str,
    names: tuple[str, ...],
    cores: Sequence["_core.Tensor"],
    code: Optional[int],
    elementwise: Elementwise,
) -> "Plan":
    """Returns what computes an operation of one or two operands element by element.

    Args:
        text, names, cores, code: As :func:`statements.plan_for` takes them.
        elementwise: The same operation of dense operands.
    """
    formats = tuple(core.format for core in cores)
    machines = statements.machines_of(cores)
    plain = statements.prepare(text, names, formats, None, code, machines=machines)
    dense = _plan_of(plain, text, names, cores)
    sparse = [at for at, format in enumerate(formats) if not format.is_full]
    # (Of a tensor in pieces no process has all values.)
    if sparse and plain.result.is_full and not machines:
        others = [format for format in formats if format.is_full]
        if len(sparse) == 1 and all(format.order == 0 for format in others):
            return _by_values(sparse[0], elementwise, dense)
        if len(sparse) == 2:
            by_entries = _by_entries(text, names, formats, code)
            return _plan_of(by_entries, text, names, cores) if by_entries else dense
    return dense


def _plan_of(
    statement: "_core.Statement", text: str, names: tuple[str, ...], cores: Sequence["_core.Tensor"]
) -> "Plan":
    plan = statements.plan_of(statement, names)
    if any(map(recording.is_pending, cores)):
        return recording.recorded(statement, text, names, plan)
    return plan


# ---- Of one sparse operand ----


def _by_values(place: int, elementwise: Elementwise, dense: "Plan") -> "Plan":
    """Computes with the values that the operand at some place stores, and with its fill value. The
    result shares its positions and coordinates. It is dense if no format has its fill value."""

    def run(*operands: "_core.Tensor") -> "_core.Tensor":
        import numpy

        core = with_plain_entries(operands[place])
        format = core.format
        values = export.array_of(core, len(format.arrays) - 1)
        fill = export.number_of(format.fill, format.type)
        both = numpy.append(values, numpy.full(1, fill, values.dtype))
        given = [core if at == place else one for at, one in enumerate(operands)]
        given[place] = _dense(both, format.type)
        found = elementwise(*given)
        results = export.array_of(found, 0)
        fill = results[-1].item()
        if not is_written(fill):
            return dense(*operands)
        return with_values(core, results[:-1], fill, found.format.type)

    return run


def is_written(fill: Any) -> bool:
    """Whether a format can have a fill value: integers have 53 bits at most."""
    return not isinstance(fill, int) or abs(fill) <= 2**53


def are_same(one: Any, two: Any) -> bool:
    """Whether two fill values are the same: NaN is the same as NaN."""
    if isinstance(one, complex) or isinstance(two, complex):
        one, two = complex(one), complex(two)
        return are_same(one.real, two.real) and are_same(one.imag, two.imag)
    return bool(one == two or one != one and two != two)


def differing(array: Any, fill: Any) -> Any:
    """Returns which elements of an array are not the fill value, which may be NaN."""
    import numpy

    if numpy.iscomplexobj(array):
        fill = complex(fill)
        return differing(array.real, fill.real) | differing(array.imag, fill.imag)
    return numpy.asarray(array == array if fill != fill else array != fill)


def _dense(values: Any, code: int) -> "_core.Tensor":
    format = export.dense_format((0,), code)
    stored = values.view("uint16") if code == dtypes.BFLOAT16 else values
    return _core.from_buffers(format, values.shape, (stored,), _core.STRATA_ADOPT, code)


def with_plain_entries(core: "_core.Tensor") -> "_core.Tensor":
    """Returns a tensor that stores values of elements only, each once: itself, if its levels are
    dimensions as they are, or in CSR or COO."""
    format = core.format
    layout = layout_of(format.text)
    if layout is not None and _has_plain_entries(layout):
        return core
    return core.convert(to_core(plain_format(format), format.order, format.type))


def _has_plain_entries(layout: Layout) -> bool:
    kinds = [level.format for level in layout.levels]
    # (A coordinate may be repeated only if a singleton level below tells the copies apart.)
    are_unique = all(
        "nonunique" not in kind or below.startswith("singleton")
        for kind, below in zip(kinds, [*kinds[1:], ""])
    )
    levels_are_dimensions = sorted(level.coordinate for level in layout.levels) == sorted(
        layout.dimensions
    )
    names = {kind.partition("(")[0] for kind in kinds}
    return (
        are_unique
        and levels_are_dimensions
        and "aos" not in "".join(kinds)
        and names <= {"dense", "compressed", "singleton"}
    )


def plain_format(format: "_core.Format") -> Format:
    """Returns CSR for matrices and COO for other tensors, with the fill value of a format."""
    made = Format("CSR" if format.order == 2 else "COO")
    if format.has_fill:
        made = made.with_(fill=export.number_of(format.fill, format.type))
    return made


def with_values(core: "_core.Tensor", values: Any, fill: Any, code: int) -> "_core.Tensor":
    """Returns a tensor with other values and another fill value, which shares the pattern."""
    import numpy

    target = with_fill(core.format, fill, code)
    pattern: list[Any] = [core.array(index) for index in range(len(core.format.arrays) - 1)]
    stored = numpy.ascontiguousarray(values)
    if code == dtypes.BFLOAT16:
        stored = stored.view(numpy.uint16)
    return _core.from_buffers(target, core.shape, (*pattern, stored), _core.STRATA_ADOPT, code)


def with_fill(format: "_core.Format", fill: Any, code: int) -> "_core.Format":
    """Returns a format with another fill value and element type."""
    is_complex = dtypes.kind_of(code) == dtypes.kind_of(dtypes.COMPLEX128)
    made = Format._of_core(format).with_(fill=fill if is_complex else fill.real)
    return to_core(made, format.order, code)


def complement_format(format: "_core.Format") -> "_core.Format":
    """Returns the format of the negation of truth values."""
    layout = layout_of(format.text)
    if layout is None or not _has_plain_entries(layout):
        format = to_core(plain_format(format), format.order, format.type)
    return with_fill(format, not format.fill.real, dtypes.BOOL)


# ---- Of two ----


def _by_entries(
    text: str,
    names: tuple[str, ...],
    formats: tuple["_core.Format", ...],
    code: Optional[int],
) -> Optional["_core.Statement"]:
    """The statement of what has a value where neither operand stores an entry, in the format of the sum
    of operands that are zero there. Its fill value is that value. None if that format is dense."""
    orders = [format.order for format in formats]
    indices = index_names(max(orders))
    operands = [access(name, indices[len(indices) - order :]) for name, order in zip(names, orders)]
    total = f"{access('R', indices)} = {' + '.join(operands)}"
    zeros = tuple(with_fill(one, 0, one.type) if one.has_fill else one for one in formats)
    union = statements.default_result(total, names, zeros)
    if union.is_full:
        return None
    try:
        return statements.prepare(text, names, formats, Format._of_core(union), code)
    except Error:
        return None
