"""Statements that are drawn, with operands for which they are smooth."""

import random

import numpy

import strata as st

SIZES = {"i": 4, "j": 3, "k": 5}
FORMATS = {
    0: ("Dense",),
    1: ("Dense", "SparseVector"),
    2: ("Dense", "CSR", "CSC", "COO", "DCSR", "BCSR:2x2", "ELL", "DIA"),
    3: ("Dense", "CSF", "COO"),
}


class Drawing:
    """A statement of drawn operands, smooth where it is evaluated."""

    FUNCTIONS = tuple("sin tanh exp erf atan square cos expm1 cbrt log1p asinh".split())

    def __init__(self, seed, formats=FORMATS, reductions=("sum", "sum", "max", "min", "prod")):
        self.formats = formats
        self.reductions = reductions
        self.rng = random.Random(seed)
        self.numbers = numpy.random.default_rng(seed)
        self.tensors = {}
        self.labels = "ij" if self.rng.random() < 0.7 else self.rng.choice(["", "i"])
        depth = self.rng.choice([2, 3, 3])
        right = self.expression(depth, self.labels)
        left = f"Y({','.join(self.labels)})" if self.labels else "Y"
        self.text = f"{left} = {self.whole(right)}"

    def whole(self, right):
        """Every label of the left side occurs on the right."""
        missing = [label for label in self.labels if not self.is_used(label)]
        return right + (" * " + self.access("".join(missing)) if missing else "")

    def is_used(self, label):
        return any(label in labels for labels, _ in self.tensors.values())

    def access(self, labels):
        known = [name for name, (own, _) in self.tensors.items() if own == labels]
        if known and self.rng.random() < 0.3:
            return f"{self.rng.choice(known)}({','.join(labels)})" if labels else known[0]
        name = "ABCDEFGH"[len(self.tensors)] if len(self.tensors) < 8 else "A"
        if name in self.tensors:
            labels = self.tensors[name][0]
        else:
            shape = tuple(SIZES[label] for label in labels)
            dense = self.numbers.uniform(0.4, 1.6, shape)
            format = self.rng.choice(self.formats[len(shape)])
            if format != "Dense":
                dense *= self.numbers.random(shape) < 0.6
            self.tensors[name] = labels, st.asarray(dense, format=format)
        return f"{name}({','.join(labels)})" if labels else name

    def subset(self, labels):
        chosen = "".join(label for label in labels if self.rng.random() < 0.75)
        return chosen or labels[:1]

    def expression(self, depth, labels):
        if depth == 0:
            return self.access(self.subset(labels))
        kind = self.rng.randrange(10)

        def inner():
            return self.expression(depth - 1, labels)

        if kind < 3:
            return f"{inner()} * {self.factor(depth - 1, labels)}"
        if kind < 5:
            return f"({inner()} {self.rng.choice('+-')} {inner()})"
        if kind == 5:
            return f"{self.rng.choice(self.FUNCTIONS)}({inner()})"
        if kind == 6:
            return f"({inner()}) / (2 + square({inner()}))"
        if kind == 7:
            how, factor = self.rng.choice(["min", "max"]), self.rng.choice(["0.7", "1.1"])
            return f"{how}({inner()}, {factor} * {inner()})"
        if kind == 8:
            return f"where({inner()} > 0.9, {inner()}, sqrt(1 + square({inner()})))"
        label = next((one for one in "kj" if one not in labels), None)
        if label is None:
            return inner()
        how = self.rng.choice(self.reductions)
        first = self.access(self.rng.choice([label, label + labels]))
        if label not in first.partition("(")[2]:  # of a tensor that is there already
            return first
        return f"{how}({label}, {first} + {self.expression(depth - 1, labels + label)})"

    def factor(self, depth, labels):
        written = self.expression(depth, labels)
        return f"({written})" if any(sign in written for sign in "+-") else written
