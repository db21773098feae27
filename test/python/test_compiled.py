"""Programs that are compiled ahead against the same programs run: all of examples/ and of
test/programs/, as a program and, called from C, as an object file. No LLVM is in them."""
import os
import pathlib
import re
import shlex
import subprocess

import harness

SOURCE = pathlib.Path(os.environ["STRATA_SOURCE"])
PROGRAMS = SOURCE / "test" / "programs"
LIBRARIES = pathlib.Path(harness.TOOL).resolve().parents[1] / "lib"
COMPILER = os.environ.get("CC", "cc").split()
MATRIX = PROGRAMS / "inputs" / "matrix.mtx"

# Programs that print storages: the trees below the buffers are what runs draw alone.
DRAWN = {"first", "prints"}


def run(command, folder):
    process = subprocess.run(list(map(str, command)), cwd=folder, text=True, timeout=600,
                             env={**os.environ, "SPARSE_FILE_NAME": str(MATRIX),
                                  "SPARSE_FILE_NAME0": str(MATRIX)},
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if process.returncode != 0:
        raise harness.Failure(f"{command[0]} ended with {process.returncode}: "
                              f"{process.stderr.strip()[:600]}")
    return process.stdout


def parameters_of(text, folder):
    """The -D options with which a program says that it is run: numbers, and files."""
    line = re.search(r"strata run .*", text)
    words = shlex.split(line[0].split(" | ")[0], comments=True) if line else []
    given = [words[at + 1].replace("%S", str(PROGRAMS)) for at, word in enumerate(words)
             if word == "-D"]
    if any("%t" in parameter for parameter in given):
        raise harness.Skip("it writes beside what the test makes")
    numbers, files = [], []
    for parameter in given:
        value = parameter.partition("=")[2]
        is_file = (folder / value).is_file() or pathlib.Path(value).is_file()
        (files if is_file else numbers).append(parameter)
    return [[word for parameter in group for word in ("-D", parameter)]
            for group in (numbers, files)]


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def check_open(file, numbers, files, expected, work):
    """The same where numbers and sizes are given to the program, and not to the compiler."""
    values = dict(word.split("=", 1) for word in numbers if word != "-D")
    still_open = {name: value for name, value in values.items() if is_number(value)}
    if not still_open:
        return
    options = {known: [word for name, value in values.items() if (name in still_open) != known
                       for word in ("-D", f"{name}={value}")] for known in (False, True)}
    run([harness.TOOL, "compile", file, *options[True], "--quiet", "-o", work / "open"],
        file.parent)
    check_same("with numbers that it is given, it",
               run([work / "open", *options[False], *files], file.parent), expected)


def same(printed, expected):
    """The texts agree but for times, and for the last digits of numbers that sums have rounded."""
    words, others = printed.split(), expected.split()
    if len(words) != len(others):
        return False
    after = ""
    for word, other in zip(words, others):
        timed, after = after == "ELAPSED_TIME", word if word != "=" else after
        if word == other or timed:
            continue
        try:
            a, b = float(word.rstrip(",)")), float(other.rstrip(",)"))
        except ValueError:
            return False
        if abs(a - b) > 1e-8 * max(abs(a), abs(b)) + 1e-18:
            return False
    return True


def without_widths(text):
    """Positions and coordinates have as many bits as the sizes of a run need, or a program's."""
    return re.sub(r" = \d+|\bi(8|16|32|64)\b", "", text)


def check_same(how, printed, expected):
    if not same(printed, expected):
        raise harness.Failure(f"{how} prints\n{printed[:400]}\nnot\n{expected[:400]}")


def link(caller, compiled, work):
    """Makes `called` of a C program and the object file whose functions it calls."""
    run([*COMPILER, "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-I", work, "-I", SOURCE,
         caller, compiled, f"-L{LIBRARIES}", "-lstrata_program", "-lstrata_runtime", "-lsleef", "-lm",
         f"-Wl,-rpath,{LIBRARIES}", "-o", work / "called"], work)


def check_object(file, numbers, files, expected, work):
    """The same as a function that a C program calls."""
    run([harness.TOOL, "compile", file, *numbers, "--quiet", "-o", work / "p.o"], file.parent)
    name = re.search(r"int32_t (\w+)_run", (work / "p.h").read_text())[1]
    texts = ", ".join(f'"{word}"' for word in files if word != "-D") or "0"
    (work / "main.c").write_text(
        f'#include "p.h"\nint main(void) {{\n  const char *files[] = {{{texts}}};\n'
        f"  return {name}_run({len(files) // 2}, files);\n}}\n")
    link(work / "main.c", work / "p.o", work)
    check_same("called from C, it", run([work / "called"], file.parent), expected)
    # What sanitizers add to programs comes from LLVM.
    symbols = "" if "-fsanitize" in " ".join(COMPILER) else run(["nm", "-C", work / "called"], work)
    if re.search(r"llvm|mlir", symbols, re.IGNORECASE):
        raise harness.Failure("there is LLVM in it")


def program(file, with_object):
    name = file.stem

    def case(work):
        folder = SOURCE if file.parent.name == "examples" else file.parent
        numbers, files = parameters_of(file.read_text(), folder)
        files = [word if word == "-D" else
                 "=".join([word.partition("=")[0], str((folder / word.partition("=")[2]).resolve())])
                 for word in files]
        expected = run([harness.TOOL, "run", file, *numbers, *files, "--quiet"], file.parent)
        command = [harness.TOOL, "compile", file, *numbers, "--quiet", "-o", work / "program"]
        if name in DRAWN:
            expected = expected[:expected.index("  tree\n")]
        run(command, file.parent)
        printed = run([work / "program", *files], file.parent)
        if name in DRAWN:
            printed, expected = without_widths(printed), without_widths(expected)
        check_same("it", printed, expected)
        check_open(file, numbers, files, expected, work)
        if with_object and name not in DRAWN:
            check_object(file, numbers, files, expected, work)
        return f"{len(expected.splitlines())} lines"
    return f"{file.parent.name}/{name}", case


def functions(work):
    """The functions of a program, but those whose parameters leave something open."""
    inputs = SOURCE / "test" / "tools" / "inputs"
    run([harness.TOOL, "compile", inputs / "functions.ta", "--quiet", "-o", work / "functions.o"],
        work)
    header = (work / "functions.h").read_text()
    if "factor: double" not in header or "functions_open" in header:
        raise harness.Failure(f"the header is\n{header}")
    link(inputs / "functions.c", work / "functions.o", work)
    printed = run([work / "called"], work)
    expected = "scaled: 30 0 30\nsame: 1 2 3\nseveral: 6\ndoubled: 2 4 6\nx =\n  1 1 1\n1 3\n"
    if printed.split() != expected.split():
        raise harness.Failure(f"they print\n{printed}")
    return "6 functions"


if __name__ == "__main__":
    harness.main([("functions", functions)] +
                 [program(file, with_object=True) for file in sorted((SOURCE / "examples").glob("*.ta"))] +
                 [program(file, with_object=False) for file in sorted(PROGRAMS.glob("*.ta"))])
