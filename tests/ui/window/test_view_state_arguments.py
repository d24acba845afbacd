"""A view state given by a script or on the command line."""

from pathlib import Path
from typing import Any

import pytest
from view_state_samples import all_fields_changed

import quatviz as qv
from quatviz import cli
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.display.view_state.session import Session, format_session
from quatviz.display.view_state.view_state import SESSION_SCOPES, ViewState, format_view_state
from quatviz.files.schema import SCREEN
from quatviz.physics.kernels import cache
from quatviz.simulation.compilation import ChildCompilation
from quatviz.teaching.lessons import Lesson, find_lesson
from quatviz.ui.window.settings import Settings


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[Any, ViewState | None]]:
    """Return the arguments with which windows were opened."""
    monkeypatch.setenv("QUATVIZ_SETTINGS_DIR", str(tmp_path / "settings"))
    calls: list[tuple[Any, ViewState | None]] = []

    def run_window(preset, output_folder=None, tour=None, view_state=None, *args, **named):
        lesson = next((candidate for candidate in args if isinstance(candidate, Lesson)), None)
        calls.append((preset if lesson is None else lesson, view_state))
        return 0

    monkeypatch.setattr("quatviz.app.run_window", run_window)
    return calls


def test_script_opens_the_window_with_a_view_state(opened: list) -> None:
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["hamilton"], duration=0.1)
    wanted = qv.ViewState(theme="light", views={"number": 2})  # type: ignore[arg-type]
    run.show(view_state=wanted)
    run.show()
    assert [look for _, look in opened] == [wanted, None]
    assert wanted.views.number == 2
    assert opened[0][0] == run.preset
    with pytest.raises(qv.InputError, match="one of dark, light, projector"):
        qv.ViewState(theme="pink")


def test_script_opens_the_window_without_a_kernel_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As the command line does: with a temporary cache folder, and a message that says so."""
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["exact"], duration=0.1)
    (tmp_path / "file").touch()
    monkeypatch.setenv("QUATVIZ_CACHE_DIR", str(tmp_path / "file" / "cache"))

    def run_window(preset: qv.Preset, preparation: ChildCompilation, **kwargs: object) -> None:
        cache.prepare_folder()  # fails where nothing can be cached
        assert preparation.cache_error is not None
        assert str(tmp_path / "file") in preparation.cache_error.place

    monkeypatch.setattr("quatviz.app.run_window", run_window)
    run.show()
    with pytest.raises(qv.InputError):
        cache.prepare_folder()


def test_window_accepts_the_file_of_a_view_state_or_session(opened: list, tmp_path: Path) -> None:
    look, session = tmp_path / "look.toml", tmp_path / "session.toml"
    look.write_text(format_view_state(all_fields_changed()), "utf-8")
    session.write_text(format_session(Session(qv.load_preset("torque_free"), all_fields_changed())), "utf-8")
    assert cli.main(["torque_free", "--look", str(look)]) == 0
    assert cli.main(["torque_free", "--look", str(session)]) == 0
    assert cli.main([str(session)]) == 0
    as_file, of_session, in_room = (value for _, value in opened)
    assert as_file == all_fields_changed()
    assert of_session.theme == "dark"
    assert in_room == of_session


def test_desktop_opens_sessions_and_lessons_by_suffix(opened: list, tmp_path: Path) -> None:
    session = tmp_path / "mine.quatviz"
    session.write_text(format_session(Session(qv.load_preset("heavy_top"), ViewState())), "utf-8")
    assert cli.main([str(session)]) == 0
    assert cli.main([str(find_lesson("gimbal_lock"))]) == 0
    assert cli.main([str(tmp_path / "none.md")]) == 2
    preset, lesson = (value for value, _ in opened)
    assert preset.title == qv.load_preset("heavy_top").title
    assert lesson.name == "gimbal_lock"


def test_session_opens_in_the_current_theme(opened: list, tmp_path: Path) -> None:
    session = tmp_path / "session.toml"
    session.write_text(format_session(Session(qv.load_preset("torque_free"), ViewState(cursor=2.0))), "utf-8")
    Settings().set_scale(150)
    cli.main([str(session)])
    assert opened[0][1] == ViewState(cursor=2.0, scale=150)


@pytest.mark.parametrize("arguments", [["torque_free"], ["render", "torque_free", "-o", "x.png"]])
def test_invalid_view_state_file_is_rejected_with_its_line(
    arguments: list[str], opened: list, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    wrong = tmp_path / "look.toml"
    wrong.write_text('look = 1\ntheme = "pink"\n', "utf-8")
    assert cli.main([*arguments, "--look", str(wrong)]) == 2
    output = capsys.readouterr().err
    assert f"{wrong}, line 2, theme" in output
    assert "one of dark, light, projector" in output
    assert opened == []


def test_table_stores_the_view_state_it_was_written_with(opened: list, tmp_path: Path) -> None:
    look, table = tmp_path / "look.toml", tmp_path / "run.csv"
    look.write_text(format_view_state(all_fields_changed()), "utf-8")
    short = ["run", "torque_free", "--lane", "hamilton", "--duration", "0.1", "--quiet", "--look", str(look)]
    assert cli.main(short) == 2, "there is no file to store it"
    assert cli.main([*short, "-o", str(table)]) == 0
    assert cli.main([str(table)]) == 0
    preset, shown = opened[0]
    assert [lane.formulation for lane in preset.lanes] == ["hamilton"]
    assert shown == ViewState().merged_with(all_fields_changed(), SESSION_SCOPES).merged_with(
        Settings().view_state, (SCREEN,)
    )
    assert qv.load_preset(table) == preset


def test_page_and_figure_follow_the_view_state(tmp_path: Path) -> None:
    look = tmp_path / "look.toml"
    hidden = LaneStyles((0, 1), ("ghost", "hidden"))
    look.write_text(
        format_view_state(ViewState(theme="dark", options={"sequence": "313"}, lanes=hidden)), "utf-8"
    )
    lanes = ["--lane", "hamilton", "--lane", "newton_euler", "--duration", "0.1", "--quiet"]
    page, figure = tmp_path / "run.html", tmp_path / "run.svg"
    assert cli.main(["render", "torque_free", *lanes, "-o", str(page), "--look", str(look)]) == 0
    text = page.read_text("utf-8")
    assert '"theme": "dark"' in text
    assert '"name": "Hamilton, reduced to h"' in text
    # The hidden lane is named only among the formulations that the page itself can compute.
    assert text.count('"name": "Newton–Euler"') == text.count('"formulation": "newton_euler", "name"') == 1
    assert cli.main(["render", "torque_free", *lanes, "-o", str(figure), "--look", str(look)]) == 0
    assert figure.stat().st_size > 10_000
