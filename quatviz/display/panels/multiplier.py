"""Panel of the Lagrange multiplier that each formulation computes, and its value in theory."""

from quatviz.base.errors import phrase
from quatviz.base.translation import tr
from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip
from quatviz.display.view_state.choices import Choice
from quatviz.physics.formulations import lane_title, make_formulation
from quatviz.physics.observables.multiplier_theory import TERMS

MAX_NAMED_LANES = 4
"""Largest number of lanes without a multiplier that are listed by name; more are only counted."""


class Multiplier(TimePanel):
    """Plots of the Lagrange multiplier: of all lanes, or of a single lane with the terms of its theory
    stacked below it."""

    name = "multiplier"
    title = "Lagrange multiplier"
    summary = r"$\lambda$ as the lane computes it; the wide pale curve below is theory"
    unit = "J"
    order = 50
    choice = Choice("multiplier", "Show", ("",), ("all lanes",), in_menu=True)
    note = "pale: theory"
    empty_text = (
        "No visible lane has a Lagrange multiplier: their equations satisfy the constraint without one."
    )

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        return bool(info.multipliers)

    def choice_in(self, info: RunInfo) -> Choice:
        lanes = tuple(terms_by_lane(info))
        texts = ("all lanes", *(phrase("λ terms of {lane}", lane=lane_title(lane)) for lane in lanes))
        return Choice("multiplier", "Show", ("", *lanes), texts, in_menu=True)

    def note_of(self, option: str, info: RunInfo) -> str:
        return "" if option else tr(self.note)

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        if not option:
            return (Strip("lam", weight=2.0, theory="lam_theory"),)
        terms = terms_by_lane(info)[option]
        parts = tuple(
            Strip("lam_terms", number, stacked=True) for number, term in enumerate(TERMS) if term in terms
        )
        return (Strip("lam", weight=3.0, stack=parts),)

    def lanes_of(self, shown: tuple[str, ...], option: str, info: RunInfo) -> tuple[str, ...]:
        return (option,) if option else tuple(lane for lane in shown if lane in info.multipliers)

    def footnote(self, shown: tuple[str, ...], option: str, info: RunInfo) -> str:
        if option:
            return tr("In theory the areas add up to λ.")
        lanes_without = [lane for lane in shown if lane not in info.multipliers]
        if len(lanes_without) > MAX_NAMED_LANES:
            return tr("no multiplier: {count} lanes", count=len(lanes_without))
        return (
            tr("no multiplier: {lanes}", lanes="; ".join(map(lane_title, lanes_without)))
            if lanes_without
            else ""
        )


def terms_by_lane(info: RunInfo) -> dict[str, tuple[str, ...]]:
    """Return the names of the terms of the theoretical λ by lane, for lanes whose theory has several
    terms."""
    pairs = zip(info.lanes, info.formulations, strict=False)
    terms = {
        lane: make_formulation(name).multiplier_terms for lane, name in pairs if lane in info.multipliers
    }
    return {lane: named for lane, named in terms.items() if named}
