"""A graph network of two layers that learns which part of a graph each node belongs to, from the parts
of a few nodes. Forward and backward, each step is a statement; their gradients are those of `st.grad`.

    PYTHONPATH=build/python python3 examples/graph-network-training.py examples/data/graph.mtx 60
"""

import sys

import numpy as np

import strata as st

LAYER = "Z(n,o) = A(n,m) * X(m,c) * W(c,o)"
RELU = "H(n,o) = max(Z(n,o), 0)"
#: The mean negative logarithm of what the network gives the right part, of the nodes that are known.
LOSS = "s = known(n) * (log(sum(p, exp(Z(n,p)))) - sum(q, T(n,q) * Z(n,q)))"


def normalized(graph):
    """Returns the graph with loops, such that the numbers in each row add up to 1."""
    loops = st.evaluate("A(i,j) = G(i,j) + E(i,j)", G=graph, E=st.eye(graph.shape[0], format="CSR"))
    return st.evaluate("N(i,j) = A(i,j) / sum(k, A(i,k))", A=loops, format="CSR")


def parts(graph, count):
    """Returns for each node the nearest of a few nodes with many edges."""
    A = graph.to_scipy("csr")
    degrees = np.asarray((A != 0).sum(1)).reshape(-1)
    near = np.zeros((A.shape[0], count))
    near[np.argsort(-degrees)[:count], range(count)] = 1
    for _ in range(12):
        near += 0.5 * (A @ near) / np.maximum(degrees, 1)[:, None]
    return near.argmax(1)


def step(A, X, weights, T, known):
    """Returns the loss, its gradients by the weights, and what the network says."""
    W, V = weights
    Z = st.evaluate(LAYER, A=A, X=X, W=W)
    H = st.evaluate(RELU, Z=Z)
    Y = st.evaluate(LAYER, A=A, X=H, W=V)
    loss = st.evaluate(LOSS, Z=Y, T=T, known=known)
    dY = st.grad(LOSS, "Z", Z=Y, T=T, known=known)
    layer = st.grad(LAYER, ["X", "W"], A=A, X=H, W=V, cotangent=dY)
    dZ = st.grad(RELU, "Z", Z=Z, cotangent=layer["X"])
    dW = st.grad(LAYER, "W", A=A, X=X, W=W, cotangent=dZ)
    return float(loss), (dW, layer["W"]), Y


def main(path, steps, width=16, count=4):
    graph = st.read(path, "CSR")
    nodes = graph.shape[0]
    numbers = np.random.default_rng(1)
    labels = parts(graph, count)
    T = np.eye(count)[labels]
    known = (numbers.random(nodes) < 0.2) * 1.0
    known /= known.sum()
    A, X = normalized(graph), st.eye(nodes, format="CSR")
    weights = [numbers.standard_normal((nodes, width)) / 4, numbers.standard_normal((width, count))]
    means = [[np.zeros_like(W), np.zeros_like(W)] for W in weights]
    losses = []
    for t in range(1, int(steps) + 1):
        loss, gradients, Y = step(A, X, weights, T, known)
        losses.append(loss)
        for number, G in enumerate(gradients):  # Adam
            first, second = means[number]
            G = G.to_numpy()
            first += 0.1 * (G - first)
            second += 0.01 * (G * G - second)
            move = first / (1 - 0.9**t) / (np.sqrt(second / (1 - 0.99**t)) + 1e-8)
            weights[number] = weights[number] - 0.05 * move
    right = (Y.to_numpy().argmax(1) == labels)[known == 0].mean()
    print(f"loss = {losses[0]:.6g}\nloss = {losses[-1]:.6g}\nright = {right:.4g}")
    return losses, right


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
