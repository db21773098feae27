"""Runs the `console` blocks of a document and compares what they print.

    run_document.py DOCUMENT FOLDER...

Commands begin with `$ `; the lines up to the next are what they print, errors included. `[...]`
stands for anything, also over several lines. `# exit code N` after a command says that it fails.
They run in a temporary folder with copies of the files in the given ones.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def commands(text):
    for indentation, block in re.findall(r"^( *)```console\n(.*?)^ *```", text, re.M | re.S):
        block = re.sub(rf"^{indentation}", "", block, flags=re.M)
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def matches(expected, actual):
    pieces = expected.split("[...]")
    pattern = ".*".join(re.escape(piece) for piece in pieces)
    return re.fullmatch(pattern, actual, re.S)


def main():
    document, *folders = map(Path, sys.argv[1:])
    count = 0
    with tempfile.TemporaryDirectory() as work:
        for folder in folders:
            for file in folder.iterdir():
                if file.is_file():
                    shutil.copy(file, work)
                elif file.is_dir() and file.name in ("data", "examples"):
                    shutil.copytree(file, Path(work) / file.name)
        for command, expected in commands(document.read_text()):
            code = int((re.findall(r"# exit code (\d)", command) or ["0"])[0])
            run = subprocess.run(command, shell=True, cwd=work, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            count += 1
            if run.returncode != code or not matches(expected, run.stdout):
                sys.exit(f"{document}: `{command}` gave {run.returncode} and\n{run.stdout}"
                         f"instead of {code} and\n{expected}")
    if count == 0:
        sys.exit(f"{document} has no commands")
    print(f"{count} commands")


main()
