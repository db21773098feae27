"""Machines: grids of cells that the processes of a launcher have, and tensors in pieces on them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Sequence, TypeVar, Union

from . import _core, conversion, handles, statements
from .axes import integers_of
from .errors import ArgumentError, Error, kind_of
from .formats import Format, to_core
from .layouts import permuted_text
from .subscripts import access, index_names

if TYPE_CHECKING:
    from .tensors import Tensor

_T = TypeVar("_T")

#: The processes of each communicator, by its handle; None: those that the launcher has started.
_joined: dict[Optional[int], "_core.Ranks"] = {}


class Machine:
    """A grid of cells, which the processes that a launcher of MPI has started (ranks) have.

    Formats name it, and say which cell has what of a tensor (docs/Ranks.md): ``"CSR on M(i)"``.
    What is computed depends on the cells, and not on how many ranks have them; without a launcher
    one process has all. Calls that compute with tensors in pieces, or make them, are collective:
    every rank makes the same ones in the same order, and an error of one is an error of all.

    >>> import strata as st
    >>> M = st.Machine(2)
    >>> A = st.eye(4).asformat("CSR on M(i)", machine=M)
    >>> y = st.evaluate("y(i) = A(i,j) * x(j)", A=A, x=[1.0, 2.0, 3.0, 4.0], format="Dense on M(i)")
    >>> [piece.tensor.to_numpy().tolist() for piece in y.pieces]
    [[1.0, 2.0], [3.0, 4.0]]

    Args:
        cells: How many cells each axis has: a number, or a tuple of them; 0: as many as the ranks
            leave. If it is left out, one for each rank.
        name: What formats and schedules call it. Its axes are ``M.x``, ``M.y``, ...
        comm: A communicator of mpi4py, of which a duplicate is made; None: all processes of the
            launcher.
        deadline: How many seconds one rank waits for another; None: any time.

    Raises:
        RankError: The ranks cannot be joined.
    """

    __slots__ = ("_core",)
    __module__ = "strata"

    def __init__(
        self,
        cells: Union[int, Sequence[int], None] = None,
        *,
        name: str = "M",
        comm: Any = None,
        deadline: Optional[float] = None,
    ) -> None:
        axes = (0,) if cells is None else integers_of(cells)
        self._core: "_core.Machine" = _core.make_machine(_ranks_of(comm, deadline), name, axes)

    @classmethod
    def _of_core(cls, core: "_core.Machine") -> "Machine":
        made = cls.__new__(cls)
        made._core = core
        return made

    @property
    def name(self) -> str:
        """What formats call it."""
        return self._core.name

    @property
    def cells(self) -> tuple[int, ...]:
        """How many cells each axis has."""
        return self._core.cells

    @property
    def rank(self) -> int:
        """The number of this process."""
        return self._core.ranks.rank

    @property
    def size(self) -> int:
        """How many processes have its cells."""
        return self._core.ranks.size

    @property
    def library(self) -> str:
        """What carries messages: "Open MPI v4.1.4"; "none" where one process has all cells."""
        return self._core.ranks.library

    @property
    def sent_bytes(self) -> int:
        """The bytes that this process has sent to others so far, on all machines of its ranks."""
        return self._core.ranks.sent

    def together(self, body: Callable[[], _T]) -> _T:
        """Calls a function, and raises the exception of one rank on all: on those whose own call
        went well a :class:`RankError`. What each rank does by itself, such as reading a file, ends
        so on all ranks or on none. Collective.

        >>> import strata as st
        >>> st.Machine(2).together(lambda: 6 * 7)
        42
        """
        try:
            result = body()
        except BaseException as error:
            kind, message = 14, f"{type(error).__name__}: {error}"
            if isinstance(error, Error):
                mark = f" [{error.code}]" if error.code else ""
                kind, message = kind_of(error), error.message + mark
            self._core.ranks.settle(kind, message)
            raise
        self._core.ranks.settle(0, "")
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Machine):
            return NotImplemented
        own, others = self._core, other._core
        return (own.name, own.cells) == (others.name, others.cells)

    def __hash__(self) -> int:
        return hash((self.name, self.cells))

    def __repr__(self) -> str:
        cells = "x".join(map(str, self.cells))
        ranks = "" if self.size == 1 else f", rank {self.rank} of {self.size}"
        return f"<strata.Machine {self.name}: {cells} cells{ranks}>"


class Piece(NamedTuple):
    """What one cell has of a tensor."""

    #: The number of the cell, in row-major order of the machine's axes.
    cell: int
    #: The coordinates that it has of each dimension; if it is cut by entries, not all in between.
    ranges: tuple[range, ...]
    #: A tensor by itself, whose coordinates count from where the ranges begin.
    tensor: "Tensor"


Piece.__module__ = "strata"


def from_piece(
    piece: Any,
    format: Union[str, Format],
    machine: Machine,
    shape: Sequence[int],
    first: Union[int, Sequence[int]],
    dtype: Any = None,
) -> "Tensor":
    """Returns a tensor on a machine, of which each rank gives a part. Collective.

    >>> import strata as st
    >>> M = st.Machine(2)
    >>> A = st.from_piece(st.eye(3), "CSR on M(i)", M, shape=(3, 3), first=0)
    >>> [piece.ranges for piece in A.pieces]
    [(range(0, 2), range(0, 3)), (range(2, 3), range(0, 3))]

    Args:
        piece: What this rank has: a tensor, an array, or an array of SciPy; of which shape, is its
            own choice.
        format: The format of the result, with its places. What lies elsewhere then is sent there.
        machine: The machine that the format names.
        shape: The shape of the whole tensor, the same on all ranks.
        first: Where the part begins: its first row, or a coordinate of each dimension.
        dtype: The element type of the result; None: that of the part.
    """
    core = conversion.asarray(piece, dtype=dtype)._core
    sizes = integers_of(shape)
    begin = integers_of(first)
    if hasattr(first, "__index__"):
        begin = (*begin, *[0] * (len(sizes) - 1))
    target = to_core(format, len(sizes), core.format.type)
    return handles.wrap(_core.from_piece(machine._core, target, sizes, core, begin))


def pieces_of(core: "_core.Tensor") -> tuple[Piece, ...]:
    """The pieces that this process has of a tensor."""
    return tuple(
        Piece(cell, tuple(map(range, first, end)), handles.wrap(tensor))
        for cell, first, end, tensor in core.pieces()
    )


def whole_of(core: "_core.Tensor") -> "_core.Tensor":
    """The tensor, of which each process has all: it is brought together if it is in pieces."""
    if core.machine is None:
        return core
    format = core.format
    plain = Format._of_core(format).without_places()
    return core.place(to_core(plain, format.order, format.type), None)


def place(
    core: "_core.Tensor", format: "_core.Format", machine: Optional[Machine]
) -> "_core.Tensor":
    """The tensor in another format, where either is in pieces."""
    return core.place(format, None if machine is None else machine._core)


def rewritten(core: "_core.Tensor", axes: Sequence[int], code: int) -> "_core.Tensor":
    """A tensor in pieces with permuted dimensions, and another element type."""
    names = index_names(len(axes))
    format = Format._of_core(core.format)
    left = access("B", [names[axis] for axis in axes])
    # A map names the dimensions for the places behind it.
    map_ = permuted_text(format.without_places().map, tuple(axes))
    target = None if map_ is None else f"{map_} on {format.places}"
    return statements.run(f"{left} = {access('A', names)}", ("A",), [core], target, code)


# ---- Ranks ----


def _ranks_of(comm: Any, deadline: Optional[float]) -> "_core.Ranks":
    """The processes of a communicator, joined once."""
    key, address = (None, None) if comm is None else _handle_of(comm)
    ranks = _joined.get(key)
    if ranks is None:
        import atexit

        ranks = _joined[key] = _core.open_ranks(address, float(deadline or 0))
        # Before the interpreter ends, and before mpi4py ends MPI.
        atexit.register(ranks.close)
    return ranks


def _handle_of(comm: Any) -> tuple[int, int]:
    """The handle of a communicator of mpi4py, and the address of what holds it."""
    module = sys.modules.get("mpi4py.MPI")
    if module is None or not isinstance(comm, module.Comm):
        raise ArgumentError(
            f"a communicator is one of mpi4py, as MPI.COMM_WORLD, not {type(comm).__name__}"
        )
    return module._handleof(comm), module._addressof(comm)
