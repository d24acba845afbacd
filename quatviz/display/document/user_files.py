"""The user's TOML files: own presets, recent files, the last session, and sessions kept for recovery."""

import logging
import os
import re
import shutil
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from quatviz.base import resources
from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import quote_value
from quatviz.base.translation import tr, unreadable_file_text
from quatviz.display.view_state.session import Session, format_session, read_session
from quatviz.files.files import (
    FileLock,
    delete_stale_locks,
    delete_stale_temporaries,
    make_folder,
    write_preset_text,
)
from quatviz.files.preset import Preset, RunSettings
from quatviz.files.preset_edits import read_title
from quatviz.files.preset_files import preset_paths
from quatviz.files.preset_reading import (
    format_preset,
    parse_preset,
    read_document,
    read_preset,
    read_text_file,
)
from quatviz.files.settings_file import SettingsFile
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial

log = logging.getLogger(__name__)

_MAX_NAME_LENGTH = 60
INTRODUCTORY, INTERMEDIATE, ADVANCED = "introductory", "intermediate", "advanced"
OWN_GROUP, MAP_GROUP, OTHER_GROUP = "Your presets", "Maps", "Other presets"
PRESET_GROUPS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "Free and loaded bodies": {
        INTRODUCTORY: ("torque_free", "intermediate_axis", "t_handle", "tumbling_brick"),
        INTERMEDIATE: ("point_force", "spring_disk", "body_on_spring"),
        ADVANCED: ("control_by_constraint",),
    },
    "Tops and gyroscopes": {
        INTRODUCTORY: ("heavy_top", "wheel_on_turntable"),
        INTERMEDIATE: ("steady_precession", "tumbling_top", "pivot_force"),
        ADVANCED: ("ring_damper_gravity", "simo_wong_top", "simo_wong_heavy_top"),
    },
    "Spacecraft": {
        INTRODUCTORY: ("explorer", "reaction_wheels"),
        INTERMEDIATE: ("gravity_gradient", "attitude_control", "ring_damper", "unwinding"),
        ADVANCED: ("elliptic_orbit", "dual_spin", "dual_spin_unstable"),
    },
    "Formulations and numerics": {
        INTRODUCTORY: ("gimbal_lock", "six_lambdas"),
        INTERMEDIATE: (
            "half_turn",
            "unconstrained",
            "drift",
            "round_trip",
            "wrong_and_cheap",
            "game_engines",
        ),
        ADVANCED: ("off_the_sphere", "fundamental", "stiff_top", "lie_group_heavy_top"),
    },
    MAP_GROUP: {
        INTERMEDIATE: ("flip_map", "sleeping_top_map"),
        ADVANCED: ("gravity_gradient_map", "lost_digits_map"),
    },
    "Recordings": {INTERMEDIATE: ("thrown_phone",)},
}
"""Names of shipped presets by group and level, in the recommended order for a newcomer. Presets that are not
listed here follow in alphabetical order."""


@dataclass(frozen=True)
class PresetEntry:
    """A preset in the list of choices. If `path` is None, the preset cannot be read, and the summary says
    why."""

    title: str
    summary: str
    path: Path | None
    is_own: bool = False
    """True if the user saved this preset."""
    preset: Preset | None = None
    group: str = OTHER_GROUP
    """Heading under which the preset is listed: one of `PRESET_GROUPS`, `OWN_GROUP` or `OTHER_GROUP`."""
    level: str = ""
    """Level of difficulty of a shipped preset; "" if none is known."""

    @property
    def badge(self) -> str:
        """Short remark beside the title: the level, or that the user saved the preset."""
        return tr("your preset") if self.is_own else tr(self.level)

    @property
    def search_terms(self) -> str:
        """Additional search terms that the list does not show: the source and the group."""
        return f"{self.preset.source} {tr(self.group)}" if self.preset is not None else ""


_GROUPS_AND_LEVELS = {
    name: (group, level)
    for group, levels in PRESET_GROUPS.items()
    for level, names in levels.items()
    for name in names
}
"""Group and level of each listed preset, in the order of the list."""


def preset_entries() -> list[PresetEntry]:
    """Return every installed preset: own presets first, then the shipped ones by group and from easy to hard.

    A preset that cannot be read is listed last, with the reason.
    """
    entries = []
    folder = resources.user_preset_folder()
    paths = preset_paths(resources.preset_folder(), folder)
    ranks = {name: rank for rank, name in enumerate((*_GROUPS_AND_LEVELS, *paths)[::-1])}
    for name, path in sorted(paths.items(), key=lambda item: -ranks[item[0]]):
        try:
            preset = read_preset(path)
        except InputError as refusal:
            log.warning("the preset %s cannot be read: %s", path, refusal)
            entries.append(PresetEntry(name, unreadable_file_text(refusal, path.parent), None))
        else:
            summary, own = " ".join(preset.summary.split()), path.parent == folder
            other = MAP_GROUP if preset.map is not None else OTHER_GROUP
            group, level = (OWN_GROUP, "") if own else _GROUPS_AND_LEVELS.get(name, (other, ""))
            entries.append(PresetEntry(preset.title, summary, path, own, preset, group, level))
    return sorted(entries, key=lambda entry: (not entry.is_own, entry.path is None))


def preset_name(title: str) -> str:
    """Return the preset name for a title, as used on the command line: lower-case letters, digits and underscores."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:_MAX_NAME_LENGTH].strip("_")


def own_preset_path(title: str, current: Path | None = None) -> Path:
    """Return the file for the preset with this title.

    The file name has only the plain letters of the title, so that two titles may share it, such as "Top α" and "Top
    β": the second gets a number.

    Parameters
    ----------
    title
        Title of the preset.
    current
        File that is to get this title, such as that of a preset being renamed. Its own name counts as free.

    Returns
    -------
    Path
        File of the preset that already has this title, otherwise a new file.

    Raises
    ------
    InputError
        If the title gives no name, or the name of a shipped preset.
    """
    name = preset_name(title)
    if not name:
        raise _title_error(
            "a title with a letter or a digit", quote_value(title), "write a title, such as Tumbling asteroid"
        )
    if name in preset_paths(resources.preset_folder()):
        raise _title_error(
            "a title that no shipped preset has", quote_value(title), "change a word of the title"
        )
    folder, shipped = resources.user_preset_folder(), preset_paths(resources.preset_folder())
    for number in count(1):
        numbered_name = name if number == 1 else f"{name}_{number}"
        path = folder / f"{numbered_name}.toml"
        if numbered_name not in shipped and (
            path == current or not path.exists() or _title_in(path) == title.strip()
        ):
            return path
    raise AssertionError  # `count` has no end


def _title_in(path: Path) -> str | None:
    """Return the title of the preset in a file; None if the file cannot be read and must not be
    overwritten."""
    try:
        return read_preset(path).title.strip()
    except InputError:
        return None


def save_own_preset(preset: Preset, title: str, summary: str, watch: str) -> Path:
    """Save a preset with these texts as the user's own; replace one with the same title. Return its path."""
    path = own_preset_path(title)
    make_folder(path.parent)
    preset.copy_files(path.parent)
    write_preset_text(path, format_preset(replace(preset, title=title.strip(), summary=summary, watch=watch)))
    return path


def rename_preset(path: Path, title: str) -> Path:
    """Give one of the user's presets another title and the matching file name. Return its new path."""
    target = own_preset_path(title, current=path)
    if target != path and target.exists():
        raise _title_error(
            "a title that none of your presets has",
            quote_value(title),
            "choose another title, or delete that preset",
        )
    preset = read_preset(path)
    write_preset_text(target, format_preset(replace(preset, title=title.strip())))
    if target != path:
        path.unlink()
    return target


MAX_DELETED_PRESETS = 20
"""Number of deleted presets that are kept and can be restored, as many as fit into a menu."""


@dataclass(frozen=True)
class DeletedPreset:
    """A preset that the user has deleted. Its file is kept until `MAX_DELETED_PRESETS` more are deleted."""

    title: str
    path: Path
    """File in the folder of deleted presets."""


def delete_preset(path: Path) -> DeletedPreset:
    """Move one of the user's presets to the folder of deleted presets, from which `restore_preset` restores it.

    Raises
    ------
    InputError
        If the file is not one of the user's presets.
    OSError
        If the file cannot be moved.
    """
    if path.parent != resources.user_preset_folder() or path.suffix != ".toml":
        raise _title_error("one of your presets", str(path), "choose one of your presets")
    title = _title_in(path) or path.stem
    stamp = max(
        [time.time_ns(), *(_stamp(deleted) + 1 for deleted in _deleted_files())]
    )  # clocks are set back
    target = _deleted_preset_folder() / f"{stamp}-{path.name}"
    make_folder(target.parent)
    path.replace(target)
    for outdated in _deleted_files()[MAX_DELETED_PRESETS:]:
        outdated.unlink(missing_ok=True)
    return DeletedPreset(title, target)


def deleted_presets() -> list[DeletedPreset]:
    """Return the deleted presets that can be restored, the last one first."""
    return [DeletedPreset(read_title(path) or path.stem.partition("-")[2], path) for path in _deleted_files()]


def restore_preset(deleted: DeletedPreset) -> str:
    """Restore a deleted preset and return its title.

    If another preset has got its title in the meantime, the restored one gets a number after its title.

    Raises
    ------
    InputError
        If the deleted file cannot be read, or a shipped preset has its name.
    OSError
        If the file cannot be moved.
    """
    path = own_preset_path(deleted.title)
    if not path.exists():
        deleted.path.replace(path)
        return deleted.title
    preset = _read_deleted(deleted.path)
    title = next(title for title in _numbered(deleted.title.strip()) if not own_preset_path(title).exists())
    write_preset_text(own_preset_path(title), format_preset(replace(preset, title=title)))
    deleted.path.unlink(missing_ok=True)
    return title


def _numbered(title: str) -> Iterator[str]:
    return (f"{title} ({number})" for number in count(2))


def _deleted_preset_folder() -> Path:
    return resources.user_preset_folder() / "deleted"


def _deleted_files() -> list[Path]:
    return sorted(_deleted_preset_folder().glob("[0-9]*-*.toml"), key=_stamp, reverse=True)


def _stamp(path: Path) -> int:
    """Return the time of deletion [ns] in the file name of a deleted preset, or 0 for a file that quatviz has
    not put into the folder."""
    prefix = path.name.partition("-")[0]
    return int(prefix) if prefix.isdecimal() else 0


def _read_deleted(path: Path) -> Preset:
    """Read a deleted preset, whose mesh and recordings are still in the folder of the user's presets."""
    return parse_preset(read_text_file(path), str(path), resources.user_preset_folder())


def _title_error(expected: str, actual: str, remedy: str) -> InputError:
    return InputError(expected=expected, found=actual, remedy=remedy, key="title")


_MAX_RECENT_FILES = 10


class RecentFiles:
    """The files that were opened or saved last, newest first. All open windows share the list.

    Parameters
    ----------
    name
        File name in the settings folder. Each type of file has its own list.
    """

    def __init__(self, name: str = "recent.toml") -> None:
        self._file = SettingsFile(name)

    @property
    def paths(self) -> list[Path]:
        """Paths in the list whose files still exist, newest first."""
        return _existing_files(self._file.read())

    def add(self, path: Path) -> None:
        """Put a file at the front of the list."""
        path = path.absolute()
        self._edit(lambda paths: [path, *(other for other in paths if other != path)])

    def remove(self, path: Path) -> None:
        """Remove a file from the list."""
        self._edit(lambda paths: [other for other in paths if other != path])

    def clear(self) -> None:
        """Remove all files from the list."""
        self._edit(lambda _: [])

    def _edit(self, edit: Callable[[list[Path]], list[Path]]) -> None:
        self._file.update(
            lambda table: {"files": [str(path) for path in edit(_existing_files(table))[:_MAX_RECENT_FILES]]}
        )


def _existing_files(table: Mapping[str, Any]) -> list[Path]:
    names = table.get("files")
    names = names[:_MAX_RECENT_FILES] if isinstance(names, list) else []
    return [Path(name) for name in names if isinstance(name, str) and os.path.isfile(name)]


@dataclass(frozen=True)
class LastSession:
    """The session of the last window: its content, its file, and when it was saved."""

    session: Session
    path: Path
    closed_at: float
    """Time of saving [s] since 1970."""


MAX_UNSAVED_SESSIONS = 10
"""Number of sessions with unsaved changes that are kept, as many as fit into a menu."""
_UNSAVED_MARK = "-unsaved"
"""Suffix in the file names of sessions that were closed with unsaved changes."""


@dataclass(frozen=True)
class UnsavedSession:
    """A session that was closed with unsaved changes. It is kept until `MAX_UNSAVED_SESSIONS` more sessions are
    closed with unsaved changes."""

    title: str
    path: Path
    closed_at: float
    """Time of closing [s] since 1970."""


def save_last_session(session: Session, is_unsaved: bool = False) -> bool:
    """Save the session as the last one. The previous session is deleted once the new one is on disk, unless the
    previous one has unsaved changes.

    Parameters
    ----------
    session
        Session of the window that is closed.
    is_unsaved
        True if its run has changes that are in no file of the user. `unsaved_sessions` then lists it.

    Returns
    -------
    bool
        False if it could not be written, as on a full disk. The previous session is then kept.
    """
    path = _last_session_folder() / f"{time.time_ns()}{_UNSAVED_MARK if is_unsaved else ''}.toml"
    try:
        _write_session(session, path)
    except (OSError, InputError) as error:
        log.warning("the last session could not be saved: %s", error)
        delete_session_files(path)
        return False
    kept = {path, *_unsaved_files()[:MAX_UNSAVED_SESSIONS]}
    for other in _last_session_folder().glob("[!.]*.toml"):
        if other not in kept:
            delete_session_files(other)
    return True


def unsaved_sessions() -> list[UnsavedSession]:
    """Return the sessions that were closed with unsaved changes, the last one first."""
    sessions = []
    for path in _unsaved_files():
        with suppress(InputError):
            title = read_document(
                read_text_file(path), str(path), lambda tables: str(tables.get("title", ""))
            )
            sessions.append(UnsavedSession(title, path, _modified_at(path)))
    return sessions


def _unsaved_files() -> list[Path]:
    return sorted(_last_session_folder().glob(f"[!.]*{_UNSAVED_MARK}.toml"), key=_modified_at, reverse=True)


def load_last_session() -> LastSession | None:
    """Return the session that was open when the window was last closed; None if no readable one exists."""
    for path in sorted(_last_session_folder().glob("[!.]*.toml"), key=_modified_at, reverse=True):
        try:
            return LastSession(read_saved_session(path), path, path.stat().st_mtime)
        except (OSError, InputError) as error:
            log.info("the last session cannot be read: %s", error)
    return None


def _last_session_folder() -> Path:
    return resources.settings_folder() / "last"


class RecoveryFile:
    """The recovery file of one window: a session, and a folder beside it with its mesh.

    A lock marks the window as running, so that other windows do not recover its session.
    """

    def __init__(self) -> None:
        self.path = _recovery_folder() / f"{os.getpid()}-{id(self):x}.toml"
        self.folder = self.path.with_suffix("")
        self._lock = FileLock(self.path)
        self._is_locked = False

    def lock(self) -> None:
        """Mark the window as running.

        Raises
        ------
        OSError
            If the folder cannot be written.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock.acquire()
        self._is_locked = True

    def write(self, session: Session) -> None:
        """Replace the saved session.

        Raises
        ------
        OSError, InputError
            If the session cannot be written.
        """
        _write_session(session, self.path)

    def adopt(self, path: Path) -> None:
        """Take over the recovery file `path` of a killed window, whose session this window has restored. At
        least one of the two files exists at any time."""
        with suppress(OSError):
            path.replace(self.path)
        delete_session_files(path)

    def remove(self, keep_files: bool = False) -> None:
        """Release the lock as the window closes. Delete the session unless `keep_files` is True."""
        if self._is_locked:
            if not keep_files:
                delete_session_files(self.path)
            self._lock.release()
            self._is_locked = False


def _write_session(session: Session, path: Path) -> None:
    """Write a session, and copy its mesh and recordings into the folder beside it."""
    session.preset.copy_files(path.with_suffix(""), overwrite=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_preset_text(path, format_session(session))


def read_saved_session(path: Path) -> Session:
    """Read a session saved for recovery or as the last one, with its mesh and recordings in the folder beside it.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    session = read_session(path)
    preset = session.preset.with_folder(path.with_suffix(""))
    return replace(session, preset=replace(preset, name="", path=None))


def move_files_to(session: Session, folder: Path) -> Session:
    """Copy the mesh and recordings of a session to `folder` and return the session that uses them there.

    Recovery folders are deleted after use.
    """
    session.preset.copy_files(folder, overwrite=True)
    return replace(session, preset=session.preset.with_folder(folder))


def recoverable_sessions(report: Callable[[InputError], None] = log.warning) -> list[Path]:
    """Return the recovery files of windows that no longer run, newest first.

    Files that cannot be read, perhaps from a newer version, stay where they are. `report` receives the error of each
    once.
    """
    delete_stale_temporaries(_recovery_folder())
    delete_stale_locks(_recovery_folder())
    return sorted(
        (path for path in _orphaned_files() if _is_readable(path, report)), key=_modified_at, reverse=True
    )


def _is_readable(path: Path, report: Callable[[InputError], None]) -> bool:
    """Return True if a recovery file can be read; otherwise report the error once. A marker file beside it
    records that the error was reported."""
    try:
        read_saved_session(path)
    except InputError as refusal:
        marker = path.with_suffix("") / ".told"
        if not marker.exists():
            message = phrase(
                "A session saved for recovery cannot be restored and is kept in {path}", path=refusal.place
            )
            report(refusal.with_place(message))
            with suppress(OSError):
                marker.parent.mkdir(exist_ok=True)
                marker.touch()
        return False
    return True


def _modified_at(path: Path) -> float:
    """Return the modification time of a recovery file [s]; 0 if the file has just been taken over by another window."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def delete_session_files(path: Path) -> None:
    """Delete a session file and the folder beside it."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
    shutil.rmtree(path.with_suffix(""), ignore_errors=True)


def _orphaned_files() -> Iterator[Path]:
    for path in _recovery_folder().glob(
        "[!.]*.toml"
    ):  # Names that begin with a dot are incomplete writes of killed windows.
        lock = FileLock(path)
        if lock.acquire():
            lock.release()
            yield path


def _recovery_folder() -> Path:
    return resources.settings_folder() / "recovery"


def default_preset() -> Preset:
    """Return the start preset: a body with three principal moments that spins nearly about the intermediate axis."""
    return Preset(
        title="Untitled",
        body=Body(inertia=[3.0, 2.0, 1.5]),
        initial=Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.02, 2.0, 0.0]),
        run=RunSettings(duration=30.0, dt=1e-3, sample_interval=0.01),
        lanes=["newton_euler"],  # type: ignore[list-item]
    )
