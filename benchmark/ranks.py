"""Two ranks, a core each, against PETSc, Tpetra and ScaLAPACK on the same matrices, in turns within one run; and against
two threads of one process."""

import ctypes
import glob
import json
import os
import shutil
import subprocess
import sys
import time

LIMITS = {"SpMV": 0.95, "SpMM 16": 2, "SpMM 32": 2, "A+B+C": 5, "SpGEMM": 1, "dense": 0.9, "set-up": 1}
LIMIT_TPETRA = 1  # of SpMV
THREADS = "two threads"  # of one process, as a rival
LIMIT_THREADS = 0.9
PYTHONS = ("STRATA_PETSC_PYTHON", "/usr/bin/python3")  # one that has petsc4py and mpi4py


# ---- What starts the ranks ----


def python_with_petsc():
    candidates = [os.environ.get(PYTHONS[0]), sys.executable, PYTHONS[1]]
    for python in filter(None, candidates):
        found = subprocess.run([python, "-c", "import mpi4py, petsc4py, scipy"], capture_output=True)
        if found.returncode == 0:
            return python
    return None


def build_tpetra(run):
    """The library of calls of Tpetra; None where Trilinos or the compiler of Open MPI is not there."""
    library, headers, compiler = run.folder / "tpetra.so", "/usr/include/trilinos", shutil.which("mpicxx.openmpi")
    if not compiler or not os.path.exists(f"{headers}/Tpetra_CrsMatrix.hpp"):
        print("without Tpetra: Trilinos (libtrilinos-tpetra-dev), or the compiler of Open MPI, is not installed")
        return None
    if not library.exists():
        names = ["tpetra", "tpetraclassic", "teuchoscomm", "teuchoscore", "kokkoscore"]
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Tpetra.cpp")
        subprocess.run([compiler, "-O3", "-march=native", "-std=c++14", "-w", "-shared", "-fPIC", f"-I{headers}", source,
                        "-o", str(library), *(f"-ltrilinos_{name}" for name in names)], check=True)
    return str(library)


def launch(run, python, ranks, threads):
    """The figures that rank 0 prints."""
    environment = dict(
        os.environ,
        PYTHONPATH=str(run.build / "python"),
        STRATA_NUM_THREADS=str(threads),
        OMP_NUM_THREADS="1",
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    )
    if tpetra := build_tpetra(run):
        environment["STRATA_TPETRA"] = tpetra
    size = "quick" if run.quick else "full"
    command = [shutil.which("mpirun.openmpi") or "mpirun", "--bind-to", "none", "-n", str(ranks), python,
               __file__, size]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def against_libraries(run):
    python = python_with_petsc()
    if not python or not shutil.which("mpirun.openmpi"):
        print(f"skipped: no Python with petsc4py and mpi4py ({' or '.join(PYTHONS)}), or no Open MPI")
        return
    print(f"{'matrix':10} {'kernel':8} {'rival':12} {'rival ms':>10} {'ranks ms':>10} {'ratio':>6}")
    two = launch(run, python, 2, 1)
    threads = {(row["matrix"], row["kernel"]): row["strata"] for row in launch(run, python, 1, 2)}
    worst = {}
    for row in two:
        rivals = [(row["rival"], row["other"])] if row["other"] else []
        if row["rival"] != "Tpetra":
            rivals.append((THREADS, threads[row["matrix"], row["kernel"]]))
        for rival, seconds in rivals:
            ratio = seconds / row["strata"]
            print(f"{row['matrix']:10} {row['kernel']:8} {rival:12} {1e3 * seconds:10.2f} "
                  f"{1e3 * row['strata']:10.2f} {ratio:6.2f}", flush=True)
            run.add("ranks", **{**row, "rival": rival, "other": seconds, "ratio": ratio})
            key = (row["kernel"], rival)
            worst[key] = min(worst.get(key, (ratio, row["matrix"])), (ratio, row["matrix"]))
    for (kernel, rival), least in worst.items():
        limit = LIMIT_THREADS if rival == THREADS else LIMIT_TPETRA if rival == "Tpetra" else LIMITS[kernel]
        run.goal_from(f"{kernel} on two ranks, times as fast as {rival}", least, limit)


# ---- What each rank does ----


class Ranks:
    def __init__(self, quick):
        import petsc4py

        petsc4py.init([])
        import mpi4py.MPI
        import numpy
        import petsc4py.PETSc
        import scipy.sparse
        import strata

        self.numpy, self.sparse, self.petsc, self.st = numpy, scipy.sparse, petsc4py.PETSc, strata
        self.comm = mpi4py.MPI.COMM_WORLD
        self.rank, self.size = self.comm.rank, self.comm.size
        self.machine = strata.Machine(self.size)
        self.quick = quick

    def rows(self, n):
        share = -(-n // self.size)
        return min(self.rank * share, n), min((self.rank + 1) * share, n)

    def matrix(self, rows, columns, values, n):
        """This rank's rows, of entries in any order."""
        lo, hi = self.rows(n)
        concatenate = self.numpy.concatenate
        rows, columns, values = concatenate(rows), concatenate(columns), concatenate(values)
        own = (rows >= lo) & (rows < hi)
        places = (rows[own] - lo, columns[own])
        a = self.sparse.csr_matrix((values[own], places), shape=(hi - lo, n))
        a.sum_duplicates()
        a.sort_indices()
        a.indices, a.indptr = a.indices.astype("int32"), a.indptr.astype("int32")
        return a

    # 7 points in three dimensions
    def stencil(self):
        side = 60 if self.quick else 126
        n = side**3
        lo, hi = self.rows(n)
        np = self.numpy
        r = np.arange(lo, hi)
        rows, columns, values = [r], [r], [np.full(hi - lo, 6.0)]
        for step in (side**2, side, 1):
            coordinate = r // step % side
            for sign, inside in ((-1, coordinate > 0), (1, coordinate < side - 1)):
                rows.append(r[inside])
                columns.append(r[inside] + sign * step)
                values.append(np.full(inside.sum(), -1.0))
        return self.matrix(rows, columns, values, n)

    def rmat(self):
        scale = 16 if self.quick else 20
        n, edges = 1 << scale, 16 << scale
        np = self.numpy
        random = np.random.default_rng(5)
        i, j = np.zeros(edges, "int64"), np.zeros(edges, "int64")
        for _ in range(scale):
            u = random.random(edges)
            i = 2 * i + (u >= 0.76)
            j = 2 * j + (((u >= 0.57) & (u < 0.76)) | (u >= 0.95))
        order = random.permutation(n)
        return self.matrix([order[i]], [order[j]], [np.ones(edges)], n)

    def band(self):
        n = 10**5 if self.quick else 10**6
        lo, hi = self.rows(n)
        r = self.numpy.arange(lo, hi)
        rows, columns, values = [], [], []
        for offset in range(-5, 6):
            inside = (r + offset >= 0) & (r + offset < n)
            rows.append(r[inside])
            columns.append(r[inside] + offset)
            values.append(self.numpy.full(inside.sum(), 1.0 + offset))
        return self.matrix(rows, columns, values, n)

    def dense_row(self):
        n = 10**5 if self.quick else 10**6
        np = self.numpy
        rows = np.concatenate([np.repeat(np.arange(n), 9), np.zeros(n, "int64")])
        columns = np.concatenate([np.random.default_rng(9).integers(0, n, 9 * n), np.arange(n)])
        return self.matrix([rows], [columns], [np.ones(len(rows))], n)

    def petsc_matrix(self, a, n):
        size = (a.shape[0], n)
        made = self.petsc.Mat().createAIJ(size=(size, size), csr=(a.indptr, a.indices, a.data), comm=self.comm)
        made.assemble()
        return made

    def against_tpetra(self, name, kernel, a, vectors, ours, turns):
        """Its product with ones, where it is there."""
        file = os.environ.get("STRATA_TPETRA")
        if not file or self.size == 1:
            return
        library = ctypes.CDLL(file, ctypes.RTLD_GLOBAL)
        library.tpetra_make.restype = ctypes.c_void_p
        n, pointer = a.shape[1], lambda array: ctypes.c_void_p(array.ctypes.data)
        made = library.tpetra_make(ctypes.c_int64(n), ctypes.c_int64(self.rows(n)[0]), ctypes.c_int64(a.shape[0]),
                                   pointer(a.indptr), pointer(a.indices), pointer(a.data), ctypes.c_int32(vectors))
        self.contest(name, kernel, "Tpetra", lambda: library.tpetra_apply(ctypes.c_void_p(made)), ours, turns)
        library.tpetra_release(ctypes.c_void_p(made))

    def placed(self, array, shape):
        kind = "CSR" if self.sparse.issparse(array) else "Dense"
        return self.st.from_piece(array, f"{kind} on M(i)", self.machine, shape=shape, first=self.rows(shape[0])[0])

    def contest(self, matrix, kernel, rival, theirs, ours, turns):
        """In turns, whose order alternates; the medians of the slowest rank's seconds."""
        named = [(name, call) for name, call in (("other", theirs), ("strata", ours)) if call]
        seconds = {name: [] for name, _ in named}
        for turn in range(-2, turns):
            for name, call in named[:: 1 if turn % 2 else -1]:
                self.comm.Barrier()
                begin = time.perf_counter()
                call()
                self.comm.Barrier()
                if turn >= 0:
                    seconds[name].append(time.perf_counter() - begin)
        if self.rank == 0:
            medians = {name: float(self.numpy.median(values)) for name, values in seconds.items()}
            print(json.dumps({"matrix": matrix, "kernel": kernel, "rival": rival, "other": None, **medians}), flush=True)

    def sparse_kernels(self, name, a):
        st, np = self.st, self.numpy
        i, j, k = st.get_index_vars(3)
        n = a.shape[1]
        alone = self.size == 1  # rivals are measured on ranks
        A, P = self.placed(a, (n, n)), None if alone else self.petsc_matrix(a, n)
        x = self.placed(np.ones(a.shape[0]), (n,))
        y = st.zeros_like(x)
        if P:
            px, py = P.createVecs()
            px.set(1.0)

        def product():
            y[i] = A[i, j] * x[j]

        self.contest(name, "SpMV", "PETSc", P and (lambda: P.mult(px, py)), product, 21)
        if P and not np.allclose(np.concatenate([piece.tensor.to_numpy() for piece in y.pieces]), py.array):
            raise SystemExit(f"{name}: SpMV differs from PETSc's")
        self.against_tpetra(name, "SpMV", a, 1, product, 21)
        def assembled_once():
            P = self.petsc_matrix(a, n)
            P.mult(px, py)
            P.destroy()

        def planned_once():
            B = self.placed(a, (n, n))
            y[i] = B[i, j] * x[j]

        self.contest(name, "set-up", "PETSc", P and assembled_once, planned_once, 5)
        for width in (16, 32):
            X = self.placed(np.ones((a.shape[0], width)), (n, width))
            Y = st.zeros_like(X)
            if P:
                D = self.petsc.Mat().createDense(size=((a.shape[0], n), (self.petsc.DECIDE, width)), comm=self.comm)
                D.setUp()
                D.assemble()
                D.getDenseArray()[:] = 1.0
                R = P.matMult(D)

            def products():
                Y[i, k] = A[i, j] * X[j, k]

            self.contest(name, f"SpMM {width}", "PETSc", P and (lambda: P.matMult(D, R)), products, 7)
            self.against_tpetra(name, f"SpMM {width}", a, width, products, 7)
        self.assembled(name, a, A, P)

    def assembled(self, name, a, A, P):
        """Sparse results: the rival's pattern is made anew in each turn, too."""
        st, n = self.st, a.shape[1]
        shifted = []
        for number in (1, 2):
            b = self.sparse.csr_matrix((a.data * (number + 1), (a.indices + number) % n, a.indptr), shape=a.shape)
            b.sort_indices()
            shifted.append(b)
        B, C = (self.placed(b, (n, n)) for b in shifted)
        theirs = [self.petsc_matrix(b, n) for b in shifted] if P else []
        pattern = self.petsc.Mat.Structure.DIFFERENT_NONZERO_PATTERN

        def added():
            total = P.duplicate(copy=True)
            for other in theirs:
                total.axpy(1.0, other, pattern)
            total.destroy()

        self.contest(name, "A+B+C", "PETSc", P and added,
                     lambda: st.evaluate("D(i,j) = A(i,j) + B(i,j) + C(i,j)", A=A, B=B, C=C), 5)
        if name == "dense row" or (name == "R-MAT" and not self.quick):
            return  # whose squares are nearly full
        self.contest(name, "SpGEMM", "PETSc", P and (lambda: P.matMult(P).destroy()),
                     lambda: st.evaluate("D(i,j) = A(i,k) * B(k,j)", A=A, B=A), 5)

    def factored(self):
        """MTTKRP with a tensor whose first slices have most of the entries."""
        st, np = self.st, self.numpy
        i, j, k, l = st.get_index_vars(4)
        sizes, entries = (20000, 4000, 3000), 10**5 if self.quick else 3 * 10**6
        random = np.random.default_rng(11)
        places = np.unique(np.stack([(size * random.random(entries) ** 2).astype("int64") for size in sizes]), axis=1)
        lo, hi = self.rows(sizes[0])
        own = places[:, (places[0] >= lo) & (places[0] < hi)]
        own[0] -= lo
        piece = st.from_coo(tuple(own), np.ones(own.shape[1]), shape=(hi - lo, *sizes[1:]), format="CSF")
        T = st.from_piece(piece, "CSF on M(i)", self.machine, shape=sizes, first=lo)
        U, V = (self.placed(np.ones((self.rows(size)[1] - self.rows(size)[0], 16)), (size, 16)) for size in sizes[1:])
        Y = self.placed(np.zeros((hi - lo, 16)), (sizes[0], 16))

        def product():
            Y[i, l] = T[i, j, k] * U[j, l] * V[k, l]

        self.contest("tensor", "MTTKRP", None, None, product, 7)

    def dense(self, n):
        st = self.st
        lo, hi = self.rows(n)
        random = self.numpy.random.default_rng(self.rank)
        A, B = (self.placed(random.random((hi - lo, n)), (n, n)) for _ in range(2))
        text = "divide(i, io, ii, M.x), split(k, ko, ki, 256), distribute(io), communicate({A, B}, ko)"
        self.contest("dense", "dense", "ScaLAPACK", self.size > 1 and self.scalapack(n),
                     lambda: st.evaluate("C(i,j) = A(i,k) * B(k,j)", A=A, B=B, schedule=text), 7)

    def scalapack(self, n, block=64):
        """A call of pdgemm on matrices in blocks of rows; None where the library is not there."""
        found = glob.glob("/usr/lib/*/libscalapack-openmpi.so.2*")
        if not found:
            return None
        library = ctypes.CDLL(found[0], ctypes.RTLD_GLOBAL)
        word = ctypes.c_int
        at = lambda value: ctypes.byref(word(value))
        context, info, descriptor = word(), word(), (word * 9)()
        library.Cblacs_get(0, 0, ctypes.byref(context))
        library.Cblacs_gridinit(ctypes.byref(context), b"R", self.size, 1)
        rows = library.numroc_(at(n), at(block), at(self.rank), at(0), at(self.size))
        library.descinit_(descriptor, at(n), at(n), at(block), at(block), at(0), at(0), ctypes.byref(context),
                          at(max(rows, 1)), ctypes.byref(info))
        random = self.numpy.random.default_rng(self.rank)
        arrays = [self.numpy.asfortranarray(random.random((rows, n))) for _ in range(3)]
        places = [[ctypes.c_void_p(array.ctypes.data), at(1), at(1), descriptor] for array in arrays]
        one, zero = (ctypes.byref(ctypes.c_double(value)) for value in (1, 0))

        def call(arrays=arrays):
            library.pdgemm_(b"N", b"N", at(n), at(n), at(n), one, *places[0], *places[1], zero, *places[2])

        return call

    def run(self):
        for name, make in (("stencil", self.stencil), ("R-MAT", self.rmat), ("band", self.band),
                           ("dense row", self.dense_row)):
            self.sparse_kernels(name, make())
        self.factored()
        self.dense(512 if self.quick else 2048)


if __name__ == "__main__":
    Ranks(sys.argv[1] == "quick").run()
