"""A command of quatviz in a process of its own, with the display of this one: kernels that may have to be compiled would hold up
a window in this one."""

import os
import queue
import signal
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

from quatviz.base.child_processes import module_command
from quatviz.base.errors import InputError, phrase
from quatviz.simulation.simulation import Progress

_POLL_INTERVAL = 0.1
"""How long a process may say nothing before somebody looks whether it is to be cancelled [s]."""
_INTERRUPT_TIMEOUT = 20.0
"""How long it has to take away what it was writing [s]: a kernel is compiled to its end."""


def run_command(command: Sequence[str], path: Path, expected: str, progress: Progress) -> list[str]:
    """Run `quatviz` with these words. `progress` hears of the share that it tells, and ends it by raising; what else it said. An
    `InputError` about `path`, that something else was `expected`, where it failed."""
    process = subprocess.Popen(
        module_command("quatviz", *command, "--progress"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        output = _read_output(process, progress)
    except BaseException:
        process.send_signal(signal.SIGINT)  # it takes away what it was writing
        try:
            process.wait(_INTERRUPT_TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        raise
    if process.wait() != 0:
        raise InputError(
            str(path),
            expected=expected,
            found=" ".join(output[-4:]) or phrase("the status {returncode}", returncode=process.returncode),
            remedy=phrase(
                "another folder, or {command} in a terminal, which says more",
                command=" ".join(("quatviz", command[0])),
            ),
            topic="errors#exports",
        )
    return output


def _read_output(process: "subprocess.Popen[str]", progress: Progress) -> list[str]:
    """All lines of a process to its end, but for those that tell how far it is."""
    lines: queue.Queue[str] = queue.Queue()

    def read_lines() -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                lines.put(line.strip())

    reader = threading.Thread(target=read_lines, name="quatviz-command", daemon=True)
    reader.start()
    output: list[str] = []
    fraction = 0.0
    while reader.is_alive() or not lines.empty():
        try:
            line = lines.get(timeout=_POLL_INTERVAL)
        except queue.Empty:
            line = ""
        done, slash, total = line.partition("/")
        if slash and done.isdigit() and total.isdigit():
            fraction = int(done) / int(total)
        elif line:
            output.append(line)
        progress(fraction)
    return output
