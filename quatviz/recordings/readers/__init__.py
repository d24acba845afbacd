"""Readers of recordings, one for each file format."""

import codecs
import stat
from dataclasses import replace
from pathlib import Path

from quatviz.base.errors import (
    PLUGIN_EXCEPTIONS,
    InputError,
    describe_exception,
    join_phrases,
    phrase,
    third_party_modules,
)
from quatviz.base.registry import Registry
from quatviz.files.files import supported_endings
from quatviz.files.limits import free_memory
from quatviz.recordings.columns import MAX_FILE_BYTES, FileColumns
from quatviz.recordings.readers.base import Reader
from quatviz.recordings.writers import recognize_writer, with_joined_seconds, with_row_times

_HEAD_BYTES = 4096
"""Number of bytes at the beginning of a file from which its format is recognized, regardless of the file extension."""
_TOPIC = "recordings#files"

READERS: Registry[type[Reader]] = Registry(__name__, Reader, ending_attribute="suffixes")


def read_columns(path: Path, part: str | None = None) -> FileColumns:
    """Return the columns of a file, or of its part named `part`.

    Raises
    ------
    InputError
        If the file cannot be read, is too large, or has another content than expected.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise OSError("a folder, a pipe or a device")
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES).removeprefix(codecs.BOM_UTF8).lstrip()
    except OSError as error:
        raise InputError(
            str(path), expected="a recording that can be read", found=error.strerror or str(error),
            remedy="check the path and your permission to read it", topic=_TOPIC,
        ) from None  # fmt: skip
    reader = _find_reader(path, head)
    max_bytes = min(MAX_FILE_BYTES, free_memory() // 4)
    if status.st_size > max_bytes:
        raise InputError(
            str(path), expected=phrase("a recording of at most {most:.3g} GB", most=max_bytes / 1e9),
            found=phrase("{size:.2f} GB", size=status.st_size / 1e9),
            remedy="cut the file to the range that you need", topic=_TOPIC,
        )  # fmt: skip
    try:
        file_columns = reader().read(path, part)
        named = replace(file_columns, name=file_columns.name or path.name)
        return with_row_times(with_joined_seconds(recognize_writer(named)))
    except InputError:
        raise
    except (
        PLUGIN_EXCEPTIONS
    ) as exception:  # the file may hold anything, and each library complains in its own way
        outside = third_party_modules([reader])
        error_text = (
            describe_exception(exception, outside)
            if outside
            else f"{type(exception).__name__}: {' '.join(str(exception).split())[:200]}"
        )
        raise InputError(
            str(path), expected=phrase("a file in the format {title}", title=phrase(reader.title)), found=error_text,
            remedy="check that the file is complete and has the right extension", topic=_TOPIC,
        ) from exception  # fmt: skip


def _find_reader(path: Path, head: bytes) -> type[Reader]:
    """Return the reader for a file that begins with the bytes `head`: a reader that recognizes the bytes, or
    else the reader for the file extension. Plug-ins are checked last, so that they cannot take over the files
    of other readers."""
    matches = [
        candidate for candidate in READERS.values() if candidate.magic and head.startswith(candidate.magic)
    ]
    own_readers = [candidate for candidate in matches if READERS.plugin_package(candidate.name) is None]
    by_ending = READERS.entries_by_ending.get(path.suffix.lower())
    reader = next(iter(own_readers), None) or by_ending or next(iter(matches), None)
    if reader is None:
        raise InputError(
            str(path),
            expected=phrase(
                "a name ending in {names}",
                names=join_phrases(supported_endings(READERS.entries_by_ending), "or"),
            ),
            found=phrase("the ending {suffix!r}", suffix=path.suffix) if path.suffix else "no ending",
            remedy="export the file as CSV, or rename it with the right extension",
            topic=_TOPIC,
        )
    return reader
