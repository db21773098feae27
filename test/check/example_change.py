"""Checks the change that docs/Architecture.md shows: that it applies to the sources; with --build, in
a copy of them, that strata-opt builds, and that SpMM's loops are in the other order then.

    example_change.py [--build STRATA_OPT GENERATOR C_COMPILER CXX_COMPILER]
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

SOURCE = pathlib.Path(__file__).resolve().parents[2]
KERNEL = SOURCE / "test" / "golden" / "csr-spmm.mlir"


def change():
    page = (SOURCE / "docs" / "Architecture.md").read_text()
    [block] = re.findall(r"^ *```diff\n(.*?)^ *```", page, re.MULTILINE | re.DOTALL)
    return textwrap.dedent(block)


def apply(folder, *options):
    run = subprocess.run(["git", "apply", *options, "-"], cwd=folder, input=change(), text=True,
                         capture_output=True)
    if run.returncode:
        sys.exit(f"the change of docs/Architecture.md does not apply:\n{run.stderr}")


def loops(opt):
    """The labels of the kernel's loops, outermost first."""
    run = subprocess.run([opt, KERNEL, "--strata-kernel=stage=cin"], capture_output=True, text=True,
                         check=True)
    return re.findall(r'cin\.forall .*name = "(\w+)"', run.stdout)


def rebuilt(work, generator, c_compiler, cxx_compiler):
    """strata-opt of a copy of the sources with the change."""
    shutil.copytree(SOURCE, work, dirs_exist_ok=True, ignore=shutil.ignore_patterns("build*", ".git"))
    apply(work)
    build = work / "build"
    subprocess.run(["cmake", "-S", work, "-B", build, "-G", generator, "-DCMAKE_BUILD_TYPE=Release",
                    f"-DCMAKE_C_COMPILER={c_compiler}", f"-DCMAKE_CXX_COMPILER={cxx_compiler}",
                    "-DSTRATA_TESTS=OFF"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", build, "--target", "strata-opt", "--parallel", "2"], check=True,
                   stdout=subprocess.DEVNULL)
    return build / "bin" / "strata-opt"


def main():
    apply(SOURCE, "--check")
    print("the change applies")
    if sys.argv[1:2] == ["--build"]:
        opt, *tools = sys.argv[2:]
        before = loops(opt)
        with tempfile.TemporaryDirectory() as work:
            after = loops(rebuilt(pathlib.Path(work), *tools))
        print(f"loops over {', '.join(before)} before, {', '.join(after)} with it")
        if before != ["i", "j", "k"] or after != ["i", "k", "j"]:
            sys.exit("these are not the orders that docs/Architecture.md tells")
    return 0


if __name__ == "__main__":
    sys.exit(main())
