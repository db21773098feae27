"""Reorders random tensors in every way, and undoes it: the entries are the same, and the order of
the new ones is what the permutations say."""
import random
import subprocess


def strata(*arguments):
    subprocess.run(["strata", "reorder", *arguments, "--quiet"], check=True)


def read(file):
    """The entries of a .ttx file."""
    lines = [line for line in open(file) if not line.startswith("%")]
    return {tuple(map(int, line.split()[:-1])): line.split()[-1] for line in lines[1:]}


def permutations(file, order):
    """new -> old of each dimension."""
    columns = [{} for _ in range(order)]
    for line in open(file):
        new, dimension, old = map(int, line.split())
        columns[dimension - 1][new] = old
    return columns


def write(file, sizes, entries):
    with open(file, "w") as text:
        print("%%MatrixMarket tensor coordinate integer general", file=text)
        print(*sizes, len(entries), file=text)
        for place, value in entries.items():
            print(*place, value, file=text)


random.seed(4)
for sizes in [(300,), (25, 25), (40, 12), (9, 30, 14), (6, 7, 8, 9)]:
    entries = {tuple(random.randint(1, size) for size in sizes): value for value in range(1, 120)}
    write("in.ttx", sizes, entries)
    ways = ["lexi", "lexi-balanced", "degree"] + ["rcm"] * (sizes == (25, 25))
    for way in ways:
        strata("in.ttx", "-o", "out.ttx", f"--by={way}", "--permutation=order.tns")
        columns = permutations("order.tns", len(sizes))
        for size, column in zip(sizes, columns):
            assert sorted(column) == sorted(column.values()) == list(range(1, size + 1)), way
        moved = read("out.ttx")
        assert list(moved) == sorted(moved), way
        assert {tuple(c[i] for c, i in zip(columns, place)): int(value)
                for place, value in moved.items()} == entries, way
        strata("out.ttx", "-o", "back.ttx", "--undo=order.tns")
        assert {place: int(value) for place, value in read("back.ttx").items()} == entries, way
        strata("in.ttx", "-o", "again.ttx", "--apply=order.tns")
        assert open("again.ttx").read() == open("out.ttx").read(), way
