"""Files that recordings are read from, one kind of file each."""

import codecs
import stat
from pathlib import Path

from quatviz.base.errors import FAULTS, InputError, modules_outside, phrase, told_of
from quatviz.base.registry import Registry
from quatviz.recordings.columns import LARGEST, Found
from quatviz.recordings.readers.base import Reader
from quatviz.text.files import refuse_ending
from quatviz.text.limits import free_memory

_HEAD = 4096
"""Bytes by which a file is known whatever its ending."""

READERS: Registry[type[Reader]] = Registry(__name__, Reader)


def suffixes() -> dict[str, type[Reader]]:
    """Which reader takes the files of each ending."""
    return {suffix: kind for kind in READERS.values() for suffix in kind.suffixes}


def read_columns(path: Path, part: str | None = None) -> Found:
    """What is in a file, or in the named part of it. `InputError` where it cannot be read, is too large, or holds something
    else."""
    kinds = suffixes()
    topic = "recordings#files"
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise OSError("a folder, a pipe or a device")
        with path.open("rb") as file:
            head = file.read(_HEAD).removeprefix(codecs.BOM_UTF8).lstrip()
    except OSError as error:
        raise InputError(
            str(path), expected="a recording that can be read", found=error.strerror or str(error),
            remedy="check the path, and that you may read it", topic=topic,
        ) from None  # fmt: skip
    told = [each for each in READERS.values() if each.begins and head.startswith(each.begins)]
    kind = told[0] if told else kinds[refuse_ending(path, list(kinds), "throw.csv", topic=topic)]
    most = min(LARGEST, free_memory() // 4)
    if found.st_size > most:
        raise InputError(
            str(path), expected=phrase("a recording of at most {most:.3g} GB", most=most / 1e9),
            found=phrase("{size:.2f} GB", size=found.st_size / 1e9), remedy="cut out the stretch that counts", topic=topic,
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
            remedy="check that the file is whole, and that its ending is right", topic=topic,
        ) from fault  # fmt: skip
