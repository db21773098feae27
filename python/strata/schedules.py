"""Schedules as values."""

from __future__ import annotations

from typing import Any, Callable


class Schedule:
    """How the loops of a statement run: commands of docs/Schedules.md, one after the other.

    >>> import strata as st
    >>> print(st.Schedule("split(i,io,ii,32)").parallelize("io", "CPUThread", "NoRaces"))
    split(i,io,ii,32),parallelize(io,CPUThread,NoRaces)

    Args:
        text: Commands, separated by commas. Each command is also a method that adds itself.
    """

    __slots__ = ("_text",)
    __module__ = "strata"

    def __init__(self, text: str = "") -> None:
        self._text = text.strip()

    def __getattr__(self, command: str) -> Callable[..., "Schedule"]:
        if command.startswith("_"):
            raise AttributeError(command)

        def add(*arguments: Any) -> "Schedule":
            written = f"{command}({','.join(map(str, arguments))})"
            return Schedule(f"{self._text},{written}" if self._text else written)

        return add

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, Schedule) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"strata.Schedule({self._text!r})"
