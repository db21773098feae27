"""Dense contractions, those of TCCG, against numpy.einsum and against matrix products of MKL, OpenBLAS
and BLIS between transposes, in turns on the same arrays."""

import csv
import ctypes
import math
import pathlib

import numpy

import blas
import kernels
import mkl
from rivals import Rivals

SMALL = 24  # values of a label of a contraction whose labels are small


class Contraction:
    def __init__(self, number, einsum, bytes_):
        self.einsum = einsum
        operands, self.result = einsum.split("->")
        self.left, self.right = operands.split(",")
        self.name = f"C{number}"
        largest = max(map(len, (self.left, self.right, self.result)))
        self.size = max(round((bytes_ / 8) ** (1 / largest)), 4)
        self.labels = self.result + "".join(
            sorted(set(self.left + self.right) - set(self.result), key=self.left.index)
        )

    def shape(self, labels):
        return (self.size,) * len(labels)

    def lines(self):
        """Declarations and the statement; labels have names of this contraction's own."""

        def access(labels):
            return ", ".join(self.name.lower() + label for label in labels)

        number = self.name[1:]
        lines = [f"IndexLabel [{access(self.labels)}] = [{self.size}];"]
        for name, labels in (("A", self.left), ("B", self.right), ("C", self.result)):
            lines.append(f"Tensor<double> {name}{number}([{access(labels)}], Dense);")
        lines += [
            f"{name}{number}[{access(labels)}] = 1.0;"
            for name, labels in (("A", self.left), ("B", self.right))
        ]
        lines.append(
            f"{self.name}[{access(self.result)}] = A{number}[{access(self.left)}] * "
            f"B{number}[{access(self.right)}];"
        )
        return lines

    def operations(self):
        return 2 * float(self.size) ** len(self.labels)


def through_products(library, contraction, left, right):
    """Transposes, the library's dgemm, and a transpose of the result (TTGT)."""
    first, second, last = contraction.left, contraction.right, contraction.result
    summed = [label for label in first if label not in last]
    rows = [label for label in last if label in first]
    columns = [label for label in last if label in second]
    m, n, k = (contraction.size ** len(labels) for labels in (rows, columns, summed))
    order_left = [first.index(label) for label in rows + summed]
    order_right = [second.index(label) for label in summed + columns]
    made = rows + columns
    order_result = [made.index(label) for label in last]
    product = numpy.empty((m, n))
    result = numpy.empty(contraction.shape(last))

    def run():
        a = numpy.ascontiguousarray(left.transpose(order_left)).reshape(m, k)
        b = numpy.ascontiguousarray(right.transpose(order_right)).reshape(k, n)
        library.product(a, b, product)()
        numpy.copyto(
            result, product.reshape((contraction.size,) * len(made)).transpose(order_result)
        )

    return run, result


def threads_of_numpy(count):
    """Sets the threads of NumPy's OpenBLAS: of that which PyPI's packages bring along."""
    folder = pathlib.Path(numpy.__file__).parents[1] / "numpy.libs"
    for path in folder.glob("libscipy_openblas*.so"):
        library = ctypes.CDLL(str(path))
        for name in ("scipy_openblas_set_num_threads64_", "scipy_openblas_set_num_threads"):
            if hasattr(library, name):
                getattr(library, name)(count)
                return
    print("NumPy's OpenBLAS has as many threads as it likes")


def against_libraries(run):
    table = run.files("expressions/tccg_contractions.tsv")
    if not table:
        print("skipped: no published contractions (STRATA_DATA)")
        return
    with open(table[0]) as file:
        einsums = list(dict.fromkeys(row["einsum"] for row in csv.DictReader(file, delimiter="\t")))
    contractions = [
        Contraction(number, einsum, 8e6 if run.quick else run.megabytes * 1e6)
        for number, einsum in enumerate(einsums)
    ][:: 12 if run.quick else 1]
    text = (
        "def main() {\n  "
        + "\n  ".join(line for contraction in contractions for line in contraction.lines())
        + "\n}\n"
    )
    library = kernels.build(run, "contractions", text)
    rivals = blas.libraries()
    limits = Rivals(run).library
    print(
        f"NumPy {numpy.__version__}\n"
        f"GFLOP/s, and the other's time by Strata's (above 1: Strata is faster)\n"
        f"  {'contraction':26}{'size':>5}{'threads':>8}{'Strata':>9}{'NumPy':>9}{'ratio':>7}"
        + "".join(f"{rival.name:>9}{'ratio':>7}" for rival in rivals)
    )
    ratios = {}
    random = numpy.random.default_rng(1)
    for contraction in contractions:
        left, right = (
            kernels.aligned(random.uniform(-1, 1, contraction.shape(labels)))
            for labels in (contraction.left, contraction.right)
        )
        extents = contraction.shape(contraction.labels)
        call = library.call(
            contraction.name,
            kernels.storage(contraction.shape(contraction.result), [numpy.empty(0)]),
            [kernels.storage(array.shape, [array]) for array in (left, right)],
            extents,
        )
        contestants = [
            call.run,
            lambda: numpy.einsum(contraction.einsum, left, right, optimize=True),
        ]
        expected = contestants[1]()
        for rival in rivals:
            product, made = through_products(rival, contraction, left, right)
            contestants.append(product)
            product()
            same(contraction, made, expected)
        call.run()
        same(contraction, call.values(0).reshape(expected.shape), expected)
        for threads in (1, 2):
            limits.rivals_threads(threads)
            threads_of_numpy(threads)
            for rival in rivals:
                rival.threads(threads)
            times, own = mkl.contest(contestants, 5 if run.quick else 11)
            rates = [contraction.operations() / seconds / 1e9 for seconds in times]
            print(
                f"  {contraction.einsum:26}{contraction.size:5}{threads:8}{rates[0]:9.1f}"
                + "".join(f"{rate:9.1f}{ratio:7.2f}" for rate, ratio in zip(rates[1:], own)),
                flush=True,
            )
            run.add(
                "contractions",
                einsum=contraction.einsum,
                size=contraction.size,
                threads=threads,
                seconds=times[0],
                numpy_ratio=own[0],
                **{f"{rival.name.lower()}_ratio": ratio for rival, ratio in zip(rivals, own[1:])},
            )
            ratios.setdefault(threads, []).append((min(own), contraction.einsum, contraction.size))
    for threads, found in ratios.items():
        worst = min(found)
        run.goal(
            f"contractions, the best of the others by ours on {threads} threads, inverse",
            (1 / worst[0], worst[1]),
            1.03,
        )
        for what, least, chosen in (
            ("in the mean", 1.15, found),
            ("in the mean of small labels", 1.5, [one for one in found if one[2] <= SMALL]),
        ):
            if chosen:
                mean = math.exp(sum(math.log(ratio) for ratio, *_ in chosen) / len(chosen))
                print(f"  {threads} threads: the best of the others by ours {what}: {mean:.2f}")
                run.goal(
                    f"contractions, likewise {what}, inverse",
                    (1 / mean, f"{len(chosen)} contractions, {threads} threads"),
                    1 / least,
                )


def same(contraction, found, expected):
    if not numpy.allclose(found, expected, rtol=1e-10, atol=1e-10 * math.sqrt(expected.size)):
        raise SystemExit(f"{contraction.einsum}: the results differ")
