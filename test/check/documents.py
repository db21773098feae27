"""Checks what the project's pages say of its sources: files and folders that they name exist, a
function named as "`NAME` in `FILE`" stands in that file, links lead to pages and headings, the files
that Hacking.md lists for an element type know bfloat16, Architecture.md has the folders in the order
of layers.py, and CITATION.cff has the version of the build."""
import pathlib
import re
import sys

from layers import LAYERS

SOURCE = pathlib.Path(__file__).resolve().parents[2]
ROOMS = "strata|test|tools|docs|python|examples|benchmark|cmake|accelerators|editors"
PATH = re.compile(rf"`((?:{ROOMS})/[\w./*+-]*)`")
NAMED = re.compile(rf"`([\w:]+)`(?:,)? (?:in|of) `((?:{ROOMS})/[\w./-]+)`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
PLACEHOLDER = re.compile(r"\b[A-Z]{3,}\b(?!\.md)|\bROOM\b")
ELSEWHERE = {"strata/kernels", "strata/strata.toml"}  # a user's kernel cache, and settings
BFLOAT = re.compile(r"bf16|bfloat16", re.IGNORECASE)


def pages():
    return sorted([*SOURCE.glob("*.md"), *(SOURCE / "docs").rglob("*.md")])


def anchors(page):
    """The names that GitHub gives to headings."""
    seen = {}
    for heading in re.findall(r"^#+ (.*)$", CODE.sub("", page.read_text()), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        yield f"{name}-{count}" if count else name


def missing_paths(text):
    for name in PATH.findall(text):
        if PLACEHOLDER.search(name) or name in ELSEWHERE:
            continue
        if not any(SOURCE.glob(name.rstrip("/"))):
            yield f"names {name}, which does not exist"
    for function, name in NAMED.findall(text):
        file = SOURCE / name
        if file.is_file() and not re.search(rf"\b{re.escape(function)}\b", file.read_text()):
            yield f"names {function} in {name}, which does not have it"


def broken_links(page, text):
    for link in LINK.findall(text):
        target, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = (page.parent / target).resolve() if target else page
        if not file.exists():
            yield f"links to {link}, which does not exist"
        elif anchor and file.suffix == ".md" and anchor not in set(anchors(file)):
            yield f"links to {link}, but there is no such heading"


def type_files(text):
    """The files of the section on element types that do not know bfloat16."""
    section = text.partition("## Add an element type")[2].partition("\n## ")[0]
    for name in PATH.findall(section):
        if (SOURCE / name).is_file() and not BFLOAT.search((SOURCE / name).read_text()):
            yield f"lists {name} for an element type, which does not know bfloat16"


def rooms(text):
    """Folders of layers.py that Architecture.md lacks, or has in another order."""
    section = text.partition("## The rooms")[2].partition("\n## ")[0]
    table = [re.findall(r"`([\w/]+)`", cell) for cell in re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE)]
    row = {name: at for at, names in enumerate(table) for name in names}

    def place(folder):
        while folder not in row and folder:
            folder = folder.rpartition("/")[0]
        return row.get(folder, -1)

    for folder, grounds in LAYERS.items():
        if place(folder) < 0:
            yield f"has no row for strata/{folder}"
        for ground in grounds:
            if place(ground) > place(folder):
                yield f"has strata/{ground} below strata/{folder}, which stands on it"


def main():
    failures = []
    for page in pages():
        raw = page.read_text()
        text = CODE.sub("", raw)
        found = [*missing_paths(text), *broken_links(page, text)]
        if page.name == "Architecture.md":
            found += rooms(text)
        if page.name == "Hacking.md":
            found += type_files(text)
        failures += [f"{page.relative_to(SOURCE)} {what}" for what in found]
    version = re.search(r"project\(Strata VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text())
    if f"version: {version.group(1)}\n" not in (SOURCE / "CITATION.cff").read_text():
        failures.append("CITATION.cff has another version than CMakeLists.txt")
    for failure in failures:
        print(failure)
    print(f"{len(pages())} pages, {len(failures)} complaints")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
