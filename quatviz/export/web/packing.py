"""A run as the page holds it: a description, and its numbers as Float32, one column after the other, coded."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, listed, phrase, refuse_unknown_name
from quatviz.base.version import __version__
from quatviz.display.view_state.session import Session
from quatviz.export.figures.figure import method_text
from quatviz.export.table import Progress, packages, text_of, unheard
from quatviz.export.web.column_encoding import coded
from quatviz.export.web.mechanism import FORCE, Force, forces_of, ring_of
from quatviz.physics.formulations import lane_title
from quatviz.physics.mechanics.euler_sequences import SEQUENCES
from quatviz.physics.mechanics.solid import solid_of
from quatviz.physics.observables.jumps import NONE, find, flips, stepped
from quatviz.physics.observables.quantities import QUANTITIES, Motion
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

RATE = 60.0
"""Samples kept of a second: as many as a screen shows pictures."""

_QUANTITIES = ("p", "omega", "h", "lam", "lam_theory", "kinetic", "potential", "energy_drift", "constraint")
_LOGARITHMIC = ("energy_drift", "constraint", "momentum_drift")
_VECTORS = ("omega", "h", "torque")


def pack(
    run: Simulation,
    lanes: Sequence[str] | None = None,
    *,
    sequence: str | None = None,
    rate: float = RATE,
    progress: Progress = unheard,
) -> tuple[dict[str, Any], bytes]:
    """The description of a run for the page, and its numbers.

    Of each lane every `every`-th sample is kept, so that at most `rate` of them fall into a second. The description says
    where in the numbers a column starts: `lanes[i]["columns"][quantity]` is the index of its first float32; its rows
    (`rows`, k) follow one after the other. `coded` tells of all columns, in this order, what unpacks them: see `coding`.
    `breaks` lists component by component the kept rows after which a line must not go on: of p and the Euler angles where
    these jump, and of whatever an event has made another at once.
    `InputError` for lanes or a sequence that are not there, and for a senseless rate.
    """
    chosen = _chosen(run, lanes)
    refuse_settings(sequence, rate)
    sequence = sequence or _own_sequence(run)
    every = max(1, math.ceil(1.0 / (rate * run.interval) - 1e-9))
    angles = f"angles_{sequence}"
    names = [*_QUANTITIES, angles, "torque" if run.preset.loads else "momentum_drift"]
    if run.preset.body.ring is not None:
        names.append("ring_angle")
    told, forces = forces_of(run)
    numbers = _Numbers(names, forces, every)
    packed: list[dict[str, Any]] = []
    for number, lane in enumerate(run):
        if lane in chosen:
            progress(len(packed) / len(chosen))
            motion = lane.motion()
            packed.append(_lane(lane, number, motion, every, numbers.take(motion), sequence))
    whole, coded_columns = coded(numbers.columns)
    description = {
        **_about(run, every),
        "sequence": sequence,
        "quantities": {name: _quantity(name) for name in names} | dict.fromkeys(forces, FORCE),
        "forces": told,
        "ring": ring_of(run),
        "scales": numbers.scales,
        "sizes": run.lanes[0].motion(stop=1).sizes,
        "lanes": packed,
        "coded": coded_columns,
    }
    return description, whole


class _Numbers:
    """The columns of all lanes: each with whether it keeps every bit. `scales` are the largest sizes of vectors, of all samples."""

    def __init__(self, names: Sequence[str], forces: Mapping[str, Force], every: int) -> None:
        self._names, self._forces, self._every = names, forces, every
        self._offset = 0
        self.columns: list[tuple[np.ndarray, bool]] = []
        self.scales = dict.fromkeys((*_VECTORS, "force"), 0.0)

    def take(self, motion: Motion) -> dict[str, int]:
        """Keep the columns of a lane, all but those without any finite number; where each of them begins."""
        starts: dict[str, int] = {}
        for name, full in self._of(motion):
            values = _single(full[:: self._every])
            if np.isfinite(values).any():
                starts[name] = self._offset
                self._offset += values.size
                self.columns.append((values.reshape(len(values), -1), name in _LOGARITHMIC))
        self._widen("force", motion.largest_force)
        return starts

    def _of(self, motion: Motion) -> Iterator[tuple[str, np.ndarray]]:
        for name in self._names:
            full = QUANTITIES[name].of(motion)
            if name in self.scales:
                self._widen(name, np.linalg.norm(full, axis=1))
            yield name, full
        for name, force in self._forces.items():
            yield name, force(motion)

    def _widen(self, name: str, sizes: np.ndarray) -> None:
        self.scales[name] = max(self.scales[name], float(np.max(sizes[np.isfinite(sizes)], initial=0.0)))


def _single(values: np.ndarray) -> np.ndarray:
    """As float32; what a lane that blows up reaches beyond it is infinite."""
    with np.errstate(over="ignore"):
        return values.astype("<f4")


def _lane(
    lane: LaneRun, number: int, motion: Motion, every: int, columns: dict[str, int], sequence: str
) -> dict[str, Any]:
    angles = f"angles_{sequence}"
    found = {"p": flips(motion.p), angles: find(QUANTITIES[angles].of(motion), sequence)}
    breaks = {name: [rows[one != NONE] for one in causes.T] for name, (rows, causes) in found.items()}
    stepping = [
        name for name in columns if name in QUANTITIES and name not in _LOGARITHMIC
    ]  # those are rounding
    for cut in lane.cuts:
        led, made = lane.led_to(cut), lane.motion(cut, cut + 1)
        for name in stepping:
            apart = stepped(*(QUANTITIES[name].of(one)[0] for one in (led, made)))
            before = breaks.get(name, [np.empty(0, dtype=int)] * len(apart))
            breaks[name] = [
                np.append(rows, cut - 1) if one else rows for rows, one in zip(before, apart, strict=True)
            ]
    return {
        "name": lane_title(lane.name),
        "colour": number,
        "method": method_text(lane),
        "status": lane.status,
        "message": lane.told,
        "ended": lane.ended_at,
        "rows": len(motion.t[::every]),
        "columns": columns,
        "breaks": {
            name: [np.unique(rows // every).tolist() for rows in each]
            for name, each in breaks.items()
            if any(map(len, each))
        },
    }


def _about(run: Simulation, every: int) -> dict[str, Any]:
    preset, solid = run.preset, solid_of(run.preset.body)
    kept = f"every {ordinal(every)} of the samples" if every > 1 else "every sample"
    return {
        "name": preset.name or "run",
        "title": preset.title,
        "source": preset.source,
        "summary": preset.summary,
        "watch": preset.watch,
        "preset": text_of(Session(preset.with_run(duration=run.duration))),
        "version": listed([__version__, *map(str, packages(preset))]),
        "speed": preset.speed,
        "interval": run.interval * every,
        "duration": run.duration,
        "reduced": f"{kept} ({run.interval:g} s apart), in single precision",
        "events": sorted({event.at for event in preset.events}),
        "body": {
            "shape": "box" if preset.body.shape == "box" else "ellipsoid",
            "extents": solid.extents.tolist(),
            "axes": solid.axes.tolist(),
            "centre": solid.centre.tolist(),
            "radius": solid.radius,
            "mesh": None if solid.mesh is None else np.round(solid.mesh.rows, 4).ravel().tolist(),
        },
    }


def _quantity(name: str) -> dict[str, Any]:
    kind = QUANTITIES[name]
    return {
        "title": kind.title,
        "symbols": list(kind.symbols),
        "unit": kind.unit,
        "log": name in _LOGARITHMIC,
    }


def _chosen(run: Simulation, lanes: Sequence[str] | None) -> list[LaneRun]:
    names = [lane.name for lane in run]
    for name in lanes or ():
        refuse_unknown_name(name, names, "the lanes of the page", "lanes", number="some")
    chosen = [lane for lane in run if lanes is None or lane.name in lanes]
    if not chosen:
        raise InputError(
            "the lanes of the page", expected="at least one lane", found="none", remedy="name a lane", key="lanes"
        )  # fmt: skip
    return chosen


def refuse_settings(sequence: str | None, rate: float) -> None:
    """Refuse a sequence of Euler angles that there is not, and a senseless rate."""
    if sequence is not None:
        remedy = "write for example 321"
        refuse_unknown_name(sequence, SEQUENCES, "the Euler angles of the page", "sequence", remedy=remedy)
    if not 0.0 < rate < float("inf"):
        raise InputError(
            "the rate of the page",
            expected="samples kept of a second, above 0",
            found=f"{rate!r}",
            remedy=phrase("write for example {rate:g}", rate=RATE),
            key="rate",
        )


def _own_sequence(run: Simulation) -> str:
    """That of the first lane in Euler angles, or 321."""
    of_lanes = (lane.formulation.id.partition("/") for lane in run)
    return next((variant or "321" for name, _, variant in of_lanes if name == "euler_angles"), "321")


def ordinal(number: int) -> str:
    """Such as 22nd."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
