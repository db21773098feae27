"""The strategies for merging two vectors, for all pairs of kinds of levels (004 Figure 4-3).

Prints the table that `strata explain` tells, and checks the results against the reference
interpreter. A cell of the table reads:

    x        x is iterated alone, y located (or the other way round)
    xy       both are iterated and merged
    *        all coordinates are taken, what is stored is located
    *x       all coordinates are taken, merged with what x stores
    +d       an iterator removes duplicates
    (x)      x is converted first, to a level that is ordered and unique
"""
import re
import subprocess
import sys

KINDS = {  # in the order of the figure: ordered before unordered, unique before not, locate before not
    "dense": "dense",
    "bitmap": "bitmap",
    "compressed": "compressed",
    "repeated": "compressed(nonunique)",
    "hashed": "hashed",
    "unordered": "compressed(unordered)",
    "list": "compressed(nonunique, unordered)",
}


def program(operator, result):
    lines = ["def main() {", "  IndexLabel [i] = [100];"]
    for name, level in KINDS.items():
        for tensor, seed in (("x", 1), ("y", 2)):
            lines.append(f"  Tensor<double> {tensor}_{name}([i], {{(i) -> (i : {level})}});")
            lines.append(f"  {tensor}_{name}[i] = random({seed}, 0.3);")
    for first in KINDS:
        for second in KINDS:
            lines.append(f"  Tensor<double> {first}_{second}([i], {result});")
            lines.append(f"  {first}_{second}[i] = x_{first}[i] {operator} y_{second}[i];")
    return "\n".join(lines + ["}", ""])


def strata(*arguments):
    done = subprocess.run(("strata",) + arguments, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"strata {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def cell(text):
    loop = re.search(r"for i (.*)", text).group(1)
    walked = loop.split(", locating")[0]
    strategy = "*" if "over all" in walked else ""
    strategy += "".join(re.findall(r"\b([xy])_\w+?1\b", walked))
    strategy += "+d" if "duplicates together" in walked else ""
    converted = re.findall(r"operand  ([xy])_\w+: .*\n +converted", text)
    return strategy + (f"({''.join(converted)})" if converted else "")


def main():
    operator, result, file = sys.argv[1:]
    with open(file, "w") as out:
        out.write(program(operator, result))
    cells = {}
    for text in re.split(r"(?m)^(?=\S+\.ta:)", strata("explain", file)):
        if statement := re.match(r"\S+: (\w+?)_(\w+)[[(]i[])] = x_", text):
            cells[statement.groups()] = cell(text)
    for first in KINDS:
        print(first.rjust(10), *(cells[first, second].rjust(7) for second in KINDS))
    strata("run", file, "--check")


main()
