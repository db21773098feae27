"""Masks and accumulations: which elements of a result a statement changes, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence

from . import conversion, dtypes, handles
from .errors import ArgumentError, DTypeError, ShapeError
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
    """Hands a result over to what `out=` names: a tensor holds it from now on, into an array it is
    copied, and the tensor that is returned shares that array."""
    if type(out) is handles.Tensor:
        out._core = core
        out._deferred = None
        return out
    import numpy

    array = _array_of(out)
    try:
        numpy.copyto(array, handles.wrap(core).todense())
    except TypeError:
        names = dtypes.NAMES[core.format.type], array.dtype
        raise DTypeError("a result of {} is not stored in an array of {}".format(*names)) from None
    return conversion.asarray(array)


def into(out: Any, result: "Tensor") -> "Tensor":
    """Returns a result, or if `out=` names something, what :func:`store` makes of both."""
    return result if out is None else store(out, result)


def store(out: Any, result: "Tensor") -> "Tensor":
    """Hands a result over to what `out=` names, as :func:`result_of` does; a tensor keeps its format
    and its element type.

    Raises:
        ShapeError: ``out`` has another shape.
        DTypeError: It has an element type that cannot express the result.
    """
    target = check(out, result)
    if type(out) is not handles.Tensor:
        return result_of(out, result._core)
    converted = result.astype(dtypes.NAMES[target._core.format.type], copy=False)
    return result_of(out, converted.asformat(target.format.without_widths())._core)


def check(out: Any, result: "Tensor") -> "Tensor":
    """Returns the tensor that `out=` names, which can hold the result.

    Raises:
        ShapeError: ``out`` has another shape.
        DTypeError: It has an element type that cannot express the result.
    """
    import numpy

    target = target_of(out)
    if target.shape != result.shape:
        raise ShapeError(f"the result has the shape {result.shape}, out= {target.shape}")
    own, code = result._core.format.type, target._core.format.type
    if not numpy.can_cast(dtypes.numpy_dtype(own), dtypes.numpy_dtype(code), "same_kind"):
        names = dtypes.NAMES[own], dtypes.NAMES[code]
        raise DTypeError("a result of {} is not stored in a tensor of {}".format(*names))
    return target


def target_of(out: Any) -> "Tensor":
    """The tensor that `out=` names; it shares an array of NumPy, or a dense tensor of torch.

    Raises:
        TypeError: It is neither a tensor nor an array.
        ArgumentError: It cannot be written to.
    """
    if type(out) is handles.Tensor:
        return out
    return conversion.asarray(_array_of(out))


def _array_of(out: Any) -> Any:
    """The array of NumPy that `out=` names."""
    if type(out).__module__.partition(".")[0] == "torch" and hasattr(out, "numpy"):
        return _array_of_torch(out)
    if type(out).__module__ != "numpy" or not hasattr(out, "__array_interface__"):
        raise TypeError(
            "out= takes a tensor of Strata, an array of NumPy or a dense tensor of torch, not a "
            f"{type(out).__name__}"
        )
    if not out.flags.writeable:
        raise ArgumentError("out= is an array that cannot be written to")
    return out


def _array_of_torch(out: Any) -> Any:
    if str(out.layout) != "torch.strided" or out.device.type != "cpu" or out.requires_grad:
        raise ArgumentError(
            "out= takes a tensor of torch that is dense, on the processor, and without a gradient",
            "out.detach() has none" if out.requires_grad else "",
        )
    try:
        return out.numpy()
    except (RuntimeError, TypeError) as error:  # of bfloat16, or conjugated lazily
        raise ArgumentError(f"out= is a tensor of torch that NumPy cannot see: {error}") from None
