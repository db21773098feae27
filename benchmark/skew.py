"""SpMV on two threads where one row holds nine tenths of the entries, cut by rows and by entries."""
import statistics
import time

import numpy
import scipy.sparse

import kernels
import quiet
from products import per_call
from rivals import Rivals

ELAPSED = time.perf_counter
SCHEDULES = {
    "rows": "parallelize(i, CPUThread, NoRaces)",
    "entries": "fuse(i, j, f); pos(f, p, A); split(p, c, q, 4096); "
               "parallelize(c, CPUThread, Temporary)",
}


def program():
    lines = ["IndexLabel [i, j] = [?];", "Tensor<double> A([i, j], CSR);",
             "Tensor<double> x([j], Dense);", 'A[i, j] = read("A.mtx");', 'x[j] = read("x.mtx");']
    for name, schedule in SCHEDULES.items():
        lines += [f"Tensor<double> {name}([i], Dense);",
                  f"{name}[i] = A[i, j] * x[j] schedule {{ {schedule}; }};"]
    return "def main() {\n  " + "\n  ".join(lines) + "\n}\n"


def matrix(count, share):
    """`count` entries in as many columns and a tenth as many rows; a share of them in row 7."""
    generator = numpy.random.default_rng(5)
    rows, columns = count // 10, count
    lengths = numpy.full(rows, int(count * (1 - share)) // (rows - 1))
    lengths[7] = int(count * share) or lengths[7]
    positions = numpy.concatenate(([0], numpy.cumsum(lengths))).astype(numpy.int32)
    coordinates = generator.integers(0, columns, positions[-1], dtype=numpy.int32)
    long = slice(positions[7], positions[8])
    coordinates[long] = numpy.linspace(0, columns - 1, lengths[7], dtype=numpy.int32)
    values = generator.uniform(-1, 1, positions[-1])
    result = scipy.sparse.csr_matrix((values, coordinates, positions), (rows, columns))
    result.sort_indices()
    return result


def speed_up(run, rivals, call):
    """The median of one thread's time by two threads', in turns."""
    def timed(threads, calls):
        rivals.library.rivals_threads(threads)
        return per_call(call.run, calls, ELAPSED)

    calls = max(1, int(4e-3 / timed(1, 1)))
    pairs, clock = [], quiet.Clock()
    for _ in range(9 if run.quick else 21):
        clock.tick()
        pairs.append((timed(1, calls), timed(2, calls)))
    pairs = clock.kept(pairs)
    one, two = (statistics.median(column) for column in zip(*pairs))
    return one, two, statistics.median(a / b for a, b in pairs)


def against_even(run):
    rivals, library = Rivals(run), kernels.build(run, "skew", program())
    print("ratio: one thread's time by two threads', median over rounds")
    sizes = {"cached": 200000 if run.quick else 1000000}
    if not run.quick:
        sizes["memory"] = 20000000
    for place, count in sizes.items():
        times, ratios = {}, {}
        for share in (0, 0.9):
            a = matrix(count, share)
            x = kernels.aligned(numpy.random.default_rng(2).uniform(-1, 1, a.shape[1]))
            bound = 1e-12 * (abs(a) @ abs(x)) + 1e-300
            for name in SCHEDULES:
                operands = [kernels.storage(a.shape, kernels.levels("CSR", a)),
                            kernels.storage(x.shape, [x])]
                call = library.call(name, kernels.storage(a.shape[:1], [numpy.empty(0)]), operands,
                                    a.shape)
                call.run()
                if not (abs(call.values(0) - a @ x) <= bound).all():
                    raise SystemExit(f"cut by {name}: the result differs from SciPy's")
                one, two, ratio = speed_up(run, rivals, call)
                times[share, name], ratios[share, name] = two, ratio
                kind = f"{int(share * 100)}% in one row" if share else "even rows"
                print(f"  {a.nnz:9} entries, {kind:14} cut by {name:8} {one * 1e6:10.1f} us "
                      f"{two * 1e6:10.1f} us {ratio:7.3f}", flush=True)
                run.add("skew", entries=a.nnz, share=share, cut=name, seconds=one, two_seconds=two,
                        ratio=ratio)
        quickest = min(SCHEDULES, key=lambda name: times[0, name])
        skewed, even = ratios[0.9, "entries"], ratios[0, quickest]
        if place == "cached":
            run.goal("skewed SpMV in the cache, two threads' time by one's", (1 / skewed, "entries"),
                     1 / 1.6)
        else:
            run.goal("skewed SpMV in memory, speed-up of even rows by its own",
                     (even / skewed, "entries"), 1 / 0.9)
