"""Statements in index notation: compiled once for the formats of their operands, and run."""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Union

from . import _core, conversion, dtypes, handles, masks, recording, settings, spelling
from .errors import ArgumentError, Error, ShapeError
from .explanations import Explanation
from .formats import Format, to_core
from .plans import remember
from .schedules import Schedule

if TYPE_CHECKING:
    from .machines import Machine

#: The types of numbers whose element type is weak.
NUMBERS = frozenset((bool, int, float, complex))

#: What runs a statement for operands of some formats, in the order of their names.
Plan = Callable[..., "_core.Tensor"]

_plans: dict[tuple[Any, ...], Plan] = {}


def run(
    text: str,
    names: tuple[str, ...],
    cores: Sequence["_core.Tensor"],
    format: Union[str, Format, None] = None,
    code: Optional[int] = None,
    schedule: Any = None,
    machine: Optional["Machine"] = None,
) -> "_core.Tensor":
    """Computes a statement. Arguments are those of :func:`plan_for`."""
    return plan_for(text, names, cores, format, code, schedule, machine)(*cores)


def plan_for(
    text: str,
    names: tuple[str, ...],
    cores: Sequence["_core.Tensor"],
    format: Union[str, Format, None] = None,
    code: Optional[int] = None,
    schedule: Any = None,
    machine: Optional["Machine"] = None,
) -> Plan:
    """Returns what computes a statement for operands of the same formats as these.

    Args:
        text: The statement.
        names: The names of the operands.
        cores: Their handles.
        format: The result's format; None: what follows from the operands.
        code: The result's element type; None: what follows from the operands.
        schedule: A schedule's text; None: the compiler's own.
        machine: That the result's format or the schedule names, beside those of the operands.
    """
    written = None if schedule is None else str(schedule)
    on = None if machine is None else machine._core
    key = (text, format, code, written, on, *[core.key for core in cores])
    plan = _plans.get(key)
    if plan is None:
        formats = tuple(core.format for core in cores)
        machines = machines_of(cores, machine)
        statement = prepare(text, names, formats, format, code, written, machines)
        plan = plan_of(statement, names)
        if any(map(recording.is_pending, cores)):
            plan = recording.recorded(statement, text, names, plan)
        remember(_plans, key, plan)
    return plan


def prepare(
    text: str,
    names: tuple[str, ...],
    formats: tuple["_core.Format", ...],
    format: Union[str, Format, None] = None,
    code: Optional[int] = None,
    schedule: Any = None,
    machines: tuple["_core.Machine", ...] = (),
) -> "_core.Statement":
    """Compiles a statement for operands of some formats."""
    written = None if schedule is None else str(schedule)
    if format is not None:
        result = default_result(text, names, formats, machines)
        chosen = to_core(format, result.order, result.type if code is None else code)
        return _compile(text, names, formats, chosen, written, machines)
    if code is None:
        return _compile(text, names, formats, None, written, machines)
    result = default_result(text, names, formats, machines).with_type(code)
    return _compile(text, names, formats, result, written, machines)


def machines_of(
    cores: Sequence["_core.Tensor"], machine: Optional["Machine"] = None
) -> tuple["_core.Machine", ...]:
    """The machines of operands, and another one; none of them twice."""
    found = {} if machine is None else {machine._core.address: machine._core}
    for core in cores:
        own = core.machine
        if own is not None:
            found.setdefault(own.address, own)
    return tuple(found.values())


def _compile(
    text: str,
    names: tuple[str, ...],
    formats: tuple["_core.Format", ...],
    result: Optional["_core.Format"],
    schedule: Optional[str],
    machines: tuple["_core.Machine", ...],
) -> "_core.Statement":
    deterministic = settings.is_deterministic()
    return _core.compile_statement(text, names, formats, result, schedule, deterministic, machines)


def default_result(
    text: str,
    names: tuple[str, ...],
    formats: tuple["_core.Format", ...],
    machines: tuple["_core.Machine", ...] = (),
) -> "_core.Format":
    """The result's format that follows from the operands. Where their element types make a result
    that cannot be stored, it is that for doubles."""
    try:
        return _compile(text, names, formats, None, None, machines).result
    except Error:
        doubles = tuple(format.with_type(dtypes.FLOAT64) for format in formats)
        return _compile(text, names, doubles, None, None, machines).result


def plan_of(statement: "_core.Statement", names: tuple[str, ...]) -> Plan:
    """Returns what runs a statement with its operands in the order of `names`."""
    places = _places(statement, names)
    bound = statement.run
    if places is None:
        return bound

    def run_permuted(*cores: "_core.Tensor") -> "_core.Tensor":
        return bound(*[cores[place] for place in places])

    return run_permuted


def _places(statement: "_core.Statement", names: tuple[str, ...]) -> Optional[list[int]]:
    """Where the operands of a statement stand among names; None: in their order."""
    wanted = statement.operands
    return None if wanted == names else [names.index(name) for name in wanted]


# ---- For users ----


def evaluate(
    text: str,
    /,
    *by_position: Any,
    format: Union[str, Format, None] = None,
    dtype: Any = None,
    out: Any = None,
    schedule: Any = None,
    machine: Optional["Machine"] = None,
    **tensors: Any,
) -> "handles.Tensor":
    """Computes a statement in index notation and returns its result.

    >>> import strata as st
    >>> A = st.from_coo(([0, 1, 1], [1, 0, 2]), [2.0, 3.0, 4.0], (2, 3), "CSR")
    >>> st.evaluate("y(i) = alpha * A(i,j) * x(j)", A=A, x=[1.0, 2.0, 3.0], alpha=10).todense()
    array([ 40., 150.])

    Args:
        text: The statement: ``"C(i,j) = A(i,k) * B(k,j)"``. An index that the left side lacks is
            summed over. What else can stand there is described in docs/Language.md.
        by_position: The operands in the order in which their names occur on the right side.
        format: The format of the result; None: dense if no operand is sparse, else
            as docs/Python.md says: sparse if the result is empty along two dimensions or more
            wherever the operands store nothing, dense in most cases if along one.
        dtype: The element type of the result; None: NumPy's result_type of the operands.
        out: A tensor that becomes the result, in the format and element type that it has, and is
            returned; or an array of NumPy, into which the result is copied. It is the tensor on the
            left side: ``y(i) += A(i,j)`` adds to what it holds.
        schedule: How its loops run; None: the compiler chooses.
        machine: The machine that the result's format or the schedule names; the machines of the
            operands need not be given.
        tensors: The operands by name: tensors, arrays (see :func:`asarray`), numbers.

    Raises:
        ExpressionError: The text is no statement. The message shows where.
        ShapeError: The sizes of the operands do not fit each other.
        ArgumentError: An operand is missing, or is none of the statement's.
    """
    if by_position:
        tensors = {**_named(text, by_position, tensors), **tensors}
    text, tensors = _with_coordinates(text, tensors)
    code = None if dtype is None else dtypes.code_of(dtype)
    if out is None:
        cores = cores_of(tensors.values())
        return handles.wrap(run(text, tuple(tensors), cores, format, code, schedule, machine))
    if format is not None or code is not None:
        raise ArgumentError("the result has the format and element type of out=")
    target = masks.target_of(out)
    tensors.setdefault(spelling.result_name(text, tensors), target)
    cores = cores_of(tensors.values())
    kept, code = target.format.without_widths(), target._core.format.type
    result = run(text, tuple(tensors), cores, kept, code, schedule, machine)
    if result.shape != target.shape:
        raise ShapeError(f"the result has the shape {result.shape}, out= {target.shape}", text=text)
    return masks.result_of(out, result)


#: The names that stand in indices, by the statement and the names of what is given.
_labels: dict[tuple[str, ...], frozenset[str]] = {}


def _with_coordinates(text: str, tensors: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The statement with the integers that stand in indices written there, and the other
    operands."""
    integers = [name for name, value in tensors.items() if _is_integer(value)]
    if not integers:
        return text, tensors
    key = (text, *tensors)
    labels = _labels.get(key)
    if labels is None:
        labels = frozenset(spelling.names_in(spelling.spelled(text, tensors))[1])
        remember(_labels, key, labels)
    in_indices = labels.intersection(integers)
    for name in in_indices:
        value = operator.index(tensors[name])
        text = re.sub(rf"\b{name}\b", f"({value})" if value < 0 else str(value), text)
    return text, {name: value for name, value in tensors.items() if name not in in_indices}


def _is_integer(value: Any) -> bool:
    """Whether a value is an integer of Python's or of NumPy's."""
    if type(value) is int:
        return True
    return type(value).__module__ == "numpy" and value.shape == () and value.dtype.kind in "iu"


#: The names of operands by position, by the statement and the names that are given beside.
_names_by_position: dict[tuple[str, ...], list[str]] = {}


def _named(text: str, operands: Sequence[Any], given: dict[str, Any]) -> dict[str, Any]:
    key = (text, *given)
    names = _names_by_position.get(key)
    if names is None:
        names = spelling.operand_names(text, given)
        remember(_names_by_position, key, names)
    if len(operands) > len(names):
        raise ArgumentError(
            f"{len(operands)} operands are given, but the statement names {len(names)}: "
            + ", ".join(names)
        )
    return dict(zip(names, operands))


def cores_of(operands: Any) -> list["_core.Tensor"]:
    """The handles of operands; numbers get the element type in which they meet the others."""
    cores: list[Any] = []
    weak = False
    for operand in operands:
        if type(operand) is handles.Tensor:
            cores.append(operand._core)
        elif type(operand) in NUMBERS:
            weak = True
            cores.append(operand)
        else:
            cores.append(conversion.asarray(operand)._core)
    if not weak:
        return cores
    code: Optional[int] = None
    for core in cores:
        if type(core) not in NUMBERS:
            type_ = core.format.type
            code = type_ if code is None else dtypes.promote(code, type_)
    for at, value in enumerate(cores):
        if type(value) in NUMBERS:
            chosen = (
                dtypes.code_of(type(value)) if code is None else dtypes.scalar_code(value, code)
            )
            cores[at] = conversion.number_core(value, chosen)
    return cores


class Spec:
    """What a kernel is compiled for: a number of dimensions, a format, an element type."""

    __slots__ = ("dtype", "format", "order")
    __module__ = "strata"

    def __init__(self, order: int, format: Union[str, Format], dtype: str) -> None:
        self.order = order
        self.format = format
        self.dtype = dtype

    def __repr__(self) -> str:
        return f"strata.spec({self.order}, {str(self.format)!r}, {self.dtype!r})"


def spec(
    shape_or_ndim: Union[int, Sequence[int]],
    format: Union[str, Format] = "Dense",
    dtype: Any = "float64",
) -> Spec:
    """Describes an operand of :func:`compile`. Sizes are given when the kernel runs.

    Args:
        shape_or_ndim: The number of dimensions, or a shape, of which only their number counts.
        format: How the operand is stored.
        dtype: Its element type.
    """
    order = shape_or_ndim if isinstance(shape_or_ndim, int) else len(shape_or_ndim)
    return Spec(order, format, dtypes.NAMES[dtypes.code_of(dtype)])


def compile(
    text: str,
    *,
    format: Union[str, Format, None] = None,
    dtype: Any = None,
    schedule: Any = None,
    machine: Optional["Machine"] = None,
    **specs: Any,
) -> "Kernel":
    """Compiles a statement for operands of given formats.

    >>> import strata as st
    >>> spmv = st.compile("y(i) = A(i,j) * x(j)", A=st.spec(2, "CSR"), x=st.spec(1))
    >>> spmv(A=st.eye(3), x=[1.0, 2.0, 3.0]).todense()
    array([1., 2., 3.])

    Args:
        text: The statement, as :func:`evaluate` takes it.
        format, dtype: Format and element type of the result; None: what follows from the operands.
        schedule: How its loops run; None: the compiler chooses.
        machine: The machine that formats or the schedule name.
        specs: For each operand a :func:`spec`, or a tensor that is like it.

    Raises:
        ExpressionError: The text is no statement.
        ScheduleError: The schedule is not legal for the statement.
    """
    formats, given = [], []
    for described in specs.values():
        if isinstance(described, Spec):
            own = dtypes.code_of(described.dtype)
            formats.append(to_core(described.format, described.order, own))
        else:
            given.append(conversion.asarray(described)._core)
            formats.append(given[-1].format)
    code = None if dtype is None else dtypes.code_of(dtype)
    names = tuple(specs)
    on = machines_of(given, machine)
    statement = prepare(text, names, tuple(formats), format, code, schedule, on)
    return Kernel(text, names, statement)


class Kernel:
    """A statement that is compiled for the formats of its operands. Calling it computes it."""

    __slots__ = ("_names", "_plan", "_statement", "_text")
    __module__ = "strata"

    def __init__(self, text: str, names: tuple[str, ...], statement: "_core.Statement") -> None:
        self._text = text
        self._names = names
        self._statement = statement
        self._plan = plan_of(statement, names)

    @property
    def text(self) -> str:
        """The statement."""
        return self._text

    @property
    def operands(self) -> tuple[str, ...]:
        """The names of the operands, in the order in which they are given by position."""
        return self._names

    @property
    def format(self) -> Format:
        """The format of the result."""
        return Format._of_core(self._statement.result)

    def __call__(self, *by_position: Any, out: Any = None, **tensors: Any) -> "handles.Tensor":
        """Computes the statement.

        Args:
            by_position: Operands in the order of :attr:`operands`.
            out: A tensor that becomes the result, or an array of NumPy, into which it is copied. It
                is the tensor on the left side, if the statement updates that.
            tensors: Operands by name, in the formats that the kernel was compiled for.

        Raises:
            FormatError: An operand has another format.
            ShapeError: Sizes do not fit each other, or those of ``out``.
            ArgumentError: An operand is missing, or is none of the statement's.
        """
        target = None if out is None else masks.target_of(out)
        if target is not None:
            name = spelling.result_name(self._text, self._names)
            if name in self._names:
                tensors.setdefault(name, target)
        result = self._plan(*self._cores(by_position, tensors))
        if target is None:
            return handles.wrap(result)
        return masks.store(out, handles.wrap(result))

    def assemble(self, *by_position: Any, **tensors: Any) -> "handles.Tensor":
        """Returns a tensor with the entries of the result, whose values are its fill.

        Where operands keep their entries and their values change, this is done once, and
        :meth:`compute` each time (TACO has both by these names).

        >>> import strata as st
        >>> A = st.from_coo(([0, 1], [1, 0]), [2.0, 3.0], (2, 2), "CSR")
        >>> square = st.compile("C(i,k) = A(i,j) * B(j,k)", A=A, B=A)
        >>> pattern = square.assemble(A, A)
        >>> square.compute(pattern, A, A).todense()
        array([[6., 0.],
               [0., 6.]])

        Args:
            by_position, tensors: Operands, as calling the kernel takes them.

        Raises:
            UnsupportedError: The result is converted, or updated, or of a format in which entries
                follow from values.
        """
        return handles.wrap(self._statement.assemble(*self._in_order(by_position, tensors)))

    def compute(self, pattern: Any, /, *by_position: Any, **tensors: Any) -> "handles.Tensor":
        """Returns a result with the entries of a pattern, to whose positions and coordinates it
        refers.

        Args:
            pattern: A tensor of the result's format and shape: what :meth:`assemble` gave, or any
                other that has an entry for each that is computed.
            by_position, tensors: Operands, as calling the kernel takes them.

        Raises:
            ArgumentError: An entry is to be computed that the pattern lacks.
            FormatError: The pattern has another format or element type than the result.
            ShapeError: It has another shape.
            UnsupportedError: As of :meth:`assemble`.
        """
        entries = conversion.asarray(pattern)._core
        return handles.wrap(self._statement.compute(entries, *self._in_order(by_position, tensors)))

    def _cores(self, by_position: Sequence[Any], tensors: dict[str, Any]) -> list["_core.Tensor"]:
        """The handles of the operands, in the order of their names."""
        given = {**dict(zip(self._names, by_position)), **tensors}
        unknown = [name for name in given if name not in self._names]
        missing = [name for name in self._names if name not in given]
        if unknown or missing or len(by_position) > len(self._names):
            raise ArgumentError(
                f"the operands are {', '.join(self._names)}"
                + (f"; missing: {', '.join(missing)}" if missing else "")
                + (f"; unknown: {', '.join(unknown)}" if unknown else "")
            )
        return cores_of([given[name] for name in self._names])

    def _in_order(
        self, by_position: Sequence[Any], tensors: dict[str, Any]
    ) -> list["_core.Tensor"]:
        """The handles of the operands, in the order of the statement's own."""
        cores = self._cores(by_position, tensors)
        places = _places(self._statement, self._names)
        return cores if places is None else [cores[place] for place in places]

    @property
    def schedule(self) -> Schedule:
        """The commands that lead to the kernel's loops, whoever chose them."""
        return self.explain().schedule

    def explain(self, *by_position: Any, **tensors: Any) -> Explanation:
        """Returns what the kernel does: its loops, how operands are iterated, what is converted,
        and what is allocated; with operands, as calling the kernel takes them, also how much it is
        expected to do."""
        given = by_position or tensors
        return Explanation(self._statement, self._in_order(by_position, tensors) if given else ())

    def source(self, stage: str = "c") -> str:
        """Returns the kernel at a stage: "loops", "ta", "cin", "lvl", "scf", "vector", "c",
        "llvm", "assembly"."""
        return self._statement.show(stage)

    def __repr__(self) -> str:
        return f"<strata.Kernel {self.text}>"


def explain(
    text: str,
    /,
    *by_position: Any,
    format: Union[str, Format, None] = None,
    dtype: Any = None,
    schedule: Any = None,
    machine: Optional["Machine"] = None,
    **tensors: Any,
) -> Explanation:
    """Returns what a statement does: its loops, how operands are iterated, what is converted, what
    is allocated, and how much it is expected to do.

    >>> import strata as st
    >>> A = st.eye(3)
    >>> st.explain("y(i) = A(i,j) * x(j)", A=A, x=[1.0, 2.0, 3.0]).flops
    6
    >>> print("\\n".join(st.explain("y(i) = A(i,j) * x(j)", A=A, x=[1.0, 2.0, 3.0]).loops))
    build y
    for i over all its values, locating A1, in parallel
      for j in A2, locating x1
      store

    Args:
        text, by_position, format, dtype, schedule, machine, tensors: As :func:`evaluate` takes
            them.
    """
    if by_position:
        tensors = {**_named(text, by_position, tensors), **tensors}
    text, tensors = _with_coordinates(text, tensors)
    cores = cores_of(tensors.values())
    formats = tuple(core.format for core in cores)
    on = machines_of(cores, machine)
    code = None if dtype is None else dtypes.code_of(dtype)
    statement = prepare(text, tuple(tensors), formats, format, code, schedule, on)
    places = _places(statement, tuple(tensors))
    return Explanation(statement, cores if places is None else [cores[at] for at in places])
