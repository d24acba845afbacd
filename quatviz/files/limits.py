"""Refusing what is not to be read: texts that are too large, nested so deeply that reading them would take for ever, of another
version; files that claim to hold more than they can, or than there is memory for."""

import math
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import quote_value

MAX_TEXT_BYTES = 200_000
"""Bytes of a text; the shipped presets have two thousand."""

_MAX_LINES = 5000
"""Lines of a text; the shipped presets have fifty."""

_MAX_KEY_DOTS = 100
"""Dots of a key: the time that tomllib needs grows with the square of their number."""


MAX_PICTURE_BYTES = 8_000_000
"""Bytes of a picture's file that words show."""

PICTURE_FORMATS = ("bmp", "gif", "jpeg", "jpg", "png", "webp")
"""Formats of pictures that a text may name: pixels and nothing else. A drawing, as SVG is, may lead to other files and take for
ever."""


def read_limited(path: Path, max_bytes: int = MAX_TEXT_BYTES) -> bytes:
    """The content of a file; refused where it is too large, without reading more of it, and where it would be waited for."""
    refuse_blocking(path)
    with path.open("rb") as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise _too_large_error(str(path), phrase("a text of at most {most} bytes", most=max_bytes), "more")
    return data


def refuse_blocking(path: Path) -> None:
    """Raise `OSError` if the path is not a regular file: opening a pipe waits for whoever writes to it."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError("a folder, a pipe or a device")


def refuse_unreadable(text: str, place: str) -> None:
    """Refuse a text that would take too long to read."""
    if len(text) > MAX_TEXT_BYTES:
        raise _too_large_error(
            place, phrase("a text of at most {most} bytes", most=MAX_TEXT_BYTES), f"{len(text)}"
        )
    lines = text.count("\n")
    if lines > _MAX_LINES:
        raise _too_large_error(place, phrase("at most {most} lines", most=_MAX_LINES), f"{lines}")
    for number, line in enumerate(text.split("\n")):
        if line.count(".") > _MAX_KEY_DOTS and any(
            chunk.count(".") > _MAX_KEY_DOTS for chunk in line.split("=")
        ):
            raise InputError(
                phrase("{place}, line {line}", place=place, line=number + 1),
                expected="keys of a few parts",
                found=phrase("more than {most} dots in a row", most=_MAX_KEY_DOTS),
                remedy="check that it is a preset at all",
                topic="errors#preset-files",
            )


def _too_large_error(place: str, expected: str, found: str) -> InputError:
    return InputError(
        place,
        expected=expected,
        found=found,
        remedy="check that it is a preset or a session at all",
        topic="errors#preset-files",
    )


def refuse_version(version: object, key: str, known_version: int, *, topic: str = "") -> None:
    """Refuse a text whose `key` says another version than the `known_version` one, or none (`version` is None)."""
    if type(version) is int and version == known_version:  # True is an int that equals 1
        return
    raise InputError(
        expected=phrase("{key} = {version}, the version of the text", key=key, version=known_version),
        found="no such key" if version is None else quote_value(version),
        remedy=phrase(
            "write {key} = {version} before all else; a later version needs a later quatviz",
            key=key,
            version=known_version,
        ),
        key=key,
        topic=topic,
    )


_MAX_COMPRESSION_RATIO = 1200
"""Times that the numbers of a file may be as long as the file: deflate packs a thousand zeros into one."""


def max_array_bytes(path: Path) -> int:
    """How many bytes of numbers a file may claim to hold: what can be packed into its size, and half of the memory that is free,
    for whoever reads it needs as much again."""
    return min(_MAX_COMPRESSION_RATIO * path.stat().st_size, free_memory() // 2)


def reserve_array_bytes(name: str, shape: Sequence[int], remaining: int) -> int:
    """What is left of the bytes that a file may claim, behind an array of doubles of this shape; ValueError where it is none."""
    remaining -= 8 * math.prod(shape)
    if remaining < 0 or any(length < 0 for length in shape):
        raise ValueError(
            f"{name} claims {tuple(shape)} values, more than the file or this machine has room for"
        )
    return remaining


_PROC, _CGROUP_ROOT = Path("/proc"), Path("/sys/fs/cgroup")


def free_memory() -> int:
    """Bytes of memory that are free, or would be at once: of the machine, and of the container that this process is in, of which
    the machine does not tell. Without end where the system does not say."""
    free_bytes = 2**62
    with suppress(OSError, ValueError, StopIteration):
        text = (_PROC / "meminfo").read_text("ascii")
        free_bytes = 1024 * int(
            next(line for line in text.splitlines() if line.startswith("MemAvailable:")).split()[1]
        )
    return max(min(free_bytes, *_free_in_cgroups(), 2**62), 0)


def _free_in_cgroups() -> Iterator[int]:
    """Bytes that the control groups of this process leave it, of either version, each with its parents: what they may have, less
    what they use and cannot give back."""
    with suppress(OSError):
        for line in (_PROC / "self" / "cgroup").read_text("utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers and "memory" not in controllers.split(","):
                continue
            top = _CGROUP_ROOT / "memory" if controllers else _CGROUP_ROOT
            names = (
                ("memory.limit_in_bytes", "memory.usage_in_bytes")
                if controllers
                else ("memory.max", "memory.current")
            )
            inner = top / path.lstrip("/")
            for group in (inner, *inner.parents[: len(inner.parts) - len(top.parts)]):
                with suppress(OSError, ValueError):  # `max` is no number, and no limit
                    limit, used = (int((group / name).read_text("ascii")) for name in names)
                    yield limit - used + _reclaimable_bytes(group)


def _reclaimable_bytes(group: Path) -> int:
    """Bytes of files that a group holds and would let go of."""
    statistics = dict(line.split() for line in (group / "memory.stat").read_text("ascii").splitlines())
    return int(statistics.get("total_inactive_file", statistics.get("inactive_file", 0)))
