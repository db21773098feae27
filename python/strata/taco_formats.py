"""The formats of TACO's interface for Python: mode formats, and the order of the dimensions."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

from . import dtypes
from .errors import ArgumentError
from .formats import Format
from .subscripts import index_names



class mode_format:
    """How one dimension is stored: :data:`dense` or :data:`compressed`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, mode_format) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"mode_format({self.name})"


dense = Dense = mode_format("dense")
compressed = Compressed = mode_format("compressed")


class format:
    """The formats of the dimensions in the order in which they are stored.

    Args:
        mode_formats: A mode format, or one for each dimension; none for a scalar.
        mode_ordering: The dimension that each of them stores; None: in their order.
    """

    def __init__(
        self,
        mode_formats: Union[mode_format, Sequence[mode_format]] = (),
        mode_ordering: Optional[Sequence[int]] = None,
    ) -> None:
        self.mode_formats: list[mode_format] = (
            [mode_formats] if isinstance(mode_formats, mode_format) else list(mode_formats)
        )
        for one in self.mode_formats:
            if not isinstance(one, mode_format):
                raise ArgumentError(f"{one!r} is no mode format", "pt.dense or pt.compressed")
        self.mode_ordering = list(range(len(self.mode_formats)))
        if mode_ordering is not None:
            if sorted(mode_ordering) != self.mode_ordering:
                raise ArgumentError(f"{mode_ordering} is no order of the dimensions")
            self.mode_ordering = list(mode_ordering)

    @property
    def order(self) -> int:
        """The number of dimensions."""
        return len(self.mode_formats)

    def __len__(self) -> int:
        return self.order

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, format):
            return False
        same = self.mode_formats == other.mode_formats
        return same and self.mode_ordering == other.mode_ordering

    def __hash__(self) -> int:
        return hash((*self.mode_formats, *self.mode_ordering))

    def __repr__(self) -> str:
        names = ",".join(one.name for one in self.mode_formats)
        return f"format({names}; {','.join(map(str, self.mode_ordering))})"

    def stored(self) -> Format:
        if not self.mode_formats:
            return Format("Dense")
        names = index_names(self.order)
        levels = [
            f"{names[axis]} : {one.name}"
            for one, axis in zip(self.mode_formats, self.mode_ordering)
        ]
        return Format(f"({', '.join(names)}) -> ({', '.join(levels)})")


csr = CSR = format([dense, compressed])
csc = CSC = format([dense, compressed], [1, 0])

AnyFormat = Union[format, mode_format, Sequence[mode_format]]

default_mode = compressed


def format_of(given: AnyFormat, order: int) -> format:
    if isinstance(given, mode_format):
        return format([given] * order)
    made = given if isinstance(given, format) else format(given)
    if made.order != order:
        raise ArgumentError(f"a format of {made.order} dimensions for a tensor of {order}")
    return made


def is_dense(fmt: AnyFormat) -> bool:
    """Whether all dimensions are dense."""
    if isinstance(fmt, mode_format):
        return fmt == dense
    made = fmt if isinstance(fmt, format) else format(fmt)
    return all(one == dense for one in made.mode_formats)


def as_np_dtype(dtype: Any) -> Any:
    """Returns NumPy's name of an element type."""
    return dtypes.numpy_dtype(dtypes.code_of(dtype))
