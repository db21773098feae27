"""Whole programs in Strata's language."""

from __future__ import annotations

import os
import re
from typing import Any, Optional, Sequence, Union

from . import _core, handles, modules
from .errors import ArgumentError
from .machines import Machine
from .tensors import Tensor


class Outcome(dict[str, Tensor]):
    """The tensors and scalars of a program by their names, and what it has printed."""

    __module__ = "strata"

    #: What the program has printed.
    printed: str = ""


def run(
    program: Union[str, "os.PathLike[str]"],
    /,
    *,
    results: Sequence[str] = (),
    machine: Optional[Machine] = None,
    **parameters: Union[str, int, float],
) -> Outcome:
    r"""Runs a program (docs/Language.md) and returns its tensors.

    >>> import strata as st
    >>> outcome = st.run('''
    ... def main() {
    ...   IndexLabel [i] = [3];
    ...   Tensor<double> x([i], Dense);
    ...   x[i] = value;
    ...   var s = SUM(x[i] * x[i]);
    ...   print("sum", s);
    ... }''', value=2)
    >>> outcome.printed, outcome["s"].item()
    ('sum 12\n', 12.0)

    Args:
        program: Its text, or a file: what ends in ".ta", or is a single line and names a file. A
            module of MLIR, or a file that ends in ".mlir", is one, too: its function ``main`` has no
            arguments, and what it returns is called "0", "1", and so on. :func:`from_mlir` calls
            functions with arguments.
        results: The names of the tensors and scalars that are wanted; none: all of ``main`` that
            have a value at its end.
        machine: Its ranks run the program together, which is collective: they share the work of
            distributed statements, and rank 0 alone prints and writes. A machine of its name that
            the program declares gets its cells, unless a parameter says otherwise.
        parameters: The values of the names that the program leaves open, as ``-D`` gives them.

    Raises:
        ExpressionError: The program is wrong. The message shows where.
        MissingFileError: There is no such file.
    """
    if modules.is_module(program):
        return _run_module(program, results, machine, parameters)
    is_named = _is_file(program)
    text, name = modules.read_text(program) if is_named else (program, "<program>")
    ranks = None
    if machine is not None:
        ranks = machine._core.ranks
        if re.search(rf"\bMachine\s+{machine.name}\s*\(", text):
            parameters.setdefault(machine.name, "x".join(map(str, machine.cells)))
    values = tuple(_written(value) for value in parameters.values())
    names = tuple(parameters)
    printed, cores = _core.run_program(text, name, names, values, tuple(results), ranks)
    outcome = Outcome((one, handles.wrap(core)) for one, core in cores.items())
    outcome.printed = printed
    return outcome


def _run_module(
    program: Union[str, "os.PathLike[str]"],
    results: Sequence[str],
    machine: Optional[Machine],
    parameters: dict[str, Any],
) -> Outcome:
    """Runs a module of MLIR, whose text says everything."""
    if machine is not None or parameters:
        raise ArgumentError("a module of MLIR takes no machine and no parameters")
    function = modules.from_mlir(program)
    made = function()
    tensors = () if made is None else made if isinstance(made, tuple) else (made,)
    named = {str(number): tensor for number, tensor in enumerate(tensors)}
    if unknown := [name for name in results if name not in named]:
        raise ArgumentError(f"the function returns nothing that is called '{unknown[0]}'")
    outcome = Outcome((name, named[name]) for name in results or named)
    outcome.printed = function.printed
    return outcome


def _is_file(program: Union[str, "os.PathLike[str]"]) -> bool:
    """Whether a program is given by the name of its file."""
    if not isinstance(program, str) or program.endswith(".ta"):
        return True
    return "\n" not in program and os.path.exists(program)


def _written(value: Any) -> str:
    """A parameter, a text or a number of Python's or of NumPy's, as the command line takes it."""
    if isinstance(value, str):
        return value
    number = value.item() if hasattr(value, "item") else value
    return str(int(number)) if isinstance(number, bool) else repr(number)
