"""A session with `strata lsp`, as an editor has it: each answer is compared with what the text says.

Scheduling commands that are offered are written into the program, which `strata explain` must then
accept; commands of the same kind that are not offered it must refuse.
"""
import os
import pathlib
import subprocess
import tempfile

from client import Client

STRATA = os.environ["STRATA"]
URI = "file:///folder/spmm.ta"
PROGRAM = """\
# strata run spmm.ta -D type=double
def main() {
  IndexLabel [i, j] = [?];
  IndexLabel [k] = [32];
  Tensor<type> A([i, j], CSR);
  Tensor<type> B([j, k], Dense);
  Tensor<type> C([i, k], Dense);
  A[i, j] = read(file);
  B[j, k] = random();                # é𝄞 stand before this: B[j, k]
  C[i, k] = A[i, j] * B[j, k];
  print(C);
}
"""


def place(text, marked):
    """The line and the column, in units of UTF-16, of the '|' in a part of the text."""
    at = text.index(marked.replace("|", "")) + marked.index("|")
    line = text.count("\n", 0, at)
    before = text[text.rfind("\n", 0, at) + 1:at]
    return line, len(before.encode("utf-16-le")) // 2


def labels(completions):
    return [item["label"] for item in completions["items"]]


def edited(text, edits):
    """The text with edits of the protocol made."""
    lines = text.split("\n")

    def offset(position):
        line = lines[position["line"]]
        units = line.encode("utf-16-le")[:2 * position["character"]]
        return sum(len(one) + 1 for one in lines[:position["line"]]) + len(units.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        begin, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:begin] + edit["newText"] + text[end:]
    return text


def explains(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "a.ta")
        path.write_text(text)
        done = subprocess.run([STRATA, "explain", "--quiet", path, "-D", "file=a.mtx", "-D", "type=double"],
                              capture_output=True)
        return done.returncode == 0


def check_diagnostics(client):
    client.open(URI, PROGRAM)
    assert client.diagnostics(URI, 1) == []
    wrong = PROGRAM.replace("* B[j, k];", "* D[j, k];")
    client.change(URI, wrong, 2)
    [error] = client.diagnostics(URI, 2)
    line, column = place(wrong, "* |D[j, k];")
    assert error["range"]["start"] == {"line": line, "character": column}, error
    assert error["range"]["end"]["line"] == line
    assert error["severity"] == 1 and "'D'" in error["message"], error
    # Incremental changes, behind characters of two units in UTF-16.
    line, column = place(wrong, "before this: |B")
    client.notify("textDocument/didChange", textDocument={"uri": URI, "version": 3}, contentChanges=[
        {"range": {"start": {"line": line, "character": column},
                   "end": {"line": line, "character": column + 1}}, "text": "X"},
        {"range": {"start": {"line": line + 1, "character": 22}, "end": {"line": line + 1, "character": 23}},
         "text": "B"}])
    assert client.diagnostics(URI, 3) == []
    # What planning says: a schedule that is refused, at its command; a conversion, at its operand.
    refused = PROGRAM.replace("B[j, k];\n  print", "B[j, k] schedule { reorder(i, j, z); };\n  print")
    client.change(URI, refused, 4)
    assert client.diagnostics(URI, 4) == []
    [error] = client.diagnostics(URI, 4)
    assert error["severity"] == 1 and "is not possible" in error["message"], error
    line, column = place(refused, "{ |reorder")
    assert error["range"]["start"] == {"line": line, "character": column}, error
    converted = PROGRAM.replace("Tensor<type> C([i, k], Dense)", "Tensor<type> C([i, k], CSR)").replace(
        "B([j, k], Dense)", "B([j, k], CSC)")
    client.change(URI, converted, 5)
    assert client.diagnostics(URI, 5) == []
    notes = client.diagnostics(URI, 5)
    assert any("converted from CSC to CSR" in note["message"] and note["severity"] == 3 for note in notes)
    client.change(URI, PROGRAM, 6)
    assert client.diagnostics(URI, 6) == []
    # Of a change that a request follows at once, too; of a text that is too long nothing is said.
    client.write({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
                      "textDocument": {"uri": URI, "version": 7}, "contentChanges": [{"text": wrong}]}},
                 {"jsonrpc": "2.0", "id": "soon", "method": "textDocument/documentSymbol",
                  "params": {"textDocument": {"uri": URI}}})
    assert len(client.diagnostics(URI, 7)) == 1
    client.change(URI, wrong + "#" * (5 << 20), 8)
    assert client.diagnostics(URI) == []
    client.change(URI, PROGRAM, 9)
    assert client.diagnostics(URI, 9) == []


def check_hover(client):
    def hover(marked):
        answer = client.at("hover", URI, *place(PROGRAM, marked))
        return answer and answer["contents"]["value"]

    assert "double, ? x ?, CSR" in hover("Tensor<type> |A")
    assert "(i, j) -> (i : dense, j : compressed)" in hover("= |A[i, j] *")
    assert "less than 32" in hover("IndexLabel [|k]")
    assert "for j in A2" in hover("C[i, k] |=")
    assert "reorder(i, j, k)" in hover("|C[i, k] =")
    assert "Random values" in hover("= ran|dom()")
    assert "compressed rows" in hover("], C|SR)")
    assert "Declares a tensor" in hover("  Ten|sor<type> A")
    assert "-D file" in hover("read(fi|le)")
    assert hover("def main() |{") is None


def check_names(client):
    def locations(method, marked, **more):
        found = client.at(method, URI, *place(PROGRAM, marked), **more)
        return [(one["range"]["start"]["line"], one["range"]["start"]["character"]) for one in found]

    declared = place(PROGRAM, "Tensor<type> |B")
    assert locations("definition", "* |B[j, k];") == [declared]
    places = [declared, place(PROGRAM, "  |B[j, k] = random"), place(PROGRAM, "* |B[j, k];")]
    assert locations("references", "* |B[j, k];", context={"includeDeclaration": True}) == places
    assert locations("references", "* |B[j, k];", context={"includeDeclaration": False}) == places[1:]
    assert locations("definition", "A[i, |j] *") == [place(PROGRAM, "IndexLabel [i, |j]")]
    [main] = client.ask("textDocument/documentSymbol", textDocument={"uri": URI})
    assert main["name"] == "main" and [c["name"] for c in main["children"]] == list("ijkABC")

    edit = client.at("rename", URI, *place(PROGRAM, "* |B[j, k];"), newName="Factor")
    changed = edited(PROGRAM, edit["changes"][URI])
    assert changed == (PROGRAM.replace("> B([j", "> Factor([j").replace("  B[j, k] = r", "  Factor[j, k] = r")
                       .replace("* B[j", "* Factor[j"))
    line, column = place(PROGRAM, "* |B[j, k];")
    for name in ("A", "for", "3x", "a b", ""):
        client.refusal("textDocument/rename", textDocument={"uri": URI}, newName=name,
                       position={"line": line, "character": column})
    line, column = place(PROGRAM, "read(|file)")
    assert "-D" in client.refusal("textDocument/prepareRename", textDocument={"uri": URI},
                                  position={"line": line, "character": column})["message"]


def check_completion(client):
    version = 10

    def complete(text, marked):
        nonlocal version
        version += 1
        client.change(URI, text, version)
        return client.at("completion", URI, *place(text, marked))

    assert labels(complete(PROGRAM.replace("<type> C", "<> C"), "Tensor<|> C"))[0] == "double"
    text = PROGRAM.replace("C([i, k], Dense)", "C([i, k], )")
    assert {"CSR", "COO", "Dense", "BCSR"} <= set(labels(complete(text, "C([i, k], |)")))
    text = PROGRAM.replace("C([i, k], Dense)", "C([i, k], {})")
    assert {"D", "CU", "compressed"} <= set(labels(complete(text, "C([i, k], {|})")))
    text = PROGRAM.replace("* B[j, k];", "* ;")
    found = labels(complete(text, "A[i, j] * |;"))
    assert {"A", "B", "i", "sqrt", "SUM"} <= set(found) and "IndexLabel" not in found
    text = PROGRAM.replace("  print(C);", "  ")
    assert {"var", "print", "B"} <= set(labels(complete(text, "B[j, k];\n  |\n}")))


def check_commands(client):
    """What is offered within a schedule is legal, and what is not offered is not."""
    for number, before in enumerate(("", "reorder(i, j, k); ", "split(k, ko, ki, 8); ")):
        text = PROGRAM.replace("* B[j, k];", "* B[j, k] schedule { " + before + " };")
        client.change(URI, text, 20 + number)
        offered = client.at("completion", URI, *place(text, "{ " + before + "| };"))
        assert not offered["isIncomplete"]
        assert len(offered["items"]) >= 20, labels(offered)
        for item in offered["items"][::3]:
            chosen = edited(text, [item["textEdit"]])
            assert explains(chosen), chosen
        for command in ("collapse(i, j)", "mergeby(j, Gallop)", "vectorize(i, 8)", "assemble(C, Append)"):
            chosen = text.replace("{ " + before + " }", "{ " + before + command + "; }")
            assert explains(chosen) == (command in labels(offered)), chosen
    # A word that is begun is replaced; braces may still be open.
    text = PROGRAM.replace("* B[j, k];", "* B[j, k] schedule { reorder(i, j, k); par")
    client.change(URI, text, 30)
    [item] = [item for item in client.at("completion", URI, *place(text, "; par|\n"))["items"]
              if item["label"] == "parallelize(i, CPUThread, NoRaces)"]
    assert explains(edited(text, [item["textEdit"]]).replace("NoRaces);", "NoRaces); };"))
    text = PROGRAM.replace("* B[j, k];", "* B[j, k] schedule { split(i, io,  }")
    client.change(URI, text, 31)
    assert {"i", "j", "A"} <= set(labels(client.at("completion", URI, *place(text, "io, | }"))))
    help = client.at("signatureHelp", URI, *place(text, "io, | }"))
    assert help["activeParameter"] == 2 and help["signatures"][0]["label"] == "split(i, io, ii, 32)"


def check_layout(client):
    ragged = PROGRAM.replace("  Tensor", "Tensor").replace(" * ", "*").replace("= read", "=   read")
    client.change(URI, ragged, 40)
    edits = client.ask("textDocument/formatting", textDocument={"uri": URI}, options={})
    assert edited(ragged, edits) == PROGRAM
    client.change(URI, PROGRAM, 41)
    assert client.ask("textDocument/formatting", textDocument={"uri": URI}, options={}) == []


def check_protocol(client):
    """Requests that are cancelled, of unknown methods, without a document; bytes that are no message."""
    text = PROGRAM.replace("* B[j, k];", "* B[j, k] schedule {  };")
    client.change(URI, text, 50)
    line, column = place(text, "schedule { | };")
    number = client.send("textDocument/completion", textDocument={"uri": URI},
                         position={"line": line, "character": column})
    client.notify("$/cancelRequest", id=number)
    answer = client.answer(number)
    assert "error" not in answer or answer["error"]["code"] == -32800, answer
    assert client.refusal("strata/nothing")["code"] == -32601
    assert "not open" in client.refusal("textDocument/hover", textDocument={"uri": "file:///none.ta"},
                                        position={"line": 0, "character": 0})["message"]
    assert client.refusal("textDocument/hover", textDocument=3)["code"] == -32602
    for body in (b"{", b"[1, 2]", b"null", b'{"method": "exit"}', b"\xff\xfe", b"[" * 100000, b""):
        client.write(body)
    client.process.stdin.write(b"nonsense: 1\r\n\r\nContent-Length: x\r\n\r\n")
    # Positions outside of the text, and a change of a document that is not open.
    for at in ((1000, 0), (0, 1000), (-5, -5), (2**31 - 1, 2**31 - 1)):
        client.at("hover", URI, *at)
        client.at("completion", URI, *at)
    client.change("file:///none.ta", "x", 1)
    # A hover that waits for the plan of a document which is closed at once, or opened again, is answered.
    at = {"line": place(PROGRAM, "C[i, k] |=")[0], "character": place(PROGRAM, "C[i, k] |=")[1]}
    for method, document in (("textDocument/didClose", {"uri": "file:///soon.ta"}),
                             ("textDocument/didOpen", {"uri": "file:///soon.ta", "languageId": "strata",
                                                       "version": 2, "text": "def main() {\n}\n"})):
        opened = {"uri": "file:///soon.ta", "languageId": "strata", "version": 1, "text": PROGRAM}
        client.next_id += 1
        hover = {"textDocument": {"uri": "file:///soon.ta"}, "position": at}
        client.write({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": opened}},
                     {"jsonrpc": "2.0", "id": client.next_id, "method": "textDocument/hover", "params": hover},
                     {"jsonrpc": "2.0", "method": method, "params": {"textDocument": document}})
        client.answer(client.next_id)
    client.open("untitled:Untitled-1", "def main() {\n}\n")
    assert client.diagnostics("untitled:Untitled-1") == []
    client.notify("textDocument/didClose", textDocument={"uri": URI})
    message = client.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics"
                          and m["params"]["uri"] == URI and "version" not in m["params"])
    assert message["params"]["diagnostics"] == []


def main():
    client = Client(STRATA)
    capabilities = client.initialize()["capabilities"]
    assert capabilities["textDocumentSync"]["change"] == 2 and capabilities["hoverProvider"]
    check_diagnostics(client)
    check_hover(client)
    check_names(client)
    check_completion(client)
    check_commands(client)
    check_layout(client)
    check_protocol(client)
    assert client.close() == 0
    # An editor that ends without a word.
    client = Client(STRATA)
    client.initialize()
    client.process.stdin.close()
    assert client.process.wait(30) == 1


if __name__ == "__main__":
    main()
