"""The compiler's schedule of a statement against random legal ones, on one thread."""
import math
import os
import random
import signal
import statistics
import subprocess

import numpy

import kernels
from products import per_call, problems
from rivals import Rivals

GOAL = 1.15
RANK = 32


class Statement:
    """A statement with its tensors: `text` has the result's name as {}."""

    def __init__(self, name, labels, tensors, result, text, operands, extents, shape):
        self.name, self.labels, self.tensors, self.result = name, labels, tensors, result
        self.text, self.operands, self.extents, self.shape = text, operands, extents, shape

    def program(self, schedules):
        """A statement for each schedule; an empty one is left to the compiler."""
        lines = ["IndexLabel [i, j, k, r] = [?];"]
        for name, rest in self.tensors.items():
            lines += [f"Tensor<double> {name}({rest});",
                      f'{name}{rest[:rest.index("]") + 1]} = read("{name}.tns");']
        for number, schedule in enumerate(schedules):
            lines += [f"Tensor<double> Y{number}({self.result}, Dense);",
                      self.text.format(f"Y{number}") +
                      (f" schedule {{ {schedule} }};" if schedule else ";")]
        return "def main() {\n  " + "\n  ".join(lines) + "\n}\n"


def csf(coordinates, values):
    """The arrays of a tensor whose levels are all compressed, from sorted coordinates."""
    arrays, count = [], len(values)
    starts = numpy.zeros(1, dtype=numpy.int64)  # of the parents' ranges
    changed = numpy.zeros(count, dtype=bool)
    changed[0] = True
    for column in coordinates:
        changed[1:] |= column[1:] != column[:-1]
        own = numpy.flatnonzero(changed)
        positions = numpy.append(numpy.searchsorted(own, starts), len(own))
        arrays += [positions.astype(numpy.int32), column[own].astype(numpy.int32)]
        starts = own
    return [*arrays, values]


def tensor(sizes, count):
    generator = numpy.random.default_rng(3)
    flat = numpy.unique(generator.integers(0, numpy.prod(sizes), count))
    return numpy.unravel_index(flat, sizes), generator.uniform(-1, 1, len(flat))


def dense(*shape):
    return kernels.aligned(numpy.random.default_rng(2).uniform(-1, 1, shape))


def statements(run):
    for name, matrix in problems(run):
        if matrix.nnz > 4e6:
            continue
        matrix.sum_duplicates()
        rows, columns = matrix.shape
        operand = kernels.storage(matrix.shape, kernels.levels("CSR", matrix))
        x, wide = dense(columns), dense(columns, RANK)
        yield Statement(f"SpMV, {name}", ["i", "j"], {"A": "[i, j], CSR", "x": "[j], Dense"}, "[i]",
                        "{}[i] = A[i, j] * x[j]", [operand, kernels.storage(x.shape, [x])],
                        [rows, columns], (rows,))
        yield Statement(f"SpMM {RANK}, {name}", ["i", "k", "j"],
                        {"A": "[i, j], CSR", "B": "[j, k], Dense"}, "[i, k]",
                        "{}[i, k] = A[i, j] * B[j, k]", [operand, kernels.storage(wide.shape, [wide])],
                        [rows, RANK, columns], (rows, RANK))
    sizes = (300, 400, 500)
    coordinates, values = tensor(sizes, 20000 if run.quick else 500000)
    operand = kernels.storage(sizes, csf(coordinates, values))
    b, c, v = dense(sizes[1], RANK), dense(sizes[2], RANK), dense(sizes[2])
    yield Statement(f"MTTKRP {RANK}", ["i", "r", "j", "k"],
                    {"T": "[i, j, k], CSF", "B": "[j, r], Dense", "C": "[k, r], Dense"}, "[i, r]",
                    "{}[i, r] = T[i, j, k] * B[j, r] * C[k, r]",
                    [operand, kernels.storage(b.shape, [b]), kernels.storage(c.shape, [c])],
                    [sizes[0], RANK, sizes[1], sizes[2]], (sizes[0], RANK))
    yield Statement("TTV", ["i", "j", "k"], {"T": "[i, j, k], CSF", "v": "[k], Dense"}, "[i, j]",
                    "{}[i, j] = T[i, j, k] * v[k]", [operand, kernels.storage(v.shape, [v])],
                    [*sizes], sizes[:2])
    yield Statement(f"TTM {RANK}", ["i", "j", "r", "k"],
                    {"T": "[i, j, k], CSF", "C": "[k, r], Dense"}, "[i, j, r]",
                    "{}[i, j, r] = T[i, j, k] * C[k, r]", [operand, kernels.storage(c.shape, [c])],
                    [sizes[0], sizes[1], RANK, sizes[2]], (*sizes[:2], RANK))


def draw(labels, choice):
    """Commands that a person might try; many are refused."""
    loops, commands = list(labels), []
    if choice.random() < 0.4:
        label = choice.choice(loops)
        cut, size = choice.choice([("split", choice.choice([256, 1024, 4096])),
                                   ("divide", choice.choice([2, 4, 8, 16]))])
        commands.append(f"{cut}({label}, {label}o, {label}i, {size})")
        at = loops.index(label)
        loops[at:at + 1] = [label + "o", label + "i"]
    before = list(loops)
    if choice.random() < 0.8:
        choice.shuffle(loops)
    if loops != before:
        commands.append(f"reorder({', '.join(loops)})")
    hint = choice.random()
    if hint < 0.4:
        commands.append(f"vectorize({choice.choice(loops)}, {choice.choice([2, 4, 8, 16])})")
    elif hint < 0.6:
        commands.append(f"unroll({loops[-1]}, {choice.choice([2, 4, 8])})")
    return "; ".join(commands)


def legal_schedules(run, statement, wanted):
    """Different ones that are not refused."""
    choice, found, tried = random.Random(1), [], set()
    while len(found) < wanted and len(tried) < 8 * wanted:
        before = len(tried)
        for _ in range(50):
            tried.add(schedule := draw(statement.labels, choice))
            if len(tried) > before:
                break
        else:
            break
        file = run.folder / "candidate.ta"
        file.write_text(statement.program([schedule or "assume(i, 0)"]))
        if schedule and subprocess.run([run.program("strata"), "explain", "--quiet", file],
                                       stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL).returncode == 0:
            found.append(schedule)
    return found


def ends_within(call, seconds):
    """Tried in a process of its own: some legal schedules take hours."""
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        call.run()
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def against_random(run):
    wanted = 10 if run.quick else 50
    Rivals(run).library.rivals_threads(1)
    print("time by the compiler's schedule, divided by that of the best of the random ones")
    worst = None
    for number, statement in enumerate(statements(run)):
        schedules = legal_schedules(run, statement, wanted)
        library = kernels.build(run, f"schedules{number}", statement.program(["", *schedules]))
        calls = [library.call(f"Y{at}", kernels.storage(statement.shape, [numpy.empty(0)]),
                              statement.operands, statement.extents)
                 for at in range(len(schedules) + 1)]
        calls[0].run()
        expected = calls[0].values(0)
        times = []
        for call in calls:
            if times and not ends_within(call, 1):
                times.append(math.inf)
                continue
            first = per_call(call.run, 1)
            if not numpy.allclose(call.values(0), expected, rtol=1e-9, atol=1e-9):
                raise SystemExit(f"{statement.name}: a schedule computes something else")
            hopeless = times and first > 20 * times[0]
            times.append(first if hopeless else min(per_call(call.run, 1) for _ in range(3)))
        best = min(range(1, len(calls)), key=times.__getitem__)
        many = max(1, int(2e-3 / times[0]))
        pairs = [(per_call(calls[0].run, many), per_call(calls[best].run, many))
                 for _ in range(9 if run.quick else 21)]
        ratio = statistics.median(a / b for a, b in pairs)
        print(f"  {statement.name:28} {len(schedules):3} schedules  "
              f"{statistics.median(a for a, _ in pairs) * 1e6:10.1f} us  {ratio:6.3f}  "
              f"{schedules[best - 1]}", flush=True)
        run.add("schedules", statement=statement.name, schedules=len(schedules), ratio=ratio,
                best=schedules[best - 1])
        if worst is None or ratio > worst[0]:
            worst = (ratio, statement.name)
    run.goal("the compiler's schedule, time divided by the best of random ones", worst, GOAL)
