"""The drawings of docs/Gallery.md, against `strata dump --svg` now; `--update` writes them.

Each named format of `strata help formats` and each level format that is registered has a section with a
picture, and each picture is drawn for the format that its section gives.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PAGE = SOURCE / "docs/Gallery.md"
PICTURES = SOURCE / "docs/pictures/formats"
TOOL = os.environ.get("STRATA", "strata")
MATRIX = "%%MatrixMarket matrix coordinate real general\n4 6 7\n" + "".join(
    f"{line}\n" for line in ("1 1 1", "1 2 2", "3 2 3", "3 3 3", "3 5 4", "4 1 5", "4 6 6"))
FILES = {
    "matrix": ("a.mtx", MATRIX),
    "vector": ("v.tns", "# shape: 6\n2 3\n3 3\n5 4\n"),
    "tensor": ("t.tns", "1 1 2 1\n1 3 1 2\n1 3 3 3\n2 2 3 4\n2 2 1 5\n"),
}
SECTION = re.compile(r"^### (.+)\n+!\[[^\]]*\]\(pictures/formats/([\w-]+)\.svg\)\n+`strata dump (\S+) --format='?([^`]*?)'?((?: -D \w+=\w+)?)`$",
                     re.MULTILINE)


def drawn(folder, file, text, cells):
    process = subprocess.run([TOOL, "dump", str(pathlib.Path(folder) / file), "--format=" + text, "--svg", *cells],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if process.returncode:
        return None, process.stderr
    ElementTree.fromstring(process.stdout)
    if any(word in process.stdout for word in ("href", "url(", "<script", "@import")):
        return None, "the picture refers to something outside of it"
    # The title names the file, which lies in a folder of this run.
    return process.stdout.replace(str(folder) + "/", ""), ""


def named_formats():
    text = subprocess.run([TOOL, "help", "formats"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [name.partition(":")[0] for name in re.findall(r"^  ([A-Z]\S*)  ", text, re.MULTILINE)]


def level_names():
    table = (SOURCE / "docs/Formats.md").read_text().partition("## Level formats")[2]
    return re.findall(r"^\| (\w+)(?:\(n\))? \|", table, re.MULTILINE)


def main():
    sections = SECTION.findall(PAGE.read_text())
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for file, text in FILES.values():
            pathlib.Path(folder, file).write_text(text)
        for title, picture, file, text, cells in sections:
            fresh, error = drawn(folder, file, text, cells.split())
            path = PICTURES / f"{picture}.svg"
            if fresh is None:
                failures.append(f"{title}: {error.strip()}")
            elif "--update" in sys.argv:
                path.write_text(fresh)
            elif not path.exists() or path.read_text() != fresh:
                failures.append(f"{title}: {path.name} is another picture than 'strata dump --svg' draws; "
                                "'gallery.py --update' writes them")
    titles = {name.strip() for title, *_ in sections for name in title.split(",")}
    for kind, names in (("named format", named_formats()), ("level format", level_names())):
        if len(names) < 15:
            failures.append(f"fewer than 15 {kind}s are listed: the pattern of this test is wrong")
        failures += [f"the {kind} {name} has no section" for name in names if name not in titles]
    unused = {path.stem for path in PICTURES.glob("*.svg")} - {picture for _, picture, *_ in sections}
    failures += [f"{name}.svg is in no section" for name in sorted(unused)]
    print(*failures, sep="\n")
    print(f"{len(sections)} drawings")
    sys.exit(bool(failures))


main()
