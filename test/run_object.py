"""Runs a program as `strata run` does, from an object file for another processor: run FILE OPTION...

STRATA compiles it for the processor CPU; LINKER, a C compiler's command, links it with the libraries of
the build in the folder BUILD; EMULATOR (`env`: none) runs it. test/same_bits.py takes this in place of
strata: both times, since what is compiled before its files are known may store other widths and zeros.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

MAIN = "#include <stdint.h>\nint32_t %s(int32_t, const char *const *);\nint main(void) { return %s(0, 0); }\n"


def main():
    options = sys.argv[2:]
    libraries = pathlib.Path(os.environ["BUILD"], "lib")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        made = subprocess.run([os.environ["STRATA"], "compile", f"--cpu={os.environ['CPU']}", *options,
                               "-o", folder / "program.o"])
        if made.returncode:
            return made.returncode
        entry = re.search(r"\b(\w+_run)\(", (folder / "program.h").read_text())[1]
        (folder / "main.c").write_text(MAIN % (entry, entry))
        subprocess.run([*shlex.split(os.environ["LINKER"]), folder / "main.c", folder / "program.o",
                        "-o", folder / "program", f"-L{libraries}", "-lstrata_program",
                        "-lstrata_runtime", f"-Wl,-rpath,{libraries}", "-lm", "-lsleef"], check=True)
        return subprocess.run([*shlex.split(os.environ["EMULATOR"]), folder / "program"]).returncode


if __name__ == "__main__":
    sys.exit(main())
