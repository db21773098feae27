"""What has been found out about statements, kept for the next time."""

from __future__ import annotations

from typing import Any, TypeVar

_T = TypeVar("_T")

#: As many plans are kept in one table, at most; each holds the kernels of its statement.
MOST_PLANS = 4096

#: All tables that hold something.
_tables: dict[int, dict[Any, Any]] = {}


def remember(plans: dict[Any, _T], key: Any, plan: _T) -> None:
    """Keeps a plan, or what else is found again; if there are too many, all others are forgotten."""
    if len(plans) >= MOST_PLANS:
        plans.clear()
    _tables[id(plans)] = plans
    plans[key] = plan


def forget_all() -> None:
    """Makes all statements be compiled anew."""
    for table in _tables.values():
        table.clear()
