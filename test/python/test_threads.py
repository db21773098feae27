"""Results computed by one thread and by two: identical bit for bit, and SciPy's. The matrices are so
large that loops are cut in pieces."""
import numpy
import scipy.io
import scipy.sparse

import harness

SIZE = 3000
WIDTH = 8


def random(shape, count, seed):
    """Rows of very different lengths."""
    draw = numpy.random.default_rng(seed)
    rows = (shape[0] * draw.uniform(0, 1, count)**3).astype(int)
    columns = draw.integers(0, shape[1], count)
    matrix = scipy.sparse.coo_matrix((draw.uniform(-1, 1, count), (rows, columns)), shape).tocsr()
    matrix.sum_duplicates()
    return matrix


def band(size, offsets, seed):
    """A few diagonals."""
    values = numpy.random.default_rng(seed).uniform(-1, 1, (len(offsets), size))
    return scipy.sparse.dia_matrix((values, offsets), (size, size)).tocsr()


A, B, C = (random((SIZE, SIZE), 150000, seed) for seed in (1, 2, 3))
D = band(SIZE, [-700, -50, *range(-24, 25), 50, 700], seed=5)
X, P, Q = (harness.numbers(shape, seed=4) for shape in ((SIZE, WIDTH), (SIZE, WIDTH),
                                                         (WIDTH, SIZE)))
DENSE = {"x": X[:, :1], "X": X, "P": P, "Q": Q}
SPARSE = {"A": A, "B": B, "C": C, "D": D}

# Name: the statement, the result, and of its terms' magnitudes.
STATEMENTS = {
    "SpGEMM": ("R[i, k] = A[i, j] * B[j, k]", A @ B, abs(A) @ abs(B)),
    "A+B": ("R[i, k] = A[i, k] + B[i, k]", A + B, abs(A) + abs(B)),
    "A+B+C": ("R[i, k] = A[i, k] + B[i, k] + C[i, k]", A + B + C, abs(A) + abs(B) + abs(C)),
    "SDDMM": ("R[i, k] = A[i, k] * P[i, h] * Q[h, k]", A.multiply(P @ Q),
              abs(A).multiply(abs(P) @ abs(Q))),
    "SpMM": ("R[i, h] = A[i, j] * X[j, h]", A @ X, abs(A) @ abs(X)),
    "SpMV": ("R[i] = A[i, j] * x[j]", A @ X[:, :1], abs(A) @ abs(X[:, :1])),
    "band SpMV": ("R[i] = D[i, j] * x[j]", D @ X[:, :1], abs(D) @ abs(X[:, :1])),
    "band SpMM": ("R[i, h] = D[i, j] * X[j, h]", D @ X, abs(D) @ abs(X)),
}
# Of the sparse operands, and of the result where it is sparse.
FORMATS = {
    "CSR": ("CSR", "CSR"),
    "DCSR": ("DCSR", "DCSR"),
    "COO": ("CSR", "COO"),
    "unordered": ("CSR", "{(i, k) -> (i : dense, k : compressed(unordered))}"),
    "blocks": ("CSR", "{(i, k) -> (i : dense, k floordiv 4 : compressed, k mod 4 : dense)}"),
}
# The same where the operand is walked as it is stored, and cut where its rows are.
WALKED = {
    "SpMV": ("COO", "COO-AoS", "COO-Duplicates", "BCSR:4x4", "BCOO:4x4", "CSB:256", "SELL"),
    "SpMM": ("COO", "BCSR:4x4", "SELL"),
    "band SpMV": ("DIA", "ELL", "HYB", "JDS", "BCSR:3x5"),
    "band SpMM": ("DIA", "ELL"),
}


def read_by(statement):
    return [name for name in (*SPARSE, *DENSE) if f" {name}[" in statement.split("=")[1]]


def program(statement, operands, result):
    names = read_by(statement)
    lines = ["IndexLabel [i, j, k, h] = [?];"]
    for name in names:
        place = statement.split(name + "[")[1].split("]")[0]
        lines += [f"Tensor<double> {name}([{place}], {operands if name in SPARSE else 'Dense'});",
                  f'{name}[{place}] = read("{name}.mtx");']
    place = statement.split("R[")[1].split("]")[0]
    lines += [f"Tensor<double> R([{place}], {result});", statement + ";",
              'write(R, "R.mtx");' if result == "Dense" else 'write(R, "R.npz");']
    return "def main() {\n  " + "\n  ".join(lines) + "\n}\n"


def entries(path):
    """What a file holds, as SciPy reads it."""
    return scipy.sparse.csr_matrix(scipy.sparse.load_npz(path))


def case(statement, expected, magnitude, operands, result):
    def run(folder):
        for name in read_by(statement):
            if name in SPARSE:
                scipy.io.mmwrite(folder / f"{name}.mtx", SPARSE[name], precision=17)
            else:
                harness.write_array(folder / f"{name}.mtx", DENSE[name])
        (folder / "p.ta").write_text(program(statement, operands, result))
        file = folder / ("R.mtx" if result == "Dense" else "R.npz")
        found = {}
        for threads in (1, 2):
            harness.run_tool("run", "p.ta", f"--threads={threads}", folder=folder)
            found[threads] = file.read_bytes()
        if found[1] != found[2]:
            raise harness.Failure("with two threads the result is another")
        if result == "Dense":
            harness.compare("R", harness.read_array(file), numpy.asarray(expected),
                            numpy.asarray(magnitude))
        elif abs(entries(file) - expected).max() > 1e-12 * magnitude.max():
            raise harness.Failure("the result is not SciPy's")
        return f"{len(found[1])} bytes"
    return run


def cases():
    for name, (statement, expected, magnitude) in STATEMENTS.items():
        dense = not scipy.sparse.issparse(expected)
        for form, (operands, result) in FORMATS.items():
            if form != "CSR" and name not in ("SpGEMM", "A+B"):
                continue
            yield (f"{name} {form}",
                   case(statement, expected, magnitude, operands, "Dense" if dense else result))
        for operands in WALKED.get(name, ()):
            yield f"{name} {operands}", case(statement, expected, magnitude, operands, "Dense")


if __name__ == "__main__":
    harness.main(cases())
