"""Checks that THIRD_PARTY.md names every library that is linked, loaded or included:
third_party.py BUILD READELF FILE...

The files are shared libraries and programs of the build; archives are those of its build.ninja.
"""

import fnmatch
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r"^\s*#\s*include\s*<([^/>]+/)", re.MULTILINE)
SYSTEM_HEADERS = {"sys/", "linux/", "arpa/", "netinet/"}
BROUGHT_BY_PROGRAMS = {"spblas/"}  # which include Strata's headers beside these


def load_page():
    path = SOURCE / "cmake/third_party.py"
    spec = importlib.util.spec_from_file_location("third_party", path)
    page = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(page)
    return page


def loaded(readelf, path):
    """The names of the shared libraries that a file loads."""
    text = subprocess.run([readelf, "-d", path], check=True, capture_output=True, text=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.+)\]", text)


def linked(build, outputs):
    """The archives and libraries of others that the build links into these files."""
    ninja = build / "build.ninja"
    found, inside = set(), False
    for line in ninja.read_text().splitlines() if ninja.is_file() else ():
        if line.startswith("build "):
            inside = any(output in line.split(":")[0].split() for output in outputs)
        elif inside and line.strip().startswith("LINK_LIBRARIES"):
            found.update(
                pathlib.PurePath(word).name
                for word in re.split(r"[\s,]+", line)
                if word.startswith("/") and re.search(r"\.(a|so)[.0-9]*$", word)
            )
    return found


def included():
    """The folders of headers of others."""
    found = set()
    for folder in ("strata", "tools", "python"):
        for path in sorted((SOURCE / folder).rglob("*")):
            if path.suffix in (".h", ".hpp", ".cpp", ".c"):
                found.update(INCLUDE.findall(path.read_text()))
    return found - SYSTEM_HEADERS - BROUGHT_BY_PROGRAMS


def main():
    page = load_page()
    build, readelf = pathlib.Path(sys.argv[1]), sys.argv[2]
    files = [pathlib.Path(name) for name in sys.argv[3:]]
    libraries, system = page.libraries(), page.system_files()
    used = included()
    outputs = set()
    for file in files:
        if file.is_file():
            used.update(loaded(readelf, file))
            outputs.add(str(file.resolve().relative_to(build.resolve())))
    used |= linked(build, outputs)
    own = {name for name in used if name.startswith(("libstrata", "strata/"))}
    unnamed = [
        name
        for name in sorted(used - own)
        if not any(library.has(name) for library in libraries)
        and not any(fnmatch.fnmatchcase(name.split(".so")[0], pattern) for pattern in system)
    ]
    if unnamed:
        sys.exit("THIRD_PARTY.md names no library with these files: " + ", ".join(unnamed))
    if len(used - own) < len(libraries) / 2:
        sys.exit(f"only {len(used)} files of libraries were found")
    if not all(library.files and library.licence and library.package for library in libraries):
        sys.exit("THIRD_PARTY.md has rows with empty cells")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "texts"
        path.write_text(page.texts())
        text = path.read_text()
    for library in libraries:
        if f"{library.name}: {library.licence}\n" not in text:
            sys.exit(f"the file of licences lacks {library.name}")
    print(f"{len(used - own)} files of libraries, all named")


if __name__ == "__main__":
    main()
