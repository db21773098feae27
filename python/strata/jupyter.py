"""The cell magic ``%%strata`` of IPython and Jupyter."""

from __future__ import annotations

import argparse
import re
import shlex
from typing import Any, NoReturn, Optional

from . import programs, statements
from .errors import ArgumentError

_NAME = re.compile(r"[A-Za-z_]\w*")
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\S")
_PROGRAM = re.compile(r"^\s*(def\s+)?main\s*\(\s*\)", re.MULTILINE)

_HELP = """Computes statements in index notation, a line each, of the notebook's tensors:

    %%strata -f C=CSR
    C(i,j) = A(i,k) * B(k,j)
    y(i) = C(i,j) * x(j)

Each result becomes a variable; the last one is shown. A cell with a function main() is a whole
program, whose tensors become variables. Options:

    -f NAME=FORMAT     the format of a result
    -s COMMANDS        the schedule of the statement, where the cell has one alone
    --explain          show what the statements do, and compute nothing
"""


class _Parser(argparse.ArgumentParser):
    """Of the magic's line: a mistake in it does not end the kernel."""

    def error(self, message: str) -> NoReturn:
        raise ArgumentError(f"%%strata: {message}")


def _options(line: str) -> argparse.Namespace:
    parser = _Parser(prog="%%strata", add_help=False, usage=_HELP)
    parser.add_argument("-f", "--format", action="append", default=[])
    parser.add_argument("-s", "--schedule")
    parser.add_argument("--explain", action="store_true")
    try:
        return parser.parse_args(shlex.split(line))
    except ValueError as error:
        raise ArgumentError(f"%%strata: {error}") from None


def _result_of(statement: str) -> str:
    """The name of what a statement computes."""
    found = _NAME.match(statement)
    if not found or "=" not in statement:
        raise ArgumentError(f"%%strata: '{statement}' is no statement: 'y(i) = A(i,j) * x(j)'")
    return found.group()


def _operands(statement: str, variables: dict[str, Any]) -> dict[str, Any]:
    """The notebook's variables that a statement reads.

    Names between the brackets behind a tensor are labels, also where the notebook has a variable
    of that name.
    """
    result = _result_of(statement)
    left, right = statement.split("=", 1)
    updates = left.rstrip().endswith(("+", "-", "*", "|", "&", "min", "max"))
    found = {result} if updates else set[str]()
    around: list[bool] = []  # for each open bracket, whether it holds labels
    before = result
    for token in _TOKEN.findall(left[len(result) :] + "=" + right):
        if token in "([":
            is_tensor = before in variables and not callable(variables[before])
            around.append(is_tensor or before == result or token == "[")
        elif token in ")]" and around:
            around.pop()
        elif _NAME.match(token) and not any(around):
            found.add(token)
        before = token
    return {
        name: variables[name]
        for name in dict.fromkeys(_NAME.findall(statement))
        if name in found and name in variables and not callable(variables[name])
    }


def _compute(
    statement: str, variables: dict[str, Any], formats: dict[str, str], asked: argparse.Namespace
) -> Any:
    operands = _operands(statement, variables)
    if asked.explain:
        return statements.explain(statement, schedule=asked.schedule, **operands)
    name = _result_of(statement)
    result = statements.evaluate(
        statement, format=formats.get(name), schedule=asked.schedule, **operands
    )
    variables[name] = result
    return result


def run_cell(line: str, cell: str, variables: dict[str, Any]) -> Any:
    """Does what a cell says, with the variables of a notebook, and returns what it shows.

    Args:
        line: The options behind ``%%strata``.
        cell: The lines below it.
        variables: The notebook's, which the results join.
    """
    asked = _options(line)
    if _PROGRAM.search(cell):
        outcome = programs.run(cell)
        variables.update(outcome)
        print(outcome.printed, end="")
        return None
    formats = {}
    for one in asked.format:
        name, sign, format = one.partition("=")
        if not sign:
            raise ArgumentError(f"%%strata: -f NAME=FORMAT, not '{one}'")
        formats[name.strip()] = format.strip()
    lines = [text.split("#", 1)[0].strip().rstrip(";") for text in cell.splitlines()]
    lines = [text for text in lines if text]
    if asked.schedule and len(lines) > 1:
        raise ArgumentError("%%strata: -s is about one statement, and the cell has several")
    if not lines:
        raise ArgumentError("%%strata: the cell has no statement")
    unknown = set(formats) - {_result_of(text) for text in lines}
    if unknown:
        raise ArgumentError(f"%%strata: no statement computes {', '.join(sorted(unknown))}")
    shown: Optional[Any] = None
    for text in lines:
        shown = _compute(text, variables, formats, asked)
    return shown


def load_ipython_extension(ipython: Any) -> None:
    """Gives a notebook the magic ``%%strata``, as ``%load_ext strata`` does.

    Args:
        ipython: The shell of the notebook.
    """

    def strata(line: str, cell: str) -> Any:
        return run_cell(line, cell, ipython.user_ns)

    strata.__doc__ = _HELP
    ipython.register_magic_function(strata, magic_kind="cell", magic_name="strata")
