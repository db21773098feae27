"""Tensors seen in another shape: floordiv and mod on both sides, several labels in one index."""
import functools
import itertools

import numpy

import harness

FORMATS = {1: ("Dense", "SparseVector", "HashVector"),
           2: ("Dense", "CSR", "CSC", "COO", "BCSR:2x2", "ELL"),
           3: ("Dense", "CSF", "COO")}
SHAPES = ((24, (4, 6)), (24, (6, 4)), (24, (2, 3, 4)), (35, (7, 5)), (30, (5, 2, 3)))


def values_of(size):
    """Numbers, two thirds of them zero."""
    random = numpy.random.default_rng(size)
    return numpy.where(random.uniform(size=size) < 0.34, random.uniform(1, 2, size), 0)


def flat_index(labels, shape):
    """`12 * i + 4 * j + k`."""
    strides = [int(numpy.prod(shape[at + 1:])) for at in range(len(shape))]
    return " + ".join(f"{stride} * {label}" for stride, label in zip(strides, labels))


def digits(label, shape):
    """`n floordiv 12, n floordiv 4 mod 3, n mod 4`."""
    strides = [int(numpy.prod(shape[at + 1:])) for at in range(len(shape))]
    return ", ".join(f"{label} floordiv {stride} mod {size}" for stride, size in
                     zip(strides, shape))


def check(size, shape, flat, shaped, folder):
    values = values_of(size)
    numpy.save(folder / "flat.npy", values)
    labels = "ijk"[:len(shape)]
    listed = ", ".join(labels)
    sizes = "".join(f"IndexLabel [{label}] = [{size}];" for label, size in zip(labels, shape))
    index, parts = flat_index(labels, shape), digits("n", shape)
    (folder / "shapes.ta").write_text(f"""def main() {{
  IndexLabel [n] = [{size}]; {sizes}
  Tensor<double> v([n], {flat}); Tensor<double> w([n], {flat}); Tensor<double> x([n], {flat});
  Tensor<double> A([{listed}], {shaped}); Tensor<double> B([{listed}], {shaped});
  v[n] = read("flat.npy");
  A[{parts}] = v[n];
  B[{listed}] = v[{index}];
  w[{index}] = A[{listed}];
  x[n] = B[{parts}] + v[n];
  write(A, "A.tns"); write(B, "B.tns"); write(w, "w.tns"); write(x, "x.tns");
}}""")
    harness.run_tool("run", "shapes.ta", folder=folder)
    for name, expected in (("A", values.reshape(shape)), ("B", values.reshape(shape)),
                           ("w", values), ("x", 2 * values)):
        actual = numpy.zeros(expected.shape)
        for line in (folder / f"{name}.tns").read_text().splitlines():
            words = line.split()
            if not line.startswith("#") and len(words) == expected.ndim + 1:
                actual[tuple(int(word) - 1 for word in words[:-1])] += float(words[-1])
        harness.compare(name, actual, expected, 0)


def cases():
    for size, shape in SHAPES:
        for flat, shaped in itertools.product(FORMATS[1], FORMATS[len(shape)]):
            name = f"{size} as {'x'.join(map(str, shape))} {flat} {shaped}"
            yield name, functools.partial(check, size, shape, flat, shaped)


if __name__ == "__main__":
    harness.main(cases())
