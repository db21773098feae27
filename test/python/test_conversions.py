"""`strata convert` from files in every named format to files in every other, by every kind of file
that can express matrices. Without STRATA_LONG each format meets a few others, drawn."""
import os
import pathlib
import random
import re
import subprocess
import tempfile

import scipy.io

import harness

ENDINGS = (".bsp.h5", ".mtx", ".npz", ".etns", ".ttx", ".mtx.gz", ".rb")
ROWS, COLUMNS = 11, 14
TARGETS = None if os.environ.get("STRATA_LONG") else 3


def entries():
    """Row and column 3 are empty, as is the last row; one entry comes twice, one is zero."""
    draw = random.Random(3)
    places = [(i, j) for i in range(ROWS - 1) for j in range(COLUMNS)
              if i != 3 and j != 3 and draw.random() < 0.3]
    return [(i, j, 1 + at / 4) for at, (i, j) in enumerate(places)] + [(0, 0, 0), (1, 1, 2),
                                                                      (1, 1, 0.5)]


def write_source(path):
    listed = entries()
    lines = [f"{i + 1} {j + 1} {value}" for i, j, value in listed]
    path.write_text("%%MatrixMarket matrix coordinate real general\n"
                    f"{ROWS} {COLUMNS} {len(listed)}\n" + "\n".join(lines) + "\n")


def expected():
    sums = {}
    for i, j, value in entries():
        sums[i, j] = sums.get((i, j), 0) + value
    return {place: value for place, value in sums.items() if value != 0}


def content(path, folder):
    """What a file holds, told by Strata in coordinates and read by SciPy."""
    harness.run_tool("check", "--quiet", path, folder=folder)
    harness.run_tool("convert", path, "told.mtx", folder=folder)
    matrix = scipy.io.mmread(folder / "told.mtx").tocoo()
    if matrix.shape != (ROWS, COLUMNS):
        raise harness.Failure(f"{path}: {matrix.shape}")
    return {(int(i), int(j)): value
            for i, j, value in zip(matrix.row, matrix.col, matrix.data) if value != 0}


def named_formats():
    """All names that `strata help formats` lists and that this matrix can have: some are for other
    orders, some for a structure that it lacks."""
    text = subprocess.run([harness.TOOL, "help", "formats"], text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    names = re.findall(r"^  (\w[\w:-]*)\s+\S", text, re.MULTILINE)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write_source(folder / "m.mtx")
        outcome = {name: harness.result_of("convert", "m.mtx", "m.bsp.h5", f"--format={name}",
                                           folder=folder) for name in names}
    refused = [name for name, process in outcome.items() if process.returncode != 0]
    for name in refused:
        if not re.search("for tensors of order|has room for", outcome[name].stderr):
            print(f"failed: {name}: {outcome[name].stderr}")
            raise SystemExit(1)
    return [name for name in names if name not in refused]


def case(source, targets):
    def run(folder):
        write_source(folder / "m.mtx")
        harness.run_tool("convert", "m.mtx", "source.bsp.h5", f"--format={source}", folder=folder)
        for target, ending in targets:
            harness.run_tool("convert", "source.bsp.h5", "target" + ending, f"--format={target}",
                             folder=folder)
            if content("target" + ending, folder) != expected():
                raise harness.Failure(f"to {target} in a {ending} file: another matrix")
        return f"{len(targets)} targets"
    return f"{source} to others", run


def cases():
    names = named_formats()
    draw = random.Random(1)
    for source in names:
        chosen = names if TARGETS is None else draw.sample(names, TARGETS)
        yield case(source, [(target, draw.choice(ENDINGS)) for target in chosen])


if __name__ == "__main__":
    harness.main(list(cases()))
