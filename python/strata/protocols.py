"""What NumPy and SciPy ask of a tensor: an array of it, and their own functions of its elements."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any, Callable, Optional, cast

from . import dtypes, elementwise, functions, masks, statements
from .axes import axes_of, axis_of
from .conversion import asarray
from .elements import combine, combine_to_several
from .errors import CopyError, DensifyError, DTypeError, ShapeError, UnsupportedError, WidthError
from .linalg import vecdot
from .listed import is_dense, refuse_dense
from .manipulation import expand_dims, reshape
from .operators import matmul

if TYPE_CHECKING:
    from .tensors import Tensor

# ---- The array API standard ----

#: The versions of the standard whose functions the namespace has.
_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")


def namespace(version: Optional[str]) -> Any:
    """Returns the namespace with the functions of a version of the standard.

    Raises:
        UnsupportedError: It is another version.
    """
    if version is not None and version not in _VERSIONS:
        raise UnsupportedError(
            f"there is no namespace for the array API standard {version!r}",
            f"the versions are {', '.join(_VERSIONS)}",
        )
    import strata

    return strata


# ---- Arrays ----

#: The operators of SciPy's sparse arrays that make an array of an operand that they do not know.
_OPERATORS = frozenset(
    f"__{name}__" for name in ("mul", "matmul", "truediv", "eq", "ne", "lt", "le", "gt", "ge")
)


def array_of(x: "Tensor", dtype: Any, copy: Optional[bool]) -> Any:
    """Returns the array that NumPy makes of a tensor.

    Raises:
        DensifyError: The tensor is sparse.
        CopyError: A copy is needed, and ``copy`` is False.
    """
    if is_operand_of_scipy():
        import numpy

        # SciPy leaves an operator to whatever NumPy takes for a single object.
        return numpy.array(_Operand(), object)
    if not x._core.format.is_full:
        raise DensifyError(
            "a sparse tensor does not become a dense array by itself",
            "call todense(), or to_scipy() for a sparse array",
        )
    array = x.to_numpy(copy=copy)
    if copy is False and dtype is not None and array.dtype != dtype:
        raise CopyError("another element type takes a copy")
    return array if dtype is None else array.astype(dtype, copy=False)


class _Operand:
    """What SciPy's operators see of a tensor. Arrays of SciPy before
    1.12 multiply their values by it."""

    __slots__ = ()
    __array_ufunc__ = None

    def __rmul__(self, values: Any) -> Any:
        raise UnsupportedError(
            "SciPy before 1.12 does not leave the product of its sparse arrays to others",
            "write the tensor first: A * S",
        )


def is_operand_of_scipy() -> bool:
    """Whether an operator of SciPy's sparse arrays has asked for the array of a tensor."""
    frame = sys._getframe()
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith("scipy.sparse"):
            if frame.f_code.co_name in _OPERATORS:
                return True
        elif not module.startswith(("numpy", "strata")):
            return False
        frame = frame.f_back  # type: ignore[assignment]
    return False


# ---- Universal functions ----

#: Functions of the package by the names of NumPy's that are called otherwise.
_RENAMED = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "conjugate": "conj",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "power": "pow",
    "right_shift": "bitwise_right_shift",
    "true_divide": "divide",
}


#: Products of matrices and vectors by NumPy's names.
_PRODUCTS: dict[str, Callable[..., "Tensor"]] = {
    "matmul": matmul,
    "matvec": lambda x1, x2: matmul(x1, expand_dims(x2, -1))[..., 0],
    "vecdot": vecdot,
    "vecmat": lambda x1, x2: matmul(expand_dims(functions.conj(x1), -2), x2)[..., 0, :],
}


def _function_of(ufunc: Any, dtype: Any) -> Optional[Callable[..., Any]]:
    """The function that computes a universal function in an element type, or in its own; None if nothing
    does."""
    chosen = ufunc if dtype is None else _in_type(ufunc, dtype)
    name = _RENAMED.get(ufunc.__name__, ufunc.__name__)
    own = _PRODUCTS.get(name) or getattr(functions if ufunc.nin == 1 else elementwise, name, None)
    if own is not None:
        return own if dtype is None else lambda *operands: _of_converted(own, chosen, operands)
    if ufunc.signature is not None:
        return None
    compute: Callable[..., Any] = combine if ufunc.nout == 1 else combine_to_several
    return lambda *operands: compute(chosen, *operands)


def _in_type(ufunc: Any, dtype: Any) -> Callable[..., Any]:
    """A universal function of arrays that computes in an element type."""
    wanted = dtypes.numpy_dtype(dtypes.code_of(dtype))

    def compute(*arrays: Any) -> Any:
        try:
            return ufunc(*arrays, dtype=wanted)
        except TypeError as error:
            raise DTypeError(str(error), "call astype()") from None
        except OverflowError as error:
            raise WidthError(str(error)) from None

    return compute


def _of_converted(
    own: Callable[..., "Tensor"], compute: Callable[..., Any], operands: tuple[Any, ...]
) -> "Tensor":
    """Computes a function of operands that are converted to the element type of the result, but for those
    that NumPy does not convert to it, as in comparisons.

    Args:
        own: The function of tensors.
        compute: The same of arrays, which knows that type, and whether there is such a function.
        operands: Tensors, numbers, or what :func:`asarray` takes.
    """
    import numpy

    given = [x if type(x) in statements.NUMBERS else asarray(x) for x in operands]
    samples = [
        x if type(x) in statements.NUMBERS else numpy.empty((0,) * max(x.ndim, 1), x.dtype)
        for x in given
    ]
    made = compute(*samples).dtype

    def converted(x: Any) -> Any:
        if type(x) in statements.NUMBERS or not numpy.can_cast(x.dtype, made, "same_kind"):
            return x
        return x.astype(made, copy=False)

    return own(*map(converted, given)).astype(made, copy=False)


def compute(
    function: Any, method: str, operands: tuple[Any, ...], out: Any, options: dict[str, Any]
) -> Any:
    """Computes a universal function of NumPy's, of which some operands are tensors.

    Args:
        function: The function.
        method: How it is called: "__call__", or as a reduction and the like.
        operands: What it is called with.
        out: Where the result belongs, or None.
        options: Other arguments, by name.

    Raises:
        UnsupportedError: Tensors have no such function.
    """
    if method in ("reduce", "accumulate"):
        along = _reduced if method == "reduce" else _accumulated
        return _handed_over(None if out is None else out[0], along(function, operands[0], options))
    if method == "outer":
        operands, method = _beside(*operands), "__call__"
    dtype = options.pop("dtype", None)
    if dtype is not None and function.nout > 1:
        raise _unsupported(function, method, {"dtype": dtype})
    found = _function_of(function, dtype)
    if found is None or method != "__call__" or options:
        raise _unsupported(function, method, options)
    result = found(*operands)
    if isinstance(result, tuple):
        targets = (None,) * len(result) if out is None else out
        for target, one in zip(targets, result):  # nothing is written if one cannot be
            if target is not None:
                masks.check(target, one)
        return tuple(map(_handed_over, targets, result))
    return _handed_over(None if out is None else out[0], result)


def _handed_over(target: Any, result: "Tensor") -> Any:
    """A result, or what `out=` names after it was copied there, as NumPy has it."""
    found = masks.into(target, result)
    return found if target is None else target


def _unsupported(function: Any, method: str, options: dict[str, Any]) -> UnsupportedError:
    name = f"numpy.{function.__name__}"
    name += f".{method}" if method != "__call__" else ""
    given = f" with {', '.join(f'{option}=' for option in options)}" if options else ""
    return UnsupportedError(
        f"{name}{given} does not take tensors",
        "evaluate() computes functions of elements; todense() gives NumPy's array",
    )


#: The reductions of tensors by the universal functions that combine two elements.
_REDUCTIONS = {
    "add": "sum",
    "logical_and": "all",
    "logical_or": "any",
    "maximum": "max",
    "minimum": "min",
    "multiply": "prod",
}


def _reduced(function: Any, operand: Any, options: dict[str, Any]) -> Any:
    """Computes a universal function's reduction, along the first dimension if none is given."""
    name = _REDUCTIONS.get(function.__name__)
    given = asarray(operand)
    axis, dtype = options.pop("axis", 0), options.pop("dtype", None)
    if not given.ndim and axis in (0, -1):  # (NumPy takes an element for a vector of one.)
        axis = None
    begins_with_first = options.get("initial", 0) is None
    chosen = {key: options.pop(key, None) for key in ("initial", "where")}
    chosen["keepdims"] = bool(options.pop("keepdims", False))
    is_truth = name in ("all", "any")
    if is_truth and dtype is not None and dtypes.code_of(dtype) != dtypes.BOOL:
        options["dtype"] = dtype
    if name is None or options:
        raise _unsupported(function, "reduce", options)
    if begins_with_first and not math.prod(given.shape[at] for at in axes_of(axis, given.ndim)):
        raise ShapeError(f"the {name} of no elements has no value that it begins with")
    if name in ("sum", "prod"):
        return getattr(given, name)(axis, dtype=dtype, **chosen)
    if not is_truth:
        given = given if dtype is None else given.astype(dtype, copy=False)
        return getattr(given, name)(axis, **chosen)
    initial = chosen.pop("initial")
    found = getattr(given, name)(axis, **chosen)
    combine_both = getattr(elementwise, function.__name__)
    return found if initial is None else combine_both(found, bool(initial))


def _accumulated(function: Any, operand: Any, options: dict[str, Any]) -> Any:
    """Computes what a universal function makes of the elements up to each one along a dimension, the
    first if none is given."""
    given = asarray(operand)
    axis, dtype = options.pop("axis", 0), options.pop("dtype", None)
    if options:
        raise _unsupported(function, "accumulate", options)
    at = axis_of(axis, given.ndim)
    if not is_dense(given):
        name = f"numpy.{function.__name__}.accumulate"
        written = f"{name}(x.asformat('Dense'))"
        raise refuse_dense(name, "what follows an entry is not the fill", written)
    return asarray(function.accumulate(given.to_numpy(), at, dtype))


def _beside(left: Any, right: Any) -> tuple[Any, Any]:
    """Two operands whose dimensions do not meet: those of the second follow those of the first."""
    one, two = asarray(left), asarray(right)
    return reshape(one, (*one.shape, *(1,) * two.ndim)), two
