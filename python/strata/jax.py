"""Statements and Einstein sums of JAX's arrays, which JAX differentiates and traces.

>>> import jax, jax.numpy as jnp
>>> import strata as st
>>> A = st.from_coo(([0, 1, 1], [1, 0, 2]), [2.0, 3.0, 4.0], (2, 3), "CSR", dtype="float32")
>>> loss = jax.jit(lambda x: jnp.sum(st.jax.einsum("ij,j->i", A, x) ** 2))
>>> jax.grad(loss)(jnp.array([1.0, 2.0, 3.0]))
Array([ 90.,  16., 120.], dtype=float32)
"""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import Any, NamedTuple, Optional, Sequence, Union

import jax
import jax.numpy as jnp
import numpy

from . import _core, conversion, dtypes, einsums, gradients, statements
from .errors import FormatError, ShapeError, UnsupportedError
from .formats import Format, resolve

__all__ = ["Sparse", "einsum", "evaluate", "sparse"]


@jax.tree_util.register_pytree_node_class
class Sparse:
    """A sparse tensor whose pattern is fixed and whose values are an array of JAX: a pytree with
    these as its only leaf."""

    __slots__ = ("format", "indices", "shape", "values")
    __module__ = "strata.jax"

    def __init__(self, format: str, shape: tuple[int, ...], indices: Any, values: Any) -> None:
        self.format = format
        self.shape = shape
        self.indices = indices
        self.values = values

    def with_values(self, values: Any) -> "Sparse":
        """Returns a tensor with the same pattern, and other values."""
        return Sparse(self.format, self.shape, self.indices, values)

    def tree_flatten(self) -> Any:
        """Returns its leaf, and what is fixed."""
        return (self.values,), (self.format, self.shape, self.indices)

    @classmethod
    def tree_unflatten(cls, fixed: Any, leaves: Any) -> "Sparse":
        """Makes it of its leaf, and what is fixed."""
        return cls(*fixed, *leaves)

    def __repr__(self) -> str:
        return f"<strata.jax.Sparse {'x'.join(map(str, self.shape))} {self.format}>"


class _Indices:
    """The arrays of positions and coordinates of a pattern, the same for each use of it."""

    def __init__(self, arrays: Sequence[Any]) -> None:
        self.arrays = tuple(arrays)


def sparse(x: Any, values: Any = None) -> Sparse:
    """Makes a tensor whose values are an array of JAX from one of Strata or SciPy.

    Args:
        x: The tensor, whose pattern is taken.
        values: Its values, in the order in which the format stores them; None: its own.
    """
    tensor = conversion.asarray(x)
    if tensor.format.is_full:
        raise FormatError("a dense tensor has no pattern", "asformat('CSR') gives it one")
    core = tensor._core
    count = len(core.format.arrays) - 1
    indices = _Indices([numpy.array(_array(core, at)) for at in range(count)])
    own = jnp.asarray(numpy.array(_array(core, count))) if values is None else values
    if own.shape != (core.stored,):
        raise ShapeError(f"the pattern stores {core.stored} values, not {own.shape}")
    return Sparse(str(tensor.format.without_widths()), tensor.shape, indices, own)


def _array(core: "_core.Tensor", at: int) -> Any:
    from . import export

    return export.array_of(core, at, True)


class _Known(NamedTuple):
    """An operand: its format, its shape, its pattern, and its values."""

    format: str
    shape: tuple[int, ...]
    indices: Optional[_Indices]
    values: Any


@lru_cache(maxsize=4096)
def _format(text: str, order: int, code: int) -> "_core.Format":
    return resolve(text, order, code)


def _formats_of(given: Sequence[tuple[str, _Known]]) -> tuple["_core.Format", ...]:
    return tuple(
        _format(x.format, len(x.shape), dtypes.code_of(x.values.dtype)) for _, x in given
    )


def _call(text: str, given: Sequence[tuple[str, _Known]], result: str, code: int) -> Any:
    """Computes a statement. `result` names the operand whose pattern the result has, of which the
    values are returned; if it is empty the result is dense."""
    names = tuple(name for name, _ in given)
    fixed = tuple(x._replace(values=None) for _, x in given)
    formats = _formats_of(given)
    if code < 0:
        code = statements.default_result(text, names, formats).type
    # (Without jax_enable_x64 JAX has no types of 64 bits.)
    dtype = jax.dtypes.canonicalize_dtype(dtypes.numpy_dtype(code))
    if result:
        shape = tuple(given[names.index(result)][1].values.shape)
    else:
        shape = tuple(gradients.result_shape(text, names, [x.shape for x in fixed]))

    def compute(*values: Any) -> Any:
        cores = []
        for x, format, own in zip(fixed, formats, values):
            indices = () if x.indices is None else x.indices.arrays
            array = numpy.ascontiguousarray(numpy.asarray(own))
            buffers = (*indices, array.reshape(-1))
            flags = conversion.ADOPT
            cores.append(_core.from_buffers(format, x.shape, buffers, flags, format.type))
        chosen = fixed[names.index(result)].format if result else "Dense"
        made = statements.run(text, names, cores, chosen, code)
        if result:
            made = gradients.with_pattern(made, cores[names.index(result)])
        own = numpy.array(_array(made, len(made.format.arrays) - 1)).reshape(shape)
        return own.astype(dtype, copy=False)

    @jax.custom_vjp
    def apply(*values: Any) -> Any:
        if not any(isinstance(x, jax.core.Tracer) for x in values):
            return jnp.asarray(compute(*values))
        kind = jax.ShapeDtypeStruct(shape, dtype)
        return jax.pure_callback(compute, kind, *values, vmap_method="sequential")

    def forward(*values: Any) -> Any:
        return apply(*values), values

    def backward(values: Any, gradient: Any) -> Any:
        return _backward(text, names, fixed, formats, result, values, gradient)

    apply.defvjp(forward, backward)
    return apply(*[x.values for _, x in given])


def _backward(
    text: str,
    names: tuple[str, ...],
    fixed: Sequence[_Known],
    formats: tuple["_core.Format", ...],
    result: str,
    values: Sequence[Any],
    gradient: Any,
) -> Any:
    if gradient.dtype == jax.dtypes.float0:  # of a result of integers
        return tuple(_cotangent_of(own, None) for own in values)
    by = tuple(
        name for name, x in zip(names, values) if jnp.issubdtype(x.dtype, jnp.inexact)
    )
    adjoint = gradients.Adjoint(text, names, formats, by)
    known = {name: x._replace(values=own) for name, x, own in zip(names, fixed, values)}
    # JAX's cotangents of complex numbers are the conjugates of torch's.
    cotangent = jnp.conj(gradient) if jnp.iscomplexobj(gradient) else gradient
    if result:
        known[adjoint.cotangent] = known[result]._replace(values=cotangent)
    else:
        known[adjoint.cotangent] = _Known("Dense", tuple(gradient.shape), None, cotangent)
    for step in adjoint.steps:
        given = [(name, known[name]) for name in step.operands]
        code = -1 if step.format is None else step.format.type
        made = _call(step.text, given, step.pattern or "", code)
        if step.pattern is None:
            known[step.result] = _Known("Dense", tuple(made.shape), None, made)
        else:
            known[step.result] = known[step.pattern]._replace(values=made)
    found = dict(zip(by, adjoint.names))
    return tuple(
        _cotangent_of(own, known[found[name]].values if found.get(name) else None)
        for name, own in zip(names, values)
    )


def _cotangent_of(value: Any, gradient: Any) -> Any:
    if not jnp.issubdtype(value.dtype, jnp.inexact):
        return numpy.zeros(value.shape, jax.dtypes.float0)
    if gradient is None:
        return jnp.zeros_like(value)
    made = gradient.reshape(value.shape)
    return jnp.conj(made) if jnp.iscomplexobj(made) else made


def _operand_of(x: Any) -> Any:
    """An operand as an array of JAX, as a sparse tensor taken apart, or as a number of Python's."""
    if isinstance(x, (Sparse, jax.Array)) or type(x) in statements.NUMBERS:
        return x
    if isinstance(x, numpy.ndarray):
        return jnp.asarray(x)
    tensor = conversion.asarray(x)
    return jnp.asarray(tensor.to_numpy()) if tensor.format.is_full else sparse(tensor)


def _number(x: Any, operands: Sequence[Any]) -> Any:
    """A number as an array of the type in which it meets other operands."""
    codes = [
        dtypes.code_of((one.values if isinstance(one, Sparse) else one).dtype)
        for one in operands
        if type(one) not in statements.NUMBERS
    ]
    code = dtypes.code_of(type(x))
    if codes:
        code = dtypes.scalar_code(x, reduce(dtypes.promote, codes))
    return jnp.asarray(x, jax.dtypes.canonicalize_dtype(dtypes.numpy_dtype(code)))


def _known_of(x: Any) -> _Known:
    """What is known of an operand."""
    if isinstance(x, Sparse):
        return _Known(x.format, x.shape, x.indices, x.values)
    return _Known("Dense", tuple(x.shape), None, x)


def evaluate(
    text: str, /, *by_position: Any, format: Union[str, Format, None] = None, **tensors: Any
) -> Any:
    """Computes a statement of JAX's arrays. It can be differentiated (in reverse, any number of
    times), compiled by `jax.jit`, and mapped by `jax.vmap`, one call after the other.

    Args:
        text: The statement, as :func:`strata.evaluate` takes it.
        by_position: The operands in the order in which their names occur on the right side.
        format: The result's: "Dense", or None: that of a mask ``<M, structural>`` that is sparse,
            else dense.
        tensors: The operands by name: arrays of JAX, :class:`Sparse` ones, numbers, and whatever
            :func:`strata.asarray` takes.

    Returns:
        An array of JAX; a :class:`Sparse` one where its pattern is that of a mask.
    """
    if by_position:
        tensors = {**statements._named(text, by_position, tensors), **tensors}
    text, tensors = statements._with_coordinates(text, tensors)
    operands = {name: _operand_of(x) for name, x in tensors.items()}
    for name, x in operands.items():
        if type(x) in statements.NUMBERS:
            operands[name] = _number(x, list(operands.values()))
    given = [(name, _known_of(x)) for name, x in operands.items()]
    whole = {name: x for name, x in operands.items() if isinstance(x, Sparse)}
    mask = gradients.structural_mask(text)
    if mask in whole and format is None:
        return whole[mask].with_values(_call(text, given, mask, -1))
    if format is not None and not Format(format).is_full:
        raise UnsupportedError(
            f"JAX has no arrays in the format {format}", "a mask <M, structural> gives a pattern"
        )
    return _call(text, given, "", -1)


def einsum(subscripts: str, /, *operands: Any) -> Any:
    """Computes an Einstein sum of JAX's arrays, and sparse tensors, to a dense array.

    Args:
        subscripts: As :func:`strata.einsum` takes them.
        operands: As :func:`evaluate` takes them.
    """
    shapes = tuple(tuple(x.shape) if hasattr(x, "shape") else numpy.shape(x) for x in operands)
    text, names = einsums.statement_of(subscripts, shapes)
    return evaluate(text, **dict(zip(names, operands)))
