"""Modules that strata-opt --sparsifier and upstream's mlir-opt --sparsifier lower, and upstream's
runner runs: they print the same. Skips where upstream's programs are not installed."""
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy

import harness

BUILD = pathlib.Path(harness.TOOL).parents[1]
OPT = os.environ.get("STRATA_OPT", "strata-opt")


def find(name):
    return shutil.which(f"{name}-22") or shutil.which(f"/usr/lib/llvm-22/bin/{name}")


MATRICES = {
    "CSR": "(i, j) -> (i : dense, j : compressed)",
    "CSC": "(i, j) -> (j : dense, i : compressed)",
    "DCSR": "(i, j) -> (i : compressed, j : compressed)",
    "CDR": "(i, j) -> (i : compressed, j : dense)",
    "COO": "(i, j) -> (i : compressed(nonunique), j : singleton)",
    "SoA": "(i, j) -> (i : compressed(nonunique), j : singleton(soa))",
    "BSR": "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)",
    "all": "(i, j) -> (i : dense, j : dense)",
}

#: What a body yields of a and b, whatever is stored; all are exact.
BODIES = {
    "add": "%r = arith.addf %a, %b : f64",
    "sub": "%r = arith.subf %a, %b : f64",
    "mul": "%r = arith.mulf %a, %b : f64",
    "scaled": "%k = arith.constant 2.5 : f64\n%m = arith.mulf %a, %k : f64\n%r = arith.subf %m, %b : f64",
    "union": """%r = sparse_tensor.binary %a, %b : f64, f64 to f64
      overlap={^bb0(%p: f64, %q: f64):
        %m = arith.minimumf %p, %q : f64
        sparse_tensor.yield %m : f64} left=identity right={^bb0(%q: f64):
        %m = arith.negf %q : f64
        sparse_tensor.yield %m : f64}""",
    "select": """%r = sparse_tensor.select %b : f64 {^bb0(%p: f64):
        %k = arith.constant 2.0 : f64
        %s = arith.cmpf ogt, %p, %k : f64
        sparse_tensor.yield %s : i1}""",
    "place": """%i = linalg.index 0 : index
      %r = sparse_tensor.select %b : f64 {^bb0(%p: f64):
        %k = arith.constant 3 : index
        %s = arith.cmpi ult, %i, %k : index
        sparse_tensor.yield %s : i1}""",
}

WIDTHS = [(0, 0), (8, 8), (16, 32), (32, 16), (64, 64)]


def encoding(name, widths=(0, 0)):
    return f"#sparse_tensor.encoding<{{map = {MATRICES[name]}, posWidth = {widths[0]}, crdWidth = {widths[1]}}}>"


def literal(x):
    rows = ", ".join(f"[{', '.join(repr(float(v)) for v in row)}]" for row in x)
    return f"dense<{'[' + rows + ']' if x.size else ''}> : tensor<{x.shape[0]}x{x.shape[1]}xf64>"


def draw(shape, seed, density=0.4):
    generator = numpy.random.default_rng(seed)
    return generator.integers(1, 9, shape) * (generator.random(shape) < density) * 1.0


def runner_environment():
    """With the sanitizers' runtime, if the library needs it: the runner is not instrumented. What
    modules do not deallocate is theirs to leak."""
    runtime = os.environ.get("STRATA_SANITIZER_RUNTIME")
    if not runtime:
        return None
    options = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    return {**os.environ, "LD_PRELOAD": runtime, "ASAN_OPTIONS": options}


def printed(sparsifier, text, options=""):
    """What a module prints, lowered by a program."""
    lowered = subprocess.run([sparsifier, f"--sparsifier={options}"], input=text, text=True,
                             capture_output=True)
    if lowered.returncode != 0:
        raise harness.Failure(f"{sparsifier}: {lowered.stderr[:800]}\n{text}")
    libraries = ["/usr/lib/llvm-22/lib/libmlir_c_runner_utils.so",
                 str(BUILD / "lib" / "libstrata_program.so")]
    ran = subprocess.run([find("mlir-runner"), "-e", "main", "-entry-point-result=void",
                          f"-shared-libs={','.join(libraries)}"], input=lowered.stdout, text=True,
                         capture_output=True, env=runner_environment())
    if ran.returncode != 0:
        raise harness.Failure(f"the runner ended with {ran.returncode}: {ran.stderr[:800]}\n{text}")
    return re.sub(r"-0(?=[ ,])", "0", ran.stdout)


def compare(text, options=("", "enable-runtime-library=false vl=4")):
    theirs = printed(find("mlir-opt"), text, "enable-runtime-library=false")
    for one in options:
        ours = printed(OPT, text, one)
        for mine, other in itertools.zip_longest(ours.splitlines(), theirs.splitlines()):
            if mine != other:
                raise harness.Failure(f"with '{one}':\n{mine}\nand upstream:\n{other}\n{text}")


def show(name, shape, kind):
    """Prints the elements of a sparse matrix by way of a dense one."""
    m, n = shape
    return f"""%d_{name} = sparse_tensor.convert %{name} : {kind} to tensor<{m}x{n}xf64>
      %v_{name} = vector.transfer_read %d_{name}[%c0, %c0], %zero : tensor<{m}x{n}xf64>, vector<{m}x{n}xf64>
      vector.print %v_{name} : vector<{m}x{n}xf64>\n"""


MAIN = """func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
"""


def converts(folder, first, widths):
    """Each format from this one: the buffers themselves are compared. (Of formats that store zeros
    around entries upstream keeps these in a list of entries, Strata does not.)"""
    a = draw((6, 9), len(first) + widths[1])
    kind = f"tensor<6x9xf64, {encoding(first, widths)}>"
    text = MAIN + f"%M = arith.constant {literal(a)}\n%A = sparse_tensor.convert %M : tensor<6x9xf64> to {kind}\n"
    for name in MATRICES:
        other = f"tensor<6x9xf64, {encoding(name, widths)}>"
        text += f"""%B_{name} = sparse_tensor.convert %A : {kind} to {other}
          sparse_tensor.print %B_{name} : {other}\n"""
    compare(text + "return\n}\n")


def computes(folder, first, second):
    """Bodies on two matrices; the elements are compared."""
    shape = (6, 9)
    kinds = [f"tensor<6x9xf64, {encoding(name)}>" for name in (first, second)]
    text = "#id = affine_map<(i, j) -> (i, j)>\n"
    for name, body in BODIES.items():
        text += f"""func.func @{name}(%x: {kinds[0]}, %y: {kinds[1]}) -> {kinds[1]} {{
          %e = tensor.empty() : {kinds[1]}
          %z = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}}
            ins(%x, %y : {kinds[0]}, {kinds[1]}) outs(%e : {kinds[1]}) {{
          ^bb0(%a: f64, %b: f64, %o: f64):
            {body}
            linalg.yield %r : f64
          }} -> {kinds[1]}
          return %z : {kinds[1]}
        }}\n"""
    text += MAIN
    for place, (name, kind) in enumerate(zip("xy", kinds)):
        text += f"""%m{name} = arith.constant {literal(draw(shape, place + 7 * len(first)))}
          %{name} = sparse_tensor.convert %m{name} : tensor<6x9xf64> to {kind}\n"""
    # In loops by columns, upstream takes the number of its outer loop for that of the row.
    upstream_errs = ["place"] if second == "CSC" else []

    def calls(names):
        return "".join(f"%{name} = call @{name}(%x, %y) : ({kinds[0]}, {kinds[1]}) -> {kinds[1]}\n" +
                       show(name, shape, kinds[1]) for name in names) + "return\n}\n"
    compare(text + calls(name for name in BODIES if name not in upstream_errs), options=("",))
    y = draw(shape, 1 + 7 * len(first))
    y[3:] = 0
    for name in upstream_errs:
        ours = printed(OPT, text + calls([name]))
        if eval(ours) != tuple(map(tuple, y.tolist())):
            raise harness.Failure(f"{name}:\n{ours}\nand NumPy:\n{y}\n{text}")


def multiplies(folder, first, second, shape):
    """A product with a sparse result, added to a dense one in place, for these sizes."""
    m, k, n = shape
    kinds = [f"tensor<?x?xf64, {encoding(name)}>" for name in (first, second)]
    text = MAIN
    for name, size, kind in (("x", (m, k), kinds[0]), ("y", (k, n), kinds[1])):
        text += f"""%m{name} = arith.constant {literal(draw(size, m + n))}
          %{name} = sparse_tensor.convert %m{name} : tensor<{size[0]}x{size[1]}xf64> to {kind}\n"""
    text += f"""%cm = arith.constant {m} : index
      %cn = arith.constant {n} : index
      %e = tensor.empty(%cm, %cn) : {kinds[0]}
      %p = linalg.matmul ins(%x, %y : {kinds[0]}, {kinds[1]}) outs(%e : {kinds[0]}) -> {kinds[0]}
      %count = sparse_tensor.number_of_entries %p : {kinds[0]}
      vector.print %count : index
      %o = arith.constant {literal(numpy.ones((m, n)))}
      %od = tensor.cast %o : tensor<{m}x{n}xf64> to tensor<?x?xf64>
      %q = linalg.matmul ins(%x, %y : {kinds[0]}, {kinds[1]}) outs(%od : tensor<?x?xf64>) -> tensor<?x?xf64>
      %v = vector.transfer_read %q[%c0, %c0], %zero : tensor<?x?xf64>, vector<{m}x{n}xf64>
      vector.print %v : vector<{m}x{n}xf64>\n"""
    compare(text + "return\n}\n", options=("",))


def cases():
    is_long = bool(os.environ.get("STRATA_LONG"))
    lists = set(MATRICES) - {"BSR", "CDR", "all"}
    sources = itertools.product(sorted(lists), WIDTHS) if is_long else \
        [("CSR", (8, 8)), ("COO", (16, 32))]
    for name, widths in sources:
        yield f"from {name}, widths {widths}", \
            lambda folder, name=name, widths=widths: converts(folder, name, widths)
    # Zeros that a format stores around entries are entries of upstream's, and none of Strata's.
    pairs = itertools.product(sorted(lists), repeat=2) if is_long else \
        [("DCSR", "COO"), ("CSC", "SoA")]
    for first, second in pairs:
        yield f"bodies of {first} and {second}", \
            lambda folder, first=first, second=second: computes(folder, first, second)
    for shape in [(5, 7, 6), (1, 1, 1)]:
        yield f"products of {shape}", \
            lambda folder, shape=shape: multiplies(folder, "CSR", "CSR", shape)


if __name__ == "__main__":
    if not find("mlir-opt") or not find("mlir-runner"):
        print("skipped: upstream's mlir-opt and mlir-runner are not installed")
        sys.exit(harness.SKIPPED)
    harness.main(cases())
