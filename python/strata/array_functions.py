"""NumPy's functions of tensors (``__array_function__``): each is one of the package, called with
NumPy's arguments."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Optional, Sequence

from . import (
    conversion,
    creation,
    data_types,
    elementwise,
    fft,
    functions,
    linalg,
    manipulation,
    nan_reductions,
    searching,
    sets,
    sorting,
    statistics,
    taking,
)
from .einsums import einsum, tensordot, transpose
from .elements import map_values
from .errors import UnsupportedError
from .joining import concat, kron, stack
from .matrices import diag, tril, triu
from .operators import matmul
from .padding import pad

_Adapter = Callable[..., Any]


def _of_method(name: str) -> _Adapter:
    """Makes the adapter of a reduction, which is a method, too."""

    def call(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        given = conversion.asarray(a)
        options = {} if dtype is None else {"dtype": dtype}
        return getattr(given, name)(axis, out=out, keepdims=bool(keepdims), **options)

    return call


def _of_comparison(name: str) -> _Adapter:
    """Makes the adapter of a reduction that has no element type of its own."""
    reduce = _of_method(name)

    def call(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        return reduce(a, axis, None, out, keepdims)

    return call


def dot(a: Any, b: Any) -> Any:
    """Returns the product of two tensors as ``numpy.dot`` has it."""
    left, right = conversion.asarray(a), conversion.asarray(b)
    if not left.ndim or not right.ndim:
        return left * right
    if right.ndim == 1 or left.ndim <= 2 and right.ndim == 2:
        return matmul(left, right)
    return tensordot(left, right, ([-1], [-2]))


def _vdot(a: Any, b: Any) -> Any:
    return linalg.vecdot(manipulation.ravel(a), manipulation.ravel(b))


def _inner(a: Any, b: Any) -> Any:
    left, right = conversion.asarray(a), conversion.asarray(b)
    return tensordot(left, right, ([-1], [-1])) if left.ndim and right.ndim else left * right


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    given = conversion.asarray(x)
    if ord is None or isinstance(axis, int) or axis is None and given.ndim == 1:
        order = 2 if ord is None else ord
        return linalg.vector_norm(given, axis=axis, ord=order, keepdims=keepdims)
    if axis is not None:
        if keepdims:
            raise UnsupportedError("norms of matrices along other dimensions than the last two")
        given = manipulation.moveaxis(given, axis, (-2, -1))
    return linalg.matrix_norm(given, ord=ord, keepdims=keepdims)


def _cumulative(name: str) -> _Adapter:
    function = getattr(statistics, f"cumulative_{name}")

    def call(a: Any, axis: Optional[int] = None, dtype: Any = None) -> Any:
        given = manipulation.ravel(a) if axis is None else a
        return function(given, axis=0 if axis is None else axis, dtype=dtype)

    return call


def _deviation(name: str) -> _Adapter:
    function = getattr(statistics, name)

    def call(
        a: Any,
        axis: Any = None,
        *,
        ddof: float = 0,
        correction: Optional[float] = None,
        keepdims: bool = False,
    ) -> Any:
        less = ddof if correction is None else correction
        return function(a, axis=axis, correction=less, keepdims=keepdims)

    return call


def _of_nan(name: str) -> _Adapter:
    """Makes the adapter of a reduction that leaves out NaN."""
    function = getattr(nan_reductions, name)

    def call(a: Any, axis: Any = None, dtype: Any = None, *, keepdims: bool = False) -> Any:
        options = {} if dtype is None else {"dtype": dtype}
        return function(a, axis=axis, keepdims=bool(keepdims), **options)

    return call


def _of_nan_comparison(name: str) -> _Adapter:
    """Makes the adapter of such a reduction that has no element type of its own."""
    function = getattr(nan_reductions, name)
    return lambda a, axis=None, *, keepdims=False: function(a, axis=axis, keepdims=bool(keepdims))


def _like(a: Any, value: Any, dtype: Any, shape: Any) -> Any:
    """A tensor of one value like another tensor, or of another shape, and dense then."""
    if shape is None and type(value) is int and not value:
        return creation.zeros_like(a, dtype=dtype)
    if shape is None:
        return creation.full_like(a, value, dtype=dtype)
    return creation.full(shape, value, dtype=a.dtype if dtype is None else dtype)


def _argwhere(a: Any) -> Any:
    if not a.ndim:
        return creation.zeros((int(bool(a)), 0), dtype="int64")
    return stack(searching.nonzero(a), axis=1)


def _interp(x: Any, xp: Any, fp: Any) -> Any:
    import numpy

    points, values = (conversion.asarray(one).to_numpy(allow_dense=True) for one in (xp, fp))
    return map_values(lambda given: numpy.interp(given, points, values), conversion.asarray(x))


def _pad(array: Any, pad_width: Any, mode: str = "constant", *, constant_values: Any = 0) -> Any:
    return pad(array, pad_width, mode, constant_values=constant_values)


def _unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> Any:
    found = sets.unique_all(ar)
    chosen = (True, return_index, return_inverse, return_counts)
    parts = tuple(part for part, is_asked in zip(found, chosen) if is_asked)
    return parts if len(parts) > 1 else parts[0]


def _squeeze(a: Any, axis: Any = None) -> Any:
    shape = conversion.asarray(a).shape
    single = tuple(at for at, size in enumerate(shape) if size == 1)
    return manipulation.squeeze(a, single if axis is None else axis)


def _swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    return manipulation.swapped(a, axis1, axis2)


def _diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return taking.diagonal(manipulation.moveaxis(a, (axis1, axis2), (-2, -1)), offset=offset)


def _trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    return _diagonal(a, offset, axis1, axis2).sum(-1, dtype=dtype)


def _round(a: Any, decimals: int = 0) -> Any:
    return conversion.asarray(a).round(decimals)


def _is_close(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8) -> Any:
    left, right = conversion.asarray(a), conversion.asarray(b)
    far = abs(left - right) > atol + rtol * abs(right)
    return functions.logical_not(far & (left != right))


def _are_equal(a1: Any, a2: Any) -> bool:
    left, right = conversion.asarray(a1), conversion.asarray(a2)
    return left.shape == right.shape and bool((left == right).all())


#: The adapters, with the names and the order of NumPy's arguments.
_ADAPTERS: dict[str, _Adapter] = {
    **{name: _of_method(name) for name in ("sum", "prod", "mean")},
    **{name: _of_comparison(name) for name in ("min", "max", "any", "all")},
    "amin": _of_comparison("min"),
    "amax": _of_comparison("max"),
    **{name: _deviation(name) for name in ("std", "var")},
    "cumsum": _cumulative("sum"),
    "cumprod": _cumulative("prod"),
    **{name: _of_nan(name) for name in ("nansum", "nanprod", "nanmean")},
    **{name: _of_nan_comparison(name) for name in ("nanmin", "nanmax")},
    "allclose": lambda a, b, rtol=1e-5, atol=1e-8: bool(_is_close(a, b, rtol, atol).all()),
    "argmax": lambda a, axis=None, *, keepdims=False: searching.argmax(
        a, axis=axis, keepdims=keepdims
    ),
    "argmin": lambda a, axis=None, *, keepdims=False: searching.argmin(
        a, axis=axis, keepdims=keepdims
    ),
    "argsort": lambda a, axis=-1, *, stable=True: sorting.argsort(a, axis=axis),
    "argwhere": _argwhere,
    "around": _round,
    "array_equal": _are_equal,
    "broadcast_arrays": lambda *args: manipulation.broadcast_arrays(*args),
    "broadcast_to": lambda array, shape: manipulation.broadcast_to(array, shape),
    "can_cast": lambda from_, to: data_types.can_cast(from_, to),
    "clip": lambda a, a_min=None, a_max=None, *, min=None, max=None: elementwise.clip(
        a, a_min if min is None else min, a_max if max is None else max
    ),
    "concatenate": lambda arrays, axis=0: concat(arrays, axis=axis),
    "copy": lambda a: conversion.asarray(a, copy=True),
    "count_nonzero": lambda a, axis=None, *, keepdims=False: statistics.count_nonzero(
        a, axis=axis, keepdims=keepdims
    ),
    "diag": diag,
    "diagonal": _diagonal,
    "diff": lambda a, n=1, axis=-1, prepend=None, append=None: statistics.diff(
        a, n=n, axis=axis, prepend=prepend, append=append
    ),
    "dot": dot,
    "einsum": einsum,
    "expand_dims": lambda a, axis: manipulation.expand_dims(a, axis),
    "flip": lambda m, axis=None: manipulation.flip(m, axis=axis),
    "full_like": lambda a, fill_value, dtype=None, order="K", subok=True, shape=None: _like(
        a, fill_value, dtype, shape
    ),
    "empty_like": lambda prototype, dtype=None, order="K", subok=True, shape=None: _like(
        prototype, 0, dtype, shape
    ),
    "imag": lambda val: functions.imag(val),
    "inner": _inner,
    "interp": _interp,
    "isclose": _is_close,
    "iscomplexobj": lambda x: x.dtype.kind == "c",
    "isin": lambda element, test_elements, *, invert=False: sets.isin(
        element, test_elements, invert=invert
    ),
    "isrealobj": lambda x: x.dtype.kind != "c",
    "kron": lambda a, b: kron(a, b),
    "meshgrid": lambda *xi, indexing="xy": manipulation.meshgrid(*xi, indexing=indexing),
    "moveaxis": lambda a, source, destination: manipulation.moveaxis(a, source, destination),
    "ndim": lambda a: a.ndim,
    "nonzero": lambda a: searching.nonzero(a),
    "ones_like": lambda a, dtype=None, order="K", subok=True, shape=None: _like(
        a, 1, dtype, shape
    ),
    "outer": lambda a, b: linalg.outer(manipulation.ravel(a), manipulation.ravel(b)),
    "pad": _pad,
    "ravel": lambda a, order="C": conversion.asarray(a).ravel(order),
    "real": lambda val: functions.real(val),
    "repeat": lambda a, repeats, axis=None: manipulation.repeat(a, repeats, axis=axis),
    "reshape": lambda a, shape, order="C", *, copy=None: conversion.asarray(a).reshape(
        shape, order=order, copy=copy
    ),
    "result_type": lambda *given: data_types.result_type(*given),
    "roll": lambda a, shift, axis=None: manipulation.roll(a, shift, axis=axis),
    "round": _round,
    "round_": _round,
    "searchsorted": lambda a, v, side="left", sorter=None: searching.searchsorted(
        a, v, side=side, sorter=sorter
    ),
    "shape": lambda a: a.shape,
    "size": lambda a, axis=None: a.size if axis is None else a.shape[axis],
    "sort": lambda a, axis=-1, *, stable=True: sorting.sort(
        manipulation.ravel(a) if axis is None else a, axis=-1 if axis is None else axis
    ),
    "squeeze": _squeeze,
    "stack": lambda arrays, axis=0: stack(arrays, axis=axis),
    "swapaxes": _swapaxes,
    "take": lambda a, indices, axis=None: taking.take(a, indices, axis=axis),
    "take_along_axis": lambda arr, indices, axis=-1: taking.take_along_axis(
        arr, indices, axis=axis
    ),
    "tensordot": lambda a, b, axes=2: tensordot(a, b, axes),
    "tile": lambda A, reps: manipulation.tile(A, [reps] if isinstance(reps, int) else reps),
    "trace": _trace,
    "transpose": lambda a, axes=None: transpose(a, axes),
    "tril": lambda m, k=0: tril(m, k),
    "triu": lambda m, k=0: triu(m, k),
    "unique": _unique,
    "vdot": _vdot,
    "where": lambda condition, x, y: searching.where(condition, x, y),
    "zeros_like": lambda a, dtype=None, order="K", subok=True, shape=None: _like(
        a, 0, dtype, shape
    ),
    "linalg.norm": _norm,
}

#: Functions of numpy.linalg and numpy.fft with the arguments of the package's own.
_SAME = {"linalg": linalg, "fft": fft}


def _adapter_of(function: Any) -> Optional[_Adapter]:
    """What computes a function of NumPy; None if nothing does."""
    module = str(function.__module__).rpartition(".")[2]
    name: str = function.__name__
    if module in _SAME:
        found = _ADAPTERS.get(f"{module}.{name}")
        return found or getattr(_SAME[module], name, None)
    return _ADAPTERS.get(name)


def call(function: Any, arguments: Sequence[Any], options: dict[str, Any]) -> Any:
    """Computes a function of NumPy, some of whose arguments are tensors. What the package does not
    have, NumPy computes of the arrays of dense tensors.

    Raises:
        DensifyError: There is no such function of sparse tensors, or not with these arguments.
    """
    adapter = _adapter_of(function)
    if adapter is not None:
        try:
            inspect.signature(adapter).bind(*arguments, **options)
        except TypeError:
            pass
        else:
            return adapter(*arguments, **options)
    return function._implementation(*arguments, **options)
