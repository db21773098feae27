"""The programs of examples/ on graphs and tensors, against NetworkX, NumPy and SciPy: on generated
data, and on real data where it is present."""
import os
import pathlib

import numpy
import scipy.io
import scipy.sparse

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


if __name__ == "__main__":
    harness.main([
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
