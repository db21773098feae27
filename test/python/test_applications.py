"""The programs of examples/ on graphs and tensors, against NetworkX, NumPy and SciPy: on generated
data, and on real data where it is present."""
import os
import pathlib

import numpy
import scipy.io
import scipy.sparse
import scipy.sparse.csgraph

import harness

EXAMPLES = pathlib.Path(os.environ["STRATA_SOURCE"]) / "examples"

try:
    import networkx
except ImportError:
    networkx = None


def run(name, folder, outputs=(), **parameters):
    """Runs an example; gives the scalars that it printed."""
    arguments = [word for key, value in parameters.items() for word in ("-D", f"{key}={value}")]
    arguments += [word for output in outputs for word in ("-o", f"{output}={output}.mtx")]
    printed = harness.run_tool("run", EXAMPLES / name, *arguments, folder=folder)
    return scalars_of(printed)


def scalars_of(printed):
    """The last value that was printed of each scalar."""
    scalars = dict(line.split(" = ") for line in printed.splitlines() if " = " in line)
    return {name: float(value) for name, value in scalars.items()}


def same(what, actual, expected):
    if actual != expected:
        raise harness.Failure(f"{what}: {actual}, expected {expected}")


def close(what, actual, expected, tolerance):
    error = numpy.abs(actual - expected).max() / max(numpy.abs(expected).max(), 1e-300)
    if not error <= tolerance:
        raise harness.Failure(f"{what} differs by {error:.2e} of the greatest")
    return f"{what} within {error:.1e}"


# ---- Graphs ----


def undirected(matrix):
    """The graph of a symmetric matrix, without loops."""
    graph = networkx.from_scipy_sparse_array(scipy.sparse.triu(matrix, 1).tocsr())
    return graph


def bfs(folder, file, matrix):
    source = int(matrix.getnnz(axis=1).argmax())
    run("bfs.ta", folder, outputs=["level"], graph=file, source=source)
    graph = networkx.from_scipy_sparse_array(matrix, create_using=networkx.DiGraph)
    expected = numpy.full(matrix.shape[0], -1.0)
    for node, level in networkx.single_source_shortest_path_length(graph, source).items():
        expected[node] = level
    same("the levels", list(harness.read_array(folder / "level.mtx").reshape(-1)), list(expected))
    return f"{int((expected >= 0).sum())} nodes, {int(expected.max())} levels"


def sssp(folder, file, matrix):
    source = int(matrix.getnnz(axis=1).argmax())
    run("sssp.ta", folder, outputs=["distance"], graph=file, source=source)
    expected = scipy.sparse.csgraph.dijkstra(matrix, indices=source)
    found = harness.read_array(folder / "distance.mtx").reshape(-1)
    same("the nodes reached", list(numpy.isinf(found)), list(numpy.isinf(expected)))
    reached = ~numpy.isinf(expected)
    return close("the distances", found[reached], expected[reached], 1e-13)


def components(folder, file, matrix):
    scalars = run("components.ta", folder, outputs=["component"], graph=file)
    count, labels = scipy.sparse.csgraph.connected_components(matrix, directed=False)
    same("the number of components", scalars["components"], count)
    least = numpy.full(count, matrix.shape[0])
    numpy.minimum.at(least, labels, numpy.arange(matrix.shape[0]))
    found = harness.read_array(folder / "component.mtx").reshape(-1)
    same("the components", list(found), list(least[labels]))
    return f"{count} components, {scalars['rounds']:.0f} rounds"


def triangles(folder, file, matrix):
    scalars = run("triangles.ta", folder, graph=file)
    expected = sum(networkx.triangles(undirected(matrix)).values()) // 3
    same("triangles below a mask", scalars["masked"], expected)
    same("triangles without a mask", scalars["unmasked"], expected)
    return f"{expected} triangles"


def truss(folder, file, matrix):
    for k in (4, 7):
        scalars = run("k-truss.ta", folder, outputs=["A"], graph=file, k=k)
        expected = networkx.k_truss(undirected(matrix), k)
        same(f"edges of the {k}-truss", scalars["edges"], expected.number_of_edges())
        found = scipy.io.mmread(folder / "A.mtx").tocoo()
        edges = {(int(i), int(j)) for i, j in zip(found.row, found.col) if i < j}
        same(f"the {k}-truss", edges, {tuple(sorted(edge)) for edge in expected.edges()})
    return f"{len(edges)} edges"


# ---- Networks ----


def graph_network(folder, file, matrix):
    """Features are random and sparse; the weights are read back."""
    features = scipy.sparse.random(matrix.shape[0], 40, 0.1, random_state=5)
    scipy.io.mmwrite(folder / "features.mtx", features, precision=17)
    run("graph-network.ta", folder, outputs=["W", "Z"], graph=file, features="features.mtx")
    weights = harness.read_array(folder / "W.mtx")
    hidden = features @ weights
    degree = 1 + numpy.asarray(matrix.sum(axis=1)).reshape(-1, 1)
    expected = numpy.maximum((hidden + matrix @ hidden) / degree, 0)
    return close("the features", harness.read_array(folder / "Z.mtx"), expected, 1e-12)


# ---- Decompositions of tensors ----


class Entries:
    """A tensor of order 3 as coordinates and values, and its products with matrices."""

    def __init__(self, at, values):
        self.at, self.values = at, values
        self.sizes = at.max(axis=0) + 1

    def product(self, dimension, factors, outer):
        """Sums over all dimensions but one: of elementwise products of rows, or of outer ones."""
        others = [factor[self.at[:, other]] for other, factor in enumerate(factors)
                  if other != dimension]
        if outer:
            terms = (others[0][:, :, None] * others[1][:, None, :]).reshape(len(self.at), -1)
        else:
            terms = others[0] * others[1]
        result = numpy.zeros((self.sizes[dimension], terms.shape[1]))
        numpy.add.at(result, self.at[:, dimension], self.values[:, None] * terms)
        return result


def fits_of(printed):
    fits = [float(line.split(" = ")[1]) for line in printed.splitlines() if line.startswith("fit")]
    if not fits or any(later < earlier - 1e-9 for earlier, later in zip(fits, fits[1:])):
        raise harness.Failure(f"the fit does not increase: {fits}")
    return fits


def cp_als(folder, file, tensor):
    rank, rounds = 4, 6
    arguments = ["run", EXAMPLES / "cp-als.ta", "-D", f"file={file}", "-D", f"rank={rank}"]
    outputs = [word for name in "ABC" for word in ("-o", f"{name}={name}.mtx")]
    harness.run_tool(*arguments, "-D", "rounds=0", *outputs, folder=folder)
    factors = [harness.read_array(folder / f"{name}.mtx") for name in "ABC"]
    fits = fits_of(harness.run_tool(*arguments, "-D", f"rounds={rounds}", folder=folder))
    size = (tensor.values ** 2).sum()
    for _ in range(rounds):
        for dimension in range(3):
            gram = numpy.ones((rank, rank))
            for other in range(3):
                if other != dimension:
                    gram *= factors[other].T @ factors[other]
            product = tensor.product(dimension, factors, outer=False)
            factors[dimension] = product @ numpy.linalg.pinv(gram)
    common = (product * factors[2]).sum()
    model = (gram * (factors[2].T @ factors[2])).sum()
    expected = 1 - numpy.sqrt(abs(size - 2 * common + model) / size)
    return close("the fit", numpy.array(fits[-1]), numpy.array(expected), 1e-6)


def tucker(folder, file, tensor):
    rank, rounds = 3, 4
    arguments = ["run", EXAMPLES / "tucker.ta", "-D", f"file={file}", "-D", f"rank={rank}"]
    harness.run_tool(*arguments, "-D", "rounds=0", "-o", "V=V.mtx", "-o", "W=W.mtx", folder=folder)
    factors = [None] + [harness.read_array(folder / f"{name}.mtx") for name in "VW"]
    for factor in factors[1:]:
        close("V^T V", factor.T @ factor, numpy.eye(rank), 1e-12)
    fits = fits_of(harness.run_tool(*arguments, "-D", f"rounds={rounds}", folder=folder))
    size = (tensor.values ** 2).sum()
    for _ in range(rounds):
        for dimension in range(3):
            product = tensor.product(dimension, factors, outer=True)
            factors[dimension] = numpy.linalg.svd(product, full_matrices=False)[0][:, :rank]
    core = product.T @ factors[2]
    expected = 1 - numpy.sqrt(abs(size - (core ** 2).sum()) / size)
    return close("the fit", numpy.array(fits[-1]), numpy.array(expected), 1e-6)


# ---- Coupled cluster ----


def contraction_lists(folder):
    """The contractions of the TCCG benchmark, and of NWChem's generated code every so often."""
    def column(name, at):
        with open(folder / name) as file:
            return [line.rstrip("\n").split("\t")[at] for line in file][1:]
    listed = column("tccg_contractions.tsv", 2)
    generated = sorted(set(column("nwchem_tce_contractions.tsv", 3)))
    listed += [einsum for einsum in generated[::17] if not einsum.startswith(",")]
    return list(dict.fromkeys(listed))


def contraction(number, einsum, folder):
    """Declarations, operands and statement of one; every third takes a sparse operand."""
    operands, result = einsum.split("->")
    lines, arrays = [], []
    random = numpy.random.default_rng(number)
    for at, letters in enumerate(operands.split(",")):
        values = random.uniform(-1, 1, [2 + ord(letter) % 4 for letter in letters])
        form = "CSF" if number % 3 == 0 and at == 0 and len(letters) > 1 else "Dense"
        if form == "CSF":
            values *= random.random(values.shape) < 0.3
        name = f"A{number}_{at}"
        numpy.save(folder / f"{name}.npy", values)
        labels = ", ".join(letters)
        lines += [f"Tensor<double> {name}([{labels}], {form});",
                  f'{name}[{labels}] = read("{name}.npy");']
        arrays.append(values)
    factors = " * ".join(f"A{number}_{at}[{', '.join(letters)}]"
                         for at, letters in enumerate(operands.split(",")))
    if result:
        labels = ", ".join(result)
        lines += [f"Tensor<double> C{number}[{labels}];", f"C{number}[{labels}] = {factors};",
                  f'write(C{number}, "C{number}.npy");']
    else:
        lines += [f"var C{number} = SUM({factors});", f"print(C{number});"]
    return lines, numpy.einsum(einsum, *arrays)


def coupled_cluster(part, parts):
    def case(folder):
        expressions = harness.data_folder() / "expressions"
        chosen = contraction_lists(expressions)[part::parts]
        lines = [f"IndexLabel [{letter}] = [{2 + ord(letter) % 4}];"
                 for letter in "abcdefghijklmnopqrstuvwxyz"]
        expected = {}
        for number, einsum in enumerate(chosen):
            more, expected[number] = contraction(number, einsum, folder)
            lines += more
        (folder / "program.ta").write_text("def main() {\n" + "\n".join(lines) + "\n}\n")
        printed = harness.run_tool("run", "program.ta", folder=folder)
        scalars = dict(line.split(" = ") for line in printed.splitlines() if " = " in line)
        for number, value in expected.items():
            found = (numpy.load(folder / f"C{number}.npy") if value.ndim
                     else numpy.array(float(scalars[f"C{number}"])))
            close(chosen[number], found, value, 1e-9 if not value.ndim else 1e-13)
        return f"{len(chosen)} contractions"
    return f"coupled cluster, part {part + 1} of {parts}", case


# ---- Inputs ----


def social(nodes, seed):
    """A symmetric graph with many triangles."""
    random = numpy.random.default_rng(seed)
    places = random.random((nodes, 2))
    near = ((places[:, None] - places[None, :]) ** 2).sum(axis=2) < 0.02
    numpy.fill_diagonal(near, False)
    return scipy.sparse.csr_matrix(near.astype(float))


def web(nodes, seed):
    """A directed graph in several parts."""
    random = numpy.random.default_rng(seed)
    edges = (random.random((nodes, nodes)) < 1.5 / nodes).astype(float)
    numpy.fill_diagonal(edges, 0)
    return scipy.sparse.csr_matrix(edges)


def lengths(graph):
    graph = graph.copy()
    graph.data[:] = numpy.random.default_rng(1).uniform(0.1, 2, graph.nnz)
    return graph


def needs_networkx():
    if networkx is None:
        raise harness.Skip("NetworkX is not there (python3-networkx)")


def generated(name, check, matrix):
    def case(folder):
        needs_networkx()
        scipy.io.mmwrite(folder / "m.mtx", matrix, symmetry="general", precision=17)
        return check(folder, folder / "m.mtx", matrix)
    return f"{name}, generated", case


def real(name, check, path):
    def case(folder):
        needs_networkx()
        file = pathlib.Path(os.environ.get("STRATA_DATA", "nowhere")) / path
        if not file.is_file():
            raise harness.Skip(f"{path} is not there")
        matrix = scipy.sparse.csr_matrix(scipy.io.mmread(file)).astype(float)
        return check(folder, file.resolve(), matrix)
    return f"{name}, {path}", case


def sums_of_products(seed):
    """A tensor that is nearly a sum of outer products, and in which most places are empty."""
    random = numpy.random.default_rng(seed)
    factors = [random.random((size, 3)) * (random.random((size, 3)) < 0.4) for size in (30, 25, 20)]
    dense = numpy.einsum("ir,jr,kr->ijk", *factors) + 0.01
    at = numpy.argwhere(dense > 0.02)
    at = numpy.concatenate([at, [[29, 24, 19]]])
    return Entries(at, numpy.concatenate([dense[tuple(at[:-1].T)], [0.5]]))


def generated_tensor(name, check, tensor):
    def case(folder):
        numpy.savetxt(folder / "t.tns", numpy.column_stack([tensor.at + 1, tensor.values]),
                      fmt="%d %d %d %.17g")
        return check(folder, folder / "t.tns", tensor)
    return f"{name}, generated", case


def real_tensor(name, check, path):
    def case(folder):
        file = pathlib.Path(os.environ.get("STRATA_DATA", "nowhere")) / path
        if not file.is_file():
            raise harness.Skip(f"{path} is not there")
        table = numpy.loadtxt(file, comments="#")
        tensor = Entries(table[:, :-1].astype(int) - 1, table[:, -1])
        return check(folder, file.resolve(), tensor)
    return f"{name}, {path}", case


if __name__ == "__main__":
    harness.main([
        generated("BFS", bfs, web(150, 4)),
        real("BFS", bfs, "graphs/wiki-Vote.mtx"),
        real("BFS", bfs, "graphs/minnesota.mtx"),
        generated("shortest paths", sssp, lengths(web(150, 5))),
        real("shortest paths", sssp, "graphs/minnesota.mtx"),
        real("shortest paths", sssp, "graphs/netscience.mtx"),
        generated("components", components, web(150, 6)),
        real("components", components, "graphs/netscience.mtx"),
        real("components", components, "graphs/wiki-Vote.mtx"),
        generated_tensor("CP-ALS", cp_als, sums_of_products(7)),
        real_tensor("CP-ALS", cp_als, "tensors/ml100k.tns"),
        generated_tensor("Tucker", tucker, sums_of_products(8)),
        real_tensor("Tucker", tucker, "tensors/ml100k.tns"),
        real_tensor("Tucker", tucker, "tensors/contact_high_school_time.tns"),
        generated("triangles", triangles, social(120, 1)),
        real("triangles", triangles, "graphs/jazz.mtx"),
        real("triangles", triangles, "graphs/fb100_Reed98.mtx"),
        real("triangles", triangles, "graphs/email-enron.mtx"),
        generated("k-truss", truss, social(120, 2)),
        real("k-truss", truss, "graphs/jazz.mtx"),
        generated("graph network", graph_network, social(90, 3)),
        real("graph network", graph_network, "graphs/cora.mtx"),
        coupled_cluster(0, 2),
        coupled_cluster(1, 2),
    ])
