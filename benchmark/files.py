"""What reading and packing take: memory beside the mapped file, and time against SciPy's reader."""
import json
import pathlib
import statistics
import subprocess
import time

import scipy.io

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
    """Strata with one and two threads and SciPy's mmread, in turns."""
    names = ["matrices/bcsstk15.mtx"] if run.quick else ["matrices/bcsstk15.mtx",
                                                          "graphs/fb100_Cornell5.mtx"]
    paths = [pathlib.Path(name) for name in run.files(*names)]
    paths += [made(run, name) for name in (["random:20000:10"] if run.quick else
                                           ["stencil:40", "random:300000:8"])]
    rounds = 3 if run.quick else 5
    print(f"reading into coordinates, median of {rounds}; MB/s of text")
    print(f"  {'file':27} {'MB':>6} {'1 thread':>9} {'2 threads':>9} {'SciPy':>9} {'ratio':>7}")
    for path in paths:
        megabytes = path.stat().st_size / 1e6
        times = {1: [], 2: [], "SciPy": []}
        for _ in range(rounds):
            for threads in (1, 2):
                times[threads].append(bench(run, "read", path, f"--threads={threads}")["seconds"])
            begin = time.perf_counter()
            scipy.io.mmread(path)
            times["SciPy"].append(time.perf_counter() - begin)
        one, two, theirs = (statistics.median(times[key]) for key in (1, 2, "SciPy"))
        print(f"  {path.stem:27} {megabytes:6.1f} {megabytes / one:9.0f} {megabytes / two:9.0f} "
              f"{megabytes / theirs:9.1f} {one / theirs:7.4f}", flush=True)
        run.add("reading", file=path.stem, bytes=path.stat().st_size, seconds=one,
                seconds_2_threads=two, their_seconds=theirs, ratio=one / theirs)
