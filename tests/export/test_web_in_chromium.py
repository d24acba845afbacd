"""The page in a real browser: it draws, plays, scrubs, switches lanes, and makes no network requests."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from chromium import Chromium, chromium

import quatviz as qv
from quatviz.display.panels.base.curves import THEORY_OPACITY, THEORY_WIDTH
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.figures.strokes import cell_boundaries, cell_duration, is_crowded
from quatviz.physics.formulations import lane_title
from quatviz.physics.mechanics.rotations import rotate


@pytest.fixture(scope="module")
def run() -> qv.Run:
    lanes = ["hamilton", "lagrange_simplified/split", "euler_angles/313"]
    return qv.simulate(qv.load_preset("torque_free"), lanes=lanes, duration=10.0, dt=1e-2)


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def file(run: qv.Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    run.view().save(path)
    return path


@pytest.fixture
def page(file: Path, browser: Chromium) -> Chromium:
    """Open the page from its file, at the start of the run."""
    browser.requests.clear()
    browser.faults.clear()
    browser.open(file)
    return browser


def different(first: np.ndarray, second: np.ndarray) -> float:
    """Return the fraction of pixels that differ visibly."""
    return float((np.abs(first - second).max(axis=2) > 0.08).mean())


def colors(picture: np.ndarray) -> int:
    return len(np.unique((picture.reshape(-1, 3) * 31).astype(int), axis=0))


def near(picture: np.ndarray, color: str) -> int:
    """Return the pixels close to a color."""
    wanted = np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return int((np.abs(picture - wanted).max(axis=2) < 0.06).sum())


def test_page_draws_body_and_plots_without_requests(page: Chromium, tmp_path: Path) -> None:
    assert colors(page.screenshot(tmp_path / "view.png", "#view")) > 100
    plots = page.screenshot(tmp_path / "plots.png", "#plots")
    assert near(plots, LIGHT.lanes[0]) > 100
    assert near(plots, LIGHT.lanes[1]) > 100
    assert page.faults == []
    assert [address.split(":")[0] for address in page.requests] == ["file"]


def test_play_moves_the_time_and_the_picture(page: Chromium, tmp_path: Path) -> None:
    before = page.screenshot(tmp_path / "before.png", "#view")
    page.click("#play")
    page.wait("quatviz.state.time > 0.5")
    page.click("#play")
    stopped = page.evaluate("quatviz.state.time")
    after = page.screenshot(tmp_path / "after.png", "#view")
    assert different(before, after) > 0.01
    assert page.evaluate("quatviz.state.time") == stopped
    assert page.evaluate("document.querySelector('#clock').textContent").startswith(f"{stopped:.2f}")


def test_slider_moves_the_body_and_the_cursor_of_every_plot(page: Chromium, tmp_path: Path) -> None:
    before = page.screenshot(tmp_path / "before.png")
    page.click("#slider", share=0.5)
    assert page.evaluate("quatviz.state.time") == pytest.approx(5.0, abs=0.3)
    after = page.screenshot(tmp_path / "after.png")
    assert different(before, after) > 0.01
    cursors = page.evaluate(
        "[...document.querySelectorAll('.now')].map((one) => one.getBoundingClientRect().left)"
    )
    assert len(cursors) > 4
    assert max(cursors) - min(cursors) < 1.0


def test_click_in_a_plot_sets_the_time(page: Chromium) -> None:
    page.click(".u-over", share=0.25)
    assert page.evaluate("quatviz.state.time") == pytest.approx(2.5, abs=0.05)
    page.click("#slider", share=0.5)
    assert page.evaluate("document.querySelector('.read span').textContent") != ""


def test_values_at_the_cursor_are_those_of_the_run(page: Chromium, run: qv.Run) -> None:
    page.evaluate("quatviz.setTime(3)")
    for name in ("hamilton", "lagrange_simplified/split"):
        lane, row = run[name], round(3.0 / run.preset.run.sample_interval)
        values = page.evaluate(
            f"(() => {{ const lane = quatviz.lanes.find((one) => one.name === '{lane_title(name)}'); return"
            " [0, 1, 2].map((i) => lane.reading('h_space', i, 3)).concat(lane.attitude(3)); })()"
        )
        p = lane.p[row] / np.linalg.norm(lane.p[row])
        assert values[:3] == pytest.approx(lane.h_space[row], rel=1e-5, abs=1e-3)
        assert np.abs(values[3:] @ p) == pytest.approx(1.0, abs=1e-6)
        space = page.evaluate(
            f"quatviz.lanes.find((one) => one.name === '{lane_title(name)}').inSpace('omega', 3)"
        )
        assert space == pytest.approx(rotate(lane.p[row], lane.omega[row]), abs=1e-5)


def test_hidden_lane_leaves_the_plots(page: Chromium, tmp_path: Path) -> None:
    with_it = near(page.screenshot(tmp_path / "with.png", "#plots"), LIGHT.lanes[1])
    page.click("#lanes button:nth-child(2)")
    assert page.evaluate("document.querySelector('#lanes button:nth-child(2)').ariaPressed") == "false"
    assert near(page.screenshot(tmp_path / "without.png", "#plots"), LIGHT.lanes[1]) < 0.1 * with_it


def test_coinciding_ghost_does_not_tint_the_body(page: Chromium, tmp_path: Path) -> None:
    page.click("#lanes button:nth-child(3)")
    page.evaluate("quatviz.setTime(2)")
    middle = (slice(250, 350), slice(230, 330))
    with_ghost = page.screenshot(tmp_path / "with.png", "#view")
    page.click("#lanes button:nth-child(2)")
    alone = page.screenshot(tmp_path / "alone.png", "#view")
    assert different(with_ghost, alone) > 0.001, "its edge is visible around the body"
    assert np.abs(with_ghost[middle] - alone[middle]).max() < 0.02


def test_page_shows_summary_and_watch_text(page: Chromium, run: qv.Run) -> None:
    assert page.evaluate("document.querySelector('#lead').open")
    text = page.evaluate("document.querySelector('#lead').innerText")
    assert run.preset.summary.strip()[:60] in text
    assert run.preset.watch.strip()[:60] in text


def test_page_lists_edits_and_marks_outdated_sentences_in_gray(page: Chromium) -> None:
    """The lanes of this run are not those of the preset."""
    assert page.evaluate("document.querySelector('#edits').innerText").startswith("Edited: run (")
    marked = page.evaluate(
        "[...document.querySelectorAll('#lead-text span')].filter((part) => part.innerText.endsWith('(?)'))"
        ".map((part) => [part.innerText.slice(0, 10), getComputedStyle(part).color])"
    )
    muted = page.evaluate("getComputedStyle(document.querySelector('#source')).color")
    assert ["Both lanes", muted] in marked


def test_ended_lane_is_reported_with_its_message(page: Chromium, run: qv.Run) -> None:
    assert "singular" in page.evaluate("document.querySelector('#lanes button:nth-child(3)').textContent")
    assert run["euler_angles/313"].message.partition(" ended")[2] in page.evaluate(
        "document.querySelector('#remarks').textContent"
    )


def test_cross_is_at_the_end_time_of_its_lane(page: Chromium) -> None:
    """Not at its last sample, since the page keeps fewer samples."""
    places = page.evaluate("""(() => {
        const drawn = [], real = window.uPlot, lane = quatviz.lanes[0], interval = lane.end / (lane.rows - 1);
        lane.alive = false;
        lane.series = () => Array.from({ length: 3 }, (_, row) => 0.1 * row);
        lane.ended = 2.7 * interval;
        window.uPlot = function (options, ...more) {
            const made = new real(options, ...more), pen = made.ctx, { moveTo, lineTo } = CanvasRenderingContext2D.prototype;
            const row = (x) => made.posToVal(x, "x", true) / interval;
            let from = null;
            pen.moveTo = (x, y) => { from = x; moveTo.call(pen, x, y); };
            pen.lineTo = (x, y) => { if (Math.abs(x - from - 8) < 1e-6) drawn.push(row(x - 4)); lineTo.call(pen, x, y); };
            options.hooks.draw[0](made);
            return made;
        };
        const chip = document.querySelector("#chooser button");
        chip.click();
        chip.click();
        window.uPlot = real;
        return drawn;
    })()""")
    assert 2.7 in [round(position, 3) for position in places]
    assert 2.0 not in [round(position, 3) for position in places]


def test_keys_step_and_play(page: Chromium) -> None:
    page.press_key("ArrowRight")
    assert page.evaluate("quatviz.state.time") == pytest.approx(0.02)
    page.press_key("End")
    assert page.evaluate("quatviz.state.time") == 10.0
    page.press_key("Home")
    page.press_key(" ", "Space")
    page.wait("quatviz.state.time > 0.1")
    page.press_key(" ", "Space")
    assert page.evaluate("quatviz.state.playing") is False


def test_mouse_drag_orbits_the_camera(page: Chromium, tmp_path: Path) -> None:
    before = page.screenshot(tmp_path / "before.png", "#view")
    page.drag("#view", 120, 40)
    assert different(before, page.screenshot(tmp_path / "after.png", "#view")) > 0.05


def test_theme_and_preset_can_be_toggled(page: Chromium, run: qv.Run, tmp_path: Path) -> None:
    light = page.screenshot(tmp_path / "light.png")
    page.click("#theme")
    dark = page.screenshot(tmp_path / "dark.png")
    assert dark.mean() < 0.4 < light.mean()
    assert not page.evaluate("document.querySelector('#preset').checkVisibility()")
    page.click("#settings")
    assert page.evaluate("document.querySelector('#preset').checkVisibility()")
    from quatviz.files.preset_reading import parse_preset

    again = parse_preset(page.evaluate("document.querySelector('#preset').textContent"))
    assert (again.lanes, again.run) == (run.preset.lanes, run.preset.run)


def test_page_fits_a_phone(page: Chromium, run: qv.Run, tmp_path: Path) -> None:
    path = tmp_path / "phone.html"
    run.view(theme="dark").save(path)
    page.open(path, 390, 844, mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("document.querySelector('#view').getBoundingClientRect().height") < 420
    assert colors(page.screenshot(tmp_path / "phone.png")) > 100
    assert page.faults == []


def test_every_panel_draws_one_and_several_lanes(page: Chromium) -> None:
    count = page.evaluate("document.querySelectorAll('#chooser button').length")
    assert count == 11
    page.evaluate(
        "document.querySelectorAll('#chooser button[aria-pressed=\"false\"]').forEach((one) => one.click())"
    )
    page.evaluate(
        "document.querySelectorAll('#chooser button[aria-pressed=\"false\"]').forEach((one) => one.click())"
    )
    assert page.evaluate("document.querySelectorAll('.panel').length") == count
    page.click("#lanes button:nth-child(1)")
    page.click("#lanes button:nth-child(3)")
    assert page.evaluate("document.querySelectorAll('.strip').length") == count
    assert page.faults == []


def test_components_of_a_vector_have_one_scale(page: Chromium) -> None:
    ends = page.evaluate("""(() => {
        const made = [], real = window.uPlot;
        window.uPlot = function (options, ...more) { made.push(options.scales.y.range()); return new real(options, ...more); };
        const chip = document.querySelector("#chooser button");
        chip.click();
        made.length = 0;
        chip.click();
        window.uPlot = real;
        return made;
    })()""")
    of_p, of_omega = ends[:4], ends[4:7]
    assert len({tuple(row) for row in of_p}) == len({tuple(row) for row in of_omega}) == 1
    assert of_p[0] != of_omega[0]


def test_every_axis_has_two_numbers_without_negative_zero(page: Chromium) -> None:
    """The axis of h had only a 0."""
    for low, high in (
        (-375.0, 375.0),
        (-1.7, 1.7),
        (-0.7, 1.9),
        (346.4, 346.5),
        (-3e-7, 3e-7),
        (0.0, 41.0),
    ):
        labels = page.evaluate(f"""(() => {{
            const made = [], real = window.uPlot;
            for (const lane of quatviz.lanes) lane.series = () => Float64Array.from([{low}, {high}]);
            window.uPlot = function (options, ...more) {{
                const plot = new real(options, ...more);
                if (options.scales.y.distr === 1) made.push(plot.axes[1].values(plot, plot.axes[1].splits()));
                return plot;
            }};
            const chip = [...document.querySelectorAll("#chooser button")].find((one) => one.textContent.startsWith("Angular mom"));
            chip.click();
            [...document.querySelectorAll("#chooser button")].find((one) => one.textContent === chip.textContent).click();
            window.uPlot = real;
            return made;
        }})()""")
        assert labels
        for texts in labels:
            assert len(set(texts)) == len(texts) >= 2, (low, high, texts)
            assert not [text for text in texts if text.startswith("−") and not text.strip("−0.")]
    assert page.faults == []


def test_labels_of_an_axis_are_the_values_of_its_ticks(page: Chromium) -> None:
    """The labels of 0.75 and 0.25 were 0.8 and 0.3."""
    for low, high in (
        (0.0, 1.0),
        (0.0, 10.0),
        (-7.1, 5.3),
        (0.0, 9e5),
        (0.0, 1.2e6),
        (-3e-4, 9e-4),
        (346.4, 346.5),
    ):
        axes = page.evaluate(f"""(() => {{
            const made = [], real = window.uPlot;
            for (const lane of quatviz.lanes) lane.series = () => Float64Array.from([{low}, {high}]);
            window.uPlot = function (options, ...more) {{
                const plot = new real(options, ...more), axis = plot.axes[1];
                if (options.scales.y.distr === 1) made.push([axis.splits(), axis.values(plot, axis.splits())]);
                return plot;
            }};
            for (const height of [400, 550, 720, 900, 1300, 2000]) {{
                Object.defineProperty(window, "innerHeight", {{ value: height, configurable: true }});
                const chips = () => [...document.querySelectorAll("#chooser button")];
                for (let number = 0; number < chips().length; number++) chips()[number].click();
            }}
            window.uPlot = real;
            return made;
        }})()""")
        assert axes
        for ticks, texts in axes:
            shown = [float(text.replace("−", "-")) for text in texts]
            step = ticks[1] - ticks[0]
            assert np.abs(np.subtract(shown, ticks)).max() < 1e-6 * step, (ticks, texts)
    assert page.faults == []


def test_about_is_in_american_english_as_the_window(page: Chromium) -> None:
    text = page.evaluate("document.querySelector('#about-text').textContent")
    assert "their colors take turns" in text
    assert "colour" not in text


def test_preset_text_is_gray_for_motions_computed_by_the_page(page: Chromium) -> None:
    muted = page.evaluate("getComputedStyle(document.querySelector('#source')).color")
    color = "getComputedStyle(document.querySelector('#lead-text')).color"
    stated = page.evaluate("document.querySelector('#edits').innerText")
    assert page.evaluate(color) != muted
    page.evaluate("document.querySelector('#compute').open = true")
    page.click("#run-again")
    page.wait("quatviz.lanes[0].computed")
    assert page.evaluate(color) == muted
    assert "describes the stored run" in page.evaluate("document.querySelector('#edits').innerText")
    page.click("#reset")
    assert page.evaluate(color) != muted
    assert page.evaluate("document.querySelector('#edits').innerText") == stated


def test_round_off_stays_low_on_the_drift_axis_of_the_page(page: Chromium) -> None:
    """Round-off filled the whole height."""
    for size, top, highest in ((3e-15, -9, 0.0), (6e-14, -9, 0.5), (2e-6, -5, 1.0)):
        (low, high), names, values = page.evaluate(f"""(() => {{
            const real = window.uPlot;
            let found;
            const drift = Array.from({{ length: 601 }}, (_, row) => (row % 7 ? {size} * Math.abs(Math.sin(row)) : 0));
            for (const lane of quatviz.lanes) lane.series = () => drift;
            window.uPlot = function (options, data, ...more) {{
                if (options.scales.y.distr === 3) found = [options.scales.y.range(), options, data[1]];
                return new real(options, data, ...more);
            }};
            const chip = [...document.querySelectorAll("#chooser button")].find((one) => one.textContent === "Drift");
            chip.click();
            chip.click();
            window.uPlot = real;
            const axis = found[1].axes[1];
            return [found[0], axis.values(null, axis.splits()), found[2].filter((value) => value != null)];
        }})()""")
        assert (round(np.log10(low)), round(np.log10(high)), names[0]) == (-16, top, "round-off")
        parts = np.log10(np.array(values) / low) / np.log10(high / low)
        assert parts.min() == 0.0
        assert highest - 0.2 < parts.max() <= highest


def test_dense_curves_follow_the_rule_of_the_window(page: Chromium) -> None:
    times, width, line = np.arange(601) / 60.0, 500, 1.5
    actual, expected = [], []
    for low, high in ((0.0, 10.0), (2.0, 6.0)):
        meets = (
            (cell_boundaries(low, high, cell_duration((high - low) / width, line)) - low)
            * width
            / (high - low)
        )
        seen = (times >= low) & (times <= high)
        for swings in range(2, 160, 6):
            values = np.sin(2.0 * np.pi * swings * times / 10.0)
            x, y = (times[seen] - low) * width / (high - low), 50.0 * (values[seen] + 1.0)
            expected.append(is_crowded(x, y, meets, line))
            given = f"{np.round(values, 9).tolist()}, 1 / 60, [{low}, {high}], [-1, 1], {width}, 100, {line}"
            actual.append(page.evaluate(f"quatviz.crowded({given})"))
    assert actual == expected
    assert 10 < sum(actual) < len(actual) - 10


def test_theory_is_no_wider_than_a_dense_curve(page: Chromium) -> None:
    """The wide band filled the space between curves."""
    for swings, broad in ((4, THEORY_WIDTH), (120, 1)):
        pale, curve = page.evaluate(f"""(() => {{
            const made = [], real = window.uPlot;
            const wave = Array.from({{ length: 601 }}, (_, row) => Math.sin(Math.PI * {swings} * row / 300));
            quatviz.lanes[1].series = (name) => (name.startsWith("lam") ? wave : null);
            window.uPlot = function (options, ...more) {{ made.push(options.series); return new real(options, ...more); }};
            const chip = [...document.querySelectorAll("#chooser button")].find((one) => one.textContent.includes("ultiplier"));
            chip.click();
            chip.click();
            window.uPlot = real;
            return made.find((one) => one.some(({{ alpha }}) => alpha === {THEORY_OPACITY})).slice(1);
        }})()""")
        assert pale["width"] == broad * curve["width"]


def test_unsupported_browser_is_reported(browser: Chromium, file: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.html"
    script = "<script>delete window.DecompressionStream</script>"
    old.write_text(file.read_text("utf-8").replace("<header>", f"{script}<header>", 1), "utf-8")
    browser.call("Page.navigate", url=old.as_uri())
    browser.wait("document.readyState === 'complete' && document.querySelector('#remarks')?.textContent")
    assert "a newer browser" in browser.evaluate("document.querySelector('#remarks').textContent")


def test_trail_of_a_slow_axis_covers_one_turn(page: Chromium, run: qv.Run) -> None:
    """As in the window. The last five seconds of a slow top showed only an arc."""
    fastest = np.linalg.norm(run["hamilton"].omega[:, :2], axis=1).max()
    seconds = page.evaluate("quatviz.lanes[0].trail")
    assert seconds == pytest.approx(2.0 * np.pi / fastest, rel=5e-4)
    assert seconds > 5.001


def test_round_body_does_not_intersect_its_ghost(page: Chromium, tmp_path: Path) -> None:
    """The facets of body and ghost intersected in teeth for a slightly tilted ghost."""
    page.evaluate(
        "quatviz.lanes[1].attitude = (time) => { const [a, b, c, d] = quatviz.lanes[0].attitude(time), x = 0.09, y = 0.06;"
        " return [a - x * b - y * c, b + x * a - y * d, c + y * a + x * d, d + y * b - x * c].map(p => p / Math.hypot(1, x, y)); }"
    )
    page.click("#lanes button:nth-child(3)")
    glazed = page.screenshot(tmp_path / "both.png", "#view")
    page.click("#lanes button:nth-child(2)")
    plain = page.screenshot(tmp_path / "alone.png", "#view")
    warm = plain[..., 0] - plain[..., 2]
    body = (plain[..., 0] > 0.24) & (warm > 0.016) & (warm < 0.24)
    assert np.count_nonzero(body) > 5000
    assert (np.abs(glazed - plain)[body].max(axis=1) < 0.008).mean() < 0.05, "labels and arrows only"
