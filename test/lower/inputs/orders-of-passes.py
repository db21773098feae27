"""Runs every pass that strata-opt has and mlir-opt lacks on a kernel of every stage, and on what any
other pass leaves of these, upstream's too: all end well or with an error. Says how many were tried
and how many crashed. A pass gets all its inputs at once, so that few processes do it; where one
crashes, it gets them one by one."""
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

OPT = sys.argv[1]
SEPARATOR = "// -----\n"
STAGES = ("cin", "lvl", "scf", "vector", "llvm")
# Kernels that have no stage, and a function that is no kernel.
OTHERS = """func.func @empty() attributes {strata.kernel} { return }
// -----
func.func private @declared() attributes {strata.kernel}
// -----
func.func @main() { return }
"""


def run(text, *options):
    return subprocess.run(
        [OPT, "-", "--split-input-file", *options], input=text, capture_output=True, text=True
    )


def crashed(outcome):
    refused = outcome.returncode == 1 and "error" in outcome.stderr
    return outcome.returncode != 0 and not refused


def outputs(inputs, one):
    """What the pass `one` makes of those of `inputs` that it takes, and of which it crashes."""
    outcome = run(SEPARATOR.join(inputs), "--" + one)
    if not crashed(outcome):
        return outcome.stdout.split(SEPARATOR), []
    outcomes = [(text, run(text, "--" + one)) for text in inputs]
    kept = [outcome.stdout for _, outcome in outcomes if not crashed(outcome)]
    return kept, [text for text, outcome in outcomes if crashed(outcome)]


def registered(program):
    """The passes that a program itself lists, but for those that draw or write files."""
    listed = subprocess.run([program, "--list-passes"], capture_output=True, text=True).stdout
    names = re.findall(r"^  --([\w-]+)", listed.partition("Pass Pipelines:")[0], re.MULTILINE)
    return [name for name in names if not re.match("view-|snapshot-", name)]


def of_all(inputs, passes):
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        return dict(zip(passes, pool.map(lambda one: outputs(inputs, one), passes)))


def report(crashes):
    for one, texts in crashes.items():
        for text in texts:
            print(f"crash: {one} of\n{text}")
    return sum(map(len, crashes.values()))


def main():
    upstream = set(registered("mlir-opt"))
    passes = registered(OPT)
    ours = [name for name in passes if name not in upstream]
    statement = (pathlib.Path(__file__).parent / "statement.mlir").read_text()
    inputs = [statement, *OTHERS.split(SEPARATOR)]
    inputs += [run(statement, f"--strata-kernel=stage={stage}").stdout for stage in STAGES]
    single = of_all(inputs, passes)
    crashes = report({one: single[one][1] for one in ours})
    left = {
        text
        for one, (kept, _) in single.items()
        for text in kept
        if text.strip() and not one.startswith("print-")
    }
    double = of_all(sorted(left), ours)
    crashes += report({one: texts for one, (_, texts) in double.items()})
    print(f"{len(ours)} passes of Strata on {len(inputs)} kernels, and after each of {len(passes)} "
          f"passes: {crashes} crashes")


if __name__ == "__main__":
    main()
