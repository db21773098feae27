"""A graph network of two layers that torch trains: `strata.torch` multiplies by the sparse matrix, and
torch differentiates it. The weights of the edges are learnt, too: a sparse tensor with a gradient.

    PYTHONPATH=build/python python3 examples/graph-network-torch.py examples/data/graph.mtx 60
"""

import sys

import numpy as np

import strata as st

try:
    import torch
except ImportError:
    raise SystemExit("this example needs PyTorch: pip install torch")


class GraphNetwork(torch.nn.Module):
    """Two layers, each with the mean of the neighbours' features, as the edges weigh them."""

    def __init__(self, graph, width, count):
        super().__init__()
        self.graph = st.torch.sparse(graph)
        self.edges = torch.nn.Parameter(self.graph.values.clone())
        self.first = torch.nn.Linear(graph.shape[0], width, dtype=torch.float64)
        self.second = torch.nn.Linear(width, count, dtype=torch.float64)

    def forward(self, x):
        A = self.graph.with_values(self.edges)
        h = torch.relu(st.torch.einsum("ij,jk->ik", A, self.first(x)))
        return st.torch.einsum("ij,jk->ik", A, self.second(h))


def main(path, steps, width=16, count=4):
    torch.manual_seed(1)
    graph = st.read(path, "CSR")
    nodes = graph.shape[0]
    loops = st.evaluate("A(i,j) = G(i,j) + E(i,j)", G=graph, E=st.eye(nodes, format="CSR"))
    mean = st.evaluate("N(i,j) = A(i,j) / sum(k, A(i,k))", A=loops, format="CSR")
    degrees = st.evaluate("d(i) = A(i,j)", A=loops).to_numpy()
    labels = torch.from_numpy(np.digitize(degrees, np.quantile(degrees, [0.25, 0.5, 0.75])))
    model = GraphNetwork(mean, width, count)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    losses = []
    for _ in range(int(steps)):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(torch.eye(nodes, dtype=torch.float64)), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"loss = {losses[0]:.6g}\nloss = {losses[-1]:.6g}")
    return losses


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
