"""A server of a test: `strata serve` on a folder, and what is asked of it."""
import contextlib
import http.client
import json
import os
import signal
import subprocess

TOOL = os.environ.get("STRATA", "strata")


class Server:
    def __init__(self, folder, *options, **environment):
        self.process = subprocess.Popen([TOOL, "serve", "--quiet", *options, str(folder)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), self.address + self.process.stderr.read()
        self.port = int(self.address.rstrip("/").rpartition(":")[2])

    def ask(self, method, target, body=None, **headers):
        """Status, headers and bytes of an answer. None leaves a header out."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(connection):
            connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
            given = {"Host": f"127.0.0.1:{self.port}", **{name.replace("_", "-"): text for name, text in headers.items()}}
            if body is not None:
                given.setdefault("Content-Length", str(len(body)))
            for name, text in given.items():
                if text is not None:
                    connection.putheader(name, text)
            connection.endheaders()
            if body is not None:
                connection.send(body)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def view(self, request, **headers):
        """The answer to a request for a view."""
        text = request if isinstance(request, bytes) else json.dumps(request).encode()
        status, _, body = self.ask("POST", "/view", text, Content_Type="application/json", **headers)
        assert status == 200, (status, body[:300])
        return json.loads(body)

    def workers(self):
        """The processes that the server has started and that have not ended."""
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], stdout=subprocess.PIPE, text=True)
        return found.stdout.split()

    def end(self, how=signal.SIGINT):
        self.process.send_signal(how)
        return self.process.wait(timeout=20)


@contextlib.contextmanager
def serving(folder, *options, **environment):
    server = Server(folder, *options, **environment)
    try:
        yield server
        assert server.process.poll() is None, "the server has ended: " + server.process.stderr.read()
        assert server.end() == 0
    finally:
        server.process.kill()
        server.process.wait()
