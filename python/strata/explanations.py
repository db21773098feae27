"""What a statement does, as text and as data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Optional, Sequence

from .schedules import Schedule

if TYPE_CHECKING:
    from . import _core


#: How the core writes explanations.
_TEXT, _JSON, _HTML = range(3)


def _sum_of(statements: list[dict[str, Any]], key: str) -> Optional[float]:
    """The sum over statements of what is known of all; else None."""
    known = [one[key] for one in statements if key in one]
    return sum(known) if known and len(known) == len(statements) else None


class Explanation:
    """What a statement does: its text is what ``strata explain`` prints. A notebook shows it with
    the orders of loops that were not chosen, the iteration graph, the merge lattices, how formats
    store, and the code.

    Attributes:
        loops: The loops, a line each, indented as they are nested.
        conversions: What is converted before and after them, and why.
        schedule: The commands that lead to the loops. Given back as ``schedule=``, they make the
            same kernel if nothing is converted.
        flops: Operations on elements that a run is expected to take; None without operands, or
            where only a run can tell.
        bytes: Bytes of operands and results, each once; None as of ``flops``.
        seconds: How long the loops are expected to take; None as of ``flops``, and where the machine
            has not been measured (``strata machine --measure``).
        data: All of it, with the keys that docs/CommandLine.md describes.
    """

    __slots__ = (
        "_operands",
        "_statement",
        "bytes",
        "conversions",
        "data",
        "flops",
        "loops",
        "schedule",
        "seconds",
    )
    __module__ = "strata"

    def __init__(
        self, statement: "_core.Statement", operands: Sequence["_core.Tensor"] = ()
    ) -> None:
        self._statement = statement
        self._operands = operands
        self.data: dict[str, Any] = json.loads(statement.explain(_JSON, *operands))
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
        self.flops = _sum_of(computed, "operations")
        self.bytes = _sum_of(computed, "bytes")
        self.seconds = _sum_of(computed, "seconds")

    def __str__(self) -> str:
        return self._statement.explain(_TEXT, *self._operands).rstrip("\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self._statement.explain(_HTML, *self._operands)
