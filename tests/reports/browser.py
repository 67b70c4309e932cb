"""A headless Chromium that is spoken to in the DevTools protocol, through a pair of pipes."""

import base64
import fcntl
import json
import os
import shutil
import subprocess
import time

EXECUTABLE = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    None,
)
OPTIONS = (
    "--headless=new", "--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-extensions",
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip
PATIENCE = 60  # seconds for one answer


class Browser:
    """One page at a time; `requests` and `complaints` hold what the page asked of the network and wrote to the console.

    Parameters
    ----------
    folder : Path
        Where the browser may leave its files.
    """

    def __init__(self, folder):
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()

        def connect():
            """The browser reads from descriptor 3 and writes to 4."""
            ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_browser, from_browser)]
            for descriptor, end in zip((3, 4), ends, strict=True):
                os.dup2(end, descriptor)

        self._process = subprocess.Popen(
            [str(EXECUTABLE), *OPTIONS, f"--user-data-dir={folder / 'profile'}", "about:blank"],
            preexec_fn=connect,
            pass_fds=(3, 4),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(folder)},
        )
        os.close(to_browser)
        os.close(from_browser)
        os.set_blocking(self._in, False)
        self._received, self._number, self._session = b"", 0, None
        self.requests, self.complaints, self._events = [], [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        self._process.terminate()
        self._process.wait(PATIENCE)
        os.close(self._in)
        os.close(self._out)

    def call(self, method, **parameters):
        """Send a command, and return its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]

    def _next(self):
        """The next message; events among them are kept."""
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._received:
            assert time.monotonic() < end, "the browser does not answer"
            try:
                received = os.read(self._in, 1 << 20)
                assert received, "the browser has ended"
                self._received += received
            except BlockingIOError:
                time.sleep(0.002)
        text, _, self._received = self._received.partition(b"\0")
        message = json.loads(text)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, event, parameters):
        if event == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", details).get("description", str(details)))
        elif event == "Runtime.consoleAPICalled":
            self.complaints.append(str([one.get("value") for one in parameters["args"]]))
        elif event == "Log.entryAdded":
            self.complaints.append(parameters["entry"]["text"])
        elif event:
            self._events.append(event)

    def open(self, path, width=900, height=1000, scheme="light", scale=1, touch=False):
        """Open a file in a window of a size [pixel], without a network."""
        self.requests, self.complaints, self._events = [], [], []
        self.call(
            "Network.emulateNetworkConditions",
            offline=True,
            latency=0,
            downloadThroughput=0,
            uploadThroughput=0,
        )
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=touch,
        )
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=path.as_uri())
        while "Page.loadEventFired" not in self._events:
            self._next()

    def value(self, expression):
        """Value of a JavaScript expression, or of the promise that it is."""
        done = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def drawn(self):
        """Wait until what is to be drawn has been."""
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def picture(self, selector):
        """PNG of an element, as it is on the screen."""
        self.drawn()
        box = self.value(
            f"(({{x, y, width, height}}) => ({{x: x + scrollX, y: y + scrollY, width, height, scale: 1}}))"
            f"(document.querySelector('{selector}').getBoundingClientRect())"
        )
        shot = self.call("Page.captureScreenshot", clip=box, captureBeyondViewport=True)
        return base64.b64decode(shot["data"])

    def middle(self, selector):
        """Where the middle of an element is in the window, into which it is scrolled."""
        return self.value(
            f"(() => {{ const e = document.querySelector('{selector}'); e.scrollIntoView({{block: 'center'}});"
            "const {x, y, width, height} = e.getBoundingClientRect(); return [x + width / 2, y + height / 2]; })()"
        )

    def mouse(self, kind, x, y, button="left"):
        pressed = {"left": 1, "right": 2}[button]
        self.call(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=pressed, clickCount=1
        )

    def click(self, selector):
        x, y = self.middle(selector)
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)

    def drag(self, selector, dx, dy, button="left"):
        """Drag from the middle of an element."""
        x, y = self.middle(selector)
        self.mouse("mousePressed", x, y, button)
        for part in (0.25, 0.5, 0.75, 1.0):
            self.mouse("mouseMoved", x + part * dx, y + part * dy, button)
        self.mouse("mouseReleased", x + dx, y + dy, button)

    def wheel(self, selector, delta):
        x, y = self.middle(selector)
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=delta)

    def press(self, key, code=0, text="", shift=False):
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)
