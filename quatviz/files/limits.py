"""Refusing what is not to be read: texts that are too large, nested so deeply that reading them would take for ever, of another
version; files that claim to hold more than they can, or than there is memory for."""

import math
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import shown

LARGEST = 200_000
"""Bytes of a text; the shipped presets have two thousand."""

_LINES = 5000
"""Lines of a text; the shipped presets have fifty."""

_PARTS = 100
"""Dots of a key: the time that tomllib needs grows with the square of their number."""


LARGEST_PICTURE = 8_000_000
"""Bytes of a picture's file that words show."""

PICTURES = ("bmp", "gif", "jpeg", "jpg", "png", "webp")
"""Formats of pictures that a text may name: pixels and nothing else. A drawing, as SVG is, may lead to other files and take for
ever."""


def read_limited(path: Path, most: int = LARGEST) -> bytes:
    """The content of a file; refused where it is too large, without reading more of it, and where it would be waited for."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError("a folder, a pipe or a device")
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise _too_large(str(path), phrase("a text of at most {most} bytes", most=most), "more")
    return data


def refuse_unreadable(text: str, place: str) -> None:
    """Refuse a text that would take too long to read."""
    if len(text) > LARGEST:
        raise _too_large(place, phrase("a text of at most {most} bytes", most=LARGEST), f"{len(text)}")
    lines = text.count("\n")
    if lines > _LINES:
        raise _too_large(place, phrase("at most {most} lines", most=_LINES), f"{lines}")
    for number, line in enumerate(text.split("\n")):
        if line.count(".") > _PARTS and any(chunk.count(".") > _PARTS for chunk in line.split("=")):
            raise InputError(
                phrase("{place}, line {line}", place=place, line=number + 1),
                expected="keys of a few parts",
                found=phrase("more than {most} dots in a row", most=_PARTS),
                remedy="check that it is a preset at all",
                topic="errors#preset-files",
            )


def _too_large(place: str, expected: str, found: str) -> InputError:
    return InputError(
        place,
        expected=expected,
        found=found,
        remedy="check that it is a preset or a session at all",
        topic="errors#preset-files",
    )


def refuse_version(given: object, key: str, known: int, *, topic: str = "") -> None:
    """Refuse a text whose `key` says another version than the `known` one, or none (`given` is None)."""
    if type(given) is int and given == known:  # True is an int that equals 1
        return
    raise InputError(
        expected=phrase("{key} = {version}, the version of the text", key=key, version=known),
        found="no such key" if given is None else shown(given),
        remedy=phrase(
            "write {key} = {version} before all else; a later version needs a later quatviz",
            key=key,
            version=known,
        ),
        key=key,
        topic=topic,
    )


_DENSEST = 1200
"""Times that the numbers of a file may be as long as the file: deflate packs a thousand zeros into one."""


def most_numbers(path: Path) -> int:
    """How many bytes of numbers a file may claim to hold: what can be packed into its size, and half of the memory that is free,
    for whoever reads it needs as much again."""
    return min(_DENSEST * path.stat().st_size, free_memory() // 2)


def refuse_claim(name: str, shape: Sequence[int], left: int) -> int:
    """What is left of the bytes that a file may claim, behind an array of doubles of this shape; ValueError where it is none."""
    left -= 8 * math.prod(shape)
    if left < 0 or any(length < 0 for length in shape):
        raise ValueError(
            f"{name} claims {tuple(shape)} values, more than the file or this machine has room for"
        )
    return left


_TOLD, _GROUPS = Path("/proc"), Path("/sys/fs/cgroup")


def free_memory() -> int:
    """Bytes of memory that are free, or would be at once: of the machine, and of the container that this process is in, of which
    the machine does not tell. Without end where the system does not say."""
    most = 2**62
    with suppress(OSError, ValueError, StopIteration):
        text = (_TOLD / "meminfo").read_text("ascii")
        most = 1024 * int(
            next(line for line in text.splitlines() if line.startswith("MemAvailable:")).split()[1]
        )
    return max(min(most, *_free_in_groups(), 2**62), 0)


def _free_in_groups() -> Iterator[int]:
    """Bytes that the control groups of this process leave it, of either version, each with its parents: what they may have, less
    what they use and cannot give back."""
    with suppress(OSError):
        for line in (_TOLD / "self" / "cgroup").read_text("utf-8").splitlines():
            _, kinds, path = line.split(":", 2)
            if kinds and "memory" not in kinds.split(","):
                continue
            top = _GROUPS / "memory" if kinds else _GROUPS
            names = (
                ("memory.limit_in_bytes", "memory.usage_in_bytes")
                if kinds
                else ("memory.max", "memory.current")
            )
            inner = top / path.lstrip("/")
            for group in (inner, *inner.parents[: len(inner.parts) - len(top.parts)]):
                with suppress(OSError, ValueError):  # `max` is no number, and no limit
                    limit, used = (int((group / name).read_text("ascii")) for name in names)
                    yield limit - used + _given_back(group)


def _given_back(group: Path) -> int:
    """Bytes of files that a group holds and would let go of."""
    said = dict(line.split() for line in (group / "memory.stat").read_text("ascii").splitlines())
    return int(said.get("total_inactive_file", said.get("inactive_file", 0)))
