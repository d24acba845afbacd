"""Figures of a run: contents, sizes, and sizes of their files."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import quatviz as qv
from quatviz.display.data.scales import SCALE_CLASSES
from quatviz.display.data.series import JumpSeries, Series
from quatviz.display.panels import PANELS
from quatviz.display.panels.base.curves import THEORY_OPACITY, THEORY_WIDTH, Plot, Trace
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.display.view_state.line_styles import COLOR_COUNT, lane_color
from quatviz.display.view_state.theme import LIGHT
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.figures.drawing import BUCKETS_PER_PLOT, MARKERS, draw_figure
from quatviz.export.figures.figure import (
    FigurePicture,
    PanelPicture,
    make_run_figure,
    run_footnote,
    visible_panels,
)
from quatviz.export.figures.paper import FORMATS, MILLIMETRE, Paper
from quatviz.physics.formulations import lane_title
from quatviz.physics.observables.jumps import FLIP, SINGULAR, WRAP

LANES = ["hamilton", "newton_euler", "lagrange_simplified/torque"]
TITLES = tuple(map(lane_title, LANES))


@pytest.fixture(scope="module")
def run() -> qv.Run:
    return qv.simulate(qv.load_preset("torque_free"), lanes=LANES, duration=10.0, dt=1e-2)


def curve(times: np.ndarray, values: np.ndarray, magnitude: bool = False) -> Series:
    series = Series(1, magnitude)
    series.set_data(times, values[:, None])
    return series


def figure_of(series: list[Series], high: float = 1.0, scale: str = "linear") -> FigurePicture:
    traces = [Trace(curve, 0, LIGHT.lanes[0], f"{number}") for number, curve in enumerate(series)]
    return FigurePicture(
        [PanelPicture("Title", "", [Plot(SCALE_CLASSES[scale](), "x", "m", scale, traces=traces)])], 0.0, high
    )


def lines(figure: Figure) -> list[np.ndarray]:
    return [np.asarray(line.get_ydata(), dtype=float) for line in figure.axes[0].get_lines()]


def test_low_strips_keep_unit_and_power_of_ten() -> None:
    t = np.linspace(0.0, 1.0, 101)
    for height, labels, notes in (
        (None, "h [10⁷ kg m²/s]", ["body frame"]),
        (55.0, "h", ["kg m²/s, body frame", "×10⁷"]),
    ):
        plots = []
        for _ in range(3):
            plots.append(
                Plot(
                    SCALE_CLASSES["linear"](),
                    "h",
                    "kg m²/s",
                    traces=[Trace(curve(t, 4e7 * t), 0, "#000", "a")],
                )
            )
            plots[-1].extend_range()
        picture = FigurePicture([PanelPicture("Momentum", "body frame", plots)], 0.0, 1.0)
        figure = draw_figure(picture, Paper(height=height))
        assert {axes.get_ylabel() for axes in figure.axes} == {labels}
        written = [text.get_text() for text in (*figure.texts, *figure.axes[2].texts)]
        assert [text for text in written if text != "Momentum"] == notes


@pytest.mark.parametrize(
    ("height", "label"), [(None, "|Δh| / |h₀|, space"), (75.0, "|Δh| / |h₀|"), (60.0, "|Δh|\n/ |h₀|")]
)
def test_low_strip_is_labelled_by_its_symbol_only(height: float | None, label: str) -> None:
    """Longer labels would overlap those of the next strip."""
    t = np.linspace(0.0, 1.0, 101)
    plots = [
        Plot(
            SCALE_CLASSES["linear"](),
            "|Δh| / |h₀|, space",
            weight=1.4,
            traces=[Trace(curve(t, t), 0, "#000", "a")],
        )
        for _ in range(3)
    ]
    for plot in plots:
        plot.extend_range()
    figure = draw_figure(FigurePicture([PanelPicture("Drift", "", plots)], 0.0, 1.0), Paper(height=height))
    assert {axes.get_ylabel() for axes in figure.axes} == {label}


def test_million_samples_give_a_small_file_with_all_extremes(tmp_path: Path) -> None:
    t = np.linspace(0.0, 1.0, 1_000_001)
    values = np.sin(2000.0 * t) * np.random.default_rng(2).normal(size=len(t))
    values[123_456] = 50.0
    figure = draw_figure(figure_of([curve(t, values + 3 * number) for number in range(3)]), Paper())
    assert np.nanmax(lines(figure)[0]) == 50.0
    assert len(lines(figure)[0]) <= 2 * BUCKETS_PER_PLOT
    for suffix in ("pdf", "svg"):
        figure.save(tmp_path / f"a.{suffix}")
        assert (tmp_path / f"a.{suffix}").stat().st_size < 1_000_000


def test_figure_has_the_requested_size_and_font(run: qv.Run, tmp_path: Path) -> None:
    figure = run.plot(["h"], width=85.0, height=60.0, size=6.0, font="STIXGeneral")
    assert figure.get_size_inches() / MILLIMETRE == pytest.approx([85.0, 60.0])
    assert figure.axes[0].yaxis.label.get_fontname() == "STIXGeneral"
    assert figure.axes[0].yaxis.label.get_fontsize() == 6.0
    figure.save(tmp_path / "a.png")
    from PIL import Image

    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (1003, 708)
        assert image.convert("RGB").getpixel((2, 2)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("paper", "key"), [({"width": 5.0}, "width"), ({"size": 100.0}, "size"), ({"height": 25.0}, "height")]
)
def test_too_small_paper_is_rejected(run: qv.Run, paper: dict[str, float], key: str) -> None:
    with pytest.raises(qv.InputError) as caught:
        run.plot(**paper)  # type: ignore[arg-type]
    assert caught.value.key == key


def test_lanes_have_colors_and_equal_lanes_are_striped(run: qv.Run) -> None:
    figure = run.plot(["h"])
    assert len(figure.axes) == 3
    shown = np.array([np.isfinite(line) for line in lines(figure)])
    assert shown.shape[0] == 3
    assert shown.any(axis=0).all(), "together they leave no gap"
    assert not shown.all(axis=1).any(), "none of them hides the others"
    texts = {text.get_text() for text in figure.texts}
    assert set(TITLES) <= texts


def test_single_lane_shows_components_in_one_plot(run: qv.Run) -> None:
    figure = run.plot(["h"], ["hamilton"])
    (axes,) = figure.axes
    assert len({line.get_color() for line in axes.get_lines()}) == 3
    assert (lines(figure)[1] == run["hamilton"].h[:, 1]).all()


def test_theory_is_a_wide_pale_band_and_lanes_are_dashed() -> None:
    lanes = ["lagrange_full/torque", "lagrange_full/split"]
    run = qv.simulate(qv.load_preset("six_lambdas"), lanes=lanes, duration=2.0)
    drawn = draw_figure(make_run_figure(run.engine, [], panels=["multiplier"]), Paper()).axes[0].get_lines()
    assert [line.get_alpha() for line in drawn] == [THEORY_OPACITY, THEORY_OPACITY, None, None]
    thin = drawn[2].get_linewidth()
    assert [line.get_linewidth() / thin for line in drawn] == [THEORY_WIDTH, THEORY_WIDTH, 1, 1]
    assert [line.get_color() for line in drawn] == 2 * list(LIGHT.lanes[:2])
    assert not {line.get_linestyle() for line in drawn} - {"-"}
    gaps = [int(np.isnan(np.asarray(line.get_ydata(), dtype=float)).sum()) for line in drawn]
    assert gaps[:3] == [0, 0, 0]
    assert gaps[3] > 20, "the second lane's dashes"


def test_theory_band_of_dense_oscillation_stays_narrow() -> None:
    t = np.linspace(0.0, 10.0, 2001)
    for nods, times_as_wide in ((4, THEORY_WIDTH), (40, 1)):
        traces = [
            Trace(curve(t, np.sin(0.2 * np.pi * nods * t)), 0, "#000", "a", is_theory=theory)
            for theory in (False, True)
        ]
        plot = Plot(SCALE_CLASSES["linear"](), traces=traces)
        plot.extend_range()
        picture = FigurePicture([PanelPicture("", plots=[plot])], 0.0, 10.0)
        theory, own = draw_figure(picture, Paper(width=85.0)).axes[0].get_lines()
        assert theory.get_alpha() == THEORY_OPACITY
        assert theory.get_linewidth() == times_as_wide * own.get_linewidth()


def test_panel_notes_stay_inside_and_clear_of_time_labels() -> None:
    lanes = ["lagrange_full/torque", "newton_euler", "hamilton", "lagrange_projected", "lie_group"]
    run = qv.simulate(qv.load_preset("six_lambdas"), lanes=lanes, duration=0.1)
    figure = draw_figure(make_run_figure(run.engine, [], panels=["omega", "drift", "multiplier"]), Paper())
    FigureCanvasAgg(figure).draw()
    notes = [text for text in figure.texts if "no multiplier" in text.get_text()]
    index = figure.texts.index(notes[0])
    lines = [text.get_window_extent() for text in figure.texts[index : index + 2]]
    axes = figure.axes[-1].get_window_extent()
    assert "Newton–Euler, Lie group" in figure.texts[index + 1].get_text()
    assert all(axes.x0 - 1 <= line.x0 and line.x1 <= axes.x1 + 1 for line in lines)
    assert lines[0].y1 <= figure.axes[-1].xaxis.label.get_window_extent().y0
    assert lines[1].y1 <= lines[0].y0 + 1


def test_theory_is_drawn_only_for_lanes_with_a_multiplier(run: qv.Run) -> None:
    picture = make_run_figure(run.engine, ["lam"])
    ((plot,),) = [panel.plots for panel in picture.panels]
    assert [trace.is_theory for trace in plot.traces] == [False, True]
    assert [trace.label for trace in plot.traces][1] == "theory"
    assert plot.traces[0].label == "lagrange_simplified/torque", (
        "formulations without a multiplier are omitted"
    )


def test_zero_multiplier_is_not_magnified() -> None:
    """Without loads the full form's lambda is 10^-14 J by round-off, for an energy of 250 J."""
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["lagrange_full"], duration=5.0)
    assert 0.0 < np.abs(run["lagrange_full"].lam).max() < 1e-11
    figure = draw_figure(make_run_figure(run.engine, ["lam"]), Paper())
    low, high = figure.axes[0].get_ylim()
    assert high - low >= 2.5e-7


def test_jump_is_a_labelled_gap_and_lane_end_a_cross() -> None:
    run = qv.simulate(
        qv.load_preset("torque_free"), lanes=["hamilton", "euler_angles/313"], duration=20.0, dt=1e-2
    )
    picture = make_run_figure(run.engine, ["angles_313"])
    died = run["euler_angles/313"].ended_at
    assert [trace.ended for trace in picture.panels[0].plots[0].traces] == [None, died]
    figure = draw_figure(picture, Paper())
    assert np.nanmax(np.abs(np.diff(lines(figure)[0]))) < 180.0
    assert "wrap" in {text.get_text() for text in figure.axes[0].texts}
    (cross,) = (line for line in figure.axes[0].get_lines() if str(line.get_marker()) == "x")
    assert np.asarray(cross.get_xdata()).tolist() == [died], (
        "at the time in its message, not at the last sample before"
    )
    assert "Lagrange in Euler angles: 3-1-3 ended at t = 0 s" in " ".join(
        text.get_text() for text in figure.texts
    )


@pytest.mark.parametrize("name", list(PANELS))
def test_every_panel_has_a_figure_without_a_window(run: qv.Run, name: str) -> None:
    picture = make_run_figure(run.engine, (), panels=[name])
    shown = [(panel.title, bool(panel.plots or panel.painted or panel.globe)) for panel in picture.panels]
    nothing = name in (
        "ring",
        "centre_of_mass",
        "condition",
        "orbital_attitude",
        "pivot_force",
        "rotors",
        "target_angle",
    )  # this body has none of these, these lanes solve no system
    assert shown in ([(PANELS[name].title, True)], *([[]] if nothing else []))
    if shown:
        assert draw_figure(picture, Paper()).axes
    else:
        with pytest.raises(qv.InputError, match="nothing to draw"):
            draw_figure(picture, Paper())


def test_printed_globe_equals_the_globe_of_the_window(run: qv.Run) -> None:
    figure = run.plot(panels=["momentum_sphere"])
    (axes,) = figure.axes
    assert {text.get_text() for text in axes.texts} >= {"1", "2", "3"}
    own = {to_hex(line.get_color()): line for line in axes.get_lines()}
    assert set(LIGHT.lanes[: len(run.engine.lanes)]) <= set(own), (
        "a path of every lane, striped where they agree"
    )
    assert not axes.images
    (sphere,) = axes.patches
    rim = np.asarray(sphere.get_path().vertices, dtype=float)
    size = np.ptp(rim[:, 0]) / 2
    centre = rim[:-1].mean(axis=0)
    for color in LIGHT.lanes[: len(run.engine.lanes)]:
        path = np.array(own[color].get_data()).T - centre
        assert np.nanmax(np.hypot(*path.T)) <= 1.001 * size, "h stays on its sphere"
    names = {text.get_text() for text in figure.texts}
    assert {lane_title(lane.name) for lane in run.engine} <= names
    whole = make_run_figure(run.engine, (), panels=["momentum_sphere"]).panels[0].globe
    part = make_run_figure(run.engine, (), None, 0.0, 1.0, panels=["momentum_sphere"]).panels[0].globe
    assert whole is not None
    assert part is not None
    assert part.paths[0].times[-1] <= 1.0 < whole.paths[0].times[-1]


def test_printed_figure_contains_text_and_vectors(run: qv.Run) -> None:
    figure = run.plot(panels=["cost"])
    (axes,) = figure.axes
    assert set(TITLES) <= {text.get_text() for text in axes.texts}
    bars = [to_hex(patch.get_facecolor()) for patch in axes.patches]
    assert bars == list(LIGHT.lanes[:3])
    assert not axes.images


def test_printed_values_state_their_time(run: qv.Run) -> None:
    """A printed figure has no cursor, so the time of the numbers would be unknown."""
    picture = make_run_figure(run.engine, (), panels=["orientation_errors"])
    assert [panel.note for panel in picture.panels] == [f"rad, at {run.engine.duration:.2f} s"]
    picture = make_run_figure(run.engine, (), panels=["orientation_errors"], cursor=0.5)
    assert [panel.note for panel in picture.panels] == ["rad, at 0.50 s"]


def test_figure_applies_and_states_options_of_the_view_state(run: qv.Run) -> None:
    look = ViewState(options={"omega_frame": "space"}, difference=True, reference="newton_euler")
    picture = make_run_figure(run.engine, (), panels=["omega", "euler_angles"], view_state=look)
    first = picture.panels[0]
    assert "space frame" in first.note
    assert "difference from Newton–Euler" in first.note
    assert [trace.label for trace in first.plots[0].traces] == [LANES[0], LANES[2]]
    assert first.plots[0].scale_name == "log"


def test_figure_uses_panels_lanes_and_times_of_the_view_state(run: qv.Run) -> None:
    hidden = LaneStyles((0, 1, 2), ("ghost", "hidden", "ghost"))
    wanted = {name: name in ("h", "omega") for name in PANELS}
    look = ViewState(panels=wanted, lanes=hidden, span=(0.25, 0.5))
    assert visible_panels(run.engine, look) == ["omega", "h"], "in the order of the board"
    assert {"h", "omega"} < set(visible_panels(run.engine, ViewState()))
    picture = make_run_figure(run.engine, (), panels=visible_panels(run.engine, look), view_state=look)
    assert [name for name, _ in picture.legend] == [TITLES[0], TITLES[2], "striped: lanes agree"]
    assert TITLES[1] not in picture.footnote
    assert (picture.low, picture.high) == (0.25, 0.5)
    assert TITLES[1] in make_run_figure(run.engine, ["h"], [LANES[1]], 0.0, 0.5, view_state=look).footnote, (
        "requested by name"
    )


def test_sign_flips_are_marked_once_for_lanes_flipping_together(run: qv.Run) -> None:
    times = np.linspace(0.0, 1.0, 5001)

    def jumping(cause: int, at: float) -> Series:
        def found(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            jumping = np.flatnonzero(np.diff(rows[:, 0]) > 0.5)
            return jumping, np.full((len(jumping), 1), cause)

        series = JumpSeries(1, found)
        series.set_data(times, (times > at).astype(float)[:, None])
        return series

    figure = draw_figure(figure_of([jumping(FLIP, 0.5), jumping(WRAP, 0.5003)]), Paper())
    assert [text.get_text() for text in figure.axes[0].texts] == ["flip"]
    figure = draw_figure(figure_of([jumping(FLIP, 0.5), jumping(WRAP, 0.8)]), Paper())
    assert [text.get_text() for text in figure.axes[0].texts] == ["flip", "wrap"]


@pytest.mark.parametrize(("after", "position"), [(1.0, 0.0), (-1.0, 1.0)])
def test_jump_label_covers_no_curve(after: float, position: float) -> None:
    """On the worksheet on gimbal lock, "singular" covered the azimuth after the lock."""
    times = np.linspace(0.0, 1.0, 5001)

    def found(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        jumping = np.flatnonzero(np.abs(np.diff(rows[:, 0])) > 0.5)
        return jumping, np.full((len(jumping), 1), SINGULAR)

    series = JumpSeries(1, found)
    series.set_data(times, np.where(times > 0.5, after, -after)[:, None])
    ended = curve(times[:2501], np.where(times[:2501] > 0.4, 0.0, -after))  # it has no value at the label
    (word,) = draw_figure(figure_of([series, ended]), Paper()).axes[0].texts
    assert word.get_text() == "singular"
    assert abs(word.xy[1] - position) < 0.4  # type: ignore[attr-defined]


def test_zeros_lie_at_the_lower_end_of_a_log_axis() -> None:
    t = np.linspace(0.0, 1.0, 50)
    values = np.where(t < 0.5, 0.0, 1e-12)
    figure = draw_figure(figure_of([curve(t, values, magnitude=True)], scale="log"), Paper())
    low, _ = figure.axes[0].get_ylim()
    (line,) = lines(figure)
    assert (line[:20] == low).all()
    assert line[-1] == pytest.approx(-12.0)
    assert figure.axes[0].get_yticklabels()[0].get_text() == "0"


@pytest.mark.parametrize("suffix", FORMATS)
def test_equal_figures_give_equal_bytes(run: qv.Run, suffix: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run.plot(["p"]).save(tmp_path / f"{name}.{suffix}")
    assert (tmp_path / f"one.{suffix}").read_bytes() == (tmp_path / f"two.{suffix}").read_bytes()


def test_notebook_shows_the_figure(run: qv.Run) -> None:
    assert run.plot(["p"])._repr_png_().startswith(b"\x89PNG")


def test_unknown_names_are_rejected(run: qv.Run) -> None:
    with pytest.raises(qv.InputError, match="'speed'"):
        run.plot(["speed"])
    with pytest.raises(qv.InputError, match="'lagrange'"):
        run.plot(["p"], ["lagrange"])


@pytest.mark.parametrize("times", [(0.5, 0.2), (0.3, 0.3), (float("nan"), 1.0), (1e6, 2e6)])
def test_empty_time_range_is_rejected(run: qv.Run, times: tuple[float, float]) -> None:
    with pytest.raises(qv.InputError, match=r"before the end \(high\)"):
        make_run_figure(run.engine, ["h"], None, *times)


def test_lanes_of_one_color_have_markers_on_paper() -> None:
    """On coinciding curves, on separate curves, and in the legend: the first lane, the ninth, and two further ones."""
    t = np.linspace(0.0, 10.0, 2001)
    numbers = [0, COLOR_COUNT, 2 * COLOR_COUNT, 3 * COLOR_COUNT]
    for apart in (0.0, 0.5):
        traces = [
            Trace(
                curve(t, np.sin(t) + apart * index),
                0,
                lane_color(LIGHT, number),
                f"lane {number}",
                number=number,
            )
            for index, number in enumerate(numbers)
        ]
        legend = [(f"lane {number}", number) for number in numbers]
        plot = Plot(SCALE_CLASSES["linear"](), traces=traces)
        figure = draw_figure(
            FigurePicture([PanelPicture("", plots=[plot])], 0.0, 10.0, legend=legend), Paper()
        )
        on_curves = [line for line in figure.axes[0].get_lines() if line.get_marker() in MARKERS.values()]
        assert [line.get_marker() for line in on_curves if line.get_marker()] == ["o", "s", "^"]
        assert all(np.size(line.get_xdata()) > 3 for line in on_curves if line.get_marker())
        keys = [line.get_marker() for line in figure.findobj(Line2D) if line.axes is None]
        assert [key for key in keys if key in ("o", "s", "^")] == ["o", "s", "^"]


def test_footnote_names_edits_and_laws_of_lanes() -> None:
    preset = qv.load_preset("torque_free").with_run(duration=0.02)
    law = qv.TorqueLaw(law="e = p[1:]  # error\nn = -K*e", gains={"K": 2.0})
    lanes = (replace(preset.lanes[0], loads=(law,)), *preset.lanes[1:])
    run = qv.simulate(replace(preset, lanes=lanes))
    assert make_run_figure(run.engine).title == "Torque-free body (edited)"
    footnote = run_footnote(run.engine, run.engine.lanes)
    assert footnote.startswith("Preset “Torque-free body” (edited: loads of lanes); ")
    assert " Newton–Euler: torque law e = p[1:], n = -K*e, K = 2. " in footnote
    numerical = qv.simulate(preset)
    assert run_footnote(numerical.engine, numerical.engine.lanes).startswith("Preset “Torque-free body”; ")
