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
        return self.caller("gemm", a, b, c, is_batch=False)

    def batch(self, a, b, c):
        """A function that computes c[i] = a[i] @ b[i]; none if the library has no such function."""
        if not hasattr(self.library, f"cblas_{LETTERS[a.dtype]}gemm_batch_strided"):
            return None
        return self.caller("gemm_batch_strided", a, b, c, is_batch=True)

    def caller(self, name, a, b, c, is_batch):
        """A function that calls the library; behind the leading dimension of each matrix, one of
        batches takes how far apart its matrices are, and last how many there are."""
        function = getattr(self.library, f"cblas_{LETTERS[a.dtype]}{name}")
        (m, k), n = a.shape[-2:], b.shape[-1]

        def matrix(array):
            rows, columns = array.shape[-2:]
            stride = [rows * columns] if is_batch else []
            return [ctypes.c_void_p(array.ctypes.data), columns, *stride]

        one, zero = self.scalar(a.dtype, 1), self.scalar(a.dtype, 0)
        arguments = [ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, m, n, k]
        arguments += [one, *matrix(a), *matrix(b), zero, *matrix(c)]
        arguments += [a.shape[0]] if is_batch else []

        def run():
            function(*arguments)

        run.kept = (a, b, c)
        return run


def load_mkl():
    path = mkl.find_library()
    if not path:
        return None
    found = mkl.Mkl(path)
    return Blas("MKL", found.library, found.version, found.threads)


def library_in(variable):
    """The library that an environment variable names, if it does."""
    path = os.environ.get(variable)
    return ctypes.CDLL(path) if path else None


def load_openblas():
    library = library_in("STRATA_OPENBLAS")
    if not library:
        return None
    library.openblas_get_config.restype = ctypes.c_char_p
    return Blas(
        "OpenBLAS",
        library,
        library.openblas_get_config().decode(),
        library.openblas_set_num_threads,
    )


def load_blis():
    library = library_in("STRATA_BLIS")
    if not library:
        return None
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
