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


def _quoted(name: str) -> str:
    """The name of a group, in quotation marks where characters of it have a meaning.

    >>> _quoted("layers/counts"), _quoted("a,b")
    ('layers/counts', '"a,b"')
    """
    if name != name.strip(" ") or any(mark in name for mark in ',=["'):
        return '"' + name.replace('"', '""') + '"'
    return name


def _begun(
    name: str, group: Optional[str], rows: Optional[slice], columns: Optional[slice]
) -> tuple[str, str, str]:
    """Takes a name apart that says itself which part is meant: the file, the group, the options."""
    file = file_of(name)
    group_or_option = name[len(file) + 2 :]
    if not group_or_option:
        return file, _quoted(group or ""), ""
    is_option = "=" in group_or_option.partition(",")[0] and '"' not in group_or_option
    if is_option:
        return file, _quoted(group or ""), group_or_option
    ranged = rows is not None or columns is not None
    if group is not None or (ranged and any(mark in group_or_option for mark in ",[")):
        raise ArgumentError(
            f"'{name}' says itself which part is meant",
            "either what follows '::', or the arguments group, rows and columns",
        )
    return file, group_or_option, ""


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
    >>> selected("a.h5ad::X", rows=slice(0, 100))
    'a.h5ad::X[0:100]'
    """
    if group is not None and not isinstance(group, str):
        raise ArgumentError(f"group={group!r} is no name", "a text")
    name, part, given = _begun(os.fspath(path), group, rows, columns)
    if rows is not None or columns is not None:
        ranges = [_range_of(rows, "rows")]
        if columns is not None:
            ranges.append(_range_of(columns, "columns"))
        part += "[" + ",".join(ranges) + "]"
    items = [text for text in (part, given) if text]
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
    if os.path.exists(name):
        return name
    parts = name.split("::")
    files = ["::".join(parts[:count]) for count in range(1, len(parts))]
    return next((file for file in files if os.path.exists(file)), parts[0])
