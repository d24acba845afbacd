"""Formulations beside each other over one motion: which of them can take it, and a session that shows them so."""

from collections.abc import Collection, Mapping

from quatviz.base.errors import InputError
from quatviz.display.view_state.arrangement import Layout
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.view_layout import NUMBERS, Plan
from quatviz.display.view_state.view_state import OTHERS, PLOTS, SIDE, VIEWS, Look
from quatviz.files.preset import Lane, Preset
from quatviz.physics.formulations import kind_of, listed, make_formulation
from quatviz.physics.mechanics.state import Kind
from quatviz.simulation.lane import LaneRun

PANELS = ("multiplier", "orientation_errors", "drift")
"""What tells forms of one motion apart: what each has to find, how far they part, and what they let drift."""
_BESIDE = Layout((PANELS[:1], PANELS[1:]), (PANELS[1],))
"""λ has a place to itself, as large as that of what the forms differ by, which drift stands behind."""
_NARROW, _WIDE = 416, 640
"""Widths of the 3D views [pixels], where they stand below each other, or two by two: λ and the differences have the rest."""

ROOMY = 1000
"""Width of a window [pixels] that has room for four views: in less, names and arrows lie over each other."""
_MANY = 6
"""Variants of a form that stand before those of others."""


def lanes_for(preset: Preset) -> dict[str, list[Lane]]:
    """The lanes that a comparison over the motion of a preset has for each lane id, those that the preset has as they are first; a
    form with a dozen variants last, or they would be all that is seen. What is recorded begins with a file, and is none of the
    others."""
    own: dict[str, list[Lane]] = {}
    for lane in preset.lanes:
        own.setdefault(_id(lane), []).append(lane)
    others = [lane_id for lane_id in listed() if not kind_of(lane_id).recorded]
    others.sort(key=lambda lane_id: len(kind_of(lane_id).variants) > _MANY)
    return own | {lane_id: [Lane(lane_id)] for lane_id in others if lane_id not in own}


_WRITTEN_IN = {
    Kind.EULER_PARAMETERS: "Euler parameters",
    Kind.EULER_MOMENTA: "canonical momentum",
    Kind.BODY_RATE: "angular velocity",
    Kind.SPACE_RATE: "angular velocity in space",
    Kind.BODY_MOMENTUM: "angular momentum",
    Kind.SPACE_MOMENTUM: "angular momentum in space",
}


def known_as(lane_id: str) -> str:
    """Words by which a form is found besides its name: what it is, what it is written in, and what it has to find."""
    kind = kind_of(lane_id)
    written = " ".join(_WRITTEN_IN.get(one.kind, "") for one in kind.blocks)
    finds = "λ, Lagrange multiplier, constraint force" if kind.has_multiplier else ""
    return " ".join((kind.told, written, finds, kind.source))


def lacks(preset: Preset, lanes: Mapping[str, list[Lane]]) -> dict[str, InputError]:
    """Why some of these forms cannot take the motion of a preset, by lane id."""
    found = {}
    for lane_id, (lane, *_) in lanes.items():
        try:
            LaneRun(lane_id, lane, preset, 0)
        except InputError as refusal:
            found[lane_id] = refusal
    return found


def compared(
    preset: Preset, lanes: Mapping[str, list[Lane]], chosen: Collection[str], width: int = ROOMY
) -> Session:
    """The run of a preset in the `chosen` forms alone: lambda where one has it, and how far they part, as large as can be; a view
    for each, or one for all over each other where there are more than four, or where a window of this `width` [pixels] is not
    `ROOMY`; and the equations of all below."""
    # Those of the run stay in its order, for the place of a lane is its colour.
    own = [(_id(lane), lane) for lane in preset.lanes]
    others = set(chosen).difference(lane_id for lane_id, _ in own)
    specs = (
        *(lane for lane_id, lane in own if lane_id in chosen),
        *(lane for lane_id in chosen if lane_id in others for lane in lanes[lane_id]),
    )
    number = (
        1 if shared(specs) or width < ROOMY else next(number for number in NUMBERS if number >= len(specs))
    )
    concerned = any(kind_of(lane_id).has_multiplier for lane_id in chosen)
    views = _WIDE if number > 2 else _NARROW
    look = Look(
        panels={OTHERS: False, **dict.fromkeys(PANELS, True), "multiplier": concerned},
        layout=_BESIDE if concerned else Layout(),
        views=Plan(number),
        equations=OTHERS,
        division=(SIDE, views, VIEWS + PLOTS - views),
    )
    return Session(preset.with_run(lanes=specs), look, proposed=True)


def shared(lanes: Collection[Lane]) -> bool:
    """Whether these are more lanes than there can be views: pictures smaller still would show less of each than one does of all."""
    return len(lanes) > NUMBERS[-1]


def _id(lane: Lane) -> str:
    return make_formulation(lane.formulation).id
