"""Comparison of an edited run with its preset, and detection of sentences in the preset's texts that may no longer hold."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.formatting import format_short, humanize
from quatviz.base.markdown import WORD_JOINER
from quatviz.base.parameters import to_table
from quatviz.base.translation import tr
from quatviz.files.files import file_signature
from quatviz.files.preset import Lane, Preset, parse_dependencies
from quatviz.files.preset_files import preset_paths
from quatviz.files.preset_reading import read_document, read_preset, read_text_file
from quatviz.physics.formulations import lane_title
from quatviz.physics.mechanics.initial import Initial

_RELATIVE_TOLERANCE = 1e-9
"""Relative tolerance within which two initial states count as the same."""


def find_origin(preset: Preset) -> Preset | None:
    """Return the current version of the preset from which a run was made, or None if it is not found.

    This is the preset in the file of the run or, for a session, the preset that the session names. In both cases, it
    must have the same title as the run. Otherwise, as for an older session, it is the only preset with this title.
    """
    path = _origin_path(preset)
    try:
        return _read_cached(path, path.stat().st_mtime_ns) if path is not None else None
    except (OSError, InputError):
        return None


def origin_name(preset: Preset) -> str:
    """Return the name, to be stored in a session, of the preset from which a run was made. Return "" if it is not in
    the list of presets."""
    if preset.origin or preset.path is None:
        return preset.origin
    own_path = preset.path.resolve()
    candidates = ((name, path) for name, path in _listed_presets().items() if path.name == own_path.name)
    return next((name for name, path in candidates if path.resolve() == own_path), "")


def _origin_path(preset: Preset) -> Path | None:
    if preset.path is not None and read_title(preset.path) == preset.title:
        return preset.path
    same_title = {name: path for name, path in _listed_presets().items() if read_title(path) == preset.title}
    if preset.origin:
        return same_title.get(preset.origin)
    return next(iter(same_title.values())) if len(same_title) == 1 else None


def _listed_presets() -> dict[str, Path]:
    return preset_paths(resources.preset_folder(), resources.user_preset_folder())


def read_title(path: Path) -> str | None:
    """Return the title of the preset in a file without checking its other values, or None for a session or an unreadable
    file."""
    signature = file_signature(path)
    return None if signature is None else _read_title_cached(path, signature)


@lru_cache(maxsize=1000)
def _read_title_cached(path: Path, signature: tuple[int, int]) -> str | None:
    """Read a title. Titles are cached because every edit of a run without an origin asks for those of all presets.
    `signature` only serves as a part of the cache key, so that a changed file is read again."""
    try:
        document = read_document(read_text_file(path), str(path), dict)
    except InputError:
        return None
    return None if "session" in document else str(document.get("title"))


@lru_cache(maxsize=4)
def _read_cached(path: Path, modified_ns: int) -> Preset:
    """Read a preset. The modification time `modified_ns` [ns] only serves as a part of the cache key, so that a file
    that the user has saved is read again."""
    return read_preset(path)


NUMERICAL_SECTIONS = ("Run", "Lanes")
"""Sections whose edits change only the computation, not the motion that it approximates."""


def describe_edits(preset: Preset, origin: Preset) -> dict[str, str]:
    """Describe the differences between a run and its preset in words, by the section in which the user edits
    them.

    >>> from dataclasses import replace
    >>> preset = read_preset(resources.preset_folder() / "heavy_top.toml")
    >>> describe_edits(replace(preset, run=replace(preset.run, dt=2e-3), lanes=preset.lanes[:1]), preset)
    {'Run': 'run (time step)', 'Lanes': 'lanes'}
    """
    found = _find_edits(_IdentityKey(preset), _IdentityKey(origin))
    body = [
        *map(humanize, found.body),
        *([tr("ring")] if found.ring else []),
        *([tr("rotors")] if found.rotors else []),
    ]
    loads = [tr("loads")] if found.loads else []
    if found.lane_loads:
        loads = [*loads, tr("loads of lanes")]
    edits = {
        "Body": tr("body ({names})", names=", ".join(body)) if body else "",
        "Initial state": tr("initial state") if found.initial else "",
        "Loads": ", ".join(loads),
        "Events": tr("events") if found.events else "",
        "Run": tr("run ({names})", names=", ".join(map(humanize, found.run))) if found.run else "",
        "Lanes": tr("lanes") if found.lanes else "",
    }
    return {section: text for section, text in edits.items() if text}


class _Edits(NamedTuple):
    """Differences between a run and its preset: keys of the edited parameters, and True for each other edited part."""

    body: list[str]
    ring: bool
    rotors: bool
    initial: bool
    loads: bool
    lane_loads: bool
    events: bool
    run: list[str]
    lanes: bool


class _IdentityKey:
    """A preset as a cache key that is compared by identity. To hash the values of a preset takes longer than to compare
    two presets."""

    def __init__(self, preset: Preset) -> None:
        self.preset = preset

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _IdentityKey) and self.preset is other.preset

    def __hash__(self) -> int:
        return id(self.preset)


@lru_cache(maxsize=4)
def _find_edits(key: _IdentityKey, origin_key: _IdentityKey) -> _Edits:
    """Compare a preset with its origin. The result is cached because several parts of the window ask for it after each step
    of a drag. It contains no translated texts, so that it stays valid in another language."""
    preset, origin = key.preset, origin_key.preset
    return _Edits(
        body=_edited_parameters(preset.body, origin.body),
        ring=preset.body.ring != origin.body.ring,
        rotors=preset.body.rotors != origin.body.rotors,
        initial=is_initial_edited(preset.initial, origin.initial, preset),
        loads=preset.loads != origin.loads,
        lane_loads=_are_lane_loads_edited(preset.lanes, origin.lanes),
        events=preset.events != origin.events,
        run=_edited_parameters(preset.run, origin.run),
        lanes=not _have_same_motion(preset.lanes, origin.lanes),
    )


def motion_edits(preset: Preset) -> list[str]:
    """Return the descriptions of the edits that change the motion of a run. Edits that change only its
    computation are left out."""
    edits = describe_edits(preset, find_origin(preset) or preset)
    return [text for section, text in edits.items() if section not in NUMERICAL_SECTIONS]


def shown_title(preset: Preset) -> str:
    """Return the title under which a run is shown and exported: the title of its preset, followed by "(edited)"
    if the motion of the run differs from that of the preset."""
    if not motion_edits(preset):
        return preset.title
    return tr("{title} (edited)", title=preset.title)


def marked_text(text: str, preset: Preset) -> str:
    """Return a text of the preset of a run, with `OUTDATED_MARK` after each sentence that may no longer be true."""
    origin = find_origin(preset) or preset
    edits = describe_edits(preset, origin)
    if not edits:
        return text
    sentences = mark_outdated_sentences(text, edits, origin)
    return " ".join(
        f"{sentence} {OUTDATED_MARK}" if is_outdated else sentence for sentence, is_outdated in sentences
    )


def _have_same_motion(lanes: Sequence[Lane], others: Sequence[Lane]) -> bool:
    """Return True if two sequences of lanes differ at most in the names of the lanes."""
    return len(lanes) == len(others) and all(
        lane.has_same_motion(other) for lane, other in zip(lanes, others, strict=True)
    )


def _are_lane_loads_edited(lanes: Sequence[Lane], original_lanes: Sequence[Lane]) -> bool:
    """Return True if the loads of a single lane were edited.

    If lanes were added or removed, a lane counts as edited only if it has loads that no original lane has.
    """
    if len(lanes) == len(original_lanes):
        return any(lane.loads != other.loads for lane, other in zip(lanes, original_lanes, strict=True))
    known = [(), *(tuple(lane.loads) for lane in original_lanes)]
    return any(tuple(lane.loads) not in known for lane in lanes)


def is_initial_edited(initial: Initial, origin: Initial, preset: Preset) -> bool:
    """Return True if two initial states differ in their values. Equal values in different representations do not count
    as different."""
    if initial == origin:
        return False
    current, original = (_initial_numbers(state, preset) for state in (initial, origin))
    return not np.allclose(
        current, original, rtol=_RELATIVE_TOLERANCE, atol=_RELATIVE_TOLERANCE * np.abs(original).max()
    )


def _initial_numbers(initial: Initial, preset: Preset) -> np.ndarray:
    """Return p (4), omega (3), position (3) and velocity (3) of an initial state as one array (13,)."""
    flight = [np.zeros(3) if vector is None else vector for vector in (initial.position, initial.velocity)]
    return np.concatenate((initial.p(), initial.omega(preset.body), *flight))


def _edited_parameters(current: Any, origin: Any) -> list[str]:
    """Return the keys of the declared parameters whose values differ between two objects of one class."""
    if current is origin:
        return []
    current_table, original_table = to_table(current), to_table(origin)
    return [
        key
        for key in {**original_table, **current_table}
        if current_table.get(key) != original_table.get(key)
    ]


_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_MEASURED_NUMBER = re.compile(
    r"(?<![\w.])(?<!\w-)(\d+\.\d|\d+e-\d|\d+ (s|ms|rad|degrees?|percent|%|J|m|kg|rad/s|m/s|turns|times)\b)"
)
"""Pattern of a measured value: a decimal number, or a number with a unit. It does not match names such as 3-2-1, h2
or 4T."""
_MOTION_WORDS = re.compile(
    r"(?<!\w)(for ever|never|steadil?y|turn(s|ing)? (over|back|round)|spun|spins?|falls?|fell|stays?|stayed|stands?|rest|nods?|"
    r"swings?|grows?|crosses|wanders?|precess\w*|tumbles?|walks?|constant|conserved|intermediate|upright|fast)(?!\w)",
    re.IGNORECASE,
)
"""Pattern of words that describe the motion of a body or the conditions for it."""
_LANE_WORDS = re.compile(r"(?<!\w)(lanes?|curves?|ghosts?)(?!\w)", re.IGNORECASE)


def mark_outdated_sentences(text: str, edited: Collection[str], origin: Preset) -> list[tuple[str, bool]]:
    """Return the sentences of a text about a preset, each with True if it may no longer be true after edits.

    If `Preset.depends` lists a sentence, it is marked if one of the tables listed there was edited. Any other
    sentence that contains a measured value or describes the motion is marked if the motion was edited. Any other
    sentence about lanes is marked if anything was edited.

    Parameters
    ----------
    text
        Text of the preset.
    edited
        Names of the edited sections.
    origin
        Preset before the edits.
    """
    lane_words = {
        name.casefold()
        for lane in origin.lanes
        for name in (lane.name, lane.integrator, lane.formulation)
        if name
    }
    is_motion_edited = not set(edited) <= set(NUMERICAL_SECTIONS)
    edited_tables = {section.split()[0].lower() for section in edited}
    dependencies = parse_dependencies(origin.depends)

    def is_outdated(sentence: str) -> bool:
        matching_tables = (
            tables
            for words, tables in dependencies.items()
            if sentence.replace(WORD_JOINER, "").startswith(words)
        )
        depended_tables = next(matching_tables, None)
        if depended_tables is not None:
            return not depended_tables.isdisjoint(edited_tables)
        motion_match = _MEASURED_NUMBER.search(sentence) or _MOTION_WORDS.search(sentence)
        return (is_motion_edited and motion_match is not None) or (
            bool(edited)
            and (_LANE_WORDS.search(sentence) is not None or _contains_any(sentence.casefold(), lane_words))
        )

    return [
        (candidate, is_outdated(candidate))
        for candidate in _SENTENCE.split(" ".join(text.split()))
        if candidate
    ]


def _contains_any(text: str, names: Collection[str]) -> bool:
    """Return True if the text contains one of the names as whole words. The names are not combined to a regular
    expression, because its compilation would take half a second for 200 lanes.

    >>> _contains_any("rk4 and euler", {"rk4"}), _contains_any("rk45 and euler", {"rk4"})
    (True, False)
    """
    return any(_contains_name(text, name) for name in names)


def _contains_name(text: str, name: str) -> bool:
    begin = text.find(name)
    while begin >= 0:
        neighbors = text[max(begin - 1, 0) : begin] + text[begin + len(name) : begin + len(name) + 1]
        if not any(character.isalnum() or character == "_" for character in neighbors):
            return True
        begin = text.find(name, begin + 1)
    return False


OUTDATED_MARK = "(?)"
"""Mark at the end of a sentence that may no longer be true."""


def edits_notice(preset: Preset, edits: Mapping[str, str]) -> str:
    """Return the notice above the texts of a preset that may no longer describe its run, or "" if they do.

    Parameters
    ----------
    preset
        Preset of the run.
    edits
        Descriptions of its edits, as `describe_edits` returns them.
    """
    if not edits and preset.origin and find_origin(preset) is None:
        return tr(
            "These texts describe the preset “{name}”, which is not on this computer. Values may have been changed since.",
            name=preset.origin,
        )
    if not edits:
        return ""
    return tr(
        "Edited: {parts}. Gray sentences marked (?) describe the original preset and may no longer be true.",
        parts=", ".join(edits.values()),
    )


def summarize_sections(preset: Preset) -> dict[str, str]:
    """Return a short summary of each section of a preset, by heading."""
    moments = ", ".join(format_short(moment) for moment in preset.body.principal()[0])
    is_full = not preset.body.is_principal
    rotors = len(preset.body.rotors)
    rotor_text = tr(", {count} rotors", count=rotors) if rotors > 1 else tr(", 1 rotor") if rotors else ""
    rate_symbol = "ω" if preset.initial.angular_momentum is None else "h"
    rate = preset.initial.angular_velocity if rate_symbol == "ω" else preset.initial.angular_momentum
    load_names = [humanize(load.name) for load in preset.loads]
    lane_load_names = [
        tr("{load} on {lane}", load=humanize(load.name), lane=lane_title(lane.name or lane.formulation))
        for lane in preset.lanes
        for load in lane.loads
    ]
    events = [tr(event.summary) for event in preset.events]
    return {
        "Body": (
            tr("principal J = {moments} kg m²", moments=moments)
            if is_full
            else tr("J = {moments} kg m²", moments=moments)
        )
        + rotor_text,
        "Initial state": f"{rate_symbol} = {', '.join(format_short(value) for value in rate)}",
        "Loads": ", ".join([*load_names, *lane_load_names]) or tr("none"),
        "Events": ", ".join(events) or tr("none"),
        "Run": tr(
            "{duration} s, dt = {dt} s",
            duration=format_short(preset.run.duration),
            dt=format_short(preset.run.dt),
        ),
    }
