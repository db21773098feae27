"""Sparse tensors as lists of their entries, from which other sparse tensors are made in time and
memory proportional to what is stored."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Union

from . import dtypes, export, fills, hypersparse, machines
from .conversion import asarray
from .creation import from_coo
from .errors import DensifyError, ShapeError
from .formats import Format
from .layouts import layout_of

if TYPE_CHECKING:
    from .tensors import Tensor

Number = Union[bool, int, float, complex]


class Listed(NamedTuple):
    """The entries of a sparse tensor, in order of their coordinates, each place once."""

    #: The coordinates along each dimension.
    coordinates: tuple[Any, ...]
    values: Any
    shape: tuple[int, ...]
    #: The value of the elements that are not listed.
    fill: Number

    @classmethod
    def of(cls, x: "Tensor") -> "Listed":
        """Lists the entries of a tensor."""
        coordinates, values = export.entries_of(machines.whole_of(x._core))
        return cls(coordinates, values, x.shape, x.fill)

    @property
    def size(self) -> int:
        """The number of elements, listed or not."""
        return math.prod(self.shape)

    def kept(self, chosen: Any) -> "Listed":
        """Returns the entries for which an array of truth values holds."""
        coordinates = tuple(column[chosen] for column in self.coordinates)
        return self._replace(coordinates=coordinates, values=self.values[chosen])

    def numbers(self) -> Any:
        """The numbers of the entries' elements, counted row by row."""
        return numbers_of(self.coordinates, self.shape)

    def tensor(self, like: "Tensor", *others: "Tensor") -> "Tensor":
        """Makes a tensor of them.

        Args:
            like: A sparse tensor, whose format the result has if both have as many dimensions, unless that
                would take far more memory than the entries and the operands.
            others: The other operands, sparse, too.
        """
        if not self.shape:
            return asarray(self.values[0] if len(self.values) else _scalar(self))
        fill = checked_fill(self.fill, self.size - len(self.values))
        chosen = Format(self._format_like(like, *others))
        if fill or like._core.format.has_fill:
            chosen = chosen.with_(fill=fill if self.values.dtype.kind == "c" else fill.real)
        return from_coo(self.coordinates, self.values, self.shape, chosen)

    def _format_like(self, like: "Tensor", *others: "Tensor") -> Union[str, Format]:
        """The format of another tensor, else SparseVector, CSR, or COO where there are many more
        rows than entries."""
        if self.shape == like.shape:
            return like.format.without_places().without_widths()
        if len(self.shape) == like.ndim:
            layout = layout_of(like._core.format.text)
            # (Of tensors in pieces each process knows its own, and all choose the same format.)
            of_operands = sum(x.nbytes // 8 for x in (like, *others) if x.machine is None)
            stored = max(len(self.values), of_operands)
            if hypersparse.has_too_many_positions(layout, self.shape, stored):
                return "COO"
            return like.format.without_places().without_widths()
        if len(self.shape) == 1:
            return "SparseVector"
        has_few_rows = self.shape[0] <= hypersparse.MOST_PER_ENTRY * max(len(self.values), 1)
        return "CSR" if len(self.shape) == 2 and has_few_rows else "COO"


def _scalar(entries: Listed) -> Any:
    import numpy

    return numpy.asarray(entries.fill, entries.values.dtype)


def is_dense(x: "Tensor") -> bool:
    """Whether a tensor's format has a place for every element."""
    return x._core.format.is_full


def checked_fill(fill: Number, missing: int) -> Number:
    """Returns a fill value where so many elements are not stored; if none is missing, zero for one that
    no format has.

    Raises:
        DensifyError: Some are, and no format has it, as an integer of more than 53 bits.
    """
    if fills.is_written(fill):
        return fill
    if missing:
        raise DensifyError(
            f"the result would be {fill} wherever nothing is stored, which no sparse format can say",
            "asformat('Dense') makes the operand dense",
        )
    return 0


def is_much_larger(operands: Sequence["Tensor"], size: int) -> bool:
    """Whether a result that stores so many elements is much larger than the operands, of which one is
    sparse. Each process has all of them: of tensors in pieces it would know its own numbers, and not
    find what the others find."""
    most = hypersparse.most_elements(sum(x.nnz for x in operands))
    return size > most and not all(map(is_dense, operands))


def check_dense(operands: Sequence["Tensor"], size: int) -> None:
    """Raises DensifyError if a dense result of so many elements is much larger than the operands, of
    which one is sparse, and each process has all."""
    if is_much_larger(operands, size):
        raise refuse_larger()


def refuse_larger() -> DensifyError:
    """Returns the error of a result that is much larger than its operands."""
    return DensifyError(
        "the result would be dense, or nearly so, and much larger than the operands",
        "asformat('COO') makes a dense operand sparse, asformat('Dense') a sparse one dense",
    )


def is_stored_whole(x: "Tensor") -> bool:
    """Whether a tensor stores every element, whatever its format."""
    return is_dense(x) or x.nnz >= x.size and len(Listed.of(x).values) == x.size


def numbers_of(coordinates: Sequence[Any], shape: Sequence[int]) -> Any:
    """Returns the numbers of the elements at some coordinates, counted row by row.

    Raises:
        ShapeError: There are more elements than numbers of 64 bits.
    """
    import numpy

    if math.prod(shape) >= 2**63:
        raise ShapeError("so many elements have no numbers of 64 bits")
    numbers = numpy.zeros(len(coordinates[0]) if coordinates else 1, numpy.int64)
    for column, size in zip(coordinates, shape):
        numbers = numbers * size + column
    return numbers


def coordinates_of(numbers: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Returns the coordinates of elements with some numbers: the inverse of :func:`numbers_of`."""
    import numpy

    if not len(numbers) or not shape:
        return (numpy.empty(0, numpy.int64),) * len(shape)
    return numpy.unravel_index(numbers, shape)


def _in_order(columns: Sequence[Any], shape: Sequence[int]) -> tuple[Any, Any]:
    """The places of entries in order of their coordinates along some dimensions, equal ones as they are;
    and for each of these whether the one before it has other coordinates."""
    import numpy

    is_first = numpy.arange(len(columns[0])) == 0
    if math.prod(shape) < 2**63:
        numbers = numbers_of(columns, shape)
        order = numpy.argsort(numbers, kind="stable")
        columns = [numbers]
    else:  # more than there are numbers of 64 bits
        order = numpy.lexsort(columns[::-1])
    for column in columns:
        is_first[1:] |= numpy.diff(column[order]) != 0
    return order, is_first


class Groups(NamedTuple):
    """The entries of a sparse tensor by the fibers along some dimensions that they lie in."""

    #: The sizes of the dimensions that tell the fibers apart.
    shape: tuple[int, ...]
    #: The coordinates of each fiber that has entries, in order.
    coordinates: tuple[Any, ...]
    #: The number of each entry in the list, fiber by fiber.
    order: Any
    #: Where the entries of each fiber begin among those, and how many there are.
    starts: Any
    counts: Any
    #: How many elements a fiber has.
    extent: int

    @classmethod
    def of(cls, entries: Listed, axes: Sequence[int]) -> "Groups":
        """Finds the fibers along some dimensions."""
        import numpy

        kept = [at for at in range(len(entries.shape)) if at not in axes]
        shape = tuple(entries.shape[at] for at in kept)
        extent = math.prod(entries.shape[at] for at in axes)
        count = len(entries.values)
        if not kept:
            starts = numpy.zeros(min(count, 1), numpy.int64)
            return cls((), (), numpy.arange(count), starts, starts + count, extent)
        columns = [entries.coordinates[at] for at in kept]
        order, is_first = _in_order(columns, shape)
        starts = numpy.flatnonzero(is_first)
        counts = numpy.diff(starts, append=count)
        coordinates = tuple(column[order][starts].astype(numpy.int64) for column in columns)
        return cls(shape, coordinates, order, starts, counts, extent)

    def spread(self, of_each: Any) -> Any:
        """Repeats what belongs to each fiber for each of its entries."""
        import numpy

        return numpy.repeat(of_each, self.counts)

    def ranks(self) -> Any:
        """The number of each entry among those of its fiber."""
        import numpy

        return numpy.arange(len(self.order)) - self.spread(self.starts)

    def missing(self) -> Any:
        """How many elements of each fiber are not stored: integers of 64 bits, or Python's where these do
        not suffice."""
        return self.extent - (self.counts if self.extent < 2**63 else self.counts.astype(object))

    def is_missing(self) -> Any:
        """Whether each fiber has elements that are not stored."""
        return self.counts < self.extent

    def sums(self, values: Any) -> Any:
        """The sum of each fiber's values, which are given fiber by fiber."""
        import numpy

        return numpy.add.reduceat(values, self.starts) if len(self.starts) else values[:0]

    def tensor(self, values: Any, empty: Any, axes: Sequence[int], keepdims: bool) -> "Tensor":
        """Makes the tensor of one value for each fiber. It is dense, unless that would be much
        larger than what is stored.

        Args:
            values: The values of the fibers that have entries.
            empty: The value of the others, or an array that is broadcast to the result, which is dense then.
            axes: The dimensions that the fibers run along.
            keepdims: Whether these remain, with the size 1.
        """
        import numpy

        kept = list(self.shape)
        coordinates = list(self.coordinates)
        if keepdims:
            for axis in sorted(axes):
                kept.insert(axis, 1)
                coordinates.insert(axis, numpy.zeros(len(values), numpy.int64))
        size = math.prod(kept)
        if numpy.ndim(empty) or size <= hypersparse.most_elements(len(self.order)):
            array = numpy.full(kept, empty, values.dtype)
            if kept:
                array[tuple(coordinates)] = values
            elif len(values):
                array[()] = values[0]
            return asarray(array)
        empty = checked_fill(empty, size)
        format = Format("SparseVector" if len(kept) == 1 else "COO")
        chosen = format.with_(fill=empty) if empty else format
        return from_coo(coordinates, values, tuple(kept), chosen)


def refuse_dense(name: str, why: str, example: Optional[str] = None) -> DensifyError:
    """Returns the error of a function whose result has a value of its own for every element."""
    written = example or f"st.{name}(x.asformat('Dense'))"
    return DensifyError(f"{name} of a sparse tensor would be dense: {why}", f"write {written}")


def code_of(x: "Tensor") -> int:
    """The number of a tensor's element type."""
    return x._core.format.type


def is_real(x: "Tensor") -> bool:
    """Whether a tensor's elements are in order: they are not complex."""
    return dtypes.kind_of(code_of(x)) < dtypes.kind_of(dtypes.COMPLEX128)
