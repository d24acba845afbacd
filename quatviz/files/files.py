"""Atomic writing of files, and helpers for file formats.

The helpers copy the files that a preset names, import optional libraries of file formats, escape cells of CSV tables, and
lock files.
"""

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
from quatviz.files.limits import refuse_too_large_to_read
from quatviz.physics.geometry.meshes import MAX_MESH_BYTES, find_mesh_file, is_mesh
from quatviz.physics.geometry.preset_relative_paths import is_outside_folder, real_path, resolve_inside
from quatviz.physics.mechanics.body import Body
from quatviz.physics.observables.read_options import ReadOptions

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


def checked_extension(
    path: str | Path, endings: Collection[str], example: str, expected: str = "", topic: str = "errors#files"
) -> str:
    """Return the extension of a path, in lower case with its dot. Raise an `InputError` if it is not one of
    `endings`.

    Parameters
    ----------
    path
        Path to check.
    endings
        Accepted extensions.
    example
        File name that the error suggests. Its extension is replaced if this installation does not support it.
    expected, topic
        Text of the expected input, and help topic, for the error.

    Raises
    ------
    InputError
        For any other extension. The error lists the extensions that this installation supports.

    Examples
    --------
    >>> checked_extension("run.CSV", [".csv", ".npz"], "run.csv")
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
    """Return the class, such as a reader or writer, that a registry contains for the extension of `path`.
    Raise the error of `checked_extension` if there is none."""
    endings: dict[str, type[Any]] = registry.entries_by_ending
    return endings[checked_extension(path, endings, example)]


def refuse_unwritable(path: str | Path) -> None:
    """Raise an `InputError` if no file can be written at `path`."""
    path = real_path(Path(path))
    _refuse_irreplaceable(path)
    if not _has_folder(path) or os.path.isdir(path):
        raise _write_error(path, FileNotFoundError())
    if len(os.fsencode(path.name)) > _MAX_NAME_BYTES:
        raise _write_error(path, OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG)))
    if not os.access(path.parent, os.W_OK):
        raise _write_error(path, PermissionError())


def _refuse_irreplaceable(path: Path) -> None:
    """Raise an `InputError` if the path exists but must not be replaced: a device such as `/dev/null`, a read-only file, or a
    link in a circle.

    Without this check, a privileged user would replace the device by a file. Replacing a read-only file only needs the
    permission to write to its folder.
    """
    if os.path.isfile(path):
        if _is_read_only(path):
            raise _write_error(path, PermissionError())
    elif os.path.lexists(path):
        raise _write_error(path, FileExistsError())


def _has_folder(path: Path) -> bool:
    """Return True if the folder of a resolved path exists. A deleted current folder would still count as a folder."""
    return path.is_absolute() and os.path.isdir(path.parent)


def _is_read_only(path: Path) -> bool:
    """Return True if the file has no permission to write, or none for this user. Permission bits are checked separately
    because the operating system lets privileged users write to any file."""
    return not os.access(path, os.W_OK) or not path.stat().st_mode & _WRITE_BITS


@contextmanager
def replace_atomically(path: str | Path, durable: bool = True) -> Iterator[Path]:
    """Yield the path of an empty temporary file that replaces `path` once it is written completely.

    An existing file is never left incomplete, even if the disk is full or the process is killed. The new file has the
    permissions of the existing one.

    Parameters
    ----------
    path
        File to write.
    durable
        True to wait until the new file is on the disk, which takes about 20 ms. If False, a power failure may leave
        the file empty.

    Raises
    ------
    InputError
        If the file cannot be written. Other exceptions are passed on.
    """
    path = real_path(Path(path))  # replace the target of a link, not the link
    _refuse_irreplaceable(path)
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
        os.chmod(temporary, _file_mode(path))  # temporary files are created with access for the user only
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
"""Prefix of the names of temporary files."""
_MAX_NAME_BYTES = 255
"""Largest length of a file name [bytes] on all supported systems."""
_WRITE_BITS = 0o222
"""Permission bits of which a writable file has at least one."""
_LOCK_GRACE_PERIOD = 3600.0
"""Age of a lock file [s] above which it may belong to a process that no longer runs."""
_TEMPORARY_LIFETIME = 86_400.0
"""Age of a temporary file [s] above which it may belong to a process that no longer runs."""


def delete_stale_temporaries(folder: Path, stem: str = "") -> None:
    """Delete temporary files that killed processes have left in a folder. Their target files have names that begin with
    `stem`."""
    oldest_time = time.time() - _TEMPORARY_LIFETIME
    with suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.startswith(_temporary_prefix(stem) if stem else _TEMPORARY_PREFIX):
                with suppress(OSError):
                    if entry.stat().st_mtime < oldest_time and not _is_writer_alive(entry.name):
                        os.unlink(entry)


def _is_writer_alive(name: str) -> bool:
    """Return True if the process whose id is in the name of a temporary file is running.

    The age of the file is no sufficient criterion, because the clock may have been set forward.
    """
    writer = re.search(r"-(\d+)-\w{8}(\.[^.]*)?$", name)
    if writer is None or sys.platform == "win32":  # Windows does not delete files that are being written
        return False
    try:
        os.kill(int(writer[1]), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def delete_stale_locks(folder: Path) -> None:
    """Delete lock files that have no settings file. They were left by processes that were killed before they wrote the
    settings.

    Recent lock files are kept, because a process creates its lock file shortly before it locks it.
    """
    oldest_time = time.time() - _LOCK_GRACE_PERIOD
    for path in folder.glob("*.lock"):
        with suppress(OSError):
            if not path.with_suffix(".toml").exists() and path.stat().st_mtime < oldest_time:
                lock = FileLock(path)
                if lock.acquire():
                    lock.release()


def _temporary_prefix(stem: str) -> str:
    """Return the prefix of the names of temporary files for a target file `stem`.

    The stem is shortened if necessary, because the length of file names is limited.
    """
    return f"{_TEMPORARY_PREFIX}{stem[:40]}-"


def write_text(path: str | Path, text: str, durable: bool = True) -> None:
    """Write a UTF-8 text file atomically: see `replace_atomically`.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(Path(folder) / "a.txt", "ω")
    ...     (Path(folder) / "a.txt").read_text("utf-8")
    'ω'
    """
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            phrase("the file {path}", path=path),
            expected="text in UTF-8",
            found=phrase(
                "{character}, a part of a name that is not UTF-8", character=ascii(text[error.start])
            ),
            remedy="rename the file or folder with this name",
            topic="errors#files",
        ) from None
    with replace_atomically(path, durable) as temporary:
        temporary.write_bytes(data)


def write_preset_text(path: str | Path, text: str) -> None:
    """Write the text of a preset or a session: see `write_text`. Nothing is written if the text is too large to be read again."""
    refuse_too_large_to_read(text, phrase("the file {path}", path=path))
    write_text(path, text)


_LIBRARY_OF_ENDING = {
    ".h5": "h5py",
    ".parquet": "pyarrow",
    ".nc": "xarray",
    ".zarr": "zarr",
    ".mcap": "rosbags",
    ".db3": "rosbags",
}
"""Optional packages that reading and writing files requires, by file extension."""


def supported_endings(endings: Collection[str]) -> list[str]:
    """Return the extensions whose packages are installed, or all extensions if there are none.

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
    """Raise an `InputError` if an optional package for some file formats is not installed. The package is not imported."""
    if _is_installed(name):
        return
    is_standalone = resources.is_standalone()
    raise InputError(
        phrase("the package {package} for this file format", package=name),
        expected="an installation that contains it",
        found=phrase("the stand-alone program does not contain it")
        if is_standalone
        else phrase("the package is not installed"),
        remedy="choose another file format, or install quatviz with pip"
        if is_standalone
        else phrase("{python} -m pip install {package}", python=shlex.quote(sys.executable), package=name),
        topic=topic,
    )


def require_library_for(ending: str, topic: str) -> None:
    """Raise an `InputError` if the package for files with this extension is not installed: see `require_library`."""
    if ending in _LIBRARY_OF_ENDING:
        require_library(_LIBRARY_OF_ENDING[ending], topic)


def import_library(name: str, topic: str) -> Any:
    """Import and return an optional package or a module of it. Raise an `InputError` if it is not installed."""
    require_library(name.partition(".")[0], topic)
    return importlib.import_module(name)


_FORMULA_SIGNS = "=+@'＝＋＠－-"
"""First characters of a cell that need an apostrophe before them.

These are the signs with which a formula begins, including the full-width forms of East Asian keyboards, and the apostrophe
itself, which a spreadsheet hides.
"""
_CELL_START = "(^|[,;\t])"
"""Pattern for the start of a cell. It accepts every separator that a spreadsheet may use."""
_UNGUARDED_CELL = re.compile(rf"{_CELL_START}(?=\s*[{_FORMULA_SIGNS}])")
_GUARDED_CELL = re.compile(rf"{_CELL_START}'(?=\s*[{_FORMULA_SIGNS}])")


def escape_spreadsheet_formula(text: str) -> str:
    """Escape the text of a table cell, so that no spreadsheet evaluates it as a formula.

    An apostrophe is inserted before the sign of a formula at the start of the text, also after leading blanks and
    tabs, which some spreadsheets drop. The same applies after every character that separates cells in some
    spreadsheets. An apostrophe in these places is doubled, so that `unescape_spreadsheet_formula` restores the
    text.

    >>> escape_spreadsheet_formula("=1+1"), escape_spreadsheet_formula("hamilton"), escape_spreadsheet_formula("a;=1")
    ("'=1+1", 'hamilton', "a;'=1")
    """
    return _UNGUARDED_CELL.sub(r"\1'", text)


def unescape_spreadsheet_formula(cell: str) -> str:
    """Return the original text of a cell that `escape_spreadsheet_formula` has escaped.

    >>> unescape_spreadsheet_formula("'=1+1")
    '=1+1'
    """
    return _GUARDED_CELL.sub(r"\1", cell)


_INNER_FORMULA = re.compile(
    r"([,;\t]\s*)([=@＝＠]|[+＋－-](?![0-9. ]|(?:inf|nan|Infinity|NaN)\s*(?:[,\]}]|$)))"
)
"""Pattern of a formula sign in the middle of a line, after a character that separates cells in some spreadsheets and
any number of blanks."""


def escape_inner_formulas(line: str) -> str:
    """Replace formula signs that follow a separator inside texts by escape sequences, in a line of TOML or JSON.

    Outside texts, the only formula sign that can follow a separator is the sign of a number.

    >>> escape_inner_formulas('title = "x,=1+1"')
    'title = "x,\\\\u003d1+1"'
    """
    return _INNER_FORMULA.sub(lambda match: f"{match[1]}\\u{ord(match[2]):04x}", line)


def escape_comment_formulas(line: str) -> str:
    """Insert an apostrophe before each formula sign that follows a separator, in a comment line of a table.

    >>> escape_comment_formulas("# a,=1+1")
    "# a,'=1+1"
    """
    return _INNER_FORMULA.sub(lambda match: f"{match[1]}'{match[2]}", line)


def format_csv_row(cells: Iterable[object]) -> str:
    """Return a line of comma-separated cells. Texts are escaped by `escape_spreadsheet_formula`.

    >>> format_csv_row(["=b", 1.5])
    "'=b,1.5\\n"
    """
    line = io.StringIO()
    values = (escape_spreadsheet_formula(cell) if isinstance(cell, str) else cell for cell in cells)
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()


def make_folder(folder: Path) -> None:
    """Create a folder and its parents if they do not exist. Raise an `InputError` if this fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            phrase("the folder {folder}", folder=folder),
            expected="a folder that exists or can be created",
            found=error.strerror or str(error),
            remedy="choose another folder",
            topic="errors#files",
        ) from None


def _fsync(path: Path) -> None:
    """Wait until the content of a file, or the entries of a folder, are stored on the disk.

    Systems that do not support this for folders return at once.
    """
    with suppress(PermissionError) if path.is_dir() else nullcontext():
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _is_disk_full(error: Exception) -> bool:
    """Return True if an exception means that the disk is full. Some libraries state the error number only in the
    message."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return True
    return any(f"errno = {number}," in str(error) for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))


def _write_error(path: Path, error: Exception) -> InputError:
    """Return the error for a file that could not be written at `path`."""
    if _is_disk_full(error):
        found, remedy = "no space left on the disk", "free some space, or choose a folder on another disk"
    elif isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        found, remedy = "a name that is too long", "choose a shorter name"
    elif not _has_folder(path):
        found, remedy = (
            "no such folder",
            phrase("create the folder {folder}, or choose another one", folder=path.parent),
        )
    elif os.path.isfile(path) and _is_read_only(path):
        found, remedy = "a read-only file", "choose another name, or make the file writable"
    elif isinstance(error, PermissionError):
        found, remedy = "no permission to write there", "choose a folder of your own"
    elif os.path.isdir(path):
        found, remedy = "a folder of that name", "choose another name"
    elif os.path.islink(path):
        found, remedy = "a link that leads back to itself", "choose another name"
    elif isinstance(error, FileExistsError):
        found, remedy = "a device or a pipe of that name", "choose another name"
    else:
        found, remedy = str(getattr(error, "strerror", "") or error), "choose another folder"
    found = phrase(found)
    if os.path.isfile(path):
        found = phrase("{found}; nothing was written; the existing file is unchanged", found=found)
    else:
        found = phrase("{found}; nothing was written", found=found)
    return InputError(
        phrase("the file {path}", path=path),
        expected="a path where a file can be written",
        found=found,
        remedy=remedy,
        topic="errors#files",
    )


def _file_mode(path: Path) -> int:
    """Return the permission bits of the file at `path` or, if it does not exist, those with which a new file is
    created."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)  # the operating system returns the mask only when it is set
    os.umask(mask)
    return 0o666 & ~mask


def copy_mesh(body: Body, folder: Path, overwrite: bool = False) -> None:
    """Copy the mesh file of `body` into `folder`, unless there is no readable mesh file or an equal file is already
    there.

    Raises
    ------
    InputError
        If a different file of that name exists and `overwrite` is False.
    """
    if not is_mesh(body.shape) or body.folder is None:
        return
    try:
        source, target = find_mesh_file(body.folder, body.shape), folder / body.shape
    except InputError:  # a link that leads out of the folder of the preset
        return
    if not source.is_file() or source.stat().st_size > MAX_MESH_BYTES or source == real_path(target):
        return
    _copy_if_different(
        source,
        target,
        phrase("an identical copy of the mesh {source}, or no file of that name", source=source),
        overwrite,
    )


def copy_recording(reading: ReadOptions, folder: Path, overwrite: bool = False) -> None:
    """Copy the file of a recording into `folder`: see `copy_mesh`."""
    if reading.folder is None or is_outside_folder(reading.file):
        return
    source, target = resolve_inside(reading.folder, reading.file), folder / reading.file
    if source is not None and source.is_file() and source != real_path(target):
        _copy_if_different(
            source,
            target,
            phrase("an identical copy of the recording {source}, or no file of that name", source=source),
            overwrite,
        )


def _copy_if_different(source: Path, target: Path, expected: str, overwrite: bool) -> None:
    """Copy a file and its modification time, unless the target has the same content.

    If `overwrite` is True, a target with the same size and modification time is not compared, and counts as equal.
    """
    source_stat = source.stat()
    if target.exists():
        target_stat = target.stat()
        is_same = target.is_file() and target_stat.st_size == source_stat.st_size
        if is_same and not (overwrite and target_stat.st_mtime_ns == source_stat.st_mtime_ns):
            is_same = filecmp.cmp(source, target, shallow=False)
        if not is_same and not overwrite:
            raise InputError(
                str(target), expected=expected, found="another file",
                remedy="save the run in another folder, or rename one of the two files", topic="errors#files",
            )  # fmt: skip
        if is_same:
            return
    make_folder(target.parent)
    with replace_atomically(target) as temporary:
        shutil.copyfile(source, temporary)
        os.utime(temporary, ns=(source_stat.st_atime_ns, source_stat.st_mtime_ns))


_LOCK_POLL_INTERVAL = 0.005
"""Time [s] between two attempts to acquire a lock that belongs to another process."""


class FileLock:
    """Lock of the file at `path`, owned by at most one process. The operating system releases the lock when the
    process ends, even after a crash."""

    def __init__(self, path: Path) -> None:
        self._path = path.with_suffix(".lock")
        self._handle: int | None = None
        self.error: OSError | None = None
        """Exception, such as a missing permission, if the lock file could not be created at the last attempt;
        otherwise None."""

    def acquire(self, timeout: float = 0.0) -> bool:
        """Try to acquire the lock for at most `timeout` [s]. Return False if another process owns the lock, or if
        the lock file cannot be created."""
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
                # The previous owner may have deleted the file in the meantime, so that a third process would lock a new file.
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
        if sys.platform == "win32":  # Windows does not delete open files
            os.close(self._handle)
        with suppress(OSError):
            self._path.unlink()
        if sys.platform != "win32":
            os.close(self._handle)
        self._handle = None


def file_signature(path: Path) -> tuple[int, int] | None:
    """Return modification time [ns] and size [bytes] of a file, or None if it does not exist."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
