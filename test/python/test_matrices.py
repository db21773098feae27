"""SpMV and SpMM of every published matrix, in four formats, against SciPy.

Each file is read by Strata and by SciPy; duplicates, symmetry, patterns and arrays are both
readers' own business. Arguments select files by parts of their names.
"""
import functools
import io

import numpy
import scipy.io
import scipy.sparse

import harness

FORMATS = ("CSR", "CSC", "DCSR", "COO")
WIDTH = 2


def program(kind, file):
    """Reads the matrix once for each format, and multiplies it with x and X."""
    lines = ["IndexLabel [i, j] = [?];", f"IndexLabel [k] = [{WIDTH}];",
             f"Tensor<{kind}> x([j], Dense);", f"Tensor<{kind}> X([j, k], Dense);",
             'x[j] = read("x.mtx");', 'X[j, k] = read("X.mtx");']
    for name in FORMATS:
        lines += [f"Tensor<{kind}> {name}([i, j], {name});",
                  f"Tensor<{kind}> y{name}([i], Dense);",
                  f"Tensor<{kind}> Y{name}([i, k], Dense);",
                  f'{name}[i, j] = read("{file}");',
                  f"y{name}[i] = {name}[i, j] * x[j];",
                  f"Y{name}[i, k] = {name}[i, j] * X[j, k];",
                  f'write(y{name}, "y{name}.mtx");',
                  f'write(Y{name}, "Y{name}.mtx");']
    return "def main() {\n  " + "\n  ".join(lines) + "\n}\n"


def read_with_scipy(file):
    """SciPy takes a comment only at the beginning of its line."""
    lines = [line.lstrip() for line in file.read_bytes().splitlines(keepends=True)]
    return scipy.sparse.csr_matrix(scipy.io.mmread(io.BytesIO(b"".join(lines))))


def check(file, folder):
    matrix = read_with_scipy(file)
    kind = complex if numpy.iscomplexobj(matrix.data) else float
    matrix = matrix.astype(kind)
    x = harness.numbers(matrix.shape[1], kind, seed=1)
    X = harness.numbers((matrix.shape[1], WIDTH), kind, seed=2)
    harness.write_array(folder / "x.mtx", x)
    harness.write_array(folder / "X.mtx", X)
    (folder / "products.ta").write_text(program("complex" if kind is complex else "double", file))
    harness.run_tool("run", "products.ta", folder=folder)
    magnitude = abs(matrix)
    for name in FORMATS:
        harness.compare(f"SpMV in {name}", harness.read_array(folder / f"y{name}.mtx")[:, 0],
                        matrix @ x, magnitude @ abs(x))
        harness.compare(f"SpMM in {name}", harness.read_array(folder / f"Y{name}.mtx"),
                        matrix @ X, magnitude @ abs(X))


def cases():
    data = harness.data_folder()
    for part in ("matrices", "graphs", "tensors"):
        for file in sorted((data / part).glob("*.mtx")):
            yield f"{part}/{file.name}", functools.partial(check, file)


if __name__ == "__main__":
    harness.main(cases())
