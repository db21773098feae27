"""Element types: the library's numbers, their names, NumPy's dtypes, and the types of scalars.

NumPy is imported when a dtype is asked for, not before.
"""

from __future__ import annotations

from typing import Any, Optional, Union

from .errors import DTypeError, WidthError

#: The names of element types; the index is the library's number (strata_type).
NAMES: list[str] = [
    "int8",
    "int16",
    "int32",
    "int64",
    "float32",
    "float64",
    "complex128",
    "bool",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "bfloat16",
    "complex64",
]

CODES: dict[str, int] = {name: code for code, name in enumerate(NAMES)}

INT64, FLOAT64, COMPLEX128 = CODES["int64"], CODES["float64"], CODES["complex128"]
BOOL, UINT64, COMPLEX64 = CODES["bool"], CODES["uint64"], CODES["complex64"]
BFLOAT16, FLOAT16, FLOAT32 = CODES["bfloat16"], CODES["float16"], CODES["float32"]

#: The types of real numbers of 16 bits, whose means and variances are computed in 32.
HALVES = (FLOAT16, BFLOAT16)

_BOOL, _INTEGER, _REAL, _COMPLEX = range(4)

_PYTHON_TYPES = {bool: BOOL, int: INT64, float: FLOAT64, complex: COMPLEX128}

#: What NumPy's dtypes, hashed as they are, stand for; filled by :func:`code_of`.
_by_dtype: dict[Any, int] = {}


def kind_of(code: int) -> int:
    """0 for bool, 1 for integers, 2 for real numbers, 3 for complex numbers."""
    name = NAMES[code]
    if name == "bool":
        return _BOOL
    if "int" in name:
        return _INTEGER
    return _COMPLEX if name.startswith("complex") else _REAL


def is_integer(code: int) -> bool:
    """Whether an element type is one of integers; bool is none."""
    return kind_of(code) == _INTEGER


def code_of(dtype: Any) -> int:
    """Returns the number of an element type.

    Args:
        dtype: A name (``"float32"``), a type of Python's (``int`` is int64), or a dtype of NumPy.

    Raises:
        DTypeError: Strata has no such element type.
    """
    try:
        return _by_dtype[dtype]
    except (KeyError, TypeError):
        pass
    code: Optional[int] = None
    if isinstance(dtype, str):
        code = CODES.get(dtype)
    elif isinstance(dtype, type):
        code = _PYTHON_TYPES.get(dtype)
    if code is None:
        code = _code_of_numpy(dtype)
    try:
        _by_dtype[dtype] = code
    except TypeError:
        pass
    return code


def _code_of_numpy(dtype: Any) -> int:
    import numpy

    try:
        found = numpy.dtype(dtype)
    except TypeError:
        raise DTypeError(f"'{dtype}' is not an element type") from None
    code = CODES.get(found.name)
    if code is None or not found.isnative:
        raise DTypeError(
            f"tensors cannot have elements of {found!r}",
            "the element types are " + ", ".join(NAMES),
        )
    return code


def numpy_dtype(code: int) -> Any:
    """Returns NumPy's dtype of an element type.

    Raises:
        DTypeError: It is bfloat16, which NumPy has by the package ml_dtypes only.
    """
    import numpy

    if code != BFLOAT16:
        return numpy.dtype(NAMES[code])
    try:
        import ml_dtypes
    except ImportError:
        raise DTypeError("NumPy has no bfloat16", "install ml_dtypes") from None
    return numpy.dtype(ml_dtypes.bfloat16)


def promote(first: int, second: int) -> int:
    """Returns the element type that holds the values of both: NumPy's result_type."""
    if first == second:
        return first
    if BFLOAT16 in (first, second):
        other = second if first == BFLOAT16 else first
        if other == FLOAT16:
            return FLOAT32
        return BFLOAT16 if other in _NARROW else promote(FLOAT16, other)
    import numpy

    return code_of(numpy.promote_types(NAMES[first], NAMES[second]))


_NARROW = (BOOL, CODES["int8"], CODES["uint8"])


def check_cast(own: int, code: int, casting: Any = "same_kind") -> None:
    """Raises DTypeError if values of an element type do not become those of another without a call of
    astype(): by NumPy's rule, fractions, imaginary parts and signs are not dropped."""
    import numpy

    if own != code and not numpy.can_cast(numpy_dtype(own), numpy_dtype(code), casting):
        raise DTypeError(f"{NAMES[own]} does not become {NAMES[code]} by itself", "call astype()")


def scalar_code(value: Union[bool, int, float, complex], other: int) -> int:
    """Returns the element type in which a number of Python's meets elements of another type.

    The number is weak, as in NumPy 2: an integer takes the type of the other operand unless that is
    bool, a real number takes it unless that is one of integers.

    Raises:
        WidthError: The integer does not fit the type.
    """
    kind = _PYTHON_KINDS.get(type(value), _COMPLEX)
    mine = kind_of(other)
    if kind <= mine:
        if kind == _INTEGER and mine == _INTEGER:
            check_range(int(value), other)  # type: ignore[arg-type]
        return other
    if kind == _INTEGER:
        return INT64
    if kind == _REAL:
        return FLOAT64
    return COMPLEX64 if NAMES[other] in ("float16", "bfloat16", "float32") else COMPLEX128


_PYTHON_KINDS = {bool: _BOOL, int: _INTEGER, float: _REAL, complex: _COMPLEX}


def check_range(value: int, code: int) -> None:
    """Raises WidthError if an integer does not fit an element type, which is one of integers."""
    name = NAMES[code]
    bits = int(name.lstrip("uint"))
    low, high = (0, 2**bits) if name.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1))
    if not low <= value < high:
        raise WidthError(f"the integer {value} is outside of {name}")
