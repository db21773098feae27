"""How handles become tensors, for the modules that the class of tensors itself is made of.

``handles.Tensor`` and ``handles.wrap`` are those of tensors.py, which is imported when one of them
is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .tensors import Tensor as Tensor
    from .tensors import wrap as wrap


def __getattr__(name: str) -> Any:
    if name not in ("Tensor", "wrap"):
        raise AttributeError(f"module 'strata.handles' has no attribute '{name}'")
    from . import tensors

    globals().update(Tensor=tensors.Tensor, wrap=tensors.wrap)
    return globals()[name]
