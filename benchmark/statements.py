"""From typing a statement to its result: the whole process, and what of it is compiling."""
import json
import resource
import statistics
import subprocess
import time

STATEMENTS = {
    "SpMV": ["y(i) = A(i,j) * x(j)", "-f=A:CSR", "-i=A:a.mtx", "-g=x:d", "-o=y:y.mtx"],
    "SpMM": ["C(i,k) = A(i,j) * B(j,k)", "-f=A:CSR", "-i=A:a.mtx", "-g=B:d", "-d=k:32",
             "-o=C:c.mtx"],
    "addition": ["C(i,j) = A(i,j) + B(i,j)", "-f=A:CSR", "-f=B:COO", "-f=C:CSR", "-i=A:a.mtx",
                 "-i=B:a.mtx", "-o=C:c.mtx"],
    "SDDMM": ["S(i,j) = A(i,j) * P(i,k) * Q(k,j)", "-f=A:CSR", "-f=S:CSR", "-i=A:a.mtx", "-g=P:d",
              "-g=Q:d", "-d=k:8", "-o=S:s.mtx"],
}


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def one_run(run, arguments):
    """Seconds of the process by the clock and on processors, and of compiling."""
    used, begin = processor_time(), time.perf_counter()
    process = subprocess.run([run.program("strata"), *arguments, "--json"], cwd=run.folder,
                             stdout=subprocess.PIPE, check=True)
    clock, used = time.perf_counter() - begin, processor_time() - used
    steps = json.loads(process.stdout)["steps"]
    return clock, used, sum(step["seconds"]["compile"] for step in steps)


def latency(run):
    subprocess.run([run.program("strata-bench"), "make", "random:200:5", run.folder / "a.mtx"],
                   check=True)
    rounds = 7 if run.quick else 31
    times = {name: [] for name in STATEMENTS}
    for _ in range(rounds):
        for name, arguments in STATEMENTS.items():
            times[name].append(one_run(run, arguments))
    print(f"the process of a statement on a 200 x 200 matrix, {rounds} runs; ms, median (least)")
    print(f"  {'statement':10} {'process':>16} {'on processors':>16} {'compiling':>16}")
    for name, rows in times.items():
        columns = list(zip(*rows))
        middle, least = [statistics.median(c) for c in columns], [min(c) for c in columns]
        cells = (f"{a * 1e3:.0f} ({b * 1e3:.0f})" for a, b in zip(middle, least))
        print(f"  {name:10} " + " ".join(f"{cell:>16}" for cell in cells))
        run.add("latency", statement=name, seconds=middle[0], processor=middle[1],
                compile=middle[2], least=least[0], rounds=rounds)
    rows = [row for row in run.rows if row["section"] == "latency"]
    for key, text, limit in (("seconds", "process of a statement, s", 0.3),
                             ("compile", "compiling in it, s", 0.1)):
        row = max(rows, key=lambda row: row[key])
        run.goal(text, (row[key], row["statement"]), limit)
