"""Transposes against NumPy: drawn ones of any order, types of numbers, sizes and terms, small ones and
some that are larger than the caches, which are stored past them (docs/Dense.md)."""
import os

import numpy

import harness
from harness import Failure

DRAWN = 400 if os.environ.get("STRATA_LONG") else 40
LETTERS = "abcdef"
TYPES = {"double": numpy.float64, "float": numpy.float32, "complex": numpy.complex128,
         "complex64": numpy.complex64, "int32": numpy.int32, "int64": numpy.int64}
# The right side, given A's access; what it makes of A and of B.
TERMS = {"= {}": lambda a, b: a, "+= {}": lambda a, b: a + b, "= 2 * {}": lambda a, b: 2 * a}
SMALL, LARGE = 2e5, 2.6e6  # elements; a third of the drawn ones are large


def sizes_of(random, labels, elements):
    """Any sizes whose product is about `elements`; sometimes one label has few values."""
    shares = random.dirichlet(numpy.full(len(labels), 2.0))
    sizes = {label: max(round(elements ** share), 1) for label, share in zip(labels, shares)}
    if random.random() < 0.3:
        sizes[random.choice(list(labels))] = int(random.integers(1, 8))
    return sizes


def check_drawn(number, folder):
    random = numpy.random.default_rng(number)
    labels = LETTERS[:random.integers(2, 7)]
    made = "".join(random.permutation(list(labels)))
    sizes = sizes_of(random, labels, LARGE if number % 3 == 0 else SMALL)
    word, kind = list(TYPES.items())[random.integers(len(TYPES))]
    terms = random.choice(list(TERMS))
    a = random.integers(-9, 10, [sizes[label] for label in labels]).astype(kind)
    b = random.integers(-9, 10, [sizes[label] for label in made]).astype(kind)
    expected = TERMS[terms](a.transpose([labels.index(label) for label in made]), b).astype(kind)
    statement = f"B({','.join(made)}) {terms.format(f'A({chr(44).join(labels)})')}"
    numpy.save(folder / "A.npy", a)
    numpy.save(folder / "B.npy", b)
    inputs = ["-i=A:A.npy"] + (["-i=B:B.npy"] if terms.startswith("+") else [])
    formats = [f"-f={name}:{'d' * len(labels)}" for name in "AB"]
    cpu = [] if random.random() < 0.6 else ["-cpu=" + random.choice(["x86-64-v2", "x86-64-v3"])]
    threads = random.choice([1, 2, 5])
    harness.run_tool(statement, *inputs, "-o=B:B.result.npy", *formats, f"-t=A:{word}",
                     f"-t=B:{word}", f"-threads={threads}", *cpu, "-quiet", folder=folder)
    result = numpy.load(folder / "B.result.npy").reshape(expected.shape)
    if result.dtype != kind or not numpy.array_equal(result, expected):
        raise Failure(f"{statement} with {sizes}, {word}, {threads} threads, {cpu}: "
                      f"{numpy.count_nonzero(result != expected)} of {result.size} values differ")


harness.main([(f"drawn {number}", lambda folder, number=number: check_drawn(number, folder))
              for number in range(DRAWN)])
