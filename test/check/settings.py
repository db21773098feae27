"""Checks that docs/Configuration.md has every variable of Strata's that the sources ask for, and that each
setting with an option is one of some command: what the table of settings says of both is true."""
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
ASKED = re.compile(r'(?:getenv|variable)\("([A-Z_]+)"\)')
# Of the system, and of launchers.
OTHERS = re.compile(r"^(HOME|XDG_\w+|PATH|NO_COLOR|OMPI_\w+|PMI_\w+|TENSOR\d*)$")


def variables():
    for folder in ("strata", "tools", "python/core"):
        for file in (SOURCE / folder).rglob("*.cpp"):
            for name in ASKED.findall(file.read_text()):
                if not OTHERS.match(name):
                    yield name, file.relative_to(SOURCE)


def main():
    failures = []
    page = (SOURCE / "docs/Configuration.md").read_text()
    names = list(variables())
    if len(names) < 5:
        failures.append("fewer than five variables are asked for: the pattern of this test is wrong")
    for name, file in names:
        if f"`{name}`" not in page:
            failures.append(f"{file} asks for {name}, which docs/Configuration.md lacks")
    listed = subprocess.run([os.environ["STRATA"], "config", "--list"], text=True, check=True,
                            stdout=subprocess.PIPE).stdout
    manual = subprocess.run([os.environ["STRATA"], "manual"], text=True, check=True,
                            stdout=subprocess.PIPE).stdout.replace("\\", "")
    rows = [line.split("|")[1:-1] for line in listed.splitlines()[2:]]
    for key, _, _, option, variable, _ in ([cell.strip().strip("`") for cell in row] for row in rows):
        said = f"setting (aq{key}(aq, variable {variable}"
        if option and said not in manual:
            failures.append(f"no help of {option} has the setting {key}")
    print(*failures, sep="\n")
    print(f"{len(names)} places that ask for variables, {len(rows)} settings")
    sys.exit(bool(failures))


main()
