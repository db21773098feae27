"""The contract of `strata serve`: who may ask, for what, and what a hostile request cannot do."""
import concurrent.futures
import ctypes
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time

import document
from serving import TOOL, Server, serving

MATRIX = "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 1\n1 3 2\n2 2 3\n3 1 4\n"
SPMV = {"statement": "y(i) = A(i,j) * x(j)", "formats": {"A": "CSR"}, "data": {"A": "s:0.1", "x": "d"},
        "sizes": {"i": "50", "j": "40"}}
STATEMENTS = [
    SPMV,
    {"statement": "C(i,k) = A(i,j) * B(j,k)", "formats": {"A": "CSR"}, "data": {"A": "s:0.1", "B": "d"},
     "sizes": {"i": "20", "j": "20", "k": "8"}},
    {"statement": "Y(i,j) = S(i,j) * U(i,k) * V(j,k)", "formats": {"S": "CSR", "Y": "CSR"},
     "data": {"S": "s:0.1", "U": "d", "V": "d"}, "sizes": {"i": "20", "j": "20", "k": "8"}},
    {"statement": "C(i,j) = A(i,k) * B(k,j)", "formats": {"A": "CSR", "B": "CSR", "C": "CSR"},
     "data": {"A": "s:0.1", "B": "s:0.1"}, "sizes": {"i": "20", "j": "20", "k": "20"}},
    {"statement": "A(i,l) = B(i,j,k) * C(j,l) * D(k,l)", "formats": {"B": "CSF"},
     "data": {"B": "s:0.05", "C": "d", "D": "d"}, "sizes": {"i": "9", "j": "9", "k": "9", "l": "4"}},
    {"statement": "C(i,j) = A(i,j) + B(i,j)", "formats": {"A": "CSR", "B": "COO", "C": "CSR"},
     "data": {"A": "s:0.1", "B": "s:0.1"}, "sizes": {"i": "20", "j": "20"}},
]
VIEWS = ["plan", "compare", "loops", "graph", "lattice", "formats", "cin", "c", "assembly", "time", "spy"]


def check_page(server):
    """The page is small, and fetches nothing from elsewhere."""
    begin = time.perf_counter()
    size = 0
    for path, kind in [("/", "text/html"), ("/page.css", "text/css"), ("/page.js", "text/javascript")]:
        status, headers, body = server.ask("GET", path)
        assert status == 200 and headers["Content-Type"] == kind + "; charset=utf-8", (path, headers)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy, policy
        assert headers["X-Content-Type-Options"] == "nosniff" and "Access-Control-Allow-Origin" not in headers
        text = body.decode()
        for what in ("http:", "https:", "//cdn", "@import", "url(", "eval("):
            assert what not in text, f"{path} has {what}"
        size += len(body)
    assert size <= 200_000, size
    assert time.perf_counter() - begin < 0.3
    document.parse(server.ask("GET", "/")[2].decode())
    status, headers, body = server.ask("HEAD", "/")
    assert status == 200 and body == b"" and int(headers["Content-Length"]) > 0


def check_who_may_ask(server):
    port, body = server.port, json.dumps({"view": "plan", **SPMV}).encode()
    json_type = {"Content_Type": "application/json"}
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", "", None,
                 f"127.0.0.1:{port}.evil.example", f"[::1]:{port}"):
        assert server.ask("GET", "/", Host=host)[0] == 403, host
        assert server.ask("POST", "/view", body, Host=host, **json_type)[0] == 403, host
    for origin in ("http://evil.example", "null", "https://127.0.0.1", f"https://127.0.0.1:{port}",
                   f"http://127.0.0.1:{port}.evil.example", "file://"):
        assert server.ask("POST", "/view", body, Origin=origin, **json_type)[0] == 403, origin
    for host in (f"127.0.0.1:{port}", f"localhost:{port}"):
        assert server.ask("POST", "/view", body, Host=host, Origin="http://" + host, **json_type)[0] == 200
    # What a form of another site can send is no JSON.
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None):
        assert server.ask("POST", "/view", body, Content_Type=kind)[0] == 415, kind


def check_loopback_alone(server):
    """It listens on 127.0.0.1, and on no other address of the machine."""
    listening = [line.split()[1] for name in ("tcp", "tcp6") if os.path.exists(f"/proc/net/{name}")
                 for line in pathlib.Path(f"/proc/net/{name}").read_text().splitlines()[1:]
                 if line.split()[3] == "0A" and line.split()[1].endswith(f":{server.port:04X}")]
    assert listening == [f"0100007F:{server.port:04X}"], listening


def check_paths(server):
    for target in ("/../../etc/passwd", "/%2e%2e/etc/passwd", "/page.css/..", "//etc/passwd", "/m.mtx", "/view2",
                   "/.git/config"):
        assert server.ask("GET", target)[0] == 404, target
    assert server.ask("GET", "/view")[0] == 405
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE"):
        assert server.ask(method, "/", b"")[0] == 405, method


def raw(server, data, wait=10):
    """What comes back for bytes that are sent as they are."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=wait) as connection:
        try:
            connection.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass
        got = b""
        try:
            while more := connection.recv(65536):
                got += more
        except (ConnectionResetError, TimeoutError):
            pass
        return got


def check_malformed(server):
    host = f"Host: 127.0.0.1:{server.port}\r\n".encode()
    for data, status in [
        (b"nonsense\r\n\r\n", 400),
        (b"GET /\r\n\r\n", 400),
        (b"GET / HTTP/2\r\n" + host + b"\r\n", 505),
        (b"GET http://evil/ HTTP/1.1\r\n" + host + b"\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + host + host + b"\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + host + b"no header\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + host + b"A B: c\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + host + b" folded: c\r\n\r\n", 400),
        (b"POST /view HTTP/1.1\r\n" + host + b"\r\n", 411),
        (b"POST /view HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
        (b"POST /view HTTP/1.1\r\n" + host + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", 400),
        (b"POST /view HTTP/1.1\r\n" + host + b"Content-Length: -1\r\n\r\n", 400),
        (b"POST /view HTTP/1.1\r\n" + host + b"Content-Length: 99999999999999999999\r\n\r\n", 413),
        (b"POST /view HTTP/1.1\r\n" + host + b"Content-Length: 65537\r\n\r\n" + b"x" * 65537, 413),
        (b"GET / HTTP/1.1\r\nA: " + b"x" * 20000, 431),
        (b"GET / HTTP/1.1\r\n" + host + b"A: " + b"x" * 20000 + b"\r\n\r\n", 431),
        (bytes(range(256)) * 100, 431),
    ]:
        got = raw(server, data)
        assert got.startswith(f"HTTP/1.1 {status} ".encode()), (data[:60], got[:60])
    # A request that does not come holds up nobody, nor do many of them.
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
    idle[0].sendall(b"GET / HT")
    assert server.ask("GET", "/")[0] == 200
    for one in idle:
        one.close()


def check_views(server):
    for request in STATEMENTS:
        for view in VIEWS:
            answer = server.view({"view": view, **request})
            assert answer["ok"], (view, request, answer["log"])
            root = document.parse(answer["html"])
            for element in root.all():
                assert element.tag not in ("script", "style", "iframe", "link")
                source = element.attributes.get("src", "data:image/png;base64,")
                assert source.startswith("data:image/png;base64,"), source
    plan = server.view({"view": "plan", **STATEMENTS[1]})["html"]
    assert "chosen" in plan and "cannot run" in plan and "steps" in plan
    # Other formats of an operand, the one that is given among them, by their steps.
    compared = document.parse(server.view({"view": "compare", **SPMV})["html"])
    (table,) = compared.all("table", "ways")
    rows = [[cell.text() for cell in row.all("td")] for row in table.all("tr")][1:]
    assert len(rows) > 10 and {"CSR", "CSC", "COO", "Dense"} <= {row[0] for row in rows}, rows
    (present,) = table.all("tr", "chosen")
    assert present.text().startswith("CSR")
    scheduled = server.view({"view": "loops", **STATEMENTS[1], "schedule": "reorder(i,k,j)"})
    assert scheduled["ok"] and "reorder" in scheduled["html"]
    # The numbers of the table: a program measures, so that times are of this run.
    assert "median" in server.view({"view": "time", **SPMV})["html"]


def check_mistakes(server):
    """A mistake is told at its place in the text that has it."""
    answer = server.view({"view": "plan", "statement": "y(i) = A(i,j) *\n  x(j", "formats": {"A": "CSR"}})
    assert not answer["ok"] and answer["log"]
    assert [(one["source"], one["line"]) for one in answer["messages"]] == [("statement", 2)], answer
    answer = server.view({"view": "plan", **SPMV, "schedule": "reorder(i,q)"})
    assert not answer["ok"] and answer["messages"][0]["source"] == "schedule", answer
    assert (answer["messages"][0]["line"], answer["messages"][0]["column"]) == (1, 1), answer
    answer = server.view({"view": "plan", **SPMV, "formats": {"A": "Nonsense"}})
    assert not answer["ok"] and "Nonsense" in answer["log"]
    answer = server.view({"view": "nothing", **SPMV})
    assert not answer["ok"] and "no view" in answer["log"]
    # What reads JSON calls itself for each level.
    answer = server.view(b'{"view":' + b"[" * 32000 + b"]" * 32000 + b"}")
    assert not answer["ok"] and "the request is malformed" in answer["log"], answer


def check_files(server, folder):
    assert server.view({"view": "files"})["files"] == ["m.mtx", "sub/n.mtx"]
    request = {**SPMV, "data": {"x": "d"}, "sizes": {}}
    for name in ("m.mtx", "sub/n.mtx", "sub/../m.mtx", "./m.mtx"):
        answer = server.view({"view": "time", **request, "files": {"A": name}})
        assert answer["ok"] and "m" in answer["html"], (name, answer)
    assert "3 × 3, 4 entries" in server.view({"view": "spy", **request, "files": {"A": "m.mtx"}})["html"]
    drawn = server.view({"view": "formats", **request, "files": {"A": "m.mtx"}})["html"]
    assert "0 2 3 4" in drawn, drawn  # the positions of the rows
    expected = server.view({"view": "plan", **request, "files": {"A": "m.mtx"}})
    assert expected["ok"] and "operations" in expected["html"], expected
    for name in ("../outside.mtx", str(folder.parent / "outside.mtx"), "link.mtx", "linked/outside.mtx", "/dev/zero",
                 "sub", ".", "", "missing.mtx", "m.mtx\0", "-", "../" + folder.name + "2/o.mtx"):
        for view in ("time", "spy", "formats", "plan", "graph"):
            answer = server.view({"view": view, **request, "files": {"A": name or "?"}})
            assert not answer["ok"] and "no file" in answer["log"] or "malformed" in answer["log"], (name, answer)


def check_hostile_text(server, folder):
    before = sorted(folder.parent.rglob("*"))
    hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&'
    for statement in ("-o=y:stolen.mtx", "--html=stolen.html", "-write-source=stolen.c", " -O=.", "@file", "$(id)",
                      "y(i) = read(\"/etc/passwd\")", "y(i) = A(i); write(\"stolen.mtx\", y)", hostile,
                      "y(i) = A(i) # " + hostile, "y(i) = A(i)\0-o=y:stolen", "y(i)\n=\nA(i)\n" * 50, "(" * 30000,
                      "y(i) = " + "(" * 20000 + "a(i)" + ")" * 20000, "y(i) = " + " + ".join(["a(i)"] * 400),
                      "y = " + "9" * 5000, "y(" + ",".join(f"i{n}" for n in range(500)) + ") = 1", "\u202e\ufffe\ud7ff"):
        for view in ("plan", "graph", "c", "time"):
            answer = server.view({"view": view, "statement": statement, "formats": {"A": "SparseVector"},
                                  "data": {"A": "s:0.1"}, "sizes": {"i": "10"}})
            for tag in document.parse(answer.get("html", "")).all():
                assert tag.tag not in ("script", "img") and not any(name.startswith("on") for name in tag.attributes)
    # A statement names no files itself: neither reads what it must not, nor tells of it.
    for file in ("/etc/passwd", str(folder.parent / "outside.mtx"), "m.mtx", str(folder / "m.mtx"), "-"):
        for call in ("read", "space_read"):
            answer = server.view({"view": "time", "statement": f'Y(i,j) = {call}("{file}")'})
            assert not answer["ok"] and "names no files" in answer["log"] and ":1:" not in answer["log"], answer
    for key, value in [("schedule", "reorder(i,j)) -o=y:stolen.mtx"), ("schedule", hostile), ("formats", {"A": hostile}),
                       ("formats", {"A -o=y": "CSR"}), ("formats", {"": "CSR"}), ("formats", ["CSR"]), ("formats", "CSR"),
                       ("formats", {"A": 5}), ("sizes", {"i": "-1"}), ("sizes", {"i": "9" * 40}), ("data", {"A": "x:9"}),
                       ("data", {"A": "s:7"}), ("types", {"A": hostile}), ("statement", 5), ("view", None)]:
        answer = server.view({"view": "plan", **SPMV, key: value})
        assert not answer["ok"], (key, value, answer)
    server.view({"view": "plan", **SPMV, "formats": {"A": "(i,j) -> (" + "i : dense, " * 60 + "j : compressed)"}})
    for body in (b"", b"null", b"[]", b"{", b'{"view": "plan"}', b"[" * 60000, b'{"a":' * 10000, b"\xff\xfe\x00", b"1e999",
                 b'{"view":"plan","statement":"' + b"\\u0000" * 1000 + b'"}'):
        assert not server.view(body)["ok"], body[:40]
    assert sorted(folder.parent.rglob("*")) == before, "a request has written a file"


def check_random_text(server):
    """Requests in which something was changed at random are answered, each as JSON."""
    draw = random.Random(11)
    letters = "ABCxyijk01()[]{}<>=+*-,;:.&|!\"'\\/ \n#\u00e9\u0000"
    for number in range(120):
        request = json.loads(json.dumps(draw.choice(STATEMENTS)))
        text = list(request["statement"])
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(len(text) + 1)
            text[at:at + draw.randint(0, 2)] = draw.choice(letters)
        request["statement"] = "".join(text)
        if draw.random() < 0.5:
            request["schedule"] = "".join(draw.choice(letters + "reorder(i,j)") for _ in range(draw.randint(1, 20)))
        answer = server.view({"view": VIEWS[number % 6], **request})
        assert answer["ok"] or answer["log"], (request, answer)
        assert "was ended" not in answer["log"], (request, answer)


def check_many_at_once(server):
    def one(number):
        request = STATEMENTS[number % len(STATEMENTS)]
        view = VIEWS[2 + number % 5]
        return server.view({"view": view, **request})["html"]

    alone = [one(number) for number in range(30)]
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        assert list(pool.map(one, range(30))) == alone


def has_landlock():
    """Asks the system for the version of its Landlock."""
    return ctypes.CDLL(None).syscall(444, None, 0, 1) >= 1


def check_limits(folder):
    large = {"statement": "C(i,j) = A(i,k) * B(k,j)", "formats": {"A": "CSR"}, "data": {"A": "d", "B": "d"},
             "sizes": {"i": "3000", "j": "3000", "k": "3000"}}
    with serving(folder, "--time-limit=2") as server:
        begin = time.perf_counter()
        answer = server.view({"view": "time", **large})
        assert not answer["ok"] and "more than 2 seconds" in answer["log"], answer["log"]
        assert time.perf_counter() - begin < 6 and not server.workers()
        # One that nobody waits for is ended.
        body = json.dumps({"view": "time", **large}).encode()
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(f"POST /view HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
                               f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
            for _ in range(100):
                if server.workers():
                    break
                time.sleep(0.01)
            # Where there is Landlock, it binds the worker, which says so by this.
            if server.workers() and has_landlock():
                status = pathlib.Path(f"/proc/{server.workers()[0]}/status").read_text()
                assert "NoNewPrivs:\t1" in status, status
        for _ in range(80):
            if not server.workers():
                break
            time.sleep(0.01)
        assert not server.workers()
        assert server.view({"view": "plan", **SPMV})["ok"]
    with serving(folder, "--max-memory=200M") as server:
        for size in ("20000", "200000", "3000000000"):
            answer = server.view({"view": "time", **large, "sizes": {"i": size, "j": size, "k": size}})
            assert not answer["ok"] and answer["log"], answer
        assert server.view({"view": "plan", **SPMV})["ok"]


def check_times(folder):
    """Where the machine was measured, orders and formats are compared by time."""
    measured = pathlib.Path(__file__).resolve().parents[1] / "tools" / "inputs" / "machine.json"
    with serving(folder, STRATA_MACHINE=str(measured)) as server:
        for view, kind in (("plan", "orders"), ("compare", "ways")):
            (table,) = document.parse(server.view({"view": view, **STATEMENTS[1]})["html"]).all("table", kind)
            heads = [head.text() for head in table.all("th")]
            assert "time" in heads, heads
            rows = [[cell.text() for cell in row.all("td")] for row in table.all("tr")][1:]
            units = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
            texts = [row[heads.index("time")].split() for row in rows if row[heads.index("time")]]
            times = [float(number) * units[unit] for number, unit in texts]
            assert len(times) > 1 and all(time > 0 for time in times), rows
            # In order, but for the one that was chosen.
            assert times[1:] == sorted(times[1:]) or times == sorted(times), times


def check_ends(folder):
    for how in (signal.SIGINT, signal.SIGTERM):
        server = Server(folder)
        body = json.dumps({"view": "time", "statement": "C(i,j) = A(i,k) * B(k,j)", "data": {"A": "d", "B": "d"},
                           "sizes": {"i": "3000", "j": "3000", "k": "3000"}}).encode()
        connection = socket.create_connection(("127.0.0.1", server.port))
        connection.sendall(f"POST /view HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
                           f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        for _ in range(100):
            workers = server.workers()
            if workers:
                break
            time.sleep(0.01)
        begin = time.perf_counter()
        assert server.end(how) == 0 and time.perf_counter() - begin < 3
        assert workers and not any(os.path.exists(f"/proc/{pid}") for pid in workers)
        connection.close()
    # A port that is taken, and a folder that is none.
    with serving(folder) as server:
        taken = subprocess.run([TOOL, "serve", f"--port={server.port}", str(folder)], stderr=subprocess.PIPE, text=True)
        assert taken.returncode == 1 and "cannot listen" in taken.stderr, taken.stderr
        for arguments in (["--port=70000"], ["--port=x"], ["a", "b"]):
            wrong = subprocess.run([TOOL, "serve", *arguments], stderr=subprocess.PIPE, text=True)
            assert wrong.returncode != 0 and "error" in wrong.stderr, arguments
        none = subprocess.run([TOOL, "serve", str(folder / "m.mtx")], stderr=subprocess.PIPE, text=True)
        assert none.returncode == 1 and "is no folder" in none.stderr


with tempfile.TemporaryDirectory() as name:
    here = pathlib.Path(name).resolve() / "served"
    (here / "sub").mkdir(parents=True)
    (here.parent / "served2").mkdir()
    for file in ("m.mtx", "sub/n.mtx", "../outside.mtx", "../served2/o.mtx"):
        (here / file).write_text(MATRIX)
    (here / "link.mtx").symlink_to(here.parent / "outside.mtx")
    (here / "linked").symlink_to(here.parent)
    (here / "notes.txt").write_text("no tensor\n")
    with serving(here, "--time-limit=60") as running:
        check_page(running)
        check_who_may_ask(running)
        check_loopback_alone(running)
        check_paths(running)
        check_malformed(running)
        check_views(running)
        check_mistakes(running)
        check_files(running, here)
        check_hostile_text(running, here)
        check_random_text(running)
        check_many_at_once(running)
    check_limits(here)
    check_times(here)
    check_ends(here)
print("the server keeps its contract")
sys.exit(0)
