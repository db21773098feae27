"""Functions of elements that the language does not have: NumPy computes them of what is stored and
of the fill values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Callable, Sequence, cast

from . import conversion, dtypes, export, fills, handles, machines, statements
from .errors import ShapeError
from .listed import (
    Listed,
    checked_fill,
    coordinates_of,
    is_dense,
    is_much_larger,
    is_stored_whole,
    numbers_of,
    refuse_larger,
)

if TYPE_CHECKING:
    from .tensors import Tensor


def map_values(function: Callable[[Any], Any], x: "Tensor") -> "Tensor":
    """Computes a function of NumPy element by element. A sparse result shares the pattern.

    Args:
        function: It takes an array and returns one of the same shape.
        x: The operand.

    Raises:
        DensifyError: The result would be an integer of more than 53 bits where nothing is stored.
    """
    return cast("Tensor", _mapped(function, x))


def _mapped(function: Callable[[Any], Any], x: "Tensor") -> Any:
    """Computes the only result of a function, or a tuple of several."""
    import numpy

    with numpy.errstate(all="ignore"):
        if is_dense(x):
            return _each(function(x.to_numpy()), conversion.asarray)
        core = fills.with_plain_entries(machines.whole_of(x._core))
        values = export.array_of(core, len(core.format.arrays) - 1)
        fill = numpy.full(1, x.fill, values.dtype)
        results = function(numpy.append(values, fill))

    def with_results(found: Any) -> "Tensor":
        fill = checked_fill(found[-1].item(), x.size - len(values))
        code = dtypes.code_of(found.dtype)
        return handles.wrap(fills.with_values(core, found[:-1], fill, code))

    return _each(results, with_results)


def _each(results: Any, make: Callable[[Any], "Tensor"]) -> Any:
    """Makes the tensor of what a function of NumPy returns, or of each of its results, a tuple then."""
    import numpy

    if isinstance(results, tuple):
        return tuple(make(numpy.asarray(one)) for one in results)
    return make(numpy.asarray(results))


def combine(function: Callable[..., Any], *operands: Any) -> "Tensor":
    """Computes a function of NumPy of several operands element by element, which are broadcast.

    The result of sparse tensors and numbers stores what any of the tensors stores. It is dense if
    an operand of some dimensions is. Where that would be much larger than the operands, it stores
    what a sparse operand does, if everything else has one value.

    Args:
        function: It takes as many arrays, and is computed element by element.
        operands: Tensors, numbers, or what :func:`asarray` takes.

    Raises:
        ShapeError: The operands cannot be broadcast.
        DensifyError: The result would be much larger than the operands; or it would be an integer of
            more than 53 bits where nothing is stored.
    """
    return cast("Tensor", _combined(function, operands))


def combine_to_several(function: Callable[..., Any], *operands: Any) -> tuple["Tensor", ...]:
    """Computes a function of NumPy that has several results, a tuple, at once. Arguments are those of
    :func:`combine`."""
    return cast("tuple[Tensor, ...]", _combined(function, operands))


def _combined(function: Callable[..., Any], operands: Sequence[Any]) -> Any:
    """Computes the only result of a function, or a tuple of several."""
    import numpy

    given = [handles.wrap(core).gather() for core in statements.cores_of(operands)]
    try:
        shape = numpy.broadcast_shapes(*(x.shape for x in given))
    except ValueError:
        shapes = " and ".join(str(x.shape) for x in given)
        raise ShapeError(f"operands with the shapes {shapes} cannot be broadcast") from None
    sparse = [x for x in given if not is_dense(x)]
    size = math.prod(shape)
    becomes_dense = not sparse or any(is_dense(x) and x.ndim for x in given)
    with numpy.errstate(all="ignore"):
        if is_much_larger(given, size if becomes_dense else _most_entries(sparse, size)):
            return _where_one_stores(function, given, shape)
        if becomes_dense:
            arrays = [_array(x, len(shape)) for x in given]
            return _each(function(*arrays), conversion.asarray)
        if len(sparse) == 1 and sparse[0].shape == shape:
            return _mapped(
                lambda values: function(*(values if x is sparse[0] else _array(x, 1) for x in given)),
                sparse[0],
            )
        return _of_union(function, given, shape)


def _most_entries(sparse: Sequence["Tensor"], size: int) -> int:
    """How many elements several sparse operands store, each repeated to so many elements."""
    return sum(x.nnz * (size // x.size) for x in sparse if x.size)


def _where_one_stores(
    function: Callable[..., Any], given: Sequence["Tensor"], shape: tuple[int, ...]
) -> Any:
    """Computes where one sparse operand of the result's shape stores something. The others store all of
    their elements.

    Raises:
        DensifyError: They do not, or they matter where the one stores nothing.
    """
    import numpy

    whole = [x for x in given if is_stored_whole(x)]
    others = [x for x in given if all(x is not one for one in whole)]
    repeated = math.prod(numpy.broadcast_shapes(*(x.shape for x in whole)))
    if len(others) != 1 or others[0].shape != shape or is_much_larger(given, repeated):
        raise refuse_larger()
    entries = Listed.of(others[0])
    fill = numpy.full((1,) * len(shape), entries.fill, entries.values.dtype)

    def call(of_other: Any, of_whole: Callable[["Tensor"], Any]) -> Any:
        return function(*(of_other if x is others[0] else of_whole(x) for x in given))

    def with_results(found: Any, elsewhere: Any) -> "Tensor":
        if fills.differing(elsewhere, elsewhere.flat[0]).any():
            raise refuse_larger()
        of_fill = elsewhere.flat[0].item() or 0  # (not -0)
        return Listed(entries.coordinates, found, shape, of_fill).tensor(others[0])

    found = call(entries.values, lambda x: _elements_at(x, entries.coordinates))
    elsewhere = call(fill, lambda x: _array(x, len(shape)))
    if isinstance(found, tuple):
        return tuple(map(with_results, found, elsewhere))
    return with_results(found, elsewhere)


def _elements_at(x: "Tensor", coordinates: Sequence[Any]) -> Any:
    """The elements of a tensor, which is repeated, at some coordinates of the result."""
    array = _array(x, 1)
    if array.size == 1:
        return array.reshape(1)
    own = coordinates[len(coordinates) - array.ndim :]
    return array[tuple(at if size > 1 else 0 * at for at, size in zip(own, array.shape))]


def _array(x: "Tensor", order: int) -> Any:
    """The elements of an operand. A scalar gets so many dimensions, since NumPy before 2 promotes
    scalars by their values."""
    array = x.to_numpy(allow_dense=True)
    return array if array.ndim else array.reshape((1,) * order)


def _of_union(
    function: Callable[..., Any], given: Sequence["Tensor"], shape: tuple[int, ...]
) -> Any:
    """Computes where any of several sparse operands stores something, and once where none does."""
    import numpy

    from .manipulation import broadcast_to

    lists: list[Any] = [None if is_dense(x) else Listed.of(broadcast_to(x, shape)) for x in given]
    numbers = [one and numbers_of(one.coordinates, shape) for one in lists]
    union = numpy.unique(numpy.concatenate([one for one in numbers if one is not None]))
    columns = []
    for x, entries, own in zip(given, lists, numbers):
        if entries is None:
            columns.append(_array(x, 1))
            continue
        # (The last element is what the operand has where it stores nothing.)
        column = numpy.full(len(union) + 1, entries.fill, entries.values.dtype)
        column[numpy.searchsorted(union, own)] = entries.values
        columns.append(column)
    sparse = [x for x in given if not is_dense(x)]
    coordinates = coordinates_of(union, shape)

    def with_results(found: Any) -> "Tensor":
        return Listed(coordinates, found[:-1], shape, found[-1].item()).tensor(*sparse)

    return _each(function(*columns), with_results)
