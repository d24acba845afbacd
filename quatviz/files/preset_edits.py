"""What a run that was edited still has of its preset: which parts are others now, and which sentences about it may not hold."""

import re
from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.formatting import format_short, humanize
from quatviz.base.markdown import WORD_JOINER
from quatviz.base.parameters import to_table
from quatviz.base.translation import tr
from quatviz.files.preset import Lane, Preset, parse_dependencies
from quatviz.files.preset_files import preset_paths
from quatviz.files.preset_reading import read_document, read_preset, read_text_file
from quatviz.physics.mechanics.initial import Initial

_RELATIVE_TOLERANCE = 1e-9
"""Relative difference up to which an initial state that is written in another way is the same one."""


def find_origin(preset: Preset) -> Preset | None:
    """The preset that a run was made from, as its file has it now: the run's own file, unless that is a session; else the
    preset of its title. None where there is none that can be read."""
    path = _origin_path(preset.title, preset.path)
    try:
        return _read_cached(path, path.stat().st_mtime_ns) if path is not None else None
    except (OSError, InputError):
        return None


@lru_cache(maxsize=8)
def _origin_path(title: str, own_path: Path | None) -> Path | None:
    if own_path is not None and _title_in(own_path) == title:
        return own_path
    paths_by_name = preset_paths(resources.preset_folder(), resources.user_preset_folder())
    return next((path for path in paths_by_name.values() if _title_in(path) == title), None)


def _title_in(path: Path) -> str | None:
    """Of the preset in a file; None where it is a session, or cannot be read."""
    try:
        document = read_document(read_text_file(path), str(path), dict)
    except InputError:
        return None
    return None if "session" in document else str(document.get("title"))


@lru_cache(maxsize=4)
def _read_cached(path: Path, modified_ns: int) -> Preset:
    """`modified_ns` is when [ns]: a preset of one's own may be saved anew."""
    return read_preset(path)


_NUMERICAL_HEADINGS = ("Run", "Lanes")


def describe_edits(preset: Preset, origin: Preset) -> dict[str, str]:
    """What differs between a run and the preset that it was made from: in words, by the heading under which it is edited.

    >>> from dataclasses import replace
    >>> preset = read_preset(resources.preset_folder() / "heavy_top.toml")
    >>> describe_edits(replace(preset, run=replace(preset.run, dt=2e-3), lanes=preset.lanes[:1]), preset)
    {'Run': 'run (time step)', 'Lanes': 'lanes'}
    """
    body = _edited_parameters(preset.body, origin.body)
    if preset.body.ring != origin.body.ring:
        body = [*body, tr("ring")]
    if preset.body.rotors != origin.body.rotors:
        body = [*body, tr("rotors")]
    run = _edited_parameters(preset.run, origin.run)
    lanes = preset.lanes != origin.lanes and _unnamed_lanes(preset) != _unnamed_lanes(origin)
    edits = {
        "Body": tr("body ({what})", what=", ".join(body)) if body else "",
        "Initial state": tr("initial state")
        if is_initial_edited(preset.initial, origin.initial, preset)
        else "",
        "Loads": tr("loads") if preset.loads != origin.loads else "",
        "Events": tr("events") if preset.events != origin.events else "",
        "Run": tr("run ({what})", what=", ".join(run)) if run else "",
        "Lanes": tr("lanes") if lanes else "",
    }
    return {heading: words for heading, words in edits.items() if words}


def _unnamed_lanes(preset: Preset) -> list[Lane]:
    """What its lanes compute, whatever they are called."""
    return [replace(lane, name=None) for lane in preset.lanes]


def is_initial_edited(initial: Initial, origin: Initial, preset: Preset) -> bool:
    """Whether an initial state is another one, and not the same written in another way."""
    if initial == origin:
        return False
    current, original = (_initial_numbers(state, preset) for state in (initial, origin))
    return not np.allclose(
        current, original, rtol=_RELATIVE_TOLERANCE, atol=_RELATIVE_TOLERANCE * np.abs(original).max()
    )


def _initial_numbers(initial: Initial, preset: Preset) -> np.ndarray:
    """Of a start: p, omega, and how the centre of mass flies."""
    flight = [np.zeros(3) if vector is None else vector for vector in (initial.position, initial.velocity)]
    return np.concatenate((initial.p(), initial.omega(preset.body), *flight))


def _edited_parameters(current: Any, origin: Any) -> list[str]:
    """The declared parameters in which two of a kind differ, in words."""
    current_table, original_table = to_table(current), to_table(origin)
    return [
        humanize(key)
        for key in {**original_table, **current_table}
        if current_table.get(key) != original_table.get(key)
    ]


_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_MEASURED_NUMBER = re.compile(
    r"(?<![\w.])(?<!\w-)(\d+\.\d|\d+e-\d|\d+ (s|ms|rad|degrees?|percent|%|J|m|kg|rad/s|m/s|turns|times)\b)"
)
"""What was measured: a decimal, or a number with a unit; not the sequence 3-2-1, h2, or 4T."""
_MOTION_WORDS = re.compile(
    r"(?<!\w)(for ever|never|steadil?y|turn(s|ing)? (over|back|round)|spun|spins?|falls?|fell|stays?|stayed|stands?|rest|nods?|"
    r"swings?|grows?|crosses|wanders?|precess\w*|tumbles?|walks?|constant|conserved|intermediate|upright|fast)(?!\w)",
    re.IGNORECASE,
)
"""What a body does, or how it must be made and begin to do so."""
_LANE_WORDS = r"lanes?|curves?|ghosts?"


def mark_outdated_sentences(text: str, edited: Collection[str], origin: Preset) -> list[tuple[str, bool]]:
    """The sentences of a text about a preset, each with whether it may not hold any more after edits under these headings: as the
    preset says it; else those with a figure that was measured, or what the body does, where the motion was edited, those about
    lanes where anything was."""
    lane_words = {
        name for lane in origin.lanes for name in (lane.name, lane.integrator, lane.formulation) if name
    }
    lane_pattern = re.compile(
        rf"(?<!\w)({'|'.join([_LANE_WORDS, *map(re.escape, lane_words)])})(?!\w)", re.IGNORECASE
    )
    is_motion_edited = not set(edited) <= set(_NUMERICAL_HEADINGS)
    edited_tables = {heading.split()[0].lower() for heading in edited}
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
            bool(edited) and lane_pattern.search(sentence) is not None
        )

    return [
        (candidate, is_outdated(candidate))
        for candidate in _SENTENCE.split(" ".join(text.split()))
        if candidate
    ]


def summarize_sections(preset: Preset) -> dict[str, str]:
    """The parts of a preset in a few words each."""
    moments = ", ".join(format_short(moment) for moment in preset.body.principal()[0])
    is_full = not preset.body.is_principal
    rotors = len(preset.body.rotors)
    rotor_text = tr(", {count} rotors", count=rotors) if rotors > 1 else tr(", 1 rotor") if rotors else ""
    rate_symbol = "ω" if preset.initial.angular_momentum is None else "h"
    rate = preset.initial.angular_velocity if rate_symbol == "ω" else preset.initial.angular_momentum
    load_names = [humanize(load.name) for load in preset.loads]
    lane_load_names = [
        tr("{load} on {lane}", load=humanize(load.name), lane=lane.name or lane.formulation)
        for lane in preset.lanes
        for load in lane.loads
    ]
    events = [tr(event.summary) for event in preset.events]
    return {
        "Body": (
            tr("J full, principal {moments} kg m²", moments=moments)
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
