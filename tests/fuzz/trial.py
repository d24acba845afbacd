"""A reader tried with many wrong inputs in a child with limits; a child that dies is followed by another, one input further on."""

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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType

SECONDS = 5.0
"""Of the processor, for one input: readers answer in far less than one."""
HANGS = 60
"""Seconds by the clock after which a child that does not even hear its alarm is ended."""
MEMORY = 1_500_000_000
"""Bytes that reading may take beyond what the child has when it begins."""
MOST_FAULTS = 20
"""Of one reader in one go."""


class TooSlow(BaseException):
    """An input that takes too long; no reader that catches every exception keeps it to itself."""


@dataclass(frozen=True)
class Outcome:
    """How many inputs were read and refused, and what went wrong, a sentence each."""

    accepted: int = 0
    refused: int = 0
    faults: tuple[str, ...] = field(default=())

    def __add__(self, other: "Outcome") -> "Outcome":
        return Outcome(
            self.accepted + other.accepted, self.refused + other.refused, self.faults + other.faults
        )


def try_reader(name: str, seed: int, numbers: range, keep: Path) -> Outcome:
    """Read inputs with these `numbers`; those that are not simply read or refused are kept in the folder `keep`."""
    total, at = Outcome(), numbers.start
    keep.mkdir(parents=True, exist_ok=True)
    while at < numbers.stop and len(total.faults) < MOST_FAULTS:
        words = [sys.executable, __file__, name, str(seed), str(at), str(numbers.stop), str(keep)]
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
        at, outcome = _heard(done, name, seed, at)
        total += outcome
    return total


def _heard(done: subprocess.CompletedProcess[str], name: str, seed: int, at: int) -> tuple[int, Outcome]:
    """What a child said, and where to go on."""
    if not done.stdout:
        raise RuntimeError(f"the child did not begin: {done.stderr}")
    total = Outcome()
    for line in done.stdout.splitlines()[1:]:
        said = json.loads(line)
        at = said["number"] + 1
        total += Outcome(said["accepted"], said["refused"], tuple(said["faults"]))
    if done.returncode == 0:
        return sys.maxsize, total
    words = done.stderr.strip()[-1500:] or "nothing was said"
    return at + 1, total + Outcome(
        faults=(f"input {seed}-{at} ends the process ({done.returncode}): {words}",)
    )


def _child(name: str, seed: int, numbers: range, keep: Path) -> None:
    from readers import readers

    reader = readers()[name]
    with tempfile.TemporaryDirectory(prefix="quatviz-fuzz-") as place:
        inputs = _inputs(name, seed, numbers, Path(place))
        print(flush=True)
        _limit()
        for number, data in inputs:
            path = keep / f"{name.replace('.', '-')}-{seed}-{number}{reader.suffix}"
            fault, accepted = _try(name, path, data)
            said = {"number": number, "accepted": int(accepted), "refused": int(not accepted and not fault)}
            print(json.dumps({**said, "faults": [f"{path.name}: {fault}"] if fault else []}), flush=True)


def _inputs(name: str, seed: int, numbers: Iterable[int], place: Path) -> Iterator[tuple[int, bytes]]:
    from mutation import binary_from, text_from
    from readers import readers

    reader = readers()[name]
    seeds = reader.seeds(place)
    make = text_from if reader.text else binary_from
    return ((number, make(Random(f"{name} {seed} {number}"), seeds)) for number in numbers)


def _try(name: str, path: Path, data: bytes) -> tuple[str, bool]:
    """What is wrong with reading an input, if anything is, and whether it was accepted; its file stays where something is."""
    from readers import write

    write(path, data)
    faulthandler.dump_traceback_later(HANGS, exit=True)
    fault, accepted = _read(name, path)
    faulthandler.cancel_dump_traceback_later()
    if not fault:
        path.unlink()
    return fault, accepted


def try_file(name: str, path: Path) -> str:
    """What is wrong with reading a file, if anything is; in this process."""
    return _read(name, path)[0]


def _read(name: str, path: Path) -> tuple[str, bool]:
    """What is wrong with reading a file, if anything is, and whether it was accepted."""
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


def _limit() -> None:
    """Only so much memory from now on."""
    now = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))


if __name__ == "__main__":
    warnings.simplefilter("error")
    faulthandler.enable()
    sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "core")]
    reader_name, chosen, first, last, kept = sys.argv[1:]
    _child(reader_name, int(chosen), range(int(first), int(last)), Path(kept))
