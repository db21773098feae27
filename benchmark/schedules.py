"""The compiler's schedule of a statement against random legal ones, on one thread."""

import math
import os
import random
import signal
import statistics
import subprocess

import numpy

import assembly
import builds
import kernels
import taco
from products import per_call, problems
from rivals import Rivals

GOAL = 1.15
RANK = 32
CSR = "{CSR, pos = 32, crd = 32}"
# Schedules that take so many times as long as the compiler's are given up, after a least time in
# seconds: some legal ones take hours.
MOST_TIMES, LEAST_SECONDS = 20, 0.05
LARGE = 64 << 20  # bytes of a result
PARTS = (
    "SpMV",
    "SpMM",
    "SDDMM",
    "A*A",
    "A+B",
    "A+B+C",
    "triangles",
    "MTTKRP",
    "TTV",
    "TTM",
)


class Statement:
    """A statement with its tensors, each as `[i, j], FORMAT`; `text` has the result's name as {}.
    `labels` are those of its loops, and `more` are commands that are drawn for this kind of
    statement alone."""

    def __init__(self, name, labels, tensors, result, text, operands, extents, more=()):
        self.name, self.labels, self.tensors, self.result = name, labels, tensors, result
        self.text, self.operands, self.extents, self.more = text, operands, extents, more
        self.shape = extents[: result.split("]")[0].count(",") + 1]

    def program(self, schedules):
        """A statement for each schedule; an empty one is left to the compiler."""
        lines = ["IndexLabel [i, j, k, r] = [?];"]
        for name, rest in self.tensors.items():
            lines += [
                f"Tensor<double> {name}({rest});",
                f'{name}{rest[:rest.index("]") + 1]} = read("{name}.tns");',
            ]
        for number, schedule in enumerate(schedules):
            name = f"Y{number}"
            lines += [
                f"Tensor<double> {name}({self.result});",
                self.text.format(name)
                + (f" schedule {{ {schedule.format(name)} }};" if schedule else ";"),
            ]
        return "def main() {\n  " + "\n  ".join(lines) + "\n}\n"

    def call(self, library, number):
        """Of one of the program's kernels, with a result of its own."""
        compressed = self.result.count("compressed") + self.result.count("CSR")
        buffers = [numpy.empty(0, numpy.int32)] * (2 * compressed) + [numpy.empty(0)]
        result = kernels.storage(self.shape, buffers)
        return library.call(f"Y{number}", result, self.operands, self.extents)

    def calls(self, library, number):
        """For a contest: with results at several places, at one where these would take too much."""
        first = self.call(library, number)
        first.run()
        held = sum(values.nbytes for values in contents(first))
        few = held > LARGE
        rest = [first if few else self.call(library, number) for _ in range(builds.PLACES - 1)]
        return [first, *rest]


def dense(*shape):
    return kernels.aligned(numpy.random.default_rng(2).uniform(-1, 1, shape))


def csr(matrix):
    return kernels.storage(matrix.shape, kernels.levels("CSR", matrix))


def assembles(*ways):
    return [f"assemble({{}}, {way})" for way in ways]


def merges(label, operands):
    """Commands about a loop that merges operands."""
    ways = [f"mergeby({label}, {way})" for way in ("TwoFinger", "Gallop")]
    return ways + [f"locate({label}, {operand})" for operand in operands]


def with_dense_operands(run, wanted):
    """SpMV, SpMM and SDDMM."""
    for name, matrix in problems(run):
        if matrix.nnz > 4e6:
            continue
        matrix.sum_duplicates()
        rows, columns = matrix.shape
        x, wide, left = dense(columns), dense(columns, RANK), dense(rows, RANK)
        if "SpMV" in wanted:
            yield Statement(
                f"SpMV, {name}",
                ["i", "j"],
                {"A": f"[i, j], {CSR}", "x": "[j], Dense"},
                "[i], Dense",
                "{}[i] = A[i, j] * x[j]",
                [csr(matrix), kernels.storage(x.shape, [x])],
                [rows, columns],
            )
        if "SpMM" in wanted:
            yield Statement(
                f"SpMM {RANK}, {name}",
                ["i", "k", "j"],
                {"A": f"[i, j], {CSR}", "B": "[j, k], Dense"},
                "[i, k], Dense",
                "{}[i, k] = A[i, j] * B[j, k]",
                [csr(matrix), kernels.storage(wide.shape, [wide])],
                [rows, RANK, columns],
            )
        if "SDDMM" in wanted:
            yield Statement(
                f"SDDMM {RANK}, {name}",
                ["i", "j", "k"],
                {"A": f"[i, j], {CSR}", "C": "[i, k], Dense", "D": "[j, k], Dense"},
                f"[i, j], {CSR}",
                "{}[i, j] = A[i, j] * C[i, k] * D[j, k]",
                [csr(matrix), *(kernels.storage(one.shape, [one]) for one in (left, wide))],
                [rows, columns, RANK],
                assembles("Append", "Insert", "Gather"),
            )


def with_sparse_operands(run, wanted):
    """Products and sums of sparse matrices, and triangles as the section `assembly` counts them."""
    for name, matrix in assembly.problems(run):
        if name in ("random:500000:2", "fb100_Reed98.mtx", "cora.mtx"):
            continue
        a = assembly.canonical(matrix)
        b, c = (assembly.canonical(other) for other in assembly.companions(a))
        size = a.shape[0]
        if "A*A" in wanted and assembly.terms(a) <= assembly.MOST_TERMS / 5:
            yield Statement(
                f"A*A, {name}",
                ["i", "k", "j"],
                {"A": f"[i, j], {CSR}", "B": f"[j, k], {CSR}"},
                f"[i, k], {CSR}",
                "{}[i, k] = A[i, j] * B[j, k]",
                [csr(a), csr(a)],
                [size] * 3,
                assembles("Insert", "Gather", "Gather, table"),
            )
        if "A+B" in wanted:
            yield Statement(
                f"A+B, {name}",
                ["i", "j"],
                {"A": f"[i, j], {CSR}", "B": f"[i, j], {CSR}"},
                f"[i, j], {CSR}",
                "{}[i, j] = A[i, j] + B[i, j]",
                [csr(a), csr(b)],
                [size] * 2,
                assembles("Append", "Insert", "Gather", "Gather, table"),
            )
        if "A+B+C" in wanted:
            yield Statement(
                f"A+B+C, {name}",
                ["i", "j"],
                {"A": f"[i, j], {CSR}", "B": f"[i, j], {CSR}", "C": f"[i, j], {CSR}"},
                f"[i, j], {CSR}",
                "{}[i, j] = A[i, j] + B[i, j] + C[i, j]",
                [csr(a), csr(b), csr(c)],
                [size] * 2,
                assembles("Append", "Insert", "Gather", "Gather, table"),
            )
        lower = assembly.lower_triangle(a)
        if "triangles" in wanted and assembly.terms(lower) <= assembly.MOST_TERMS / 5:
            yield Statement(
                f"triangles, {name}",
                ["i", "k", "j"],
                {"A": f"[i, j], {CSR}", "B": f"[j, k], {CSR}", "L": f"[i, k], {CSR}"},
                f"[i, k], {CSR}",
                "{}[i, k]<L, structural, replace> = A[i, j] @(+,pair) B[j, k]",
                [csr(lower)] * 3,
                [size] * 3,
                assembles("Append", "Insert", "Gather", "Gather, table") + merges("k", ["B", "L"]),
            )


def tensors(run):
    """A random tensor of order 3, and those of the section `taco`."""
    sizes, generator = (300, 400, 500), numpy.random.default_rng(3)
    places = generator.integers(0, numpy.prod(sizes), 20000 if run.quick else 500000)
    places = numpy.unique(places)
    coordinates = numpy.array(numpy.unravel_index(places, sizes))
    yield "random", sizes, coordinates, generator.uniform(-1, 1, len(places))
    if not run.quick:
        yield from (one for one in taco.tensors(run) if len(one[1]) == 3)


def with_tensors(run, wanted):
    """MTTKRP, TTV and TTM with tensors in CSF, the results of the latter two sparse."""
    levels = {
        2: "(i : compressed, j : compressed), pos = 32, crd = 32",
        3: "(i : compressed, j : compressed, r : dense), pos = 32, crd = 32",
    }
    for name, sizes, coordinates, values in tensors(run):
        operand = taco.Tensor(sizes, "sss", coordinates, values).storage()
        b, c, v = dense(sizes[1], RANK), dense(sizes[2], RANK), dense(sizes[2])
        if "MTTKRP" in wanted:
            yield Statement(
                f"MTTKRP {RANK}, {name}",
                ["i", "r", "j", "k"],
                {"T": "[i, j, k], CSF", "C": "[k, r], Dense", "B": "[j, r], Dense"},
                "[i, r], Dense",
                "{}[i, r] = T[i, j, k] * C[k, r] * B[j, r]",
                [operand, *(kernels.storage(one.shape, [one]) for one in (c, b))],
                [sizes[0], RANK, sizes[1], sizes[2]],
                ["precompute(T[i, j, k] * C[k, r], {{r}}, {{rw}})"],
            )
        if "TTV" in wanted:
            yield Statement(
                f"TTV, {name}",
                ["i", "j", "k"],
                {"T": "[i, j, k], CSF", "v": "[k], Dense"},
                f"[i, j], {{(i, j) -> {levels[2]}}}",
                "{}[i, j] = T[i, j, k] * v[k]",
                [operand, kernels.storage(v.shape, [v])],
                [*sizes],
                assembles("Append", "Gather"),
            )
        if "TTM" in wanted:
            yield Statement(
                f"TTM {RANK}, {name}",
                ["i", "j", "r", "k"],
                {"T": "[i, j, k], CSF", "C": "[k, r], Dense"},
                f"[i, j, r], {{(i, j, r) -> {levels[3]}}}",
                "{}[i, j, r] = T[i, j, k] * C[k, r]",
                [operand, kernels.storage(c.shape, [c])],
                [sizes[0], sizes[1], RANK, sizes[2]],
                assembles("Append", "Gather"),
            )


def statements(run):
    wanted = run.part and [run.part] or PARTS
    for made in (with_dense_operands, with_sparse_operands, with_tensors):
        yield from made(run, wanted)


def draw(statement, choice):
    """Commands that a person might try; many are refused."""
    loops, commands = list(statement.labels), []
    if choice.random() < 0.4:
        label = choice.choice(loops)
        cut, size = choice.choice(
            [
                ("split", choice.choice([256, 1024, 4096])),
                ("divide", choice.choice([2, 4, 8, 16])),
            ]
        )
        commands.append(f"{cut}({label}, {label}o, {label}i, {size})")
        at = loops.index(label)
        loops[at : at + 1] = [label + "o", label + "i"]
    before = list(loops)
    if choice.random() < 0.8:
        choice.shuffle(loops)
    if loops != before:
        commands.append(f"reorder({', '.join(loops)})")
    if statement.more and choice.random() < 0.5:
        commands.append(choice.choice(statement.more))
    hint = choice.random()
    if hint < 0.4:
        commands.append(f"vectorize({choice.choice(loops)}, {choice.choice([2, 4, 8, 16])})")
    elif hint < 0.6:
        commands.append(f"unroll({loops[-1]}, {choice.choice([2, 4, 8])})")
    return "; ".join(commands)


def legal_schedules(run, statement, wanted):
    """Different ones that are not refused."""
    choice, found, tried = random.Random(1), [], set()
    while len(found) < wanted and len(tried) < 16 * wanted:
        before = len(tried)
        for _ in range(50):
            tried.add(schedule := draw(statement, choice))
            if len(tried) > before:
                break
        else:
            break
        file = run.folder / "candidate.ta"
        file.write_text(statement.program([schedule or "assume(i, 0)"]))
        if (
            schedule
            and subprocess.run(
                [run.program("strata"), "explain", "--quiet", file],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            ).returncode
            == 0
        ):
            found.append(schedule)
    return found


def ends_within(call, seconds):
    """Tried in a process of its own."""
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        call.run()
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def contents(call):
    return [call.values(at) for at in range(call.result.buffer_count)]


def least_time(call, expected, limit):
    """Seconds of a call; infinity where it takes longer than the limit. Raises where the result is
    another."""
    if not ends_within(call, limit):
        return math.inf
    first = per_call(call.run, 1)
    for ours, theirs in zip(contents(call), expected):
        bound = 1e-9 * max(abs(theirs).max(initial=0), 1)
        if ours.shape != theirs.shape or abs(ours - theirs).max(initial=0) > bound:
            raise SystemExit("a schedule computes something else")
    return first if first > limit / 4 else min(per_call(call.run, 1) for _ in range(3))


def measure(run, number, statement):
    """The ratio, or nothing where no other schedule is legal."""
    schedules = legal_schedules(run, statement, 10 if run.quick else 50)
    library = kernels.build(run, f"schedules{number}", statement.program(["", *schedules]))
    chosen = statement.call(library, 0)
    chosen.run()
    own = min(per_call(chosen.run, 1) for _ in range(3))
    expected, limit = contents(chosen), max(LEAST_SECONDS, MOST_TIMES * own)
    best = None
    for at, schedule in enumerate(schedules):
        call = statement.call(library, at + 1)
        try:
            seconds = least_time(call, expected, limit)
        except SystemExit as error:
            raise SystemExit(f"{statement.name}: {schedule}: {error}")
        call.drop()
        if seconds < math.inf and (best is None or seconds < best[0]):
            best = (seconds, schedule, at + 1)
    if best is None:
        return None
    chosen.drop()
    ours, theirs = (statement.calls(library, at) for at in (0, best[2]))
    seconds, ratios = builds.contest(ours, theirs, 11 if run.quick else 25)
    ratio = statistics.median(ratios)
    schedule = best[1].format("Y")
    print(
        f"  {statement.name:34} {len(schedules):3} schedules  "
        f"{seconds[0] * 1e6:10.1f} us  {ratio:6.3f}  {schedule}",
        flush=True,
    )
    run.add(
        "schedules",
        statement=statement.name,
        schedules=len(schedules),
        ratio=ratio,
        best=schedule,
    )
    for call in {*ours, *theirs}:
        call.drop()
    return ratio


def against_random(run):
    """All parts, or that which --only names: schedules:SDDMM."""
    Rivals(run).library.rivals_threads(1)
    print("time by the compiler's schedule, divided by that of the best of the random ones")
    worst = None
    for number, statement in enumerate(statements(run)):
        ratio = measure(run, number, statement)
        if ratio is not None and (worst is None or ratio > worst[0]):
            worst = (ratio, statement.name)
    run.goal("the compiler's schedule, time divided by the best of random ones", worst, GOAL)
