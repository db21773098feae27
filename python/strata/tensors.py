"""Tensors: what they are, what they hold, and which other formats and types they have."""

from __future__ import annotations

import operator
import os
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union, cast

from . import _core, conversion, dtypes, export, machines, recording
from .assignments import Target
from .deferral import Deferred
from .errors import ArgumentError, CopyError, ShapeError
from .exchange import Exchange
from .formats import Format, to_core
from .indexing import Indexing
from .layouts import permuted_text, split_top
from .linear_operators import LinearOperator
from .masks import Mask, Update
from .methods import Methods
from .operators import Operators
from .reductions import Reductions

if TYPE_CHECKING:
    from .machines import Machine, Piece
    from .pictures import Picture

#: Flags of tensors made from arrays that are used where they are.
ADOPT = _core.STRATA_ADOPT


class Level:
    """A level of a tensor's storage. Its arrays (``pos``, ``crd``, ...) are attributes: arrays of
    NumPy that share the tensor's memory and cannot be written to."""

    __slots__ = ("_arrays", "_tensor", "name")
    __module__ = "strata"

    def __init__(self, tensor: "_core.Tensor", name: str, arrays: dict[str, int]) -> None:
        self._tensor = tensor
        self._arrays = arrays
        #: The level format: "dense", "compressed", ...
        self.name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._arrays:
            raise AttributeError(f"a {self.name} level has no array '{name}'")
        return export.array_of(self._tensor, self._arrays[name])

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._arrays]

    def __repr__(self) -> str:
        return f"<level {self.name}: {', '.join(self._arrays) or 'no arrays'}>"


class Tensor(
    _core.Exporter, Operators, Reductions, Methods, LinearOperator, Indexing, Exchange
):
    """A tensor in any format. Its elements change by statements that are assigned to it, only.

    Tensors come from :func:`asarray`, :func:`from_coo`, :func:`from_buffers`, :func:`read`, and
    from computations.
    """

    __slots__ = ("__weakref__", "_core", "_deferred")
    __module__ = "strata"
    __array_priority__ = 1000.0
    __hash__ = None  # type: ignore[assignment]

    #: The handle; missing as long as a deferred statement has not been computed.
    _core: "_core.Tensor"
    _deferred: Optional[Deferred]

    def __getattr__(self, name: str) -> Any:
        """Computes what is deferred when the handle is first asked for."""
        if name != "_core":
            raise AttributeError(f"a tensor has no attribute '{name}'", name=name, obj=self)
        deferred = self._deferred
        if deferred is None:  # another thread has computed it meanwhile
            return object.__getattribute__(self, name)
        return deferred.compute(self)

    def __init__(self, *arguments: object) -> None:
        raise TypeError("tensors are made by asarray, from_coo, from_buffers, read, ...")

    # ---- What it is ----

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        deferred = self._deferred
        return self._core.shape if deferred is None else deferred.shape

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements, stored or not."""
        count = 1
        for size in self.shape:
            count *= size
        return count

    @property
    def dtype(self) -> Any:
        """The element type, a dtype of NumPy."""
        deferred = self._deferred
        return dtypes.numpy_dtype((self._core if deferred is None else deferred).format.type)

    @property
    def format(self) -> Format:
        """How it is stored, with the widths of its arrays."""
        return Format._of_core(self._core.format)

    @property
    def fill(self) -> Union[bool, int, float, complex]:
        """The value of the elements that are not stored."""
        core = self._core.format
        return export.number_of(core.fill, core.type)

    @property
    def nnz(self) -> int:
        """The number of stored values, padding included; of a tensor in pieces, those of this
        process."""
        return self._core.stored

    @property
    def nbytes(self) -> int:
        """The bytes of all arrays; of a tensor in pieces, those of this process. What lies around these for
        the values of neighbours (a halo) is not part of them."""
        return self._core.bytes

    @property
    def itemsize(self) -> int:
        """The bytes of one value."""
        return int(self.dtype.itemsize)

    @property
    def device(self) -> str:
        """Where it lies: "cpu"."""
        return "cpu"

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels of the storage, from the root, with their arrays.

        >>> import strata as st
        >>> A = st.from_coo(([0, 2, 2], [1, 0, 3]), [1.0, 3.0, 4.0], (3, 4), "CSR")
        >>> A.levels[1].pos
        array([0, 1, 1, 3], dtype=int32)
        >>> A.levels[1].crd
        array([1, 0, 3], dtype=int32)
        """
        core = self._core.format
        arrays: list[dict[str, int]] = [{} for _ in core.levels]
        for index, (name, level, _) in enumerate(core.arrays):
            if level >= 0:
                arrays[level][name] = index
        return tuple(map(Level, [self._core] * len(arrays), core.levels, arrays))

    @property
    def values(self) -> Any:
        """The stored values where they lie, padding included: a NumPy array of one dimension that
        shares the tensor's memory and cannot be written to."""
        return export.array_of(self._core, len(self._core.format.arrays) - 1)

    @property
    def machine(self) -> Optional["Machine"]:
        """The machine that has its pieces; None if each process has it whole."""
        core = None if self._deferred is not None else self._core.machine
        return None if core is None else machines.Machine._of_core(core)

    @property
    def pieces(self) -> tuple["Piece", ...]:
        """What the cells of this process have of it: the cell, the coordinates, and a tensor that
        shares the memory; none if each process has it whole."""
        return machines.pieces_of(self._core)

    def gather(self) -> "Tensor":
        """Returns the tensor whole, on each process. Collective if it is in pieces; else it is
        itself."""
        return self if self._core.machine is None else wrap(machines.whole_of(self._core))

    def compute(self) -> "Tensor":
        """Computes the statement that was assigned to the tensor, if nobody has read it yet, or a
        lazy tensor."""
        if recording.is_pending(self._core):
            self._core = cast(Any, self._core).computed
        return self

    @property
    def structural(self) -> Mask:
        """The elements that are stored, as a mask; ``~M.structural``: those that are not."""
        return Mask(self._core, True, False)

    def update(
        self, mask: Any = None, accum: Optional[str] = None, replace: bool = False
    ) -> Target:
        """Returns what statements are assigned to so that they change some elements only:
        ``C.update(mask=M)[i, k] = A[i, j] * B[j, k]``.

        Args:
            mask: Its elements that are not zero take part; ``M.structural``: those that it stores;
                ``~M`` and ``~M.structural``: the others.
            accum: How a new value is combined with what the tensor holds: "plus", "minus", "times",
                "min", "max", "any", "lor" or "land".
            replace: Whether elements that take no part are emptied.
        """
        return Target(self, Update.of(mask, accum, replace))

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape)) or "scalar"
        later = self._core if self._deferred is None else self._deferred
        if isinstance(later, Deferred) or recording.is_pending(later):
            core = later.format
            name = _short(core.name)
            return f"<strata.Tensor {shape} {dtypes.NAMES[core.type]} {name}, not computed yet>"
        core = self._core.format
        fill = "" if core.is_full else f", fill {_plain(self.fill)}"
        here = "" if core.machine is None else " here"
        return (
            f"<strata.Tensor {shape} {dtypes.NAMES[core.type]} {_short(core.name)}, "
            f"{self.nnz} stored{here}, {_bytes_text(self.nbytes)}{fill}>"
        )

    def _repr_html_(self) -> str:
        if self._deferred is not None or recording.is_pending(self._core):
            return f"<pre>{_escape(repr(self))}</pre>"
        core = self._core.format
        rows = [
            ("shape", " × ".join(map(str, self.shape)) or "scalar"),
            ("dtype", dtypes.NAMES[core.type]),
            ("format", _short(core.name)),
            ("stored", f"{self.nnz} of {self.size}"),
            ("memory", _bytes_text(self.nbytes)),
            ("fill", str(_plain(self.fill))),
        ]
        cells = "".join(
            f"<tr><th style='text-align:left'>{name}</th>"
            f"<td style='text-align:left'>{_escape(value)}</td></tr>"
            for name, value in rows
        )
        return f"<table>{cells}</table>"

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a scalar has no length")
        return self.shape[0]

    # ---- Other formats and types ----

    def asformat(
        self,
        format: Union[str, Format],
        copy: Optional[bool] = None,
        *,
        machine: Optional["Machine"] = None,
    ) -> "Tensor":
        """Returns the same elements in another format. Collective if the tensor or the format is
        one of pieces: what lies elsewhere then is sent there.

        Args:
            format: Widths that it leaves open are chosen by the tensor.
            copy: False: never copy; True: always copy; None: only if the format differs.
            machine: The machine that the format names, unless the tensor is on it. A tensor that is
                on none is taken to be the same on all ranks.

        Raises:
            CopyError: The format differs, and ``copy`` is False.
            FormatError: The format does not fit the tensor.
        """
        core = self._core.format
        wanted = to_core(format, core.order, core.type)
        if self._core.machine is not None or wanted.machine is not None:
            if copy is False:
                raise CopyError("a tensor comes onto a machine, or from it, by a copy only")
            return wrap(machines.place(self._core, wanted, machine))
        converted = self._core.convert(wanted)
        if converted.is_same(self._core):
            return self.copy() if copy else self
        if copy is False:
            raise CopyError(f"a tensor in {core.name} becomes one in {format} by a copy only")
        return wrap(converted)

    def astype(self, dtype: Any, copy: bool = True) -> "Tensor":
        """Returns the tensor with another element type. Its pattern is shared, not copied.

        Values are converted as NumPy does: without their fractions, or wrapped around, if the type
        asks for that.

        Args:
            dtype: The element type.
            copy: Whether a tensor that has the type already is copied.
        """
        code = dtypes.code_of(dtype)
        core = self._core.format
        if code == core.type:
            return self.copy() if copy else self
        if self._core.machine is not None:
            return wrap(machines.rewritten(self._core, range(self.ndim), code))
        return wrap(export.with_type(self._core, code))

    def copy(self) -> "Tensor":
        """Returns a copy with memory of its own."""
        return wrap(self._core.copy())

    def validate(self) -> None:
        """Checks every promise of the format.

        Raises:
            ArgumentError: A promise is broken; the message says which.
        """
        self._core.validate()

    def transpose(self, *axes: Any) -> "Tensor":
        """Returns the tensor with permuted dimensions, which shares all arrays. (One in pieces is
        copied, which is collective; its pieces stay where they are.)

        Args:
            axes: The dimension that becomes the first, the second, ...; reversed if left out or None.
        """
        if len(axes) == 1 and hasattr(axes[0], "__iter__") or axes == (None,):
            axes = () if axes[0] is None else tuple(axes[0])
        order = self.ndim
        if not all(hasattr(axis, "__index__") for axis in axes):
            raise ShapeError(f"{axes} is no permutation of {order} dimensions")
        chosen = tuple(axis + order if axis < 0 else axis for axis in axes) or tuple(
            range(order - 1, -1, -1)
        )
        if sorted(chosen) != list(range(order)):
            raise ShapeError(f"{axes} is no permutation of {order} dimensions")
        core = self._core.format
        if self._core.machine is not None:
            return wrap(machines.rewritten(self._core, chosen, core.type))
        text = permuted_text(core.text, chosen)
        if text is None:
            return self.asformat("COO").transpose(chosen)
        if recording.is_pending(self._core):
            format = to_core(text, order, core.type)
            return wrap(cast(Any, recording.transposed(self._core, chosen, format)))
        shape = self.shape
        arrays = [self._core.array(index) for index in range(len(core.arrays))]
        format = to_core(text, order, core.type)
        sizes = tuple(shape[axis] for axis in chosen)
        return wrap(_core.from_buffers(format, sizes, arrays, ADOPT, core.type))

    @property
    def T(self) -> "Tensor":
        """The tensor with its dimensions reversed, which shares all arrays."""
        return self.transpose()

    @property
    def mT(self) -> "Tensor":
        """The tensor with its last two dimensions exchanged, which shares all arrays."""
        if self.ndim < 2:
            raise ShapeError("a transposed matrix needs two dimensions")
        return self.transpose(*range(self.ndim - 2), self.ndim - 1, self.ndim - 2)

    # ---- Pictures and files ----

    def spy(
        self, where: Any = None, *, dims: Sequence[int] = (0, 1), size: int = 512
    ) -> Optional["Picture"]:
        """Draws where the entries lie: darker where there are more.

        Args:
            where: The name of a PNG file; axes of Matplotlib; None: the picture is returned, and a
                notebook shows it.
            dims: The dimension from the top down, and that from left to right.
            size: About how many pixels the longer side has, from 8 to 8192.

        Raises:
            ShapeError: The tensor has less than two dimensions.
            FileError: The file cannot be written.
        """
        from . import pictures

        return pictures.spy(self._core, where, dims, size)

    def draw_storage(self) -> str:
        """Returns the arrays of every level, and the tree of coordinates that they make, drawn in
        characters as Chou et al. (OOPSLA 2018) draw them. Of long ones the beginning is drawn.

        >>> import strata as st
        >>> A = st.from_coo(([0, 2, 2], [1, 0, 3]), [1.0, 3.0, 4.0], (3, 4), "CSR")
        >>> print(A.draw_storage())  # doctest: +SKIP
        """
        return self._core.draw_storage()

    def write(self, path: Any) -> None:
        """Writes a file in the format of its ending (.mtx, .tns, .npy, .npz, .bsp.h5, .parquet, ...).
        A tensor in pieces is written once, by rank 0; that is collective.

        Raises:
            FileError: The file cannot be written, or such files cannot hold the tensor.
        """
        from . import table_files, tables

        name = os.fspath(path)
        whole = machines.whole_of(self._core)
        on = self.machine

        def write() -> None:
            if table_files.has_ending(name):
                tables.write_table(name, wrap(whole))
            else:
                whole.write(name)

        if on is None:
            write()
        else:
            on.together(lambda: write() if on.rank == 0 else None)

    def to_device(self, device: Any, /, *, stream: Any = None) -> "Tensor":
        """Returns the tensor, which is on the only device, "cpu"."""
        conversion.check_device(device)
        if stream is not None:
            raise ArgumentError("the processor has no streams")
        return self

    def __copy__(self) -> "Tensor":
        return wrap(self._core)

    def __deepcopy__(self, memo: Any) -> "Tensor":
        return self.copy()

    # ---- Scalars ----

    def item(self, *at: Any) -> Union[bool, int, float, complex]:
        """Returns the only element as a number of Python's.

        Args:
            at: The number of another element, counted row by row, or its coordinates.

        Raises:
            ShapeError: There are several elements, or none.
        """
        if at:
            key = at[0] if len(at) == 1 and isinstance(at[0], tuple) else at
            of = self.ravel() if len(key) == 1 else self
            return cast("Tensor", of[tuple(map(operator.index, key))]).item()
        if self.size != 1:
            raise ShapeError(f"one element is needed, not {self.size}")
        whole = machines.whole_of(self._core)
        number = whole.item()
        if number is None:
            found: Union[bool, int, float, complex] = export.to_numpy(whole, True, None).item()
            return found
        return number

    def _scalar(self) -> Any:
        if self.shape:
            raise TypeError(f"a tensor with {self.ndim} dimensions is not a number")
        return self.item()

    def __bool__(self) -> bool:
        return bool(self._scalar())

    def __int__(self) -> int:
        return int(self._scalar())

    def __float__(self) -> float:
        core = self._core
        number: Any = None if core.shape or core.machine is not None else core.item()
        return float(self._scalar() if number is None else number)

    def __complex__(self) -> complex:
        return complex(self._scalar())

    def __index__(self) -> int:
        if not dtypes.is_integer(self._core.format.type):
            raise TypeError("only a tensor of integers is an index")
        return int(self._scalar())


_new = object.__new__


def wrap(core: "_core.Tensor") -> Tensor:
    """Makes the tensor of a handle."""
    made = _new(Tensor)
    made._core = core
    made._deferred = None
    return made


def _plain(number: Union[bool, int, float, complex]) -> Any:
    if isinstance(number, float) and number.is_integer():
        return int(number)
    return number


def _short(name: str) -> str:
    """A format's name as repr shows it: "{CSR, pos = 32, crd = 32}" is CSR(pos=32, crd=32)."""
    if not (name.startswith("{") and name.endswith("}")):
        return name
    base, *options = split_top(name[1:-1])
    widths = [option.strip().replace(" = ", "=") for option in options if "fill" not in option]
    return f"{base}({', '.join(widths)})" if widths else base


def _bytes_text(count: int) -> str:
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 10_000 or unit == "GB":
            break
        count = round(count / 1000)
    return f"{count} {unit}"


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
