"""SpMV in other formats than CSR: Strata from Python against SciPy and MKL in the same format, on the
same arrays where both can have them."""

import ctypes

import numpy
import scipy.sparse

import formats
import kernels
import mkl
import products

FORMATS = {  # Strata's name: SciPy's and MKL's
    "COO": ("coo", "coo"),
    "CSC": ("csc", "csc"),
    "DIA": ("dia", None),
    "BCSR:4x4": ("bsr", "bsr"),
}


def even_rows(rows, per_row):
    """Rows of one length, at random columns."""
    generator = numpy.random.default_rng(1)
    columns = generator.integers(0, rows, (rows, per_row))
    values = generator.uniform(-1, 1, columns.size)
    lines = numpy.repeat(numpy.arange(rows), per_row)
    return scipy.sparse.coo_matrix((values, (lines, columns.ravel())), (rows, rows)).tocsr()


def problems(run):
    """Matrices with the formats that suit them."""
    rows = 20000 if run.quick else 200000
    points = 20 if run.quick else 48
    yield f"stencil:{points}", products.stencil(points), ["COO", "CSC", "DIA"]
    yield f"random:{rows}:10", products.random(rows, 10), ["COO", "CSC"]
    yield f"band:{rows}", formats.band(rows).tocsr(), ["COO", "CSC", "DIA", "ELL", "SELL:32"]
    yield f"blocked:{rows}", formats.blocked(rows).tocsr(), ["BCSR:4x4"]
    yield f"even:{rows}:5", even_rows(rows, 5), ["ELL", "SELL:32"]


class MklFormats(mkl.Mkl):
    """Products of a matrix in COO, CSC or blocks with a vector."""

    def vector_product(self, kind, matrix, x):
        handle, call = ctypes.c_void_p(), self.library
        rows, columns = matrix.shape
        made = {
            "coo": lambda: call.mkl_sparse_d_create_coo(
                ctypes.byref(handle),
                0,
                rows,
                columns,
                matrix.nnz,
                *self.pointers(matrix.row, matrix.col, matrix.data),
            ),
            "csc": lambda: call.mkl_sparse_d_create_csc(
                ctypes.byref(handle),
                0,
                rows,
                columns,
                *self.pointers(matrix.indptr, matrix.indptr[1:], matrix.indices, matrix.data),
            ),
            "bsr": lambda: call.mkl_sparse_d_create_bsr(
                ctypes.byref(handle),
                0,
                mkl.ROW_MAJOR,
                rows // 4,
                columns // 4,
                4,
                *self.pointers(matrix.indptr, matrix.indptr[1:], matrix.indices, matrix.data),
            ),
        }
        self.check(made[kind]())
        run, y = self.calls(handle, rows, x)

        def product():
            run()
            return y

        return product

    @staticmethod
    def pointers(*arrays):
        return [ctypes.c_void_p(array.ctypes.data) for array in arrays]


def dense(vector):
    return vector if isinstance(vector, numpy.ndarray) else vector.todense()


def contestants(strata, library, form, matrix, x):
    """Strata's call first; then CSR, SciPy and MKL, as far as they have the format."""
    spmv = {
        name: strata.compile("y(i) = A(i,j) * x(j)", A=strata.spec(2, name), x=strata.spec(1))
        for name in (form, "CSR")
    }
    kind, mkl_kind = FORMATS.get(form, (None, None))
    theirs = None
    if kind:
        theirs = matrix.tobsr((4, 4)) if kind == "bsr" else matrix.asformat(kind)
    own = strata.asarray(matrix if theirs is None else theirs).asformat(form)
    csr, vector = strata.asarray(matrix), strata.asarray(x)
    found = {form: lambda: spmv[form](A=own, x=vector), "CSR": lambda: spmv["CSR"](A=csr, x=vector)}
    if kind:
        found["SciPy"] = lambda: theirs @ x
    if library and mkl_kind:
        found["MKL"] = library.vector_product(mkl_kind, theirs, x)
    return found


def against_libraries(run):
    strata = run.python_package()
    if not strata:
        return
    path = mkl.find_library()
    library = MklFormats(path) if path else None
    print(
        "SpMV; ratio: the other's time by Strata's in the format (above 1: Strata in it is faster)"
    )
    print(
        f"  {'matrix':16} {'format':9} {'threads':7} {'us':>9}  {'CSR':>6} {'SciPy':>6} {'MKL':>6}"
    )
    worst = None
    for name, matrix, forms in problems(run):
        matrix.sort_indices()
        x = kernels.aligned(numpy.random.default_rng(2).uniform(-1, 1, matrix.shape[1]))
        for form in forms:
            for threads in (1, 2):
                strata.set_num_threads(threads)
                if library:
                    library.threads(threads)
                found = contestants(strata, library, form, matrix, x)
                bound = 1e-12 * (abs(matrix) @ abs(x)) + 1e-300
                for call in found.values():
                    if not (abs(dense(call()) - matrix @ x) <= bound).all():
                        raise SystemExit(f"{name}, {form}: the results differ")
                times, ratios = mkl.contest(list(found.values()), 7 if run.quick else 15)
                by = dict(zip(list(found)[1:], ratios))
                shown = " ".join(
                    f"{by[key]:6.2f}" if key in by else 6 * " " for key in ("CSR", "SciPy", "MKL")
                )
                print(
                    f"  {name:16} {form:9} {threads:7} {times[0] * 1e6:9.1f}  {shown}", flush=True
                )
                run.add(
                    "storage",
                    matrix=name,
                    format=form,
                    threads=threads,
                    seconds=times[0],
                    **{f"{key.lower()}_ratio": ratio for key, ratio in by.items()},
                )
                rivals = [ratio for key, ratio in by.items() if key != "CSR"]
                if rivals and (worst is None or min(rivals) < worst[0]):
                    worst = (min(rivals), f"{form}, {name}, threads: {threads}")
    if worst:
        run.goal(
            "SpMV in formats, SciPy's or MKL's time by ours, inverse",
            (1 / worst[0], worst[1]),
            1.03,
        )
