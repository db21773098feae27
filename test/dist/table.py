"""The table of placements and formats in docs/Ranks.md: what it says is carried out keeps a tensor, and anything
else is refused in its words. So are all other placements that can be written, in one of these two ways. From each
placement to each other one a small matrix stays what it is, of which cells have boxes that are equal, or none."""
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

strata = os.environ["STRATA"]
page = pathlib.Path(os.environ["STRATA_SOURCE"]) / "docs/Ranks.md"
work = pathlib.Path(tempfile.mkdtemp())
ENTRIES = {2: [(1, 2), (3, 1), (4, 5), (2, 2), (5, 5)], 3: [(1, 2, 3), (3, 1, 1), (4, 5, 2), (2, 2, 2), (5, 5, 5), (1, 2, 4)]}
for order, places in ENTRIES.items():
    (work / f"t{order}.tns").write_text("".join(f"{' '.join(map(str, place))} {sum(place)}\n" for place in places))


def outcome(format, place):
    """yes, or why not."""
    order = 2 if format in ("CSR", "CSC") else 3
    labels = ", ".join("ijk"[:order])
    (work / "p.ta").write_text(f"""Machine M(3);
Machine N(2, 2);
def main() {{
  IndexLabel [{labels}] = [?];
  Tensor<double> T([{labels}], COO);
  Tensor<double> A([{labels}], {format} on {place});
  T[{labels}] = read("t{order}.tns");
  A[{labels}] = T[{labels}];
  var d = SUM((A[{labels}] - T[{labels}]) * (A[{labels}] - T[{labels}]));
  print(d);
}}
""")
    done = subprocess.run([strata, "run", "p.ta", "--quiet"], cwd=work, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode == 0 and done.stdout == "d = 0\n":
        return "yes"
    refused = re.search(r"error: (.*?)( \[SE\d+\])?$", done.stdout, re.MULTILINE)
    return refused[1] if refused and done.returncode == 1 else f"it ended with {done.returncode}:\n{done.stdout}"


def cells(line):
    return [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]


lines = page.read_text().splitlines()
start = lines.index("| placement | `CSR` | `CSC` | `{D,D,CU}` | `{CU,CU,CU}` |")
formats = cells(lines[start])[1:]
rows = [cells(line) for line in itertools.takewhile(lambda line: line.startswith("|"), lines[start + 2:])]
wrong = []
for place, *said in rows:
    for format, words in zip(formats, said):
        if words == "-":
            continue
        found = outcome(format, place)
        if found != words:
            wrong.append(f"{format} on {place}: '{words}' is said, and it is '{found}'")
refusals = {words for _, *said in rows for words in said} - {"yes", "-"}
if len(rows) < 10 or len(refusals) != 2:
    wrong.append(f"{len(rows)} rows, refusals {refusals}")

# Everything that can be written.
refusals = [re.sub(r"'\w'", r"'\\w'", words) for words in refusals]


def places(labels):
    several = [", ".join(some) for count in range(2, len(labels) + 1) for some in itertools.permutations(labels, count)]
    tuples = [*labels, *(f"({some})" for some in several)]
    return [*tuples, *(f"~{some}" for some in tuples), "*", "1"]


for format in formats:
    matrix = format in ("CSR", "CSC")
    one = places("ij" if matrix else "ijk")
    two = itertools.product(one, one) if format == "CSR" else itertools.product(one[::3], one[1::4])
    for place in [f"M({place})" for place in one] + [f"N({first}, {second})" for first, second in two]:
        found = outcome(format, place)
        if found != "yes" and not any(re.fullmatch(words, found) for words in refusals):
            wrong.append(f"{format} on {place}: {found}")


def move_all(format, rows, columns):
    """From each placement to each other one."""
    placements = [f"M({one})" for one in places("ij")] + ["N(i, j)", "N(j, *)", "N(~(j, i), *)", "N(0, (i, j))", "N(i, ~j)"]
    declared, steps = [], []
    for number, place in enumerate(placements):
        declared.append(f"  Tensor<double> A{number}([i, j], {format} on {place});")
        steps.append(f"  A{number}[i, j] = T[i, j];")
    for number, other in itertools.permutations(range(len(placements)), 2):
        name = f"B{number}to{other}"
        declared.append(f"  Tensor<double> {name}([i, j], {format} on {placements[other]});")
        steps += [f"  {name}[i, j] = A{number}[i, j];",
                  f"  var d{name} = SUM(({name}[i, j] - T[i, j]) * ({name}[i, j] - T[i, j]));",
                  f'  if (d{name} != 0) {{ print("{placements[number]} to {placements[other]}\\n"); }}']
    (work / "p.ta").write_text("\n".join(["Machine M(3);", "Machine N(2, 2);", "def main() {", f"  IndexLabel [i] = [{rows}];",
                                         f"  IndexLabel [j] = [{columns}];", "  Tensor<double> T([i, j], Dense);",
                                         *declared, "  T[i, j] = 2 * i + j + 1;", *steps, "}", ""]))
    done = subprocess.run([strata, "run", "p.ta", "--quiet"], cwd=work, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode or done.stdout:
        wrong.append(f"{rows} x {columns}, {format}, ended with {done.returncode}; not kept from\n{done.stdout}")


for format, (rows, columns) in itertools.product(["Dense", "CSR"], [(2, 1), (1, 3), (3, 2)]):
    move_all(format, rows, columns)
print("\n".join(wrong))
sys.exit(bool(wrong))
