"""A command of quatviz in a process of its own, with the display of this one: kernels that may have to be compiled would hold up
a window in this one."""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from quatviz.base.errors import InputError, phrase
from quatviz.simulation.simulation import Progress

_LOOK = 0.1
"""How long a process may say nothing before somebody looks whether it is to be cancelled [s]."""
_GRACE = 20.0
"""How long it has to take away what it was writing [s]: a kernel is compiled to its end."""


def run_command(command: Sequence[str], place: Path, wanted: str, progress: Progress) -> list[str]:
    """Run `quatviz` with these words. `progress` hears of the share that it tells, and ends it by raising; what else it said. An
    `InputError` about `place`, that something else was `wanted`, where it failed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "quatviz", *command, "--progress"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        said = _said_by(process, progress)
    except BaseException:
        process.send_signal(signal.SIGINT)  # it takes away what it was writing
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        raise
    if process.wait() != 0:
        raise InputError(
            str(place),
            expected=wanted,
            found=" ".join(said[-4:]) or phrase("the status {returncode}", returncode=process.returncode),
            remedy=phrase(
                "another folder, or {command} in a terminal, which says more",
                command=" ".join(("quatviz", command[0])),
            ),
            topic="errors#exports",
        )
    return said


def _said_by(process: "subprocess.Popen[str]", progress: Progress) -> list[str]:
    """All lines of a process to its end, but for those that tell how far it is."""
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                lines.put(line.strip())

    reader = threading.Thread(target=read, name="quatviz-command", daemon=True)
    reader.start()
    said: list[str] = []
    share = 0.0
    while reader.is_alive() or not lines.empty():
        try:
            line = lines.get(timeout=_LOOK)
        except queue.Empty:
            line = ""
        done, slash, total = line.partition("/")
        if slash and done.isdigit() and total.isdigit():
            share = int(done) / int(total)
        elif line:
            said.append(line)
        progress(share)
    return said
