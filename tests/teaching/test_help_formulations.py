"""The page on formulations has all of them, and says of each what the code says."""

import re

import pytest

from quatviz.base.citations import written_out
from quatviz.physics.formulations import FORMULATIONS, make_formulation
from quatviz.teaching.help import pages

TEXT = pages()["formulations"].text
SECTIONS = {
    part.split(":", 1)[0]: part
    for part in re.split(r"^## ", TEXT, flags=re.MULTILINE)
    if ":" in part.split("\n")[0]
}
POINTS = ("Source", "State", "Singularity", "Lambda", "Errata", "Cost", "Accuracy")


def test_there_is_a_section_for_each_and_for_no_other() -> None:
    assert set(SECTIONS) == set(FORMULATIONS)


@pytest.mark.parametrize("name", FORMULATIONS)
def test_a_section_says_all_there_is_to_say(name: str) -> None:
    section, family = SECTIONS[name], FORMULATIONS[name]
    assert section.split("\n")[0] == f"{name}: {family.title}"
    assert "\n\n$$" in section, "its equations"
    assert [point for point in POINTS if f"- **{point}**: " not in section] == []
    assert f"`{', '.join(make_formulation(name).component_names)}`" in section
    for variant in family.variants:
        assert f"`{variant}`" in section, variant
    said = section.split("**Lambda**: ")[1]
    assert said.startswith(("none", "eliminated")) != family.has_multiplier
    for numbers in re.findall(r"S\d\([^)]*\)", family.source):
        assert written_out(numbers) in section, numbers


def test_the_table_has_every_form() -> None:
    table = TEXT.split("at a glance")[1].split("## Drift")[0]
    assert [name for name in FORMULATIONS if f"| `{name}`" not in table] == []


@pytest.mark.parametrize("name", FORMULATIONS)
def test_a_docstring_states_layout_singularity_and_cost_and_the_source_its_equations(name: str) -> None:
    family = FORMULATIONS[name]
    told = " ".join((family.__doc__ or "").split())
    layout = re.search(r"State \(([^)]*)\), (\d+)[;.]", told)
    assert layout, told
    assert int(layout[2]) == len(make_formulation(name).component_names)
    assert re.search(r"singular|regular for J0", told)
    assert re.search(r"the cost of `newton_euler`|[Tt]he cheapest step|no steps", told)
    assert re.search(r"S[0-4]\(|18|19|Analytical|elliptic|exponential", family.source)
