"""h on its sphere and omega on its ellipsoid: positions, and redraws."""

from dataclasses import replace

import numpy as np
import pytest
from board_maker import Maker, make, process_events  # noqa: F401 (a fixture)
from fake_run import FakeRun
from globe_maker import (
    GLOBES,
    MOMENTUM,
    PaintedPixelCounter,
    count_pixels,
    free_run,
    image_of,
    pixels_of,
    point_in_globe,
    show_globe,
    spinning_run,
)

from quatviz import Gravity
from quatviz.base.formatting import format_four_digits
from quatviz.display.data.budget import FrameBudget
from quatviz.display.data.lazy_columns import interpolate
from quatviz.display.panels import PANELS
from quatviz.display.panels.base.globe import MAX_DRAWN_ROWS, GlobePanel
from quatviz.display.panels.momentum_sphere import MomentumSphere
from quatviz.display.panels.omega_ellipsoid import OmegaEllipsoid
from quatviz.display.view_state.theme import DARK, THEMES, Theme
from quatviz.ui.plots.globe_view import GlobeView, fit_readout
from quatviz.ui.widgets.style import set_own_theme

# on the board


def test_globes_are_shown_on_request(make: Maker) -> None:
    board = make(free_run())
    names = [panel.name for panel in board.panels]
    assert not set(GLOBES) & set(names)
    assert set(GLOBES) < set(PANELS)
    for name in GLOBES:
        board.show_panel(name, True)
    process_events()
    globes = [panel for panel in board.panels if isinstance(panel, GlobeView)]
    assert sorted(panel.name for panel in globes) == sorted(GLOBES)
    for panel in globes:
        assert min(panel.globe.rect().width(), panel.globe.rect().height()) > 90
        assert "" != panel.globe.explanation == panel.panel.explanation(panel.option, free_run().info)
        assert ("rad/s" in panel.panel.note or "kg m²/s" in panel.panel.note) == (panel.panel.choice is None)


def test_explanation_leaves_room_for_globe_or_is_hidden(make: Maker) -> None:
    board, panel = show_globe(make, free_run(), MomentumSphere)
    assert height_of_text(panel) > 10
    board.resize(780, 240)
    process_events()
    assert height_of_text(panel) == 0.0


def height_of_text(panel: GlobeView) -> float:
    """Return how many pixels of the globe's height its text takes."""
    globe, explanation = panel.globe, panel.globe.explanation
    globe.set_picture(globe.picture, "")
    middle, empty = globe.projections[0].y, image_of(panel)
    globe.set_picture(globe.picture, explanation)
    room = 2.0 * (middle - globe.projections[0].y)
    below = [
        count_pixels(image[round(len(image) - room) :], globe.theme.muted)
        for image in (empty, image_of(panel))
    ]
    assert below[0] == 0
    assert (below[1] > 20) == (room > 0.0)
    return room


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
@pytest.mark.parametrize("name", GLOBES)
def test_both_lanes_are_visible_where_they_agree(make: Maker, name: str, theme: Theme) -> None:
    run = spinning_run(0.7, lanes=("one", "two"))
    own = free_run()
    run.info = own.info
    for lane in run.data:
        run.data[lane] |= {quantity: own.data[lane][quantity] for quantity in ("h", "omega")}
    board, panel = show_globe(make, run, PANELS[name])  # type: ignore[arg-type]
    set_own_theme(board, theme)
    process_events()
    seen = [count_pixels(image_of(panel), theme.lanes[number]) for number in (0, 1)]
    assert min(seen) > 20
    assert max(seen) < 3 * min(seen)


def test_shorter_lane_and_repeated_path_stay_visible(make: Maker) -> None:
    run = free_run()
    for lane in run.data:
        run.data[lane]["h"] = np.concatenate((run.data[lane]["h"][::2],) * 2)[:801]
    run.t = 10.0 * run.t
    run.dt, run.info = 0.1, replace(run.info, sample_interval=0.1, duration=float(run.t[-1]))
    run.rows["one"] = 778
    board, panel = show_globe(make, run, MomentumSphere)
    board.show_frame(replace(run.frame(1.0), duration=1000.0, scales={"omega": 0.1}))
    assert len(panel.globe.picture.paths[0].times) < len(panel.globe.picture.paths[1].times)
    seen = [count_pixels(image_of(panel), DARK.lanes[number]) for number in (0, 1)]
    assert max(seen) < 2 * min(seen)


def test_moving_cursor_does_not_redraw_globe(make: Maker) -> None:
    run = free_run()
    board, panel = show_globe(make, run, MomentumSphere)
    ratio = panel.globe.devicePixelRatioF()
    kept = panel.globe.cached_pixmap(ratio).cacheKey()
    image_before = pixels_of(board.grab().toImage())
    painted = PaintedPixelCounter(panel.globe)
    board.show_frame(run.frame(2.0))
    process_events()
    assert 0 < painted.pixels < 0.1 * panel.globe.width() * panel.globe.height()
    board.show_frame(run.frame(4.0))
    process_events()
    assert panel.globe.cached_pixmap(ratio).cacheKey() == kept
    image = pixels_of(board.grab().toImage())
    places = np.argwhere(np.abs(image - image_before).max(axis=2) > 8)[:, ::-1]
    at = [point_in_globe(board, panel.globe, run.data["one"]["h"][row] / MOMENTUM) for row in (0, 400)]
    away = [np.hypot(*(places - (point.x(), point.y())).T) for point in at]
    assert len(places) > 50
    assert np.all((away[0] < 12) | (away[1] < 12)), "only the old and new cursor positions change"


def test_growing_path_is_redrawn_at_once_or_in_turns(make: Maker) -> None:
    run = free_run(("one",))
    run.rows["one"] = 101
    board, panel = show_globe(make, run, MomentumSphere)

    def last() -> float:
        (path,) = panel.globe.picture.paths
        return float(path.times[-1])

    assert last() == 1.0
    budget = FrameBudget()
    for rows, clock, playing, drawn in (
        (201, 100.0, True, 2.0), (301, 100.3, True, 2.0), (301, 100.6, True, 3.0), (401, 100.7, False, 4.0),
    ):  # fmt: skip
        run.rows["one"] = rows
        budget.begin_frame(clock, playing)
        board.show_frame(replace(run.frame(clock - 99.5), playing=playing, budget=budget))
        assert last() == drawn, clock


def test_thinned_path_keeps_last_row(make: Maker) -> None:
    run = FakeRun(("one",), 9002)
    _, panel = show_globe(make, run, MomentumSphere)
    (path,) = panel.globe.picture.paths
    assert len(path.times) <= MAX_DRAWN_ROWS + 1
    assert path.times[-1] == pytest.approx(run.t[-1])
    rows = np.rint(path.times / run.dt).astype(int)
    assert path.points == pytest.approx(run.data["one"]["h"][rows] / panel.globe.picture.scale)


def test_fast_path_is_shown_in_pages_of_time(make: Maker) -> None:
    run = FakeRun(("one",), 9001)
    board, panel = show_globe(make, run, MomentumSphere)
    for time, first, last in ((0.5, 0.0, 20.0), (21.0, 20.0, 40.0), (89.0, 80.0, 90.0)):
        board.show_frame(replace(run.frame(time), scales={"omega": 20.0}))
        (path,) = panel.globe.picture.paths
        assert (path.times[0], path.times[-1]) == pytest.approx((first, last))
        assert np.diff(path.times) == pytest.approx(0.01)
    assert "t = 80 to 100 s" in panel.title_row.note


# h and omega


@pytest.mark.parametrize("panel_class", [MomentumSphere, OmegaEllipsoid])
def test_free_path_lies_on_surface_among_reference_curves(make: Maker, panel_class: type[GlobePanel]) -> None:
    _, panel = show_globe(make, free_run(), panel_class)
    picture = panel.globe.picture
    assert len(picture.paths) == 2
    assert len(picture.curves) == 12
    assert len(picture.separatrices) == 2
    for points in (*(path.points for path in picture.paths), *picture.curves, *picture.separatrices):
        on = np.linalg.solve(picture.surface, points.T)
        assert np.linalg.norm(on, axis=0) == pytest.approx(1.0, abs=1e-9)
    assert np.linalg.norm(picture.surface, axis=0).max() == pytest.approx(1.0)
    assert panel.globe.outline_surface is None
    reach = [np.linalg.norm(label.point) for label in picture.labels]
    assert [label.text for label in picture.labels] == ["1", "2", "3"]
    assert min(reach) > 0.5


def test_loaded_momentum_surface_has_no_reference_curves(
    make: Maker,
) -> None:
    run = free_run(("one",))
    run.info = replace(run.info, loads=(Gravity(weight=1.0, centre=[0, 0, 1]).bind(run.info.body),))
    growing = np.linspace(0.5, 1.0, 801)[:, None]
    run.data["one"]["h"] = run.data["one"]["h"] * growing
    board, panel = show_globe(make, run, MomentumSphere)
    assert panel.globe.explanation.startswith("The length of h changes"), (
        "a load inside the body may conserve it"
    )
    picture = panel.globe.picture
    assert (picture.curves, picture.separatrices) == ((), ())
    assert np.linalg.norm(picture.paths[0].points, axis=1).max() == pytest.approx(1.0)
    painted = PaintedPixelCounter(panel.globe)
    for time, size in ((0.0, 0.5), (4.0, 0.75)):
        board.show_frame(run.frame(time))
        assert panel.globe.outline_surface == pytest.approx(size * np.eye(3))
    process_events()
    assert painted.pixels > panel.globe.projections[0].radius ** 2


@pytest.mark.parametrize("panel_class", [MomentumSphere, OmegaEllipsoid])
def test_resting_body_and_overflow_raise_nothing(make: Maker, panel_class: type[GlobePanel]) -> None:
    run = free_run(("one", "two"))
    for quantity in ("h", "omega"):
        run.data["one"][quantity] = np.zeros((801, 3))
        run.data["two"][quantity] = 1e200 * np.ones((801, 3))
        run.data["two"][quantity][400:] = np.nan
    board, panel = show_globe(make, run, panel_class)
    process_events()
    board.show_frame(run.frame(6.0))
    process_events()
    assert board.panels == [panel]
    run.rows["one"] = run.rows["two"] = 0
    board.start(run)
    board.show_frame(run.frame(0.0, generation=2))
    process_events()
    assert board.panels == [panel]
    assert panel.globe.cursor_points == []


def test_readouts_are_values_at_cursor(make: Maker) -> None:
    run = free_run()
    board, panel = show_globe(make, run, OmegaEllipsoid)
    board.show_frame(run.frame(3.005))
    values = [reading.value for reading in panel.readings() if reading.lane == "two"]
    rows = run.data["two"]["omega"]
    assert values == pytest.approx(interpolate(rows, 300.5))
    assert {(reading.quantity, reading.unit, reading.frame) for reading in panel.readings()} == {
        ("omega", "rad/s", "body")
    }
    size = np.linalg.norm(values)
    assert panel.globe.cursor_points[0].text.startswith(f"|ω|  {size:.4g}"[:9])
    assert panel.globe.current_readout() == [(panel.globe.cursor_points[0].text, None)], (
        "once where the lanes agree"
    )


def test_ended_lane_has_cross_and_no_readout(make: Maker) -> None:
    run = free_run()
    board, panel = show_globe(make, run, MomentumSphere)
    run.data["two"]["h"] = 2.0 * run.data["two"]["h"]
    first = run.frame(5.0)
    board.show_frame(replace(first, lanes=(first.lanes[0], replace(first.lanes[1], frozen=True))))
    assert [spot.has_ended for spot in panel.globe.cursor_points] == [False, True]
    assert len(panel.globe.current_readout()) == 1


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_three_readouts_fit_a_small_window_in_every_theme(make: Maker, theme: Theme) -> None:
    """The third was elided in the projector theme at 1280 x 720."""
    _, panel = show_globe(make, free_run(), MomentumSphere)
    set_own_theme(panel, theme)
    style, texts = panel.globe.plot_style, ["|h|  15.47 kg m²/s", "|h|  15.46 kg m²/s", "|h|  15.45 kg m²/s"]
    for right in (900.0, 445.0):
        font, metrics, left, gap = fit_readout(style, texts, right)
        assert left >= style.margin
        width = sum(style.text_width(metrics, text) for text in texts) + gap * (len(texts) - 1)
        assert left + width <= right
        if right == 900.0:
            assert (font, left) == (style.normal_font, style.gutter)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (1250.0, "1250"), (400.0, "400.0"), (0.012345, "0.01235"), (3e7, "3.000×10⁷")],
)
def test_readouts_have_four_digits(value: float, text: str) -> None:
    assert format_four_digits(value) == text
