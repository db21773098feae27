"""Explanations as pages: complete in one file, with the same texts as the other commands print."""
import os
import pathlib
import subprocess
import sys
import tempfile

import document

TOOL = os.environ.get("STRATA", "strata")
SOURCE = pathlib.Path(os.environ.get("STRATA_SOURCE", "."))

CASES = [
    ["y(i) = A(i,j) * x(j)", "-f=A:CSR"],
    ["C(i,j) = A(i,k) * B(k,j)", "-f=A:CSR", "-f=B:CSR", "-f=C:CSR"],
    ["y(i) = a(i) + b(i)", "-f=a:s", "-f=b:s", "-f=y:s"],
    ["A(i,l) = B(i,j,k) * C(j,l) * D(k,l)", "-f=B:sss"],
    ["y(i) = A(i,j) * x(j)", "-f=A:HYB"],
    ["s = a(i) * b(i)"],
    ["B(i,j) = A(i,j)", "-f=A:CSR", "-f=B:CSC"],
]


def strata(*arguments, code=0):
    process = subprocess.run([TOOL, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, encoding="utf-8", timeout=120)
    assert process.returncode == code, f"{arguments}: {process.returncode}: {process.stderr}"
    return process


def page_of(folder, *arguments):
    """The tree of the page, which stands alone, and its size."""
    file = folder / "page.html"
    process = strata("explain", "--quiet", f"--html={file}", *arguments)
    assert process.stdout == "", process.stdout
    text = file.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    root = document.parse(text)
    document.assert_stands_alone(root)
    return root


def without_blanks(text):
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def check_statement(folder, case):
    root = page_of(folder, *case)
    articles = list(root.all("article"))
    if len(articles) > 1:  # a statement for each part of a tensor
        assert all(any(one.all("svg")) or "converted" in one.text() for one in articles)
        return
    (article,) = articles
    titles = [title.text() for title in article.all("h3")]
    assert titles[:2] == ["Tensors", "Plan"], titles
    if strata("explain", "--quiet", *case).stdout.find("depends on how many entries") >= 0:
        return
    for title in ("Loops", "Iteration graph", "Merge lattices", "Code"):
        assert title in titles, f"{case}: {titles}"
    texts = [pre.text() for pre in article.all("pre")]
    # The code is what emit writes.
    for stage in ("c", "asm", "cin"):
        wanted = without_blanks(strata("emit", "--quiet", f"--stage={stage}", *case).stdout)
        shown = [without_blanks("\n".join(line.text() for line in pre.all("span", "line"))
                                if any(pre.all("span", "line")) else pre.text())
                 for pre in article.all("pre")]
        assert wanted in shown, f"{case}: the page lacks the stage {stage}"
    # The loops are those that explain prints.
    explained = strata("explain", "--quiet", *case).stdout
    loops = explained.split("  loops\n")[1]
    first = next(text for text in texts if text.startswith(loops.splitlines()[0].strip()))
    for line in first.splitlines():
        assert f"    {line}\n" in explained, f"{case}: {line}"


def check_orders(folder):
    """Each order of the loops is in the table: the chosen one, and why others cannot be."""
    root = page_of(folder, *CASES[1])
    (table,) = root.all("table", "orders")
    rows = [[cell.text() for cell in row.all("td")] for row in table.all("tr")][1:]
    assert len(rows) == 6 and [row[1] for row in rows].count("chosen") == 1, rows
    assert rows[0][:2] == ["i, k, j", "chosen"]
    assert all(row[3] for row in rows)
    # With sizes, what each takes: the chosen one of two that can run.
    given = ["-g=A:d", "-g=B:d", "-d=i:20", "-d=k:30", "-d=j:40"]
    root = page_of(folder, "C(i,j) = A(i,k) * B(k,j)", *given)
    (table,) = root.all("table", "orders")
    rows = [[cell.text() for cell in row.all("td")] for row in table.all("tr")][1:]
    assert sum(row[1] == "possible" for row in rows) >= 2 and all(row[2] for row in rows if row[1] != "cannot run"), rows


def check_bars(folder):
    """Lines of loops have bars, as deep as the loops are nested."""
    root = page_of(folder, *CASES[0])
    (source,) = root.all("pre", "c")
    lines = {line.text().strip(): line.attributes["class"] for line in source.all("span", "line")}
    assert lines["for (int64_t i = 0; i < n; i++) {"] == "line d1"
    assert lines["for (int64_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {"] == "line d2"
    assert lines["y_vals[i] = value;"] == "line d1"
    assert lines["const int64_t n = extents[0];"] == "line"
    (assembly,) = root.all("pre", "asm")
    kinds = [line.attributes["class"] for line in assembly.all("span", "line")]
    assert any("d2" in kind for kind in kinds) and any("aside" in kind for kind in kinds)


def check_hostile_text(folder):
    """What a program says stays text, whatever it is."""
    program = folder / "hostile.ta"
    program.write_text('# </pre><script>alert("&amp;")</script>\n'
                       "def main() {\n  IndexLabel [i] = [3];\n  Tensor<double> x([i], Dense);\n"
                       '  x[i] = 1; # "><img src=x onerror=alert(1)>\n  var s = SUM(x[i]);\n  print(s);\n}\n',
                       encoding="utf-8")
    root = page_of(folder, program)
    assert '</pre><script>alert("&amp;")</script>' in root.text()
    root = page_of(folder, "y(i) = a(i) * 2 # <b onclick='x'>&lt;")
    assert "<b onclick='x'>&lt;" in root.text()


def check_programs(folder):
    root = page_of(folder, SOURCE / "examples" / "formats.ta")
    kernels = strata("emit", "--quiet", "--stage=lvl", SOURCE / "examples" / "formats.ta").stdout.count("func.func @")
    assert len(list(root.all("article"))) >= kernels > 1


def check_pieces(folder):
    """Each placement is drawn once, on two cells: nodes on the colours of theirs, and the arrays of both."""
    root = page_of(folder, "--grid", SOURCE / "examples" / "spmv-ranks.ta",
                   "-D", f"file={SOURCE / 'examples' / 'data' / 'matrix.mtx'}")
    pictures = [details for details in root.all("details") if any(details.all("rect", "shade"))]
    titles = [next(details.all("summary")).text() for details in pictures]
    assert titles == ["Dense on M(i), as of a", "CSR on M(i), as of B", "Dense on M(*), as of c"], titles
    for details in pictures:
        headings = [text.text() for text in details.all("text") if text.text().startswith("cell ")]
        assert headings == ["cell 0 of M", "cell 1 of M"], headings
        assert len({shade.attributes["fill"] for shade in details.all("rect", "shade")}) == 2


def check_kernel_without_c(folder):
    """C99 has no half precision: the page says so in its place, and has the rest."""
    root = page_of(folder, *CASES[0], "-t=A:float16", "-t=x:float16", "-t=y:float16")
    (said,) = [one.text() for one in root.all("details") if "cannot be written in C99" in one.text()]
    assert said.startswith("C") and not any(root.all("pre", "c")), said
    assert any(root.all("pre", "asm"))


def check_failures(folder):
    file = folder / "none.html"
    strata("explain", f"--html={file}", "y(i) = A(i,j", code=1)
    assert not file.exists()
    message = strata("explain", f"--html={folder}/missing/a.html", "y(i) = a(i)", code=1).stderr
    assert "cannot write" in message


with tempfile.TemporaryDirectory() as name:
    here = pathlib.Path(name)
    for one in CASES:
        check_statement(here, one)
    check_orders(here)
    check_bars(here)
    check_hostile_text(here)
    check_programs(here)
    check_pieces(here)
    check_kernel_without_c(here)
    check_failures(here)
print(f"{len(CASES)} statements explained")
sys.exit(0)
