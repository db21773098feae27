"""PageRank of a graph whose entry (i, j) is an edge from i to j. What nodes without edges hold goes to
all nodes alike.

    PYTHONPATH=build/python python3 examples/pagerank.py examples/data/graph.mtx
"""

import sys

import strata as st


def pagerank(A, damping=0.85):
    """Returns the ranks, the number of rounds, and the square of the last change."""
    i, j = st.get_index_vars(2)
    nodes = A.shape[0]
    P = st.evaluate("P(i,j) = A(i,j) / degree(i)", A=A, degree=A.sum(1)).asformat("CSC")
    x = st.tensor(nodes)
    x[i] = 1 / nodes
    change, rounds = 1.0, 0
    while change >= 1e-24:
        y = st.zeros(nodes)
        y[j] = damping * P[i, j] * x[i]
        lost = 1 - float(y.sum())
        y[i] += lost / nodes
        change = float(st.evaluate("c = (y(i) - x(i)) * (y(i) - x(i))", y=y, x=x))
        x = y
        rounds += 1
    return x, rounds, change


def main(path):
    x, rounds, change = pagerank(st.read(path, "CSR"))
    print(f"rounds = {rounds}")
    print(f"change = {change:.10g}")
    return x


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
