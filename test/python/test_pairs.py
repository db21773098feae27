"""Sums, products, residuals and sampled products for all pairs of named formats, into dense and into
sparse results, checked by the reference interpreter (`strata run --check`) and, dense, by NumPy.

The matrices have empty rows and columns, an explicit zero, duplicates, and sizes that blocks of four
do not divide.
"""
import numpy

import harness

FORMATS = ("CSR", "CSC", "DCSR", "DCSC", "COO", "CSF", "Dense", "ModeGeneric", "BCSR", "DIA")
RESULTS = ("Dense", "CSR", "CSC", "DCSR", "DCSC", "COO", "CSF")
ROWS, COLUMNS, INNER = 7, 10, 3


def entries(seed, count=16):
    """Coordinates (from 1) and values; some repeat, one is zero, row 3 and column 4 are empty."""
    random = numpy.random.default_rng(seed)
    rows = random.choice([1, 2, 4, 5, 6, 7], count)
    columns = random.choice([1, 2, 3, 5, 6, 7, 8, 9, 10], count)
    values = random.uniform(-1, 1, count).round(3)
    values[0] = 0
    return list(zip(rows, columns, values)) + [(rows[1], columns[1], 0.5)]


def write(path, listed):
    with open(path, "w") as file:
        file.write("%%MatrixMarket matrix coordinate real general\n")
        file.write(f"{ROWS} {COLUMNS} {len(listed)}\n")
        file.writelines(f"{row} {column} {value}\n" for row, column, value in listed)


def dense(listed):
    matrix = numpy.zeros((ROWS, COLUMNS))
    for row, column, value in listed:
        matrix[row - 1, column - 1] += value
    return matrix


def program(first, second):
    lines = [f"IndexLabel [i, j] = [?];", f"IndexLabel [k] = [{INNER}];",
             f"Tensor<double> B([i, j], {first});", f"Tensor<double> C([i, j], {second});",
             f"Tensor<double> D([i, j], CSR);", "Tensor<double> P([i, k], Dense);",
             "Tensor<double> Q([k, j], Dense);", "Tensor<double> x([j], Dense);",
             "Tensor<double> b([i], Dense);", "Tensor<double> y([i], Dense);"]
    statements = {"Sum": "B[i,j] + C[i,j]", "Three": "B[i,j] + C[i,j] + D[i,j]",
                  "Product": "B[i,j] .* C[i,j]", "Scaled": "2 * B[i,j]",
                  "Sampled": "B[i,j] .* (P[i,k] * Q[k,j])"}
    for name in statements:
        lines += [f"Tensor<double> {name}{result}([i, j], {result});" for result in RESULTS]
    lines += [f'{name}[i,j] = read("{name}.mtx");' for name in "BCD"]
    lines += ['P[i,k] = read("P.mtx");', 'Q[k,j] = read("Q.mtx");', 'x[j] = read("x.mtx");',
              'b[i] = read("b.mtx");', "y[i] = b[i] - B[i,j] * x[j];", 'write(y, "y.mtx");']
    for name, right in statements.items():
        lines += [f"{name}{result}[i,j] = {right};" for result in RESULTS]
        lines.append(f'write({name}Dense, "{name}.mtx");')
    return "def main() {\n" + "\n".join(lines) + "\n}\n"


def pair(first, second):
    def run(folder):
        listed = {name: entries(seed) for seed, name in enumerate("BCD")}
        for name, rows in listed.items():
            write(folder / f"{name}.mtx", rows)
        B, C, D = (dense(listed[name]) for name in "BCD")
        P, Q = harness.numbers((ROWS, INNER)), harness.numbers((INNER, COLUMNS), seed=2)
        x, b = harness.numbers(COLUMNS, seed=3), harness.numbers(ROWS, seed=4)
        for name, values in dict(P=P, Q=Q, x=x, b=b).items():
            harness.write_array(folder / f"{name}.mtx", values)
        (folder / "program.ta").write_text(program(first, second))
        out = harness.run_tool("run", "--check", "program.ta", folder=folder)
        expected = {"y": (b - B @ x)[:, numpy.newaxis], "Sum": B + C, "Three": B + C + D,
                    "Product": B * C, "Scaled": 2 * B, "Sampled": B * (P @ Q)}
        for name, values in expected.items():
            found = harness.read_array(folder / f"{name}.mtx")
            harness.compare(name, found, values, numpy.full(values.shape, 10.0))
        return ""
    return f"{first} with {second}", run


if __name__ == "__main__":
    harness.main([pair(first, second) for first in FORMATS for second in FORMATS])
