"""Functions of MLIR's modules: linalg and sparse_tensor, or Strata's own dialect ta."""

from __future__ import annotations

import os
import re
from typing import Any, Optional, Union

from . import _core, conversion, dtypes, handles
from .errors import ArgumentError, DTypeError, FileError, MissingFileError
from .formats import Format


class Function:
    """A function of an MLIR module, compiled for the formats that its types say.

    Made by :func:`from_mlir`.
    """

    __slots__ = ("_core", "_printed")
    __module__ = "strata"

    def __init__(self, core: "_core.Function") -> None:
        self._core = core
        self._printed = ""

    @property
    def operands(self) -> tuple[Format, ...]:
        """The formats of what it takes."""
        return tuple(Format._of_core(format) for format in self._core.operands)

    @property
    def results(self) -> tuple[Format, ...]:
        """The formats of what it returns."""
        return tuple(Format._of_core(format) for format in self._core.results)

    @property
    def printed(self) -> str:
        """What the last call has printed."""
        return self._printed

    def __call__(self, *operands: Any) -> Any:
        """Calls the function.

        Args:
            operands: What :func:`asarray` takes, by position. They are converted to the formats of
                the function's operands where they have others; their element types must be those
                of the function, but numbers and lists take them.

        Returns:
            Its result as a tensor, a tuple of them if there are several, or None.

        Raises:
            ArgumentError: There are too many operands, or too few.
            DTypeError: An operand has another element type.
            ShapeError: The sizes of an operand do not fit the function, or others.
        """
        formats = self._core.operands
        if len(operands) != len(formats):
            raise ArgumentError(f"the function takes {len(formats)} operands, not {len(operands)}")
        cores = [
            _operand(operand, format, number)
            for number, (operand, format) in enumerate(zip(operands, formats), 1)
        ]
        self._printed, results = self._core.run(*cores)
        made = tuple(handles.wrap(core) for core in results.values())
        return made[0] if len(made) == 1 else made or None

    def __repr__(self) -> str:
        def names(formats: tuple[Format, ...]) -> str:
            return ", ".join(map(str, formats))

        return f"<strata.Function ({names(self.operands)}) -> ({names(self.results)})>"


def from_mlir(
    module: Union[str, "os.PathLike[str]"], /, function: Optional[str] = None
) -> Function:
    r"""Reads a function of an MLIR module.

    Its operations are those of ``linalg`` on tensors, dense or with ``#sparse_tensor.encoding``, of
    ``sparse_tensor``, and what belongs to them (docs/from/MLIR.md lists all), or those of ``ta``.

    >>> import strata as st
    >>> twice = st.from_mlir('''
    ... #CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
    ... func.func @twice(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>)
    ...     -> tensor<?x?xf64, #CSR> {
    ...   %C = linalg.add ins(%A, %A : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
    ...                   outs(%B : tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
    ...   return %C : tensor<?x?xf64, #CSR>
    ... }''')
    >>> A = st.from_coo(([0, 1], [1, 0]), [2.0, 3.0], (2, 2), "CSR")
    >>> twice(A, A).todense()
    array([[0., 4.],
           [6., 0.]])

    Args:
        module: Its text, or a file: what ends in ".mlir".
        function: The function's name; None: ``main``, or the only one.

    Raises:
        ExpressionError: The module is wrong, or has operations that have no counterpart. The message
            shows where.
        MissingFileError: There is no such file.
    """
    text, name = read_text(module) if is_file(module) else (module, "<module>")
    return Function(_core.read_function(text, name, function))


def read_text(path: Union[str, "os.PathLike[str]"]) -> tuple[str, str]:
    """Returns the text of a file and its name."""
    name = os.fspath(path)
    try:
        with open(name, encoding="utf-8") as file:
            return file.read(), name
    except FileNotFoundError:
        raise MissingFileError(f"no such file: '{name}'") from None
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"'{name}' cannot be read: {error}") from None


def is_module(program: Union[str, "os.PathLike[str]"]) -> bool:
    """Whether a program is a module of MLIR, by its text or the name of its file."""
    text = os.fspath(program)
    return text.endswith(".mlir") or re.search(r"\bfunc\.func\b", text) is not None


def is_file(module: Union[str, "os.PathLike[str]"]) -> bool:
    """Whether a module is given by the name of its file."""
    return not isinstance(module, str) or ("\n" not in module and module.endswith(".mlir"))


def _operand(operand: Any, format: "_core.Format", number: int) -> "_core.Tensor":
    """The handle of an operand in a format."""
    if isinstance(operand, (bool, int, float, complex)) and format.order == 0:
        return conversion.number_core(operand, format.type)
    tensor = conversion.asarray(operand)
    core = tensor._core
    if core.format.type != format.type:
        if not isinstance(operand, (list, tuple)):
            raise DTypeError(
                f"operand {number} has elements of {dtypes.NAMES[core.format.type]}, the function "
                f"takes {dtypes.NAMES[format.type]}"
            )
        core = tensor.astype(dtypes.NAMES[format.type])._core
    if core.format.order != format.order:
        raise ArgumentError(
            f"operand {number} has {core.format.order} dimensions, the function takes "
            f"{format.order}"
        )
    return core if core.format.equals(format) else core.convert(format)
