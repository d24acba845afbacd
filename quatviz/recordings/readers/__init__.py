"""Files that recordings are read from, one kind of file each."""

import codecs
import stat
from pathlib import Path

from quatviz.base.errors import FAULTS, InputError, listed, modules_outside, phrase, told_of
from quatviz.base.registry import Registry
from quatviz.files.files import offered
from quatviz.files.limits import free_memory
from quatviz.recordings.columns import LARGEST, Found
from quatviz.recordings.readers.base import Reader

_HEAD = 4096
"""Bytes by which a file is known whatever its ending."""
_TOPIC = "recordings#files"

READERS: Registry[type[Reader]] = Registry(__name__, Reader, claims="suffixes")


def read_columns(path: Path, part: str | None = None) -> Found:
    """What is in a file, or in the named part of it. `InputError` where it cannot be read, is too large, or holds something
    else."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise OSError("a folder, a pipe or a device")
        with path.open("rb") as file:
            head = file.read(_HEAD).removeprefix(codecs.BOM_UTF8).lstrip()
    except OSError as error:
        raise InputError(
            str(path), expected="a recording that can be read", found=error.strerror or str(error),
            remedy="check the path, and that you may read it", topic=_TOPIC,
        ) from None  # fmt: skip
    kind = _reader_of(path, head)
    most = min(LARGEST, free_memory() // 4)
    if found.st_size > most:
        raise InputError(
            str(path), expected=phrase("a recording of at most {most:.3g} GB", most=most / 1e9),
            found=phrase("{size:.2f} GB", size=found.st_size / 1e9), remedy="cut out the stretch that counts", topic=_TOPIC,
        )  # fmt: skip
    try:
        return kind().read(path, part)
    except InputError:
        raise
    except FAULTS as fault:  # the file may hold anything, and each library complains in its own way
        outside = modules_outside([kind])
        said = (
            told_of(fault, outside)
            if outside
            else f"{type(fault).__name__}: {' '.join(str(fault).split())[:200]}"
        )
        raise InputError(
            str(path), expected=phrase("a file of the kind {title}", title=phrase(kind.title)), found=said,
            remedy="check that the file is whole, and that its ending is right", topic=_TOPIC,
        ) from fault  # fmt: skip


def _reader_of(path: Path, head: bytes) -> type[Reader]:
    """Who reads a file that begins so: one that knows its first words, or has its ending; a plug-in's words come last, or those of
    one could keep the files of all others."""
    told = [each for each in READERS.values() if each.begins and head.startswith(each.begins)]
    own = [each for each in told if READERS.package(each.name) is None]
    by_ending = READERS.claimed.get(path.suffix.lower())
    kind = next(iter(own), None) or by_ending or next(iter(told), None)
    if kind is None:
        raise InputError(
            str(path), expected=phrase("a name ending in {names}", names=listed(offered(READERS.claimed), "or")),
            found=phrase("the ending {suffix!r}", suffix=path.suffix) if path.suffix else "no ending",
            remedy="let the program that wrote it export CSV, or name it by what it is", topic=_TOPIC,
        )  # fmt: skip
    return kind
