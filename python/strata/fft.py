"""Discrete Fourier transforms of dense tensors, by the names of the array API standard. They are
NumPy's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Union

from . import dtypes
from .axes import axis_of, integers_of
from .conversion import asarray, check_device
from .errors import ArgumentError
from .listed import code_of, is_dense, refuse_dense
from .manipulation import roll

if TYPE_CHECKING:
    from .tensors import Tensor

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]


def _transform(name: str, x: Any, norm: str, **options: Any) -> "Tensor":
    """Calls a function of numpy.fft. The result has the precision of the operand.

    Raises:
        DensifyError: The operand is sparse.
    """
    import numpy

    given = asarray(x)
    if norm not in ("backward", "ortho", "forward"):
        raise ArgumentError(f'norm is "backward", "ortho" or "forward", not {norm!r}')
    if not is_dense(given):
        raise refuse_dense(f"fft.{name}", "each element takes part in all others")
    try:
        found = getattr(numpy.fft, name)(given.to_numpy(), norm=norm, **options)
    except ValueError as error:
        raise ArgumentError(f"there is no such transform: {error}") from None
    is_narrow = code_of(given) in (dtypes.FLOAT32, dtypes.COMPLEX64, dtypes.FLOAT16)
    narrow = numpy.complex64 if found.dtype.kind == "c" else numpy.float32
    return asarray(found.astype(narrow) if is_narrow else found)


def _along(name: str, doc: str) -> Callable[..., "Tensor"]:
    def compute(
        x: Any, /, *, n: Optional[int] = None, axis: int = -1, norm: str = "backward"
    ) -> "Tensor":
        return _transform(name, x, norm, n=n, axis=axis)

    compute.__name__ = compute.__qualname__ = name
    compute.__doc__ = f"""{doc}

    Args:
        x: A dense tensor, or what :func:`asarray` takes.
        n: The size, to which it is cut or filled with zeros; None: what it has.
        axis: The dimension.
        norm: Which of the two directions is divided by the size: "backward", "forward", or "ortho"
            for the square root in both.
    """
    return compute


def _along_several(name: str, doc: str) -> Callable[..., "Tensor"]:
    def compute(
        x: Any,
        /,
        *,
        s: Optional[Sequence[int]] = None,
        axes: Optional[Sequence[int]] = None,
        norm: str = "backward",
    ) -> "Tensor":
        if s is not None and axes is None:
            axes = range(-len(s), 0)
        return _transform(name, x, norm, s=s, axes=axes)

    compute.__name__ = compute.__qualname__ = name
    compute.__doc__ = f"""{doc}

    Args:
        x: A dense tensor, or what :func:`asarray` takes.
        s: The sizes, to which it is cut or filled with zeros; None: what it has.
        axes: The dimensions; None: the last ones, as many as there are sizes, or all.
        norm: As for :func:`fft`.
    """
    return compute


fft = _along("fft", "Returns the Fourier transform along a dimension.")
ifft = _along("ifft", "Returns the inverse Fourier transform along a dimension.")
rfft = _along("rfft", "Returns the half of the transform of real numbers that tells the other.")
irfft = _along("irfft", "Returns the real numbers whose transform has this half.")
hfft = _along("hfft", "Returns the transform, which is real, of a Hermitian signal by its half.")
ihfft = _along("ihfft", "Returns half of the Hermitian signal whose transform is real.")
fftn = _along_several("fftn", "Returns the Fourier transform along several dimensions.")
ifftn = _along_several("ifftn", "Returns the inverse Fourier transform along several dimensions.")
rfftn = _along_several("rfftn", "Returns the half of the transform of real numbers.")
irfftn = _along_several("irfftn", "Returns the real numbers whose transform has this half.")


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> "Tensor":
    """Returns the frequencies of a transform.

    Args:
        n: Its size.
        d: The distance of samples.
        dtype: The element type; None: float64.
        device: "cpu" or None.
    """
    return _frequencies("fftfreq", n, d, dtype, device)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> "Tensor":
    """Returns the frequencies of :func:`rfft`. Arguments are those of :func:`fftfreq`."""
    return _frequencies("rfftfreq", n, d, dtype, device)


def _frequencies(name: str, n: int, d: float, dtype: Any, device: Any) -> "Tensor":
    import numpy

    check_device(device)
    chosen = dtypes.numpy_dtype(dtypes.code_of(float if dtype is None else dtype))
    return asarray(getattr(numpy.fft, name)(n, d).astype(chosen))


def fftshift(x: Any, /, *, axes: Union[None, int, Sequence[int]] = None) -> "Tensor":
    """Returns a tensor with the frequency zero in the middle.

    Args:
        x: A tensor, or what :func:`asarray` takes.
        axes: The dimensions; None: all.
    """
    return _shifted(x, axes, lambda size: size // 2)


def ifftshift(x: Any, /, *, axes: Union[None, int, Sequence[int]] = None) -> "Tensor":
    """Returns a tensor with the frequency zero at the beginning: the inverse of :func:`fftshift`."""
    return _shifted(x, axes, lambda size: -(size // 2))


def _shifted(x: Any, axes: Union[None, int, Sequence[int]], shift: Any) -> "Tensor":
    given = asarray(x)
    listed = range(given.ndim) if axes is None else integers_of(axes)
    chosen = [axis_of(axis, given.ndim) for axis in listed]
    return roll(given, [shift(given.shape[at]) for at in chosen], axis=chosen)
