"""Trials of readers with many invalid inputs, in a child process with limits on time and memory.

If the child dies, the input is reported, and a new child continues with the next input.
"""

import faulthandler
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from random import Random
from types import FrameType

SECONDS = 5.0
"""Limit of processor time for one input [s]. Readers normally need far less than one second."""
HANG_TIMEOUT = 60
"""Elapsed time [s] after which a child is killed that does not react to its timer."""
MEMORY = 1_500_000_000
"""Memory [bytes] that reading may use in addition to the memory of the child at its start."""
MAX_FAULTS = 20
"""Number of faults after which a reader is not tried further."""


class TooSlow(BaseException):
    """Raised if an input takes too long. It is no `Exception`, so that readers do not catch it."""


@dataclass(frozen=True)
class TrialResult:
    """Numbers of read and refused inputs, and one sentence for each fault."""

    accepted: int = 0
    refused: int = 0
    faults: tuple[str, ...] = field(default=())

    def __add__(self, other: "TrialResult") -> "TrialResult":
        return TrialResult(
            self.accepted + other.accepted, self.refused + other.refused, self.faults + other.faults
        )


def try_readers(counts: Mapping[str, int], seed: int, keep: Path, first: int = 0) -> dict[str, TrialResult]:
    """Try each reader with its number of inputs, in one child process.

    Parameters
    ----------
    counts
        Number of inputs by name of the reader.
    seed
        Seed of the inputs. An input depends only on its reader, the seed and its number.
    keep
        Folder for inputs that are neither read nor refused.
    first
        Number of the first input.
    """
    inputs = [(name, number) for name, count in counts.items() for number in range(first, first + count)]
    totals, at = {name: TrialResult() for name in counts}, 0
    keep.mkdir(parents=True, exist_ok=True)
    while at < len(inputs):
        names = [name for name in counts if len(totals[name].faults) < MAX_FAULTS]
        inputs = inputs[:at] + [item for item in inputs[at:] if item[0] in names]
        command = [sys.executable, __file__, str(seed), str(keep)]
        child_input = "".join(f"{name} {number}\n" for name, number in inputs[at:])
        process = subprocess.run(
            command, input=child_input, capture_output=True, text=True, errors="replace", check=False
        )
        for (name, _), outcome in zip(inputs[at:], _parse_results(process), strict=False):
            totals[name] += outcome
            at += 1
        if process.returncode != 0 and at < len(inputs):
            name, number = inputs[at]
            error_text = process.stderr.strip()[-1500:] or "no message"
            fault = f"input {name} {seed}-{number} ends the process ({process.returncode}): {error_text}"
            totals[name] += TrialResult(faults=(fault,))
            at += 1
    return totals


def _parse_results(process: subprocess.CompletedProcess[str]) -> Iterator[TrialResult]:
    """Return the results that a child process reported until it ended."""
    if not process.stdout:
        raise RuntimeError(f"the child did not begin: {process.stderr}")
    for line in process.stdout.splitlines()[1:]:
        record = json.loads(line)
        yield TrialResult(record["accepted"], record["refused"], tuple(record["faults"]))


def _run_child(inputs: Iterable[tuple[str, int]], seed: int, keep: Path) -> None:
    from readers import readers

    with tempfile.TemporaryDirectory(prefix="quatviz-fuzz-") as folder:
        trials = [
            (name, _inputs(name, seed, [number for _, number in several], Path(folder)))
            for name, several in groupby(inputs, key=lambda item: item[0])
        ]
        print(flush=True)
        _limit_memory()
        for name, several in trials:
            for number, data in several:
                path = keep / f"{name.replace('.', '-')}-{seed}-{number}{readers()[name].suffix}"
                fault, accepted = _try_input(name, path, data)
                record = {"accepted": int(accepted), "refused": int(not accepted and not fault)}
                print(
                    json.dumps({**record, "faults": [f"{path.name}: {fault}"] if fault else []}), flush=True
                )


def _inputs(name: str, seed: int, numbers: Iterable[int], folder: Path) -> Iterator[tuple[int, bytes]]:
    from mutation import binary_from, text_from
    from readers import readers

    reader = readers()[name]
    seeds = reader.seeds(folder)
    # Libraries start threads and allocate memory when they are first used. This must not count for an input.
    for seed_bytes in (seeds[0], seeds[-1]):
        first = folder / f"first{reader.suffix}"
        first.write_bytes(seed_bytes)
        _read(name, first)
    make = text_from if reader.text else binary_from
    return ((number, make(Random(f"{name} {seed} {number}"), seeds)) for number in numbers)


def _try_input(name: str, path: Path, data: bytes) -> tuple[str, bool]:
    """Return the fault of an input, or "", and True if the input was accepted. The file of an input with a fault is kept, also if
    reading it ends the process."""
    path.write_bytes(data)
    faulthandler.dump_traceback_later(HANG_TIMEOUT, exit=True)
    fault, accepted = _read(name, path)
    faulthandler.cancel_dump_traceback_later()
    if not fault:
        path.unlink()
    return fault, accepted


def try_file(name: str, path: Path) -> str:
    """Read a file in this process and return the fault, or ""."""
    return _read(name, path)[0]


def _read(name: str, path: Path) -> tuple[str, bool]:
    """Read a file and return the fault, or "", and whether the file was accepted."""
    from readers import readers

    reader = readers()[name]

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {SECONDS} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        reader.read(path)
    except reader.refusals as refusal:
        return "" if str(refusal).strip() else "it is refused without a message", False
    except (Exception, TooSlow) as error:
        return "".join(traceback.format_exception(error, limit=-6)), False
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return "", True


def _limit_memory() -> None:
    """Limit the memory of this process."""
    now = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))


if __name__ == "__main__":
    warnings.simplefilter("error")
    faulthandler.enable()
    sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "support")]
    requests = [line.split() for line in sys.stdin]
    _run_child([(name, int(number)) for name, number in requests], int(sys.argv[1]), Path(sys.argv[2]))
