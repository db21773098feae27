"""The order in which products of several tensors are multiplied: no other takes fewer operations, as a
search through all trees says that shares nothing with the compiler's, for drawn products and for those of
NWChem's coupled-cluster methods in Table 1 of COMET's paper on dense tensors (002, table 1). Of products
with sparse tensors no other groups of the dense ones do; dense ones that are wanted at the entries of a
sparse one alone are multiplied there. Results are compared with the definition, also
where the written order is asked for.
"""
import functools
import itertools
import os
import re

import numpy

import harness
from harness import Failure

DRAWN = 200 if os.environ.get("STRATA_LONG") else 25
LETTERS = "abcdefgh"

# The printed text has lost some commas and indices, which the others of a row determine.
TABLE = """cdmn inad mc
dcmn inad mc
cdmn id na mc
dcmn id na mc
mnej ei am bn
mnfe ei fn abmj
mnef am fn ebij
mnef bm fn eaji
nmef am fn ebij
nmef bm fn eaji
mnef ei fn abmj
mnef ej fn bami
mnfe ej fn bami""".splitlines()
OCCUPIED = "ijmn"
SAMPLED = "a product that is wanted only where"
MATRICES = ("CSR", "COO", "BCSR:4x4", "DIA")


def free_labels(factors):
    """Those of one factor."""
    labels = "".join(factors)
    return "".join(sorted(label for label in set(labels) if labels.count(label) == 1))


def groupings(members):
    """All ways to put them in groups."""
    if not members:
        yield []
        return
    first, others = members[0], members[1:]
    for rest in groupings(others):
        yield [(first,), *rest]
        for at, group in enumerate(rest):
            yield [*rest[:at], (first, *group), *rest[at + 1:]]


class Product:
    def __init__(self, factors, result, sizes, sparse=None, shares=None):
        self.factors, self.result, self.sizes = tuple(factors), result, sizes
        self.sparse = sparse or {}  # the formats of those factors, by their numbers
        self.shares = shares or {at: self.share(at) for at in self.sparse}

    def share(self, at):
        """What a sparse factor stores: lists have 8 entries, matrices by rows, of blocks, and of diagonals
        8 for each row."""
        own = self.factors[at]
        entries = 8 * (1 if self.sparse[at] in ("SparseVector", "COO") else self.sizes[own[0]])
        return min(1.0, entries / self.size_of(own))

    def density(self):
        return float(numpy.prod(list(self.shares.values())))

    def least_around_sparse(self):
        """With the labels that a sparse factor alone has summed first, where that leaves two fifths."""
        product, operations = self, 0.0
        for at in sorted(self.sparse):
            kept = "".join(label for label in self.factors[at] if label in self.visible((at,)))
            if kept == self.factors[at]:
                continue
            stored = self.shares[at] * self.size_of(self.factors[at])
            factors = [kept if other == at else own for other, own in enumerate(product.factors)]
            shares = {**product.shares, at: min(1.0, stored / self.size_of(kept))}
            fewer = Product(factors, self.result, self.sizes, self.sparse, shares)
            if stored + fewer.at_once() <= 0.4 * product.at_once():
                product, operations = fewer, operations + stored
        return operations + product.least_in_groups()

    def least_in_groups(self):
        best, everything = float("inf"), tuple(range(len(self.factors)))
        dense = tuple(at for at in everything if at not in self.sparse)
        for groups in groupings(dense):
            labels = set("".join(self.factors[at] for at in self.sparse))
            labels.update(*(self.visible(group) for group in groups))
            last = self.size_of(labels) * self.density() * (len(self.sparse) + len(groups) - 1)
            best = min(best, last + sum(self.least(group) for group in groups))
        return best

    def size_of(self, labels):
        return float(numpy.prod([float(self.sizes[label]) for label in labels]))

    def visible(self, inside):
        """The labels of some factors that others, or the result, have as well."""
        outside = [labels for at, labels in enumerate(self.factors) if at not in inside]
        own = set().union(*(self.factors[at] for at in inside))
        return frozenset(own & set(self.result).union(*outside))

    def one(self, at):
        own = set(self.factors[at])
        return 0 if self.visible((at,)) == own else self.size_of(own)

    def joined(self, first, second):
        return self.size_of(self.visible(first) | self.visible(second))

    @functools.lru_cache(maxsize=None)
    def least(self, inside):
        if len(inside) == 1:
            return self.one(inside[0])
        best = float("inf")
        for count in range(1, len(inside) // 2 + 1):
            for first in itertools.combinations(inside, count):
                second = tuple(at for at in inside if at not in first)
                best = min(best, self.least(first) + self.least(second)
                           + self.joined(first, second))
        return best

    def from_left(self):
        operations = self.one(0)
        for at in range(1, len(self.factors)):
            operations += self.one(at) + self.joined(tuple(range(at)), (at,))
        return operations

    def at_once(self):
        return (self.size_of(set("".join(self.factors))) * self.density()
                * (len(self.factors) - 1))

    def program(self):
        labels = sorted(set("".join(self.factors)))

        def access(name, own):
            return f"{name}[{', '.join(own)}]"
        names = [f"F{at}" for at in range(len(self.factors))]
        lines = [f"IndexLabel [{label}] = [{self.sizes[label]}];" for label in labels]
        lines += [f"Tensor<double> {name}([{', '.join(own)}], {self.sparse.get(at, 'Dense')});"
                  for at, (name, own) in enumerate(zip([*names, "R"], [*self.factors, self.result]))]
        lines += [f"{access(name, own)} = random({f'{at}, 0.3' if at in self.sparse else ''});"
                  for at, (name, own) in enumerate(zip(names, self.factors))]
        product = " * ".join(access(name, own) for name, own in zip(names, self.factors))
        lines.append(f"{access('R', self.result)} = {product};")
        return "def main() {\n  " + "\n  ".join(lines) + "\n}\n"


def in_words(operations):
    for least, word in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if operations >= least:
            return f"{operations / least:.1f} {word}"
    return f"{operations:.0f}"


def compare(product, folder):
    """The gain of the compiler's order over the written one."""
    (folder / "product.ta").write_text(product.program())
    everything = tuple(range(len(product.factors)))
    least, written = product.least(everything), product.from_left()
    worthwhile = product.at_once() >= 4096 and least <= 0.8 * product.at_once()
    for options in ([], ["--forbid=grouping"]):
        ended = harness.result_of("run", "product.ta", "--check", *options, folder=folder)
        text = ended.stdout + ended.stderr
        if ended.returncode or not re.search("they agree|it agrees", text):
            raise Failure(f"{product.program()}{text[-600:]}")
        said = re.search(r"takes (.*) multiplications, from left to right (.*), all at once (.*)", text)
        if bool(said) != (worthwhile or bool(options) and product.at_once() >= 4096):
            raise Failure(f"{product.program()}at least {least}, at once {product.at_once()}: {text}")
        if not said:
            continue
        # Factors without summed labels stand behind the others, so that those are the left ones.
        chosen, from_left, at_once = said.groups()
        if chosen != (from_left if options else in_words(least)) or at_once != in_words(product.at_once()):
            raise Failure(f"{product.program()}{said.groups()}, least {least}")
    return f"{written / least:.1f} times fewer operations than from left to right"


def check_drawn(number, folder):
    random = numpy.random.default_rng(number)
    labels = LETTERS[:random.integers(3, len(LETTERS) + 1)]
    factors = ["".join(random.permutation(list(labels))[:random.integers(1, 4)])
               for _ in range(random.integers(3, 7))]
    used = sorted(set("".join(factors)))
    kept = [label for label in used if random.random() < 0.4]
    if len(kept) == len(used):
        kept = kept[1:]
    sizes = {label: int(random.integers(1, 9)) for label in used}
    return compare(Product(factors, "".join(random.permutation(kept)), sizes), folder)


def check_sparse(number, folder):
    random = numpy.random.default_rng(1000 + number)
    labels = LETTERS[:random.integers(3, 6)]
    count = random.integers(3, 6)
    factors = ["".join(random.permutation(list(labels))[:random.integers(1, 3)])
               for _ in range(count)]
    used = sorted(set("".join(factors)))
    kept = [label for label in used if random.random() < 0.4][:len(used) - 1]
    sizes = {label: int(random.integers(1, 20)) for label in used}
    sparse = {at: "SparseVector" if len(factors[at]) == 1 else str(random.choice(MATRICES))
              for at in random.permutation(count)[:random.integers(1, 3)].tolist()}
    product = Product(factors, "".join(random.permutation(kept)), sizes, sparse)
    (folder / "product.ta").write_text(product.program())
    least, at_once = product.least_around_sparse(), product.at_once()
    ended = harness.result_of("run", "product.ta", "--check", folder=folder)
    text = ended.stdout + ended.stderr
    if ended.returncode or not re.search("they agree|it agrees", text):
        raise Failure(f"{product.program()}{text[-600:]}")
    if SAMPLED in text:  # which takes fewer operations than any groups
        return "sampled"
    said = re.search(r"takes (.*) multiplications, all at once ([^,]*),", text)
    if bool(said) != (at_once >= 4096 and least <= 0.4 * at_once):
        raise Failure(f"{product.program()}at least {least}, at once {at_once}: {text}")
    if said and said.groups() != (in_words(least), in_words(at_once)):
        raise Failure(f"{product.program()}{said.groups()}, least {least}, at once {at_once}")
    return f"{at_once / least:.1f} times fewer operations than all at once"


def check_sampled(number, folder):
    """S * A * B, at the entries of S, times another matrix; factors and labels in any order."""
    random = numpy.random.default_rng(2000 + number)
    sizes = {label: int(random.integers(60, 91)) for label in "ij"}
    sizes |= {label: int(random.integers(14, 23)) for label in "kl"}
    factors = ["".join(random.permutation(list(own)))
               for own in ("ij", "ik", "kj", random.choice(["il", "jl"]))]
    factors = [factors[at] for at in random.permutation(4)]
    sparse = {at: str(random.choice([*MATRICES, "CSC", "DCSR"]))
              for at, own in enumerate(factors) if set(own) == set("ij")}
    kept = "jl" if any(set(own) == set("il") for own in factors) else "il"
    product = Product(factors, "".join(random.permutation(list(kept))), sizes, sparse)
    (folder / "product.ta").write_text(product.program())
    ended = harness.result_of("run", "product.ta", "--check", folder=folder)
    text = ended.stdout + ended.stderr
    if ended.returncode or SAMPLED not in text or not re.search("they agree|it agrees", text):
        raise Failure(f"{product.program()}{text[-600:]}")


def check_table(row, folder):
    factors = row.split()
    sizes = {label: 3 if label in OCCUPIED else 7 for label in set("".join(factors))}
    product = Product(factors, free_labels(factors), sizes)
    gain = product.from_left() / product.least(tuple(range(len(factors))))
    # With as many values for all labels of a kind, one of them is written in the best order already.
    if gain < (1 if row == "mnej ei am bn" else 1.2):
        raise Failure(f"{row}: only {gain:.2f} times fewer operations")
    return compare(product, folder)


def cases():
    for row in TABLE:
        yield f"table {row}", lambda folder, row=row: check_table(row, folder)
    for number in range(DRAWN):
        yield f"drawn {number}", lambda folder, number=number: check_drawn(number, folder)
        yield f"sparse {number}", lambda folder, number=number: check_sparse(number, folder)
    for number in range(DRAWN // 5):
        yield f"sampled {number}", lambda folder, number=number: check_sampled(number, folder)


harness.main(list(cases()))
