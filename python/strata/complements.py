"""Parts that truth values select which are true wherever they store nothing: ``A[~(A > 2)]``. All
elements but a few are selected, so that those few are listed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from . import dtypes, export, handles, machines
from .errors import BoundsError
from .formats import Format
from .gathers import Entries
from .listed import coordinates_of, numbers_of
from .packing import pack

if TYPE_CHECKING:
    from .tensors import Tensor


class Rest(NamedTuple):
    """All elements of a tensor but some. Elements are numbered in order of their coordinates."""

    shape: tuple[int, ...]
    #: The numbers of the elements that are left out, in order.
    left_out: Any

    @property
    def size(self) -> int:
        """How many elements there are."""
        return math.prod(self.shape) - len(self.left_out)

    def numbers_of(self, coordinates: Any) -> Any:
        """The numbers of elements at some coordinates."""
        return numbers_of(coordinates, self.shape)

    def contains(self, numbers: Any) -> Any:
        """Whether elements are selected."""
        import numpy

        if not len(self.left_out):
            return numpy.ones(len(numbers), bool)
        at = numpy.searchsorted(self.left_out, numbers)
        return self.left_out[numpy.minimum(at, len(self.left_out) - 1)] != numbers

    def coordinates_of(self, places: Any) -> list[Any]:
        """The coordinates of the elements at some places of the part."""
        import numpy

        before = self.left_out - numpy.arange(len(self.left_out))
        numbers = places + numpy.searchsorted(before, places, side="right")
        return list(coordinates_of(numbers, self.shape))


def rest_of(key: Any, shape: tuple[int, ...]) -> Optional[Rest]:
    """What a key selects of a tensor of some shape; None if it is none of those keys.

    Raises:
        BoundsError: The truth values have another shape.
        ShapeError: There are more elements than numbers of 64 bits.
    """
    if isinstance(key, tuple) and len(key) == 1:
        key = key[0]
    if type(key) is not handles.Tensor or key._core.format.type != dtypes.BOOL:
        return None
    if key._core.format.is_full or not key.fill or key.ndim != len(shape):
        return None
    if key.shape != shape:
        raise BoundsError(
            f"truth values of the shape {key.shape} for dimensions of the sizes {shape}"
        )
    import numpy

    coordinates, values = export.entries_of(machines.whole_of(key._core))
    rest = Rest(shape, numpy.empty(0, numpy.int64))
    return rest._replace(left_out=rest.numbers_of(coordinates)[~values])


def part_of(x: "Tensor", rest: Rest) -> "Tensor":
    """Returns the elements that are not left out, a vector."""
    import numpy

    coordinates, values = export.entries_of(x._core)
    numbers = rest.numbers_of(coordinates)
    kept = rest.contains(numbers)
    numbers = numbers[kept]
    places = numbers - numpy.searchsorted(rest.left_out, numbers)
    format = Format("SparseVector")
    if x._core.format.has_fill:
        format = format.with_(fill=x.fill)
    entries = Entries([places], values[kept], [0], True, frozenset())
    return pack(format, (rest.size,), x._core.format.type, entries)
