"""This build's kernels against those of another, such as an older commit's: did a change cost speed?

Both builds' kernels are in one process, on the same arrays, and take turns in an order that each
round draws; the time is that of the thread, which runs alone. All functions begin with a cache line,
and each kernel has results at several places, which its rounds go through. So neither other programs
nor where code, operands and results lie favour one of the two.
"""
import copy
import functools
import math
import os
import pathlib
import random
import statistics

import numpy

import assembly
import kernels
import products
import quiet

LIMIT = 1.05
PLACES = 5


def interval(ratios):
    """The 95 % interval of their median: between two of them, whatever they are distributed like."""
    count, below, rank = len(ratios), 0.0, 0
    while below + math.comb(count, rank) / 2**count <= 0.025:
        below += math.comb(count, rank) / 2**count
        rank += 1
    ordered = sorted(ratios)
    return ordered[max(rank - 1, 0)], ordered[count - max(rank, 1)]


def contest(ours, theirs, rounds):
    """Seconds of a call of each, and the ratios of the rounds. Both are lists of the same calls with
    results at other places."""
    for call in [*ours, *theirs]:
        call.run()
    calls = 1
    while products.per_call(theirs[0].run, calls) * calls < 2e-3:
        calls *= 2
    draw, times, clock = random.Random(1), [], quiet.Clock()
    for turn in range(rounds):
        clock.tick()
        pair = ours[turn % PLACES], theirs[turn % PLACES]
        measured = {}
        for call in draw.sample(pair, 2):
            measured[call] = products.per_call(call.run, calls)
        times.append(tuple(measured[call] for call in pair))
    times = clock.kept(times)
    seconds = [statistics.median(column) for column in zip(*times)]
    return seconds, [a / b for a, b in times]


class Operands:
    """Of the kernels of both builds, for one matrix."""

    def __init__(self, matrix):
        self.stored = {form: matrix.asformat(form.lower()) for form in kernels.FORMATS}
        generator = numpy.random.default_rng(2)
        self.x = [kernels.aligned(generator.uniform(-1, 1, matrix.shape[1:] + shape))
                  for shape in ((), (products.WIDTH,))]
        self.problem = assembly.Matrices(None, matrix)


class Build:
    """The kernels of one build."""

    def __init__(self, run, folder, name):
        run = copy.copy(run)
        run.build = pathlib.Path(folder).resolve()
        self.products = kernels.build(run, f"products-{name}", aligned=True)
        self.assembly = kernels.build(run, f"assembly-{name}", assembly.PROGRAM, aligned=True)

    def makers(self, operands):
        """By name: functions that make a call, with a result of its own."""
        made = {}
        for form, stored in operands.stored.items():
            for x in operands.x:
                name = "SpMV" if x.ndim == 1 else f"SpMM {products.WIDTH}"
                made[f"{name} {form}"] = functools.partial(self.products.product, form, stored, x)
        problem = copy.copy(operands.problem)
        problem.library = self.assembly

        def assembled(what, kernel, which, order=3):
            storages = [problem.storage(at) for at in which]
            made[what] = functools.partial(problem.kernel, kernel, storages, order)

        assembled("A+B", "pair", (0, 1), order=2)
        assembled("A+B+C", "triple", (0, 1, 2), order=2)
        assembled("transposition", "T", (0,), order=2)
        if assembly.terms(problem.matrices[0]) <= assembly.MOST_TERMS:
            assembled("A*A sorted", "sorted", (0, 0))
            assembled("A*A unsorted", "loose", (0, 0))
            assembled("C<L> = A*A", "counts", (0, 0, 0))
        return made


def against(run):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    ours, theirs = Build(run, run.build, "this"), Build(run, run.other, "other")
    rounds = 21 if run.quick else 41
    print(f"thread time of a call by that of {run.other}, medians of {rounds} rounds")
    rows = []
    for name, matrix in assembly.problems(run):
        matrix = assembly.canonical(matrix)
        print(f"\n{name}: {matrix.shape[0]} x {matrix.shape[1]}, {matrix.nnz} entries")
        operands = Operands(matrix)
        makers = [build.makers(operands) for build in (ours, theirs)]
        for what in makers[0]:
            calls = [[made[what]() for _ in range(PLACES)] for made in makers]
            seconds, ratios = contest(*calls, rounds)
            for call in [*calls[0], *calls[1]]:
                call.drop()
            low, high = interval(ratios)
            row = {"matrix": name, "what": what, "seconds": seconds[0],
                   "their_seconds": seconds[1], "ratio": statistics.median(ratios), "low": low,
                   "high": high, "rounds": len(ratios)}
            print(f"  {what:14} {row['seconds'] * 1e6:10.1f} us {row['their_seconds'] * 1e6:10.1f} "
                  f"us {row['ratio']:7.3f}  ({low:.3f} to {high:.3f})", flush=True)
            rows.append(row)
            run.add("builds", **row)
    worst = max(rows, key=lambda row: row["low"])
    run.goal("this build's time by the other's, lower end of the 95 % interval",
             (worst["low"], f"{worst['matrix']}, {worst['what']}"), LIMIT)
    widest = max(rows, key=lambda row: row["high"])
    run.goal("the upper end", (widest["high"], f"{widest['matrix']}, {widest['what']}"), LIMIT)
