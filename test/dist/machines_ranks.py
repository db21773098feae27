"""What machines.py has each rank do: computes with tensors in pieces, and writes results into
a folder, which do not depend on the number of ranks."""
import pathlib
import sys

try:
    import numpy
    import strata as st
except ImportError as missing:
    print(f"{missing.name} is not there")
    sys.exit(77)

folder = pathlib.Path(sys.argv[1])
SPMV = "y(i) = A(i,j) * x(j)"
M = st.Machine(5)
random = numpy.random.default_rng(1)
matrix = random.random((40, 30)) * (random.random((40, 30)) < 0.2)
matrix[7] = random.random(30)  # a long row
vector = random.random(30)
whole = st.asarray(matrix, format="CSR")


def keep(name, tensor):
    """Writes what each rank has after it was brought together, once."""
    array = tensor.to_numpy(allow_dense=True)
    if M.rank == 0:
        (folder / f"{name}.npy").write_bytes(array.tobytes())
    return array


def fails(kind, action, *texts, code=None):
    try:
        action()
    except kind as error:
        missing = [text for text in texts if text not in str(error)]
        assert not missing, f"rank {M.rank}: {missing} not in: {error}"
        assert code is None or error.code == code, f"rank {M.rank}: {error.code}: {error}"
        return
    raise AssertionError(f"rank {M.rank}: no {kind.__name__}")


# ---- Statements ----

for form in ("CSR", "CSC", "COO", "DCSR", "BCSR:2x3", "Dense"):
    for places in ("i", "j", "~(i, j)"):
        A = whole.asformat(f"{form} on M({places})", machine=M)
        assert (A.todense() == matrix).all()
        x = st.asarray(vector).asformat("Dense on M(i)", machine=M)
        y = st.evaluate(SPMV, A=A, x=x, format="Dense on M(i)")
        name = f"{form}-{places}".replace(":", "-").replace(" ", "")
        assert numpy.allclose(keep(f"y-{name}", y), matrix @ vector)
        B = st.evaluate("B(i,j) = A(i,j) + A(i,j) * A(i,j)", A=A, format=f"CSR on M({places})")
        assert numpy.allclose(keep(f"B-{name}", B), matrix + matrix**2)

A = whole.asformat("CSR on M(i)", machine=M)
x = st.asarray(vector).asformat("Dense on M(i)", machine=M)
kernel = st.compile(SPMV, A=A, x=x, format="Dense on M(i)")
for round in range(4):
    y = kernel(A, x)
    assert numpy.allclose(y.to_numpy(), matrix @ x.to_numpy())
    x = st.evaluate("z(j) = A(i,j) * y(i)", A=A, y=y, format="Dense on M(i)")
    keep(f"round-{round}", x)
A = st.evaluate("C(i,j) = 2 * A(i,j)", A=A, format="CSR on M(i)")  # another matrix, of that format
x = st.asarray(vector).asformat("Dense on M(i)", machine=M)
assert numpy.allclose(keep("other", kernel(A, x)), 2 * matrix @ vector)

# ---- Pieces ----

for piece in A.pieces:
    assert (piece.tensor.todense() == 2 * matrix[piece.ranges[0]]).all()
first, end = (rank * 40 // M.size for rank in (M.rank, M.rank + 1))
for form in ("CSR on M(i)", "CSC on M(~(i, j))", "Dense on M(j)", "COO on M(*)"):
    B = st.from_piece(matrix[first:end], form, M, shape=(40, 30), first=first)
    assert (B.todense() == matrix).all()
B = st.from_piece(matrix, "CSR on M(i)", M, shape=(40, 30), first=0)  # all ranks have all
assert numpy.allclose(B.todense(), M.size * matrix)

# Pieces that lie where they are to be are copied: whoever has given them may write into them.
E = st.Machine(M.size)
share = -(-40 // E.size)
lo, hi = (min(rank * share, 40) for rank in (M.rank, M.rank + 1))
rows = matrix[lo:hi].copy()
B = st.from_piece(rows, "Dense on M(i)", E, shape=(40, 30), first=lo)
rows[:] = 0
assert (B.todense() == matrix).all()
for index in ("int32", "int64"):
    rows = matrix[lo:hi]
    starts = numpy.concatenate([[0], numpy.cumsum((rows != 0).sum(axis=1))]).astype(index)
    columns, values = numpy.nonzero(rows)[1].astype(index), rows[rows != 0]
    piece = st.from_buffers("CSR", rows.shape, (starts, columns, values))
    B = st.from_piece(piece, "CSR on M(i)", E, shape=(40, 30), first=lo)
    values[:] = 0
    columns[:] = 0
    assert (B.todense() == matrix).all()
    x = st.from_piece(vector[M.rank * -(-30 // E.size):][:-(-30 // E.size)], "Dense on M(i)", E, shape=(30,),
                      first=min(M.rank * -(-30 // E.size), 30))
    for _ in range(2):
        y = st.evaluate(SPMV, A=B, x=x, format="Dense on M(i)")
        assert numpy.allclose(y.to_numpy(), matrix @ vector)

# ---- Arrays of many pages, which libraries of MPI watch ----

long = numpy.arange(2_000_000.0)
z = st.asarray(long).asformat("Dense on M(i)", machine=M)
for round in range(6):
    z = st.evaluate("w(i) = z(i) + 1", z=z, format="Dense on M(i)")
    even = st.evaluate("v(i) = z(i) * mod(i, 2)", z=z.gather(), format="COO")
assert (z.to_numpy() == long + 6).all()
assert even.nnz == 2_000_000 and even.sum().item() == ((long + 6)[1::2]).sum()

# ---- What one rank alone stores: all decide alike how large a result may be ----

first_rows = numpy.zeros((1200, 1000))
first_rows[:200, ::2] = 1 + random.random((200, 500))
wide = numpy.ones((1, 1000))
B = st.asarray(first_rows, format="CSR").asformat("CSR on M(i)", machine=M)
assert (numpy.hypot(B, wide[0]).todense() == numpy.hypot(first_rows, wide[0])).all()
assert (st.concat([B, st.asarray(wide)]).todense() == numpy.concatenate([first_rows, wide])).all()
assert (numpy.delete(B, [3, 5], axis=0).todense() == numpy.delete(first_rows, [3, 5], axis=0)).all()
assert (st.tril(B + 1).todense() == numpy.tril(first_rows + 1)).all()
few = numpy.zeros((1200, 5))
few[:25] = 1
B = st.asarray(few, format="CSR").asformat("CSR on M(i)", machine=M)
assert ((B @ numpy.ones((5, 1200))).todense() == few @ numpy.ones((5, 1200))).all()

# ---- Files and programs ----

file = folder / "written.mtx"
whole.asformat("CSC on M(j)", machine=M).write(file)
assert (st.read(file, "CSR on M(i)", machine=M).todense() == matrix).all()
program = """
Machine M(2);
def main() {
  IndexLabel [i, j] = [?];
  Tensor<double> A([i, j], CSR on M(i));
  Tensor<double> y([i], Dense on M(i));
  A[i, j] = read(file);
  y[i] = A[i, j];
  var s = SUM(y[i]);
  print("sum", s);
}
"""
outcome = st.run(program, machine=M, file=str(file))
assert outcome["y"].machine == M and len(outcome["y"].pieces) == len(A.pieces)
keep("program", outcome["y"])
assert bool(outcome.printed) == (M.rank == 0), outcome.printed

# ---- Mistakes: on all ranks, whoever makes them ----

last = M.rank == M.size - 1
mine = f"on rank {M.size - 1} of {M.size}: "
if M.size > 1:
    wrong = vector[1:] if last else vector
    fails(st.RankError, lambda: st.evaluate(SPMV, A=A, x=wrong), "differs from rank 0")
    fails(st.RankError, lambda: A.asformat("CSC on M(i)" if last else "CSR on M(j)"), "differs from")
    fails(ZeroDivisionError if last else st.RankError, lambda: M.together(lambda: 1 / (not last)),
          "division by zero", *([] if last else [mine]))
    missing = folder / ("missing.mtx" if last else "written.mtx")
    fails(st.MissingFileError if last else st.RankError,
          lambda: st.read(missing, "CSR on M(i)", machine=M), "no such file", *([] if last else [mine]))
    begin = 40 if last else first
    fails(st.ShapeError if last else st.RankError,
          lambda: st.from_piece(matrix[first:end], "CSR on M(i)", M, shape=(40, 30), first=begin),
          "does not lie in dimension 0", code="SE0303")  # on all ranks
    assert M.sent_bytes > 0 and M.library != "none"
fails(st.ShapeError, lambda: st.evaluate(SPMV, A=A, x=vector[1:]), "'j' has two sizes")
fails(st.FileError if M.rank == 0 else st.RankError, lambda: A.write(folder / "none" / "a.mtx"))
assert numpy.allclose((A @ vector).to_numpy(), 2 * matrix @ vector)  # all goes on
