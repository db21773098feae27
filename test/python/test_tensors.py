"""TTV, TTM, MTTKRP and an inner product of every published tensor, in CSF and COO, against NumPy.

NumPy computes on the coordinates of the file; sums of products of the same coordinates are made by
sorting. Results that are sparse are compared coordinate by coordinate; what is not stored is 0.
"""
import functools

import numpy

import harness

FORMATS = ("CSF", "COO")
RANK = 3
# No FROSTT files, for all their ending: another format, lines of two kinds, coordinates from 0, and
# COMET's, whose first line holds sizes (test/tools/frostt.test).
OTHERS = {"pyttb_ktensor.tns", "comet_test_rank3.tns", "comet_test_rank8.tns",
          "splatt_small4_zeroidx.tns"}


class Entries:
    """A tensor as coordinates (entry by dimension, from 0) and values."""

    def __init__(self, sizes, at, values):
        self.sizes, self.at, self.values = tuple(sizes), at, values

    @staticmethod
    def read(path, sizes=None):
        table = numpy.loadtxt(path, ndmin=2, comments="#")
        at = table[:, :-1].astype(numpy.int64) - 1
        return Entries(sizes or (at.max(axis=0) + 1).tolist(), at, table[:, -1])

    def write(self, path):
        form = " ".join(["%d"] * len(self.sizes)) + " %.17g"
        numpy.savetxt(path, numpy.column_stack([self.at + 1, self.values]), fmt=form)

    def summed(self):
        """Sorted keys of the coordinates, and the sum of the values of each."""
        keys = numpy.ravel_multi_index(self.at.T, self.sizes)
        unique, where = numpy.unique(keys, return_inverse=True)
        total = numpy.zeros((len(unique),) + self.values.shape[1:])
        numpy.add.at(total, where, self.values)
        return unique, total

    def without_last(self, values):
        return Entries(self.sizes[:-1], self.at[:, :-1], values)


def program(file, order):
    """All four statements for both formats."""
    names = [f"i{dim}" for dim in range(order)]
    full, most, last = ", ".join(names), ", ".join(names[:-1]), names[-1]
    levels = ", ".join(f"{name} : compressed" for name in names[:-1])
    slices = f"{{({most}, r) -> ({levels}, r : dense)}}"
    lines = [f"IndexLabel [{full}] = [?];", f"IndexLabel [r] = [{RANK}];", "IndexLabel [one] = [1];",
             f"Tensor<double> v([{last}], Dense);", f'v[{last}] = read("v.mtx");']
    for name in names:
        lines += [f"Tensor<double> F{name}([{name}, r], Dense);",
                  f'F{name}[{name}, r] = read("F{name}.mtx");']
    factors = " * ".join(f"F{name}[{name}, r]" for name in names[1:])
    for form in FORMATS:
        lines += [f"Tensor<double> T{form}([{full}], {form});",
                  f"Tensor<double> S{form}([{full}], {form});",
                  f"Tensor<double> V{form}([{most}], {form});",
                  f"Tensor<double> U{form}([{most}, r], {slices});",
                  f"Tensor<double> M{form}([{names[0]}, r], Dense);",
                  f"Tensor<double> P{form}([one], Dense);",
                  f'T{form}[{full}] = read("{file}");',
                  f'S{form}[{full}] = read("S.tns");',
                  f"V{form}[{most}] = T{form}[{full}] * v[{last}];",
                  f"U{form}[{most}, r] = T{form}[{full}] * F{last}[{last}, r];",
                  f"M{form}[{names[0]}, r] = T{form}[{full}] * {factors};",
                  f"var p{form} = T{form}[{full}] * S{form}[{full}];",
                  f"P{form}[one] = p{form};",
                  f'write(V{form}, "V{form}.tns");', f'write(U{form}, "U{form}.tns");',
                  f'write(M{form}, "M{form}.mtx");', f'write(P{form}, "P{form}.mtx");']
    return "def main() {\n  " + "\n  ".join(lines) + "\n}\n"


def another(tensor):
    """Half of the entries with other values, and those that decide the sizes."""
    kept = numpy.arange(len(tensor.values)) % 2 == 0
    kept[tensor.at.argmax(axis=0)] = True
    return Entries(tensor.sizes, tensor.at[kept],
                   harness.numbers(int(kept.sum()), seed=100))


def compare_sparse(name, path, expected, magnitude):
    """A sparse result against the sum of these entries, duplicates among them."""
    keys, values = expected.summed()
    bounds = Entries(expected.sizes, expected.at, magnitude).summed()[1]
    found_keys, found = Entries.read(path, expected.sizes).summed()
    if not numpy.isin(found_keys, keys).all():
        raise harness.Failure(f"{name}: entries where there should be none")
    actual = numpy.zeros_like(values)
    actual[numpy.searchsorted(keys, found_keys)] = found
    harness.compare(name, actual, values, bounds)


def inner(first, second):
    """The sum over common coordinates, and the sum of magnitudes."""
    keys, values = first.summed()
    other_keys, others = second.summed()
    _, at, other_at = numpy.intersect1d(keys, other_keys, return_indices=True)
    products = values[at] * others[other_at]
    return products.sum(), abs(products).sum()


def check(file, folder):
    tensor = Entries.read(file)
    order, at, values = len(tensor.sizes), tensor.at, tensor.values
    v = harness.numbers(tensor.sizes[-1], seed=1)
    factors = [harness.numbers((size, RANK), seed=2 + dim) for dim, size in enumerate(tensor.sizes)]
    harness.write_array(folder / "v.mtx", v)
    for dim, factor in enumerate(factors):
        harness.write_array(folder / f"Fi{dim}.mtx", factor)
    second = another(tensor)
    second.write(folder / "S.tns")
    (folder / "products.ta").write_text(program(file, order))
    harness.run_tool("run", "products.ta", folder=folder)

    ttv = tensor.without_last(values * v[at[:, -1]])
    rows = values[:, None] * factors[-1][at[:, -1]]
    spread = [numpy.repeat(at[:, :-1], RANK, axis=0), numpy.tile(numpy.arange(RANK), len(values))]
    ttm = Entries(tensor.sizes[:-1] + (RANK,), numpy.column_stack(spread), rows.reshape(-1))
    products = values[:, None]
    for dim in range(1, order):
        products = products * factors[dim][at[:, dim]]
    mttkrp, bound = (numpy.zeros((tensor.sizes[0], RANK)) for _ in range(2))
    numpy.add.at(mttkrp, at[:, 0], products)
    numpy.add.at(bound, at[:, 0], abs(products))
    total, total_bound = inner(tensor, second)
    for form in FORMATS:
        compare_sparse(f"TTV in {form}", folder / f"V{form}.tns", ttv, abs(ttv.values))
        compare_sparse(f"TTM in {form}", folder / f"U{form}.tns", ttm, abs(ttm.values))
        harness.compare(f"MTTKRP in {form}", harness.read_array(folder / f"M{form}.mtx"), mttkrp,
                        bound)
        harness.compare(f"inner product in {form}", harness.read_array(folder / f"P{form}.mtx"),
                        numpy.array([[total]]), numpy.array([[total_bound]]))


def refused(file, folder):
    """What is not well-formed must be refused, with the file's name in the message."""
    (folder / "read.ta").write_text(
        f'def main() {{\n  IndexLabel [i, j, k, l] = [?];\n  Tensor<double> T([i, j, k, l], COO);\n'
        f'  T[i, j, k, l] = read("{file}");\n}}\n')
    try:
        harness.run_tool("run", "read.ta", folder=folder)
    except harness.Failure as failure:
        if "ended with 1" in str(failure) and file.name in str(failure):
            return
        raise
    raise harness.Failure("was read, though it is not well-formed")


def cases():
    for file in sorted((harness.data_folder() / "tensors").glob("*.tns")):
        yield file.name, functools.partial(refused if file.name in OTHERS else check, file)


if __name__ == "__main__":
    harness.main(cases())
