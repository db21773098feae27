"""Iteration graphs and merge lattices in SVG, against the loops that the stage lvl prints.

What is drawn is counted in the parsed XML: loops, the levels that they bind, and the points of
their lattices. The same is counted in the text of the kernel's lvl form.
"""
import itertools
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

TOOL = os.environ.get("STRATA", "strata")
SVG = "{http://www.w3.org/2000/svg}"

# Statements and options; the result is dense where not given.
CASES = [
    ["y(i) = A(i,j) * x(j)", "-f=A:CSR"],
    ["y(i) = A(i,j) * x(j)", "-f=A:CSC"],
    ["y(i) = A(i,j) * x(j)", "-f=A:COO"],
    ["s = a(i) * b(i)", "-f=a:s", "-f=b:s"],
    ["y(i) = a(i) + b(i)", "-f=a:s", "-f=b:d"],
    ["y(i) = a(i) + b(i) + c(i)", "-f=a:s", "-f=b:s", "-f=c:s", "-f=y:s"],
    ["y(i) = a(i) * b(i) + c(i) * d(i)", "-f=a:s", "-f=b:s", "-f=c:s", "-f=d:s", "-f=y:s"],
    ["D(i,j) = A(i,j) + B(i,j) * C(i,j)", "-f=A:CSR", "-f=B:CSR", "-f=C:CSR", "-f=D:CSR"],
    ["C(i,j) = A(i,k) * B(k,j)", "-f=A:CSR", "-f=B:CSR", "-f=C:CSR"],
    ["C(i,j) = A(i,j) * B(i,j)", "-f=A:DCSR", "-f=B:DCSR", "-f=C:DCSR"],
    ["A(i,l) = B(i,j,k) * C(j,l) * D(k,l)", "-f=B:sss"],
    ["Y(i,j) = S(i,j) * U(i,k) * V(j,k)", "-f=S:CSR", "-f=Y:CSR"],
    ["y(i) = A(i,j) * x(j)", "-f=A:BCSR"],
    ["y(i) = A(i,j) * x(j)", "-f=A:DIA"],
    ["y(i) = A(i,j) * A(j,i)", "-f=A:CSR"],
    ["y(i) = max(a(i), b(i)) - sqrt(c(i))", "-f=a:s", "-f=b:s", "-f=c:s"],
    ["s = 3"],
]


def emitted(stage, case, *more):
    process = subprocess.run([TOOL, "emit", "--stage=" + stage, "--quiet", *case, *more],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    if process.returncode:
        sys.exit(f"{case}: strata emit --stage={stage} ended with {process.returncode}: {process.stderr}")
    return process.stdout


def drawn(stage, case):
    """The parsed picture: nothing in it refers to another document."""
    text = emitted(stage, case, "--svg")
    for what in ("href", "url(", "<script", "<image", "@import"):
        assert what not in text, f"{case}: the picture has {what}"
    root = ElementTree.fromstring(text)
    assert root.tag == SVG + "svg"
    return root


def groups(root, name):
    return [group for group in root.iter(SVG + "g") if group.get("class") == name]


def paths(root, name):
    return [path for path in root.iter(SVG + "path") if path.get("class") == name]


def cases_of(loop):
    """The cases of a line with lvl.coiterate and of those behind it, as lists of numbers."""
    return [tuple(int(n) for n in re.findall(r"\d+", text)) for text in re.findall(r"case \[([\d, ]*)\]", loop)]


def loops_of(lvl):
    """Each loop of a kernel: the lines of its first case without those of loops inside, and its cases.

    Lines are told apart by their indentation, which grows by two in each region.
    """
    lines = lvl.splitlines()
    for number, line in enumerate(lines):
        if "lvl.coiterate" not in line:
            continue
        depth = len(line) - len(line.lstrip())
        behind = list(itertools.takewhile(
            lambda text: len(text) - len(text.lstrip()) > depth or text.lstrip().startswith("} case"),
            lines[number + 1:]))
        own = cases_of(line) + [case for text in behind
                                if text.startswith(" " * depth + "} case") for case in cases_of(text)]
        yield own


def check_graph(case, lvl):
    root = drawn("graph", case)
    loops = list(loops_of(lvl))
    if all(len(cases) == 1 for cases in loops[:-1]):  # else inner loops stand in every case
        assert len(groups(root, "loop")) == len(loops), f"{case}: loops"
        # Of the last loop, the first case has all; the others are left out.
        line = lvl[lvl.rfind("\n", 0, lvl.rfind("lvl.coiterate")) + 1:]
        margin = "\n" + " " * (len(line) - len(line.lstrip()))
        first = re.sub(re.escape(margin + "} case") + r".*?" + re.escape(margin + "}\n"), "\n", lvl, flags=re.DOTALL)
        edges = {kind: len(re.findall(expression, first)) for kind, expression in {
            "level walked": r"(%\w+) = lvl\.iterator",
            "level located": r"(%\w+), %\w+ = lvl\.locate",
            "level inserted": r"%\w+, (%\w+) = lvl\.insert"}.items()}
        for kind, count in edges.items():
            found = len(paths(root, kind))
            # Accesses to one place are drawn once.
            assert (found == count) or (0 < found < count and "A(j,i)" in case[0]), \
                f"{case}: {found} edges '{kind}', {count} in the kernel"
    names = {text.text for text in root.iter(SVG + "text")}
    for tensor in set(re.findall(r"[A-Za-z]\w*(?=\()", case[0])) - {"max", "sqrt"}:
        assert tensor in names, f"{case}: there is no column of {tensor}"


def check_lattice(case, lvl):
    root = drawn("lattice", case)
    loops = list(loops_of(lvl))
    panels = groups(root, "lattice")
    if any(len(cases) > 1 for cases in loops[:-1]) or "predicates" in lvl:
        return
    assert len(panels) == len(loops), f"{case}: panels"
    for panel, cases in zip(panels, loops):
        assert len(groups(panel, "point")) == len(cases), f"{case}: points"
        sets = [frozenset(one) for one in cases]
        covers = sum(a > b and not any(a > c > b for c in sets) for a in sets for b in sets)
        # Those that cover no other lead to the empty set, where there is one.
        least = sum(not any(b < a for b in sets) for a in sets) if groups(panel, "nothing") else 0
        assert len(paths(panel, "covers")) == covers + least, f"{case}: edges between points"


def check_layout(case):
    """No text lies outside of the picture, and boxes of one lattice do not overlap."""
    for stage in ("graph", "lattice"):
        root = drawn(stage, case)
        width, height = float(root.get("width")), float(root.get("height"))
        for group in root.iter(SVG + "g"):
            shift = [float(n) for n in re.findall(r"[\d.-]+", group.get("transform", ""))] or [0, 0]
            boxes = []
            for box in (child for point in group for child in point if point.get("class") == "point"):
                if box.tag == SVG + "rect":
                    x, y, w, h = (float(box.get(key)) for key in ("x", "y", "width", "height"))
                    assert 0 <= x + shift[0] and x + shift[0] + w <= width, f"{case}: a box is outside"
                    assert 0 <= y + shift[1] and y + shift[1] + h <= height, f"{case}: a box is outside"
                    boxes.append((x, y, x + w, y + h))
            for a, b in itertools.combinations(boxes, 2):
                assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], f"{case}: boxes overlap"


def check_program():
    """A program's kernels follow each other in one picture."""
    example = os.path.join(os.environ.get("STRATA_SOURCE", "."), "examples", "formats.ta")
    kernels = emitted("lvl", [example]).count("func.func @")
    assert kernels > 1 and len(groups(drawn("graph", [example]), "kernel")) == kernels


def check_refusals():
    process = subprocess.run([TOOL, "emit", "--stage=asm", "--svg", *CASES[0]], stderr=subprocess.PIPE,
                             text=True, timeout=60)
    assert process.returncode == 2 and "there is no picture of the stage 'asm'" in process.stderr


for one in CASES:
    kernel = emitted("lvl", one)
    check_graph(one, kernel)
    check_lattice(one, kernel)
    check_layout(one)
check_program()
check_refusals()
print(f"{len(CASES)} statements drawn")
