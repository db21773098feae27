"""Statements that are computed when somebody reads their result."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Optional, Sequence

from .errors import ShapeError

if TYPE_CHECKING:
    from . import _core
    from .statements import Plan
    from .tensors import Tensor

_publishing = threading.Lock()


class Deferred:
    """A statement with its operands, for a tensor whose shape and format are known.

    Operands are held as they were when the statement was made: tensors that are assigned to later
    have other elements, but the ones that are held do not change.
    """

    __slots__ = ("complement_of", "cores", "format", "key", "plan", "shape", "text")

    def __init__(
        self,
        text: str,
        plan: "Plan",
        cores: Sequence["_core.Tensor"],
        shape: tuple[int, ...],
        format: "_core.Format",
        key: int,
        complement_of: Optional["_core.Tensor"] = None,
    ) -> None:
        self.text = text
        self.plan = plan
        self.cores = cores
        self.shape = shape
        self.format = format
        self.key = key
        self.complement_of = complement_of

    def put_off(self, tensor: "Tensor") -> None:
        """Makes the statement's result that of a tensor, which computes it when it is read."""
        with _publishing:
            tensor._deferred = self
            try:
                del tensor._core
            except AttributeError:
                pass  # Nobody has read what it was assigned before.

    def compute(self, tensor: "Tensor") -> Any:
        """Computes it and gives the tensor its result. After an error, reading tries again."""
        core = self.plan(*self.cores)
        if core.shape != self.shape:
            raise ShapeError(
                f"the value has the shape {core.shape}, the tensor {self.shape}", text=self.text
            )
        with _publishing:
            if tensor._deferred is self:
                tensor._core = core
                tensor._deferred = None
        return core
