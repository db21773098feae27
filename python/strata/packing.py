"""Formats of parts of sparse tensors, and how their entries are put into them."""

from __future__ import annotations

from typing import Any, Optional

from . import _core, dtypes, handles
from .conversion import adopt
from .export import number_of
from .formats import Format, resolve, to_core
from .gathers import Entries, is_list, is_walked
from .layouts import Layout, layout_of
from .selections import LISTS, Listed, New, Selection
from .subscripts import index_names


def format_of_part(format: "_core.Format", selection: Selection) -> Format:
    """The format of a part of a tensor in a sparse format: its dimensions have the levels that they
    have in the tensor, in the same order.

    A dimension of an array of coordinates has the level of the one that it stands for, and a new
    one a dense level before all. If they are all dense, the last is compressed, since a part of a
    sparse tensor is sparse. Where there are no such levels, because those of the tensor store other
    things than dimensions as they are, or an array picks elements along several, vectors and
    matrices become SparseVector and CSR, and others COO.
    """
    layout = layout_of(format.text)
    axes = selection.axes()
    order = len(axes) if LISTS not in axes else len(axes) - 1 + len(selection.lists_shape)
    text = None if layout is None else _part_text(layout, selection)
    made = Format(text or _named(order), order)
    return made.with_(fill=number_of(format.fill, format.type)) if format.has_fill else made


def _named(order: int) -> str:
    return {1: "SparseVector", 2: "CSR"}.get(order, "COO")


def _part_text(layout: Layout, selection: Selection) -> Optional[str]:
    """The map of a part, from the levels that are left of a tensor's; None if there is none."""
    layout = _plain(layout)
    lists = is_list(layout)
    if not is_walked(layout):
        return None
    axes = _axes_of_dimensions(selection)
    if axes is None:
        return None
    by_dimension, new = axes
    kinds = [
        (by_dimension[dimension], level.format)
        for level in layout.levels
        if (dimension := layout.dimensions.index(level.coordinate)) in by_dimension
    ]
    kinds = [(axis, "dense") for axis in new] + kinds
    if lists:
        kinds = [(axis, "list") for axis, _ in kinds]
    return _text([axis for axis, _ in kinds], [kind for _, kind in kinds])


def _plain(layout: Layout) -> Layout:
    """A layout with all levels in order and every place once, which parts have."""
    kinds = [level.format for level in layout.levels]
    if any(kind.startswith("singleton") for kind in kinds):
        plain = ["compressed(nonunique)"] + ["singleton(nonunique)"] * (len(kinds) - 2)
        plain.append("singleton")
        stripped = [kind.partition("(")[0] for kind in kinds]
        if "aos" in "".join(kinds) or stripped != ["compressed"] + ["singleton"] * (len(kinds) - 1):
            return layout
    else:
        plain = [
            "compressed" if kind.startswith("compressed(") and "aos" not in kind else kind
            for kind in kinds
        ]
    levels = tuple(level._replace(format=kind) for level, kind in zip(layout.levels, plain))
    return layout._replace(levels=levels)


def _axes_of_dimensions(selection: Selection) -> Optional[tuple[dict[int, int], list[int]]]:
    """The dimension of a part that stands for each of the tensor's, and those that are new. None if
    one stands for several."""
    axis_of: dict[int, int] = {}
    axis = 0
    for number in selection.axes():
        if number == LISTS:
            first = axis
            axis += len(selection.lists_shape)
        else:
            axis_of[number] = axis
            axis += 1
    listed: dict[int, int] = {}
    for table in selection.tables():
        if len(table.axes) != 1 or len(table.dimensions) != 1:
            return None
        listed[table.dimensions[0]] = first + table.axes[0]
    by_dimension: dict[int, int] = {}
    dimension = 0
    for number, part in enumerate(selection.parts):
        if isinstance(part, New):
            continue
        if isinstance(part, Listed):
            by_dimension[dimension] = listed[dimension]
        elif number in axis_of:
            by_dimension[dimension] = axis_of[number]
        dimension += 1
    known = set(by_dimension.values())
    return by_dimension, [one for one in range(axis) if one not in known]


def _text(axes: list[int], kinds: list[str]) -> Optional[str]:
    """The map with levels for these dimensions, of which some store coordinates."""
    if not axes:
        return None
    names = index_names(len(axes))
    if "list" in kinds and len(kinds) == 1 or set(kinds) == {"dense"}:
        kinds = [*kinds[:-1], "compressed"]
    elif "list" in kinds:
        inner = ["singleton(nonunique)"] * (len(kinds) - 2)
        kinds = ["compressed(nonunique)", *inner, "singleton"]
    levels = ", ".join(f"{names[axis]} : {kind}" for axis, kind in zip(axes, kinds))
    return f"({', '.join(names)}) -> ({levels})"


def pack(format: Format, shape: tuple[int, ...], code: int, entries: Entries) -> "handles.Tensor":
    """Makes a tensor of entries. Those that are in the order of its levels are stored as they
    are, others are sorted."""
    import numpy

    core = to_core(format, len(shape), code)
    values = numpy.ascontiguousarray(entries.values)
    if code == dtypes.BFLOAT16:
        values = values.view(numpy.uint16)
    layout = layout_of(core.text)
    assert layout is not None
    levels = [layout.dimensions.index(level.coordinate) for level in layout.levels]
    varying = [axis for axis in levels if axis not in entries.constant]
    if entries.is_sorted and entries.order == varying:
        arrays = _arrays_in_order(layout, levels, shape, entries)
        if arrays is not None:
            return adopt(core, shape, (*arrays, values), None, False)
    kinds = [level.format for level in layout.levels]
    if kinds == ["dense", "compressed"] and entries.order == levels[:1]:
        arrays = _arrays_in_order(layout, levels, shape, entries)
        assert arrays is not None
        return _sorted_in_rows(core, shape, [*arrays, values])
    columns = [
        numpy.ascontiguousarray(entries.column(axis), numpy.int64) for axis in range(len(shape))
    ]
    made = _core.from_coordinates(
        core, shape, (*columns, values), _core.STRATA_SUM_DUPLICATES
    )
    return handles.wrap(made)


def _sorted_in_rows(
    format: "_core.Format", shape: tuple[int, ...], arrays: list[Any]
) -> "handles.Tensor":
    """Sorts the coordinates in each row of a storage, whose rows are in order."""
    text = format.text.replace("compressed", "compressed(unordered)")
    mixed = adopt(resolve(text, len(shape), format.type), shape, tuple(arrays), None, False)
    return handles.wrap(mixed._core.convert(format))


def _arrays_in_order(
    layout: Layout, levels: list[int], shape: tuple[int, ...], entries: Entries
) -> Optional[list[Any]]:
    """The arrays of a storage but for the values; None of other formats than lists, vectors, and
    rows."""
    import numpy

    kinds = [level.format for level in layout.levels]
    count = len(entries.values)
    is_narrow = max(*shape, count) < 2**31
    width = numpy.int32 if is_narrow else numpy.int64
    if kinds == ["dense", "compressed"]:
        crd = numpy.ascontiguousarray(entries.column(levels[1]), width)
        return [_row_positions(entries, levels[0], shape[levels[0]]).astype(width), crd]
    if kinds == ["compressed"] or is_list(layout):
        stored = [numpy.ascontiguousarray(entries.column(axis), width) for axis in levels]
        return [numpy.array([0, count], width), *stored]
    return None


def _row_positions(entries: Entries, axis: int, size: int) -> Any:
    """Where the entries of each row begin, which are sorted by their rows."""
    import numpy

    if entries.offsets is not None and len(entries.offsets) == size + 1:
        return entries.offsets
    pos = numpy.zeros(size + 1, numpy.int64)
    numpy.cumsum(numpy.bincount(entries.column(axis), minlength=size), out=pos[1:])
    return pos
