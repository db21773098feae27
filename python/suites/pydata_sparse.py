"""Runs the tests of PyData sparse with Strata's tensors behind its names.

    PYTHONPATH=build/python python python/suites/pydata_sparse.py [ARGUMENTS OF PYTEST]

The package ``sparse`` (0.19) must be installed: its tests come with it. What they import is
replaced by modules made here: functions are Strata's, and COO, DOK, GCXS, CSR and CSC make tensors
in formats of these names. Methods and attributes that PyData's arrays have and tensors have not are added to
tensors here, in terms of what tensors have. Results are compared by their shapes, element types and
values. Which elements are stored is not compared, since a tensor keeps entries that happen to be
equal to the fill value, and neither is whether the result is sparse, which Strata chooses, nor
the words of errors.
"""

import importlib.util
import os
import pathlib
import sys
import types
import zlib

import numpy as np
import pytest
import scipy.sparse

import outcomes
import strata as st

outcomes.ignore_words()

#: Tests of what PyData sparse does inside, or of settings and packages of its own.
INTERNAL = (
    "test_coo_numba.py",
    "test_dask_interop.py",
    "test_compressed_convert.py",
    "test_namespace.py",
    "test_cach",
    "test_cache_csr",
    "test_flatten_order_cache",
    "test_html_for_size_zero",
    "test_check_zero_fill_value",
    "test_warn_on_too_dense",
    "test_successful_densification",
    "test_setting_into_numpy_slice",
    "test_empty_index_arrays_can_be_passed_to_numba",
    "test_mixed_index_dtypes",
    "test_large_basic_slice_avoids_dense_column_selector",
    "test_change_compressed_axes",
    "test_gcxs_slicing",
    "test_empty_column_slice_preserves_readonly_input",
    "test_convert_format",
    "test_sizeof",
    "test_sparse_broadcasting",
    "test_dense_broadcasting",
    "test_get_nodes_low_ndim",
)

default_rng = np.random.default_rng(0)


# ---- The classes ----


class Kind(type):
    """The class of COO and the like: any tensor is an instance of each, since Strata itself chooses
    the format of a result, and makes it dense where most of its elements are there."""

    def __instancecheck__(cls, x):
        return isinstance(x, st.Tensor)

    def __call__(cls, *arguments, **options):
        return cls.make(*arguments, **options)


def format_of(name, order, axes=None):
    """The format that a class of PyData sparse stands for."""
    if order == 0:
        return "Dense"
    if name == "COO" or order == 1:
        return "COO"
    if order == 2 and name in ("CSR", "CSC", "GCXS"):
        return "CSC" if name == "CSC" or axes is not None and tuple(axes) == (1,) else "CSR"
    return "DOK" if name == "DOK" else "CSF"


def filled(format, fill):
    """The format with another fill value."""
    if fill is None or fill == 0 or format == "Dense":
        return format
    return st.Format(format).with_(fill=fill)


def with_fill(dense, fill, format):
    """The tensor of an array whose elements are stored unless they are the fill."""
    dense = np.asarray(dense)
    if not dense.ndim:
        return st.asarray(dense)
    where = np.nonzero(~((dense == fill) | (dense != dense) & (fill != fill)))
    format = filled(format, number(fill, dense.dtype))
    return st.from_coo(where, dense[where], dense.shape, format, dtype=dense.dtype)


def number(fill, dtype):
    """A fill value as the text of formats has it."""
    value = np.asarray(fill).astype(dtype).item()
    return int(value) if isinstance(value, bool) else value


class SparseArray(metaclass=Kind):
    """What the classes have in common: arrays, tensors and SciPy's arrays are converted."""

    todense = st.Tensor.todense

    @classmethod
    def make(cls, x=None, *others, shape=None, fill_value=None, prune=False, **options):
        idx_dtype = options.pop("idx_dtype", None)
        axes = options.pop("compressed_axes", None)
        name = cls.__name__
        if isinstance(x, st.Tensor):
            if shape is not None and tuple(shape) != x.shape:
                raise ValueError("the shape is another one")
            if fill_value is not None and fill_value != x.fill:
                raise ValueError("the fill value is another one")
            return x.asformat(filled(format_of(name, x.ndim, axes), number(x.fill, x.dtype)))
        if scipy.sparse.issparse(x):
            return st.asarray(x).asformat(format_of(name, 2, axes))
        if idx_dtype is not None and np.max(np.shape(x), initial=0) > np.iinfo(idx_dtype).max:
            raise ValueError("coordinates do not fit the type")
        dense = np.asarray(x)
        fill = np.zeros((), dense.dtype)[()] if fill_value is None else fill_value
        return with_fill(dense, fill, format_of(name, dense.ndim, axes))

    @classmethod
    def from_numpy(cls, x, fill_value=None, **options):
        return cls.make(np.asarray(x), fill_value=fill_value, **options)

    @classmethod
    def from_scipy_sparse(cls, x, fill_value=None, **options):
        made = cls.make(x, **options)
        if fill_value is None or fill_value == 0:
            return made
        i, j = x.tocoo().row, x.tocoo().col
        format = filled(format_of(cls.__name__, 2), number(fill_value, x.dtype))
        return st.from_coo((i, j), x.tocoo().data, x.shape, format)

    @classmethod
    def from_coo(cls, x, **options):
        return cls.make(x, **options)


class COO(SparseArray):
    @classmethod
    def make(cls, coords=None, data=None, shape=None, **options):
        fill = options.get("fill_value")
        options.pop("has_duplicates", None), options.pop("sorted", None), options.pop("cache", None)
        if isinstance(coords, (dict, list)) and data is None and coords:
            first = next(iter(coords))
            if isinstance(coords, dict) or isinstance(first, tuple) and len(first) == 2:
                return cls.from_iter(coords, shape, fill_value=fill)
        if data is None and isinstance(coords, tuple) and len(coords) == 2:
            data, coords = coords
        if data is None:
            return SparseArray.make.__func__(cls, coords, shape=shape, **options)
        coords, data = np.asarray(coords), np.asarray(data)
        if coords.ndim == 1 and coords.size:
            coords = coords[None]
        if data.ndim > 1:
            raise ValueError("data must have one dimension")
        if shape is None:
            shape = tuple(int(one.max()) + 1 for one in coords)
        shape = tuple(np.atleast_1d(shape).tolist()) if np.ndim(shape) or shape != () else ()
        if len(coords) and len(shape) != len(coords):
            raise ValueError("shape of `coords` and `shape` differ")
        if len(coords) and data.ndim and data.shape != coords[0].shape:
            raise ValueError("the data length is another one than that of `coords`")
        values = np.broadcast_to(data, coords.shape[1:]) if not data.ndim else data
        if not shape:
            empty = values.dtype.type(0 if fill is None else fill)
            return st.asarray(values.sum(dtype=values.dtype) if values.size else empty)
        if coords.size == 0:
            coords = np.zeros((len(shape), 0), "int64")
        return from_entries(coords, values, shape, fill, "COO", options.get("prune"))

    @classmethod
    def from_iter(cls, x, shape=None, fill_value=None, dtype=None):
        if isinstance(x, dict):
            x = list(x.items())
        if not isinstance(x, tuple):
            pairs = [(np.atleast_1d(at), value) for at, value in x]
            x = ([value for _, value in pairs], np.array([at for at, _ in pairs]).T)
        values, coords = np.asarray(x[0], dtype=dtype), np.asarray(x[1])
        order = len(coords) if shape is None else np.size(shape)
        if coords.size and coords.dtype.kind not in "iu":
            raise ValueError("coordinates must be integers")
        if coords.size and len(coords) != order:
            raise ValueError("coordinates have another number of dimensions")
        coords = coords.reshape(order, -1) if order else np.zeros((0, 1), "int64")
        return cls.make(coords, values, shape, fill_value=fill_value)


def from_entries(coords, values, shape, fill, format, prune=False):
    """The tensor of some entries."""
    made = st.from_coo(
        tuple(coords),
        values,
        shape,
        filled(format, None if fill is None else number(fill, values.dtype)),
    )
    return st.eliminate_zeros(made) if prune else made


class DOK(SparseArray):
    @classmethod
    def make(cls, shape=None, data=None, dtype=None, fill_value=None):
        if not isinstance(shape, (int, tuple)):
            return SparseArray.make.__func__(cls, shape, fill_value=fill_value)
        shape = (shape,) if isinstance(shape, int) else shape
        values = list((data or {}).values())
        if dtype is None:
            dtype = np.result_type(*map(np.asarray, values)) if values else "float64"
        format = filled(format_of("DOK", len(shape)), fill_value)
        made = st.tensor(shape, format, dtype=dtype)
        for at, value in (data or {}).items():
            made[at] = value
        return made

    @staticmethod
    def to_coo(x):
        return COO(x)


class GCXS(SparseArray):
    @classmethod
    def make(cls, x=None, shape=None, fill_value=None, compressed_axes=None, **options):
        if isinstance(x, tuple):
            return from_arrays(*x, shape, compressed_axes, fill_value)
        options["compressed_axes"] = compressed_axes
        return SparseArray.make.__func__(cls, x, shape=shape, fill_value=fill_value, **options)


def from_arrays(data, indices, indptr, shape, axes, fill):
    """The tensor of the arrays of a GCXS of one or two dimensions, which are those of a sparse vector, CSR or
    CSC."""
    if len(shape) > 2:
        raise st.UnsupportedError("there are no linearized columns")
    if len(shape) == 1:
        indptr = [0, len(indices)] if indptr is None else indptr
        return st.from_buffers("SparseVector", shape, (indptr, indices, data))
    if axes is None:
        if len(indptr) - 1 not in shape:
            raise ValueError("the positions are those of no dimension")
        axes = (shape.index(len(indptr) - 1),)
    format = filled(format_of("GCXS", 2, axes), fill)
    return st.from_buffers(format, shape, (indptr, indices, data))


class CSR(GCXS):
    @classmethod
    def make(cls, arg=None, **options):
        if isinstance(arg, str):
            raise ValueError("something with a shape is needed")
        if not scipy.sparse.issparse(arg) and np.ndim(arg) != 2:
            raise ValueError(f"{np.ndim(arg)}-d arrays are not matrices")
        return GCXS.make.__func__(cls, arg, **options)


class CSC(CSR):
    pass


KINDS = {"coo": COO, "dok": DOK, "gcxs": GCXS, "csr": CSR, "csc": CSC}


def kind_of(format):
    return KINDS[format] if isinstance(format, str) else format


def convert_format(format):
    """The name of a format that is given by a name or by a class."""
    return format if isinstance(format, str) else format.__name__.lower()


# ---- Attributes and methods of tensors ----


def listed(x):
    return (
        x
        if x.ndim and x.format.without_widths() == st.Format("COO")
        else x.asformat(filled("COO", number(x.fill, x.dtype)))
    )


def coords_of(x):
    found = np.zeros((0, 1), "int64")
    if x.ndim:
        found = np.stack([level.crd for level in listed(x).levels]).astype("int64")
    found.flags.writeable = False
    return found


def data_of(x):
    return x.values if x.ndim == 0 or x.format.levels[0] != "dense" else listed(x).values


def to_scipy_sparse(x, accept_fv=0):
    fills = (0 if accept_fv is None else accept_fv,)
    if not any(x.fill == fill or x.fill != x.fill and fill != fill for fill in fills):
        raise ValueError(f"fill_value={x.fill} but should be in {fills}.")
    if x.fill == 0:
        return x.to_scipy()
    at = listed(x)
    return scipy.sparse.coo_array(
        (at.values, tuple(level.crd for level in at.levels)), shape=x.shape
    )


own_transpose = st.Tensor.transpose


def transpose(x, *given, axes=None, copy=False):
    turned = own_transpose(x, *given) if given else own_transpose(x, axes)
    return turned.copy() if copy else turned


own_asformat = st.Tensor.asformat


def asformat(x, format, copy=None, **options):
    if isinstance(format, Kind) or isinstance(format, str) and format in KINDS:
        return kind_of(format).make(x, **options)
    return own_asformat(x, format, copy, **options)


def add_to_tensors():
    """Adds what PyData's arrays have under other names, or alone."""
    tensor = st.Tensor
    added = {
        "fill_value": property(lambda x: np.asarray(x.fill).astype(x.dtype)[()]),
        "coords": property(coords_of),
        "data": property(data_of),
        "density": property(lambda x: x.nnz / x.size),
        "indices": property(lambda x: x.levels[-1].crd),
        "indptr": property(lambda x: x.levels[-1].pos),
        "compressed_axes": property(lambda x: (0,)),
        "transpose": transpose,
        "to_scipy_sparse": to_scipy_sparse,
        "tocsr": lambda x: x.to_scipy("csr"),
        "tocsc": lambda x: x.to_scipy("csc"),
        "tocoo": lambda x: COO(x),
        "to_coo": lambda x: COO(x),
        "asformat": asformat,
        "broadcast_to": lambda x, shape: st.broadcast_to(x, shape),
        "enable_caching": lambda x: None,
        "_cache": None,
        "isinf": lambda x: st.isinf(x),
        "isnan": lambda x: st.isnan(x),
    }
    for name, value in added.items():
        setattr(tensor, name, value)


# ---- The functions ----


def sparse_made(function):
    """A function that makes arrays, whose result is sparse here."""

    def make(*arguments, format="coo", **options):
        made = function(*arguments, **options)
        return kind_of(format).make(made) if format else made

    make.__name__ = function.__name__
    return make


def eye(n, M=None, k=0, **options):
    return st.eye(n, M, k=k, **options)


def full(shape, fill_value, dtype=None, format="coo", order="C", **options):
    name = kind_of(format).__name__
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    dtype = np.asarray(fill_value).dtype if dtype is None else dtype
    if options.get("device") not in (None, "cpu"):
        return st.full(shape, fill_value, **options)
    if not shape:
        return st.asarray(fill_value, dtype=dtype)
    return st.tensor(
        shape, filled(format_of(name, len(shape)), number(fill_value, dtype)), dtype=dtype
    )


def full_like(x, fill_value, dtype=None, shape=None, format=None, **options):
    format = "coo" if format is None else format
    return full(
        x.shape if shape is None else shape, fill_value, dtype or x.dtype, format, **options
    )


def random(
    shape,
    density=None,
    nnz=None,
    random_state=None,
    data_rvs=None,
    format="coo",
    fill_value=None,
    idx_dtype=None,
    **options,
):
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    size = int(np.prod(shape, dtype=np.int64))
    if density is not None and nnz is not None:
        raise ValueError("density and nnz exclude each other")
    density = 0.01 if density is None else density
    if not 0 <= density <= 1 or nnz is not None and not 0 <= nnz <= size:
        raise ValueError("there are not as many elements")
    if idx_dtype is not None and max(shape) > np.iinfo(idx_dtype).max:
        raise ValueError("coordinates do not fit the type")
    rng = default_rng if random_state is None else np.random.default_rng(random_state)
    nnz = int(size * density) if nnz is None else nnz
    at = np.sort(rng.choice(size, nnz, replace=False)) if size else np.zeros(0, "int64")
    values = np.asarray((data_rvs or rng.random)(nnz))
    if not shape:
        return st.asarray(values[0] if nnz else 0.0)
    made = from_entries(np.unravel_index(at, shape), values, shape, fill_value, "COO")
    return kind_of(format).make(made, **options) if format is not COO else made


def random_value_array(value, fraction):
    def draw(count):
        values = default_rng.random(count)
        values[: int(count * fraction)] = value
        return values

    return draw


def asarray(x, /, *, dtype=None, format="coo", copy=None, device=None):
    if device is not None and device != "cpu":
        return st.asarray(x, device=device)
    made = x if isinstance(x, st.Tensor) else kind_of(format).make(x)
    made = made if dtype is None else made.astype(dtype)
    return made.copy() if copy else made


def diagonal(x, offset=0, axis1=0, axis2=1):
    return np.diagonal(x, offset, axis1, axis2)


def diagonalize(x, axis=0):
    x = st.asarray(x)
    labels = list(range(x.ndim))
    unit = st.eye(x.shape[axis], dtype=x.dtype)
    return st.einsum(x, labels, unit, [labels[axis], x.ndim], [*labels, x.ndim])


def dot(a, b):
    return product(np.dot(a, b), a, b)


def tensordot(a, b, axes=2, *, return_type=None):
    found = st.tensordot(a, b, axes)
    if return_type in (None, np.ndarray):
        return found.todense() if return_type else product(found, a, b)
    return return_type(found)


def product(found, *operands):
    """A product as PyData has it: an array if one of the operands is."""
    is_array = any(type(one) is np.ndarray for one in operands)
    return found.todense() if is_array and isinstance(found, st.Tensor) else found


def elemwise(function, *operands, dtype=None, **options):
    return function(*operands, **options)


def where(condition, *choices):
    if len(choices) == 1:
        raise ValueError("either both choices or none")
    return st.where(condition, *choices) if choices else st.nonzero(condition)


def asnumpy(x, dtype=None, order=None):
    return np.asarray(x.todense() if isinstance(x, st.Tensor) else x, dtype=dtype)


def through_numpy(name):
    """A function that Strata has by NumPy's protocol."""

    def call(*arguments, **options):
        return getattr(np, name)(*arguments, **options)

    call.__name__ = name
    return call


def save_npz(path, x, compressed=True):
    if not isinstance(x, st.Tensor):
        raise ValueError(f"Cannot save array of type {type(x).__name__}")
    st.write(os.fspath(path), x)


def equivalent(x, y, loose=False):
    return np.equal(x, y) | (np.not_equal(x, x) & np.not_equal(y, y))


def assert_eq(x, y, check_nnz=True, compare_dtype=True, **kwargs):
    """Compares shapes, element types and values."""
    assert x.shape == y.shape
    if compare_dtype:
        assert x.dtype == y.dtype
    for tensor in (x, y):
        if isinstance(tensor, st.Tensor):
            tensor.validate()
    xx, yy = (one.todense() if hasattr(one, "todense") else one for one in (x, y))
    if np.asarray(xx).dtype.kind in "fc" or np.asarray(yy).dtype.kind in "fc":
        are_close = np.isclose(xx, yy, equal_nan=True, **kwargs)
        assert are_close.all(), outcomes.what_differs(xx, yy, are_close)
    else:
        assert np.array_equal(xx, yy), "values differ"


#: Functions of NumPy's name that the protocol of NumPy gives.
OF_NUMPY = (
    "argwhere nanmax nanmean nanmin nanprod nansum outer isposinf isneginf interp pad "
    "flip repeat tile roll diff"
)

RENAMED = {
    "concatenate": "concat",
    "bitwise_not": "bitwise_invert",
    "as_coo": "asarray",
    "asCOO": "asarray",
}


def replaced(names):
    """The functions of the module ``sparse`` by name."""
    found = {}
    for name in names:
        if name in RENAMED:
            found[name] = getattr(st, RENAMED[name])
        elif name in OF_NUMPY.split():
            found[name] = through_numpy(name)
        elif hasattr(st, name):
            found[name] = getattr(st, name)
    for name in "zeros ones empty".split():
        found[name] = sparse_made(getattr(st, name))
    found["eye"] = sparse_made(eye)
    found["unstack"] = lambda x, axis=0: st.unstack(x, axis=axis)
    found |= {kind.__name__: kind for kind in (SparseArray, COO, DOK, GCXS)}
    found |= {
        one.__name__: one for one in (full, full_like, random, asarray, diagonal, diagonalize)
    }
    found |= {
        one.__name__: one for one in (dot, tensordot, elemwise, where, asnumpy, save_npz)
    }
    found["ones_like"] = lambda x, **options: full_like(x, 1, **options)
    found["zeros_like"] = lambda x, **options: full_like(x, 0, **options)
    found["empty_like"] = lambda x, **options: full_like(x, 0, **options)
    found["squeeze"] = lambda x, axis=None: np.squeeze(x, axis)
    found["sum"], found["mean"] = np.sum, np.mean
    found["std"], found["var"] = np.std, np.var
    found["can_cast"] = lambda from_, to, casting="safe": np.can_cast(
        from_.dtype if isinstance(from_, st.Tensor) else from_, to, casting
    )
    found["as_coo"] = found["asCOO"] = lambda x, **options: COO(x, **options)
    found["load_npz"] = lambda path: st.read(os.fspath(path))
    for name in ("zeros_like", "ones_like", "empty_like"):
        found[name].__name__ = name
    return found


def install():
    """Puts the modules in the place of PyData's, and returns the folder of its tests."""
    spec = importlib.util.find_spec("sparse")
    if spec is None:
        sys.exit("the package sparse is not installed: its tests come with it")
    folder = pathlib.Path(spec.origin).parent / "numba_backend"
    source = (folder / "__init__.py").read_text()
    names = source[source.index("__all__ = sorted(") :] if "__all__ = sorted(" in source else source
    names = [part for part in names.split('"')[1::2] if part.isidentifier()]
    made = {}
    for path in (
        "sparse",
        "sparse.numba_backend",
        "sparse.numba_backend._utils",
        "sparse.numba_backend._settings",
        "sparse.numba_backend._compressed",
        "sparse.numba_backend._compressed.compressed",
        "sparse.numba_backend._compressed.indexing",
        "sparse.numba_backend._compressed.convert",
        "sparse.numba_backend.tests",
    ):
        made[path] = sys.modules[path] = types.ModuleType(path)
        made[path].__path__ = []
        parent, _, own = path.rpartition(".")
        if parent:
            setattr(made[parent], own, made[path])
    functions = replaced(names)
    for path in ("sparse", "sparse.numba_backend"):
        made[path].__dict__.update(functions, __all__=sorted(functions))
    made["sparse"]._compressed = made["sparse.numba_backend._compressed"]
    made["sparse"]._settings = made["sparse.numba_backend._settings"]
    classes = {"GCXS": GCXS, "CSR": CSR, "CSC": CSC}
    made["sparse.numba_backend._compressed"].__dict__.update(classes)
    made["sparse.numba_backend._compressed.compressed"].__dict__.update(classes)
    made["sparse.numba_backend._settings"].__dict__.update(NEP18_ENABLED=True, IS_NUMPY2=True)
    made["sparse.numba_backend._utils"].__dict__.update(
        {one.__name__: one for one in (assert_eq, random_value_array, equivalent)},
        default_rng=default_rng,
        assert_gcxs_slicing=lambda *arguments: None,
        html_table=None,
        check_zero_fill_value=None,
        convert_format=convert_format,
    )
    made["sparse"].__path__ = [str(folder.parent)]
    made["sparse.numba_backend.tests"].__path__ = [str(folder / "tests")]
    add_to_tensors()
    return folder / "tests"


class Repeatable:
    """Gives each test numbers of its own, the same in every run."""

    def pytest_runtest_setup(self, item):
        seed = zlib.crc32(item.name.encode())
        default_rng.bit_generator.state = np.random.default_rng(seed).bit_generator.state
        np.random.seed(seed)


class Deselect:
    """Leaves out the tests of what PyData sparse does inside."""

    def pytest_ignore_collect(self, collection_path):
        return True if collection_path.name in INTERNAL else None

    def pytest_collection_modifyitems(self, config, items):
        internal = [item for item in items if item.name.partition("[")[0].startswith(INTERNAL)]
        config.hook.pytest_deselected(items=internal)
        items[:] = [item for item in items if item not in internal]


if __name__ == "__main__":
    tests = install()
    given = [str(tests / one) if one.startswith("test_") else one for one in sys.argv[1:]]
    if not any("test_" in one for one in given):
        given.append(str(tests))
    options = [f"--rootdir={tests}", f"--confcutdir={tests}"]
    sys.exit(outcomes.run([*options, *given], Deselect(), Repeatable()))
