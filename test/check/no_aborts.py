"""Checks that nothing in strata/ and tools/ ends the process: docs/rationale/Errors.md.

Comments and texts may speak of such functions.
"""
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("strata", "tools")
# HDF5 files are read by a process of its own, which ends itself.
# A run of several processes, of which one is lost, ends as a whole if its owner says so.
# A worker of `strata serve` is a process of its own, too.
ALLOWED = {"tools/strata-hdf5/Image.cpp": {"_exit"}, "strata/runtime/dist/Mpi.c": {"_exit"},
           "tools/strata/serve/Worker.cpp": {"_exit"}}
SUFFIXES = {".h", ".cpp", ".c", ".td", ".def"}
COMMENT_OR_TEXT = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<tag>\w*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""",
    re.DOTALL,
)
ENDS = re.compile(
    r"""\b(?:assert|abort|terminate|exit|_exit|_Exit|quick_exit|unreachable|llvm_unreachable
           |report_fatal_error|reportFatalInternalError|reportFatalUsageError|cantFail|ExitOnError
           |__builtin_unreachable|__builtin_trap|LLVM_BUILTIN_TRAP)\b(?=\s*\()
       |\#\s*include\s*<(?:cassert|assert\.h)>|\bExitOnError\b|\bthrow\b""",
    re.VERBOSE,
)


def without_texts(source):
    """Blanks comments and texts; lines keep their numbers."""
    return COMMENT_OR_TEXT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), source)


def endings(source):
    """Yields (line, word) for each place that would end the process."""
    code = without_texts(source)
    for found in ENDS.finditer(code):
        yield code.count("\n", 0, found.start()) + 1, found.group()


def self_test():
    bad = ['assert(x);', 'llvm_unreachable("why");', 'std::abort();', 'cantFail(f());',
           '#include <cassert>', 'throw 1;', 'ExitOnError check;', 'report_fatal_error("x");']
    good = ['static_assert(x);', '// assert(x)', 'print("exit(1)");', '/* abort() */', 'leave(exit);']
    for source in bad:
        if not list(endings(source)):
            sys.exit(f"the check overlooks {source}")
    for source in good:
        if list(endings(source)):
            sys.exit(f"the check objects to {source}")


def main():
    self_test()
    found = []
    for folder in FOLDERS:
        for path in sorted((SOURCE / folder).rglob("*")):
            if path.suffix in SUFFIXES:
                name = path.relative_to(SOURCE).as_posix()
                for line, word in endings(path.read_text()):
                    if word not in ALLOWED.get(name, set()):
                        found.append(f"{name}:{line}: error: {word}")
    if found:
        print("\n".join(found))
        print("note: the process belongs to whoever embeds Strata; docs/rationale/Errors.md says "
              "what to write instead")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
