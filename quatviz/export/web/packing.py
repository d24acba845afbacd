"""Data of a page: a description of the run, and its encoded float32 columns.

Every `stride`-th sample of each lane is kept. In the description, `lanes[i]["columns"][quantity]` is the index of
the first float32 of a column (`rows`, k), which is stored row by row. `coded` lists the encodings of all columns in
this order (`column_encoding`). `breaks` lists, for each component, the rows after which its line is interrupted: at
jumps of p and of Euler angles, and at changes by events.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, join_phrases, phrase, refuse_unknown_name
from quatviz.base.translation import tr
from quatviz.base.version import __version__
from quatviz.display.data.row_cache import has_vector
from quatviz.display.panels.drift import DRIFT_STRIPS
from quatviz.display.scene.items.body import hides_rotor
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.figures.figure import method_text
from quatviz.export.table import Progress, ignore_progress, involved_packages, preset_text
from quatviz.export.web.column_encoding import encode_columns
from quatviz.export.web.computation import describe_computation
from quatviz.export.web.mechanism import (
    FORCE_DESCRIPTION,
    ROTOR_DESCRIPTION,
    SampleColumn,
    describe_forces,
    describe_ring,
    describe_rotors,
)
from quatviz.export.web.plots import drift_quantities, initial_plots, panel_plots, plot_order
from quatviz.files.preset import Preset
from quatviz.files.preset_edits import (
    OUTDATED_MARK,
    describe_edits,
    edits_notice,
    find_origin,
    mark_outdated_sentences,
    motion_edits,
    shown_title,
)
from quatviz.physics.formulations import lane_title
from quatviz.physics.mechanics.euler_sequences import SEQUENCES
from quatviz.physics.mechanics.solid import make_solid
from quatviz.physics.observables.jumps import NONE, changed_components, find_angle_jumps, find_sign_flips
from quatviz.physics.observables.quantities import QUANTITIES, Motion, Quantity
from quatviz.simulation.diagnostics import accuracy_verdict
from quatviz.simulation.end_reasons import with_lane_title
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.schedule import run_conserved_quantities
from quatviz.simulation.simulation import Simulation

MAX_SAMPLE_RATE = 60.0
"""Default limit of the number of samples per second of motion in a page, equal to the frame rate of a screen."""

_QUANTITIES = ("p", "omega", "h", "lam", "lam_theory", "kinetic", "potential")
_DRIFTS = tuple(strip.quantity for strip in DRIFT_STRIPS)
_MOMENTUM_ROUNDING = 1e-9
"""Magnitude of the angular momentum up to which it counts as zero, so that no arrow is drawn.

It is relative to the product of the largest moment of inertia and the largest rate.
"""
_VECTORS = ("omega", "h", "torque")


def pack_run(
    run: Simulation,
    lanes: Sequence[str] | None = None,
    *,
    sequence: str | None = None,
    rate: float = MAX_SAMPLE_RATE,
    view_state: ViewState | None = None,
    progress: Progress = ignore_progress,
) -> tuple[dict[str, Any], bytes]:
    """Return the description of a run for the page, and the encoded columns.

    Parameters
    ----------
    run, lanes
        The run, and the names of the lanes, or None for all.
    sequence
        Sequence of the Euler angles. None means the sequence of the first lane in Euler angles, or 321 without such
        a lane.
    rate
        Largest number of samples per second.
    view_state
        View state that determines the plots that are visible at first, and the frames of their vectors.
    progress
        Function that is called with the completed fraction, 0 to 1.

    Raises
    ------
    InputError
        If a lane or the sequence is unknown, or the rate is invalid.
    """
    selected_lanes = _selected_lanes(run, lanes)
    refuse_settings(sequence, rate)
    sequence = sequence or _default_sequence(run)
    stride = max(1, math.ceil(1.0 / (rate * run.interval) - 1e-9))
    angles = f"angles_{sequence}"
    has_torque = any(has_vector(lane, "torque") for lane in selected_lanes)
    drifts, plots = drift_quantities(run_conserved_quantities(run.preset)), panel_plots(run, sequence)
    names = [*_QUANTITIES, angles, *(["torque"] if has_torque else []), *drifts]
    names += [plot.quantity for plot in plots]
    quantities = {
        name: QUANTITIES[name].with_count(len(run.preset.body.rotors)) for name in dict.fromkeys(names)
    }
    force_descriptions, forces = describe_forces(run)
    rotor_descriptions, rotor_angles = describe_rotors(run)
    logarithmic = {*drifts, *(plot.quantity for plot in plots if plot.is_logarithmic)}
    numbers = _ColumnCollector(quantities, forces | rotor_angles, logarithmic, stride)
    packed: list[dict[str, Any]] = []
    for number, lane in enumerate(run):
        if lane in selected_lanes:
            progress(len(packed) / len(selected_lanes))
            motion = lane.motion()
            columns = numbers.add_lane(motion)
            packed.append(_describe_lane(lane, number, motion, stride, columns, quantities, sequence))
    encoded_bytes, coded_columns = encode_columns(numbers.columns)
    description = {
        **_describe_run(run, stride),
        "sequence": sequence,
        "drifts": drifts,
        "plots": [plot.describe() for plot in plots],
        "order": plot_order(plots),
        "first": initial_plots(run, view_state or ViewState(), plots),
        "quantities": {
            name: _describe_quantity(quantity, name in logarithmic) for name, quantity in quantities.items()
        }
        | dict.fromkeys(forces, FORCE_DESCRIPTION)
        | dict.fromkeys(rotor_angles, ROTOR_DESCRIPTION),
        "forces": force_descriptions,
        "rotors": rotor_descriptions,
        "ring": describe_ring(run),
        "scales": _without_rounding(numbers.scales, float(run.preset.body.inertia.max())),
        "sizes": run.lanes[0].motion(stop=1).scales,
        "lanes": packed,
        "computation": describe_computation(run, selected_lanes, stride),
        "coded": coded_columns,
    }
    return description, encoded_bytes


class _ColumnCollector:
    """Collector of the columns of all lanes.

    Each entry of `columns` is a column and a flag, which is True if all bits of its values are kept. `scales` are the
    largest magnitudes of the vectors.
    """

    def __init__(
        self,
        quantities: Mapping[str, Quantity],
        samplers: Mapping[str, SampleColumn],
        logarithmic: Collection[str],
        every: int,
    ) -> None:
        self._quantities, self._samplers, self._every = quantities, samplers, every
        self._logarithmic = logarithmic
        self._offset = 0
        self.columns: list[tuple[np.ndarray, bool]] = []
        self.scales = dict.fromkeys((*_VECTORS, "force"), 0.0)

    def add_lane(self, motion: Motion) -> dict[str, int]:
        """Add the columns of a lane, except columns without a finite value. Return, for each column, the index of its
        first float32."""
        starts: dict[str, int] = {}
        for name, full in self._sampled_quantities(motion):
            values = _to_float32(full[:: self._every])
            if np.isfinite(values).any():
                starts[name] = self._offset
                self._offset += values.size
                self.columns.append((values.reshape(len(values), -1), name in self._logarithmic))
        self._update_scale("force", motion.largest_force)
        return starts

    def _sampled_quantities(self, motion: Motion) -> Iterator[tuple[str, np.ndarray]]:
        for name, quantity in self._quantities.items():
            full = quantity.column_values(motion)
            if name in self.scales:
                self._update_scale(name, np.linalg.norm(full, axis=1))
            yield name, full
        for name, sample in self._samplers.items():
            yield name, sample(motion)

    def _update_scale(self, name: str, sizes: np.ndarray) -> None:
        self.scales[name] = max(self.scales[name], float(np.max(sizes[np.isfinite(sizes)], initial=0.0)))


def _without_rounding(scales: dict[str, float], moment: float) -> dict[str, float]:
    """Return the scales of the vectors, with 0 for an angular momentum that is zero up to rounding errors.

    An example is the total angular momentum of a body and its wheels. `moment` [kg m^2] is the largest moment of inertia.
    """
    is_rounding = scales["h"] <= _MOMENTUM_ROUNDING * moment * scales["omega"]
    return scales | {"h": 0.0} if is_rounding else scales


def _to_float32(values: np.ndarray) -> np.ndarray:
    """Return the values as float32. Values beyond its range, as in a diverging lane, become infinite."""
    with np.errstate(over="ignore"):
        return values.astype("<f4")


def _describe_lane(
    lane: LaneRun,
    number: int,
    motion: Motion,
    every: int,
    columns: dict[str, int],
    quantities: Mapping[str, Quantity],
    sequence: str,
) -> dict[str, Any]:
    angles = f"angles_{sequence}"
    jumps = {
        "p": find_sign_flips(motion.p),
        angles: find_angle_jumps(QUANTITIES[angles].column_values(motion), sequence),
    }
    breaks = {
        name: [rows[jumps_in_component != NONE] for jumps_in_component in causes.T]
        for name, (rows, causes) in jumps.items()
    }
    stepping = [
        name for name in columns if name in quantities and name not in _DRIFTS
    ]  # their changes are rounding errors
    for cut in lane.event_samples:
        state_before, state_after = lane.state_before_event(cut), lane.motion(cut, cut + 1)
        for name in stepping:
            differs = changed_components(
                *(
                    quantities[name].column_values(jumps_in_component)[0]
                    for jumps_in_component in (state_before, state_after)
                )
            )
            before = breaks.get(name, [np.empty(0, dtype=int)] * len(differs))
            breaks[name] = [
                np.append(rows, cut - 1) if jumps_in_component else rows
                for rows, jumps_in_component in zip(before, differs, strict=True)
            ]
    return {
        "name": lane_title(lane.name),
        "colour": number,
        "method": method_text(lane),
        "status": lane.status,
        "message": tr(with_lane_title(accuracy_verdict(lane).message, lane.name)),
        "ended": lane.ended_at,
        "rows": len(motion.t[::every]),
        "columns": columns,
        "breaks": {
            name: [np.unique(rows // every).tolist() for rows in component_breaks]
            for name, component_breaks in breaks.items()
            if any(map(len, component_breaks))
        },
    }


def _describe_run(run: Simulation, every: int) -> dict[str, Any]:
    preset, solid = run.preset, make_solid(run.preset.body)
    kept = f"every {ordinal(every)} of the samples" if every > 1 else "every sample"
    return {
        "name": preset.name or "run",
        "title": shown_title(preset),
        "source": preset.source,
        **_describe_texts(preset),
        "preset": preset_text(_session(preset.with_run(duration=run.duration))),
        "version": join_phrases([__version__, *map(str, involved_packages(preset))]),
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
            "glass": hides_rotor(preset.body, solid.radius),
            "mesh": None if solid.mesh is None else np.round(solid.mesh.shaded_rows, 4).ravel().tolist(),
        },
    }


def _session(preset: Preset) -> Session:
    """Return the session that the page offers as a file.

    If the preset was edited, a view state is added, so that the file is read as a session. quatviz then finds the
    original preset by its title, and marks sentences that may no longer be true. Without the view state, the file would
    count as an original preset, and no sentence would be marked.
    """
    return Session(preset, ViewState() if motion_edits(preset) else None)


def _describe_texts(preset: Preset) -> dict[str, Any]:
    """Return the texts about the preset as the window shows them: summary, advice on what to watch, and notice of edits.

    Summary and advice are lists of pairs: a sentence, and a mark if the sentence may no longer be true, otherwise "".
    """
    origin = find_origin(preset) or preset
    edits = describe_edits(preset, origin)

    def sentences(text: str) -> list[tuple[str, str]]:
        return [
            (sentence, OUTDATED_MARK if is_outdated else "")
            for sentence, is_outdated in mark_outdated_sentences(text, edits, origin)
        ]

    return {
        "edits": edits_notice(preset, edits),
        "summary": sentences(preset.summary),
        "watch": sentences(preset.watch),
    }


def _describe_quantity(quantity: Quantity, is_logarithmic: bool) -> dict[str, Any]:
    return {
        "title": quantity.title,
        "symbols": list(quantity.symbols),
        "unit": quantity.unit,
        "log": is_logarithmic,
    }


def _selected_lanes(run: Simulation, lanes: Sequence[str] | None) -> list[LaneRun]:
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
    """Raise an `InputError` for an unknown sequence of Euler angles or an invalid rate."""
    if sequence is not None:
        remedy = "write for example 321"
        refuse_unknown_name(sequence, SEQUENCES, "the Euler angles of the page", "sequence", remedy=remedy)
    if not 0.0 < rate < float("inf"):
        raise InputError(
            "the rate of the page",
            expected="a number of samples per second above 0",
            found=f"{rate!r}",
            remedy=phrase("write for example {rate:g}", rate=MAX_SAMPLE_RATE),
            key="rate",
        )


def _default_sequence(run: Simulation) -> str:
    """Return the sequence of the first lane in Euler angles, or 321."""
    of_lanes = (lane.formulation.id.partition("/") for lane in run)
    return next((variant or "321" for name, _, variant in of_lanes if name == "euler_angles"), "321")


def ordinal(number: int) -> str:
    """Return an ordinal number such as 22nd."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
