"""Every erratum of the documents has a check that fails as printed, and a section of the help that a search finds."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from quatviz.base.citations import REFERENCES
from quatviz.physics.mechanics.euler_sequences import S, p_from_angles
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.physics.observables.printed_angles import angles_as_printed, angles_by_quadrant
from quatviz.physics.observables.published_values import PUBLISHED_TABLES
from quatviz.teaching.help import pages, search
from quatviz.teaching.help.entry_search import HELP_PAGE_WEIGHT, SearchEntry, rank_entries
from quatviz.verification import parts
from quatviz.verification.errata import ERRATA, Erratum, ErratumResiduals
from quatviz.verification.parts import PARTS
from quatviz.verification.parts.errata import check_erratum

ALL = [erratum for errata in ERRATA.values() for erratum in errata]
COMPUTED = [erratum for erratum in ALL if erratum.residuals is not None]
PAGE = pages()["errata"]


def swapped(erratum: Erratum) -> Erratum:
    """The erratum with the printed equation in place of the correct one."""

    def residuals(random: np.random.Generator) -> ErratumResiduals:
        assert erratum.residuals is not None
        corrected, printed = erratum.residuals(random)
        return ErratumResiduals(corrected if printed is None else printed, corrected)

    return replace(erratum, residuals=residuals)


@pytest.mark.parametrize("erratum", COMPUTED, ids=lambda erratum: erratum.check)
def test_corrected_equation_holds_and_printed_one_fails(erratum: Erratum) -> None:
    checks = list(check_erratum(erratum, np.random.default_rng(7)))
    assert [check.ok for check in checks] == [True] * len(checks)
    if len(checks) == 2:
        exchanged = check_erratum(swapped(erratum), np.random.default_rng(7))
        assert [check.ok for check in exchanged] == [False, False]


def test_every_erratum_with_an_equation_has_a_check() -> None:
    published = {value.name for table in PUBLISHED_TABLES for value in table.values}
    rings = (Path(parts.__file__).parent / "rings.py").read_text("utf-8")
    other_errata = {
        part: {check.group for check in PARTS[part]().checks(full=False)}
        for part in ("coordinates", "operators")
    }
    for erratum in ALL:
        assert (erratum.residuals is not None) == (erratum.part == "errata" and bool(erratum.check))
        if erratum.part == "published":
            assert erratum.check in published
        elif erratum.part == "rings":
            assert f'"{erratum.check}"' in rings
        elif erratum.part != "errata":
            assert erratum.check in other_errata[erratum.part]
    assert [erratum.location for erratum in ALL if not erratum.check] == ["S3, reference 6"]
    names = [erratum.check for erratum in COMPUTED]
    assert len(set(names)) == len(names)


def test_errata_page_has_a_section_for_every_erratum() -> None:
    sections = {section.title: section.text for section in PAGE.sections}
    for tag, errata in ERRATA.items():
        assert f"{tag}: {REFERENCES[tag].authors}" in sections
        for erratum in errata:
            assert erratum.location.startswith(tag)
            text = sections[erratum.title]
            assert all(part in text for part in (erratum.printed, erratum.correct, erratum.derivation))
            assert f"`{erratum.check}`, one of `quatviz verify {erratum.part}`" in text or not erratum.check


def help_entries() -> list[SearchEntry]:
    """The entries that Find has for the pages of the help."""
    return [
        SearchEntry(section.title, section.topic, lambda: None, weight=HELP_PAGE_WEIGHT)
        for page in pages().values()
        for section in page.sections
    ]


@pytest.mark.parametrize(
    ("typed", "heading"),
    [
        ("errata", "Errata of the source documents"),
        ("misprint", "Errata of the source documents"),
        ("figure 6", "S3(2), (3) and Figure 6: quadrants of the 3-1-3 angles"),
        ("table 3 last period", "S3 Table 3, last period: name of the component"),
        ("table 4 parameters", "S3 Table 4, e₃ and e₄: names of the Euler parameters"),
        ("table 5", "S3 Table 5, nutation: accuracy of the numerical frequency"),
        ("expansion omega", "S1, expansion of ω₁: bracket of the first worked row"),
    ],
)
def test_searches_find_every_erratum(typed: str, heading: str) -> None:
    assert heading in [entry.title for entry in rank_entries(help_entries(), typed)[:3]]
    assert heading in [hit.section.title for hit in search(typed)[:3]]


def test_printed_angles_may_differ_by_half_a_turn() -> None:
    p = np.array([[0.5, 0.5, 0.5, 0.5], [-0.5, 0.5, 0.5, 0.5], [-0.5, -0.5, 0.5, 0.5]])
    errors = [relative_angle(p_from_angles(f(p), "313"), p) for f in (angles_by_quadrant, angles_as_printed)]
    assert errors[0] == pytest.approx(np.zeros(3), abs=1e-7)
    assert errors[1][0] == pytest.approx(0.0, abs=1e-7)
    assert errors[1][1] > 1.0
    turns = (angles_as_printed(p) - angles_by_quadrant(p)) / np.pi
    assert turns[:, [0, 2]] == pytest.approx(np.rint(turns[:, [0, 2]]), abs=1e-12)


def test_numbers_of_the_operators_page_match_the_equations() -> None:
    """Columns of S for 3-2-1 in S2's order, bank 30 deg and elevation 20 deg."""
    q, step = np.radians([30.0, 20.0, 10.0]), 1e-6
    first, second, third = S(q[::-1], "321")[:, ::-1].T
    bank = np.array([step, 0.0, 0.0])
    ahead, behind = (S((q + sign * bank)[::-1], "321")[:, ::-1] for sign in (1.0, -1.0))
    slope = (ahead - behind) / (2.0 * step)
    text = pages()["operators"].text
    for column, cross in ((1, np.cross(first, second)), (2, np.cross(first, third))):
        assert -slope[:, column] == pytest.approx(cross, abs=1e-9)
        numbers = ", ".join("0" if abs(value) < 1e-12 else f"{value:.4f}" for value in cross)
        assert text.count(f"({numbers})") == 2
    assert f"= {first @ np.cross(second, third):.4f}$" in text
