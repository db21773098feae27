"""What the comparisons with NumPy and SciPy share: the tool, the data, counting and the verdict."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback

import numpy

SKIPPED = 77
TOOL = os.environ.get("STRATA", "strata")


class Skip(Exception):
    """A case that does not apply; the text says why."""


class Failure(Exception):
    """A case that does not hold; the text says what was found."""


def data_folder():
    """The published matrices and tensors, or the end of the script."""
    folder = os.environ.get("STRATA_DATA")
    if not folder or not pathlib.Path(folder).is_dir():
        print("skipped: no data (STRATA_DATA is not set)")
        print("0 passed, 0 failed, 1 skipped")
        sys.exit(SKIPPED)
    return pathlib.Path(folder)


def is_instrumented():
    """Is the runtime built for sanitizers or fuzzers? Then Python, which is not, cannot load it."""
    cache = (pathlib.Path(TOOL).parents[1] / "CMakeCache.txt").read_text()
    return re.search(r"^STRATA_(SANITIZE:\w+=.|FUZZERS:\w+=(ON|TRUE|1)$)", cache, re.MULTILINE)


def result_of(*arguments, folder):
    """Runs strata in a folder, however it ends."""
    return subprocess.run([TOOL, *map(str, arguments)], cwd=folder, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)


def run_tool(*arguments, folder):
    """Runs strata in a folder and returns what it printed. Failure if it does not end well."""
    process = result_of(*arguments, folder=folder)
    if process.returncode != 0:
        raise Failure(f"strata ended with {process.returncode}: {process.stderr.strip()[:600]}")
    return process.stdout


def survives(files, folder):
    """Each of these contents is read or refused by 'strata check', many in one call."""
    outcomes = {0: 0, 1: 0}
    names = []
    for number, data in enumerate(files):
        names.append(f"{number}.bad")
        (folder / names[-1]).write_bytes(data)
    for first in range(0, len(names), 100):
        process = result_of("check", *names[first:first + 100], folder=folder)
        if process.returncode not in outcomes:
            raise Failure(f"strata ended with {process.returncode} for one of the files "
                          f"{first}...: {process.stderr[-600:]}")
        outcomes[process.returncode] += 1
    return f"{len(names)} files"


def write_array(path, values):
    """A vector (as n x 1) or a matrix as a Matrix Market array."""
    columns = values if values.ndim == 2 else values[:, numpy.newaxis]
    kind = "complex" if numpy.iscomplexobj(values) else "real"
    numbers = columns.T.reshape(-1)
    if kind == "complex":
        numbers = numbers.view(float).reshape(-1, 2)
    with open(path, "w") as file:
        file.write(f"%%MatrixMarket matrix array {kind} general\n")
        file.write(f"{columns.shape[0]} {columns.shape[1]}\n")
        numpy.savetxt(file, numbers, fmt="%.17g")


def read_array(path):
    """A matrix from a Matrix Market array, quicker than SciPy's reader."""
    with open(path) as file:
        words = file.readline().split()
        if words[2] != "array" or words[4] != "general":
            raise Failure(f"{path.name}: an array was expected, not {' '.join(words)}")
        rows, columns = map(int, file.readline().split())
        numbers = numpy.fromstring(file.read(), sep=" ")
    if words[3] == "complex":
        numbers = numbers.view(complex)
    if numbers.size != rows * columns:
        raise Failure(f"{path.name}: {numbers.size} numbers for {rows} x {columns}")
    return numbers.reshape(columns, rows).T


def compare(name, actual, expected, magnitude):
    """Fails unless the two agree but for rounding of sums whose terms have these magnitudes."""
    if actual.shape != expected.shape:
        raise Failure(f"{name}: shape {actual.shape}, expected {expected.shape}")
    wrong = ~(numpy.abs(actual - expected) <= 1e-12 * magnitude + 1e-300)
    if wrong.any():
        at = tuple(index[0] for index in numpy.nonzero(wrong))
        raise Failure(f"{name}: {wrong.sum()} of {wrong.size} elements differ, first at "
                      f"{tuple(map(int, at))}: {actual[at]}, expected {expected[at]}")


def numbers(shape, kind=float, seed=1):
    """Random values from -1 to 1, always the same for a seed."""
    random = numpy.random.default_rng(seed)
    values = random.uniform(-1, 1, shape)
    return values + 1j * random.uniform(-1, 1, shape) if kind is complex else values


def attempt(case):
    """Runs one case (a name and a function of a folder): its name, outcome and text."""
    name, function = case
    with tempfile.TemporaryDirectory(prefix="strata-") as folder:
        try:
            return name, "passed", function(pathlib.Path(folder)) or ""
        except Skip as skip:
            return name, "skipped", str(skip)
        except Failure as failure:
            return name, "failed", str(failure)
        except Exception:  # A fault of the test itself counts as a failure of the case.
            return name, "failed", traceback.format_exc()


def main(cases):
    """Runs all cases, two at a time, and ends the script with the verdict."""
    wanted = sys.argv[1:]
    cases = [case for case in cases if not wanted or any(word in case[0] for word in wanted)]
    counts = dict(passed=0, failed=0, skipped=0)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for name, outcome, text in pool.map(attempt, cases):
            counts[outcome] += 1
            if outcome != "passed" or wanted:
                print(f"{outcome}: {name}" + (f": {text}" if text else ""), flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    sys.exit(1 if counts["failed"] else SKIPPED if not counts["passed"] else 0)
