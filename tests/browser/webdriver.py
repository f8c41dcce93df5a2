"""As much of the W3C WebDriver protocol as the tests need, and a headless Chromium."""

import json
import re
import shutil
import subprocess
import tempfile
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--window-size=1300,1000"]


def start_driver(chromedriver, attempts=5):
    """The process and its port. It takes a free port of IPv4, and ends if something else has the
    same one of IPv6, such as another driver that starts at the same time."""
    for _ in range(attempts):
        driver = subprocess.Popen(
            [chromedriver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)
        for line in driver.stdout:
            started = re.search(r"started successfully on port (\d+)", line)
            if started:
                return driver, started[1]
        driver.wait()
    raise RuntimeError("chromedriver has ended")


class Browser:
    """Chromium with a user data directory of its own; a context manager."""

    def __init__(self, chromedriver, deadline_seconds=60):
        self._deadline = deadline_seconds
        self._profile = tempfile.mkdtemp(prefix="mqinspect-browser-")
        self._driver, port = start_driver(chromedriver)
        self._base = f"http://127.0.0.1:{port}"
        capabilities = {"alwaysMatch": {
            "goog:chromeOptions": {"args": [*FLAGS, f"--user-data-dir={self._profile}"]},
            "goog:loggingPrefs": {"browser": "ALL"}}}
        session = self._call("POST", "/session", {"capabilities": capabilities})
        self._base += f"/session/{session['sessionId']}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._call("DELETE", "")
        finally:
            self._driver.terminate()
            self._driver.wait()
            shutil.rmtree(self._profile, ignore_errors=True)

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self._base + path, data, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=self._deadline) as answer:
            return json.load(answer)["value"]

    def open(self, path):
        self._call("POST", "/url", {"url": path.as_uri()})

    def console(self):
        """What the page has logged since it was asked last: errors, refused loads."""
        return self._call("POST", "/se/log", {"type": "browser"})

    def run(self, script, *arguments):
        """The value that the body of a function returns."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        return self._call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self._call("POST", f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        self._call("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def press(self, *keys):
        """Keys for what has the focus."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._call("POST", "/actions", {"actions": [
            {"type": "key", "id": "keyboard", "actions": actions}]})

    def emulate(self, **features):
        """Media features such as prefers_color_scheme="dark"."""
        named = [{"name": name.replace("_", "-"), "value": value}
                 for name, value in features.items()]
        self._call("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setEmulatedMedia", "params": {"features": named}})

    def print(self):
        """The page as it prints: PDF in base64."""
        return self._call("POST", "/print", {})
