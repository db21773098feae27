"""The exceptions that Strata raises.

Each derives from :class:`Error`, and from the exception of Python's own that says the same, so that
``except ValueError`` works where a user expects it to.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "ArgumentError",
    "BoundsError",
    "CopyError",
    "DTypeError",
    "DensifyError",
    "DivisionError",
    "Error",
    "ExpressionError",
    "FileError",
    "FormatError",
    "InternalError",
    "MissingFileError",
    "OutOfMemory",
    "RankError",
    "ScheduleError",
    "ShapeError",
    "UnsupportedError",
    "WidthError",
]


class Error(Exception):
    """The base of all exceptions of Strata.

    Attributes:
        message: What is wrong, in one line.
        suggestion: What would help, a line for each advice; may be empty.
        text: The line of the statement, format or schedule that the error is about; may be empty.
        line, column: Where in that text, counted from 1; 0 if nowhere.
        code: The kind of mistake, "SE0204", which ``strata explain --error`` explains; may be empty.
    """

    def __init__(
        self,
        message: str = "",
        suggestion: str = "",
        text: str = "",
        line: int = 0,
        column: int = 0,
        code: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion
        self.text = text
        self.line = line
        self.column = column
        self.code = code

    def __str__(self) -> str:
        lines = [self.message]
        if self.text:
            lines.append("  " + self.text)
            if self.column > 0:
                lines.append("  " + " " * (self.column - 1) + "^")
        lines.extend("note: " + advice for advice in self.suggestion.splitlines())
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.suggestion, self.text, self.line, self.column, self.code)


class ExpressionError(Error, ValueError):
    """A statement, or a string of subscripts, that the language does not have."""


class ShapeError(Error, ValueError):
    """Sizes, or numbers of dimensions, that do not fit each other."""


class FormatError(Error, ValueError):
    """A format that does not exist, or that cannot store the tensor."""


class ScheduleError(Error, ValueError):
    """A schedule that is not legal for its statement."""


class ArgumentError(Error, ValueError):
    """A name, a number or an array that does not belong where it is given."""


class CopyError(Error, ValueError):
    """A copy is needed, and ``copy=False`` forbids it."""


class DTypeError(Error, TypeError):
    """An element type that Strata lacks, or that is not possible there."""


class DensifyError(Error, TypeError):
    """A sparse tensor would become a dense array without having been asked to."""


class BoundsError(Error, IndexError):
    """An index outside of a tensor, too many of them, or arrays of them that do not fit each other."""


class WidthError(Error, OverflowError):
    """Positions or coordinates that do not fit the bits that a format gives them, or a number that
    does not fit an element type."""


class FileError(Error, OSError):
    """A file that cannot be read or written."""


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file."""


class UnsupportedError(Error, NotImplementedError):
    """What Strata cannot do, or not yet."""


class OutOfMemory(Error, MemoryError):
    """There is not enough memory, or not as much as was allowed."""


class DivisionError(Error, ZeroDivisionError):
    """An integer was divided by zero."""


class RankError(Error, RuntimeError):
    """Something went wrong on another rank, whose number the message gives, or with the messages
    between ranks."""


class InternalError(Error, RuntimeError):
    """A mistake in Strata. Please report it."""


#: The exceptions of the kinds of errors that the library knows (strata_error_code).
_KINDS: dict[int, type[Error]] = {
    1: ExpressionError,
    2: ShapeError,
    3: FormatError,
    4: ScheduleError,
    5: DTypeError,
    6: ArgumentError,
    7: WidthError,
    8: FileError,
    9: UnsupportedError,
    10: OutOfMemory,
    12: DivisionError,
    13: InternalError,
    14: RankError,
}

#: Those of mistakes of statements that are no kind of the library: a coordinate outside of a tensor.
_MISTAKES: dict[str, type[Error]] = {"SE0303": BoundsError}

_INTERRUPTED = 11


def make(
    kind: int, message: str, suggestion: str, text: str, line: int, column: int, code: str = ""
) -> BaseException:
    """Makes the exception of an error of the library."""
    if kind == _INTERRUPTED:
        return KeyboardInterrupt()
    # The library counts columns in bytes of UTF-8.
    before = text.encode()[: max(column - 1, 0)].decode(errors="ignore")
    position = len(before) + 1 if column > 0 else 0
    known = _KINDS.get(kind, InternalError)
    if text:
        known = _MISTAKES.get(code, known)
    return known(message, suggestion, text, line, position, code)


def kind_of(error: Error) -> int:
    """The number by which the library knows an error (strata_error_code)."""
    return next((kind for kind, type_ in _KINDS.items() if isinstance(error, type_)), 13)


for _name in __all__:
    globals()[_name].__module__ = "strata"
