"""binsparse files: h5py writes them by the specification, Strata reads; and the other way round."""
import functools
import importlib.util
import itertools
import json

import h5py
import numpy
import scipy.sparse

import harness

KINDS = {"int8": "int", "int16": "int", "int32": "int", "int64": "int64", "uint8": "int",
         "uint16": "int", "uint32": "int64", "uint64": "int64", "float32": "float",
         "float64": "double", "bint8": "double", "complex[float32]": "complex",
         "complex[float64]": "complex"}
MATRIX_FORMATS = ("DMATR", "DMATC", "DMAT", "CSR", "CSC", "DCSR", "DCSC", "COOR", "COOC", "COO")
VECTOR_FORMATS = ("DVEC", "CVEC")
# Which levels, and whether by columns.
LEVELS = {"DVEC": "d", "CVEC": "s", "DMATR": "dd", "DMATC": "dd", "DMAT": "dd", "CSR": "ds",
          "CSC": "ds", "DCSR": "ss", "DCSC": "ss", "COOR": "2", "COOC": "2", "COO": "2"}


def values_of(shape, kind):
    random = numpy.random.default_rng(len(shape))
    if "complex" in kind:
        values = random.uniform(-1, 1, shape) + 1j * random.uniform(-1, 1, shape)
        values = values.astype("c8" if "32" in kind else "c16")
    elif kind == "bint8":
        values = numpy.ones(shape, "u1")
    elif "float" in kind:
        values = random.uniform(-1, 1, shape).astype(kind)
    else:
        values = random.integers(1, 100, shape).astype(kind)
    return numpy.where(random.uniform(size=shape) < 0.5, values, 0).astype(values.dtype)


def arrays_of(dense, levels):
    """The arrays of a stack of levels: 'd', 's', or a digit for a sparse level of that rank."""
    arrays, places, dimension = {}, [((), dense)], 0
    for number, level in enumerate(levels):
        rank = int(level) if level.isdigit() else 1
        below, pointers = [], [0]
        indices = [[] for _ in range(rank)]
        for _, part in places:
            for at in numpy.ndindex(part.shape[:rank]):
                if level == "d" or numpy.any(part[at]):
                    below.append((at, part[at]))
                    for column, index in zip(indices, at):
                        column.append(index)
            pointers.append(len(below))
        if level != "d":
            if number > 0:
                arrays[f"pointers_to_{dimension}"] = numpy.array(pointers, "u8")
            for r, column in enumerate(indices):
                arrays[f"indices_{dimension + r}"] = numpy.array(column, "u4")
        places, dimension = below, dimension + rank
    arrays["values"] = numpy.array([part for _, part in places], dense.dtype)
    return arrays


def custom(levels):
    inner = {"level_desc": "element"}
    for level in reversed(levels):
        inner = {"level_desc": "dense" if level == "d" else "sparse",
                 "rank": int(level) if level.isdigit() else 1, "level": inner}
    return inner


def save(path, arrays, kind="float64", group=None, text=None, options={}, **changes):
    """A file as the specification says; `changes` replace what the description says."""
    values = arrays["values"]
    stored = len(values) if not kind.startswith("iso") else len(arrays.get("indices_1", values))
    if values.dtype.kind == "c" and "complex" in kind:
        arrays = dict(arrays, values=values.view("f4" if values.dtype == "c8" else "f8"))
    types = {name: str(array.dtype) for name, array in arrays.items()}
    types["values"] = kind
    description = dict(version="0.1.0", number_of_stored_values=stored, data_types=types)
    description.update(changes)
    description = {key: value for key, value in description.items() if value is not None}
    with h5py.File(path, "w") as file:
        place = file.create_group(group) if group else file
        place.attrs["binsparse"] = text or json.dumps({"binsparse": description})
        for name, array in arrays.items():
            place.create_dataset(name, data=array, **options)


def contents(path):
    """The text and the arrays of a file."""
    if path.suffix == ".npz":
        with numpy.load(path, allow_pickle=False) as file:
            return str(file["binsparse"].item()), {name: file[name] for name in file
                                                   if name != "binsparse"}
    with h5py.File(path, "r") as file:
        text = file.attrs["binsparse"]
        return (text if isinstance(text, str) else text.decode(),
                {name: file[name][()] for name in file})


def load(path):
    """The description and the dense tensor of a file that Strata wrote."""
    text, arrays = contents(path)
    description = json.loads(text)["binsparse"]
    if description["version"] != "0.1.0":
        raise harness.Failure(f"version {description['version']}")
    name, shape = description["format"], description["shape"]
    if name == "custom":
        levels, level = "", description["custom"]["level"]
        while level["level_desc"] != "element":
            dense = level["level_desc"] == "dense"
            levels += "d" * level["rank"] if dense else str(level["rank"])
            level = level["level"]
        transpose = description["custom"].get("transpose", list(range(len(shape))))
    else:
        levels, transpose = LEVELS[name], [1, 0] if name.endswith("C") and len(shape) == 2 and \
            name not in ("CVEC", "DVEC") else list(range(len(shape)))
    values = arrays["values"]
    if description["data_types"]["values"].startswith("complex"):
        values = values.view("c8" if values.dtype == "f4" else "c16")
    if len(values) != description["number_of_stored_values"]:
        raise harness.Failure("number_of_stored_values is wrong")
    dense = numpy.zeros([shape[d] for d in transpose], values.dtype)
    fill_in(dense, levels, arrays, values)
    return description, dense.transpose(numpy.argsort(transpose))


def fill_in(dense, levels, arrays, values):
    places, dimension = [()], 0
    for number, level in enumerate(levels):
        rank = int(level) if level.isdigit() else 1
        if level == "d":
            places = [at + (i,) for at in places for i in range(dense.shape[dimension])]
        else:
            columns = [arrays[f"indices_{dimension + r}"].tolist() for r in range(rank)]
            pointers = arrays.get(f"pointers_to_{dimension}", [0, len(columns[0])])
            places = [at + tuple(column[q] for column in columns) for p, at in enumerate(places)
                      for q in range(int(pointers[p]), int(pointers[p + 1]))]
        dimension += rank
    for at, value in zip(places, values):
        dense[at] = value


def read_back(folder, shape, kind, forms):
    labels = ", ".join("ijkl"[:len(shape)])
    lines = [f"IndexLabel [{labels}] = [?];"]
    for number, form in enumerate(forms):
        lines += [f"Tensor<{kind}> T{number}([{labels}], {form});",
                  f'T{number}[{labels}] = read("in.bsp.h5");',
                  f'write(T{number}, "{number}.bsp.h5");']
    (folder / "read.ta").write_text("def main() {\n  " + "\n  ".join(lines) + "\n}\n")
    harness.run_tool("run", "read.ta", folder=folder)
    return [load(folder / f"{number}.bsp.h5") for number in range(len(forms))]


def same(name, actual, expected):
    if actual.shape != expected.shape or not (actual == expected).all():
        raise harness.Failure(f"{name}: {actual.tolist()}, expected {expected.tolist()}"[:600])


def check_format(name, kind, changes, folder):
    shape = (9,) if name in VECTOR_FORMATS else (5, 7)
    dense = values_of(shape, kind)
    by_columns = name.endswith("C") and name not in VECTOR_FORMATS
    arrays = arrays_of(dense.T if by_columns else dense, LEVELS[name])
    changes = dict(changes)
    group = changes.pop("group", None)
    options = changes.pop("options", {})
    if changes.get("index_base"):
        arrays = {key: array + (key != "values") for key, array in arrays.items()}
    save(folder / "in.bsp.h5", arrays, kind, group, options=options, format=name,
         shape=list(shape), **changes)
    forms = ["SparseVector"] if len(shape) == 1 else ["CSR", "CSC", "DCSR", "COO"]
    written = ["CVEC"] if len(shape) == 1 else ["CSR", "CSC", "DCSR", "COOR"]
    for (description, found), expected in zip(read_back(folder, shape, KINDS[kind], forms),
                                              written):
        if description["format"] != expected:
            raise harness.Failure(f"{expected} was written as {description['format']}")
        same(expected, found, dense)
    harness.run_tool("check", "in.bsp.h5", "0.bsp.h5", folder=folder)


def check_archive(name, kind, folder):
    """The same arrays in an archive of NumPy, both ways."""
    shape = (9,) if name in VECTOR_FORMATS else (5, 7)
    dense = values_of(shape, kind)
    by_columns = name.endswith("C") and name not in VECTOR_FORMATS
    save(folder / "in.h5", arrays_of(dense.T if by_columns else dense, LEVELS[name]), kind,
         format=name, shape=list(shape), version="0.1.0")
    text, arrays = contents(folder / "in.h5")
    numpy.savez(folder / "in.npz", binsparse=numpy.array(text), **arrays)
    harness.run_tool("check", "in.npz", folder=folder)
    harness.run_tool("convert", "in.npz", "out.bsp.npz", "--format=COO", folder=folder)
    description, found = load(folder / "out.bsp.npz")
    same("archive", found, dense)
    if description["data_types"]["values"] != kind:
        raise harness.Failure(f"{kind} became {description['data_types']['values']}")
    harness.run_tool("convert", "out.bsp.npz", "again.bsp.h5", "--format=COO", folder=folder)
    same("again", load(folder / "again.bsp.h5")[1], dense)


def dense_of(tensor):
    """What a tensor of the reference package stands for."""
    parts = {name: getattr(tensor, name) for name in vars(tensor)}
    rows, columns = (parts.get(name) for name in ("indices_0", "indices_1"))
    pointers = parts.get("pointers_to_1")
    if tensor.format == "CVEC":
        at = (rows,)
    elif tensor.format in ("CSR", "CSC", "DCSR", "DCSC"):
        counts = numpy.diff(pointers)
        outer = numpy.repeat(numpy.arange(counts.size) if rows is None else rows, counts)
        at = (outer, columns) if tensor.format.endswith("R") else (columns, outer)
    else:
        at = (rows, columns)
    values = numpy.asarray(tensor.values)
    dense = numpy.zeros(tensor.shape, values.dtype)
    dense[at] = values
    return dense


def check_reference(ending, folder):
    """The reference package reads what Strata writes, and the other way round."""
    try:
        import binsparse
    except ImportError as error:
        raise harness.Skip("the package binsparse is not installed") from error
    if ending == "zarr" and not importlib.util.find_spec("zarr"):
        raise harness.Skip("the package zarr is not installed")
    for kind in ("bint8", "int8", "int64", "uint64", "float32", "float64", "complex[float32]",
                 "complex[float64]"):
        dense = values_of((5, 7), kind)
        dense = dense.astype(bool) if kind == "bint8" else dense
        scipy.sparse.save_npz(folder / "in.npz", scipy.sparse.csr_matrix(dense))
        for form, name in (("CSR", "CSR"), ("CSC", "CSC"), ("DCSR", "DCSR"), ("COO", "COOR")):
            ours, theirs = folder / f"ours.bsp.{ending}", folder / f"theirs.{ending}"
            harness.run_tool("convert", "in.npz", ours.name, f"--format={form}", folder=folder)
            tensor = binsparse.load_binsparse(ours)
            if tensor.format != name or numpy.asarray(tensor.values).dtype != dense.dtype:
                raise harness.Failure(f"{kind} {form}: {tensor.format}, {tensor.values.dtype}")
            same(f"{kind} {form}", dense_of(tensor), dense)
            binsparse.save_binsparse(tensor, theirs)
            harness.run_tool("check", theirs.name, folder=folder)
            harness.run_tool("convert", theirs.name, "back.npy", "--format=Dense", folder=folder)
            back = numpy.load(folder / "back.npy")
            same(f"{kind} {form} back", back, dense)
            if back.dtype != dense.dtype:
                raise harness.Failure(f"{kind} {form}: {back.dtype}")


def check_custom(levels, transpose, folder):
    shape = (3, 4, 2, 3)[:len(levels) if not any(c.isdigit() for c in levels) else
                         sum(int(c) if c.isdigit() else 1 for c in levels)]
    dense = values_of(shape, "float64")
    order = transpose or list(range(len(shape)))
    level = {"level": custom(levels)}
    if transpose:
        level["transpose"] = transpose
    save(folder / "in.bsp.h5", arrays_of(dense.transpose(order), levels), format="custom",
         custom=level, shape=list(shape))
    forms = {2: ("CSR",), 3: ("CSF", "COO", "Dense"), 4: ("CSF", "COO")}[len(shape)]
    for description, found in read_back(folder, shape, "double", forms):
        same(description["format"], found, dense)


def check_stacks(folder):
    """Every stack of dense and compressed levels is written with its own levels."""
    dense = values_of((3, 4, 2), "float64")
    save(folder / "in.bsp.h5", arrays_of(dense, "3"), format="custom",
         custom={"level": custom("3")}, shape=[3, 4, 2])
    for kinds, order in itertools.product(itertools.product(("dense", "compressed"), repeat=3),
                                          itertools.permutations("ijk")):
        stack = ", ".join(f"{dim} : {kind}" for dim, kind in zip(order, kinds))
        result = f"{''.join(kind[0] for kind in kinds)}-{''.join(order)}.bsp.h5"
        harness.run_tool("convert", "in.bsp.h5", result, f"--format=(i, j, k) -> ({stack})",
                         folder=folder)
        description, found = load(folder / result)
        same(stack, found, dense)
        level, found_kinds = description["custom"]["level"], []
        while level["level_desc"] != "element":
            found_kinds.append(level["level_desc"])
            level = level["level"]
        wanted = ["dense" if kind == "dense" else "sparse" for kind in kinds]
        if found_kinds != wanted and kinds != ("dense",) * 3:
            raise harness.Failure(f"{stack} was written as {found_kinds}")
        harness.run_tool("check", "--quiet", result, folder=folder)


def check_structure(kind, upper, folder):
    values = values_of((6, 6), "complex[float64]" if kind == "hermitian" else "float64")
    lower = numpy.tril(values, -1 if kind == "skew_symmetric" else 0)
    below = numpy.tril(values, -1)
    if kind == "hermitian":
        numpy.fill_diagonal(lower, lower.diagonal().real)
    dense = {"symmetric": lower + below.T, "hermitian": lower + below.T.conj(),
             "skew_symmetric": lower - below.T}[kind]
    stored = numpy.triu(dense) if upper else numpy.tril(dense)
    structure = f"{kind}_{'upper' if upper else 'lower'}"
    save(folder / "in.bsp.h5", arrays_of(stored, "ds"), format="CSR", shape=[6, 6],
         structure=structure, kind="complex[float64]" if kind == "hermitian" else "float64")
    element = "complex" if kind == "hermitian" else "double"
    (_, found), = read_back(folder, (6, 6), element, ["CSR"])
    same(structure, found, dense)


def check_iso(folder):
    dense = (values_of((5, 7), "float64") != 0) * 7.0
    arrays = arrays_of(dense, "ds")
    arrays["values"] = numpy.array([7], "i1")
    save(folder / "in.bsp.h5", arrays, "iso[int8]", format="CSR", shape=[5, 7])
    (_, found), = read_back(folder, (5, 7), "double", ["CSR"])
    same("iso", found, dense)


def check_refusals(folder):
    dense = values_of((4, 6), "float64")
    arrays = arrays_of(dense, "ds")

    def changed(name, at, value, **rest):
        copy = {key: array.astype("i8") if key != "values" else array
                for key, array in arrays.items()}
        copy[name][at] = value
        return dict(arrays=copy, **rest)

    def without(name):
        return dict(arrays={key: array for key, array in arrays.items() if key != name})

    unsorted = {key: array.copy() for key, array in arrays.items()}
    row = next(r for r in range(4) if unsorted["pointers_to_1"][r + 1] -
               unsorted["pointers_to_1"][r] > 1)
    first = int(unsorted["pointers_to_1"][row])
    unsorted["indices_1"][[first, first + 1]] = unsorted["indices_1"][[first + 1, first]]
    twice = {key: array.copy() for key, array in arrays.items()}
    twice["indices_1"][first + 1] = twice["indices_1"][first]
    triangle = dict(arrays=arrays_of(values_of((4, 4), "float64"), "ds"), shape=[4, 4],
                    structure="symmetric_lower")
    mistakes = [
        (changed("indices_1", 3, 6), "element 3 of 'indices_1' is 6; expected from 0 to 5"),
        (changed("indices_1", 0, -1), "element 0 of 'indices_1' is -1"),
        (changed("pointers_to_1", 0, 1), "element 0 of 'pointers_to_1' is 1; expected 0"),
        (changed("pointers_to_1", 2, 0), "element 2 of 'pointers_to_1' is 0; expected at least"),
        (changed("pointers_to_1", 4, 99), "the end of the indices"),
        (dict(arrays=unsorted), f"element {first + 1} of 'indices_1'"),
        (dict(arrays=twice), "repeats the one before it"),
        (without("indices_1"), "has no array 'indices_1'"),
        (without("pointers_to_1"), "has no array 'pointers_to_1'"),
        (dict(shape=[5, 6]), "'pointers_to_1' has 5 elements; expected 6"),
        (dict(shape=[2**62, 2**62]), "'pointers_to_1' has 5 elements"),
        (dict(shape=[4, -6]), "'shape' is '-6'"), (dict(shape="big"), "'shape' is '\"big\"'"),
        (dict(shape=[4]), "the levels have 2 dimensions"), (dict(shape=None), "no 'shape'"),
        (dict(format="XYZ"), "'format' is '\"XYZ\"'"), (dict(format=None), "no 'format'"),
        (dict(format=7), "'format' is '7'"),
        (dict(version="2.0"), "'version' is '\"2.0\"'"),
        (dict(number_of_stored_values=3), "expected 3, as 'number_of_stored_values' says"),
        (dict(data_types=None), "no 'data_types'"),
        (dict(data_types={"values": "float32"}), "type float64; expected float32"),
        (dict(structure="symmetric_lower"), "not a square matrix"),
        (dict(structure="odd"), "'structure' is '\"odd\"'"),
        (triangle, "lies in the other triangle"),
        (dict(text="{\"binsparse\": "), "not a JSON object"), (dict(text="[1]"), "not a JSON object"),
        (dict(format="custom", custom={"level": {"level_desc": "run"}}), "'level_desc' is"),
        (dict(format="custom", custom={"level": {"level_desc": "dense"}}), "no level below"),
        (dict(format="custom", custom={"level": custom("dd")}), "'values' has"),
        (dict(format="CSR", custom={"level": custom("dd")}), "not those of the format CSR"),
        (dict(fill=True), "has no array 'fill_value'"),
        (dict(fill=True, arrays=dict(arrays, fill_value=numpy.array([2.0, 1.0]))),
         "'fill_value' has 2 elements"),
        (dict(arrays=dict(arrays, values=arrays["values"].reshape(1, -1))), "one dimension"),
    ]
    for number, (change, text) in enumerate(mistakes):
        save(folder / "bad.h5", **dict(dict(arrays=arrays, format="CSR", shape=[4, 6]), **change))
        outcome = harness.result_of("check", "bad.h5", folder=folder)
        if outcome.returncode != 1 or text not in outcome.stderr:
            raise harness.Failure(f"mistake {number}: '{text}' is not in: {outcome.stderr}")
    with h5py.File(folder / "bad.h5", "w") as file:
        file.create_group("values")
    outcome = harness.result_of("info", "bad.h5", folder=folder)
    if outcome.returncode != 1 or "has the attribute 'binsparse'" not in outcome.stderr:
        raise harness.Failure(f"no attribute: {outcome.stderr}")
    with h5py.File(folder / "huge.h5", "w") as file:
        file.attrs["binsparse"] = json.dumps(dict(
            version="0.1", format="DVEC", shape=[10**12], number_of_stored_values=10**12,
            data_types={"values": "float64"}))
        file.create_dataset("values", shape=(10**12,), dtype="f8", chunks=(1000,))
    outcome = harness.result_of("info", "huge.h5", folder=folder)
    if outcome.returncode != 1 or "too few bytes in the file" not in outcome.stderr:
        raise harness.Failure(f"a huge array: {outcome.stderr}")


def check_damage(options, folder):
    random = numpy.random.default_rng(5)
    save(folder / "in.h5", arrays_of(values_of((4, 6), "float64"), "ds"), format="CSR",
         shape=[4, 6], options=options)
    data = (folder / "in.h5").read_bytes()

    def files():
        for length in range(0, len(data), 17):
            yield data[:length]
        for _ in range(600):
            changed = bytearray(data)
            for at in random.integers(0, len(data), random.integers(1, 4)):
                changed[at] = random.choice([0, 1, 0x7f, 0xff, random.integers(256)])
            yield bytes(changed)

    return harness.survives(files(), folder)


def check_whole_or_not(folder):
    """A file that cannot be written leaves what was there."""
    save(folder / "in.bsp.h5", arrays_of(values_of((4, 6), "float64"), "ds"), format="CSR",
         shape=[4, 6])
    before = sorted(path.name for path in folder.iterdir())
    for name in ("nowhere/out.bsp.h5", "nowhere/out.bsp.h5.gz", "nowhere/out.npz"):
        if harness.result_of("convert", "in.bsp.h5", name, folder=folder).returncode != 1:
            raise harness.Failure(f"{name} was written")
    if sorted(path.name for path in folder.iterdir()) != before:
        raise harness.Failure("something was left behind")
    # Written in no order, and compressed all the same.
    harness.run_tool("convert", "in.bsp.h5", "out.bsp.h5.gz", folder=folder)
    harness.run_tool("check", "out.bsp.h5.gz", folder=folder)


def cases():
    for name in MATRIX_FORMATS + VECTOR_FORMATS:
        yield name, functools.partial(check_format, name, "float64", {})
    for kind in KINDS:
        yield f"CSR {kind}", functools.partial(check_format, "CSR", kind, {})
    for number, changes in enumerate((dict(index_base=1), dict(group="A"), dict(version="0.1"),
                                      dict(version="1.0"),
                                      dict(options=dict(compression="gzip")),
                                      dict(options=dict(compression="gzip", shuffle=True)),
                                      dict(options=dict(chunks=(3,))))):
        yield f"CSR {changes}", functools.partial(check_format, "CSR", "float64", changes)
    for levels in ("ds", "2", "sd", "sss", "dss", "sds", "dds", "ssd", "d2", "2s", "s2", "3", "2d",
                   "sssd", "2ss", "d3", "4"):
        yield f"custom {levels}", functools.partial(check_custom, levels, None)
    for levels, transpose in (("sss", [2, 0, 1]), ("dss", [1, 2, 0]), ("s2", [2, 1, 0])):
        name = f"custom {levels} {transpose}"
        yield name, functools.partial(check_custom, levels, transpose)
    yield "stacks", check_stacks
    for kind, upper in itertools.product(("symmetric", "hermitian", "skew_symmetric"),
                                         (False, True)):
        yield f"{kind} {'upper' if upper else 'lower'}", functools.partial(check_structure, kind,
                                                                           upper)
    yield "iso", check_iso
    for name in MATRIX_FORMATS + VECTOR_FORMATS:
        yield f"archive {name}", functools.partial(check_archive, name, "float64")
    for kind in KINDS:
        yield f"archive {kind}", functools.partial(check_archive, "CSR", kind)
    for ending in ("h5", "npz", "zarr"):
        yield f"reference package {ending}", functools.partial(check_reference, ending)
    yield "refusals", check_refusals
    yield "whole or not", check_whole_or_not
    for name, options in (("plain", {}), ("deflated", dict(compression="gzip", chunks=(4,)))):
        yield f"damaged {name}", functools.partial(check_damage, options)


if __name__ == "__main__":
    harness.main(cases())
