"""Debian's chromium without a window, driven over its debugging pipe; nothing else is needed."""

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import time

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--disable-dev-shm-usage", "--remote-debugging-pipe",
)  # fmt: skip
PATIENCE = 60.0  # [s] for an answer of the browser


class Browser:
    """One page; what it logs and asks of a network is kept."""

    def __init__(self, folder, size=(1000, 700)):
        theirs, self._to = os.pipe()
        self._from, answer = os.pipe()

        def ends():
            low, high = os.dup(theirs), os.dup(answer)
            os.dup2(low, 3)
            os.dup2(high, 4)

        words = [CHROMIUM, *FLAGS, f"--user-data-dir={folder}", f"--window-size={size[0]},{size[1]}", "about:blank"]
        quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.process = subprocess.Popen(words, preexec_fn=ends, close_fds=False, **quiet)
        os.close(theirs)
        os.close(answer)
        self._number, self._kept, self.messages, self.asked, self._session = 0, b"", [], [], None
        targets = self.call("Target.getTargets")["targetInfos"]
        target = next(item["targetId"] for item in targets if item["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        """Answer of the browser to a command."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            found = self._next()
            if found.get("id") == self._number:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']}")
                return found["result"]

    def _next(self):
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._kept:
            if not select.select([self._from], [], [], max(0.0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self._from, 2**20)
            if not part:
                raise RuntimeError("the browser has ended")
            self._kept += part
        text, self._kept = self._kept.split(b"\0", 1)
        found = json.loads(text)
        method, told = found.get("method"), found.get("params", {})
        if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            self.messages.append(json.dumps(told)[:500])
        elif method == "Network.requestWillBeSent":
            self.asked.append(told["request"]["url"][:200])
        return found

    def open(self, path):
        """Open a file and wait until it says that it is ready; returns the seconds it took."""
        start = time.monotonic()
        self.call("Page.navigate", url=path.resolve().as_uri())
        while time.monotonic() - start < PATIENCE:
            if self.run("document.documentElement?.dataset.ready || ''"):
                return time.monotonic() - start
            time.sleep(0.05)
        raise TimeoutError(f"{path} is not ready")

    def run(self, script):
        """Value of an expression in the page, awaited."""
        found = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(json.dumps(found["exceptionDetails"])[:800])
        return found["result"].get("value")

    def size(self, width, height):
        """Size of the window [px]."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def processor_time(self):
        """Processor seconds of all processes of the browser so far."""
        kept, self._session = self._session, None
        found = self.call("SystemInfo.getProcessInfo")["processInfo"]
        self._session = kept
        return sum(one["cpuTime"] for one in found)

    def click(self, x, y):
        """Press and release the left button at a place of the window [px]."""
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, start, end):
        """Press at a place, move to another, release."""
        places = (("mousePressed", start), ("mouseMoved", end), ("mouseReleased", end))
        for kind, (x, y) in places:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def click_on(self, element):
        """Click the middle of an element, an expression of the page; it is scrolled into view."""
        script = f"""(() => {{ const e = {element}; e.scrollIntoView({{ block: 'center' }});
            const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"""
        self.click(*self.run(script))

    def key(self, name, code=0):
        """Press and release a key; code: its virtual key code."""
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code)

    def screenshot(self, path):
        """Write what is seen as PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def close(self):
        """End the browser."""
        with contextlib.suppress(OSError, RuntimeError, TimeoutError):
            self._session = None
            self.call("Browser.close")
        for end in (self._to, self._from):
            os.close(end)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
