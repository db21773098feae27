"""Checks that every pass has a lit test of its own: test/lower/ROOM/NAME.mlir, whose command runs it,
in the room where its source lies."""
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LOWER = SOURCE / "strata" / "lower"
PASS = re.compile(r'^def (\w+) : Pass<"([\w-]+)"', re.MULTILINE)


def complaint(name, flag):
    """What is missing for one pass, or nothing."""
    sources = list(LOWER.glob(f"*/{name}.cpp"))
    if len(sources) != 1:
        return f"no strata/lower/ROOM/{name}.cpp, the file of the pass {flag}"
    file = re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower() + ".mlir"
    test = SOURCE / "test" / "lower" / sources[0].parent.name / file
    if not test.is_file():
        return f"no {test.relative_to(SOURCE)}, the test of the pass {flag}"
    commands = re.findall(r"^// RUN: (.*)$", test.read_text(), re.MULTILINE)
    if not any(f"--{flag}" in command for command in commands):
        return f"{test.relative_to(SOURCE)} does not run --{flag}"
    return None


def main():
    passes = PASS.findall((LOWER / "Passes.td").read_text())
    found = [complaint(name, flag) for name, flag in passes]
    failures = [text for text in found if text]
    for text in failures:
        print(text)
    print(f"{len(passes)} passes, {len(failures)} complaints")
    return 1 if failures or not passes else 0


if __name__ == "__main__":
    sys.exit(main())
