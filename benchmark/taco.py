"""Kernels of sparse matrices and tensors against the C code that TACO makes of the same statements,
on the same arrays.

STRATA_TACO names TACO's tool. Its code is compiled by gcc with -O3 -march=native, with and without
-ffast-math; the faster one counts, and the faster of its schedules.
"""

import ctypes
import itertools
import os
import pathlib
import re
import subprocess

import numpy

import kernels
import mkl
import products
from rivals import Rivals

RANK = 32
FLAGS = {"": [], "-ffast-math": ["-ffast-math"]}
ROWS = "split(i,i0,i1,32),reorder(i0,i1,{rest}),parallelize(i0,CPUThread,NoRaces)"
ENTRIES = (
    "split(i,i0,i1,32),pos(j,jp,A),split(jp,jp0,jp1,8),reorder(i0,i1,jp0,k,jp1),"
    "parallelize(i0,CPUThread,NoRaces),parallelize(k,CPUVector,IgnoreRaces)"
)
FIBRES = "parallelize(i,CPUThread,NoRaces)"


class TacoTensor(ctypes.Structure):
    _fields_ = [
        ("order", ctypes.c_int32),
        ("dimensions", ctypes.POINTER(ctypes.c_int32)),
        ("csize", ctypes.c_int32),
        ("mode_ordering", ctypes.POINTER(ctypes.c_int32)),
        ("mode_types", ctypes.POINTER(ctypes.c_int32)),
        ("indices", ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p))),
        ("vals", ctypes.c_void_p),
        ("fill_value", ctypes.c_void_p),
        ("vals_size", ctypes.c_int32),
    ]


class Tensor:
    """The arrays of a tensor whose levels are dense (d) or compressed (s), in the order of its
    dimensions: for each compressed level positions and coordinates, then values."""

    def __init__(self, shape, levels, coordinates=None, values=None):
        self.shape, self.levels, self.arrays = tuple(shape), levels, []
        if coordinates is None:
            self.arrays.append(kernels.aligned(values))
            return
        order = numpy.lexsort(coordinates[::-1])
        coordinates, values = coordinates[:, order], values[order]
        place, places = numpy.zeros(values.size, numpy.int64), 1
        for level, size, coordinate in zip(levels, shape, coordinates):
            if level == "d":
                place, places = place * size + coordinate, places * size
                continue
            first = numpy.ones(values.size, bool)
            first[1:] = (place[1:] != place[:-1]) | (coordinate[1:] != coordinate[:-1])
            counts = numpy.bincount(place[first], minlength=places)
            self.arrays.append(numpy.concatenate([[0], numpy.cumsum(counts)]).astype(numpy.int32))
            self.arrays.append(coordinate[first].astype(numpy.int32))
            place, places = numpy.cumsum(first) - 1, int(first.sum())
        stored = numpy.zeros(places)
        stored[place] = values
        self.arrays.append(stored)
        self.arrays = [kernels.aligned(array) for array in self.arrays]

    def storage(self):
        return kernels.storage(self.shape, self.arrays)

    def taco(self):
        """The same arrays, as TACO's code takes them."""
        order = len(self.shape)
        self.sizes = (ctypes.c_int32 * order)(*self.shape)
        self.modes = (ctypes.c_int32 * order)(*[int(level == "s") for level in self.levels])
        self.numbers = (ctypes.c_int32 * order)(*range(order))
        self.indices = (ctypes.POINTER(ctypes.c_void_p) * order)()
        at = 0
        for number, level in enumerate(self.levels):
            if level == "s":
                pair = [array.ctypes.data for array in self.arrays[at : at + 2]]
                at += 2
            else:
                pair = [ctypes.addressof(self.sizes) + 4 * number, None]
            self.indices[number] = (ctypes.c_void_p * 2)(*pair)
        return TacoTensor(
            order,
            self.sizes,
            8,
            self.numbers,
            self.modes,
            self.indices,
            self.arrays[-1].ctypes.data,
            None,
            self.arrays[-1].size,
        )


class Statement:
    """A product, in both languages: `A(i,j)` of the result and of each factor, and their levels."""

    def __init__(self, name, text, levels, schedules=()):
        self.name, self.text, self.schedules = name, text, schedules
        self.accesses = re.findall(r"(\w+)\(([\w,]+)\)", text)
        self.levels = dict(zip((tensor for tensor, _ in self.accesses), levels.split()))

    def labels(self, tensor):
        return dict(self.accesses)[tensor].split(",")

    def taco_anew(self):
        """C code that frees what TACO's code has allocated for a result."""
        names = [name for name, _ in self.accesses]
        result = names[0]
        freed = [
            f"{result}->indices[{number}][{at}]"
            for number, level in enumerate(self.levels[result])
            if level == "s"
            for at in range(2)
        ] + [f"{result}->vals"]
        parameters = ", ".join(f"taco_tensor_t *{name}" for name in names)
        frees = "".join(f"  free({array});\n" for array in freed)
        return (
            f"\nint evaluate_anew({parameters}) {{\n"
            f"  int status = evaluate({', '.join(names)});\n{frees}  return status;\n}}\n"
        )

    def program(self):
        every = dict.fromkeys(itertools.chain(*(self.labels(name) for name, _ in self.accesses)))
        lines = [f"IndexLabel [{', '.join(every)}] = [?];"]
        for tensor, labels in self.accesses:
            listed, words = labels.replace(",", ", "), {"d": "dense", "s": "compressed"}
            levels = ", ".join(
                f"{label} : {words[level]}"
                for label, level in zip(labels.split(","), self.levels[tensor])
            )
            widths = ", pos = 32, crd = 32" if "s" in self.levels[tensor] else ""
            form = f"{{({listed}) -> ({levels}){widths}}}"
            lines.append(f"Tensor<double> {tensor}([{listed}], {form});")
        for tensor, labels in self.accesses[1:]:
            lines.append(f'{tensor}[{labels}] = read("{tensor}.tns");')
        lines.append(re.sub(r"\((.*?)\)", r"[\1]", self.text) + ";")
        return "def main() {\n  " + "\n  ".join(lines) + "\n}\n"

    def extents(self, tensors):
        """Of the result's labels, then of those that are summed."""
        sizes = {}
        for name, _ in self.accesses[1:]:
            sizes.update(zip(self.labels(name), tensors[name].shape))
        own = self.labels(self.accesses[0][0])
        return [sizes[label] for label in own + [label for label in sizes if label not in own]]

    def shape(self, tensors):
        return self.extents(tensors)[: len(self.labels(self.accesses[0][0]))]


class Taco:
    def __init__(self, run):
        self.tool, self.folder = os.environ["STRATA_TACO"], run.folder
        os.environ.update(OMP_WAIT_POLICY="passive", GOMP_SPINCOUNT="0", OMP_PROC_BIND="false")
        self.openmp = ctypes.CDLL("libgomp.so.1")
        self.built = {}

    def threads(self, count):
        self.openmp.omp_set_num_threads(count)

    def libraries(self, statement, threads):
        """Each way to build the code that TACO makes; none where TACO fails."""
        found = {}
        for schedule in statement.schedules if threads > 1 else ("",):
            for name, flags in FLAGS.items():
                library = self.build(statement, schedule, flags)
                if library:
                    found[f"{schedule} {name}".strip()] = library
        return found

    def build(self, statement, schedule, flags):
        key = (statement.text, schedule, *flags)
        if key not in self.built:
            self.built[key] = self.compile(statement, schedule, flags)
        return self.built[key]

    def compile(self, statement, schedule, flags):
        stem = self.folder / f"taco-{len(self.built)}"
        source = stem.with_suffix(".c")
        formats = [f"-f={name}:{levels}" for name, levels in statement.levels.items()]
        made = subprocess.run(
            [
                self.tool,
                statement.text.replace(" ", ""),
                *formats,
                f"-write-source={source}",
                *([f"-s={schedule}"] if schedule else []),
            ],
            capture_output=True,
        )
        if made.returncode != 0 or not source.exists():
            return None
        with source.open("a") as text:
            text.write(statement.taco_anew())
        # Linked without -ffast-math, which would have the whole process flush small numbers to 0.
        common = ["gcc", "-std=gnu11", "-O3", "-march=native", "-fPIC", "-w"]
        openmp = ["-fopenmp"] if schedule else []
        subprocess.run(
            [*common, *openmp, *flags, "-c", source, "-o", stem.with_suffix(".o")], check=True
        )
        subprocess.run(
            ["gcc", "-shared", *openmp, stem.with_suffix(".o"), "-o", stem.with_suffix(".so")],
            check=True,
        )
        return ctypes.CDLL(str(stem.with_suffix(".so")))


def matrices(run):
    for name, matrix in products.problems(run):
        matrix = matrix.tocoo()
        yield name, matrix.shape, numpy.array([matrix.row, matrix.col]), matrix.data.astype(float)


def tensors(run):
    generator = numpy.random.default_rng(1)
    if not run.quick:
        shape = (3000, 4000, 5000)
        places = numpy.unique(generator.integers(0, numpy.prod(shape), 1000000))
        yield (
            "random:3000x4000x5000",
            shape,
            numpy.array(numpy.unravel_index(places, shape)),
            generator.uniform(-1, 1, places.size),
        )
    for name in run.files(
        "tensors/ml100k.tns",
        "tensors/kg_wn18.tns",
        "tensors/tags_ask_ubuntu_o3.tns",
        "tensors/eri_h2o_ccpvdz.tns",
        "tensors/jf17k_order4.tns",
        "tensors/tags_ask_ubuntu_o5.tns",
    ):
        table = numpy.loadtxt(name, comments="#", ndmin=2)
        coordinates = table[:, :-1].T.astype(numpy.int64) - 1
        coordinates, first = numpy.unique(coordinates, axis=1, return_index=True)
        yield (
            pathlib.Path(name).name,
            tuple(int(most) + 1 for most in coordinates.max(axis=1)),
            coordinates,
            table[first, -1],
        )


SPMV = Statement("SpMV", "y(i) = A(i,j) * x(j)", "d ds d", [ROWS.format(rest="j")])
SPMM = Statement("SpMM", "C(i,k) = A(i,j) * B(j,k)", "dd ds dd", [ROWS.format(rest="j,k"), ENTRIES])
# TACO fills a sparse result one entry after the other, so it has one thread here.
SDDMM = Statement("SDDMM", "S(i,j) = A(i,j) * C(i,k) * D(j,k)", "ds ds dd dd", [""])


def of_order(order):
    """The three kernels of tensors: times a vector, times a matrix, and times all matrices but
    one."""
    labels = "ijklm"[:order]
    listed, kept = ",".join(labels), ",".join(labels[:-1])
    compressed, last = "s" * order, labels[-1]
    matrices = "".join(f" * {name}({label},r)" for name, label in zip("CDEF", labels[1:]))
    return [
        Statement(
            "TTV", f"A({kept}) = B({listed}) * c({last})", f"{compressed[1:]} {compressed} d", [""]
        ),
        Statement(
            "TTM",
            f"A({kept},r) = B({listed}) * C({last},r)",
            f"{compressed[1:]}d {compressed} dd",
            [""],
        ),
        Statement(
            "MTTKRP",
            f"A(i,r) = B({listed}){matrices}",
            "dd " + compressed + " dd" * (order - 1),
            [FIBRES],
        ),
    ]


def dense(shape):
    return Tensor(shape, "d" * len(shape), values=numpy.random.default_rng(2).uniform(-1, 1, shape))


def operands(statement, sparse, rank):
    """The tensors of a statement, of which the first factor is given; `k` or `r` has the rank."""
    first = statement.accesses[1][0]
    sizes = dict(zip(statement.labels(first), sparse.shape))
    sizes.setdefault("k", rank)
    sizes["r"] = rank
    return {
        first: sparse,
        **{
            name: dense([sizes[label] for label in statement.labels(name)])
            for name, _ in statement.accesses[2:]
        },
    }


class Compiled:
    """Strata's kernels of statements, each compiled once."""

    def __init__(self, run):
        self.run, self.libraries = run, {}

    def library(self, statement):
        key = statement.program()
        if key not in self.libraries:
            name = f"strata-{len(self.libraries)}"
            self.libraries[key] = kernels.build(self.run, name, key, ["--phases"])
        return self.libraries[key]

    def call(self, statement, given, ending=""):
        """The whole kernel, or one of its phases; `given` are the factors."""
        result = statement.accesses[0][0]
        levels = statement.levels[result]
        empty = [numpy.empty(0, numpy.int32)] * (2 * levels.count("s")) + [numpy.empty(0)]
        return self.library(statement).call(
            result + ending,
            kernels.storage(statement.shape(given), empty),
            [given[name].storage() for name, _ in statement.accesses[1:]],
            statement.extents(given),
        )


class Measurement:
    def __init__(self, run):
        self.run, self.taco, self.rivals = run, Taco(run), Rivals(run)
        self.compiled, self.ratios = Compiled(run), {}

    def measure(self, problem, statement, given, what):
        """A dense result is computed where it lies; a sparse one is assembled anew in each call
        (TACO's `evaluate`), and its values alone are computed (`compute`)."""
        whole = self.compiled.call(statement, given)
        whole.run()
        levels = statement.levels[statement.accesses[0][0]]
        buffers = [whole.values(at) for at in range(whole.result.buffer_count)]
        result = Tensor(statement.shape(given), levels, values=numpy.zeros_like(buffers[-1]))
        result.arrays = buffers[:-1] + result.arrays
        factors = [given[name].taco() for name, _ in statement.accesses[1:]]
        pointers = [ctypes.byref(one) for one in (result.taco(), *factors)]

        def agree():
            bound = 1e-9 * max(abs(buffers[-1]).max(initial=0), 1)
            return abs(result.arrays[-1] - buffers[-1]).max(initial=0) <= bound

        if "s" not in levels:
            self.contest(problem, statement, what, whole.run, "compute", pointers, agree)
            return
        assembled = self.compiled.call(statement, given, "_assemble")
        values = self.compiled.call(statement, given, "_compute")
        values.storages[0] = assembled.storages[0]
        assembled.run()
        self.contest(problem, statement, f"{what} values", values.run, "compute", pointers, agree)
        difference = abs(assembled.values(len(buffers) - 1) - buffers[-1]).max(initial=0)
        if difference > 1e-9 * max(abs(buffers[-1]).max(initial=0), 1):
            raise SystemExit(f"{problem}, {what}: the values computed alone differ")

        fresh = Tensor(statement.shape(given), levels, values=numpy.zeros(1))
        fresh.arrays = buffers[:-1] + fresh.arrays
        own = fresh.taco()
        pointers[0] = ctypes.byref(own)
        self.contest(
            problem,
            statement,
            what,
            whole.run_anew,
            "evaluate_anew",
            pointers,
            lambda: True,
        )

    def contest(self, problem, statement, what, own, function, pointers, agree):
        def contestant(code):
            return lambda: code(*pointers)

        for threads in (1, 2):
            self.rivals.library.rivals_threads(threads)
            self.taco.threads(threads)
            contestants, names = [own], []
            for name, library in self.taco.libraries(statement, threads).items():
                contestants.append(contestant(getattr(library, function)))
                names.append(name)
                contestants[-1]()
                if not agree():
                    raise SystemExit(f"{problem}, {what}, TACO {name}: the results differ")
            if names:
                self.report(problem, what, threads, names, contestants)

    def report(self, problem, what, threads, names, contestants):
        times, ratios = mkl.contest(contestants, 9 if self.run.quick else 21)
        least = min(range(len(names)), key=lambda at: ratios[at])
        print(
            f"  {what:17} {threads:7} {times[0] * 1e6:10.1f} {times[1 + least] * 1e6:10.1f} "
            f"{ratios[least]:7.3f}  {names[least]}",
            flush=True,
        )
        of_matrices = what.split()[0] in (SPMV.name, SPMM.name, SDDMM.name)
        self.run.add(
            "taco matrices" if of_matrices else "taco tensors",
            problem=problem,
            kernel=what,
            threads=threads,
            seconds=times[0],
            taco_seconds=times[1 + least],
            ratio=ratios[least],
            build=names[least],
        )
        self.ratios.setdefault((what, threads), []).append((ratios[least], problem))


def against_taco(run):
    if not os.environ.get("STRATA_TACO"):
        print("skipped: no TACO (STRATA_TACO=.../bin/taco)")
        return
    measurement = Measurement(run)
    print(
        "ratio: TACO's time by Strata's (above 1: Strata is faster); sparse results are assembled "
        "and given back in\neach call; `values`: the values alone, in a pattern that is there"
    )
    heading = f"  {'kernel':17} {'threads':>7} {'us':>10} {'TACO us':>10} {'ratio':>7}  best build"
    for name, shape, coordinates, values in matrices(run):
        print(f"\n{name}: {shape[0]} x {shape[1]}, {values.size} entries\n{heading}")
        sparse = Tensor(shape, "ds", coordinates, values)
        measurement.measure(name, SPMV, operands(SPMV, sparse, RANK), "SpMV")
        for statement, ranks in ((SPMM, (8, 32, 128)), (SDDMM, (32, 128))):
            for rank in ranks:
                measurement.measure(
                    name, statement, operands(statement, sparse, rank), f"{statement.name} {rank}"
                )
    for name, shape, coordinates, values in tensors(run):
        print(f"\n{name}: {' x '.join(map(str, shape))}, {values.size} entries\n{heading}")
        sparse = Tensor(shape, "s" * len(shape), coordinates, values)
        for statement in of_order(len(shape)):
            measurement.measure(name, statement, operands(statement, sparse, RANK), statement.name)
    for (what, threads), ratios in measurement.ratios.items():
        mean = numpy.exp(numpy.mean([numpy.log(ratio) for ratio, _ in ratios]))
        least = min(ratios)
        run.goals.append(
            f"{what}, {threads} thread{'s' if threads > 1 else ''}, TACO's time by "
            f"ours: geometric mean {mean:.2f}, least {least[0]:.2f} ({least[1]})"
        )
