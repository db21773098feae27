"""Compares the grammar for tree-sitter, editors/tree-sitter-strata, with the compiler: the programs of the
repository and of the documentation are read without a mistake, those with mistakes of syntax are not, and
drawn changes of programs are mistakes to both or to neither. Trees are those of the grammar's corpus, the
parser has the words of the grammar, and no two patterns of the colours give one node different names.

    tree_sitter.py [--draws COUNT] [--seed SEED] [--update]
    tree_sitter.py --generate

--update writes the trees of the corpus anew, to be read before they are committed. --generate compares the
parser that is in the repository with the one that `tree-sitter generate` makes of the grammar now.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

import trees

SOURCE = pathlib.Path(__file__).resolve().parents[2]
GRAMMAR = SOURCE / "editors/tree-sitter-strata"
STRATA = os.environ.get("STRATA", "strata")
SKIPPED = 77
WHOLE = re.compile(r"^(def|operator|semiring|Machine) ", re.MULTILINE)


def text_of(path):
    return path.read_bytes().decode(errors="replace")


# ---- Programs ----

def sound_programs():
    """The name and the text of each program that has no mistake of syntax."""
    for folder in ("examples", "test/programs", "test/regression", "test/tools", "test/papers", "test/install"):
        for path in sorted((SOURCE / folder).rglob("*.ta")):
            yield str(path.relative_to(SOURCE)), text_of(path)
    for path in sorted([*SOURCE.glob("*.md"), *(SOURCE / "docs").rglob("*.md")]):
        page = text_of(path)
        for block in re.finditer(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
            language, text = block.groups()
            # Language.md shows statements without their function, behind two blanks.
            wraps = path.name == "Language.md" and re.match(r"  \S", text)
            if language or "..." in text or not (wraps or re.search(r"^def \w+\(", text, re.MULTILINE)):
                continue
            name = f"docs/{path.name}:{page[:block.start()].count(chr(10)) + 1}"
            yield name, text if WHOLE.search(text) else "def main() {\n" + text + "}\n"
    for code, _, text in examples_of_errors():
        yield f"docs/Errors.md: the right example of {code}", text


def syntax_sections():
    """The code and the text of each section about syntax in docs/Errors.md."""
    part = text_of(SOURCE / "docs/Errors.md").partition("\n## Words and syntax\n")[2].partition("\n## ")[0]
    return re.findall(r"^### (SE\d+):(.*?)(?=^### |\Z)", part, re.MULTILINE | re.DOTALL)


def examples_of_errors():
    """The code, the wrong and the right example of each of these sections whose examples are programs."""
    for code, section in syntax_sections():
        examples = re.findall(r"^(?:Wrong|Right):\n\n```\n(.*?)\n```", section, re.MULTILINE | re.DOTALL)
        if not examples[0].startswith("strata "):
            wrong, right = (text if WHOLE.search(text) else "def main() {\n" + text + "\n}\n" for text in examples)
            yield code, wrong, right


# ---- What the compiler refuses ----

# Codes of mistakes that are no matter of which word stands where, but of a word's value or spelling, of the
# lengths of lists, of depth, or of what the tensors are.
NOT_OF_TOKENS = {"SE0107", "SE0108", "SE0113", "SE0114", "SE0115", "SE0118", "SE0119"}
# To the grammar every operator after '@' is a name; words that begin or end a block or a function are names
# where they cannot; the first word of a coordinate is as any other; and `3mod` is a number and a word.
SPELLINGS = re.compile(r"expected an operator such as|expected '\(' after '@', found '\w+'"
                       r"|this '(else|end)' belongs to nothing|expected '}' before 'def'|expected a label, found"
                       r"|'\d\w*' is neither a number nor a name")


def patterns_of_syntax():
    """The code and an expression for each message of the section about syntax."""
    for code, section in syntax_sections():
        says = re.search(r"^Says: (.*?)\n\n", section, re.MULTILINE | re.DOTALL).group(1)
        for pattern in re.findall(r"`([^`]+)`", says):
            yield code, re.compile(".*".join(map(re.escape, pattern.split("…"))))


def is_of_tokens(message, patterns):
    """Tells whether a message is about which word stands where. Messages about tensors may expect something,
    too; those of the parser tell the word that they found, or where it is missing."""
    if SPELLINGS.search(message):
        return False
    if message.startswith("expected "):
        return bool(re.search(r", found (['\"]|the end of)|^expected '[^']+' (before|after|to|or|and) ", message))
    return any(pattern.match(message) for code, pattern in patterns if code not in NOT_OF_TOKENS)


def mistaken_programs():
    """The files of test/error, each with whether a message is about tokens, and whether one may be."""
    patterns = list(patterns_of_syntax())
    for path in sorted((SOURCE / "test/error").glob("*.ta")):
        text = text_of(path)
        messages = re.findall(r"^# expect: \d+:\d+: error: (.*)$", text, re.MULTILINE)
        yield (str(path.relative_to(SOURCE)), text,
               any(is_of_tokens(message, patterns) for message in messages),
               any(pattern.match(message) for message in messages for _, pattern in patterns))


def refusals(texts):
    """The first mistake of syntax that the compiler finds in each of many texts, if any."""
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{number}.ta" for number in range(len(texts))]
        for name, text in zip(names, texts):
            (pathlib.Path(folder) / name).write_text(text)
        done = subprocess.run([STRATA, "format", "--check", *names], cwd=folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"strata format ended with {done.returncode}: {done.stderr[:600]}")
    found = {}
    for number, message in re.findall(r"^(\d+)\.ta:\d+:\d+: error: (.*)$", done.stderr, re.MULTILINE):
        found.setdefault(int(number), message)
    return found


# ---- Checks ----

def wrong_verdicts(parser):
    programs, mistaken = list(sound_programs()), list(mistaken_programs())
    print(f"{len(programs)} programs, {sum(refused for _, _, refused, _ in mistaken)} with mistakes of syntax")
    if len(programs) < 100 or sum(refused for _, _, refused, _ in mistaken) < 10:
        yield "these are not all"
    for name, text in programs:
        for mistake in parser.mistakes(text):
            yield f"{name}: line {mistake.line}: {mistake.what}"
    for name, text, refused, may_be in mistaken:
        mistakes = parser.mistakes(text)
        if refused and not mistakes:
            yield f"{name}: the grammar finds no mistake"
        elif mistakes and not may_be:
            yield f"{name}: line {mistakes[0].line}: {mistakes[0].what}, but the compiler reads it"
    for code, wrong, _ in examples_of_errors():
        if code not in NOT_OF_TOKENS and not parser.mistakes(wrong):
            yield f"docs/Errors.md: the example of {code} has no mistake"


CASE = re.compile(r"^=+\n([^\n]+)\n=+\n\n(.*?)\n\n---\n\n(.*?)(?=\n^===|\Z)", re.MULTILINE | re.DOTALL)


def cases():
    for path in sorted((GRAMMAR / "test/corpus").glob("*.txt")):
        for name, program, tree in CASE.findall(text_of(path)):
            yield f"{path.name}: {name}", program, tree


def wrong_trees(parser):
    programs = list(cases())
    for name, program, tree in programs:
        found = parser.tree(program)
        if found != trees.normalized(tree):
            yield f"{name}: the tree is\n{trees.laid_out(found)}"
    for number, message in refusals([program for _, program, _ in programs]).items():
        yield f"{programs[number][0]}: the compiler says: {message}"


def update(parser):
    for path in sorted((GRAMMAR / "test/corpus").glob("*.txt")):
        def renewed(case):
            return case.group(0).replace(case.group(3), trees.laid_out(parser.tree(case.group(2))) + "\n")
        path.write_text(CASE.sub(renewed, text_of(path)))


def parts_of_grammar():
    """The names of nodes, and the words and signs of grammar.js."""
    grammar = re.sub(r"//.*", "", text_of(GRAMMAR / "grammar.js")).partition("rules: {")[2]
    named = r'named\(\$, \$\.\w+, "(\w+)"\)'
    nodes = set(re.findall(r"^    ([a-z]\w*): \(", grammar, re.MULTILINE)) | set(re.findall(named, grammar))
    tokens = re.sub(named + r'|field\("\w+"|/(\\.|\[[^\]]*\]|[^/\\\n\[])+/', "", grammar)
    return nodes, {double or single for double, single in re.findall(r"\"([^\"\n]+)\"|'([^'\n]+)'", tokens)}


def wrong_words():
    """What grammar.js and the nodes of parser.c have not in common."""
    nodes, tokens = parts_of_grammar()
    table = re.search(r"ts_symbol_names\[\] = \{(.*?)\n\};", text_of(GRAMMAR / "src/parser.c"), re.DOTALL)
    symbols = {re.sub(r"\\(.)", r"\1", name)
               for name in re.findall(r'= "((?:\\.|[^"\\])*)",', table.group(1))}
    hidden = {name for name in symbols if re.search(r"^_|_token\d+$|_repeat\d+$", name)}
    for name in sorted((nodes | tokens - {"break"}) ^ (symbols - hidden)):  # `break` is break_statement
        yield f"{name!r} stands in one of grammar.js and src/parser.c: run tree-sitter generate --abi=14"


def wrong_colours(parser):
    texts = {path.name: text_of(path) for path in sorted((GRAMMAR / "queries").glob("*.scm"))}
    texts["docs/Editors.md"] = re.search(r"'\((\(comment\).*?-face)\)\)\)", text_of(SOURCE / "docs/Editors.md"),
                                         re.DOTALL).group(1)  # of Emacs
    queries = {file: trees.Query(parser, text) for file, text in texts.items()}
    used = collections.defaultdict(set)
    for name, text in [*sound_programs(), *((name, program) for name, program, _ in cases())]:
        for file, query in queries.items():
            colours = collections.defaultdict(set)
            for capture, place, word in parser.captures(query, text):
                used[file].add(capture)
                colours[place, word].add(capture)
            for (_, word), captures in colours.items():
                if file == "highlights.scm" and len(captures) > 1:
                    yield f"{name}: {word!r} is {' and '.join(sorted(captures))}"
    for file, text in texts.items():
        for capture in sorted(set(re.findall(r"@([\w.-]+)", re.sub(r";.*|\(#[^)]*\)", "", text))) - used[file]):
            yield f"{file}: nothing in any program is @{capture}"


# ---- Draws ----

TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|[A-Za-z_]\w*|\d+(?:x\d+)+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?i?'
                   r"|[-+*|&=!<>]=|->|&&|\|\||<<|>>|\.\*|\s+|.", re.DOTALL)


# What may stand at some places and not at others.
PHRASES = ("a == b", "a | b", "-1", "- a", "2.5", "3i", "4x4", '"t"', "a[i]", "f(a, 1)", "(a + b)", "!a", "~a",
           "{i, j}", "[1, 2]", "[[1], 2]", "a, b", "x = 1;", "{ }", ": 3", "?", "a.b", "@(min,+) a", "schedule { }")


def changed(text, words):
    """A text in which a word or two are gone, new, other ones of any list, doubled or elsewhere."""
    tokens = TOKEN.findall(text)
    places = [at for at, token in enumerate(tokens) if not token.isspace()]
    for _ in range(random.choice([1, 1, 1, 2])):
        at, other, word = random.choice(places), random.choice(places), random.choice(random.choice(words))
        kind = random.randrange(6)
        if kind == 0:
            tokens[at] = ""
        elif kind < 3:
            tokens[at] = f" {word} "
        elif kind == 3:
            tokens[at] += f" {word} "
        elif kind == 4:
            tokens[at] += " " + tokens[at]
        else:
            tokens[at], tokens[other] = tokens[other], tokens[at]
    return "".join(tokens)


def drawn_programs(count):
    """Changes of programs, and of those of the corpus, in which little stands that another one has."""
    kinds = [[re.sub(r"#.*", "", text) for text in texts] for texts in
             ([text for _, text in sound_programs()], [program for _, program, _ in cases()])]
    kinds = [[text for text in texts if text.strip()] for texts in kinds]
    words = [sorted({token for text in kinds[0] for token in TOKEN.findall(text) if not token.isspace()}),
             sorted(parts_of_grammar()[1]), PHRASES]
    return [changed(random.choice(random.choice(kinds)), words) for _ in range(count)]


def wrong_draws(parser, count, seed):
    print(f"drawing {count} programs with the seed {seed}")
    random.seed(seed)
    patterns, drawn = list(patterns_of_syntax()), drawn_programs(count)
    refused = refusals(drawn)
    for number, text in enumerate(drawn):
        message = re.sub(r" \[\w+\]$", "", refused.get(number, ""))
        mistakes = parser.mistakes(text)
        if mistakes and not message:
            yield f"line {mistakes[0].line}: {mistakes[0].what}, but the compiler reads\n{text}"
        elif not mistakes and message and is_of_tokens(message, patterns):
            yield f"the compiler says: {message}, but the grammar finds no mistake in\n{text}"
    print(f"{len(refused)} of them are refused")


# ---- The parser in the repository, and a new one ----

def differences(library, parser, folder):
    """How trees of the parser that is generated now differ from those of the one in the repository."""
    shutil.copy(GRAMMAR / "grammar.js", folder)
    subprocess.run(["tree-sitter", "generate", "--abi=14"], cwd=folder, check=True)
    new = trees.Parser(library, folder, folder)
    for name, text in [*sound_programs(), *((name, text) for name, text, *_ in mistaken_programs())]:
        if new.tree(text) != parser.tree(text):
            yield f"{name}: the parser in the repository is older than the grammar"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--draws", type=int, default=0)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--update", action="store_true")
    options.add_argument("--generate", action="store_true")
    asked = options.parse_args()
    library = trees.library()
    missing = ("libtree-sitter (Debian's libtree-sitter-dev)" if not library else
               "tree-sitter, the program" if asked.generate and not shutil.which("tree-sitter") else None)
    if missing:
        print(f"skipped: there is no {missing}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as built, tempfile.TemporaryDirectory() as folder:
        parser = trees.Parser(library, GRAMMAR, built)
        if asked.update:
            return update(parser)
        complaints = list(differences(library, parser, folder)) if asked.generate else [
            *wrong_words(), *wrong_verdicts(parser), *wrong_trees(parser), *wrong_colours(parser),
            *(wrong_draws(parser, asked.draws, asked.seed) if asked.draws else ())]
    for line in complaints:
        print(line)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
