"""TACO's interface for Python: its programs run with `import strata.pytaco as pt`.

Names, arguments and results are as TACO documents them. A `tensor` holds a strata.Tensor, which
:func:`as_strata` returns.
"""

from __future__ import annotations

import builtins
import itertools
import numbers
import os
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, Sequence, Union

from . import conversion, creation, dtypes, einsums, files, functions, linalg, operators
from . import settings, statements
from .elementwise import maximum, minimum
from .element_types import bool as bool  # noqa: A004
from .element_types import float32 as float32
from .element_types import float64 as float64
from .element_types import int8 as int8
from .element_types import int16 as int16
from .element_types import int32 as int32
from .element_types import int64 as int64
from .element_types import uint8 as uint8
from .element_types import uint16 as uint16
from .element_types import uint32 as uint32
from .element_types import uint64 as uint64
from .errors import ArgumentError, CopyError, ShapeError, UnsupportedError
from .notation import Access, Expression, is_access, make_access
from .taco_formats import AnyFormat, format_of
from .taco_formats import CSC as CSC
from .taco_formats import CSR as CSR
from .taco_formats import Compressed as Compressed
from .taco_formats import Dense as Dense
from .taco_formats import as_np_dtype as as_np_dtype
from .taco_formats import compressed as compressed
from .taco_formats import csc as csc
from .taco_formats import csr as csr
from .taco_formats import default_mode as default_mode
from .taco_formats import dense as dense
from .taco_formats import format as format
from .taco_formats import is_dense as is_dense
from .taco_formats import mode_format as mode_format
from .taco_values import value_of
from .taco_values import abs as abs
from .taco_values import acos as acos
from .taco_values import acosh as acosh
from .taco_values import add as add
from .taco_values import asin as asin
from .taco_values import asinh as asinh
from .taco_values import atan as atan
from .taco_values import atan2 as atan2
from .taco_values import atanh as atanh
from .taco_values import cast as cast
from .taco_values import cos as cos
from .taco_values import cosh as cosh
from .taco_values import cube as cube
from .taco_values import cube_root as cube_root
from .taco_values import div as div
from .taco_values import eq as eq
from .taco_values import exp as exp
from .taco_values import ge as ge
from .taco_values import get_index_var as get_index_var
from .taco_values import get_index_vars as get_index_vars
from .taco_values import gt as gt
from .taco_values import heaviside as heaviside
from .taco_values import index_expression as index_expression
from .taco_values import index_var as index_var
from .taco_values import le as le
from .taco_values import log as log
from .taco_values import log10 as log10
from .taco_values import logical_not as logical_not
from .taco_values import lt as lt
from .taco_values import max as max
from .taco_values import min as min
from .taco_values import mul as mul
from .taco_values import ne as ne
from .taco_values import pow as pow
from .taco_values import remainder as remainder
from .taco_values import sin as sin
from .taco_values import sinh as sinh
from .taco_values import sqrt as sqrt
from .taco_values import square as square
from .taco_values import sub as sub
from .taco_values import sum as sum
from .taco_values import tan as tan
from .taco_values import tanh as tanh

if TYPE_CHECKING:
    from .tensors import Tensor

# ---- Tensors ----

_names = itertools.count()


class tensor:
    """A tensor of TACO.

    Args:
        arg1: A number, which makes a scalar, or a shape; None: an empty scalar.
        fmt: The format: one of :class:`format`, a list of mode formats, or one for all dimensions.
        dtype: The element type.
        name: A name, for messages.
    """

    __array_priority__ = 1000.0
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        arg1: Union[int, float, Sequence[int], None] = None,
        fmt: AnyFormat = compressed,
        dtype: Any = float32,
        name: Optional[str] = None,
    ) -> None:
        self.name = f"A{next(_names)}" if name is None else name
        self._inserted: list[tuple[tuple[int, ...], Any]] = []
        if isinstance(arg1, (list, tuple)):
            self._format = format_of(fmt, len(arg1))
            self._held = creation.tensor(tuple(arg1), self._format.stored(), dtype=dtype)
        elif arg1 is None or isinstance(arg1, numbers.Number):
            self._format = format()
            self._held = conversion.asarray(0 if arg1 is None else arg1, dtype=dtype)
        else:
            raise ArgumentError(f"{arg1!r} is neither a shape nor a number")

    @classmethod
    def _of(cls, x: "Tensor", fmt: AnyFormat, dtype: Any = None) -> "tensor":
        """Makes one of a strata.Tensor, in a format."""
        made = cls(x.shape if x.ndim else 0, fmt if x.ndim else (), x.dtype)
        held = x.asformat(made._format.stored())
        # (Statements that are assigned to one of them do not change the other.)
        made._held = +(held if dtype is None else held.astype(dtype, copy=False))
        return made

    @property
    def _tensor(self) -> "Tensor":
        """The elements, with what has been inserted."""
        if self._inserted:
            entries = self._inserted
            values = [value for _, value in entries]
            if self.order:
                coordinates = list(zip(*[where for where, _ in entries]))
                new = creation.from_coo(coordinates, values, self.shape, "COO", dtype=self.dtype)
            else:
                new = conversion.asarray(builtins.sum(values), dtype=self.dtype)
            total = (self._held + new).astype(self.dtype, copy=False)
            self._held, self._inserted = total.asformat(self._format.stored()), []
        return self._held

    @property
    def order(self) -> int:
        """The number of dimensions."""
        return self._held.ndim

    @property
    def shape(self) -> list[int]:
        """The size of each dimension."""
        return list(self._held.shape)

    @property
    def dtype(self) -> Any:
        """The element type."""
        return self._held.dtype

    @property
    def format(self) -> AnyFormat:
        """How it is stored."""
        return self._format

    def insert(self, coords: Sequence[int], val: Any) -> None:
        """Adds to the element at some coordinates."""
        where = tuple(int(coordinate) for coordinate in coords)
        if len(where) != self.order:
            raise ShapeError(f"{len(where)} coordinates for a tensor of {self.order} dimensions")
        for coordinate, size in zip(where, self._held.shape):
            if not 0 <= coordinate < size:
                raise ShapeError(f"the coordinates {where} are outside of {self.shape}")
        code = dtypes.code_of(self.dtype)
        if type(val) in statements.NUMBERS:
            dtypes.check_cast(dtypes.scalar_code(val, code), code)
        else:
            dtypes.check_cast(conversion.asarray(val)._core.format.type, code)
        self._inserted.append((where, val))

    # ---- Statements ----

    def __getitem__(self, key: Any) -> Any:
        if key is None:
            return Access(self._tensor, ()) if not self.order else self._refuse_none()
        if not self.order and key == 0 and type(key) is int:
            return self._tensor.item()
        key = tuple(key) if isinstance(key, list) else key
        if is_access(key):
            return make_access(self._tensor, key)
        found = self._tensor[key]
        if found.ndim:
            raise ShapeError("an element needs a coordinate for each dimension", "A[0, 1]")
        return found.item()

    def _refuse_none(self) -> Any:
        raise ShapeError("only a scalar is read as t[None]")

    def __setitem__(self, key: Any, value: Any) -> None:
        key = () if key is None else tuple(key) if isinstance(key, list) else key
        held = self._tensor
        if key == () and not self.order or is_access(key):
            held[key] = value_of(value)
            return
        raise ArgumentError("elements are assigned by index variables", "insert() adds to one")

    def pack(self) -> None:
        """Stores what has been inserted. (Reading does so, too.)"""
        self._tensor.compute()

    def compile(self) -> None:
        """Checks the statement that was assigned; it has been compiled then."""
        _ = self._tensor

    def assemble(self) -> None:
        """Makes the entries of the statement that was assigned, with their values."""
        self._tensor.compute()

    def compute(self) -> None:
        """Computes the statement that was assigned. (Reading does so, too.)"""
        self._tensor.compute()

    def evaluate(self) -> None:
        """Compiles, assembles and computes the statement that was assigned."""
        self._tensor.compute()

    def __iter__(self) -> Iterator[tuple[list[int], Any]]:
        """The coordinates and values of elements that are not zero."""
        if not self.order:
            value = self._tensor.item()
            return iter([([], value)] if value else [])
        found = self._tensor.asformat("COO").levels
        coordinates = [level.crd.tolist() for level in found]
        values = self._tensor.asformat("COO").values.tolist()
        return iter([(list(at), value) for *at, value in zip(*coordinates, values) if value])

    # ---- Others ----

    def transpose(
        self,
        new_ordering: Sequence[int],
        new_format: Optional[AnyFormat] = None,
        name: Optional[str] = None,
    ) -> "tensor":
        """Returns the tensor with its dimensions in another order, in a format."""
        fmt = self._format if new_format is None else new_format
        made = tensor._of(self._tensor.transpose(tuple(new_ordering)), fmt)
        made.name = made.name if name is None else name
        return made

    @property
    def T(self) -> "tensor":
        """The tensor with its dimensions reversed."""
        return self.transpose(range(self.order)[::-1])

    def copy(self) -> "tensor":
        """Returns a copy."""
        return tensor._of(self._tensor.copy(), self._format)

    def to_dense(self) -> "tensor":
        """Returns the tensor with all dimensions dense."""
        return tensor._of(self._tensor, dense)

    def to_array(self) -> Any:
        """Returns an array of NumPy."""
        return self._tensor.todense()

    toarray = to_array

    def __array__(self, dtype: Any = None, copy: Optional[builtins.bool] = None) -> Any:
        if copy is False:
            raise CopyError("the elements of a tensor of pytaco take a copy")
        found = self.to_array()
        return found if dtype is None else found.astype(dtype, copy=False)

    def to_sp_csr(self) -> Any:
        """Returns an array of SciPy in CSR."""
        return self._tensor.to_scipy("csr")

    def to_sp_csc(self) -> Any:
        """Returns an array of SciPy in CSC."""
        return self._tensor.to_scipy("csc")

    def remove_explicit_zeros(
        self, new_fmt: Optional[AnyFormat] = None, new_dtype: Any = None
    ) -> "tensor":
        """Returns the tensor without stored zeros."""
        return remove_explicit_zeros(self, new_fmt, new_dtype)

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape)) or "scalar"
        return f"<pytaco.tensor {self.name} {shape} {self.dtype} {self._format!r}>"

    def __abs__(self) -> "tensor":
        return tensor_abs(self)

    def __neg__(self) -> "tensor":
        return tensor_neg(self)


def as_strata(t: Any) -> "Tensor":
    """Returns the strata.Tensor of a tensor, or of what :func:`strata.asarray` takes."""
    return t._tensor if isinstance(t, tensor) else conversion.asarray(t)


def as_tensor(obj: Any, copy: builtins.bool = True) -> tensor:
    """Makes a tensor of an array of NumPy or SciPy, or of a number."""
    if isinstance(obj, tensor):
        return obj.copy() if copy else obj
    x = conversion.asarray(obj, copy=True if copy else None)
    if x.format.is_full:
        return tensor._of(x, dense)
    return tensor._of(x, csc if x.format.name == "CSC" else csr if x.ndim == 2 else compressed)


from_array = from_sp_csr = from_sp_csc = as_tensor


def to_array(t: tensor) -> Any:
    """Returns an array of NumPy."""
    return t.to_array()


def to_sp_csr(t: tensor) -> Any:
    """Returns an array of SciPy in CSR."""
    return t.to_sp_csr()


def to_sp_csc(t: tensor) -> Any:
    """Returns an array of SciPy in CSC."""
    return t.to_sp_csc()


def read(
    filename: Union[str, "os.PathLike[str]"], fmt: AnyFormat, pack: builtins.bool = True
) -> tensor:
    """Reads a tensor from a file, in a format."""
    return tensor._of(files.read(filename), fmt)


def write(filename: Union[str, "os.PathLike[str]"], t: tensor) -> None:
    """Writes a tensor to a file."""
    files.write(filename, t._tensor)


def remove_explicit_zeros(
    t: tensor, new_fmt: Optional[AnyFormat] = None, new_dtype: Any = None
) -> tensor:
    """Returns a tensor without stored zeros."""
    from .taking import eliminate_zeros

    found = t._tensor if is_dense(t.format) else eliminate_zeros(t._tensor)
    return tensor._of(found, t.format if new_fmt is None else new_fmt, new_dtype)


def as_type(t: tensor, type: Any) -> tensor:
    """Returns a tensor with another element type."""
    return tensor._of(t._tensor.astype(type), t.format)


# ---- Functions of tensors ----


def _of_tensors(
    name: str, compute: Callable[..., "Tensor"], code: Any = None
) -> Callable[..., tensor]:
    def evaluate(*operands: Any, out_format: AnyFormat = compressed, dtype: Any = code) -> tensor:
        given = list(operands)
        if given and isinstance(given[-1], (mode_format, format)):
            out_format = given.pop()
        return tensor._of(compute(*map(as_strata, given)), out_format, dtype)

    evaluate.__name__ = evaluate.__qualname__ = name
    evaluate.__doc__ = f"Computes {name.removeprefix('tensor_')} of tensors element by element."
    return evaluate


_binary = operators.binary
tensor_add = _of_tensors("tensor_add", lambda a, b: a + b)
tensor_sub = _of_tensors("tensor_sub", lambda a, b: a - b)
tensor_mul = _of_tensors("tensor_mul", lambda a, b: a * b)
tensor_div = _of_tensors("tensor_div", lambda a, b: a / b)
tensor_floordiv = _of_tensors("tensor_floordiv", lambda a, b: a // b, int64)
tensor_pow = _of_tensors("tensor_pow", lambda a, b: a**b)
tensor_max = _of_tensors("tensor_max", maximum)
tensor_min = _of_tensors("tensor_min", minimum)
tensor_gt = _of_tensors("tensor_gt", lambda a, b: a > b, bool)
tensor_ge = _of_tensors("tensor_ge", lambda a, b: a >= b, bool)
tensor_lt = _of_tensors("tensor_lt", lambda a, b: a < b, bool)
tensor_le = _of_tensors("tensor_le", lambda a, b: a <= b, bool)
tensor_eq = _of_tensors("tensor_eq", lambda a, b: a == b, bool)
tensor_ne = _of_tensors("tensor_ne", lambda a, b: a != b, bool)
tensor_atan2 = _of_tensors("tensor_atan2", lambda a, b: _binary("atan2({0}, {1})", a, b))
tensor_heaviside = _of_tensors(
    "tensor_heaviside", lambda a, b: _binary("heaviside({0}, {1})", a, b)
)
tensor_neg = _of_tensors("tensor_neg", lambda a: -a)
tensor_logical_not = _of_tensors("tensor_logical_not", lambda a: a == 0, bool)
tensor_cube = _of_tensors("tensor_cube", lambda a: a * a * a)
for _name in (
    "abs square sqrt exp log log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh"
).split():
    globals()[f"tensor_{_name}"] = _of_tensors(f"tensor_{_name}", getattr(functions, _name))
tensor_abs = _of_tensors("tensor_abs", functions.abs)
tensor_cube_root = _of_tensors("tensor_cube_root", functions.cbrt)


def tensor_sum(
    t1: Any, axis: Any = None, out_format: AnyFormat = default_mode, dtype: Any = None
) -> tensor:
    """Returns the sums along one dimension, several, or all."""
    axes = tuple(axis) if isinstance(axis, list) else axis
    return tensor._of(as_strata(t1).sum(axes), out_format, dtype)


def _product(name: str, compute: Callable[["Tensor", "Tensor"], "Tensor"]) -> Callable[..., tensor]:
    def multiply(
        t1: Any, t2: Any, out_format: AnyFormat = default_mode, dtype: Any = None
    ) -> tensor:
        return tensor._of(compute(as_strata(t1), as_strata(t2)), out_format, dtype)

    multiply.__name__ = multiply.__qualname__ = name
    multiply.__doc__ = f"Returns the {name} product of two tensors, as NumPy's function does."
    return multiply


def _dot(a: "Tensor", b: "Tensor") -> "Tensor":
    if not a.ndim or not b.ndim:
        return a * b
    return einsums.tensordot(a, b, ((a.ndim - 1,), (builtins.max(b.ndim - 2, 0),)))


def _inner(a: "Tensor", b: "Tensor") -> "Tensor":
    if not a.ndim or not b.ndim:
        return a * b
    return einsums.tensordot(a, b, ((a.ndim - 1,), (b.ndim - 1,)))


def _outer(a: "Tensor", b: "Tensor") -> "Tensor":
    from .manipulation import ravel

    return linalg.outer(ravel(a), ravel(b))


matmul = _product("matmul", operators.matmul)
inner = _product("inner", _inner)
dot = _product("dot", _dot)
outer = _product("outer", _outer)


def tensordot(
    t1: Any, t2: Any, axes: Any = 2, out_format: AnyFormat = default_mode, dtype: Any = None
) -> tensor:
    """Returns the product of two tensors, summed along some dimensions of both."""
    return tensor._of(einsums.tensordot(as_strata(t1), as_strata(t2), axes), out_format, dtype)


def evaluate(
    expr: str, *operands: Any, out_format: Optional[AnyFormat] = None, dtype: Any = None
) -> tensor:
    """Computes a statement in index notation of operands in the order of their names. If there is
    one more, the first is the result's tensor."""
    from . import spelling

    names = list(dict.fromkeys(spelling.operand_names(expr)))
    given = list(operands)
    if len(given) == len(names) + 1 and isinstance(given[0], tensor):
        out: tensor = given.pop(0)
        statements.evaluate(expr, *map(as_strata, given), out=out._tensor)
        return out
    found = statements.evaluate(expr, *map(as_strata, given), dtype=dtype)
    return tensor._of(found, dense if out_format is None else out_format)


def einsum(
    expr: str, *operands: Any, out_format: Optional[AnyFormat] = None, dtype: Any = None
) -> tensor:
    """Computes an Einstein sum, as NumPy's function does."""
    found = einsums.einsum(expr, *map(as_strata, operands), dtype=dtype)
    return tensor._of(found, dense if out_format is None else out_format)


def _operator(function: Callable[..., tensor], reflected: builtins.bool = False) -> Any:
    def operate(self: tensor, other: Any) -> tensor:
        made: tensor = function(other, self) if reflected else function(self, other)
        return made

    return operate


for _name, _computes in {
    "add": tensor_add,
    "sub": tensor_sub,
    "mul": tensor_mul,
    "truediv": tensor_div,
    "floordiv": tensor_floordiv,
}.items():
    setattr(tensor, f"__{_name}__", _operator(_computes))
    setattr(tensor, f"__r{_name}__", _operator(_computes, reflected=True))
for _name in "gt ge lt le eq ne pow".split():
    setattr(tensor, f"__{_name}__", _operator(globals()[f"tensor_{_name}"]))
setattr(tensor, "__matmul__", _operator(matmul))


# ---- Threads, and what there is not ----


def get_num_threads() -> int:
    """Returns how many threads compute at once, at most."""
    return settings.get_num_threads()


def set_num_threads(num_threads: int) -> None:
    """Lets at most so many threads compute at once."""
    settings.set_num_threads(num_threads)


def set_parallel_schedule(sched_type: str, chunk_size: int = 0) -> None:
    """Refuses: how loops are divided among threads is not OpenMP's here."""
    raise UnsupportedError("loops are divided by the compiler", "st.evaluate(..., schedule=...)")


def apply(func_name: str, arg_list: Any, output_zero_specifier: Any = None) -> Expression:
    """Refuses: functions in C are not compiled here."""
    raise UnsupportedError(
        "functions of a user's in C are not compiled", "a function of the language, or a semiring"
    )


def set_udf_dir(dir_to_search: str) -> None:
    """Refuses, as :func:`apply` does."""
    raise UnsupportedError("functions of a user's in C are not compiled")


#: Names of other modules that are used here.
_OTHERS = frozenset(
    """annotations AnyFormat Access Expression ArgumentError ShapeError UnsupportedError maximum minimum
    is_access make_access format_of value_of""".split()
)

__all__ = [
    _name
    for _name, _named in list(globals().items())
    if not _name.startswith("_")
    and _name not in _OTHERS
    and getattr(_named, "__module__", "") != "typing"
    and type(_named) not in (type(os), builtins.bool)
]
