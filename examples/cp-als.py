"""The canonical polyadic decomposition of a sparse tensor of order 3, a sum of `rank` outer products, by
alternating least squares. The fit is 1 where the sum is the tensor.

    PYTHONPATH=build/python python3 examples/cp-als.py examples/data/tensor.tns 6 10
"""

import math
import sys

import strata as st


def gram(A, B):
    """Returns the scalar products of all columns of A times those of B."""
    return st.einsum("ir,is,jr,js->rs", A, A, B, B)


def solve(U, G):
    """Returns the factor that fits best, for the products with the tensor and the Gram matrix."""
    return U @ st.evaluate("P(r,s) = pinv(G)", G=G)


def cp_als(X, rank, rounds, report=print):
    """Returns the factors and the fit after so many rounds."""
    A, B, C = (
        st.evaluate(f"F(i,r) = random({seed})", out=st.tensor((size, rank)))
        for seed, size in enumerate(X.shape, 1)
    )
    size = float(st.einsum("ijk,ijk->", X, X))
    fit = 0.0
    for _ in range(rounds):
        A = solve(st.einsum("ijk,jr,kr->ir", X, B, C, format="Dense"), gram(B, C))
        B = solve(st.einsum("ijk,ir,kr->jr", X, A, C, format="Dense"), gram(A, C))
        W, G = st.einsum("ijk,ir,jr->kr", X, A, B, format="Dense"), gram(A, B)
        C = solve(W, G)
        # |X - M|^2 = |X|^2 - 2 <X, M> + |M|^2, of the sum M of the outer products
        common = float(st.einsum("kr,kr->", W, C))
        model = float(st.einsum("rs,kr,ks->", G, C, C))
        fit = 1 - math.sqrt(abs(size - 2 * common + model) / size)
        report(f"fit = {fit:.10g}")
    return A, B, C, fit


def main(path, rank, rounds):
    return cp_als(st.read(path, "CSF"), int(rank), int(rounds))[:3]


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
