"""What NumPy and SciPy ask of a tensor: an array of it, and their own functions of its elements."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable, Optional, cast

from . import elementwise, functions, masks
from .elements import combine
from .errors import DensifyError, UnsupportedError
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
    "rint": "round",
    "true_divide": "divide",
}


def _function_of(ufunc: Any) -> Optional[Callable[..., "Tensor"]]:
    """The function that computes a universal function; None if nothing does."""
    name = _RENAMED.get(ufunc.__name__, ufunc.__name__)
    if name == "matmul":
        return matmul
    found = getattr(functions if ufunc.nin == 1 else elementwise, name, None)
    if found is not None:
        return cast("Callable[..., Tensor]", found)
    if ufunc.nout != 1 or ufunc.signature is not None:
        return None
    return lambda *operands: combine(ufunc, *operands)


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
    found = _function_of(function)
    dtype = options.pop("dtype", None)
    if found is None or method != "__call__" or options:
        name = f"numpy.{function.__name__}"
        name += f".{method}" if method != "__call__" else ""
        given = f" with {', '.join(f'{option}=' for option in options)}" if options else ""
        raise UnsupportedError(
            f"{name}{given} does not take tensors",
            "evaluate() computes functions of elements; todense() gives NumPy's array",
        )
    result = found(*operands)
    if dtype is not None:
        result = result.astype(dtype, copy=False)
    if out is None:
        return result
    (target,) = out
    masks.store(target, result)
    return target
