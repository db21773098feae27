"""Solves A x = b for a symmetric, positive definite matrix, and b such that x(j) = j, by conjugate
gradients, which the processes of a launcher of MPI do together: each has some rows of A and of the
vectors. It is cg-ranks.ta in Python.

PYTHONPATH=build/python mpirun -n 4 python3 examples/conjugate-gradients-ranks.py examples/data/matrix.mtx
"""

import sys

import strata as st


def conjugate_gradients(A, b):
    """Returns the solution, the number of rounds, and the square of the relative residual."""
    i, j = st.get_index_vars(2)
    x, q = st.zeros_like(b), st.zeros_like(b)
    r, p = b.copy(), b.copy()
    start = rr = float(b @ b)
    rounds = 0
    while rr > 1e-26 * start:
        q[i] = A[i, j] * p[j]  # what other processes have of p comes
        alpha = rr / float(p @ q)
        x[i] += alpha * p[i]
        r[i] -= alpha * q[i]
        before, rr = rr, float(r @ r)
        p[i] = r[i] + rr / before * p[i]
        rounds += 1
    return x, rounds, rr / start


def main(path, cells=4):
    M = st.Machine(int(cells))
    A = st.read(path, "CSR on M(i)", machine=M)
    b = st.evaluate("b(i) = A(i,j) * j", A=A)
    x, rounds, residual = conjugate_gradients(A, b)
    if M.rank == 0:
        print(f"rounds = {rounds}")
        print(f"residual = {residual:.10g}")
    return x


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
