"""Functions of element types, by the names of the array API standard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from . import dtypes, handles, statements
from .conversion import asarray, check_device
from .errors import ArgumentError, DTypeError

if TYPE_CHECKING:
    from .tensors import Tensor

#: The element types of each kind that the standard knows; a kind may consist of others.
KINDS: dict[str, tuple[str, ...]] = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float16", "bfloat16", "float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
KINDS["integral"] = KINDS["signed integer"] + KINDS["unsigned integer"]
KINDS["numeric"] = KINDS["integral"] + KINDS["real floating"] + KINDS["complex floating"]


class FloatingInfo(NamedTuple):
    """The limits of an element type of real numbers, or of the parts of complex ones."""

    #: The number of bits of a real number.
    bits: int
    #: The distance from 1 to the next number.
    eps: float
    max: float
    min: float
    #: The least positive number of full precision.
    smallest_normal: float
    dtype: Any


class IntegerInfo(NamedTuple):
    """The limits of an element type of integers."""

    bits: int
    max: int
    min: int
    dtype: Any


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> "Tensor":
    """Returns a tensor with another element type: see :meth:`Tensor.astype`.

    Args:
        x: A tensor, or what :func:`asarray` makes one of.
        dtype: The element type.
        copy: Whether a tensor that has the type already is copied.
        device: "cpu" or None.
    """
    check_device(device)
    return asarray(x).astype(dtype, copy)


def can_cast(from_: Any, to: Any, /) -> bool:
    """Returns whether each value of an element type is one of another, too.

    Args:
        from_: An element type, or a tensor.
        to: An element type.
    """
    own, other = _code(from_), dtypes.code_of(to)
    return dtypes.promote(own, other) == other


def finfo(type: Any, /) -> FloatingInfo:
    """Returns the limits of an element type of real or complex numbers.

    Args:
        type: The element type, or a tensor.

    Raises:
        DTypeError: It is one of integers, or bool.
    """
    code = _code(type)
    if dtypes.kind_of(code) < dtypes.kind_of(dtypes.FLOAT64):
        raise DTypeError(f"{dtypes.NAMES[code]} is no type of real or complex numbers", "st.iinfo")
    if code == dtypes.BFLOAT16:
        import ml_dtypes

        found: Any = ml_dtypes.finfo(ml_dtypes.bfloat16)
    else:
        import numpy

        found = numpy.finfo(dtypes.numpy_dtype(code))
    return FloatingInfo(
        int(found.bits),
        float(found.eps),
        float(found.max),
        float(found.min),
        float(found.smallest_normal),
        dtypes.numpy_dtype(code) if code == dtypes.BFLOAT16 else found.dtype,
    )


def iinfo(type: Any, /) -> IntegerInfo:
    """Returns the limits of an element type of integers.

    Args:
        type: The element type, or a tensor.

    Raises:
        DTypeError: It is none of integers.
    """
    import numpy

    code = _code(type)
    if not dtypes.is_integer(code):
        raise DTypeError(f"{dtypes.NAMES[code]} is no type of integers")
    dtype = dtypes.numpy_dtype(code)
    found = numpy.iinfo(dtype)
    return IntegerInfo(int(found.bits), int(found.max), int(found.min), dtype)


def isdtype(dtype: Any, kind: Any) -> bool:
    """Returns whether an element type is of a kind.

    Args:
        dtype: The element type.
        kind: An element type; "bool", "signed integer", "unsigned integer", "integral",
            "real floating", "complex floating" or "numeric"; or a tuple of those.

    Raises:
        ArgumentError: There is no such kind.
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    code = dtypes.code_of(dtype)
    if isinstance(kind, str) and kind in KINDS:
        return dtypes.NAMES[code] in KINDS[kind]
    try:
        return code == dtypes.code_of(kind)
    except DTypeError:
        raise ArgumentError(
            f"{kind!r} is no kind of element types", f"one of {', '.join(KINDS)} is"
        ) from None


def result_type(*arrays_and_dtypes: Any) -> Any:
    """Returns the element type in which values of several meet: that of NumPy.

    Args:
        arrays_and_dtypes: Tensors, arrays, element types, and numbers, which are weak.

    Raises:
        ArgumentError: All of them are numbers, or there are none.
    """
    numbers = [one for one in arrays_and_dtypes if type(one) in statements.NUMBERS]
    codes = [_code(one) for one in arrays_and_dtypes if type(one) not in statements.NUMBERS]
    if not codes:
        raise ArgumentError("an element type or a tensor is needed beside numbers")
    code = codes[0]
    for other in codes[1:]:
        code = dtypes.promote(code, other)
    for number in numbers:
        code = dtypes.scalar_code(number, code)
    return dtypes.numpy_dtype(code)


def _code(x: Any) -> int:
    """The element type of a tensor, an array, or an element type itself."""
    if type(x) is handles.Tensor:
        return x._core.format.type
    is_array = not isinstance(x, type) and hasattr(x, "dtype") and hasattr(x, "shape")
    return dtypes.code_of(x.dtype if is_array else x)
