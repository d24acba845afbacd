"""Files written whole or not at all, a mesh brought beside the preset that names it, and a lock of a file."""

import errno
import filecmp
import importlib
import importlib.util
import os
import re
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from quatviz.base import resources
from quatviz.base.errors import InputError, listed, phrase
from quatviz.base.registry import Registry
from quatviz.physics.geometry.meshes import LARGEST, file_beside, is_mesh
from quatviz.physics.geometry.preset_relative_paths import followed, leads_elsewhere, within
from quatviz.physics.mechanics.body import Body
from quatviz.physics.observables.read_options import Reading

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


def refuse_ending(
    path: str | Path, endings: Collection[str], usual: str, expected: str = "", topic: str = "errors#files"
) -> str:
    """The ending of `path` in lower case, with its dot; an `InputError` where it is none of `endings`. It tells of those that are
    `offered`, and suggests the ending of `usual` if it is among them, and that name where the path has none.

    >>> refuse_ending("run.CSV", [".csv", ".npz"], "run.csv")
    '.csv'
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in endings:
        there = offered(endings)
        name = Path(usual).with_stem(path.stem) if path.stem else Path(usual)
        name = name if name.suffix in there else name.with_suffix(there[0])
        raise InputError(
            phrase("the file {path}", path=path),
            expected=expected or phrase("a name ending in {names}", names=listed(there, "or")),
            found=phrase("the ending {suffix!r}", suffix=suffix) if suffix else "no ending",
            remedy=phrase("write for example {name}", name=str(name)),
            topic=topic,
        )
    return suffix


def find_by_ending(kinds: Registry[Any], path: str | Path, usual: str) -> type[Any]:
    """The kind that claims the ending of `path`: see `refuse_ending`."""
    endings: dict[str, type[Any]] = kinds.claimed
    return endings[refuse_ending(path, endings, usual)]


def refuse_place(path: str | Path) -> None:
    """Refuse a `path` at which no file can be written."""
    path = followed(Path(path))
    _refuse_device(path)
    if not os.path.isdir(path.parent) or os.path.isdir(path):
        raise _not_writable(path, FileNotFoundError())
    if len(os.fsencode(path.name)) > _LONGEST_NAME:
        raise _not_writable(path, OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG)))
    if not os.access(path.parent, os.W_OK):
        raise _not_writable(path, PermissionError())


def _refuse_device(path: Path) -> None:
    """Refuse what is there and no file, which whoever may do anything here would put a file in the place of: `/dev/null` would be
    no more, for all programs of the machine."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise _not_writable(path, FileExistsError())


@contextmanager
def replacing(path: str | Path, lasting: bool = True) -> Iterator[Path]:
    """An empty file beside `path`, to be written; it takes the place of `path` only once that has succeeded, and is on
    the disk before it does.

    Whatever happens, a full disk or a killed process, a file that was there before is whole. One that need not be `lasting` is
    not waited for until it is on the disk, which takes some 20 ms: where the power fails just then it may be empty. An
    `InputError` says why a file could not be written; any other exception goes through.
    """
    path = followed(Path(path))  # a link stays a link
    _refuse_device(path)
    fresh = None
    try:
        handle, name = tempfile.mkstemp(
            suffix=path.suffix, prefix=f"{_half(path.stem)}{os.getpid()}-", dir=path.parent
        )
        os.close(handle)
        fresh = Path(name)
        yield fresh
        if lasting:
            _flush(fresh)
        os.chmod(fresh, 0o666 & ~_umask())  # a temporary file is private, a table is not
        os.replace(fresh, path)
        if lasting:
            _flush(path.parent)
        forget_halves(path.parent, path.stem)
    except Exception as error:
        if not isinstance(error, OSError) and not _is_full(error):
            raise
        raise _not_writable(path, error) from error
    finally:
        if fresh is not None:
            with suppress(OSError):
                fresh.unlink()


_HALF = ".quatviz-"
"""How the name of a file begins that is being written."""
_LONGEST_NAME = 255
"""Bytes of a file's name, on all systems that quatviz runs on."""
_BEGINS = 3600.0
"""A lock that is older is held, if its process lives [s]."""
_HALF_LIVES = 86_400.0
"""How long it is taken for one that somebody writes [s]."""


def forget_halves(folder: Path, stem: str = "") -> None:
    """Delete what processes that were killed have left half written in a folder, of files whose names begin with `stem`."""
    limit = time.time() - _HALF_LIVES
    with suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.startswith(_half(stem) if stem else _HALF):
                with suppress(OSError):
                    if entry.stat().st_mtime < limit and not _is_written(entry.name):
                        os.unlink(entry)


def _is_written(half: str) -> bool:
    """Whether the process lives whose number is in the name of a half: a clock that leaps a day ahead makes new files old."""
    writer = re.search(r"-(\d+)-\w{8}(\.[^.]*)?$", half)
    if writer is None or sys.platform == "win32":  # where a file that is written cannot be deleted
        return False
    try:
        os.kill(int(writer[1]), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def forget_locks(folder: Path) -> None:
    """Delete locks that processes have left which were killed before they wrote the file beside. Not new ones: a process makes
    its lock a moment before it holds it."""
    limit = time.time() - _BEGINS
    for path in folder.glob("*.lock"):
        with suppress(OSError):
            if not path.with_suffix(".toml").exists() and path.stat().st_mtime < limit:
                lock = FileLock(path)
                if lock.take():
                    lock.release()


def _half(stem: str) -> str:
    """How the name of a file begins that is being written: of a long one not all, for more comes behind."""
    return f"{_HALF}{stem[:40]}-"


def write_text(path: str | Path, text: str, lasting: bool = True) -> None:
    """Write a text file, UTF-8, whole or not at all: see `replacing`.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(Path(folder) / "a.txt", "ω")
    ...     (Path(folder) / "a.txt").read_text("utf-8")
    'ω'
    """
    with replacing(path, lasting) as fresh:
        fresh.write_text(text, "utf-8", newline="\n")


_LIBRARIES = {
    ".h5": "h5py",
    ".parquet": "pyarrow",
    ".nc": "xarray",
    ".zarr": "zarr",
    ".mcap": "rosbags",
    ".db3": "rosbags",
}
"""Packages that files of these endings need, and that may not be there."""


def offered(endings: Collection[str]) -> list[str]:
    """Those of the `endings` that this installation has the packages for; all where it has them for none.

    >>> offered([".csv", ".json"])
    ['.csv', '.json']
    """
    there = [each for each in endings if each not in _LIBRARIES or _is_there(_LIBRARIES[each])]
    return there or list(endings)


def _is_there(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def need_library(name: str, topic: str) -> None:
    """Refuse where a package is not there that only some kinds of files need, without importing it: the stand-alone program goes
    without. `InputError` then."""
    if _is_there(name):
        return
    alone = resources.standalone()
    raise InputError(
        phrase("the package {package}, for this kind of file", package=name),
        expected="an installation that has it",
        found=phrase("it stays out of the stand-alone program") if alone else phrase("it is not installed"),
        remedy="write another kind of file, or install quatviz with Python's pip"
        if alone
        else phrase("{python} -m pip install {package}", python=shlex.quote(sys.executable), package=name),
        topic=topic,
    )


def need_library_of(ending: str, topic: str) -> None:
    """Refuse where a package is not there that files of this ending need: see `need_library`."""
    if ending in _LIBRARIES:
        need_library(_LIBRARIES[ending], topic)


def file_library(name: str, topic: str) -> Any:
    """This package, or a module of it, late; refused where the package is not there: see `need_library`."""
    need_library(name.partition(".")[0], topic)
    return importlib.import_module(name)


def no_formula(text: str) -> str:
    """What is a cell of a table and no spreadsheet takes for a formula: a text that begins like one, such as a lane's name, has an
    apostrophe before it, and so has one that begins with that.

    >>> no_formula("=1+1"), no_formula("hamilton")
    ("'=1+1", 'hamilton')
    """
    return f"'{text}" if text[:1] in tuple("=+-@'") else text


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


def _flush(path: Path) -> None:
    """Wait until a file, or a folder's list of files, is on the disk. Some systems cannot say that of a folder."""
    with suppress(PermissionError) if path.is_dir() else nullcontext():
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _is_full(error: Exception) -> bool:
    """Whether the disk is full: not every library that writes files says so by an `OSError` with its number."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return True
    return any(f"errno = {number}," in str(error) for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))


def _not_writable(path: Path, error: Exception) -> InputError:
    """Why `path` could not be written, and what to try."""
    if _is_full(error):
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


def bring_mesh(body: Body, folder: Path, over: bool = False) -> None:
    """Copy the mesh file of `body` into `folder`; nothing where it has none that is read, or where it is there. `InputError`
    where another file is in its place, unless it is to be written `over`."""
    if not is_mesh(body.shape) or body.folder is None:
        return
    try:
        source, target = file_beside(body.folder, body.shape), folder / body.shape
    except InputError:  # a link to a file that is none of the preset's
        return
    if not source.is_file() or source.stat().st_size > LARGEST or source == followed(target):
        return
    _bring(source, target, phrase("the mesh {source}, or no file of its name", source=source), over)


def bring_recording(reading: Reading, folder: Path, over: bool = False) -> None:
    """The same of the file of a recording."""
    if reading.folder is None or leads_elsewhere(reading.file):
        return
    source, target = within(reading.folder, reading.file), folder / reading.file
    if source is not None and source.is_file() and source != followed(target):
        _bring(source, target, phrase("the recording {source}, or no file of its name", source=source), over)


def _bring(source: Path, target: Path, expected: str, over: bool) -> None:
    """Copy a file, unless the same is there: one that was copied later, and is as long, is not read again."""
    if target.exists():
        ours, theirs = source.stat(), target.stat()
        same = target.is_file() and theirs.st_size == ours.st_size
        if same and not (over and theirs.st_mtime_ns >= ours.st_mtime_ns):
            same = filecmp.cmp(source, target, shallow=False)
        if not same and not over:
            raise InputError(
                str(target), expected=expected, found="another file",
                remedy="keep the run in another folder, or rename one of the two files", topic="errors#files",
            )  # fmt: skip
        if same:
            return
    make_folder(target.parent)
    with replacing(target) as fresh:
        shutil.copyfile(source, fresh)


class FileLock:
    """Of the file at `path`, held by one process at a time. However its process ends, the system takes it away with that."""

    def __init__(self, path: Path) -> None:
        self._path = path.with_suffix(".lock")
        self._handle: int | None = None

    def take(self) -> bool:
        """Hold it; false where another process does, or where it cannot be held."""
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return False
        try:
            if sys.platform == "win32":
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            return False
        self._handle = handle
        return True

    def release(self) -> None:
        """Hold it no more."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
            with suppress(OSError):
                self._path.unlink()


def written(path: Path) -> tuple[int, int] | None:
    """When a file was written [ns], and how long it is; None where it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
