"""Libraries of dense linear algebra, by their C interface (CBLAS): MKL, OpenBLAS, BLIS. Each is found
by an environment variable that names its shared library: STRATA_MKL, STRATA_OPENBLAS, STRATA_BLIS.
"""

import ctypes
import os

import numpy

import mkl

ROW_MAJOR, NO_TRANSPOSE = 101, 111
LETTERS = {
    numpy.dtype(numpy.float64): "d",
    numpy.dtype(numpy.float32): "s",
    numpy.dtype(complex): "z",
}


class Blas:
    """One library. Its products take matrices in rows."""

    def __init__(self, name, library, version, set_threads):
        self.name, self.library, self.version = name, library, version
        self.threads = set_threads

    def scalar(self, type, value):
        """A factor, as its functions take it."""
        if type == complex:
            return (ctypes.c_double * 2)(value, 0)
        return (ctypes.c_float if type == numpy.float32 else ctypes.c_double)(value)

    def product(self, a, b, c):
        """A function that computes c = a @ b."""
        (m, k), n = a.shape, b.shape[1]
        function = getattr(self.library, f"cblas_{LETTERS[a.dtype]}gemm")
        one, zero = self.scalar(a.dtype, 1), self.scalar(a.dtype, 0)
        at = [ctypes.c_void_p(array.ctypes.data) for array in (a, b, c)]

        def run():
            function(
                ROW_MAJOR,
                NO_TRANSPOSE,
                NO_TRANSPOSE,
                m,
                n,
                k,
                one,
                at[0],
                k,
                at[1],
                n,
                zero,
                at[2],
                n,
            )

        run.kept = (a, b, c)
        return run

    def batch(self, a, b, c):
        """A function that computes c[i] = a[i] @ b[i]; none if the library has no such function."""
        name = f"cblas_{LETTERS[a.dtype]}gemm_batch_strided"
        if not hasattr(self.library, name):
            return None
        function = getattr(self.library, name)
        (count, m, k), n = a.shape, b.shape[2]
        one, zero = self.scalar(a.dtype, 1), self.scalar(a.dtype, 0)
        at = [ctypes.c_void_p(array.ctypes.data) for array in (a, b, c)]

        def run():
            function(
                ROW_MAJOR,
                NO_TRANSPOSE,
                NO_TRANSPOSE,
                m,
                n,
                k,
                one,
                at[0],
                k,
                m * k,
                at[1],
                n,
                k * n,
                zero,
                at[2],
                n,
                m * n,
                count,
            )

        run.kept = (a, b, c)
        return run


def load_mkl():
    path = mkl.find_library()
    if not path:
        return None
    found = mkl.Mkl(path)
    return Blas("MKL", found.library, found.version, found.threads)


def load_openblas():
    path = os.environ.get("STRATA_OPENBLAS")
    if not path:
        return None
    library = ctypes.CDLL(path)
    library.openblas_get_config.restype = ctypes.c_char_p
    return Blas(
        "OpenBLAS",
        library,
        library.openblas_get_config().decode(),
        library.openblas_set_num_threads,
    )


def load_blis():
    path = os.environ.get("STRATA_BLIS")
    if not path:
        return None
    library = ctypes.CDLL(path)
    library.bli_info_get_version_str.restype = ctypes.c_char_p
    library.bli_thread_set_num_threads.argtypes = [ctypes.c_int64]
    return Blas(
        "BLIS",
        library,
        "BLIS " + library.bli_info_get_version_str().decode(),
        library.bli_thread_set_num_threads,
    )


def libraries():
    """Those that are there; says which are not."""
    found = []
    for name, load in (("MKL", load_mkl), ("OpenBLAS", load_openblas), ("BLIS", load_blis)):
        library = load()
        if library:
            print(library.version)
            found.append(library)
        else:
            print(f"skipped: no {name} (STRATA_{name.upper()}=... names its shared library)")
    return found
