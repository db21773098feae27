"""Index variables and accesses as statements write them."""

from __future__ import annotations

from typing import Sequence

_NAMES = "ijklmnpqrtuvw"


def index_names(order: int) -> list[str]:
    """Names of index variables for so many dimensions."""
    if order <= len(_NAMES):
        return list(_NAMES[:order])
    return [f"i{dimension}" for dimension in range(order)]


def access(name: str, indices: Sequence[str]) -> str:
    """An access as statements write it; of a scalar just its name."""
    return f"{name}({','.join(indices)})" if indices else name
