"""Settings of the process: threads and memory."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator, Optional

from . import _core


def set_num_threads(count: Optional[int]) -> None:
    """Lets at most so many threads compute at once, in the whole process.

    Args:
        count: The number of threads; None or 0: as many as the machine lets the process have.
    """
    if count is not None and count < 0:
        raise ValueError("a number of threads is not negative")
    _core.set_threads(count or 0)


def get_num_threads() -> int:
    """Returns how many threads compute at once, at most."""
    return _core.threads()


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Lets at most so many threads compute at once, in the whole process, inside a with block.

    >>> import strata as st
    >>> with st.threads(1):
    ...     st.get_num_threads()
    1
    """
    before = _core.threads()
    set_num_threads(count)
    try:
        yield
    finally:
        _core.set_threads(before)


def limit_memory(count: Optional[int]) -> None:
    """Lets no computation take more memory than so many bytes, its result included.

    A computation that would take more raises :class:`OutOfMemory`.

    Args:
        count: Bytes; None: as many as there are.
    """
    _core.limit_memory(-1 if count is None else count)
