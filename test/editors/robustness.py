"""Texts as they are while somebody types: `strata lsp` answers each, and lays out what it can.

Beginnings of all examples, two examples without one of their characters, and bytes drawn at random. With
STRATA_LONG=1 every beginning and every missing character, else some of them.
"""
import os
import pathlib
import random

from client import Client

SOURCE = pathlib.Path(os.environ["STRATA_SOURCE"])
LONG = bool(os.environ.get("STRATA_LONG"))
URI = "file:///folder/a.ta"


def texts():
    programs = {path.name: path.read_text() for path in sorted((SOURCE / "examples").glob("*.ta"))}
    for text in programs.values():
        for length in range(0, len(text) + 1, 1 if LONG else 23):
            yield text[:length]
    for name in ("spmm.ta", "formats.ta"):
        text = programs[name]
        for at in range(0, len(text), 1 if LONG else 9):
            yield text[:at] + text[at + 1:]
    draw = random.Random(7)
    words = "def main ( ) { } [ ] ; , < > @ : = + - * / ! ~ ? \" # \n i A Tensor var for end if 1 2.5 \u00e9 schedule".split(" ")
    for _ in range(2000 if LONG else 200):
        yield " ".join(draw.choices(words, k=draw.randrange(40)))
    yield "(" * 100000
    yield "def main() {" * 1000
    yield "x" * 1000000


def main():
    client = Client(os.environ["STRATA"])
    client.initialize()
    client.open(URI, "", 1)
    draw = random.Random(3)
    count = 0
    for version, text in enumerate(texts(), 2):
        client.change(URI, text, version)
        line = draw.randrange(text.count("\n") + 1)
        column = draw.randrange(60)
        numbers = [client.send(f"textDocument/{method}", textDocument={"uri": URI},
                               position={"line": line, "character": column}, options={})
                   for method in ("completion", "hover", "definition", "signatureHelp", "documentSymbol",
                                  "formatting")]
        for number in numbers:
            answer = client.answer(number)
            assert "result" in answer, (answer, text)
        count += 1
        client.waiting.clear()
    assert client.close() == 0, client.errors
    assert not client.errors, client.errors
    print(f"{count} texts")


if __name__ == "__main__":
    main()
