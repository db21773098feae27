"""Contractions on modelled accelerators: those of TCCG with COMET's case study (Mutlu and others, LCPC
2020, section 8): python3 accelerators.py [--build FOLDER] [--share N] [--accelerator FILE...]
[--clocks MHZ,...] [--svg FILE] [--json FILE].

Models the 30 contractions that the paper measures, with their reference sizes, and runs them here on
one thread (with --share=2, at half of the sizes where there are more than ten billion products). Draws
their speeds, for each clock: a solid line for this machine, by its processor time, a dashed one for
each accelerator.
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy

import kernels

SOURCE = pathlib.Path(__file__).resolve().parents[1]

# The order of the paper: tensors and matrices, integrals, coupled clusters. Sizes are those of
# TCCG's reference, of labels in its order, whose first one is the fastest.
CONTRACTIONS = """
abc-bda-dc a:312;c:24;b:312;d:312
abc-dca-bd a:312;c:296;b:24;d:312
abcd-dbea-ec a:72;c:24;b:72;e:72;d:72
abcd-deca-be a:72;c:72;b:24;e:72;d:72
abcd-ebad-ce a:72;c:24;b:72;e:72;d:72
abcde-efbad-cf a:48;c:24;b:32;e:48;d:32;f:32
abcde-ecbfa-fd a:48;c:32;b:32;e:48;d:24;f:48
abcde-efcad-bf a:48;c:32;b:24;e:48;d:32;f:32
abcd-ea-ebcd a:72;c:72;b:72;e:72;d:72
abcd-eb-aecd a:72;c:72;b:72;e:72;d:72
abcd-ec-abed a:72;c:72;b:72;e:72;d:72
ab-ac-cb a:5136;c:5136;b:5120
ab-acd-dbc a:312;c:296;b:296;d:312
ab-cad-dcb a:312;c:312;b:296;d:312
abc-acd-db a:312;c:296;b:296;d:312
abc-ad-bdc a:312;c:296;b:312;d:296
abc-adc-bd a:312;c:296;b:312;d:296
abc-adc-db a:312;c:296;b:296;d:312
abc-adec-ebd a:72;c:72;b:72;e:72;d:72
abcd-aebf-dfce a:72;c:72;b:72;e:72;d:72;f:72
abcd-aebf-fdec a:72;c:72;b:72;e:72;d:72;f:72
abcd-aecf-bfde a:72;c:72;b:72;e:72;d:72;f:72
abcd-aecf-fbed a:72;c:72;b:72;e:72;d:72;f:72
abcd-aedf-bfce a:72;c:72;b:72;e:72;d:72;f:72
abcd-aedf-fbec a:72;c:72;b:72;e:72;d:72;f:72
abcd-aefb-fdce a:72;c:72;b:72;e:72;d:72;f:72
abcd-aefc-fbed a:72;c:72;b:72;e:72;d:72;f:72
abcd-eafb-fdec a:72;c:72;b:72;e:72;d:72;f:72
abcd-eafc-bfde a:72;c:72;b:72;e:72;d:72;f:72
abcd-eafd-fbec a:72;c:72;b:72;e:72;d:72;f:72
""".split("\n")[1:-1]


class Contraction:
    def __init__(self, number, line, share):
        self.name, sizes = line.split()
        # Strata's last label is the fastest.
        self.result, self.left, self.right = (labels[::-1] for labels in self.name.split("-"))
        self.sizes = {pair[0]: int(pair[2:]) for pair in sizes.split(";")}
        summed = set(self.left) - set(self.result)
        self.product = "x".join(str(math.prod(self.shape(labels))) for labels in (
            set(self.left) - summed, set(self.right) - summed, summed))
        if self.products() > 1e10:
            self.sizes = {label: max(size // share, 1) for label, size in self.sizes.items()}
        self.number = number

    def products(self):
        return math.prod(self.sizes.values())

    def shape(self, labels):
        return tuple(self.sizes[label] for label in labels)

    def program(self):
        lines = [f"IndexLabel [{label}] = [{size}];" for label, size in self.sizes.items()]
        access = {name: ", ".join(labels)
                  for name, labels in (("C", self.result), ("A", self.left), ("B", self.right))}
        lines += [f"Tensor<double> {name}([{labels}], Dense);" for name, labels in access.items()]
        lines += [f"{name}[{access[name]}] = 1.0;" for name in "AB"]
        lines.append(f"C[{access['C']}] = A[{access['A']}] * B[{access['B']}];")
        return "def main() {\n  " + "\n  ".join(lines) + "\n}\n"


class Place:
    """What kernels.build asks for."""

    def __init__(self, build, folder):
        self.build, self.folder = pathlib.Path(build).resolve(), pathlib.Path(folder)

    def program(self, name):
        return str(self.build / "bin" / name)


def extents(place, name):
    """The labels whose sizes the kernel of a program takes."""
    header = subprocess.run([place.program("strata"), "emit", "--stage=header",
                             place.folder / f"{name}.ta"], stdout=subprocess.PIPE, text=True,
                            check=True).stdout
    return re.search(r"Extents: of (.*)", header).group(1).split(", ")


def native(contraction, place):
    """GFLOP/s of processor time, in the best of two calls; of a long contraction, in one."""
    name = f"contraction{contraction.number}"
    library = kernels.build(place, name, contraction.program())
    left, right = (kernels.aligned(numpy.ones(contraction.shape(labels)))
                   for labels in (contraction.left, contraction.right))
    call = library.call("C", kernels.storage(contraction.shape(contraction.result),
                                             [numpy.empty(0)]),
                        [kernels.storage(array.shape, [array]) for array in (left, right)],
                        contraction.shape(extents(place, name)))
    best = math.inf
    for _ in range(2 if contraction.products() < 1e10 else 1):
        begin = time.process_time()
        call.run()
        best = min(best, time.process_time() - begin)
    expected = math.prod(contraction.shape(set(contraction.left) - set(contraction.result)))
    if not numpy.all(call.values(0) == expected):
        sys.exit(f"{contraction.name}: not {expected} everywhere")
    call.drop()
    return 2 * contraction.products() / best / 1e9


def modelled(contractions, options, place):
    """GFLOP/s of each contraction on each accelerator, and all figures."""
    command = [place.program("strata"), "explore", "--json", "--quiet", "--threads=1", "--by=mean",
               f"--over=clock={options.clocks}"]
    command += [f"--product={contraction.product}" for contraction in contractions]
    command += [f"--accelerator={file}" for file in options.accelerator]
    command += [f"--machine={options.machine}"] if options.machine else []
    report = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    rows = [{one["name"]: one["statements"][at]["gflops"] for one in report["accelerators"]}
            for at in range(len(contractions))]
    return rows, report


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


class Chart:
    """Speeds of contractions: lines over their numbers, in a logarithmic scale; a panel for each
    clock."""
    COLOURS = ("#3a3a3a", "#1b6ca8", "#d1495b", "#3d8b37", "#8f5ba8", "#b07d12")
    LEFT, TOP, STEP, HEIGHT, GAP, NAMES, KEY = 60, 40, 24, 240, 40, 100, 150

    def __init__(self, names, table, clocks):
        self.names, self.table, self.clocks = names, table, clocks
        values = [value for row in table for value in row.values()]
        self.low, self.high = min(values) / 1.3, max(values) * 1.3
        self.right = self.LEFT + self.STEP * len(names)

    def x(self, at):
        return self.LEFT + self.STEP * (at + 0.5)

    def y(self, value, top):
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return top + self.HEIGHT * (1 - share)

    def grid(self, top):
        for power in range(-3, 6):
            for digit in (1, 2, 5):
                mark = digit * 10.0**power
                if self.low <= mark <= self.high:
                    y = self.y(mark, top)
                    yield (f'<line x1="{self.LEFT}" y1="{y:.1f}" x2="{self.right}" y2="{y:.1f}" '
                           f'stroke="#dddddd"/><text x="{self.LEFT - 6}" y="{y + 4:.1f}" '
                           f'text-anchor="end">{mark:g}</text>')

    def panel(self, clock, top):
        yield f'<text x="{self.LEFT}" y="{top - 8}" font-size="12">at {clock} MHz</text>'
        yield from self.grid(top)
        suffix = f" clock={clock}"
        series = ["this machine"] + [name for name in self.table[0] if name.endswith(suffix)]
        for number, name in enumerate(series):
            style = f'stroke="{self.COLOURS[number % len(self.COLOURS)]}" stroke-width="1.5"'
            style += ' stroke-dasharray="5 3"' if number else ""
            points = " ".join(f"{self.x(at):.1f},{self.y(row[name], top):.1f}"
                              for at, row in enumerate(self.table) if name in row)
            y = top + 16 * number + 8
            yield (f'<polyline points="{points}" fill="none" {style}/>'
                   f'<line x1="{self.right + 8}" y1="{y}" x2="{self.right + 32}" y2="{y}" {style}/>'
                   f'<text x="{self.right + 38}" y="{y + 4}">{name.removesuffix(suffix)}</text>')

    def svg(self):
        tops = [self.TOP + 20 + number * (self.HEIGHT + self.GAP)
                for number in range(len(self.clocks))]
        bottom = tops[-1] + self.HEIGHT
        out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.right + self.KEY}" '
               f'height="{bottom + self.NAMES}" font-family="sans-serif" font-size="11">',
               '<rect width="100%" height="100%" fill="white"/>',
               f'<text x="{self.LEFT}" y="20" font-size="13">GFLOP/s of 30 contractions: measured '
               '(solid), on modelled accelerators (dashed)</text>']
        for clock, top in zip(self.clocks, tops):
            out += self.panel(clock, top)
        for at, name in enumerate(self.names):
            out.append(f'<text transform="translate({self.x(at) - 4:.1f} {bottom + 10}) rotate(90)" '
                       f'font-size="10">{name}</text>')
        return "\n".join(out + ["</svg>"]) + "\n"


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=SOURCE / "build", help="the build folder")
    parser.add_argument("--share", type=int, default=1, help="divides sizes of long contractions")
    parser.add_argument("--accelerator", action="append", metavar="FILE",
                        help="accelerators/gemm16.toml, gemm64.toml and gemm256.toml where not given")
    parser.add_argument("--clocks", default="100,312", metavar="MHZ,...")
    parser.add_argument("--machine", metavar="FILE")
    parser.add_argument("--svg", metavar="FILE")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    options.accelerator = options.accelerator or [
        SOURCE / f"accelerators/gemm{size}.toml" for size in (16, 64, 256)]
    return options


def main():
    options = parse()
    contractions = [Contraction(number, line, options.share)
                    for number, line in enumerate(CONTRACTIONS)]
    table = []
    with tempfile.TemporaryDirectory() as folder:
        place = Place(options.build, folder)
        rows, report = modelled(contractions, options, place)
        print(" " * 16 + "".join(f"{name:>26}" for name in ["this machine", *rows[0]]))
        for contraction, row in zip(contractions, rows):
            table.append({"this machine": native(contraction, place), **row})
            print(f"{contraction.name:16}" +
                  "".join(f"{value:26.2f}" for value in table[-1].values()), flush=True)
    means = {name: mean([row[name] for row in table]) for name in table[0]}
    print(f"{'geometric mean':16}" + "".join(f"{value:26.2f}" for value in means.values()))
    for clock in options.clocks.split(","):
        of_clock = {name: value for name, value in means.items() if name.endswith(f"clock={clock}")}
        print(f"the best accelerator by the mean: {max(of_clock, key=of_clock.get)}")
    if options.svg:
        names = [contraction.name for contraction in contractions]
        pathlib.Path(options.svg).write_text(Chart(names, table, options.clocks.split(",")).svg())
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"gflops": dict(zip(map(str, range(30)), table)), "modelled": report}, indent=1) + "\n")


if __name__ == "__main__":
    main()
