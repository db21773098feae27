"""Checks that what editors are told has every word of the language: the tables of words in
tools/strata/lsp/Words.cpp, the grammar of the extension for Visual Studio Code, and the one for tree-sitter
with its colours, have those that the front end knows, and no others. The files of the extension fit each other."""
import json
import pathlib
import re
import sys

from level_names import level_classes, registered_name

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def text(name):
    return (SOURCE / name).read_text()


def table(source, name):
    """The first text of each row of a table of C++."""
    body = re.search(rf"{name}\[\] = \{{(.*?)\n\}};", source, re.DOTALL).group(1)
    return set(re.findall(r'^\s*\{"(\w+)",', body, re.MULTILINE))


def keywords():
    """The words of the grammar."""
    body = re.search(r"languageWords\(\) \{.*?\{(.*?)\};", text("strata/frontend/NameUses.cpp"), re.DOTALL)
    return set(re.findall(r'"(\w+)"', body.group(1)))


def functions():
    builtins = re.findall(r'\{"(\w+)", BuiltinKind::(\w+)', text("strata/frontend/Builtins.cpp"))
    names = {name for name, kind in builtins if kind != "Unsupported"}
    rows = re.findall(r'\{Operator::\w+, "(\w+)", "[^"]*", \d, (true|false)', text("strata/frontend/Operators.cpp"))
    reductions = re.search(r"findReduction.*?\n\}", text("strata/frontend/Operators.cpp"), re.DOTALL).group(0)
    return names | {name for name, function in rows if function == "true"} | set(
        re.findall(r'Case\("(\w+)"', reductions))


def words_of_parser():
    """Names that the parser's rules compare tokens with."""
    found = set()
    for path in (SOURCE / "strata/frontend").glob("Parse*.cpp"):
        found |= set(re.findall(r'isName\("(\w+)"\)', path.read_text()))
    return found


def commands():
    return set(re.findall(r'^\s*\{"(\w+)", "', text("strata/schedule/Commands.cpp"), re.MULTILINE))


def element_types():
    source = text("strata/frontend/ElementTypes.cpp")
    others = re.findall(r"\.Cases?\((.*?), ElementType::", source)
    return set(re.findall(r'\{ElementType::\w+, "(\w+)"', source)) | set(re.findall(r'"(\w+)"', " ".join(others)))


def version():
    return re.search(r"VERSION (\d+\.\d+\.\d+)", text("CMakeLists.txt")).group(1)


# ---- The extension for Visual Studio Code ----

EXTENSION = SOURCE / "editors/vscode"


def rules(node):
    """All rules of a grammar, those inside others too."""
    if isinstance(node, dict):
        if "match" in node or "begin" in node:
            yield node
        for value in node.values():
            yield from rules(value)
    elif isinstance(node, list):
        for value in node:
            yield from rules(value)


def words_of(grammar, scopes):
    """The words that the rules with these names list."""
    found = set()
    for rule in rules(grammar):
        if rule.get("name") in scopes:
            found |= set(re.search(r"\(\?:([\w|]+)\)", rule["match"]).group(1).split("|"))
    return found


def names_of(grammar, text):
    """The names that the rules outside of blocks give to a text, each character by the first rule that fits."""
    top = [grammar["repository"][one["include"][1:]] for one in grammar["patterns"]]
    simple = [rule for one in top for rule in (one.get("patterns") or [one]) if "match" in rule]
    names, at = [], 0
    while at < len(text):
        found = min(((match.start(), number, match, rule) for number, rule in enumerate(simple)
                     if (match := re.compile(rule["match"]).search(text, at)) and match.end() > match.start()),
                    key=lambda one: one[:2], default=None)
        if not found:
            break
        names.append((found[2].group(), found[3].get("name")))
        at = found[2].end()
    return names


def extension_complaints():
    package = json.loads((EXTENSION / "package.json").read_text())
    json.loads((EXTENSION / "language-configuration.json").read_text())
    [language], [listed] = package["contributes"]["languages"], package["contributes"]["grammars"]
    for path in (package["main"], language["configuration"], listed["path"]):
        if not (EXTENSION / path).is_file():
            yield f"the extension has no {path}"
    grammar = json.loads((EXTENSION / listed["path"]).read_text())
    if grammar["scopeName"] != listed["scopeName"] or language["extensions"] != [".ta"]:
        yield "the extension's grammar is not that of .ta files"
    for rule in rules(grammar):
        for key in ("match", "begin", "end"):
            re.compile(rule.get(key, ""))
    if package["version"] != version():
        yield f"the extension is of version {package['version']}, Strata of {version()}"
    for what, known, scopes in (
            ("keywords", keywords(), {"keyword.control.strata", "storage.type.strata", "keyword.operator.word.strata"}),
            ("functions", functions() - {"mod"}, {"support.function.strata"}),
            ("commands", commands(), {"support.function.command.strata"})):
        listed = words_of(grammar, scopes)
        if listed != known:
            yield f"the grammar's {what} differ from the front end's: {sorted(listed ^ known)}"
    line = 'C[i] = min(2.5, read("for # x")); for t in range(4x4) # if'
    wanted = {("min", "support.function.strata"), ("2.5", "constant.numeric.strata"), ("for", "keyword.control.strata"),
              ("4x4", "constant.numeric.strata"), ("# if", "comment.line.number-sign.strata")}
    plain = line.replace('"for # x"', "file")
    if not wanted <= set(names_of(grammar, plain)):
        yield f"the grammar reads {names_of(grammar, plain)}"


# ---- The grammar for tree-sitter ----

TREE_SITTER = "editors/tree-sitter-strata"


def words_of_places():
    """Words that mean something where nothing else can stand: of semirings, and operators of assignments."""
    parts = re.search(r"parts\[\] = \{(.*?)\};", text("strata/frontend/ParseSemirings.cpp")).group(1)
    assignments = re.search(r"namedAssignments\[\] = \{(.*?)\};", text("strata/frontend/ParseStatements.cpp"), re.DOTALL)
    return NOT_KEYWORDS | set(re.findall(r'"(\w+)"', parts + assignments.group(1)))


def tree_sitter_complaints():
    described = json.loads(text(f"{TREE_SITTER}/tree-sitter.json"))
    if described["metadata"]["version"] != version():
        yield f"the grammar for tree-sitter is of version {described['metadata']['version']}, Strata of {version()}"
    rules = re.sub(r"//.*", "", text(f"{TREE_SITTER}/grammar.js")).partition("rules: {")[2]
    tokens = re.sub(r'field\("\w+"|named\(\$, \$\.\w+, "\w+"\)', "", rules)  # names of fields and nodes
    colours = re.sub(r"^;.*", "", text(f"{TREE_SITTER}/queries/highlights.scm"), flags=re.MULTILINE)

    def coloured(capture):
        """The words of all patterns that give that name to them, or to nodes that have one of them."""
        alone = re.findall(rf'(?:\[([^\[\]]*)\]|\((\w+)_statement\)) @{capture}\b(?!\.)', colours)
        among = re.findall(rf"#any-of\? @{re.escape(capture)}\s([^)]*)\)", colours)
        return set(re.findall(r"\w+", " ".join(word for pair in alone for word in pair) + " ".join(among)))

    for what, known, told in (
            ("words", keywords() | words_of_places(), set(re.findall(r'"([A-Za-z]\w*)"', tokens))),
            ("coloured keywords", keywords(), coloured("keyword") | coloured("keyword.operator")),
            ("coloured functions", functions(), coloured("function.builtin")),
            ("coloured types and levels", element_types() | set(map(registered_name, level_classes())),
             coloured("type.builtin")),
            ("coloured commands", commands(), coloured("function.macro"))):
        if told != known:
            yield f"the {what} for tree-sitter differ from the compiler's: {sorted(told ^ known)}"


def main():
    words = text("tools/strata/lsp/Words.cpp")
    complaints = []
    for what, known, told in (("keywords", keywords(), table(words, "keywords")),
                              ("functions", functions(), table(words, "functions"))):
        complaints += [f"Words.cpp does not know {name}, of the {what}" for name in sorted(known - told)]
        complaints += [f"Words.cpp has {name}, which is none of the {what}" for name in sorted(told - known)]
    complaints += [f"languageWords() lacks {name}, which a rule of the parser asks for"
                   for name in sorted(words_of_parser() - keywords() - NOT_KEYWORDS)]
    complaints += extension_complaints()
    complaints += tree_sitter_complaints()
    for line in complaints:
        print(line)
    return 1 if complaints else 0


# Words with a meaning at one place, which may be names elsewhere.
NOT_KEYWORDS = {"inf", "infi", "nan", "nani", "slot", "sorted"}

if __name__ == "__main__":
    sys.exit(main())
