"""Settings of the process: threads, memory, the same bits, the cache of kernels."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Iterator, Optional, Union

from . import _core, plans
from .errors import ArgumentError, OutOfMemory

if TYPE_CHECKING:
    import os
    from types import EllipsisType as ellipsis


def set_num_threads(count: Optional[int]) -> None:
    """Lets at most so many threads compute at once, in the whole process. There are never more than
    the machine lets the process have.

    Args:
        count: The number of threads; None or 0: as many as the machine lets the process have.
    """
    if count is not None and count < 0:
        raise ArgumentError("a number of threads is not negative")
    _core.set_threads(min(count or 0, 2**31 - 1))


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


def config(
    *,
    max_memory: Union[int, None, "ellipsis"] = ...,
    deterministic: Union[bool, "ellipsis"] = ...,
    cache_dir: Union[str, "os.PathLike[str]", None, "ellipsis"] = ...,
) -> None:
    """Changes settings of the process. What is left out stays as it is: at first as the environment
    and the files strata.toml say.

    Args:
        max_memory: So many bytes a computation may take, its result included; one that would take
            more raises :class:`OutOfMemory`. None: as many as there are.
        deterministic: Whether results have the same bits on all processors. Those of one processor
            have so in any case, whatever the number of threads.
        cache_dir: The folder in which compiled kernels are kept; None: in none. At first it is that
            of the command line, or STRATA_CACHE_DIR.

    Raises:
        FileError: The folder cannot be used, or others than its owner can write to it.
    """
    global _deterministic, _max_memory
    if cache_dir is not ...:
        _core.keep_kernels(cache_dir)
    if max_memory is not ...:
        if max_memory is not None and max_memory < 0:
            raise ArgumentError(f"a number of bytes is not negative, as {max_memory} is")
        _core.limit_memory(-1 if max_memory is None else min(max_memory, 2**63 - 1))
        _max_memory = max_memory
    if deterministic is not ... and bool(deterministic) != _deterministic:
        _deterministic = bool(deterministic)
        plans.forget_all()


_deterministic = _core.setting_value("deterministic") == "true"
_given_memory = _core.setting_value("max-memory")
_max_memory: Optional[int] = int(_given_memory) if _given_memory else None


def is_deterministic() -> bool:
    """Whether statements that are compiled from now on give the same bits on all processors."""
    return _deterministic


def check_memory(bytes: int, what: str) -> None:
    """Refuses what takes more memory than the machine has, or than is allowed.

    Raises:
        OutOfMemory: It does.
    """
    import os

    most = _max_memory
    if most is None:
        most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if bytes > most:
        raise OutOfMemory(f"{what} takes {bytes} bytes; there are {most}")
