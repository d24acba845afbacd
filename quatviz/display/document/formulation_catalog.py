"""Descriptions of formulations for lists and dialogs: summary, main equation, states, singularity and source."""

from collections.abc import Iterable
from dataclasses import dataclass

from quatviz.base.citations import written_out
from quatviz.base.translation import tr
from quatviz.physics.equations import Equation
from quatviz.physics.formulations import equations, formulation_class, lane_title, make_formulation
from quatviz.physics.mechanics.state import StateVariable

_LAST_FAMILIES = ("Lagrange, three coordinates", "Ring damper", "For comparison", "Others")
"""Families of formulations that are listed last, because they have many variants or are for special bodies or
purposes."""
_BLOCK_NAMES = {
    StateVariable.EULER_PARAMETERS: "Euler parameters",
    StateVariable.EULER_MOMENTA: "canonical momentum",
    StateVariable.BODY_RATE: "angular velocity",
    StateVariable.SPACE_RATE: "angular velocity in space",
    StateVariable.BODY_MOMENTUM: "angular momentum",
    StateVariable.SPACE_MOMENTUM: "angular momentum in space",
}


@dataclass(frozen=True)
class FormulationEntry:
    """Description of one formulation for a list of choices.

    Attributes
    ----------
    lane_id
        `name` or `name/variant`.
    title, family
        Title, and the heading of its group in lists.
    sentence
        Summary in one sentence, followed by a sentence about the variant, if there is one.
    equation
        Main equation: for each term the LaTeX of its operator and of the term; empty for a plug-in without a card.
    facts
        Number of states, multiplier and singularity.
    citation
        Full citation of the source.
    """

    lane_id: str
    title: str
    family: str
    sentence: str
    equation: tuple[tuple[str, str], ...]
    facts: str
    citation: str


def formulation_entry(lane_id: str) -> FormulationEntry:
    """Return the description of a formulation.

    Examples
    --------
    >>> entry = formulation_entry("hamilton")
    >>> entry.family, entry.facts, entry.citation
    ('Hamilton', '7 states; no multiplier; no singularity', 'Shivarama and Fahrenthold (2004), eqs. 42, 44')
    """
    form = make_formulation(lane_id)
    facts = (
        tr("{count} states", count=len(form.component_names)),
        tr("λ is computed") if form.has_multiplier else tr("no multiplier"),
        tr("singular where {measure} = 0", measure=form.singularity_title)
        if form.singularity_title
        else tr("no singularity"),
    )
    return FormulationEntry(
        lane_id,
        lane_title(lane_id),
        tr(form.family),
        " ".join(
            tr("{sentence}.", sentence=tr(sentence))
            for sentence in (form.summary or form.title, form.variant_summaries.get(form.variant))
            if sentence
        ),
        next(map(_equation_parts, equations(lane_id)), ()),
        "; ".join(facts),
        written_out(form.source),
    )


def _equation_parts(equation: Equation) -> tuple[tuple[str, str], ...]:
    return tuple((equation.operator(number), term.latex) for number, term in enumerate(equation.terms))


def by_family(lane_ids: Iterable[str]) -> dict[str, list[str]]:
    """Group lane ids by the family of their formulations. The order within a family is kept; special families come
    last.

    Examples
    --------
    >>> list(by_family(["euler_angles/313", "hamilton", "newton_euler", "lie_group"]).items())[1:]
    [('Newton–Euler', ['newton_euler', 'lie_group']), ('Lagrange, three coordinates', ['euler_angles/313'])]
    """
    families: dict[str, list[str]] = {}
    for lane_id in lane_ids:
        families.setdefault(formulation_class(lane_id).family, []).append(lane_id)
    last = [family for family in _LAST_FAMILIES if family in families]
    return {family: families[family] for family in (*(name for name in families if name not in last), *last)}


def search_terms(lane_id: str) -> str:
    """Return additional search terms of a formulation: summary, state variables, multiplier and source."""
    formulation = formulation_class(lane_id)
    block_names = " ".join(_BLOCK_NAMES.get(block.variable, "") for block in formulation.blocks)
    multiplier_terms = "λ, Lagrange multiplier, constraint force" if formulation.has_multiplier else ""
    return " ".join((formulation.summary, block_names, multiplier_terms, written_out(formulation.source)))
