"""Dense contractions against numpy.einsum: drawn ones, in whose sums of small integers no order shows,
of all types of numbers, also of two, and over semirings, alone or among other terms; the published ones
of TCCG; and the same bits for any number of threads.

Sizes are such that the loops run in blocks (docs/Schedules.md, "What follows from the loops"), with
tiles and blocks that are not full.
"""
import csv
import os
import pathlib

import numpy

import harness
from harness import Failure

DRAWN = 600 if os.environ.get("STRATA_LONG") else 60
LETTERS = "abcdefgh"
TYPES = {"double": numpy.float64, "float": numpy.float32, "complex": numpy.complex128,
         "complex64": numpy.complex64, "int32": numpy.int32, "int64": numpy.int64}
# What one operand may be stored in.
NARROWER = {"double": ("float", "float16"), "float": ("bfloat16", "float16")}
SEMIRINGS = {"@(min,+)": (numpy.minimum, numpy.add), "@(max,*)": (numpy.maximum, numpy.multiply),
             "@(max,min)": (numpy.maximum, numpy.minimum)}
# The right side, given the contraction's; what it makes of the contraction, of C and of D.
TERMS = {"= {}": lambda x, c, d: x, "+= {}": lambda x, c, d: c + x, "-= {}": lambda x, c, d: c - x,
         "= 2 * {}": lambda x, c, d: 2 * x, "= D - {}": lambda x, c, d: d - x,
         "= 3 * {} + D - 2 * {}": lambda x, c, d: x + d, "+= D + 2 * {}": lambda x, c, d: c + d + 2 * x}


class Contraction:
    """The labels of both operands and of the result, and how many values each has."""

    def __init__(self, left, right, result, sizes):
        self.left, self.right, self.result, self.sizes = left, right, result, sizes

    def shape(self, labels):
        return tuple(self.sizes[label] for label in labels)

    def statement(self, terms="= {}", times="*"):
        def access(name, labels):
            return f"{name}({','.join(labels)})"
        product = f"{access('A', self.left)} {times} {access('B', self.right)}"
        terms = terms.replace("D", access("D", self.result)).replace("{}", product)
        return f"{access('C', self.result)} {terms}"

    def over_semiring(self, left, right, add, multiply):
        """All products at once."""
        labels = self.result + "".join(sorted(set(self.left) - set(self.result)))

        def spread(array, own):
            order = [own.index(label) for label in labels if label in own]
            return array.transpose(order).reshape(
                [self.sizes[label] if label in own else 1 for label in labels])
        products = multiply(spread(left, self.left), spread(right, self.right))
        return add.reduce(products, axis=tuple(range(len(self.result), len(labels))))

    def products(self):
        return numpy.prod([float(size) for size in self.sizes.values()])

    def einsum(self, left, right):
        return numpy.einsum(f"{self.left},{self.right}->{self.result}", left, right, optimize=True)


def draw(random):
    """Labels of each role in any order in each tensor; few large ones, or more small ones."""
    letters = iter(LETTERS)
    roles = {role: [next(letters) for _ in range(random.integers(1, 3))]
             for role in ("left", "right", "contracted")}
    roles["batch"] = [next(letters) for _ in range(random.choice([0, 0, 0, 1]))]

    def order(*which):
        labels = [label for role in which for label in roles[role]]
        return "".join(random.permutation(labels))
    sizes = {}
    for role, labels in roles.items():
        for label in labels:
            largest = 4 if role == "batch" else 100 if len(labels) == 1 else 15
            sizes[label] = int(random.integers(1, largest + 1))
    return Contraction(order("left", "contracted", "batch"), order("right", "contracted", "batch"),
                       order("left", "right", "batch"), sizes)


def format_of(random, labels):
    """Dense, the dimensions in this order or in another."""
    if random.random() < 0.7:
        return "d" * len(labels)
    names = ", ".join(labels)
    levels = ", ".join(f"{label} : dense" for label in random.permutation(list(labels)))
    return f"({names}) -> ({levels})"


def compute(contraction, operands, folder, statement, *options):
    for name, values in operands.items():
        numpy.save(folder / f"{name}.npy", values)
    inputs = [f"-i={name}:{name}.npy" for name in operands]
    harness.run_tool(statement, *inputs, "-o=C:C.result.npy", "-quiet", *options, folder=folder)
    return numpy.load(folder / "C.result.npy").reshape(contraction.shape(contraction.result))


def draw_operands(random, contraction, kind):
    def integers(labels):
        values = random.integers(-4, 5, contraction.shape(labels))
        if numpy.issubdtype(kind, numpy.complexfloating):
            values = values + 1j * random.integers(-4, 5, values.shape)
        return values.astype(kind)
    return {name: integers(labels) for name, labels in
            (("A", contraction.left), ("B", contraction.right), ("C", contraction.result),
             ("D", contraction.result))}


def check_drawn(number, folder):
    random = numpy.random.default_rng(number)
    contraction = draw(random)
    word, kind = list(TYPES.items())[random.integers(len(TYPES))]
    terms, times = random.choice(list(TERMS)), "*"
    operands = draw_operands(random, contraction, kind)
    if random.random() < 0.3 and contraction.products() < 2e7 and "complex" not in word:
        terms, times = "= {}", random.choice(list(SEMIRINGS))
        product = contraction.over_semiring(operands["A"], operands["B"], *SEMIRINGS[times])
    else:
        wide = numpy.complex128 if "complex" in word else numpy.float64
        product = contraction.einsum(operands["A"].astype(wide), operands["B"].astype(wide))
    expected = TERMS[terms](product, operands["C"], operands["D"]).astype(kind)
    statement = contraction.statement(terms, times)
    if terms.startswith("= "):
        del operands["C"]
    if "D" not in terms:
        del operands["D"]
    formats = [f"-f={name}:{'d' * len(contraction.result)}" for name in "CD"
               if name == "C" or name in operands]
    formats += [f"-f={name}:{format_of(random, labels)}"
                for name, labels in (("A", contraction.left), ("B", contraction.right))]
    stored = {name: word for name in (*operands, "C")}
    if word in NARROWER and random.random() < 0.4:
        stored[random.choice(["A", "B"])] = random.choice(NARROWER[word])
    types = [f"-t={name}:{own}" for name, own in stored.items()]
    threads = random.choice([1, 2, 5])
    cpu = [] if random.random() < 0.6 else ["-cpu=" + random.choice(["x86-64-v2", "x86-64-v3"])]
    result = compute(contraction, operands, folder, statement, *formats, *types,
                     f"-threads={threads}", *cpu)
    if result.dtype != kind or not numpy.array_equal(result, expected):
        raise Failure(f"{statement} with {contraction.sizes}, {types}, {formats}, {cpu}: "
                      f"{numpy.count_nonzero(result != expected)} of {result.size} values differ")


def check_published(row, folder):
    operands, result = row["einsum"].split("->")
    left, right = operands.split(",")
    largest = max(map(len, (left, right, result)))
    size = max(int(60000 ** (1 / largest)), 3)
    labels = sorted(set(left + right))
    contraction = Contraction(left, right, result,
                              {label: size + at % 3 for at, label in enumerate(labels)})
    random = numpy.random.default_rng(1)
    operands = {"A": random.standard_normal(contraction.shape(left)),
                "B": random.standard_normal(contraction.shape(right))}
    formats = [f"-f={name}:{'d' * len(which)}"
               for name, which in (("A", left), ("B", right), ("C", result))]
    found = compute(contraction, operands, folder, contraction.statement(), *formats)
    expected = contraction.einsum(operands["A"], operands["B"])
    if not numpy.allclose(found, expected, rtol=1e-11, atol=1e-11):
        raise Failure(f"{row['einsum']}: {numpy.abs(found - expected).max()} is the largest error")


def check_threads(folder):
    """Parts of all sizes: the first label has fewer values than there are threads, or more."""
    random = numpy.random.default_rng(7)
    for left, right, result in (("ik", "kj", "ij"), ("ki", "jk", "ij"), ("kj", "ik", "ij"),
                                ("aki", "akj", "aij"), ("iak", "kjb", "jabi")):
        labels = sorted(set(left + right))
        sizes = {label: 3 if label == "a" else 70 + 9 * at for at, label in enumerate(labels)}
        contraction = Contraction(left, right, result, sizes)
        operands = {"A": random.standard_normal(contraction.shape(left)),
                    "B": random.standard_normal(contraction.shape(right))}
        formats = [f"-f={name}:{'d' * len(which)}"
                   for name, which in (("A", left), ("B", right), ("C", result))]
        results = [compute(contraction, operands, folder, contraction.statement(), *formats,
                           f"-threads={threads}") for threads in (1, 2, 3, 5)]
        if any(other.tobytes() != results[0].tobytes() for other in results):
            raise Failure(f"{contraction.statement()}: the bits depend on the threads")


def check_turns(folder):
    """Values that take turns, and are transposed in registers, where an operand has narrower ones."""
    contraction = Contraction("fabe", "cefd", "adbfc",
                              {"a": 13, "b": 12, "c": 8, "d": 8, "e": 60, "f": 1})
    random = numpy.random.default_rng(3)
    operands = draw_operands(random, contraction, numpy.float64)
    operands = {name: operands[name] for name in "AB"}
    expected = contraction.einsum(operands["A"], operands["B"])
    formats = ["-f=C:ddddd", "-f=A:dddd", "-f=B:dddd"]
    for word, narrower, name in (("float", "float16", "B"), ("double", "float", "B"),
                                 ("float", "bfloat16", "A")):
        types = [f"-t={other}:{narrower if other == name else word}" for other in "ABC"]
        found = compute(contraction, operands, folder, contraction.statement(), *formats, *types,
                        "-cpu=x86-64-v3")
        if not numpy.array_equal(found, expected):
            raise Failure(f"{types}: other values than NumPy's")


def cases():
    yield "threads", lambda folder: check_threads(folder)
    yield "turns", lambda folder: check_turns(folder)
    for number in range(DRAWN):
        yield f"drawn {number}", lambda folder, number=number: check_drawn(number, folder)
    folder = os.environ.get("STRATA_DATA", "")
    table = pathlib.Path(folder) / "expressions" / "tccg_contractions.tsv"
    if folder and table.is_file():
        with open(table) as file:
            for row in csv.DictReader(file, delimiter="\t"):
                yield row["einsum"], lambda folder, row=row: check_published(row, folder)


harness.main(list(cases()))
