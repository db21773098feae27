"""Checks docs/Errors.md: each message of the front end has a code, the codes of the errors of the runtime and of the
library are those of the page, which has what the library says, each code is made somewhere, and each has an example that
gives it and no other, and one that is fine.

    error_codes.py [CODE...]
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from c_examples import CExamples

SOURCE = pathlib.Path(__file__).resolve().parents[2]
STRATA = os.environ["STRATA"]
SECTION = re.compile(r"^### (S[EW]\d{4}): (.+?)$(.*?)(?=^###? |\Z)", re.MULTILINE | re.DOTALL)
SAYS = re.compile(r"^Says( when it runs)?: (.*?)\n\n", re.MULTILINE | re.DOTALL)
BLOCKS = re.compile(r"^Wrong:\n\n```(c?)\n(.*?)\n```\n\nRight:\n\n```\1\n(.*?)\n```", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^Example[^\n]*:\n\n```", re.MULTILINE)
CODE = re.compile(r"(error|warning): .*?(?:\[(S[EW]\d{4})\])?$", re.MULTILINE)
COMMAND = re.compile(r"^([A-Z_]+=\S+ )?strata ", re.MULTILINE)
WHOLE = re.compile(r"^(def|operator|semiring|Machine) ", re.MULTILINE)


def sections(text):
    """Of each code: the code, what messages say, the examples, empty where one shows the message alone, None where there
    is none, and whether they are calls of C."""
    for code, name, body in SECTION.findall(text):
        says = {at: re.findall(r"`([^`]+)`", texts) for at, texts in SAYS.findall(body)}
        blocks = BLOCKS.search(body)
        yield code, says, blocks.groups()[1:] if blocks else EXAMPLE.search(body) and (), bool(blocks and blocks[1])


def run(example, folder):
    """The exit code and the messages of an example."""
    if COMMAND.search(example):
        command = f'strata() {{ {STRATA} "$@"; }}\n{example}'
    else:
        program = example if WHOLE.search(example) else "def main() {\n" + example + "\n}\n"
        (folder / "a.ta").write_text(program)
        options = re.search(r"^# strata run a.ta(.*)$", example, re.MULTILINE)
        command = f"{STRATA} run a.ta" + (options.group(1) if options else "")
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stderr


# ---- Errors that are made with their codes ----

# Of these no command tells: a caller of the library makes the mistake, or something outside of the process.
WITHOUT_COMMAND = {"SE1404", "SE1405", "SE1408", "SE1501", "SE1503", "SE1505", "SE1509", "SE1601", "SE1602"}

# The lists of kinds of errors, of the runtime, of the C interface and of strata.hpp: where they stand, and how they begin.
KINDS = {
    "Error": ("strata/runtime/Status.h", "enum Code : uint16_t {"),
    "Refusal": ("strata/api/Mistake.h", "enum class Refusal : uint16_t {"),
    "Mistake": ("strata/api/cpp/Status.hpp", "enum class Mistake : int32_t {"),
}
# Begins a call that makes an error of the library, or of strata.hpp: its kind follows, and its message.
OF_LIBRARY = re.compile(r"\b(?:makeError|Status)\((?=\s*(?:STRATA_ERROR_|ErrorKind::))")
KIND = re.compile(rf"\b({'|'.join(KINDS)})::(\w+)$")


def codes_of(scope):
    """The codes in a list of kinds by their names."""
    path, head = KINDS[scope]
    names = (SOURCE / path).read_text().partition(head)[2].partition("};")[0]
    return {name: f"SE{int(number):04}" for name, number in re.findall(r"^ *(\w+) = (\d+),?", names, re.MULTILINE)}


def kind_complaints(pages):
    """What does not fit between the lists of kinds and the page; the compiler sees that each error has one."""
    complaints, made, all_codes = [], set(), {}
    for folder in ("strata", "tools"):
        for path in [*(SOURCE / folder).rglob("*.cpp"), *(SOURCE / "strata/api/cpp").glob("*.hpp")]:
            text = path.read_text()
            made.update(re.findall(rf"\b({'|'.join(KINDS)})::(\w+)", text))
            for call in re.finditer(r"\bError::NoCode,\s*(.*)", text):
                if "internal error" not in call.group(1):
                    complaints.append(f"{path.relative_to(SOURCE)}: an error without a code: {call.group(1)}")
    for scope, (path, _) in KINDS.items():
        codes = codes_of(scope)
        if scope == "Error" and codes.pop("NoCode") != "SE0000" or len(set(codes.values())) != len(codes) or not codes:
            complaints.append(f"{path}: two names have one code, NoCode has one, or there are none")
        all_codes.update({(scope, name): code for name, code in codes.items()})
    for (scope, name), code in all_codes.items():
        if code not in pages:
            complaints.append(f"{code}: no page describes {scope}::{name}")
        elif not pages[code]:
            complaints.append(f"{code}: its page does not say what messages of {scope}::{name} say")
        elif scope == "Error" and " when it runs" not in pages[code]:
            complaints.append(f"{code}: its page does not say what the runtime says")
        if (scope, name) not in made:
            complaints.append(f"{code}: nothing makes an error of the kind {scope}::{name}")
    complaints += [f"{code}: no error has it when a program runs" for code, says in pages.items()
                   if " when it runs" in says and code not in all_codes.values()]
    return complaints + library_complaints(pages, all_codes)


def library_complaints(pages, codes):
    """Messages of the C interface and of strata.hpp that the page does not have under their code."""
    complaints, count = [], 0
    for path in [*sorted((SOURCE / "strata/api").glob("*.cpp")), *sorted((SOURCE / "strata/api/cpp").glob("*.hpp"))]:
        text = path.read_text()
        for call in OF_LIBRARY.finditer(text):
            parts = arguments(text[call.end():balanced(text, call.end() - 1)])
            kind = KIND.search(parts[1].strip())
            if not kind:
                continue
            count += 1
            code = codes[kind.groups()]
            patterns = [pattern for texts in pages.get(code, {}).values() for pattern in texts]
            for message in template(formatted(parts[2].strip())):
                if not any(covers(pattern, message) for pattern in patterns):
                    complaints.append(f"{path.name}: the page of {code} does not have the message: {message}")
    if count < 60:
        complaints.append(f"only {count} messages of the library are found in the sources")
    return complaints


def formatted(expression):
    """A message with '…' for the arguments of llvm::formatv."""
    call = re.match(r"llvm::formatv\(", expression)
    if not call:
        return expression
    text = arguments(expression[call.end():balanced(expression, call.end() - 1)])[0]
    return re.sub(r"\{\d\}", "…", text)


# ---- Messages in the sources ----

# Files in which `refuse` gives a part of a message that is reported elsewhere.
WITHIN_OTHERS = {"Semirings.cpp"}


def outside_texts(text, at):
    """The characters from a place on that stand in no text: where, which, and in how many brackets
    what follows is."""
    depth, quoted = 0, False
    while at < len(text):
        char = text[at]
        if quoted:
            at += char == "\\"
            quoted = char != '"'
        elif char == '"':
            quoted = True
        else:
            depth += (char in "([{") - (char in ")]}")
            yield at, char, depth
        at += 1


def balanced(text, at):
    """Where the bracket at a place closes, texts left out."""
    return next((end for end, char, depth in outside_texts(text, at) if char in ")]}" and depth == 0), len(text))


def arguments(text):
    """The arguments between brackets, cut at the commas outside of others."""
    cuts = [at for at, char, depth in outside_texts(text, 0) if char == "," and depth == 0]
    return [text[begin:end] for begin, end in zip([0, *(cut + 1 for cut in cuts)], [*cuts, len(text)])]


def template(expression):
    """A message as the sources make it, with '…' for what is inserted; alternatives are several."""
    question = re.search(r"^(.*?)\s\?\s*(.*?)\s:\s(.*)$", expression, re.DOTALL)
    if question and question.group(1).count("(") == question.group(1).count(")") and '"' not in question.group(1):
        return template(question.group(2)) + template(question.group(3))
    expression = re.sub(r"\([^()]*\?[^()]*\)", "inserted", expression)
    texts = re.findall(r'"((?:\\.|[^"\\])*)"|([^"]+)', expression)
    result = ""
    for text, other in texts:
        if text:
            result += text.replace('\\"', '"').replace("\\\\", "\\")
        elif re.search(r"\w", other):
            result += "…"
    result = re.sub("…+", "…", result)
    return [result] if re.search(r"[a-z]{3}", result) else []


def messages():
    """Every message that a file of the front end reports, as far as it is written where it is reported."""
    for path in sorted((SOURCE / "strata/frontend").glob("*.cpp")):
        text = path.read_text()
        for call in re.finditer(r"(?:\b(?:error|warning|refuseOption)|\bunknown|\brefuse)\(", text):
            parts = arguments(text[call.end():balanced(text, call.end() - 1)])
            # A place stands before the message, but where all messages of a function have the same.
            said = parts[0] if call.group() == "refuse(" and '"' in parts[0] else "".join(parts[1:2])
            if call.group() == "refuse(" and path.name in WITHIN_OTHERS:
                continue
            for one in template(said.strip()):
                yield f"{path.name}:{text.count(chr(10), 0, call.start()) + 1}", one


def covers(pattern, message):
    """Does a pattern of the page fit a message, in which '…' may be anything?"""
    pieces = [re.escape(piece) for piece in pattern.split("…")]
    if re.fullmatch(".*".join(pieces), message, re.DOTALL):
        return True
    # What the sources insert may be what the page spells out.
    words = set(re.findall(r"[\w*']{3,}", message)) - {"…"}
    return bool(words) and words <= set(re.findall(r"[\w*']{3,}", pattern)) | {"…"}


def main():
    page = (SOURCE / "docs/Errors.md").read_text()
    wanted = sys.argv[1:]
    complaints, patterns, pages = [], [], {}
    with tempfile.TemporaryDirectory() as name:
        calls = CExamples([block for _, _, blocks, is_c in sections(page) if is_c for block in blocks], pathlib.Path(name))
        for code, says, blocks, is_c in sections(page):
            if pages and code <= max(pages):
                complaints.append(f"{code}: the codes are not in order, or one is there twice")
            pages[code] = says
            if not says or blocks is None or (not blocks) != (code in WITHOUT_COMMAND):
                complaints.append(f"{code}: a page says what messages say, and has a wrong and a right example")
                continue
            patterns += says.get("", [])
            if not blocks or (wanted and code not in wanted):
                continue
            folder = pathlib.Path(name) / code
            folder.mkdir()
            wrong, right = (calls.run(block) if is_c else run(block, folder) for block in blocks)
            status, said = wrong
            codes = {found or "none" for _, found in CODE.findall(said)}
            if codes != {code} or (status == 0) != code.startswith("SW"):
                complaints.append(f"{code}: its wrong example gives {sorted(codes)}, status {status}:\n{said}")
            status, said = right
            if status or CODE.search(said):
                complaints.append(f"{code}: its right example gives status {status}:\n{said}")
    complaints += kind_complaints(pages)
    found = list(messages())
    if len(found) < 150:
        complaints.append(f"only {len(found)} messages are found in the sources")
    for place, message in found:
        if not any(covers(pattern, message) for pattern in patterns if pattern != "expected …"):
            complaints.append(f"{place}: no code has the message: {message}")
    for line in complaints:
        print(line)
    print(f"{len(pages)} codes, {len(found)} messages in the sources")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
