"""Checks what a shared library exports, and what it needs: exports.py NM READELF LIBRARY...

Only names that begin with strata_ leave a library, or those of the standard that it implements, so that
none meets another's LLVM or C++ library.
No LLVM is needed: what the compiler takes of it is inside, and compiled programs take nothing.
"""

import re
import subprocess
import sys


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def complaints(nm, readelf, library):
    names = [
        line.split("@")[0]
        for line in run(nm, "-D", "--defined-only", "--format=just-symbols", library).split()
    ]
    own = "TAPP_" if "libstrata_tapp" in library else "strata_|STRATA_"
    foreign = [name for name in names if not re.match(own, name)]
    if foreign or not names:
        yield f"exports {', '.join(foreign[:5]) or 'nothing'}"
    for needed in re.findall(r"Shared library: \[(.*)\]", run(readelf, "-dW", library)):
        if re.match(r"lib(LLVM|MLIR|clang)", needed):
            yield f"needs {needed}"


def main():
    nm, readelf, *libraries = sys.argv[1:]
    found = [
        f"{library}: {text}" for library in libraries for text in complaints(nm, readelf, library)
    ]
    print("\n".join(found) or f"{len(libraries)} libraries export Strata's names alone")
    return 1 if found or not libraries else 0


if __name__ == "__main__":
    sys.exit(main())
