"""Figures of a run: what is drawn, in what size, how large its files are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

import quatviz as qv
from quatviz.export.figures.description import Curve, FigurePicture, PanelPicture, Strip
from quatviz.export.figures.drawing import draw
from quatviz.export.figures.of_run import picture_of
from quatviz.export.figures.paper import FORMATS, MM, Paper, save
from quatviz.export.figures.reduction import BUCKETS, reduce

LANES = ["hamilton", "newton_euler", "lagrange_simplified/torque"]


@pytest.fixture(scope="module")
def run() -> qv.Run:
    return qv.simulate(qv.load_preset("torque_free"), lanes=LANES, duration=10.0, dt=1e-2)


def one(curves: list[Curve], high: float = 1.0, **strip: object) -> FigurePicture:
    return FigurePicture([PanelPicture("Title", "", [Strip(curves, "x", "m", **strip)])], 0.0, high)  # type: ignore[arg-type]


def lines(figure: Figure) -> list[np.ndarray]:
    return [np.asarray(line.get_ydata(), dtype=float) for line in figure.axes[0].get_lines()]


def test_a_million_samples_are_a_small_file_that_shows_each_extreme(tmp_path: Path) -> None:
    t = np.linspace(0.0, 1.0, 1_000_001)
    values = np.sin(2000.0 * t) * np.random.default_rng(2).normal(size=len(t))
    values[123_456] = 50.0
    curves = [Curve(t, values + 3 * number, "#0072b2", f"{number}") for number in range(3)]
    figure = draw(one(curves), Paper())
    assert np.nanmax(lines(figure)[0]) == 50.0
    assert len(lines(figure)[0]) <= 2 * BUCKETS
    for kind in ("pdf", "svg"):
        save(figure, tmp_path / f"a.{kind}", Paper(), "a")
        assert (tmp_path / f"a.{kind}").stat().st_size < 1_000_000


def test_reduction_keeps_gaps_and_the_order_of_the_curve() -> None:
    t = np.arange(30_000.0)
    falling = -t.copy()
    falling[15_000] = np.nan
    times, values = reduce(t, falling, 100)
    assert len(times) == 200
    assert np.isnan(values).sum() == 2
    good = np.isfinite(values)
    assert (np.diff(values[good]) < 0).all(), "a falling curve stays one"
    assert reduce(t[:150], falling[:150], 100)[0] is not None


def test_the_figure_has_the_size_and_the_type_that_are_asked_for(run: qv.Run, tmp_path: Path) -> None:
    figure = run.plot(["h"], width=85.0, height=60.0, size=6.0, font="STIXGeneral")
    assert figure.get_size_inches() / MM == pytest.approx([85.0, 60.0])
    assert figure.axes[0].yaxis.label.get_fontname() == "STIXGeneral"
    assert figure.axes[0].yaxis.label.get_fontsize() == 6.0
    save(figure, tmp_path / "a.png", Paper(85.0, 60.0), "a")
    from PIL import Image

    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (1003, 708)
        assert image.convert("RGB").getpixel((2, 2)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("paper", "key"), [({"width": 5.0}, "width"), ({"size": 100.0}, "size"), ({"height": 25.0}, "height")]
)
def test_a_paper_that_is_too_small_is_refused(run: qv.Run, paper: dict[str, float], key: str) -> None:
    with pytest.raises(qv.Refusal) as caught:
        run.plot(**paper)  # type: ignore[arg-type]
    assert caught.value.key == key


def test_with_several_lanes_colour_tells_the_lane_and_lanes_that_agree_take_turns(run: qv.Run) -> None:
    figure = run.plot(["h"])
    assert len(figure.axes) == 3
    shown = np.array([np.isfinite(line) for line in lines(figure)])
    assert shown.shape[0] == 3
    assert shown.any(axis=0).all(), "together they leave no gap"
    assert not shown.all(axis=1).any(), "none of them hides the others"
    texts = {text.get_text() for text in figure.texts}
    assert set(LANES) <= texts


def test_with_one_lane_its_components_share_a_plot(run: qv.Run) -> None:
    figure = run.plot(["h"], ["hamilton"])
    (axes,) = figure.axes
    assert len({line.get_color() for line in axes.get_lines()}) == 3
    assert (lines(figure)[1] == reduce(run["hamilton"].t, run["hamilton"].h[:, 1])[1]).all()


def test_theory_is_dashed_over_lambda(run: qv.Run) -> None:
    picture = picture_of(run, ["lam"])
    ((strip,),) = [panel.strips for panel in picture.panels]
    assert [curve.dashed for curve in strip.curves] == [False, True]
    assert strip.curves[0].label == "lagrange_simplified/torque", "forms without a multiplier are left out"


def test_a_jump_is_a_gap_with_its_cause_and_a_death_a_cross() -> None:
    run = qv.simulate(
        qv.load_preset("torque_free"), lanes=["hamilton", "euler_angles/313"], duration=20.0, dt=1e-2
    )
    picture = picture_of(run, ["angles_313"])
    first = picture.panels[0].strips[0].curves[0]
    assert {cause for _, cause in first.jumps} == {"wrap"}
    assert np.nanmax(np.abs(np.diff(first.values))) < 180.0
    dead = picture.panels[0].strips[0].curves[1]
    assert dead.end is not None
    figure = draw(picture, Paper())
    assert "wrap" in {text.get_text() for text in figure.axes[0].texts}
    assert "x" in {str(line.get_marker()) for line in figure.axes[0].get_lines()}
    assert "euler_angles/313 ended at t = 0" in " ".join(text.get_text() for text in figure.texts)


def test_zeros_lie_along_the_lower_end_of_a_log_axis() -> None:
    t = np.linspace(0.0, 1.0, 50)
    values = np.where(t < 0.5, 0.0, 1e-12)
    figure = draw(one([Curve(t, values, "#000000", "a")], scale="log"), Paper())
    low, _ = figure.axes[0].get_ylim()
    (line,) = lines(figure)
    assert (line[:20] == low).all()
    assert line[-1] == pytest.approx(-12.0)
    assert figure.axes[0].get_yticklabels()[0].get_text() == "0"


@pytest.mark.parametrize("kind", FORMATS)
def test_the_same_figure_gives_the_same_bytes(run: qv.Run, kind: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        save(run.plot(["p"]), tmp_path / f"{name}.{kind}", Paper(), "p")
    assert (tmp_path / f"one.{kind}").read_bytes() == (tmp_path / f"two.{kind}").read_bytes()


def test_a_notebook_shows_the_figure(run: qv.Run) -> None:
    assert run.plot(["p"])._repr_png_().startswith(b"\x89PNG")


def test_unknown_names_are_refused(run: qv.Run) -> None:
    with pytest.raises(qv.Refusal, match="'speed'"):
        run.plot(["speed"])
    with pytest.raises(qv.Refusal, match="'lagrange'"):
        run.plot(["p"], ["lagrange"])


@pytest.mark.parametrize("times", [(0.5, 0.2), (0.3, 0.3), (float("nan"), 1.0), (1e6, 2e6)])
def test_a_stretch_of_no_time_is_refused(run: qv.Run, times: tuple[float, float]) -> None:
    with pytest.raises(qv.Refusal, match="low below high"):
        picture_of(run, ["h"], None, *times)
