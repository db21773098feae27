"""Conversions from format to format: time against SciPy's, and memory beside the two tensors."""
import statistics
import time

import scipy.io

import files
import quiet

PAIRS = (("CSR", "CSC", "tocsc"), ("COO", "CSR", "tocsr"))


def seconds(convert, repeat):
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        convert()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def sources(matrix):
    """The matrix as SciPy stores it: sorted, without repetitions, as Strata's storages are."""
    rows = matrix.tocsr()
    rows.sort_indices()
    listed = rows.tocoo()
    listed.has_canonical_format = True
    return {"CSR": rows, "COO": listed}


def memory(run):
    """What each pair takes beside its two tensors, by what the larger of them takes; and by what
    Strata states that it takes at most."""
    names = ["CSR", "COO", "DIA"] if run.quick else ["CSR", "CSC", "DCSR", "COO", "COO-Unordered",
                                                      "BCSR", "ELL", "DIA", "JDS"]
    path = files.made(run, "stencil:30" if run.quick else "stencil:40")
    print("memory beside the two tensors, by the larger of them")
    most = None
    print(f"  {'from':14}" + "".join(f"{name:>14}" for name in names))
    for source in names:
        row = []
        for target in names:
            found = files.bench(run, "convert", path, source, target, "--threads=1", "--rounds=1")
            larger = max(found["from_bytes"], found["to_bytes"])
            beside = max(found["beside"] - found["to_bytes"], 0)
            row.append(beside / larger)
            # What allocators round up to, and the process itself, come on top.
            stated = (beside / (found["stated"] + 0.05 * larger), f"{source} to {target}")
            most = max(most or stated, stated)
            run.add("conversion memory", source=source, target=target, ratio=row[-1], **found)
        print(f"  {source:14}" + "".join(f"{ratio:14.2f}" for ratio in row), flush=True)
    run.goal("memory beside the two tensors, by what is stated", most, 1)


def measured(run):
    against_scipy(run)
    memory(run)


def against_scipy(run):
    """With one and two threads, in turns with SciPy, which has one."""
    names = ["random:20000:10"] if run.quick else ["stencil:40", "random:300000:8",
                                                  "random:1000000:8"]
    rounds, repeat = (3, 5) if run.quick else (7, 5)
    print(f"conversions, median of {rounds} rounds in turns of {repeat} each; times as fast as SciPy")
    print(f"  {'matrix':18} {'from':4} {'to':4} {'SciPy ms':>9} {'1 thread':>9} {'2 threads':>10}")
    worst = {1: None, 2: None}
    for name in names:
        path = files.made(run, name)
        matrices = sources(scipy.io.mmread(path))
        for source, target, method in PAIRS:
            turns, clock = [], quiet.Clock()
            for _ in range(rounds):
                clock.tick()
                times = [seconds(getattr(matrices[source], method), repeat)]
                for threads in (1, 2):
                    found = files.bench(run, "convert", path, source, target,
                                        f"--threads={threads}", f"--rounds={repeat}")
                    times.append(statistics.median(found["seconds"]))
                turns.append(times)
            theirs, *own = (statistics.median(column) for column in zip(*clock.kept(turns)))
            ratio = {threads: theirs / ours for threads, ours in zip((1, 2), own)}
            print(f"  {name:18} {source:4} {target:4} {1e3 * theirs:9.2f} {ratio[1]:9.2f} "
                  f"{ratio[2]:10.2f}", flush=True)
            run.add("conversions", matrix=name, source=source, target=target, their_seconds=theirs,
                    one_thread=ratio[1], two_threads=ratio[2])
            for threads in (1, 2):
                found = (1 / ratio[threads], f"{name}, {source} to {target}")
                worst[threads] = max(worst[threads] or found, found)
    run.goal("conversions by SciPy's time, one thread", worst[1], 1)
    run.goal("conversions by SciPy's time, two threads", worst[2], 1 / 1.3)
