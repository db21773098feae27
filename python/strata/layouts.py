"""What a format's map says about the arrays of its tensors, for the exchange with other libraries.

A map is read from its text, such as ``(i, j) -> (j : dense, i : compressed(pos = 32))``, once.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Optional

_WIDTHS = re.compile(r"\b(?:pos|crd) = \d+(?:, )?")
_EMPTY_PROPERTIES = re.compile(r"\((?:, )*\)")


class Level(NamedTuple):
    """A level of a map: its coordinate (``"i"``, ``"j floordiv 4"``) and its format with properties
    other than widths (``"compressed(unordered)"``)."""

    coordinate: str
    format: str


class Layout(NamedTuple):
    """A map: the names of the dimensions, the levels from the root, and the fill as text."""

    dimensions: tuple[str, ...]
    levels: tuple[Level, ...]
    fill: Optional[str]

    @property
    def dense_order(self) -> Optional[tuple[int, ...]]:
        """The dimension of each level, if all levels are dense and store dimensions as they are."""
        if any(level.format != "dense" for level in self.levels):
            return None
        coordinates = tuple(level.coordinate for level in self.levels)
        if sorted(coordinates) != sorted(self.dimensions):
            return None
        return tuple(self.dimensions.index(coordinate) for coordinate in coordinates)


_layouts: dict[str, Optional[Layout]] = {}


def layout_of(text: str) -> Optional[Layout]:
    """Reads a format's map; None if it is a sum of formats, which has no arrays of its own."""
    try:
        return _layouts[text]
    except KeyError:
        found = _layouts[text] = _read(text)
        return found


def _read(text: str) -> Optional[Layout]:
    inner = text.strip()
    if inner.startswith("{") and inner.endswith("}"):
        inner = inner[1:-1]
    parts = split_top(inner)
    dimensions, arrow, levels = parts[0].partition("->")
    options = dict(_option(part) for part in parts[1:])
    if dimensions.strip() == "Dense":  # of a tensor without dimensions, which has no map
        return Layout((), (), options.get("fill"))
    if not arrow:
        return None
    return Layout(
        tuple(name.strip() for name in _inside(dimensions)),
        tuple(_level(level) for level in _inside(levels)),
        options.get("fill"),
    )


def _option(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name.strip(), value.strip()


def _level(text: str) -> Level:
    coordinate, _, format = text.partition(":")
    format = _EMPTY_PROPERTIES.sub("", _WIDTHS.sub("", format)).replace(", )", ")")
    return Level(coordinate.strip(), format.strip())


def _inside(text: str) -> tuple[str, ...]:
    """The parts of a list in parentheses."""
    inner = text.strip()[1:-1]
    return tuple(split_top(inner)) if inner.strip() else ()


def split_top(text: str) -> list[str]:
    """The parts of a text between commas outside of brackets."""
    parts, depth, begin = [], 0, 0
    for at, character in enumerate(text):
        depth += (character in "({[") - (character in ")}]")
        if character == "," and depth == 0:
            parts.append(text[begin:at])
            begin = at + 1
    return [*parts, text[begin:]]


def dense_text(order: tuple[int, ...]) -> str:
    """The format that stores all elements, level by level the dimensions in this order."""
    if order == tuple(range(len(order))):
        return "Dense"
    names = [f"d{dimension}" for dimension in range(len(order))]
    levels = ", ".join(f"{names[dimension]} : dense" for dimension in order)
    return f"({', '.join(names)}) -> ({levels})"


def permuted_text(text: str, axes: tuple[int, ...]) -> Optional[str]:
    """The format that the same arrays are for the tensor with permuted dimensions.

    Dimension ``k`` of the result is dimension ``axes[k]`` of the tensor. None if a map does not say
    it: of sums of formats.
    """
    if not axes:
        return text
    layout = layout_of(text)
    if layout is None:
        return None
    arrow = text.index("->")
    begin = text.index("(")
    names = ", ".join(layout.dimensions[axis] for axis in axes)
    return f"{text[:begin]}({names}) {text[arrow:]}"


def blocked_text(rows: int, columns: int, properties: str = "") -> str:
    """The format of matrices in rows of dense blocks, with properties of its compressed level.

    A dimension whose blocks have the size 1 has no level inside of them.
    """
    levels = blocked_levels("i", "j", rows, columns)
    words = f"compressed({properties})" if properties else "compressed"
    written = [f"{coordinate} : {words if at == 1 else 'dense'}" for at, coordinate in levels]
    return f"(i, j) -> ({', '.join(written)})"


def blocked_levels(i: str, j: str, rows: int, columns: int) -> list[tuple[int, str]]:
    """The levels of blocks, numbered, with their coordinates."""
    outer = [
        i if rows == 1 else f"{i} floordiv {rows}",
        j if columns == 1 else f"{j} floordiv {columns}",
    ]
    inner = [f"{name} mod {size}" for name, size in ((i, rows), (j, columns)) if size > 1]
    return list(enumerate(outer + inner))


def block_size(layout: Layout) -> Optional[tuple[int, int]]:
    """The rows and columns of the blocks of a layout that :func:`blocked_text` could have written;
    None of another layout."""
    if len(layout.dimensions) != 2 or len(layout.levels) < 2:
        return None
    sizes = [_divisor(level.coordinate) for level in layout.levels[:2]]
    expected = blocked_levels(*layout.dimensions, *sizes)
    if [coordinate for _, coordinate in expected] != [level.coordinate for level in layout.levels]:
        return None
    kinds = [level.format.partition("(")[0] for level in layout.levels]
    return (
        (sizes[0], sizes[1]) if kinds.pop(1) == "compressed" and set(kinds) == {"dense"} else None
    )


def _divisor(coordinate: str) -> int:
    word, _, size = coordinate.partition(" floordiv ")
    return int(size) if size.isdigit() else 1
