"""The schedules that TACO's authors publish for its kernels on processors, and those for cutting by
non-zeros, in their spelling: the results are SciPy's, or NumPy's, and the same bits for any number of
threads.

Sources: Senanayake et al., A sparse iteration space transformation framework for sparse tensor
algebra, OOPSLA 2020, section 6 and its artifact; TACO's documentation of scheduling; Kjolstad et al.,
Tensor algebra compilation with workspaces, CGO 2019 (SpGEMM, MTTKRP).
"""
import numpy
import scipy.io
import scipy.sparse

import harness

ROWS, COLUMNS, WIDTH = 700, 500, 33


def skewed(shape, count, seed, heavy=0.4):
    """A matrix of which one row has a great part of the entries, and some have none."""
    draw = numpy.random.default_rng(seed)
    rows = draw.integers(0, shape[0], count)
    rows[: int(heavy * count)] = shape[0] // 3
    columns = draw.integers(0, shape[1], count)
    rows[rows % 7 == 1] -= 1
    matrix = scipy.sparse.coo_matrix((draw.uniform(-1, 1, count), (rows, columns)), shape).tocsr()
    matrix.sum_duplicates()
    return matrix


def cube(shape, count, seed):
    """A sparse tensor of order 3: coordinates and values."""
    draw = numpy.random.default_rng(seed)
    places = numpy.unique(numpy.stack([draw.integers(0, size, count) for size in shape], 1), axis=0)
    return places, draw.uniform(-1, 1, len(places))


A = skewed((ROWS, COLUMNS), 9000, seed=1)
B = skewed((COLUMNS, ROWS), 9000, seed=2)
A2 = skewed((ROWS, COLUMNS), 9000, seed=3)
T_SHAPE = (30, 40, 50)
T_PLACES, T_VALUES = cube(T_SHAPE, 4000, seed=4)
T = numpy.zeros(T_SHAPE)
T[tuple(T_PLACES.T)] = T_VALUES
x, z = harness.numbers(COLUMNS, seed=5), harness.numbers(ROWS, seed=6)
X = harness.numbers((COLUMNS, WIDTH), seed=7)
P, Q = harness.numbers((ROWS, WIDTH), seed=8), harness.numbers((WIDTH, COLUMNS), seed=9)
c = harness.numbers(T_SHAPE[2], seed=10)
U = harness.numbers((T_SHAPE[2], WIDTH), seed=11)
V = harness.numbers((T_SHAPE[1], WIDTH), seed=12)
OPERANDS = {"A": A, "A2": A2, "B": B, "T": T, "x": x, "z": z, "X": X, "P": P, "Q": Q, "c": c,
            "U": U, "V": V}

CSR, CSC, DCSR, DENSE = "-f={}:ds", "-f={}:ds:1,0", "-f={}:ss", "-f={}:dd"
CSF = "-f={}:sss"
ROW_CHUNKS = "split(i,i0,i1,16)"
SPMM = f"{ROW_CHUNKS},pos(j,jpos,A(i,j)),split(jpos,jpos0,jpos1,8),reorder(i0,i1,jpos0,k,jpos1)," \
       "parallelize(i0,CPUThread,NoRaces),parallelize(k,CPUVector,IgnoreRaces)"
SDDMM = f"{ROW_CHUNKS},pos(k,kpos,A(i,k)),split(kpos,kpos0,kpos1,8),reorder(i0,i1,kpos0,j,kpos1)," \
        "parallelize(i0,CPUThread,NoRaces),parallelize(kpos1,CPUVector,ParallelReduction)"
TTV = "fuse(i,j,f),pos(f,fpos,T(i,j,k)),split(fpos,chunk,fpos2,16),reorder(chunk,fpos2,k)," \
      "parallelize(chunk,CPUThread,NoRaces)"
TTM = "fuse(i,j,f),pos(f,fpos,T(i,j,k)),split(fpos,chunk,fpos2,16),pos(k,kpos,T(i,j,k))," \
      "split(kpos,kpos1,kpos2,8),reorder(chunk,fpos2,kpos1,l,kpos2)," \
      "parallelize(chunk,CPUThread,NoRaces),parallelize(kpos2,CPUVector,ParallelReduction)"
NON_ZEROS = "fuse(i,j,f),pos(f,fpos,A(i,j)),split(fpos,chunk,fpos2,256)," \
            "parallelize(chunk,CPUThread,{})"

SPMV = "y(i) = A(i,j) * x(j)"
# Name: the statement, the formats, schedules (all of them for one kernel, in this order), what it
# computes.
KERNELS = {
    "SpMV by rows": (SPMV, [CSR.format("A")],
                     [f"{ROW_CHUNKS},reorder(i0,i1,j),parallelize(i0,CPUThread,NoRaces)"], A @ x),
    "SpMV by rows, several options": (SPMV, [CSR.format("A")],
                                      ["split(i,i0,i1,32)", "reorder(i0,i1,j)",
                                       "parallelize(i0,CPUThread,NoRaces)"], A @ x),
    "SpMV by non-zeros": (SPMV, [CSR.format("A")], [NON_ZEROS.format("Temporary")], A @ x),
    "SpMV by non-zeros, compressed rows": (SPMV, [DCSR.format("A")],
                                           [NON_ZEROS.format("ParallelReduction")], A @ x),
    "SpMV by non-zeros, a list": (SPMV, ["-f=A:COO"], [NON_ZEROS.format("Temporary")], A @ x),
    "SpMV by columns": ("y(i) = A(i,j) * x(j)", [CSC.format("A")],
                        ["reorder(j,i),divide(j,jo,ji,4),parallelize(jo,CPUThread,Temporary)"],
                        A @ x),
    "SpMM": ("C(i,k) = A(i,j) * X(j,k)", [CSR.format("A"), DENSE.format("C")], [SPMM], A @ X),
    "SpMM by non-zeros": ("C(i,k) = A(i,j) * X(j,k)", [CSR.format("A"), DENSE.format("C")],
                          ["reorder(i,j,k)", NON_ZEROS.format("Temporary")], A @ X),
    "SDDMM": ("C(i,k) = A(i,k) * P(i,j) * Q(j,k)", [CSR.format("A"), DENSE.format("C")], [SDDMM],
              A.multiply(P @ Q)),
    "SDDMM, parallel, into rows": ("C(i,k) = A(i,k) * P(i,j) * Q(j,k)",
                                   [CSR.format("A"), CSR.format("C")],
                                   ["parallelize(i,CPUThread,NoRaces)"], A.multiply(P @ Q)),
    "TTV": ("C(i,j) = T(i,j,k) * c(k)", [CSF.format("T"), DENSE.format("C")], [TTV], T @ c),
    "TTM": ("C(i,j,l) = T(i,j,k) * U(k,l)", [CSF.format("T"), "-f=C:ddd"],
            ["reorder(i,j,k,l)," + TTM], T @ U),
    "MTTKRP": ("C(i,j) = T(i,k,l) * U(l,j) * V(k,j)", [CSF.format("T"), DENSE.format("C")],
               [f"split(i,i1,i2,16),reorder(i1,i2,k,l,j),parallelize(i1,CPUThread,NoRaces)"],
               numpy.einsum("ikl,lj,kj->ij", T, U, V)),
    "MTTKRP with a workspace": ("C(i,j) = T(i,k,l) * U(l,j) * V(k,j)",
                                [CSF.format("T"), DENSE.format("C")],
                                ["reorder(i,k,l,j),precompute(T(i,k,l)*U(l,j),j,jw)",
                                 "split(i,i1,i2,16),parallelize(i1,CPUThread,NoRaces)"],
                                numpy.einsum("ikl,lj,kj->ij", T, U, V)),
    "SpGEMM with a workspace": ("C(i,j) = A(i,k) * B(k,j)",
                                [CSR.format("A"), CSR.format("B"), CSR.format("C")],
                                ["reorder(i,k,j),precompute(A(i,k)*B(k,j),j,j)",
                                 "parallelize(i,CPUThread,NoRaces)"], A @ B),
    "SpGEMM with a hashed workspace": ("C(i,j) = A(i,k) * B(k,j)",
                                       [CSR.format("A"), CSR.format("B"), CSR.format("C")],
                                       ["reorder(i,k,j)",
                                        "precompute(A(i,k)*B(k,j),{j},{jw},w,table)",
                                        "parallelize(i,CPUThread,NoRaces)"], A @ B),
    "SpGEMM into a dense matrix": ("C(i,j) = A(i,k) * B(k,j)",
                                   [CSR.format("A"), CSR.format("B"), DENSE.format("C")],
                                   ["reorder(i,k,j),precompute(A(i,k)*B(k,j),{j},{jw})",
                                    "parallelize(i,CPUThread,NoRaces)"], A @ B),
    "A + B": ("C(i,j) = A(i,j) + A2(i,j)", [CSR.format("A"), CSR.format("A2"), CSR.format("C")],
              ["assemble(C,Insert),parallelize(i,CPUThread,NoRaces)"], A + A2),
    "A .* B by non-zeros": ("C(i,j) = A(i,j) * A2(i,j)",
                            [CSR.format("A"), CSR.format("A2"), CSR.format("C")],
                            [NON_ZEROS.format("NoRaces"), "assemble(C,Insert)"], A.multiply(A2)),
    "sum": ("s = A(i,j)", [CSR.format("A")],
            ["fuse(i,j,f),pos(f,p,A),divide(p,chunk,q,6)",
             "parallelize(chunk,CPUThread,ParallelReduction)"], A.sum()),
}


def write(folder, name):
    value = OPERANDS[name]
    if name == "T":
        lines = (" ".join(map(str, [*(place + 1), repr(float(v))]))
                 for place, v in zip(T_PLACES, T_VALUES))
        (folder / "T.tns").write_text("\n".join(lines) + "\n")
        return ["-i=T:T.tns", "-d=T:" + ",".join(map(str, T_SHAPE))]
    if scipy.sparse.issparse(value):
        scipy.io.mmwrite(folder / f"{name}.mtx", value, precision=17)
        return [f"-i={name}:{name}.mtx"]
    numpy.save(folder / f"{name}.npy", value)
    return [f"-i={name}:{name}.npy"]


def case(statement, formats, schedules, expected):
    def run(folder):
        result, right = statement.split(" = ")
        target = result.split("(")[0]
        names = sorted({factor.split("(")[0].strip() for factor in right.replace("+", "*").split("*")})
        arguments = [statement, *formats, *(f"-s={schedule}" for schedule in schedules)]
        for name in names:
            arguments += write(folder, name)
        sparse = f"-f={target}:ds" in formats
        file = f"{target}.npz" if sparse else f"{target}.npy"
        found = {}
        for threads in (1, 2, 5):
            harness.run_tool(*arguments, f"-o={target}:{file}", f"--threads={threads}",
                             folder=folder)
            found[threads] = (folder / file).read_bytes()
        if len(set(found.values())) != 1:
            raise harness.Failure("the bits depend on the number of threads")
        actual = (scipy.sparse.load_npz(folder / file).toarray() if sparse
                  else numpy.load(folder / file))
        wanted = expected.toarray() if scipy.sparse.issparse(expected) else numpy.asarray(expected)
        harness.compare(target, actual.reshape(wanted.shape), wanted, 1000.0)
        return f"{len(found[1])} bytes"
    return run


if __name__ == "__main__":
    harness.main([(name, case(*kernel)) for name, kernel in KERNELS.items()])
