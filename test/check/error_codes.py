"""Checks docs/Errors.md: each message of the front end has a code, each code an example that gives it and no
other, and one that is fine.

    error_codes.py [CODE...]
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
STRATA = os.environ["STRATA"]
SECTION = re.compile(r"^### (S[EW]\d{4}): (.+?)$(.*?)(?=^###? |\Z)", re.MULTILINE | re.DOTALL)
BLOCKS = re.compile(r"^Wrong:\n\n```\n(.*?)\n```\n\nRight:\n\n```\n(.*?)\n```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(error|warning): .*?(?:\[(S[EW]\d{4})\])?$", re.MULTILINE)
WHOLE = re.compile(r"^(def|operator|semiring|Machine) ", re.MULTILINE)


def sections(text):
    for code, name, body in SECTION.findall(text):
        says = re.search(r"^Says: (.*?)\n\n", body, re.MULTILINE | re.DOTALL)
        blocks = BLOCKS.search(body)
        yield code, says and re.findall(r"`([^`]+)`", says.group(1)), blocks and blocks.groups()


def run(example, folder):
    """The exit code and the messages of an example."""
    if example.startswith("strata "):
        command = STRATA + example.removeprefix("strata")
    else:
        program = example if WHOLE.search(example) else "def main() {\n" + example + "\n}\n"
        (folder / "a.ta").write_text(program)
        options = re.search(r"^# strata run a.ta(.*)$", example, re.MULTILINE)
        command = f"{STRATA} run a.ta" + (options.group(1) if options else "")
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stderr


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
    complaints, patterns, seen = [], [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for code, says, blocks in sections(page):
            seen.append(code)
            if not says or not blocks:
                complaints.append(f"{code}: a page says what messages say, and has a wrong and a right example")
                continue
            patterns += says
            if wanted and code not in wanted:
                continue
            status, said = run(blocks[0], folder)
            codes = {found or "none" for _, found in CODE.findall(said)}
            if codes != {code} or (status == 0) != code.startswith("SW"):
                complaints.append(f"{code}: its wrong example gives {sorted(codes)}, status {status}:\n{said}")
            status, said = run(blocks[1], folder)
            if status or CODE.search(said):
                complaints.append(f"{code}: its right example gives status {status}:\n{said}")
    if seen != sorted(set(seen)):
        complaints.append("the codes are not in order, or one is there twice")
    found = list(messages())
    if len(found) < 150:
        complaints.append(f"only {len(found)} messages are found in the sources")
    for place, message in found:
        if not any(covers(pattern, message) for pattern in patterns if pattern != "expected …"):
            complaints.append(f"{place}: no code has the message: {message}")
    for line in complaints:
        print(line)
    print(f"{len(seen)} codes, {len(found)} messages in the sources")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
