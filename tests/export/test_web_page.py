"""The page as a file: its size, its float32 numbers, its settings, and no references to other files."""

import argparse
import base64
import html
import json
import re
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz import cli
from quatviz.display.data.frame_builder import run_info
from quatviz.display.panels import PANELS
from quatviz.display.panels.base import TimePanel
from quatviz.display.view_state.theme import THEMES
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.figures.figure import FigurePicture
from quatviz.export.figures.paper import Paper
from quatviz.export.web import packing
from quatviz.export.web.column_encoding import encode_columns
from quatviz.export.web.page import PAGE_THEMES, make_page, write_page
from quatviz.files.preset_edits import shown_title
from quatviz.files.preset_reading import parse_preset
from quatviz.physics.formulations import lane_title
from quatviz.physics.observables.jumps import NONE, find_angle_jumps
from quatviz.physics.observables.quantities import QUANTITIES

SIX: list[qv.Lane | str] = [
    "newton_euler",
    "hamilton",
    "lagrange_simplified/split",
    "euler_angles/321",
    "rotation_vector",
    qv.Lane("hamilton", dt=1e-2, name="coarse"),
]


@pytest.fixture(scope="module")
def run() -> qv.Run:
    return qv.simulate(qv.load_preset("torque_free"), lanes=SIX, duration=60.0, dt=2e-3)


def unpacked(page: str) -> tuple[dict[str, Any], np.ndarray]:
    """Return description and numbers, as a browser reads them."""
    match = re.search(r'<script type="application/json" id="run">(.*?)</script>', page, re.DOTALL)
    numbers = re.search(r'<script type="text/plain" id="numbers">(.*?)</script>', page, re.DOTALL)
    assert match is not None
    assert numbers is not None
    description = json.loads(match[1])
    return description, decoded(base64.b64decode(numbers[1], validate=True), description["coded"])


def decoded(packed: bytes, coded: list[Any]) -> np.ndarray:
    """Return the floats in these bytes, as the page's script reads them."""
    whole, at, parts = np.frombuffer(zlib.decompress(packed), "u1"), 0, []
    for rows, components in coded:
        values = np.empty((rows, len(components)), np.float32)
        for component, (order, power) in enumerate(components):
            steps = whole[at : at + 4 * rows].reshape(4, rows).astype(np.int64).T @ (1 << np.arange(0, 32, 8))
            at += 4 * rows
            steps = (steps >> 1) ^ -(steps & 1)
            for _ in range(order):
                steps = np.cumsum(steps)  # bits beyond 32 are dropped below
            sums = steps.astype(np.uint64).astype(np.uint32).view(np.int32)
            floats = (sums ^ ((sums >> 31) & 0x7FFFFFFF)).view(np.float32)
            values[:, component] = floats if power is None else sums * 2.0**power
        parts.append(values.ravel())
    assert at == len(whole)
    return np.concatenate(parts)


def column(data: dict[str, Any], numbers: np.ndarray, lane: dict[str, Any], name: str) -> np.ndarray:
    width = len(data["quantities"][name]["symbols"])
    start = lane["columns"][name]
    return numbers[start : start + lane["rows"] * width].reshape(-1, width)


def test_minute_of_six_lanes_is_below_three_megabytes(run: qv.Run, tmp_path: Path) -> None:
    path = tmp_path / "six.html"
    write_page(run.engine, path)
    assert path.stat().st_size < 3_000_000
    assert len(unpacked(path.read_text("utf-8"))[0]["lanes"]) == 6


def test_varying_forces_on_six_fast_lanes_stay_small() -> None:
    """The maximum content of a page: sixty rows per second and three changing forces, for a quarter of a minute."""
    preset = qv.load_preset("torque_free")
    springs = [
        qv.Spring(stiffness=k, point=(0.3, 0.1 * k, -0.2), anchor=(1.0, k, 2.0), rest_length=0.5)
        for k in (1.0, 2.0, 3.0)
    ]
    initial = qv.Initial(euler_parameters=(1.0, 0.0, 0.0, 0.0), angular_velocity=(6.0, 9.0, 7.0))
    preset = replace(preset, body=qv.Body(inertia=(1.0, 2.0, 3.0)), loads=springs, initial=initial)
    lanes = [
        qv.Lane(lane_id, dt=1 / n, name=f"{lane_id} {n}")
        for lane_id in ("lagrange_simplified/split", "hamilton") for n in (480, 600, 720)
    ]  # fmt: skip
    run = qv.simulate(preset, lanes=lanes, duration=15.0, dt=1 / 480, sample_interval=1 / 60)
    page = make_page(run.engine)
    data, numbers = unpacked(page)
    assert [lane["rows"] for lane in data["lanes"]] == [901] * 6
    assert all(f"force_{k}" in lane["columns"] for k in range(3) for lane in data["lanes"])
    assert 4 * numbers.nbytes * 4 / 3 > 3_000_000, "uncompressed, the numbers of a minute would not fit"
    coded_in = page.index('id="numbers"')
    size = page.index("</script>", coded_in) - coded_in
    assert len(page) + 3 * size < 2_500_000


def test_numbers_of_any_kind_are_restored_bit_by_bit() -> None:
    random = np.random.default_rng(3)
    odd = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1e-45, -3e38, 3e38, 1.0, -1.0], np.float32)
    columns = [
        random.integers(0, 2**32, (70, 2), np.uint32).view(np.float32),
        odd[:, None],
        np.cumsum(np.ones((33, 3), np.float32), axis=0),
        odd[:1, None],
    ]
    back = decoded(*encode_columns([(column, True) for column in columns]))
    assert back.tobytes() == np.concatenate([column.ravel() for column in columns]).tobytes()


@pytest.mark.parametrize("largest", [0.0, 1e-38, 3e-5, 1.0, 359.9, 3e38])
def test_gridded_numbers_keep_seven_digits_of_the_largest(largest: float) -> None:
    random = np.random.default_rng(4)
    column = (largest * random.uniform(-1.0, 1.0, (100, 2))).astype(np.float32)
    back = decoded(*encode_columns([(column, False)])).reshape(100, 2)
    assert np.abs(back - column).max() <= 1.2e-7 * np.abs(column).max()


def test_page_numbers_equal_the_run_to_seven_digits(run: qv.Run) -> None:
    data, numbers = unpacked(make_page(run.engine))
    assert data["interval"] == pytest.approx(0.02)
    for packed, lane in zip(data["lanes"], run.lanes, strict=True):
        assert (packed["name"], packed["status"]) == (lane_title(lane.name), "ok")
        motion = lane.motion()
        for name in data["quantities"]:
            values = QUANTITIES[name].column_values(motion)[::2]
            if name not in packed["columns"]:
                assert not np.isfinite(values).any()
                continue
            kept, single = column(data, numbers, packed, name), values.astype(np.float32)
            if data["quantities"][name]["log"]:
                assert np.array_equal(kept, single, equal_nan=True)
            else:
                assert np.abs(kept - single).max() <= 1.2e-7 * np.abs(single).max()
    assert data["scales"]["h"] == pytest.approx(
        max(np.linalg.norm(lane.h, axis=1).max() for lane in run.lanes), rel=1e-12
    )


def test_jumps_are_found_in_all_samples(run: qv.Run) -> None:
    data, _ = unpacked(make_page(run.engine, ["hamilton"], rate=5.0))
    (lane,) = data["lanes"]
    every = round(data["interval"] / run.preset.run.sample_interval)
    assert every == 20
    rows, causes = find_angle_jumps(QUANTITIES["angles_321"].column_values(run["hamilton"].motion()), "321")
    expected = [sorted({int(row) // every for row in rows[cause != NONE]}) for cause in causes.T]
    assert lane["breaks"]["angles_321"] == expected
    assert expected[2], "this motion has wraps"


def test_no_line_crosses_an_event() -> None:
    """The line was a ramp between two kept samples, as if the kick had a duration."""
    preset = replace(
        qv.load_preset("torque_free").with_run(duration=4.0), events=(qv.Kick(2.0, (0.0, 50.0, 0.0), "body"),)
    )
    data, _ = unpacked(make_page(qv.simulate(preset).engine, rate=10.0))
    for lane in data["lanes"]:
        assert lane["breaks"]["omega"] == lane["breaks"]["h"] == [[], [19], []], (
            "in the body frame about e2 only"
        )
        assert "p" not in lane["breaks"], "the attitude is continuous"
        assert not {"energy_drift", "constraint"} & lane["breaks"].keys(), "whose noise is no step"


def test_page_contains_the_preset_of_the_run(run: qv.Run) -> None:
    data, _ = unpacked(make_page(run.engine))
    preset = parse_preset(data["preset"])
    assert (preset.run.duration, preset.run.dt, len(preset.lanes)) == (60.0, 2e-3, 6)
    assert (data["title"], text_of(data["summary"])) == (run.preset.title, run.preset.summary.strip())
    assert "every 2nd of the samples (0.01 s apart)" in data["reduced"]


def text_of(sentences: list[list[str]]) -> str:
    return " ".join(sentence for sentence, _ in sentences)


def test_outdated_sentences_of_an_edited_preset_are_marked() -> None:
    """The motion with a wheel does not repeat every 9.34 s, as the text of the preset says."""
    preset = qv.load_preset("torque_free")
    wheel = qv.Rotor(axis=(0.0, 0.0, 1.0), inertia=20.0, speed=30.0)
    edited = replace(preset, body=replace(preset.body, rotors=(wheel,)))
    original, changed = (unpacked(make_page(qv.simulate(variant).engine))[0] for variant in (preset, edited))
    assert original["edits"] == ""
    assert {mark for _, mark in original["summary"] + original["watch"]} == {""}
    assert changed["edits"].startswith("Edited: body (rotors).")
    marks = dict(changed["summary"] + changed["watch"])
    assert [mark for sentence, mark in marks.items() if "repeats every 9.34 s" in sentence] == ["(?)"]
    assert [mark for sentence, mark in marks.items() if sentence.startswith("Both lanes")] == [""]


def test_edited_run_keeps_its_original_preset_when_its_page_is_opened_again(tmp_path: Path) -> None:
    """A preset file would count as the original preset, and its outdated texts as true."""
    preset = qv.load_preset("torque_free")
    edited = replace(preset, body=replace(preset.body, inertia=np.diag([1.0, 2.0, 2.5])))
    for variant, title in ((preset, preset.title), (edited, "Torque-free body (edited)")):
        page = make_page(qv.simulate(variant, duration=0.1).engine)
        data, _ = unpacked(page)
        assert data["title"] == title
        assert f"<title>{title} – quatviz</title>" in page
        path = tmp_path / f"{title}.toml"
        path.write_text(data["preset"], "utf-8")
        assert shown_title(qv.load_preset(path)) == title


def test_page_refers_to_no_other_file_except_licences(run: qv.Run) -> None:
    page = make_page(run.engine, ["hamilton"])
    bare = re.sub(r"<!--.*?-->|/\*!.*?\*/", "", page, flags=re.DOTALL)
    assert not re.findall(r"https?:|//[a-z]+\.[a-z]|@import|url\(", re.sub(r'id="numbers">.*?<', "", bare))
    assert "Permission is hereby granted" in page, "uPlot's licence is included"
    assert "default-src 'none'" in page


def test_preset_text_is_escaped_in_the_page(run: qv.Run) -> None:
    evil = '</script><script>alert(1)</script> @@NUMBERS@@ <!-- "'
    preset = replace(run.preset, title=evil, summary=evil)
    page = make_page(qv.simulate(preset, lanes=["hamilton"], duration=0.1, dt=1e-2).engine)
    data, _ = unpacked(page)
    assert (data["title"], text_of(data["summary"])) == (evil, evil)
    assert "alert(1)</script>" not in page
    assert f"<title>{html.escape(evil)}" in page


def test_ended_lane_is_stored_with_status_and_message() -> None:
    run = qv.simulate(
        qv.load_preset("torque_free"), lanes=["euler_angles/313", "hamilton"], duration=1.0, dt=1e-2
    )
    data, numbers = unpacked(make_page(run.engine))
    ended, lives = data["lanes"]
    assert ended["status"] == "singular"
    assert ended["message"]
    assert ended["rows"] < lives["rows"]
    assert data["sequence"] == "313"
    assert column(data, numbers, lives, "p").shape == (lives["rows"], 4)


def test_page_themes_equal_those_of_the_window() -> None:
    for name, look in PAGE_THEMES.items():
        for key, value in look.items():
            own = getattr(THEMES[name], key)
            assert value == own, (name, key)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"lanes": ["hamilto"]}, "one or more of"),
        ({"lanes": []}, "at least one lane"),
        ({"theme": "sepia"}, "light"),
        ({"sequence": "312x"}, "321"),
        ({"rate": 0.0}, "above 0"),
        ({"rate": float("nan")}, "above 0"),
    ],
)
def test_invalid_values_are_rejected(run: qv.Run, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(qv.InputError, match=message):
        run.view(**settings)


def test_unwritable_targets_are_rejected(run: qv.Run, tmp_path: Path) -> None:
    view = run.view(["hamilton"])
    for name in ("page.txt", "page", "nowhere/page.html"):
        with pytest.raises(qv.InputError):
            view.save(tmp_path / name)
        with pytest.raises(qv.InputError):
            write_page(run.engine, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_notebook_shows_the_page_in_a_sandboxed_frame(run: qv.Run, tmp_path: Path) -> None:
    view = run.view(["hamilton"], height=500)
    frame = re.fullmatch(
        r'<iframe srcdoc="([^"]*)" sandbox="([^"]*)" .*height:500px.*</iframe>', view._repr_html_()
    )
    assert frame is not None
    assert html.unescape(frame[1]) == view.html
    assert "allow-same-origin" not in frame[2]
    view.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8") == view.html


def test_render_command_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.html"
    arguments = [
        "render",
        "torque_free",
        "--duration",
        "0.5",
        "--dt",
        "1e-2",
        "--lane",
        "hamilton",
        "--theme",
        "dark",
    ]
    assert cli.main([*arguments, "-o", str(path)]) == 0
    assert "0.5 s of 1 lane" in capsys.readouterr().out
    data, _ = unpacked(path.read_text("utf-8"))
    assert (data["theme"], data["duration"], [lane["name"] for lane in data["lanes"]]) == (
        "dark",
        0.5,
        ["Hamilton, reduced to h"],
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "page.avi2"], ".html"),
        (["-o", "nowhere/page.html"], "no such folder"),
        (["-o", "page.html", "--rate", "0"], "above 0"),
        (["-o", "page.html", "--sequence", "999"], "321"),
        (["-o", "page.html", "--lane", "hamilto"], "hamilton"),
        (["-o", "page.html", "--duration", "-1"], "--duration"),
    ],
)
def test_render_rejects_invalid_arguments_before_computing(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["render", "torque_free", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_render_status_shows_that_no_lane_finished(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    arguments = [
        "render",
        "torque_free",
        "--lane",
        "euler_angles/313",
        "--duration",
        "0.1",
        "-o",
        str(path),
        "--quiet",
    ]
    assert cli.main(arguments) == 3
    assert path.exists()


def test_ordinals_are_formatted() -> None:
    assert [packing.ordinal(n) for n in (2, 3, 4, 11, 22, 112)] == [
        "2nd",
        "3rd",
        "4th",
        "11th",
        "22nd",
        "112th",
    ]


def test_page_plots_the_target_of_lanes_with_controllers_of_their_own() -> None:
    run = qv.simulate(qv.load_preset("unwinding"), duration=2.0)
    data, numbers = unpacked(make_page(run.engine))
    (plot,) = (plot for plot in data["plots"] if plot["id"] == "target_angle")
    assert (plot["title"], plot["unit"], plot["curves"]) == ("Angle to the target", "deg", [[0, "θ"]])
    assert plot["on"], "shown at first, as in the window"
    assert data["order"][0] == "target_angle", "the first panel of the board"
    for lane, stored in zip(run.engine, data["lanes"], strict=True):
        values = lane.motion().target_angle[:: round(len(lane.motion().t) / stored["rows"])]
        np.testing.assert_allclose(column(data, numbers, stored, "target_angle")[:, 0], values, rtol=1e-6)
    assert "energy_drift" not in data["drifts"], "controllers change the energy"


@pytest.mark.parametrize(
    "name", ["reaction_wheels", "ring_damper", "gravity_gradient", "pivot_force", "torque_free"]
)
def test_page_has_every_curve_that_the_window_can_show(name: str) -> None:
    run = qv.simulate(qv.load_preset(name), duration=5.0).engine
    data, _ = unpacked(make_page(run))
    info = run_info(run, ViewState().lanes.matching(len(run.lanes)))
    stored = {quantity for lane in data["lanes"] for quantity in lane["columns"]}
    derived = {"energy", "torque", *(f"{quantity}_space" for quantity in stored)}
    assert set(data["drifts"]) <= stored
    for panel_class in PANELS.values():
        if not issubclass(panel_class, TimePanel) or not panel_class.is_relevant(info):
            continue
        panel = panel_class()
        choice = panel.choice_in(info)
        for option in ("",) if choice is None else choice.options:
            shown = {strip.quantity for strip in panel.strips_of(option, info) if not strip.stacked}
            other_sequence = {
                quantity for quantity in shown if QUANTITIES[quantity].sequence not in ("", data["sequence"])
            }
            assert shown - other_sequence <= stored | derived, (panel.name, option)
    assert {plot["id"] for plot in data["plots"]} <= set(data["order"])


def test_figure_and_page_show_the_panels_of_the_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = ["--duration", "0.5", "--dt", "1e-2", "--quiet"]
    drawn: list[list[str]] = []

    def draw(picture: FigurePicture, paper: Paper) -> argparse.Namespace:
        drawn.append([panel.title for panel in picture.panels])
        return argparse.Namespace(save=lambda path: None)

    monkeypatch.setattr("quatviz.export.figures.drawing.draw_figure", draw)
    figure = str(tmp_path / "figure.pdf")
    for more in ([], ["--lane", "newton_euler"], ["--quantity", "h"]):
        assert cli.main(["render", "six_lambdas", *short, *more, "-o", figure]) == 0
    proposed, without, asked = drawn
    assert proposed == ["Lagrange multiplier"]
    assert len(without) > 3, "Newton and Euler have no multiplier"
    assert len(asked) == 1
    path = tmp_path / "page.html"
    assert cli.main(["render", "intermediate_axis", *short, "-o", str(path)]) == 0
    data, _ = unpacked(path.read_text("utf-8"))
    assert data["first"] == {"h": "body"}
    assert cli.main(["render", "heavy_top", *short, "-o", str(path)]) == 0
    data, _ = unpacked(path.read_text("utf-8"))
    assert (set(data["first"]), data["sequence"]) == ({"angles", "lam", "centre"}, "313")
