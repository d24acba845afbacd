"""Readers tried with many wrong inputs in a child with limits; a child that dies is followed by another, one input further on."""

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
"""Of the processor, for one input: readers answer in far less than one."""
HANG_TIMEOUT = 60
"""Seconds by the clock after which a child that does not even hear its alarm is ended."""
MEMORY = 1_500_000_000
"""Bytes that reading may take beyond what the child has when it begins."""
MAX_FAULTS = 20
"""Of one reader in one go."""


class TooSlow(BaseException):
    """An input that takes too long; no reader that catches every exception keeps it to itself."""


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
    """Read so many inputs of each of these readers, from number `first` on, one reader after the other in one child; inputs
    that are not simply read or refused are kept in the folder `keep`."""
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
            error_text = process.stderr.strip()[-1500:] or "nothing was said"
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
    # What libraries take for themselves at the first reading, threads and all, is not held against an input.
    for seed_bytes in (seeds[0], seeds[-1]):
        first = folder / f"first{reader.suffix}"
        first.write_bytes(seed_bytes)
        _read(name, first)
    make = text_from if reader.text else binary_from
    return ((number, make(Random(f"{name} {seed} {number}"), seeds)) for number in numbers)


def _try_input(name: str, path: Path, data: bytes) -> tuple[str, bool]:
    """What is wrong with reading an input, if anything is, and whether it was accepted; its file stays where something is, even
    where reading it kills the process: the system has it then, on the disk or not yet."""
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
        raise TooSlow(f"more than {SECONDS} s of the processor")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        reader.read(path)
    except reader.refusals as refusal:
        return "" if str(refusal).strip() else "it is refused without a word", False
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
