"""Names of files that say which part of a file is meant: what follows ``::``."""

from __future__ import annotations

import os
from typing import Any, Optional, Union

from .errors import ArgumentError

#: The options of a name, and what they may be.
_CHOICES = {
    "edges": ("directed", "undirected", "bipartite"),
    "ids": ("index", "appearance", "sorted"),
    "symmetry": (1, 4, 8),
}


def _range_of(part: Optional[slice], name: str) -> str:
    """A slice as the name of a file has it.

    >>> _range_of(slice(2, 5), "rows"), _range_of(None, "columns")
    ('2:5', ':')
    """
    if part is None:
        return ":"
    fits = isinstance(part, slice) and part.step in (None, 1)
    ends = (part.start, part.stop) if fits else ()
    if not fits or any(
        end is not None and (not hasattr(end, "__index__") or end < 0) for end in ends
    ):
        raise ArgumentError(
            f"{name}={part!r} is not a range of a file",
            "a slice of indices from 0 on, such as slice(0, 1000)",
        )
    return ":".join("" if end is None else str(int(end)) for end in ends)


def selected(
    path: Union[str, "os.PathLike[str]"],
    group: Optional[str] = None,
    rows: Optional[slice] = None,
    columns: Optional[slice] = None,
    **options: Any,
) -> str:
    """The name of a part of a file.

    >>> selected("a.h5ad", "layers/counts", slice(0, 100))
    'a.h5ad::layers/counts[0:100]'
    >>> selected("edges.txt", edges="undirected", header=True)
    'edges.txt::edges=undirected,header=yes'
    """
    name = os.fspath(path)
    part = group or ""
    if rows is not None or columns is not None:
        ranges = [_range_of(rows, "rows")]
        if columns is not None:
            ranges.append(_range_of(columns, "columns"))
        part += "[" + ",".join(ranges) + "]"
    items = [part] if part else []
    for option, value in options.items():
        if value is None:
            continue
        choices = _CHOICES.get(option)
        if choices and value not in choices:
            raise ArgumentError(
                f"{option}={value!r} is not known", " or ".join(repr(choice) for choice in choices)
            )
        text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
        items.append(f"{option}={text}")
    return f"{name}::{','.join(items)}" if items else name


def file_of(name: str) -> str:
    """The file of a name, without what follows ``::``."""
    return name if os.path.exists(name) else name.partition("::")[0]
