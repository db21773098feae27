"""Runs SciPy's tests for all sparse formats with Strata's tensors.

    PYTHONPATH=build/python python python/suites/scipy_sparse.py [FORMAT [ARGUMENTS OF PYTEST]]

SciPy (1.17) must be installed with its tests. Its base tests, ``scipy/sparse/tests/test_base.py``,
make every array by a creator, ``spcreator``; here it makes a tensor in a format, CSR if none is
given, behind SciPy's names for methods. Results are handed to the tests as SciPy has them: an
element as a number of NumPy's, a dense result as an array, extremes along an axis as a sparse array, and a
tensor that a method returns as it is as the same object. Functions of SciPy's are given ``to_scipy("csc")``.
The words of errors and the last two bits of numbers are not compared, and element types that tensors
lack, such as ``float128``, are left out.
"""

import operator
import sys

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

import outcomes
import strata as st

outcomes.ignore_words()
from scipy.sparse.tests import test_base  # noqa: E402 (It asks for errors by their words.)

#: The format of the tensors that the creator makes.
FORMAT = sys.argv[1] if len(sys.argv) > 1 and __name__ == "__main__" else "CSR"

#: SciPy's name of it, by which tests choose what they ask for.
NAME = {"COO": "coo", "CSC": "csc", "DIA": "dia", "DOK": "dok"}.get(FORMAT, "csr")


def unwrapped(x):
    """The tensor in an array of these tests; anything else as it is."""
    if isinstance(x, Array):
        return x.tensor
    if isinstance(x, (tuple, list)):
        return type(x)(unwrapped(one) for one in x) if type(x) in (tuple, list) else x
    return x


def wrapped(x):
    """What SciPy gives instead of a tensor: a number, an array, or a sparse array."""
    if isinstance(x, tuple):
        return tuple(wrapped(one) for one in x)
    if not isinstance(x, st.Tensor):
        return x
    if not x.ndim:
        return x.todense()[()]
    return x.todense() if x.format.is_full else Array.of(x)


def tensor_of(x, shape=None, dtype=None):
    """The tensor that SciPy's constructors would make of their argument."""
    if isinstance(x, tuple) and all(isinstance(one, (int, np.integer)) for one in x):
        return st.tensor(x, FORMAT, dtype="float64" if dtype is None else dtype)
    if isinstance(x, tuple) and len(x) == 2:
        values, coords = x
        return st.from_coo(tuple(map(np.asarray, coords)), np.asarray(values, dtype), shape, FORMAT)
    if isinstance(x, tuple):
        x = scipy.sparse.csr_array(x, shape=shape)
    if not isinstance(x, st.Tensor):
        if not scipy.sparse.issparse(x):
            x = np.atleast_2d(np.asarray(x))
            x = scipy.sparse.coo_array(x) if x.ndim == 2 and x.dtype.kind not in "OUS" else x
        x = st.asarray(x)
    if x.format.without_widths() != st.Format(FORMAT):
        x = x.asformat(FORMAT)
    return x if dtype is None else x.astype(dtype, copy=False)


class Array:
    """A tensor with SciPy's names."""

    __array_priority__ = 1000.0
    __hash__ = None
    format = NAME

    def __init__(self, x, shape=None, dtype=None, copy=False, maxprint=None, blocksize=None):
        self.tensor = tensor_of(unwrapped(x), shape, dtype)
        if copy:
            self.tensor = self.tensor.copy()
        self.maxprint = 50 if maxprint is None else maxprint

    def _same(self, tensor):
        """This array if it is of the tensor, else one of it."""
        return self if tensor._core is self.tensor._core else Array.of(tensor)

    @classmethod
    def of(cls, tensor):
        made = cls.__new__(cls)
        made.tensor, made.maxprint = tensor, 50
        return made

    def __getattr__(self, name):
        if name in ("tensor",) or name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self.tensor, name)
        return called(found) if callable(found) else wrapped(found)

    # ---- SciPy's names ----

    def toarray(self, order=None, out=None):
        if out is not None:
            out[...] = self.tensor.todense()
            return out
        return np.array(self.tensor.todense(), order=order)

    todense = toarray

    def to_scipy(self, kind=None, copy=False):
        if kind == NAME:
            return self._same(self.tensor.asformat(FORMAT, copy=copy or None))
        return self.tensor.to_scipy(kind, True)

    def tocsr(self, copy=False):
        return self.to_scipy("csr", copy)

    def tocsc(self, copy=False):
        return self.to_scipy("csc", copy)

    def tocoo(self, copy=False):
        return self.to_scipy("coo", copy)

    def todok(self, copy=False):
        return self.to_scipy("coo").todok()

    def tolil(self, copy=False):
        return self.to_scipy("coo").tolil()

    def todia(self, copy=False):
        return self.to_scipy("coo").todia()

    def tobsr(self, blocksize=None, copy=False):
        return self.to_scipy("coo").tobsr(blocksize)

    def asformat(self, format, copy=False):
        return self if format in (None, NAME) else getattr(self, f"to{format}")()

    def transpose(self, axes=None, copy=False):
        return wrapped(self.tensor.transpose(axes))

    def multiply(self, other):
        other = unwrapped(other)
        return wrapped(st.multiply(self.tensor, other))

    def dot(self, other):
        other = unwrapped(other)
        return wrapped(self.tensor * other if np.ndim(other) == 0 else self.tensor @ other)

    def power(self, n, dtype=None):
        x = self.tensor if dtype is None else self.tensor.astype(dtype)
        return wrapped(x**n)

    def maximum(self, other):
        return wrapped(st.maximum(self.tensor, unwrapped(other)))

    def minimum(self, other):
        return wrapped(st.minimum(self.tensor, unwrapped(other)))

    def count_nonzero(self, axis=None):
        return wrapped(st.count_nonzero(self.tensor, axis=axis))

    def getnnz(self, axis=None):
        return self.tensor.nnz if axis is None else self.count_nonzero(axis)

    def diagonal(self, k=0):
        return np.asarray(st.diagonal(self.tensor, offset=k).todense())

    def trace(self, offset=0):
        return wrapped(st.trace(self.tensor, offset=offset))

    def nonzero(self):
        return wrapped(self.tensor.nonzero())

    def conjugate(self, copy=True):
        return wrapped(st.conj(self.tensor))

    conj = conjugate

    def astype(self, dtype, casting="unsafe", copy=True):
        return self._same(self.tensor.astype(dtype, copy=copy))

    def copy(self):
        return wrapped(self.tensor.copy())

    def reshape(self, *shape, order="C", copy=False):
        shape = shape[0] if len(shape) == 1 else shape
        return self._same(self.tensor.reshape(shape, order=order, copy=copy or None))

    def sum(self, axis=None, dtype=None, out=None):
        return reduced(self.tensor.sum, axis, out, dtype=dtype)

    def mean(self, axis=None, dtype=None, out=None):
        return reduced(self.tensor.mean, axis, out, dtype=dtype)

    def max(self, axis=None, out=None, *, explicit=False):
        return self._extreme("max", axis, out, explicit)

    def min(self, axis=None, out=None, *, explicit=False):
        return self._extreme("min", axis, out, explicit)

    def nanmax(self, axis=None, out=None, *, explicit=False):
        return self._extreme("nanmax", axis, out, explicit)

    def nanmin(self, axis=None, out=None, *, explicit=False):
        return self._extreme("nanmin", axis, out, explicit)

    def argmax(self, axis=None, out=None, *, explicit=False):
        return self._extreme("argmax", axis, out, explicit)

    def argmin(self, axis=None, out=None, *, explicit=False):
        return self._extreme("argmin", axis, out, explicit)

    def _extreme(self, name, axis, out, explicit):
        if out is not None:
            raise ValueError("sparse arrays have no out=")
        if explicit and name.startswith("arg"):
            raise st.UnsupportedError(f"{name} of the stored elements alone")
        reduce = getattr(np, name)
        found = of_stored(reduce, self.tensor, axis) if explicit else reduce(self.tensor, axis=axis)
        return wrapped(found) if not found.ndim or name.startswith("arg") else Array.of(found)

    def setdiag(self, values, k=0):
        rows, columns = self.tensor.shape
        length = min(rows + min(k, 0), columns - max(k, 0))
        values = np.asarray(values)
        if k >= columns or -k >= rows:
            raise ValueError("there is no such diagonal")
        length = length if not values.ndim else min(length, len(values))
        at = np.arange(length)
        self.tensor[at - min(k, 0), at + max(k, 0)] = values if not values.ndim else values[:length]

    def resize(self, *shape):
        shape = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        if len(shape) != self.tensor.ndim:
            raise ValueError("the number of dimensions does not change")
        part = self.tensor[tuple(map(slice, np.minimum(shape, self.tensor.shape)))]
        self.tensor = st.pad(part, [(0, new - old) for new, old in zip(shape, part.shape)])

    def eliminate_zeros(self):
        self.tensor = st.eliminate_zeros(self.tensor)

    def sum_duplicates(self):
        pass

    @property
    def shape(self):
        return self.tensor.shape

    @property
    def data(self):
        return self.tensor.values

    @property
    def indices(self):
        return self.tensor.levels[-1].crd

    @property
    def indptr(self):
        return self.tensor.levels[-1].pos

    @property
    def has_canonical_format(self):
        return True

    # ---- Protocols ----

    def __array_ufunc__(self, ufunc, method, *operands, **options):
        options = {name: unwrapped(value) for name, value in options.items()}
        return wrapped(getattr(ufunc, method)(*map(unwrapped, operands), **options))

    def __array_function__(self, function, types, arguments, options):
        given = [unwrapped(one) for one in arguments]
        return wrapped(function(*given, **{name: unwrapped(x) for name, x in options.items()}))

    def __getitem__(self, key):
        return wrapped(self.tensor[unwrapped(key)])

    def __setitem__(self, key, value):
        self.tensor[unwrapped(key)] = unwrapped(value)

    def __len__(self):
        raise TypeError("the length of a sparse array is ambiguous")

    def __bool__(self):
        if self.tensor.size != 1:
            raise ValueError("the truth value of an array is ambiguous")
        return bool(self.tensor.item())

    def __iter__(self):
        return (wrapped(row) for row in self.tensor)

    def __round__(self, ndigits=0):
        return wrapped(self.tensor.round(ndigits))


def of_stored(reduce, x, axis):
    """An extreme of the stored elements alone, and zero where there are none: all others become what any
    element is beyond."""
    lowest = reduce in (np.max, np.nanmax)
    whole = x.dtype.kind in "iu"
    ends = (np.iinfo(x.dtype).min, np.iinfo(x.dtype).max) if whole else (-np.inf, np.inf)
    end = ends[0 if lowest else 1]
    at = x.asformat("COO")
    dense = np.full(x.shape, end, x.dtype)
    dense[tuple(level.crd for level in at.levels)] = at.values
    found = reduce(st.asarray(dense), axis=axis)
    return st.where(found == end, st.asarray(x.dtype.type(0)), found)


def called(method):
    return lambda *arguments, **options: wrapped(
        method(*map(unwrapped, arguments), **{name: unwrapped(x) for name, x in options.items()})
    )


def reduced(method, axis, out, **options):
    if axis is not None and not isinstance(axis, (int, np.integer, tuple)):
        raise TypeError("an axis is an integer or a tuple")
    found = wrapped(method(axis, **options))
    found = found.toarray() if isinstance(found, Array) else found
    if out is None:
        return found
    if np.shape(out) != np.shape(found):
        raise ValueError("out has another shape")
    out[...] = found
    return out


def add_operators():
    """Gives the class the operators of tensors, in both directions."""
    for name in "add sub mul truediv floordiv mod pow matmul eq ne lt le gt ge and or xor".split():
        function = getattr(operator, f"__{name}__")

        def forward(self, other, function=function):
            return wrapped(function(self.tensor, unwrapped(other)))

        def backward(self, other, function=function):
            return wrapped(function(unwrapped(other), self.tensor))

        setattr(Array, f"__{name}__", forward)
        if name not in ("eq", "ne", "lt", "le", "gt", "ge"):
            setattr(Array, f"__r{name}__", backward)
            setattr(Array, f"__i{name}__", in_place(function))
    for name in ("neg", "pos", "abs", "invert"):
        function = getattr(operator, f"__{name}__")
        setattr(
            Array, f"__{name}__", lambda self, function=function: wrapped(function(self.tensor))
        )


def in_place(function):
    def update(self, other):
        result = function(self.tensor, unwrapped(other))
        self.tensor[...] = result.astype(self.tensor.dtype, copy=False)
        return self

    return update


add_operators()

BASE = test_base.sparse_test_class()


class TestStrata(BASE):
    """SciPy's base tests, of tensors."""

    spcreator = coo_container = Array
    math_dtypes = [np.bool_, np.int64, np.float64, np.complex128]


def assert_array_equal(x, y, *arguments, **options):
    """Compares arrays as NumPy does, but for the last two bits of fractions."""
    x, y = np.asarray(x), np.asarray(y)
    kinds = {x.dtype.kind, y.dtype.kind}
    if kinds & set("fc") and kinds <= set("fciub"):
        least = max(np.finfo(one.dtype).eps for one in (x, y) if one.dtype.kind in "fc")
        if x.shape == y.shape:
            are_close = np.isclose(x, y, 2 * least, 0, equal_nan=True)
            assert are_close.all(), outcomes.what_differs(x, y, are_close)
        np.testing.assert_allclose(x, y, 2 * least, 0, *arguments, **options)
    else:
        np.testing.assert_array_equal(x, y, *arguments, **options)


def share_memory(x, y):
    """Whether two arrays, of tensors or of SciPy, have memory in common."""
    one, other = (st.asarray(unwrapped(array)) for array in (x, y))
    return one.shares_memory(other)


def of_scipy(function):
    """A function of SciPy's, which is given its own sparse arrays; sparse results are tensors."""

    def call(x):
        found = function(x.tensor.to_scipy("csc") if isinstance(x, Array) else x)
        return Array(found) if scipy.sparse.issparse(found) else found

    return call


def prepare():
    """Makes the tests take arrays of this module for sparse ones, and leaves out the element types
    that tensors lack."""
    test_base.issparse = lambda x: isinstance(x, Array) or scipy.sparse.issparse(x)
    test_base.sparray = (Array, scipy.sparse.sparray)
    test_base.sparse_may_share_memory = share_memory
    test_base.assert_array_equal = assert_array_equal
    for name in ("splu", "expm", "inv"):
        setattr(test_base, name, of_scipy(getattr(scipy.sparse.linalg, name)))
    test_base.supported_dtypes = [
        one
        for one in test_base.supported_dtypes
        if np.dtype(one).name not in ("float128", "complex256", "longdouble", "clongdouble")
    ]


if __name__ == "__main__":
    prepare()
    TestStrata.init_class()
    TestStrata.is_array_test = True
    sys.modules["scipy_sparse"] = sys.modules["__main__"]
    sys.exit(outcomes.run([__file__, *sys.argv[2:]]))
