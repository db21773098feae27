"""Checks that what editors are told has every word of the language: the tables of words in
tools/strata/lsp/Words.cpp have those that the front end knows, and no others."""
import pathlib
import re
import sys

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


def main():
    words = text("tools/strata/lsp/Words.cpp")
    complaints = []
    for what, known, told in (("keywords", keywords(), table(words, "keywords")),
                              ("functions", functions(), table(words, "functions"))):
        complaints += [f"Words.cpp does not know {name}, of the {what}" for name in sorted(known - told)]
        complaints += [f"Words.cpp has {name}, which is none of the {what}" for name in sorted(told - known)]
    complaints += [f"languageWords() lacks {name}, which a rule of the parser asks for"
                   for name in sorted(words_of_parser() - keywords() - NOT_KEYWORDS)]
    for line in complaints:
        print(line)
    return 1 if complaints else 0


# Words with a meaning at one place, which may be names elsewhere.
NOT_KEYWORDS = {"inf", "slot", "sorted"}

if __name__ == "__main__":
    sys.exit(main())
