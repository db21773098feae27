"""`strata explain --program` prints the program that runs: fed back, it becomes the same kernels."""
import os
import pathlib
import re

import harness

SOURCE = pathlib.Path(os.environ["STRATA_SOURCE"])


def parameters_of(text):
    """The first value that a program's comments give each parameter: "-D NAME=VALUE"."""
    values = {}
    for name, value in re.findall(r"-D\s+(\w+)=(\S+)", text):
        values.setdefault(name, value)
    return [word for name, value in values.items() for word in ("-D", f"{name}={value}")]


def kernels_of(file, parameters, folder):
    """The kernels at lvl, with values and functions numbered instead of named."""
    process = harness.result_of("emit", "--quiet", "--stage=lvl", file, *parameters, folder=folder)
    if process.returncode != 0:
        return None
    kernels = []
    for kernel in process.stdout.split("func.func"):
        numbers = {}
        kernels.append(re.sub(r"[%@]\w+", lambda name: numbers.setdefault(name[0], f"%{len(numbers)}"),
                              kernel))
    return kernels


def schedules_in(file, where, folder):
    """How many statements of a program have a schedule in its text; none where that cannot be
    compiled without more than its comments say."""
    text = file.read_text()
    parameters = parameters_of(text)
    kernels = kernels_of(file, parameters, where)
    if kernels is None:
        return 0
    scheduled = harness.run_tool("explain", "--program", file, *parameters, folder=where)
    again = folder / file.name
    # Sums are divided where there is much to add up, which `emit`, without the data, does not know.
    again.write_text(re.sub(r" schedule \{[^{}]*Temporary\); \}", "", scheduled))
    if kernels_of(again, parameters, where) != kernels:
        raise harness.Failure(f"{file.name}: the printed program becomes other kernels")
    if "schedule {" not in text:
        lines = [[line for line in re.sub(r" schedule \{.*?\}(?=;)", "", program).splitlines()
                  if not line.lstrip().startswith("#")] for program in (scheduled, text)]
        if lines[0] != lines[1]:
            raise harness.Failure(f"{file.name}: the printed program is not the one as written")
    return scheduled.count(" schedule {")


def folder_case(name, where, least):
    def case(folder):
        programs = sorted((SOURCE / name).glob("*.ta"))
        counts = [schedules_in(file, where, folder) for file in programs]
        if sum(counts) < least:
            raise harness.Failure(f"only {sum(counts)} statements have schedules")
        return f"{len(programs)} programs, {sum(counts)} statements with schedules"
    return name, case


if __name__ == "__main__":
    harness.main([folder_case("examples", SOURCE, 90),
                  folder_case("test/programs", SOURCE / "test/programs", 200)])
