"""The help page on integrators describes all of them, in agreement with the code."""

import re

import pytest

from quatviz.base.markdown import to_plain_text
from quatviz.physics.integrators import INTEGRATORS
from quatviz.teaching.help import pages

TEXT = pages()["integrators"].text
SECTIONS = {
    part.split(":", 1)[0]: part
    for part in re.split(r"^## ", TEXT, flags=re.MULTILINE)
    if ":" in part.split("\n")[0]
}
POINTS = ("Source**: ", "Order**: ", "Preserves**: ", "Cost**: ", "Choose it** ", "Refused with**: ")


def test_integrator_sections_match_the_registry() -> None:
    assert set(SECTIONS) == set(INTEGRATORS)


@pytest.mark.parametrize("name", INTEGRATORS)
def test_integrator_section_is_complete(name: str) -> None:
    section, method = SECTIONS[name], INTEGRATORS[name]
    assert section.split("\n")[0] == f"{name}: {method.title}"
    assert [point for point in POINTS if f"- **{point}" not in section] == []
    assert section.split("**Order**: ")[1].startswith(str(method.order))
    preserved = to_plain_text(section.split("**Preserves**: ")[1].split("- **Cost")[0]).replace("p·ṗ", "p.p'")
    for claim in method.preserves:
        for word in re.findall(r"\|h\||T|p\.p'|\|p\||energy|gravity", claim):
            assert word in preserved, word
    assert preserved.startswith("nothing exactly") == (not method.preserves)


def test_table_lists_every_integrator_with_its_order() -> None:
    table = TEXT.split("at a glance")[1].split("What the table teaches")[0]
    for name, method in INTEGRATORS.items():
        assert f"| `{name}` | {method.order} |" in table, name


def test_page_is_linked_from_the_formulations_page() -> None:
    assert "(integrators.md)" in pages()["formulations"].text
