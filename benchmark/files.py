"""What reading and packing take: memory beside the mapped file, and time against SciPy's reader."""
import gzip
import json
import pathlib
import statistics
import subprocess
import time

import numpy
import scipy.io

import quiet

FORMATS = ("CSR", "CSC", "DCSR", "COO")
TINY = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n"


def bench(run, *arguments):
    process = subprocess.run([run.program("strata-bench"), *map(str, arguments)],
                             stdout=subprocess.PIPE, check=True)
    return json.loads(process.stdout)


def made(run, matrix, *options):
    """A file with that matrix, made once."""
    path = run.folder / ("-".join([matrix.replace(":", "-"), *options]) + ".mtx")
    if not path.exists():
        subprocess.run([run.program("strata-bench"), "make", matrix, path,
                        *(f"--{option}" for option in options)], check=True)
    return path


def memory(run):
    """The empty process is the same one with a matrix of one entry: it compiles the same."""
    tiny = run.folder / "tiny.mtx"
    tiny.write_text(TINY)
    empty = {form: bench(run, "pack", tiny, form) for form in FORMATS}
    matrices = ["stencil:40"] if run.quick else ["stencil:40", "random:300000:8", "stencil:64"]
    print("peak of resident memory beside the mapped file and the empty process, by the larger of\n"
          "the list of coordinates and the packed tensor; MB")
    print(f"  {'file':27} {'MB':>6} {'format':6} {'empty':>6} {'list':>6} {'packed':>6} "
          f"{'reading':>8} {'packing':>8} {'ratio':>6}")
    rows = []
    for file in (made(run, name, *how) for name in matrices for how in ([], ["shuffled"])):
        for form in FORMATS:
            base = max(empty[form]["read_peak"], empty[form]["pack_peak"])
            found = bench(run, "pack", file, form)
            peaks = found["read_peak"] - base, found["pack_peak"] - base
            ratio = max(peaks) / max(found["list_bytes"], found["packed_bytes"])
            print(f"  {file.stem:27} {file.stat().st_size / 1e6:6.0f} {form:6} {base / 1e6:6.1f} "
                  f"{found['list_bytes'] / 1e6:6.1f} {found['packed_bytes'] / 1e6:6.1f} "
                  f"{peaks[0] / 1e6:8.1f} {peaks[1] / 1e6:8.1f} {ratio:6.2f}", flush=True)
            rows.append(dict(file=file.stem, format=form, empty=base, list=found["list_bytes"],
                             packed=found["packed_bytes"], read_peak=peaks[0],
                             pack_peak=peaks[1], ratio=ratio))
            run.add("memory", **rows[-1])
    row = max(rows, key=lambda row: row["ratio"])
    run.goal("peak memory of reading and packing, by the larger of list and tensor",
             (row["ratio"], f"{row['file']} {row['format']}"), 2.5)


def reading(run):
    against_scipy(run)
    against_mlir(run)


def made_tensor(run):
    """A tensor of order 3 that both readers know, above 20 MB, made once."""
    path = run.folder / "random-3.tns"
    if not path.exists():
        count = 50000 if run.quick else 1500000
        random = numpy.random.default_rng(1)
        sizes = (3000, 4000, 5000)
        places = numpy.unique(numpy.ravel_multi_index(
            [random.integers(0, size, count) for size in sizes], sizes))
        columns = [column + 1 for column in numpy.unravel_index(places, sizes)]
        columns.append(random.uniform(-1, 1, places.size).round(9))
        with open(path, "w") as file:
            file.write(f"# extended FROSTT format\n3 {places.size}\n3000 4000 5000\n")
            numpy.savetxt(file, numpy.column_stack(columns), fmt="%d %d %d %.9g")
    return path


def kept_kernels(run):
    """The option that has compiled kernels kept in the run's folder."""
    return f"--cache={run.folder / 'kernels'}"


def seconds_to_pack(found):
    return sum(found[f"{part}_seconds"] for part in ("read", "sort", "fill", "compile"))


def against_mlir(run):
    """From a file to CSR or CSF in turns with the runtime library of MLIR's sparse_tensor dialect,
    which has one thread and nothing to compile; Strata has two, and compiles, or finds its kernel
    in the cache."""
    if not run.has_program("strata-bench-mlir"):
        print("MLIR's reader: libmlir_c_runner_utils is not there")
        return
    rounds = 3 if run.quick else 5
    files = [(made(run, name), "CSR") for name in
             (["random:20000:10"] if run.quick else ["stencil:40", "random:300000:8"])]
    files.append((made_tensor(run), "CSF"))
    print("\nfrom a file to a tensor, two threads, with a kernel that is kept and with compiling it, "
          f"by the\ntime of MLIR's runtime library; median of {rounds}\n"
          f"  {'file':20} {'MB':>6} {'format':6} {'kept ms':>8} {'ms':>8} {'MLIR ms':>8} "
          f"{'times':>6} {'times':>6}")
    slowest = []
    for path, form in files:
        bench(run, "pack", path, form, kept_kernels(run))  # keeps the kernel
        kept, compiled, theirs = [], [], []
        for _ in range(rounds):
            kept.append(seconds_to_pack(bench(run, "pack", path, form, "--threads=2",
                                              kept_kernels(run))))
            found = bench(run, "pack", path, form, "--threads=2")
            compiled.append(seconds_to_pack(found))
            process = subprocess.run([run.program("strata-bench-mlir"), str(path)],
                                     stdout=subprocess.PIPE, check=True)
            other = json.loads(process.stdout)
            if other["entries"] != found["entries"]:
                raise SystemExit(f"{path}: {found['entries']} and {other['entries']} entries")
            theirs.append(other["seconds"])
        seconds, slow, other = map(statistics.median, (kept, compiled, theirs))
        size = path.stat().st_size
        print(f"  {path.stem:20} {size / 1e6:6.1f} {form:6} {1e3 * seconds:8.1f} {1e3 * slow:8.1f} "
              f"{1e3 * other:8.1f} {other / seconds:6.1f} {other / slow:6.1f}", flush=True)
        run.add("reading against MLIR", file=path.stem, bytes=size, format=form, seconds=seconds,
                compiled_seconds=slow, their_seconds=other, times=other / seconds)
        if size > 20e6:
            slowest.append((seconds / other, path.stem))
    run.goal("from a file above 20 MB to CSR or CSF, two threads, by MLIR's time",
             max(slowest, default=None), 1 / 3)


def against_scipy(run):
    """Strata and SciPy's mmread in turns: into coordinates with one and two threads, then on to
    CSR with two; the same file by gzip."""
    names = ["matrices/bcsstk15.mtx"] if run.quick else ["matrices/bcsstk15.mtx",
                                                          "graphs/fb100_Cornell5.mtx"]
    paths = [pathlib.Path(name) for name in run.files(*names)]
    paths += ([made(run, "random:20000:10")] if run.quick else
              [made(run, name, *how) for how in ([], ["shuffled"])
               for name in ("stencil:40", "random:300000:8")] + [by_diagonals(run)])
    rounds = 3 if run.quick else 5
    print(f"SciPy {scipy.__version__}: from a file to coordinates, and to CSR (two threads, with a "
          f"kernel that is kept; SciPy: tocsr()),\nmedian of {rounds}; MB/s of text, and how many "
          "times as fast as SciPy")
    print(f"  {'file':27} {'MB':>6} {'1 thread':>9} {'2 threads':>9} {'gzip':>6} {'SciPy':>6} "
          f"{'times':>6} {'CSR':>6} {'SciPy':>6} {'times':>6}")
    slowest = []
    for path in paths:
        row = read_one(run, path, rounds)
        megabytes = row["bytes"] / 1e6
        rate = {key: megabytes / row[key] for key in row if key.endswith("seconds")}
        print(f"  {path.stem:27} {megabytes:6.1f} {rate['seconds']:9.0f} "
              f"{rate['two_threads_seconds']:9.0f} {rate['gzip_seconds']:6.0f} "
              f"{rate['their_seconds']:6.1f} {row['times']:6.1f} {rate['csr_seconds']:6.0f} "
              f"{rate['their_csr_seconds']:6.1f} {row['csr_times']:6.1f}", flush=True)
        run.add("reading", file=path.stem, **row)
        if row["bytes"] > 20e6:
            slowest.append((1 / row["csr_times"], path.stem))
    run.goal("from a file above 20 MB to CSR, two threads, by SciPy's time",
             max(slowest, default=None), 1 / 1.5 if threaded_reader() else 0.2)


def threaded_reader():
    """Has SciPy the reader of fast_matrix_market, ten times as fast as the one before it?"""
    return tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 12)


def by_diagonals(run):
    """A file of more than 160 MB whose entries come diagonal by diagonal."""
    path = run.folder / "diagonals.mtx"
    offsets, size = (-1000, -300, -100, -30, -10, -3, -2, -1, 0, 1, 2, 3, 10, 30, 100, 300), 400000
    random = numpy.random.default_rng(1)
    if not path.exists():
        with open(path, "w") as file:
            file.write("%%MatrixMarket matrix coordinate real general\n"
                       f"{size} {size} {sum(size - abs(offset) for offset in offsets)}\n")
            for offset in offsets:
                row = numpy.arange(max(0, -offset), min(size, size - offset)) + 1
                numpy.savetxt(file, numpy.column_stack(
                    [row, row + offset, random.uniform(-1, 1, row.size)]), fmt="%d %d %.9g")
    return path


def read_one(run, path, rounds):
    packed = run.folder / (path.name + ".gz")
    packed.write_bytes(gzip.compress(path.read_bytes(), 6))
    turns, clock = [], quiet.Clock()
    bench(run, "pack", path, "CSR", kept_kernels(run))  # keeps the kernel
    for _ in range(rounds):
        clock.tick()
        times = {}
        for key, file, threads in (("seconds", path, 1), ("two_threads_seconds", path, 2),
                                   ("gzip_seconds", packed, 2)):
            times[key] = bench(run, "read", file, f"--threads={threads}")["seconds"]
        found = bench(run, "pack", path, "CSR", "--threads=2", kept_kernels(run))
        times["csr_seconds"] = seconds_to_pack(found)
        begin = time.perf_counter()
        matrix = scipy.io.mmread(path)
        read = time.perf_counter() - begin
        begin = time.perf_counter()
        matrix.tocsr()
        times["their_seconds"] = read
        times["their_csr_seconds"] = read + time.perf_counter() - begin
        turns.append(times)
    packed.unlink()
    turns = clock.kept(turns)
    row = {key: statistics.median(turn[key] for turn in turns) for key in turns[0]}
    return dict(bytes=path.stat().st_size, **row,
                times=row["their_seconds"] / row["two_threads_seconds"],
                csr_times=row["their_csr_seconds"] / row["csr_seconds"])
