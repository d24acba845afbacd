"""Files written whole or not at all, a mesh brought beside the preset that names it, and a lock of a file."""

import csv
import errno
import filecmp
import importlib
import importlib.util
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from quatviz.base import resources
from quatviz.base.errors import InputError, join_phrases, phrase
from quatviz.base.registry import Registry
from quatviz.physics.geometry.meshes import MAX_MESH_BYTES, find_mesh_file, is_mesh
from quatviz.physics.geometry.preset_relative_paths import is_outside_folder, real_path, resolve_inside
from quatviz.physics.mechanics.body import Body
from quatviz.physics.observables.read_options import ReadOptions

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


def refuse_ending(
    path: str | Path, endings: Collection[str], example: str, expected: str = "", topic: str = "errors#files"
) -> str:
    """The ending of `path` in lower case, with its dot; an `InputError` where it is none of `endings`. It tells of those that are
    `supported_endings`, and suggests the ending of `example` if it is among them, and that name where the path has none.

    >>> refuse_ending("run.CSV", [".csv", ".npz"], "run.csv")
    '.csv'
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in endings:
        available = supported_endings(endings)
        name = Path(example).with_stem(path.stem) if path.stem else Path(example)
        name = name if name.suffix in available else name.with_suffix(available[0])
        raise InputError(
            phrase("the file {path}", path=path),
            expected=expected or phrase("a name ending in {names}", names=join_phrases(available, "or")),
            found=phrase("the ending {suffix!r}", suffix=suffix) if suffix else "no ending",
            remedy=phrase("write for example {name}", name=str(name)),
            topic=topic,
        )
    return suffix


def find_by_ending(registry: Registry[Any], path: str | Path, example: str) -> type[Any]:
    """The kind that claims the ending of `path`: see `refuse_ending`."""
    endings: dict[str, type[Any]] = registry.entries_by_ending
    return endings[refuse_ending(path, endings, example)]


def refuse_unwritable(path: str | Path) -> None:
    """Refuse a `path` at which no file can be written."""
    path = real_path(Path(path))
    _refuse_device(path)
    if not os.path.isdir(path.parent) or os.path.isdir(path):
        raise _write_error(path, FileNotFoundError())
    if len(os.fsencode(path.name)) > _MAX_NAME_BYTES:
        raise _write_error(path, OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG)))
    if not os.access(path.parent, os.W_OK):
        raise _write_error(path, PermissionError())


def _refuse_device(path: Path) -> None:
    """Refuse what is there and no file, which whoever may do anything here would put a file in the place of: `/dev/null` would be
    no more, for all programs of the machine."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise _write_error(path, FileExistsError())


@contextmanager
def replace_atomically(path: str | Path, durable: bool = True) -> Iterator[Path]:
    """An empty file beside `path`, to be written; it takes the place of `path` only once that has succeeded, and is on
    the disk before it does.

    Whatever happens, a full disk or a killed process, a file that was there before is whole. One that need not be `durable` is
    not waited for until it is on the disk, which takes some 20 ms: where the power fails just then it may be empty. An
    `InputError` says why a file could not be written; any other exception goes through.
    """
    path = real_path(Path(path))  # a link stays a link
    _refuse_device(path)
    temporary = None
    try:
        handle, name = tempfile.mkstemp(
            suffix=path.suffix, prefix=f"{_temporary_prefix(path.stem)}{os.getpid()}-", dir=path.parent
        )
        os.close(handle)
        temporary = Path(name)
        yield temporary
        if durable:
            _fsync(temporary)
        os.chmod(temporary, 0o666 & ~_umask())  # a temporary file is private, a table is not
        os.replace(temporary, path)
        if durable:
            _fsync(path.parent)
        delete_stale_temporaries(path.parent, path.stem)
    except Exception as error:
        if not isinstance(error, OSError) and not _is_disk_full(error):
            raise
        raise _write_error(path, error) from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()


_TEMPORARY_PREFIX = ".quatviz-"
"""How the name of a file begins that is being written."""
_MAX_NAME_BYTES = 255
"""Bytes of a file's name, on all systems that quatviz runs on."""
_LOCK_GRACE_PERIOD = 3600.0
"""A lock that is older is held, if its process lives [s]."""
_TEMPORARY_LIFETIME = 86_400.0
"""How long it is taken for one that somebody writes [s]."""


def delete_stale_temporaries(folder: Path, stem: str = "") -> None:
    """Delete what processes that were killed have left half written in a folder, of files whose names begin with `stem`."""
    oldest_time = time.time() - _TEMPORARY_LIFETIME
    with suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.startswith(_temporary_prefix(stem) if stem else _TEMPORARY_PREFIX):
                with suppress(OSError):
                    if entry.stat().st_mtime < oldest_time and not _is_writer_alive(entry.name):
                        os.unlink(entry)


def _is_writer_alive(name: str) -> bool:
    """Whether the process lives whose number is in the name of a half: a clock that leaps a day ahead makes new files old."""
    writer = re.search(r"-(\d+)-\w{8}(\.[^.]*)?$", name)
    if writer is None or sys.platform == "win32":  # where a file that is written cannot be deleted
        return False
    try:
        os.kill(int(writer[1]), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def delete_stale_locks(folder: Path) -> None:
    """Delete locks that processes have left which were killed before they wrote the file beside. Not new ones: a process makes
    its lock a moment before it holds it."""
    oldest_time = time.time() - _LOCK_GRACE_PERIOD
    for path in folder.glob("*.lock"):
        with suppress(OSError):
            if not path.with_suffix(".toml").exists() and path.stat().st_mtime < oldest_time:
                lock = FileLock(path)
                if lock.acquire():
                    lock.release()


def _temporary_prefix(stem: str) -> str:
    """How the name of a file begins that is being written: of a long one not all, for more comes behind."""
    return f"{_TEMPORARY_PREFIX}{stem[:40]}-"


def write_text(path: str | Path, text: str, durable: bool = True) -> None:
    """Write a text file, UTF-8, whole or not at all: see `replace_atomically`.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(Path(folder) / "a.txt", "ω")
    ...     (Path(folder) / "a.txt").read_text("utf-8")
    'ω'
    """
    with replace_atomically(path, durable) as temporary:
        temporary.write_text(text, "utf-8", newline="\n")


_LIBRARY_OF_ENDING = {
    ".h5": "h5py",
    ".parquet": "pyarrow",
    ".nc": "xarray",
    ".zarr": "zarr",
    ".mcap": "rosbags",
    ".db3": "rosbags",
}
"""Packages that files of these endings need, and that may not be there."""


def supported_endings(endings: Collection[str]) -> list[str]:
    """Those of the `endings` that this installation has the packages for; all where it has them for none.

    >>> supported_endings([".csv", ".json"])
    ['.csv', '.json']
    """
    supported = [
        ending
        for ending in endings
        if ending not in _LIBRARY_OF_ENDING or _is_installed(_LIBRARY_OF_ENDING[ending])
    ]
    return supported or list(endings)


def _is_installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def require_library(name: str, topic: str) -> None:
    """Refuse where a package is not there that only some kinds of files need, without importing it: the stand-alone program goes
    without. `InputError` then."""
    if _is_installed(name):
        return
    is_standalone = resources.is_standalone()
    raise InputError(
        phrase("the package {package}, for this kind of file", package=name),
        expected="an installation that has it",
        found=phrase("it stays out of the stand-alone program")
        if is_standalone
        else phrase("it is not installed"),
        remedy="write another kind of file, or install quatviz with Python's pip"
        if is_standalone
        else phrase("{python} -m pip install {package}", python=shlex.quote(sys.executable), package=name),
        topic=topic,
    )


def require_library_for(ending: str, topic: str) -> None:
    """Refuse where a package is not there that files of this ending need: see `require_library`."""
    if ending in _LIBRARY_OF_ENDING:
        require_library(_LIBRARY_OF_ENDING[ending], topic)


def import_library(name: str, topic: str) -> Any:
    """This package, or a module of it, late; refused where the package is not there: see `require_library`."""
    require_library(name.partition(".")[0], topic)
    return importlib.import_module(name)


_FORMULA_SIGNS = "=+@'＝＋＠－-"
"""First characters of what a spreadsheet computes, the full-width ones of East Asian keyboards included; and of what it shows
without its first character."""
_CELL_START = "(^|[,;\t])"
"""Begin of a cell, whichever mark separates cells."""
_UNGUARDED_CELL = re.compile(rf"{_CELL_START}(?=\s*[{_FORMULA_SIGNS}])")
_GUARDED_CELL = re.compile(rf"{_CELL_START}'(?=\s*[{_FORMULA_SIGNS}])")


def escape_spreadsheet_formula(text: str) -> str:
    """Return a cell of a table that no spreadsheet takes for a formula.

    An apostrophe is put before a sign of a formula, also behind blanks and tabs, which some spreadsheets drop, and behind
    marks that separate cells in some spreadsheets; and before an apostrophe, so that `unescape_spreadsheet_formula` gives
    the text back.

    >>> escape_spreadsheet_formula("=1+1"), escape_spreadsheet_formula("hamilton"), escape_spreadsheet_formula("a;=1")
    ("'=1+1", 'hamilton', "a;'=1")
    """
    return _UNGUARDED_CELL.sub(r"\1'", text)


def unescape_spreadsheet_formula(cell: str) -> str:
    """Return the text from which `escape_spreadsheet_formula` made a cell.

    >>> unescape_spreadsheet_formula("'=1+1")
    '=1+1'
    """
    return _GUARDED_CELL.sub(r"\1", cell)


_INNER_FORMULA = re.compile(r"(?<=[,;\t])([=@＝＠]|[+＋－-](?![0-9. ]))")
"""Sign of a formula behind a mark within a text that begins a cell in some spreadsheet."""


def escape_inner_formulas(line: str) -> str:
    """Return a line of TOML or JSON in which no text holds a formula behind a comma, by the escapes of these languages.

    Only within texts something other than a value follows a comma at once.

    >>> escape_inner_formulas('title = "x,=1+1"')
    'title = "x,\\\\u003d1+1"'
    """
    return _INNER_FORMULA.sub(lambda match: f"\\u{ord(match[0]):04x}", line)


def escape_comment_formulas(line: str) -> str:
    """Return a comment of a table in which no formula follows a comma: it has an apostrophe before it.

    >>> escape_comment_formulas("# a,=1+1")
    "# a,'=1+1"
    """
    return _INNER_FORMULA.sub(lambda match: f"'{match[0]}", line)


def format_csv_row(cells: Iterable[object]) -> str:
    """Return a line of a table with commas between its cells; texts are guarded by `escape_spreadsheet_formula`.

    >>> format_csv_row(["=b", 1.5])
    "'=b,1.5\\n"
    """
    line = io.StringIO()
    values = (escape_spreadsheet_formula(cell) if isinstance(cell, str) else cell for cell in cells)
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()


def make_folder(folder: Path) -> None:
    """Make a folder, and those that it lies in, where they are not there yet."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            phrase("the folder {folder}", folder=folder),
            expected="a folder, or a place where one can be made",
            found=error.strerror or str(error),
            remedy="choose another place",
            topic="errors#files",
        ) from None


def _fsync(path: Path) -> None:
    """Wait until a file, or a folder's list of files, is on the disk. Some systems cannot say that of a folder."""
    with suppress(PermissionError) if path.is_dir() else nullcontext():
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _is_disk_full(error: Exception) -> bool:
    """Whether the disk is full: not every library that writes files says so by an `OSError` with its number."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return True
    return any(f"errno = {number}," in str(error) for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))


def _write_error(path: Path, error: Exception) -> InputError:
    """Why `path` could not be written, and what to try."""
    if _is_disk_full(error):
        found, remedy = "no space left on the disk", "make room there, or choose a folder on another disk"
    elif isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        found, remedy = "a name that is too long", "choose a shorter one"
    elif not os.path.isdir(path.parent):
        found, remedy = (
            "no such folder",
            phrase("make the folder {folder}, or choose another", folder=path.parent),
        )
    elif isinstance(error, PermissionError):
        found, remedy = "no permission to write there", "choose a folder of your own"
    elif os.path.isdir(path):
        found, remedy = "a folder of that name", "choose another name"
    elif isinstance(error, FileExistsError):
        found, remedy = "a device or a pipe of that name", "choose another name"
    else:
        found, remedy = str(getattr(error, "strerror", "") or error), "choose another folder"
    found = phrase(found)
    if os.path.isfile(path):
        found = phrase("{found}; nothing was written; the file that was there before is whole", found=found)
    else:
        found = phrase("{found}; nothing was written", found=found)
    return InputError(
        phrase("the file {path}", path=path),
        expected="a place where a file can be written",
        found=found,
        remedy=remedy,
        topic="errors#files",
    )


def _umask() -> int:
    """The permissions that new files are made without; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def copy_mesh(body: Body, folder: Path, overwrite: bool = False) -> None:
    """Copy the mesh file of `body` into `folder`; nothing where it has none that is read, or where it is there. `InputError`
    where another file is in its place, unless it is to be written `overwrite`."""
    if not is_mesh(body.shape) or body.folder is None:
        return
    try:
        source, target = find_mesh_file(body.folder, body.shape), folder / body.shape
    except InputError:  # a link to a file that is none of the preset's
        return
    if not source.is_file() or source.stat().st_size > MAX_MESH_BYTES or source == real_path(target):
        return
    _copy_if_different(
        source, target, phrase("the mesh {source}, or no file of its name", source=source), overwrite
    )


def copy_recording(reading: ReadOptions, folder: Path, overwrite: bool = False) -> None:
    """The same of the file of a recording."""
    if reading.folder is None or is_outside_folder(reading.file):
        return
    source, target = resolve_inside(reading.folder, reading.file), folder / reading.file
    if source is not None and source.is_file() and source != real_path(target):
        _copy_if_different(
            source, target, phrase("the recording {source}, or no file of its name", source=source), overwrite
        )


def _copy_if_different(source: Path, target: Path, expected: str, overwrite: bool) -> None:
    """Copy a file, unless the same is there: one that was copied later, and is as long, is not read again."""
    if target.exists():
        source_stat, target_stat = source.stat(), target.stat()
        is_same = target.is_file() and target_stat.st_size == source_stat.st_size
        if is_same and not (overwrite and target_stat.st_mtime_ns >= source_stat.st_mtime_ns):
            is_same = filecmp.cmp(source, target, shallow=False)
        if not is_same and not overwrite:
            raise InputError(
                str(target), expected=expected, found="another file",
                remedy="keep the run in another folder, or rename one of the two files", topic="errors#files",
            )  # fmt: skip
        if is_same:
            return
    make_folder(target.parent)
    with replace_atomically(target) as temporary:
        shutil.copyfile(source, temporary)


_LOCK_POLL_INTERVAL = 0.005
"""Time between two attempts to get a lock that another process holds [s]."""


class FileLock:
    """Lock of the file at `path`, held by one process at a time. The system releases it when the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        self._path = path.with_suffix(".lock")
        self._handle: int | None = None
        self.error: OSError | None = None
        """Why the file of the lock could not be made at the last attempt, as in a folder that cannot be written to."""

    def acquire(self, timeout: float = 0.0) -> bool:
        """Try to get the lock, for at most `timeout` seconds. False if another process holds it, or if the lock cannot be made."""
        if self._try_to_acquire():
            return True
        attempts = round(timeout / _LOCK_POLL_INTERVAL)
        for _ in range(attempts):
            time.sleep(_LOCK_POLL_INTERVAL)
            if self._try_to_acquire():
                return True
        return False

    def _try_to_acquire(self) -> bool:
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            self.error = None
        except OSError as error:
            self.error = error
            return False
        try:
            if sys.platform == "win32":
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # Who held it may have deleted the file meanwhile: a third process would lock a new one.
                if os.fstat(handle).st_ino != os.stat(self._path).st_ino:
                    raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))
        except OSError:
            os.close(handle)
            return False
        self._handle = handle
        return True

    def release(self) -> None:
        """Release the lock and delete its file."""
        if self._handle is None:
            return
        if sys.platform == "win32":  # where an open file cannot be deleted
            os.close(self._handle)
        with suppress(OSError):
            self._path.unlink()
        if sys.platform != "win32":
            os.close(self._handle)
        self._handle = None


def file_signature(path: Path) -> tuple[int, int] | None:
    """When a file was written [ns], and how long it is; None where it is not there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
