"""The page of a sweep in a browser: its drawing, its tooltips, and that it makes no network requests."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from chromium import Chromium, chromium

import quatviz as qv
from quatviz.analysis.sweeps.chart import Chart
from quatviz.analysis.sweeps.page import render_page, write_page
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.sweep import Sweep
from quatviz.cli import main

FREE = qv.load_preset("intermediate_axis").with_run(lanes=["newton_euler"], duration=16.0, dt=1e-2)
OVER = {"initial.angular_velocity[0]": qv.Axis.linear(-1, 1, 9), "body.inertia[0]": [1.0, 1.5, 7.0]}


def chart_of(measure: str, **over: object) -> Chart:
    with Sweep(SweepPlan.create(FREE, over or OVER, measure=measure), jobs=1) as sweep:
        return Chart(sweep.plan, sweep.complete(), measure)


def chart_data(page: str) -> dict[str, object]:
    match = re.search(r'<script type="application/json" id="chart">(.*?)</script>', page, re.DOTALL)
    assert match is not None
    return dict(json.loads(match[1]))


@pytest.fixture(scope="module")
def page() -> Iterator[Chromium]:
    with chromium() as browser:
        yield browser


def test_map_page_describes_the_point_under_the_pointer(page: Chromium, tmp_path: Path) -> None:
    chart = chart_of("first_flip")
    write_page(chart, tmp_path / "map.html")
    page.open(tmp_path / "map.html")
    for cell in ((6, 1), (0, 2), (4, 0)):
        page.evaluate(f"quatviz.point({list(cell)})")
        text = page.evaluate("document.getElementById('said').textContent")
        assert text.split("; ")[:2] == chart.describe_cell(cell)[:2]
        value = chart.values[cell]
        if np.isfinite(value):
            assert f"{value:.5g}" in text
        else:
            assert text.endswith(chart.describe_cell(cell)[-1])
    page.press_key("ArrowRight")
    picture = page.screenshot(tmp_path / "map.png", "canvas")
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 30
    assert page.requests == [(tmp_path / "map.html").as_uri()]
    assert page.faults == []


def test_preset_texts_cannot_end_a_script_element() -> None:
    plan = SweepPlan.create(FREE, OVER)
    chart = Chart(plan, Sweep(plan, jobs=1).complete(), "flips")
    data = chart_data(render_page(chart))
    assert data["preset"] == plan.preset_text
    assert data["kind"] == "map"
    assert str(data["about"]).startswith("27 of 27 runs of Newton–Euler up to t = 16 s")


def test_diagrams_and_sections_are_pages(page: Chromium, tmp_path: Path) -> None:
    over = {"initial.angular_velocity[2]": qv.Axis.linear(1.5, 3, 9)}
    for measure, chart_type in (("first_flip", "diagram"), ("section_points", "section")):
        chart = chart_of(measure, **over)
        write_page(chart, tmp_path / f"{chart_type}.html")
        page.open(tmp_path / f"{chart_type}.html")
        assert page.evaluate("quatviz.chart.kind") == chart_type
        page.evaluate("quatviz.point([3])")
        assert page.evaluate("quatviz.words()").startswith(chart.describe_cell((3,))[0])
        if chart_type == "section":
            assert len(page.evaluate("quatviz.chart.points")) == len(chart.point_coordinates) > 0
    assert page.faults == []


def test_command_writes_a_page_and_refuses_invalid_targets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["sweep", "intermediate_axis", "--lane", "newton_euler", "--dt", "0.01", "--duration", "4"]
    axis = ["--over", "initial.angular_momentum[0]=-1:1:5"]
    assert main([*arguments, *axis, "-o", str(tmp_path / "map.html")]) == 0
    assert chart_data((tmp_path / "map.html").read_text("utf-8"))["kind"] == "diagram"
    assert [path.name for path in tmp_path.iterdir()] == ["map.html"]
    scattered = ["--over", "initial.angular_momentum[2]=-1:1:5:random"]
    assert main([*arguments, *axis, *scattered, "-o", str(tmp_path / "no.html")]) == 2
    assert "both random or both regular" in capsys.readouterr().err
