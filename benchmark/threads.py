"""What threads cost and bring: parallel regions of Strata and of other ways to have them; and how
far two threads are ahead of one, by what the machine gives."""

import ctypes
import itertools
import json
import math
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import time

import numpy

import assembly
import kernels
import products
import quiet
import regions
import taco
import upstream
from rivals import Rivals

SOURCE = pathlib.Path(__file__).resolve().parent
FLAGS = ["-O3", "-march=native", "-std=c++20", "-shared", "-fPIC"]
ASYNC = [
    "--async-parallel-for=num-workers=2 min-task-size=1",
    "--async-to-async-runtime",
    "--async-runtime-ref-counting",
    "--async-runtime-ref-counting-opt",
    "--convert-async-to-llvm",
    "--convert-scf-to-cf",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--convert-arith-to-llvm",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
]
PASSIVE = {"OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": "2", "OMP_PROC_BIND": "false"}
CONTESTANTS = {  # what is printed: the name of a library, and its environment
    "Strata": ("Strata", {}),
    "TBB": ("tbb", {}),
    "OpenMP, passive": ("openmp", PASSIVE),
    "OpenMP, active": ("openmp", {**PASSIVE, "OMP_WAIT_POLICY": "active"}),
    "async": ("async", {}),
}
PARTS = ("regions", "ratios")
ELAPSED = time.perf_counter
MULTIPLY_ADDS = 1 << 22  # rounds of a call
SHARE = 0.85
DENSE = taco.Statement("dense product", "C(i,k) = A(i,j) * B(j,k)", "dd dd dd")


def compile_shared(run, compiler, source, name, *flags):
    subprocess.run(
        [compiler, *FLAGS, SOURCE / source, "-o", run.folder / f"{name}.so", *flags], check=True
    )


def build_async(run):
    """Says whether the library could be made."""
    library_folder = pathlib.Path(kernels.setting(run, "LLVM_DIR")).parents[1]
    runtime = library_folder / "libmlir_async_runtime.so"
    tools = [upstream.found_tool(name) for name in upstream.TOOLS]
    if not runtime.exists() or None in tools:
        return False
    stem = run.folder / "regions-async"
    lowered, translated = stem.with_suffix(".mlir"), stem.with_suffix(".ll")
    subprocess.run([tools[0], *ASYNC, SOURCE / "regions.mlir", "-o", lowered], check=True)
    subprocess.run([tools[1], "--mlir-to-llvmir", lowered, "-o", translated], check=True)
    rest = [runtime, f"-Wl,-rpath,{library_folder}", "-w", "-o", stem.with_suffix(".so")]
    subprocess.run(
        [tools[2], "-O3", "-march=native", "-shared", "-fPIC", translated, *rest], check=True
    )
    return True


def build_regions(run):
    """The libraries of all contestants; those that are there."""
    compiler = kernels.setting(run, "CMAKE_CXX_COMPILER")
    compile_shared(run, compiler, "Regions.cpp", "regions-plain")
    compile_shared(run, compiler, "Regions.cpp", "regions-tbb", "-DWITH_TBB", "-ltbb")
    kernels.build(run, "regions-strata", taco.SPMV.program())
    found = {"Strata", "tbb"}
    if shutil.which("g++"):
        compile_shared(run, "g++", "Regions.cpp", "regions-openmp", "-fopenmp")
        found.add("openmp")
    else:
        print("skipped: OpenMP (no g++)")
    if build_async(run):
        found.add("async")
    else:
        print("skipped: async (no mlir-opt, or no libmlir_async_runtime)")
    return found


def pays_from(rows, when):
    """The fewest rows from which on two threads are always faster; none if they never are."""
    least = None
    for row in reversed([row for row in rows if row["when"] == when]):
        if row["2"] >= row["1"]:
            break
        least = row["rows"]
    return least


def region_figures(run, name, environment):
    command = [sys.executable, "-W", "ignore", SOURCE / "regions.py", name, run.folder]
    made = subprocess.run(
        command + (["--quick"] if run.quick else []),
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        check=True,
    )
    found = json.loads(made.stdout)
    quiet.RECORD.add(**found["counts"])
    return found


def parallel_regions(run):
    """Each contestant in a process of its own."""
    found = build_regions(run)
    print(
        "an empty region on two threads, us; and from how many rows on two threads pay for SpMV of "
        "a band of five"
    )
    print(f"  {'':16} {'again':>9} {'paused':>9} {'rows, again':>12} {'rows, paused':>13}")
    every = {}
    for title, (name, environment) in CONTESTANTS.items():
        if name not in found:
            continue
        figures = every[title] = region_figures(run, name, environment)
        empty, rows = figures["empty"], figures["products"]
        pays = {when: pays_from(rows, when) for when in regions.PAUSES}
        print(
            f"  {title:16} "
            + " ".join(f"{empty[when] * 1e6:9.2f}" for when in regions.PAUSES)
            + f" {pays['again'] or 'never':>12} {pays['after a pause'] or 'never':>13}",
            flush=True,
        )
        for row in rows:
            run.add("threads regions", contestant=title, **row)
        run.add("threads empty", contestant=title, **empty)
    for when in regions.PAUSES:
        print_products(every, when)


def print_products(every, when):
    """Of each contestant the time on one thread and on two, for each number of rows."""
    print(f"\nSpMV of a band of five, called {when}: us on one thread and on two")
    columns = [row["rows"] for row in next(iter(every.values()))["products"] if row["when"] == when]
    print(f"  {'rows':16} " + "".join(f"{count:>15}" for count in columns))
    for title, figures in every.items():
        rows = [row for row in figures["products"] if row["when"] == when]
        pairs = {title: [(row["1"], row["2"]) for row in rows]}
        if "chosen" in rows[0]:
            pairs["as it chooses"] = [(row["1"], row["chosen"]) for row in rows]
        for name, times in pairs.items():
            cells = (f"{one * 1e6:7.1f} {two * 1e6:7.1f}" for one, two in times)
            print(f"  {name:16} " + "".join(f"{cell:>15}" for cell in cells), flush=True)


def last_cache():
    """Bytes of the largest cache that the first processor sees."""
    folder = pathlib.Path("/sys/devices/system/cpu/cpu0/cache")
    sizes = [file.read_text().strip() for file in folder.glob("index*/size")]
    return max((int(size.rstrip("K")) << 10 for size in sizes), default=32 << 20)


def diagonals(entries_of_row, rows, apart=1):
    """Rows of so many entries about the diagonal, side by side or apart."""
    offsets = apart * numpy.arange(entries_of_row)
    first = numpy.clip(numpy.arange(rows) - offsets[-1] // 2, 0, rows - 1 - offsets[-1])
    return rows_of(entries_of_row, (first[:, None] + offsets).astype(numpy.int32))


def anywhere(entries_of_row, rows):
    columns = numpy.random.default_rng(1).integers(0, rows, (rows, entries_of_row), numpy.int32)
    columns.sort(axis=1)
    return rows_of(entries_of_row, columns)


def rows_of(entries_of_row, columns):
    """A matrix with rows of one length; a place may occur twice."""
    rows = columns.shape[0]
    made = taco.Tensor((rows, rows), "ds", values=numpy.empty(0))
    values = numpy.random.default_rng(1).uniform(-1, 1, columns.size)
    positions = numpy.arange(0, columns.size + 1, entries_of_row, numpy.int32)
    made.arrays = [kernels.aligned(array) for array in (positions, columns.ravel(), values)]
    return made


def sparse(matrix):
    matrix = matrix.tocoo()
    return taco.Tensor(matrix.shape, "ds", numpy.array([matrix.row, matrix.col]), matrix.data)


class Machine:
    """Reading and multiply-adds, and what TBB's number of threads is."""

    def __init__(self, run):
        compiler = kernels.setting(run, "CMAKE_CXX_COMPILER")
        compile_shared(run, compiler, "Rates.cpp", "rates", "-ltbb")
        self.library = ctypes.CDLL(str(run.folder / "rates.so"))
        for function in (self.library.rates_read, self.library.rates_multiply_add):
            function.restype = ctypes.c_double
        self.library.rates_count.restype = ctypes.c_int64
        self.threads = Rivals(run).library.rivals_threads
        self.rounds = ctypes.c_int64(MULTIPLY_ADDS // (8 if run.quick else 1))
        self.values = None

    def reading(self, size):
        """A function that reads so many bytes; their memory is there until the next is wanted."""
        if self.values is None or self.values.nbytes != size // 8 * 8:
            self.values = kernels.aligned(numpy.ones(size // 8))
        address, count = ctypes.c_void_p(self.values.ctypes.data), ctypes.c_int64(size // 8)
        if self.library.rates_read(address, count) != size // 8:
            raise SystemExit("the sum of what was read is wrong")
        return lambda: self.library.rates_read(address, count)

    def multiply_adds(self):
        return self.library.rates_multiply_add(self.rounds)

    def operations(self):
        return 2 * self.library.rates_count(self.rounds)


class Speed:
    """The times of calls on one thread and on two, in the same turns."""

    def __init__(self, machine, functions, rounds):
        calls, before = {}, {}
        for name, function in functions.items():
            machine.threads(1)
            function()
            once = products.per_call(function, 1, ELAPSED)
            calls[name], before[name] = (
                max(1, int(seconds / once)) for seconds in (4e-3, regions.AWAKE)
            )
        order = list(itertools.product(functions, (1, 2)))
        draw, turns, clock = random.Random(1), [], quiet.Clock()
        for _ in range(rounds):
            clock.tick()
            draw.shuffle(order)
            turn = {}
            for name, threads in order:
                machine.threads(threads)
                products.per_call(functions[name], before[name], ELAPSED)
                turn[name, threads] = products.per_call(functions[name], calls[name], ELAPSED)
            turns.append(turn)
        self.turns = clock.kept(turns)

    def median(self, what):
        return statistics.median(what(turn) for turn in self.turns)

    def seconds(self, name, threads):
        return self.median(lambda turn: turn[name, threads])

    def ratio(self, name):
        """One thread's time by two threads'."""
        return self.median(lambda turn: turn[name, 1] / turn[name, 2])

    def of_ratio(self, name, other):
        """A ratio by that of another."""
        return self.median(
            lambda turn: turn[name, 1] / turn[name, 2] * turn[other, 2] / turn[other, 1]
        )


def memory_problems(run):
    """SpMV of matrices that are four times as large as the last cache."""
    least = 4 * last_cache()
    for width in (16,) if run.quick else (16, 32, 64):
        rows = max(1000000 * 16 // width, math.ceil(least / (12 * width)))
        yield f"{width} in a band", diagonals(width, rows)
        if width == 16:
            yield "16 apart", diagonals(width, rows, apart=61)
            yield "16 anywhere", anywhere(width, rows)


def bytes_of(given):
    """Those that a product with a vector must touch: its operands, and as many rows of a result."""
    matrix, vector = given["A"], given["x"]
    held = sum(array.nbytes for one in (matrix, vector) for array in one.arrays)
    return held + 8 * matrix.shape[0]


def measure_memory(run, machine, compiled, rounds):
    print(
        "\nSpMV in memory and plain reading of as many bytes; 'of reading': reading's time by "
        "SpMV's on one thread,\nand SpMV's speed-up by reading's"
    )
    print(
        f"  {'matrix':16} {'MB':>5} {'GB/s':>6} {'of reading':>10}   {'speed-up':>8} "
        f"{'reading':>8} {'of reading':>10}"
    )
    single, double = [], []
    for name, matrix in memory_problems(run):
        given = taco.operands(taco.SPMV, matrix, 1)
        call, size = compiled.call(taco.SPMV, given), bytes_of(given)
        functions = {"SpMV": call.run, "reading": machine.reading(size)}
        speed = Speed(machine, functions, rounds)
        share = speed.median(lambda turn: turn["reading", 1] / turn["SpMV", 1])
        row = {
            "matrix": name,
            "bytes": size,
            "seconds": speed.seconds("SpMV", 1),
            "two_seconds": speed.seconds("SpMV", 2),
            "reading_seconds": speed.seconds("reading", 1),
            "share": share,
            "ratio": speed.ratio("SpMV"),
            "reading_ratio": speed.ratio("reading"),
            "of_reading": speed.of_ratio("SpMV", "reading"),
        }
        call.drop()
        print(
            f"  {name:16} {size / 1e6:5.0f} {size / row['seconds'] / 1e9:6.2f} {share:10.2f}   "
            f"{row['ratio']:8.2f} {row['reading_ratio']:8.2f} {row['of_reading']:10.2f}",
            flush=True,
        )
        run.add("threads memory", **row)
        if name.endswith("band"):  # others wait for the vector's elements
            single.append((share, name))
            double.append((row["of_reading"], name))
    machine.values = None
    run.goal_from("SpMV in memory, one thread, of plain reading", min(single), SHARE)
    run.goal_from("SpMV in memory, speed-up by reading's", min(double), SHARE)


def computing_problems(run):
    """Statements with their factors, in the caches."""
    points, order = (12, 512) if run.quick else (24, 1024)
    stencil = sparse(products.stencil(points))
    matrix = products.random(20000 if run.quick else 100000, 8)
    matrix.sum_duplicates()
    uniform, transposed = sparse(matrix), sparse(matrix.T)
    rank, generator = taco.RANK, numpy.random.default_rng(1)
    for name, one, other in (("stencil", stencil, stencil), ("random", uniform, transposed)):
        for statement in (taco.SPMM, taco.SDDMM):
            yield f"{statement.name} {rank}, {name}", statement, taco.operands(statement, one, rank)
        yield f"A*A, {name}", upstream.PRODUCT, {"A": one, "B": one}
        yield f"A+B, {name}", upstream.SUM, {"A": one, "B": other}
    shape, count = (300, 400, 500), 50000 if run.quick else 500000
    places = numpy.unique(generator.integers(0, numpy.prod(shape), count))
    tensor = taco.Tensor(
        shape,
        "sss",
        numpy.array(numpy.unravel_index(places, shape)),
        generator.uniform(-1, 1, places.size),
    )
    statement = taco.of_order(3)[-1]
    yield f"MTTKRP {rank}", statement, taco.operands(statement, tensor, rank)
    square = {name: taco.dense((order, order)) for name in "AB"}
    yield f"{DENSE.name} {order}", DENSE, square


def measure_computing(run, machine, compiled, rounds):
    print("\nkernels in the caches: one thread's time by two threads', and that of multiply-adds")
    print(f"  {'kernel':20} {'us':>10} {'speed-up':>9} {'multiply-adds':>14} {'of these':>9}")
    found = []
    for name, statement, given in computing_problems(run):
        call = compiled.call(statement, given)
        call.run()
        speed = Speed(machine, {"kernel": call.run, "multiply-adds": machine.multiply_adds}, rounds)
        row = {
            "kernel": name,
            "seconds": speed.seconds("kernel", 1),
            "two_seconds": speed.seconds("kernel", 2),
            "ratio": speed.ratio("kernel"),
            "multiply_adds_ratio": speed.ratio("multiply-adds"),
            "of_multiply_adds": speed.of_ratio("kernel", "multiply-adds"),
        }
        call.drop()
        print(
            f"  {name:20} {row['seconds'] * 1e6:10.1f} {row['ratio']:9.2f} "
            f"{row['multiply_adds_ratio']:14.2f} {row['of_multiply_adds']:9.2f}",
            flush=True,
        )
        run.add("threads computing", **row)
        found.append((row["of_multiply_adds"], name))
    run.goal_from("kernels in the caches, speed-up by multiply-adds'", min(found), SHARE)


def ratios(run):
    machine, compiled = Machine(run), taco.Compiled(run)
    rounds = 7 if run.quick else 21
    functions = {"reading": machine.reading(4 * last_cache()), "adds": machine.multiply_adds}
    speed = Speed(machine, functions, rounds)
    rates = {
        threads: (
            4 * last_cache() / speed.seconds("reading", threads) / 1e9,
            machine.operations() / speed.seconds("adds", threads) / 1e9,
        )
        for threads in (1, 2)
    }
    for threads, (read, operations) in rates.items():
        print(f"{threads} threads: reading {read:.1f} GB/s, multiply-adds {operations:.1f} GFLOP/s")
        run.add("threads machine", threads=threads, reading=read, gflops=operations)
    print(
        f"speed-up: reading {speed.ratio('reading'):.2f}, multiply-adds {speed.ratio('adds'):.2f}"
    )
    measure_memory(run, machine, compiled, rounds)
    measure_computing(run, machine, compiled, rounds)


def measured(run):
    if run.part != "ratios":
        parallel_regions(run)
    if run.part != "regions":
        ratios(run)
