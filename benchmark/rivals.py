"""Eigen and SuiteSparse:GraphBLAS, behind the C functions of Rivals.cpp."""
import ctypes


class Summary(ctypes.Structure):
    _fields_ = [("entries", ctypes.c_int64), ("sum", ctypes.c_double)]


class Rivals:
    """Eigen and GraphBLAS, in a library of C functions (Rivals.cpp)."""

    def __init__(self, run):
        self.library = ctypes.CDLL(str(run.build / "lib" / "libstrata-rivals.so"))
        self.library.rivals_matrix.restype = ctypes.c_void_p
        self.library.rivals_graph_triangles.restype = ctypes.c_int64
        self.library.rivals_begin()

    def matrix(self, csr):
        pointers = (ctypes.c_void_p(array.ctypes.data)
                    for array in (csr.indptr, csr.indices, csr.data))
        rows, columns = (ctypes.c_int64(size) for size in csr.shape)
        return ctypes.c_void_p(self.library.rivals_matrix(rows, columns, *pointers))

    def call(self, name, *arguments):
        """A contestant; it can fill in a summary of its result."""
        function = getattr(self.library, name)
        return lambda summary=None: function(*arguments, summary and ctypes.byref(summary))
