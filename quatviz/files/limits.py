"""Limits on input files: size and version of texts, and total size of the arrays in a file."""

import math
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import quote_value

MAX_TEXT_BYTES = 200_000
"""Largest size of a text [bytes]. Shipped presets have about 2000 bytes."""

_MAX_LINES = 5000
"""Largest number of lines of a text. Shipped presets have about 50 lines."""

_MAX_KEY_DOTS = 100
"""Largest number of dots in a key. The parsing time of tomllib grows with the square of this number."""

_FILE_REMEDY = "check that the file is a preset or a session"
_RUN_REMEDY = "remove events, lanes or long texts from the run"


MAX_PICTURE_BYTES = 8_000_000
"""Largest size of an image file that a text displays [bytes]."""

PICTURE_FORMATS = ("bmp", "gif", "jpeg", "jpg", "png", "webp")
"""Formats of images that a text may display. SVG is excluded, since an SVG file may refer to other files and take
very long to render."""


def read_limited(path: Path, max_bytes: int = MAX_TEXT_BYTES) -> bytes:
    """Return the content of a file.

    Parameters
    ----------
    path
        Path of the file.
    max_bytes
        Largest accepted size.

    Raises
    ------
    InputError
        If the file is larger than `max_bytes`. No more than this limit is read.
    OSError
        If the file cannot be read or is not a regular file.
    """
    refuse_blocking(path)
    with path.open("rb") as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise _too_large_error(str(path), phrase("a text of at most {most} bytes", most=max_bytes), "more")
    return data


def refuse_blocking(path: Path) -> None:
    """Raise `OSError` if the path is not a regular file: opening a pipe would wait for its writer."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError("a folder, a pipe or a device")


def refuse_unreadable(text: str, place: str, remedy: str = _FILE_REMEDY) -> None:
    """Raise an `InputError` if a text would take too long to parse.

    Texts are checked when they are read and when they are written, so that what is written can be read again.
    """
    size, lines = len(text.encode("utf-8", "surrogatepass")), text.count("\n")
    if size > MAX_TEXT_BYTES:
        raise _too_large_error(
            place, phrase("a text of at most {most} bytes", most=MAX_TEXT_BYTES), f"{size}", remedy
        )
    if lines > _MAX_LINES:
        raise _too_large_error(place, phrase("at most {most} lines", most=_MAX_LINES), f"{lines}", remedy)
    for number, line in enumerate(text.split("\n")):
        if line.count(".") > _MAX_KEY_DOTS and any(
            chunk.count(".") > _MAX_KEY_DOTS for chunk in line.split("=")
        ):
            raise InputError(
                phrase("{place}, line {line}", place=place, line=number + 1),
                expected="keys of a few parts",
                found=phrase("more than {most} dots in one key", most=_MAX_KEY_DOTS),
                remedy=remedy,
                topic="errors#preset-files",
            )


def refuse_too_large_to_read(text: str, place: str) -> None:
    """Raise an `InputError` if the text of a run exceeds the limits for reading. Such a text must not be written."""
    refuse_unreadable(text, place, _RUN_REMEDY)


def _too_large_error(place: str, expected: str, found: str, remedy: str = _FILE_REMEDY) -> InputError:
    return InputError(
        place,
        expected=expected,
        found=found,
        remedy=remedy,
        topic="errors#preset-files",
    )


def refuse_version(version: object, key: str, known_version: int, *, topic: str = "") -> None:
    """Raise an `InputError` if `version`, the value of `key`, is not `known_version`. None means that the key is
    missing."""
    if type(version) is int and version == known_version:  # True is an int that equals 1
        return
    raise InputError(
        expected=phrase("{key} = {version}, the version of the text", key=key, version=known_version),
        found="no such key" if version is None else quote_value(version),
        remedy=phrase(
            "write {key} = {version} at the beginning; a newer version needs a newer quatviz",
            key=key,
            version=known_version,
        ),
        key=key,
        topic=topic,
    )


_MAX_COMPRESSION_RATIO = 1200
"""Largest ratio of array size to file size. Deflate compresses about a thousand zeros to one byte."""


def max_array_bytes(path: Path) -> int:
    """Return the largest accepted total size [bytes] of the arrays in a file.

    A file cannot contain more than the largest compression ratio allows. Reading needs memory of twice the size, so the size
    is also limited to half of the free memory.
    """
    return min(_MAX_COMPRESSION_RATIO * path.stat().st_size, free_memory() // 2)


def reserve_array_bytes(name: str, shape: Sequence[int], remaining: int) -> int:
    """Subtract the size of a float64 array with this shape from `remaining` [bytes], and return the result.

    Raises
    ------
    ValueError
        If not enough bytes remain or a length is negative.
    """
    remaining -= 8 * math.prod(shape)
    if remaining < 0 or any(length < 0 for length in shape):
        raise ValueError(
            f"{name} claims {tuple(shape)} values, more than the file or this machine has room for"
        )
    return remaining


_PROC, _CGROUP_ROOT = Path("/proc"), Path("/sys/fs/cgroup")


def free_memory() -> int:
    """Return the free memory [bytes] of the machine or of the container of this process, whichever is less.

    Reclaimable memory counts as free. If the system does not report its memory, the result is 2**62.
    """
    free_bytes = 2**62
    with suppress(OSError, ValueError, StopIteration):
        text = (_PROC / "meminfo").read_text("ascii")
        free_bytes = 1024 * int(
            next(line for line in text.splitlines() if line.startswith("MemAvailable:")).split()[1]
        )
    return max(min(free_bytes, *_free_in_cgroups(), 2**62), 0)


def _free_in_cgroups() -> Iterator[int]:
    """Yield the free memory [bytes] of each memory control group that contains this process.

    The free memory is the limit of the group minus its usage plus its reclaimable memory.
    """
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
                with suppress(OSError, ValueError):  # the text `max` means no limit
                    limit, used = (int((group / name).read_text("ascii")) for name in names)
                    yield limit - used + _reclaimable_bytes(group)


def _reclaimable_bytes(group: Path) -> int:
    """Return the size [bytes] of the file cache of a control group, which the group can release."""
    statistics = dict(line.split() for line in (group / "memory.stat").read_text("ascii").splitlines())
    return int(statistics.get("total_inactive_file", statistics.get("inactive_file", 0)))
