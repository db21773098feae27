"""A browser of a test: Chromium without a window, driven by its DevTools protocol."""
import base64
import contextlib
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.parse

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


def find():
    """The program; none if there is none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class _WebSocket:
    """A client of RFC 6455, as much of it as the protocol asks for."""

    def __init__(self, address):
        parts = urllib.parse.urlsplit(address)
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\n"
                            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self.bytes += self.socket.recv(4096)
        self.bytes = self.bytes.split(b"\r\n\r\n", 1)[1]

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = (struct.pack("!B", 0x80 | len(data)) if len(data) < 126
                else struct.pack("!BH", 0x80 | 126, len(data)) if len(data) < 65536
                else struct.pack("!BQ", 0x80 | 127, len(data)))
        self.socket.sendall(b"\x81" + size + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)))

    def _take(self, count):
        while len(self.bytes) < count:
            more = self.socket.recv(65536)
            if not more:
                raise EOFError("the browser has gone")
            self.bytes += more
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def receive(self):
        text = b""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack("!H", self._take(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", self._take(8))
            text += self._take(size)
            if first & 0x80:
                return text.decode()


class Page:
    """A page that is open, what it has fetched, and what its script has complained of."""

    def __init__(self, address):
        self.web = _WebSocket(address)
        self.number = 0
        self.fetched, self.complaints = [], []
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def call(self, method, **parameters):
        self.number += 1
        self.web.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.web.receive())
            if message.get("id") == self.number:
                assert "error" not in message, (method, message["error"])
                return message["result"]
            self._note(message)

    def _note(self, message):
        kind, what = message.get("method"), message.get("params", {})
        if kind == "Network.requestWillBeSent":
            self.fetched.append(what["request"]["url"])
        elif kind == "Runtime.exceptionThrown":
            self.complaints.append(what["exceptionDetails"].get("exception", {}).get("description", "?"))
        elif kind == "Log.entryAdded" and what["entry"]["level"] == "error":
            self.complaints.append(what["entry"]["text"])

    def value(self, expression):
        """What an expression of JavaScript is worth in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, (expression, result["exceptionDetails"])
        return result["result"].get("value")

    def until(self, expression, seconds=20):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while not (found := self.value(expression)):
            assert time.monotonic() < end, f"never true: {expression}\n" + str(self.value("document.body.innerText"))[:1500]
            time.sleep(0.02)
        return found

    def open(self, address):
        self.call("Page.navigate", url=address)

    def size(self, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def click(self, selector):
        """Presses the mouse in the middle of an element, which lies in the window."""
        box = self.value(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: "nearest"}}); const r = e.getBoundingClientRect();
            return [r.left + r.width / 2, r.top + r.height / 2, r.width, r.height]; }})()""")
        assert box[2] > 0 and box[3] > 0, selector
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def type(self, selector, text):
        """Replaces what a field holds by typing."""
        self.click(selector)
        self.value(f"document.querySelector({json.dumps(selector)}).select()")
        if text:
            self.call("Input.insertText", text=text)
        else:
            self.press("Delete")

    def press(self, key, code=None, modifiers=0):
        """Presses a key: Alt is 1, Ctrl 2, Shift 8."""
        numbers = {"Enter": 13, "Delete": 46, "Escape": 27, "ArrowRight": 39, "ArrowLeft": 37}
        known = numbers.get(key, ord(key.upper()) if len(key) == 1 else 0)
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, modifiers=modifiers,
                      windowsVirtualKeyCode=known)

    def picture(self, file):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))


@contextlib.contextmanager
def opened():
    """A page of a browser of its own, which is ended afterwards."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
             "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            for line in process.stderr:
                if line.startswith("DevTools listening on "):
                    port = urllib.parse.urlsplit(line.split()[-1]).port
                    break
            else:
                raise RuntimeError("the browser does not start")
            import http.client
            for _ in range(100):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
                connection.request("GET", "/json/list")
                pages = [one for one in json.loads(connection.getresponse().read()) if one["type"] == "page"]
                connection.close()
                if pages:
                    break
                time.sleep(0.05)
            yield Page(pages[0]["webSocketDebuggerUrl"])
        finally:
            process.kill()
            process.wait()
