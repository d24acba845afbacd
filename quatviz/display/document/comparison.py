"""Comparison of formulations over one motion: which of them support it, and the session that shows them."""

from collections.abc import Collection, Mapping

import numpy as np

from quatviz.base.errors import InputError
from quatviz.display.document.edits import loads_of_new_lane
from quatviz.display.view_state.arrangement import PanelLayout
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.view_layout import VIEW_COUNTS, ViewLayout
from quatviz.display.view_state.view_state import (
    ALL_OTHERS,
    OVERVIEW_PANELS,
    PLOTS_WIDTH,
    SIDE_WIDTH,
    VIEWS_WIDTH,
    ViewState,
)
from quatviz.files.preset import Lane, Preset
from quatviz.physics.formulations import formulation_class, listed, make_formulation
from quatviz.physics.observables.multiplier_theory import TERMS
from quatviz.simulation.lane import LaneRun

PANELS = ("multiplier", "orientation_errors", "drift")
"""Panels that show how formulations of one motion differ: the multiplier, the attitude differences and the drift."""
_LAYOUT = PanelLayout((PANELS[1:],), (PANELS[1],))
"""Layout in which the drift panel is a tab behind the attitude differences. It is used unless the drift panel
was already visible."""
_PROBE_COUNT = 5
"""Number of states at which the theory of λ is evaluated."""
_NARROW_VIEWS_WIDTH, _WIDE_VIEWS_WIDTH = 416, 640
"""Widths [pixels] of 3D views that are stacked, and of 3D views arranged two by two. The plots of λ and of
the differences get the remaining width."""

MIN_WIDTH_FOR_FOUR_VIEWS = 1000
"""Smallest width of a window [pixels] for four views. In a narrower window, names and arrows overlap."""
_MAX_VARIANTS_SHOWN_FIRST = 6
"""Largest number of variants with which a formulation is listed among the first. Formulations with more variants
follow, so that they do not fill the list."""


def comparison_lanes(preset: Preset) -> dict[str, list[Lane]]:
    """Return the lanes that a comparison can show, by lane id.

    The lanes of the preset come first, unchanged. New lanes have the own loads of `loads_of_new_lane`. Formulations with many
    variants come last, so that they do not fill the list. Recordings are left out, because they need a file.
    """
    own_lanes: dict[str, list[Lane]] = {}
    for lane in preset.lanes:
        own_lanes.setdefault(_formulation_id(lane), []).append(lane)
    others = new_lanes()
    others.sort(key=lambda lane_id: len(formulation_class(lane_id).variants) > _MAX_VARIANTS_SHOWN_FIRST)
    loads = loads_of_new_lane(preset)
    return own_lanes | {
        lane_id: [Lane(lane_id, loads=loads)] for lane_id in others if lane_id not in own_lanes
    }


def new_lanes() -> list[str]:
    """Return the lane ids (`name` or `name/variant`) that can be added as new lanes. Recordings are left
    out, because they need a file."""
    return [lane_id for lane_id in listed() if not formulation_class(lane_id).is_recorded]


def unsupported_forms(preset: Preset, lanes: Mapping[str, list[Lane]]) -> dict[str, InputError]:
    """Return the error of each formulation that does not support the motion of a preset, by lane id."""
    reasons = {}
    for lane_id, (lane, *_) in lanes.items():
        try:
            LaneRun(lane_id, lane, preset, 0)
        except InputError as refusal:
            reasons[lane_id] = refusal
    return reasons


def has_nonzero_multiplier(preset: Preset, lane: Lane) -> bool:
    """Return True if theory predicts a nonzero λ of a lane for this body and the loads that act on the lane.

    The theory is evaluated at a few random attitudes and angular velocities; a λ that is zero at all of them is taken
    to be zero everywhere. A multiplier without a theory counts as nonzero.
    """
    form = make_formulation(lane.formulation)
    if not form.has_multiplier or form.multiplier_terms is None:
        return form.has_multiplier
    random = np.random.default_rng(0)
    p, omega = random.normal(size=(_PROBE_COUNT, 4)), random.normal(size=(_PROBE_COUNT, 3))
    p /= np.linalg.norm(p, axis=1, keepdims=True)
    t = np.linspace(0.0, preset.run.duration, _PROBE_COUNT)
    body, loads = preset.body, [load.bind(preset.body) for load in (*preset.loads, *lane.loads)]
    with np.errstate(all="ignore"):
        values = [TERMS[term](t, p, omega, body, loads) for term in form.multiplier_terms]
    return any(np.abs(np.nan_to_num(value, nan=1.0)).max() > 0.0 for value in values)


def comparison_session(
    preset: Preset,
    lanes: Mapping[str, list[Lane]],
    chosen: Collection[str],
    width: int = MIN_WIDTH_FOR_FOUR_VIEWS,
    current: ViewState | None = None,
) -> Session:
    """Return a session that shows the run of a preset in the chosen formulations.

    Parameters
    ----------
    preset
        The run that is shown now.
    lanes
        The lanes of each lane id, see `comparison_lanes`.
    chosen
        Lane ids of the formulations to compare.
    width
        Width of the window [pixels]. A single view shows all lanes if it is less than `MIN_WIDTH_FOR_FOUR_VIEWS` or
        if there are more than four lanes; otherwise each lane has its own view.
    current
        View state of the run. Its panels, items and options stay. The attitude differences, λ if one is nonzero,
        and the equations of all formulations are added.
    """
    # Lanes of the run keep their order, because the color of a lane depends on its index.
    preset_lanes = [(_formulation_id(lane), lane) for lane in preset.lanes]
    others = set(chosen).difference(lane_id for lane_id, _ in preset_lanes)
    compared_lanes = (
        *(lane for lane_id, lane in preset_lanes if lane_id in chosen),
        *(lane for lane_id in chosen if lane_id in others for lane in lanes[lane_id]),
    )
    view_count = (
        1
        if needs_shared_view(compared_lanes) or width < MIN_WIDTH_FOR_FOUR_VIEWS
        else next(view_count for view_count in VIEW_COUNTS if view_count >= len(compared_lanes))
    )
    has_multiplier = any(has_nonzero_multiplier(preset, lane) for lane in compared_lanes)
    views_width = _WIDE_VIEWS_WIDTH if view_count > 2 else _NARROW_VIEWS_WIDTH
    current = current or ViewState(panels={ALL_OTHERS: False})
    panels = dict(current.panels)
    if current.overview:
        panels = {ALL_OTHERS: False, **dict.fromkeys(OVERVIEW_PANELS, True)}
    drift_was_shown = panels.get("drift", panels.get(ALL_OTHERS, True))
    panels |= {**dict.fromkeys(PANELS, True), "multiplier": has_multiplier}
    view_state = ViewState(
        panels=panels,
        layout=PanelLayout() if drift_was_shown else _LAYOUT,
        items=current.items,
        options=current.options,
        views=ViewLayout(view_count),
        equations=ALL_OTHERS,
        division=(SIDE_WIDTH, views_width, VIEWS_WIDTH + PLOTS_WIDTH - views_width),
    )
    return Session(preset.with_run(lanes=compared_lanes), view_state, is_proposed=True)


def needs_shared_view(lanes: Collection[Lane]) -> bool:
    """Return True if there are more lanes than views, so that a single view shows all lanes. More than four views would
    be too small."""
    return len(lanes) > VIEW_COUNTS[-1]


def _formulation_id(lane: Lane) -> str:
    return make_formulation(lane.formulation).id
