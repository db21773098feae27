"""This build's kernels against those of another, such as an older commit's: did a change cost speed?

Both builds' kernels are in one process, on the same arrays, and take turns in an order that each
round draws; the time is that of the thread, which runs alone. So neither other programs nor where
the operands lie favour one of the two.
"""
import copy
import math
import os
import pathlib
import random
import statistics

import numpy

import assembly
import kernels
import products

LIMIT = 1.05


def interval(ratios):
    """The 95 % interval of their median: between two of them, whatever they are distributed like."""
    count, below, rank = len(ratios), 0.0, 0
    while below + math.comb(count, rank) / 2**count <= 0.025:
        below += math.comb(count, rank) / 2**count
        rank += 1
    ordered = sorted(ratios)
    return ordered[max(rank - 1, 0)], ordered[count - max(rank, 1)]


def contest(one, other, rounds):
    """Seconds of a call of each, and the ratios of the rounds."""
    calls = 1
    one()
    other()
    while products.per_call(other, calls) * calls < 2e-3:
        calls *= 2
    draw, times = random.Random(1), []
    for _ in range(rounds):
        measured = {}
        for call in draw.sample([one, other], 2):
            measured[call] = products.per_call(call, calls)
        times.append((measured[one], measured[other]))
    seconds = [statistics.median(column) for column in zip(*times)]
    return seconds, [a / b for a, b in times]


class Build:
    """The kernels of one build."""

    def __init__(self, run, folder, name):
        run = copy.copy(run)
        run.build = pathlib.Path(folder).resolve()
        self.products = kernels.build(run, f"products-{name}")
        self.assembly = kernels.build(run, f"assembly-{name}", assembly.PROGRAM)

    def calls(self, matrix):
        """By name: what is measured on a matrix."""
        for form in kernels.FORMATS:
            stored = matrix.asformat(form.lower())
            for width in (1, products.WIDTH):
                shape = matrix.shape[1] if width == 1 else (matrix.shape[1], width)
                x = kernels.aligned(numpy.random.default_rng(2).uniform(-1, 1, shape))
                name = "SpMV" if width == 1 else f"SpMM {width}"
                yield f"{name} {form}", self.products.product(form, stored, x)
        problem = assembly.Matrices(self.assembly, matrix)
        yield "A+B", problem.kernel("pair", [problem.storage(0), problem.storage(1)], order=2)
        yield "A+B+C", problem.kernel("triple", [problem.storage(at) for at in range(3)], order=2)
        yield "transposition", problem.kernel("T", [problem.storage()], order=2)
        if assembly.terms(problem.matrices[0]) <= assembly.MOST_TERMS:
            for name, kernel in (("A*A sorted", "sorted"), ("A*A unsorted", "loose"),
                                 ("C<L> = A*A", "counts")):
                operands = [problem.storage() for _ in range(3 if kernel == "counts" else 2)]
                yield name, problem.kernel(kernel, operands)


def against(run):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    ours, theirs = Build(run, run.build, "this"), Build(run, run.other, "other")
    rounds = 21 if run.quick else 41
    print(f"thread time of a call by that of {run.other}, medians of {rounds} rounds")
    rows = []
    for name, matrix in assembly.problems(run):
        matrix = assembly.canonical(matrix)
        print(f"\n{name}: {matrix.shape[0]} x {matrix.shape[1]}, {matrix.nnz} entries")
        for (what, one), (_, other) in zip(ours.calls(matrix), theirs.calls(matrix)):
            seconds, ratios = contest(one.run, other.run, rounds)
            low, high = interval(ratios)
            row = {"matrix": name, "what": what, "seconds": seconds[0],
                   "their_seconds": seconds[1], "ratio": statistics.median(ratios), "low": low,
                   "high": high, "rounds": rounds}
            print(f"  {what:14} {row['seconds'] * 1e6:10.1f} us {row['their_seconds'] * 1e6:10.1f} "
                  f"us {row['ratio']:7.3f}  ({low:.3f} to {high:.3f})", flush=True)
            rows.append(row)
            run.add("builds", **row)
    worst = max(rows, key=lambda row: row["low"])
    run.goal("this build's time by the other's, lower end of the 95 % interval",
             (worst["low"], f"{worst['matrix']}, {worst['what']}"), LIMIT)
    widest = max(rows, key=lambda row: row["high"])
    run.goal("the upper end", (widest["high"], f"{widest['matrix']}, {widest['what']}"), LIMIT)
