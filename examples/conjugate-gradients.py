"""Solves A x = b for a symmetric, positive definite matrix and b = A * 1 by conjugate gradients.

PYTHONPATH=build/python python3 examples/conjugate-gradients.py examples/data/matrix.mtx
"""

import sys

import strata as st


def conjugate_gradients(A, b):
    """Returns the solution, the number of rounds, and the square of the relative residual."""
    i, j = st.get_index_vars(2)
    d = st.einsum("ii->i", A)  # Jacobi's preconditioner
    x, r = st.zeros(b.shape), b.copy()
    z, p, q = st.zeros(b.shape), st.zeros(b.shape), st.zeros(b.shape)
    z[i] = r[i] / d[i]
    p[i] = z[i]
    rz, start = float(r @ z), float(b @ b)
    residual, rounds = 1.0, 0
    while residual > 1e-20:
        q[i] = A[i, j] * p[j]
        alpha = rz / float(p @ q)
        x[i] += alpha * p[i]
        r[i] -= alpha * q[i]
        z[i] = r[i] / d[i]
        before, rz = rz, float(r @ z)
        p[i] = z[i] + rz / before * p[i]
        residual = float(r @ r) / start
        rounds += 1
    return x, rounds, residual


def main(path):
    A = st.read(path, "CSR")
    x, rounds, residual = conjugate_gradients(A, A.sum(1))
    print(f"rounds = {rounds}")
    print(f"residual = {residual:.10g}")
    return x


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
