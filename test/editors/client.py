"""A client of the Language Server Protocol, for tests: starts `strata lsp` and speaks to it."""
import json
import subprocess
import threading
import queue


class Client:
    def __init__(self, strata, *options):
        self.process = subprocess.Popen([strata, "lsp", *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.messages = queue.Queue()
        self.next_id = 0
        self.waiting = []  # messages that came while another one was waited for
        threading.Thread(target=self._read, daemon=True).start()
        self.errors = b""
        threading.Thread(target=self._read_errors, daemon=True).start()

    def _read_errors(self):
        self.errors = self.process.stderr.read()

    def _read(self):
        stream = self.process.stdout
        while True:
            length = None
            while True:
                line = stream.readline()
                if not line:
                    self.messages.put(None)
                    return
                if line == b"\r\n":
                    break
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            self.messages.put(json.loads(stream.read(length)))

    def write(self, *bodies):
        """Sends messages so that they arrive together."""
        packed = b""
        for body in bodies:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            packed += b"Content-Length: %d\r\n\r\n" % len(data) + data
        self.process.stdin.write(packed)
        self.process.stdin.flush()

    def notify(self, method, **params):
        self.write({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, method, **params):
        """Sends a request and returns its id."""
        self.next_id += 1
        self.write({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params})
        return self.next_id

    def wait(self, wanted, seconds=60):
        """Returns the first message for which `wanted` is true."""
        for at, message in enumerate(self.waiting):
            if wanted(message):
                return self.waiting.pop(at)
        while True:
            message = self.messages.get(timeout=seconds)
            if message is None:
                raise EOFError(f"the server has ended: {self.process.wait(30)} {self.errors.decode()}")
            if wanted(message):
                return message
            self.waiting.append(message)

    def answer(self, number, seconds=60):
        return self.wait(lambda m: m.get("id") == number and "method" not in m, seconds)

    def ask(self, method, **params):
        """Sends a request and returns its result; an error is raised."""
        answer = self.answer(self.send(method, **params))
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer["result"]

    def refusal(self, method, **params):
        """Sends a request that is refused, and returns the error."""
        return self.answer(self.send(method, **params))["error"]

    def diagnostics(self, uri, version=None):
        message = self.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics"
                            and m["params"]["uri"] == uri
                            and (version is None or m["params"].get("version") == version))
        return message["params"]["diagnostics"]

    def initialize(self):
        result = self.ask("initialize", processId=None, rootUri=None, capabilities={})
        self.notify("initialized")
        return result

    def open(self, uri, text, version=1):
        self.notify("textDocument/didOpen", textDocument={
            "uri": uri, "languageId": "strata", "version": version, "text": text})

    def change(self, uri, text, version):
        self.notify("textDocument/didChange", textDocument={"uri": uri, "version": version},
                    contentChanges=[{"text": text}])

    def at(self, method, uri, line, character, **more):
        return self.ask(f"textDocument/{method}", textDocument={"uri": uri},
                        position={"line": line, "character": character}, **more)

    def close(self):
        """Shuts the server down; returns its exit code."""
        self.ask("shutdown")
        self.notify("exit")
        self.process.stdin.close()
        return self.process.wait(30)
