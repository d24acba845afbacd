"""A headless Chromium that tests control through pipes with the DevTools protocol, without a driver."""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import image

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip


class Chromium:
    """A tab. `requests` are the requested addresses; `faults` are errors of the scripts of the page."""

    def __init__(self, process: subprocess.Popen[bytes], write_fd: int, read_fd: int) -> None:
        self._process, self._write_fd, self._read_fd = process, write_fd, read_fd
        self._number, self._buffer, self._session = 0, b"", ""
        self.requests: list[str] = []
        self.faults: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **arguments: Any) -> dict[str, Any]:
        """Send one command and wait for its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": arguments}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write_fd, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._number:
            self._handle_event(answer)
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def open(self, path: Path, width: int = 1280, height: int = 900, mobile: bool = False) -> None:
        """Load a file and wait until it has drawn itself."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=mobile,
        )
        self.call("Page.navigate", url=path.as_uri())
        self.wait("window.quatviz && document.readyState === 'complete'")

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait(self, expression: str, seconds: float = 300.0) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + seconds
        while not self.evaluate(f"Boolean({expression})"):
            assert time.monotonic() < end, f"never true: {expression}; {self.faults}"
            time.sleep(0.05)

    def click(self, selector: str, share: float = 0.5, modifiers: int = 0) -> None:
        """Press and release the mouse on an element, `share` of its width from its left."""
        self.evaluate(f"document.querySelector({selector!r}).scrollIntoView({{block: 'nearest'}})")
        box = self.evaluate(
            f"(({{left, top, width, height}}) => [left, top, width, height])"
            f"(document.querySelector({selector!r}).getBoundingClientRect())"
        )
        position = {"x": box[0] + share * box[2], "y": box[1] + 0.5 * box[3], "modifiers": modifiers}
        for event_type in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=event_type, button="left", clickCount=1, **position)

    def drag(self, selector: str, right: float, down: float) -> None:
        """Drag the mouse from the middle of an element."""
        box = self.evaluate(
            f"(({{left, top, width, height}}) => [left + width / 2, top + height / 2])"
            f"(document.querySelector({selector!r}).getBoundingClientRect())"
        )
        for event_type, share in (
            ("mousePressed", 0.0),
            ("mouseMoved", 0.5),
            ("mouseMoved", 1.0),
            ("mouseReleased", 1.0),
        ):
            self.call(
                "Input.dispatchMouseEvent", type=event_type, button="left", clickCount=1,
                x=box[0] + share * right, y=box[1] + share * down,
            )  # fmt: skip

    def press_key(self, key: str, code: str = "") -> None:
        """Press and release a key."""
        for event_type in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=event_type, key=key, code=code or key)

    def screenshot(self, path: Path, selector: str = "body") -> np.ndarray:
        """A screenshot of the part of the window where an element is, (height, width, 3), also as a PNG at `path`."""
        x, y, width, height = self.evaluate(
            f"(({{left, top, width, height}}) => [left, top, width, height])"
            f"(document.querySelector({selector!r}).getBoundingClientRect())"
        )
        clip = {"x": x, "y": max(y, 0), "width": width, "height": height, "scale": 1}
        # Requested changes are drawn after two frames.
        self.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"
        )
        shot = self.call(
            "Page.captureScreenshot", format="png", **({} if selector == "body" else {"clip": clip})
        )
        path.write_bytes(base64.b64decode(shot["data"]))
        return np.asarray(image.imread(path))[:, :, :3]

    def _read(self) -> dict[str, Any]:
        end = time.monotonic() + 300.0
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read_fd], [], [], max(0.0, end - time.monotonic()))
            assert ready, "Chromium does not answer"
            part = os.read(self._read_fd, 1 << 20)
            assert part, "Chromium has ended"
            self._buffer += part
        text, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message

    def _handle_event(self, message: dict[str, Any]) -> None:
        params, method = message.get("params", {}), message.get("method")
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.faults.append(str(params["exceptionDetails"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.faults.append(params["entry"]["text"])


def browser_path() -> str:
    """Return the executable named by QUATVIZ_CHROMIUM, or the first installed Chromium."""
    named = os.environ.get("QUATVIZ_CHROMIUM")
    executable = named or next((path for name in NAMES if (path := shutil.which(name))), None)
    assert executable, "no Chromium: install Debian's package chromium, or name one by QUATVIZ_CHROMIUM"
    return executable


@contextmanager
def chromium() -> Iterator[Chromium]:
    """Start a browser with an empty profile, and end all its processes at exit."""
    to_read, to_write = os.pipe()
    back_read, back_write = os.pipe()

    def in_child() -> None:
        os.dup2(os.dup(to_read), 3)
        os.dup2(os.dup(back_write), 4)

    with tempfile.TemporaryDirectory(prefix="quatviz-chromium-", ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [browser_path(), *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=in_child,  # the protocol's pipes are always the files 3 and 4
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_read)
        os.close(back_write)
        try:
            yield Chromium(process, to_write, back_read)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            os.close(to_write)
            os.close(back_read)
