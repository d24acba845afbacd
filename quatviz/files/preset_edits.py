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
from quatviz.base.formatting import in_words, short_number
from quatviz.base.markdown import JOINER
from quatviz.base.parameters import to_table
from quatviz.base.translation import told, tr
from quatviz.files.preset import Lane, Preset, dependences
from quatviz.files.preset_files import preset_paths
from quatviz.files.preset_reading import read_document, read_preset, read_text
from quatviz.physics.mechanics.initial import Initial

_SAME = 1e-9
"""Relative difference up to which an initial state that is written in another way is the same one."""


def origin_of(preset: Preset) -> Preset | None:
    """The preset that a run was made from, as its file has it now: the run's own file, unless that is a session; else the
    preset of its title. None where there is none that can be read."""
    path = _path_of(preset.title, preset.path)
    try:
        return _read(path, path.stat().st_mtime_ns) if path is not None else None
    except (OSError, InputError):
        return None


@lru_cache(maxsize=8)
def _path_of(title: str, own: Path | None) -> Path | None:
    if own is not None and _title(own) == title:
        return own
    known = preset_paths(resources.preset_folder(), resources.own_preset_folder())
    return next((path for path in known.values() if _title(path) == title), None)


def _title(path: Path) -> str | None:
    """Of the preset in a file; None where it is a session, or cannot be read."""
    try:
        document = read_document(read_text(path), str(path), dict)
    except InputError:
        return None
    return None if "session" in document else str(document.get("title"))


@lru_cache(maxsize=4)
def _read(path: Path, written: int) -> Preset:
    """`written` is when [ns]: a preset of one's own may be saved anew."""
    return read_preset(path)


_OF_COMPUTING = ("Run", "Lanes")


def difference(preset: Preset, origin: Preset) -> dict[str, str]:
    """What differs between a run and the preset that it was made from: in words, by the heading under which it is edited.

    >>> from dataclasses import replace
    >>> preset = read_preset(resources.preset_folder() / "heavy_top.toml")
    >>> difference(replace(preset, run=replace(preset.run, dt=2e-3), lanes=preset.lanes[:1]), preset)
    {'Run': 'run (time step)', 'Lanes': 'lanes'}
    """
    body = _keys(preset.body, origin.body)
    if preset.body.ring != origin.body.ring:
        body = [*body, tr("ring")]
    run = _keys(preset.run, origin.run)
    lanes = preset.lanes != origin.lanes and _unnamed(preset) != _unnamed(origin)
    edits = {
        "Body": tr("body ({what})", what=", ".join(body)) if body else "",
        "Initial state": tr("initial state") if is_edited(preset.initial, origin.initial, preset) else "",
        "Loads": tr("loads") if preset.loads != origin.loads else "",
        "Events": tr("events") if preset.events != origin.events else "",
        "Run": tr("run ({what})", what=", ".join(run)) if run else "",
        "Lanes": tr("lanes") if lanes else "",
    }
    return {heading: words for heading, words in edits.items() if words}


def _unnamed(preset: Preset) -> list[Lane]:
    """What its lanes compute, whatever they are called."""
    return [replace(lane, name=None) for lane in preset.lanes]


def is_edited(initial: Initial, origin: Initial, preset: Preset) -> bool:
    """Whether an initial state is another one, and not the same written in another way."""
    if initial == origin:
        return False
    now, before = (_numbers(one, preset) for one in (initial, origin))
    return not np.allclose(now, before, rtol=_SAME, atol=_SAME * np.abs(before).max())


def _numbers(initial: Initial, preset: Preset) -> np.ndarray:
    """Of a start: p, omega, and how the centre of mass flies."""
    flight = [np.zeros(3) if one is None else one for one in (initial.position, initial.velocity)]
    return np.concatenate((initial.p(), initial.omega(preset.body), *flight))


def _keys(thing: Any, origin: Any) -> list[str]:
    """The declared parameters in which two of a kind differ, in words."""
    now, before = to_table(thing), to_table(origin)
    return [in_words(key) for key in {**before, **now} if now.get(key) != before.get(key)]


_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_FIGURE = re.compile(
    r"(?<![\w.])(?<!\w-)(\d+\.\d|\d+e-\d|\d+ (s|ms|rad|degrees?|percent|%|J|m|kg|rad/s|m/s|turns|times)\b)"
)
"""What was measured: a decimal, or a number with a unit; not the sequence 3-2-1, h2, or 4T."""
_COURSE = re.compile(
    r"(?<!\w)(for ever|never|steadil?y|turn(s|ing)? (over|back|round)|spun|spins?|falls?|fell|stays?|stayed|stands?|rest|nods?|"
    r"swings?|grows?|crosses|wanders?|precess\w*|tumbles?|walks?|constant|conserved|intermediate|upright|fast)(?!\w)",
    re.IGNORECASE,
)
"""What a body does, or how it must be made and begin to do so."""
_OF_LANES = r"lanes?|curves?|ghosts?"


def sentences(text: str, edited: Collection[str], origin: Preset) -> list[tuple[str, bool]]:
    """The sentences of a text about a preset, each with whether it may not hold any more after edits under these headings: as the
    preset says it; else those with a figure that was measured, or what the body does, where the motion was edited, those about
    lanes where anything was."""
    called = {
        name for lane in origin.lanes for name in (lane.name, lane.integrator, lane.formulation) if name
    }
    of_lanes = re.compile(rf"(?<!\w)({'|'.join([_OF_LANES, *map(re.escape, called)])})(?!\w)", re.IGNORECASE)
    moves_otherwise = not set(edited) <= set(_OF_COMPUTING)
    tables = {heading.split()[0].lower() for heading in edited}
    declared = dependences(origin.depends)

    def doubtful(sentence: str) -> bool:
        begun = (on for words, on in declared.items() if sentence.replace(JOINER, "").startswith(words))
        depends = next(begun, None)
        if depends is not None:
            return not depends.isdisjoint(tables)
        of_motion = _FIGURE.search(sentence) or _COURSE.search(sentence)
        return (moves_otherwise and of_motion is not None) or (
            bool(edited) and of_lanes.search(sentence) is not None
        )

    return [(one, doubtful(one)) for one in _SENTENCE.split(" ".join(text.split())) if one]


def synopses(preset: Preset) -> dict[str, str]:
    """The parts of a preset in a few words each."""
    moments = ", ".join(short_number(moment) for moment in preset.body.principal()[0])
    full = not preset.body.is_principal
    given = "ω" if preset.initial.angular_momentum is None else "h"
    rate = preset.initial.angular_velocity if given == "ω" else preset.initial.angular_momentum
    kinds = [in_words(load.name) for load in preset.loads]
    events = [told(event.words) for event in preset.events]
    return {
        "Body": tr("J full, principal {moments} kg m²", moments=moments)
        if full
        else tr("J = {moments} kg m²", moments=moments),
        "Initial state": f"{given} = {', '.join(short_number(value) for value in rate)}",
        "Loads": ", ".join(kinds) or tr("none"),
        "Events": ", ".join(events) or tr("none"),
        "Run": tr(
            "{duration} s, dt = {dt} s",
            duration=short_number(preset.run.duration),
            dt=short_number(preset.run.dt),
        ),
    }
