"""The contractions of NWChem's coupled-cluster code: what it takes to compile each, and whether results
are those of numpy.einsum."""

import csv
import json
import statistics
import subprocess

import numpy

DRAWN = 500
TOGETHER = 50  # contractions of one program
MOST = 2e5  # products of one


def published(run):
    """The Einstein sums of all rows, but those with a label that no operand has; none without the
    data."""
    table = run.files("expressions/nwchem_tce_contractions.tsv")
    if not table:
        return []
    with open(table[0]) as file:
        sums = [row["einsum"] for row in csv.DictReader(file, delimiter="\t")]
    return [one for one in sums if set(one.split("->")[1]) <= set(one.split("->")[0])]


class Contraction:
    """One with sizes of its own, and labels and tensors with names of its own."""

    def __init__(self, number, einsum, random):
        self.number, self.einsum = number, einsum
        operands, self.result = einsum.split("->")
        self.operands = operands.split(",")
        self.sizes = {label: 0 for label in "".join(self.operands)}
        largest = MOST ** (1 / max(len(self.sizes), 1))
        for label in self.sizes:
            self.sizes[label] = int(random.integers(2, max(min(largest, 12), 3) + 1))
        self.arrays = [
            random.uniform(-1, 1, [self.sizes[label] for label in own]) for own in self.operands
        ]

    def expected(self):
        return numpy.einsum(self.einsum, *self.arrays)

    def access(self, name, labels):
        own = ", ".join(f"{label}{self.number}" for label in labels)
        return f"{name}{self.number}" + (f"[{own}]" if labels else "")

    def lines(self, folder):
        """Declarations and the statement. A scalar is a variable."""
        lines = [
            f"IndexLabel [{label}{self.number}] = [{size}];" for label, size in self.sizes.items()
        ]
        names = "ABC"[: len(self.operands)]
        for name, labels, array in zip(names, self.operands, self.arrays):
            if not labels:
                lines.append(f"var {name}{self.number} = {float(array)!r};")
                continue
            numpy.save(folder / f"{name}{self.number}.npy", array)
            own = ", ".join(f"{label}{self.number}" for label in labels)
            lines.append(f"Tensor<double> {name}{self.number}([{own}], Dense);")
            lines.append(f'{self.access(name, labels)} = read("{name}{self.number}.npy");')
        product = " * ".join(map(self.access, names, self.operands))
        if not self.result:
            summed = product if not any(self.operands) else f"SUM({product})"
            return lines + [f"var R{self.number} = {summed};", f"print(R{self.number});"]
        own = ", ".join(f"{label}{self.number}" for label in self.result)
        return lines + [
            f"Tensor<double> R{self.number}([{own}], Dense);",
            f"{self.access('R', self.result)} = {product};",
            f'write(R{self.number}, "R{self.number}.npy");',
        ]

    def found(self, folder, report):
        if self.result:
            return numpy.load(folder / f"R{self.number}.npy")
        name = f"R{self.number}"
        (printed,) = (one for one in report["printed"] if one["name"] == name)
        return numpy.array(printed["values"][0], float)


def compiled(run, contractions):
    """Milliseconds that each kernel takes to compile, and its statement, after results have been
    compared."""
    file = run.folder / "coupled.ta"
    lines = [line for one in contractions for line in one.lines(run.folder)]
    file.write_text("def main() {\n  " + "\n  ".join(lines) + "\n}\n")
    ended = subprocess.run(
        [run.program("strata"), "run", "--json", "--quiet", "--no-cache", "--threads=1", file],
        stdout=subprocess.PIPE,
        check=True,
        cwd=run.folder,
    )
    report = json.loads(ended.stdout)
    for one in contractions:
        found, expected = one.found(run.folder, report), one.expected()
        if not numpy.allclose(found.reshape(expected.shape), expected, rtol=1e-10, atol=1e-10):
            raise SystemExit(f"{one.einsum} with {one.sizes}: the results differ")
    return [
        (step["seconds"]["compile"] * 1e3, step["what"])
        for step in report["steps"]
        if step["compile"]["kernels"] and not step["what"].startswith("var A")
    ]


def against_numpy(run):
    """Each different contraction once, and some that are drawn from all, with sizes of their own."""
    everything = published(run)
    if not everything:
        print("skipped: no contractions of NWChem (STRATA_DATA)")
        return
    random = numpy.random.default_rng(1)
    different = list(dict.fromkeys(everything))
    drawn = [everything[at] for at in random.choice(len(everything), DRAWN, replace=False)]
    chosen = different[::16] if run.quick else different + drawn
    contractions = [Contraction(number, one, random) for number, one in enumerate(chosen)]
    times = []
    for at in range(0, len(contractions), TOGETHER):
        times += compiled(run, contractions[at : at + TOGETHER])
    milliseconds = [time for time, _ in times]
    median, most = statistics.median(milliseconds), max(times)
    print(
        f"\n{len(everything)} contractions of coupled-cluster methods, {len(different)} different "
        f"ones; {len(contractions)} compiled and compared with numpy.einsum\n"
        f"  milliseconds to compile one of {len(times)} kernels: {median:.1f} in the "
        f"median, {most[0]:.1f} at most ({most[1]})"
    )
    run.add(
        "dense",
        kind="coupled-cluster",
        contractions=len(contractions),
        median=median,
        most=most[0],
    )
    run.goal("dense, coupled-cluster contractions: milliseconds to compile", most, 60)
