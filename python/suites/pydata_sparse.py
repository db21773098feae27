"""Runs the tests of PyData sparse with Strata's tensors behind its names.

    PYTHONPATH=build/python python python/suites/pydata_sparse.py [ARGUMENTS OF PYTEST]

The package ``sparse`` (0.19) must be installed: its tests come with it. What they import is
replaced by modules made here: functions are Strata's, and the classes those of ``pydata_classes``.
Results are compared by their shapes, element types and values. Which elements are stored is not
compared, since a tensor keeps entries that happen to be equal to the fill value, and neither is
whether the result is sparse, which Strata chooses, nor the words of errors.
"""

import importlib.util
import os
import pathlib
import sys
import types
import zlib

import numpy as np

import outcomes
import strata as st
from pydata_classes import (
    COO,
    CSC,
    CSR,
    DOK,
    GCXS,
    SparseArray,
    add_to_tensors,
    convert_format,
    filled,
    format_of,
    from_entries,
    kind_of,
    number,
)

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
