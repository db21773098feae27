"""Products that scipy.sparse.linalg asks a tensor for."""

from __future__ import annotations

from typing import Any

from . import dtypes, export


class LinearOperator:
    """Products with a matrix and its adjoint, which take tensors for operators of SciPy's solvers."""

    __slots__ = ()
    __module__ = "strata"

    def matvec(self: Any, x: Any) -> Any:
        """Returns the product with a vector, or a matrix of one column, as a NumPy array."""
        return export.to_own_numpy((self @ x)._core)

    def rmatvec(self: Any, x: Any) -> Any:
        """Returns the product of the adjoint with a vector as a NumPy array."""
        return self._adjoint_times(x)

    def matmat(self: Any, x: Any) -> Any:
        """Returns the product with a matrix as a NumPy array."""
        return export.to_own_numpy((self @ x)._core)

    def rmatmat(self: Any, x: Any) -> Any:
        """Returns the product of the adjoint with a matrix as a NumPy array."""
        return self._adjoint_times(x)

    def _adjoint_times(self: Any, x: Any) -> Any:
        import numpy

        if dtypes.kind_of(self._core.format.type) == dtypes.kind_of(dtypes.COMPLEX128):
            return export.to_own_numpy((self.T @ numpy.conj(x))._core).conj()
        return export.to_own_numpy((self.T @ x)._core)
