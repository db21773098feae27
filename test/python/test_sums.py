"""Tensors stored as sums of several formats (HYB and others): the statements of test_pairs with other
formats, and on published matrices products, sums, sampled products and conversions against SciPy.
Without STRATA_LONG every eighth of the published matrices is taken.
"""
import os

import numpy
import scipy.io
import scipy.sparse

import harness
import test_pairs

SUMS = ("HYB", "HYB:2", "ELL:1 + CSC", "DIA:30 + CSR", "NM:1x4 + COO",
        "BCSR:2x2:60 + DIA:20 + COO-Unordered")
PARTNERS = {"HYB": ("CSR", "HYB:1"), "DIA:30 + CSR": ("BCSR", "CSC")}
TARGETS = ("CSR", "CSC", "COO", "BCSR", "DIA", "ELL", "DOK", "HYB:3", "NM:1x2 + DCSR")
INNER = 3


def program(form):
    return f"""def main() {{
  IndexLabel [i, j, l] = [?];
  IndexLabel [k] = [{INNER}];
  Tensor<double> A([i, j], {form});
  Tensor<double> B([i, j], CSC);
  Tensor<double> T([j, l], {form});
  Tensor<double> S([i, j], HYB);
  Tensor<double> M([i, j], CSR);
  Tensor<double> N([i, j], {form});
  Tensor<double> C([i, l], CSR);
  Tensor<double> x([j], Dense);
  Tensor<double> w([i], Dense);
  Tensor<double> X([j, k], Dense);
  Tensor<double> P([i, k], Dense);
  Tensor<double> y([i], Dense);
  Tensor<double> z([j], Dense);
  Tensor<double> Y([i, k], Dense);
  A[i, j] = read("a.mtx");
  B[i, j] = read("b.mtx");
  T[j, l] = read("t.mtx");
  x[j] = read("x.mtx");
  w[i] = read("w.mtx");
  X[j, k] = read("XX.mtx");
  P[i, k] = read("P.mtx");
  y[i] = w[i] - A[i, j] * x[j];
  z[j] = A[i, j] * w[i];
  Y[i, k] = A[i, j] * X[j, k];
  S[i, j] = A[i, j] + B[i, j];
  M[i, j] = A[i, j] .* B[i, j];
  N[i, j] = A[i, j] .* (P[i, k] * X[j, k]);
  C[i, l] = A[i, j] * T[j, l];
  write(y, "y.mtx"); write(z, "z.mtx"); write(Y, "YY.mtx");
  write(S, "S.mtx"); write(M, "M.mtx"); write(N, "N.mtx"); write(C, "C.mtx");
}}
"""


def dense(matrix):
    return matrix.toarray() if scipy.sparse.issparse(matrix) else matrix


def statements(name, matrix, form):
    def run(folder):
        draw = numpy.random.default_rng(5)
        A = matrix.tocsr()
        B = scipy.sparse.random(*A.shape, density=0.02, random_state=1, format="csr")
        for file, stored in dict(a=A, b=B, t=A.T).items():
            scipy.io.mmwrite(folder / f"{file}.mtx", stored.tocoo(), precision=17,
                             symmetry="general")
        x, w = draw.uniform(-1, 1, A.shape[1]), draw.uniform(-1, 1, A.shape[0])
        X, P = (draw.uniform(-1, 1, (n, INNER)) for n in (A.shape[1], A.shape[0]))
        for file, values in dict(x=x, w=w, XX=X, P=P).items():
            harness.write_array(folder / f"{file}.mtx", values)
        (folder / "program.ta").write_text(program(form))
        harness.run_tool("run", "program.ta", folder=folder)
        size = abs(A)
        expected = {"y": (w - A @ x, abs(w) + size @ abs(x)), "z": (A.T @ w, size.T @ abs(w)),
                    "YY": (A @ X, size @ abs(X)), "S": (A + B, size + abs(B)),
                    "M": (A.multiply(B), abs(A.multiply(B))),
                    "N": (A.multiply(P @ X.T), size.multiply(abs(P) @ abs(X).T)),
                    "C": (A @ A.T, size @ size.T)}
        for file, (values, magnitude) in expected.items():
            found = dense(scipy.io.mmread(folder / f"{file}.mtx"))
            values, magnitude = dense(values), dense(magnitude)
            harness.compare(file, found.reshape(values.shape), values, magnitude)
        return ""
    return f"{name} as {form}", run


def conversions(name, matrix, form):
    def run(folder):
        scipy.io.mmwrite(folder / "a.mtx", matrix.tocoo(), precision=17, symmetry="general")
        harness.run_tool("convert", "a.mtx", "sum.bsp.h5", f"--format={form}", folder=folder)
        for target in TARGETS:
            harness.run_tool("convert", "sum.bsp.h5", "back.mtx", "--force", f"--format={target}",
                             folder=folder)
            found = scipy.io.mmread(folder / "back.mtx").tocsr()
            if found.shape != matrix.shape or (found != matrix.tocsr()).nnz:
                raise harness.Failure(f"{target}: another matrix")
        return f"{len(TARGETS)} targets"
    return f"{name} from {form} to others", run


def made():
    """Matrices at the edges of what sums divide: nothing, empty rows, one row, one long row."""
    draw = numpy.random.default_rng(2)
    long_row = numpy.zeros((40, 30))
    long_row[7] = draw.uniform(1, 2, 30)
    long_row[numpy.arange(30), numpy.arange(30)] = 3
    gaps = draw.uniform(1, 2, (23, 17)) * (draw.uniform(0, 1, (23, 17)) < 0.3)
    gaps[::3] = 0
    matrices = {"nothing": numpy.zeros((5, 4)), "gaps": gaps, "a row": draw.uniform(1, 2, (1, 9)),
                "a column": draw.uniform(1, 2, (9, 1)), "one long row": long_row,
                "full": draw.uniform(1, 2, (6, 7))}
    return {name: scipy.sparse.csr_matrix(values) for name, values in matrices.items()}


def published(most=150_000, columns=3000):
    """Small published matrices of real numbers."""
    folder = harness.data_folder() / "matrices"
    for path in sorted(folder.glob("*.mtx")):
        if path.stat().st_size > most:
            continue
        rows, width, _, kind, field, _ = scipy.io.mminfo(path)
        if kind == "coordinate" and field in ("real", "integer", "pattern") and (
                0 < rows <= columns and 0 < width <= columns):
            matrix = scipy.sparse.csr_matrix(scipy.io.mmread(path), dtype=float)
            matrix.eliminate_zeros()
            yield path.stem, matrix


def cases():
    for first, partners in PARTNERS.items():
        for second in partners:
            yield test_pairs.pair(first, second)
    for name, matrix in made().items():
        for form in SUMS if name == "gaps" else SUMS[:1]:
            yield statements(name, matrix, form)
        yield conversions(name, matrix, "HYB")
    every = 1 if os.environ.get("STRATA_LONG") else 8
    for at, (name, matrix) in enumerate(list(published())[::every]):
        yield statements(name, matrix, SUMS[at % len(SUMS)])
        yield conversions(name, matrix, SUMS[at % len(SUMS)])


if __name__ == "__main__":
    harness.main(list(cases()))
