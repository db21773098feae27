"""Strata: a compiler for tensor algebra over any storage format.

``import strata`` loads nothing else: the library, NumPy and the modules of this package are loaded
when they are first used.
"""

from __future__ import annotations

from importlib import import_module

# Checkers of types take a name like this for true. The module typing would take most of the time in
# which this one is imported.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import fft as fft
    from . import linalg as linalg
    from . import pytaco as pytaco
    from .constants import __array_api_version__ as __array_api_version__
    from .constants import e as e
    from .constants import inf as inf
    from .constants import nan as nan
    from .constants import newaxis as newaxis
    from .constants import pi as pi
    from .conversion import asarray as asarray
    from .creation import arange as arange
    from .creation import empty as empty
    from .creation import empty_like as empty_like
    from .creation import from_buffers as from_buffers
    from .creation import from_coo as from_coo
    from .creation import from_dlpack as from_dlpack
    from .creation import full as full
    from .creation import full_like as full_like
    from .creation import linspace as linspace
    from .creation import ones as ones
    from .creation import ones_like as ones_like
    from .creation import random as random
    from .creation import tensor as tensor
    from .creation import zeros as zeros
    from .creation import zeros_like as zeros_like
    from .data_types import FloatingInfo as FloatingInfo
    from .data_types import IntegerInfo as IntegerInfo
    from .data_types import astype as astype
    from .data_types import can_cast as can_cast
    from .data_types import finfo as finfo
    from .data_types import iinfo as iinfo
    from .data_types import isdtype as isdtype
    from .data_types import result_type as result_type
    from .einsums import einsum as einsum
    from .einsums import tensordot as tensordot
    from .einsums import transpose as transpose
    from .element_types import bool as bool
    from .element_types import complex128 as complex128
    from .element_types import complex64 as complex64
    from .element_types import float16 as float16
    from .element_types import float32 as float32
    from .element_types import float64 as float64
    from .element_types import int16 as int16
    from .element_types import int32 as int32
    from .element_types import int64 as int64
    from .element_types import int8 as int8
    from .element_types import uint16 as uint16
    from .element_types import uint32 as uint32
    from .element_types import uint64 as uint64
    from .element_types import uint8 as uint8
    from .elementwise import add as add
    from .elementwise import atan2 as atan2
    from .elementwise import bitwise_and as bitwise_and
    from .elementwise import bitwise_left_shift as bitwise_left_shift
    from .elementwise import bitwise_or as bitwise_or
    from .elementwise import bitwise_right_shift as bitwise_right_shift
    from .elementwise import bitwise_xor as bitwise_xor
    from .elementwise import clip as clip
    from .elementwise import copysign as copysign
    from .elementwise import divide as divide
    from .elementwise import equal as equal
    from .elementwise import floor_divide as floor_divide
    from .elementwise import greater as greater
    from .elementwise import greater_equal as greater_equal
    from .elementwise import hypot as hypot
    from .elementwise import less as less
    from .elementwise import less_equal as less_equal
    from .elementwise import logaddexp as logaddexp
    from .elementwise import logical_and as logical_and
    from .elementwise import logical_or as logical_or
    from .elementwise import logical_xor as logical_xor
    from .elementwise import maximum as maximum
    from .elementwise import minimum as minimum
    from .elementwise import multiply as multiply
    from .elementwise import nextafter as nextafter
    from .elementwise import not_equal as not_equal
    from .elementwise import pow as pow
    from .elementwise import remainder as remainder
    from .elementwise import subtract as subtract
    from .errors import ArgumentError as ArgumentError
    from .errors import BoundsError as BoundsError
    from .errors import CopyError as CopyError
    from .errors import DTypeError as DTypeError
    from .errors import DensifyError as DensifyError
    from .errors import DivisionError as DivisionError
    from .errors import Error as Error
    from .errors import ExpressionError as ExpressionError
    from .errors import FileError as FileError
    from .errors import FormatError as FormatError
    from .errors import InternalError as InternalError
    from .errors import MissingFileError as MissingFileError
    from .errors import OutOfMemory as OutOfMemory
    from .errors import RankError as RankError
    from .errors import ScheduleError as ScheduleError
    from .errors import ShapeError as ShapeError
    from .errors import UnsupportedError as UnsupportedError
    from .errors import WidthError as WidthError
    from .explanations import Explanation as Explanation
    from .files import list_tensors as list_tensors
    from .files import read as read
    from .files import write as write
    from .formats import Format as Format
    from .functions import abs as abs
    from .functions import acos as acos
    from .functions import acosh as acosh
    from .functions import asin as asin
    from .functions import asinh as asinh
    from .functions import atan as atan
    from .functions import atanh as atanh
    from .functions import bitwise_invert as bitwise_invert
    from .functions import ceil as ceil
    from .functions import conj as conj
    from .functions import cos as cos
    from .functions import cosh as cosh
    from .functions import exp as exp
    from .functions import expm1 as expm1
    from .functions import floor as floor
    from .functions import imag as imag
    from .functions import isfinite as isfinite
    from .functions import isinf as isinf
    from .functions import isnan as isnan
    from .functions import log as log
    from .functions import log10 as log10
    from .functions import log1p as log1p
    from .functions import log2 as log2
    from .functions import logical_not as logical_not
    from .functions import negative as negative
    from .functions import positive as positive
    from .functions import real as real
    from .functions import reciprocal as reciprocal
    from .functions import round as round
    from .functions import sign as sign
    from .functions import signbit as signbit
    from .functions import sin as sin
    from .functions import sinh as sinh
    from .functions import sqrt as sqrt
    from .functions import square as square
    from .functions import tan as tan
    from .functions import tanh as tanh
    from .functions import trunc as trunc
    from .gradients import Adjoint as Adjoint
    from .gradients import adjoint as adjoint
    from .gradients import grad as grad
    from .inspection import NamespaceInfo as NamespaceInfo
    from .inspection import __array_namespace_info__ as __array_namespace_info__
    from .joining import concat as concat
    from .joining import kron as kron
    from .joining import stack as stack
    from .joining import unstack as unstack
    from .jupyter import load_ipython_extension as load_ipython_extension
    from .linalg import vecdot as vecdot
    from .machines import Machine as Machine
    from .machines import Piece as Piece
    from .machines import from_piece as from_piece
    from .manipulation import broadcast_arrays as broadcast_arrays
    from .manipulation import broadcast_shapes as broadcast_shapes
    from .manipulation import broadcast_to as broadcast_to
    from .manipulation import expand_dims as expand_dims
    from .manipulation import flip as flip
    from .manipulation import matrix_transpose as matrix_transpose
    from .manipulation import meshgrid as meshgrid
    from .manipulation import moveaxis as moveaxis
    from .manipulation import permute_dims as permute_dims
    from .manipulation import ravel as ravel
    from .manipulation import repeat as repeat
    from .manipulation import reshape as reshape
    from .manipulation import roll as roll
    from .manipulation import squeeze as squeeze
    from .manipulation import tile as tile
    from .masks import Mask as Mask
    from .matrices import diag as diag
    from .matrices import eye as eye
    from .matrices import tril as tril
    from .matrices import triu as triu
    from .modules import Function as Function
    from .modules import from_mlir as from_mlir
    from .nan_reductions import nanargmax as nanargmax
    from .nan_reductions import nanargmin as nanargmin
    from .nan_reductions import nanmax as nanmax
    from .nan_reductions import nanmean as nanmean
    from .nan_reductions import nanmin as nanmin
    from .nan_reductions import nanprod as nanprod
    from .nan_reductions import nanstd as nanstd
    from .nan_reductions import nansum as nansum
    from .nan_reductions import nanvar as nanvar
    from .notation import IndexVar as IndexVar
    from .notation import get_index_vars as get_index_vars
    from .operators import matmul as matmul
    from .padding import pad as pad
    from .pictures import Picture as Picture
    from .programs import Outcome as Outcome
    from .programs import run as run
    from .recording import compute as compute
    from .recording import jit as jit
    from .recording import lazy as lazy
    from .schedules import Schedule as Schedule
    from .searching import argmax as argmax
    from .searching import argmin as argmin
    from .searching import nonzero as nonzero
    from .searching import searchsorted as searchsorted
    from .searching import where as where
    from .semirings import Semiring as Semiring
    from .sets import isin as isin
    from .sets import unique_all as unique_all
    from .sets import unique_counts as unique_counts
    from .sets import unique_inverse as unique_inverse
    from .sets import unique_values as unique_values
    from .settings import config as config
    from .settings import get_num_threads as get_num_threads
    from .settings import set_num_threads as set_num_threads
    from .settings import threads as threads
    from .sorting import argsort as argsort
    from .sorting import sort as sort
    from .statements import Kernel as Kernel
    from .statements import Spec as Spec
    from .statements import compile as compile
    from .statements import evaluate as evaluate
    from .statements import explain as explain
    from .statements import spec as spec
    from .statistics import all as all
    from .statistics import any as any
    from .statistics import count_nonzero as count_nonzero
    from .statistics import cumulative_prod as cumulative_prod
    from .statistics import cumulative_sum as cumulative_sum
    from .statistics import diff as diff
    from .statistics import max as max
    from .statistics import mean as mean
    from .statistics import min as min
    from .statistics import prod as prod
    from .statistics import sum as sum
    from .taking import diagonal as diagonal
    from .taking import eliminate_zeros as eliminate_zeros
    from .taking import take as take
    from .taking import take_along_axis as take_along_axis
    from .taking import trace as trace
    from .tables import from_arrow as from_arrow
    from .tables import read_table as read_table
    from .tensors import Level as Level
    from .tensors import Tensor as Tensor
    from .variances import std as std
    from .variances import var as var

#: The public names of each module.
_MODULES = {
    "constants": "__array_api_version__ e inf nan newaxis pi",
    "conversion": "asarray",
    "creation": "arange empty empty_like from_buffers from_coo from_dlpack full full_like "
    "linspace ones ones_like random tensor zeros zeros_like",
    "data_types": "FloatingInfo IntegerInfo astype can_cast finfo iinfo isdtype result_type",
    "einsums": "einsum tensordot transpose",
    "element_types": "bool complex128 complex64 float16 float32 float64 int16 int32 int64 int8 uint16 "
    "uint32 uint64 uint8",
    "elementwise": "add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift "
    "bitwise_xor clip copysign divide equal floor_divide greater greater_equal hypot "
    "less less_equal logaddexp logical_and logical_or logical_xor maximum minimum "
    "multiply nextafter not_equal pow remainder subtract",
    "errors": "ArgumentError BoundsError CopyError DTypeError DensifyError DivisionError Error "
    "ExpressionError FileError FormatError InternalError MissingFileError OutOfMemory "
    "RankError ScheduleError ShapeError UnsupportedError WidthError",
    "explanations": "Explanation",
    "files": "list_tensors read write",
    "formats": "Format",
    "functions": "abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1 "
    "floor imag isfinite isinf isnan log log10 log1p log2 logical_not negative "
    "positive real reciprocal round sign signbit sin sinh sqrt square tan tanh trunc",
    "gradients": "Adjoint adjoint grad",
    "inspection": "NamespaceInfo __array_namespace_info__",
    "joining": "concat kron stack unstack",
    "jupyter": "load_ipython_extension",
    "linalg": "vecdot",
    "machines": "Machine Piece from_piece",
    "manipulation": "broadcast_arrays broadcast_shapes broadcast_to expand_dims flip matrix_transpose "
    "meshgrid moveaxis permute_dims ravel repeat reshape roll squeeze tile",
    "masks": "Mask",
    "matrices": "diag eye tril triu",
    "modules": "Function from_mlir",
    "nan_reductions": "nanargmax nanargmin nanmax nanmean nanmin nanprod nanstd nansum nanvar",
    "notation": "IndexVar get_index_vars",
    "operators": "matmul",
    "padding": "pad",
    "pictures": "Picture",
    "programs": "Outcome run",
    "recording": "compute jit lazy",
    "schedules": "Schedule",
    "searching": "argmax argmin nonzero searchsorted where",
    "semirings": "Semiring",
    "sets": "isin unique_all unique_counts unique_inverse unique_values",
    "settings": "config get_num_threads set_num_threads threads",
    "sorting": "argsort sort",
    "statements": "Kernel Spec compile evaluate explain spec",
    "statistics": "all any count_nonzero cumulative_prod cumulative_sum diff max mean min prod sum",
    "tables": "from_arrow read_table",
    "taking": "diagonal eliminate_zeros take take_along_axis trace",
    "tensors": "Level Tensor",
    "variances": "std var",
}

#: Modules that are public themselves.
_PUBLIC_MODULES = ("fft", "linalg", "pytaco")

#: Those that need packages of the same names.
_COMPANIONS = ("jax", "torch")

_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = [
    "Adjoint",
    "ArgumentError",
    "BoundsError",
    "CopyError",
    "DTypeError",
    "DensifyError",
    "DivisionError",
    "Error",
    "Explanation",
    "ExpressionError",
    "FileError",
    "FloatingInfo",
    "Format",
    "FormatError",
    "Function",
    "IndexVar",
    "IntegerInfo",
    "InternalError",
    "Kernel",
    "Level",
    "Machine",
    "Mask",
    "MissingFileError",
    "NamespaceInfo",
    "OutOfMemory",
    "Outcome",
    "Picture",
    "Piece",
    "RankError",
    "Schedule",
    "ScheduleError",
    "Semiring",
    "ShapeError",
    "Spec",
    "Tensor",
    "UnsupportedError",
    "WidthError",
    "__array_api_version__",
    "__array_namespace_info__",
    "__version__",
    "abs",
    "acos",
    "acosh",
    "add",
    "adjoint",
    "all",
    "any",
    "arange",
    "argmax",
    "argmin",
    "argsort",
    "asarray",
    "asin",
    "asinh",
    "astype",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "bool",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "can_cast",
    "ceil",
    "clip",
    "compile",
    "complex128",
    "complex64",
    "compute",
    "concat",
    "config",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "count_nonzero",
    "cumulative_prod",
    "cumulative_sum",
    "diag",
    "diagonal",
    "diff",
    "divide",
    "e",
    "einsum",
    "eliminate_zeros",
    "empty",
    "empty_like",
    "equal",
    "evaluate",
    "exp",
    "expand_dims",
    "explain",
    "expm1",
    "eye",
    "fft",
    "finfo",
    "flip",
    "float16",
    "float32",
    "float64",
    "floor",
    "floor_divide",
    "from_arrow",
    "from_buffers",
    "from_coo",
    "from_dlpack",
    "from_mlir",
    "from_piece",
    "full",
    "full_like",
    "get_index_vars",
    "get_num_threads",
    "grad",
    "greater",
    "greater_equal",
    "hypot",
    "iinfo",
    "imag",
    "inf",
    "int16",
    "int32",
    "int64",
    "int8",
    "isdtype",
    "isfinite",
    "isin",
    "isinf",
    "isnan",
    "jit",
    "kron",
    "lazy",
    "less",
    "less_equal",
    "linalg",
    "linspace",
    "list_tensors",
    "load_ipython_extension",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "matmul",
    "matrix_transpose",
    "max",
    "maximum",
    "mean",
    "meshgrid",
    "min",
    "minimum",
    "moveaxis",
    "multiply",
    "nan",
    "nanargmax",
    "nanargmin",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
    "negative",
    "newaxis",
    "nextafter",
    "nonzero",
    "not_equal",
    "ones",
    "ones_like",
    "pad",
    "permute_dims",
    "pi",
    "positive",
    "pow",
    "prod",
    "pytaco",
    "random",
    "ravel",
    "read",
    "read_table",
    "real",
    "reciprocal",
    "remainder",
    "repeat",
    "reshape",
    "result_type",
    "roll",
    "round",
    "run",
    "searchsorted",
    "set_num_threads",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sort",
    "spec",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "subtract",
    "sum",
    "take",
    "take_along_axis",
    "tan",
    "tanh",
    "tensor",
    "tensordot",
    "threads",
    "tile",
    "trace",
    "transpose",
    "tril",
    "triu",
    "trunc",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "unstack",
    "var",
    "vecdot",
    "where",
    "write",
    "zeros",
    "zeros_like",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from . import _core

        globals()[name] = _core.version()
        return globals()[name]
    if name in _PUBLIC_MODULES or name in _COMPANIONS:
        return import_module(f"strata.{name}")
    module = _HOMES.get(name)
    if module is None:
        raise AttributeError(f"module 'strata' has no attribute '{name}'")
    value = getattr(import_module(f"strata.{module}"), name)
    globals()[name] = value
    return value


__version__: str


def __dir__() -> list[str]:
    return __all__
