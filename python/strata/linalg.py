"""Linear algebra by the names of the array API standard.

Sums of products run in Strata, for tensors in any format. Factorizations are those of NumPy, of
dense tensors.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Union

from . import dtypes, einsums, handles
from .axes import Axis, axes_of, axis_of, integers_of
from .conversion import asarray
from .errors import ArgumentError, DTypeError, ShapeError
from .functions import abs, conj, sqrt, square
from .joining import stack, unstack
from .listed import code_of, is_dense, refuse_dense
from .manipulation import broadcast_arrays
from .manipulation import matrix_transpose as matrix_transpose
from .manipulation import moveaxis
from .matrices import eye
from .operators import matmul as matmul
from .statistics import count_nonzero
from .taking import diagonal as diagonal
from .taking import trace as trace

tensordot = einsums.tensordot

if TYPE_CHECKING:
    from .tensors import Tensor

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


class EigenResult(NamedTuple):
    """What :func:`eig` and :func:`eigh` return."""

    eigenvalues: "Tensor"
    eigenvectors: "Tensor"


class QRResult(NamedTuple):
    """What :func:`qr` returns."""

    Q: "Tensor"
    R: "Tensor"


class SlogdetResult(NamedTuple):
    """What :func:`slogdet` returns."""

    sign: "Tensor"
    logabsdet: "Tensor"


class SVDResult(NamedTuple):
    """What :func:`svd` returns."""

    U: "Tensor"
    S: "Tensor"
    Vh: "Tensor"


# ---- Sums of products ----


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> "Tensor":
    """Returns the sums of products along a dimension, the first operand being conjugated.

    Args:
        x1, x2: Tensors, or what :func:`asarray` takes, which are broadcast along the others.
        axis: The dimension, counted from the last.

    Raises:
        ShapeError: The sizes along the dimension differ.
    """
    left, right = asarray(x1), asarray(x2)
    for one in (left, right):
        axis_of(axis, one.ndim)
    if axis >= 0 and left.ndim != right.ndim:
        raise ShapeError("a dimension of tensors with several is counted from the last: axis=-1")
    if left.shape[axis] != right.shape[axis]:
        raise ShapeError(f"sizes {left.shape[axis]} and {right.shape[axis]} do not fit each other")
    left, right = moveaxis(conj(left), axis, -1), moveaxis(right, axis, -1)
    return einsums.einsum("...i,...i->...", left, right)


def outer(x1: Any, x2: Any, /) -> "Tensor":
    """Returns the products of all pairs of elements of two vectors."""
    left, right = asarray(x1), asarray(x2)
    if left.ndim != 1 or right.ndim != 1:
        orders = f"{left.ndim} and {right.ndim}"
        raise ShapeError(f"vectors are needed, not tensors of {orders} dimensions")
    return einsums.einsum("i,j->ij", left, right)


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> "Tensor":
    """Returns the cross products of vectors of three elements, which lie along a dimension.

    Args:
        x1, x2: Tensors, or what :func:`asarray` takes, which are broadcast along the others.
        axis: The dimension.
    """
    given = asarray(x1), asarray(x2)
    if any(one.shape[axis_of(axis, one.ndim)] != 3 for one in given):
        raise ShapeError(f"vectors have three elements, not {[one.shape for one in given]}")
    left, right = broadcast_arrays(*given)
    a, b = unstack(left, axis=axis), unstack(right, axis=axis)
    parts = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    return stack(parts, axis=axis)


def matrix_power(x: Any, n: int, /) -> "Tensor":
    """Returns a power of a square matrix, or of a stack of them.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        n: The exponent. Negative ones are for dense tensors.

    Raises:
        ArgumentError: The exponent is no integer.
    """
    base = _square(asarray(x))
    (n,) = integers_of(n)
    if n < 0:
        base, n = inv(base), -n
    if n == 0:
        unit = eye(base.shape[-1], dtype=base.dtype)
        if base.ndim == 2 and not is_dense(base):
            return unit.asformat(base.format.without_places().without_widths())
        return broadcast_arrays(unit.asformat("Dense"), base)[0]
    result: Any = None
    while True:
        if n % 2:
            result = base if result is None else matmul(result, base)
        n //= 2
        if not n:
            return handles.wrap(result._core)
        base = matmul(base, base)


# ---- Norms ----


def vector_norm(
    x: Any, /, *, axis: Axis = None, keepdims: bool = False, ord: Union[int, float] = 2
) -> "Tensor":
    """Returns the norms of vectors.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        axis: The dimension along which they lie, or several; None: all elements are one vector.
        keepdims: Whether the dimensions remain, with the size 1.
        ord: The order; infinite: the greatest magnitude, or the least; 0: how many are not zero.
    """
    if isinstance(ord, str):
        raise ArgumentError(f"{ord!r} is no order of a vector norm")
    given = _floating(asarray(x))
    axes = axes_of(axis, given.ndim)
    sizes = abs(given)
    if ord == math.inf:
        return _greatest(sizes, axes, keepdims)
    if ord == -math.inf:
        return sizes.min(axes, keepdims=keepdims)
    if ord == 0:
        return count_nonzero(given, axis=axes, keepdims=keepdims).astype(sizes.dtype)
    if ord == 1:
        return sizes.sum(axes, keepdims=keepdims)
    if ord == 2:
        return sqrt(square(sizes).sum(axes, keepdims=keepdims))
    total = (sizes ** float(ord)).sum(axes, keepdims=keepdims)
    found: "Tensor" = total ** (1.0 / ord)
    return found


def matrix_norm(
    x: Any, /, *, keepdims: bool = False, ord: Optional[Union[int, float, str]] = "fro"
) -> "Tensor":
    """Returns the norms of matrices, which lie along the last two dimensions.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        keepdims: Whether these dimensions remain, with the size 1.
        ord: "fro": of all elements; 1, -1: the greatest and the least sum of a column; infinite
            ones: of a row; "nuc", 2, -2: the sum, the greatest and the least singular value, of
            dense tensors.
    """
    given = _floating(asarray(x))
    if given.ndim < 2:
        raise ShapeError(f"a tensor of {given.ndim} dimensions is no matrix")
    axes = (given.ndim - 2, given.ndim - 1)
    if ord in ("fro", None):
        return vector_norm(given, axis=axes, keepdims=keepdims)
    if ord in (1, -1, math.inf, -math.inf):
        summed = axes[0] if ord in (1, -1) else axes[1]
        sums = abs(given).sum(summed, keepdims=True)
        return _greatest(sums, axes, keepdims) if ord > 0 else sums.min(axes, keepdims=keepdims)
    if ord not in ("nuc", 2, -2):
        raise ArgumentError(f"{ord!r} is no order of a matrix norm")
    values = svdvals(given)
    found = values.sum(-1) if ord == "nuc" else values.max(-1) if ord == 2 else values.min(-1)
    return found[..., None, None] if keepdims else found


def _greatest(sizes: "Tensor", axes: tuple[int, ...], keepdims: bool) -> "Tensor":
    """The greatest magnitudes along dimensions, which are zero where there are no elements."""
    is_empty = not math.prod(sizes.shape[at] for at in axes)
    return sizes.sum(axes, keepdims=keepdims) if is_empty else sizes.max(axes, keepdims=keepdims)


# ---- Factorizations ----


def _floating(x: "Tensor") -> "Tensor":
    """The same elements, integers as float64."""
    is_whole = dtypes.kind_of(code_of(x)) < dtypes.kind_of(dtypes.FLOAT64)
    return x.astype("float64") if is_whole else x


def _square(x: "Tensor") -> "Tensor":
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ShapeError(f"a square matrix is needed, not one of the shape {x.shape}")
    return x


def _refuse_halves(x: "Tensor") -> None:
    if code_of(x) in dtypes.HALVES:
        raise DTypeError("matrices of 16-bit floats are not factorized", "use astype('float32')")


def _array(name: str, x: Any, is_square: bool = False) -> Any:
    """The array of a dense tensor of at least two dimensions.

    Raises:
        DensifyError: It is sparse.
    """
    given = asarray(x)
    if given.ndim < 2:
        raise ShapeError(f"a matrix is needed, not a tensor of {given.ndim} dimensions")
    if is_square:
        _square(given)
    _refuse_halves(given)
    if not is_dense(given):
        written = f"st.linalg.{name}(x.asformat('Dense'))"
        if name in ("solve", "inv"):
            written += ", or scipy.sparse.linalg.spsolve(x.to_scipy('csc'), b)"
        raise refuse_dense(f"linalg.{name}", "its factors are", written)
    return _floating(given).to_numpy()


def _factored(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Calls a function of NumPy that computes with matrices.

    Raises:
        ArgumentError: A matrix has no such factors, or no inverse.
        ShapeError: Stacks of matrices do not fit each other.
    """
    import numpy

    try:
        return function(*arguments, **options)
    except numpy.linalg.LinAlgError as error:
        raise ArgumentError(f"the matrix is not as it has to be: {error}") from None
    except ValueError as error:
        raise ShapeError(f"the operands do not fit each other: {error}") from None


def cholesky(x: Any, /, *, upper: bool = False) -> "Tensor":
    """Returns the triangular factors of matrices that are Hermitian and positive definite.

    Args:
        x: A dense tensor.
        upper: Whether they are the upper ones.
    """
    import numpy

    lower = _factored(numpy.linalg.cholesky, _array("cholesky", x, True))
    return asarray(numpy.swapaxes(lower, -1, -2).conj() if upper else lower)


def det(x: Any, /) -> "Tensor":
    """Returns the determinants of dense square matrices."""
    import numpy

    return asarray(numpy.linalg.det(_array("det", x, True)))


def slogdet(x: Any, /) -> SlogdetResult:
    """Returns the signs of determinants, and the logarithms of their magnitudes."""
    import numpy

    sign, logarithm = numpy.linalg.slogdet(_array("slogdet", x, True))
    return SlogdetResult(asarray(sign), asarray(logarithm))


def eig(x: Any, /) -> EigenResult:
    """Returns the eigenvalues and eigenvectors of dense square matrices, as complex numbers."""
    import numpy

    values, vectors = _factored(numpy.linalg.eig, _array("eig", x, True))
    return EigenResult(_complex(values), _complex(vectors))


def eigvals(x: Any, /) -> "Tensor":
    """Returns the eigenvalues of dense square matrices, as complex numbers."""
    import numpy

    return _complex(_factored(numpy.linalg.eigvals, _array("eigvals", x, True)))


def _complex(array: Any) -> "Tensor":
    import numpy

    return asarray(array.astype(numpy.result_type(array.dtype, numpy.complex64), copy=False))


def eigh(x: Any, /) -> EigenResult:
    """Returns the eigenvalues and eigenvectors of dense Hermitian matrices."""
    import numpy

    values, vectors = _factored(numpy.linalg.eigh, _array("eigh", x, True))
    return EigenResult(asarray(values), asarray(vectors))


def eigvalsh(x: Any, /) -> "Tensor":
    """Returns the eigenvalues of dense Hermitian matrices."""
    import numpy

    return asarray(_factored(numpy.linalg.eigvalsh, _array("eigvalsh", x, True)))


def inv(x: Any, /) -> "Tensor":
    """Returns the inverses of dense square matrices.

    Raises:
        ArgumentError: One has none.
    """
    import numpy

    return asarray(_factored(numpy.linalg.inv, _array("inv", x, True)))


def solve(x1: Any, x2: Any, /) -> "Tensor":
    """Returns the solutions of systems of linear equations.

    Args:
        x1: Dense square matrices.
        x2: A right side, a vector; or a matrix of them, or a stack of such.

    Raises:
        ArgumentError: A matrix is singular.
        ShapeError: The right sides have not as many elements as the matrices rows.
    """
    import numpy

    matrix = _array("solve", x1, True)
    right = asarray(x2)
    if not right.ndim or right.shape[-2 if right.ndim > 1 else 0] != matrix.shape[-1]:
        raise ShapeError(f"right sides of the shape {right.shape} for matrices of {matrix.shape}")
    _refuse_halves(right)
    if not is_dense(right):
        raise refuse_dense("linalg.solve", "its factors are")
    sides = _floating(right).to_numpy()
    if sides.ndim == 1:
        return asarray(_factored(numpy.linalg.solve, matrix, sides[:, None])[..., 0])
    return asarray(_factored(numpy.linalg.solve, matrix, sides))


def qr(x: Any, /, *, mode: str = "reduced") -> QRResult:
    """Returns the orthonormal and the triangular factors of matrices.

    Args:
        x: A dense tensor.
        mode: "reduced": the first factor has as many columns as the matrix has rows or columns,
            whichever are fewer; "complete": it is square.
    """
    import numpy

    if mode not in ("reduced", "complete"):
        raise ArgumentError(f'mode is "reduced" or "complete", not {mode!r}')
    q, r = _factored(numpy.linalg.qr, _array("qr", x), mode=mode)
    return QRResult(asarray(q), asarray(r))


def svd(x: Any, /, *, full_matrices: bool = True) -> SVDResult:
    """Returns the singular vectors and values of matrices: ``x = U @ diag(S) @ Vh``.

    Args:
        x: A dense tensor.
        full_matrices: Whether U and Vh are square.
    """
    import numpy

    parts = _factored(numpy.linalg.svd, _array("svd", x), full_matrices=full_matrices)
    return SVDResult(*map(asarray, parts))


def svdvals(x: Any, /) -> "Tensor":
    """Returns the singular values of matrices, the greatest first."""
    import numpy

    return asarray(_factored(numpy.linalg.svd, _array("svdvals", x), compute_uv=False))


def matrix_rank(x: Any, /, *, rtol: Any = None) -> "Tensor":
    """Returns how many singular values of matrices count.

    Args:
        x: A dense tensor.
        rtol: The share of the greatest one that those which count exceed; None: the precision of
            the element type, times the larger size.
    """
    import numpy

    values = svdvals(x).to_numpy()
    tolerances = _tolerances(asarray(x), rtol)
    greatest = values.max(-1, keepdims=True, initial=0)
    smallest = _factored(numpy.multiply, greatest, tolerances)
    return asarray((values > smallest).sum(-1, dtype=numpy.int64))


def pinv(x: Any, /, *, rtol: Any = None) -> "Tensor":
    """Returns the Moore-Penrose inverses of matrices. Arguments are those of :func:`matrix_rank`."""
    import numpy

    array = _array("pinv", x)
    tolerances = _tolerances(asarray(array), rtol)[..., 0]
    return asarray(_factored(numpy.linalg.pinv, array, tolerances))


def _tolerances(x: "Tensor", rtol: Any) -> Any:
    """The tolerances of a stack of matrices, with a dimension for the singular values."""
    import numpy

    if rtol is None:
        dtype = _floating(x).dtype
        return numpy.asarray(max(x.shape[-2:]) * numpy.finfo(dtype).eps)[..., None]
    return asarray(rtol).to_numpy()[..., None]
