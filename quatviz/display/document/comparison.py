"""Formulations beside each other over one motion: which of them can take it, and a session that shows them so."""

from collections.abc import Collection, Mapping

from quatviz.base.errors import InputError
from quatviz.display.view_state.arrangement import PanelLayout
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.view_layout import VIEW_COUNTS, ViewLayout
from quatviz.display.view_state.view_state import ALL_OTHERS, PLOTS_WIDTH, SIDE_WIDTH, VIEWS_WIDTH, ViewState
from quatviz.files.preset import Lane, Preset
from quatviz.physics.formulations import formulation_class, listed, make_formulation
from quatviz.physics.mechanics.state import StateVariable
from quatviz.simulation.lane import LaneRun

PANELS = ("multiplier", "orientation_errors", "drift")
"""What tells forms of one motion apart: what each has to find, how far they part, and what they let drift."""
_LAYOUT = PanelLayout((PANELS[:1], PANELS[1:]), (PANELS[1],))
"""λ has a place to itself, as large as that of what the forms differ by, which drift stands behind."""
_NARROW_VIEWS_WIDTH, _WIDE_VIEWS_WIDTH = 416, 640
"""Widths of the 3D views [pixels], where they stand below each other, or two by two: λ and the differences have the rest."""

MIN_WIDTH_FOR_FOUR_VIEWS = 1000
"""Width of a window [pixels] that has room for four views: in less, names and arrows lie over each other."""
_MAX_VARIANTS_SHOWN_FIRST = 6
"""Variants of a form that stand before those of others."""


def comparison_lanes(preset: Preset) -> dict[str, list[Lane]]:
    """The lanes that a comparison over the motion of a preset has for each lane id, those that the preset has as they are first; a
    form with a dozen variants last, or they would be all that is seen. What is recorded begins with a file, and is none of the
    others."""
    own_lanes: dict[str, list[Lane]] = {}
    for lane in preset.lanes:
        own_lanes.setdefault(_formulation_id(lane), []).append(lane)
    others = [lane_id for lane_id in listed() if not formulation_class(lane_id).is_recorded]
    others.sort(key=lambda lane_id: len(formulation_class(lane_id).variants) > _MAX_VARIANTS_SHOWN_FIRST)
    return own_lanes | {lane_id: [Lane(lane_id)] for lane_id in others if lane_id not in own_lanes}


_BLOCK_NAMES = {
    StateVariable.EULER_PARAMETERS: "Euler parameters",
    StateVariable.EULER_MOMENTA: "canonical momentum",
    StateVariable.BODY_RATE: "angular velocity",
    StateVariable.SPACE_RATE: "angular velocity in space",
    StateVariable.BODY_MOMENTUM: "angular momentum",
    StateVariable.SPACE_MOMENTUM: "angular momentum in space",
}


def search_terms(lane_id: str) -> str:
    """Words by which a form is found besides its name: what it is, what it is written in, and what it has to find."""
    formulation = formulation_class(lane_id)
    block_names = " ".join(_BLOCK_NAMES.get(block.variable, "") for block in formulation.blocks)
    multiplier_terms = "λ, Lagrange multiplier, constraint force" if formulation.has_multiplier else ""
    return " ".join((formulation.summary, block_names, multiplier_terms, formulation.source))


def unsupported_forms(preset: Preset, lanes: Mapping[str, list[Lane]]) -> dict[str, InputError]:
    """Why some of these forms cannot take the motion of a preset, by lane id."""
    reasons = {}
    for lane_id, (lane, *_) in lanes.items():
        try:
            LaneRun(lane_id, lane, preset, 0)
        except InputError as refusal:
            reasons[lane_id] = refusal
    return reasons


def comparison_session(
    preset: Preset,
    lanes: Mapping[str, list[Lane]],
    chosen: Collection[str],
    width: int = MIN_WIDTH_FOR_FOUR_VIEWS,
) -> Session:
    """The run of a preset in the `chosen` forms alone: lambda where one has it, and how far they part, as large as can be; a view
    for each, or one for all over each other where there are more than four, or where a window of this `width` [pixels] is not
    `MIN_WIDTH_FOR_FOUR_VIEWS`; and the equations of all below."""
    # Those of the run stay in its order, for the place of a lane is its colour.
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
    has_multiplier = any(formulation_class(lane_id).has_multiplier for lane_id in chosen)
    views_width = _WIDE_VIEWS_WIDTH if view_count > 2 else _NARROW_VIEWS_WIDTH
    view_state = ViewState(
        panels={ALL_OTHERS: False, **dict.fromkeys(PANELS, True), "multiplier": has_multiplier},
        layout=_LAYOUT if has_multiplier else PanelLayout(),
        views=ViewLayout(view_count),
        equations=ALL_OTHERS,
        division=(SIDE_WIDTH, views_width, VIEWS_WIDTH + PLOTS_WIDTH - views_width),
    )
    return Session(preset.with_run(lanes=compared_lanes), view_state, is_proposed=True)


def needs_shared_view(lanes: Collection[Lane]) -> bool:
    """Whether these are more lanes than there can be views: pictures smaller still would show less of each than one does of all."""
    return len(lanes) > VIEW_COUNTS[-1]


def _formulation_id(lane: Lane) -> str:
    return make_formulation(lane.formulation).id
