"""Checks that every dialect, op, type, attribute, enum and pass in a .td file says what it is for:
a summary, and (but for enums) a description. The reference pages are generated from them."""
import argparse
import json
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DESCRIBED = {
    "Dialect": "dialect",
    "Op": "op",
    "AttrDef": "attribute",
    "TypeDef": "type",
    "PassBase": "pass",
    "Interface": "interface",
}
SUMMARISED = {key: kind for key, kind in DESCRIBED.items() if key != "Interface"}
SUMMARISED["EnumInfo"] = "enum"
SHORTEST = 40  # characters; a description that merely repeats a name is none


def records(path, tblgen, includes):
    """The records that `path` itself defines (not those of files that it includes)."""
    command = [tblgen, "--dump-json", str(path)]
    for include in [str(SOURCE), *includes]:
        command += ["-I", include]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{path}: llvm-tblgen cannot read it:\n{run.stderr}")
    for name, record in json.loads(run.stdout).items():
        if name.startswith("!") or record["!anonymous"]:
            continue
        if any(str(location).startswith(f"{path.name}:") for location in record.get("!locs", [])):
            yield name, record


def complaints(record):
    kinds = record["!superclasses"]
    for key, kind in SUMMARISED.items():
        if key in kinds and not (record.get("summary") or "").strip():
            yield f"{kind} without a summary"
    for key, kind in DESCRIBED.items():
        if key in kinds and len((record.get("description") or "").strip()) < SHORTEST:
            yield f"{kind} without a description of at least {SHORTEST} characters"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tblgen", default="llvm-tblgen-22")
    parser.add_argument("-I", dest="includes", nargs="*", default=[])
    arguments = parser.parse_args()

    failures = seen = 0
    files = sorted((SOURCE / "strata").rglob("*.td"))
    for path in files:
        for name, record in records(path, arguments.tblgen, arguments.includes):
            seen += any(key in record["!superclasses"] for key in {**DESCRIBED, **SUMMARISED})
            for complaint in complaints(record):
                failures += 1
                print(f"{path.relative_to(SOURCE)}: error: {name}: {complaint}")
    print(f"{len(files)} files, {seen} definitions, {failures} not described")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
