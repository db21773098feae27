"""Tensors that are computed when they are asked for, several statements as one program."""

from __future__ import annotations

import re
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Sequence, Union, cast

from . import _core, handles, settings
from .errors import ArgumentError, ShapeError, UnsupportedError
from .explanations import Explanation
from .formats import Format
from .plans import remember

if TYPE_CHECKING:
    from .statements import Plan

#: So many statements are one program, at most: it is planned as a whole.
MOST_STEPS = 48


class Step(NamedTuple):
    """A statement that is computed when its result is asked for."""

    text: str
    names: tuple[str, ...]
    operands: tuple[Any, ...]
    #: Of the result.
    format: "_core.Format"

    def run(self, operands: Sequence["_core.Tensor"]) -> "_core.Tensor":
        """Computes it alone."""
        from . import statements

        format = Format._of_core(self.format)
        return statements.run(self.text, self.names, operands, format, self.format.type)


class View(NamedTuple):
    """Another tensor, with permuted dimensions."""

    base: Any
    axes: tuple[int, ...]

    def of(self, base: "_core.Tensor") -> "_core.Tensor":
        """The same of another tensor."""
        return handles.wrap(base).transpose(self.axes)._core


class NeedsValues(BaseException):
    """What is traced asks for the values of an argument, which there are none of."""

    def __init__(self) -> None:
        super().__init__("an argument of a function that st.jit traces has no values")


class Pending:
    """Stands for the handle of a tensor that has not been computed: it has a shape and a format,
    whose widths are open. Whoever asks for anything else gets that of the result."""

    __slots__ = ("__weakref__", "_result", "_source", "format", "key", "shape")

    #: Statements of tensors in pieces are computed at once.
    machine = None
    largest = 0

    def __init__(
        self,
        shape: tuple[int, ...],
        format: "_core.Format",
        source: Union[Step, View, None],
        result: Optional["_core.Tensor"] = None,
    ) -> None:
        self.shape = shape
        self.format = format
        #: What plans are kept under: not that of a handle, for their plans compute.
        self.key = (format.text, format.type)
        #: None of arguments and of tensors that are there.
        self._source = source
        self._result = result

    @property
    def computed(self) -> "_core.Tensor":
        """The handle; computes it."""
        if self._result is None:
            _compute([self])
        return cast("_core.Tensor", self._result)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.computed, name)


def is_pending(core: Any) -> bool:
    """Whether a handle stands for one that may not have been computed."""
    return type(core) is Pending


# ---- Statements that are recorded ----


def recorded(
    statement: "_core.Statement", text: str, names: tuple[str, ...], plan: "Plan"
) -> "Plan":
    """Returns what records a statement instead of computing it."""

    def record(*cores: Any) -> Any:
        shape = _shape(text, names, cores)
        if shape is None:
            return plan(*cores)
        return Pending(shape, statement.result, _step(text, names, cores, statement.result))

    return record


def _step(
    text: str, names: tuple[str, ...], cores: Sequence[Any], format: "_core.Format"
) -> Step:
    """A statement that reads transposed tensors as they are, with indices in another order."""
    operands = list(cores)
    for at, (name, core) in enumerate(zip(names, cores)):
        if not is_pending(core) or not isinstance(core._source, View):
            continue
        places = [core._source.axes.index(axis) for axis in range(len(core.shape))]

        def permuted(found: "re.Match[str]") -> str:
            labels = _split(found[2])
            return f"{found[1]}{','.join(labels[place] for place in places)}{found[3]}"

        text = re.sub(rf"(\b{name}\s*[(\[])([^()\[\]]*)([)\]])", permuted, text)
        operands[at] = core._source.base
    return Step(text, names, tuple(operands), format)


def transposed(core: Any, axes: tuple[int, ...], format: "_core.Format") -> Pending:
    """Returns a recorded tensor with permuted dimensions, which will share all arrays."""
    shape = tuple(core.shape[axis] for axis in axes)
    source = core._source
    if isinstance(source, View):
        axes, core = tuple(source.axes[axis] for axis in axes), source.base
    return Pending(shape, format, View(core, axes))


class _Labels(NamedTuple):
    result: tuple[str, ...]
    operands: dict[str, list[tuple[str, ...]]]


_labels: dict[tuple[Any, ...], Optional[_Labels]] = {}

_LEFT = re.compile(r"\s*\w+\s*(?:[(\[]([^()\[\]]*)[)\]])?\s*(<[^=]*>)?\s*\S?=(?!=)")


def _labels_of(text: str, names: tuple[str, ...]) -> Optional[_Labels]:
    """The indices of the result and of the operands; None where they are more than names."""
    left = _LEFT.match(text)
    if left is None:
        return None
    result = _split(left[1] or "")
    if any(not label.isidentifier() for label in result) or len(set(result)) < len(result):
        return None
    operands = {
        name: [
            _split(found) for found in re.findall(rf"\b{name}\s*[(\[]([^()\[\]]*)[)\]]", text)
        ]
        for name in names
    }
    return _Labels(result, operands)


def _split(labels: str) -> tuple[str, ...]:
    return tuple(label.strip() for label in labels.split(",") if label.strip())


def _shape(text: str, names: tuple[str, ...], cores: Sequence[Any]) -> Optional[tuple[int, ...]]:
    """The shape of a statement's result; None if only computing it tells that.

    Raises:
        ShapeError: An index has two sizes.
    """
    key = (text, names)
    if key in _labels:
        labels = _labels[key]
    else:
        labels = _labels_of(text, names)
        remember(_labels, key, labels)
    if labels is None:
        return None
    sizes: dict[str, int] = {}
    for name, core in zip(names, cores):
        for own in labels.operands[name]:
            if len(own) != len(core.shape):
                return None
            for label, size in zip(own, core.shape):
                if label.isidentifier() and sizes.setdefault(label, size) != size:
                    raise ShapeError(f"'{label}' has two sizes: {sizes[label]} and {size}")
    if any(label not in sizes for label in labels.result):
        return None
    return tuple(sizes[label] for label in labels.result)


# ---- Programs ----

#: By the statements and what connects them, and the formats of the operands.
_programs: dict[tuple[Any, ...], Optional["_core.Statement"]] = {}


class _Program:
    """Steps, and where their operands come from."""

    def __init__(self, steps: Sequence[Pending], returned: Sequence[Pending]) -> None:
        numbers = {id(one): -1 - number for number, one in enumerate(steps)}
        places: dict[int, int] = {}
        self.operands: list[Any] = []
        self.steps = steps
        self.returned = tuple(-1 - numbers[id(one)] for one in returned)
        self.sources = []
        for one in steps:
            sources = []
            for core in _step_of(one).operands:
                source = numbers.get(id(core))
                if source is None:
                    source = places.setdefault(id(core), len(places))
                    if source == len(self.operands):
                        self.operands.append(core)
                sources.append(source)
            self.sources.append(tuple(sources))

    def statement(self) -> Optional["_core.Statement"]:
        """The program as a whole; None where its statements are computed one after the other."""
        parts = [
            (_step_of(one).text, _step_of(one).names, sources, one.format)
            for one, sources in zip(self.steps, self.sources)
        ]
        formats = tuple(core.format for core in self.operands)
        key = (
            *[(text, sources, form.text, form.type) for text, _, sources, form in parts],
            self.returned,
            *[(form.text, form.type) for form in formats],
        )
        if key not in _programs:
            exact = settings.is_deterministic()
            try:
                found = _core.join_statements(tuple(parts), formats, self.returned, exact)
            except UnsupportedError:
                found = None
            remember(_programs, key, found)
        return _programs[key]

    def run(self, operands: Sequence["_core.Tensor"]) -> tuple["_core.Tensor", ...]:
        """Computes the results from operands such as those of the program."""
        statement = self.statement() if len(self.steps) > 1 else None
        if statement is not None:
            return statement.run_all(*operands)
        made: list["_core.Tensor"] = []
        for one, sources in zip(self.steps, self.sources):
            given = [operands[at] if at >= 0 else made[-1 - at] for at in sources]
            made.append(_step_of(one).run(given))
        return tuple(made[number] for number in self.returned)


def _step_of(one: Pending) -> Step:
    return cast(Step, one._source)


def _base_of(one: Any) -> Any:
    """What is computed where somebody asks for this."""
    is_view = is_pending(one) and isinstance(one._source, View)
    return cast(View, one._source).base if is_view else one


def _needed(targets: Sequence[Pending]) -> list[Pending]:
    """What must be computed for some results, each behind what it reads."""
    order: list[Pending] = []
    seen: set[int] = set()
    stack = [(one, False) for one in reversed(targets)]
    while stack:
        one, is_ready = stack.pop()
        if is_ready:
            order.append(one)
        elif type(one) is Pending and one._result is None and id(one) not in seen:
            if one._source is None:
                continue  # an argument, whose value comes with the call
            seen.add(id(one))
            stack.append((one, True))
            stack.extend((core, False) for core in reversed(_step_of(one).operands))
    return order


def _programs_for(targets: Sequence[Pending]) -> list[_Program]:
    """The programs that compute some results, in their order."""
    bases = list(map(_base_of, targets))
    order = _needed(bases)
    wanted = set(map(id, bases))
    programs = []
    for begin in range(0, len(order), MOST_STEPS):
        steps, later = order[begin : begin + MOST_STEPS], order[begin + MOST_STEPS :]
        read = {id(core) for one in later for core in _step_of(one).operands}
        programs.append(_Program(steps, [one for one in steps if id(one) in wanted | read]))
    return programs


def _value_of(core: Any, known: dict[int, "_core.Tensor"]) -> "_core.Tensor":
    if type(core) is not Pending:
        return cast("_core.Tensor", core)
    found = core._result if core._result is not None else known.get(id(core))
    if found is None and isinstance(core._source, View):
        found = core._source.of(_value_of(core._source.base, known))
    if found is None:
        raise NeedsValues
    return found


def _compute(targets: Sequence[Pending]) -> None:
    """Computes what has not been computed of these, and keeps it."""
    for program in _programs_for(targets):
        results = program.run([_value_of(core, {}) for core in program.operands])
        for number, result in zip(program.returned, results):
            program.steps[number]._result = result
    for one in targets:
        one._result = _value_of(one, {})
        one._source = None


# ---- For users ----


def lazy(x: Any, /) -> "handles.Tensor":
    """Returns a tensor with which nothing is computed until somebody asks for a value.

    Operators, reductions, Einstein sums and statements of it are recorded. What is asked for is
    computed as one program: what its statements have in common is computed once, and what one makes
    and another reads need not be stored.

    >>> import strata as st
    >>> A = st.lazy(st.eye(3))
    >>> B = (A @ A) * A + A
    >>> B
    <strata.Tensor 3x3 float64 CSR, not computed yet>
    >>> st.compute(B).todense()
    array([[2., 0., 0.],
           [0., 2., 0.],
           [0., 0., 2.]])

    Args:
        x: A tensor, or what :func:`asarray` takes.
    """
    from .conversion import asarray

    core = asarray(x)._core
    if is_pending(core) or core.machine is not None:
        return handles.wrap(core)
    return handles.wrap(cast(Any, Pending(core.shape, core.format, None, core)))


def compute(*tensors: Any) -> Any:
    """Computes lazy tensors together, as one program.

    Args:
        tensors: Lazy tensors, or others, which are returned as they are.

    Returns:
        The tensor, or a tuple if there are several.
    """
    if not tensors:
        raise ArgumentError("compute() needs tensors")
    for x in tensors:
        if type(x) is not handles.Tensor:
            raise ArgumentError(f"a {type(x).__name__} is no tensor")
    pending = [x._core for x in tensors if is_pending(x._core)]
    _compute(list({id(one): one for one in pending if one._result is None}.values()))
    results = tuple(handles.wrap(x._core.computed) if is_pending(x._core) else x for x in tensors)
    return results[0] if len(results) == 1 else results


class _Trace(NamedTuple):
    """What a function does with arguments of some formats and shapes."""

    programs: list[_Program]
    arguments: list[Pending]
    result: Any

    def run(self, cores: Sequence["_core.Tensor"]) -> Any:
        known = {id(one): core for one, core in zip(self.arguments, cores)}
        for program in self.programs:
            results = program.run([_value_of(core, known) for core in program.operands])
            known.update(
                (id(program.steps[number]), result)
                for number, result in zip(program.returned, results)
            )

        def result_of(x: Any) -> Any:
            return handles.wrap(_value_of(x._core, known)) if type(x) is handles.Tensor else x

        return _mapped(result_of, self.result)


def _mapped(function: Callable[[Any], Any], x: Any) -> Any:
    """What a function makes of each value in tuples, lists and dictionaries."""
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*[_mapped(function, item) for item in x])
    if isinstance(x, (tuple, list)):
        return type(x)(_mapped(function, item) for item in x)
    if isinstance(x, dict):
        return {name: _mapped(function, item) for name, item in x.items()}
    return function(x)


class Jitted:
    """A function whose statements are computed as one program."""

    __module__ = "strata"

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self._function = function
        #: By the formats, types and shapes of tensors, and the other arguments; None if the
        #: function asks for values.
        self._traces: dict[Any, Optional[_Trace]] = {}

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        from functools import partial

        return partial(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        cores, key, given = self._arguments(args, kwargs)
        if any(map(is_pending, cores)) or any(core.machine is not None for core in cores):
            return self._function(*args, **kwargs)
        trace = self._trace_of(key, cores, given)
        if trace is not None:
            return trace.run(cores)
        # What it asks for is computed when it asks.
        result = self._called(
            given, [Pending(core.shape, core.format, None, core) for core in cores]
        )
        found: list[Any] = []
        _mapped(found.append, result)
        lazies = [x for x in found if type(x) is handles.Tensor and is_pending(x._core)]
        if lazies:
            compute(*lazies)
        return _mapped(lambda x: compute(x) if type(x) is handles.Tensor else x, result)

    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        """Returns what the function does with such arguments: the statements of its program.

        Raises:
            UnsupportedError: It is no single program.
        """
        cores, key, given = self._arguments(args, kwargs)
        trace = self._trace_of(key, cores, given)
        if trace is None or len(trace.programs) != 1:
            raise UnsupportedError("the function is no single program: it asks for values of its "
                                   "arguments, or has too many statements")
        statement = trace.programs[0].statement()
        if statement is None:
            raise UnsupportedError("the statements of the function are computed one by one")
        known = {id(one): core for one, core in zip(trace.arguments, cores)}
        return Explanation(
            statement, [_value_of(core, known) for core in trace.programs[0].operands]
        )

    def _arguments(self, args: Any, kwargs: Any) -> tuple[list[Any], Any, Any]:
        """The handles of tensors and arrays; what a trace is kept under; and the arguments, with
        numbers in the places of tensors."""
        from .conversion import asarray

        cores: list[Any] = []
        key: list[Any] = []

        def place(x: Any) -> Any:
            if type(x) is handles.Tensor or hasattr(x, "__array__") or hasattr(x, "tocoo"):
                core = asarray(x)._core
                cores.append(core)
                key.append((core.key, core.shape))
                return _Place(len(cores) - 1)
            # (-0.0 equals 0.0, and NaN does not equal itself.)
            key.append((type(x), repr(x) if isinstance(x, (float, complex)) else x))
            return x

        given = _mapped(place, (args, kwargs))
        shape = _mapped(lambda x: None, (args, {name: kwargs[name] for name in kwargs}))
        return cores, (repr(shape), *key), given

    def _trace_of(self, key: Any, cores: Sequence[Any], given: Any) -> Optional[_Trace]:
        try:
            if key in self._traces:
                return self._traces[key]
        except TypeError:
            return None  # An argument has no hash.
        trace = self._traced(cores, given)
        remember(self._traces, key, trace)
        return trace

    def _called(self, given: Any, cores: Sequence[Pending]) -> Any:
        """Calls the function with recorded tensors, which it must leave as they are."""
        tensors = [handles.wrap(cast(Any, core)) for core in cores]
        args, kwargs = _filled(given, tensors)
        result = self._function(*args, **kwargs)
        if any(
            x._deferred is not None or x._core is not cast(Any, core)
            for x, core in zip(tensors, cores)
        ):
            raise UnsupportedError(
                "the function changes a tensor that it was given", "x = x + y makes another one"
            )
        return result

    def _traced(self, cores: Sequence[Any], given: Any) -> Optional[_Trace]:
        arguments = [Pending(core.shape, core.format, None) for core in cores]
        targets: dict[int, Pending] = {}

        def note(x: Any) -> Any:
            if type(x) is handles.Tensor and is_pending(x._core):
                targets[id(x._core)] = cast(Any, x._core)
            return x

        try:
            result = _mapped(note, self._called(given, arguments))
        except NeedsValues:
            return None
        return _Trace(_programs_for(list(targets.values())), arguments, result)


class _Place(NamedTuple):
    """Stands for an argument that is a tensor."""

    number: int


def _filled(given: Any, tensors: Sequence["handles.Tensor"]) -> Any:
    """The arguments of a function, with tensors in their places."""
    if type(given) is _Place:
        return tensors[given.number]
    if isinstance(given, tuple) and hasattr(given, "_fields"):
        return type(given)(*[_filled(item, tensors) for item in given])
    if isinstance(given, (tuple, list)):
        return type(given)(_filled(item, tensors) for item in given)
    if isinstance(given, dict):
        return {name: _filled(item, tensors) for name, item in given.items()}
    return given


def jit(function: Callable[..., Any]) -> Jitted:
    """Makes the statements of a function one program, which is found again for arguments of the
    same formats, types and shapes; the function itself is called once for these.

    >>> import strata as st
    >>> @st.jit
    ... def sampled(A, B, C):
    ...     return A * (B @ C)
    >>> A = st.eye(3)
    >>> sampled(A, st.ones((3, 2)), st.ones((2, 3)))
    <strata.Tensor 3x3 float64 CSR(pos=32, crd=32), 3 stored, 52 bytes, fill 0>

    Args:
        function: Takes tensors, arrays, and tuples, lists and dictionaries of them. Other
            arguments are constants, and each value of them is another program. A function that asks
            for values, as ``if x.sum() > 0`` does, is called each time; what it does between is
            computed together.
    """
    return Jitted(function)
