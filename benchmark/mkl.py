"""Products of a matrix in CSR against Intel's MKL, on the same arrays."""
import ctypes
import glob
import os
import statistics
import sysconfig
import time

import numpy

import kernels
import products
import quiet
from rivals import Rivals

WIDTHS = (1, 8, 32, 128)
HUNDREDS = 100  # calls that mkl_sparse_optimize is told of
ELAPSED = time.perf_counter
ROW_MAJOR, GENERAL, NO_TRANSPOSE = 101, 20, 10


class Description(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("mode", ctypes.c_int), ("diagonal", ctypes.c_int)]


def find_library():
    """STRATA_MKL, or what `pip install mkl` puts into this Python; none where there is none."""
    wanted = os.environ.get("STRATA_MKL")
    found = [wanted] if wanted else glob.glob(
        os.path.join(sysconfig.get_path("data"), "lib", "libmkl_rt.so*"))
    return found[0] if found else None


class Mkl:
    """The inspector-executor routines for CSR with 32-bit indices."""

    def __init__(self, path):
        # Its workers must not spin while others are measured.
        os.environ.update(KMP_BLOCKTIME="0", MKL_DYNAMIC="FALSE", OMP_WAIT_POLICY="passive",
                          MKL_INTERFACE_LAYER="LP64")
        self.library = ctypes.CDLL(path)
        text = ctypes.create_string_buffer(200)
        self.library.mkl_get_version_string(text, 200)
        self.version = text.value.decode().strip()

    def threads(self, count):
        self.library.mkl_set_num_threads(ctypes.byref(ctypes.c_int(count)))

    def matrix(self, matrix):
        """What MKL calls a matrix in CSR, on the arrays of SciPy's."""
        handle = ctypes.c_void_p()
        at = [ctypes.c_void_p(array.ctypes.data)
              for array in (matrix.indptr, matrix.indptr[1:], matrix.indices, matrix.data)]
        self.check(self.library.mkl_sparse_d_create_csr(ctypes.byref(handle), 0, *matrix.shape, *at))
        return handle

    def assembled(self, what, a, b, ordered=True):
        """A function that computes the sparse product or sum of two such matrices, and gives the
        result back. With `take`, it calls that with the numbers of entries and their sum before."""
        call = self.library

        def run(take=None):
            result = ctypes.c_void_p()
            if what == "product":
                self.check(call.mkl_sparse_spmm(NO_TRANSPOSE, a, b, ctypes.byref(result)))
            else:
                self.check(call.mkl_sparse_d_add(NO_TRANSPOSE, a, ctypes.c_double(1), b,
                                                 ctypes.byref(result)))
            if ordered:
                self.check(call.mkl_sparse_order(result))
            if take:
                take(*self.summary(result))
            self.check(call.mkl_sparse_destroy(result))
        return run

    def summary(self, handle):
        base, rows, columns = (ctypes.c_int() for _ in range(3))
        begins, ends, at, values = (ctypes.c_void_p() for _ in range(4))
        self.check(self.library.mkl_sparse_d_export_csr(
            handle, *map(ctypes.byref, (base, rows, columns, begins, ends, at, values))))
        last = (ctypes.c_int * rows.value).from_address(ends.value)[rows.value - 1]
        return last, numpy.frombuffer((ctypes.c_double * last).from_address(values.value)).sum()

    def product(self, matrix, x, optimized):
        """A function that computes matrix @ x, and its result."""
        rows, columns = matrix.shape
        handle, call = self.matrix(matrix), self.library
        description = Description(GENERAL, 0, 0)
        width = 1 if x.ndim == 1 else x.shape[1]
        if optimized:
            if width == 1:
                call.mkl_sparse_set_mv_hint(handle, NO_TRANSPOSE, description, HUNDREDS)
            else:
                call.mkl_sparse_set_mm_hint(handle, NO_TRANSPOSE, description, ROW_MAJOR, width,
                                            HUNDREDS)
            self.check(call.mkl_sparse_optimize(handle))
        return self.calls(handle, rows, x)

    def calls(self, handle, rows, x):
        """A function that multiplies a matrix that MKL knows by x, and its result."""
        call, description = self.library, Description(GENERAL, 0, 0)
        width = 1 if x.ndim == 1 else x.shape[1]
        y = kernels.aligned(numpy.zeros((rows,) + x.shape[1:]))
        one, zero = ctypes.c_double(1), ctypes.c_double(0)
        from_, to = ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(y.ctypes.data)

        def run():
            if width == 1:
                call.mkl_sparse_d_mv(NO_TRANSPOSE, one, handle, description, from_, zero, to)
            else:
                call.mkl_sparse_d_mm(NO_TRANSPOSE, one, handle, description, ROW_MAJOR, from_,
                                     width, width, zero, to, width)
        return run, y

    @staticmethod
    def check(status):
        if status != 0:
            raise SystemExit(f"MKL says {status}")


def contest(contestants, rounds):
    """The median times, and for each rival the median of its ratios to the first, in turns whose
    order changes."""
    calls = 1
    while products.per_call(contestants[0], calls, ELAPSED) * calls < 2e-3:
        calls *= 2
    times, clock = [], quiet.Clock()
    for turn in range(rounds):
        clock.tick()
        order = range(len(contestants)) if turn % 2 else reversed(range(len(contestants)))
        row = {}
        for number in order:
            row[number] = products.per_call(contestants[number], calls, ELAPSED)
        times.append([row[number] for number in range(len(contestants))])
    columns = list(zip(*clock.kept(times)))
    return ([statistics.median(column) for column in columns],
            [statistics.median(other / own for own, other in zip(columns[0], column))
             for column in columns[1:]])


def against_mkl(run):
    path = find_library()
    if not path:
        print("skipped: no MKL (pip install mkl, or STRATA_MKL=.../libmkl_rt.so.3)")
        return
    mkl, rivals = Mkl(path), Rivals(run)
    library = kernels.build(run)
    print(f"{mkl.version}\nratio: MKL's time by Strata's, as called and with mkl_sparse_optimize "
          f"(above 1: Strata is faster)")
    worst = {}
    for name, matrix in products.problems(run):
        matrix.sum_duplicates()
        print(f"\n{name}: {matrix.shape[0]} x {matrix.shape[1]}, {matrix.nnz} entries")
        print(f"  {'product':9} {'threads':7} {'us':>10} {'MKL us':>10} {'ratio':>7} "
              f"{'optimized us':>13} {'ratio':>7}")
        for width in WIDTHS:
            x = kernels.aligned(numpy.random.default_rng(2).uniform(
                -1, 1, matrix.shape[1] if width == 1 else (matrix.shape[1], width)))
            call = library.product("CSR", matrix, x)
            for threads in (1, 2):
                rivals.library.rivals_threads(threads)
                mkl.threads(threads)  # before it looks at the matrix
                plain, y = mkl.product(matrix, x, False)
                optimized, z = mkl.product(matrix, x, True)
                for function in (call.run, plain, optimized):
                    function()
                own = call.values(0).reshape(y.shape)
                bound = 1e-12 * (abs(matrix) @ abs(x)) + 1e-300
                if not ((abs(own - y) <= bound).all() and (abs(own - z) <= bound).all()):
                    raise SystemExit(f"{name}: the results differ")
                times, ratios = contest([call.run, plain, optimized], 9 if run.quick else 21)
                product = "SpMV" if width == 1 else f"SpMM {width}"
                print(f"  {product:9} {threads:7} {times[0] * 1e6:10.1f} {times[1] * 1e6:10.1f} "
                      f"{ratios[0]:7.3f} {times[2] * 1e6:13.1f} {ratios[1]:7.3f}", flush=True)
                run.add("mkl", matrix=name, product=product, threads=threads, seconds=times[0],
                        mkl_seconds=times[1], ratio=ratios[0], optimized_seconds=times[2],
                        optimized_ratio=ratios[1])
                least = min(ratios)
                if threads not in worst or least < worst[threads][0]:
                    worst[threads] = (least, f"{product}, {name}")
    for threads, (ratio, what) in worst.items():
        run.goal(f"CSR products, MKL's time by ours on {threads} threads, inverse", (1 / ratio, what),
                 1.03)
