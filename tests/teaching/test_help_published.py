"""The help page on tables and figures lists every one with its preset, command and current values."""

import re

import pytest

from quatviz.base import resources
from quatviz.display.panels import PANELS
from quatviz.export.documents import EXHIBITS
from quatviz.files.preset_files import find_preset
from quatviz.files.preset_reading import read_preset
from quatviz.physics.observables.published_values import PUBLISHED_TABLES
from quatviz.teaching.help import pages

SECTIONS = {section.title: section.text for section in pages()["published"].sections}


@pytest.mark.parametrize("name", EXHIBITS)
def test_every_exhibit_has_a_section(name: str) -> None:
    exhibit = EXHIBITS[name]
    text = SECTIONS[exhibit.title]
    assert f"`{exhibit.run_settings.preset}`" in text
    assert f"quatviz figures -o figures --only {name}\n" in f"{text}\n"


def test_every_table_and_figure_of_the_document_has_a_section() -> None:
    numbered = [f"Table {number}" for number in range(1, 6)] + [f"Figure {number}" for number in range(1, 9)]
    assert set(numbered) <= set(SECTIONS)


def test_panels_and_presets_have_the_names_of_the_window() -> None:
    text = pages()["published"].text
    titles = {panel.title for panel in PANELS.values()}
    for names in re.findall(r"panels? (\*.+?)(?:\.| with)", text):
        assert set(re.findall(r"\*(.+?)\*", names)) <= titles
    for title, name in re.findall(r"the preset \*(.+?)\*, `(\w+)`", text):
        assert read_preset(find_preset(name, resources.preset_folder())).title == title


@pytest.mark.parametrize(("table", "case"), [("Table 3", "torque_free"), ("Table 5", "heavy_top")])
def test_exact_values_are_those_of_the_verification(table: str, case: str) -> None:
    (published,) = (entry for entry in PUBLISHED_TABLES if entry.case == case)
    exact = [
        float(row.split("|")[3].split()[0])
        for row in SECTIONS[table].splitlines()
        if row.endswith(("/s |", "s |"))
    ]
    expected = {value.reference for value in published.values if value.name.startswith(f"S3 {table}")}
    assert set(exact) == expected
