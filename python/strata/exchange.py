"""Tensors as other libraries have them, and what those ask of tensors: arrays, sparse arrays, the protocols of
NumPy and DLPack, memory, pickles."""

from __future__ import annotations

from typing import Any, Optional

from . import export, machines, protocols


class Exchange:
    """Methods that make objects of other libraries of a tensor, and those that such libraries call."""

    __slots__ = ()
    __module__ = "strata"

    def to_numpy(self: Any, *, allow_dense: bool = False, copy: Optional[bool] = None) -> Any:
        """Returns a NumPy array with all elements.

        A tensor in a dense format shares its memory with the array, which cannot be written to; a
        copy can. A tensor in pieces is brought together, which is collective.

        Args:
            allow_dense: Whether a sparse tensor becomes a dense array.
            copy: False: never copy; True: always copy; None: only if needed.

        Raises:
            DensifyError: The tensor is sparse, and ``allow_dense`` is not given.
            CopyError: A copy is needed, and ``copy`` is False.
        """
        return export.to_numpy(machines.whole_of(self._core), allow_dense, copy)

    def todense(self: Any) -> Any:
        """Returns a new NumPy array with all elements, stored or not."""
        return export.to_numpy(machines.whole_of(self._core), True, True)

    def to_scipy(
        self: Any,
        kind: Optional[str] = None,
        copy: Optional[bool] = None,
        *,
        blocksize: Optional[tuple[int, int]] = None,
    ) -> Any:
        """Returns a sparse array of SciPy.

        CSR, CSC, COO, BCSR and diagonals share their memory with it; it cannot be written to then.

        Args:
            kind: "csr", "csc", "coo", "bsr" or "dia"; None: the one that needs no copy, or CSR for
                matrices and COO for other tensors.
            copy: False: never copy; True: always copy; None: only if needed.
            blocksize: The rows and columns of the blocks of "bsr"; None: those of the tensor.

        Raises:
            CopyError: A copy is needed, and ``copy`` is False.
            UnsupportedError: SciPy has no such array.
        """
        return export.to_scipy(machines.whole_of(self._core), kind, copy, blocksize)

    def to_torch(self: Any, layout: Any = None, copy: Optional[bool] = None) -> Any:
        """Returns a tensor of torch.

        Dense tensors, COO, CSR, CSC and blocks share their memory with it, as far as torch stores
        the same: its coordinates of COO are one array of 64 bits. Torch knows no memory that cannot
        be written to: who writes to what is shared changes this tensor.

        Args:
            layout: One of torch's layouts, or its name ("sparse_csr"); None: the one that needs no
                copy, or sparse_coo.
            copy: False: never copy; True: always copy; None: only if needed.

        Raises:
            CopyError: A copy is needed, and ``copy`` is False.
            FormatError: Torch has no such tensor.
            DTypeError: Torch has no such elements.
        """
        from .torch_tensors import to_torch

        return to_torch(machines.whole_of(self._core), layout, copy)

    def to_jax(self: Any, layout: Optional[str] = None, copy: Optional[bool] = None) -> Any:
        """Returns a sparse array of JAX, which has a copy of the entries.

        Args:
            layout: "bcoo" or "bcsr"; None: "bcoo".
            copy: False raises an error, since JAX's arrays are its own.

        Raises:
            FormatError: JAX has no such array.
            DTypeError: JAX is set up for elements of 32 bits only.
        """
        from .jax_arrays import to_jax

        return to_jax(machines.whole_of(self._core), layout, copy)

    def to_sparse(self: Any, copy: Optional[bool] = None) -> Any:
        """Returns an array of PyData sparse: GCXS of CSR and CSC, else COO.

        They share their memory with the tensor as far as PyData sparse stores the same: its
        coordinates of COO are one array of 64 bits.

        Args:
            copy: False: never copy; True: always copy; None: only if needed.

        Raises:
            CopyError: A copy is needed, and ``copy`` is False.
        """
        from .pydata import to_sparse

        return to_sparse(machines.whole_of(self._core), copy)

    def shares_memory(self: Any, other: Any) -> bool:
        """Whether any array of this tensor overlaps with one of another tensor or array."""
        return export.shares_memory(self._core, other)

    # ---- What other libraries call ----

    def __dlpack__(
        self: Any,
        *,
        stream: Any = None,
        max_version: Optional[tuple[int, int]] = None,
        dl_device: Optional[tuple[int, int]] = None,
        copy: Optional[bool] = None,
    ) -> Any:
        whole = machines.whole_of(self._core)
        return export.to_dlpack(whole, stream, max_version, dl_device, copy)

    def _exported(self: Any) -> Any:
        """What exports the tensor's memory by the buffer protocol, as memoryview asks for it."""
        if protocols.is_operand_of_scipy():
            raise BufferError("SciPy's operators take tensors as they are")
        return export.exported(machines.whole_of(self._core))

    def __dlpack_device__(self: Any) -> tuple[int, int]:
        return 1, 0  # the processor

    def __array_namespace__(self: Any, /, *, api_version: Optional[str] = None) -> Any:
        """Returns the namespace of tensors as the array API standard describes it: the module."""
        return protocols.namespace(api_version)

    def __array__(self: Any, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        return protocols.array_of(self, dtype, copy)

    def __array_ufunc__(
        self: Any, function: Any, method: str, *operands: Any, out: Any = None, **options: Any
    ) -> Any:
        return protocols.compute(function, method, operands, out, options)

    def __array_function__(
        self: Any, function: Any, types: Any, arguments: Any, options: dict[str, Any]
    ) -> Any:
        from . import array_functions

        return array_functions.call(function, arguments, options)

    def __reduce_ex__(self: Any, protocol: Any) -> Any:
        return export.reduce(self._core, protocol)
