"""Compiles programs, and what `strata explain --program` prints of them: the machine code must be the same.

explained_programs.py LANGUAGE WORK [--seed S] [--count N] [--unsaid M] [FOLDER...]: the programs (.ta) of the
folders, and those of N cases that LANGUAGE (strata-language-tests) writes to the folder WORK. Parameters are those
that a program's comments give first. Programs that the compiler refuses are counted. More than M statements that no
schedule says are a failure; copies, and what depends on the calls around it, do not count. `--chosen-by-run NAME`
leaves out a program whose sums are cut into parts when the entries are known: explained, they are, and emitted, not.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys

STRATA = os.environ["STRATA"]
PARAMETER = re.compile(r"(?:-D |# parameter: )([A-Za-z_0-9]+)=([^ \n]+)")
LEFT_OPEN = re.compile(r"^ *# (a copy, whose way .*|computed in several ways, .*)$", re.MULTILINE)
UNSAID = re.compile(r"^ *# (no schedule says this|computed in the same loops .*|computed in one of several ways, .*)$",
                    re.MULTILINE)


def strata(command, program, arguments, folder):
    """What a command prints in a folder, or nothing if it fails."""
    ended = subprocess.run([STRATA, *command, program, *arguments], cwd=folder, capture_output=True, text=True,
                           timeout=600)
    return ended.stdout if ended.returncode == 0 else None


def code(program, arguments, folder):
    """The kernels of a program, without the names that texts give to tensors and labels, and what stands behind
    these in columns."""
    text = strata(["emit", "--stage=llvm"], program, arguments, folder)
    if text is None:
        return None
    numbers = {}
    lines = (re.sub(r" *; preds = .*$", "", line) for line in text.split("\n") if ".names = " not in line)
    return re.sub(r"kernel_\w+", lambda match: numbers.setdefault(match[0], f"kernel {len(numbers)}"),
                  "\n".join(lines))


def first_difference(one, other):
    """The first lines that are not the same."""
    for a, b in zip(one.split("\n"), other.split("\n")):
        if a != b:
            return f"\n  as written:   {a.strip()}\n  as explained: {b.strip()}"
    return "\n  one has more lines"


def check(program, work, counts):
    """What is wrong with a program; nothing if all is well."""
    folder, arguments = program.parent, []
    for name, value in dict(reversed(PARAMETER.findall(program.read_text()))).items():
        arguments += ["-D", f"{name}={value}"]
    explained = strata(["explain", "--program"], program, arguments, folder)
    written = code(program, arguments, folder) if explained is not None else None
    if written is None:
        counts["refused"] += 1
        return ""
    counts["said"] += explained.count(" schedule {")
    counts["left open"] += len(LEFT_OPEN.findall(explained))
    counts["unsaid"] += len(UNSAID.findall(explained))
    copy = work / "explained" / program.name
    copy.write_text(explained)
    again = code(copy, arguments, folder)
    if again == written:
        return ""
    return "what is explained is refused" if again is None else first_difference(written, again)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("language")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", default="0")
    parser.add_argument("--unsaid", type=int, default=0)
    parser.add_argument("--chosen-by-run", action="append", default=[])
    options = parser.parse_intermixed_args()
    (options.work / "explained").mkdir(parents=True, exist_ok=True)
    for old in options.work.glob("*.ta"):
        old.unlink()
    subprocess.run([options.language, "--seed", options.seed, "--count", options.count, "--texts", options.work],
                   check=True)
    counts, failures = collections.Counter(), 0
    work = options.work.resolve()
    for folder in [work, *options.folders]:
        for program in sorted(folder.resolve().glob("*.ta")):
            if program.name in options.chosen_by_run:
                continue
            unsaid = counts["unsaid"]
            if wrong := check(program, work, counts):
                failures += 1
                print(f"{program}: {wrong}")
            elif counts["unsaid"] > unsaid:
                print(f"{program}: {counts['unsaid'] - unsaid} statements that no schedule says")
    print(f"{counts['said']} statements are said, {counts['unsaid']} not, {counts['left open']} are left open, "
          f"{failures} programs differ, {counts['refused']} are refused")
    return 1 if failures or counts["unsaid"] > options.unsaid or not counts["said"] else 0


if __name__ == "__main__":
    sys.exit(main())
