"""Checks that strata/lower/Passes.td tells the pipeline: passes stand in the order in which
lower/Pipeline.cpp adds them, and each says what it requires and what it leaves. Both begin with
"programs in ta" or "kernels in" a dialect: the one that the pass itself asks for (expectStage), and
the one that the next pass requires. Each description names the pass's test."""
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LOWER = SOURCE / "strata" / "lower"
PASS = re.compile(r"^def (\w+) : Pass<.*?description = \[\{\n(.*?)^  \}\];", re.MULTILINE | re.DOTALL)
FUNCTION = re.compile(r"^(?:static )?void (add\w+)\(.*?\) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"create(\w+?)(?:Pass)?\(|\b(add\w+Passes\w*|addPasses\w+)\(")
# Programs first; then kernels, as addKernelPasses adds all passes.
BEGINNINGS = ["addProgramPasses", "addPassesToShared", "addPassesFromShared"]
# What `expectStage` calls the dialects that kernels are written in, and the passes of MLIR between
# Strata's own that lead from one to the next.
DIALECTS = {"Statement": "ta", "Loops": "cin", "Walks": "lvl", "Code": "scf", "Machine": "llvm"}
CONVERSIONS = {"ConvertFuncToLLVM": "kernels in llvm"}
SHORTEST = 12  # characters


def added(functions, name):
    """The names of the passes that a function of Pipeline.cpp adds, by itself and by others."""
    for made, called in CALL.findall(functions[name]):
        if made:
            yield made
        elif called in functions and called != name:
            yield from added(functions, called)


def in_order():
    functions = dict(FUNCTION.findall((LOWER / "Pipeline.cpp").read_text()))
    return [made for name in BEGINNINGS for made in added(functions, name)]


def part(word, description):
    found = re.findall(rf"^    {word}: (.*?)(?:\n\n|\Z)", description, re.MULTILINE | re.DOTALL)
    return " ".join(found[0].split()) if len(found) == 1 else ""


def place(text):
    """Whether it speaks of programs or of kernels, and in which dialect."""
    found = re.match(r"(programs in ta|kernels in (?:ta|cin|lvl|scf|llvm))\b", text)
    return found.group(1) if found else None


def asked(name):
    """What the pass asks for itself."""
    [path] = LOWER.glob(f"*/{name}.cpp")
    stages = set(re.findall(r"expectStage\(getOperation\(\), KernelStage::(\w+)", path.read_text()))
    return f"kernels in {DIALECTS[stages.pop()]}" if len(stages) == 1 else "programs in ta"


def complaints(passes, order):
    ours = [name for name in order if name in passes]
    for name in passes:
        if name not in ours:
            yield f"{name} is in no pipeline"
    for found, wanted in zip(passes, ours):
        if found != wanted:
            yield f"{found} stands where the pipeline runs {wanted}"
            break
    for name, description in passes.items():
        [path] = LOWER.glob(f"*/{name}.cpp")
        test = re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower() + ".mlir"
        if f"test/lower/{path.parent.name}/{test}" not in description:
            yield f"{name} does not name test/lower/{path.parent.name}/{test}"
        for word in ("Requires", "Leaves"):
            text = part(word, description)
            if not place(text) or len(text) < SHORTEST or not text.endswith("."):
                yield f"{name} does not say '{word}: programs in ta' or 'kernels in' a dialect"
        if place(part("Requires", description)) != asked(name):
            yield f"{name} says that it requires another dialect than it asks for"
    state = "programs in ta"
    for name in order:
        state = CONVERSIONS.get(name, state)
        if name not in passes:
            continue
        needs, leaves = (place(part(word, passes[name])) for word in ("Requires", "Leaves"))
        # A statement of a program becomes a kernel (LowerKernels.h).
        if needs != state and (state, needs) != ("programs in ta", "kernels in ta"):
            yield f"{name} requires {needs}, but runs on {state}"
        state = leaves


def main():
    passes = dict(PASS.findall((LOWER / "Passes.td").read_text()))
    failures = list(complaints(passes, in_order()))
    for text in failures:
        print(text)
    print(f"{len(passes)} passes, {len(failures)} complaints")
    return 1 if failures or not passes else 0


if __name__ == "__main__":
    sys.exit(main())
