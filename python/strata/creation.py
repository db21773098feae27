"""Tensors from coordinates, from arrays, and from nothing."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Iterable, Optional, Sequence, Union

from . import _core, dtypes, handles
from .conversion import asarray, check_device, refuse_gradient
from .errors import (
    ArgumentError,
    CopyError,
    DTypeError,
    ShapeError,
    WidthError,
)
from .export import number_of
from .formats import Format, to_core

if TYPE_CHECKING:
    from .tensors import Tensor

Shape = Union[int, Sequence[int]]

#: The element type of tensors for which none is given.
_FLOAT64 = "float64"

_DUPLICATES = {"sum": _core.STRATA_SUM_DUPLICATES, "error": _core.STRATA_REFUSE_DUPLICATES}


def from_coo(
    coords: Any,
    values: Any,
    shape: Optional[Shape] = None,
    format: Union[str, Format, None] = None,
    *,
    dtype: Any = None,
    duplicates: str = "sum",
) -> "Tensor":
    """Returns a tensor with the entries at these coordinates, in any order. They are copied.
    Elements without an entry have the fill value of the format.

    >>> import strata as st
    >>> st.from_coo(([0, 2], [1, 0]), [1.5, 2.5], (3, 4), "CSR").todense()
    array([[0. , 1.5, 0. , 0. ],
           [0. , 0. , 0. , 0. ],
           [2.5, 0. , 0. , 0. ]])

    Args:
        coords: For each dimension the coordinates of all entries, counted from 0.
        values: The values of the entries, or one value for all.
        shape: The sizes; None: just as large as the coordinates need.
        format: The format of the result; None: COO, or COO-Duplicates for duplicates that are kept.
        dtype: The element type; None: that of the values.
        duplicates: What several entries at one place mean: their "sum", or an "error"; "keep" stores
            each of them, and their sum is the element. (Formats other than COO-Duplicates store
            their sum.)

    Raises:
        ShapeError: A coordinate lies outside of the shape.
        ArgumentError: There are duplicates, and they are an error.
        DTypeError: The values have fractions or imaginary parts, which ``dtype`` has not.
    """
    import numpy

    if duplicates not in (*_DUPLICATES, "keep"):
        raise ArgumentError(f'duplicates are "sum", "error" or "keep", not {duplicates!r}')
    columns = [numpy.atleast_1d(numpy.asarray(column)) for column in coords]
    for column in columns:
        if column.size and column.dtype.kind not in "iu":
            raise DTypeError(f"coordinates are integers of at most 64 bits, not {column.dtype}")
        if column.size and column.dtype == numpy.uint64 and column.max() >= 2**63 - 1:
            raise ShapeError(f"the coordinate {column.max()} lies beyond 2^63 - 2, the largest")
    stored = _values_of_entries(columns, values, dtype)
    sizes = (
        tuple(int(column.max()) + 1 if column.size else 0 for column in columns)
        if shape is None
        else to_shape(shape)
    )
    narrow = all(column.dtype == numpy.int32 for column in columns)
    width = numpy.int32 if narrow and max(sizes, default=2**31) < 2**31 else numpy.int64
    columns = [numpy.ascontiguousarray(column, width) for column in columns]
    if len(sizes) != len(columns):
        raise ShapeError(f"{len(columns)} lists of coordinates for {len(sizes)} dimensions")
    code = dtypes.code_of(stored.dtype)
    if duplicates == "keep":
        return _with_duplicates(columns, stored, sizes, format)
    target = to_core(format or "COO", len(sizes), code)
    arrays = (*columns, stored.view(numpy.uint16) if code == dtypes.BFLOAT16 else stored)
    return handles.wrap(_core.from_coordinates(target, sizes, arrays, _DUPLICATES[duplicates]))


def _values_of_entries(columns: list[Any], values: Any, dtype: Any) -> Any:
    """The values of entries, one for each of the coordinates in every column."""
    import numpy

    lengths = [column.shape for column in columns]
    if any(len(shape) != 1 or shape != lengths[0] for shape in lengths):
        written = ", ".join(map(str, lengths))
        raise ShapeError(f"the coordinates of all dimensions have one length, not {written}")
    count = len(columns[0]) if columns else 1
    try:
        stored = numpy.asarray(values)
        if dtype is not None:
            _check_kind(stored, _code(dtype))
            stored = numpy.asarray(values, dtypes.numpy_dtype(_code(dtype)))
        return numpy.ascontiguousarray(numpy.broadcast_to(stored, (count,)))
    except OverflowError as error:
        raise WidthError(f"a value does not fit its element type: {error}") from None
    except ValueError as error:
        raise ShapeError(f"the values are not one for each of {count} entries, nor one for all: {error}") from None


def _check_kind(values: Any, code: int) -> None:
    """Raises DTypeError if values would become those of an element type without their fractions, or
    imaginary parts."""
    needed = {"f": dtypes.FLOAT64, "c": dtypes.COMPLEX128}.get(values.dtype.kind, code)
    if values.size and dtypes.kind_of(code) < dtypes.kind_of(needed):
        raise DTypeError(
            f"{values.dtype} does not become {dtypes.NAMES[code]} by itself", "call astype()"
        )


def _with_duplicates(
    columns: list[Any], values: Any, sizes: tuple[int, ...], format: Union[str, Format, None]
) -> "Tensor":
    import numpy

    for dimension, (column, size) in enumerate(zip(columns, sizes)):
        if column.size and not (0 <= column.min() and column.max() < size):
            raise ShapeError(f"a coordinate lies outside of dimension {dimension}")
    order = numpy.lexsort(columns[::-1]) if columns else slice(None)
    pos = numpy.array([0, len(values)], columns[0].dtype if columns else numpy.int64)
    arrays = (pos, *[column[order] for column in columns], values[order])
    listed = Format("COO-Duplicates")
    if format is None or not columns:
        return from_buffers(listed, sizes, arrays)
    code = dtypes.code_of(values.dtype)
    core = to_core(format, len(sizes), code)
    if core.has_fill:
        listed = listed.with_(fill=number_of(core.fill, code))
    wanted = Format(format, len(sizes))
    if wanted.without_widths() != Format(listed, len(sizes)):
        return from_buffers(listed, sizes, arrays).asformat(format)
    words = []
    for array, limit, (name, _, kind) in zip(arrays, (len(values), *sizes), core.arrays):
        width = array.dtype if kind < 0 else dtypes.numpy_dtype(kind)
        if limit > numpy.iinfo(width).max:
            raise WidthError(f"{name} has numbers up to {limit}, more than {width} can hold")
        words.append(array.astype(width))
    return from_buffers(wanted, sizes, (*words, values[order]))


def from_dlpack(x: Any, /, *, device: Any = None, copy: Optional[bool] = None) -> "Tensor":
    """Returns a tensor with the elements of an array of any library that exports DLPack.

    >>> import numpy, strata as st
    >>> x = numpy.arange(3.0)
    >>> st.from_dlpack(x).shares_memory(x)
    True

    Args:
        x: An array on the processor.
        device: "cpu" or None.
        copy: False: never copy; True: always copy; None: only if needed.

    Raises:
        BufferError: It is on another device.
        CopyError: A copy is needed, and ``copy`` is False.
    """
    import numpy

    check_device(device)
    refuse_gradient(x)
    return asarray(numpy.from_dlpack(x), copy=copy)


def from_buffers(
    format: Union[str, Format],
    shape: Shape,
    buffers: Sequence[Any],
    *,
    copy: Optional[bool] = None,
    validate: bool = True,
) -> "Tensor":
    """Returns a tensor that uses the arrays of its storage where they lie.

    >>> import strata as st
    >>> st.Format("CSR").arrays
    (('pos', 1), ('crd', 1), ('values', -1))
    >>> st.from_buffers("CSR", (2, 3), ([0, 1, 2], [2, 0], [1.0, 2.0])).todense()
    array([[0., 0., 1.],
           [2., 0., 0.]])

    Args:
        format: Its arrays, level by level from the root, are listed by :attr:`Format.arrays`.
        shape: The sizes.
        buffers: One array of one dimension for each array of the format, the values last.
            Positions and coordinates are signed integers of 8, 16, 32 or 64 bits.
        copy: True: copy them; None: only if they have gaps; False: never.
        validate: Whether every promise of the format is checked. An array that breaks one without
            a check may end the process.

    Raises:
        ArgumentError: The arrays break a promise of the format; the message says which.
        CopyError: A copy is needed, and ``copy`` is False.
    """
    import numpy

    sizes = to_shape(shape)
    arrays = []
    for buffer in buffers:
        array = numpy.asarray(buffer)
        dtypes.code_of(array.dtype)
        if not (array.flags.c_contiguous and array.flags.aligned):
            if copy is False:
                raise CopyError("an array with gaps between its elements takes a copy")
            array = array.copy(order="C")
        arrays.append(array)
    if not arrays:
        raise ArgumentError("a tensor has at least an array of values")
    code = dtypes.code_of(arrays[-1].dtype)
    if code == dtypes.BFLOAT16:
        arrays[-1] = arrays[-1].view(numpy.uint16)
    flags = _core.STRATA_COPY if copy else _core.STRATA_ADOPT
    if validate:
        flags |= _core.STRATA_VALIDATE
    target = to_core(format, len(sizes), code)
    return handles.wrap(_core.from_buffers(target, sizes, arrays, flags, code))


def to_shape(shape: Shape) -> tuple[int, ...]:
    """Returns a shape, which may be given as the only size, as a tuple.

    Raises:
        ShapeError: A size is no integer, negative, or of more than 63 bits.
    """
    given = tuple(shape) if isinstance(shape, Iterable) else (shape,)
    sizes = []
    for size in given:
        try:
            sizes.append(operator.index(size))
        except TypeError:
            raise ShapeError(f"a size is an integer, not {size!r}") from None
        if not 0 <= sizes[-1] < 2**63:
            raise ShapeError(f"a size lies between 0 and 2^63 - 1, not at {size}")
    return tuple(sizes)


def _code(dtype: Any) -> int:
    return dtypes.code_of(dtype)


# ---- From nothing ----


def tensor(
    shape: Shape,
    format: Union[str, Format] = "Dense",
    *,
    dtype: Any = "float64",
    fill: Optional[Union[bool, int, float, complex]] = None,
) -> "Tensor":
    """Returns a tensor without entries: every element is the fill value.

    Args:
        shape: The sizes.
        format: The format.
        dtype: The element type.
        fill: The fill value; None: that of the format, or zero.
    """
    sizes = to_shape(shape)
    if fill is not None:
        format = Format(format).with_(fill=fill)
    return handles.wrap(_core.empty(to_core(format, len(sizes), _code(dtype)), sizes))


def zeros(
    shape: Shape,
    format: Union[str, Format] = "Dense",
    *,
    dtype: Any = None,
    device: Any = None,
) -> "Tensor":
    """Returns a tensor of zeros; a sparse one has no entries."""
    check_device(device)
    return tensor(shape, format, dtype=_FLOAT64 if dtype is None else dtype)


def empty(
    shape: Shape,
    format: Union[str, Format] = "Dense",
    *,
    dtype: Any = None,
    device: Any = None,
) -> "Tensor":
    """Returns a tensor whose elements nobody should read before they are assigned; they are zero."""
    check_device(device)
    return tensor(shape, format, dtype=_FLOAT64 if dtype is None else dtype)


def full(
    shape: Shape,
    fill_value: Union[bool, int, float, complex],
    format: Union[str, Format] = "Dense",
    *,
    dtype: Any = None,
    device: Any = None,
) -> "Tensor":
    """Returns a tensor that stores one value in every element.

    Args:
        shape: The sizes.
        fill_value: The value.
        format: The format; a sparse one stores every element, too. (:func:`tensor` makes tensors
            that store nothing, and have a fill value.)
        dtype: The element type; None: that of the value.
        device: "cpu" or None.

    Raises:
        DTypeError: The value is complex, and ``dtype`` is not.
    """
    import numpy

    check_device(device)
    code = _code(type(fill_value) if dtype is None else dtype)
    if type(fill_value) is int and dtypes.is_integer(code):
        dtypes.check_range(fill_value, code)
    if numpy.iscomplexobj(fill_value):
        _check_kind(numpy.ones(1, complex), code)
    array = numpy.full(to_shape(shape), fill_value, dtypes.numpy_dtype(code))
    dense = asarray(array)
    core = to_core(format, dense.ndim, code)
    if core.is_full:
        return dense.asformat(format)
    places = numpy.indices(array.shape).reshape(array.ndim, -1)
    return from_coo(places, array.reshape(-1), array.shape, format)


def ones(
    shape: Shape,
    format: Union[str, Format] = "Dense",
    *,
    dtype: Any = None,
    device: Any = None,
) -> "Tensor":
    """Returns a tensor that stores a one in every element."""
    check_device(device)
    return full(shape, 1, format, dtype=_FLOAT64 if dtype is None else dtype)


def random(
    shape: Shape,
    density: float = 0.01,
    format: Union[str, Format] = "COO",
    *,
    seed: Any = None,
    dtype: Any = "float64",
) -> "Tensor":
    """Returns a tensor with random entries at random places.

    >>> import strata as st
    >>> st.random((100, 100), 0.05, "CSR", seed=1).nnz
    500

    Args:
        shape: The sizes.
        density: The share of elements that are stored, from 0 to 1; their number is rounded.
        format: The format.
        seed: What :func:`numpy.random.default_rng` takes: the same seed, the same tensor.
        dtype: The element type. Real and complex values are uniform in (0, 1] in each part,
            integers from 1 to 9.
    """
    import numpy

    if not 0 <= density <= 1:
        raise ArgumentError(f"a density lies between 0 and 1, not at {density}")
    sizes = to_shape(shape)
    count = 1
    for size in sizes:
        count *= size
    if count >= 2**63:
        raise ShapeError("so many elements have no numbers of 64 bits")
    try:
        draw = numpy.random.default_rng(seed)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"{seed!r} is no seed: {error}") from None
    stored = int(round(density * count))
    places = (
        numpy.sort(draw.choice(count, stored, replace=False)) if stored else numpy.empty(0, int)
    )
    coords = numpy.unravel_index(places, sizes) if sizes else ()
    values = _random_values(draw, stored, _code(dtype))
    if not sizes:
        return asarray(values[:1].reshape(()) if stored else numpy.zeros((), values.dtype))
    return from_coo(coords, values, sizes, format)


def _random_values(draw: Any, count: int, code: int) -> Any:
    import numpy

    kind, type_ = dtypes.kind_of(code), dtypes.numpy_dtype(code)
    if kind == dtypes.kind_of(dtypes.BOOL):
        return numpy.ones(count, type_)
    if kind == dtypes.kind_of(dtypes.INT64):
        return draw.integers(1, 10, count).astype(type_)
    values = 1 - draw.random(count)
    if kind == dtypes.kind_of(dtypes.COMPLEX128):
        values = values + 1j * (1 - draw.random(count))
    return values.astype(type_)


def arange(
    start: Union[int, float],
    /,
    stop: Optional[Union[int, float]] = None,
    step: Union[int, float] = 1,
    *,
    dtype: Any = None,
    device: Any = None,
) -> "Tensor":
    """Returns the numbers from ``start`` up to ``stop``, which is left out, at equal distances.

    Args:
        start: The first number; if ``stop`` is left out, that is ``start``, and the first number 0.
        stop: What no number reaches.
        step: The distance.
        dtype: The element type; None: int64, or float64 if one of the others is a fraction.
        device: "cpu" or None.
    """
    import numpy

    check_device(device)
    if not step:
        raise ArgumentError("numbers at a distance of zero never end")
    first, end = (0, start) if stop is None else (start, stop)
    chosen = None if dtype is None else dtypes.numpy_dtype(_code(dtype))
    return asarray(numpy.arange(first, end, step, chosen))  # type: ignore[call-overload]


def linspace(
    start: Union[int, float, complex],
    stop: Union[int, float, complex],
    /,
    num: int = 50,
    *,
    dtype: Any = None,
    device: Any = None,
    endpoint: bool = True,
) -> "Tensor":
    """Returns so many numbers from ``start`` to ``stop`` at equal distances.

    Args:
        start, stop: The first number and the last.
        num: How many.
        dtype: The element type; None: float64, or complex128 if one of the others is complex.
        device: "cpu" or None.
        endpoint: Whether ``stop`` is the last one, or would be the next.

    Raises:
        DTypeError: One of them is complex, and ``dtype`` is not.
    """
    import numpy

    check_device(device)
    (num,) = to_shape(num)
    is_complex = numpy.iscomplexobj(start) or numpy.iscomplexobj(stop)
    own = complex if is_complex else float
    chosen = dtypes.numpy_dtype(_code(own if dtype is None else dtype))
    if is_complex:
        _check_kind(numpy.ones(1, complex), _code(chosen))
    return asarray(numpy.linspace(start, stop, num, endpoint, dtype=chosen))


# ---- Like others ----


def full_like(
    x: Any,
    /,
    fill_value: Union[bool, int, float, complex],
    format: Union[str, Format, None] = None,
    *,
    dtype: Any = None,
    device: Any = None,
) -> "Tensor":
    """Returns a tensor of the same shape that stores one value in every element.

    Args:
        x: A tensor, or what :func:`asarray` makes one of.
        fill_value: The value.
        format: The format; None: that of ``x``.
        dtype: The element type; None: that of ``x``.
        device: "cpu" or None.
    """
    check_device(device)
    like = asarray(x)
    chosen = like.dtype if dtype is None else dtype
    made = full(like.shape, fill_value, _format_like(like, format), dtype=chosen)
    return _placed_like(like, format, made)


def ones_like(
    x: Any,
    /,
    format: Union[str, Format, None] = None,
    *,
    dtype: Any = None,
    device: Any = None,
) -> "Tensor":
    """Returns a tensor of the same shape that stores a one in every element. Format and element
    type are those of ``x`` if they are left out."""
    check_device(device)
    return full_like(x, 1, format, dtype=dtype)


def zeros_like(
    x: Any,
    /,
    format: Union[str, Format, None] = None,
    *,
    dtype: Any = None,
    device: Any = None,
) -> "Tensor":
    """Returns zeros of the same shape; a sparse tensor has no entries. Format and element type are
    those of ``x`` if they are left out."""
    check_device(device)
    like = asarray(x)
    chosen = like.dtype if dtype is None else dtype
    made = tensor(like.shape, _format_like(like, format), dtype=chosen, fill=0)
    return _placed_like(like, format, made)


def empty_like(
    x: Any,
    /,
    format: Union[str, Format, None] = None,
    *,
    dtype: Any = None,
    device: Any = None,
) -> "Tensor":
    """Returns a tensor of the same shape whose elements nobody should read before they are
    assigned. Format and element type are those of ``x`` if they are left out."""
    check_device(device)
    like = asarray(x)
    chosen = like.dtype if dtype is None else dtype
    made = tensor(like.shape, _format_like(like, format), dtype=chosen)
    return _placed_like(like, format, made)


def _format_like(x: "Tensor", format: Union[str, Format, None]) -> Union[str, Format]:
    return x.format.without_places().without_widths() if format is None else format


def _placed_like(x: "Tensor", format: Union[str, Format, None], made: "Tensor") -> "Tensor":
    """A tensor that has been made on each process becomes one in pieces where `x` is."""
    if format is not None or x._core.machine is None:
        return made
    return made.asformat(x.format, machine=x.machine)
