"""The tags of the source documents are written out as authors, year and equation numbers."""

import pytest

from quatviz.base import resources
from quatviz.base.citations import REFERENCES, written_out
from quatviz.files.preset_files import preset_paths
from quatviz.files.preset_reading import read_preset
from quatviz.physics.formulations import FORMULATIONS
from quatviz.teaching.help.generated import formulation_notes
from quatviz.teaching.help.pages import pages
from quatviz.teaching.lessons import lesson_paths, read_lesson
from quatviz.verification.judging.mistakes import MISTAKES

SHERIF = "Sherif, Nachbagauer and Steiner (2015)"
BERNSTEIN = "Bernstein, Goel and Kouba (2023)"
SHIVARAMA = "Shivarama and Fahrenthold (2004)"
UDWADIA = "Udwadia and Schutte (2010)"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("S0(23, 34, 38)", f"{SHERIF}, eqs. 23, 34, 38"),
        ("S4(42)", f"{UDWADIA}, eq. 42"),
        ("S2(11, 49-55)", f"{BERNSTEIN}, eqs. 11, 49–55"),
        (
            "S0(26, 17), S1(12), S2(1)",
            f"{SHERIF}, eqs. 26, 17; Multibody Dynamics notes, eq. 12; {BERNSTEIN}, eq. 1",
        ),
        ("S0(29), (34); S4(10); Baumgarte 1972", f"{SHERIF}, eqs. 29, 34; {UDWADIA}, eq. 10; Baumgarte 1972"),
        ("S0(2)-(5)", f"{SHERIF}, eqs. 2–5"),
        ("S3(8) as printed", f"{SHIVARAMA}, eq. 8 as printed"),
        ("S3 example 2, Tables 2 and 3", f"{SHIVARAMA} example 2, Tables 2 and 3"),
        ("S4 below (20)", f"{UDWADIA} below eq. 20"),
        ("S0's introduction", f"{SHERIF}, introduction"),
        ("Schaub and Junkins, 3.5", "Schaub and Junkins, 3.5"),
        ("a plug-in's own S5(3), and S30(2)", "a plug-in's own S5(3), and S30(2)"),
        ("what stands below (20)", "what stands below (20)"),
    ],
)
def test_tag_becomes_authors_year_and_equations(source: str, expected: str) -> None:
    assert written_out(source) == expected
    assert written_out(expected) == expected


def test_displayed_sources_contain_no_tag() -> None:
    tables = pages()["own"].text, pages()["formulations"].text.partition("\n## Cost")[2]
    shown = [formulation_notes(name).get("Source", "") for name in FORMULATIONS]
    shown += [written_out(form.source) for form in FORMULATIONS.values()]
    shown += [written_out(mistake.source) for mistake in MISTAKES.values()]
    for tag in REFERENCES:
        assert not [text for text in shown if f"{tag}(" in text]
        assert f"- **Source**: {tag}(" not in tables[1]
        assert f"| {tag}(" not in tables[0]


def test_sources_page_has_a_section_for_every_document() -> None:
    sections = {section.title: section.text for section in pages()["sources"].sections}
    for reference in REFERENCES.values():
        text = sections[f"{reference.tag}: {reference.authors}"]
        assert reference.title in text
        assert reference.address in text
    assert "Vadali" in pages()["sources"].text


def test_lessons_and_presets_cite_in_full() -> None:
    sources = [read_lesson(path).source for path in lesson_paths().values()]
    sources += [read_preset(path).source for path in preset_paths(resources.preset_folder()).values()]
    assert [source for source in sources if written_out(source) != source] == []
