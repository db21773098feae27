"""Kernels as objects, called from C with each kind of mistake in the arguments: what is wrong is told,
with the storage and the buffer, and nothing is read that is not there."""
import os
import pathlib
import re
import subprocess

import harness

BUILD = pathlib.Path(harness.TOOL).parents[1]
INPUTS = pathlib.Path(__file__).parent / "inputs"
PROGRAM = """
def main() {
  IndexLabel [i, j, k] = [?];
  Tensor<double> A([i, j], {CSR, pos = 32, crd = 32});
  Tensor<double> x([j], Dense);
  Tensor<double> y([i], Dense);
  Tensor<double> C([i, k], {CSR, pos = 32, crd = 32});
  A[i, j] = read("A.mtx");
  x[j] = read("x.mtx");
  y[i] = A[i, j] * x[j];
  C[i, k] = A[i, j] * A[j, k];
  print(y);
  print(C);
}
"""
Y, A, X = "'y' (storage 0)", "'A' (storage 1)", "'x' (storage 2)"
# What is expected, by the number of the mistake.
MESSAGES = {
    1: "the list of storages is null",
    2: "the list of extents is null",
    3: f"{Y} is null",
    4: f"{A} is null",
    5: f"{A} has order 1; expected 2",
    6: f"{A} has 2 buffers; expected 3",
    7: f"{A}: its sizes are null",
    8: f"{A}: its buffers are null",
    9: f"{A}: buffer 0 (A2_pos) has elements of type i64; expected elements of type i32",
    10: f"{A}: buffer 2 (A_vals) has elements of type f32; expected elements of type f64",
    11: f"{X}: buffer 0 (x_vals) has type 99, which is none; expected elements of type f64",
    12: f"{Y}: buffer 0 (y_vals) has elements of type f32; expected elements of type f64",
    13: f"{A}: buffer 0 (A2_pos) is null, and has 4 elements",
    14: f"{A}: buffer 1 (A2_crd) is null, and has 4 elements",
    15: f"{X}: buffer 0 (x_vals) is null, and has 3 elements",
    16: f"{A}: buffer 0 (A2_pos) has 0 elements; expected at least 4",
    17: f"{X}: buffer 0 (x_vals) has 0 elements; expected at least 3",
    18: f"{A}: buffer 0 (A2_pos) has 3 elements; expected at least 4",
    19: f"{A}: buffer 1 (A2_crd) has 3 elements; expected at least 4",
    20: f"{A}: buffer 2 (A_vals) has 3 elements; expected at least 4",
    21: f"{X}: buffer 0 (x_vals) has 2 elements; expected at least 3",
    22: f"{A}: buffer 1 (A2_crd) has -1 elements",
    23: f"{A}: buffer 1 (A2_crd) has 4 elements; expected at least 1000000",
    24: f"{Y}: its size along dimension 1 is 3, but the extent of 'i' is 1000000",
    25: f"{Y}: its size along dimension 1 is 3, but the extent of 'i' is 2",
    26: f"{A}: its size along dimension 2 is 3, but the extent of 'j' is 1000000",
    27: "the extent of 'i' is -1",
    28: f"{X}: its size along dimension 1 is 2, but the extent of 'j' is 3",
    29: f"{Y}: its size along dimension 1 is 2, but the extent of 'i' is 3",
    30: f"{A}: its size along dimension 2 is 4, but the extent of 'j' is 3",
    31: f"{A}: its size along dimension 1 is -3",
    32: "'C' (storage 0): buffer 0 (C2_pos) has elements of type i64; expected elements of type i32",
    33: "'C' (storage 0): its size along dimension 2 is 4, but the extent of 'k' is 3",
    34: "its size along dimension 2 is 3, but the extent of",
    35: "",
}


def build(folder, stage):
    """The program with the kernels at a stage."""
    (folder / "program.ta").write_text(PROGRAM)
    kernels = "kernels.c" if stage == "c" else "kernels.o"
    harness.run_tool("emit", f"--stage={stage}", "-o", kernels, "program.ta", folder=folder)
    cache = (BUILD / "CMakeCache.txt").read_text()
    compilers = {language: re.search(rf"^CMAKE_{language}_COMPILER:\w+=(.*)$", cache,
                                     re.MULTILINE).group(1) for language in ("C", "CXX")}
    flags = re.search(r"^CMAKE_EXE_LINKER_FLAGS:\w+=(.*)$", cache, re.MULTILINE).group(1).split()
    objects = []
    for source in (INPUTS / "mistakes.c", *([kernels] if stage == "c" else [])):
        objects.append(pathlib.Path(source).stem + ".of.o")
        subprocess.run([compilers["C"], "-std=c99", "-O1", f"-I{os.environ['STRATA_SOURCE']}", "-c",
                        source, "-o", objects[-1]], cwd=folder, check=True)
    if stage != "c":
        objects.append(kernels)
    subprocess.run([compilers["CXX"], *flags, *objects, BUILD / "lib" / "libstrata_runtime.a",
                    "-ltbb", "-lm", "-o", "mistakes"], cwd=folder, check=True)
    return folder / "mistakes"


def checked(folder, stage):
    if harness.is_instrumented():
        raise harness.Skip("the runtime is instrumented, and needs its flags")
    program = build(folder, stage)
    for number in range(37):
        process = subprocess.run([program, str(number)], capture_output=True, text=True)
        status, _, message = process.stdout.strip().partition(" ")
        right = number not in MESSAGES
        if process.returncode != 0 or status != ("0" if right else "4") or not (
                message == MESSAGES.get(number, "") or (number == 34 and MESSAGES[34] in message)):
            raise harness.Failure(f"{number}: {process.returncode}, {process.stdout!r}; expected "
                                  f"{MESSAGES.get(number, 'no fault')!r}")
    return f"{len(MESSAGES)} mistakes"


def threads(folder):
    """STRATA_NUM_THREADS is heeded, whatever it says."""
    if harness.is_instrumented():
        raise harness.Skip("the runtime is instrumented, and needs its flags")
    program = build(folder, "obj")
    for count in ("1", "3", "0", "x", ""):
        process = subprocess.run([program, "0"], capture_output=True, text=True,
                                 env={**os.environ, "STRATA_NUM_THREADS": count})
        if process.stdout.strip() != "0":
            raise harness.Failure(f"{count!r}: {process.stdout}{process.stderr}")
    return "five settings"


def cases():
    for stage in ("obj", "c"):
        yield stage, lambda folder, stage=stage: checked(folder, stage)
    yield "threads", threads


if __name__ == "__main__":
    harness.main(cases())
