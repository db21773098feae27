"""Runs the command lines of a file, several at once, and compares what becomes of them.

A line that begins with `strata` is a command line; it must succeed. The indented lines below it say more:
  prints TEXT    standard output has TEXT
  says TEXT      standard error has TEXT
  refused TEXT   it fails with exit code 1 or 2, and standard error has TEXT
Each runs in a folder of its own that holds the files of `inputs`.
Usage: command_lines.py FILE INPUTS...
"""
import concurrent.futures
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile


def read(file):
    commands = []
    for line in pathlib.Path(file).read_text().splitlines():
        if line.startswith("strata "):
            commands.append((line, []))
        elif line.startswith("  ") and commands:
            word, text = line.strip().split(" ", 1)
            assert word in ("prints", "says", "refused"), line
            commands[-1][1].append((word, text))
    return commands


def problems(command, expectations, inputs):
    with tempfile.TemporaryDirectory() as folder:
        for file in inputs:
            shutil.copy(file, folder)
        done = subprocess.run(shlex.split(command), cwd=folder, capture_output=True, text=True)
    refused = any(word == "refused" for word, _ in expectations)
    if done.returncode not in ((1, 2) if refused else (0,)):
        yield f"exit code {done.returncode}"
    for word, text in expectations:
        if text not in (done.stdout if word == "prints" else done.stderr):
            yield f"{word} {text}"
    for word in ("Assertion", "LLVM ERROR", "Stack dump", "terminate called"):
        if word in done.stderr:
            yield word


def main():
    file, *inputs = sys.argv[1:]
    commands = read(file)
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = pool.map(lambda one: list(problems(*one, inputs)), commands)
        for (command, _), wrong in zip(commands, results):
            if wrong:
                failures += 1
                print(f"{command}\n  not as expected: {'; '.join(wrong)}")
    print(f"{len(commands)} command lines, {failures} not as expected")
    return 1 if failures or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
