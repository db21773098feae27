"""Results with far more elements than their operands store entries: the sums of the rows of a matrix
with a thousand million rows, of which few have entries."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Optional, Sequence

from . import recording
from .subscripts import index_names

if TYPE_CHECKING:
    from . import _core
    from .layouts import Layout

#: A dense result has so many elements, or as many as so many times the stored entries, without
#: anybody having asked for it.
MOST_ELEMENTS = 2**20
MOST_PER_ENTRY = 16


def most_elements(stored: int) -> int:
    """Returns how many elements a dense result has at most that nobody has asked for, beside so many that
    are stored."""
    return max(MOST_ELEMENTS, MOST_PER_ENTRY * stored)


def may_be(core: "_core.Tensor") -> bool:
    """Whether an operand is sparse with a dimension much larger than its number of entries. (Of tensors in
    pieces each process knows its own, and all choose the same formats.)"""
    if recording.is_pending(core) or core.machine is not None:
        return False
    if core.largest <= MOST_PER_ENTRY * core.stored:
        return False
    return not core.format.is_full and not core.format.fill


#: The level formats that have a position for every coordinate below each position of their parent.
_WITH_ALL_COORDINATES = frozenset(("batch", "dense", "bitmap", "range", "ragged"))


def least_positions(layout: "Layout", shape: Sequence[int]) -> int:
    """Returns how many positions a level of a format has at least for a tensor of some shape that stores
    something: CSR has one for each row."""
    sizes = {name.partition(" ")[0]: size for name, size in zip(layout.dimensions, shape)}
    found = most = 1
    for level in layout.levels:
        name, _, block = level.coordinate.partition(" floordiv ")
        if level.format.partition("(")[0] not in _WITH_ALL_COORDINATES:
            found = 1
        elif name in sizes:
            found *= -(-sizes[name] // (int(block) if block.isdigit() else 1))
        most = max(most, found)
    return most


def has_too_many_positions(layout: Optional["Layout"], shape: Sequence[int], stored: int) -> bool:
    """Whether a format has far more positions for a tensor of some shape than elements that are stored, in
    the tensor or its operands."""
    most = most_elements(stored)
    return math.prod(shape) > most and layout is not None and least_positions(layout, shape) > most


def format_of(
    cores: Sequence["_core.Tensor"], labels: Sequence[Sequence[str]], result: Sequence[str]
) -> Optional[str]:
    """The format of a sum of products that would be dense and much larger than the sparse operands.

    Args:
        cores: The operands.
        labels: The labels of the dimensions of each.
        result: The labels of the result's dimensions.

    Returns:
        The map that compresses the only dimension along which sparse operands leave nothing where
        they are absent; None if there is no such one, the result is no larger, or an operand is in
        pieces.
    """
    if any(core.machine is not None for core in cores):
        return None
    sparse = [
        (core, own)
        for core, own in zip(cores, labels)
        if not core.format.is_full and not core.format.fill
    ]
    absent = {label for _, own in sparse for label in own if label in result}
    if len(absent) != 1:
        return None
    (label,) = absent
    sizes = {name: size for core, own in zip(cores, labels) for name, size in zip(own, core.shape)}
    stored = max(core.stored for core, own in sparse if label in own)
    elements = math.prod(sizes[name] for name in result)
    if elements <= MOST_ELEMENTS or sizes[label] <= MOST_PER_ENTRY * stored:
        return None
    names = index_names(len(result))
    axis = list(result).index(label)
    others = [f"{name} : dense" for at, name in enumerate(names) if at != axis]
    levels = ", ".join([f"{names[axis]} : compressed", *others])
    return f"({', '.join(names)}) -> ({levels})"
