"""Whole algorithms in Python beside the same programs in the language: examples/*.py and examples/*.ta.

Both compute the same numbers, which every run compares; a difference ends it.
"""

import importlib.util
import pathlib
import statistics
import time

import numpy

import quiet

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"
DATA = EXAMPLES / "data"
TOLERANCE = 1e-6  # of numbers that rounds of sums in another order make


def load(name):
    """An example as a module; its name may have a hyphen, so that it cannot be imported."""
    spec = importlib.util.spec_from_file_location("example", EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Contest:
    """One algorithm on one file. `call` takes the module and the tensor that was read, and returns
    the tensors by the names that they have in the program, and the number of rounds."""

    def __init__(self, name, path, form, call, **parameters):
        self.name, self.path, self.form, self.call = name, str(path), form, call
        self.parameters = parameters
        self.module = load(name)

    def timed(self, st):
        """Seconds of the algorithm in Python, of the program, and of reading, which it includes."""
        begin = time.perf_counter()
        tensor = st.read(self.path, self.form)
        read = time.perf_counter()
        found, rounds = self.call(self.module, tensor)
        ended = time.perf_counter()
        program = st.run(EXAMPLES / f"{self.name}.ta", **self.parameters)
        return (ended - read, time.perf_counter() - ended, read - begin), found, rounds, program

    def check(self, found, rounds, program):
        for name, tensor in found.items():
            one, other = tensor.todense(), program[name].todense()
            error = numpy.abs(one - other).max() / numpy.abs(other).max()
            if not error <= TOLERANCE:
                raise SystemExit(
                    f"{self.name} of {self.path}: '{name}' in Python differs from the "
                    f"program's by {error:.2g} of its largest number"
                )
        if rounds is None:
            return
        told = [line for line in program.printed.splitlines() if line.startswith("rounds = ")]
        # Where rounding decides which round is the last (of a thousand), it may be the one before.
        theirs = int(told[0].removeprefix("rounds = "))
        if abs(rounds - theirs) > 0.01 * theirs:
            raise SystemExit(
                f"{self.name} of {self.path}: {rounds} rounds in Python, but {theirs} in the program"
            )


def pagerank(module, A):
    x, rounds, _ = module.pagerank(A)
    return {"x": x}, rounds


def conjugate_gradients(module, A):
    x, rounds, _ = module.conjugate_gradients(A, A.sum(1))
    return {"x": x}, rounds


def cp_als(module, X):
    factors = module.cp_als(X, 6, 10, report=lambda text: None)[:3]
    return dict(zip("ABC", factors)), None


def contests(run):
    graph, matrix, tensor = DATA / "graph.mtx", DATA / "matrix.mtx", DATA / "tensor.tns"
    if not run.quick:
        graph, matrix = (
            pathlib.Path(([*run.files(name)] + [own])[0])
            for name, own in (("graphs/email-enron.mtx", graph), ("matrices/1138_bus.mtx", matrix))
        )
    return [
        Contest("pagerank", graph, "CSR", pagerank, graph=str(graph)),
        Contest("conjugate-gradients", matrix, "CSR", conjugate_gradients, matrix=str(matrix)),
        Contest("cp-als", tensor, "CSF", cp_als, file=str(tensor), rank=6, rounds=10),
    ]


def against_programs(run):
    """With one thread, and kernels that are compiled already."""
    st = run.python_package()
    if not st:
        return
    repeat = 3 if run.quick else 7
    print(
        f"algorithms in Python by the time of the same programs in the language, both without "
        f"reading, one thread;\nmedian of {repeat}; results agree to {TOLERANCE:g}"
    )
    print(f"  {'program':20} {'file':16} {'Python ms':>10} {'program ms':>10} {'ratio':>6}")
    with st.threads(1):
        for contest in contests(run):
            contest.timed(st)  # compiles
            rows, clock = [], quiet.Clock()
            for _ in range(repeat):
                clock.tick()
                seconds, *results = contest.timed(st)
                contest.check(*results)
                rows.append((seconds[0], seconds[1] - seconds[2]))
            ours, theirs = map(statistics.median, zip(*clock.kept(rows)))
            stem = pathlib.Path(contest.path).stem
            print(
                f"  {contest.name:20} {stem:16} {1e3 * ours:10.1f} {1e3 * theirs:10.1f} "
                f"{ours / theirs:6.2f}",
                flush=True,
            )
            run.add(
                "programs",
                program=contest.name,
                file=stem,
                seconds=ours,
                program_seconds=theirs,
                ratio=ours / theirs,
            )
