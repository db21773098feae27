"""The iterative programs of examples/ against NumPy and SciPy: on generated matrices, and on real
ones where they are present."""
import os
import pathlib
import subprocess
import sys

import numpy
import scipy.io
import scipy.sparse
import scipy.sparse.linalg

import harness

EXAMPLES = pathlib.Path(os.environ["STRATA_SOURCE"]) / "examples"


def write_matrix(path, matrix):
    matrix = matrix.tocoo()
    with open(path, "w") as file:
        file.write("%%MatrixMarket matrix coordinate real general\n")
        file.write(f"{matrix.shape[0]} {matrix.shape[1]} {matrix.nnz}\n")
        for row, column, value in zip(matrix.row, matrix.col, matrix.data):
            file.write(f"{row + 1} {column + 1} {value:.17g}\n")


def run(name, folder, file, parameter="matrix"):
    """Runs an example; gives its x and the scalars that it printed."""
    printed = harness.run_tool("run", EXAMPLES / name, "-D", f"{parameter}={file}",
                               "-o", "x=x.mtx", folder=folder)
    values = harness.read_array(folder / "x.mtx")
    scalars = dict(line.split(" = ") for line in printed.splitlines() if " = " in line)
    return values.reshape(-1), {name: float(value) for name, value in scalars.items()}


def close(what, actual, expected, tolerance):
    error = numpy.abs(actual - expected).max() / max(numpy.abs(expected).max(), 1e-300)
    if not error <= tolerance:
        raise harness.Failure(f"{what} differs by {error:.2e} of the greatest")
    return f"{what} within {error:.1e}"


def power_iteration(folder, file, matrix):
    vector, scalars = run("power-iteration.ta", folder, file)
    expected = scipy.sparse.linalg.eigsh(matrix, k=1, which="LM", return_eigenvectors=False)[0]
    close("the eigenvalue", numpy.array(scalars["lambda"]), numpy.array(expected), 1e-8)
    residual = numpy.linalg.norm(matrix @ vector - expected * vector)
    residual /= abs(expected) * numpy.linalg.norm(vector)
    if not residual < 1e-4:
        raise harness.Failure(f"the eigenvector's residual is {residual:.2e}")
    return f"{scalars['rounds']:.0f} rounds"


def conjugate_gradients(folder, file, matrix):
    x, scalars = run("conjugate-gradients.ta", folder, file)
    right = matrix @ numpy.ones(matrix.shape[0])
    residual = numpy.linalg.norm(matrix @ x - right) / numpy.linalg.norm(right)
    if not residual < 1e-8:
        raise harness.Failure(f"the residual is {residual:.2e}")
    return f"{scalars['rounds']:.0f} rounds, residual {residual:.1e}"


def jacobi(folder, file, matrix):
    x, scalars = run("jacobi.ta", folder, file)
    expected = scipy.sparse.linalg.spsolve(matrix.tocsc(), numpy.ones(matrix.shape[0]))
    return f"{scalars['t']:.0f} rounds, " + close("the solution", x, expected, 1e-9)


def pagerank(folder, file, matrix):
    x, scalars = run("pagerank.ta", folder, file, "graph")
    nodes = matrix.shape[0]
    degree = numpy.asarray(matrix.sum(axis=1)).reshape(-1)
    dangling = degree == 0
    share = numpy.where(dangling, 0, 1 / numpy.where(dangling, 1, degree))
    transition = (scipy.sparse.diags(share) @ matrix).T.tocsr()
    expected = numpy.full(nodes, 1 / nodes)
    for _ in range(1000):
        following = 0.85 * (transition @ expected)
        following += (1 - following.sum()) / nodes
        if numpy.abs(following - expected).sum() < 1e-15:
            break
        expected = following
    return f"{scalars['rounds']:.0f} rounds, " + close("the rank", x, expected, 1e-9)


def grid(n):
    """The Laplacian of a grid of n x n points, made a little dominant."""
    line = scipy.sparse.diags([-1.0, 2.05, -1.0], [-1, 0, 1], shape=(n, n))
    unit = scipy.sparse.identity(n)
    return (scipy.sparse.kron(line, unit) + scipy.sparse.kron(unit, line)).tocsr()


def web(nodes, seed):
    """A directed graph in which some nodes have no edges."""
    graph = scipy.sparse.random(nodes, nodes, 0.05, "csr", random_state=seed)
    graph.data[:] = 1
    keep = scipy.sparse.diags((numpy.arange(nodes) % 7 != 3).astype(float))
    graph = (keep @ graph).tocsr()
    graph.eliminate_zeros()
    return graph


def generated(name, check, matrix):
    def case(folder):
        write_matrix(folder / "m.mtx", matrix)
        return check(folder, folder / "m.mtx", matrix)
    return f"{name}, generated", case


def real(name, check, path):
    def case(folder):
        data = os.environ.get("STRATA_DATA")
        file = pathlib.Path(data or "nowhere") / path
        if not file.is_file():
            raise harness.Skip(f"{path} is not there")
        matrix = scipy.sparse.csr_matrix(scipy.io.mmread(file)).astype(float)
        return check(folder, file.resolve(), matrix)
    return f"{name}, {path}", case


def usage(folder):
    """Programs that are given nothing say what they need, without a traceback: also of packages."""
    package = pathlib.Path(os.environ["STRATA"]).parents[1] / "python"
    if not (package / "strata").is_dir():
        raise harness.Skip("this build has no Python package")
    build = folder / "build"
    (build / "bin").mkdir(parents=True)
    (build / "bin/strata").symlink_to(os.environ["STRATA"])
    checked = [[path] for path in sorted(EXAMPLES.glob("*.py"))]
    checked.append([EXAMPLES.parent / "benchmark/run.py", "--only=eigen", f"--build={build}"])
    for command in checked:
        done = subprocess.run([sys.executable, "-B", *command], cwd=folder, capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(package)})
        said = done.stdout + done.stderr
        if "Traceback" in said or not any(
                needed in said for needed in ("examples/data", "not built", "this example needs")):
            raise harness.Failure(f"{command[0].name}: {said}")
    return f"{len(checked)} programs"


if __name__ == "__main__":
    harness.main([
        ("without arguments", usage),
        generated("power iteration", power_iteration, grid(8)),
        real("power iteration", power_iteration, "matrices/1138_bus.mtx"),
        generated("conjugate gradients", conjugate_gradients, grid(20)),
        real("conjugate gradients", conjugate_gradients, "matrices/bcsstk15.mtx"),
        generated("Jacobi", jacobi, grid(15)),
        generated("PageRank", pagerank, web(200, 3)),
        real("PageRank", pagerank, "graphs/wiki-Vote.mtx"),
        real("PageRank", pagerank, "graphs/cora.mtx"),
    ])
