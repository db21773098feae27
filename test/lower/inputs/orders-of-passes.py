"""Runs every pass on a kernel of every stage, and every two passes in both orders: each ends well or
with an error. Says how many were tried and how many crashed."""
import itertools
import pathlib
import subprocess
import sys

PASSES = """ta-share-statements ta-forbid-resolutions=what=conversion ta-fuse-statements ta-expand-sums
ta-split-statements ta-resolve-conflicts ta-hoist-conversions convert-ta-to-cin convert-cin-to-lvl
strata-admit-masks convert-lvl-to-scf strata-prefetch strata-keep-blocks strata-outline-pieces
strata-emit-entry-points""".split()


def run(text, passes):
    return subprocess.run(
        [sys.argv[1], "-"] + ["--" + one for one in passes], input=text, capture_output=True, text=True
    )


def crashed(outcome):
    refused = outcome.returncode == 1 and "error" in outcome.stderr
    return outcome.returncode != 0 and not refused


statement = (pathlib.Path(__file__).parent / "statement.mlir").read_text()
inputs = [statement]
for stage in ("cin", "lvl", "scf", "llvm"):
    inputs.append(run(statement, [f"strata-kernel=stage={stage}"]).stdout)
inputs.append("func.func @empty() attributes {strata.kernel} { return }\n")
inputs.append("func.func @main() { return }\n")
single = [(text, [one]) for text in inputs for one in PASSES]
pairs = [(statement, two) for two in itertools.permutations(PASSES, 2)]
crashes = [passes for text, passes in single + pairs if crashed(run(text, passes))]
for passes in crashes:
    print("crash:", *passes)
print(f"{len(pairs)} pairs of passes, {len(single)} single passes: {len(crashes)} crashes")
