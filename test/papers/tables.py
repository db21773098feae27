"""Checks the tables of docs/Papers.md. Every command in a row runs; where a row has the head of a loop,
the output has it. Where a row has a statement, formats and loops, these are the statement's loops
(`strata emit --stage=loops`, but for what is said of threads).

    tables.py docs/Papers.md FOLDER...  commands run in a folder with copies of the files in these
    tables.py docs/Papers.md --update   writes the loops into the page
"""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile


def rows(text):
    for line in re.findall(r"^\| .* \|$", text, re.MULTILINE):
        yield line, [cell.strip() for cell in line[2:-2].split(" | ")]


def output(command, folder=None):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode or not done.stdout + done.stderr:
        sys.exit(f"{shlex.join(command)} gave {done.returncode} and\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def loops(statement, formats):
    command = ["strata", "emit", "--stage=loops", statement]
    command += [f"-f={name}:{format}" for name, format in re.findall(r"(\w+): `([^`]+)`", formats)]
    text = output(command).replace(", in parallel", "")
    return "; ".join(re.findall(r"^ *for (.*)$", text, re.MULTILINE))


def check_commands(page, cells, folder):
    """Runs the commands of a row, and returns how many there are."""
    commands = re.findall(r"`(strata (?:'|dump [\w.]|run \w|convert )[^`]*)`", " ".join(cells))
    for command in commands:
        printed = " ".join(output(shlex.split(command), folder).split())
        loop = re.match(r"`(for .*)`$", cells[1])
        if loop and loop[1] not in printed:
            sys.exit(f"{page}: `{command}` has no {loop[1]} in\n{printed}")
    return len(commands)


def main():
    page, *folders = map(pathlib.Path, sys.argv[1:])
    update = str(folders[0]) == "--update"
    text = page.read_text(encoding="utf-8")
    count = 0
    with tempfile.TemporaryDirectory() as work:
        for file in (file for folder in folders if not update for file in folder.iterdir()):
            if file.is_file():
                shutil.copy(file, work)
        for line, cells in rows(text):
            if len(cells) >= 4 and re.match(r"\w+: `", cells[2]):
                found = loops(cells[1].strip("`"), cells[2])
                if update:
                    text = text.replace(line, f"| {' | '.join([*cells[:3], found, *cells[4:]])} |")
                elif found != cells[3]:
                    sys.exit(f"{page}: {cells[0]} has the loops\n  {found}\nand not\n  {cells[3]}")
                count += 1
            elif not update:
                count += check_commands(page, cells, work)
    if update:
        page.write_text(text, encoding="utf-8")
    print(f"{count} commands and loops of tables")
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main())
