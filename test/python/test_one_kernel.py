"""One kernel for all front ends (001, figure 2): a program's text, the library for C, Python's einsum,
TACO's command line and a module of linalg say the same product, and the code that is emitted is the
same but for the names."""
import ctypes
import os
import pathlib
import re
import subprocess
import sys

import harness

BUILD = pathlib.Path(harness.TOOL).parents[1]

PROGRAM = """
def main() {{
  IndexLabel [i] = [?];
  IndexLabel [j] = [?];
  Tensor<double> A([i, j], {format});
  Tensor<double> x([j], Dense);
  Tensor<double> y([i], Dense);
  A[i, j] = read("A.mtx");
  x[j] = read("x.tns");
  y[i] = A[i, j] * x[j];
  print(y);
}}
"""

MODULE = """
#A = #sparse_tensor.encoding<{{map = {map}, posWidth = 32, crdWidth = 32}}>
func.func private @getTensorFilename(index) -> !llvm.ptr
func.func @main() {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = call @getTensorFilename(%c0) : (index) -> !llvm.ptr
  %two = call @getTensorFilename(%c1) : (index) -> !llvm.ptr
  %A = sparse_tensor.new %one : !llvm.ptr to tensor<?x?xf64, #A>
  %s = sparse_tensor.new %two : !llvm.ptr to tensor<?xf64, #sparse_tensor.encoding<{{map = (j) -> (j : compressed)}}>>
  %x = sparse_tensor.convert %s : tensor<?xf64, #sparse_tensor.encoding<{{map = (j) -> (j : compressed)}}>> to tensor<?xf64>
  %m = tensor.dim %A, %c0 : tensor<?x?xf64, #A>
  %empty = tensor.empty(%m) : tensor<?xf64>
  %y = linalg.fill ins(%zero : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %r = linalg.matvec ins(%A, %x : tensor<?x?xf64, #A>, tensor<?xf64>)
                     outs(%y : tensor<?xf64>) -> tensor<?xf64>
  %out = sparse_tensor.convert %r : tensor<?xf64> to tensor<?xf64, #sparse_tensor.encoding<{{map = (j) -> (j : compressed)}}>>
  sparse_tensor.print %out : tensor<?xf64, #sparse_tensor.encoding<{{map = (j) -> (j : compressed)}}>>
  return
}}
"""

FORMATS = {
    "CSR": ("ds", "(i, j) -> (i : dense, j : compressed)"),
    "DCSR": ("ss", "(i, j) -> (i : compressed, j : compressed)"),
    "CSC": ("ds:1,0", "(i, j) -> (j : dense, i : compressed)"),
}


def bodies(source):
    """The bodies of kernels, with their identifiers numbered as they come."""
    found = re.findall(r"^static void kernel_\w+_body\((.*?)^}", source, re.MULTILINE | re.DOTALL)
    kept = {"int64_t", "int32_t", "uint32_t", "double", "const", "restrict", "for", "while", "if",
            "else", "static", "sizes", "buffers", "data", "count", "bool", "true", "false"}
    for text in found:
        names = {}

        def rename(match):
            word = match.group()
            if word in kept or word.startswith("strata_"):
                return word
            return names.setdefault(word, f"n{len(names)}")

        yield re.sub(r"[A-Za-z_]\w*", rename, " ".join(text.split()))


def product(source):
    """The body of the kernel that multiplies."""
    found = [body for body in bodies(source) if "+=" in body and "*" in body]
    if len(found) != 1:
        raise harness.Failure(f"{len(found)} kernels multiply in:\n{source}")
    return found[0]


def by_library(text, formats):
    """What strata_statement_show of the library gives."""
    library = ctypes.CDLL(str(BUILD / "lib" / "libstrata.so"))
    for name in ("strata_session_create", "strata_format_parse", "strata_statement_create",
                 "strata_statement_show"):
        getattr(library, name).restype = ctypes.c_void_p
    library.strata_error_text.restype = ctypes.c_char_p

    def check(error):
        if error:
            raise harness.Failure(library.strata_error_text(ctypes.c_void_p(error)).decode())

    class Operand(ctypes.Structure):
        _fields_ = [("name", ctypes.c_char_p), ("format", ctypes.c_void_p)]

    class Options(ctypes.Structure):
        _fields_ = [("result", ctypes.c_void_p), ("schedule", ctypes.c_char_p),
                    ("deterministic", ctypes.c_int32), ("machines", ctypes.c_void_p),
                    ("machine_count", ctypes.c_int32)]

    session, statement, shown = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_char_p()
    check(library.strata_session_create(ctypes.byref(session)))

    def parse(words, order):
        made, f64 = ctypes.c_void_p(), 5
        check(library.strata_format_parse(session, words.encode(), order, f64, ctypes.byref(made)))
        return made

    operands = (Operand * len(formats))(*(Operand(name.encode(), parse(words, order))
                                          for name, (words, order) in formats.items()))
    options = Options(result=parse("Dense", 1))
    check(library.strata_statement_create(session, text.encode(), operands, len(formats),
                                          ctypes.byref(options), ctypes.byref(statement)))
    check(library.strata_statement_show(statement, b"c", ctypes.byref(shown)))
    return shown.value.decode()


def by_einsum(name):
    """What Python compiles for the subscripts."""
    code = ("import strata as st\nfrom strata.einsums import statement_of\n"
            "text, (A, x) = statement_of('ij,j->i', ((4, 6), (6,)))\n"
            f"print(st.compile(text, **{{A: st.spec(2, {name!r}), x: st.spec(1)}},"
            " format='Dense').source('c'))")
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": str(BUILD / "python")})
    if ran.returncode != 0:
        raise harness.Failure(ran.stderr)
    return ran.stdout


def agrees(folder, name):
    words, levels = FORMATS[name]
    statement = "y(i) = A(i,j) * x(j)"
    place = pathlib.Path(folder)
    (place / "p.ta").write_text(PROGRAM.format(format=name))
    (place / "m.mlir").write_text(MODULE.format(map=levels))

    def emitted(*arguments):
        return harness.run_tool("emit", "--stage=c", *arguments, folder=folder)

    sources = {
        "TACO's command line": emitted(statement, f"-f=A:{words}", "-f=x:d", "-f=y:d"),
        "a program": emitted("p.ta"),
        "a module of linalg": emitted("m.mlir"),
        "the library for C": by_library(statement, {"A": (name, 2), "x": ("Dense", 1)}),
        "einsum": by_einsum(name),
    }
    first = product(sources["TACO's command line"])
    for door, source in sources.items():
        if product(source) != first:
            raise harness.Failure(f"{door} has another kernel:\n{product(source)}\nthan\n{first}")


def cases():
    for name in FORMATS:
        yield name, lambda folder, name=name: agrees(folder, name)


if __name__ == "__main__":
    if harness.is_instrumented() or not list((BUILD / "python" / "strata").glob("_core*")):
        print("skipped: Python cannot load the library here")
        sys.exit(harness.SKIPPED)
    # Emitting code reads no files.
    os.environ.update(TENSOR0="A.mtx", TENSOR1="x.tns")
    harness.main(cases())
