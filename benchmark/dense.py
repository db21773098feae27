"""Dense tensors: products of matrices of all shapes, transposes, and contractions with the compiler's
optimisations turned on one after the other; against MKL, OpenBLAS and BLIS where they are there, and
against what the machine can do."""

import ctypes
import itertools
import json
import math
import subprocess
import time

import numpy

import accelerators
import blas
import coupled_cluster
import kernels
import mkl
from rivals import Rivals

TYPES = {
    "double": numpy.dtype(float),
    "float": numpy.dtype(numpy.float32),
    "complex": numpy.dtype(complex),
}
ORDERS = (64, 128, 256, 512, 1024, 2048, 4096)
LONGEST = 12.0  # seconds of processor time for the rounds of one shape

# Rows, columns, contracted values.
SKINNY = (
    (100000, 16, 16),
    (100000, 8, 200),
    (16, 100000, 16),
    (4000, 4000, 16),
    (16, 16, 200000),
    (2000, 40, 512),
)
SMALL = (4, 8, 16, 32, 64)

# The products of several tensors of 002's table 1 (test/python/test_product_order.py), with so many
# values for labels of occupied orbitals and for others.
EXPRESSIONS = """cdmn inad mc 23.9
dcmn inad mc 21.1
cdmn id na mc 4.9
dcmn id na mc 4.5
mnej ei am bn 1.4
mnfe ei fn abmj 1.4
mnef am fn ebij 2.2
mnef bm fn eaji 1.8
nmef am fn ebij 2.2
nmef bm fn eaji 1.8
mnef ei fn abmj 1.5
mnef ej fn bami 1.7
mnfe ej fn bami 1.5""".splitlines()
OCCUPIED = 16, "ijmn"
OTHERS = 60

# 002's figure 5, one optimisation after the other; the last one is no longer TTGT.
STEPS = (
    ("TTGT by loops", ("--convert-tc-to-ttgt", "--forbid=permutation,transposes,blocks")),
    ("best permutation", ("--convert-tc-to-ttgt", "--forbid=transposes,blocks")),
    ("transposes in blocks", ("--convert-tc-to-ttgt", "--forbid=blocks")),
    ("products in blocks", ("--convert-tc-to-ttgt", "--forbid=microkernel")),
    ("micro-kernel", ("--convert-tc-to-ttgt",)),
    ("permuted while packing", ()),
)


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def peak_rates(run):
    """Multiply-adds of one core as GFLOP/s, by element type, as `strata machine` measures them now for
    doubles; a vector has twice as many floats."""
    file = run.folder / "machine.json"
    subprocess.run(
        [run.program("strata"), "machine", "--measure", "-o", file],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    double = max(json.loads(file.read_text())["multiply_add"]) / 1e9
    return {"double": double, "float": 2 * double, "complex": double}


class Products:
    """Strata's kernels for products of matrices, alone and in batches."""

    def __init__(self, run):
        lines = []
        for name in TYPES:
            letter = name[0]
            labels = [f"{letter}{label}" for label in "xijk"]
            lines += [f"IndexLabel [{label}] = [{61 + at}];" for at, label in enumerate(labels)]
            x, i, j, k = labels
            for batch, end in ((f"{x}, ", "b"), ("", "")):
                shapes = [
                    (f"A{letter}{end}", f"{batch}{i}, {k}"),
                    (f"B{letter}{end}", f"{batch}{k}, {j}"),
                    (f"C{letter}{end}", f"{batch}{i}, {j}"),
                ]
                lines += [f"Tensor<{name}> {tensor}([{own}], Dense);" for tensor, own in shapes]
                lines += [f"{tensor}[{own}] = 1.0;" for tensor, own in shapes[:2]]
                lines.append(
                    f"{shapes[2][0]}[{shapes[2][1]}] = {shapes[0][0]}[{shapes[0][1]}] * "
                    f"{shapes[1][0]}[{shapes[1][1]}];"
                )
        self.library = kernels.build(
            run, "dense", "def main() {\n  " + "\n  ".join(lines) + "\n}\n"
        )

    def call(self, name, a, b):
        """Of matrices, or of batches of them."""
        shape = a.shape[:-1] + b.shape[-1:]
        result = f"C{name[0]}{'b' if a.ndim == 3 else ''}"
        return self.library.call(
            result,
            kernels.storage(shape, [numpy.empty(0, a.dtype)]),
            [kernels.storage(array.shape, [array]) for array in (a, b)],
            shape + a.shape[-1:],
        )


def operands(name, *shapes):
    random = numpy.random.default_rng(1)
    return [kernels.aligned(random.uniform(-1, 1, shape).astype(TYPES[name])) for shape in shapes]


def same(what, found, expected):
    tolerance = 1e-3 if expected.dtype == numpy.float32 else 1e-9
    if not numpy.allclose(
        found, expected, rtol=tolerance, atol=tolerance * math.sqrt(expected.size)
    ):
        raise SystemExit(f"{what}: the results differ")


def rounds_for(seconds, most):
    return max(1, min(most, int(LONGEST / max(seconds, 1e-9))))


def contest(what, contestants, results, most):
    """The results are compared first; then the median times, and the others' by ours."""
    for function in contestants:
        function()
    expected = results[0]()
    for result in results[1:]:
        same(what, result().reshape(expected.shape), expected)
    begin = time.perf_counter()
    for function in contestants:
        function()
    return mkl.contest(contestants, rounds_for(time.perf_counter() - begin, most))


def product_row(run, products, libraries, name, shape, threads, section):
    """One shape against all libraries: prints a row, and gives GFLOP/s and the least ratio."""
    m, n, k = shape
    a, b = operands(name, (m, k), (k, n))
    call = products.call(name, a, b)
    made = [numpy.empty((m, n), TYPES[name]) for _ in libraries]
    contestants = [call.run] + [library.product(a, b, c) for library, c in zip(libraries, made)]
    results = [lambda: call.values(0)] + [lambda c=c: c for c in made]
    times, ratios = contest(f"{name} {shape}", contestants, results, 5 if run.quick else 15)
    operations = (8 if name == "complex" else 2) * float(m) * n * k
    rates = [operations / seconds / 1e9 for seconds in times]
    text = f"{m}" if m == n == k else f"{m} x {n} x {k}"
    print(
        f"  {name:8}{text:>22}{threads:8}"
        + f"{rates[0]:9.1f}"
        + "".join(f"{rate:10.1f}{ratio:6.2f}" for rate, ratio in zip(rates[1:], ratios)),
        flush=True,
    )
    run.add(
        "dense",
        kind=section,
        type=name,
        shape=shape,
        threads=threads,
        gflops=rates[0],
        **{library.name: ratio for library, ratio in zip(libraries, ratios)},
    )
    call.drop()
    return rates[0], min(ratios, default=math.inf)


def headline(libraries):
    print(
        f"  {'type':8}{'order':>22}{'threads':>8}{'Strata':>9}"
        + "".join(f"{library.name:>10}{'ratio':>6}" for library in libraries)
    )


def matrices(run, products, libraries, set_threads):
    peaks = peak_rates(run)
    print(
        "\nproducts of matrices, GFLOP/s, and the others' time by Strata's (above 1: Strata is "
        "faster); peak of one core: "
        + ", ".join(f"{name} {peak:.1f}" for name, peak in peaks.items())
    )
    headline(libraries)
    shares, worst = [], []
    for threads in (1,) if run.quick else (1, 2):
        set_threads(threads)
        for name in TYPES:
            for order in ORDERS[:4] if run.quick else ORDERS:
                if threads == 2 and order < 512:
                    continue
                rate, ratio = product_row(
                    run, products, libraries, name, (order,) * 3, threads, "matrices"
                )
                worst.append((1 / ratio, f"{name} {order}, {threads} threads"))
                if order >= 1024 and threads == 1:
                    shares.append((rate / peaks[name], f"{name} {order}"))
    run.goal(
        "dense, products of matrices: the best library's time by ours, inverse", max(worst), 1.0
    )
    if shares:
        least = min(shares)
        run.goal(
            "dense, products of matrices: peak by our rate from 1,024 on",
            (1 / least[0], least[1]),
            1 / 0.9,
        )


def skinny(run, products, libraries, set_threads):
    print("\nproducts with few rows, columns or contracted values")
    headline(libraries)
    worst = []
    for threads in (1,) if run.quick else (1, 2):
        set_threads(threads)
        for shape in SKINNY[-1:] if run.quick else SKINNY:
            _, ratio = product_row(run, products, libraries, "double", shape, threads, "skinny")
            worst.append((1 / ratio, f"{shape}, {threads} threads"))
    run.goal(
        "dense, tall and skinny: the best library's time by ours, inverse", max(worst), 1 / 1.2
    )


def batches(run, products, libraries, set_threads):
    library = next((one for one in libraries if one.name == "MKL"), None)
    print("\nbatches of small products, GFLOP/s" + ("" if library else "; no MKL"))
    worst = []
    for threads in (1,) if run.quick else (1, 2):
        set_threads(threads)
        for name in ("double", "float"):
            for order in SMALL:
                count = max(250000 // order**2, 64)
                a, b = operands(name, (count, order, order), (count, order, order))
                call, c = products.call(name, a, b), numpy.empty((count, order, order), TYPES[name])
                contestants = [call.run] + ([library.batch(a, b, c)] if library else [])
                results = [lambda: call.values(0), lambda: c][: len(contestants)]
                times, ratios = contest(
                    f"{count} of {order}", contestants, results, 5 if run.quick else 15
                )
                rates = [2 * float(count) * order**3 / seconds / 1e9 for seconds in times]
                print(
                    f"  {name:8}{count:8} of order {order:3}{threads:4} threads"
                    + "".join(f"{rate:9.1f}" for rate in rates)
                    + "".join(f"{ratio:7.2f}" for ratio in ratios),
                    flush=True,
                )
                run.add(
                    "dense",
                    kind="batches",
                    type=name,
                    order=order,
                    count=count,
                    threads=threads,
                    gflops=rates[0],
                    ratio=ratios[0] if ratios else None,
                )
                worst += [(1 / ratio, f"{name} {order}, {threads} threads") for ratio in ratios]
                call.drop()
    run.goal("dense, batches: MKL's time by ours, inverse", max(worst, default=None), 1 / 1.2)


def permutations(order, count):
    """All of an order but that which changes nothing; of those with more than `count`, so many,
    drawn, after the one that reverses."""
    all = list(itertools.permutations(range(order)))[1:]
    if len(all) <= count:
        return all
    random = numpy.random.default_rng(order)
    return [all[-1]] + [all[at] for at in random.choice(len(all) - 1, count - 1, replace=False)]


class Transposes:
    """One kernel for each permutation: B[label p of A...] = A[...]."""

    def __init__(self, run, name, wanted):
        lines = []
        letters = "abcdef"
        for number, permutation in enumerate(wanted):
            labels = [f"{letter}{number}" for letter in letters[: len(permutation)]]
            own, made = ", ".join(labels), ", ".join(labels[at] for at in permutation)
            lines += [f"IndexLabel [{label}] = [{31 + at}];" for at, label in enumerate(labels)]
            lines += [
                f"Tensor<{name}> A{number}([{own}], Dense);",
                f"A{number}[{own}] = 1.0;",
                f"Tensor<{name}> B{number}([{made}], Dense);",
                f"B{number}[{made}] = A{number}[{own}];",
            ]
        self.library = kernels.build(
            run, f"transposes_{name}", "def main() {\n  " + "\n  ".join(lines) + "\n}\n"
        )

    def call(self, number, a, permutation):
        shape = tuple(a.shape[at] for at in permutation)
        return self.library.call(
            f"B{number}",
            kernels.storage(shape, [numpy.empty(0, a.dtype)]),
            [kernels.storage(a.shape, [a])],
            shape,
        )


def transposes(run, set_threads):
    bytes_, count = (8e6, 4) if run.quick else (64e6, 23)
    print(
        f"\ntransposes of {bytes_ / 1e6:.0f} MB, as a share of the speed of memmove in the same rounds; "
        "one thread"
    )
    set_threads(1)
    for name in ("double", "float"):
        wanted = [
            one
            for order in range(2, 7)
            for one in permutations(order, count if order < 5 else min(count, 8))
        ]
        made = Transposes(run, name, wanted)
        shares = {}
        for number, permutation in enumerate(wanted):
            order = len(permutation)
            size = round((bytes_ / TYPES[name].itemsize) ** (1 / order))
            (a,) = operands(name, tuple(size + at % 3 - 1 for at in range(order)))
            copy = numpy.empty_like(a)
            call = made.call(number, a, permutation)
            to, source = (ctypes.c_void_p(array.ctypes.data) for array in (copy, a))
            copying = lambda: ctypes.memmove(to, source, a.nbytes)
            call.run()
            expected = a.transpose(permutation)
            if not numpy.array_equal(call.values(0).reshape(expected.shape), expected):
                raise SystemExit(f"transpose {permutation}: the results differ")
            times, ratios = mkl.contest([call.run, copying], 3 if run.quick else 5)
            call.drop()
            shares.setdefault(order, []).append(ratios[0])
            run.add(
                "dense",
                kind="transposes",
                type=name,
                permutation=permutation,
                share=ratios[0],
                seconds=times[0],
            )
            print(
                f"  {name:8}{''.join(map(str, permutation)):>8}{2 * a.nbytes / times[0] / 1e9:8.2f} GB/s"
                f"{ratios[0]:7.2f}",
                flush=True,
            )
        for least, orders in ((0.85, (2, 3, 4)), (0.7, (5, 6))):
            found = [share for order in orders for share in shares[order]]
            share = sum(found) / len(found)
            text = " to ".join(map(str, (orders[0], orders[-1])))
            run.goal(
                f"dense, transposes of orders {text}, {name}: speed of a copy by ours, in the mean",
                (1 / share, f"{len(found)} permutations"),
                1 / least,
            )


def seconds_of(run, program, options, repeat=3):
    """What a program's statements take, but those that make its operands: the least time of each."""
    file = run.folder / "program.ta"
    file.write_text(program)
    ended = subprocess.run(
        [
            run.program("strata"),
            "run",
            "--json",
            "--threads=1",
            f"--repeat={repeat}",
            "--quiet",
            *options,
            file,
        ],
        stdout=subprocess.PIPE,
        check=True,
    )
    return sum(
        step["seconds"]["run"] for step in json.loads(ended.stdout)["steps"] if "=" in step["what"]
    )


def ablation(run):
    """002's figure 5. Sizes are divided so that loops take no minutes."""
    most = 2e7 if run.quick else 1e8
    lines = accelerators.CONTRACTIONS[:: 10 if run.quick else 1]
    print(
        f"\n30 contractions, one optimisation after the other, GFLOP/s; at most {most:g} products\n"
        f"  {'':18}" + "".join(f"{name:>24}" for name, _ in STEPS)
    )
    table = []
    for number, line in enumerate(lines):
        contraction = accelerators.Contraction(number, line, 1)
        share = max(1.0, (contraction.products() / most) ** (1 / len(contraction.sizes)))
        contraction.sizes = {
            label: max(round(size / share), 4) for label, size in contraction.sizes.items()
        }
        operations = 2 * contraction.products()
        rates = {
            name: operations
            / seconds_of(run, contraction.program(), options, 2 if at < 3 else 5)
            / 1e9
            for at, (name, options) in enumerate(STEPS)
        }
        print(
            f"  {contraction.name:18}" + "".join(f"{rate:24.2f}" for rate in rates.values()),
            flush=True,
        )
        run.add("dense", kind="ablation", name=contraction.name, sizes=contraction.sizes, **rates)
        table.append(rates)
    print(
        f"  {'geometric mean':18}"
        + "".join(f"{mean([rates[name] for rates in table]):24.2f}" for name, _ in STEPS)
    )


class Expression:
    def __init__(self, line):
        *self.factors, gain = line.split()
        self.gain = float(gain)
        labels = "".join(self.factors)
        self.labels = sorted(set(labels))
        self.result = "".join(label for label in self.labels if labels.count(label) == 1)

    def text(self):
        access = [f"{name}[{', '.join(own)}]" for name, own in zip("ABCD", self.factors)]
        return " * ".join(access)

    def program(self, occupied, others):
        sizes = {label: occupied if label in OCCUPIED[1] else others for label in self.labels}
        lines = [f"IndexLabel [{label}] = [{size}];" for label, size in sizes.items()]
        for name, own in zip("ABCD", self.factors):
            lines.append(f"Tensor<double> {name}([{', '.join(own)}], Dense);")
            lines.append(f"{name}[{', '.join(own)}] = random();")
        own = ", ".join(self.result)
        lines += [f"Tensor<double> R([{own}], Dense);", f"R[{own}] = {self.text()};"]
        return "def main() {\n  " + "\n  ".join(lines) + "\n}\n"


def expressions(run):
    """002's table 1: the gain of the order of the fewest operations over that from left to right."""
    sizes = (8, 20) if run.quick else (OCCUPIED[0], OTHERS)
    print(
        f"\nproducts of several tensors with {sizes[0]} and {sizes[1]} values, milliseconds\n"
        f"  {'':44}{'left to right':>14}{'best':>9}{'gain':>7}{'002':>7}"
    )
    for line in EXPRESSIONS[:: 6 if run.quick else 1]:
        expression = Expression(line)
        program = expression.program(*sizes)
        left, best = (
            seconds_of(run, program, options) for options in (["--opt-multiop-factorize=false"], [])
        )
        print(
            f"  {expression.text():44}{left * 1e3:14.1f}{best * 1e3:9.2f}{left / best:7.1f}"
            f"{expression.gain:7.1f}",
            flush=True,
        )
        run.add(
            "dense",
            kind="expressions",
            text=expression.text(),
            seconds=best,
            written=left,
            gain=left / best,
            paper=expression.gain,
        )


PARTS = (
    "matrices",
    "skinny",
    "batches",
    "transposes",
    "ablation",
    "expressions",
    "coupled-cluster",
)


def against_libraries(run):
    """All parts, or that which --only names: dense:transposes."""
    wanted = run.part and [run.part] or PARTS
    libraries = blas.libraries() if set(wanted) & set(PARTS[:3]) else []
    limits = Rivals(run).library

    def set_threads(count):
        limits.rivals_threads(count)
        for library in libraries:
            library.threads(count)

    products = Products(run) if set(wanted) & set(PARTS[:3]) else None
    for part, measure in (("matrices", matrices), ("skinny", skinny), ("batches", batches)):
        if part in wanted:
            measure(run, products, libraries, set_threads)
    if "transposes" in wanted:
        transposes(run, set_threads)
    for part, measure in (
        ("ablation", ablation),
        ("expressions", expressions),
        ("coupled-cluster", coupled_cluster.against_numpy),
    ):
        if part in wanted:
            measure(run)
