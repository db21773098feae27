"""Makes the data of the examples: python3 make.py [FOLDER]

    matrix.mtx   a symmetric positive definite matrix: heat conduction on a mesh of 20 x 24 nodes
    graph.mtx    an undirected graph of 300 nodes with hubs and triangles
    roads.mtx    an undirected planar graph of 225 nodes with the lengths of its edges
    tensor.tns   a sparse tensor of order 3, nearly a sum of four outer products
"""

import math
import pathlib
import sys


class Random:
    """The same numbers on every machine."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n

    def unit(self):
        return self.below(1 << 30) / (1 << 30)


def matrix_market(kind, comment, size, entries):
    """The lower triangle of a symmetric matrix, from pairs that count from 0."""
    lines = [f"%%MatrixMarket matrix coordinate {kind} symmetric", f"% {comment}",
             f"{size} {size} {len(entries)}"]
    for (j, i), value in sorted(((j, i), value) for (i, j), value in entries.items()):
        lines.append(f"{i + 1} {j + 1}" + (f" {value:g}" if kind == "real" else ""))
    return "\n".join(lines) + "\n"


def matrix(width=24, height=20):
    """Conduction is four times as good along x as along y, and better around one node, which sets
    the largest eigenvalue apart. Every node loses some heat: the diagonal is dominant."""

    def conductivity(x, y):
        return 1 + 6 * math.exp(-((x - 15) ** 2 + (y - 8) ** 2) / 3)

    diagonal = [0.5] * (width * height)
    entries = {}
    for y in range(height):
        for x in range(width):
            for dx, dy, factor in ((1, 0, 1), (0, 1, 0.25)):
                if x + dx >= width or y + dy >= height:
                    continue
                here, there = y * width + x, (y + dy) * width + x + dx
                weight = round(factor * conductivity(x + dx / 2, y + dy / 2), 2)
                entries[there, here] = -weight
                diagonal[here] += weight
                diagonal[there] += weight
    entries |= {(i, i): round(value, 2) for i, value in enumerate(diagonal)}
    return matrix_market("real", "heat conduction on a mesh of 20 x 24 nodes",
                         width * height, entries)


def graph(nodes=300, each=4):
    """Every new node joins one of those that have many edges, and some of its neighbours."""
    random = Random(1)
    neighbours = [set() for _ in range(nodes)]
    ends = []  # every node as often as it has edges

    def join(a, b):
        if a != b and b not in neighbours[a]:
            neighbours[a].add(b)
            neighbours[b].add(a)
            ends.extend((a, b))

    join(0, 1)
    for node in range(2, nodes):
        hub = ends[random.below(len(ends))]
        around = sorted(neighbours[hub])
        join(node, hub)
        for _ in range(random.below(each)):
            near = random.below(3) > 0
            join(node, around[random.below(len(around))] if near
                 else ends[random.below(len(ends))])
    entries = {(i, j): 1 for i in range(nodes) for j in neighbours[i] if j < i}
    return matrix_market("pattern", "a graph with hubs and triangles", nodes, entries)


def roads(side=15):
    """Places near the points of a grid, joined to most of their neighbours there."""
    random = Random(2)
    places = [(x + 0.6 * random.unit(), y + 0.6 * random.unit())
              for y in range(side) for x in range(side)]
    entries = {}
    for y in range(side):
        for x in range(side):
            here = y * side + x
            for dx, dy, share in ((1, 0, 1.0), (0, 1, 0.7), (1, 1, 0.15)):
                if x + dx < side and y + dy < side and (x == 0 or random.unit() < share):
                    there = (y + dy) * side + x + dx
                    length = math.dist(places[here], places[there])
                    entries[there, here] = round(length, 3)
    return matrix_market("real", "roads: the lengths of the edges of a planar graph",
                         side * side, entries)


def tensor(sizes=(40, 30, 20), rank=4, share=0.3, noise=0.02):
    """Each outer product covers a block of its own, some of which overlap."""
    random = Random(3)
    sums = {}
    for component in range(rank):
        factors = []
        for size in sizes:
            length = round(size * share)
            first = round(component * (size - length) / (rank - 1))
            factors.append([(first + k, 0.5 + random.unit()) for k in range(length)])
        for i, a in factors[0]:
            for j, b in factors[1]:
                for k, c in factors[2]:
                    sums[i, j, k] = sums.get((i, j, k), 0) + a * b * c
    return "".join(f"{i + 1} {j + 1} {k + 1} {value * (1 + noise * (random.unit() - 0.5)):.3f}\n"
                   for (i, j, k), value in sorted(sums.items()))


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__)
    folder = folder if folder.is_dir() else folder.parent
    for name, text in (("matrix.mtx", matrix()), ("graph.mtx", graph()), ("roads.mtx", roads()),
                       ("tensor.tns", tensor())):
        (folder / name).write_text(text)


main()
