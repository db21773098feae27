"""Draws ratios of a run as pictures: python3 charts.py FIGURES.json FOLDER.

One SVG for each section that compares times with a rival's: a row for each matrix or expression, a
point for each product (a ring with two threads), at how many times as fast as the rival Strata is.
The scale is logarithmic, and the line at 1 is where both are equally fast. The contractions whose
optimisations were turned on one after the other have a picture of their own.
"""

import json
import math
import pathlib
import sys

COLOURS = ("#1b6ca8", "#d1495b", "#3d8b37", "#8f5ba8", "#b07d12", "#3a3a3a")
LEFT, ROW, TOP, WIDTH = 170, 22, 64, 520
THREADS = "filled: one thread; hollow: two threads"


def times_as_fast(row):
    """Matrix, product, the rival's time by Strata's, whatever the section calls it, and whether there
    are several threads; nothing where there is no such figure."""
    section, several = row["section"], row.get("threads", 1) > 1
    if section == "mkl":
        return row["matrix"], row["product"], min(row["ratio"], row["optimized_ratio"]), several
    if section.startswith("taco"):
        is_whole = "values" not in row["kernel"] or section == "taco tensors"
        return (row["problem"], row["kernel"], row["ratio"], several) if is_whole else None
    if section in ("scipy", "eigen"):
        return row["matrix"], f"{row['product']} {row['format']}", 1 / row["ratio"], several
    if section == "contractions":
        ratios = [
            row[name]
            for name in ("numpy_ratio", "mkl_ratio", "openblas_ratio", "blis_ratio")
            if row.get(name)
        ]
        return row["einsum"], f"largest tensor {row['size']}", min(ratios), several
    if section == "dense" and row["kind"] == "transposes":
        return "".join(map(str, row["permutation"])), row["type"], row["share"], False
    return None


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Chart:
    def __init__(self, title, points):
        self.title = title
        self.rows = list(dict.fromkeys(label for label, *_ in points))
        self.series = list(dict.fromkeys(series for _, series, *_ in points))
        self.points = points
        values = [value for _, _, value, _ in points]
        self.low = min(0.5, min(values) / 1.1)
        self.high = max(2.0, max(values) * 1.1)

    def x(self, value):
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return LEFT + share * WIDTH

    def y(self, row):
        return TOP + ROW * (row + 0.5)

    def marks(self):
        """Powers of two and their halves between, as far as the points reach."""
        exponent = math.ceil(math.log2(self.low))
        while 2.0**exponent <= self.high:
            yield 2.0**exponent
            exponent += 1

    def svg(self):
        bottom = TOP + ROW * len(self.rows)
        height = bottom + 30
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 30}" '
            f'height="{height}" font-family="sans-serif" font-size="12">',
            '<rect width="100%" height="100%" fill="white"/>',
            f'<text x="{LEFT}" y="18" font-size="14">{escape(self.title)}</text>',
        ]
        x = LEFT
        for at, series in enumerate(self.series):
            parts.append(
                f'<circle cx="{x + 5:.1f}" cy="38" r="4" fill="{COLOURS[at % 6]}"/>'
                f'<text x="{x + 13:.1f}" y="42" font-size="11">{escape(series)}</text>'
            )
            x += 30 + 6.5 * len(series)
        if any(several for *_, several in self.points):
            parts.append(
                f'<text x="{LEFT}" y="58" font-size="11" fill="#555">{THREADS}</text>'
            )
        for mark in self.marks():
            width = 1.6 if mark == 1 else 0.6
            parts.append(
                f'<line x1="{self.x(mark):.1f}" y1="{TOP}" x2="{self.x(mark):.1f}" '
                f'y2="{bottom}" stroke="{"#333" if mark == 1 else "#ccc"}" '
                f'stroke-width="{width}"/>'
                f'<text x="{self.x(mark):.1f}" y="{bottom + 16}" text-anchor="middle">'
                f"{mark:g}</text>"
            )
        for at, label in enumerate(self.rows):
            parts.append(
                f'<text x="{LEFT - 8}" y="{self.y(at) + 4:.1f}" text-anchor="end">'
                f"{escape(label)}</text>"
            )
        for label, series, value, several in self.points:
            colour = COLOURS[self.series.index(series) % 6]
            fill = (
                f'fill="none" stroke-width="2" stroke="{colour}"' if several else f'fill="{colour}"'
            )
            parts.append(
                f'<circle cx="{self.x(value):.1f}" cy="{self.y(self.rows.index(label)):.1f}" '
                f'r="4.5" opacity="0.85" {fill}/>'
            )
        return "\n".join([*parts, "</svg>\n"])


class Steps:
    """Speeds of several things, one after the other, each in steps: a dot for each step, joined by a
    line, in a logarithmic scale."""

    def __init__(self, title, steps, table):
        self.title, self.steps, self.table = title, steps, table
        values = [row[step] for _, row in table for step in steps]
        self.low, self.high = min(values) / 1.2, max(values) * 1.2

    def x(self, value):
        return LEFT + math.log(value / self.low) / math.log(self.high / self.low) * WIDTH

    def marks(self):
        for power in range(-3, 5):
            for digit in (1, 2, 5):
                if self.low <= digit * 10.0**power <= self.high:
                    yield digit * 10.0**power

    def svg(self):
        top = TOP + 18 * ((len(self.steps) + 2) // 3)
        bottom = top + ROW * len(self.table)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 30}" '
            f'height="{bottom + 30}" font-family="sans-serif" font-size="12">',
            '<rect width="100%" height="100%" fill="white"/>',
            f'<text x="20" y="18" font-size="14">{escape(self.title)}</text>',
        ]
        for at, step in enumerate(self.steps):
            x, y = LEFT + 180 * (at % 3), 38 + 18 * (at // 3)
            parts.append(
                f'<circle cx="{x}" cy="{y}" r="4" fill="{COLOURS[at % 6]}"/>'
                f'<text x="{x + 8}" y="{y + 4}" font-size="11">{escape(step)}</text>'
            )
        for mark in self.marks():
            parts.append(
                f'<line x1="{self.x(mark):.1f}" y1="{top}" x2="{self.x(mark):.1f}" '
                f'y2="{bottom}" stroke="#ccc" stroke-width="0.6"/>'
                f'<text x="{self.x(mark):.1f}" y="{bottom + 16}" text-anchor="middle">'
                f"{mark:g}</text>"
            )
        for number, (label, row) in enumerate(self.table):
            y = top + ROW * (number + 0.5)
            values = [row[step] for step in self.steps]
            parts.append(
                f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>'
                f'<line x1="{self.x(min(values)):.1f}" y1="{y:.1f}" '
                f'x2="{self.x(max(values)):.1f}" y2="{y:.1f}" stroke="#999"/>'
            )
            parts += [
                f'<circle cx="{self.x(value):.1f}" cy="{y:.1f}" r="4.5" opacity="0.85" '
                f'fill="{COLOURS[at % 6]}"/>'
                for at, value in enumerate(values)
            ]
        return "\n".join([*parts, "</svg>\n"])


def ablation(rows):
    """That of the contractions whose optimisations were turned on one after the other."""
    steps = [name for name in rows[0] if name not in ("section", "kind", "name", "sizes")]
    return Steps(
        "GFLOP/s of contractions, one optimisation after the other",
        steps,
        [(row["name"], row) for row in rows],
    )


TITLES = {
    "mkl": "Times as fast as MKL (the better of its two ways), CSR",
    "taco matrices": "Times as fast as the code that TACO makes (the better of its builds)",
    "taco tensors": "Times as fast as the code that TACO makes (the better of its builds)",
    "scipy": "Times as fast as SciPy, the same format on both sides, one thread",
    "eigen": "Times as fast as Eigen, one thread",
    "dense": "Transposes, as a share of the speed of a copy",
    "contractions": "Dense contractions: times as fast as the best of NumPy and libraries",
}


def draw(figures, folder):
    """Writes the pictures of a run's figures, and gives their names."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for section, title in TITLES.items():
        points = [times_as_fast(row) for row in figures["rows"] if row["section"] == section]
        points = [point for point in points if point]
        if points:
            written.append(folder / f"{section.replace(' ', '-')}.svg")
            written[-1].write_text(Chart(title, points).svg())
    rows = [row for row in figures["rows"] if row.get("kind") == "ablation"]
    if rows:
        written.append(folder / "ablation.svg")
        written[-1].write_text(ablation(rows).svg())
    return written


def main():
    figures = json.loads(pathlib.Path(sys.argv[1]).read_text())
    for path in draw(figures, pathlib.Path(sys.argv[2])):
        print(path)


if __name__ == "__main__":
    main()
