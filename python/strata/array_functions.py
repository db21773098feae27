"""NumPy's functions of tensors (``__array_function__``): each is one of the package, called with
NumPy's arguments."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Optional, Sequence

from . import (
    conversion,
    creation,
    data_types,
    dtypes,
    elementwise,
    fft,
    functions,
    linalg,
    manipulation,
    masks,
    nan_reductions,
    searching,
    sets,
    sorting,
    statements,
    statistics,
    taking,
    variances,
)
from .axes import axes_of, axis_of
from .einsums import einsum, tensordot, transpose
from .elements import combine, map_values
from .errors import DivisionError, ShapeError, UnsupportedError
from .joining import concat, kron, stack
from .listed import check_dense
from .matrices import diag, tril, triu
from .operators import matmul
from .padding import pad
from .selections import numpy_key

_Adapter = Callable[..., Any]


def _reduced(name: str, a: Any, axis: Any, out: Any, keepdims: Any, **options: Any) -> Any:
    """Computes a reduction, which is a method, too; options that are None it need not have."""
    given = {key: value for key, value in options.items() if value is not None}
    return getattr(conversion.asarray(a), name)(axis, out=out, keepdims=bool(keepdims), **given)


def _of_sum(name: str) -> _Adapter:
    """Makes the adapter of a reduction that has an element type of its own."""
    return lambda a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None: (
        _reduced(name, a, axis, out, keepdims, dtype=dtype, initial=initial, where=where)
    )


def _of_extreme(name: str) -> _Adapter:
    return lambda a, axis=None, out=None, keepdims=False, initial=None, where=None: (
        _reduced(name, a, axis, out, keepdims, initial=initial, where=where)
    )


def _of_truth(name: str) -> _Adapter:
    return lambda a, axis=None, out=None, keepdims=False, *, where=None: (
        _reduced(name, a, axis, out, keepdims, where=where)
    )


def _mean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    *,
    where: Any = None,
) -> Any:
    return _reduced("mean", a, axis, out, keepdims, dtype=dtype, where=where)


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
    axes = axes_of(axis, given.ndim)
    if ord is None or len(axes) == 1:
        order = 2 if ord is None else ord
        return linalg.vector_norm(given, axis=axis, ord=order, keepdims=keepdims)
    if len(axes) != 2:
        raise ShapeError(f"vectors and matrices have norms of an order, not {len(axes)} dimensions")
    if axis is None:
        return linalg.matrix_norm(given, ord=ord, keepdims=keepdims)
    found = linalg.matrix_norm(manipulation.moveaxis(given, axis, (-2, -1)), ord=ord)
    return manipulation.expand_dims(found, axes_of(axis, given.ndim)) if keepdims else found


def _cumulative(name: str) -> _Adapter:
    function = getattr(statistics, f"cumulative_{name}")

    def call(a: Any, axis: Optional[int] = None, dtype: Any = None) -> Any:
        given = manipulation.ravel(a) if axis is None else a
        return function(given, axis=0 if axis is None else axis, dtype=dtype)

    return call


def _deviation(function: _Adapter) -> _Adapter:
    """Makes the adapter of a function of variances or deviations."""

    def call(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: Any = None,
        correction: Optional[float] = None,
    ) -> Any:
        given = conversion.asarray(a)
        given = given if dtype is None else given.astype(dtype, copy=False)
        less = ddof if correction is None else correction
        found = function(given, axis=axis, correction=less, keepdims=bool(keepdims), where=where)
        return masks.into(out, found)

    return call


def _of_nan_sum(name: str) -> _Adapter:
    """Makes the adapter of a sum or a product that leaves out NaN."""
    function = getattr(nan_reductions, name)
    return lambda a, axis=None, dtype=None, *, keepdims=False, initial=None, where=None: function(
        a, axis=axis, dtype=dtype, keepdims=bool(keepdims), initial=initial, where=where
    )


def _of_nan_extreme(name: str) -> _Adapter:
    """Makes the adapter of such a reduction that has no element type of its own."""
    function = getattr(nan_reductions, name)
    return lambda a, axis=None, *, keepdims=False, initial=None, where=None: function(
        a, axis=axis, keepdims=bool(keepdims), initial=initial, where=where
    )


def _nan_mean(
    a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False, where: Any = None
) -> Any:
    return nan_reductions.nanmean(a, axis=axis, dtype=dtype, keepdims=bool(keepdims), where=where)


def _of_coordinate(function: _Adapter) -> _Adapter:
    """Makes the adapter of a function of the coordinates of extremes."""
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


def _with_dimensions(x: Any, order: int) -> Any:
    """A tensor with new dimensions of size 1, before those that it has; the third one is the last."""
    if x.ndim >= order:
        return x
    leading = (1,) * (min(order, 2) - x.ndim)
    return manipulation.reshape(x, (*leading, *x.shape, *(1,) * (order - 2)))


def _concatenate(
    arrays: Any, axis: Optional[int] = 0, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    given = [conversion.asarray(one) for one in arrays]
    if dtype is not None:
        code = dtypes.code_of(dtype)
        for one in given:
            dtypes.check_cast(one._core.format.type, code, casting)
        given = [one.astype(dtype, copy=False) for one in given]
    return concat(given, axis=axis)


def _stacked(order: int, axis: int) -> _Adapter:
    """Makes the adapter of a function that joins tensors of so many dimensions, or more, along one."""

    def call(tup: Sequence[Any], *, dtype: Any = None, casting: str = "same_kind") -> Any:
        parts = [_with_dimensions(conversion.asarray(one), order) for one in tup]
        along = 0 if parts and parts[0].ndim == 1 else axis
        return _concatenate(parts, along, dtype=dtype, casting=casting)

    return call


def _column_stack(tup: Sequence[Any]) -> Any:
    parts = [conversion.asarray(one) for one in tup]
    return concat(
        [one if one.ndim > 1 else manipulation.reshape(one, (-1, 1)) for one in parts], axis=1
    )


def _append(arr: Any, values: Any, axis: Optional[int] = None) -> Any:
    return concat([arr, values], axis=axis)


def _rot90(m: Any, k: int = 1, axes: Sequence[int] = (0, 1)) -> Any:
    first, second = axes
    if k % 4 == 2:
        return manipulation.flip(m, axis=(first, second))
    if k % 4 == 0:
        return conversion.asarray(m, copy=True)
    turned = manipulation.flip(m, axis=second) if k % 4 == 1 else m
    turned = manipulation.swapped(turned, first, second)
    return turned if k % 4 == 1 else manipulation.flip(turned, axis=second)


def _where(condition: Any, *choices: Any) -> Any:
    return searching.where(condition, *choices) if choices else searching.nonzero(condition)


def _without(arr: Any, obj: Any, axis: Optional[int] = None) -> Any:
    import numpy

    given = (manipulation.ravel(arr) if axis is None else conversion.asarray(arr)).gather()
    at = 0 if axis is None else axis
    check_dense([given], given.shape[at])  # the numbers of what is kept are listed
    kept = numpy.delete(numpy.arange(given.shape[at]), numpy_key(obj))
    return taking.take(given, kept, axis=at)


def _compress(condition: Any, a: Any, axis: Optional[int] = None) -> Any:
    import numpy

    given = manipulation.ravel(a) if axis is None else a
    return taking.take(given, numpy.flatnonzero(condition), axis=axis or 0)


def _average(a: Any, axis: Any = None, weights: Any = None, *, keepdims: bool = False) -> Any:
    given = conversion.asarray(a)
    if weights is None:
        return given.mean(axis, keepdims=keepdims)
    factors = conversion.asarray(weights)
    if factors.shape != given.shape:
        at = axis_of(axis, given.ndim)
        if factors.shape != (given.shape[at],):
            raise ShapeError(f"weights of the shape {factors.shape} for {given.shape}")
        factors = manipulation.reshape(factors, (-1, *(1,) * (given.ndim - at - 1)))
    # Sums of integers are those of doubles, as NumPy has it.
    more = ("float64",) if given.dtype.kind in "biu" else ()
    common = data_types.result_type(given.dtype, factors.dtype, *more)
    given, factors = given.astype(common, copy=False), factors.astype(common, copy=False)
    total = factors.sum(None if factors.shape != given.shape else axis, keepdims=keepdims)
    if not bool((total != 0).all()):
        raise DivisionError("weights have the sum zero, and leave no average")
    return (given * factors).sum(axis, keepdims=keepdims) / total


def _by_numpy(name: str) -> _Adapter:
    """Makes the adapter of a function of one operand's elements that NumPy computes of what is stored."""

    def call(x: Any, **options: Any) -> Any:
        import numpy

        compute = getattr(numpy, name)
        return map_values(lambda values: compute(values, **options), conversion.asarray(x))

    return call


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
    *,
    equal_nan: bool = True,
) -> Any:
    found = sets.unique_with(ar, equal_nan)
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


def _is_close(
    a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    import numpy

    if type(rtol) in statements.NUMBERS and type(atol) in statements.NUMBERS:
        return combine(lambda x, y: numpy.isclose(x, y, rtol, atol, equal_nan), a, b)
    # (They are broadcast with the elements.)
    tolerances = conversion.asarray(rtol), conversion.asarray(atol)
    return combine(lambda *given: numpy.isclose(*given, equal_nan), a, b, *tolerances)


def _are_equal(a1: Any, a2: Any) -> bool:
    left, right = conversion.asarray(a1), conversion.asarray(a2)
    return left.shape == right.shape and bool((left == right).all())


#: The adapters, with the names and the order of NumPy's arguments.
_ADAPTERS: dict[str, _Adapter] = {
    **{name: _of_sum(name) for name in ("sum", "prod")},
    **{name: _of_extreme(name) for name in ("min", "max")},
    **{name: _of_truth(name) for name in ("any", "all")},
    "mean": _mean,
    **{name: _by_numpy(name) for name in ("angle", "i0", "nan_to_num", "sinc")},
    "amin": _of_extreme("min"),
    "amax": _of_extreme("max"),
    **{name: _deviation(getattr(variances, name)) for name in ("std", "var")},
    **{name: _deviation(getattr(nan_reductions, name)) for name in ("nanstd", "nanvar")},
    "cumsum": _cumulative("sum"),
    "cumprod": _cumulative("prod"),
    "cumulative_sum": statistics.cumulative_sum,
    "cumulative_prod": statistics.cumulative_prod,
    **{name: _of_nan_sum(name) for name in ("nansum", "nanprod")},
    "nanmean": _nan_mean,
    **{name: _of_nan_extreme(name) for name in ("nanmin", "nanmax")},
    **{name: _of_coordinate(getattr(nan_reductions, name)) for name in ("nanargmin", "nanargmax")},
    "allclose": lambda *given, **options: bool(_is_close(*given, **options).all()),
    **{name: _of_coordinate(getattr(searching, name)) for name in ("argmin", "argmax")},
    "append": _append,
    "argsort": lambda a, axis=-1, kind=None, *, stable=True: conversion.asarray(a).argsort(axis),
    "argwhere": _argwhere,
    "around": _round,
    "average": _average,
    "array_equal": _are_equal,
    "broadcast_arrays": lambda *args: manipulation.broadcast_arrays(*args),
    "broadcast_to": lambda array, shape: manipulation.broadcast_to(array, shape),
    "can_cast": lambda from_, to: data_types.can_cast(from_, to),
    "clip": lambda a, a_min=None, a_max=None, *, min=None, max=None: elementwise.clip(
        a, a_min if min is None else min, a_max if max is None else max
    ),
    "column_stack": _column_stack,
    "compress": _compress,
    "concatenate": _concatenate,
    "copy": lambda a: conversion.asarray(a, copy=True),
    "count_nonzero": lambda a, axis=None, *, keepdims=False: statistics.count_nonzero(
        a, axis=axis, keepdims=keepdims
    ),
    "cross": lambda a, b, axis=-1: linalg.cross(a, b, axis=axis),
    "delete": _without,
    "diag": diag,
    "diagonal": _diagonal,
    "diff": lambda a, n=1, axis=-1, prepend=None, append=None: statistics.diff(
        a, n=n, axis=axis, prepend=prepend, append=append
    ),
    "dot": dot,
    "dstack": _stacked(3, 2),
    "einsum": einsum,
    "expand_dims": lambda a, axis: manipulation.expand_dims(a, axis),
    "flip": lambda m, axis=None: manipulation.flip(m, axis=axis),
    "fliplr": lambda m: manipulation.flip(m, axis=1),
    "flipud": lambda m: manipulation.flip(m, axis=0),
    "full_like": lambda a, fill_value, dtype=None, order="K", subok=True, shape=None: _like(
        a, fill_value, dtype, shape
    ),
    "empty_like": lambda prototype, dtype=None, order="K", subok=True, shape=None: _like(
        prototype, 0, dtype, shape
    ),
    "hstack": _stacked(1, 1),
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
    "rot90": _rot90,
    "round": _round,
    "round_": _round,
    "searchsorted": lambda a, v, side="left", sorter=None: searching.searchsorted(
        a, v, side=side, sorter=sorter
    ),
    "shape": lambda a: a.shape,
    "size": lambda a, axis=None: a.size if axis is None else a.shape[axis],
    "sort": lambda a, axis=-1, kind=None, *, stable=True: sorting.sort(
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
    "tile": lambda A, reps: manipulation.tile(A, reps),
    "trace": _trace,
    "transpose": lambda a, axes=None: transpose(a, axes),
    "tril": lambda m, k=0: tril(m, k),
    "triu": lambda m, k=0: triu(m, k),
    "unique": _unique,
    "vdot": _vdot,
    "vstack": _stacked(2, 0),
    "where": _where,
    "zeros_like": lambda a, dtype=None, order="K", subok=True, shape=None: _like(
        a, 0, dtype, shape
    ),
    "linalg.norm": _norm,
}

#: Functions that NumPy would compute by methods of tensors, whatever their arguments are.
_OF_METHODS = frozenset(
    "sum prod min max amin amax any all mean std var cumsum cumprod argmax argmin argsort clip "
    "round repeat take diagonal trace squeeze swapaxes".split()
)

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
        UnsupportedError: There is none of any tensors with these arguments.
    """
    adapter = _adapter_of(function)
    if adapter is not None:
        signature = inspect.signature(adapter)
        own = dict(options)
        out = None if "out" in signature.parameters else own.pop("out", None)
        try:
            signature.bind(*arguments, **own)
        except TypeError:
            unknown = [name for name in own if name not in signature.parameters]
            if unknown and function.__name__ in _OF_METHODS:
                given = ", ".join(f"{name}=" for name in unknown)
                raise UnsupportedError(
                    f"numpy.{function.__name__} with {given} does not take tensors"
                ) from None
        else:
            return masks.into(out, adapter(*arguments, **own))
    return function._implementation(*arguments, **options)
