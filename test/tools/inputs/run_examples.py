"""Runs every example as its head comment says, in a folder that holds the examples, and makes their
data anew.

    run_examples.py EXAMPLES
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 600  # for each; a few are enough for an optimized compiler that runs alone


def run(command, folder):
    done = subprocess.run(command, shell=True, cwd=folder, text=True, timeout=SECONDS,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0 or not done.stdout:
        sys.exit(f"`{command}` gave {done.returncode} and\n{done.stdout}")
    print(f"$ {command}\n{done.stdout}")


def main():
    examples = Path(sys.argv[1])
    programs = sorted(examples.glob("*.ta"))
    listed = (examples / "README.md").read_text()
    with tempfile.TemporaryDirectory() as work:
        copy = Path(work) / "examples"
        shutil.copytree(examples, copy)
        for program in programs:
            head = re.match(r"(#.*\n)+", program.read_text())[0]
            commands = re.findall(rf"^#   (strata run examples/{program.name}.*)$", head, re.M)
            if not commands or f"({program.name})" not in listed:
                sys.exit(f"{program.name} does not say how to run it, or README.md lacks it")
            for command in commands:
                run(command, work)
        made = Path(work) / "made"
        made.mkdir()
        subprocess.run([sys.executable, "-B", copy / "data" / "make.py", made], check=True)
        for file in (examples / "data").iterdir():
            if file.suffix in (".mtx", ".tns") and (made / file.name).read_text() != file.read_text():
                sys.exit(f"make.py makes another {file.name}")


main()
