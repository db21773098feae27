"""What the namespace of tensors can do, as the array API standard asks for it."""

from __future__ import annotations

from typing import Any, Optional, Union

from .conversion import check_device
from .data_types import KINDS
from .dtypes import CODES, numpy_dtype
from .errors import ArgumentError
from .formats import MOST_DIMENSIONS

#: The element types of the standard.
_NAMES = [name for name in ("bool", *KINDS["numeric"]) if name not in ("float16", "bfloat16")]


class NamespaceInfo:
    """What :func:`__array_namespace_info__` returns."""

    __slots__ = ()
    __module__ = "strata"

    def capabilities(self) -> dict[str, Any]:
        """Returns which optional parts of the standard there are."""
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": MOST_DIMENSIONS,
        }

    def default_device(self) -> str:
        """Returns the device of tensors for which none is given."""
        return "cpu"

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:
        """Returns the element types of tensors for which none is given."""
        check_device(device)
        return {
            "real floating": numpy_dtype(CODES["float64"]),
            "complex floating": numpy_dtype(CODES["complex128"]),
            "integral": numpy_dtype(CODES["int64"]),
            "indexing": numpy_dtype(CODES["int64"]),
        }

    def devices(self) -> tuple[str, ...]:
        """Returns the devices."""
        return ("cpu",)

    def dtypes(
        self, *, device: Any = None, kind: Optional[Union[str, tuple[str, ...]]] = None
    ) -> dict[str, Any]:
        """Returns the element types of the standard, by their names.

        Args:
            device: "cpu" or None.
            kind: A kind as :func:`isdtype` takes it, several, or None for all.

        Raises:
            ArgumentError: There is no such kind.
        """
        check_device(device)
        kinds = kind if isinstance(kind, tuple) else ("bool", "numeric") if kind is None else (kind,)
        for one in kinds:
            if one not in KINDS:
                raise ArgumentError(
                    f"{one!r} is no kind of element types", f"one of {', '.join(KINDS)} is"
                )
        chosen = {name for one in kinds for name in KINDS[one]}
        return {name: numpy_dtype(CODES[name]) for name in _NAMES if name in chosen}


def __array_namespace_info__() -> NamespaceInfo:
    """Returns what tells the capabilities, devices and element types of the namespace."""
    return NamespaceInfo()
