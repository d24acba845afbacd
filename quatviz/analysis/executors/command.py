"""Running of quatviz commands in a subprocess that uses the same display. Compiling the kernels of a command
in this process would block the window."""

import os
import queue
import signal
import subprocess
import threading
from collections.abc import Collection, Sequence
from pathlib import Path

from quatviz.base.child_processes import module_command
from quatviz.base.errors import InputError, phrase
from quatviz.simulation.simulation import Progress

_POLL_INTERVAL = 0.1
"""Time between two checks for cancellation while the process prints nothing [s]."""
_INTERRUPT_TIMEOUT = 20.0
"""Time [s] within which an interrupted process must remove its unfinished files and end. It may first have to finish
compiling a kernel."""


def run_command(
    command: Sequence[str],
    path: Path,
    expected: str,
    progress: Progress,
    accepted_statuses: Collection[int] = (0,),
) -> list[str]:
    """Run a `quatviz` command and return the lines that it printed.

    Parameters
    ----------
    command
        Name and arguments of the command.
    path
        Path that an error message names.
    expected
        Expected result, for the error message.
    progress
        Called with the completed fraction (0 to 1). An exception that it raises ends the command.
    accepted_statuses
        Exit statuses of a command that did its work.

    Returns
    -------
    list of str
        Printed lines, without those that report progress.

    Raises
    ------
    InputError
        If the command fails.
    """
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
        process.send_signal(signal.SIGINT)  # The command removes its unfinished files.
        try:
            process.wait(_INTERRUPT_TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        raise
    if process.wait() not in accepted_statuses:
        raise InputError(
            str(path),
            expected=expected,
            found=" ".join(output[-4:]) or phrase("exit status {returncode}", returncode=process.returncode),
            remedy=phrase(
                "choose another folder, or run {command} in a terminal, which prints more details",
                command=" ".join(("quatviz", command[0])),
            ),
            topic="errors#exports",
        )
    return output


def _read_output(process: "subprocess.Popen[str]", progress: Progress) -> list[str]:
    """Return all lines that the process prints, without those that report progress."""
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
