#!/usr/bin/env python3
"""Compares what kernels' loops are with test/golden/vectors.txt: in which vectors they are, in blocks, with what
is fetched ahead; for each kernel, format and element type, on a processor with AVX-512.

    test/golden/vectors.py [--update] [--strata PATH]

A "-" is left to LLVM. What is slower than it was is a line that differs. Read the difference before committing an update.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

TABLE = pathlib.Path(__file__).with_name("vectors.txt")
TYPES = ["double", "float", "int32", "float16", "bfloat16", "complex"]
MATRICES = ["CSR", "CSC", "DCSR", "COO", "BCSR", "ELL", "DIA"]
# The statement, the operand whose format is drawn, and the formats of the others.
KERNELS = {
    "SpMV": ("y(i) = A(i,j) * x(j)", "A", "x:d y:d"),
    "SpMV, a factor": ("y(i) = 2 * A(i,j) * x(j)", "A", "x:d y:d"),
    "SpMV, added to": ("y(i) = b(i) + A(i,j) * x(j)", "A", "x:d y:d b:d"),
    "SpMV, squares": ("y(i) = A(i,j) * A(i,j) * x(j)", "A", "x:d y:d"),
    "sums of rows": ("y(i) = A(i,j)", "A", "y:d"),
    "SpMM": ("Y(i,k) = A(i,j) * X(j,k)", "A", "X:dd Y:dd"),
    "SpMM, a factor of rows": ("Y(i,k) = r(i) * A(i,j) * X(j,k)", "A", "X:dd Y:dd r:d"),
    "SpMM, greatest": ("Y(i,k) = max(j, A(i,j) * X(j,k))", "A", "X:dd Y:dd"),
    "SDDMM": ("C(i,j) = A(i,j) * U(i,k) * V(j,k)", "A", "U:dd V:dd C:CSR"),
    "SpGEMM": ("C(i,k) = A(i,j) * B(j,k)", "A", "B:CSR C:CSR"),
    "A+B": ("C(i,j) = A(i,j) + B(i,j)", "A", "B:CSR C:CSR"),
}
# All operands are dense, or have these formats.
OTHERS = {
    "dense product": ("C(i,k) = A(i,j) * B(j,k)", "A:dd B:dd C:dd"),
    "dense product, added to": ("C(i,k) = D(i,k) + A(i,j) * B(j,k)", "A:dd B:dd C:dd D:dd"),
    "dense product, scaled": ("C(i,k) = alpha * A(i,j) * B(j,k) + beta * D(i,k)", "A:dd B:dd C:dd D:dd"),
    "dense matrix times vector": ("y(i) = A(i,j) * x(j)", "A:dd x:d y:d"),
    "dense sums of columns": ("y(j) = A(i,j)", "A:dd y:d"),
    "axpy": ("y(i) = 2 * x(i) + z(i)", "x:d y:d z:d"),
    "MTTKRP": ("Y(i,l) = T(i,j,k) * U(j,l) * V(k,l)", "T:sss U:dd V:dd Y:dd"),
    "MTTKRP, a factor of rows": ("Y(i,l) = r(i) * T(i,j,k) * U(j,l) * V(k,l)", "T:sss U:dd V:dd Y:sd r:d"),
    "TTM": ("Y(i,j,l) = T(i,j,k) * U(k,l)", "T:sss U:dd Y:sdd"),
    "TTV": ("C(i,j) = T(i,j,k) * x(k)", "T:sss x:d C:ss"),
}


def loops_of(text):
    """What the code at the stage `vector` tells: its widest vectors, and what else is in it."""
    words = []
    widths = [(int(count), element) for count, element in re.findall(r"vector<(\d+)x(f64|f32|f16|bf16|i\d+)>", text)]
    values = [one for one in widths if "f" in one[1]] or [one for one in widths if one[1] != "i1"]
    if values:
        words.append("{}x{}".format(*max(values)))
    for word, mark in (("masked", "vector.maskedload"), ("gather", "vector.gather"), ("ahead", "memref.prefetch"),
                       ("blocks", "strata.shared"), ("threads", "scf.parallel")):
        if mark in text:
            words.append(word)
    return " ".join(words) or "-"


def emit(strata, statement, formats, element):
    names = [one.split(":")[0] for one in formats]
    command = [strata, "emit", "--stage=vector", statement, "--cpu=x86-64-v4", "--quiet", *(f"-f={one}" for one in formats),
               *(f"-t={name}:{element}" for name in names)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        error = re.search(r"error: (.*?)( \[SE\d+\])?$", done.stderr, re.MULTILINE)
        return f"no: {error[1] if error else done.returncode}"
    return loops_of(done.stdout)


def table(strata):
    rows = {(name, "-"): (statement, formats.split()) for name, (statement, formats) in OTHERS.items()}
    rows = {**{(name, format): (statement, [f"{operand}:{format}", *others.split()])
               for name, (statement, operand, others) in KERNELS.items() for format in MATRICES}, **rows}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = {row: [pool.submit(emit, strata, *rows[row], element) for element in TYPES] for row in rows}
        lines = [f"{name:27} {format:5} {element:9} {cell.result()}\n"
                 for (name, format), cells in found.items() for element, cell in zip(TYPES, cells)]
    return "".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write the table")
    parser.add_argument("--strata", default=os.environ.get("STRATA", "strata"), help="the program")
    arguments = parser.parse_args()
    text = table(arguments.strata)
    if arguments.update:
        TABLE.write_text(text)
        return
    before = TABLE.read_text().splitlines() if TABLE.exists() else []
    differences = [f"was {old}\nis  {new}" for old, new in zip(before, text.splitlines()) if old != new]
    if differences or len(before) != len(text.splitlines()):
        sys.exit("\n".join(differences) or "the table has other lines")


if __name__ == "__main__":
    main()
