"""Sparse products, transposes and sums of them, into sparse results: the expressions of the issues that
TACO's users opened (297, 309, 465, 490, 519, 522), for operands and results in each of five formats,
against SciPy on real matrices.
"""
import numpy
import scipy.io
import scipy.sparse

import harness

FORMATS = ("CSR", "CSC", "COO", "DCSR", "BCSR")
# Of few rows, so that the reference interpreter's check of every value is quick.
MATRICES = ("bcspwr01.mtx", "LFAT5.mtx", "bcsstk01.mtx")

STATEMENTS = {
    "AB": "A[i,k] * B[k,j]",
    "AA": "A[i,k] * A[k,j]",
    "AtA": "A[k,i] * A[k,j]",
    "AtDA": "A[k,i] * D[k,l] * A[l,j]",
    "Scaled": "(2 * A[k,i] + B[k,i]) * (3 * B[j,k] + C[k,j])",
    "ABC": "A[i,k] * B[k,l] * C[l,j]",
    "Sums": "(A[i,k] + B[i,k]) * (A[k,j] + B[k,j] + C[k,j])",
    "Turned": "A[i,j] + B[j,i]",
    "Rest": "C[i,j] - A[i,k] * B[k,j]",
    "Sampled": "C[i,j] * A[i,k] * B[j,k]",
    "Mixed": "A[i,k] * x[k] * B[k,j] + C[j,i]",
}


def expected(A, B, C, D, x):
    X = scipy.sparse.diags(x)
    return {"AB": A @ B, "AA": A @ A, "AtA": A.T @ A, "AtDA": A.T @ D @ A,
            "Scaled": (2 * A + B).T @ (3 * B.T + C), "ABC": A @ B @ C,
            "Sums": (A + B) @ (A + B + C), "Turned": A + B.T, "Rest": C - A @ B,
            "Sampled": C.multiply(A @ B.T), "Mixed": A @ X @ B + C.T}


def program(operands, result):
    lines = ["IndexLabel [i, j, k, l] = [?];", "Tensor<double> x([i], Dense);", 'x[i] = read("x.mtx");']
    for name in "ABCD":
        lines += [f"Tensor<double> {name}([i, j], {operands});", f'{name}[i,j] = read("{name}.mtx");']
    for name, right in STATEMENTS.items():
        lines += [f"Tensor<double> {name}([i, j], {result});", f"{name}[i,j] = {right};",
                  f'write({name}, "{name}.mtx");']
    lines += ["Tensor<double> y([i], {CU});", "y[i] = 1.2 * A[i,j] * A[i,k] * x[k];",
              'write(y, "y.mtx");']
    return "def main() {\n" + "\n".join(lines) + "\n}\n"


def operandsOf(matrix):
    """Four square matrices of one size, the second to fourth shuffled from the first."""
    first = scipy.sparse.csr_matrix(scipy.io.mmread(matrix)).astype(float)
    size = min(first.shape)
    first = first[:size, :size]
    random = numpy.random.default_rng(1)
    def shuffled():
        return first[random.permutation(size)][:, random.permutation(size)]
    return first, shuffled(), shuffled(), shuffled()


def case(matrix, operands, result):
    def run(folder):
        A, B, C, D = operandsOf(harness.data_folder() / "matrices" / matrix)
        x = harness.numbers(A.shape[0], seed=3)
        for name, value in dict(A=A, B=B, C=C, D=D).items():
            scipy.io.mmwrite(folder / f"{name}.mtx", value, symmetry="general", precision=17)
        harness.write_array(folder / "x.mtx", x)
        (folder / "program.ta").write_text(program(operands, result))
        harness.run_tool("run", "--check", "program.ta", folder=folder)
        for name, value in expected(A, B, C, D, x).items():
            found = scipy.io.mmread(folder / f"{name}.mtx").toarray()
            harness.compare(name, found, value.toarray(),
                            numpy.full(found.shape, 1e4 * abs(value).max()))
        y = 1.2 * numpy.asarray(A.sum(axis=1)).reshape(-1) * (A @ x)
        found = scipy.io.mmread(folder / "y.mtx").toarray().reshape(-1)
        harness.compare("y", found, y, numpy.full(y.shape, 1e4 * abs(y).max()))
        return ""
    return f"{matrix}: {operands} into {result}", run


# ---- Tensors: issues 309 and 522 ----


def contractions(operands, result):
    return f"""def main() {{
  IndexLabel [i, j, k, l, m] = [?];
  IndexLabel [n] = [9];
  Tensor<double> X([i, j, k], {operands});
  Tensor<double> Y([i, l, m], {operands});
  Tensor<double> C([n, m], CSC);
  Tensor<double> Z([j, k, l, m], {result});
  Tensor<double> A([i, l, n], {result});
  X[i,j,k] = read("X.tns");
  Y[i,l,m] = read("Y.tns");
  C[n,m] = read("C.mtx");
  Z[j,k,l,m] = X[i,j,k] * Y[i,l,m];
  A[i,l,n] = Y[i,l,m] * C[n,m];
  write(Z, "Z.tns");
  write(A, "A.tns");
}}
"""


def dense_of(path, shape):
    table = numpy.loadtxt(path, ndmin=2, comments="#")
    values = numpy.zeros(shape)
    at = tuple(table[:, :-1].astype(int).T - 1)
    numpy.add.at(values, at, table[:, -1])
    if len(numpy.unique(table[:, :-1], axis=0)) != len(table):
        raise harness.Failure(f"{path.name} repeats coordinates")
    return values


def corner(path, size):
    """The entries of a tensor of order 3 whose coordinates are below a size, as a dense array."""
    table = numpy.loadtxt(path, comments="#")
    table = table[(table[:, :3] <= size).all(axis=1)]
    values = numpy.zeros((size, size, size))
    values[tuple(table[:, :3].astype(int).T - 1)] = table[:, 3]
    values[-1, -1, -1] = 1  # a file's last coordinate is its size
    return values


def tensor_case(operands, result):
    def run(folder):
        X = corner(harness.data_folder() / "tensors" / "contact_high_school_time.tns", 12)
        Y = corner(harness.data_folder() / "tensors" / "ml100k.tns", 12)
        for name, value in dict(X=X, Y=Y).items():
            at = numpy.argwhere(value)
            numpy.savetxt(folder / f"{name}.tns", numpy.column_stack([at + 1, value[value != 0]]),
                          fmt="%d %d %d %.17g")
        C = scipy.sparse.random(9, 12, 0.3, random_state=1)
        scipy.io.mmwrite(folder / "C.mtx", C, precision=17)
        (folder / "program.ta").write_text(contractions(operands, result))
        harness.run_tool("run", "--check", "program.ta", folder=folder)
        for name, value in {"Z": numpy.einsum("ijk,ilm->jklm", X, Y),
                            "A": numpy.einsum("ilm,nm->iln", Y, C.toarray())}.items():
            found = dense_of(folder / f"{name}.tns", value.shape)
            harness.compare(name, found, value, numpy.full(value.shape, abs(value).max()))
        return ""
    return f"tensors: {operands} into {result}", run


if __name__ == "__main__":
    harness.data_folder()
    harness.main([case(MATRICES[(a + b) % len(MATRICES)], operands, result)
                  for a, operands in enumerate(FORMATS) for b, result in enumerate(FORMATS)]
                 + [tensor_case(operands, result)
                    for operands in ("CSF", "COO") for result in ("CSF", "COO")])
