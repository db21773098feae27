"""Methods of tensors that NumPy's arrays have, too: functions of the array API standard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

from . import elementwise, functions, manipulation, searching, statistics, taking
from .axes import Axis

if TYPE_CHECKING:
    from .tensors import Tensor


class Methods:
    """Methods that change the shape, choose among elements, or reduce them."""

    __slots__ = ()
    __module__ = "strata"

    def reshape(self, *shape: Union[int, Sequence[int]], copy: Optional[bool] = None) -> "Tensor":
        """Returns the same elements, row by row, in another shape: see :func:`reshape`.

        Args:
            shape: The sizes, one by one or as a tuple.
            copy: True: always copy; False: never; None: only if needed.
        """
        sizes: Any = shape[0] if len(shape) == 1 else shape
        return manipulation.reshape(self, sizes, copy=copy)

    def ravel(self) -> "Tensor":
        """Returns all elements, row by row, as a vector."""
        return manipulation.ravel(self)

    def squeeze(self: Any, axis: Axis = None) -> "Tensor":
        """Returns the tensor without dimensions of size 1: those given, or all."""
        single = tuple(at for at, size in enumerate(self.shape) if size == 1)
        return manipulation.squeeze(self, single if axis is None else axis)

    def repeat(self, repeats: Any, axis: Optional[int] = None) -> "Tensor":
        """Returns a tensor in which each element is repeated: see :func:`repeat`."""
        return manipulation.repeat(self, repeats, axis=axis)

    def take(self, indices: Any, axis: Optional[int] = None) -> "Tensor":
        """Returns the parts at some coordinates of a dimension: see :func:`take`."""
        return taking.take(self, indices, axis=axis)

    def diagonal(self, offset: int = 0) -> "Tensor":
        """Returns the diagonal of the last two dimensions: see :func:`diagonal`."""
        return taking.diagonal(self, offset=offset)

    def trace(self, offset: int = 0, *, dtype: Any = None) -> "Tensor":
        """Returns the sum of the diagonal of the last two dimensions: see :func:`trace`."""
        return taking.trace(self, offset=offset, dtype=dtype)

    def nonzero(self) -> tuple["Tensor", ...]:
        """Returns the coordinates of the elements that are not zero: see :func:`nonzero`."""
        return searching.nonzero(self)

    def argmax(self, axis: Optional[int] = None, *, keepdims: bool = False) -> "Tensor":
        """Returns the coordinates of the greatest elements along a dimension: see :func:`argmax`."""
        return searching.argmax(self, axis=axis, keepdims=keepdims)

    def argmin(self, axis: Optional[int] = None, *, keepdims: bool = False) -> "Tensor":
        """Returns the coordinates of the least elements along a dimension: see :func:`argmin`."""
        return searching.argmin(self, axis=axis, keepdims=keepdims)

    def var(
        self, axis: Axis = None, *, correction: Union[int, float] = 0, keepdims: bool = False
    ) -> "Tensor":
        """Returns the variances along dimensions: see :func:`var`."""
        return statistics.var(self, axis=axis, correction=correction, keepdims=keepdims)

    def std(
        self, axis: Axis = None, *, correction: Union[int, float] = 0, keepdims: bool = False
    ) -> "Tensor":
        """Returns the standard deviations along dimensions: see :func:`std`."""
        return statistics.std(self, axis=axis, correction=correction, keepdims=keepdims)

    def clip(self, min: Any = None, max: Any = None) -> "Tensor":
        """Returns each element, or the bound that it lies beyond: see :func:`clip`."""
        return elementwise.clip(self, min, max)

    def round(self, decimals: int = 0) -> "Tensor":
        """Returns the nearest number with so many decimals to each element; of two, the even one."""
        if not decimals:
            return functions.round(self)
        factor = 10.0**decimals
        found: "Tensor" = functions.round(elementwise.multiply(self, factor)) / factor
        return found
