"""Checks which folder of strata/ includes which, against the table LAYERS.

Loops in threads go through one header, so that the threads of a program's pool work in them.
"""
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^#include "strata/(.+)"', re.MULTILINE)
SHARED = {"Version.h"}
ALGORITHM = re.compile(r"^#include <tbb/parallel_", re.MULTILINE)
# The header, and what measures how fast oneTBB's own threads are there.
WITH_ALGORITHMS = {"runtime/Parallel.h", "machine/Measure.cpp"}

# Each folder of strata/, from the ground up, and the folders whose headers it may include.
RUNTIME = ["runtime", "runtime/storage"]
DIALECTS = ["dialect/ta", "dialect/cin", "dialect/lvl"]
LAYERS = {
    # What kernels call and storages are: no MLIR.
    "runtime": [],
    "runtime/storage": ["runtime"],
    "runtime/dense": RUNTIME,
    "runtime/io": RUNTIME,
    # Messages between the processes of a run; MPI is behind its plugins.
    "runtime/dist": RUNTIME,
    # What a program does beside its kernels: no MLIR.
    "host": [*RUNTIME, "runtime/io", "runtime/dense", "runtime/dist"],
    # How fast what kernels need is.
    "machine": ["runtime", "runtime/io"],
    # What an accelerator would take: no MLIR.
    "accelerator": ["runtime", "machine"],
    # What a format is, and the three languages.
    "level": ["runtime"],
    "dialect/ta": ["level", "runtime"],
    "dialect/cin": ["dialect/ta"],
    "dialect/lvl": ["dialect/ta"],
    # Meaning without the compiler.
    "reference": ["dialect/ta", *RUNTIME],
    # What kernels cost.
    "cost": ["level", "runtime", "machine", "dialect/ta", "dialect/lvl"],
    # The compiler: from each language to the next.
    "lower/analysis": ["level", "dialect/ta", "dialect/cin"],
    "lower/utils": [*DIALECTS, "lower/analysis"],
    "schedule": ["dialect/ta", "dialect/cin", "lower/analysis"],
    "lower/ta": ["dialect/ta", "lower", "lower/utils", "lower/analysis"],
    "lower/cin": ["dialect/ta", "dialect/cin", "lower", "lower/utils", "lower/analysis",
                  "schedule"],
    "lower/entry": ["level", "dialect/ta", "lower", "lower/utils", "lower/analysis"],
    "lower/lvl": ["level", *DIALECTS, "lower", "lower/utils", "lower/analysis", "lower/cin"],
    "lower/scf": ["level", "runtime", "dialect/ta", "dialect/lvl", "lower", "lower/utils",
                  "lower/analysis", "lower/entry"],
    "lower": [*DIALECTS, "lower/analysis", "lower/entry"],
    "target/c": ["lower/entry"],
    # What makes programs, and machine code.
    "frontend": ["level", "runtime", "dialect/ta"],
    "interop": ["dialect/ta"],
    "target/cpu": ["runtime", "lower/analysis"],
    # Tensors at run time: types of the compiler, storages of the runtime.
    "tensor": [*RUNTIME, "runtime/dist", "host", "level", "dialect/ta", "lower/entry"],
    # What the command line, the environment and files say of a process.
    "settings": ["runtime", "frontend", "tensor"],
    # The one door to kernels: outlined, compiled, kept, called.
    "compile": ["dialect/ta", *RUNTIME, "host", "lower/analysis", "lower", "target/cpu", "tensor"],
    # What statements and storages will need, before they are there.
    "estimate": [*RUNTIME, "host", "level", "dialect/ta", "cost", "lower/analysis",
                 "tensor", "compile"],
    # From any format to any other, and from and to lists, by kernels.
    "conversion": [*RUNTIME, "runtime/io", "host", "level", "dialect/ta", "lower/analysis",
                   "lower/entry", "tensor", "compile", "estimate"],
    # Whole programs as data for host/, and as object files.
    "translate": ["host", "dialect/ta", "lower/analysis", "lower/entry", "lower",
                  "target/cpu", "tensor", "compile", "conversion"],
    # In place of upstream's --sparsifier.
    "sparsifier": ["interop", "lower", "target/cpu", "tensor", "translate"],
    # What a program does, in words and at each stage.
    "explain": [*DIALECTS, "runtime", "cost", "lower/analysis", "schedule", "lower/ta",
                "lower/entry", "lower", "target/c", "target/cpu", "tensor", "compile", "estimate"],
    # Pictures and pages of what a program does.
    "page": ["runtime/dist", "host", "cost", "dialect/ta", "tensor", "compile", "target/cpu",
             "conversion", "translate", "explain"],
    # Programs that run while they are compiled, checked against the reference.
    "run": [*RUNTIME, "runtime/io", "runtime/dist", "host", "machine", "dialect/ta", "reference", "cost",
            "lower/analysis", "tensor", "compile", "estimate", "conversion", "translate",
            "explain"],
    # What other languages call.
    "api": ["runtime", "runtime/io", "runtime/dist", "host", "machine", "level", "dialect/ta", "lower/analysis",
            "lower/entry", "lower", "frontend", "interop", "tensor", "settings", "compile", "conversion",
            "explain", "run",
            "page"],
    # Interfaces that others have agreed on, on strata.h.
    "api/tapp": ["runtime/storage", "api"],
}

# The rooms of lower/ know what the passes are called, not in which order they run.
ROOMS_MAY_INCLUDE = {"Passes.h", "Passes.h.inc"}


def complaints(path, used):
    folder = str(path.parent.relative_to(SOURCE / "strata"))
    if folder not in LAYERS:
        yield f"{folder}/ has no layer: say in {pathlib.Path(__file__).name} what it stands on"
        return
    text = path.read_text()
    if ALGORITHM.search(text) and str(path.relative_to(SOURCE / "strata")) not in WITH_ALGORITHMS:
        yield "includes an algorithm of oneTBB; loops in threads are those of runtime/Parallel.h"
    for name in INCLUDE.findall(text):
        if name in SHARED:
            continue
        other = str(pathlib.PurePosixPath(name).parent)
        if other == folder:
            continue
        used.add((folder, other))
        if other not in LAYERS[folder]:
            yield f"includes {name}; {folder}/ stands on {', '.join(LAYERS[folder]) or 'nothing'}"
        elif (other == "lower" and folder.startswith("lower/")
              and pathlib.PurePosixPath(name).name not in ROOMS_MAY_INCLUDE):
            yield f"includes {name}, which stands above it"


def unordered():
    """Layers that stand on one below them in the table; lower/ itself closes the rooms."""
    above = set()
    for folder, grounds in LAYERS.items():
        for ground in grounds:
            if ground not in above and not (ground == "lower" and folder.startswith("lower/")):
                yield f"{folder}/ stands on {ground}/, which comes after it"
        above.add(folder)


def main():
    failures = list(unordered())
    used = set()
    files = [path for end in ("h", "cpp") for path in sorted((SOURCE / "strata").rglob(f"*.{end}"))
             if path.parent != SOURCE / "strata"]
    for path in files:
        failures += [f"{path.relative_to(SOURCE)}: {text}" for text in complaints(path, used)]
    failures += [f"{folder}/ includes nothing of {ground}/: drop it from its layer"
                 for folder, grounds in LAYERS.items() for ground in grounds
                 if (folder, ground) not in used]
    for failure in failures:
        print(failure)
    print(f"{len(files)} files in {len(LAYERS)} folders, {len(failures)} complaints")
    return 1 if failures or not files else 0


if __name__ == "__main__":
    sys.exit(main())
