"""Strata: a compiler for tensor algebra over any storage format.

``import strata`` loads nothing else: the library, NumPy and the modules of this package are loaded
when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    from .creation import read as read
    from .creation import tensor as tensor
    from .creation import write as write
    from .creation import zeros as zeros
    from .creation import zeros_like as zeros_like
    from .einsums import einsum as einsum
    from .einsums import tensordot as tensordot
    from .einsums import transpose as transpose
    from .errors import ArgumentError as ArgumentError
    from .errors import BoundsError as BoundsError
    from .errors import CopyError as CopyError
    from .errors import DensifyError as DensifyError
    from .errors import DivisionError as DivisionError
    from .errors import DTypeError as DTypeError
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
    from .formats import Format as Format
    from .machines import Machine as Machine
    from .machines import Piece as Piece
    from .machines import from_piece as from_piece
    from .masks import Mask as Mask
    from .matrices import diag as diag
    from .matrices import eye as eye
    from .matrices import tril as tril
    from .matrices import triu as triu
    from .notation import IndexVar as IndexVar
    from .notation import get_index_vars as get_index_vars
    from .notation import sum as sum
    from .operators import matmul as matmul
    from .pictures import Picture as Picture
    from .programs import Outcome as Outcome
    from .programs import run as run
    from .schedules import Schedule as Schedule
    from .semirings import Semiring as Semiring
    from .settings import config as config
    from .settings import get_num_threads as get_num_threads
    from .settings import set_num_threads as set_num_threads
    from .settings import threads as threads
    from .statements import Kernel as Kernel
    from .statements import Spec as Spec
    from .statements import compile as compile
    from .statements import evaluate as evaluate
    from .statements import explain as explain
    from .statements import spec as spec
    from .tensors import Level as Level
    from .tensors import Tensor as Tensor

#: The public names of each module.
_MODULES = {
    "conversion": "asarray",
    "creation": "arange empty empty_like from_buffers from_coo from_dlpack full full_like linspace "
    "ones ones_like random read tensor write zeros zeros_like",
    "einsums": "einsum tensordot transpose",
    "errors": "ArgumentError BoundsError CopyError DensifyError DivisionError DTypeError Error "
    "ExpressionError FileError FormatError InternalError MissingFileError OutOfMemory RankError "
    "ScheduleError ShapeError UnsupportedError WidthError",
    "explanations": "Explanation",
    "formats": "Format",
    "machines": "Machine Piece from_piece",
    "masks": "Mask",
    "matrices": "diag eye tril triu",
    "notation": "IndexVar get_index_vars sum",
    "operators": "matmul",
    "pictures": "Picture",
    "programs": "Outcome run",
    "schedules": "Schedule",
    "semirings": "Semiring",
    "settings": "config get_num_threads set_num_threads threads",
    "statements": "Kernel Spec compile evaluate explain spec",
    "tensors": "Level Tensor",
}

_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = [
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
    "Format",
    "FormatError",
    "IndexVar",
    "InternalError",
    "Kernel",
    "Level",
    "Machine",
    "Mask",
    "MissingFileError",
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
    "__version__",
    "arange",
    "asarray",
    "compile",
    "config",
    "diag",
    "einsum",
    "empty",
    "empty_like",
    "evaluate",
    "explain",
    "eye",
    "from_buffers",
    "from_coo",
    "from_dlpack",
    "from_piece",
    "full",
    "full_like",
    "get_index_vars",
    "get_num_threads",
    "linspace",
    "matmul",
    "ones",
    "ones_like",
    "random",
    "read",
    "run",
    "set_num_threads",
    "spec",
    "sum",
    "tensor",
    "tensordot",
    "threads",
    "transpose",
    "tril",
    "triu",
    "write",
    "zeros",
    "zeros_like",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from . import _core

        globals()[name] = _core.version()
        return globals()[name]
    module = _HOMES.get(name)
    if module is None:
        raise AttributeError(f"module 'strata' has no attribute '{name}'")
    value = getattr(import_module(f"strata.{module}"), name)
    globals()[name] = value
    return value


__version__: str


def __dir__() -> list[str]:
    return __all__
