"""Strata's kernels in a shared library, called on the arrays of SciPy's matrices without copies.

This is what any program can do: `strata emit --stage=obj`, the runtime's static library, and the C
structs of strata/runtime/abi.h.
"""
import ctypes
import pathlib
import re
import subprocess

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
FORMATS = ("CSR", "CSC", "COO")
ELEMENT_TYPES = {numpy.dtype(numpy.int8): 0, numpy.dtype(numpy.int32): 2,
                 numpy.dtype(numpy.int64): 3, numpy.dtype(numpy.float32): 4,
                 numpy.dtype(numpy.float64): 5, numpy.dtype(complex): 6, numpy.dtype(bool): 7,
                 numpy.dtype(numpy.uint8): 8, numpy.dtype(numpy.uint16): 9,
                 numpy.dtype(numpy.uint32): 10, numpy.dtype(numpy.uint64): 11}


# What programs do with results, without the time that Python takes for it.
CALLS = """#include "strata/runtime/abi.h"

void bench_drop(strata_context *context, strata_storage *result) {
  for (int32_t at = 0; at < result->buffer_count; ++at) {
    strata_buffer *held = &result->buffers[at];
    if (!held->owned)
      continue;
    context->allocator.reallocate(context->allocator.state, held->data,
                                  held->capacity * strata_type_bytes(held->type), 0);
    held->data = 0;
    held->count = held->capacity = held->owned = 0;
  }
}

int32_t bench_anew(int32_t (*kernel)(strata_context *, strata_storage **, const int64_t *),
                   strata_context *context, strata_storage **storages, const int64_t *extents) {
  const int32_t status = kernel(context, storages, extents);
  bench_drop(context, storages[0]);
  return status;
}
"""


def element_type(code):
    return next(type for type, other in ELEMENT_TYPES.items() if code == other)


class Buffer(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("count", ctypes.c_int64),
                ("capacity", ctypes.c_int64), ("type", ctypes.c_int32), ("owned", ctypes.c_int32)]


class Storage(ctypes.Structure):
    _fields_ = [("order", ctypes.c_int32), ("buffer_count", ctypes.c_int32),
                ("sizes", ctypes.POINTER(ctypes.c_int64)), ("buffers", ctypes.POINTER(Buffer))]


class Allocator(ctypes.Structure):
    _fields_ = [("state", ctypes.c_void_p), ("reallocate", ctypes.c_void_p)]


class Context(ctypes.Structure):
    _fields_ = [("allocator", Allocator), ("interrupt", ctypes.c_void_p),
                ("bytes_now", ctypes.c_int64), ("bytes_peak", ctypes.c_int64),
                ("status", ctypes.c_int32), ("message", ctypes.c_char * 244),
                ("frame", ctypes.c_void_p)]


def aligned(array):
    """The same values in memory aligned as Strata's own tensors are."""
    memory = numpy.empty(array.nbytes + 64, dtype=numpy.uint8)
    offset = -memory.ctypes.data % 64
    result = memory[offset:offset + array.nbytes].view(array.dtype).reshape(array.shape)
    result[...] = array
    return result


def storage(sizes, arrays):
    """A storage that refers to the arrays; they must outlive it."""
    buffers = (Buffer * len(arrays))()
    for buffer, array in zip(buffers, arrays):
        buffer.type = ELEMENT_TYPES[array.dtype]
        buffer.data, buffer.count, buffer.capacity = array.ctypes.data, array.size, array.size
    result = Storage(len(sizes), len(arrays), (ctypes.c_int64 * len(sizes))(*sizes), buffers)
    result.kept = arrays
    return result


def levels(form, matrix):
    """The buffers that the format's levels declare, then the values."""
    if form == "COO":
        count = numpy.array([0, matrix.nnz], dtype=numpy.int32)
        return [count, matrix.row, matrix.col, matrix.data]
    return [matrix.indptr, matrix.indices, matrix.data]


class Call:
    """A kernel with its operands and the extents of its index variables: those of the result's
    indices, then those of sums. Its result is Strata's, and lives until the next run."""

    def __init__(self, kernel, context, result, operands, extents, library=None):
        """`library`: what the kernel is in, if that gives results back (CALLS)."""
        self.library, self.kernel = library, kernel
        self.context, self.result = context, result
        self.operands = operands
        pointers = [ctypes.pointer(one) for one in (result, *operands)]
        self.storages = (ctypes.POINTER(Storage) * len(pointers))(*pointers)
        self.extents = (ctypes.c_int64 * len(extents))(*extents)
        # Made once: a call of a small kernel takes no longer than this.
        self.arguments = (ctypes.byref(context), self.storages, self.extents)

    def run(self):
        if self.kernel(*self.arguments):
            raise RuntimeError(self.context.message.decode())

    def run_anew(self):
        """Makes the result and gives its memory back."""
        if self.library.bench_anew(self.kernel, *self.arguments):
            raise RuntimeError(self.context.message.decode())

    def drop(self):
        """Gives the result's memory back."""
        self.library.bench_drop(ctypes.byref(self.context), ctypes.byref(self.result))

    def values(self, buffer):
        """A copy of what a buffer of the result holds."""
        held = self.result.buffers[buffer]
        type = element_type(held.type)
        text = ctypes.string_at(held.data, held.count * type.itemsize)
        return numpy.frombuffer(text, type)


class Library:
    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        self.context = Context()
        self.library.strata_context_initialize(ctypes.byref(self.context))

    def call(self, name, result, operands, extents):
        return Call(getattr(self.library, "kernel_" + name), self.context, result, operands, extents,
                    self.library)

    def product(self, form, matrix, x):
        shape = matrix.shape[:1] + x.shape[1:]
        operands = [storage(matrix.shape, levels(form, matrix)), storage(x.shape, [x])]
        return self.call(f"{'y' if x.ndim == 1 else 'Y'}{form}", storage(shape, [numpy.empty(0)]),
                         operands, shape + matrix.shape[1:])


def program():
    lines = ["IndexLabel [i, j, k] = [?];", "Tensor<double> x([j], Dense);",
             "Tensor<double> X([j, k], Dense);", 'x[j] = read("x.mtx");', 'X[j, k] = read("X.mtx");']
    for form in FORMATS:
        lines += [f"Tensor<double> {form}([i, j], {form});", f'{form}[i, j] = read("A.mtx");',
                  f"Tensor<double> y{form}([i], Dense);",
                  f"Tensor<double> Y{form}([i, k], Dense);",
                  f"y{form}[i] = {form}[i, j] * x[j];",
                  f"Y{form}[i, k] = {form}[i, j] * X[j, k];"]
    return "def main() {\n  " + "\n  ".join(lines) + "\n}\n"


def setting(run, name):
    """What CMake has found for the build."""
    cache = (run.build / "CMakeCache.txt").read_text()
    return re.search(rf"^{name}:\w+=(.*)$", cache, re.MULTILINE).group(1)


def build(run, name="products", text=None, options=(), aligned=False):
    """Compiles the kernels of a program (the products' in all formats) and links them with the
    runtime. `options` are those of `strata emit`. With `aligned`, functions begin at multiples of
    64 bytes whichever build of Strata emits them."""
    stage = "s" if aligned else "o"
    source, compiled, library = (run.folder / f"{name}.{end}" for end in ("ta", stage, "so"))
    calls = run.folder / "calls.c"
    source.write_text(text or program())
    calls.write_text(CALLS)
    subprocess.run([run.program("strata"), "emit", f"--stage={'asm' if aligned else 'obj'}",
                    "--widths=32", *options, "-o", compiled, source], check=True)
    if aligned:
        compiled.write_text(re.sub(r"\.p2align\t4(?=\s+\.type)", ".p2align\t6",
                                   compiled.read_text()))
    compiler = setting(run, "CMAKE_CXX_COMPILER")
    subprocess.run([compiler, "-x", "c", "-O2", "-fPIC", "-I", str(ROOT), "-c", calls, "-o",
                    calls.with_suffix(".o")], check=True)
    subprocess.run([compiler, "-shared", "-fuse-ld=lld", "-o", library, compiled,
                    calls.with_suffix(".o"),
                    "-Wl,-u,strata_context_initialize", run.build / "lib" / "libstrata_runtime.a",
                    "-ltbb"], check=True)
    return Library(library)
