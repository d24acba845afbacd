"""The files of a person, all of them TOML: presets of one's own beside the shipped ones, what was opened last, the run that was
open last, and what is kept in case a window is killed."""

import logging
import os
import re
import shutil
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from quatviz.base import resources
from quatviz.base.errors import InputError, phrase
from quatviz.base.translation import unreadable_file_text
from quatviz.display.view_state.session import Session, format_session, read_session
from quatviz.files.files import (
    FileLock,
    delete_stale_locks,
    delete_stale_temporaries,
    make_folder,
    write_text,
)
from quatviz.files.preset import Preset, RunSettings
from quatviz.files.preset_files import preset_paths
from quatviz.files.preset_reading import format_preset, read_preset
from quatviz.files.settings_file import SettingsFile
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial

log = logging.getLogger(__name__)

_MAX_NAME_LENGTH = 60
_PRESET_ORDER = (
    *("torque_free", "intermediate_axis", "t_handle", "tumbling_brick", "heavy_top", "steady_precession"),
    *("gimbal_lock", "half_turn", "six_lambdas", "unconstrained", "drift", "round_trip", "point_force"),
    *("spring_disk", "body_on_spring", "attitude_control", "gravity_gradient"),
    *("elliptic_orbit", "pivot_force"),
    *("ring_damper", "explorer", "thrown_phone"),
    *("flip_map", "sleeping_top_map", "gravity_gradient_map", "lost_digits_map"),
)
"""Names of shipped presets in the order in which a newcomer meets them: a body alone, tops, coordinates, what is written in many
ways, loads, recordings, maps. Those that are not among them, such as the literature's, come behind, by their names."""


@dataclass(frozen=True)
class PresetEntry:
    """One preset that there is to choose; without a path it cannot be chosen, and the summary says why."""

    title: str
    summary: str
    path: Path | None
    is_own: bool = False
    """Whether the person who looks at it has kept it."""
    preset: Preset | None = None

    @property
    def search_terms(self) -> str:
        """Words by which it is found that are not read beside it: who has seen or written of it."""
        return self.preset.source if self.preset is not None else ""


def preset_entries() -> list[PresetEntry]:
    """Every preset that is installed, one's own first, then the easy ones. One that cannot be read says so and spoils nothing."""
    entries = []
    folder = resources.user_preset_folder()
    paths = preset_paths(resources.preset_folder(), folder)
    ranks = {name: rank for rank, name in enumerate((*_PRESET_ORDER, *paths)[::-1])}
    for name, path in sorted(paths.items(), key=lambda item: -ranks[item[0]]):
        try:
            preset = read_preset(path)
        except InputError as refusal:
            log.warning("the preset %s cannot be read: %s", path, refusal)
            entries.append(PresetEntry(name, unreadable_file_text(refusal, path.parent), None))
        else:
            summary, own = " ".join(preset.summary.split()), path.parent == folder
            entries.append(PresetEntry(preset.title, summary, path, own, preset))
    return sorted(entries, key=lambda entry: (not entry.is_own, entry.path is None))


def preset_name(title: str) -> str:
    """The name of the preset with this title, as a command line writes it: letters, digits and underscores."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:_MAX_NAME_LENGTH].strip("_")


def own_preset_path(title: str, current: Path | None = None) -> Path:
    """Return where the preset with this title is kept.

    The name of the file has only plain letters of the title, so that two titles may share it, such as "Top α" and "Top β":
    the second gets a number.

    Parameters
    ----------
    title
        Title of the preset.
    current
        File that is to get this title, which counts as free.

    Returns
    -------
    Path
        File of the preset that has this title already, else of a name that none has.

    Raises
    ------
    InputError
        If the title gives no name, or that of a shipped preset.
    """
    name = preset_name(title)
    if not name:
        raise _title_error(
            "a title with a letter or a digit", repr(title), "write a title, such as Tumbling asteroid"
        )
    if name in preset_paths(resources.preset_folder()):
        raise _title_error("a title that no shipped preset has", repr(title), "change a word of the title")
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
    """Return the title of the preset in a file; None if it cannot be read: nobody knows what is in it, so it is kept."""
    try:
        return read_preset(path).title.strip()
    except InputError:
        return None


def save_own_preset(preset: Preset, title: str, summary: str, watch: str) -> Path:
    """Write a preset of one's own with these words; one of the same title is replaced. Where it is kept."""
    path = own_preset_path(title)
    make_folder(path.parent)
    preset.copy_files(path.parent)
    write_text(path, format_preset(replace(preset, title=title.strip(), summary=summary, watch=watch)))
    return path


def rename_preset(path: Path, title: str) -> Path:
    """Give a preset of one's own another title, and the name that goes with it."""
    target = own_preset_path(title, current=path)
    if target != path and target.exists():
        raise _title_error(
            "a title that none of your presets has", repr(title), "choose another, or delete that one"
        )
    preset = read_preset(path)
    write_text(target, format_preset(replace(preset, title=title.strip())))
    if target != path:
        path.unlink()
    return target


def delete_preset(path: Path) -> None:
    """Delete a preset of one's own; nothing else."""
    if path.parent != resources.user_preset_folder() or path.suffix != ".toml":
        raise _title_error("one of your presets", str(path), "choose one of yours")
    path.unlink(missing_ok=True)


def _title_error(expected: str, actual: str, remedy: str) -> InputError:
    return InputError(expected=expected, found=actual, remedy=remedy, key="title")


_MAX_RECENT_FILES = 10


class RecentFiles:
    """The files that were opened or saved last, the newest first. Windows that are open at the same time share the list.

    Parameters
    ----------
    name
        Name of the file in the settings folder; files of another type have a list of their own.
    """

    def __init__(self, name: str = "recent.toml") -> None:
        self._file = SettingsFile(name)

    @property
    def paths(self) -> list[Path]:
        """The files of the list that still exist."""
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
    """What was open, in which file that is kept, and when the window was closed."""

    session: Session
    path: Path
    closed_at: float
    """[s] since 1970."""


def save_last_session(session: Session) -> bool:
    """Remember what is open now in place of what was open before, which is deleted only when the new one is on the disk.

    Returns
    -------
    bool
        False if it could not be written, as on a full disk: what was remembered before is there still.
    """
    path = _last_session_folder() / f"{time.time_ns()}.toml"
    try:
        _write_session(session, path)
    except (OSError, InputError) as error:
        log.warning("what is open is not remembered: %s", error)
        delete_session_files(path)
        return False
    for other in _last_session_folder().glob("[!.]*.toml"):
        if other != path:
            delete_session_files(other)
    return True


def load_last_session() -> LastSession | None:
    """What was open when the window was closed last; None where nothing is remembered that can be read."""
    for path in sorted(_last_session_folder().glob("[!.]*.toml"), key=_modified_at, reverse=True):
        try:
            return LastSession(read_saved_session(path), path, path.stat().st_mtime)
        except (OSError, InputError) as error:
            log.info("what was open last cannot be read: %s", error)
    return None


def _last_session_folder() -> Path:
    return resources.settings_folder() / "last"


class RecoveryFile:
    """What is kept of one window in case its process is killed: a session, with its mesh in the folder beside it. A lock
    says that the window lives."""

    def __init__(self) -> None:
        self.path = _recovery_folder() / f"{os.getpid()}-{id(self):x}.toml"
        self.folder = self.path.with_suffix("")
        self._lock = FileLock(self.path)
        self._is_locked = False

    def lock(self) -> None:
        """The window lives from now on. OSError where there is no place to write to."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock.acquire()
        self._is_locked = True

    def write(self, session: Session) -> None:
        """Keep this in place of what was kept before. OSError or `InputError` where that cannot be."""
        _write_session(session, self.path)

    def adopt(self, path: Path) -> None:
        """Keep what another window had kept, which is shown here now: at no moment is neither of the two there."""
        with suppress(OSError):
            path.replace(self.path)
        delete_session_files(path)

    def remove(self, keep_files: bool = False) -> None:
        """Let go of it, as the window closes. Unless its files are kept, nothing is recovered at the next start."""
        if self._is_locked:
            if not keep_files:
                delete_session_files(self.path)
            self._lock.release()
            self._is_locked = False


def _write_session(session: Session, path: Path) -> None:
    """Keep a session, and its body's mesh and its recordings in the folder beside."""
    session.preset.copy_files(path.with_suffix(""), overwrite=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, format_session(session))


def read_saved_session(path: Path) -> Session:
    """What was kept for recovery, or of the run that was open last; its mesh and recordings are in the folder beside.
    `InputError` where it cannot be read."""
    session = read_session(path)
    preset = session.preset.with_folder(path.with_suffix(""))
    return replace(session, preset=replace(preset, name="", path=None))


def move_files_to(session: Session, folder: Path) -> Session:
    """A session whose mesh and recordings are in `folder` from now on: what is recovered is deleted."""
    session.preset.copy_files(folder, overwrite=True)
    return replace(session, preset=session.preset.with_folder(folder))


def recoverable_sessions(report: Callable[[InputError], None] = log.warning) -> list[Path]:
    """Files of windows that do not live any more, the newest first. Those that cannot be read, of a newer version perhaps, stay
    where they are; `report` hears of each, once."""
    delete_stale_temporaries(_recovery_folder())
    delete_stale_locks(_recovery_folder())
    return sorted(
        (path for path in _orphaned_files() if _is_readable(path, report)), key=_modified_at, reverse=True
    )


def _is_readable(path: Path, report: Callable[[InputError], None]) -> bool:
    """Whether what was kept can be read. That it cannot was told where a mark is beside it, which is forgotten with it."""
    try:
        read_saved_session(path)
    except InputError as refusal:
        marker = path.with_suffix("") / ".told"
        if not marker.exists():
            message = phrase(
                "What a killed window kept cannot be restored and stays in {at}", at=refusal.place
            )
            report(refusal.with_place(message))
            with suppress(OSError):
                marker.parent.mkdir(exist_ok=True)
                marker.touch()
        return False
    return True


def _modified_at(path: Path) -> float:
    """When a file was written, 0 where another window took it [s]."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def delete_session_files(path: Path) -> None:
    """Delete what was kept."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
    shutil.rmtree(path.with_suffix(""), ignore_errors=True)


def _orphaned_files() -> Iterator[Path]:
    for path in _recovery_folder().glob(
        "[!.]*.toml"
    ):  # others were half written when their window was killed
        lock = FileLock(path)
        if lock.acquire():
            lock.release()
            yield path


def _recovery_folder() -> Path:
    return resources.settings_folder() / "recovery"


def default_preset() -> Preset:
    """A body with three moments, spun nearly about the middle one, where something happens."""
    return Preset(
        title="Untitled",
        body=Body(inertia=[3.0, 2.0, 1.5]),
        initial=Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.02, 2.0, 0.0]),
        run=RunSettings(duration=30.0, dt=1e-3, sample_interval=0.01),
        lanes=["newton_euler"],  # type: ignore[list-item]
    )
