"""Tensors one behind the other, in all formats and along each dimension, against NumPy."""
import functools

import numpy

import harness

FORMATS = {1: ("Dense", "SparseVector", "HashVector", "RLE", "Bitmap"),
           2: ("Dense", "CSR", "CSC", "COO", "DCSR", "BCSR:2x2", "ELL", "DIA", "HYB"),
           3: ("Dense", "CSF", "COO", "ModeGeneric")}
TYPES = {"int": int, "float": float, "double": float, "complex": complex}
CASES = 60


def entries_of(random, shape, kind):
    """About a third of all places; none in every fifth tensor."""
    if random.integers(5) == 0:
        return numpy.zeros(shape, kind)
    values = random.integers(1, 100, shape).astype(kind)
    if kind is complex:
        values += 1j * random.integers(1, 100, shape)
    return numpy.where(random.uniform(size=shape) < 0.34, values, 0)


def draw(seed):
    """The program, its operands, and what they are joined to."""
    random = numpy.random.default_rng(seed)
    order = int(random.integers(1, 4))
    along = int(random.integers(order))
    count = int(random.integers(1, 4))
    shape = list(random.integers(1, 9, order))
    pick = lambda names: names[random.integers(len(names))]
    declarations, reads, operands = [], [], []
    names = list(TYPES)
    kinds = [int(random.integers(len(names))) for _ in range(count)]
    for number in range(count):
        own = list(shape)
        own[along] = int(random.integers(1, 9))
        labels = [f"n{number}" if d == along else f"i{d}" for d in range(order)]
        kind = names[kinds[number]]
        operands.append(entries_of(random, own, TYPES[kind]))
        declarations.append(f"IndexLabel [n{number}] = [?];")
        declarations.append(f"Tensor<{kind}> T{number}([{', '.join(labels)}], "
                            f"{pick(FORMATS[order])});")
        reads.append(f"T{number}[{', '.join(labels)}] = read(\"T{number}.npy\");")
    labels = ["n" if d == along else f"i{d}" for d in range(order)]
    which = "n" if random.integers(2) else along
    result = names[max(kinds)]
    declarations.append(f"Tensor<{result}> C([{', '.join(labels)}], {pick(FORMATS[order])});")
    declarations.append(f"Tensor<{result}> D([{', '.join(labels)}], Dense);")
    others = "".join(f"IndexLabel [i{d}] = [?];" for d in range(order) if d != along)
    tensors = ", ".join(f"T{number}" for number in range(count))
    program = "\n".join(["def main() {", "IndexLabel [n] = [?];" + others, *declarations, *reads,
                         f"C[{', '.join(labels)}] = concat({which}, {tensors});",
                         f"D[{', '.join(labels)}] = C[{', '.join(labels)}];",
                         "write(D, \"D.npy\");", "}"])
    return program, operands, numpy.concatenate(operands, axis=along)


def check(seed, folder):
    program, operands, expected = draw(seed)
    (folder / "concat.ta").write_text(program)
    for number, values in enumerate(operands):
        numpy.save(folder / f"T{number}.npy", values)
    harness.run_tool("run", "--check", "concat.ta", folder=folder)
    if not numpy.array_equal(numpy.load(folder / "D.npy"), expected):
        raise harness.Failure(f"not what NumPy makes of it:\n{program}")


def cases():
    for seed in range(CASES):
        yield f"case {seed}", functools.partial(check, seed)


if __name__ == "__main__":
    harness.main(cases())
