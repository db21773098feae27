"""Kernels of sparse matrices and tensors against MLIR's own sparse compiler (the pipeline
`sparsifier` of mlir-opt), on the same arrays, on one thread.

Its program is written for the sizes of each problem, which it needs, and is compiled with and
without its vectors; the faster one counts.
"""

import ctypes
import pathlib
import re
import shutil
import subprocess
import time

import numpy
import scipy.sparse

import assembly
import kernels
import mkl
import taco
from rivals import Rivals

# What programs do with results: in C, without the time that Python takes for it.
DROP = """#include <stdint.h>
#include <stdlib.h>

void bench_drop(int64_t *result, int buffers) {
  for (int at = 0; at < buffers; ++at)
    free((void *)result[5 * at]);
}
"""
TOOLS = ("mlir-opt", "mlir-translate", "clang")
BUILDS = {
    "scalar": "",
    "vectors": " vl=8 reassociate-fp-reductions=true enable-index-optimizations=true",
}
LEVELS = {"d": "dense", "s": "compressed"}
GOAL = 1.0
LONGEST = 12.0  # seconds of the rounds of one contest
PRODUCT = taco.Statement("A*A", "C(i,k) = A(i,j) * B(j,k)", "ds ds ds")
SUM = taco.Statement("A+B", "C(i,j) = A(i,j) + B(i,j)", "ds ds ds")
PROGRAM = """{encodings}
func.func @kernel({parameters}){returns} attributes {{llvm.emit_c_interface}} {{
{begin}
  %made = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
      ins({factors} : {factor_types}) outs(%empty : {result_type}) {{
    ^bb0({scalars}):
{body}
  }} -> {result_type}
{end}
}}
"""
DENSE_BEGIN = """  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%out : {memref})
  %empty = bufferization.to_tensor %out restrict writable : {memref} to {tensor}"""
DENSE_END = """  bufferization.materialize_in_destination %made in restrict writable %out
      : ({tensor}, {memref}) -> ()
  return"""


def found_tool(name):
    return shutil.which(f"{name}-22") or shutil.which(name)


class Program:
    """A statement in MLIR's dialects linalg and sparse_tensor. Sparse tensors are put together from
    their arrays, without copies."""

    def __init__(self, statement, given):
        self.statement = statement
        self.names = [name for name, _ in statement.accesses]
        self.shapes = {self.names[0]: statement.shape(given)}
        self.shapes.update({name: given[name].shape for name in self.names[1:]})
        self.is_sparse = {name: "s" in statement.levels[name] for name in self.names}

    def encoding(self, name):
        dimensions = [f"d{number}" for number in range(len(self.shapes[name]))]
        levels = ", ".join(
            f"{dimension} : {LEVELS[level]}"
            for dimension, level in zip(dimensions, self.statement.levels[name])
        )
        return (
            f"#{name} = #sparse_tensor.encoding<{{ map = ({', '.join(dimensions)}) -> ({levels}), "
            f"posWidth = 32, crdWidth = 32 }}>"
        )

    def type(self, name, kind="tensor"):
        sizes = "x".join(map(str, self.shapes[name]))
        ending = f", #{name}" if self.is_sparse[name] else ""
        return f"{kind}<{sizes}xf64{ending}>"

    def parameters(self):
        """The arrays of each factor in the order of `taco.Tensor`, then a dense result."""
        made = []
        for name in self.names[1:]:
            if self.is_sparse[name]:
                count = 2 * self.statement.levels[name].count("s")
                made += [f"%{name}_{number}: tensor<?xi32>" for number in range(count)]
                made.append(f"%{name}_values: tensor<?xf64>")
            else:
                made.append(f"%{name}: {self.type(name)}")
        if not self.is_sparse[self.names[0]]:
            made.append(f"%out: {self.type(self.names[0], 'memref')}")
        return ", ".join(made)

    def assembled(self, name):
        count = 2 * self.statement.levels[name].count("s")
        arrays = ", ".join(f"%{name}_{number}" for number in range(count))
        types = ", ".join(["tensor<?xi32>"] * count)
        return (
            f"  %{name} = sparse_tensor.assemble ({arrays}), %{name}_values\n"
            f"      : ({types}), tensor<?xf64> to {self.type(name)}"
        )

    def frame(self):
        """What stands before the loops, and after them."""
        result = self.names[0]
        begin = [self.assembled(name) for name in self.names[1:] if self.is_sparse[name]]
        types = {"tensor": self.type(result), "memref": self.type(result, "memref")}
        if self.is_sparse[result]:
            begin.append(f"  %empty = tensor.empty() : {types['tensor']}")
            end = f"  return %made : {types['tensor']}"
        else:
            begin.append(DENSE_BEGIN.format(**types))
            end = DENSE_END.format(**types)
        return "\n".join(begin), end

    def body(self, is_sum_over_labels):
        """Of scalars: the product or the sum of the factors, added to the result where labels are
        summed over."""
        operation = "arith.addf" if "+" in self.statement.text else "arith.mulf"
        last, lines = f"%{self.names[1]}_at", []
        for number, name in enumerate(self.names[2:]):
            lines.append(f"      %term{number} = {operation} {last}, %{name}_at : f64")
            last = f"%term{number}"
        if is_sum_over_labels:
            lines.append(f"      %sum = arith.addf %{self.names[0]}_at, {last} : f64")
            last = "%sum"
        return "\n".join([*lines, f"      linalg.yield {last} : f64"])

    def text(self):
        result, factors = self.names[0], self.names[1:]
        labels = list(dict.fromkeys(re.findall(r"\w", ",".join(map(self.access, factors)))))
        own = self.access(result).split(",")
        maps = [
            f"affine_map<({','.join(labels)}) -> ({self.access(name)})>"
            for name in (*factors, result)
        ]
        iterators = ['"parallel"' if label in own else '"reduction"' for label in labels]
        begin, end = self.frame()
        return PROGRAM.format(
            encodings="\n".join(self.encoding(name) for name in self.names if self.is_sparse[name]),
            parameters=self.parameters(),
            returns=f" -> {self.type(result)}" if self.is_sparse[result] else "",
            begin=begin,
            maps=", ".join(maps),
            iterators=", ".join(iterators),
            factors=", ".join(f"%{name}" for name in factors),
            factor_types=", ".join(map(self.type, factors)),
            result_type=self.type(result),
            scalars=", ".join(f"%{name}_at: f64" for name in (*factors, result)),
            body=self.body(len(labels) > len(own)),
            end=end,
        )

    def access(self, name):
        return ",".join(self.statement.labels(name))


def compiled(folder, name, text, options):
    """A shared library of a program; none if the sparse compiler does not take it."""
    stem = folder / name
    files = [stem.with_suffix(ending) for ending in (".mlir", ".llvm.mlir", ".ll", ".so")]
    files[0].write_text(text)
    optimize, translate, compile_ = map(found_tool, TOOLS)
    pipeline = f"--sparsifier=enable-runtime-library=false{options}"
    made = subprocess.run([optimize, pipeline, files[0], "-o", files[1]], capture_output=True)
    if made.returncode != 0:
        return None
    subprocess.run([translate, "--mlir-to-llvmir", files[1], "-o", files[2]], check=True)
    drop = stem.with_suffix(".c")
    drop.write_text(DROP)
    flags = ["-O3", "-march=native", "-fPIC", "-shared", "-w"]
    subprocess.run([compile_, *flags, files[2], drop, "-o", files[3]], check=True)
    return ctypes.CDLL(str(files[3]))


def descriptor(array):
    """What MLIR's functions take for an array in rows: two pointers, an offset, sizes, strides."""
    strides = [stride // array.itemsize for stride in array.strides]
    words = [array.ctypes.data, array.ctypes.data, 0, *array.shape, *strides]
    return (ctypes.c_int64 * len(words))(*words)


class Kernel:
    """A program's function with its operands and its result, which for a sparse one lives until it
    is given back."""

    def __init__(self, library, statement, given):
        self.function, self.drop = library._mlir_ciface_kernel, library.bench_drop
        result = statement.accesses[0][0]
        self.sparse_levels = statement.levels[result].count("s")
        arrays = [array for name, _ in statement.accesses[1:] for array in arrays_of(given[name])]
        if self.sparse_levels:
            self.buffers = 2 * self.sparse_levels + 1
            # A descriptor for each buffer; then the sizes of the levels, and the buffers' counts.
            order = len(statement.levels[result])
            self.result = (ctypes.c_int64 * (5 * self.buffers + order + self.buffers))()
            words = [self.result, *map(descriptor, arrays)]
        else:
            self.dense = kernels.aligned(numpy.zeros(statement.shape(given)))
            words = [*map(descriptor, arrays), descriptor(self.dense)]
        self.kept = (words, arrays)
        self.pointers = [ctypes.byref(one) for one in words]

    def run(self):
        self.function(*self.pointers)

    def values(self):
        """The buffers of the result."""
        if not self.sparse_levels:
            return [self.dense.ravel()]
        counts = self.result[-self.buffers :]
        types = [ctypes.c_int32] * (self.buffers - 1) + [ctypes.c_double]
        return [
            numpy.ctypeslib.as_array((type * count).from_address(self.result[5 * number + 1]))
            for number, (type, count) in enumerate(zip(types, counts))
        ]

    def give_back(self):
        if self.sparse_levels:
            self.drop(self.result, self.buffers)

    def run_anew(self):
        self.run()
        self.give_back()


def arrays_of(tensor):
    """Of the sparse ones their arrays; of a dense one that one, in its shape."""
    if "s" in tensor.levels:
        return tensor.arrays
    return [tensor.arrays[0].reshape(tensor.shape)]


def differ(own, theirs):
    scale = max(abs(own[-1]).max(initial=0), 1)
    return any(len(a) != len(b) for a, b in zip(own, theirs)) or any(
        abs(a - b).max(initial=0) > 1e-9 * scale for a, b in zip(own, theirs)
    )


def seconds_of(contestants):
    """Of one call of each."""
    begin = time.perf_counter()
    for one in contestants:
        one()
    return time.perf_counter() - begin


class Measurement:
    def __init__(self, run):
        self.run, self.strata, self.ratios, self.built = run, taco.Compiled(run), {}, 0

    def theirs(self, statement, given, own, what):
        """Each build of their program as a kernel, whose result has been compared."""
        found, text = {}, Program(statement, given).text()
        for name, options in BUILDS.items():
            self.built += 1
            stem = f"upstream-{self.built}"
            library = compiled(pathlib.Path(self.run.folder), stem, text, options)
            if not library:
                continue
            kernel = Kernel(library, statement, given)
            kernel.run()
            if differ(own, kernel.values()):
                raise SystemExit(f"{what}, {name}: the results differ")
            kernel.give_back()
            found[name] = kernel
        return found

    def measure(self, problem, statement, given, what):
        call = self.strata.call(statement, given)
        call.run()
        own = [call.values(at) for at in range(call.result.buffer_count)]
        theirs = self.theirs(statement, given, own, f"{problem}, {what}")
        if not theirs:
            print(f"  {what:10} skipped: the sparse compiler does not take it")
            return

        is_sparse = "s" in statement.levels[statement.accesses[0][0]]
        contestants = [call.run_anew if is_sparse else call.run]
        contestants += [kernel.run_anew for kernel in theirs.values()]
        most = 9 if self.run.quick else 21
        rounds = max(5, min(most, int(LONGEST / seconds_of(contestants))))
        times, ratios = mkl.contest(contestants, rounds)
        call.drop()
        names, least = list(theirs), min(range(len(ratios)), key=lambda at: ratios[at])
        print(
            f"  {what:10} {times[0] * 1e6:10.1f} {times[1 + least] * 1e6:10.1f} "
            f"{ratios[least]:7.3f}  {names[least]}",
            flush=True,
        )
        self.run.add(
            "upstream",
            problem=problem,
            kernel=what,
            seconds=times[0],
            upstream_seconds=times[1 + least],
            ratio=ratios[least],
            build=names[least],
            **{f"{name}_ratio": ratio for name, ratio in zip(names, ratios)},
        )
        self.ratios.setdefault(what, []).append((ratios[least], problem))


def sparse_results(sparse, matrix):
    """The product with itself, where it has not too many terms, and the sum with the transpose."""
    if matrix.shape[0] != matrix.shape[1]:
        return
    transposed = assembly.canonical(matrix.T).tocoo()
    places = numpy.array([transposed.row, transposed.col])
    other = taco.Tensor(transposed.shape, "ds", places, transposed.data)
    if assembly.terms(matrix) <= assembly.MOST_TERMS:
        yield PRODUCT, {"A": sparse, "B": sparse}
    yield SUM, {"A": sparse, "B": other}


def measure_matrices(run, measurement, heading):
    for name, shape, coordinates, values in taco.matrices(run):
        print(f"\n{name}: {shape[0]} x {shape[1]}, {values.size} entries\n{heading}")
        sparse = taco.Tensor(shape, "ds", coordinates, values)
        for statement, what in (
            (taco.SPMV, "SpMV"),
            (taco.SPMM, f"SpMM {taco.RANK}"),
            (taco.SDDMM, f"SDDMM {taco.RANK}"),
        ):
            given = taco.operands(statement, sparse, taco.RANK)
            measurement.measure(name, statement, given, what)
        matrix = assembly.canonical(scipy.sparse.coo_matrix((values, coordinates), shape))
        for statement, given in sparse_results(sparse, matrix):
            measurement.measure(name, statement, given, statement.name)


def against_sparsifier(run):
    missing = [name for name in TOOLS if not found_tool(name)]
    if missing:
        print(f"skipped: no {', '.join(missing)} (Debian's mlir-22-tools and clang-22)")
        return
    Rivals(run).library.rivals_threads(1)
    measurement = Measurement(run)
    print(
        "ratio: the time of MLIR's sparse compiler by Strata's (above 1: Strata is faster), one "
        "thread; sparse results\nare assembled and given back in each call"
    )
    heading = f"  {'kernel':10} {'us':>10} {'MLIR us':>10} {'ratio':>7}  best build"
    measure_matrices(run, measurement, heading)
    for name, shape, coordinates, values in taco.tensors(run):
        if len(shape) != 3:
            continue
        print(f"\n{name}: {' x '.join(map(str, shape))}, {values.size} entries\n{heading}")
        sparse = taco.Tensor(shape, "sss", coordinates, values)
        statement = taco.of_order(3)[-1]
        given = taco.operands(statement, sparse, taco.RANK)
        measurement.measure(name, statement, given, f"MTTKRP {taco.RANK}")
    for what, ratios in measurement.ratios.items():
        run.goal_from(f"{what}, MLIR's sparse compiler's time by ours", min(ratios), GOAL)
