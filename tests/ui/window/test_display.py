"""An X server that is missing or dies while Qt starts: a message and an exit status, no core dump."""

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path
from select import select

import pytest
from waiting import TIMEOUT_SECONDS

_FIRST_PORT = 6000
"""Number of bytes that the server sends to display 0 during startup."""
ROOT = Path(__file__).parents[3]
BEGIN = "from quatviz.app import make_application; make_application(); print('made')"


class Server:
    """Proxy in front of the X server of the tests that disconnects after a number of bytes."""

    def __init__(self, last: int) -> None:
        self._left = last
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.display = f"127.0.0.1:{self._socket.getsockname()[1] - _FIRST_PORT}"
        self._ends = [self._socket]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        behind = Path("/tmp/.X11-unix") / f"X{os.environ['DISPLAY'].partition(':')[2].partition('.')[0]}"
        other: dict[socket.socket, socket.socket] = {}
        servers = set()
        while self._left > 0:
            for connection in select([self._socket, *other], [], [])[0]:
                if connection is self._socket:
                    client, server = connection.accept()[0], socket.socket(socket.AF_UNIX)
                    server.connect(str(behind))
                    other.update({client: server, server: client})
                    servers.add(server)
                    continue
                if connection not in other:
                    continue
                data = connection.recv(1 << 16)
                self._left -= len(data) * (connection in servers)
                if self._left <= 0:
                    break
                if data:
                    other[connection].sendall(data)
                else:
                    for end in (other[connection], connection):
                        del other[end]
                        end.close()
        for end in (self._socket, *other):
            end.close()


def run_application(display: str) -> tuple[int, str]:
    """Return the exit status and output of a process that creates its application on this display."""
    environment = {**os.environ, "DISPLAY": display, "PYTHONPATH": str(ROOT)}
    environment.pop("WAYLAND_DISPLAY", None)
    done = subprocess.run(
        [sys.executable, "-c", BEGIN],
        env=environment,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("last", [1, 15_000, 25_000], ids=["at once", "at extensions", "at keys"])
def test_server_failing_during_qt_startup_is_reported(last: int) -> None:
    server = Server(last)
    status, output = run_application(server.display)
    assert status == 2, output
    lines = output.splitlines()
    assert lines[0] == "quatviz: this machine's display"
    assert [line.split()[0] for line in lines[1:]] == ["expected", "found", "try", "help"]
    assert server.display in lines[1]


def test_running_server_is_used_normally() -> None:
    assert run_application(Server(10**9).display) == (0, "made\n")
