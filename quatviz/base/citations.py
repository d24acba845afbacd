"""The source documents S0 to S4: full citations, and display text for tags such as `S0(23, 34)`.

Code, tests and help cite an equation by tag and number, "S3(42, 44)". `written_out` turns this into "Shivarama and
Fahrenthold (2004), eqs. 42, 44" for display.
"""

import re
from dataclasses import dataclass

from quatviz.base.translation import tr


@dataclass(frozen=True)
class Reference:
    """Citation of one source document.

    Parameters
    ----------
    tag
        Name in equation numbers, such as "S0".
    authors
        Authors and year as in running text, such as "Udwadia and Schutte (2010)".
    title, publication
        Title; journal or type of publication, with volume, pages and identifier.
    address
        Web address of the document, or "".
    subject
        One sentence on what quatviz takes from the document.
    """

    tag: str
    authors: str
    title: str
    publication: str
    address: str
    subject: str


REFERENCES = {
    reference.tag: reference
    for reference in (
        Reference(
            "S0",
            "Sherif, Nachbagauer and Steiner (2015)",
            "On the rotational equations of motion in rigid body dynamics when using Euler parameters",
            "Nonlinear Dynamics 81, 343–352",
            "https://doi.org/10.1007/s11071-015-1995-3",
            "Multiplier forms of the equations of motion, and the generalized forces of a force at a point.",
        ),
        Reference(
            "S1",
            "Multibody Dynamics notes",
            "Multibody Dynamics: Euler Parameters and Angular Velocity Components",
            "Lecture notes; our copy names neither author nor year",
            "",
            "Euler parameters with the scalar last, and angular velocity in the fixed and in the body frame.",
        ),
        Reference(
            "S2",
            "Bernstein, Goel and Kouba (2023)",
            "Deriving Euler's Equation for Rigid-Body Rotation via Lagrangian Dynamics with Generalized Coordinates",
            "Mathematics 11, 2727",
            "https://doi.org/10.3390/math11122727",
            "Lagrange's equations in three coordinates are Euler's: Euler angles and reduced Euler parameters.",
        ),
        Reference(
            "S3",
            "Shivarama and Fahrenthold (2004)",
            "Hamilton's Equations With Euler Parameters for Rigid Body Dynamics Modeling",
            "Journal of Dynamic Systems, Measurement, and Control 126, 124–130; "
            "our copy is the chapter of a thesis with the same text",
            "https://doi.org/10.1115/1.1649977",
            "Hamilton's equations, and the example problems with Tables 1 to 5 and Figures 1 to 8.",
        ),
        Reference(
            "S4",
            "Udwadia and Schutte (2010)",
            "An Alternative Derivation of the Quaternion Equations of Motion for Rigid-Body Rotational Dynamics",
            "Journal of Applied Mechanics 77, 044505",
            "https://doi.org/10.1115/1.4000917",
            "The fundamental equation of constrained motion, and its closed form.",
        ),
    )
}
"""Source documents by tag. Titles, volumes and pages were checked against published lists."""

_EQUATION_LIST = r"\(\d[^()]*\)(?:\s*[,-]\s*\(\d[^()]*\))*"
_CITATION = re.compile(
    rf"\b(?P<tag>{'|'.join(REFERENCES)})(?!\w)(?:(?P<possessive>'s (?=[a-z]))|\s*(?P<numbers>{_EQUATION_LIST}))?"
)
_EQUATION_AFTER_BELOW = re.compile(r"\bbelow \((\d+)\)")
_NEXT_CITATION = re.compile(rf"\), (?=(?:{'|'.join(REFERENCES)})\()")


def written_out(text: str) -> str:
    """Return a text with the tags of source documents replaced by authors, year and equation numbers.

    A text without tags is returned unchanged, so presets and plug-ins that cite in full may be passed too.

    >>> written_out("S0(26, 17), S1(12), S2(1)")
    'Sherif, Nachbagauer and Steiner (2015), eqs. 26, 17; Multibody Dynamics notes, eq. 12; Bernstein, Goel and Kouba (2023), eq. 1'
    >>> written_out("S4 below (20)")
    'Udwadia and Schutte (2010) below eq. 20'
    """
    separated = _NEXT_CITATION.sub("); ", text)
    if not _CITATION.search(separated):
        return text
    numbered = _EQUATION_AFTER_BELOW.sub(lambda match: tr("below eq. {number}", number=match[1]), separated)
    return _CITATION.sub(_write_out, numbered)


def _write_out(match: re.Match[str]) -> str:
    authors = REFERENCES[match["tag"]].authors
    if match["possessive"]:
        return f"{authors}, "
    if not match["numbers"]:
        return authors
    numbers = re.sub(r"[()]", "", match["numbers"])
    if re.fullmatch(r"\d+", numbers):
        return tr("{authors}, eq. {numbers}", authors=authors, numbers=numbers)
    return tr("{authors}, eqs. {numbers}", authors=authors, numbers=numbers.replace("-", "–"))
