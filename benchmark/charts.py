"""Draws ratios of a run as pictures: python3 charts.py FIGURES.json FOLDER.

One SVG for each section that compares times with a rival's: a row for each matrix or expression, a
point for each product (a ring with two threads), at how many times as fast as the rival Strata is.
The scale is logarithmic, and the line at 1 is where both are equally fast.
"""
import json
import math
import pathlib
import sys

COLOURS = ("#1b6ca8", "#d1495b", "#3d8b37", "#8f5ba8", "#b07d12", "#3a3a3a")
LEFT, ROW, TOP, WIDTH = 170, 22, 64, 520


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
        ratios = [row[name] for name in ("numpy_ratio", "mkl_ratio") if row.get(name)]
        return row["einsum"], f"largest tensor {row['size']}", min(ratios), several
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
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 30}" '
                 f'height="{height}" font-family="sans-serif" font-size="12">',
                 '<rect width="100%" height="100%" fill="white"/>',
                 f'<text x="{LEFT}" y="18" font-size="14">{escape(self.title)}</text>']
        x = LEFT
        for at, series in enumerate(self.series):
            parts.append(f'<circle cx="{x + 5:.1f}" cy="38" r="4" fill="{COLOURS[at % 6]}"/>'
                         f'<text x="{x + 13:.1f}" y="42" font-size="11">{escape(series)}</text>')
            x += 30 + 6.5 * len(series)
        for mark in self.marks():
            width = 1.6 if mark == 1 else 0.6
            parts.append(f'<line x1="{self.x(mark):.1f}" y1="{TOP}" x2="{self.x(mark):.1f}" '
                         f'y2="{bottom}" stroke="{"#333" if mark == 1 else "#ccc"}" '
                         f'stroke-width="{width}"/>'
                         f'<text x="{self.x(mark):.1f}" y="{bottom + 16}" text-anchor="middle">'
                         f'{mark:g}</text>')
        for at, label in enumerate(self.rows):
            parts.append(f'<text x="{LEFT - 8}" y="{self.y(at) + 4:.1f}" text-anchor="end">'
                         f'{escape(label)}</text>')
        for label, series, value, several in self.points:
            colour = COLOURS[self.series.index(series) % 6]
            fill = f'fill="none" stroke-width="2" stroke="{colour}"' if several else f'fill="{colour}"'
            parts.append(f'<circle cx="{self.x(value):.1f}" cy="{self.y(self.rows.index(label)):.1f}" '
                         f'r="4.5" opacity="0.85" {fill}/>')
        return "\n".join([*parts, "</svg>\n"])


TITLES = {"mkl": "Times as fast as MKL (the better of its two ways), CSR",
          "taco matrices": "Times as fast as the code that TACO makes (the better of its builds)",
          "taco tensors": "Times as fast as the code that TACO makes (the better of its builds)",
          "scipy": "Times as fast as SciPy, the same format on both sides, one thread",
          "eigen": "Times as fast as Eigen, one thread",
          "contractions": "Dense contractions: times as fast as the better of NumPy and MKL"}


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
    return written


def main():
    figures = json.loads(pathlib.Path(sys.argv[1]).read_text())
    for path in draw(figures, pathlib.Path(sys.argv[2])):
        print(path)


if __name__ == "__main__":
    main()
