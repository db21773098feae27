"""Masks and accumulations: which elements of a result a statement changes, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence

from . import conversion, dtypes, handles
from .errors import ArgumentError, ShapeError
from .subscripts import access

if TYPE_CHECKING:
    from . import _core
    from .tensors import Tensor

#: What stands before "=" for the name of an accumulation.
_ACCUMULATIONS = {
    **{word: word for word in ("min", "max", "any", "+", "-", "*", "|", "&")},
    **{"plus": "+", "minus": "-", "times": "*", "lor": "|", "or": "|", "land": "&", "and": "&"},
}


class Mask:
    """Which elements of a result take part in a statement: ``M.structural``, ``~M.structural``."""

    __slots__ = ("core", "is_complement", "is_structural")
    __module__ = "strata"

    def __init__(self, core: "_core.Tensor", is_structural: bool, is_complement: bool) -> None:
        self.core = core
        self.is_structural = is_structural
        self.is_complement = is_complement

    @classmethod
    def of(cls, value: Any) -> "Mask":
        """Makes a mask of a tensor: its elements that are not zero take part."""
        if isinstance(value, Mask):
            return value
        if type(value) is handles.Tensor and value._deferred is not None:
            complemented = value._deferred.complement_of
            if complemented is not None:
                return cls._of_values(complemented, True)
        return cls._of_values(conversion.asarray(value)._core, False)

    @classmethod
    def _of_values(cls, core: "_core.Tensor", is_complement: bool) -> "Mask":
        """Makes a mask that is false where the tensor stores nothing, or its complement."""
        if core.format.is_full or not core.format.fill:
            return cls(core, False, is_complement)
        from .operators import unary

        negated = unary("{0} == 0", handles.wrap(core), dtypes.BOOL)
        return cls(negated._core, False, not is_complement)

    def __invert__(self) -> "Mask":
        return Mask(self.core, self.is_structural, not self.is_complement)

    def __repr__(self) -> str:
        sign = "~" if self.is_complement else ""
        return f"<strata.Mask {sign}M{'.structural' if self.is_structural else ''}>"


class Update(NamedTuple):
    """How a statement changes its left side: a mask, an operator that combines what is there with
    the new value, and whether elements that take no part are emptied."""

    mask: Optional[Mask] = None
    operator: str = ""
    replace: bool = False

    @classmethod
    def of(cls, mask: Any, accum: Optional[str], replace: bool) -> "Update":
        """Makes it of what a user gives.

        Raises:
            ArgumentError: There is no such accumulation.
        """
        if accum is not None and accum not in _ACCUMULATIONS:
            names = ", ".join(word for word in _ACCUMULATIONS if word.isalpha())
            raise ArgumentError(f"'{accum}' does not accumulate", f"one of {names} does")
        operator = "" if accum is None else _ACCUMULATIONS[accum]
        return cls(None if mask is None else Mask.of(mask), operator, bool(replace))

    @property
    def reads_target(self) -> bool:
        """Whether the result depends on what the left side held before."""
        return bool(self.operator) or self.mask is not None and not self.replace

    def left_side(self, name: str, indices: Sequence[str]) -> str:
        """The left side of the statement and its operator; the mask is the tensor ``M``."""
        written = access(name, indices)
        if self.mask is not None:
            words = ["structural"] if self.mask.is_structural else []
            words += ["replace"] if self.replace else []
            sign = "!" if self.mask.is_complement else ""
            written += f"<{', '.join([f'{sign}M', *words])}>"
        return f"{written} {self.operator}="

    def check(self, shape: tuple[int, ...]) -> None:
        """Raises ShapeError if the mask does not have the shape of the left side."""
        if self.mask is not None and self.mask.core.shape != shape:
            raise ShapeError(
                f"the mask has the shape {self.mask.core.shape}, the left side {shape}"
            )

    @property
    def key(self) -> tuple[Any, ...]:
        """What the text of a statement depends on."""
        mask = self.mask
        kind = None if mask is None else (mask.is_structural, mask.is_complement, mask.core.key)
        return kind, self.operator, self.replace


def result_of(out: Any, core: "_core.Tensor") -> "Tensor":
    """Hands a result over to what `out=` names: a tensor holds it from now on, into an array of
    NumPy it is copied, and the tensor that is returned shares that array."""
    if type(out) is handles.Tensor:
        out._core = core
        out._deferred = None
        return out
    import numpy

    numpy.copyto(out, handles.wrap(core).todense())
    return conversion.asarray(out)


def target_of(out: Any) -> "Tensor":
    """The tensor that `out=` names; it shares an array of NumPy.

    Raises:
        TypeError: It is neither a tensor nor an array.
    """
    if type(out) is handles.Tensor:
        return out
    if type(out).__module__ != "numpy" or not hasattr(out, "__array_interface__"):
        raise TypeError(f"out= takes a tensor or an array of NumPy, not a {type(out).__name__}")
    if not out.flags.writeable:
        raise ValueError("out= is an array that cannot be written to")
    return conversion.asarray(out)
