"""Checks that no level format is named outside strata/level/, except in the table of shorthands.

The level formats are the files of strata/level/ that its CMakeLists.txt lists. Outside, in C++ and
in .td files, neither their classes (Dense, DenseLevel, createDenseLevel, isDense, ...) nor their
quoted names ("dense") may appear. Comments and descriptions may speak of them.
"""
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LEVELS = SOURCE / "strata" / "level"
TABLE = "strata/dialect/ta/Shorthands."
FOLDERS = ("strata", "tools")
SUFFIXES = {".h", ".cpp", ".c", ".td", ".def"}

# What C++ and TableGen sources consist of, as far as this check cares; longer things first.
TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      |R"(?P<tag>\w*)\((?P<raw>.*?)\)(?P=tag)"
      |"(?P<string>(?:\\.|[^"\\\n])*)"
      |'(?:\\.|[^'\\\n])+'
      |(?P<word>(?:\w+::)*\w+)""",
    re.VERBOSE | re.DOTALL,
)
DESCRIPTION = re.compile(r"\b(?:description|summary)\s*=\s*\[\{.*?\}\]", re.DOTALL)
UPSTREAM = ("mlir::", "llvm::", "std::", "lsp::")
# Words of file formats, of the language (for t in range(...)) and of the Language Server Protocol that
# happen to be names of ours.
FOREIGN = {"strata/runtime/io/BinsparseDescriptor.cpp": {"dense"},
           "strata/frontend/ParseControlFlow.cpp": {"range"}, "strata/frontend/NameUses.cpp": {"range"},
           **{f"tools/strata/lsp/{name}.cpp": {"range"}
              for name in ("Complete", "Diagnose", "LanguageServer", "Words")}}


def level_classes():
    """The class name stems: Dense, Compressed, ..."""
    listed = re.search(r"set\(STRATA_LEVELS\s+([^)]*)\)", (LEVELS / "CMakeLists.txt").read_text())
    if not listed:
        sys.exit("strata/level/CMakeLists.txt: no list STRATA_LEVELS")
    return listed.group(1).split()


def registered_name(stem):
    """`MyLevel` is registered as "my_level"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", stem).lower()


def forbidden_words(stems):
    patterns = "{0} {0}Level {0}Format {0}LevelFormat create{0}Level is{0} is{0}Level".split()
    return {pattern.format(stem) for stem in stems for pattern in patterns}


def without_descriptions(text):
    """Blanks the prose of a .td file; lines keep their numbers."""
    return DESCRIPTION.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def offences(text, words, names):
    """Yields (offset, what) for each place where `text` names a level format."""
    for token in TOKEN.finditer(text):
        string = token["string"] if token["string"] is not None else token["raw"]
        if string is not None:
            parts = re.findall(r"\w+", string)
            if parts and all(part in names for part in parts):
                yield token.start(), f'"{string}"'
        word = token["word"]
        if word and not word.startswith(UPSTREAM) and word.split("::")[-1] in words:
            yield token.start(), word


def main():
    stems = level_classes()
    words, names = forbidden_words(stems), {registered_name(stem) for stem in stems}
    files = sorted(
        path
        for folder in FOLDERS
        for path in (SOURCE / folder).rglob("*")
        if path.suffix in SUFFIXES and LEVELS not in path.parents
    )
    found = 0
    for path in files:
        relative = path.relative_to(SOURCE).as_posix()
        if relative.startswith(TABLE):
            continue
        text = path.read_text()
        if path.suffix == ".td":
            text = without_descriptions(text)
        for offset, what in offences(text, words, names - FOREIGN.get(relative, set())):
            found += 1
            line = text.count("\n", 0, offset) + 1
            print(f"{relative}:{line}: error: {what} names a level format outside strata/level/")
    print(f"{len(files)} files, {len(stems)} level formats, {found} named where they should not be")
    if found:
        print("note: ask for a property or a capability (strata/level/LevelFormat.h) instead")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
