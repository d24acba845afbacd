"""The help page on formulations describes all of them, in agreement with the code."""

import re

import pytest

from quatviz.base.citations import written_out
from quatviz.base.class_metadata import Performance, help_text
from quatviz.physics.formulations import FORMULATIONS, make_formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.teaching.help import pages
from quatviz.teaching.help.generated import formulation_notes

TEXT = pages()["formulations"].text
SECTIONS = {
    part.split(":", 1)[0]: part
    for part in re.split(r"^## ", TEXT, flags=re.MULTILINE)
    if ":" in part.split("\n")[0]
}
POINTS = ("Source", "State", "Singularity", "Lambda", "Errata", "Cost", "Accuracy")


def test_formulation_sections_match_the_registry() -> None:
    assert set(SECTIONS) == set(FORMULATIONS)


@pytest.mark.parametrize("name", FORMULATIONS)
def test_formulation_section_is_complete(name: str) -> None:
    section, family = SECTIONS[name], FORMULATIONS[name]
    assert section.split("\n")[0] == f"{name}: {family.title}"
    assert "\n\n$$" in section, "its equations"
    assert [point for point in POINTS if f"- **{point}**: " not in section] == []
    assert f"`{', '.join(make_formulation(name).component_names)}`" in section
    for variant in family.variants:
        assert f"`{variant}`" in section, variant
    text = section.split("**Lambda**: ")[1]
    assert text.startswith(("none", "eliminated")) != family.has_multiplier
    for numbers in re.findall(r"S\d\([^)]*\)", family.source):
        assert written_out(numbers) in section, numbers


def test_table_lists_every_formulation() -> None:
    table = TEXT.split("at a glance")[1].split("## Drift")[0]
    assert [name for name in FORMULATIONS if f"| `{name}`" not in table] == []


@pytest.mark.parametrize("name", FORMULATIONS)
def test_docstring_states_layout_singularity_and_source(name: str) -> None:
    family = FORMULATIONS[name]
    text = " ".join((family.__doc__ or "").split())
    layout = re.search(r"State \(([^)]*)\), (\d+)[;.]", text)
    assert layout, text
    assert int(layout[2]) == len(make_formulation(name).component_names)
    assert re.search(r"singular|regular for J0", text)
    assert re.search(r"S[0-4]\(|18|19|Analytical|elliptic|exponential", family.source)


def test_section_costs_are_those_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FORMULATIONS["newton_euler"], "measured", (Performance(50, 100),))
    rows = (Performance(100, 150, variant="closed"), Performance(400, None, variant="augmented"))
    monkeypatch.setattr(FORMULATIONS["lagrange_full"], "measured", rows)
    monkeypatch.setattr(FORMULATIONS["hamilton"], "measured", (Performance(75, 130),))
    assert formulation_notes("newton_euler")["Cost"].startswith("50 ns free, 100 ns with gravity: the lowest")
    assert formulation_notes("hamilton")["Cost"].startswith(
        "75 ns free (1.5 x), 130 ns with gravity (1.3 x): "
    )
    cost = formulation_notes("lagrange_full")["Cost"]
    assert cost.startswith("400 ns free (8.0 x) solved numerically, 100 ns free (2.0 x) closed.")
    monkeypatch.setattr(FORMULATIONS["hamilton"], "measured", ())
    assert formulation_notes("hamilton")["Cost"].startswith("not measured: ")


@pytest.mark.parametrize("cls", [*FORMULATIONS.values(), *INTEGRATORS.values()], ids=lambda cls: cls.name)
def test_sections_contain_no_typed_costs(cls: type) -> None:
    """Except for formulations that the table does not use as a reference."""
    if cls is not INTEGRATORS["rattle"]:
        assert re.findall(r"\d+ ns (?:free|with gravity)", help_text(cls)) == []
