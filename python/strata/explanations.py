"""What a statement does, as text and as data."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any

from .schedules import Schedule

if TYPE_CHECKING:
    from . import _core


class Explanation:
    """What a statement does: its text is what ``strata explain`` prints.

    Attributes:
        loops: The loops, a line each, indented as they are nested.
        conversions: What is converted before and after them, and why.
        schedule: The commands that lead to the loops. Given back as ``schedule=``, they make the
            same kernel if nothing is converted.
        data: All of it, with the keys that docs/CommandLine.md describes.
    """

    __slots__ = ("_statement", "conversions", "data", "loops", "schedule")
    __module__ = "strata"

    def __init__(self, statement: "_core.Statement") -> None:
        self._statement = statement
        self.data: dict[str, Any] = json.loads(statement.explain(True))
        statements = self.data["statements"]
        computed = [one for one in statements if not one["conversion"]]
        self.loops = tuple(line for one in computed for line in one["loops"])
        self.conversions = tuple(
            f"{tensor['name']}: {note}"
            for one in statements
            for tensor in (*one["operands"], one["result"])
            for note in tensor["notes"]
        )
        written = computed[-1]["schedule"] if computed else ""
        self.schedule = Schedule(written.replace("; ", ",").replace(", ", ","))

    def __str__(self) -> str:
        return self._statement.explain(False).rstrip("\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"
