"""The classes of PyData sparse, which make Strata's tensors here, in formats of their names; and what its arrays
have and tensors have not, in terms of what tensors have."""

import numpy as np
import scipy.sparse

import strata as st


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
