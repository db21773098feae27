"""Formats: how a tensor is stored."""

from __future__ import annotations

import re
from typing import Any, Optional, Union

from . import _core, dtypes
from .errors import DTypeError, Error, FormatError
from .layouts import split_top

#: Most dimensions that a tensor has.
MOST_DIMENSIONS = 32

_OPTIONS = ("pos", "crd", "fill")

#: The element type for which formats are resolved that are asked without one: any fill is of it.
_ANY_FILL = dtypes.COMPLEX128

_resolved: dict[tuple[str, int, int], "_core.Format"] = {}


class Format:
    """How a tensor is stored: a map from its dimensions to levels, and a format for each level.

    Args:
        text: A name (``"CSR"``, ``"BCSR:4x4"``), a map
            (``"(i, j) -> (i : dense, j : compressed)"``), letters (``"ds:1,0"``) or words
            (``"{D, CU}"``), as in Strata's programs; with places on a machine ``"CSR on M(i)"``,
            where the dimensions are i, j, k, ...
        order: The number of dimensions. It follows from most texts; ``"COO"``, ``"CSF"``,
            ``"Dense"`` and others fit tensors of any order, and leave it open.
        pos, crd: Bits of positions and of coordinates (8, 16, 32, 64). Those that are left open are
            32 where that holds the sizes and the number of entries, else 64.
        fill: The value of elements that are not stored; zero if it is left out.

    Two formats are equal if they store tensors in the same way, however they are written.

    >>> import strata as st
    >>> st.Format("CSR") == st.Format("(r, c) -> (r : dense, c : compressed)")
    True
    >>> st.Format("BCSR:4x4").levels
    ('dense', 'compressed', 'dense', 'dense')

    Raises:
        FormatError: The text is no format, or none of a tensor with so many dimensions.
    """

    __slots__ = ("_order", "_text")
    __module__ = "strata"

    def __init__(
        self,
        text: Union[str, "Format"],
        /,
        order: Optional[int] = None,
        *,
        pos: Optional[int] = None,
        crd: Optional[int] = None,
        fill: Optional[Union[bool, int, float, complex]] = None,
    ) -> None:
        if isinstance(text, Format):
            order = text._order if order is None else order
            text = text._text
        options = [f"{name} = {bits}" for name, bits in (("pos", pos), ("crd", crd)) if bits]
        if fill is not None:
            options.append(f"fill = {fill_text(fill)}")
        if options:
            text = _with_options(text, options)
        self._text: str = text
        self._order: Optional[int] = order if order is not None else _infer_order(text)
        if order is not None:
            self._resolve(order, _ANY_FILL)

    @classmethod
    def _of_core(cls, core: "_core.Format") -> "Format":
        """Makes the format of a handle."""
        made = cls.__new__(cls)
        made._text = core.name
        made._order = core.order
        return made

    def _resolve(self, order: int, code: int) -> "_core.Format":
        """Returns the handle of this format for tensors of some order and element type.

        Raises:
            FormatError: It is a format for another order.
        """
        if self._order is not None and self._order != order:
            raise FormatError(
                f"{self._text} is a format of tensors with {self._order} dimensions, not {order}"
            )
        return resolve(self._text, order, code)

    @property
    def order(self) -> Optional[int]:
        """The number of dimensions; None if tensors of any order can have this format."""
        return self._order

    @property
    def name(self) -> str:
        """Its name without widths, fill and places (``"CSR"``), or its map if it has none."""
        return _without_options(_split_places(self._sample().name)[0])

    @property
    def machine(self) -> Optional[str]:
        """The name of the machine that has the pieces of tensors in this format; None if each
        process has them whole."""
        return self._sample().machine

    @property
    def places(self) -> Optional[str]:
        """Which cells of the machine have what (``"M(i)"``); None without a machine."""
        return _split_places(self._sample().name)[1].removeprefix(" on ") or None

    @property
    def map(self) -> str:
        """Its map from dimensions to levels, with every option."""
        return self._sample().text

    @property
    def levels(self) -> tuple[str, ...]:
        """The names of the level formats, from the root."""
        return self._sample().levels

    @property
    def arrays(self) -> tuple[tuple[str, int], ...]:
        """Name and level of each array of a storage; -1 is the level of the values, which come
        last."""
        return tuple((name, level) for name, level, _ in self._sample().arrays)

    @property
    def is_full(self) -> bool:
        """Whether it has a place for every element, as Dense has, in any order of dimensions."""
        return self._sample().is_full

    def with_(
        self,
        *,
        pos: Optional[int] = None,
        crd: Optional[int] = None,
        fill: Optional[Union[bool, int, float, complex]] = None,
    ) -> "Format":
        """Returns the same format with other widths, in bits, or another fill value."""
        options = _options_of(self._sample().name)
        for name, value in (("pos", pos), ("crd", crd)):
            if value is not None:
                options[name] = str(value)
        if fill is not None:
            options["fill"] = fill_text(fill)
        return self._with_options(options)

    def without_places(self) -> "Format":
        """Returns the same format for tensors that each process has whole."""
        return Format(_split_places(self._sample().name)[0], self._order)

    def without_widths(self) -> "Format":
        """Returns the same format with all widths left open that it states for all levels."""
        options = _options_of(self._sample().name)
        return self._with_options({name: options[name] for name in options if name == "fill"})

    def _with_options(self, options: dict[str, str]) -> "Format":
        base = _without_options(self._text if self._order is None else self._sample().name)
        written = [f"{name} = {value}" for name, value in options.items()]
        return Format(_with_options(base, written) if written else base, self._order)

    def _sample(self) -> "_core.Format":
        """The handle for complex numbers, and for matrices where the order is open."""
        if self._order is not None:
            return resolve(self._text, self._order, _ANY_FILL)
        return resolve(self._text, 2, _ANY_FILL)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Format):
            return NotImplemented
        return self._order == other._order and self.map == other.map

    def __hash__(self) -> int:
        return hash((self._order, self.map))

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"strata.Format({self._text!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Format, (self._text, self._order)


def resolve(text: str, order: int, code: int) -> "_core.Format":
    """Returns the handle of a format's text for an order and an element type."""
    key = (text, order, code)
    found = _resolved.get(key)
    if found is None:
        found = _resolved[key] = _core.parse_format(text, order, code)
    return found


def to_core(format: Union[str, Format], order: int, code: int) -> "_core.Format":
    """Returns the handle of what a user gives as a format."""
    if isinstance(format, str):
        return resolve(format, order, code)
    if isinstance(format, Format):
        return format._resolve(order, code)
    raise TypeError(f"a format is a text or a strata.Format, not {type(format).__name__}")


def _infer_order(text: str) -> Optional[int]:
    """The only order that a format fits; None if it fits more than one."""
    mistake: Optional[Error] = None
    for order in (2, 1, 3, *range(4, MOST_DIMENSIONS + 1)):
        try:
            resolve(text, order, _ANY_FILL)
        except Error as error:
            mistake = mistake or error
            continue
        return order if _fits_no_other(text, order) else None
    assert mistake is not None
    raise mistake


def _fits_no_other(text: str, order: int) -> bool:
    for other in (order + 1, order - 1):
        try:
            resolve(text, other, _ANY_FILL)
        except Error:
            continue
        return False
    return True


def fill_text(fill: Union[bool, int, float, complex]) -> str:
    """Returns a fill value, a number of Python's or of NumPy's, as formats write it.

    Raises:
        DTypeError: It is no number.
    """
    number = fill.item() if hasattr(fill, "item") else fill
    if not isinstance(number, (bool, int, float, complex)):
        raise DTypeError(f"a fill value is a number, not a {type(fill).__name__}")
    if not isinstance(number, complex):
        return str(int(number)) if isinstance(number, bool) else repr(number)
    if not number.imag:
        return repr(number.real)
    sign = "-" if number.imag < 0 else "+"
    return f"{number.real!r} {sign} {abs(number.imag)!r}i"


def _split_places(text: str) -> tuple[str, str]:
    """A format's own text, and " on M(i)" behind it."""
    found = re.search(r"\s+on\s+(\w+\s*\(.*\))\s*$", text, re.DOTALL)
    return (text[: found.start()], f" on {found[1]}") if found else (text, "")


def _with_options(text: str, options: list[str]) -> str:
    """A format's text with options, which stand inside its braces."""
    written = ", ".join(options)
    inner, places = _split_places(text.strip())
    if _is_braced(inner):
        return f"{inner[:-1]}, {written}}}{places}"
    return f"{{{inner}, {written}}}{places}" if _may_be_braced(inner) else f"{inner}, {written}"


def _is_braced(text: str) -> bool:
    """Whether one pair of braces is around all of it: not {...} + {...}."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if depth == 0:
            return letter == "}" and place + 1 == len(text)
    return False


def _may_be_braced(text: str) -> bool:
    """Letters ("ds:1,0") take options behind them, but no braces."""
    return not text.split(":")[0].islower()


def _options_of(text: str) -> dict[str, str]:
    """The options behind a format's own text: pos, crd, fill."""
    options: dict[str, str] = {}
    inner, _ = _split_places(text.strip())
    if not _is_braced(inner):
        return options
    for part in split_top(inner[1:-1])[1:]:
        name, equals, value = part.partition("=")
        if equals and name.strip() in _OPTIONS:
            options[name.strip()] = value.strip()
    return options


def _without_options(text: str) -> str:
    inner, places = _split_places(text.strip())
    if not _is_braced(inner):
        return inner + places
    parts = split_top(inner[1:-1])
    kept = [part for part in parts if part.partition("=")[0].strip() not in _OPTIONS]
    joined = ",".join(kept).strip()
    # (A number behind a comma belongs to the word before it: SELL:32,256.)
    is_list_of_words = any(not part.strip()[:1].isdigit() for part in kept[1:])
    return (f"{{{joined}}}" if is_list_of_words else joined) + places
