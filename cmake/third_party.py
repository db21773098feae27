"""Writes the licences of the libraries that THIRD_PARTY.md names: python3 third_party.py OUTPUT.

The texts are those of Debian's packages, where these are installed; without them an entry says where
the library comes from.
"""

import fnmatch
import pathlib
import re
import sys
import typing

SOURCE = pathlib.Path(__file__).resolve().parents[1]
PAGE = SOURCE / "THIRD_PARTY.md"
DOCUMENTS = pathlib.Path("/usr/share/doc")
COMMON_TEXTS = pathlib.Path("/usr/share/common-licenses")
COMMON = re.compile(rf"{COMMON_TEXTS}/([A-Za-z0-9.-]*[A-Za-z0-9])")


class Library(typing.NamedTuple):
    name: str
    address: str
    licence: str
    how: str
    files: typing.List[str]
    package: str

    def has(self, file):
        """Whether this is one of its files: a base name, or a folder of headers with a slash."""
        stem = file if file.endswith("/") else re.sub(r"(-[0-9a-f]{8})?(\.so[.0-9]*|\.a)$", "", file)
        return any(fnmatch.fnmatchcase(stem, pattern) for pattern in self.files)


def libraries():
    """The rows of the page's table."""
    found = []
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        linked = re.fullmatch(r"\[(.*)\]\((.*)\)", cells[0]) if len(cells) == 6 else None
        if linked:
            name, address = linked.groups()
            files = re.findall(r"`([^`]+)`", cells[4])
            found.append(Library(name, address, cells[1], cells[3], files, cells[5]))
    return found


def system_files():
    """The patterns of the libraries that belong to the system."""
    text = PAGE.read_text()
    paragraph = text[text.index("libraries of the system") :].split("\n\n")[0]
    return re.findall(r"`([^`]+)`", paragraph)


def texts():
    """The text of the whole file."""
    parts, common = [], set()
    for library in libraries():
        path = DOCUMENTS / library.package / "copyright"
        head = f"{library.name}: {library.licence}\n{library.address}\n"
        if path.is_file():
            text = path.read_text(errors="replace")
            common.update(COMMON.findall(text))
        else:
            text = "The text of the licence comes with the library.\n"
        parts.append((head, text))
    # Several names may be of one text.
    for path in sorted({(COMMON_TEXTS / name).resolve() for name in common}):
        if path.is_file():
            head = f"{path.name}: the licence that is referred to above\n"
            parts.append((head, path.read_text(errors="replace")))
    rule = "=" * 98 + "\n"
    start = "The licences of the libraries that Strata contains or loads.\n\n"
    return start + "\n".join(rule + head + rule + "\n" + text for head, text in parts)


def main():
    pathlib.Path(sys.argv[1]).write_text(texts())


if __name__ == "__main__":
    main()
