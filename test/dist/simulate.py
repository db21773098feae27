"""Simulated ranks send what ranks send: each step of thirteen programs, byte for byte, on 2, 3 and 4 of them, and
what cells need by a count of this test's own. Without an argument, in one process; with MPI HEADER COUNTER,
compared with runs by a launcher, of which MPI's profiling interface counts the messages, too, and the meetings."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from launch import Launcher, require

strata = os.environ["STRATA"]
work = pathlib.Path(tempfile.mkdtemp())
N = 40
# A band, and a row and a column that are full: every kind of neighbour.
ENTRIES = sorted({(i, j) for i in range(N) for j in (i - 2, i, i + 1) if 0 <= j < N}
                 | {(7, j) for j in range(0, N, 3)} | {(i, 11) for i in range(0, N, 2)})
TENSOR = sorted({(i, j, (i * j) % 9) for i, j in ENTRIES} | {(i, j, 3) for i, j in ENTRIES[::4]})


def file(name, entries, sizes):
    lines = [" ".join(str(at + 1) for at in entry) + f" {1 + number % 5}"
             for number, entry in enumerate(entries)]
    head = ["%%MatrixMarket matrix coordinate real general", f"{sizes[0]} {sizes[1]} {len(entries)}"]
    (work / name).write_text("\n".join([*(head if len(sizes) == 2 else []), *lines, ""]))


def program(declared, *steps):
    return "\n".join(["Machine M(?);", "Machine N(?, ?);", "def main() {", f"  IndexLabel [i, j, k, l] = [?];",
                      *(f"  Tensor<double> {one};" for one in declared), *(f"  {step};" for step in steps), "}", ""])


A, B = "A([i, j], CSR on M(i))", "B([j, k], CSR on M(j))"
READ_A, READ_B = 'A[i, j] = read("a.mtx")', 'B[j, k] = read("a.mtx")'
x, y = "x([j], Dense on M(j))", "y([i], Dense on M(i))"
X = "X([j, k], Dense on M(j))"
PROGRAMS = {
    "spmv": program([A, x, y], READ_A, "x[j] = A[i, j]", "y[i] = A[i, j] * x[j]"),
    "rounds": program([A, x, y], READ_A, "x[j] = A[i, j]", "y[i] = A[i, j] * x[j]") .replace(
        "  y[i] = A", "  for r in range(0, 4) {\n  y[i] = A").replace("x[j];\n}", "x[j];\n  x[j] = y[j];\n  }\n}"),
    "entries": program(["A([i, j], CSR on M(~(i, j)))", x, y], READ_A, "x[j] = A[i, j]", "y[i] = A[i, j] * x[j]"),
    "columns": program(["A([i, j], CSC on M(j))", x, y], READ_A, "x[j] = A[i, j]", "y[i] = A[i, j] * x[j]"),
    "spmm": program([A, X, "Y([i, k], Dense on M(i))", B], READ_A, READ_B, "X[j, k] = B[j, k]",
                    "Y[i, k] = A[i, j] * X[j, k]"),
    "add": program([A, "B([i, j], CSR on M(j))", "C([i, j], CSR on M(i))"], READ_A, 'B[i, j] = read("a.mtx")',
                   "C[i, j] = A[i, j] + 2 * B[i, j] + A[i, j]"),
    "spgemm": program([A, B, "C([i, k], CSR on M(i))"], READ_A, READ_B, "C[i, k] = A[i, j] * B[j, k]"),
    "sddmm": program(["A([i, j], CSR on M(~(i, j)))", "C([i, j], CSR on M(~(i, j)))", "U([i, k], Dense on M(i))",
                      "V([j, k], Dense on M(j))", "S([i, k], CSR)"], READ_A, 'S[i, k] = read("a.mtx")',
                     "U[i, k] = S[i, k]", "V[j, k] = S[j, k]", "C[i, j] = A[i, j] * U[i, k] * V[j, k]"),
    "sddmm by rows": program([A, "C([i, j], CSR on M(i))", "U([i, k], Dense on M(i))", "V([j, k], Dense on M(j))",
                              "S([i, k], CSR)"], READ_A, 'S[i, k] = read("a.mtx")', "U[i, k] = S[i, k]",
                             "V[j, k] = S[j, k]", "C[i, j] = A[i, j] * U[i, k] * V[j, k]"),
    "mttkrp": program(["T([i, j, k], CSF on M(i))", "U([j, l], Dense on M(j))", "V([k, l], Dense on M(k))",
                       "S([j, l], CSR)", "Y([i, l], Dense on M(i))"], 'T[i, j, k] = read("t.tns")',
                      'S[j, l] = read("a.mtx")', "U[j, l] = S[j, l]", "V[k, l] = S[k, l]",
                      "Y[i, l] = T[i, j, k] * U[j, l] * V[k, l]").replace("S[k, l]", "T[j, l, k]"),
    "stencil": program(["x([i], Dense on M(i))", "y([i], Dense on M(i))", "S([i, j], CSR)"], 'S[i, j] = read("a.mtx")',
                       "x[i] = S[i, j]").replace("\n}", """
  for r in range(0, 3) {
    y[i] = x[~(i - 1)] - 2 * x[i] + x[~(i + 1)];
    x[i] = y[i];
  }
}"""),
    "rows of a stencil": program(["X([j, k], Dense on M(j))", "Y([j, k], Dense on M(j))", B], READ_B, "X[j, k] = B[j, k]",
                                 "Y[j, k] = X[~(j - 2), k] + X[~(j + 1), k] - X[j, ~(k + 1)]"),
    "tiles": program(["A([i, j], Dense on N(i, j))", "B([j, k], Dense on N(j, k))", "C([i, k], Dense on N(i, k))",
                      "S([i, j], CSR)"], 'S[i, j] = read("a.mtx")', "A[i, j] = S[i, j]", "B[j, k] = S[j, k]",
                     "C[i, k] = A[i, j] * B[j, k]"),
}


def share(ranks):
    return -(-N // ranks)


def columns_elsewhere(ranks):
    """How many columns cells store, of rows in intervals, that are rows of others."""
    return len({(i // share(ranks), j) for i, j in ENTRIES if i // share(ranks) != j // share(ranks)})


def sent(name, done, begins):
    found = [one["bytes_moved"] for one in done["steps"] if one["what"].startswith(begins)]
    if not found:
        sys.exit(f"{name}: no step '{begins}' on {done['ranks']} ranks")
    return sum(found)


def check_needs(simulated):
    """What cells need, counted here, in rows of one number, of N, and in rounds."""
    for name, begins, each in [("spmv", "fetch what cells need of x", 8), ("rounds", "fetch what cells need of x", 4 * 8),
                               ("spmm", "fetch what cells need of X", 8 * N),
                               ("sddmm by rows", "fetch what cells need of V", 8 * N)]:
        for ranks in (2, 3, 4):
            bytes, expected = sent(name, simulated[name, ranks], begins), each * columns_elsewhere(ranks)
            if bytes != expected:
                sys.exit(f"{name} on {ranks} ranks sends {bytes} bytes, and cells need {expected}")
    # A value from each side of a boundary, in three rounds; three rows.
    for name, each in [("stencil", 3 * 2 * 8), ("rows of a stencil", 3 * 8 * N)]:
        for ranks in (2, 3, 4):
            bytes = sent(name, simulated[name, ranks], "fetch what cells need of")
            if bytes != each * (ranks - 1):
                sys.exit(f"{name} on {ranks} ranks sends {bytes} bytes, and cells need {each * (ranks - 1)}")


def simulate():
    result = {}
    for name in PROGRAMS:
        done = subprocess.run([strata, "explain", "--simulate=2,3,4", f"{name}.ta", "--json", "--quiet"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        require(done.returncode == 0, f"{name}: {done.stderr}", done)
        for one in json.loads(done.stdout):
            result[name, one["ranks"]] = one
    return result


def counted_in(name):
    """Bytes, messages and gathers that MPI has seen, of all processes together."""
    counts = [tuple(map(int, one.read_text().split())) for one in work.glob(f"{name}.*")]
    return [sum(numbers) for numbers in zip(*counts)]


def check_meetings(launcher):
    """Rounds in which nobody needs anything of another rank are no business of MPI; in others all meet."""
    file("diagonal.mtx", [(i, i) for i in range(N)], (N, N))
    gathers = {}
    for matrix in ("diagonal", "a"):
        for rounds in (4, 24):
            name = f"{matrix}-{rounds}"
            (work / f"{name}.ta").write_text(PROGRAMS["rounds"].replace("a.mtx", f"{matrix}.mtx")
                                             .replace("range(0, 4)", f"range(0, {rounds})"))
            counted = {"LD_PRELOAD": sys.argv[3], "STRATA_COUNT": str(work / f"meetings-{name}")}
            done, _ = launcher.run(2, strata, "run", f"{name}.ta", "--quiet", "--deadline=60", **counted)
            require(done.returncode == 0, name, done)
            gathers[matrix, rounds] = counted_in(f"meetings-{name}")[2] // 2
    more = {matrix: gathers[matrix, 24] - gathers[matrix, 4] for matrix in ("diagonal", "a")}
    if more != {"diagonal": 0, "a": 20}:
        sys.exit(f"20 rounds more take {more} meetings more")


def compare(launcher, simulated):
    for (name, ranks), expected in simulated.items():
        counted = {"LD_PRELOAD": sys.argv[3], "STRATA_COUNT": str(work / f"count-{name}-{ranks}")}
        done, _ = launcher.run(ranks, strata, "run", f"{name}.ta", "--json", "--quiet", "--deadline=60",
                               errors=subprocess.PIPE, **counted)
        require(done.returncode == 0, f"{name} on {ranks} ranks", done)
        moved = [(one["what"], one["bytes_moved"]) for one in json.loads(done.stdout)["steps"]
                if one.get("bytes_moved")]
        thought = [(one["what"], one["bytes_moved"]) for one in expected["steps"]
                   if one["bytes_moved"] and not one["what"].startswith("read ")]
        require(moved == thought, f"{name} on {ranks} ranks sends {moved}, and {thought} was simulated", done)
        counts = counted_in(f"count-{name}-{ranks}")[:2]
        expected = [sum(one[what] for one in expected["steps"]) for what in ("message_bytes", "messages")]
        require(counts == expected, f"{name} on {ranks} ranks starts {counts} bytes and messages, as MPI sees it, "
                f"and {expected} were simulated", done)


def check_figures(simulated):
    """The bytes of the programs, all of their steps together."""
    found = {name: [sum(one["bytes_moved"] for one in simulated[name, ranks]["steps"]
                        if not one["what"].startswith("read ")) for ranks in (2, 3, 4)] for name in PROGRAMS}
    if found != FIGURES:
        sys.exit(f"bytes on 2, 3 and 4 ranks:\n{json.dumps(found, indent=4)}")


def check_mistakes():
    for code, arguments, words in [
            (2, ["--simulate=0", "spmv.ta"], "'0' is no number of ranks"),
            (2, ["--simulate=2,x", "spmv.ta"], "'x' is no number"),
            (1, ["--simulate=2", "--network=no.json", "spmv.ta"], "cannot read 'no.json'"),
            (1, ["--simulate=2", "--network=a.mtx", "spmv.ta"], "does not describe a network"),
            (2, ["--network=a.mtx", "spmv.ta"], "needs '--simulate=RANKS'"),
            (2, ["--simulate=2", "y(i) = A(i,j) * x(j)", "-f=A:CSR"], "'--simulate=2' is about the cells")]:
        done = subprocess.run([strata, "explain", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        require(done.returncode == code and words in done.stdout, f"{arguments} says '{words}', with code {code}", done)
    (work / "gone.ta").write_text(PROGRAMS["spmv"].replace("a.mtx", "gone.mtx"))
    done = subprocess.run([strata, "explain", "--simulate=3", "gone.ta"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    require(done.returncode == 1 and done.stdout.count("error:") == 1 and "gone.mtx" in done.stdout,
            "a file that is not there is one error", done)


def check_network():
    """Slow links make the same bytes take longer, and nothing else."""
    times = []
    for figures in ({"latency_seconds": 1e-3}, {"bytes_per_second": 1e4}, {"node_bytes_per_second": 1e3, "ranks_per_node": 2}):
        (work / "net.json").write_text(json.dumps(figures))
        done = subprocess.run([strata, "explain", "--simulate=4", "--network=net.json", "spmv.ta", "--json", "--quiet"],
                              stdout=subprocess.PIPE, text=True, check=True)
        steps = {one["what"]: one for one in json.loads(done.stdout)[0]["steps"]}
        times.append(steps["fetch what cells need of x"])
    latency, bandwidth, node = times
    if not (latency["network_seconds"] >= 1e-3 * latency["most_messages"] > 0):
        sys.exit(f"a latency of 1 ms gives {latency}")
    if not (bandwidth["network_seconds"] >= bandwidth["most_bytes_moved"] / 1e4 > 0):
        sys.exit(f"10 kB/s give {bandwidth}")
    if not (node["network_seconds"] >= node["bytes_moved"] / 2 / 1e3 > 0):
        sys.exit(f"1 kB/s of a node give {node}")


# Of the programs on 2, 3 and 4 ranks.
FIGURES = {
    "spmv": [408, 584, 720],
    "rounds": [672, 992, 1248],
    "entries": [344, 608, 776],
    "columns": [408, 584, 720],
    "spmm": [3520, 5440, 7040],
    "add": [320, 448, 544],
    "spgemm": [592, 928, 1200],
    "sddmm": [4480, 8000, 9920],
    "sddmm by rows": [3520, 5440, 7040],
    "mttkrp": [8160, 13300, 17760],
    "stencil": [48, 96, 144],
    "rows of a stencil": [960, 1920, 2880],
    "tiles": [12800, 25600, 25600],
}

os.chdir(work)
file("a.mtx", ENTRIES, (N, N))
file("t.tns", TENSOR, (N, N, 9))
for name, text in PROGRAMS.items():
    (work / f"{name}.ta").write_text(text)
simulated = simulate()
if len(sys.argv) > 1:
    launcher = Launcher(sys.argv[1], sys.argv[2])
    compare(launcher, simulated)
    check_meetings(launcher)
else:
    check_needs(simulated)
    check_figures(simulated)
    check_mistakes()
    check_network()
