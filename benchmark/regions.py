"""What a parallel region costs one contestant, and from where on a second thread pays: a program of
its own, so that no other's threads run beside it.

    python3 regions.py CONTESTANT FOLDER [--quick]

The folder has the libraries that threads.py builds. The figures are written as JSON.
"""

import ctypes
import json
import os
import pathlib
import statistics
import sys

os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")

import numpy

import kernels
import quiet
import upstream

PAUSES = {"again": 0.0, "after a pause": 3e-3}
ROWS = (100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)
BAND = 5
AWAKE = 10e-3  # seconds until a thread that slept has found a processor of its own
# Steps from which on a kernel shares its work: never; as it is (strata/runtime/Thresholds.h).
NEVER, USUAL = 1 << 60, 1 << 15


class Timer:
    def __init__(self, folder):
        self.library = ctypes.CDLL(str(folder / "regions-plain.so"))

    def seconds(self, call, calls, pause):
        """The median of so many calls; `call` is a function and its arguments."""
        function, arguments = call
        words = (ctypes.c_void_p * 6)(*arguments)
        times = (ctypes.c_double * calls)()
        pointer = ctypes.cast(function, ctypes.c_void_p)
        self.library.regions_time(
            pointer, words, ctypes.c_int64(calls), ctypes.c_double(pause), times
        )
        return statistics.median(times)


class Problem:
    """A band of five entries a row times a vector."""

    def __init__(self, rows):
        self.rows = rows
        first = numpy.clip(numpy.arange(rows) - BAND // 2, 0, rows - BAND)
        columns = (first[:, None] + numpy.arange(BAND)).ravel()
        generator = numpy.random.default_rng(1)
        self.positions = kernels.aligned(numpy.arange(0, BAND * rows + 1, BAND, numpy.int32))
        self.coordinates = kernels.aligned(columns.astype(numpy.int32))
        self.values = kernels.aligned(generator.uniform(-1, 1, columns.size))
        self.x = kernels.aligned(generator.uniform(-1, 1, rows))
        self.y = kernels.aligned(numpy.zeros(rows))
        self.expected = (self.values * self.x[columns]).reshape(rows, BAND).sum(axis=1)

    def arrays(self):
        return [self.positions, self.coordinates, self.values, self.x, self.y]


class Plain:
    """A library that Regions.cpp makes: on one thread that without threads."""

    modes = (1, 2)

    def __init__(self, folder, name):
        self.plain = ctypes.CDLL(str(folder / "regions-plain.so"))
        self.library = ctypes.CDLL(str(folder / f"regions-{name}.so"))
        self.library.regions_limit()

    def empty(self):
        return self.library.regions_empty, []

    def call(self, problem, mode):
        library = self.plain if mode == 1 else self.library
        addresses = [array.ctypes.data for array in problem.arrays()]
        return library.regions_product, [problem.rows, *addresses]

    def result(self, problem):
        return problem.y


class Async(Plain):
    def __init__(self, folder):
        self.plain = ctypes.CDLL(str(folder / "regions-plain.so"))
        self.library = ctypes.CDLL(str(folder / "regions-async.so"))

    def empty(self):
        self.out = upstream.descriptor(numpy.zeros(2))
        return self.library._mlir_ciface_empty, [ctypes.addressof(self.out)]

    def call(self, problem, mode):
        if mode == 1:
            return super().call(problem, mode)
        self.kept = [upstream.descriptor(array) for array in problem.arrays()]
        addresses = [ctypes.addressof(one) for one in self.kept]
        return self.library._mlir_ciface_product, [problem.rows, *addresses]


class Strata(Plain):
    """On two threads its kernel shares its work however little there is; `chosen` is as it is."""

    modes = (1, 2, "chosen")

    def __init__(self, folder):
        super().__init__(folder, "tbb")  # which limits TBB's threads
        self.strata = kernels.Library(folder / "regions-strata.so")
        self.made = {}

    def empty(self):
        function = self.strata.library.strata_kernel_parallel
        nothing = ctypes.cast(self.plain.regions_nothing, ctypes.c_void_p)
        return function, [ctypes.addressof(self.strata.context), 2, nothing, None]

    def call(self, problem, mode):
        # The kernel counts nine steps for a row of five entries, and wants twice the least.
        steps = {1: NEVER, 2: 4 * problem.rows, "chosen": USUAL}[mode]
        self.strata.library.strata_cut_loops_from(ctypes.c_int64(steps))
        if problem.rows not in self.made:
            size = (problem.rows, problem.rows)
            operands = [
                kernels.storage(size, problem.arrays()[:3]),
                kernels.storage(size[:1], [problem.x]),
            ]
            result = kernels.storage(size[:1], [numpy.empty(0)])
            self.made[problem.rows] = self.strata.call("y", result, operands, size)
        made = self.made[problem.rows]
        words = [self.strata.context, made.storages, made.extents]
        return made.kernel, [ctypes.addressof(word) for word in words]

    def result(self, problem):
        return self.made[problem.rows].values(0)


def contestant(name, folder):
    if name == "Strata":
        return Strata(folder)
    return Async(folder) if name == "async" else Plain(folder, name)


def check(contestant, timer, problem):
    for mode in contestant.modes:
        problem.y[...] = 0
        timer.seconds(contestant.call(problem, mode), 1, 0)
        if not numpy.allclose(contestant.result(problem), problem.expected, rtol=1e-9, atol=1e-12):
            raise SystemExit(f"{problem.rows} rows: the result differs")


def product_times(contestant, timer, problem, pause, rounds):
    """The median seconds in each of its modes, in turns."""
    once = timer.seconds(contestant.call(problem, 1), 5, 0)
    calls = 15 if pause else max(20, min(400, int(4e-3 / once)))
    before = 1 if pause else max(20, int(AWAKE / once))
    turns, clock = [], quiet.Clock()
    for _ in range(rounds):
        clock.tick()
        turns.append([])
        for mode in contestant.modes:
            call = contestant.call(problem, mode)
            timer.seconds(call, before, pause)
            turns[-1].append(timer.seconds(call, calls, pause))
    return [statistics.median(column) for column in zip(*clock.kept(turns))]


def main():
    name, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    is_quick = "--quick" in sys.argv
    timer, one = Timer(folder), contestant(name, folder)
    found = {"empty": {}, "products": []}
    for when, pause in PAUSES.items():
        timer.seconds(one.empty(), 10, 0)
        found["empty"][when] = timer.seconds(one.empty(), 50 if pause else 5000, pause)
    for rows in ROWS[:: 3 if is_quick else 1]:
        problem = Problem(rows)
        check(one, timer, problem)
        for when, pause in PAUSES.items():
            times = product_times(one, timer, problem, pause, 3 if is_quick else 7)
            modes = [str(mode) for mode in one.modes]
            found["products"].append({"rows": rows, "when": when, **dict(zip(modes, times))})
    found["counts"] = quiet.RECORD.counts()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
