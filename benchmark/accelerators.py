"""Contractions on modelled accelerators: those of TCCG with COMET's case study (Mutlu and others, LCPC
2020, section 8): python3 accelerators.py [--build FOLDER] [--share N] [--accelerator FILE...]
[--clocks MHZ,...] [--svg FILE] [--json FILE].

Runs the 30 contractions that the paper measures, with their reference sizes (--share=2 halves each
of more than 100 million products), and draws their speeds, for each clock: a solid line for this
machine, a dashed one for each accelerator.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

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
        self.tensors = self.name.split("-")
        self.sizes = {pair[0]: int(pair[2:]) for pair in sizes.split(";")}
        if math.prod(self.sizes.values()) > 1e8:
            self.sizes = {label: max(size // share, 1) for label, size in self.sizes.items()}
        self.number = number

    def program(self):
        """Operands are released when the function ends. Strata's last label is the fastest."""
        label = {name: f"{name}{self.number}" for name in self.sizes}
        lines = [f"IndexLabel [{label[name]}] = [{size}];" for name, size in self.sizes.items()]
        access = [", ".join(label[name] for name in reversed(tensor)) for tensor in self.tensors]
        for tensor, labels in zip("CAB", access):
            lines.append(f"Tensor<double> {tensor}{self.number}([{labels}], Dense);")
        lines += [f"{tensor}{self.number}[{labels}] = 1.0;"
                  for tensor, labels in zip("AB", access[1:])]
        n = self.number
        lines.append(f"C{n}[{access[0]}] = A{n}[{access[1]}] * B{n}[{access[2]}];")
        return "def main() {\n  " + "\n  ".join(lines) + "\n}\n"


def measure(contraction, options, folder):
    program = pathlib.Path(folder) / f"{contraction.number}.ta"
    program.write_text(contraction.program())
    command = [str(pathlib.Path(options.build) / "bin/strata"), "explore", str(program), "--json",
               "--quiet", f"--threads={options.threads}", f"--repeat={options.repeat}"]
    command += [f"--accelerator={file}" for file in options.accelerator]
    command += [f"--over=clock={options.clocks}"]
    command += [f"--machine={options.machine}"] if options.machine else []
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{contraction.name}: strata explore failed")
    report = json.loads(done.stdout)
    rows = {"this machine": report["accelerators"][0]["statements"][0]["native_gflops"]}
    rows |= {one["name"]: one["statements"][0]["gflops"] for one in report["accelerators"]}
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
                              for at, row in enumerate(self.table))
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
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=2)
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
    table, reports = [], []
    with tempfile.TemporaryDirectory() as folder:
        for contraction in contractions:
            row, report = measure(contraction, options, folder)
            if not table:
                print(" " * 16 + "".join(f"{name:>24}" for name in row))
            print(f"{contraction.name:16}" + "".join(f"{value:24.2f}" for value in row.values()),
                  flush=True)
            table.append(row)
            reports.append(report)
    means = {name: mean([row[name] for row in table]) for name in table[0]}
    print(f"{'geometric mean':16}" + "".join(f"{value:24.2f}" for value in means.values()))
    for clock in options.clocks.split(","):
        of_clock = {name: value for name, value in means.items() if name.endswith(f"clock={clock}")}
        print(f"the best accelerator by the mean: {max(of_clock, key=of_clock.get)}")
    if options.svg:
        names = [contraction.name for contraction in contractions]
        pathlib.Path(options.svg).write_text(Chart(names, table, options.clocks.split(",")).svg())
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(reports, indent=1) + "\n")


if __name__ == "__main__":
    main()
