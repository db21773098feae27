"""Methods of tensors that NumPy's arrays have, too: functions of the array API standard, lists and texts."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

from . import (
    elementwise,
    functions,
    manipulation,
    masks,
    searching,
    sorting,
    statistics,
    taking,
    variances,
)
from .axes import Axis, integers_of
from .errors import UnsupportedError

if TYPE_CHECKING:
    from .tensors import Tensor


class Methods:
    """Methods that change the shape, choose among elements, or reduce them."""

    __slots__ = ()
    __module__ = "strata"

    def reshape(
        self: Any,
        *shape: Union[int, Sequence[int]],
        order: Optional[str] = "C",
        copy: Optional[bool] = None,
    ) -> "Tensor":
        """Returns the same elements, row by row, in another shape: see :func:`reshape`.

        Args:
            shape: The sizes, one by one or as a tuple.
            order: "C": row by row; "F": column by column, the first coordinate varying fastest.
            copy: True: always copy; False: never; None: only if needed.
        """
        sizes: Any = shape[0] if len(shape) == 1 else shape
        if not _is_by_column(order):
            return manipulation.reshape(self, sizes, copy=copy)
        turned = integers_of(sizes)[::-1]
        found = manipulation.reshape(self.transpose(), turned, copy=copy)
        return found.transpose()

    def ravel(self: Any, order: Optional[str] = "C") -> "Tensor":
        """Returns all elements as a vector: row by row, or with order="F" column by column."""
        return manipulation.ravel(self.transpose() if _is_by_column(order) else self)

    def flatten(self: Any, order: Optional[str] = "C") -> "Tensor":
        """Returns a copy of all elements as a vector, as :meth:`ravel` does."""
        found: "Tensor" = self.ravel(order)
        return found.copy()

    def swapaxes(self, axis1: int, axis2: int) -> "Tensor":
        """Returns the tensor with two dimensions exchanged."""
        return manipulation.swapped(self, axis1, axis2)

    def dot(self, other: Any) -> "Tensor":
        """Returns the product with a tensor, an array or a number, as ``numpy.dot`` does: of
        matrices their product, with a number that of elements, else sums over the last dimension
        of this one and the last but one of the other."""
        from .array_functions import dot

        found: "Tensor" = dot(self, other)
        return found

    def tolist(self: Any) -> Any:
        """Returns all elements, stored or not, as nested lists of Python's numbers."""
        return self.todense().tolist()

    def __contains__(self: Any, value: Any) -> bool:
        """Whether any element is equal to a value, or to one of several."""
        found = self == value  # False of what is no number
        return bool(found if isinstance(found, bool) else found.any())

    def __format__(self: Any, specification: str) -> str:
        """Returns the text of the tensor; of one without dimensions, with a specification, that of its
        element: ``f"{A.sum():.3f}"``."""
        if specification and not self.shape:
            return format(self.item(), specification)
        return object.__format__(self, specification)

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

    def argsort(self, axis: Optional[int] = -1) -> "Tensor":
        """Returns the order of the elements along a dimension, or of all: see :func:`argsort`."""
        given = manipulation.ravel(self) if axis is None else self
        return sorting.argsort(given, axis=-1 if axis is None else axis)

    def cumsum(self, axis: Optional[int] = None, *, dtype: Any = None) -> "Tensor":
        """Returns sums up to each element along a dimension, or row by row: see
        :func:`cumulative_sum`."""
        given = manipulation.ravel(self) if axis is None else self
        return statistics.cumulative_sum(given, axis=axis or 0, dtype=dtype)

    def cumprod(self, axis: Optional[int] = None, *, dtype: Any = None) -> "Tensor":
        """Returns products up to each element along a dimension, or row by row: see
        :func:`cumulative_prod`."""
        given = manipulation.ravel(self) if axis is None else self
        return statistics.cumulative_prod(given, axis=axis or 0, dtype=dtype)

    def var(
        self,
        axis: Axis = None,
        *,
        out: Any = None,
        ddof: Union[int, float] = 0,
        correction: Union[None, int, float] = None,
        keepdims: bool = False,
        where: Any = None,
    ) -> "Tensor":
        """Returns the variances along dimensions: see :func:`var`. (NumPy's ``ddof`` is another name
        of ``correction``.) ``out`` receives the result, as in :meth:`sum`."""
        less = ddof if correction is None else correction
        found = variances.var(self, axis=axis, correction=less, keepdims=keepdims, where=where)
        return masks.into(out, found)

    def std(
        self,
        axis: Axis = None,
        *,
        out: Any = None,
        ddof: Union[int, float] = 0,
        correction: Union[None, int, float] = None,
        keepdims: bool = False,
        where: Any = None,
    ) -> "Tensor":
        """Returns the standard deviations along dimensions: see :func:`std`. Arguments are those of
        :meth:`var`."""
        less = ddof if correction is None else correction
        found = variances.std(self, axis=axis, correction=less, keepdims=keepdims, where=where)
        return masks.into(out, found)

    def clip(self, min: Any = None, max: Any = None, *, out: Any = None) -> "Tensor":
        """Returns each element, or the bound that it lies beyond: see :func:`clip`. ``out``
        receives the result, as in :meth:`sum`."""
        return masks.into(out, elementwise.clip(self, min, max))

    def round(self: Any, decimals: int = 0, *, out: Any = None) -> "Tensor":
        """Returns the nearest number with so many decimals to each element; of two, the even one.
        ``out`` receives the result, as in :meth:`sum`."""
        decimals = operator.index(decimals)
        is_whole = self.dtype.kind in "iu"
        if not decimals or is_whole and decimals > 0:
            return masks.into(out, functions.round(self))
        factor = 10.0 ** abs(decimals)
        if decimals > 0:
            rounded = functions.round(self * factor) / factor
        else:
            rounded = functions.round(self / factor) * factor
        return masks.into(out, rounded.astype(self.dtype) if is_whole else rounded)


def _is_by_column(order: Optional[str]) -> bool:
    """Whether elements are taken column by column."""
    if order not in ("C", "F", None):
        raise UnsupportedError(f"order={order!r}", 'the orders are "C" and "F"')
    return order == "F"
