"""Tables and figures of a study as files."""

import json
import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.studies import figure
from quatviz.analysis.studies.files import FIGURES, TABLES, StudyResult
from quatviz.analysis.studies.measures import MEASURES
from quatviz.analysis.studies.plot_guides import order_guides, overlap_counts
from quatviz.display.view_state.theme import LIGHT
from quatviz.files.preset_reading import parse_preset


def test_study_plot_accepts_the_arguments_of_a_run(small: StudyResult) -> None:
    run = qv.simulate(small.plan.preset, lanes=["hamilton"], duration=0.1)
    cases: list[tuple[Any, list[str]]] = [
        (run, ["kinetic", "lam_theory"]),
        (small, ["orientation", "energy"]),
    ]
    for result, quantities in cases:
        drawn = result.plot(quantities, "hamilton", width=90, height=120, font="DejaVu Sans", size=7)
        assert tuple(drawn.get_size_inches() * 25.4) == pytest.approx((90, 120))
        assert drawn.to_bytes("png").startswith(b"\x89PNG")
        refused: list[dict[str, Any]] = [
            {"quantities": "x"},
            {"quantities": []},
            {"lanes": "x"},
            {"lanes": []},
        ]
        refused += [{"width": 1}, {"size": 99}, {"font": "x"}]
        for given in refused:
            with pytest.raises(qv.InputError):
                result.plot(**given)
    both, single = (small.plot(["orientation", "energy"], lanes) for lanes in (None, "hamilton"))
    assert [len(figure.axes) for figure in (both, single)] == [4, 4]
    names = [text.get_text() for text in single.legends[0].get_texts()]
    assert names == [curve.title for curve in small.curves() if curve.lane.name == "hamilton"]
    for axes in both.axes[1::2]:
        low, high = axes.get_xlim()
        assert high / low >= 10, "no difference of processor times looks larger than it is"


def test_study_text_fits_a_screen(small: StudyResult) -> None:
    for result in (small, replace(small, fault="<b> " * 5)):
        lines = repr(result).splitlines()
        assert 4 < len(lines) <= 14
        assert max(map(len, lines)) <= 200
        assert f"{len(small.points)} of {len(small.plan.cases)} measured" in lines[0]
        assert "<b>" not in result._repr_html_()
        assert result._repr_html_().count("<tr>") == len(lines) - 1


@pytest.mark.parametrize("name", ["study.csv", "study.json", "study.md"])
def test_tables_need_no_pandas(
    name: str, small: StudyResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stand-alone program does not contain pandas."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    small.write(tmp_path / name)
    assert (tmp_path / name).stat().st_size > 800


def test_tables_store_numbers_exactly(small: StudyResult, tmp_path: Path) -> None:
    import pandas

    small.write(tmp_path / "study.csv")
    read = pandas.read_csv(tmp_path / "study.csv", comment="#")
    frame = small.to_dataframe()
    rows = [line for line in (tmp_path / "study.csv").read_text("utf-8").splitlines() if line[0] != "#"]
    assert rows == frame.to_csv(index=False, lineterminator="\n").splitlines()
    assert list(read.columns) == list(frame.columns)
    for name in ("dt", *MEASURES, "seconds", "steps"):
        assert [repr(float(x)) for x in read[name]] == [repr(float(x)) for x in frame[name]]
    small.write(tmp_path / "study.json")
    document = json.loads((tmp_path / "study.json").read_text("utf-8"))
    assert document["complete"]
    assert document["reference"]["method"] == small.method
    assert [point["orientation"] for point in document["points"]] == list(frame["orientation"])
    assert document["points"][0]["multiplier"] is None
    orders = {(row["measure"], row["lane"]): row["order"] for row in document["orders"]}
    assert orders["orientation", "hamilton"] == pytest.approx(4.0, abs=0.1)
    assert parse_preset(document["preset"], "it") == small.plan.preset


def test_study_markdown_has_table_and_notes(small: StudyResult, tmp_path: Path) -> None:
    small.write(tmp_path / "study.md", "constraint")
    lines = (tmp_path / "study.md").read_text("utf-8").splitlines()
    table = [line.replace("\\|", "") for line in lines if line.startswith("|")]
    assert len(table) == 2 + len(small.points)
    assert len({line.count("|") for line in table}) == 1
    assert any(line.startswith("- Hamilton, reduced to h, Runge–Kutta 4: order ") for line in lines)
    assert any("not needed for this quantity" in line for line in lines)


@pytest.mark.parametrize("suffix", FIGURES)
def test_figures_are_written_in_their_format(small: StudyResult, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"study{suffix}"
    small.plot().save(path)
    data = path.read_bytes()
    assert data.startswith({".svg": b"<?xml", ".pdf": b"%PDF", ".png": b"\x89PNG"}[suffix])
    if suffix == ".svg":
        ElementTree.fromstring(data)
        small.plot().save(tmp_path / "again.svg")
        assert (tmp_path / "again.svg").read_bytes() == data, "the same study is the same file"
    assert [file.suffix for file in tmp_path.iterdir() if file.stem == "study"] == [suffix]


def test_figure_shows_points_fits_and_legend(small: StudyResult) -> None:
    drawn = figure.draw_study(small, colors={"hamilton": 4})
    left, right = drawn.axes
    curves = [line for line in left.get_lines() if not str(line.get_label()).startswith("_")]
    labels = [str(line.get_label()).split(":")[0] for line in curves]
    assert labels == ["Newton–Euler, Runge–Kutta 4", "Hamilton, reduced to h, Runge–Kutta 4"]
    assert curves[1].get_color() == LIGHT.lanes[4]
    assert [line.get_linestyle() for line in curves] == ["-", "--"]  # both were whole
    hamilton = small.curves()[1]
    assert np.array_equal(curves[1].get_ydata(), hamilton.errors)
    assert np.array_equal(right.get_lines()[1].get_xdata(), [point.seconds for point in hamilton.points])
    assert left.get_xlabel().endswith("[s]")
    assert left.get_ylabel().endswith("[rad]")
    # Both lanes have the same errors, so the first has a wider marker that stays visible.
    assert overlap_counts(small.curves()) == [1, 0]
    assert curves[0].get_markersize() > curves[1].get_markersize()
    (guide,) = order_guides(small.curves())
    slope = math.log(guide.errors[0] / guide.errors[1]) / math.log(guide.steps[0] / guide.steps[1])
    assert (guide.order, slope) == (4, pytest.approx(4.0))


def test_unfinished_study_is_drawn_and_written(small: StudyResult, tmp_path: Path) -> None:
    for points in ((), small.points[:1]):
        part = replace(small, points=points, cancelled=True)
        for suffix in (*TABLES, ".png"):
            part.write(tmp_path / f"part{suffix}")
        assert not json.loads((tmp_path / "part.json").read_text("utf-8"))["complete"]


def test_failed_write_keeps_the_old_file(
    small: StudyResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(qv.InputError, match=r"\.svg"):
        small.write(tmp_path / "study.xls")
    with pytest.raises(qv.InputError, match="no such folder"):
        small.write(tmp_path / "no" / "study.csv")
    with pytest.raises(qv.InputError, match="orientation_end"):
        small.write(tmp_path / "study.csv", "warmth")
    old = tmp_path / "study.svg"
    old.write_text("old")

    def fail(*_: object) -> None:
        raise RuntimeError("in the middle")

    monkeypatch.setattr(figure, "write_figure", fail)
    with pytest.raises(RuntimeError):
        small.write(old)
    assert old.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["study.svg"]
