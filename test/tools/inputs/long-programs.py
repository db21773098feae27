"""Runs and explains programs of many statements: four times as many take about four times as long.

Of the processor's time that the process itself takes, the least of several runs; what takes time
that grows with the square takes sixteen times as long.
"""

import os
import resource
import subprocess
import sys
import tempfile

FEW, MANY = 500, 2000
PROGRAMS = {
    "the same statement": lambda n: "  x = x + 1;\n" * n,
    "different statements": lambda n: "".join(f"  x = x + {k}.5;\n" for k in range(n)),
    "different tensors": lambda n: "".join(
        f"  Tensor<double> T{k}[i]; T{k}[i] = {k}.5 * A[i];\n" for k in range(n // 4)
    ),
    "loops": lambda n: "  for (r in range(0, 1)) {\n    x = x + 1;\n  }\n" * (n // 4),
}


def seconds(strata, command, path):
    def once():
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        result = subprocess.run([strata, command, path], capture_output=True, text=True, check=False)
        if result.returncode != 0:
            sys.exit(f"{command}: {result.stderr[:2000]}")
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    return min(once() for _ in range(2))


def program(statements):
    return ("def main() {\n  IndexLabel [i] = [2];\n  Tensor<double> A[i]; A[i] = 1;\n"
            "  var x = 1;\n" + statements + "  print(x);\n}\n")


def is_linear(strata, command, texts, path, title):
    """Asked again where it is not: a busy machine takes what it wants."""
    times = []
    for text in texts:
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        times.append(seconds(strata, command, path))
    print(f"{title}, {command}: {times[0]:.3f} s, {times[1]:.3f} s")
    return times[1] <= 9 * max(times[0], 0.05)


def main():
    strata, failed = sys.argv[1], False
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.ta")
        for title, statements in PROGRAMS.items():
            for command in ("run", "explain"):
                texts = [program(statements(count)) for count in (FEW, MANY)]
                failed |= not any(is_linear(strata, command, texts, path, title) for _ in range(4))
    sys.exit("not linear" if failed else 0)


if __name__ == "__main__":
    main()
