"""Parts of sparse tensors are written, in every kind of format, against NumPy: of tensors that have
a value, and of new ones, which are zero elsewhere."""
import numpy
import scipy.io
import scipy.sparse

import harness

FORMATS = ("CSR", "CSC", "DCSR", "COO", "COO-Unordered", "BCSR:2x3", "CSB:4", "ELL", "SELL:4,8", "JDS",
           "DIA", "HYB", "DOK", "Bitmap", "Skyline", "RLE")
ROWS, COLUMNS = 12, 10
PROGRAM = """def main() {{
  IndexLabel [i] = [12];
  IndexLabel [j] = [10];
  IndexLabel [k] = [?];
  IndexLabel [n] = [10];
  IndexLabel [p] = [4:9];
  IndexLabel [f] = [0:3];
  IndexLabel [q] = [1:10:3];
  Tensor<double> A([i, j], {{{form}}});
  Tensor<double> B([i, j], CSR);
  Tensor<double> M([i, j], CSR);
  Tensor<double> x([j], SparseVector);
  Tensor<double> d([n], Dense);
  {before}
  B[i, j] = read("B.mtx");
  M[i, j] = read("M.mtx");
  x[j] = read("x.mtx");
  d[n] = 7.0;
  {statement};
  write(A, "out.mtx");
}}
"""


def rows(a, b, m, x):
    a[4:9] = b[4:9]


def first_rows(a, b, m, x):
    a[:3] = b[:3]


def add_first_rows(a, b, m, x):
    a[:3] += b[:3]


def strided(a, b, m, x):
    a[4:9, 1:10:3] = 2 * b[4:9, 1:10:3]


def least(a, b, m, x):
    old, new = a[4:9], b[4:9]  # what is not stored is not an operand
    a[4:9] = numpy.where(old == 0, new, numpy.where(new == 0, old, numpy.minimum(old, new)))


def one_row(a, b, m, x):
    a[3] = x


def no_column(a, b, m, x):
    a[:, 2] = 0


def one_place(a, b, m, x):
    a[2, 7] = 5


def one_place_less(a, b, m, x):
    a[2, 7] -= 5


def neighbours(a, b, m, x):
    a[:11] = b[1:]


def add_neighbours(a, b, m, x):
    a[:11] += b[1:]


def diagonal(a, b, m, x):
    for n in range(10):
        a[n + 2, n] += 7


def backwards(a, b, m, x):
    a[0] = 7


def masked(a, b, m, x):
    a[4:9] = numpy.where(m[4:9] != 0, b[4:9], a[4:9])


STATEMENTS = {
    "A[p, j] = B[p, j]": rows,
    "A[f, j] = B[f, j]": first_rows,
    "A[f, j] += B[f, j]": add_first_rows,
    "A[p, q] = 2 * B[p, q]": strided,
    "A[p, j] min= B[p, j]": least,
    "A[3, j] = x[j]": one_row,
    "A[i, 2] = 0.0": no_column,
    "A[2, 7] = 5.0": one_place,
    "A[2, 7] -= 5.0": one_place_less,
    "A[k, j] = B[k + 1, j]": neighbours,
    "A[k, j] += B[k + 1, j]": add_neighbours,
    "A[n + 2, n] += d[n]": diagonal,
    "A[0, 9 - n] = d[n]": backwards,
    "A[p, j]<M> = B[p, j]": masked,
}


def made(seed):
    random = numpy.random.RandomState(seed)
    result = {}
    for name, shape in (("A", (ROWS, COLUMNS)), ("B", (ROWS, COLUMNS)), ("M", (ROWS, COLUMNS)),
                        ("x", (COLUMNS, 1))):
        matrix = scipy.sparse.random(*shape, density=0.35, random_state=random, format="coo")
        matrix.data = numpy.round(8 * matrix.data - 4) + 0.5
        result[name] = matrix
    return result


def part(form, statement, seed, new):
    def run(folder):
        matrices = made(seed)
        for name, matrix in matrices.items():
            scipy.io.mmwrite(folder / f"{name}.mtx", matrix)
        (folder / "program.ta").write_text(PROGRAM.format(
            form=form, statement=statement, before="" if new else 'A[i, j] = read("A.mtx");'))
        harness.run_tool("run", "--force", "program.ta", folder=folder)
        found = scipy.io.mmread(folder / "out.mtx").toarray()
        wanted = numpy.zeros((ROWS, COLUMNS)) if new else matrices["A"].toarray()
        STATEMENTS[statement](wanted, matrices["B"].toarray(), matrices["M"].toarray(),
                              matrices["x"].toarray().reshape(-1))
        if found.shape != wanted.shape or not (found == wanted).all():
            raise harness.Failure(f"differs at {numpy.argwhere(found != wanted)[:3].tolist()}")
        return "equal"
    return f"{statement} in {form}" + (", new" if new else ""), run


def cases():
    for at, form in enumerate(FORMATS):
        for statement in STATEMENTS:
            yield part(form, statement, at, new=False)
            if " = " in statement and "<" not in statement:
                yield part(form, statement, at, new=True)


if __name__ == "__main__":
    harness.main(list(cases()))
