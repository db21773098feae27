"""Compares what two builds of Strata compute with --deterministic, bit by bit.

same_bits.py STRATA OTHER GENERATOR WORK [COUNT]: the programs of test/programs, and COUNT drawn
statements, which GENERATOR (strata-generator-tests) writes to the folder WORK. STRATA and OTHER are
commands; OTHER is of another architecture or another processor.
"""
import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
SKIPPED = 77
PRINT = re.compile(r'  ta\.print (%\w+) "result" : (tensor<\?.*)')


def run(strata, arguments, folder):
    """What a run prints, how it ends, and what it writes."""
    for old in folder.glob("result.*"):
        old.unlink()
    ended = subprocess.run([*shlex.split(strata), "run", "--deterministic", "--quiet", *arguments], cwd=folder,
                           capture_output=True, timeout=600)
    written = {path.name: path.read_bytes() for path in sorted(folder.glob("result.*"))}
    return ended.returncode, ended.stdout, written, ended.stderr.decode(errors="replace")


def unpack(text, folder):
    """The files of one text, as split-file has them; the result goes to a file, with all its digits."""
    folder.mkdir(parents=True)
    parts = re.split(r"^//--- (.+)\n", text, flags=re.MULTILINE)
    for name, content in zip(parts[1::2], parts[2::2]):
        if name == "program.mlir":
            content = PRINT.sub(r'  ta.write \1, "result.tns" : \2', content)
        (folder / name).write_text(content)


def programs(work):
    """Those that `strata run` takes, with the values that they give to parameters."""
    for path in sorted(PROGRAMS.glob("*.ta")):
        line = re.search(r"RUN:.*?strata run (.*)", path.read_text())
        if line:
            folder = work / "programs" / path.stem
            shutil.copytree(PROGRAMS, folder)
            values = re.findall(r"-D \S+", line[1].replace("%S", str(folder)).replace("%t", "result"))
            yield path.name, folder, [path.name, *" ".join(values).split()]


def draws(work, generator, count):
    subprocess.run([generator, "--count", str(count), "--texts", work / "texts"], check=True)
    for path in sorted((work / "texts").glob("*.mlir")):
        folder = work / "draws" / path.stem
        unpack(path.read_text(), folder)
        yield path.stem, folder, ["program.mlir"]


def main():
    first, other, generator, work = sys.argv[1:5]
    count = int(sys.argv[5]) if len(sys.argv) > 5 else 200
    for program in (first, other, generator):
        if not shutil.which(shlex.split(program)[0]):
            print(f"skipped: there is no {program}")
            return SKIPPED
    work = pathlib.Path(work).resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    os.environ["STRATA_MACHINE"] = ""  # nothing that was measured decides
    os.environ["XDG_CONFIG_HOME"] = str(work)

    def compare(job):
        name, folder, arguments = job
        ours, theirs = (run(strata, arguments, folder) for strata in (first, other))
        return name, ours, theirs

    jobs = [*programs(work), *draws(work, generator, count)]
    same = refused = 0
    different = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, ours, theirs in pool.map(compare, jobs):
            if ours[:3] != theirs[:3]:
                different.append(name)
                print(f"{name} differs:\n  {ours}\n  {theirs}", flush=True)
            elif ours[0] == 0:
                same += 1
            else:
                refused += 1
    print(f"{same} with the same bits, {refused} refused by both, {len(different)} different", *different)
    return 1 if different or not same else 0


if __name__ == "__main__":
    sys.exit(main())
